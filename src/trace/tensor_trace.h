#pragma once
// What the program did: the tensor trace (docs/tensor-trace.md) in memory. Equal steps are stored
// once with a count; storages are dense ids over the whole file, allocated and released by events.

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"

namespace diffram::trace {

enum class DType : std::uint8_t {
  f32,
  f64,
  f16,
  bf16,
  i64,
  i32,
  i16,
  i8,
  u8,
  boolean,
  complex64,
  complex128,
  f8_e4m3fn,
  f8_e5m2,
  u16,
  u32,
  u64,
  complex32
};
inline constexpr std::size_t kDTypeCount = 18;  ///< codes of the file are positions in DType
std::uint32_t size_of(DType dtype);             ///< bytes per element
const char* name_of(DType dtype);               ///< "fp32", "fp16", "int64" …

enum class TensorClass : std::uint8_t {
  parameter,
  buffer,
  optimizer_state,
  gradient,
  ema,
  input,
  weight_cast,
  recomputed_activation,
  activation,
  activation_gradient,
  external,
  temporary
};
inline constexpr std::size_t kTensorClassCount = 12;
inline constexpr std::array<const char*, kTensorClassCount> kTensorClassNames = {
    "parameter", "buffer",      "optimizer_state",       "gradient",   "ema",
    "input",     "weight_cast", "recomputed_activation", "activation", "activation_gradient",
    "external",  "temporary"};
inline constexpr const char* name_of(TensorClass c) {
  return kTensorClassNames[static_cast<std::size_t>(c)];
}

struct Module {
  std::int32_t parent = -1;  ///< index into modules, -1 = root
  std::string path;          ///< "unet.mid_block.attentions.0"
  std::string type;
};

/// An argument of a function and how many tensors of the op's list are its.
struct Role {
  std::string name;  ///< schema name: "input", "weight", "mat1" …
  std::uint32_t count = 1;
};

struct Function {
  std::string name;  ///< "aten.convolution.default"
  std::string kind;  ///< conv mm attn softmax norm elt reduce copy cat gather opt other
  std::vector<Role> reads, writes;  ///< in the order of Op::reads and Op::writes; may be empty
};

struct Storage {
  std::int64_t bytes = 0;
  TensorClass tensor_class = TensorClass::temporary;
  bool alive_at_start = false;
  std::int32_t module = -1;
  std::string name;  ///< may be empty
};

struct TensorUse {
  std::uint32_t storage = 0;
  std::int64_t offset = 0;  ///< bytes from the start of the storage
  DType dtype = DType::f32;
  std::vector<std::int64_t> sizes;
  std::vector<std::int64_t> strides;  ///< elements

  /// Bytes of the distinct elements: a dimension of stride 0 counts once.
  std::int64_t tensor_bytes() const;
};

/// Why an op ran: forward, backward, recomputation, gradient accumulation, optimizer.
enum class Reason : char {
  forward = 'f',
  backward = 'b',
  recompute = 'r',
  accumulate = 'g',
  optimizer = 'o'
};

struct Attribute {
  std::string name;             ///< "stride", "pad", "beta", "scale" …
  std::vector<double> numbers;  ///< a scalar is a list of one
};

struct Op {
  std::uint32_t index = 0;  ///< within the step
  std::uint32_t function = 0;
  std::int32_t module = -1;
  Reason reason = Reason::forward;
  std::int32_t forward_op = -1;  ///< of a backward or recomputed op, -1 = unknown
  std::int64_t macs = 0;
  std::vector<TensorUse> reads, writes;
  std::vector<Attribute> attributes;

  const Attribute* attribute(const std::string& name) const;
};

enum class EventKind : std::uint8_t { phase, allocate, op, release };

struct Event {
  EventKind kind = EventKind::op;
  std::uint32_t index = 0;  ///< phase: into phases; allocate, release: storage; op: into ops
};

/// In a repetition, the storage that the repetition before called `after` is the `before` of this
/// one: what was made by one step and is consumed by the next (the latents of a sampling loop).
struct Carry {
  std::uint32_t after = 0;
  std::uint32_t before = 0;
};

struct Step {
  std::int64_t first = 0;     ///< step number of its first occurrence
  std::int64_t times = 1;     ///< occurrences in a row, the first included
  std::vector<Event> events;  ///< op events index `ops` of this step
  std::vector<Op> ops;
  std::vector<Carry> carries;  ///< all at once, before every repetition but the first
};

struct TensorTrace {
  std::string file;
  std::string torch, pretend, how;
  std::int64_t batch = 1;  ///< images (under guidance the network's batch is twice that)
  std::vector<Module> modules;
  std::vector<Function> functions;
  std::vector<Storage> storages;
  std::vector<std::string> phases;  ///< names in order of first appearance
  std::vector<Step> steps;

  std::int64_t step_count() const;  ///< repetitions included
};

/// Read `*.dft` or `*.dft.zst`. `batch` > 0 counts images and instantiates an affine trace there
/// (refused below its first batch, or when the trace is not affine and has another batch). The
/// `end` totals are proved.
base::Result<TensorTrace> read_tensor_trace(const std::string& file, std::int64_t batch = 0);

}  // namespace diffram::trace

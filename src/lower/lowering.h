#pragma once
// The door of `lower`: a tensor trace on a stated machine becomes tile steps of physical requests.

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/diagnostic.h"
#include "base/result.h"
#include "lower/tile_step.h"
#include "spec/machine.h"
#include "spec/memory.h"
#include "trace/tensor_trace.h"

namespace diffram::lower {

/// One op of one stored step, as lowered.
struct LoweredOp {
  std::uint32_t step = 0;   ///< index into TensorTrace::steps
  std::uint32_t op = 0;     ///< index into Step::ops
  std::uint32_t phase = 0;  ///< index into TensorTrace::phases
  std::string
      family;  ///< kernel family: "gemm", "convolution", "attention", "elementwise", "norm" …
  bool fallback = false;              ///< no kernel model: inputs read once, outputs written once
  std::int64_t compulsory_bytes = 0;  ///< bytes any kernel must move
  std::int64_t bound_bytes = 0;       ///< upper bound of the walk (lowering.md 2)
  std::int64_t compute_cycles = 0;    ///< Σ of its tile steps, machine clock
};

/// What an origin stands for: one operand of one op.
struct Origin {
  std::uint32_t op = 0;       ///< index into OriginTable::ops
  std::uint32_t storage = 0;  ///< index into TensorTrace::storages
  bool is_write = false;
  std::uint32_t operand = 0;  ///< position in Op::reads or Op::writes; scratch operands follow
  std::string role;           ///< "A", "B", "weight", "scores" …
};

struct OriginTable {
  std::vector<LoweredOp> ops;
  std::vector<Origin> origins;  ///< index = OriginId
};

/// Bytes by origin, so that flow adds up: walk + fetch_on_write − filter = dram.
struct Flow {
  std::int64_t walk = 0;             ///< bytes the kernel walked
  std::int64_t fetch_on_write = 0;   ///< bytes of partly written lines that had to be read
  std::int64_t filter = 0;           ///< served on chip
  std::int64_t dram = 0;             ///< bytes of the requests, whole bursts
  std::int64_t dram_read_again = 0;  ///< of lines already read since their last write or allocation
  Flow& operator+=(const Flow& o) {
    walk += o.walk;
    fetch_on_write += o.fetch_on_write;
    filter += o.filter;
    dram += o.dram;
    dram_read_again += o.dram_read_again;
    return *this;
  }
};

/// Peak of the allocator over the whole program, found before anything is simulated.
struct CapacityReport {
  bool fits = true;
  std::int64_t capacity_bytes = 0;
  std::int64_t peak_live_bytes = 0;      ///< largest Σ of live storages
  std::int64_t peak_reserved_bytes = 0;  ///< largest Σ of segments
  std::int64_t missing_bytes = 0;        ///< how much more memory the failing moment needed
  std::vector<std::pair<std::string, std::int64_t>> live_by_class;  ///< at the peak
  std::string peak_op;                                        ///< module path and op at the peak
  std::vector<std::pair<std::string, std::int64_t>> largest;  ///< the peak's largest tensors
  /// Where memory ran out and what the allocator held then; says fragmentation if it was.
  std::string failure = {};
};

struct LoweringOptions {
  std::string allocator = "cuda";  ///< cuda, cpu, bump
  std::vector<std::pair<std::string, std::string>> allocator_options;
  std::string page_map;  ///< empty = the machine's
  std::uint64_t seed = 1;
  bool allow_overcommit = false;  ///< wrap addresses instead of refusing
};

class Lowering {
 public:
  virtual ~Lowering() = default;

  virtual const CapacityReport& capacity() const = 0;
  virtual const OriginTable& origins() const = 0;

  /// Tile steps of the next occurrence of stored step `step`; steps must be asked for in program
  /// order (the allocator's state runs along). The source is valid until the next call.
  virtual TileSource& begin_step(std::uint32_t step) = 0;
  /// Let occurrences pass without simulating them (their allocations still happen).
  virtual void skip_step(std::uint32_t step) = 0;

  /// Bytes by origin since the last call of begin_step.
  virtual const std::vector<Flow>& flow() const = 0;
  virtual const std::vector<base::Diagnostic>& diagnostics() const = 0;
  virtual const std::vector<base::Assumption>& assumptions() const = 0;
};

/// Fails only for impossible specs; a program that does not fit is reported by `capacity()`.
base::Result<std::unique_ptr<Lowering>> lower(const trace::TensorTrace& trace,
                                              const spec::MachineSpec& machine,
                                              const spec::MemorySpec& memory,
                                              const LoweringOptions& options);

}  // namespace diffram::lower

#pragma once
// Programs of a few ops and the machines and memories to lower them on.

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "lower/lowering.h"

namespace diffram::lower::testing {

/// A program of one step. Storages are alive from the start unless they are made by an op's write.
class SmallProgram {
 public:
  SmallProgram() {
    trace.phases = {"step"};
    trace.steps.emplace_back();
    trace.steps[0].events.push_back({trace::EventKind::phase, 0});
  }

  /// A contiguous tensor in a storage of its own.
  trace::TensorUse tensor(std::vector<std::int64_t> sizes, trace::DType dtype = trace::DType::f16,
                          bool alive_at_start = true) {
    trace::TensorUse use;
    use.storage = static_cast<std::uint32_t>(trace.storages.size());
    use.dtype = dtype;
    use.sizes = std::move(sizes);
    use.strides.assign(use.sizes.size(), 1);
    for (std::size_t d = use.sizes.size(); d-- > 1;)
      use.strides[d - 1] = use.strides[d] * use.sizes[d];
    trace::Storage storage;
    storage.bytes = use.tensor_bytes();
    storage.alive_at_start = alive_at_start;
    trace.storages.push_back(storage);
    if (!alive_at_start) trace.steps[0].events.push_back({trace::EventKind::allocate, use.storage});
    return use;
  }
  trace::TensorUse result(std::vector<std::int64_t> sizes, trace::DType dtype = trace::DType::f16) {
    return tensor(std::move(sizes), dtype, false);
  }

  trace::Op& op(const std::string& name, const std::string& kind,
                std::vector<trace::TensorUse> reads, std::vector<trace::TensorUse> writes) {
    trace::Function function;
    function.name = "aten." + name + ".default";
    function.kind = kind;
    trace::Op op;
    op.index = static_cast<std::uint32_t>(trace.steps[0].ops.size());
    op.function = static_cast<std::uint32_t>(trace.functions.size());
    op.reads = std::move(reads);
    op.writes = std::move(writes);
    trace.functions.push_back(function);
    trace.steps[0].ops.push_back(op);
    trace.steps[0].events.push_back({trace::EventKind::op, op.index});
    return trace.steps[0].ops.back();
  }

  void name_reads(const std::vector<std::string>& names) {
    for (const std::string& name : names) trace.functions.back().reads.push_back({name, 1});
  }

  trace::TensorTrace trace;
};

inline trace::Attribute attribute(const std::string& name, std::vector<double> numbers) {
  return {name, std::move(numbers)};
}

/// The edge NPU's figures that lowering uses.
inline spec::MachineSpec edge_machine() {
  spec::MachineSpec machine;
  machine.name = "edge";
  machine.array_rate = {{"fp16", 1.0}, {"fp32", 0.25}};
  machine.efficiency = {{"gemm", 0.8},      {"convolution", 0.7}, {"attention", 0.6},
                        {"norm", 0.8},      {"elementwise", 0.8}, {"reduction", 0.8},
                        {"optimizer", 0.8}, {"embedding", 0.5},   {"other", 0.5}};
  machine.on_chip = spec::OnChip::scratchpad;
  machine.on_chip_bytes = 8u << 20;
  return machine;
}

/// 8 GiB of DDR4 with 64-byte bursts.
inline spec::MemorySpec plain_memory() {
  spec::MemorySpec memory;
  memory.standard = "DDR4";
  memory.organisation = {.channels = 2,
                         .ranks = 1,
                         .bank_groups = 4,
                         .banks_per_group = 4,
                         .rows = 32768,
                         .columns = 1024,
                         .device_width = 8,
                         .bus_width = 64,
                         .burst_length = 8,
                         .device_bits = std::uint64_t{4} << 30};
  return memory;
}

/// Everything that one step gave, added up.
struct Lowered {
  Flow total;
  std::vector<Flow> by_origin;
  std::vector<std::int64_t> request_bytes;  ///< by origin
  std::int64_t largest_tile = 0;            ///< loads and stores
  std::vector<TileStep> tiles;
  OriginTable table;
};

inline Lowered lower_step(Lowering& lowering, std::uint32_t step = 0, bool keep_tiles = true) {
  Lowered result;
  result.table = lowering.origins();
  result.request_bytes.assign(result.table.origins.size(), 0);
  TileSource& source = lowering.begin_step(step);
  TileStep tile;
  while (source.next(tile)) {
    std::int64_t tile_bytes = 0;
    for (const auto* requests : {&tile.loads, &tile.stores})
      for (const base::Request& request : *requests) {
        result.request_bytes[request.origin.value] += static_cast<std::int64_t>(request.bytes);
        tile_bytes += static_cast<std::int64_t>(request.bytes);
      }
    result.largest_tile = std::max(result.largest_tile, tile_bytes);
    if (keep_tiles) result.tiles.push_back(tile);
  }
  result.by_origin = lowering.flow();
  for (const Flow& flow : result.by_origin) result.total += flow;
  return result;
}

inline Lowered lower_program(const SmallProgram& program,
                             const spec::MachineSpec& machine = edge_machine(),
                             const spec::MemorySpec& memory = plain_memory(),
                             const LoweringOptions& options = {}) {
  auto lowering = lower(program.trace, machine, memory, options);
  if (!lowering) throw std::runtime_error(lowering.error().front().text());
  return lower_step(**lowering);
}

}  // namespace diffram::lower::testing

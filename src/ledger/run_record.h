#pragma once
// What happened in a run: the columnar record that `sim` appends to and the run file stores.

#include <cstdint>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/counters.h"
#include "base/diagnostic.h"
#include "ledger/heat.h"

namespace diffram::ledger {

/// One origin: an operand of an op, with every axis that `explain` can group by.
struct OriginRow {
  std::uint32_t op = 0;      ///< index into RunRecord::ops
  std::uint32_t tensor = 0;  ///< index into RunRecord::tensors
  bool is_write = false;
  std::string role;

  bool operator==(const OriginRow&) const = default;
};

struct OpRow {
  std::uint32_t step = 0;   ///< stored step
  std::uint32_t index = 0;  ///< op number within the stored step
  std::string name;         ///< "aten.convolution.default"
  std::string kernel;       ///< kernel family
  std::string layer;        ///< module path, "" outside modules
  std::string phase;
  std::string reason;  ///< forward, backward, recompute, accumulate, optimizer
  std::string shape;   ///< "2x320x64x64" of its first output, for grouping equal ops
  std::int64_t macs = 0;
  bool fallback = false;

  bool operator==(const OpRow&) const = default;
};

/// What the data pins see of values: nobody simulates them.
struct DataRates {
  double ones = 0.5;    ///< share of beats in which a pin is high
  double toggle = 0.5;  ///< … in which it changes

  bool operator==(const DataRates&) const = default;
};

/// What a burst costs on the pins: the integer by which that is shared out.
struct PinPrice {
  std::int64_t read_pj = 0, write_pj = 0;

  bool operator==(const PinPrice&) const = default;
};

struct TensorRow {
  std::string name;          ///< storage name, else "op name: role"
  std::string tensor_class;  ///< one of the 12 tokens
  std::int64_t bytes = 0;
  std::string dtype{};  ///< of its elements; "" = not known
  DataRates data{};
  PinPrice pins{};

  bool operator==(const TensorRow&) const = default;
};

struct OpTime {
  std::int64_t start = 0;                          ///< from the start of the step, memory cycles
  std::int64_t compute = 0, wait = 0, launch = 0;  ///< memory cycles, their sum = the op's duration

  bool operator==(const OpTime&) const = default;
};

struct FlowRow {
  std::int64_t walk = 0, fetch_on_write = 0, filter = 0, dram = 0, dram_read_again = 0;

  bool operator==(const FlowRow&) const = default;
};

/// One simulated occurrence of a stored step, counted `weight` times in the totals (1 + the
/// occurrences accounted from it).
struct StepRecord {
  std::uint32_t step = 0;
  std::int64_t occurrence = 0;  ///< step number in the program
  std::int64_t weight = 1;
  std::int64_t cycles = 0;
  std::vector<OpTime>
      op_times;                ///< index = op of RunRecord::ops that belong to this step, in order
  std::uint32_t first_op = 0;  ///< RunRecord::ops index of op_times[0]
  std::vector<FlowRow> flow;   ///< index = origin − first_origin
  std::uint32_t first_origin = 0;
  std::vector<base::ChannelCounters>
      channels;                          ///< origins arrays are cut to [first_origin, +flow.size())
  std::int64_t memory_only_cycles = -1;  ///< same step with zero compute time, −1 = not simulated

  bool operator==(const StepRecord&) const = default;
};

/// A moment of the memory-use curve: bytes live by class after an event.
struct LivePoint {
  std::uint32_t op = 0;
  std::vector<std::int64_t> by_class;  ///< 12 entries

  bool operator==(const LivePoint&) const = default;
};

/// Which integer of the counters an energy component is shared out by (energy-and-heat.md 7).
enum class EnergyDriver : std::uint8_t {
  reads,
  writes,
  activation_tickets,
  bank_open_cycles,
  rank_open_cycles,
  rank_closed_cycles,
  refresh,       ///< shared account "refresh": banks refreshed by REFab
  idle,          ///< shared account "idle": power-down, self refresh
  part_refresh,  ///< shared account "refresh": banks refreshed by REFpb or REFsb
  read_pins,     ///< reads × the price of a burst of the tensor
  write_pins,    ///< writes × the price of a burst of the tensor
  clock,         ///< shared account "idle": cycles of the channel
};

/// One component of the energy total, whole run (weights applied). Filled by `physics`.
struct EnergyComponent {
  std::string name;  ///< "activate", "precharge", "read", "write", "refresh", "bank_open",
                     ///< "rank_open", "rank_closed" …
  EnergyDriver driver = EnergyDriver::reads;
  double joules = 0;     ///< total of the component, shared accounts included
  bool dynamic = false;  ///< counts as dynamic energy (explain.md 2)
  bool estimated = false;
  double in_memory = 1;  ///< share of it that becomes heat in the memory, the rest outside of it

  bool operator==(const EnergyComponent&) const = default;
};

/// Energy of an epoch (--power-epoch), of the simulated time.
struct PowerSample {
  std::int64_t begin = 0, cycles = 0;  ///< memory cycles of simulated time
  double joules = 0;

  double watts(const base::Clock& clock) const {
    return joules / (static_cast<double>(cycles) * clock.period_s());
  }
  bool operator==(const PowerSample&) const = default;
};

struct RunRecord {
  std::string workload, memory, machine, fidelity;
  std::string version, command_line;
  std::vector<std::pair<std::string, std::string>> inputs;  ///< file → xxh64 of its bytes
  std::int64_t steps = 0, batch = 0;
  double steady_bound = 0;  ///< relative bound of what was accounted and not simulated
  std::uint64_t seed = 0;
  base::Clock clock;
  std::uint32_t channels = 0, ranks = 0, bank_groups = 0, banks_per_group = 0, burst_bytes = 0;
  double peak_bytes_per_s = 0;
  std::int64_t peak_live_bytes = 0, reserved_bytes = 0, capacity_bytes = 0;
  std::vector<OpRow> ops;
  std::vector<TensorRow> tensors;
  DataRates unnamed_read, unnamed_write;  ///< of bursts that no tensor made
  PinPrice unnamed_pins;
  std::vector<OriginRow> origins;
  std::vector<StepRecord> records;
  std::vector<EnergyComponent> energy;  ///< empty = unknown, a diagnostic says why
  std::vector<PowerSample> power;       ///< empty = not asked for, or unknown
  std::vector<LayerHeat> heat;          ///< empty = no package given, or energy unknown
  HottestPlace hottest;                 ///< of `heat`, and what heats it
  std::vector<HeatEpoch> heat_epochs;   ///< empty = heat was not asked to answer
  std::vector<LivePoint> live;
  std::vector<base::Assumption> assumptions;
  std::vector<base::Diagnostic> diagnostics;
  std::string spec_text;  ///< memory and machine as run, TOML

  bool operator==(const RunRecord&) const = default;

  /// Of an origin by its number; none of the requests without one.
  const TensorRow* tensor_of(std::uint32_t origin) const {
    if (origin >= origins.size() || origins[origin].tensor >= tensors.size()) return nullptr;
    return &tensors[origins[origin].tensor];
  }
};

}  // namespace diffram::ledger

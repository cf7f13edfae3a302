#pragma once
// A standard's file: which timings a memory must state, and its constraint rows. Internal to spec.

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "spec/expression.h"
#include "spec/interface.h"
#include "spec/memory.h"
#include "spec/parse.h"
#include "spec/temperature.h"

namespace diffram::spec {

struct TimingDefinition {
  std::string name;         ///< "tRCD", as memory files write it
  std::string cycles;       ///< "nRCD", as the rows write it
  std::string fallback;     ///< expression for a memory that does not state it; empty = required
  bool is_longest = false;  ///< a longest time (refresh interval): rounded down
  std::int64_t minimum = 1;
};

struct ConstraintRow {
  Scope scope = Scope::bank;
  std::vector<Command> before, after;
  std::string cycles;  ///< expression
  std::uint8_t window = 1;
  std::uint8_t rule = 0;
  int line = 0;
};

/// How a command lies on its bus.
struct CommandShape {
  std::int32_t cycles = 1;
  bool on_column_bus = false;
  bool rising_edge = false;  ///< it begins with a whole clock
};

/// What values of this standard may be; 0 and empty = the standard does not say.
struct StandardLaws {
  double refresh_interval_ns = 0;
  std::map<std::int64_t, double> refresh_ns_by_gigabits;
  /// tRFC of fine granularity refresh by (granularity 2 or 4, density).
  std::map<std::pair<std::int64_t, std::int64_t>, double> fine_refresh_ns;
  std::map<std::int64_t, double> part_refresh_ns;  ///< of REFpb or REFsb, by density
  /// Cycles that do not scale with the rate, in clocks by the name of the cycles.
  std::map<std::string, std::int64_t> fixed_cycles;
};

struct Standard {
  std::string file;
  std::string name;
  std::int64_t transfers_per_clock = 2;
  std::string rounding;
  std::vector<std::int64_t> bank_groups, banks_per_group;
  std::vector<TimingDefinition> timings;
  std::vector<Rule> rules;
  std::vector<ConstraintRow> rows;
  StandardLaws laws;
  CurrentLoops current_loops;
  TemperatureLimits temperature;
  std::optional<Pads> pads;                   ///< what its pins cost; nothing = not known
  std::vector<base::Assumption> pad_sources;  ///< of their values

  /// "tCCD_L" of "nCCD_L".
  std::string timing_name(const std::string& cycles) const {
    for (const auto& timing : timings) {
      if (timing.cycles == cycles) return timing.name;
    }
    return cycles;
  }

  /// Must, or may, a memory of it state this time ("tCCD_L")?
  bool has_timing(std::string_view wanted) const {
    return std::any_of(timings.begin(), timings.end(),
                       [&](const auto& timing) { return timing.name == wanted; });
  }

  std::int64_t ticks_per_clock = 1;  ///< 2: commands may begin at half-clock edges
  std::array<CommandShape, kCommandCount> shapes;
  std::vector<Command> commands;  ///< those with a shape; empty = all take a cycle of one bus
  bool split_buses = false;
  bool counts_from_last = false;  ///< times lie between the last cycles of two commands
  std::optional<Command> part_refresh;
  RefreshUnit refresh_unit = RefreshUnit::bank;
  std::string clock_after_read, clock_after_write;  ///< expressions; empty = it always runs
};

base::Result<Standard> parse_standard(const SourceText& text);

/// The rows as integers. A row of no positive number of cycles can never bind and is left out.
base::Result<std::vector<Constraint>> resolve_rows(
    const Standard& standard, const std::map<std::string, std::int32_t>& timings);

base::Result<Protocol> resolve_protocol(const Standard& standard,
                                        const std::map<std::string, std::int32_t>& timings);

/// The text of `standards/<name>.toml` below the folder; case does not matter.
base::Result<SourceText> read_standard(const SpecFolders& folders, const std::string& name);

}  // namespace diffram::spec

#include "library/native_memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "library/spec_folder.h"

namespace diffram::library {

namespace {

using spec::Dramsim3Config;

constexpr std::int32_t kLongestWait = 4096;        // of a command, in cycles
constexpr std::int32_t kLongestRefresh = 1 << 22;  // between two, and of one
constexpr std::int32_t kLongestLatency = 254;      // from a command to the end of its data
constexpr double kShortestClock = 0.01, kLongestClock = 100;  // ns

struct Timing {
  const char* name;
  std::int32_t cycles, least, most;
};

// DRAMsim3's cycles are taken as they are: its files round them in ways that the laws of a standard
// refuse, and are simulated for what they say.
std::vector<Timing> timings_of(const Dramsim3Config& c) {
  const auto& t = c.timing;
  const auto wait = [](const char* name, std::int32_t cycles, std::int32_t least = 1) {
    return Timing{name, cycles, least, kLongestWait};
  };
  const auto refresh = [](const char* name, std::int32_t cycles, std::int32_t least = 1) {
    return Timing{name, cycles, least, kLongestRefresh};
  };
  return {
      wait("nCL", t.read_latency()),
      wait("nCWL", t.write_latency()),
      wait("nBL", c.burst_cycles),
      wait("nRCD", t.tRCD - t.AL),
      wait("nRP", t.tRP),
      wait("nRAS", t.tRAS),
      wait("nRC", t.tRC()),
      wait("nRTP", t.AL + t.tRTP),
      wait("nWR", t.tWR),
      wait("nCCD_S", std::max(t.tCCD_S, c.burst_cycles)),
      wait("nCCD_L", std::max(t.tCCD_L, c.burst_cycles)),
      wait("nRRD_S", t.tRRD_S),
      wait("nRRD_L", t.tRRD_L),
      wait("nFAW", t.tFAW),
      wait("nWTR_S", t.tWTR_S),
      wait("nWTR_L", t.tWTR_L),
      wait("nCS", t.tRTRS, 0),
      refresh("nRFC", t.tRFC),
      refresh("nREFI", t.tREFI, 0),
      // DRAMsim3 has no power-down and no DLL. Ranks never power down here either.
      wait("nXP", static_cast<std::int32_t>(std::ceil(6 / c.tCK_ns))),
      wait("nCKE", std::max(t.tCKESR - 1, 1)),
      refresh("nXS", t.tXS),
      refresh("nXSDLL", std::max(t.tXS, 1024)),
  };
}

/// All that is out of range at once.
base::Errors faults_of(const std::vector<Timing>& timings) {
  base::Errors errors;
  const auto refuse = [&](const char* field, std::string message, std::string expected) {
    errors.push_back({"out_of_range", std::move(message), "", 0, field, std::move(expected)});
  };
  const auto cycles = [&](std::string_view name) {
    return std::find_if(timings.begin(), timings.end(),
                        [&](const Timing& t) { return t.name == name; })
        ->cycles;
  };
  for (const Timing& t : timings) {
    if (t.cycles < t.least || t.cycles > t.most)
      refuse(t.name, fmt::format("native cannot wait {} cycles", t.cycles),
             fmt::format("{} to {}", t.least, t.most));
  }
  const std::int32_t one_burst =
      std::max(cycles("nRC"),
               cycles("nRCD") + cycles("nCWL") + cycles("nBL") + cycles("nWR") + cycles("nRP"));
  const std::int32_t least = cycles("nRFC") + one_burst;
  if (errors.empty() && cycles("nREFI") > 0 && cycles("nREFI") <= least)
    refuse("nREFI", "a refresh leaves no time for a burst before the next",
           fmt::format("more than {} cycles", least));
  const std::int32_t latency = std::max(cycles("nCL"), cycles("nCWL")) + cycles("nBL");
  if (errors.empty() && latency > kLongestLatency)
    refuse("nCL", fmt::format("the data of a burst end {} cycles after its command", latency),
           fmt::format("at most {}", kLongestLatency));
  return errors;
}

std::vector<std::uint64_t> bits_of(const spec::Dramsim3Field& field, std::uint32_t shift) {
  std::vector<std::uint64_t> bits;
  const int count = std::popcount(field.mask);
  bits.reserve(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i)
    bits.push_back(std::uint64_t{1} << (shift + field.position + static_cast<std::uint32_t>(i)));
  return bits;
}

spec::AddressMap map_of(const spec::Dramsim3AddressMap& map) {
  spec::AddressMap out;
  out.channel = bits_of(map.channel, map.shift);
  out.rank = bits_of(map.rank, map.shift);
  out.bank_group = bits_of(map.bank_group, map.shift);
  out.bank = bits_of(map.bank, map.shift);
  out.row = bits_of(map.row, map.shift);
  out.column = bits_of(map.column, map.shift);
  return out;
}

// As large as the address map reaches: a count that is no power of two is cut there.
spec::Organisation organisation_of(const Dramsim3Config& c) {
  const auto count = [](const spec::Dramsim3Field& field) {
    return static_cast<std::uint32_t>(field.mask + 1);
  };
  spec::Organisation out;
  out.channels = count(c.map.channel);
  out.ranks = count(c.map.rank);
  out.bank_groups = count(c.map.bank_group);
  out.banks_per_group = count(c.map.bank);
  out.rows = count(c.map.row);
  out.columns = count(c.map.column) * c.burst_length;
  out.bus_width = c.bus_width;
  out.device_width = c.bus_width / c.devices;
  out.burst_length = c.burst_length;
  return out;
}

}  // namespace

base::Result<spec::MemorySpec> memory_of(const Dramsim3Config& config) {
  if (config.protocol != spec::Dramsim3Protocol::DDR4)
    return base::failure({"not_supported", "native answers for DDR4 alone so far", "", 0,
                          "dram_structure.protocol", "DDR4, or compat"});
  const bool clock_is_known = config.tCK_ns >= kShortestClock && config.tCK_ns <= kLongestClock;
  if (!clock_is_known)
    return base::failure({"out_of_range", fmt::format("a clock of {} ns", config.tCK_ns), "", 0,
                          "timing.tCK", fmt::format("{} to {} ns", kShortestClock, kLongestClock)});
  spec::MemorySpec memory;
  memory.name = "dramsim3";
  memory.standard = "DDR4";
  memory.megatransfers = std::llround(2000 / config.tCK_ns);
  memory.clock = base::Clock(std::llround(config.tCK_ns * 1e6), 1);
  memory.organisation = organisation_of(config);
  memory.map = map_of(config.map);
  if (config.close_page) memory.controller.page_policy = spec::PagePolicy::closed;
  if (config.self_refresh)
    memory.controller.self_refresh_after =
        static_cast<std::uint32_t>(std::max(config.self_refresh_threshold, 1));
  const auto timings = timings_of(config);
  if (auto faults = faults_of(timings); !faults.empty()) return base::failure(std::move(faults));
  for (const Timing& t : timings) memory.timings[t.name] = t.cycles;
  auto rows = spec::resolve_constraints(find_spec_folder(), "ddr4", memory.timings, memory.rules);
  if (!rows) return base::failure(std::move(rows.error()));
  memory.constraints = std::move(*rows);
  return memory;
}

}  // namespace diffram::library

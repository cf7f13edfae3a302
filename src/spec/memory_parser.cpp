// A memory's file becomes integers of its clock: read the values, round the times by the standard's
// rule, resolve its rows, build the address map, check the laws. All errors are collected.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "spec/address_map.h"
#include "spec/controller_parser.h"
#include "spec/current_parser.h"
#include "spec/dramsim3_memory.h"
#include "spec/interface_parser.h"
#include "spec/laws.h"
#include "spec/parse.h"
#include "spec/refresh_mode.h"
#include "spec/rounding.h"
#include "spec/standard.h"
#include "spec/toml_section.h"

namespace diffram::spec {

namespace {

// Bounds that no DRAM reaches; they keep every product of the organisation inside 64 bits.
constexpr std::int64_t kMostChannels = 1024, kMostRanks = 64, kMostBanks = 256, kMostRows = 1 << 26,
                       kMostColumns = 1 << 16, kMostWidth = 4096, kMostBurst = 64,
                       kMostGigabits = 1024, kMostStackIds = 16, kMostPseudoChannels = 4;
// What a controller can number.
constexpr std::uint32_t kMostAllChannels = 256, kMostBanksOfChannel = 4096;
constexpr std::int64_t kMostMegatransfers = 100'000;
constexpr double kMostNanoseconds = 1e7;
constexpr std::int64_t kMostCycles = 10'000'000;

Organisation read_organisation(Section section) {
  Organisation out;
  const auto read = [&](const char* key, std::int64_t most) {
    return static_cast<std::uint32_t>(section.whole(key, 1, most).value_or(1));
  };
  out.channels = read("channels", kMostChannels);
  out.ranks = read("ranks", kMostRanks);
  out.bank_groups = read("bank_groups", kMostBanks);
  out.banks_per_group = read("banks_per_group", kMostBanks);
  out.rows = read("rows", kMostRows);
  out.columns = read("columns", kMostColumns);
  out.device_width = read("device_width", kMostWidth);
  out.bus_width = read("bus_width", kMostWidth);
  out.burst_length = read("burst_length", kMostBurst);
  out.device_bits =
      static_cast<std::uint64_t>(section.whole("device_gigabits", 1, kMostGigabits).value_or(1))
      << 30;
  const auto read_optional = [&](const char* key, std::int64_t most) {
    return static_cast<std::uint32_t>(section.whole(key, 1, most, Need::optional).value_or(0));
  };
  out.payload_bits = read_optional("payload_bits", kMostWidth * kMostBurst);
  out.stack_ids = std::max(1u, read_optional("stack_ids", kMostStackIds));
  out.pseudo_channels = std::max(1u, read_optional("pseudo_channels", kMostPseudoChannels));
  out.channels *= out.pseudo_channels;
  section.refuse_unknown_keys();
  return out;
}

void check_counts(const Organisation& o, Reading& reading) {
  if (o.channels > kMostAllChannels)
    reading.refuse("too_large", "organisation.channels", 0,
                   fmt::format("{} channels in all", o.channels),
                   fmt::format("at most {}", kMostAllChannels));
  if (std::uint64_t{o.ranks} * o.banks() > kMostBanksOfChannel)
    reading.refuse("too_large", "organisation.ranks", 0,
                   fmt::format("{} banks in a channel", std::uint64_t{o.ranks} * o.banks()),
                   fmt::format("at most {}", kMostBanksOfChannel));
}

void check_divisions(const Organisation& o, Reading& reading) {
  if (o.columns % o.burst_length != 0)
    reading.refuse(
        "not_a_multiple", "organisation.columns", 0,
        fmt::format("{} columns are no whole number of bursts of {}", o.columns, o.burst_length));
  if (o.bus_width % o.device_width != 0)
    reading.refuse("not_a_multiple", "organisation.bus_width", 0,
                   fmt::format("a bus of {} bits is no whole number of devices of {} bits",
                               o.bus_width, o.device_width));
  const std::uint64_t bits =
      o.payload_bits == 0 ? std::uint64_t{o.bus_width} * o.burst_length : o.payload_bits;
  if (bits % 8 != 0 || (bits & (bits - 1)) != 0)
    reading.refuse("not_a_power_of_two", "organisation.bus_width", 0,
                   "a burst must be a power of two of bytes",
                   "a bus of 8, 16, 32, 64 … bits, or payload_bits");
  if (bits > std::uint64_t{o.bus_width} * o.burst_length)
    reading.refuse("out_of_range", "organisation.payload_bits", 0,
                   "a burst carries more data than it has bits",
                   fmt::format("at most {}", std::uint64_t{o.bus_width} * o.burst_length));
  if (o.bank_groups % o.stack_ids != 0)
    reading.refuse("not_a_multiple", "organisation.bank_groups", 0,
                   fmt::format("{} bank groups cannot be shared out among {} stack ids",
                               o.bank_groups, o.stack_ids));
}

/// One timing in cycles of the memory clock.
std::optional<std::int64_t> to_cycles(const Quantity& stated, const TimingDefinition& definition,
                                      const Standard& standard, const base::Clock& clock,
                                      const std::string& field, Reading& reading) {
  if (stated.value < 0) {
    reading.refuse("negative", field, stated.line, "a time cannot be negative");
    return std::nullopt;
  }
  // A time is rounded to whole clocks, whatever the engine's cycle is.
  const std::int64_t ticks = standard.ticks_per_clock;
  const std::int64_t clock_fs = clock.numerator_fs() * ticks;
  if (stated.unit == "ns") {
    if (stated.value > kMostNanoseconds) {
      reading.refuse("out_of_range", field, stated.line, "the time is too long",
                     fmt::format("at most {:g} ns", kMostNanoseconds));
      return std::nullopt;
    }
    if (definition.is_longest)
      return ticks * longest_time_in_cycles(stated.value, clock_fs, clock.denominator());
    return ticks * std::max(stated.minimum_cycles,
                            shortest_time_in_cycles(stated.value, clock_fs, clock.denominator(),
                                                    standard.rounding));
  }
  if (!stated.unit.empty() && stated.unit != "nCK") {
    reading.refuse("unknown_unit", field, stated.line,
                   "there is no unit '" + stated.unit + "' here", "\"ns\" or \"nCK\"");
    return std::nullopt;
  }
  if (!stated.is_whole || stated.value > static_cast<double>(kMostCycles)) {
    reading.refuse("out_of_range", field, stated.line, "this is no number of clock cycles",
                   fmt::format("a whole number up to {}, or unit = \"ns\"", kMostCycles));
    return std::nullopt;
  }
  return ticks * static_cast<std::int64_t>(stated.value);
}

void read_timings(Section section, const Standard& standard, MemorySpec& memory, Reading& reading) {
  Names names = {{"burst_length", memory.organisation.burst_length},
                 {"transfers_per_cycle", standard.transfers_per_clock / standard.ticks_per_clock},
                 {"cycles_per_clock", standard.ticks_per_clock},
                 {"bank_groups", memory.organisation.bank_groups},
                 {"banks_per_group", memory.organisation.banks_per_group}};
  for (const auto& definition : standard.timings) {
    const auto field = section.path_of(definition.name);
    const bool is_required = definition.fallback.empty();
    const auto stated =
        section.quantity(definition.name, is_required ? Need::required : Need::optional);
    std::optional<std::int64_t> cycles;
    if (stated) {
      cycles = to_cycles(*stated, definition, standard, memory.clock, field, reading);
    } else if (!is_required && !section.has(definition.name)) {
      const auto value = evaluate(definition.fallback, names);
      if (value) {
        cycles = *value;
      } else {
        reading.refuse("bad_expression", field, 0, value.error());
      }
    }
    if (!cycles) continue;
    if (*cycles < definition.minimum || *cycles > kMostCycles) {
      reading.refuse("out_of_range", field, 0, fmt::format("{} cycles are out of range", *cycles),
                     fmt::format("{} to {} cycles", definition.minimum, kMostCycles));
      continue;
    }
    names[definition.cycles] = *cycles;
    memory.timings[definition.cycles] = static_cast<std::int32_t>(*cycles);
  }
  section.refuse_unknown_keys();
}

void refuse_timings(const base::Errors& errors, const Section& section, Reading& reading) {
  for (const auto& error : errors) {
    const std::string name = error.field.substr(error.field.find('.') + 1);
    reading.refuse(error.code, error.field, section.line_of(name), error.message, error.expected);
  }
}

void read_map(Section section, MemorySpec& memory, Reading& reading) {
  const auto order = section.text("order");
  const auto hash = section.texts("hash", Need::optional);
  section.refuse_unknown_keys();
  if (!order || !reading.errors.empty()) return;
  auto map = build_address_map(*order, hash, memory.organisation);
  if (map) {
    memory.map = std::move(*map);
    return;
  }
  for (auto& error : map.error())
    reading.refuse(error.code, error.field, 0, error.message, error.expected);
}

/// The memory's own figures, else its standard's; each with its source.
void read_interface(Section& root, const Standard* standard, MemorySpec& memory, Reading& reading) {
  auto section = root.section("interface", Need::optional);
  if (standard == nullptr) {
    section.note_known(section.keys());
    return;
  }
  if (section.present() && !standard->pads)
    reading.refuse("unknown_key", "interface", section.line_of(""),
                   "what pins of " + standard->name + " cost is not modelled");
  for (const base::Assumption& value : standard->pad_sources)
    if (!section.has(value.field.substr(value.field.find('.') + 1)))
      reading.provenance.push_back(value);
  memory.pads = read_pads(std::move(section), standard->pads);
}

void read_broken_laws(Section& names, Reading& reading) {
  const std::vector<std::string> known(kLawNames.begin(), kLawNames.end());
  for (auto& law : names.texts("broken_laws", Need::optional)) {
    if (std::find(known.begin(), known.end(), law) == known.end()) {
      const auto near = base::nearest(law, known);
      reading.refuse("unknown_choice", "broken_laws", 0, "there is no law '" + law + "'",
                     near.empty() ? fmt::format("{}", fmt::join(known, ", ")) : near);
      continue;
    }
    reading.broken_laws.insert(std::move(law));
  }
}

/// The standard of the memory; on failure its errors are appended to the reading's.
std::optional<Standard> find_standard(Section& root, const StandardLookup& standards,
                                      Reading& reading) {
  const auto name = root.text("standard");
  if (!name) return std::nullopt;
  auto text = standards(*name);
  if (!text) {
    for (auto& error : text.error())
      reading.refuse(error.code, "standard", 0, error.message, error.expected);
    return std::nullopt;
  }
  auto standard = parse_standard(*text);
  if (standard) return std::move(*standard);
  for (auto& error : standard.error()) reading.errors.push_back(std::move(error));
  return std::nullopt;
}

}  // namespace

base::Result<MemorySpec> parse_memory(const SourceText& source, const StandardLookup& standards,
                                      const Overrides& overrides) {
  Reading reading;
  reading.file = source.file;
  auto tree = parse_toml(source.text, reading);
  if (!tree) {
    if (looks_like_dramsim3_config(source.text)) {
      return base::failure({"not_a_memory", "this may be a configuration of DRAMsim3", source.file,
                            reading.errors.front().line, "",
                            "--dramsim3-config, or `diffram convert` to make a memory file of it"});
    }
    return base::failure(std::move(reading.errors));
  }
  apply_overrides(*tree, "memory", overrides, reading);

  Section root(&*tree, "", reading);
  read_sources(root, reading);
  MemorySpec memory;
  memory.name = source.name();
  Section names(&*tree, "", reading, "");
  memory.title = names.text("title", Need::optional).value_or(memory.name);
  const auto standard = find_standard(names, standards, reading);
  read_broken_laws(names, reading);
  memory.megatransfers = root.whole("megatransfers", 1, kMostMegatransfers).value_or(1);
  const double clock_ns = root.real("clock_ns", 1e-3, 1e3, Need::optional).value_or(0);
  memory.organisation = read_organisation(root.section("organisation"));
  check_counts(memory.organisation, reading);
  check_divisions(memory.organisation, reading);
  auto timings = root.section("timings");
  if (standard) {
    memory.standard = standard->name;
    memory.current_loops = standard->current_loops;
    memory.temperature = standard->temperature;
    // megatransfers · 10⁶ transfers a second; a clock is `transfers_per_clock` of them.
    memory.clock =
        base::Clock(standard->transfers_per_clock / standard->ticks_per_clock * 1'000'000'000,
                    memory.megatransfers);
    read_timings(timings, *standard, memory, reading);
  }
  read_energy(root, standard ? standard->current_loops : CurrentLoops{}, memory, reading);
  read_interface(root, standard ? &*standard : nullptr, memory, reading);
  memory.controller = read_controller(root.section("controller", Need::optional, ""),
                                      standard ? &*standard : nullptr, reading);
  read_map(root.section("map", Need::required, ""), memory, reading);
  root.note_known({"title", "standard", "broken_laws"});
  root.refuse_unknown_keys();
  if (standard && reading.errors.empty()) {
    check_laws(*standard, clock_ns, memory, reading);
    apply_refresh_granularity(*standard, memory, reading);
    check_limits(memory, reading);
    auto rows = resolve_rows(*standard, memory.timings);
    auto protocol = resolve_protocol(*standard, memory.timings);
    if (rows && protocol) {
      memory.constraints = std::move(*rows);
      memory.rules = standard->rules;
      memory.protocol = *protocol;
      check_part_refresh(memory, reading);
    }
    if (!rows) refuse_timings(rows.error(), timings, reading);
    if (!protocol) refuse_timings(protocol.error(), timings, reading);
  }
  if (!reading.errors.empty()) return base::failure(std::move(reading.errors));
  memory.provenance = std::move(reading.provenance);
  for (auto& assumption : memory.provenance) assumption.field = "memory." + assumption.field;
  return memory;
}

}  // namespace diffram::spec

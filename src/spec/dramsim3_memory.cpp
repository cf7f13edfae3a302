#include "spec/dramsim3_memory.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <iterator>
#include <utility>

#include "spec/dramsim3_values.h"
#include "spec/laws.h"
#include "spec/small_file.h"

namespace diffram::spec {

namespace {

constexpr std::size_t kMostBytes = 1 << 20;  // a configuration has a page
constexpr const char* kStructure = "dram_structure";

/// The standard that a protocol is; the protocols that are missing have none here.
constexpr std::array<std::pair<Dramsim3Protocol, const char*>, 6> kStandards = {{
    {Dramsim3Protocol::DDR3, "ddr3"},
    {Dramsim3Protocol::DDR4, "ddr4"},
    {Dramsim3Protocol::GDDR6, "gddr6"},
    {Dramsim3Protocol::LPDDR4, "lpddr4"},
    {Dramsim3Protocol::HBM, "hbm1"},
    {Dramsim3Protocol::HBM2, "hbm2"},
}};

/// A file's name inside a remark or a text in quotes of TOML.
std::string plain_name(const std::string& file) {
  std::string out = file.substr(file.find_last_of('/') + 1);
  for (char& c : out) {
    if (c < ' ' || c > '~' || c == '"' || c == '\\') c = '_';
  }
  return out;
}

bool is_law(const base::Error& error) {
  return std::find(kLawNames.begin(), kLawNames.end(), error.code) != kLawNames.end();
}

class Conversion {
 public:
  Conversion(const Dramsim3Config& config, const IniText& ini, const SourceText& text,
             std::string standard_name, const Standard& standard, const StandardLookup& standards)
      : source_(config, ini, plain_name(text.file), standard),
        file_(text.file),
        standard_name_(std::move(standard_name)),
        standards_(standards) {}

  base::Result<Dramsim3Memory> run() {
    if (auto errors = refusals(); !errors.empty()) return base::failure(std::move(errors));
    gather();
    // The first reading finds the laws that the values break, the second takes them as they are.
    auto memory = read();
    if (!memory && std::all_of(memory.error().begin(), memory.error().end(), is_law)) {
      for (const auto& error : memory.error()) break_law(error.code);
      memory = read();
    }
    if (!memory) return base::failure(in_words_of_the_file(memory.error()));
    source_.tell_lists();
    Dramsim3Memory out{text(), std::move(*memory), carried(), source_.config().diagnostics};
    const auto append = [&](const std::vector<base::Diagnostic>& more) {
      out.diagnostics.insert(out.diagnostics.end(), more.begin(), more.end());
    };
    append(source_.diagnostics());
    append(out.memory.diagnostics);
    return out;
  }

 private:
  base::Errors refusals() const;
  void gather();
  void gather_clock();
  std::string text() const;
  base::Result<MemorySpec> read() const { return parse_memory({file_, text()}, standards_); }
  base::Errors in_words_of_the_file(const base::Errors& errors) const;
  void break_law(const std::string& law) {
    if (std::find(broken_laws_.begin(), broken_laws_.end(), law) == broken_laws_.end())
      broken_laws_.push_back(law);
  }
  std::size_t carried() const {
    std::size_t count = 0;
    for (const auto& table : tables_) {
      count += static_cast<std::size_t>(
          std::count_if(table.values.begin(), table.values.end(), [&](const auto& value) {
            return !value.from_key.empty() && source_.states(value.from_section, value.from_key);
          }));
    }
    return count;
  }

  Dramsim3Source source_;
  std::string file_, standard_name_;
  const StandardLookup& standards_;
  std::vector<CarriedTable> tables_;
  std::vector<std::string> broken_laws_;
};

base::Errors Conversion::refusals() const {
  base::Errors errors;
  if (!source_.standard().has_timing("tCS") && source_.config().ranks > 1) {
    errors.push_back({"not_supported",
                      fmt::format("{} has no ranks here, and this channel would have {}",
                                  source_.standard().name, source_.config().ranks),
                      file_, source_.line_of("system", "channel_size"), "system.channel_size",
                      fmt::format("{} MB", source_.config().channel_megabytes /
                                               std::int64_t{source_.config().ranks})});
  }
  const double period = source_.config().tCK_ns;
  if (!std::isfinite(period) || period <= 0) {
    errors.push_back({"bad_value", fmt::format("a clock of {} ns does not tick", period), file_,
                      source_.line_of("timing", "tCK"), "timing.tCK", "nanoseconds above 0"});
  }
  return errors;
}

void Conversion::gather_clock() {
  const double period = source_.config().tCK_ns;
  const auto transfers = static_cast<double>(source_.standard().transfers_per_clock);
  constexpr double kMostRate = 1e9;  // beyond any that a memory file may state
  const auto rate = std::llround(std::min(kMostRate, transfers * 1000 / period));
  CarriedTable head{"", {}};
  head.values.push_back(
      source_.carried("megatransfers", std::to_string(rate), "MT/s", "timing", "tCK"));
  head.values.back().derive(fmt::format(": {} transfers a clock", transfers));
  head.values.push_back(
      source_.carried("clock_ns", fmt::format("{}", period), "ns", "timing", "tCK"));
  const double true_period = transfers * 1000 / static_cast<double>(std::max(1LL, rate));
  if (true_period != period) {
    source_.note("clock_rounded", base::Severity::note,
                 fmt::format("A clock of {} ns is that of {} MT/s, a whole number: {:.6g} ns",
                             period, rate, true_period),
                 fmt::format("{:.3g} %", 100 * (true_period / period - 1)));
  }
  tables_.push_back(std::move(head));
}

void Conversion::gather() {
  gather_clock();
  tables_.push_back(organisation_of(source_));
  tables_.push_back(timings_of(source_));
  for (auto& table : currents_of(source_)) tables_.push_back(std::move(table));
  tables_.push_back(map_of(source_));
  tables_.push_back(controller_of(source_));
}

std::string line_of(const CarriedValue& value) {
  std::string out = value.key + " = ";
  if (value.origin == Origin::policy) {
    out += value.value;
  } else {
    out += fmt::format("{{ value = {}", value.value);
    if (!value.unit.empty()) out += fmt::format(", unit = \"{}\"", value.unit);
    if (value.minimum_cycles > 0) out += fmt::format(", min_nck = {}", value.minimum_cycles);
    out += fmt::format(", source = \"unverified\", class = \"{}\" }}",
                       static_cast<char>(value.origin));
  }
  if (!value.remark.empty()) out += "  # " + value.remark;
  return out + "\n";
}

std::string Conversion::text() const {
  std::string out = fmt::format(
      "# {}, a configuration of DRAMsim3, as `diffram convert` reads it.\n"
      "# Classes: E as the configuration states it, F derived from it, U assumed: it does not "
      "say.\n"
      "# No document was read for any of them.\n\n"
      "title = \"{} memory of {}\"\nstandard = \"{}\"\n",
      source_.file(), source_.standard().name, source_.file(), standard_name_);
  if (!broken_laws_.empty()) {
    out += fmt::format("broken_laws = [\"{}\"]  # warnings, not errors\n",
                       fmt::join(broken_laws_, "\", \""));
  }
  for (const auto& table : tables_) {
    if (!table.name.empty()) out += fmt::format("\n[{}]\n", table.name);
    for (const auto& value : table.values) out += line_of(value);
  }
  return out;
}

base::Errors Conversion::in_words_of_the_file(const base::Errors& errors) const {
  base::Errors out = errors;
  for (auto& error : out) {
    error.line = 0;
    for (const auto& table : tables_) {
      for (const auto& value : table.values) {
        const auto field = table.name.empty() ? value.key : table.name + "." + value.key;
        if (field != error.field || value.from_key.empty()) continue;
        error.field = value.from_section + "." + value.from_key;
        error.line = source_.line_of(value.from_section, value.from_key);
        error.message = fmt::format("as {}: {}", field, error.message);
        break;
      }
    }
    if (error.expected.empty()) error.expected = "a memory that can be simulated";
  }
  return out;
}

base::Result<std::string> standard_name(const Dramsim3Config& config, const IniText& ini,
                                        const std::string& file) {
  for (const auto& [protocol, name] : kStandards) {
    if (protocol == config.protocol) return std::string(name);
  }
  const IniEntry* entry = ini.find(kStructure, "protocol");
  return base::failure(
      {"no_such_standard",
       fmt::format("no standard of ours is {}", entry == nullptr ? "this" : entry->value), file,
       entry == nullptr ? 0 : entry->line, "dram_structure.protocol",
       "DDR3, DDR4, GDDR6, LPDDR4, HBM or HBM2; `replay --dramsim3-config` runs every protocol "
       "but HMC"});
}

}  // namespace

bool looks_like_dramsim3_config(std::string_view start) {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  if (start.starts_with(kByteOrderMark)) start.remove_prefix(kByteOrderMark.size());
  while (!start.empty()) {
    auto line = start.substr(0, std::min(start.find('\n'), start.size()));
    start.remove_prefix(std::min(line.size() + 1, start.size()));
    const auto from = line.find_first_not_of(" \t\r");
    if (from == std::string_view::npos || line[from] == ';' || line[from] == '#') continue;
    line.remove_prefix(from);
    const auto end = line.find(']');
    return line.front() == '[' && end != std::string_view::npos && end > 1 &&
           std::all_of(line.begin() + 1, line.begin() + static_cast<std::ptrdiff_t>(end),
                       [](unsigned char c) { return std::isalpha(c) != 0 || c == '_'; });
  }
  return false;
}

base::Result<Dramsim3Memory> convert_dramsim3_config(const SourceText& source,
                                                     const StandardLookup& standards) {
  const auto config = parse_dramsim3_config(source.text, source.file);
  if (!config) return base::failure(config.error());
  const IniText ini(source.text);
  auto name = standard_name(*config, ini, source.file);
  if (!name) return base::failure(name.error());
  const auto text = standards(*name);
  if (!text) return base::failure(text.error());
  const auto standard = parse_standard(*text);
  if (!standard) return base::failure(standard.error());
  return Conversion(*config, ini, source, std::move(*name), *standard, standards).run();
}

base::Result<Dramsim3Memory> convert_dramsim3_config(const SpecFolders& folders,
                                                     const std::string& file) {
  auto text = read_small_file(file, kMostBytes);
  if (!text && text.error() == NotRead::unreadable) {
    return base::failure({"unreadable", "the configuration cannot be read", file, 0, "",
                          "a DRAMsim3 configuration file (.ini)"});
  }
  if (!text) {
    return base::failure({"too_large", "no configuration is so long", file, 0, "",
                          fmt::format("at most {} bytes", kMostBytes)});
  }
  return convert_dramsim3_config(SourceText{file, std::move(*text)}, [&](const std::string& name) {
    return read_standard(folders, name);
  });
}

}  // namespace diffram::spec

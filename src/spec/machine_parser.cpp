// A machine's file: what computes, and how fast it may ask for data.

#include <cmath>

#include "spec/parse.h"
#include "spec/toml_section.h"

namespace diffram::spec {

namespace {

constexpr double kMostMegahertz = 100'000;
constexpr std::int64_t kMostCores = 1 << 20, kMostArray = 1 << 16, kMostLanes = 1 << 24;
constexpr std::int64_t kMostBytes = std::int64_t{1} << 50;
constexpr std::int64_t kMostGap = 1'000'000'000;
constexpr double kMostRate = 1024;  // multiply-accumulates of one element in a cycle

std::map<std::string, double> read_numbers(Section section, double most) {
  std::map<std::string, double> out;
  for (const auto& key : section.keys()) {
    const auto value = section.real(key, 1e-6, most, Need::optional);
    if (value) out[key] = *value;
  }
  return out;
}

OnChip read_on_chip(Section& root, Reading& reading) {
  const auto text = root.text("on_chip").value_or("none");
  if (text == "scratchpad") return OnChip::scratchpad;
  if (text == "cache") return OnChip::cache;
  if (text != "none")
    reading.refuse("unknown_choice", "on_chip", 0, "there is no on-chip memory '" + text + "'",
                   "none, scratchpad or cache");
  return OnChip::none;
}

}  // namespace

base::Result<MachineSpec> parse_machine(const SourceText& source, const Overrides& overrides) {
  Reading reading;
  reading.file = source.file;
  auto tree = parse_toml(source.text, reading);
  if (!tree) return base::failure(std::move(reading.errors));
  apply_overrides(*tree, "machine", overrides, reading);

  Section root(&*tree, "", reading);
  read_sources(root, reading);
  MachineSpec out;
  out.name = source.name();
  Section names(&*tree, "", reading, "");
  out.title = names.text("title", Need::optional).value_or(out.name);
  out.memory = names.text("memory").value_or("");
  const auto count = [&](const char* key, std::int64_t least, std::int64_t most) {
    return static_cast<std::uint32_t>(root.whole(key, least, most).value_or(least));
  };
  const auto bytes = [&](const char* key, std::int64_t least) {
    return static_cast<std::uint64_t>(root.whole(key, least, kMostBytes).value_or(least));
  };
  // Kilohertz are exact in a rational clock; a finer rate has no meaning for a machine.
  const double megahertz = root.real("clock_mhz", 0.001, kMostMegahertz).value_or(1);
  out.clock = base::Clock::from_hertz(std::llround(megahertz * 1000) * 1000);
  out.cores = count("cores", 1, kMostCores);
  out.array_rows = count("array_rows", 1, kMostArray);
  out.array_columns = count("array_columns", 1, kMostArray);
  out.vector_lanes = count("vector_lanes", 1, kMostLanes);
  out.on_chip = read_on_chip(root, reading);
  out.on_chip_bytes = bytes("on_chip_bytes", 0);
  out.line_bytes = count("line_bytes", 1, 65536);
  out.outstanding_bytes = bytes("outstanding_bytes", 1);
  out.store_buffer_bytes = bytes("store_buffer_bytes", 0);
  out.launch_gap_cycles =
      static_cast<std::uint64_t>(root.whole("launch_gap_cycles", 0, kMostGap).value_or(0));
  out.page_map = root.text("page_map", Need::optional).value_or(out.page_map);
  out.allocator = root.text("allocator", Need::optional).value_or(out.allocator);
  out.array_rate = read_numbers(root.section("array_rate"), kMostRate);
  out.efficiency = read_numbers(root.section("efficiency"), 1);
  auto sentences = root.section("not_modelled", Need::optional, "");
  if (sentences.present()) out.not_modelled = sentences.texts("sentences");
  sentences.refuse_unknown_keys();
  root.note_known({"title", "memory"});
  root.refuse_unknown_keys();
  if ((out.line_bytes & (out.line_bytes - 1)) != 0)
    reading.refuse("not_a_power_of_two", "line_bytes", 0, "a line must be a power of two of bytes");
  if (out.outstanding_bytes < out.line_bytes)
    reading.refuse("inconsistent", "outstanding_bytes", 0, "not one line may be outstanding",
                   "at least line_bytes");
  if (out.on_chip != OnChip::none && out.on_chip_bytes == 0)
    reading.refuse("inconsistent", "on_chip_bytes", 0, "the on-chip memory has no bytes",
                   "on_chip = \"none\", or its size");
  if (!reading.errors.empty()) return base::failure(std::move(reading.errors));
  out.provenance = std::move(reading.provenance);
  for (auto& assumption : out.provenance) assumption.field = "machine." + assumption.field;
  return out;
}

}  // namespace diffram::spec

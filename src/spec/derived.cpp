#include "spec/derived.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace diffram::spec {

bool is_unverified(const base::Assumption& value) {
  return value.source == "unverified" || value.source == "assumed" ||
         value.source.starts_with("estimated");
}

DerivedMemory derive(const MemorySpec& memory) {
  DerivedMemory out;
  const auto cycles = [&](const char* name) {
    const auto found = memory.timings.find(name);
    return found == memory.timings.end() ? 0.0 : static_cast<double>(found->second);
  };
  out.period_ns = memory.clock.period_s() * 1e9;
  out.capacity_gib = static_cast<double>(memory.organisation.capacity_bytes()) / 0x1p30;
  out.peak_gb_per_s = memory.peak_bytes_per_s() / 1e9;
  const double column = memory.controller.dispatch + cycles("nCL") + cycles("nBL");
  out.idle_hit_ns = column * out.period_ns;
  out.idle_closed_ns = (column + cycles("nRCD")) * out.period_ns;
  out.idle_conflict_ns = (column + cycles("nRCD") + cycles("nRP")) * out.period_ns;
  if (cycles("nREFI") > 0) out.refresh_share = cycles("nRFC") / cycles("nREFI");
  out.values = static_cast<std::int64_t>(memory.provenance.size());
  out.unverified_values =
      std::count_if(memory.provenance.begin(), memory.provenance.end(), is_unverified);
  return out;
}

std::vector<std::string> bit_map_lines(const AddressMap& map) {
  std::vector<std::string> out;
  const std::pair<const char*, const std::vector<std::uint64_t>*> fields[] = {
      {"row", &map.row},       {"rank", &map.rank},
      {"bank", &map.bank},     {"bank group", &map.bank_group},
      {"column", &map.column}, {"channel", &map.channel}};
  for (const auto& [name, bits] : fields) {
    for (std::size_t i = 0; i < bits->size(); ++i) {
      std::string terms;
      for (std::uint64_t rest = (*bits)[i]; rest != 0; rest &= rest - 1)
        terms += fmt::format("{}a{}", terms.empty() ? "" : " ^ ", std::countr_zero(rest));
      out.push_back(fmt::format("{:<10} bit {:>2} = {}", name, i, terms));
    }
  }
  return out;
}

double peak_macs_per_s(const MachineSpec& machine, double rate) {
  return machine.clock.hertz() * machine.cores * machine.array_rows * machine.array_columns * rate;
}

}  // namespace diffram::spec

// The 25 DDR4 core cases of DRAMPower: counters and residencies equal, energies within 1e-6 of the
// unrounded model and equal to the published rounded figure.

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "physics/golden_memory.h"

namespace diffram::physics {
namespace {

using nlohmann::json;

constexpr double kRelativeTolerance = 1e-6;  // of the golden file's README

base::ChannelCounters replay(const GoldenMemory& memory, const json& commands, std::int64_t until,
                             std::int64_t window) {
  CommandReplay replay(memory.replay);
  for (const json& row : commands)
    if (row.at(1) != "END_OF_SIMULATION" && row.at(0).get<std::int64_t>() <= until)
      replay.apply(golden_command(row));
  return replay.at(window);
}

std::int64_t residency(const base::RankCounters& rank, const std::string& name) {
  if (name == "powerDownAct") return rank.power_down_active_cycles;
  if (name == "powerDownPre") return rank.power_down_precharge_cycles;
  if (name == "selfRefresh") return rank.self_refresh_cycles;
  if (name == "pre") return rank.closed_cycles;
  return rank.any_open_cycles;  // act, activeTime()
}

std::int64_t bank_figure(const base::ChannelCounters& c, std::size_t bank, const std::string& kind,
                         const std::string& name, std::size_t banks) {
  const base::BankCounters& b = c.banks.at(bank);
  const base::RankCounters& r = c.ranks.at(bank / banks);
  if (kind == "counter") {
    const std::map<std::string, std::int64_t> counters = {
        {"act", b.act},      {"pre", b.pre + b.rda + b.wra}, {"reads", b.rd},
        {"readAuto", b.rda}, {"writeAuto", b.wra},           {"refAllBank", b.refresh}};
    return counters.at(name);
  }
  if (name == "act" || name == "activeTime()") return b.open_cycles;
  if (name == "pre") return r.any_open_cycles + r.closed_cycles - b.open_cycles;
  return residency(r, name);
}

double bank_energy(const GoldenMemory& m, const base::ChannelCounters& c, std::size_t bank,
                   const std::string& name) {
  const base::BankCounters& b = c.banks.at(bank);
  const CorePower p = m.power();
  const double closed = p.rank_closed * m.core.period_s / m.core.banks *
                        static_cast<double>(c.ranks.at(bank / m.core.banks).closed_cycles);
  const std::map<std::string, double> energies = {
      {"E_act", static_cast<double>(b.act) * p.activate},
      {"E_pre", static_cast<double>(b.pre + b.rda + b.wra) * p.precharge},
      {"E_RD", static_cast<double>(b.rd) * p.read},
      {"E_WR", static_cast<double>(b.wr) * p.write},
      {"E_RDA", static_cast<double>(b.rda) * p.read},
      {"E_WRA", static_cast<double>(b.wra) * p.write},
      {"E_pre_RDA", static_cast<double>(b.rda) * p.precharge},
      {"E_pre_WRA", static_cast<double>(b.wra) * p.precharge},
      {"E_bg_act", static_cast<double>(b.open_cycles) * p.bank_open * m.core.period_s},
      {"E_bg_pre", closed}};
  return energies.at(name);
}

double total_energy(const GoldenMemory& m, const base::ChannelCounters& c,
                    const std::string& name) {
  const CoreEnergy e = m.energy(c);
  if (name == "E_bg_act") return e.bank_open + e.rank_open;
  if (name == "E_ref_AB") return e.refresh;
  if (name == "E_ref_SB") return 0;
  if (name == "total()")
    return e.total() - e.self_refresh - e.power_down_active - e.power_down_precharge;
  double sum = 0;
  for (std::size_t bank = 0; bank < c.banks.size(); ++bank) sum += bank_energy(m, c, bank, name);
  return sum;
}

/// "stats.bank[17].cycles.act" → {"stats.bank", 17, "cycles.act"}.
struct Indexed {
  std::string what;
  std::size_t index = 0;
  std::string figure;
};
Indexed indexed(const std::string& q) {
  const auto open = q.find('['), close = q.find("].");
  if (open == std::string::npos || close == std::string::npos) return {q, 0, ""};
  return {q.substr(0, open), std::stoul(q.substr(open + 1)), q.substr(close + 2)};
}

double energy_figure(const GoldenMemory& m, const base::ChannelCounters& c, const std::string& q) {
  const CoreEnergy e = m.energy(c);
  if (q == "total_energy.total() + energy.E_sref + energy.E_PDNA + energy.E_PDNP") return e.total();
  if (q.starts_with("total_energy.")) return total_energy(m, c, q.substr(13));
  if (q == "energy.E_bg_act_shared") return e.rank_open;
  if (q == "energy.E_sref") return e.self_refresh;
  if (q == "energy.E_PDNA") return e.power_down_active;
  if (q == "energy.E_PDNP") return e.power_down_precharge;
  const Indexed at = indexed(q);
  if (at.what == "energy.bank_energy") return bank_energy(m, c, at.index, at.figure);
  throw std::runtime_error("unknown figure " + q);
}

std::int64_t integer_figure(const GoldenMemory& m, const base::ChannelCounters& c,
                            const std::string& q) {
  const Indexed at = indexed(q);
  const auto dot = at.figure.find('.');
  const std::string kind = at.figure.substr(0, dot), name = at.figure.substr(dot + 1);
  if (at.what.ends_with(".bank")) return bank_figure(c, at.index, kind, name, m.core.banks);
  if (at.what.ends_with(".rank_total")) return residency(c.ranks.at(at.index), name);
  throw std::runtime_error("unknown figure " + q);
}

double rounded(double value, const std::string& how) {
  return how == "round" ? std::floor(value + 0.5) : std::trunc(value);
}

void expect_figure(const GoldenMemory& m, const base::ChannelCounters& c, const json& figure) {
  const std::string q = figure.at("q");
  if (!figure.contains("model_unrounded")) {
    EXPECT_EQ(integer_figure(m, c, q), figure.at("expect").get<std::int64_t>()) << q;
    return;
  }
  const double value = energy_figure(m, c, q) * figure.at("scale").get<double>();
  const double model = figure.at("model_unrounded");
  EXPECT_NEAR(value, model, std::abs(model) * kRelativeTolerance) << q;
  // The published whole number is what the unrounded value rounds to; a value within the file's own
  // rounding of a whole number counts as that number.
  EXPECT_EQ(rounded(value + std::abs(value) * 1e-9, figure.at("cmp")),
            figure.at("expect").get<double>())
      << q << " " << value;
}

TEST(DramPowerDdr4, all_25_core_cases_agree) {
  const json golden = read_golden();
  ASSERT_EQ(golden.at("cases").size(), 25u);
  std::size_t figures = 0;
  for (const json& test_case : golden.at("cases")) {
    SCOPED_TRACE(test_case.at("id").get<std::string>());
    GoldenMemory memory = golden_memory(golden.at("memspec"));
    override_memory(memory, test_case.at("spec_overrides"));
    const json& commands = test_case.at("commands");
    const std::int64_t end = commands.back().at(0);
    std::map<std::int64_t, base::ChannelCounters> windows;
    for (const json& figure : test_case.at("expect")) {
      const std::int64_t window = figure.value("at_cycle", end);
      const auto at = windows.try_emplace(window, replay(memory, commands, window, window)).first;
      expect_figure(memory, at->second, figure);
      ++figures;
    }
  }
  EXPECT_EQ(figures, 1125u);
}

}  // namespace
}  // namespace diffram::physics

// The 144 core cases of DRAMPower (DDR4, DDR5, LPDDR4, LPDDR5, LPDDR6): counters and residencies
// equal, energies within 1e-6 of the unrounded model and equal to the published rounded figure.

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "physics/golden_memory.h"

namespace diffram::physics {
namespace {

using nlohmann::json;

constexpr double kRelativeTolerance = 1e-6;  // of the golden file's README

base::ChannelCounters replay(const GoldenMemory& memory, const json& commands,
                             std::int64_t window) {
  CommandReplay replay(memory.replay);
  for (const json& row : commands)
    if (row.at(1) != "END_OF_SIMULATION" && row.at(0).get<std::int64_t>() <= window)
      for (const TimedCommand& command : golden_commands(row, memory)) replay.apply(command);
  return replay.at(window);
}

std::int64_t residency(const base::RankCounters& rank, const std::string& name) {
  if (name == "powerDownAct") return rank.power_down_active_cycles;
  if (name == "powerDownPre") return rank.power_down_precharge_cycles;
  if (name == "selfRefresh") return rank.self_refresh_cycles;
  if (name == "deepSleepMode") return rank.deep_sleep_cycles;
  if (name == "pre") return rank.closed_cycles;
  return rank.any_open_cycles;  // act, activeTime()
}

std::int64_t bank_figure(const base::ChannelCounters& c, std::size_t bank, const std::string& kind,
                         const std::string& name, std::size_t banks) {
  const base::BankCounters& b = c.banks.at(bank);
  const base::RankCounters& r = c.ranks.at(bank / banks);
  if (kind == "counter") {
    const std::map<std::string, std::int64_t> counters = {
        {"act", b.act},
        {"pre", b.pre + b.rda + b.wra},
        {"reads", b.rd},
        {"readAuto", b.rda},
        {"writeAuto", b.wra},
        {"refAllBank", c.whole_refreshes_of(bank)},
        {"refSameBank", c.part_refreshes_of(bank)},
        {"refPerTwoBanks", c.part_refreshes_of(bank)},
        {"refDualBanks", c.part_refreshes_of(bank)}};
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
      {"E_bg_pre", closed},
      {"E_ref_" + m.part_kind, static_cast<double>(c.part_refreshes_of(bank)) * p.part_refresh}};
  return energies.at(name);
}

double total_energy(const GoldenMemory& m, const base::ChannelCounters& c,
                    const std::string& name) {
  const CoreEnergy e = m.energy(c);
  if (name == "E_bg_act") return e.bank_open + e.rank_open;
  if (name == "E_ref_AB") return e.refresh;
  if (name.starts_with("E_ref_")) return name == "E_ref_" + m.part_kind ? e.part_refresh : 0;
  if (name == "total()")
    return e.total() - e.self_refresh - e.deep_sleep - e.power_down_active - e.power_down_precharge;
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
  if (const auto plus = q.find(" + "); plus != std::string::npos)
    return energy_figure(m, c, q.substr(0, plus)) + energy_figure(m, c, q.substr(plus + 3));
  const CoreEnergy e = m.energy(c);
  if (q.starts_with("total_energy.")) return total_energy(m, c, q.substr(13));
  if (q == "energy.E_bg_act_shared") return e.rank_open;
  if (q == "energy.E_sref") return e.self_refresh;
  if (q == "energy.E_dsm") return e.deep_sleep;
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

// A value that is a whole number but for the last digits of a double is not cut down to the one
// below.
double rounded(double value, const std::string& how) {
  return how == "round" ? std::floor(value + 0.5) : std::trunc(value + std::abs(value) * 1e-9);
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
  EXPECT_EQ(rounded(value, figure.at("cmp")), figure.at("expect").get<double>())
      << q << " " << value;
}

struct Counted {
  std::size_t cases = 0, figures = 0;
};

class DramPowerCore : public testing::TestWithParam<std::pair<std::string, Counted>> {};

TEST_P(DramPowerCore, all_cases_agree) {
  const auto& [family, expected] = GetParam();
  const json golden = read_golden();
  Counted counted;
  for (const json& test_case : golden.at("cases")) {
    if (test_case.at("memspec") != family) continue;
    SCOPED_TRACE(test_case.at("id").get<std::string>());
    ++counted.cases;
    const GoldenMemory memory = golden_memory_of_case(test_case);
    const json& commands = test_case.at("commands");
    const std::int64_t end = commands.back().at(0);
    std::map<std::int64_t, base::ChannelCounters> windows;
    for (const json& figure : test_case.at("expect")) {
      const std::int64_t window = figure.value("at_cycle", end);
      const auto at = windows.try_emplace(window, replay(memory, commands, window)).first;
      expect_figure(memory, at->second, figure);
      ++counted.figures;
    }
  }
  EXPECT_EQ(counted.cases, expected.cases);
  EXPECT_EQ(counted.figures, expected.figures);
}

INSTANTIATE_TEST_SUITE_P(Families, DramPowerCore,
                         testing::Values(std::pair{"ddr4", Counted{25, 1125}},
                                         std::pair{"ddr5", Counted{31, 1284}},
                                         std::pair{"lpddr4", Counted{27, 1143}},
                                         std::pair{"lpddr5", Counted{36, 1689}},
                                         std::pair{"lpddr6", Counted{25, 943}}),
                         [](const auto& family) { return family.param.first; });

}  // namespace
}  // namespace diffram::physics

// Ramulator's resolved tables of 11 standards: the shortest gap of every ordered pair of commands,
// by the deepest level that their targets share. Equality, but for what
// data/ramulator_deviations.json lists with our figure and DEVIATIONS.md with the reason; an entry
// whose two sides agree fails too.

#include <gtest/gtest.h>

#include <fstream>
#include <set>

#include "oracle/legality.h"
#include "oracle/ramulator_standards.h"

namespace diffram::oracle {
namespace {

constexpr std::int64_t kStart = 10'000;

struct Level {
  std::string name;  ///< the deepest that both targets share, in the peer's words
  naive::Place other;
};

/// Targets that share each level with `home`.
std::vector<Level> levels_of(const nlohmann::json& table, const spec::MemorySpec& spec,
                             const naive::Place& home) {
  const auto& o = spec.organisation;
  std::vector<Level> out;
  const bool pseudo = count_of(table, "PseudoChannel") > 1;
  if (o.ranks > 1) out.push_back({"Channel", {1, home.bank_group, home.bank, 0, 0}});
  const std::string rank = pseudo ? "PseudoChannel" : o.ranks > 1 ? "Rank" : "Channel";
  const auto stack = o.groups_per_stack();
  if (o.stack_ids > 1) {
    out.push_back({rank, {0, home.bank_group + stack, home.bank, 0, 0}});
    out.push_back({"Sid", {0, (home.bank_group + 1) % stack, home.bank, 0, 0}});
  } else if (o.bank_groups > 1) {
    out.push_back({rank, {0, (home.bank_group + 1) % o.bank_groups, home.bank, 0, 0}});
  } else {
    out.push_back({rank, {0, 0, home.bank + 1, 0, 0}});
  }
  if (o.bank_groups > 1) out.push_back({"BankGroup", {0, home.bank_group, home.bank + 1, 0, 0}});
  out.push_back({"Bank", home});
  return out;
}

std::int64_t gap(const Judge& judge, const spec::MemorySpec& spec, spec::Command before,
                 spec::Command after, const naive::Place& home, const naive::Place& other) {
  const auto legality = judge.make(spec);
  legality->issue(before, home, kStart);
  return legality->earliest(after, other, kStart) - kStart;
}

/// Our figures where we differ: {standard, "before>after", level} → cycles.
using Key = std::tuple<std::string, std::string, std::string>;
std::map<Key, std::int64_t> deviations() {
  std::ifstream file(DIFFRAM_SOURCE_DIR "/tests/oracle/data/ramulator_deviations.json");
  std::map<Key, std::int64_t> out;
  const auto all = nlohmann::json::parse(file);
  for (const auto& [standard, entries] : all["standards"].items()) {
    for (const auto& [pair, levels] : entries.items()) {
      for (const auto& [level, cycles] : levels.items())
        out[{standard, pair, level}] = cycles.get<std::int64_t>();
    }
  }
  return out;
}

class RamulatorStandard : public testing::TestWithParam<std::string> {};

TEST_P(RamulatorStandard, table_equals_ours_but_for_stated_deviations) {
  const auto& table = ramulator()["tables"][GetParam()];
  const auto& gaps = table["min_gap_by_deepest_common_level"];
  const auto spec = memory_of(GetParam());
  const naive::Place home{0, spec.organisation.bank_groups > 1 ? 1u : 0u, 0, 0, 0};
  auto stated = deviations();
  std::size_t compared = 0;
  for (const auto& [before, ignored] : table["command_ticks"].items()) {
    for (const auto& [after, ignored_too] : table["command_ticks"].items()) {
      if (our_command(before).empty() || our_command(after).empty()) continue;
      for (const auto& level : levels_of(table, spec, home)) {
        const auto pair = gaps.find(before + ">" + after);
        const auto theirs = pair == gaps.end() ? 0 : pair->value(level.name, 0);
        const auto deviation = stated.find({GetParam(), before + ">" + after, level.name});
        auto expected = static_cast<std::int64_t>(theirs);
        if (deviation != stated.end()) {
          EXPECT_NE(deviation->second, theirs) << before << ">" << after << " " << level.name;
          expected = deviation->second;
          stated.erase(deviation);
        }
        ++compared;
        for (const auto& judge : judges()) {
          EXPECT_EQ(gap(judge, spec, command_named(our_command(before)),
                        command_named(our_command(after)), home, level.other),
                    expected)
              << "DIFF " << GetParam() << " " << before << ">" << after << " " << level.name << " ("
              << judge.name << ")";
        }
      }
    }
  }
  EXPECT_GE(compared, 128u);
  for (const auto& [key, cycles] : stated)
    EXPECT_NE(std::get<0>(key), GetParam()) << std::get<1>(key) << " is never met";
}

TEST_P(RamulatorStandard, windows_count_the_fourth_last) {
  const auto spec = memory_of(GetParam());
  for (const auto& window : ramulator()["tables"][GetParam()]["windows"]) {
    const auto before = command_named(our_command(window["prev"]));
    const auto after = command_named(our_command(window["next"]));
    const auto found = std::count_if(
        spec.constraints.begin(), spec.constraints.end(), [&](const spec::Constraint& c) {
          return c.before == before && c.after == after && c.window == window["window"] &&
                 c.cycles == window["gap"] && c.scope == spec::Scope::rank;
        });
    EXPECT_EQ(found, 1) << window;
  }
}

TEST_P(RamulatorStandard, read_latency_is_CL_and_burst) {
  const auto spec = memory_of(GetParam());
  // GDDR7's read counts from the second cycle of its command.
  const auto second = GetParam() == "GDDR7" ? 1 : 0;
  EXPECT_EQ(spec.timing("nCL") + spec.timing("nBL") + second,
            ramulator()["tables"][GetParam()]["read_latency_ticks"].get<int>());
}

std::vector<std::string> standards() {
  std::vector<std::string> out;
  for (const auto& [name, ignored] : ramulator()["tables"].items()) out.push_back(name);
  return out;
}

TEST(RamulatorStandards, are_eleven) { EXPECT_EQ(standards().size(), 11u); }

std::string standard_name(const testing::TestParamInfo<std::string>& of) { return of.param; }

INSTANTIATE_TEST_SUITE_P(All, RamulatorStandard, testing::ValuesIn(standards()), standard_name);

}  // namespace
}  // namespace diffram::oracle

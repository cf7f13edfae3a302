// Ramulator's device-timing cases of all standards: issue these commands, then probe.

#include <gtest/gtest.h>

#include <set>

#include "oracle/legality.h"
#include "oracle/ramulator_standards.h"

namespace diffram::oracle {
namespace {

using spec::Command;

/// The peer's address is one number a level; -1 where the command has none.
naive::Place place_of(const nlohmann::json& levels, const nlohmann::json& address,
                      const spec::Organisation& o) {
  const auto at = [&](const char* level) -> std::uint32_t {
    for (std::size_t i = 0; i < levels.size(); ++i) {
      if (levels[i] == level) return static_cast<std::uint32_t>(std::max(0, address[i].get<int>()));
    }
    return 0;
  };
  return {at("Rank") + at("PseudoChannel"), at("Sid") * o.groups_per_stack() + at("BankGroup"),
          at("Bank"), at("Row"), 0};
}

/// What a device must know beside times: which banks are open.
class OpenBanks {
 public:
  void issue(Command command, const naive::Place& p) {
    if (command == Command::ACT) open_.insert({p.rank, p.bank_group, p.bank});
    if (command == Command::PRE) open_.erase({p.rank, p.bank_group, p.bank});
    if (command == Command::PREA) open_.clear();
  }
  std::string prerequisite(const std::string& peer_name, const naive::Place& p) const {
    const bool is_open = open_.contains({p.rank, p.bank_group, p.bank});
    const auto command = command_named(our_command(peer_name));
    if (command == Command::REFab || command == Command::RFMab)
      return open_.empty() ? peer_name : "PREab";
    if (command == Command::REFpb || command == Command::RFMpb)
      return is_open ? "PREpb" : peer_name;
    if (command == Command::RD || command == Command::WR) return is_open ? peer_name : "ACT";
    return peer_name;
  }

 private:
  std::set<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>> open_;
};

void run_case(const Judge& judge, const nlohmann::json& c) {
  auto spec = memory_of(c["standard"], c["overrides"]);
  if (c["overrides"].contains("rank")) spec.organisation.ranks = c["overrides"]["rank"];
  const auto legality = judge.make(spec);
  OpenBanks banks;
  for (const auto& step : c["steps"]) {
    const auto place = place_of(c["levels"], step["addr"], spec.organisation);
    const std::int64_t clk = step["clk"];
    if (step.contains("issue")) {
      const auto command = command_named(our_command(step["issue"]));
      EXPECT_TRUE(legality->legal(command, place, clk)) << step;
      legality->issue(command, place, clk);
      banks.issue(command, place);
    } else if (step.contains("earliest")) {
      const auto command = command_named(our_command(step["earliest"]));
      if (clk > 0) {
        EXPECT_FALSE(legality->legal(command, place, clk - 1)) << step;
      }
      EXPECT_TRUE(legality->legal(command, place, clk)) << step;
    } else {
      const std::string name = step["probe"];
      const bool timing_ok = legality->legal(command_named(our_command(name)), place, clk);
      const auto prerequisite = banks.prerequisite(name, place);
      EXPECT_EQ(timing_ok, step["timing_ok"].get<bool>()) << step;
      EXPECT_EQ(prerequisite, step["preq"].get<std::string>()) << step;
      EXPECT_EQ(timing_ok && prerequisite == name, step["ready"].get<bool>()) << step;
    }
  }
}

TEST(RamulatorDevice, cases_of_all_standards) {
  const auto& cases = ramulator()["device_timing"];
  ASSERT_EQ(cases.size(), 27u);
  for (const auto& judge : judges()) {
    for (const auto& c : cases) {
      SCOPED_TRACE(std::string(judge.name) + ": " + c["id"].get<std::string>());
      run_case(judge, c);
    }
  }
}

}  // namespace
}  // namespace diffram::oracle

// Ramulator's DDR4 device-timing cases: issue these commands, then probe.

#include <gtest/gtest.h>

#include <set>

#include "oracle/legality.h"
#include "oracle/ramulator_cases.h"

namespace diffram::oracle {
namespace {

using spec::Command;

naive::Place place_of(const nlohmann::json& address) {
  const auto at = [&](int i) {
    return static_cast<std::uint32_t>(std::max(0, address[static_cast<std::size_t>(i)].get<int>()));
  };
  return {at(1), at(2), at(3), at(4), at(5)};
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
    const auto command = command_of(peer_name);
    if (command == Command::REFab) return open_.empty() ? peer_name : "PREab";
    if (command == Command::RD || command == Command::WR) return is_open ? peer_name : "ACT";
    return peer_name;
  }

 private:
  std::set<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>> open_;
};

void run_case(const Judge& judge, const nlohmann::json& c) {
  const auto spec = ramulator_ddr4(c["overrides"].value("rank", 1u));
  const auto legality = judge.make(spec);
  OpenBanks banks;
  for (const auto& step : c["steps"]) {
    const auto place = place_of(step["addr"]);
    const std::int64_t clk = step["clk"];
    if (step.contains("issue")) {
      const auto command = command_of(step["issue"]);
      EXPECT_TRUE(legality->legal(command, place, clk)) << step;
      legality->issue(command, place, clk);
      banks.issue(command, place);
    } else if (step.contains("earliest")) {
      const auto command = command_of(step["earliest"]);
      EXPECT_FALSE(legality->legal(command, place, clk - 1)) << step;
      EXPECT_TRUE(legality->legal(command, place, clk)) << step;
    } else {
      const std::string name = step["probe"];
      const bool timing_ok = legality->legal(command_of(name), place, clk);
      const auto prerequisite = banks.prerequisite(name, place);
      EXPECT_EQ(timing_ok, step["timing_ok"].get<bool>()) << step;
      EXPECT_EQ(prerequisite, step["preq"].get<std::string>()) << step;
      EXPECT_EQ(timing_ok && prerequisite == name, step["ready"].get<bool>()) << step;
    }
  }
}

TEST(RamulatorDevice, ddr4_cases) {
  const auto& cases = ramulator_cases()["device_timing"];
  ASSERT_EQ(cases.size(), 5u);
  for (const auto& judge : judges()) {
    for (const auto& c : cases) {
      SCOPED_TRACE(std::string(judge.name) + ": " + c["id"].get<std::string>());
      run_case(judge, c);
    }
  }
}

}  // namespace
}  // namespace diffram::oracle

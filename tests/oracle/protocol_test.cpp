// What every log of the engine owes, whatever the policy: the protocol of the states of banks and
// ranks, no rule of the table broken, no burst that waits for ever. The states are followed here
// by code that knows neither model.

#include <gtest/gtest.h>

#include "oracle/random_run.h"
#include "oracle/sanitizers.h"

namespace diffram::oracle {
namespace {

using spec::Command;

/// Open rows and sleep, as a device would see them. Empty = the log is legal.
class Protocol {
 public:
  explicit Protocol(const spec::MemorySpec& spec) : history_(spec) {}

  std::string first_breach(const std::vector<ctrl::IssuedCommand>& log) {
    std::int64_t before = -1;
    for (const auto& c : log) {
      if (c.cycle <= before) return "two commands in a cycle: " + text_of(c);
      before = c.cycle;
      const auto breach = apply(c);
      if (!breach.empty()) return breach + ": " + text_of(c);
    }
    return {};
  }

 private:
  enum class Sleep { awake, power_down, self_refresh };
  using BankKey = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>;

  bool any_open(std::uint32_t rank) const {
    return std::any_of(open_.begin(), open_.end(),
                       [&](const auto& bank) { return std::get<0>(bank.first) == rank; });
  }

  std::string apply(const ctrl::IssuedCommand& c) {
    const naive::Place place{c.rank, c.bank_group, c.bank, c.row, c.column};
    if (!history_.legal(c.command, place, c.cycle)) return "a rule of the table is broken";
    const BankKey bank{c.rank, c.bank_group, c.bank};
    Sleep& sleep = asleep_[c.rank];
    const bool is_exit = c.command == Command::PDX || c.command == Command::SREFX;
    if (!is_exit && sleep != Sleep::awake) return "the rank is asleep";
    switch (c.command) {
      case Command::ACT:
        if (open_.contains(bank)) return "the bank is open";
        open_[bank] = c.row;
        break;
      case Command::PRE:
        if (open_.erase(bank) == 0) return "the bank is closed";
        break;
      case Command::PREA:
        if (!any_open(c.rank)) return "no bank is open";
        for (auto it = open_.begin(); it != open_.end();) {
          const auto& [rank, group, in_group] = it->first;
          if (rank != c.rank) {
            ++it;
            continue;
          }
          if (!history_.legal(Command::PRE, {rank, group, in_group, 0, 0}, c.cycle))
            return "PREA before a bank may close";
          history_.record(Command::PRE, {rank, group, in_group, 0, 0}, c.cycle);
          it = open_.erase(it);
        }
        break;
      case Command::RD:
      case Command::RDA:
      case Command::WR:
      case Command::WRA:
        if (!open_.contains(bank) || open_.at(bank) != c.row) return "the row is not open";
        if (c.command == Command::RDA || c.command == Command::WRA) open_.erase(bank);
        break;
      case Command::REFab:
      case Command::SREFE:
        if (any_open(c.rank)) return "a bank is open";
        if (c.command == Command::SREFE) sleep = Sleep::self_refresh;
        break;
      case Command::PDE:
        sleep = Sleep::power_down;
        break;
      case Command::REFpb:
      case Command::REFsb:
        for (const auto& p : history_.banks_of(c.command, place)) {
          if (open_.contains({p.rank, p.bank_group, p.bank})) return "a bank is open";
        }
        break;
      case Command::CAS_RD:
      case Command::CAS_WR:
        break;
      case Command::RFMab:
      case Command::RFMpb:
      case Command::RCKSTRT:
      case Command::RCKSTOP:
        return "no channel issues this";
      case Command::PDX:
      case Command::SREFX:
        if (sleep != (c.command == Command::PDX ? Sleep::power_down : Sleep::self_refresh))
          return "the rank does not sleep so";
        sleep = Sleep::awake;
        break;
    }
    history_.record(c.command, place, c.cycle);
    return {};
  }

  naive::History history_;
  std::map<BankKey, std::uint32_t> open_;
  std::map<std::uint32_t, Sleep> asleep_;
};

TEST(Protocol, holds_in_random_runs_of_every_policy) {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    const auto run = random_run(seed);
    const auto out = run_engine(run.spec, run.channel, run.requests, run.drive);
    ASSERT_EQ(Protocol(run.spec).first_breach(out.commands), "") << "seed " << seed;
    ASSERT_EQ(out.completions.size(), run.requests.size()) << "seed " << seed;
  }
}

/// docs/controller.md, "Bound".
std::int64_t longest_allowed_wait(const spec::MemorySpec& spec) {
  std::int64_t alone = 0;
  for (const char* name : {"nCKE", "nXS", "nXSDLL", "nRP", "nRFC", "nRC", "nRCD", "nFAW", "nCL",
                           "nCWL", "nBL", "nWR", "nWTR_L"})
    alone += spec.timing(name);
  const auto& c = spec.controller;
  return c.max_wait + 4 * std::int64_t{c.read_queue + c.write_queue} * alone;
}

TEST(Waiting, is_bounded_in_random_runs_of_every_policy) {
  for (std::uint64_t seed = 1; seed <= 200 / kFewer; ++seed) {
    const auto run = random_run(seed);
    const auto out = run_naive(run.spec, run.channel, run.requests, run.drive);
    ASSERT_LE(out.longest_wait, longest_allowed_wait(run.spec)) << "seed " << seed;
  }
}

// Hits without end to one row, and one burst to another row of the same bank and of the other
// direction (behaviour text 15, row 6; engines that count bypasses by row or not at all starve it).
TEST(Waiting, of_a_conflict_beside_endless_hits_is_bounded) {
  for (const char* scheduler : {"frfcfs", "frfcfs-strict", "frfcfs-grouped", "fcfs"}) {
    for (const auto victim : {base::Direction::read, base::Direction::write}) {
      auto run = random_run(11);
      run.spec.controller = {};
      run.spec.controller.scheduler = scheduler;
      run.spec.controller.max_wait = 500;
      run.spec.controller.read_queue = run.spec.controller.write_queue = 8;
      run.spec.controller.write_high = run.spec.controller.group_high = 6;
      run.spec.controller.write_low = run.spec.controller.group_low = 2;
      const auto other_row = run.spec.organisation.capacity_bytes() / 2;
      std::vector<TimedRequest> requests;
      for (std::int64_t i = 0; i < 3000; ++i) {
        if (i == 100) requests.push_back({{other_row, 64, base::kNoOrigin, victim}, i});
        requests.push_back(
            {{64 * static_cast<std::uint64_t>(i % 8), 64, base::kNoOrigin, base::Direction::read},
             i});
      }
      const auto out = run_naive(run.spec, 0, requests, {});
      EXPECT_EQ(out.completions.size(), requests.size()) << scheduler;
      EXPECT_LE(out.longest_wait, longest_allowed_wait(run.spec)) << scheduler;
    }
  }
}

}  // namespace
}  // namespace diffram::oracle

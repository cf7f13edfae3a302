// Epochs cut the time of a run and change nothing of it.

#include "sim/epochs.h"

#include <gtest/gtest.h>

#include "sim/random_program.h"

namespace diffram::sim {
namespace {

using testing::exact;
using testing::memory_of_runs;
using testing::run;

struct Sums {
  std::int64_t cycles = 0;
  base::BankCounters banks;
  base::RankCounters ranks;

  bool operator==(const Sums&) const = default;

  void add(const base::BankCounters& bank) {
    banks.act += bank.act;
    banks.pre += bank.pre;
    banks.rd += bank.rd;
    banks.wr += bank.wr;
    banks.rda += bank.rda;
    banks.wra += bank.wra;
    banks.refresh += bank.refresh;
    banks.conflicts += bank.conflicts;
    banks.open_cycles += bank.open_cycles;
  }
  void add(const base::RankCounters& rank) {
    ranks.any_open_cycles += rank.any_open_cycles;
    ranks.closed_cycles += rank.closed_cycles;
    ranks.refreshes += rank.refreshes;
    ranks.power_down_active_cycles += rank.power_down_active_cycles;
    ranks.power_down_precharge_cycles += rank.power_down_precharge_cycles;
    ranks.self_refresh_cycles += rank.self_refresh_cycles;
  }
};

template <class Windows>
Sums sum(const Windows& windows) {
  Sums sums;
  for (const auto& window : windows) {
    sums.cycles += window.cycles;
    for (const base::ChannelCounters& channel : window.channels) {
      for (const auto& bank : channel.banks) sums.add(bank);
      for (const auto& rank : channel.ranks) sums.add(rank);
    }
  }
  return sums;
}

std::vector<spec::MemorySpec> memories() {
  std::vector<spec::MemorySpec> all(4, memory_of_runs());
  all[1].controller.power_down_after = 20;
  all[2].controller.power_down_after = 20;
  all[2].controller.self_refresh_after = 200;
  all[3].controller.page_policy = spec::PagePolicy::closed;
  return all;
}

TEST(Epochs, add_up_to_the_run_which_they_leave_as_it_is) {
  for (const spec::MemorySpec& memory : memories()) {
    ProgramOptions options = exact();
    options.epoch_cycles = 0;
    const ProgramResult whole = run(options, memory);
    EXPECT_TRUE(whole.epochs.empty());
    const Sums expected = sum(whole.records);
    for (const std::int64_t cycles : {7, 997, 3000, 1 << 30}) {
      options.epoch_cycles = cycles;
      for (const std::size_t threads : {1, 2}) {
        options.threads = threads;
        const ProgramResult cut = run(options, memory);
        EXPECT_TRUE(cut.records == whole.records) << cycles << " cycles";
        EXPECT_EQ(cut.epochs.size(),
                  static_cast<std::size_t>((expected.cycles + cycles - 1) / cycles));
        EXPECT_TRUE(sum(cut.epochs) == expected) << cycles << " cycles";
        for (std::size_t i = 0; i < cut.epochs.size(); ++i) {
          const ledger::Epoch& epoch = cut.epochs[i];
          EXPECT_EQ(epoch.begin, static_cast<std::int64_t>(i) * cycles);
          if (i + 1 < cut.epochs.size()) {
            EXPECT_EQ(epoch.cycles, cycles);
          }
          const base::RankCounters& rank = epoch.channels[0].ranks[0];
          EXPECT_EQ(rank.any_open_cycles + rank.closed_cycles + rank.power_down_active_cycles +
                        rank.power_down_precharge_cycles + rank.self_refresh_cycles,
                    epoch.cycles * memory.organisation.channels * memory.organisation.ranks);
          EXPECT_GE(rank.any_open_cycles, 0);
          EXPECT_GE(rank.closed_cycles, 0);
        }
      }
    }
  }
}

TEST(Epochs, two_and_two_become_one) {
  ProgramOptions options = exact();
  options.epoch_cycles = 1000;
  std::vector<ledger::Epoch> joined = run(options).epochs;
  joined.resize(joined.size() / 2 * 2);
  join_pairs(joined);
  options.epoch_cycles = 2000;
  std::vector<ledger::Epoch> twice = run(options).epochs;
  twice.resize(joined.size());
  EXPECT_EQ(joined, twice);
}

}  // namespace
}  // namespace diffram::sim

#pragma once
// Who gets the energy of what (energy-and-heat.md 7), in integers: tickets of activations,
// stretches of open banks, stretches of ranks. Every total is counted apart from its shares; that
// they are equal is a law of the tests.

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/counters.h"
#include "ctrl/bank_record.h"
#include "ctrl/window_counters.h"
#include "dram/device.h"

namespace diffram::ctrl {

class EnergyShares {
 public:
  /// What it points at in `counters` stays where it is.
  EnergyShares(const dram::Device& device, std::vector<BankRecord>& banks,
               WindowCounters& counters);

  void activate(BankRecord& bank, std::int64_t cycle, std::uint32_t origin);
  void column(BankRecord& bank, std::int64_t cycle, std::int64_t arrival, std::uint32_t origin);
  /// `column` of many commands of one origin, the last at `last`: what is kept by bank, and by
  /// rank. `arrival` is that of the first in the rank, the others arrived before it issued.
  void columns_of_bank(BankRecord& bank, std::int64_t last, std::uint32_t count,
                       std::uint32_t origin);
  void columns_of_rank(RankWalk& rank, std::int64_t last, std::int64_t arrival,
                       std::uint32_t origin);
  RankWalk& rank(std::uint32_t rank) { return walks_[rank]; }
  /// The column command at `cycle` was RDA or WRA; its row closes by itself.
  void auto_precharge(BankRecord& bank, std::int64_t cycle, bool read);
  /// PRE or PREA; `legal` is the earliest cycle at which it could have come.
  void precharge(BankRecord& bank, std::int64_t cycle, std::int64_t legal);
  void refresh(std::uint32_t rank, std::int64_t cycle);
  /// Of some banks of the rank, for so many cycles.
  void refresh_part(std::uint32_t rank, const std::vector<std::uint32_t>& banks, std::int64_t cycle,
                    std::int64_t cycles);
  /// The rank was in power-down or self-refresh meanwhile, its banks at rest: nothing counts as
  /// open or closed, and what came before is idle.
  void slept(std::uint32_t rank, std::int64_t from, std::int64_t until);
  /// No request is present, all banks are closed: nobody has had the time up to `now`.
  void settle_idle_channel(std::int64_t now);
  /// As much time is counted elsewhere, from the `now` of `settle_idle_channel` on.
  void pass_idle_time(std::int64_t cycles);
  /// To the counters of the window that began at `begin`: the time for which banks and ranks were
  /// open up to `now` that is not counted yet. Nothing is settled.
  void add_open_time(std::int64_t begin, std::int64_t now, base::ChannelCounters& out) const;
  /// Settle everything up to `now`, the edge of a window that began at `begin`.
  void cut(std::int64_t begin, std::int64_t now);

  /// What the past has left: for the checkpoint of an idle channel.
  template <class Archive>
  void serialize(Archive& archive) {
    archive(earlier_, walks_);
  }

 private:
  void mark_refreshing(BankRecord& bank, std::int64_t cycle, std::int64_t cycles);
  void opens(RankWalk& walk, std::int64_t cycle);
  [[gnu::noinline]] void closed_between(RankWalk& walk, std::int64_t cycle);
  [[gnu::noinline]] void change_user(BankRecord& bank, std::uint32_t origin);
  [[gnu::noinline]] void change_owner(RankWalk& walk, std::int64_t cycle, std::int64_t arrival,
                                      std::uint32_t origin);
  void give_to_owner(RankWalk& walk);
  /// A bank that closes by itself is open up to a known cycle: count what of it has passed.
  void settle_residency(BankRecord& bank, std::int64_t now) {
    if (bank.row.state > RowState::open) [[unlikely]]
      settle_closing(bank, now);
  }
  void settle_open(std::uint32_t bank, std::int64_t now);
  /// What the bank's row has counted goes to the counters.
  void flush(BankRecord& bank, std::int64_t now);
  void settle_idle(std::uint32_t rank, std::int64_t now);
  [[gnu::noinline]] void settle_closing(BankRecord& bank, std::int64_t now);
  [[gnu::noinline]] void settle_tickets(BankRecord& bank, bool closing);
  void give_split_stretch(RankWalk& walk, base::OriginCounters& owner, std::int64_t start,
                          std::int64_t end);
  /// Of its open row: (origin, column commands) before the user.
  std::vector<std::pair<std::uint32_t, std::int64_t>>& earlier(const BankRecord& bank) {
    return earlier_[index_of(bank)];
  }
  std::uint32_t index_of(const BankRecord& bank) const {
    return static_cast<std::uint32_t>(&bank - banks_.data());
  }
  base::RankCounters& counters_of(const RankWalk& walk) {
    return ranks_[static_cast<std::size_t>(&walk - walks_.data())];
  }

  const dram::Device& device_;
  std::vector<BankRecord>& banks_;
  base::OriginCounters* origins_;
  std::vector<base::RankCounters>& ranks_;
  base::SharedCounters& shared_;
  std::int64_t least_open_;                ///< tRAS
  std::int64_t after_read_, after_write_;  ///< column command to the precharge inside it
  std::int64_t refresh_cycles_;            ///< tRFC
  std::vector<std::vector<std::pair<std::uint32_t, std::int64_t>>> earlier_;  ///< by bank
  std::vector<RankWalk> walks_;
};

inline void EnergyShares::column(BankRecord& bank, std::int64_t cycle, std::int64_t arrival,
                                 std::uint32_t origin) {
  columns_of_bank(bank, cycle, 1, origin);
  columns_of_rank(*bank.rank, cycle, arrival, origin);
}

inline void EnergyShares::columns_of_bank(BankRecord& bank, std::int64_t last, std::uint32_t count,
                                          std::uint32_t origin) {
  if (bank.row.user != origin) [[unlikely]]
    change_user(bank, origin);
  bank.row.columns += count;
  bank.row.last = last;
}

inline void EnergyShares::columns_of_rank(RankWalk& walk, std::int64_t last, std::int64_t arrival,
                                          std::uint32_t origin) {
  if (walk.owner == origin && arrival <= walk.last) [[likely]] {
    walk.last = last;
  } else {
    change_owner(walk, last, arrival, origin);
  }
}

// A rank turns from closed to open: the closed stretch before is known now.
inline void EnergyShares::opens(RankWalk& walk, std::int64_t cycle) {
  if (walk.open == 0 && walk.open_until < cycle) [[unlikely]]
    closed_between(walk, cycle);
}

inline void EnergyShares::activate(BankRecord& bank, std::int64_t cycle, std::uint32_t origin) {
  settle_residency(bank, cycle);
  opens(*bank.rank, cycle);
  ++bank.rank->open;
  OpenRow& row = bank.row;
  row.mark = row.last = cycle;
  row.open_cycles -= cycle;
  row.user = origin;
  row.columns = 0;
  row.state = RowState::open;
}

inline void EnergyShares::precharge(BankRecord& bank, std::int64_t cycle, std::int64_t legal) {
  OpenRow& row = bank.row;
  const std::int64_t used = std::max(legal, row.last);
  base::OriginCounters& user = origins_[row.user];
  user.bank_open_cycles += used - row.mark;
  row.held_open += cycle - used;
  row.open_cycles += cycle;
  if (row.columns == 1) [[likely]] {  // one burst had it all
    user.activation_tickets += base::kActivationTickets;
  } else {
    settle_tickets(bank, true);
  }
  row.state = RowState::closed;
  RankWalk& walk = *bank.rank;
  if (--walk.open == 0) walk.open_until = std::max(walk.open_until, cycle);
}

}  // namespace diffram::ctrl

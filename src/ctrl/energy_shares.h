#pragma once
// Who gets the energy of what (energy-and-heat.md 7), in integers: tickets of activations,
// stretches of open banks, stretches of ranks. Every total is counted apart from its shares; that
// they are equal is a law of the tests.

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/counters.h"
#include "dram/device.h"

namespace diffram::ctrl {

class EnergyShares {
 public:
  /// `origins` has one entry more than there are names: the last is for requests without one.
  EnergyShares(const dram::Device& device, std::vector<base::OriginCounters>& origins,
               std::vector<base::BankCounters>& banks, std::vector<base::RankCounters>& ranks,
               base::SharedCounters& shared);

  void activate(std::uint32_t bank, std::int64_t cycle, std::uint32_t origin);
  void column(std::uint32_t bank, std::int64_t cycle, std::int64_t arrival, std::uint32_t origin);
  /// `column` of many commands of one origin, the last at `last`: what is kept by bank, and by
  /// rank. `arrival` is that of the first in the rank, the others arrived before it issued.
  void columns_of_bank(std::uint32_t bank, std::int64_t last, std::uint32_t count,
                       std::uint32_t origin);
  void columns_of_rank(std::uint32_t rank, std::int64_t last, std::int64_t arrival,
                       std::uint32_t origin);
  /// The column command at `cycle` was RDA or WRA; its row closes by itself.
  void auto_precharge(std::uint32_t bank, std::int64_t cycle, bool read);
  /// PRE or PREA; `legal` is the earliest cycle at which it could have come.
  void precharge(std::uint32_t bank, std::int64_t cycle, std::int64_t legal);
  void refresh(std::uint32_t rank, std::int64_t cycle);
  /// The rank was in power-down or self-refresh meanwhile, its banks at rest: nothing counts as
  /// open or closed, and what came before is idle.
  void slept(std::uint32_t rank, std::int64_t from, std::int64_t until);
  /// No request is present, all banks are closed: nobody has had the time up to `now`.
  void settle_idle_channel(std::int64_t now);
  /// As much time is counted elsewhere, from the `now` of `settle_idle_channel` on.
  void pass_idle_time(std::int64_t cycles);
  /// Settle everything up to `now`, the edge of a window that began at `begin`.
  void cut(std::int64_t begin, std::int64_t now);

  /// What the past has left: for the checkpoint of an idle channel.
  template <class Archive>
  void serialize(Archive& archive) {
    archive(rows_, earlier_, walks_);
  }

 private:
  enum class State : std::uint8_t { closed, open, closing, refreshing };

  /// One bank: its open row, and who used it. Its time is given out when the user changes.
  struct alignas(64) OpenRow {
    std::int64_t mark = 0;     ///< given out up to here
    std::int64_t last = 0;     ///< the user's last column command; `mark` if there is none since
    std::int64_t counted = 0;  ///< counted in BankCounters up to here
    std::int64_t activated = 0;
    std::int64_t closes = 0;  ///< in the states closing and refreshing
    std::uint32_t user = 0;   ///< origin of the last column command, at first the opener
    State state = State::closed;
    bool settled = true;       ///< its tickets are given out
    bool shared = false;       ///< others have used it: `earlier_` has entries
    std::uint32_t streak = 0;  ///< column commands of `user` since another's

    template <class Archive>
    void serialize(Archive& archive) {
      archive(mark, last, counted, activated, closes, user, streak, shared, settled, state);
    }
  };
  struct Interval {
    std::int64_t begin = 0, end = 0;

    template <class Archive>
    void serialize(Archive& archive) {
      archive(begin, end);
    }
  };
  static constexpr std::uint32_t kNobody = 0xFFFFFFFFu;
  struct RankWalk {
    std::int64_t mark = 0;  ///< given out up to here
    std::int64_t last = 0;  ///< open from `mark` up to here, for the owner
    std::uint32_t owner = kNobody;
    std::uint32_t open = 0;        ///< banks open without a known end
    std::int64_t open_until = 0;   ///< the last known closing, when `open` is 0
    std::vector<Interval> closed;  ///< since `last`, then there is no owner

    template <class Archive>
    void serialize(Archive& archive) {
      archive(mark, last, owner, open, open_until, closed);
    }
  };

  void opens(std::uint32_t rank, std::int64_t cycle);
  [[gnu::noinline]] void closed_between(std::uint32_t rank, std::int64_t cycle);
  [[gnu::noinline]] void change_user(std::uint32_t bank, std::uint32_t origin);
  [[gnu::noinline]] void change_owner(RankWalk& walk, std::int64_t cycle, std::int64_t arrival,
                                      std::uint32_t origin);
  void give_to_owner(RankWalk& walk);
  /// A bank that closes by itself is open up to a known cycle: count what of it has passed.
  void settle_residency(std::uint32_t bank, std::int64_t now) {
    const State state = rows_[bank].state;
    if (state == State::closing || state == State::refreshing) settle_closing(bank, now);
  }
  void settle_open(std::uint32_t bank, std::int64_t now);
  void settle_idle(std::uint32_t rank, std::int64_t now);
  [[gnu::noinline]] void settle_closing(std::uint32_t bank, std::int64_t now);
  [[gnu::noinline]] void settle_tickets(std::uint32_t bank, bool closing);
  void give_split_stretch(RankWalk& walk, base::OriginCounters& owner, std::int64_t start,
                          std::int64_t end);

  const dram::Device& device_;
  std::vector<base::OriginCounters>& origins_;
  std::vector<base::BankCounters>& banks_;
  std::vector<base::RankCounters>& ranks_;
  base::SharedCounters& shared_;
  std::int64_t least_open_;                ///< tRAS
  std::int64_t after_read_, after_write_;  ///< column command to the precharge inside it
  std::int64_t refresh_cycles_;            ///< tRFC
  std::vector<OpenRow> rows_;
  /// By bank, of its open row: (origin, column commands) before the user.
  std::vector<std::vector<std::pair<std::uint32_t, std::uint32_t>>> earlier_;
  std::vector<RankWalk> walks_;
};

inline void EnergyShares::column(std::uint32_t bank, std::int64_t cycle, std::int64_t arrival,
                                 std::uint32_t origin) {
  columns_of_bank(bank, cycle, 1, origin);
  columns_of_rank(device_.rank_of()[bank], cycle, arrival, origin);
}

inline void EnergyShares::columns_of_bank(std::uint32_t bank, std::int64_t last,
                                          std::uint32_t count, std::uint32_t origin) {
  OpenRow& row = rows_[bank];
  if (row.user != origin) [[unlikely]]
    change_user(bank, origin);
  row.streak += count;
  row.last = last;
}

inline void EnergyShares::columns_of_rank(std::uint32_t rank, std::int64_t last,
                                          std::int64_t arrival, std::uint32_t origin) {
  RankWalk& walk = walks_[rank];
  if (walk.owner == origin && arrival <= walk.last) {
    walk.last = last;
  } else {
    change_owner(walk, last, arrival, origin);
  }
}

// A rank turns from closed to open: the closed stretch before is known now.
inline void EnergyShares::opens(std::uint32_t rank, std::int64_t cycle) {
  if (walks_[rank].open == 0 && walks_[rank].open_until < cycle) closed_between(rank, cycle);
}

inline void EnergyShares::activate(std::uint32_t bank, std::int64_t cycle, std::uint32_t origin) {
  const std::uint32_t rank = device_.rank_of()[bank];
  settle_residency(bank, cycle);
  opens(rank, cycle);
  ++walks_[rank].open;
  OpenRow& row = rows_[bank];
  row.mark = row.last = row.counted = row.activated = cycle;
  row.user = origin;
  row.streak = 0;
  row.shared = false;
  row.settled = false;
  row.state = State::open;
}

inline void EnergyShares::precharge(std::uint32_t bank, std::int64_t cycle, std::int64_t legal) {
  OpenRow& row = rows_[bank];
  const std::int64_t used = std::min(std::max(legal, row.last), cycle);
  base::OriginCounters& user = origins_[row.user];
  user.bank_open_cycles += used - row.mark;
  shared_.row_held_open_bank_cycles += cycle - used;
  banks_[bank].open_cycles += cycle - row.counted;
  if (row.streak == 1 && !row.shared && !row.settled) {  // one burst had it all
    user.activation_tickets += base::kActivationTickets;
    row.settled = true;
  } else {
    settle_tickets(bank, true);
  }
  row.state = State::closed;
  RankWalk& walk = walks_[device_.rank_of()[bank]];
  if (--walk.open == 0) walk.open_until = std::max(walk.open_until, cycle);
}

}  // namespace diffram::ctrl

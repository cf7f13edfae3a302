// Steps 4 to 6 of a cycle as one question: which command issues next, and when?

#include <bit>

#include "ctrl/frfcfs.h"

namespace diffram::ctrl {

using base::Direction;
using spec::Command;

namespace {

// std::max of a list goes through memory in g++ 12; of two it is one conditional move.
template <class... More>
std::int64_t latest(std::int64_t first, More... more) {
  ((first = first < more ? more : first), ...);
  return first;
}

// Waits are below 2^32 cycles (max_wait is a 32-bit number), ages of queued bursts lie within 2^32.
std::uint64_t key_of(std::int64_t cycle, std::int64_t t, std::uint32_t age,
                     std::uint32_t next_age) {
  return static_cast<std::uint64_t>(cycle - t) << 32 | (age - next_age);
}

}  // namespace

// Steps 4 to 6: the first cycle from t on in which a command issues, and which.
Frfcfs::Decision Frfcfs::choose(std::int64_t t) {
  const Least column = least_column(t);
  Decision decision;
  if (column.key != kNoCandidate) {
    decision = {t + static_cast<std::int64_t>(column.key >> 32), column.bank, Kind::column};
  }
  // A column command goes before a row command of the same cycle.
  if (decision.cycle > t && !rows_are_done()) {
    const Least activate = least_activate(t, decision.cycle);
    const Least precharge = least_precharge(t);
    const bool opens = activate.key < precharge.key;
    const Least row = opens ? activate : precharge;
    if (row.key != kNoCandidate) {
      const std::int64_t cycle = t + static_cast<std::int64_t>(row.key >> 32);
      if (cycle < decision.cycle) {
        decision = {cycle, row.bank, opens ? Kind::activate : Kind::precharge};
      }
    }
  }
  if (held_ranks_ == 0) return decision;
  const Decision refresh = choose_refresh(t);
  return refresh.cycle <= decision.cycle ? refresh : decision;
}

// Every bank with work has the row of its oldest burst open.
bool Frfcfs::rows_are_done() const {
  const BurstQueue& bursts = queue(direction_);
  for (std::size_t w = 0; w < mask_words_; ++w) {
    if ((bursts.nonempty().word(w) & ~bursts.head_hits().word(w)) != 0) return false;
  }
  return true;
}

Frfcfs::Decision Frfcfs::choose_refresh(std::int64_t t) const {
  Decision best;
  for (std::uint32_t rank = 0; rank < device_.ranks(); ++rank) {
    if (timers_[rank].owed == 0) continue;
    const std::uint32_t bank = rank * device_.banks_per_rank();
    const bool closed = device_.open_banks(rank) == 0;
    const Command command = closed ? Command::REFab : Command::PREA;
    const std::int64_t cycle = std::max(t, device_.earliest_at(command, bank));
    if (cycle < best.cycle) best = {cycle, bank, closed ? Kind::refresh : Kind::precharge_all};
  }
  return best;
}

Frfcfs::Least Frfcfs::least_column(std::int64_t t) const {
  Least least;
  const BurstQueue& bursts = queue(direction_);
  if (bursts.size() == 0) return least;
  const Times& next = column_times_[static_cast<std::size_t>(direction_)];
  const std::int64_t* const visible = bursts.hit_visible();
  const std::uint32_t* const age = bursts.hit_age();
  const std::uint32_t next_age = next_age_;
  const auto legal = [&](std::uint32_t bank) {
    return latest(next.bank[bank], next.group[next.group_of[bank]], next.rank[next.rank_of[bank]],
                  visible[bank], t);
  };
  // In a stream the oldest burst of all is a hit that waits for nothing but the bus.
  const std::uint32_t oldest_bank = bursts[bursts.oldest()].bank;
  if (bursts.hit(oldest_bank) == bursts.oldest() && !is_blocked(oldest_bank)) {
    const std::int64_t cycle = legal(oldest_bank);
    std::int64_t floor = next.rank[0];
    for (std::uint32_t rank = 1; rank < ranks_; ++rank) floor = std::min(floor, next.rank[rank]);
    if (cycle == std::max(floor, t)) {
      least.offer(key_of(cycle, t, age[oldest_bank], next_age), oldest_bank);
      return least;
    }
  }
  for (std::size_t w = 0; w < mask_words_; ++w) {
    const std::uint64_t hits = bursts.has_hit().word(w) & ~blocked_[w];
    const std::uint64_t first_in_line = hits & bursts.head_hits().word(w);
    for (std::uint64_t bits = first_in_line; bits != 0; bits &= bits - 1) {
      const auto bank = static_cast<std::uint32_t>(w * 64 + std::countr_zero(bits));
      least.offer(key_of(legal(bank), t, age[bank], next_age), bank);
    }
    // Hits that pass an older burst to another row.
    for (std::uint64_t bits = hits & ~first_in_line; bits != 0; bits &= bits - 1) {
      const auto bank = static_cast<std::uint32_t>(w * 64 + std::countr_zero(bits));
      const std::int64_t overdue = bursts[bursts.head(bank)].acceptance + policy_.max_wait;
      const std::int64_t cycle = legal(bank);
      if (passes_[bank] < policy_.row_hit_cap && cycle < overdue) {
        least.offer(key_of(cycle, t, age[bank], next_age), bank);
      }
    }
  }
  return least;
}

// limits_[g]: no activation in bank group g is legal before. Gives the least of them.
std::int64_t Frfcfs::raise_limits(std::int64_t t) {
  std::int64_t least = kNever;
  for (std::uint32_t group = 0; group < groups_; ++group) {
    const std::uint32_t rank = activate_times_.rank_of[group * banks_per_group_];
    limits_[group] = latest(activate_times_.group[group], activate_times_.rank[rank], t);
    least = std::min(least, limits_[group]);
  }
  return least;
}

// Activations before `before` only: later ones lose against the column command known already.
Frfcfs::Least Frfcfs::least_activate(std::int64_t t, std::int64_t before) {
  Least least;
  // The activation window often decides alone.
  std::int64_t floor = activate_times_.rank[0];
  for (std::uint32_t rank = 1; rank < ranks_; ++rank) {
    floor = std::min(floor, activate_times_.rank[rank]);
  }
  if (floor >= before || raise_limits(t) >= before) return least;
  const BurstQueue& bursts = queue(direction_);
  const std::int64_t* const bank_next = activate_times_.bank;
  const std::int64_t* const visible = bursts.head_visible();
  const std::uint32_t* const age = bursts.head_age();
  const std::uint32_t* const group_of = activate_times_.group_of;
  const std::int64_t* const limits = limits_.data();
  const std::uint32_t next_age = next_age_;
  for (std::size_t w = 0; w < mask_words_; ++w) {
    std::uint64_t bits = bursts.nonempty().word(w) & ~open_.word(w) & ~blocked_[w];
    for (; bits != 0; bits &= bits - 1) {
      const auto bank = static_cast<std::uint32_t>(w * 64 + std::countr_zero(bits));
      const std::int64_t cycle = latest(bank_next[bank], limits[group_of[bank]], visible[bank]);
      least.offer(key_of(cycle, t, age[bank], next_age), bank);
    }
  }
  return least;
}

Frfcfs::Least Frfcfs::least_precharge(std::int64_t t) const {
  Least least;
  const Times& next = precharge_times_;
  const BurstQueue& bursts = queue(direction_);
  const std::int64_t* const visible = bursts.head_visible();
  const std::uint32_t* const age = bursts.head_age();
  for (std::size_t w = 0; w < mask_words_; ++w) {
    std::uint64_t bits =
        bursts.nonempty().word(w) & open_.word(w) & ~bursts.head_hits().word(w) & ~blocked_[w];
    for (; bits != 0; bits &= bits - 1) {
      const auto bank = static_cast<std::uint32_t>(w * 64 + std::countr_zero(bits));
      std::int64_t cycle = latest(next.bank[bank], next.group[next.group_of[bank]],
                                  next.rank[next.rank_of[bank]], visible[bank], t);
      if (bursts.hit(bank) != kNone && passes_[bank] < policy_.row_hit_cap) {
        // While a visible hit may pass, the row stays open.
        const std::int64_t overdue = bursts[bursts.head(bank)].acceptance + policy_.max_wait;
        if (cycle >= bursts.hit_visible()[bank] && cycle < overdue) cycle = overdue;
      }
      least.offer(key_of(cycle, t, age[bank], next_age_), bank);
    }
  }
  return least;
}

}  // namespace diffram::ctrl

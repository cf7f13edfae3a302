// Steps 4 to 6 of a cycle as one question: which command issues next, and when?
//
// Nearly every bank has at most one command to offer: the column command of its oldest burst, or the
// ACT or PRE that this burst needs. Their times are worked out for eight banks at a time; among the
// banks that share the least time the oldest burst wins. The rest, hits that may pass an older burst
// to another row, is looked at bank by bank.

#include <bit>

#include "ctrl/frfcfs.h"
#include "dram/lanes.h"

namespace diffram::ctrl {

using base::Direction;
using dram::kLanes;
using spec::Command;

namespace {

// Waits are below 2^32 cycles (max_wait is a 32-bit number), ages of queued bursts lie within 2^32.
std::uint64_t key_of(std::int64_t wait, std::uint32_t age, std::uint32_t next_age) {
  return static_cast<std::uint64_t>(wait) << 32 | (age - next_age);
}

std::uint32_t block_of(std::uint64_t word, std::size_t block) {
  return static_cast<std::uint32_t>(word >> (block * kLanes)) & 0xFF;
}

constexpr std::size_t kBlocksOfWord = 64 / kLanes;

}  // namespace

// Steps 4 to 6: the first cycle from t on in which a command issues, and which.
Frfcfs::Decision Frfcfs::choose(std::int64_t t) {
  const std::int16_t near = device_.near(t);
  if (queues_[0].base() != device_.base()) {
    for (BurstQueue& each : queues_) each.set_base(device_.base());
  }
  Decision decision;
  const Least column = least_column(t, near);
  if (column.key != kNoCandidate) {
    decision = {t + static_cast<std::int64_t>(column.key >> 32), column.bank, Kind::column};
  }
  // A column command goes before a row command of the same cycle.
  if (decision.cycle > t) {
    const Least row = least_row(t, near);
    if (row.key != kNoCandidate) {
      const std::int64_t cycle = t + static_cast<std::int64_t>(row.key >> 32);
      if (cycle < decision.cycle) {
        decision = {cycle, row.bank, open_.has(row.bank) ? Kind::precharge : Kind::activate};
      }
    }
  }
  if (held_ranks_ == 0) return decision;
  const Decision refresh = choose_refresh(t);
  return refresh.cycle <= decision.cycle ? refresh : decision;
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

// The oldest of the banks with the least time.
template <std::size_t kBlocks>
Frfcfs::Least Frfcfs::least_of(const std::int16_t* times, std::int16_t near) const {
  Least least;
  const std::size_t blocks = kBlocks != 0 ? kBlocks : blocks_;
  const std::int16_t time = dram::least(times, blocks);
  if (time == dram::kNoLane) return least;
  const std::uint32_t* const age = queue(direction_).head_age();
  for (std::size_t block = 0; block < blocks; ++block) {
    for (std::uint32_t bits = dram::equal(times + block * kLanes, time); bits != 0;
         bits &= bits - 1) {
      const auto bank = static_cast<std::uint32_t>(block * kLanes + std::countr_zero(bits));
      least.offer(key_of(time - near, age[bank], next_age_), bank);
    }
  }
  return least;
}

Frfcfs::Least Frfcfs::least_column(std::int64_t t, std::int16_t near) {
  Least least;
  const BurstQueue& bursts = queue(direction_);
  if (bursts.size() == 0) return least;
  const Command command = direction_ == Direction::read ? Command::RD : Command::WR;
  const std::int16_t* const next = device_.near_times(command);
  std::uint64_t any = 0;
  std::uint64_t passing = 0;
  for (std::size_t w = 0; w < mask_words_; ++w) {
    const std::uint64_t hits = bursts.has_hit().word(w) & ~blocked_[w];
    any |= hits & bursts.head_hits().word(w);
    passing |= hits & ~bursts.head_hits().word(w);
  }
  if (any != 0) {
    std::int16_t* const times = times_.data();
    const std::int16_t* const visible = bursts.head_visible();
    const auto scan = [&](auto constant) {
      constexpr std::size_t kBlocks = decltype(constant)::value;
      for (std::size_t block = 0; block < (kBlocks != 0 ? kBlocks : blocks_); ++block) {
        const std::size_t w = block / kBlocksOfWord;
        const std::uint64_t candidates = bursts.head_hits().word(w) & ~blocked_[w];
        const std::size_t at = block * kLanes;
        dram::wait_times(next + at, visible + at, block_of(candidates, block % kBlocksOfWord), near,
                         times + at);
      }
      return least_of<kBlocks>(times, near);
    };
    least = blocks_ == 2 ? scan(std::integral_constant<std::size_t, 2>())
                         : scan(std::integral_constant<std::size_t, 0>());
  }
  if (passing == 0) return least;
  for (std::size_t w = 0; w < mask_words_; ++w) {
    std::uint64_t bits =
        bursts.has_hit().word(w) & ~bursts.head_hits().word(w) & ~blocked_[w];
    for (; bits != 0; bits &= bits - 1) {
      const auto bank = static_cast<std::uint32_t>(w * 64 + std::countr_zero(bits));
      if (passes_[bank] >= policy_.row_hit_cap) continue;
      const std::uint32_t hit = bursts.hit(bank);
      const std::int64_t overdue = bursts[bursts.head(bank)].acceptance + policy_.max_wait;
      const std::int64_t legal = t - near + std::max(next[bank], near);
      const std::int64_t cycle = std::max(legal, bursts.visible(hit));
      if (cycle < overdue) least.offer(key_of(cycle - t, bursts[hit].age, next_age_), bank);
    }
  }
  return least;
}

Frfcfs::Least Frfcfs::least_row(std::int64_t t, std::int16_t near) {
  Least least;
  const BurstQueue& bursts = queue(direction_);
  std::uint64_t any = 0;
  std::uint64_t passed = 0;
  for (std::size_t w = 0; w < mask_words_; ++w) {
    const std::uint64_t others =
        bursts.nonempty().word(w) & ~bursts.head_hits().word(w) & ~blocked_[w];
    any |= others & ~bursts.has_hit().word(w);
    passed |= others & bursts.has_hit().word(w);
  }
  const std::int16_t* const activate = device_.near_times(Command::ACT);
  const std::int16_t* const precharge = device_.near_times(Command::PRE);
  if (any != 0) {
    std::int16_t* const times = times_.data();
    const std::int16_t* const visible = bursts.head_visible();
    const auto scan = [&](auto constant) {
      constexpr std::size_t kBlocks = decltype(constant)::value;
      for (std::size_t block = 0; block < (kBlocks != 0 ? kBlocks : blocks_); ++block) {
        const std::size_t w = block / kBlocksOfWord;
        const std::size_t in_word = block % kBlocksOfWord;
        const std::uint64_t wanted =
            bursts.nonempty().word(w) & ~bursts.has_hit().word(w) & ~blocked_[w];
        const std::size_t at = block * kLanes;
        dram::wait_times(activate + at, block_of(wanted & ~open_.word(w), in_word), precharge + at,
                         block_of(wanted & open_.word(w), in_word), visible + at, near,
                         times + at);
      }
      return least_of<kBlocks>(times, near);
    };
    least = blocks_ == 2 ? scan(std::integral_constant<std::size_t, 2>())
                         : scan(std::integral_constant<std::size_t, 0>());
  }
  if (passed == 0) return least;
  for (std::size_t w = 0; w < mask_words_; ++w) {
    std::uint64_t bits =
        bursts.has_hit().word(w) & ~bursts.head_hits().word(w) & ~blocked_[w];
    for (; bits != 0; bits &= bits - 1) {
      const auto bank = static_cast<std::uint32_t>(w * 64 + std::countr_zero(bits));
      const std::int64_t base = t - near;
      const std::int64_t head_visible = bursts.head_visible()[bank];
      std::int64_t cycle =
          base + std::max<std::int64_t>({precharge[bank], head_visible, near});
      if (passes_[bank] < policy_.row_hit_cap) {
        // While a visible hit may pass, the row stays open.
        const std::int64_t overdue = bursts[bursts.head(bank)].acceptance + policy_.max_wait;
        if (cycle >= bursts.visible(bursts.hit(bank)) && cycle < overdue) cycle = overdue;
      }
      least.offer(key_of(cycle - t, bursts.head_age()[bank], next_age_), bank);
    }
  }
  return least;
}

}  // namespace diffram::ctrl

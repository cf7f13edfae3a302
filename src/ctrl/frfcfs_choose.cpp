// Steps 4 to 6 of a cycle as one question: which command issues next, and when?
//
// Nearly every bank has at most one command to offer: the column command of its oldest burst, or
// the ACT or PRE that this burst needs. Their times are worked out for eight banks at a time; among
// the banks that share the least time the oldest burst wins. The rest, hits that may pass an older
// burst to another row, is looked at bank by bank.

#include <bit>

#include "ctrl/frfcfs.h"
#include "dram/lanes.h"

namespace diffram::ctrl {

using dram::kLanes;
using dram::Lanes;
using spec::Command;

namespace {

// A column command goes before a row command of the same cycle; then the oldest burst. Waits are
// below 2^31 cycles (max_wait is at most 10^7), ages of queued bursts lie within 2^32.
std::uint64_t key_of(std::int64_t wait, bool is_row, std::uint32_t age, std::uint32_t next_age) {
  return static_cast<std::uint64_t>(wait) << 33 | std::uint64_t{is_row} << 32 | (age - next_age);
}

std::int64_t wait_of(std::uint64_t key) { return static_cast<std::int64_t>(key >> 33); }

constexpr std::size_t kBlocksOfWord = 64 / kLanes;

Lanes lanes_of(std::uint64_t word, std::size_t block) {
  return Lanes::of_bits(static_cast<std::uint32_t>(word >> (block % kBlocksOfWord * kLanes)) &
                        0xFF);
}

}  // namespace

// Brings the times of queues and device together; `is_usual`: from here on the light loop serves.
std::int16_t Frfcfs::begin_scan(std::int64_t t, bool is_usual) {
  const std::int16_t near = device_.near(t);
  for (BurstQueue& each : queues_) {
    if (each.base() != device_.base()) each.set_base(device_.base());
  }
  usual_until_ = is_usual ? device_.base() + dram::Device::kFarthest : -1;
  return near;
}

// Steps 4 to 6: the first cycle from t on in which a command issues, and which.
Frfcfs::Decision Frfcfs::choose(std::int64_t t) {
  const std::int16_t near = begin_scan(t, blocks_ == 2 && held_ranks_ == 0);
  Decision decision;
  if (active_->size() != 0) {
    Least least;
    offer_banks(near, least, least);
    offer_passing(t, near, least, least);
    if (least.key != kNoCandidate) {
      decision = {t + wait_of(least.key), least.bank, Kind::column};
      if ((least.key >> 32 & 1) != 0) decision.kind = row_kind_of(least.bank);
    }
  }
  if (held_ranks_ == 0) return decision;
  const Decision refresh = choose_refresh(t);
  return refresh.cycle <= decision.cycle ? refresh : decision;
}

// The same with two buses: a column command and a row command of one cycle both issue.
Frfcfs::Decisions Frfcfs::choose_both(std::int64_t t) {
  const std::int16_t near = begin_scan(t, blocks_ <= kBlocksOfWord && held_ranks_ == 0);
  Decisions both;
  Decision column, row;
  if (active_->size() != 0) {
    Least columns, rows;
    offer_banks(near, columns, rows);
    offer_passing(t, near, columns, rows);
    if (columns.key != kNoCandidate) column = {t + wait_of(columns.key), columns.bank};
    if (rows.key != kNoCandidate) row = {t + wait_of(rows.key), rows.bank, row_kind_of(rows.bank)};
  }
  if (held_ranks_ != 0) {
    const Decision refresh = choose_refresh(t);
    if (refresh.cycle <= row.cycle) row = refresh;
  }
  both.cycle = std::min(column.cycle, row.cycle);
  if (both.cycle == kNever) return both;
  if (column.cycle == both.cycle) both.column = column.bank;
  if (row.cycle == both.cycle) {
    both.row = row.bank;
    both.row_kind = row.kind;
  }
  return both;
}

Frfcfs::Decision Frfcfs::choose_refresh(std::int64_t t) const {
  Decision best;
  for (std::uint32_t rank = 0; rank < device_.ranks(); ++rank) {
    const bool sleeps = sleeps_[rank].asleep;
    if (timers_[rank].owed == 0 && !sleeps_[rank].wanted) continue;
    const std::uint32_t bank = rank * device_.banks_per_rank();
    if (sleeps) {
      const std::int64_t cycle = std::max(t, device_.earliest_at(Command::PDX, bank));
      if (cycle < best.cycle) best = {cycle, bank, Kind::wake};
      continue;
    }
    const bool closed = device_.open_banks(rank) == 0;
    const Command command = closed ? Command::REFab : Command::PREA;
    const std::int64_t cycle = std::max(t, device_.earliest_at(command, bank));
    if (cycle < best.cycle) best = {cycle, bank, closed ? Kind::refresh : Kind::precharge_all};
  }
  return best;
}

// The command that each oldest burst wants: a column if its row is open, ACT if the bank is closed,
// PRE if it has another row that nobody wants. Those that come first are offered.
void Frfcfs::offer_banks(std::int16_t near, Least& column_least, Least& row_least) {
  const BurstQueue& bursts = *active_;
  const std::int16_t* const column = near_column_[static_cast<std::size_t>(direction_)];
  const std::int16_t* const visible = bursts.head_visible();
  Lanes low = Lanes::all(dram::kNoLane);
  for (std::size_t block = 0; block < blocks_; ++block) {
    const std::size_t w = block / kBlocksOfWord;
    const std::size_t at = block * kLanes;
    const std::uint64_t free = ~blocked_[w];
    const std::uint64_t wants_row = bursts.nonempty().word(w) & ~bursts.has_hit().word(w) & free;
    const Lanes hits = lanes_of(bursts.head_hits().word(w) & free, block);
    const Lanes opens = lanes_of(wants_row & ~open_.word(w), block);
    const Lanes closes = lanes_of(wants_row & open_.word(w), block);
    const Lanes next = (Lanes::load(column + at) & hits) |
                       (Lanes::load(near_activate_ + at) & opens) |
                       (Lanes::load(near_precharge_ + at) & closes);
    const Lanes none = without(Lanes::all(dram::kNoLane), hits | opens | closes);
    times_[block] = max(max(next, Lanes::load(visible + at)), Lanes::all(near)) | none;
    low = min(low, times_[block]);
  }
  const std::int16_t time = least(low);
  if (time == dram::kNoLane) return;
  const Lanes wanted = Lanes::all(time);
  for (std::size_t block = 0; block < blocks_; ++block) {
    const std::uint64_t columns =
        bursts.head_hits().word(block / kBlocksOfWord) >> (block % kBlocksOfWord * kLanes);
    for (std::uint32_t bits = equal_bits(times_[block], Lanes::all(-1), wanted); bits != 0;
         bits &= bits - 1) {
      const int lane = std::countr_zero(bits);
      const auto bank = static_cast<std::uint32_t>(block * kLanes + lane);
      const bool is_row = (columns >> lane & 1) == 0;
      Least& least = is_row ? row_least : column_least;
      least.offer(key_of(time - near, is_row, bursts.head_age(bank), next_age_), bank);
    }
  }
}

// Banks with a hit behind a burst that wants another row: the hit may pass, or the row closes.
void Frfcfs::offer_passing(std::int64_t t, std::int16_t near, Least& column_least,
                           Least& row_least) const {
  const BurstQueue& bursts = *active_;
  for (std::size_t w = 0; w < mask_words_; ++w) {
    std::uint64_t bits = bursts.has_hit().word(w) & ~bursts.head_hits().word(w) & ~blocked_[w];
    if (bits == 0) continue;
    const std::int16_t* const column = near_column_[static_cast<std::size_t>(direction_)];
    const std::int64_t base = t - near;
    for (; bits != 0; bits &= bits - 1) {
      const auto bank = static_cast<std::uint32_t>(w * 64 + std::countr_zero(bits));
      const std::uint32_t head = bursts.head(bank);
      const std::uint32_t hit = bursts.hit(bank);
      std::int64_t close = std::max({base + near_precharge_[bank], bursts.visible(head), t});
      if (passes_[bank] < policy_.row_hit_cap) {
        const std::int64_t overdue = bursts[head].acceptance + policy_.max_wait;
        const std::int64_t pass = std::max({base + column[bank], bursts.visible(hit), t});
        if (pass < overdue) {
          column_least.offer(key_of(pass - t, false, bursts[hit].age, next_age_), bank);
        }
        // While a visible hit may pass, the row stays open.
        if (close >= bursts.visible(hit) && close < overdue) close = overdue;
      }
      row_least.offer(key_of(close - t, true, bursts[head].age, next_age_), bank);
    }
  }
}

}  // namespace diffram::ctrl

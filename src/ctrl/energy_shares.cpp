#include "ctrl/energy_shares.h"

namespace diffram::ctrl {

using spec::Command;

EnergyShares::EnergyShares(const dram::Device& device, std::vector<base::OriginCounters>& origins,
                           std::vector<base::BankCounters>& banks,
                           std::vector<base::RankCounters>& ranks, base::SharedCounters& shared)
    : device_(device),
      origins_(origins),
      banks_(banks),
      ranks_(ranks),
      shared_(shared),
      least_open_(device.table().same_bank(Command::ACT, Command::PRE)),
      after_read_(device.table().same_bank(Command::RD, Command::PRE)),
      after_write_(device.table().same_bank(Command::WR, Command::PRE)),
      refresh_cycles_(device.table().same_bank(Command::REFab, Command::ACT)),
      rows_(device.banks()),
      earlier_(device.banks()),
      walks_(device.ranks()) {}

void EnergyShares::closed_between(std::uint32_t rank, std::int64_t cycle) {
  RankWalk& walk = walks_[rank];
  give_to_owner(walk);
  walk.closed.push_back({walk.open_until, cycle});
  ranks_[rank].closed_cycles += cycle - walk.open_until;
}

void EnergyShares::change_user(std::uint32_t bank, std::uint32_t origin) {
  OpenRow& row = rows_[bank];
  origins_[row.user].bank_open_cycles += row.last - row.mark;
  row.mark = row.last;
  if (row.streak != 0) {
    earlier_[bank].emplace_back(row.user, row.streak);
    row.shared = true;
  }
  row.user = origin;
  row.streak = 0;
}

void EnergyShares::give_to_owner(RankWalk& walk) {
  if (walk.owner != kNobody) origins_[walk.owner].rank_open_cycles += walk.last - walk.mark;
  walk.mark = walk.last;
  walk.owner = kNobody;
}

void EnergyShares::change_owner(RankWalk& walk, std::int64_t cycle, std::int64_t arrival,
                                std::uint32_t origin) {
  give_to_owner(walk);
  base::OriginCounters& owner = origins_[origin];
  const std::int64_t start = std::max(walk.mark, arrival);
  if (walk.closed.empty()) {
    owner.rank_open_cycles += cycle - start;
    shared_.idle_rank_open_cycles += start - walk.mark;
  } else {
    give_split_stretch(walk, owner, start, cycle);
  }
  walk.mark = walk.last = cycle;
  walk.owner = origin;
}

void EnergyShares::auto_precharge(std::uint32_t bank, std::int64_t cycle, bool read) {
  OpenRow& row = rows_[bank];
  row.state = State::closing;
  row.closes = std::max(row.activated + least_open_, cycle + (read ? after_read_ : after_write_));
  settle_tickets(bank, true);
  RankWalk& walk = walks_[device_.rank_of()[bank]];
  --walk.open;
  walk.open_until = std::max(walk.open_until, row.closes);
}

// energy-and-heat.md 2d: a refresh marks its banks open from its issue to tRFC later.
void EnergyShares::refresh(std::uint32_t rank, std::int64_t cycle) {
  opens(rank, cycle);
  const std::uint32_t first = rank * device_.banks_per_rank();
  for (std::uint32_t bank = first; bank < first + device_.banks_per_rank(); ++bank) {
    settle_residency(bank, cycle);
    OpenRow& row = rows_[bank];
    row.mark = row.last = row.counted = cycle;
    row.closes = cycle + refresh_cycles_;
    row.state = State::refreshing;
  }
  walks_[rank].open_until = std::max(walks_[rank].open_until, cycle + refresh_cycles_);
}

void EnergyShares::settle_closing(std::uint32_t bank, std::int64_t now) {
  OpenRow& row = rows_[bank];
  const std::int64_t end = std::min(now, row.closes);
  if (row.state == State::closing) {
    origins_[row.user].bank_open_cycles += end - row.mark;
  } else {
    shared_.refresh_bank_open_cycles += end - row.mark;
  }
  banks_[bank].open_cycles += end - row.counted;
  row.mark = row.last = row.counted = end;
  if (end == row.closes) row.state = State::closed;
}

// Equal shares to the column commands of the row, the remainder to the first of them.
void EnergyShares::settle_tickets(std::uint32_t bank, bool closing) {
  OpenRow& row = rows_[bank];
  auto& earlier = earlier_[bank];
  if (row.settled) {
    earlier.clear();
    row.shared = false;
    return;
  }
  row.settled = true;
  std::int64_t hits = row.streak;
  for (const auto& [origin, count] : earlier) hits += count;
  if (hits == 0) {
    // At the edge of a window the row may still be used: its opener pays, and nothing is wasted.
    if (closing) {
      ++origins_[row.user].wasted_activations;
      shared_.wasted_activation_tickets += base::kActivationTickets;
    } else {
      origins_[row.user].activation_tickets += base::kActivationTickets;
    }
    return;
  }
  const std::int64_t share = base::kActivationTickets / hits;
  const std::uint32_t first = earlier.empty() ? row.user : earlier.front().first;
  origins_[first].activation_tickets += base::kActivationTickets - share * hits;
  for (const auto& [origin, count] : earlier) {
    origins_[origin].activation_tickets += share * count;
  }
  origins_[row.user].activation_tickets += share * row.streak;
  earlier.clear();
  row.shared = false;
}

void EnergyShares::give_split_stretch(RankWalk& walk, base::OriginCounters& owner,
                                      std::int64_t start, std::int64_t end) {
  std::int64_t closed_owned = 0;
  std::int64_t closed_idle = 0;
  for (const Interval& closed : walk.closed) {
    const std::int64_t cut = std::clamp(start, closed.begin, closed.end);
    closed_idle += cut - closed.begin;
    closed_owned += closed.end - cut;
  }
  owner.rank_closed_cycles += closed_owned;
  owner.rank_open_cycles += end - start - closed_owned;
  shared_.idle_rank_closed_cycles += closed_idle;
  shared_.idle_rank_open_cycles += start - walk.mark - closed_idle;
  walk.closed.clear();
}

// An open row up to now: its last user's up to the earliest legal precharge, then held open.
void EnergyShares::settle_open(std::uint32_t bank, std::int64_t now) {
  OpenRow& row = rows_[bank];
  const std::int64_t legal = device_.earliest_at(Command::PRE, bank);
  const std::int64_t used = std::clamp(legal, row.last, now);
  origins_[row.user].bank_open_cycles += used - row.mark;
  shared_.row_held_open_bank_cycles += now - used;
  banks_[bank].open_cycles += now - row.counted;
  row.mark = row.last = row.counted = now;
}

// A rank's stretch since its last column command belongs to nobody.
void EnergyShares::settle_idle(std::uint32_t rank, std::int64_t now) {
  RankWalk& walk = walks_[rank];
  give_to_owner(walk);
  opens(rank, now);  // a closed stretch that lasts is counted up to now
  walk.open_until = std::max(walk.open_until, now);
  base::OriginCounters nobody;
  give_split_stretch(walk, nobody, now, now);
  walk.mark = walk.last = now;
}

void EnergyShares::slept(std::uint32_t rank, std::int64_t from, std::int64_t until) {
  const std::uint32_t first = rank * device_.banks_per_rank();
  for (std::uint32_t bank = first; bank < first + device_.banks_per_rank(); ++bank) {
    settle_residency(bank, from);
    OpenRow& row = rows_[bank];
    if (row.state == State::open) settle_open(bank, from);
    row.mark = row.last = row.counted = until;
  }
  settle_idle(rank, from);
  walks_[rank].mark = walks_[rank].last = until;
  walks_[rank].open_until = std::max(walks_[rank].open_until, until);
}

void EnergyShares::settle_idle_channel(std::int64_t now) {
  for (std::uint32_t bank = 0; bank < device_.banks(); ++bank) settle_residency(bank, now);
  for (std::uint32_t rank = 0; rank < device_.ranks(); ++rank) settle_idle(rank, now);
}

void EnergyShares::pass_idle_time(std::int64_t cycles) {
  for (RankWalk& walk : walks_) {
    walk.mark += cycles;
    walk.last += cycles;
    walk.open_until += cycles;
  }
}

void EnergyShares::cut(std::int64_t begin, std::int64_t now) {
  for (std::uint32_t bank = 0; bank < device_.banks(); ++bank) {
    settle_residency(bank, now);
    if (rows_[bank].state != State::open) continue;
    settle_open(bank, now);
    settle_tickets(bank, false);
  }
  for (std::uint32_t rank = 0; rank < device_.ranks(); ++rank) {
    settle_idle(rank, now);
    const base::RankCounters& counted = ranks_[rank];
    ranks_[rank].any_open_cycles =
        now - begin - counted.closed_cycles - counted.power_down_active_cycles -
        counted.power_down_precharge_cycles - counted.self_refresh_cycles;
  }
}

}  // namespace diffram::ctrl

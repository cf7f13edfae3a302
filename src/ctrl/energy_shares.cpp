#include "ctrl/energy_shares.h"

namespace diffram::ctrl {

using spec::Command;

namespace {

/// What is left of the window.
std::int64_t any_open_cycles(const base::RankCounters& rank, std::int64_t window) {
  return window - rank.closed_cycles - rank.power_down_active_cycles -
         rank.power_down_precharge_cycles - rank.self_refresh_cycles;
}

}  // namespace

EnergyShares::EnergyShares(const dram::Device& device, std::vector<BankRecord>& banks,
                           WindowCounters& counters)
    : device_(device),
      banks_(banks),
      origins_(counters.origins.data()),
      ranks_(counters.ranks),
      shared_(counters.shared),
      least_open_(device.table().same_bank(Command::ACT, Command::PRE)),
      after_read_(device.table().same_bank(Command::RD, Command::PRE)),
      after_write_(device.table().same_bank(Command::WR, Command::PRE)),
      refresh_cycles_(device.table().same_bank(Command::REFab, Command::ACT)),
      earlier_(device.banks()),
      walks_(device.ranks()) {
  for (std::uint32_t bank = 0; bank < device_.banks(); ++bank) {
    banks_[bank].rank = &walks_[device_.rank_of()[bank]];
    banks_[bank].counters = &counters.banks[bank];
  }
}

void EnergyShares::closed_between(RankWalk& walk, std::int64_t cycle) {
  give_to_owner(walk);
  walk.closed.push_back({walk.open_until, cycle});
  counters_of(walk).closed_cycles += cycle - walk.open_until;
}

void EnergyShares::change_user(BankRecord& bank, std::uint32_t origin) {
  OpenRow& row = bank.row;
  origins_[row.user].bank_open_cycles += row.last - row.mark;
  row.mark = row.last;
  const std::int64_t columns = row.own_columns();
  row.columns -= static_cast<std::uint64_t>(columns);
  if (columns != 0 && row.has_tickets()) {
    earlier(bank).emplace_back(row.user, columns);
    row.columns = OpenRow::kShared;
  }
  row.user = origin;
}

void EnergyShares::give_to_owner(RankWalk& walk) {
  if (walk.owner != RankWalk::kNobody)
    origins_[walk.owner].rank_open_cycles += walk.last - walk.mark;
  walk.mark = walk.last;
  walk.owner = RankWalk::kNobody;
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

void EnergyShares::auto_precharge(BankRecord& bank, std::int64_t cycle, bool read) {
  OpenRow& row = bank.row;
  row.state = RowState::closing;
  row.closes = std::max(device_.last_cycle(Command::ACT, index_of(bank)) + least_open_,
                        cycle + (read ? after_read_ : after_write_));
  settle_tickets(bank, true);
  --bank.rank->open;
  bank.rank->open_until = std::max(bank.rank->open_until, row.closes);
}

// energy-and-heat.md 2d: a refresh marks its banks open from its issue to tRFC later.
void EnergyShares::mark_refreshing(BankRecord& bank, std::int64_t cycle, std::int64_t cycles) {
  settle_residency(bank, cycle);
  OpenRow& row = bank.row;
  row.mark = row.last = cycle;
  row.open_cycles -= cycle;
  row.closes = cycle + cycles;
  row.state = RowState::refreshing;
}

void EnergyShares::refresh(std::uint32_t rank, std::int64_t cycle) {
  opens(walks_[rank], cycle);
  const std::uint32_t first = rank * device_.banks_per_rank();
  for (std::uint32_t bank = first; bank < first + device_.banks_per_rank(); ++bank) {
    mark_refreshing(banks_[bank], cycle, refresh_cycles_);
  }
  walks_[rank].open_until = std::max(walks_[rank].open_until, cycle + refresh_cycles_);
}

void EnergyShares::refresh_part(std::uint32_t rank, const std::vector<std::uint32_t>& banks,
                                std::int64_t cycle, std::int64_t cycles) {
  opens(walks_[rank], cycle);
  for (const std::uint32_t bank : banks) mark_refreshing(banks_[bank], cycle, cycles);
  walks_[rank].open_until = std::max(walks_[rank].open_until, cycle + cycles);
}

void EnergyShares::settle_closing(BankRecord& bank, std::int64_t now) {
  OpenRow& row = bank.row;
  const std::int64_t end = std::min(now, row.closes);
  if (row.state == RowState::closing) {
    origins_[row.user].bank_open_cycles += end - row.mark;
  } else {
    shared_.refresh_bank_open_cycles += end - row.mark;
  }
  row.mark = row.last = end;
  if (end < row.closes) return;
  row.state = RowState::closed;
  row.open_cycles += end;
}

// Equal shares to the column commands of the row, the remainder to the first of them.
void EnergyShares::settle_tickets(BankRecord& bank, bool closing) {
  OpenRow& row = bank.row;
  if (!row.has_tickets()) return;
  const std::int64_t own = row.own_columns();
  row.columns = OpenRow::kGiven + static_cast<std::uint64_t>(own);
  auto& others = earlier(bank);
  std::int64_t hits = own;
  for (const auto& [origin, count] : others) hits += count;
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
  const std::uint32_t first = others.empty() ? row.user : others.front().first;
  origins_[first].activation_tickets += base::kActivationTickets - share * hits;
  for (const auto& [origin, count] : others) origins_[origin].activation_tickets += share * count;
  origins_[row.user].activation_tickets += share * own;
  others.clear();
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
  OpenRow& row = banks_[bank].row;
  const std::int64_t legal = device_.earliest_at(Command::PRE, bank);
  const std::int64_t used = std::clamp(legal, row.last, now);
  origins_[row.user].bank_open_cycles += used - row.mark;
  row.held_open += now - used;
  row.mark = row.last = now;
}

void EnergyShares::flush(BankRecord& bank, std::int64_t now) {
  OpenRow& row = bank.row;
  const std::int64_t since = row.state == RowState::closed ? 0 : now;
  bank.counters->open_cycles += row.open_cycles + since;
  row.open_cycles = -since;
  shared_.row_held_open_bank_cycles += row.held_open;
  row.held_open = 0;
}

// A rank's stretch since its last column command belongs to nobody.
void EnergyShares::settle_idle(std::uint32_t rank, std::int64_t now) {
  RankWalk& walk = walks_[rank];
  give_to_owner(walk);
  opens(walk, now);  // a closed stretch that lasts is counted up to now
  walk.open_until = std::max(walk.open_until, now);
  base::OriginCounters nobody;
  give_split_stretch(walk, nobody, now, now);
  walk.mark = walk.last = now;
}

void EnergyShares::slept(std::uint32_t rank, std::int64_t from, std::int64_t until) {
  const std::uint32_t first = rank * device_.banks_per_rank();
  for (std::uint32_t bank = first; bank < first + device_.banks_per_rank(); ++bank) {
    settle_residency(banks_[bank], from);
    OpenRow& row = banks_[bank].row;
    if (row.state == RowState::open) {
      settle_open(bank, from);
      row.open_cycles -= until - from;
    }
    row.mark = row.last = until;
  }
  settle_idle(rank, from);
  walks_[rank].mark = walks_[rank].last = until;
  walks_[rank].open_until = std::max(walks_[rank].open_until, until);
}

void EnergyShares::settle_idle_channel(std::int64_t now) {
  for (BankRecord& bank : banks_) {
    settle_residency(bank, now);
    flush(bank, now);
  }
  for (std::uint32_t rank = 0; rank < device_.ranks(); ++rank) settle_idle(rank, now);
}

void EnergyShares::pass_idle_time(std::int64_t cycles) {
  for (RankWalk& walk : walks_) {
    walk.mark += cycles;
    walk.last += cycles;
    walk.open_until += cycles;
  }
}

void EnergyShares::add_open_time(std::int64_t begin, std::int64_t now,
                                 base::ChannelCounters& out) const {
  for (std::size_t bank = 0; bank < banks_.size(); ++bank) {
    const OpenRow& row = banks_[bank].row;
    out.banks[bank].open_cycles += row.open_cycles;
    if (row.state == RowState::open) out.banks[bank].open_cycles += now;
    if (row.state > RowState::open) out.banks[bank].open_cycles += std::min(now, row.closes);
  }
  for (std::size_t rank = 0; rank < walks_.size(); ++rank) {
    const RankWalk& walk = walks_[rank];
    base::RankCounters& counted = out.ranks[rank];
    if (walk.open == 0 && walk.open_until < now) counted.closed_cycles += now - walk.open_until;
    counted.any_open_cycles = any_open_cycles(counted, now - begin);
  }
}

void EnergyShares::cut(std::int64_t begin, std::int64_t now) {
  for (std::uint32_t bank = 0; bank < device_.banks(); ++bank) {
    settle_residency(banks_[bank], now);
    if (banks_[bank].row.state == RowState::open) {
      settle_open(bank, now);
      settle_tickets(banks_[bank], false);
    }
    flush(banks_[bank], now);
  }
  for (std::uint32_t rank = 0; rank < device_.ranks(); ++rank) {
    settle_idle(rank, now);
    ranks_[rank].any_open_cycles = any_open_cycles(ranks_[rank], now - begin);
  }
}

}  // namespace diffram::ctrl

#include "physics/command_replay.h"

#include <algorithm>

namespace diffram::physics {

using spec::Command;

ReplayTimings replay_timings(const spec::MemorySpec& memory) {
  ReplayTimings t;
  t.ranks = memory.organisation.ranks;
  t.banks = memory.organisation.banks();
  const auto cycles = [&memory](Command before, Command after) {
    return same_bank_cycles(memory, before, after).value_or(0);
  };
  t.ras = cycles(Command::ACT, Command::PRE);
  t.rcd = std::max(cycles(Command::ACT, Command::RD), cycles(Command::ACT, Command::WR));
  t.rp = cycles(Command::PRE, Command::ACT);
  t.rfc = cycles(Command::REFab, Command::ACT);
  t.rfc_part = cycles(memory.protocol.part_refresh.value_or(Command::REFpb), Command::ACT);
  t.part = physics::refresh_part(memory);
  t.read_to_auto_precharge = cycles(Command::RD, Command::PRE);
  t.write_to_auto_precharge = cycles(Command::WR, Command::PRE);
  return t;
}

CommandReplay::CommandReplay(const ReplayTimings& timings)
    : timings_(timings), banks_(std::size_t{timings.ranks} * timings.banks), ranks_(timings.ranks) {
  counters_.banks.resize(banks_.size());
  counters_.part_refreshes.resize(banks_.size());
  counters_.ranks.resize(ranks_.size());
}

void CommandReplay::apply(const TimedCommand& c) {
  run_events(c.cycle);
  base::BankCounters& counters = counters_.banks[index(c.rank, c.bank)];
  Bank& bank = banks_[index(c.rank, c.bank)];
  const auto auto_precharge = [&](std::int64_t offset) {
    bank.is_closing = true;
    // The row stays open for tRAS even when the column command came early.
    const std::int64_t t = std::max(bank.opened + timings_.ras, c.cycle + offset);
    events_.emplace(t, Event{Due::auto_precharge, c.rank, c.bank, bank.openings, {}});
  };
  switch (c.command) {
    case Command::ACT:
      // Of a bank whose row is open: illegal, as logs of others may be, and counted once.
      if (bank.is_open && !bank.is_closing) break;
      ++counters.act;
      open(c.rank, c.bank, c.cycle);
      break;
    case Command::PRE:
      command_precharge(c.rank, c.bank, c.cycle);
      break;
    case Command::PREA:
      for (std::uint32_t b = 0; b < timings_.banks; ++b) command_precharge(c.rank, b, c.cycle);
      break;
    case Command::RD:
      ++counters.rd;
      break;
    case Command::WR:
      ++counters.wr;
      break;
    case Command::RDA:
      ++counters.rda;
      auto_precharge(timings_.read_to_auto_precharge);
      break;
    case Command::WRA:
      ++counters.wra;
      auto_precharge(timings_.write_to_auto_precharge);
      break;
    case Command::REFab:
      refresh(c.rank, c.cycle);
      break;
    case Command::REFpb:
    case Command::REFsb:
      refresh_part(c.rank, c.bank, c.cycle);
      break;
    case Command::SREFE:
      refresh(c.rank, c.cycle);
      events_.emplace(c.cycle + timings_.rfc, Event{Due::self_refresh_entry, c.rank, 0, 0, {}});
      break;
    case Command::SREFX:
      // An exit within the refresh that begins self refresh: it was never entered.
      std::erase_if(events_, [&c](const auto& event) {
        return event.second.due == Due::self_refresh_entry && event.second.rank == c.rank;
      });
      enter(c.rank, State::awake, c.cycle);
      break;
    case Command::PDE:
      if (c.power_down == PowerDown::deep_sleep) {
        enter(c.rank, State::deep_sleep, c.cycle);
        break;
      }
      events_.emplace(earliest_power_down(c.rank, c.cycle),
                      Event{Due::power_down_entry, c.rank, 0, 0, c.power_down});
      break;
    case Command::PDX:
      if (c.power_down == PowerDown::deep_sleep) {
        enter(c.rank, State::self_refresh, c.cycle);
        break;
      }
      events_.emplace(earliest_power_down(c.rank, c.cycle),
                      Event{Due::power_down_exit, c.rank, 0, 0, {}});
      break;
    default:  // no current loop says what the other commands cost
      break;
  }
}

base::ChannelCounters CommandReplay::at(std::int64_t cycle) const {
  CommandReplay copy = *this;
  copy.run_events(cycle);
  for (std::uint32_t rank = 0; rank < timings_.ranks; ++rank) copy.count_until(rank, cycle);
  copy.counters_.cycles = cycle;
  return copy.counters_;
}

void CommandReplay::run_events(std::int64_t until) {
  while (!events_.empty() && events_.begin()->first <= until) {
    const auto [t, event] = *events_.begin();
    events_.erase(events_.begin());
    run(event, t);
  }
}

void CommandReplay::run(const Event& event, std::int64_t t) {
  switch (event.due) {
    case Due::auto_precharge:
      if (const Bank& bank = banks_[index(event.rank, event.bank)];
          bank.is_open && bank.openings == event.opening)
        precharge(event.rank, event.bank, t);
      break;
    case Due::end_of_refresh:  // not a precharge: it is not counted and not paid as one
      for (std::uint32_t b = 0; b < timings_.banks; ++b) close(event.rank, b, t);
      break;
    case Due::end_of_part_refresh:
      for (std::uint32_t i = 0; i < timings_.part.banks; ++i)
        close(event.rank, of_part(event.bank, i), t);
      break;
    case Due::self_refresh_entry:
      enter(event.rank, State::self_refresh, t);
      break;
    case Due::power_down_entry: {
      const bool is_active = event.power_down == PowerDown::active || is_any_open(event.rank);
      enter(event.rank, is_active ? State::power_down_active : State::power_down_precharge, t);
      break;
    }
    case Due::power_down_exit:
      enter(event.rank, State::awake, t);
      break;
  }
}

void CommandReplay::open(std::uint32_t rank, std::uint32_t bank, std::int64_t t) {
  count_until(rank, t);
  Bank& b = banks_[index(rank, bank)];
  b.is_open = true;
  b.is_closing = false;
  b.opened = b.interval = t;
  ++b.openings;
}

void CommandReplay::close(std::uint32_t rank, std::uint32_t bank, std::int64_t t) {
  count_until(rank, t);
  banks_[index(rank, bank)].is_open = false;
}

void CommandReplay::command_precharge(std::uint32_t rank, std::uint32_t bank, std::int64_t t) {
  // A bank that is closed costs and changes nothing; nor does one that is about to close by itself,
  // as happens when a PREA before a refresh meets an RDA of a moment ago.
  const Bank& b = banks_[index(rank, bank)];
  if (!b.is_open || b.is_closing) return;
  ++counters_.banks[index(rank, bank)].pre;
  precharge(rank, bank, t);
}

void CommandReplay::precharge(std::uint32_t rank, std::uint32_t bank, std::int64_t t) {
  ranks_[rank].last_precharge = t;
  close(rank, bank, t);
}

void CommandReplay::refresh(std::uint32_t rank, std::int64_t t) {
  ++counters_.ranks[rank].refreshes;
  for (std::uint32_t b = 0; b < timings_.banks; ++b) {
    ++counters_.banks[index(rank, b)].refresh;
    open(rank, b, t);
  }
  extend_refresh(rank, t + timings_.rfc);
  events_.emplace(t + timings_.rfc, Event{Due::end_of_refresh, rank, 0, 0, {}});
}

void CommandReplay::refresh_part(std::uint32_t rank, std::uint32_t bank, std::int64_t t) {
  for (std::uint32_t i = 0; i < timings_.part.banks; ++i) {
    const std::uint32_t member = of_part(bank, i);
    ++counters_.banks[index(rank, member)].refresh;
    ++counters_.part_refreshes[index(rank, member)];
    open(rank, member, t);
  }
  extend_refresh(rank, t + timings_.rfc_part);
  events_.emplace(t + timings_.rfc_part, Event{Due::end_of_part_refresh, rank, bank, 0, {}});
}

void CommandReplay::extend_refresh(std::uint32_t rank, std::int64_t end) {
  ranks_[rank].refresh_end = std::max(ranks_[rank].refresh_end, end);
}

void CommandReplay::enter(std::uint32_t rank, State state, std::int64_t t) {
  count_until(rank, t);
  const bool was_active_power_down = ranks_[rank].state == State::power_down_active;
  ranks_[rank].state = state;
  if (!was_active_power_down) return;
  // An open interval restarts at the exit, so that the next entry waits tRCD from here (2d).
  for (std::uint32_t b = 0; b < timings_.banks; ++b)
    if (Bank& bank = banks_[index(rank, b)]; bank.is_open) bank.interval = t;
}

void CommandReplay::count_until(std::uint32_t rank, std::int64_t t) {
  Rank& r = ranks_[rank];
  base::RankCounters& counters = counters_.ranks[rank];
  const std::int64_t span = t - r.counted;
  r.counted = t;
  switch (r.state) {
    case State::power_down_active:
      counters.power_down_active_cycles += span;
      return;  // open banks do not pay for being open meanwhile
    case State::power_down_precharge:
      counters.power_down_precharge_cycles += span;
      return;
    case State::self_refresh:
      counters.self_refresh_cycles += span;
      return;
    case State::deep_sleep:
      counters.deep_sleep_cycles += span;
      return;
    case State::awake:
      break;
  }
  (is_any_open(rank) ? counters.any_open_cycles : counters.closed_cycles) += span;
  for (std::uint32_t b = 0; b < timings_.banks; ++b)
    if (banks_[index(rank, b)].is_open) counters_.banks[index(rank, b)].open_cycles += span;
}

bool CommandReplay::is_any_open(std::uint32_t rank) const {
  const auto first = banks_.begin() + static_cast<std::ptrdiff_t>(index(rank, 0));
  return std::any_of(first, first + timings_.banks, [](const Bank& b) { return b.is_open; });
}

std::int64_t CommandReplay::earliest_power_down(std::uint32_t rank, std::int64_t t) const {
  const Rank& r = ranks_[rank];
  std::int64_t earliest = std::max(t, r.refresh_end);
  if (r.last_precharge >= 0) earliest = std::max(earliest, r.last_precharge + timings_.rp);
  for (std::uint32_t b = 0; b < timings_.banks; ++b)
    if (const Bank& bank = banks_[index(rank, b)]; bank.interval >= 0)
      earliest = std::max(earliest, bank.interval + timings_.rcd);
  return earliest;
}

}  // namespace diffram::physics

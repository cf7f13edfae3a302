#include "naive/naive_channel.h"

#include <algorithm>
#include <bit>

namespace diffram::naive {

using spec::Command;
using spec::Scope;

bool in_scope(Scope scope, const Place& before, const Place& after,
              std::uint32_t groups_per_stack) {
  const bool same_rank = before.rank == after.rank;
  const bool same_group = same_rank && before.bank_group == after.bank_group;
  switch (scope) {
    case Scope::bank:
      return same_group && before.bank == after.bank;
    case Scope::bank_group:
      return same_group;
    case Scope::other_group:
      return same_rank && !same_group;
    case Scope::rank:
      return same_rank;
    case Scope::other_stack:
      return same_rank &&
             before.bank_group / groups_per_stack != after.bank_group / groups_per_stack;
    case Scope::other_rank:
      return !same_rank;
    case Scope::channel:
      return true;
  }
  return false;
}

namespace {

std::uint32_t field(const std::vector<std::uint64_t>& masks, std::uint64_t address) {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < masks.size(); ++i)
    value |= static_cast<std::uint32_t>(std::popcount(address & masks[i]) & 1) << i;
  return value;
}

}  // namespace

std::vector<Place> History::banks_of(Command command, const Place& place) const {
  if (command != Command::REFpb && command != Command::REFsb) return {place};
  const auto groups = spec_.organisation.bank_groups;
  std::vector<Place> out;
  for (std::uint32_t g = 0; g < groups; ++g) {
    const bool in_it = spec_.protocol.refresh_unit == spec::RefreshUnit::same_bank ||
                       g == place.bank_group ||
                       (spec_.protocol.refresh_unit == spec::RefreshUnit::bank_pair &&
                        (g == place.bank_group + groups / 2 || place.bank_group == g + groups / 2));
    if (in_it) out.push_back({place.rank, g, place.bank, 0, 0});
  }
  return out;
}

// A row is broken if, within its last `cycles` cycles, `before` came `window` times or more.
bool History::legal(Command command, const Place& place, std::int64_t cycle) const {
  const auto stack = spec_.organisation.groups_per_stack();
  const auto here = banks_of(command, place);
  for (const auto& row : spec_.constraints) {
    if (row.after != command) continue;
    int seen = 0;
    for (auto it = past_.rbegin(); it != past_.rend() && it->cycle > cycle - row.cycles; ++it) {
      if (it->command != row.before) continue;
      const auto there = banks_of(it->command, it->place);
      seen += std::any_of(here.begin(), here.end(), [&](const Place& to) {
        return std::any_of(there.begin(), there.end(),
                           [&](const Place& from) { return in_scope(row.scope, from, to, stack); });
      });
    }
    if (seen >= row.window) return false;
  }
  return true;
}

Channel::Channel(const spec::MemorySpec& spec, std::uint32_t channel)
    : spec_(spec), channel_(channel), history_(spec_) {
  const auto& o = spec_.organisation;
  for (std::uint32_t r = 0; r < o.ranks; ++r) {
    for (std::uint32_t g = 0; g < o.bank_groups; ++g) {
      for (std::uint32_t b = 0; b < o.banks_per_group; ++b)
        banks_.emplace_back().place = {r, g, b, 0, 0};
    }
    const std::int64_t interval =
        spec_.timing(spec_.controller.refresh_by_parts ? "nREFIpb" : "nREFI");
    ranks_.emplace_back().due =
        spec_.controller.refresh_stagger ? interval * (r + 1) / o.ranks : interval;
  }
}

void Channel::submit(const base::Request& run, std::int64_t arrival, std::uint64_t ticket) {
  const std::uint64_t size = spec_.organisation.burst_bytes();
  Run entry{submissions_++, arrival, ticket, {}};
  for (auto at = run.address / size * size; at < run.address + run.bytes; at += size) {
    if (field(spec_.map.channel, at) == channel_) entry.bursts.push_back(at);
  }
  bursts_left_[ticket] = static_cast<std::int64_t>(entry.bursts.size());
  if (entry.bursts.empty()) {
    completions_[ticket] = arrival;
    return;
  }
  (run.direction == base::Direction::read ? read_list_ : write_list_).push_back(std::move(entry));
}

void Channel::advance(std::int64_t until) {
  while (cycle_ < until) tick();
}

std::int64_t Channel::drain() {
  const auto all_issued = [&] {
    return std::all_of(bursts_left_.begin(), bursts_left_.end(),
                       [](const auto& entry) { return entry.second == 0; });
  };
  while (!all_issued()) tick();
  std::int64_t end = cycle_;
  for (const auto& entry : latest_) end = std::max(end, entry.second);
  advance(end);
  return end;
}

void Channel::tick() {
  count_refreshes();
  admit();
  const bool clock_waits = std::any_of(ranks_.begin(), ranks_.end(), [&](const Rank& rank) {
    return rank.clock_for != nullptr && cycle_ <= rank.clock_until;
  });
  if (!clock_waits) turn();
  bool issued = wake_or_refresh();
  if (spec_.protocol.split_buses) {
    const bool column = issue_column();
    issued = issued || issue_row() || column;
  } else {
    issued = issued || issue_column() || issue_row();
  }
  if (!issued) keep_house();
  ++cycle_;
}

void Channel::admit() {
  for (bool changed = true; changed;) {
    const bool reads_first =
        !read_list_.empty() &&
        (write_list_.empty() || read_list_.front().order < write_list_.front().order);
    changed = admit_head(reads_first) || admit_head(!reads_first);
  }
}

bool Channel::admit_head(bool reads) {
  auto& list = reads ? read_list_ : write_list_;
  if (list.empty() || list.front().arrival > cycle_) return false;
  auto& run = list.front();
  const auto address = run.bursts.front();
  const auto same = [&](const Burst& b) { return b.address == address; };
  auto& queue = reads ? reads_ : writes_;
  if (queue.size() >= (reads ? spec_.controller.read_queue : spec_.controller.write_queue))
    return false;
  const auto place = decode(address);
  const auto of_bank = std::count_if(queue.begin(), queue.end(), [&](const Burst& b) {
    return in_scope(Scope::bank, b.place, place);
  });
  if (spec_.controller.queue_shape == spec::QueueShape::per_bank &&
      of_bank >= spec_.controller.bank_queue)
    return false;
  if (!reads && std::any_of(reads_.begin(), reads_.end(), same)) return false;
  if (reads && std::any_of(writes_.begin(), writes_.end(), same)) {
    ++outcomes_.forwarded;
    finish_burst(run.ticket, cycle_ + 1);
  } else {
    queue.push_back({address, place, cycle_, ages_++, run.ticket, Mark::none, 0});
  }
  run.bursts.pop_front();
  if (run.bursts.empty()) list.pop_front();
  return true;
}

bool Channel::issue_column() {
  Candidate best;
  for (auto& bank : banks_) {
    if (!bank.open || kept(bank)) continue;
    auto* oldest = oldest_of(bank);
    auto* hit = oldest_hit_of(bank);
    if (!hit_may_go(bank, hit, oldest)) continue;
    if (!column_may_go(bank, hit->place)) continue;
    if (best.burst == nullptr || hit->age < best.burst->age) best = {&bank, hit, oldest};
  }
  if (best.burst == nullptr) return false;
  auto& of_clock = ranks_[best.bank->place.rank];
  const auto clock_cycles =
      writing_ ? spec_.protocol.clock_after_write : spec_.protocol.clock_after_read;
  if (!clock_runs(best.bank->place.rank)) {
    issue(writing_ ? Command::CAS_WR : Command::CAS_RD, {best.bank->place.rank, 0, 0, 0, 0});
    of_clock.clock_until = cycle_ + clock_cycles;
    of_clock.clock_for = best.bank;
    return true;
  }
  of_clock.clock_for = nullptr;
  of_clock.clock_until = std::max(of_clock.clock_until, cycle_ + clock_cycles);
  if (best.burst != best.oldest) {
    ++best.bank->passes;
    ++best.oldest->passed;
  }
  ++served_;
  const Burst burst = *best.burst;
  longest_wait_ = std::max(longest_wait_, cycle_ - burst.accepted);
  judge(*best.bank, burst.place.row);
  auto& queue = present();
  queue.erase(queue.begin() + (best.burst - queue.data()));
  const bool closes = row_ends(*best.bank, burst);
  const auto latency = spec_.timing(writing_ ? "nCWL" : "nCL") + spec_.timing("nBL");
  auto& rank = ranks_[burst.place.rank];
  best.bank->used = rank.last_column = cycle_;
  if (closes) {
    best.bank->open = false;
    const auto precharge =
        std::max(best.bank->activated + apart(Command::ACT, Command::PRE),
                 cycle_ + apart(writing_ ? Command::WR : Command::RD, Command::PRE));
    rank.at_rest = std::max(rank.at_rest, precharge + apart(Command::PRE, Command::ACT));
  }
  issue(writing_ ? (closes ? Command::WRA : Command::WR) : (closes ? Command::RDA : Command::RD),
        burst.place);
  finish_burst(burst.ticket, cycle_ + latency);
  ++(burst.mark == Mark::conflict ? outcomes_.conflicts
     : burst.mark == Mark::miss   ? outcomes_.misses
                                  : outcomes_.hits);
  return true;
}

bool Channel::issue_row() {
  Candidate best;
  for (auto& bank : banks_) {
    if (kept(bank)) continue;
    auto* oldest = oldest_of(bank);
    if (oldest == nullptr) continue;
    if (bank.open &&
        (oldest->place.row == bank.row || hit_may_go(bank, oldest_hit_of(bank), oldest)))
      continue;
    if (!history_.legal(bank.open ? Command::PRE : Command::ACT, oldest->place, cycle_)) continue;
    if (best.oldest == nullptr || oldest->age < best.oldest->age) best = {&bank, nullptr, oldest};
  }
  if (best.oldest == nullptr) return false;
  if (best.bank->open) {
    best.oldest->mark = Mark::conflict;
    return close(*best.bank);
  }
  open_row(*best.bank, *best.oldest);
  return true;
}

void Channel::open_row(Bank& bank, Burst& oldest) {
  if (oldest.mark == Mark::none) oldest.mark = Mark::miss;
  judge(bank, oldest.place.row);
  bank.open = true;
  bank.row = oldest.place.row;
  bank.passes = 0;
  bank.used = bank.activated = cycle_;
  auto& at_rest = ranks_[bank.place.rank].at_rest;
  at_rest = std::max(at_rest, cycle_ + apart(Command::ACT, Command::RD));
  issue(Command::ACT, oldest.place);
}

void Channel::issue(Command command, const Place& place) {
  history_.record(command, place, cycle_);
  commands_.push_back({cycle_, command, place});
}

void Channel::finish_burst(std::uint64_t ticket, std::int64_t cycle) {
  latest_[ticket] = std::max(latest_[ticket], cycle);
  if (--bursts_left_[ticket] == 0) completions_[ticket] = latest_[ticket];
}

std::int64_t Channel::apart(Command before, Command after) const {
  std::int64_t cycles = 0;
  for (const auto& row : spec_.constraints) {
    const bool in_bank = row.scope != Scope::other_group && row.scope != Scope::other_stack &&
                         row.scope != Scope::other_rank;
    if (row.before == before && row.after == after && row.window == 1 && in_bank)
      cycles = std::max<std::int64_t>(cycles, row.cycles);
  }
  return cycles;
}

bool Channel::overdue(const Burst& burst) const {
  return cycle_ - burst.accepted >= spec_.controller.max_wait;
}

bool Channel::visible(const Burst& burst) const {
  return cycle_ >= burst.accepted + spec_.controller.dispatch;
}

// Queues are in order of acceptance, so the first match is the oldest.
Channel::Burst* Channel::oldest_of(const Bank& bank) {
  for (auto& burst : present()) {
    if (counts(burst) && in_scope(Scope::bank, burst.place, bank.place)) return &burst;
  }
  return nullptr;
}

Channel::Burst* Channel::oldest_hit_of(const Bank& bank) {
  for (auto& burst : present()) {
    if (counts(burst) && in_scope(Scope::bank, burst.place, bank.place) &&
        burst.place.row == bank.row)
      return &burst;
  }
  return nullptr;
}

bool Channel::prea_is_legal(std::uint32_t rank) const {
  return history_.legal(Command::PREA, {rank, 0, 0, 0, 0}, cycle_) &&
         std::all_of(banks_.begin(), banks_.end(), [&](const Bank& b) {
           return b.place.rank != rank || !b.open || history_.legal(Command::PRE, b.place, cycle_);
         });
}

Place Channel::decode(std::uint64_t address) const {
  const auto& map = spec_.map;
  return {field(map.rank, address), field(map.bank_group, address), field(map.bank, address),
          field(map.row, address), field(map.column, address)};
}

}  // namespace diffram::naive

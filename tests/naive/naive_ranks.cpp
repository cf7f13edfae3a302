// Refresh, sleep and housekeeping (docs/controller.md 1, 4 and 7).

#include <algorithm>

#include "naive/naive_channel.h"

namespace diffram::naive {

using spec::Command;

void Channel::count_refreshes() {
  const std::int64_t interval =
      spec_.timing(spec_.controller.refresh_by_parts ? "nREFIpb" : "nREFI");
  if (interval == 0) return;
  for (auto& rank : ranks_) {
    if (cycle_ != rank.due) continue;
    rank.due += interval;
    if (rank.state != State::self_refresh) ++rank.debt;
  }
}

bool Channel::idle(std::uint32_t rank) const {
  const auto here = [&](const Burst& burst) { return burst.place.rank == rank; };
  return std::none_of(reads_.begin(), reads_.end(), here) &&
         std::none_of(writes_.begin(), writes_.end(), here);
}

bool Channel::held(std::uint32_t rank) const {
  const auto debt = ranks_[rank].debt;
  return debt > spec_.controller.refresh_postpone || (debt > 0 && idle(rank));
}

bool Channel::works(std::uint32_t rank) const {
  return ranks_[rank].state == State::awake && !held(rank);
}

bool Channel::any_open(std::uint32_t rank) const {
  return std::any_of(banks_.begin(), banks_.end(),
                     [&](const Bank& b) { return b.place.rank == rank && b.open; });
}

bool Channel::wake_or_refresh() {
  for (std::uint32_t rank = 0; rank < ranks_.size(); ++rank) {
    const auto state = ranks_[rank].state;
    if (state != State::awake) {
      if ((!idle(rank) || (state == State::power_down && held(rank))) && wake(rank)) return true;
    } else if (held(rank) && refresh_rank(rank)) {
      return true;
    }
  }
  return false;
}

bool Channel::wake(std::uint32_t r) {
  auto& rank = ranks_[r];
  const Place place{r, 0, 0, 0, 0};
  const auto exit = rank.state == State::power_down ? Command::PDX : Command::SREFX;
  if (!history_.legal(exit, place, cycle_)) return false;
  if (exit == Command::SREFX) rank.must_refresh = true;
  if (exit == Command::PDX)
    rank.at_rest = std::max(rank.at_rest, cycle_ + apart(Command::ACT, Command::RD));
  rank.state = State::awake;
  issue(exit, place);
  return true;
}

// It sleeps, or is kept for a refresh: of its rank, or of its part of it.
bool Channel::kept(const Bank& bank) {
  const auto rank = bank.place.rank;
  if (ranks_[rank].state != State::awake) return true;
  if (!held(rank) || !spec_.controller.refresh_by_parts) return held(rank);
  const auto part = next_part_of(rank);
  return std::find(part.begin(), part.end(), &bank) != part.end();
}

std::vector<Channel::Bank*> Channel::next_part_of(std::uint32_t r) {
  const auto& o = spec_.organisation;
  auto groups = o.bank_groups;  // with parts of their own
  if (spec_.protocol.refresh_unit == spec::RefreshUnit::same_bank) groups = 1;
  if (spec_.protocol.refresh_unit == spec::RefreshUnit::bank_pair)
    groups = std::max(1u, groups / 2);
  const auto next = ranks_[r].next_part;
  std::vector<Bank*> out;
  for (auto& bank : banks_) {
    const auto& p = bank.place;
    if (p.rank == r && p.bank_group % groups == next / o.banks_per_group &&
        p.bank == next % o.banks_per_group)
      out.push_back(&bank);
  }
  return out;
}

bool Channel::legal_at_edge(Command command, const Place& place) const {
  const bool at_edge =
      !spec_.protocol.starts_with_clock(command) || cycle_ % spec_.protocol.ticks_per_clock == 0;
  return at_edge && history_.legal(command, place, cycle_);
}

bool Channel::refresh_part(std::uint32_t r) {
  auto& rank = ranks_[r];
  const auto part = next_part_of(r);
  for (auto* bank : part) {
    if (bank->open && close(*bank)) return true;
  }
  const auto command = *spec_.protocol.part_refresh;
  if (std::any_of(part.begin(), part.end(), [](const Bank* bank) { return bank->open; }) ||
      !legal_at_edge(command, part.front()->place))
    return false;
  issue(command, part.front()->place);
  const auto& o = spec_.organisation;
  const auto parts = o.bank_groups * o.banks_per_group / static_cast<std::uint32_t>(part.size());
  rank.next_part = (rank.next_part + 1) % parts;
  rank.debt =
      std::max<std::int64_t>(rank.debt - 1, -std::int64_t{spec_.controller.refresh_pull_in});
  rank.must_refresh = false;
  rank.at_rest = std::max(rank.at_rest, cycle_ + apart(command, Command::ACT));
  return true;
}

bool Channel::column_may_go(const Bank& bank, const Place& place) const {
  const auto& rank = ranks_[bank.place.rank];
  const auto column = writing_ ? Command::WR : Command::RD;
  if (clock_runs(bank.place.rank)) {
    const bool for_another = has_clock() && rank.clock_for != nullptr && rank.clock_for != &bank;
    return !for_another && history_.legal(column, place, cycle_);
  }
  return history_.legal(column, place, cycle_ + spec_.protocol.clock_lead) &&
         history_.legal(writing_ ? Command::CAS_WR : Command::CAS_RD, {bank.place.rank, 0, 0, 0, 0},
                        cycle_);
}

bool Channel::refresh_rank(std::uint32_t r) {
  if (spec_.controller.refresh_by_parts) return refresh_part(r);
  auto& rank = ranks_[r];
  const Place place{r, 0, 0, 0, 0};
  if (!any_open(r)) {
    if (!history_.legal(Command::REFab, place, cycle_)) return false;
    issue(Command::REFab, place);
    rank.debt =
        std::max<std::int64_t>(rank.debt - 1, -std::int64_t{spec_.controller.refresh_pull_in});
    rank.must_refresh = false;
    rank.at_rest = std::max(rank.at_rest, cycle_ + apart(Command::REFab, Command::ACT));
    return true;
  }
  if (!prea_is_legal(r)) return false;
  for (auto& bank : banks_) {
    if (bank.place.rank != r || !bank.open) continue;
    bank.open = false;
    history_.record(Command::PRE, bank.place, cycle_);
  }
  issue(Command::PREA, place);
  rank.at_rest = std::max(rank.at_rest, cycle_ + apart(Command::PRE, Command::ACT));
  return true;
}

bool Channel::keep_house() { return close_idle_row() || pull_in() || go_to_sleep(); }

bool Channel::close(Bank& bank) {
  if (!history_.legal(Command::PRE, bank.place, cycle_)) return false;
  bank.open = false;
  auto& at_rest = ranks_[bank.place.rank].at_rest;
  at_rest = std::max(at_rest, cycle_ + apart(Command::PRE, Command::ACT));
  issue(Command::PRE, bank.place);
  return true;
}

bool Channel::close_idle_row() {
  if (spec_.controller.page_policy != spec::PagePolicy::timeout) return false;
  for (auto& bank : banks_) {
    if (!bank.open || kept(bank)) continue;
    if (cycle_ - bank.used < spec_.controller.page_timeout) continue;
    const auto wants_it = [&](const Burst& b) {
      return in_scope(spec::Scope::bank, b.place, bank.place) && b.place.row == bank.row;
    };
    if (std::any_of(reads_.begin(), reads_.end(), wants_it)) continue;
    if (std::any_of(writes_.begin(), writes_.end(), wants_it)) continue;
    if (close(bank)) return true;
  }
  return false;
}

bool Channel::pull_in() {
  const std::int64_t most = spec_.controller.refresh_pull_in;
  if (spec_.timing("nREFI") == 0) return false;
  for (std::uint32_t rank = 0; rank < ranks_.size(); ++rank) {
    if (works(rank) && idle(rank) && ranks_[rank].debt > -most &&
        quiet(rank) >= apart(Command::REFab, Command::ACT) && refresh_rank(rank))
      return true;
  }
  return false;
}

bool Channel::go_to_sleep() {
  const auto& policy = spec_.controller;
  for (std::uint32_t rank = 0; rank < ranks_.size(); ++rank) {
    if (!idle(rank)) continue;
    const bool for_long = policy.self_refresh_after > 0 && quiet(rank) >= policy.self_refresh_after;
    const bool for_a_while = policy.power_down_after > 0 && quiet(rank) >= policy.power_down_after;
    if (ranks_[rank].state == State::power_down) {
      if (for_long && wake(rank)) return true;
    } else if (works(rank)) {
      if (for_long ? enter_self_refresh(rank) : for_a_while && enter_power_down(rank)) return true;
    }
  }
  return false;
}

bool Channel::enter_self_refresh(std::uint32_t r) {
  auto& rank = ranks_[r];
  for (auto& bank : banks_) {
    if (bank.place.rank == r && bank.open && close(bank)) return true;
  }
  if (any_open(r)) return false;
  if (spec_.timing("nREFI") > 0 && rank.must_refresh) return refresh_rank(r);
  const Place place{r, 0, 0, 0, 0};
  if (cycle_ < rank.at_rest || !history_.legal(Command::SREFE, place, cycle_)) return false;
  rank.state = State::self_refresh;
  rank.clock_until = std::min(rank.clock_until, cycle_);
  rank.debt = 0;
  issue(Command::SREFE, place);
  return true;
}

bool Channel::enter_power_down(std::uint32_t r) {
  auto& rank = ranks_[r];
  const Place place{r, 0, 0, 0, 0};
  if (cycle_ < rank.at_rest || !history_.legal(Command::PDE, place, cycle_)) return false;
  rank.state = State::power_down;
  rank.clock_until = std::min(rank.clock_until, cycle_);
  issue(Command::PDE, place);
  return true;
}

}  // namespace diffram::naive

// Refresh, sleep and housekeeping (docs/controller.md 1, 4 and 7).

#include <algorithm>

#include "naive/naive_channel.h"

namespace diffram::naive {

using spec::Command;

void Channel::count_refreshes() {
  const std::int64_t interval = spec_.timing("nREFI");
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
  if (exit == Command::PDX) rank.at_rest = std::max(rank.at_rest, cycle_ + spec_.timing("nRCD"));
  rank.state = State::awake;
  issue(exit, place);
  return true;
}

bool Channel::refresh_rank(std::uint32_t r) {
  auto& rank = ranks_[r];
  const Place place{r, 0, 0, 0, 0};
  if (!any_open(r)) {
    if (!history_.legal(Command::REFab, place, cycle_)) return false;
    issue(Command::REFab, place);
    rank.debt =
        std::max<std::int64_t>(rank.debt - 1, -std::int64_t{spec_.controller.refresh_pull_in});
    rank.must_refresh = false;
    rank.at_rest = std::max(rank.at_rest, cycle_ + spec_.timing("nRFC"));
    return true;
  }
  if (!prea_is_legal(r)) return false;
  for (auto& bank : banks_) {
    if (bank.place.rank != r || !bank.open) continue;
    bank.open = false;
    history_.record(Command::PRE, bank.place, cycle_);
  }
  issue(Command::PREA, place);
  rank.at_rest = std::max(rank.at_rest, cycle_ + spec_.timing("nRP"));
  return true;
}

bool Channel::keep_house() { return close_idle_row() || pull_in() || go_to_sleep(); }

bool Channel::close(Bank& bank) {
  if (!history_.legal(Command::PRE, bank.place, cycle_)) return false;
  bank.open = false;
  auto& at_rest = ranks_[bank.place.rank].at_rest;
  at_rest = std::max(at_rest, cycle_ + spec_.timing("nRP"));
  issue(Command::PRE, bank.place);
  return true;
}

bool Channel::close_idle_row() {
  if (spec_.controller.page_policy != spec::PagePolicy::timeout) return false;
  for (auto& bank : banks_) {
    if (!bank.open || !works(bank.place.rank)) continue;
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
        quiet(rank) >= spec_.timing("nRFC") && refresh_rank(rank))
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
  rank.debt = 0;
  issue(Command::SREFE, place);
  return true;
}

bool Channel::enter_power_down(std::uint32_t r) {
  auto& rank = ranks_[r];
  const Place place{r, 0, 0, 0, 0};
  if (cycle_ < rank.at_rest || !history_.legal(Command::PDE, place, cycle_)) return false;
  rank.state = State::power_down;
  issue(Command::PDE, place);
  return true;
}

}  // namespace diffram::naive

// Refresh (dramsim3-behaviour.md 12) and self-refresh (13).

#include <fmt/format.h>

#include "ctrl/compat/controller.h"

namespace diffram::ctrl::compat {

void Controller::fall_due() {
  refresh_due_ += config_.refresh_interval;
  if (config_.refresh == spec::Dramsim3Refresh::rank_simultaneous) {
    for (std::uint32_t rank = 0; rank < config_.ranks; ++rank) {
      if (queues_.is_asleep(rank)) continue;
      refresh_queue_.push_back({rank, kNone});
      return;
    }
    return;
  }
  const bool by_bank = config_.refresh == spec::Dramsim3Refresh::bank_staggered;
  const std::uint32_t bank =
      next_rank_ * config_.banks() + next_group_ * config_.banks_per_group + next_bank_;
  if (!queues_.is_asleep(next_rank_))
    refresh_queue_.push_back({next_rank_, by_bank ? bank : kNone});
  const auto advance = [](std::uint32_t& index, std::uint32_t count) {
    index = index + 1 == count ? 0 : index + 1;
    return index == 0;
  };
  if (by_bank &&
      (!advance(next_group_, config_.bank_groups) || !advance(next_bank_, config_.banks_per_group)))
    return;
  advance(next_rank_, config_.ranks);
}

void Controller::freeze(const RefreshOrder& order) {
  refresh_is_in_progress_ = true;
  decision_is_known_ = false;
  if (order.bank != kNone && !config_.one_queue_per_rank) {
    times_.lanes().at(BankLanes::kFrozen, order.bank) = kNearNever;
    return;
  }
  set_frozen(order.rank, kNearNever);
}

void Controller::set_frozen(std::uint32_t rank, Near frozen) {
  for (std::uint32_t i = 0; i < config_.banks(); ++i)
    times_.lanes().at(BankLanes::kFrozen, rank * config_.banks() + i) = frozen;
}

void Controller::end_refresh() {
  const std::uint32_t rank = refresh_queue_.front().rank;
  set_frozen(rank, 0);
  refresh_queue_.pop_front();
  refresh_is_in_progress_ = false;
  decision_is_known_ = false;
}

bool Controller::refresh_step(Tick t) {
  const RefreshOrder order = refresh_queue_.front();
  if (!refresh_is_in_progress_) freeze(order);
  if (queues_.is_asleep(order.rank)) {
    stop(t, fmt::format("a refresh reached rank {}, which is in self-refresh", order.rank));
    return false;
  }
  return order.bank == kNone ? refresh_rank(order.rank, t) : refresh_bank(order.bank, t);
}

bool Controller::refresh_rank(std::uint32_t rank, Tick t) {
  const std::uint32_t begin = rank * config_.banks(), end = begin + config_.banks();
  bool is_ready = true;
  for (std::uint32_t bank = begin; bank < end; ++bank) {
    if (queues_.is_open(bank)) {
      if (times_.precharge(bank) <= t) {
        issue_precharge(bank, t);
        return true;
      }
      is_ready = false;
    } else if (times_.refresh(bank) > t) {
      is_ready = false;
    }
  }
  if (!is_ready) return false;
  times_.issue_refresh(rank, t);
  log(t, Command::REF, rank, begin);
  end_refresh();
  return true;
}

bool Controller::refresh_bank(std::uint32_t bank, Tick t) {
  if (queues_.is_open(bank)) {
    if (times_.precharge(bank) > t) return false;
    issue_precharge(bank, t);
    return true;
  }
  if (times_.refresh_bank(bank) > t) return false;
  times_.issue_refresh_bank(bank, t);
  log(t, Command::REFB, times_.rank_of(bank), bank);
  end_refresh();
  return true;
}

// The next tick in which `refresh_step` does something.
Tick Controller::refresh_event() const {
  const RefreshOrder& order = refresh_queue_.front();
  if (!refresh_is_in_progress_ || queues_.is_asleep(order.rank)) return now_;
  if (order.bank != kNone) {
    return queues_.is_open(order.bank) ? times_.precharge(order.bank)
                                       : times_.refresh_bank(order.bank);
  }
  const std::uint32_t begin = order.rank * config_.banks(), end = begin + config_.banks();
  Tick closing = kNever, refresh = 0;
  for (std::uint32_t bank = begin; bank < end; ++bank) {
    if (queues_.is_open(bank)) closing = std::min(closing, times_.precharge(bank));
    refresh = std::max(refresh, times_.refresh(bank));
  }
  return queues_.open_banks(order.rank) != 0 ? closing : refresh;
}

Tick Controller::sleep_ready(std::uint32_t rank) const {
  Tick ready = 0;
  for (std::uint32_t i = 0; i < config_.banks(); ++i)
    ready = std::max(ready, times_.refresh(rank * config_.banks() + i));
  // A rank without work was never open: after tick t its idle counter is t + 1.
  const std::int64_t threshold = config_.self_refresh_threshold;
  return threshold > 1 ? std::max(ready, static_cast<Tick>(threshold - 1)) : ready;
}

void Controller::self_refresh_step(Tick t) {
  for (std::uint32_t rank = 0; rank < config_.ranks; ++rank) {
    if (queues_.is_asleep(rank)) {
      if (has_had_work_[rank] == 0) continue;
      stop(t,
           fmt::format("rank {} got a request less than tCKESR cycles after it fell asleep", rank));
      return;
    }
    if (has_had_work_[rank] != 0 || sleep_ready(rank) > t) continue;
    settle(rank, t + 1);
    queues_.fall_asleep(rank);
    times_.issue_sleep(rank, t);
    decision_is_known_ = false;
    log(t, Command::SREFE, rank, rank * config_.banks());
    return;
  }
}

// The next tick in which `self_refresh_step` does something, if no command issues in it.
Tick Controller::sleep_event() const {
  Tick next = kNever;
  for (std::uint32_t rank = 0; rank < config_.ranks; ++rank) {
    if (queues_.is_asleep(rank)) {
      if (has_had_work_[rank] != 0) return now_;
    } else if (has_had_work_[rank] == 0) {
      next = std::min(next, sleep_ready(rank));
    }
  }
  return next;
}

}  // namespace diffram::ctrl::compat

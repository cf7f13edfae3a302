#include "ctrl/compat/bank_times.h"

namespace diffram::ctrl::compat {

namespace {

constexpr std::size_t kFewActivates = 4;    // of tFAW
constexpr std::size_t kManyActivates = 32;  // of t32AW

void push_back(Tick& time, Tick to) { time = std::max(time, to); }

void push_back(std::vector<Tick>& times, std::size_t begin, std::size_t end, Tick to) {
  for (std::size_t i = begin; i < end; ++i) push_back(times[i], to);
}

}  // namespace

BankTimes::BankTimes(const spec::Dramsim3Config& config)
    : offsets_(config),
      banks_of_rank_(config.banks()),
      banks_of_group_(config.banks_per_group),
      groups_of_rank_(config.bank_groups),
      domains_of_group_(config.close_page ? config.banks_per_group : 1),
      refreshes_banks_(config.refresh == spec::Dramsim3Refresh::bank_staggered) {
  const std::size_t banks = std::size_t{config.ranks} * banks_of_rank_;
  const std::size_t domains = std::size_t{config.ranks} * groups_of_rank_ * domains_of_group_;
  for (auto* times :
       {&own_read_, &own_write_, &activate_, &precharge_, &refresh_, &refresh_bank_}) {
    times->assign(banks, 0);
  }
  domain_read_.assign(domains, 0);
  domain_write_.assign(domains, 0);
  wake_.assign(config.ranks, 0);
  window_.assign(config.ranks, 0);
  windows_.resize(config.ranks);
  for (Window& window : windows_)
    window.ring.assign(offsets_.has_many_window ? kManyActivates : kFewActivates, 0);
  for (std::uint32_t bank = 0; bank < banks; ++bank) {
    rank_of_.push_back(bank / banks_of_rank_);
    domain_of_.push_back(config.close_page ? bank : bank / banks_of_group_);
  }
}

void BankTimes::issue_column(std::uint32_t bank, bool is_write, bool closes, Tick t) {
  const ColumnOffsets& by = is_write ? offsets_.write : offsets_.read;
  const std::size_t own = domain_of_[bank];
  const std::size_t group_begin = own / domains_of_group_ * domains_of_group_;
  const std::size_t group_end = group_begin + domains_of_group_;
  const std::size_t of_rank = std::size_t{domains_of_group_} * groups_of_rank_;
  const std::size_t rank_begin = own / of_rank * of_rank;
  const std::size_t rank_end = rank_begin + of_rank;
  const Tick own_read = domain_read_[own], own_write = domain_write_[own];

  push_back(domain_read_, 0, rank_begin, t + by.read_other_rank);
  push_back(domain_read_, rank_begin, group_begin, t + by.read_other_group);
  push_back(domain_read_, group_begin, group_end, t + by.read_same_group);
  push_back(domain_read_, group_end, rank_end, t + by.read_other_group);
  push_back(domain_read_, rank_end, domain_read_.size(), t + by.read_other_rank);
  push_back(domain_write_, 0, rank_begin, t + by.write_other_rank);
  push_back(domain_write_, rank_begin, group_begin, t + by.write_other_group);
  push_back(domain_write_, group_begin, group_end, t + by.write_same_group);
  push_back(domain_write_, group_end, rank_end, t + by.write_other_group);
  push_back(domain_write_, rank_end, domain_write_.size(), t + by.write_other_rank);

  if (!closes) {
    push_back(precharge_[bank], t + by.precharge);
    return;
  }
  domain_read_[own] = own_read;
  domain_write_[own] = own_write;
  push_back(activate_[bank], t + by.activate);
  push_back(refresh_[bank], t + by.refresh);
  push_back(refresh_bank_[bank], t + by.refresh);
}

void BankTimes::issue_activate(std::uint32_t bank, Tick t) {
  const std::size_t rank = rank_of_[bank];
  const std::size_t rank_begin = rank * banks_of_rank_, rank_end = rank_begin + banks_of_rank_;
  const std::size_t group_begin = bank / banks_of_group_ * banks_of_group_;
  const std::size_t group_end = group_begin + banks_of_group_;
  const Tick own = activate_[bank], own_refresh = refresh_bank_[bank];
  push_back(activate_, rank_begin, group_begin, t + offsets_.activate_other_group);
  push_back(activate_, group_begin, group_end, t + offsets_.activate_same_group);
  push_back(activate_, group_end, rank_end, t + offsets_.activate_other_group);
  activate_[bank] = std::max(own, t + offsets_.activate_to_activate);
  if (refreshes_banks_) {
    push_back(refresh_bank_, rank_begin, rank_end, t + offsets_.activate_to_activate);
    refresh_bank_[bank] = own_refresh;
  }
  push_back(own_read_[bank], t + offsets_.activate_to_read);
  push_back(own_write_[bank], t + offsets_.activate_to_write);
  push_back(precharge_[bank], t + offsets_.activate_to_precharge);
  enter_window(rank_of_[bank], t);
}

void BankTimes::enter_window(std::uint32_t rank, Tick t) {
  Window& window = windows_[rank];
  const std::size_t mask = window.ring.size() - 1;  // sizes are powers of two
  window.ring[window.count & mask] = t;
  ++window.count;
  if (window.count < kFewActivates) return;
  window_[rank] = window.ring[(window.count - kFewActivates) & mask] + offsets_.four_activates;
  if (offsets_.has_many_window && window.count >= kManyActivates) {
    push_back(window_[rank],
              window.ring[(window.count - kManyActivates) & mask] + offsets_.many_activates);
  }
}

void BankTimes::issue_precharge(std::uint32_t bank, Tick t) {
  if (offsets_.precharges_push) {
    const std::size_t rank_begin = std::size_t{rank_of_[bank]} * banks_of_rank_;
    const Tick own = precharge_[bank];
    push_back(precharge_, rank_begin, rank_begin + banks_of_rank_,
              t + offsets_.precharge_to_precharge);
    precharge_[bank] = own;
  }
  const Tick to = t + offsets_.precharge_to_activate;
  push_back(activate_[bank], to);
  push_back(refresh_[bank], to);
  push_back(refresh_bank_[bank], to);
}

void BankTimes::issue_refresh(std::uint32_t rank, Tick t) {
  const std::size_t begin = std::size_t{rank} * banks_of_rank_, end = begin + banks_of_rank_;
  push_back(activate_, begin, end, t + offsets_.refresh_to_activate);
  push_back(refresh_, begin, end, t + offsets_.refresh_to_activate);
}

void BankTimes::issue_refresh_bank(std::uint32_t bank, Tick t) {
  const std::size_t begin = std::size_t{rank_of_[bank]} * banks_of_rank_;
  const std::size_t end = begin + banks_of_rank_;
  const Tick own = activate_[bank], own_refresh = refresh_bank_[bank];
  push_back(activate_, begin, end, t + offsets_.refresh_to_activate);
  push_back(refresh_bank_, begin, end, t + offsets_.refresh_bank_to_refresh_bank);
  activate_[bank] = own;
  refresh_bank_[bank] = own_refresh;
}

void BankTimes::issue_sleep(std::uint32_t rank, Tick t) {
  push_back(wake_[rank], t + offsets_.sleep_to_wake);
}

void BankTimes::issue_wake(std::uint32_t rank, Tick t) {
  const std::size_t begin = std::size_t{rank} * banks_of_rank_, end = begin + banks_of_rank_;
  push_back(activate_, begin, end, t + offsets_.wake_to_any);
  push_back(refresh_, begin, end, t + offsets_.wake_to_any);
  push_back(refresh_bank_, begin, end, t + offsets_.wake_to_any);
}

}  // namespace diffram::ctrl::compat

#include "ctrl/compat/bank_times.h"

namespace diffram::ctrl::compat {

namespace {

constexpr std::size_t kMostOffsets = std::size_t{1} << 18;  // of a kind: 1 MB, no cache has more
/// An offset so far below 0 that no time is pushed.
constexpr Tick kNoPush = static_cast<Tick>(-(std::int64_t{1} << 30));

void push_back(Tick& time, Tick to) { time = std::max(time, to); }
void push_back(Near& time, Near to) { time = std::max(time, to); }

void push_back(Tick* times, std::size_t begin, std::size_t end, Tick to) {
  for (std::size_t i = begin; i < end; ++i) push_back(times[i], to);
}

}  // namespace

BankTimes::BankTimes(const spec::Dramsim3Config& config)
    : offsets_(config),
      banks_(config.ranks * config.banks()),
      banks_of_rank_(config.banks()),
      banks_of_group_(config.banks_per_group),
      refreshes_banks_(config.refresh == spec::Dramsim3Refresh::bank_staggered),
      lanes_(banks_),
      refresh_(banks_, 0),
      refresh_bank_(banks_, 0),
      windows_(config.ranks),
      activate_before_sleep_(banks_, 0) {
  for (std::uint32_t bank = 0; bank < banks_; ++bank) {
    const std::uint32_t rank = bank / banks_of_rank_;
    const std::uint32_t group = bank / banks_of_group_;
    places_.push_back({rank, group, rank * banks_of_rank_, group * banks_of_group_,
                       std::size_t{kOffsetRows} * group * lanes_.lanes(),
                       lanes_.blocks_of(rank * banks_of_rank_, (rank + 1) * banks_of_rank_)});
  }
  make_offset_rows();
}

void BankTimes::hold_sums_of(Tick offset) {
  const auto cycles = static_cast<std::int64_t>(offset);
  if (cycles < 0) push_back(sums_hold_from_, static_cast<Tick>(-cycles));
}

void BankTimes::make_offset_rows() {
  for (const ColumnOffsets* by : {&offsets_.read, &offsets_.write}) {
    hold_sums_of(by->precharge);
    hold_sums_of(by->activate);
  }
  for (const Tick offset : {offsets_.activate_to_activate, offsets_.activate_to_read,
                            offsets_.activate_to_write, offsets_.activate_to_precharge})
    hold_sums_of(offset);
  const std::size_t groups = banks_ / banks_of_group_;
  if (groups * lanes_.lanes() > kMostOffsets) return;
  offset_rows_ = NearArray(groups * kOffsetRows * lanes_.lanes());
  for (std::uint32_t group = 0; group < groups; ++group) {
    const std::uint32_t from = group * banks_of_group_;
    make_row(kReadToRead, from, offsets_.read.read);
    make_row(kReadToWrite, from, offsets_.read.write);
    make_row(kWriteToRead, from, offsets_.write.read);
    make_row(kWriteToWrite, from, offsets_.write.write);
    make_row(kActivateToActivate, from,
             {offsets_.activate_same_group, offsets_.activate_other_group, kNoPush});
    make_row(kInRank, from, {0, 0, kNoPush});
  }
}

void BankTimes::make_row(OffsetRow which, std::uint32_t from_bank, const ColumnPush& by) {
  const Place& from = places_[from_bank];
  for (std::uint32_t bank = 0; bank < lanes_.lanes(); ++bank) {
    const Place& to = bank < banks_ ? places_[bank] : from;
    const Tick offset = to.rank != from.rank     ? by.other_rank
                        : to.group != from.group ? by.other_group
                                                 : by.same_group;
    offset_rows_[from.first_offset + which * lanes_.lanes() + bank] =
        static_cast<Near>(static_cast<std::int64_t>(offset));
    if (offset != kNoPush) hold_sums_of(offset);
  }
}

void BankTimes::push_lanes(BankLanes::Row row, std::uint32_t begin, std::uint32_t end, Near to) {
  for (std::uint32_t bank = begin; bank < end; ++bank) push_back(lanes_.at(row, bank), to);
}

void BankTimes::push_columns(BankLanes::Row row, const Place& place, Tick t, const ColumnPush& by) {
  const std::uint32_t rank_end = place.rank_begin + banks_of_rank_;
  const std::uint32_t group_end = place.group_begin + banks_of_group_;
  const Near other_rank = lanes_.near_of(t + by.other_rank);
  const Near other_group = lanes_.near_of(t + by.other_group);
  push_lanes(row, 0, place.rank_begin, other_rank);
  push_lanes(row, place.rank_begin, place.group_begin, other_group);
  push_lanes(row, place.group_begin, group_end, lanes_.near_of(t + by.same_group));
  push_lanes(row, group_end, rank_end, other_group);
  push_lanes(row, rank_end, banks_, other_rank);
}

void BankTimes::push_activates(const Place& place, Tick t, Near window) {
  const std::uint32_t rank_end = place.rank_begin + banks_of_rank_;
  const std::uint32_t group_end = place.group_begin + banks_of_group_;
  const Near other = std::max(window, lanes_.near_of(t + offsets_.activate_other_group));
  const Near same = std::max(window, lanes_.near_of(t + offsets_.activate_same_group));
  push_lanes(BankLanes::kActivate, place.rank_begin, place.group_begin, other);
  push_lanes(BankLanes::kActivate, place.group_begin, group_end, same);
  push_lanes(BankLanes::kActivate, group_end, rank_end, other);
}

void BankTimes::issue_column(std::uint32_t bank, bool is_write, bool closes, Tick t) {
  if (closes || !rows_serve(t)) return issue_rare_column(bank, is_write, closes, t);
  push_column_rows(bank, is_write, t);
  const ColumnOffsets& by = is_write ? offsets_.write : offsets_.read;
  push_own(BankLanes::kPrecharge, bank, t, by.precharge);
}

// Apart, so that the usual one has few registers to save.
void BankTimes::issue_rare_column(std::uint32_t bank, bool is_write, bool closes, Tick t) {
  const ColumnOffsets& by = is_write ? offsets_.write : offsets_.read;
  const Near own_read = lanes_.at(BankLanes::kRead, bank);
  const Near own_write = lanes_.at(BankLanes::kWrite, bank);
  if (rows_serve(t)) {
    push_column_rows(bank, is_write, t);
  } else {
    push_columns(BankLanes::kRead, places_[bank], t, by.read);
    push_columns(BankLanes::kWrite, places_[bank], t, by.write);
  }
  if (!closes) {
    push_own(BankLanes::kPrecharge, bank, t, by.precharge);
    return;
  }
  lanes_.at(BankLanes::kRead, bank) = own_read;  // RDA and WRA leave their own bank out
  lanes_.at(BankLanes::kWrite, bank) = own_write;
  push_own(BankLanes::kActivate, bank, t, by.activate);
  push_back(refresh_[bank], t + by.refresh);
  push_back(refresh_bank_[bank], t + by.refresh);
}

inline void BankTimes::push_column_rows(std::uint32_t bank, bool is_write, Tick t) {
  // kReadToWrite follows kReadToRead, kWriteToWrite follows kWriteToRead.
  const OffsetRow to_read = is_write ? kWriteToRead : kReadToRead;
  lanes_.push_columns(offset_row(to_read, bank), lanes_.near_of_clock(t));
}

void BankTimes::issue_activate(std::uint32_t bank, Tick t) {
  const Place& place = places_[bank];
  // The rank's window counts for all of its banks, so it can be folded into their times.
  const Near window = window_after(place.rank, t);
  Near& activate = lanes_.at(BankLanes::kActivate, bank);
  const Near own = activate;
  // A row may reach other ranks; a window that never ends (a negative tFAW wraps) must not.
  if (rows_serve(t) && window != kNearNever) {
    // kInRank follows kActivateToActivate.
    lanes_.push_activates(place.blocks, offset_row(kActivateToActivate, bank),
                          lanes_.near_of_clock(t), window);
  } else {
    push_activates(place, t, window);
  }
  activate = std::max({own, window, after(t, offsets_.activate_to_activate)});
  if (refreshes_banks_) {
    const Tick own_refresh = refresh_bank_[bank];
    push_back(refresh_bank_.data(), place.rank_begin, place.rank_begin + banks_of_rank_,
              t + offsets_.activate_to_activate);
    refresh_bank_[bank] = own_refresh;
  }
  push_own(BankLanes::kRead, bank, t, offsets_.activate_to_read);
  push_own(BankLanes::kWrite, bank, t, offsets_.activate_to_write);
  push_own(BankLanes::kPrecharge, bank, t, offsets_.activate_to_precharge);
}

/// Until when the ACTs of the rank keep the next one away.
Near BankTimes::window_after(std::uint32_t rank, Tick t) {
  Window& window = windows_[rank];
  constexpr std::size_t kMask = kManyActivates - 1;  // a power of two
  window.ring[window.count & kMask] = t;
  ++window.count;
  if (window.count < kFewActivates) return 0;
  Tick until = window.ring[(window.count - kFewActivates) & kMask] + offsets_.four_activates;
  if (offsets_.has_many_window && window.count >= kManyActivates) {
    push_back(until,
              window.ring[(window.count - kManyActivates) & kMask] + offsets_.many_activates);
  }
  // A window that ended before the base is over; a sum below 0 would be one that never ends.
  return until < lanes_.base() ? 0 : lanes_.near_of(until);
}

void BankTimes::issue_precharge(std::uint32_t bank, Tick t) {
  if (offsets_.precharges_push) {
    const std::uint32_t begin = places_[bank].rank_begin;
    const Near own = lanes_.at(BankLanes::kPrecharge, bank);
    push_lanes(BankLanes::kPrecharge, begin, begin + banks_of_rank_,
               lanes_.near_of(t + offsets_.precharge_to_precharge));
    lanes_.at(BankLanes::kPrecharge, bank) = own;
  }
  const Tick to = t + offsets_.precharge_to_activate;
  push_back(lanes_.at(BankLanes::kActivate, bank), lanes_.near_of(to));
  push_back(refresh_[bank], to);
  push_back(refresh_bank_[bank], to);
}

void BankTimes::issue_refresh(std::uint32_t rank, Tick t) {
  const std::uint32_t begin = rank * banks_of_rank_, end = begin + banks_of_rank_;
  const Tick to = t + offsets_.refresh_to_activate;
  push_lanes(BankLanes::kActivate, begin, end, lanes_.near_of(to));
  push_back(refresh_.data(), begin, end, to);
}

void BankTimes::issue_refresh_bank(std::uint32_t bank, Tick t) {
  const std::uint32_t begin = places_[bank].rank_begin, end = begin + banks_of_rank_;
  const Near own = lanes_.at(BankLanes::kActivate, bank);
  const Tick own_refresh = refresh_bank_[bank];
  push_lanes(BankLanes::kActivate, begin, end, lanes_.near_of(t + offsets_.refresh_to_activate));
  push_back(refresh_bank_.data(), begin, end, t + offsets_.refresh_bank_to_refresh_bank);
  lanes_.at(BankLanes::kActivate, bank) = own;
  refresh_bank_[bank] = own_refresh;
}

void BankTimes::issue_sleep(std::uint32_t rank, Tick t) {
  const Near wake = lanes_.near_of(t + offsets_.sleep_to_wake);
  for (std::uint32_t i = 0; i < banks_of_rank_; ++i) {
    Near& activate = lanes_.at(BankLanes::kActivate, rank * banks_of_rank_ + i);
    activate_before_sleep_[rank * banks_of_rank_ + i] = lanes_.tick_of(activate);
    activate = wake;
  }
}

void BankTimes::issue_wake(std::uint32_t rank, Tick t) {
  const std::uint32_t begin = rank * banks_of_rank_, end = begin + banks_of_rank_;
  const Tick to = t + offsets_.wake_to_any;
  for (std::uint32_t bank = begin; bank < end; ++bank) {
    lanes_.at(BankLanes::kActivate, bank) =
        lanes_.near_of(std::max({activate_before_sleep_[bank], to, lanes_.base()}));
  }
  push_back(refresh_.data(), begin, end, to);
  push_back(refresh_bank_.data(), begin, end, to);
}

}  // namespace diffram::ctrl::compat

#pragma once
// The earliest tick of every command on every bank (dramsim3-behaviour.md 10 and 11). Issuing a
// command pushes the others back; nothing here knows a queue. ACT (with the activation windows of
// the rank), PRE, RD and WR live in lanes, the rest is rare.

#include <algorithm>
#include <array>
#include <vector>

#include "ctrl/compat/bank_lanes.h"
#include "ctrl/compat/offsets.h"

namespace diffram::ctrl::compat {

class BankTimes {
 public:
  explicit BankTimes(const spec::Dramsim3Config& config);

  BankLanes& lanes() { return lanes_; }
  const BankLanes& lanes() const { return lanes_; }
  Tick precharge(std::uint32_t bank) const { return tick_of(BankLanes::kPrecharge, bank); }
  Tick refresh(std::uint32_t bank) const { return refresh_[bank]; }  ///< REF and SREFE
  Tick refresh_bank(std::uint32_t bank) const { return refresh_bank_[bank]; }

  void issue_column(std::uint32_t bank, bool is_write, bool closes, Tick t);
  void issue_activate(std::uint32_t bank, Tick t);
  void issue_precharge(std::uint32_t bank, Tick t);
  void issue_refresh(std::uint32_t rank, Tick t);
  void issue_refresh_bank(std::uint32_t bank, Tick t);
  /// Until `issue_wake` the earliest ACT of the rank is its earliest SREFX.
  void issue_sleep(std::uint32_t rank, Tick t);
  void issue_wake(std::uint32_t rank, Tick t);

  std::uint32_t banks_of_rank() const { return banks_of_rank_; }
  std::uint32_t rank_of(std::uint32_t bank) const { return places_[bank].rank; }

 private:
  static constexpr std::size_t kFewActivates = 4;    // of tFAW
  static constexpr std::size_t kManyActivates = 32;  // of t32AW
  struct Place {
    std::uint32_t rank = 0, group = 0, rank_begin = 0, group_begin = 0;
    std::size_t first_offset = 0;  ///< of its group in offset_rows_
    BankLanes::Blocks blocks;      ///< that its rank has lanes in
  };
  enum OffsetRow : std::uint8_t {
    kReadToRead,
    kReadToWrite,
    kWriteToRead,
    kWriteToWrite,
    kActivateToActivate,
    kInRank,  ///< 0 in the rank
    kOffsetRows
  };
  /// The rank's last ACTs, for tFAW and t32AW.
  struct Window {
    std::array<Tick, kManyActivates> ring{};
    std::uint64_t count = 0;
  };
  Tick tick_of(BankLanes::Row row, std::uint32_t bank) const {
    return lanes_.tick_of(lanes_.at(row, bank));
  }
  void push_lanes(BankLanes::Row row, std::uint32_t begin, std::uint32_t end, Near to);
  [[gnu::noinline]] void issue_rare_column(std::uint32_t bank, bool is_write, bool closes, Tick t);
  /// RD and WR of all banks behind a column command of this one.
  void push_column_rows(std::uint32_t bank, bool is_write, Tick t);
  /// One lane after another, from the offsets themselves.
  void push_columns(BankLanes::Row row, const Place& place, Tick t, const ColumnPush& by);
  void push_activates(const Place& place, Tick t, Near window);
  /// One of the bank's own times.
  void push_own(BankLanes::Row row, std::uint32_t bank, Tick t, Tick by) {
    Near& time = lanes_.at(row, bank);
    time = std::max(time, after(t, by));
  }
  Near after(Tick t, Tick by) const {
    return t >= sums_hold_from_ ? lanes_.near_of_clock(t) + static_cast<Near>(by)
                                : lanes_.near_of(t + by);
  }
  bool rows_serve(Tick t) const { return !offset_rows_.empty() && t >= sums_hold_from_; }
  void hold_sums_of(Tick offset);
  void make_offset_rows();
  void make_row(OffsetRow which, std::uint32_t from_bank, const ColumnPush& by);
  const Near* offset_row(OffsetRow which, std::uint32_t bank) const {
    return offset_rows_.data() + places_[bank].first_offset + which * lanes_.lanes();
  }
  Near window_after(std::uint32_t rank, Tick t);

  const Offsets offsets_;
  const std::uint32_t banks_, banks_of_rank_, banks_of_group_;
  const bool refreshes_banks_;  ///< REFB is ever issued
  BankLanes lanes_;
  std::vector<Place> places_;  ///< by bank
  /// By bank group and OffsetRow, an offset for every lane. Empty where they would be too many.
  NearArray offset_rows_;
  Tick sums_hold_from_ = 0;  ///< before it a sum with an offset may fall below 0
  std::vector<Tick> refresh_, refresh_bank_;
  std::vector<Window> windows_;              ///< by rank
  std::vector<Tick> activate_before_sleep_;  ///< by bank
};

}  // namespace diffram::ctrl::compat

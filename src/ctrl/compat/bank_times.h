#pragma once
// The earliest tick of every command on every bank (dramsim3-behaviour.md 10 and 11). Issuing a
// command pushes the others back; nothing here knows a queue.
//
// RD and WR of open pages have the same time in all banks of a bank group but for the bank's own
// ACT, so they are kept by column domain: a bank group there, a bank with close page, where RDA and
// WRA leave their own bank out.

#include <algorithm>
#include <vector>

#include "ctrl/compat/offsets.h"

namespace diffram::ctrl::compat {

class BankTimes {
 public:
  explicit BankTimes(const spec::Dramsim3Config& config);

  Tick read(std::uint32_t bank) const {
    return std::max(own_read_[bank], domain_read_[domain_of_[bank]]);
  }
  Tick write(std::uint32_t bank) const {
    return std::max(own_write_[bank], domain_write_[domain_of_[bank]]);
  }
  /// With the activation windows of the rank.
  Tick activate(std::uint32_t bank) const {
    return std::max(activate_[bank], window_[rank_of_[bank]]);
  }
  Tick precharge(std::uint32_t bank) const { return precharge_[bank]; }
  Tick refresh(std::uint32_t bank) const { return refresh_[bank]; }  ///< REF and SREFE
  Tick refresh_bank(std::uint32_t bank) const { return refresh_bank_[bank]; }
  Tick wake(std::uint32_t rank) const { return wake_[rank]; }

  void issue_column(std::uint32_t bank, bool is_write, bool closes, Tick t);
  void issue_activate(std::uint32_t bank, Tick t);
  void issue_precharge(std::uint32_t bank, Tick t);
  void issue_refresh(std::uint32_t rank, Tick t);
  void issue_refresh_bank(std::uint32_t bank, Tick t);
  void issue_sleep(std::uint32_t rank, Tick t);
  void issue_wake(std::uint32_t rank, Tick t);

  std::uint32_t banks_of_rank() const { return banks_of_rank_; }
  std::uint32_t rank_of(std::uint32_t bank) const { return rank_of_[bank]; }

 private:
  /// The rank's last ACTs, for tFAW and t32AW.
  struct Window {
    std::vector<Tick> ring;
    std::uint64_t count = 0;
  };
  void enter_window(std::uint32_t rank, Tick t);

  const Offsets offsets_;
  const std::uint32_t banks_of_rank_, banks_of_group_, groups_of_rank_;
  const std::uint32_t domains_of_group_;
  const bool refreshes_banks_;  ///< REFB is ever issued
  std::vector<Tick> own_read_, own_write_, activate_, precharge_, refresh_, refresh_bank_;
  std::vector<Tick> domain_read_, domain_write_;
  std::vector<Tick> wake_, window_;  ///< by rank
  std::vector<Window> windows_;
  std::vector<std::uint32_t> rank_of_, domain_of_;
};

}  // namespace diffram::ctrl::compat

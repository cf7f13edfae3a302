#pragma once
// Who pays for what a channel does: the bill of its data bus and the shares of its energy, told
// together, each command before the device is told of it.

#include <cstdint>
#include <vector>

#include "ctrl/bank_record.h"
#include "ctrl/bill.h"
#include "ctrl/energy_shares.h"
#include "ctrl/window_counters.h"

namespace diffram::ctrl {

class Attribution {
 public:
  /// `unnamed` is the index of the counters of requests without a name, `issued` the mask of the
  /// commands that the controller issues.
  Attribution(const dram::Device& device, WindowCounters& counters, const BusTiming& timing,
              std::uint32_t unnamed, std::uint32_t dispatch, std::uint32_t issued);
  Attribution(const Attribution&) = delete;  // the parts point at each other
  Attribution& operator=(const Attribution&) = delete;

  /// `waits_since` as for the bill.
  template <class Since>
  void activate(std::uint32_t bank, std::int64_t cycle, std::uint32_t origin, Since waits_since) {
    BankRecord& record = banks_[bank];
    const std::int64_t legal = device_.recent_earliest_at(spec::Command::ACT, bank);
    bill.activate(record.history, bank, cycle, legal, origin, waits_since);
    shares.activate(record, cycle, origin);
  }
  /// For a request of `origin`, which wants another row.
  template <class Since>
  void precharge(std::uint32_t bank, std::int64_t cycle, std::uint32_t origin, Since waits_since) {
    BankRecord& record = banks_[bank];
    const std::int64_t legal = device_.recent_earliest_at(spec::Command::PRE, bank);
    bill.precharge(record.history, bank, cycle, legal, origin, waits_since);
    shares.precharge(record, cycle, record.history.precharge.legal);
  }
  /// For no request.
  void precharge_by_policy(std::uint32_t bank, std::int64_t cycle);
  /// A bank that a PREA closes, which is told as a `rank_command` of the bill first.
  void precharge_for_refresh(std::uint32_t bank, std::int64_t cycle, std::int64_t held_since);
  /// A PRE on the way to the refresh of the bank's part of its rank.
  void precharge_for_part(std::uint32_t bank, std::int64_t cycle, std::int64_t held_since);
  /// Its data end at `end`.
  void column(const QueuedBurst& burst, std::int64_t cycle, std::int64_t end, bool read) {
    BankRecord& record = banks_[burst.bank()];
    bill.column(record.history, burst, cycle, end, read);
    shares.column(record, cycle, burst.of.arrival, burst.of.origin);
  }
  /// `column` of many commands of one origin in one bank: the shares only.
  void columns_of_bank(std::uint32_t bank, std::int64_t last, std::uint32_t count,
                       std::uint32_t origin) {
    shares.columns_of_bank(banks_[bank], last, count, origin);
  }
  /// The column command at `cycle` was RDA or WRA; its row closes by itself.
  void auto_precharge(std::uint32_t bank, std::int64_t cycle, bool read);
  void refresh(std::uint32_t rank, std::int64_t cycle, std::int64_t held_since);

  template <class Archive>
  void serialize(Archive& archive) {
    archive(banks_, shares, bill);
  }

 private:
  const dram::Device& device_;
  std::vector<BankRecord> banks_;

 public:
  EnergyShares shares;
  Bill bill;
};

}  // namespace diffram::ctrl

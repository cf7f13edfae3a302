#pragma once
// The bill of lost and used data-bus cycles of one record, sorted by the op of its victims.

#include <cstdint>
#include <span>
#include <vector>

#include "base/counters.h"
#include "ledger/run_record.h"

namespace diffram::attrib {

struct BillEntry {
  base::BillKey key;
  std::int64_t cycles = 0;
};

inline bool is_idle(base::Cause cause) {
  return cause == base::Cause::idle_compute || cause == base::Cause::idle_throttle ||
         cause == base::Cause::idle_end;
}

class OpBill {
 public:
  /// Entries whose victim belongs to an op of the record, the channels added up.
  OpBill(const ledger::RunRecord& run, const ledger::StepRecord& record);

  /// Of op `first_op + i`, by ascending key.
  std::span<const BillEntry> of(std::size_t i) const {
    return {entries_.data() + begin_[i], entries_.data() + end_[i]};
  }

 private:
  std::vector<BillEntry> entries_;
  std::vector<std::size_t> begin_, end_;
};

}  // namespace diffram::attrib

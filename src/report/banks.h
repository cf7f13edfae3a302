#pragma once
// Where row conflicts fall: channel × bank, and how evenly.

#include <cstdint>
#include <vector>

#include "ledger/run_record.h"

namespace diffram::report {

struct BankMap {
  std::uint32_t banks_per_rank = 0;
  std::vector<std::vector<std::int64_t>> conflicts;  ///< [channel][bank, all ranks]
  std::int64_t total = 0;
  /// The fewest banks (summed over the channels) that take nine tenths of the conflicts, and their
  /// share.
  std::int64_t busy_banks = 0;
  double busy_share = 0;
};

BankMap map_banks(const ledger::RunRecord& run);

}  // namespace diffram::report

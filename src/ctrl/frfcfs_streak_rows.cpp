// Row commands while a streak goes on, for tables where they have a bus of their own: they change
// nothing for the column commands of other banks (`buses_are_apart`), so the device is told of each
// as it issues, and of the columns before it only in its own bank.

#include "ctrl/frfcfs_issue.h"

namespace diffram::ctrl {

using base::Direction;
using spec::Command;

// All columns of the bank's open row have issued, and bursts wait for another row.
template <bool kAttribution, bool kRead>
void Frfcfs::want_row(std::uint32_t bank) {
  tell_bank<kAttribution, kRead>(bank);
  streak_.rows.want(bank, row_legal(bank));
}

// Exact where it matters: after the last command on the bus of the rows.
std::int64_t Frfcfs::row_legal(std::uint32_t bank) const {
  return device_.recent_earliest_at(open_.has(bank) ? Command::PRE : Command::ACT, bank);
}

// Steps 6 of the cycles before `limit`; gives the cycle after the last command, 0 if none issues.
// The oldest burst leaves at `column` at the earliest.
template <class Path, bool kAttribution, bool kRead>
inline std::int64_t Frfcfs::issue_rows_on(std::int64_t limit, std::int64_t column) {
  StreakRows& rows = streak_.rows;
  std::int64_t after = 0;
  while (rows.next_cycle() < limit) {
    const std::int64_t cycle = rows.next_cycle();
    const std::uint32_t bank = rows.next_bank();
    Streak::Burst& burst = streak_.at(rows.oldest(bank));
    // A rank that closes settles what its columns owe.
    if ((kAttribution && device_.ranks() > 1) || cycle - device_.base() > dram::Device::kFarthest) {
      tell_all<kAttribution, kRead>();
    }
    const bool opens = !open_.has(bank);
    if (opens) {
      open_row_for<Path, kAttribution>(burst, bank, cycle);
      queue(kRead ? Direction::write : Direction::read).open_row_of(burst.of.fields);
      const std::int64_t legal = device_.earliest_at(kRead ? Command::RD : Command::WR, bank);
      const std::uint32_t older = rows.oldest(bank) - streak_.begin();
      streak_.ready(legal, column + older * streak_.cadence(kRead).least);
    } else {
      close_row_for<Path, kAttribution>(burst, bank, cycle);
    }
    rows.issued(opens, [this](std::uint32_t each) { return row_legal(each); });
    after = cycle + 1;
  }
  return after;
}

#if DIFFRAM_HAS_AVX2_PATH
template <bool kAttribution, bool kRead>
[[DIFFRAM_ON_AVX2, gnu::flatten]] std::int64_t Frfcfs::issue_rows_on_avx2(std::int64_t limit,
                                                                          std::int64_t column) {
  return issue_rows_on<dram::Avx2Path, kAttribution, kRead>(limit, column);
}
#endif

template <bool kAttribution, bool kRead>
std::int64_t Frfcfs::issue_rows_before(std::int64_t limit, std::int64_t column) {
#if DIFFRAM_HAS_AVX2_PATH
  if (path_ == dram::SimdPath::avx2) return issue_rows_on_avx2<kAttribution, kRead>(limit, column);
#endif
  return issue_rows_on<dram::BasePath, kAttribution, kRead>(limit, column);
}

template void Frfcfs::want_row<true, true>(std::uint32_t);
template void Frfcfs::want_row<true, false>(std::uint32_t);
template void Frfcfs::want_row<false, true>(std::uint32_t);
template void Frfcfs::want_row<false, false>(std::uint32_t);
template std::int64_t Frfcfs::issue_rows_before<true, true>(std::int64_t, std::int64_t);
template std::int64_t Frfcfs::issue_rows_before<true, false>(std::int64_t, std::int64_t);
template std::int64_t Frfcfs::issue_rows_before<false, true>(std::int64_t, std::int64_t);
template std::int64_t Frfcfs::issue_rows_before<false, false>(std::int64_t, std::int64_t);

}  // namespace diffram::ctrl

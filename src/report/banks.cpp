#include "report/banks.h"

#include <algorithm>
#include <functional>

namespace diffram::report {
namespace {

constexpr double kMostConflicts = 0.9;

}  // namespace

BankMap map_banks(const ledger::RunRecord& run) {
  BankMap map;
  map.banks_per_rank = run.bank_groups * run.banks_per_group;
  for (const ledger::StepRecord& record : run.records) {
    if (map.conflicts.size() < record.channels.size()) map.conflicts.resize(record.channels.size());
    for (std::size_t c = 0; c < record.channels.size(); ++c) {
      const auto& banks = record.channels[c].banks;
      auto& row = map.conflicts[c];
      if (row.size() < banks.size()) row.resize(banks.size(), 0);
      for (std::size_t b = 0; b < banks.size(); ++b) {
        row[b] += banks[b].conflicts * record.weight;
        map.total += banks[b].conflicts * record.weight;
      }
    }
  }
  std::vector<std::int64_t> sums;
  for (const auto& row : map.conflicts) {
    if (sums.size() < row.size()) sums.resize(row.size(), 0);
    for (std::size_t b = 0; b < row.size(); ++b) sums[b] += row[b];
  }
  std::sort(sums.begin(), sums.end(), std::greater<>());
  std::int64_t taken = 0;
  for (const std::int64_t sum : sums) {
    if (static_cast<double>(taken) >= kMostConflicts * static_cast<double>(map.total)) break;
    taken += sum;
    ++map.busy_banks;
  }
  if (map.total > 0) map.busy_share = static_cast<double>(taken) / static_cast<double>(map.total);
  return map;
}

}  // namespace diffram::report

#pragma once
// Counters of origins over records and channels, weights applied.

#include <vector>

#include "attrib/share.h"
#include "base/counters.h"
#include "ledger/run_record.h"

namespace diffram::attrib {

inline void add_weighted(base::OriginCounters& sum, const base::OriginCounters& part,
                         std::int64_t weight) {
  sum = base::plus_difference(sum, part, {}, weight);
}

/// Calls visit(record, channel, origin, counters) with weighted counters; origin kNone = requests
/// without one. Not split: record and channel are kNone and each origin comes once, summed.
template <class Visit>
void visit_origins(const ledger::RunRecord& run, bool is_split, Visit&& visit) {
  std::vector<base::OriginCounters> sums(is_split ? 0 : run.origins.size() + 1);
  for (std::uint32_t r = 0; r < run.records.size(); ++r) {
    const ledger::StepRecord& record = run.records[r];
    for (std::uint32_t c = 0; c < record.channels.size(); ++c) {
      const base::ChannelCounters& channel = record.channels[c];
      const auto take = [&](std::uint32_t origin, const base::OriginCounters& counters) {
        if (counters == base::OriginCounters{}) return;
        if (origin >= run.origins.size()) origin = kNone;
        base::OriginCounters weighted;
        add_weighted(weighted, counters, record.weight);
        if (is_split)
          visit(r, c, origin, weighted);
        else
          add_weighted(sums[origin == kNone ? run.origins.size() : origin], weighted, 1);
      };
      for (std::uint32_t i = 0; i < channel.origins.size(); ++i)
        take(record.first_origin + i, channel.origins[i]);
      take(kNone, channel.unnamed);
    }
  }
  for (std::uint32_t i = 0; i < sums.size(); ++i)
    if (sums[i] != base::OriginCounters{})
      visit(kNone, kNone, i < run.origins.size() ? i : kNone, sums[i]);
}

/// The op of an origin; kNone where the record names none.
inline std::uint32_t op_of(const ledger::RunRecord& run, std::uint32_t origin) {
  if (origin >= run.origins.size() || run.origins[origin].op >= run.ops.size()) return kNone;
  return run.origins[origin].op;
}

}  // namespace diffram::attrib

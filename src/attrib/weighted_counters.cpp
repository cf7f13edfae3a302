#include "attrib/weighted_counters.h"

namespace diffram::attrib {

void add_weighted(base::OriginCounters& sum, const base::OriginCounters& part,
                  std::int64_t weight) {
  sum.reads += weight * part.reads;
  sum.writes += weight * part.writes;
  sum.hits += weight * part.hits;
  sum.misses += weight * part.misses;
  sum.conflicts += weight * part.conflicts;
  sum.forwarded += weight * part.forwarded;
  sum.read_latency_cycles += weight * part.read_latency_cycles;
  sum.activation_tickets += weight * part.activation_tickets;
  sum.wasted_activations += weight * part.wasted_activations;
  sum.bank_open_cycles += weight * part.bank_open_cycles;
  sum.rank_open_cycles += weight * part.rank_open_cycles;
  sum.rank_closed_cycles += weight * part.rank_closed_cycles;
}

}  // namespace diffram::attrib

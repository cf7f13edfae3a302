// frfcfs: row hits first, up to a cap; reads before writes until these press.

#include "ctrl/policy/row_hits_first.h"

namespace diffram::ctrl {

RowHitsFirst::RowHitsFirst(const spec::MemorySpec& spec)
    : policy_(spec.controller),
      passes_(std::size_t{spec.organisation.ranks} * spec.organisation.banks(), 0) {}

bool RowHitsFirst::turns(const Queues& queues, Moment& moment) const {
  const BurstQueue& reads = queues.of(base::Direction::read);
  const BurstQueue& writes = queues.of(base::Direction::write);
  if (queues.reading()) {
    if (writes.size() == 0) return false;
    if (reads.size() == 0) return true;
    const bool writes_press = writes.size() >= policy_.write_high || is_overdue(writes, moment);
    return writes_press && (!is_overdue(reads, moment) || queues.served >= policy_.read_queue);
  }
  if (reads.size() == 0) return false;
  if (writes.size() == 0 || queues.served >= policy_.write_queue) return true;
  return writes.size() <= policy_.write_low && !is_overdue(writes, moment);
}

bool RowHitsFirst::may_pass(const Queues& /*queues*/, const QueuedBurst& oldest,
                            Moment& moment) const {
  return passes_[oldest.bank()] < policy_.row_hit_cap &&
         !moment.reached(oldest.acceptance + policy_.max_wait);
}

std::unique_ptr<Scheduling> make_row_hits_first(const spec::MemorySpec& spec) {
  return std::make_unique<RowHitsFirst>(spec);
}

}  // namespace diffram::ctrl

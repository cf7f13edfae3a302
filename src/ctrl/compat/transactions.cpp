#include "ctrl/compat/transactions.h"

#include <bit>

namespace diffram::ctrl::compat {

namespace {
constexpr std::size_t kFirstBuckets = 1024;  // twice what the queues of a DIMM hold
std::uint32_t shift_for(std::size_t buckets) {
  return static_cast<std::uint32_t>(64 - std::countr_zero(buckets));
}
}  // namespace

Transactions::Transactions()
    : buckets_(kFirstBuckets, kNone), bucket_shift_(shift_for(kFirstBuckets)) {}

std::uint32_t Transactions::add(std::uint64_t address, bool is_write, Tick arrival) {
  if (pending_ == buckets_.size()) grow_buckets();
  ++pending_;
  std::uint32_t id = free_;
  if (id == kNone) {
    id = static_cast<std::uint32_t>(pool_.size());
    pool_.emplace_back();
  } else {
    free_ = pool_[id].next;
  }
  Transaction& t = pool_[id];
  t.address = address;
  t.arrival = arrival;
  t.is_write = is_write;
  t.first_rider = t.last_rider = kNone;
  std::uint32_t& bucket = buckets_[bucket_of(address)];
  t.next_in_bucket = bucket;
  bucket = id;
  return id;
}

void Transactions::add_rider(std::uint32_t read, Tick arrival) {
  std::uint32_t rider = free_rider_;
  if (rider == kNone) {
    rider = static_cast<std::uint32_t>(riders_.size());
    riders_.emplace_back();
  } else {
    free_rider_ = riders_[rider].next;
  }
  riders_[rider] = {arrival, kNone};
  Transaction& t = pool_[read];
  (t.last_rider == kNone ? t.first_rider : riders_[t.last_rider].next) = rider;
  t.last_rider = rider;
}

void Transactions::forget(std::uint32_t id) {
  std::uint32_t* link = &buckets_[bucket_of(pool_[id].address)];
  while (*link != id) link = &pool_[*link].next_in_bucket;
  *link = pool_[id].next_in_bucket;
  pool_[id].next = free_;
  free_ = id;
  --pending_;
}

// Requests that are never answered stay pending for ever, so their number has no bound.
void Transactions::grow_buckets() {
  std::vector<std::uint32_t> old(buckets_.size() * 2, kNone);
  old.swap(buckets_);
  bucket_shift_ = shift_for(buckets_.size());
  for (std::uint32_t id : old) {
    while (id != kNone) {
      const std::uint32_t next = pool_[id].next_in_bucket;
      std::uint32_t& bucket = buckets_[bucket_of(pool_[id].address)];
      pool_[id].next_in_bucket = bucket;
      bucket = id;
      id = next;
    }
  }
}

}  // namespace diffram::ctrl::compat

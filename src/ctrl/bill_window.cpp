// The edges of windows (docs/bill.md): what is pending is billed to the request that waits, what
// lies beyond the edge is taken over into the next window.

#include "ctrl/bill.h"

namespace diffram::ctrl {

using base::Cause;
using spec::Command;

namespace {

constexpr std::int64_t kFarBack = INT64_MIN / 2;  // before any cycle of a run

}  // namespace

// Cycles without data up to `now` that no burst has claimed yet.
bool Bill::has_pending(std::int64_t now) {
  if (bus_end_ < now) {
    pending_.push_back({bus_end_, now});
    bus_end_ = now;
    next_data_ = kNoData;
  }
  segments_.clear();
  chain_end_ = now;
  return !pending_.empty();
}

void Bill::settle_waiting(const QueuedBurst& burst, bool read, Command next, bool held,
                          std::int64_t now) {
  if (!has_pending(now)) return;
  const std::int64_t visible = burst.acceptance + dispatch_;
  const Wait wait = wait_for(next, burst.bank());
  if (held) {
    push(visible, Cause::refresh, unnamed_, kFarBack);
  } else if (wait.legal > now) {
    push_wait(banks_[burst.bank()].history, wait, visible, kFarBack);
  } else {
    push(visible, Cause::policy, unnamed_, kFarBack);
  }
  bill_waiting(burst, read);
}

void Bill::settle_blocked(const QueuedBurst& burst, bool read, Cause cause, std::int64_t now) {
  if (!has_pending(now)) return;
  push(burst.acceptance + dispatch_, cause, unnamed_, kFarBack);
  bill_waiting(burst, read);
}

// The chain before the burst was visible, and all that is pending billed along it.
void Bill::bill_waiting(const QueuedBurst& burst, bool read) {
  push(burst.acceptance, Cause::dispatch, unnamed_, kFarBack);
  push(burst.of.arrival, Cause::front, unnamed_, kFarBack);
  push(kFarBack, Cause::cas, unnamed_, kFarBack);
  for (const Piece& piece : pending_) {
    bill_piece(burst.of.origin, piece.begin, piece.end, read ? timing_.read : timing_.write);
  }
  pending_.clear();
  expect_data();
}

void Bill::take(std::int64_t now, const std::vector<base::OriginCounters>& origins,
                std::map<base::BillKey, std::int64_t>& bill) {
  const auto id = [this](std::uint32_t index) {
    return index < unnamed_ ? base::OriginId(index) : base::kNoOrigin;
  };
  std::vector<std::pair<std::uint64_t, std::int64_t>> later;
  for (const Entry& entry : entries_) {
    if (entry.end <= now) continue;
    later.emplace_back(entry.key, entry.end - std::max(entry.begin, now));
    table_.add(entry.key, -later.back().second);
  }
  table_.for_each([&](std::uint64_t key, std::int64_t cycles) {
    bill[{id(BillTable::victim(key)), id(BillTable::culprit(key)), BillTable::cause(key)}] +=
        cycles;
  });
  table_.clear();
  for (const auto& [key, cycles] : later) table_.add(key, cycles);

  const auto data = [&](std::uint32_t origin, bool read, std::int64_t cycles) {
    if (cycles == 0) return;
    const base::BillKey key{id(origin), base::kNoOrigin,
                            read ? Cause::data_read : Cause::data_write};
    std::int64_t& billed = bill[key];
    billed += cycles;
    if (billed == 0) bill.erase(key);
  };
  for (std::uint32_t origin = 0; origin < origins.size(); ++origin) {
    data(origin, true, origins[origin].reads * timing_.burst);
    data(origin, false, origins[origin].writes * timing_.burst);
  }
  for (const CarriedData& carried : carried_) data(carried.origin, carried.read, carried.cycles);
  carried_.clear();
  std::int64_t taken = INT64_MIN;  // the bus, by the bursts before
  for (std::size_t i = 1; i <= columns_.size(); ++i) {
    const Columns& columns = columns_[(last_columns_ + i) & kColumnMask];
    std::int64_t end =
        columns.first + (columns.read ? timing_.read : timing_.write) + timing_.burst;
    const std::int64_t last = end + (columns.count - 1) * timing_.burst;
    if (end <= now) end = std::min(last, end + (now - end) / timing_.burst * timing_.burst);
    for (; end <= last; end += timing_.burst) {
      if (end > now) {
        const std::int64_t begin = std::max({end - timing_.burst, taken, now});
        carried_.push_back({columns.origin, columns.read, end - begin});
        data(columns.origin, columns.read, -carried_.back().cycles);
      }
      taken = std::max(taken, end);
    }
  }
}

}  // namespace diffram::ctrl

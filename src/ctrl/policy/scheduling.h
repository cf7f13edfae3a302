#pragma once
// What tells one scheduler from another: when the direction turns, and which row hit may pass an
// older burst (docs/controller.md 3 and 5). A scheduler is a file here and a line in
// `schedulers.cpp`.

#include <array>
#include <memory>
#include <vector>

#include "base/request.h"
#include "ctrl/burst_queue.h"
#include "ctrl/policy/moment.h"

namespace diffram::ctrl {

/// The queued bursts of both directions, and whose turn it is.
struct Queues {
  std::array<BurstQueue, 2>& by_direction;
  std::array<std::uint32_t, 2> slots;
  base::Direction direction = base::Direction::read;
  std::uint32_t served = 0;  ///< column commands since the last turn

  BurstQueue& of(base::Direction d) { return by_direction[static_cast<std::size_t>(d)]; }
  const BurstQueue& of(base::Direction d) const {
    return by_direction[static_cast<std::size_t>(d)];
  }
  BurstQueue& present() { return of(direction); }
  const BurstQueue& present() const { return of(direction); }
  BurstQueue& other() { return by_direction[1 - static_cast<std::size_t>(direction)]; }
  const BurstQueue& other() const { return by_direction[1 - static_cast<std::size_t>(direction)]; }
  bool reading() const { return direction == base::Direction::read; }
};

/// Has the oldest burst of a queue that is not empty waited so many cycles?
inline bool oldest_waited(const BurstQueue& bursts, std::int64_t cycles, Moment& moment) {
  return moment.reached(bursts[bursts.oldest()].acceptance + cycles);
}

class Scheduling {
 public:
  Scheduling() = default;
  Scheduling(const Scheduling&) = delete;
  Scheduling& operator=(const Scheduling&) = delete;
  virtual ~Scheduling() = default;

  /// Is it the other direction's turn from this cycle on?
  virtual bool turns(const Queues& queues, Moment& moment) const = 0;
  /// May a hit of the bank pass `oldest`, which wants another row?
  virtual bool may_pass(const Queues& queues, const QueuedBurst& oldest, Moment& moment) const = 0;
  /// A hit has passed it.
  virtual void passed(const Queues& queues, const QueuedBurst& oldest) = 0;
  /// The bank has another row.
  virtual void opened(std::uint32_t bank) = 0;
  /// Does only the oldest burst of all get commands?
  virtual bool in_order() const { return false; }
  /// What the past has left in it, as numbers: for the checkpoint of an idle channel.
  virtual std::vector<std::int64_t> remembered() const { return {}; }
  virtual void recall(const std::vector<std::int64_t>& /*numbers*/) {}
};

std::unique_ptr<Scheduling> make_fcfs(const spec::MemorySpec& spec);
std::unique_ptr<Scheduling> make_row_hits_first(const spec::MemorySpec& spec);
std::unique_ptr<Scheduling> make_strict(const spec::MemorySpec& spec);
std::unique_ptr<Scheduling> make_grouped(const spec::MemorySpec& spec);

}  // namespace diffram::ctrl

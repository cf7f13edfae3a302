#pragma once
// One channel: front end, queues, scheduler, refresh, and the bill of its data bus. It is asked to
// `advance(until)` and jumps from useful cycle to useful cycle.

#include <cstdint>
#include <functional>
#include <iosfwd>
#include <memory>
#include <span>
#include <vector>

#include "base/counters.h"
#include "base/operating_point.h"
#include "base/quantities.h"
#include "base/request.h"
#include "ctrl/address_walk.h"
#include "dram/simd_path.h"
#include "spec/memory.h"

namespace diffram::ctrl {

struct MemoryTables;

/// A command as issued, for logs and tests.
struct IssuedCommand {
  std::int64_t cycle = 0;
  spec::Command command = spec::Command::ACT;
  std::uint32_t rank = 0, bank_group = 0, bank = 0, row = 0, column = 0;
  bool operator==(const IssuedCommand&) const = default;
};

struct Completion {
  std::uint64_t ticket = 0;  ///< as given to `submit`
  std::int64_t cycle = 0;    ///< end of the last data beat of this channel's part of the run
};

struct ChannelOptions {
  std::size_t origins = 0;  ///< size of ChannelCounters::origins
  bool attribution = true;  ///< off: no bill, no energy tickets; commands and cycles are the same
  std::function<void(const IssuedCommand&)> on_command;  ///< empty = no log
  dram::SimdPath simd = dram::chosen_simd_path();        ///< all paths give the same
  bool streaks = true;     ///< off: long runs go burst by burst, with the same results (for tests)
  bool throttles = false;  ///< operating points may leave less than all column slots
  std::shared_ptr<const MemoryTables> tables;  ///< of the spec; without them each has its own
  bool fast = true;  ///< off: the channel of all policies, with the same results (for tests)
};

class Channel {
 public:
  virtual ~Channel() = default;

  /// Queue this channel's part of a run; `arrival` ≥ now() and not before earlier ones. A run
  /// without a burst in this channel completes at once. Bytes outside the capacity are the caller's
  /// error.
  virtual void submit(const base::Request& run, base::Cycles arrival, std::uint64_t ticket) = 0;
  /// The same for who knows the run's first burst in this channel (ChannelFinder).
  virtual void submit_from(const AddressWalk::Cursor& /*first*/, const base::Request& run,
                           base::Cycles arrival, std::uint64_t ticket) {
    submit(run, arrival, ticket);
  }
  /// The same for who may not know it: then `first` is null.
  void submit(const base::Request& run, base::Cycles arrival, std::uint64_t ticket,
              const AddressWalk::Cursor* first) {
    first != nullptr ? submit_from(*first, run, arrival, ticket) : submit(run, arrival, ticket);
  }

  /// Simulate all cycles < until. Afterwards now() == until.
  virtual void advance(base::Cycles until) = 0;
  /// Simulate until every submitted run is complete; gives the cycle after the last data beat.
  virtual base::Cycles drain() = 0;
  /// Simulate until the run with this ticket is complete (see `completions`), or to `limit`.
  virtual void advance_until_complete(std::uint64_t ticket, base::Cycles limit) = 0;

  /// From now on, time in which the channel holds no request is billed as `cause` to `owner` (the
  /// op that computes). Called at op boundaries, when the channel is idle.
  virtual void set_idle_account(base::Cause cause, base::OriginId owner) = 0;

  /// From now() on. The interval of a rank's refresh that runs ends when it would have; those after
  /// it have the new length.
  virtual void set_operating_point(const base::OperatingPoint& point) = 0;

  virtual base::Cycles now() const = 0;
  virtual bool idle() const = 0;  ///< nothing queued, no data on the way
  virtual std::span<const Completion> completions() const = 0;
  virtual void clear_completions() = 0;

  /// The state of an idle channel, and a channel of the same spec and options made equal to it.
  /// Only what `save` wrote is read; the caller guards it against damage.
  virtual void save(std::ostream& out) const = 0;
  virtual void restore(std::istream& in) = 0;

  /// Cycles, banks and ranks of the window so far; it goes on, and nothing of it changes.
  virtual base::ChannelCounters so_far() = 0;
  /// Close the window at now(): hand over the counters since the last call and start afresh.
  virtual base::ChannelCounters take_counters() = 0;
};

/// A channel of the spec with the controller that `spec.controller.scheduler` names.
std::unique_ptr<Channel> make_channel(const spec::MemorySpec& spec, base::ChannelId channel,
                                      const ChannelOptions& options);
std::vector<std::string> scheduler_names();

}  // namespace diffram::ctrl

#pragma once
// What both native channels are made of, and what they do alike: how a run comes in, where a call
// to simulate ends, how a window is closed. They differ in how they find the next command
// (`simulate`): `Frfcfs` for the usual combination of policies, `PolicyChannel` for all
// (docs/decisions/0005).

#include <algorithm>
#include <array>
#include <cassert>
#include <functional>
#include <vector>

#include "ctrl/attribution.h"
#include "ctrl/burst_queue.h"
#include "ctrl/channel.h"
#include "ctrl/front_end.h"
#include "ctrl/memory_tables.h"
#include "ctrl/throttle.h"
#include "ctrl/window_counters.h"
#include "dram/device.h"

namespace diffram::ctrl {

/// tREFI in cycles, or that of a part of the rank if it is refreshed by parts; 0 = no refresh.
std::int64_t refresh_interval_of(const spec::MemorySpec& spec);

class NativeChannel : public Channel {
 public:
  void submit(const base::Request& request, base::Cycles arrival, std::uint64_t ticket) override {
    take_in(request, arrival, ticket);
  }
  void submit_from(const AddressWalk::Cursor& first, const base::Request& request,
                   base::Cycles arrival, std::uint64_t ticket) override {
    take_in_from(first, request, arrival, ticket);
  }
  void advance(base::Cycles until) final { run_to(until.value); }
  base::Cycles drain() final;
  void advance_until_complete(std::uint64_t ticket, base::Cycles limit) final;
  void set_idle_account(base::Cause cause, base::OriginId owner) final;
  void set_operating_point(const base::OperatingPoint& point) final;
  base::Cycles now() const final { return base::Cycles(now_); }
  bool idle() const final { return nothing_waits() && last_data_ <= now_; }
  std::span<const Completion> completions() const final { return completions_; }
  void clear_completions() final { completions_.clear(); }
  base::ChannelCounters so_far() final;
  base::ChannelCounters take_counters() final;

 protected:
  /// `issued` is the mask of the commands that may ever issue.
  NativeChannel(const spec::MemorySpec& spec, base::ChannelId channel,
                const ChannelOptions& options, std::uint32_t issued);

  /// The cycles from now_ to until_, which `finish` may bring nearer.
  virtual void simulate() = 0;
  /// How a bank stands, for a burst that waits for it.
  struct Standing {
    std::uint32_t row = kNone;  ///< kNone = closed
    bool held = false;          ///< for a refresh
    bool asleep = false;
  };
  virtual Standing standing(std::uint32_t bank) const = 0;
  /// A window ends: what ranks have done up to now_ is to be in the counters.
  virtual void settle_ranks() {}

  /// False if the run has no burst in this channel: it is complete.
  bool take_in(const base::Request& request, base::Cycles arrival, std::uint64_t ticket);
  void take_in_from(const AddressWalk::Cursor& first, const base::Request& request,
                    base::Cycles arrival, std::uint64_t ticket);
  /// When a rank's first refresh falls due; kNever without refresh.
  std::int64_t first_due(std::uint32_t rank) const;
  std::uint32_t waiting() const { return queues_[0].size() + queues_[1].size(); }
  bool nothing_waits() const { return waiting() == 0 && front_.empty(); }
  /// Since when one of the bank's bursts may have waited: `burst`, or one that is or was queued.
  template <class Burst>
  std::int64_t waits_since(std::uint32_t bank, const Burst& burst) const {
    std::int64_t since = burst.acceptance + policy_.dispatch;
    for (const BurstQueue& each : queues_) {
      const std::uint32_t head = each.head(bank);
      if (head != kNone) since = std::min(since, each.visible(head));
    }
    return since;
  }
  /// A run is complete at `end`; it has left the lists and the queues.
  [[gnu::always_inline]] void finish(std::uint64_t ticket, std::int64_t end);
  /// Its column command issues and `closes` the row or not; its data end at `end`.
  [[gnu::always_inline]] void count_column(const QueuedBurst& burst, bool read, bool closes,
                                           std::int64_t end);
  /// A refresh of a whole rank.
  void count_refresh(std::uint32_t rank);
  /// For the command log.
  [[gnu::noinline]] void log(std::int64_t t, spec::Command command, std::uint32_t bank,
                             std::uint32_t row = 0, std::uint32_t column = 0) const;

  /// Cycles in which a bank changes, from the table.
  struct RestTimes {
    std::int64_t activate, precharge, refresh, least_open, after_read, after_write, part;
  };

  /// What the past has left in an idle channel.
  template <class Archive>
  void archive_native(Archive& archive) {
    archive(device_, next_age_, now_, last_data_, counters_, attributed_, refresh_interval_,
            throttle_);
  }

  // What is simulated.
  const std::shared_ptr<const MemoryTables> tables_;
  const spec::Controller policy_;
  const std::int64_t cool_interval_;  ///< between the refreshes of a cool memory; 0 = none
  const BusTiming timing_;
  const std::uint32_t unnamed_;  ///< index of the counters of requests without a name
  const bool attribution_;
  const std::function<void(const IssuedCommand&)> on_command_;
  const AddressWalk walk_;

  // Its state.
  std::int64_t refresh_interval_;  ///< at the operating point; 0 = no refresh
  Throttle throttle_;
  dram::Device device_;
  const RestTimes rest_;
  std::array<BurstQueue, 2> queues_;  ///< by Direction
  FrontEnd front_;
  std::uint32_t next_age_ = 0;
  std::int64_t now_ = 0;
  std::int64_t last_data_ = 0;  ///< end of all data known

  // Of the call at hand.
  std::int64_t until_ = 0;
  bool stop_when_done_ = false;
  bool stop_at_ticket_ = false;
  std::uint64_t awaited_ticket_ = 0;

  // What is counted.
  WindowCounters counters_;
  std::vector<Completion> completions_;
  Attribution attributed_;

 private:
  void run_to(std::int64_t until);
  bool is_outstanding(std::uint64_t ticket) const;
  bool nothing_arrived() const;
  void settle_window_edge();
  void settle_window_edge_in_front();
  std::uint32_t index_of(base::OriginId origin) const {
    return origin.value < unnamed_ ? origin.value : unnamed_;
  }
};

inline bool NativeChannel::take_in(const base::Request& request, base::Cycles arrival,
                                   std::uint64_t ticket) {
  assert(arrival.value >= now_ && request.bytes > 0);
  NextBurst next{{}, arrival.value, ticket, index_of(request.origin)};
  if (front_.submit(walk_, request, next)) return true;
  completions_.push_back({ticket, arrival.value});
  return false;
}

inline void NativeChannel::take_in_from(const AddressWalk::Cursor& first,
                                        const base::Request& request, base::Cycles arrival,
                                        std::uint64_t ticket) {
  assert(arrival.value >= now_ && request.bytes > 0);
  front_.submit_from(first, walk_, request.direction, arrival.value, ticket,
                     index_of(request.origin));
}

inline void NativeChannel::finish(std::uint64_t ticket, std::int64_t end) {
  front_.complete({ticket, end});
  if (stop_at_ticket_ && ticket == awaited_ticket_) until_ = std::min(until_, end);
  if (stop_when_done_ && nothing_waits()) until_ = std::min(until_, last_data_);
}

inline void NativeChannel::count_column(const QueuedBurst& burst, bool read, bool closes,
                                        std::int64_t end) {
  base::OriginCounters& origin = counters_.origins[burst.of.origin];
  base::BankCounters& bank = counters_.banks[burst.bank()];
  if (read) {
    ++origin.reads;
    ++(closes ? bank.rda : bank.rd);
    const std::int64_t latency = end - burst.acceptance;
    origin.read_latency_cycles += latency;
    counters_.read_latency(latency);
  } else {
    ++origin.writes;
    ++(closes ? bank.wra : bank.wr);
  }
  if (burst.outcome == RowOutcome::hit) {
    ++origin.hits;
  } else if (burst.outcome == RowOutcome::miss) {
    ++origin.misses;
  } else {
    ++origin.conflicts;
    ++bank.conflicts;
  }
}

}  // namespace diffram::ctrl

#pragma once
// DRAMsim3's controller of one channel, equal to it command for command (dramsim3-behaviour.md 5 to
// 13). Where DRAMsim3 looks at every cycle, only cycles in which something can change are visited
// here: a command that can issue, a transaction that can move, a refresh that falls due or
// continues, a rank that can fall asleep. In all others only the residencies grow, in closed form.

#include <array>
#include <deque>
#include <functional>
#include <optional>
#include <string>

#include "ctrl/compat/command_queues.h"
#include "ctrl/compat/statistics.h"
#include "ctrl/compat/waiting_queue.h"

namespace diffram::ctrl::compat {

using CommandSink = std::function<void(const IssuedCommand&)>;

/// A request that is answered: an entry of DRAMsim3's return list, made when it is known.
struct Answer {
  std::uint64_t address = 0;
  Tick delivered = 0;
  Tick arrival = 0;
  bool is_write = false;
};
using AnswerSink = std::function<void(const Answer&)>;

/// Where DRAMsim3 ends its process (exit code 255).
struct Abort {
  Tick cycle = 0;
  std::string reason;
};

/// What is left at the end of a run, for diagnostics.
struct Leftovers {
  std::uint64_t buffered_writes = 0;  ///< in the write buffer
  std::uint64_t refreshes = 0;        ///< in the refresh queue
  bool nothing_else_waits = false;    ///< read queue and command queues are empty
  bool drain_is_stuck = false;        ///< armed and cancelled in every cycle
};

class Controller {
 public:
  /// Everything that is answered before cycle `horizon` counts as done.
  Controller(const spec::Dramsim3Config& config, Tick horizon, CommandSink on_command,
             AnswerSink on_answer = {});

  /// Simulate all ticks < end; stops early at an abort.
  void run_until(Tick end);
  /// The same, but at most until `accepts(is_write)` after a tick; says whether it does.
  bool run_until_accepts(bool is_write, Tick end);

  bool accepts(bool is_write) const {
    return waiting_for(is_write).size() < config_.transaction_queue_entries;
  }
  /// A request that arrives at now(): `accepts` was asked.
  void add(std::uint64_t address, bool is_write);

  Tick now() const { return now_; }  ///< the next tick
  const std::optional<Abort>& abort() const { return abort_; }
  /// Closes the residencies at now().
  Counters take_counters();
  /// Counting starts again at now().
  void reset_counters();
  Leftovers leftovers() const;

 private:
  /// The first tick in which a command queue yields, and which.
  struct Decision {
    Tick tick = kNever;
    std::uint32_t bank = 0;  ///< of the queue, the first that can act
  };
  struct RefreshOrder {
    std::uint32_t rank = 0;
    std::uint32_t bank = kNone;  ///< of the channel; kNone: the whole rank
  };

  WaitingQueue& waiting_for(bool is_write) { return waiting_[is_write & has_write_buffer_]; }
  const WaitingQueue& waiting_for(bool is_write) const {
    return waiting_[is_write & has_write_buffer_];
  }
  WaitingQueue& write_buffer() { return waiting_[1]; }  ///< empty with a unified queue
  const WaitingQueue& write_buffer() const { return waiting_[1]; }

  void step(Tick end);
  Tick next_event();
  Tick rank_event() const;
  void tick(Tick t);
  [[gnu::noinline]] void look_at_ranks(Tick t);

  // Picking and issuing.
  const Decision& decision(Tick floor) {
    if (!decision_is_known_) search(floor);
    return decision_;
  }
  void search(Tick floor);
  void search_few(Tick floor);
  void offer(std::uint32_t bank, Tick floor);
  void yield_of(std::uint32_t queue) {
    pointer_ = queue;
    first_bank_ = queues_.first_bank_of(queue + 1 == queues_.queues() ? 0 : queue + 1);
  }
  void act_in_turn(Tick t);
  [[gnu::always_inline]] std::uint32_t next_in_turn(Tick t);
  std::uint32_t oldest_of_rank(Tick t) const;
  [[gnu::always_inline]] bool act(std::uint32_t bank, Tick t);
  [[gnu::noinline]] void act_again(bool first_is_column, Tick t);
  void take_out(std::uint32_t transaction);
  void issue_wake(std::uint32_t bank, Tick t);
  void issue_column(std::uint32_t transaction, Tick t);
  void issue_activate(std::uint32_t bank, std::uint32_t row, Tick t);
  void issue_precharge(std::uint32_t bank, Tick t);
  void finish_read(std::uint32_t transaction, Tick t);
  void log(Tick t, Command command, std::uint32_t rank, std::uint32_t bank = 0,
           std::uint32_t row = 0, std::uint32_t column = 0);
  void settle(std::uint32_t rank, Tick until);

  // Transaction queues to command queues.
  bool arms_drain() const;
  bool transfer_may_act() const;
  void transfer(Tick t);

  // Refresh and self-refresh: controller_refresh.cpp.
  void fall_due();
  bool refresh_step(Tick t);
  bool refresh_rank(std::uint32_t rank, Tick t);
  bool refresh_bank(std::uint32_t bank, Tick t);
  Tick refresh_event() const;
  void freeze(const RefreshOrder& order);
  void set_frozen(std::uint32_t rank, Near frozen);
  void end_refresh();
  void self_refresh_step(Tick t);
  Tick sleep_event() const;
  Tick sleep_ready(std::uint32_t rank) const;
  void stop(Tick t, std::string reason) { abort_ = Abort{t, std::move(reason)}; }

  const spec::Dramsim3Config config_;
  const Offsets offsets_;
  const Tick horizon_;
  const CommandSink on_command_;
  const AnswerSink on_answer_;

  BankTimes times_;
  Transactions transactions_;
  CommandQueues queues_;
  const bool has_write_buffer_;          ///< no unified queue
  std::array<WaitingQueue, 2> waiting_;  ///< read queue or the unified one, write buffer
  const std::uint32_t least_to_drain_;   ///< writes without which no drain begins
  std::uint32_t drain_ = 0;
  bool transfer_is_due_ = false;
  bool drain_is_stuck_ = false;

  Decision decision_;
  bool decision_is_known_ = false;
  std::uint32_t pointer_ = 0;     ///< of the round robin: the queue that yielded last
  std::uint32_t first_bank_ = 0;  ///< of the queue after it

  std::deque<RefreshOrder> refresh_queue_;
  bool refresh_is_in_progress_ = false;  ///< its head freezes banks
  Tick refresh_due_;
  Tick quiet_until_ = 0;  ///< before it neither refresh nor self-refresh does anything
  std::uint32_t next_rank_ = 0, next_group_ = 0, next_bank_ = 0;  ///< to refresh
  std::vector<std::uint8_t> has_had_work_;                        ///< by rank, never cleared

  Tick now_ = 0;
  Tick last_arrival_ = 0;
  Tick counted_from_ = 0;
  std::vector<Tick> settled_;  ///< by rank: residencies are counted up to here
  Counters counters_;
  std::optional<Abort> abort_;
};

}  // namespace diffram::ctrl::compat

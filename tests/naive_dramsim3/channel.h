#pragma once
// One channel's controller, ticked every cycle.

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "naive_dramsim3/configuration.h"
#include "naive_dramsim3/timing_rules.h"

namespace diffram::naive_dramsim3 {

using Cycle = std::uint64_t;  // as the reference has it: a negative earliest time wraps

/// The reference ends its process (exit code 255) in the tick that throws this.
struct Abort {
  std::string reason;
};

struct Transaction {
  std::uint64_t address = 0;
  bool is_write = false;
  Cycle arrival = 0;
};

inline auto at_address(std::uint64_t address) {
  return [address](const Transaction& t) { return t.address == address; };
}

struct Command {
  Kind kind = RD;
  Place at;
  std::uint64_t address = 0;
};

using Histogram = std::map<std::uint64_t, std::uint64_t>;  // value -> count

struct Counters {
  std::uint64_t cycles = 0, epochs = 0, reads_done = 0, writes_done = 0, ondemand_pres = 0,
                dual_commands = 0, read_row_hits = 0, write_row_hits = 0;
  std::uint64_t commands[kKinds] = {};
  std::vector<std::uint64_t> idle_cycles, active_cycles, sleep_cycles;  ///< by rank
  Histogram read_latency, write_latency, interarrival;
};

class Channel {
 public:
  explicit Channel(const Configuration& configuration);

  bool accepts(bool is_write) const;
  /// Admission. The caller has asked `accepts`.
  void add(std::uint64_t address, bool is_write);
  /// Hands over what is finished, in the order in which it was put into the return list.
  void deliver(const std::function<void(const Transaction&)>& done);
  /// @throws Abort
  void tick();
  void end_epoch() { ++counters_.epochs; }

  Cycle now() const { return now_; }
  const Counters& counters() const { return counters_; }
  /// The canonical command log: a line a command, its cycle first.
  const std::string& log() const { return log_; }

 private:
  enum class State { closed, open, asleep };
  struct Bank {
    State state = State::closed;
    std::int64_t row = 0;
    int hits = 0;
    Cycle earliest[kKinds] = {};
  };
  struct Rank {
    int idle = 0;
    bool has_had_work = false;
    std::vector<Cycle> activations;  ///< all, oldest first
  };
  struct Reply {
    Transaction transaction;
    Cycle completion;
  };

  void start_due_refresh();
  std::optional<Command> refresh_step();
  std::optional<Command> pick();
  std::optional<Command> pick_from(int queue);
  bool may_precharge(int queue, std::size_t entry) const;
  bool waits_for_older_read(int queue, std::size_t entry) const;
  bool may_activate(int rank) const;
  bool frozen(int queue) const;
  void issue(const Command& command);
  void complete(const Command& command);
  void change_states(const Command& command);
  void push_back_earliest(const Command& command);
  void issue_second(const Command& first);
  void count_rank_cycles();
  void self_refresh_step();
  void move_one_transaction();

  Kind required(int bank, Kind wanted, std::int64_t row) const;
  bool ready(int bank, Kind kind) const { return now_ >= banks_[bank].earliest[kind]; }
  bool asleep(int rank) const { return banks_[rank * c_.banks].state == State::asleep; }
  int queue_of(const Place& at) const { return c_.queue_per_bank ? c_.bank_index(at) : at.rank; }
  void write_log(const Command& command);

  const Configuration& c_;
  TimingRules rules_;
  Cycle now_ = 0, last_arrival_ = 0;
  std::vector<Transaction> read_queue_, write_buffer_, unified_queue_;
  std::vector<Transaction> pending_reads_, pending_writes_;
  std::vector<std::vector<Command>> queues_;
  int pointer_ = 0;        ///< of the round robin over the command queues
  std::size_t drain_ = 0;  ///< writes still to move before reads have their turn
  std::vector<Bank> banks_;
  std::vector<Rank> ranks_;
  std::vector<Command> refreshes_;  ///< waiting, oldest first
  bool refresh_in_progress_ = false;
  Place next_refresh_;
  std::vector<Reply> replies_;
  Counters counters_;
  std::string log_;
};

}  // namespace diffram::naive_dramsim3

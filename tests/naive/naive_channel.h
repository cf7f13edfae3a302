#pragma once
// The native controller once more, as plainly as docs/controller.md tells it: every cycle is
// ticked, every queue is scanned, and a command is legal if a look back through the history of
// commands finds no row of the table broken. It shares no file with ctrl, dram or sim; slowness is
// its virtue.

#include <cstdint>
#include <deque>
#include <map>
#include <vector>

#include "base/request.h"
#include "spec/memory.h"

namespace diffram::naive {

struct Place {
  std::uint32_t rank = 0, bank_group = 0, bank = 0, row = 0, column = 0;
};

struct Issued {
  std::int64_t cycle = 0;
  spec::Command command = spec::Command::ACT;
  Place place;
};

/// Where commands went, and whether a further one may.
class History {
 public:
  explicit History(const spec::MemorySpec& spec) : spec_(spec) {}

  /// A rank's command (PREA, REFab …) has only its rank's rows; `place` names a bank otherwise.
  bool legal(spec::Command command, const Place& place, std::int64_t cycle) const;
  void record(spec::Command command, const Place& place, std::int64_t cycle) {
    past_.push_back({cycle, command, place});
  }

  /// The banks that a command is in: of REFpb and REFsb it may be several.
  std::vector<Place> banks_of(spec::Command command, const Place& place) const;

 private:
  const spec::MemorySpec& spec_;
  std::vector<Issued> past_;
};

bool in_scope(spec::Scope scope, const Place& before, const Place& after,
              std::uint32_t groups_per_stack = 1);

struct Outcomes {
  std::int64_t hits = 0, misses = 0, conflicts = 0, forwarded = 0;
  bool operator==(const Outcomes&) const = default;
};

class Channel {
 public:
  Channel(const spec::MemorySpec& spec, std::uint32_t channel);

  /// As ctrl::Channel: arrivals never go back.
  void submit(const base::Request& run, std::int64_t arrival, std::uint64_t ticket);
  void advance(std::int64_t until);
  /// Ticks until every run is complete; the cycle after the last data beat.
  std::int64_t drain();

  const std::vector<Issued>& commands() const { return commands_; }
  const std::map<std::uint64_t, std::int64_t>& completions() const { return completions_; }
  const Outcomes& outcomes() const { return outcomes_; }
  /// The longest time from acceptance to column command.
  std::int64_t longest_wait() const { return longest_wait_; }

 private:
  enum class Mark { none, miss, conflict };
  struct Burst {
    std::uint64_t address = 0;
    Place place;
    std::int64_t accepted = 0;
    std::uint64_t age = 0;
    std::uint64_t ticket = 0;
    Mark mark = Mark::none;
    std::uint32_t passed = 0;  ///< by hits, frfcfs-strict
  };
  struct Run {
    std::uint64_t order = 0;  ///< of submission
    std::int64_t arrival = 0;
    std::uint64_t ticket = 0;
    std::deque<std::uint64_t> bursts;  ///< addresses in this channel, ascending
  };
  struct Bank {
    Place place;
    bool open = false;
    std::uint32_t row = 0;
    std::uint32_t passes = 0;
    std::int64_t used = 0;       ///< last ACT or column command
    std::int64_t activated = 0;  ///< last ACT
    int closes = 1;              ///< page policy adaptive: the number n
    bool judged = false;
    std::uint32_t judged_row = 0;
  };
  enum class State { awake, power_down, self_refresh };
  struct Rank {
    State state = State::awake;
    std::int64_t due = 0;  ///< of the next refresh
    std::int64_t debt = 0;
    std::int64_t last_column = 0;
    std::int64_t at_rest = 0;
    bool must_refresh = false;  ///< before self-refresh: it left it and had no refresh since
    std::uint32_t next_part = 0;
    std::int64_t clock_until = -1;    ///< the data clock runs up to this cycle
    const Bank* clock_for = nullptr;  ///< bank it was started for
  };
  struct Candidate {
    Bank* bank = nullptr;
    Burst* burst = nullptr;
    Burst* oldest = nullptr;
  };

  void tick();
  void admit();
  bool admit_head(bool reads);
  bool issue_column();
  void issue(spec::Command command, const Place& place);
  void finish_burst(std::uint64_t ticket, std::int64_t cycle);
  bool overdue(const Burst& burst) const;
  bool visible(const Burst& burst) const;
  std::vector<Burst>& present() { return writing_ ? writes_ : reads_; }
  Burst* oldest_of(const Bank& bank);
  Burst* oldest_hit_of(const Bank& bank);
  bool prea_is_legal(std::uint32_t rank) const;
  Place decode(std::uint64_t address) const;
  bool issue_row();
  void open_row(Bank& bank, Burst& oldest);

  // naive_policies.cpp: steps 3, 5 and 6 where the policies differ.
  void turn();
  bool drain_turns() const;
  bool group_turns() const;
  const Burst* oldest_of_all() const;
  bool counts(const Burst& burst) const;
  bool hit_may_go(const Bank& bank, const Burst* hit, const Burst* oldest) const;
  bool row_ends(Bank& bank, const Burst& burst);
  void judge(Bank& bank, std::uint32_t row);

  // naive_ranks.cpp: refresh, sleep and housekeeping.
  void count_refreshes();
  bool idle(std::uint32_t rank) const;
  bool held(std::uint32_t rank) const;
  bool works(std::uint32_t rank) const;
  std::int64_t quiet(std::uint32_t rank) const { return cycle_ - ranks_[rank].last_column; }
  bool any_open(std::uint32_t rank) const;
  bool wake_or_refresh();
  bool wake(std::uint32_t rank);
  bool refresh_rank(std::uint32_t rank);
  std::vector<Bank*> next_part_of(std::uint32_t rank);
  bool refresh_part(std::uint32_t rank);
  bool kept(const Bank& bank);
  bool legal_at_edge(spec::Command command, const Place& place) const;
  /// Least cycles from one to the other in a bank, by the table.
  std::int64_t apart(spec::Command before, spec::Command after) const;
  bool has_clock() const {
    return spec_.protocol.clock_after_read > 0 || spec_.protocol.clock_after_write > 0;
  }
  bool clock_runs(std::uint32_t rank) const {
    return !has_clock() || cycle_ <= ranks_[rank].clock_until;
  }
  bool column_may_go(const Bank& bank, const Place& place) const;
  bool keep_house();
  bool close_idle_row();
  bool pull_in();
  bool go_to_sleep();
  bool enter_self_refresh(std::uint32_t rank);
  bool enter_power_down(std::uint32_t rank);
  bool close(Bank& bank);

  const spec::MemorySpec spec_;
  std::uint32_t channel_;
  std::int64_t cycle_ = 0;
  std::uint64_t submissions_ = 0, ages_ = 0;
  std::deque<Run> read_list_, write_list_;
  std::vector<Burst> reads_, writes_;
  bool writing_ = false;
  std::uint32_t served_ = 0;
  std::vector<Bank> banks_;
  std::vector<Rank> ranks_;
  History history_;
  std::vector<Issued> commands_;
  std::map<std::uint64_t, std::int64_t> bursts_left_, completions_, latest_;
  Outcomes outcomes_;
  std::int64_t longest_wait_ = 0;
};

}  // namespace diffram::naive

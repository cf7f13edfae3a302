#pragma once
// Does a channel's command log keep the rules? Each command is held against the rows of the table
// by looking back through history, and against the state of its bank, rank and buses. Written from
// spec::Constraint and docs/controller.md; no code is shared with the engine.

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "check/command.h"
#include "check/history.h"
#include "check/rules.h"
#include "spec/memory.h"

namespace diffram::check {

struct Violation {
  std::size_t rule = 0;  ///< index into rules_of(memory)
  std::uint32_t channel = 0;
  std::optional<Command> before;  ///< the earlier command; none if the rule is about one only
  Command after;                  ///< the command that breaks the rule
  std::int64_t required = 0;  ///< cycles from before to after; of `tREFI` the most, else the least
  std::int64_t found = 0;     ///< cycles from before to after

  /// By how many cycles the rule is missed; 0 for a rule of state.
  std::int64_t shortfall() const { return required > found ? required - found : found - required; }
};

class ChannelProtocol {
 public:
  using OnViolation = std::function<void(const Violation&)>;

  /// `memory` and what `found` uses must outlive this.
  ChannelProtocol(const spec::MemorySpec& memory, std::uint32_t channel, OnViolation found);

  /// The next command of the channel; cycles do not go back. A command breaks a rule at most once:
  /// with the earlier command that misses it by most. After a breach the log is taken at its word:
  /// the row it activates or reads is open, a rank that was not woken sleeps on.
  void command(const Command& command);
  /// The log ends; what is due by then is looked at.
  void finish();

  /// PRE and PREA that found nothing to close: legal, and a sign of a confused controller.
  std::uint64_t idle_precharges() const { return idle_precharges_; }

 private:
  enum class Sleep : std::uint8_t { awake, power_down, self_refresh };
  struct Bank {
    bool open = false;
    Command activated;  ///< by which the row is open; a column command if none has opened it
    std::optional<Command> closed;
  };
  struct Rank {
    Sleep sleep = Sleep::awake;
    Command entered;                    ///< the sleep
    std::optional<Command> refreshed;   ///< the last refresh, or the end of a self refresh
    bool refresh_was_late = false;      ///< said once between two refreshes
    std::int64_t clock_until = -1;      ///< the last cycle for which its data clock runs
    std::vector<bool> parts_refreshed;  ///< banks, by REFpb or REFsb since the last round
  };

  bool look_at_table(const Command& command);
  void look_at_bank(const Command& command);
  void look_at_rank(const Command& command);
  void look_at_clocks(const Command& command);
  void look_at_buses(const Command& command, bool table_is_kept);
  void look_at_refreshes(const Command& command);
  void follow(const Command& command);
  void follow_part(const Command& command);
  void open_by_word(const Command& column);
  bool row_applies(const spec::Constraint& row, const Command& command) const;
  std::optional<std::size_t> open_bank_of(std::uint32_t rank) const;
  void report(StateRule rule, const std::optional<Command>& before, const Command& after,
              std::int64_t required = 0, std::int64_t found = 0);
  std::size_t first_bank(std::uint32_t rank) const {
    return std::size_t{rank} * memory_.organisation.banks();
  }

  const spec::MemorySpec& memory_;
  std::int64_t read_latency_, write_latency_, burst_, refresh_interval_;
  std::uint32_t channel_;
  OnViolation found_;
  History history_;
  std::vector<std::vector<spec::Constraint>> rows_;  ///< by the later command
  std::vector<Bank> banks_;
  std::vector<bool> open_;  ///< as banks_[…].open, for the history
  std::vector<Rank> ranks_;
  std::optional<Command> first_, last_, last_burst_;
  std::array<std::optional<Command>, 2> last_on_bus_;  ///< of rows and the rest, of columns
  std::int64_t bus_busy_until_ = 0;
  std::uint64_t idle_precharges_ = 0;
};

}  // namespace diffram::check

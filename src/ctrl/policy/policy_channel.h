#pragma once
// The channel for every combination of policies: docs/controller.md step by step. Which burst may
// go is asked of a `Scheduling`, which row ends of a `PageRules`; time is asked of a `Moment`,
// which finds the next cycle worth a visit. The usual combination has a faster twin, `Frfcfs`; both
// give the same commands, cycles, counters and bill (tests/ctrl/policy_channel_test.cpp).

#include <memory>

#include "ctrl/native_channel.h"
#include "ctrl/policy/page_rules.h"
#include "ctrl/policy/scheduling.h"

namespace cereal {
class access;
}

namespace diffram::ctrl {

class PolicyChannel final : public NativeChannel {
 public:
  PolicyChannel(const spec::MemorySpec& spec, base::ChannelId channel,
                const ChannelOptions& options, std::unique_ptr<Scheduling> scheduling);

  void save(std::ostream& out) const override;
  void restore(std::istream& in) override;

 private:
  friend class cereal::access;
  enum class RankState : std::uint8_t { awake, power_down, self_refresh };
  struct Rank {
    RankState state = RankState::awake;
    bool rows_open = false;     ///< at its PDE
    bool must_refresh = false;  ///< left self-refresh and had no REFab since
    std::uint32_t queued = 0;   ///< bursts of both directions
    std::int64_t due = kNever;  ///< of the next refresh
    std::int64_t debt = 0;      ///< refreshes owed
    std::int64_t last_column = 0;
    std::int64_t at_rest = 0;         ///< no bank is changing from here on
    std::int64_t asleep_from = 0;     ///< time asleep that is not counted yet
    std::uint32_t next_part = 0;      ///< whose turn to be refreshed it is
    std::int64_t clock_until = -1;    ///< the last cycle for which the data clock runs
    std::uint32_t clock_for = kNone;  ///< bank for which it was started, until it is served

    template <class Archive>
    void serialize(Archive& archive) {
      archive(state, rows_open, must_refresh, due, debt, last_column, at_rest, asleep_from,
              next_part, clock_until);
    }
  };
  struct BankState {
    std::uint32_t row = kNone;  ///< kNone = closed
    std::int64_t activated = 0;
    std::array<std::uint32_t, 2> queued{};  ///< by Direction

    template <class Archive>
    void serialize(Archive& archive) {
      archive(row, activated);
    }
  };
  /// The command that the oldest burst of all gets.
  struct Choice {
    std::uint32_t bank = kNone;
    std::uint32_t age = 0;
  };

  template <class Archive>
  void serialize(Archive& archive) {
    archive_native(archive);
    archive(waiting_.direction, waiting_.served, banks_, ranks_);
  }
  void simulate() override;
  Standing standing(std::uint32_t bank) const override;
  void settle_ranks() override;
  bool step();

  // policy_channel.cpp: steps 1 to 3.
  void count_refreshes();
  bool admit();
  bool can_enter(base::Direction direction);
  void enter(base::Direction direction);
  bool turn();
  void finish_run(const NextBurst& of);

  // policy_commands.cpp: steps 5 and 6.
  enum class Wanted : std::uint8_t { any, column, row };
  bool serve(Wanted wanted);
  bool start_clock(std::uint32_t bank);
  bool column_may_go(std::uint32_t bank, spec::Command column);
  bool clock_runs(const Rank& rank) {
    return !has_data_clock_ || !moment_.reached(rank.clock_until + 1);
  }
  void consider(std::uint32_t bank, Choice& column, Choice& row);
  void offer(Choice& choice, std::uint32_t bank, std::uint32_t age) const;
  void issue_column(std::uint32_t bank);
  void issue_activate(std::uint32_t bank);
  void issue_precharge(std::uint32_t bank);
  void close_bank(std::uint32_t bank, std::uint32_t tag);
  void close_by_policy(std::uint32_t bank);
  void forget_row(std::uint32_t bank);
  void issue(spec::Command command, std::uint32_t bank, std::uint32_t tag, std::uint32_t row = 0,
             std::uint32_t column = 0);

  // policy_ranks.cpp: steps 4 and 7.
  bool wake_or_refresh();
  bool wake(std::uint32_t rank);
  bool refresh(std::uint32_t rank);
  bool refresh_part(std::uint32_t rank);
  bool close_for_part(std::uint32_t bank, std::int64_t since);
  bool keep_house();
  bool close_idle_row();
  bool pull_in();
  bool go_to_sleep();
  bool enter_self_refresh(std::uint32_t rank);
  bool enter_power_down(std::uint32_t rank);
  void count_sleep(std::uint32_t rank, std::int64_t until);
  void rest_until(std::uint32_t rank, std::int64_t cycle) {
    ranks_[rank].at_rest = std::max(ranks_[rank].at_rest, cycle);
  }
  std::int64_t held_since(const Rank& rank) const;
  bool is_held(const Rank& rank) const {
    return rank.debt > policy_.refresh_postpone || (rank.debt > 0 && rank.queued == 0);
  }
  bool works(std::uint32_t rank) const {
    return ranks_[rank].state == RankState::awake && !is_held(ranks_[rank]);
  }

  /// The bank is neither asleep nor kept for a refresh.
  bool serves(std::uint32_t bank) const {
    const Rank& rank = ranks_[rank_of(bank)];
    return rank.state == RankState::awake && !is_kept(rank, bank);
  }
  bool is_kept(const Rank& rank, std::uint32_t bank) const {
    return is_held(rank) && (!part_refresh_ || device_.part_index(bank) == rank.next_part);
  }

  bool legal(spec::Command command, std::uint32_t bank) {
    const std::int64_t earliest = device_.earliest_at(command, bank);
    if (!protocol_.starts_with_clock(command)) return moment_.reached(earliest);
    const std::int64_t ticks = protocol_.ticks_per_clock;
    return moment_.reached((std::max(earliest, moment_.now()) + ticks - 1) / ticks * ticks);
  }
  std::uint32_t first_bank(std::uint32_t rank) const { return rank * device_.banks_per_rank(); }
  std::uint32_t rank_of(std::uint32_t bank) const { return device_.rank_of()[bank]; }

  // What is simulated.
  const std::unique_ptr<Scheduling> scheduling_;
  const std::unique_ptr<PageRules> page_;
  const spec::Protocol protocol_;
  const bool part_refresh_, has_data_clock_;

  // Its state.
  Queues waiting_;
  Moment moment_;
  std::vector<BankState> banks_;
  std::vector<Rank> ranks_;
};

}  // namespace diffram::ctrl

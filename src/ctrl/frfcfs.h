#pragma once
// First ready, first come first served: docs/controller.md, made to jump from useful cycle to
// useful cycle. One pass over the banks with work gives the first cycle in which a command can
// issue and the command that wins it; whatever could change that answer before (an arrival, a
// refresh that falls due, a change of direction) is an event that is visited first.

#include <array>
#include <memory>

#include "ctrl/native_channel.h"
#include "ctrl/streak.h"

namespace cereal {
class access;
}

namespace diffram::ctrl {

class Frfcfs final : public NativeChannel {
 public:
  Frfcfs(const spec::MemorySpec& spec, base::ChannelId channel, const ChannelOptions& options);

  void submit(const base::Request& run, base::Cycles arrival, std::uint64_t ticket) override {
    if (take_in(run, arrival, ticket)) event_at_ = 0;
  }
  void submit_from(const AddressWalk::Cursor& first, const base::Request& run, base::Cycles arrival,
                   std::uint64_t ticket) override {
    take_in_from(first, run, arrival, ticket);
    event_at_ = 0;
  }
  void save(std::ostream& out) const override;
  void restore(std::istream& in) override;

 private:
  enum class Kind : std::uint8_t { column, activate, precharge, precharge_all, refresh, wake };
  /// The command that issues next, if nothing happens before.
  struct Decision {
    std::int64_t cycle = kNever;
    std::uint32_t bank = 0;
    Kind kind = Kind::column;
    /// Column commands in a row, after so many.
    std::uint32_t columns_after(std::uint32_t columns) const {
      return kind == Kind::column ? columns + 1 : 0;
    }
  };
  /// The same where row and column commands have a bus each: one of either or both.
  struct Decisions {
    std::int64_t cycle = kNever;
    std::uint32_t column = kNone;  ///< bank of the column command; kNone = there is none
    std::uint32_t row = kNone;     ///< … of the row command
    Kind row_kind = Kind::activate;
    std::uint32_t columns_after(std::uint32_t columns) const {
      return column != kNone ? columns + 1 : columns;
    }
  };
  struct RefreshTimer {
    std::int64_t due = kNever;         ///< the next due cycle
    std::int64_t held_since = kNever;  ///< due cycle of the first REFab owed
    std::uint32_t owed = 0;

    template <class Archive>
    void serialize(Archive& archive) {
      archive(due, held_since, owed);
    }
  };
  /// Power-down of a rank.
  struct Sleep {
    bool asleep = false;
    bool rows_open = false;  ///< at its PDE
    bool wanted = false;     ///< asleep, and a burst waits for it
    std::int64_t from = 0;   ///< time asleep that is not counted yet

    template <class Archive>
    void serialize(Archive& archive) {
      archive(asleep, rows_open, wanted, from);
    }
  };
  /// The least key of a scan: (cycles to wait, age) in one number.
  static constexpr std::uint64_t kNoCandidate = ~std::uint64_t{0};
  struct Least {
    std::uint64_t key = kNoCandidate;
    std::uint32_t bank = 0;
    void offer(std::uint64_t other, std::uint32_t at) {
      bank = other < key ? at : bank;
      key = other < key ? other : key;
    }
  };

  /// What the past has left in an idle channel.
  template <class Archive>
  void serialize(Archive& archive) {
    archive_native(archive);
    archive(direction_, served_, rows_, passes_, timers_, next_due_, held_ranks_, blocked_, sleeps_,
            asleep_ranks_, sleep_at_);
  }
  friend class cereal::access;

  void simulate() override;
  Standing standing(std::uint32_t bank) const override {
    return {rows_[bank], held(bank), sleeps_[device_.rank_of()[bank]].asleep};
  }
  void settle_ranks() override;
  // `Next` is Decision or, with two buses, Decisions.
  template <class Path, bool kAttribution, class Next>
  void simulate_on();
#if DIFFRAM_HAS_AVX2_PATH
  template <bool kAttribution, class Next>
  void simulate_on_avx2();
#endif
  template <bool kAttribution, class Next>
  void simulate_on_path();

  // The steps of a cycle, docs/controller.md.
  template <bool kAttribution>
  void prepare(std::int64_t t);
  void fall_due(std::int64_t t);
  template <bool kAttribution>
  void admit(std::int64_t t);
  [[gnu::noinline]] void enter_run(base::Direction direction, std::int64_t t);
  bool turn(std::int64_t t);
  template <class Path, class Next>
  Next next_after(std::int64_t t);
  Decision choose(std::int64_t t);
  Decisions choose_both(std::int64_t t);
  template <class Path, bool kAttribution>
  void issue(const Decision& decision, std::int64_t t);
  template <class Path, bool kAttribution>
  void issue(const Decisions& both, std::int64_t t);

  bool wants_turn(std::int64_t t) const;
  bool writes_press(std::int64_t t) const;
  bool is_overdue(const BurstQueue& bursts, std::int64_t t) const;
  std::int64_t next_event(std::int64_t t, bool turned) const;
  Decision choose_refresh(std::int64_t t) const;
  bool is_usual(std::int64_t t) const;
  template <class Path>
  Decision choose_of_16(std::int64_t t) const;
  template <class Path>
  Decisions choose_both_of_64(std::int64_t t) const;
  template <class Banks>
  std::uint32_t oldest_of(Banks banks) const;
  std::int16_t begin_scan(std::int64_t t, bool is_usual);
  void offer_banks(std::int16_t near, Least& column, Least& row);
  void offer_passing(std::int64_t t, std::int16_t near, Least& column, Least& row) const;
  [[gnu::noinline]] void end_idle_time(std::int64_t t);
  void append(BurstQueue& bursts, const NextBurst& next, std::int64_t t);
  void enter(base::Direction direction, std::int64_t t);
  [[gnu::noinline]] void enter_part(std::uint64_t ticket, base::Direction direction,
                                    std::int64_t end);
  template <class Path, bool kAttribution>
  void issue_column(std::uint32_t bank, std::int64_t t);
  // ACT and PRE for a burst, of the queue or of a streak: all but what its queues keep of rows.
  template <class Path, bool kAttribution, class Burst>
  void open_row_for(Burst& burst, std::uint32_t bank, std::int64_t t);
  template <class Path, bool kAttribution, class Burst>
  void close_row_for(Burst& burst, std::uint32_t bank, std::int64_t t);
  template <class Path, bool kAttribution>
  void issue_activate(std::uint32_t bank, std::int64_t t);
  template <class Path, bool kAttribution>
  void issue_precharge(std::uint32_t bank, std::int64_t t);
  template <bool kAttribution>
  void issue_precharge_all(std::uint32_t rank, std::int64_t t);
  template <bool kAttribution>
  void issue_refresh(std::uint32_t rank, std::int64_t t);
  void close_bank(std::uint32_t bank);
  void issue_to_rank(spec::Command command, std::uint32_t rank, std::int64_t t);

  // Power-down: frfcfs_sleep.cpp.
  void wake_for(std::uint32_t rank);
  bool is_wanted(std::uint32_t rank) const;
  std::int64_t earliest_sleep(std::uint32_t rank, std::int64_t t) const;
  std::int64_t next_refresh() const;
  void set_sleep_at(std::int64_t cycle);
  const std::uint32_t* rows_awake();
  bool stays_awake(std::int64_t cycle);
  template <bool kAttribution>
  [[gnu::noinline]] bool go_to_sleep(std::int64_t t);
  template <bool kAttribution>
  void issue_wake(std::uint32_t rank, std::int64_t t);
  void count_sleep(std::uint32_t rank, std::int64_t until);
  void block(std::uint32_t rank);
  void unblock(std::uint32_t rank);

  // Idle time: frfcfs_idle.cpp.
  bool is_at_rest(std::int64_t cycle) const;
  template <bool kAttribution>
  std::int64_t refresh_until(std::int64_t last);
  template <bool kAttribution>
  [[gnu::noinline]] std::int64_t pass_idle_time(std::int64_t t);

  // Long runs of row hits: frfcfs_streak.cpp. `kRows`: rows may open and close meanwhile.
  template <bool kAttribution>
  std::int64_t streak(std::int64_t t);
  template <bool kAttribution, bool kRead, bool kRows>
  std::int64_t run_streak(std::int64_t t);
  template <bool kRows>
  std::int64_t streak_horizon(std::int64_t t) const;
  template <bool kRead, bool kRows>
  bool begin_streak(std::int64_t t);
  template <bool kAttribution, bool kRead, bool kRows>
  bool enter_streak(const NextBurst& of, std::int64_t t);
  [[gnu::noinline]] void look_ahead(const NextBurst& first);
  void close_ahead();
  [[gnu::noinline]] void close_ahead_midway();
  template <bool kAttribution, bool kRead>
  void open_share(const NextBurst& of, std::int64_t cycle);
  template <bool kAttribution, bool kRead>
  void issue_in_streak(const Streak::Burst& burst, std::uint32_t bank, std::int64_t cycle);
  template <bool kAttribution, bool kRead, bool kRows>
  bool refill_streak(std::int64_t t);
  template <bool kRead, bool kRows>
  [[gnu::noinline]] bool pass_in_streak(std::int64_t cycle);
  template <bool kRead, bool kRows>
  std::uint32_t find_passing(std::int64_t cycle) const;
  template <bool kRows>
  std::int64_t event_after(std::int64_t cycle, std::int64_t step, std::uint32_t issued,
                           bool may_turn) const;
  // frfcfs_streak_tell.cpp
  void close_latency();
  template <bool kAttribution, bool kRead>
  void close_share();
  template <bool kAttribution, bool kRead>
  void close_bank_share(std::uint32_t bank);
  void settle_stack(const Cadence& cadence);
  void tell_columns(spec::Command column);
  template <bool kAttribution, bool kRead>
  void tell_all();
  template <bool kAttribution, bool kRead>
  void tell_bank(std::uint32_t bank);
  void end_streak(std::uint32_t issued);
  // frfcfs_streak_rows.cpp
  template <bool kAttribution, bool kRead>
  void want_row(std::uint32_t bank);
  std::int64_t row_legal(std::uint32_t bank) const;
  template <bool kAttribution, bool kRead>
  std::int64_t issue_rows_before(std::int64_t limit, std::int64_t column);
  template <class Path, bool kAttribution, bool kRead>
  std::int64_t issue_rows_on(std::int64_t limit, std::int64_t column);
#if DIFFRAM_HAS_AVX2_PATH
  template <bool kAttribution, bool kRead>
  std::int64_t issue_rows_on_avx2(std::int64_t limit, std::int64_t column);
#endif

  BurstQueue& queue(base::Direction d) { return queues_[static_cast<std::size_t>(d)]; }
  const BurstQueue& queue(base::Direction d) const { return queues_[static_cast<std::size_t>(d)]; }
  bool held(std::uint32_t bank) const { return timers_[device_.rank_of()[bank]].owed != 0; }
  /// What the oldest burst of the bank needs that is no hit.
  Kind row_kind_of(std::uint32_t bank) const {
    return open_.has(bank) ? Kind::precharge : Kind::activate;
  }
  const dram::SimdPath path_;
  const bool has_two_buses_;  ///< one for row commands, one for column commands

  // Its state.
  base::Direction direction_ = base::Direction::read;
  BurstQueue* active_ = &queues_[0];  ///< of the direction
  std::uint32_t served_ = 0;
  /// Steps 1 to 3 have nothing to do before (`prepare`); a burst that leaves its queue is an event.
  std::int64_t event_at_ = 0;
  std::int64_t next_arrival_ = 0;    ///< of the heads of the lists that have not arrived
  std::int64_t usual_until_ = -1;    ///< choose_of_16 serves up to this cycle
  std::vector<std::uint32_t> rows_;  ///< by bank, kNone = closed
  BankMask open_;
  std::vector<std::uint32_t> passes_;  ///< by bank
  std::vector<RefreshTimer> timers_;
  std::int64_t next_due_ = kNever;      ///< of a refresh; or `sleep_at_`
  std::uint32_t held_ranks_ = 0;        ///< that a refresh is owed, or that have to wake
  std::vector<std::uint64_t> blocked_;  ///< mask of the banks of ranks held or asleep
  std::vector<Sleep> sleeps_;           ///< by rank
  std::uint32_t asleep_ranks_ = 0;
  std::int64_t sleep_at_ = kNever;         ///< no rank powers down before
  std::vector<std::uint32_t> rows_awake_;  ///< of a streak
  Streak streak_;

  const std::array<const std::int16_t*, 2> near_column_;  ///< by Direction
  const std::int16_t *const near_activate_, *const near_precharge_;
  const std::size_t mask_words_;
  const std::size_t blocks_;        ///< of lanes
  std::vector<dram::Lanes> times_;  ///< of a scan
};

[[gnu::always_inline]] inline void Frfcfs::close_bank(std::uint32_t bank) {
  rows_[bank] = kNone;
  open_.remove(bank);
  for (BurstQueue& each : queues_) each.close_row(bank);
}

std::unique_ptr<Channel> make_frfcfs(const spec::MemorySpec& spec, base::ChannelId channel,
                                     const ChannelOptions& options);

}  // namespace diffram::ctrl

#pragma once
// The bill of the data bus (docs/bill.md): every cycle of the bus is data of a burst, idle, or part
// of a gap; a gap is billed along the chain of the request that ends it. Nothing is done while
// bursts follow each other without a gap; the chain is worked out backwards from the burst, and
// only as far as the gap reaches.

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <vector>

#include "base/counters.h"
#include "ctrl/bank_record.h"
#include "ctrl/bill_table.h"
#include "ctrl/burst_queue.h"
#include "ctrl/row_log.h"
#include "ctrl/throttle.h"
#include "dram/device.h"

namespace diffram::ctrl {

/// The latencies of the data bus.
struct BusTiming {
  std::int64_t read = 0, write = 0, burst = 0;  ///< nCL, nCWL, nBL
};

class Bill {
 public:
  /// `issued` is the mask of the commands that the controller issues.
  Bill(const dram::Device& device, std::vector<BankRecord>& banks, const BusTiming& timing,
       std::uint32_t unnamed, std::uint32_t dispatch, std::uint32_t issued);

  // The controller tells what it does, each before the device is told. `legal`: since when the
  // command could have come (dram::Device::recent_earliest_at). `waits_since()`: since when one of
  // the bank's bursts may have waited for it.
  template <class Since>
  void activate(BankHistory& history, std::uint32_t bank, std::int64_t cycle, std::int64_t legal,
                std::uint32_t origin, Since waits_since) {
    history.activate.issued = cycle;
    history.opener = origin;
    note(history.activate, spec::Command::ACT, bank, cycle, legal, origin, waits_since);
    if (rows_.is_sweep_due()) [[unlikely]]
      settle_old();
  }
  /// For a request of `origin`.
  template <class Since>
  void precharge(BankHistory& history, std::uint32_t bank, std::int64_t cycle, std::int64_t legal,
                 std::uint32_t origin, Since waits_since) {
    history.precharge.issued = cycle;
    history.closed_by = base::Cause::row_conflict;
    history.culprit = history.opener;
    note(history.precharge, spec::Command::PRE, bank, cycle, legal, origin, waits_since);
  }
  /// A bank that a PREA closes, which is told as a `rank_command` first.
  void precharge_for_refresh(std::uint32_t bank, std::int64_t cycle, std::int64_t held_since);
  /// The column command at `cycle` was RDA or WRA.
  void auto_precharge(std::uint32_t bank, std::int64_t cycle);
  /// A PRE for no request.
  void precharge_by_policy(std::uint32_t bank, std::int64_t cycle);
  void refresh(std::uint32_t rank, std::int64_t cycle, std::int64_t held_since);
  /// A PRE on the way to the refresh of its part of the rank.
  void precharge_for_part(std::uint32_t bank, std::int64_t cycle, std::int64_t held_since);
  /// REFpb or REFsb, of these banks.
  void refresh_part(spec::Command command, const std::vector<std::uint32_t>& banks,
                    std::int64_t cycle, std::int64_t held_since);
  /// A command of a rank that is no refresh.
  void rank_command(spec::Command command, std::uint32_t rank, std::int64_t cycle);
  /// Its data end at `end`.
  void column(const BankHistory& history, const QueuedBurst& burst, std::int64_t cycle,
              std::int64_t end, bool read) {
    const std::int64_t data = end - timing_.burst;
    if (data != next_data_) {
      if (!is_within_opening(history, burst, cycle, data, read)) [[unlikely]] {
        return column_after_gap(burst, cycle, data, read);
      }
      journal_from_ = cycle;
      journal(bus_end_, data,
              raise(burst.of.origin, history.culprit, history.closed_by, data - bus_end_));
    }
    next_data_ = bus_end_ = end;
    add_columns(cycle, 1, burst.of.origin, read);
  }

  /// No gap waits for the burst that claims it.
  bool nothing_pending() const { return pending_.empty(); }
  /// `column` of many bursts of one origin whose data follow each other, the first
  /// those before at once. `first` is the cycle of its command.
  void stream(std::int64_t first, std::int64_t bursts, std::uint32_t origin, bool read);

  /// A run arrives while no request is present.
  void arrives_at_idle(std::int64_t arrival) {
    if (arrival > bus_end_) idle_until(arrival);
  }
  void idle_until(std::int64_t cycle);
  void set_idle_account(base::Cause cause, std::uint32_t owner) {
    idle_cause_ = cause;
    idle_owner_ = owner;
  }

  /// Slots that are closed are billed to it, not to the policy.
  void set_throttle(const Throttle& throttle) { throttle_ = throttle; }

  /// End of the cycles that are billed, in part (pieces may be pending).
  std::int64_t bus_end() const { return bus_end_; }
  /// A window ends while `burst`, the oldest present, waits for `next`: bill what is pending to it.
  void settle_waiting(const QueuedBurst& burst, bool read, spec::Command next, bool held,
                      std::int64_t now);
  /// The same while it waits for what is no command of its own: its rank is asleep.
  void settle_blocked(const QueuedBurst& burst, bool read, base::Cause cause, std::int64_t now);
  /// Close the window at `now`: entries of later cycles stay for the next one.
  void take(std::int64_t now, const std::vector<base::OriginCounters>& origins,
            std::map<base::BillKey, std::int64_t>& bill);

  /// What the past has left: for the checkpoint of an idle channel, which has nothing pending.
  template <class Archive>
  void serialize(Archive& archive) {
    archive(bus_end_, next_data_, rows_, idle_cause_, idle_owner_, table_, columns_, last_columns_,
            entries_, last_entry_, journal_from_, carried_, throttle_);
  }

 private:
  static constexpr std::size_t kColumnMask = RowLog::kTaken - 1;

  /// A wait for a command: legal at `legal`, before that held back by `cause`.
  struct Wait {
    std::int64_t legal = 0;
    base::Cause cause = base::Cause::policy;
    bool row_cause = false;  ///< part of closing and opening the row
    std::uint32_t culprit = 0;
  };
  struct Piece {
    std::int64_t begin = 0, end = 0;
  };
  struct Segment {
    std::int64_t begin = 0;  ///< in command time; ends where the one before begins
    base::Cause cause = base::Cause::cas;
    std::uint32_t culprit = 0;
    bool slot = false;  ///< command.bus where another command took the cycle
  };
  struct Entry {
    std::int64_t begin = 0, end = 0;
    std::uint64_t key = 0;

    template <class Archive>
    void serialize(Archive& archive) {
      archive(begin, end, key);
    }
  };
  /// Column commands of one origin whose data follow each other.
  struct Columns {
    std::int64_t first = INT64_MIN / 4;  ///< cycle of the first one; before any command
    std::uint32_t origin = 0;
    std::uint16_t count = 1;
    bool read = false;

    template <class Archive>
    void serialize(Archive& archive) {
      archive(first, origin, count, read);
    }
  };
  struct CarriedData {
    std::uint32_t origin = 0;
    bool read = false;
    std::int64_t cycles = 0;

    template <class Archive>
    void serialize(Archive& archive) {
      archive(origin, read, cycles);
    }
  };

  /// May a chain reach back before a command that issues now? Gaps to come begin at bus_end_, and
  /// chains go back to the begin of a gap less a latency.
  bool may_reach(std::int64_t cycle) const {
    return bus_end_ < cycle + longest_latency_ || !pending_.empty();
  }
  /// What was legal long ago is settled at once.
  template <class Since>
  void note(RowStep& step, spec::Command command, std::uint32_t bank, std::int64_t cycle,
            std::int64_t legal, std::uint32_t tag, Since waits_since) {
    step.legal = legal;
    step.question = rows_.add(command, bank, cycle, tag);
    if (cycle - legal > longest_question_) [[unlikely]]
      settle_now(step, command, bank, cycle, waits_since());
  }
  [[gnu::noinline]] void settle_now(RowStep& step, spec::Command command, std::uint32_t bank,
                                    std::int64_t cycle, std::int64_t waits_since);
  [[gnu::noinline]] void settle(std::uint32_t bank);
  /// What nothing waits for may be forgotten by the device: all questions are settled first.
  void command_for_nobody(spec::Command command, std::uint32_t bank, std::int64_t cycle);
  void settle_all();
  void settle_if_reached(std::uint32_t bank);
  [[gnu::noinline]] void settle_old();
  bool has_pending(std::int64_t now);
  void bill_waiting(const QueuedBurst& burst, bool read);
  [[gnu::noinline]] void column_after_gap(const QueuedBurst& burst, std::int64_t cycle,
                                          std::int64_t data, bool read);
  void close_gap(const QueuedBurst& burst, std::int64_t cycle, std::int64_t data, bool read);
  void expect_data() { next_data_ = pending_.empty() ? bus_end_ : kNoData; }
  void share_bus(std::uint32_t origin, bool read, std::int64_t cycles);
  void chain(const QueuedBurst& burst, std::int64_t cycle, bool read, std::int64_t down_to);
  bool chain_of_row(const BankHistory& bank, std::int64_t visible, std::int64_t down_to);
  bool push(std::int64_t begin, base::Cause cause, std::uint32_t culprit, std::int64_t down_to,
            bool slot = false);
  void bill_piece(std::uint32_t victim, std::int64_t begin, std::int64_t end, std::int64_t shift);
  void bill_slots(std::uint32_t victim, std::int64_t begin, std::int64_t end, std::int64_t shift);
  void bill_unused(std::uint32_t victim, std::int64_t begin, std::int64_t end, std::int64_t shift);
  /// Most gaps outside of streams lie within the opening of the burst's row: one entry.
  bool is_within_opening(const BankHistory& bank, const QueuedBurst& burst, std::int64_t cycle,
                         std::int64_t data, bool read) const {
    const std::int64_t activated = bank.activate.issued;
    const std::int64_t opening = row_cycles_[read];
    if (cycle - activated != opening || activated <= burst.acceptance + dispatch_) return false;
    // The data before end within the opening, not after `data`: one comparison without a sign.
    return static_cast<std::uint64_t>(next_data_ - (data - opening)) <
           static_cast<std::uint64_t>(opening);
  }
  void add(std::uint32_t victim, std::uint32_t culprit, base::Cause cause, std::int64_t begin,
           std::int64_t end) {
    const std::uint64_t key = raise(victim, culprit, cause, end - begin);
    if (end > journal_from_) journal(begin, end, key);
  }
  std::uint64_t raise(std::uint32_t victim, std::uint32_t culprit, base::Cause cause,
                      std::int64_t cycles) {
    const std::uint64_t key = BillTable::key(victim, culprit, cause);
    table_.add(key, cycles);
    return key;
  }
  void journal(std::int64_t begin, std::int64_t end, std::uint64_t key) {
    entries_[++last_entry_ & entry_mask_] = {begin, end, key};
  }
  void add_columns(std::int64_t first, std::uint16_t count, std::uint32_t origin, bool read) {
    last_columns_ = (last_columns_ + 1) & kColumnMask;
    columns_[last_columns_] = {first, origin, count, read};
  }
  Wait wait_for(spec::Command command, std::uint32_t bank) const;
  const dram::Device::Reasons& reasons_of(spec::Command command) const;
  Wait wait_of(const RowStep& step) const;
  bool push_row(const BankHistory& bank, std::int64_t begin, std::int64_t down_to);
  bool push_wait(const BankHistory& bank, const Wait& wait, std::int64_t begin,
                 std::int64_t down_to);
  std::uint32_t index_of(std::uint32_t tag) const { return tag < unnamed_ ? tag : unnamed_; }

  const dram::Device& device_;
  BusTiming timing_;
  std::uint32_t unnamed_;
  std::int64_t dispatch_, longest_latency_;
  std::size_t entry_mask_;
  dram::Device::Reasons activate_reasons_, precharge_reasons_, read_reasons_, write_reasons_;
  std::int64_t precharge_cycles_;           ///< tRP
  std::array<std::int64_t, 2> row_cycles_;  ///< tRCD of a write and of a read

  static constexpr std::int64_t kNoData = -1;
  std::int64_t bus_end_ = 0;
  std::int64_t next_data_ = 0;  ///< data that begin here leave no gap; kNoData while pieces wait
  std::vector<Piece> pending_;
  std::vector<Segment> segments_;  ///< of the chain at hand, the last first
  std::int64_t chain_end_ = 0;
  std::vector<BankRecord>& banks_;
  RowLog rows_;
  /// Row commands that were legal longer ago when they issued are settled at once.
  std::int64_t longest_question_;

  base::Cause idle_cause_ = base::Cause::idle_end;
  Throttle throttle_;
  std::uint32_t idle_owner_;
  BillTable table_;
  std::array<Columns, kColumnMask + 1> columns_{};  ///< the last ones
  std::uint32_t last_columns_ = 0;
  std::vector<Entry> entries_;  ///< a ring
  std::size_t last_entry_ = 0;
  std::int64_t journal_from_ = 0;  ///< entries that end later may cross the edge of a window
  std::vector<CarriedData> carried_;
};

}  // namespace diffram::ctrl

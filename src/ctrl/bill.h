#pragma once
// The bill of the data bus (docs/bill.md): every cycle of the bus is data of a burst, idle, or part
// of a gap; a gap is billed along the chain of the request that ends it. Nothing is done while
// bursts follow each other without a gap; the chain is worked out backwards from the burst, and
// only as far as the gap reaches.

#include <algorithm>
#include <cstdint>
#include <map>
#include <vector>

#include "base/counters.h"
#include "ctrl/bill_table.h"
#include "ctrl/burst_queue.h"
#include "dram/device.h"

namespace diffram::ctrl {

/// The latencies of the data bus.
struct BusTiming {
  std::int64_t read = 0, write = 0, burst = 0;  ///< nCL, nCWL, nBL
};

class Bill {
 public:
  /// `issued` is the mask of the commands that the controller issues.
  Bill(const dram::Device& device, const BusTiming& timing, std::uint32_t unnamed,
       std::uint32_t dispatch, std::uint32_t issued);

  // The controller tells what it does, each before the device is told.
  void command(std::int64_t cycle) { commands_[++last_command_ & kCommandMask] = cycle; }
  void activate(std::uint32_t bank, std::int64_t cycle, std::uint32_t origin) {
    BankHistory& history = banks_[bank];
    history.activate.issued = cycle;
    if (may_reach(cycle)) {
      const std::int64_t legal = device_.earliest_at(spec::Command::ACT, bank);
      history.activate.legal = legal;
      history.activate.reason = device_.reason_of(activate_reasons_, bank, legal);
    }
    history.refresh_held_since = refreshes_[device_.rank_of()[bank]];
    history.opener = origin;
  }
  /// `legal` is the earliest cycle at which it could have come.
  void precharge(std::uint32_t bank, std::int64_t cycle, std::int64_t legal) {
    BankHistory& history = banks_[bank];
    if (may_reach(cycle)) {
      history.precharge.legal = legal;
      history.precharge.reason = device_.reason_of(precharge_reasons_, bank, legal);
    }
    history.closing = Closing::conflict;
    history.closed = cycle;
    history.closed_opener = history.opener;
  }
  void precharge_for_refresh(std::uint32_t bank, std::int64_t cycle, std::int64_t held_since);
  void auto_precharge(std::uint32_t bank, std::int64_t cycle);
  void refresh(std::uint32_t rank, std::int64_t held_since) { refreshes_[rank] = held_since; }
  void column(const QueuedBurst& burst, std::int64_t cycle, bool read) {
    const std::int64_t data = cycle + (read ? timing_.read : timing_.write);
    if (data > bus_end_ || !pending_.empty()) close_gap(burst, cycle, data, read);
    const std::int64_t begin = std::max(data, bus_end_);
    if (begin != data) share_bus(burst.origin, read, begin - data);
    bursts_[++last_burst_ & kBurstMask] = {begin, data + timing_.burst, burst.origin, read};
    bus_end_ = std::max(bus_end_, data + timing_.burst);
  }

  /// No gap waits for the burst that claims it.
  bool nothing_pending() const { return pending_.empty(); }
  /// `command` and `column` of many bursts of one origin whose data follow each other, the first
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
    archive(bus_end_, banks_, refreshes_, idle_cause_, idle_owner_, table_, commands_,
            last_command_, bursts_, last_burst_, entries_, last_entry_, journal_from_, carried_);
  }

 private:
  static constexpr std::size_t kCommandMask = 1023;  // docs/bill.md: how far a slot is looked up
  static constexpr std::size_t kBurstMask = 255;     // more than fit between command and data
  static constexpr std::size_t kEntryMask = 1023;

  enum class Closing : std::uint8_t { never, conflict, refresh, page_policy };

  /// A wait for a command: legal at `legal`, before that held back by `cause`.
  struct Wait {
    std::int64_t legal = 0;
    base::Cause cause = base::Cause::policy;
    bool row_cause = false;  ///< part of closing and opening the row
    std::uint32_t culprit = 0;
  };
  /// A row command: when it issued; where a chain may reach it, when it was legal and why not
  /// before.
  struct Step {
    std::int64_t issued = -1, legal = 0;
    dram::Device::Reason reason;

    template <class Archive>
    void serialize(Archive& archive) {
      archive(issued, legal, reason.constraint, reason.tag);
    }
  };
  struct BankHistory {
    Step activate, precharge;
    Closing closing = Closing::never;
    std::uint32_t opener = 0, closed_opener = 0;
    std::int64_t closed = -1;
    std::int64_t held_since = 0;          ///< closing by refresh
    std::int64_t refresh_held_since = 0;  ///< the activation waited for a refresh

    template <class Archive>
    void serialize(Archive& archive) {
      archive(activate, precharge, closing, opener, closed_opener, closed, held_since,
              refresh_held_since);
    }
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
  struct DataBurst {
    std::int64_t begin = 0, end = 0;
    std::uint32_t origin = 0;
    bool read = false;

    template <class Archive>
    void serialize(Archive& archive) {
      archive(begin, end, origin, read);
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
  bool has_pending(std::int64_t now);
  void settle(const QueuedBurst& burst, bool read);
  void close_gap(const QueuedBurst& burst, std::int64_t cycle, std::int64_t data, bool read);
  void share_bus(std::uint32_t origin, bool read, std::int64_t cycles);
  void chain(const QueuedBurst& burst, std::int64_t cycle, bool read, std::int64_t down_to);
  bool chain_of_row(const BankHistory& bank, std::int64_t visible, std::int64_t down_to);
  bool push(std::int64_t begin, base::Cause cause, std::uint32_t culprit, std::int64_t down_to,
            bool slot = false);
  void bill_piece(std::uint32_t victim, std::int64_t begin, std::int64_t end, std::int64_t shift);
  void bill_slots(std::uint32_t victim, std::int64_t begin, std::int64_t end, std::int64_t shift);
  void add(std::uint32_t victim, std::uint32_t culprit, base::Cause cause, std::int64_t begin,
           std::int64_t end);
  Wait wait_for(spec::Command command, std::uint32_t bank) const;
  Wait wait_of(const Step& step) const;
  static base::Cause cause_of_row(const BankHistory& bank);
  std::uint32_t culprit_of_row(const BankHistory& bank) const {
    return bank.closing == Closing::conflict ? bank.closed_opener : unnamed_;
  }
  bool push_row(const BankHistory& bank, std::int64_t begin, std::int64_t down_to);
  bool push_wait(const BankHistory& bank, const Wait& wait, std::int64_t begin,
                 std::int64_t down_to);
  std::uint32_t index_of(std::uint32_t tag) const { return tag < unnamed_ ? tag : unnamed_; }

  const dram::Device& device_;
  BusTiming timing_;
  std::uint32_t unnamed_;
  std::int64_t dispatch_, longest_latency_;
  dram::Device::Reasons activate_reasons_, precharge_reasons_, read_reasons_, write_reasons_;
  std::int64_t precharge_cycles_, read_row_cycles_, write_row_cycles_;  ///< tRP, tRCD

  std::int64_t bus_end_ = 0;
  std::vector<Piece> pending_;
  std::vector<Segment> segments_;  ///< of the chain at hand, the last first
  std::int64_t chain_end_ = 0;
  std::vector<BankHistory> banks_;
  std::vector<std::int64_t> refreshes_;  ///< by rank, since when the last one held it

  base::Cause idle_cause_ = base::Cause::idle_end;
  std::uint32_t idle_owner_;
  BillTable table_;
  std::vector<std::int64_t> commands_;
  std::size_t last_command_ = 0;
  std::vector<DataBurst> bursts_;
  std::size_t last_burst_ = 0;
  std::vector<Entry> entries_;
  std::size_t last_entry_ = 0;
  std::int64_t journal_from_ = 0;  ///< entries that end later may cross the edge of a window
  std::vector<CarriedData> carried_;
};

}  // namespace diffram::ctrl

#pragma once
// The state of one channel's devices: when each command is next legal, and why. All rules come from
// the constraint table of the spec. The next-legal times of ACT, PRE, RD and WR lie in one flat
// array by command and bank, which every command raises by a precomputed row of offsets, eight
// banks at a time; times are 16 bits wide and count from a base that moves. The binding rule is
// worked out from the history only when asked for, and so are the times of all other commands.

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/ids.h"
#include "base/quantities.h"
#include "dram/constraint_table.h"
#include "dram/lane_paths.h"
#include "dram/raise_table.h"

namespace diffram::dram {

/// Coordinates of a bank; rank commands look at the rank only.
struct Place {
  std::uint32_t rank = 0, bank_group = 0, bank = 0;
  bool operator==(const Place&) const = default;
};

/// The constraint whose end was latest.
struct Binding {
  const spec::Constraint* constraint = nullptr;  ///< nullptr: legal since cycle 0
  std::int64_t cycle = 0;                        ///< legal from here on
  std::uint32_t bank = 0;                        ///< BankId of the earlier command
  std::uint32_t tag = base::kNoOrigin.value;     ///< as given to `issue` with it
};

class Device {
 public:
  /// The constraints on one command in the order of ties.
  struct Reasons {
    struct Entry {
      std::uint32_t constraint = 0;  ///< of the table
      std::int32_t cycles = 0;
      std::uint32_t row = 0;  ///< of the history: of the earlier command
      bool in_bank = false;   ///< the earlier command is the last one of the bank itself
    };
    std::vector<Entry> entries;
  };
  /// A binding constraint in short.
  struct Reason {
    std::uint32_t constraint = 0xFFFFFFFFu;  ///< of the table; none: legal since cycle 0
    std::uint32_t tag = base::kNoOrigin.value;
    bool is_known() const { return constraint != 0xFFFFFFFFu; }
  };

  /// `raises` is the memory's; without one the device has its own.
  explicit Device(const spec::MemorySpec& spec, std::shared_ptr<const RaiseTable> raises = nullptr);
  Device(const Device&) = delete;  // windows point into the rings
  Device& operator=(const Device&) = delete;

  base::Cycles earliest(spec::Command command, Place where) const {
    return base::Cycles(earliest_at(command, flat(where)));
  }
  /// `tag` comes back in `binding`, when this command is the reason of a wait.
  void issue(spec::Command command, Place where, base::Cycles cycle,
             std::uint32_t tag = base::kNoOrigin.value) {
    issue_at(command, flat(where), cycle.value, tag);
  }
  /// Which rule holds `command` back, worked out from the history of commands. Ties: the narrowest
  /// scope, then the first of the table.
  Binding binding(spec::Command command, Place where) const {
    return binding_at(command, flat(where));
  }

  // The same by BankId: the doors of the hot path. A rank command takes any bank of its rank.
  std::int64_t earliest_at(spec::Command command, std::uint32_t bank) const {
    const std::uint32_t row = hot_row(command);
    if (row != kCold) {
      const std::int16_t near = next_[row * lanes_ + bank];
      if (near > kLongAgo) return base_ + near;
    }
    return command == spec::Command::PREA ? earliest_of_all(bank) : binding_at(command, bank).cycle;
  }
  /// `earliest_at` of ACT, PRE, RD or WR in short: exact if it is less than `kRecent` ago, else
  /// some cycle that is not.
  std::int64_t recent_earliest_at(spec::Command command, std::uint32_t bank) const {
    return base_ + next_[hot_row(command) * lanes_ + bank];
  }
  static constexpr std::int64_t kRecent = 4096;
  void issue_at(spec::Command command, std::uint32_t bank, std::int64_t cycle, std::uint32_t tag);
  // `issue_at` for the usual commands on a code path: RD and WR leave the row open.
  template <class Path = BasePath>
  void issue_column(spec::Command command, std::uint32_t bank, std::int64_t cycle,
                    std::uint32_t tag) {
    tell<Path>(command, bank, cycle, tag);
  }
  template <class Path = BasePath>
  void issue_activate(std::uint32_t bank, std::int64_t cycle, std::uint32_t tag) {
    open_[bank] = 1;
    tell<Path>(spec::Command::ACT, bank, cycle, tag);
  }
  template <class Path = BasePath>
  void issue_precharge(std::uint32_t bank, std::int64_t cycle, std::uint32_t tag) {
    open_[bank] = 0;
    tell<Path>(spec::Command::PRE, bank, cycle, tag);
  }
  Binding binding_at(spec::Command command, std::uint32_t bank) const;

  /// Of `after`, when only commands of the mask `issued` ever issue.
  Reasons reasons(spec::Command after, std::uint32_t issued) const;
  /// Why the command of `reasons` is not legal before `legal`: the first of those that end then.
  Reason reason_of(const Reasons& reasons, std::uint32_t bank, std::int64_t legal) const {
    for (const Reasons::Entry& each : reasons.entries) {
      if (const Reason reason = reason_if(each, bank, legal); reason.is_known()) return reason;
    }
    return {};
  }
  /// The same for one constraint.
  Reason reason_if(const Reasons::Entry& each, std::uint32_t bank, std::int64_t legal) const {
    const Past past = each.in_bank ? last_[each.row + bank] : last_of(each, bank);
    if (past.cycle + each.cycles == legal) return {each.constraint, past.tag};
    return {};
  }

  /// Of the last command of its kind in the bank; long before cycle 0 if there was none.
  std::int64_t last_cycle(spec::Command command, std::uint32_t bank) const {
    return last_[static_cast<std::size_t>(command) * banks_ + bank].cycle;
  }

  /// What the past has left, in place (windows point into the rings): for a checkpoint.
  template <class Archive>
  void serialize(Archive& archive) {
    archive(base_, open_);
    for (std::int16_t& next : next_) archive(next);
    for (Past& past : last_) archive(past);
    for (Ring& ring : rings_) {
      for (Past& past : ring.last) archive(past);
      for (std::uint32_t& next : ring.next) archive(next);
    }
  }

  // Next-legal times of ACT, PRE, RD or WR by bank for the scheduler's scan, in cycles from `base`.
  // Times long ago are not exact; at least `banks` rounded up to whole blocks of lanes can be read.
  const std::int16_t* near_times(spec::Command c) const {
    return next_.data() + hot_row(c) * lanes_;
  }
  std::int64_t base() const { return base_; }
  static constexpr std::int64_t kFarthest = spec::Constraint::kMostCycles;
  /// Cycles from base() to `cycle`, which becomes the base if it is too far away.
  std::int16_t near(std::int64_t cycle) {
    if (cycle - base_ > kFarthest) [[unlikely]]
      move_base(cycle);
    return static_cast<std::int16_t>(cycle - base_);
  }
  std::uint32_t lanes() const { return lanes_; }  ///< banks rounded up to whole blocks

  const std::uint32_t* group_of() const { return group_of_.data(); }
  const std::uint32_t* rank_of() const { return rank_of_.data(); }
  /// The stack of the channel, by bank; a rank without stack ids is one.
  const std::uint32_t* stack_of() const { return stack_of_.data(); }

  std::uint32_t banks() const { return banks_; }  ///< of the channel
  std::uint32_t groups() const { return groups_; }
  std::uint32_t ranks() const { return ranks_; }
  std::uint32_t stacks() const { return ranks_ * stacks_per_rank_; }
  std::uint32_t stacks_per_rank() const { return stacks_per_rank_; }
  std::uint32_t banks_per_rank() const { return banks_per_rank_; }
  bool is_open(std::uint32_t bank) const { return open_[bank] != 0; }
  std::uint32_t open_banks(std::uint32_t rank) const {
    const auto first = open_.begin() + std::ptrdiff_t{rank} * banks_per_rank_;
    return static_cast<std::uint32_t>(std::count(first, first + banks_per_rank_, 1));
  }
  const ConstraintTable& table() const { return table_; }

  std::uint32_t flat(Place p) const {
    return p.rank * banks_per_rank_ + p.bank_group * banks_per_group_ + p.bank;
  }
  Place place(std::uint32_t bank) const;

  /// Of two banks of a rank.
  bool are_of_other_stacks(std::uint32_t a, std::uint32_t b) const {
    return stack_of_[a] != stack_of_[b];
  }

  /// REFpb or REFsb of a bank refreshes these: those of its part of the rank.
  const std::vector<std::uint32_t>& part_of(std::uint32_t bank) const {
    return parts_[rank_of_[bank] * parts_per_rank_ + part_in_rank_[bank % banks_per_rank_]];
  }
  /// The parts of a rank in the order in which they are refreshed.
  const std::vector<std::uint32_t>& part(std::uint32_t rank, std::uint32_t index) const {
    return parts_[rank * parts_per_rank_ + index];
  }
  /// Which part of its rank a bank is in.
  std::uint32_t part_index(std::uint32_t bank) const {
    return part_in_rank_[bank % banks_per_rank_];
  }
  std::uint32_t parts_per_rank() const { return parts_per_rank_; }

 private:
  struct Past {
    std::int64_t cycle = kNever;
    std::uint32_t bank = 0, tag = base::kNoOrigin.value;

    template <class Archive>
    void serialize(Archive& archive) {
      archive(cycle, bank, tag);
    }
  };
  /// Before any cycle of a run, and safe to add offsets to.
  static constexpr std::int64_t kNever = INT64_MIN / 4;
  struct Ring {
    std::vector<Past> last;  ///< by instance of the scope, `window` entries each
    std::vector<std::uint32_t> next;
  };
  /// A window as `count_windows` needs it.
  struct CountedWindow {
    Past* last = nullptr;           ///< of its ring
    std::uint32_t* next = nullptr;  ///< of its ring
    std::uint32_t depth = 0;
    std::int64_t cycles = 0;
    std::uint32_t row = kCold;  ///< first lane of the later command
    std::uint32_t width = 0;    ///< banks of an instance of the scope
    std::uint32_t history = 0;
    std::vector<std::uint32_t> instance;  ///< by bank
  };

  static constexpr std::uint32_t kCold = kHotCommands.size();
  static constexpr std::uint32_t hot_row(spec::Command c) {
    // Index into kHotCommands by command, up to WRA; all later ones are cold.
    constexpr std::array<std::uint8_t, 7> kRows = {0, 1, kCold, 2, kCold, 3, kCold};
    const auto index = static_cast<std::size_t>(c);
    return index < kRows.size() ? kRows[index] : kCold;
  }
  /// A time that no rule has raised counts as this or less (`move_base`, RaiseTable).
  static constexpr std::int16_t kLongAgo = INT16_MIN + kFarthest;
  static_assert(-kLongAgo > kRecent);

  void compile_parts(std::uint32_t groups_apart);
  void compile_windows();
  Binding binding_of(spec::Command command, std::uint32_t bank) const;
  Binding binding_by_table(spec::Command command, std::uint32_t bank) const;
  [[gnu::noinline]] std::int64_t earliest_of_all(std::uint32_t bank) const;
  void move_base(std::int64_t cycle);
  [[gnu::noinline]] Past last_of(const Reasons::Entry& entry, std::uint32_t bank) const;
  Past latest_of(spec::Command command, std::uint32_t from, std::uint32_t to) const;
  Past latest_of_group(spec::Command command, std::uint32_t group) const;
  Past latest_of_rank(spec::Command command, std::uint32_t rank) const;
  template <class Path>
  void tell(spec::Command command, std::uint32_t bank, std::int64_t cycle, std::uint32_t tag) {
    raise<Path>(command, bank, cycle);
    last_[static_cast<std::size_t>(command) * banks_ + bank] = {cycle, bank, tag};
    if (!windows_[static_cast<std::size_t>(command)].empty())
      count_windows<Path>(command, bank, cycle, tag);
  }
  template <class Path>
  void raise(spec::Command before, std::uint32_t bank, std::int64_t cycle);
  static void lift_few(std::int16_t* next, std::size_t count, std::int16_t t);
  template <class Path>
  void count_windows(spec::Command command, std::uint32_t bank, std::int64_t cycle,
                     std::uint32_t tag);
  std::uint32_t instance(spec::Scope scope, std::uint32_t bank) const;
  Past last_before(const spec::Constraint& c, std::uint32_t index, std::uint32_t bank,
                   bool rank_wide) const;

  ConstraintTable table_;
  std::uint32_t ranks_, groups_, banks_, groups_per_rank_, banks_per_group_, banks_per_rank_;
  std::uint32_t stacks_per_rank_, groups_per_stack_;
  std::vector<std::uint32_t> group_of_, stack_of_, rank_of_;
  std::uint32_t parts_per_rank_ = 0;
  std::vector<std::vector<std::uint32_t>> parts_;  ///< [rank][part]
  std::vector<std::uint32_t> part_in_rank_;        ///< by bank of a rank
  std::uint32_t lanes_;
  std::int64_t base_ = 0;
  LaneArray next_;  ///< [hot row][lane], from `base_`
  std::shared_ptr<const RaiseTable> raises_;
  std::array<std::vector<CountedWindow>, spec::kCommandCount> windows_;
  std::vector<Past> last_;  ///< [command][bank]: the last one there; wider scopes look at several
  std::vector<Ring> rings_;
  std::vector<std::uint8_t> open_;
};

template <class Path>
void Device::raise(spec::Command before, std::uint32_t bank, std::int64_t cycle) {
  const RaiseTable::Raise& raise = raises_->of(before);
  if (raise.lanes == 0) return;
  const std::int16_t* const row = raise.rows.data() + std::size_t{bank} * raise.lanes;
  Path::lift(next_.data() + raise.first, row, raise.lanes, near(cycle));
}

template <class Path>
void Device::count_windows(spec::Command command, std::uint32_t bank, std::int64_t cycle,
                           std::uint32_t tag) {
  for (const CountedWindow& window : windows_[static_cast<std::size_t>(command)]) {
    const std::uint32_t where = window.instance[bank];
    Past* const slots = window.last + std::size_t{where} * window.depth;
    std::uint32_t next = window.next[where];
    slots[next] = {cycle, bank, tag};
    next = next + 1 == window.depth ? 0 : next + 1;
    window.next[where] = next;
    const std::int64_t legal = slots[next].cycle + window.cycles - base_;
    if (window.row == kCold || legal <= kLongAgo) continue;
    std::int16_t* const first = next_.data() + window.row + where * window.width;
    const auto near = static_cast<std::int16_t>(legal);
    if (window.width % kLanes == 0) [[likely]] {  // then they begin a block
      Path::lift_all(first, window.width, near);
    } else {
      lift_few(first, window.width, near);
    }
  }
}

}  // namespace diffram::dram

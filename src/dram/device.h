#pragma once
// The state of one channel's devices: when each command is next legal, and why. All rules come from
// the constraint table of the spec. `earliest` is a max over a bank, its group and its rank; the
// binding rule is worked out from the history only when asked for.

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "base/ids.h"
#include "base/quantities.h"
#include "dram/constraint_table.h"

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
  explicit Device(const spec::MemorySpec& spec);

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
    const auto c = static_cast<std::size_t>(command);
    if (is_rank_command(command)) return binding_at(command, bank).cycle;
    return std::max(bank_next_[c * banks_ + bank],
                    std::max(group_next_[group_row_[c] * groups_ + group_of_[bank]],
                             rank_next_[rank_row_[c] * ranks_ + rank_of_[bank]]));
  }
  void issue_at(spec::Command command, std::uint32_t bank, std::int64_t cycle, std::uint32_t tag);
  /// `issue_at` for RD and WR: the row stays open.
  void issue_column(spec::Command command, std::uint32_t bank, std::int64_t cycle,
                    std::uint32_t tag);
  Binding binding_at(spec::Command command, std::uint32_t bank) const;
  /// The same for a command of a bank when `legal` = earliest_at(command, bank) is known.
  Binding binding_at(spec::Command command, std::uint32_t bank, std::int64_t legal) const;

  // Next-legal times of one command as flat arrays, for the scheduler's scan.
  const std::int64_t* bank_times(spec::Command c) const {
    return &bank_next_[static_cast<std::size_t>(c) * banks_];
  }
  const std::int64_t* group_times(spec::Command c) const {
    return &group_next_[group_row_[static_cast<std::size_t>(c)] * groups_];
  }
  const std::int64_t* rank_times(spec::Command c) const {
    return &rank_next_[rank_row_[static_cast<std::size_t>(c)] * ranks_];
  }
  const std::uint32_t* group_of() const { return group_of_.data(); }
  const std::uint32_t* rank_of() const { return rank_of_.data(); }

  std::uint32_t banks() const { return banks_; }  ///< of the channel
  std::uint32_t groups() const { return groups_; }
  std::uint32_t ranks() const { return ranks_; }
  std::uint32_t banks_per_rank() const { return banks_per_rank_; }
  bool is_open(std::uint32_t bank) const { return open_[bank] != 0; }
  std::uint32_t open_banks(std::uint32_t rank) const { return open_in_rank_[rank]; }
  const ConstraintTable& table() const { return table_; }

  std::uint32_t flat(Place p) const {
    return p.rank * banks_per_rank_ + p.bank_group * banks_per_group_ + p.bank;
  }
  Place place(std::uint32_t bank) const;

 private:
  struct Past {
    std::int64_t cycle = kNever;
    std::uint32_t bank = 0, tag = base::kNoOrigin.value;
  };
  struct Ring {
    std::vector<Past> last;  ///< by instance of the scope, `window` entries each
    std::vector<std::uint32_t> next;
  };
  /// Before any cycle of a run, and safe to add offsets to.
  static constexpr std::int64_t kNever = INT64_MIN / 4;

  /// A constraint as the search for the binding one reads it.
  struct LookBack {
    std::uint32_t constraint = 0;
    std::uint32_t row = 0;  ///< first index of the earlier command in the array of its scope
    std::int32_t cycles = 0;
    spec::Scope scope = spec::Scope::bank;
    bool plain = false;  ///< one load: the last command, in the bank, its group or its rank
  };

  void share_rows();
  void list_look_backs();
  void raise(spec::Command before, std::uint32_t bank, std::int64_t cycle);
  void remember(spec::Command command, std::uint32_t bank, std::int64_t cycle, std::uint32_t tag);
  void raise_far(const OffsetRows& rows, std::uint32_t bank, std::int64_t cycle);
  void count_windows(spec::Command command, std::uint32_t bank, std::int64_t cycle,
                     std::uint32_t tag);
  std::uint32_t instance(spec::Scope scope, std::uint32_t bank) const;
  Past last_before(const spec::Constraint& c, std::uint32_t index, std::uint32_t bank,
                   bool rank_wide) const;
  void raise_window(const spec::Constraint& c, std::uint32_t bank, std::int64_t legal);

  ConstraintTable table_;
  std::uint32_t ranks_, groups_, banks_, groups_per_rank_, banks_per_group_, banks_per_rank_;
  std::vector<std::uint32_t> group_of_, rank_of_;
  std::vector<std::int64_t> bank_next_, group_next_, rank_next_;  ///< [command][place]
  /// Commands that always wait alike (RD and RDA) share a row of group and of rank times.
  std::array<std::uint32_t, spec::kCommandCount> group_row_{}, rank_row_{};
  std::vector<Past> bank_last_, group_last_, rank_last_;  ///< [command][place]
  std::vector<Ring> rings_;
  std::array<std::vector<LookBack>, spec::kCommandCount> look_backs_;  ///< by later command
  std::vector<std::uint8_t> open_;
  std::vector<std::uint32_t> open_in_rank_;
};

inline void Device::raise(spec::Command before, std::uint32_t bank, std::int64_t cycle) {
  const OffsetRows& rows = table_.rows(before);
  const auto lift = [cycle](const std::vector<Offset>& list, std::int64_t* next) {
    // `after` is the first index of its row of times.
    for (const Offset& o : list) {
      std::int64_t& at = next[o.after];
      at = std::max(at, cycle + o.cycles);
    }
  };
  lift(rows.bank, bank_next_.data() + bank);
  lift(rows.group, group_next_.data() + group_of_[bank]);
  lift(rows.rank, rank_next_.data() + rank_of_[bank]);
  if (rows.far) raise_far(rows, bank, cycle);
}

inline void Device::remember(spec::Command command, std::uint32_t bank, std::int64_t cycle,
                             std::uint32_t tag) {
  const auto c = static_cast<std::size_t>(command);
  const Past past{cycle, bank, tag};
  rank_last_[c * ranks_ + rank_of_[bank]] = past;
  if (is_rank_command(command)) return;
  bank_last_[c * banks_ + bank] = past;
  group_last_[c * groups_ + group_of_[bank]] = past;
}

inline void Device::issue_column(spec::Command command, std::uint32_t bank, std::int64_t cycle,
                                 std::uint32_t tag) {
  raise(command, bank, cycle);
  remember(command, bank, cycle, tag);
  if (!table_.windows(command).empty()) count_windows(command, bank, cycle, tag);
}

}  // namespace diffram::dram

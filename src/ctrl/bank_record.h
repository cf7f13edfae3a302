#pragma once
// What attribution keeps of one bank, side by side, so that a command reaches it once: why its row
// commands waited (for the Bill) and who has used its open row (for the EnergyShares).

#include <cstdint>
#include <vector>

#include "base/cause.h"
#include "base/counters.h"
#include "dram/device.h"

namespace diffram::ctrl {

/// A row command: when it issued; where a chain may reach it, when it was legal and, once it is
/// settled, why not before.
struct RowStep {
  static constexpr std::int64_t kSettled = -1;

  std::int64_t issued = -1, legal = 0;
  dram::Device::Reason reason;
  std::int64_t question = kSettled;  ///< its position in the log, until the reason is known

  bool is_settled() const { return question == kSettled; }

  template <class Archive>
  void serialize(Archive& archive) {
    archive(issued, legal, reason.constraint, reason.tag, question);
  }
};

struct BankHistory {
  RowStep activate;
  RowStep precharge;  ///< the last closing, of which the reason matters for a conflict
  /// Of opening the row at hand, by how the bank came to be closed: row.miss never was open,
  /// row.conflict, refresh, policy.
  base::Cause closed_by = base::Cause::row_miss;
  std::uint32_t culprit = 0;  ///< whose row was closed by a conflict, else no name
  std::uint32_t opener = 0;
  std::int64_t held_since = 0;          ///< closing by refresh
  std::int64_t refresh_held_since = 0;  ///< of the last refresh of the rank

  template <class Archive>
  void serialize(Archive& archive) {
    archive(activate, precharge, closed_by, culprit, opener, held_since, refresh_held_since);
  }
};

/// A stretch of cycles.
struct Interval {
  std::int64_t begin = 0, end = 0;

  template <class Archive>
  void serialize(Archive& archive) {
    archive(begin, end);
  }
};

/// One rank: whose time it is.
struct RankWalk {
  static constexpr std::uint32_t kNobody = 0xFFFFFFFFu;

  std::int64_t mark = 0;  ///< given out up to here
  std::int64_t last = 0;  ///< open from `mark` up to here, for the owner
  std::uint32_t owner = kNobody;
  std::uint32_t open = 0;        ///< banks open without a known end
  std::int64_t open_until = 0;   ///< the last known closing, when `open` is 0
  std::vector<Interval> closed;  ///< since `last`, then there is no owner

  template <class Archive>
  void serialize(Archive& archive) {
    archive(mark, last, owner, open, open_until, closed);
  }
};

enum class RowState : std::uint8_t { closed, open, closing, refreshing };

/// The open row, and who used it. Its time is given out when the user changes.
struct OpenRow {
  // In this order no two that change together lie side by side: the compiler would join them in a
  // vector, at twice the instructions.
  std::int64_t mark = 0;         ///< given out up to here
  std::int64_t open_cycles = 0;  ///< since `flush`, less the cycle since which it is open, if it is
  std::int64_t last = 0;         ///< the user's last column command; `mark` if there is none since
  std::int64_t held_open = 0;    ///< of open_cycles: beyond the earliest legal precharge
  std::int64_t closes = 0;       ///< in the states closing and refreshing
  std::uint32_t user = 0;        ///< origin of the last column command, at first the opener
  RowState state = RowState::closed;
  /// Column commands of `user` since another's. With kShared the tickets of the activation are due
  /// to several users, with kGiven they are given out; else to one user.
  std::uint64_t columns = kGiven;
  static constexpr std::uint64_t kGiven = std::uint64_t{1} << 63, kShared = kGiven >> 1;
  std::int64_t own_columns() const { return static_cast<std::int64_t>(columns & (kShared - 1)); }
  bool has_tickets() const { return columns < kGiven; }

  template <class Archive>
  void serialize(Archive& archive) {
    archive(mark, last, closes, open_cycles, held_open, user, state, columns);
  }
};

struct alignas(64) BankRecord {
  BankHistory history;
  OpenRow row;
  // Where else a command counts.
  RankWalk* rank = nullptr;
  base::BankCounters* counters = nullptr;

  template <class Archive>
  void serialize(Archive& archive) {
    archive(history, row);
  }
};

}  // namespace diffram::ctrl

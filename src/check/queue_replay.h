#pragma once
// Which burst did each command serve? The queues of docs/controller.md (2, 3) followed along a log:
// what enters is known from the arrivals, what leaves from the column commands.

#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "base/request.h"
#include "base/result.h"
#include "check/bill.h"
#include "check/command.h"
#include "spec/memory.h"

namespace diffram::check {

/// A burst of a run in this channel.
struct Burst {
  std::int64_t arrival = 0;     ///< of its run
  std::int64_t acceptance = 0;  ///< into its queue
  std::uint64_t age = 0;        ///< order of acceptance, smaller = older
  base::OriginId origin = base::kNoOrigin;
  base::Direction direction = base::Direction::read;
  std::uint32_t rank = 0, bank_group = 0, bank = 0, row = 0, column = 0;

  bool goes_to_bank_of(const Command& c) const {
    return rank == c.rank && bank_group == c.bank_group && bank == c.bank;
  }
  bool has_place_of(const Burst& b) const {
    return rank == b.rank && bank_group == b.bank_group && bank == b.bank && row == b.row &&
           column == b.column;
  }
};

/// A request is present in [begin, end).
struct Presence {
  std::int64_t begin = 0, end = 0;
};

struct ServedLog {
  /// By command of the log: the burst that a column command moved, or for which a row command came;
  /// none for refreshes and for what the page policy does.
  std::vector<std::optional<Burst>> bursts;
  std::vector<Presence> presences;
  /// By edge of a window: the burst that is billed what is pending then; none if none waits. One
  /// that is still in its list counts as accepted at the edge.
  std::vector<std::optional<Burst>> waiting_at_edge;
};

base::Result<ServedLog> replay_queues(const spec::MemorySpec& memory, const BillInput& input);

}  // namespace diffram::check

#pragma once
// The bill of a channel's data bus (docs/bill.md), derived again: slowly, cycle by cycle, from what
// arrived and what was commanded, with none of the engine's code.

#include <cstdint>
#include <map>
#include <vector>

#include "base/counters.h"
#include "base/ids.h"
#include "base/request.h"
#include "base/result.h"
#include "check/command.h"
#include "spec/memory.h"

namespace diffram::check {

/// A run of bytes handed to the controller.
struct Arrival {
  base::Request request;
  std::int64_t cycle = 0;
};

/// From a cycle on, time without a request is billed so.
struct IdleAccount {
  std::int64_t from = 0;
  base::Cause cause = base::Cause::idle_end;
  base::OriginId owner = base::kNoOrigin;
};

struct BillInput {
  std::uint32_t channel = 0;
  std::vector<Arrival> arrivals;         ///< in order of submission; cycles do not go back
  std::vector<Command> log;              ///< of this channel
  std::int64_t end = 0;                  ///< cycles; every request is answered before
  std::vector<std::int64_t> edges = {};  ///< of windows, in (0, end), rising
  std::vector<IdleAccount> idle = {};    ///< in order; before the first: idle.end, no origin
};

/// Cycles of the data bus with one owner. `victim` of data is who moves them.
struct BillPiece {
  std::int64_t begin = 0, end = 0;
  base::BillKey key;

  bool operator==(const BillPiece&) const = default;
};

/// The whole bill of cycles [0, end), piece by piece in order, no piece empty, neighbours that are
/// billed alike joined. Errors: `log_does_not_fit` where the commands
/// could not have served the arrivals, `policy_not_derived` where the bill of a controller policy
/// has no derivation here.
base::Result<std::vector<BillPiece>> derive_bill(const spec::MemorySpec& memory,
                                                 const BillInput& input);

/// Cycles of [from, to) by (victim, culprit, cause).
std::map<base::BillKey, std::int64_t> sums_of(const std::vector<BillPiece>& pieces,
                                              std::int64_t from = 0, std::int64_t to = INT64_MAX);

}  // namespace diffram::check

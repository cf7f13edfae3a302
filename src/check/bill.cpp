#include "check/bill.h"

#include <fmt/format.h>

#include <algorithm>

#include "check/chain.h"
#include "check/queue_replay.h"
#include "check/waits.h"

namespace diffram::check {

namespace {

using base::Cause;

/// docs/bill.md: how far back another command in a cycle is looked up.
constexpr std::size_t kCommandsLookedUp = 1024;

class BillDerivation {
 public:
  BillDerivation(const spec::MemorySpec& memory, const BillInput& input, ServedLog served)
      : memory_(memory),
        input_(input),
        served_(std::move(served)),
        waits_(waits_of(memory, input, served_)),
        owners_(static_cast<std::size_t>(input.end), kUnowned),
        present_(owners_.size(), 0) {
    for (const Presence& presence : served_.presences) {
      for (std::int64_t y = presence.begin; y < std::min(presence.end, input.end); ++y) {
        present_[static_cast<std::size_t>(y)] = 1;
      }
    }
  }

  base::Result<std::vector<BillPiece>> run() {
    for (std::size_t i = 0; i < input_.log.size(); ++i) {
      settle_edges(input_.log[i].cycle);
      if (is_column(input_.log[i].name)) claim(i);
    }
    settle_edges(input_.end);
    for (std::size_t y = 0; y < owners_.size(); ++y) {
      if (owners_[y] != kUnowned) continue;
      if (present_[y] != 0) {
        return base::failure({.code = "log_does_not_fit",
                              .message = fmt::format("no burst claims bus cycle {}", y),
                              .file = "",
                              .line = 0,
                              .field = "",
                              .expected = "a run to its end"});
      }
      owners_[y] = idle_at(static_cast<std::int64_t>(y));
    }
    return joined();
  }

 private:
  // No origin is idle.throttle: nothing here bills it.
  static constexpr base::BillKey kUnowned{base::kNoOrigin, base::kNoOrigin, Cause::idle_throttle};

  base::BillKey idle_at(std::int64_t y) const {
    IdleAccount account;
    for (const IdleAccount& each : input_.idle) {
      if (each.from <= y) account = each;
    }
    return {account.owner, base::kNoOrigin, account.cause};
  }

  /// At the edge of a window what no burst has claimed yet goes to the one that waits.
  void settle_edges(std::int64_t cycle) {
    for (; settled_ < input_.edges.size() && input_.edges[settled_] <= cycle; ++settled_) {
      const auto& burst = served_.waiting_at_edge[settled_];
      if (!burst) continue;
      const std::int64_t edge = input_.edges[settled_];
      const bool read = burst->direction == base::Direction::read;
      const std::int64_t latency = memory_.timing(read ? "nCL" : "nCWL");
      const auto steps = chain_at_edge(memory_, *burst, waits_.at_edge[settled_], edge);
      for (std::int64_t y = claimed_from_; y < edge; ++y) {
        auto& owner = owners_[static_cast<std::size_t>(y)];
        if (owner == kUnowned && present_[static_cast<std::size_t>(y)] != 0) {
          owner = owner_at(*burst, steps, y - latency, 0);
        }
      }
    }
  }

  /// The burst of a column command takes its data cycles, and every gap cycle before them that no
  /// other burst has claimed and in which its run had arrived.
  void claim(std::size_t column) {
    const Command& command = input_.log[column];
    const Burst burst = served_.bursts[column].value_or(Burst{});
    const bool read = is_read(command.name);
    const std::int64_t latency = memory_.timing(read ? "nCL" : "nCWL");
    const std::int64_t data = command.cycle + latency, end = data + memory_.timing("nBL");
    const auto steps = chain_of(memory_, input_.log, served_, waits_, column);
    for (std::int64_t y = data - 1; y >= std::max(burst.arrival, claimed_from_); --y) {
      auto& owner = owners_[static_cast<std::size_t>(y)];
      if (owner == kUnowned && present_[static_cast<std::size_t>(y)] != 0) {
        owner = owner_at(burst, steps, y - latency, column);
      }
    }
    for (std::int64_t y = data; y < std::min(end, input_.end); ++y) {
      auto& owner = owners_[static_cast<std::size_t>(y)];
      if (owner != kUnowned) continue;  // the bursts overlap: billed what this one adds
      owner = {burst.origin, base::kNoOrigin, read ? Cause::data_read : Cause::data_write};
    }
    while (claimed_from_ < data && owners_[static_cast<std::size_t>(claimed_from_)] != kUnowned) {
      ++claimed_from_;
    }
  }

  base::BillKey owner_at(const Burst& burst, const std::vector<ChainStep>& steps, std::int64_t c,
                         std::size_t column) const {
    const auto step = std::find_if(steps.begin(), steps.end(),
                                   [c](const ChainStep& s) { return s.begin <= c && c < s.end; });
    if (step == steps.end()) return {burst.origin, base::kNoOrigin, Cause::cas};
    const bool bus = step->was_legal && another_command_at(c, column);
    return {burst.origin, step->culprit, bus ? Cause::command_bus : step->cause};
  }

  bool another_command_at(std::int64_t cycle, std::size_t column) const {
    const std::size_t from = column < kCommandsLookedUp ? 0 : column + 1 - kCommandsLookedUp;
    const auto begin = input_.log.begin() + static_cast<std::ptrdiff_t>(from);
    const auto end = input_.log.begin() + static_cast<std::ptrdiff_t>(column);
    return std::any_of(begin, end, [cycle](const Command& c) { return c.cycle == cycle; });
  }

  std::vector<BillPiece> joined() const {
    std::vector<BillPiece> pieces;
    for (std::size_t y = 0; y < owners_.size(); ++y) {
      const auto at = static_cast<std::int64_t>(y);
      if (!pieces.empty() && pieces.back().key == owners_[y]) {
        pieces.back().end = at + 1;
      } else {
        pieces.push_back({at, at + 1, owners_[y]});
      }
    }
    return pieces;
  }

  const spec::MemorySpec& memory_;
  const BillInput& input_;
  ServedLog served_;
  Waits waits_;
  std::vector<base::BillKey> owners_;  ///< by bus cycle
  std::vector<char> present_;          ///< by bus cycle: a request is present
  std::int64_t claimed_from_ = 0;      ///< every earlier cycle has its owner
  std::size_t settled_ = 0;            ///< edges
};

}  // namespace

base::Result<std::vector<BillPiece>> derive_bill(const spec::MemorySpec& memory,
                                                 const BillInput& input) {
  auto served = replay_queues(memory, input);
  if (!served) return tl::unexpected(served.error());
  return BillDerivation(memory, input, std::move(*served)).run();
}

std::map<base::BillKey, std::int64_t> sums_of(const std::vector<BillPiece>& pieces,
                                              std::int64_t from, std::int64_t to) {
  std::map<base::BillKey, std::int64_t> sums;
  for (const auto& piece : pieces) {
    const std::int64_t cycles = std::min(piece.end, to) - std::max(piece.begin, from);
    if (cycles > 0) sums[piece.key] += cycles;
  }
  return sums;
}

}  // namespace diffram::check

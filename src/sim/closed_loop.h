#pragma once
// The closed loop of one machine and its channels (lowering.md 4): a tile step computes when its
// loads are back, its predecessor has computed and the store buffer has room; the loads of the step
// after next are issued when it has computed (two load buffers); its stores drain behind. A kernel
// starts when its predecessor's last store is done, plus the launch gap.

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <vector>

#include "base/clock.h"
#include "ctrl/channel.h"
#include "ctrl/channel_finder.h"
#include "ledger/run_record.h"
#include "lower/tile_step.h"
#include "sim/channel_team.h"

namespace diffram::sim {

struct Pacing {
  base::Clock machine;  ///< of TileStep::compute_cycles and launch_gap_cycles
  base::Clock memory;
  std::int64_t launch_gap_cycles = 0;
  std::int64_t store_buffer_bytes = 0;
  bool zero_compute = false;  ///< the memory-only bound: compute and launch take no time
};

/// What a step took, in memory cycles.
struct StepTimes {
  std::int64_t cycles = 0;
  std::vector<ledger::OpTime> ops;  ///< index = op − first_op
};

/// A step between two of its ops: nothing is on the way, the channels are idle.
struct OpenStep {
  std::int64_t start = 0, now = 0;  ///< memory cycles since the run began
  std::uint64_t next_ticket = 0;
  std::uint32_t ops = 0;  ///< that have run, in the order of the program
  StepTimes times;        ///< of these; `cycles` is not known yet
};

class ClosedLoop {
 public:
  using Channels = std::vector<std::unique_ptr<ctrl::Channel>>;

  ClosedLoop(Channels channels, const ctrl::ChannelFinder& finder, const Pacing& pacing,
             std::size_t threads);

  /// Origin to which an op's idle channel time is billed, by op index; set before the first step.
  void set_idle_owners(std::vector<base::OriginId> owner_by_op) {
    idle_owner_ = std::move(owner_by_op);
  }
  /// Called after every tile step with the bytes it moved; may be empty.
  void set_progress(std::function<void(std::int64_t)> moved) { moved_ = std::move(moved); }

  /// All channels stop at `edge` memory cycles of simulated time before any goes beyond it; then
  /// `at_edge` is called, which gives the next one.
  void set_edges(std::int64_t edge, std::function<std::int64_t()> at_edge) {
    edge_ = edge;
    at_edge_ = std::move(at_edge);
  }

  /// Called after every op; false = stop the step here. May be empty.
  void set_between_ops(std::function<bool(const OpenStep&)> between_ops) {
    between_ops_ = std::move(between_ops);
  }

  /// Run one step whose ops are [first_op, first_op + op_count). The channels are idle before and
  /// after. `from` = go on with a step that stood there, with channels as they were then.
  StepTimes run(lower::TileSource& source, std::uint32_t first_op, std::size_t op_count,
                const OpenStep* from = nullptr);

  Channels& channels() { return channels_; }
  std::int64_t now() const { return now_; }

 private:
  struct Batch {                                      ///< loads or stores of one tile step
    std::uint64_t first_ticket = 0, last_ticket = 0;  ///< [first, last)
    std::int64_t released = 0;
    std::int64_t bytes = 0;
    bool empty() const { return first_ticket == last_ticket; }
  };

  /// What one channel was given in the op that runs.
  struct Given {
    std::vector<std::uint64_t> tickets;  ///< ascending
    std::vector<std::int64_t> cycle;  ///< of completion, by ticket − ticket_base_; −1 = not known
  };

  Batch release(const std::vector<base::Request>& requests, std::int64_t at);
  /// kUnknown = not before the edge.
  std::int64_t finish_in_channel(std::size_t index, const Batch& batch);
  std::int64_t finish_of(const Batch& batch);
  void advance_to(std::int64_t cycle);
  void pass_edge();
  std::int64_t run_op(lower::TileSource& source, lower::TileStep& tile, bool& more,
                      ledger::OpTime& time);
  std::int64_t compute_time(const lower::TileStep& tile) const;

  static constexpr std::int64_t kUnknown = -1;
  /// No limit, far from overflow when offsets are added.
  static constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max() / 4;

  Channels channels_;
  ctrl::ChannelFinder finder_;
  Pacing pacing_;
  ChannelTeam team_;
  std::vector<base::OriginId> idle_owner_;
  std::function<void(std::int64_t)> moved_;
  std::function<bool(const OpenStep&)> between_ops_;
  std::function<std::int64_t()> at_edge_;
  std::int64_t edge_ = kNever;
  std::vector<Given> given_;          ///< by channel
  std::vector<std::int64_t> latest_;  ///< by channel, scratch of finish_of
  std::uint64_t ticket_base_ = 0;     ///< first ticket of the op that runs
  std::uint64_t next_ticket_ = 0;
  std::int64_t now_ = 0;
};

}  // namespace diffram::sim

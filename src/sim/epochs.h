#pragma once
// The run's time in epochs of equal length. An epoch knows nothing of steps: when the counters of a
// step are taken, it goes on.

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <vector>

#include "ctrl/channel.h"
#include "ledger/epoch.h"

namespace diffram::sim {

/// The open epoch: part of a checkpoint.
struct OpenEpoch {
  ledger::Epoch epoch;                       ///< up to the last look at the channels
  std::vector<base::ChannelCounters> known;  ///< of the channels' window, at that look
};

class Epochs {
 public:
  using Channels = std::vector<std::unique_ptr<ctrl::Channel>>;
  using Closed = std::function<void(const ledger::Epoch&)>;

  /// `closed` is told of every epoch when all channels stand at its end; `cycles` 0 = there are
  /// none.
  Epochs(std::int64_t cycles, Closed closed) : cycles_(cycles), closed_(std::move(closed)) {}

  /// Of the open epoch, in memory cycles of simulated time; far away if there are none.
  std::int64_t end() const { return cycles_ > 0 ? open_.epoch.begin + cycles_ : kNoEnd; }
  /// The channels stand at `end`.
  void close(const Channels& channels);
  /// Their counters are about to be taken.
  void before_take(const Channels& channels);
  /// The run ends where the channels stand.
  void finish(const Channels& channels);

  const OpenEpoch& open() const { return open_; }
  void go_on_from(const OpenEpoch& open) { open_ = open; }

 private:
  static constexpr std::int64_t kNoEnd = std::numeric_limits<std::int64_t>::max() / 4;

  void look_at(const Channels& channels);
  void hand_over();

  std::int64_t cycles_;
  Closed closed_;
  OpenEpoch open_;
};

/// Its channels as one of one bank and one rank, which hold the sums; `cycles` is that of the
/// epoch.
ledger::Epoch summed(const ledger::Epoch& epoch);

}  // namespace diffram::sim

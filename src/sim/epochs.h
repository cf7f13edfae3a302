#pragma once
// The run's time in epochs of equal length. An epoch knows nothing of steps: when the counters of a
// step are taken, it goes on.

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "ctrl/channel.h"
#include "ledger/epoch.h"

namespace diffram::sim {

/// The open epoch: part of a checkpoint.
struct OpenEpoch {
  std::int64_t length = 0;                   ///< that it will have; 0 = there are no epochs
  ledger::Epoch epoch;                       ///< up to the last look at the channels
  std::vector<base::ChannelCounters> known;  ///< of the channels' window, at that look
};

class Epochs {
 public:
  using Channels = std::vector<std::unique_ptr<ctrl::Channel>>;
  using Closed = std::function<void(const ledger::Epoch&)>;

  /// `closed` is told of every epoch when all channels stand at its end; `cycles` 0 = there are
  /// none.
  Epochs(std::int64_t cycles, Closed closed) : closed_(std::move(closed)) { open_.length = cycles; }

  bool has_epochs() const { return open_.length > 0; }
  /// Of the open epoch, in memory cycles of simulated time.
  std::int64_t end() const { return open_.epoch.begin + open_.length; }
  /// The channels stand at `end`.
  void close(const Channels& channels);
  /// Their counters are about to be taken.
  void before_take(const Channels& channels);
  /// The run ends where the channels stand.
  void finish(const Channels& channels);

  /// From now on epochs are twice as long; an even number of them has ended.
  void double_length() { open_.length *= 2; }

  const OpenEpoch& open() const { return open_; }
  void go_on_from(const OpenEpoch& open) { open_ = open; }

 private:
  void look_at(const Channels& channels);
  void hand_over();

  Closed closed_;
  OpenEpoch open_;
};

/// Its channels as one of one bank and one rank, which hold the sums; `cycles` is that of the
/// epoch.
ledger::Epoch summed(const ledger::Epoch& epoch);
/// Two and two of them become one; their number is even.
void join_pairs(std::vector<ledger::Epoch>& epochs);

}  // namespace diffram::sim

#pragma once
// One channel behind a list of requests that wait for it. A channel takes what it is given in order
// of arrival, so priority is decided before: as many requests as its queues hold are in the
// channel, the others wait here, the highest priority first, then the oldest.

#include <cstdint>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "ctrl/channel.h"

namespace diffram::library {

class ChannelFeed {
 public:
  ChannelFeed(const spec::MemorySpec& memory, base::ChannelId channel,
              std::shared_ptr<const ctrl::MemoryTables> tables);

  void submit(const base::Request& request, std::uint64_t ticket, std::uint8_t priority) {
    waiting_.emplace(std::pair(255 - priority, next_sequence_++), Waiting{request, ticket});
  }
  /// Simulate all cycles < until; completions are appended, in order of their cycle.
  void advance(std::int64_t until, std::vector<ctrl::Completion>& done);

  bool idle() const { return waiting_.empty() && channel_->idle(); }
  ctrl::Channel& channel() { return *channel_; }
  const ctrl::Channel& channel() const { return *channel_; }

 private:
  struct Waiting {
    base::Request request;
    std::uint64_t ticket = 0;
  };

  void enter();

  std::unique_ptr<ctrl::Channel> channel_;
  std::map<std::pair<int, std::uint64_t>, Waiting> waiting_;
  std::size_t most_inside_;
  std::size_t inside_ = 0;  ///< requests in the channel
  std::uint64_t next_sequence_ = 0;
};

}  // namespace diffram::library

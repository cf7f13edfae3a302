#include "library/channel_feed.h"

namespace diffram::library {

namespace {
ctrl::ChannelOptions without_bill(std::shared_ptr<const ctrl::MemoryTables> tables) {
  ctrl::ChannelOptions options;
  options.attribution = false;
  options.tables = std::move(tables);
  return options;
}
}  // namespace

ChannelFeed::ChannelFeed(const spec::MemorySpec& memory, base::ChannelId channel,
                         std::shared_ptr<const ctrl::MemoryTables> tables)
    : channel_(ctrl::make_channel(memory, channel, without_bill(std::move(tables)))),
      most_inside_(memory.controller.read_queue + memory.controller.write_queue) {}

void ChannelFeed::enter() {
  while (inside_ < most_inside_ && !waiting_.empty()) {
    const auto first = waiting_.begin();
    channel_->submit(first->second.request, channel_->now(), first->second.ticket);
    waiting_.erase(first);
    ++inside_;
  }
}

void ChannelFeed::advance(std::int64_t until, std::vector<ctrl::Completion>& done) {
  while (channel_->now().value < until) {
    enter();
    // Who waits enters in the cycle in which there is room.
    const std::int64_t next = waiting_.empty() ? until : channel_->now().value + 1;
    channel_->advance(base::Cycles{next});
    const auto completions = channel_->completions();
    inside_ -= completions.size();
    done.insert(done.end(), completions.begin(), completions.end());
    channel_->clear_completions();
  }
}

}  // namespace diffram::library

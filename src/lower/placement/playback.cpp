#include "lower/placement/playback.h"

#include <algorithm>
#include <utility>

namespace diffram::lower {

namespace {

class Player {
 public:
  Player(const trace::TensorTrace& trace, Allocator& allocator)
      : trace_(trace), allocator_(allocator) {}

  base::Result<PlaybackResult> play() {
    for (std::uint32_t storage = 0; storage < trace_.storages.size(); ++storage) {
      if (!trace_.storages[storage].alive_at_start) continue;
      if (!allocate(storage, Moment{})) return outcome();
    }
    for (std::size_t step = 0; step < trace_.steps.size(); ++step) {
      if (!play_step(step)) return outcome();
    }
    return outcome();
  }

 private:
  bool play_step(std::size_t step) {
    const trace::Step& played = trace_.steps[step];
    std::vector<Block> before;
    for (std::int64_t time = 0; time < played.times; ++time) {
      if (time > 0 && !note(allocator_.carry(played.carries))) return false;
      for (std::size_t event = 0; event < played.events.size(); ++event) {
        if (!play_event(played.events[event], {step, event})) return false;
      }
      if (time + 1 == played.times) break;
      std::vector<Block> after = allocator_.blocks();
      if (after == before) break;
      before = std::move(after);
    }
    return true;
  }

  bool play_event(const trace::Event& event, Moment moment) {
    if (event.kind == trace::EventKind::allocate) return allocate(event.index, moment);
    if (event.kind == trace::EventKind::release) return note(allocator_.release(event.index));
    return true;
  }

  bool allocate(std::uint32_t storage, Moment moment) {
    const auto address = allocator_.allocate(storage, trace_.storages[storage].bytes);
    if (!address) {
      if (address.error().front().code == "out_of_memory") {
        result_.stopped_at = moment;
      } else {
        errors_ = address.error();
      }
      return false;
    }
    result_.peak_reserved = std::max(result_.peak_reserved, allocator_.reserved_bytes());
    return true;
  }

  bool note(const base::Result<void>& result) {
    if (!result) errors_ = result.error();
    return result.has_value();
  }

  base::Result<PlaybackResult> outcome() {
    if (!errors_.empty()) return base::failure(std::move(errors_));
    return result_;
  }

  const trace::TensorTrace& trace_;
  Allocator& allocator_;
  PlaybackResult result_;
  base::Errors errors_;
};

}  // namespace

base::Result<PlaybackResult> play(const trace::TensorTrace& trace, Allocator& allocator) {
  return Player(trace, allocator).play();
}

}  // namespace diffram::lower

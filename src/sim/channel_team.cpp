#include "sim/channel_team.h"

#include <algorithm>

namespace diffram::sim {

namespace {

// A round lasts some 100 µs and the next one follows at once, so a short spin usually catches it;
// on a loaded machine the thread sleeps instead of taking a core from the others.
constexpr int kSpins = 2000;

template <class Value>
void wait_while_equal(const std::atomic<Value>& watched, Value seen) {
  for (int spin = 0; spin < kSpins; ++spin) {
    if (watched.load(std::memory_order_acquire) != seen) return;
    __builtin_ia32_pause();
  }
  while (watched.load(std::memory_order_acquire) == seen) watched.wait(seen);
}

}  // namespace

ChannelTeam::ChannelTeam(std::size_t channels, std::size_t threads, std::size_t helpers)
    : channels_(channels),
      members_(std::clamp<std::size_t>(threads, 1, std::max<std::size_t>(channels + helpers, 1))) {
  for (std::size_t member = 1; member < members_; ++member) {
    threads_.emplace_back([this, member] { serve(member); });
  }
}

ChannelTeam::~ChannelTeam() {
  stop_.store(true, std::memory_order_relaxed);
  round_.fetch_add(1, std::memory_order_release);
  round_.notify_all();
}

void ChannelTeam::run_round(const Work& work, const Aside* aside) {
  work_ = &work;
  aside_ = aside;
  begun_.store(false, std::memory_order_relaxed);
  goes_on_.store(false, std::memory_order_relaxed);
  tasks_.store(kNotKnown, std::memory_order_relaxed);
  next_task_.store(0, std::memory_order_relaxed);
  busy_.store(members_ - 1, std::memory_order_relaxed);
  if (members_ > 1) {
    round_.fetch_add(1, std::memory_order_release);
    round_.notify_all();
  }
  if (aside != nullptr) {
    aside->begin();
    begun_.store(true, std::memory_order_release);
    begun_.notify_all();
  }
  run_share(0);
  for (std::size_t left = busy_.load(std::memory_order_acquire); left != 0;
       left = busy_.load(std::memory_order_acquire)) {
    wait_while_equal(busy_, left);
  }
}

void ChannelTeam::run_share(std::size_t member) {
  for (std::size_t channel = member; channel < channels_; channel += members_) (*work_)(channel);
  if (aside_ != nullptr) help_aside();
}

void ChannelTeam::help_aside() {
  wait_while_equal(begun_, false);
  if (!goes_on_.exchange(true, std::memory_order_relaxed)) {
    tasks_.store(aside_->go_on(), std::memory_order_release);
    tasks_.notify_all();
  }
  wait_while_equal(tasks_, kNotKnown);
  const std::size_t tasks = tasks_.load(std::memory_order_acquire);
  while (true) {
    const std::size_t task = next_task_.fetch_add(1, std::memory_order_relaxed);
    if (task >= tasks) return;
    aside_->task(task);
  }
}

void ChannelTeam::serve(std::size_t member) {
  std::uint64_t seen = 0;
  while (true) {
    wait_while_equal(round_, seen);
    ++seen;
    if (stop_.load(std::memory_order_relaxed)) return;
    run_share(member);
    busy_.fetch_sub(1, std::memory_order_release);
    busy_.notify_one();
  }
}

}  // namespace diffram::sim

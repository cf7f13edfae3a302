#pragma once
// A channel without DRAM behind it: one burst every `cycles_per_burst`, in order of arrival, after
// a fixed latency. What the closed loop must do on it can be worked out by hand.

#include <algorithm>
#include <deque>
#include <memory>
#include <vector>

#include "ctrl/channel.h"

namespace diffram::sim::testing {

class SteadyBus final : public ctrl::Channel {
 public:
  SteadyBus(std::int64_t cycles_per_burst, std::int64_t latency)
      : cycles_per_burst_(cycles_per_burst), latency_(latency) {}

  void submit(const base::Request& run, base::Cycles arrival, std::uint64_t ticket) override {
    const auto bursts = static_cast<std::int64_t>((run.bytes + 63) / 64);
    bus_free_ = std::max(bus_free_, arrival.value) + bursts * cycles_per_burst_;
    pending_.push_back({ticket, bus_free_ + latency_});
  }
  void advance(base::Cycles until) override {
    now_ = std::max(now_, until.value);
    while (!pending_.empty() && pending_.front().cycle <= now_) complete_first();
  }
  base::Cycles drain() override {
    while (!pending_.empty()) complete_first();
    return base::Cycles(now_);
  }
  void advance_until_complete(std::uint64_t ticket, base::Cycles) override {
    while (!pending_.empty()) {
      const bool last = pending_.front().ticket == ticket;
      complete_first();
      if (last) return;
    }
  }
  void set_idle_account(base::Cause, base::OriginId) override {}
  void set_operating_point(const base::OperatingPoint&) override {}
  base::Cycles now() const override { return base::Cycles(now_); }
  bool idle() const override { return pending_.empty(); }
  std::span<const ctrl::Completion> completions() const override { return done_; }
  void clear_completions() override { done_.clear(); }
  base::ChannelCounters so_far() override { return {}; }
  base::ChannelCounters take_counters() override { return {}; }
  void save(std::ostream&) const override {}
  void restore(std::istream&) override {}

 private:
  void complete_first() {
    done_.push_back(pending_.front());
    now_ = std::max(now_, pending_.front().cycle);
    pending_.pop_front();
  }

  std::int64_t cycles_per_burst_, latency_, bus_free_ = 0, now_ = 0;
  std::deque<ctrl::Completion> pending_;
  std::vector<ctrl::Completion> done_;
};

}  // namespace diffram::sim::testing

// DRAMsim3's library on the `compat` controllers: the order of callbacks in a cycle is by channel,
// then by the entries of the channel's return list.

#include <algorithm>
#include <vector>

#include "ctrl/compat/controller.h"
#include "ctrl/compat/stats_file.h"
#include "library/dramsim3_system.h"

namespace diffram::library {

namespace {

using ctrl::compat::Answer;
using ctrl::compat::Controller;
using ctrl::compat::Counters;
using ctrl::compat::kNever;
using ctrl::compat::Tick;

class CompatSystem final : public Dramsim3System {
 public:
  explicit CompatSystem(const spec::Dramsim3Config& config) : Dramsim3System(config) {
    channels_.resize(config_.channels);
    for (Channel& channel : channels_) {
      channel.controller = std::make_unique<Controller>(
          config_, kNever, ctrl::compat::CommandSink{}, [&channel](const Answer& answer) {
            channel.answers.push_back(answer);
            channel.soonest = std::min(channel.soonest, answer.delivered);
          });
    }
  }

  base::Result<void> tick() override {
    for (Channel& channel : channels_) {
      if (channel.soonest <= clock_) deliver(channel);
    }
    for (Channel& channel : channels_) {
      channel.controller->run_until(clock_ + 1);
      if (const auto& abort = channel.controller->abort())
        return base::failure({"dramsim3_aborts", abort->reason, "", 0, "", ""});
    }
    ++clock_;
    return {};
  }

  bool will_accept(std::uint64_t address, bool is_write) const override {
    return channels_[channel_of(address)].controller->accepts(is_write);
  }
  void add(std::uint64_t address, bool is_write) override {
    channels_[channel_of(address)].controller->add(address, is_write);
  }

  std::string statistics() override {
    std::vector<Counters> all;
    for (Channel& channel : channels_) {
      Counters counters = channel.controller->take_counters();
      // The controller counts an answer when it is known, DRAMsim3 when it is delivered.
      counters.reads_done = channel.reads_done;
      counters.writes_done = channel.writes_done;
      counters.read_latency = channel.read_latency;
      all.push_back(std::move(counters));
    }
    return ctrl::compat::stats_file(config_, all);
  }
  void reset_statistics() override {
    for (Channel& channel : channels_) {
      channel.controller->reset_counters();
      channel.reads_done = channel.writes_done = 0;
      channel.read_latency = {};
    }
  }

 private:
  struct Channel {
    std::unique_ptr<Controller> controller;
    std::vector<Answer> answers;  ///< the return list
    Tick soonest = kNever;        ///< of them
    std::uint64_t reads_done = 0, writes_done = 0;
    ctrl::compat::Histogram read_latency;
  };

  // A callback may add, and what it adds is answered in a later cycle: the list grows at its end.
  void deliver(Channel& channel) {
    std::size_t kept = 0;
    Tick soonest = kNever;
    for (std::size_t i = 0; i < channel.answers.size(); ++i) {
      const Answer answer = channel.answers[i];
      if (answer.delivered > clock_) {
        soonest = std::min(soonest, answer.delivered);
        channel.answers[kept++] = answer;
        continue;
      }
      ++(answer.is_write ? channel.writes_done : channel.reads_done);
      if (!answer.is_write) channel.read_latency.add(clock_ - answer.arrival);
      callbacks_.call(answer.address, answer.is_write);
    }
    channel.answers.resize(kept);
    channel.soonest = soonest;
  }

  std::vector<Channel> channels_;
  Tick clock_ = 0;
};

}  // namespace

std::unique_ptr<Dramsim3System> make_compat_system(const spec::Dramsim3Config& config) {
  return std::make_unique<CompatSystem>(config);
}

}  // namespace diffram::library

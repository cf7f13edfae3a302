#include "sim/dramsim3_client.h"

#include <algorithm>
#include <memory>

namespace diffram::sim {

namespace {

using ctrl::compat::Controller;
using ctrl::compat::Tick;

constexpr Tick kCyclesBetweenLooks = Tick{1} << 26;     // a second or so of a busy channel
constexpr std::uint64_t kRequestsBetweenLooks = 65536;  // some 10 ms

class Client {
 public:
  Client(const spec::Dramsim3Config& config, ClientFeed& feed, const ClientOptions& options)
      : config_(config), feed_(feed), options_(options) {
    for (std::uint32_t channel = 0; channel < config.channels; ++channel) {
      ctrl::compat::CommandSink sink;
      if (options.on_command) {
        sink = [this, channel](const ctrl::compat::IssuedCommand& command) {
          options_.on_command(channel, command);
        };
      }
      channels_.push_back(std::make_unique<Controller>(config, options.cycles, std::move(sink)));
    }
  }

  ClientResult run() {
    send();
    finish();
    return std::move(result_);
  }

 private:
  void send();
  bool try_to_send(Tick& cycle);
  bool wait_for_room(Controller& channel, Tick& cycle);
  void finish();
  bool is_stopped() {
    result_.stopped = options_.stop != nullptr && options_.stop->load(std::memory_order_relaxed);
    return result_.stopped;
  }

  const spec::Dramsim3Config& config_;
  ClientFeed& feed_;
  const ClientOptions& options_;
  std::vector<std::unique_ptr<Controller>> channels_;
  ClientRequest request_;
  ClientResult result_;
};

// Iteration `cycle`: a tick of every channel, then one try of the request at the head of the trace.
void Client::send() {
  bool taken = true;
  Tick cycle = 0;
  while (cycle < options_.cycles && !feed_.at_end()) {
    if (taken) {
      const auto fetched = feed_.fetch(request_);
      if (fetched == ClientFeed::Fetched::nothing) {
        if (feed_.has_failed()) return;
        ++result_.phantom_reads;
      } else {
        ++result_.requests_read;
      }
      taken = false;
    }
    if (request_.cycle > cycle) {
      result_.last_request_lost = feed_.at_end();
      cycle = request_.cycle;
      continue;
    }
    taken = try_to_send(cycle);
    if (!taken) return;
    ++cycle;
    if (++result_.requests_sent % kRequestsBetweenLooks == 0) {
      if (is_stopped()) return;
      if (options_.progress) options_.progress(cycle);
    }
  }
}

/// Moves `cycle` to the iteration in which the channel accepted; false if it never did.
bool Client::try_to_send(Tick& cycle) {
  Controller& channel = *channels_[config_.map.channel.of(request_.address >> config_.map.shift)];
  if (feed_.at_end() || channel.accepts(request_.is_write)) {
    channel.run_until(cycle + 1);
    if (channel.abort()) return false;
    result_.last_request_lost = !channel.accepts(request_.is_write);
    if (result_.last_request_lost) return false;
  } else if (!wait_for_room(channel, cycle)) {
    return false;
  }
  channel.add(request_.address, request_.is_write);
  return true;
}

// The queue is full: the trace waits until a tick makes room.
bool Client::wait_for_room(Controller& channel, Tick& cycle) {
  const bool is_write = request_.is_write;
  const auto next_look = [&] {
    return std::min(channel.now() + kCyclesBetweenLooks, options_.cycles);
  };
  while (!channel.run_until_accepts(is_write, next_look())) {
    if (channel.abort() || is_stopped()) return false;
    if (channel.now() < options_.cycles) continue;
    result_.is_blocked = true;
    result_.blocked_since = cycle;
    return false;
  }
  channel.run_until(cycle + 1);
  cycle = channel.now() - 1;
  return !channel.abort();
}

void Client::finish() {
  Tick end = options_.cycles;
  const auto end_with = [&end](const Controller& channel) {
    if (const auto& abort = channel.abort()) end = std::min(end, abort->cycle + 1);
  };
  for (const auto& channel : channels_) end_with(*channel);
  for (Tick until = 0; until < end && !result_.stopped;) {
    until = std::min(until + kCyclesBetweenLooks, end);
    for (const auto& channel : channels_) {
      channel->run_until(until);
      end_with(*channel);
    }
    if (is_stopped()) return;
  }
  for (std::uint32_t i = 0; i < channels_.size(); ++i) {
    const auto& abort = channels_[i]->abort();
    if (abort && (!result_.abort || abort->cycle < result_.abort->cycle)) {
      result_.abort = abort;
      result_.aborted_channel = i;
    }
    result_.channels.push_back(channels_[i]->take_counters());
    result_.leftovers.push_back(channels_[i]->leftovers());
  }
}

}  // namespace

ClientResult run_dramsim3(const spec::Dramsim3Config& config, ClientFeed& feed,
                          const ClientOptions& options) {
  return Client(config, feed, options).run();
}

}  // namespace diffram::sim

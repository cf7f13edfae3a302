#pragma once
// Channels on threads. Between two synchronisation points channels do not see each other, so what
// they compute does not depend on which thread runs them, nor on how many there are.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <thread>
#include <vector>

namespace diffram::sim {

class ChannelTeam {
 public:
  /// `threads` in all, the calling one included; more than `channels` are not started.
  ChannelTeam(std::size_t channels, std::size_t threads);
  ~ChannelTeam();
  ChannelTeam(const ChannelTeam&) = delete;
  ChannelTeam& operator=(const ChannelTeam&) = delete;

  /// Run `work(channel)` once for every channel; returns when all are done.
  void for_each_channel(const std::function<void(std::size_t)>& work);

 private:
  void serve(std::size_t member);
  void run_share(std::size_t member);

  std::size_t channels_;
  std::size_t members_;
  const std::function<void(std::size_t)>* work_ = nullptr;
  std::atomic<std::uint64_t> round_{0};
  std::atomic<std::size_t> busy_{0};
  std::atomic<bool> stop_{false};
  std::vector<std::jthread> threads_;
};

}  // namespace diffram::sim

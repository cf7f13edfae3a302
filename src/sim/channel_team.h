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
  /// `threads` in all, the calling one included; more than `channels` and `helpers`, which take
  /// further tasks only, are not started.
  ChannelTeam(std::size_t channels, std::size_t threads, std::size_t helpers = 0);
  ~ChannelTeam();
  ChannelTeam(const ChannelTeam&) = delete;
  ChannelTeam& operator=(const ChannelTeam&) = delete;

  using Work = std::function<void(std::size_t)>;
  /// Run `work(channel)` once for every channel; returns when all are done.
  void for_each_channel(const Work& work) { for_each_channel(work, 0, work); }
  /// And `task(0)` … `task(tasks - 1)`, each once: whoever is through with the channels takes the
  /// next one.
  void for_each_channel(const Work& work, std::size_t tasks, const Work& task);

  std::size_t members() const { return members_; }

 private:
  void serve(std::size_t member);
  void run_share(std::size_t member);

  std::size_t channels_;
  std::size_t members_;
  const Work* work_ = nullptr;
  const Work* task_ = nullptr;
  std::size_t tasks_ = 0;
  std::atomic<std::size_t> next_task_{0};
  std::atomic<std::uint64_t> round_{0};
  std::atomic<std::size_t> busy_{0};
  std::atomic<bool> stop_{false};
  std::vector<std::jthread> threads_;
};

}  // namespace diffram::sim

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
  /// What one round does beside the channels. Nothing of it runs before what stands above it has
  /// ended, whoever does it.
  struct Aside {
    std::function<void()> begin;  ///< on the calling thread, before its first channel
    std::function<std::size_t()>
        go_on;  ///< by who is first through with the channels; how many tasks
    Work task;  ///< each once, by whoever is free
  };
  /// Run `work(channel)` once for every channel; returns when all are done.
  void for_each_channel(const Work& work) { run_round(work, nullptr); }
  void for_each_channel(const Work& work, const Aside& aside) { run_round(work, &aside); }

  std::size_t members() const { return members_; }

 private:
  static constexpr std::size_t kNotKnown = ~std::size_t{0};

  void run_round(const Work& work, const Aside* aside);
  void serve(std::size_t member);
  void run_share(std::size_t member);
  void help_aside();

  std::size_t channels_;
  std::size_t members_;
  const Work* work_ = nullptr;
  const Aside* aside_ = nullptr;
  std::atomic<bool> begun_{false};     ///< `begin` has ended
  std::atomic<bool> goes_on_{false};   ///< `go_on` has found its thread
  std::atomic<std::size_t> tasks_{0};  ///< kNotKnown until `go_on` has said
  std::atomic<std::size_t> next_task_{0};
  std::atomic<std::uint64_t> round_{0};
  std::atomic<std::size_t> busy_{0};
  std::atomic<bool> stop_{false};
  std::vector<std::jthread> threads_;
};

}  // namespace diffram::sim

#pragma once
// One line on stderr with the share done, rate and time left; only on a terminal and after a
// second.

#include <chrono>
#include <mutex>

#include "session/session.h"

namespace diffram::cli {

class ProgressLine {
 public:
  ProgressLine();
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  void show(const session::Progress& progress);  ///< from any thread
  void clear();

 private:
  using Clock = std::chrono::steady_clock;
  std::mutex mutex_;
  bool terminal_;
  bool shown_ = false;
  Clock::time_point start_, last_;
};

}  // namespace diffram::cli

#include "progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

namespace diffram::cli {

ProgressLine::ProgressLine()
    : terminal_(isatty(STDERR_FILENO) != 0), start_(Clock::now()), last_(start_) {}

ProgressLine::~ProgressLine() { clear(); }

void ProgressLine::show(const session::Progress& progress) {
  if (!terminal_) return;
  const std::lock_guard lock(mutex_);
  const auto now = Clock::now();
  const double passed = std::chrono::duration<double>(now - start_).count();
  constexpr double kFirst = 1.0, kEvery = 0.2;  // seconds
  if (passed < kFirst || std::chrono::duration<double>(now - last_).count() < kEvery) return;
  last_ = now;
  shown_ = true;
  const double rate = progress.bytes / passed / 1e9;
  if (progress.fraction <= 0) {
    fmt::print(stderr, "\r\033[K{}  {:.3g} GB  {:.3g} GB/s", progress.what, progress.bytes / 1e9,
               rate);
  } else {
    constexpr int kWidth = 24;
    const int filled = static_cast<int>(progress.fraction * kWidth);
    const double left = passed / progress.fraction - passed;
    fmt::print(stderr,
               "\r\033[K{} [{:#<{}}{:.<{}}] {:3.0f} %  {:.3g} GB/s simulated  {:.0f} s left",
               progress.what, "", filled, "", kWidth - filled, 100 * progress.fraction, rate, left);
  }
  std::fflush(stderr);
}

void ProgressLine::clear() {
  const std::lock_guard lock(mutex_);
  if (shown_) fmt::print(stderr, "\r\033[K");
  shown_ = false;
}

}  // namespace diffram::cli

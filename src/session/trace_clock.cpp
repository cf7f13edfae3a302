#include "session/trace_clock.h"

#include <fmt/format.h>

#include <cstdint>

namespace diffram::session {

base::Result<base::Clock> parse_trace_clock(const std::string& text) {
  std::int64_t digits = 0, scale = 1;
  bool dot = false, any = false, good = !text.empty() && text.size() <= 15;
  for (const char c : text) {
    if (c == '.' && !dot) {
      dot = true;
    } else if (c >= '0' && c <= '9') {
      digits = digits * 10 + (c - '0');
      if (dot) scale *= 10;
      any = true;
    } else {
      good = false;
    }
  }
  if (!good || !any || digits == 0) {
    return base::failure({.code = "bad_value",
                          .message = fmt::format("\"{}\" is no clock period", text),
                          .file = "",
                          .line = 0,
                          .field = "--trace-clock",
                          .expected = "nanoseconds a cycle, such as 0.625"});
  }
  constexpr std::int64_t kFemtosecondsPerNanosecond = 1'000'000;
  return base::Clock(digits * kFemtosecondsPerNanosecond, scale);
}

std::string clock_text(const base::Clock& clock) {
  return fmt::format("{:.6g} ns ({:.10g} MHz)", clock.period_s() * 1e9, clock.hertz() * 1e-6);
}

}  // namespace diffram::session

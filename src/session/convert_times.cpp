#include "session/convert_times.h"

#include <limits>

namespace diffram::session {

TimeScale::TimeScale(std::optional<base::Clock> from, std::optional<base::Clock> to)
    : keeps_(!from || !to || *from == *to) {
  if (keeps_) return;
  const auto wide = [](std::int64_t number) { return static_cast<Wide>(number); };
  top_ = wide(from->numerator_fs()) * wide(to->denominator());
  bottom_ = wide(from->denominator()) * wide(to->numerator_fs());
  Wide common = top_;  // Euclid's greatest common divisor
  for (Wide rest = bottom_; rest != 0;) {
    const Wide next = common % rest;
    common = rest;
    rest = next;
  }
  top_ /= common;
  bottom_ /= common;
}

bool TimeScale::apply(std::span<trace::TraceRequest> requests) {
  if (keeps_) return true;
  constexpr Wide kMost = std::numeric_limits<std::uint64_t>::max();
  constexpr Wide kWidest = ~Wide{0} >> 1;
  for (trace::TraceRequest& request : requests) {
    if (request.cycle != 0 && top_ > kWidest / request.cycle) return false;
    const Wide product = top_ * request.cycle;
    const Wide scaled = product / bottom_ + (product % bottom_ != 0 ? 1 : 0);
    if (scaled > kMost) return false;
    if (product % bottom_ != 0) ++rounded_;
    request.cycle = static_cast<std::uint64_t>(scaled);
  }
  return true;
}

}  // namespace diffram::session

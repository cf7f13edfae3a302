#include "lower/placement/live_peak.h"

#include <fmt/format.h>

#include <string>

namespace diffram::lower {

namespace {

class LiveSet {
 public:
  explicit LiveSet(const trace::TensorTrace& trace)
      : trace_(trace), is_live_(trace.storages.size(), false) {}

  bool add(std::uint32_t storage) {
    is_live_[storage] = true;
    return !__builtin_add_overflow(bytes_, trace_.storages[storage].bytes, &bytes_);
  }
  void remove(std::uint32_t storage) {
    is_live_[storage] = false;
    bytes_ -= trace_.storages[storage].bytes;
  }
  std::int64_t bytes() const { return bytes_; }
  std::vector<std::uint32_t> storages() const {
    std::vector<std::uint32_t> storages;
    for (std::uint32_t storage = 0; storage < is_live_.size(); ++storage) {
      if (is_live_[storage]) storages.push_back(storage);
    }
    return storages;
  }

 private:
  const trace::TensorTrace& trace_;
  std::vector<bool> is_live_;
  std::int64_t bytes_ = 0;
};

/// Walks the program; `at(set, moment)` is asked at the start and after every allocation and may
/// stop the walk by returning false. False when the sum of bytes overflows.
template <class Visitor>
bool walk(const trace::TensorTrace& trace, Visitor at) {
  LiveSet live(trace);
  for (std::uint32_t storage = 0; storage < trace.storages.size(); ++storage) {
    if (trace.storages[storage].alive_at_start && !live.add(storage)) return false;
  }
  if (!at(live, Moment{})) return true;
  for (std::size_t step = 0; step < trace.steps.size(); ++step) {
    const auto& events = trace.steps[step].events;
    for (std::size_t event = 0; event < events.size(); ++event) {
      const auto kind = events[event].kind;
      if (kind == trace::EventKind::release) live.remove(events[event].index);
      if (kind != trace::EventKind::allocate) continue;
      if (!live.add(events[event].index)) return false;
      if (!at(live, Moment{step, event})) return true;
    }
  }
  return true;
}

}  // namespace

base::Result<LivePeak> live_peak(const trace::TensorTrace& trace) {
  LivePeak peak;
  peak.bytes = -1;
  const bool fits_64_bits = walk(trace, [&](const LiveSet& live, Moment moment) {
    if (live.bytes() <= peak.bytes) return true;
    peak.bytes = live.bytes();
    peak.moment = moment;
    return true;
  });
  if (!fits_64_bits) {
    return base::failure(base::Error{.code = "too_large",
                                     .message = "the live storages sum to more than 2^63 bytes",
                                     .file = trace.file,
                                     .line = 0,
                                     .field = {},
                                     .expected = {}});
  }
  walk(trace, [&](const LiveSet& live, Moment) {
    if (live.bytes() < peak.bytes) return true;
    peak.storages = live.storages();
    return false;
  });
  return peak;
}

std::string op_at(const trace::TensorTrace& trace, Moment moment) {
  if (moment.step >= trace.steps.size()) return {};
  const trace::Step& step = trace.steps[moment.step];
  if (step.ops.empty()) return {};
  std::size_t op = step.ops.size() - 1;
  for (std::size_t event = moment.event; event < step.events.size(); ++event) {
    if (step.events[event].kind != trace::EventKind::op) continue;
    op = step.events[event].index;
    break;
  }
  const trace::Op& found = step.ops[op];
  const std::string& function = trace.functions[found.function].name;
  if (found.module < 0 || trace.modules[static_cast<std::size_t>(found.module)].path.empty()) {
    return function;
  }
  return fmt::format("{}: {}", trace.modules[static_cast<std::size_t>(found.module)].path,
                     function);
}

}  // namespace diffram::lower

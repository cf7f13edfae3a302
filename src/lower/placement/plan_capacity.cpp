#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "lower/placement/live_peak.h"
#include "lower/placement/placement.h"
#include "lower/placement/playback.h"
#include "lower/placement/storage_book.h"

namespace diffram::lower {

namespace {

/// Tensors the report names.
constexpr std::size_t kLargestListed = 10;

std::string name_of_storage(const trace::TensorTrace& trace, std::uint32_t storage) {
  const trace::Storage& named = trace.storages[storage];
  std::string path;
  if (named.module >= 0) path = trace.modules[static_cast<std::size_t>(named.module)].path;
  if (!named.name.empty())
    return path.empty() ? named.name : fmt::format("{} {}", path, named.name);
  const char* of_class = trace::name_of(named.tensor_class);
  return path.empty() ? fmt::format("{} {}", of_class, storage)
                      : fmt::format("{} {} {}", path, of_class, storage);
}

void describe_peak(const trace::TensorTrace& trace, LivePeak peak, CapacityReport& report) {
  report.peak_live_bytes = peak.bytes;
  report.peak_op = op_at(trace, peak.moment);
  std::array<std::int64_t, trace::kTensorClassCount> by_class{};
  for (const std::uint32_t storage : peak.storages) {
    by_class[static_cast<std::size_t>(trace.storages[storage].tensor_class)] +=
        trace.storages[storage].bytes;
  }
  std::vector<std::size_t> classes;
  for (std::size_t c = 0; c < by_class.size(); ++c) {
    if (by_class[c] > 0) classes.push_back(c);
  }
  std::sort(classes.begin(), classes.end(), [&](std::size_t a, std::size_t b) {
    return by_class[a] != by_class[b] ? by_class[a] > by_class[b] : a < b;
  });
  for (const std::size_t c : classes) {
    report.live_by_class.emplace_back(trace::kTensorClassNames[c], by_class[c]);
  }
  std::sort(peak.storages.begin(), peak.storages.end(), [&](std::uint32_t a, std::uint32_t b) {
    const std::int64_t bytes_a = trace.storages[a].bytes, bytes_b = trace.storages[b].bytes;
    return bytes_a != bytes_b ? bytes_a > bytes_b : a < b;
  });
  peak.storages.resize(std::min(peak.storages.size(), kLargestListed));
  for (const std::uint32_t storage : peak.storages) {
    report.largest.emplace_back(name_of_storage(trace, storage), trace.storages[storage].bytes);
  }
}

/// Plays one program at many capacities.
class Trial {
 public:
  Trial(const trace::TensorTrace& trace, const std::string& allocator,
        const AllocatorOptions& options)
      : trace_(trace), name_(allocator), options_(options) {}

  struct Outcome {
    PlaybackResult played;
    std::optional<OutOfMemory> failure;
  };
  base::Result<Outcome> at(std::uint64_t capacity) const {
    auto allocator = make_allocator(name_, capacity, options_);
    if (!allocator) return tl::unexpected(allocator.error());
    auto played = play(trace_, **allocator);
    if (!played) return tl::unexpected(played.error());
    return Outcome{*played, (*allocator)->failure()};
  }
  base::Result<bool> fits(std::uint64_t capacity) const {
    const auto outcome = at(capacity);
    if (!outcome) return tl::unexpected(outcome.error());
    return !outcome->played.stopped_at.has_value();
  }

  /// A capacity that is enough, above `too_small`; `guess` is tried first.
  base::Result<std::uint64_t> enough(std::uint64_t too_small, std::uint64_t guess) const {
    std::uint64_t high = rounded_up(std::max(guess, too_small + 1), kDevicePageBytes);
    while (true) {
      const auto is_enough = fits(high);
      if (!is_enough) return tl::unexpected(is_enough.error());
      if (*is_enough || high >= kUnlimitedCapacity) break;
      too_small = high;
      high = std::min(2 * high, kUnlimitedCapacity);
    }
    std::uint64_t low = too_small / kDevicePageBytes;
    std::uint64_t found = high / kDevicePageBytes;
    while (found - low > 1) {
      const std::uint64_t middle = low + (found - low) / 2;
      const auto is_enough = fits(middle * kDevicePageBytes);
      if (!is_enough) return tl::unexpected(is_enough.error());
      (*is_enough ? found : low) = middle;
    }
    return found * kDevicePageBytes;
  }

 private:
  const trace::TensorTrace& trace_;
  const std::string& name_;
  const AllocatorOptions& options_;
};

}  // namespace

base::Result<CapacityPlan> plan_capacity(const trace::TensorTrace& trace,
                                         const std::string& allocator, std::uint64_t capacity_bytes,
                                         const AllocatorOptions& options) {
  auto peak = live_peak(trace);
  if (!peak) return tl::unexpected(peak.error());
  const Trial trial(trace, allocator, options);
  const auto given = trial.at(capacity_bytes);
  if (!given) return tl::unexpected(given.error());

  CapacityPlan plan;
  plan.report.capacity_bytes = static_cast<std::int64_t>(capacity_bytes);
  plan.report.peak_reserved_bytes = given->played.peak_reserved;
  describe_peak(trace, std::move(*peak), plan.report);
  const std::optional<Moment> stopped_at = given->played.stopped_at;
  if (!stopped_at) return plan;

  plan.report.fits = false;
  plan.failure = given->failure;
  plan.failing_op = op_at(trace, *stopped_at);
  if (plan.failure) {
    plan.report.failure = plan.failing_op.empty()
                              ? plan.failure->text()
                              : fmt::format("before {}: {}", plan.failing_op, plan.failure->text());
  }
  const auto unlimited = trial.at(kUnlimitedCapacity);
  if (!unlimited) return tl::unexpected(unlimited.error());
  plan.report.peak_reserved_bytes = unlimited->played.peak_reserved;
  if (unlimited->played.stopped_at) {
    plan.report.missing_bytes =
        plan.report.peak_live_bytes - static_cast<std::int64_t>(capacity_bytes);
    return plan;
  }
  const auto enough =
      trial.enough(capacity_bytes, static_cast<std::uint64_t>(unlimited->played.peak_reserved));
  if (!enough) return tl::unexpected(enough.error());
  plan.report.missing_bytes = static_cast<std::int64_t>(*enough - capacity_bytes);
  return plan;
}

}  // namespace diffram::lower

// The header line: version, what the tables will hold, and the batch that is asked for.

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>

#include "trace/tensor_reader/trace_builder.h"

namespace diffram::trace {

namespace {

constexpr std::int64_t kReaderMajorVersion = 1;
constexpr std::int64_t kLargest = std::numeric_limits<std::int64_t>::max();
/// Images in one batch; far above any, and slopes times batch rarely leave 64 bits.
constexpr std::int64_t kLargestBatch = 0x7FFFFFFF;

}  // namespace

void TraceBuilder::header(JsonLine& line) {
  const Json* version = line.list("v");
  std::int64_t major = 0;
  if (!version || version->empty() || !read_integer((*version)[0], major)) {
    return line.complain("bad_version", "is no version", "v", "[major, minor]");
  }
  if (major != kReaderMajorVersion) {
    return line.complain("unsupported_version", fmt::format("major version {}", major), "v",
                         fmt::format("{}; capture the program again", kReaderMajorVersion));
  }
  trace_.torch = line.text_or("torch", {});
  trace_.pretend = line.text_or("pretend", {});
  trace_.how = line.text_or("how", {});
  const auto promise = [&](const char* field, std::optional<std::int64_t>& promised) {
    if (line.find(field)) promised = line.integer(field, 0, kLargest);
  };
  promise("modules", promised_modules_);
  promise("fns", promised_functions_);
  promise("storages", promised_storages_);
  promise("ops", promised_ops_);
  promise("stored_steps", promised_stored_steps_);
  promise("steps", promised_steps_);
  choose_batch(line);
  part_ = Part::tables;
}

// The batch counts images; the network's own batch (twice that under guidance) is the fallback of
// traces that say nothing of images.
void TraceBuilder::choose_batch(JsonLine& line) {
  const std::int64_t network_batch = line.integer_or("batch", 0, 0, kLargestBatch);
  const std::int64_t recorded = line.integer_or("images", network_batch, 0, kLargestBatch);
  trace_.batch = wanted_batch_ > 0 ? wanted_batch_ : std::max<std::int64_t>(recorded, 1);
  const Json* affine = line.list("affine");
  if (!affine) {
    if (recorded > 0 && trace_.batch != recorded) {
      line.complain("wrong_batch", fmt::format("the trace holds batch {} only", recorded), "images",
                    fmt::format("batch {}, or a trace captured with parametric()", recorded));
    }
    return;
  }
  std::int64_t first = 0;
  if (affine->empty() || !read_integer((*affine)[0], first) || first < 1) {
    return line.complain("out_of_range", "is no list of batches", "affine", "[first, second]");
  }
  if (wanted_batch_ <= 0) trace_.batch = first;
  if (trace_.batch < first) {
    return line.complain("wrong_batch", fmt::format("the trace is affine from batch {} on", first),
                         "affine", fmt::format("a batch of at least {}", first));
  }
  slopes_ = BatchSlopes(trace_.batch - first);
}

}  // namespace diffram::trace

#include "session/trace_sample.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

namespace diffram::session {

namespace {

constexpr std::uint64_t kFarthest = std::uint64_t{1} << 62;  // cycles may be subtracted below it

constexpr std::uint64_t kMost = std::uint64_t{1} << 31;  // of N and LINES, so that products fit

/// Takes requests of another source by their position in the file.
class SampledSource final : public trace::RequestSource {
 public:
  SampledSource(std::unique_ptr<trace::RequestSource> whole, const TraceSample& sample,
                std::uint64_t requests)
      : whole_(std::move(whole)), sample_(sample), requests_(requests) {}

  base::Result<std::size_t> read(std::span<trace::TraceRequest> out) override {
    while (!is_over()) {
      auto count = whole_->read(out);
      if (!count || *count == 0) return count;
      std::size_t taken = 0;
      for (trace::TraceRequest& request : out.first(*count)) {
        if (takes(request)) out[taken++] = request;
      }
      if (taken > 0) return taken;
    }
    return 0;
  }
  trace::RequestTraceCounts counts() const override { return whole_->counts(); }
  trace::RequestTraceFacts facts() const override { return whole_->facts(); }

 private:
  bool is_over() const { return sample_.windows > 0 && window_ == sample_.windows; }
  /// Is the next request of the file in the sample? Its cycle becomes that of the sample.
  bool takes(trace::TraceRequest& request) {
    const std::uint64_t at = position_++;
    if (sample_.every > 0) return at % sample_.every == 0;
    if (is_over()) return false;
    const std::uint64_t begin = begin_of(window_);
    if (at < begin) return false;
    if (request.cycle > kFarthest) return true;  // the replay refuses it
    if (at == begin) shift_ = static_cast<std::int64_t>(request.cycle) - next_cycle_;
    if (at == begin + sample_.lines - 1) ++window_;
    const std::int64_t cycle =
        std::max<std::int64_t>(0, static_cast<std::int64_t>(request.cycle) - shift_);
    next_cycle_ = std::max(next_cycle_, cycle + 1);
    request.cycle = static_cast<std::uint64_t>(cycle);
    return true;
  }
  std::uint64_t begin_of(std::uint64_t window) const {
    const std::uint64_t whole = requests_ / sample_.windows, rest = requests_ % sample_.windows;
    return whole * window + rest * window / sample_.windows;
  }

  std::unique_ptr<trace::RequestSource> whole_;
  TraceSample sample_;
  std::uint64_t requests_;
  std::uint64_t position_ = 0, window_ = 0;
  std::int64_t shift_ = 0;       // of this window's cycles
  std::int64_t next_cycle_ = 0;  // after the last request given
};

base::Result<std::uint64_t> count_requests(trace::RequestSource& source) {
  std::array<trace::TraceRequest, 512> batch;
  std::uint64_t count = 0;
  while (true) {
    auto more = source.read(batch);
    if (!more) return tl::unexpected(more.error());
    if (*more == 0) return count;
    count += *more;
  }
}

bool read_count(std::string_view text, std::uint64_t& out) {
  const auto [stopped, problem] = std::from_chars(text.begin(), text.end(), out);
  return problem == std::errc() && stopped == text.end() && out > 0 && out <= kMost;
}

}  // namespace

base::Result<TraceSample> parse_sample(const std::string& text) {
  constexpr std::string_view kWindows = "windows:", kEvery = "every:";
  TraceSample sample;
  const std::string_view all = text;
  if (all.starts_with(kEvery) && read_count(all.substr(kEvery.size()), sample.every)) return sample;
  if (all.starts_with(kWindows)) {
    const std::string_view rest = all.substr(kWindows.size());
    const auto colon = rest.find(':');
    if (colon != std::string_view::npos && read_count(rest.substr(0, colon), sample.windows) &&
        read_count(rest.substr(colon + 1), sample.lines)) {
      return sample;
    }
  }
  return base::failure({.code = "bad_value",
                        .message = fmt::format("\"{}\" is no sample", text),
                        .file = "",
                        .line = 0,
                        .field = "--sample",
                        .expected = "windows:N:LINES, such as windows:10:1000, or every:N"});
}

base::Result<std::unique_ptr<trace::RequestSource>> open_sample(
    const std::string& file, const trace::RequestTraceOptions& options, const TraceSample& sample) {
  std::uint64_t requests = 0;
  if (sample.windows > 0) {
    auto first = trace::open_request_trace(file, options);
    if (!first) return first;
    auto counted = count_requests(**first);
    if (!counted) return tl::unexpected(counted.error());
    requests = *counted;
  }
  auto whole = trace::open_request_trace(file, options);
  // Stretches that would touch are the whole trace.
  if (!whole || (sample.windows > 0 && requests / sample.windows <= sample.lines)) return whole;
  return std::make_unique<SampledSource>(std::move(*whole), sample, requests);
}

base::Diagnostic note_of(const TraceSample& sample, std::uint64_t requests_taken) {
  if (sample.every > 0) {
    return {
        "thinned_trace", base::Severity::warning,
        fmt::format("Only each {}. request was replayed: requests to one row are torn apart, so "
                    "row hits, energy, bandwidth and power are not those of the trace",
                    sample.every),
        fmt::format("{} requests; --sample windows:N:LINES keeps neighbours together",
                    requests_taken)};
  }
  return {"sampled_trace", base::Severity::note,
          fmt::format("{} stretches of {} requests were replayed, one after the other without the "
                      "time between them; all figures are of these",
                      sample.windows, sample.lines),
          fmt::format("{} requests", requests_taken)};
}

}  // namespace diffram::session

#pragma once
// A part of a request trace instead of the whole: `replay --sample`.

#include <memory>
#include <optional>
#include <string>

#include "base/diagnostic.h"
#include "base/result.h"
#include "trace/request_trace.h"

namespace diffram::session {

/// windows:N:LINES or every:N.
struct TraceSample {
  std::uint64_t windows = 0, lines = 0;  ///< N stretches of so many requests, evenly spread
  std::uint64_t every = 0;               ///< or each N-th request alone
};

/// Errors: `bad_value`.
base::Result<TraceSample> parse_sample(const std::string& text);

/// The requests of `file` that the sample takes. Stretches follow each other without the time
/// between them: the whole file is read once before, to be counted, so a broken line is found even
/// where it would not be taken.
base::Result<std::unique_ptr<trace::RequestSource>> open_sample(
    const std::string& file, const trace::RequestTraceOptions& options, const TraceSample& sample);

/// What the result is of, and where it must not be trusted.
base::Diagnostic note_of(const TraceSample& sample, std::uint64_t requests_taken);

}  // namespace diffram::session

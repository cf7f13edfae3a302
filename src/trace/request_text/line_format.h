#pragma once
// What a format of text traces must tell: is this first line mine, what does a line say. Time that
// runs on from line to line, counts and threads are the business of TextSource.

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "trace/input/line_reader.h"
#include "trace/input/trace_error.h"
#include "trace/request_trace.h"

namespace diffram::trace {

/// What TextSource makes of the `cycle` of a line.
enum class LineTime : std::uint8_t {
  absolute,
  relative,  ///< after the request above
  none,      ///< the n-th request comes in cycle n
  bubbles    ///< instructions before this read; a write comes with the read above
};

/// Lines that were read in one pass.
struct UsualLines {
  const char* stopped = nullptr;
  std::size_t requests = 0;
  int lines = 0;
};

/// Where a line is, what is asked of it, and what is counted of it.
struct LineContext {
  const LineReader& at;
  const RequestTraceOptions& options;
  RequestTraceCounts& counts;

  tl::unexpected<base::Errors> refuse(const char* code, std::string message,
                                      std::string expected) const {
    return error_in(at.file(), at.number(), code, std::move(message), std::move(expected));
  }
};

/// A line holds two requests at most.
inline constexpr std::size_t kRequestsALine = 2;

class LineFormat {
 public:
  virtual ~LineFormat() = default;
  virtual RequestTraceFacts facts() const = 0;
  virtual LineTime time() const = 0;

  /// Requests of the lines from `at` on up to one that is not as nearly all are, to `end`, which is
  /// behind a line end, or until `out` may be full. Lines are numbered from 1. Any thread.
  virtual UsualLines read_usual(const char* at, const char* end,
                                std::span<TraceRequest> out) const = 0;
  /// Any line: how many requests it holds; 0 = it is blank or a remark. The long way: errors, words
  /// in mixed case, remarks.
  virtual base::Result<std::size_t> read_line(std::string_view line, LineContext context,
                                              std::span<TraceRequest, kRequestsALine> out) = 0;
};

struct LineFormatEntry {
  /// `line` is the first one with a word in it.
  bool (*recognises)(std::string_view line);
  std::unique_ptr<LineFormat> (*make)(const RequestTraceOptions& options);
  const char* line_form;  ///< "hexaddress op cycle" and an example, for messages
};

/// `read_usual` of a format with one request a line. `read_one` fills all but the line number and
/// gives where the next line begins, or null.
template <class ReadOne>
UsualLines read_usual_lines(const char* at, const char* end, std::span<TraceRequest> out,
                            ReadOne&& read_one) {
  UsualLines read{at, 0, 0};
  while (read.stopped != end && read.requests < out.size()) {
    TraceRequest& request = out[read.requests];
    const char* const next = read_one(read.stopped, request);
    if (next == nullptr) break;
    read.stopped = next;
    request.line = ++read.lines;
    ++read.requests;
  }
  return read;
}

}  // namespace diffram::trace

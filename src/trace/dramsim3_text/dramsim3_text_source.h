#pragma once
// DRAMsim3's trace text: "hexaddress op cycle" a line (dramsim3-behaviour.md 4.3). DRAMsim3 reads
// tokens and turns what it cannot parse into more reads; here a line is a line, and one that is not
// understood is an error with its number.

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "trace/input/byte_source.h"
#include "trace/input/line_reader.h"
#include "trace/request_trace.h"

namespace diffram::trace {

class Dramsim3TextSource : public RequestSource {
 public:
  Dramsim3TextSource(std::unique_ptr<ByteSource> bytes, std::string file,
                     const RequestTraceOptions& options)
      : lines_(std::move(bytes), std::move(file)), options_(options) {}

  base::Result<std::size_t> read(std::span<TraceRequest> out) override;
  RequestTraceCounts counts() const override { return counts_; }

 private:
  /// False: the file ended.
  base::Result<bool> next(TraceRequest& out);
  base::Result<bool> read_line(std::string_view line, TraceRequest& out);
  void note(const TraceRequest& request);
  base::Result<base::Direction> direction_of(std::string_view word);

  LineReader lines_;
  RequestTraceOptions options_;
  RequestTraceCounts counts_;
  std::uint64_t last_cycle_ = 0;
  base::Errors errors_;  ///< met after requests that were given first
};

}  // namespace diffram::trace

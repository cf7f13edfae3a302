#pragma once
// A text trace of any format: lines in, requests with cycles out. Lines as nearly all are, are read
// in one pass; any other one takes the long way. Parts of the text that follows can be read ahead
// on other threads: a line means the same wherever it is read.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "trace/request_text/line_format.h"

namespace diffram::trace {

class TextSource final : public RequestSource {
 public:
  TextSource(LineReader lines, std::unique_ptr<LineFormat> format,
             const RequestTraceOptions& options)
      : lines_(std::move(lines)), format_(std::move(format)), options_(options) {}

  base::Result<std::size_t> read(std::span<TraceRequest> out) override;
  std::size_t prepare_ahead(std::size_t most) override;
  void read_ahead(std::size_t part) override;
  RequestTraceCounts counts() const override { return counts_; }
  RequestTraceFacts facts() const override { return format_->facts(); }

 private:
  /// Whole lines that are, or will be, read ahead of `read`.
  struct Part {
    std::uint64_t begin = 0;  ///< offset in the unpacked file
    const char* text = nullptr;
    std::size_t bytes = 0;
    std::vector<TraceRequest> requests;  ///< of the first `read.requests` places
    UsualLines read;
    std::size_t given = 0;
  };

  std::size_t read_here(std::span<TraceRequest> out);
  std::size_t give_from(Part& part, std::span<TraceRequest> out);
  base::Result<bool> read_long_way(std::span<TraceRequest> out, std::size_t& count);
  void settle(std::span<TraceRequest> requests);
  void drop_parts_before(std::uint64_t offset);
  template <LineTime kTime>
  void settle_as(std::span<TraceRequest> requests);

  LineReader lines_;
  std::unique_ptr<LineFormat> format_;
  RequestTraceOptions options_;
  RequestTraceCounts counts_;
  std::vector<Part> parts_;                ///< in the order of the file
  std::size_t first_part_ = 0, ends_ = 0;  ///< of those that are not given out
  std::size_t first_ahead_ = 0;            ///< of those that `prepare_ahead` counted
  std::uint64_t last_cycle_ = 0;           ///< of the request above
  std::uint64_t next_cycle_ = 0;           ///< of the next read, where the file has no cycles
  TraceRequest held_;                      ///< the second of a line whose first filled `out`
  bool holds_one_ = false;
  base::Errors errors_;  ///< met after requests that were given first
};

}  // namespace diffram::trace

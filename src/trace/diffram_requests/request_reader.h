#pragma once
// Reads our binary trace, block by block.

#include <memory>
#include <string>

#include "trace/diffram_requests/byte_window.h"
#include "trace/request_trace.h"

namespace diffram::trace {

class DifframRequests final : public RequestSource {
 public:
  /// Reads the header. Errors: `unknown_version`, `truncated`, `corrupt`.
  static base::Result<std::unique_ptr<RequestSource>> open(std::unique_ptr<ByteWindow> bytes,
                                                           const std::string& file);

  base::Result<std::size_t> read(std::span<TraceRequest> out) override;
  RequestTraceCounts counts() const override { return counts_; }
  RequestTraceFacts facts() const override { return facts_; }

 private:
  DifframRequests(std::unique_ptr<ByteWindow> bytes, std::string file)
      : bytes_(std::move(bytes)), file_(std::move(file)) {}
  base::Result<void> read_header();
  /// False: the file has ended as it should.
  base::Result<bool> begin_block();
  base::Result<std::size_t> read_records(std::span<TraceRequest> out);
  tl::unexpected<base::Errors> refuse(const char* code, std::string message,
                                      std::string expected = {}) const;

  std::unique_ptr<ByteWindow> bytes_;
  std::string file_;
  RequestTraceFacts facts_;
  RequestTraceCounts counts_;
  const char *at_ = nullptr, *end_ = nullptr;  ///< of the block's payload
  std::size_t block_bytes_ = 0;                ///< header and payload; passed when they are read
  std::uint32_t left_ = 0;                     ///< requests of the block
  std::uint32_t shift_ = 0;
  std::uint64_t blocks_ = 0;
  std::uint64_t cycle_ = 0, address_ = 0, last_cycle_ = 0;
  std::uint32_t request_bytes_ = 0;
  bool at_end_ = false;
  base::Errors errors_;  ///< met after requests that were given first
};

}  // namespace diffram::trace

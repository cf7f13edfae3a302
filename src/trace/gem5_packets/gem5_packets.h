#pragma once
// gem5's packet traces of today: "gem5", then messages of protocol buffers, each behind its length
// as a varint. The first is a PacketHeader, the others Packets (src/proto/packet.proto of gem5/gem5
// at 0cf61bf). Commands are numbers of gem5's MemCmd: 1 ReadReq, 4 WriteReq
// (util/decode_packet_trace.py).

#include <memory>
#include <string>
#include <vector>

#include "trace/input/byte_source.h"
#include "trace/request_trace.h"

namespace diffram::trace {

class Gem5Packets final : public RequestSource {
 public:
  /// Reads the header.
  static base::Result<std::unique_ptr<RequestSource>> open(std::unique_ptr<ByteSource> bytes,
                                                           const std::string& file,
                                                           const RequestTraceOptions& options);

  base::Result<std::size_t> read(std::span<TraceRequest> out) override;
  RequestTraceCounts counts() const override { return counts_; }
  RequestTraceFacts facts() const override {
    return {.format = "gem5", .arrivals = Arrivals::cycles, .clock = clock_, .address_base = 10};
  }

 private:
  Gem5Packets(std::unique_ptr<ByteSource> bytes, std::string file,
              const RequestTraceOptions& options);
  base::Result<void> read_header();
  /// The bytes of the next message; false at the end of the file.
  base::Result<bool> next_message(std::string_view& message);
  /// Have `bytes` in memory; false if the file has fewer.
  base::Result<bool> hold(std::size_t bytes);
  base::Result<void> read_packet(std::string_view message, TraceRequest& out);
  tl::unexpected<base::Errors> refuse(const char* code, std::string message,
                                      std::string expected = {}) const;

  std::unique_ptr<ByteSource> bytes_;
  std::string file_;
  RequestTraceOptions options_;
  RequestTraceCounts counts_;
  base::Clock clock_;
  std::vector<char> buffer_;
  std::size_t begin_ = 0, end_ = 0;
  std::uint64_t packets_ = 0;
  std::uint64_t last_cycle_ = 0;
  base::Errors errors_;  ///< met after requests that were given first
};

}  // namespace diffram::trace

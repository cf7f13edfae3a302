#pragma once
// Our binary trace out, block by block (block_format.h).

#include <vector>

#include "trace/diffram_requests/block_format.h"
#include "trace/request_encoder.h"

namespace diffram::trace {

class RequestBlocks final : public RequestEncoder {
 public:
  void begin(const RequestTraceFacts& facts, std::string& out) override;
  void encode(std::span<const TraceRequest> requests, std::string& out) override;
  void end(std::string& out) override;

 private:
  void flush(std::string& out);

  std::vector<TraceRequest> block_;
  std::string payload_;
};

}  // namespace diffram::trace

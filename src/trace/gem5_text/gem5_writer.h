#pragma once
// "r,64,64,4000": the four fields that every reader of gem5's text knows.

#include "trace/request_encoder.h"

namespace diffram::trace {

class Gem5Writer final : public RequestEncoder {
 public:
  void encode(std::span<const TraceRequest> requests, std::string& out) override;
};

}  // namespace diffram::trace

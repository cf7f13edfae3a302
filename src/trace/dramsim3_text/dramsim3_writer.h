#pragma once
// "0x1F40 READ 12": words that DRAMsim3 itself understands.

#include "trace/request_encoder.h"

namespace diffram::trace {

class Dramsim3Writer final : public RequestEncoder {
 public:
  void encode(std::span<const TraceRequest> requests, std::string& out) override;
};

}  // namespace diffram::trace

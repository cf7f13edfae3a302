#pragma once
// DRAMSys's .stl and .rstl: "12:<tab>(64) read<tab>0x1f40"; the length only where there is one.

#include "trace/request_encoder.h"

namespace diffram::trace {

class StlWriter final : public RequestEncoder {
 public:
  void encode(std::span<const TraceRequest> requests, std::string& out) override;
};

/// A cycle that goes back is written as 0 after the one above.
class RelativeStlWriter final : public RequestEncoder {
 public:
  void encode(std::span<const TraceRequest> requests, std::string& out) override;

 private:
  std::uint64_t last_cycle_ = 0;
};

}  // namespace diffram::trace

#pragma once
// gem5's packet traces of today, ticks of a picosecond; see gem5_packets.h.

#include "trace/request_encoder.h"

namespace diffram::trace {

class PacketWriter final : public RequestEncoder {
 public:
  void begin(const RequestTraceFacts& facts, std::string& out) override;
  void encode(std::span<const TraceRequest> requests, std::string& out) override;

 private:
  std::string message_;
};

}  // namespace diffram::trace

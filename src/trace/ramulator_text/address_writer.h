#pragma once
// Ramulator's traces of addresses: "0x1F40 R" (Ramulator 1) and "LD 0x1F40" (Ramulator 2).

#include "trace/request_encoder.h"

namespace diffram::trace {

class Ramulator1Writer final : public RequestEncoder {
 public:
  void encode(std::span<const TraceRequest> requests, std::string& out) override;
};

class Ramulator2Writer final : public RequestEncoder {
 public:
  void encode(std::span<const TraceRequest> requests, std::string& out) override;
};

}  // namespace diffram::trace

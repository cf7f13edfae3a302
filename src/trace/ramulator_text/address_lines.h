#pragma once
// Ramulator's traces of addresses, without times: Ramulator 1's "address R|W" (src/Processor.cpp of
// CMU-SAFARI/ramulator, get_dramtrace_request: base 16) and Ramulator 2's "LD|ST address"
// (src/frontend/impl/memory_trace/loadstore_trace.cpp of CMU-SAFARI/ramulator2 at 2b9b3aed:
// decimal, or hexadecimal with 0x). Both send a request a cycle at most.

#include <memory>

#include "trace/request_text/line_format.h"

namespace diffram::trace {

class Ramulator1Line final : public LineFormat {
 public:
  static bool recognises(std::string_view line);
  static std::unique_ptr<LineFormat> make(const RequestTraceOptions& /*options*/) {
    return std::make_unique<Ramulator1Line>();
  }
  static constexpr const char* kLineForm = "\"hexaddress R|W\", such as \"0x1F40 R\" (Ramulator 1)";

  RequestTraceFacts facts() const override {
    return {.format = "Ramulator 1", .arrivals = Arrivals::order};
  }
  LineTime time() const override { return LineTime::none; }
  UsualLines read_usual(const char* at, const char* end,
                        std::span<TraceRequest> out) const override;
  base::Result<std::size_t> read_line(std::string_view line, LineContext context,
                                      std::span<TraceRequest, kRequestsALine> out) override;
};

class Ramulator2Line final : public LineFormat {
 public:
  static bool recognises(std::string_view line);
  static std::unique_ptr<LineFormat> make(const RequestTraceOptions& /*options*/) {
    return std::make_unique<Ramulator2Line>();
  }
  static constexpr const char* kLineForm = "\"LD|ST address\", such as \"LD 0x1F40\" (Ramulator 2)";

  RequestTraceFacts facts() const override {
    return {.format = "Ramulator 2", .arrivals = Arrivals::order, .clock = {}, .address_base = 10};
  }
  LineTime time() const override { return LineTime::none; }
  UsualLines read_usual(const char* at, const char* end,
                        std::span<TraceRequest> out) const override;
  base::Result<std::size_t> read_line(std::string_view line, LineContext context,
                                      std::span<TraceRequest, kRequestsALine> out) override;
};

}  // namespace diffram::trace

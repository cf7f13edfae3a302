#pragma once
// Ramulator's CPU traces: "bubbles read-address [write-address]" a line, decimal or 0x (src/
// Processor.cpp of CMU-SAFARI/ramulator, get_filtered_request; simpleO3/trace.cpp of
// CMU-SAFARI/ramulator2 at 2b9b3aed). Bubbles are instructions that touch no memory; the write is
// the line that the read evicts. A core would decide when each comes; here an instruction is a
// cycle.

#include <memory>

#include "trace/request_text/line_format.h"

namespace diffram::trace {

class RamulatorCpuLine final : public LineFormat {
 public:
  static bool recognises(std::string_view line);
  static std::unique_ptr<LineFormat> make(const RequestTraceOptions& /*options*/) {
    return std::make_unique<RamulatorCpuLine>();
  }
  static constexpr const char* kLineForm =
      "\"bubbles read-address [write-address]\", such as \"3 20734016\" (Ramulator, CPU)";

  RequestTraceFacts facts() const override {
    return {.format = "Ramulator CPU",
            .arrivals = Arrivals::instructions,
            .clock = {},
            .address_base = 10};
  }
  LineTime time() const override { return LineTime::bubbles; }
  UsualLines read_usual(const char* at, const char* end,
                        std::span<TraceRequest> out) const override;
  base::Result<std::size_t> read_line(std::string_view line, LineContext context,
                                      std::span<TraceRequest, kRequestsALine> out) override;
};

}  // namespace diffram::trace

#pragma once
// DRAMsim3's trace text: "hexaddress op cycle" a line (dramsim3-behaviour.md 4.3). DRAMsim3 reads
// tokens and turns what it cannot parse into more reads; here a line is a line, and one that is not
// understood is an error with its number.

#include <memory>

#include "trace/request_text/line_format.h"

namespace diffram::trace {

class Dramsim3Line final : public LineFormat {
 public:
  static bool recognises(std::string_view line);
  static std::unique_ptr<LineFormat> make(const RequestTraceOptions& /*options*/) {
    return std::make_unique<Dramsim3Line>();
  }
  static constexpr const char* kLineForm =
      "\"hexaddress op cycle\", such as \"0x1F40 READ 12\" (DRAMsim3)";

  RequestTraceFacts facts() const override { return {.format = "DRAMsim3"}; }
  LineTime time() const override { return LineTime::absolute; }
  UsualLines read_usual(const char* at, const char* end,
                        std::span<TraceRequest> out) const override;
  base::Result<std::size_t> read_line(std::string_view line, LineContext context,
                                      std::span<TraceRequest, kRequestsALine> out) override;
};

}  // namespace diffram::trace

#pragma once
// gem5's packet traces as text: "[id,]r|w,address,bytes[,flags],tick[,pc]", all decimal. Four
// fields are what gem5 itself read until 2013 (tests/quick/se/70.tgen); the others are what
// util/decode_packet_trace.py of gem5/gem5 at 03222cc writes, u for any command but ReadReq and
// WriteReq. A tick is a picosecond, as in every gem5 that has not been told otherwise.

#include <memory>

#include "trace/request_text/line_format.h"

namespace diffram::trace {

class Gem5Line final : public LineFormat {
 public:
  static bool recognises(std::string_view line);
  static std::unique_ptr<LineFormat> make(const RequestTraceOptions& /*options*/) {
    return std::make_unique<Gem5Line>();
  }
  static constexpr const char* kLineForm =
      "\"r|w,address,bytes,tick\", such as \"r,64,64,4000\" (gem5)";

  RequestTraceFacts facts() const override {
    constexpr base::Clock kPicosecond(1000, 1);
    return {.format = "gem5 text",
            .arrivals = Arrivals::cycles,
            .clock = kPicosecond,
            .address_base = 10};
  }
  LineTime time() const override { return LineTime::absolute; }
  UsualLines read_usual(const char* at, const char* end,
                        std::span<TraceRequest> out) const override;
  base::Result<std::size_t> read_line(std::string_view line, LineContext context,
                                      std::span<TraceRequest, kRequestsALine> out) override;
};

}  // namespace diffram::trace

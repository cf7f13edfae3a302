#pragma once
// DRAMSys's .stl and .rstl: "cycle: [(bytes)] read|write hexaddress [data]" a line. Read in
// src/simulator/simulator/player/StlPlayer.cpp of tukl-msd/DRAMSys at 8e021ead: cycles of the
// player's clock (clkMhz), in .rstl after the request above; # begins a remark; the data is
// that of a write, and is used only when DRAMSys keeps the memory's contents.

#include <memory>

#include "trace/request_text/line_format.h"

namespace diffram::trace {

class StlLine final : public LineFormat {
 public:
  explicit StlLine(LineTime time) : time_(time) {}
  static bool recognises(std::string_view line);
  static std::unique_ptr<LineFormat> make(const RequestTraceOptions& options) {
    return std::make_unique<StlLine>(options.relative_times ? LineTime::relative
                                                            : LineTime::absolute);
  }
  static constexpr const char* kLineForm =
      "\"cycle: [(bytes)] read|write hexaddress [data]\", such as \"12: read 0x1F40\" (DRAMSys)";

  RequestTraceFacts facts() const override {
    return {.format = time_ == LineTime::relative ? "DRAMSys relative" : "DRAMSys"};
  }
  LineTime time() const override { return time_; }
  UsualLines read_usual(const char* at, const char* end,
                        std::span<TraceRequest> out) const override;
  base::Result<std::size_t> read_line(std::string_view line, LineContext context,
                                      std::span<TraceRequest, kRequestsALine> out) override;

 private:
  LineTime time_;
};

}  // namespace diffram::trace

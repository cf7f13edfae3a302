#pragma once
// Ramulator 2's "R|W v1,v2,…" (src/frontend/impl/memory_trace/readwrite_trace.cpp of
// CMU-SAFARI/ramulator2): a place for each level of the device, outermost first, decimal, and no
// time. Ramulator 2 takes any number of values; here each line is held against the memory.

#include <memory>

#include "trace/request_text/line_format.h"

namespace diffram::trace {

class RamulatorPlaceLine final : public LineFormat {
 public:
  explicit RamulatorPlaceLine(const PlaceMap* places) : places_(places) {}
  static bool recognises(std::string_view line);
  static std::unique_ptr<LineFormat> make(const RequestTraceOptions& options) {
    return std::make_unique<RamulatorPlaceLine>(options.places);
  }
  static constexpr const char* kLineForm =
      "\"R|W channel,rank,bankgroup,bank,row,column\" (Ramulator 2)";

  RequestTraceFacts facts() const override {
    return {.format = "Ramulator 2 places", .arrivals = Arrivals::order};
  }
  LineTime time() const override { return LineTime::none; }
  /// Every line takes the long way: a place is checked level by level.
  UsualLines read_usual(const char* at, const char* /*end*/,
                        std::span<TraceRequest> /*out*/) const override {
    return {at, 0, 0};
  }
  base::Result<std::size_t> read_line(std::string_view line, LineContext context,
                                      std::span<TraceRequest, kRequestsALine> out) override;

 private:
  base::Result<LevelNumbers> read_place(std::string_view values, LineContext context) const;

  const PlaceMap* places_;
};

}  // namespace diffram::trace

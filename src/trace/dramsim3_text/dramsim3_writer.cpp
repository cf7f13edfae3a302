#include "trace/dramsim3_text/dramsim3_writer.h"

#include <fmt/format.h>

#include <iterator>

namespace diffram::trace {

void Dramsim3Writer::encode(std::span<const TraceRequest> requests, std::string& out) {
  for (const TraceRequest& request : requests) {
    const bool writes = request.direction == base::Direction::write;
    fmt::format_to(std::back_inserter(out), "{:#x} {} {}\n", request.address,
                   writes ? "WRITE" : "READ", request.cycle);
  }
}

}  // namespace diffram::trace

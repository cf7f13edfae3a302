#include "trace/gem5_text/gem5_writer.h"

#include <fmt/format.h>

#include <iterator>

namespace diffram::trace {

void Gem5Writer::encode(std::span<const TraceRequest> requests, std::string& out) {
  for (const TraceRequest& request : requests) {
    const bool writes = request.direction == base::Direction::write;
    fmt::format_to(std::back_inserter(out), "{},{},{},{}\n", writes ? 'w' : 'r', request.address,
                   request.bytes, request.cycle);
  }
}

}  // namespace diffram::trace

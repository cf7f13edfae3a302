#include "trace/ramulator_text/address_writer.h"

#include <fmt/format.h>

#include <iterator>

namespace diffram::trace {

void Ramulator1Writer::encode(std::span<const TraceRequest> requests, std::string& out) {
  for (const TraceRequest& request : requests) {
    const bool writes = request.direction == base::Direction::write;
    fmt::format_to(std::back_inserter(out), "{:#x} {}\n", request.address, writes ? 'W' : 'R');
  }
}

void Ramulator2Writer::encode(std::span<const TraceRequest> requests, std::string& out) {
  for (const TraceRequest& request : requests) {
    const bool writes = request.direction == base::Direction::write;
    fmt::format_to(std::back_inserter(out), "{} {:#x}\n", writes ? "ST" : "LD", request.address);
  }
}

}  // namespace diffram::trace

#include "trace/dramsys_text/stl_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace diffram::trace {

namespace {

void write_line(const TraceRequest& request, std::uint64_t cycle, std::string& out) {
  const auto end = std::back_inserter(out);
  const bool writes = request.direction == base::Direction::write;
  fmt::format_to(end, "{}:\t", cycle);
  if (request.bytes > 0) fmt::format_to(end, "({}) ", request.bytes);
  fmt::format_to(end, "{}\t{:#x}\n", writes ? "write" : "read", request.address);
}

}  // namespace

void StlWriter::encode(std::span<const TraceRequest> requests, std::string& out) {
  for (const TraceRequest& request : requests) write_line(request, request.cycle, out);
}

void RelativeStlWriter::encode(std::span<const TraceRequest> requests, std::string& out) {
  for (const TraceRequest& request : requests) {
    const std::uint64_t cycle = std::max(request.cycle, last_cycle_);
    write_line(request, cycle - last_cycle_, out);
    last_cycle_ = cycle;
  }
}

}  // namespace diffram::trace

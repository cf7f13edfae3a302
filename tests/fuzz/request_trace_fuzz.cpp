// Any bytes: the reader of request traces, whatever the format, gives requests, then ends or says
// what is wrong; read ahead on other threads or not, it gives the same.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "trace/request_trace.h"

namespace {

using namespace diffram;

const trace::PlaceMap& places() {
  static const trace::PlaceMap map{{2, 2, 4, 4, 1 << 16, 128},
                                   [](const trace::LevelNumbers& place) {
                                     std::uint64_t address = 0;
                                     for (const auto number : place)
                                       address = address << 8 ^ number;
                                     return address;
                                   }};
  return map;
}

struct Whole {
  std::vector<trace::TraceRequest> requests;
  trace::RequestTraceCounts counts;
  std::string error;
};

Whole read(std::string_view bytes, const trace::RequestTraceOptions& options, std::size_t batch,
           std::size_t parts) {
  Whole whole;
  auto source = trace::open_request_memory(bytes, "fuzz", options);
  const auto keep = [&whole](const base::Errors& errors) {
    if (errors.empty() || errors.front().code.empty()) std::abort();
    whole.error = errors.front().text();
  };
  if (!source) {
    keep(source.error());
    return whole;
  }
  std::vector<trace::TraceRequest> requests(batch);
  while (true) {
    if (parts > 0) {
      const std::size_t ahead = (*source)->prepare_ahead(parts);
      for (std::size_t part = 0; part < ahead; ++part) (*source)->read_ahead(part);
    }
    const auto count = (*source)->read(requests);
    if (!count) keep(count.error());
    if (!count || *count == 0) break;
    whole.requests.insert(whole.requests.end(), requests.begin(),
                          requests.begin() + static_cast<std::ptrdiff_t>(*count));
  }
  whole.counts = (*source)->counts();
  if (whole.counts.reads + whole.counts.writes < whole.requests.size()) std::abort();
  return whole;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  for (const bool lenient : {false, true}) {
    trace::RequestTraceOptions options;
    options.lenient = lenient;
    options.relative_times = size % 2 == 1;
    options.places = &places();
    const Whole one = read(bytes, options, 1, 0);
    const Whole many = read(bytes, options, 64, 3);
    if (one.requests != many.requests || one.error != many.error) std::abort();
  }
  return 0;
}

#pragma once
// Whole traces read for tests: in any batches, with or without other threads' help.

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "trace/request_trace.h"

namespace diffram::trace {

struct Reading {
  std::vector<TraceRequest> requests;
  RequestTraceCounts counts;
  RequestTraceFacts facts;
  base::Errors errors;

  std::string error_text() const { return errors.empty() ? "" : errors.front().text(); }
};

/// `batch` at a time; before each, `parts` parts are read ahead, the last one first.
inline Reading read_all(RequestSource& source, std::size_t batch, std::size_t parts = 0) {
  Reading reading;
  std::vector<TraceRequest> requests(batch);
  while (true) {
    if (parts > 0) {
      for (std::size_t left = source.prepare_ahead(parts); left > 0; --left)
        source.read_ahead(left - 1);
    }
    const auto count = source.read(requests);
    if (!count) reading.errors = count.error();
    if (!count || *count == 0) break;
    reading.requests.insert(reading.requests.end(), requests.begin(),
                            requests.begin() + static_cast<std::ptrdiff_t>(*count));
  }
  reading.counts = source.counts();
  reading.facts = source.facts();
  return reading;
}

inline Reading read_bytes_of(std::string_view bytes, const RequestTraceOptions& options = {},
                             std::size_t batch = 512, std::size_t parts = 0,
                             const std::string& name = "hand.trace") {
  auto source = open_request_memory(bytes, name, options);
  if (!source) return {.requests = {}, .counts = {}, .facts = {}, .errors = source.error()};
  return read_all(**source, batch, parts);
}

inline Reading read_file(const std::string& file, const RequestTraceOptions& options = {}) {
  auto source = open_request_trace(file, options);
  if (!source) return {.requests = {}, .counts = {}, .facts = {}, .errors = source.error()};
  constexpr std::size_t kBatch = 512;
  return read_all(**source, kBatch);
}

}  // namespace diffram::trace

#include "trace/request_trace.h"

#include "trace/dramsim3_text/dramsim3_text_source.h"

namespace diffram::trace {

base::Result<std::unique_ptr<RequestSource>> open_request_trace(
    const std::string& file, const RequestTraceOptions& options) {
  auto bytes = open_file(file);
  if (!bytes) return tl::unexpected(bytes.error());
  return std::make_unique<Dramsim3TextSource>(std::move(*bytes), file, options);
}

}  // namespace diffram::trace

#include "trace/tensor_reader/parse_tensor_trace.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <utility>

#include "trace/input/line_reader.h"
#include "trace/input/trace_error.h"
#include "trace/tensor_reader/trace_builder.h"

namespace diffram::trace {

namespace {

/// The largest captured program so far unpacks to 2 MB; a packed file that grows beyond this is an
/// attack on the memory or a mistake.
constexpr std::uint64_t kMostBytes = std::uint64_t{2} << 30;

tl::unexpected<base::Errors> cut_short(const LineReader& lines, const char* why) {
  return error_in(lines.file(), lines.number(), "truncated", why,
                  "a last line with \"e\":\"end\"; copy or capture it again");
}

tl::unexpected<base::Errors> not_json(const LineReader& lines, std::string_view line) {
  if (lines.line_end_is_missing() && lines.number() > 1) {
    return cut_short(lines, "the file stops in the middle of a line");
  }
  std::string why = "the line is no JSON";
  try {
    const Json object = Json::parse(line);
  } catch (const Json::exception& problem) {
    why = fmt::format("the line is no JSON: {}", problem.what());
  }
  return error_in(lines.file(), lines.number(), lines.number() == 1 ? "not_a_trace" : "bad_json",
                  std::move(why), "a tensor trace: one JSON object a line");
}

}  // namespace

base::Result<TensorTrace> parse_tensor_trace(std::unique_ptr<ByteSource> bytes,
                                             const std::string& name, std::int64_t batch) {
  LineReader lines(std::move(bytes), name);
  TraceBuilder builder(name, batch);
  std::string_view text;
  while (true) {
    auto more = lines.next(text);
    if (!more) return tl::unexpected(more.error());
    if (!*more) break;
    if (lines.bytes_read() > kMostBytes) {
      return error_in(name, lines.number(), "too_large", "the trace unpacks to more than 2 GiB");
    }
    if (text.empty()) continue;
    const Json object = Json::parse(text, nullptr, false);
    if (object.is_discarded()) return not_json(lines, text);
    JsonLine line(object, {name, lines.number()});
    if (object.is_object()) {
      builder.take(line);
    } else {
      line.complain("bad_json", "the line is no object", {}, "one JSON object a line");
    }
    if (!line.is_sound()) return tl::unexpected(std::move(line.errors()));
  }
  if (!builder.is_complete()) return cut_short(lines, "the file has no end line");
  return std::move(builder).finish();
}

base::Result<TensorTrace> parse_tensor_trace(std::string_view bytes, const std::string& name,
                                             std::int64_t batch) {
  auto source = open_memory(bytes, name);
  if (!source) return tl::unexpected(source.error());
  return parse_tensor_trace(std::move(*source), name, batch);
}

base::Result<TensorTrace> read_tensor_trace(const std::string& file, std::int64_t batch) {
  auto source = open_file(file);
  if (!source) return tl::unexpected(source.error());
  return parse_tensor_trace(std::move(*source), file, batch);
}

}  // namespace diffram::trace

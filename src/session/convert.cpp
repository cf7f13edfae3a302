// A request trace in another format, or a DRAMsim3 configuration as a memory file.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "base/diagnostic_json.h"
#include "session/convert_memory.h"
#include "session/convert_times.h"
#include "session/inputs.h"
#include "session/place_map.h"
#include "session/session.h"
#include "session/trace_clock.h"
#include "session/trace_notes.h"
#include "trace/output/packed_file.h"
#include "trace/request_encoder.h"

namespace diffram::session {

namespace {

using base::Severity;
using trace::RequestFormat;
using trace::WrittenTime;

constexpr std::size_t kBatch = 4096;
constexpr std::uint32_t kUsualBytes = 64;  // of a cache line: what gem5 asks for
constexpr base::Clock kPicosecond(1000, 1);

base::Error bad_format(const std::string& field, std::string message) {
  std::string names;
  for (const auto& format : trace::request_formats()) {
    names += fmt::format("{}{}{}{}", names.empty() ? "" : ", ", format.name,
                         *format.suffix != '\0' ? " " : "", format.suffix);
  }
  return {.code = "unknown_format",
          .message = std::move(message),
          .file = "",
          .line = 0,
          .field = field,
          .expected = std::move(names)};
}

base::Result<const RequestFormat*> format_of(const ConvertOptions& options) {
  std::vector<std::string> names;
  for (const auto& format : trace::request_formats()) {
    names.emplace_back(format.name);
    const bool is_named = options.format == format.name;
    const bool has_suffix = options.format.empty() && *format.suffix != '\0' &&
                            trace::unpacked_name(options.output).ends_with(format.suffix);
    if (is_named || has_suffix) return &format;
  }
  if (options.format.empty()) {
    return base::failure(bad_format(
        "OUT", fmt::format("the name \"{}\" says no format; --to FORMAT does", options.output)));
  }
  auto error =
      bad_format("--to", fmt::format("there is no format \"{}\" to write", options.format));
  if (const auto near = base::nearest(options.format, names); !near.empty()) error.expected = near;
  if (options.format.starts_with("ramulator-cpu"))
    error.expected += "; a CPU trace cannot hold a write without a read before it";
  return base::failure(std::move(error));
}

/// One conversion, from the open source to the committed file.
class Converter {
 public:
  Converter(const ConvertOptions& options, const RequestFormat& format,
            trace::RequestSource& source)
      : options_(options), format_(format), source_(source), facts_(source.facts()) {}

  base::Result<void> choose_clocks() {
    std::optional<base::Clock> asked;
    if (!options_.trace_clock_ns.empty()) {
      auto clock = parse_trace_clock(options_.trace_clock_ns);
      if (!clock) return tl::unexpected(clock.error());
      asked = *clock;
    }
    from_ = facts_.clock ? facts_.clock : asked;
    to_ = format_.time == WrittenTime::picoseconds ? std::optional(kPicosecond)
          : asked                                  ? asked
                                                   : from_;
    if (format_.time == WrittenTime::picoseconds && !from_) {
      return base::failure({.code = "needs_clock",
                            .message = fmt::format("{} traces have ticks of a picosecond, and this "
                                                   "one does not say how long its cycles are",
                                                   format_.name),
                            .file = options_.input,
                            .line = 0,
                            .field = "--trace-clock",
                            .expected = "nanoseconds a cycle, such as 0.625"});
    }
    return {};
  }

  /// The failure's exit code says whose fault it is.
  Outcome<void> run() {
    auto file = trace::create_packed_file(options_.output);
    if (!file) return not_finished(file.error());
    const auto encoder = format_.make();
    std::string text;
    trace::RequestTraceFacts facts = facts_;
    facts.clock = to_;
    encoder->begin(facts, text);
    TimeScale scale(from_, to_);
    std::vector<trace::TraceRequest> batch(kBatch);
    while (true) {
      if (options_.stop != nullptr && options_.stop->load(std::memory_order_relaxed))
        return tl::unexpected(interrupted(false));
      auto count = source_.read(batch);
      if (!count) return bad_input(count.error());
      if (*count == 0) break;
      const auto requests = std::span(batch).first(*count);
      if (!scale.apply(requests)) return bad_input({too_far_away()});
      if (format_.needs_bytes) add_bytes(requests);
      encoder->encode(requests, text);
      if (auto written = flush(**file, text); !written) return not_finished(written.error());
      if (options_.progress) options_.progress({"converting", -1, static_cast<double>(bytes_)});
    }
    encoder->end(text);
    if (auto written = flush(**file, text); !written) return not_finished(written.error());
    if (auto done = (*file)->commit(); !done) return not_finished(done.error());
    rounded_ = scale.rounded();
    return {};
  }

  std::vector<base::Diagnostic> diagnostics() const {
    std::vector<base::Diagnostic> notes;
    const auto counts = source_.counts();
    const auto lose = [&](const char* what, const std::string& evidence) {
      notes.push_back({"not_kept", Severity::warning,
                       fmt::format("{} cannot hold {}", format_.name, what), evidence});
    };
    const auto requests = [](std::uint64_t count) { return fmt::format("{} requests", count); };
    const bool has_times = facts_.arrivals != trace::Arrivals::order;
    const bool loses_times = has_times && format_.time == WrittenTime::none;
    if (loses_times) lose("times", requests(counts.reads + counts.writes));
    const bool names_no_clock =
        format_.time == WrittenTime::cycles || format_.time == WrittenTime::increments;
    if (to_ && names_no_clock) {
      lose("the clock of its cycles",
           fmt::format("replay it with --trace-clock {}", to_->period_s() * 1e9));
    }
    if (counts.with_bytes > 0 && !format_.holds_bytes)
      lose("the bytes of a request", requests(counts.with_bytes));
    if (counts.cycles_going_back > 0 && format_.time == WrittenTime::increments)
      lose("a cycle before the one above; it became the same", requests(counts.cycles_going_back));
    if (facts_.arrivals == trace::Arrivals::instructions && !loses_times &&
        format_.time != WrittenTime::any) {
      lose("that its times are a CPU's instructions", requests(counts.reads + counts.writes));
    }
    if (rounded_ > 0) {
      notes.push_back({"rounded_times", Severity::warning,
                       "Times between two cycles of the new clock were rounded up",
                       requests(rounded_)});
    }
    if (assumed_bytes_ > 0) {
      notes.push_back({"assumed_bytes", Severity::warning,
                       fmt::format("Requests that say no bytes were written with {}", kUsualBytes),
                       requests(assumed_bytes_)});
    }
    for (auto& note : notes_of_trace(source_)) {
      if (note.code == "unused_fields") {
        lose("more than operation, address, bytes and time", note.evidence);
      } else if (note.severity == Severity::warning) {
        notes.push_back(std::move(note));
      }
    }
    return notes;
  }

  std::uint64_t bytes() const { return bytes_; }

 private:
  base::Result<void> flush(trace::PackedFile& file, std::string& text) {
    auto written = file.append(text);
    bytes_ += text.size();
    text.clear();
    return written;
  }
  void add_bytes(std::span<trace::TraceRequest> requests) {
    for (trace::TraceRequest& request : requests) {
      if (request.bytes > 0) continue;
      request.bytes = kUsualBytes;
      ++assumed_bytes_;
    }
  }
  base::Error too_far_away() const {
    return {.code = "cycle_too_large",
            .message = "a time does not fit into 64 bits of the new clock",
            .file = options_.input,
            .line = 0,
            .field = "cycle",
            .expected = "a slower clock"};
  }

  const ConvertOptions& options_;
  const RequestFormat& format_;
  trace::RequestSource& source_;
  trace::RequestTraceFacts facts_;
  std::optional<base::Clock> from_, to_;
  std::uint64_t bytes_ = 0, rounded_ = 0, assumed_bytes_ = 0;
};

}  // namespace

Outcome<Conversion> convert(const ConvertOptions& options) {
  if (auto configuration = convert_configuration(options)) return std::move(*configuration);
  auto format = format_of(options);
  if (!format) return bad_input(format.error());
  trace::RequestTraceOptions reading;
  reading.lenient = options.lenient;
  trace::PlaceMap places;
  if (!options.memory.empty()) {
    auto memory = load_memory_as_set(options.memory, options.set);
    if (!memory) return bad_input(memory.error());
    places = place_map_of(*memory);
    reading.places = &places;
  }
  auto source = trace::open_request_trace(options.input, reading);
  if (!source) return bad_input(source.error());
  Converter converter(options, **format, **source);
  if (auto chosen = converter.choose_clocks(); !chosen) return bad_input(chosen.error());
  if (auto done = converter.run(); !done) return tl::unexpected(done.error());

  Conversion result;
  result.diagnostics = converter.diagnostics();
  const auto counts = (*source)->counts();
  const char* const from = (*source)->facts().format;
  if (!options.as_json) {
    result.text = fmt::format("{} ({}) → {} ({}): {} reads, {} writes, {} B unpacked\n",
                              file_name_of(options.input), from, file_name_of(options.output),
                              (*format)->name, counts.reads, counts.writes, converter.bytes());
    return result;
  }
  nlohmann::ordered_json json = {{"input", file_name_of(options.input)},
                                 {"input_format", from},
                                 {"output", file_name_of(options.output)},
                                 {"output_format", (*format)->name},
                                 {"requests", counts.reads + counts.writes},
                                 {"reads", counts.reads},
                                 {"writes", counts.writes},
                                 {"unknown_words", counts.unknown_words},
                                 {"bytes_unpacked", converter.bytes()},
                                 {"diagnostics", result.diagnostics}};
  result.text = json.dump(2) + "\n";
  return result;
}

}  // namespace diffram::session

// Which format a request trace has, seen from its first bytes.

#include <fmt/format.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <utility>

#include "trace/diffram_requests/block_format.h"
#include "trace/diffram_requests/request_reader.h"
#include "trace/dramsim3_text/dramsim3_line.h"
#include "trace/dramsys_text/stl_line.h"
#include "trace/gem5_packets/gem5_packets.h"
#include "trace/gem5_packets/packet_fields.h"
#include "trace/gem5_text/gem5_line.h"
#include "trace/input/words.h"
#include "trace/ramulator_text/address_lines.h"
#include "trace/ramulator_text/cpu_line.h"
#include "trace/ramulator_text/place_line.h"
#include "trace/request_text/text_source.h"
#include "trace/request_trace.h"

namespace diffram::trace {

namespace {

template <class Format>
constexpr LineFormatEntry entry_of() {
  return {Format::recognises, Format::make, Format::kLineForm};
}

// No line is recognised by two of them.
constexpr std::array kTextFormats = {entry_of<Dramsim3Line>(),    entry_of<StlLine>(),
                                     entry_of<Gem5Line>(),        entry_of<RamulatorPlaceLine>(),
                                     entry_of<Ramulator1Line>(),  entry_of<Ramulator2Line>(),
                                     entry_of<RamulatorCpuLine>()};

constexpr std::size_t kFirstLook = std::size_t{1} << 16;

struct FirstLine {
  std::string_view line;  ///< empty: the file has none with a word in it
  int number = 0;
};

/// The first line with a word in it, among what `lines` can hold; nothing is read of it.
FirstLine first_line_of(LineReader& lines) {
  for (std::size_t look = kFirstLook;; look *= 2) {
    lines.fetch(look);
    std::string_view text = lines.held();
    for (int number = 1; !text.empty(); ++number) {
      const auto line_end = text.find('\n');
      const bool is_whole = line_end != std::string_view::npos || lines.holds_the_end();
      const std::string_view line = text.substr(0, line_end);
      std::string_view words = line;
      if (is_whole && !next_word(words).empty()) return {line, number};
      text = line_end == std::string_view::npos ? std::string_view{} : text.substr(line_end + 1);
    }
    if (lines.holds_the_end() || look >= kLongestLine) return {};
  }
}

base::Errors no_request_trace(const std::string& file, const FirstLine& first) {
  std::string_view words = first.line;
  const std::string_view word = next_word(words);
  std::string message = fmt::format("\"{}\" begins no request trace", shown(first.line));
  std::string forms;
  for (const auto& format : kTextFormats) {
    forms += fmt::format("{}{}", forms.empty() ? "" : "; ", format.line_form);
  }
  if (word == "STATE")
    message += "; this is a state file of gem5's traffic generator: name the trace that it plays";
  if (word.starts_with('['))
    message += "; this looks like a configuration: `replay TRACE --dramsim3-config FILE`";
  return error_in(file, first.number, "not_a_request_trace", std::move(message), std::move(forms))
      .value();
}

base::Result<std::unique_ptr<RequestSource>> open_text(std::unique_ptr<ByteSource> bytes,
                                                       const std::string& file,
                                                       const RequestTraceOptions& options) {
  LineReader lines(std::move(bytes), file);
  const FirstLine first = first_line_of(lines);
  for (const auto& format : kTextFormats) {
    // A trace of no request is one of any format.
    if (!first.line.empty() && !format.recognises(first.line)) continue;
    return std::make_unique<TextSource>(std::move(lines), format.make(options), options);
  }
  return tl::unexpected(no_request_trace(file, first));
}

base::Result<std::unique_ptr<RequestSource>> open_bytes(std::unique_ptr<ByteSource> bytes,
                                                        const std::string& file,
                                                        RequestTraceOptions options) {
  options.relative_times = options.relative_times || file.find(".rstl") != std::string::npos;
  auto looked = look_at(std::move(bytes), blocks::kMagic.size());
  if (!looked) return tl::unexpected(looked.error());
  if (looked->start == blocks::kMagic)
    return DifframRequests::open(window_of(std::move(looked->bytes)), file);
  if (looked->start.starts_with(kGem5Magic))
    return Gem5Packets::open(std::move(looked->bytes), file, options);
  return open_text(std::move(looked->bytes), file, options);
}

bool is_plain_diffram(const std::string& file) {
  std::error_code problem;
  if (!std::filesystem::is_regular_file(file, problem)) return false;  // a pipe is read once
  std::ifstream stream(file, std::ios::binary);
  std::array<char, blocks::kMagic.size()> start{};
  stream.read(start.data(), start.size());
  return std::string_view(start.data(), static_cast<std::size_t>(stream.gcount())) ==
         blocks::kMagic;
}

}  // namespace

base::Result<std::unique_ptr<RequestSource>> open_request_trace(
    const std::string& file, const RequestTraceOptions& options) {
  auto bytes = open_file(file);
  if (!bytes) return tl::unexpected(bytes.error());
  if (is_plain_diffram(file)) {
    if (auto mapped = map_file(file)) return DifframRequests::open(std::move(mapped), file);
  }
  return open_bytes(std::move(*bytes), file, options);
}

base::Result<std::unique_ptr<RequestSource>> open_request_memory(
    std::string_view bytes, const std::string& name, const RequestTraceOptions& options) {
  auto source = open_memory(bytes, name);
  if (!source) return tl::unexpected(source.error());
  return open_bytes(std::move(*source), name, options);
}

}  // namespace diffram::trace

// A shipped workload: which stored trace serves the batch and options asked for.

#include <fmt/format.h>

#include <limits>

#include "spec/parse.h"
#include "spec/toml_section.h"

namespace diffram::spec {

namespace {

constexpr std::int64_t kMostImages = 1'000'000;

/// A trace of the workload, and the requests that it serves.
struct StoredTrace {
  std::string file;
  bool any_batch = false;   ///< images ">=2": an affine trace, instantiated at the batch asked for
  std::int64_t images = 1;  ///< the only batch it serves, or the first one
  bool checkpointing = false;

  bool serves(const WorkloadOptions& options) const {
    return options.checkpointing == checkpointing &&
           (any_batch ? options.images >= images : options.images == images);
  }
};

/// "1" serves one image, ">=2" two and more.
bool read_images(const std::string& text, StoredTrace& trace) {
  const std::string digits = text.starts_with(">=") ? text.substr(2) : text;
  if (digits.empty() || digits.size() > 6) return false;
  if (digits.find_first_not_of("0123456789") != std::string::npos) return false;
  trace.any_batch = text.starts_with(">=");
  trace.images = std::stoll(digits);
  return trace.images >= 1;
}

StoredTrace read_trace(Section& section, Reading& reading) {
  StoredTrace out;
  out.file = section.text("file").value_or("");
  const auto images = section.text("images").value_or("1");
  if (!read_images(images, out))
    reading.refuse("out_of_range", section.path_of("images"), 0,
                   fmt::format("\"{}\" is no number of images", images), "\"1\" or \">=2\"");
  out.checkpointing = section.flag("checkpointing", Need::optional).value_or(false);
  section.refuse_unknown_keys();
  if (out.file.find("..") != std::string::npos || out.file.starts_with('/'))
    reading.refuse("out_of_range", section.path_of("file"), 0,
                   "a workload's trace lies beside its file", "a plain file name");
  return out;
}

}  // namespace

base::Result<WorkloadSpec> parse_workload(const SourceText& source, const std::string& folder,
                                          const WorkloadOptions& options) {
  Reading reading;
  reading.file = source.file;
  const auto tree = parse_toml(source.text, reading);
  if (!tree) return base::failure(std::move(reading.errors));
  Section root(&*tree, "", reading, "");
  WorkloadSpec out;
  out.name = source.name();
  out.title = root.text("title", Need::optional).value_or(out.name);
  root.text("name", Need::optional);
  for (const char* key : {"description", "mode", "made_by", "made_with"}) {
    const auto line = root.text(key, Need::optional);
    if (line) out.text.push_back(fmt::format("{}: {}", key, *line));
  }
  // Guidance doubles the batch of the network, not the number of images.
  const auto per_image = root.whole("network_batch_per_image", 1, 64, Need::optional).value_or(1);
  out.text.push_back(fmt::format("network batch per image: {}", per_image));
  root.whole("default_images", 1, kMostImages, Need::optional);
  out.repeated_phase = root.text("repeated_phase", Need::optional).value_or("");
  out.default_steps = root.whole("default_steps", 0, 1'000'000, Need::optional).value_or(0);
  root.whole("least_steps", 0, 1'000'000, Need::optional);
  root.texts("model_settings", Need::optional);
  std::vector<StoredTrace> traces;
  for (auto& section : root.sections("trace")) traces.push_back(read_trace(section, reading));
  root.refuse_unknown_keys();
  if (traces.empty())
    reading.refuse("missing_key", "trace", 1, "the workload has no trace", "[[trace]]");
  if (options.images < 1 || options.images > kMostImages)
    reading.refuse("out_of_range", "images", 0, fmt::format("{} images", options.images),
                   fmt::format("1 to {}", kMostImages));
  if (!reading.errors.empty()) return base::failure(std::move(reading.errors));

  out.images = options.images;
  for (const auto& trace : traces) {
    if (!trace.serves(options)) continue;
    out.trace_file = folder + "/" + trace.file;
    out.trace_batch = trace.any_batch ? options.images : 0;
    return out;
  }
  reading.refuse("no_trace", "trace", 0,
                 fmt::format("no stored trace serves {} images {} checkpointing", options.images,
                             options.checkpointing ? "with" : "without"),
                 "another batch, or a capture of your own");
  return base::failure(std::move(reading.errors));
}

}  // namespace diffram::spec

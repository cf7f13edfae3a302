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
  std::int64_t batch_min = 1, batch_max = kMostImages;
  bool checkpointing = false;
  bool is_affine = false;  ///< instantiate it at the batch asked for

  bool serves(const WorkloadOptions& options, std::int64_t batch) const {
    return options.checkpointing == checkpointing && batch >= batch_min && batch <= batch_max;
  }
};

StoredTrace read_trace(Section& section, Reading& reading) {
  StoredTrace out;
  out.file = section.text("file").value_or("");
  out.batch_min = section.whole("batch_min", 1, kMostImages, Need::optional).value_or(1);
  out.batch_max = section.whole("batch_max", 1, kMostImages, Need::optional).value_or(kMostImages);
  out.checkpointing = section.flag("checkpointing", Need::optional).value_or(false);
  out.is_affine = section.flag("affine", Need::optional).value_or(false);
  section.refuse_unknown_keys();
  if (out.batch_max < out.batch_min)
    reading.refuse("inconsistent", section.path_of("batch_max"), 0, "no batch is served",
                   "batch_max >= batch_min");
  if (out.file.find("..") != std::string::npos || out.file.starts_with('/'))
    reading.refuse("out_of_range", section.path_of("file"), 0,
                   "a workload's trace lies beside its file", "a plain file name");
  return out;
}

std::string stem(const std::string& file) {
  const auto slash = file.find_last_of('/');
  const auto name = slash == std::string::npos ? file : file.substr(slash + 1);
  return name.substr(0, name.rfind(".toml"));
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
  out.name = stem(source.file);
  out.title = root.text("title", Need::optional).value_or(out.name);
  out.text = root.texts("text", Need::optional);
  // Guidance doubles the batch of the network, not the number of images.
  const auto batch_per_image = root.whole("batch_per_image", 1, 64, Need::optional).value_or(1);
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
    if (!trace.serves(options, options.images)) continue;
    out.trace_file = folder + "/" + trace.file;
    out.trace_batch = trace.is_affine ? options.images * batch_per_image : 0;
    return out;
  }
  reading.refuse("no_trace", "trace", 0,
                 fmt::format("no stored trace serves {} images {} checkpointing", options.images,
                             options.checkpointing ? "with" : "without"),
                 "another batch, or a capture of your own");
  return base::failure(std::move(reading.errors));
}

}  // namespace diffram::spec

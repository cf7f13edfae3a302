#include "session/convert_memory.h"

#include <fmt/format.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "base/diagnostic_json.h"
#include "base/whole_file.h"
#include "session/inputs.h"
#include "spec/dramsim3_memory.h"

namespace diffram::session {

namespace {

constexpr std::streamsize kStart = 4096;  // of the file, to see what it is
constexpr const char* kFormat = "memory";

bool is_configuration(const std::string& path) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) return false;
  std::ifstream file(path, std::ios::binary);
  std::string start(kStart, '\0');
  file.read(start.data(), kStart);
  start.resize(static_cast<std::size_t>(file.gcount()));
  return spec::looks_like_dramsim3_config(start);
}

base::Result<void> check_options(const ConvertOptions& options) {
  base::Errors errors;
  const auto refuse = [&](const char* code, const char* field, const char* message,
                          const char* expected) {
    errors.push_back({code, message, options.input, 0, field, expected});
  };
  if (!options.format.empty() && options.format != kFormat) {
    refuse("unknown_format", "--to", "a DRAMsim3 configuration becomes a memory file", kFormat);
  } else if (options.format.empty() && !options.output.ends_with(".toml")) {
    refuse("unknown_format", "OUT", "a DRAMsim3 configuration becomes a memory file",
           "a name that ends in .toml");
  }
  const std::array<std::pair<const char*, bool>, 4> of_traces = {
      {{"--memory", !options.memory.empty()},
       {"--trace-clock", !options.trace_clock_ns.empty()},
       {"--lenient", options.lenient},
       {"--set", !options.set.empty()}}};
  for (const auto& [name, is_given] : of_traces) {
    if (is_given) {
      refuse("not_for_a_configuration", name, "it is for traces, and IN is a configuration",
             "diffram convert IN OUT.toml");
    }
  }
  if (!errors.empty()) return base::failure(std::move(errors));
  return {};
}

std::string text_of(const ConvertOptions& options, const spec::Dramsim3Memory& result) {
  const auto& o = result.memory.organisation;
  return fmt::format(
      "{} (DRAMsim3 configuration) → {} (memory): {}, {:g} GiB; channels {}, ranks {}, banks {} a "
      "rank; {} values carried over\n",
      file_name_of(options.input), file_name_of(options.output), result.memory.standard,
      static_cast<double>(o.capacity_bytes()) / 0x1p30, o.channels, o.ranks, o.banks(),
      result.carried);
}

std::string json_of(const ConvertOptions& options, const spec::Dramsim3Memory& result) {
  const auto& memory = result.memory;
  const auto& o = memory.organisation;
  const nlohmann::ordered_json json = {{"input", file_name_of(options.input)},
                                       {"input_format", "dramsim3-configuration"},
                                       {"output", file_name_of(options.output)},
                                       {"output_format", kFormat},
                                       {"standard", memory.standard},
                                       {"capacity_bytes", o.capacity_bytes()},
                                       {"channels", o.channels},
                                       {"ranks", o.ranks},
                                       {"banks", o.banks()},
                                       {"request_bytes", o.burst_bytes()},
                                       {"peak_gb_per_s", memory.peak_bytes_per_s() / 1e9},
                                       {"values_carried", result.carried},
                                       {"diagnostics", result.diagnostics}};
  return json.dump(2) + "\n";
}

}  // namespace

std::optional<Outcome<Conversion>> convert_configuration(const ConvertOptions& options) {
  if (!is_configuration(options.input)) return std::nullopt;
  if (auto fits = check_options(options); !fits) return bad_input(fits.error());
  auto result = spec::convert_dramsim3_config(find_spec_folders(), options.input);
  if (!result) return bad_input(result.error());
  if (auto done = base::write_whole_file(options.output, result->toml); !done)
    return not_finished(done.error());
  return Conversion{options.as_json ? json_of(options, *result) : text_of(options, *result),
                    std::move(result->diagnostics)};
}

}  // namespace diffram::session

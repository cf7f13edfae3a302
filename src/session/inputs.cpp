#include "session/inputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <thread>

#include "ctrl/channel.h"

namespace diffram::session {

base::Result<SplitSettings> split_settings(const Settings& settings) {
  SplitSettings split;
  std::vector<std::pair<std::string, std::string>> data;
  base::Errors errors;
  for (const auto& [key, value] : settings) {
    const auto dot = key.find('.');
    const std::string root = key.substr(0, dot);
    const std::string rest = dot == std::string::npos ? "" : key.substr(dot + 1);
    if (root == "memory" && !rest.empty()) {
      split.memory.emplace_back(rest, value);
    } else if (root == "machine" && !rest.empty()) {
      split.machine.emplace_back(rest, value);
    } else if (root == "package" && !rest.empty()) {
      split.package.emplace_back(rest, value);
    } else if (root == "data" && !rest.empty()) {
      data.emplace_back(rest, value);
    } else {
      const auto near = base::nearest(root, {"memory", "machine", "package", "data"});
      errors.push_back(
          {.code = "unknown_key",
           .message = fmt::format("unknown setting {}", key),
           .file = "",
           .line = 0,
           .field = "--set " + key,
           .expected = near.empty() ? "memory.…, machine.…, package.… or data.…" : near + ".…"});
    }
  }
  auto rates = parse_data_settings(data);
  if (!rates) append(errors, rates.error());
  if (!errors.empty()) return base::failure(std::move(errors));
  split.data = std::move(*rates);
  return split;
}

base::Result<spec::MemorySpec> load_memory(const std::string& name_or_file,
                                           const spec::Overrides& overrides) {
  auto memory = spec::load_memory(find_spec_folders(), name_or_file, overrides);
  if (!memory) return memory;
  const auto known = ctrl::scheduler_names();
  const auto& scheduler = memory->controller.scheduler;
  if (std::find(known.begin(), known.end(), scheduler) != known.end()) return memory;
  const auto near = base::nearest(scheduler, known);
  return base::failure(
      base::Error{"unknown_name", fmt::format("there is no scheduler \"{}\"", scheduler), "", 0,
                  "memory.controller.scheduler", near.empty() ? known.front() : near});
}

base::Result<spec::MemorySpec> load_memory_as_set(const std::string& name_or_file,
                                                  const Settings& settings) {
  auto split = split_settings(settings);
  if (!split) return tl::unexpected(split.error());
  return load_memory(name_or_file, split->memory);
}

base::Result<std::optional<spec::PackageSpec>> load_package(const std::string& name_or_file,
                                                            const spec::Overrides& overrides,
                                                            const spec::MemorySpec& memory) {
  if (name_or_file.empty()) {
    if (overrides.empty()) return std::nullopt;
    return base::failure({.code = "missing_key",
                          .message = "a setting of a package, and no package",
                          .file = "",
                          .line = 0,
                          .field = "--set package." + overrides.front().first,
                          .expected = "--package NAME"});
  }
  auto package = spec::load_package(find_spec_folders(), name_or_file, overrides);
  if (!package) return base::failure(std::move(package.error()));
  if (auto errors = spec::check_package(*package, memory); !errors.empty())
    return base::failure(std::move(errors));
  return std::move(*package);
}

tl::unexpected<Failure> bad_input(base::Errors errors) {
  return tl::unexpected(Failure{kBadInput, std::move(errors), {}});
}

tl::unexpected<Failure> not_finished(base::Errors errors) {
  return tl::unexpected(Failure{kNotFinished, std::move(errors), {}});
}

std::size_t thread_count(std::size_t asked) {
  if (asked > 0) return asked;
  return std::max(1u, std::thread::hardware_concurrency());
}

Failure interrupted(bool resumable) {
  return {
      kNotFinished,
      {{.code = "interrupted",
        .message = resumable ? "the run was interrupted; what was simulated is kept beside the "
                               "run file"
                             : "the run was interrupted before it ended; no run file was written",
        .file = "",
        .line = 0,
        .field = "",
        .expected = resumable ? "the same command with --resume" : ""}},
      {}};
}

void fill_identity(ledger::RunRecord& record, const spec::MemorySpec& memory,
                   const std::string& command_line, const Settings& settings) {
  record.version = version();
  record.command_line = command_line;
  record.memory = memory.name;
  record.clock = memory.clock;
  record.channels = memory.organisation.channels;
  record.ranks = memory.organisation.ranks;
  record.bank_groups = memory.organisation.bank_groups;
  record.banks_per_group = memory.organisation.banks_per_group;
  record.burst_bytes = memory.organisation.burst_bytes();
  record.peak_bytes_per_s = memory.peak_bytes_per_s();
  record.capacity_bytes = static_cast<std::int64_t>(memory.organisation.capacity_bytes());
  for (const auto& [key, value] : settings)
    record.spec_text += fmt::format("# --set {}={}\n", key, value);
}

std::string file_name_of(const std::string& path) {
  return std::filesystem::path(path).filename().string();
}

std::uint64_t bursts_of(const std::vector<ledger::StepRecord>& records) {
  std::uint64_t bursts = 0;
  for (const auto& record : records) {
    for (const auto& channel : record.channels) {
      for (const auto& bank : channel.banks) {
        bursts += static_cast<std::uint64_t>(bank.rd + bank.wr + bank.rda + bank.wra);
      }
    }
  }
  return bursts;
}

std::string fallback_names(const ledger::RunRecord& record) {
  std::map<std::string, int> count;
  for (const auto& op : record.ops) {
    if (op.fallback) ++count[op.name];
  }
  std::string text;
  for (const auto& [name, times] : count)
    text += fmt::format("{}{} ({})", text.empty() ? "" : ", ", name, times);
  return text;
}

std::string version() { return DIFFRAM_VERSION; }

}  // namespace diffram::session

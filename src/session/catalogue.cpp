// What is shipped, and everything derived from one piece of it.

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "ctrl/channel.h"
#include "session/inputs.h"
#include "session/session.h"
#include "spec/describe.h"

namespace diffram::session {

namespace {

struct Kind {
  std::string name;
  std::vector<std::string> entries;
};

std::vector<Kind> catalogue() {
  const auto folders = find_spec_folders();
  std::vector<std::string> mappings;
  for (const auto& name : spec::list_memories(folders)) {
    if (auto memory = spec::load_memory(folders, name))
      mappings.push_back(memory->map.text + "  (" + name + ")");
  }
  return {{"workloads", spec::list_workloads(folders)}, {"machines", spec::list_machines(folders)},
          {"memories", spec::list_memories(folders)},   {"packages", spec::list_packages(folders)},
          {"schedulers", ctrl::scheduler_names()},      {"mappings", mappings}};
}

bool holds(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

Outcome<std::string> list(const std::string& what, bool as_json) {
  std::string text;
  nlohmann::ordered_json object;
  for (const auto& kind : catalogue()) {
    if (!what.empty() && what != kind.name) continue;
    object[kind.name] = kind.entries;
    text += kind.name + "\n";
    for (const auto& entry : kind.entries) text += "  " + entry + "\n";
  }
  return as_json ? object.dump(2) + "\n" : text;
}

Outcome<std::string> describe(const std::string& name, const Settings& set, bool as_json) {
  const auto folders = find_spec_folders();
  auto settings = split_settings(set);
  if (!settings) return bad_input(settings.error());
  const auto bad = [](base::Errors errors) { return bad_input(std::move(errors)); };
  const auto machines = spec::list_machines(folders), workloads = spec::list_workloads(folders),
             packages = spec::list_packages(folders);
  const bool is_file = std::filesystem::is_regular_file(name);
  if (holds(machines, name) || (is_file && spec::is_machine_file(name))) {
    auto machine = spec::load_machine(folders, name, settings->machine);
    if (!machine) return bad(machine.error());
    return as_json ? spec::describe_json(*machine) + "\n" : spec::describe(*machine);
  }
  if (holds(packages, name) || (is_file && spec::is_package_file(name))) {
    auto package = spec::load_package(folders, name, settings->package);
    if (!package) return bad(package.error());
    return as_json ? spec::describe_json(*package) + "\n" : spec::describe(*package);
  }
  if (holds(workloads, name)) {
    auto workload = spec::load_workload(folders, name, {});
    if (!workload) return bad(workload.error());
    return as_json ? spec::describe_json(*workload) + "\n" : spec::describe(*workload);
  }
  const auto memories = spec::list_memories(folders);
  if (!holds(memories, name) && !is_file) {
    std::vector<std::string> known = memories;
    append(known, machines);
    append(known, workloads);
    append(known, packages);
    return bad({{.code = "unknown_name",
                 .message = fmt::format("nothing is called \"{}\"", name),
                 .file = "",
                 .line = 0,
                 .field = "NAME",
                 .expected = base::nearest(name, known)}});
  }
  auto memory = load_memory(name, settings->memory);
  if (!memory) return bad(memory.error());
  return as_json ? spec::describe_json(*memory) + "\n" : spec::describe(*memory);
}

}  // namespace diffram::session

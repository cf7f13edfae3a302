#include "spec/folders.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "spec/standard.h"

namespace diffram::spec {

std::string SourceText::name() const {
  const auto slash = file.find_last_of('/');
  const auto last = slash == std::string::npos ? file : file.substr(slash + 1);
  return last.substr(0, last.rfind(".toml"));
}

namespace {

namespace fs = std::filesystem;

/// A path, not a name: it has a slash or ends as TOML files do.
bool names_a_file(const std::string& text) {
  return text.find('/') != std::string::npos || text.ends_with(".toml");
}

base::Result<SourceText> read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file || fs::is_directory(path)) {
    base::Error error;
    error.code = "cannot_read";
    error.file = path;
    error.message = "the file cannot be read";
    return base::failure(std::move(error));
  }
  return SourceText{path, std::string(std::istreambuf_iterator<char>(file), {})};
}

std::string joined(const std::vector<std::string>& names) {
  std::string out;
  for (const auto& name : names) out += (out.empty() ? "" : ", ") + name;
  return out;
}

/// A session hands every `--set` to every loader: those of the other files are not for this one. A
/// key without a file's name is below this file's root.
Overrides overrides_for(const std::string& what, const Overrides& all) {
  Overrides out;
  for (const auto& entry : all) {
    bool is_of_another_file = false;
    for (const std::string other : {"memory", "machine", "workload", "package"})
      is_of_another_file |= other != what && entry.first.starts_with(other + ".");
    if (!is_of_another_file) out.push_back(entry);
  }
  return out;
}

}  // namespace

SpecFolders find_folders(const std::string& start, const std::vector<std::string>& ways,
                         const std::string& otherwise) {
  if (const char* set = std::getenv("DIFFRAM_SPECS"); set != nullptr && *set != '\0') return {set};
  std::error_code error;
  for (const std::string& way : ways) {
    const fs::path candidate = (fs::path(start) / way).lexically_normal();
    if (fs::is_directory(candidate / "memories", error)) return {candidate.string()};
  }
  return {otherwise};
}

std::vector<std::string> list_names(const SpecFolders& folders, const std::string& kind_folder) {
  std::vector<std::string> out;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(fs::path(folders.root) / kind_folder, ignored)) {
    if (entry.path().extension() == ".toml") out.push_back(entry.path().stem().string());
  }
  std::sort(out.begin(), out.end());
  return out;
}

base::Result<SourceText> read_spec(const SpecFolders& folders, const std::string& kind_folder,
                                   const std::string& what, const std::string& name_or_file) {
  if (names_a_file(name_or_file)) return read_file(name_or_file);
  const auto names = list_names(folders, kind_folder);
  if (std::find(names.begin(), names.end(), name_or_file) == names.end()) {
    base::Error error;
    error.code = "unknown_name";
    error.field = what;
    error.message = "there is no " + what + " '" + name_or_file + "'";
    const auto near = base::nearest(name_or_file, names);
    error.expected = near.empty() ? "one of " + joined(names) : "'" + near + "'";
    return base::failure(std::move(error));
  }
  return read_file((fs::path(folders.root) / kind_folder / (name_or_file + ".toml")).string());
}

base::Result<SourceText> read_standard(const SpecFolders& folders, const std::string& name) {
  std::string lower = name;
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (lower.find('/') != std::string::npos) lower = "";  // a standard is a name, never a path
  return read_spec(folders, "standards", "standard", lower);
}

base::Result<MemorySpec> load_memory(const SpecFolders& folders, const std::string& name_or_file,
                                     const Overrides& overrides) {
  const auto source = read_spec(folders, "memories", "memory", name_or_file);
  if (!source) return base::failure(source.error());
  const auto standards = [&](const std::string& name) { return read_standard(folders, name); };
  return parse_memory(*source, standards, overrides_for("memory", overrides));
}

base::Result<MachineSpec> load_machine(const SpecFolders& folders, const std::string& name_or_file,
                                       const Overrides& overrides) {
  const auto source = read_spec(folders, "machines", "machine", name_or_file);
  if (!source) return base::failure(source.error());
  return parse_machine(*source, overrides_for("machine", overrides));
}

base::Result<WorkloadSpec> load_workload(const SpecFolders& folders, const std::string& name,
                                         const WorkloadOptions& options) {
  const auto source = read_spec(folders, "workloads", "workload", name);
  if (!source) return base::failure(source.error());
  const auto folder = fs::path(source->file).parent_path().string();
  return parse_workload(*source, folder.empty() ? "." : folder, options);
}

std::vector<std::string> list_memories(const SpecFolders& folders) {
  return list_names(folders, "memories");
}
std::vector<std::string> list_machines(const SpecFolders& folders) {
  return list_names(folders, "machines");
}
std::vector<std::string> list_workloads(const SpecFolders& folders) {
  return list_names(folders, "workloads");
}

}  // namespace diffram::spec

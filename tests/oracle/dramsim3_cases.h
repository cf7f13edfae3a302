#pragma once
// The recorded runs of DRAMsim3: data/dramsim3/README.md says what they are.

#include <zstd.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "oracle/dramsim3_model.h"
#include "oracle/gz_file.h"

namespace diffram::oracle::dramsim3 {

struct RecordedChannel {
  std::uint64_t commands = 0;
  std::string sha256;              ///< of the canonical log
  std::vector<std::string> first;  ///< the first commands, to show a difference
  Figures figures;
};

struct RecordedCase {
  std::string name, ini, trace_name;
  std::uint64_t cycles = 0;
  std::vector<RecordedChannel> channels;
};

struct CaseSet {
  const char* name;
  const char* file;
  const char* pack;  ///< null: the traces may not be passed on
};
inline constexpr CaseSet kCaseSets[] = {
    {"fixed", "cases.jsonl.gz", "traces.pack.zst"},
    {"random", "random_cases.jsonl.gz", "random_traces.pack.zst"},
    {"real", "real_cases.jsonl.gz", nullptr}};

inline std::string data_file(const std::string& name) {
  return DIFFRAM_SOURCE_DIR "/tests/oracle/data/dramsim3/" + name;
}

inline std::string read_zstd(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  const std::string packed{std::istreambuf_iterator<char>(file), {}};
  const auto bytes = ZSTD_getFrameContentSize(packed.data(), packed.size());
  if (!file || bytes == ZSTD_CONTENTSIZE_ERROR || bytes == ZSTD_CONTENTSIZE_UNKNOWN)
    throw std::runtime_error("cannot read " + path);
  std::string text(bytes, '\0');
  if (ZSTD_decompress(text.data(), text.size(), packed.data(), packed.size()) != text.size())
    throw std::runtime_error("damaged: " + path);
  return text;
}

/// `[section]` and `key = value` lines, the values verbatim.
inline std::string ini_text(const nlohmann::json& sections) {
  std::string out;
  for (const auto& [section, keys] : sections.items()) {
    out += "[" + section + "]\n";
    for (const auto& [key, value] : keys.items())
      out += key + " = " + value.get<std::string>() + "\n";
  }
  return out;
}

inline Figures figures_of(const nlohmann::json& stats) {
  Figures out;
  const auto add = [&](const std::string& name, const nlohmann::json& value) {
    if (value.is_number_float()) {
      out[name] = value.get<double>();
    } else {
      out[name] = value.get<std::uint64_t>();
    }
  };
  for (const auto& [name, value] : stats.items()) {
    if (value.is_null()) continue;  // an empty full histogram
    if (!value.is_object()) {
      add(name, value);
      continue;
    }
    for (const auto& [key, item] : value.items()) add(name + "." + key, item);
  }
  return out;
}

inline std::vector<RecordedCase> read_cases(const CaseSet& set) {
  std::vector<RecordedCase> out;
  std::istringstream lines(read_gzip(data_file(set.file)));
  for (std::string line; std::getline(lines, line);) {
    const auto json = nlohmann::json::parse(line);
    RecordedCase one{json["name"], ini_text(json["ini"]), json["trace"], json["cycles"], {}};
    for (std::size_t i = 0; i < json["channels"].size(); ++i) {
      const auto& channel = json["channels"].at(std::to_string(i));
      one.channels.push_back(
          {channel["commands"], channel["sha256"], channel["first"], figures_of(channel["stats"])});
    }
    out.push_back(std::move(one));
  }
  return out;
}

/// The traces of one set, by name, each without its final newline.
class Traces {
 public:
  explicit Traces(const CaseSet& set) : set_(set) {
    if (set.pack == nullptr) return;
    const auto text = read_zstd(data_file(set.pack));
    for (std::size_t at = 0; at < text.size();) {
      const auto space = text.find(' ', at), end = text.find('\n', at);
      const auto bytes = std::stoull(text.substr(space + 1, end - space - 1));
      keep(text.substr(at, space - at), text.substr(end + 1, bytes));
      at = end + 1 + bytes;
    }
  }

  /// Empty where the trace is not distributed and `DIFFRAM_SHARED` does not lead to it.
  const std::string* find(const std::string& name) {
    if (set_.pack == nullptr && !texts_.contains(name)) {
      const char* shared = std::getenv("DIFFRAM_SHARED");
      if (shared == nullptr) return nullptr;
      const auto file = std::filesystem::path(shared) / "real" / (name + ".gz");
      if (!std::filesystem::exists(file)) return nullptr;
      keep(name, read_gzip(file.string()));
    }
    return &texts_.at(name);
  }

 private:
  void keep(const std::string& name, std::string text) {
    if (text.ends_with('\n')) text.pop_back();
    texts_[name] = std::move(text);
  }

  const CaseSet& set_;
  std::map<std::string, std::string> texts_;
};

}  // namespace diffram::oracle::dramsim3

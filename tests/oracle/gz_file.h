#pragma once
// Packed files of tests/oracle/data, for the tests of any room.

#include <zlib.h>

#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>

namespace diffram::oracle {

/// The whole of a gzip file. Throws if it cannot be opened.
inline std::string read_gzip(const std::string& path) {
  const gzFile file = gzopen(path.c_str(), "rb");
  if (file == nullptr) throw std::runtime_error("cannot open " + path);
  std::string text;
  char buffer[1 << 16];
  for (int n; (n = gzread(file, buffer, sizeof buffer)) > 0;)
    text.append(buffer, static_cast<std::size_t>(n));
  gzclose(file);
  return text;
}

/// `name` lies in tests/oracle/data.
inline nlohmann::json json_of_gz(const std::string& name) {
  return nlohmann::json::parse(read_gzip(DIFFRAM_SOURCE_DIR "/tests/oracle/data/" + name));
}

}  // namespace diffram::oracle

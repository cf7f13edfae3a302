#include "base/whole_file.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

namespace diffram::base {

namespace fs = std::filesystem;

namespace {

tl::unexpected<Errors> refuse(const std::string& path, int error) {
  const bool full = error == ENOSPC || error == EDQUOT || error == EFBIG;
  return failure(Error{full ? "disk_full" : "cannot_write",
                       std::string("the file cannot be written: ") + std::strerror(error), path, 0,
                       "",
                       full ? "room on the disk" : "a folder that exists and may be written to"});
}

}  // namespace

Result<void> check_replaceable(const std::string& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (!fs::exists(status) || fs::is_regular_file(status)) return {};
  return failure(Error{"cannot_write", "this is a folder or a device, not a file", path, 0, "",
                       "the name of a file"});
}

Result<void> write_whole_file(const std::string& path, std::string_view content) {
  if (auto checked = check_replaceable(path); !checked) return checked;
  const std::string partial = path + ".partial";
  std::FILE* out = std::fopen(partial.c_str(), "wb");
  if (out == nullptr) return refuse(path, errno);
  int error = 0;
  if (std::fwrite(content.data(), 1, content.size(), out) != content.size()) error = errno;
  if (std::fclose(out) != 0 && error == 0) error = errno;
  std::error_code renamed;
  if (error == 0) fs::rename(partial, path, renamed);
  if (renamed) error = renamed.value();
  if (error == 0) return {};
  std::error_code ignored;
  fs::remove(partial, ignored);
  return refuse(path, error);
}

}  // namespace diffram::base

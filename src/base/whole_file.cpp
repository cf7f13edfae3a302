#include "base/whole_file.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

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

WholeFile::WholeFile(std::string path)
    : path_(std::move(path)), partial_(path_ + ".partial"), out_(partial_, std::ios::binary) {}

WholeFile::WholeFile(WholeFile&& other) noexcept
    : path_(std::move(other.path_)),
      partial_(std::exchange(other.partial_, {})),
      out_(std::move(other.out_)) {}

WholeFile::~WholeFile() {
  if (partial_.empty()) return;
  out_.close();
  std::error_code ignored;
  fs::remove(partial_, ignored);
}

Result<WholeFile> WholeFile::create(const std::string& path) {
  if (auto checked = check_replaceable(path); !checked) return tl::unexpected(checked.error());
  errno = 0;
  WholeFile file(path);
  if (!file.out_) return refuse(path, errno != 0 ? errno : EIO);
  return file;
}

Result<void> WholeFile::append(std::string_view bytes) {
  errno = 0;
  out_.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  if (!out_) return refuse(path_, errno != 0 ? errno : EIO);
  return {};
}

Result<void> WholeFile::commit() {
  errno = 0;
  out_.close();
  if (!out_) return refuse(path_, errno != 0 ? errno : EIO);
  std::error_code renamed;
  fs::rename(partial_, path_, renamed);
  if (renamed) return refuse(path_, renamed.value());
  partial_.clear();
  return {};
}

Result<void> write_whole_file(const std::string& path, std::string_view content) {
  auto file = WholeFile::create(path);
  if (!file) return tl::unexpected(file.error());
  if (auto written = file->append(content); !written) return written;
  return file->commit();
}

}  // namespace diffram::base

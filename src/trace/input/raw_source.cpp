#include "trace/input/raw_source.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <utility>

#include "trace/input/trace_error.h"

namespace diffram::trace {

namespace {

class FileSource : public ByteSource {
 public:
  FileSource(std::ifstream stream, std::string name)
      : stream_(std::move(stream)), name_(std::move(name)) {}

  base::Result<std::size_t> read(std::span<char> out) override {
    stream_.read(out.data(), static_cast<std::streamsize>(out.size()));
    if (stream_.bad()) {
      return error_in(name_, 0, "unreadable",
                      std::string("reading stopped: ") + std::strerror(errno));
    }
    return static_cast<std::size_t>(stream_.gcount());
  }

 private:
  std::ifstream stream_;
  std::string name_;
};

class MemorySource : public ByteSource {
 public:
  explicit MemorySource(std::string_view bytes) : rest_(bytes) {}

  base::Result<std::size_t> read(std::span<char> out) override {
    const std::size_t count = std::min(out.size(), rest_.size());
    std::copy_n(rest_.begin(), count, out.begin());
    rest_.remove_prefix(count);
    return count;
  }

 private:
  std::string_view rest_;
};

}  // namespace

base::Result<std::unique_ptr<ByteSource>> open_raw_file(const std::string& file) {
  std::error_code problem;
  if (std::filesystem::is_directory(file, problem)) {
    return error_in(file, 0, "unreadable", "is a directory", "a trace file");
  }
  std::ifstream stream(file, std::ios::binary);
  if (!stream) {
    return error_in(file, 0, "unreadable",
                    std::string("cannot be opened: ") + std::strerror(errno));
  }
  return std::make_unique<FileSource>(std::move(stream), file);
}

std::unique_ptr<ByteSource> open_raw_memory(std::string_view bytes) {
  return std::make_unique<MemorySource>(bytes);
}

}  // namespace diffram::trace

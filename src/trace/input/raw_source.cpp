#include "trace/input/raw_source.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

#include "trace/input/trace_error.h"

namespace diffram::trace {

namespace {

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};

class FileSource : public ByteSource {
 public:
  FileSource(std::unique_ptr<std::FILE, CloseFile> stream, std::string name)
      : stream_(std::move(stream)), name_(std::move(name)) {}

  base::Result<std::size_t> read(std::span<char> out) override {
    const std::size_t count = std::fread(out.data(), 1, out.size(), stream_.get());
    if (count == 0 && std::ferror(stream_.get())) {
      return error_in(name_, 0, "unreadable",
                      std::string("reading stopped: ") + std::strerror(errno));
    }
    return count;
  }

 private:
  std::unique_ptr<std::FILE, CloseFile> stream_;
  std::string name_;
};

class MemorySource : public ByteSource {
 public:
  explicit MemorySource(std::string_view bytes) : rest_(bytes) {}

  base::Result<std::size_t> read(std::span<char> out) override {
    const std::size_t count = std::min(out.size(), rest_.size());
    std::copy_n(rest_.data(), count, out.data());
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
  std::unique_ptr<std::FILE, CloseFile> stream(std::fopen(file.c_str(), "rb"));
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

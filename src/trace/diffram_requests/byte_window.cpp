#include "trace/diffram_requests/byte_window.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <vector>

namespace diffram::trace {

namespace {

class MappedWindow final : public ByteWindow {
 public:
  MappedWindow(char* data, std::size_t size) : data_(data), size_(size) {}
  ~MappedWindow() override { munmap(data_, size_); }
  MappedWindow(const MappedWindow&) = delete;
  MappedWindow& operator=(const MappedWindow&) = delete;

  base::Result<std::string_view> look(std::size_t bytes) override {
    return std::string_view(data_ + at_, std::min(bytes, size_ - at_));
  }
  void pass(std::size_t bytes) override {
    at_ += std::min(bytes, size_ - at_);
    if (at_ - dropped_ < kDroppedAtOnce) return;
    madvise(data_ + dropped_, kDroppedAtOnce, MADV_DONTNEED);
    dropped_ += kDroppedAtOnce;
  }

 private:
  static constexpr std::size_t kDroppedAtOnce = std::size_t{4} << 20;  // whole pages

  char* data_;
  std::size_t size_, at_ = 0, dropped_ = 0;
};

class StreamWindow final : public ByteWindow {
 public:
  explicit StreamWindow(std::unique_ptr<ByteSource> bytes) : bytes_(std::move(bytes)) {}

  base::Result<std::string_view> look(std::size_t bytes) override {
    while (end_ - begin_ < bytes) {
      if (buffer_.size() - begin_ < bytes) {
        std::copy(buffer_.begin() + static_cast<std::ptrdiff_t>(begin_),
                  buffer_.begin() + static_cast<std::ptrdiff_t>(end_), buffer_.begin());
        end_ -= begin_;
        begin_ = 0;
        // What a header promises is believed a buffer at a time, not at once.
        if (buffer_.size() < bytes) buffer_.resize(std::min(bytes, buffer_.size() * 2 + kBuffer));
      }
      auto count = bytes_->read(std::span(buffer_).subspan(end_));
      if (!count) return tl::unexpected(count.error());
      if (*count == 0) break;
      end_ += *count;
    }
    return std::string_view(buffer_.data() + begin_, std::min(bytes, end_ - begin_));
  }
  void pass(std::size_t bytes) override { begin_ += std::min(bytes, end_ - begin_); }

 private:
  static constexpr std::size_t kBuffer = std::size_t{1} << 16;

  std::unique_ptr<ByteSource> bytes_;
  std::vector<char> buffer_ = std::vector<char>(kBuffer);
  std::size_t begin_ = 0, end_ = 0;
};

}  // namespace

std::unique_ptr<ByteWindow> map_file(const std::string& file) {
  const int handle = open(file.c_str(), O_RDONLY | O_CLOEXEC);
  if (handle < 0) return nullptr;
  struct stat about{};
  void* data = MAP_FAILED;
  std::size_t size = 0;
  if (fstat(handle, &about) == 0 && S_ISREG(about.st_mode) && about.st_size > 0) {
    size = static_cast<std::size_t>(about.st_size);
    data = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, handle, 0);
  }
  close(handle);
  if (data == MAP_FAILED) return nullptr;
  madvise(data, size, MADV_SEQUENTIAL);
  return std::make_unique<MappedWindow>(static_cast<char*>(data), size);
}

std::unique_ptr<ByteWindow> window_of(std::unique_ptr<ByteSource> bytes) {
  return std::make_unique<StreamWindow>(std::move(bytes));
}

}  // namespace diffram::trace

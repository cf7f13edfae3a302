#include "trace/input/line_reader.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>

#include "trace/input/trace_error.h"

namespace diffram::trace {

namespace {
constexpr std::size_t kFirstBufferBytes = std::size_t{1} << 17;
constexpr std::size_t kBehindBytes = std::size_t{1} << 16;
constexpr std::size_t kRoomBefore = LineReader::kMargin + kBehindBytes;
}  // namespace

LineReader::LineReader(std::unique_ptr<ByteSource> bytes, std::string file)
    : bytes_(std::move(bytes)), file_(std::move(file)), buffer_(kFirstBufferBytes + 2 * kMargin) {}

void LineReader::fetch(std::size_t bytes) {
  while (end_ - begin_ < bytes && !at_end_ && errors_.empty()) {
    auto more = fill();
    if (!more) errors_ = std::move(more.error());
    at_end_ = more && !*more;
  }
}

void LineReader::read_behind() {
  if (behind_.is_filled || at_end_) return;
  behind_.buffer.resize(kRoomBefore + kBehindBytes + kMargin);
  behind_.count = bytes_->read(std::span(behind_.buffer).subspan(kRoomBefore, kBehindBytes));
  behind_.is_filled = true;
}

base::Result<bool> LineReader::fill() {
  if (end_ - begin_ >= kLongestLine)
    return error_in(file_, number_ + 1, "line_too_long", "the line is longer than 16 MiB");
  base::Result<std::size_t> count = 0;
  if (behind_.is_filled) {
    behind_.is_filled = false;
    count = std::move(behind_.count);
    if (count) put_before_behind();
  } else {
    if (begin_ > kMargin) {
      std::memmove(buffer_.data() + kMargin, buffer_.data() + begin_, end_ - begin_);
      end_ -= begin_ - kMargin;
      begin_ = kMargin;
    }
    if (end_ == buffer_.size() - kMargin) buffer_.resize(buffer_.size() * 2);
    count = bytes_->read(std::span(buffer_).first(buffer_.size() - kMargin).subspan(end_));
  }
  if (!count) {
    auto errors = count.error();
    for (auto& error : errors) error.line = number_ + 1;
    return tl::unexpected(std::move(errors));
  }
  end_ += *count;
  bytes_read_ += *count;
  return *count > 0;
}

/// The buffer becomes the one behind, which gets in front of it what is not read.
void LineReader::put_before_behind() {
  std::vector<char>& next = behind_.buffer;
  const std::size_t rest = end_ - begin_;
  std::size_t room = kRoomBefore;
  if (rest > kBehindBytes) {
    next.insert(next.begin() + kMargin, rest - kBehindBytes, '\0');
    room += rest - kBehindBytes;
  }
  std::memcpy(next.data() + room - rest, buffer_.data() + begin_, rest);
  buffer_.swap(next);
  begin_ = room - rest;
  end_ = room;
}

base::Result<bool> LineReader::next(std::string_view& line) {
  std::size_t searched = 0;
  while (true) {
    const char* start = buffer_.data() + begin_;
    const std::size_t held = end_ - begin_;
    const void* found =
        held > searched ? std::memchr(start + searched, '\n', held - searched) : nullptr;
    std::size_t length = held;
    if (found) {
      length = static_cast<std::size_t>(static_cast<const char*>(found) - start);
      begin_ += length + 1;
    } else if (!at_end_) {
      if (!errors_.empty()) return tl::unexpected(std::exchange(errors_, {}));
      searched = held;
      auto more = fill();
      if (!more) return tl::unexpected(more.error());
      at_end_ = !*more;
      continue;
    } else {
      if (held == 0) return false;
      begin_ = end_;
    }
    line_end_is_missing_ = !found;
    if (number_ < std::numeric_limits<int>::max()) ++number_;
    if (length > 0 && start[length - 1] == '\r') --length;
    line = std::string_view(start, length);
    return true;
  }
}

}  // namespace diffram::trace

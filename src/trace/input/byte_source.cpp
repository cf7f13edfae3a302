#include "trace/input/byte_source.h"

#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "trace/input/raw_source.h"
#include "trace/input/trace_error.h"

namespace diffram::trace {

namespace {

constexpr std::size_t kPackedBufferBytes = std::size_t{1} << 16;

/// A buffer of packed bytes that starts with what recognition had to look at.
class PackedInput {
 public:
  PackedInput(std::unique_ptr<ByteSource> raw, std::string_view first)
      : raw_(std::move(raw)), buffer_(kPackedBufferBytes), end_(first.size()) {
    std::copy(first.begin(), first.end(), buffer_.begin());
  }

  /// False at the end of the file.
  base::Result<bool> refill_if_empty() {
    if (begin_ < end_) return true;
    auto count = raw_->read(buffer_);
    if (!count) return tl::unexpected(count.error());
    begin_ = 0;
    end_ = *count;
    return end_ > 0;
  }
  /// What follows the buffer, which is empty.
  base::Result<std::size_t> read_past(std::span<char> out) { return raw_->read(out); }
  const char* data() const { return buffer_.data() + begin_; }
  std::size_t size() const { return end_ - begin_; }
  void take(std::size_t count) { begin_ += count; }

 private:
  std::unique_ptr<ByteSource> raw_;
  std::vector<char> buffer_;
  std::size_t begin_ = 0, end_;
};

tl::unexpected<base::Errors> cut_short(const std::string& file) {
  return error_in(file, 0, "truncated", "the compressed file stops early",
                  "a complete file; copy or make it again");
}

tl::unexpected<base::Errors> corrupt(const std::string& file, const char* why) {
  return error_in(file, 0, "corrupt", std::string("the compressed data is damaged: ") + why);
}

class PlainSource : public ByteSource {
 public:
  explicit PlainSource(PackedInput input) : input_(std::move(input)) {}

  base::Result<std::size_t> read(std::span<char> out) override {
    if (input_.size() == 0) return input_.read_past(out);
    const std::size_t count = std::min(out.size(), input_.size());
    std::copy_n(input_.data(), count, out.data());
    input_.take(count);
    return count;
  }

 private:
  PackedInput input_;
};

class GzipSource : public ByteSource {
 public:
  GzipSource(PackedInput input, std::string file)
      : input_(std::move(input)), file_(std::move(file)) {
    constexpr int kGzipWithLargestWindow = 16 + MAX_WBITS;
    ready_ = inflateInit2(&stream_, kGzipWithLargestWindow) == Z_OK;
  }
  ~GzipSource() override { inflateEnd(&stream_); }
  GzipSource(const GzipSource&) = delete;
  GzipSource& operator=(const GzipSource&) = delete;

  base::Result<std::size_t> read(std::span<char> out) override {
    if (!ready_) return corrupt(file_, "no memory to unpack it");
    std::size_t made = 0;
    while (made == 0) {
      auto more = input_.refill_if_empty();
      if (!more) return tl::unexpected(more.error());
      if (!*more) {
        if (inside_member_) return cut_short(file_);
        return std::size_t{0};
      }
      // A file may be several members in a row (`cat a.gz b.gz`).
      if (!inside_member_) inflateReset(&stream_);
      inside_member_ = true;
      stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(input_.data()));
      stream_.avail_in = static_cast<uInt>(input_.size());
      stream_.next_out = reinterpret_cast<Bytef*>(out.data());
      stream_.avail_out = static_cast<uInt>(out.size());
      const int status = inflate(&stream_, Z_NO_FLUSH);
      input_.take(input_.size() - stream_.avail_in);
      made = out.size() - stream_.avail_out;
      if (status == Z_STREAM_END) {
        inside_member_ = false;
      } else if (status != Z_OK && status != Z_BUF_ERROR) {
        return corrupt(file_, stream_.msg ? stream_.msg : "not gzip");
      }
    }
    return made;
  }

 private:
  PackedInput input_;
  std::string file_;
  z_stream stream_{};
  bool ready_ = false;
  bool inside_member_ = false;
};

struct FreeDecompressor {
  void operator()(ZSTD_DStream* stream) const { ZSTD_freeDStream(stream); }
};

class ZstdSource : public ByteSource {
 public:
  ZstdSource(PackedInput input, std::string file)
      : input_(std::move(input)), file_(std::move(file)), stream_(ZSTD_createDStream()) {}

  base::Result<std::size_t> read(std::span<char> out) override {
    ZSTD_outBuffer target{out.data(), out.size(), 0};
    while (target.pos == 0) {
      auto more = input_.refill_if_empty();
      if (!more) return tl::unexpected(more.error());
      // Without new input the decoder may still hold output of a frame it has read whole.
      ZSTD_inBuffer source{input_.data(), input_.size(), 0};
      if (!*more && !inside_frame_) return std::size_t{0};
      const std::size_t status = ZSTD_decompressStream(stream_.get(), &target, &source);
      if (ZSTD_isError(status)) return corrupt(file_, ZSTD_getErrorName(status));
      input_.take(source.pos);
      inside_frame_ = status != 0;
      if (!*more && target.pos == 0 && inside_frame_) return cut_short(file_);
    }
    return target.pos;
  }

 private:
  PackedInput input_;
  std::string file_;
  std::unique_ptr<ZSTD_DStream, FreeDecompressor> stream_;
  bool inside_frame_ = false;
};

constexpr std::string_view kGzipMagic = "\x1f\x8b";
constexpr std::string_view kZstdMagic = "\x28\xb5\x2f\xfd";
/// What Git writes in place of a file that Git LFS has not fetched (git-lfs docs/spec.md).
constexpr std::string_view kLfsPointer = "version https://git-lfs.github.com/spec/";
constexpr std::size_t kLooksAt = 1024;  // a pointer is shorter

tl::unexpected<base::Errors> lfs_pointer(const std::string& file, std::string_view pointer) {
  constexpr std::string_view kSize = "\nsize ";
  const auto at = pointer.find(kSize);
  std::string_view size = at == std::string_view::npos ? "?" : pointer.substr(at + kSize.size());
  size = size.substr(0, size.find_first_not_of("0123456789"));
  return error_in(file, 1, "git_lfs_pointer",
                  "this is a Git LFS pointer; the file itself, of " + std::string(size) +
                      " bytes, was not fetched",
                  "git lfs pull");
}

base::Result<std::unique_ptr<ByteSource>> unpacked(std::unique_ptr<ByteSource> raw,
                                                   const std::string& file) {
  std::array<char, kLooksAt> first{};
  std::size_t count = 0;
  while (count < first.size()) {
    auto got = raw->read(std::span(first).subspan(count));
    if (!got) return tl::unexpected(got.error());
    if (*got == 0) break;
    count += *got;
  }
  const std::string_view start(first.data(), count);
  PackedInput input(std::move(raw), start);
  if (start.starts_with(kGzipMagic)) return std::make_unique<GzipSource>(std::move(input), file);
  if (start.starts_with(kZstdMagic)) return std::make_unique<ZstdSource>(std::move(input), file);
  if (start.starts_with(kLfsPointer)) return lfs_pointer(file, start);
  return std::make_unique<PlainSource>(std::move(input));
}

}  // namespace

base::Result<std::unique_ptr<ByteSource>> open_file(const std::string& file) {
  auto raw = open_raw_file(file);
  if (!raw) return tl::unexpected(raw.error());
  return unpacked(std::move(*raw), file);
}

base::Result<std::unique_ptr<ByteSource>> open_memory(std::string_view bytes,
                                                      const std::string& name) {
  return unpacked(open_raw_memory(bytes), name);
}

base::Result<LookedAt> look_at(std::unique_ptr<ByteSource> bytes, std::size_t most) {
  LookedAt looked;
  looked.start.resize(most);
  std::size_t count = 0;
  while (count < most) {
    auto got = bytes->read(std::span(looked.start).subspan(count));
    if (!got) return tl::unexpected(got.error());
    if (*got == 0) break;
    count += *got;
  }
  looked.start.resize(count);
  looked.bytes = std::make_unique<PlainSource>(PackedInput(std::move(bytes), looked.start));
  return looked;
}

}  // namespace diffram::trace

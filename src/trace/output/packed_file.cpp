#include "trace/output/packed_file.h"

#include <zlib.h>
#include <zstd.h>

#include <utility>
#include <vector>

#include "base/whole_file.h"

namespace diffram::trace {

namespace {

constexpr std::string_view kGzip = ".gz", kZstd = ".zst";
constexpr std::size_t kBufferBytes = std::size_t{1} << 16;

class PlainFile final : public PackedFile {
 public:
  explicit PlainFile(base::WholeFile file) : file_(std::move(file)) {}
  base::Result<void> append(std::string_view bytes) override { return file_.append(bytes); }
  base::Result<void> commit() override { return file_.commit(); }

 private:
  base::WholeFile file_;
};

class GzipFile final : public PackedFile {
 public:
  explicit GzipFile(base::WholeFile file) : file_(std::move(file)), buffer_(kBufferBytes) {
    constexpr int kGzipWithLargestWindow = 16 + MAX_WBITS, kMemory = 8;
    deflateInit2(&stream_, Z_DEFAULT_COMPRESSION, Z_DEFLATED, kGzipWithLargestWindow, kMemory,
                 Z_DEFAULT_STRATEGY);
  }
  ~GzipFile() override { deflateEnd(&stream_); }
  GzipFile(const GzipFile&) = delete;
  GzipFile& operator=(const GzipFile&) = delete;

  base::Result<void> append(std::string_view bytes) override { return pack(bytes, Z_NO_FLUSH); }
  base::Result<void> commit() override {
    if (auto packed = pack({}, Z_FINISH); !packed) return packed;
    return file_.commit();
  }

 private:
  base::Result<void> pack(std::string_view bytes, int flush) {
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
    stream_.avail_in = static_cast<uInt>(bytes.size());
    do {
      stream_.next_out = reinterpret_cast<Bytef*>(buffer_.data());
      stream_.avail_out = static_cast<uInt>(buffer_.size());
      deflate(&stream_, flush);
      const std::size_t made = buffer_.size() - stream_.avail_out;
      if (auto written = file_.append({buffer_.data(), made}); !written) return written;
    } while (stream_.avail_out == 0);
    return {};
  }

  base::WholeFile file_;
  z_stream stream_{};
  std::vector<char> buffer_;
};

struct FreeCompressor {
  void operator()(ZSTD_CStream* stream) const { ZSTD_freeCStream(stream); }
};

class ZstdFile final : public PackedFile {
 public:
  explicit ZstdFile(base::WholeFile file)
      : file_(std::move(file)), stream_(ZSTD_createCStream()), buffer_(kBufferBytes) {
    ZSTD_CCtx_setParameter(stream_.get(), ZSTD_c_checksumFlag, 1);
  }

  base::Result<void> append(std::string_view bytes) override {
    return pack(bytes, ZSTD_e_continue);
  }
  base::Result<void> commit() override {
    if (auto packed = pack({}, ZSTD_e_end); !packed) return packed;
    return file_.commit();
  }

 private:
  base::Result<void> pack(std::string_view bytes, ZSTD_EndDirective directive) {
    ZSTD_inBuffer source{bytes.data(), bytes.size(), 0};
    while (true) {
      ZSTD_outBuffer target{buffer_.data(), buffer_.size(), 0};
      const std::size_t left = ZSTD_compressStream2(stream_.get(), &target, &source, directive);
      if (auto written = file_.append({buffer_.data(), target.pos}); !written) return written;
      const bool is_done = directive == ZSTD_e_end ? left == 0 : source.pos == source.size;
      if (is_done) return {};
    }
  }

  base::WholeFile file_;
  std::unique_ptr<ZSTD_CStream, FreeCompressor> stream_;
  std::vector<char> buffer_;
};

}  // namespace

base::Result<std::unique_ptr<PackedFile>> create_packed_file(const std::string& path) {
  auto file = base::WholeFile::create(path);
  if (!file) return tl::unexpected(file.error());
  if (path.ends_with(kGzip)) return std::make_unique<GzipFile>(std::move(*file));
  if (path.ends_with(kZstd)) return std::make_unique<ZstdFile>(std::move(*file));
  return std::make_unique<PlainFile>(std::move(*file));
}

std::string_view unpacked_name(std::string_view path) {
  for (const std::string_view suffix : {kGzip, kZstd}) {
    if (path.ends_with(suffix)) return path.substr(0, path.size() - suffix.size());
  }
  return path;
}

}  // namespace diffram::trace

#include "ledger/packed_columns.h"

#include <zstd.h>

#include <memory>

namespace diffram::ledger {
namespace {

// zstd's own default: writing a run must stay small beside simulating it.
constexpr int kCompressionLevel = 3;
// A blob says its own size when unpacked; more than this is a damaged size, not a run.
constexpr unsigned long long kLargestBlob = 1ULL << 33;

void append_varint(std::string& out, std::uint64_t value) {
  while (value >= 0x80) {
    out.push_back(static_cast<char>(value | 0x80));
    value >>= 7;
  }
  out.push_back(static_cast<char>(value));
}

bool take_varint(std::string_view& in, std::uint64_t& value) {
  value = 0;
  for (unsigned shift = 0; shift < 64; shift += 7) {
    if (in.empty()) return false;
    const auto byte = static_cast<unsigned char>(in.front());
    in.remove_prefix(1);
    value |= static_cast<std::uint64_t>(byte & 0x7F) << shift;
    if (byte < 0x80) return true;
  }
  return false;
}

// Differences wrap in 64 bits, so that any two integers have one.
std::uint64_t zigzag_difference(std::int64_t value, std::int64_t previous) {
  const auto d = static_cast<std::uint64_t>(value) - static_cast<std::uint64_t>(previous);
  return (d << 1) ^ (0 - (d >> 63));
}

std::int64_t apply_zigzag(std::int64_t previous, std::uint64_t code) {
  const std::uint64_t d = (code >> 1) ^ (0 - (code & 1));
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(previous) + d);
}

using Compressor = std::unique_ptr<ZSTD_CCtx, decltype(&ZSTD_freeCCtx)>;

std::string compress(const std::string& plain) {
  const Compressor context(ZSTD_createCCtx(), &ZSTD_freeCCtx);
  ZSTD_CCtx_setParameter(context.get(), ZSTD_c_compressionLevel, kCompressionLevel);
  ZSTD_CCtx_setParameter(context.get(), ZSTD_c_checksumFlag, 1);
  std::string out(ZSTD_compressBound(plain.size()), '\0');
  out.resize(ZSTD_compress2(context.get(), out.data(), out.size(), plain.data(), plain.size()));
  return out;
}

bool decompress(std::string_view blob, std::string& plain) {
  const auto size = ZSTD_getFrameContentSize(blob.data(), blob.size());
  if (size == ZSTD_CONTENTSIZE_ERROR || size == ZSTD_CONTENTSIZE_UNKNOWN || size > kLargestBlob)
    return false;
  plain.resize(size);
  return ZSTD_decompress(plain.data(), plain.size(), blob.data(), blob.size()) == size;
}

}  // namespace

std::string pack(const std::vector<Column>& columns) {
  std::string plain;
  append_varint(plain, columns.size());
  append_varint(plain, columns.empty() ? 0 : columns.front().size());
  for (const Column& column : columns) {
    std::int64_t previous = 0;
    for (const std::int64_t value : column) {
      append_varint(plain, zigzag_difference(value, previous));
      previous = value;
    }
  }
  return compress(plain);
}

bool unpack(std::string_view blob, std::vector<Column>& columns) {
  std::string plain;
  if (!decompress(blob, plain)) return false;
  std::string_view in = plain;
  std::uint64_t width = 0, height = 0;
  if (!take_varint(in, width) || !take_varint(in, height)) return false;
  // Every entry takes at least one byte, so a larger height is a damaged one.
  if (width != columns.size() || (width > 0 && height > in.size() / width)) return false;
  for (Column& column : columns) {
    column.resize(height);
    std::int64_t previous = 0;
    for (std::int64_t& value : column) {
      std::uint64_t code = 0;
      if (!take_varint(in, code)) return false;
      value = previous = apply_zigzag(previous, code);
    }
  }
  return in.empty();
}

}  // namespace diffram::ledger

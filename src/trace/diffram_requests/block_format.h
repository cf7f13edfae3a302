#pragma once
// Our binary trace, version 1 (docs/request-formats.md): a header, then blocks of requests that
// each stand alone, then a block of none. All numbers are little-endian.

#include <array>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace diffram::trace::blocks {

inline constexpr std::string_view kMagic = "diffram-requests";  // 16 bytes
inline constexpr std::uint32_t kVersion = 1;

struct FileHeader {
  std::array<char, 16> magic{};
  std::uint32_t version = kVersion;
  std::uint32_t arrivals = 0;            ///< Arrivals: 0 cycles, 1 order, 2 instructions
  std::uint64_t clock_numerator_fs = 0;  ///< of a cycle; 0 = not known
  std::uint64_t clock_denominator = 1;
  std::uint32_t checksum = 0;
  std::uint32_t zero = 0;
};
static_assert(sizeof(FileHeader) == 48);

struct BlockHeader {
  std::uint32_t payload_bytes = 0;
  std::uint32_t requests = 0;
  std::uint32_t checksum = 0;  ///< block_checksum.h
  std::uint32_t bytes = 0;     ///< of the request before the first
  std::uint64_t cycle = 0;     ///< the same
  std::uint64_t address = 0;   ///< the same
  std::uint64_t address_shift = 0;
};
static_assert(sizeof(BlockHeader) == 40);

inline constexpr std::uint32_t kRequestsABlock = 4096;
/// Control byte, 8 of address, 4 of cycle, 4 of bytes.
inline constexpr std::uint32_t kLargestRecord = 17;
/// What may be loaded behind a record's begin; the next header lies there.
inline constexpr std::size_t kLoadedAtOnce = 24;
static_assert(kLoadedAtOnce < sizeof(BlockHeader));
inline constexpr std::uint32_t kLargestShift = 63;

// The control byte: bit 0 write, bits 1–3 code of the address, 4–5 of the cycle, 6–7 of the bytes.
inline constexpr std::array<std::uint8_t, 8> kAddressBytes = {0, 1, 2, 3, 4, 5, 6, 8};
inline constexpr std::array<std::uint8_t, 4> kCycleBytes = {0, 1, 2, 4};
inline constexpr std::array<std::uint8_t, 4> kSizeBytes = {0, 1, 2, 4};

constexpr std::uint64_t zigzag(std::int64_t value) {
  return (static_cast<std::uint64_t>(value) << 1) ^ static_cast<std::uint64_t>(value >> 63);
}
constexpr std::uint64_t unzigzag(std::uint64_t value) { return (value >> 1) ^ (0 - (value & 1)); }

}  // namespace diffram::trace::blocks

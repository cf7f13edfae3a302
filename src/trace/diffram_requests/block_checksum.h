#pragma once
// Checksums of our binary trace: no bit of it may change unseen.

#include <string_view>

#include "trace/diffram_requests/block_format.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace diffram::trace::blocks {

/// XXH32, seed 0, of the header with a checksum of 0.
template <class Header>
std::uint32_t checksum_of(Header header) {
  header.checksum = 0;
  return XXH32(&header, sizeof header, 0);
}

/// The same, XOR that of the records.
inline std::uint32_t checksum_of(const BlockHeader& header, std::string_view payload) {
  return checksum_of(header) ^ XXH32(payload.data(), payload.size(), 0);
}

}  // namespace diffram::trace::blocks

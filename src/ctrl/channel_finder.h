#pragma once
// Which channels a run of bytes has bursts in: the one of each block of the interleave, found by
// table. Who asks first gives a run to these only, so a request costs nothing in all the others,
// however many there are.

#include <array>
#include <bit>
#include <cstdint>

#include "spec/memory.h"

namespace diffram::ctrl {

class ChannelFinder {
 public:
  static constexpr std::uint32_t kMostChannels = 256;  ///< Fields has 8 bits for them

  explicit ChannelFinder(const spec::AddressMap& map);

  /// Calls `each(channel)` once for every channel that has a burst of the run; `bytes` > 0.
  template <class Each>
  void for_each(std::uint64_t address, std::uint64_t bytes, Each each) const {
    std::uint64_t block = address >> block_shift_;
    const std::uint64_t last = (address + bytes - 1) >> block_shift_;
    std::uint32_t channel = channel_of_block(block);
    if (block == last) return each(channel);
    if (last - block >= surely_all_) {
      for (std::uint32_t c = 0; c < channels_; ++c) each(c);
      return;
    }
    std::array<std::uint64_t, kMostChannels / 64> seen{};
    std::uint32_t left = channels_;
    while (true) {
      std::uint64_t& word = seen[channel >> 6];
      const std::uint64_t bit = std::uint64_t{1} << (channel & 63);
      if ((word & bit) == 0) {
        word |= bit;
        each(channel);
        if (--left == 0) return;
      }
      if (block++ == last) return;
      channel ^= flips_[static_cast<std::size_t>(std::countr_zero(block))];
    }
  }

 private:
  std::uint32_t channel_of_block(std::uint64_t block) const {
    std::uint32_t channel = 0;
    for (std::size_t byte = 0; byte < bytes_; ++byte, block >>= 8)
      channel ^= by_byte_[byte][block & 255];
    return channel;
  }

  std::uint32_t channels_ = 1;
  int block_shift_ = 0;  ///< log2 of the bytes that surely share a channel
  /// A run over more blocks has a burst in each channel.
  std::uint64_t surely_all_ = ~std::uint64_t{0};
  std::size_t bytes_ = 0;  ///< of a block's number that its channel depends on
  std::array<std::array<std::uint8_t, 256>, 8> by_byte_{};  ///< by byte of the block, its value
  std::array<std::uint8_t, 64> flips_{};                    ///< bits 0..k of the block flip
};

}  // namespace diffram::ctrl

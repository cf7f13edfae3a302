#include "ctrl/channel_finder.h"

#include <cassert>
#include <utility>

namespace diffram::ctrl {

ChannelFinder::ChannelFinder(const spec::AddressMap& map,
                             std::shared_ptr<const AddressTables> tables)
    : tables_(tables != nullptr && tables->has_single_blocks ? std::move(tables) : nullptr),
      channels_(std::uint32_t{1} << map.channel.size()) {
  assert(channels_ <= kMostChannels);
  std::uint64_t used = 0;
  for (const std::uint64_t mask : map.channel) used |= mask;
  block_shift_ = used == 0 ? 63 : std::countr_zero(used);
  bytes_ = used == 0 ? 0 : static_cast<std::size_t>(std::bit_width(used >> block_shift_) + 7) / 8;
  std::array<std::uint8_t, 64> by_bit{};
  for (std::size_t bit = 0; bit < map.channel.size(); ++bit) {
    for (int address_bit = block_shift_; address_bit < 64; ++address_bit) {
      if ((map.channel[bit] >> address_bit & 1) != 0)
        by_bit[static_cast<std::size_t>(address_bit - block_shift_)] |=
            static_cast<std::uint8_t>(1u << bit);
    }
  }
  std::uint8_t flipped = 0;
  for (std::size_t k = 0; k < by_bit.size(); ++k) flips_[k] = flipped ^= by_bit[k];
  for (std::size_t byte = 0; byte < by_byte_.size(); ++byte) {
    for (std::size_t value = 1; value < 256; ++value) {
      const auto low = static_cast<std::size_t>(std::countr_zero(value));
      by_byte_[byte][value] = by_byte_[byte][value & (value - 1)] ^ by_bit[8 * byte + low];
    }
  }
  // The channel may be a one-to-one function of the bits above the block: then as many blocks from
  // a multiple of that number on are of all channels, and some such lie in twice as many.
  std::array<bool, kMostChannels> met{};
  std::uint32_t different = 0;
  for (std::uint32_t block = 0; block < channels_; ++block) {
    bool& channel = met[channel_of_block(block)];
    if (!channel) ++different;
    channel = true;
  }
  if (different == channels_) surely_all_ = 2 * std::uint64_t{channels_} - 2;
}

}  // namespace diffram::ctrl

#pragma once
// Which channels a run of bytes has bursts in: the one of each block of the interleave, found by
// table. Who asks first gives a run to these only, so a request costs nothing in all the others,
// however many there are. Where each block is one burst, its fields are the same look-up: no
// channel has to find its first burst again.

#include <array>
#include <bit>
#include <cstdint>
#include <memory>

#include "ctrl/address_walk.h"
#include "spec/memory.h"

namespace diffram::ctrl {

class ChannelFinder {
 public:
  static constexpr std::uint32_t kMostChannels = 256;  ///< Fields has 8 bits for them

  /// Without the tables of the memory no first burst is known.
  explicit ChannelFinder(const spec::AddressMap& map,
                         std::shared_ptr<const AddressTables> tables = nullptr);

  /// Calls `each(channel, first)` once for every channel that has a burst of the run; `bytes` > 0.
  /// `first` points to its first burst there (Channel::submit_from), or is null: not known.
  template <class Each>
  void for_each(std::uint64_t address, std::uint64_t bytes, Each each) const {
    if (tables_ != nullptr) {
      for_each_burst(address, bytes, each);
    } else {
      const AddressWalk::Cursor* const unknown = nullptr;
      for_each_block(address, bytes, [&](std::uint32_t channel) { each(channel, unknown); });
    }
  }

 private:
  // Each superblock has one burst of every channel; the first of the run may begin in its midst.
  template <class Each>
  void for_each_burst(std::uint64_t address, std::uint64_t bytes, Each& each) const {
    const AddressTables& tables = *tables_;
    const std::uint64_t first = address >> tables.burst_shift;
    AddressWalk::Cursor cursor;
    cursor.last = (address + bytes - 1) >> tables.burst_shift;
    cursor.super_index = first >> tables.super_shift;
    if (first == cursor.last) {
      cursor.burst = first;
      cursor.fields = tables.decode(first);
      return each(cursor.fields.channel(), &cursor);
    }
    const std::uint64_t super_word = tables.decode(first & ~tables.super_mask).word;
    const std::uint64_t begin = first & tables.super_mask;
    cursor.super_word = super_word;
    cursor.burst = first;
    for (std::uint64_t block = begin; block <= tables.super_mask; ++block) {
      cursor.fields.word = super_word ^ tables.block_word[block];
      each(cursor.fields.channel(), &cursor);
      if (cursor.burst++ == cursor.last) return;
    }
    // The channels whose burst of that superblock comes before the run.
    cursor.super_word ^= tables.super_flips[std::countr_zero(++cursor.super_index)];
    for (std::uint64_t before = 0; before < begin; ++before) {
      const std::uint64_t channel =
          (super_word ^ tables.block_word[before]) >> Fields::kChannelShift;
      const std::uint64_t own = (cursor.super_word >> Fields::kChannelShift) ^ channel;
      cursor.burst = (cursor.super_index << tables.super_shift) + tables.block_of[own];
      if (cursor.burst > cursor.last) continue;
      cursor.fields.word = cursor.super_word ^ tables.word_of[own];
      each(static_cast<std::uint32_t>(channel), &cursor);
    }
  }

  template <class Each>
  void for_each_block(std::uint64_t address, std::uint64_t bytes, Each each) const {
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

  std::uint32_t channel_of_block(std::uint64_t block) const {
    std::uint32_t channel = 0;
    for (std::size_t byte = 0; byte < bytes_; ++byte, block >>= 8)
      channel ^= by_byte_[byte][block & 255];
    return channel;
  }

  std::shared_ptr<const AddressTables> tables_;  ///< if each channel has a block of one burst
  std::uint32_t channels_ = 1;
  int block_shift_ = 0;  ///< log2 of the bytes that surely share a channel
  /// A run over more blocks has a burst in each channel.
  std::uint64_t surely_all_ = ~std::uint64_t{0};
  std::size_t bytes_ = 0;  ///< of a block's number that its channel depends on
  std::array<std::array<std::uint8_t, 256>, 8> by_byte_{};  ///< by byte of the block, its value
  std::array<std::uint8_t, 64> flips_{};                    ///< bits 0..k of the block flip
};

}  // namespace diffram::ctrl

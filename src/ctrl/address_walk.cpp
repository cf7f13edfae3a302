#include "ctrl/address_walk.h"

#include <algorithm>
#include <bit>

namespace diffram::ctrl {
namespace {

// Adds the bits of one field, at `shift` of the packed word, to what each address bit flips.
void spread(const std::vector<std::uint64_t>& masks, int shift, int burst_shift,
            std::array<std::uint64_t, 64>& bit_word) {
  for (std::size_t bit = 0; bit < masks.size(); ++bit) {
    for (int address_bit = burst_shift; address_bit < 64; ++address_bit) {
      if ((masks[bit] >> address_bit & 1) != 0) {
        bit_word[static_cast<std::size_t>(address_bit - burst_shift)] |=
            std::uint64_t{1} << (shift + static_cast<int>(bit));
      }
    }
  }
}

// The map may spell out the words inside a burst; a burst is addressed whole.
std::vector<std::uint64_t> burst_columns(const spec::MemorySpec& spec) {
  auto masks = spec.map.column;
  const auto wanted =
      static_cast<std::size_t>(std::countr_zero(std::bit_ceil(spec.organisation.bursts_per_row())));
  if (masks.size() > wanted) {
    masks.erase(masks.begin(), masks.begin() + static_cast<std::ptrdiff_t>(masks.size() - wanted));
  }
  return masks;
}

}  // namespace

AddressWalk::AddressWalk(const spec::MemorySpec& spec, std::uint32_t channel) : channel_(channel) {
  burst_shift_ = std::countr_zero(spec.organisation.burst_bytes());
  const auto& map = spec.map;
  int shift = Fields::kBankShift;
  spread(map.row, 0, burst_shift_, bit_word_);
  spread(burst_columns(spec), Fields::kColumnShift, burst_shift_, bit_word_);
  for (const auto* field : {&map.bank, &map.bank_group, &map.rank}) {
    spread(*field, shift, burst_shift_, bit_word_);
    shift += static_cast<int>(field->size());
  }
  spread(map.channel, Fields::kChannelShift, burst_shift_, bit_word_);

  byte_word_.resize(8);
  for (std::size_t byte = 0; byte < 8; ++byte) {
    for (std::size_t value = 1; value < 256; ++value) {
      const auto low = static_cast<std::size_t>(std::countr_zero(value));
      byte_word_[byte][value] = byte_word_[byte][value & (value - 1)] ^ bit_word_[8 * byte + low];
    }
  }
  std::uint64_t flipped = 0;
  for (std::size_t k = 0; k < 64; ++k) flips_[k] = flipped ^= bit_word_[k];

  for (std::size_t bit = 0; bit < std::min(map.channel.size(), channel_bits_.size()); ++bit) {
    channel_bits_[bit] = {map.channel[bit] >> burst_shift_, static_cast<int>(channel >> bit & 1)};
  }
  std::uint64_t channel_bits = 0;
  for (const std::uint64_t mask : map.channel) channel_bits |= mask >> burst_shift_;
  block_shift_ = channel_bits == 0 ? 0 : std::countr_zero(channel_bits);
  block_mask_ = channel_bits == 0 ? 0 : (std::uint64_t{1} << block_shift_) - 1;
  super_shift_ = block_shift_ + static_cast<int>(map.channel.size());
  super_mask_ = (std::uint64_t{1} << super_shift_) - 1;
  flipped = 0;
  for (std::size_t k = static_cast<std::size_t>(super_shift_); k < 64; ++k) {
    super_flips_[k - static_cast<std::size_t>(super_shift_)] = flipped ^= bit_word_[k];
  }

  const std::uint32_t blocks = std::uint32_t{1} << map.channel.size();
  own_block_.assign(blocks, blocks);
  for (std::uint32_t block = 0; block < blocks; ++block) {
    const Fields first = decode(std::uint64_t{block} << block_shift_);
    block_word_.push_back(first.word);
    own_block_[first.channel()] = block;
  }
  one_block_each_ = std::ranges::find(own_block_, blocks) == own_block_.end();
  has_single_blocks_ = one_block_each_ && block_mask_ == 0;
}

bool AddressWalk::start_long(Cursor& cursor) const {
  cursor.fields = decode(cursor.burst);
  const bool own = cursor.fields.channel() == channel_;
  cursor.super_index = cursor.burst >> super_shift_;
  const std::uint64_t in_superblock = cursor.burst - (cursor.super_index << super_shift_);
  cursor.super_word = cursor.fields.word ^ decode(in_superblock).word;
  if (own) return true;
  if (!one_block_each_) {
    cursor.burst = (cursor.burst | block_mask_) + 1;
    return search_block(cursor);
  }
  const std::uint64_t first = cursor.burst;
  place_in_superblock(cursor);
  if (cursor.burst < first) return enter_block(cursor);
  return cursor.burst <= cursor.last;
}

std::uint32_t AddressWalk::list(Cursor& cursor, Fields* bursts, std::uint32_t most,
                                bool& ended) const {
  std::uint32_t count = 0;
  ended = false;
  if (has_single_blocks_) return list_single(cursor, bursts, most, ended);
  while (count < most && !ended) {
    bursts[count++] = cursor.fields;
    ended = !next(cursor);
  }
  return count;
}

// Every other burst is another channel's, say: what `next` does, with all it needs in registers.
std::uint32_t AddressWalk::list_single(Cursor& cursor, Fields* bursts, std::uint32_t most,
                                       bool& ended) const {
  std::uint64_t index = cursor.super_index;
  std::uint64_t super_word = cursor.super_word;
  std::uint64_t burst = cursor.burst;
  std::uint64_t word = cursor.fields.word;
  const std::uint64_t last = cursor.last;
  const std::uint32_t channel = channel_;
  const int shift = super_shift_;
  const std::uint32_t* const own_block = own_block_.data();
  const std::uint64_t* const block_word = block_word_.data();
  const std::uint64_t* const flips = super_flips_.data();
  std::uint32_t count = 0;
  while (count < most) {
    bursts[count++].word = word;
    if (burst < last) {
      super_word ^= flips[std::countr_zero(++index)];
      const std::uint32_t block = own_block[(super_word >> Fields::kChannelShift) ^ channel];
      word = super_word ^ block_word[block];
      burst = (index << shift) + block;
      if (burst <= last) continue;
    }
    ended = true;
    break;
  }
  cursor.super_index = index;
  cursor.super_word = super_word;
  cursor.burst = burst;
  cursor.fields.word = word;
  return count;
}

bool AddressWalk::search_block(Cursor& cursor) const {
  for (; cursor.burst <= cursor.last; cursor.burst += block_mask_ + 1) {
    cursor.fields = decode(cursor.burst);
    if (cursor.fields.channel() == channel_) return true;
  }
  return false;
}

}  // namespace diffram::ctrl

#include "ctrl/address_walk.h"

#include <algorithm>
#include <bit>
#include <utility>

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

AddressTables::AddressTables(const spec::MemorySpec& spec) {
  burst_shift = std::countr_zero(spec.organisation.burst_bytes());
  const auto& map = spec.map;
  std::array<std::uint64_t, 64> bit_word{};  // fields that one burst-index bit flips
  int shift = Fields::kBankShift;
  spread(map.row, 0, burst_shift, bit_word);
  spread(burst_columns(spec), Fields::kColumnShift, burst_shift, bit_word);
  for (const auto* field : {&map.bank, &map.bank_group, &map.rank}) {
    spread(*field, shift, burst_shift, bit_word);
    shift += static_cast<int>(field->size());
  }
  spread(map.channel, Fields::kChannelShift, burst_shift, bit_word);

  for (std::size_t byte = 0; byte < byte_word.size(); ++byte) {
    for (std::size_t value = 1; value < 256; ++value) {
      const auto low = static_cast<std::size_t>(std::countr_zero(value));
      byte_word[byte][value] = byte_word[byte][value & (value - 1)] ^ bit_word[8 * byte + low];
    }
  }
  std::uint64_t flipped = 0;
  for (std::size_t k = 0; k < 64; ++k) flips[k] = flipped ^= bit_word[k];

  for (std::size_t bit = 0; bit < std::min(map.channel.size(), channel_masks.size()); ++bit) {
    channel_masks[bit] = map.channel[bit] >> burst_shift;
  }
  std::uint64_t channel_bits = 0;
  for (const std::uint64_t mask : map.channel) channel_bits |= mask >> burst_shift;
  block_shift = channel_bits == 0 ? 0 : std::countr_zero(channel_bits);
  block_mask = channel_bits == 0 ? 0 : (std::uint64_t{1} << block_shift) - 1;
  super_shift = block_shift + static_cast<int>(map.channel.size());
  super_mask = (std::uint64_t{1} << super_shift) - 1;
  flipped = 0;
  for (std::size_t k = static_cast<std::size_t>(super_shift); k < 64; ++k) {
    super_flips[k - static_cast<std::size_t>(super_shift)] = flipped ^= bit_word[k];
  }

  const std::uint32_t blocks = std::uint32_t{1} << map.channel.size();
  block_of.assign(blocks, blocks);
  word_of.assign(blocks, 0);
  for (std::uint32_t block = 0; block < blocks; ++block) {
    const Fields first = decode(std::uint64_t{block} << block_shift);
    block_word.push_back(first.word);
    block_of[first.channel()] = block;
    word_of[first.channel()] = first.word;
  }
  one_block_each = std::ranges::find(block_of, blocks) == block_of.end();
  has_single_blocks = one_block_each && block_mask == 0;
}

AddressWalk::AddressWalk(std::shared_ptr<const AddressTables> tables, std::uint32_t channel)
    : tables_(std::move(tables)), channel_(channel) {
  for (std::size_t bit = 0; bit < channel_bits_.size(); ++bit) {
    const std::uint64_t mask = tables_->channel_masks[bit];
    if (mask != 0) channel_bits_[bit] = {mask, static_cast<int>(channel >> bit & 1)};
  }
}

// The run may begin in the midst of a block of several bursts, ours or not.
bool AddressWalk::start_within_block(Span run, Cursor& cursor) const {
  cursor.fields.word = cursor.super_word ^ tables_->decode(run.first & tables_->super_mask).word;
  if (cursor.fields.channel() == channel_) return true;
  if (tables_->one_block_each) return start_in_own_block(run, cursor);
  cursor.burst = (cursor.burst | tables_->block_mask) + 1;
  return search_block(cursor);
}

AddressWalk::Listed AddressWalk::list_blocks(Cursor& cursor, Fields* bursts,
                                             std::uint32_t most) const {
  Listed listed;
  while (listed.count < most && !listed.all) {
    bursts[listed.count++] = cursor.fields;
    listed.all = !next(cursor);
  }
  return listed;
}

bool AddressWalk::search_block(Cursor& cursor) const {
  for (; cursor.burst <= cursor.last; cursor.burst += tables_->block_mask + 1) {
    cursor.fields = tables_->decode(cursor.burst);
    if (cursor.fields.channel() == channel_) return true;
  }
  return false;
}

}  // namespace diffram::ctrl

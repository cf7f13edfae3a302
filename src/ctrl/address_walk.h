#pragma once
// From a run of bytes to this channel's bursts, in address order.
//
// An address map is linear over bits (every output bit is a parity), so the fields of the next
// burst are those of this one XOR a constant that depends only on which address bits flip. Blocks
// of the channel's interleave that belong to other channels are stepped over whole: in the usual
// case (the channel is a one-to-one function of the bits just above the interleave, given all
// others) exactly one block of a superblock is ours, and its index is a table look-up.

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "spec/memory.h"

namespace diffram::ctrl {

/// All fields of a burst in one word, so that one XOR moves them all.
struct Fields {
  static constexpr int kColumnShift = 28, kBankShift = 44, kChannelShift = 56;
  std::uint64_t word = 0;

  std::uint32_t row() const { return static_cast<std::uint32_t>(word & 0x0FFF'FFFF); }
  std::uint32_t column() const { return static_cast<std::uint32_t>(word >> kColumnShift) & 0xFFFF; }
  std::uint32_t bank() const { return static_cast<std::uint32_t>(word >> kBankShift) & 0xFFF; }
  /// Equal for the bursts of a row; not a number of anything.
  std::uint64_t bank_and_row() const {
    constexpr std::uint64_t kColumns = std::uint64_t{0xFFFF} << kColumnShift;
    return word & ~kColumns;
  }
  std::uint32_t channel() const { return static_cast<std::uint32_t>(word >> kChannelShift); }
};

/// What the walks of all channels of a memory share.
struct AddressTables {
  explicit AddressTables(const spec::MemorySpec& spec);

  /// Fields of any burst, a byte of its index at a time.
  Fields decode(std::uint64_t burst) const {
    Fields fields{byte_word[0][burst & 255] ^ byte_word[1][burst >> 8 & 255] ^
                  byte_word[2][burst >> 16 & 255] ^ byte_word[3][burst >> 24 & 255]};
    for (std::size_t byte = 4; (burst >>= 8) >> 24 != 0; ++byte) {
      fields.word ^= byte_word[byte][burst >> 24 & 255];
    }
    return fields;
  }

  int burst_shift = 0;  ///< log2 of the bytes of a burst
  int block_shift = 0;  ///< log2 of the bursts that share a channel
  int super_shift = 0;  ///< log2 of the bursts of a superblock
  std::uint64_t block_mask = 0, super_mask = 0;
  bool one_block_each = false;
  bool has_single_blocks = false;                ///< one block each, of one burst
  std::array<std::uint64_t, 3> channel_masks{};  ///< of the first three bits of the channel
  std::array<std::uint64_t, 64> flips{};         ///< bits 0..k flip
  std::array<std::uint64_t, 64> super_flips{};   ///< bits super_shift..super_shift + k flip
  std::vector<std::uint64_t> block_word;  ///< by block of superblock 0: fields of its first burst
  // By channel, if each has one: its block of superblock 0, and that block's `block_word`.
  std::vector<std::uint32_t> block_of;
  std::vector<std::uint64_t> word_of;
  std::array<std::array<std::uint64_t, 256>, 8> byte_word{};  ///< by byte of the index, its value
};

class AddressWalk {
 public:
  struct Cursor {
    std::uint64_t burst = 0, last = 0;  ///< in bursts of the whole memory
    Fields fields;
    std::uint64_t super_index = 0;
    std::uint64_t super_word = 0;  ///< fields of the superblock's first burst
  };

  AddressWalk(std::shared_ptr<const AddressTables> tables, std::uint32_t channel);

  /// The bursts of a run, of the whole memory.
  struct Span {
    std::uint64_t first = 0, last = 0;
  };
  Span span_of(std::uint64_t address, std::uint64_t bytes) const {
    const int shift = tables_->burst_shift;
    return {address >> shift, (address + bytes - 1) >> shift};
  }
  /// The fields of a burst; false if it is another channel's, as most are.
  bool find(std::uint64_t burst, Fields& fields) const {
    if (channel_bits_[2].mask == 0) {
      if (!channel_bits_[0].is_ours(burst)) return false;
      if (channel_bits_[1].mask != 0 && !channel_bits_[1].is_ours(burst)) return false;
      fields = tables_->decode(burst);
      return true;
    }
    fields = tables_->decode(burst);
    return fields.channel() == channel_;
  }
  /// Does a run lie where each channel has one burst at most, and `find_one` its only one?
  bool is_one_at_most(Span run) const {
    return tables_->has_single_blocks && (run.first ^ run.last) >> tables_->super_shift == 0;
  }
  bool find_one(Span run, Fields& fields) const {
    const std::uint64_t in_superblock = run.first & tables_->super_mask;
    const std::uint64_t super_word = tables_->decode(run.first ^ in_superblock).word;
    const std::uint32_t own = of_superblock(super_word);
    const std::uint64_t block = tables_->block_of[own];
    if (block < in_superblock || block > (run.last & tables_->super_mask)) return false;
    fields.word = super_word ^ tables_->word_of[own];
    return true;
  }
  /// The run's first burst in this channel; false if it has none.
  bool start(Span run, Cursor& cursor) const {
    cursor.burst = run.first;
    cursor.last = run.last;
    if (run.first == run.last) return find(run.first, cursor.fields);
    cursor.super_index = run.first >> tables_->super_shift;
    cursor.super_word = tables_->decode(run.first & ~tables_->super_mask).word;
    return tables_->has_single_blocks ? start_in_own_block(run, cursor)
                                      : start_within_block(run, cursor);
  }

  /// Where each block has one burst: is the cursor's burst the run's last one in this channel?
  bool is_in_last_superblock(const Cursor& cursor) const {
    return cursor.super_index == cursor.last >> tables_->super_shift;
  }

  /// The next burst in this channel; false at the end of the run.
  bool next(Cursor& cursor) const {
    if (cursor.burst >= cursor.last) return false;
    ++cursor.burst;
    if ((cursor.burst & tables_->block_mask) != 0) {
      cursor.fields.word ^= tables_->flips[__builtin_ctzll(cursor.burst)];
      return true;
    }
    return enter_block(cursor);
  }

  struct Listed {
    std::uint32_t count = 0;
    bool all = false;  ///< the run has no more
  };
  /// The burst of the cursor and those after it, `most` at most, and the cursor behind them.
  Listed list(Cursor& cursor, Fields* bursts, std::uint32_t most) const {
    if (tables_->has_single_blocks) return list_single(cursor, bursts, most);
    return list_blocks(cursor, bursts, most);
  }

 private:
  /// The channel of superblock 0 whose block is ours here.
  std::uint32_t of_superblock(std::uint64_t super_word) const {
    return static_cast<std::uint32_t>(super_word >> Fields::kChannelShift) ^ channel_;
  }
  // Its superblock is known.
  bool start_in_own_block(Span run, Cursor& cursor) const {
    place_in_superblock(cursor);
    if (cursor.burst < run.first) return enter_block(cursor);
    return cursor.burst <= cursor.last;
  }
  bool start_within_block(Span run, Cursor& cursor) const;
  bool enter_block(Cursor& cursor) const {
    if (!tables_->one_block_each) return search_block(cursor);
    ++cursor.super_index;
    cursor.super_word ^= tables_->super_flips[__builtin_ctzll(cursor.super_index)];
    place_in_superblock(cursor);
    return cursor.burst <= cursor.last;
  }
  void place_in_superblock(Cursor& cursor) const {
    const std::uint32_t own = of_superblock(cursor.super_word);
    cursor.burst = (cursor.super_index << tables_->super_shift) +
                   (std::uint64_t{tables_->block_of[own]} << tables_->block_shift);
    cursor.fields.word = cursor.super_word ^ tables_->word_of[own];
  }
  bool search_block(Cursor& cursor) const;
  Listed list_blocks(Cursor& cursor, Fields* bursts, std::uint32_t most) const;
  Listed list_single(Cursor& cursor, Fields* bursts, std::uint32_t most) const;

  std::shared_ptr<const AddressTables> tables_;
  std::uint32_t channel_;
  /// A bit of the channel: the burst-index bits whose parity it is, and its value in ours.
  struct ChannelBit {
    std::uint64_t mask = 0;
    int value = 0;
    bool is_ours(std::uint64_t burst) const { return __builtin_parityll(burst & mask) == value; }
  };
  std::array<ChannelBit, 3> channel_bits_{};  ///< the first three
};

// Every other burst is another channel's, say: what `next` does, with all it needs in registers.
// Each superblock but the run's last has one of ours for sure.
inline AddressWalk::Listed AddressWalk::list_single(Cursor& cursor, Fields* bursts,
                                                    std::uint32_t most) const {
  const int shift = tables_->super_shift;
  const std::uint64_t sure = (cursor.last >> shift) - cursor.super_index;
  Listed listed{static_cast<std::uint32_t>(std::min<std::uint64_t>(sure, most))};
  std::uint64_t index = cursor.super_index;
  std::uint64_t super_word = cursor.super_word;
  std::uint64_t word = cursor.fields.word;
  const std::uint32_t channel = channel_;
  const std::uint64_t* const word_of = tables_->word_of.data();
  const std::uint64_t* const flips = tables_->super_flips.data();
  for (std::uint32_t i = 0; i < listed.count; ++i) {
    bursts[i].word = word;
    super_word ^= flips[__builtin_ctzll(++index)];
    word = super_word ^ word_of[(super_word >> Fields::kChannelShift) ^ channel];
  }
  cursor.super_index = index;
  cursor.super_word = super_word;
  cursor.burst = (index << shift) + tables_->block_of[of_superblock(super_word)];
  cursor.fields.word = word;
  listed.all = cursor.burst > cursor.last;
  if (!listed.all && listed.count < most) {
    bursts[listed.count++].word = word;
    listed.all = true;
  }
  return listed;
}

}  // namespace diffram::ctrl

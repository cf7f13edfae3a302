#pragma once
// A set of banks or queues, in words: which are not empty, which are full, which are frozen. An HBM
// stack of a big configuration has over a thousand queues, a DIMM has 32.

#include <bit>
#include <cstdint>
#include <vector>

namespace diffram::ctrl::compat {

class BitMask {
 public:
  explicit BitMask(std::size_t bits) : count_((bits + 63) / 64), words_(count_) {}

  void add(std::uint32_t bit) { words_[bit >> 6] |= std::uint64_t{1} << (bit & 63); }
  void remove(std::uint32_t bit) { words_[bit >> 6] &= ~(std::uint64_t{1} << (bit & 63)); }
  bool has(std::uint32_t bit) const { return (words_[bit >> 6] >> (bit & 63) & 1) != 0; }
  std::size_t words() const { return count_; }
  std::uint64_t word(std::size_t index) const { return words_[index]; }

 private:
  std::size_t count_;
  std::vector<std::uint64_t> words_;
};

/// The lowest bit of a word that is not 0, which loses it.
inline std::uint32_t take_lowest(std::uint64_t& word) {
  const auto bit = static_cast<std::uint32_t>(std::countr_zero(word));
  word &= word - 1;
  return bit;
}

}  // namespace diffram::ctrl::compat

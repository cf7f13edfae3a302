#pragma once
// A seeded one-to-one shuffle of 0..count−1 without a table: 80 GB in 4 KiB pages would be 20
// million entries. A Feistel network permutes the next even power of two; a page that lands beyond
// the end walks on until it is inside (cycle walking; Black & Rogaway, "Ciphers with arbitrary
// finite domains", CT-RSA 2002), on average less than four steps.

#include <cstdint>

namespace diffram::lower {

class PagePermutation {
 public:
  PagePermutation(std::uint64_t count, std::uint64_t seed);

  /// `page` < count.
  std::uint64_t operator()(std::uint64_t page) const;

 private:
  std::uint64_t once(std::uint64_t page) const;

  std::uint64_t count_;
  std::uint64_t seed_;
  unsigned half_bits_ = 1;
};

}  // namespace diffram::lower

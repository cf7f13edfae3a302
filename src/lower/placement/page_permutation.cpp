#include "lower/placement/page_permutation.h"

#include <bit>

namespace diffram::lower {

namespace {

/// Four rounds make a Feistel network a strong pseudo-random permutation (Luby & Rackoff, 1988).
constexpr std::uint64_t kRounds = 4;

/// The output function of SplitMix64 (Steele, Lea & Flood, OOPSLA 2014).
std::uint64_t mixed(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
  return x ^ (x >> 31);
}

}  // namespace

PagePermutation::PagePermutation(std::uint64_t count, std::uint64_t seed)
    : count_(count), seed_(mixed(seed)) {
  const auto bits = static_cast<unsigned>(count > 1 ? std::bit_width(count - 1) : 1);
  half_bits_ = (bits + 1) / 2;
}

std::uint64_t PagePermutation::once(std::uint64_t page) const {
  const std::uint64_t mask = (std::uint64_t{1} << half_bits_) - 1;
  std::uint64_t left = page >> half_bits_, right = page & mask;
  for (std::uint64_t round = 0; round < kRounds; ++round) {
    const std::uint64_t next = left ^ (mixed(right ^ seed_ ^ (round << 56)) & mask);
    left = right;
    right = next;
  }
  return left << half_bits_ | right;
}

std::uint64_t PagePermutation::operator()(std::uint64_t page) const {
  do {
    page = once(page);
  } while (page >= count_);
  return page;
}

}  // namespace diffram::lower

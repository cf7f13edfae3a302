#include "ctrl/compat/bank_lanes.h"

#include <algorithm>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace diffram::ctrl::compat {

BankLanes::BankLanes(std::uint32_t banks, dram::SimdPath path)
    : stride_((banks + kLanesOfBlock - 1) / kLanesOfBlock * kLanesOfBlock),
      lanes_(stride_ / kLanesOfBlock * kBlockSize, 0),
      ready_(stride_, 0),
      mask_((stride_ + 63) / 64, 0),
      kernels_(kernels_for(path)) {
  for (std::uint32_t bank = 0; bank < stride_; ++bank) {
    for (const Row row : {kNoActivate, kNoPrecharge, kNoRead, kNoWrite}) at(row, bank) = kNearNever;
  }
}

Near BankLanes::least_plain(BankLanes& lanes, Near floor) {
  const Near* block = lanes.lanes_.data();
  Near least = kNearNever;
  for (std::size_t first = 0; first < lanes.stride_; first += kLanesOfBlock, block += kBlockSize) {
    Near* ready = lanes.ready_.data() + first;
    for (std::size_t i = 0; i < kLanesOfBlock; ++i) {
      const auto asked = [&](Row time, Row unless) {
        return std::max(block[time * kLanesOfBlock + i], block[unless * kLanesOfBlock + i]);
      };
      const Near row = std::min(asked(kActivate, kNoActivate), asked(kPrecharge, kNoPrecharge));
      const Near column = std::min(asked(kRead, kNoRead), asked(kWrite, kNoWrite));
      ready[i] = std::max(std::min(row, column), block[kFrozen * kLanesOfBlock + i]);
    }
    for (std::size_t i = 0; i < kLanesOfBlock; ++i) least = std::min(least, ready[i]);
  }
  if (least == kNearNever) return least;
  least = std::max(least, floor);
  for (std::size_t word = 0; word < lanes.mask_.size(); ++word) {
    std::uint64_t bits = 0;
    const std::size_t end = std::min(lanes.stride_, word * 64 + 64);
    for (std::size_t bank = end; bank > word * 64; --bank)
      bits = bits << 1 | std::uint64_t{lanes.ready_[bank - 1] <= least};
    lanes.mask_[word] = bits;
  }
  return least;
}

void BankLanes::push_plain(BankLanes& lanes, Row row, const Near* offsets, Near t) {
  Near* times = lanes.lanes_.data() + row * kLanesOfBlock;
  for (std::size_t first = 0; first < lanes.stride_; first += kLanesOfBlock, times += kBlockSize) {
    for (std::size_t i = 0; i < kLanesOfBlock; ++i)
      times[i] = std::max(times[i], t + offsets[first + i]);
  }
}

void BankLanes::push_columns_plain(BankLanes& lanes, const Near* offsets, Near t) {
  push_plain(lanes, kRead, offsets, t);
  push_plain(lanes, kWrite, offsets + lanes.stride_, t);
}

#if defined(__x86_64__)
namespace {

[[gnu::target("avx2"), gnu::always_inline]] inline __m256i load(const Near* from) {
  return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from));
}

/// When the eight banks of a block can act.
[[gnu::target("avx2"), gnu::always_inline]] inline __m256i ready_of_block(const Near* block) {
  constexpr std::size_t kLanes = 8;
  const __m256i activate = _mm256_max_epi32(load(block + BankLanes::kActivate * kLanes),
                                            load(block + BankLanes::kNoActivate * kLanes));
  const __m256i precharge = _mm256_max_epi32(load(block + BankLanes::kPrecharge * kLanes),
                                             load(block + BankLanes::kNoPrecharge * kLanes));
  const __m256i read = _mm256_max_epi32(load(block + BankLanes::kRead * kLanes),
                                        load(block + BankLanes::kNoRead * kLanes));
  const __m256i write = _mm256_max_epi32(load(block + BankLanes::kWrite * kLanes),
                                         load(block + BankLanes::kNoWrite * kLanes));
  return _mm256_max_epi32(
      _mm256_min_epi32(_mm256_min_epi32(activate, precharge), _mm256_min_epi32(read, write)),
      load(block + BankLanes::kFrozen * kLanes));
}

[[gnu::target("avx2"), gnu::always_inline]] inline Near least_lane(__m256i lanes) {
  __m128i half = _mm_min_epi32(_mm256_castsi256_si128(lanes), _mm256_extracti128_si256(lanes, 1));
  half = _mm_min_epi32(half, _mm_shuffle_epi32(half, 0x4E));
  half = _mm_min_epi32(half, _mm_shuffle_epi32(half, 0xB1));
  return _mm_cvtsi128_si32(half);
}

/// Bit i: lane i is above the limit.
[[gnu::target("avx2"), gnu::always_inline]] inline std::uint32_t later_lanes(__m256i lanes,
                                                                             __m256i limit) {
  const __m256i later = _mm256_cmpgt_epi32(lanes, limit);
  return static_cast<std::uint32_t>(_mm256_movemask_ps(_mm256_castsi256_ps(later)));
}

}  // namespace

[[gnu::target("avx2")]] void BankLanes::push_wide(BankLanes& lanes, Row row, const Near* offsets,
                                                  Near t) {
  Near* times = lanes.lanes_.data() + row * kLanesOfBlock;
  const Near* const end = offsets + lanes.stride_;
  const __m256i from = _mm256_set1_epi32(t);
  for (; offsets != end; offsets += kLanesOfBlock, times += kBlockSize) {
    const __m256i to = _mm256_add_epi32(from, load(offsets));
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(times), _mm256_max_epi32(load(times), to));
  }
}

[[gnu::target("avx2")]] void BankLanes::push_columns_wide(BankLanes& lanes, const Near* offsets,
                                                          Near t) {
  static_assert(kWrite == kRead + 1);
  Near* times = lanes.lanes_.data() + kRead * kLanesOfBlock;
  const std::size_t stride = lanes.stride_;
  const Near* const end = offsets + stride;
  const __m256i from = _mm256_set1_epi32(t);
  for (; offsets != end; offsets += kLanesOfBlock, times += kBlockSize) {
    const __m256i read = _mm256_add_epi32(from, load(offsets));
    const __m256i write = _mm256_add_epi32(from, load(offsets + stride));
    auto* to = reinterpret_cast<__m256i*>(times);
    _mm256_storeu_si256(to, _mm256_max_epi32(load(times), read));
    _mm256_storeu_si256(to + 1, _mm256_max_epi32(load(times + kLanesOfBlock), write));
  }
}

// Any number of banks: two passes, the times of the first kept for the second.
[[gnu::target("avx2")]] Near BankLanes::least_wide(BankLanes& lanes, Near floor) {
  const std::size_t stride = lanes.stride_;
  Near* out = lanes.ready_.data();
  const Near* block = lanes.lanes_.data();
  __m256i least = _mm256_set1_epi32(kNearNever);
  for (std::size_t i = 0; i < stride; i += kLanesOfBlock, block += kBlockSize) {
    const __m256i ready = ready_of_block(block);
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(out + i), ready);
    least = _mm256_min_epi32(least, ready);
  }
  const Near first = least_lane(least);
  if (first == kNearNever) return first;
  const Near at = first > floor ? first : floor;
  const __m256i limit = _mm256_set1_epi32(at);
  for (std::size_t word = 0; word * 64 < stride; ++word) {
    std::uint64_t late = 0;
    const std::size_t end = std::min(stride, word * 64 + 64);
    for (std::size_t i = word * 64; i < end; i += kLanesOfBlock)
      late |= std::uint64_t{later_lanes(load(out + i), limit)} << (i % 64);
    const std::size_t bits = end - word * 64;
    lanes.mask_[word] = ~late & (~std::uint64_t{0} >> (64 - bits));
  }
  return at;
}

// The usual numbers of banks: the times stay in registers.
template <std::size_t kBlocks>
[[gnu::target("avx2")]] Near BankLanes::least_of_blocks(BankLanes& lanes, Near floor) {
  const Near* block = lanes.lanes_.data();
  __m256i ready[kBlocks];
#pragma GCC unroll 8
  for (std::size_t i = 0; i < kBlocks; ++i) ready[i] = ready_of_block(block + i * kBlockSize);
  __m256i least = ready[0];
#pragma GCC unroll 8
  for (std::size_t i = 1; i < kBlocks; ++i) least = _mm256_min_epi32(least, ready[i]);
  const Near first = least_lane(least);
  if (first == kNearNever) return first;
  const Near at = first > floor ? first : floor;
  const __m256i limit = _mm256_set1_epi32(at);
  std::uint64_t late = 0;
#pragma GCC unroll 8
  for (std::size_t i = 0; i < kBlocks; ++i)
    late |= std::uint64_t{later_lanes(ready[i], limit)} << (i * kLanesOfBlock);
  lanes.mask_[0] = ~late & (~std::uint64_t{0} >> (64 - kBlocks * kLanesOfBlock));
  return at;
}
#endif

BankLanes::Kernels BankLanes::kernels_for([[maybe_unused]] dram::SimdPath path) const {
#if defined(__x86_64__)
  if (path == dram::SimdPath::avx2 && dram::is_available(path)) {
    switch (stride_ / kLanesOfBlock) {
      case 1:
        return {&least_of_blocks<1>, &push_wide, &push_columns_wide};
      case 2:
        return {&least_of_blocks<2>, &push_wide, &push_columns_wide};
      case 4:
        return {&least_of_blocks<4>, &push_wide, &push_columns_wide};
      case 8:
        return {&least_of_blocks<8>, &push_wide, &push_columns_wide};
      default:
        return {&least_wide, &push_wide, &push_columns_wide};
    }
  }
#endif
  return {&least_plain, &push_plain, &push_columns_plain};
}

// A time before the base is as good as the base: nothing asks for an earlier one any more.
void BankLanes::move_base(Tick now) {
  const auto by = static_cast<std::int64_t>(now - base_);
  base_ = now;
  for (std::uint32_t bank = 0; bank < stride_; ++bank) {
    for (const Row row : {kActivate, kPrecharge, kRead, kWrite}) {
      Near& time = at(row, bank);
      if (time != kNearNever) time = static_cast<Near>(std::max<std::int64_t>(time - by, 0));
    }
  }
}

}  // namespace diffram::ctrl::compat

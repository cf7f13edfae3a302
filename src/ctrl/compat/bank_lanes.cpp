#include "ctrl/compat/bank_lanes.h"

#include <algorithm>

#include "ctrl/compat/four_lanes.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace diffram::ctrl::compat {

BankLanes::BankLanes(std::uint32_t banks, dram::SimdPath path)
    : stride_((banks + kLanesOfBlock - 1) / kLanesOfBlock * kLanesOfBlock),
      lanes_(stride_ / kLanesOfBlock * kBlockSize),
      ready_(stride_),
      mask_((stride_ + 63) / 64, 0),
      kernels_(kernels_for(path)) {
  for (std::uint32_t bank = 0; bank < stride_; ++bank) {
    for (const Row row : {kNoActivate, kNoPrecharge, kNoRead, kNoWrite}) at(row, bank) = kNearNever;
  }
}

Near BankLanes::least_by_four(BankLanes& lanes, Near floor) {
  const std::size_t stride = lanes.stride_;
  Near* const ready = lanes.ready_.data();
  const Near* block = lanes.lanes_.data();
  Four least = all_four(kNearNever);
  for (std::size_t first = 0; first < stride; first += kLanesOfBlock, block += kBlockSize) {
    for (std::size_t i = 0; i < kLanesOfBlock; i += kFour) {
      const auto row = [&](Row which) { return load_four(block + which * kLanesOfBlock + i); };
      const Four activate_or_precharge =
          (row(kActivate) | row(kNoActivate)) & (row(kPrecharge) | row(kNoPrecharge));
      const Four column = lesser(row(kRead) | row(kNoRead), row(kWrite) | row(kNoWrite));
      const Four at = lesser(activate_or_precharge, column) | row(kFrozen);
      store_four(at, ready + first + i);
      least = lesser(least, at);
    }
  }
  const Near soonest = least_of(least);
  if (soonest == kNearNever) return soonest;
  const Near at = std::max(soonest, floor);
  const Four limit = all_four(at);
  for (std::size_t word = 0; word * 64 < stride; ++word) {
    std::uint64_t late = 0;
    const std::size_t end = std::min(stride, word * 64 + 64);
    for (std::size_t i = word * 64; i < end; i += kFour)
      late |= std::uint64_t{bits_of(load_four(ready + i) > limit)} << (i % 64);
    lanes.mask_[word] = ~late & (~std::uint64_t{0} >> (64 - (end - word * 64)));
  }
  return at;
}

void BankLanes::push_columns_by_four(BankLanes& lanes, const Near* offsets, Near t) {
  const std::size_t stride = lanes.stride_;
  Near* times = lanes.lanes_.data();
  const Four from = all_four(t);
  for (std::size_t first = 0; first < stride; first += kLanesOfBlock, times += kBlockSize) {
    for (std::size_t i = 0; i < kLanesOfBlock; i += kFour) {
      const auto push = [&](Row row, const Near* by) {
        Near* to = times + row * kLanesOfBlock + i;
        store_four(greater(load_four(to), from + load_four(by + first + i)), to);
      };
      push(kRead, offsets);
      push(kWrite, offsets + stride);
    }
  }
}

void BankLanes::push_activates_by_four(BankLanes& lanes, Blocks blocks, const Near* offsets, Near t,
                                       Near window) {
  Near* times = lanes.lanes_.data() + kActivate * kLanesOfBlock + blocks.first * kBlockSize;
  const std::size_t stride = lanes.stride_, end = blocks.end * kLanesOfBlock;
  const Four from = all_four(t), from_window = all_four(window);
  for (std::size_t first = blocks.first * kLanesOfBlock; first < end;
       first += kLanesOfBlock, times += kBlockSize) {
    for (std::size_t i = 0; i < kLanesOfBlock; i += kFour) {
      const Near* by = offsets + first + i;
      const Four to = greater(from + load_four(by), from_window + load_four(by + stride));
      store_four(greater(load_four(times + i), to), times + i);
    }
  }
}

#if defined(__x86_64__)
namespace {

[[gnu::target("avx2"), gnu::always_inline]] inline __m256i load(const Near* from) {
  return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from));
}

/// When the eight banks of a block can act.
[[gnu::target("avx2"), gnu::always_inline]] inline __m256i ready_of_block(const Near* block) {
  constexpr std::size_t kLanes = 8;
  const __m256i activate = _mm256_or_si256(load(block + BankLanes::kActivate * kLanes),
                                           load(block + BankLanes::kNoActivate * kLanes));
  const __m256i precharge = _mm256_or_si256(load(block + BankLanes::kPrecharge * kLanes),
                                            load(block + BankLanes::kNoPrecharge * kLanes));
  const __m256i read = _mm256_or_si256(load(block + BankLanes::kRead * kLanes),
                                       load(block + BankLanes::kNoRead * kLanes));
  const __m256i write = _mm256_or_si256(load(block + BankLanes::kWrite * kLanes),
                                        load(block + BankLanes::kNoWrite * kLanes));
  return _mm256_or_si256(
      _mm256_min_epi32(_mm256_and_si256(activate, precharge), _mm256_min_epi32(read, write)),
      load(block + BankLanes::kFrozen * kLanes));
}

/// The least lane, in all lanes: no way through the integer registers before the comparison.
[[gnu::target("avx2"), gnu::always_inline]] inline __m256i least_lane(__m256i lanes) {
  lanes = _mm256_min_epi32(lanes, _mm256_permute4x64_epi64(lanes, 0x4E));
  lanes = _mm256_min_epi32(lanes, _mm256_shuffle_epi32(lanes, 0x4E));
  return _mm256_min_epi32(lanes, _mm256_shuffle_epi32(lanes, 0xB1));
}

/// Bit i: lane i is above the limit.
[[gnu::target("avx2"), gnu::always_inline]] inline std::uint32_t later_lanes(__m256i lanes,
                                                                             __m256i limit) {
  const __m256i later = _mm256_cmpgt_epi32(lanes, limit);
  return static_cast<std::uint32_t>(_mm256_movemask_ps(_mm256_castsi256_ps(later)));
}

}  // namespace

[[gnu::target("avx2")]] void BankLanes::push_activates_wide(BankLanes& lanes, Blocks blocks,
                                                            const Near* offsets, Near t,
                                                            Near window) {
  Near* times = lanes.lanes_.data() + kActivate * kLanesOfBlock + blocks.first * kBlockSize;
  const std::size_t stride = lanes.stride_;
  const Near* const end = offsets + blocks.end * kLanesOfBlock;
  const __m256i from = _mm256_set1_epi32(t), from_window = _mm256_set1_epi32(window);
  for (offsets += blocks.first * kLanesOfBlock; offsets != end;
       offsets += kLanesOfBlock, times += kBlockSize) {
    const __m256i to = _mm256_max_epi32(_mm256_add_epi32(from, load(offsets)),
                                        _mm256_add_epi32(from_window, load(offsets + stride)));
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
  const __m256i limit = _mm256_max_epi32(least_lane(least), _mm256_set1_epi32(floor));
  for (std::size_t word = 0; word * 64 < stride; ++word) {
    std::uint64_t late = 0;
    const std::size_t end = std::min(stride, word * 64 + 64);
    for (std::size_t i = word * 64; i < end; i += kLanesOfBlock)
      late |= std::uint64_t{later_lanes(load(out + i), limit)} << (i % 64);
    const std::size_t bits = end - word * 64;
    lanes.mask_[word] = ~late & (~std::uint64_t{0} >> (64 - bits));
  }
  return _mm256_cvtsi256_si32(limit);
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
  const __m256i limit = _mm256_max_epi32(least_lane(least), _mm256_set1_epi32(floor));
  std::uint64_t late = 0;
#pragma GCC unroll 8
  for (std::size_t i = 0; i < kBlocks; ++i)
    late |= std::uint64_t{later_lanes(ready[i], limit)} << (i * kLanesOfBlock);
  lanes.mask_[0] = ~late & (~std::uint64_t{0} >> (64 - kBlocks * kLanesOfBlock));
  return _mm256_cvtsi256_si32(limit);
}
#endif

BankLanes::Kernels BankLanes::kernels_for([[maybe_unused]] dram::SimdPath path) const {
#if defined(__x86_64__)
  if (path == dram::SimdPath::avx2 && dram::is_available(path)) {
    switch (stride_ / kLanesOfBlock) {
      case 1:
        return {&least_of_blocks<1>, &push_columns_wide, &push_activates_wide};
      case 2:
        return {&least_of_blocks<2>, &push_columns_wide, &push_activates_wide};
      case 4:
        return {&least_of_blocks<4>, &push_columns_wide, &push_activates_wide};
      case 8:
        return {&least_of_blocks<8>, &push_columns_wide, &push_activates_wide};
      default:
        return {&least_wide, &push_columns_wide, &push_activates_wide};
    }
  }
#endif
  return {&least_by_four, &push_columns_by_four, &push_activates_by_four};
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

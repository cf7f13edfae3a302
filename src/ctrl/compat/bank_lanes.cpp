#include "ctrl/compat/bank_lanes.h"

#include <algorithm>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace diffram::ctrl::compat {

BankLanes::BankLanes(std::uint32_t banks, bool wide)
    : stride_((banks + kLanesOfBlock - 1) / kLanesOfBlock * kLanesOfBlock),
      lanes_(stride_ * kRows, 0),
      ready_(stride_, 0),
      mask_((stride_ + 63) / 64, 0),
      kernels_(kernels_for(wide)) {
  std::fill(row(kNoActivate), row(kFrozen), kNearNever);
}

Near BankLanes::ready(std::uint32_t bank) const {
  const auto asked = [&](Row time, Row unless) {
    return std::max(at(time, bank), at(unless, bank));
  };
  return std::min(std::min(asked(kActivate, kNoActivate), asked(kPrecharge, kNoPrecharge)),
                  std::min(asked(kRead, kNoRead), asked(kWrite, kNoWrite)));
}

Near BankLanes::least_plain(BankLanes& lanes, Near floor) {
  Near least = kNearNever;
  for (std::uint32_t bank = 0; bank < lanes.stride_; ++bank) {
    lanes.ready_[bank] = std::max(lanes.ready(bank), lanes.at(kFrozen, bank));
    least = std::min(least, lanes.ready_[bank]);
  }
  if (least == kNearNever) return least;
  least = std::max(least, floor);
  std::fill(lanes.mask_.begin(), lanes.mask_.end(), 0);
  for (std::size_t bank = 0; bank < lanes.stride_; ++bank)
    lanes.mask_[bank / 64] |= std::uint64_t{lanes.ready_[bank] <= least} << (bank % 64);
  return least;
}

void BankLanes::push_plain(BankLanes& lanes, const Near* read, const Near* write, Near t) {
  Near* reads = lanes.row(kRead);
  Near* writes = lanes.row(kWrite);
  for (std::size_t i = 0; i < lanes.stride_; ++i) {
    reads[i] = std::max(reads[i], t + read[i]);
    writes[i] = std::max(writes[i], t + write[i]);
  }
}

#if defined(__x86_64__)
[[gnu::target("avx2")]] void BankLanes::push_wide(BankLanes& lanes, const Near* read,
                                                  const Near* write, Near t) {
  Near* reads = lanes.row(kRead);
  Near* writes = lanes.row(kWrite);
  const __m256i from = _mm256_set1_epi32(t);
  const auto push = [from](Near* times, const Near* offsets) __attribute__((target("avx2"))) {
    const __m256i to =
        _mm256_add_epi32(from, _mm256_loadu_si256(reinterpret_cast<const __m256i*>(offsets)));
    auto* at = reinterpret_cast<__m256i*>(times);
    _mm256_storeu_si256(at, _mm256_max_epi32(_mm256_loadu_si256(at), to));
  };
  for (std::size_t i = 0; i < lanes.stride_; i += kLanesOfBlock) {
    push(reads + i, read + i);
    push(writes + i, write + i);
  }
}

[[gnu::target("avx2")]] Near BankLanes::least_wide(BankLanes& lanes, Near floor) {
  const Near* base = lanes.lanes_.data();
  const std::size_t stride = lanes.stride_;
  Near* out = lanes.ready_.data();
  __m256i least = _mm256_set1_epi32(kNearNever);
  for (std::size_t i = 0; i < stride; i += kLanesOfBlock) {
    const auto load = [&](Row which) __attribute__((target("avx2"))) {
      return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(base + which * stride + i));
    };
    const __m256i activate = _mm256_max_epi32(load(kActivate), load(kNoActivate));
    const __m256i precharge = _mm256_max_epi32(load(kPrecharge), load(kNoPrecharge));
    const __m256i read = _mm256_max_epi32(load(kRead), load(kNoRead));
    const __m256i write = _mm256_max_epi32(load(kWrite), load(kNoWrite));
    const __m256i ready = _mm256_max_epi32(
        _mm256_min_epi32(_mm256_min_epi32(activate, precharge), _mm256_min_epi32(read, write)),
        load(kFrozen));
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(out + i), ready);
    least = _mm256_min_epi32(least, ready);
  }
  __m128i half = _mm_min_epi32(_mm256_castsi256_si128(least), _mm256_extracti128_si256(least, 1));
  half = _mm_min_epi32(half, _mm_shuffle_epi32(half, 0x4E));
  half = _mm_min_epi32(half, _mm_shuffle_epi32(half, 0xB1));
  const Near first = _mm_cvtsi128_si32(half);
  if (first == kNearNever) return first;
  const Near at = std::max(first, floor);
  const __m256i limit = _mm256_set1_epi32(at);
  for (std::size_t word = 0; word * 64 < stride; ++word) {
    std::uint64_t bits = 0;
    const std::size_t end = std::min(stride, word * 64 + 64);
    for (std::size_t i = word * 64; i < end; i += kLanesOfBlock) {
      const __m256i late =
          _mm256_cmpgt_epi32(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(out + i)), limit);
      const auto mask = static_cast<std::uint32_t>(_mm256_movemask_ps(_mm256_castsi256_ps(late)));
      bits |= std::uint64_t{~mask & 0xFF} << (i % 64);
    }
    lanes.mask_[word] = bits;
  }
  return at;
}
#endif

BankLanes::Kernels BankLanes::kernels_for([[maybe_unused]] bool wide) {
#if defined(__x86_64__)
  if (wide && __builtin_cpu_supports("avx2")) return {&least_wide, &push_wide};
#endif
  return {&least_plain, &push_plain};
}

// A time before the base is as good as the base: nothing asks for an earlier one any more.
void BankLanes::move_base(Tick now) {
  const auto by = static_cast<std::int64_t>(now - base_);
  base_ = now;
  for (Near* time = row(kActivate); time != row(kNoActivate); ++time) {
    if (*time == kNearNever) continue;
    *time = static_cast<Near>(std::max<std::int64_t>(*time - by, 0));
  }
}

}  // namespace diffram::ctrl::compat

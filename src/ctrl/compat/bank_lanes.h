#pragma once
// What decides when a bank's queue can act, of all banks side by side in 32-bit lanes: the earliest
// ACT, PRE, RD and WR, and which of them its entries ask for. One pass over the lanes answers
// "when, and which banks". AVX2 is chosen at run time (DIFFRAM_SIMD); the plain twin gives the same
// numbers (tests/ctrl/compat_lanes_test.cpp).

#include <algorithm>
#include <cstdint>
#include <vector>

#include "ctrl/compat/command.h"
#include "dram/simd_path.h"

namespace diffram::ctrl::compat {

/// A time in a lane: cycles since the base, which moves. At least 0.
using Near = std::int32_t;
inline constexpr Near kNearNever = INT32_MAX;

class BankLanes {
 public:
  explicit BankLanes(std::uint32_t banks, dram::SimdPath path = dram::chosen_simd_path());

  enum Row : std::uint8_t {
    kActivate,
    kPrecharge,
    kRead,
    kWrite,  ///< times
    kNoActivate,
    kNoPrecharge,
    kNoRead,
    kNoWrite,  ///< 0: an entry asks for it, kNearNever: none does
    kFrozen,   ///< kNearNever: a refresh keeps the bank, 0: none does
    kRows
  };
  Near& at(Row which, std::uint32_t bank) { return lanes_[index_of(which, bank)]; }
  Near at(Row which, std::uint32_t bank) const { return lanes_[index_of(which, bank)]; }

  /// What the entries of a bank ask for, in the order of the rows; bit i: the row kActivate + i.
  void ask(std::uint32_t bank, std::uint32_t asks) {
    Near* unless = &at(kNoActivate, bank);
    for (std::uint32_t i = 0; i < 4; ++i)
      unless[i * kLanesOfBlock] = (asks >> i & 1) != 0 ? 0 : kNearNever;
  }
  /// When one bank can act, frozen or not.
  Near ready(std::uint32_t bank) const {
    const Near* lane = lanes_.data() + index_of(kActivate, bank);
    const auto asked = [lane](Row time) {
      return std::max(lane[time * kLanesOfBlock], lane[(time + kNoActivate) * kLanesOfBlock]);
    };
    return std::min(std::min(asked(kActivate), asked(kPrecharge)),
                    std::min(asked(kRead), asked(kWrite)));
  }
  /// The first time, not before `floor`, at which an unfrozen bank can act, or kNearNever; then
  /// `ready_mask` has the banks that can.
  Near least(Near floor) { return kernels_.least(*this, floor); }
  /// Of all banks: time = max(time, t + offset), with an offset for each lane.
  void push(Row which, const Near* offsets, Near t) { kernels_.push(*this, which, offsets, t); }
  /// The same for RD and WR; the offsets of WR follow those of RD.
  void push_columns(const Near* offsets, Near t) { kernels_.push_columns(*this, offsets, t); }
  std::uint64_t ready_mask(std::size_t word) const { return mask_[word]; }
  std::size_t words() const { return mask_.size(); }
  std::size_t lanes() const { return stride_; }  ///< banks in whole blocks

  Tick base() const { return base_; }
  Near near_of(Tick t) const {
    return static_cast<std::int64_t>(t) < 0 ? kNearNever : static_cast<Near>(t - base_);
  }
  Tick tick_of(Near near) const {
    return near == kNearNever ? kNever : base_ + static_cast<Tick>(near);
  }
  /// Called with the current tick before times are worked out: lanes hold 2^29 cycles, and offsets
  /// of less than 2^30 above.
  void keep_near(Tick now) {
    if (now - base_ > kLongestStay) move_base(now);
  }
  static constexpr Tick kLongestStay = Tick{1} << 29;

 private:
  struct Kernels {
    Near (*least)(BankLanes&, Near floor);
    void (*push)(BankLanes&, Row, const Near* offsets, Near t);
    void (*push_columns)(BankLanes&, const Near* offsets, Near t);
  };
  static Near least_plain(BankLanes& lanes, Near floor);
  static Near least_wide(BankLanes& lanes, Near floor);
  template <std::size_t kBlocks>
  static Near least_of_blocks(BankLanes& lanes, Near floor);
  static void push_plain(BankLanes& lanes, Row row, const Near* offsets, Near t);
  static void push_wide(BankLanes& lanes, Row row, const Near* offsets, Near t);
  static void push_columns_plain(BankLanes& lanes, const Near* offsets, Near t);
  static void push_columns_wide(BankLanes& lanes, const Near* offsets, Near t);
  Kernels kernels_for(dram::SimdPath path) const;
  static std::size_t index_of(Row which, std::uint32_t bank) {
    return bank / kLanesOfBlock * kBlockSize + which * kLanesOfBlock + bank % kLanesOfBlock;
  }
  void move_base(Tick now);

  static constexpr std::size_t kLanesOfBlock = 8;
  static constexpr std::size_t kBlockSize = 16 * kLanesOfBlock;  // rows, and some to shift by
  static_assert(kRows * kLanesOfBlock <= kBlockSize);
  std::size_t stride_;
  Tick base_ = 0;
  std::vector<Near> lanes_;  ///< by block, then by row: one pointer serves a pass
  std::vector<Near> ready_;  ///< of the last pass
  std::vector<std::uint64_t> mask_;
  Kernels kernels_;
};

}  // namespace diffram::ctrl::compat

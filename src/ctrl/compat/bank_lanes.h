#pragma once
// What decides when a bank's queue can act, of all banks side by side in 32-bit lanes: the earliest
// ACT, PRE, RD and WR, and which of them its entries ask for. One pass over the lanes answers
// "when, and which banks". AVX2 is chosen at run time (DIFFRAM_SIMD); the twin for registers of
// four lanes gives the same numbers (tests/ctrl/compat_lanes_test.cpp).
//
// kNearNever has all the bits of a time, so a time "unless" 0 or kNearNever is their OR. An open
// bank asks for no ACT and a closed one for no PRE, so of these two one is kNearNever and the
// lesser is their AND. SSE2 has no minimum of 32 bits; this leaves two to be made of other
// instructions.

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "ctrl/compat/command.h"
#include "dram/simd_path.h"

namespace diffram::ctrl::compat {

/// A time in a lane: cycles since the base, which moves. At least 0.
using Near = std::int32_t;
inline constexpr Near kNearNever = INT32_MAX;

/// Lanes from the begin of a line of the cache on: no load of eight crosses two.
class NearArray {
 public:
  explicit NearArray(std::size_t lanes = 0) : lines_((lanes + kOfLine - 1) / kOfLine) {}
  bool empty() const { return lines_.empty(); }
  Near* data() { return reinterpret_cast<Near*>(lines_.data()); }
  const Near* data() const { return reinterpret_cast<const Near*>(lines_.data()); }
  Near& operator[](std::size_t lane) { return data()[lane]; }
  Near operator[](std::size_t lane) const { return data()[lane]; }

 private:
  static constexpr std::size_t kOfLine = 16;
  struct alignas(64) Line {
    Near lane[kOfLine];
  };
  std::vector<Line> lines_;
};

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
  /// Never ACT and PRE together.
  void ask(std::uint32_t bank, std::uint32_t asks) {
    Near* unless = &at(kNoActivate, bank);
    for (std::size_t i = 0; i < kAsked; ++i) unless[i * kLanesOfBlock] = kUnless[asks][i];
  }
  /// When one bank can act, frozen or not.
  Near ready(std::uint32_t bank) const {
    const Near* lane = lane_of(bank);
    const Near row = asked(lane, kActivate) & asked(lane, kPrecharge);
    return std::min(row, std::min(asked(lane, kRead), asked(lane, kWrite)));
  }
  /// When an entry of the bank can have the command that it asks for.
  Near asked(Row time, std::uint32_t bank) const { return asked(lane_of(bank), time); }
  /// The first time, not before `floor`, at which an unfrozen bank can act, or kNearNever; then
  /// `ready_mask` has the banks that can.
  Near least(Near floor) { return kernels_.least(*this, floor); }
  /// RD and WR of all banks: time = max(time, t + offset), with an offset for each lane; the
  /// offsets of WR follow those of RD.
  void push_columns(const Near* offsets, Near t) { kernels_.push_columns(*this, offsets, t); }
  /// Some blocks of lanes.
  struct Blocks {
    std::uint32_t first = 0, end = 0;
  };
  Blocks blocks_of(std::uint32_t first_bank, std::uint32_t end_bank) const {
    constexpr std::uint32_t kSize = kLanesOfBlock;
    return {first_bank / kSize, (end_bank + kSize - 1) / kSize};
  }
  /// ACT of the banks of these blocks: time = max(time, t + offset, window + offset); the offsets
  /// of the window follow those of t.
  void push_activates(Blocks blocks, const Near* offsets, Near t, Near window) {
    kernels_.push_activates(*this, blocks, offsets, t, window);
  }
  std::uint64_t ready_mask(std::size_t word) const { return mask_[word]; }
  std::size_t words() const { return mask_.size(); }
  std::size_t lanes() const { return stride_; }  ///< banks in whole blocks

  Tick base() const { return base_; }
  /// Of the clock, which is neither before the base nor below 0.
  Near near_of_clock(Tick t) const { return static_cast<Near>(t - base_); }
  Near near_of(Tick t) const {
    return static_cast<std::int64_t>(t) < 0 ? kNearNever : static_cast<Near>(t - base_);
  }
  Tick tick_of(Near near) const {
    return near == kNearNever ? kNever : base_ + static_cast<Tick>(near);
  }
  /// Called at the begin of a tick, before times are worked out: lanes hold 2^29 cycles, and
  /// offsets of less than 2^30 above.
  void keep_near(Tick now) {
    if (now - base_ > kLongestStay) move_base(now);
  }
  static constexpr Tick kLongestStay = Tick{1} << 29;

 private:
  struct Kernels {
    Near (*least)(BankLanes&, Near floor);
    void (*push_columns)(BankLanes&, const Near* offsets, Near t);
    void (*push_activates)(BankLanes&, Blocks, const Near* offsets, Near t, Near window);
  };
  static Near least_by_four(BankLanes& lanes, Near floor);
  static Near least_wide(BankLanes& lanes, Near floor);
  template <std::size_t kBlocks>
  static Near least_of_blocks(BankLanes& lanes, Near floor);
  static void push_columns_by_four(BankLanes& lanes, const Near* offsets, Near t);
  static void push_columns_wide(BankLanes& lanes, const Near* offsets, Near t);
  static void push_activates_by_four(BankLanes& lanes, Blocks blocks, const Near* offsets, Near t,
                                     Near window);
  static void push_activates_wide(BankLanes& lanes, Blocks blocks, const Near* offsets, Near t,
                                  Near window);
  Kernels kernels_for(dram::SimdPath path) const;
  const Near* lane_of(std::uint32_t bank) const {
    return lanes_.data() + index_of(kActivate, bank);
  }
  static Near asked(const Near* lane, Row time) {
    return lane[time * kLanesOfBlock] | lane[(time + kNoActivate) * kLanesOfBlock];
  }
  static std::size_t index_of(Row which, std::uint32_t bank) {
    return bank / kLanesOfBlock * kBlockSize + which * kLanesOfBlock + bank % kLanesOfBlock;
  }
  void move_base(Tick now);

  static constexpr std::size_t kAsked = 4;
  /// By what is asked for, in bits.
  static constexpr auto kUnless = [] {
    std::array<std::array<Near, kAsked>, 1 << kAsked> out{};
    for (std::size_t asks = 0; asks < out.size(); ++asks) {
      for (std::size_t i = 0; i < kAsked; ++i) out[asks][i] = (asks >> i & 1) != 0 ? 0 : kNearNever;
    }
    return out;
  }();

  static constexpr std::size_t kLanesOfBlock = 8;
  static constexpr std::size_t kBlockSize = 16 * kLanesOfBlock;  // rows, and some to shift by
  static_assert(kRows * kLanesOfBlock <= kBlockSize);
  std::size_t stride_;
  Tick base_ = 0;
  NearArray lanes_;  ///< by block, then by row: one pointer serves a pass
  NearArray ready_;  ///< of the last pass
  std::vector<std::uint64_t> mask_;
  Kernels kernels_;
};

}  // namespace diffram::ctrl::compat

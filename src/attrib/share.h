#pragma once
// A share: the smallest piece of a metric, with the place it has on every axis. Metrics make
// shares, a TableBuilder groups them; neither knows the other's rules.

#include <array>
#include <cstdint>

#include "base/cause.h"

namespace diffram::attrib {

inline constexpr std::uint32_t kNone = 0xFFFFFFFFu;  ///< this axis does not apply

/// Energy that no operand made (energy-and-heat.md 7).
enum class Account : std::uint8_t {
  none,
  refresh,
  idle,
  row_held_open,
  wasted_activation,
  unassigned,  ///< a component whose integers are all zero
  // Of heat only: power that is not the memory's.
  base_dies,
  logic_dies,
  neighbour,
  board,  ///< warmer, or cooler, than the air
};
inline constexpr std::array<const char*, 10> kAccountNames = {"(none)",
                                                              "(shared) refresh",
                                                              "(shared) idle",
                                                              "(shared) row held open",
                                                              "(shared) wasted activation",
                                                              "(shared) unassigned",
                                                              "(shared) base dies",
                                                              "(shared) logic dies",
                                                              "(shared) neighbour",
                                                              "(shared) board"};

/// Values of the axis `cause`: the causes of the bill, and two of machine time.
inline constexpr std::array<const char*, base::kCauseCount + 3> kCauseLabels = [] {
  std::array<const char*, base::kCauseCount + 3> labels{};
  for (std::size_t i = 0; i < base::kCauseCount; ++i) labels[i] = base::kCauseNames[i];
  labels[base::kCauseCount] = "compute";
  labels[base::kCauseCount + 1] = "launch";
  labels[base::kCauseCount + 2] = "(none)";
  return labels;
}();
inline constexpr std::uint8_t kComputeLabel = base::kCauseCount;
inline constexpr std::uint8_t kLaunchLabel = base::kCauseCount + 1;
inline constexpr std::uint8_t kNoCauseLabel = base::kCauseCount + 2;

struct Share {
  std::uint32_t record = kNone;   ///< names the step
  std::uint32_t op = kNone;       ///< names layer, op, kernel, phase, model
  std::uint32_t origin = kNone;   ///< names class and tensor
  std::uint32_t culprit = kNone;  ///< an origin
  std::uint32_t channel = kNone, rank = kNone, bank = kNone;
  std::uint8_t cause = kNoCauseLabel;
  Account account = Account::none;
  std::int64_t exact = 0;
  double joules = 0;  ///< of heat: kelvin
};

}  // namespace diffram::attrib

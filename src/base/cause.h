#pragma once
// The causes of explain.md 1: every cycle of every data bus is billed to exactly one of them.

#include <array>
#include <cstddef>
#include <cstdint>

namespace diffram::base {

enum class Cause : std::uint8_t {
  data_read,
  data_write,
  row_conflict,
  row_miss,
  row_hold,
  act_window,
  turn_wr,
  turn_rw,
  bank_group,
  rank_switch,
  command_bus,
  refresh,
  power_exit,
  idle_throttle,
  policy,
  front,
  dispatch,
  cas,
  idle_compute,
  idle_end,
};

inline constexpr std::size_t kCauseCount = 20;

/// Names as in --json, run file and page, in the order of the page's stacks.
inline constexpr std::array<const char*, kCauseCount> kCauseNames = {
    "data.read",   "data.write", "row.conflict", "row.miss",      "row.hold",
    "act.window",  "turn.wr",    "turn.rw",      "bank_group",    "rank.switch",
    "command.bus", "refresh",    "power.exit",   "idle.throttle", "policy",
    "front",       "dispatch",   "cas",          "idle.compute",  "idle.end"};

inline constexpr const char* name_of(Cause c) { return kCauseNames[static_cast<std::size_t>(c)]; }

}  // namespace diffram::base

#pragma once
// A memory as DRAMPower describes it to itself: its "memspec" in JSON, DRAMPower 6.2's names and
// units (SI; timings in clock cycles). Enough for energy; the timings are too few to run a
// controller.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "spec/interface.h"
#include "spec/memory.h"

namespace diffram::spec {

struct DrampowerMemspec {
  std::string id;        ///< "memoryId"
  std::string standard;  ///< "DDR4" "DDR5" "LPDDR4" "LPDDR5" "LPDDR6"
  Organisation organisation;
  double period_s = 0;                       ///< of CK
  std::uint32_t data_rate = 2;               ///< beats in a period of CK, of WCK where there is one
  std::uint32_t write_clocks_per_clock = 1;  ///< WCK : CK
  bool write_clock_always_on = true;
  /// From the bank that a two-bank refresh names to the other; 0 = not said.
  std::uint32_t refresh_pair_offset = 0;
  std::map<std::string, std::int64_t> timings;  ///< "memtimingspec" but tCK, cycles
  Currents currents;
  std::optional<Interface> interface;  ///< none: the file has no "memimpedancespec"

  std::int64_t timing(const std::string& key) const { return timings.at(key); }
};

/// Errors are collected: a syntax error with its line, then every field that is unknown (with the
/// nearest known one), missing, of the wrong kind or out of range.
base::Result<DrampowerMemspec> parse_drampower_memspec(std::string_view text,
                                                       const std::string& file);
base::Result<DrampowerMemspec> load_drampower_memspec(const std::string& file);

}  // namespace diffram::spec

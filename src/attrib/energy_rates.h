#pragma once
// Joules per integer: every driver's energy over the sum of the integers that share it out. Because
// the divisor is the sum of the parts, the parts add up to the total whatever the integers are.

#include <array>
#include <cstdint>

#include "base/counters.h"
#include "ledger/run_record.h"

namespace diffram::attrib {

inline constexpr std::size_t kDriverCount = 12;
using PerDriver = std::array<std::int64_t, kDriverCount>;

inline constexpr std::size_t slot(ledger::EnergyDriver driver) {
  return static_cast<std::size_t>(driver);
}

/// The integers of an origin, by driver; `pins`: the price of its bursts. A row that it opened and
/// nobody used counts apart.
PerDriver drivers_of(const base::OriginCounters& counters, const ledger::PinPrice& pins);

/// Of an origin by its number, or of the bursts without one.
const ledger::PinPrice& pins_of(const ledger::RunRecord& run, std::uint32_t origin);

/// Power-down and self refresh.
inline std::int64_t asleep_cycles(const base::RankCounters& rank) {
  return rank.power_down_active_cycles + rank.power_down_precharge_cycles +
         rank.self_refresh_cycles + rank.deep_sleep_cycles;
}

struct EnergyRates {
  std::array<double, kDriverCount> joules{};  ///< of all components of the driver
  std::array<double, kDriverCount> rate{};    ///< joules per unit, 0 where there are no units
  std::array<bool, kDriverCount> has_units{};
  double of(const PerDriver& units) const;
};

/// The integers of a channel: of origins and shared accounts, weights applied.
PerDriver units_of_channel(const ledger::RunRecord& run, std::uint32_t channel);

/// Rates over origins and shared accounts.
EnergyRates energy_rates(const ledger::RunRecord& run);
/// The rates of given sums of integers.
EnergyRates energy_rates(const ledger::RunRecord& run, const PerDriver& units);
/// … of anything that is shared out as energy is.
EnergyRates rates_of(const std::array<double, kDriverCount>& amounts, const PerDriver& units);

}  // namespace diffram::attrib

#pragma once
// What values do to the data pins. Nobody simulates values: each type of element has a default.

#include <string_view>

#include "ledger/run_record.h"

namespace diffram::physics {

/// Of elements that are independent of each other and that a pin sees at one and the same bit, one
/// a beat. Floating point: values of a standard normal distribution. Integers of 32 and 64 bits:
/// indices below 2^16. bool: a byte of 0 or 1, as often one as the other. Shorter integers, another
/// name, and "": random bits.
ledger::DataRates rates_of(std::string_view dtype);

struct BurstRates {
  ledger::DataRates read, write;
};
/// Of the mean read and the mean write of the run.
BurstRates mean_rates(const ledger::RunRecord& run);

}  // namespace diffram::physics

#include "spec/currents.h"

namespace diffram::spec {

double open_banks(OpenBanks open, double banks) {
  switch (open) {
    case OpenBanks::one:
      return 1;
    case OpenBanks::two:
      return 2;
    case OpenBanks::all:
      break;
  }
  return banks;
}

StandbyCurrents standby_currents(const RailCurrents& rail, double rho, OpenBanks measured_with,
                                 double banks) {
  // With all banks open the rise is `all`: ρ of it shared, (1 − ρ)/B of it from each bank.
  const double open = open_banks(measured_with, banks);
  const double all = (rail.i3n - rail.i2n) / (rho + open * (1 - rho) / banks);
  return {rail.i2n + rho * all, (1 - rho) * all / banks};
}

double burst_current(double average, double i2n, double interval, double lasts) {
  return (average * interval - i2n * (interval - lasts)) / lasts;
}

}  // namespace diffram::spec

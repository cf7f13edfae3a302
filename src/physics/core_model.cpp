#include "physics/core_model.h"

#include <algorithm>
#include <cmath>

namespace diffram::physics {
namespace {

// A state that was never entered costs nothing, even where its current is not known (NaN).
double product(std::int64_t count, double each) {
  return count == 0 ? 0.0 : static_cast<double>(count) * each;
}

void add_rail(CorePower& power, const CoreParameters& p, const spec::RailCurrents& rail) {
  const double rho = p.currents.rho;
  const double banks = p.banks;
  const double i_beta = std::isnan(rail.i_beta) ? rail.i0 : rail.i_beta;
  const double i_shared = rail.i2n + rho * (rail.i3n - rail.i2n);           // Iρ
  const double i_one = (rail.i3n + (banks - 1) * i_shared) / banks;         // I1, one bank open
  const double i_row = (rail.i0 * (p.ras + p.rp) - i_beta * p.rp) / p.ras;  // Iθ
  const double volts = rail.volts * p.devices;

  power.activate += volts * (i_row - i_one) * p.ras * p.period_s;
  power.precharge += volts * (i_beta - rail.i2n) * p.rp * p.period_s;
  // IDD4 and IDD5 of DDR4 are measured over all banks open: IB = I3N.
  power.read += volts * (rail.i4r - rail.i3n) * p.burst * p.period_s;
  power.write += volts * (rail.i4w - rail.i3n) * p.burst * p.period_s;
  power.refresh += volts * (rail.i5 - rail.i3n) * p.rfc * p.period_s;
  power.rank_open += volts * i_shared;
  power.bank_open += volts * (i_one - i_shared);
  power.rank_closed += volts * rail.i2n;
  power.power_down_active += volts * rail.i3p;
  power.power_down_precharge += volts * rail.i2p;
  power.self_refresh += volts * rail.i6;
}

}  // namespace

bool has_core_currents(const spec::MemorySpec& memory) {
  if (!memory.currents || memory.currents->rails.empty()) return false;
  return std::ranges::none_of(memory.currents->rails, [](const spec::RailCurrents& r) {
    return std::isnan(r.volts + r.i0 + r.i2n + r.i3n + r.i4r + r.i4w + r.i5);
  });
}

CoreParameters core_parameters(const spec::MemorySpec& memory) {
  CoreParameters p;
  p.currents = memory.currents.value_or(spec::Currents{});
  p.devices = memory.organisation.devices();
  p.banks = memory.organisation.banks();
  p.period_s = memory.clock.period_s();
  p.ras = memory.timing("nRAS");
  p.rp = memory.timing("nRP");
  p.rfc = memory.timing("nRFC");
  p.burst = memory.timing("nBL");
  return p;
}

CorePower core_power(const CoreParameters& parameters) {
  CorePower power;
  for (const spec::RailCurrents& rail : parameters.currents.rails)
    add_rail(power, parameters, rail);
  return power;
}

void CoreCounts::add(const base::ChannelCounters& channel, std::int64_t weight) {
  for (const base::BankCounters& b : channel.banks) {
    activates += weight * b.act;
    // `pre` counts commands; the precharge inside RDA and WRA is paid like any other (2b).
    precharges += weight * (b.pre + b.rda + b.wra);
    reads += weight * (b.rd + b.rda);
    writes += weight * (b.wr + b.wra);
    bank_open += weight * b.open_cycles;
  }
  for (const base::RankCounters& r : channel.ranks) {
    refreshes += weight * r.refreshes;
    rank_open += weight * r.any_open_cycles;
    rank_closed += weight * r.closed_cycles;
    power_down_active += weight * r.power_down_active_cycles;
    power_down_precharge += weight * r.power_down_precharge_cycles;
    self_refresh += weight * r.self_refresh_cycles;
  }
}

CoreCounts CoreCounts::operator-(const CoreCounts& o) const {
  return {activates - o.activates,
          precharges - o.precharges,
          reads - o.reads,
          writes - o.writes,
          refreshes - o.refreshes,
          bank_open - o.bank_open,
          rank_open - o.rank_open,
          rank_closed - o.rank_closed,
          power_down_active - o.power_down_active,
          power_down_precharge - o.power_down_precharge,
          self_refresh - o.self_refresh};
}

CoreEnergy core_energy(const CorePower& power, const CoreCounts& n, double period_s) {
  CoreEnergy e;
  e.activate = product(n.activates, power.activate);
  e.precharge = product(n.precharges, power.precharge);
  e.read = product(n.reads, power.read);
  e.write = product(n.writes, power.write);
  e.refresh = product(n.refreshes, power.refresh);
  e.bank_open = product(n.bank_open, power.bank_open) * period_s;
  e.rank_open = product(n.rank_open, power.rank_open) * period_s;
  e.rank_closed = product(n.rank_closed, power.rank_closed) * period_s;
  e.power_down_active = product(n.power_down_active, power.power_down_active) * period_s;
  e.power_down_precharge = product(n.power_down_precharge, power.power_down_precharge) * period_s;
  e.self_refresh = product(n.self_refresh, power.self_refresh) * period_s;
  return e;
}

double CoreEnergy::total() const {
  return activate + precharge + read + write + refresh + bank_open + rank_open + rank_closed +
         power_down_active + power_down_precharge + self_refresh;
}

}  // namespace diffram::physics

#include "physics/core_model.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "physics/bank_times.h"

namespace diffram::physics {
namespace {

// A state that was never entered costs nothing, even where its current is not known (NaN).
double product(std::int64_t count, double each) {
  return count == 0 ? 0.0 : static_cast<double>(count) * each;
}

// During an event the background already pays for the bank as it is counted: open for a while, then
// closed. What is left of the current's energy is the event's.
double above_background(double current, const Lasting& event, double open, double closed) {
  return current * event.cycles - open * event.counted - closed * (event.cycles - event.counted);
}

double part_current(const CoreParameters& p, const spec::RailCurrents& rail) {
  if (p.loops.part_refreshes == 0) return rail.i5_part;
  return spec::burst_current(rail.i5_part, rail.i2n, p.refi / p.loops.part_refreshes,
                             p.part.cycles);
}

void add_rail(CorePower& power, const CoreParameters& p, const spec::RailCurrents& rail) {
  const double banks = p.banks;
  const double i_beta = std::isnan(rail.i_beta) ? rail.i0 : rail.i_beta;
  const spec::StandbyCurrents open =
      spec::standby_currents(rail, p.currents.rho, p.loops.standby, banks);
  // Iθ, while a row is open in the loop of I0.
  const double i_row = (rail.i0 * (p.row.cycles + p.rp) - i_beta * p.rp) / p.row.cycles;
  const double i_columns = open.with(spec::open_banks(p.loops.columns, banks));
  const double volts = rail.volts * p.devices;
  const double charge = volts * p.period_s;

  power.activate += charge * above_background(i_row, p.row, open.with(1), rail.i2n);
  power.precharge += charge * (i_beta - rail.i2n) * p.rp;
  power.read += charge * (rail.i4r - i_columns) * p.burst;
  power.write += charge * (rail.i4w - i_columns) * p.burst;
  power.refresh +=
      charge * above_background(rail.i5, p.refresh, open.with(banks), rail.i2n) / banks;
  power.part_refresh +=
      charge * above_background(part_current(p, rail), p.part, open.with(p.part_banks), rail.i2n) /
      p.part_banks;
  power.rank_open += volts * open.shared;
  power.bank_open += volts * open.each;
  power.rank_closed += volts * rail.i2n;
  power.power_down_active += volts * rail.i3p;
  power.power_down_precharge += volts * rail.i2p;
  power.self_refresh += volts * rail.i6;
  power.deep_sleep += volts * rail.i6_deep;
}

double cycles_of(const spec::MemorySpec& memory, const char* timing) {
  const auto found = memory.timings.find(timing);
  return found == memory.timings.end() ? 0 : found->second;
}

Lasting lasting(const spec::MemorySpec& memory, const char* timing, spec::Command from,
                spec::Command to) {
  const double cycles = cycles_of(memory, timing);
  const auto counted = same_bank_cycles(memory, from, to);
  return {cycles, counted ? static_cast<double>(*counted) : cycles};
}

}  // namespace

std::vector<std::string> missing_currents(const spec::MemorySpec& memory) {
  using Rail = spec::RailCurrents;
  constexpr std::pair<const char*, double Rail::*> kNeeded[] = {
      {"I0", &Rail::i0},   {"I2N", &Rail::i2n}, {"I3N", &Rail::i3n},
      {"I4R", &Rail::i4r}, {"I4W", &Rail::i4w}, {"I5", &Rail::i5}};
  if (!memory.currents || memory.currents->rails.empty()) return {"every current"};
  std::vector<std::string> missing;
  for (const Rail& rail : memory.currents->rails)
    for (const auto& [name, current] : kNeeded)
      if (std::isnan(rail.*current)) missing.push_back(rail.name + "." + name);
  return missing;
}

bool has_part_current(const CoreParameters& parameters) {
  return std::ranges::none_of(parameters.currents.rails,
                              [](const auto& rail) { return std::isnan(rail.i5_part); });
}

CoreParameters core_parameters(const spec::MemorySpec& memory) {
  using spec::Command;
  CoreParameters p;
  p.currents = memory.currents.value_or(spec::Currents{});
  p.loops = memory.current_loops;
  p.devices = memory.organisation.devices();
  p.banks = memory.organisation.banks();
  p.part_banks = refresh_part(memory).banks;
  p.period_s = memory.clock.period_s();
  p.rp = cycles_of(memory, "nRP");
  p.refi = cycles_of(memory, "nREFI");
  p.burst = cycles_of(memory, "nBL");
  p.row = lasting(memory, "nRAS", Command::ACT, Command::PRE);
  p.refresh = lasting(memory, "nRFC", Command::REFab, Command::ACT);
  p.part = lasting(memory, "nRFCpb", memory.protocol.part_refresh.value_or(Command::REFpb),
                   Command::ACT);
  return p;
}

CorePower core_power(const CoreParameters& parameters) {
  CorePower power;
  for (const spec::RailCurrents& rail : parameters.currents.rails)
    add_rail(power, parameters, rail);
  if (!has_part_current(parameters)) power.part_refresh = power.refresh;
  return power;
}

void CoreCounts::add(const base::ChannelCounters& channel, std::int64_t weight) {
  for (const base::BankCounters& b : channel.banks) {
    activates += weight * b.act;
    // `pre` counts commands; the precharge inside RDA and WRA is paid like any other (2b).
    precharges += weight * (b.pre + b.rda + b.wra);
    reads += weight * (b.rd + b.rda);
    writes += weight * (b.wr + b.wra);
    refreshes += weight * b.refresh;
    bank_open += weight * b.open_cycles;
  }
  for (const std::int64_t n : channel.part_refreshes) {
    refreshes -= weight * n;
    part_refreshes += weight * n;
  }
  for (const base::RankCounters& r : channel.ranks) {
    rank_open += weight * r.any_open_cycles;
    rank_closed += weight * r.closed_cycles;
    power_down_active += weight * r.power_down_active_cycles;
    power_down_precharge += weight * r.power_down_precharge_cycles;
    self_refresh += weight * r.self_refresh_cycles;
    deep_sleep += weight * r.deep_sleep_cycles;
  }
}

CoreCounts CoreCounts::operator-(const CoreCounts& o) const {
  return {activates - o.activates,
          precharges - o.precharges,
          reads - o.reads,
          writes - o.writes,
          refreshes - o.refreshes,
          part_refreshes - o.part_refreshes,
          bank_open - o.bank_open,
          rank_open - o.rank_open,
          rank_closed - o.rank_closed,
          power_down_active - o.power_down_active,
          power_down_precharge - o.power_down_precharge,
          self_refresh - o.self_refresh,
          deep_sleep - o.deep_sleep};
}

CoreEnergy core_energy(const CorePower& power, const CoreCounts& n, double period_s) {
  CoreEnergy e;
  e.activate = product(n.activates, power.activate);
  e.precharge = product(n.precharges, power.precharge);
  e.read = product(n.reads, power.read);
  e.write = product(n.writes, power.write);
  e.refresh = product(n.refreshes, power.refresh);
  e.part_refresh = product(n.part_refreshes, power.part_refresh);
  e.bank_open = product(n.bank_open, power.bank_open) * period_s;
  e.rank_open = product(n.rank_open, power.rank_open) * period_s;
  e.rank_closed = product(n.rank_closed, power.rank_closed) * period_s;
  e.power_down_active = product(n.power_down_active, power.power_down_active) * period_s;
  e.power_down_precharge = product(n.power_down_precharge, power.power_down_precharge) * period_s;
  e.self_refresh = product(n.self_refresh, power.self_refresh) * period_s;
  e.deep_sleep = product(n.deep_sleep, power.deep_sleep) * period_s;
  return e;
}

double CoreEnergy::total() const {
  return activate + precharge + read + write + refresh + part_refresh + bank_open + rank_open +
         rank_closed + power_down_active + power_down_precharge + self_refresh + deep_sleep;
}

}  // namespace diffram::physics

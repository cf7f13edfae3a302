#include "ctrl/compat/offsets.h"

#include <algorithm>

namespace diffram::ctrl::compat {

namespace {
Tick ticks(std::int64_t cycles) { return static_cast<Tick>(cycles); }
}  // namespace

Offsets::Offsets(const spec::Dramsim3Config& config) {
  using spec::Dramsim3Protocol;
  const auto& t = config.timing;
  const std::int64_t burst = config.burst_cycles;
  const std::int64_t RL = t.read_latency(), WL = t.write_latency();
  const bool grouped = config.bank_groups != 1;
  const std::int64_t same_column = std::max(burst, std::int64_t{grouped ? t.tCCD_L : t.tCCD_S});
  const std::int64_t other_column = std::max(burst, std::int64_t{t.tCCD_S});
  const std::int64_t tWTR_same = grouped ? t.tWTR_L : t.tWTR_S;
  const std::int64_t read_to_write = RL + burst - WL + t.tRTRS;

  read.read = {ticks(same_column), ticks(other_column), ticks(burst + t.tRTRS)};
  read.write = {ticks(read_to_write), ticks(read_to_write), ticks(read_to_write)};
  read.precharge = ticks(t.AL + t.tRTP);
  read.activate = ticks(t.AL + burst + t.tRTP + t.tRP);
  read.refresh = ticks(t.AL + t.tRTP + t.tRP);

  write.read = {ticks(WL + burst + tWTR_same), ticks(WL + burst + t.tWTR_S),
                ticks(WL - RL + burst + t.tRTRS)};
  write.write = {ticks(same_column), ticks(other_column), ticks(burst)};
  write.precharge = ticks(WL + burst + t.tWR);
  write.activate = write.refresh = ticks(WL + burst + t.tWR + t.tRP);

  const bool own_latencies = spec::is_gddr(config.protocol) || spec::is_hbm(config.protocol);
  activate_to_activate = ticks(t.tRC());
  activate_same_group = ticks(grouped ? t.tRRD_L : t.tRRD_S);
  activate_other_group = ticks(t.tRRD_S);
  activate_to_read = ticks(own_latencies ? t.tRCDRD : t.tRCD - t.AL);
  activate_to_write = ticks(own_latencies ? t.tRCDWR : t.tRCD - t.AL);
  activate_to_precharge = ticks(t.tRAS);
  precharge_to_activate = ticks(t.tRP);
  precharge_to_precharge = ticks(t.tPPD);
  refresh_to_activate = ticks(t.tRFC);
  refresh_bank_to_refresh_bank = ticks(t.tREFI);
  sleep_to_wake = ticks(t.tCKESR);
  wake_to_any = ticks(t.tXS);
  four_activates = ticks(t.tFAW);
  many_activates = ticks(t.t32AW);
  read_delay = ticks(config.read_delay());
  write_delay = ticks(config.write_delay());
  precharges_push = spec::is_gddr(config.protocol) || config.protocol == Dramsim3Protocol::LPDDR4;
  has_many_window = spec::is_gddr(config.protocol);
}

}  // namespace diffram::ctrl::compat

#include "naive_dramsim3/timing_rules.h"

#include <algorithm>

namespace diffram::naive_dramsim3 {

void TimingRules::add(Kind issued, std::initializer_list<Relation> where,
                      std::initializer_list<Kind> next, int cycles) {
  for (const auto relation : where) {
    for (const auto kind : next) waits_[issued][relation].push_back({kind, cycles});
  }
}

TimingRules::TimingRules(const Configuration& c) {
  const bool one_group = c.bankgroups == 1;
  const int BC = c.burst_cycles;
  const int cS = std::max(BC, c.tCCD_S);
  const int cL = one_group ? cS : std::max(BC, c.tCCD_L);
  const int tWTR_L = one_group ? c.tWTR_S : c.tWTR_L;
  const int tRRD_L = one_group ? c.tRRD_S : c.tRRD_L;
  const int RW = c.RL + BC - c.WL + c.tRTRS;
  const bool own_rcd = c.gddr || c.hbm;
  const int a2r = own_rcd ? c.tRCDRD : c.tRCD - c.AL;
  const int a2w = own_rcd ? c.tRCDWR : c.tRCD - c.AL;

  for (const auto read : {RD, RDA}) {
    add(read, {same_group}, {RD, RDA}, cL);
    add(read, {same_rank}, {RD, RDA}, cS);
    add(read, {other_rank}, {RD, RDA}, BC + c.tRTRS);
    add(read, {same_group, same_rank, other_rank}, {WR, WRA}, RW);
  }
  // An auto-precharge puts no wait for columns on its own bank.
  add(RD, {same_bank}, {RD, RDA}, cL);
  add(RD, {same_bank}, {WR, WRA}, RW);
  add(RD, {same_bank}, {PRE}, c.AL + c.tRTP);
  add(RDA, {same_bank}, {ACT}, c.AL + BC + c.tRTP + c.tRP);
  add(RDA, {same_bank}, {REF, REFB, SREFE}, c.AL + c.tRTP + c.tRP);

  for (const auto write : {WR, WRA}) {
    add(write, {same_group}, {RD, RDA}, c.WL + BC + tWTR_L);
    add(write, {same_group}, {WR, WRA}, cL);
    add(write, {same_rank}, {RD, RDA}, c.WL + BC + c.tWTR_S);
    add(write, {same_rank}, {WR, WRA}, cS);
    add(write, {other_rank}, {RD, RDA}, c.WL - c.RL + BC + c.tRTRS);
    add(write, {other_rank}, {WR, WRA}, BC);
  }
  add(WR, {same_bank}, {RD, RDA}, c.WL + BC + tWTR_L);
  add(WR, {same_bank}, {WR, WRA}, cL);
  add(WR, {same_bank}, {PRE}, c.WL + BC + c.tWR);
  add(WRA, {same_bank}, {ACT, REF, REFB, SREFE}, c.WL + BC + c.tWR + c.tRP);

  add(ACT, {same_bank}, {ACT}, c.tRC);
  add(ACT, {same_bank}, {RD, RDA}, a2r);
  add(ACT, {same_bank}, {WR, WRA}, a2w);
  add(ACT, {same_bank}, {PRE}, c.tRAS);
  add(ACT, {same_group}, {ACT}, tRRD_L);
  add(ACT, {same_rank}, {ACT}, c.tRRD_S);
  add(ACT, {same_group, same_rank}, {REFB}, c.tRC);

  add(PRE, {same_bank}, {ACT, REF, REFB, SREFE}, c.tRP);
  if (c.gddr || c.protocol == "LPDDR4") add(PRE, {same_group, same_rank}, {PRE}, c.tPPD);

  add(REFB, {same_group, same_rank}, {ACT}, c.tRFC);
  add(REFB, {same_group, same_rank}, {REFB}, c.tREFI);

  const auto rank = {same_bank, same_group, same_rank};
  add(REF, rank, {ACT, REF, SREFE}, c.tRFC);
  add(SREFE, rank, {SREFX}, c.tCKESR);
  add(SREFX, rank, {ACT, REF, REFB, SREFE}, c.tXS);
}

}  // namespace diffram::naive_dramsim3

#pragma once
// DDR4-3200 with sixteen banks a rank, made by hand: the tests of the controller need no file.

#include "spec/memory.h"

namespace diffram::ctrl::testing {

inline constexpr int kCl = 22, kCwl = 16, kBl = 4, kRcd = 22, kRp = 22, kRas = 52, kRc = 74,
                     kRtp = 12, kWr = 24, kCcdS = 4, kCcdL = 8, kRrdS = 4, kRrdL = 8, kFaw = 34,
                     kWtrS = 4, kWtrL = 12, kRfc = 416, kCs = 2, kXp = 10, kCke = 8, kXs = 432,
                     kXsdll = 1024;

/// Address bits from the burst up: channel (if two), bank group 2, column 7, bank 2, rank, row.
struct Coordinates {
  std::uint32_t rank = 0, bank_group = 0, bank = 0, row = 0, column = 0;
};

inline spec::MemorySpec ddr4_3200(std::uint32_t channels = 1, std::uint32_t ranks = 1) {
  using enum spec::Command;
  using enum spec::Scope;
  spec::MemorySpec m;
  m.name = "ddr4-3200-by-hand";
  m.standard = "DDR4";
  m.organisation = {channels, ranks, 4, 4, 1024, 1024, 8, 64, 8, 0};
  m.timings = {{"nCL", kCl}, {"nCWL", kCwl}, {"nBL", kBl}, {"nREFI", 0}};
  const auto row = [&m](spec::Scope scope, std::initializer_list<spec::Command> before,
                        std::initializer_list<spec::Command> after, int cycles, int window = 1) {
    for (const auto b : before) {
      for (const auto a : after) {
        m.constraints.push_back({scope, b, a, cycles, static_cast<std::uint8_t>(window), 0});
      }
    }
  };
  row(bank, {ACT}, {RD, RDA, WR, WRA}, kRcd);
  row(bank, {PRE}, {ACT}, kRp);
  row(rank, {PREA}, {ACT, REFab}, kRp);
  row(rank, {PRE}, {REFab}, kRp);
  row(bank, {ACT}, {PRE}, kRas);
  row(bank, {ACT}, {ACT}, kRc);
  row(rank, {ACT}, {REFab}, kRc);
  row(bank, {RD}, {PRE}, kRtp);
  row(bank, {RDA}, {ACT}, kRtp + kRp);
  row(rank, {RDA}, {REFab}, kRtp + kRp);
  row(bank, {WR}, {PRE}, kCwl + kBl + kWr);
  row(bank, {WRA}, {ACT}, kCwl + kBl + kWr + kRp);
  row(rank, {WRA}, {REFab}, kCwl + kBl + kWr + kRp);
  row(rank, {RD, RDA}, {RD, RDA}, kCcdS);
  row(rank, {WR, WRA}, {WR, WRA}, kCcdS);
  row(bank_group, {RD, RDA}, {RD, RDA}, kCcdL);
  row(bank_group, {WR, WRA}, {WR, WRA}, kCcdL);
  row(rank, {ACT}, {ACT}, kRrdS);
  row(bank_group, {ACT}, {ACT}, kRrdL);
  row(rank, {ACT}, {ACT}, kFaw, 4);
  row(rank, {RD, RDA}, {WR, WRA}, kCl + kBl + 2 - kCwl);
  row(rank, {WR, WRA}, {RD, RDA}, kCwl + kBl + kWtrS);
  row(bank_group, {WR, WRA}, {RD, RDA}, kCwl + kBl + kWtrL);
  row(other_rank, {RD, RDA}, {RD, RDA}, kBl + kCs);
  row(other_rank, {WR, WRA}, {WR, WRA}, kBl + kCs);
  row(other_rank, {RD, RDA}, {WR, WRA}, kCl + kBl + kCs - kCwl);
  row(other_rank, {WR, WRA}, {RD, RDA}, kCwl + kBl + kCs - kCl);
  row(rank, {REFab}, {ACT, PRE, PREA, REFab}, kRfc);
  row(rank, {RD, RDA}, {PDE}, kCl + kBl + 1);
  row(rank, {WR}, {PDE}, kCwl + kBl + kWr);
  row(rank, {WRA}, {PDE}, kCwl + kBl + kWr + 1);
  row(rank, {PDX}, {ACT, PRE, PREA, RD, RDA, WR, WRA, REFab, SREFE}, kXp);
  row(rank, {PDE}, {PDX}, kCke);
  row(rank, {PDX}, {PDE}, kCke);
  row(rank, {SREFE}, {SREFX}, kCke + 1);
  row(rank, {PRE, PREA}, {SREFE}, kRp);
  row(rank, {REFab}, {SREFE}, kRfc);
  row(rank, {SREFX}, {ACT, PRE, PREA, REFab, PDE, SREFE}, kXs);
  row(rank, {SREFX}, {RD, RDA, WR, WRA}, kXsdll);

  int bit = 6;
  const auto take = [&bit](std::vector<std::uint64_t>& field, int count) {
    for (int i = 0; i < count; ++i) field.push_back(std::uint64_t{1} << bit++);
  };
  if (channels == 2) take(m.map.channel, 1);
  take(m.map.bank_group, 2);
  take(m.map.column, 7);
  take(m.map.bank, 2);
  if (ranks == 2) take(m.map.rank, 1);
  take(m.map.row, 10);
  return m;
}

/// The byte address of a burst of the one-channel memory.
inline std::uint64_t address(const Coordinates& at, std::uint32_t ranks = 1) {
  std::uint64_t burst = at.row;
  if (ranks == 2) burst = burst << 1 | at.rank;
  burst = burst << 2 | at.bank;
  burst = burst << 7 | at.column;
  burst = burst << 2 | at.bank_group;
  return burst * 64;
}

}  // namespace diffram::ctrl::testing

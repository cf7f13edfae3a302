#pragma once
// What a channel counts while it runs: integers only (energy-and-heat.md 6), in arrays by origin,
// bank and rank. `ctrl` fills them, `sim` takes them at step boundaries, `ledger` stores them,
// `physics` and `attrib` turn them into joules and bills. Differences of two snapshots add up by
// construction.

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "base/cause.h"
#include "base/ids.h"

namespace diffram::base {

/// Tickets an activation (and the precharge that ends it) is worth: divisible by 1..16.
inline constexpr std::int64_t kActivationTickets = 720720;

struct OriginCounters {
  std::int64_t reads = 0, writes = 0;                ///< column commands
  std::int64_t hits = 0, misses = 0, conflicts = 0;  ///< hits + misses + conflicts = reads + writes
  std::int64_t forwarded = 0;            ///< reads answered by a queued write, no DRAM command
  std::int64_t read_latency_cycles = 0;  ///< Σ acceptance → last data beat of reads
  std::int64_t activation_tickets = 0;   ///< kActivationTickets shared by the hits of each open row
  std::int64_t wasted_activations = 0;   ///< rows this origin opened that closed unused
  std::int64_t bank_open_cycles = 0;     ///< energy-and-heat.md 7, T_bank(open)
  std::int64_t rank_open_cycles = 0;     ///< … T_rank(any open) shared
  std::int64_t rank_closed_cycles = 0;   ///< … T_rank(closed)

  bool operator==(const OriginCounters&) const = default;
};

/// `pre` counts banks closed by PRE and PREA; RDA and WRA close their bank and are counted apart.
/// `refresh` counts refreshes of the bank, by REFab and by REFpb or REFsb
/// (`ChannelCounters::part_refreshes`). A tenth member costs every burst three instructions
/// (nine words are an index and a scale away).
struct BankCounters {
  std::int64_t act = 0, pre = 0, rd = 0, wr = 0, rda = 0, wra = 0, refresh = 0;
  std::int64_t conflicts = 0;
  std::int64_t open_cycles = 0;

  bool operator==(const BankCounters&) const = default;
};

struct RankCounters {
  std::int64_t any_open_cycles = 0, closed_cycles = 0;  ///< their sum = cycles of the window
  std::int64_t refreshes = 0;
  std::int64_t power_down_active_cycles = 0, power_down_precharge_cycles = 0,
               self_refresh_cycles = 0;
  /// Not self_refresh_cycles too; no controller of ours uses it.
  std::int64_t deep_sleep_cycles = 0;

  bool operator==(const RankCounters&) const = default;
};

/// Shared accounts of energy attribution: cycles and tickets that no origin made.
struct SharedCounters {
  std::int64_t row_held_open_bank_cycles = 0;  ///< open beyond the earliest legal precharge
  std::int64_t refresh_bank_open_cycles = 0;   ///< open by refresh
  std::int64_t idle_rank_open_cycles = 0, idle_rank_closed_cycles = 0;
  std::int64_t wasted_activation_tickets = 0;  ///< rows closed unused

  bool operator==(const SharedCounters&) const = default;
};

/// One entry of the bill of lost cycles: data-bus cycles of one channel.
struct BillKey {
  OriginId victim = kNoOrigin;   ///< kNoOrigin for idle time
  OriginId culprit = kNoOrigin;  ///< kNoOrigin where no other request is the reason
  Cause cause = Cause::idle_end;

  auto operator<=>(const BillKey&) const = default;
};

struct ChannelCounters {
  std::int64_t cycles = 0;              ///< length of the window; Σ bill = cycles, exactly
  std::vector<OriginCounters> origins;  ///< index = OriginId
  OriginCounters unnamed;               ///< requests of kNoOrigin
  std::vector<BankCounters> banks;      ///< index = BankId (all ranks)
  /// Of `banks[i].refresh`, those by REFpb or REFsb; empty = there were none.
  std::vector<std::int64_t> part_refreshes;
  std::vector<RankCounters> ranks;
  SharedCounters shared;
  std::map<BillKey, std::int64_t> bill;               ///< data.read and data.write included
  std::map<std::int64_t, std::int64_t> read_latency;  ///< cycles → column reads

  std::int64_t part_refreshes_of(std::size_t bank) const {
    return part_refreshes.empty() ? 0 : part_refreshes[bank];
  }
  std::int64_t whole_refreshes_of(std::size_t bank) const {
    return banks[bank].refresh - part_refreshes_of(bank);
  }

  bool operator==(const ChannelCounters&) const = default;
};

/// to + times · (now − before), each counter by itself.
inline std::int64_t plus_difference(std::int64_t to, std::int64_t now, std::int64_t before,
                                    std::int64_t times = 1) {
  return to + times * (now - before);
}
template <class Counters>
Counters plus_difference(const Counters& to, const Counters& now, const Counters& before,
                         std::int64_t times = 1) {
  using Numbers = std::array<std::int64_t, sizeof(Counters) / sizeof(std::int64_t)>;
  auto sum = std::bit_cast<Numbers>(to);
  const auto present = std::bit_cast<Numbers>(now), past = std::bit_cast<Numbers>(before);
  for (std::size_t i = 0; i < sum.size(); ++i)
    sum[i] = plus_difference(sum[i], present[i], past[i], times);
  return std::bit_cast<Counters>(sum);
}

}  // namespace diffram::base

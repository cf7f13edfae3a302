#pragma once
// What a channel counts while it runs: integers only (energy-and-heat.md 6), in arrays by origin,
// bank and rank. `ctrl` fills them, `sim` takes them at step boundaries, `ledger` stores them,
// `physics` and `attrib` turn them into joules and bills. Differences of two snapshots add up by
// construction.

#include <array>
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
/// `refresh` counts refreshes of the bank, `part_refresh` those of them by REFpb or REFsb.
struct BankCounters {
  std::int64_t act = 0, pre = 0, rd = 0, wr = 0, rda = 0, wra = 0, refresh = 0;
  std::int64_t conflicts = 0;
  std::int64_t open_cycles = 0;
  std::int64_t part_refresh = 0;

  bool operator==(const BankCounters&) const = default;
};

struct RankCounters {
  std::int64_t any_open_cycles = 0, closed_cycles = 0;  ///< their sum = cycles of the window
  std::int64_t refreshes = 0;
  std::int64_t power_down_active_cycles = 0, power_down_precharge_cycles = 0,
               self_refresh_cycles = 0;
  std::int64_t deep_sleep_cycles =
      0;  ///< not self_refresh_cycles too; no controller of ours uses it

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
  std::vector<RankCounters> ranks;
  SharedCounters shared;
  std::map<BillKey, std::int64_t> bill;               ///< data.read and data.write included
  std::map<std::int64_t, std::int64_t> read_latency;  ///< cycles → column reads

  bool operator==(const ChannelCounters&) const = default;
};

}  // namespace diffram::base

#pragma once
// Counters for an archive of cereal (checkpoints). Found by argument-dependent look-up; no archive
// is included here.

#include "base/counters.h"

namespace diffram::base {

template <class Archive>
void serialize(Archive& archive, OriginId& id) {
  archive(id.value);
}
template <class Archive>
void serialize(Archive& archive, OriginCounters& c) {
  archive(c.reads, c.writes, c.hits, c.misses, c.conflicts, c.forwarded, c.read_latency_cycles,
          c.activation_tickets, c.wasted_activations, c.bank_open_cycles, c.rank_open_cycles,
          c.rank_closed_cycles);
}
template <class Archive>
void serialize(Archive& archive, BankCounters& c) {
  archive(c.act, c.pre, c.rd, c.wr, c.rda, c.wra, c.refresh, c.conflicts, c.open_cycles);
}
template <class Archive>
void serialize(Archive& archive, RankCounters& c) {
  archive(c.any_open_cycles, c.closed_cycles, c.refreshes, c.power_down_active_cycles,
          c.power_down_precharge_cycles, c.self_refresh_cycles, c.deep_sleep_cycles);
}
template <class Archive>
void serialize(Archive& archive, SharedCounters& c) {
  archive(c.row_held_open_bank_cycles, c.refresh_bank_open_cycles, c.idle_rank_open_cycles,
          c.idle_rank_closed_cycles, c.wasted_activation_tickets);
}
template <class Archive>
void serialize(Archive& archive, BillKey& key) {
  archive(key.victim, key.culprit, key.cause);
}
template <class Archive>
void serialize(Archive& archive, ChannelCounters& c) {
  archive(c.cycles, c.origins, c.unnamed, c.banks, c.part_refreshes, c.ranks, c.shared, c.bill,
          c.read_latency);
}

}  // namespace diffram::base

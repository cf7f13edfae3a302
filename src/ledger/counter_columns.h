#pragma once
// Which members of the counters are columns of the run file, in the file's order. A new counter
// goes to the end and raises kRunFileVersion.

#include "base/counters.h"
#include "ledger/packed_columns.h"
#include "ledger/run_record.h"

namespace diffram::ledger {

inline constexpr Members<base::OriginCounters, 12> kOriginColumns = {
    &base::OriginCounters::reads,
    &base::OriginCounters::writes,
    &base::OriginCounters::hits,
    &base::OriginCounters::misses,
    &base::OriginCounters::conflicts,
    &base::OriginCounters::forwarded,
    &base::OriginCounters::read_latency_cycles,
    &base::OriginCounters::activation_tickets,
    &base::OriginCounters::wasted_activations,
    &base::OriginCounters::bank_open_cycles,
    &base::OriginCounters::rank_open_cycles,
    &base::OriginCounters::rank_closed_cycles};

inline constexpr Members<base::BankCounters, 9> kBankColumns = {
    &base::BankCounters::act,     &base::BankCounters::pre,       &base::BankCounters::rd,
    &base::BankCounters::wr,      &base::BankCounters::rda,       &base::BankCounters::wra,
    &base::BankCounters::refresh, &base::BankCounters::conflicts, &base::BankCounters::open_cycles};

inline constexpr Members<base::RankCounters, 7> kRankColumns = {
    &base::RankCounters::any_open_cycles,
    &base::RankCounters::closed_cycles,
    &base::RankCounters::refreshes,
    &base::RankCounters::power_down_active_cycles,
    &base::RankCounters::power_down_precharge_cycles,
    &base::RankCounters::self_refresh_cycles,
    &base::RankCounters::deep_sleep_cycles};

inline constexpr Members<base::SharedCounters, 5> kSharedColumns = {
    &base::SharedCounters::row_held_open_bank_cycles,
    &base::SharedCounters::refresh_bank_open_cycles, &base::SharedCounters::idle_rank_open_cycles,
    &base::SharedCounters::idle_rank_closed_cycles,
    &base::SharedCounters::wasted_activation_tickets};

inline constexpr Members<OpTime, 4> kOpTimeColumns = {&OpTime::start, &OpTime::compute,
                                                      &OpTime::wait, &OpTime::launch};

inline constexpr Members<FlowRow, 5> kFlowColumns = {&FlowRow::walk, &FlowRow::fetch_on_write,
                                                     &FlowRow::filter, &FlowRow::dram,
                                                     &FlowRow::dram_read_again};

}  // namespace diffram::ledger

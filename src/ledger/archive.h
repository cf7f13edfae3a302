#pragma once
// The parts of a record for an archive of cereal: what a checkpoint keeps of the steps that are
// finished.

#include "base/archive.h"
#include "ledger/epoch.h"
#include "ledger/run_record.h"

namespace diffram::ledger {

template <class Archive>
void serialize(Archive& archive, OpTime& time) {
  archive(time.start, time.compute, time.wait, time.launch);
}
template <class Archive>
void serialize(Archive& archive, FlowRow& row) {
  archive(row.walk, row.fetch_on_write, row.filter, row.dram, row.dram_read_again);
}
template <class Archive>
void serialize(Archive& archive, StepRecord& record) {
  archive(record.step, record.occurrence, record.weight, record.cycles, record.op_times,
          record.first_op, record.flow, record.first_origin, record.channels,
          record.memory_only_cycles);
}

template <class Archive>
void serialize(Archive& archive, Epoch& epoch) {
  archive(epoch.begin, epoch.cycles, epoch.channels);
}

}  // namespace diffram::ledger

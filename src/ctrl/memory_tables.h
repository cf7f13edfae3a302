#pragma once
// What the channels of a memory read and none of them changes, in one place for all: 32 copies of
// it would not fit into a cache.

#include <memory>

#include "ctrl/address_walk.h"
#include "dram/raise_table.h"

namespace diffram::ctrl {

struct MemoryTables {
  explicit MemoryTables(const spec::MemorySpec& spec) : addresses(spec), raises(spec) {}

  static std::shared_ptr<const AddressTables> addresses_of(
      const std::shared_ptr<const MemoryTables>& tables) {
    return {tables, &tables->addresses};
  }

  AddressTables addresses;
  dram::RaiseTable raises;
};

}  // namespace diffram::ctrl

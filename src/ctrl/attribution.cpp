#include "ctrl/attribution.h"

namespace diffram::ctrl {

using spec::Command;

Attribution::Attribution(const dram::Device& device, WindowCounters& counters,
                         const BusTiming& timing, std::uint32_t unnamed, std::uint32_t dispatch,
                         std::uint32_t issued)
    : device_(device),
      banks_(device.banks()),
      shares(device, banks_, counters),
      bill(device, banks_, timing, unnamed, dispatch, issued) {}

void Attribution::precharge_by_policy(std::uint32_t bank, std::int64_t cycle) {
  bill.precharge_by_policy(bank, cycle);
  shares.precharge(banks_[bank], cycle, device_.earliest_at(Command::PRE, bank));
}

void Attribution::precharge_for_refresh(std::uint32_t bank, std::int64_t cycle,
                                        std::int64_t held_since) {
  bill.precharge_for_refresh(bank, cycle, held_since);
  shares.precharge(banks_[bank], cycle, device_.earliest_at(Command::PRE, bank));
}

void Attribution::precharge_for_part(std::uint32_t bank, std::int64_t cycle,
                                     std::int64_t held_since) {
  bill.precharge_for_part(bank, cycle, held_since);
  shares.precharge(banks_[bank], cycle, device_.earliest_at(Command::PRE, bank));
}

void Attribution::auto_precharge(std::uint32_t bank, std::int64_t cycle, bool read) {
  bill.auto_precharge(bank, cycle);
  shares.auto_precharge(banks_[bank], cycle, read);
}

void Attribution::refresh(std::uint32_t rank, std::int64_t cycle, std::int64_t held_since) {
  bill.refresh(rank, cycle, held_since);
  shares.refresh(rank, cycle);
}

}  // namespace diffram::ctrl

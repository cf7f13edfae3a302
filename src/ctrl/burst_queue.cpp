#include "ctrl/burst_queue.h"

#include <cassert>

namespace diffram::ctrl {

BurstQueue::BurstQueue(std::uint32_t banks, std::uint32_t capacity, std::uint32_t dispatch)
    : capacity_(capacity),
      dispatch_(dispatch),
      slots_(capacity),
      banks_(banks),
      head_visible_(banks, dram::kNoLane) {
  assert(banks <= kMostBanks);
  clear();
}

void BurstQueue::set_base(std::int64_t base) {
  base_ = base;
  for (std::uint32_t bank = 0; bank < banks_.size(); ++bank) {
    if (banks_[bank].head != kNone) head_visible_[bank] = near_visible(banks_[bank].head);
  }
}

void BurstQueue::clear() {
  filter_.fill(0);
  std::ranges::fill(banks_, Bank{});
  std::ranges::fill(head_visible_, dram::kNoLane);
  for (BankMask* const mask : {&nonempty_, &has_hit_, &head_hits_}) mask->clear(banks_.size());
  free_ = 0;
  for (std::uint32_t slot = 0; slot < capacity_; ++slot) slots_[slot].next = slot + 1;
  slots_.back().next = kNone;
  oldest_ = newest_ = kNone;
  size_ = 0;
}

bool BurstQueue::is_part_queued(std::uint64_t ticket) const {
  for (std::uint32_t slot = oldest_; slot != kNone; slot = slots_[slot].newer) {
    if (slots_[slot].of.ticket == ticket) return true;
  }
  return false;
}

bool BurstQueue::search(Fields fields) const {
  for (std::uint32_t slot = banks_[fields.bank()].head; slot != kNone; slot = slots_[slot].next) {
    if (slots_[slot].of.fields.word == fields.word) return true;
  }
  return false;
}

}  // namespace diffram::ctrl

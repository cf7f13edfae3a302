#pragma once
// The bill as a table (victim, culprit, cause) → cycles, by open addressing: one entry is raised
// per piece of a gap, so it must cost a few instructions.

#include <cstdint>
#include <vector>

#include "base/cause.h"

namespace diffram::ctrl {

class BillTable {
 public:
  /// Victim and culprit are indices into the counters, below 2^29.
  static std::uint64_t key(std::uint32_t victim, std::uint32_t culprit, base::Cause cause) {
    return std::uint64_t{victim} << 34 | std::uint64_t{culprit} << 5 |
           static_cast<std::uint64_t>(cause);
  }
  static std::uint32_t victim(std::uint64_t key) { return static_cast<std::uint32_t>(key >> 34); }
  static std::uint32_t culprit(std::uint64_t key) {
    return static_cast<std::uint32_t>(key >> 5) & 0x1FFF'FFFF;
  }
  static base::Cause cause(std::uint64_t key) { return static_cast<base::Cause>(key & 31); }

  void add(std::uint64_t key, std::int64_t cycles) {
    Slot* slot = &slots_[last_];
    if (slot->key != key) [[unlikely]] {  // the same again, mostly
      last_ = find(key);
      slot = &slots_[last_];
    }
    slot->cycles += cycles;
  }

  template <class Visitor>
  void for_each(Visitor&& visit) const {
    for (const Slot& slot : slots_) {
      if (slot.key != kFree && slot.cycles != 0) visit(slot.key, slot.cycles);
    }
  }

  template <class Archive>
  void serialize(Archive& archive) {
    archive(slots_, shift_, used_, last_);
  }

  void clear() {
    for (Slot& slot : slots_) slot = Slot{};
    used_ = 0;
  }

 private:
  static constexpr std::uint64_t kFree = ~std::uint64_t{0};
  struct Slot {
    std::uint64_t key = kFree;
    std::int64_t cycles = 0;

    template <class Archive>
    void serialize(Archive& archive) {
      archive(key, cycles);
    }
  };

  /// The key's slot, a new one if it has none.
  [[gnu::noinline]] std::size_t find(std::uint64_t key) {
    std::size_t i = (key * 0x9E3779B97F4A7C15u) >> shift_;
    while (slots_[i].key != key) {
      if (slots_[i].key == kFree) {
        if (2 * (used_ + 1) > slots_.size()) {
          grow();
          return find(key);
        }
        slots_[i].key = key;
        ++used_;
        break;
      }
      i = (i + 1) & (slots_.size() - 1);
    }
    return i;
  }

  void grow() {
    std::vector<Slot> old(slots_.size() * 2);
    old.swap(slots_);
    --shift_;
    used_ = 0;
    for (const Slot& slot : old) {
      if (slot.key != kFree) slots_[find(slot.key)].cycles = slot.cycles;
    }
  }

  std::vector<Slot> slots_ = std::vector<Slot>(64);
  int shift_ = 64 - 6;
  std::size_t used_ = 0;
  std::size_t last_ = 0;  ///< slot of the last `add`
};

}  // namespace diffram::ctrl

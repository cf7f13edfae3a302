#pragma once
// The entries of one bank, oldest first, with their rows side by side: which of eight go to a row
// is one comparison. Eight are a line of a cache, and most queues have no more.

#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "ctrl/compat/four_lanes.h"

namespace diffram::ctrl::compat {

class BankEntries {
 public:
  BankEntries() : lines_(1) {}

  bool empty() const { return size_ == 0; }
  std::uint32_t oldest() const { return lines_.front().id[0]; }
  std::uint32_t oldest_row() const { return lines_.front().row[0]; }

  void append(std::uint32_t row, std::uint32_t id) {
    const std::uint32_t line = size_ / kEntries;
    if (line == lines_.size()) lines_.emplace_back();
    lines_[line].row[size_ % kEntries] = row;
    lines_[line].id[size_ % kEntries] = id;
    ++size_;
  }

  /// An entry of the bank; the younger ones move up.
  void remove(std::uint32_t id) {
    std::size_t line = 0;
    if (oldest() == id) {
      drop_first(lines_[0]);
    } else {
      std::uint32_t found = equal_lanes(lines_[0].id, id);
      while (found == 0) found = equal_lanes(lines_[++line].id, id);
      close_gap(lines_[line], static_cast<std::uint32_t>(std::countr_zero(found)));
    }
    for (; (line + 1) * kEntries < size_; ++line) {
      lines_[line].row[kEntries - 1] = lines_[line + 1].row[0];
      lines_[line].id[kEntries - 1] = lines_[line + 1].id[0];
      drop_first(lines_[line + 1]);
    }
    --size_;
  }

  /// Calls `each(id)` for the entries to a row, oldest first, until it returns true.
  template <class Each>
  void until_of_row(std::uint32_t row, Each each) const {
    for (std::size_t line = 0; line * kEntries < size_; ++line) {
      std::uint32_t bits = equal_lanes(lines_[line].row, row);
      for (; bits != 0; bits &= bits - 1) {
        if (each(lines_[line].id[static_cast<std::size_t>(std::countr_zero(bits))])) return;
      }
    }
  }

 private:
  static constexpr std::uint32_t kEntries = 8;
  using Lanes = std::array<std::uint32_t, kEntries>;
  /// No row of an address and no id has this number, of which all bits are set (`moved_up`).
  static constexpr std::uint32_t kNoEntry = ~std::uint32_t{0};
  static constexpr Lanes kUnused = [] {
    Lanes lanes{};
    lanes.fill(kNoEntry);
    return lanes;
  }();
  struct alignas(64) Line {
    Lanes row = kUnused, id = kUnused;
  };

  /// Bit i: lane i has the value.
  static std::uint32_t equal_lanes(const Lanes& lanes, std::uint32_t value) {
    const Four all = all_four(static_cast<std::int32_t>(value));
    return bits_of(load_four(lanes.data()) == all) | bits_of(load_four(lanes.data() + kFour) == all)
                                                         << kFour;
  }
  // All lanes, each with a choice: a loop from the gap on would end elsewhere every time.
  static void close_gap(Line& line, std::uint32_t gap) {
    const Four from = all_four(static_cast<std::int32_t>(gap));
    const Four keeps_low = Four{0, 1, 2, 3} < from, keeps_high = Four{4, 5, 6, 7} < from;
    for (Lanes* lanes : {&line.row, &line.id}) {
      const Four low = load_four(lanes->data()), high = load_four(lanes->data() + kFour);
      store_four(keeps_low ? low : load_four(lanes->data() + 1), lanes->data());
      store_four(keeps_high ? high : moved_up(high), lanes->data() + kFour);
    }
  }
  static void drop_first(Line& line) {
    for (Lanes* lanes : {&line.row, &line.id}) {
      store_four(load_four(lanes->data() + 1), lanes->data());
      store_four(moved_up(load_four(lanes->data() + kFour)), lanes->data() + kFour);
    }
  }

  std::vector<Line> lines_;
  std::uint32_t size_ = 0;
};

}  // namespace diffram::ctrl::compat

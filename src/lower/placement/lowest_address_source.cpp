#include <iterator>
#include <map>

#include "lower/placement/placement.h"
#include "lower/placement/storage_book.h"

namespace diffram::lower {

namespace {

class LowestAddressSource : public SegmentSource {
 public:
  LowestAddressSource(std::uint64_t capacity_bytes, std::uint64_t page_bytes)
      : page_bytes_(page_bytes) {
    const std::uint64_t usable = capacity_bytes / page_bytes * page_bytes;
    if (usable > 0) holes_.emplace(0, usable);
  }

  // Holes only appear when segments are given back, which is rare: a walk over them is short.
  std::optional<std::uint64_t> reserve(std::uint64_t bytes) override {
    const std::uint64_t needed = rounded_up(bytes, page_bytes_);
    for (auto hole = holes_.begin(); hole != holes_.end(); ++hole) {
      if (hole->second < needed) continue;
      const auto [address, size] = *hole;
      holes_.erase(hole);
      if (size > needed) holes_.emplace(address + needed, size - needed);
      return address;
    }
    return std::nullopt;
  }

  void give_back(std::uint64_t address, std::uint64_t bytes) override {
    auto hole = holes_.emplace(address, rounded_up(bytes, page_bytes_)).first;
    const auto next = std::next(hole);
    if (next != holes_.end() && hole->first + hole->second == next->first) {
      hole->second += next->second;
      holes_.erase(next);
    }
    if (hole == holes_.begin()) return;
    const auto previous = std::prev(hole);
    if (previous->first + previous->second == hole->first) {
      previous->second += hole->second;
      holes_.erase(hole);
    }
  }

 private:
  std::uint64_t page_bytes_;
  std::map<std::uint64_t, std::uint64_t> holes_;  ///< address → bytes
};

}  // namespace

std::unique_ptr<SegmentSource> make_lowest_address_source(std::uint64_t capacity_bytes,
                                                          std::uint64_t page_bytes) {
  return std::make_unique<LowestAddressSource>(capacity_bytes, page_bytes);
}

}  // namespace diffram::lower

#include "session/place_map.h"

#include <bit>
#include <utility>
#include <vector>

namespace diffram::session {

namespace {

/// One bit of a place: the parity of `mask`, and the address that sets this bit of the place alone.
struct PlaceBit {
  std::uint64_t mask = 0, address = 0;
};

// Gauss and Jordan over bits: the rows are combined until each holds one address bit; what was
// combined into it says which bits of a place that address bit depends on.
void invert(std::vector<PlaceBit>& bits) {
  std::vector<std::uint64_t> masks;
  masks.reserve(bits.size());
  for (const auto& bit : bits) masks.push_back(bit.mask);
  std::vector<std::uint64_t> combined(masks.size());
  for (std::size_t i = 0; i < masks.size(); ++i) combined[i] = std::uint64_t{1} << i;
  for (std::size_t i = 0; i < masks.size(); ++i) {
    const std::uint64_t pivot = masks[i] & (0 - masks[i]);
    for (std::size_t j = 0; j < masks.size(); ++j) {
      if (j == i || (masks[j] & pivot) == 0) continue;
      masks[j] ^= masks[i];
      combined[j] ^= combined[i];
    }
  }
  for (std::size_t i = 0; i < masks.size(); ++i) {
    for (std::size_t bit = 0; bit < bits.size(); ++bit) {
      if ((combined[i] >> bit & 1) != 0) bits[bit].address |= masks[i];
    }
  }
}

}  // namespace

trace::PlaceMap place_map_of(const spec::MemorySpec& memory) {
  const auto& map = memory.map;
  const auto& organisation = memory.organisation;
  const std::array<const std::vector<std::uint64_t>*, trace::kLevelCount> levels = {
      &map.channel, &map.rank, &map.bank_group, &map.bank, &map.row, &map.column};
  std::vector<PlaceBit> bits;
  for (const auto* level : levels) {
    for (const std::uint64_t mask : *level) bits.push_back({mask, 0});
  }
  invert(bits);
  std::array<std::vector<std::uint64_t>, trace::kLevelCount> addresses;
  auto next = bits.begin();
  for (std::size_t level = 0; level < levels.size(); ++level) {
    for (std::size_t bit = 0; bit < levels[level]->size(); ++bit)
      addresses[level].push_back((next++)->address);
  }
  trace::PlaceMap places;
  places.counts = {organisation.channels,        organisation.ranks, organisation.bank_groups,
                   organisation.banks_per_group, organisation.rows,  organisation.bursts_per_row()};
  places.address_of = [addresses](const trace::LevelNumbers& place) {
    std::uint64_t address = 0;
    for (std::size_t level = 0; level < place.size(); ++level) {
      for (std::size_t bit = 0; bit < addresses[level].size(); ++bit) {
        if ((place[level] >> bit & 1) != 0) address ^= addresses[level][bit];
      }
    }
    return address;
  };
  return places;
}

}  // namespace diffram::session

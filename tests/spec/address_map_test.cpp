#include "spec/address_map.h"

#include <gtest/gtest.h>

#include <bit>
#include <set>
#include <tuple>

#include "spec/shipped.h"

namespace diffram::spec {
namespace {

/// 64 B bursts, 2 channels, 1 rank, 2 groups of 2 banks, 8 rows of 4 bursts: 1024 places.
Organisation small() {
  Organisation o;
  o.channels = 2;
  o.bank_groups = 2;
  o.banks_per_group = 2;
  o.rows = 8;
  o.columns = 32;
  return o;
}

std::uint64_t output(const std::vector<std::uint64_t>& masks, std::uint64_t address) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < masks.size(); ++i)
    value |= static_cast<std::uint64_t>(std::popcount(address & masks[i]) & 1) << i;
  return value;
}

auto place_of(const AddressMap& m, std::uint64_t a) {
  return std::tuple(output(m.channel, a), output(m.rank, a), output(m.bank_group, a),
                    output(m.bank, a), output(m.row, a), output(m.column, a));
}

TEST(AddressMap, places_fields_from_the_left_down) {
  const auto map = build_address_map("ro ba co bg ch", {}, small());
  ASSERT_TRUE(map) << all_texts(map.error());
  EXPECT_EQ(map->channel, (std::vector<std::uint64_t>{1u << 6}));
  EXPECT_EQ(map->bank_group, (std::vector<std::uint64_t>{1u << 7}));
  EXPECT_EQ(map->column, (std::vector<std::uint64_t>{1u << 8, 1u << 9}));
  EXPECT_EQ(map->bank, (std::vector<std::uint64_t>{1u << 10}));
  EXPECT_EQ(map->row, (std::vector<std::uint64_t>{1u << 11, 1u << 12, 1u << 13}));
}

TEST(AddressMap, splits_a_field) {
  const auto map = build_address_map("ro co ba bg co:1 ch", {}, small());
  ASSERT_TRUE(map) << all_texts(map.error());
  EXPECT_EQ(map->column, (std::vector<std::uint64_t>{1u << 7, 1u << 10}));
}

TEST(AddressMap, gives_every_address_a_place_of_its_own) {
  const auto map =
      build_address_map("ro ba co bg ch", {"bg0 ^ ro0", "ba0 ^ ro1 ^ co1", "ch0 ^ ro2"}, small());
  ASSERT_TRUE(map) << all_texts(map.error());
  std::set<decltype(place_of(*map, 0))> places;
  const auto capacity = small().capacity_bytes();
  for (std::uint64_t a = 0; a < capacity; a += 64) places.insert(place_of(*map, a));
  EXPECT_EQ(places.size(), capacity / 64);
}

TEST(AddressMap, refuses_what_is_no_bijection) {
  const auto map = build_address_map("ro ba co bg ch", {"ch0 ^ ro0", "ro0 ^ ch0"}, small());
  ASSERT_FALSE(map);
  EXPECT_TRUE(has_error(map.error(), "not_a_bijection", "map.hash")) << all_texts(map.error());
}

struct Wrong {
  const char* order;
  std::vector<std::string> hash;
  const char* code;
};

TEST(AddressMap, names_what_is_wrong) {
  for (const auto& w : {Wrong{"ro ba co bg", {}, "missing_field"},
                        {"ro ba co bg ch xx", {}, "unknown_field"},
                        {"ro ba co:9 bg ch", {}, "bad_field_width"},
                        {"ro ba co:-1 bg ch", {}, "bad_field_width"},
                        {"ro ba co bg ch", {"bg0 ^ ro9"}, "unknown_field"},
                        {"ro ba co bg ch", {"bg0"}, "bad_hash"},
                        {"ro ba co bg ch", {"bg0 ^ bg0"}, "not_a_bijection"}}) {
    const auto map = build_address_map(w.order, w.hash, small());
    ASSERT_FALSE(map) << w.order;
    EXPECT_TRUE(has_error(map.error(), w.code)) << w.order << ": " << all_texts(map.error());
  }
}

TEST(AddressMap, takes_an_odd_row_count_only_with_the_row_on_top) {
  auto o = small();
  o.rows = 6;
  EXPECT_TRUE(build_address_map("ro ba co bg ch", {"bg0 ^ ro0"}, o));
  const auto below = build_address_map("ba ro co bg ch", {}, o);
  ASSERT_FALSE(below);
  EXPECT_TRUE(has_error(below.error(), "not_a_power_of_two", "organisation.rows"));
  EXPECT_FALSE(build_address_map("ro ba co bg ch", {"ro0 ^ ba0"}, o));
  o.rows = 8;
  o.bank_groups = 3;
  const auto groups = build_address_map("ro ba co bg ch", {}, o);
  ASSERT_FALSE(groups);
  EXPECT_TRUE(has_error(groups.error(), "not_a_power_of_two", "organisation.bank_groups"));
}

}  // namespace
}  // namespace diffram::spec

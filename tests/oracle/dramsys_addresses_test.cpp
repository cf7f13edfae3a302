// DRAMSys's address-decoder cases: which address bits are which field, and what comes out.

#include <gtest/gtest.h>

#include <bit>

#include "oracle/ramulator_standards.h"
#include "spec/address_map.h"

namespace diffram::oracle {
namespace {

const nlohmann::json& address_case(const std::string& id) {
  for (const auto& c : ramulator()["dramsys_addresses"]) {
    if (c["id"] == id) return c;
  }
  throw std::runtime_error("no case " + id);
}

std::uint64_t number(const nlohmann::json& text) {
  return std::stoull(text.get<std::string>(), nullptr, 16);
}

std::uint32_t field(const std::vector<std::uint64_t>& masks, std::uint64_t address) {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < masks.size(); ++i)
    value |= static_cast<std::uint32_t>(std::popcount(address & masks[i]) & 1) << i;
  return value;
}

/// Bits of a column below the burst are part of the offset here.
std::uint32_t whole_column(const spec::AddressMap& map, const spec::Organisation& o,
                           std::uint64_t address) {
  const auto bytes = std::uint64_t{o.bus_width} / 8;
  const auto in_burst = static_cast<std::uint32_t>(address / bytes % o.burst_length);
  return field(map.column, address) * o.burst_length + in_burst;
}

spec::Organisation organisation(std::uint32_t bus, std::uint32_t burst, std::uint32_t row_bits) {
  spec::Organisation o;
  o.bank_groups = o.banks_per_group = 4;
  o.rows = 1u << row_bits;
  o.columns = 1024;
  o.bus_width = bus;
  o.burst_length = burst;
  return o;
}

// Bits from the lowest: byte 0, column 1-4, group 5-6, bank 7-8, column 9-14, row 15-30.
const spec::Organisation kA = organisation(16, 16, 16);
spec::AddressMap map_a() { return *spec::build_address_map("ch ra ro co ba bg", {}, kA); }

TEST(DramsysAddress, addr_A) {
  const auto& c = address_case("addr-A");
  const auto address = number(c["address"]);
  const auto map = map_a();
  const auto& expect = c["expect"];
  EXPECT_EQ(field(map.channel, address), expect["channel"]);
  EXPECT_EQ(field(map.rank, address), expect["rank"]);
  EXPECT_EQ(field(map.bank_group, address), expect["bankgroup"]);
  EXPECT_EQ(field(map.bank_group, address) * 4 + field(map.bank, address),
            expect["bank_absolute (bg*banks_per_group+bank)"]);
  EXPECT_EQ(field(map.row, address), expect["row"]);
  EXPECT_EQ(whole_column(map, kA, address), expect["column"]);
}

TEST(DramsysAddress, addr_A_roundtrip) {
  const auto map = map_a();
  for (const auto& text : address_case("addr-A-roundtrip")["addresses"]) {
    const auto address = number(text);
    std::uint64_t encoded = address % kA.burst_bytes();
    for (const auto* masks : {&map.bank_group, &map.bank, &map.row, &map.column}) {
      const auto value = field(*masks, address);
      for (std::size_t i = 0; i < masks->size(); ++i)
        encoded |= (value >> i & 1) != 0 ? (*masks)[i] : 0;
    }
    EXPECT_EQ(encoded, address) << text;
  }
}

TEST(DramsysAddress, addr_B) {
  const auto o = organisation(64, 8, 14);
  const auto map = *spec::build_address_map("ch ra ro co bg ba bg:1", {}, o);
  const auto& c = address_case("addr-B");
  const auto address = number(c["address"]);
  const auto& expect = c["expect"];
  EXPECT_EQ(field(map.bank_group, address), expect["bankgroup"]);
  EXPECT_EQ(field(map.bank_group, address) * 4 + field(map.bank, address), expect["bank_absolute"]);
  EXPECT_EQ(field(map.row, address), expect["row"]);
  EXPECT_EQ(whole_column(map, o, address), expect["column"]);
}

TEST(DramsysAddress, addr_plausible) {
  const auto refused = [](const std::string& order) {
    return !spec::build_address_map(order, {}, kA);
  };
  EXPECT_TRUE(refused("ch ra ro co ba bg:1"));       // a bit of the group has no place
  EXPECT_TRUE(refused("ch ra ro co ba:3 bg"));       // more bits than the device has banks
  EXPECT_TRUE(refused("ch ra ro co ba:1 bg ba:2"));  // the same bits twice
  EXPECT_TRUE(refused("ch:1 ra ro co ba bg"));       // a channel bit, and one channel
  EXPECT_TRUE(refused("ch ra:1 ro co ba bg"));       // a rank bit, and one rank
  auto odd = kA;
  odd.rows = 3 << 14;
  EXPECT_TRUE(spec::build_address_map("ro ch ra co ba bg", {}, odd));
}

}  // namespace
}  // namespace diffram::oracle

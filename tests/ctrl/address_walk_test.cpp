#include "ctrl/address_walk.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <random>

#include "ctrl/channel_finder.h"
#include "ctrl/ddr4_3200.h"

namespace diffram::ctrl {
namespace {

std::uint32_t field(const std::vector<std::uint64_t>& masks, std::uint64_t address) {
  std::uint32_t value = 0;
  for (std::size_t bit = 0; bit < masks.size(); ++bit) {
    value |= static_cast<std::uint32_t>(std::popcount(address & masks[bit]) & 1) << bit;
  }
  return value;
}

// Bursts of the channel found the slow way: every burst's address against every mask.
std::vector<std::uint64_t> bursts_of(const spec::MemorySpec& memory, std::uint32_t channel,
                                     std::uint64_t address, std::uint64_t bytes) {
  std::vector<std::uint64_t> words;
  for (std::uint64_t burst = address / 64; burst <= (address + bytes - 1) / 64; ++burst) {
    const std::uint64_t at = burst * 64;
    const auto& map = memory.map;
    if (field(map.channel, at) != channel) continue;
    const std::uint64_t bank =
        field(map.rank, at) * 16 + field(map.bank_group, at) * 4 + field(map.bank, at);
    words.push_back(field(map.row, at) |
                    std::uint64_t{field(map.column, at)} << Fields::kColumnShift |
                    bank << Fields::kBankShift | std::uint64_t{channel} << Fields::kChannelShift);
  }
  return words;
}

// A memory of 2^channel_bits channels interleaved at `interleave`, with every channel, group and
// bank bit hashed with random higher bits (or any bits at all).
spec::MemorySpec hashed_memory(std::mt19937_64& random, int channel_bits, int interleave,
                               bool any_bits) {
  spec::MemorySpec memory = testing::ddr4_3200();
  auto& map = memory.map;
  map = {};
  int next = 6;
  std::vector<int> order;
  for (int bit = 6; bit < 6 + 7 + 4 + 10 + channel_bits; ++bit) order.push_back(bit);
  std::vector<int> channel(order.begin() + interleave, order.begin() + interleave + channel_bits);
  order.erase(order.begin() + interleave, order.begin() + interleave + channel_bits);
  for (const int bit : channel) map.channel.push_back(std::uint64_t{1} << bit);
  const auto take = [&](std::vector<std::uint64_t>& bits, int count) {
    for (int i = 0; i < count; ++i) {
      bits.push_back(std::uint64_t{1} << order[static_cast<std::size_t>(next - 6)]);
      ++next;
    }
  };
  take(map.bank_group, 2);
  take(map.column, 7);
  take(map.bank, 2);
  take(map.row, 10);
  for (auto* bits : {&map.channel, &map.bank_group, &map.bank}) {
    for (auto& mask : *bits) {
      const int from = any_bits ? 6 : 64 - std::countl_zero(mask);
      mask ^= (random() & ((std::uint64_t{1} << 27) - 1)) >> from << from;
    }
  }
  return memory;
}

TEST(AddressWalk, finds_the_bursts_of_every_channel_in_order) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 400; ++round) {
    const int channel_bits = static_cast<int>(random() % 4);
    const int interleave = static_cast<int>(random() % 6);
    const bool any_bits = random() % 4 == 0;
    const auto memory = hashed_memory(random, channel_bits, interleave, any_bits);
    const std::uint64_t address = random() % (1u << 20);
    const std::uint64_t bytes = 1 + random() % 20000;
    const auto tables = std::make_shared<const AddressTables>(memory);
    for (std::uint32_t channel = 0; channel < (1u << channel_bits); ++channel) {
      const AddressWalk walk(tables, channel);
      AddressWalk::Cursor cursor;
      std::vector<std::uint64_t> found;
      for (bool more = walk.start(walk.span_of(address, bytes), cursor); more;
           more = walk.next(cursor)) {
        found.push_back(cursor.fields.word);
      }
      ASSERT_EQ(found, bursts_of(memory, channel, address, bytes)) << "round " << round;
    }
  }
}

TEST(AddressWalk, finds_the_one_burst_of_a_short_run) {
  std::mt19937_64 random(3);
  int found_here = 0;
  for (int round = 0; round < 2000; ++round) {
    const int channel_bits = static_cast<int>(random() % 6);
    const int interleave = static_cast<int>(random() % 3) / 2;
    const auto memory = hashed_memory(random, channel_bits, interleave, random() % 8 == 0);
    const std::uint64_t address = random() % (1u << 20);
    const std::uint64_t bytes = 1 + random() % 2500;
    const auto tables = std::make_shared<const AddressTables>(memory);
    for (std::uint32_t channel = 0; channel < (1u << channel_bits); ++channel) {
      const AddressWalk walk(tables, channel);
      if (!walk.is_one_at_most(walk.span_of(address, bytes))) continue;
      const auto bursts = bursts_of(memory, channel, address, bytes);
      ASSERT_LE(bursts.size(), 1u) << "round " << round;
      Fields fields;
      ASSERT_EQ(walk.find_one(walk.span_of(address, bytes), fields), !bursts.empty())
          << "round " << round;
      if (bursts.empty()) continue;
      ASSERT_EQ(fields.word, bursts.front()) << "round " << round;
      ++found_here;
    }
  }
  EXPECT_GT(found_here, 1000);
}

// With the tables of a memory also where, as the channel's own walk finds it.
TEST(ChannelFinder, names_each_channel_that_has_a_burst_once) {
  std::mt19937_64 random(2);
  int known = 0;
  for (int round = 0; round < 1000; ++round) {
    const int channel_bits = static_cast<int>(random() % 6);
    const auto memory =
        hashed_memory(random, channel_bits, static_cast<int>(random() % 6), random() % 4 == 0);
    const auto tables = std::make_shared<const AddressTables>(memory);
    const std::uint64_t address = random() % (1u << 20);
    const std::uint64_t bytes = 1 + random() % (random() % 2 == 0 ? 300 : 20000);
    std::vector<std::uint32_t> expected;
    for (std::uint32_t channel = 0; channel < (1u << channel_bits); ++channel) {
      if (!bursts_of(memory, channel, address, bytes).empty()) expected.push_back(channel);
    }
    for (const auto& given : {std::shared_ptr<const AddressTables>(), tables}) {
      const ChannelFinder finder(memory.map, given);
      std::vector<std::uint32_t> found;
      finder.for_each(address, bytes, [&](std::uint32_t c, const AddressWalk::Cursor* first) {
        found.push_back(c);
        if (first == nullptr) return;
        ++known;
        AddressWalk walk(tables, c);
        AddressWalk::Cursor at = *first;
        std::vector<std::uint64_t> bursts = {at.fields.word};
        const bool is_last = walk.is_in_last_superblock(at);
        while (walk.next(at)) bursts.push_back(at.fields.word);
        EXPECT_EQ(bursts, bursts_of(memory, c, address, bytes)) << "round " << round;
        EXPECT_TRUE(!is_last || bursts.size() == 1) << "round " << round;
      });
      std::ranges::sort(found);
      ASSERT_EQ(found, expected) << "round " << round;
    }
  }
  EXPECT_GT(known, 1000);
}

}  // namespace
}  // namespace diffram::ctrl

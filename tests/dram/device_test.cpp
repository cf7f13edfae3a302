#include "dram/device.h"

#include <gtest/gtest.h>

#include <random>

#include "ctrl/ddr4_3200.h"

namespace diffram::dram {
namespace {

using namespace ctrl::testing;
using spec::Command;

base::Cycles at(std::int64_t cycle) { return base::Cycles(cycle); }

TEST(Device, everything_is_legal_at_cycle_zero) {
  const Device device(ddr4_3200(1, 2));
  for (std::size_t c = 0; c < spec::kCommandCount; ++c) {
    EXPECT_EQ(device.earliest(static_cast<Command>(c), {1, 2, 3}), at(0));
  }
}

TEST(Device, activation_opens_the_bank_for_columns_after_tRCD_and_for_precharge_after_tRAS) {
  Device device(ddr4_3200());
  device.issue(Command::ACT, {0, 1, 2}, at(100));
  EXPECT_EQ(device.earliest(Command::RD, {0, 1, 2}), at(100 + kRcd));
  EXPECT_EQ(device.earliest(Command::WRA, {0, 1, 2}), at(100 + kRcd));
  EXPECT_EQ(device.earliest(Command::PRE, {0, 1, 2}), at(100 + kRas));
  EXPECT_EQ(device.earliest(Command::ACT, {0, 1, 2}), at(100 + kRc));
  EXPECT_EQ(device.earliest(Command::ACT, {0, 1, 3}), at(100 + kRrdL));
  EXPECT_EQ(device.earliest(Command::ACT, {0, 2, 2}), at(100 + kRrdS));
}

TEST(Device, fifth_activation_waits_for_the_first_of_the_last_four) {
  Device device(ddr4_3200(1, 2));
  for (std::uint32_t i = 0; i < 4; ++i) device.issue(Command::ACT, {0, i, 0}, at(10 + 4 * i));
  EXPECT_EQ(device.earliest(Command::ACT, {0, 0, 1}), at(10 + kFaw));
  EXPECT_EQ(device.earliest(Command::ACT, {1, 0, 1}), at(0));
  const Binding binding = device.binding(Command::ACT, {0, 1, 1});
  EXPECT_EQ(binding.constraint->window, 4);
  EXPECT_EQ(binding.bank, 0u);
}

TEST(Device, precharge_of_all_waits_for_every_open_bank_and_closes_them) {
  Device device(ddr4_3200());
  device.issue(Command::ACT, {0, 0, 0}, at(0));
  device.issue(Command::ACT, {0, 1, 0}, at(10));
  device.issue(Command::WR, {0, 0, 0}, at(40));
  EXPECT_EQ(device.earliest(Command::PREA, {0, 0, 0}), at(40 + kCwl + kBl + kWr));
  device.issue(Command::PREA, {0, 0, 0}, at(90));
  EXPECT_EQ(device.open_banks(0), 0u);
  EXPECT_EQ(device.earliest(Command::ACT, {0, 1, 0}), at(90 + kRp));
  EXPECT_EQ(device.earliest(Command::REFab, {0, 0, 0}), at(90 + kRp));
}

TEST(Device, refresh_blocks_the_rank_and_no_other) {
  Device device(ddr4_3200(1, 2));
  device.issue(Command::REFab, {0, 0, 0}, at(50));
  EXPECT_EQ(device.earliest(Command::ACT, {0, 3, 3}), at(50 + kRfc));
  EXPECT_EQ(device.earliest(Command::ACT, {1, 3, 3}), at(0));
}

TEST(Device, binding_names_the_command_that_imposed_the_wait) {
  Device device(ddr4_3200());
  device.issue(Command::ACT, {0, 0, 0}, at(0), 7);
  device.issue(Command::ACT, {0, 1, 0}, at(4), 8);
  device.issue(Command::RD, {0, 0, 0}, at(60), 9);
  const Binding precharge = device.binding(Command::PRE, {0, 0, 0});
  EXPECT_EQ(precharge.constraint->before, Command::RD);
  EXPECT_EQ(precharge.tag, 9u);
  const Binding held = device.binding(Command::PRE, {0, 1, 0});
  EXPECT_EQ(held.constraint->before, Command::ACT);
  EXPECT_EQ(held.tag, 8u);
  const Binding column = device.binding(Command::RD, {0, 1, 0});
  EXPECT_EQ(column.constraint->scope, spec::Scope::rank);
  EXPECT_EQ(column.bank, 0u);
  EXPECT_EQ(device.binding(Command::RD, {0, 0, 1}).constraint->scope, spec::Scope::bank_group);
}

// Any table: scopes, windows and cycles drawn at random, rank commands among them. `earliest` must
// be what a look back through the whole history gives, and `binding` must end at the same cycle.
class RandomTable {
 public:
  explicit RandomTable(std::uint64_t seed) : random_(seed) {
    memory_ = ddr4_3200(1, 1 + below(3));
    memory_.organisation.bank_groups = 1 + below(3);
    memory_.organisation.banks_per_group = 1 + below(3);
    memory_.constraints.clear();
    for (int i = 0; i < 60; ++i) {
      spec::Constraint c;
      c.scope = static_cast<spec::Scope>(below(spec::kScopeCount));
      c.before = static_cast<Command>(below(8));
      c.after = static_cast<Command>(below(8));
      c.cycles = static_cast<std::int32_t>(1 + below(60));
      const bool countable = c.scope != spec::Scope::other_group &&
                             c.scope != spec::Scope::other_stack &&
                             c.scope != spec::Scope::other_rank;
      const bool rank_before = is_rank_command(c.before) || is_rank_command(c.after);
      if (countable && !rank_before && below(8) == 0)
        c.window = static_cast<std::uint8_t>(2 + below(4));
      memory_.constraints.push_back(c);
    }
  }

  std::uint32_t below(std::uint32_t n) { return static_cast<std::uint32_t>(random_() % n); }
  Place place() {
    return {below(memory_.organisation.ranks), below(memory_.organisation.bank_groups),
            below(memory_.organisation.banks_per_group)};
  }
  const spec::MemorySpec& memory() const { return memory_; }

 private:
  std::mt19937_64 random_;
  spec::MemorySpec memory_;
};

struct Issued {
  Command command;
  Place place;
  std::int64_t cycle;
};

// Is bank `a` of the earlier command in the relation to some bank of the later one?
bool in_scope(const spec::Constraint& c, const spec::Organisation& shape, const Place& a,
              const Place& b) {
  const bool wide = is_rank_command(c.before) || is_rank_command(c.after);
  const bool same_rank = a.rank == b.rank;
  switch (c.scope) {
    case spec::Scope::bank:
      return wide ? same_rank : a == b;
    case spec::Scope::bank_group:
      return same_rank && (wide || a.bank_group == b.bank_group);
    case spec::Scope::other_group:
      return same_rank && (wide ? shape.bank_groups > 1 : a.bank_group != b.bank_group);
    case spec::Scope::rank:
      return same_rank;
    case spec::Scope::other_stack:
      return false;  // DDR4 has one
    case spec::Scope::other_rank:
      return !same_rank;
    case spec::Scope::channel:
      return true;
  }
  return false;
}

std::int64_t look_back(const spec::MemorySpec& memory, const std::vector<Issued>& history,
                       Command command, const Place& place) {
  std::int64_t legal = 0;
  for (const auto& c : memory.constraints) {
    if (c.after != command) continue;
    int seen = 0;
    for (auto it = history.rbegin(); it != history.rend(); ++it) {
      if (it->command != c.before || !in_scope(c, memory.organisation, it->place, place)) continue;
      if (++seen == c.window) {
        legal = std::max(legal, it->cycle + c.cycles);
        break;
      }
    }
  }
  return legal;
}

TEST(Device, earliest_and_binding_equal_a_look_back_through_history_for_any_table) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    RandomTable table(seed);
    Device device(table.memory());
    std::vector<Issued> history;
    std::int64_t cycle = 0;
    for (int step = 0; step < 80; ++step) {
      const Place place = table.place();
      for (std::uint32_t c = 0; c < 8; ++c) {
        const auto command = static_cast<Command>(c);
        if (command == Command::PREA) {  // what it has to be: its own test, it looks at open banks
          ASSERT_EQ(device.earliest(command, place).value, device.binding(command, place).cycle)
              << "seed " << seed;
          continue;
        }
        const auto expected = look_back(table.memory(), history, command, place);
        ASSERT_EQ(device.earliest(command, place).value, expected) << "seed " << seed;
        const Binding binding = device.binding(command, place);
        ASSERT_EQ(binding.cycle, expected) << "seed " << seed;
        if (is_rank_command(command) || expected == 0) continue;
        const std::uint32_t bank = device.flat(place);
        const auto reason =
            device.reason_of(device.reasons(command, ~std::uint32_t{0}), bank, expected);
        ASSERT_EQ(
            &table.memory().constraints[reason.constraint] - table.memory().constraints.data(),
            binding.constraint - device.table().constraints().data())
            << "seed " << seed;
        ASSERT_EQ(reason.tag, binding.tag) << "seed " << seed;
      }
      const auto command = static_cast<Command>(table.below(8));
      if (command == Command::PREA) continue;
      // Now and then so late that the base of the 16-bit times moves, near and far.
      cycle += table.below(10) == 0 ? table.below(50'000) : 1 + table.below(20);
      device.issue(command, place, at(cycle), static_cast<std::uint32_t>(step));
      history.push_back({command, place, cycle});
    }
  }
}

}  // namespace
}  // namespace diffram::dram

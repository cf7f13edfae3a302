// The bill of lost cycles, derived from arrivals and command log alone, is the engine's: over
// random runs, to the cycle, by (victim, culprit, cause). `DIFFRAM_RUNS=n` asks for more runs,
// `DIFFRAM_SEED=n` for one.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "check/bill.h"
#include "check/random_bill.h"
#include "check/roomy_memory.h"
#include "check/small_log.h"
#include "oracle/many_runs.h"
#include "spec/address_map.h"

namespace diffram::check {
namespace {

using namespace testing;
using base::Cause;
using Bill = std::map<base::BillKey, std::int64_t>;

constexpr std::uint64_t kRuns = 100;

std::string name_of(base::OriginId origin) {
  return origin == base::kNoOrigin ? "-" : std::to_string(origin.value);
}

std::string difference(const Bill& engine, const Bill& derived) {
  std::string out;
  Bill both = engine;
  both.insert(derived.begin(), derived.end());
  for (const auto& [key, unused] : both) {
    const auto at = [&key](const Bill& bill) {
      const auto found = bill.find(key);
      return found == bill.end() ? 0 : found->second;
    };
    if (at(engine) == at(derived)) continue;
    out += fmt::format("  victim {}, culprit {}, {}: engine {}, derived {}\n", name_of(key.victim),
                       name_of(key.culprit), base::name_of(key.cause), at(engine), at(derived));
  }
  return out;
}

std::string policy_text(const spec::Controller& c) {
  return fmt::format(
      "{}, {} page, {} queue, postpone {}, pull in {}, power-down {}, self refresh {}", c.scheduler,
      spec::name_of(c.page_policy), spec::name_of(c.queue_shape), c.refresh_postpone,
      c.refresh_pull_in, c.power_down_after, c.self_refresh_after);
}

bool agrees(std::uint64_t seed, Origins origins, std::int64_t windows = 1) {
  const auto run = billed_run(seed, origins, windows);
  const auto pieces = derive_bill(run.memory, run.input);
  if (!pieces) {
    ADD_FAILURE() << "seed " << seed << ": " << pieces.error().front().text() << ": "
                  << policy_text(run.memory.controller);
    return false;
  }
  std::int64_t from = 0;
  for (std::size_t window = 0; window < run.bills.size(); ++window) {
    const bool last = window == run.input.edges.size();
    const std::int64_t to = last ? run.input.end : run.input.edges[window];
    const auto found = difference(run.bills[window], sums_of(*pieces, from, to));
    if (!found.empty()) {
      ADD_FAILURE() << "seed " << seed << ", cycles " << from << " to " << to << ": "
                    << policy_text(run.memory.controller) << "\n"
                    << found;
      return false;
    }
    from = to;
  }
  return true;
}

TEST(SlowBill, is_the_bill_of_the_engine_in_random_runs) {
  oracle::in_random_runs(kRuns, [](std::uint64_t seed) {
    return agrees(seed, seed % 2 == 0 ? Origins::own : Origins::few);
  });
}

TEST(SlowBill, is_the_bill_of_the_engine_in_every_window) {
  constexpr std::int64_t kWindows = 30;
  oracle::in_random_runs(kRuns, [](std::uint64_t seed) {
    return agrees(seed, seed % 2 == 0 ? Origins::own : Origins::few, kWindows);
  });
}

TEST(SlowBill, is_the_bill_of_the_engine_gap_by_gap) {
  oracle::in_random_runs(kRuns, [](std::uint64_t seed) { return agrees(seed, Origins::bursts); });
}

// Every piece lies behind the one before it, and all of them make up the run.
TEST(SlowBill, leaves_no_cycle_out) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const auto run = billed_run(seed, Origins::own);
    const auto pieces = derive_bill(run.memory, run.input);
    ASSERT_TRUE(pieces);
    std::int64_t at = 0;
    for (const auto& piece : *pieces) {
      ASSERT_EQ(piece.begin, at) << "seed " << seed;
      ASSERT_GT(piece.end, piece.begin) << "seed " << seed;
      at = piece.end;
    }
    EXPECT_EQ(at, run.input.end) << "seed " << seed;
  }
}

class WorkedExample : public ::testing::Test {
 protected:
  WorkedExample() {
    auto map = spec::build_address_map("ro ra ba co bg ch", {}, memory.organisation);
    memory.map = *map;
    memory.controller.dispatch = 2;
  }
  static base::Request read(std::uint64_t address, std::uint32_t origin) {
    return {address, 64, base::OriginId(origin), base::Direction::read};
  }
  static base::BillKey key(std::uint32_t victim, Cause cause,
                           base::OriginId culprit = base::kNoOrigin) {
    return {base::OriginId(victim), culprit, cause};
  }
  spec::MemorySpec memory = roomy_memory();
};

// docs/bill.md, with the timings of this memory.
TEST_F(WorkedExample, idle_read_of_a_closed_bank) {
  const BillInput input{0, {{read(0, 3), 0}}, log_of("2 ACT 0 0 0 0; 20 RD 0 0 0 0 0"), 50};
  const auto pieces = derive_bill(memory, input);
  ASSERT_TRUE(pieces) << pieces.error().front().text();
  const std::vector<BillPiece> expected = {
      {0, kCl, key(3, Cause::cas)},
      {kCl, kCl + 2, key(3, Cause::dispatch)},
      {kCl + 2, kCl + 2 + kRcd, key(3, Cause::row_miss)},
      {kCl + 2 + kRcd, kCl + 2 + kRcd + kBl, key(3, Cause::data_read)},
      {kCl + 2 + kRcd + kBl, 50, {base::kNoOrigin, base::kNoOrigin, Cause::idle_end}}};
  EXPECT_EQ(*pieces, expected);
}

TEST_F(WorkedExample, a_command_that_came_later_than_it_could_is_policy) {
  const BillInput input{0, {{read(0, 3), 0}}, log_of("2 ACT 0 0 0 0; 27 RD 0 0 0 0 0"), 51};
  const auto bill = sums_of(*derive_bill(memory, input));
  EXPECT_EQ(bill.at(key(3, Cause::policy)), 7);
}

TEST_F(WorkedExample, a_log_that_serves_something_else_is_refused) {
  const BillInput other_row{0, {{read(0, 3), 0}}, log_of("2 ACT 0 0 0 5; 20 RD 0 0 0 5 0"), 50};
  const BillInput nothing{0, {{read(0, 3), 0}}, {}, 50};
  const BillInput too_much{0, {}, log_of("2 ACT 0 0 0 0; 20 RD 0 0 0 0 0"), 50};
  for (const auto& input : {other_row, nothing, too_much}) {
    const auto pieces = derive_bill(memory, input);
    ASSERT_FALSE(pieces);
    EXPECT_EQ(pieces.error().front().code, "log_does_not_fit");
  }
}

}  // namespace
}  // namespace diffram::check

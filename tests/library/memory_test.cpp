// libdiffram.so as another program sees it.

#include <diffram/memory.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <tuple>

#include "oracle/sanitizers.h"

namespace diffram {
namespace {

constexpr const char* kMemory = "ddr4-3200-8g-2ch";

std::unique_ptr<Memory> open(const MemoryOptions& options = {}) {
  std::string error;
  auto memory = Memory::open(kMemory, error, options);
  EXPECT_TRUE(memory) << error;
  return memory;
}

using Line = std::tuple<std::int64_t, std::uint64_t, std::int64_t, bool>;
void append(std::vector<Line>& to, const std::vector<MemoryReply>& replies) {
  for (const auto& reply : replies)
    to.emplace_back(reply.cycle, reply.id, reply.arrival, reply.is_write);
}

struct Timed {
  std::int64_t cycle = 0;
  MemoryRequest request;
};
std::vector<Timed> random_requests(std::uint32_t seed, std::size_t count) {
  std::mt19937_64 random(seed);
  std::vector<Timed> out;
  std::int64_t cycle = 0;
  for (std::uint64_t id = 0; id < count; ++id) {
    if (random() % 3 == 0)
      cycle += static_cast<std::int64_t>(random() % (id % 500 < 450 ? 9 : 900));
    const std::uint64_t bytes = random() % 4 == 0 ? random() % 2000 : 64;
    out.push_back({cycle,
                   {id, random() % 64 * 4096 + random() % 4096, bytes, random() % 3 == 0,
                    static_cast<std::uint8_t>(random() % 8 == 0 ? 1 + random() % 3 : 0)}});
  }
  return out;
}

TEST(memory, says_what_it_is) {
  const auto memory = open();
  EXPECT_EQ(memory->name(), kMemory);
  EXPECT_DOUBLE_EQ(memory->clock_ns(), 0.625);
  EXPECT_EQ(memory->capacity_bytes(), std::uint64_t{8} << 30);
  EXPECT_EQ(memory->burst_bytes(), 64u);
  EXPECT_EQ(memory->channels(), 2u);
  EXPECT_EQ(memory->now(), 0);
}

TEST(memory, that_is_not_there_or_set_wrongly_is_an_error_with_the_nearest_name) {
  std::string error;
  EXPECT_EQ(Memory::open("ddr4-3200-8g-2hc", error), nullptr);
  EXPECT_NE(error.find("ddr4-3200-8g-2ch"), std::string::npos) << error;
  EXPECT_EQ(Memory::open(kMemory, error, {{{"controller.schedular", "fcfs"}}, false}), nullptr);
  EXPECT_NE(error.find("scheduler"), std::string::npos) << error;
}

TEST(memory, first_read_takes_dispatch_and_tRCD_and_tCL_and_its_burst) {
  const auto memory = open();
  ASSERT_TRUE(memory->submit({7, 0, 64, false, 0}));
  memory->advance(2 + 22 + 22 + 4 - 1);
  EXPECT_TRUE(memory->take_replies().empty());
  EXPECT_EQ(memory->outstanding(), 1u);
  memory->drain();
  const auto replies = memory->take_replies();
  ASSERT_EQ(replies.size(), 1u);
  EXPECT_EQ(replies[0].id, 7u);
  EXPECT_EQ(replies[0].cycle, 2 + 22 + 22 + 4);
  EXPECT_EQ(memory->outstanding(), 0u);
}

TEST(memory, refuses_what_lies_beyond_its_capacity_and_does_nothing) {
  const auto memory = open();
  EXPECT_FALSE(memory->submit({0, memory->capacity_bytes(), 1, false, 0}));
  EXPECT_FALSE(memory->submit({0, memory->capacity_bytes() - 64, 65, false, 0}));
  EXPECT_TRUE(memory->submit({0, memory->capacity_bytes() - 64, 64, false, 0}));
  EXPECT_EQ(memory->outstanding(), 1u);
}

TEST(memory, every_request_is_answered_once_and_in_order_of_its_cycle) {
  const auto memory = open();
  std::vector<Line> lines;
  const auto requests = random_requests(1, 5000);
  for (const auto& [cycle, request] : requests) {
    memory->advance(cycle);
    ASSERT_TRUE(memory->submit(request));
    append(lines, memory->take_replies());
  }
  memory->drain();
  append(lines, memory->take_replies());
  ASSERT_EQ(lines.size(), requests.size());
  EXPECT_TRUE(std::is_sorted(lines.begin(), lines.end(), [](const Line& a, const Line& b) {
    return std::get<0>(a) < std::get<0>(b);
  }));
  std::vector<std::uint64_t> ids;
  for (const auto& line : lines) ids.push_back(std::get<1>(line));
  std::sort(ids.begin(), ids.end());
  for (std::uint64_t id = 0; id < ids.size(); ++id) ASSERT_EQ(ids[id], id);
}

TEST(memory, replies_do_not_depend_on_how_time_is_cut) {
  std::vector<std::vector<Line>> heard;
  for (const std::int64_t step : {std::int64_t{1}, std::int64_t{37}, std::int64_t{100'000}}) {
    const auto memory = open();
    std::vector<Line> lines;
    for (const auto& [cycle, request] : random_requests(2, 2000)) {
      while (memory->now() < cycle) {
        memory->advance(std::min(cycle, memory->now() + step));
        append(lines, memory->take_replies());
      }
      memory->submit(request);
    }
    memory->advance(200'000);
    append(lines, memory->take_replies());
    heard.push_back(std::move(lines));
  }
  EXPECT_EQ(heard[0].size(), 2000u);
  EXPECT_EQ(heard[0], heard[1]);
  EXPECT_EQ(heard[0], heard[2]);
}

TEST(memory, of_those_that_wait_the_highest_priority_goes_first) {
  const auto latency = [](std::uint8_t priority) {
    const auto memory = open();
    std::mt19937_64 random(3);
    for (std::uint64_t i = 0; i < 2000; ++i)
      memory->submit({i, random() % (1 << 26) * 64, 64, false, 0});
    memory->submit({9999, 64, 64, false, priority});
    memory->drain();
    for (const auto& reply : memory->take_replies()) {
      if (reply.id == 9999) return reply.cycle;
    }
    return std::int64_t{-1};
  };
  EXPECT_LT(latency(1) * 3, latency(0));
}

class snapshots : public testing::TestWithParam<std::uint32_t> {};

TEST_P(snapshots, go_on_where_they_were_made) {
  const MemoryOptions options{{}, true};
  const auto original = open(options);
  const auto requests = random_requests(GetParam(), 4000);
  const std::size_t cut = 100 + GetParam() * 531 % 3800;
  std::vector<Line> expected, found;
  std::string snapshot, error;
  for (std::size_t i = 0; i < requests.size(); ++i) {
    if (i == cut) snapshot = original->snapshot();
    original->advance(requests[i].cycle);
    original->submit(requests[i].request);
    if (i < cut ? i % 7 == 0 : true) {
      const auto replies = original->take_replies();
      if (i >= cut) append(expected, replies);
    }
  }
  original->drain();
  append(expected, original->take_replies());

  const auto copy = open(options);
  copy->submit({123, 0, 64, true, 0});  // what it did before does not matter
  copy->advance(50);
  ASSERT_TRUE(copy->restore(snapshot, error)) << error;
  EXPECT_EQ(copy->snapshot(), snapshot);
  for (std::size_t i = cut; i < requests.size(); ++i) {
    copy->advance(requests[i].cycle);
    copy->submit(requests[i].request);
    append(found, copy->take_replies());
  }
  copy->drain();
  append(found, copy->take_replies());
  EXPECT_EQ(found, expected);
}

INSTANTIATE_TEST_SUITE_P(seeds, snapshots, testing::Range(std::uint32_t{1}, std::uint32_t{9}));

TEST(snapshot, of_another_memory_or_damaged_is_refused_and_changes_nothing) {
  const MemoryOptions options{{}, true};
  const auto memory = open(options);
  memory->submit({1, 0, 64, false, 0});
  memory->advance(10);
  const std::string good = memory->snapshot();
  std::string error;
  const auto refused = [&](const MemoryOptions& of, const std::string& text) {
    const auto other = open(of);
    other->submit({2, 64, 64, false, 0});
    const bool is_refused = !other->restore(text, error) && !error.empty();
    return is_refused && other->drain() > 0 && other->take_replies().size() == 1;
  };
  EXPECT_TRUE(refused({{{"controller.page_policy", "closed"}}, true}, good));
  EXPECT_TRUE(refused({}, good)) << "opened without snapshots";
  EXPECT_TRUE(refused(options, ""));
  EXPECT_TRUE(refused(options, good.substr(0, good.size() - 1)));
  for (std::size_t at = 0; at < good.size(); at += 13 * oracle::kFewer) {
    std::string bad = good;
    bad[at] = static_cast<char>(bad[at] ^ 4);
    EXPECT_TRUE(refused(options, bad)) << at;
  }
  EXPECT_TRUE(open()->snapshot().empty());
}

}  // namespace
}  // namespace diffram

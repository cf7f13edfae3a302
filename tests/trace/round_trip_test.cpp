// What one format holds comes back from it; our binary is small, and no damage to it goes unseen.

#include <gtest/gtest.h>

#include <random>

#include "trace/diffram_requests/block_format.h"
#include "trace/request_encoder.h"
#include "trace/request_reading.h"

namespace diffram::trace {
namespace {

using base::Direction;
using Requests = std::vector<TraceRequest>;

/// Of any kind: small steps, leaps, all sizes or none, times that go back.
Requests random_requests(std::uint64_t seed, std::size_t count, bool sized, bool goes_back) {
  std::mt19937_64 dice(seed);
  Requests requests;
  TraceRequest request;
  for (std::size_t i = 0; i < count; ++i) {
    const auto kind = dice() % 16;
    if (kind < 8) request.address += 64;
    if (kind >= 8) request.address = dice() >> (dice() % 64);
    request.cycle += dice() % 16;
    if (kind == 15) request.cycle += dice() >> (2 + dice() % 60) >> 10;
    if (goes_back && kind == 14) request.cycle -= std::min(request.cycle, dice() % 1000);
    if (sized) request.bytes = 1 + static_cast<std::uint32_t>(dice() >> (32 + dice() % 31)) / 2;
    request.direction = dice() % 3 == 0 ? Direction::write : Direction::read;
    requests.push_back(request);
  }
  return requests;
}

std::string written(const RequestFormat& format, const Requests& requests,
                    const RequestTraceFacts& facts = {}) {
  std::string text;
  const auto encoder = format.make();
  encoder->begin(facts, text);
  // In uneven pieces, as a converter hands them over.
  for (std::size_t at = 0; at < requests.size(); at += 777)
    encoder->encode(
        std::span(requests).subspan(at, std::min<std::size_t>(777, requests.size() - at)), text);
  encoder->end(text);
  return text;
}

const RequestFormat& format_named(std::string_view name) {
  for (const auto& format : request_formats())
    if (name == format.name) return format;
  throw std::runtime_error("no such format");
}

TEST(round_trip, every_format_gives_back_what_it_holds) {
  for (const auto& format : request_formats()) {
    for (const bool sized : {false, true}) {
      if (format.needs_bytes && !sized) continue;
      const bool goes_back = format.time != WrittenTime::increments;
      Requests expected = random_requests(7, 20'000, sized, goes_back);
      const std::string name = *format.suffix != '\0' ? std::string("a") + format.suffix : "a";
      const Reading reading = read_bytes_of(written(format, expected), {}, 512, 0, name);
      ASSERT_TRUE(reading.errors.empty()) << format.name << reading.error_text();
      ASSERT_EQ(reading.requests.size(), expected.size()) << format.name;
      for (std::size_t i = 0; i < expected.size(); ++i) {
        if (!format.holds_bytes) expected[i].bytes = 0;
        if (format.time == WrittenTime::none) expected[i].cycle = i;
        expected[i].line = reading.requests[i].line;
        ASSERT_EQ(reading.requests[i], expected[i]) << format.name << " " << i;
      }
    }
  }
}

TEST(round_trip, our_binary_keeps_clock_and_kind_of_times) {
  const RequestTraceFacts facts{.format = "x",
                                .arrivals = Arrivals::instructions,
                                .clock = base::Clock(833'000, 1),
                                .address_base = 16};
  const Reading reading = read_bytes_of(written(format_named("diffram"), {}, facts));
  EXPECT_TRUE(reading.errors.empty());
  EXPECT_EQ(reading.facts.clock, facts.clock);
  EXPECT_EQ(reading.facts.arrivals, Arrivals::instructions);
}

TEST(round_trip, our_binary_takes_six_bytes_a_request_at_most) {
  std::mt19937_64 dice(3);
  Requests random, stream;
  for (std::uint64_t i = 0; i < 100'000; ++i) {
    const auto direction = dice() % 3 == 0 ? Direction::write : Direction::read;
    // Lines all over 64 GiB, and one after the other.
    random.push_back({i * 5, dice() % (std::uint64_t{1} << 36) / 64 * 64, 0, 0, direction});
    stream.push_back({i * 5, i * 64, 64, 0, direction});
  }
  const auto bytes_a_request = [](const Requests& requests) {
    return static_cast<double>(written(format_named("diffram"), requests).size()) /
           static_cast<double>(requests.size());
  };
  EXPECT_LE(bytes_a_request(random), 6.02);  // and a header a block
  EXPECT_LE(bytes_a_request(stream), 3.02);
}

TEST(round_trip, a_cut_or_damaged_binary_trace_is_never_taken_for_another) {
  const Requests requests = random_requests(11, 300, true, true);
  const std::string good = written(format_named("diffram"), requests);
  for (std::size_t size = blocks::kMagic.size(); size < good.size(); ++size) {
    const Reading reading = read_bytes_of(std::string_view(good).substr(0, size));
    ASSERT_EQ(reading.errors.size(), 1u) << size;
    EXPECT_EQ(reading.errors[0].code, "truncated") << size << reading.error_text();
  }
  for (std::size_t at = blocks::kMagic.size(); at < good.size(); ++at) {
    std::string damaged = good;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x10);
    const Reading reading = read_bytes_of(damaged);
    ASSERT_EQ(reading.errors.size(), 1u) << at;
  }
  const Reading longer = read_bytes_of(good + "x");
  ASSERT_EQ(longer.errors.size(), 1u);
  EXPECT_EQ(longer.errors[0].code, "corrupt");
}

TEST(round_trip, cut_gem5_packets_are_truncated) {
  const std::string good = written(format_named("gem5"), random_requests(5, 20, true, false));
  std::size_t whole = 0;
  for (std::size_t size = 4; size < good.size(); ++size) {
    const Reading reading = read_bytes_of(std::string_view(good).substr(0, size));
    // Between two packets nobody can tell that more were to come.
    if (reading.errors.empty()) {
      ++whole;
      continue;
    }
    EXPECT_EQ(reading.errors[0].code, "truncated") << size;
  }
  EXPECT_EQ(whole, 20u);  // behind the header and each packet but the last
}

}  // namespace
}  // namespace diffram::trace

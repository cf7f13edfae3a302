#pragma once
// The counters of the window at hand, in the shape the hot path wants: one array of origins whose
// last entry is for requests without a name, and a flat histogram of latencies.

#include <bit>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "base/counters.h"

namespace diffram::ctrl {

struct WindowCounters {
  static constexpr std::size_t kFlatLatencies = 4096;  ///< at first
  static constexpr std::size_t kMostFlatLatencies = std::size_t{1} << 16;

  WindowCounters(std::size_t origins_named, std::size_t bank_count, std::size_t rank_count)
      : origins(origins_named + 1), banks(bank_count), ranks(rank_count), latency(kFlatLatencies) {}

  [[gnu::always_inline]] void read_latency(std::int64_t cycles, std::int64_t reads = 1) {
    const auto flat = static_cast<std::size_t>(cycles);
    if (flat >= latency.size()) [[unlikely]] {
      if (flat >= kMostFlatLatencies) {
        long_latency[cycles] += reads;
        return;
      }
      latency.resize(std::bit_ceil(flat + 1));
    }
    latency[flat] += reads;
  }

  /// Hand over all but the bill, and start at zero.
  base::ChannelCounters take(std::int64_t now) {
    base::ChannelCounters out;
    out.cycles = now - begin;
    out.origins.assign(origins.begin(), origins.end() - 1);
    out.unnamed = origins.back();
    out.banks = banks;
    out.part_refreshes = part_refreshes;
    out.ranks = ranks;
    out.shared = shared;
    out.read_latency = std::move(long_latency);
    for (std::size_t cycles = 0; cycles < latency.size(); ++cycles) {
      if (latency[cycles] != 0)
        out.read_latency[static_cast<std::int64_t>(cycles)] = latency[cycles];
    }
    origins.assign(origins.size(), {});
    banks.assign(banks.size(), {});
    part_refreshes.assign(part_refreshes.size(), 0);
    ranks.assign(ranks.size(), {});
    latency.assign(latency.size(), 0);
    long_latency.clear();
    shared = {};
    begin = now;
    return out;
  }

  template <class Archive>
  void serialize(Archive& archive) {
    archive(begin, origins, banks, part_refreshes, ranks, shared, latency, long_latency);
  }

  std::int64_t begin = 0;  ///< of the window
  std::vector<base::OriginCounters> origins;
  std::vector<base::BankCounters> banks;
  std::vector<std::int64_t> part_refreshes;  ///< empty where ranks are refreshed whole
  std::vector<base::RankCounters> ranks;
  base::SharedCounters shared;
  std::vector<std::int64_t> latency;
  std::map<std::int64_t, std::int64_t> long_latency;
};

}  // namespace diffram::ctrl

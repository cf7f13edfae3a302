#pragma once
// Random (spec, policy, traffic): small memories with hot addresses, so that every rule of the text
// is met within a few thousand cycles. The same seed gives the same run.

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "oracle/dice.h"
#include "oracle/model.h"
#include "spec/address_map.h"
#include "spec/memory.h"

namespace diffram::oracle {

struct RandomRun {
  spec::MemorySpec spec;
  std::uint32_t channel = 0;
  std::vector<TimedRequest> requests;
  Drive drive;
  std::string traffic;  ///< name of its kind
};

inline spec::Organisation random_organisation(Dice& dice) {
  spec::Organisation o;
  o.channels = dice.pick({1, 1, 2});
  o.ranks = dice.pick({1, 1, 2, 2, 4});
  o.bank_groups = dice.pick({1, 2, 4});
  o.banks_per_group = dice.pick({1, 2, 4});
  o.rows = dice.pick({2, 4, 16});
  o.columns = dice.pick({16, 64, 128, 1024});
  return o;
}

inline std::map<std::string, std::int32_t> random_timings(Dice& dice) {
  std::map<std::string, std::int32_t> t;
  const auto roll = [&](const char* name, std::int64_t least, std::int64_t most) {
    return t[name] = static_cast<std::int32_t>(dice.between(least, most));
  };
  t["nBL"] = 4;
  roll("nCL", 3, 24);
  roll("nCWL", 2, t["nCL"] + 1);
  roll("nRCD", 2, 24);
  roll("nRP", 2, 24);
  roll("nRAS", t["nRCD"] + 1, 56);
  t["nRC"] = t["nRAS"] + t["nRP"] + static_cast<std::int32_t>(dice.between(0, 3));
  roll("nRTP", 1, 14);
  roll("nWR", 1, 28);
  roll("nCCD_S", 4, 5);
  roll("nCCD_L", t["nCCD_S"], 9);
  roll("nRRD_S", 1, 6);
  roll("nRRD_L", t["nRRD_S"], 10);
  roll("nFAW", 4, 48);
  roll("nWTR_S", 1, 6);
  roll("nWTR_L", t["nWTR_S"], 14);
  roll("nCS", 0, 3);
  roll("nRFC", 5, 120);
  t["nREFI"] = dice.one_in(4) ? 0 : static_cast<std::int32_t>(t["nRFC"] + dice.between(150, 1500));
  roll("nXP", 1, 10);
  roll("nCKE", 1, 8);
  t["nXS"] = t["nRFC"] + 10;
  t["nXSDLL"] = 512;
  return t;
}

/// What the fast channel does not do (but power-down), drawn for half of the runs.
inline void draw_policies(Dice& dice, spec::Controller& c) {
  static const char* const schedulers[] = {"frfcfs", "frfcfs-strict", "frfcfs-grouped", "fcfs"};
  c.scheduler = schedulers[dice.between(0, 3)];
  c.page_policy = static_cast<spec::PagePolicy>(dice.between(0, 3));
  c.queue_shape = dice.one_in(3) ? spec::QueueShape::per_bank : spec::QueueShape::shared;
  c.bank_queue = dice.pick({1, 2, 4, 8});
  c.strict_bypass = dice.pick({0, 1, 2, 4, 8});
  c.strict_age = dice.pick({1, 20, 60, 200, 512});
  c.group_high = static_cast<std::uint32_t>(dice.between(1, std::min(c.read_queue, c.write_queue)));
  c.group_low = static_cast<std::uint32_t>(dice.between(0, c.group_high - 1));
  c.page_timeout = dice.pick({1, 10, 40, 128, 400});
  c.refresh_postpone = dice.pick({0, 0, 1, 3, 7});
  c.refresh_pull_in = std::min(dice.pick({0, 0, 1, 3, 7}), 7 - c.refresh_postpone);
  c.power_down_after = dice.pick({0, 0, 1, 10, 60, 200});
  c.self_refresh_after = dice.pick({0, 0, 1, 30, 200, 600});
}

inline spec::Controller random_controller(Dice& dice) {
  spec::Controller c;
  c.page_policy = dice.one_in(3) ? spec::PagePolicy::closed : spec::PagePolicy::open;
  c.read_queue = dice.pick({1, 2, 4, 8, 16, 32});
  c.write_queue = dice.pick({1, 2, 4, 8, 16, 32});
  c.write_high = static_cast<std::uint32_t>(dice.between(1, c.write_queue));
  c.write_low = static_cast<std::uint32_t>(dice.between(0, c.write_high - 1));
  c.row_hit_cap = dice.pick({0, 1, 2, 4, 16, 64});
  c.max_wait = dice.pick({20, 60, 200, 1000, 4096});
  c.refresh_stagger = !dice.one_in(3);
  c.dispatch = dice.pick({0, 1, 2, 2, 5});
  if (dice.one_in(2)) {
    draw_policies(dice, c);
  } else if (dice.one_in(3)) {
    c.power_down_after = dice.pick({1, 10, 60, 200});
  }
  return c;
}

inline spec::AddressMap random_map(Dice& dice, const spec::Organisation& o) {
  static const char* const orders[] = {"ro ra ba co bg ch", "ro co ra ba bg ch",
                                       "ro ba bg ra co ch", "ra ro ba bg ch co",
                                       "co ro ch ba bg ra"};
  std::vector<std::string> hash;
  if (o.bank_groups > 1 && dice.one_in(2)) hash.push_back("bg0 ^ ro0");
  if (o.banks_per_group > 1 && dice.one_in(2)) hash.push_back("ba0 ^ ro0");
  if (o.channels > 1 && dice.one_in(2)) hash.push_back("ch0 ^ ro0");
  auto map = spec::build_address_map(orders[dice.between(0, 4)], hash, o);
  if (!map) throw std::runtime_error(map.error().front().text());
  return *map;
}

/// Where the next request goes, by the kind of traffic.
class Traffic {
 public:
  Traffic(Dice& dice, std::uint64_t capacity) : dice_(dice), capacity_(capacity) {
    kind_ = kinds()[static_cast<std::size_t>(dice.between(0, kKinds - 1))];
    write_share_ = dice.pick({0, 20, 50, 80, 100});
    gap_ = kind_ == std::string("sparse") ? 200 : dice.pick({0, 0, 1, 4, 20});
  }
  static constexpr std::int64_t kKinds = 8;
  static const std::vector<const char*>& kinds() {
    static const std::vector<const char*> all = {"runs",   "long runs", "random",    "mixed",
                                                 "sparse", "conflict",  "same line", "streams"};
    return all;
  }
  std::string kind() const { return kind_; }

  TimedRequest next() {
    const std::string kind = kind_ == std::string("mixed")
                                 ? kinds()[static_cast<std::size_t>(dice_.between(0, kKinds - 1))]
                                 : kind_;
    TimedRequest out;
    out.request = {
        0, 64, base::kNoOrigin,
        dice_.between(1, 100) <= write_share_ ? base::Direction::write : base::Direction::read};
    if (kind == "runs") {
      out.request.bytes = static_cast<std::uint64_t>(dice_.between(1, 1024));
      out.request.address = anywhere();
    } else if (kind == "long runs") {
      out.request.bytes = static_cast<std::uint64_t>(dice_.between(1, 20'000));
      out.request.address = anywhere();
    } else if (kind == "conflict") {
      // Two addresses a quarter of the memory apart: mostly other rows of one bank.
      out.request.address = capacity_ / 4 * static_cast<std::uint64_t>(dice_.between(0, 3));
    } else if (kind == "same line") {
      out.request.address = 64 * static_cast<std::uint64_t>(dice_.between(0, 2));
    } else if (kind == "streams") {
      auto& at = streams_[dice_.between(0, 2)];
      out.request.bytes = 64 * dice_.pick({1, 4});
      out.request.address = at;
      at += out.request.bytes;
    } else {
      out.request.address = anywhere();
    }
    out.request.address %= capacity_;
    out.request.bytes = std::min(out.request.bytes, capacity_ - out.request.address);
    if (gap_ > 0) now_ += dice_.between(0, 2 * gap_);
    if (dice_.one_in(40)) now_ += dice_.between(0, 400);
    out.arrival = now_;
    return out;
  }

 private:
  std::uint64_t anywhere() {
    return static_cast<std::uint64_t>(dice_.between(0, static_cast<std::int64_t>(capacity_) - 1));
  }

  Dice& dice_;
  std::uint64_t capacity_;
  const char* kind_ = "";
  std::int64_t write_share_ = 0, gap_ = 0, now_ = 0;
  std::uint64_t streams_[3] = {0, 1 << 12, 3 << 13};
};

/// So that a run lasts some thousand cycles whatever its kind.
inline std::int64_t most_requests(const std::string& traffic) {
  if (traffic == "sparse") return 20;
  if (traffic == "long runs") return 8;
  if (traffic == "runs") return 60;
  return 250;
}

/// The traffic, and how the run is driven.
inline void draw_requests(Dice& dice, Traffic& traffic, std::int64_t count, RandomRun& out) {
  for (std::int64_t i = 0; i < count; ++i) out.requests.push_back(traffic.next());
  out.drive.advance_to_arrivals = dice.one_in(2);
  out.drive.attribution = dice.one_in(2);
  if (dice.one_in(3)) out.drive.step = dice.between(1, 90);
  out.drive.idle_after = dice.one_in(4) ? 2 * out.spec.timings["nREFI"] : 0;
}

inline RandomRun random_run(std::uint64_t seed) {
  Dice dice(seed);
  RandomRun out;
  auto& s = out.spec;
  s.name = "random";
  s.standard = "DDR4";
  s.megatransfers = 3200;
  s.clock = base::Clock(625'000, 1);
  s.organisation = random_organisation(dice);
  s.timings = random_timings(dice);
  s.controller = random_controller(dice);
  s.map = random_map(dice, s.organisation);
  auto rows = spec::resolve_constraints({DIFFRAM_SOURCE_DIR "/specs"}, "DDR4", s.timings, s.rules);
  if (!rows) throw std::runtime_error(rows.error().front().text());
  s.constraints = std::move(*rows);
  out.channel = static_cast<std::uint32_t>(dice.between(0, s.organisation.channels - 1));
  Traffic traffic(dice, s.organisation.capacity_bytes());
  out.traffic = traffic.kind();
  const auto count = dice.between(1, out.traffic == "sparse" ? 15
                                     : out.traffic == "runs" ? 30
                                                             : 120);
  draw_requests(dice, traffic, count, out);
  return out;
}

}  // namespace diffram::oracle

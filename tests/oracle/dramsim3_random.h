#pragma once
// Random configurations and traces for DRAMsim3, with hot addresses. The same seed gives the same
// case.

#include <cstdint>
#include <string>
#include <vector>

#include "oracle/dice.h"
#include "oracle/dramsim3_random_ini.h"

namespace diffram::oracle::dramsim3 {

struct RandomCase {
  std::string ini, trace;
  std::uint64_t cycles = 0;
};

/// Where the next request goes: a few regions, in each a few rows of a few banks.
class RandomTraffic {
 public:
  RandomTraffic(Dice& dice, std::int64_t longest_pause)
      : dice_(dice), pause_length_(longest_pause) {
    for (auto i = dice.between(1, 4); i > 0; --i) regions_.push_back(anywhere());
    kind_ = dice.pick({"stream", "hot", "near", "anywhere", "mixed", "mixed"});
    write_share_ = dice.pick({0, 20, 50, 80, 100});
    gap_ = dice.pick({0, 0, 0, 1, 3, 20});
    pause_ = dice.pick({30, 300, 2000});
    if (dice.one_in(2)) {
      // Ranks fall asleep before their first work, and meet refreshes in their sleep.
      now_ = dice.between(0, dice.pick({1500, 1500, 8000}));
    }
  }

  std::uint64_t next_address() {
    const std::string kind =
        kind_ == "mixed" ? dice_.pick({"stream", "hot", "near", "anywhere"}) : kind_;
    auto& region = regions_[dice_.between(0, static_cast<std::int64_t>(regions_.size()) - 1)];
    if (kind == "stream") return region += 64;
    if (kind == "hot") return region + static_cast<std::uint64_t>(dice_.between(0, 2)) * 64;
    // One bit apart is mostly another column, bank or row; below 64 it is the same burst.
    if (kind == "near") return region ^ (std::uint64_t{1} << dice_.between(0, 63));
    return anywhere();
  }
  bool next_is_write() { return dice_.between(1, 100) <= write_share_; }
  std::uint64_t next_cycle() {
    if (gap_ > 0) now_ += dice_.between(0, 2 * gap_);
    if (dice_.one_in(pause_)) now_ += dice_.between(0, pause_length_);
    return static_cast<std::uint64_t>(now_);
  }

 private:
  std::uint64_t anywhere() {
    return static_cast<std::uint64_t>(dice_.between(0, std::int64_t{1} << 35)) & ~std::uint64_t{63};
  }

  Dice& dice_;
  std::vector<std::uint64_t> regions_;
  std::string kind_;
  std::int64_t write_share_ = 0, gap_ = 0, pause_ = 0, pause_length_ = 0, now_ = 0;
};

inline std::string hexadecimal(std::uint64_t value) {
  constexpr char kDigits[] = "0123456789ABCDEF";
  std::string out;
  do {
    out.insert(out.begin(), kDigits[value % 16]);
    value /= 16;
  } while (value > 0);
  return out;
}

/// Tokens as a broken tool may write them: what a number, an operation and the end of a token are
/// is then up to the reader.
inline std::string random_tokens(Dice& dice) {
  std::string out;
  for (auto i = dice.between(1, dice.pick({10, 200})); i > 0; --i) {
    if (dice.one_in(9)) {
      out += dice.pick({"0x", "0X1f", "0xg", "-40", "+80", "12a", "1e3", "READ", "# remark", "beef",
                        "99999999999999999999999", "0x1ffffffffffffffff", "1,000", "0b1", "WRITE"});
    } else {
      out += "0x" + hexadecimal(static_cast<std::uint64_t>(dice.between(0, 1 << 20))) +
             dice.pick({" READ ", " WRITE ", "\tREAD\t", " W ", "\n", " "}) +
             std::to_string(dice.between(0, 2000));
    }
    out += dice.pick({"\n", "\n", "\n", "\r\n", " ", "\n\n", "\t"});
  }
  return out;
}

inline std::string random_trace(Dice& dice, bool is_long) {
  if (dice.one_in(12)) return random_tokens(dice);
  RandomTraffic traffic(dice, is_long ? 60'000 : 1500);
  const bool is_plain = !dice.one_in(8);
  if (dice.one_in(60)) return {};
  std::string out;
  for (auto i = dice.between(1, dice.pick({20, 1000, 3000})); i > 0; --i) {
    const bool odd = !is_plain && dice.one_in(60);
    std::string operation = traffic.next_is_write()
                                ? dice.pick({"WRITE", "WRITE", "write", "P_MEM_WR", "BOFF"})
                                : dice.pick({"READ", "READ", "read", "W", "Write"});
    out += (dice.one_in(5) ? "" : "0x") + hexadecimal(traffic.next_address()) + " " + operation +
           " " + std::to_string(traffic.next_cycle()) + "\n";
    if (odd) out += dice.pick({"\n", "# remark\n", "bad READ\n", "0x40 READ later\n", "0x80 "});
  }
  // Most have no final newline: with it the reference makes one request more.
  if (!dice.one_in(4)) out.pop_back();
  return out;
}

inline RandomCase random_case(std::uint64_t seed) {
  Dice dice(seed);
  RandomCase out;
  out.ini = random_ini(dice);
  const bool is_long = dice.one_in(40);  // pauses that an event-driven model skips in one step
  out.trace = random_trace(dice, is_long);
  out.cycles = static_cast<std::uint64_t>(is_long ? dice.between(50'000, 300'000)
                                                  : dice.between(2000, 12000));
  return out;
}

}  // namespace diffram::oracle::dramsim3

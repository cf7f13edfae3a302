#pragma once
// Random configuration files for DRAMsim3: small queues and short refresh intervals, so that every
// rule is met within a few thousand cycles; written as people write them: other case, `:`,
// comments, repeated keys, hexadecimal. Some are refused.

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>
#include <string>
#include <utility>

#include "oracle/dice.h"

namespace diffram::oracle::dramsim3 {

/// One `key = value`, in one of the ways in which the grammar lets it be written.
class IniWriter {
 public:
  IniWriter(Dice& dice, bool is_plain) : dice_(dice), is_plain_(is_plain) {}

  void section(const std::string& name) {
    if (odd()) text_ += "[unclosed\n";
    text_ += "[" + cased(name) + "]" + (odd() ? " behind it" : "") + "\n";
  }
  void text(const std::string& key, const std::string& value) {
    text_ += cased(key) +
             (odd()   ? ":"
              : odd() ? "="
                      : " = ") +
             value + (odd() ? "  ; a remark" : "") + "\n";
    if (odd())
      text_ += dice_.pick({"# a line of remarks\n\n", "; another\n", "no separator\n",
                           "  ; an indented remark\n", "unknown = 5\n", " = 3\n"});
  }
  void number(const std::string& key, std::int64_t value) {
    std::string written = std::to_string(value);
    if (odd() && value >= 0) {
      constexpr char kDigits[] = "0123456789abcdef";
      std::string hexadecimal;
      for (auto rest = value; rest > 0; rest /= 16)
        hexadecimal.insert(hexadecimal.begin(), kDigits[rest % 16]);
      written = "0x" + (hexadecimal.empty() ? "0" : hexadecimal);
    } else if (odd()) {
      written += dice_.pick({";", ".9", " cycles", "\n  77", "\n\t[timing]", " ;x", "\r"});
    }
    text(key, written);
    if (odd()) text(key, std::to_string(value + 3));  // repeated: the first one counts
  }
  void boolean(const std::string& key, bool value) {
    text(key, value ? dice_.pick({"true", "True", "yes", "ON", "1"})
                    : dice_.pick({"false", "False", "no", "off", "0"}));
    if (odd()) text(key, "true");  // repeated: no word any more, so the default
  }
  std::string take() { return std::move(text_); }

 private:
  bool odd() { return !is_plain_ && dice_.one_in(20); }
  std::string cased(std::string name) {
    if (odd())
      std::transform(name.begin(), name.end(), name.begin(),
                     [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    return name;
  }

  Dice& dice_;
  bool is_plain_;
  std::string text_;
};

inline std::string random_mapping(Dice& dice) {
  std::array<std::string, 6> tokens = {"ch", "ra", "bg", "ba", "ro", "co"};
  for (std::size_t i = tokens.size() - 1; i > 0; --i)
    std::swap(tokens[i], tokens[dice.between(0, static_cast<std::int64_t>(i))]);
  std::string out;
  for (const auto& token : tokens) out += token;
  return out;
}

/// The organisation, and the channel size that gives it 1 to 4 ranks.
inline void write_organisation(Dice& dice, IniWriter& ini, const std::string& protocol) {
  const bool gddr = protocol.starts_with("GDDR"), hbm = protocol.starts_with("HBM");
  const auto odd_count = dice.one_in(25);  // counts that are no power of two lose banks in the map
  const std::int64_t groups = odd_count ? 3 : dice.pick({1, 2, 4});
  const std::int64_t banks = dice.pick({1, 2, 4});
  const std::int64_t burst_length = hbm ? dice.pick({0, 2, 4, 4, 8}) : dice.pick({4, 8, 8, 8, 16});
  const std::int64_t device_width = hbm ? dice.pick({64, 128}) : dice.pick({8, 16, 32});
  const std::int64_t bus_width = device_width * dice.pick({1, 1, 2, 4});
  const std::int64_t rows = dice.pick({1024, 2048, 16384});
  const std::int64_t columns = hbm ? 64 * dice.pick({1, 2}) : 1024 * dice.pick({1, 1, 2});
  const std::int64_t page = columns * (gddr ? burst_length : hbm ? 2 : 1) * device_width / 8;
  const std::int64_t rank_megabytes = std::max<std::int64_t>(
      1, page * (rows / 1024) / 1024 * groups * banks * (bus_width / device_width));
  const std::int64_t ranks = dice.pick({1, 1, 2, 2, 3, 4});

  ini.section("dram_structure");
  ini.text("protocol", protocol);
  ini.number("bankgroups", groups);
  ini.number("banks_per_group", banks);
  if (dice.one_in(4)) ini.boolean("bankgroup_enable", dice.one_in(2));
  ini.number("rows", rows);
  ini.number("columns", columns);
  ini.number("device_width", device_width);
  ini.number("BL", burst_length);
  if (dice.one_in(4)) ini.boolean("hbm_dual_cmd", dice.one_in(2));

  ini.section("system");
  ini.number("channel_size", ranks * rank_megabytes + (dice.one_in(8) ? -1 : 0));
  ini.number("channels", odd_count ? 3 : dice.pick({1, 1, 1, 1, 2, 2, 4, 8}));
  ini.number("bus_width", bus_width);
}

inline void write_controller(Dice& dice, IniWriter& ini) {
  ini.text("address_mapping", random_mapping(dice));
  ini.text("queue_structure",
           dice.one_in(100) ? "PER_CHANNEL" : dice.pick({"PER_BANK", "PER_RANK"}));
  ini.text("row_buf_policy", dice.pick({"OPEN_PAGE", "OPEN_PAGE", "CLOSE_PAGE", "close_page"}));
  ini.number("cmd_queue_size", dice.one_in(150) ? 0 : dice.pick({1, 2, 4, 8, 16}));
  ini.number("trans_queue_size", dice.one_in(150) ? 0 : dice.pick({1, 2, 4, 8, 12, 32, 64}));
  if (dice.one_in(2)) ini.boolean("unified_queue", dice.one_in(2));
  ini.text("refresh_policy", dice.pick({"RANK_LEVEL_STAGGERED", "RANK_LEVEL_STAGGERED",
                                        "RANK_LEVEL_SIMULTANEOUS", "BANK_LEVEL_STAGGERED"}));
  if (dice.one_in(2)) ini.boolean("enable_self_refresh", true);
  ini.number("sref_threshold", dice.pick({0, 10, 50, 50, 200, 200, 1000}));
}

inline void write_timing(Dice& dice, IniWriter& ini) {
  ini.section("timing");
  ini.text("tCK", dice.pick({"0.625", "1", "0.83", "1.5e0"}));
  const bool with_zeros = dice.one_in(12);
  const auto roll = [&](const char* key, std::int64_t least, std::int64_t most) {
    // A key that is not there takes its default.
    if (dice.one_in(25)) return;
    if (with_zeros && dice.one_in(3)) least = most = 0;
    if (dice.one_in(200)) least = -most;
    // Far above its neighbours: what is hidden under another wait shows.
    if (dice.one_in(40)) most *= 8;
    ini.number(key, dice.between(least, most));
  };
  // An additive latency above tRCD makes the wait after an activation negative.
  roll("AL", 0, dice.one_in(30) ? 20 : dice.pick({0, 0, 3}));
  roll("CL", 3, 24);
  roll("CWL", 1, 26);
  roll("tCCD_L", 1, 9);
  roll("tCCD_S", 1, 6);
  roll("tRTRS", 0, 4);
  roll("tRTP", 1, 14);
  roll("tWTR_L", 1, 14);
  roll("tWTR_S", 1, 8);
  roll("tWR", 1, 28);
  roll("tRP", 1, 24);
  roll("tRRD_L", 1, 10);
  roll("tRRD_S", 1, 8);
  roll("tRAS", 5, 56);
  roll("tRCD", 4, 24);
  roll("tRFC", 5, 300);
  roll("tCKESR", 1, 40);
  roll("tXS", 10, 400);
  roll("tRFCb", 5, 100);
  // Always there: the default would hardly refresh. The short ones come faster than they can issue.
  ini.number("tREFI", dice.one_in(20) ? dice.between(4, 40) : dice.between(100, 4000));
  ini.number("tREFIb", dice.one_in(20) ? dice.between(1, 10) : dice.between(20, 800));
  roll("tFAW", 1, 60);
  roll("tPPD", 0, 5);
  roll("t32AW", 20, 400);
  roll("tRCDRD", 3, 24);
  roll("tRCDWR", 3, 24);
}

inline void write_power(Dice& dice, IniWriter& ini) {
  ini.section("power");
  ini.text("VDD", dice.pick({"1.2", "1.35", "1.1", "0.9999"}));
  for (const char* key :
       {"IDD0", "IDD2N", "IDD3N", "IDD4W", "IDD4R", "IDD5AB", "IDD5PB", "IDD6x"}) {
    if (!dice.one_in(10)) ini.number(key, dice.between(1, 400));
  }
  ini.section("other");
  ini.number("epoch_period", dice.pick({1, 100, 777, 5000, 100000}));
}

inline std::string random_protocol(Dice& dice) {
  if (dice.one_in(60)) return dice.pick({"DDR5", "ddr4", "DDR4 x", "HMC"});  // refused
  return dice.pick({"DDR3", "DDR4", "DDR4", "GDDR5", "GDDR5X", "GDDR6", "LPDDR", "LPDDR3", "LPDDR4",
                    "HBM", "HBM2", "HBM2"});
}

inline std::string random_ini(Dice& dice) {
  IniWriter ini(dice, !dice.one_in(3));
  const auto protocol = random_protocol(dice);
  write_organisation(dice, ini, protocol);
  write_controller(dice, ini);
  write_timing(dice, ini);
  write_power(dice, ini);
  return ini.take();
}

}  // namespace diffram::oracle::dramsim3

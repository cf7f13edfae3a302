// Specs that public presets got wrong (memory-values.md 6), put into a shipped file: each is
// refused by the name of the law it breaks.

#include <gtest/gtest.h>

#include "spec/shipped.h"

namespace diffram::spec {
namespace {

struct Wrong {
  const char* law;
  const char* was;
  const char* becomes;
};

constexpr Wrong kWrong[] = {
    {"rate_tck", "clock_ns = { value = 0.625", "clock_ns = { value = 0.63"},  // DRAMsim3
    {"density", "rows = { value = 32768", "rows = { value = 65536"},
    {"density", "device_gigabits = { value = 4", "device_gigabits = { value = 8"},
    {"rc_sum", "tRC = { value = 74", "tRC = { value = 73"},  // Ramulator 2.0a
    {"s_le_l", "tCCD_L = { value = 5, unit = \"ns\", min_nck = 5",
     "tCCD_L = { value = 3, unit = \"nCK\""},
    {"s_le_l", "tWTR_S = { value = 2.5", "tWTR_S = { value = 25"},
    {"burst_gap", "tCCD_S = { value = 4", "tCCD_S = { value = 2"},           // DRAMsim3 HBM
    {"refresh_window", "tREFI = { value = 7800", "tREFI = { value = 3900"},  // DRAMSys
    {"refresh_window", "tREFI = { value = 7800", "tREFI = { value = 7812"},  // truncated tCK
    {"rfc_by_density", "tRFC = { value = 260", "tRFC = { value = 350"},      // litedram
    {"xs", "tXS = { value = 270", "tXS = { value = 250"},                    // gem5
    {"range", "tRCD = { value = 22", "tRCD = { value = 9"},                  // 5.6 ns
    {"current_order", "I3N = { value = 52", "I3N = { value = 30"},
    {"current_order", "I4R = { value = 168", "I4R = { value = 50"},
    {"zero_current", "I2P = { value = 25", "I2P = { value = 0"},  // DRAMSys
    {"zero_current", "I5 = { value = 250", "I5 = { value = 11539"},
    {"ipp_small", "I0 = { value = 3,", "I0 = { value = 17,"},  // DRAMSys
    {"family_org", "bank_groups = { value = 4", "bank_groups = { value = 8"},
};

TEST(WrongMemory, is_refused_by_the_name_of_the_law) {
  for (const auto& w : kWrong) {
    const auto memory = memory_with("ddr4-3200-8g-2ch", w.was, w.becomes);
    ASSERT_FALSE(memory) << w.becomes;
    EXPECT_TRUE(has_error(memory.error(), w.law)) << w.becomes << "\n" << all_texts(memory.error());
    for (const auto& error : memory.error()) EXPECT_GT(error.line, 0) << error.text();
  }
}

struct WrongOf {
  const char* memory;
  const char* law;
  const char* was;
  const char* becomes;
};

// The same of the other standards; the comment names the public preset.
constexpr WrongOf kWrongOfOthers[] = {
    {"gddr6-14000-4g-8ch", "rate_tck", "clock_ns = { value = 0.57143",
     "clock_ns = { value = 0.570"},  // Ramulator 2.1 GDDR6
    {"gddr6-14000-4g-8ch", "refresh_window", "tREFI = { value = 1900",
     "tREFI = { value = 7800"},  // DRAMsim3 GDDR6
    {"gddr6-14000-4g-8ch", "rc_sum", "tRC = { value = 45.143",
     "tRC = { value = 45.1"},  // Samsung's 79 cycles
    {"gddr6-14000-4g-8ch", "density", "device_gigabits = { value = 4",
     "device_gigabits = { value = 1"},  // DRAMsim3 GDDR6: half a gigabit
    {"lpddr4-3200-4g-4ch", "refresh_window", "tREFI = { value = 3904",
     "tREFI = { value = 7188"},  // DRAMsim3 LPDDR4
    {"lpddr4-3200-4g-4ch", "burst_gap", "tCCD = { value = 8", "tCCD = { value = 4"},  // DRAMsim3
    {"lpddr4-3200-4g-4ch", "zero_current", "I5 = { value = 90", "I5 = { value = 0"},  // DRAMSys
    {"lpddr5-6400-8g-4ch", "rc_sum", "tRC = { value = 49", "tRC = { value = 30"},  // Ramulator 2.0a
    {"lpddr5-6400-8g-4ch", "fixed_in_nck", "tCCD_L = { value = 4",
     "tCCD_L = { value = 6"},  // a fork's LPDDR5-8533
    {"lpddr5-6400-8g-4ch", "fixed_in_nck", "tAAD = { value = 8",
     "tAAD = { value = 11"},  // the same
    {"lpddr5-6400-8g-4ch", "rfc_by_density", "tRFC = { value = 280",
     "tRFC = { value = 210"},  // the 8 Gb value
    {"lpddr5-6400-8g-4ch", "rfcpb_by_density", "tRFCpb = { value = 140", "tRFCpb = { value = 120"},
    {"hbm2-2000-4g-8ch", "rfc_by_density", "tRFC = { value = 260",
     "tRFC = { value = 160"},  // Ramulator 2.1 HBM2
    {"hbm2-2000-4g-8ch", "density", "columns = { value = 128",
     "columns = { value = 32"},  // DRAMSys HBM2: a page of 256 B
    {"hbm2-2000-4g-8ch", "xs", "tXS = { value = 270", "tXS = { value = 216"},  // gem5, DRAMSys
    {"hbm3-6400-16g-16ch", "burst_gap", "tCCD_S = { value = 2", "tCCD_S = { value = 1"},
    {"ddr3-1600-4g-2ch", "refresh_window", "tREFI = { value = 7800",
     "tREFI = { value = 5200"},  // DRAMSys DDR3 2 Gb
    {"ddr5-4800-32g-4ch", "density", "device_gigabits = { value = 16",
     "device_gigabits = { value = 4"},  // gem5 DDR5
    {"ddr5-4800-32g-4ch", "refresh_window", "tREFI = { value = 3900",
     "tREFI = { value = 3907"},  // at the truncated period
    {"ddr5-4800-32g-4ch", "negative_activation", "rho = { value = 0.0",
     "rho = { value = 1.0"},  // IDD0 of one bank below IDD3N of all
};

TEST(WrongMemory, of_other_standards_is_refused_by_the_name_of_the_law) {
  for (const auto& w : kWrongOfOthers) {
    const auto memory = memory_with(w.memory, w.was, w.becomes);
    ASSERT_FALSE(memory) << w.memory << " " << w.becomes;
    EXPECT_TRUE(has_error(memory.error(), w.law)) << w.becomes << "\n" << all_texts(memory.error());
  }
}

// A fact of the standard, no mistake: gem5's own check refused it (gem5#3390).
TEST(WrongMemory, equal_short_and_long_distances_are_legal) {
  EXPECT_TRUE(memory_with("hbm3-6400-16g-16ch",
                          "tCCD_L = { value = 2.5, unit = \"ns\", min_nck = 4",
                          "tCCD_L = { value = 2, unit = \"nCK\""));
}

}  // namespace
}  // namespace diffram::spec

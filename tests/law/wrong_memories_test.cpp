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

}  // namespace
}  // namespace diffram::spec

// Rules that other standards than DDR4 bring: each illegal log breaks its rule and no other, and a
// neighbour breaks none. Places: rank, bank group, bank, row, column.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "check/small_log.h"

namespace diffram::check {
namespace {

using namespace testing;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

struct StandardCase {
  const char* memory;
  const char* rule;
  const char* illegal;
  const char* legal;
};

const StandardCase kCases[] = {
    // The data clock runs nCL + nBL_max + nWCKPST = 22 cycles after CAS and after each read.
    {"lpddr5-6400-8g-4ch", "data-clock", "0 ACT 0 0 0 1; 21 RD 0 0 0 1 0",
     "0 ACT 0 0 0 1; 20 CAS_RD 0; 21 RD 0 0 0 1 0"},
    {"lpddr5-6400-8g-4ch", "data-clock",
     "0 ACT 0 0 0 1; 20 CAS_RD 0; 21 RD 0 0 0 1 0; 44 RD 0 0 0 1 1",
     "0 ACT 0 0 0 1; 20 CAS_RD 0; 21 RD 0 0 0 1 0; 43 RD 0 0 0 1 1"},
    // REFpb of group 1 is in group 3 too.
    {"lpddr5-6400-8g-4ch", "refresh-open-bank", "0 ACT 0 3 2 1; 100 REFpb 0 1 2",
     "0 ACT 0 2 2 1; 100 REFpb 0 1 2"},
    // REFsb is in the bank of its number in every group: tRFCsb 312, tREFSBRD 72, both 1 - 2
    // cycles.
    {"ddr5-4800-32g-4ch", "refresh-open-bank", "0 ACT 0 2 1 1; 200 REFsb 0 0 1",
     "0 ACT 0 2 1 1; 200 REFsb 0 0 3"},
    {"ddr5-4800-32g-4ch", "tRFCsb", "0 REFsb 0 0 1; 310 ACT 0 3 1 1",
     "0 REFsb 0 0 1; 311 ACT 0 3 1 1"},
    {"ddr5-4800-32g-4ch", "tRFCsb", "0 REFsb 0 0 1; 70 ACT 0 3 2 1",
     "0 REFsb 0 0 1; 71 ACT 0 3 2 1"},
    // A two-cycle ACT holds the bus.
    {"ddr5-4800-32g-4ch", "command-length", "0 ACT 0 0 0 1; 1 ACT 1 0 0 1",
     "0 ACT 0 0 0 1; 2 ACT 1 0 0 1"},
    // Rows and columns have a bus each.
    {"hbm2-2000-4g-8ch", "command-bus", "0 ACT 0 0 0 1; 40 PRE 0 0 0; 40 ACT 0 3 0 1",
     "0 ACT 0 0 0 1; 40 RD 0 0 0 1 0; 40 ACT 0 3 0 1"},
    {"hbm3-6400-16g-16ch", "clock-edge", "1 REFpb 0 0 0", "2 REFpb 0 0 0"},
    // Another stack id: tCCD_R of 6 half clocks; its bank groups are 4 to 7.
    {"hbm3-6400-16g-16ch", "tCCD_R",
     "0 ACT 0 0 0 1; 20 ACT 0 4 0 1; 100 RD 0 0 0 1 0; 105 RD 0 4 0 1 0",
     "0 ACT 0 0 0 1; 20 ACT 0 4 0 1; 100 RD 0 0 0 1 0; 106 RD 0 4 0 1 0"},
    // Seven of eight banks do not make a refresh of the rank: 9 x tREFI are 56,214 cycles.
    {"lpddr4-3200-4g-4ch", "tREFI",
     "0 REFpb 0 0 0; 1000 REFpb 0 0 1; 2000 REFpb 0 0 2; 3000 REFpb 0 0 3; 4000 REFpb 0 0 4; "
     "5000 REFpb 0 0 5; 6000 REFpb 0 0 6; 57000 REFpb 0 0 0",
     "0 REFpb 0 0 0; 1000 REFpb 0 0 1; 2000 REFpb 0 0 2; 3000 REFpb 0 0 3; 4000 REFpb 0 0 4; "
     "5000 REFpb 0 0 5; 6000 REFpb 0 0 6; 7000 REFpb 0 0 7; 57000 REFpb 0 0 0"},
};

TEST(StandardRules, are_broken_alone_and_kept_by_the_neighbour) {
  for (const auto& c : kCases) {
    auto memory = *spec::load_memory({DIFFRAM_SOURCE_DIR "/specs"}, c.memory);
    if (memory.standard == "DDR5") memory.organisation.ranks = 2;
    EXPECT_THAT(rules_broken(memory, log_of(c.illegal)), ElementsAre(std::string(c.rule)))
        << c.memory << ": " << c.illegal;
    EXPECT_THAT(rules_broken(memory, log_of(c.legal)), IsEmpty()) << c.memory << ": " << c.legal;
  }
}

}  // namespace
}  // namespace diffram::check

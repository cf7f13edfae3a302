// What the random configurations and traffic reach.

#include <gtest/gtest.h>

#include <set>

#include "oracle/dramsim3_model.h"
#include "oracle/dramsim3_random.h"

namespace diffram::oracle::dramsim3 {
namespace {

// Every rule that has a counter is met, else agreement would say little.
TEST(dramsim3_random, cases_meet_every_rule) {
  constexpr std::uint64_t kRuns = 300;
  std::set<std::string> met;
  for (std::uint64_t seed = 1; seed <= kRuns; ++seed) {
    const auto one = random_case(seed);
    const auto outcome = run_naive(one.ini, one.trace, one.cycles);
    if (outcome.refused) met.insert("refused");
    if (outcome.aborted_at) met.insert(outcome.reason);
    if (outcome.channels.size() > 1) met.insert("several channels");
    for (const auto& channel : outcome.channels) {
      for (const auto& [name, value] : channel.figures) {
        const auto* number = std::get_if<std::uint64_t>(&value);
        if (number != nullptr && *number > 0) met.insert(name);
      }
      for (const char* command : {" RDA ", " WRA ", " REFB ", " SREFX "}) {
        if (channel.log.find(command) != std::string::npos) met.insert(command);
      }
    }
  }
  for (const char* rule : {"a refresh met a sleeping rank",
                           "work waits for a sleeping rank",
                           "several channels",
                           "refused",
                           "epoch_num",
                           "num_ondemand_pres",
                           "num_ref_cmds",
                           "num_refb_cmds",
                           "num_srefe_cmds",
                           "num_srefx_cmds",
                           "hbm_dual_cmds",
                           "num_read_row_hits",
                           "num_write_row_hits",
                           "read_latency.1",
                           "sref_cycles.0",
                           "sref_cycles.3",
                           " RDA ",
                           " WRA ",
                           " REFB ",
                           " SREFX "})
    EXPECT_TRUE(met.contains(rule)) << rule;
}

}  // namespace
}  // namespace diffram::oracle::dramsim3

#include "check/rules.h"

#include <array>

namespace diffram::check {

namespace {

struct StateRuleText {
  const char* name;
  const char* clause;
  const char* about;
};

// No JEDEC document was opened for this project; what was read instead is named.
constexpr std::array<StateRuleText, kStateRuleCount> kStateRules = {{
    {"activate-open-bank", "Ramulator 2 commands/ACT.h; unverified in JESD79-4",
     "an activation needs a closed bank"},
    {"column-closed-bank", "Ramulator 2 commands/RD.h, WR.h; unverified in JESD79-4",
     "a read or write needs an open row"},
    {"column-other-row", "Ramulator 2 commands/RD.h, WR.h; unverified in JESD79-4",
     "a read or write goes to the row that is open"},
    {"refresh-open-bank", "Ramulator 2 commands/REFab.h; unverified in JESD79-4",
     "a refresh needs every bank of the rank closed"},
    {"self-refresh-open-bank", "unverified", "self refresh begins with every bank closed"},
    {"rank-asleep", "unverified", "a sleeping rank takes no command but its exit"},
    {"rank-awake", "unverified", "only a sleeping rank has an exit"},
    {"command-bus", "docs/controller.md: at most one command a cycle",
     "a channel carries one command a cycle"},
    {"data-bus", "docs/controller.md: data occupy the bus for nBL",
     "the data of two bursts may not overlap"},
    {"tREFI", "postponing of 8 refreshes; unverified in JESD79-4",
     "from one refresh of a rank to the next at most 9 x tREFI"},
    {"data-clock",
     "Ramulator 2.1 LPDDR5 and LPDDR6 controller cases (CAS); unverified in JESD209-5",
     "a read or write needs its rank's data clock, which CAS starts"},
    {"clock-edge", "Ramulator 2.1 HBM3 controller case hbm34-1; unverified in JESD238",
     "this command begins with a whole clock"},
}};

}  // namespace

std::vector<RuleText> rules_of(const spec::MemorySpec& memory) {
  std::vector<RuleText> rules;
  rules.reserve(memory.rules.size() + kStateRuleCount);
  for (const auto& rule : memory.rules) rules.push_back({rule.name, rule.clause, ""});
  for (const auto& rule : kStateRules) rules.push_back({rule.name, rule.clause, rule.about});
  return rules;
}

}  // namespace diffram::check

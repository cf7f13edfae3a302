#include "report/causes.h"

#include <algorithm>
#include <map>

namespace diffram::report {

using base::Cause;

const std::vector<CauseFamily>& cause_families() {
  static const std::vector<CauseFamily> families = {
      {"data", "Moving data", "data", {Cause::data_read, Cause::data_write}},
      {"rows",
       "Opening rows",
       "row openings",
       {Cause::row_conflict, Cause::row_miss, Cause::row_hold, Cause::act_window}},
      {"bus",
       "Turning the bus",
       "bus turnarounds",
       {Cause::turn_wr, Cause::turn_rw, Cause::bank_group, Cause::rank_switch, Cause::command_bus}},
      {"upkeep",
       "Refresh, heat",
       "refresh",
       {Cause::refresh, Cause::power_exit, Cause::idle_throttle}},
      {"controller",
       "Controller",
       "the controller",
       {Cause::policy, Cause::front, Cause::dispatch, Cause::cas}},
      {"idle", "Memory idle", "idle time", {Cause::idle_compute, Cause::idle_end}},
  };
  return families;
}

const char* page_name(Cause cause) {
  static constexpr std::array<const char*, base::kCauseCount> names = {
      "Reading data",          "Writing data", "Row conflict",  "Row miss",      "Row hold",
      "Activation limit",      "Write → read", "Read → write",  "Bank group",    "Rank switch",
      "Command bus",           "Refresh",      "Power-down",    "Heat throttle", "Policy",
      "Held at the front end", "Dispatch",     "Column access", "Computing",     "End of run"};
  return names[static_cast<std::size_t>(cause)];
}

std::string css_token(const std::string& name) {
  std::string token = name;
  for (char& c : token)
    if (c == '.' || c == '_') c = '-';
  return token == "(none)" ? "none" : token;
}

std::size_t class_slot(const std::string& token) {
  const auto* found = std::find(kClassTokens.begin(), kClassTokens.end(), token);
  return found == kClassTokens.end() ? kNoClass
                                     : static_cast<std::size_t>(found - kClassTokens.begin());
}

std::string class_name(std::size_t slot) {
  if (slot >= kNoClass) return "no tensor";
  std::string name = kClassTokens[slot];
  std::replace(name.begin(), name.end(), '_', ' ');
  return name;
}

std::string component_name(const std::string& component) {
  static const std::map<std::string, std::string> names = {
      {"activate", "Activate"},
      {"precharge", "Precharge"},
      {"read", "Reading, core"},
      {"write", "Writing, core"},
      {"read_interface", "Reading, interface"},
      {"write_interface", "Writing, interface"},
      {"row_interface", "Row commands, interface"},
      {"refresh_interface", "Refresh commands, interface"},
      {"refresh_part_interface", "Refresh of some banks, interface"},
      {"clock_interface", "Clock, interface"},
      {"refresh", "Refresh"},
      {"refresh_part", "Refresh of some banks"},
      {"bank_open", "Row held open"},
      {"rank_open", "Standby, a row open"},
      {"rank_closed", "Standby, rows closed"},
      {"power_down", "Power-down"},
      {"self_refresh", "Self refresh"},
      {"idle", "Idle background"},
  };
  if (const auto found = names.find(component); found != names.end()) return found->second;
  std::string name = component;
  std::replace(name.begin(), name.end(), '_', ' ');
  if (!name.empty() && name[0] >= 'a' && name[0] <= 'z')
    name[0] = static_cast<char>(name[0] - 'a' + 'A');
  return name;
}

}  // namespace diffram::report

#include "naive_dramsim3/configuration.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <map>
#include <sstream>
#include <stdexcept>

namespace diffram::naive_dramsim3 {
namespace {

bool is_blank(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

std::string trimmed(const std::string& text) {
  std::size_t first = 0, last = text.size();
  while (first < last && is_blank(text[first])) ++first;
  while (last > first && is_blank(text[last - 1])) --last;
  return text.substr(first, last - first);
}

/// A `;` after a blank starts a comment; in `512;` it is part of the value.
std::string without_comment(const std::string& text) {
  for (std::size_t i = 1; i < text.size(); ++i) {
    if (text[i] == ';' && is_blank(text[i - 1])) return text.substr(0, i);
  }
  return text;
}

class Ini {
 public:
  explicit Ini(const std::string& text) {
    std::istringstream lines(text);
    std::string line, section, key;
    while (std::getline(lines, line)) {
      const auto content = trimmed(line);
      if (content.empty() || content[0] == ';' || content[0] == '#') continue;
      if (is_blank(line[0]) && !key.empty()) {
        add(section, key, trimmed(without_comment(content)));
      } else if (content[0] == '[') {
        const auto end = content.find(']');
        if (end == std::string::npos) continue;
        section = content.substr(1, end - 1);
        key.clear();
      } else {
        const auto named = without_comment(content);
        const auto separator = named.find_first_of("=:");
        if (separator == std::string::npos) continue;
        key = trimmed(named.substr(0, separator));
        add(section, key, trimmed(without_comment(content.substr(separator + 1))));
      }
    }
  }

  std::string text(const char* section, const char* key, const char* otherwise) const {
    const auto found = values_.find(lower(std::string(section) + "=" + key));
    return found == values_.end() ? otherwise : found->second;
  }
  int integer(const char* section, const char* key, int otherwise) const {
    const auto value = text(section, key, "");
    char* end = nullptr;
    const long number = std::strtol(value.c_str(), &end, 0);
    return end == value.c_str() ? otherwise : static_cast<int>(number);
  }
  double real(const char* section, const char* key, double otherwise) const {
    const auto value = text(section, key, "");
    char* end = nullptr;
    const double number = std::strtod(value.c_str(), &end);
    return end == value.c_str() ? otherwise : number;
  }
  bool boolean(const char* section, const char* key, bool otherwise) const {
    const auto value = lower(text(section, key, ""));
    if (value == "true" || value == "yes" || value == "on" || value == "1") return true;
    if (value == "false" || value == "no" || value == "off" || value == "0") return false;
    return otherwise;
  }

 private:
  void add(const std::string& section, const std::string& key, const std::string& value) {
    auto& kept = values_[lower(section + "=" + key)];
    kept += (kept.empty() ? "" : "\n") + value;
  }
  std::map<std::string, std::string> values_;
};

int floor_log2(std::uint64_t value) {
  int log = 0;
  while (value > 1) {
    value /= 2;
    ++log;
  }
  return log;
}

/// A division by zero would end the reference by a signal; here it ends with its reason.
std::int64_t divided(std::int64_t value, std::int64_t by, const char* what) {
  if (by == 0) throw std::runtime_error(std::string("division by zero: ") + what);
  return value / by;
}

constexpr int kBitsPerByte = 8;
constexpr int kTokens = 6, kTokenLength = 2;

}  // namespace

Configuration::Configuration(const std::string& ini_text) {
  const Ini ini(ini_text);

  protocol = ini.text("dram_structure", "protocol", "DDR3");
  static const std::vector<std::string> known = {"DDR3",  "DDR4",   "GDDR5",  "GDDR5X", "GDDR6",
                                                 "LPDDR", "LPDDR3", "LPDDR4", "HBM",    "HBM2"};
  if (std::find(known.begin(), known.end(), protocol) == known.end())
    throw std::runtime_error("unknown or unsupported protocol " + protocol);
  gddr = protocol.starts_with("GDDR");
  hbm = protocol.starts_with("HBM");

  bankgroups = ini.integer("dram_structure", "bankgroups", 2);
  banks_per_group = ini.integer("dram_structure", "banks_per_group", 2);
  if (!ini.boolean("dram_structure", "bankgroup_enable", true)) {
    banks_per_group *= bankgroups;
    bankgroups = 1;
  }
  banks = bankgroups * banks_per_group;
  rows = ini.integer("dram_structure", "rows", 1 << 16);
  columns = ini.integer("dram_structure", "columns", 1 << 10);
  const int device_width = ini.integer("dram_structure", "device_width", 8);
  burst_length = ini.integer("dram_structure", "BL", 8);
  dual_command = hbm && ini.boolean("dram_structure", "hbm_dual_cmd", true);

  burst_cycles = burst_length / (protocol == "GDDR5"    ? 4
                                 : protocol == "GDDR5X" ? 8
                                 : protocol == "GDDR6"  ? 16
                                                        : 2);
  if (burst_length == 0) burst_length = hbm ? 4 : 8;
  if (gddr) columns *= burst_length;
  if (hbm) columns *= 2;

  channels = ini.integer("system", "channels", 1);
  bus_width = ini.integer("system", "bus_width", 64);
  devices = static_cast<int>(divided(bus_width, device_width, "device_width"));
  const std::int64_t page_bytes = columns * device_width / kBitsPerByte;
  const std::int64_t megabytes_of_rank = page_bytes * (rows / 1024) / 1024 * banks * devices;
  const std::int64_t channel_size = ini.integer("system", "channel_size", 1024);
  ranks = megabytes_of_rank > channel_size
              ? 1
              : static_cast<int>(divided(channel_size, megabytes_of_rank, "rank of 0 MB"));
  request_bytes = static_cast<std::uint64_t>(bus_width / kBitsPerByte) *
                  static_cast<std::uint64_t>(burst_length);

  const auto queues = ini.text("system", "queue_structure", "PER_BANK");
  if (queues != "PER_BANK" && queues != "PER_RANK")
    throw std::runtime_error("unknown queue_structure " + queues);
  queue_per_bank = queues == "PER_BANK";
  close_page = ini.text("system", "row_buf_policy", "OPEN_PAGE") == "CLOSE_PAGE";
  cmd_queue_size = ini.integer("system", "cmd_queue_size", 16);
  trans_queue_size = ini.integer("system", "trans_queue_size", 32);
  unified_queue = ini.boolean("system", "unified_queue", false);
  const auto refresh = ini.text("system", "refresh_policy", "RANK_LEVEL_STAGGERED");
  if (refresh == "RANK_LEVEL_STAGGERED") {
    refresh_policy = RefreshPolicy::rank_staggered;
  } else if (refresh == "RANK_LEVEL_SIMULTANEOUS") {
    refresh_policy = RefreshPolicy::rank_simultaneous;
  } else if (refresh == "BANK_LEVEL_STAGGERED") {
    refresh_policy = RefreshPolicy::bank_staggered;
  } else {
    throw std::runtime_error("unknown refresh_policy " + refresh);
  }
  self_refresh = ini.boolean("system", "enable_self_refresh", false);
  sref_threshold = ini.integer("system", "sref_threshold", 1000);
  epoch_period = ini.integer("other", "epoch_period", 100000);

  const auto cycles = [&](const char* key, int otherwise) {
    return ini.integer("timing", key, otherwise);
  };
  tCK = ini.real("timing", "tCK", 1.0);
  AL = cycles("AL", 0);
  const int CL = cycles("CL", 12), CWL = cycles("CWL", 12);
  tCCD_L = cycles("tCCD_L", 6);
  tCCD_S = cycles("tCCD_S", 4);
  tRTRS = cycles("tRTRS", 2);
  tRTP = cycles("tRTP", 5);
  tWTR_L = cycles("tWTR_L", 5);
  tWTR_S = cycles("tWTR_S", 5);
  tWR = cycles("tWR", 10);
  tRP = cycles("tRP", 10);
  tRRD_L = cycles("tRRD_L", 4);
  tRRD_S = cycles("tRRD_S", 4);
  tRAS = cycles("tRAS", 24);
  tRCD = cycles("tRCD", 10);
  tRFC = cycles("tRFC", 74);
  tCKESR = cycles("tCKESR", 12);
  tXS = cycles("tXS", 432);
  tRFCb = cycles("tRFCb", 20);
  tREFI = cycles("tREFI", 7800);
  tREFIb = cycles("tREFIb", 1950);
  tFAW = cycles("tFAW", 50);
  tPPD = cycles("tPPD", 0);
  t32AW = cycles("t32AW", 330);
  tRCDRD = cycles("tRCDRD", 24);
  tRCDWR = cycles("tRCDWR", 20);
  tRC = tRAS + tRP;
  RL = AL + CL;
  WL = AL + CWL;
  read_delay = RL + burst_cycles;
  write_delay = WL + burst_cycles;

  VDD = ini.real("power", "VDD", 1.2);
  IDD0 = ini.real("power", "IDD0", 48);
  IDD2N = ini.real("power", "IDD2N", 34);
  IDD3N = ini.real("power", "IDD3N", 43);
  IDD4W = ini.real("power", "IDD4W", 123);
  IDD4R = ini.real("power", "IDD4R", 135);
  IDD5AB = ini.real("power", "IDD5AB", 250);
  IDD5PB = ini.real("power", "IDD5PB", 5);
  IDD6x = ini.real("power", "IDD6x", 31);

  lay_out_address(ini.text("system", "address_mapping", "chrobabgraco"));
}

void Configuration::lay_out_address(const std::string& mapping) {
  if (mapping.size() != kTokens * kTokenLength)
    throw std::runtime_error("address_mapping is not six tokens: " + mapping);
  shift_ = floor_log2(request_bytes);
  channel_.width = floor_log2(channels);
  rank_.width = floor_log2(ranks);
  group_.width = floor_log2(bankgroups);
  bank_.width = floor_log2(banks_per_group);
  row_.width = floor_log2(rows);
  column_.width = floor_log2(columns) - floor_log2(burst_length);
  if (column_.width < 0) throw std::runtime_error("a burst is longer than a row");
  std::map<std::string, Field*> fields = {{"ch", &channel_}, {"ra", &rank_}, {"bg", &group_},
                                          {"ba", &bank_},    {"ro", &row_},  {"co", &column_}};
  int position = 0;
  for (int token = kTokens - 1; token >= 0; --token) {
    const auto name = mapping.substr(token * kTokenLength, kTokenLength);
    const auto found = fields.find(name);
    if (found == fields.end()) throw std::runtime_error("address_mapping has no field " + name);
    found->second->position = position;
    position += found->second->width;
    fields.erase(found);
  }
}

Place Configuration::place(std::uint64_t address) const {
  const auto bursts = address >> shift_;
  Place out;
  out.channel = static_cast<int>(channel_.of(bursts));
  out.rank = static_cast<int>(rank_.of(bursts));
  out.group = static_cast<int>(group_.of(bursts));
  out.bank = static_cast<int>(bank_.of(bursts));
  out.row = static_cast<std::int64_t>(row_.of(bursts));
  out.column = static_cast<std::int64_t>(column_.of(bursts));
  return out;
}

}  // namespace diffram::naive_dramsim3

#include "spec/dramsim3_config.h"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <fstream>
#include <iterator>
#include <utility>

#include "spec/dramsim3_keys.h"

namespace diffram::spec {

namespace {

constexpr std::array<std::pair<const char*, Dramsim3Protocol>, 10> kProtocols = {{
    {"DDR3", Dramsim3Protocol::DDR3},
    {"DDR4", Dramsim3Protocol::DDR4},
    {"GDDR5", Dramsim3Protocol::GDDR5},
    {"GDDR5X", Dramsim3Protocol::GDDR5X},
    {"GDDR6", Dramsim3Protocol::GDDR6},
    {"LPDDR", Dramsim3Protocol::LPDDR},
    {"LPDDR3", Dramsim3Protocol::LPDDR3},
    {"LPDDR4", Dramsim3Protocol::LPDDR4},
    {"HBM", Dramsim3Protocol::HBM},
    {"HBM2", Dramsim3Protocol::HBM2},
}};
constexpr std::array<std::pair<const char*, Dramsim3Refresh>, 3> kRefreshPolicies = {{
    {"RANK_LEVEL_STAGGERED", Dramsim3Refresh::rank_staggered},
    {"RANK_LEVEL_SIMULTANEOUS", Dramsim3Refresh::rank_simultaneous},
    {"BANK_LEVEL_STAGGERED", Dramsim3Refresh::bank_staggered},
}};
constexpr std::array<std::pair<const char*, bool>, 2> kQueueStructures = {{
    {"PER_BANK", false},
    {"PER_RANK", true},
}};

/// More than any DRAM; beyond it the tables of a controller would fill the memory.
constexpr std::int64_t kMostBanksOfChannel = 1 << 14;
constexpr std::int32_t kMostChannels = 1 << 10, kMostQueueEntries = 1 << 20;
/// They keep the size of a rank inside 64 bits.
constexpr std::int32_t kMostRows = 1 << 26, kMostColumns = 1 << 20, kMostBurst = 1 << 8,
                       kMostBusBits = 1 << 16, kMostBanks = 1 << 7;

std::uint32_t bits_of(std::int64_t count) {
  return static_cast<std::uint32_t>(std::bit_width(static_cast<std::uint64_t>(count))) - 1;
}

class ConfigReader {
 public:
  ConfigReader(std::string_view text, const std::string& file) : keys_(text, file) {}

  base::Result<Dramsim3Config> read() {
    read_system();
    read_structure();
    read_timing();
    read_power();
    read_output();
    if (errors_.empty()) derive_geometry();
    if (errors_.empty()) lay_out_addresses();
    if (errors_.empty()) derive_refresh();
    if (!errors_.empty()) return base::failure(std::move(errors_));
    auto notes = keys_.diagnostics();
    notes.insert(notes.end(), diagnostics_.begin(), diagnostics_.end());
    config_.diagnostics = std::move(notes);
    return std::move(config_);
  }

 private:
  void read_system();
  void read_structure();
  void read_timing();
  void read_power();
  void read_output();
  void read_protocol();
  void derive_geometry();
  void lay_out_addresses();
  void derive_refresh();
  void warn_negative_activation();
  void warn_cut_counts();

  void refuse(const char* code, const char* section, const char* key, std::string message,
              std::string expected) {
    errors_.push_back({code, std::move(message), keys_.file(), keys_.line_of(section, key),
                       fmt::format("{}.{}", section, key), std::move(expected)});
  }

  template <class Value, std::size_t N>
  Value choice(const char* section, const char* key, const char* usual,
               const std::array<std::pair<const char*, Value>, N>& choices) {
    const std::string word = keys_.word(section, key, usual);
    std::vector<std::string> names;
    for (const auto& [name, value] : choices) {
      if (word == name) return value;
      names.emplace_back(name);
    }
    const std::string near = base::nearest(word, names);
    refuse("unknown_choice", section, key,
           fmt::format("\"{}\" ends DRAMsim3 with exit code 255", word),
           near.empty() ? fmt::format("{}", names.front()) : near);
    return choices.front().second;
  }

  std::int32_t positive(const char* section, const char* key, std::int32_t usual,
                        std::int32_t most) {
    const std::int32_t value = keys_.integer(section, key, usual);
    if (value <= 0)
      refuse("bad_value", section, key, fmt::format("{} is no count", value), "a number above 0");
    if (value > most)
      refuse("too_large", section, key, fmt::format("{} is none of a DRAM", value),
             fmt::format("at most {}", most));
    return value;
  }
  std::uint32_t entries(const char* key, std::int32_t usual) {
    const std::int32_t value = keys_.integer("system", key, usual);
    if (value < 0 || value > kMostQueueEntries)
      refuse("bad_value", "system", key, fmt::format("{} is no size of a queue", value),
             fmt::format("0 to {}", kMostQueueEntries));
    return static_cast<std::uint32_t>(value);
  }

  Dramsim3Keys keys_;
  Dramsim3Config config_;
  base::Errors errors_;
  std::vector<base::Diagnostic> diagnostics_;
  std::string mapping_;
  std::int64_t rows_ = 0, columns_ = 0, burst_length_ = 0, device_width_ = 0, bus_width_ = 0;
};

void ConfigReader::read_system() {
  constexpr const char* kSection = "system";
  config_.channel_megabytes = keys_.integer(kSection, "channel_size", 1024);
  config_.channels = static_cast<std::uint32_t>(positive(kSection, "channels", 1, kMostChannels));
  bus_width_ = positive(kSection, "bus_width", 64, kMostBusBits);
  mapping_ = keys_.word(kSection, "address_mapping", "chrobabgraco");
  config_.one_queue_per_rank = choice(kSection, "queue_structure", "PER_BANK", kQueueStructures);
  config_.close_page = keys_.word(kSection, "row_buf_policy", "OPEN_PAGE") == "CLOSE_PAGE";
  config_.command_queue_entries = entries("cmd_queue_size", 16);
  config_.transaction_queue_entries = entries("trans_queue_size", 32);
  config_.unified_queue = keys_.boolean(kSection, "unified_queue", false);
  config_.refresh = choice(kSection, "refresh_policy", "RANK_LEVEL_STAGGERED", kRefreshPolicies);
  config_.self_refresh = keys_.boolean(kSection, "enable_self_refresh", false);
  config_.self_refresh_threshold = keys_.integer(kSection, "sref_threshold", 1000);
  keys_.without_effect(kSection, "write_buf_size");
  keys_.without_effect(kSection, "aggressive_precharging_enabled");
}

void ConfigReader::read_protocol() {
  const std::string word = keys_.word("dram_structure", "protocol", "DDR3");
  if (word == "HMC") {
    refuse("not_supported", "dram_structure", "protocol",
           "HMC is not simulated here: its links and vaults are not those of a DRAM bus",
           "an HBM memory with a native controller, such as --memory NAME from `diffram list "
           "memories`");
    return;
  }
  config_.protocol = choice("dram_structure", "protocol", "DDR3", kProtocols);
}

void ConfigReader::read_structure() {
  constexpr const char* kSection = "dram_structure";
  read_protocol();
  config_.bank_groups = static_cast<std::uint32_t>(positive(kSection, "bankgroups", 2, kMostBanks));
  config_.banks_per_group =
      static_cast<std::uint32_t>(positive(kSection, "banks_per_group", 2, kMostBanks));
  const bool grouped = keys_.boolean(kSection, "bankgroup_enable", true);
  rows_ = positive(kSection, "rows", 65536, kMostRows);
  columns_ = positive(kSection, "columns", 1024, kMostColumns);
  device_width_ = positive(kSection, "device_width", 8, kMostBusBits);
  burst_length_ = keys_.integer(kSection, "BL", 8);
  if (burst_length_ < 0 || burst_length_ > kMostBurst)
    refuse("bad_value", kSection, "BL", "a burst has a length", "4, 8 or 16");
  const bool dual = keys_.boolean(kSection, "hbm_dual_cmd", true);
  config_.dual_command = dual && is_hbm(config_.protocol);
  keys_.without_effect(kSection, "num_dies");
  if (!grouped) {
    config_.banks_per_group *= config_.bank_groups;
    config_.bank_groups = 1;
  }
}

void ConfigReader::read_timing() {
  constexpr const char* kSection = "timing";
  Dramsim3Timing& t = config_.timing;
  const std::array<std::tuple<std::int32_t*, const char*, std::int32_t>, 26> table = {{
      {&t.AL, "AL", 0},          {&t.CL, "CL", 12},         {&t.CWL, "CWL", 12},
      {&t.tCCD_L, "tCCD_L", 6},  {&t.tCCD_S, "tCCD_S", 4},  {&t.tRTRS, "tRTRS", 2},
      {&t.tRTP, "tRTP", 5},      {&t.tWTR_L, "tWTR_L", 5},  {&t.tWTR_S, "tWTR_S", 5},
      {&t.tWR, "tWR", 10},       {&t.tRP, "tRP", 10},       {&t.tRRD_L, "tRRD_L", 4},
      {&t.tRRD_S, "tRRD_S", 4},  {&t.tRAS, "tRAS", 24},     {&t.tRCD, "tRCD", 10},
      {&t.tRFC, "tRFC", 74},     {&t.tCKESR, "tCKESR", 12}, {&t.tXS, "tXS", 432},
      {&t.tRFCb, "tRFCb", 20},   {&t.tREFI, "tREFI", 7800}, {&t.tREFIb, "tREFIb", 1950},
      {&t.tFAW, "tFAW", 50},     {&t.tPPD, "tPPD", 0},      {&t.t32AW, "t32AW", 330},
      {&t.tRCDRD, "tRCDRD", 24}, {&t.tRCDWR, "tRCDWR", 20},
  }};
  constexpr std::int32_t kLongest = 1 << 28;  // a second at the fastest clock; sums stay in 32 bits
  for (const auto& [value, key, usual] : table) {
    *value = keys_.integer(kSection, key, usual);
    if (*value > kLongest || *value < -kLongest)
      refuse("bad_value", kSection, key, fmt::format("{} cycles are no time of a DRAM", *value),
             fmt::format("at most {}", kLongest));
  }
  config_.tCK_ns = keys_.real(kSection, "tCK", 1.0);
  for (const char* key : {"tCKE", "tXP", "tRPRE", "tWPRE", "ideal_memory_latency"})
    keys_.without_effect(kSection, key);
}

void ConfigReader::read_power() {
  constexpr const char* kSection = "power";
  Dramsim3Power& p = config_.power;
  p.VDD = keys_.real(kSection, "VDD", 1.2);
  p.IDD0 = keys_.real(kSection, "IDD0", 48);
  p.IDD2N = keys_.real(kSection, "IDD2N", 34);
  p.IDD3N = keys_.real(kSection, "IDD3N", 43);
  p.IDD4W = keys_.real(kSection, "IDD4W", 123);
  p.IDD4R = keys_.real(kSection, "IDD4R", 135);
  p.IDD5AB = keys_.real(kSection, "IDD5AB", 250);
  p.IDD5PB = keys_.real(kSection, "IDD5PB", 5);
  p.IDD6x = keys_.real(kSection, "IDD6x", 31);
  keys_.without_effect(kSection, "IDD2P");
}

void ConfigReader::read_output() {
  const std::int32_t cycles = keys_.integer("other", "epoch_period", 100000);
  if (cycles == 0)
    refuse("bad_value", "other", "epoch_period", "DRAMsim3 divides by it", "a number above 0");
  // Its clock has no sign: a negative period is one that never ends.
  config_.epoch_cycles = static_cast<std::uint64_t>(std::int64_t{cycles});
  config_.output_level = keys_.integer("other", "output_level", 1);
  config_.output_prefix = keys_.word("other", "output_prefix", "dramsim3");
}

// dramsim3-behaviour.md 2.
void ConfigReader::derive_geometry() {
  const auto beats_per_cycle = [&]() -> std::int64_t {
    switch (config_.protocol) {
      case Dramsim3Protocol::GDDR5:
        return 4;
      case Dramsim3Protocol::GDDR5X:
        return 8;
      case Dramsim3Protocol::GDDR6:
        return 16;
      default:
        return 2;
    }
  };
  config_.burst_cycles = static_cast<std::int32_t>(burst_length_ / beats_per_cycle());
  if (burst_length_ == 0) burst_length_ = is_hbm(config_.protocol) ? 4 : 8;
  if (is_gddr(config_.protocol)) columns_ *= burst_length_;
  if (is_hbm(config_.protocol)) columns_ *= 2;
  warn_cut_counts();
  warn_negative_activation();

  const std::int64_t devices = bus_width_ / device_width_;
  const std::int64_t page_bytes = columns_ * device_width_ / 8;
  const std::int64_t bank_megabytes = page_bytes * (rows_ / 1024) / 1024;
  const std::int64_t rank_megabytes = bank_megabytes * config_.banks() * devices;
  config_.devices = static_cast<std::uint32_t>(devices);
  if (rank_megabytes <= 0) {
    refuse("bad_geometry", "dram_structure", "rows",
           "a rank has no whole megabyte as DRAMsim3 counts, and it divides by that",
           "at least 1024 rows, and a bus as wide as a device");
    return;
  }
  std::int64_t ranks = config_.channel_megabytes / rank_megabytes;
  if (rank_megabytes > config_.channel_megabytes) {
    ranks = 1;
    diagnostics_.push_back(
        {"channel_size_raised", base::Severity::warning,
         "A rank is larger than channel_size: DRAMsim3 takes one rank and its size",
         fmt::format("{} MB, not {} MB", rank_megabytes, config_.channel_megabytes)});
    config_.channel_megabytes = rank_megabytes;
  }
  if (ranks * config_.banks() > kMostBanksOfChannel) {
    refuse("too_large", "system", "channel_size",
           fmt::format("{} ranks of {} banks", ranks, config_.banks()),
           fmt::format("at most {} banks", kMostBanksOfChannel));
    return;
  }
  config_.ranks = static_cast<std::uint32_t>(ranks);
  const std::int64_t request_bytes = bus_width_ / 8 * burst_length_;
  if (request_bytes <= 0 || request_bytes > (1 << 20)) {
    refuse("bad_geometry", "system", "bus_width", "a request has no bytes, or too many",
           "a bus of at least 8 bits");
    return;
  }
  config_.request_bytes = static_cast<std::uint32_t>(request_bytes);
  config_.bus_width = static_cast<std::uint32_t>(bus_width_);
  config_.burst_length = static_cast<std::uint32_t>(burst_length_);
  config_.device_width = static_cast<std::uint32_t>(device_width_);
  config_.rows = static_cast<std::uint32_t>(rows_);
  config_.columns = static_cast<std::uint32_t>(columns_);
}

// DRAMsim3 counts an activation as IDD0 over tRC, less what standing by would have taken.
void ConfigReader::warn_negative_activation() {
  const Dramsim3Power& p = config_.power;
  const auto& t = config_.timing;
  const double standby = p.IDD3N * t.tRAS + p.IDD2N * t.tRP;
  if (t.tRC() <= 0 || p.IDD0 * t.tRC() >= standby) return;
  diagnostics_.push_back(
      {"negative_activation", base::Severity::warning,
       fmt::format("IDD0 = {} mA is below standby, so an activation costs less than nothing; it "
                   "takes at least {:.3f} mA",
                   p.IDD0, standby / t.tRC()),
       fmt::format("(IDD3N * tRAS + IDD2N * tRP) / tRC = ({} * {} + {} * {}) / {}", p.IDD3N, t.tRAS,
                   p.IDD2N, t.tRP, t.tRC())});
}

void ConfigReader::warn_cut_counts() {
  const std::array<std::pair<const char*, std::int64_t>, 6> counts = {{
      {"channels", config_.channels},
      {"bankgroups", config_.bank_groups},
      {"banks_per_group", config_.banks_per_group},
      {"rows", rows_},
      {"columns", columns_},
      {"BL", burst_length_},
  }};
  for (const auto& [name, count] : counts) {
    if (std::has_single_bit(static_cast<std::uint64_t>(count))) continue;
    diagnostics_.push_back(
        {"not_power_of_two", base::Severity::warning,
         fmt::format("{} is no power of two: DRAMsim3's address map reaches only {} of {}", name,
                     std::bit_floor(static_cast<std::uint64_t>(count)), count),
         keys_.file()});
  }
}

// dramsim3-behaviour.md 3.
void ConfigReader::lay_out_addresses() {
  constexpr std::size_t kFields = 6;
  Dramsim3AddressMap& map = config_.map;
  struct Named {
    std::string_view name;
    Dramsim3Field* field;
    std::int64_t bits;
    bool placed = false;
  };
  std::array<Named, kFields> fields = {{
      {"ch", &map.channel, bits_of(config_.channels)},
      {"ra", &map.rank, bits_of(config_.ranks)},
      {"bg", &map.bank_group, bits_of(config_.bank_groups)},
      {"ba", &map.bank, bits_of(config_.banks_per_group)},
      {"ro", &map.row, bits_of(rows_)},
      {"co", &map.column, std::int64_t{bits_of(columns_)} - std::int64_t{bits_of(burst_length_)}},
  }};
  map.shift = bits_of(config_.request_bytes);
  bool good = mapping_.size() == 2 * kFields && fields.back().bits >= 0;
  std::uint32_t position = 0;
  for (std::size_t i = 0; good && i < kFields; ++i) {
    const std::string_view token = std::string_view(mapping_).substr(2 * (kFields - 1 - i), 2);
    Named* found = nullptr;
    for (Named& each : fields) {
      if (each.name == token && !each.placed) found = &each;
    }
    good = found != nullptr;
    if (!good) break;
    found->placed = true;
    found->field->position = position;
    found->field->mask = (std::uint64_t{1} << found->bits) - 1;
    position += static_cast<std::uint32_t>(found->bits);
  }
  if (!good || position + map.shift > 63) {
    refuse("bad_mapping", "system", "address_mapping",
           fmt::format("\"{}\" does not place every field once", mapping_),
           "ch, ra, bg, ba, ro and co, most significant first, such as rochrababgco");
  }
}

void ConfigReader::derive_refresh() {
  std::int32_t interval = config_.timing.tREFI;
  const char* key = "tREFI";
  if (config_.refresh == Dramsim3Refresh::rank_staggered)
    interval /= static_cast<std::int32_t>(config_.ranks);
  if (config_.refresh == Dramsim3Refresh::bank_staggered) {
    interval = config_.timing.tREFIb;
    key = "tREFIb";
  }
  if (interval == 0)
    refuse("bad_value", "timing", key,
           "no cycle lies between two refreshes; DRAMsim3 divides by it",
           "at least one cycle for each rank");
  config_.refresh_interval = static_cast<std::uint64_t>(std::int64_t{interval});
}

}  // namespace

base::Result<Dramsim3Config> parse_dramsim3_config(std::string_view text, const std::string& file) {
  return ConfigReader(text, file).read();
}

base::Result<Dramsim3Config> load_dramsim3_config(const std::string& file) {
  std::ifstream stream(file, std::ios::binary);
  const std::string text((std::istreambuf_iterator<char>(stream)),
                         std::istreambuf_iterator<char>());
  if (!stream.is_open() || stream.bad()) {
    return base::failure({"unreadable", "the configuration cannot be read", file, 0, "",
                          "a DRAMsim3 configuration file (.ini)"});
  }
  return parse_dramsim3_config(text, file);
}

}  // namespace diffram::spec

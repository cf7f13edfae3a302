#include "spec/drampower_memspec.h"

#include <algorithm>
#include <array>
#include <span>

#include "spec/json_fields.h"
#include "spec/small_file.h"

namespace diffram::spec {

namespace {

constexpr double kMostAmpere = 10;  // of a device; older files are in mA
constexpr std::int64_t kMostCycles = 1'000'000'000;

struct RailNames {
  const char *name, *volts, *current, *suffix;  ///< "idd" + "2n" + suffix
};

/// How a family's fields are spelled; what else its sections may hold.
struct Family {
  const char* standard;
  std::span<const RailNames> rails;
  const char *refresh, *part_refresh, *self_refresh;  ///< currents; none = nullptr
  std::span<const char* const> other_currents;
  std::span<const char* const> timings;        ///< that energy needs
  std::span<const char* const> other_timings;  ///< words of lists
};

constexpr RailNames kDdrRails[] = {{"VDD", "vdd", "idd", ""}, {"VPP", "vpp", "ipp", ""}};
constexpr RailNames kLpddr4Rails[] = {{"VDD1", "vdd1", "idd", "1"}, {"VDD2", "vdd2", "idd", "2"}};
constexpr RailNames kLpddr5Rails[] = {
    {"VDD1", "vdd1", "idd", "1"}, {"VDD2H", "vdd2h", "idd", "2h"}, {"VDD2L", "vdd2l", "idd", "2l"}};
constexpr RailNames kLpddr6Rails[] = {
    {"VDD1", "vdd1", "idd", "1"}, {"VDD2C", "vdd2c", "idd", "2c"}, {"VDD2D", "vdd2d", "idd", "2d"}};

constexpr const char* kDdr4Currents[] = {"idd5F2", "idd5F4", "ipp5F2", "ipp5F4"};
constexpr const char* kDdr5Currents[] = {"idd5f", "ipp5f"};
constexpr const char* kLpddr6Currents[] = {"vdd2l"};

constexpr const char* kDdr4Timings[] = {"RAS", "RCD", "RP", "RFC1", "RTP", "WL", "WR", "AL"};
constexpr const char* kDdr5Timings[] = {"RAS", "RCD", "RP", "RFC1", "RFCsb", "RTP", "WL", "WR"};
constexpr const char* kLpddr4Timings[] = {"RAS", "RCD", "RPpb", "RFCab", "RFCpb",
                                          "RTP", "WL",  "WR",   "REFI"};
constexpr const char* kLpddr5Timings[] = {"RAS",  "RCD_S", "RPpb", "RFCab", "RFCpb",
                                          "RBTP", "WL",    "WR",   "REFI",  "WCK2CK"};
constexpr const char* kLpddr6Timings[] = {"RAS",  "RCD_r", "RCD_w", "RPpb", "RFCab", "RFCdb",
                                          "RBTP", "WL",    "WR",    "REFI", "WCK2CK"};

constexpr const char* kDdr4Others[] = {
    "CKE CKESR RC RL RPRE WPRE XP XS REFM REFI RFC2 RFC4 DQSCK CCD_S CCD_L FAW RRD_S RRD_L",
    "WTR_S WTR_L XPDLL XSDLL ACTPDEN PRPDEN REFPDEN RTRS"};
constexpr const char* kDdr5Others[] = {
    "RFC2 PPD RL RPRE RPST RDDQS WPRE WPST CCD_L_slr CCD_L_WR_slr CCD_L_WR2_slr CCD_M_slr",
    "CCD_M_WR_slr CCD_S_slr CCD_S_WR_slr CCD_dlr CCD_WR_dlr CCD_WR_dpr RRD_L_slr RRD_S_slr",
    "RRD_dlr FAW_slr FAW_dlr WTR_L WTR_M WTR_S RFC1_slr RFC2_slr RFC1_dlr RFC2_dlr RFC1_dpr",
    "RFC2_dpr RFCsb_slr RFCsb_dlr REFI1 REFI2 REFISB REFSBRD_slr REFSBRD_dlr RTRS CPDED PD XP",
    "ACTPDEN PRPDEN REFPDEN"};
constexpr const char* kLpddr4Others[] = {
    "CKE ESCKE CMDCKE RL REFM REFIpb RPab RCpb RCab PPD FAW RRD CCD CCDMW RPST DQSCK DQSS DQS2DQ",
    "WPRE WTR XP SR XSR RTRS"};
constexpr const char* kLpddr5Others[] = {
    "REFIpb RPab RCpb RCab PPD RCD RCD_L FAW RRD RL RTRS BL_n_min_16 BL_n_max_16 BL_n_L_16",
    "BL_n_S_16 BL_n_min_32 BL_n_max_32 BL_n_L_32 BL_n_S_32 WTR_L WTR_S RTW_L_32 RTW_L_16",
    "RTW_S_32 RTW_S_16 WCK2DQO pbR2act pbR2pbR"};
constexpr const char* kLpddr6Others[] = {
    "REFIpb RFCpb RPab RCpb RCab PPD RCD RCD_L RCD_S FAW RRD RL RTRS BL_n_min_24 BL_n_max_24",
    "BL_n_L_24 BL_n_S_24 BL_n_min_48 BL_n_max_48 BL_n_L_48 BL_n_S_48 WTR_L WTR_S WCK2DQO",
    "pbR2act pbR2pbR RTP_24 RTP_48 RTW_L_24 RTW_S_24 RTW_L_48 RTW_S_48 WCKPST WCK2DQI WTP ACU",
    "CMDPD dbR2dbR dbR2act ESPD SR XSR"};

constexpr Family kFamilies[] = {
    {"DDR4", kDdrRails, "5B", nullptr, "6n", kDdr4Currents, kDdr4Timings, kDdr4Others},
    {"DDR5", kDdrRails, "5b", "5c", "6n", kDdr5Currents, kDdr5Timings, kDdr5Others},
    {"LPDDR4", kLpddr4Rails, "5", "5pb", "6", {}, kLpddr4Timings, kLpddr4Others},
    {"LPDDR5", kLpddr5Rails, "5", "5pb", "6", {}, kLpddr5Timings, kLpddr5Others},
    {"LPDDR6", kLpddr6Rails, "5", "5pdb", "6", kLpddr6Currents, kLpddr6Timings, kLpddr6Others},
};

void pass_over_words(JsonFields& fields, std::string_view words) {
  while (!words.empty()) {
    const auto end = std::min(words.find(' '), words.size());
    fields.number_or(std::string(words.substr(0, end)), 0, kMostCycles, 0);
    words.remove_prefix(std::min(end + 1, words.size()));
  }
}

RailCurrents read_rail(JsonFields& power, const Family& family, const RailNames& names) {
  const auto current = [&](const char* state) {
    return power.number(std::string(names.current) + state + names.suffix, 0, kMostAmpere);
  };
  RailCurrents r;
  r.name = names.name;
  r.volts = power.number(names.volts, 0, 10);
  r.i0 = current("0");
  r.i2n = current("2n");
  r.i3n = current("3n");
  r.i4r = current("4r");
  r.i4w = current("4w");
  r.i5 = current(family.refresh);
  if (family.part_refresh != nullptr) r.i5_part = current(family.part_refresh);
  r.i6 = current(family.self_refresh);
  r.i6_deep = power.number_or(std::string(names.current) + "6ds" + names.suffix, 0, kMostAmpere,
                              kUnknownCurrent);
  r.i2p = current("2p");
  r.i3p = current("3p");
  r.i_beta = power.number_or(std::string("iBeta_") + names.volts, 0, kMostAmpere, r.i0);
  return r;
}

void read_shape(JsonFields shape, DrampowerMemspec& out, JsonErrors& errors) {
  const auto whole = [&](const char* key, std::int64_t most) {
    return static_cast<std::uint32_t>(shape.whole(key, 1, most));
  };
  Organisation& o = out.organisation;
  o.ranks = whole("nbrOfRanks", 64);
  const std::uint32_t banks = whole("nbrOfBanks", 1024);
  o.bank_groups = whole("nbrOfBankGroups", 1024);
  o.rows = whole("nbrOfRows", 1 << 26);
  o.columns = whole("nbrOfColumns", 1 << 20);
  o.device_width = whole("width", 1024);
  const std::uint32_t devices = whole("nbrOfDevices", 64);
  o.bus_width = o.device_width * devices;
  o.burst_length = whole("burstLength", 256);
  out.data_rate = whole("dataRate", 16);
  out.write_clock_always_on = shape.flag_or("WCKalwaysOn", true);
  out.refresh_pair_offset =
      static_cast<std::uint32_t>(shape.whole_or("per2BankOffset", 0, 1023, 0));
  if (banks % o.bank_groups != 0)
    errors.refuse("inconsistent", "memarchitecturespec.nbrOfBanks", "nbrOfBanks",
                  "the bank groups have no equal number of banks", "a multiple of nbrOfBankGroups");
  o.banks_per_group = std::max(1u, banks / o.bank_groups);
  for (const char* key :
       {"nbrOfChannels", "maxBurstLength", "RefMode", "nbrOfDIMMRanks", "nbrOfPhysicalRanks",
        "nbrOfLogicalRanks", "cmdMode", "RAAIMT", "RAAMMT", "RAADEC"})
    shape.pass_over(key);
  shape.refuse_unknown();
}

void read_power(JsonFields power, const Family& family, DrampowerMemspec& out, double& volts_q) {
  for (const RailNames& names : family.rails)
    out.currents.rails.push_back(read_rail(power, family, names));
  volts_q = power.number("vddq", 0, 10);
  for (const char* key : family.other_currents) power.number_or(key, 0, kMostAmpere, 0);
  power.refuse_unknown();
}

void read_timings(JsonFields timing, const Family& family, DrampowerMemspec& out) {
  out.period_s = timing.number("tCK", 1e-12, 1);
  for (const char* key : family.timings) out.timings[key] = timing.whole(key, 0, kMostCycles);
  for (const char* words : family.other_timings) pass_over_words(timing, words);
  if (const auto ratio = out.timings.find("WCK2CK"); ratio != out.timings.end())
    out.write_clocks_per_clock = static_cast<std::uint32_t>(timing.whole("WCK2CK", 1, 16));
  timing.refuse_unknown();
}

void read_impedance(JsonFields impedance, Interface& out, JsonErrors& errors) {
  constexpr std::array<const char*, kPinGroups> kKeys = {"ck",   "ca",   "rdq",  "wdq", "rdqs",
                                                         "wdqs", "rdbi", "wdbi", "wck"};
  for (std::size_t i = 0; i < kPinGroups; ++i) {
    const std::string key = kKeys[i];
    PinElectrics& pin = out.pins[i];
    pin.ohms = impedance.number_or(key + "_R_eq", 0, 1e12, 0);
    pin.is_terminated = impedance.flag_or(key + "_termination", pin.ohms > 0);
    pin.joules_per_rise = impedance.number_or(key + "_dyn_E", 0, 1, 0);
    if (pin.is_terminated && pin.ohms == 0)
      errors.refuse("inconsistent", "memimpedancespec." + key + "_R_eq", key + "_termination",
                    "a terminated pin needs a resistance", "ohms above 0");
  }
  impedance.refuse_unknown();
}

void read_ambles(JsonFields ambles, Interface& out) {
  if (!ambles.is_present()) return;
  out.read_amble = {ambles.number("read_zeroes", 0, 1e3),
                    ambles.number("read_zeroes_to_ones", 0, 1e3)};
  out.write_amble = {ambles.number("write_zeroes", 0, 1e3),
                     ambles.number("write_zeroes_to_ones", 0, 1e3)};
  for (const char* key : {"read_ones", "write_ones", "read_ones_to_zeroes", "write_ones_to_zeroes",
                          "readMinTccd", "writeMinTccd"})
    ambles.number_or(key, 0, 1e3, 0);
  ambles.refuse_unknown();
}

const Family* family_of(JsonFields& root, JsonErrors& errors) {
  const std::string name = root.text("memoryType");
  const auto found = std::ranges::find_if(
      kFamilies, [&](const Family& family) { return name == family.standard; });
  if (found != std::end(kFamilies)) return found;
  if (!name.empty())
    errors.refuse("unknown_choice", "memoryType", "memoryType",
                  "there is no energy of such a memory here",
                  "DDR4, DDR5, LPDDR4, LPDDR5 or LPDDR6");
  return nullptr;
}

}  // namespace

base::Result<DrampowerMemspec> parse_drampower_memspec(std::string_view text,
                                                       const std::string& file) {
  JsonErrors errors{file, text, {}};
  const auto parsed = parse_json(errors);
  if (!parsed) return base::failure(std::move(errors.errors));
  // The files have one field around it all; DRAMPower's own tests have not.
  const auto wrapped = parsed->find("memspec");
  const nlohmann::json& root =
      wrapped != parsed->end() && wrapped->is_object() ? *wrapped : *parsed;

  DrampowerMemspec out;
  JsonFields fields(root, "", true, errors);
  out.id = fields.text("memoryId");
  const Family* family = family_of(fields, errors);
  if (family == nullptr) return base::failure(std::move(errors.errors));
  out.standard = family->standard;
  double volts_q = 0;
  read_shape({root, "memarchitecturespec", true, errors}, out, errors);
  read_power({root, "mempowerspec", true, errors}, *family, out, volts_q);
  read_timings({root, "memtimingspec", true, errors}, *family, out);
  JsonFields bankwise(root, "bankwisespec", false, errors);
  out.currents.rho = bankwise.number_or("factRho", 0, 1, 1);
  for (const char* key : {"factSigma", "pasrMode", "hasPASR"}) bankwise.pass_over(key);
  bankwise.refuse_unknown();
  JsonFields impedance(root, "memimpedancespec", false, errors);
  if (impedance.is_present()) {
    out.interface = Interface{};
    out.interface->volts = volts_q;
    read_impedance(impedance, *out.interface, errors);
    read_ambles({root, "prepostamble", false, errors}, *out.interface);
  }
  for (const char* key : {"memarchitecturespec", "mempowerspec", "memtimingspec", "bankwisespec",
                          "memimpedancespec", "prepostamble", "dataratespec"})
    fields.pass_over(key);
  fields.refuse_unknown();
  if (!errors.errors.empty()) return base::failure(std::move(errors.errors));
  return out;
}

base::Result<DrampowerMemspec> load_drampower_memspec(const std::string& file) {
  constexpr std::size_t kMostBytes = 1 << 20;
  const auto text = read_small_file(file, kMostBytes);
  if (text) return parse_drampower_memspec(*text, file);
  const bool too_large = text.error() == NotRead::too_large;
  return base::failure({too_large ? "too_large" : "cannot_read",
                        too_large ? "a memory has at most 1 MiB" : "the file cannot be read", file,
                        0, "", "a memory as DRAMPower's JSON describes it"});
}

}  // namespace diffram::spec

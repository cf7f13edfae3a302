// Every configuration of DRAMsim3 that the recorded runs used, and the real ones of
// data/dramsim3_ini, as memory files: the memory is the one that DRAMsim3 has, and no key is lost
// in silence.

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cctype>
#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "oracle/dramsim3_cases.h"
#include "oracle/dramsim3_engine.h"
#include "spec/dramsim3_config.h"
#include "spec/dramsim3_ini.h"
#include "spec/dramsim3_memory.h"
#include "spec/shipped.h"

namespace diffram::oracle::dramsim3 {
namespace {

using spec::Dramsim3Config;
using spec::Dramsim3Memory;

base::Result<Dramsim3Memory> converted(const std::string& name, const std::string& text) {
  return spec::convert_dramsim3_config(spec::SourceText{name + ".ini", text},
                                       spec::shipped_standards());
}

void is_the_same_memory(const Dramsim3Config& theirs, const spec::MemorySpec& ours) {
  const auto& o = ours.organisation;
  EXPECT_EQ(o.channel_bytes(), static_cast<std::uint64_t>(theirs.channel_megabytes) << 20);
  EXPECT_EQ(o.channels, theirs.channels);
  EXPECT_EQ(o.ranks, theirs.ranks);
  EXPECT_EQ(o.banks(), theirs.banks());
  EXPECT_EQ(o.devices(), theirs.devices);
  EXPECT_EQ(o.burst_bytes(), theirs.request_bytes);
  // A memory states whole MT/s.
  EXPECT_NEAR(ours.clock.period_s() * 1e9 / theirs.tCK_ns, 1,
              0.501 / static_cast<double>(ours.megatransfers));
  const auto& t = theirs.timing;
  const std::map<std::string, std::int32_t> same = {
      {"nCL", t.read_latency()},
      {"nCWL", t.write_latency()},
      {"nRP", t.tRP},
      {"nRAS", t.tRAS},
      {"nRC", t.tRC()},
      {"nRTP", t.AL + t.tRTP},
      {"nWR", t.tWR},
      {"nFAW", t.tFAW},
      {"nRFC", t.tRFC},
      {"nREFI", t.tREFI},
      {"nCS", t.tRTRS},
      {"nRRD_S", t.tRRD_S},
      {"nWTR_S", t.tWTR_S},
      {"nRCDRD", t.tRCDRD},
      {"nRCDWR", t.tRCDWR},
      {"nCCD_S", std::max({t.tCCD_S, theirs.burst_cycles, ours.timing("nBL")})}};
  for (const auto& [name, cycles] : same) {
    if (!ours.timings.contains(name)) continue;
    EXPECT_EQ(ours.timing(name), cycles) << name;
  }
  const bool one_delay = !ours.timings.contains("nRCDRD");
  EXPECT_EQ(ours.timing("nRCD"), one_delay ? t.tRCD - t.AL : t.tRCDRD);
}

/// The bits of an address that go to a field are the same.
void places_addresses_alike(const Dramsim3Config& theirs, const spec::MemorySpec& ours) {
  const auto places = [&](const std::vector<std::uint64_t>& bits, const spec::Dramsim3Field& field,
                          std::size_t from, const char* name) {
    for (std::size_t i = 0; (field.mask >> i & 1) != 0; ++i) {
      ASSERT_LT(from + i, bits.size()) << name;
      EXPECT_EQ(bits[from + i], std::uint64_t{1} << (theirs.map.shift + field.position + i))
          << name;
    }
  };
  places(ours.map.channel, theirs.map.channel, 0, "channel");
  places(ours.map.rank, theirs.map.rank, 0, "rank");
  places(ours.map.row, theirs.map.row, 0, "row");
  places(ours.map.column, theirs.map.column, 0, "column");
  if (ours.organisation.bank_groups != theirs.bank_groups) return;  // joined: in either order
  places(ours.map.bank_group, theirs.map.bank_group, 0, "bank group");
  places(ours.map.bank, theirs.map.bank, 0, "bank");
}

bool has_word(const std::string& text, const std::string& word) {
  const auto in_word = [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; };
  for (auto at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
    const auto end = at + word.size();
    if ((at == 0 || !in_word(text[at - 1])) && (end == text.size() || !in_word(text[end])))
      return true;
  }
  return false;
}

/// Each key of the file is told of in the memory file or in a diagnostic.
void loses_no_key(const std::string& text, const Dramsim3Memory& result) {
  std::string told = result.toml;
  for (const auto& each : result.diagnostics) told += each.message + "\n" + each.evidence + "\n";
  // The protocol is the standard; these two make a choice that stands under another key.
  const std::set<std::string> elsewhere = {"protocol", "enable_self_refresh"};
  const spec::IniText ini(text);
  for (const auto& entry : ini.entries()) {
    if (entry.value.empty() || elsewhere.contains(entry.key)) continue;
    EXPECT_TRUE(has_word(told, entry.spelled)) << entry.spelled;
  }
}

void holds(const std::string& name, const std::string& text) {
  SCOPED_TRACE(name);
  const auto theirs = spec::parse_dramsim3_config(text, name);
  ASSERT_TRUE(theirs);
  const auto result = converted(name, text);
  ASSERT_TRUE(result) << spec::all_texts(result.error());
  is_the_same_memory(*theirs, result->memory);
  places_addresses_alike(*theirs, result->memory);
  loses_no_key(text, *result);
}

TEST(dramsim3_memories, every_configuration_of_DRAMsim3_becomes_its_memory_or_has_no_standard) {
  std::map<std::string, std::string> texts;
  for (const auto& one : read_cases(kCaseSets[0]))
    texts.emplace(one.name.substr(0, one.name.find("__")), one.ini);
  ASSERT_EQ(texts.size(), 80u);
  std::set<std::string> without_standard;
  for (const auto& [name, text] : texts) {
    const auto result = converted(name, text);
    if (!result && result.error().front().code == "no_such_standard") {
      without_standard.insert(name);
      continue;
    }
    holds(name, text);
  }
  const std::set<std::string> expected = {
      "GDDR5X_8Gb_x32",      "GDDR5_1Gb_x32",       "GDDR5_8Gb_x32", "LPDDR3_8Gb_x32_1333",
      "LPDDR3_8Gb_x32_1600", "LPDDR3_8Gb_x32_1866", "lpddr_2Gb_x16"};
  EXPECT_EQ(without_standard, expected);
}

std::string real_file(const std::string& name) {
  return spec::file_text(DIFFRAM_SOURCE_DIR "/tests/oracle/data/dramsim3_ini/" + name);
}

struct Facts {
  const char* file;
  const char* standard;
  std::uint32_t channels, ranks, banks, devices, request_bytes;
  std::uint64_t channel_megabytes, page_bytes;  ///< a page is of one device
  double tCK_ns, peak_gb_per_s;
  std::int32_t tRFC, tREFI;
  const char* map;
};

// The facts that were counted for the files, by scripts that know no simulator.
TEST(dramsim3_memories, real_files_have_the_facts_that_were_counted) {
  const Facts facts[] = {
      {"DDR4_8Gb_x8_2400.ini", "DDR4", 1, 2, 16, 8, 64, 16384, 1024, 0.83, 19.28, 420, 9360,
       "ro ch ra ba bg co"},
      {"XiangShan-nanhu.ini", "DDR4", 1, 2, 16, 8, 64, 16384, 1024, 0.83, 19.28, 420, 9360,
       "ro ch ra ba bg co"},
      {"ramulator2_perf_dramsim3.ini", "DDR3", 1, 8, 8, 8, 64, 16384, 1024, 1.25, 12.8, 280, 7800,
       "ro ch ra ba:3 co"},
      {"HBM_4Gb_x128_pim.ini", "HBM1", 8, 1, 16, 1, 64, 512, 2048, 2.0, 128, 74, 1950,
       "ro ra bg ba ch co"},
      {"HBM2_powerfix1_TQ1024.ini", "HBM1", 8, 1, 16, 1, 128, 1024, 2048, 0.5, 512, 260, 3900,
       "ro ra bg ba ch co"},
  };
  for (const auto& fact : facts) {
    const auto text = real_file(fact.file);
    holds(fact.file, text);
    const auto result = converted(fact.file, text);
    ASSERT_TRUE(result);
    const auto& m = result->memory;
    const auto& o = m.organisation;
    EXPECT_EQ(m.standard, fact.standard) << fact.file;
    EXPECT_EQ(o.channels, fact.channels);
    EXPECT_EQ(o.ranks, fact.ranks);
    EXPECT_EQ(o.banks(), fact.banks);
    EXPECT_EQ(o.devices(), fact.devices);
    EXPECT_EQ(o.burst_bytes(), fact.request_bytes);
    EXPECT_EQ(o.channel_bytes() >> 20, fact.channel_megabytes);
    EXPECT_EQ(o.row_bytes() / o.devices(), fact.page_bytes);
    EXPECT_NEAR(m.clock.period_s() * 1e9, fact.tCK_ns, 2e-4 * fact.tCK_ns);
    EXPECT_NEAR(m.peak_bytes_per_s() / 1e9, fact.peak_gb_per_s, 2e-3);
    EXPECT_EQ(m.timing("nRFC"), fact.tRFC);
    EXPECT_EQ(m.timing("nREFI"), fact.tREFI);
    EXPECT_EQ(m.map.text, fact.map);
  }
}

/// The configuration that the peer cases name.
std::string recorded_configuration(const std::string& name) {
  for (const auto& one : read_cases(kCaseSets[0])) {
    if (one.name.starts_with(name + "__")) return one.ini;
  }
  throw std::runtime_error("no recorded case of " + name);
}

struct PlacedAddress {
  std::uint64_t address;
  const char* field;
  std::uint64_t value;
};

std::uint64_t field_of(const std::vector<std::uint64_t>& bits, std::uint64_t address) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < bits.size(); ++i)
    value |= std::uint64_t{(std::popcount(bits[i] & address) & 1) != 0} << i;
  return value;
}

// Peer case hbm1-map: of rorabgbachco the column lies above the 64 bytes of a request.
TEST(dramsim3_peer_case, hbm1_map) {
  const auto text = recorded_configuration("HBM1_4Gb_x128");
  const auto theirs = spec::parse_dramsim3_config(text, "HBM1_4Gb_x128.ini");
  const auto ours = converted("HBM1_4Gb_x128", text);
  ASSERT_TRUE(theirs && ours);
  const auto& a = theirs->map;
  const auto& b = ours->memory.map;
  EXPECT_EQ(a.shift, 6u);
  EXPECT_EQ(a.column.position, 0u);
  EXPECT_EQ(a.channel.position, 5u);
  EXPECT_EQ(a.bank.position, 8u);
  EXPECT_EQ(a.bank_group.position, 10u);
  EXPECT_EQ(a.rank.position, 12u);
  EXPECT_EQ(a.row.position, 12u);
  const std::map<std::string, std::pair<spec::Dramsim3Field, std::vector<std::uint64_t>>> fields = {
      {"column", {a.column, b.column}},
      {"channel", {a.channel, b.channel}},
      {"bank", {a.bank, b.bank}},
      {"bankgroup", {a.bank_group, b.bank_group}},
      {"row", {a.row, b.row}}};
  const PlacedAddress cases[] = {{0b11111000000, "column", 31},
                                 {0b111110111111111111, "channel", 5},
                                 {0b000011111111111111, "channel", 7},
                                 {0b1011111111111111, "bank", 2},
                                 {0b101111111111111111, "bankgroup", 2},
                                 {0b10001111111111111111111, "row", 17},
                                 {0b10000000000000111111111111111111, "row", 8192}};
  for (const auto& [address, field, value] : cases) {
    EXPECT_EQ(fields.at(field).first.of(address >> a.shift), value) << field;
    EXPECT_EQ(field_of(fields.at(field).second, address), value) << field;
  }
}

// Peer case hbm1-latency. A request of cycle 0 arrives in 1 and opens its row in 2.
TEST(dramsim3_peer_case, hbm1_latency) {
  const auto text = recorded_configuration("HBM1_4Gb_x128");
  const auto config = spec::parse_dramsim3_config(text, "HBM1_4Gb_x128.ini");
  ASSERT_TRUE(config);
  const auto latency =
      static_cast<double>(1 + config->timing.tRCDRD + config->timing.CL + config->burst_cycles);
  const auto run = run_engine(text, "0x0 READ 0", 200);
  EXPECT_EQ(std::get<double>(run.channels.at(0).figures.at("average_read_latency")), latency);
}

TEST(dramsim3_memories, HMC_has_its_error) {
  const auto result = converted("HMC_2GB_4Lx16", real_file("HMC_2GB_4Lx16.ini"));
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().front().code, "not_supported");
  EXPECT_EQ(result.error().front().line, 9);
}

}  // namespace
}  // namespace diffram::oracle::dramsim3

// libdramsim3.so as a client of DRAMsim3 sees it, which knows dramsim3.h and nothing else, held to
// the naive model's library.

#include <dramsim3.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <vector>

#include "naive_dramsim3/world.h"
#include "oracle/dramsim3_random.h"

namespace {

using diffram::oracle::Dice;
namespace random_cases = diffram::oracle::dramsim3;
namespace naive = diffram::naive_dramsim3;
using testing::Each;

struct Call {
  std::uint64_t cycle = 0, address = 0;
  bool is_write = false;
  bool operator==(const Call&) const = default;
};
void PrintTo(const Call& call, std::ostream* out) {
  *out << call.cycle << (call.is_write ? " W " : " R ") << call.address;
}

struct Add {
  std::uint64_t address = 0;
  bool is_write = false;
};

/// What a client does in each cycle: several adds, then a tick. Every fifth answered read adds
/// another request from its callback.
struct Session {
  std::string ini;
  std::vector<std::vector<Add>> cycles;
};
struct Heard {
  std::vector<Call> calls;
  std::vector<bool> accepted;
  bool operator==(const Heard&) const = default;
};

Session random_session(std::uint64_t seed) {
  Dice dice(seed);
  Session session;
  session.ini = random_cases::random_ini(dice);
  random_cases::RandomTraffic traffic(dice, 100);
  const auto busy = dice.between(1, 5), pause = dice.between(1, 12);
  session.cycles.resize(static_cast<std::size_t>(dice.between(1000, 5000)));
  for (auto& adds : session.cycles) {
    if (!dice.one_in(pause)) continue;
    for (auto i = dice.between(1, busy); i > 0; --i)
      adds.push_back({traffic.next_address(), traffic.next_is_write()});
  }
  return session;
}

/// `Memory` is the client's view: add, will_accept, tick, and the callbacks given to `open`.
template <class Open>
Heard hear(const Session& session, Open open) {
  Heard heard;
  std::uint64_t cycle = 0;
  std::function<bool(std::uint64_t, bool)> add;
  const auto on_answer = [&](bool is_write) {
    return [&, is_write](std::uint64_t address) {
      heard.calls.push_back({cycle, address, is_write});
      if (!is_write && heard.calls.size() % 5 == 0)
        heard.accepted.push_back(add(address ^ 0x1000, heard.calls.size() % 2 == 0));
    };
  };
  auto memory = open(on_answer(false), on_answer(true));
  add = memory.add;
  for (const auto& adds : session.cycles) {
    for (const Add& one : adds) {
      heard.accepted.push_back(memory.will_accept(one.address, one.is_write));
      heard.accepted.push_back(memory.add(one.address, one.is_write));
    }
    memory.tick();
    ++cycle;
  }
  return heard;
}

struct View {
  std::function<bool(std::uint64_t, bool)> will_accept, add;
  std::function<void()> tick;
};

/// None: DRAMsim3 refuses the configuration or ends the process on the way.
std::optional<Heard> naive_hears(const Session& session) {
  try {
    return hear(session, [&](auto read_done, auto write_done) {
      auto memory = std::make_shared<naive::MemorySystem>(session.ini, read_done, write_done);
      return View{
          [=](auto address, bool is_write) { return memory->will_accept(address, is_write); },
          [=](auto address, bool is_write) { return memory->add(address, is_write); },
          [=] { memory->tick(); }};
    });
  } catch (const naive::Abort&) {
    return std::nullopt;
  } catch (const std::runtime_error&) {
    return std::nullopt;
  }
}

class drop_in : public testing::Test {
 protected:
  drop_in() {
    folder_ =
        std::filesystem::temp_directory_path() / ("diffram-drop-in-" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder_);
    choose("");
  }
  ~drop_in() override {
    std::filesystem::remove_all(folder_);
    choose("");
  }
  static void choose(const char* who) { ::setenv("DIFFRAM_DRAMSIM3", who, 1); }
  std::string written(const std::string& ini) const {
    const std::string file = (folder_ / "memory.ini").string();
    std::ofstream(file) << ini;
    return file;
  }
  using Callback = std::function<void(std::uint64_t)>;
  std::shared_ptr<dramsim3::MemorySystem> open(const std::string& ini, Callback read_done,
                                               Callback write_done) const {
    return std::shared_ptr<dramsim3::MemorySystem>(
        dramsim3::GetMemorySystem(written(ini), folder_.string(), read_done, write_done));
  }
  Heard drop_in_hears(const Session& session) const {
    return hear(session, [&](auto read_done, auto write_done) {
      auto memory = open(session.ini, read_done, write_done);
      return View{
          [=](auto address, bool is_write) {
            return memory->WillAcceptTransaction(address, is_write);
          },
          [=](auto address, bool is_write) { return memory->AddTransaction(address, is_write); },
          [=] { memory->ClockTick(); }};
    });
  }
  /// The cycle of each answer to `adds`, all made before the first tick; none: not answered.
  std::vector<std::optional<int>> answers(const std::string& ini, const std::vector<Add>& adds,
                                          int cycles) const {
    std::vector<std::optional<int>> out(adds.size());
    int cycle = 0;
    const auto note = [&](bool is_write) {
      return [&, is_write](std::uint64_t address) {
        for (std::size_t i = 0; i < adds.size(); ++i) {
          if (adds[i].address != address || adds[i].is_write != is_write || out[i]) continue;
          out[i] = cycle;
          return;
        }
        ADD_FAILURE() << "an answer to nothing: " << address;
      };
    };
    const auto memory = open(ini, note(false), note(true));
    for (const Add& one : adds) EXPECT_TRUE(memory->AddTransaction(one.address, one.is_write));
    for (; cycle < cycles; ++cycle) memory->ClockTick();
    return out;
  }

  std::filesystem::path folder_;
};

constexpr const char* kDdr4 =
    "[dram_structure]\nprotocol = DDR4\nbankgroups = 4\nbanks_per_group = 4\nrows = 65536\n"
    "columns = 1024\ndevice_width = 8\nBL = 8\n[timing]\ntCK = 0.63\nAL = 0\nCL = 22\nCWL = 16\n"
    "tRCD = 22\ntRP = 22\ntRAS = 52\ntRFC = 560\ntREFI = 12480\ntRRD_S = 4\ntRRD_L = 8\n"
    "tWTR_S = 4\ntWTR_L = 12\ntFAW = 34\ntWR = 24\ntRTP = 12\ntCCD_S = 4\ntCCD_L = 8\ntCKESR = 9\n"
    "tXS = 576\ntRTRS = 1\n[system]\nchannel_size = 16384\nchannels = 1\nbus_width = 64\n"
    "address_mapping = rochrababgco\n";

TEST_F(drop_in, thirty_six_random_sessions_hear_what_the_naive_model_says) {
  int sessions = 0, refused = 0;
  std::size_t calls = 0;
  for (std::uint64_t seed = 1; sessions < 36; ++seed) {
    const Session session = random_session(seed);
    const auto expected = naive_hears(session);
    if (!expected) {
      ASSERT_LT(++refused, 100);
      continue;
    }
    ++sessions;
    calls += expected->calls.size();
    const Heard heard = drop_in_hears(session);
    ASSERT_EQ(heard.accepted, expected->accepted) << "seed " << seed;
    ASSERT_EQ(heard.calls, expected->calls) << "seed " << seed;
  }
  EXPECT_GT(calls, 5000u);
}

TEST_F(drop_in, says_what_the_configuration_says) {
  const dramsim3::MemorySystem memory(written(kDdr4), folder_.string(), {}, {});
  EXPECT_DOUBLE_EQ(memory.GetTCK(), 0.63);
  EXPECT_EQ(memory.GetBusBits(), 64);
  EXPECT_EQ(memory.GetBurstLength(), 8);
  EXPECT_EQ(memory.GetQueueSize(), 32);
  static_assert(sizeof(dramsim3::MemorySystem) == sizeof(void*));
  libdramsim3_is_present();
}

TEST_F(drop_in, statistics_count_what_was_delivered_since_the_last_reset) {
  const auto memory = open(kDdr4, {}, {});
  const auto printed = [&](const std::string& key) {
    memory->PrintStats();
    std::ifstream in(folder_ / "dramsim3.json");
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    const auto at = text.find("\"" + key + "\":");
    return at == std::string::npos ? -1 : std::stoi(text.substr(at + key.size() + 3));
  };
  ASSERT_TRUE(memory->AddTransaction(0, false));
  ASSERT_TRUE(memory->AddTransaction(1 << 20, true));
  for (int i = 0; i < 40; ++i) memory->ClockTick();
  EXPECT_EQ(printed("num_reads_done"), 0) << "its data are on the way";
  EXPECT_EQ(printed("num_read_cmds"), 1);
  EXPECT_EQ(printed("num_writes_done"), 1);
  memory->ResetStats();
  for (int i = 0; i < 100; ++i) memory->ClockTick();
  EXPECT_EQ(printed("num_reads_done"), 1);
  EXPECT_EQ(printed("num_read_cmds"), 0);
  EXPECT_EQ(printed("num_cycles"), 100);
}

TEST_F(drop_in, replaced_callbacks_are_used) {
  const auto memory = open(kDdr4, [](auto) { FAIL(); }, [](auto) { FAIL(); });
  int reads = 0;
  memory->RegisterCallbacks([&](std::uint64_t) { ++reads; }, {});
  memory->AddTransaction(0, false);
  memory->AddTransaction(64, true);
  for (int i = 0; i < 200; ++i) memory->ClockTick();
  EXPECT_EQ(reads, 1);
}

// peer case hbm1-latency: the first read of an idle system is tRCDRD + CL + burst cycles; a request
// that is added in cycle 0 has its first command in cycle 1.
TEST_F(drop_in, hbm1_first_read_takes_tRCDRD_and_CL_and_its_burst) {
  const auto at = answers(
      "[dram_structure]\nprotocol = HBM\nbankgroups = 4\nbanks_per_group = 4\nrows = 16384\n"
      "columns = 64\ndevice_width = 128\nBL = 4\n[timing]\ntRCDRD = 14\nCL = 17\nCWL = "
      "7\n[system]\n"
      "channel_size = 512\nchannels = 8\nbus_width = 128\naddress_mapping = rorabgbachco\n",
      {{0, false}}, 200);
  EXPECT_EQ(at[0], std::optional<int>(1 + 14 + 17 + 2));
}

using drop_in_death = drop_in;

TEST_F(drop_in_death, what_dramsim3_refuses_ends_with_255_and_a_line) {
  EXPECT_EXIT(dramsim3::MemorySystem("/no/such.ini", ".", {}, {}), testing::ExitedWithCode(255),
              "no/such.ini");
  EXPECT_EXIT(dramsim3::MemorySystem(written("[dram_structure]\nprotocol = DDR9\n"), ".", {}, {}),
              testing::ExitedWithCode(255), "DDR9");
  choose("nativ");
  EXPECT_EXIT(dramsim3::MemorySystem(written(kDdr4), ".", {}, {}), testing::ExitedWithCode(255),
              "compat or native");
  choose("native");
  EXPECT_EXIT(dramsim3::MemorySystem(written("[dram_structure]\nprotocol = HBM\nBL = 4\n"
                                             "device_width = 64\ncolumns = 64\nrows = 65536\n"),
                                     ".", {}, {}),
              testing::ExitedWithCode(255), "DDR4");
}

/// Sequences that never end in DRAMsim3 (dramsim3-behaviour.md 7 and 17).
class drop_in_stuck : public drop_in {
 protected:
  // Issues #2, #38 and #43: a read and a write of one address, and more writes than may lie idle.
  std::vector<Add> read_then_writes() const {
    std::vector<Add> adds = {{0, false}};
    for (std::uint64_t i = 0; i < 9; ++i) adds.push_back({i << 20, true});
    return adds;
  }
  // Two rows of one bank, the first hit for ever.
  int cycles_of_a_conflict(const std::string& ini) const {
    bool waits = true;
    constexpr std::uint64_t kOtherRow = std::uint64_t{1} << 32;
    const auto memory = open(ini, [&](auto address) { waits = waits && address != kOtherRow; }, {});
    EXPECT_TRUE(memory->AddTransaction(0, false));
    for (int i = 0; i < 40; ++i) memory->ClockTick();
    EXPECT_TRUE(memory->AddTransaction(kOtherRow, false));
    int cycles = 0;
    for (std::uint64_t column = 0; waits && cycles < 20'000; ++cycles) {
      if (cycles % 8 == 0 && memory->AddTransaction(column % 128 * 64, false)) ++column;
      memory->ClockTick();
    }
    return cycles;
  }
};

TEST_F(drop_in_stuck, DRAMsim3_2_38_43_the_drain_that_cancels_itself_ends_under_native) {
  choose("compat");
  EXPECT_FALSE(answers(kDdr4, read_then_writes(), 20'000)[0]);
  choose("native");
  EXPECT_THAT(answers(kDdr4, read_then_writes(), 20'000), Each(testing::Ne(std::nullopt)));
}

TEST_F(drop_in_stuck, reads_behind_a_write_of_their_address_are_answered_under_native) {
  choose("native");
  std::vector<Add> adds = {{0, true}, {0, false}, {0, false}, {8, false}, {0, true}, {0, false}};
  for (std::uint64_t i = 1; i < 30; ++i) adds.push_back({i << 20, true});
  EXPECT_THAT(answers(kDdr4, adds, 20'000), Each(testing::Ne(std::nullopt)));
}

TEST_F(drop_in_stuck, a_conflict_waits_for_a_bounded_time_under_native) {
  std::string ini = kDdr4;
  ini.replace(ini.find("tRTP = 12"), 9, "tRTP = 30");
  choose("compat");
  EXPECT_GT(cycles_of_a_conflict(ini), 3000);
  choose("native");
  EXPECT_LT(cycles_of_a_conflict(ini), 4096 + 1000) << "max_wait and what is on its way";
}

TEST_F(drop_in_stuck, every_request_is_answered_once_under_native) {
  choose("native");
  int answered = 0;
  const auto count = [&](std::uint64_t) { ++answered; };
  const auto memory = open(kDdr4, count, count);
  Dice dice(5);
  int added = 0;
  for (int cycle = 0; cycle < 40'000; ++cycle) {
    for (auto i = cycle < 30'000 ? dice.between(0, 2) : 0; i > 0; --i)
      added += memory->AddTransaction(static_cast<std::uint64_t>(dice.between(0, 1 << 20)) * 64,
                                      dice.one_in(3));
    memory->ClockTick();
  }
  EXPECT_GT(added, 3000);
  EXPECT_EQ(answered, added);
}

}  // namespace

// What the pins cost in a run, from counters and prices, against the pin counts of the same run's
// commands (`InterfaceReplay`), against published figures, and by hand.

#include "physics/run_pins.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "ctrl/channel.h"
#include "physics/core_energy.h"
#include "physics/interface_replay.h"

namespace diffram::physics {
namespace {

const spec::SpecFolders kFolders{DIFFRAM_SOURCE_DIR "/specs"};

spec::MemorySpec load(const std::string& name, const spec::Overrides& overrides = {}) {
  auto memory = spec::load_memory(kFolders, name, overrides);
  if (!memory) throw std::runtime_error(memory.error().front().text());
  return std::move(*memory);
}

double joules_of(const std::vector<ledger::EnergyComponent>& components, const std::string& name) {
  for (const auto& component : components)
    if (component.name == name) return component.joules;
  return 0;
}

double bits_of_burst(const spec::MemorySpec& memory) {
  return memory.organisation.bus_width * memory.organisation.burst_length;
}

struct Published {
  const char* memory;
  double picojoules_a_bit;  ///< DC termination, half the bits active (memory-values.md 3)
};
class Termination : public testing::TestWithParam<Published> {};

TEST_P(Termination, of_random_bits_is_what_is_published) {
  const spec::MemorySpec memory = load(GetParam().memory);
  const RunPins pins = RunPins::of(memory).value();
  const double all = std::abs(pins.read({0, 0}).joules - pins.read({1, 0}).joules);
  EXPECT_NEAR(all / 2 / bits_of_burst(memory) * 1e12, GetParam().picojoules_a_bit,
              0.02 * GetParam().picojoules_a_bit);
}
INSTANTIATE_TEST_SUITE_P(Memories, Termination,
                         testing::Values(Published{"ddr4-3200-8g-2ch", 3.0},
                                         Published{"ddr5-4800-32g-4ch", 1.7},
                                         Published{"lpddr5-6400-8g-4ch", 0.24}));

TEST(RunPins, a_terminated_high_memory_pays_for_low_bits_and_a_terminated_low_one_for_high_bits) {
  const RunPins ddr = RunPins::of(load("ddr4-3200-8g-2ch")).value();
  EXPECT_GT(ddr.read({0, 0}).joules, ddr.read({1, 0}).joules);
  const RunPins lpddr = RunPins::of(load("lpddr4-3200-4g-4ch")).value();
  EXPECT_LT(lpddr.read({0, 0}).joules, lpddr.read({1, 0}).joules);
}

TEST(RunPins, heat_lands_by_ohms_and_an_edge_heats_its_driver) {
  const spec::MemorySpec memory = load("ddr4-3200-8g-2ch");
  const RunPins pins = RunPins::of(memory).value();
  const auto of_level = [](const PinCost& low, const PinCost& high) { return low - high; };
  const PinCost read = of_level(pins.read({0, 0}), pins.read({1, 0}));
  const PinCost write = of_level(pins.write({0, 0}), pins.write({1, 0}));
  EXPECT_NEAR(read.in_memory / read.joules, 34.0 / 74, 1e-9);    // its driver
  EXPECT_NEAR(write.in_memory / write.joules, 40.0 / 74, 1e-9);  // its termination
  const PinCost read_edges = pins.read({0, 1}) - pins.read({0, 0});
  const PinCost write_edges = pins.write({0, 1}) - pins.write({0, 0});
  EXPECT_NEAR(read_edges.in_memory, read_edges.joules, 1e-18);
  EXPECT_EQ(write_edges.in_memory, 0);
  // Half the bits rise; each charges one pin of the one rank to VDDQ.
  EXPECT_NEAR(read_edges.joules,
              bits_of_burst(memory) / 2 * 1.15e-12 * 1.2 * 1.2 * memory.organisation.ranks, 1e-15);
}

TEST(RunPins, are_unknown_without_pads_or_without_a_truth_table) {
  for (const char* name : {"ddr3-1600-8g-2ch", "hbm2-2000-4g-8ch", "gddr6-14000-4g-8ch"})
    EXPECT_FALSE(RunPins::of(load(name))) << name;
}

TEST(RunPins, pads_of_a_memory_can_differ_from_its_standards) {
  const spec::MemorySpec open =
      load("ddr4-3200-8g-2ch", {{"interface.termination_ohms", "0"}, {"interface.data_pf", "0"}});
  const RunPins pins = RunPins::of(open).value();
  EXPECT_EQ(pins.read({0, 1}).joules, pins.command("RD"));
  const auto wrong =
      spec::load_memory(kFolders, "ddr4-3200-8g-2ch", {{"interface.terminaton_ohms", "0"}});
  ASSERT_FALSE(wrong);
  EXPECT_THAT(wrong.error().front().expected, testing::HasSubstr("termination_ohms"));
  EXPECT_FALSE(spec::load_memory(kFolders, "ddr4-3200-8g-2ch", {{"interface.data_pf", "-1"}}));
  EXPECT_FALSE(spec::load_memory(kFolders, "hbm2-2000-4g-8ch", {{"interface.volts", "1.2"}}));
}

/// Traffic of one channel, its counters and what the same commands do on the pins.
struct Traffic {
  base::ChannelCounters counters;
  InterfaceCounts counts;
  std::int64_t cycles = 0;
  std::int64_t single_closings = 0, whole_closings = 0;  ///< PRE, PREA
  std::int64_t clock_starts = 0;                         ///< CAS_RD, CAS_WR
};

Traffic run(const spec::MemorySpec& memory, const ledger::DataRates& rates, std::uint64_t pause) {
  InterfaceShape shape = interface_shape(memory);
  const bool high = !shape.standard.starts_with("LP");
  shape.rates = DataRates{rates.toggle, rates.toggle, rates.ones, rates.ones, high, high};
  InterfaceReplay replay(shape);
  const spec::Organisation& o = memory.organisation;
  Traffic out;
  ctrl::ChannelOptions options;
  options.on_command = [&](const ctrl::IssuedCommand& c) {
    out.single_closings += c.command == spec::Command::PRE ? 1 : 0;
    out.whole_closings += c.command == spec::Command::PREA ? 1 : 0;
    out.clock_starts +=
        c.command == spec::Command::CAS_RD || c.command == spec::Command::CAS_WR ? 1 : 0;
    const std::uint32_t bank =
        o.bank_groups > 1 ? c.bank : c.bank_group * o.banks_per_group + c.bank;
    const std::uint32_t column = shape.standard == "LPDDR5" ? c.column : c.column * o.burst_length;
    replay.apply(
        {c.cycle, spec::name_of(c.command), c.rank, {c.bank_group, bank, c.row, column}, {}});
  };
  const auto channel = ctrl::make_channel(memory, base::ChannelId(0), options);
  std::mt19937_64 random(11);
  std::int64_t arrival = 0;
  for (std::uint64_t ticket = 0; ticket < 4000; ++ticket) {
    base::Request request;
    request.bytes = 64 * (1 + random() % 8);
    request.address = 64 * (random() % ((o.capacity_bytes() - request.bytes) / 64));
    request.direction = random() % 3 == 0 ? base::Direction::write : base::Direction::read;
    channel->submit(request, base::Cycles(arrival), ticket);
    arrival = std::max(arrival, channel->now().value) + static_cast<std::int64_t>(random() % pause);
  }
  channel->drain();
  channel->advance(base::Cycles(channel->now().value + 20'000));
  out.cycles = channel->now().value;
  out.counters = channel->take_counters();
  out.counts = replay.at(out.cycles);
  return out;
}

constexpr std::uint64_t kDense = 60, kSparse = 4000;  // longest pauses, cycles

class RunAgainstReplay : public testing::TestWithParam<std::tuple<const char*, std::uint64_t>> {};

TEST_P(RunAgainstReplay, costs_on_the_pins_are_those_of_its_commands) {
  const auto& [memory_name, pause] = GetParam();
  const spec::MemorySpec memory = load(memory_name);
  const ledger::DataRates rates{0.522, 0.429};
  const Traffic traffic = run(memory, rates, pause);

  ledger::RunRecord record;
  record.unnamed_read = record.unnamed_write = rates;
  ledger::StepRecord& step = record.records.emplace_back();
  step.cycles = traffic.cycles;
  step.channels.push_back(traffic.counters);
  const RunPins pins = RunPins::of(memory).value();
  const auto components = pin_components(pins, memory, record);

  const InterfaceShape shape = interface_shape(memory);
  const InterfaceEnergy replayed =
      interface_energy(interface_parameters(interface_of(memory.pads.value(), memory.organisation),
                                            shape, memory.clock.period_s()),
                       traffic.counts);
  const auto at = [&](PinGroup group) { return replayed.pins[group].total(); };
  const auto columns = [&](const char* name, std::int64_t n) {
    return static_cast<double>(n) * pins.command(name);
  };
  const double reads =
      joules_of(components, "read_interface") - columns("RD", traffic.counts.reads);
  const double writes =
      joules_of(components, "write_interface") - columns("WR", traffic.counts.writes);
  ASSERT_GT(traffic.counts.reads, 1000);
  const double read_data = at(PinGroup::read_data) + at(PinGroup::read_strobe);
  const double write_data = at(PinGroup::write_data) + at(PinGroup::write_strobe);
  if (shape.has_write_clock()) {  // WCK runs for both
    EXPECT_NEAR(reads + writes, read_data + write_data + at(PinGroup::write_clock),
                1e-4 * read_data);
  } else {
    EXPECT_NEAR(reads, read_data, 1e-4 * read_data);
    EXPECT_NEAR(writes, write_data, 1e-4 * write_data);
  }
  EXPECT_NEAR(joules_of(components, "clock_interface"), at(PinGroup::clock),
              1e-9 * at(PinGroup::clock));
  const double commands =
      columns("RD", traffic.counts.reads) + columns("WR", traffic.counts.writes) +
      joules_of(components, "row_interface") + joules_of(components, "refresh_interface");
  // A PREA counts as the PRE of each bank that it closes, CAS of the data clock as nothing.
  std::int64_t closings = 0;
  for (const base::BankCounters& bank : traffic.counters.banks) closings += bank.pre;
  const double others = columns("PRE", traffic.single_closings - closings) +
                        columns("PREA", traffic.whole_closings) +
                        columns("CAS_RD", traffic.clock_starts);
  // Commands that follow each other at once share edges.
  EXPECT_GT(commands + others, 0.95 * at(PinGroup::command));
  EXPECT_LT(commands + others, (pause == kSparse ? 1.05 : 1.15) * at(PinGroup::command));
}
INSTANTIATE_TEST_SUITE_P(Memories, RunAgainstReplay,
                         testing::Combine(testing::Values("ddr4-3200-8g-1ch", "ddr5-4800-32g-4ch",
                                                          "lpddr4-3200-4g-4ch",
                                                          "lpddr5-6400-8g-4ch"),
                                          testing::Values(kDense, kSparse)));

TEST(RunPins, epochs_of_the_mean_burst_add_up_to_the_run) {
  const spec::MemorySpec memory = load("ddr4-3200-8g-1ch");
  ledger::RunRecord whole;
  whole.tensors = {{"a", "activation", 1, "fp16", {0.522, 0.429}, {}},
                   {"w", "parameter", 1, "bf16", {0.608, 0.351}, {}}};
  whole.origins = {{0, 0, false, ""}, {0, 1, false, ""}};
  base::ChannelCounters& channel = whole.records.emplace_back().channels.emplace_back();
  channel.cycles = whole.records[0].cycles = 1000;
  channel.banks.resize(memory.organisation.banks());
  channel.banks[0].rd = 30;
  channel.banks[0].wr = 12;
  channel.ranks.resize(1);
  channel.origins.resize(2);
  channel.origins[0].reads = 20, channel.origins[1].reads = 10;
  channel.origins[0].writes = 12;
  add_energy(memory, whole);
  const BurstRates rates = mean_rates(whole);
  const ledger::Epoch epoch{0, 1000, whole.records[0].channels};
  double of_run = 0, of_epoch = 0;
  for (const auto& component : whole.energy) of_run += component.joules;
  for (const auto& component : run_of(memory, epoch, rates).energy) of_epoch += component.joules;
  EXPECT_NEAR(of_epoch, of_run, 1e-12 * of_run);
  EXPECT_GT(whole.tensors[0].pins.read_pj, 1000);
  EXPECT_LT(whole.tensors[1].pins.read_pj, whole.tensors[0].pins.read_pj);  // higher bits are free
}

}  // namespace
}  // namespace diffram::physics

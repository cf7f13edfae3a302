// What energy and heat cost at the end of an epoch of the default length: a saturated
// ddr4-3200-8g-2ch, read in runs of 8 KiB, whose epochs are closed. `tools/check_gates.py` counts
// its instructions under callgrind.
//
//   epoch_bench                            all modes, with their seconds
//   epoch_bench plain|energy|heat EPOCHS

#include <fmt/format.h>

#include <chrono>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ctrl/channel.h"
#include "ledger/epoch.h"
#include "physics/core_energy.h"
#include "physics/heat/heat_loop.h"
#include "spec/memory.h"
#include "spec/package.h"

namespace {

using namespace diffram;

const spec::SpecFolders kFolders{DIFFRAM_SOURCE_DIR "/specs"};
constexpr const char* kMemory = "ddr4-3200-8g-2ch";
constexpr const char* kPackage = "ddr4-module";
constexpr std::int64_t kEpochCycles = 1'000'000;  // the default of --epoch
constexpr std::uint64_t kRun = 8192;
constexpr std::uint64_t kInFlight = 64;  // runs

/// A memory that is always read.
class Load {
 public:
  explicit Load(const spec::MemorySpec& memory) : capacity_(memory.organisation.capacity_bytes()) {
    ctrl::ChannelOptions options;
    options.origins = 1;
    for (std::uint32_t c = 0; c < memory.organisation.channels; ++c)
      channels_.push_back(ctrl::make_channel(memory, base::ChannelId(c), options));
  }

  ledger::Epoch next() {
    ledger::Epoch epoch{now_, kEpochCycles, {}};
    for (const std::int64_t end = now_ + kEpochCycles; now_ < end;) {
      for (std::uint64_t i = 0; i < kInFlight; ++i, ++ticket_)
        for (auto& channel : channels_)
          channel->submit({ticket_ * kRun % capacity_, kRun, base::OriginId(0)}, channel->now(),
                          ticket_);
      // Two channels share a run: half its bursts of four cycles each.
      now_ = std::min<std::int64_t>(end, now_ + kInFlight * kRun / 64 / 2 * 4);
      for (auto& channel : channels_) {
        channel->advance(base::Cycles(now_));
        channel->clear_completions();
      }
    }
    for (auto& channel : channels_) epoch.channels.push_back(channel->take_counters());
    return epoch;
  }

 private:
  std::uint64_t capacity_, ticket_ = 0;
  std::int64_t now_ = 0;
  std::vector<std::unique_ptr<ctrl::Channel>> channels_;
};

int run(const std::string& mode, std::int64_t epochs) {
  const auto memory = spec::load_memory(kFolders, kMemory);
  const auto package = spec::load_package(kFolders, kPackage,
                                          {{"theta.case_to_air", "20"},
                                           {"theta.board_to_air", "20"},
                                           {"surroundings.air_c", "45"},
                                           {"surroundings.board_c", "45"}});
  if (!memory || !package) return EXIT_FAILURE;
  auto loop = physics::heat::HeatLoop::make(*package, *memory, {});
  if (!loop) return EXIT_FAILURE;
  Load load(*memory);
  double joules = 0;
  const auto started = std::chrono::steady_clock::now();
  for (std::int64_t i = 0; i < epochs; ++i) {
    const ledger::Epoch epoch = load.next();
    if (mode == "energy")
      for (const auto& component : physics::run_of(*memory, epoch).energy)
        joules += component.joules;
    if (mode == "heat") loop->close(epoch);
  }
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - started;
  fmt::print("{}: {} epochs of {} cycles, {:.3f} s, {:g} J\n", mode, epochs, kEpochCycles,
             seconds.count(), joules);
  return EXIT_SUCCESS;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 1) {
    constexpr std::int64_t kShown = 20;
    for (const char* mode : {"plain", "energy", "heat"})
      if (run(mode, kShown) != EXIT_SUCCESS) return EXIT_FAILURE;
    return EXIT_SUCCESS;
  }
  const std::string mode = argc == 3 ? argv[1] : "";
  if (mode != "plain" && mode != "energy" && mode != "heat") {
    fmt::print(stderr, "usage: epoch_bench plain|energy|heat EPOCHS\n");
    return 2;
  }
  return run(mode, std::atoll(argv[2]));
}

#include "physics/heat/heat_loop.h"

#include <fmt/format.h>

#include <algorithm>

#include "physics/core_energy.h"
#include "physics/heat/power_map.h"

namespace diffram::physics::heat {

HeatLoop::HeatLoop(const spec::PackageSpec& package, const spec::MemorySpec& memory,
                   const LoopOptions& options, Solver solver)
    : package_(package),
      memory_(memory),
      options_(options),
      model_(package, memory),
      solver_(std::move(solver)),
      policy_(memory.temperature, options.throttle) {}

base::Result<HeatLoop> HeatLoop::make(const spec::PackageSpec& package,
                                      const spec::MemorySpec& memory, const LoopOptions& options) {
  if (auto errors = spec::check_package(package, memory); !errors.empty())
    return base::failure(std::move(errors));
  const ledger::Epoch nothing{0, 1, std::vector<base::ChannelCounters>(1)};
  if (run_of(memory, nothing).energy.empty())
    return base::failure({.code = "energy_unknown",
                          .message = memory.name + " has no energy, so its heat cannot answer",
                          .file = "",
                          .line = 0,
                          .field = "--epoch",
                          .expected = "a memory with currents"});
  auto solver = Solver::make(PackageModel(package, memory).network());
  if (!solver) return base::failure(std::move(solver.error()));
  return HeatLoop(package, memory, options, std::move(*solver));
}

base::OperatingPoint HeatLoop::close(const ledger::Epoch& epoch) {
  if (epoch.cycles <= 0) return policy_.point();
  const auto run = run_of(memory_, epoch);
  const auto watts = watts_by_package(power_map(run));
  if (celsius_.empty()) {
    for (const auto& each : watts) {
      celsius_.push_back(options_.initial ? std::vector(model_.network().size(), *options_.initial)
                                          : solver_.steady(each));
    }
  }
  const double seconds =
      static_cast<double>(epoch.cycles) * memory_.clock.period_s() * options_.stretch;
  for (std::size_t i = 0; i < watts.size(); ++i) solver_.step(celsius_[i], watts[i], seconds);
  const double celsius = sensed();
  hottest_ = epochs_.empty() ? celsius : std::max(hottest_, celsius);
  epochs_.push_back({epoch.begin, epoch.cycles, celsius, policy_.point().refresh_rate,
                     policy_.point().column_share});
  const auto& next = policy_.next(celsius);
  was_out_of_range_ |= policy_.out_of_range();
  had_to_stop_ |= next.must_stop;
  wanted_derate_ |= next.timing_derate_ns > 0;
  return next;
}

/// In the order of channels, then ranks.
std::vector<std::vector<double>> HeatLoop::watts_by_package(const PowerMap& map) const {
  const auto others = model_.other_watts();
  std::vector<std::vector<double>> out;
  for (std::uint32_t c = 0; c < memory_.organisation.channels; c += package_.channels) {
    for (std::uint32_t r = 0; r < memory_.organisation.ranks; r += package_.ranks) {
      auto& watts = out.emplace_back(model_.memory_watts(map, c, r));
      for (std::size_t i = 0; i < watts.size(); ++i) watts[i] += others[i];
    }
  }
  return out;
}

// The hottest package where the standard's limits are measured.
double HeatLoop::sensed() const {
  double most = -1e9;
  for (const auto& nodes : celsius_)
    most = std::max(most, model_.measured(nodes, memory_.temperature.measured_at));
  return most;
}

void HeatLoop::report(ledger::RunRecord& run) const {
  run.heat_epochs = epochs_;
  const auto tell = [&](bool is_so, const char* code, base::Severity severity, const char* what) {
    if (!is_so) return;
    run.diagnostics.push_back(
        {code, severity, what,
         fmt::format("{:.1f} °C at most, {} epochs", hottest_, epochs_.size())});
  };
  const auto any = [&](auto predicate) { return std::ranges::any_of(epochs_, predicate); };
  tell(any([](const auto& e) { return e.refresh_rate > 1; }), "refresh_rate_raised",
       base::Severity::note, "The memory grew so hot that it was refreshed more often");
  tell(any([](const auto& e) { return e.column_share < 1; }), "throttled", base::Severity::note,
       "The memory grew so hot that it was throttled");
  tell(was_out_of_range_, "temperature_out_of_range", base::Severity::warning,
       "The memory grew hotter than its standard lets it be");
  tell(had_to_stop_, "shutdown_limit", base::Severity::error,
       "The memory grew so hot that it would have been switched off");
  tell(wanted_derate_, "timing_derate_not_applied", base::Severity::warning,
       "So hot a memory needs longer row timings, which were not applied");
  if (options_.stretch != 1)
    run.assumptions.push_back({"heat.stretch", fmt::format("{:g}", options_.stretch),
                               "--heat-stretch: an epoch heats as if it lasted so much longer"});
}

}  // namespace diffram::physics::heat

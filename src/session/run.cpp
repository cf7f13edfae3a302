// A workload on a machine with a memory, from names to a run record.

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <exception>
#include <optional>
#include <thread>

#include "physics/core_energy.h"
#include "physics/heat/heat_loop.h"
#include "physics/heat/run_heat.h"
#include "physics/power_over_time.h"
#include "session/checkpoints.h"
#include "session/file_hash.h"
#include "session/inputs.h"
#include "session/plan.h"
#include "session/record.h"
#include "session/session.h"
#include "sim/program.h"

namespace diffram::session {

namespace {

using WallClock = std::chrono::steady_clock;

double seconds_since(WallClock::time_point start) {
  return std::chrono::duration<double>(WallClock::now() - start).count();
}

Failure does_not_fit(const lower::CapacityReport& report, const RunOptions& options) {
  const auto gib = [](std::int64_t bytes) { return static_cast<double>(bytes) / (1 << 30); };
  std::string largest;
  for (const auto& [name, bytes] : report.live_by_class) {
    largest = fmt::format("at the peak {:.3g} GiB are {}", gib(bytes), name);
    break;
  }
  Failure failure;
  failure.exit_code = kBadInput;
  failure.errors.push_back(
      {.code = "does_not_fit",
       .message =
           fmt::format("{} does not fit: it needs {:.4g} GiB, the memory holds {:.4g} GiB; {}",
                       options.workload, gib(report.capacity_bytes + report.missing_bytes),
                       gib(report.capacity_bytes), largest),
       .file = "",
       .line = 0,
       .field = "--memory",
       .expected =
           "a larger memory, a smaller --batch, --checkpointing on, or --allow-overcommit"});
  failure.capacity = report;
  return failure;
}

/// Progress over both passes, by bytes against what the stored steps move if two occurrences are
/// needed.
class ProgressMeter {
 public:
  ProgressMeter(const RunOptions& options, const lower::OriginTable& table,
                const std::vector<sim::ProgramStep>& steps, bool bounds)
      : report_(options.progress) {
    for (std::size_t i = 0; i < steps.size(); ++i) {
      const double runs =
          (options.exact ? static_cast<double>(steps[i].times)
                         : static_cast<double>(std::min<std::int64_t>(2, steps[i].times))) +
          (bounds ? 1 : 0);
      for (std::uint32_t op = 0; op < steps[i].op_count; ++op) {
        expected_ += runs * static_cast<double>(table.ops[steps[i].first_op + op].compulsory_bytes);
      }
    }
  }
  std::function<void(std::int64_t)> counter() {
    if (!report_) return {};
    return [this](std::int64_t bytes) {
      const double all =
          static_cast<double>(moved_.fetch_add(bytes, std::memory_order_relaxed) + bytes);
      report_({"simulating", std::min(0.99, all / std::max(1.0, expected_)), all});
    };
  }

 private:
  const std::function<void(const Progress&)>& report_;
  std::atomic<std::int64_t> moved_{0};
  double expected_ = 0;
};

struct Passes {
  sim::ProgramResult run, bound;
  base::Errors errors;  ///< checkpoints that could not be written; the run has stopped then
};

/// The run and, if asked for, its memory-only bound. Two passes on two cores need no
/// synchronisation at all; more cores split the channels.
base::Result<Passes> simulate(const Plan& plan, lower::Lowering& lowering,
                              const std::vector<sim::ProgramStep>& steps, bool bounds,
                              const RunOptions& options, physics::heat::HeatLoop* heat,
                              const std::function<void(std::int64_t)>& moved) {
  const std::size_t threads = thread_count(options.threads);
  const bool side_by_side = bounds && threads >= 2;
  sim::ProgramOptions whole;
  whole.fidelity = options.exact ? sim::Fidelity::exact : sim::Fidelity::steady;
  whole.epoch_cycles = options.power_epoch;
  if (heat != nullptr) {
    whole.epoch_cycles = options.epoch;
    whole.throttles = options.throttling_threshold.has_value();
    whole.at_epoch = [heat](const ledger::Epoch& epoch) { return heat->close(epoch); };
  }
  whole.moved = moved;
  whole.stop = options.stop;
  whole.threads = side_by_side ? std::max<std::size_t>(1, threads / 2) : threads;
  sim::ProgramOptions memory_only = whole;
  memory_only.zero_compute = true;
  memory_only.one_occurrence = true;
  memory_only.attribution = false;
  memory_only.epoch_cycles = 0;
  memory_only.at_epoch = {};
  memory_only.throttles = false;

  std::atomic<bool> abandoned{false};
  PassCheckpoints checkpoints(plan, options, false, abandoned);
  PassCheckpoints bound_checkpoints(plan, options, true, abandoned);
  for (auto* pass : {&checkpoints, &bound_checkpoints}) {
    if (auto opened = pass->open(); !opened) return tl::unexpected(opened.error());
  }
  if (heat == nullptr) checkpoints.attach(whole);  // temperatures are in no checkpoint
  bound_checkpoints.attach(memory_only);

  Passes passes;
  base::Errors errors;
  std::exception_ptr raised;  // must not end in the other thread
  const auto run_bound = [&] {
    try {
      auto second = lower::lower(plan.trace, plan.machine, plan.memory, plan.lowering);
      if (second) {
        passes.bound = sim::run_program(**second, steps, plan.machine, plan.memory, memory_only);
        bound_checkpoints.finish(passes.bound);
      } else {
        errors = second.error();
      }
    } catch (...) {
      raised = std::current_exception();
    }
  };
  {
    std::jthread beside;
    if (side_by_side) beside = std::jthread(run_bound);
    passes.run = sim::run_program(lowering, steps, plan.machine, plan.memory, whole);
    checkpoints.finish(passes.run);
  }
  if (bounds && !side_by_side) run_bound();
  if (raised) std::rethrow_exception(raised);
  if (!errors.empty()) return base::failure(std::move(errors));
  for (const auto* pass : {&checkpoints, &bound_checkpoints}) append(passes.errors, pass->errors());
  return passes;
}

void add_diagnostics(const sim::ProgramResult& result, bool bounds, const lower::OriginTable& table,
                     ledger::RunRecord& record) {
  std::int64_t weight = 0;
  for (const auto& r : record.records) weight += r.weight - 1;
  if (weight > 0) {
    record.diagnostics.push_back({"steady", base::Severity::note,
                                  fmt::format("{} of {} steps are accounted from the last "
                                              "simulated one of their kind (within {:.2g} %)",
                                              weight, record.steps, 100 * result.steady_bound),
                                  fmt::format("{} steps simulated", record.records.size())});
  }
  if (!result.steady) {
    record.diagnostics.push_back(
        {"not_steady", base::Severity::warning,
         "A repeated step did not become steady within 8 occurrences; its last one was used", ""});
  }
  if (bounds) {
    record.assumptions.push_back(
        {"memory_only_s", "simulated once for each distinct step",
         "estimated: occurrences of a stored step differ by the steady bound at most"});
  }
  std::int64_t fallback = 0;
  for (const auto& op : table.ops) fallback += op.fallback ? 1 : 0;
  if (fallback > 0) {
    record.diagnostics.push_back(
        {"fallback_ops", base::Severity::note,
         fmt::format("{} ops have no kernel model: inputs read once, outputs written once",
                     fallback),
         fallback_names(record)});
  }
}

}  // namespace

Outcome<Run> run_workload(const RunOptions& options) {
  const auto start = WallClock::now();
  auto plan = make_plan(options);
  if (!plan) return bad_input(plan.error());
  auto lowering = lower::lower(plan->trace, plan->machine, plan->memory, plan->lowering);
  if (!lowering) return bad_input(lowering.error());
  const auto capacity = (*lowering)->capacity();
  if (!capacity.fits && !options.allow_overcommit)
    return tl::unexpected(does_not_fit(capacity, options));

  const auto& table = (*lowering)->origins();
  const auto steps = program_steps(plan->trace, table);
  const bool bounds = options.bounds.value_or(!options.exact);
  ProgressMeter meter(options, table, steps, bounds);

  std::optional<physics::heat::HeatLoop> heat;
  const std::optional<spec::PackageSpec>& package = plan->package;
  if (options.epoch > 0 && package) {
    auto loop = physics::heat::HeatLoop::make(*package, plan->memory,
                                              {{options.throttling_threshold, options.hysteresis},
                                               options.initial,
                                               options.heat_stretch});
    if (!loop) return bad_input(loop.error());
    heat.emplace(std::move(*loop));
  }
  auto passes =
      simulate(*plan, **lowering, steps, bounds, options, heat ? &*heat : nullptr, meter.counter());
  if (!passes) return bad_input(passes.error());
  auto& result = passes->run;
  auto& bound_result = passes->bound;
  if (!passes->errors.empty()) return not_finished(passes->errors);
  if (result.stopped || bound_result.stopped)
    return tl::unexpected(interrupted(!options.run_file.empty()));

  Run run;
  auto& record = run.record;
  fill_identity(record, plan->memory, options.command_line, options.set);
  record.workload = options.workload;
  record.machine = plan->machine.name;
  record.fidelity = options.exact ? "exact" : "steady";
  record.inputs.emplace_back(file_name_of(plan->trace_file), hash_of_file(plan->trace_file));
  record.steps = counted_steps(plan->trace, plan->repeated_phase);
  record.batch = options.images;
  record.seed = options.seed;
  record.peak_live_bytes = capacity.peak_live_bytes;
  record.reserved_bytes = capacity.peak_reserved_bytes;
  record.capacity_bytes = capacity.capacity_bytes;
  name_rows(plan->trace, table, record);
  record.records = std::move(result.records);
  record.steady_bound = result.steady_bound;
  for (auto& step : record.records) {
    for (const auto& bound : bound_result.records) {
      if (bound.step == step.step) step.memory_only_cycles = bound.cycles;
    }
  }
  append(record.assumptions, plan->machine.provenance);
  append(record.assumptions, plan->memory.provenance);
  append(record.assumptions, (*lowering)->assumptions());
  append(record.diagnostics, plan->memory.diagnostics);
  append(record.diagnostics, (*lowering)->diagnostics());
  add_diagnostics(result, bounds, table, record);
  if (!capacity.fits) {
    record.diagnostics.push_back({"overcommitted", base::Severity::error,
                                  "The program does not fit the memory; addresses were wrapped",
                                  fmt::format("{} bytes missing", capacity.missing_bytes)});
  }
  run.wall.lowering = result.lowering_s + bound_result.lowering_s;
  run.wall.engine = result.engine_s + bound_result.engine_s;
  auto mark = WallClock::now();
  set_data_rates(plan->data, record);
  physics::add_energy(plan->memory, record);
  physics::add_power(plan->memory, result.epochs, heat ? options.epoch : options.power_epoch,
                     record);
  if (heat) heat->report(record);
  if (package) {
    auto errors = physics::heat::add_heat(*package, plan->memory, {options.initial}, record);
    if (!errors.empty()) return bad_input(std::move(errors));
  }
  run.wall.energy = seconds_since(mark);
  mark = WallClock::now();
  run.summary = attrib::summarise(record);
  run.wall.attribution = seconds_since(mark);
  run.requests = bursts_of(record.records) + bursts_of(bound_result.records);
  const auto runs = static_cast<double>(result.requests + bound_result.requests);
  if (runs > 0) run.mean_run_bursts = static_cast<double>(run.requests) / runs;
  run.wall.total = seconds_since(start);
  return run;
}

}  // namespace diffram::session

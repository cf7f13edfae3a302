// A workload on a machine with a memory, from names to a run record.

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <thread>

#include "physics/core_energy.h"
#include "session/inputs.h"
#include "session/record.h"
#include "session/session.h"
#include "sim/program.h"

namespace diffram::session {

namespace {

using WallClock = std::chrono::steady_clock;

double seconds_since(WallClock::time_point start) {
  return std::chrono::duration<double>(WallClock::now() - start).count();
}

struct Plan {
  trace::TensorTrace trace;
  spec::MachineSpec machine;
  spec::MemorySpec memory;
  std::string trace_file;
  std::string repeated_phase;
  lower::LoweringOptions lowering;
};

bool is_trace_file(const std::string& name) { return name.find(".dft") != std::string::npos; }

bool has_phase(const trace::TensorTrace& trace, const trace::Step& step, const std::string& phase) {
  return std::any_of(step.events.begin(), step.events.end(), [&](const trace::Event& event) {
    return event.kind == trace::EventKind::phase && trace.phases[event.index] == phase;
  });
}

/// The stored step that repeats: the last with `phase`, or without a phase the most repeated one.
trace::Step* repeated_step(trace::TensorTrace& trace, const std::string& phase) {
  trace::Step* found = nullptr;
  for (auto& step : trace.steps) {
    const bool better = phase.empty() ? found == nullptr || step.times > found->times
                                      : has_phase(trace, step, phase);
    if (better) found = &step;
  }
  return found;
}

/// Steps that --steps and `steps` count: those with the workload's repeated phase, else all.
std::int64_t counted_steps(const trace::TensorTrace& trace, const std::string& phase) {
  std::int64_t count = 0;
  for (const auto& step : trace.steps) {
    if (phase.empty() || has_phase(trace, step, phase)) count += step.times;
  }
  return count;
}

base::Result<void> set_steps(trace::TensorTrace& trace, const std::string& phase,
                             std::int64_t steps) {
  trace::Step* repeated = repeated_step(trace, phase);
  if (steps == 0 || repeated == nullptr) return {};
  const std::int64_t others = counted_steps(trace, phase) - repeated->times;
  if (steps <= others) {
    return base::failure(
        {.code = "bad_value",
         .message =
             fmt::format("{} steps are too few: {} steps of the trace differ from the repeated one",
                         steps, others),
         .file = trace.file,
         .line = 0,
         .field = "--steps",
         .expected = fmt::format("at least {}", others + 1)});
  }
  repeated->times = steps - others;
  std::int64_t first = trace.steps.front().first;
  for (auto& step : trace.steps) {
    step.first = first;
    first += step.times;
  }
  return {};
}

base::Result<Plan> make_plan(const RunOptions& options) {
  const auto folders = find_spec_folders();
  Plan plan;
  auto overrides = split_settings(options.set);
  if (!overrides) return tl::unexpected(overrides.error());
  auto machine = spec::load_machine(folders, options.machine, overrides->machine);
  if (!machine) return tl::unexpected(machine.error());
  plan.machine = std::move(*machine);
  auto memory = spec::load_memory(
      folders, options.memory.empty() ? plan.machine.memory : options.memory, overrides->memory);
  if (!memory) return tl::unexpected(memory.error());
  plan.memory = std::move(*memory);
  std::int64_t trace_batch = 0, steps = options.steps;
  if (is_trace_file(options.workload)) {
    plan.trace_file = options.workload;
  } else {
    auto workload =
        spec::load_workload(folders, options.workload, {options.images, options.checkpointing});
    if (!workload) return tl::unexpected(workload.error());
    plan.trace_file = workload->trace_file;
    trace_batch = workload->trace_batch;
    plan.repeated_phase = workload->repeated_phase;
    if (steps == 0) steps = workload->default_steps;
  }
  auto trace = trace::read_tensor_trace(plan.trace_file, trace_batch);
  if (!trace) return tl::unexpected(trace.error());
  plan.trace = std::move(*trace);
  if (auto set = set_steps(plan.trace, plan.repeated_phase, steps); !set)
    return tl::unexpected(set.error());
  plan.lowering.allocator = plan.machine.allocator;
  plan.lowering.allocator_options = options.allocator;
  plan.lowering.page_map = plan.machine.page_map;
  plan.lowering.seed = options.seed;
  plan.lowering.allow_overcommit = options.allow_overcommit;
  return plan;
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
  if (!plan) return tl::unexpected(Failure{kBadInput, plan.error(), {}});
  auto lowering = lower::lower(plan->trace, plan->machine, plan->memory, plan->lowering);
  if (!lowering) return tl::unexpected(Failure{kBadInput, lowering.error(), {}});
  const auto capacity = (*lowering)->capacity();
  if (!capacity.fits && !options.allow_overcommit)
    return tl::unexpected(does_not_fit(capacity, options));

  const auto& table = (*lowering)->origins();
  const auto steps = program_steps(plan->trace, table);
  const bool bounds = options.bounds.value_or(!options.exact);
  const std::size_t threads = thread_count(options.threads);
  ProgressMeter meter(options, table, steps, bounds);

  sim::ProgramOptions main_pass;
  main_pass.fidelity = options.exact ? sim::Fidelity::exact : sim::Fidelity::steady;
  main_pass.moved = meter.counter();
  main_pass.stop = options.stop;
  sim::ProgramOptions memory_pass = main_pass;
  memory_pass.zero_compute = true;
  memory_pass.one_occurrence = true;
  memory_pass.attribution = false;
  // Two passes on two cores need no synchronisation at all; more cores split the channels.
  const bool side_by_side = bounds && threads >= 2;
  main_pass.threads = memory_pass.threads =
      side_by_side ? std::max<std::size_t>(1, threads / 2) : threads;

  sim::ProgramResult bound_result;
  base::Errors bound_errors;
  const auto run_bound = [&] {
    auto second = lower::lower(plan->trace, plan->machine, plan->memory, plan->lowering);
    if (!second) {
      bound_errors = second.error();
      return;
    }
    bound_result = sim::run_program(**second, steps, plan->machine, plan->memory, memory_pass);
  };
  sim::ProgramResult result;
  {
    std::jthread beside;
    if (side_by_side) beside = std::jthread(run_bound);
    result = sim::run_program(**lowering, steps, plan->machine, plan->memory, main_pass);
  }
  if (bounds && !side_by_side) run_bound();
  if (!bound_errors.empty()) return tl::unexpected(Failure{kBadInput, bound_errors, {}});
  if (result.stopped || bound_result.stopped) return tl::unexpected(interrupted());

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
  physics::add_energy(plan->memory, record);
  run.wall.energy = seconds_since(mark);
  mark = WallClock::now();
  run.summary = attrib::summarise(record);
  run.wall.attribution = seconds_since(mark);
  run.requests = bursts_of(record.records) + bursts_of(bound_result.records);
  run.wall.total = seconds_since(start);
  return run;
}

}  // namespace diffram::session

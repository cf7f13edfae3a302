#include "session/plan.h"

#include <fmt/format.h>

#include <algorithm>

#include "session/inputs.h"

namespace diffram::session {

namespace {

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

/// Heat answers only in a package, and is only throttled where it answers.
base::Errors check_heat(const RunOptions& options) {
  base::Errors errors;
  const auto refuse = [&](bool is_wrong, const char* code, const char* message, const char* field,
                          const char* expected) {
    if (!is_wrong) return;
    errors.push_back({.code = code,
                      .message = message,
                      .file = "",
                      .line = 0,
                      .field = field,
                      .expected = expected});
  };
  const bool has_package = !options.package.empty();
  refuse(options.initial && !has_package, "missing_key", "a temperature, and no package",
         "--initial-temperature", "--package NAME");
  refuse(options.epoch != 0 && !has_package, "missing_key", "heat cannot answer without a package",
         "--epoch", "--package NAME");
  refuse(options.throttling_threshold && options.epoch == 0, "missing_key",
         "throttling by temperature, and no epochs", "--throttling-threshold", "--epoch CYCLES");
  refuse(options.epoch < 0, "bad_value", "an epoch has cycles", "--epoch", "at least 1000");
  refuse(!(options.hysteresis >= 0), "bad_value", "a hysteresis is not negative", "--hysteresis",
         "0 to 50 K");
  refuse(!(options.heat_stretch >= 1), "bad_value", "an epoch cannot heat for less than it lasts",
         "--heat-stretch", "at least 1");
  return errors;
}

}  // namespace

std::int64_t counted_steps(const trace::TensorTrace& trace, const std::string& phase) {
  std::int64_t count = 0;
  for (const auto& step : trace.steps) {
    if (phase.empty() || has_phase(trace, step, phase)) count += step.times;
  }
  return count;
}

base::Result<Plan> make_plan(const RunOptions& options) {
  const auto folders = find_spec_folders();
  if (auto errors = check_heat(options); !errors.empty()) return base::failure(std::move(errors));
  Plan plan;
  auto overrides = split_settings(options.set);
  if (!overrides) return tl::unexpected(overrides.error());
  auto machine = spec::load_machine(folders, options.machine, overrides->machine);
  if (!machine) return tl::unexpected(machine.error());
  plan.machine = std::move(*machine);
  auto memory =
      load_memory(options.memory.empty() ? plan.machine.memory : options.memory, overrides->memory);
  if (!memory) return tl::unexpected(memory.error());
  plan.memory = std::move(*memory);
  auto package = load_package(options.package, overrides->package, plan.memory);
  if (!package) return tl::unexpected(package.error());
  plan.package = std::move(*package);
  plan.data = std::move(overrides->data);
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

}  // namespace diffram::session

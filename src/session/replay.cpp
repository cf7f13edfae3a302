// A request trace on a memory: the record has one step, no ops and unnamed origins.

#include "sim/replay.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <numeric>
#include <optional>

#include "base/whole_file.h"
#include "physics/core_energy.h"
#include "physics/heat/run_heat.h"
#include "session/file_hash.h"
#include "session/inputs.h"
#include "session/place_map.h"
#include "session/session.h"
#include "session/trace_clock.h"
#include "session/trace_notes.h"
#include "session/trace_sample.h"
#include "trace/request_trace.h"

namespace diffram::session {

namespace {

using WallClock = std::chrono::steady_clock;

/// Our command log: "clk NAME coordinates…" (product.md), channels one after another.
class CommandLog {
 public:
  CommandLog(std::string file, std::uint32_t channels) : file_(std::move(file)), lines_(channels) {}

  void add(std::uint32_t channel, const ctrl::IssuedCommand& c) {
    auto& lines = lines_[channel];
    const auto out = std::back_inserter(lines);
    fmt::format_to(out, "{} {} {} {}", c.cycle, spec::name_of(c.command), channel, c.rank);
    using spec::Command;
    const bool column = c.command == Command::RD || c.command == Command::RDA ||
                        c.command == Command::WR || c.command == Command::WRA;
    const bool of_bank = spec::names_a_bank(c.command);
    if (of_bank) fmt::format_to(out, " {} {}", c.bank_group, c.bank);
    if (c.command == Command::ACT || column) fmt::format_to(out, " {}", c.row);
    if (column) fmt::format_to(out, " {}", c.column);
    lines += '\n';
  }

  base::Result<void> write() const {
    std::string text = "# diffram-commands 1 channel rank bank_group bank row column\n";
    for (const auto& lines : lines_) text += lines;
    return base::write_whole_file(file_, text);
  }

 private:
  std::string file_;
  std::vector<std::string> lines_;
};

/// What keeps the trace from being faster: the bus, what it waits for, or the trace itself.
base::Diagnostic note_of_bound(const ledger::StepRecord& step) {
  std::array<std::int64_t, base::kCauseCount> cycles{};
  for (const auto& channel : step.channels) {
    for (const auto& [key, count] : channel.bill)
      cycles[static_cast<std::size_t>(key.cause)] += count;
  }
  const auto of = [&](base::Cause cause) { return cycles[static_cast<std::size_t>(cause)]; };
  const std::int64_t all = std::accumulate(cycles.begin(), cycles.end(), std::int64_t{0});
  const std::int64_t data = of(base::Cause::data_read) + of(base::Cause::data_write);
  const std::int64_t idle = of(base::Cause::idle_end) + of(base::Cause::idle_compute);
  const auto share = [&](std::int64_t part) {
    return fmt::format("{:.3g} % of the channels' time",
                       all == 0 ? 0 : 100 * static_cast<double>(part) / static_cast<double>(all));
  };
  // Refresh and turnarounds alone leave a stream some 90 % of the bus.
  if (5 * data >= 4 * all && all > 0) {
    return {"bandwidth_bound", base::Severity::note,
            "Bandwidth bound: the data bus is nearly always busy", "data move in " + share(data)};
  }
  if (2 * idle >= all) {
    return {"not_bandwidth_bound", base::Severity::note,
            "Not bandwidth bound: the trace itself sets the pace",
            "no request is present in " + share(idle)};
  }
  cycles[static_cast<std::size_t>(base::Cause::data_read)] = 0;
  cycles[static_cast<std::size_t>(base::Cause::data_write)] = 0;
  cycles[static_cast<std::size_t>(base::Cause::idle_end)] = 0;
  const auto largest = std::max_element(cycles.begin(), cycles.end());
  const auto cause = static_cast<base::Cause>(largest - cycles.begin());
  return {"not_bandwidth_bound", base::Severity::note,
          fmt::format("Not bandwidth bound: most time is lost to {}", base::name_of(cause)),
          share(*largest)};
}

}  // namespace

Outcome<Run> replay_trace(const ReplayOptions& options) {
  const auto start = WallClock::now();
  auto settings = split_settings(options.set);
  if (!settings) return bad_input(settings.error());
  auto memory = load_memory(options.memory, settings->memory);
  if (!memory) return bad_input(memory.error());
  const auto package = load_package(options.package, settings->package, *memory);
  if (!package) return bad_input(package.error());
  std::optional<TraceSample> sample;
  if (!options.sample.empty()) {
    auto parsed = parse_sample(options.sample);
    if (!parsed) return bad_input(parsed.error());
    sample = *parsed;
  }
  const trace::PlaceMap places = place_map_of(*memory);
  trace::RequestTraceOptions reading;
  reading.lenient = options.lenient;
  reading.places = &places;
  auto source = sample ? open_sample(options.trace, reading, *sample)
                       : trace::open_request_trace(options.trace, reading);
  if (!source) return bad_input(source.error());

  sim::ReplayOptions replay;
  replay.threads = thread_count(options.threads);
  replay.allow_overcommit = options.allow_overcommit;
  replay.stop_after_cycles = options.cycles;
  replay.stop = options.stop;
  replay.trace_clock = (*source)->facts().clock;
  if (!options.trace_clock_ns.empty()) {
    auto clock = parse_trace_clock(options.trace_clock_ns);
    if (!clock) return bad_input(clock.error());
    replay.trace_clock = *clock;
  }
  const base::Diagnostic clocks = note_of_clocks(*memory, (*source)->facts(), replay.trace_clock);
  if (options.announce) options.announce(clocks.message);
  CommandLog log(options.commands_file, memory->organisation.channels);
  if (!options.commands_file.empty()) {
    replay.on_command = [&log](std::uint32_t channel, const ctrl::IssuedCommand& command) {
      log.add(channel, command);
    };
  }
  if (options.progress) {
    const double burst = memory->organisation.burst_bytes();
    replay.progress = [&options, burst](std::uint64_t requests) {
      options.progress({"replaying", -1, static_cast<double>(requests) * burst});
    };
  }
  HashedFeed feed(**source, options.trace);
  auto result = sim::replay(feed, options.trace, *memory, replay);
  if (!result) return bad_input(result.error());
  const std::string trace_hash = feed.finish_hash(options.stop);
  if (result->stopped || (options.stop != nullptr && options.stop->load()))
    return tl::unexpected(interrupted(false));

  Run run;
  auto& record = run.record;
  fill_identity(record, *memory, options.command_line, options.set);
  record.workload = file_name_of(options.trace);
  record.fidelity = "exact";
  record.inputs.emplace_back(file_name_of(options.trace), trace_hash);
  record.steps = 1;
  ledger::StepRecord step;
  step.cycles = result->cycles;
  step.channels = std::move(result->channels);
  record.records.push_back(std::move(step));
  append(record.assumptions, memory->provenance);
  append(record.diagnostics, memory->diagnostics);
  record.diagnostics.push_back(clocks);
  append(record.diagnostics, notes_of_trace(**source));
  if (result->requests_beyond_capacity > 0) {
    record.diagnostics.push_back({"wrapped_addresses", base::Severity::warning,
                                  "Addresses beyond the capacity were wrapped (--allow-overcommit)",
                                  fmt::format("{} requests", result->requests_beyond_capacity)});
  }
  if (sample) record.diagnostics.push_back(note_of(*sample, result->requests_in_trace));
  record.diagnostics.push_back(note_of_bound(record.records.back()));
  set_data_rates(settings->data, record);
  physics::add_energy(*memory, record);
  if (const std::optional<spec::PackageSpec>& around = *package; around) {
    auto errors = physics::heat::add_heat(*around, *memory, {options.initial}, record);
    if (!errors.empty()) return bad_input(std::move(errors));
  }
  run.summary = attrib::summarise(record);
  run.requests = bursts_of(record.records);
  run.requests_in_trace = result->requests_in_trace;
  run.requests_completed = result->requests_completed;
  run.wall.total = std::chrono::duration<double>(WallClock::now() - start).count();
  run.wall.engine = run.wall.total;
  if (!options.commands_file.empty()) {
    if (auto written = log.write(); !written) return not_finished(written.error());
  }
  return run;
}

}  // namespace diffram::session

#include "sim/program.h"

#include <algorithm>
#include <chrono>
#include <sstream>
#include <utility>

#include "ctrl/memory_tables.h"

namespace diffram::sim {

namespace {

/// Occurrences of one stored step that are simulated at most before it is called "not steady".
constexpr std::int64_t kSteadyLimit = 8;

/// Epochs that are kept; a run of more has longer ones. An even number.
constexpr std::size_t kMostEpochs = std::size_t{1} << 17;

using WallClock = std::chrono::steady_clock;

double seconds_since(WallClock::time_point start) {
  return std::chrono::duration<double>(WallClock::now() - start).count();
}

/// Times what lowering takes, and ends the step early when the run is stopped.
class WatchedSource final : public lower::TileSource {
 public:
  WatchedSource(lower::TileSource& inner, const std::atomic<bool>* stop)
      : inner_(inner), stop_(stop) {}

  bool next(lower::TileStep& out) override {
    if (stop_ != nullptr && stop_->load(std::memory_order_relaxed)) return false;
    const auto start = WallClock::now();
    const bool more = inner_.next(out);
    seconds_ += seconds_since(start);
    if (more) requests_ += out.loads.size() + out.stores.size();
    return more;
  }
  double seconds() const { return seconds_; }
  std::uint64_t requests() const { return requests_; }

 private:
  lower::TileSource& inner_;
  const std::atomic<bool>* stop_;
  double seconds_ = 0;
  std::uint64_t requests_ = 0;
};

ledger::StepRecord make_record(const ProgramStep& step, std::uint32_t stored,
                               std::int64_t occurrence, StepTimes times,
                               const std::vector<lower::Flow>& flow,
                               ClosedLoop::Channels& channels) {
  ledger::StepRecord record;
  record.step = stored;
  record.occurrence = occurrence;
  record.cycles = times.cycles;
  record.op_times = std::move(times.ops);
  record.first_op = step.first_op;
  record.first_origin = step.first_origin;
  record.flow.resize(step.origin_count);
  for (std::uint32_t i = 0; i < step.origin_count; ++i) {
    const auto& f = flow.at(step.first_origin + i);
    record.flow[i] = {f.walk, f.fetch_on_write, f.filter, f.dram, f.dram_read_again};
  }
  for (auto& channel : channels) {
    base::ChannelCounters counters = channel->take_counters();
    const auto begin = counters.origins.begin() + step.first_origin;
    counters.origins = std::vector<base::OriginCounters>(begin, begin + step.origin_count);
    record.channels.push_back(std::move(counters));
  }
  return record;
}

std::vector<base::OriginId> idle_owners(const lower::OriginTable& table) {
  std::vector<base::OriginId> owner(table.ops.size(), base::kNoOrigin);
  for (std::uint32_t i = 0; i < table.origins.size(); ++i) {
    auto& first = owner[table.origins[i].op];
    if (first == base::kNoOrigin) first = base::OriginId(i);
  }
  return owner;
}

std::unique_ptr<ClosedLoop> make_loop(const lower::Lowering& lowering,
                                      const spec::MachineSpec& machine,
                                      const spec::MemorySpec& memory,
                                      const ProgramOptions& options) {
  ctrl::ChannelOptions channel_options;
  channel_options.origins = lowering.origins().origins.size();
  channel_options.attribution = options.attribution;
  channel_options.throttles = options.throttles;
  channel_options.tables = std::make_shared<ctrl::MemoryTables>(memory);
  ClosedLoop::Channels channels;
  for (std::uint32_t c = 0; c < memory.organisation.channels; ++c) {
    channels.push_back(ctrl::make_channel(memory, base::ChannelId(c), channel_options));
  }
  Pacing pacing{machine.clock, memory.clock, static_cast<std::int64_t>(machine.launch_gap_cycles),
                static_cast<std::int64_t>(machine.store_buffer_bytes), options.zero_compute};
  const ctrl::ChannelFinder finder(memory.map,
                                   ctrl::MemoryTables::addresses_of(channel_options.tables));
  auto loop = std::make_unique<ClosedLoop>(std::move(channels), finder, pacing, options.threads);
  loop->set_idle_owners(idle_owners(lowering.origins()));
  loop->set_progress(options.moved);
  return loop;
}

/// Lowering runs along with an occurrence whose record is known already.
void pass(lower::TileSource& source, const std::function<void(std::int64_t)>& moved) {
  lower::TileStep tile;
  std::uint64_t bytes = 0;
  while (source.next(tile)) {
    for (const auto* requests : {&tile.loads, &tile.stores}) {
      for (const auto& request : *requests) bytes += request.bytes;
    }
  }
  if (moved) moved(static_cast<std::int64_t>(bytes));
}

void restore(const ProgramState& state, ClosedLoop::Channels& channels) {
  for (std::size_t i = 0; i < channels.size(); ++i) {
    std::istringstream in(state.channels.at(i));
    channels[i]->restore(in);
  }
}

ProgramState state_of(const ProgramResult& result, const OpenStep& step, const Epochs& epochs,
                      const ClosedLoop::Channels& channels) {
  ProgramState state{result.records, step, {}, result.epochs, epochs.open()};
  for (const auto& channel : channels) {
    std::ostringstream out;
    channel->save(out);
    state.channels.push_back(std::move(out).str());
  }
  return state;
}

}  // namespace

ProgramResult run_program(lower::Lowering& lowering, const std::vector<ProgramStep>& steps,
                          const spec::MachineSpec& machine, const spec::MemorySpec& memory,
                          const ProgramOptions& options) {
  ProgramResult result;
  const auto loop = make_loop(lowering, machine, memory, options);
  Epochs epochs(options.epoch_cycles, [&](const ledger::Epoch& epoch) {
    if (options.at_epoch) {
      const base::OperatingPoint next = options.at_epoch(epoch);
      for (auto& channel : loop->channels()) channel->set_operating_point(next);
    }
    result.epochs.push_back(summed(epoch));
    if (result.epochs.size() < kMostEpochs) return;
    join_pairs(result.epochs);
    epochs.double_length();
  });
  if (options.from != nullptr) {
    result.epochs = options.from->epochs;
    epochs.go_on_from(options.from->open_epoch);
  }
  if (epochs.has_epochs()) {
    loop->set_edges(epochs.end(), [&] {
      epochs.close(loop->channels());
      return epochs.end();
    });
  }
  if (options.between_ops) {
    loop->set_between_ops([&](const OpenStep& step) {
      const bool go_on =
          options.between_ops([&] { return state_of(result, step, epochs, loop->channels()); });
      result.stopped = !go_on;
      return go_on;
    });
  }
  const std::size_t known = options.from != nullptr ? options.from->records.size() : 0;
  const OpenStep* open = options.from != nullptr ? &options.from->step : nullptr;
  const auto start = WallClock::now();
  std::int64_t skipped_cycles = 0, all_cycles = 0;
  double difference = 0;
  for (std::uint32_t stored = 0; stored < steps.size() && !result.stopped; ++stored) {
    const ProgramStep& step = steps[stored];
    std::int64_t limit = step.times;
    if (options.fidelity == Fidelity::steady) limit = std::min(limit, kSteadyLimit);
    if (options.one_occurrence) limit = 1;
    bool steady = step.times == 1;
    std::int64_t done = 0;
    while (done < limit) {
      WatchedSource source(lowering.begin_step(stored),
                           options.between_ops ? nullptr : options.stop);
      if (result.records.size() < known) {
        pass(source, options.moved);
        result.records.push_back(options.from->records[result.records.size()]);
      } else {
        if (open != nullptr) restore(*options.from, loop->channels());
        StepTimes times =
            loop->run(source, step.first_op, step.op_count, std::exchange(open, nullptr));
        if (!options.between_ops && options.stop != nullptr && options.stop->load()) {
          result.stopped = true;
        }
        if (result.stopped) break;
        epochs.before_take(loop->channels());
        result.records.push_back(make_record(step, stored, step.first + done, std::move(times),
                                             lowering.flow(), loop->channels()));
      }
      result.lowering_s += source.seconds();
      result.requests += source.requests();
      ++done;
      if (options.fidelity == Fidelity::steady && done >= 2 && !options.one_occurrence) {
        double pair_difference = 0;
        steady = agree(result.records[result.records.size() - 2], result.records.back(),
                       pair_difference);
        if (steady) difference = std::max(difference, pair_difference);
        if (steady) break;
      }
    }
    if (result.stopped || done == 0) break;
    const std::int64_t accounted = step.times - done;
    result.records.back().weight = 1 + accounted;
    for (std::int64_t i = 0; i < accounted; ++i) lowering.skip_step(stored);
    if (accounted > 0 && !steady && !options.one_occurrence) result.steady = false;
    skipped_cycles += accounted * result.records.back().cycles;
  }
  if (!result.stopped) epochs.finish(loop->channels());
  for (const auto& record : result.records) all_cycles += record.weight * record.cycles;
  if (all_cycles > 0) {
    result.steady_bound =
        difference * static_cast<double>(skipped_cycles) / static_cast<double>(all_cycles);
  }
  result.engine_s = seconds_since(start) - result.lowering_s;
  return result;
}

}  // namespace diffram::sim

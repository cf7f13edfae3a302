// Seconds, requests and run lengths of lowering a trace, without simulating DRAM:
//   lowering_bench TRACE [MACHINE] [MEMORY] [SPECS]

#include <fmt/format.h>

#include <chrono>
#include <cstdlib>
#include <map>
#include <string>

#include "lower/lowering.h"

namespace {

using namespace diffram;

struct Sums {
  std::int64_t ops = 0, tiles = 0, requests = 0;
  std::int64_t compulsory = 0, cycles = 0;
  lower::Flow flow;
};

template <class T>
T value_or_exit(base::Result<T> result) {
  if (result) return std::move(*result);
  for (const base::Error& error : result.error()) fmt::print(stderr, "{}\n", error.text());
  std::exit(3);
}

void print(const std::string& name, const Sums& s, std::int64_t burst) {
  const double bursts = static_cast<double>(s.flow.dram) / static_cast<double>(burst);
  fmt::print(
      "  "
      "{:<14}{:>7}{:>9}{:>11}{:>12.0f}{:>9.1f}{:>10.3f}{:>10.3f}{:>10.3f}{:>10.3f}{:>10.3f}{:>9.2f}"
      "\n",
      name, s.ops, s.tiles, s.requests, bursts,
      s.requests == 0 ? 0.0 : bursts / static_cast<double>(s.requests),
      static_cast<double>(s.compulsory) * 1e-9, static_cast<double>(s.flow.walk) * 1e-9,
      static_cast<double>(s.flow.filter) * 1e-9, static_cast<double>(s.flow.dram) * 1e-9,
      static_cast<double>(s.flow.dram_read_again) * 1e-9, static_cast<double>(s.cycles) * 1e-6);
}

void run_step(lower::Lowering& lowering, std::uint32_t step, std::int64_t burst) {
  const auto& table = lowering.origins();
  std::map<std::string, Sums> families;
  const auto begin = std::chrono::steady_clock::now();
  lower::TileSource& source = lowering.begin_step(step);
  lower::TileStep tile;
  std::uint64_t hash = 1469598103934665603ULL;  // FNV-1a offset basis
  std::vector<Sums> by_op(table.ops.size());
  while (source.next(tile)) {
    Sums& sums = by_op[tile.op];
    ++sums.tiles;
    sums.requests += static_cast<std::int64_t>(tile.loads.size() + tile.stores.size());
    for (const auto* requests : {&tile.loads, &tile.stores})
      for (const base::Request& r : *requests)
        hash = (hash ^ (r.address + r.bytes)) * 1099511628211ULL;
  }
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  for (std::size_t o = 0; o < table.origins.size(); ++o)
    by_op[table.origins[o].op].flow += lowering.flow()[o];
  Sums all;
  for (std::size_t i = 0; i < by_op.size(); ++i) {
    if (table.ops[i].step != step) continue;
    for (Sums* sums : {&families[table.ops[i].family], &all}) {
      ++sums->ops;
      sums->tiles += by_op[i].tiles;
      sums->requests += by_op[i].requests;
      sums->flow += by_op[i].flow;
      sums->compulsory += table.ops[i].compulsory_bytes;
      sums->cycles += table.ops[i].compute_cycles;
    }
  }
  fmt::print("step {}: {:.3f} s, hash {:016x}\n", step, seconds, hash);
  fmt::print("  {:<14}{:>7}{:>9}{:>11}{:>12}{:>9}{:>10}{:>10}{:>10}{:>10}{:>10}{:>9}\n", "family",
             "ops", "tiles", "requests", "bursts", "run", "compul GB", "walk GB", "filter GB",
             "dram GB", "again GB", "Mcycles");
  for (const auto& [name, sums] : families) print(name, sums, burst);
  print("all", all, burst);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    fmt::print(stderr, "lowering_bench TRACE [MACHINE] [MEMORY] [SPECS]\n");
    return 2;
  }
  const spec::SpecFolders folders{argc > 4 ? argv[4] : "specs"};
  const auto seconds_since = [](auto begin) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  };
  auto start = std::chrono::steady_clock::now();
  const auto trace = value_or_exit(trace::read_tensor_trace(argv[1]));
  fmt::print("read {:.3f} s\n", seconds_since(start));
  const auto machine = value_or_exit(spec::load_machine(folders, argc > 2 ? argv[2] : "npu-edge"));
  const auto memory =
      value_or_exit(spec::load_memory(folders, argc > 3 ? argv[3] : machine.memory));
  lower::LoweringOptions options;
  options.allow_overcommit = true;
  start = std::chrono::steady_clock::now();
  const auto lowering = value_or_exit(lower::lower(trace, machine, memory, options));
  fmt::print("survey {:.3f} s, fits {}, peak live {} B, reserved {} B\n", seconds_since(start),
             lowering->capacity().fits, lowering->capacity().peak_live_bytes,
             lowering->capacity().peak_reserved_bytes);
  for (const auto& d : lowering->diagnostics())
    fmt::print("{}: {} ({})\n", d.code, d.message, d.evidence);
  for (std::uint32_t step = 0; step < trace.steps.size(); ++step)
    run_step(*lowering, step, memory.organisation.burst_bytes());
}

// Runs a model over the recorded runs of DRAMsim3 and prints how many are equal, set by set.

#include <CLI/CLI.hpp>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>

#include "oracle/dramsim3_compare.h"
#include "oracle/dramsim3_engine.h"

namespace diffram::oracle::dramsim3 {
namespace {

const std::map<std::string, Model> kModels = {{"naive", run_naive}, {"engine", run_engine}};

struct Tally {
  std::size_t equal = 0, all = 0, skipped = 0;
};

struct Options {
  std::string model = "naive", set, only;
  std::size_t every = 1, shown = 3;
  bool json = false;
};

Tally run_set(const CaseSet& set, const Model& model, const Options& options) {
  Tally out;
  Traces traces(set);
  const auto cases = read_cases(set);
  std::size_t differing = 0;
  for (std::size_t i = 0; i < cases.size(); i += options.every) {
    const auto& one = cases[i];
    if (one.name.find(options.only) == std::string::npos) continue;
    const auto* trace = traces.find(one.trace_name);
    if (trace == nullptr) {
      ++out.skipped;
      continue;
    }
    ++out.all;
    const auto found = difference(one, model(one.ini, *trace, one.cycles));
    if (found.empty()) {
      ++out.equal;
    } else if (differing++ < options.shown) {
      std::cerr << set.name << " " << one.name << ": " << found << "\n";
    }
  }
  return out;
}

int run(const Options& options) {
  const auto& model = kModels.at(options.model);
  std::string line;
  nlohmann::json json;
  bool all_equal = true, any = false;
  for (const auto& set : kCaseSets) {
    if (!options.set.empty() && options.set != set.name) continue;
    const auto tally = run_set(set, model, options);
    line +=
        (line.empty() ? "" : " ") + std::to_string(tally.equal) + "/" + std::to_string(tally.all);
    if (tally.skipped > 0)
      std::cerr << set.name << ": " << tally.skipped
                << " skipped: not distributed (set DIFFRAM_SHARED to the folder that has real/)\n";
    json[set.name] = {{"equal", tally.equal}, {"all", tally.all}, {"skipped", tally.skipped}};
    all_equal = all_equal && tally.equal == tally.all;
    any = any || tally.all + tally.skipped > 0;
  }
  if (!any) {
    std::cerr << "no recorded run has '" << options.only << "' in its name\n";
    return 1;
  }
  std::cout << (options.json ? json.dump() : line) << "\n";
  return all_equal ? 0 : 1;
}

}  // namespace
}  // namespace diffram::oracle::dramsim3

int main(int argc, char** argv) {
  using namespace diffram::oracle::dramsim3;
  CLI::App app(
      "Compares a model with recorded runs of DRAMsim3: commands, counters and energies to the "
      "last "
      "bit.\nPrints equal/all of the fixed, random and real runs; exit code 1 if one differs.\n\n"
      "Example: dramsim3_report --model naive --set random --every 10");
  Options options;
  std::vector<std::string> names, sets;
  for (const auto& [name, model] : kModels) names.push_back(name);
  for (const auto& set : kCaseSets) sets.emplace_back(set.name);
  app.add_option("--model", options.model, "which model runs")
      ->check(CLI::IsMember(names))
      ->capture_default_str();
  app.add_option("--set", options.set, "only this set")->check(CLI::IsMember(sets));
  app.add_option("--only", options.only, "only runs with this text in their name");
  app.add_option("--every", options.every, "only every n-th run")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_option("--show", options.shown, "differing runs to describe, each set")
      ->capture_default_str();
  app.add_flag("--json", options.json, "the tally as one JSON object");
  CLI11_PARSE(app, argc, argv);
  return run(options);
}

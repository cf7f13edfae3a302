#include "report/model.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <numeric>

#include "report/energy_table.h"
#include "report/evictions.h"
#include "report/findings.h"
#include "report/leaves.h"
#include "report/number_format.h"
#include "report/op_groups.h"
#include "report/tree.h"

namespace diffram::report {
namespace {

std::string or_none(const std::string& text) { return text.empty() ? "(none)" : text; }

template <class Array>
void add_each(Array& to, const Array& from) {
  for (std::size_t i = 0; i < to.size(); ++i) to[i] += from[i];
}

/// Share of each phase's time that repeats a simulated step.
std::map<std::string, double> accounted_shares(const ledger::RunRecord& run) {
  std::map<std::string, std::pair<double, double>> parts;
  for (const ledger::StepRecord& record : run.records)
    for (std::size_t i = 0; i < record.op_times.size(); ++i) {
      const ledger::OpTime& time = record.op_times[i];
      const auto cycles = static_cast<double>(time.compute + time.wait + time.launch);
      auto& [repeats, all] = parts[or_none(run.ops[record.first_op + i].phase)];
      repeats += cycles * static_cast<double>(record.weight - 1);
      all += cycles * static_cast<double>(record.weight);
    }
  std::map<std::string, double> shares;
  for (const auto& [phase, part] : parts)
    shares[phase] = part.second > 0 ? part.first / part.second : 0;
  return shares;
}

std::vector<PhaseRow> phase_rows(const ledger::RunRecord& run, const std::vector<Leaf>& leaves) {
  const auto accounted = accounted_shares(run);
  std::vector<PhaseRow> rows;
  std::map<std::string, std::size_t> index;
  for (const Leaf& leaf : leaves) {
    const auto [found, is_new] = index.try_emplace(leaf.phase, rows.size());
    if (is_new) {
      const auto share = accounted.find(leaf.phase);
      rows.push_back({leaf.phase, {}, share == accounted.end() ? 0 : share->second});
    }
    rows[found->second].bill += leaf.bill;
  }
  return rows;
}

}  // namespace

Bill& Bill::operator+=(const Bill& other) {
  time_cycles += other.time_cycles;
  wait_cycles += other.wait_cycles;
  read_again += other.read_again;
  hits += other.hits;
  columns += other.columns;
  ops += other.ops;
  add_each(causes, other.causes);
  add_each(lost, other.lost);
  add_each(bytes, other.bytes);
  add_each(conflicts, other.conflicts);
  add_each(joules, other.joules);
  return *this;
}

std::int64_t Bill::channel_cycles() const {
  return std::accumulate(causes.begin(), causes.end(), std::int64_t{0});
}
std::int64_t Bill::total_bytes() const {
  return std::accumulate(bytes.begin(), bytes.end(), std::int64_t{0});
}
std::int64_t Bill::total_conflicts() const {
  return std::accumulate(conflicts.begin(), conflicts.end(), std::int64_t{0});
}
double Bill::total_joules() const { return std::accumulate(joules.begin(), joules.end(), 0.0); }

double Model::seconds(std::int64_t machine_cycles) const {
  return static_cast<double>(machine_cycles) * run->clock.period_s();
}

double Model::channel_seconds(std::int64_t channel_cycles) const {
  const double channels = run->channels > 0 ? run->channels : 1;
  return static_cast<double>(channel_cycles) / channels * run->clock.period_s();
}

std::string Model::memory_title() const {
  // "<standard>-<rate>-<capacity>g-<n>ch"; any other name is printed as it is.
  std::vector<std::string> parts(1);
  for (const char c : run->memory) {
    if (c == '-')
      parts.emplace_back();
    else
      parts.back() += c;
  }
  if (parts.size() < 4 || !parts.back().ends_with("ch")) return run->memory;
  std::string title = parts[0];
  for (char& c : title) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return title + "-" + parts[1];
}

std::string Model::run_title() const {
  std::string title = run->workload;
  if (!run->machine.empty()) title += " · " + run->machine;
  title += " · " + memory_title();
  return title + fmt::format(", {} channel{}", run->channels, run->channels == 1 ? "" : "s");
}

base::Result<Model> build_model(const ledger::RunRecord& run) {
  Model model;
  model.run = &run;
  model.summary = attrib::summarise(run);
  auto leaves = gather_leaves(run);
  if (!leaves) return base::failure(leaves.error());
  model.leaves = std::move(*leaves);
  for (const Leaf& leaf : model.leaves) model.total += leaf.bill;
  model.phases = phase_rows(run, model.leaves);
  model.groups = group_ops(model.leaves);
  model.tree = build_tree(model.leaves);
  model.energy = energy_table(run);
  model.heated_by = heated_by(run);
  model.repeated = repeated_tensors(run);
  model.evictions = gather_evictions(run);
  model.accounted_byte_share = std::max(0.0, 1 - model.summary.simulated_byte_share);
  model.verdict = judge(model);
  model.limits = limits_of_result(model);
  model.findings = find_what_matters(model);
  return model;
}

}  // namespace diffram::report

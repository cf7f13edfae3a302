#include "report/findings.h"

#include <algorithm>

#include "report/layer_names.h"
#include "report/number_format.h"
#include "report/words.h"

namespace diffram::report {
namespace {

// How much of a finding a user of the program can change: schedules and layouts fully, the
// optimizer's own traffic mostly, background energy only through a shorter run.
constexpr double kChangeable = 1.0, kMostlyChangeable = 0.7, kHardlyChangeable = 0.3;

double ratio(double part, double whole) { return whole > 0 ? part / whole : 0; }
double ratio(std::int64_t part, std::int64_t whole) {
  return ratio(static_cast<double>(part), static_cast<double>(whole));
}

void add(std::vector<Finding>& findings, const words::Sentence& sentence, Finding finding) {
  if (!sentence) return;
  finding.sentence = *sentence;
  findings.push_back(std::move(finding));
}

void who_takes_the_time(const Model& model, std::vector<Finding>& findings) {
  if (model.groups.empty()) return;
  const OpGroup& group = model.groups.front();
  if (group.where == "optimizer") return;  // the optimizer step has its own sentence
  const double share = ratio(group.bill.time_cycles, model.total.time_cycles);
  const double seconds = model.seconds(group.bill.time_cycles);
  const std::string layer = group.layers.empty() ? "" : unit_path(group.layers.front());
  add(findings,
      words::who_takes_the_time(group.label, group.where, group.places, seconds, share,
                                ratio(group.bill.wait_cycles, group.bill.time_cycles)),
      {seconds_figure(seconds).text(), share_figure(share).text() + " of time", "",
       group.places > 1 ? "One of its layers in the tree" : "Its layer in the tree",
       layer.empty() ? "time" : "time&layer=" + layer, share * kChangeable});
}

void who_evicts_whom(const Model& model, std::vector<Finding>& findings) {
  if (model.evictions.pairs.empty()) return;
  const Eviction& pair = model.evictions.pairs.front();
  const double seconds = model.channel_seconds(pair.cycles);
  const double share = ratio(pair.cycles, model.total.channel_cycles());
  add(findings, words::who_evicts_whom(pair.culprit, pair.victim, seconds, share),
      {seconds_figure(seconds).text(),
       share_figure(ratio(pair.cycles, model.evictions.total)).text() + " of row conflicts", "",
       "Who evicts whom", "evict", share * kChangeable});
}

void repeated_loads(const Model& model, std::vector<Finding>& findings) {
  if (model.repeated.empty()) return;
  std::int64_t again = 0;
  for (const RepeatedTensor& row : model.repeated) again += row.read_again;
  const RepeatedTensor& worst = model.repeated.front();
  const double share = ratio(worst.read_again, model.summary.bytes_read);
  add(findings, words::repeated_loads(worst.tensor, worst.loads_per_write, worst.read_again, share),
      {bytes_figure(static_cast<double>(again)).text(),
       share_figure(ratio(again, model.summary.bytes_read)).text() + " of reads are repeats", "",
       "Tensors loaded again", "energy", share * kMostlyChangeable});
}

void optimizer_step(const Model& model, std::vector<Finding>& findings) {
  for (const PhaseRow& phase : model.phases) {
    if (phase.name != "optimizer") continue;
    const double share = ratio(phase.bill.time_cycles, model.total.time_cycles);
    add(findings,
        words::optimizer_step(share, ratio(phase.bill.wait_cycles, phase.bill.time_cycles),
                              phase.bill.total_bytes()),
        {seconds_figure(model.seconds(phase.bill.time_cycles)).text(),
         share_figure(share).text() + " of time", "", "The optimizer step", "time&phase=optimizer",
         share * kMostlyChangeable});
  }
}

void refresh_and_idle(const Model& model, std::vector<Finding>& findings) {
  double shared = 0, total = 0;
  for (const EnergyRow& row : model.energy) {
    shared += row.account == "refresh" || row.account == "idle background" ? row.shared : 0;
    total += row.total;
  }
  add(findings, words::refresh_and_idle(shared, total),
      {energy_figure(shared).text(), share_figure(ratio(shared, total)).text() + " of energy", "",
       "Shared accounts", "energy", ratio(shared, total) * kHardlyChangeable});
}

void too_hot(const Model& model, std::vector<Finding>& findings) {
  const ledger::HottestPlace& place = model.run->hottest;
  add(findings, words::too_hot(place.measured, place.measured_at, place.limit),
      {celsius_figure(place.measured).text(), "at the " + place.measured_at, "",
       "Whose power heats it", "heat", kChangeable});
}

}  // namespace

std::vector<Finding> find_what_matters(const Model& model) {
  std::vector<Finding> findings;
  who_takes_the_time(model, findings);
  who_evicts_whom(model, findings);
  repeated_loads(model, findings);
  optimizer_step(model, findings);
  refresh_and_idle(model, findings);
  too_hot(model, findings);
  std::erase_if(findings, [](const Finding& finding) { return finding.weight < kTrifleShare; });
  std::stable_sort(findings.begin(), findings.end(),
                   [](const Finding& a, const Finding& b) { return a.weight > b.weight; });
  if (findings.size() > kFindingsShown) findings.resize(kFindingsShown);
  return findings;
}

}  // namespace diffram::report

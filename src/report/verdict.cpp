// The verdict: is memory the limit, and who waits.

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "report/findings.h"
#include "report/layer_names.h"
#include "report/number_format.h"
#include "report/words.h"

namespace diffram::report {
namespace {

// Memory is called the limit when the machine waits for it at least half of the time.
constexpr double kLimitShare = 0.5;
// Layers of the leading kind count as culprits down to half of the wait of the first of them.
constexpr double kStillLeading = 0.5;
// Naming a group that causes less than this would explain nothing.
constexpr double kWorthNaming = 0.1;

struct Unit {
  std::string path, kind;
  std::int64_t wait = 0;
};

std::vector<Unit> units_by_wait(const Model& model) {
  std::map<std::string, Unit> units;
  for (const Leaf& leaf : model.leaves) {
    const bool is_module = leaf.layer != "(none)";
    const std::string path = is_module ? unit_path(leaf.layer) : leaf.phase;
    Unit& unit = units[leaf.phase + "\n" + path];
    unit.path = path;
    unit.kind = is_module ? unit_kind(leaf.layer) + " layer" : leaf.phase + " step";
    unit.wait += leaf.bill.wait_cycles;
  }
  std::vector<Unit> order;
  order.reserve(units.size());
  for (auto& [key, unit] : units) order.push_back(std::move(unit));
  std::stable_sort(order.begin(), order.end(),
                   [](const Unit& a, const Unit& b) { return a.wait > b.wait; });
  return order;
}

std::optional<words::WhoWaits> who_waits(const Model& model) {
  if (model.leaves.size() < 2) return std::nullopt;  // one op: the verdict is about it anyway
  const std::vector<Unit> units = units_by_wait(model);
  if (units.empty() || units.front().wait <= 0 || model.total.wait_cycles <= 0) return std::nullopt;
  const Unit& first = units.front();
  std::int64_t count = 0, wait = 0;
  for (const Unit& unit : units) {
    if (unit.kind != first.kind) continue;
    if (static_cast<double>(unit.wait) < kStillLeading * static_cast<double>(first.wait)) continue;
    ++count;
    wait += unit.wait;
  }
  const double share = static_cast<double>(wait) / static_cast<double>(model.total.wait_cycles);
  if (share < kWorthNaming) return std::nullopt;
  if (count > 1)
    return words::WhoWaits{fmt::format("{} {}s", counted(count), first.kind), share, true};
  const bool is_step = first.kind.size() > 5 && first.kind.ends_with(" step");
  return words::WhoWaits{is_step ? "the " + first.kind : "the layer `" + first.path + "`", share,
                         false};
}

/// What takes most of the time in which the channels move no data.
std::string largest_loss(const Model& model) {
  const CauseFamily* largest = nullptr;
  std::int64_t most = 0;
  for (const CauseFamily& family : cause_families()) {
    if (std::string(family.token) == "data") continue;
    std::int64_t sum = 0;
    for (const base::Cause cause : family.causes)
      sum += model.total.causes[static_cast<std::size_t>(cause)];
    if (sum > most) {
      most = sum;
      largest = &family;
    }
  }
  return largest == nullptr ? "" : largest->sentence;
}

}  // namespace

Verdict judge(const Model& model) {
  Verdict verdict;
  const ledger::RunRecord& run = *model.run;
  verdict.trusted =
      std::none_of(run.diagnostics.begin(), run.diagnostics.end(),
                   [](const base::Diagnostic& d) { return d.severity == base::Severity::error; });
  const attrib::Summary& figures = model.summary;
  const std::optional<double> time =
      figures.time_s > 0 ? std::optional(figures.time_s) : std::nullopt;
  words::Sentence sentence;
  if (run.ops.empty())
    sentence = words::trace_ran_at(figures.bandwidth_bytes_per_s, figures.peak_bytes_per_s,
                                   largest_loss(model));
  else if (figures.memory_wait_share >= kLimitShare)
    sentence =
        words::memory_is_the_limit(figures.memory_wait_share, std::nullopt, who_waits(model));
  else
    sentence = words::memory_is_not_the_limit(figures.memory_wait_share, time);
  verdict.sentence = sentence.value_or("");
  return verdict;
}

std::string limits_of_result(const Model& model) {
  std::string text;
  const auto add = [&text](const std::string& sentence) {
    text += (text.empty() ? "" : " ") + sentence;
  };
  if (model.accounted_byte_share > 0) {
    const std::string bound =
        model.summary.steady_bound > 0
            ? fmt::format(" (within {})", share_figure(model.summary.steady_bound).text())
            : "";
    add(fmt::format("{} of the bytes are accounted from simulated steps and not simulated{}.",
                    share_figure(model.accounted_byte_share).text(), bound));
  }
  return text;
}

}  // namespace diffram::report

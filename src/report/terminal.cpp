#include "report/terminal.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/layer_names.h"
#include "report/number_format.h"
#include "report/terminal_text.h"

namespace diffram::report {
namespace {

using base::Cause;

struct LossLine {
  const char* label;
  Ink ink;
  std::vector<Cause> causes;
  bool stays = false;  ///< keeps its place: data first, idle last
};

const std::vector<LossLine>& loss_lines() {
  static const std::vector<LossLine> lines = {
      {"moving data", Ink::dim, {Cause::data_read, Cause::data_write}, true},
      {"row conflict", Ink::red, {Cause::row_conflict}},
      {"row miss", Ink::red, {Cause::row_miss}},
      {"row limits", Ink::red, {Cause::row_hold, Cause::act_window}},
      {"bus turns",
       Ink::magenta,
       {Cause::turn_wr, Cause::turn_rw, Cause::bank_group, Cause::rank_switch, Cause::command_bus}},
      {"refresh", Ink::cyan, {Cause::refresh, Cause::power_exit, Cause::idle_throttle}},
      {"controller", Ink::yellow, {Cause::policy, Cause::front, Cause::dispatch, Cause::cas}},
      {"idle", Ink::dim, {Cause::idle_compute, Cause::idle_end}, true},
  };
  return lines;
}

constexpr std::size_t kPayersShown = 3, kEvictionsShown = 2, kDiagnosticsShown = 3,
                      kHeatersShown = 3;
constexpr int kLabelColumns = 13, kFigureColumns = 13, kLongestBar = 30;

void print_head(const Model& model, TerminalText& out) {
  const ledger::RunRecord& run = *model.run;
  std::string head = run.workload;
  if (!run.machine.empty()) head += ", " + run.machine;
  head += fmt::format(", {} × {} channel{}", model.memory_title(), run.channels,
                      run.channels == 1 ? "" : "s");
  std::string how = run.fidelity;
  if (run.steps > 0)
    how = fmt::format("{} step{}, {}", run.steps, run.steps == 1 ? "" : "s", run.fidelity);
  out.line_between(head, how);
  for (const base::Diagnostic& d : run.diagnostics)
    if (d.severity == base::Severity::error)
      out.paragraph("Do not use these figures: " + as_sentence(d.message), 2, Ink::red);
  if (!model.verdict.sentence.empty()) out.paragraph(model.verdict.sentence, 0, Ink::bold);
}

/// Clauses that do not fit the line are left out, from the end.
void print_figure(TerminalText& out, const std::string& label, const std::string& figure,
                  const std::vector<std::string>& clauses) {
  const int room = out.width() - 2 - kLabelColumns - kFigureColumns;
  std::string detail;
  for (const std::string& clause : clauses) {
    if (!detail.empty() && out.columns(detail + clause) > room) break;
    detail += clause;
  }
  out.line("  " + out.left(label, kLabelColumns) +
           out.paint(out.left(figure, kFigureColumns), Ink::bold) + out.fitted(detail, room));
}

void print_power(const ledger::RunRecord& run, TerminalText& out) {
  if (run.power.empty()) return;
  const auto watts = [&](const ledger::PowerSample& sample) { return sample.watts(run.clock); };
  const auto [least, most] = std::ranges::minmax(run.power, {}, watts);
  const double epoch = static_cast<double>(run.power.front().cycles) * run.clock.period_s();
  print_figure(
      out, "power", power_figure(watts(most)).text(),
      {"at most, " + power_figure(watts(least)).text() + " at least",
       fmt::format(", in {} epochs of {}", run.power.size(), seconds_figure(epoch).text())});
}

void print_heat(const ledger::RunRecord& run, TerminalText& out) {
  const ledger::LayerHeat* hottest = nullptr;
  for (const ledger::LayerHeat& layer : run.heat) {
    if (layer.role == "memory" && (hottest == nullptr || layer.steady_peak > hottest->steady_peak))
      hottest = &layer;
  }
  if (hottest == nullptr)
    return print_figure(out, "hottest", kDoesNotApply, {"heat was not simulated"});
  print_figure(out, "hottest", celsius_figure(hottest->steady_peak).text(),
               {"if this load lasts",
                fmt::format("; {} at the end", celsius_figure(hottest->end_peak).text()),
                fmt::format("; {}", hottest->package)});
}

/// How far the hottest place is from its limit, and the first of those who heat it.
void print_rise(const Model& model, TerminalText& out) {
  const ledger::HottestPlace& place = model.run->hottest;
  if (!place.is_known()) return;
  if (const auto margin = margin_of(place))
    print_figure(
        out, "limit", celsius_figure(place.limit).text(),
        {fmt::format("at the {}; {} {} it", place.measured_at,
                     kelvin_figure(std::abs(*margin)).text(), *margin < 0 ? "above" : "below")});
  std::vector<std::string> clauses = {"above the air"};
  for (const HeatRow& row : model.heated_by) {
    if (clauses.size() > kHeatersShown) break;
    clauses.push_back(fmt::format("{} {} {}", clauses.size() == 1 ? ":" : ",", row.name,
                                  share_figure(row.kelvin, place.rise()).text()));
  }
  print_figure(out, "rise", kelvin_figure(place.rise()).text(), clauses);
}

void print_loop(const ledger::RunRecord& run, TerminalText& out) {
  const auto loop = loop_view(run);
  if (!loop) return;
  std::vector<std::string> clauses = {
      fmt::format("at most, {} at least", celsius_figure(loop->least).text())};
  if (loop->fastest > 1)
    clauses.push_back(fmt::format("; refresh {:g}× for {}", loop->fastest,
                                  share_figure(loop->refreshed_faster).text()));
  if (loop->throttled > 0)
    clauses.push_back(fmt::format("; throttled for {}", share_figure(loop->throttled).text()));
  clauses.push_back(fmt::format("; {} epochs", run.heat_epochs.size()));
  print_figure(out, "over time", celsius_figure(loop->most).text(), clauses);
}

void print_figures(const Model& model, TerminalText& out) {
  const attrib::Summary& figures = model.summary;
  const double wait = figures.memory_wait_share * figures.time_s;
  if (!model.run->ops.empty()) {
    std::vector<std::string> bounds = {
        "of " + seconds_figure(figures.time_s).text(),
        "; compute alone " + seconds_figure(figures.compute_only_s).text()};
    if (figures.memory_only_s >= 0)
      bounds.push_back(", memory alone " + seconds_figure(figures.memory_only_s).text());
    print_figure(out, "memory wait", seconds_figure(wait).text(), bounds);
  } else {
    print_figure(out, "time", seconds_figure(figures.time_s).text(),
                 {grouped(figures.cycles) + " cycles"});
  }
  print_figure(
      out, "bandwidth", rate_figure(figures.bandwidth_bytes_per_s).text(),
      {fmt::format("{} of {}",
                   share_figure(figures.bandwidth_bytes_per_s, figures.peak_bytes_per_s).text(),
                   rate_figure(figures.peak_bytes_per_s).text())});
  const auto moved = static_cast<double>(figures.bytes_read + figures.bytes_written);
  const Figure read = bytes_figure(static_cast<double>(figures.bytes_read));
  const Figure written = bytes_figure(static_cast<double>(figures.bytes_written));
  const bool same_unit = read.unit == written.unit;
  std::vector<std::string> kinds = {(same_unit ? read.number : read.text()) + " read, " +
                                    written.text() + " written"};
  if (model.total.read_again > 0 && figures.bytes_read > 0)
    kinds.push_back(fmt::format("; {} of reads are repeats",
                                share_figure(static_cast<double>(model.total.read_again),
                                             static_cast<double>(figures.bytes_read))
                                    .text()));
  print_figure(out, "moved", bytes_figure(moved).text(), kinds);
  if (figures.energy_total_j >= 0) {
    double shared = 0;
    for (const EnergyRow& row : model.energy)
      if (row.account == "refresh" || row.account == "idle background") shared += row.shared;
    std::vector<std::string> detail = {power_figure(figures.power_w).text()};
    if (moved > 0)
      detail.push_back(
          fmt::format(", {} pJ/byte", three_digits(figures.energy_total_j / moved * 1e12)));
    detail.push_back(
        fmt::format("; {} refresh and idle", share_figure(shared, figures.energy_total_j).text()));
    print_figure(out, "energy", energy_figure(figures.energy_total_j).text(), detail);
    print_power(*model.run, out);
  } else {
    print_figure(out, "energy", kDoesNotApply, {"not known for this memory: see the limits"});
  }
  print_heat(*model.run, out);
  print_rise(model, out);
  print_loop(*model.run, out);
}

void print_losses(const Model& model, TerminalText& out) {
  const std::int64_t all = model.total.channel_cycles();
  if (all <= 0) return;
  out.line();
  out.line_between(out.spelled("Where the channel time goes"),
                   seconds_figure(model.channel_seconds(all)).text() + " = 100 %");
  std::vector<std::pair<const LossLine*, std::int64_t>> lines;
  std::int64_t longest = 0;
  for (const LossLine& line : loss_lines()) {
    std::int64_t cycles = 0;
    for (const Cause cause : line.causes)
      cycles += model.total.causes[static_cast<std::size_t>(cause)];
    if (cycles == 0) continue;
    lines.emplace_back(&line, cycles);
    longest = std::max(longest, cycles);
  }
  std::stable_sort(lines.begin(), lines.end(), [](const auto& a, const auto& b) {
    const auto rank = [](const LossLine* l) {
      return !l->stays ? 1 : l->causes[0] == Cause::data_read ? 0 : 2;
    };
    if (rank(a.first) != rank(b.first)) return rank(a.first) < rank(b.first);
    return a.second > b.second;
  });
  const int longest_bar = std::min(kLongestBar, out.width() - 2 - kLabelColumns - 8 - 8 - 3);
  for (const auto& [line, cycles] : lines) {
    const double share = static_cast<double>(cycles) / static_cast<double>(longest);
    out.line(
        "  " + out.left(line->label, kLabelColumns) +
        out.right(seconds_figure(model.channel_seconds(cycles)).text(), 8) +
        out.right(share_figure(static_cast<double>(cycles), static_cast<double>(all)).text(), 8) +
        "   " + out.paint(out.bar(share, longest_bar), line->ink));
  }
}

void print_payers(const Model& model, TerminalText& out) {
  if (model.run->ops.empty()) return;
  constexpr int label = 19, times = 6, figures = 8 + 9 + 9 + 9, fixed = 2 + label + times + figures;
  const int where = std::max(0, out.width() - fixed);
  const bool names_place = where >= 8;
  const int label_columns = names_place ? label : out.width() - 2 - times - figures;
  out.line();
  out.line(out.left("Who pays", 2 + label_columns + times + (names_place ? where : 0)) +
           out.right("time", 8) + out.right("waiting", 9) + out.right("bytes", 9) +
           out.right("energy", 9));
  for (std::size_t i = 0; i < model.groups.size() && i < kPayersShown; ++i) {
    const OpGroup& group = model.groups[i];
    const std::string folded = group.places > 1 ? fmt::format("× {}", group.places) : "";
    const bool has_energy = model.summary.energy_total_j >= 0;
    out.line(
        "  " + out.left(group.label, label_columns) + out.left(folded, times) +
        (names_place ? out.left(out.fitted(group.where, where - 1), where) : "") +
        out.right(seconds_figure(model.seconds(group.bill.time_cycles)).text(), 8) +
        out.right(share_figure(static_cast<double>(group.bill.wait_cycles),
                               static_cast<double>(group.bill.time_cycles))
                      .text(),
                  9) +
        out.right(bytes_figure(static_cast<double>(group.bill.total_bytes())).text(), 9) +
        out.right(has_energy ? energy_figure(group.bill.total_joules()).text() : kDoesNotApply, 9));
  }
}

void print_evictions(const Model& model, TerminalText& out) {
  if (model.evictions.pairs.empty() || model.run->ops.empty()) return;
  const int who_columns = out.width() - 2 - 9 - 15;
  out.line(out.left("Who evicts whom", 2 + who_columns) + out.right("time", 9) +
           out.right("of conflicts", 15));
  for (std::size_t i = 0; i < model.evictions.pairs.size() && i < kEvictionsShown; ++i) {
    const Eviction& pair = model.evictions.pairs[i];
    const std::string who = pair.culprit == pair.victim ? pair.victim + " evicts itself"
                                                        : pair.culprit + " evicts " + pair.victim;
    out.line("  " + out.left(who, who_columns) +
             out.right(seconds_figure(model.channel_seconds(pair.cycles)).text(), 9) +
             out.right(share_figure(static_cast<double>(pair.cycles),
                                    static_cast<double>(model.evictions.total))
                           .text(),
                       15));
  }
}

void print_limits(const Model& model, TerminalText& out, const std::string& run_file) {
  std::string limits = model.limits;
  std::size_t shown = 0, hidden = 0;
  for (const base::Diagnostic& d : model.run->diagnostics) {
    if (d.severity == base::Severity::error) continue;
    if (shown++ < kDiagnosticsShown)
      limits += (limits.empty() ? "" : " ") + as_sentence(d.message);
    else
      ++hidden;
  }
  if (hidden > 0) limits += fmt::format(" {} more in the report.", hidden);
  out.line();
  if (!limits.empty()) out.paragraph("Limits: " + limits, 8, Ink::dim);
  const std::string stem =
      run_file.ends_with(".dfr") ? run_file.substr(0, run_file.size() - 4) : run_file;
  out.line(fmt::format("Next:   diffram report {} -o {}.html", run_file, stem));
}

}  // namespace

std::string terminal_summary(const Model& model, const TerminalOptions& options) {
  TerminalText out(options);
  print_head(model, out);
  out.line();
  print_figures(model, out);
  print_losses(model, out);
  print_payers(model, out);
  print_evictions(model, out);
  print_limits(model, out, options.run_file);
  return out.take();
}

}  // namespace diffram::report

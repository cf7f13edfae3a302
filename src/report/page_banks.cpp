// Part 5 of the page: channel × bank map of row conflicts, and row outcomes by tensor class.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/banks.h"
#include "report/number_format.h"
#include "report/page_markup.h"
#include "report/words.h"

namespace diffram::report {
namespace {

constexpr int kShades = 7;
// A larger map is summed over its channels: the page keeps to 6,000 elements.
constexpr std::size_t kMostCells = 1024;

std::string map_row(const std::string& name, const std::vector<std::int64_t>& row,
                    std::int64_t largest, std::int64_t total) {
  std::string cells;
  for (const std::int64_t conflicts : row) {
    const double part = static_cast<double>(conflicts) / static_cast<double>(largest);
    const int shade =
        conflicts <= 0 ? 0 : std::clamp(static_cast<int>(std::ceil(part * (kShades - 1))), 1, 6);
    cells += fmt::format(
        "<td class=\"s{}\">{}</td>", shade,
        share_figure(static_cast<double>(conflicts), static_cast<double>(total)).number);
  }
  return fmt::format("<tr><th scope=\"row\">{}</th>{}</tr>", name, cells);
}

std::string bank_table(const BankMap& map) {
  std::vector<std::vector<std::int64_t>> rows = map.conflicts;
  const bool is_summed = rows.size() * rows.front().size() > kMostCells;
  if (is_summed) {
    for (std::size_t c = 1; c < rows.size(); ++c)
      for (std::size_t b = 0; b < rows[c].size() && b < rows[0].size(); ++b)
        rows[0][b] += rows[c][b];
    rows.resize(1);
  }
  std::int64_t largest = 1;
  for (const auto& row : rows)
    for (const std::int64_t conflicts : row) largest = std::max(largest, conflicts);
  std::string head, body;
  for (std::size_t b = 0; b < rows.front().size(); ++b)
    head += fmt::format("<th scope=\"col\">{}</th>", b);
  for (std::size_t c = 0; c < rows.size(); ++c)
    body += map_row(is_summed ? "all channels" : fmt::format("channel {}", c), rows[c], largest,
                    map.total);
  return fmt::format(
      "<div class=\"scroll banks\" tabindex=\"0\" role=\"region\" aria-label=\"Row conflicts per "
      "channel and bank\"><table><caption>Row conflicts per channel and bank, % of {}</caption>"
      "<thead><tr><td></td>{}</tr></thead><tbody>{}</tbody></table></div>",
      count_figure(static_cast<double>(map.total)).text(), head, body);
}

struct Outcome {
  std::int64_t columns = 0, misses = 0, conflicts = 0;
};

std::string outcome_table(const ledger::RunRecord& run) {
  PerClass<Outcome> outcomes{};
  for (const ledger::StepRecord& record : run.records)
    for (const base::ChannelCounters& channel : record.channels)
      for (std::size_t i = 0; i < channel.origins.size(); ++i) {
        const ledger::OriginRow& origin = run.origins[record.first_origin + i];
        if (origin.tensor >= run.tensors.size()) continue;
        Outcome& outcome = outcomes[class_slot(run.tensors[origin.tensor].tensor_class)];
        const base::OriginCounters& counters = channel.origins[i];
        outcome.columns += (counters.reads + counters.writes) * record.weight;
        outcome.misses += counters.misses * record.weight;
        outcome.conflicts += counters.conflicts * record.weight;
      }
  double longest = 0;
  for (const Outcome& o : outcomes)
    if (o.columns > 0)
      longest = std::max(
          longest, static_cast<double>(o.misses + o.conflicts) / static_cast<double>(o.columns));
  std::string rows;
  for (std::size_t slot = 0; slot < kClasses; ++slot) {
    const Outcome& o = outcomes[slot];
    if (o.columns <= 0) continue;
    const auto columns = static_cast<double>(o.columns);
    const double lost = static_cast<double>(o.misses + o.conflicts) / columns;
    rows += fmt::format(
        "<tr><th scope=\"row\"><i class=\"swatch k-{}\"></i>{}</th><td>{}</td><td>{}</td><td "
        "class=\"stack\"><div class=\"bar small\" aria-hidden=\"true\" style=\"width:{:.4g}%\"><i "
        "class=\"c-row-conflict\" style=\"flex-grow:{}\"></i><i class=\"c-row-miss\" "
        "style=\"flex-grow:{}\"></i></div></td></tr>",
        css_token(kClassTokens[slot]), class_name(slot),
        share_figure(static_cast<double>(o.conflicts), columns).text(),
        share_figure(static_cast<double>(o.misses), columns).text(),
        longest > 0 ? lost / longest * 100 : 0, o.conflicts, o.misses);
  }
  return "<div><table class=\"outcomes\"><caption>Bursts that did not find their row open</caption>"
         "<thead><tr><th scope=\"col\">Class</th><th scope=\"col\">Conflict</th><th "
         "scope=\"col\">Miss</th><th scope=\"col\" class=\"stack\">Of all its bursts</th></tr>"
         "</thead><tbody>" +
         rows + "</tbody></table></div>";
}

}  // namespace

std::string banks_part(const Model& model) {
  const BankMap map = map_banks(*model.run);
  if (map.total <= 0) return "";
  const auto banks = static_cast<std::int64_t>(map.conflicts.front().size());
  const std::string headline =
      words::bank_spread(map.busy_banks, banks, map.busy_share).value_or("Row conflicts by bank.");
  return fmt::format(
      "<section id=\"banks\" class=\"part\"><p class=\"eyebrow\">Banks</p><h2>{}</h2>{}{}<div "
      "class=\"tools\" data-table=\"banks\"></div></section>",
      headline, bank_table(map), model.run->ops.empty() ? "" : outcome_table(*model.run));
}

}  // namespace diffram::report

// Part 3 of the page: the victim × culprit table of row-conflict time.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/number_format.h"
#include "report/page_markup.h"
#include "report/words.h"

namespace diffram::report {
namespace {

constexpr int kShades = 7;
constexpr std::size_t kPairsListed = 8;
constexpr double kPrintedShare = 0.01;  // smaller cells carry no figure

std::string swatch(const std::string& tensor_class) {
  if (tensor_class.empty()) return "<i class=\"swatch k-none\"></i>";
  return fmt::format("<i class=\"swatch k-{}\" title=\"{}\"></i>", css_token(tensor_class),
                     class_name(class_slot(tensor_class)));
}

/// Square-root scale: a third of the colours would else be spent on the largest cell alone.
int shade(std::int64_t cycles, std::int64_t largest) {
  if (cycles <= 0) return 0;
  const double root = std::sqrt(static_cast<double>(cycles) / static_cast<double>(largest));
  return std::clamp(static_cast<int>(std::ceil(root * (kShades - 1))), 1, kShades - 1);
}

std::string percent_number(std::int64_t part, std::int64_t whole) {
  const double share = static_cast<double>(part) / static_cast<double>(whole);
  return share < kPrintedShare ? "" : share_figure(share).number;
}

std::string matrix(const Model& model) {
  const Evictions& evictions = model.evictions;
  const std::size_t n = evictions.operands.size();
  std::int64_t largest = 1;
  for (const auto& row : evictions.cycles)
    for (const std::int64_t cycles : row) largest = std::max(largest, cycles);
  // The pair that the headline names is chosen first, not "all other".
  const auto place = [&](const std::string& operand) {
    const auto found = std::find(evictions.operands.begin(), evictions.operands.end(), operand);
    return static_cast<std::size_t>(found - evictions.operands.begin());
  };
  const std::size_t best_row = place(evictions.pairs.front().victim);
  const std::size_t best_column = place(evictions.pairs.front().culprit);
  std::string head, rows;
  for (std::size_t c = 0; c < n; ++c)
    head += fmt::format("<th scope=\"col\"><span>{}</span></th>", escaped(evictions.operands[c]));
  std::int64_t largest_sum = 1;
  std::vector<std::int64_t> sums(n, 0);
  for (std::size_t v = 0; v < n; ++v) {
    for (const std::int64_t cycles : evictions.cycles[v]) sums[v] += cycles;
    largest_sum = std::max(largest_sum, sums[v]);
  }
  for (std::size_t v = 0; v < n; ++v) {
    std::string cells;
    for (std::size_t c = 0; c < n; ++c) {
      const std::int64_t cycles = evictions.cycles[v][c];
      const bool is_best = v == best_row && c == best_column;
      cells += fmt::format(
          "<td class=\"s{}{}\" data-v=\"{}\" data-c=\"{}\" tabindex=\"{}\"{}>{}</td>",
          shade(cycles, largest), v == c ? " self" : "", v, c, is_best ? 0 : -1,
          is_best ? " aria-selected=\"true\"" : "", percent_number(cycles, evictions.total));
    }
    rows += fmt::format(
        "<tr><th scope=\"row\">{} {}</th>{}<td class=\"sum\"><i "
        "style=\"width:{:.0f}px\"></i>{}</td></tr>",
        escaped(evictions.operands[v]), swatch(evictions.classes[v]), cells,
        48.0 * static_cast<double>(sums[v]) / static_cast<double>(largest_sum),
        seconds_figure(model.channel_seconds(sums[v])).text());
  }
  return fmt::format(
      "<div class=\"scroll matrix\" tabindex=\"0\" role=\"region\" aria-label=\"Who evicts whom, "
      "in % of row-conflict time\"><table role=\"grid\" id=\"matrix\" "
      "aria-label=\"Who evicts whom\"><thead><tr><td class=\"corner\">Who caused it →<br>Who "
      "waited ↓</td>{}<th "
      "scope=\"col\" class=\"sum\"><span class=\"hidden\">Sum</span></th></tr></thead>"
      "<tbody>{}</tbody></table><p class=\"scale\">0 <i class=\"s0\"></i><i class=\"s1\"></i><i "
      "class=\"s2\"></i><i class=\"s3\"></i><i class=\"s4\"></i><i class=\"s5\"></i><i "
      "class=\"s6\"></i> {} of conflict time. Corner: evicts itself.</p></div>",
      head, rows,
      share_figure(static_cast<double>(largest), static_cast<double>(evictions.total)).text());
}

std::string pair_list(const Model& model) {
  std::string items;
  const auto largest = static_cast<double>(model.evictions.pairs.front().cycles);
  for (std::size_t i = 0; i < model.evictions.pairs.size() && i < kPairsListed; ++i) {
    const Eviction& pair = model.evictions.pairs[i];
    items += fmt::format(
        "<li><p>{} <b>{}</b><span>{}</span></p><p>evicts {} {}<span>{}</span></p><i "
        "style=\"width:{:.4g}%\"></i></li>",
        swatch(pair.culprit_class), escaped(pair.culprit),
        seconds_figure(model.channel_seconds(pair.cycles)).text(), swatch(pair.victim_class),
        escaped(pair.victim),
        share_figure(static_cast<double>(pair.cycles), static_cast<double>(model.evictions.total))
            .text(),
        static_cast<double>(pair.cycles) / largest * 100);
  }
  return "<ol class=\"pairs\">" + items + "</ol>";
}

}  // namespace

std::string evict_part(const Model& model) {
  if (model.evictions.pairs.empty() || model.run->ops.empty()) return "";
  const Eviction& pair = model.evictions.pairs.front();
  const std::string share =
      share_figure(static_cast<double>(pair.cycles), static_cast<double>(model.evictions.total))
          .text();
  const std::string headline =
      pair.culprit == pair.victim
          ? fmt::format("{} of the row-conflict time is `{}` closing its own rows.", share,
                        pair.victim)
          : fmt::format(
                "One pair causes {} of all row-conflict time: `{}` closes the rows that `{}` still "
                "needs.",
                share, pair.culprit, pair.victim);
  return fmt::format(
      "<section id=\"evict\" class=\"part\"><p class=\"eyebrow\">Who evicts whom</p><h2>{}</h2><p "
      "class=\"lede\">Read a row as: this tensor waited. Read a column as: because of this one. "
      "Cells are percent of the time lost to row conflicts; they sum to {}.</p><div "
      "class=\"pair-view\">{}<div id=\"pair\" class=\"panel\"></div></div>{}<div class=\"tools\" "
      "data-table=\"evict\"></div></section>",
      prose(headline), seconds_figure(model.channel_seconds(model.evictions.total)).text(),
      matrix(model), pair_list(model));
}

}  // namespace diffram::report

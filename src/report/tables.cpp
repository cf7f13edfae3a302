#include "report/tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "report/number_format.h"
#include "report/terminal_text.h"

namespace diffram::report {
namespace {

constexpr double kThousandths = 1000;

Figure figure_of(const attrib::Table& table, double value) {
  if (table.unit == "s") return seconds_figure(value);
  if (table.unit == "B") return bytes_figure(value);
  if (table.unit == "J") return energy_figure(value);
  return {grouped(static_cast<std::int64_t>(value)), ""};
}

/// The values as printed; of heat the digits shown add up to the total's.
std::vector<std::string> figures_of(const attrib::Table& table) {
  std::vector<std::string> figures;
  figures.reserve(table.rows.size() + 1);
  if (table.unit != "K") {
    for (const attrib::Row& row : table.rows) figures.push_back(figure_of(table, row.value).text());
    figures.push_back(figure_of(table, table.total).text());
    return figures;
  }
  std::vector<double> values;
  values.reserve(table.rows.size());
  for (const attrib::Row& row : table.rows) values.push_back(kThousandths * row.value);
  const std::int64_t total = std::llround(kThousandths * table.total);
  for (const std::int64_t part : rounded_to_sum(values, total))
    figures.push_back(Figure{thousandths(part), "K"}.text());
  figures.push_back(Figure{thousandths(total), "K"}.text());
  return figures;
}

/// Integers stay integers: a total of 2^53 cycles and more would lose digits as a double.
nlohmann::ordered_json number(const attrib::Table& table, double value, std::int64_t exact) {
  if (table.unit == "cycles" || table.unit == "B" || table.unit == "1") return exact;
  return value;
}

std::string quoted(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string result = "\"";
  for (const char c : text) {
    result += c;
    if (c == '"') result += c;
  }
  return result + "\"";
}

}  // namespace

std::string table_text(const attrib::Table& table, bool is_utf8) {
  const TerminalText text({kWidest, is_utf8, false, ""});
  std::vector<std::vector<std::string>> cells;
  std::vector<std::string> head = table.axes;
  head.push_back(table.metric + (table.unit == "cycles" ? ", cycles" : ""));
  head.emplace_back("share");
  cells.push_back(head);
  const std::vector<std::string> figures = figures_of(table);
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    const attrib::Row& row = table.rows[i];
    std::vector<std::string> line = row.keys;
    line.push_back(figures[i]);
    line.push_back(share_figure(row.share).text());
    cells.push_back(line);
  }
  std::vector<std::string> total(table.axes.size());
  if (!total.empty()) total.front() = "total";
  total.push_back(figures.back());
  total.push_back(share_figure(table.total > 0 ? 1.0 : 0.0).text());
  cells.push_back(total);

  std::vector<std::size_t> widths(head.size(), 0);
  for (auto& line : cells)
    for (std::size_t i = 0; i < line.size(); ++i) {
      line[i] = text.spelled(line[i]);
      const auto columns =
          static_cast<std::size_t>(std::count_if(line[i].begin(), line[i].end(), [](char c) {
            return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
          }));
      widths[i] = std::max(widths[i], columns);
    }
  std::string out = table.subject.empty() ? "" : text.spelled(table.subject) + "\n";
  for (const auto& line : cells) {
    std::string printed;
    for (std::size_t i = 0; i < line.size(); ++i) {
      const auto columns = static_cast<int>(widths[i]);
      printed += i > 0 ? "  " : "";
      printed += i < table.axes.size() ? text.left(line[i], columns) : text.right(line[i], columns);
    }
    while (!printed.empty() && printed.back() == ' ') printed.pop_back();
    out += printed + "\n";
  }
  return out;
}

std::string table_json(const attrib::Table& table) {
  nlohmann::ordered_json json;
  json["axes"] = table.axes;
  json["metric"] = table.metric;
  json["unit"] = table.unit;
  if (!table.subject.empty()) json["subject"] = table.subject;
  json["total"] = number(table, table.total, table.exact_total);
  json["rows"] = nlohmann::ordered_json::array();
  for (const attrib::Row& row : table.rows) {
    nlohmann::ordered_json line;
    for (std::size_t i = 0; i < table.axes.size(); ++i) line[table.axes[i]] = row.keys[i];
    line["value"] = number(table, row.value, row.exact);
    line["share"] = row.share;
    json["rows"].push_back(std::move(line));
  }
  return json.dump();
}

std::string table_csv(const attrib::Table& table) {
  std::string out;
  for (const std::string& axis : table.axes) out += quoted(axis) + ",";
  out += table.metric + "_" + (table.unit == "1" ? "count" : table.unit) + ",share\n";
  for (const attrib::Row& row : table.rows) {
    for (const std::string& key : row.keys) out += quoted(key) + ",";
    out += number(table, row.value, row.exact).dump() + fmt::format(",{:.17g}\n", row.share);
  }
  return out;
}

}  // namespace diffram::report

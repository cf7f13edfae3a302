#pragma once
// Columns of integers in few bytes: each column as differences, zigzag, 7 bits a byte, the whole
// compressed by zstd with its checksum. Counters are mostly zeros and slowly growing ids; as SQL
// rows they take about 20 bytes an entry, which a run with 80 HBM channels cannot afford
// (product.md: at most 200 MB a run).

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace diffram::ledger {

using Column = std::vector<std::int64_t>;

/// Bytes of equally long columns.
std::string pack(const std::vector<Column>& columns);

/// The columns again. False: `blob` is damaged or does not hold `columns.size()` columns.
bool unpack(std::string_view blob, std::vector<Column>& columns);

/// The members of a struct of integers that make up its columns, in the order of the file.
template <class Row, std::size_t N>
using Members = std::array<std::int64_t Row::*, N>;

template <class Row, std::size_t N>
std::string pack_rows(std::span<const Row> rows, const Members<Row, N>& members) {
  static_assert(sizeof(Row) == N * sizeof(std::int64_t), "a member has no column");
  std::vector<Column> columns(N, Column(rows.size()));
  for (std::size_t m = 0; m < N; ++m)
    for (std::size_t i = 0; i < rows.size(); ++i) columns[m][i] = rows[i].*members[m];
  return pack(columns);
}

template <class Row, std::size_t N>
bool unpack_rows(std::string_view blob, const Members<Row, N>& members, std::vector<Row>& rows) {
  std::vector<Column> columns(N);
  if (!unpack(blob, columns)) return false;
  rows.assign(columns.front().size(), Row{});
  for (std::size_t m = 0; m < N; ++m)
    for (std::size_t i = 0; i < rows.size(); ++i) rows[i].*members[m] = columns[m][i];
  return true;
}

/// One struct instead of many.
template <class Row, std::size_t N>
bool unpack_row(std::string_view blob, const Members<Row, N>& members, Row& row) {
  std::vector<Row> rows;
  if (!unpack_rows(blob, members, rows) || rows.size() != 1) return false;
  row = rows.front();
  return true;
}

}  // namespace diffram::ledger

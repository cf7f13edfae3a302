// Records, their channels and the memory-use curve: packed columns.

#include <limits>
#include <string_view>
#include <utility>

#include "ledger/counter_columns.h"
#include "ledger/run_tables.h"
#include "ledger/sql_rows.h"

namespace diffram::ledger {
namespace {

Blob bill_blob(const base::ChannelCounters& channel) {
  std::vector<Column> columns(4);
  for (Column& column : columns) column.reserve(channel.bill.size());
  for (const auto& [key, cycles] : channel.bill) {
    columns[0].push_back(key.victim.value);
    columns[1].push_back(key.culprit.value);
    columns[2].push_back(static_cast<std::int64_t>(key.cause));
    columns[3].push_back(cycles);
  }
  return {pack(columns)};
}

bool unpack_bill(std::string_view blob, base::ChannelCounters& channel) {
  constexpr std::int64_t kLargestId = std::numeric_limits<std::uint32_t>::max();
  std::vector<Column> columns(4);
  if (!unpack(blob, columns)) return false;
  for (std::size_t i = 0; i < columns[0].size(); ++i) {
    const std::int64_t victim = columns[0][i], culprit = columns[1][i], cause = columns[2][i];
    if (victim < 0 || victim > kLargestId || culprit < 0 || culprit > kLargestId || cause < 0 ||
        cause >= static_cast<std::int64_t>(base::kCauseCount))
      return false;
    channel.bill.emplace_hint(channel.bill.end(),
                              base::BillKey{base::OriginId(static_cast<std::uint32_t>(victim)),
                                            base::OriginId(static_cast<std::uint32_t>(culprit)),
                                            static_cast<base::Cause>(cause)},
                              columns[3][i]);
  }
  return true;
}

Blob latency_blob(const base::ChannelCounters& channel) {
  std::vector<Column> columns(2);
  for (const auto& [cycles, reads] : channel.read_latency) {
    columns[0].push_back(cycles);
    columns[1].push_back(reads);
  }
  return {pack(columns)};
}

bool unpack_latency(std::string_view blob, base::ChannelCounters& channel) {
  std::vector<Column> columns(2);
  if (!unpack(blob, columns)) return false;
  for (std::size_t i = 0; i < columns[0].size(); ++i)
    channel.read_latency.emplace_hint(channel.read_latency.end(), columns[0][i], columns[1][i]);
  return true;
}

template <class Row, std::size_t N>
Blob rows_blob(const std::vector<Row>& rows, const Members<Row, N>& members) {
  return {pack_rows(std::span<const Row>(rows), members)};
}

template <class Row, std::size_t N>
Blob row_blob(const Row& row, const Members<Row, N>& members) {
  return {pack_rows(std::span<const Row>(&row, 1), members)};
}

}  // namespace

void insert_records(SQLite::Database& database, const RunRecord& run) {
  Insert record(database, "record", 10);
  Insert channel(database, "channel", 12);
  std::int64_t channel_row = 0;
  for (std::size_t r = 0; r < run.records.size(); ++r) {
    const StepRecord& s = run.records[r];
    record.row(r, s.step, s.occurrence, s.weight, s.cycles, s.first_op, s.first_origin,
               s.memory_only_cycles, rows_blob(s.op_times, kOpTimeColumns),
               rows_blob(s.flow, kFlowColumns));
    for (std::size_t c = 0; c < s.channels.size(); ++c) {
      const base::ChannelCounters& counters = s.channels[c];
      channel.row(channel_row++, r, c, counters.cycles, rows_blob(counters.origins, kOriginColumns),
                  row_blob(counters.unnamed, kOriginColumns),
                  rows_blob(counters.banks, kBankColumns), rows_blob(counters.ranks, kRankColumns),
                  row_blob(counters.shared, kSharedColumns), bill_blob(counters),
                  latency_blob(counters), Blob{pack({counters.part_refreshes})});
    }
  }
}

void select_records(SQLite::Database& database, RunRecord& run) {
  for (Select row(database, "record"); row.next();) {
    StepRecord& s = run.records.emplace_back();
    s.step = row.index(1);
    s.occurrence = row.integer(2);
    s.weight = row.integer(3);
    s.cycles = row.integer(4);
    s.first_op = row.index(5);
    s.first_origin = row.index(6);
    s.memory_only_cycles = row.integer(7);
    row.require(unpack_rows(row.blob(8), kOpTimeColumns, s.op_times));
    row.require(unpack_rows(row.blob(9), kFlowColumns, s.flow));
  }
  for (Select row(database, "channel"); row.next();) {
    const std::uint32_t record = row.index(1);
    row.require(record < run.records.size());
    auto& channels = run.records[record].channels;
    row.require(row.index(2) == channels.size());
    base::ChannelCounters& counters = channels.emplace_back();
    counters.cycles = row.integer(3);
    row.require(unpack_rows(row.blob(4), kOriginColumns, counters.origins));
    row.require(unpack_row(row.blob(5), kOriginColumns, counters.unnamed));
    row.require(unpack_rows(row.blob(6), kBankColumns, counters.banks));
    row.require(unpack_rows(row.blob(7), kRankColumns, counters.ranks));
    row.require(unpack_row(row.blob(8), kSharedColumns, counters.shared));
    row.require(unpack_bill(row.blob(9), counters));
    row.require(unpack_latency(row.blob(10), counters));
    std::vector<Column> part_refreshes(1);
    row.require(unpack(row.blob(11), part_refreshes));
    counters.part_refreshes = std::move(part_refreshes.front());
    row.require(counters.part_refreshes.empty() ||
                counters.part_refreshes.size() == counters.banks.size());
  }
}

// Moments = (op, number of entries), bytes = the entries in a row

void insert_live(SQLite::Database& database, const RunRecord& run) {
  std::vector<Column> moments(2), bytes(1);
  for (const LivePoint& point : run.live) {
    moments[0].push_back(point.op);
    moments[1].push_back(static_cast<std::int64_t>(point.by_class.size()));
    bytes[0].insert(bytes[0].end(), point.by_class.begin(), point.by_class.end());
  }
  Insert(database, "live", 3).row(0, Blob{pack(moments)}, Blob{pack(bytes)});
}

void select_live(SQLite::Database& database, RunRecord& run) {
  Select row(database, "live");
  row.require(row.next());
  std::vector<Column> moments(2), bytes(1);
  row.require(unpack(row.blob(1), moments) && unpack(row.blob(2), bytes));
  std::size_t used = 0;
  for (std::size_t i = 0; i < moments[0].size(); ++i) {
    const std::int64_t op = moments[0][i], entries = moments[1][i];
    row.require(op >= 0 && op <= std::numeric_limits<std::uint32_t>::max() && entries >= 0 &&
                static_cast<std::size_t>(entries) <= bytes[0].size() - used);
    LivePoint& point = run.live.emplace_back();
    point.op = static_cast<std::uint32_t>(op);
    const auto first = bytes[0].begin() + static_cast<std::ptrdiff_t>(used);
    point.by_class.assign(first, first + entries);
    used += static_cast<std::size_t>(entries);
  }
}

}  // namespace diffram::ledger

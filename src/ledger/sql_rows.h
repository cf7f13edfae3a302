#pragma once
// Rows of a table, in and out, with the types the run file uses.

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Statement.h>

#include <concepts>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

namespace diffram::ledger {

/// A value that no writer of this version can have written.
struct Damaged : std::runtime_error {
  explicit Damaged(const std::string& table)
      : std::runtime_error("table \"" + table + "\" holds a value that cannot be right") {}
};

struct Blob {
  std::string bytes;
};

class Insert {
 public:
  Insert(SQLite::Database& database, const std::string& table, int columns)
      : statement_(database, text(table, columns)) {}

  template <class... Values>
  void row(const Values&... values) {
    int index = 0;
    (bind(++index, values), ...);
    statement_.exec();
    statement_.reset();
  }

 private:
  static std::string text(const std::string& table, int columns) {
    std::string sql = "INSERT INTO " + table + " VALUES(?";
    for (int i = 1; i < columns; ++i) sql += ",?";
    return sql + ")";
  }
  void bind(int i, const std::string& value) { statement_.bind(i, value); }
  void bind(int i, const char* value) { statement_.bind(i, value); }
  void bind(int i, double value) { statement_.bind(i, value); }
  void bind(int i, const Blob& blob) {
    statement_.bind(i, blob.bytes.data(), static_cast<int>(blob.bytes.size()));
  }
  template <std::integral Number>
  void bind(int i, Number value) {
    statement_.bind(i, static_cast<std::int64_t>(value));
  }

  SQLite::Statement statement_;
};

/// Walks the rows of a table by ascending id, which must be 0, 1, 2 … without a gap.
class Select {
 public:
  Select(SQLite::Database& database, std::string table)
      : table_(std::move(table)), statement_(database, "SELECT * FROM " + table_ + " ORDER BY 1") {}

  bool next() {
    if (!statement_.executeStep()) return false;
    if (integer(0) != expected_id_++) throw Damaged(table_);
    return true;
  }
  std::int64_t integer(int column) { return statement_.getColumn(column).getInt64(); }
  std::uint32_t index(int column) {
    const std::int64_t value = integer(column);
    if (value < 0 || value > std::numeric_limits<std::uint32_t>::max()) throw Damaged(table_);
    return static_cast<std::uint32_t>(value);
  }
  bool flag(int column) { return integer(column) != 0; }
  double real(int column) { return statement_.getColumn(column).getDouble(); }
  std::string text(int column) { return statement_.getColumn(column).getString(); }
  std::string_view blob(int column) {
    const SQLite::Column c = statement_.getColumn(column);
    return {static_cast<const char*>(c.getBlob()), static_cast<std::size_t>(c.getBytes())};
  }
  void require(bool is_sound) const {
    if (!is_sound) throw Damaged(table_);
  }

 private:
  std::string table_;
  SQLite::Statement statement_;
  std::int64_t expected_id_ = 0;
};

}  // namespace diffram::ledger

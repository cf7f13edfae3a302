#pragma once
// Reading a spec file: a section knows its keys, so that what nobody asked for is reported as
// unknown; a value carries its source; errors are collected with file and line. Internal to spec.

#include <toml++/toml.h>

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "base/result.h"

namespace diffram::spec {

/// What the reading of one file gathers.
struct Reading {
  std::string file;
  std::map<std::string, std::string> sources;  ///< [sources]: short name → document
  std::set<std::string> overridden;            ///< dotted fields that `--set` changed
  std::map<std::string, int> lines;            ///< dotted field → line, of every value read
  std::set<std::string> broken_laws;           ///< that the file breaks knowingly
  base::Errors errors;
  std::vector<base::Assumption> provenance;

  /// Line 0 = the line where the field was read. The place of a field that `--set` changed is the
  /// command line.
  void refuse(std::string code, std::string field, int line, std::string message,
              std::string expected = {});
};

enum class Need { required, optional };

/// A number with the unit it is stated in.
struct Quantity {
  double value = 0;
  bool is_whole = false;
  std::string unit;  ///< empty = none stated
  std::int64_t minimum_cycles = 0;
  int line = 0;
};

class Section {
 public:
  /// `default_source` is written into the provenance of values that state none; empty = the
  /// section's values are names and policy, not facts, and get no provenance.
  Section(const toml::table* table, std::string path, Reading& reading,
          std::string default_source = "unverified");

  bool present() const { return table_ != nullptr; }
  bool has(const std::string& key) const;
  int line_of(const std::string& key) const;
  std::string path_of(const std::string& key) const;
  std::vector<std::string> keys() const;

  std::optional<std::int64_t> whole(const std::string& key, std::int64_t least, std::int64_t most,
                                    Need need = Need::required);
  std::optional<double> real(const std::string& key, double least, double most,
                             Need need = Need::required);
  std::optional<Quantity> quantity(const std::string& key, Need need = Need::required);
  std::optional<std::string> text(const std::string& key, Need need = Need::required);
  std::optional<bool> flag(const std::string& key, Need need = Need::required);
  std::vector<std::string> texts(const std::string& key, Need need = Need::required);
  std::vector<std::int64_t> wholes(const std::string& key, std::int64_t least, std::int64_t most);

  Section section(const std::string& key, Need need = Need::required,
                  std::string default_source = "unverified");
  std::vector<Section> sections(const std::string& key);

  /// Keys that another section object of the same table reads.
  void note_known(const std::vector<std::string>& keys) {
    known_.insert(known_.end(), keys.begin(), keys.end());
  }
  /// Every key that no call above asked for is an error with the nearest known key.
  void refuse_unknown_keys();

 private:
  const toml::node* find(const std::string& key, Need need);
  const toml::node* stated(const std::string& key, Need need, Quantity& about);
  void wrong_kind(const std::string& key, const toml::node& node, const std::string& expected);

  const toml::table* table_;
  std::string path_;
  Reading* reading_;
  std::string default_source_;
  std::vector<std::string> known_;
};

/// Parse `text`, or report the syntax error.
std::optional<toml::table> parse_toml(const std::string& text, Reading& reading);

/// Write `--set` values into the tree. A value that states a source keeps its unit, or takes the
/// one of the text ("13.75 ns"), and gets the source "--set".
void apply_overrides(toml::table& root, const std::string& prefix,
                     const std::vector<std::pair<std::string, std::string>>& overrides,
                     Reading& reading);

/// [sources], which every spec file may have.
void read_sources(Section& root, Reading& reading);

}  // namespace diffram::spec

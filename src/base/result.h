#pragma once
// Result<T>: what every boundary with user input returns. Errors are collected, so that a user sees
// all of them at once; each says what, where (file, line, field), what was expected.

#include <string>
#include <tl/expected.hpp>
#include <utility>
#include <vector>

namespace diffram::base {

struct Error {
  std::string code;      ///< stable word for machines: "unknown_key", "truncated", "does_not_fit" …
  std::string message;   ///< one sentence for people, without the place
  std::string file;      ///< empty where no file is concerned
  int line = 0;          ///< 1-based, 0 = none
  std::string field;     ///< dotted path of the key, empty = none
  std::string expected;  ///< what would have been right, or the nearest valid choice; may be empty

  /// "file:line: field: message (expected …)".
  std::string text() const;
};

using Errors = std::vector<Error>;

template <class T>
using Result = tl::expected<T, Errors>;

inline tl::unexpected<Errors> failure(Error error) {
  return tl::unexpected<Errors>(Errors{std::move(error)});
}
inline tl::unexpected<Errors> failure(Errors errors) {
  return tl::unexpected<Errors>(std::move(errors));
}

/// The candidate nearest to `word` by edit distance; empty if none is near.
std::string nearest(const std::string& word, const std::vector<std::string>& candidates);

}  // namespace diffram::base

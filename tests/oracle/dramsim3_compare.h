#pragma once
// Where a run differs from a recorded one, or two models from each other: an empty text if nowhere.

#include <openssl/evp.h>

#include <algorithm>
#include <bit>
#include <sstream>
#include <string>

#include "oracle/dramsim3_cases.h"

namespace diffram::oracle::dramsim3 {

inline std::string sha256(const std::string& text) {
  unsigned char digest[EVP_MAX_MD_SIZE];
  unsigned int bytes = 0;
  if (EVP_Digest(text.data(), text.size(), digest, &bytes, EVP_sha256(), nullptr) != 1)
    throw std::runtime_error("SHA-256 failed");
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string out;
  for (unsigned int i = 0; i < bytes; ++i) {
    out += kDigits[digest[i] >> 4];
    out += kDigits[digest[i] & 15];
  }
  return out;
}

inline std::string shown(const std::variant<std::uint64_t, double>& figure) {
  std::ostringstream out;
  out.precision(17);
  std::visit([&](auto value) { out << value; }, figure);
  return out.str();
}

inline bool same_bits(const std::variant<std::uint64_t, double>& a,
                      const std::variant<std::uint64_t, double>& b) {
  if (a.index() != b.index()) return false;
  if (const auto* real = std::get_if<double>(&a))
    return std::bit_cast<std::uint64_t>(*real) == std::bit_cast<std::uint64_t>(std::get<double>(b));
  return a == b;
}

/// Every figure of `expected` must be in `found`, to the last bit. `found` may have more.
inline std::string difference(const Figures& expected, const Figures& found) {
  std::string out;
  for (const auto& [name, value] : expected) {
    const auto theirs = found.find(name);
    if (theirs == found.end()) {
      out += "\n  " + name + " is missing";
    } else if (!same_bits(value, theirs->second)) {
      out += "\n  " + name + ": expected " + shown(value) + ", found " + shown(theirs->second);
    }
  }
  return out;
}

/// The first line in which two logs differ, with the lines before it.
inline std::string first_different_line(const std::string& expected, const std::string& found) {
  constexpr std::size_t kLinesBefore = 6;
  std::istringstream theirs(expected), ours(found);
  std::vector<std::string> before;
  for (;;) {
    std::string a, b;
    if (!std::getline(theirs, a)) a = "nothing";
    if (!std::getline(ours, b)) b = "nothing";
    if (a == b && a == "nothing") return {};
    if (a != b) {
      std::string out = "\n  command " + std::to_string(before.size()) + ": expected " + a +
                        ", found " + b + "; before it:";
      for (auto i = before.size() - std::min(before.size(), kLinesBefore); i < before.size(); ++i)
        out += "\n    " + before[i];
      return out;
    }
    before.push_back(std::move(a));
  }
}

inline std::string difference(const RecordedCase& recorded, const Outcome& found) {
  if (found.refused) return "refused: " + found.reason;
  if (found.aborted_at)
    return "aborted in cycle " + std::to_string(*found.aborted_at) + ": " + found.reason;
  if (found.channels.size() != recorded.channels.size())
    return "expected " + std::to_string(recorded.channels.size()) + " channels, found " +
           std::to_string(found.channels.size());
  std::string out;
  for (std::size_t i = 0; i < found.channels.size(); ++i) {
    const auto& expected = recorded.channels[i];
    const auto& log = found.channels[i].log;
    std::string here;
    const auto lines = static_cast<std::uint64_t>(std::count(log.begin(), log.end(), '\n'));
    if (lines != expected.commands)
      here += "\n  expected " + std::to_string(expected.commands) + " commands, found " +
              std::to_string(lines);
    if (sha256(log) != expected.sha256) {
      here += "\n  another command log";
      std::string head, start;
      for (const auto& line : expected.first) head += line + "\n";
      std::istringstream ours(log);
      std::string line;
      for (std::size_t k = 0; k < expected.first.size() && std::getline(ours, line); ++k)
        start += line + "\n";
      here += first_different_line(head, start);
    }
    here += difference(expected.figures, found.channels[i].figures);
    if (!here.empty()) out += "\n channel " + std::to_string(i) + ":" + here;
  }
  return out;
}

/// The lines of a log whose cycle is below `end`.
inline std::string before_cycle(const std::string& log, std::uint64_t end) {
  std::istringstream lines(log);
  std::string out, line;
  while (std::getline(lines, line) && std::stoull(line) < end) out += line + "\n";
  return out;
}

inline std::string end_of(const Outcome& outcome) {
  if (outcome.refused) return "refused (" + outcome.reason + ")";
  if (outcome.aborted_at)
    return "aborts in cycle " + std::to_string(*outcome.aborted_at) + " (" + outcome.reason + ")";
  return "runs to the last cycle";
}

/// Between two models. After an abort the reference has printed no statistics, and how far each
/// channel came in the last cycle is of no interest: the commands before it are compared.
inline std::string difference(const Outcome& expected, const Outcome& found) {
  if (expected.refused != found.refused || expected.aborted_at != found.aborted_at)
    return "expected: " + end_of(expected) + ", found: " + end_of(found);
  if (expected.channels.size() != found.channels.size())
    return "expected " + std::to_string(expected.channels.size()) + " channels, found " +
           std::to_string(found.channels.size());
  std::string out;
  for (std::size_t i = 0; i < found.channels.size(); ++i) {
    const auto& theirs = expected.channels[i];
    const auto& ours = found.channels[i];
    std::string here;
    if (expected.aborted_at) {
      here = first_different_line(before_cycle(theirs.log, *expected.aborted_at),
                                  before_cycle(ours.log, *expected.aborted_at));
    } else {
      if (theirs.log != ours.log) here = first_different_line(theirs.log, ours.log);
      here += difference(theirs.figures, ours.figures);
      for (const auto& [name, value] : ours.figures) {
        if (!theirs.figures.contains(name))
          here += "\n  " + name + ": " + shown(value) + ", not expected";
      }
    }
    if (!here.empty()) out += "\n channel " + std::to_string(i) + ":" + here;
  }
  return out;
}

}  // namespace diffram::oracle::dramsim3

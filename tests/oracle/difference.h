#pragma once
// Where two models of one controller part, and where a log breaks the rules.

#include <algorithm>
#include <string>

#include "check/protocol.h"
#include "oracle/model.h"

namespace diffram::oracle {

/// Empty if equal, else the first difference with the commands before it.
inline std::string difference(const Outcome& engine, const Outcome& naive) {
  for (std::size_t i = 0; i < std::max(engine.commands.size(), naive.commands.size()); ++i) {
    const auto at = [i](const Outcome& o) {
      return i < o.commands.size() ? text_of(meaningful(o.commands[i])) : std::string("nothing");
    };
    if (at(engine) == at(naive)) continue;
    std::string out = "command " + std::to_string(i) + ": engine " + at(engine) + ", naive " +
                      at(naive) + "\n  before:";
    for (std::size_t j = i < 6 ? 0 : i - 6; j < i; ++j)
      out += "\n    " + text_of(naive.commands[j]);
    return out;
  }
  for (const auto& [ticket, cycle] : naive.completions) {
    const auto found = engine.completions.find(ticket);
    const std::string theirs =
        found == engine.completions.end() ? "never" : std::to_string(found->second);
    if (theirs != std::to_string(cycle))
      return "request " + std::to_string(ticket) + " completes: engine " + theirs + ", naive " +
             std::to_string(cycle);
  }
  if (engine.completions.size() != naive.completions.size()) return "the engine completes too much";
  if (engine.end != naive.end)
    return "drain: engine " + std::to_string(engine.end) + ", naive " + std::to_string(naive.end);
  if (!(engine.rows == naive.rows)) return "row outcomes differ";
  return {};
}

/// The first breach, by its rule; empty: none.
inline std::string breach_of(const spec::MemorySpec& spec, const Outcome& outcome) {
  std::string found;
  check::ChannelProtocol protocol(spec, 0, [&](const check::Violation& v) {
    if (found.empty()) found = check::rules_of(spec)[v.rule].name + ": " + check::text_of(v.after);
  });
  for (const auto& c : outcome.commands) {
    const auto at = meaningful(c);
    protocol.command({at.cycle, at.command, at.rank, at.bank_group, at.bank, at.row, at.column});
  }
  protocol.finish();
  return found;
}

}  // namespace diffram::oracle

#pragma once
// What a model of DRAMsim3 takes and gives, so that the naive model and the engine stand side by
// side.

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "naive_dramsim3/world.h"

namespace diffram::oracle::dramsim3 {

/// By the names of DRAMsim3's JSON; a value of one rank is `name.rank`. Integers and reals are kept
/// apart because reals must be equal to the last bit, the sign of a zero included.
using Figures = std::map<std::string, std::variant<std::uint64_t, double>>;

struct ChannelOutcome {
  std::string log;  ///< canonical command log (data/dramsim3/README.md)
  Figures figures;
};

struct Outcome {
  std::vector<ChannelOutcome> channels;
  std::optional<std::uint64_t> aborted_at;  ///< cycle of the tick in which DRAMsim3 would end
  bool refused = false;                     ///< the configuration was not accepted
  std::string reason;                       ///< of an abort or a refusal
};

/// Configuration text, trace text, cycles. The end of the trace text is as in a file: with or
/// without a final newline matters.
using Model = std::function<Outcome(const std::string&, const std::string&, std::uint64_t)>;

inline Outcome run_naive(const std::string& ini, const std::string& trace, std::uint64_t cycles) {
  auto result = naive_dramsim3::run_trace(ini, trace, cycles);
  Outcome out{{}, result.aborted_at, result.refused, std::move(result.reason)};
  for (auto& channel : result.channels)
    out.channels.push_back({std::move(channel.log), std::move(channel.figures)});
  return out;
}

}  // namespace diffram::oracle::dramsim3

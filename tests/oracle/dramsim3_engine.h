#pragma once
// The engine's `compat` controller as a model of DRAMsim3, beside the naive one.

#include <string>

#include "ctrl/compat/stats_file.h"
#include "oracle/dramsim3_cases.h"
#include "session/dramsim3_log.h"
#include "session/token_feed.h"
#include "spec/dramsim3_config.h"

namespace diffram::oracle::dramsim3 {

inline Outcome run_engine(const std::string& ini, const std::string& trace, std::uint64_t cycles) {
  Outcome out;
  const auto config = spec::parse_dramsim3_config(ini, "case.ini");
  if (!config) {
    out.refused = true;
    out.reason = config.error().front().text();
    return out;
  }
  auto bytes = trace::open_memory(trace, "case.trace");
  if (!bytes) throw std::runtime_error(bytes.error().front().text());
  session::TokenFeed feed(trace::TokenReader(std::move(*bytes)));
  session::Dramsim3Log log(config->channels);
  sim::ClientOptions options;
  options.cycles = cycles;
  options.on_command = log.sink();
  const auto result = sim::run_dramsim3(*config, feed, options);
  if (feed.has_failed()) throw std::runtime_error(feed.errors().front().text());
  if (result.abort) {
    out.aborted_at = result.abort->cycle;
    out.reason = result.abort->reason;
    log.cut_after(result.abort->cycle);
  }
  const auto stats = nlohmann::json::parse(ctrl::compat::stats_file(*config, result.channels));
  for (std::uint32_t i = 0; i < config->channels; ++i)
    out.channels.push_back({log.lines(i), figures_of(stats.at(std::to_string(i)))});
  return out;
}

}  // namespace diffram::oracle::dramsim3

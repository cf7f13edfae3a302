// A trace on a DRAMsim3 configuration: the `compat` controller, equal to DRAMsim3 command for
// command. Its oddities are in docs/compat-quirks.md.

#include <fmt/format.h>

#include <chrono>

#include "base/whole_file.h"
#include "ctrl/compat/stats_file.h"
#include "session/dramsim3_findings.h"
#include "session/dramsim3_log.h"
#include "session/dramsim3_views.h"
#include "session/inputs.h"
#include "session/session.h"
#include "session/token_feed.h"

namespace diffram::session {

namespace {

using WallClock = std::chrono::steady_clock;

tl::unexpected<Failure> ended_as_dramsim3(const ctrl::compat::Abort& abort, std::uint64_t channel) {
  base::Error error;
  error.code = "dramsim3_aborts";
  error.message = fmt::format("DRAMsim3 ends itself in cycle {}, channel {}: {}", abort.cycle,
                              channel, abort.reason);
  error.field = "enable_self_refresh";
  error.expected = "enable_self_refresh = false, or a native controller (--memory)";
  return not_finished({error});
}

/// What the trace still holds; a broken stream gives nothing more.
std::uint64_t count_rest(TokenFeed& feed) {
  std::uint64_t rest = 0;
  sim::ClientRequest request;
  while (!feed.at_end() && !feed.is_broken() && !feed.has_failed())
    rest += feed.fetch(request) != sim::ClientFeed::Fetched::nothing;
  return rest;
}

}  // namespace

Outcome<Dramsim3Run> replay_dramsim3(const ReplayOptions& options) {
  const auto start = WallClock::now();
  auto config = spec::load_dramsim3_config(options.dramsim3_config);
  if (!config) return bad_input(config.error());
  auto bytes = trace::open_file(options.trace);
  if (!bytes) return bad_input(bytes.error());
  for (const auto& file : {options.commands_file, options.stats_file}) {
    if (file.empty()) continue;
    if (auto checked = base::check_replaceable(file); !checked)
      return not_finished(checked.error());
  }

  TokenFeed feed(trace::TokenReader(std::move(*bytes)));
  Dramsim3Log log(config->channels);
  sim::ClientOptions client;
  client.cycles = static_cast<std::uint64_t>(options.cycles > 0 ? options.cycles : kDramsim3Cycles);
  client.stop = options.stop;
  if (!options.commands_file.empty()) client.on_command = log.sink();
  if (options.progress) {
    client.progress = [&](std::uint64_t cycle) {
      options.progress(
          {"replaying", static_cast<double>(cycle) / static_cast<double>(client.cycles), 0});
    };
  }
  const auto result = sim::run_dramsim3(*config, feed, client);
  if (result.stopped) return tl::unexpected(interrupted(false));
  if (feed.has_failed()) return bad_input(feed.errors());
  if (result.abort) log.cut_after(result.abort->cycle);
  if (!options.commands_file.empty()) {
    if (auto written = base::write_whole_file(options.commands_file, log.text()); !written)
      return not_finished(written.error());
  }
  if (result.abort) return ended_as_dramsim3(*result.abort, result.aborted_channel);
  if (!options.stats_file.empty()) {
    const auto stats = ctrl::compat::stats_file(*config, result.channels);
    if (auto written = base::write_whole_file(options.stats_file, stats); !written)
      return not_finished(written.error());
  }

  Dramsim3Facts facts;
  facts.trace = file_name_of(options.trace);
  facts.config_file = file_name_of(options.dramsim3_config);
  facts.requests_sent = result.requests_sent;
  facts.diagnostics = config->diagnostics;
  const bool head_waits = result.requests_read + result.phantom_reads > result.requests_sent &&
                          !result.last_request_lost;
  const std::uint64_t rest = count_rest(feed);
  if (feed.has_failed()) return bad_input(feed.errors());
  facts.requests_in_trace = result.requests_read + rest;
  append(facts.diagnostics, dramsim3_findings(*config, result, feed, rest + head_waits));
  facts.wall_s = std::chrono::duration<double>(WallClock::now() - start).count();
  return Dramsim3Run{dramsim3_json(*config, result.channels, facts),
                     dramsim3_text(*config, result.channels, facts), facts.diagnostics};
}

}  // namespace diffram::session

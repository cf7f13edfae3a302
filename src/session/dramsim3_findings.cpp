#include "session/dramsim3_findings.h"

#include <fmt/format.h>

#include <utility>

namespace diffram::session {

namespace {

using base::Severity;
using ctrl::compat::Command;

/// A refresh that waits for the one before it is usual; more that wait pile up.
constexpr std::uint64_t kUsualRefreshBacklog = 2;

class Findings {
 public:
  Findings(const spec::Dramsim3Config& config, const sim::ClientResult& result)
      : config_(config), result_(result) {}

  void of_trace(const TokenFeed& feed, std::uint64_t unsent) {
    if (feed.broken_line() != 0) {
      add("stream_broken", Severity::warning,
          "A field of the trace is missing or no number: DRAMsim3 reads nothing after it",
          fmt::format("line {}", feed.broken_line()));
    }
    if (result_.phantom_reads > 0) {
      add("phantom_read", Severity::warning,
          feed.is_broken() && !feed.at_end()
              ? "The broken trace is not at its end: DRAMsim3 repeats its last address as reads"
              : "The trace ends with a newline: DRAMsim3 tries its last address once more, as a "
                "read",
          fmt::format("{} reads that no line asks for", result_.phantom_reads));
    }
    if (result_.last_request_lost) {
      add("last_request_lost", Severity::warning,
          "The trace has no final newline: DRAMsim3 tries its last request once, too early or at a "
          "full queue, and drops it",
          "1 request");
    }
    if (result_.is_blocked) {
      add("head_of_line_blocking", Severity::warning,
          "A request met a full queue and held the whole trace up to the last cycle",
          fmt::format("since cycle {}", result_.blocked_since));
    }
    if (unsent > 0) {
      add("trace_not_finished", Severity::warning,
          "The cycles ended before the trace; --cycles asks for more",
          fmt::format("{} requests were not sent", unsent));
    }
  }

  void of_queues() {
    std::uint64_t lost = 0, merged = 0, stuck = 0, buffered = 0, backlog = 0;
    for (const auto& channel : result_.channels) {
      lost += channel.lost_column_commands;
      merged += channel.reads_merged + channel.writes_merged;
    }
    for (const auto& left : result_.leftovers) {
      stuck += left.drain_is_stuck;
      if (left.nothing_else_waits) buffered += left.buffered_writes;
      backlog += left.refreshes > kUsualRefreshBacklog ? left.refreshes : 0;
    }
    if (stuck > 0) {
      add("drain_deadlock", Severity::warning,
          "A write drain is armed and cancelled in every cycle, because a read of the same address "
          "waits behind it: this channel does nothing any more",
          fmt::format("{} of {} channels", stuck, result_.leftovers.size()));
    }
    if (buffered > 0) {
      add("writes_never_sent", Severity::note,
          "Up to 8 writes stay in the write buffer for ever, though nothing else is to do",
          fmt::format("{} writes", buffered));
    }
    if (lost > 0) {
      add("column_command_lost", Severity::warning,
          "Column commands picked for the second command bus were thrown away; their requests, and "
          "later reads of these addresses, are never answered",
          fmt::format("{} commands", lost));
    }
    if (merged > 0) {
      add("requests_merged", Severity::note,
          "Requests to exactly the address of a pending one made no command of their own",
          fmt::format("{} requests", merged));
    }
    if (backlog > 0) {
      add("refresh_backlog", Severity::warning,
          "Refreshes fall due faster than they issue: a REFB keeps the other banks' REFB away for "
          "tREFI",
          fmt::format("{} wait at the end", backlog));
    }
  }

  void of_configuration() {
    if (config_.refresh == spec::Dramsim3Refresh::rank_simultaneous && config_.ranks > 1) {
      add("one_rank_refreshed", Severity::warning,
          "RANK_LEVEL_SIMULTANEOUS refreshes the first rank only",
          fmt::format("{} of {} ranks are never refreshed", config_.ranks - 1, config_.ranks));
    }
    if (config_.self_refresh) {
      add("self_refresh_once", Severity::note,
          "A rank enters self-refresh at most once, before its first request",
          fmt::format("{} entries", commands(Command::SREFE)));
    }
    if (commands(Command::REFB) > 0 && config_.power.IDD5PB < config_.power.IDD3N) {
      add("negative_refresh_energy", Severity::warning,
          "IDD5PB is below IDD3N: the energy of per-bank refresh is below 0 and lowers the total",
          fmt::format("{} mA, {} mA", config_.power.IDD5PB, config_.power.IDD3N));
    }
  }

  std::vector<base::Diagnostic> take() { return std::move(found_); }

 private:
  void add(const char* code, Severity severity, std::string message, std::string evidence) {
    found_.push_back({code, severity, std::move(message), std::move(evidence)});
  }
  std::uint64_t commands(Command command) const {
    std::uint64_t sum = 0;
    for (const auto& channel : result_.channels) sum += channel.of(command);
    return sum;
  }

  const spec::Dramsim3Config& config_;
  const sim::ClientResult& result_;
  std::vector<base::Diagnostic> found_;
};

}  // namespace

std::vector<base::Diagnostic> dramsim3_findings(const spec::Dramsim3Config& config,
                                                const sim::ClientResult& result,
                                                const TokenFeed& feed, std::uint64_t unsent) {
  Findings findings(config, result);
  findings.of_trace(feed, unsent);
  findings.of_queues();
  findings.of_configuration();
  return findings.take();
}

}  // namespace diffram::session

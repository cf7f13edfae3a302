#pragma once
// A random run of the engine with its bill, and what the slow derivation is given of it.

#include <algorithm>
#include <cstdint>
#include <map>
#include <vector>

#include "check/bill.h"
#include "oracle/random_run.h"

namespace diffram::check::testing {

struct BilledRun {
  spec::MemorySpec memory;
  BillInput input;
  std::vector<std::map<base::BillKey, std::int64_t>> bills;  ///< the engine's, by window
};

inline Command command_of(const ctrl::IssuedCommand& issued) {
  const auto c = oracle::meaningful(issued);
  return {c.cycle, c.command, c.rank, c.bank_group, c.bank, c.row, c.column};
}

enum class Origins { few, own, bursts };
inline constexpr std::int64_t kFewOrigins = 6;

/// Each burst of the requests as a request, so that a victim has no gap but its own.
inline std::vector<oracle::TimedRequest> in_bursts(const std::vector<oracle::TimedRequest>& runs,
                                                   std::uint32_t burst_bytes) {
  std::vector<oracle::TimedRequest> out;
  for (const auto& [request, arrival] : runs) {
    const std::uint64_t end = request.address + request.bytes;
    for (std::uint64_t from = request.address; from < end;) {
      const std::uint64_t to = std::min(end, (from / burst_bytes + 1) * burst_bytes);
      base::Request burst = request;
      burst.address = from;
      burst.bytes = static_cast<decltype(burst.bytes)>(to - from);
      out.push_back({burst, arrival});
      from = to;
    }
  }
  return out;
}

/// The run of oracle::random_run by the engine, in so many windows at most. `own`: each request has
/// an origin of its own; `bursts`: each burst has, so that the sums tell one gap from the other;
/// `few`: some share theirs, and some have none.
inline BilledRun billed_run(std::uint64_t seed, Origins origins, std::int64_t windows = 1) {
  auto run = oracle::random_run(seed);
  oracle::Dice dice(seed * 31 + 7);
  BilledRun out;
  out.memory = run.spec;
  out.input.channel = run.channel;
  ctrl::ChannelOptions options;
  if (origins == Origins::bursts)
    run.requests = in_bursts(run.requests, run.spec.organisation.burst_bytes());
  options.origins = origins == Origins::few ? kFewOrigins : run.requests.size();
  options.on_command = [&](const ctrl::IssuedCommand& c) {
    out.input.log.push_back(command_of(c));
  };
  const auto engine = ctrl::make_channel(run.spec, base::ChannelId(run.channel), options);
  std::uint64_t ticket = 0;
  for (auto& [request, arrival] : run.requests) {
    const auto few = dice.between(0, kFewOrigins);
    request.origin = base::OriginId(static_cast<std::uint32_t>(
        origins == Origins::few ? few : static_cast<std::int64_t>(ticket)));
    if (origins == Origins::few && few == kFewOrigins) request.origin = base::kNoOrigin;
    if (run.drive.advance_to_arrivals && arrival > engine->now().value) {
      engine->advance(base::Cycles(arrival));
      if (engine->idle()) {
        const IdleAccount account{arrival, base::Cause::idle_compute,
                                  base::OriginId(static_cast<std::uint32_t>(few % 2) %
                                                 static_cast<std::uint32_t>(options.origins))};
        engine->set_idle_account(account.cause, account.owner);
        out.input.idle.push_back(account);
      }
    }
    engine->submit(request, base::Cycles(arrival), ticket++);
    out.input.arrivals.push_back({request, arrival});
  }
  // Short windows, most of them while requests wait; the last one to the end.
  for (std::int64_t window = 1; window < windows; ++window) {
    engine->advance(base::Cycles(engine->now().value + dice.between(1, 150)));
    if (engine->idle()) break;
    out.input.edges.push_back(engine->now().value);
    out.bills.push_back(engine->take_counters().bill);
  }
  const std::int64_t end = engine->drain().value + run.drive.idle_after;
  engine->advance(base::Cycles(end));
  out.input.end = end;
  out.bills.push_back(engine->take_counters().bill);
  return out;
}

}  // namespace diffram::check::testing

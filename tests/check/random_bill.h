#pragma once
// A random run of the engine with its bill, and what the slow derivation is given of it.

#include <cstdint>
#include <cstdlib>
#include <map>
#include <vector>

#include "check/bill.h"
#include "oracle/random_run.h"

namespace diffram::check::testing {

inline std::uint64_t number_from(const char* variable, std::uint64_t otherwise) {
  const char* text = std::getenv(variable);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

struct BilledRun {
  spec::MemorySpec memory;
  BillInput input;
  std::map<base::BillKey, std::int64_t> bill;  ///< the engine's
};

inline Command command_of(const ctrl::IssuedCommand& issued) {
  const auto c = oracle::meaningful(issued);
  return {c.cycle, c.command, c.rank, c.bank_group, c.bank, c.row, c.column};
}

enum class Origins { few, own };
inline constexpr std::int64_t kFewOrigins = 6;

/// The run of oracle::random_run by the engine, in one window to its end. `own`: each request has
/// an origin of its own, so that the sums tell one gap from the other; `few`: some share theirs,
/// and some have none.
inline BilledRun billed_run(std::uint64_t seed, Origins origins) {
  auto run = oracle::random_run(seed);
  oracle::Dice dice(seed * 31 + 7);
  BilledRun out;
  out.memory = run.spec;
  out.input.channel = run.channel;
  ctrl::ChannelOptions options;
  options.origins = origins == Origins::own ? run.requests.size() : kFewOrigins;
  options.on_command = [&](const ctrl::IssuedCommand& c) {
    out.input.log.push_back(command_of(c));
  };
  const auto engine = ctrl::make_channel(run.spec, base::ChannelId(run.channel), options);
  std::uint64_t ticket = 0;
  for (auto& [request, arrival] : run.requests) {
    const auto few = dice.between(0, kFewOrigins);
    request.origin = base::OriginId(static_cast<std::uint32_t>(
        origins == Origins::own ? static_cast<std::int64_t>(ticket) : few));
    if (origins == Origins::few && few == kFewOrigins) request.origin = base::kNoOrigin;
    if (run.drive.advance_to_arrivals && arrival > engine->now().value) {
      engine->advance(base::Cycles(arrival));
    }
    engine->submit(request, base::Cycles(arrival), ticket++);
    out.input.arrivals.push_back({request, arrival});
  }
  const std::int64_t end = engine->drain().value + run.drive.idle_after;
  engine->advance(base::Cycles(end));
  out.input.end = end;
  out.bill = engine->take_counters().bill;
  return out;
}

}  // namespace diffram::check::testing

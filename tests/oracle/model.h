#pragma once
// One controller, two models: the engine behind ctrl/channel.h and the naive one, run on the same
// requests and put into the same form.

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "ctrl/channel.h"
#include "naive/naive_channel.h"
#include "spec/memory.h"

namespace diffram::oracle {

struct TimedRequest {
  base::Request request;
  std::int64_t arrival = 0;
};

struct Outcome {
  std::vector<ctrl::IssuedCommand> commands;
  std::map<std::uint64_t, std::int64_t> completions;  ///< by index of the request
  std::int64_t end = 0;                               ///< of the last data beat
  naive::Outcomes rows;
  std::int64_t longest_wait = 0;  ///< from acceptance to column command; of the naive model only
};

/// `advance_to_arrivals`: hand requests over when their time has come, not all at the start.
/// `idle_after`: cycles to go on after the last data beat, for refresh.
struct Drive {
  bool advance_to_arrivals = false;
  std::int64_t idle_after = 0;
  std::int64_t step = 0;  ///< > 0: a few steps of so many cycles before the drain
  bool attribution = true;
};
inline constexpr int kSteps = 12;

inline Outcome run_naive(const spec::MemorySpec& spec, std::uint32_t channel,
                         const std::vector<TimedRequest>& requests, const Drive& drive) {
  naive::Channel model(spec, channel);
  for (std::size_t i = 0; i < requests.size(); ++i) {
    if (drive.advance_to_arrivals) model.advance(requests[i].arrival);
    model.submit(requests[i].request, requests[i].arrival, i);
  }
  if (drive.step > 0) model.advance(drive.step * kSteps);
  Outcome out;
  out.end = model.drain();
  model.advance(out.end + drive.idle_after);
  for (const auto& c : model.commands()) {
    const auto& p = c.place;
    out.commands.push_back({c.cycle, c.command, p.rank, p.bank_group, p.bank, p.row, p.column});
  }
  out.completions = model.completions();
  out.rows = model.outcomes();
  out.longest_wait = model.longest_wait();
  return out;
}

inline Outcome run_engine(const spec::MemorySpec& spec, std::uint32_t channel,
                          const std::vector<TimedRequest>& requests, const Drive& drive) {
  Outcome out;
  ctrl::ChannelOptions options;
  options.attribution = drive.attribution;
  options.on_command = [&](const ctrl::IssuedCommand& c) { out.commands.push_back(c); };
  const auto model = ctrl::make_channel(spec, base::ChannelId(channel), options);
  for (std::size_t i = 0; i < requests.size(); ++i) {
    if (drive.advance_to_arrivals && requests[i].arrival > model->now().value)
      model->advance(base::Cycles(requests[i].arrival));
    model->submit(requests[i].request, base::Cycles(requests[i].arrival), i);
  }
  for (int i = 1; drive.step > 0 && i <= kSteps; ++i) {
    if (drive.step * i > model->now().value) model->advance(base::Cycles(drive.step * i));
  }
  out.end = model->drain().value;
  model->advance(base::Cycles(out.end + drive.idle_after));
  for (const auto& c : model->completions()) out.completions[c.ticket] = c.cycle;
  const auto counters = model->take_counters();
  const auto& u = counters.unnamed;
  out.rows = {u.hits, u.misses, u.conflicts, u.forwarded};
  return out;
}

using RunModel = Outcome (*)(const spec::MemorySpec&, std::uint32_t,
                             const std::vector<TimedRequest>&, const Drive&);
struct Model {
  const char* name;
  RunModel run;
};
inline constexpr Model kModels[] = {{"naive", run_naive}, {"engine", run_engine}};

/// Only what a command of this kind has; a REFab has no bank, an ACT no column.
inline ctrl::IssuedCommand meaningful(ctrl::IssuedCommand c) {
  using spec::Command;
  const bool column = c.command == Command::RD || c.command == Command::RDA ||
                      c.command == Command::WR || c.command == Command::WRA;
  if (!column) c.column = 0;
  if (!column && c.command != Command::ACT) c.row = 0;
  if (!spec::names_a_bank(c.command)) c.bank_group = c.bank = 0;
  return c;
}

inline std::string text_of(const ctrl::IssuedCommand& c) {
  return std::to_string(c.cycle) + " " + spec::name_of(c.command) + " rank " +
         std::to_string(c.rank) + " group " + std::to_string(c.bank_group) + " bank " +
         std::to_string(c.bank) + " row " + std::to_string(c.row) + " column " +
         std::to_string(c.column);
}

}  // namespace diffram::oracle

#pragma once
// JEDEC's current loops as command lists (energy-and-heat.md 3): what the model says a loop draws,
// over what the data sheet says it draws. 1 for any ρ, Iβ and currents, or the model is wrong.

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "physics/command_replay.h"
#include "physics/core_model.h"

namespace diffram::physics {

struct LoopMemory {
  CoreParameters core;
  ReplayTimings replay;
};

struct Loop {
  std::string name;
  double spec::RailCurrents::* current;
  std::vector<TimedCommand> commands;
  std::int64_t from = 0, to = 0;  ///< the measured window, a whole number of repetitions
};

inline double datasheet_power(const CoreParameters& core, double spec::RailCurrents::* current) {
  double watts = 0;
  for (const spec::RailCurrents& rail : core.currents.rails)
    watts += rail.volts * rail.*current * core.devices;
  return watts;
}

inline std::vector<Loop> datasheet_loops(const LoopMemory& m) {
  using spec::Command;
  using Rail = spec::RailCurrents;
  constexpr std::int64_t kRepetitions = 7;
  const auto ras = m.replay.ras, rp = m.replay.rp, rfc = m.replay.rfc;
  const auto burst = static_cast<std::int64_t>(m.core.burst);
  std::vector<Loop> loops;

  Loop idd0{"IDD0", &Rail::i0, {}, 0, kRepetitions * (ras + rp)};
  for (std::int64_t i = 0; i < kRepetitions; ++i) {
    idd0.commands.push_back({i * (ras + rp), Command::ACT});
    idd0.commands.push_back({i * (ras + rp) + ras, Command::PRE});
  }
  loops.push_back(idd0);
  loops.push_back({"IDD2N", &Rail::i2n, {}, 0, 1000});

  std::vector<TimedCommand> all_open;
  for (std::uint32_t bank = 0; bank < m.replay.banks; ++bank)
    all_open.push_back({bank, Command::ACT, 0, bank});
  const std::int64_t start = m.replay.banks + m.replay.rcd;
  loops.push_back({"IDD3N", &Rail::i3n, all_open, start, start + 1000});

  for (const auto& [name, current, command] :
       {std::tuple{"IDD4R", &Rail::i4r, Command::RD}, {"IDD4W", &Rail::i4w, Command::WR}}) {
    Loop gapless{name, current, all_open, start - 1, start - 1 + kRepetitions * burst};
    for (std::int64_t i = 0; i < kRepetitions; ++i)
      gapless.commands.push_back({start + i * burst, command, 0, 0});
    loops.push_back(gapless);
  }

  Loop idd5{"IDD5", &Rail::i5, {}, 0, kRepetitions * rfc};
  for (std::int64_t i = 0; i < kRepetitions; ++i)
    idd5.commands.push_back({i * rfc, Command::REFab});
  loops.push_back(idd5);

  loops.push_back({"IDD6", &Rail::i6, {{0, Command::SREFE}}, rfc, rfc + 1000});
  loops.push_back({"IDD2P", &Rail::i2p, {{0, Command::PDE}}, 0, 1000});
  Loop idd3p{"IDD3P", &Rail::i3p, all_open, start, start + 1000};
  idd3p.commands.push_back({start, Command::PDE});
  loops.push_back(idd3p);
  return loops;
}

/// Simulated ÷ data sheet.
inline double loop_ratio(const LoopMemory& m, const Loop& loop) {
  // The counters up to `from` are those of the commands before it; those at `from` belong to the
  // loop.
  CommandReplay whole(m.replay), before(m.replay);
  for (const TimedCommand& c : loop.commands) {
    if (c.cycle < loop.from) before.apply(c);
    whole.apply(c);
  }
  CoreCounts end, begin;
  end.add(whole.at(loop.to));
  begin.add(before.at(loop.from));
  const double joules = core_energy(core_power(m.core), end - begin, m.core.period_s).total();
  const double seconds = static_cast<double>(loop.to - loop.from) * m.core.period_s;
  return joules / seconds / datasheet_power(m.core, loop.current);
}

}  // namespace diffram::physics

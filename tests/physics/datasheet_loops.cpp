#include "physics/datasheet_loops.h"

#include <cmath>
#include <tuple>

namespace diffram::physics {
namespace {

using spec::Command;
using Rail = spec::RailCurrents;

constexpr std::int64_t kRepetitions = 7;

Loop row_loop(const LoopMemory& m) {
  const auto ras = m.replay.ras;
  const auto period = std::llround(m.core.row.cycles + m.core.rp);
  Loop loop{"IDD0", &Rail::i0, {}, 0, kRepetitions * period};
  for (std::int64_t i = 0; i < kRepetitions; ++i) {
    loop.commands.push_back({i * period, Command::ACT});
    loop.commands.push_back({i * period + ras, Command::PRE});
  }
  return loop;
}

std::vector<TimedCommand> activations(double banks) {
  std::vector<TimedCommand> out;
  for (std::uint32_t bank = 0; bank < banks; ++bank) out.push_back({bank, Command::ACT, 0, bank});
  return out;
}

Loop column_loop(const LoopMemory& m, const std::string& name, double Rail::* current,
                 Command command) {
  const auto burst = std::llround(m.core.burst);
  const std::int64_t start = m.replay.banks + m.replay.rcd;
  Loop loop{name, current, activations(spec::open_banks(m.core.loops.columns, m.core.banks)),
            start - 1, start - 1 + kRepetitions * burst};
  for (std::int64_t i = 0; i < kRepetitions; ++i)
    loop.commands.push_back({start + i * burst, command, 0, 0});
  return loop;
}

Loop refresh_loop(const LoopMemory& m) {
  const auto rfc = std::llround(m.core.refresh.cycles);
  Loop loop{"IDD5", &Rail::i5, {}, 0, kRepetitions * rfc};
  for (std::int64_t i = 0; i < kRepetitions; ++i)
    loop.commands.push_back({i * rfc, Command::REFab});
  return loop;
}

/// Part after part: without a pause, or so many in a tREFI.
Loop part_refresh_loop(const LoopMemory& m) {
  const std::int64_t count =
      m.core.loops.part_refreshes == 0 ? kRepetitions : m.core.loops.part_refreshes;
  const double window = m.core.loops.part_refreshes == 0
                            ? static_cast<double>(count) * m.core.part.cycles
                            : m.core.refi;
  Loop loop{m.core.loops.part_refresh, &Rail::i5_part, {}, 0, std::llround(window)};
  for (std::int64_t i = 0; i < count; ++i) {
    const auto cycle =
        static_cast<std::int64_t>(window * static_cast<double>(i) / static_cast<double>(count));
    loop.commands.push_back({cycle, Command::REFpb, 0, static_cast<std::uint32_t>(i) % 4});
  }
  return loop;
}

}  // namespace

double datasheet_power(const CoreParameters& core, double Rail::* current) {
  double watts = 0;
  for (const Rail& rail : core.currents.rails) watts += rail.volts * rail.*current * core.devices;
  return watts;
}

std::vector<Loop> datasheet_loops(const LoopMemory& m) {
  std::vector<Loop> loops;
  loops.push_back(row_loop(m));
  loops.push_back({"IDD2N", &Rail::i2n, {}, 0, 1000});
  const auto standby = activations(spec::open_banks(m.core.loops.standby, m.core.banks));
  const std::int64_t start = m.replay.banks + m.replay.rcd;
  loops.push_back({"IDD3N", &Rail::i3n, standby, start, start + 1000});
  loops.push_back(column_loop(m, "IDD4R", &Rail::i4r, Command::RD));
  loops.push_back(column_loop(m, "IDD4W", &Rail::i4w, Command::WR));
  loops.push_back(refresh_loop(m));
  if (m.replay.rfc_part > 0 && !m.core.loops.part_refresh.empty())
    loops.push_back(part_refresh_loop(m));
  loops.push_back({"IDD6", &Rail::i6, {{0, Command::SREFE}}, m.replay.rfc, m.replay.rfc + 1000});
  loops.push_back({"IDD2P", &Rail::i2p, {{0, Command::PDE}}, 0, 1000});
  Loop idd3p{"IDD3P", &Rail::i3p, standby, start, start + 1000};
  idd3p.commands.push_back({start, Command::PDE});
  loops.push_back(idd3p);
  Loop deep{"IDD6DS", &Rail::i6_deep, {{0, Command::SREFE}}, m.replay.rfc, m.replay.rfc + 1000};
  deep.commands.push_back({m.replay.rfc, Command::PDE, 0, 0, PowerDown::deep_sleep});
  loops.push_back(deep);
  return loops;
}

double loop_ratio(const LoopMemory& m, const Loop& loop) {
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

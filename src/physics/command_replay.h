#pragma once
// From a list of commands to the counters that energy is computed from, by the state rules of
// energy-and-heat.md 2d. The engine counts for itself; this is for command logs of any simulator.

#include <cstdint>
#include <map>
#include <vector>

#include "base/counters.h"
#include "physics/bank_times.h"
#include "spec/command.h"
#include "spec/memory.h"

namespace diffram::physics {

/// Some logs (DRAMPower's) say which power-down is meant; ours leave it to the banks' state. Deep
/// sleep is a power-down within self refresh, entered and left at once.
enum class PowerDown : std::uint8_t { by_state, active, precharge, deep_sleep };

struct TimedCommand {
  std::int64_t cycle = 0;
  spec::Command command = spec::Command::ACT;
  std::uint32_t rank = 0, bank = 0;  ///< bank within the rank, groups counted through
  PowerDown power_down = PowerDown::by_state;
};

/// Cycles, and the shape of a channel.
struct ReplayTimings {
  std::uint32_t ranks = 1, banks = 1;
  std::int64_t ras = 0, rcd = 0, rp = 0;
  std::int64_t rfc = 0, rfc_part = 0;  ///< of REFab, of REFpb and REFsb
  RefreshPart part;                    ///< the banks that one REFpb or REFsb refreshes
  std::int64_t read_to_auto_precharge = 0, write_to_auto_precharge = 0;
};

ReplayTimings replay_timings(const spec::MemorySpec& memory);

class CommandReplay {
 public:
  explicit CommandReplay(const ReplayTimings& timings);

  /// Commands come by ascending cycle.
  void apply(const TimedCommand& command);

  /// Banks and ranks of the window [0, cycle), after all commands applied so far.
  base::ChannelCounters at(std::int64_t cycle) const;

 private:
  enum class State : std::uint8_t {
    awake,
    power_down_active,
    power_down_precharge,
    self_refresh,
    deep_sleep
  };
  enum class Due : std::uint8_t {
    auto_precharge,
    end_of_refresh,
    end_of_part_refresh,
    power_down_entry,
    power_down_exit,
    self_refresh_entry
  };

  struct Bank {
    bool is_open = false;
    bool is_closing = false;     ///< open, and its column command closes it by itself
    std::int64_t opened = -1;    ///< latest activation or refresh, -1 = never
    std::int64_t interval = -1;  ///< start of the latest open interval: also a wake-up
    std::int64_t openings = 0;   ///< an auto-precharge closes only the opening it was given for
  };
  struct Rank {
    State state = State::awake;
    std::int64_t counted = 0;  ///< residencies are in the counters up to here
    std::int64_t last_precharge = -1, refresh_end = -1;
  };
  struct Event {
    Due due = Due::auto_precharge;
    std::uint32_t rank = 0, bank = 0;
    std::int64_t opening = 0;
    PowerDown power_down = PowerDown::by_state;
  };

  void run_events(std::int64_t until);
  void run(const Event& event, std::int64_t t);
  void open(std::uint32_t rank, std::uint32_t bank, std::int64_t t);
  void close(std::uint32_t rank, std::uint32_t bank, std::int64_t t);
  void command_precharge(std::uint32_t rank, std::uint32_t bank, std::int64_t t);
  void precharge(std::uint32_t rank, std::uint32_t bank, std::int64_t t);
  void refresh(std::uint32_t rank, std::int64_t t);
  void refresh_part(std::uint32_t rank, std::uint32_t bank, std::int64_t t);
  /// The banks of the part that `bank` is in.
  std::uint32_t of_part(std::uint32_t bank, std::uint32_t member) const {
    return (bank + member * timings_.part.step) % timings_.banks;
  }
  void extend_refresh(std::uint32_t rank, std::int64_t end);
  void enter(std::uint32_t rank, State state, std::int64_t t);
  /// Bring the counters of a rank and its banks up to t; called before every change of state.
  void count_until(std::uint32_t rank, std::int64_t t);
  bool is_any_open(std::uint32_t rank) const;
  std::int64_t earliest_power_down(std::uint32_t rank, std::int64_t t) const;
  std::size_t index(std::uint32_t rank, std::uint32_t bank) const {
    return std::size_t{rank} * timings_.banks + bank;
  }

  ReplayTimings timings_;
  std::vector<Bank> banks_;
  std::vector<Rank> ranks_;
  std::multimap<std::int64_t, Event> events_;  ///< equal times in the order they were made
  base::ChannelCounters counters_;
};

}  // namespace diffram::physics

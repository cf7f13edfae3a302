#pragma once
// How far each command pushes the others back: dramsim3-behaviour.md 10, resolved once. A Tick
// added to an offset below 0 wraps as it does in DRAMsim3.

#include "ctrl/compat/command.h"
#include "spec/dramsim3_config.h"

namespace diffram::ctrl::compat {

/// From a column command to the next RD, or the next WR.
struct ColumnPush {
  Tick same_group = 0, other_group = 0, other_rank = 0;
};

/// From a column command to all others.
struct ColumnOffsets {
  ColumnPush read, write;
  Tick precharge = 0;  ///< of its bank (RD, WR)
  Tick activate = 0;   ///< of its bank, which it closes (RDA, WRA)
  Tick refresh = 0;    ///< of its bank: REF, REFB, SREFE (RDA, WRA)
};

struct Offsets {
  explicit Offsets(const spec::Dramsim3Config& config);

  ColumnOffsets read, write;
  Tick activate_to_activate = 0, activate_same_group = 0, activate_other_group = 0;
  Tick activate_to_read = 0, activate_to_write = 0, activate_to_precharge = 0;
  Tick precharge_to_activate = 0;   ///< and to REF, REFB, SREFE of the bank
  Tick precharge_to_precharge = 0;  ///< of the rank's other banks
  Tick refresh_to_activate = 0;     ///< tRFC
  Tick refresh_bank_to_refresh_bank = 0;
  Tick sleep_to_wake = 0, wake_to_any = 0;
  Tick four_activates = 0, many_activates = 0;  ///< tFAW, t32AW
  Tick read_delay = 0, write_delay = 0;         ///< command to the end of the data
  bool precharges_push = false;                 ///< PRE → PRE exists (GDDR, LPDDR4)
  bool has_many_window = false;                 ///< t32AW exists (GDDR)
};

}  // namespace diffram::ctrl::compat

#pragma once
// A DRAMsim3 configuration becomes a memory file. Internal to session.

#include <optional>

#include "session/session.h"

namespace diffram::session {

/// None if the input is no configuration of DRAMsim3; a file that cannot be opened is none.
std::optional<Outcome<Conversion>> convert_configuration(const ConvertOptions& options);

}  // namespace diffram::session

#pragma once
// Fields between commas, and the names that Ramulator 2 gives to commands.

#include <string_view>

#include "trace/command_log/command_format.h"

namespace diffram::trace {

/// The next field of `rest`, without the blanks around it; `rest` is shortened.
std::string_view next_comma_field(std::string_view& rest);

/// Names of src/ramulator/dram/impl/DDR4.cpp (CMU-SAFARI/ramulator2 38c51d40): PREpb, PREab.
std::string_view jedec_name_of_ramulator2(std::string_view word);

}  // namespace diffram::trace

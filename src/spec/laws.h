#pragma once
// What the values of one memory owe each other and their standard (memory-values.md 6). Internal.

#include <array>
#include <string_view>

#include "spec/memory.h"
#include "spec/standard.h"
#include "spec/toml_section.h"

namespace diffram::spec {

/// The codes of the laws: what `broken_laws` of a memory's file may name.
inline constexpr std::array<std::string_view, 19> kLawNames = {"rate_tck",
                                                               "range",
                                                               "density",
                                                               "family_org",
                                                               "rc_sum",
                                                               "burst_gap",
                                                               "s_le_l",
                                                               "faw_rrd",
                                                               "fixed_in_nck",
                                                               "xs",
                                                               "refresh_window",
                                                               "rfc_by_density",
                                                               "rfcpb_by_density",
                                                               "zero_current",
                                                               "current_order",
                                                               "ipp_small",
                                                               "negative_activation",
                                                               "negative_energy",
                                                               "missing_rail"};

/// A broken law is an error in a file, and a warning where `--set` changed one of its values or
/// `broken_laws` of the file names it: a what-if may leave the standard, a shipped or user's memory
/// may not do so unseen.
void check_laws(const Standard& standard, double stated_clock_ns, MemorySpec& memory,
                Reading& reading);

}  // namespace diffram::spec

#pragma once
// The pins of a memory, from its description: ours or DRAMPower's.

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "physics/interface_model.h"
#include "physics/interface_replay.h"
#include "spec/drampower_memspec.h"
#include "spec/memory.h"

namespace diffram::physics {

InterfaceShape interface_shape(const spec::DrampowerMemspec& memory, InterfaceRules rules);
/// `rules` are ours.
InterfaceShape interface_shape(const spec::MemorySpec& memory);

/// The pins of a channel of devices with such pads. Data pins are loaded by every rank, command and
/// clock pins by every device; these count as not terminated.
spec::Interface interface_of(const spec::Pads& pads, const spec::Organisation& organisation);

/// False: the standard's pins are not known here (`CommandPins::of`).
bool has_interface_model(const std::string& standard);

InterfaceParameters interface_parameters(const spec::Interface& electrics,
                                         const InterfaceShape& shape, double period_s);

/// A message where `data` is no burst of this memory: it has no whole number of beats.
std::optional<std::string> refused_data(const InterfaceShape& shape,
                                        std::span<const std::uint8_t> data);

}  // namespace diffram::physics

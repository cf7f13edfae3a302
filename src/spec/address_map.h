#pragma once
// From the two texts of a spec's [map] to masks. Internal to spec.
//
// order: fields from the most significant address bit down, above the bytes of a burst:
//        "ro ra ba co bg ch"; `co:3` takes three bits of the field, a bare name the bits left. The
//        rightmost token of a field holds its lowest bits.
// hash:  "bg0 ^ ro0 ^ ro4": the bit becomes the parity of itself and the named bits.

#include <string>
#include <vector>

#include "base/result.h"
#include "spec/memory.h"

namespace diffram::spec {

/// Errors carry code, field ("map.order" …) and message; the caller adds file and line. A map that
/// is no bijection between addresses and places is refused.
base::Result<AddressMap> build_address_map(const std::string& order,
                                           const std::vector<std::string>& hash,
                                           const Organisation& organisation);

/// Bits of the burst offset, below every field.
std::uint32_t offset_bits(const Organisation& organisation);

}  // namespace diffram::spec

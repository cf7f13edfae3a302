#pragma once
// Numbers of the fields in gem5's packet.proto.

#include <protozero/types.hpp>
#include <string_view>

namespace diffram::trace {

inline constexpr std::string_view kGem5Magic = "gem5";

namespace packets {

enum class Header : protozero::pbf_tag_type { object = 1, version = 2, tick_frequency = 3 };
enum class Packet : protozero::pbf_tag_type {
  tick = 1,
  command = 2,
  address = 3,
  size = 4,
  flags = 5,
  id = 6,
  pc = 7
};
/// Of gem5's MemCmd.
inline constexpr std::uint32_t kReadRequest = 1, kWriteRequest = 4;

}  // namespace packets
}  // namespace diffram::trace

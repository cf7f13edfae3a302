#pragma once
// The interface cases of DRAMPower's unit tests: memories, what a case overrides, commands with the
// data that they carry (energy-and-heat.md 2e and 4).

#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>

#include "oracle/gz_file.h"
#include "physics/interface_memory.h"

namespace diffram::physics {

inline nlohmann::json read_interface_golden() {
  return oracle::json_of_gz("drampower_interface.json.gz");
}

struct GoldenInterface {
  InterfaceShape shape;
  InterfaceParameters parameters;
};

inline GoldenInterface golden_interface(const nlohmann::json& memspec) {
  const auto memory = spec::parse_drampower_memspec(memspec.dump(), "memspec.json");
  if (!memory) throw std::runtime_error(memory.error().front().text());
  const InterfaceShape shape = interface_shape(*memory, InterfaceRules::drampower);
  return {shape, interface_parameters(*memory->interface, shape, memory->period_s)};
}

inline void override_interface(GoldenInterface& m, const nlohmann::json& overrides) {
  const char* const keys[] = {"ck", "ca", "rdq", "wdq", "rdqs", "wdqs", "rdbi", "wdbi", "wck"};
  for (const auto& [key, value] : overrides.items()) {
    const double number = value.get<double>();
    if (key == "bitWidth") m.shape.device_width = static_cast<std::uint32_t>(number);
    if (key == "numberOfDevices") m.shape.devices = static_cast<std::uint32_t>(number);
    if (key == "burstLength") m.shape.burst_length = static_cast<std::uint32_t>(number);
    if (key == "prePostamble.read_zeroes") m.parameters.electrics.read_amble.zeroes = number;
    if (key == "prePostamble.read_zeroes_to_ones") m.parameters.electrics.read_amble.rises = number;
    if (key == "prePostamble.write_zeroes") m.parameters.electrics.write_amble.zeroes = number;
    if (key == "prePostamble.write_zeroes_to_ones")
      m.parameters.electrics.write_amble.rises = number;
    for (std::size_t i = 0; i < spec::kPinGroups; ++i) {
      const std::string group = std::string("memImpedanceSpec.") + keys[i];
      if (key == group + "_R_eq") m.parameters.electrics.pins[i].ohms = number;
      if (key == group + "_dyn_E") m.parameters.electrics.pins[i].joules_per_rise = number;
    }
  }
}

inline std::vector<std::uint8_t> bytes_of(const std::string& hex) {
  std::vector<std::uint8_t> bytes;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2)
    bytes.push_back(static_cast<std::uint8_t>(std::stoul(hex.substr(i, 2), nullptr, 16)));
  return bytes;
}

/// Payload of a golden command; "datasize_bits" is 64 bits in the DDR4 tests, 256 in the others,
/// "16*8" is 128: the levels of such a burst are not looked at.
inline std::vector<std::uint8_t> golden_data(const nlohmann::json& row,
                                             const std::string& standard) {
  if (row.size() < 4) return {};
  if (row.at(3).is_string()) return bytes_of(row.at(3));
  if (row.at(3).at("no_data_bits") == "16*8") return std::vector<std::uint8_t>(16);
  return std::vector<std::uint8_t>(standard == "DDR4" ? 8 : 32);
}

inline std::string jedec_name(const std::string& name) {
  if (name == "SREFEN") return "SREFE";
  if (name == "SREFEX") return "SREFX";
  return name;
}

}  // namespace diffram::physics

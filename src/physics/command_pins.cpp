// A table row is "NAME: bits of the first beat / of the second / …". L and H are levels, V means
// nothing, BG BA R C are address bits, BL tells a burst of 32. Chip identity bits are V. The pins
// are JEDEC's; the order within a beat is free, no count depends on it.
//
// The standards themselves were not opened (unverified): the tables are general knowledge of them,
// compared with what DRAMPower 6.2 has. The golden figures of tests/physics prove the rows that
// DRAMPower's tests use (ACT, PRE, column commands, self refresh), not the others.

#include "physics/command_pins.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <span>
#include <utility>

namespace diffram::physics {

namespace {

// CS ACT RAS/A16 CAS/A15 WE/A14, BG, BA, C0-C2, A17, A13-A0.
constexpr std::string_view kDdr4[] = {
    "ACT: L L R16 R15 R14 BG0 BG1 BA0 BA1 V V V R17 R13 R12 R11 R10 R9 R8 R7 R6 R5 R4 R3 R2 R1 R0",
    "PRE: L H L H L BG0 BG1 BA0 BA1 V V V V V V V L V V V V V V V V V V",
    "PREA: L H L H L V V V V V V V V V V V H V V V V V V V V V V",
    "RD: L H H L H BG0 BG1 BA0 BA1 V V V V V V V L C9 C8 C7 C6 C5 C4 C3 C2 C1 C0",
    "RDA: L H H L H BG0 BG1 BA0 BA1 V V V V V V V H C9 C8 C7 C6 C5 C4 C3 C2 C1 C0",
    "WR: L H H L L BG0 BG1 BA0 BA1 V V V V V V V L C9 C8 C7 C6 C5 C4 C3 C2 C1 C0",
    "WRA: L H H L L BG0 BG1 BA0 BA1 V V V V V V V H C9 C8 C7 C6 C5 C4 C3 C2 C1 C0",
    "REFab: L H L L H V V V V V V V V V V V V V V V V V V V V V V",
    "SREFE: L H L L H V V V V V V V V V V V V V V V V V V V V V V",
    // Leaving self refresh: deselected, then a no-operation.
    ("SREFX: H V V V V V V V V V V V V V V V V V V V V V V V V V V / "
     "L H H H H V V V V V V V V V V V V V V V V V V V V V V"),
    "PDE: H V V V V V V V V V V V V V V V V V V V V V V V V V V",
    "PDX: H V V V V V V V V V V V V V V V V V V V V V V V V V V",
};

// CA0-CA13.
constexpr std::string_view kDdr5[] = {
    ("ACT: L L R0 R1 R2 R3 BA0 BA1 BG0 BG1 BG2 V V V / "
     "R4 R5 R6 R7 R8 R9 R10 R11 R12 R13 R14 R15 R16 V"),
    "PRE: H H L H H V BA0 BA1 BG0 BG1 BG2 V V V",
    "PREA: H H L H L V V V V V L V V V",
    "PREsb: H H L H L V BA0 BA1 V V H V V V",
    "RD: H L H H H H BA0 BA1 BG0 BG1 BG2 V V V / C2 C3 C4 C5 C6 C7 C8 C9 C10 V H V V V",
    "RDA: H L H H H H BA0 BA1 BG0 BG1 BG2 V V V / C2 C3 C4 C5 C6 C7 C8 C9 C10 V L V V V",
    "WR: H L H H L H BA0 BA1 BG0 BG1 BG2 V V V / V C3 C4 C5 C6 C7 C8 C9 C10 V H H V V",
    "WRA: H L H H L H BA0 BA1 BG0 BG1 BG2 V V V / V C3 C4 C5 C6 C7 C8 C9 C10 V L H V V",
    "REFab: H H L L H V V V V V L V V V",
    "REFsb: H H L L H V BA0 BA1 V V H V V V",
    "RFMab: H H L L H V V V V L L V V V",
    "SREFE: H H H L H V V V V H L V V V",
    "SREFX: H H H H H V V V V V V V V V",
    "PDE: H H H L H V V V V V H L V V",
    "PDX: H H H H H V V V V V V V V V",
};

// CA0-CA5; power-down is told by CKE alone.
constexpr std::string_view kLpddr4[] = {
    "ACT: H L R12 R13 R14 R15 / BA0 BA1 BA2 R16 R10 R11 / R17 R18 R6 R7 R8 R9 / R0 R1 R2 R3 R4 R5",
    "PRE: L L L L H L / BA0 BA1 BA2 V V V",
    "PREA: L L L L H H / V V V V V V",
    "RD: L H L L L BL / BA0 BA1 BA2 V C9 L / L H L L H C8 / C2 C3 C4 C5 C6 C7",
    "RDA: L H L L L BL / BA0 BA1 BA2 V C9 H / L H L L H C8 / C2 C3 C4 C5 C6 C7",
    "WR: L L H L L BL / BA0 BA1 BA2 V C9 L / L H L L H C8 / C2 C3 C4 C5 C6 C7",
    "WRA: L L H L L BL / BA0 BA1 BA2 V C9 H / L H L L H C8 / C2 C3 C4 C5 C6 C7",
    "REFab: L L L H L H / V V V V V V",
    "REFpb: L L L H L L / BA0 BA1 BA2 V V V",
    "SREFE: L L L H H V / V V V V V V",
    "SREFX: L L H L H V / V V V V V V",
    "PDE:",
    "PDX:",
};

// CA0-CA6, both edges of CK. B0-B3 are the bank's bits, or two of the bank and two of the group.
constexpr std::string_view kLpddr5[] = {
    ("ACT: H H H R14 R15 R16 R17 / B0 B1 B2 B3 R11 R12 R13 / H H L R7 R8 R9 R10 / "
     "R0 R1 R2 R3 R4 R5 R6"),
    "PRE: L L L H H H H / B0 B1 B2 B3 V V L",
    "PREA: L L L H H H H / V V V V V V H",
    "RD: H L L C0 C3 C4 C5 / B0 B1 B2 B3 C1 C2 L",
    "RDA: H L L C0 C3 C4 C5 / B0 B1 B2 B3 C1 C2 H",
    "WR: L H H C0 C3 C4 C5 / B0 B1 B2 B3 C1 C2 L",
    "WRA: L H H C0 C3 C4 C5 / B0 B1 B2 B3 C1 C2 H",
    "CAS_WR: L L H H H L L / L L L L L L L",
    "CAS_RD: L L H H L H L / L L L L L L L",
    "REFab: L L L H H H L / V V V V V V H",
    "REFpb: L L L H H H L / B0 B1 B2 V V V L",
    "REFp2b: L L L H H H L / B0 B1 B2 V V V L",
    "SREFE: L L L H L H H / V V V V V L L",
    "SREFX: L L L H L H L / V V V V V V V",
    "PDE: L L L H L H H / V V V V V L H",
    "PDX: L L L H L H L / V V V V V V V",
    "DSME: L L L H L H H / V V V V V H L",
    "DSMX: L L L H L H L / V V V V V V V",
};

constexpr std::string_view kBankBits[][4] = {
    {"BA0", "BA1", "BG0", "BG1"}, {"BA0", "BA1", "BA2", "BA3"}, {"BA0", "BA1", "BA2", "V"}};

std::string_view next_word(std::string_view& text) {
  text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  const std::string_view word = text.substr(0, text.find(' '));
  text.remove_prefix(word.size());
  return word;
}

bool is_read(std::string_view name) { return name == "RD" || name == "RDA"; }
bool is_write(std::string_view name) { return name == "WR" || name == "WRA"; }

}  // namespace

std::optional<CommandPins> CommandPins::of(std::string_view standard, BankMode mode) {
  CommandPins p;
  std::span<const std::string_view> table;
  if (standard == "DDR4") {
    table = kDdr4, p.pins_ = 27, p.burst_ = Burst::ddr4;
  } else if (standard == "DDR5") {
    table = kDdr5, p.pins_ = 14, p.burst_ = Burst::ddr5;
  } else if (standard == "LPDDR4") {
    table = kLpddr4, p.pins_ = 6, p.burst_ = Burst::lpddr4, p.idles_high_ = false;
  } else if (standard == "LPDDR5") {
    table = kLpddr5, p.pins_ = 7, p.burst_ = Burst::lpddr5, p.idles_high_ = false;
    p.beats_per_clock_ = 2;
  } else {
    return std::nullopt;
  }
  for (std::string_view row : table) {
    Entry entry;
    entry.name = row.substr(0, row.find(':'));
    entry.is_read = is_read(entry.name);
    row.remove_prefix(entry.name.size() + 1);
    for (std::string_view word = next_word(row); !word.empty(); word = next_word(row)) {
      if (word == "/") continue;
      if (word.size() == 2 && word[0] == 'B' && word[1] <= '3')
        word = kBankBits[static_cast<std::size_t>(mode)][word[1] - '0'];
      entry.bits.push_back(bit_of(word));
    }
    p.commands_.push_back(std::move(entry));
  }
  return p;
}

CommandPins CommandPins::known(std::string_view standard, BankMode mode) {
  auto pins = of(standard, mode);
  if (!pins) std::abort();  // the caller asks `of` first
  return std::move(*pins);
}

CommandPins::Bit CommandPins::bit_of(std::string_view word) {
  if (word == "L") return {Source::low, 0};
  if (word == "H") return {Source::high, 0};
  if (word == "V") return {Source::any, 0};
  if (word == "BL") return {Source::long_burst, 0};
  std::uint8_t index = 0;
  for (const char c : word)
    if (c >= '0' && c <= '9') index = static_cast<std::uint8_t>(index * 10 + (c - '0'));
  if (word.starts_with("BG")) return {Source::bank_group, index};
  if (word.starts_with("BA")) return {Source::bank, index};
  return {word.front() == 'R' ? Source::row : Source::column, index};
}

std::optional<std::size_t> CommandPins::find(std::string_view name) const {
  const auto at = std::ranges::find(commands_, name, &Entry::name);
  if (at == commands_.end()) return std::nullopt;
  return static_cast<std::size_t>(at - commands_.begin());
}

std::uint32_t CommandPins::forced_column(const Entry& entry, std::uint32_t column,
                                         std::uint32_t burst) const {
  if (!entry.is_read && !is_write(entry.name)) return column;
  const bool is_long = burst == 32;
  switch (burst_) {
    case Burst::ddr4:
      return (column & ~7u) | (entry.is_read ? 0u : burst == 4 ? 3u : 7u);
    case Burst::ddr5:
      column &= is_long ? ~0x40Cu : ~0xCu;
      return column | (entry.is_read ? 0u : burst == 8 ? 4u : 12u);
    case Burst::lpddr4:
      return column & (is_long ? ~0x1Cu : ~0xCu);
    case Burst::lpddr5:
      return column & (is_long ? ~1u : ~0u);
  }
  return column;
}

std::vector<std::uint64_t> CommandPins::beats(std::size_t command, const PinPlace& place,
                                              std::uint32_t burst) const {
  const Entry& entry = commands_[command];
  const std::uint32_t column = forced_column(entry, place.column, burst);
  const auto level = [&](const Bit& bit) -> bool {
    switch (bit.source) {
      case Source::low:
        return false;
      case Source::high:
        return true;
      case Source::any:
        return idles_high_;
      case Source::bank_group:
        return (place.bank_group >> bit.index & 1) != 0;
      case Source::bank:
        return (place.bank >> bit.index & 1) != 0;
      case Source::row:
        return (place.row >> bit.index & 1) != 0;
      case Source::column:
        return (column >> bit.index & 1) != 0;
      case Source::long_burst:
        return burst == 32;
    }
    return false;
  };
  std::vector<std::uint64_t> beats(entry.bits.size() / pins_, 0);
  for (std::size_t i = 0; i < entry.bits.size(); ++i)
    if (level(entry.bits[i])) beats[i / pins_] |= std::uint64_t{1} << (i % pins_);
  return beats;
}

double CommandPins::mean_rises(std::size_t command, const PinPlace& last,
                               std::uint32_t burst) const {
  const auto lowest = beats(command, {}, burst), highest = beats(command, last, burst);
  double rises = 0;
  for (std::uint32_t pin = 0; pin < pins_; ++pin) {
    double before = 0;  // how likely the pin is away from its idle level
    for (std::size_t beat = 0; beat < lowest.size(); ++beat) {
      const bool low = (lowest[beat] >> pin & 1) != 0, high = (highest[beat] >> pin & 1) != 0;
      const double away = low != high ? 0.5 : low != idles_high_ ? 1.0 : 0.0;
      rises += away * (1 - before);
      before = away;
    }
  }
  return rises;
}

}  // namespace diffram::physics

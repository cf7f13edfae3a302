#pragma once
// What each command puts on the command and address pins: the truth tables of DDR4 (JESD79-4),
// DDR5 (JESD79-5), LPDDR4 (JESD209-4) and LPDDR5 (JESD209-5), as text, one line a command.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace diffram::physics {

/// How LPDDR5 numbers its banks; the others have one way.
enum class BankMode : std::uint8_t { groups, sixteen_banks, eight_banks };

/// Where a command goes, as its pins say it.
struct PinPlace {
  std::uint32_t bank_group = 0, bank = 0;  ///< bank within the group; in the rank without groups
  std::uint32_t row = 0;
  std::uint32_t column = 0;  ///< in the standard's own unit: LPDDR5 counts bursts of 16
};

class CommandPins {
 public:
  /// Nothing: the standard's truth table is not known here.
  static std::optional<CommandPins> of(std::string_view standard, BankMode mode = BankMode::groups);

  /// The same of a standard that is known to have one.
  static CommandPins known(std::string_view standard, BankMode mode = BankMode::groups);

  std::uint32_t pins() const { return pins_; }
  /// Beats in a period of CK.
  std::uint32_t beats_per_clock() const { return beats_per_clock_; }
  /// The level of idle pins and of bits that mean nothing.
  bool idles_high() const { return idles_high_; }

  std::size_t commands() const { return commands_.size(); }
  /// Pins times beats of a command.
  std::size_t bits(std::size_t command) const { return commands_[command].bits.size(); }
  /// JEDEC's name → number of the command; nothing: the standard has no such command.
  std::optional<std::size_t> find(std::string_view name) const;
  /// Beat after beat, pin k in bit k. `burst` beats belong to a column command and force some of
  /// its column bits.
  std::vector<std::uint64_t> beats(std::size_t command, const PinPlace& place,
                                   std::uint32_t burst) const;
  /// Rising edges of a command whose pins are idle before and behind it, the mean over all places
  /// up to `last` (each number one less than a power of two).
  double mean_rises(std::size_t command, const PinPlace& last, std::uint32_t burst) const;

 private:
  enum class Source : std::uint8_t { low, high, any, bank_group, bank, row, column, long_burst };
  struct Bit {
    Source source = Source::any;
    std::uint8_t index = 0;
  };
  enum class Burst : std::uint8_t { ddr4, ddr5, lpddr4, lpddr5 };
  struct Entry {
    std::string_view name;
    bool is_read = false;
    std::vector<Bit> bits;  ///< of the first beat, then of the second …
  };

  static Bit bit_of(std::string_view word);
  std::uint32_t forced_column(const Entry& entry, std::uint32_t column, std::uint32_t burst) const;

  std::uint32_t pins_ = 0, beats_per_clock_ = 1;
  bool idles_high_ = true;
  Burst burst_ = Burst::ddr4;
  std::vector<Entry> commands_;
};

}  // namespace diffram::physics

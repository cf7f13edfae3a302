#pragma once
// A memory as a DRAMsim3 configuration file states it (dramsim3-behaviour.md 1 to 3): its values,
// its defaults and what DRAMsim3 derives from them, oddities included. Only the `compat` controller
// runs from it.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "base/result.h"

namespace diffram::spec {

enum class Dramsim3Protocol : std::uint8_t {
  DDR3,
  DDR4,
  GDDR5,
  GDDR5X,
  GDDR6,
  LPDDR,
  LPDDR3,
  LPDDR4,
  HBM,
  HBM2,
};

inline bool is_gddr(Dramsim3Protocol p) {
  return p == Dramsim3Protocol::GDDR5 || p == Dramsim3Protocol::GDDR5X ||
         p == Dramsim3Protocol::GDDR6;
}
inline bool is_hbm(Dramsim3Protocol p) {
  return p == Dramsim3Protocol::HBM || p == Dramsim3Protocol::HBM2;
}

enum class Dramsim3Refresh : std::uint8_t { rank_staggered, rank_simultaneous, bank_staggered };

/// Where the field of an address lies, after the bits of a burst are shifted out.
struct Dramsim3Field {
  std::uint32_t position = 0;
  std::uint64_t mask = 0;

  std::uint64_t of(std::uint64_t burst) const { return burst >> position & mask; }
};

struct Dramsim3AddressMap {
  std::uint32_t shift = 0;  ///< bits of one request
  Dramsim3Field channel, rank, bank_group, bank, row, column;
};

/// Cycles as in the file, under the field's names.
struct Dramsim3Timing {
  std::int32_t AL = 0, CL = 0, CWL = 0, tCCD_L = 0, tCCD_S = 0, tRTRS = 0, tRTP = 0, tWTR_L = 0,
               tWTR_S = 0, tWR = 0, tRP = 0, tRRD_L = 0, tRRD_S = 0, tRAS = 0, tRCD = 0, tRFC = 0,
               tCKESR = 0, tXS = 0, tRFCb = 0, tREFI = 0, tREFIb = 0, tFAW = 0, tPPD = 0, t32AW = 0,
               tRCDRD = 0, tRCDWR = 0;

  std::int32_t tRC() const { return tRAS + tRP; }
  std::int32_t read_latency() const { return AL + CL; }
  std::int32_t write_latency() const { return AL + CWL; }
};

/// Volts and milliamperes.
struct Dramsim3Power {
  double VDD = 0, IDD0 = 0, IDD2N = 0, IDD3N = 0, IDD4W = 0, IDD4R = 0, IDD5AB = 0, IDD5PB = 0,
         IDD6x = 0;
};

struct Dramsim3Config {
  Dramsim3Protocol protocol = Dramsim3Protocol::DDR3;
  Dramsim3Timing timing;
  Dramsim3Power power;
  Dramsim3AddressMap map;
  Dramsim3Refresh refresh = Dramsim3Refresh::rank_staggered;
  double tCK_ns = 0;
  std::uint64_t refresh_interval = 0;  ///< cycles between two entries of the refresh queue

  std::uint32_t channels = 0, ranks = 0, bank_groups = 0, banks_per_group = 0;
  std::int32_t burst_cycles = 0;    ///< of the data bus
  std::uint32_t request_bytes = 0;  ///< of one read or write
  std::uint32_t bus_width = 0;      ///< bits
  std::uint32_t burst_length = 0;   ///< beats
  std::uint32_t devices = 0;        ///< side by side in a rank
  std::uint32_t device_width = 0;   ///< bits
  std::uint32_t rows = 0;           ///< of a bank
  std::uint32_t columns = 0;        ///< of a row, in words as wide as a device
  std::int64_t channel_megabytes = 0;

  bool one_queue_per_rank = false;  ///< queue_structure PER_RANK; else one a bank
  bool close_page = false;
  bool unified_queue = false;
  bool self_refresh = false;
  bool dual_command = false;                ///< HBM's two command buses
  std::uint32_t command_queue_entries = 0;  ///< of each
  std::uint32_t transaction_queue_entries = 0;
  std::int32_t self_refresh_threshold = 0;  ///< idle cycles
  std::uint64_t epoch_cycles = 0;
  std::int32_t output_level = 0;  ///< from 1 on DRAMsim3 writes more than its JSON
  std::string output_prefix;      ///< of the names of its files

  /// Keys that are not DRAMsim3's, values it cannot read, counts it cuts to a power of two.
  std::vector<base::Diagnostic> diagnostics;

  std::uint32_t banks() const { return bank_groups * banks_per_group; }  ///< of a rank
  /// From the command to the end of the data.
  std::int32_t read_delay() const { return timing.read_latency() + burst_cycles; }
  std::int32_t write_delay() const { return timing.write_latency() + burst_cycles; }
};

/// Errors: `unreadable`; what ends DRAMsim3 itself: `unknown_choice` (protocol, queue structure,
/// refresh policy), `bad_mapping`, `bad_geometry` (a division by zero there), `bad_value`;
/// `not_supported` for HMC; `too_large`.
base::Result<Dramsim3Config> load_dramsim3_config(const std::string& file);
/// The same from text; `file` stands in messages.
base::Result<Dramsim3Config> parse_dramsim3_config(std::string_view text, const std::string& file);

}  // namespace diffram::spec

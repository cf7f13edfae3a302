#pragma once
// What DRAMsim3 makes of a configuration file: every key's default, and the values it derives.
// Names of keys are kept as the file has them.

#include <cstdint>
#include <string>
#include <vector>

namespace diffram::naive_dramsim3 {

/// Where an address lies. All counts start at 0.
struct Place {
  int channel = 0, rank = 0, group = 0, bank = 0;
  std::int64_t row = 0, column = 0;
};

enum class RefreshPolicy { rank_staggered, rank_simultaneous, bank_staggered };

struct Configuration {
  // Organisation, after the derivations.
  std::string protocol;
  bool gddr = false, hbm = false;
  int channels = 0, ranks = 0, bankgroups = 0, banks_per_group = 0, banks = 0;  ///< banks: per rank
  std::int64_t rows = 0, columns = 0;
  int devices = 0, bus_width = 0, burst_length = 0, burst_cycles = 0;
  std::uint64_t request_bytes = 0;
  // Controller.
  bool queue_per_bank = true, close_page = false, unified_queue = false;
  int cmd_queue_size = 0, trans_queue_size = 0;
  RefreshPolicy refresh_policy = RefreshPolicy::rank_staggered;
  bool self_refresh = false, dual_command = false;
  int sref_threshold = 0;
  int epoch_period = 0;
  // Timing, cycles; tCK in ns.
  double tCK = 0;
  int AL = 0, tCCD_L = 0, tCCD_S = 0, tRTRS = 0, tRTP = 0, tWTR_L = 0, tWTR_S = 0, tWR = 0, tRP = 0,
      tRRD_L = 0, tRRD_S = 0, tRAS = 0, tRCD = 0, tRFC = 0, tCKESR = 0, tXS = 0, tRFCb = 0,
      tREFI = 0, tREFIb = 0, tFAW = 0, tPPD = 0, t32AW = 0, tRCDRD = 0, tRCDWR = 0;
  int tRC = 0, RL = 0, WL = 0, read_delay = 0, write_delay = 0;
  // Power: V and mA.
  double VDD = 0, IDD0 = 0, IDD2N = 0, IDD3N = 0, IDD4W = 0, IDD4R = 0, IDD5AB = 0, IDD5PB = 0,
         IDD6x = 0;

  /// @throws std::runtime_error where DRAMsim3 ends with exit code 255 before the first cycle.
  explicit Configuration(const std::string& ini_text);

  Place place(std::uint64_t address) const;
  int bank_index(const Place& at) const {
    return at.rank * banks + at.group * banks_per_group + at.bank;
  }

 private:
  struct Field {
    int position = 0, width = 0;
    std::uint64_t of(std::uint64_t bursts) const {
      return bursts >> position & ((std::uint64_t{1} << width) - 1);
    }
  };
  void lay_out_address(const std::string& mapping);

  int shift_ = 0;
  Field channel_, rank_, group_, bank_, row_, column_;
};

}  // namespace diffram::naive_dramsim3

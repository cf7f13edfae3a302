#pragma once
// What a memory *is*: standard, organisation, timings, constraint table, currents, address map and
// controller policy, resolved to integers of the memory clock before cycle 0.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/diagnostic.h"
#include "base/quantities.h"
#include "base/result.h"
#include "spec/command.h"
#include "spec/currents.h"
#include "spec/interface.h"
#include "spec/temperature.h"

namespace diffram::spec {

struct Organisation {
  std::uint32_t channels = 1;
  std::uint32_t ranks = 1;        ///< per channel
  std::uint32_t bank_groups = 1;  ///< per rank
  std::uint32_t banks_per_group = 1;
  std::uint32_t rows = 1;             ///< per bank
  std::uint32_t columns = 1;          ///< per row, in device-width words
  std::uint32_t device_width = 8;     ///< bits
  std::uint32_t bus_width = 64;       ///< data bits of a channel
  std::uint32_t burst_length = 8;     ///< beats
  std::uint64_t device_bits = 0;      ///< density of one device as the data sheet states it
  std::uint32_t stack_ids = 1;        ///< of a rank: its bank groups are shared out among them
  std::uint32_t payload_bits = 0;     ///< data of a burst where not all its bits are; 0 = all are
  std::uint32_t pseudo_channels = 1;  ///< of the channels so many share a command bus

  std::uint32_t banks() const { return bank_groups * banks_per_group; }  ///< per rank
  std::uint32_t devices() const { return bus_width / device_width; }     ///< per rank
  std::uint32_t burst_bytes() const {
    return (payload_bits == 0 ? bus_width * burst_length : payload_bits) / 8;
  }
  std::uint32_t groups_per_stack() const { return bank_groups / stack_ids; }
  std::uint32_t bursts_per_row() const { return columns / burst_length; }
  std::uint64_t row_bytes() const { return std::uint64_t{bursts_per_row()} * burst_bytes(); }
  std::uint64_t channel_bytes() const { return row_bytes() * rows * banks() * ranks; }
  std::uint64_t capacity_bytes() const { return channel_bytes() * channels; }
};

/// Every address field is a list of output bits, least significant first; an output bit is the
/// parity of the address bits in its mask (one bit set = plain, more = XOR hash).
struct AddressMap {
  std::vector<std::uint64_t> channel, rank, bank_group, bank, row, column;
  std::string text;  ///< as the spec writes it, for `describe`
};

/// One row of the standard's table: name ("tRCD"), cause it is billed to, clause it comes from.
struct Rule {
  std::string name;
  std::string clause;
  std::string cause;  ///< base::Cause by name: what a wait for this rule is billed to by default
};

enum class PagePolicy : std::uint8_t { open, closed, timeout, adaptive };
inline constexpr std::array<const char*, 4> kPagePolicyNames = {"open", "closed", "timeout",
                                                                "adaptive"};
inline constexpr const char* name_of(PagePolicy p) {
  return kPagePolicyNames[static_cast<std::size_t>(p)];
}

enum class QueueShape : std::uint8_t { shared, per_bank };
inline constexpr std::array<const char*, 2> kQueueShapeNames = {"shared", "per_bank"};
inline constexpr const char* name_of(QueueShape s) {
  return kQueueShapeNames[static_cast<std::size_t>(s)];
}

/// docs/controller.md says exactly what each of these does.
struct Controller {
  std::string scheduler = "frfcfs";
  PagePolicy page_policy = PagePolicy::open;
  std::uint32_t read_queue = 64;   ///< bursts
  std::uint32_t write_queue = 64;  ///< bursts
  std::uint32_t write_high = 48;   ///< start draining writes at this many
  std::uint32_t write_low = 16;    ///< stop at this many while reads wait
  std::uint32_t row_hit_cap =
      64;  ///< hits that may pass an older request to another row of the bank
  std::uint32_t max_wait = 4096;  ///< cycles after which the oldest request goes first
  bool refresh_stagger = true;    ///< spread the ranks' refreshes over the interval
  std::uint32_t dispatch = 2;     ///< cycles from acceptance to the first command slot
  QueueShape queue_shape = QueueShape::shared;
  std::uint32_t bank_queue = 8;  ///< bursts of one bank and direction, with `per_bank`

  // Schedulers.
  std::uint32_t strict_bypass = 4;  ///< frfcfs-strict: hits that may pass one older burst
  std::uint32_t strict_age = 512;   ///< … and only before it has waited so many cycles
  std::uint32_t group_high = 32;    ///< frfcfs-grouped: bursts that make a group worth turning to
  std::uint32_t group_low = 8;      ///< … bursts of the present group that may be left behind
  // A row that was idle for nearly twice tRC of DDR4-3200 has paid off its activation or never
  // will.
  std::uint32_t page_timeout = 128;  ///< page policy timeout: cycles without a use

  std::uint32_t refresh_postpone = 0;     ///< refreshes that a busy rank may owe
  std::uint32_t refresh_pull_in = 0;      ///< refreshes that an idle rank may be ahead
  std::uint32_t refresh_granularity = 1;  ///< 1, 2 or 4: fine granularity refresh
  bool refresh_by_parts = false;          ///< with REFpb or REFsb, not with REFab
  std::uint32_t power_down_after = 0;     ///< idle cycles of a rank; 0 = never
  std::uint32_t self_refresh_after = 0;   ///< idle cycles of a rank; 0 = never
};

/// Which banks one REFpb or REFsb refreshes.
enum class RefreshUnit : std::uint8_t {
  bank,       ///< the bank it names
  bank_pair,  ///< and the same one half the bank groups further
  same_bank,  ///< the bank of this number in every bank group
};
inline constexpr std::array<const char*, 3> kRefreshUnitNames = {"bank", "bank_pair", "same_bank"};

/// Bank groups that are refreshed apart from each other, bank by bank: the others go with one of
/// them.
inline std::uint32_t groups_refreshed_apart(const Organisation& o, RefreshUnit unit) {
  if (unit == RefreshUnit::same_bank) return 1;
  return unit == RefreshUnit::bank_pair ? std::max(1u, o.bank_groups / 2) : o.bank_groups;
}

/// What a standard's table says beside its rows.
struct Protocol {
  bool split_buses = false;             ///< row and column commands have a bus each
  std::optional<Command> part_refresh;  ///< REFpb or REFsb, if it has one
  RefreshUnit refresh_unit = RefreshUnit::bank;
  /// The data clock has to be started (CAS_RD, CAS_WR) and runs so long after the last column
  /// command; 0 = it always runs.
  std::int32_t clock_after_read = 0, clock_after_write = 0;
  std::int32_t clock_lead = 1;         ///< cycles of CAS: so long before its read or write it comes
  std::int32_t ticks_per_clock = 1;    ///< cycles of the engine: 2 = half-clock edges
  std::uint32_t rising_edge_only = 0;  ///< mask of commands that begin with a whole clock

  bool starts_with_clock(Command c) const {
    return (rising_edge_only >> static_cast<std::size_t>(c) & 1) != 0;
  }
};

struct MemorySpec {
  std::string name;
  std::string title;
  std::string standard;  ///< "DDR4"
  Organisation organisation;
  base::Clock clock;
  std::int64_t megatransfers = 0;  ///< data rate per pin, MT/s
  std::map<std::string, std::int32_t>
      timings;  ///< resolved, cycles: nRCD, nRP, nCL, nCWL, nBL, nRFC, nREFI …
  std::vector<Rule> rules;
  std::vector<Constraint> constraints;
  Protocol protocol;
  TemperatureLimits temperature;
  AddressMap map;
  Controller controller;
  std::optional<Currents> currents;
  std::optional<EventEnergies> event_energies;  ///< where there are no currents
  CurrentLoops current_loops;                   ///< of the standard
  std::optional<Pads> pads;                     ///< nothing = what the pins cost is not known
  std::vector<base::Assumption> provenance;     ///< every value of the files with its source
  std::vector<base::Diagnostic> diagnostics;    ///< figures that disagree, estimated currents …

  std::int32_t timing(const std::string& key) const { return timings.at(key); }
  double peak_bytes_per_s() const {
    return static_cast<double>(megatransfers) * 1e6 * organisation.burst_bytes() /
           organisation.burst_length * organisation.channels;
  }
};

/// `--set memory.controller.scheduler=frfcfs`: dotted key below the file's root, and its text.
using Overrides = std::vector<std::pair<std::string, std::string>>;

/// Where `specs/` lies: beside the installed program, or the source tree. Set once by the session.
struct SpecFolders {
  std::string root;  ///< holds memories/, machines/, standards/, workloads/
};

/// $DIFFRAM_SPECS, else the first of `ways` from `start` that leads to one, else `otherwise`.
SpecFolders find_folders(const std::string& start, const std::vector<std::string>& ways,
                         const std::string& otherwise);

/// A name from `specs/memories/` or a TOML file. Errors are collected: unknown keys with the
/// nearest known one, missing, negative, inconsistent values, each with file and line.
base::Result<MemorySpec> load_memory(const SpecFolders& folders, const std::string& name_or_file,
                                     const Overrides& overrides = {});

/// Names of the shipped memories, sorted.
std::vector<std::string> list_memories(const SpecFolders& folders);

/// Resolve the standard's constraint table for given integer timings (the oracles of other
/// simulators bring their own integers).
base::Result<std::vector<Constraint>> resolve_constraints(
    const SpecFolders& folders, const std::string& standard,
    const std::map<std::string, std::int32_t>& timings, std::vector<Rule>& rules);

/// How the standard measures its currents.
base::Result<CurrentLoops> current_loops(const SpecFolders& folders, const std::string& standard);

/// What else the table says, for the same integers.
base::Result<Protocol> resolve_protocol(const SpecFolders& folders, const std::string& standard,
                                        const std::map<std::string, std::int32_t>& timings);

}  // namespace diffram::spec

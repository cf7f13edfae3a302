// [controller] of a DRAMsim3 configuration: what a native controller does alike. The rest is named,
// because the two then do different things.

#include <fmt/format.h>

#include <algorithm>

#include "spec/dramsim3_values.h"

namespace diffram::spec {

namespace {

constexpr const char* kSystem = "system";
using base::Severity;

class PolicyWriter {
 public:
  explicit PolicyWriter(Dramsim3Source& source) : source_(source), config_(source.config()) {}

  CarriedTable write() {
    table_.values.push_back(
        {"scheduler", "\"frfcfs\"", "", Origin::policy, "DRAMsim3's oldest ready first", {}, {}});
    add("page_policy", config_.close_page ? "\"closed\"" : "\"open\"", "row_buf_policy");
    write_queues();
    write_refresh();
    if (config_.self_refresh) {
      add("self_refresh_after", std::to_string(config_.self_refresh_threshold), "sref_threshold");
    } else {
      leave_out("sref_threshold", "enable_self_refresh is false", Severity::note);
    }
    write_rest();
    return std::move(table_);
  }

 private:
  void add(const char* key, std::string value, const char* from) {
    auto out = source_.carried(key, std::move(value), "", kSystem, from);
    out.origin = Origin::policy;
    table_.values.push_back(std::move(out));
  }
  void leave_out(const char* key, const char* why, Severity severity = Severity::warning,
                 const char* section = kSystem) {
    source_.leave_out(section, key, why, severity);
  }

  void write_queues() {
    const std::uint32_t entries = config_.transaction_queue_entries;
    add("read_queue", std::to_string(entries), "trans_queue_size");
    add("write_queue", std::to_string(entries), "trans_queue_size");
    // The marks of the shipped memories: three quarters and one quarter of the queue.
    const std::uint32_t high = std::max(1u, entries - entries / 4);
    add("write_high", std::to_string(high), "trans_queue_size");
    add("write_low", std::to_string(std::min(high - 1, entries / 4)), "trans_queue_size");
    if (!config_.one_queue_per_rank) {
      add("queue_shape", "\"per_bank\"", "queue_structure");
      add("bank_queue", std::to_string(config_.command_queue_entries), "cmd_queue_size");
    } else {
      leave_out("queue_structure", "PER_RANK: reads and writes have one queue each, of all ranks");
      leave_out("cmd_queue_size", "trans_queue_size bounds what is chosen from");
    }
    if (config_.unified_queue)
      leave_out("unified_queue", "reads and writes have a queue each");
    else
      leave_out("unified_queue", "false: reads and writes have a queue each here too",
                Severity::note);
  }

  void write_refresh() {
    const bool together = config_.refresh == Dramsim3Refresh::rank_simultaneous;
    add("refresh_stagger", together ? "false" : "true", "refresh_policy");
    if (together && config_.ranks > 1) {
      source_.note("all_ranks_refreshed", Severity::warning,
                   "RANK_LEVEL_SIMULTANEOUS refreshes every rank; DRAMsim3 refreshes the first one "
                   "alone",
                   fmt::format("{} ranks", config_.ranks));
    }
    if (config_.refresh != Dramsim3Refresh::bank_staggered) return;
    if (source_.standard().part_refresh == Command::REFpb) {
      add("refresh_scope", "\"per_bank\"", "refresh_policy");
    } else {
      leave_out("refresh_policy",
                "BANK_LEVEL_STAGGERED: the standard has no refresh of single banks, so ranks are "
                "refreshed whole");
    }
  }

  void write_rest() {
    if (!config_.self_refresh)
      leave_out("enable_self_refresh", "false: ranks stay awake here too", Severity::note);
    leave_out("write_buf_size", "DRAMsim3 does not use it", Severity::note);
    leave_out("aggressive_precharging_enabled", "DRAMsim3 does not use it", Severity::note);
    constexpr const char* kStructure = "dram_structure";
    leave_out("bankgroup_enable", "bankgroups and banks_per_group say what it makes of them",
              Severity::note, kStructure);
    leave_out("num_dies", "DRAMsim3 uses it for heat alone", Severity::note, kStructure);
    if (is_hbm(config_.protocol) && !config_.dual_command)
      leave_out("hbm_dual_cmd", "HBM has a bus each for row and column commands", Severity::warning,
                kStructure);
    else
      leave_out("hbm_dual_cmd", "the standard says which buses it has", Severity::note, kStructure);
    for (const char* key : {"epoch_period", "output_level", "output_prefix"})
      leave_out(key, "it is of DRAMsim3's output", Severity::note, "other");
  }

  Dramsim3Source& source_;
  const Dramsim3Config& config_;
  CarriedTable table_{"controller", {}};
};

}  // namespace

CarriedTable controller_of(Dramsim3Source& source) { return PolicyWriter(source).write(); }

}  // namespace diffram::spec

#include "naive_dramsim3/figures.h"

namespace diffram::naive_dramsim3 {
namespace {

struct Bins {
  std::uint64_t width, end;
};
constexpr Bins kLatencyBins{20, 200}, kInterarrivalBins{10, 100};

void add_histogram(Figures& out, const std::string& name, const Histogram& histogram, Bins bins) {
  const auto bin = [&](std::uint64_t value) {
    if (value >= bins.end) return name + "[" + std::to_string(bins.end) + "-]";
    const auto first = value / bins.width * bins.width;
    return name + "[" + std::to_string(first) + "-" + std::to_string(first + bins.width - 1) + "]";
  };
  std::map<std::string, std::uint64_t> counts = {{name + "[-0]", 0}};  // below 0: always none
  for (std::uint64_t value = 0; value <= bins.end; value += bins.width) counts[bin(value)] = 0;
  for (const auto& [value, count] : histogram) {
    counts[bin(value)] += count;
    out[name + "." + std::to_string(value)] = count;
  }
  for (const auto& [bin_name, count] : counts) out[bin_name] = count;
}

double average(const Histogram& histogram) {
  std::uint64_t sum = 0, count = 0;
  for (const auto& [value, times] : histogram) {
    sum += value * times;
    count += times;
  }
  return count == 0 ? 0.0 : static_cast<double>(sum) / static_cast<double>(count);
}

}  // namespace

// Equality to the last bit: the energy of one event first, then times its number, in this order.
Figures figures_of(const Configuration& c, const Counters& n, int channel) {
  Figures out;
  out["channel"] = static_cast<std::uint64_t>(channel);
  out["num_cycles"] = n.cycles;
  out["epoch_num"] = n.epochs;
  out["num_reads_done"] = n.reads_done;
  out["num_writes_done"] = n.writes_done;
  const auto read_cmds = n.commands[RD] + n.commands[RDA];
  const auto write_cmds = n.commands[WR] + n.commands[WRA];
  out["num_read_cmds"] = read_cmds;
  out["num_write_cmds"] = write_cmds;
  out["num_act_cmds"] = n.commands[ACT];
  out["num_pre_cmds"] = n.commands[PRE];
  out["num_ondemand_pres"] = n.ondemand_pres;
  out["num_ref_cmds"] = n.commands[REF];
  out["num_refb_cmds"] = n.commands[REFB];
  out["num_srefe_cmds"] = n.commands[SREFE];
  out["num_srefx_cmds"] = n.commands[SREFX];
  out["hbm_dual_cmds"] = n.dual_commands;
  out["num_read_row_hits"] = n.read_row_hits;
  out["num_write_row_hits"] = n.write_row_hits;
  out["num_write_buf_hits"] = std::uint64_t{0};
  add_histogram(out, "read_latency", n.read_latency, kLatencyBins);
  add_histogram(out, "write_latency", n.write_latency, kLatencyBins);
  add_histogram(out, "interarrival_latency", n.interarrival, kInterarrivalBins);

  const double dev = c.devices;
  const auto times = [](std::uint64_t count, double of_one) {
    return static_cast<double>(count) * of_one;
  };
  const double act =
      times(n.commands[ACT], c.VDD * (c.IDD0 * c.tRC - (c.IDD3N * c.tRAS + c.IDD2N * c.tRP)) * dev);
  const double read = times(read_cmds, c.VDD * (c.IDD4R - c.IDD3N) * c.burst_cycles * dev);
  const double write = times(write_cmds, c.VDD * (c.IDD4W - c.IDD3N) * c.burst_cycles * dev);
  const double ref = times(n.commands[REF], c.VDD * (c.IDD5AB - c.IDD3N) * c.tRFC * dev);
  const double refb = times(n.commands[REFB], c.VDD * (c.IDD5PB - c.IDD3N) * c.tRFCb * dev);
  double background = 0;
  for (int rank = 0; rank < c.ranks; ++rank) {
    const auto of_rank = "." + std::to_string(rank);
    out["all_bank_idle_cycles" + of_rank] = n.idle_cycles[rank];
    out["rank_active_cycles" + of_rank] = n.active_cycles[rank];
    out["sref_cycles" + of_rank] = n.sleep_cycles[rank];
    const double act_stb = times(n.active_cycles[rank], c.VDD * c.IDD3N * dev);
    const double pre_stb = times(n.idle_cycles[rank], c.VDD * c.IDD2N * dev);
    const double sref = times(n.sleep_cycles[rank], c.VDD * c.IDD6x * dev);
    background += act_stb + pre_stb + sref;
  }
  const double total = act + read + write + ref + refb + background;
  out["act_energy"] = act;
  out["read_energy"] = read;
  out["write_energy"] = write;
  out["ref_energy"] = ref;
  out["refb_energy"] = refb;
  out["total_energy"] = total;
  const auto cycles = static_cast<double>(n.cycles);
  out["average_power"] = total / cycles;
  out["average_bandwidth"] =
      static_cast<double>((n.reads_done + n.writes_done) * c.request_bytes) / (cycles * c.tCK);
  out["average_read_latency"] = average(n.read_latency);
  out["average_interarrival"] = average(n.interarrival);
  return out;
}

}  // namespace diffram::naive_dramsim3

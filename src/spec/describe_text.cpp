#include <fmt/format.h>

#include "spec/derived.h"
#include "spec/describe.h"

namespace diffram::spec {

namespace {

class Text {
 public:
  template <class... Args>
  void line(const char* what, fmt::format_string<Args...> value, Args&&... args) {
    out_ += fmt::format("  {:<24}{}\n", what, fmt::format(value, std::forward<Args>(args)...));
  }
  void heading(const std::string& text) { out_ += text + "\n"; }
  void item(const std::string& text) { out_ += "  " + text + "\n"; }
  std::string take() { return std::move(out_); }

 private:
  std::string out_;
};

void write_values(Text& text, const std::vector<base::Assumption>& values) {
  text.heading("values not read in a document");
  bool none = true;
  for (const auto& value : values) {
    if (!is_unverified(value)) continue;
    none = false;
    text.item(fmt::format("{} = {}  ({})", value.field, value.value, value.source));
  }
  if (none) text.item("none");
}

void write_diagnostics(Text& text, const std::vector<base::Diagnostic>& diagnostics) {
  for (const auto& d : diagnostics)
    text.item(fmt::format("{}: {} [{}]", base::name_of(d.severity), d.message, d.code));
}

void write_organisation(Text& text, const MemorySpec& memory, const DerivedMemory& derived) {
  const auto& o = memory.organisation;
  text.line("capacity", "{:g} GiB", derived.capacity_gib);
  text.line("channels", "{} of {} bits, independent{}", o.channels, o.bus_width,
            o.pseudo_channels == 1
                ? ""
                : fmt::format(" ({} pseudo-channels each of {} channels)", o.pseudo_channels,
                              o.channels / o.pseudo_channels));
  text.line("ranks", "{} a channel, {} devices x{} of {:g} Gb each", o.ranks, o.devices(),
            o.device_width, static_cast<double>(o.device_bits) / 0x1p30);
  text.line("banks", "{} a rank ({} groups of {}{})", o.banks(), o.bank_groups, o.banks_per_group,
            o.stack_ids == 1 ? "" : fmt::format(", of {} stack ids", o.stack_ids));
  text.line("rows", "{} a bank, {} B each over the rank", o.rows, o.row_bytes());
  text.line("request", "{} B (burst of {} beats)", o.burst_bytes(), o.burst_length);
}

void write_protocol(Text& text, const Protocol& p) {
  text.line(
      "command buses", "{}{}", p.split_buses ? "one for rows, one for columns" : "one",
      p.ticks_per_clock == 1 ? "" : fmt::format("; a cycle is 1/{} of a clock", p.ticks_per_clock));
  if (p.part_refresh)
    text.line("refresh by parts", "{} of a {}", name_of(*p.part_refresh),
              kRefreshUnitNames[static_cast<std::size_t>(p.refresh_unit)]);
  if (p.clock_after_read > 0)
    text.line("data clock", "started by CAS, runs {} cycles after a read, {} after a write",
              p.clock_after_read, p.clock_after_write);
}

void write_speed(Text& text, const MemorySpec& memory, const DerivedMemory& derived) {
  text.line("data rate", "{} MT/s, clock period {:.6g} ns", memory.megatransfers,
            derived.period_ns);
  text.line("peak", "{:.4g} GB/s", derived.peak_gb_per_s);
  text.line("idle read latency", "{:.2f} ns open row, {:.2f} ns closed bank, {:.2f} ns other row",
            derived.idle_hit_ns, derived.idle_closed_ns, derived.idle_conflict_ns);
  text.line("refresh", "{:.2f} % of the time of a rank", 100 * derived.refresh_share);
  std::string timings;
  for (const auto& [name, cycles] : memory.timings)
    timings += fmt::format("{}{} {}", timings.empty() ? "" : ", ", name, cycles);
  text.line("timings (cycles)", "{}", timings);
  text.line("constraint rows", "{} of {} rules", memory.constraints.size(), memory.rules.size());
}

void write_refresh(Text& text, const Controller& c) {
  if (c.refresh_by_parts) text.line("refresh scope", "parts of a rank, one after the other");
  text.line("refresh stagger", "{}", c.refresh_stagger ? "yes" : "no");
  if (c.refresh_granularity > 1) text.line("refresh granularity", "{}x", c.refresh_granularity);
  if (c.refresh_postpone > 0 || c.refresh_pull_in > 0) {
    text.line("refresh slack", "{} postponed, {} pulled in at most", c.refresh_postpone,
              c.refresh_pull_in);
  }
}

void write_sleep(Text& text, const Controller& c) {
  if (c.power_down_after > 0)
    text.line("power-down", "after {} idle cycles of a rank", c.power_down_after);
  if (c.self_refresh_after > 0)
    text.line("self refresh", "after {} idle cycles of a rank", c.self_refresh_after);
}

void write_controller(Text& text, const Controller& c) {
  const bool is_timed = c.page_policy == PagePolicy::timeout;
  text.line("scheduler", "{}, {} page{}", c.scheduler, name_of(c.page_policy),
            is_timed ? fmt::format(" ({} cycles)", c.page_timeout) : "");
  text.line("queues", "{} reads, {} writes (drain from {} to {})", c.read_queue, c.write_queue,
            c.write_high, c.write_low);
  if (c.queue_shape == QueueShape::per_bank)
    text.line("queue of a bank", "{} of each direction", c.bank_queue);
  if (c.scheduler == "frfcfs-strict") {
    text.line("fairness", "{} hits may pass a burst, none after {} cycles", c.strict_bypass,
              c.strict_age);
  } else if (c.scheduler != "fcfs") {
    text.line("fairness", "{} hits may pass, {} cycles at most", c.row_hit_cap, c.max_wait);
  }
  if (c.scheduler == "frfcfs-grouped")
    text.line("groups", "turn to {} from {} left", c.group_high, c.group_low);
  write_refresh(text, c);
  write_sleep(text, c);
  text.line("dispatch", "{} cycles", c.dispatch);
}

void write_currents(Text& text, const Currents& currents) {
  text.line("currents", "of {}{}", currents.part, currents.estimated ? " (estimated)" : "");
  for (const auto& rail : currents.rails) {
    std::string line = fmt::format("{:g} V", rail.volts);
    for (const auto& [name, ampere] : {std::pair{"I0", rail.i0},
                                       {"I2N", rail.i2n},
                                       {"I2P", rail.i2p},
                                       {"I3N", rail.i3n},
                                       {"I3P", rail.i3p},
                                       {"I4R", rail.i4r},
                                       {"I4W", rail.i4w},
                                       {"I5", rail.i5},
                                       {"I6", rail.i6}}) {
      line += std::isnan(ampere) ? fmt::format(", {} unknown", name)
                                 : fmt::format(", {} {:g} mA", name, 1000 * ampere);
    }
    text.line(rail.name.c_str(), "{}", line);
  }
}

}  // namespace

std::string describe(const MemorySpec& memory) {
  const auto derived = derive(memory);
  Text text;
  text.heading(fmt::format("memory {}: {} ({})", memory.name, memory.title, memory.standard));
  write_organisation(text, memory, derived);
  write_speed(text, memory, derived);
  write_protocol(text, memory.protocol);
  write_controller(text, memory.controller);
  if (memory.currents) write_currents(text, *memory.currents);
  text.heading("address map: " + memory.map.text);
  for (const auto& line : bit_map_lines(memory.map)) text.item(line);
  write_values(text, memory.provenance);
  text.item(fmt::format("{} of {} stated values", derived.unverified_values, derived.values));
  if (!memory.diagnostics.empty()) text.heading("diagnostics");
  write_diagnostics(text, memory.diagnostics);
  return text.take();
}

std::string describe(const MachineSpec& machine) {
  Text text;
  text.heading(fmt::format("machine {}: {}", machine.name, machine.title));
  text.line("memory", "{}", machine.memory);
  text.line("clock", "{:g} MHz", machine.clock.hertz() / 1e6);
  text.line("cores", "{}", machine.cores);
  text.line("array", "{} x {} a core", machine.array_rows, machine.array_columns);
  for (const auto& [dtype, rate] : machine.array_rate)
    text.line(("peak " + dtype).c_str(), "{:.4g} TMAC/s", peak_macs_per_s(machine, rate) / 1e12);
  text.line("vector lanes", "{} a core", machine.vector_lanes);
  static constexpr const char* kOnChip[] = {"none", "scratchpad", "cache"};
  text.line("on chip", "{}, {} KiB, lines of {} B", kOnChip[static_cast<int>(machine.on_chip)],
            machine.on_chip_bytes >> 10, machine.line_bytes);
  text.line("outstanding", "{} B at most", machine.outstanding_bytes);
  text.line("store buffer", "{} B", machine.store_buffer_bytes);
  text.line("launch gap", "{} cycles", machine.launch_gap_cycles);
  text.line("pages", "{}, allocator {}", machine.page_map, machine.allocator);
  for (const auto& [family, share] : machine.efficiency)
    text.line(("efficiency " + family).c_str(), "{:g}", share);
  if (!machine.not_modelled.empty()) text.heading("not modelled");
  for (const auto& sentence : machine.not_modelled) text.item(sentence);
  write_values(text, machine.provenance);
  return text.take();
}

std::string describe(const PackageSpec& package) {
  Text text;
  text.heading(
      fmt::format("package {}: {} ({})", package.name, package.title, name_of(package.kind)));
  text.line("holds", "one device of each of {} channels and {} ranks", package.channels,
            package.ranks);
  text.line("die", "{:g} x {:g} mm", 1e3 * package.width, 1e3 * package.height);
  for (auto layer = package.layers.rbegin(); layer != package.layers.rend(); ++layer)
    text.line(("layer " + layer->name).c_str(), "{}, {:g} um, {:g} W/mK through, {:g} in plane",
              name_of(layer->role), 1e6 * layer->thickness, layer->k_through, layer->k_in_plane);
  const auto stated = [&](const char* what, const std::optional<double>& value, const char* unit) {
    if (value) return text.line(what, "{:g} {}", *value, unit);
    text.line(what, "not stated: the machine's, needed by a run");
  };
  text.line("junction to case", "{:g} K/W", package.junction_to_case);
  text.line("junction to board", "{:g} K/W", package.junction_to_board);
  stated("case to air", package.case_to_air, "K/W");
  stated("board to air", package.board_to_air, "K/W");
  stated("air", package.air, "C");
  stated("air at the board", package.board, "C");
  if (package.layers_of(LayerRole::base) > 0) text.line("base dies", "{:g} W", package.base_watts);
  if (package.layers_of(LayerRole::logic) > 0)
    text.line("logic dies", "{:g} W", package.logic_watts);
  if (package.neighbour)
    text.line("beside it", "{:g} W, {:g} K/W away, {:g} K/W to the air", package.neighbour->watts,
              package.neighbour->to_memory, package.neighbour->to_air);
  write_values(text, package.provenance);
  return text.take();
}

std::string describe(const WorkloadSpec& workload) {
  Text text;
  text.heading(fmt::format("workload {}: {}", workload.name, workload.title));
  text.line("images", "{}", workload.images);
  text.line("trace", "{}", workload.trace_file);
  if (workload.trace_batch > 0)
    text.line("made for batch", "{} (affine trace)", workload.trace_batch);
  for (const auto& sentence : workload.text) text.item(sentence);
  return text.take();
}

}  // namespace diffram::spec

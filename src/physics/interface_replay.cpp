#include "physics/interface_replay.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace diffram::physics {

namespace {

constexpr std::uint32_t kInversionGroup = 8;  ///< data pins that share a DBI pin

bool idles_high(const InterfaceShape& shape, bool is_read) {
  if (shape.rules == InterfaceRules::drampower && shape.rates)
    return is_read ? shape.rates->read_idles_high : shape.rates->write_idles_high;
  return !shape.standard.starts_with("LP");
}

bool inverts(const InterfaceShape& shape) {
  return shape.inverts_data && shape.data_pins() % kInversionGroup == 0 && shape.standard != "DDR5";
}

/// Beats as words of pins; with inversion the words that the pins see and the DBI pins' own.
struct Payload {
  std::vector<std::uint64_t> data, inversion;
  std::int64_t beats = 0;
};

bool bit_of(std::span<const std::uint8_t> bytes, std::size_t i) {
  return (bytes[i / 8] >> (i % 8) & 1) != 0;
}

Payload payload_of(const InterfaceShape& shape, std::span<const std::uint8_t> bytes) {
  const std::size_t pins = shape.data_pins();
  const std::size_t words = (pins + 63) / 64, inversion_words = (pins / kInversionGroup + 63) / 64;
  Payload p;
  p.beats = static_cast<std::int64_t>(bytes.size() * 8 / pins);
  p.data.assign(words * static_cast<std::size_t>(p.beats), 0);
  for (std::size_t i = 0; i < pins * static_cast<std::size_t>(p.beats); ++i)
    if (bit_of(bytes, i))
      p.data[i / pins * words + i % pins / 64] |= std::uint64_t{1} << i % pins % 64;
  if (!inverts(shape)) return p;

  const bool is_high_idle = !shape.standard.starts_with("LP");
  p.inversion.assign(inversion_words * static_cast<std::size_t>(p.beats), 0);
  for (std::size_t i = 0; i < bytes.size() && i / (pins / 8) < static_cast<std::size_t>(p.beats);
       ++i) {
    const std::size_t beat = i / (pins / 8), group = i % (pins / 8);
    const int ones = std::popcount(bytes[i]);
    // Fewer pins at the level that draws current: low in DDR4, high in LPDDR.
    const bool is_inverted = is_high_idle ? ones < 4 : ones > 4;
    if (is_inverted) p.data[beat * words + group / 8] ^= std::uint64_t{0xFF} << group % 8 * 8;
    if (is_inverted != is_high_idle)
      p.inversion[beat * inversion_words + group / 64] |= std::uint64_t{1} << group % 64;
  }
  return p;
}

}  // namespace

std::int64_t InterfaceShape::beats_per_clock() const {
  const bool counts_write_clock = rules == InterfaceRules::diffram && has_write_clock();
  return std::int64_t{data_rate} * (counts_write_clock ? write_clocks_per_clock : 1);
}

std::uint32_t InterfaceShape::strobe_pairs() const {
  const std::uint32_t of_device = device_width == 16 ? 2 : 1;
  if (rules == InterfaceRules::diffram) return devices * of_device;
  return has_write_clock() ? 1 : of_device;
}

InterfaceReplay::InterfaceReplay(const InterfaceShape& shape)
    : shape_(shape),
      pins_(CommandPins::known(shape.standard, shape.bank_mode)),
      command_bus_(pins_.pins(), pins_.idles_high()),
      read_{PinBus(shape.data_pins(), idles_high(shape, true)),
            PinBus(shape.data_pins() / kInversionGroup, pins_.idles_high()),
            std::vector<std::int64_t>(shape.ranks, 0)},
      write_{PinBus(shape.data_pins(), idles_high(shape, false)),
             PinBus(shape.data_pins() / kInversionGroup, pins_.idles_high()),
             std::vector<std::int64_t>(shape.ranks, 0)},
      is_stopped_(shape.ranks, false) {}

void InterfaceReplay::apply(const InterfaceCommand& command) {
  run_until(command.cycle);
  stop_or_start_clock(command);
  std::int64_t burst = shape_.burst_length;
  if (command.name == "RD" || command.name == "RDA") burst = transfer(read_, command);
  if (command.name == "WR" || command.name == "WRA") burst = transfer(write_, command);
  if (const auto pins = pins_.find(command.name))
    command_bus_.load(command.cycle * pins_.beats_per_clock(),
                      pins_.beats(*pins, command.place, static_cast<std::uint32_t>(burst)));
  else
    ++commands_without_pins_;
}

void InterfaceReplay::run_until(std::int64_t cycle) {
  command_bus_.run_until(cycle * pins_.beats_per_clock());
  for (Direction* way : {&read_, &write_}) {
    way->data.run_until(cycle * shape_.beats_per_clock());
    if (inverts(shape_)) way->inversion.run_until(cycle * shape_.beats_per_clock());
  }
  count_stopped(cycle);
}

/// Returns the beats of the burst.
std::int64_t InterfaceReplay::transfer(Direction& way, const InterfaceCommand& c) {
  const std::int64_t rate = shape_.beats_per_clock();
  const std::int64_t beat = c.cycle * rate;
  const bool by_rate = shape_.rates && (!is_ours() || c.data.empty());
  std::int64_t beats = shape_.burst_length;
  if (c.data.empty()) ++bursts_without_data_;
  if (by_rate) {
    if (!c.data.empty()) beats = static_cast<std::int64_t>(c.data.size() * 8 / shape_.data_pins());
    way.data.load_unknown(beat, beats);
  } else {
    const Payload payload = payload_of(shape_, c.data);
    beats = payload.beats;
    way.data.load(beat, payload.data);
    if (inverts(shape_)) way.inversion.load(beat, payload.inversion);
  }
  way.strobe_clocks += beats / 2;
  if (shape_.has_write_clock() && !shape_.write_clock_always_on)
    burst_write_clock_ += is_ours()
                              ? 2 * beats / shape_.data_rate
                              : beats / rate * (shape_.data_rate / shape_.write_clocks_per_clock);
  ++way.bursts;
  if (c.cycle == way.last_end[c.rank]) ++way.seamless;
  way.last_end[c.rank] = c.cycle + beats / rate;
  return beats;
}

void InterfaceReplay::stop_or_start_clock(const InterfaceCommand& c) {
  if (!is_ours()) return;
  // LPDDR may stop its clock in power-down too, DDR in self refresh alone.
  const bool is_power_down = c.name == "PDE" || c.name == "DSME";
  if (c.name == "SREFE" || (is_power_down && !pins_.idles_high())) is_stopped_[c.rank] = true;
  if (c.name == "SREFX" || c.name == "PDX" || c.name == "DSMX") is_stopped_[c.rank] = false;
}

/// The ranks share CK: it stands still while all of them allow it.
void InterfaceReplay::count_stopped(std::int64_t cycle) {
  if (std::ranges::all_of(is_stopped_, [](bool b) { return b; }))
    stopped_cycles_ += cycle - stopped_until_;
  stopped_until_ = cycle;
}

/// Unit intervals that the two lines of WCK spend at either level, and its edges of either kind.
std::int64_t InterfaceReplay::write_clock_levels(std::int64_t running_cycles) const {
  if (!shape_.write_clock_always_on) return burst_write_clock_;
  if (is_ours()) return running_cycles * 2 * shape_.write_clocks_per_clock;
  // DRAMPower divides by the ratio where it should multiply.
  return running_cycles * (shape_.data_rate / shape_.write_clocks_per_clock);
}

void InterfaceReplay::add_data(const Direction& way, bool is_read, InterfaceCounts& counts) const {
  PinCounts data = way.data.counts();
  if (shape_.rates) {
    const DataRates& rates = *shape_.rates;
    const auto n = static_cast<double>(way.data.unknown_beats());
    const double high = is_read ? rates.read_ones : rates.write_ones;
    const double toggle = is_read ? rates.read_toggle : rates.write_toggle;
    const std::int64_t pins = shape_.data_pins();
    const auto whole = [](double x) { return static_cast<std::int64_t>(std::floor(x)); };
    data += {whole(n * high) * pins, whole(n * (1 - high)) * pins, whole(n * toggle / 2) * pins,
             whole(n * toggle / 2) * pins};
  }
  counts.pins[is_read ? PinGroup::read_data : PinGroup::write_data] = data;
  if (inverts(shape_))
    counts.pins[is_read ? PinGroup::read_inversion : PinGroup::write_inversion] =
        way.inversion.counts();
  if (is_read || !shape_.has_write_clock())  // WCK is the strobe of LPDDR5's writes
    counts.pins[is_read ? PinGroup::read_strobe : PinGroup::write_strobe] =
        both_lines(way.strobe_clocks * shape_.strobe_pairs());
}

InterfaceCounts InterfaceReplay::at(std::int64_t cycle) const {
  InterfaceReplay copy = *this;
  copy.run_until(cycle);
  InterfaceCounts counts;
  counts.cycles = cycle;
  const std::int64_t running = cycle - copy.stopped_cycles_;
  counts.pins[PinGroup::clock] = both_lines(running);
  counts.pins[PinGroup::command] = copy.command_bus_.counts();
  copy.add_data(copy.read_, true, counts);
  copy.add_data(copy.write_, false, counts);
  if (shape_.has_write_clock()) {
    const std::int64_t levels = copy.write_clock_levels(running);
    counts.pins[PinGroup::write_clock] = {levels, levels, levels, levels};
  }
  counts.reads = copy.read_.bursts, counts.writes = copy.write_.bursts;
  counts.reads_seamless = copy.read_.seamless, counts.writes_seamless = copy.write_.seamless;
  counts.read_ambles = (counts.reads - counts.reads_seamless) * shape_.strobe_pairs();
  counts.write_ambles = (counts.writes - counts.writes_seamless) * shape_.strobe_pairs();
  return counts;
}

}  // namespace diffram::physics

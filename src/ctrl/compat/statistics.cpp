#include "ctrl/compat/statistics.h"

#include <bit>

namespace diffram::ctrl::compat {

bool Histogram::reach(std::uint64_t value) {
  if (value >= kMostFlatValues) return false;
  flat_.resize(std::bit_ceil(value + 1));
  return true;
}

double Histogram::mean() const {
  return count_ == 0 ? 0.0 : static_cast<double>(sum_) / static_cast<double>(count_);
}

std::vector<std::pair<std::uint64_t, std::uint64_t>> Histogram::values() const {
  std::vector<std::pair<std::uint64_t, std::uint64_t>> out;
  for (std::size_t value = 0; value < flat_.size(); ++value) {
    if (flat_[value] != 0) out.emplace_back(value, flat_[value]);
  }
  out.insert(out.end(), far_.begin(), far_.end());
  return out;
}

Energies energies_of(const Counters& counters, const spec::Dramsim3Config& config) {
  const auto& p = config.power;
  const auto& t = config.timing;
  const double devices = config.devices;
  const auto number = [](std::uint64_t count) { return static_cast<double>(count); };
  const double activate =
      p.VDD * (p.IDD0 * t.tRC() - (p.IDD3N * t.tRAS + p.IDD2N * t.tRP)) * devices;
  const double read = p.VDD * (p.IDD4R - p.IDD3N) * config.burst_cycles * devices;
  const double write = p.VDD * (p.IDD4W - p.IDD3N) * config.burst_cycles * devices;
  const double refresh = p.VDD * (p.IDD5AB - p.IDD3N) * t.tRFC * devices;
  const double refresh_bank = p.VDD * (p.IDD5PB - p.IDD3N) * t.tRFCb * devices;
  const double active = p.VDD * p.IDD3N * devices;
  const double idle = p.VDD * p.IDD2N * devices;
  const double asleep = p.VDD * p.IDD6x * devices;

  Energies e;
  e.activate = number(counters.of(Command::ACT)) * activate;
  e.read = number(counters.reads()) * read;
  e.write = number(counters.writes()) * write;
  e.refresh = number(counters.of(Command::REF)) * refresh;
  e.refresh_bank = number(counters.of(Command::REFB)) * refresh_bank;
  double background = 0;
  for (const RankCycles& rank : counters.ranks) {
    const Energies::Background each{number(rank.active) * active, number(rank.idle) * idle,
                                    number(rank.asleep) * asleep};
    background += (each.active + each.idle) + each.asleep;
    e.ranks.push_back(each);
  }
  e.total = ((((e.activate + e.read) + e.write) + e.refresh) + e.refresh_bank) + background;
  return e;
}

double bandwidth_of(const Counters& counters, const spec::Dramsim3Config& config) {
  const auto requests = static_cast<double>(counters.reads_done + counters.writes_done);
  const double nanoseconds = static_cast<double>(counters.cycles) * config.tCK_ns;
  return requests * config.request_bytes / nanoseconds;
}

}  // namespace diffram::ctrl::compat

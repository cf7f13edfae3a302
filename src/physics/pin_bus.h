#pragma once
// A group of pins that change together, and what it spends: how long its pins were high and low and
// how often they changed, idle time included.

#include <cstdint>
#include <deque>
#include <span>
#include <vector>

namespace diffram::physics {

/// Unit intervals at each level and changes of level, summed over the pins of a group.
struct PinCounts {
  std::int64_t ones = 0, zeroes = 0;  ///< pin · unit interval
  std::int64_t falls = 0, rises = 0;  ///< high → low, low → high

  bool operator==(const PinCounts&) const = default;
  PinCounts& operator+=(const PinCounts& o) {
    ones += o.ones, zeroes += o.zeroes, falls += o.falls, rises += o.rises;
    return *this;
  }
};

/// A differential pair that runs for so many periods, half of each at either level.
inline PinCounts both_lines(std::int64_t periods) {
  return {2 * periods, 2 * periods, 2 * periods, 2 * periods};
}

/// Time runs in beats (unit intervals). Before, between and after bursts every pin is idle.
class PinBus {
 public:
  /// `idle_high`: the level of all pins while nobody drives them.
  PinBus(std::uint32_t pins, bool idle_high);

  std::size_t words_per_beat() const { return idle_.size(); }

  /// A burst from `beat` on; pin k of a beat is bit k of its words. A burst that begins before an
  /// earlier one has ended cuts it. Bursts come by ascending beat.
  void load(std::int64_t beat, std::span<const std::uint64_t> words);
  /// A burst whose levels are not known: its beats are counted, its pins count as idle around it.
  void load_unknown(std::int64_t beat, std::int64_t beats);
  /// Count everything before `beat`.
  void run_until(std::int64_t beat);

  const PinCounts& counts() const { return counts_; }
  std::int64_t unknown_beats() const { return unknown_beats_; }

 private:
  struct Burst {
    std::int64_t begin = 0, end = 0;
    std::vector<std::uint64_t> words;  ///< none = not known
  };

  void add(std::int64_t beat, Burst burst);
  void count(std::span<const std::uint64_t> levels, std::int64_t beats);

  std::uint32_t pins_;
  std::vector<std::uint64_t> idle_, now_;
  std::deque<Burst> bursts_;
  std::int64_t counted_ = 0;  ///< beats before this one are in the counts
  std::int64_t unknown_beats_ = 0;
  PinCounts counts_;
};

}  // namespace diffram::physics

#include "physics/pin_bus.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace diffram::physics {

PinBus::PinBus(std::uint32_t pins, bool idle_high) : pins_(pins), idle_((pins + 63) / 64, 0) {
  for (std::uint32_t pin = 0; idle_high && pin < pins; ++pin)
    idle_[pin / 64] |= std::uint64_t{1} << (pin % 64);
  now_ = idle_;
}

void PinBus::load(std::int64_t beat, std::span<const std::uint64_t> words) {
  const auto beats = static_cast<std::int64_t>(words.size() / words_per_beat());
  add(beat, {beat, beat + beats, {words.begin(), words.end()}});
}

void PinBus::load_unknown(std::int64_t beat, std::int64_t beats) {
  add(beat, {beat, beat + beats, {}});
}

void PinBus::add(std::int64_t beat, Burst burst) {
  while (!bursts_.empty() && bursts_.back().begin >= beat) bursts_.pop_back();
  if (!bursts_.empty()) bursts_.back().end = std::min(bursts_.back().end, beat);
  if (burst.begin < burst.end) bursts_.push_back(std::move(burst));
}

void PinBus::run_until(std::int64_t beat) {
  while (counted_ < beat) {
    if (bursts_.empty() || bursts_.front().begin >= beat) {
      count(idle_, beat - counted_);
      counted_ = beat;
      return;
    }
    const Burst& burst = bursts_.front();
    if (counted_ < burst.begin) {
      count(idle_, burst.begin - counted_);
      counted_ = burst.begin;
    }
    const std::int64_t until = std::min(beat, burst.end);
    if (burst.words.empty()) {
      unknown_beats_ += until - counted_;
      now_ = idle_;
    } else {
      for (std::int64_t b = counted_; b < until; ++b) {
        const auto first = static_cast<std::size_t>(b - burst.begin) * words_per_beat();
        count(std::span(burst.words).subspan(first, words_per_beat()), 1);
      }
    }
    counted_ = until;
    if (until == burst.end) bursts_.pop_front();
  }
}

void PinBus::count(std::span<const std::uint64_t> levels, std::int64_t beats) {
  std::int64_t ones = 0;
  for (std::size_t w = 0; w < levels.size(); ++w) {
    ones += std::popcount(levels[w]);
    counts_.rises += std::popcount(levels[w] & ~now_[w]);
    counts_.falls += std::popcount(now_[w] & ~levels[w]);
    now_[w] = levels[w];
  }
  counts_.ones += ones * beats;
  counts_.zeroes += (pins_ - ones) * beats;
}

}  // namespace diffram::physics

#pragma once

#include <cstdint>
#include <initializer_list>
#include <random>

namespace diffram::oracle {

class Dice {
 public:
  explicit Dice(std::uint64_t seed) : engine_(seed) {}
  /// Both ends included. No std distribution: their results differ between libraries.
  std::int64_t between(std::int64_t least, std::int64_t most) {
    return least +
           static_cast<std::int64_t>(engine_() % static_cast<std::uint64_t>(most - least + 1));
  }
  std::uint32_t pick(std::initializer_list<std::uint32_t> of) {
    return of.begin()[between(0, static_cast<std::int64_t>(of.size()) - 1)];
  }
  const char* pick(std::initializer_list<const char*> of) {
    return of.begin()[between(0, static_cast<std::int64_t>(of.size()) - 1)];
  }
  bool one_in(std::int64_t n) { return between(1, n) == 1; }

 private:
  std::mt19937_64 engine_;
};

}  // namespace diffram::oracle

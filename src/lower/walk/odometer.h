#pragma once
// Nested loops as data: digits that count like an odometer, the last fastest.

#include <cstdint>
#include <utility>
#include <vector>

namespace diffram::lower {

class Odometer {
 public:
  explicit Odometer(std::vector<std::int64_t> limits)
      : limits_(std::move(limits)), digits_(limits_.size(), 0) {
    for (const std::int64_t limit : limits_) done_ = done_ || limit <= 0;
  }
  bool done() const { return done_; }
  std::int64_t operator[](std::size_t i) const { return digits_[i]; }
  void advance() {
    for (std::size_t i = digits_.size(); i-- > 0;) {
      if (++digits_[i] < limits_[i]) return;
      digits_[i] = 0;
    }
    done_ = true;
  }

 private:
  std::vector<std::int64_t> limits_, digits_;
  bool done_ = false;
};

}  // namespace diffram::lower

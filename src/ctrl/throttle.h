#pragma once
// A hot memory may use a share of its column slots: in each period of 1,024 cycles the first part
// is open, the rest closed. Sixteen steps of 64 cycles, so the longest closed stretch is shorter
// than any burst may wait.

#include <cmath>
#include <cstdint>

namespace diffram::ctrl {

class Throttle {
 public:
  static constexpr std::int64_t kPeriod = 1024;

  /// Of the slots, in (0, 1].
  void set_share(double share) { open_ = std::llround(share * kPeriod); }
  bool is_on() const { return open_ < kPeriod; }
  bool is_open(std::int64_t cycle) const { return cycle % kPeriod < open_; }
  /// The first open cycle that is not before.
  std::int64_t open_from(std::int64_t cycle) const {
    return is_open(cycle) ? cycle : (cycle / kPeriod + 1) * kPeriod;
  }
  /// End of the stretch, open or closed, that the cycle lies in.
  std::int64_t end_of_stretch(std::int64_t cycle) const {
    const std::int64_t begin = cycle - cycle % kPeriod;
    return cycle - begin < open_ ? begin + open_ : begin + kPeriod;
  }

  template <class Archive>
  void serialize(Archive& archive) {
    archive(open_);
  }

 private:
  std::int64_t open_ = kPeriod;
};

}  // namespace diffram::ctrl

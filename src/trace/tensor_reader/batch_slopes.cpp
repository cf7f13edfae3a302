#include "trace/tensor_reader/batch_slopes.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace diffram::trace {

void BatchSlopes::apply(JsonLine& line) const {
  const Json* slopes = line.list("d");
  if (!slopes) return;
  const std::size_t count = integers_.size() + attribute_numbers_.size();
  if (slopes->size() != count) {
    line.complain("slope_count", fmt::format("has {} slopes", slopes->size()), "d",
                  fmt::format("{}, one for each number of the line", count));
    return;
  }
  for (std::size_t i = 0; i < count; ++i) {
    std::int64_t slope = 0, growth = 0;
    bool is_sound =
        read_integer((*slopes)[i], slope) && !__builtin_mul_overflow(slope, distance_, &growth);
    if (is_sound && i < integers_.size()) {
      is_sound = !__builtin_add_overflow(*integers_[i], growth, integers_[i]);
    } else if (is_sound) {
      *attribute_numbers_[i - integers_.size()] += static_cast<double>(growth);
    }
    if (!is_sound) {
      line.complain("out_of_range", "is no slope that fits 64 bits at this batch",
                    fmt::format("d[{}]", i), "a whole number");
      return;
    }
  }
}

}  // namespace diffram::trace

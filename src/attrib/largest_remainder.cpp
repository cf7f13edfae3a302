#include "attrib/largest_remainder.h"

#include <algorithm>
#include <numeric>

#include "base/clock.h"

namespace diffram::attrib {

std::vector<std::int64_t> cut_by_largest_remainder(std::int64_t total,
                                                   std::span<const std::int64_t> weights) {
  const std::int64_t all = std::accumulate(weights.begin(), weights.end(), std::int64_t{0});
  std::vector<std::int64_t> parts(weights.size()), remainders(weights.size());
  std::int64_t left = total;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const auto product = static_cast<base::WideInteger>(total) * weights[i];
    parts[i] = static_cast<std::int64_t>(product / all);
    remainders[i] = static_cast<std::int64_t>(product % all);
    left -= parts[i];
  }
  std::vector<std::size_t> order(weights.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto first_to_stay = order.begin() + left;  // left < number of parts
  std::partial_sort(order.begin(), first_to_stay, order.end(), [&](std::size_t a, std::size_t b) {
    return remainders[a] != remainders[b] ? remainders[a] > remainders[b] : a < b;
  });
  std::for_each(order.begin(), first_to_stay, [&](std::size_t i) { ++parts[i]; });
  return parts;
}

}  // namespace diffram::attrib

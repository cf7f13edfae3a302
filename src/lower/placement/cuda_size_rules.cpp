#include "lower/placement/cuda_size_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <utility>

#include "lower/placement/storage_book.h"

namespace diffram::lower {

namespace {

/// A piece may be larger than a block above max_split_size_mb by less than this.
constexpr std::uint64_t kLargeSlack = 20 * kMiB;
/// PyTorch refuses a smaller limit: medium segments could not be split.
constexpr std::uint64_t kSmallestSplitLimitMb = 21;

base::Error option_error(std::string option, std::string code, std::string message,
                         std::string expected) {
  return base::Error{.code = std::move(code),
                     .message = std::move(message),
                     .file = {},
                     .line = 0,
                     .field = "allocator." + std::move(option),
                     .expected = std::move(expected)};
}

bool read_number(const std::string& text, std::uint64_t& out) {
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), out);
  return problem == std::errc() && end == text.data() + text.size();
}

}  // namespace

base::Result<CudaSizeRules> CudaSizeRules::from(const AllocatorOptions& options) {
  CudaSizeRules rules;
  base::Errors errors;
  constexpr std::uint64_t kLargestSplitLimitMb = std::uint64_t{1} << 40;
  for (const auto& [name, value] : options) {
    std::uint64_t number = 0;
    if (name == "max_split_size_mb") {
      if (!read_number(value, number) || number < kSmallestSplitLimitMb ||
          number > kLargestSplitLimitMb) {
        errors.push_back(
            option_error(name, "bad_value", fmt::format("\"{}\" is no limit", value),
                         fmt::format("a whole number of MiB from {}", kSmallestSplitLimitMb)));
      }
      rules.max_split_bytes_ = number * kMiB;
    } else if (name == "roundup_power2_divisions") {
      constexpr std::uint64_t kMostDivisions = std::uint64_t{1} << 20;
      if (!read_number(value, number) || !std::has_single_bit(number) || number > kMostDivisions) {
        errors.push_back(option_error(name, "bad_value",
                                      fmt::format("\"{}\" is no number of divisions", value),
                                      "one power of two for all sizes"));
      }
      rules.power2_divisions_ = number;
    } else if (name == "expandable_segments") {
      if (value == "False" || value == "false") continue;
      const bool is_on = value == "True" || value == "true";
      errors.push_back(option_error(
          name, is_on ? "not_modelled" : "bad_value",
          is_on ? "segments that grow are not modelled" : fmt::format("\"{}\" is no switch", value),
          "False"));
    } else {
      const std::vector<std::string> known = {"max_split_size_mb", "roundup_power2_divisions",
                                              "expandable_segments"};
      const std::string near = base::nearest(name, known);
      errors.push_back(
          option_error(name, "unknown_key", "the cuda allocator has no such option",
                       near.empty() ? fmt::format("{}", fmt::join(known, ", ")) : near));
    }
  }
  if (!errors.empty()) return base::failure(std::move(errors));
  return rules;
}

std::uint64_t CudaSizeRules::block_bytes(std::uint64_t requested) const {
  if (power2_divisions_ > 1 && requested > kSmallestBlock * power2_divisions_) {
    // The next of `power2_divisions_` equal steps between two powers of two.
    return rounded_up(requested, std::bit_floor(requested) / power2_divisions_);
  }
  return rounded_up(std::max(requested, kSmallestBlock), kSmallestBlock);
}

std::uint64_t CudaSizeRules::segment_bytes(std::uint64_t block_bytes) {
  if (is_small(block_bytes)) return kSmallSegment;
  if (block_bytes < kFirstLargeRequest) return kMediumSegment;
  return rounded_up(block_bytes, kSegmentRounding);
}

bool CudaSizeRules::splits(std::uint64_t piece, std::uint64_t block) const {
  const std::uint64_t rest = piece - block;
  if (is_small(block)) return rest >= kSmallestBlock;
  return block < max_split_bytes_ && rest > kLargestSmallRequest;
}

bool CudaSizeRules::may_serve(std::uint64_t piece, std::uint64_t block) const {
  if (block < max_split_bytes_) return piece < max_split_bytes_ || !limits_splits();
  return piece < block + kLargeSlack;
}

}  // namespace diffram::lower

// Ops whose output corresponds to the input by position: nearest and bilinear up-sampling, pooling,
// padding, rolling, repeating, and their backwards. Input once, output once, at the same pace.

#include <algorithm>
#include <array>
#include <string_view>

#include "lower/kernels/kernel.h"
#include "lower/walk/once.h"

namespace diffram::lower {
namespace {

constexpr std::array<std::string_view, 14> kNames = {"upsample",
                                                     "avg_pool",
                                                     "_adaptive_avg_pool",
                                                     "max_pool",
                                                     "constant_pad",
                                                     "reflection",
                                                     "replication_pad",
                                                     "repeat",
                                                     "roll",
                                                     "flip",
                                                     "pixel_",
                                                     "slice_backward",
                                                     "select_backward",
                                                     "native_batch_norm"};

std::unique_ptr<Walk> walk(const OpContext& context) {
  auto result = make_once(context);
  result->facts.family = "resample";
  result->facts.efficiency = "elementwise";
  return result;
}

bool stands_for(const OpContext& context) {
  return std::any_of(kNames.begin(), kNames.end(),
                     [&](std::string_view name) { return context.name.starts_with(name); });
}

}  // namespace

extern const KernelModel resample_model;
const KernelModel resample_model{"resample", stands_for, walk};

}  // namespace diffram::lower

#include <algorithm>
#include <array>

#include "lower/kernels/kernel.h"

namespace diffram::lower {

extern const KernelModel optimizer_model, gemm_model, convolution_model, flash_attention_model,
    softmax_model, norm_model, concatenate_model, resample_model, gather_model, reduction_model,
    elementwise_model, fallback_model;

namespace {

/// By precedence: narrow models before the wide ones, the fallback last.
const std::array kModels = {
    optimizer_model, gemm_model,      convolution_model, flash_attention_model,
    softmax_model,   norm_model,      concatenate_model, resample_model,
    gather_model,    reduction_model, elementwise_model, fallback_model,
};

}  // namespace

std::span<const KernelModel> kernel_models() { return kModels; }

std::unique_ptr<Walk> make_walk(const OpContext& context) {
  for (const KernelModel& model : kernel_models()) {
    if (!model.stands_for(context)) continue;
    if (auto walk = model.walk(context)) return walk;
  }
  return nullptr;
}

std::size_t OpContext::read_named(const std::string& argument) const {
  std::size_t at = 0;
  for (const trace::Role& role : function.reads) {
    // A tensor given for two arguments is read once: "self+other".
    std::size_t begin = 0;
    while (begin <= role.name.size()) {
      const std::size_t end = std::min(role.name.find('+', begin), role.name.size());
      if (role.name.compare(begin, end - begin, argument) == 0) return at;
      begin = end + 1;
    }
    at += role.count;
  }
  return op.reads.size();
}

std::int64_t OpContext::number(const char* attribute, std::int64_t otherwise) const {
  const trace::Attribute* found = op.attribute(attribute);
  return found == nullptr || found->numbers.empty() ? otherwise
                                                    : static_cast<std::int64_t>(found->numbers[0]);
}

}  // namespace diffram::lower

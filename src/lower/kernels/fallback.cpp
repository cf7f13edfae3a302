// What no model stands for: inputs read once, outputs written once, and said so. Its share of bytes
// is a diagnostic of every run.

#include "lower/kernels/kernel.h"
#include "lower/walk/once.h"

namespace diffram::lower {
namespace {

std::unique_ptr<Walk> walk(const OpContext& context) {
  auto result = make_once(context);
  result->facts.family = "other";
  result->facts.efficiency = "other";
  result->facts.fallback = true;
  return result;
}

bool stands_for(const OpContext&) { return true; }

}  // namespace

extern const KernelModel fallback_model;
const KernelModel fallback_model{"fallback", stands_for, walk};

}  // namespace diffram::lower

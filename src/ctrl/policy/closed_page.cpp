// closed: a row closes with the last burst that is queued for it.

#include "ctrl/policy/page_rules.h"

namespace diffram::ctrl {
namespace {

class ClosedPage final : public PageRules {
 public:
  void used(std::uint32_t /*bank*/, std::uint32_t /*row*/, std::int64_t /*cycle*/) override {}
  bool ends(std::uint32_t /*bank*/, std::uint32_t /*row*/) override { return true; }
};

}  // namespace

std::unique_ptr<PageRules> make_closed_page(const spec::MemorySpec& /*spec*/) {
  return std::make_unique<ClosedPage>();
}

}  // namespace diffram::ctrl

// open: a row stays open until another is wanted, or a refresh comes.

#include "ctrl/policy/page_rules.h"

namespace diffram::ctrl {
namespace {

class OpenPage final : public PageRules {
 public:
  void used(std::uint32_t /*bank*/, std::uint32_t /*row*/, std::int64_t /*cycle*/) override {}
  bool ends(std::uint32_t /*bank*/, std::uint32_t /*row*/) override { return false; }
};

}  // namespace

std::unique_ptr<PageRules> make_open_page(const spec::MemorySpec& /*spec*/) {
  return std::make_unique<OpenPage>();
}

}  // namespace diffram::ctrl

// The page policies by name, in the order of spec::PagePolicy. A new one is a file and a line here.

#include "ctrl/policy/page_rules.h"

#include <array>

namespace diffram::ctrl {

std::unique_ptr<PageRules> make_page_rules(const spec::MemorySpec& spec) {
  using Make = std::unique_ptr<PageRules> (*)(const spec::MemorySpec&);
  constexpr std::array<Make, spec::kPagePolicyNames.size()> kMake = {
      make_open_page, make_closed_page, make_timeout_page, make_adaptive_page};
  return kMake[static_cast<std::size_t>(spec.controller.page_policy)](spec);
}

}  // namespace diffram::ctrl

// timeout: a row closes when it was not used for so many cycles.

#include <vector>

#include "ctrl/policy/page_rules.h"

namespace diffram::ctrl {
namespace {

class TimeoutPage final : public PageRules {
 public:
  explicit TimeoutPage(const spec::MemorySpec& spec)
      : timeout_(spec.controller.page_timeout),
        used_(std::size_t{spec.organisation.ranks} * spec.organisation.banks(), 0) {}

  void used(std::uint32_t bank, std::uint32_t /*row*/, std::int64_t cycle) override {
    used_[bank] = cycle;
  }
  bool ends(std::uint32_t /*bank*/, std::uint32_t /*row*/) override { return false; }
  bool closes_idle_rows() const override { return true; }
  bool is_idle(std::uint32_t bank, Moment& moment) const override {
    return moment.reached(used_[bank] + timeout_);
  }
  std::vector<std::int64_t> remembered() const override { return used_; }
  void recall(const std::vector<std::int64_t>& numbers) override { used_ = numbers; }

 private:
  std::int64_t timeout_;
  std::vector<std::int64_t> used_;  ///< by bank
};

}  // namespace

std::unique_ptr<PageRules> make_timeout_page(const spec::MemorySpec& spec) {
  return std::make_unique<TimeoutPage>(spec);
}

}  // namespace diffram::ctrl

// adaptive: each bank learns whether the row that ended was wanted again.

#include <algorithm>
#include <vector>

#include "ctrl/policy/page_rules.h"

namespace diffram::ctrl {
namespace {

class AdaptivePage final : public PageRules {
 public:
  explicit AdaptivePage(const spec::MemorySpec& spec)
      : banks_(std::size_t{spec.organisation.ranks} * spec.organisation.banks()) {}

  void used(std::uint32_t bank, std::uint32_t row, std::int64_t /*cycle*/) override {
    Bank& own = banks_[bank];
    if (!own.is_judged) return;
    own.is_judged = false;
    own.closes = std::clamp(own.closes + (own.judged_row == row ? -1 : 1), 0, kSurest);
  }
  bool ends(std::uint32_t bank, std::uint32_t row) override {
    Bank& own = banks_[bank];
    own.is_judged = true;
    own.judged_row = row;
    return own.closes >= kCloses;
  }
  std::vector<std::int64_t> remembered() const override {
    std::vector<std::int64_t> numbers;
    for (const Bank& bank : banks_)
      numbers.insert(numbers.end(), {bank.closes, bank.is_judged ? 1 : 0, bank.judged_row});
    return numbers;
  }
  void recall(const std::vector<std::int64_t>& numbers) override {
    auto next = numbers.begin();
    for (Bank& bank : banks_) {
      bank.closes = static_cast<int>(*next++);
      bank.is_judged = *next++ != 0;
      bank.judged_row = static_cast<std::uint32_t>(*next++);
    }
  }

 private:
  // A two-bit saturating counter, as in branch predictors: one surprise does not change a habit.
  static constexpr int kFirst = 1, kCloses = 2, kSurest = 3;
  struct Bank {
    int closes = kFirst;
    bool is_judged = false;  ///< the row that ended waits for the next one to be compared with
    std::uint32_t judged_row = 0;
  };
  std::vector<Bank> banks_;
};

}  // namespace

std::unique_ptr<PageRules> make_adaptive_page(const spec::MemorySpec& spec) {
  return std::make_unique<AdaptivePage>(spec);
}

}  // namespace diffram::ctrl

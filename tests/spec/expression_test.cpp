#include "spec/expression.h"

#include <gtest/gtest.h>

namespace diffram::spec {
namespace {

const Names kNames = {{"nCL", 22}, {"nCWL", 16}, {"nBL", 4}, {"nRTP", 12}};

struct Case {
  const char* text;
  std::int64_t value;
};

TEST(Expression, has_the_usual_precedence) {
  for (const auto& c : {Case{"nCL + nBL + 2 - nCWL", 12},
                        {"2 + 3 * 4", 14},
                        {"(2 + 3) * 4", 20},
                        {"10 - 3 - 2", 5},
                        {"7 / 2", 3},
                        {"-nBL + 1", -3},
                        {"max(1, nCL, 3)", 22},
                        {"min(nCL, nBL) * 2", 8},
                        {" max( nRTP + 1 , 4 ) ", 13}}) {
    const auto value = evaluate(c.text, kNames);
    ASSERT_TRUE(value) << c.text << ": " << value.error();
    EXPECT_EQ(*value, c.value) << c.text;
  }
}

TEST(Expression, says_what_is_wrong) {
  for (const auto& [text, says] : {std::pair{"nCLL + 1", "did you mean 'nCL'"},
                                   {"1 +", "too early"},
                                   {"(1", "parenthesis"},
                                   {"max(1", "parenthesis"},
                                   {"1 / 0", "zero"},
                                   {"1 $ 2", "cannot read"},
                                   {"", "too early"},
                                   {"9223372036854775807 + 1", "too large"},
                                   {"99999999999999999999", "too large"},
                                   {"3037000500 * 3037000500", "too large"}}) {
    const auto value = evaluate(text, kNames);
    ASSERT_FALSE(value) << text;
    EXPECT_NE(value.error().find(says), std::string::npos) << text << ": " << value.error();
  }
}

TEST(Expression, refuses_to_nest_without_end) {
  const std::string deep(5000, '(');
  EXPECT_FALSE(evaluate(deep + "1" + std::string(5000, ')'), kNames));
  EXPECT_FALSE(evaluate(std::string(5000, '-') + "1", kNames));
}

}  // namespace
}  // namespace diffram::spec

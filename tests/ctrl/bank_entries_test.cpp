// The entries of a bank against a plain list, in one line and in several.

#include "ctrl/compat/bank_entries.h"

#include <gtest/gtest.h>

#include <random>
#include <utility>

namespace diffram::ctrl::compat {
namespace {

TEST(bank_entries, are_those_of_a_plain_list_whatever_is_removed) {
  constexpr std::size_t kMost = 30;
  std::mt19937 random(3);
  BankEntries entries;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> list;  // row, id
  for (std::uint32_t id = 0; id < 20000; ++id) {
    const bool grows = list.empty() || (list.size() < kMost && random() % 2 == 0);
    if (grows) {
      list.emplace_back(random() % 4, id);
      entries.append(list.back().first, id);
    } else {
      const auto gone = static_cast<std::ptrdiff_t>(random() % list.size());
      entries.remove(list[static_cast<std::size_t>(gone)].second);
      list.erase(list.begin() + gone);
    }
    ASSERT_EQ(entries.empty(), list.empty());
    if (list.empty()) continue;
    ASSERT_EQ(entries.oldest_row(), list.front().first);
    ASSERT_EQ(entries.oldest(), list.front().second);
    const auto row = static_cast<std::uint32_t>(random() % 4);
    std::vector<std::uint32_t> expected, found;
    for (const auto& [each, of] : list) {
      if (each == row) expected.push_back(of);
    }
    entries.until_of_row(row, [&](std::uint32_t of) {
      found.push_back(of);
      return found.size() == 12;
    });
    if (expected.size() > 12) expected.resize(12);
    ASSERT_EQ(found, expected);
  }
}

}  // namespace
}  // namespace diffram::ctrl::compat

#include "lower/traffic/read_history.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace diffram::lower {
namespace {

constexpr std::int64_t kBits = 64;

/// visit(word index, mask of the lines in it) for lines [first, end).
template <class Visit>
void for_each_word(std::int64_t first, std::int64_t end, const Visit& visit) {
  for (std::int64_t at = first; at < end;) {
    const std::int64_t word = at / kBits, low = at % kBits;
    const std::int64_t count = std::min(kBits - low, end - at);
    const std::uint64_t ones = count == kBits ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1;
    visit(static_cast<std::size_t>(word), ones << low);
    at += count;
  }
}

}  // namespace

std::int64_t ReadHistory::read(std::uint32_t storage, std::int64_t storage_bytes,
                               std::int64_t first, std::int64_t end) {
  std::vector<std::uint64_t>& words = words_[storage];
  const std::int64_t lines = std::max(end, (storage_bytes + line_bytes_ - 1) / line_bytes_);
  const auto needed = static_cast<std::size_t>((lines + kBits - 1) / kBits);
  if (words.size() < needed) words.resize(needed, 0);
  std::int64_t again = 0;
  for_each_word(first, end, [&](std::size_t word, std::uint64_t mask) {
    again += std::popcount(words[word] & mask);
    words[word] |= mask;
  });
  return again;
}

void ReadHistory::write(std::uint32_t storage, std::int64_t first, std::int64_t end) {
  std::vector<std::uint64_t>& words = words_[storage];
  const auto known = static_cast<std::int64_t>(words.size()) * kBits;
  for_each_word(first, std::min(end, known),
                [&](std::size_t word, std::uint64_t mask) { words[word] &= ~mask; });
}

void ReadHistory::forget(std::uint32_t storage) {
  std::vector<std::uint64_t>().swap(words_[storage]);
}

void ReadHistory::carry(std::span<const trace::Carry> carries) {
  std::vector<std::vector<std::uint64_t>> moved;
  for (const trace::Carry& c : carries) moved.push_back(std::exchange(words_[c.after], {}));
  for (std::size_t i = 0; i < carries.size(); ++i) words_[carries[i].before] = std::move(moved[i]);
}

}  // namespace diffram::lower

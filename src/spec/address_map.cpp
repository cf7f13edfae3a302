#include "spec/address_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cctype>
#include <charconv>
#include <optional>
#include <sstream>

namespace diffram::spec {

namespace {

constexpr std::size_t kFields = 6;
constexpr std::array<const char*, kFields> kFieldNames = {"ch", "ra", "bg", "ba", "ro", "co"};
constexpr std::size_t kRow = 4;
constexpr std::uint32_t kMostAddressBits = 56;  // beyond any memory; keeps sums in 64 bits

std::uint32_t bits_for(std::uint64_t count) {
  return static_cast<std::uint32_t>(std::bit_width(count - 1));
}

struct BitName {
  std::size_t field = 0;
  std::uint32_t bit = 0;
};

class Builder {
 public:
  explicit Builder(const Organisation& o)
      : counts_{o.channels, o.ranks, o.bank_groups, o.banks_per_group, o.rows, o.bursts_per_row()},
        offset_(offset_bits(o)) {
    for (std::size_t f = 0; f < kFields; ++f) masks_[f].resize(bits_for(counts_[f]));
  }

  base::Result<AddressMap> build(const std::string& order, const std::vector<std::string>& hash) {
    check_counts();
    if (errors_.empty()) place(order);
    if (errors_.empty()) plain_ = masks_;
    for (const auto& term : hash) {
      if (errors_.empty()) mix(term);
    }
    if (errors_.empty()) check_bijection();
    if (!errors_.empty()) return base::failure(std::move(errors_));
    AddressMap out;
    std::array<std::vector<std::uint64_t>*, kFields> fields = {
        &out.channel, &out.rank, &out.bank_group, &out.bank, &out.row, &out.column};
    for (std::size_t f = 0; f < kFields; ++f) *fields[f] = masks_[f];
    out.text = order;
    for (const auto& term : hash) out.text += "; " + term;
    return out;
  }

 private:
  void refuse(const char* code, const char* field, std::string message, std::string expected = {}) {
    base::Error error;
    error.code = code;
    error.field = field;
    error.message = std::move(message);
    error.expected = std::move(expected);
    errors_.push_back(std::move(error));
  }

  void check_counts() {
    static constexpr std::array<const char*, kFields> keys = {
        "organisation.channels",        "organisation.ranks", "organisation.bank_groups",
        "organisation.banks_per_group", "organisation.rows",  "organisation.columns"};
    std::uint32_t total = offset_;
    for (std::size_t f = 0; f < kFields; ++f) {
      total += bits_for(counts_[f]);
      if (f == kRow || std::has_single_bit(counts_[f])) continue;
      refuse("not_a_power_of_two", keys[f],
             fmt::format("{} is no power of two, which the address map needs", counts_[f]),
             std::to_string(std::bit_ceil(counts_[f])));
    }
    if (total > kMostAddressBits)
      refuse("out_of_range", "organisation", fmt::format("the memory has {} address bits", total),
             fmt::format("at most {}", kMostAddressBits));
  }

  static std::optional<std::size_t> field_of(const std::string& name) {
    const auto found = std::find(kFieldNames.begin(), kFieldNames.end(), name);
    if (found == kFieldNames.end()) return std::nullopt;
    return static_cast<std::size_t>(found - kFieldNames.begin());
  }

  void place(const std::string& order) {
    std::istringstream words(order);
    std::vector<std::string> tokens;
    for (std::string word; words >> word;) tokens.push_back(word);
    std::array<std::uint32_t, kFields> used{};
    std::uint32_t at = offset_;
    for (auto token = tokens.rbegin(); token != tokens.rend(); ++token) {
      const auto colon = token->find(':');
      const auto field = field_of(token->substr(0, colon));
      if (!field) {
        refuse("unknown_field", "map.order", "there is no field '" + *token + "'",
               "ch, ra, bg, ba, ro or co");
        continue;
      }
      const auto size = static_cast<std::uint32_t>(masks_[*field].size());
      std::uint32_t count = size - used[*field];
      if (colon != std::string::npos) {
        const char* end = token->data() + token->size();
        std::uint32_t wanted = 0;
        const auto result = std::from_chars(token->data() + colon + 1, end, wanted);
        if (result.ec != std::errc() || result.ptr != end || wanted > count) {
          refuse("bad_field_width", "map.order", "cannot take the bits of '" + *token + "'",
                 fmt::format("at most {} bits are left", count));
          continue;
        }
        count = wanted;
      }
      for (std::uint32_t i = 0; i < count; ++i) {
        masks_[*field][used[*field]++] = std::uint64_t{1} << at++;
      }
    }
    for (std::size_t f = 0; f < kFields; ++f) {
      if (used[f] != masks_[f].size() && errors_.empty())
        refuse("missing_field", "map.order",
               fmt::format("{} of the {} bits of '{}' have no place", masks_[f].size() - used[f],
                           masks_[f].size(), kFieldNames[f]),
               "every field named");
    }
  }

  std::optional<BitName> bit_of(const std::string& name) {
    const auto digits = name.find_first_of("0123456789");
    const auto field = field_of(name.substr(0, digits));
    std::uint32_t bit = 0;
    if (field && digits != std::string::npos) {
      const char* end = name.data() + name.size();
      const auto result = std::from_chars(name.data() + digits, end, bit);
      if (result.ec == std::errc() && result.ptr == end && bit < masks_[*field].size())
        return BitName{*field, bit};
    }
    refuse("unknown_field", "map.hash", "there is no address bit '" + name + "'",
           "a field and a bit it has, such as ro0");
    return std::nullopt;
  }

  void mix(const std::string& term) {
    std::string spaced = term;
    std::replace(spaced.begin(), spaced.end(), '^', ' ');
    std::istringstream words(spaced);
    std::vector<BitName> bits;
    for (std::string word; words >> word;) {
      const auto bit = bit_of(word);
      if (!bit) return;
      bits.push_back(*bit);
    }
    if (bits.size() < 2) {
      refuse("bad_hash", "map.hash", "'" + term + "' mixes nothing", "\"bg0 ^ ro0\"");
      return;
    }
    auto& target = masks_[bits[0].field][bits[0].bit];
    for (std::size_t i = 1; i < bits.size(); ++i) target ^= plain_[bits[i].field][bits[i].bit];
  }

  /// A bit of a field: the address bits it is made of now, and the fields' bits it was added from.
  struct OutputBit {
    std::uint64_t mask = 0;
    std::uint64_t added = 0;  ///< a bit for each field's bit, in the order of kFieldNames
  };

  // Gaussian elimination over GF(2): a field's bits whose sum vanishes depend on each other.
  void check_bijection() {
    std::vector<OutputBit> rows;
    std::vector<std::string> names;
    for (std::size_t f = 0; f < kFields; ++f) {
      for (std::size_t i = 0; i < masks_[f].size(); ++i) {
        rows.push_back({masks_[f][i], std::uint64_t{1} << rows.size()});
        names.push_back(fmt::format("{}{}", kFieldNames[f], i));
      }
    }
    std::size_t rank = 0;
    for (std::uint32_t bit = offset_; bit < offset_ + rows.size(); ++bit) {
      const auto has = [bit](const OutputBit& row) { return (row.mask >> bit & 1) != 0; };
      const auto pivot =
          std::find_if(rows.begin() + static_cast<std::ptrdiff_t>(rank), rows.end(), has);
      if (pivot == rows.end()) continue;
      std::swap(rows[rank], *pivot);
      for (std::size_t i = rank + 1; i < rows.size(); ++i) {
        if (!has(rows[i])) continue;
        rows[i].mask ^= rows[rank].mask;
        rows[i].added ^= rows[rank].added;
      }
      ++rank;
    }
    for (std::size_t i = rank; i < rows.size(); ++i) refuse_dependent(rows[i].added, names);
    check_odd_row_count();
  }

  void refuse_dependent(std::uint64_t added, const std::vector<std::string>& names) {
    std::vector<std::string> dependent;
    for (std::size_t i = 0; i < names.size(); ++i) {
      if ((added >> i & 1) != 0) dependent.push_back(names[i]);
    }
    refuse("not_a_bijection", "map.hash",
           fmt::format("two addresses share a place: {} is 0 for every address",
                       fmt::join(dependent, " ^ ")),
           "each hashed bit mixed with bits of fields that are not hashed with it");
  }

  // Rows need not be a power of two (24 Gb dies); then the valid addresses are a prefix only if the
  // row is the top field and stands for itself.
  void check_odd_row_count() {
    if (std::has_single_bit(counts_[kRow])) return;
    const auto& row = masks_[kRow];
    std::size_t total = 0;
    for (const auto& field : masks_) total += field.size();
    const auto first = offset_ + total - row.size();
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (row[i] == std::uint64_t{1} << (first + i)) continue;
      refuse("not_a_power_of_two", "organisation.rows",
             "a row count that is no power of two needs the row on top of the map, unhashed",
             "an order that starts with 'ro'");
      return;
    }
  }

  std::array<std::uint32_t, kFields> counts_;
  std::uint32_t offset_;
  std::array<std::vector<std::uint64_t>, kFields> masks_, plain_;
  base::Errors errors_;
};

}  // namespace

std::uint32_t offset_bits(const Organisation& organisation) {
  return bits_for(organisation.burst_bytes());
}

base::Result<AddressMap> build_address_map(const std::string& order,
                                           const std::vector<std::string>& hash,
                                           const Organisation& organisation) {
  return Builder(organisation).build(order, hash);
}

}  // namespace diffram::spec

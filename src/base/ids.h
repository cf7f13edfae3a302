#pragma once
// Indices of different things are different types.

#include <compare>
#include <cstdint>
#include <functional>

namespace diffram::base {

template <class Tag, class Number = std::uint32_t>
struct Id {
  Number value{};
  constexpr Id() = default;
  constexpr explicit Id(Number v) : value(v) {}
  constexpr auto operator<=>(const Id&) const = default;
};

using ChannelId = Id<struct ChannelTag>;
using RankId = Id<struct RankTag>;
using BankGroupId = Id<struct BankGroupTag>;
using BankId =
    Id<struct BankTag>;  ///< within a channel: rank · banks + bank_group · banks_per_group + bank
using RowId = Id<struct RowTag>;
using ColumnId = Id<struct ColumnTag>;  ///< burst index within the row
using OriginId = Id<struct OriginTag>;  ///< the ticket that travels with every request

/// Origin of requests that no tensor made (refresh, replayed traces without names).
inline constexpr OriginId kNoOrigin{0xFFFFFFFFu};

}  // namespace diffram::base

template <class Tag, class Number>
struct std::hash<diffram::base::Id<Tag, Number>> {
  std::size_t operator()(diffram::base::Id<Tag, Number> id) const noexcept {
    return std::hash<Number>{}(id.value);
  }
};

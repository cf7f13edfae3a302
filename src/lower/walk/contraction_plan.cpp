// Which operand stays on chip: bytes from DRAM of every order that the scratchpad allows.

#include <algorithm>
#include <limits>
#include <optional>

#include "lower/walk/contraction.h"

namespace diffram::lower {
namespace {

/// Largest number of units, a multiple of the granule where it can be, for which `fits` holds.
template <class Fits>
std::int64_t largest(const Axis& axis, const Fits& fits) {
  std::int64_t low = 0, high = axis.extent;  // fits(low) holds, fits(high + 1) is not asked
  while (low < high) {
    const std::int64_t middle = low + (high - low + 1) / 2;
    if (fits(middle)) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  if (low < axis.extent && low > axis.granule) low -= low % axis.granule;
  return low;
}

std::int64_t all_tiles(const Extent& extent, const Tiling& tiling, bool shared_ends_stay) {
  return extent.slope * tiling.extent +
         extent.intercept * (shared_ends_stay ? tiling.extent / tiling.period : tiling.count());
}

/// Least tile of the streamed operand, as a part of what fills the array.
constexpr std::int64_t kLeastStreamedPart = 8;

/// The kept operand is the one of axis `kept` (n for B, m for A); the other streams.
std::optional<ContractionPlan> keep_panel(const ContractionShape& s, const TileBudget& budget,
                                          Keep keep, bool gathers) {
  ContractionPlan plan;
  plan.keep = keep;
  plan.k = {s.k.extent, s.k.extent, s.k.extent};
  const bool keep_b = keep == Keep::b;
  const Axis& kept_axis = keep_b ? s.n : s.m;
  const Axis& streamed_axis = keep_b ? s.m : s.n;
  const auto kept = [&](std::int64_t units) {
    return keep_b ? s.b(s.k.extent, units) : s.a(units, s.k.extent);
  };
  const auto streamed = [&](std::int64_t units) {
    return keep_b ? s.a(units, s.k.extent) : s.b(s.k.extent, units);
  };
  const auto result = [&](std::int64_t kept_units, std::int64_t streamed_units) {
    return keep_b ? s.c(streamed_units, kept_units) : s.c(kept_units, streamed_units);
  };
  // What streams passes through the array row by row; a short tile only costs its start-up.
  const std::int64_t least_streamed =
      std::clamp<std::int64_t>(streamed_axis.granule / kLeastStreamedPart, 1, streamed_axis.extent);
  const std::int64_t least_kept = std::min(kept_axis.granule, kept_axis.extent);
  if (streamed(least_streamed) > budget.tile() || kept(least_kept) > budget.kept() / 2)
    return std::nullopt;

  const std::int64_t part = std::max(budget.tile(), kept(least_kept));
  std::int64_t kept_tile = largest(kept_axis, [&](std::int64_t units) {
    return kept(units) <= part && result(units, least_streamed) <= budget.tile();
  });
  if (kept_tile == 0) return std::nullopt;
  const Tiling kept_tiles =
      Tiling::of(kept_axis.extent, kept_axis.period, kept_tile, kept_axis.granule);
  plan.panel = std::clamp<std::int64_t>(
      budget.kept() / std::max<std::int64_t>(1, kept(kept_tiles.size)), 1, kept_tiles.count());
  plan.gathers = gathers;
  const std::int64_t result_units =
      gathers ? std::min(plan.panel * kept_tiles.size, kept_axis.extent) : kept_tiles.size;
  const std::int64_t streamed_tile = largest(streamed_axis, [&](std::int64_t units) {
    return streamed(units) <= budget.tile() && result(result_units, units) <= budget.tile();
  });
  if (streamed_tile == 0) return std::nullopt;
  const Tiling streamed_tiles =
      Tiling::of(streamed_axis.extent, streamed_axis.period, streamed_tile, streamed_axis.granule);
  plan.m = keep_b ? streamed_tiles : kept_tiles;
  plan.n = keep_b ? kept_tiles : streamed_tiles;
  const std::int64_t panels = (kept_tiles.count() + plan.panel - 1) / plan.panel;
  const std::int64_t a_bytes =
      s.a_element * all_tiles(s.a_rows, plan.m, true) * s.a_columns.of(s.k.extent);
  const std::int64_t b_bytes = s.b(s.k.extent, s.n.extent);
  plan.a_bytes = keep_b ? panels * a_bytes : a_bytes;
  plan.b_bytes = keep_b ? b_bytes : panels * b_bytes;
  return plan;
}

/// Accumulators are 4 bytes wide whatever the dtype of the result.
constexpr std::int64_t kAccumulatorBytes = 4;

void keep_block(const ContractionShape& s, const TileBudget& budget, Keep keep,
                std::vector<ContractionPlan>& plans) {
  // Something that stays whole takes half of the scratchpad, then an eighth is left to accumulate.
  if (keep == Keep::c_and_a && s.a(s.m.extent, s.k.extent) > budget.kept()) return;
  if (keep == Keep::c_and_b && s.b(s.k.extent, s.n.extent) > budget.kept()) return;
  const std::int64_t accumulators =
      (keep == Keep::c ? budget.scratchpad / 4 : budget.scratchpad / 8) / kAccumulatorBytes;
  for (std::int64_t n = std::min(s.n.granule, s.n.extent);; n += s.n.granule) {
    const std::int64_t columns = std::min(n, s.n.extent);
    std::int64_t rows = largest(s.m, [&](std::int64_t units) {
      return s.c_rows.of(units) * s.c_columns.of(columns) <= accumulators;
    });
    if (rows == 0 && n > s.n.granule) break;
    rows = std::max<std::int64_t>(rows, 1);
    ContractionPlan plan;
    plan.keep = keep;
    plan.m = Tiling::of(s.m.extent, s.m.period, rows, s.m.granule);
    plan.n = Tiling::of(s.n.extent, s.n.period, columns, s.n.granule);
    const std::int64_t depth = largest(s.k, [&](std::int64_t units) {
      return s.a(plan.m.size, units) <= budget.tile() && s.b(units, plan.n.size) <= budget.tile();
    });
    plan.k = Tiling::of(s.k.extent, s.k.period, std::max<std::int64_t>(depth, 1), s.k.granule);
    plan.a_bytes = (keep == Keep::c_and_a ? 1 : plan.n.count()) * s.a_element *
                   all_tiles(s.a_rows, plan.m, false) * s.a_columns.of(s.k.extent);
    plan.b_bytes = (keep == Keep::c_and_b ? 1 : plan.m.count()) * s.b_element *
                   all_tiles(s.b_rows, plan.k, false) * s.b_columns.of(s.n.extent);
    plans.push_back(plan);
    if (columns == s.n.extent) break;
  }
}

/// Mean bytes of a run in the pieces that `emit` makes.
template <class Emit>
std::int64_t run_bytes(const Emit& emit) {
  TileWork tile;
  emit(tile);
  std::int64_t bytes = 0, runs = 0;
  for (const Piece& piece : tile.pieces) {
    bytes += piece.box.bytes();
    runs += piece.box.runs();
  }
  return runs == 0 ? 1 : std::max<std::int64_t>(1, bytes / runs);
}

/// A burst of most memories; only weighs short runs against bytes.
constexpr std::int64_t kLineBytes = 64;

std::int64_t bytes_with_run_ends(const ContractionPlan& plan, const ContractionShape& shape,
                                 const ContractionOperands& operands) {
  const Range m = plan.m.range(0), n = plan.n.range(0), k = plan.k.range(0);
  const Range gathered{0, plan.gathers ? plan.panel : 1};
  const Range c_m = plan.keep == Keep::a ? plan.units_of(gathered, plan.m) : m;
  const Range c_n = plan.keep == Keep::b ? plan.units_of(gathered, plan.n) : n;
  const std::int64_t a_run =
      run_bytes([&](TileWork& tile) { operands.a(0, m, k, Touch::load, tile); });
  const std::int64_t b_run =
      run_bytes([&](TileWork& tile) { operands.b(0, k, n, Touch::load, tile); });
  const std::int64_t c_run = run_bytes([&](TileWork& tile) { operands.c(0, c_m, c_n, tile); });
  const auto with_ends = [](std::int64_t bytes, std::int64_t run) {
    return bytes + bytes / run * kLineBytes;
  };
  return with_ends(plan.a_bytes, a_run) + with_ends(plan.b_bytes, b_run) +
         with_ends(shape.c(shape.m.extent, shape.n.extent), c_run);
}

}  // namespace

Tiling Tiling::of(std::int64_t extent, std::int64_t period, std::int64_t at_most,
                  std::int64_t granule) {
  Tiling tiling{extent, period, std::clamp<std::int64_t>(at_most, 1, extent)};
  if (tiling.size >= period) {
    tiling.period = tiling.extent;
    tiling.size -= tiling.size % period;
    return tiling;
  }
  // Equal tiles, so that the last one is not a sliver.
  const std::int64_t count = (period + tiling.size - 1) / tiling.size;
  const std::int64_t equal = (period + count - 1) / count;
  const std::int64_t rounded = (equal + granule - 1) / granule * granule;
  if (rounded <= tiling.size) tiling.size = rounded;
  return tiling;
}

std::int64_t Tiling::count() const { return extent / period * per_period(); }

Range Tiling::range(std::int64_t index) const {
  const std::int64_t base = index / per_period() * period;
  const std::int64_t begin = index % per_period() * size;
  return {base + begin, base + std::min(begin + size, period)};
}

std::vector<ContractionPlan> possible_plans(const ContractionShape& shape,
                                            const TileBudget& budget) {
  std::vector<ContractionPlan> plans;
  for (const Keep keep : {Keep::b, Keep::a})
    for (const bool gathers : {false, true})
      if (const auto plan = keep_panel(shape, budget, keep, gathers)) plans.push_back(*plan);
  for (const Keep keep : {Keep::c, Keep::c_and_a, Keep::c_and_b})
    keep_block(shape, budget, keep, plans);
  return plans;
}

ContractionPlan plan_contraction(const ContractionShape& shape, const TileBudget& budget,
                                 const ContractionOperands& operands) {
  const std::vector<ContractionPlan> plans = possible_plans(shape, budget);
  const ContractionPlan* best = nullptr;
  std::int64_t fewest = std::numeric_limits<std::int64_t>::max();
  for (const ContractionPlan& plan : plans) {
    if (plan.bytes() >= fewest) continue;  // run ends only add
    const std::int64_t bytes = bytes_with_run_ends(plan, shape, operands);
    if (bytes >= fewest) continue;
    fewest = bytes;
    best = &plan;
  }
  return *best;
}

}  // namespace diffram::lower

#pragma once
// The walk of every matrix product: GEMM, and convolution as implicit GEMM, forward and backward.
// C[m, n] = Σ_k A[m, k] · B[k, n], per batch. What a unit of m, n or k is (a row, a channel, a row
// of pixels) is the operand's business; the walk plans with bytes.
//
// Why several loop orders: with a scratchpad the traffic of a product is decided by what stays.
// Three orders are planned and the one with the fewest bytes is taken:
//   keep B: a panel of B with the whole k stays, tiles of A stream past it (A once per panel);
//   keep A: the same with the roles changed;
//   keep C: a block of C accumulates on chip while slices of k stream (A once per column of blocks,
//           B once per row of blocks), where one of A and B may stay whole as well.
// The result is always written once: k is inside (p = 1 in lowering.md 2).

#include <memory>

#include "lower/walk/walk.h"

namespace diffram::lower {

/// An axis cut into tiles of `size`, which start anew at every multiple of `period`.
struct Tiling {
  std::int64_t extent = 1, period = 1, size = 1;

  static Tiling of(std::int64_t extent, std::int64_t period, std::int64_t at_most,
                   std::int64_t granule);
  std::int64_t per_period() const { return (period + size - 1) / size; }
  std::int64_t count() const;
  Range range(std::int64_t index) const;
};

/// Elements that n units of an axis touch: slope · n + intercept (the halo of a convolution).
struct Extent {
  std::int64_t slope = 1, intercept = 0;
  std::int64_t of(std::int64_t n) const { return slope * n + intercept; }
};

struct Axis {
  std::int64_t extent = 1;
  std::int64_t period = 1;   ///< tiles do not cross multiples of it, unless they hold whole ones
  std::int64_t granule = 1;  ///< units that fill the array
};

struct ContractionShape {
  std::int64_t batches = 1;
  Axis m, n, k;
  std::int64_t a_element = 1, b_element = 1, c_element = 1;
  Extent a_rows, a_columns, b_rows, b_columns, c_rows, c_columns;  ///< of m, k; k, n; m, n
  std::int64_t macs = 0;                                           ///< of the whole product

  std::int64_t a(std::int64_t m_units, std::int64_t k_units) const {
    return a_element * a_rows.of(m_units) * a_columns.of(k_units);
  }
  std::int64_t b(std::int64_t k_units, std::int64_t n_units) const {
    return b_element * b_rows.of(k_units) * b_columns.of(n_units);
  }
  std::int64_t c(std::int64_t m_units, std::int64_t n_units) const {
    return c_element * c_rows.of(m_units) * c_columns.of(n_units);
  }
};

/// How a tile of an operand is touched.
enum class Touch : std::uint8_t { load, on_chip, load_beyond_previous };

/// Turns tile ranges into boxes of the operands.
class ContractionOperands {
 public:
  virtual ~ContractionOperands() = default;
  /// `load_beyond_previous`: the tile before along m was loaded just now, what both share stays.
  virtual void a(std::int64_t batch, Range m, Range k, Touch touch, TileWork& tile) const = 0;
  virtual void b(std::int64_t batch, Range k, Range n, Touch touch, TileWork& tile) const = 0;
  /// The result, and what is added to it (bias), once its last k is in.
  virtual void c(std::int64_t batch, Range m, Range n, TileWork& tile) const = 0;
};

enum class Keep : std::uint8_t { b, a, c, c_and_a, c_and_b };

struct ContractionPlan {
  Keep keep = Keep::c;
  Tiling m, n, k;
  std::int64_t panel = 1;    ///< tiles of the kept operand that stay together
  bool gathers = false;      ///< results of a whole panel leave together, in longer runs
  std::int64_t a_bytes = 0;  ///< of A from DRAM, for one batch
  std::int64_t b_bytes = 0;  ///< of B
  std::int64_t bytes() const { return a_bytes + b_bytes; }
  /// Units of the kept axis that tiles [begin, end) of it hold.
  Range units_of(Range kept_tiles, const Tiling& kept) const {
    return {kept.range(kept_tiles.begin).begin, kept.range(kept_tiles.end - 1).end};
  }
};

/// Every order and tile size that the scratchpad allows; never empty.
std::vector<ContractionPlan> possible_plans(const ContractionShape& shape,
                                            const TileBudget& budget);

/// The plan with the fewest bytes, a line more counted for every run of consecutive bytes, since
/// its ends lie inside bursts and short runs leave rows of the DRAM early.
ContractionPlan plan_contraction(const ContractionShape& shape, const TileBudget& budget,
                                 const ContractionOperands& operands);

std::unique_ptr<Walk> make_contraction(const ContractionShape& shape, const TileBudget& budget,
                                       std::unique_ptr<ContractionOperands> operands);

}  // namespace diffram::lower

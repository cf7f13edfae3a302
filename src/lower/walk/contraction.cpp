#include "lower/walk/contraction.h"

#include <algorithm>
#include <utility>

#include "base/clock.h"
#include "lower/walk/odometer.h"

namespace diffram::lower {
namespace {

class Contraction final : public Walk {
 public:
  Contraction(const ContractionShape& shape, const TileBudget& budget,
              std::unique_ptr<ContractionOperands> operands)
      : shape_(shape),
        operands_(std::move(operands)),
        plan_(plan_contraction(shape, budget, *operands_)),
        group_(batches_per_tile(budget)),
        odometer_(loops()) {
    const std::int64_t a =
        shape.a_element * shape.a_columns.of(shape.k.extent) *
        (shape.a_rows.slope * shape.m.extent + shape.a_rows.intercept * plan_.m.count());
    const std::int64_t b =
        shape.b_element * shape.b_columns.of(shape.n.extent) *
        (shape.b_rows.slope * shape.k.extent + shape.b_rows.intercept * plan_.k.count());
    facts.bound_bytes = shape.batches * (plan_.n.count() * a + plan_.m.count() * b +
                                         shape.c(shape.m.extent, shape.n.extent));
  }

  bool next(TileWork& tile) override {
    while (!odometer_.done()) {
      const bool made =
          plan_.keep == Keep::a || plan_.keep == Keep::b ? panel_tile(tile) : block_tile(tile);
      odometer_.advance();
      if (made) return true;
    }
    return false;
  }

 private:
  bool single_tile() const {
    return plan_.m.count() == 1 && plan_.n.count() == 1 && plan_.k.count() == 1;
  }

  /// Small products of a batch share a tile, so that a tile is worth a synchronisation.
  std::int64_t batches_per_tile(const TileBudget& budget) const {
    if (!single_tile()) return 1;
    const std::int64_t bytes = shape_.a(shape_.m.extent, shape_.k.extent) +
                               shape_.b(shape_.k.extent, shape_.n.extent) +
                               shape_.c(shape_.m.extent, shape_.n.extent);
    return std::clamp<std::int64_t>(budget.tile() / std::max<std::int64_t>(1, bytes), 1,
                                    shape_.batches);
  }

  std::vector<std::int64_t> loops() const {
    const std::int64_t batches = (shape_.batches + group_ - 1) / group_;
    const auto panels = [&](const Tiling& kept) {
      return (kept.count() + plan_.panel - 1) / plan_.panel;
    };
    switch (plan_.keep) {
      case Keep::b:
        return {batches, panels(plan_.n), plan_.m.count(), plan_.panel};
      case Keep::a:
        return {batches, panels(plan_.m), plan_.n.count(), plan_.panel};
      case Keep::c_and_a:
        return {batches, plan_.n.count(), plan_.m.count(), plan_.k.count()};
      default:
        return {batches, plan_.m.count(), plan_.n.count(), plan_.k.count()};
    }
  }

  bool panel_tile(TileWork& tile) {
    const bool keep_b = plan_.keep == Keep::b;
    const Tiling& kept = keep_b ? plan_.n : plan_.m;
    const std::int64_t in_panel = odometer_[3], streamed = odometer_[2];
    const std::int64_t index = odometer_[1] * plan_.panel + in_panel;
    if (index >= kept.count()) return false;
    const std::int64_t m = keep_b ? streamed : index, n = keep_b ? index : streamed;
    const bool streamed_first = in_panel == 0, kept_first = streamed == 0;
    Touch a = keep_b ? (streamed_first ? Touch::load : Touch::on_chip)
                     : (kept_first ? Touch::load : Touch::on_chip);
    // Neighbours along m are loaded one after the other, so the halo between them stays.
    if (a == Touch::load && (keep_b ? m : in_panel) > 0) a = Touch::load_beyond_previous;
    const Touch b = keep_b ? (kept_first ? Touch::load : Touch::on_chip)
                           : (streamed_first ? Touch::load : Touch::on_chip);
    touch(tile, m, n, 0, a, b);
    const std::int64_t first_in_panel = odometer_[1] * plan_.panel;
    const bool panel_ends = in_panel + 1 == plan_.panel || index + 1 == kept.count();
    if (!plan_.gathers || panel_ends) {
      const Range units = plan_.units_of({plan_.gathers ? first_in_panel : index, index + 1}, kept);
      results(tile, keep_b ? plan_.m.range(m) : units, keep_b ? units : plan_.n.range(n));
    }
    return true;
  }

  bool block_tile(TileWork& tile) {
    const bool columns_first = plan_.keep == Keep::c_and_a;
    const std::int64_t m = odometer_[columns_first ? 2 : 1], n = odometer_[columns_first ? 1 : 2];
    const std::int64_t k = odometer_[3];
    const Touch a = columns_first && n > 0 ? Touch::on_chip : Touch::load;
    const Touch b = plan_.keep == Keep::c_and_b && m > 0 ? Touch::on_chip : Touch::load;
    touch(tile, m, n, k, a, b);
    if (k + 1 == plan_.k.count()) results(tile, plan_.m.range(m), plan_.n.range(n));
    return true;
  }

  Range batches_of_tile() const {
    const std::int64_t first = odometer_[0] * group_;
    return {first, std::min(first + group_, shape_.batches)};
  }

  void results(TileWork& tile, Range m, Range n) const {
    const Range batches = batches_of_tile();
    for (std::int64_t batch = batches.begin; batch < batches.end; ++batch)
      operands_->c(batch, m, n, tile);
  }

  void touch(TileWork& tile, std::int64_t m_index, std::int64_t n_index, std::int64_t k_index,
             Touch a, Touch b) {
    const Range m = plan_.m.range(m_index), n = plan_.n.range(n_index), k = plan_.k.range(k_index);
    const Range batches = batches_of_tile();
    for (std::int64_t batch = batches.begin; batch < batches.end; ++batch)
      operands_->a(batch, m, k, a, tile);
    for (std::int64_t batch = batches.begin; batch < batches.end; ++batch)
      operands_->b(batch, k, n, b, tile);
    // Shares of the total that add up to it exactly.
    done_units_ += base::WideInteger{batches.size()} * m.size() * n.size() * k.size();
    const auto all =
        base::WideInteger{shape_.batches} * shape_.m.extent * shape_.n.extent * shape_.k.extent;
    const auto so_far = static_cast<std::int64_t>(done_units_ * shape_.macs / all);
    tile.macs = so_far - macs_given_;
    macs_given_ = so_far;
  }

  ContractionShape shape_;
  std::unique_ptr<ContractionOperands> operands_;
  ContractionPlan plan_;
  std::int64_t group_;
  Odometer odometer_;
  base::WideInteger done_units_ = 0;
  std::int64_t macs_given_ = 0;
};

}  // namespace

std::unique_ptr<Walk> make_contraction(const ContractionShape& shape, const TileBudget& budget,
                                       std::unique_ptr<ContractionOperands> operands) {
  return std::make_unique<Contraction>(shape, budget, std::move(operands));
}

}  // namespace diffram::lower

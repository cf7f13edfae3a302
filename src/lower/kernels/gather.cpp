// embedding, index_select and indexing by one list: the rows that the index names, the index and
// the result. The trace holds no values, so rows are drawn from the seed, uniformly, with
// repetition.

#include <algorithm>
#include <set>

#include "lower/kernels/kernel.h"

namespace diffram::lower {
namespace {

/// Steele, Lea and Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014.
std::uint64_t split_mix(std::uint64_t& state) {
  std::uint64_t z = (state += 0x9E3779B97F4A7C15ULL);
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
  return z ^ (z >> 31);
}

class GatherWalk final : public Walk {
 public:
  GatherWalk(const OpContext& context, std::size_t table, std::size_t dim, std::int64_t rows)
      : op_(context.op), table_at_(table), dim_(dim), table_(op_.reads[table]) {
    std::uint64_t state = context.seed;
    const auto count = static_cast<std::uint64_t>(table_.count(dim));
    rows_.reserve(static_cast<std::size_t>(rows));
    for (std::int64_t i = 0; i < rows; ++i)
      rows_.push_back(static_cast<std::int64_t>(split_mix(state) % count));
    View row = table_;
    row_bytes_ = row.narrow(dim, {0, 1}).box().bytes();
    const std::set<std::int64_t> distinct(rows_.begin(), rows_.end());
    std::int64_t others = 0;
    for (std::size_t i = 0; i < op_.reads.size(); ++i)
      if (i != table) others += View(op_.reads[i]).box().bytes();
    others += View(op_.writes[0]).box().bytes();
    facts.compulsory_bytes = static_cast<std::int64_t>(distinct.size()) * row_bytes_ + others;
    facts.bound_bytes = rows * row_bytes_ + others;
    const std::int64_t per_tile =
        std::max<std::int64_t>(1, context.budget.tile() / std::max<std::int64_t>(1, row_bytes_));
    tiles_ = std::max<std::int64_t>(1, (rows + per_tile - 1) / per_tile);
  }

  bool next(TileWork& tile) override {
    if (at_ == tiles_) return false;
    for (std::size_t i = 0; i < op_.reads.size(); ++i)
      if (i != table_at_)
        tile.add(static_cast<std::uint32_t>(i), View(op_.reads[i]).box().part(at_, tiles_));
    const auto rows = static_cast<std::int64_t>(rows_.size());
    for (std::int64_t i = rows * at_ / tiles_; i < rows * (at_ + 1) / tiles_; ++i) {
      const std::int64_t row = rows_[static_cast<std::size_t>(i)];
      View view = table_;
      tile.add(static_cast<std::uint32_t>(table_at_), view.narrow(dim_, {row, row + 1}).box());
    }
    const Box out = View(op_.writes[0]).box().part(at_, tiles_);
    tile.add(static_cast<std::uint32_t>(op_.reads.size()), out);
    tile.operations = out.bytes() / trace::size_of(op_.writes[0].dtype);
    ++at_;
    return true;
  }

 private:
  const trace::Op& op_;
  std::size_t table_at_, dim_;
  View table_;
  std::vector<std::int64_t> rows_;
  std::int64_t row_bytes_ = 0, tiles_ = 1, at_ = 0;
};

std::unique_ptr<Walk> walk(const OpContext& context) {
  if (context.op.writes.size() != 1) return nullptr;
  const std::string table_name = context.name == "embedding" ? "weight" : "self";
  std::size_t table = context.read_named(table_name);
  if (table == context.op.reads.size()) table = 0;
  const auto dim = static_cast<std::size_t>(context.number("dim", 0));
  const std::int64_t rows = context.number("rows", -1);
  if (table >= context.op.reads.size() || rows < 0) return nullptr;
  const trace::TensorUse& use = context.op.reads[table];
  if (dim >= use.sizes.size() || use.sizes[dim] == 0 || use.sizes.size() > kMaxDimensions)
    return nullptr;
  auto result = std::make_unique<GatherWalk>(context, table, dim, rows);
  result->facts.family = "gather";
  result->facts.efficiency = "embedding";
  return result;
}

bool stands_for(const OpContext& context) {
  return context.name == "embedding" || context.name == "index" || context.name == "index_select" ||
         context.name == "_unsafe_index";
}

}  // namespace

extern const KernelModel gather_model;
const KernelModel gather_model{"gather", stands_for, walk};

}  // namespace diffram::lower

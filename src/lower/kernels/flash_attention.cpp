// Attention that the program runs as one op. Scores never leave the chip. Per (batch, head): tiles
// of query rows stream past keys and values, which are read once when they fit the kept half of the
// scratchpad and again for every tile of query rows when they do not (flash, Q outer). Backward
// re-reads nothing but needs keys, values and their gradients to fit.

#include <algorithm>
#include <array>
#include <string_view>

#include "lower/kernels/kernel.h"
#include "lower/walk/odometer.h"

namespace diffram::lower {
namespace {

enum class Side : std::uint8_t { query, key, other };

struct Operand {
  std::uint32_t operand = 0;
  View view;
  Side side = Side::other;
  bool is_write = false;
};

class FlashWalk final : public Walk {
 public:
  struct Sizes {
    std::int64_t batch = 1, heads = 1, queries = 1, keys = 1, head = 1;
  };

  FlashWalk(Sizes sizes, std::vector<Operand> operands, const TileBudget& budget, std::int64_t macs)
      : sizes_(sizes), operands_(std::move(operands)), macs_(macs) {
    std::int64_t query_row = 0, key_row = 0;
    for (const Operand& o : operands_) {
      if (o.side == Side::query) query_row += row_bytes(o);
      if (o.side == Side::key) key_row += row_bytes(o);
    }
    keys_stay_ = sizes.keys * key_row <= budget.kept();
    // Kept query rows carry an fp32 accumulator of the result.
    const std::int64_t rows_room =
        keys_stay_ ? 2 * budget.tile() / std::max<std::int64_t>(1, query_row)
                   : budget.kept() / std::max<std::int64_t>(1, query_row + 4 * sizes.head);
    query_tile_ = whole_rows(rows_room, sizes.queries, budget.array_rows);
    key_tile_ = keys_stay_ ? sizes.keys
                           : whole_rows(budget.tile() / std::max<std::int64_t>(1, key_row),
                                        sizes.keys, budget.array_rows);
    const std::int64_t head_bytes = sizes.queries * query_row + sizes.keys * key_row;
    const bool whole_heads = query_tile_ == sizes.queries && keys_stay_;
    const std::int64_t all_heads = sizes.batch * sizes.heads;
    heads_ = whole_heads
                 ? std::clamp<std::int64_t>(
                       2 * budget.tile() / std::max<std::int64_t>(1, head_bytes), 1, all_heads)
                 : 1;
    odometer_ = Odometer({(all_heads + heads_ - 1) / heads_, tiles(sizes.queries, query_tile_),
                          tiles(sizes.keys, key_tile_)});
    for (const Operand& o : operands_) {
      const std::int64_t times =
          o.side == Side::key && !o.is_write ? tiles(sizes.queries, query_tile_) : 1;
      facts.bound_bytes += std::max(o.view.box().bytes(), walked_bytes(o)) * times;
    }
  }

  bool possible() const { return keys_stay_ || !writes_keys(); }

  bool next(TileWork& tile) override {
    if (odometer_.done()) return false;
    const std::int64_t first = odometer_[0] * heads_;
    const std::int64_t end = std::min(first + heads_, sizes_.batch * sizes_.heads);
    const std::int64_t q = odometer_[1], k = odometer_[2];
    const Range queries = range(q, query_tile_, sizes_.queries);
    const Range keys = range(k, key_tile_, sizes_.keys);
    const bool is_first = first == 0 && q == 0 && k == 0;
    odometer_.advance();
    const bool last_key = keys.end == sizes_.keys, last_query = queries.end == sizes_.queries;
    for (const Operand& o : operands_) {
      if (o.side == Side::other) {
        if (o.is_write ? odometer_.done() : is_first) tile.add(o.operand, o.view.box());
        continue;
      }
      // Heads of one batch item are one piece: where heads are side by side their runs join.
      for (std::int64_t head = first; head < end;) {
        const std::int64_t next = std::min(end, (head / sizes_.heads + 1) * sizes_.heads);
        if (o.side == Side::query) {
          if (o.is_write ? last_key : k == 0) tile.add(o.operand, part(o, head, next, queries));
        } else if (!o.is_write) {
          tile.add(o.operand, part(o, head, next, keys), keys_stay_ && q > 0);
        } else if (last_query) {
          tile.add(o.operand, part(o, head, next, keys));
        }
        head = next;
      }
    }
    done_ += base_units(end - first, queries, keys);
    const double all = static_cast<double>(sizes_.batch * sizes_.heads) *
                       static_cast<double>(sizes_.queries) * static_cast<double>(sizes_.keys);
    const auto so_far = odometer_.done()
                            ? macs_
                            : static_cast<std::int64_t>(static_cast<double>(macs_) * done_ / all);
    tile.macs = so_far - given_;
    given_ = so_far;
    return true;
  }

 private:
  static double base_units(std::int64_t heads, Range queries, Range keys) {
    return static_cast<double>(heads) * static_cast<double>(queries.size()) *
           static_cast<double>(keys.size());
  }
  static std::int64_t tiles(std::int64_t extent, std::int64_t size) {
    return (extent + size - 1) / size;
  }
  static Range range(std::int64_t index, std::int64_t size, std::int64_t extent) {
    return {index * size, std::min((index + 1) * size, extent)};
  }
  static std::int64_t whole_rows(std::int64_t room, std::int64_t extent, std::int64_t granule) {
    const std::int64_t rows = std::clamp<std::int64_t>(room, 1, extent);
    return rows == extent || rows < granule ? rows : rows - rows % granule;
  }
  static std::int64_t row_bytes(const Operand& o) {
    return o.view.element_bytes() * (o.view.rank() > 3 ? o.view.count(3) : 1);
  }
  std::int64_t walked_bytes(const Operand& o) const {
    if (o.side == Side::other) return 0;
    return sizes_.batch * sizes_.heads * row_bytes(o) *
           (o.side == Side::query ? sizes_.queries : sizes_.keys);
  }
  bool writes_keys() const {
    return std::any_of(operands_.begin(), operands_.end(),
                       [](const Operand& o) { return o.side == Side::key && o.is_write; });
  }
  Box part(const Operand& o, std::int64_t head, std::int64_t end_head, Range rows) const {
    View view = o.view;
    const std::int64_t batch = head / sizes_.heads;
    // Grouped-query attention: several query heads share a key head.
    const auto own = [&](std::int64_t h) { return h * view.count(1) / sizes_.heads; };
    const std::int64_t first = head % sizes_.heads;
    const Range heads{own(first), own(first + end_head - head - 1) + 1};
    // Log-sum-exp may be padded beyond the queries.
    const std::int64_t limit = o.side == Side::query ? sizes_.queries : sizes_.keys;
    const std::int64_t end = rows.end == limit ? view.count(2) : rows.end;
    view.narrow(0, {batch, batch + 1}).narrow(1, heads).narrow(2, {rows.begin, end});
    return view.box();
  }

  Sizes sizes_;
  std::vector<Operand> operands_;
  std::int64_t macs_, given_ = 0;
  double done_ = 0;
  bool keys_stay_ = true;
  std::int64_t query_tile_ = 1, key_tile_ = 1, heads_ = 1;
  Odometer odometer_{{}};
};

Side side_of(const trace::TensorUse& use, const FlashWalk::Sizes& s) {
  const auto& sizes = use.sizes;
  if (sizes.size() < 3 || sizes.size() > 4 || sizes[0] != s.batch) return Side::other;
  if (sizes[2] == s.queries && sizes[1] == s.heads) return Side::query;
  return sizes.size() == 4 && sizes[2] == s.keys ? Side::key : Side::other;
}

std::unique_ptr<Walk> walk(const OpContext& context) {
  const trace::Attribute* attn = context.op.attribute("attn");
  if (attn == nullptr || attn->numbers.size() != 5 || context.function.reads.empty())
    return nullptr;
  const auto size = [&](std::size_t i) { return static_cast<std::int64_t>(attn->numbers[i]); };
  const FlashWalk::Sizes sizes{size(0), size(1), size(2), size(3), size(4)};
  const std::size_t key = context.read_named("key"), value = context.read_named("value");
  const bool backward = context.name.ends_with("backward");
  std::vector<Operand> operands;
  for (std::size_t i = 0; i < context.op.reads.size(); ++i) {
    Operand o{context.read(i), View(context.op.reads[i]), side_of(context.op.reads[i], sizes),
              false};
    if (i == key || i == value) o.side = Side::key;
    operands.push_back(o);
  }
  for (std::size_t i = 0; i < context.op.writes.size(); ++i) {
    Operand o{context.write(i), View(context.op.writes[i]), side_of(context.op.writes[i], sizes),
              true};
    // Gradients come as dQ, dK, dV; with as many queries as keys, shapes cannot tell them apart.
    if (backward && (i == 1 || i == 2)) o.side = Side::key;
    operands.push_back(o);
  }
  for (const Operand& o : operands)
    if (o.side == Side::other && o.view.box().bytes() > context.budget.tile()) return nullptr;
  auto result =
      std::make_unique<FlashWalk>(sizes, std::move(operands), context.budget, context.op.macs);
  if (!result->possible()) return nullptr;
  result->facts.family = "attention";
  result->facts.efficiency = "attention";
  return result;
}

bool stands_for(const OpContext& context) { return context.function.kind == "attn"; }

}  // namespace

extern const KernelModel flash_attention_model;
const KernelModel flash_attention_model{"flash attention", stands_for, walk};

}  // namespace diffram::lower

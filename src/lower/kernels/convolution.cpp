// Convolution as implicit GEMM (the traffic model is DeLTA's, arXiv 1904.01691): a unit of m is one
// row of output pixels, of n an output channel, of k an input channel with its kernel window. The
// input is touched with its halo, not as M·K. Backward: the data gradient is the same product with
// the roles changed, the weight gradient sums over rows; the bias gradient is a by-product of the
// gradient streaming through the second. Groups are the batch of the product.

#include <algorithm>
#include <tuple>

#include "lower/kernels/kernel.h"
#include "lower/walk/contraction.h"
#include "lower/walk/image_rows.h"
#include "lower/walk/sequence.h"

namespace diffram::lower {
namespace {

constexpr std::uint32_t kNoOperand = 0xFFFFFFFFu;

std::int64_t product_from(const View& view, std::size_t first) {
  std::int64_t product = 1;
  for (std::size_t d = first; d < view.rank(); ++d) product *= view.count(d);
  return product;
}

/// The convolution y = x ∗ w by its geometry; x, y are [images, channels, rows, …].
struct Geometry {
  View x, w, y;
  std::int64_t groups = 1, stride = 1, pad = 0, reach = 0;
  std::int64_t array_rows = 128, array_columns = 128;

  std::int64_t images() const { return x.count(0); }
  std::int64_t x_channels() const { return x.count(1) / groups; }
  std::int64_t y_channels() const { return y.count(1) / groups; }
  std::int64_t x_width() const { return product_from(x, 3); }
  std::int64_t y_width() const { return product_from(y, 3); }
  std::int64_t window() const { return product_from(w, 2); }
  RowMap forward() const { return {RowMap::Direction::forward, stride, pad, reach, x.count(2)}; }
  RowMap backward() const { return {RowMap::Direction::backward, stride, pad, reach, y.count(2)}; }
  std::int64_t macs() const { return y.elements() * x_channels() * window(); }
  /// Bytes of x that any output needs.
  std::int64_t x_bytes_needed() const {
    const std::int64_t rows =
        stride > reach + 1 ? y.count(2) : forward().of({0, y.count(2)}).size();
    return x.elements() / x.count(2) * rows * x.element_bytes();
  }
  Axis rows_axis(const View& map, std::int64_t width) const {
    return {images() * map.count(2), map.count(2), std::max<std::int64_t>(1, array_rows / width)};
  }
  Axis channel_axis(std::int64_t channels, std::int64_t granule) const {
    return {channels, channels, std::max<std::int64_t>(1, granule)};
  }
};

Range in_group(std::int64_t group, std::int64_t channels, Range range) {
  return {group * channels + range.begin, group * channels + range.end};
}

/// Rows of one map from rows of the other: the forward product and the data gradient.
class MapOperands final : public ContractionOperands {
 public:
  RowedMap source, result;
  View w;
  bool w_result_first = true;  ///< w is [result channels, source channels, …]
  std::int64_t source_channels = 1, result_channels = 1;
  std::uint32_t source_operand = 0, w_operand = 0, result_operand = 0, bias_operand = kNoOperand;
  View bias;

  void a(std::int64_t group, Range m, Range k, Touch touch, TileWork& tile) const override {
    source.add(tile, source_operand, m, in_group(group, source_channels, k), touch);
  }
  void b(std::int64_t group, Range k, Range n, Touch touch, TileWork& tile) const override {
    View part = w;
    // Of the two channel dimensions the first runs over all groups.
    if (w_result_first) {
      part.narrow(0, in_group(group, result_channels, n)).narrow(1, k);
    } else {
      part.narrow(0, in_group(group, source_channels, k)).narrow(1, n);
    }
    tile.add(w_operand, part.box(), touch == Touch::on_chip);
  }
  void c(std::int64_t group, Range m, Range n, TileWork& tile) const override {
    const Range channels = in_group(group, result_channels, n);
    if (bias_operand != kNoOperand && m.begin == 0) {
      View part = bias;
      tile.add(bias_operand, part.narrow(0, channels).box());
    }
    result.add(tile, result_operand, m, channels, Touch::load);
  }
};

std::unique_ptr<Walk> map_walk(const Geometry& g, const TileBudget& budget, RowMap::Direction way,
                               std::unique_ptr<MapOperands> operands, std::int64_t macs) {
  const bool forward = way == RowMap::Direction::forward;
  const View& source = forward ? g.x : g.y;
  const View& result = forward ? g.y : g.x;
  const RowMap map = forward ? g.forward() : g.backward();
  const std::int64_t source_width = forward ? g.x_width() : g.y_width();
  const std::int64_t result_width = forward ? g.y_width() : g.x_width();
  operands->source = {source, result.count(2), map};
  operands->result = {result, result.count(2), {.limit = result.count(2)}};
  operands->w = g.w;
  operands->w_result_first = forward;
  operands->source_channels = forward ? g.x_channels() : g.y_channels();
  operands->result_channels = forward ? g.y_channels() : g.x_channels();

  ContractionShape shape;
  shape.batches = g.groups;
  shape.m = g.rows_axis(result, result_width);
  shape.n = g.channel_axis(operands->result_channels, g.array_columns);
  shape.k = g.channel_axis(operands->source_channels, g.array_rows / g.window());
  shape.a_element = source.element_bytes();
  shape.b_element = g.w.element_bytes();
  shape.c_element = result.element_bytes();
  shape.a_rows = map.extent(source_width);
  shape.b_rows = {g.window(), 0};
  shape.c_rows = {result_width, 0};
  shape.macs = macs;
  return make_contraction(shape, budget, std::move(operands));
}

class WeightOperands final : public ContractionOperands {
 public:
  RowedMap x, y_gradient;
  View w_gradient, bias_gradient;
  std::int64_t x_channels = 1, y_channels = 1;
  std::uint32_t x_operand = 0, y_operand = 0, w_operand = 0, bias_operand = kNoOperand;

  void a(std::int64_t group, Range m, Range k, Touch touch, TileWork& tile) const override {
    // Tiles of m are channels here: neighbours share no rows.
    const Touch plain = touch == Touch::load_beyond_previous ? Touch::load : touch;
    y_gradient.add(tile, y_operand, k, in_group(group, y_channels, m), plain);
  }
  void b(std::int64_t group, Range k, Range n, Touch touch, TileWork& tile) const override {
    x.add(tile, x_operand, k, in_group(group, x_channels, n), touch);
  }
  void c(std::int64_t group, Range m, Range n, TileWork& tile) const override {
    const Range channels = in_group(group, y_channels, m);
    View part = w_gradient;
    tile.add(w_operand, part.narrow(0, channels).narrow(1, n).box());
    if (bias_operand != kNoOperand && n.begin == 0) {
      View bias = bias_gradient;
      tile.add(bias_operand, bias.narrow(0, channels).box());
    }
  }
};

std::unique_ptr<Walk> weight_walk(const Geometry& g, const TileBudget& budget,
                                  std::unique_ptr<WeightOperands> operands, std::int64_t macs) {
  operands->x = {g.x, g.y.count(2), g.forward()};
  operands->y_gradient = {g.y, g.y.count(2), {.limit = g.y.count(2)}};
  operands->x_channels = g.x_channels();
  operands->y_channels = g.y_channels();
  ContractionShape shape;
  shape.batches = g.groups;
  shape.m = g.channel_axis(g.y_channels(), g.array_rows);
  shape.n = g.channel_axis(g.x_channels(), g.array_columns / g.window());
  shape.k = g.rows_axis(g.y, g.y_width());
  shape.a_element = g.y.element_bytes();
  shape.b_element = g.x.element_bytes();
  shape.c_element = operands->w_gradient.element_bytes();
  shape.a_columns = {g.y_width(), 0};
  shape.b_rows = g.forward().extent(g.x_width());
  shape.c_columns = {g.window(), 0};
  shape.macs = macs;
  return make_contraction(shape, budget, std::move(operands));
}

/// Geometry from tensors and attributes; false when the call is not of the plain form.
bool describe(const OpContext& context, const trace::TensorUse& x, const trace::TensorUse& w,
              const trace::TensorUse& y, Geometry& g) {
  if (x.sizes.size() < 3 || x.sizes.size() > kMaxDimensions - 1 ||
      w.sizes.size() != x.sizes.size() || y.sizes.size() != x.sizes.size())
    return false;
  g.x = View(x);
  g.w = View(w);
  g.y = View(y);
  g.groups = context.number("groups", 1);
  g.stride = context.number("stride", 1);
  g.pad = context.number("pad", 0);
  g.reach = (w.sizes[2] - 1) * context.number("dilation", 1);
  g.array_rows = context.budget.array_rows;
  g.array_columns = context.budget.array_columns;
  return g.x.elements() > 0 && g.y.elements() > 0 && g.w.elements() > 0;
}

std::unique_ptr<Walk> forward(const OpContext& context) {
  const auto& [reads, writes] = std::tie(context.op.reads, context.op.writes);
  if (reads.size() < 2 || reads.size() > 3 || writes.size() != 1) return nullptr;
  Geometry g;
  // A transposed convolution is the data gradient of the plain one that maps its output to its
  // input, so x and y change places.
  const bool transposed = context.number("transposed", 0) != 0;
  if (!describe(context, transposed ? writes[0] : reads[0], reads[1],
                transposed ? reads[0] : writes[0], g))
    return nullptr;
  auto operands = std::make_unique<MapOperands>();
  operands->w_operand = 1;
  operands->result_operand = context.write(0);
  if (reads.size() == 3) {
    operands->bias_operand = 2;
    operands->bias = View(reads[2]);
  }
  const std::int64_t macs = context.op.macs > 0 ? context.op.macs : g.macs();
  const std::int64_t bias = reads.size() == 3 ? reads[2].tensor_bytes() : 0;
  auto walk = map_walk(g, context.budget,
                       transposed ? RowMap::Direction::backward : RowMap::Direction::forward,
                       std::move(operands), macs);
  walk->facts.bound_bytes += bias;
  if (!transposed)
    walk->facts.compulsory_bytes =
        g.x_bytes_needed() + reads[1].tensor_bytes() + bias + writes[0].tensor_bytes();
  walk->facts.roles = {"input", "weight"};
  if (reads.size() == 3) walk->facts.roles.emplace_back("bias");
  walk->facts.roles.emplace_back("output");
  return walk;
}

std::unique_ptr<Walk> backward(const OpContext& context) {
  const auto& [reads, writes] = std::tie(context.op.reads, context.op.writes);
  const trace::Attribute* mask = context.op.attribute("mask");
  if (reads.size() != 3 || mask == nullptr || mask->numbers.size() != 3 ||
      context.number("transposed", 0) != 0)
    return nullptr;
  Geometry g;
  if (!describe(context, reads[1], reads[2], reads[0], g)) return nullptr;
  const bool data = mask->numbers[0] != 0, weight = mask->numbers[1] != 0,
             bias = mask->numbers[2] != 0;
  if (std::size_t{data} + std::size_t{weight} + std::size_t{bias} != writes.size() ||
      !(data || weight))
    return nullptr;
  const std::int64_t macs =
      context.op.macs > 0 ? context.op.macs / (data && weight ? 2 : 1) : g.macs();
  auto both = std::make_unique<Sequence>();
  std::int64_t compulsory = reads[0].tensor_bytes();
  both->facts.roles = {"output gradient", "input", "weight"};
  const std::size_t bias_at = std::size_t{data} + std::size_t{weight};
  if (data) {
    auto operands = std::make_unique<MapOperands>();
    operands->source_operand = 0;
    operands->w_operand = 2;
    operands->result_operand = context.write(0);
    if (bias && !weight) {
      operands->bias_operand = context.write(bias_at);
      operands->bias = View(writes[bias_at]);
    }
    both->append(
        map_walk(g, context.budget, RowMap::Direction::backward, std::move(operands), macs));
    both->facts.roles.emplace_back("input gradient");
    compulsory += reads[2].tensor_bytes();
  }
  if (weight) {
    auto operands = std::make_unique<WeightOperands>();
    operands->y_operand = 0;
    operands->x_operand = 1;
    operands->w_operand = context.write(std::size_t{data});
    operands->w_gradient = View(writes[std::size_t{data}]);
    if (bias) {
      operands->bias_operand = context.write(bias_at);
      operands->bias_gradient = View(writes[bias_at]);
    }
    both->append(weight_walk(g, context.budget, std::move(operands), macs));
    both->facts.roles.emplace_back("weight gradient");
    compulsory += g.x_bytes_needed();
  }
  if (bias) both->facts.roles.emplace_back("bias gradient");
  for (const trace::TensorUse& use : writes) compulsory += use.tensor_bytes();
  both->facts.bound_bytes += bias ? writes[bias_at].tensor_bytes() : 0;
  both->facts.compulsory_bytes = compulsory;
  return both;
}

std::unique_ptr<Walk> walk(const OpContext& context) {
  auto result = context.name.ends_with("backward") ? backward(context) : forward(context);
  if (result == nullptr) return nullptr;
  result->facts.family = "convolution";
  result->facts.efficiency = "convolution";
  return result;
}

bool stands_for(const OpContext& context) { return context.function.kind == "conv"; }

}  // namespace

extern const KernelModel convolution_model;
const KernelModel convolution_model{"convolution", stands_for, walk};

}  // namespace diffram::lower

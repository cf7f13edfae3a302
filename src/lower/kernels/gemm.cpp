// mm, addmm, bmm, baddbmm: A[b, m, k] · B[b, k, n] (+ what is added) → C[b, m, n].

#include "lower/kernels/kernel.h"
#include "lower/walk/contraction.h"

namespace diffram::lower {
namespace {

/// A matrix operand as [batch, rows, columns].
View matrix(const trace::TensorUse& use) {
  View view(use);
  if (view.rank() == 2) view.insert_broadcast(0, 1);
  return view;
}

class GemmOperands final : public ContractionOperands {
 public:
  std::uint32_t a_operand = 0, b_operand = 1, c_operand = 2, added_operand = 0;
  View a_view, b_view, c_view, added_view;
  bool adds = false;

  void a(std::int64_t batch, Range m, Range k, Touch touch, TileWork& tile) const override {
    tile.add(a_operand, part(a_view, batch, m, k), touch == Touch::on_chip);
  }
  void b(std::int64_t batch, Range k, Range n, Touch touch, TileWork& tile) const override {
    tile.add(b_operand, part(b_view, batch, k, n), touch == Touch::on_chip);
  }
  void c(std::int64_t batch, Range m, Range n, TileWork& tile) const override {
    if (adds && seen_first(batch, m, n)) tile.add(added_operand, part(added_view, batch, m, n));
    tile.add(c_operand, part(c_view, batch, m, n));
  }

 private:
  static Box part(View view, std::int64_t batch, Range rows, Range columns) {
    view.narrow(0, {batch, batch + 1}).narrow(1, rows).narrow(2, columns);
    return view.box();
  }
  /// A broadcast dimension (a bias) is read with its first tile and kept in the output stage.
  bool seen_first(std::int64_t batch, Range m, Range n) const {
    return (added_view.dimension(0).stride != 0 || batch == 0) &&
           (added_view.dimension(1).stride != 0 || m.begin == 0) &&
           (added_view.dimension(2).stride != 0 || n.begin == 0);
  }
};

/// The added tensor broadcast to [batch, m, n].
View broadcast(const trace::TensorUse& use, std::int64_t batches, std::int64_t m, std::int64_t n) {
  View view(use);
  while (view.rank() < 3) view.insert_broadcast(0, 1);
  const std::int64_t counts[3] = {batches, m, n};
  for (std::size_t d = 0; d < 3; ++d)
    if (view.count(d) != counts[d]) view.set_dimension(d, {counts[d], 0});
  return view;
}

std::unique_ptr<Walk> walk(const OpContext& context) {
  const auto& [reads, writes] = std::tie(context.op.reads, context.op.writes);
  if (writes.size() != 1 || reads.size() > 3 || reads.empty()) return nullptr;
  const trace::Attribute* sizes = context.op.attribute("gemm");
  if (sizes == nullptr || sizes->numbers.size() != 4) return nullptr;
  const auto size = [&](std::size_t i) { return static_cast<std::int64_t>(sizes->numbers[i]); };

  // x @ x is one read; an added tensor stands first, unless beta = 0.
  const bool adds =
      reads.size() == 3 || (reads.size() == 2 && context.name.find("add") != std::string::npos &&
                            context.number("beta", 1) != 0 && context.read_named("self") == 0);
  const std::size_t a_at = adds ? 1 : 0, b_at = reads.size() - 1;
  for (const std::size_t at : {a_at, b_at})
    if (reads[at].sizes.size() < 2 || reads[at].sizes.size() > 3) return nullptr;
  if (writes[0].sizes.size() < 2 || writes[0].sizes.size() > 3) return nullptr;

  auto operands = std::make_unique<GemmOperands>();
  operands->a_operand = context.read(a_at);
  operands->b_operand = context.read(b_at);
  operands->c_operand = context.write(0);
  operands->a_view = matrix(reads[a_at]);
  operands->b_view = matrix(reads[b_at]);
  operands->c_view = matrix(writes[0]);
  operands->adds = adds;
  const std::int64_t batches = size(0), m = size(1), n = size(2), k = size(3);
  if (operands->a_view.count(1) != m || operands->a_view.count(2) != k ||
      operands->b_view.count(1) != k || operands->b_view.count(2) != n ||
      operands->c_view.count(0) != batches || m * n * k * batches == 0)
    return nullptr;
  if (adds) operands->added_view = broadcast(reads[0], batches, m, n);

  ContractionShape shape;
  shape.batches = batches;
  shape.m = {m, m, context.budget.array_rows};
  shape.n = {n, n, context.budget.array_columns};
  shape.k = {k, k, context.budget.array_rows};
  shape.a_element = operands->a_view.element_bytes();
  shape.b_element = operands->b_view.element_bytes();
  shape.c_element = operands->c_view.element_bytes();
  shape.macs = batches * m * n * k;
  const std::int64_t added = adds ? reads[0].tensor_bytes() : 0;
  auto result = make_contraction(shape, context.budget, std::move(operands));
  result->facts.family = "gemm";
  result->facts.efficiency = "gemm";
  result->facts.bound_bytes += added;
  result->facts.roles.assign(reads.size() + 1, "");
  if (adds) result->facts.roles[0] = "added";
  result->facts.roles[a_at] = "A";
  result->facts.roles[b_at] = a_at == b_at ? "A+B" : "B";
  result->facts.roles[reads.size()] = "C";
  return result;
}

bool stands_for(const OpContext& context) { return context.function.kind == "mm"; }

}  // namespace

extern const KernelModel gemm_model;
const KernelModel gemm_model{"gemm", stands_for, walk};

}  // namespace diffram::lower

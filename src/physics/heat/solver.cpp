#include "physics/heat/solver.h"

#include <Eigen/IterativeLinearSolvers>
#include <Eigen/SparseCholesky>
#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <utility>

namespace diffram::physics::heat {

namespace {

using Matrix = Eigen::SparseMatrix<double>;
using Vector = Eigen::VectorXd;

// Residual over right side: heat balances to far better than the 1e-9 that is promised.
constexpr double kResidual = 1e-13;
constexpr double kGamma = 1 - std::numbers::sqrt2 / 2;

/// A symmetric positive definite matrix, ready to be solved with.
class Factor {
 public:
  explicit Factor(const Matrix& matrix) : matrix_(matrix) {
    if (static_cast<std::size_t>(matrix_.rows()) <= Solver::kDirectNodes) {
      direct_ = std::make_unique<Direct>(matrix_);
      is_good_ = direct_->info() == Eigen::Success;
    } else {
      iterative_ = std::make_unique<Iterative>();
      iterative_->setTolerance(kResidual);
      iterative_->compute(matrix_);
      is_good_ = iterative_->info() == Eigen::Success;
    }
  }
  Factor(const Factor&) = delete;  // the iterative solver points at the matrix
  Factor& operator=(const Factor&) = delete;

  bool is_good() const { return is_good_; }
  Vector solve(const Vector& right) const {
    return direct_ ? Vector(direct_->solve(right)) : Vector(iterative_->solve(right));
  }

 private:
  using Direct = Eigen::SimplicialLLT<Matrix>;
  using Iterative = Eigen::ConjugateGradient<Matrix, Eigen::Lower | Eigen::Upper,
                                             Eigen::IncompleteCholesky<double>>;
  Matrix matrix_;
  std::unique_ptr<Direct> direct_;
  std::unique_ptr<Iterative> iterative_;  ///< in place of `direct_`
  bool is_good_ = false;
};

Matrix conductances(const Network& network) {
  std::vector<Eigen::Triplet<double>> entries;
  entries.reserve(4 * network.links.size() + network.boundaries.size());
  for (const auto& [a, b, g] : network.links) {
    const auto i = static_cast<int>(a), j = static_cast<int>(b);
    entries.emplace_back(i, i, g);
    entries.emplace_back(j, j, g);
    entries.emplace_back(i, j, -g);
    entries.emplace_back(j, i, -g);
  }
  for (const Boundary& boundary : network.boundaries) {
    const auto i = static_cast<int>(boundary.node);
    entries.emplace_back(i, i, boundary.conductance);
  }
  const auto nodes = static_cast<Eigen::Index>(network.size());
  Matrix matrix(nodes, nodes);
  matrix.setFromTriplets(entries.begin(), entries.end());
  return matrix;
}

Eigen::Map<const Vector> as_vector(std::span<const double> values) {
  return {values.data(), static_cast<Eigen::Index>(values.size())};
}

}  // namespace

// Everything is solved as rise above one boundary's temperature: with all boundaries alike and no
// power the answer is then exactly that temperature, and no digits go into the offset.
struct Solver::State {
  explicit State(Network n)
      : network(std::move(n)),
        reference(network.boundaries.front().celsius),
        conductance(conductances(network)),
        capacity(as_vector(network.capacity)),
        from_boundaries(Vector::Zero(static_cast<Eigen::Index>(network.size()))),
        to_boundaries(from_boundaries),
        steady(conductance) {
    for (const Boundary& b : network.boundaries) {
      from_boundaries[b.node] += b.conductance * (b.celsius - reference);
      to_boundaries[b.node] += b.conductance;
    }
  }

  /// (C + a·G), made once for each `a` in seconds.
  const Factor& factor(double a) {
    const auto found = factors.find(a);
    if (found != factors.end()) return *found->second;
    Matrix matrix = conductance * a;
    for (Eigen::Index i = 0; i < capacity.size(); ++i) matrix.coeffRef(i, i) += capacity[i];
    return *factors.emplace(a, std::make_unique<Factor>(matrix)).first->second;
  }

  /// Watts out of all boundaries at a rise.
  double out_flow(const Vector& rise) const {
    return to_boundaries.dot(rise) - from_boundaries.sum();
  }

  Network network;
  double reference;  ///< °C
  Matrix conductance;
  Vector capacity, from_boundaries, to_boundaries;
  Factor steady;
  std::map<double, std::unique_ptr<Factor>> factors;
};

Solver::Solver(std::unique_ptr<State> state) : state_(std::move(state)) {}
Solver::Solver(Solver&&) noexcept = default;
Solver& Solver::operator=(Solver&&) noexcept = default;
Solver::~Solver() = default;

base::Result<Solver> Solver::make(Network network) {
  if (network.size() == 0)
    return base::failure({.code = "no_boundary",
                          .message = "the network has no node",
                          .file = "",
                          .line = 0,
                          .field = "",
                          .expected = "at least one node with a way out"});
  if (auto errors = check(network); !errors.empty()) return base::failure(std::move(errors));
  auto state = std::make_unique<State>(std::move(network));
  if (!state->steady.is_good())
    return base::failure({.code = "cannot_factorise",
                          .message = "the conductances of the network are too far apart to solve",
                          .file = "",
                          .line = 0,
                          .field = "",
                          .expected = "resistances within 15 powers of ten of each other"});
  return Solver(std::move(state));
}

const Network& Solver::network() const { return state_->network; }

std::size_t Solver::factors() const { return 1 + state_->factors.size(); }

std::vector<double> Solver::steady(std::span<const double> watts) const {
  const Vector rise = state_->steady.solve(as_vector(watts) + state_->from_boundaries);
  std::vector<double> celsius(rise.begin(), rise.end());
  for (double& each : celsius) each += state_->reference;
  return celsius;
}

// G is symmetric, so one solution serves every place that power may arise at.
std::vector<double> Solver::response(std::uint32_t node) const {
  const Vector rise = state_->steady.solve(Vector::Unit(state_->capacity.size(), node));
  return {rise.begin(), rise.end()};
}

StepHeat Solver::step(std::vector<double>& celsius, std::span<const double> watts, double seconds,
                      Scheme scheme) {
  State& s = *state_;
  const Vector before = as_vector(celsius).array() - s.reference;
  const Vector source = as_vector(watts) + s.from_boundaries;
  Vector after;
  StepHeat heat;
  if (scheme == Scheme::backward_euler) {
    after = s.factor(seconds).solve(s.capacity.cwiseProduct(before) + seconds * source);
    heat.out = seconds * s.out_flow(after);
  } else {
    const Factor& factor = s.factor(kGamma * seconds);
    const Vector k1 = factor.solve(source - s.conductance * before);
    const Vector middle = before + (1 - kGamma) * seconds * k1;
    const Vector k2 = factor.solve(source - s.conductance * middle);
    after = middle + kGamma * seconds * k2;
    heat.out = seconds * ((1 - kGamma) * s.out_flow(before + kGamma * seconds * k1) +
                          kGamma * s.out_flow(after));
  }
  heat.in = seconds * as_vector(watts).sum();
  heat.stored = s.capacity.dot(after - before);
  for (Eigen::Index i = 0; i < after.size(); ++i)
    celsius[static_cast<std::size_t>(i)] = after[i] + s.reference;
  return heat;
}

}  // namespace diffram::physics::heat

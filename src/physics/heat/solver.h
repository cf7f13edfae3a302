#pragma once
// Temperatures of a network (energy-and-heat.md 8d). Steady state: G·T = P. Transient, with power
// constant within a step: (C + a·G) is factorised once for each length of step and kept, so a step
// is one or two back substitutions. Above kDirectNodes nodes incomplete-Cholesky conjugate
// gradients take the place of the factor, whose cost grows faster than the grid.

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/result.h"
#include "physics/heat/network.h"

namespace diffram::physics::heat {

/// Both are stable for any step. Backward Euler is monotone and first order; SDIRK2
/// (γ = 1 − 1/√2, L-stable) is second order and the default.
enum class Scheme : std::uint8_t { backward_euler, sdirk2 };

/// What a step moved: in = stored + out to rounding, the out-flow summed with the scheme's weights.
struct StepHeat {
  double in = 0, stored = 0, out = 0;  ///< J
};

class Solver {
 public:
  /// The errors of `check`; `cannot_factorise` if the numbers are too far apart.
  static base::Result<Solver> make(Network network);
  Solver(Solver&&) noexcept;
  Solver& operator=(Solver&&) noexcept;
  ~Solver();

  const Network& network() const;
  /// °C of each node if these watts last.
  std::vector<double> steady(std::span<const double> watts) const;
  /// K/W of each node: what a watt at it does to `node`, and a watt at `node` to it.
  std::vector<double> response(std::uint32_t node) const;
  /// One step of `seconds`, in place.
  StepHeat step(std::vector<double>& celsius, std::span<const double> watts, double seconds,
                Scheme scheme = Scheme::sdirk2);
  std::size_t factors() const;  ///< made so far, that of the steady state included

  static constexpr std::size_t kDirectNodes = 12'288;

 private:
  struct State;
  explicit Solver(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace diffram::physics::heat

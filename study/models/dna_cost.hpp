// SPDX-License-Identifier: MIT
//
// What a step on the DNA model of TO14 4.4 costs, in counted arithmetic.
#pragma once

#include <livi/linalg/symmetric_factor.hpp>

#include "dna_runs.hpp"
#include "study/cost/counted_arithmetic.hpp"

namespace livi::dna {

/// The cost of an elementary function, in additions: a polynomial of degree 10 to 20 and the reduction of its argument.
constexpr double cost_of_function = 20;

struct Cost {
  double operations = 0, functions = 0;
  [[nodiscard]] double total() const { return operations + cost_of_function * functions; }
};

/// Returns the cost of a step, the mean of ten after the first ten: the cost of a start is no part of it.
inline Cost cost_of_step(Method which, double h) {
  const auto chain = dna_chain<Counted>(base_pairs);
  const Start from = printed_start(1);
  const Vector<Counted, Dynamic> x = from.x.cast<Counted>(), v = from.v.cast<Counted>();
  const auto count = [&](auto method) {
    const auto of_first = [&](long steps) {
      const Operations counted =
          count_operations([&] { Trajectory(method, method.start(x, v), Counted(h), steps).complete(); });
      return Cost{static_cast<double>(counted.total() - counted.functions), static_cast<double>(counted.functions)};
    };
    const Cost all = of_first(20), first = of_first(10);
    return Cost{(all.operations - first.operations) / 10, (all.functions - first.functions) / 10};
  };
  if (which == Method::verlet) return count(VelocityVerlet(chain));
  return count(ZhangSkeel(chain, {Counted(printed_beta)}));
}

/// The linear system of a step of Z&S: along the ring, and by elimination of the full matrix.
struct LinearSolve {
  double ring = 0, full = 0;
};
inline LinearSolve cost_of_linear_solve() {
  const auto chain = dna_chain<Counted>(base_pairs);
  using Hessian = typename std::decay_t<decltype(chain.potential())>::hessian_type;
  Vector<Counted, Dynamic> b = printed_start(1).x.cast<Counted>();
  Hessian hessian(base_pairs);
  chain.potential().hessian(b, hessian);
  ShiftedSolver<Hessian> solver;
  SymmetricFactor<Counted, Dynamic> full;
  Matrix<Counted, Dynamic> matrix = Matrix<Counted, Dynamic>::Constant(base_pairs, base_pairs, Counted(0));
  for (Eigen::Index i = 0; i < base_pairs; ++i) matrix(i, i) = Counted(1);
  const auto operations = [](const auto& work) { return static_cast<double>(count_operations(work).total()); };
  const Counted c = printed_beta * zhang_skeel_step * zhang_skeel_step;
  return {.ring = operations([&] {
            if (solver.factor(chain.mass(), c, hessian).singular) throw std::runtime_error("singular");
            solver.solve_in_place(b);
          }),
          .full = operations([&] {
            if (full.factor(matrix).singular) throw std::runtime_error("singular");
            full.solve_in_place(b);
          })};
}

}  // namespace livi::dna

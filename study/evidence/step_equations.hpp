// SPDX-License-Identifier: MIT
//
// The equations of an adaptive step in all its unknowns, on chains of springs, and the Newton matrix of these: by how
// many entries it is not zero, how far it is from symmetric, and which of the unknowns are implicit.
//
// With L_d(q_k, q_{k+1}, dt), E = -dL_d/d(dt), d = q_{k+1} - q_k, and D1, D2 the derivatives by the two positions, the
// symplectic step (CS101 slide 16) has the unknowns q_{k+1}, lambda and t_{k+1}, dt = t_{k+1} - t_k, and
//
//   p_k + D1 L_d - h lambda D1 sigma = 0,   dt - h sigma(q_k, q_{k+1}) = 0,   lambda - E + E0 = 0.
//
// The symmetric one has q_{k+1} and t_{k+1}, and the first two equations without lambda. Their Jacobian by the unknowns
// is what Newton's method solves with. An unknown is explicit if an equation gives it from those already known.
#pragma once

#include <algorithm>
#include <cmath>
#include <livi/adaptive/variational_adaptive_verlet.hpp>
#include <livi/scalar/dual.hpp>
#include <vector>

#include "study/models/spring_chain.hpp"

namespace livi::step_equations {

using spring_chain::chain;

enum class PotentialAt { ends, middle };               ///< W at both ends (Verlet), or halfway (the midpoint rule)
enum class Steps { symplectic, symmetric, constant };  ///< lambda and t, t alone, or neither is an unknown

struct Equations {
  PotentialAt potential = PotentialAt::ends;
  Steps steps = Steps::symplectic;
  StepRule rule = StepRule::mean;
  [[nodiscard]] int added() const { return steps == Steps::symplectic ? 2 : steps == Steps::symmetric ? 1 : 0; }
};

/// A step of a chain from q with momentum p; E0 the energy, h the fictitious step.
template <int Masses>
struct Problem {
  static constexpr int n = 2 * Masses;
  Vector<double, n> q, p;
  double energy = 0, h = 0.05, epsilon = 1;
};

/// Returns the residuals of a step at x = (q_{k+1}, the added unknowns).
template <class T, int Masses>
std::vector<T> residual(const Equations& equations, const Problem<Masses>& problem, const std::vector<T>& x) {
  constexpr int n = 2 * Masses;
  const auto system = chain<T, Masses>();
  const EqualDistances<spring_chain::Chain<T, Masses>> density(system, T(problem.energy), T(problem.epsilon));
  Vector<T, n> q, next, middle, d, force, d1;
  for (int i = 0; i < n; ++i) {
    q(i) = T(problem.q(i));
    next(i) = x[static_cast<std::size_t>(i)];
    d(i) = next(i) - q(i);
    middle(i) = (q(i) + next(i)) / T(2);
  }
  const bool at_start = equations.rule == StepRule::start, half_way = equations.rule == StepRule::midpoint;
  const T sigma = at_start   ? density.value(q)
                  : half_way ? density.value(middle)
                             : T((density.value(q) + density.value(next)) / T(2));
  density.gradient(half_way ? middle : q, d1);
  const T half(0.5), weight = at_start ? T(1) : half;
  const T lambda = equations.steps == Steps::symplectic ? x[n] : T(0);
  const T dt = equations.steps == Steps::constant ? T(problem.h) : x.back();
  system.potential().gradient(equations.potential == PotentialAt::ends ? q : middle, force);
  const T potential = equations.potential == PotentialAt::ends
                          ? T((system.potential().value(q) + system.potential().value(next)) * half)
                          : system.potential().value(middle);
  std::vector<T> r;
  for (int i = 0; i < n; ++i)
    r.push_back(T(problem.p(i)) - d(i) / dt - half * dt * force(i) - T(problem.h) * lambda * weight * d1(i));
  if (equations.steps == Steps::symplectic)
    r.push_back(lambda - dot_product(d, d) / (T(2) * dt * dt) - potential + T(problem.energy));
  if (equations.steps != Steps::constant) r.push_back(dt - T(problem.h) * sigma);
  return r;
}

using Rows = std::vector<std::vector<double>>;

template <int Masses>
Rows jacobian(const Equations& equations, const Problem<Masses>& problem, const std::vector<double>& x) {
  using D = Dual<double>;
  Rows rows(x.size(), std::vector<double>(x.size()));
  for (std::size_t j = 0; j < x.size(); ++j) {
    std::vector<D> varied;
    for (std::size_t i = 0; i < x.size(); ++i) varied.emplace_back(x[i], i == j ? 1.0 : 0.0);
    const std::vector<D> r = residual<D, Masses>(equations, problem, varied);
    for (std::size_t i = 0; i < r.size(); ++i) rows[i][j] = r[i].derivative;
  }
  return rows;
}

struct NewtonMatrix {
  std::size_t unknowns = 0, non_zeros = 0;
  double asymmetry = 0;  ///< |J - J^T| / |J|, Frobenius' norm
  int implicit = 0;      ///< how many of the added unknowns are implicit
  [[nodiscard]] double fraction() const {
    return static_cast<double>(non_zeros) / static_cast<double>(unknowns * unknowns);
  }
};

/// Returns how many of the last `added` unknowns no equation gives from those already known. An equation gives an
/// unknown if no other is in it; `same` says that its derivative by that unknown does not depend on it.
inline int implicit_unknowns(const Rows& rows, const Rows& elsewhere, int added) {
  const std::size_t n = rows.size();
  std::vector<bool> known(n, false);
  for (bool found = true; found;) {
    found = false;
    for (std::size_t i = 0; i < n; ++i) {
      std::size_t in_it = 0, which = 0;
      for (std::size_t j = 0; j < n; ++j)
        if (!known[j] && rows[i][j] != 0) ++in_it, which = j;
      if (in_it != 1 || rows[i][which] != elsewhere[i][which]) continue;
      known[which] = found = true;
    }
  }
  return static_cast<int>(std::count(known.end() - added, known.end(), false));
}

template <int Masses>
NewtonMatrix newton_matrix(const Equations& equations) {
  // A state in motion, in which no spring and no angle is special, and a guess near the next one.
  Problem<Masses> problem;
  problem.q = spring_chain::unstretched<Masses>(0.3, 0.5);
  for (int i = 0; i < 2 * Masses; ++i) {
    problem.q(i) += 0.02 * std::sin(1 + 2.0 * i);
    problem.p(i) = 0.3 * std::cos(1 + 3.0 * i);
  }
  problem.energy = chain<double, Masses>().energy(problem.q, problem.p);
  const auto guess = [&](double dt) {
    std::vector<double> x;
    for (int i = 0; i < 2 * Masses; ++i) x.push_back(problem.q(i) + dt * problem.p(i));
    if (equations.steps == Steps::symplectic) x.push_back(0.01 + dt);
    if (equations.steps != Steps::constant) x.push_back(dt);
    return x;
  };
  const Rows rows = jacobian(equations, problem, guess(0.04));
  NewtonMatrix matrix{.unknowns = rows.size()};
  double square = 0, difference = 0;
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (std::size_t j = 0; j < rows.size(); ++j) {
      matrix.non_zeros += rows[i][j] != 0 ? 1 : 0;
      square += rows[i][j] * rows[i][j];
      difference += (rows[i][j] - rows[j][i]) * (rows[i][j] - rows[j][i]);
    }
  matrix.asymmetry = std::sqrt(difference / square);
  matrix.implicit = implicit_unknowns(rows, jacobian(equations, problem, guess(0.03)), equations.added());
  return matrix;
}

}  // namespace livi::step_equations

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
// is what Newton's method solves with, taken here at the solution. An unknown is explicit if an equation gives it from
// those already known.
//
// With sigma = f(W) halfway, D1 D2 sigma = (f'' grad W grad W' + f' Hess W)/4: what the multiplier adds to the block of the
// positions, h lambda of it, is of rank one but for the band of Hess W.
//
// Two symmetric steps that are explicit are written out beside them, on any system: the leapfrog of the logarithmic
// Hamiltonian and the method of slide 28.
#pragma once

#include <Eigen/LU>
#include <algorithm>
#include <array>
#include <cmath>
#include <livi/adaptive/variational_adaptive_verlet.hpp>
#include <livi/scalar/dual.hpp>
#include <stdexcept>
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

/// The Jacobian of `residual`, a function from a vector of numbers to one of as many.
template <class Residual>
Rows jacobian_of(const Residual& residual, const std::vector<double>& x) {
  using D = Dual<double>;
  Rows rows(x.size(), std::vector<double>(x.size()));
  for (std::size_t j = 0; j < x.size(); ++j) {
    std::vector<D> varied;
    for (std::size_t i = 0; i < x.size(); ++i) varied.emplace_back(x[i], i == j ? 1.0 : 0.0);
    const std::vector<D> r = residual(varied);
    for (std::size_t i = 0; i < r.size(); ++i) rows[i][j] = r[i].derivative;
  }
  return rows;
}
/// Returns a zero of `residual` by Newton's method from a guess. Throws std::runtime_error where it does not get there.
template <class Residual>
std::vector<double> solved(const Residual& residual, std::vector<double> x) {
  const auto n = static_cast<Eigen::Index>(x.size());
  for (int iteration = 0; iteration < 50; ++iteration) {
    const std::vector<double> r = residual(x);
    const Rows rows = jacobian_of(residual, x);
    Eigen::MatrixXd matrix(n, n);
    Eigen::VectorXd right(n);
    for (Eigen::Index i = 0; i < n; ++i) {
      right(i) = r[static_cast<std::size_t>(i)];
      for (Eigen::Index j = 0; j < n; ++j)
        matrix(i, j) = rows[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)];
    }
    const Eigen::VectorXd change = matrix.partialPivLu().solve(right);
    for (Eigen::Index i = 0; i < n; ++i) x[static_cast<std::size_t>(i)] -= change(i);
    // Numbers of order one to a hundred, and a rounding or two of each of some sixty unknowns.
    if (change.cwiseAbs().maxCoeff() < 1e-12) return x;
  }
  throw std::runtime_error("equations of a step: Newton's method does not converge");
}

struct NewtonMatrix {
  std::size_t unknowns = 0, non_zeros = 0;
  /// |J - J^T| / |J|, Frobenius' norm, as the equations are written above; the least for any order and signs of the added
  /// equations.
  double asymmetry = 0, least_asymmetry = 0;
  int implicit = 0;  ///< how many of the added unknowns are implicit
  double multiplier = 0;
  /// The entries by which a mass is in the equation of one that is no neighbour: the largest over the largest of all,
  /// and how far the block of the last masses in the equations of the first is from rank one, as a part of its largest.
  double far = 0, from_rank_one = 0;
  [[nodiscard]] double fraction() const {
    return static_cast<double>(non_zeros) / static_cast<double>(unknowns * unknowns);
  }
};

inline double asymmetry_of(const Rows& rows) {
  double square = 0, difference = 0;
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (std::size_t j = 0; j < rows.size(); ++j) {
      square += rows[i][j] * rows[i][j];
      difference += (rows[i][j] - rows[j][i]) * (rows[i][j] - rows[j][i]);
    }
  return std::sqrt(difference / square);
}
/// Returns the least asymmetry over the orders and signs of the last `added` <= 2 rows.
inline double least_asymmetry_of(const Rows& rows, int added) {
  const std::size_t n = rows.size(), first = n - static_cast<std::size_t>(added);
  double least = asymmetry_of(rows);
  for (const bool exchanged : {false, true})
    for (const double sign : {1.0, -1.0})
      for (const double other : {1.0, -1.0}) {
        if (exchanged && added < 2) continue;
        Rows arranged = rows;
        if (exchanged) std::swap(arranged[first], arranged[first + 1]);
        for (std::size_t i = first; i < n; ++i)
          for (double& x : arranged[i]) x *= i == first ? sign : other;
        least = std::min(least, asymmetry_of(arranged));
      }
  return least;
}
/// Sets the numbers about the far entries of the block of `masses` masses.
inline void measure_far(const Rows& rows, std::size_t masses, NewtonMatrix& matrix) {
  double largest = 0;
  for (std::size_t i = 0; i < 2 * masses; ++i)
    for (std::size_t j = 0; j < 2 * masses; ++j) {
      largest = std::max(largest, std::abs(rows[i][j]));
      if (std::max(i / 2, j / 2) - std::min(i / 2, j / 2) > 1) matrix.far = std::max(matrix.far, std::abs(rows[i][j]));
    }
  matrix.far /= largest;
  // The first half of the masses, and the second but for their neighbour.
  const std::size_t half = masses, last = 2 * masses;
  std::array<std::size_t, 2> pivot{0, half + 2};
  for (std::size_t i = 0; i < half; ++i)
    for (std::size_t j = half + 2; j < last; ++j)
      if (std::abs(rows[i][j]) > std::abs(rows[pivot[0]][pivot[1]])) pivot = {i, j};
  const double top = rows[pivot[0]][pivot[1]];
  if (top == 0) return;
  for (std::size_t i = 0; i < half; ++i)
    for (std::size_t j = half + 2; j < last; ++j)
      matrix.from_rank_one =
          std::max(matrix.from_rank_one, std::abs((rows[i][j] - rows[i][pivot[1]] * rows[pivot[0]][j] / top) / top));
}

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

/// The Newton matrix of a step at its solution; `without_multiplier` puts lambda to zero there.
template <int Masses>
NewtonMatrix newton_matrix(const Equations& equations, bool without_multiplier = false) {
  // A state in motion, in which no spring and no angle is special.
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
    if (equations.steps == Steps::symplectic) x.push_back(0);
    if (equations.steps != Steps::constant) x.push_back(dt);
    return x;
  };
  const auto equations_of = [&]<class T>(const std::vector<T>& x) {
    return residual<T, Masses>(equations, problem, x);
  };
  std::vector<double> x = solved(equations_of, guess(0.03));
  constexpr std::size_t multiplier = 2 * Masses;
  const bool has_multiplier = equations.steps == Steps::symplectic;
  if (has_multiplier && without_multiplier) x[multiplier] = 0;
  const Rows rows = jacobian_of(equations_of, x);
  NewtonMatrix matrix{.unknowns = rows.size(),
                      .asymmetry = asymmetry_of(rows),
                      .least_asymmetry = least_asymmetry_of(rows, equations.added()),
                      .multiplier = has_multiplier ? x[multiplier] : 0};
  for (const auto& row : rows)
    matrix.non_zeros +=
        static_cast<std::size_t>(std::count_if(row.begin(), row.end(), [](double y) { return y != 0; }));
  measure_far(rows, Masses, matrix);
  // Elsewhere, where all unknowns have other values.
  std::vector<double> elsewhere = guess(0.04);
  if (has_multiplier) elsewhere[multiplier] = 0.05;
  matrix.implicit = implicit_unknowns(rows, jacobian_of(equations_of, elsewhere), equations.added());
  return matrix;
}

// --- symmetric steps that are explicit ------------------------------------------------------------------------------------

/// A step h of the logarithmic Hamiltonian from (q, v), on a system in the numbers of the unknowns (q_{k+1/2}, v_{k+1},
/// q_{k+1}, dt): dt is added to those of constant steps.
template <class T, class System>
std::vector<T> logarithmic_residual(const System& system, const VectorOf<System>& q, const VectorOf<System>& v,
                                    const T& h, const std::vector<T>& x) {
  constexpr int n = System::dimension;
  using V = VectorOf<System>;
  const V middle = Eigen::Map<const V>(x.data()), next_v = Eigen::Map<const V>(x.data() + n),
          next_q = Eigen::Map<const V>(x.data() + 2 * n);
  const T energy = system.energy(q, v), half = h / T(2);
  const auto time_of = [&](const V& velocity) {
    return T(half / (dot_product(velocity, system.momentum(velocity)) / T(2) - energy));
  };
  V a = q;
  system.acceleration(middle, a);
  const T first = time_of(v), second = time_of(next_v);
  const V r1 = middle - q - first * v, r2 = next_v - v + (h / system.potential().value(middle)) * a,
          r3 = next_q - middle - second * next_v;
  std::vector<T> r;
  for (const V* of : {&r1, &r2, &r3}) r.insert(r.end(), of->data(), of->data() + n);
  r.push_back(x.back() - first - second);
  return r;
}
/// A step h of velocity Verlet by the rule of slide 28 from (q, v) and z = 1/sigma(q), the unknowns (q_{k+1}, v_{k+1},
/// z_{k+1/2}, z_{k+1}, dt): of these the last three are added.
template <class T, class System, class Density>
std::vector<T> integrated_residual(const System& system, const Density& density, const VectorOf<System>& q,
                                   const VectorOf<System>& v, const T& h, const std::vector<T>& x) {
  constexpr int n = System::dimension;
  using V = VectorOf<System>;
  const V next_q = Eigen::Map<const V>(x.data()), next_v = Eigen::Map<const V>(x.data() + n);
  const T &middle = x[2 * n], &last = x[2 * n + 1], &dt = x[2 * n + 2], half = h / T(2);
  const auto rate = [&](const V& at, const V& velocity) {
    V g = at;
    density.gradient(at, g);
    return T(dot_product(g, velocity) / density.value(at));
  };
  V a = q, next_a = q;
  system.acceleration(q, a);
  system.acceleration(next_q, next_a);
  const V r1 = next_q - q - dt * (v + (dt / T(2)) * a), r2 = next_v - v - (dt / T(2)) * (a + next_a);
  std::vector<T> r(r1.data(), r1.data() + n);
  r.insert(r.end(), r2.data(), r2.data() + n);
  r.push_back(middle - T(1) / density.value(q) + half * rate(q, v));
  r.push_back(last - middle + half * rate(next_q, next_v));
  r.push_back(dt - h / middle);
  return r;
}

/// Returns how many of the last `added` unknowns of a residual are implicit; the solution is reached from `guess`.
template <class Residual>
int implicit_unknowns(const Residual& residual, const std::vector<double>& guess, int added) {
  const std::vector<double> x = solved(residual, guess);
  return implicit_unknowns(jacobian_of(residual, x), jacobian_of(residual, guess), added);
}

}  // namespace livi::step_equations

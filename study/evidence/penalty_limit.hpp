// SPDX-License-Identifier: MIT
//
// Motion under a stiff penalty and its limit, shared by the programs about TO14 Theorem 1.2, Section 3 and the
// appendix. A problem is two functions of q for any scalar, V(q) and g(q), and an inverse mass; every derivative is
// taken from them by dual numbers, so that nothing here can disagree with them:
//
//   penalised    M q'' = -grad V - omega^2 Dg^T g                    (7)
//   constrained  M q'' = -grad V + Dg^T lambda,  g(q) = 0            (6), with lambda eliminated:
//                Dg M^-1 Dg^T lambda = Dg M^-1 grad V - v . Hess g . v
//
// Both are integrated by Boost.Odeint's controlled Runge-Kutta-Fehlberg 7(8), whose steps resolve the oscillations.
// Averages over time windows are differences of integrals carried along as components of the state: no quadrature.
#pragma once

#include <Eigen/LU>
#include <array>
#include <cmath>
#include <livi/linalg/vector.hpp>
#include <livi/scalar/dual.hpp>
#include <livi/scalar/multiprecision.hpp>
#include <string>
#include <vector>

#include "study/program/integrate.hpp"
#include "study/program/theorem.hpp"
#include "study/statistics/power_by_sums.hpp"

namespace livi::theorem {

/// Zero for what would be printed as -0.00.
inline double without_sign(double power) { return std::abs(power) < 0.005 ? 0.0 : power; }

template <class S, int N>
struct Start {
  Vector<S, N> q, v;
};

/// A problem written as two generic lambdas: potential(q) and constraint(q), the latter a Vector of M entries.
template <int N, int M, class Potential, class Constraint>
struct Problem {
  static constexpr int n = N, m = M;
  Potential potential;
  Constraint constraint;
  Matrix<double, N> inverse_mass = Matrix<double, N>::Identity();
};

template <int N, int M, class Potential, class Constraint>
auto make_problem(Potential potential, Constraint constraint,
                  const Matrix<double, N>& inverse_mass = Matrix<double, N>::Identity()) {
  return Problem<N, M, Potential, Constraint>{std::move(potential), std::move(constraint), inverse_mass};
}

template <class S>
Vector<S, 1> one(const S& g) {
  return Vector<S, 1>::Constant(g);
}
/// Not by Eigen's constructor, which asks whether its arguments are sizes.
template <class S>
Vector<S, 2> two(const S& first, const S& second) {
  Vector<S, 2> g = Vector<S, 2>::Constant(first);
  g(1) = second;
  return g;
}

// --- derivatives -----------------------------------------------------------------------------------------------------

template <class S, int N>
Vector<Dual<S>, N> lifted(const Vector<S, N>& q) {
  Vector<Dual<S>, N> x;
  for (int i = 0; i < N; ++i) x(i) = Dual<S>(q(i));
  return x;
}

/// q + epsilon * direction
template <class S, int N>
Vector<Dual<S>, N> along(const Vector<S, N>& q, const Vector<S, N>& direction) {
  Vector<Dual<S>, N> x;
  for (int i = 0; i < N; ++i) x(i) = Dual<S>(q(i), direction(i));
  return x;
}

template <class S, int N>
Vector<S, N> derivatives(const Vector<Dual<S>, N>& x) {
  Vector<S, N> d;
  for (int i = 0; i < N; ++i) d(i) = x(i).derivative;
  return d;
}

template <class P, class S, int N>
Vector<S, N> gradient(const P& problem, const Vector<S, N>& q) {
  Vector<S, N> out;
  Vector<Dual<S>, N> x = lifted(q);
  for (int i = 0; i < N; ++i) {
    x(i).derivative = S(1);
    out(i) = problem.potential(x).derivative;
    x(i).derivative = S(0);
  }
  return out;
}

/// Dg, one row per constraint.
template <class P, class S, int N>
Matrix<S, P::m, N> jacobian(const P& problem, const Vector<S, N>& q) {
  Matrix<S, P::m, N> out;
  Vector<Dual<S>, N> x = lifted(q);
  for (int i = 0; i < N; ++i) {
    x(i).derivative = S(1);
    out.col(i) = derivatives<S, P::m>(problem.constraint(x));
    x(i).derivative = S(0);
  }
  return out;
}

/// v . Hess g_i . v
template <class P, class S, int N>
Vector<S, P::m> curvature(const P& problem, const Vector<S, N>& q, const Vector<S, N>& v) {
  Vector<Dual<Dual<S>>, N> x;
  for (int i = 0; i < N; ++i) x(i) = Dual<Dual<S>>(Dual<S>(q(i), v(i)), Dual<S>(v(i), S(0)));
  const Vector<Dual<Dual<S>>, P::m> g = problem.constraint(x);
  Vector<S, P::m> out;
  for (int i = 0; i < P::m; ++i) out(i) = g(i).derivative.derivative;
  return out;
}

template <class P, class S>
Matrix<S, P::n> inverse_mass(const P& problem) {
  Matrix<S, P::n> out;
  for (int i = 0; i < P::n; ++i)
    for (int j = 0; j < P::n; ++j) out(i, j) = S(problem.inverse_mass(i, j));
  return out;
}

/// A x = b for one or two unknowns and any scalar.
template <class S, int M>
Vector<S, M> solve_small(const Matrix<S, M>& A, const Vector<S, M>& b) {
  static_assert(M == 1 || M == 2);
  if constexpr (M == 1) {
    return one<S>(b(0) / A(0, 0));
  } else {
    const S determinant = A(0, 0) * A(1, 1) - A(0, 1) * A(1, 0);
    return two<S>((A(1, 1) * b(0) - A(0, 1) * b(1)) / determinant, (A(0, 0) * b(1) - A(1, 0) * b(0)) / determinant);
  }
}

/// Dg M^-1 Dg^T, whose eigenvalues are the squares of the normal frequencies over omega.
template <class P, class S, int N>
Matrix<S, P::m> gram(const P& problem, const Vector<S, N>& q) {
  const Matrix<S, P::m, N> G = jacobian(problem, q);
  const Matrix<S, N> inverse = inverse_mass<P, S>(problem);
  Matrix<S, P::m> A = Matrix<S, P::m>::Constant(S(0));  // by hand: Eigen's temporaries do not take every scalar
  for (int i = 0; i < P::m; ++i)
    for (int j = 0; j < P::m; ++j)
      for (int k = 0; k < N; ++k)
        for (int l = 0; l < N; ++l) A(i, j) += G(i, k) * inverse(k, l) * G(j, l);
  return A;
}

/// lambda of (6) as a function of position and velocity.
template <class P, class S, int N>
Vector<S, P::m> multiplier(const P& problem, const Vector<S, N>& q, const Vector<S, N>& v) {
  const Matrix<S, P::m, N> G = jacobian(problem, q);
  const Vector<S, N> w = inverse_mass<P, S>(problem) * gradient(problem, q);
  Vector<S, P::m> right = G * w;
  right -= curvature(problem, q, v);
  return solve_small<S, P::m>(gram(problem, q), right);
}

template <class P, class S, int N>
Vector<S, N> acceleration(const P& problem, const Vector<S, N>& q, const Vector<S, P::m>& lambda) {
  Vector<S, N> force = jacobian(problem, q).transpose() * lambda;
  force -= gradient(problem, q);
  return inverse_mass<P, S>(problem) * force;
}

/// d lambda / dt along the constrained motion.
template <class P, int N>
Vector<double, P::m> multiplier_rate(const P& problem, const Vector<double, N>& q, const Vector<double, N>& v) {
  const Vector<double, N> a = acceleration(problem, q, multiplier(problem, q, v));
  return derivatives<double, P::m>(multiplier(problem, along<double, N>(q, v), along<double, N>(v, a)));
}

/// -omega^2 g, the counterpart of lambda.
template <class P, class S, int N>
Vector<S, P::m> penalty_multiplier(const P& problem, const S& omega, const Vector<S, N>& q) {
  return -(omega * omega) * problem.constraint(q);
}

template <class P, class S, int N>
S energy(const P& problem, const S& omega, const Vector<S, N>& q, const Vector<S, N>& v,
         double factor_of_penalty = 0.5) {
  const Matrix<double, N> mass = problem.inverse_mass.inverse();
  S kinetic(0);
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < N; ++j) kinetic += v(i) * S(mass(i, j)) * v(j);
  const Vector<S, P::m> g = problem.constraint(q);
  return kinetic / S(2) + problem.potential(q) + S(factor_of_penalty) * omega * omega * g.dot(g);
}

/// The start moved along M^-1 Dg^T until g = value and Dg v = rate.
template <class P>
Start<double, P::n> start_with(const P& problem, Start<double, P::n> start, const Vector<double, P::m>& value,
                               const Vector<double, P::m>& rate) {
  for (int iteration = 0; iteration < 50; ++iteration) {
    const Vector<double, P::m> residual = problem.constraint(start.q) - value;
    start.q -= problem.inverse_mass * jacobian(problem, start.q).transpose() *
               solve_small<double, P::m>(gram(problem, start.q), residual);
    if (residual.norm() < 1e-17) break;
  }
  const Matrix<double, P::m, P::n> G = jacobian(problem, start.q);
  const Vector<double, P::m> excess = G * start.v - rate;
  start.v -= problem.inverse_mass * G.transpose() * solve_small<double, P::m>(gram(problem, start.q), excess);
  return start;
}

/// The start moved onto the tangent bundle of g = 0.
template <class P>
Start<double, P::n> tangent_start(const P& problem, const Start<double, P::n>& start) {
  const Vector<double, P::m> zero = Vector<double, P::m>::Zero();
  return start_with(problem, start, zero, zero);
}

// --- motions ---------------------------------------------------------------------------------------------------------

inline std::vector<double> sample_times(double end, int intervals, double begin = 0) {
  std::vector<double> times;
  for (int k = 0; k <= intervals; ++k) times.push_back(begin + (end - begin) * k / intervals);
  return times;
}

constexpr double tight = 1e-14;

/// One moment of a motion. `integral` is that of the multiplier (lambda, or -omega^2 g) and of the extra integrands.
template <class P, int K = 0>
struct Sample {
  double t;
  Vector<double, P::n> q, v;
  Vector<double, P::m> multiplier, integral;
  std::array<double, static_cast<std::size_t>(K)> extra;
};

struct NoIntegrands {
  static constexpr int count = 0;
  std::array<double, 0> operator()(const auto&, const auto&) const { return {}; }
};

/// multiplier_of(q, v) says which force holds the motion to the manifold; integrands(q, v) what else to integrate.
template <class P, class MultiplierOf, class Integrands = NoIntegrands>
auto motion(const P& problem, const Start<double, P::n>& start, const std::vector<double>& times,
            const MultiplierOf& multiplier_of, const Integrands& integrands = {}, double tolerance = tight) {
  constexpr int n = P::n, m = P::m, count = Integrands::count;
  using At = Eigen::Map<const Vector<double, n>>;
  std::vector<double> x(2 * n + m + count);
  for (int i = 0; i < n; ++i) {
    x[static_cast<std::size_t>(i)] = start.q(i);
    x[static_cast<std::size_t>(n + i)] = start.v(i);
  }
  std::vector<Sample<P, count>> samples;
  integrate(
      x, times, tolerance,
      [&](const auto& at, auto& dxdt, double) {
        const Vector<double, n> q = At(at.data()), v = At(at.data() + n);
        const Vector<double, m> lambda = multiplier_of(q, v);
        const Vector<double, n> a = acceleration(problem, q, lambda);
        std::copy(v.data(), v.data() + n, dxdt.data());
        std::copy(a.data(), a.data() + n, dxdt.data() + n);
        std::copy(lambda.data(), lambda.data() + m, dxdt.data() + 2 * n);
        const auto extra = integrands(q, v);
        std::copy(extra.begin(), extra.end(), dxdt.data() + 2 * n + m);
      },
      [&](const auto& at, double t) {
        Sample<P, count> s{t,
                           At(at.data()),
                           At(at.data() + n),
                           Vector<double, m>::Zero(),
                           Eigen::Map<const Vector<double, m>>(at.data() + 2 * n),
                           {}};
        s.multiplier = multiplier_of(s.q, s.v);
        std::copy_n(at.data() + 2 * n + m, count, s.extra.begin());
        samples.push_back(s);
      });
  return samples;
}

template <class P, class Integrands = NoIntegrands>
auto penalised_motion(const P& problem, double omega, const Start<double, P::n>& start,
                      const std::vector<double>& times, const Integrands& integrands = {}, double tolerance = tight) {
  return motion(
      problem, start, times,
      [&](const Vector<double, P::n>& q, const auto&) { return penalty_multiplier(problem, omega, q); }, integrands,
      tolerance);
}

template <class P, class Integrands = NoIntegrands>
auto constrained_motion(const P& problem, const Start<double, P::n>& start, const std::vector<double>& times,
                        const Integrands& integrands = {}, double tolerance = tight) {
  return motion(
      problem, start, times,
      [&](const Vector<double, P::n>& q, const Vector<double, P::n>& v) { return multiplier(problem, q, v); },
      integrands, tolerance);
}

// --- distances and exponents -----------------------------------------------------------------------------------------

/// Largest distance(a[k], b[k]).
template <class A, class B, class Distance>
double largest(const std::vector<A>& a, const std::vector<B>& b, const Distance& distance) {
  double worst = 0;
  for (std::size_t k = 0; k < std::min(a.size(), b.size()); ++k) worst = std::max(worst, distance(a[k], b[k]));
  return worst;
}
template <class A, class Size>
double largest(const std::vector<A>& a, const Size& size) {
  double worst = 0;
  for (const A& sample : a) worst = std::max(worst, size(sample));
  return worst;
}

/// Root mean square of distance(a[k], b[k]) over the last two thirds of the time. From a start with g = 0 the distance
/// of multipliers is |lambda(0)| at t = 0, whatever comes later, so that its largest value says nothing.
template <class A, class B, class Distance>
double late_mean(const std::vector<A>& a, const std::vector<B>& b, const Distance& distance) {
  double sum = 0;
  std::size_t count = 0;
  for (std::size_t k = 0; k < std::min(a.size(), b.size()); ++k) {
    if (a[k].t < a.back().t / 3) continue;
    sum += std::pow(distance(a[k], b[k]), 2);
    ++count;
  }
  return std::sqrt(sum / static_cast<double>(count));
}

constexpr auto position_distance = [](const auto& a, const auto& b) { return (a.q - b.q).norm(); };
constexpr auto velocity_distance = [](const auto& a, const auto& b) { return (a.v - b.v).norm(); };
constexpr auto multiplier_distance = [](const auto& a, const auto& b) { return (a.multiplier - b.multiplier).norm(); };

/// Largest |average of the multiplier difference| over all windows of `width` samples.
template <class A, class B>
double window_distance(const std::vector<A>& a, const std::vector<B>& b, std::size_t width) {
  double worst = 0;
  for (std::size_t k = 0; k + width < a.size(); ++k) {
    const double T = a[k + width].t - a[k].t;
    worst =
        std::max(worst, ((a[k + width].integral - a[k].integral) - (b[k + width].integral - b[k].integral)).norm() / T);
  }
  return worst;
}

/// Adds a number to the report; an exponent, if nothing else is said.
inline void put(const std::string& name, double value, const std::string& unit = "order",
                const Tolerance& tolerance = {.absolute = 0.05}) {
  report().measurement({.name = name, .value = value, .unit = unit, .tolerance = tolerance});
}

/// p of value ~ omega^p, by least squares in logarithms.
inline double fitted_power(const std::vector<double>& omegas, const std::vector<double>& values) {
  std::vector<std::pair<double, double>> points;
  for (std::size_t i = 0; i < omegas.size(); ++i) points.emplace_back(omegas[i], values[i]);
  return power_by_sums(points);
}

/// Returns p of value(omega) ~ omega^p over the frequencies, by least squares in logarithms.
template <class Value>
double power_of(const std::vector<double>& omegas, const Value& value) {
  std::vector<double> values;
  for (const double omega : omegas) values.push_back(value(omega));
  return fitted_power(omegas, values);
}

/// How a penalised motion differs from the constrained one, for several omega: the largest distances, and the late mean
/// of that of the multipliers.
struct Approach {
  std::vector<double> omegas, position, velocity, multiplier, window, defect;
  [[nodiscard]] double power(const std::vector<double>& of) const { return fitted_power(omegas, of); }
};

inline std::vector<double> frequencies() { return {50, 100, 200, 400, 800}; }

/// start_of(omega): where the penalised motion starts; `limit`: the motion it should approach. Windows of a tenth of
/// the time.
template <class P, class StartOf, class Limit>
Approach approach(const P& problem, const StartOf& start_of, const Limit& limit,
                  const std::vector<double>& omegas = frequencies()) {
  Approach result{.omegas = omegas, .position = {}, .velocity = {}, .multiplier = {}, .window = {}, .defect = {}};
  std::vector<double> times;
  for (const auto& sample : limit) times.push_back(sample.t);
  for (const double omega : omegas) {
    const auto run = penalised_motion(problem, omega, start_of(omega), times);
    result.position.push_back(largest(run, limit, position_distance));
    result.velocity.push_back(largest(run, limit, velocity_distance));
    result.multiplier.push_back(late_mean(run, limit, multiplier_distance));
    result.window.push_back(window_distance(run, limit, times.size() / 10));
    result.defect.push_back(largest(run, [&](const auto& s) { return problem.constraint(s.q).norm(); }));
  }
  return result;
}

/// How the motion from a start differs from the constrained one of its tangent part.
template <class P>
Approach approach_from(const P& problem, const Start<double, P::n>& start, double end = 3,
                       const std::vector<double>& omegas = frequencies()) {
  return approach(
      problem, [&](double) { return start; },
      constrained_motion(problem, tangent_start(problem, start), sample_times(end, 1000)), omegas);
}

/// Does (8) have a limit? p of (largest |change of a window average of -omega^2 g from omega to 2 omega|) ~ omega^p.
/// Asks for no limit motion.
template <class P>
double change_power(const P& problem, const Start<double, P::n>& start, double end, const std::vector<double>& omegas) {
  const auto times = sample_times(end, 500);
  std::vector<double> changes;
  auto before = penalised_motion(problem, omegas.front(), start, times);
  for (const double omega : omegas) {
    const auto after = penalised_motion(problem, 2 * omega, start, times);
    changes.push_back(window_distance(before, after, 50));
    before = after;
  }
  return fitted_power(omegas, changes);
}

// --- problems --------------------------------------------------------------------------------------------------------

/// The double pendulum of Section 4.1, gravity down, from the start printed under Figure 1.
inline auto double_pendulum_problem() {
  return make_problem<4, 2>([](const auto& q) { return q(1) + q(3); },
                            []<class S>(const Vector<S, 4>& q) {
                              const S dx = q(2) - q(0), dy = q(3) - q(1);
                              return two<S>(q(0) * q(0) + q(1) * q(1) - S(1), dx * dx + dy * dy - S(2));
                            });
}
inline Start<double, 4> double_pendulum_printed_start() { return {{0, -1, 1, -2}, {0, 0, 0, 0}}; }

/// From there, once for all tests of a program.
inline const Approach& double_pendulum_approach() {
  static const Approach once = approach_from(double_pendulum_problem(), double_pendulum_printed_start());
  return once;
}

inline Matrix<double, 2> full_inverse_mass() {
  Matrix<double, 2> mass;
  mass << 2, 0.5, 0.5, 1;
  return mass.inverse();
}

/// A point on the ellipse (x/a)^2 + (y/b)^2 = 1 in the potential y + stiffness |q|^2 / 2: |Dg|, and with it the normal
/// frequency, varies along it unless a = b and M = I.
inline auto ellipse_problem(double a, double b, const Matrix<double, 2>& inverse_mass_of_point, double stiffness = 0) {
  return make_problem<2, 1>(
      [stiffness]<class S>(const Vector<S, 2>& q) { return q(1) + S(stiffness / 2) * (q(0) * q(0) + q(1) * q(1)); },
      [a, b]<class S>(const Vector<S, 2>& q) { return one<S>(q(0) * q(0) / S(a * a) + q(1) * q(1) / S(b * b) - S(1)); },
      inverse_mass_of_point);
}
inline auto circle_problem(const Matrix<double, 2>& inverse_mass_of_point = Matrix<double, 2>::Identity()) {
  return ellipse_problem(1, 1, inverse_mass_of_point);
}

/// Satisfies every hypothesis of Theorem 1.2 literally: V >= 1, V -> infinity, all derivatives of V and g of orders 1
/// and 2 are bounded on the plane, Dg has rank 1 on the ellipse x^2 + 2 y^2 = 1.
inline auto literal_problem() {
  return make_problem<2, 1>(
      []<class S>(const Vector<S, 2>& q) {
        using std::sqrt;
        const S x = q(0) - S(0.5), y = q(1) + S(1);
        return sqrt(S(1) + S(3) * x * x + S(2) * y * y);
      },
      []<class S>(const Vector<S, 2>& q) {
        using std::sqrt;
        return one<S>(sqrt(S(0.25) + q(0) * q(0) + S(2) * q(1) * q(1)) - sqrt(S(1.25)));
      },
      full_inverse_mass());
}
inline Start<double, 2> literal_start() { return tangent_start(literal_problem(), {{0.8, 0.4}, {-0.6, 0.8}}); }

}  // namespace livi::theorem

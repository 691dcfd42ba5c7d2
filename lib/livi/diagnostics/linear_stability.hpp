// SPDX-License-Identifier: MIT
//
// Linear stability, decided instead of sampled. On q'' = -z q with h = 1, where z = (h omega)^2, a step is a 2 x 2
// matrix of rational functions of z, obtained from the integrator's own code. With trace T and determinant D both
// eigenvalues are in the closed unit disc where
//
//   1 - D >= 0,   1 + D - T >= 0,   1 + D + T >= 0
//
// (Schur, Cohn; Jury 1964). Then all powers of the matrix are bounded unless it has a double eigenvalue 1 or -1 without
// being +-I. The signs of these functions on (0, infinity) are questions about real roots of polynomials, which Sturm's
// theorem answers for all z.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <tuple>
#include <vector>

#include <livi/integrators/integrator.hpp>
#include <livi/scalar/rational_function.hpp>
#include <livi/systems/potentials.hpp>

namespace livi {

/// The matrix of one step in (q, v), entries [row][column].
template <class K>
struct StepMatrix {
  std::array<std::array<RationalFunction<K>, 2>, 2> entries;
  [[nodiscard]] RationalFunction<K> trace() const { return entries[0][0] + entries[1][1]; }
  [[nodiscard]] RationalFunction<K> determinant() const {
    return entries[0][0] * entries[1][1] - entries[0][1] * entries[1][0];
  }
};

/// The oscillator with unit mass and frequency squared z, the variable.
template <class K>
using VariableOscillator =
    MechanicalSystem<ScalarMass<RationalFunction<K>, 1>, HarmonicPotential<RationalFunction<K>, 1>>;

template <class K>
VariableOscillator<K> variable_oscillator() {
  return {ScalarMass<RationalFunction<K>, 1>(1),
          {Vector<RationalFunction<K>, 1>::Constant(RationalFunction<K>::variable())}};
}

/// Returns the matrix of one step; `make(system)` returns the method. Throws std::domain_error if a step fails, is not
/// linear, or depends on h and omega otherwise than through their product (in units of time), as far as one more step
/// and one with h = 2 show. Throws NotRational if the step branches by size or sign, so that it would be another matrix
/// for other z.
template <class K, class Make>
StepMatrix<K> step_matrix(const Make& make) {
  using F = RationalFunction<K>;
  const auto step = [&](const VariableOscillator<K>& system, int q, int v, int h) {
    auto method = make(system);
    auto z = method.start(Vector<F, 1>::Constant(F(q)), Vector<F, 1>::Constant(F(v)));
    if (const StepOutcome outcome = method.step(z, F(h)); !outcome.ok())
      throw std::domain_error("step_matrix: " + outcome.describe());
    return std::pair<F, F>(z.q(0), z.v(0));
  };
  const VariableOscillator<K> system = variable_oscillator<K>();
  StepMatrix<K> m;
  for (std::size_t j = 0; j < 2; ++j)
    std::tie(m.entries[0][j], m.entries[1][j]) = step(system, j == 0 ? 1 : 0, j == 1 ? 1 : 0, 1);
  const auto expect = [&](const std::pair<F, F>& end, int q, int v, int h, const char* what) {
    for (std::size_t i = 0; i < 2; ++i)
      if (!((i == 0 ? end.first : end.second) * F(i == 0 ? 1 : h) ==
            m.entries[i][0] * F(q) + m.entries[i][1] * F(v * h)))
        throw std::domain_error(std::string("step_matrix: the step ") + what);
  };
  expect(step(system, 2, 3, 1), 2, 3, 1, "is not linear in position and velocity");
  const VariableOscillator<K> slower{ScalarMass<F, 1>(1), {Vector<F, 1>::Constant(F::variable() / F(4))}};
  expect(step(slower, 2, 3, 2), 2, 3, 2, "is not a function of h omega");
  return m;
}

/// An interval (low, high] with a real root; high - low is at most 1e-18.
struct RootBracket {
  Rational low = 0, high = 0;
};

/// The set of z = (h omega)^2 > 0 where the powers of a step matrix are bounded.
struct StabilityDecision {
  bool determinant_is_one = false;
  /// True if powers are bounded for all z > 0, touchings excepted, and there are no poles.
  bool unconditional = false;
  int crossings = 0;  ///< number of z > 0 at which a window begins or ends
  /// An interval of z in which powers grow without bound: from `begin`, which is (0, 0] if it starts at zero, to `end`,
  /// or to infinity if there is none.
  struct Window {
    RootBracket begin = {};
    std::optional<RootBracket> end = {};
  };
  std::vector<Window> windows = {};
  /// The poles of entries. There is no step at a pole, even where trace and determinant have a limit.
  std::vector<RootBracket> poles = {};
  /// A single point, with bounded powers on either side, where two eigenvalues meet in 1 or -1.
  struct Touching {
    RootBracket at = {};
    bool grows = false;  ///< the matrix is not +-I, so that powers grow linearly at this very z
  };
  std::vector<Touching> touchings = {};
  /// The bracket of the first window or pole; both are zero if there is none or it begins at zero.
  Rational z_low = 0, z_high = 0;
  /// The value of h omega at the first window or pole; infinite if there is none, 0 if the method is unstable for all
  /// small z.
  double limit = unlimited;
};

namespace linear_stability_detail {

using Poly = Polynomial<Rational>;
using Function = RationalFunction<Rational>;

inline int sign(const Rational& x) { return x > 0 ? 1 : x < 0 ? -1 : 0; }

/// Returns 1 - D, 1 + D - T and 1 + D + T.
inline std::array<Function, 3> conditions(const StepMatrix<Rational>& m) {
  const Function trace = m.trace(), determinant = m.determinant(), one(1);
  return {one - determinant, one + determinant - trace, one + determinant + trace};
}
/// Returns whether the matrix has a double eigenvalue 1, or -1, at every z without being +-I: a Jordan block nearly
/// everywhere.
inline bool is_jordan_block(const StepMatrix<Rational>& m, const std::array<Function, 3>& all) {
  const auto& [a, b, c] = all;
  const bool diagonal = m.entries[0][1].is_zero() && m.entries[1][0].is_zero();
  return a.is_zero() && (b.is_zero() || c.is_zero()) && !diagonal;
}
/// Returns the square-free part of p without the root 0; 1 if it cannot have positive roots by Descartes' rule of
/// signs.
inline Poly positive_part(Poly p) {
  while (p.degree() > 0 && p[0] == 0) p = Poly::divide(p, Poly::variable()).first;
  int changes = 0, last = 0;
  for (const Rational& c : p.coefficients()) {
    const int s = sign(c);
    if (s * last < 0) ++changes;
    if (s != 0) last = s;
  }
  if (changes == 0) return Poly::constant(1);
  return Poly::divide(p, Poly::greatest_common_divisor(p, p.derivative())).first.monic();
}
inline Poly least_common_multiple(const Poly& p, const Poly& q) {
  return Poly::divide(p * q, Poly::greatest_common_divisor(p, q)).first.monic();
}
inline bool has_root(const Poly& square_free, const RootBracket& at) {
  return square_free.degree() > 0 && SturmSequence(square_free).roots(at.low, at.high) > 0;
}

}  // namespace linear_stability_detail

/// Returns whether powers of the matrix are bounded for all z in some interval (0, e), from signs of first
/// coefficients. Those of Heun's method, of spectral radius sqrt(1 + z^2/4), are not.
inline bool is_stable_near_zero(const StepMatrix<Rational>& m) {
  using namespace linear_stability_detail;
  const auto sign_near_zero = [](const Function& f) {
    const auto lowest = [](const Poly& p) {
      const auto first = std::ranges::find_if(p.coefficients(), [](const Rational& c) { return c != 0; });
      return first == p.coefficients().end() ? 0 : sign(*first);
    };
    return lowest(f.numerator()) * lowest(f.denominator());
  };
  const std::array<Function, 3> all = conditions(m);
  return !is_jordan_block(m, all) &&
         std::ranges::all_of(all, [&](const Function& f) { return sign_near_zero(f) >= 0; });
}

/// Decides stability for every z > 0 by Sturm's theorem on the product of the conditions' numerators and the entries'
/// denominators, whose roots separate intervals in which nothing changes.
inline StabilityDecision decide_stability(const StepMatrix<Rational>& m) {
  using namespace linear_stability_detail;
  StabilityDecision decision;
  const std::array<Function, 3> all = conditions(m);
  decision.determinant_is_one = all[0].is_zero();
  const bool jordan_block = is_jordan_block(m, all);
  const auto stable_at = [&](const Rational& z) {
    return !jordan_block && std::ranges::all_of(all, [&](const Function& f) { return f(z) >= 0; });
  };

  std::array<Poly, 3> zeros;  // of the conditions; a condition that vanishes identically has none that matter
  for (std::size_t i = 0; i < 3; ++i)
    zeros[i] = all[i].is_zero() ? Poly::constant(1) : positive_part(all[i].numerator());
  Poly poles = Poly::constant(1);
  for (const auto& row : m.entries)
    for (const Function& entry : row) poles = least_common_multiple(poles, positive_part(entry.denominator()));
  Poly critical = poles;
  for (const Poly& p : zeros) critical = least_common_multiple(critical, p);

  // Roots are isolated one after the other from zero upwards, with a point of each interval between them.
  const Rational width = Rational(1) / Rational(1000000000000000000L);
  const SturmSequence sturm(critical);
  std::vector<RootBracket> roots;
  std::vector<bool> stable;
  Rational from = 0;
  while (const auto root = sturm.smallest_root_above(from, width)) {
    Rational sample = root->first > from ? root->first : (from + root->second) / 2;
    while (sturm.roots(from, sample) > 0) sample = (from + sample) / 2;
    stable.push_back(stable_at(sample));
    roots.push_back({root->first, root->second});
    from = root->second;
  }
  stable.push_back(stable_at(from + 1));

  // These tell whether 1 - D vanishes at a root, and whether the matrix is diagonal there.
  const auto vanishes = [](const Function& f, const RootBracket& at) {
    return f.is_zero() || has_root(positive_part(f.numerator()), at);
  };
  if (!stable[0]) decision.windows.push_back({});
  for (std::size_t i = 0; i < roots.size(); ++i) {
    const RootBracket& at = roots[i];
    const bool pole = has_root(poles, at);
    if (pole) decision.poles.push_back(at);
    if (stable[i] != stable[i + 1]) {
      ++decision.crossings;
      stable[i] ? decision.windows.push_back({at, {}}) : void(decision.windows.back().end = at);
    } else if (stable[i] && !pole && vanishes(all[0], at) && (vanishes(all[1], at) || vanishes(all[2], at))) {
      // Both eigenvalues are 1 or both are -1; then a diagonal matrix is +-I.
      decision.touchings.push_back({at, !vanishes(m.entries[0][1], at) || !vanishes(m.entries[1][0], at)});
    }
  }
  decision.unconditional = decision.windows.empty() && decision.poles.empty();
  if (decision.unconditional) return decision;
  const auto first = [&]() -> RootBracket {
    if (decision.windows.empty()) return decision.poles.front();
    const RootBracket& begin = decision.windows.front().begin;
    return decision.poles.empty() || begin.low <= decision.poles.front().low ? begin : decision.poles.front();
  }();
  decision.z_low = first.low;
  decision.z_high = first.high;
  decision.limit = std::sqrt(Rational((first.low + first.high) / 2).convert_to<double>());
  return decision;
}

}  // namespace livi

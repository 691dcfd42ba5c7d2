// SPDX-License-Identifier: MIT
//
// The problems of the battery. Every property test runs on problems with at least two degrees of freedom, where
// Hessians at different points do not commute: with one, or with a constant eigenbasis, Z&Ss is symplectic too (TO14
// Remark 2.2), and neither a wrong sign nor a missing 1/2 in the third-derivative term shows.
#pragma once

#include <array>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include <livi/diagnostics/any_stepper.hpp>
#include <livi/diagnostics/seed.hpp>
#include <livi/diagnostics/taylor_flow.hpp>
#include <livi/scalar/zero_or_not.hpp>
#include <livi/systems/any_system.hpp>
#include <livi/systems/polynomial.hpp>
#include <livi/systems/potentials.hpp>
#include <livi/systems/ridge.hpp>

namespace livi {

/// The purpose of a problem.
enum class ProblemRole {
  generic,     ///< order, symplecticity, reversibility, momentum maps, restart
  long_run,    ///< energy over a long time, on a regular orbit
  oscillator,  ///< q'' = -q: linear stability
  coupled,     ///< coupled oscillators drawn at random (masses, springs): linear stability of several modes
  broken,      ///< a symmetry broken by 1e-6: the control of the momentum test
  no_step,     ///< a start from which no step is defined (adaptive steps)
  drawn,       ///< drawn at random: other dimensions, masses, terms, sizes and signs than a method could expect
};

template <class S>
struct TestProblem {
  std::string name;
  ProblemRole role;
  AnySystem<S> system;
  std::vector<LinearSymmetry<S>> symmetries;
  std::vector<std::pair<Vector<S, Dynamic>, Vector<S, Dynamic>>> points;  ///< (q, v)
  double largest_frequency = 0;                                           ///< largest frequency of coupled oscillators
  double slowness = 1;  ///< factor by which the motion is slower than with masses of order one
};

namespace test_problems_detail {

template <class S>
Vector<S, Dynamic> rationals(std::initializer_list<std::pair<int, int>> entries) {
  Vector<S, Dynamic> v(static_cast<Eigen::Index>(entries.size()));
  Eigen::Index i = 0;
  for (const auto& [numerator, denominator] : entries) v(i++) = ratio<S>(numerator, denominator);
  return v;
}

template <class S>
FullMass<S, Dynamic> diagonal_mass(const Vector<S, Dynamic>& m) {
  Matrix<S, Dynamic> full = Matrix<S, Dynamic>::Constant(m.size(), m.size(), S(0));
  for (Eigen::Index i = 0; i < m.size(); ++i) full(i, i) = m(i);
  return FullMass<S, Dynamic>(full);
}

template <class S, class P>
AnySystem<S> system(FullMass<S, Dynamic> mass, P potential) {
  const Eigen::Index n = mass.size();
  return {std::move(mass), AnyPotential<S>(std::move(potential), n)};
}

/// Returns the symmetry of rotations of all particles in the plane about the origin.
template <class S>
LinearSymmetry<S> planar_rotation(Eigen::Index n) {
  LinearSymmetry<S> symmetry{"angular momentum", Matrix<S, Dynamic>::Constant(n, n, S(0)),
                             Vector<S, Dynamic>::Constant(n, S(0))};
  for (Eigen::Index i = 0; i < n; i += 2) {
    symmetry.generator(i, i + 1) = S(-1);
    symmetry.generator(i + 1, i) = S(1);
  }
  return symmetry;
}

/// Returns the symmetry of translations of all particles along one axis of the plane.
template <class S>
LinearSymmetry<S> planar_translation(Eigen::Index n, Eigen::Index axis) {
  LinearSymmetry<S> symmetry{axis == 0 ? "linear momentum x" : "linear momentum y",
                             Matrix<S, Dynamic>::Constant(n, n, S(0)), Vector<S, Dynamic>::Constant(n, S(0)), true};
  for (Eigen::Index i = axis; i < n; i += 2) symmetry.translation(i) = S(1);
  return symmetry;
}

/// The potential P, a central field or pairs of particles, plus epsilon q_0: a small uniform field that breaks every
/// symmetry.
template <class P>
struct WithUniformField : P {
  using S = typename P::scalar_type;
  using vector_type = typename P::vector_type;
  S epsilon;
  WithUniformField(P potential, S strength) : P(std::move(potential)), epsilon(std::move(strength)) {}
  S value(const vector_type& q) const { return P::value(q) + epsilon * q(0); }
  void gradient(const vector_type& q, vector_type& out) const {
    P::gradient(q, out);
    out(0) += epsilon;
  }
};

}  // namespace test_problems_detail

inline constexpr std::size_t number_of_fixed_problems = 8;

/// Returns a fixed problem for methods on M q'' = -grad V. All data are rational, equal in every S.
template <class S>
TestProblem<S> fixed_problem(std::size_t index) {
  using namespace test_problems_detail;
  using Points = std::vector<std::pair<Vector<S, Dynamic>, Vector<S, Dynamic>>>;
  const auto one = [](Eigen::Index n) { return Vector<S, Dynamic>(Vector<S, Dynamic>::Constant(n, S(1))); };
  const auto three_particles = [](const std::string& name, ProblemRole role, auto potential) {
    return TestProblem<S>{
        name,
        role,
        system<S>(diagonal_mass<S>(rationals<S>({{1, 1}, {1, 1}, {2, 1}, {2, 1}, {3, 1}, {3, 1}})), potential),
        {planar_translation<S>(6, 0), planar_translation<S>(6, 1), planar_rotation<S>(6)},
        Points{{rationals<S>({{1, 2}, {0, 1}, {-2, 5}, {3, 10}, {1, 10}, {-3, 5}}),
                rationals<S>({{1, 5}, {1, 4}, {-1, 10}, {1, 3}, {1, 7}, {-1, 5}})}}};
  };
  const auto pairs = [] { return PairPotential<S, 2, QuarticProfile<S>>{{S(1), ratio<S>(1, 2)}}; };
  switch (index) {
    case 0:
      return {"Henon-Heiles, M = I",
              ProblemRole::generic,
              system<S>(diagonal_mass<S>(one(2)), HenonHeilesPotential<S>{}),
              {},
              {{rationals<S>({{3, 10}, {1, 5}}), rationals<S>({{1, 10}, {-1, 4}})},
               {rationals<S>({{-1, 4}, {7, 20}}), rationals<S>({{3, 20}, {1, 5}})}}};
    case 1:
      return {"Henon-Heiles plus coupled anharmonic (the stiff part), M = diag(1, 4)",
              ProblemRole::generic,
              system<S>(diagonal_mass<S>(rationals<S>({{1, 1}, {4, 1}})),
                        SplitPotential<HenonHeilesPotential<S>, CoupledAnharmonicPotential<S, 2>>{
                            {}, {ratio<S>(3, 4), ratio<S>(1, 2)}}),
              {},
              {{rationals<S>({{1, 2}, {-2, 5}}), rationals<S>({{1, 3}, {1, 4}})},
               {rationals<S>({{-3, 5}, {4, 5}}), rationals<S>({{1, 5}, {-1, 7}})}}};
    case 2: {
      Matrix<S, Dynamic> full(3, 3);
      full << S(3), S(1), S(0), S(1), S(2), ratio<S>(-1, 2), S(0), ratio<S>(-1, 2), S(1);
      return {"coupled anharmonic, M full",
              ProblemRole::generic,
              system<S>(FullMass<S, Dynamic>(full), CoupledAnharmonicPotential<S, 3>{ratio<S>(3, 4), ratio<S>(1, 2)}),
              {},
              {{rationals<S>({{1, 2}, {-2, 5}, {3, 10}}), rationals<S>({{1, 3}, {1, 4}, {-1, 5}})},
               {rationals<S>({{-1, 5}, {3, 5}, {-4, 5}}), rationals<S>({{1, 6}, {-1, 3}, {1, 4}})}}};
    }
    case 3:
      return {"central field, M = I",
              ProblemRole::generic,
              system<S>(diagonal_mass<S>(one(2)), CentralPotential<S, 2, QuarticProfile<S>>{{S(1), ratio<S>(1, 2)}}),
              {planar_rotation<S>(2)},
              {{rationals<S>({{3, 5}, {1, 5}}), rationals<S>({{-1, 4}, {1, 2}})}}};
    case 4:
      return three_particles("three particles in the plane, M = diag(1, 2, 3)", ProblemRole::generic, pairs());
    case 5:
      return {"Henon-Heiles, regular orbit at E = 1/12",
              ProblemRole::long_run,
              system<S>(diagonal_mass<S>(one(2)), HenonHeilesPotential<S>{}),
              {},
              {{rationals<S>({{0, 1}, {1, 10}}), rationals<S>({{39, 100}, {0, 1}})}}};
    case 6:
      return {"oscillator",
              ProblemRole::oscillator,
              system<S>(diagonal_mass<S>(one(1)), HarmonicPotential<S, 1>{Vector<S, 1>::Constant(1, S(1))}),
              {},
              {{rationals<S>({{1, 1}}), rationals<S>({{0, 1}})}, {rationals<S>({{0, 1}}), rationals<S>({{1, 1}})}}};
    case 7:
      return three_particles("three particles, uniform field 1e-6", ProblemRole::broken,
                             WithUniformField<PairPotential<S, 2, QuarticProfile<S>>>(pairs(), ratio<S>(1, 1000000)));
    default:
      throw InvalidParameter("index of a fixed problem", static_cast<double>(index), "0 to 7");
  }
}

template <class S>
std::vector<TestProblem<S>> fixed_problems() {
  std::vector<TestProblem<S>> problems;
  for (std::size_t i = 0; i < number_of_fixed_problems; ++i) problems.push_back(fixed_problem<S>(i));
  return problems;
}

namespace test_problems_detail {

/// A source of small rationals from a seed, which are equal on every machine and in every S.
class Drawing {
 public:
  explicit Drawing(std::uint64_t seed) : generator_(seed) {}
  /// Draws one of 0, ..., n - 1.
  int below(int n) { return static_cast<int>(generator_() % static_cast<std::uint64_t>(n)); }
  /// Draws a positive number between 2^power and 2^(power + 1).
  template <class S>
  S positive(int power) {
    S x = ratio<S>(16 + below(16), 16);
    for (int k = 0; k < power; ++k) x *= S(2);
    for (int k = 0; k > power; --k) x /= S(2);
    return x;
  }
  /// Draws a number of either sign whose size is between 2^power and 2^(power + 1).
  template <class S>
  S of_size(int power) {
    const S x = positive<S>(power);
    return below(2) == 0 ? x : S(-x);
  }
  template <class S>
  Vector<S, Dynamic> vector(Eigen::Index n, int power) {
    Vector<S, Dynamic> v(n);
    for (Eigen::Index i = 0; i < n; ++i) v(i) = of_size<S>(power);
    return v;
  }
  /// Draws points (q, v): near the origin, nearer to it, some way off and far from it; at rest; and with entries that
  /// are zero or equal. With many degrees of freedom only one of the latter two, and none very near.
  template <class S>
  std::vector<std::pair<Vector<S, Dynamic>, Vector<S, Dynamic>>> points(Eigen::Index n) {
    std::vector<std::pair<Vector<S, Dynamic>, Vector<S, Dynamic>>> result;
    const auto add = [&](int power) {
      const Vector<S, Dynamic> q = vector<S>(n, power), v = vector<S>(n, power - 1);
      result.emplace_back(q, v);
    };
    const bool few = n <= 10;
    add(-1);
    if (few) add(-2 - below(5));
    if (few) add(below(4));
    add(4 + below(16));  // up to a million
    if (few || below(2) == 0) {
      add(-1);
      result.back().second.setConstant(S(0));
    } else {
      add_equal<S>(result, n);
    }
    if (few) add_equal<S>(result, n);
    return result;
  }
  /// Draws a full symmetric positive definite mass A' D A + I with unit triangular A and D > 0.
  template <class S>
  FullMass<S, Dynamic> full_mass(Eigen::Index n) {
    Matrix<S, Dynamic> a = Matrix<S, Dynamic>::Constant(n, n, S(0)), m = a;
    for (Eigen::Index i = 0; i < n; ++i)
      for (Eigen::Index j = 0; j <= i; ++j) a(i, j) = i == j ? S(1) : of_size<S>(-2);
    for (Eigen::Index i = 0; i < n; ++i)
      for (Eigen::Index j = 0; j < n; ++j) {
        m(i, j) = i == j ? S(1) : S(0);
        for (Eigen::Index k = 0; k < n; ++k) m(i, j) += a(k, i) * S(static_cast<int>(k % 3) + 1) * a(k, j);
      }
    return FullMass<S, Dynamic>(m);
  }
  /// Draws a diagonal mass with entries between 1/8 and 32.
  template <class S>
  FullMass<S, Dynamic> masses(Eigen::Index n) {
    Vector<S, Dynamic> m(n);
    for (Eigen::Index i = 0; i < n; ++i) m(i) = positive<S>(below(8) - 3);
    return diagonal_mass<S>(m);
  }
  /// Draws a potential: a quarter of each q_i^2, and terms of degree two to four in up to three variables each. Terms
  /// with equal exponents are joined: two that cancel would leave only their roundings, which are larger than all else
  /// far from the origin.
  template <class S>
  PolynomialPotential<S> potential(int n, int terms) {
    using Monomial = typename PolynomialPotential<S>::Monomial;
    std::vector<Monomial> drawn;
    const std::vector<int> none(static_cast<std::size_t>(n), 0);
    const auto add = [&](const S& coefficient, const std::vector<int>& exponents) {
      for (Monomial& monomial : drawn)
        if (monomial.exponents == exponents) {
          monomial.coefficient += coefficient;
          return;
        }
      drawn.push_back({coefficient, exponents});
    };
    for (int i = 0; i < n; ++i) {
      std::vector<int> exponents = none;
      exponents[static_cast<std::size_t>(i)] = 2;
      add(ratio<S>(1, 4), exponents);
    }
    for (int t = 0; t < terms; ++t) {
      const S coefficient = of_size<S>(-4);
      std::vector<int> exponents = none;
      const int degree = 2 + below(3);
      std::array<int, 3> indices{};
      for (int& index : indices) index = below(n);
      for (int d = 0; d < degree; ++d)
        ++exponents[static_cast<std::size_t>(indices[static_cast<std::size_t>(below(3))])];
      add(coefficient, exponents);
    }
    PolynomialPotential<S> v;
    for (Monomial& monomial : drawn)
      if (!(monomial.coefficient == S(0))) v.monomials.push_back(std::move(monomial));
    return v;
  }

  /// Draws a potential: a quarter of each q_i^2, and sines, Gaussian functions and hyperbolas along random directions.
  template <class S>
  RidgePotential<S> ridges(Eigen::Index n) {
    RidgePotential<S> v;
    for (Eigen::Index i = 0; i < n; ++i) {
      v.ridges.push_back({RidgeFunction::square, ratio<S>(1, 4), Vector<S, Dynamic>::Constant(n, S(0))});
      v.ridges.back().direction(i) = S(1);
    }
    for (const RidgeFunction f : {RidgeFunction::sine, RidgeFunction::gaussian, RidgeFunction::hyperbola,
                                  RidgeFunction::sine, RidgeFunction::gaussian, RidgeFunction::hyperbola}) {
      const S coefficient = of_size<S>(-2);
      v.ridges.push_back({f, coefficient, vector<S>(n, -1 - below(2))});
    }
    return v;
  }

 private:
  /// Adds a point where each entry is zero or one and the same number; v is not zero.
  template <class S>
  void add_equal(std::vector<std::pair<Vector<S, Dynamic>, Vector<S, Dynamic>>>& points, Eigen::Index n) {
    const S x = of_size<S>(-1), y = of_size<S>(-2);
    Vector<S, Dynamic> q(n), v(n);
    for (Eigen::Index i = 0; i < n; ++i) q(i) = below(2) == 0 ? S(0) : x;
    for (Eigen::Index i = 0; i < n; ++i) v(i) = below(2) == 0 ? S(0) : y;
    v(below(static_cast<int>(n))) = y;
    points.emplace_back(q, v);
  }
  std::mt19937_64 generator_;
};

/// Draws the oscillators q' K q / 2 with K = L' diag(omega_i^2) L on the masses L'L, L unit triangular: they are
/// uncoupled in the coordinates L q.
template <class S>
TestProblem<S> coupled_oscillators(Drawing& drawing) {
  const Eigen::Index n = 2 + drawing.below(4);
  Matrix<S, Dynamic> l = Matrix<S, Dynamic>::Constant(n, n, S(0)), mass = l;
  PolynomialPotential<S> potential;
  std::vector<S> squares;
  double largest = 0;
  for (Eigen::Index i = 0; i < n; ++i) {
    for (Eigen::Index j = 0; j <= i; ++j) l(i, j) = i == j ? S(1) : drawing.of_size<S>(-1);
    const int sixteenths = 16 + drawing.below(64);  // a frequency from 1 to 5
    squares.push_back(ratio<S>(sixteenths, 16) * ratio<S>(sixteenths, 16));
    largest = std::max(largest, sixteenths / 16.0);
  }
  for (Eigen::Index i = 0; i < n; ++i)
    for (Eigen::Index j = 0; j <= i; ++j) {
      S spring(0), of_mass(0);
      for (Eigen::Index k = 0; k < n; ++k) {
        of_mass += l(k, i) * l(k, j);
        spring += l(k, i) * squares[static_cast<std::size_t>(k)] * l(k, j);
      }
      mass(i, j) = mass(j, i) = of_mass;
      std::vector<int> exponents(static_cast<std::size_t>(n), 0);
      ++exponents[static_cast<std::size_t>(i)];
      ++exponents[static_cast<std::size_t>(j)];
      potential.monomials.push_back({i == j ? S(spring / S(2)) : spring, exponents});
    }
  const auto points = drawing.points<S>(n);
  return {"drawn, coupled oscillators",
          ProblemRole::coupled,
          system<S>(FullMass<S, Dynamic>(mass), potential),
          {},
          {points.front()},
          largest};
}

/// A drawn problem of these; its points are drawn last.
template <class S, class P>
TestProblem<S> drawn(Drawing& drawing, const std::string& name, FullMass<S, Dynamic> mass, P potential) {
  const Eigen::Index n = mass.size();
  return {
      "drawn, " + name, ProblemRole::drawn, system<S>(std::move(mass), std::move(potential)), {}, drawing.points<S>(n)};
}

template <class S>
TestProblem<S> drawn_polynomial(Drawing& drawing, int n, bool full_mass, int terms) {
  const FullMass<S, Dynamic> mass = full_mass ? drawing.full_mass<S>(n) : drawing.masses<S>(n);
  const std::string name = "n = " + std::to_string(n) + (n == 1 ? "" : full_mass ? ", M full" : ", M diagonal");
  return drawn<S>(drawing, name, mass, drawing.potential<S>(n, terms));
}

/// Particles in the plane with n coordinates; draw_profile() is called when their masses have been drawn.
template <class S, class DrawProfile>
TestProblem<S> drawn_particles(Drawing& drawing, const std::string& name, Eigen::Index n,
                               const DrawProfile& draw_profile) {
  Vector<S, Dynamic> masses(n);
  for (Eigen::Index i = 0; i < n; i += 2) masses(i) = masses(i + 1) = drawing.positive<S>(drawing.below(8) - 3);
  const auto profile = draw_profile();
  TestProblem<S> particles = drawn<S>(drawing, name, diagonal_mass<S>(masses),
                                      PairPotential<S, 2, std::remove_const_t<decltype(profile)>>{profile});
  particles.symmetries = {planar_translation<S>(n, 0), planar_translation<S>(n, 1), planar_rotation<S>(n)};
  return particles;
}

/// Motion so slow that steps of several units of time are short.
template <class S>
TestProblem<S> drawn_slow(Drawing& drawing) {
  constexpr int slowness = 4096;
  const FullMass<S, Dynamic> mass = drawing.full_mass<S>(3);
  const FullMass<S, Dynamic> heavy(Matrix<S, Dynamic>(mass.matrix() * (S(slowness) * S(slowness))));
  TestProblem<S> slow = drawn<S>(drawing, "n = 3, M full, slow", heavy, drawing.potential<S>(3, 9));
  for (auto& [q, v] : slow.points) v /= S(slowness);
  slow.slowness = slowness;
  return slow;
}

}  // namespace test_problems_detail

/// Returns the seed that was in force when this was called for the first time: problems are kept, and must be equal in
/// all number types.
inline std::uint64_t seed_of_drawn_problems() {
  static const std::uint64_t seed = judge_seed();
  return seed;
}

/// The number of problems drawn at random: polynomials with 1, 2, 5, 7, 16 (a multiple of the lanes of processors), 41
/// to 48 and, invariant under translations and rotations, 8 degrees of freedom; sines, Gaussian functions and
/// hyperbolas with 6 to 13; two to six particles under softened gravity; coupled oscillators; 3 slow degrees of
/// freedom, for which steps of several units of time are short. One seed gives equal problems in every S.
inline constexpr std::size_t number_of_drawn_problems = 11;
template <class S>
TestProblem<S> drawn_problem(std::size_t k, std::uint64_t seed) {
  using namespace test_problems_detail;
  Drawing drawing(seed ^ (k + 1));
  switch (k) {
    case 0:
      return drawn_polynomial<S>(drawing, 1, false, 3);
    case 1:
      return drawn_polynomial<S>(drawing, 2, true, 8);
    case 2:
      return drawn_polynomial<S>(drawing, 5, true, 16);
    case 3: {
      const FullMass<S, Dynamic> mass = drawing.masses<S>(7);
      PolynomialPotential<S> soft = drawing.potential<S>(7, 10), stiff = drawing.potential<S>(7, 10);
      return drawn<S>(
          drawing, "n = 7, M diagonal, a stiff part", mass,
          SplitPotential<PolynomialPotential<S>, PolynomialPotential<S>>{std::move(soft), std::move(stiff)});
    }
    case 4: {
      const int n = 41 + drawing.below(8);
      return drawn_polynomial<S>(drawing, n, false, 2 * n);
    }
    case 5:
      return drawn_particles<S>(drawing, "four particles in the plane", 8, [&] {
        const S strength = drawing.positive<S>(-2), quartic = drawing.positive<S>(-5);
        return QuarticProfile<S>{strength, quartic};
      });
    case 6:
      return drawn_polynomial<S>(drawing, 16, false, 32);
    case 7: {
      if constexpr (ScalarTraits<S>::exact) {
        throw NotRational("a potential with sines");
      } else {
        const Eigen::Index n = 6 + drawing.below(8);
        const FullMass<S, Dynamic> mass = drawing.full_mass<S>(n);
        return drawn<S>(drawing, "sines, Gaussian functions and hyperbolas, n = " + std::to_string(n) + ", M full",
                        mass, drawing.ridges<S>(n));
      }
    }
    case 8: {
      if constexpr (ScalarTraits<S>::exact) {
        throw NotRational("a potential with roots");
      } else {
        const Eigen::Index n = 2 * (2 + drawing.below(5));
        return drawn_particles<S>(drawing, "softened gravity, n = " + std::to_string(n), n, [&] {
          const S strength = drawing.positive<S>(-1), softening = drawing.positive<S>(0);
          return PlummerProfile<S>{strength, softening};
        });
      }
    }
    case 10:
      return drawn_slow<S>(drawing);
    default:
      return coupled_oscillators<S>(drawing);
  }
}

/// Returns the fixed problems, followed by those drawn with the seed in force.
template <class S>
std::vector<TestProblem<S>> test_problems() {
  std::vector<TestProblem<S>> problems = fixed_problems<S>();
  for (std::size_t k = 0; k < number_of_drawn_problems; ++k)
    problems.push_back(drawn_problem<S>(k, seed_of_drawn_problems()));
  return problems;
}

/// Returns one of test_problems(), without making the others.
template <class S>
TestProblem<S> test_problem(std::size_t index) {
  return index < number_of_fixed_problems
             ? fixed_problem<S>(index)
             : drawn_problem<S>(index - number_of_fixed_problems, seed_of_drawn_problems());
}

}  // namespace livi

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
#include <livi/systems/any_system.hpp>
#include <livi/systems/polynomial.hpp>
#include <livi/systems/potentials.hpp>

namespace livi {

/// What a problem is for.
enum class ProblemRole {
  generic,     ///< order, symplecticity, reversibility, momentum maps, restart
  long_run,    ///< energy over a long time, on a regular orbit
  oscillator,  ///< q'' = -q: linear stability
  broken,      ///< a symmetry broken by 1e-6: the control of the momentum test
  drawn,       ///< drawn at random: other dimensions, masses, terms, sizes and signs than a method could expect
};

template <class S>
struct TestProblem {
  std::string name;
  ProblemRole role;
  AnySystem<S> system;
  std::vector<LinearSymmetry<S>> symmetries;
  std::vector<std::pair<Vector<S, Dynamic>, Vector<S, Dynamic>>> points;  ///< (q, v)
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

/// Rotation of all particles of the plane about the origin.
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

/// Translation of all particles along one axis of the plane.
template <class S>
LinearSymmetry<S> planar_translation(Eigen::Index n, Eigen::Index axis) {
  LinearSymmetry<S> symmetry{axis == 0 ? "linear momentum x" : "linear momentum y",
                             Matrix<S, Dynamic>::Constant(n, n, S(0)), Vector<S, Dynamic>::Constant(n, S(0)), true};
  for (Eigen::Index i = axis; i < n; i += 2) symmetry.translation(i) = S(1);
  return symmetry;
}

/// u(|q|^2) + epsilon q_0: a central field, or pairs of particles, with a small uniform field that breaks every
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

/// The fixed problems for methods on M q'' = -grad V. All data are rational, the same in every S.
template <class S>
std::vector<TestProblem<S>> fixed_problems() {
  using namespace test_problems_detail;
  std::vector<TestProblem<S>> problems;
  const auto one = [](Eigen::Index n) { return Vector<S, Dynamic>(Vector<S, Dynamic>::Constant(n, S(1))); };

  problems.push_back({"Henon-Heiles, M = I",
                      ProblemRole::generic,
                      system<S>(diagonal_mass<S>(one(2)), HenonHeilesPotential<S>{}),
                      {},
                      {{rationals<S>({{3, 10}, {1, 5}}), rationals<S>({{1, 10}, {-1, 4}})},
                       {rationals<S>({{-1, 4}, {7, 20}}), rationals<S>({{3, 20}, {1, 5}})}}});

  problems.push_back({"Henon-Heiles plus coupled anharmonic (the stiff part), M = diag(1, 4)",
                      ProblemRole::generic,
                      system<S>(diagonal_mass<S>(rationals<S>({{1, 1}, {4, 1}})),
                                SplitPotential<HenonHeilesPotential<S>, CoupledAnharmonicPotential<S, 2>>{
                                    {}, {ratio<S>(3, 4), ratio<S>(1, 2)}}),
                      {},
                      {{rationals<S>({{1, 2}, {-2, 5}}), rationals<S>({{1, 3}, {1, 4}})},
                       {rationals<S>({{-3, 5}, {4, 5}}), rationals<S>({{1, 5}, {-1, 7}})}}});

  {
    Matrix<S, Dynamic> full(3, 3);
    full << S(3), S(1), S(0), S(1), S(2), ratio<S>(-1, 2), S(0), ratio<S>(-1, 2), S(1);
    problems.push_back(
        {"coupled anharmonic, M full",
         ProblemRole::generic,
         system<S>(FullMass<S, Dynamic>(full), CoupledAnharmonicPotential<S, 3>{ratio<S>(3, 4), ratio<S>(1, 2)}),
         {},
         {{rationals<S>({{1, 2}, {-2, 5}, {3, 10}}), rationals<S>({{1, 3}, {1, 4}, {-1, 5}})},
          {rationals<S>({{-1, 5}, {3, 5}, {-4, 5}}), rationals<S>({{1, 6}, {-1, 3}, {1, 4}})}}});
  }

  const CentralPotential<S, 2, QuarticProfile<S>> central{{S(1), ratio<S>(1, 2)}};
  const auto central_points = std::vector<std::pair<Vector<S, Dynamic>, Vector<S, Dynamic>>>{
      {rationals<S>({{3, 5}, {1, 5}}), rationals<S>({{-1, 4}, {1, 2}})}};
  problems.push_back({"central field, M = I",
                      ProblemRole::generic,
                      system<S>(diagonal_mass<S>(one(2)), central),
                      {planar_rotation<S>(2)},
                      central_points});

  const PairPotential<S, 2, QuarticProfile<S>> pairs{{S(1), ratio<S>(1, 2)}};
  const FullMass<S, Dynamic> pair_mass =
      diagonal_mass<S>(rationals<S>({{1, 1}, {1, 1}, {2, 1}, {2, 1}, {3, 1}, {3, 1}}));
  const std::vector<LinearSymmetry<S>> pair_symmetries{planar_translation<S>(6, 0), planar_translation<S>(6, 1),
                                                       planar_rotation<S>(6)};
  const auto pair_points = std::vector<std::pair<Vector<S, Dynamic>, Vector<S, Dynamic>>>{
      {rationals<S>({{1, 2}, {0, 1}, {-2, 5}, {3, 10}, {1, 10}, {-3, 5}}),
       rationals<S>({{1, 5}, {1, 4}, {-1, 10}, {1, 3}, {1, 7}, {-1, 5}})}};
  problems.push_back({"three particles in the plane, M = diag(1, 2, 3)", ProblemRole::generic,
                      system<S>(pair_mass, pairs), pair_symmetries, pair_points});

  problems.push_back({"Henon-Heiles, regular orbit at E = 1/12",
                      ProblemRole::long_run,
                      system<S>(diagonal_mass<S>(one(2)), HenonHeilesPotential<S>{}),
                      {},
                      {{rationals<S>({{0, 1}, {1, 10}}), rationals<S>({{39, 100}, {0, 1}})}}});

  problems.push_back(
      {"oscillator",
       ProblemRole::oscillator,
       system<S>(diagonal_mass<S>(one(1)), HarmonicPotential<S, 1>{Vector<S, 1>::Constant(1, S(1))}),
       {},
       {{rationals<S>({{1, 1}}), rationals<S>({{0, 1}})}, {rationals<S>({{0, 1}}), rationals<S>({{1, 1}})}}});

  problems.push_back(
      {"three particles, uniform field 1e-6", ProblemRole::broken,
       system<S>(pair_mass, WithUniformField<PairPotential<S, 2, QuarticProfile<S>>>(pairs, ratio<S>(1, 1000000))),
       pair_symmetries, pair_points});
  return problems;
}

namespace test_problems_detail {

/// Small rationals from a seed, the same on every machine and in every S.
class Drawing {
 public:
  explicit Drawing(std::uint64_t seed) : generator_(seed) {}
  /// 0, ..., n - 1.
  int below(int n) { return static_cast<int>(generator_() % static_cast<std::uint64_t>(n)); }
  /// Positive, between 2^power and 2^(power + 1).
  template <class S>
  S positive(int power) {
    S x = ratio<S>(16 + below(16), 16);
    for (int k = 0; k < power; ++k) x *= S(2);
    for (int k = 0; k > power; --k) x /= S(2);
    return x;
  }
  /// Of either sign, and such a size.
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
  /// (q, v) near the origin, very near to it, and far from it.
  template <class S>
  std::vector<std::pair<Vector<S, Dynamic>, Vector<S, Dynamic>>> points(Eigen::Index n) {
    std::vector<std::pair<Vector<S, Dynamic>, Vector<S, Dynamic>>> result;
    for (const int power : {-1, -6, 3 + below(3)}) {
      const Vector<S, Dynamic> q = vector<S>(n, power), v = vector<S>(n, power - 1);
      result.emplace_back(q, v);
    }
    return result;
  }
  /// A' D A + I with unit triangular A and D > 0: full, symmetric positive definite.
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
  /// Diagonal, entries between 1/8 and 32.
  template <class S>
  FullMass<S, Dynamic> masses(Eigen::Index n) {
    Vector<S, Dynamic> m(n);
    for (Eigen::Index i = 0; i < n; ++i) m(i) = positive<S>(below(8) - 3);
    return diagonal_mass<S>(m);
  }
  /// A quarter of each q_i^2, and terms of degree two to four in up to three variables each.
  template <class S>
  PolynomialPotential<S> potential(int n, int terms) {
    PolynomialPotential<S> v;
    const std::vector<int> none(static_cast<std::size_t>(n), 0);
    for (int i = 0; i < n; ++i) {
      v.monomials.push_back({ratio<S>(1, 4), none});
      v.monomials.back().exponents[static_cast<std::size_t>(i)] = 2;
    }
    for (int t = 0; t < terms; ++t) {
      v.monomials.push_back({of_size<S>(-4), none});
      const int degree = 2 + below(3);
      std::array<int, 3> indices{};
      for (int& index : indices) index = below(n);
      for (int d = 0; d < degree; ++d)
        ++v.monomials.back().exponents[static_cast<std::size_t>(indices[static_cast<std::size_t>(below(3))])];
    }
    return v;
  }

 private:
  std::mt19937_64 generator_;
};

}  // namespace test_problems_detail

/// Problems drawn at random, with 1, 2, 5, 7 and 40 degrees of freedom. The same seed gives the same in every S.
inline constexpr std::size_t number_of_drawn_problems = 5;
template <class S>
TestProblem<S> drawn_problem(std::size_t k, std::uint64_t seed) {
  using namespace test_problems_detail;
  Drawing drawing(seed ^ (k + 1));
  const auto problem = [&](const std::string& name, FullMass<S, Dynamic> mass, auto potential) -> TestProblem<S> {
    const Eigen::Index n = mass.size();
    return {"drawn, " + name,
            ProblemRole::drawn,
            system<S>(std::move(mass), std::move(potential)),
            {},
            drawing.template points<S>(n)};
  };
  switch (k) {
    case 0: {
      const FullMass<S, Dynamic> mass = drawing.masses<S>(1);
      return problem("n = 1", mass, drawing.potential<S>(1, 3));
    }
    case 1: {
      const FullMass<S, Dynamic> mass = drawing.full_mass<S>(2);
      return problem("n = 2, M full", mass, drawing.potential<S>(2, 8));
    }
    case 2: {
      const FullMass<S, Dynamic> mass = drawing.full_mass<S>(5);
      return problem("n = 5, M full", mass, drawing.potential<S>(5, 16));
    }
    case 3: {
      const FullMass<S, Dynamic> mass = drawing.masses<S>(7);
      PolynomialPotential<S> soft = drawing.potential<S>(7, 10), stiff = drawing.potential<S>(7, 10);
      return problem("n = 7, M diagonal, a stiff part", mass,
                     SplitPotential<PolynomialPotential<S>, PolynomialPotential<S>>{std::move(soft), std::move(stiff)});
    }
    default: {
      const FullMass<S, Dynamic> mass = drawing.masses<S>(40);
      return problem("n = 40, M diagonal", mass, drawing.potential<S>(40, 80));
    }
  }
}

/// The fixed problems, then those drawn with the seed in force.
template <class S>
std::vector<TestProblem<S>> test_problems() {
  std::vector<TestProblem<S>> problems = fixed_problems<S>();
  for (std::size_t k = 0; k < number_of_drawn_problems; ++k) problems.push_back(drawn_problem<S>(k, judge_seed()));
  return problems;
}

/// One of test_problems(), without the others.
template <class S>
TestProblem<S> test_problem(std::size_t index) {
  std::vector<TestProblem<S>> fixed = fixed_problems<S>();
  return index < fixed.size() ? std::move(fixed[index]) : drawn_problem<S>(index - fixed.size(), judge_seed());
}

}  // namespace livi

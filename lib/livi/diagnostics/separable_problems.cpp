// SPDX-License-Identifier: MIT
#include <array>
#include <functional>
#include <livi/diagnostics/separable_subject.hpp>
#include <map>

namespace livi {

namespace {

using test_problems_detail::Drawing;
using test_problems_detail::rationals;

/// A term of a polynomial: a rational coefficient and exponents.
struct Term {
  std::pair<int, int> coefficient;
  std::vector<int> exponents;
};
template <class S>
PolynomialPotential<S> polynomial_of(const std::vector<Term>& terms) {
  PolynomialPotential<S> result;
  for (const Term& term : terms)
    result.monomials.push_back({ratio<S>(term.coefficient.first, term.coefficient.second), term.exponents});
  return result;
}

template <class S>
PhasePoint<S> point(std::initializer_list<std::pair<int, int>> q_and_t, std::initializer_list<std::pair<int, int>> p) {
  return {rationals<S>(q_and_t), rationals<S>(p)};
}

/// Extends a symmetry by a place for the time, which it does not move.
template <class S>
LinearSymmetry<S> beside_time(LinearSymmetry<S> symmetry) {
  const Eigen::Index n = symmetry.generator.rows();
  Matrix<S, Dynamic> generator = Matrix<S, Dynamic>::Constant(n, n + 1, S(0));
  for (Eigen::Index i = 0; i < n; ++i)
    for (Eigen::Index j = 0; j < n; ++j) generator(i, j) = symmetry.generator(i, j);
  symmetry.generator = generator;
  return symmetry;
}

/// Returns an autonomous system; the kinetic energy is a function of the momenta with the interface of a potential.
template <class S, class Kinetic, class Potential>
DrivenSeparable<S> autonomous(Eigen::Index n, Kinetic kinetic, Potential potential) {
  return {AnyPotential<S>(std::move(kinetic), n), AnyPotential<S>(std::move(potential), n)};
}
/// Returns the system with its potential multiplied by 1 + t/4 + t^2/12, which is above 4/5, and a force of -d t^2 on
/// the first degree of freedom.
template <class S>
DrivenSeparable<S> depending_on_time(DrivenSeparable<S> system, const S& drive = S(0)) {
  system.linear = ratio<S>(1, 4);
  system.quadratic = ratio<S>(1, 12);
  system.drive = drive;
  return system;
}

template <class S>
DrivenSeparable<S> on_a_regular_orbit() {
  return autonomous<S>(2, CentralPotential<S, 2, QuarticProfile<S>>{{S(1), ratio<S>(1, 2)}}, HenonHeilesPotential<S>{});
}
template <class S>
DrivenSeparable<S> oscillator() {
  const HarmonicPotential<S, 1> square{Vector<S, 1>::Constant(S(1))};
  return autonomous<S>(1, square, square);
}

template <class S>
std::vector<SeparableProblem<S>> make_fixed_problems() {
  std::vector<SeparableProblem<S>> problems;
  const auto add = [&](const std::string& name, ProblemRole role, const DrivenSeparable<S>& system,
                       std::vector<LinearSymmetry<S>> symmetries, std::vector<PhasePoint<S>> points) {
    const Eigen::Index n = points.front().p.size();
    problems.push_back({name, role, AnySeparable<S>(system, n), std::move(symmetries), std::move(points)});
  };

  add("T of degree four, V depending on time, n = 2", ProblemRole::generic,
      depending_on_time<S>(
          autonomous<S>(
              2,
              polynomial_of<S>(
                  {{{1, 2}, {2, 0}}, {{1, 2}, {0, 2}}, {{1, 16}, {4, 0}}, {{1, 8}, {2, 2}}, {{1, 24}, {0, 4}}}),
              CoupledAnharmonicPotential<S, 2>{ratio<S>(3, 4), ratio<S>(1, 2)}),
          ratio<S>(1, 16)),
      {},
      {point<S>({{1, 2}, {-2, 5}, {3, 2}}, {{1, 3}, {1, 4}}), point<S>({{-3, 5}, {4, 5}, {-2, 3}}, {{1, 5}, {-3, 7}})});

  // Terms of degree three, so that T is not even.
  add("T of degrees two to four, Henon-Heiles", ProblemRole::generic,
      autonomous<S>(2, CoupledAnharmonicPotential<S, 2>{ratio<S>(1, 3), ratio<S>(1, 2)}, HenonHeilesPotential<S>{}), {},
      {point<S>({{3, 10}, {1, 5}, {3, 2}}, {{1, 5}, {-1, 4}}),
       point<S>({{-1, 4}, {7, 20}, {-2, 3}}, {{3, 20}, {1, 5}})});

  add("T = p.M^-1 p/2, M full, V depending on time, n = 3", ProblemRole::generic,
      depending_on_time<S>(autonomous<S>(3,
                                         polynomial_of<S>({{{1, 3}, {2, 0, 0}},
                                                           {{1, 4}, {1, 1, 0}},
                                                           {{1, 2}, {0, 2, 0}},
                                                           {{-1, 5}, {0, 1, 1}},
                                                           {{3, 4}, {0, 0, 2}},
                                                           {{1, 6}, {1, 0, 1}}}),
                                         CoupledAnharmonicPotential<S, 3>{ratio<S>(3, 4), ratio<S>(1, 2)}),
                           ratio<S>(1, 16)),
      {},
      {point<S>({{1, 2}, {-2, 5}, {3, 10}, {3, 2}}, {{1, 3}, {1, 4}, {-1, 5}}),
       point<S>({{-1, 5}, {3, 5}, {-4, 5}, {-2, 3}}, {{1, 6}, {-1, 3}, {1, 4}})});

  const CentralPotential<S, 2, QuarticProfile<S>> central{{S(1), ratio<S>(1, 2)}};
  const DrivenSeparable<S> in_central_field = depending_on_time<S>(autonomous<S>(2, central, central));
  const std::vector<LinearSymmetry<S>> rotation{beside_time<S>(test_problems_detail::planar_rotation<S>(2))};
  const std::vector<PhasePoint<S>> central_points{point<S>({{3, 5}, {1, 5}, {3, 2}}, {{-1, 4}, {1, 2}})};
  add("T and V functions of |p|^2 and |q|^2, V depending on time", ProblemRole::generic, in_central_field, rotation,
      central_points);

  const PairPotential<S, 1, QuarticProfile<S>> pairs{QuarticProfile<S>{S(1), ratio<S>(1, 2)}};
  const DrivenSeparable<S> on_a_line =
      depending_on_time<S>(autonomous<S>(3, CoupledAnharmonicPotential<S, 3>{ratio<S>(1, 4), ratio<S>(1, 3)}, pairs));
  const std::vector<LinearSymmetry<S>> translation{beside_time<S>(
      {"linear momentum", Matrix<S, Dynamic>::Constant(3, 3, S(0)), Vector<S, Dynamic>::Constant(3, S(1)), true})};
  const std::vector<PhasePoint<S>> line_points{
      point<S>({{1, 2}, {-2, 5}, {1, 10}, {-2, 3}}, {{1, 5}, {1, 4}, {-1, 10}})};
  add("three particles on a line, T of degrees two to four, V depending on time", ProblemRole::generic, on_a_line,
      translation, line_points);

  add("T of degree four, Henon-Heiles, regular orbit", ProblemRole::long_run, on_a_regular_orbit<S>(), {},
      {point<S>({{0, 1}, {1, 10}, {0, 1}}, {{39, 100}, {0, 1}})});

  add("oscillator", ProblemRole::oscillator, oscillator<S>(), {},
      {point<S>({{1, 1}, {0, 1}}, {{0, 1}}), point<S>({{0, 1}, {0, 1}}, {{1, 1}})});

  const S weak = ratio<S>(1, 1000000);
  add("central field, uniform field 1e-6 t^2", ProblemRole::broken, depending_on_time<S>(in_central_field, weak),
      rotation, central_points);
  add("three particles on a line, uniform field 1e-6 t^2", ProblemRole::broken, depending_on_time<S>(on_a_line, weak),
      translation, line_points);
  return problems;
}

/// A bound of the curvature: the largest sum of absolute entries in a row of a Hessian, where no coordinate exceeds
/// `radius`.
using Curvature = std::function<double(double radius)>;

template <class S>
Curvature curvature_of(const PolynomialPotential<S>& potential) {
  struct Size {
    double coefficient;
    std::vector<int> exponents;
  };
  std::vector<Size> sizes;
  for (const auto& monomial : potential.monomials)
    sizes.push_back({std::abs(to_double(monomial.coefficient)), monomial.exponents});
  return [sizes = std::move(sizes)](double radius) {
    std::vector<double> rows(sizes.front().exponents.size(), 0.0);
    for (const Size& term : sizes) {
      int degree = 0;
      for (const int exponent : term.exponents) degree += exponent;
      for (std::size_t i = 0; i < rows.size(); ++i)
        rows[i] += term.coefficient * term.exponents[i] * (degree - 1) * std::pow(radius, degree - 2);
    }
    return *std::max_element(rows.begin(), rows.end());
  };
}

/// A Hamiltonian drawn at random, and bounds from which short steps are found.
template <class S>
struct DrawnSeparable {
  SeparableProblem<S> problem;
  DrivenSeparable<S> system;
  Curvature kinetic, potential;
};

/// The number of drawn problems: one with each of one, four and nine degrees of freedom, and three particles in the
/// plane, with six, invariant under translations and rotations.
constexpr std::size_t number_of_drawn_separable = 4;
template <class S>
DrawnSeparable<S> drawn_separable(std::size_t k, std::uint64_t seed) {
  Drawing drawing(seed ^ (0x300 + k));
  const bool is_symmetric = k == 3;
  const int n = std::array{1, 4, 9, 6}[k];
  std::vector<LinearSymmetry<S>> symmetries;
  PolynomialPotential<S> kinetic;
  std::optional<AnyPotential<S>> potential;
  Curvature of_potential;
  if (is_symmetric) {
    for (std::size_t i = 0; i < 6; i += 2) {  // a |p|^2 + b |p|^4 of each particle
      const S a = drawing.positive<S>(drawing.below(4) - 3), b = drawing.positive<S>(-4);
      const auto add = [&](const S& coefficient, int of_x, int of_y) {
        kinetic.monomials.push_back({coefficient, std::vector<int>(6, 0)});
        kinetic.monomials.back().exponents[i] = of_x;
        kinetic.monomials.back().exponents[i + 1] = of_y;
      };
      add(a, 2, 0);
      add(a, 0, 2);
      add(b, 4, 0);
      add(S(S(2) * b), 2, 2);
      add(b, 0, 4);
    }
    const S strength = drawing.positive<S>(-2), quartic = drawing.positive<S>(-4);
    potential.emplace(PairPotential<S, 2, QuarticProfile<S>>{{strength, quartic}}, n);
    // The Hessian of k s/2 + c s^2/4 is k I + c (s I + 2 d d') with s <= 8 r^2, for two partners, on both.
    of_potential = [of_k = to_double(strength), of_c = to_double(quartic)](double radius) {
      return 4 * (of_k + 24 * of_c * radius * radius);
    };
    symmetries = {beside_time<S>(test_problems_detail::planar_translation<S>(6, 0)),
                  beside_time<S>(test_problems_detail::planar_translation<S>(6, 1)),
                  beside_time<S>(test_problems_detail::planar_rotation<S>(6))};
  } else {
    kinetic = drawing.potential<S>(n, 2 * n + 1);
    const PolynomialPotential<S> of_positions = drawing.potential<S>(n, 2 * n + 1);
    potential.emplace(of_positions, n);
    of_potential = curvature_of(of_positions);
  }
  DrivenSeparable<S> system{AnyPotential<S>(kinetic, n), *potential};
  // 1 + c_1 t + c_2 t^2 has no zero: c_1^2 < 1/64 < 4 c_2.
  system.linear = drawing.of_size<S>(-4);
  system.quadratic = drawing.positive<S>(-7);
  if (!is_symmetric) system.drive = drawing.of_size<S>(-4);
  // The points: near the origin, long after time zero; very near to it, long before; far from it, at about that time.
  std::vector<PhasePoint<S>> points;
  for (int place = 0; place < 3; ++place) {
    const int size_of_q = std::array{-1, -6, 3}[static_cast<std::size_t>(place)] + (place == 2 ? drawing.below(3) : 0),
              size_of_p = std::array{-1, -6, 4}[static_cast<std::size_t>(place)];
    const Vector<S, Dynamic> q = drawing.vector<S>(n, size_of_q), p = drawing.vector<S>(n, size_of_p);
    S t = place == 2 ? drawing.of_size<S>(-2) : drawing.positive<S>(3 + drawing.below(3));
    if (place == 1) t = -t;
    PhasePoint<S> at{Vector<S, Dynamic>(n + 1), p};
    for (int i = 0; i < n; ++i) at.q(i) = q(i);
    at.q(n) = t;
    points.push_back(std::move(at));
  }
  points.push_back(points.front());  // at rest, at time zero
  points.back().p.setConstant(S(0));
  points.back().q(n) = S(0);
  const std::string name = is_symmetric ? "drawn, three particles in the plane, V depending on time"
                                        : "drawn, V depending on time, n = " + std::to_string(n);
  return {{name, ProblemRole::drawn, AnySeparable<S>(system, n), std::move(symmetries), std::move(points)},
          system,
          curvature_of(kinetic),
          std::move(of_potential)};
}

/// Returns a bound of the rate at which a drawn motion changes: q and p relative to their sizes, or to one where they
/// are small.
double rate_of_separable(const DrawnSeparable<Float50>& drawn, const PhasePoint<Float50>& z) {
  const Eigen::Index n = z.p.size();
  const Float50& t = z.q(n);
  const double size_of_q = 1 + largest_entry(Vector<Float50, Dynamic>(z.q.head(n))), size_of_p = 1 + largest_entry(z.p);
  const double force = to_double(drawn.system.strength(t)) * drawn.potential(size_of_q) * size_of_q +
                       std::abs(to_double(Float50(drawn.system.drive * t * t)));
  return 1 + drawn.kinetic(size_of_p) * size_of_p / size_of_q + force / size_of_p;
}

/// Returns the fixed problems, followed by those drawn with the seed in force.
template <class S>
std::vector<SeparableProblem<S>> make_problems() {
  std::vector<SeparableProblem<S>> problems = make_fixed_problems<S>();
  for (std::size_t k = 0; k < number_of_drawn_separable; ++k)
    problems.push_back(drawn_separable<S>(k, seed_of_drawn_problems()).problem);
  return problems;
}

/// Returns the motion from a point as series in time, by Picard iteration, whose passes make two more orders of q
/// right.
template <int N>
PhasePoint<PowerSeries<Float50, N>> expansion(const AnySeparable<PowerSeries<Float50, N>>& system,
                                              const PhasePoint<Float50>& from) {
  using T = PowerSeries<Float50, N>;
  const Eigen::Index n = system.size();
  T time = T::variable();
  time[0] = from.q(n);
  PhasePoint<T> z{Vector<T, Dynamic>(n), Vector<T, Dynamic>(n)};
  for (Eigen::Index i = 0; i < n; ++i) z.q(i) = T(from.q(i));
  Vector<T, Dynamic> rate(n);
  for (int right = 0; right < N; right += 2) {
    system.force(z.q, time, rate);
    for (Eigen::Index i = 0; i < n; ++i) z.p(i) = T(from.p(i)) + rate(i).integral();
    system.velocity(z.p, rate);
    for (Eigen::Index i = 0; i < n; ++i) z.q(i) = T(from.q(i)) + rate(i).integral();
  }
  return z;
}

/// Returns the point at `time` after the start of the series, which is at the time `start`.
template <int N>
PhasePoint<Float50> evaluate(const PhasePoint<PowerSeries<Float50, N>>& series, const Float50& start,
                             const Float50& time) {
  const Eigen::Index n = series.p.size();
  PhasePoint<Float50> z{Vector<Float50, Dynamic>(n + 1), Vector<Float50, Dynamic>(n)};
  for (Eigen::Index i = 0; i < n; ++i) {
    z.q(i) = series.q(i).evaluate(time);
    z.p(i) = series.p(i).evaluate(time);
  }
  z.q(n) = start + time;
  return z;
}

}  // namespace

template <>
const std::vector<SeparableProblem<double>>& separable_problems<double>() {
  static const auto problems = make_problems<double>();
  return problems;
}
template <>
const std::vector<SeparableProblem<Float50>>& separable_problems<Float50>() {
  static const auto problems = make_problems<Float50>();
  return problems;
}
template <>
const std::vector<SeparableProblem<Dual<Float50>>>& separable_problems<Dual<Float50>>() {
  static const auto problems = make_problems<Dual<Float50>>();
  return problems;
}
const AnySeparable<FunctionOfStep>& separable_oscillator_in_functions_of_step() {
  static const AnySeparable<FunctionOfStep> system(oscillator<FunctionOfStep>(), 1);
  return system;
}

const std::vector<ProblemSummary>& separable_problem_summaries() {
  static const auto summaries = [] {
    std::vector<ProblemSummary> result;
    for (const auto& problem : separable_problems<Float50>()) {
      ProblemSummary summary{problem.name, problem.role, problem.points, {}, problem.symmetries};
      for (const PhasePoint<Float50>& at : problem.points) {
        // The tangents are all of R^2n: the time is not varied.
        std::vector<PhasePoint<Float50>> tangents;
        const Eigen::Index n = at.p.size();
        for (Eigen::Index j = 0; j < 2 * n; ++j) {
          tangents.push_back({Vector<Float50, Dynamic>::Constant(n + 1, Float50(0)),
                              Vector<Float50, Dynamic>::Constant(n, Float50(0))});
          (j < n ? tangents.back().q(j) : tangents.back().p(j - n)) = 1;
        }
        summary.tangents.push_back(std::move(tangents));
        summary.rates.push_back(rate_of_motion(at));
      }
      result.push_back(std::move(summary));
    }
    for (std::size_t k = 0; k < number_of_drawn_separable; ++k) {
      ProblemSummary& summary = result[result.size() - number_of_drawn_separable + k];
      const DrawnSeparable<Float50> drawn = drawn_separable<Float50>(k, seed_of_drawn_problems());
      for (std::size_t i = 0; i < summary.points.size(); ++i)
        summary.rates[i] = rate_of_separable(drawn, summary.points[i]);
    }
    return result;
  }();
  return summaries;
}

PhasePoint<Float50> separable_exact(std::size_t problem, const PhasePoint<Float50>& from, const Float50& time) {
  // Sixteen Taylor steps per unit of time: the radii of convergence are above 1/2, so the remainder is about
  // 8^-32 = 1e-29 per step.
  constexpr int terms = 32;
  using T = PowerSeries<Float50, terms>;
  // Many methods are compared with these solutions, from few points at few times.
  struct Kept {
    PhasePoint<Float50> from, to;
    Float50 time;
  };
  static const auto problems = make_fixed_problems<T>();
  static std::vector<std::vector<Kept>> kept(problems.size());
  for (const Kept& known : kept[problem])
    if (known.time == time && known.from.q == from.q && known.from.p == from.p) return known.to;
  PhasePoint<Float50> z = from;
  const Eigen::Index n = from.p.size();
  const int steps = reference_steps(time);
  const Float50 h = time / steps;
  for (int k = 0; k < steps; ++k) z = evaluate<terms>(expansion<terms>(problems[problem].system, z), z.q(n), h);
  kept[problem].push_back({from, z, time});
  return z;
}

PhasePoint<Float50> separable_short_flow(std::size_t problem, std::size_t point, const Float50& time) {
  // Twelve terms are enough, for the reason given in mechanical_short_flow (mechanical_problems.cpp).
  constexpr int terms = 12;
  using T = PowerSeries<Float50, terms>;
  static const auto problems = make_problems<T>();
  static std::map<std::pair<std::size_t, std::size_t>, PhasePoint<T>> known;
  const PhasePoint<Float50>& from = separable_problem_summaries()[problem].points[point];
  const auto [place, is_new] = known.try_emplace({problem, point});
  if (is_new) place->second = expansion<terms>(problems[problem].system, from);
  return evaluate<terms>(place->second, from.q(from.p.size()), time);
}

namespace {

struct CountingSeparable : DrivenSeparable<double> {
  std::shared_ptr<CountedCost> counts;
  CountingSeparable(const DrivenSeparable<double>& system, std::shared_ptr<CountedCost> counters)
      : DrivenSeparable<double>(system), counts(std::move(counters)) {}
  void force(const vector_type& q, double t, vector_type& out) const {
    ++counts->gradients;
    DrivenSeparable<double>::force(q, t, out);
  }
};

}  // namespace

AnySeparable<double> counting_separable(std::shared_ptr<CountedCost> counts) {
  return {CountingSeparable(on_a_regular_orbit<double>(), std::move(counts)), 2};
}

}  // namespace livi

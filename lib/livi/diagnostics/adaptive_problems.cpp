// SPDX-License-Identifier: MIT
#include <livi/diagnostics/adaptive_subject.hpp>

namespace livi {

namespace {

/// A potential plus a constant, which changes no motion; counts its evaluations if it has counts.
template <class S>
struct ShiftedPotential {
  using scalar_type = S;
  using vector_type = Vector<S, Dynamic>;
  using hessian_type = DenseHessian<S, Dynamic>;
  AnyPotential<S> potential;
  S constant;
  std::shared_ptr<CountedCost> counts = nullptr;

  S value(const vector_type& q) const {
    if (counts) ++counts->values;
    return potential.value(q) + constant;
  }
  void gradient(const vector_type& q, vector_type& out) const {
    if (counts) ++counts->gradients;
    potential.gradient(q, out);
  }
  void hessian(const vector_type& q, hessian_type& h) const { potential.hessian(q, h); }
  void third(const vector_type& q, const vector_type& a, vector_type& out) const { potential.third(q, a, out); }
};

template <class S>
AnySystem<S> shifted(const AnySystem<S>& system, int constant, std::shared_ptr<CountedCost> counts = nullptr) {
  return {system.mass(),
          AnyPotential<S>(ShiftedPotential<S>{system.potential(), S(constant), std::move(counts)}, system.size())};
}

/// The time of all starts.
template <class S>
S start_time() {
  return ratio<S>(5, 8);
}

/// Makes a problem for adaptive steps. The bound of the density is the energy of the first point, plus `margin`.
template <class S>
AdaptiveProblem<S> with_density(const TestProblem<S>& problem, int constant, typename TestDensity<S>::Kind kind,
                                const S& margin, std::shared_ptr<CountedCost> counts = nullptr) {
  const AnySystem<S> system = shifted(problem.system, constant, counts);
  const Eigen::Index n = system.size();
  const auto& [q0, v0] = problem.points.front();
  AdaptiveProblem<S> result{problem.name, problem.role, system, {kind, system, system.energy(q0, v0) + margin}, {}, {}};
  for (const LinearSymmetry<S>& symmetry : problem.symmetries) {
    LinearSymmetry<S> extended{symmetry.name, Matrix<S, Dynamic>::Constant(n + 1, n + 1, S(0)),
                               Vector<S, Dynamic>::Constant(n + 1, S(0)), symmetry.is_translation};
    extended.generator.topLeftCorner(n, n) = symmetry.generator;
    extended.translation.head(n) = symmetry.translation;
    result.symmetries.push_back(std::move(extended));
  }
  for (const auto& [q, v] : problem.points) {
    PhasePoint<S> z{Vector<S, Dynamic>::Constant(n + 1, start_time<S>()), Vector<S, Dynamic>::Constant(n + 1, S(0))};
    z.q.head(n) = q;
    z.p.head(n) = system.momentum(v);
    result.points.push_back(std::move(z));
  }
  return result;
}

/// The places of generic problems and of the broken symmetry among the fixed problems.
constexpr std::size_t fixed_places[] = {1, 2, 4, 7};

/// Returns a problem in the plane with M = I and one point.
template <class S, class P>
TestProblem<S> in_the_plane(const std::string& name, ProblemRole role, P potential, const Vector<S, Dynamic>& q,
                            const Vector<S, Dynamic>& v) {
  using namespace test_problems_detail;
  return {name, role, system<S>(diagonal_mass<S>(rationals<S>({{1, 1}, {1, 1}})), std::move(potential)), {}, {{q, v}}};
}

template <class S>
TestProblem<S> kepler(const std::string& name, ProblemRole role, const Vector<S, Dynamic>& q) {
  using namespace test_problems_detail;
  return in_the_plane<S>(name, role, CentralPotential<S, 2, KeplerProfile<S>>{{S(1)}}, q,
                         rationals<S>({{0, 1}, {2, 1}}));
}

/// Returns one of two problems drawn with the seed in force. All of their points are near the origin, where steps of 1/16
/// are short.
template <class S>
TestProblem<S> drawn_near(std::size_t k) {
  using namespace test_problems_detail;
  Drawing drawing(seed_of_drawn_problems() ^ (0x600 + k));
  const auto make = [&] {
    if (k == 0) {
      const int n = 2 + drawing.below(3);
      return drawn_polynomial<S>(drawing, n, true, 8);
    }
    return drawn_particles<S>(drawing, "two particles, softened gravity", 4, [&] {
      const S strength = drawing.positive<S>(-1), softening = drawing.positive<S>(0);
      return PlummerProfile<S>{strength, softening};
    });
  };
  TestProblem<S> problem = make();
  const Eigen::Index n = problem.system.size();
  problem.points.clear();
  for (int i = 0; i < 2; ++i) {
    const Vector<S, Dynamic> q = drawing.vector<S>(n, -1), v = drawing.vector<S>(n, -2);
    problem.points.emplace_back(q, v);
  }
  return problem;
}
constexpr std::size_t number_of_drawn = 2;

/// Returns a problem drawn with the seed in force, with a density of W whose bound is drawn above the energy of its points.
template <class S>
AdaptiveProblem<S> drawn_problem_with_density(std::size_t k) {
  using namespace test_problems_detail;
  using Kind = typename TestDensity<S>::Kind;
  const TestProblem<S> problem = drawn_near<S>(k);
  const auto energy = [&](std::size_t i) {
    return S(problem.system.energy(problem.points[i].first, problem.points[i].second));
  };
  Drawing drawing(seed_of_drawn_problems() ^ (0x680 + k));
  const bool by_distance = (drawing.below(2) == 0) == (k == 0);
  S margin = drawing.positive<S>(0);
  if (const S more = energy(1) - energy(0); RealOf<S>(0) < leading(more)) margin += more;
  // W is below 4 where entries of q are below 1: a quarter of each square, and eight terms of at most 1/8.
  return with_density(problem, -8, by_distance ? Kind::equal_distances : Kind::inverse_kinetic_energy, margin);
}

template <class S>
std::vector<AdaptiveProblem<S>> make_problems() {
  using namespace test_problems_detail;
  using Kind = typename TestDensity<S>::Kind;
  constexpr Kind kinds[] = {Kind::of_centre, Kind::inverse_kinetic_energy, Kind::equal_distances,
                            Kind::equal_distances};
  std::vector<AdaptiveProblem<S>> problems;
  for (std::size_t i = 0; i < std::size(kinds); ++i)
    problems.push_back(with_density(fixed_problem<S>(fixed_places[i]), -4, kinds[i], S(1)));
  problems.push_back(with_density(kepler<S>("Kepler, e = 0.6", ProblemRole::long_run, rationals<S>({{2, 5}, {0, 1}})),
                                  0, Kind::of_centre, S(0)));
  problems.push_back(with_density(
      in_the_plane<S>("Henon-Heiles, chaotic orbit at E = 0.14", ProblemRole::long_run, HenonHeilesPotential<S>{},
                      rationals<S>({{0, 1}, {1, 10}}), rationals<S>({{1, 2}, {7, 50}})),
      -1, Kind::equal_distances, ratio<S>(1, 20)));
  problems.push_back(with_density(fixed_problem<S>(1), -4, Kind::inverse_kinetic_energy, S(-64)));
  problems.back().role = ProblemRole::no_step;
  problems.push_back(with_density(kepler<S>("in Kepler's centre", ProblemRole::no_step, rationals<S>({{0, 1}, {0, 1}})),
                                  0, Kind::of_centre, S(0)));
  problems.push_back(
      with_density(fixed_problem<S>(fixed_places[three_particles]), -4, Kind::of_first_coordinate, S(0)));
  problems.back().name += ", a density without symmetry";
  problems.back().role = ProblemRole::broken;
  for (std::size_t k = 0; k < number_of_drawn; ++k) problems.push_back(drawn_problem_with_density<S>(k));
  return problems;
}

}  // namespace

namespace {

/// Returns the exact flow of a drawn problem, as mechanical_exact() does that of a fixed one.
PhasePoint<Float50> drawn_exact(std::size_t k, const PhasePoint<Float50>& from, const Float50& time) {
  using T = TaylorSeries<Float50>;
  static const std::vector<TestProblem<T>> problems{drawn_near<T>(0), drawn_near<T>(1)};
  const AnySystem<T>& system = problems[k].system;
  const AnySystem<Float50>& plain = adaptive_problems<Float50>()[first_drawn + k].system;
  PhasePoint<Float50> z = from;
  Vector<Float50, Dynamic> v = plain.velocity(from.p);
  taylor_flow<Float50>(z.q, v, time, reference_steps(time),
                       [&](const Vector<T, Dynamic>& q, const Vector<T, Dynamic>&) {
                         Vector<T, Dynamic> a(q.size());
                         system.acceleration(q, a);
                         return a;
                       });
  z.p = plain.momentum(v);
  return z;
}

}  // namespace

template <>
const std::vector<AdaptiveProblem<double>>& adaptive_problems<double>() {
  static const auto problems = make_problems<double>();
  return problems;
}
template <>
const std::vector<AdaptiveProblem<Float50>>& adaptive_problems<Float50>() {
  static const auto problems = make_problems<Float50>();
  return problems;
}
template <>
const std::vector<AdaptiveProblem<Dual<Float50>>>& adaptive_problems<Dual<Float50>>() {
  static const auto problems = make_problems<Dual<Float50>>();
  return problems;
}

const std::vector<ProblemSummary>& adaptive_problem_summaries() {
  static const auto summaries = [] {
    std::vector<ProblemSummary> result;
    for (const auto& problem : adaptive_problems<Float50>())
      result.push_back({problem.name, problem.role, problem.points, {}, problem.symmetries});
    return result;
  }();
  return summaries;
}

PhasePoint<Float50> adaptive_exact(std::size_t problem, const PhasePoint<Float50>& from, const Float50& time) {
  const Eigen::Index n = from.q.size() - 1;
  const PhasePoint<Float50> start{from.q.head(n), from.p.head(n)};
  const PhasePoint<Float50> at = problem < first_drawn ? mechanical_exact(fixed_places[problem], start, time)
                                                       : drawn_exact(problem - first_drawn, start, time);
  PhasePoint<Float50> z{from.q, Vector<Float50, Dynamic>::Constant(n + 1, Float50(0))};
  z.q.head(n) = at.q;
  z.q(n) += time;
  z.p.head(n) = at.p;
  return z;
}

AdaptiveProblem<double> counting_kepler(std::shared_ptr<CountedCost> counts) {
  using Kind = TestDensity<double>::Kind;
  const Vector<double, Dynamic> q = test_problems_detail::rationals<double>({{2, 5}, {0, 1}});
  return with_density(kepler<double>("Kepler, e = 0.6", ProblemRole::long_run, q), 0, Kind::of_centre, 0.0,
                      std::move(counts));
}

}  // namespace livi

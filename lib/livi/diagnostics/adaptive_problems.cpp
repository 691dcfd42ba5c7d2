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
  return problems;
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
  const PhasePoint<Float50> at = mechanical_exact(fixed_places[problem], {from.q.head(n), from.p.head(n)}, time);
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

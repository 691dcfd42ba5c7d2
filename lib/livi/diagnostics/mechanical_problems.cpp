// SPDX-License-Identifier: MIT
#include <livi/diagnostics/subject.hpp>
#include <map>
#include <optional>

namespace livi {

template <>
const std::vector<TestProblem<double>>& mechanical_problems<double>() {
  static const auto problems = test_problems<double>();
  return problems;
}
template <>
const std::vector<TestProblem<Float50>>& mechanical_problems<Float50>() {
  static const auto problems = test_problems<Float50>();
  return problems;
}
template <>
const std::vector<TestProblem<Dual<Float50>>>& mechanical_problems<Dual<Float50>>() {
  static const auto problems = test_problems<Dual<Float50>>();
  return problems;
}

TestProblem<Dual<Residue>> mechanical_problem_in_residues(std::size_t problem) {
  return test_problem<Dual<Residue>>(problem);
}

TestProblem<ExactSeries> mechanical_problem_in_series(std::size_t problem) {
  return test_problem<ExactSeries>(problem);
}

TestProblem<FunctionOfStep> mechanical_problem_in_functions_of_step(std::size_t problem) {
  return test_problem<FunctionOfStep>(problem);
}

const std::vector<ProblemSummary>& mechanical_problem_summaries() {
  static const auto summaries = [] {
    std::vector<ProblemSummary> result;
    for (const auto& problem : mechanical_problems<Float50>()) {
      ProblemSummary summary{problem.name, problem.role, {}, {}, problem.symmetries};
      summary.mass = problem.slowness * problem.slowness;
      for (const auto& [q, v] : problem.points) {
        summary.points.push_back({q, problem.system.momentum(v)});
        summary.rates.push_back(problem.role == ProblemRole::coupled
                                    ? problem.largest_frequency
                                    : rate_of_motion(summary.points.back()) / problem.slowness);
      }
      result.push_back(std::move(summary));
    }
    return result;
  }();
  return summaries;
}

PhasePoint<Float50> mechanical_exact(std::size_t problem, const PhasePoint<Float50>& from, const Float50& time) {
  using T = TaylorSeries<Float50>;
  static const auto problems = fixed_problems<T>();
  // Many methods are compared with these solutions, from few points at few times.
  struct Kept {
    PhasePoint<Float50> from, to;
    Float50 time;
  };
  static std::vector<std::vector<Kept>> kept(problems.size());
  for (const Kept& known : kept[problem])
    if (known.time == time && known.from.q == from.q && known.from.p == from.p) return known.to;
  const AnySystem<T>& system = problems[problem].system;
  const AnySystem<Float50>& plain = mechanical_problems<Float50>()[problem].system;
  PhasePoint<Float50> z = from;
  Vector<Float50, Dynamic> v = plain.velocity(from.p);
  // Sixteen steps per unit of time: the series' radii of convergence are above 1/2 on these orbits, so the remainder is
  // below 8^-40.
  taylor_flow<Float50>(z.q, v, time, reference_steps(time),
                       [&](const Vector<T, Dynamic>& q, const Vector<T, Dynamic>&) {
                         Vector<T, Dynamic> a(q.size());
                         system.acceleration(q, a);
                         return a;
                       });
  z.p = plain.momentum(v);
  kept[problem].push_back({from, z, time});
  return z;
}

PhasePoint<Float50> mechanical_short_flow(std::size_t problem, std::size_t point, const Float50& time) {
  // Twelve terms: for |time| <= 2^-12 of the time in which the motion changes, the remainder is below 2^-156.
  using T = PowerSeries<Float50, 12>;
  struct Expansion {
    Vector<T, Dynamic> q, v;
  };
  static std::map<std::pair<std::size_t, std::size_t>, Expansion> known;
  const auto [place, is_new] = known.try_emplace({problem, point});
  Expansion& expansion = place->second;
  const AnySystem<Float50>& plain = mechanical_problems<Float50>()[problem].system;
  if (is_new) {
    static const auto problems = test_problems<T>();
    const auto& [q, v] = problems[problem].points[point];
    expansion = {q, v};
    Vector<T, Dynamic> a = q;
    for (int pass = 0; pass < 7; ++pass) {  // Picard iteration: each pass gains two orders
      problems[problem].system.acceleration(expansion.q, a);
      for (Eigen::Index i = 0; i < q.size(); ++i) {
        expansion.v(i) = v(i) + a(i).integral();
        expansion.q(i) = q(i) + expansion.v(i).integral();
      }
    }
  }
  PhasePoint<Float50> z{Vector<Float50, Dynamic>(expansion.q.size()), Vector<Float50, Dynamic>(expansion.q.size())};
  for (Eigen::Index i = 0; i < z.q.size(); ++i) {
    z.q(i) = expansion.q(i).evaluate(time);
    z.p(i) = expansion.v(i).evaluate(time);
  }
  z.p = plain.momentum(z.p);
  return z;
}

namespace {

/// A potential that counts its evaluations.
struct CountingPotential {
  using scalar_type = double;
  using vector_type = Vector<double, Dynamic>;
  using hessian_type = DenseHessian<double, Dynamic>;
  AnyPotential<double> potential;
  std::shared_ptr<CountedCost> counts;

  double value(const vector_type& q) const {
    ++counts->values;
    return potential.value(q);
  }
  void gradient(const vector_type& q, vector_type& out) const {
    ++counts->gradients;
    potential.gradient(q, out);
  }
  void hessian(const vector_type& q, hessian_type& h) const {
    ++counts->hessians;
    potential.hessian(q, h);
  }
  void third(const vector_type& q, const vector_type& a, vector_type& out) const {
    ++counts->third_derivatives;
    potential.third(q, a, out);
  }
};

}  // namespace

CountedRun counted_run(int run, std::shared_ptr<CountedCost> counts) {
  constexpr std::size_t problems[number_of_counted_runs] = {0, number_of_fixed_problems + 2,
                                                            number_of_fixed_problems + 8};
  const std::size_t index = problems[run];
  const AnySystem<double>& system = mechanical_problems<double>()[index].system;
  const ProblemSummary& summary = mechanical_problem_summaries()[index];
  const double h = run == 0 ? 0.125 : (run == 1 ? -0.125 : 0.125) / summary.rates.front();
  return {
      {system.mass(), AnyPotential<double>(CountingPotential{system.potential(), std::move(counts)}, system.size())},
      convert_point<double>(summary.points.front()),
      h};
}

}  // namespace livi

// SPDX-License-Identifier: MIT
#include <livi/diagnostics/subject.hpp>
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
  return test_problems<Dual<Residue>>()[problem];
}

const std::vector<ProblemSummary>& mechanical_problem_summaries() {
  static const auto summaries = [] {
    std::vector<ProblemSummary> result;
    for (const auto& problem : mechanical_problems<Float50>()) {
      ProblemSummary summary{problem.name, problem.role, {}, {}, problem.symmetries};
      for (const auto& [q, v] : problem.points) summary.points.push_back({q, problem.system.momentum(v)});
      result.push_back(std::move(summary));
    }
    return result;
  }();
  return summaries;
}

PhasePoint<Float50> mechanical_exact(std::size_t problem, const PhasePoint<Float50>& from, const Float50& time) {
  using T = TaylorSeries<Float50>;
  static const auto problems = test_problems<T>();
  // Many methods are compared with the same solution; the last one asked for of each problem is kept.
  struct Kept {
    PhasePoint<Float50> from, to;
    Float50 time;
  };
  static std::vector<std::optional<Kept>> kept(problems.size());
  std::optional<Kept>& memory = kept[problem];
  if (memory && memory->time == time && memory->from.q == from.q && memory->from.p == from.p) return memory->to;
  const AnySystem<T>& system = problems[problem].system;
  const AnySystem<Float50>& plain = mechanical_problems<Float50>()[problem].system;
  PhasePoint<Float50> z = from;
  Vector<Float50, Dynamic> v = plain.velocity(from.p);
  // Sixteen steps per unit of time: the series' radii of convergence are above 1/2 on these orbits, so the remainder is
  // below 8^-40.
  const int steps = static_cast<int>(std::ceil(16 * to_double(time)));
  taylor_flow<Float50>(z.q, v, time, steps, [&](const Vector<T, Dynamic>& q, const Vector<T, Dynamic>&) {
    Vector<T, Dynamic> a(q.size());
    system.acceleration(q, a);
    return a;
  });
  z.p = plain.momentum(v);
  memory = Kept{from, z, time};
  return z;
}

namespace {

/// Henon-Heiles with a counter.
struct CountingPotential : HenonHeilesPotential<double> {
  std::shared_ptr<CountedCost> counts;
  explicit CountingPotential(std::shared_ptr<CountedCost> counters) : counts(std::move(counters)) {}
  void gradient(const vector_type& q, vector_type& out) const {
    ++counts->gradients;
    HenonHeilesPotential<double>::gradient(q, out);
  }
  void hessian(const vector_type& q, hessian_type& h) const {
    ++counts->hessians;
    HenonHeilesPotential<double>::hessian(q, h);
  }
  void third(const vector_type& q, const vector_type& a, vector_type& out) const {
    ++counts->third_derivatives;
    HenonHeilesPotential<double>::third(q, a, out);
  }
};

}  // namespace

AnySystem<double> counting_system(std::shared_ptr<CountedCost> counts) {
  return test_problems_detail::system<double>(
      test_problems_detail::diagonal_mass<double>(Vector<double, Dynamic>::Constant(2, 1.0)),
      CountingPotential(std::move(counts)));
}

}  // namespace livi

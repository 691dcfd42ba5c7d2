// SPDX-License-Identifier: MIT
#include <livi/diagnostics/stochastic_subject.hpp>

namespace livi {

namespace {

/// Makes a noise potential a . q + q . A q / 2 of N coordinates: coefficients of q_i, and of q_i q_j, by their places.
template <class S, int N>
struct NoiseTerm {
  typename QuadraticNoise<S, N>::Term term{zeros<Vector<S, N>>(), zeros<Matrix<S, N>>()};
  NoiseTerm linear(int i, const S& a) && {
    term.force(i) += a;
    return std::move(*this);
  }
  NoiseTerm product(int i, int j, const S& a) && {
    term.matrix(i, j) += a;
    term.matrix(j, i) += a;
    return std::move(*this);
  }
};
template <class S, int N, class... Terms>
QuadraticNoise<S, N> noise_of(Terms... terms) {
  return {{terms.term...}};
}

template <class S>
using Round = StochasticTestProblem<TestRoundSystem<S>>;
template <class S>
using Points = std::vector<std::pair<Vector<S, 3>, Vector<S, 3>>>;

template <class S>
Vector<S, 3> vector_of(const S& x, const S& y, const S& z) {
  Vector<S, 3> v;
  v << x, y, z;
  return v;
}

template <class S>
Round<S> on_the_sphere(const std::string& name, ProblemRole role, QuadraticNoise<S, 3> noise) {
  const auto r = [](int a, int b) { return ratio<S>(a, b); };
  return {name,
          role,
          {ScalarMass<S, 3>(S(1)),
           {vector_of<S>(S(0), S(0), S(1)), zeros<Matrix<S, 3>>()},
           {.is_sphere = true},
           std::move(noise)},
          {{vector_of<S>(r(3, 5), S(0), r(-4, 5)), vector_of<S>(r(2, 5), S(1), r(3, 10))},
           {vector_of<S>(r(2, 7), r(3, 7), r(-6, 7)), vector_of<S>(r(3, 5), r(1, 10), r(1, 4))}}};
}

template <class S>
StochasticTestProblems<S> make_problems() {
  using Term = NoiseTerm<S, 3>;
  const S half = ratio<S>(1, 2), quarter = ratio<S>(1, 4);
  StochasticTestProblems<S> problems;
  problems.round.push_back(
      on_the_sphere<S>("sphere, products that vary", ProblemRole::generic,
                       noise_of<S, 3>(Term().product(0, 1, S(1)), Term().product(2, 2, half).linear(0, S(1)))));
  auto field = zeros<Matrix<S, 3>>();
  field(0, 2) = field(2, 0) = field(2, 2) = S(1);
  problems.round.push_back({"cylinder, constant products",
                            ProblemRole::generic,
                            {ScalarMass<S, 3>(S(1)),
                             {zeros<Vector<S, 3>>(), field},
                             {.is_sphere = false},
                             noise_of<S, 3>(Term().linear(2, half), Term().linear(2, quarter))},
                            {{vector_of<S>(ratio<S>(3, 5), ratio<S>(4, 5), ratio<S>(3, 10)),
                              vector_of<S>(ratio<S>(-4, 5), ratio<S>(3, 5), ratio<S>(2, 5))}}});
  const auto symmetric = [&](const S& broken) {
    const S eighth = ratio<S>(1, 8);
    return noise_of<S, 3>(Term().linear(2, half).linear(0, broken),
                          Term().product(0, 0, eighth).product(1, 1, eighth).product(2, 2, S(-eighth)));
  };
  problems.round.push_back(on_the_sphere<S>("sphere, noises with a symmetry", ProblemRole::generic, symmetric(S(0))));
  problems.round.push_back(on_the_sphere<S>("sphere, the symmetry of the noise broken by 1e-6", ProblemRole::broken,
                                            symmetric(ratio<S>(1, 1000000))));
  problems.round[2].symmetry = problems.round[3].symmetry = ProblemSymmetry::rotations;
  problems.round.push_back(
      on_the_sphere<S>("sphere, isotropic noise", ProblemRole::generic,
                       noise_of<S, 3>(Term().linear(0, half), Term().linear(1, half), Term().linear(2, half))));
  problems.round.push_back(on_the_sphere<S>("free particle on the unit sphere", ProblemRole::no_step,
                                            noise_of<S, 3>(Term().linear(1, S(1)))));
  problems.round.back().system = {ScalarMass<S, 3>(S(1)),
                                  {zeros<Vector<S, 3>>(), zeros<Matrix<S, 3>>()},
                                  {.is_sphere = true},
                                  noise_of<S, 3>(Term().linear(1, S(1)))};
  problems.round.back().points = {{vector_of<S>(S(1), S(0), S(0)), vector_of<S>(S(0), half, S(0))}};
  const auto along_the_cylinder = [&](const std::string& name, ProblemRole role, const S& broken) {
    auto coupling = zeros<Matrix<S, 3>>();
    coupling(0, 1) = coupling(1, 0) = half;
    problems.round.push_back({name,
                              role,
                              {ScalarMass<S, 3>(S(1)),
                               {vector_of<S>(S(1), S(0), S(0)), coupling},
                               {.is_sphere = false},
                               noise_of<S, 3>(Term().linear(0, half).linear(2, broken), Term().product(0, 1, half))},
                              problems.round[1].points,
                              ProblemSymmetry::translations});
  };
  along_the_cylinder("cylinder, translations keep the noises", ProblemRole::generic, S(0));
  along_the_cylinder("cylinder, translations broken by 1e-6", ProblemRole::broken, ratio<S>(1, 1000000));

  using RodTerm = NoiseTerm<S, 6>;
  const auto rods = [&](const std::string& name, QuadraticNoise<S, 6> noise) {
    auto problem = double_sphere_pendulum<S>(std::move(noise));
    problems.rods.push_back(
        {name, ProblemRole::generic, std::move(problem.system), {{problem.q, problem.v}}, ProblemSymmetry::none, 4});
  };
  rods("two rods, M full", noise_of<S, 6>(RodTerm().product(0, 5, quarter).linear(4, half),
                                          RodTerm().product(3, 3, quarter).linear(2, half)));
  rods("two rods, noises with a symmetry",
       noise_of<S, 6>(RodTerm().linear(5, half), RodTerm().product(0, 3, quarter).product(1, 4, quarter)));
  problems.rods.back().symmetry = ProblemSymmetry::rotations;
  return problems;
}

/// Returns a spanning set of the directions (dq, dp) that are tangent to g(q) = 0, G v = 0 at (q, v): dq = P e_j with the dv with
/// which G dv + v.g''.dq = 0, and dv = P e_j.
template <class System>
std::vector<PhasePoint<Float50>> tangents_at(const System& system, const VectorOf<System>& q,
                                             const VectorOf<System>& v) {
  using F = Float50;
  using V = VectorOf<System>;
  std::vector<PhasePoint<F>> tangents;
  const Eigen::Index n = q.size();
  typename System::multiplier_type none, of_sum, of_difference;
  system.constraint().value(q, none);
  none.setConstant(F(0));
  for (int of_velocity = 0; of_velocity < 2; ++of_velocity)
    for (Eigen::Index j = 0; j < n; ++j) {
      V w = V::Constant(n, F(0)), dv = w;
      w(j) = F(1);
      correct_rate(system, q, none, w);
      if (of_velocity == 1) {
        tangents.push_back({Vector<F, Dynamic>::Constant(n, F(0)), Vector<F, Dynamic>(system.momentum(w))});
        continue;
      }
      // The bilinear form v.g''.w by polarisation.
      system.constraint().curvature(q, V(v + w), of_sum);
      system.constraint().curvature(q, V(v - w), of_difference);
      correct_rate(system, q, typename System::multiplier_type((of_difference - of_sum) / F(4)), dv);
      tangents.push_back({Vector<F, Dynamic>(w), Vector<F, Dynamic>(system.momentum(dv))});
    }
  return tangents;
}

}  // namespace

template <>
const StochasticTestProblems<double>& stochastic_test_problems<double>() {
  static const auto problems = make_problems<double>();
  return problems;
}
template <>
const StochasticTestProblems<Float50>& stochastic_test_problems<Float50>() {
  static const auto problems = make_problems<Float50>();
  return problems;
}
template <>
const StochasticTestProblems<Dual<Float50>>& stochastic_test_problems<Dual<Float50>>() {
  static const auto problems = make_problems<Dual<Float50>>();
  return problems;
}

const std::vector<ProblemSummary>& stochastic_problem_summaries() {
  static const auto summaries = [] {
    using F = Float50;
    std::vector<ProblemSummary> result;
    const auto add = [&](const auto& problems) {
      for (const auto& problem : problems) {
        ProblemSummary summary{problem.name, problem.role, {}, {}, {}};
        for (const auto& [q, v] : problem.points) {
          summary.points.push_back({Vector<F, Dynamic>(q), Vector<F, Dynamic>(problem.system.momentum(v))});
          summary.tangents.push_back(tangents_at(problem.system, q, v));
        }
        if (problem.symmetry != ProblemSymmetry::none) {
          const bool translations = problem.symmetry == ProblemSymmetry::translations;
          const Eigen::Index n = problem.points.front().first.size();
          LinearSymmetry<F> symmetry{translations ? "momentum along the third axis" : "momentum about the third axis",
                                     Matrix<F, Dynamic>::Constant(n, n, F(0)), Vector<F, Dynamic>::Constant(n, F(0)),
                                     translations};
          for (Eigen::Index i = 0; i < n; i += 3) {
            if (translations) symmetry.translation(i + 2) = F(1);
            if (translations) continue;
            symmetry.generator(i, i + 1) = F(-1);
            symmetry.generator(i + 1, i) = F(1);
          }
          summary.symmetries.push_back(std::move(symmetry));
        }
        result.push_back(std::move(summary));
      }
    };
    add(stochastic_test_problems<F>().round);
    add(stochastic_test_problems<F>().rods);
    return result;
  }();
  return summaries;
}

}  // namespace livi

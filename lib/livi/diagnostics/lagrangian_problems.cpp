// SPDX-License-Identifier: MIT
#include <livi/diagnostics/constrained_subject.hpp>

namespace livi {

using test_problems_detail::rationals;

const std::vector<ProblemSummary>& lagrangian_problem_summaries() {
  static const auto summaries = [] {
    std::vector<ProblemSummary> result(3);
    result[0] = {"double pendulum in angles", ProblemRole::generic, {}, {}, {}};
    result[0].points = {{rationals<Float50>({{1, 2}, {-1, 3}}), rationals<Float50>({{1, 5}, {2, 5}})},
                        {rationals<Float50>({{-3, 4}, {5, 4}}), rationals<Float50>({{1, 2}, {-1, 5}})}};
    result[1] = {"double pendulum in angles, small oscillations", ProblemRole::long_run, {}, {}, {}};
    result[1].points = {{rationals<Float50>({{1, 5}, {-1, 6}}), rationals<Float50>({{0, 1}, {0, 1}})}};
    result[2] = {"oscillator", ProblemRole::oscillator, {}, {}, {}};
    result[2].points = {{rationals<Float50>({{1, 1}}), rationals<Float50>({{0, 1}})}};
    for (ProblemSummary& summary : result)
      for (const PhasePoint<Float50>& point : summary.points) summary.rates.push_back(rate_of_motion(point));
    return result;
  }();
  return summaries;
}

PhasePoint<Float50> lagrangian_exact(std::size_t problem, const PhasePoint<Float50>& from, const Float50& time) {
  using S = Float50;
  using T = TaylorSeries<S>;
  using Kind = BatteryLagrangian<S>::Kind;
  const bool oscillator = lagrangian_problem_summaries()[problem].role == ProblemRole::oscillator;
  const BatteryLagrangian<S> plain{oscillator ? Kind::oscillator : Kind::double_pendulum};
  // v from p, with the mass matrix of the pendulum by hand: [[2, 2 c], [2 c, 4]], c = cos(theta - phi).
  Vector<S, Dynamic> q = from.q, v = from.p;
  if (!oscillator) {
    const S c = cos(S(q(0) - q(1))), determinant = 8 - 4 * c * c;
    v << (4 * from.p(0) - 2 * c * from.p(1)) / determinant, (2 * from.p(1) - 2 * c * from.p(0)) / determinant;
  }
  const int steps = reference_steps(time);
  // The Euler-Lagrange equations by hand, so that they share nothing with the dual numbers of the integrator. With
  // s = sin(theta - phi),
  //   2 theta'' + 2 c phi'' = -2 s phi'^2 - 2 sin theta,   2 c theta'' + 4 phi'' = 2 s theta'^2 - 2 sin phi.
  using V = Vector<T, Dynamic>;
  taylor_flow<S>(q, v, time, steps, [&](const V& x, const V& w) {
    V a(x.size());
    if (oscillator) {
      a(0) = -x(0);
      return a;
    }
    T sine, cosine;
    sin_cos(x(0) - x(1), sine, cosine);
    const T first = -sine * w(1) * w(1) - sin(x(0)), second = sine * w(0) * w(0) - sin(x(1));
    const T determinant = T(2) - cosine * cosine;
    a(0) = (T(2) * first - cosine * second) / determinant;
    a(1) = (second - cosine * first) / determinant;
    return a;
  });
  PhasePoint<S> z{q, v};
  Vector<S, Dynamic> dq = q;
  lagrangian_gradients<BatteryLagrangian<S>, S, Dynamic>(plain, q, v, dq, z.p);
  return z;
}

}  // namespace livi

// SPDX-License-Identifier: MIT
#include <livi/diagnostics/body_subject.hpp>
#include <livi/systems/rotation_potentials.hpp>

namespace livi {

namespace {

template <class S>
Vector3<S> rational(int x, int y, int z, int denominator) {
  return vector3<S>(ratio<S>(x, denominator), ratio<S>(y, denominator), ratio<S>(z, denominator));
}

template <class S>
FullMass<S, 3> diagonal_inertia(const S& x, const S& y, const S& z) {
  Matrix3<S> m = Matrix3<S>::Constant(S(0));
  m(0, 0) = x;
  m(1, 1) = y;
  m(2, 2) = z;
  return FullMass<S, 3>(m);
}
/// Moments near 1, 2 and 3 about axes that are not the body's.
template <class S>
FullMass<S, 3> full_inertia() {
  Matrix3<S> m;
  m << S(1), ratio<S>(1, 5), ratio<S>(-1, 10), ratio<S>(1, 5), S(2), ratio<S>(3, 10), ratio<S>(-1, 10), ratio<S>(3, 10),
      S(3);
  return FullMass<S, 3>(m);
}

template <class S>
HeavyTopPotential<S> top() {
  return {S(1), rational<S>(6, -10, 15, 30)};
}
template <class S>
FullMass<S, 3> top_inertia() {
  return diagonal_inertia<S>(S(1), ratio<S>(3, 2), ratio<S>(5, 2));
}
template <class S>
TracePolynomialPotential<S> asymmetric() {
  TracePolynomialPotential<S> potential;
  potential.linear << ratio<S>(1, 2), ratio<S>(-1, 3), ratio<S>(1, 4), S(0), ratio<S>(2, 3), ratio<S>(1, 5),
      ratio<S>(-1, 6), ratio<S>(1, 2), ratio<S>(-3, 4);
  potential.direction << ratio<S>(1, 3), ratio<S>(1, 2), S(0), ratio<S>(-1, 4), ratio<S>(1, 5), ratio<S>(2, 5), S(1),
      ratio<S>(-1, 3), ratio<S>(1, 6);
  return potential;
}

/// The heavy top in a weak field across.
template <class S>
struct BrokenTop : HeavyTopPotential<S> {
  S field;
  S value(const Matrix3<S>& q) const { return HeavyTopPotential<S>::value(q) + field * q(0, 0); }
  void torque(const Matrix3<S>& q, Vector3<S>& out) const {
    HeavyTopPotential<S>::torque(q, out);
    // The gradient field e1 e1' gives field (Q' e1) x e1.
    out(1) += field * q(0, 2);
    out(2) -= field * q(0, 1);
  }
};

enum Problem { asymmetric_potential, heavy_top, free_body, stress, broken_top };

template <class S>
std::vector<AnyBody<S>> make_problems() {
  std::vector<AnyBody<S>> problems;
  problems.emplace_back(full_inertia<S>(), AnyRotationPotential<S>(asymmetric<S>()));
  problems.emplace_back(top_inertia<S>(), AnyRotationPotential<S>(top<S>()));
  problems.emplace_back(full_inertia<S>(), AnyRotationPotential<S>(FreeBodyPotential<S>()));
  problems.emplace_back(diagonal_inertia<S>(S(2), S(2), S(4)), AnyRotationPotential<S>(stress_test<S>().potential()));
  problems.emplace_back(top_inertia<S>(), AnyRotationPotential<S>(BrokenTop<S>{top<S>(), ratio<S>(1, 1000000)}));
  return problems;
}

constexpr int terms = 24;
using Series = PowerSeries<Float50, terms>;

Vector<Float50, Dynamic> vectorised(const Matrix3<Float50>& q) {
  Vector<Float50, Dynamic> v(9);
  for (int i = 0; i < 9; ++i) v(i) = q.data()[i];
  return v;
}

/// Rotations about an axis of space: J = e . Q mu.
LinearSymmetry<Float50> rotation_about(int axis) {
  LinearSymmetry<Float50> symmetry{"momentum about axis " + std::to_string(axis + 1) + " of space",
                                   Matrix<Float50, Dynamic>::Constant(3, 9, Float50(0)),
                                   Vector<Float50, Dynamic>::Constant(3, Float50(0))};
  for (int j = 0; j < 3; ++j) symmetry.generator(j, 3 * j + axis) = 1;
  return symmetry;
}

}  // namespace

template <>
const std::vector<AnyBody<double>>& body_problems<double>() {
  static const auto problems = make_problems<double>();
  return problems;
}
template <>
const std::vector<AnyBody<Float50>>& body_problems<Float50>() {
  static const auto problems = make_problems<Float50>();
  return problems;
}
template <>
const std::vector<AnyBody<Dual<Float50>>>& body_problems<Dual<Float50>>() {
  static const auto problems = make_problems<Dual<Float50>>();
  return problems;
}

const std::vector<ProblemSummary>& body_problem_summaries() {
  static const auto summaries = [] {
    using S = Float50;
    std::vector<ProblemSummary> result(5);
    result[asymmetric_potential] = {
        "body in a potential without symmetry, full inertia", ProblemRole::generic, {}, {}, {}};
    result[heavy_top] = {"heavy asymmetric top", ProblemRole::generic, {}, {}, {rotation_about(2)}};
    result[free_body] = {
        "free body", ProblemRole::generic, {}, {}, {rotation_about(0), rotation_about(1), rotation_about(2)}, true};
    result[stress] = {"stress test of BOS09", ProblemRole::long_run, {}, {}, {}};
    result[broken_top] = {"heavy top, field across 1e-6", ProblemRole::broken, {}, {}, {rotation_about(2)}};

    const std::pair<Vector3<S>, Vector3<S>> generic[] = {{rational<S>(20, -35, 28, 60), rational<S>(30, 24, -42, 60)},
                                                         {rational<S>(-50, 40, 66, 60), rational<S>(-18, 45, 30, 60)}};
    const auto add = [&](Problem problem, const Matrix3<S>& q, const Vector3<S>& w) {
      const AnyBody<S>& body = body_problems<S>()[problem];
      result[problem].points.push_back({vectorised(q), body.momentum(w)});
      std::vector<PhasePoint<S>> tangents;
      for (int j = 0; j < 6; ++j) {
        Vector3<S> eta = Vector3<S>::Constant(S(0)), nu = eta;
        (j < 3 ? eta(j) : nu(j - 3)) = S(1);
        tangents.push_back({vectorised(q * so3::hat(eta)), nu});
      }
      result[problem].tangents.push_back(std::move(tangents));
    };
    for (const Problem problem : {asymmetric_potential, heavy_top, free_body, broken_top})
      for (const auto& [x, w] : generic) add(problem, so3::cay(x), w);
    const auto [q, w] = stress_test_start<S>();
    add(stress, q, w);
    add(stress, q, Vector3<S>(-w));
    return result;
  }();
  return summaries;
}

PhasePoint<Float50> body_exact(std::size_t problem, const PhasePoint<Float50>& from, const Float50& time) {
  // Many methods are compared with the same solutions, from few points at few times.
  struct Kept {
    PhasePoint<Float50> from, to;
    Float50 time;
  };
  static std::vector<std::vector<Kept>> kept(body_problem_summaries().size());
  for (const Kept& known : kept[problem])
    if (known.time == time && known.from.q == from.q && known.from.p == from.p) return known.to;

  static const auto problems = make_problems<Series>();
  const AnyBody<Series>& body = problems[problem];
  const AnyBody<Float50>& plain = body_problems<Float50>()[problem];
  Matrix3<Float50> q(from.q.data());
  Vector3<Float50> w = plain.velocity(Vector3<Float50>(from.p));
  // Sixteen Taylor steps per unit of time, by Picard iteration: the radii of convergence are about one or more, so that
  // the remainder is about 16^-25 = 1e-30 per step.
  const int steps = reference_steps(time);
  const Float50 h = time / steps;
  for (int k = 0; k < steps; ++k) {
    const Matrix3<Series> q0 = q.cast<Series>();
    const Vector3<Series> w0 = w.cast<Series>();
    Matrix3<Series> of_q = q0;
    Vector3<Series> of_w = w0;
    for (int pass = 0; pass < terms; ++pass) {
      const Matrix3<Series> rate = of_q * so3::hat(of_w);
      const Vector3<Series> acceleration = body.acceleration(of_w, body.torque(of_q));
      for (int i = 0; i < 9; ++i) of_q.data()[i] = q0.data()[i] + rate.data()[i].integral();
      for (int i = 0; i < 3; ++i) of_w(i) = w0(i) + acceleration(i).integral();
    }
    for (int i = 0; i < 9; ++i) q.data()[i] = of_q.data()[i].evaluate(h);
    for (int i = 0; i < 3; ++i) w(i) = of_w(i).evaluate(h);
  }
  kept[problem].push_back({from, {vectorised(q), plain.momentum(w)}, time});
  return kept[problem].back().to;
}

Float50 body_form(const PhasePoint<Float50>& at, const PhasePoint<Float50>& a, const PhasePoint<Float50>& b) {
  const auto body = [&](const PhasePoint<Float50>& variation) {
    const Matrix3<Float50> q(at.q.data()), dq(variation.q.data());
    return so3::vee<Float50>(q.transpose() * dq);
  };
  return left_trivialised_form<Float50>(at.p, body(a), a.p, body(b), b.p);
}

namespace {

struct CountingTop : HeavyTopPotential<double> {
  std::shared_ptr<CountedCost> counts;
  CountingTop(const HeavyTopPotential<double>& potential, std::shared_ptr<CountedCost> counters)
      : HeavyTopPotential<double>(potential), counts(std::move(counters)) {}
  void torque(const Matrix3<double>& q, Vector3<double>& out) const {
    ++counts->gradients;
    HeavyTopPotential<double>::torque(q, out);
  }
};

}  // namespace

AnyBody<double> counting_body(std::shared_ptr<CountedCost> counts) {
  return {top_inertia<double>(), AnyRotationPotential<double>(CountingTop(top<double>(), std::move(counts)))};
}

}  // namespace livi

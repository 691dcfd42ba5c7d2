// SPDX-License-Identifier: MIT
#include <livi/diagnostics/body_subject.hpp>
#include <livi/systems/rotation_potentials.hpp>
#include <map>

namespace livi {

namespace {

using test_problems_detail::Drawing;

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
/// Returns an inertia with moments near 1, 2 and 3 about axes that are not the body's.
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

/// The heavy top in a weak transverse field.
template <class S>
struct BrokenTop : HeavyTopPotential<S> {
  S field;
  S value(const Matrix3<S>& q) const { return HeavyTopPotential<S>::value(q) + field * q(0, 0); }
  void torque(const Matrix3<S>& q, Vector3<S>& out) const {
    HeavyTopPotential<S>::torque(q, out);
    // The gradient field e1 e1' gives the torque field (Q' e1) x e1.
    out(1) += field * q(0, 2);
    out(2) -= field * q(0, 1);
  }
};

enum Problem {
  asymmetric_potential,
  heavy_top,
  free_body,
  stress,
  broken_top,
  drawn_heavy_body,
  drawn_light_body,
  drawn_top,
  drawn_free_body,
};
constexpr std::size_t number_of_drawn_bodies = 4;

template <class S>
std::vector<AnyBody<S>> make_fixed_problems() {
  std::vector<AnyBody<S>> problems;
  problems.emplace_back(full_inertia<S>(), AnyRotationPotential<S>(asymmetric<S>()));
  problems.emplace_back(top_inertia<S>(), AnyRotationPotential<S>(top<S>()));
  problems.emplace_back(full_inertia<S>(), AnyRotationPotential<S>(FreeBodyPotential<S>()));
  problems.emplace_back(diagonal_inertia<S>(S(2), S(2), S(4)), AnyRotationPotential<S>(stress_test<S>().potential()));
  problems.emplace_back(top_inertia<S>(), AnyRotationPotential<S>(BrokenTop<S>{top<S>(), ratio<S>(1, 1000000)}));
  return problems;
}

/// A body drawn at random, and a bound of its torque and the torque's derivative, from which short steps are found.
template <class S>
struct DrawnBody {
  AnyBody<S> body;
  S torque;
};

template <class S>
Matrix3<S> drawn_matrix(Drawing& drawing, int power) {
  Matrix3<S> m;
  for (int i = 0; i < 9; ++i) m.data()[i] = drawing.of_size<S>(power);
  return m;
}
/// Returns a full inertia with moments between one and six times 2^power. Their quotients stay below six, so that an
/// inertia times its inverse costs one digit of double precision, not three.
template <class S>
FullMass<S, 3> drawn_inertia(Drawing& drawing, int power) {
  const FullMass<S, Dynamic> full = drawing.full_mass<S>(3);
  S scale(1);
  for (int k = 0; k < power; ++k) scale *= S(2);
  for (int k = 0; k > power; --k) scale /= S(2);
  Matrix3<S> m;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) m(i, j) = scale * full.matrix()(i, j);
  return FullMass<S, 3>(m);
}
/// Returns a body in the potential tr(linear' Q) + tr(direction' Q)^2/2; entries of Q are at most one in size.
template <class S>
DrawnBody<S> drawn_asymmetric(Drawing& drawing, FullMass<S, 3> inertia) {
  TracePolynomialPotential<S> potential;
  potential.linear = drawn_matrix<S>(drawing, -3);
  potential.direction = drawn_matrix<S>(drawing, -3);
  // Nine entries below 1/4 each give 9/4 + (9/4)^2.
  return {{std::move(inertia), AnyRotationPotential<S>(potential)}, ratio<S>(117, 16)};
}

template <class S>
DrawnBody<S> drawn_body(Problem problem, std::uint64_t seed) {
  Drawing drawing(seed ^ (0x200 + static_cast<std::uint64_t>(problem)));
  switch (problem) {
    case drawn_heavy_body: {
      const FullMass<S, 3> inertia = drawn_inertia<S>(drawing, 2);
      return drawn_asymmetric<S>(drawing, inertia);
    }
    case drawn_light_body: {
      const S x = drawing.positive<S>(-3), y = drawing.positive<S>(-2), z = drawing.positive<S>(-1);
      return drawn_asymmetric<S>(drawing, diagonal_inertia<S>(x, y, z));
    }
    case drawn_top: {  // so heavy, in so weak a field, that steps of length one are short for it
      const S x = drawing.positive<S>(4), y = drawing.positive<S>(3), z = drawing.positive<S>(4);
      const S weight = drawing.of_size<S>(-3);
      const Vector<S, Dynamic> centre = drawing.vector<S>(3, -1);
      return {{diagonal_inertia<S>(x, y, z),
               AnyRotationPotential<S>(HeavyTopPotential<S>{weight, vector3<S>(centre(0), centre(1), centre(2))})},
              ratio<S>(1, 2)};
    }
    default: {
      const FullMass<S, 3> inertia = drawn_inertia<S>(drawing, -2);
      return {{inertia, AnyRotationPotential<S>(FreeBodyPotential<S>())}, S(0)};
    }
  }
}

/// Returns the fixed problems, followed by those drawn with the seed in force.
template <class S>
std::vector<AnyBody<S>> make_problems() {
  std::vector<AnyBody<S>> problems = make_fixed_problems<S>();
  for (std::size_t k = 0; k < number_of_drawn_bodies; ++k)
    problems.push_back(drawn_body<S>(static_cast<Problem>(drawn_heavy_body + k), seed_of_drawn_problems()).body);
  return problems;
}

/// Returns the largest sum of absolute entries in a row.
double row_sum(const Matrix3<Float50>& m) {
  double largest = 0;
  for (int i = 0; i < 3; ++i) {
    double sum = 0;
    for (int j = 0; j < 3; ++j) sum += std::abs(to_double(m(i, j)));
    largest = std::max(largest, sum);
  }
  return largest;
}
/// Returns a bound of the rate at which a drawn body's motion changes. W' = I^-1 (I W x W + tau) changes W at a rate of
/// |I^-1| |I| |W|, twice for each of the two components of a cross product; a torque changes it at the frequency of a
/// pendulum.
double rate_of_body(const DrawnBody<Float50>& drawn, const Vector3<Float50>& w) {
  Matrix3<Float50> inverse;
  for (int j = 0; j < 3; ++j) {
    Vector3<Float50> unit = Vector3<Float50>::Constant(Float50(0));
    unit(j) = 1;
    const Vector3<Float50> column = drawn.body.velocity(unit);
    for (int i = 0; i < 3; ++i) inverse(i, j) = column(i);
  }
  const double of_inverse = row_sum(inverse), fastest = largest_entry(w);
  // A free body at rest does not move at all, so any step is short.
  return 1.0 / 64 + 4 * (of_inverse * row_sum(drawn.body.inertia().matrix()) * fastest +
                         std::sqrt(of_inverse * to_double(drawn.torque)));
}

constexpr int terms = 24;
using Series = PowerSeries<Float50, terms>;

/// The motion from a point as series in time. Each pass of Picard iteration gains one order.
template <int N>
struct BodySeries {
  Matrix3<PowerSeries<Float50, N>> q;
  Vector3<PowerSeries<Float50, N>> w;
};
template <int N>
BodySeries<N> expansion(const AnyBody<PowerSeries<Float50, N>>& body, const Matrix3<Float50>& q,
                        const Vector3<Float50>& w) {
  using T = PowerSeries<Float50, N>;
  const Matrix3<T> q0 = q.cast<T>();
  const Vector3<T> w0 = w.cast<T>();
  BodySeries<N> of{q0, w0};
  for (int pass = 0; pass < N; ++pass) {
    const Matrix3<T> rate = of.q * so3::hat(of.w);
    const Vector3<T> acceleration = body.acceleration(of.w, body.torque(of.q));
    for (int i = 0; i < 9; ++i) of.q.data()[i] = q0.data()[i] + rate.data()[i].integral();
    for (int i = 0; i < 3; ++i) of.w(i) = w0(i) + acceleration(i).integral();
  }
  return of;
}

Vector<Float50, Dynamic> vectorised(const Matrix3<Float50>& q) {
  Vector<Float50, Dynamic> v(9);
  for (int i = 0; i < 9; ++i) v(i) = q.data()[i];
  return v;
}

/// Draws the power of two of a fast angular velocity. The three bodies with a torque have velocities of eight to five hundred, to
/// thirty thousand, and to a million, in an order that the seed draws: what a torque does wrong in one step is seen where the
/// velocity is moderate, for the steps of a body that turns a million times faster are so short that hardly anything is left of it.
int power_of_fast(std::size_t body, Drawing& drawing) {
  if (drawn_heavy_body + body == drawn_free_body) return 3 + drawing.below(17);
  const auto first = static_cast<std::size_t>(Drawing(seed_of_drawn_problems() ^ 0x27f).below(3));
  constexpr int least[] = {3, 9, 14};
  return least[(first + body) % 3] + drawing.below(6);
}

/// Returns the symmetry of rotations about an axis of space, with J = e . Q mu.
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
    std::vector<ProblemSummary> result(drawn_heavy_body + number_of_drawn_bodies);
    result[asymmetric_potential] = {
        "body in a potential without symmetry, full inertia", ProblemRole::generic, {}, {}, {}};
    result[heavy_top] = {"heavy asymmetric top", ProblemRole::generic, {}, {}, {rotation_about(2)}};
    result[free_body] = {
        "free body", ProblemRole::generic, {}, {}, {rotation_about(0), rotation_about(1), rotation_about(2)}, true};
    result[stress] = {"stress test of BOS09", ProblemRole::long_run, {}, {}, {}};
    result[broken_top] = {"heavy top, field across 1e-6", ProblemRole::broken, {}, {}, {rotation_about(2)}};

    const std::pair<Vector3<S>, Vector3<S>> generic[] = {{rational<S>(20, -35, 28, 60), rational<S>(30, 24, -42, 60)},
                                                         {rational<S>(-50, 40, 66, 60), rational<S>(-18, 45, 30, 60)}};
    result[drawn_heavy_body] = {"drawn, heavy body, full inertia", ProblemRole::drawn, {}, {}, {}};
    result[drawn_light_body] = {"drawn, light body", ProblemRole::drawn, {}, {}, {}};
    result[drawn_top] = {"drawn, heavy top", ProblemRole::drawn, {}, {}, {rotation_about(2)}};
    result[drawn_free_body] = {"drawn, free body",
                               ProblemRole::drawn,
                               {},
                               {},
                               {rotation_about(0), rotation_about(1), rotation_about(2)},
                               true};
    const auto add = [&](Problem problem, const Matrix3<S>& q, const Vector3<S>& w) {
      const AnyBody<S>& body = body_problems<S>()[problem];
      result[problem].points.push_back({vectorised(q), body.momentum(w)});
      result[problem].rates.push_back(rate_of_motion(result[problem].points.back()));
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
    for (std::size_t k = 0; k < number_of_drawn_bodies; ++k) {
      const auto problem = static_cast<Problem>(drawn_heavy_body + k);
      const DrawnBody<S> drawn = drawn_body<S>(problem, seed_of_drawn_problems());
      Drawing drawing(seed_of_drawn_problems() ^ (0x280 + k));
      // The attitudes are rotations by a small angle, by hardly any, or by almost half a turn; the velocities are slow,
      // very slow, or fast. Two more points: rotated and at rest; not rotated, turning about an axis of the body.
      const auto draw = [&](int power) {
        const Vector<S, Dynamic> v = drawing.vector<S>(3, power);
        return vector3<S>(v(0), v(1), v(2));
      };
      for (const auto& [power_of_q, power_of_w] :
           {std::pair(-1, -1), std::pair(-5, -6), std::pair(2, power_of_fast(k, drawing))}) {
        const Vector3<S> x = draw(power_of_q), of_w = draw(power_of_w);
        add(problem, so3::cay(x), of_w);
        result[problem].rates.back() = rate_of_body(drawn, of_w);
      }
      Vector3<S> of_w = Vector3<S>::Constant(S(0));
      add(problem, so3::cay(draw(-1)), of_w);
      result[problem].rates.back() = rate_of_body(drawn, of_w);
      of_w(drawing.below(3)) = drawing.of_size<S>(-1);
      add(problem, Matrix3<S>(Matrix3<S>::Identity()), of_w);
      result[problem].rates.back() = rate_of_body(drawn, of_w);
    }
    return result;
  }();
  return summaries;
}

PhasePoint<Float50> body_exact(std::size_t problem, const PhasePoint<Float50>& from, const Float50& time) {
  // Many methods are compared with these solutions, from few points at few times.
  struct Kept {
    PhasePoint<Float50> from, to;
    Float50 time;
  };
  static const auto problems = make_fixed_problems<Series>();
  static std::vector<std::vector<Kept>> kept(problems.size());
  for (const Kept& known : kept[problem])
    if (known.time == time && known.from.q == from.q && known.from.p == from.p) return known.to;

  const AnyBody<Series>& body = problems[problem];
  const AnyBody<Float50>& plain = body_problems<Float50>()[problem];
  Matrix3<Float50> q(from.q.data());
  Vector3<Float50> w = plain.velocity(Vector3<Float50>(from.p));
  // Sixteen Taylor steps per unit of time, by Picard iteration: the radii of convergence are about one or more, so the
  // remainder is about 16^-25 = 1e-30 per step.
  const int steps = reference_steps(time);
  const Float50 h = time / steps;
  for (int k = 0; k < steps; ++k) {
    const BodySeries<terms> of = expansion<terms>(body, q, w);
    for (int i = 0; i < 9; ++i) q.data()[i] = of.q.data()[i].evaluate(h);
    for (int i = 0; i < 3; ++i) w(i) = of.w(i).evaluate(h);
  }
  kept[problem].push_back({from, {vectorised(q), plain.momentum(w)}, time});
  return kept[problem].back().to;
}

PhasePoint<Float50> body_short_flow(std::size_t problem, std::size_t point, const Float50& time) {
  // Twelve terms are enough, for the reason given in mechanical_short_flow (mechanical_problems.cpp).
  constexpr int few = 12;
  using T = PowerSeries<Float50, few>;
  static const auto problems = make_problems<T>();
  static std::map<std::pair<std::size_t, std::size_t>, BodySeries<few>> known;
  const AnyBody<Float50>& plain = body_problems<Float50>()[problem];
  const auto [place, is_new] = known.try_emplace({problem, point});
  if (is_new) {
    const PhasePoint<Float50>& from = body_problem_summaries()[problem].points[point];
    place->second =
        expansion<few>(problems[problem], Matrix3<Float50>(from.q.data()), plain.velocity(Vector3<Float50>(from.p)));
  }
  Matrix3<Float50> q;
  Vector3<Float50> w;
  for (int i = 0; i < 9; ++i) q.data()[i] = place->second.q.data()[i].evaluate(time);
  for (int i = 0; i < 3; ++i) w(i) = place->second.w(i).evaluate(time);
  return {vectorised(q), plain.momentum(w)};
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

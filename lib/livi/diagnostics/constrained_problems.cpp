// SPDX-License-Identifier: MIT
#include <livi/diagnostics/constrained_subject.hpp>
#include <livi/integrators/zhang_skeel.hpp>
#include <livi/systems/distance_constraints.hpp>
#include <livi/systems/double_pendulum.hpp>
#include <map>

namespace livi {

namespace {

using test_problems_detail::diagonal_mass;
using test_problems_detail::Drawing;
using test_problems_detail::planar_rotation;
using test_problems_detail::planar_translation;
using test_problems_detail::rationals;

/// Gravity with the derivatives that AnyPotential asks for.
template <class S, int N>
struct LinearPotential : GravityPotential<S, N> {
  using vector_type = Vector<S, N>;
  using hessian_type = DenseHessian<S, N>;
  static void hessian(const vector_type&, hessian_type& h) { h.set_zero(); }
  static void third(const vector_type&, const vector_type&, vector_type& out) { out.setConstant(S(0)); }
};

/// The potential V = z + (x^2 + y^2)^2/4 on the spheroid.
template <class S>
struct SpheroidPotential {
  using scalar_type = S;
  using vector_type = Vector<S, 3>;
  using hessian_type = DenseHessian<S, 3>;
  static constexpr int dimension = 3;
  S value(const vector_type& q) const {
    const S s = q(0) * q(0) + q(1) * q(1);
    return q(2) + s * s / S(4);
  }
  void gradient(const vector_type& q, vector_type& out) const {
    const S s = q(0) * q(0) + q(1) * q(1);
    out << s * q(0), s * q(1), S(1);
  }
  void hessian(const vector_type& q, hessian_type& h) const {
    const S s = q(0) * q(0) + q(1) * q(1);
    h.set_zero();
    for (int i = 0; i < 2; ++i)
      for (int j = 0; j < 2; ++j) h.matrix(i, j) = S(2) * q(i) * q(j) + (i == j ? s : S(0));
  }
  void third(const vector_type& q, const vector_type& a, vector_type& out) const {
    const S aa = a(0) * a(0) + a(1) * a(1), qa = q(0) * a(0) + q(1) * a(1);
    for (int i = 0; i < 2; ++i) out(i) = S(2) * aa * q(i) + S(4) * qa * a(i);
    out(2) = S(0);
  }
};

template <class S, class P>
AnyPotential<S> any(P potential, Eigen::Index n) {
  return AnyPotential<S>(std::move(potential), n);
}

template <class S>
std::vector<AnyConstrainedSystem<S>> make_fixed_problems() {
  std::vector<AnyConstrainedSystem<S>> problems;
  {
    Vector<S, 2> squared_lengths;
    squared_lengths << S(1), S(2);
    problems.emplace_back(diagonal_mass<S>(rationals<S>({{1, 1}, {1, 1}, {1, 1}, {1, 1}})),
                          any<S>(LinearPotential<S, 4>{{S(1)}}, 4),
                          AnyConstraint<S>(PlanarChainConstraint<S, 4>{squared_lengths}, 2));
  }
  {
    QuadraticConstraint<S, 3> spheroid{Matrix<S, 3>::Constant(S(0)), S(0)};
    spheroid.a(0, 0) = spheroid.a(1, 1) = S(1);
    spheroid.a(2, 2) = S(3);
    const Vector<S, 3> at = rationals<S>({{1, 2}, {2, 3}, {3, 4}});
    Vector<S, 1> g;
    spheroid.value(at, g);
    spheroid.level = g(0);
    problems.emplace_back(diagonal_mass<S>(rationals<S>({{1, 1}, {1, 1}, {2, 1}})), any<S>(SpheroidPotential<S>{}, 3),
                          AnyConstraint<S>(spheroid, 1));
  }
  {
    QuadraticConstraint<S, 4> rod{Matrix<S, 4>::Constant(S(0)), ratio<S>(1, 2)};
    for (int i = 0; i < 4; ++i) rod.a(i, i) = S(1);
    for (int i = 0; i < 2; ++i) rod.a(i, i + 2) = rod.a(i + 2, i) = S(-1);
    problems.emplace_back(diagonal_mass<S>(rationals<S>({{1, 1}, {1, 1}, {2, 1}, {2, 1}})),
                          any<S>(PairPotential<S, 2, QuarticProfile<S>>{{S(1), ratio<S>(1, 2)}}, 4),
                          AnyConstraint<S>(rod, 1));
  }
  problems.push_back(problems.front());  // for the long run
  return problems;
}

/// A constrained system drawn at random, with points (q, v). The points are dyadic with few digits: on the constraint
/// and tangent exactly, in double as well.
template <class S>
struct DrawnConstrained {
  std::string name;
  AnyConstrainedSystem<S> system;
  std::vector<std::pair<Vector<S, Dynamic>, Vector<S, Dynamic>>> points;
  std::vector<S> radii;  ///< lower bounds of the radii of curvature of the paths at the points
  std::vector<LinearSymmetry<S>> symmetries = {};
};

/// Returns 2^power.
template <class S>
S two_to_the(int power) {
  S x(1);
  for (int k = 0; k < power; ++k) x *= S(2);
  for (int k = 0; k > power; --k) x /= S(2);
  return x;
}

/// Draws a particle on q.A q = c with A full and positive definite, with two points: one whose coordinates have the
/// size 2^power, and its opposite.
template <class S, int N>
DrawnConstrained<S> on_an_ellipsoid(Drawing& drawing, const std::string& name, const FullMass<S, Dynamic>& mass,
                                    int power) {
  using V = Vector<S, Dynamic>;
  QuadraticConstraint<S, N> ellipsoid{Matrix<S, N>::Constant(S(0)), S(0)};
  const FullMass<S, Dynamic> definite = drawing.full_mass<S>(N);
  // A is smaller by a factor of eight, so that normals have about the size of points.
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < N; ++j) ellipsoid.a(i, j) = definite.matrix()(i, j) / S(8);
  const V q = drawing.vector<S>(N, power);
  Vector<S, 1> level;
  ellipsoid.value(q, level);
  ellipsoid.level = level(0);
  Matrix<S, 1, N> normal;
  ellipsoid.jacobian(q, normal);
  const auto tangent = [&](int smaller) {  // B n with antisymmetric B
    V v = V::Constant(N, S(0));
    for (int i = 0; i < N; ++i)
      for (int j = 0; j < i; ++j) {
        const S entry = (drawing.below(2) == 0 ? S(1) : S(-1)) * two_to_the<S>(-smaller);
        v(i) += entry * normal(0, j);
        v(j) -= entry * normal(0, i);
      }
    return v;
  };
  const V first = tangent(3), second = tangent(5);
  const PolynomialPotential<S> potential = drawing.potential<S>(N, 2 * N);
  // Eigenvalues of A differ by a factor below sixteen, and |q| is above 2^(power + 1), which bounds |A q| / |A| from
  // below.
  const S radius = two_to_the<S>(power - 3);
  return {name,
          {mass, any<S>(potential, N), AnyConstraint<S>(ellipsoid, 1)},
          {{q, first}, {V(-q), second}},
          {radius, radius}};
}

/// Draws a chain of five links in the plane, of lengths between 1/4 and six. At the first point each link turns at its
/// own rate; at the second the chain is turned by quarters of a turn and hardly moves.
template <class S>
DrawnConstrained<S> on_a_chain(Drawing& drawing) {
  using V = Vector<S, Dynamic>;
  constexpr int links = 5, n = 2 * links;
  V masses(n), q(n), v(n), turned(n), slow(n), squared_lengths(links);
  S x(0), y(0), u(0), w(0), turned_x(0), turned_y(0), slow_u(0), slow_w(0);
  S shortest(8);
  for (int k = 0; k < links; ++k) {
    masses(2 * k) = masses(2 * k + 1) = drawing.positive<S>(k == 0 ? 4 : k == 1 ? -3 : drawing.below(8) - 3);
    const int power = drawing.below(4) - 2;
    const S dx = drawing.of_size<S>(power), dy = drawing.of_size<S>(power);
    const S rate = drawing.of_size<S>(-1), slow_rate = drawing.of_size<S>(-6),
            sign = drawing.below(2) == 0 ? S(1) : S(-1);
    squared_lengths(k) = dx * dx + dy * dy;
    if (two_to_the<S>(power) < shortest) shortest = two_to_the<S>(power);
    q(2 * k) = x += dx;
    q(2 * k + 1) = y += dy;
    v(2 * k) = u -= rate * dy;
    v(2 * k + 1) = w += rate * dx;
    turned(2 * k) = turned_x += sign * dy;
    turned(2 * k + 1) = turned_y -= sign * dx;
    slow(2 * k) = slow_u += slow_rate * sign * dx;
    slow(2 * k + 1) = slow_w += slow_rate * sign * dy;
  }
  const PolynomialPotential<S> potential = drawing.potential<S>(n, 10);
  return {"drawn, chain of five links",
          {diagonal_mass<S>(masses), any<S>(potential, n),
           AnyConstraint<S>(PlanarChainConstraint<S, Dynamic>{squared_lengths}, links)},
          {{q, v}, {turned, slow}},
          {shortest, shortest}};
}

/// Draws two particles joined by a rod, of masses above 16 and below 1/4, at one point far from the origin and one near
/// to it. The distance is at most ten times the rod's length: g is a sum of squares of coordinates that cancel, and
/// their rounding in double, about 2 epsilon |q|^2, must move positions by less than an iteration has to resolve, 32
/// epsilon |q|.
template <class S>
DrawnConstrained<S> on_a_rod(Drawing& drawing) {
  using V = Vector<S, Dynamic>;
  const S heavy = drawing.positive<S>(4), light = drawing.positive<S>(-3);
  V masses(4);
  masses << heavy, heavy, light, light;
  const V d = drawing.vector<S>(2, 1);
  QuadraticConstraint<S, 4> rod{Matrix<S, 4>::Constant(S(0)), (d(0) * d(0) + d(1) * d(1)) / S(2)};
  for (int i = 0; i < 4; ++i) rod.a(i, i) = S(1);
  for (int i = 0; i < 2; ++i) rod.a(i, i + 2) = rod.a(i + 2, i) = S(-1);
  const S strength = drawing.positive<S>(-2), quartic = drawing.positive<S>(-4);
  DrawnConstrained<S> result{
      "drawn, two particles on a rod",
      {diagonal_mass<S>(masses), any<S>(PairPotential<S, 2, QuarticProfile<S>>{{strength, quartic}}, 4),
       AnyConstraint<S>(rod, 1)},
      {},
      {},
      {planar_translation<S>(4, 0), planar_translation<S>(4, 1), planar_rotation<S>(4)}};
  for (const int power : {3, -4}) {
    const V at = drawing.vector<S>(2, power), drift = drawing.vector<S>(2, power < 0 ? power : 1);
    const S rate = drawing.of_size<S>(power < 0 ? power : 0);
    V q(4), v(4);
    q << at(0), at(1), at(0) + d(0), at(1) + d(1);
    v << drift(0), drift(1), drift(0) - rate * d(1), drift(1) + rate * d(0);
    result.points.emplace_back(q, v);
    result.radii.push_back(S(2));
  }
  return result;
}

constexpr std::size_t number_of_drawn_constrained = 4;
template <class S>
DrawnConstrained<S> drawn_constrained(std::size_t k, std::uint64_t seed) {
  Drawing drawing(seed ^ (0x400 + k));
  switch (k) {
    case 0: {
      Vector<S, Dynamic> masses(5);
      for (int i = 0; i < 5; ++i) masses(i) = drawing.positive<S>(i == 0 ? 4 : i == 1 ? -3 : drawing.below(8) - 3);
      return on_an_ellipsoid<S, 5>(drawing, "drawn, on a large ellipsoid, n = 5", diagonal_mass<S>(masses),
                                   3 + drawing.below(2));
    }
    case 1: {
      const FullMass<S, Dynamic> mass = drawing.full_mass<S>(3);
      return on_an_ellipsoid<S, 3>(drawing, "drawn, on a small ellipsoid, n = 3, M full", mass, -5);
    }
    case 2:
      return on_a_chain<S>(drawing);
    default:
      return on_a_rod<S>(drawing);
  }
}

/// Returns the fixed problems, followed by those drawn with the seed in force.
template <class S>
std::vector<AnyConstrainedSystem<S>> make_problems() {
  std::vector<AnyConstrainedSystem<S>> problems = make_fixed_problems<S>();
  for (std::size_t k = 0; k < number_of_drawn_constrained; ++k)
    problems.push_back(drawn_constrained<S>(k, seed_of_drawn_problems()).system);
  return problems;
}

/// Returns a basis of the null space of the rows of `a`, by Gauss-Jordan elimination with column pivoting.
std::vector<Vector<Float50, Dynamic>> null_space(Matrix<Float50, Dynamic> a) {
  const Eigen::Index rows = a.rows(), columns = a.cols();
  std::vector<Eigen::Index> pivots;
  for (Eigen::Index r = 0; r < rows; ++r) {
    Eigen::Index best = 0;
    for (Eigen::Index c = 1; c < columns; ++c)
      if (abs(a(r, c)) > abs(a(r, best))) best = c;
    a.row(r) /= Float50(a(r, best));
    for (Eigen::Index other = 0; other < rows; ++other) {
      if (other == r) continue;
      const Float50 factor = a(other, best);
      a.row(other) -= factor * a.row(r);
    }
    pivots.push_back(best);
  }
  std::vector<Vector<Float50, Dynamic>> basis;
  for (Eigen::Index c = 0; c < columns; ++c) {
    if (std::find(pivots.begin(), pivots.end(), c) != pivots.end()) continue;
    Vector<Float50, Dynamic> direction = Vector<Float50, Dynamic>::Constant(columns, Float50(0));
    direction(c) = 1;
    for (Eigen::Index r = 0; r < rows; ++r) direction(pivots[static_cast<std::size_t>(r)]) = -a(r, c);
    basis.push_back(direction);
  }
  return basis;
}

/// Returns a basis of the directions (dq, dp) that preserve g(q) = 0 and Dg(q) M^-1 p = 0.
std::vector<PhasePoint<Float50>> tangent_basis(const AnyConstrainedSystem<Float50>& system,
                                               const PhasePoint<Float50>& z) {
  using V = Vector<Float50, Dynamic>;
  const Eigen::Index n = z.q.size(), m = system.constraint().count();
  Matrix<Float50, Dynamic> jacobian, rows = Matrix<Float50, Dynamic>::Constant(2 * m, 2 * n, Float50(0));
  system.constraint().jacobian(z.q, jacobian);
  const V v = system.velocity(z.p);
  for (Eigen::Index k = 0; k < m; ++k) {
    V unit = V::Constant(m, Float50(0)), curvature = V::Constant(n, Float50(0));
    unit(k) = 1;
    system.constraint().add_hessian_product(z.q, unit, v, curvature);
    const V covector = system.velocity(V(jacobian.row(k).transpose()));  // M^-1 G^T
    for (Eigen::Index j = 0; j < n; ++j) {
      rows(k, j) = jacobian(k, j);
      rows(m + k, j) = curvature(j);
      rows(m + k, n + j) = covector(j);
    }
  }
  std::vector<PhasePoint<Float50>> tangents;
  for (const V& direction : null_space(rows)) tangents.push_back({direction.head(n), direction.tail(n)});
  return tangents;
}

/// Returns q'' by elimination of the multiplier: differentiating g = 0 twice gives G q'' + q'.g''.q' = 0 with
/// q'' = a0 + M^-1 G^T lambda.
template <class T>
Vector<T, Dynamic> constrained_acceleration(const AnyConstrainedSystem<T>& system, const Vector<T, Dynamic>& q,
                                            const Vector<T, Dynamic>& velocity) {
  using V = Vector<T, Dynamic>;
  const Eigen::Index m = system.constraint().count();
  V a(q.size()), curvature;
  Matrix<T, Dynamic> jacobian, directions(q.size(), m), matrix(m, m);
  system.acceleration(q, a);
  system.constraint().jacobian(q, jacobian);
  system.constraint().curvature(q, velocity, curvature);
  for (Eigen::Index k = 0; k < m; ++k) directions.col(k) = system.velocity(V(jacobian.row(k).transpose()));
  for (Eigen::Index i = 0; i < m; ++i)
    for (Eigen::Index j = 0; j < m; ++j) {
      T sum(0);
      for (Eigen::Index k = 0; k < q.size(); ++k) sum += jacobian(i, k) * directions(k, j);
      matrix(i, j) = sum;
    }
  for (Eigen::Index i = 0; i < m; ++i) {
    curvature(i) = -curvature(i);
    for (Eigen::Index k = 0; k < q.size(); ++k) curvature(i) -= jacobian(i, k) * a(k);
  }
  GaussianElimination<T, Dynamic> solver;
  static_cast<void>(solver.factor(matrix));
  solver.solve_in_place(curvature);
  for (Eigen::Index i = 0; i < q.size(); ++i)
    for (Eigen::Index k = 0; k < m; ++k) a(i) += directions(i, k) * curvature(k);
  return a;
}

}  // namespace

template <>
const std::vector<AnyConstrainedSystem<double>>& constrained_problems<double>() {
  static const auto problems = make_problems<double>();
  return problems;
}
template <>
const std::vector<AnyConstrainedSystem<Float50>>& constrained_problems<Float50>() {
  static const auto problems = make_problems<Float50>();
  return problems;
}
template <>
const std::vector<AnyConstrainedSystem<Dual<Float50>>>& constrained_problems<Dual<Float50>>() {
  static const auto problems = make_problems<Dual<Float50>>();
  return problems;
}

const std::vector<ProblemSummary>& constrained_problem_summaries() {
  static const auto summaries = [] {
    using S = Float50;
    using V = Vector<S, Dynamic>;
    const auto& systems = constrained_problems<S>();
    // The points are on the constraint manifold with tangent velocities, from Pythagorean triples.
    std::vector<ProblemSummary> result(3);
    result[0].name = "double pendulum";
    result[1].name = "particle on a spheroid";
    result[2].name = "two particles on a rod";
    const std::vector<std::pair<V, V>> points{
        {rationals<S>({{3, 5}, {-4, 5}, {2, 1}, {-3, 5}}), rationals<S>({{4, 25}, {3, 25}, {4, 25}, {3, 25}})},
        {rationals<S>({{1, 2}, {2, 3}, {3, 4}}), rationals<S>({{1, 2}, {-3, 8}, {0, 1}})},
        {rationals<S>({{1, 5}, {1, 10}, {-2, 5}, {9, 10}}), rationals<S>({{1, 2}, {1, 5}, {1, 10}, {-1, 10}})}};
    for (std::size_t i = 0; i < result.size(); ++i) {
      V q = points[i].first, v = points[i].second;
      if (i == 0) {  // a rotation of the second link with rate 1/5 is added
        v(2) -= (q(3) - q(1)) / 5;
        v(3) += (q(2) - q(0)) / 5;
      }
      if (i == 1) {  // out of the plane of the parallel, within the tangent plane
        v(2) += S(1) / 4;
        v(0) -= S(3) * q(2) / 4 / q(0);
      }
      result[i].points.push_back({q, systems[i].momentum(v)});
      result[i].tangents.push_back(tangent_basis(systems[i], result[i].points.front()));
    }
    LinearSymmetry<S> axis{"angular momentum", Matrix<S, Dynamic>::Constant(3, 3, S(0)), V::Constant(3, S(0))};
    axis.generator(0, 1) = -1;
    axis.generator(1, 0) = 1;
    result[1].symmetries = {axis};
    result[2].symmetries = {planar_translation<S>(4, 0), planar_translation<S>(4, 1), planar_rotation<S>(4)};
    ProblemSummary long_run = result[0];
    long_run.role = ProblemRole::long_run;
    long_run.points = {
        {rationals<S>({{0, 1}, {-1, 1}, {1, 1}, {-2, 1}}), rationals<S>({{0, 1}, {0, 1}, {0, 1}, {0, 1}})}};
    result.push_back(long_run);
    for (ProblemSummary& summary : result)
      for (const PhasePoint<S>& point : summary.points) summary.rates.push_back(rate_of_motion(point));
    for (std::size_t k = 0; k < number_of_drawn_constrained; ++k) {
      const DrawnConstrained<S> drawn = drawn_constrained<S>(k, seed_of_drawn_problems());
      ProblemSummary summary{drawn.name, ProblemRole::drawn, {}, {}, drawn.symmetries};
      std::vector<std::pair<Vector<S, Dynamic>, Vector<S, Dynamic>>> starts = drawn.points;
      starts.emplace_back(drawn.points.front().first, Vector<S, Dynamic>::Constant(drawn.system.size(), S(0)));  // rest
      for (std::size_t i = 0; i < starts.size(); ++i) {
        const auto& [q, v] = starts[i];
        summary.points.push_back({q, drawn.system.momentum(v)});
        summary.tangents.push_back(tangent_basis(drawn.system, summary.points.back()));
        // The rate is that of a potential, and that at which the velocity turns along a curved path.
        summary.rates.push_back(rate_of_motion(summary.points.back()) +
                                8 * largest_entry(v) / to_double(drawn.radii[i % drawn.radii.size()]));
      }
      result.push_back(std::move(summary));
    }
    return result;
  }();
  return summaries;
}

PhasePoint<Float50> constrained_exact(std::size_t problem, const PhasePoint<Float50>& from, const Float50& time) {
  using T = TaylorSeries<Float50>;
  using V = Vector<T, Dynamic>;
  static const auto problems = make_fixed_problems<T>();
  const auto& plain = constrained_problems<Float50>()[problem];
  const auto& system = problems[problem];
  // Many methods are compared with these solutions, from few points at few times.
  struct Kept {
    PhasePoint<Float50> from, to;
    Float50 time;
  };
  static std::vector<std::vector<Kept>> kept(problems.size());
  for (const Kept& known : kept[problem])
    if (known.time == time && known.from.q == from.q && known.from.p == from.p) return known.to;
  PhasePoint<Float50> z = from;
  Vector<Float50, Dynamic> v = plain.velocity(from.p);
  const int steps = reference_steps(time);
  taylor_flow<Float50>(z.q, v, time, steps,
                       [&](const V& q, const V& velocity) { return constrained_acceleration<T>(system, q, velocity); });
  z.p = plain.momentum(v);
  kept[problem].push_back({from, z, time});
  return z;
}

PhasePoint<Float50> constrained_short_flow(std::size_t problem, std::size_t point, const Float50& time) {
  // Twelve terms are enough, for the reason given in mechanical_short_flow (mechanical_problems.cpp). The acceleration
  // depends on the velocity, so that a pass gains one order.
  constexpr int terms = 12;
  using T = PowerSeries<Float50, terms>;
  using V = Vector<T, Dynamic>;
  static const auto problems = make_problems<T>();
  struct Expansion {
    V q, v;
  };
  static std::map<std::pair<std::size_t, std::size_t>, Expansion> known;
  const AnyConstrainedSystem<Float50>& plain = constrained_problems<Float50>()[problem];
  const auto [place, is_new] = known.try_emplace({problem, point});
  Expansion& expansion = place->second;
  if (is_new) {
    const PhasePoint<Float50>& from = constrained_problem_summaries()[problem].points[point];
    const Vector<Float50, Dynamic> velocity = plain.velocity(from.p);
    expansion = {from.q.cast<T>(), velocity.cast<T>()};
    for (int pass = 0; pass < terms; ++pass) {
      const V a = constrained_acceleration<T>(problems[problem], expansion.q, expansion.v);
      for (Eigen::Index i = 0; i < a.size(); ++i) {
        expansion.v(i) = T(velocity(i)) + a(i).integral();
        expansion.q(i) = T(from.q(i)) + expansion.v(i).integral();
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

double penalised_constraint_defect() {
  const auto constrained = double_pendulum<double>();
  const auto system = penalised(constrained, 20.0);
  ZhangSkeel method(system);
  auto state = method.start(double_pendulum_start<double>(), Vector<double, 4>::Zero());
  double largest = 0;
  for (int k = 0; k < 100; ++k) {
    if (!method.step(state, 1.0 / 16).ok()) return std::numeric_limits<double>::quiet_NaN();
    Vector<double, 2> g;
    constrained.constraint().value(state.q, g);
    largest = std::max(largest, max_magnitude(g));
  }
  return largest;
}

}  // namespace livi

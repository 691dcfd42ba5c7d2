// SPDX-License-Identifier: MIT
// Theorem: BOS09 Sect. 1, 2: VLV comes from a discrete action, RATTLE on the nine entries of Q from another, and VLV
// stays near a level set of a modified energy
//
// Discrete Lagrangians. With Q_{k+1} = Q_k tau(x), x = h W,
//
//   L_d(Q_k, Q_{k+1}) = x . I x / (2h) - h/2 (U(Q_k) + U(Q_{k+1})),   I W_k = -D_1 L_d,   I W_{k+1} = D_2 L_d
//
// (derivatives along Q hat(y)) is VLV, with the exponential map for tau or, (8)-(10), the Cayley map. RATTLE for Q'Q =
// I in R^{3x3}, with the kinetic energy tr(Q' D Q'')/2, d_i = (I_j + I_k - I_i)/2, has tr((Q_{k+1} - Q_k) D (Q_{k+1} -
// Q_k)')/(2h) for its first term (Moser and Veselov), which is tr((I - Q_k' Q_{k+1}) D)/h and for Q_k' Q_{k+1} = cay(x)
//
//   x . I x / (2h) / (1 + |x|^2/4):
//
// the same without the denominator is that of VLV, so that the difference is h^3 g(W) + O(h^5) with g = |W|^2 (W . I
// W)/8.
//
// The modified energy. A change of the Lagrangian by h^2 l changes the energy by -h^2 l. For the free motion W(t), w =
// W(h/2), mu = I w, the exact discrete Lagrangian is h mu . w/2, and (Magnus) Q_k' Q_{k+1} = exp(y),
//
//   y = h w + h^3 (w''/24 + w x w'/12),   x = y + h^3 |w|^2 w/12 for the Cayley map;
//
// mu . w' = 0 and mu . w'' = -mu' . w', since mu' = mu x w, give x . I x/(2h) = h mu . w/2 + h^3 ((mu x w) . I^-1 (mu x
// w)/24 + |w|^2 mu . w/12). Half a kick before and after (Baker, Campbell and Hausdorff) add D_T^2 U/12 - D_U^2 T/24,
// D_T and D_U the derivatives along the free motion and along the kick:
//
//   E_2 = -(mu x W) . I^-1 (mu x W)/24 - |W|^2 (W . mu)/12
//         - (Dtau(Q) Q hat(W) . W + tau . I^-1 (mu x W))/12 - tau . I^-1 tau/24.
//
// VLV keeps E + h^2 E_2 up to h^4, uniformly in time.
#include "study/evidence/certified.hpp"

#include <algorithm>
#include <cmath>
#include <livi/diagnostics/body_symplecticity.hpp>
#include <livi/diagnostics/measures.hpp>
#include <livi/integrators/cayley_variational_euler.hpp>
#include <livi/integrators/lie_midpoint.hpp>
#include <livi/integrators/lie_newmark.hpp>
#include <livi/integrators/lie_verlet.hpp>
#include <livi/integrators/rattle.hpp>
#include <livi/systems/constraints.hpp>
#include <livi/systems/rotation_potentials.hpp>
#include <memory>

#include "study/program/report_parts.hpp"

namespace livi::theorem {

Program this_program() {
  return {"lie_verlet_action",
          {"BOS09", "Sections 1 and 2, (8)-(10)", "1, 2"},
          "The discrete actions of Lie-Verlet and of RATTLE on SO(3), and the modified energy of Lie-Verlet"};
}

namespace {

using so3::CayleyMap;
using so3::ExponentialMap;

constexpr double infinity = std::numeric_limits<double>::infinity(), floor_50 = 1e-45;

template <class M>
double size(const M& m) {
  return to_double(max_magnitude(m));
}

// --- a body with moments 2, 3, 4 in a potential without symmetry ----------------------------------------------------

template <class S>
using Body = LieSystem<DiagonalMass<S, 3>, TracePolynomialPotential<S>>;
template <class S>
Body<S> body() {
  Matrix3<S> linear, direction;
  const int a[] = {3, -1, 2, 4, 1, -3, -2, 5, 2}, b[] = {1, 2, -2, -1, 3, 1, 2, -1, 1};
  for (int i = 0; i < 9; ++i) {
    linear.coeffRef(i) = ratio<S>(a[i], 10);
    direction.coeffRef(i) = ratio<S>(b[i], 5);
  }
  return {DiagonalMass<S, 3>(vector3<S>(S(2), S(3), S(4))), {linear, direction}};
}
Matrix3<Float50> start_q() { return so3::exp(vector3<Float50>(Float50(1) / 2, Float50(-2) / 5, Float50(3) / 5)); }
Vector3<Float50> start_w() {
  return vector3<Float50>(ratio<Float50>(2, 5), ratio<Float50>(-3, 10), ratio<Float50>(1, 2));
}

// --- RATTLE on the nine entries -------------------------------------------------------------------------------------

/// U of the matrix with these nine entries, by columns.
template <class S>
struct EntryPotential {
  using scalar_type = S;
  using vector_type = Vector<S, 9>;
  static constexpr int dimension = 9;
  TracePolynomialPotential<S> of_matrix;

  S value(const vector_type& x) const { return of_matrix.value(Matrix3<S>(x.data())); }
  void gradient(const vector_type& x, vector_type& out) const {
    S along(0);
    for (int i = 0; i < 9; ++i) along += of_matrix.direction.coeff(i) * x(i);
    for (int i = 0; i < 9; ++i) out(i) = of_matrix.linear.coeff(i) + along * of_matrix.direction.coeff(i);
  }
};
/// The six equations of Q'Q = I.
template <class S>
struct Orthonormal {
  using scalar_type = S;
  using vector_type = Vector<S, 9>;
  using multiplier_type = Vector<S, 6>;
  using jacobian_type = Eigen::Matrix<S, 6, 9>;
  static constexpr int dimension = 9, constraints = 6;

  void value(const vector_type& x, multiplier_type& g) const {
    for_each_pair([&](int row, int i, int j) {
      g(row) = S(i == j ? -1 : 0);
      for (int k = 0; k < 3; ++k) g(row) += x(3 * i + k) * x(3 * j + k);
    });
  }
  void jacobian(const vector_type& x, jacobian_type& jacobian) const {
    jacobian.setConstant(S(0));
    for_each_pair([&](int row, int i, int j) {
      for (int k = 0; k < 3; ++k) {
        jacobian(row, 3 * i + k) += x(3 * j + k);
        jacobian(row, 3 * j + k) += x(3 * i + k);
      }
    });
  }

 private:
  template <class F>
  static void for_each_pair(const F& f) {
    int row = 0;
    for (int i = 0; i < 3; ++i)
      for (int j = i; j < 3; ++j) f(row++, i, j);
  }
};

/// RATTLE on R^{3x3} as a method for rigid bodies.
template <class System>
class RattleOnMatrices {
 public:
  using S = ScalarOf<System>;
  using Entries = Vector<S, 9>;
  using Constrained = ConstrainedSystem<DiagonalMass<S, 9>, EntryPotential<S>, Orthonormal<S>>;
  explicit RattleOnMatrices(const System& system)
      : constrained_(std::make_shared<const Constrained>(masses(system), EntryPotential<S>{system.potential()},
                                                         Orthonormal<S>{})),
        method_(*constrained_) {}
  [[nodiscard]] static BodyState<S> start(const Matrix3<S>& q, const Vector3<S>& w) {
    return {q, w, Vector3<S>::Constant(S(0))};
  }
  StepOutcome step(BodyState<S>& z, const S& h) {
    const Matrix3<S> rate = z.q * so3::hat(z.w);
    auto entries = method_.start(Entries(z.q.data()), Entries(rate.data()));
    if (const StepOutcome outcome = method_.step(entries, h); !outcome.ok()) return outcome;
    z.q = Matrix3<S>(entries.q.data());
    z.w = so3::vee<S>(z.q.transpose() * Matrix3<S>(entries.v.data()));
    return {};
  }

 private:
  static DiagonalMass<S, 9> masses(const System& system) {
    Entries m;
    for (int i = 0; i < 9; ++i) {
      const auto moment = [&](int by) { return system.inertia().diagonal((i / 3 + by) % 3); };
      m(i) = (moment(1) + moment(2) - moment(0)) / S(2);
    }
    return DiagonalMass<S, 9>(m);
  }
  std::shared_ptr<const Constrained> constrained_;
  Rattle<Constrained> method_;
};

// --- discrete Lagrangians -------------------------------------------------------------------------------------------

enum class Kinetic { cayley, exponential, rattle };

template <class S>
S discrete_lagrangian(const Body<S>& system, Kinetic kinetic, const Matrix3<S>& a, const Matrix3<S>& b, const S& h) {
  const Matrix3<S> between = a.transpose() * b;
  const Vector3<S> x = kinetic == Kinetic::exponential ? so3::log(between) : CayleyMap::inverse(between);
  S energy = dot(x, system.momentum(x)) / (S(2) * h);
  if (kinetic == Kinetic::rattle) energy /= S(1) + dot(x, x) / S(4);
  return energy - h / S(2) * (system.potential().value(a) + system.potential().value(b));
}
/// Its derivatives D_1 (`of_second` false) or D_2 along Q hat(e_i).
Vector3<Float50> derivative(Kinetic kinetic, const Matrix3<Float50>& a, const Matrix3<Float50>& b, const Float50& h,
                            bool of_second) {
  using D = Dual<Float50>;
  Vector3<Float50> result;
  const Matrix3<Float50>& moving = of_second ? b : a;
  for (int i = 0; i < 3; ++i) {
    const Matrix3<Float50> turned = moving * so3::hat(Vector3<Float50>(Vector3<Float50>::Unit(i)));
    Matrix3<D> varied, fixed;
    for (int k = 0; k < 9; ++k) {
      varied.coeffRef(k) = D(moving.coeff(k), turned.coeff(k));
      fixed.coeffRef(k) = D((of_second ? a : b).coeff(k));
    }
    result(i) = discrete_lagrangian(body<D>(), kinetic, of_second ? fixed : varied, of_second ? varied : fixed, D(h))
                    .derivative;
  }
  return result;
}

struct ActionDefects {
  double stationarity = infinity;  ///< that of the sum over two steps, in the attitude between them
  double momenta = infinity;       ///< I W against -D_1 at the start of a step and D_2 at its end
};
template <class Method>
ActionDefects action_defects(Kinetic kinetic, Method method) {
  const Body<Float50> system = body<Float50>();
  const Float50 h = Float50(1) / 4;
  auto z = method.start(start_q(), start_w());
  if (!method.step(z, h).ok()) return {};
  const Matrix3<Float50> middle = z.q;
  const Vector3<Float50> momentum = system.momentum(z.w), arriving = derivative(kinetic, start_q(), middle, h, true);
  if (!method.step(z, h).ok()) return {};
  const Vector3<Float50> leaving = derivative(kinetic, middle, z.q, h, false);
  return {size(Vector3<Float50>(arriving + leaving)),
          std::max(size(Vector3<Float50>(arriving - momentum)), size(Vector3<Float50>(leaving + momentum)))};
}

const Interval zero{0, floor_50};

TEST(LieVerlet, is_variational) {
  using System = Body<Float50>;
  const System system = body<Float50>();
  const ActionDefects cayley = action_defects(Kinetic::cayley, LieVerlet<System>(system)),
                      exponential = action_defects(Kinetic::exponential, LieVerlet<System, ExponentialMap>(system));
  const auto control = [&](const char* name, Kinetic kinetic, const auto& method) {
    return Control{name, action_defects(kinetic, method).stationarity, zero};
  };
  expect_verdict(
      {.id = "BOS09.vlv.variational",
       .measured = std::max({cayley.stationarity, cayley.momenta, exponential.stationarity, exponential.momenta}),
       .interval = zero,
       .controls = {control("attitudes of NMB", Kinetic::cayley, LieNewmark<System>(system)),
                    control("attitudes of NMB with the exponential map, whose x is meant", Kinetic::exponential,
                            LieNewmark<System, ExponentialMap>(system)),
                    control("attitudes of LIEMID[EA], x of the exponential map", Kinetic::exponential,
                            LieMidpoint<System>(system)),
                    control("attitudes of VLV with the exponential map, x of the Cayley map", Kinetic::cayley,
                            LieVerlet<System, ExponentialMap>(system))},
       .note = "Stationarity of the action is Hamilton's principle for the computed attitudes, and I W is the momentum "
               "that belongs to it: hence symplectic. Exactly, for (8)-(10) with any inertia and step: "
               "BOS09.certificate.vlv-symplectic."});
}

// --- RATTLE ---------------------------------------------------------------------------------------------------------

/// Difference of one step of two methods from the same state, in Q (as a vector) and in I W.
struct Difference {
  Vector3<Float50> turn, momentum;
  [[nodiscard]] double largest() const { return std::max(size(turn), size(momentum)); }
};
template <class One, class Other>
Difference difference(One one, Other other, const Float50& h) {
  const Body<Float50> system = body<Float50>();
  auto y = one.start(start_q(), start_w());
  auto z = other.start(start_q(), start_w());
  EXPECT_TRUE(one.step(y, h).ok() && other.step(z, h).ok());
  return {so3::log<Float50>(z.q.transpose() * y.q), system.momentum(y.w) - system.momentum(z.w)};
}

TEST(Rattle, is_related_and_different) {
  using System = Body<Float50>;
  using Dualed = Body<Dual<Float50>>;
  const System system = body<Float50>();
  const LieVerlet<System> verlet(system);
  const RattleOnMatrices<System> rattle(system);
  // -h^3 times the Hamiltonian field of g: turns by dg/dmu, momentum mu x dg/dmu.
  const Vector3<Float50> w = start_w(), mu = system.momentum(w);
  const Vector3<Float50> velocity_of_g = (dot(w, w) * w + dot(w, mu) * system.velocity(w)) / Float50(4);
  std::vector<double> differences, remainders, to_euler;
  const auto with_field = [&](const Vector3<Float50>& field, const Float50& h, const Difference& d) {
    const Float50 cube = h * h * h;
    return std::max(size(Vector3<Float50>(d.turn + cube * field)),
                    size(Vector3<Float50>(d.momentum + cube * cross(mu, field))));
  };
  double share = 0;
  for (int k = 3; k <= 9; ++k) {
    const Float50 h = Float50(1) / Float50(1 << k);
    const Difference d = difference(verlet, rattle, h);
    differences.push_back(d.largest());
    remainders.push_back(with_field(velocity_of_g, h, d));
    share = remainders.back() / differences.back();
    to_euler.push_back(difference(CayleyVariationalEuler<System>(system), rattle, h).largest());
  }
  const auto symplecticity = [&](auto make) {
    return to_double(body_symplecticity(body<Dual<Float50>>(), make, start_q(), w, Float50(Float50(1) / 4)));
  };
  const double of_verlet = symplecticity([](const Dualed&s) { return LieVerlet<Dualed>(s); }),
               of_rattle = symplecticity([](const Dualed&s) { return RattleOnMatrices<Dualed>(s); });
  EXPECT_LT(of_verlet, floor_50);
  EXPECT_LT(of_rattle, floor_50);
  EXPECT_GT(symplecticity([](const Dualed& s) { return LieNewmark<Dualed>(s); }), 1e-6);
  EXPECT_TRUE(Interval::around(4, 0.001).contains(fitted_exponent(remainders, 1))) << fitted_exponent(remainders, 1);
  expect_verdict(in_one_interval(
      {.id = "BOS09.eq8-10.not-rattle",
       .measured = fitted_exponent(differences, 1),
       .unit = "power",
       .interval = Interval::around(3, 0.001),
       .controls = {{.name = "the variational Euler method (34) of TO14 in the place of VLV",
                     .measured = fitted_exponent(to_euler, 1)}},
       .note =
           text("Both are symplectic (changes of the form: VLV %.0e, RATTLE %.0e) and variational, with the kinetic "
                "terms x . I x/(2h) and that over 1 + |x|^2/4, x = h W (BOS09.rattle-lagrangian). The difference "
                "is -h^3 times the Hamiltonian vector field of |W|^2 (W . I W)/8 up to h^%.3f (a part of %.0e is "
                "left at h = 2^-9), a field that vanishes for W = 0 only. Where W and I W are parallel it is a "
                "difference in Q alone, of the rate of the rotation.",
                of_verlet, of_rattle, fitted_exponent(remainders, 1), share)}));

  const ActionDefects of_its_own = action_defects(Kinetic::rattle, rattle);
  expect_verdict(in_one_interval(
      {.id = "BOS09.rattle-lagrangian",
       .measured = std::max(of_its_own.stationarity, of_its_own.momenta),
       .interval = zero,
       .controls = {{.name = "attitudes of VLV", .measured = action_defects(Kinetic::rattle, verlet).stationarity},
                    {.name = "attitudes of RATTLE in the action of VLV",
                     .measured = action_defects(Kinetic::cayley, rattle).stationarity}}}));
}

// --- the modified energy --------------------------------------------------------------------------------------------

/// Which terms E_2 has: all, or without |W|^2 (W . mu)/12, which is due to the Cayley map.
enum class Terms { all, without_the_map };

/// E_2 at (q, w). `dual` is the same system over Dual<S>.
template <class System, class DualSystem, class S = ScalarOf<System>>
S second_energy(const System& system, const DualSystem& dual, const Matrix3<S>& q, const Vector3<S>& w, Terms terms) {
  using D = Dual<S>;
  const Vector3<S> mu = system.momentum(w), torque = system.torque(q), gyroscopic = cross(mu, w),
                   rate = system.velocity(gyroscopic);
  const Matrix3<S> turned = q * so3::hat(w);
  Matrix3<D> moving;
  for (int i = 0; i < 9; ++i) moving.coeffRef(i) = D(q.coeff(i), turned.coeff(i));
  const Vector3<D> of_torque = dual.torque(moving);
  const Vector3<S> torque_rate = vector3<S>(of_torque(0).derivative, of_torque(1).derivative, of_torque(2).derivative);
  S sum = -(dot(gyroscopic, rate) + dot(torque, system.velocity(torque))) / S(24) -
          (dot(torque_rate, w) + dot(torque, rate)) / S(12);
  if (terms == Terms::all) sum -= dot(w, w) * dot(w, mu) / S(12);
  return sum;
}

/// Coefficients of h^0 to h^4 of the change of E + h^2 E_2 (or E) over a step of VLV, any inertia, potential and state.
struct ChangeOverStep {
  enum class Energy { modified, without_the_map, plain } energy = Energy::modified;
  static constexpr int highest = 5;
  int to = 4;
  template <class K>
  std::vector<K> operator()(Draw<K>& draw) const {
    using T = PowerSeries<K, highest>;
    using D = Dual<T>;
    const auto vector = [&](const std::string& name) {
      const Vector<K, Dynamic> v = draw.variables(name, 3);
      return vector3<T>(T(v(0)), T(v(1)), T(v(2)));
    };
    const auto lifted = [](const Matrix3<T>& m) { return m.unaryExpr([](const T& x) { return D(x); }).eval(); };
    const Matrix<K, Dynamic> moments = draw.symmetric("I", 3);
    Matrix3<T> inertia, linear, direction;
    const Vector<K, Dynamic> a = draw.variables("a", 9), b = draw.variables("b", 9);
    for (int i = 0; i < 9; ++i) {
      inertia.coeffRef(i) = T(moments(i % 3, i / 3));
      linear.coeffRef(i) = T(a(i));
      direction.coeffRef(i) = T(b(i));
    }
    using System = LieSystem<FullMass<T, 3>, TracePolynomialPotential<T>>;
    const System system(FullMass<T, 3>(inertia), {linear, direction});
    const LieSystem<FullMass<D, 3>, TracePolynomialPotential<D>> dual(FullMass<D, 3>(lifted(inertia)),
                                                                      {lifted(linear), lifted(direction)});
    // The guess is right to h^1, and each iteration doubles that: two would do.
    LieVerlet<System> method(system, {.fixed_iterations = 3});
    auto z = method.start(so3::cay(vector("x")), vector("w"));
    const T h = T::variable();
    const auto total = [&] {
      T sum = system.energy(z.q, z.w);
      if (energy != Energy::plain)
        sum += h * h *
               second_energy(system, dual, z.q, z.w, energy == Energy::modified ? Terms::all : Terms::without_the_map);
      return sum;
    };
    const T before = total();
    if (!method.step(z, h).ok()) throw StepFailed("step");
    const T change = total() - before;
    std::vector<K> values;
    for (int k = 0; k <= to; ++k) values.push_back(change[k]);
    return values;
  }
};

TEST(LieVerlet, has_a_modified_energy) {
  const auto decide = [](ChangeOverStep::Energy energy, int to = 4) { return certify(ChangeOverStep{energy, to}); };
  using Energy = ChangeOverStep::Energy;
  const Certificate found = decide(Energy::modified), plain = decide(Energy::plain),
                    without = decide(Energy::without_the_map);
  EXPECT_EQ(decide(Energy::plain, 2).nonzero, 0);     // E changes by h^3
  EXPECT_EQ(decide(Energy::modified, 5).nonzero, 1);  // the modified energy by h^5
  expect_verdict(
      exactly(found, {.id = "BOS09.certificate.vlv-modified-energy",
                      .controls = {exact_control("E", plain),
                                   exact_control("without |W|^2 (W . I W)/12, which the Cayley map adds", without)},
                      .note = found.describe() + ". The coefficient of h^5 does not vanish."}));
}

/// Largest deviations of E and of E + h^2 E_2 from their start, over the whole run and over its first and last tenth.
struct Oscillation {
  double energy = 0, modified = 0, first_tenth = 0, last_tenth = 0;
};
template <class Method>
Oscillation oscillation(Method method, double h, double end_time, Terms terms = Terms::all) {
  const auto system = stress_test<double>();
  const auto dual = stress_test<Dual<double>>();
  const auto [q, w] = stress_test_start<double>();
  auto z = method.start(q, w);
  const auto modified = [&] { return system.energy(z.q, z.w) + h * h * second_energy(system, dual, z.q, z.w, terms); };
  const double energy = system.energy(q, w), start = modified();
  const long steps = std::lround(end_time / h);
  Oscillation result;
  for (long k = 1; k <= steps; ++k) {
    if (!method.step(z, h).ok()) return {infinity, infinity, infinity, infinity};
    result.energy = std::max(result.energy, std::abs(system.energy(z.q, z.w) - energy));
    const double off = std::abs(modified() - start);
    result.modified = std::max(result.modified, off);
    if (k <= steps / 10) result.first_tenth = result.modified;
    if (k > steps - steps / 10) result.last_tenth = std::max(result.last_tenth, off);
  }
  return result;
}

TEST(LieVerlet, keeps_its_modified_energy) {
  using System = StressTestSystem<double>;
  const System system = stress_test<double>();
  constexpr double end_time = 15000;
  report().parameter("T", end_time);
  std::vector<Oscillation> verlet, newmark, without;
  for (const double h : {0.25, 0.125, 0.0625}) {
    verlet.push_back(oscillation(LieVerlet<System>(system), h, end_time));
    newmark.push_back(oscillation(LieNewmark<System>(system), h, end_time));
    without.push_back(oscillation(LieVerlet<System>(system), h, end_time, Terms::without_the_map));
    const std::string name = text("verlet.h%.0f", 10000 * h);
    add_measurements(report(),
                     {{name + ".energy_oscillation", verlet.back().energy},
                      {name + ".modified_energy_oscillation", verlet.back().modified}},
                     "energy", {.relative = 0.02});
  }
  const auto power = [](const std::vector<Oscillation>& runs, double Oscillation::*which) {
    return fitted_exponent({runs[0].*which, runs[1].*which, runs[2].*which}, 2);
  };
  const double of_modified = power(verlet, &Oscillation::modified), of_energy = power(verlet, &Oscillation::energy);
  EXPECT_TRUE(Interval::around(2, 0.1).contains(of_energy)) << of_energy;
  double growth = 1;
  for (const Oscillation& run : verlet)
    if (std::abs(run.last_tenth / run.first_tenth - 1) > std::abs(growth - 1))
      growth = run.last_tenth / run.first_tenth;
  expect_verdict(in_one_interval(
      {.id = "BOS09.intro.modified-energy",
       .measured = of_modified,
       .unit = "power",
       .interval = Interval::around(4, 0.1),
       .controls = {{.name = "E", .measured = of_energy},
                    {.name = "without |W|^2 (W . I W)/12, which the Cayley map adds",
                     .measured = power(without, &Oscillation::modified)},
                    {.name = "NMB", .measured = power(newmark, &Oscillation::modified)}},
       .note = text("E oscillates by %.3g, %.3g, %.3g (h^%.3f), E + h^2 E_2 by %.3g, %.3g, %.3g. Only the beginning of "
                    "an asymptotic series, so not a level set but a layer of thickness h^4. Exactly, term by term: "
                    "BOS09.certificate.vlv-modified-energy.",
                    verlet[0].energy, verlet[1].energy, verlet[2].energy, of_energy, verlet[0].modified,
                    verlet[1].modified, verlet[2].modified)}));
  expect_verdict(in_one_interval(
      {.id = "BOS09.modified-energy.uniform",
       .measured = growth,
       .interval = {0.9, 1.1},
       .controls = {{.name = "NMB, h = 0.25", .measured = newmark[0].last_tenth / newmark[0].first_tenth}}}));
}

}  // namespace
}  // namespace livi::theorem

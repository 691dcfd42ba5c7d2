// SPDX-License-Identifier: MIT
// Theorem: TO14 Section 4.3: the model (24)-(26) and the Hessian (30) against their formulas, which equations contain
// the Hessian of V, the matrix of Integrator 5, and what that integrator keeps
//
// Angular momentum under Integrator 5: let A generate a rotation, A' = -A, A M = M A, and V = V0 + V1 with both parts
// invariant, g = g0 + g1 their gradients, H1 = Hess V1, B a = -g with B = M + c H1, c = beta h^2. Invariance gives
// g . A x = 0 and H1 A x = A g1, so the force M a has the torque
//   A x . M a = -A x . (g + c H1 a) = -c A g1 . a = c (A (M a + c H1 a + g0)) . a = c A g0 . a + c^2 A H1 a . a,
// to leading order -c A g0 . M^-1 g1: not zero where soft and stiff force on a particle are not parallel. A step
// changes angular momentum by h/2 times the torques at its two ends, h^3. (Z&Ss, V0 = 0 here: h^5.) For a translation
// A x = b, H1 b = 0 and g . b = 0: linear momentum is exact.
//
// One file: every claim is of one model, the water of (24) to (26).
#include <livi/integrators/implicit_midpoint.hpp>
#include <livi/integrators/rattle.hpp>
#include <livi/integrators/shake.hpp>
#include <livi/integrators/variational_euler_generalized.hpp>
#include <livi/integrators/velocity_verlet.hpp>
#include <livi/systems/double_pendulum.hpp>
#include <livi/systems/water_cluster.hpp>
#include <random>

#include "study/evidence/water_energies.hpp"

namespace livi::theorem {

Program this_program() {
  return {
      "to14_section_4_3",
      {"TO14", "Section 4.3", "4.3"},
      "The water model against its formulas, which equations contain the Hessian of V, and the matrix of Integrator 5"};
}

namespace {

constexpr Interval rounding{0, 1e-44};

// --- (24) -----------------------------------------------------------------------------------------------------------

/// (24) without its kinetic energy, term by term in distances, from the numbers of Jorgensen et al. 1983.
struct AsPrinted {
  bool lennard_jones_everywhere = false, within_molecules = false;
  template <class T>
  T operator()(const Vector<T, Dynamic>& q) const {
    const T charge[]{ratio<T>(-834, 1000), ratio<T>(417, 1000), ratio<T>(417, 1000)};
    T sum(0);
    for (Eigen::Index i = 0; i < q.size() / 3; ++i)
      for (Eigen::Index j = i + 1; j < q.size() / 3; ++j) {
        if (i / 3 == j / 3 && !within_molecules) continue;
        T squared(0);
        for (int k = 0; k < 3; ++k) squared += (q(3 * i + k) - q(3 * j + k)) * (q(3 * i + k) - q(3 * j + k));
        const T r = sqrt(squared), r3 = r * r * r, r6 = r3 * r3;
        sum += ratio<T>(33206371, 100000) * charge[i % 3] * charge[j % 3] / r;
        if ((i % 3 == 0 && j % 3 == 0) || lennard_jones_everywhere) sum += T(582000) / (r6 * r6) - T(595) / r6;
      }
    return sum;
  }
};

/// Largest deviation of the library's energy and its gradient from a formula and its slopes, ten clusters of four.
F deviation_from(const AsPrinted& formula) {
  const WaterPotential<F> potential(tip3p<F>());
  RandomClusters random(24);
  F worst = 0;
  for (int trial = 0; trial < 10; ++trial) {
    const V q = random.cluster(4, ratio<F>(1, 10));
    worst = larger(worst, F(abs(potential.value(q) - formula(q))));
    V gradient;
    potential.gradient(q, gradient);
    for (Eigen::Index i = 0; i < q.size(); ++i) {
      Vector<Dual<F>, Dynamic> along = q.cast<Dual<F>>();
      along(i).derivative = 1;
      worst = larger(worst, F(abs(gradient(i) - formula(along).derivative)));
    }
  }
  return worst;
}

TEST(TO14_s4_3, energy_of_a_cluster) {
  const double deviation = to_double(deviation_from({}));
  report().measurement({.name = "cluster.deviation_from_printed_energy",
                        .value = deviation,
                        .unit = "kcal/mol, kcal/(mol A)",
                        .tolerance = {.absolute = rounding.high},
                        .noise_floor = rounding.high});
  EXPECT_LE(deviation, rounding.high);
  EXPECT_GT(to_double(deviation_from({.lennard_jones_everywhere = true})), 1e-3);
  EXPECT_GT(to_double(deviation_from({.within_molecules = true})), 1e-3);
}

// --- (25) -----------------------------------------------------------------------------------------------------------

F angle_of_water() { return ratio<F>(10452, 18000) * acos(F(-1)); }

/// What holds at solutions of g = 0, found by Newton's method from random triangles, mirror images among them.
struct Solutions {
  int found = 0, left_handed_starts = 0;
  F angle = 0;   ///< largest deviation of H-O-H from alpha
  F motion = 0;  ///< largest deviation from a rotated and shifted copy of the molecule, by a proper rotation
  F least_determinant = 1e9;  ///< least det(Dg Dg')
};
/// `equations`: the first so many of the three; `squared_hh` may be wrong.
Solutions solutions(int equations, const F& squared_hh) {
  const WaterModel<F> model = tip3p<F>();
  const WaterRigidity<F> rigidity{model.squared_oh, squared_hh};
  const Vector<F, 9> reference = water_molecule(model);
  RandomClusters random(25);
  Solutions result;
  for (int trial = 0; trial < 40; ++trial) {
    V q(9), g;
    for (Eigen::Index i = 0; i < 9; ++i) q(i) = random.uniform();
    const F turn = (q(3) - q(0)) * (q(7) - q(1)) - (q(4) - q(1)) * (q(6) - q(0));  // seen from +z
    Matrix<F, Dynamic> gram;
    F size = 1;
    for (int iteration = 0; iteration < 60 && size > F("1e-48"); ++iteration) {
      WaterRigidity<F>::jacobian_type jacobian;
      rigidity.value(q, g);
      rigidity.jacobian(q, jacobian);
      const Matrix<F, Dynamic> d = jacobian.dense().topRows(equations);
      gram = d * d.transpose();
      GaussianElimination<F, Dynamic> solver;
      if (solver.factor(gram).singular) break;
      V mu = g.head(equations);
      size = max_magnitude(mu);
      solver.solve_in_place(mu);
      q -= d.transpose() * mu;
    }
    if (!(size <= F("1e-48"))) continue;
    ++result.found;
    if (turn < 0) ++result.left_handed_starts;
    using V3 = Vector<F, 3>;
    const V3 o = q.head(3), first = V3(q.segment(3, 3)) - o, second = V3(q.segment(6, 3)) - o;
    const auto unit = [](V3 v) { return V3(v / sqrt(v.dot(v))); };
    const F cosine = unit(first).dot(unit(second));
    result.angle = larger(result.angle, F(abs(acos(cosine) - angle_of_water())));
    Matrix<F, 3> rotation;
    rotation.col(0) = unit(second - first);
    rotation.col(1) = unit(first + second);
    rotation.col(2) << rotation(1, 0) * rotation(2, 1) - rotation(2, 0) * rotation(1, 1),
        rotation(2, 0) * rotation(0, 1) - rotation(0, 0) * rotation(2, 1),
        rotation(0, 0) * rotation(1, 1) - rotation(1, 0) * rotation(0, 1);
    const Matrix<F, 3> gram_of_rotation = rotation.transpose() * rotation;
    for (int i = 0; i < 3; ++i) {
      for (int k = 0; k < 3; ++k)
        result.motion = larger(result.motion, F(abs(gram_of_rotation(i, k) - F(i == k ? 1 : 0))));
      const V3 copy = o + rotation * V3(reference.segment<3>(3 * i));
      result.motion = larger(result.motion, max_magnitude((copy - V3(q.segment(3 * i, 3))).eval()));
    }
    if (equations == 3) {
      const F determinant = gram(0, 0) * (gram(1, 1) * gram(2, 2) - gram(1, 2) * gram(2, 1)) -
                            gram(0, 1) * (gram(1, 0) * gram(2, 2) - gram(1, 2) * gram(2, 0)) +
                            gram(0, 2) * (gram(1, 0) * gram(2, 1) - gram(1, 1) * gram(2, 0));
      if (determinant < result.least_determinant) result.least_determinant = determinant;
    }
  }
  return result;
}

TEST(TO14_s4_3, constraints_leave_rigid_motions) {
  const WaterModel<F> model = tip3p<F>();
  const Solutions found = solutions(3, model.squared_hh), open = solutions(2, model.squared_hh);
  const F oh = ratio<F>(9572, 10000), sine = sin(angle_of_water()), printed = 2 * oh * sin(angle_of_water() / 2);
  const Solutions whole_angle = solutions(3, F(4 * oh * oh * sine * sine));
  EXPECT_LE(abs(printed * printed - model.squared_hh), F("1e-48"));
  EXPECT_GE(found.found, 30);
  EXPECT_GE(found.left_handed_starts, 5);
  EXPECT_GE(found.found - found.left_handed_starts, 5);
  report().count("rigid.solutions", found.found);
  report().count("rigid.solutions_from_left_handed_starts", found.left_handed_starts);
  // 384 (a b - p^2)(a + b - p) at the molecule.
  const F a = model.squared_oh, p = a * cos(angle_of_water());
  EXPECT_LE(abs(found.least_determinant / (384 * (a * a - p * p) * (2 * a - p)) - 1), F("1e-44"));
  expect_verdict(
      {.id = "TO14.eq25.rigid-geometry",
       .measured = to_double(larger(found.angle, found.motion)),
       .interval = rounding,
       .controls = {{.name = "without the third equation", .measured = to_double(open.angle), .interval = rounding},
                    {.name = "r_HH = 2 r_OH sin(alpha)",
                     .measured = to_double(whole_angle.angle),
                     .interval = rounding}},
       .note = "The solutions are the rigid motions of one molecule and nothing else: three points make a plane "
               "figure, whose mirror image is a rotation of it. Dg has rank three there, which leaves six freedoms of "
               "nine. Molecules may still be anywhere, inside each other, too."});
}

// --- (26) -----------------------------------------------------------------------------------------------------------

enum class Penalty { printed, of_distances, without_half };
F penalty_deviation(Penalty kind) {
  const F omega = 20, oh = ratio<F>(9572, 10000), hh = 2 * oh * sin(angle_of_water() / 2);
  const auto rigid = water_cluster<F>(3);
  const auto restrained = penalised(rigid, omega);
  RandomClusters random(26);
  F worst = 0;
  for (int trial = 0; trial < 20; ++trial) {
    const V q = random.cluster(3, ratio<F>(1, 5)), v = random.vector(27);
    F sum = 0;
    for (Eigen::Index a = 0; a < 3; ++a)
      for (int side = 0; side < 3; ++side) {
        const Eigen::Index i = side == 1 ? 2 : 1, j = side == 2 ? 2 : 0;
        F squared = 0;
        for (int k = 0; k < 3; ++k) {
          const F d = q(9 * a + 3 * i + k) - q(9 * a + 3 * j + k);
          squared += d * d;
        }
        const F length = side == 2 ? hh : oh;
        const F g = kind == Penalty::of_distances ? F(sqrt(squared) - length) : F(squared - length * length);
        sum += g * g;
      }
    if (kind != Penalty::without_half) sum /= 2;
    worst = larger(worst, F(abs(restrained.energy(q, v) - rigid.energy(q, v) - omega * omega * sum)));
  }
  return worst;
}

/// The frequencies of the molecule's penalty over omega, squared: eigenvalues of Dg M^-1 Dg' at g = 0; the largest.
double fastest_frequency_over_omega() {
  const auto rigid = water_cluster<double>(1);
  const Vector<double, Dynamic> q = water_molecule(tip3p<double>());
  WaterRigidity<double>::jacobian_type jacobian;
  rigid.constraint().jacobian(q, jacobian);
  Matrix<double, Dynamic> scaled = jacobian.dense();
  for (Eigen::Index j = 0; j < 9; ++j) scaled.col(j) /= std::sqrt(rigid.mass().diagonal(j));
  const Matrix<double, 3> w = scaled * scaled.transpose();
  Vector<double, 3> u(1, 1, -1);
  for (int k = 0; k < 200; ++k) u = (w * u).normalized();
  return std::sqrt(u.dot(w * u));
}

TEST(TO14_s4_3, penalised_energy) {
  const double fastest = fastest_frequency_over_omega();
  report().measurement(
      {.name = "penalty.fastest_frequency_over_omega", .value = fastest, .tolerance = {.relative = 1e-9}});
  std::ostringstream note;
  note.precision(3);
  note << "omega is no frequency, its unit is mass^1/2/(length time): the fastest of the three vibrations has the "
          "frequency "
       << fastest << " omega. At omega = 20 Verlet needs h < " << 2 / (20 * fastest) << ", the paper takes 0.05.";
  expect_verdict({.id = "TO14.eq26.penalised-energy",
                  .measured = to_double(penalty_deviation(Penalty::printed)),
                  .unit = "kcal/mol",
                  .interval = rounding,
                  .controls = {{.name = "differences of distances, not of their squares",
                                .measured = to_double(penalty_deviation(Penalty::of_distances)),
                                .interval = rounding},
                               {.name = "without the factor 1/2",
                                .measured = to_double(penalty_deviation(Penalty::without_half)),
                                .interval = rounding}},
                  .note = note.str()});
}

// --- (30) -----------------------------------------------------------------------------------------------------------

/// Functions of the distance, with the squared distance's derivatives of the library beside them.
struct PairFunction {
  int kind;  ///< 0 Coulomb, 1 Lennard-Jones, 2 penalty
  template <class T>
  T operator()(const T& r) const {
    const T r2 = r * r, r6 = r2 * r2 * r2;
    if (kind == 0) return T(-100) / r;
    if (kind == 1) return T(582000) / (r6 * r6) - T(595) / r6;
    return T(200) * (r2 - ratio<T>(9, 10)) * (r2 - ratio<T>(9, 10));
  }
  [[nodiscard]] RadialDerivatives<F> in_squares(const F& s) const {
    if (kind == 0) return coulomb<F>(-100, s);
    if (kind == 1) return lennard_jones<F>(582000, 595, s);
    return DistancePenaltyProfile<F>{400, ratio<F>(9, 10)}(s);
  }
};

enum class PairReading { printed, first_term_alone, sign_of_different_particles };
struct PairDeviations {
  F formula = 0, library = 0;
};
/// Largest relative deviation of the four 3 x 3 blocks (ii), (ij), (ji), (jj) by (30) from nested dual numbers.
PairDeviations pair_deviations(PairReading reading) {
  using D2 = Dual<Dual<F>>;
  RandomClusters random(30);
  PairDeviations worst;
  for (int trial = 0; trial < 30; ++trial) {
    const PairFunction f{trial % 3};
    V x = random.vector(6);
    x(3) += 3;
    Matrix<F, 6> exact;
    for (int a = 0; a < 6; ++a)
      for (int b = 0; b < 6; ++b) {
        D2 squared(0);
        for (int k = 0; k < 3; ++k) {
          const auto moved = [&](int i) { return D2(Dual<F>(x(i), F(i == a ? 1 : 0)), Dual<F>(F(i == b ? 1 : 0))); };
          squared += (moved(k) - moved(3 + k)) * (moved(k) - moved(3 + k));
        }
        exact(a, b) = f(D2(sqrt(squared))).derivative.derivative;
      }
    const Vector<F, 3> d = x.head(3) - x.tail(3);
    const F r = sqrt(d.dot(d)), scale = max_magnitude(exact);
    const D2 along = f(D2(Dual<F>(r, F(1)), Dual<F>(F(1))));
    const F first = along.derivative.value, second = along.derivative.derivative;
    const Matrix<F, 3> of_library = radial_hessian<F, 3>(f.in_squares(F(r * r)), d);
    for (int a = 0; a < 6; ++a)
      for (int b = 0; b < 6; ++b) {
        const int k = a % 3, l = b % 3;
        const bool same = a / 3 == b / 3;
        const F da = (a < 3 ? d(k) : F(-d(k))) / r, db = (b < 3 ? d(l) : F(-d(l))) / r;
        F second_of_r = (F(k == l ? 1 : 0) - d(k) * d(l) / (r * r)) / r;
        if (!same || reading == PairReading::sign_of_different_particles) second_of_r = -second_of_r;
        F block = da * second * db;
        if (reading != PairReading::first_term_alone) block += first * second_of_r;
        worst.formula = larger(worst.formula, F(abs(block - exact(a, b)) / scale));
        const F entry = same ? of_library(k, l) : F(-of_library(k, l));
        worst.library = larger(worst.library, F(abs(entry - exact(a, b)) / scale));
      }
  }
  return worst;
}

TEST(TO14_s4_3, hessian_of_a_pair) {
  const PairDeviations found = pair_deviations(PairReading::printed);
  EXPECT_LE(found.library, F("1e-44"));
  expect_verdict(
      {.id = "TO14.eq30.hessian-formula",
       .measured = to_double(found.formula),
       .interval = {0, 1e-44},
       .controls = {{.name = "the first term alone",
                     .measured = to_double(pair_deviations(PairReading::first_term_alone).formula),
                     .interval = {0, 1e-44}},
                    {.name = "the second derivative of r with the sign of i != j for i = j, too",
                     .measured = to_double(pair_deviations(PairReading::sign_of_different_particles).formula),
                     .interval = {0, 1e-44}}},
       .note = "It is the block of one pair. Block ij of V is that of the pair ij, block ii the sum over all partners "
               "of i, whose second derivative of r has the other sign. Integrator 5 evaluates it for the three sides "
               "of each molecule only, not for the pairs of (24): that its run spends no more on derivatives than "
               "SHAKE's says little of (30)."});
}

// --- which equations contain Hess V ----------------------------------------------------------------------------------

/// (24) and kappa |q - centre|^2/2: no gradient at the centre, a Hessian there and a gradient elsewhere that depend on
/// kappa. It has no Hessian at all: what compiles with it needs none.
template <class T>
struct WaterInAWell {
  using scalar_type = T;
  using vector_type = Vector<T, Dynamic>;
  static constexpr int dimension = Dynamic;
  WaterPotential<T> water;
  vector_type centre;
  T kappa;
  int* gradients;

  T value(const vector_type& q) const {
    T sum(0);
    for (Eigen::Index i = 0; i < q.size(); ++i) sum += (q(i) - centre(i)) * (q(i) - centre(i));
    return water.value(q) + kappa * sum / T(2);
  }
  void gradient(const vector_type& q, vector_type& out) const {
    ++*gradients;
    water.gradient(q, out);
    for (Eigen::Index i = 0; i < q.size(); ++i) out(i) += kappa * (q(i) - centre(i));
  }
};
template <class T>
struct TwiceDifferentiableWell : WaterInAWell<T> {
  using typename WaterInAWell<T>::vector_type;
  using hessian_type = DenseHessian<T, Dynamic>;
  void hessian(const vector_type& q, hessian_type& h) const {
    this->water.hessian(q, h);
    for (Eigen::Index i = 0; i < q.size(); ++i) h.matrix(i, i) += this->kappa;
  }
};
static_assert(!TwiceDifferentiable<WaterInAWell<F>> && TwiceDifferentiable<TwiceDifferentiableWell<F>>);

/// The double pendulum in its angles with the same well.
template <class T>
struct PendulumInAWell {
  using scalar_type = T;
  using vector_type = Vector<T, 2>;
  static constexpr int dimension = 2;
  DoublePendulumLagrangian<T> pendulum;
  vector_type centre;
  T kappa;
  template <class W>
  W operator()(const Vector<W, 2>& q, const Vector<W, 2>& v) const {
    const W x = q(0) - W(centre(0)), y = q(1) - W(centre(1));
    return pendulum(q, v) - W(kappa) * (x * x + y * y) / W(2);
  }
};

/// The largest derivative with respect to kappa of what the equations of one step are solved for.
struct Dependence {
  F shake = 0, rattle = 0, variational_euler = 0, midpoint = 0, verlet = 0;
  int gradients_of_shake = 0;
  long iterations_of_shake = 0;
};
template <class M>
F largest_derivative(const M& x) {
  F largest = 0;
  for (Eigen::Index i = 0; i < x.size(); ++i) largest = larger(largest, F(abs(x(i).derivative)));
  return largest;
}

Dependence dependence_on_the_hessian() {
  using D = Dual<F>;
  const WaterModel<F> m = tip3p<F>();
  const WaterModel<D> model{m.oxygen_mass, m.hydrogen_mass, m.squared_oh, m.squared_hh,
                            m.coulomb,     m.repulsion,     m.attraction};
  RandomClusters random(157);
  const V q = random.cluster(2, F(0)), v = random.rigid_velocities(q);
  const Vector<D, Dynamic> x = q.cast<D>(), w = v.cast<D>();
  const D kappa(F(5), F(1)), h = ratio<D>(1, 20);
  int gradients = 0;
  const WaterInAWell<D> well{WaterPotential<D>(model), x, kappa, &gradients};
  const ConstrainedSystem<DiagonalMass<D, Dynamic>, WaterInAWell<D>, WaterRigidity<D>> rigid(
      water_masses<D>(2, model), well, {model.squared_oh, model.squared_hh});
  Dependence result;
  Shake shake(rigid);
  auto of_shake = shake.start(x, w);
  const int before = gradients;
  EXPECT_TRUE(shake.step(of_shake, h).ok());
  result.gradients_of_shake = gradients - before;
  result.iterations_of_shake = shake.work().newton_iterations;
  result.shake = larger(largest_derivative(of_shake.q), largest_derivative(of_shake.lambda));
  Rattle rattle(rigid);
  auto of_rattle = rattle.start(x, w);
  EXPECT_TRUE(rattle.step(of_rattle, h).ok());
  result.rattle = larger(largest_derivative(of_rattle.q), largest_derivative(of_rattle.lambda));
  EXPECT_GT(largest_derivative(of_rattle.v), F(0));  // an explicit gradient at the new point

  const Vector<D, 2> angles(ratio<D>(1, 2), ratio<D>(-4, 5));
  const PendulumInAWell<D> pendulum{double_pendulum_lagrangian<D>(), angles, kappa};
  VariationalEulerGeneralized euler(pendulum);
  auto of_euler = euler.start(angles, Vector<D, 2>(ratio<D>(1, 3), ratio<D>(2, 5)));
  EXPECT_TRUE(euler.step(of_euler, h).ok());
  EXPECT_GT(euler.work().newton_iterations, 2);
  result.variational_euler = larger(largest_derivative(of_euler.q), largest_derivative(of_euler.p));

  const MechanicalSystem<DiagonalMass<D, Dynamic>, TwiceDifferentiableWell<D>> free(water_masses<D>(2, model), {well});
  ImplicitMidpoint midpoint(free);
  auto of_midpoint = midpoint.start(x, w);
  EXPECT_TRUE(midpoint.step(of_midpoint, h).ok());
  result.midpoint = largest_derivative(of_midpoint.q);
  VelocityVerlet verlet(free);
  auto of_verlet = verlet.start(x, w);
  EXPECT_TRUE(verlet.step(of_verlet, h).ok());
  result.verlet = largest_derivative(of_verlet.q);
  return result;
}

TEST(TO14_s4_3, multiplier_equations_do_not_contain_the_hessian) {
  const Dependence found = dependence_on_the_hessian();
  EXPECT_EQ(found.gradients_of_shake, 1);
  EXPECT_GT(found.iterations_of_shake, 2);
  report().count("shake.gradients_per_step", found.gradients_of_shake);
  report().count("shake.newton_iterations_of_the_step", found.iterations_of_shake);
  // The claim holds if something of Hess V is seen: then each of the three is above zero.
  const Interval depends{std::numeric_limits<double>::min(), std::numeric_limits<double>::infinity()};
  expect_verdict(
      {.id = "TO14.s4.3.newton-needs-hessian",
       .measured = to_double(larger(larger(found.shake, found.rattle), found.variational_euler)),
       .interval = depends,
       .controls = {{.name = "Verlet, which solves no equation",
                     .measured = to_double(found.verlet),
                     .interval = depends},
                    {.name = "the implicit midpoint rule",
                     .measured = to_double(found.midpoint),
                     .interval = depends,
                     .note = "solves an equation with grad V at an unknown point",
                     .expected = Expected::passes}},
       .note =
           "The equation for the multipliers is g(q_k + h v_k + h^2 M^-1 (Dg(q_k)' lambda - grad V(q_k))) = 0, with "
           "the matrix Dg(q_{k+1}) M^-1 Dg(q_k)': grad V at the known point only, once a step whatever the number "
           "of iterations; SHAKE and RATTLE here run on a potential that offers no Hessian. So does variational "
           "Euler in angles, whose equation is nonlinear in the kinetic energy alone. Hess V is needed by methods "
           "with grad V at an unknown point, such as Newmark's and the midpoint rule."});
}

// --- the matrix of Integrator 5 --------------------------------------------------------------------------------------

/// A statement about the matrix M + c Hess V1 of so many molecules: the entries between molecules, and the solutions by
/// 9 x 9 blocks and by 3 x 3 work for each triangle less the dense one, all masses, lengths, omega, c, states and right
/// sides. Or the entries of the blocks' lower triangles.
struct MatrixOfIntegrator5 {
  int molecules;
  bool entries_of_blocks = false;
  template <class K>
  std::vector<K> operator()(Draw<K>& draw) const {
    const Eigen::Index n = 9 * molecules;
    const WaterModel<K> model{
        draw.positive("oxygen"), draw.positive("hydrogen"), draw.positive("oh"), draw.positive("hh"), K(1), K(1), K(1)};
    const K omega_squared = draw.positive("omega^2"), c = draw.positive("c");
    const auto mass = water_masses<K>(molecules, model);
    const Vector<K, Dynamic> q = draw.variables("q", n), b = draw.variables("b", n);
    const auto solve = [&]<class Hessian>(Hessian hessian) {
      WaterPenalty<K, Hessian>(model.squared_oh, model.squared_hh, omega_squared).hessian(q, hessian);
      ShiftedSolver<Hessian> solver;
      if (solver.factor(mass, c, hessian).singular) throw StepFailed("singular");
      Vector<K, Dynamic> a = b;
      solver.solve_in_place(a);
      return std::pair(a, hessian);
    };
    std::vector<K> values;
    if (entries_of_blocks) {
      DenseHessian<K, Dynamic> hessian(n);
      WaterPenalty<K, DenseHessian<K, Dynamic>>(model.squared_oh, model.squared_hh, omega_squared).hessian(q, hessian);
      for (Eigen::Index i = 0; i < n; ++i)
        for (Eigen::Index j = i - i % 9; j <= i; ++j) values.push_back(hessian.matrix(i, j));
      return values;
    }
    const auto [of_dense, hessian] = solve(DenseHessian<K, Dynamic>(n));
    const Vector<K, Dynamic> of_blocks = solve(BlockDiagonalHessian<K, 9>(n)).first,
                             of_triangles = solve(TriangleHessian<K>(n)).first;
    for (Eigen::Index i = 0; i < n; ++i) {
      for (Eigen::Index j = 0; j < i - i % 9; ++j) values.push_back(hessian.matrix(i, j));
      values.push_back(of_blocks(i) - of_dense(i));
      values.push_back(of_triangles(i) - of_dense(i));
    }
    return values;
  }
};

TEST(TO14_s4_3, matrix_of_integrator_5_is_block_diagonal) {
  constexpr Eigen::Index molecules = 3, n = 9 * molecules;
  Combined found;
  for (const int number : {1, 2, 3})
    found.add(std::to_string(number) + " molecules", certify(MatrixOfIntegrator5{number}));
  // Each block of 9 x 9 is full: the claim is no accident of zeros.
  const Certificate full = certify(MatrixOfIntegrator5{molecules, true});
  EXPECT_EQ(full.nonzero, molecules * 45) << full.describe();
  RandomClusters random(160);
  const V q = random.cluster(molecules, ratio<F>(1, 50));
  DenseHessian<F, Dynamic> whole(n);
  WaterPotential<F>(tip3p<F>()).hessian(q, whole);
  int outside_of_whole = 0;
  for (Eigen::Index i = 0; i < n; ++i)
    for (Eigen::Index j = 0; j < i; ++j)
      if (i / 9 != j / 9 && whole.matrix(i, j) != 0) ++outside_of_whole;
  expect_verdict(exactly(
      found, {.id = "TO14.int5.block-diagonal",
              .controls = {{.name = "the Hessian of (24)",
                            .measured = static_cast<double>(outside_of_whole),
                            .interval = {0, 0},
                            .note = "three molecules have 243 entries between them in the lower triangle"}},
              .note = "The Hessian of a sum over molecules has no entry between them, whatever their number."}));
}

// --- what Integrator 5 keeps -----------------------------------------------------------------------------------------

constexpr auto whole_hessian = []<class S>(const S& system, const auto& beta) { return ZhangSkeel<S>(system, {beta}); };
constexpr auto stiff_part = []<class S>(const S& system, const auto& beta) {
  return StiffZhangSkeel<S>(system, {beta});
};

TEST(TO14_s4_3, integrator_5_is_not_symplectic) {
  const F paper_step = ratio<F>(1, 20);
  const F defect = symplecticity_on_two_molecules(stiff_part, paper_step),
          of_zhang_skeel = symplecticity_on_two_molecules(whole_hessian, paper_step);
  const F fine = symplecticity_on_two_molecules(stiff_part, F(paper_step / 512)),
          finer = symplecticity_on_two_molecules(stiff_part, F(paper_step / 1024));
  const double exponent = std::log2(to_double(F(fine / finer)));
  report().measurement({.name = "stiff_simplified.symplecticity",
                        .value = to_double(defect),
                        .tolerance = {.relative = 1e-9},
                        .h_exponent = exponent});
  report().measurement(
      {.name = "stiff_simplified.symplecticity.exponent", .value = exponent, .unit = "order", .tolerance = {}});
  // The Jacobian of M f is asymmetric by c (H1 M^-1 H0 - H0 M^-1 H1), c = beta h^2, and a step kicks by h.
  EXPECT_NEAR(exponent, 3, 0.01);
  const Interval seen{1e-40, std::numeric_limits<double>::infinity()};
  expect_verdict(
      {.id = "TO14.fig6.zss-not-symplectic",
       .measured = to_double(defect),
       .interval = seen,
       .controls = {{.name = "Z&S with the whole Hessian and the third derivatives",
                     .measured = to_double(of_zhang_skeel),
                     .interval = seen}},
       .note =
           "The defect is of order h^3 a step, from the commutator of soft and stiff Hessians; that of Z&Ss with the "
           "whole Hessian would be h^5."});
}

TEST(TO14_s4_3, integrator_5_and_momentum) {
  const Certificate linear = certify(MomentumChange<decltype(stiff_part)>{stiff_part, true}),
                    coefficient = certify(AngularCoefficient{true}), not_zero = certify(AngularCoefficient{false});
  ASSERT_NE(coefficient.finding, Certificate::Finding::undecided) << coefficient.note;
  ASSERT_NE(linear.finding, Certificate::Finding::undecided) << linear.note;
  const Certificate angular = certify(MomentumChange<decltype(stiff_part)>{stiff_part, false});
  EXPECT_TRUE(angular.disproved());
  expect_verdict(
      {.id = "TO14.int5.momentum",
       .measured = static_cast<double>(linear.nonzero + coefficient.nonzero),
       .unit = exact_unit,
       .interval = {0, 0},
       .controls = {{.name = "the coefficient of h^3 of angular momentum itself",
                     .measured = static_cast<double>(not_zero.nonzero),
                     .interval = {0, 0},
                     .note = not_zero.describe()}},
       .evidence = Evidence::proved,
       .probability_bound = combined({linear, coefficient}).probability(),
       .note = "A g0 . M^-1 g1 is the sum over atoms of the cross product of soft and stiff force, over the mass: what "
               "water has wherever an atom is pulled across its bonds. Derived in the source. " +
               coefficient.describe()});
}

}  // namespace

}  // namespace livi::theorem

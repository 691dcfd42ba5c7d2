// SPDX-License-Identifier: MIT
//
// Methods with adaptive steps over many steps: which of them are the same method, which momenta and energies are kept,
// where there is no step, and runs with a clock of their own.
#include <gtest/gtest.h>

#include <livi/adaptive/any_density.hpp>
#include <livi/adaptive/hamiltonian_adaptive_verlet.hpp>
#include <livi/adaptive/logarithmic_hamiltonian.hpp>
#include <livi/adaptive/midpoint_energy_momentum.hpp>
#include <livi/adaptive/reversible_adaptive_verlet.hpp>
#include <livi/adaptive/step_control.hpp>
#include <livi/adaptive/symplectic_energy_momentum.hpp>
#include <livi/adaptive/variational_adaptive_verlet.hpp>
#include <livi/integrators/rattle.hpp>
#include <livi/integrators/shake.hpp>
#include <livi/integrators/velocity_verlet.hpp>
#include <livi/scalar/multiprecision.hpp>
#include <livi/systems/stochastic_problems.hpp>
#include <livi/trajectory/adaptive_trajectory.hpp>
#include <livi/trajectory/checkpoint.hpp>
#include <numbers>

#include "study/models/adaptive_problems.hpp"
#include "symplectic_adaptive_methods.hpp"

namespace livi {

namespace adaptive_runs_test {

using namespace adaptive_problems;

using F = Float50;

// --- the same method twice --------------------------------------------------------------------------------------------

/// Returns the largest difference of positions in `steps` steps of two methods from the same start.
template <class A, class B>
F difference(A a, B b, const PhaseState<F, A::system_type::dimension>& from, const F& h, int steps) {
  auto x = a.start(from.q, from.v);
  auto y = b.start(from.q, from.v);
  F largest(0);
  for (int k = 0; k < steps; ++k) {
    EXPECT_TRUE(a.step(x, h).ok() && b.step(y, h).ok());
    largest = larger(largest, larger(RealOf<F>(max_magnitude(x.q - y.q)), magnitude(F(x.t - y.t))));
  }
  return largest;
}
TEST(AdaptiveSteps, the_variational_method_with_weights_is_the_hamiltonian_one) {
  using System = Coupled<F>;
  const System system = coupled<F>();
  const auto z = generic_state<F, 2>();
  for_each_position_density(system, F(3), [&](const char* name, const auto& density) {
    using Density = std::decay_t<decltype(density)>;
    using Variational = VariationalAdaptiveVerlet<System, Density>;
    const HamiltonianAdaptiveVerlet<System, Density> hamiltonian(system, density);
    const Variational weighted(system, density, StepRule::mean, PotentialWeight::density), plain(system, density);
    EXPECT_LT(difference(hamiltonian, weighted, z, ratio<F>(1, 20), 200), F(1e-44)) << name;
    // Velocity Verlet's Lagrangian differs from it, by h^3 in a step: an eighth for half the step.
    const F of_h = difference(hamiltonian, plain, z, ratio<F>(1, 100), 1),
            of_half = difference(hamiltonian, plain, z, ratio<F>(1, 200), 1);
    EXPECT_GT(of_half, F(1e-12)) << name;
    EXPECT_GT(to_double(F(of_h / of_half)), 7) << name;
  });
}
TEST(AdaptiveSteps, constant_densities_give_velocity_verlet) {
  using System = Coupled<F>;
  const System system = coupled<F>();
  const auto z = generic_state<F, 2>();
  const ConstantDensity<System> density{ratio<F>(2, 3)};
  const F h = ratio<F>(1, 20);
  using Variational = VariationalAdaptiveVerlet<System, ConstantDensity<System>>;
  const ExplicitSteps verlet(VelocityVerlet<System>(system), density);
  const HamiltonianAdaptiveVerlet<System, ConstantDensity<System>> hamiltonian(system, density);
  EXPECT_LT(difference(hamiltonian, verlet, z, h, 100), F(1e-46));
  EXPECT_LT(difference(Variational(system, density), verlet, z, h, 100), F(1e-46));
  EXPECT_LT(difference(ReversibleAdaptiveVerlet<System, ConstantDensity<System>>(system, density), verlet, z, h, 100),
            F(1e-46));
  EXPECT_LT(difference(ReversibleSteps(VelocityVerlet<System>(system), density), verlet, z, h, 100), F(1e-46));
  EXPECT_LT(difference(IntegratedSteps(VelocityVerlet<System>(system), density), verlet, z, h, 100), F(1e-46));
}

// --- momenta ----------------------------------------------------------------------------------------------------------

/// Returns by how much some steps of three bodies in the plane change their linear and their angular momentum.
template <class Method>
std::array<F, 2> changes_of_momenta(Method method, const F& h, int steps) {
  const auto& system = method.system();
  Vector<F, Dynamic> q(6), v(6);
  for (int i = 0; i < 6; ++i) {
    q(i) = ratio<F>((7 * i + 3) % 11 - 5, 6);
    v(i) = ratio<F>((5 * i + 2) % 7 - 3, 9);
  }
  const auto momenta = [&](const auto& z) {
    const Vector<F, Dynamic> p = system.momentum(z.v);
    return std::array<F, 2>{p(0) + p(2) + p(4), z.q(0) * p(1) - z.q(1) * p(0) + z.q(2) * p(3) - z.q(3) * p(2) +
                                                    z.q(4) * p(5) - z.q(5) * p(4)};
  };
  auto z = method.start(q, v);
  const auto before = momenta(z);
  for (int k = 0; k < steps; ++k) EXPECT_TRUE(method.step(z, h).ok());
  const auto after = momenta(z);
  return {magnitude(F(after[0] - before[0])), magnitude(F(after[1] - before[1]))};
}
/// Expects of a method the momenta that it declares, and the others to change.
template <class Method>
void expect_declared_momenta(const Method& method, const std::string& name, int steps = 20) {
  const auto [linear, angular] = changes_of_momenta(method, ratio<F>(1, 20), steps);
  const Properties declared = method.declares();
  EXPECT_EQ(linear < F(1e-45), declared.linear_momentum) << name << ": " << linear;
  EXPECT_EQ(angular < F(1e-45), declared.angular_momentum) << name << ": " << angular;
  if (!declared.linear_momentum) {
    EXPECT_GT(linear, F(1e-9)) << name;
  }
  if (!declared.angular_momentum) {
    EXPECT_GT(angular, F(1e-9)) << name;
  }
}
/// A density with no symmetry.
struct Skewed {
  using scalar_type = F;
  using vector_type = Vector<F, Dynamic>;
  [[nodiscard]] F value(const vector_type& q) const { return F(1) / (F(4) + q(0) * q(0)); }
  void gradient(const vector_type& q, vector_type& out) const {
    for (Eigen::Index i = 0; i < q.size(); ++i) out(i) = F(0);
    const F sigma = value(q);
    out(0) = F(-2) * q(0) * sigma * sigma;
  }
};
TEST(AdaptiveSteps, momenta_are_kept_where_the_density_has_the_symmetry) {
  using System = GravitationalSystem<F, 2>;
  const GravitationalPotential<F, 2> potential({F(1), F(2), F(3)}, F(1), ratio<F>(1, 2));
  const System system(potential.mass(), potential);
  const auto with = [&](const char* name, const auto& density) {
    using Density = std::decay_t<decltype(density)>;
    for_each_symplectic<System>(density, [&](const char* method, const auto& make) {
      expect_declared_momenta(make(system), std::string(method) + ", " + name);
    });
    expect_declared_momenta(ReversibleAdaptiveVerlet<System, Density>(system, density), name);
    expect_declared_momenta(IntegratedSteps(VelocityVerlet<System>(system), density), name);
    expect_declared_momenta(ReversibleSteps(VelocityVerlet<System>(system), density), name);
  };
  for_each_position_density(system, F(10), with);
  with("without symmetry", Skewed());
  expect_declared_momenta(LogarithmicHamiltonian<System>(system), "logarithmic Hamiltonian");
  // From this start it has no ninth step.
  expect_declared_momenta(SymplecticEnergyMomentum<System>(system), "symplectic-energy-momentum", 8);
}

TEST(AdaptiveSteps, densities_known_at_run_time_say_their_symmetries) {
  using System = GravitationalSystem<F, 2>;
  const GravitationalPotential<F, 2> potential({F(1), F(2), F(3)}, F(1), ratio<F>(1, 2));
  const System system(potential.mass(), potential);
  using Any = AnyPositionDensity<System>;
  const auto declared = [&](const auto& density) {
    const Properties p = HamiltonianAdaptiveVerlet<System, Any>(system, Any(density)).declares();
    return std::pair(p.linear_momentum, p.angular_momentum);
  };
  EXPECT_EQ(declared(InverseAcceleration<System>(system, F(1))), std::pair(true, true));
  EXPECT_EQ(declared(KeplerDensity<System>()), std::pair(false, true));
  EXPECT_EQ(declared(Skewed()), std::pair(false, false));
}

// --- special methods --------------------------------------------------------------------------------------------------

TEST(AdaptiveSteps, the_logarithmic_hamiltonian_stays_on_keplers_ellipse) {
  const Kepler<double> system = kepler<double>();
  LogarithmicHamiltonian<Kepler<double>> method(system);
  const auto from = pericentre(0.9);
  AdaptiveTrajectory run(method, method.start(from.q, from.v), 0.1, 100 * 2 * std::numbers::pi);
  double worst = 0;
  for (const auto& point : run) {
    const double x = point.state.q(0) + 0.9, y = point.state.q(1);
    worst = std::max(worst, std::abs(x * x + y * y / (1 - 0.81) - 1));
  }
  ASSERT_TRUE(run.outcome().ok());
  // Rounding of 6000 steps, of which those near the pericentre have velocities of 4.4 and accelerations of 100.
  EXPECT_LT(worst, 1e-10);
}

TEST(AdaptiveSteps, symplectic_energy_momentum_steps_keep_their_energy_while_there_are_steps) {
  const Kepler<double> system = kepler<double>();
  const auto steps_until = [&](double e, double end) {
    SymplecticEnergyMomentum<Kepler<double>> method(system);
    const auto from = pericentre(e);
    AdaptiveTrajectory run(method, method.start(from.q, from.v), 0.001, end);
    double least = std::numeric_limits<double>::infinity(), energy = 0, worst = 0;
    for (const auto& point : run) {
      const auto& z = point.state;
      least = std::min(least, discrete_energy_coefficient(system, z.q, z.v));
      if (point.step == 1) energy = z.energy;
      // What is kept is the discrete energy of the step, by the state before it.
      if (point.step > 1) worst = std::max(worst, std::abs(method.discrete_energy(run.before(), z.last_step) - energy));
    }
    EXPECT_LT(worst, 1e-13) << e;
    return std::pair{run.outcome(), least};
  };
  // On Kepler's ellipse with half axis 1, 8 r^4 c = 4 r + 6 (1 - e^2)/r - 9, whose minimum over r is positive if and only if
  // e < sqrt(5/32) = 0.39528.
  const double bound = std::sqrt(5.0 / 32);
  const auto [whole, least_of_whole] = steps_until(bound - 0.002, 4 * std::numbers::pi);
  EXPECT_TRUE(whole.ok()) << whole.describe();
  EXPECT_GT(least_of_whole, 0);
  // Above it c comes to zero where r = (9 - sqrt(96 e^2 - 15))/8 for the first time. The steps end within a few of their
  // lengths of that, which grow to 0.02.
  for (const double e : {bound + 0.002, 0.45, 0.6}) {
    const auto [broken, least] = steps_until(e, 4 * std::numbers::pi);
    EXPECT_EQ(broken.step.failure, Failure::no_real_root) << broken.describe();
    const double r = (9 - std::sqrt(96 * e * e - 15)) / 8, u = std::acos((1 - r) / e);
    EXPECT_NEAR(broken.time, u - e * std::sin(u), 0.1) << e;
    EXPECT_GT(least, -0.05) << e;
  }
}

TEST(AdaptiveSteps, a_naive_choice_of_steps_drifts_and_the_others_do_not) {
  using System = Kepler<double>;
  const System system = kepler<double>();
  const KeplerDensity<System> density;
  const auto from = pericentre(0.6);
  // How far the mean energy of 5 periods has moved in 60, in units of its oscillation within a period. The explicit choice
  // loses about 5e-6 a period here, of an oscillation of 7e-4: 0.4. Without drift the means differ by how the steps fall
  // on the pericentre.
  const auto drift = [&](auto method) {
    const double period = 2 * std::numbers::pi;
    AdaptiveTrajectory run(method, method.start(from.q, from.v), period / 200, 60 * period);
    double sum[2] = {}, time[2] = {}, least = 0, most = -1;
    for (const auto& point : run) {
      const auto& z = point.state;
      const double energy = system.energy(z.q, z.v);
      if (z.t < 5 * period) {
        least = std::min(least, energy);
        most = std::max(most, energy);
      }
      if (5 * period <= z.t && z.t <= 55 * period) continue;
      const std::size_t window = z.t < 5 * period ? 0 : 1;
      sum[window] += energy * z.last_step;
      time[window] += z.last_step;
    }
    EXPECT_TRUE(run.outcome().ok());
    return std::abs(sum[1] / time[1] - sum[0] / time[0]) / (most - least);
  };
  for_each_symplectic<System>(
      density, [&](const char* name, const auto& make) { EXPECT_LT(drift(make(system)), 0.02) << name; });
  EXPECT_LT(drift(ReversibleAdaptiveVerlet<System, KeplerDensity<System>>(system, density)), 0.02);
  EXPECT_LT(drift(IntegratedSteps(VelocityVerlet<System>(system), density)), 0.02);
  EXPECT_LT(drift(ReversibleSteps(VelocityVerlet<System>(system), density)), 0.02);
  EXPECT_GT(drift(ExplicitSteps(VelocityVerlet<System>(system), density)), 0.2);
}

// --- failures and input -----------------------------------------------------------------------------------------------

template <class Method>
Failure failure_of(Method method, const PhaseState<double, 2>& from, double h, int steps = 1) {
  auto z = method.start(from.q, from.v);
  StepOutcome outcome;
  for (int k = 0; k < steps && outcome.ok(); ++k) outcome = method.step(z, h);
  return outcome.failure;
}
TEST(AdaptiveSteps, where_there_is_no_step_the_reason_is_named) {
  using System = Kepler<double>;
  const System system = kepler<double>();
  const auto from = pericentre(0.6);
  using Density = KeplerDensity<System>;
  // The quadratic equation for H - E0 has no root when the step is long against sigma.
  EXPECT_EQ(failure_of(HamiltonianAdaptiveVerlet<System, Density>(system, Density()), from, 20), Failure::no_real_root);
  // Equal distances with E0 below the energy: there is no kinetic energy to divide by at the aphelion.
  using Equal = EqualDistances<System>;
  const Equal too_low(system, -0.7, 0);
  const auto all_steps = [&](const auto& method) { return failure_of(method, from, 0.1, 1000); };
  EXPECT_EQ(all_steps(ExplicitSteps(VelocityVerlet<System>(system), too_low)), Failure::no_step_density);
  EXPECT_EQ(all_steps(HamiltonianAdaptiveVerlet<System, Equal>(system, too_low)), Failure::no_step_density);
  EXPECT_EQ(all_steps(ReversibleAdaptiveVerlet<System, Equal>(system, too_low)), Failure::no_step_density);
  EXPECT_EQ(all_steps(VariationalAdaptiveVerlet<System, Equal>(system, too_low)), Failure::no_step_density);
  EXPECT_EQ(all_steps(IntegratedSteps(VelocityVerlet<System>(system), too_low)), Failure::no_step_density);
  EXPECT_EQ(all_steps(ReversibleSteps(VelocityVerlet<System>(system), too_low)), Failure::no_step_density);
  // A step that rounding swallows.
  ExplicitSteps tiny(VelocityVerlet<System>(system), ConstantDensity<System>{1e-30});
  auto z = tiny.start(from.q, from.v);
  z.t = 1;
  EXPECT_EQ(tiny.step(z, 1).failure, Failure::step_too_small);
  // Steps so short that the energy does not feel them have no length that keeps it.
  SymplecticEnergyMomentum short_of_digits(system);
  EXPECT_EQ(failure_of(short_of_digits, pericentre(0.2), 1e-9, 2), Failure::no_real_root);
  // log(-W) needs W < 0.
  using Above = MechanicalSystem<ScalarMass<double, 2>, HenonHeilesPotential<double>>;
  const Above above(ScalarMass<double, 2>(1), {});
  EXPECT_EQ(failure_of(LogarithmicHamiltonian<Above>(above), {{0.1, 0.2}, {0.3, 0.1}}, 0.1), Failure::no_step_density);
}
TEST(AdaptiveSteps, bad_input_is_refused_by_name) {
  using System = Kepler<double>;
  const System system = kepler<double>();
  const auto from = pericentre(0.6);
  const auto message = [](const auto& f) -> std::string {
    try {
      f();
    } catch (const InvalidParameter& error) {
      return error.what();
    }
    return "accepted";
  };
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_NE(message([&] { EqualDistances<System>(system, -0.5, -1); }).find("epsilon of a step density = -1"),
            std::string::npos);
  EXPECT_NE(message([&] { EqualDistances<System>(system, nan, 0); }).find("energy of a step density"),
            std::string::npos);
  EXPECT_NE(message([&] { InverseKineticEnergy<System>(system, -0.5, -1); }).find("epsilon of a step density = -1"),
            std::string::npos);
  EXPECT_NE(message([&] { EqualStateDistances<System>(system, nan); }).find("epsilon of a step density"),
            std::string::npos);
  EXPECT_NE(message([&] { InverseKineticEnergy<System>(system, -0.5, 0, 0); }).find("factor of a step density = 0"),
            std::string::npos);
  using Variational = VariationalAdaptiveVerlet<System, KeplerDensity<System>>;
  EXPECT_NE(message([&] {
              Variational(system, KeplerDensity<System>(), StepRule::start, PotentialWeight::density);
            }).find("rule of the steps"),
            std::string::npos);
  LogarithmicHamiltonian<System> method(system);
  const auto run_to = [&](double h, double end) {
    return message([&] { AdaptiveTrajectory(method, method.start(from.q, from.v), h, end); });
  };
  EXPECT_NE(run_to(0.1, -1).find("end time = -1"), std::string::npos);
  EXPECT_NE(run_to(0.1, nan).find("end time"), std::string::npos);
  EXPECT_NE(run_to(0, 1).find("h = 0"), std::string::npos);
}

// --- the way back ---------------------------------------------------------------------------------------------------

// SHAKE's velocity lacks the constraint force at t_k, so that steps whose density reads it do not come back.
TEST(AdaptiveSteps, of_shake_come_back_where_the_density_reads_the_position_only) {
  using System = ConstrainedSystem<ScalarMass<F, 3>, UniformField<F, 3>, RoundConstraint<F, 3>>;
  const System system{ScalarMass<F, 3>(F(1)), {Vector<F, 3>(F(0), F(0), F(1))}, {F(1)}};
  const Vector<F, 3> q(ratio<F>(3, 5), F(0), ratio<F>(-4, 5)), v(ratio<F>(2, 5), ratio<F>(1, 2), ratio<F>(3, 10));
  const auto distance_from_start = [&](auto method) {
    auto z = method.start(q, v);
    for (const bool back : {false, true}) {
      for (int k = 0; k < 10; ++k) EXPECT_TRUE(method.step(z, ratio<F>(1, 20)).ok());
      if (!back) velocity_of(z) = -velocity_of(z);
    }
    return to_double(max_magnitude(Vector<F, 3>(z.q - q)));
  };
  const EqualDistances<System> of_position(system, system.energy(q, v), ratio<F>(1, 20));
  const EqualStateDistances<System> of_state(system);
  const Shake<System> shake(system);
  const Rattle<System> rattle(system);
  EXPECT_LT(distance_from_start(ReversibleSteps(shake, of_position)), 1e-45);
  EXPECT_LT(distance_from_start(ReversibleSteps(rattle, of_position)), 1e-45);
  EXPECT_LT(distance_from_start(IntegratedSteps(rattle, of_position)), 1e-45);
  EXPECT_LT(distance_from_start(ReversibleSteps(rattle, of_state)), 1e-45);
  EXPECT_GT(distance_from_start(ExplicitSteps(shake, of_position)), 1e-12);
  EXPECT_GT(distance_from_start(ReversibleSteps(shake, of_state)), 1e-12);
  EXPECT_GT(distance_from_start(IntegratedSteps(shake, of_position)), 1e-12);
}

// --- runs -------------------------------------------------------------------------------------------------------------

TEST(AdaptiveSteps, a_run_says_why_it_ended_and_knows_its_last_step_only) {
  using System = Kepler<double>;
  const System system = kepler<double>();
  const auto from = pericentre(0.6);
  HamiltonianAdaptiveVerlet<System, EqualDistances<System>> method(system, {system, -0.7, 0});
  AdaptiveTrajectory run(method, method.start(from.q, from.v), 0.1, 100.0);
  long points = 0;
  for (const auto& point : run) EXPECT_EQ(point.step, points++);
  EXPECT_EQ(run.outcome().step.failure, Failure::no_step_density);
  EXPECT_EQ(run.outcome().completed, points - 1);
  EXPECT_EQ(run.outcome().time, run.state().t);
  EXPECT_LT(run.before().t, run.state().t);
  EXPECT_EQ(run.at(run.state().t).q, run.state().q);
  EXPECT_THROW((void)run.at(run.state().t + 1), InvalidParameter);
  EXPECT_THROW((void)run.at(0.0), InvalidParameter);
  AdaptiveTrajectory none(method, method.start(from.q, from.v), 0.01, 0.0);
  EXPECT_TRUE(none.complete().ok());
  EXPECT_EQ(none.outcome().completed, 0);
  // A clock that stands still ends the run.
  ExplicitSteps tiny(VelocityVerlet<System>(system), ConstantDensity<System>{1e-30});
  AdaptiveTrajectory still(tiny, tiny.start(from.q, from.v), 1.0, 1.0);
  auto late = tiny.start(from.q, from.v);
  late.t = 0.5;
  EXPECT_EQ(AdaptiveTrajectory(tiny, late, 1.0, 1.0).complete().step.failure, Failure::step_too_small);
}
TEST(AdaptiveSteps, states_at_a_time_asked_for_have_the_order_of_the_interpolation) {
  const Kepler<double> system = kepler<double>();
  LogarithmicHamiltonian<Kepler<double>> method(system);
  const auto from = pericentre(0.6);
  // Between two points of the exact orbit, at times t and t + dt.
  const auto error = [&](double dt) {
    const auto on_orbit = [](double t) {
      TimedState<double, 2> z;
      const double d = 1e-5;
      z.q = on_ellipse(0.6, t);
      z.v = (on_ellipse(0.6, t - 2 * d) - on_ellipse(0.6, t + 2 * d) +
             8 * (on_ellipse(0.6, t + d) - on_ellipse(0.6, t - d))) /
            (12 * d);
      z.t = t;
      return z;
    };
    const auto middle = interpolate(on_orbit(1), on_orbit(1 + dt), 1 + dt / 3);
    const auto exact = on_orbit(1 + dt / 3);
    return std::pair{(middle.q - exact.q).norm(), (middle.v - exact.v).norm()};
  };
  const auto [q, v] = error(0.02);
  const auto [q_of_half, v_of_half] = error(0.01);
  EXPECT_NEAR(std::log2(q / q_of_half), 4, 0.1);
  EXPECT_NEAR(std::log2(v / v_of_half), 3, 0.1);
  // A run has the state at its end time.
  AdaptiveTrajectory run(method, method.start(from.q, from.v), 0.001, 3.0);
  ASSERT_TRUE(run.complete().ok());
  EXPECT_LT((run.at(3.0).q - on_ellipse(0.6, 3.0)).norm(), 1e-6);
}
TEST(AdaptiveSteps, saved_states_continue_bitwise) {
  using System = Kepler<double>;
  const System system = kepler<double>();
  const auto from = pericentre(0.6);
  const auto same_after = [&](auto method) {
    auto z = method.start(from.q, from.v);
    for (int k = 0; k < 50; ++k) EXPECT_TRUE(method.step(z, 0.05).ok());
    auto other = method.start(from.q, from.v);
    load_state(save_state(z), other);
    for (int k = 0; k < 50; ++k) EXPECT_TRUE(method.step(z, 0.05).ok() && method.step(other, 0.05).ok());
    return save_state(z) == save_state(other);
  };
  using Density = KeplerDensity<System>;
  for_each_symplectic<System>(
      Density(), [&](const char* name, const auto& make) { EXPECT_TRUE(same_after(make(system))) << name; });
  EXPECT_TRUE(same_after(ReversibleAdaptiveVerlet<System, Density>(system, Density())));
  EXPECT_TRUE(same_after(IntegratedSteps(VelocityVerlet<System>(system), Density())));
  EXPECT_TRUE(same_after(ReversibleSteps(VelocityVerlet<System>(system), Density())));
  EXPECT_TRUE(same_after(LogarithmicHamiltonian<System>(system)));
  const auto near_circle = pericentre(0.2);
  const auto same_near_circle = [&](auto momentum) {
    auto z = momentum.start(near_circle.q, near_circle.v), other = z;
    for (int k = 0; k < 50; ++k) EXPECT_TRUE(momentum.step(z, 0.01).ok());
    load_state(save_state(z), other);
    for (int k = 0; k < 50; ++k) EXPECT_TRUE(momentum.step(z, 0.01).ok() && momentum.step(other, 0.01).ok());
    return save_state(z) == save_state(other);
  };
  EXPECT_TRUE(same_near_circle(SymplecticEnergyMomentum(system)));
  EXPECT_TRUE(same_near_circle(MidpointEnergyMomentum(system)));
}

}  // namespace adaptive_runs_test
}  // namespace livi

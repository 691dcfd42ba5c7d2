// SPDX-License-Identifier: MIT
//
// Langevin dynamics with constraints: the bath in the tangent space by its linearity, at masses of every kind; both
// splittings without friction, without force and against the composition of stochastic/geometric_langevin.hpp; their
// weak order; what is refused.
#include <gtest/gtest.h>

#include <Eigen/LU>
#include <livi/stochastic/constrained_langevin.hpp>
#include <livi/stochastic/geometric_langevin.hpp>
#include <livi/systems/distance_constraints.hpp>
#include <livi/systems/stochastic_problems.hpp>
#include <livi/trajectory/checkpoint.hpp>

#include "stochastic_step.hpp"
#include "study/models/langevin_averages.hpp"

namespace livi {

namespace constrained_langevin_test {

using stochastic_test::constraint_defect;
using stochastic_test::tangent_defect;

constexpr double epsilon = std::numeric_limits<double>::epsilon();
constexpr Bath<double> warm{0.8, 2.5, Friction::momentum}, none{0, 2.5, Friction::momentum};

auto sphere() { return sphere_pendulum<double>(coordinate_noise<double, 3>(0, std::array{0})); }
/// Two constraints, a full mass.
auto rods() { return double_sphere_pendulum<double>(coordinate_noise<double, 6>(0, std::array{0})); }
/// Three constraints, a diagonal mass.
auto water() { return water_in_field<double>(0.3, 0); }
/// The motion without force on the sphere.
auto free_sphere() {
  auto problem = sphere();
  using System = decltype(problem.system);
  return StochasticProblem<System>{
      {ScalarMass<double, 3>(1.0), {zeros<Vector<double, 3>>()}, {1.0}, problem.system.noise()}, problem.q, problem.v};
}

// A dynamic size asks for one instantiation of the inverse only.
using Square = Matrix<double, Dynamic>;

template <class System>
Square mass_matrix(const System& system) {
  Square matrix = Square::Identity(system.size(), system.size());
  for (Eigen::Index j = 0; j < system.size(); ++j)
    matrix.col(j) = system.momentum(typename System::vector_type(matrix.col(j)));
  return matrix;
}
/// M^-1 - M^-1 G^T (G M^-1 G^T)^-1 G M^-1, by inverses.
template <class System>
Square tangent_covariance(const System& system, const typename System::vector_type& q) {
  typename System::jacobian_type jacobian;
  system.constraint().jacobian(q, jacobian);
  const Square inverse = mass_matrix(system).inverse(), g = jacobian, directions = inverse * g.transpose();
  return inverse - directions * Square(g * directions).inverse() * directions.transpose();
}

/// The bath maps v to A v + B xi.
template <class Problem>
void expect_exact_bath(const Problem& problem) {
  using System = std::decay_t<decltype(problem.system)>;
  using V = typename System::vector_type;
  const System& system = problem.system;
  const double t = 0.3, c = std::exp(-warm.gamma * t);
  TangentOrnsteinUhlenbeck<System> bath(system, warm);
  WorkCounters work;
  const Square tangent = tangent_covariance(system, problem.q);
  Square b(system.size(), system.size());
  for (Eigen::Index j = 0; j < system.size(); ++j) {
    V v = tangent.col(j), unit = V::Unit(j), of_noise = V::Zero();
    const V before = v;
    ASSERT_TRUE(bath(problem.q, v, V(V::Zero()), t, work).ok());
    EXPECT_LT((v - c * before).norm(), 100 * epsilon * before.norm());
    ASSERT_TRUE(bath(problem.q, of_noise, unit, t, work).ok());
    b.col(j) = of_noise;
  }
  const Square expected = (1 - c * c) / warm.inverse_temperature * tangent;
  EXPECT_LT(Square(b * b.transpose() - expected).norm(), 1000 * epsilon * expected.norm());
  // Stationary: c^2 Sigma + B B^T = Sigma for Sigma = tangent/beta, of trace (n - m)/beta in the metric of the mass.
  EXPECT_NEAR(Square(mass_matrix(system) * tangent).trace(),
              static_cast<double>(system.size() - System::constraint_type::constraints), 1e-12);
  // A control: noise of the covariance of free velocities, which is not that of tangent ones.
  EXPECT_GT(Square((1 - c * c) / warm.inverse_temperature * mass_matrix(system).inverse() - expected).norm(),
            0.1 * expected.norm());
}

TEST(TangentOrnsteinUhlenbeck, has_the_mean_and_covariance_of_tangent_velocities_at_every_mass) {
  expect_exact_bath(sphere());
  expect_exact_bath(rods());
  expect_exact_bath(water());
}

TEST(TangentOrnsteinUhlenbeck, takes_the_time_of_each_call_and_changes_nothing_without_friction) {
  const auto problem = rods();
  using System = std::decay_t<decltype(problem.system)>;
  WorkCounters work;
  const Vector<double, 6> xi = Vector<double, 6>::Constant(0.7);
  TangentOrnsteinUhlenbeck<System> used(problem.system, warm), fresh(problem.system, warm), quiet(problem.system, none);
  auto one = problem.v, other = problem.v, kept = problem.v;
  ASSERT_TRUE(used(problem.q, kept, xi, 0.5, work).ok());
  ASSERT_TRUE(used(problem.q, one, xi, 0.1, work).ok());
  ASSERT_TRUE(fresh(problem.q, other, xi, 0.1, work).ok());
  EXPECT_EQ(one, other);
  kept = problem.v;
  ASSERT_TRUE(quiet(problem.q, kept, xi, -0.1, work).ok());
  EXPECT_EQ(kept, problem.v);
}

template <class Problem>
void expect_constraints(const Problem& problem) {
  using System = std::decay_t<decltype(problem.system)>;
  const auto run = [&](auto method) {
    auto z = method.start(problem.q, problem.v);
    double of_position = 0, of_velocity = 0;
    for (int k = 0; k < 300; ++k) {
      ASSERT_TRUE(method.step(z, 0.02).ok());
      of_position = std::max(of_position, constraint_defect(problem.system, z.q));
      of_velocity = std::max(of_velocity, tangent_defect(problem.system, z.q, z.v));
    }
    // The solver's tolerance is 32 units of the last place, in a position of the size of the system.
    EXPECT_LT(of_position, 64 * epsilon * (1 + z.q.squaredNorm()));
    EXPECT_LT(of_velocity, 64 * epsilon * (1 + z.q.norm() * z.v.norm()));
  };
  run(ConstrainedObabo<System>(problem.system, warm, NormalNumbers(5)));
  run(GeodesicBaoab<System>(problem.system, warm, NormalNumbers(5)));
  run(GeodesicBaoab<System>(problem.system, warm, NormalNumbers(5), 3));
}

TEST(ConstrainedLangevin, keeps_the_constraints_and_the_tangent_space) {
  expect_constraints(sphere());
  expect_constraints(rods());
  expect_constraints(water());
}

TEST(ConstrainedObabo, without_friction_is_rattle_bitwise) {
  const auto run = [](const auto& problem) {
    Rattle rattle(problem.system);
    ConstrainedObabo langevin(problem.system, none), with_friction(problem.system, warm);
    auto z = rattle.start(problem.q, problem.v);
    auto y = langevin.start(problem.q, problem.v), x = with_friction.start(problem.q, problem.v);
    for (int k = 0; k < 50; ++k) {
      ASSERT_TRUE(rattle.step(z, 0.05).ok());
      ASSERT_TRUE(langevin.step(y, 0.05).ok());
      ASSERT_TRUE(with_friction.step(x, 0.05).ok());
    }
    EXPECT_EQ(y.q, z.q);
    EXPECT_EQ(y.v, z.v);
    EXPECT_NE(x.q, z.q);
  };
  run(sphere());
  run(rods());
  run(water());
}

TEST(GeodesicBaoab, without_friction_and_force_is_rattle_bitwise_in_as_many_steps_as_it_says) {
  const auto problem = free_sphere();
  using System = std::decay_t<decltype(problem.system)>;
  for (const int parts : {1, 2}) {
    Rattle rattle(problem.system);
    GeodesicBaoab<System> langevin(problem.system, none, NormalNumbers(), parts);
    auto z = rattle.start(problem.q, problem.v);
    auto y = langevin.start(problem.q, problem.v);
    for (int k = 0; k < 20; ++k) {
      ASSERT_TRUE(langevin.step(y, 0.3).ok());
      for (int part = 0; part < 2 * parts; ++part) ASSERT_TRUE(rattle.step(z, 0.3 / 2 / parts).ok());
    }
    EXPECT_EQ(y.q, z.q);
    EXPECT_EQ(y.v, z.v);
  }
}

TEST(GeodesicBaoab, without_friction_is_symmetric_and_of_order_two) {
  const auto problem = rods();
  GeodesicBaoab method(problem.system, none);
  auto z = method.start(problem.q, problem.v);
  ASSERT_TRUE(method.step(z, 0.1).ok());
  ASSERT_TRUE(method.step(z, -0.1).ok());
  EXPECT_LT((z.q - problem.q).norm() + (z.v - problem.v).norm(), 1e-13);
  // Differences of solutions with steps halved fall by four.
  const auto after = [&](int steps) {
    auto y = method.start(problem.q, problem.v);
    for (int k = 0; k < steps; ++k) EXPECT_TRUE(method.step(y, 0.4 / steps).ok());
    return y.q;
  };
  const Vector<double, 6> coarse = after(10), middle = after(20), fine = after(40);
  EXPECT_NEAR((coarse - middle).norm() / (middle - fine).norm(), 4, 0.2);
}

TEST(ConstrainedObabo, is_the_composition_of_geometric_langevin_where_that_has_one_rate) {
  const auto run = [](const auto& problem) {
    using System = std::decay_t<decltype(problem.system)>;
    ConstrainedObabo<System> one(problem.system, warm, NormalNumbers(9));
    GeometricLangevin other{Rattle(problem.system), warm, NormalNumbers(9), BathComposition::around_step};
    auto z = one.start(problem.q, problem.v);
    auto y = other.start(problem.q, problem.v);
    for (int k = 0; k < 50; ++k) {
      ASSERT_TRUE(one.step(z, 0.05).ok());
      ASSERT_TRUE(other.step(y, 0.05).ok());
    }
    // Rounding, some units a step.
    EXPECT_LT((z.q - y.q).norm() + (z.v - y.v).norm(), 1e-12);
  };
  run(sphere());
  run(water());
}

/// No noise.
struct Silence {
  void operator()(std::uint64_t, std::uint64_t, double* out, std::ptrdiff_t n) const { std::fill_n(out, n, 0.0); }
};

TEST(ConstrainedLangevin, has_the_friction_of_the_whole_step) {
  const auto problem = free_sphere();
  using System = std::decay_t<decltype(problem.system)>;
  // Free RATTLE on a sphere keeps |v|.
  const auto run = [&](auto method) {
    auto z = method.start(problem.q, problem.v);
    for (int k = 0; k < 5; ++k) ASSERT_TRUE(method.step(z, 0.2).ok());
    EXPECT_NEAR(z.v.norm(), std::exp(-warm.gamma) * problem.v.norm(), 1e-14);
  };
  run(ConstrainedObabo<System, Silence>(problem.system, warm));
  run(GeodesicBaoab<System, Silence>(problem.system, warm));
}

/// Writes down what is asked for.
struct Recorder {
  std::vector<std::pair<std::uint64_t, std::uint64_t>>* asked;
  void operator()(std::uint64_t step, std::uint64_t draw, double* out, std::ptrdiff_t n) const {
    asked->emplace_back(step, draw);
    std::fill_n(out, n, 0.0);
  }
};

TEST(ConstrainedLangevin, has_noise_of_its_own_in_each_part_of_each_step) {
  const auto problem = sphere();
  using System = std::decay_t<decltype(problem.system)>;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> asked;
  ConstrainedObabo<System, Recorder> obabo(problem.system, warm, Recorder{&asked});
  GeodesicBaoab<System, Recorder> baoab(problem.system, warm, Recorder{&asked});
  auto z = obabo.start(problem.q, problem.v);
  auto y = baoab.start(problem.q, problem.v);
  for (int k = 0; k < 2; ++k) {
    ASSERT_TRUE(obabo.step(z, 0.1).ok());
    ASSERT_TRUE(baoab.step(y, 0.1).ok());
  }
  const std::vector<std::pair<std::uint64_t, std::uint64_t>> expected{{0, 1}, {0, 0}, {0, 0}, {1, 1}, {1, 0}, {1, 0}};
  EXPECT_EQ(asked, expected);
}

TEST(ConstrainedLangevin, may_be_interrupted) {
  const auto problem = rods();
  using System = std::decay_t<decltype(problem.system)>;
  const auto run = [&](const auto& make) {
    auto whole = make();
    auto z = whole.start(problem.q, problem.v);
    for (int k = 0; k < 12; ++k) ASSERT_TRUE(whole.step(z, 0.05).ok());
    auto first = make(), second = make();
    auto y = first.start(problem.q, problem.v), x = second.start(problem.q, problem.v);
    for (int k = 0; k < 5; ++k) ASSERT_TRUE(first.step(y, 0.05).ok());
    load_state(save_state(y), x);
    for (int k = 5; k < 12; ++k) ASSERT_TRUE(second.step(x, 0.05).ok());
    EXPECT_EQ(save_state(x), save_state(z));
  };
  run([&] { return ConstrainedObabo<System>(problem.system, warm, NormalNumbers(7)); });
  run([&] { return GeodesicBaoab<System>(problem.system, warm, NormalNumbers(7)); });
}

TEST(ConstrainedLangevin, says_where_the_multiplier_does_not_exist) {
  const auto problem = free_sphere();
  using System = std::decay_t<decltype(problem.system)>;
  const Vector<double, 3> q(0, 0, -1);
  const auto outcome = [&](auto method, double speed) {
    auto z = method.start(q, Vector<double, 3>(speed, 0, 0));
    return method.step(z, 0.1).failure;
  };
  const ConstrainedObabo obabo(problem.system, none);
  const GeodesicBaoab once(problem.system, none);
  const GeodesicBaoab<System> twice(problem.system, none, NormalNumbers(), 2);
  EXPECT_EQ(outcome(obabo, 9.9), Failure::none);
  EXPECT_EQ(outcome(obabo, 10.1), Failure::no_real_root);
  EXPECT_EQ(outcome(once, 19.9), Failure::none);
  EXPECT_EQ(outcome(once, 20.1), Failure::no_real_root);
  EXPECT_EQ(outcome(twice, 39.9), Failure::none);
  EXPECT_EQ(outcome(twice, 40.1), Failure::no_real_root);
}

/// The unit sphere with an algorithm of its own for the multiplier: Newton's method, which does not ask which solution it finds.
class NewtonOnTheSphere {
 public:
  using V = Vector<double, 3>;
  template <class Constraint, class Mass>
  NewtonOnTheSphere(const Constraint&, const Mass&) {}
  void set_directions(const V& q) { direction_ = q; }
  template <class Newton>
  MultiplierOutcome solve_position(const V& r, const Newton& newton, Vector<double, 1>& mu, V& q) {
    for (int iteration = 1; iteration <= newton.max_iterations; ++iteration) {
      q = r + mu(0) * direction_;
      const double update = (q.squaredNorm() - 1) / 2 / q.dot(direction_);
      mu(0) -= update;
      if (std::abs(update) <= newton.tolerance) {
        q = r + mu(0) * direction_;
        return {.iterations = iteration};
      }
    }
    return {MultiplierOutcome::Failure::no_convergence, 0, newton.max_iterations};
  }
  MultiplierOutcome project_velocity(const V& q, V& v, Vector<double, 1>& kappa) {
    kappa(0) = -q.dot(v) / q.squaredNorm();
    v += kappa(0) * q;
    return {};
  }
  void push(const Vector<double, 1>& mu, V& out) const { out = mu(0) * direction_; }

 private:
  V direction_;
};
struct SphereOfItsOwn : QuadraticConstraint<double, 3> {
  using multiplier_equations = NewtonOnTheSphere;
};

TEST(ConstrainedLangevin, takes_the_nearest_multiplier_where_a_constraint_has_an_algorithm_of_its_own) {
  const ConstrainedSystem system(ScalarMass<double, 3>(1.0), UniformField<double, 3>{zeros<Vector<double, 3>>()},
                                 SphereOfItsOwn{{Matrix<double, 3>::Identity(), 0.5}});
  const Vector<double, 3> q(1, 0, 0), v(0, 6, 0);
  // The multiplier of the last step is the guess of this one.
  for (const double guess : {0.0, -400.0, -1600.0}) {
    ConstrainedObabo obabo(system, none);
    auto z = obabo.start(q, v);
    z.kappa(0) = guess;
    ASSERT_TRUE(obabo.step(z, 0.1).ok()) << guess;
    EXPECT_NEAR(z.q(0), 0.8, 1e-14) << guess;
    GeodesicBaoab baoab(system, none);
    auto y = baoab.start(q, v);
    y.kappa(0) = guess;
    ASSERT_TRUE(baoab.step(y, 0.1).ok()) << guess;
    // Two turns by asin(0.3).
    EXPECT_NEAR(y.q(0), 1 - 2 * 0.09, 1e-14) << guess;
    EXPECT_NEAR(y.q(1), 2 * 0.3 * std::sqrt(0.91), 1e-14) << guess << ": not over the far side and back";
  }
  ConstrainedObabo obabo(system, none);
  auto z = obabo.start(q, Vector<double, 3>(0, 10.1, 0));
  EXPECT_EQ(obabo.step(z, 0.1).failure, Failure::no_real_root);
  GeodesicBaoab baoab(system, none);
  auto y = baoab.start(q, Vector<double, 3>(0, 20.1, 0));
  EXPECT_EQ(baoab.step(y, 0.1).failure, Failure::no_real_root);
}

/// Expects InvalidParameter with this name.
template <class F>
void expect_refused(const F& f, const std::string& name) {
  try {
    f();
    ADD_FAILURE() << "not refused: " << name;
  } catch (const InvalidParameter& refusal) {
    EXPECT_NE(std::string(refusal.what()).find(name), std::string::npos) << refusal.what();
  }
}

TEST(ConstrainedLangevin, refuses_what_cannot_be_meant) {
  const auto problem = sphere();
  using System = std::decay_t<decltype(problem.system)>;
  const auto both = [&](const Bath<double>& bath, const std::string& name) {
    expect_refused([&] { ConstrainedObabo<System>(problem.system, bath); }, name);
    expect_refused([&] { GeodesicBaoab<System>(problem.system, bath); }, name);
  };
  both({-0.1, 1, Friction::momentum}, "gamma");
  both({std::numeric_limits<double>::quiet_NaN(), 1, Friction::momentum}, "gamma");
  both({1, 0, Friction::momentum}, "inverse temperature");
  both({1, 1, Friction::velocity}, "Friction::velocity");
  expect_refused([&] { GeodesicBaoab<System>(problem.system, warm, NormalNumbers(), 0); }, "geodesic steps");
  const auto step = [&](auto method, double h) {
    auto z = method.start(problem.q, problem.v);
    static_cast<void>(method.step(z, h));
  };
  for (const double h : {0.0, -0.1, std::numeric_limits<double>::infinity()}) {
    expect_refused([&] { step(ConstrainedObabo(problem.system, warm), h); }, "h");
    expect_refused([&] { step(GeodesicBaoab(problem.system, warm), h); }, "h");
  }
  const ConstrainedObabo obabo(problem.system, warm);
  const GeodesicBaoab baoab(problem.system, warm);
  const Vector<double, 3> off(0, 0, 1.1);
  expect_refused([&] { static_cast<void>(obabo.start(off, problem.v)); }, "constraint");
  expect_refused([&] { static_cast<void>(baoab.start(off, problem.v)); }, "constraint");
}

TEST(ConstrainedLangevin, declares_structure_without_friction_only) {
  const auto problem = sphere();
  for (const auto& [bath, structure] : {std::pair(none, true), std::pair(warm, false)}) {
    const Properties of_obabo = ConstrainedObabo(problem.system, bath).declares(),
                     of_baoab = GeodesicBaoab(problem.system, bath).declares();
    EXPECT_EQ(of_obabo.symplectic && of_obabo.symmetric, structure);
    EXPECT_EQ(of_baoab.symplectic && of_baoab.symmetric, structure);
    EXPECT_EQ(of_obabo.order, 2);
    EXPECT_EQ(of_baoab.order, 2);
  }
}

/// Normal numbers that are given: two for each draw, `draws` draws a step.
struct Nodes {
  const std::vector<double>* values;
  int draws;
  void operator()(std::uint64_t step, std::uint64_t draw, double* out, std::ptrdiff_t n) const {
    for (std::ptrdiff_t i = 0; i < n; ++i)
      out[i] = (*values)[2 * (step * static_cast<std::uint64_t>(draws) + draw) + static_cast<std::size_t>(i)];
  }
};
/// Averages of q_2, |v|^2 and q_1 v_2 after `steps` steps from one state on a circle, with three values of each normal number,
/// which have its moments up to the fifth: errors of their sixth are of the order h^3 in a step.
template <class Make>
Vector<double, 3> averages_on_a_circle(const Make& make, int draws, int steps, double h) {
  const ConstrainedSystem system(ScalarMass<double, 2>(1.0), UniformField<double, 2>{{0.3, 1}},
                                 RoundConstraint<double, 2>{1});
  std::vector<double> values(static_cast<std::size_t>(2 * draws * steps));
  std::vector<int> digits(values.size(), 0);
  Vector<double, 3> sum = zeros<Vector<double, 3>>();
  while (true) {
    double weight = 1;
    for (std::size_t i = 0; i < digits.size(); ++i) {
      values[i] = std::sqrt(3) * (digits[i] - 1);
      weight *= digits[i] == 1 ? 2.0 / 3 : 1.0 / 6;
    }
    auto method = make(system, Nodes{&values, draws});
    auto z = method.start(Vector<double, 2>(0.6, -0.8), Vector<double, 2>(0.8, 0.6));
    for (int k = 0; k < steps; ++k) EXPECT_TRUE(method.step(z, h).ok());
    sum += weight * Vector<double, 3>(z.q(1), z.v.squaredNorm(), z.q(0) * z.v(1));
    std::size_t digit = 0;
    while (digit < digits.size() && ++digits[digit] == 3) digits[digit++] = 0;
    if (digit == digits.size()) return sum;
  }
}
/// The difference between one step and two halves of it, over h^3: with weak order two it tends to a constant.
template <class Make>
Vector<double, 3> over_third_power(const Make& make, int draws, double h) {
  return (averages_on_a_circle(make, draws, 1, h) - averages_on_a_circle(make, draws, 2, h / 2)) / (h * h * h);
}

TEST(ConstrainedLangevin, has_weak_order_two) {
  const auto obabo = []<class System>(const System& system, const Nodes& nodes) {
    return ConstrainedObabo<System, Nodes>(system, warm, nodes);
  };
  const auto baoab = []<class System>(const System& system, const Nodes& nodes) {
    return GeodesicBaoab<System, Nodes>(system, warm, nodes);
  };
  const auto bath_after_step = []<class System>(const System& system, const Nodes& nodes) {
    return GeometricLangevin(Rattle(system), warm, nodes);
  };
  // Constants of the size of a tenth, which change by h or less.
  const auto change = [](const auto& make, int draws) {
    return (over_third_power(make, draws, 0.02) - over_third_power(make, draws, 0.01)).cwiseAbs().maxCoeff();
  };
  EXPECT_LT(change(obabo, 2), 0.02);
  EXPECT_LT(change(baoab, 1), 0.02);
  EXPECT_GT(over_third_power(obabo, 2, 0.01).minCoeff(), 0.05) << "no higher order either";
  // The control: with the bath after the step the difference is of order h^2.
  EXPECT_GT(change(bath_after_step, 1), 1);
  // It is that of the process: the slopes at h = 0 are L f = v_2 and -2 v . grad V - 2 gamma |v|^2 + 2 gamma/beta, to order two
  // by two steps.
  const double slope = -2 * (0.8 * 0.3 + 0.6) - 2 * warm.gamma + 2 * warm.gamma / warm.inverse_temperature, h = 0.01;
  const Vector<double, 3> at_start(-0.8, 1, 0.36);
  const auto slopes = [&](const auto& make, int draws) {
    return Vector<double, 3>(4 * (averages_on_a_circle(make, draws, 1, h / 2) - at_start) / h -
                             (averages_on_a_circle(make, draws, 1, h) - at_start) / h);
  };
  for (const auto& of : {slopes(obabo, 2), slopes(baoab, 1)}) {
    EXPECT_NEAR(of(0), 0.6, 10 * h * h);
    EXPECT_NEAR(of(1), slope, 10 * h * h);
  }
}

}  // namespace constrained_langevin_test
}  // namespace livi

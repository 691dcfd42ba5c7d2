// SPDX-License-Identifier: MIT
//
// Nothing is allocated inside a step. Counted are operator new (replaced below) and Eigen's own allocations, which go
// to malloc directly: with EIGEN_RUNTIME_NO_MALLOC Eigen asserts before each that it is allowed, and the assertion
// counts.
#include <gtest/gtest.h>

#include <cstdlib>
#include <new>

namespace {
long allocations = 0;
}

#define EIGEN_RUNTIME_NO_MALLOC
#define eigen_assert(condition)      \
  do {                               \
    if (!(condition)) ++allocations; \
  } while (false)

#include <livi/catalogue/families/adaptive.hpp>
#include <livi/catalogue/families/bodies.hpp>
#include <livi/catalogue/families/constrained.hpp>
#include <livi/catalogue/families/frames.hpp>
#include <livi/catalogue/families/lagrangian.hpp>
#include <livi/catalogue/families/mechanical.hpp>
#include <livi/catalogue/methods.hpp>
#include <livi/stochastic/commutator_rattle.hpp>
#include <livi/stochastic/constrained_runge_kutta.hpp>
#include <livi/stochastic/constrained_variational_euler.hpp>
#include <livi/stochastic/projected_methods.hpp>
#include <livi/stochastic/staircase_rattle.hpp>
#include <livi/systems/dna_chain.hpp>
#include <livi/systems/double_pendulum.hpp>
#include <livi/systems/gravity.hpp>
#include <livi/systems/potentials.hpp>
#include <livi/systems/rotation_potentials.hpp>
#include <livi/systems/stochastic_problems.hpp>
#include <livi/systems/vectorised_water.hpp>
#include <livi/trajectory/trajectory.hpp>

// Out of line, or g++ sees free() of memory from new.
[[gnu::noinline]] void* operator new(std::size_t size) {
  ++allocations;
  if (void* memory = std::malloc(size)) return memory;
  throw std::bad_alloc();
}
[[gnu::noinline]] void* operator new(std::size_t size, std::align_val_t alignment) {
  ++allocations;
  const auto step = static_cast<std::size_t>(alignment);
  if (void* memory = std::aligned_alloc(step, (size + step - 1) / step * step)) return memory;
  throw std::bad_alloc();
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }

namespace {

using livi::Dynamic;
using livi::Matrix;
using livi::Vector;

template <class F>
long allocations_in(const F& work) {
  allocations = 0;
  Eigen::internal::set_is_malloc_allowed(false);
  work();
  Eigen::internal::set_is_malloc_allowed(true);
  return allocations;
}

/// The compiler must believe that the memory is used: clang++ removes an allocation that nobody sees.
void use(const void* memory) { asm volatile("" : : "r"(memory) : "memory"); }

TEST(Counter, sees_both_kinds_of_allocation) {
  EXPECT_EQ(allocations_in([] {}), 0);
  EXPECT_EQ(allocations_in([] {
              const int* number = new int(1);
              use(number);
              delete number;
            }),
            1);
  EXPECT_EQ(allocations_in([] {
              std::vector<double> v(100);
              use(v.data());
            }),
            1);
  EXPECT_EQ(allocations_in([] {
              Vector<double, Dynamic> v(100);
              v(0) = 1;
            }),
            1);
  EXPECT_EQ(allocations_in([] {
              Vector<double, 4> v;
              v(0) = 1;
            }),
            0);
}

/// Ten steps after the first two: what the first allocates is workspace.
template <class Method, class Q, class V>
long allocations_of(Method method, const Q& q, const V& v, double h) {
  auto z = method.start(q, v);
  EXPECT_TRUE(method.step(z, h).ok());
  EXPECT_TRUE(method.step(z, h).ok());
  bool ok = true;
  const long count = allocations_in([&] {
    for (int k = 0; k < 10; ++k) ok = method.step(z, h).ok() && ok;
  });
  EXPECT_TRUE(ok);
  return count;
}

/// Expects that no method with adaptive steps allocates on a system.
template <class Methods, class System, class Density>
void expect_none_of_adaptive(const Methods& methods, const System& system, const Density& density,
                             const livi::VectorOf<System>& q, const livi::VectorOf<System>& v) {
  livi::for_each_method_of(methods, [&](const auto& method) {
    for (const auto rule : {livi::StepRule::mean, livi::StepRule::midpoint, livi::StepRule::start}) {
      // The rule of the start is not symmetric, and not for compositions.
      if (rule == livi::StepRule::start && method.info.type == "Composition") continue;
      livi::MethodOptions options;
      options.rule = rule;
      EXPECT_EQ(allocations_of(method.make(system, density, options), q, v, 0.01), 0) << method.info.name;
      if (!method.info.has(livi::step_rule)) break;
    }
  });
}

// Vectors of a size that is known at run time.
TEST(AdaptiveSteps, allocate_nothing) {
  const auto problem = livi::pythagorean_problem<double>();
  using System = livi::GravitationalSystem<double, 2>;
  const livi::InverseKineticEnergy<System> density(problem.system, 0, 0);  // 1 / -W
  expect_none_of_adaptive(livi::adaptive_verlet_methods(), problem.system, density, problem.q, problem.v);
  expect_none_of_adaptive(livi::methods_without_density(), problem.system, density, problem.q, problem.v);
  expect_none_of_adaptive(livi::controlled_methods(), problem.system, density, problem.q, problem.v);
  expect_none_of_adaptive(livi::composed_adaptive_methods(), problem.system, density, problem.q, problem.v);
  const auto rods = livi::double_pendulum<double>();
  using Rods = std::decay_t<decltype(rods)>;
  expect_none_of_adaptive(livi::controlled_constrained_methods(), rods, livi::ConstantDensity<Rods>{},
                          livi::double_pendulum_start<double>(), Vector<double, 4>(0, 0, 0, 0));
}

/// Expects that no method of a family allocates on a system, but those of which the catalogue says so.
template <class Methods, class System, class Q, class V>
void expect_none(const Methods& methods, const System& system, const Q& q, const V& v, double h) {
  livi::for_each_method_of(methods, [&](const auto& method) {
    const long count = allocations_of(method.make(system, method.info.defaults.template options<double>()), q, v, h);
    EXPECT_EQ(count > 0, method.info.allocates) << method.info.name << ": " << count;
  });
}

TEST(FixedSize, steppers_do_not_allocate) {
  const auto constrained = livi::double_pendulum<double>();
  const auto system = livi::penalised(constrained, 20.0);
  using System = std::decay_t<decltype(system)>;
  const Vector<double, 4> q = livi::double_pendulum_start<double>(), v(0, 0, 0, 0);
  const double h = 0.02;
  expect_none(livi::mechanical_methods(), system, q, v, h);
  expect_none(livi::frame_methods(), system, q, v, h);
  expect_none(livi::constrained_methods(), constrained, q, v, h);
  expect_none(livi::lagrangian_methods(), livi::double_pendulum_lagrangian<double>(), Vector<double, 2>(0, 0.5),
              Vector<double, 2>(0, 0), h);
  const livi::Bath<double> bath{0.5, 2};
  const auto around = livi::BathComposition::around_step;
  EXPECT_EQ(allocations_of(livi::GeometricLangevin{livi::ZhangSkeel<System>(system), bath}, q, v, h), 0);
  EXPECT_EQ(allocations_of(livi::GeometricLangevin{livi::Shake(constrained), bath}, q, v, h), 0);
  EXPECT_EQ(
      allocations_of(livi::GeometricLangevin{livi::Rattle(constrained), bath, livi::NormalNumbers(), around}, q, v, h),
      0);
}

/// Ten steps under noise after the first two, and one that fails because its noise is too large.
template <class Method, class Problem>
long allocations_under_noise(Method method, const Problem& problem) {
  auto z = method.start(problem.q, problem.v);
  std::vector<livi::NoiseIntegrals<double>> noises(static_cast<std::size_t>(problem.system.noise().count()),
                                                   {0.1, 1e-3}),
      large(noises.size(), {1e4, 1e2});
  EXPECT_TRUE(method.step(z, 0.01, noises).ok());
  EXPECT_TRUE(method.step(z, 0.01, noises).ok());
  bool ok = true, failed = false;
  const long count = allocations_in([&] {
    for (int k = 0; k < 10; ++k) ok = method.step(z, 0.01, noises).ok() && ok;
    auto last = z;
    failed = !method.step(last, 0.01, large).ok() || !method.step(last, 0.01, large).ok();
  });
  EXPECT_TRUE(ok);
  EXPECT_TRUE(failed);
  return count;
}
TEST(FixedSize, stochastic_steps_do_not_allocate) {
  const auto expect_none_on = [](const auto& problem) {
    const auto& system = problem.system;
    EXPECT_EQ(allocations_under_noise(livi::StochasticRattle(system), problem), 0);
    using enum livi::PathCovariance;
    EXPECT_EQ(allocations_under_noise(livi::CommutatorRattle(system, conditional_mean), problem), 0);
    EXPECT_EQ(allocations_under_noise(livi::StaircaseRattle(system, conditional_mean), problem), 0);
    EXPECT_EQ(allocations_under_noise(livi::ConstrainedVariationalEuler(system), problem), 0);
    EXPECT_EQ(allocations_under_noise(livi::ProjectedEulerMaruyama(system), problem), 0);
    EXPECT_EQ(allocations_under_noise(livi::ProjectedHeun(system), problem), 0);
    EXPECT_EQ(
        allocations_under_noise(livi::ConstrainedPartitionedRungeKutta(system, livi::lobatto<double>(3)), problem), 0);
  };
  expect_none_on(livi::sphere_pendulum<double>(livi::coordinate_noise<double, 3>(0.5, std::array{0, 2})));
  expect_none_on(livi::double_sphere_pendulum<double>(livi::coordinate_noise<double, 6>(0.5, std::array{0, 5})));
}

TEST(FixedSize, bodies_do_not_allocate) {
  const auto [q, w] = livi::stress_test_start<double>();
  expect_none(livi::body_methods(), livi::stress_test<double>(), q, w, 0.125);
  const auto matrices = livi::penalised_body<double>(1, 10);
  using Matrices = std::decay_t<decltype(matrices)>;
  const auto x = livi::matrix_position(q), v = livi::matrix_velocity(q, w);
  expect_none(livi::matrix_methods(), matrices, x, v, 0.125);
  // R far from SO(3): the nine equations.
  EXPECT_EQ(allocations_of(livi::LinearizedSO3<Matrices>(matrices, {0.4}), Vector<double, 9>(0.3 * x), v, 0.01), 0);
}

TEST(FixedSize, trajectories_do_not_allocate) {
  const auto system = livi::penalised(livi::double_pendulum<double>(), 20.0);
  livi::ZhangSkeel<std::decay_t<decltype(system)>> method(system);
  livi::Trajectory run(method, method.start(livi::double_pendulum_start<double>(), {0, 0, 0, 0}), 0.02, 100);
  double sum = 0;
  EXPECT_EQ(allocations_in([&] {
              for (const auto& point : run) sum += point.state.q(3);
            }),
            0);
  EXPECT_TRUE(run.outcome().ok());
  EXPECT_LT(sum, 0);
}

// The chain of any length, with its O(n) solver.
TEST(RunTimeSize, chains_do_not_allocate_after_the_first_step) {
  using Constraint = livi::PlanarChainConstraint<double, Dynamic, livi::BlockTridiagonalHessian<double, 2>>;
  const Vector<double, Dynamic> lengths = Vector<double, Dynamic>::Ones(5);
  Vector<double, Dynamic> q(10);
  for (int k = 0; k < 5; ++k) {
    q(2 * k) = 0.6 * (k + 1);
    q(2 * k + 1) = -0.8 * (k + 1);
  }
  const livi::ConstrainedSystem<livi::ScalarMass<double, Dynamic>, livi::GravityPotential<double, Dynamic>, Constraint>
      chain{livi::ScalarMass<double, Dynamic>(1, 10), {1}, Constraint{lengths}};
  const auto system = livi::penalised(chain, 20.0);
  using System = std::decay_t<decltype(system)>;
  const Vector<double, Dynamic> rest = Vector<double, Dynamic>::Zero(10);
  EXPECT_EQ(allocations_of(livi::ZhangSkeel<System>(system), q, rest, 0.01), 0);
  EXPECT_EQ(allocations_of(livi::SimplifiedZhangSkeel<System>(system), q, rest, 0.01), 0);
  EXPECT_EQ(allocations_of(livi::PushforwardNewmark<System>(system), q, rest, 0.01), 0);
  EXPECT_EQ(allocations_of(livi::VelocityVerlet<System>(system), q, rest, 0.01), 0);
  EXPECT_EQ(allocations_of(livi::Shake(chain), q, rest, 0.01), 0);
  EXPECT_EQ(allocations_of(livi::Rattle(chain), q, rest, 0.01), 0);
  const livi::Bath<double> bath{0.5, 2};
  EXPECT_EQ(allocations_of(livi::GeometricLangevin{livi::ZhangSkeel<System>(system), bath}, q, rest, 0.01), 0);
  EXPECT_EQ(allocations_of(livi::GeometricLangevin{livi::Shake(chain), bath}, q, rest, 0.01), 0);
  EXPECT_EQ(allocations_of(livi::GeometricLangevin{livi::Rattle(chain), bath}, q, rest, 0.01), 0);
  const livi::ConstrainedSystem dense{chain.mass(), chain.potential(),
                                      livi::PlanarChainConstraint<double, Dynamic>{lengths}};
  EXPECT_EQ(allocations_of(livi::Shake(dense), q, rest, 0.01), 0);
  EXPECT_EQ(allocations_of(livi::Rattle(dense), q, rest, 0.01), 0);
}

TEST(RunTimeSize, rings_do_not_allocate_after_the_first_step) {
  for (const livi::ChainEnds ends : {livi::ChainEnds::periodic, livi::ChainEnds::free}) {
    const auto system = livi::dna_chain<double>(301, ends);
    using System = std::decay_t<decltype(system)>;
    const Vector<double, Dynamic> q = Vector<double, Dynamic>::LinSpaced(301, 0.6, 1);
    const auto v = livi::dna_start_velocity<double>(301);
    EXPECT_EQ(allocations_of(livi::ZhangSkeel<System>(system, {0.3}), q, v, 2.0), 0);
    EXPECT_EQ(allocations_of(livi::SimplifiedZhangSkeel<System>(system, {0.3}), q, v, 2.0), 0);
    EXPECT_EQ(allocations_of(livi::PushforwardNewmark<System>(system), q, v, 0.5), 0);
    EXPECT_EQ(allocations_of(livi::VelocityVerlet<System>(system), q, v, 0.2), 0);
  }
}

TEST(RunTimeSize, water_does_not_allocate_after_the_first_step) {
  const auto molecule = livi::water_molecule(livi::tip3p<double>());
  Vector<double, Dynamic> q(27);
  for (int i = 0; i < 27; ++i) q(i) = molecule(i % 9) + (i % 3 == 0 ? 3.0 * (i / 9) : 0.0);
  const Vector<double, Dynamic> v = Vector<double, Dynamic>::Zero(27);
  const livi::Bath<double> bath{0.01, 50};
  const auto expect_none = [&](const auto& rigid) {
    const auto restrained = penalised(rigid, 20.0);
    EXPECT_EQ(allocations_of(livi::StiffZhangSkeel(restrained), q, v, 0.05), 0);
    EXPECT_EQ(allocations_of(livi::VariationalStiffZhangSkeel(restrained, {0.3}), q, v, 0.05), 0);
    EXPECT_EQ(allocations_of(livi::GeometricLangevin{livi::StiffZhangSkeel(restrained), bath}, q, v, 0.05), 0);
    EXPECT_EQ(allocations_of(livi::Shake(rigid), q, v, 0.05), 0);
    EXPECT_EQ(allocations_of(livi::Rattle(rigid), q, v, 0.05), 0);
    EXPECT_EQ(allocations_of(livi::GeometricLangevin{livi::Shake(rigid), bath}, q, v, 0.05), 0);
    EXPECT_EQ(allocations_of(livi::GeometricLangevin{livi::Rattle(rigid), bath}, q, v, 0.05), 0);
  };
  expect_none(livi::water_cluster<double>(3));
  expect_none(livi::vectorised_water_cluster(3));
}

TEST(RunTimeSize, a_full_mass_does_not_allocate_after_the_first_step) {
  using System =
      livi::MechanicalSystem<livi::FullMass<double, Dynamic>, livi::CoupledAnharmonicPotential<double, Dynamic>>;
  Matrix<double, Dynamic> m(3, 3);
  m << 3, 1, 0, 1, 2, -0.5, 0, -0.5, 1;
  const System system(livi::FullMass<double, Dynamic>(m), {0.75, 0.5});
  const Vector<double, Dynamic> q = Vector<double, Dynamic>::Constant(3, 0.4), v = Vector<double, Dynamic>::Zero(3);
  expect_none(livi::newmark_methods(), system, q, v, 0.1);
  expect_none(livi::explicit_methods(), system, q, v, 0.1);
  expect_none(livi::midpoint_methods(), system, q, v, 0.1);
  expect_none(livi::composition_methods(), system, q, v, 0.1);
  expect_none(livi::runge_kutta_methods(), system, q, v, 0.1);
}

// --- solvers --------------------------------------------------------------------------------------------------------

/// Factorises and solves three times: with H positive definite, indefinite, and positive definite again.
template <class Hessian, class Mass>
long allocations_of_solver(const Mass& mass, Hessian definite, Hessian indefinite) {
  livi::ShiftedSolver<Hessian> solver;
  Vector<double, Dynamic> b = Vector<double, Dynamic>::Ones(definite.size());
  bool as_expected = true;
  const auto work = [&] {
    as_expected = as_expected && !solver.factor(mass, 1.0, definite).indefinite;
    solver.solve_in_place(b);
    as_expected = as_expected && solver.factor(mass, 1.0, indefinite).indefinite;
    solver.solve_in_place(b);
  };
  work();  // the first of each kind may
  const long count = allocations_in([&] {
    work();
    work();
  });
  EXPECT_TRUE(as_expected);
  return count;
}

TEST(RunTimeSize, solvers_do_not_allocate_after_the_first_factorisation) {
  const livi::ScalarMass<double, Dynamic> mass(1, 6);
  const livi::FullMass<double, Dynamic> full(Matrix<double, Dynamic>::Identity(6, 6));
  livi::DenseHessian<double, Dynamic> dense(6), dense_indefinite(6);
  dense_indefinite.matrix(2, 2) = -3;
  EXPECT_EQ(allocations_of_solver(mass, dense, dense_indefinite), 0);
  EXPECT_EQ(allocations_of_solver(full, dense, dense_indefinite), 0);
  livi::DiagonalHessian<double, Dynamic> diagonal(6), diagonal_indefinite(6);
  diagonal_indefinite.diagonal(2) = -3;
  EXPECT_EQ(allocations_of_solver(mass, diagonal, diagonal_indefinite), 0);
  livi::BlockDiagonalHessian<double, 2> blocks(6), blocks_indefinite(6);
  blocks_indefinite.blocks[1](0, 0) = -3;
  EXPECT_EQ(allocations_of_solver(mass, blocks, blocks_indefinite), 0);
  livi::BlockTridiagonalHessian<double, 2> banded(6), banded_indefinite(6);
  banded_indefinite.diagonal[1](0, 0) = -3;
  EXPECT_EQ(allocations_of_solver(mass, banded, banded_indefinite), 0);
  livi::CyclicTridiagonalHessian<double> ring(6), ring_indefinite(6);
  ring.lower.setConstant(0.2);
  ring_indefinite.lower.setConstant(0.2);
  ring_indefinite.diagonal(2) = -3;
  EXPECT_EQ(allocations_of_solver(mass, ring, ring_indefinite), 0);
}

}  // namespace

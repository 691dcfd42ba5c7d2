// SPDX-License-Identifier: MIT
//
// Stationary averages of the methods for constrained systems in a bath, by quadrature: their orders, and where there
// is none.
#include <gtest/gtest.h>

#include <array>
#include <livi/stochastic/constrained_langevin.hpp>
#include <livi/stochastic/geometric_langevin.hpp>
#include <livi/systems/stochastic_problems.hpp>

#include "study/models/langevin_averages.hpp"

namespace livi {

namespace constrained_langevin_averages_test {

auto sphere() { return sphere_pendulum<double>(coordinate_noise<double, 3>(0, std::array{0})); }

TEST(GaussRules, integrate_what_they_must) {
  const auto mean = [](const langevin::GaussRule& rule, int power) {
    double sum = 0;
    for (Eigen::Index i = 0; i < rule.nodes.size(); ++i) sum += rule.weights(i) * std::pow(rule.nodes(i), power);
    return sum;
  };
  EXPECT_NEAR(mean(langevin::legendre_rule(4), 6), 2.0 / 7, 1e-14);
  EXPECT_NEAR(mean(langevin::laguerre_rule(4), 7), 5040, 1e-9);
  EXPECT_NEAR(mean(langevin::hermite_rule(4), 6), 15, 1e-12);
  // Beyond their degree they are wrong.
  EXPECT_GT(std::abs(mean(langevin::hermite_rule(4), 8) - 105), 1);
}

/// The errors of E z and of E |v|^2 of a method on the sphere at beta = 3, friction 1.
template <class Make>
std::pair<double, double> errors(const Make& make, double h) {
  constexpr double beta = 3;
  const auto problem = sphere();
  Vector<double, 3> xi(0, 0, 0);
  auto method = make(problem.system, Bath<double>{1, beta, Friction::momentum}, langevin::GivenNormals{&xi});
  const langevin::Averages found =
      langevin::stationary_averages(beta, 4, [&](auto& q, auto& v, const Vector<double, 3>& normal) {
        xi = normal;
        auto z = method.start(q, v);
        if (!method.step(z, h).ok()) return false;
        q = z.q;
        v = z.v;
        return true;
      });
  const langevin::Averages gibbs = langevin::gibbs_averages(beta);
  return {found.z - gibbs.z, found.v_squared - gibbs.v_squared};
}

TEST(ConstrainedLangevin, has_averages_of_order_two_and_rattle_kinetic_ones_of_order_four) {
  const auto rattle = []<class System>(const System& system, const auto& bath, const auto& normals) {
    return GeometricLangevin(Rattle(system), bath, normals);
  };
  const auto baoab = []<class System>(const System& system, const auto& bath, const auto& normals) {
    return GeodesicBaoab<System, langevin::GivenNormals>(system, bath, normals);
  };
  const auto [rattle_z, rattle_v] = errors(rattle, 0.16);
  const auto [rattle_z_half, rattle_v_half] = errors(rattle, 0.08);
  const auto [baoab_z, baoab_v] = errors(baoab, 0.16);
  const auto [baoab_z_half, baoab_v_half] = errors(baoab, 0.08);
  // The next term is relatively h^2 = 0.03, of the ratio three quarters of that.
  EXPECT_NEAR(rattle_z / rattle_z_half, 4, 0.1);
  EXPECT_NEAR(baoab_z / baoab_z_half, 4, 0.1);
  EXPECT_NEAR(baoab_v / baoab_v_half, 4, 0.1);
  EXPECT_NEAR(rattle_v / rattle_v_half, 16, 1.6);
  EXPECT_LT(std::abs(baoab_z), 0.5 * std::abs(rattle_z));
}

TEST(StationaryAverages, say_where_there_is_more_than_one_measure_and_where_a_step_fails) {
  // The exact bath alone leaves each z alone: every measure of z is stationary, and the equations are singular.
  const auto problem = sphere();
  using System = std::decay_t<decltype(problem.system)>;
  TangentOrnsteinUhlenbeck<System> bath(problem.system, {1, 3, Friction::momentum});
  WorkCounters work;
  EXPECT_THROW(
      static_cast<void>(langevin::stationary_averages(
          3, 4, [&](auto& q, auto& v, const Vector<double, 3>& normal) { return bath(q, v, normal, 0.1, work).ok(); })),
      std::runtime_error);
  // To first order in beta.
  EXPECT_NEAR(langevin::gibbs_averages(0.01).z, -0.01 / 3, 1e-6);
  EXPECT_NEAR(langevin::gibbs_averages(0.01).z_squared, 1.0 / 3, 1e-3);
  EXPECT_THROW(static_cast<void>(
                   langevin::stationary_averages(3, 4, [](auto&, auto&, const Vector<double, 3>&) { return false; })),
               std::runtime_error);
}

}  // namespace constrained_langevin_averages_test
}  // namespace livi

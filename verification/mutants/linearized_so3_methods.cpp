// SPDX-License-Identifier: MIT
//
// LinearizedSO3, in double, compiled in seconds: see methods.hpp.
#include <gtest/gtest.h>

#include <livi/diagnostics/step_symplecticity.hpp>
#include <livi/integrators/linearized_so3.hpp>
#include <livi/integrators/zhang_skeel.hpp>

#include "verification/mutants/bodies.hpp"

namespace {

using namespace livi;

// --- LinearizedSO3 --------------------------------------------------------------------------------------------------

TEST(LinearizedSO3, is_zhang_skeel_with_half_its_beta) {
  using System = PenalisedBody<double>;
  const System system = penalised_body<double>(1, 10);
  Matrix3<double> r = start_q();
  r(0, 1) += 0.03;
  r(2, 2) -= 0.04;
  LinearizedSO3<System> linearized(system, {0.4});
  ZhangSkeel<System> vectorised(system, {0.2});
  auto x = linearized.start(matrix_position(r), matrix_velocity(r, start_w));
  auto y = vectorised.start(matrix_position(r), matrix_velocity(r, start_w));
  for (int k = 0; k < 5; ++k) {
    ASSERT_TRUE(linearized.step(x, 0.1).ok());
    ASSERT_TRUE(vectorised.step(y, 0.1).ok());
  }
  EXPECT_LT((x.q - y.q).norm(), 1e-12);
  EXPECT_LT((x.v - y.v).norm(), 1e-12);
  EXPECT_EQ(linearized.work().linear_solves, vectorised.work().linear_solves);
}
TEST(LinearizedSO3, of_first_order_is_symplectic) {
  using D = Dual<double>;
  const auto make = [](const PenalisedBody<D>& s) { return LinearizedSO3Euler<PenalisedBody<D>>(s, {D(0.4)}); };
  const double defect = step_symplecticity(penalised_body<D>(D(1), D(10)), make, matrix_position(start_q()),
                                           matrix_velocity(start_q(), start_w), 0.1, CanonicalCoordinates::own);
  EXPECT_LT(defect, 1e-11);
}

}  // namespace

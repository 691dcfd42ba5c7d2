// SPDX-License-Identifier: MIT
//
// A potential of one's own, its derivatives checked, integrated by Z&S: the simple pendulum V = -cos(q).
#include <cmath>
#include <cstdio>
#include <livi/diagnostics/check_derivatives.hpp>
#include <livi/integrators/zhang_skeel.hpp>
#include <livi/trajectory/trajectory.hpp>

struct PendulumPotential {
  using scalar_type = double;
  using vector_type = livi::Vector<double, 1>;
  using hessian_type = livi::DenseHessian<double, 1>;
  static constexpr int dimension = 1;
  double value(const vector_type& q) const { return -std::cos(q(0)); }
  void gradient(const vector_type& q, vector_type& out) const { out(0) = std::sin(q(0)); }
  void hessian(const vector_type& q, hessian_type& h) const { h.matrix(0, 0) = std::cos(q(0)); }
  void third(const vector_type& q, const vector_type& a, vector_type& out) const {
    out(0) = -std::sin(q(0)) * a(0) * a(0);
  }
};

int main() {
  const PendulumPotential potential;
  const livi::Vector<double, 1> q(1.0), v(0.0);
  const livi::DerivativeCheck check = livi::check_derivatives(potential, q);
  if (!check.ok()) {
    std::printf("wrong derivatives: %s\n", check.describe().c_str());
    return 1;
  }

  const livi::MechanicalSystem system(livi::ScalarMass<double, 1>(1.0), potential);
  livi::ZhangSkeel method(system, {.beta = 0.25});
  livi::Trajectory run(method, method.start(q, v), 0.1, 100000);
  double largest = 0;
  for (const auto& point : run)
    largest = std::max(largest, std::abs(system.energy(point.state.q, point.state.v) + std::cos(1.0)));
  std::printf("%s, largest energy error %.2e\n", run.outcome().describe().c_str(), largest);
  return run.outcome().ok() && largest < 1e-2 ? 0 : 1;
}

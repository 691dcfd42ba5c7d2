// SPDX-License-Identifier: MIT
//
// An orbit of eccentricity 0.9 with steps that follow the motion: where the body is at given times, and how well the
// energy is kept, beside as many steps of constant length.
#include <cmath>
#include <cstdio>
#include <livi/adaptive/reversible_adaptive_verlet.hpp>
#include <livi/integrators/velocity_verlet.hpp>
#include <livi/systems/gravity.hpp>
#include <livi/systems/potentials.hpp>
#include <livi/trajectory/adaptive_trajectory.hpp>
#include <numbers>

using Potential = livi::CentralPotential<double, 2, livi::KeplerProfile<double>>;
using System = livi::MechanicalSystem<livi::ScalarMass<double, 2>, Potential>;

// A density of one's own: steps in time are about sigma(q) h, short near the centre.
struct Density {
  using scalar_type = double;
  using vector_type = livi::Vector<double, 2>;
  static double value(const vector_type& q) { return q.norm() * std::sqrt(q.norm()); }
  static void gradient(const vector_type& q, vector_type& out) { out = 1.5 / std::sqrt(q.norm()) * q; }
};

int main() {
  const System system(livi::ScalarMass<double, 2>(1.0), Potential{{1}});
  const livi::Vector<double, 4> start = livi::kepler_pericentre(0.9);
  const livi::Vector<double, 2> q = start.head<2>(), v = start.tail<2>();
  const double period = 2 * std::numbers::pi, end = 100 * period, energy = system.energy(q, v);
  const auto error = [&](const auto& z) { return std::abs(system.energy(z.q, z.v) - energy); };

  livi::ReversibleAdaptiveVerlet method(system, Density());
  livi::AdaptiveTrajectory run(method, method.start(q, v), period / 1000, end);
  double adaptive = 0, next = 0;
  for (const auto& point : run) {
    adaptive = std::max(adaptive, error(point.state));
    // Steps end where they do; what holds at a time asked for is read off within the last one.
    for (; next <= point.state.t && next <= period; next += period / 8) {
      const auto z = run.at(next);
      std::printf("t = %.4f  q = (%8.5f, %8.5f)\n", next, z.q(0), z.q(1));
    }
  }
  if (!run.outcome().ok()) {
    std::printf("%s\n", run.outcome().describe().c_str());
    return 1;
  }

  livi::VelocityVerlet verlet(system);
  const long steps = run.outcome().completed;
  livi::Trajectory constant(verlet, verlet.start(q, v), end / static_cast<double>(steps), steps);
  double otherwise = 0;
  for (const auto& point : constant) otherwise = std::max(otherwise, error(point.state));
  std::printf("%ld steps, largest energy error %.1e; with constant steps %.1e\n", steps, adaptive, otherwise);
  return adaptive < 1e-3 && adaptive < otherwise / 10 ? 0 : 1;
}

// SPDX-License-Identifier: MIT
#include <livi/judge/hints/bath_places.hpp>

#include <algorithm>
#include <utility>

#include <livi/judge/measures/heat_bath.hpp>
#include <livi/judge/measures/manifold.hpp>

namespace livi::foreign_detail {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using Point = TimedPoint<double>;

VectorXd BathPlace::along(const Point& z) const {
  return vector_of(is_free() ? z.p : Manifold<double>(problem).tangent(z.q, z.p));
}
MatrixXd BathPlace::projection(const std::vector<double>& q) const {
  MatrixXd result(size(), size());
  for (Eigen::Index i = 0; i < size(); ++i) {
    Point unit{0, q, std::vector<double>(q.size(), 0.0)};
    unit.p[static_cast<std::size_t>(i)] = 1;
    result.col(i) = along(unit);
  }
  return result;
}
JudgedProblem BathPlace::without_bath() const {
  JudgedProblem without = problem;
  without.kind = is_free() ? ProblemKind::mechanical : ProblemKind::constrained;
  return without;
}

namespace {

BathPlace in_a_bath(JudgedProblem problem, const std::vector<double>& q, double friction, double heat) {
  problem.potential = {};
  problem.friction = friction;
  problem.temperature = heat;
  constexpr std::array velocities{0.75, -0.5, 0.25, 0.375, -0.25, 0.625, -0.375, 0.5, 0.125};
  BathPlace place{std::move(problem), {0, q, {}}};
  for (std::size_t i = 0; i < q.size(); ++i)
    place.start.p.push_back(velocities.at(i % velocities.size()) * place.problem.masses[i]);
  const VectorXd p = place.along(place.start);
  place.start.p.assign(p.begin(), p.end());
  const bool is_free = place.is_free();
  const auto n = static_cast<double>(q.size());
  place.values = {friction,
                  heat,
                  place.problem.masses[0],
                  is_free ? n : n / 3,
                  is_free ? 1 : static_cast<double>(place.problem.constraints.size()),
                  1};
  return place;
}
/// Return free bodies; a pendulum without a force on the unit sphere; three bodies on two rods, or two on one, with masses that are
/// `factor` times those of the battery's chain, or `factor`.
BathPlace free_bodies(std::vector<double> masses, double friction, double heat) {
  const std::vector<double> q(masses.size(), 0.0);
  return in_a_bath({.name = "free bodies", .kind = ProblemKind::langevin, .masses = std::move(masses), .potential = {}},
                   q, friction, heat);
}
BathPlace on_the_sphere(double factor, double friction, double heat) {
  JudgedProblem problem = sphere_in_a_heat_bath();
  std::ranges::fill(problem.masses, factor);
  return in_a_bath(std::move(problem), {0.6, 0, 0.8}, friction, heat);
}
BathPlace on_rods(std::size_t rods, bool alike, double friction, double heat) {
  JudgedProblem problem = chain_in_a_heat_bath();
  std::vector<double> q{1, 0, 0, 0, 0, 0, 0.6, 0.8, 0};
  q.resize(3 * (rods + 1));
  problem.masses.resize(q.size());
  problem.constraints.resize(rods);
  if (alike) std::ranges::fill(problem.masses, 1.0);
  return in_a_bath(std::move(problem), q, friction, heat);
}

}  // namespace

std::vector<BathPlace> places_in_baths(bool constrained) {
  if (constrained)
    return {on_the_sphere(1, 0.75, 1.5),    on_the_sphere(1, 0.1875, 1.5), on_the_sphere(1, 0.75, 6),
            on_the_sphere(4, 0.75, 1.5),    on_rods(1, true, 0.75, 1.5),   on_rods(2, true, 0.75, 1.5),
            on_rods(2, false, 1.25, 0.8125)};
  const JudgedProblem many = many_bodies_in_a_heat_bath();
  return {free_bodies({1, 1}, 0.75, 1.5),       free_bodies({1, 1}, 0.1875, 1.5),
          free_bodies({1, 1}, 0.75, 6),         free_bodies({4, 4}, 0.75, 1.5),
          free_bodies({1, 1, 1, 1}, 0.75, 1.5), free_bodies(many.masses, many.friction, many.temperature)};
}

}  // namespace livi::foreign_detail

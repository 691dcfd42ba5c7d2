// SPDX-License-Identifier: MIT
//
// A rigid body of a problem as the judge knows it, for its own sources.
#pragma once

#include <vector>

#include <livi/judge/problems/attitude.hpp>
#include <livi/judge/problems/judged_problem.hpp>

namespace livi::foreign_detail {

/// The body of a problem, uncounted.
template <class S>
class RigidBody {
 public:
  explicit RigidBody(const JudgedProblem& problem) : problem_(&problem), inertia_(taken<Nine<S>>(problem.masses)) {
    for (std::size_t j = 0; j < 3; ++j) {
      Three<S> unit{S(0), S(0), S(0)};
      unit[j] = S(1);
      const Three<S> column = solved(inertia_, unit);
      for (std::size_t i = 0; i < 3; ++i) inverse_[3 * i + j] = column[i];
    }
  }
  [[nodiscard]] Three<S> momentum(const Three<S>& w) const { return times(inertia_, w); }
  [[nodiscard]] Three<S> velocity(const Three<S>& mu) const { return times(inverse_, mu); }
  [[nodiscard]] Three<S> torque(const Nine<S>& r) const {
    if (problem_->potential.terms.empty()) return {S(0), S(0), S(0)};
    return torque_of(r, taken<Nine<S>>(problem_->potential.gradient(listed(r), 9)));
  }
  /// Returns the rate of the momentum.
  [[nodiscard]] Three<S> force(const Nine<S>& r, const Three<S>& mu) const {
    return sum(cross(mu, velocity(mu)), S(1), torque(r));
  }
  /// Returns the derivatives of (R, mu) along the motion, twelve numbers.
  [[nodiscard]] std::vector<S> motion(const std::vector<S>& z) const {
    const auto r = taken<Nine<S>>(z);
    const Three<S> mu{z[9], z[10], z[11]};
    std::vector<S> rates = listed(product(r, hat(velocity(mu))));
    for (const S& rate : force(r, mu)) rates.push_back(rate);
    return rates;
  }

 private:
  const JudgedProblem* problem_;
  Nine<S> inertia_, inverse_;
};

}  // namespace livi::foreign_detail

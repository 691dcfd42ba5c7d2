// SPDX-License-Identifier: MIT
//
// Boost.Odeint's second-order and symplectic steppers as integrators of this library, so that they can be run, timed
// and verified beside its own. The declarations are ours: odeint's velocity_verlet::order() returns 1 (Boost 1.74), but
// the method is of order 2.
#pragma once

#include <array>
#include <boost/numeric/odeint/stepper/symplectic_rkn_sb3a_mclachlan.hpp>
#include <boost/numeric/odeint/stepper/velocity_verlet.hpp>
#include <vector>

#include <livi/integrators/integrator.hpp>

namespace livi {

/// The method odeint::velocity_verlet on std::vector<S>.
template <class System>
class OdeintVelocityVerlet {
 public:
  using system_type = System;
  using S = ScalarOf<System>;
  using vector_type = VectorOf<System>;
  struct state_type {
    vector_type q, v, a;
    bool has_acceleration = false;
    auto fields() { return std::tie(q, v, a, has_acceleration); }
  };

  explicit OdeintVelocityVerlet(const System& system)
      : system_(&system), q_(zeros<vector_type>(system.size())), out_(zeros<vector_type>(system.size())) {}
  [[nodiscard]] state_type start(const vector_type& q, const vector_type& v) const { return {q, v, q, false}; }

  StepOutcome step(state_type& z, const S& h) {
    if (!z.has_acceleration) {
      system_->acceleration(z.q, z.a);
      z.has_acceleration = true;
    }
    const auto n = static_cast<std::size_t>(system_->size());
    std::vector<S> q(z.q.data(), z.q.data() + n), v(z.v.data(), z.v.data() + n), a(z.a.data(), z.a.data() + n),
        next = a;
    const auto rhs = [&](const std::vector<S>& x, const std::vector<S>&, std::vector<S>& result, const S&) {
      std::copy(x.begin(), x.end(), q_.data());
      system_->acceleration(q_, out_);
      std::copy(out_.data(), out_.data() + n, result.begin());
    };
    boost::numeric::odeint::velocity_verlet<std::vector<S>, std::vector<S>, S, std::vector<S>, S, S> stepper;
    stepper.do_step(rhs, q, v, a, q, v, next, S(0), h);
    std::copy(q.begin(), q.end(), z.q.data());
    std::copy(v.begin(), v.end(), z.v.data());
    std::copy(next.begin(), next.end(), z.a.data());
    return {};
  }

  [[nodiscard]] Properties declares() const {
    return {.name = "odeint::velocity_verlet",
            .source = "Boost.Odeint",
            .order = 2,
            .symmetric = true,
            .symplectic = true,
            .linear_momentum = true,
            .angular_momentum = true,
            .stability_limit = 2,
            .cost = {.gradients = 1}};
  }
  [[nodiscard]] const WorkCounters& work() const { return work_; }
  [[nodiscard]] const System& system() const { return *system_; }

 private:
  const System* system_;
  vector_type q_, out_;
  WorkCounters work_;
};

/// The method odeint::symplectic_rkn_sb3a_mclachlan (McLachlan 1995), of order 4, on std::vector<S>.
template <class System>
class OdeintMcLachlan {
 public:
  using system_type = System;
  using S = ScalarOf<System>;
  using vector_type = VectorOf<System>;
  using state_type = PhaseState<S, System::dimension>;

  explicit OdeintMcLachlan(const System& system)
      : system_(&system), q_(zeros<vector_type>(system.size())), out_(zeros<vector_type>(system.size())) {}
  [[nodiscard]] state_type start(const vector_type& q, const vector_type& v) const { return {q, v}; }

  StepOutcome step(state_type& z, const S& h) {
    const auto n = static_cast<std::size_t>(system_->size());
    std::vector<S> q(z.q.data(), z.q.data() + n), v(z.v.data(), z.v.data() + n);
    const auto acceleration = [&](const std::vector<S>& x, std::vector<S>& result) {
      std::copy(x.begin(), x.end(), q_.data());
      system_->acceleration(q_, out_);
      std::copy(out_.data(), out_.data() + n, result.begin());
    };
    boost::numeric::odeint::symplectic_rkn_sb3a_mclachlan<std::vector<S>, std::vector<S>, S> stepper;
    stepper.do_step(acceleration, std::make_pair(std::ref(q), std::ref(v)), S(0), h);
    std::copy(q.begin(), q.end(), z.q.data());
    std::copy(v.begin(), v.end(), z.v.data());
    return {};
  }

  [[nodiscard]] Properties declares() const {
    return {.name = "odeint::symplectic_rkn_sb3a_mclachlan",
            .source = "McLachlan 1995; Boost.Odeint",
            .order = 4,
            .symmetric = true,
            .symplectic = true,
            .linear_momentum = true,
            .angular_momentum = true,
            .cost = {.iterative = true}};
  }
  [[nodiscard]] const WorkCounters& work() const { return work_; }
  [[nodiscard]] const System& system() const { return *system_; }

 private:
  const System* system_;
  vector_type q_, out_;
  WorkCounters work_;
};

}  // namespace livi

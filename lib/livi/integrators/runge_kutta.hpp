// SPDX-License-Identifier: MIT
//
// Methods that are *not* geometric: the controls of the battery, which every test must be seen to reject.
#pragma once

#include <livi/integrators/integrator.hpp>

namespace livi {

/// The explicit Euler method: order one, without any structure.
template <class System>
class ExplicitEuler {
 public:
  using system_type = System;
  using S = ScalarOf<System>;
  using vector_type = VectorOf<System>;
  using state_type = PhaseState<S, System::dimension>;

  explicit ExplicitEuler(const System& system) : system_(&system), a_(zeros<vector_type>(system.size())) {}
  [[nodiscard]] state_type start(const vector_type& q, const vector_type& v) const { return {q, v}; }
  StepOutcome step(state_type& z, const S& h) {
    system_->acceleration(z.q, a_);
    z.q += h * z.v;
    z.v += h * a_;
    return {};
  }
  [[nodiscard]] Properties declares() const {
    return {
        .name = "ExplicitEuler", .source = "Euler 1768", .order = 1, .linear_momentum = true, .cost = {.gradients = 1}};
  }
  [[nodiscard]] const WorkCounters& work() const { return work_; }
  [[nodiscard]] const System& system() const { return *system_; }

 private:
  const System* system_;
  vector_type a_;
  WorkCounters work_;
};

/// The classical Runge-Kutta method of order four: accurate, not symplectic, not symmetric.
template <class System>
class RungeKutta4 {
 public:
  using system_type = System;
  using S = ScalarOf<System>;
  using vector_type = VectorOf<System>;
  using state_type = PhaseState<S, System::dimension>;

  explicit RungeKutta4(const System& system)
      : system_(&system),
        a1_(zeros<vector_type>(system.size())),
        a2_(a1_),
        a3_(a1_),
        a4_(a1_),
        stage_(a1_),
        v2_(a1_),
        v3_(a1_),
        v4_(a1_) {}
  [[nodiscard]] state_type start(const vector_type& q, const vector_type& v) const { return {q, v}; }
  StepOutcome step(state_type& z, const S& h) {
    const S half = h / S(2), sixth = h / S(6);
    system_->acceleration(z.q, a1_);
    v2_ = z.v + half * a1_;
    stage_ = z.q + half * z.v;
    system_->acceleration(stage_, a2_);
    v3_ = z.v + half * a2_;
    stage_ = z.q + half * v2_;
    system_->acceleration(stage_, a3_);
    v4_ = z.v + h * a3_;
    stage_ = z.q + h * v3_;
    system_->acceleration(stage_, a4_);
    z.q += sixth * (z.v + S(2) * (v2_ + v3_) + v4_);
    z.v += sixth * (a1_ + S(2) * (a2_ + a3_) + a4_);
    return {};
  }
  [[nodiscard]] Properties declares() const {
    return {.name = "RungeKutta4",
            .source = "Kutta 1901",
            .order = 4,
            .linear_momentum = true,
            .stability_limit = 2.8284271247461903,  // 2 sqrt 2
            .cost = {.gradients = 4}};
  }
  [[nodiscard]] const WorkCounters& work() const { return work_; }
  [[nodiscard]] const System& system() const { return *system_; }

 private:
  const System* system_;
  vector_type a1_, a2_, a3_, a4_, stage_, v2_, v3_, v4_;
  WorkCounters work_;
};

}  // namespace livi

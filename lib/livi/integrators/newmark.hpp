// SPDX-License-Identifier: MIT
//
// TO14 Integrator 2, (12): Newmark's method, and the map TO14 (13) to the coordinates in which it is symplectic.
//
//   q_{k+1} = q_k + h v_k + h^2/2 ((1 - 2 beta) a_k + 2 beta a_{k+1})
//   v_{k+1} = v_k + h ((1 - gamma) a_k + gamma a_{k+1}),   a_k = -M^-1 grad V(q_k)                               (12)
//
// gamma = 1/2 throughout the paper. Then the order is two, and the method is conjugate symplectic through
//
//   eta(q, v) = (q + beta h^2 M^-1 grad V(q), v).                                                                (13)
//
// "One iteration of the nonlinear solve" (Figure 1 row 5, Remark 2.3) leaves open where Newton's method starts and
// which acceleration the next step uses; the paper prints neither. All interpretations are options: four initial
// guesses, and an acceleration that is either recomputed from the new position by (12), or carried, which means that
// the first line of (12) holds exactly for it.
#pragma once

#include <livi/integrators/implicit_position.hpp>
#include <livi/integrators/newmark_stability.hpp>

namespace livi {

enum class NewmarkGuess {
  last_position,          ///< q_k
  ballistic,              ///< q_k + h v_k
  zero_acceleration,      ///< (12) with a_{k+1} = 0
  constant_acceleration,  ///< (12) with a_{k+1} = a_k
};

enum class NewmarkAcceleration { recomputed, carried };

template <class S>
struct NewmarkOptions {
  S beta = ratio<S>(1, 4);
  S gamma = ratio<S>(1, 2);
  NewmarkGuess guess = NewmarkGuess::constant_acceleration;
  NewmarkAcceleration acceleration = NewmarkAcceleration::recomputed;
  NewtonOptions<S> newton = {};
};

/// Newmark's method (12): order two, symmetric and conjugate symplectic for gamma = 1/2.
template <class System>
class Newmark {
 public:
  using system_type = System;
  using S = ScalarOf<System>;
  using vector_type = VectorOf<System>;
  struct state_type {
    vector_type q, v, a;
    bool has_acceleration = false;
    auto fields() { return std::tie(q, v, a, has_acceleration); }
  };

  explicit Newmark(const System& system, NewmarkOptions<S> options = {})
      : system_(&system),
        options_(options),
        solve_(system, options.newton),
        predicted_(zeros<vector_type>(system.size())),
        next_(zeros<vector_type>(system.size())) {
    require_newmark_beta(options.beta);
    if (options.acceleration == NewmarkAcceleration::carried && leading(options.beta) == RealOf<S>(0))
      throw InvalidParameter("beta", 0, "a carried acceleration needs beta > 0");
  }

  [[nodiscard]] state_type start(const vector_type& q, const vector_type& v) const { return {q, v, q, false}; }

  StepOutcome step(state_type& z, const S& h) {
    if (!z.has_acceleration) {
      system_->acceleration(z.q, z.a);
      z.has_acceleration = true;
    }
    const S c = options_.beta * h * h;
    predicted_ = z.q + h * z.v + (h * h / S(2) - c) * z.a;
    switch (options_.guess) {
      case NewmarkGuess::last_position:
        next_ = z.q;
        break;
      case NewmarkGuess::ballistic:
        next_ = z.q + h * z.v;
        break;
      case NewmarkGuess::zero_acceleration:
        next_ = predicted_;
        break;
      case NewmarkGuess::constant_acceleration:
        next_ = predicted_ + c * z.a;
        break;
    }
    if (const StepOutcome outcome = solve_.solve(*system_, predicted_, c, next_, work_); !outcome.ok()) return outcome;
    z.v += (h * (S(1) - options_.gamma)) * z.a;
    if (options_.acceleration == NewmarkAcceleration::recomputed) {
      system_->acceleration(next_, z.a);
    } else {
      z.a = (next_ - predicted_) / c;
    }
    z.v += (h * options_.gamma) * z.a;
    z.q = next_;
    return {};
  }

  /// Sets out to the position of eta (13), in which the method is symplectic. `out` must not be `q`.
  void canonical_position(const vector_type& q, const S& h, vector_type& out) const {
    system_->acceleration(q, out);
    out = q - (options_.beta * h * h) * out;
  }

  [[nodiscard]] Properties declares() const {
    const bool half = options_.gamma == ratio<S>(1, 2), converged = options_.newton.fixed_iterations == 0;
    const bool explicit_ = leading(options_.beta) == RealOf<S>(0), exact = half && (converged || explicit_);
    return {.name = converged ? "Newmark"
                              : "Newmark, " + std::to_string(options_.newton.fixed_iterations) + " Newton iteration(s)",
            .source = "Newmark 1959; TO14 (12)",
            .order = half ? 2 : 1,
            .symmetric = exact,
            .symplectic = half && explicit_,
            .conjugate_symplectic = exact,
            .linear_momentum = true,
            .angular_momentum = half && explicit_,
            .rational = !converged || explicit_,
            // The residual that the iteration leaves stays in the carried acceleration.
            .memory = !converged && !explicit_ && options_.acceleration == NewmarkAcceleration::carried,
            .stability_limit = newmark_stability_limit(declared_beta(options_.beta)),
            .cost = {.iterative = true}};
  }
  [[nodiscard]] const WorkCounters& work() const { return work_; }
  [[nodiscard]] const System& system() const { return *system_; }

 private:
  const System* system_;
  NewmarkOptions<S> options_;
  ImplicitPosition<System> solve_;
  vector_type predicted_, next_;
  WorkCounters work_;
};

}  // namespace livi

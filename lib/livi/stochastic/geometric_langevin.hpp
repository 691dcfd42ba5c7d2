// SPDX-License-Identifier: MIT
//
// The Geometric Langevin Algorithm (Bou-Rabee and Owhadi 2010; TO14 4.3) for Langevin dynamics
//
//   dq = M^-1 p dt,   dp = -grad V(q) dt - Z M^-1 p dt + sqrt(2 Z/beta) dW    (+ G^T d lambda, g(q) = 0).
//
// It composes any method for the mechanical part with the exact flow of the bath (ornstein_uhlenbeck.hpp). The bath
// changes velocities only, so the forces stored by the method stay valid.
//
// There are two compositions: the bath for h after the step, as published, or for h/2 before and after it. Two halves
// of a bath make a whole one, so the second composition is the first observed half a bath earlier, and positions have
// the same distribution. (This holds approximately where the bath's flow is not exact: with constraints and different
// rates.) With constraints, velocities after a step are tangent.
//
// The noise of step k is a function of seed, stream and k, and the step number is part of the state. So a run resumed
// from a saved state is bitwise the uninterrupted one, and an ensemble does not depend on the number of threads.
#pragma once

#include <livi/linalg/normal_numbers.hpp>
#include <livi/stochastic/ornstein_uhlenbeck.hpp>

namespace livi {

enum class BathComposition { after_step, around_step };

/// A Langevin integrator. Method is an integrator of the library whose state has the velocity v; Normals is
/// NormalNumbers or VectorisedNormalNumbers. Cost beside the method's: n normal numbers (2 n for around_step) and, with
/// constraints, the solves of OrnsteinUhlenbeck.
template <class Method, class Normals = NormalNumbers>
class GeometricLangevin {
 public:
  using system_type = typename Method::system_type;
  using S = ScalarOf<system_type>;
  using vector_type = VectorOf<system_type>;
  using method_state = typename Method::state_type;
  struct state_type : method_state {
    std::uint64_t steps = 0;  ///< steps since the start, which select the noise
    auto fields() { return std::tuple_cat(method_state::fields(), std::tie(steps)); }
  };

  /// Keeps a copy of the method. Throws InvalidParameter for a friction < 0 or a temperature that is not positive.
  GeometricLangevin(Method method, const Bath<S>& bath, Normals normals = Normals(),
                    BathComposition composition = BathComposition::after_step)
      : method_(std::move(method)),
        normals_(std::move(normals)),
        composition_(composition),
        flow_(method_.system(), bath),
        xi_(zeros<Vector<double, system_type::dimension>>(method_.system().size())) {}

  [[nodiscard]] state_type start(const vector_type& q, const vector_type& v) const {
    return state_type{method_.start(q, v), 0};
  }

  /// Advances by h. Without friction this is bitwise the step of the method; with friction h must be > 0
  /// (InvalidParameter).
  StepOutcome step(state_type& z, const S& h) {
    const bool has_bath = !(flow_.bath().gamma == S(0));
    const bool around = composition_ == BathComposition::around_step;
    const S time = around ? S(h / S(2)) : h;
    if (has_bath && around)
      if (const StepOutcome outcome = bath(z, time, 1); !outcome.ok()) return outcome;
    if (const StepOutcome outcome = method_.step(z, h); !outcome.ok()) return outcome;
    if (has_bath)
      if (const StepOutcome outcome = bath(z, time, 0); !outcome.ok()) return outcome;
    ++z.steps;
    work_ = method_.work();
    work_.linear_solves += projections_.linear_solves;
    work_.indefinite_matrices += projections_.indefinite_matrices;
    return {};
  }

  /// Declares the method's properties for a bath without friction; with friction the order of the composition for
  /// smooth observables, and no structure.
  [[nodiscard]] Properties declares() const {
    Properties properties = method_.declares();
    properties.name = "GeometricLangevin of " + properties.name;
    properties.source = "Bou-Rabee and Owhadi 2010; TO14 4.3";
    if (flow_.bath().gamma == S(0)) return properties;
    properties.order = std::min(properties.order, composition_ == BathComposition::around_step ? 2 : 1);
    properties.symmetric = properties.symplectic = properties.conjugate_symplectic = false;
    properties.linear_momentum = properties.angular_momentum = false;
    return properties;
  }
  [[nodiscard]] const WorkCounters& work() const { return work_; }
  [[nodiscard]] const system_type& system() const { return method_.system(); }
  [[nodiscard]] Method& method() { return method_; }
  [[nodiscard]] const Bath<S>& bath() const { return flow_.bath(); }

 private:
  StepOutcome bath(state_type& z, const S& time, std::uint64_t draw) {
    normals_(z.steps, draw, xi_.data(), xi_.size());
    // SHAKE's own velocity is not tangent. If there is a single rate, the flow's projection is enough.
    if constexpr (requires { method_.tangent_velocity(z, z.v); })
      if (!z.first && !flow_.has_one_rate())
        if (const StepOutcome outcome = method_.tangent_velocity(z, z.v); !outcome.ok()) return outcome;
    if (const StepOutcome outcome = flow_(z.q, z.v, xi_, time, projections_); !outcome.ok()) return outcome;
    if constexpr (requires { method_.tangent_velocity(z, z.v); }) z.first = true;  // tangent, as at the start
    return {};
  }

  Method method_;
  Normals normals_;
  BathComposition composition_;
  OrnsteinUhlenbeck<system_type> flow_;
  Vector<double, system_type::dimension> xi_;
  WorkCounters projections_, work_;
};

template <class Method, class S>
GeometricLangevin(Method, Bath<S>) -> GeometricLangevin<Method>;
template <class Method, class S, class Normals>
GeometricLangevin(Method, Bath<S>, Normals) -> GeometricLangevin<Method, Normals>;
template <class Method, class S, class Normals>
GeometricLangevin(Method, Bath<S>, Normals, BathComposition) -> GeometricLangevin<Method, Normals>;

}  // namespace livi

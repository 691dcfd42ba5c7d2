// SPDX-License-Identifier: MIT
//
// Langevin dynamics with holonomic constraints, at any constant mass,
//
//   dq = M^-1 p dt,   dp = -grad V(q) dt - gamma p dt + (2 gamma/beta)^(1/2) M^(1/2) dW + G^T d lambda,   g(q) = 0,   p = M v,
//
// beta the inverse temperature, gamma a rate, G = Dg. It leaves invariant the Gibbs measure exp(-beta H) on the constrained
// phase space. Positions then have the density exp(-beta V) with respect to the area of g = 0 in the metric of M, which is
//
//   exp(-beta V) (det G M^-1 G^T)^(1/2) delta(g(q)) dq                                                          (1)
//
// (Fixman's factor): beside the area, delta(g) counts the distance between the surfaces g = 0 and g = epsilon.
//
// The parts of a step, on tangent velocities G v = 0, with P = I - M^-1 G^T (G M^-1 G^T)^-1 G:
//
//   A(t)   free motion on g = 0: RATTLE without force                   B(t)   v += -t P M^-1 grad V(q)
//   O(t)   v <- c v + ((1 - c^2)/beta)^(1/2) P L^-T xi,   c = exp(-gamma t),   M = L L^T,   xi standard normal.
//
// O is the exact flow of friction and noise at a fixed position. L^-T xi has the covariance M^-1, and P M^-1 P^T =
// M^-1 - M^-1 G^T (G M^-1 G^T)^-1 G M^-1 is that of tangent velocities at beta = 1. One rate for all coordinates is what makes
// the projection exact: with several, c would not commute with P (stochastic/ornstein_uhlenbeck.hpp).
//
//   ConstrainedObabo   O(h/2) RATTLE(h) O(h/2)                          Bussi and Parrinello 2007; Lelievre, Rousset and Stoltz 2012
//   GeodesicBaoab      B(h/2) A(h/2) O(h) A(h/2) B(h/2)                 g-BAOAB of Leimkuhler and Matthews 2016
//
// Both are symmetric compositions of flows that preserve the Gibbs measure, or that of an energy which differs by O(h^2): the
// errors of averages are of order two. The force is in the state, so that a step takes one gradient. A(h/2) may be divided
// into several steps of RATTLE, which come nearer to the geodesic; between them there is no force to compute.
//
// The noise of step k is a function of seed, stream and k, as in stochastic/geometric_langevin.hpp: a run resumed is bitwise
// the uninterrupted one, and ensembles do not depend on the number of threads. Methods under noise without friction take the
// integrals of Brownian motions over a step instead. Here a step asks for normal numbers: the noise of the bath is the integral
// of exp(-gamma (t - s)) dW(s), which those integrals do not determine. So runs with different steps do not follow one path, and
// no strong order is declared.
#pragma once

#include <livi/integrators/rattle.hpp>
#include <livi/linalg/normal_numbers.hpp>
#include <livi/stochastic/noise_integrals.hpp>
#include <livi/stochastic/ornstein_uhlenbeck.hpp>
#include <optional>

namespace livi {

/// O(t): friction and noise on tangent velocities, with one rate for all coordinates and any constant mass.
template <Constrained System>
class TangentOrnsteinUhlenbeck {
 public:
  using S = ScalarOf<System>;
  using vector_type = VectorOf<System>;
  using multiplier_type = typename System::multiplier_type;

  /// Throws InvalidParameter for a friction < 0 or of the kind Friction::velocity, and for a temperature that is not positive.
  TangentOrnsteinUhlenbeck(const System& system, const Bath<S>& bath)
      : system_(&system), bath_(bath), multipliers_(system, {}), noise_(zeros<vector_type>(system.size())) {
    bath.validate();
    if (bath.friction != Friction::momentum)
      throw InvalidParameter("gamma of Friction::velocity", to_double(bath.gamma),
                             "the exact projected bath has one rate: gamma of Friction::momentum");
    using std::sqrt;
    const auto& mass = system.mass();
    if constexpr (System::mass_type::is_diagonal) {
      root_ = noise_;
      for (Eigen::Index i = 0; i < root_.size(); ++i) root_(i) = sqrt(mass.reciprocal(i));
    } else {
      const Eigen::Index n = system.size();
      root_ = zeros<Root>(n, n);
      for (Eigen::Index j = 0; j < n; ++j)
        for (Eigen::Index i = j; i < n; ++i) {
          S entry = mass.matrix()(i, j);
          for (Eigen::Index k = 0; k < j; ++k) entry -= root_(i, k) * root_(j, k);
          root_(i, j) = i == j ? S(sqrt(entry)) : S(entry / root_(j, j));
        }
    }
  }

  /// Replaces the tangent velocity v at position q by that after a time t > 0, with the normal numbers xi. Without friction
  /// nothing changes, for any t. Otherwise InvalidParameter for a t that is not finite and > 0. Cost: a solve for the
  /// multipliers, O(n) for diagonal masses and n^2 for a full one. Nothing is allocated.
  template <class Xi>
  StepOutcome operator()(const vector_type& q, vector_type& v, const Xi& xi, const S& t, WorkCounters& work) {
    if (bath_.gamma == S(0)) return {};
    prepare(t);
    for (Eigen::Index i = 0; i < noise_.size(); ++i) noise_(i) = S(xi(i));
    if constexpr (System::mass_type::is_diagonal) {
      for (Eigen::Index i = 0; i < noise_.size(); ++i) noise_(i) *= root_(i);
    } else {
      for (Eigen::Index i = noise_.size(); i-- > 0;) {
        for (Eigen::Index k = i + 1; k < noise_.size(); ++k) noise_(i) -= root_(k, i) * noise_(k);
        noise_(i) /= root_(i, i);
      }
    }
    v = decay_ * v + amplitude_ * noise_;
    multipliers_.set_directions(*system_, q);
    return multipliers_.project_velocity(*system_, q, v, mu_, work);
  }
  [[nodiscard]] const Bath<S>& bath() const { return bath_; }
  /// Computes what a call with the time t needs. InvalidParameter for a t that is not finite and > 0, unless there is no friction.
  void prepare(const S& t) {
    if (bath_.gamma == S(0) || (prepared_ && t == *prepared_)) return;
    const OrderAssumed<S> all_steps(OrderReason::parameters);
    if (!is_finite(t) || !(RealOf<S>(0) < leading(t)))
      throw InvalidParameter("h", to_double(t), "friction and noise go forward in time: must be finite and > 0");
    using std::exp, std::expm1, std::sqrt;
    const S exponent = -t * bath_.gamma;
    decay_ = exp(exponent);
    amplitude_ = sqrt(-expm1(S(S(2) * exponent)) / bath_.inverse_temperature);
    prepared_ = t;
  }

 private:
  using Root = std::conditional_t<System::mass_type::is_diagonal, vector_type, Matrix<S, System::dimension>>;

  const System* system_;
  Bath<S> bath_;
  MultiplierSolve<System> multipliers_;
  multiplier_type mu_ = zeros<multiplier_type>();
  std::optional<S> prepared_;
  S decay_ = S(1), amplitude_ = S(0);
  vector_type noise_;
  Root root_;  ///< m_i^(-1/2), or L
};

/// Langevin dynamics by RATTLE between two halves of the bath. Cost beside RATTLE's: 2 n normal numbers and two projections.
/// A step whose multiplier does not exist has the outcome no_real_root.
template <Constrained System, class Normals = NormalNumbers>
class ConstrainedObabo {
 public:
  using system_type = System;
  using S = ScalarOf<System>;
  using vector_type = VectorOf<System>;
  struct state_type : Rattle<System>::state_type {
    std::uint64_t steps = 0;  ///< steps since the start, which select the noise
    auto fields() { return std::tuple_cat(Rattle<System>::state_type::fields(), std::tie(steps)); }
  };

  /// The bath's friction is Friction::momentum. Throws as TangentOrnsteinUhlenbeck does.
  ConstrainedObabo(const System& system, const Bath<S>& bath, Normals normals = Normals(), NewtonOptions<S> newton = {})
      : rattle_(system, newton),
        normals_(std::move(normals)),
        bath_(system, bath),
        xi_(zeros<Vector<double, System::dimension>>(system.size())) {}

  /// Throws InvalidParameter unless q is on the constraint manifold and v tangent to it.
  [[nodiscard]] state_type start(const vector_type& q, const vector_type& v) const {
    return state_type{rattle_.start(q, v), 0};
  }
  /// Replaces the normal numbers of the steps from now on.
  void set_normals(Normals normals) { normals_ = std::move(normals); }
  /// Advances by h. Without friction this is bitwise the step of Rattle, where that finds the nearest multiplier.
  StepOutcome step(state_type& z, const S& h) {
    const S half = h / S(2);
    if (const StepOutcome outcome = bath(z, half, 1); !outcome.ok()) return outcome;
    if (const StepOutcome outcome = rattle_.step(z, h, NearestMultiplier{}); !outcome.ok()) return outcome;
    if (const StepOutcome outcome = bath(z, half, 0); !outcome.ok()) return outcome;
    ++z.steps;
    work_ = rattle_.work();
    work_.linear_solves += projections_.linear_solves;
    return {};
  }

  /// Declares the properties of RATTLE for a bath without friction; with friction order two of averages, and no structure.
  [[nodiscard]] Properties declares() const {
    Properties properties = rattle_.declares();
    properties.name = "ConstrainedObabo";
    properties.source = "Bussi and Parrinello 2007; Lelievre, Rousset and Stoltz 2012";
    if (bath_.bath().gamma == S(0)) return properties;
    properties.symmetric = properties.symplectic = properties.rational = false;
    properties.linear_momentum = properties.angular_momentum = false;
    return properties;
  }
  /// Declares errors of order two for the averages of smooth functions, at a time as in the long run.
  [[nodiscard]] StochasticProperties declares_for_noise() const {
    return {.deterministic = declares(), .weak_order = 2};
  }
  [[nodiscard]] const WorkCounters& work() const { return work_; }
  [[nodiscard]] const System& system() const { return rattle_.system(); }

 private:
  struct NearestMultiplier {
    static constexpr bool nearest = true;
    void at_start(const vector_type&, vector_type&) const {}
    void at_end(const vector_type&, vector_type&) const {}
  };
  StepOutcome bath(state_type& z, const S& t, std::uint64_t draw) {
    if (bath_.bath().gamma == S(0)) return {};
    normals_(z.steps, draw, xi_.data(), xi_.size());
    return bath_(z.q, z.v, xi_, t, projections_);
  }

  Rattle<System> rattle_;
  Normals normals_;
  TangentOrnsteinUhlenbeck<System> bath_;
  Vector<double, System::dimension> xi_;
  WorkCounters projections_, work_;
};

/// Langevin dynamics with the bath in the middle of the free motion. Cost: a gradient, n normal numbers, 2 K nonlinear solves
/// for multipliers and 2 K + 2 projections, K the number of geodesic steps. A step whose multiplier does not exist has the
/// outcome no_real_root: on a unit sphere where h |v| > 2 K.
template <Constrained System, class Normals = NormalNumbers>
class GeodesicBaoab {
 public:
  using system_type = System;
  using S = ScalarOf<System>;
  using vector_type = VectorOf<System>;
  using multiplier_type = typename System::multiplier_type;
  struct state_type {
    vector_type q, v;
    vector_type f;            ///< -P M^-1 grad V(q)
    multiplier_type kappa;    ///< multiplier of the last free motion, a guess for the next; 0 at the start
    std::uint64_t steps = 0;  ///< steps since the start, which select the noise
    auto fields() { return std::tie(q, v, f, kappa, steps); }
  };

  /// The bath's friction is Friction::momentum. Throws as TangentOrnsteinUhlenbeck does, and for geodesic_steps < 1.
  GeodesicBaoab(const System& system, const Bath<S>& bath, Normals normals = Normals(), int geodesic_steps = 1,
                NewtonOptions<S> newton = {})
      : system_(&system),
        converged_(newton.fixed_iterations == 0),
        geodesic_steps_(geodesic_steps),
        multipliers_(system, newton),
        normals_(std::move(normals)),
        bath_(system, bath),
        xi_(zeros<Vector<double, System::dimension>>(system.size())),
        predicted_(zeros<vector_type>(system.size())),
        next_(predicted_) {
    if (geodesic_steps < 1) throw InvalidParameter("geodesic steps", geodesic_steps, "must be >= 1");
  }

  /// Throws InvalidParameter unless q is on the constraint manifold and v tangent to it, and std::runtime_error where the
  /// force cannot be projected.
  [[nodiscard]] state_type start(const vector_type& q, const vector_type& v) const {
    system_->require_consistent(q, v, RealOf<S>(4096) * ScalarTraits<S>::epsilon());
    state_type z{q, v, q, {}, 0};
    system_->constraint().value(q, z.kappa);
    z.kappa.setConstant(S(0));
    MultiplierSolve<System> multipliers = multipliers_;
    multiplier_type mu = z.kappa;
    WorkCounters work;
    if (const StepOutcome outcome = force(z, multipliers, mu, work); !outcome.ok())
      throw std::runtime_error("start of GeodesicBaoab: " + outcome.describe());
    return z;
  }
  /// Replaces the normal numbers of the steps from now on.
  void set_normals(Normals normals) { normals_ = std::move(normals); }
  /// Advances by h. Without friction it is B A A B, symmetric and symplectic.
  StepOutcome step(state_type& z, const S& h) {
    bath_.prepare(h);
    const S half = h / S(2);
    kick(z, half);
    if (const StepOutcome outcome = drift(z, half); !outcome.ok()) return outcome;
    if (!(bath_.bath().gamma == S(0))) {
      normals_(z.steps, 0, xi_.data(), xi_.size());
      if (const StepOutcome outcome = bath_(z.q, z.v, xi_, h, work_); !outcome.ok()) return outcome;
    }
    if (const StepOutcome outcome = drift(z, half); !outcome.ok()) return outcome;
    if (const StepOutcome outcome = force(z, multipliers_, mu_, work_); !outcome.ok()) return outcome;
    kick(z, half);
    ++z.steps;
    return {};
  }

  /// Declares what holds for a bath without friction; with friction order two of averages, and no structure.
  [[nodiscard]] Properties declares() const {
    const bool no_bath = bath_.bath().gamma == S(0);
    return {.name = "GeodesicBaoab",
            .source = "Leimkuhler and Matthews 2016",
            .order = 2,
            .symmetric = no_bath && converged_,
            .symplectic = no_bath && converged_,
            .linear_momentum = no_bath,
            .angular_momentum = no_bath,
            .rational = false,
            .cost = {.iterative = true}};
  }
  /// Declares errors of order two for the averages of smooth functions, at a time as in the long run.
  [[nodiscard]] StochasticProperties declares_for_noise() const {
    return {.deterministic = declares(), .weak_order = 2};
  }
  [[nodiscard]] const WorkCounters& work() const { return work_; }
  [[nodiscard]] const System& system() const { return *system_; }

 private:
  /// B(t), with the force of the state.
  void kick(state_type& z, const S& t) const { z.v += t * z.f; }
  /// A(t) by the geodesic steps; the force of the state stays that of the old position.
  StepOutcome drift(state_type& z, const S& t) {
    const S part = t / S(geodesic_steps_), half = part / S(2);
    for (int k = 0; k < geodesic_steps_; ++k) {
      multipliers_.set_directions(*system_, z.q);
      predicted_ = z.q + part * z.v;
      mu_ = (part * half) * z.kappa;
      if (const StepOutcome outcome = multipliers_.solve_nearest_position(*system_, z.q, predicted_, mu_, next_, work_);
          !outcome.ok())
        return outcome;
      z.v += multipliers_.push(mu_) / part;
      z.q = next_;
      multipliers_.set_directions(*system_, z.q);
      if (const StepOutcome outcome = multipliers_.project_velocity(*system_, z.q, z.v, mu_, work_); !outcome.ok())
        return outcome;
      z.kappa = mu_ / half;
    }
    return {};
  }
  StepOutcome force(state_type& z, MultiplierSolve<System>& multipliers, multiplier_type& mu,
                    WorkCounters& work) const {
    system_->acceleration(z.q, z.f);
    multipliers.set_directions(*system_, z.q);
    return multipliers.project_velocity(*system_, z.q, z.f, mu, work);
  }

  const System* system_;
  bool converged_;
  int geodesic_steps_;
  MultiplierSolve<System> multipliers_;
  Normals normals_;
  TangentOrnsteinUhlenbeck<System> bath_;
  Vector<double, System::dimension> xi_;
  vector_type predicted_, next_;
  multiplier_type mu_ = zeros<multiplier_type>();
  WorkCounters work_;
};

template <class System, class S>
ConstrainedObabo(const System&, Bath<S>) -> ConstrainedObabo<System>;
template <class System, class S>
GeodesicBaoab(const System&, Bath<S>) -> GeodesicBaoab<System>;

}  // namespace livi

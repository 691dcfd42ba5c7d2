// SPDX-License-Identifier: MIT
//
// The thermal bath of Langevin dynamics: momenta under friction and noise, at a fixed position,
//
//   dp = -Z M^-1 p dt + sqrt(2 Z/beta) dW,        p = M v,   Z diagonal,
//
// beta the inverse temperature, M diagonal. TO14 (27) has Z = gamma I: the friction force is -gamma v, and coordinate i
// forgets its velocity at the rate gamma/m_i. The other usual friction is -gamma p, Z = gamma M, with one rate for all
// coordinates. The flow over a time t is known (Ornstein and Uhlenbeck):
//
//   v_i <- c_i v_i + sqrt((1 - c_i^2)/(beta m_i)) xi_i,     c_i = exp(-t Z_i/m_i),   xi_i standard normal.
//
// It preserves the Maxwell distribution exp(-beta v.M v/2) for every t.
//
// With constraints g(q) = 0 velocities are tangent, G v = 0, G = Dg(q), and the bath is
//   dp = -Z M^-1 p dt + sqrt(2 Z/beta) dW + G^T d mu,   G M^-1 p = 0.
// In u = M^(1/2) v, with R = M^-1 Z diagonal and P the orthogonal projector to the tangent space {G M^(-1/2) u = 0},
//   du = -P R P u dt + sqrt(2/beta) P R^(1/2) dW,
// which preserves the Maxwell distribution of tangent velocities, of covariance P/beta. Its flow is exp(-t P R P) u
// plus a normal number of covariance (P - exp(-2 t P R P))/beta.
//   - If all rates are equal, R = r I, this is the flow without constraints, projected in the metric of M.
//   - If they differ (gamma alike for hydrogen and oxygen), that projection is wrong: in a step it loses
//     P C (I - P) C P/beta of the covariance P, C = exp(-t R). The result is too cold, of first order in t once the
//     bath
//     has equilibrated.
//   - The algorithm used here projects the flow without constraints in the metric of M (I + C)^-1 instead. With
//     A = tanh(t R/2), so that C = (I - A)/(I + A), this is u <- (I + P A P)^-1 ((I - P A P) u + 2 P A^(1/2) xi /
//     sqrt(beta)) on the tangent space, and (I - P A P)^2 + 4 P A P = (I + P A P)^2: the Maxwell distribution of
//     tangent velocities is preserved exactly, for any t. It is the exact flow where R commutes with P; elsewhere its
//     mean is exp(-t P R P + t^3 (P R^3 P - (P R P)^3)/12 + ...) u, so the error over a fixed time is of second order
//     in t.
#pragma once

#include <optional>

#include <livi/integrators/multiplier_solve.hpp>

namespace livi {

/// A system with constraints g(q) = 0 (constraints.hpp).
template <class System>
concept Constrained = requires {
  typename System::constraint_type;
};

/// The quantity to which the friction force is proportional.
enum class Friction {
  velocity,  ///< -gamma v, gamma a mass per time: the rate of coordinate i is gamma/m_i (TO14 (27))
  momentum   ///< -gamma p, gamma a rate: that of every coordinate
};

/// The parameters of a thermal bath.
template <class S>
struct Bath {
  S gamma;                ///< >= 0, in mass per time or per time: see Friction
  S inverse_temperature;  ///< beta > 0, per energy
  Friction friction = Friction::velocity;

  /// Throws InvalidParameter, which names the parameter, if one is out of its range.
  void validate() const {
    const OrderAssumed<S> all_parameters(OrderReason::parameters);
    if (!is_finite(gamma) || !(RealOf<S>(0) <= leading(gamma)))
      throw InvalidParameter("gamma", to_double(gamma), "a friction must be finite and >= 0");
    if (!is_finite(inverse_temperature) || !(RealOf<S>(0) < leading(inverse_temperature)))
      throw InvalidParameter("inverse temperature", to_double(inverse_temperature), "must be finite and > 0");
  }
};

namespace ornstein_uhlenbeck_detail {
template <class System>
struct Projection {};
/// The projection to the tangent space in a diagonal metric.
template <Constrained System>
struct Projection<System> {
  using S = ScalarOf<System>;
  using vector_type = VectorOf<System>;
  using Metric = DiagonalMass<S, System::dimension>;
  Metric metric;
  MultiplierMatrix<typename System::jacobian_type, Metric> matrix;
  typename System::jacobian_type jacobian;
  typename System::multiplier_type mu = zeros<typename System::multiplier_type>();
  vector_type push;

  Projection(const System&, const vector_type& of_metric) : metric(of_metric), matrix(metric), push(of_metric) {
    // An uninitialised double may be a signalling NaN when it is copied.
    if constexpr (requires { jacobian.setConstant(S(0)); }) jacobian.setConstant(S(0));
  }
  void set_metric(const System&, const vector_type& of_metric) {
    metric = Metric(of_metric);
    matrix = MultiplierMatrix<typename System::jacobian_type, Metric>(metric);
  }
  StepOutcome operator()(const System& system, const vector_type& q, vector_type& v, WorkCounters& work) {
    system.constraint().jacobian(q, jacobian);
    matrix.set_directions(metric, jacobian);
    if (const StepOutcome outcome = work.record(matrix.factor(jacobian)); !outcome.ok()) return outcome;
    multiply(jacobian, v, mu);
    matrix.solve_in_place(mu);
    matrix.push(mu, push);
    v -= push;
    return {};
  }
};
/// The projection to the tangent space by the constraint's own algorithm for the multipliers.
template <Constrained System>
requires HasMultiplierEquations<System>
struct Projection<System> {
  using vector_type = VectorOf<System>;
  using Metric = DiagonalMass<ScalarOf<System>, System::dimension>;
  typename System::constraint_type::multiplier_equations equations;
  typename System::multiplier_type mu = zeros<typename System::multiplier_type>();

  Projection(const System& system, const vector_type& metric) : equations(system.constraint(), Metric(metric)) {}
  void set_metric(const System& system, const vector_type& metric) {
    equations = {system.constraint(), Metric(metric)};
  }
  StepOutcome operator()(const System&, const vector_type& q, vector_type& v, WorkCounters& work) {
    ++work.linear_solves;
    return as_step_outcome(equations.project_velocity(q, v, mu));
  }
};
}  // namespace ornstein_uhlenbeck_detail

/// The flow of the bath on the velocities of a system with a diagonal mass: a map that is linear in v and xi.
template <class System>
class OrnsteinUhlenbeck {
  static_assert(System::mass_type::is_diagonal, "the bath needs a diagonal mass");

 public:
  using S = ScalarOf<System>;
  using vector_type = VectorOf<System>;

  OrnsteinUhlenbeck(const System& system, const Bath<S>& bath)
      : system_(&system), bath_(bath), decay_(zeros<vector_type>(system.size())), noise_(decay_) {
    bath.validate();
    for (Eigen::Index i = 0; bath.friction == Friction::velocity && i < system.size(); ++i)
      one_rate_ = one_rate_ && system.mass().reciprocal(i) == system.mass().reciprocal(0);
    if constexpr (Constrained<System>) {
      vector_type mass = decay_;
      for (Eigen::Index i = 0; i < mass.size(); ++i) mass(i) = system.mass().diagonal(i);
      projection_.emplace(system, mass);
    }
  }

  /// Replaces v at position q by the velocity after a time t > 0, with the normal numbers xi. Cost: O(n), and with
  /// constraints one solve for the multipliers. With constraints v must be tangent at q, and is tangent afterwards.
  /// Nothing is allocated while t is unchanged. Throws InvalidParameter for any other t.
  template <class Normals>
  StepOutcome operator()(const vector_type& q, vector_type& v, const Normals& xi, const S& t, WorkCounters& work) {
    prepare(t);
    for (Eigen::Index i = 0; i < v.size(); ++i) v(i) = decay_(i) * v(i) + noise_(i) * S(xi(i));
    if constexpr (Constrained<System>) return (*projection_)(*system_, q, v, work);
    return {};
  }

  /// Returns the factors c_i of a time t > 0.
  const vector_type& decay(const S& t) {
    prepare(t);
    return decay_;
  }
  /// Returns whether all coordinates have one rate, so that the flow commutes with any projection.
  [[nodiscard]] bool has_one_rate() const { return one_rate_; }
  [[nodiscard]] const Bath<S>& bath() const { return bath_; }

 private:
  using Projection = ornstein_uhlenbeck_detail::Projection<System>;

  void prepare(const S& t) {
    if (t == prepared_ && !(t == S(0))) return;
    const OrderAssumed<S> all_steps(OrderReason::parameters);
    if (!is_finite(t) || !(RealOf<S>(0) < leading(t)))
      throw InvalidParameter("h", to_double(t), "friction and noise go forward in time: must be finite and > 0");
    using std::exp, std::expm1, std::sqrt;
    const auto& mass = system_->mass();
    for (Eigen::Index i = 0; i < decay_.size(); ++i) {
      const S exponent =
          bath_.friction == Friction::momentum ? S(-t * bath_.gamma) : S(-t * bath_.gamma * mass.reciprocal(i));
      decay_(i) = exp(exponent);
      noise_(i) = sqrt(-expm1(S(S(2) * exponent)) * mass.reciprocal(i) / bath_.inverse_temperature);
    }
    if constexpr (Constrained<System>) {
      vector_type metric = decay_;
      for (Eigen::Index i = 0; i < metric.size(); ++i) metric(i) = S(2) * mass.diagonal(i) / (S(1) + decay_(i));
      projection_->set_metric(*system_, metric);
    }
    prepared_ = t;
  }

  const System* system_;
  Bath<S> bath_;
  S prepared_ = S(0);
  bool one_rate_ = true;
  vector_type decay_, noise_;
  std::optional<Projection> projection_;
};

template <class System, class S>
OrnsteinUhlenbeck(const System&, Bath<S>) -> OrnsteinUhlenbeck<System>;

}  // namespace livi

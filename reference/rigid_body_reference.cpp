// SPDX-License-Identifier: MIT
#include "reference/rigid_body_reference.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>
#include <stdexcept>

#include "reference/double_pendulum.hpp"

namespace livi::reference {

namespace {

template <class S>
using Triple = std::array<S, 3>;
template <class S>
using Quaternion = std::array<S, 4>;

template <class S>
Triple<S> cross(const Triple<S>& a, const Triple<S>& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
template <class S>
S dot(const Triple<S>& a, const Triple<S>& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
template <class S>
Quaternion<S> product(const Quaternion<S>& a, const Quaternion<S>& b) {
  return {a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3], a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
          a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1], a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0]};
}
/// Returns the quaternion of the turn by `angle` about `axis` (any length but zero).
template <class S>
Quaternion<S> turn(const S& angle, const Triple<S>& axis) {
  using std::cos, std::sin, std::sqrt;
  const S half = angle / S(2), scale = sin(half) / sqrt(dot(axis, axis));
  return {cos(half), scale * axis[0], scale * axis[1], scale * axis[2]};
}
template <class S>
Triple<S> in(const std::array<double, 3>& x) {
  return {S(x[0]), S(x[1]), S(x[2])};
}
/// By columns.
template <class S>
std::array<S, 9> matrix(const Quaternion<S>& p) {
  const S w = p[0], x = p[1], y = p[2], z = p[3];
  return {w * w + x * x - y * y - z * z, S(2) * (x * y + w * z),        S(2) * (x * z - w * y),
          S(2) * (x * y - w * z),        w * w - x * x + y * y - z * z, S(2) * (y * z + w * x),
          S(2) * (x * z + w * y),        S(2) * (y * z - w * x),        w * w - x * x - y * y + z * z};
}

void require(bool condition, const std::string& message) {
  if (!condition) throw std::invalid_argument("rigid body reference: " + message);
}

void check(const RigidBodyParameters& p) {
  for (std::size_t i = 0; i < 3; ++i) {
    require(std::isfinite(p.moments[i]) && p.moments[i] > 0.0,
            "moments[" + std::to_string(i) + "] = " + std::to_string(p.moments[i]) + ", allowed are finite values > 0");
    require(std::isfinite(p.attractor_axis[i]) && std::isfinite(p.initial_rotation[i]) && std::isfinite(p.initial_w[i]),
            "component " + std::to_string(i) + " of attractor_axis, initial_rotation or initial_w is not finite");
  }
  require(std::isfinite(p.alpha), "alpha = " + std::to_string(p.alpha) + ", allowed are finite values");
  require(std::isfinite(p.attractor_angle),
          "attractor_angle = " + std::to_string(p.attractor_angle) + ", allowed are finite values");
  require(dot(p.attractor_axis, p.attractor_axis) > 0.0, "attractor_axis = 0, allowed are other vectors");
  require(dot(p.initial_rotation, p.initial_rotation) < 9.8696,
          "initial_rotation is a half turn or more, allowed are lengths below pi");
}

template <class S>
struct CommonSystem {
  using Scalar = S;
  Triple<S> moments;
  S alpha;
  Quaternion<S> attractor, start;
  Triple<S> start_w;

  explicit CommonSystem(const RigidBodyParameters& p)
      : moments(in<S>(p.moments)),
        alpha(p.alpha),
        attractor(turn(S(p.attractor_angle), in<S>(p.attractor_axis))),
        start{S(1), S(0), S(0), S(0)},
        start_w(in<S>(p.initial_w)) {
    using std::sqrt;
    check(p);
    const Triple<S> rotation = in<S>(p.initial_rotation);
    const S angle = sqrt(dot(rotation, rotation));
    if (angle > S(0)) start = turn(angle, rotation);
  }
  [[nodiscard]] Triple<S> acceleration(const Triple<S>& w, const Triple<S>& torque) const {
    const Triple<S> gyroscopic = cross<S>({moments[0] * w[0], moments[1] * w[1], moments[2] * w[2]}, w);
    return {(gyroscopic[0] + torque[0]) / moments[0], (gyroscopic[1] + torque[1]) / moments[1],
            (gyroscopic[2] + torque[2]) / moments[2]};
  }
};

/// With c = 2 sqrt(2), p = (a, v) and r = conj(p_m) p = (b, u): dist(Q, I) = c |v|, and since d|v| along Q hat(y) is
/// a v . y/(2 |v|),
///   tau = -c (c |v| - 1) a v/|v| - alpha b u/(2 c |u|^3).
template <class S>
struct QuaternionSystem : CommonSystem<S> {
  using State = std::array<S, 7>;
  using CommonSystem<S>::CommonSystem;

  [[nodiscard]] State initial() const {
    const auto& p = this->start;
    const auto& w = this->start_w;
    return {p[0], p[1], p[2], p[3], w[0], w[1], w[2]};
  }
  void operator()(const State& x, State& dxdt, const S& t) const {
    using std::sqrt;
    detail::check_finite(x, t);
    const Quaternion<S>&m = this->attractor, p{x[0], x[1], x[2], x[3]};
    const Triple<S> w{x[4], x[5], x[6]}, v{p[1], p[2], p[3]};
    const Quaternion<S> r = product<S>({m[0], -m[1], -m[2], -m[3]}, p);
    const Triple<S> u{r[1], r[2], r[3]};
    const S c = S(2) * sqrt(S(2)), vv = sqrt(dot(v, v)), uu = sqrt(dot(u, u));
    const S well = -c * (c * vv - S(1)) * p[0] / vv, pull = -this->alpha * r[0] / (S(2) * c * uu * uu * uu);
    const Triple<S> rate =
        this->acceleration(w, {well * v[0] + pull * u[0], well * v[1] + pull * u[1], well * v[2] + pull * u[2]});
    const Quaternion<S> turning = product<S>(p, {S(0), w[0] / S(2), w[1] / S(2), w[2] / S(2)});
    dxdt = {turning[0], turning[1], turning[2], turning[3], rate[0], rate[1], rate[2]};
  }
  static std::pair<std::array<S, 9>, Triple<S>> state(const State& x) {
    return {matrix<S>({x[0], x[1], x[2], x[3]}), {x[4], x[5], x[6]}};
  }
};

/// The gradient of U in the nine entries is G = -2 (d - 1)/d I - alpha/e^3 Q_m, as dist^2 = 6 - 2 tr; with q_j the
/// columns of Q and g_j those of G, DU . Q hat(y) = sum_j g_j . (Q hat(y))_j, and the columns of Q hat(y) are
/// y_3 q_2 - y_2 q_3, y_1 q_3 - y_3 q_1, y_2 q_1 - y_1 q_2.
template <class S>
struct MatrixSystem : CommonSystem<S> {
  using State = std::array<S, 12>;

  explicit MatrixSystem(const RigidBodyParameters& p) : CommonSystem<S>(p), attractor_matrix(matrix(this->attractor)) {}

  [[nodiscard]] State initial() const {
    State x;
    const std::array<S, 9> q = matrix(this->start);
    std::copy(q.begin(), q.end(), x.begin());
    std::copy(this->start_w.begin(), this->start_w.end(), x.begin() + 9);
    return x;
  }
  void operator()(const State& x, State& dxdt, const S& t) const {
    using std::sqrt;
    detail::check_finite(x, t);
    const Triple<S> w{x[9], x[10], x[11]};
    S overlap(0);
    for (std::size_t i = 0; i < 9; ++i) overlap += attractor_matrix[i] * x[i];
    const S d = sqrt(S(6) - S(2) * (x[0] + x[4] + x[8])), e = sqrt(S(6) - S(2) * overlap);
    const auto column = [](const auto& m, std::size_t j) { return Triple<S>{m[3 * j], m[3 * j + 1], m[3 * j + 2]}; };
    std::array<S, 9> gradient;
    for (std::size_t i = 0; i < 9; ++i)
      gradient[i] = (i % 4 == 0 ? -S(2) * (d - S(1)) / d : S(0)) - this->alpha / (e * e * e) * attractor_matrix[i];
    const auto overlap_of = [&](std::size_t i, std::size_t j) { return dot(column(gradient, i), column(x, j)); };
    const Triple<S> rate =
        this->acceleration(w, {-(overlap_of(1, 2) - overlap_of(2, 1)), -(overlap_of(2, 0) - overlap_of(0, 2)),
                               -(overlap_of(0, 1) - overlap_of(1, 0))});
    for (std::size_t i = 0; i < 3; ++i) {
      dxdt[i] = w[2] * x[3 + i] - w[1] * x[6 + i];
      dxdt[3 + i] = w[0] * x[6 + i] - w[2] * x[i];
      dxdt[6 + i] = w[1] * x[i] - w[0] * x[3 + i];
      dxdt[9 + i] = rate[i];
    }
  }
  static std::pair<std::array<S, 9>, Triple<S>> state(const State& x) {
    return {{x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7], x[8]}, {x[9], x[10], x[11]}};
  }
  std::array<S, 9> attractor_matrix;
};

template <class System>
std::vector<RigidBodyState> run(const System& system, Method method, double end_time, int samples, double tolerance) {
  using S = typename System::Scalar;
  using State = typename System::State;
  if (!(S(tolerance) >= std::numeric_limits<S>::epsilon()) || !(tolerance < 1.0)) {
    std::ostringstream message;
    message << "tolerance = " << tolerance << ", allowed are values from the rounding unit to 1";
    require(false, message.str());
  }
  const std::vector<S> times = equally_spaced_times<S>(end_time, samples);
  std::vector<RigidBodyState> trajectory;
  integrate_by_odeint(system, times, S(tolerance), method, [&](const State& at, const S& t) {
    detail::check_finite(at, t);
    const auto [q, w] = System::state(at);
    RigidBodyState& out = trajectory.emplace_back();
    out.t = static_cast<double>(t);
    for (std::size_t i = 0; i < 9; ++i) out.q[i] = static_cast<double>(q[i]);
    for (std::size_t i = 0; i < 3; ++i) out.w[i] = static_cast<double>(w[i]);
  });
  return trajectory;
}

template <class S>
std::vector<RigidBodyState> run(const RigidBodyParameters& parameters, RigidBodyFormulation formulation, Method method,
                                double end_time, int samples, double tolerance) {
  switch (formulation) {
    case RigidBodyFormulation::quaternions:
      return run(QuaternionSystem<S>(parameters), method, end_time, samples, tolerance);
    case RigidBodyFormulation::matrices:
      return run(MatrixSystem<S>(parameters), method, end_time, samples, tolerance);
  }
  throw std::invalid_argument("formulation: unknown value");
}

}  // namespace

std::string name(RigidBodyFormulation formulation) {
  switch (formulation) {
    case RigidBodyFormulation::quaternions:
      return "quaternions";
    case RigidBodyFormulation::matrices:
      return "matrices";
  }
  throw std::invalid_argument("formulation: unknown value");
}

std::vector<RigidBodyState> integrate_rigid_body(const RigidBodyParameters& parameters,
                                                 RigidBodyFormulation formulation, Method method, Arithmetic arithmetic,
                                                 double end_time, int samples, double tolerance) {
  return in_arithmetic(
      arithmetic, [&]<class S>() { return run<S>(parameters, formulation, method, end_time, samples, tolerance); });
}

double disagreement(const std::vector<RigidBodyState>& one, const std::vector<RigidBodyState>& other) {
  if (one.size() != other.size())
    throw std::invalid_argument("disagreement: trajectories of " + std::to_string(one.size()) + " and " +
                                std::to_string(other.size()) + " samples");
  double difference = 0.0;
  for (std::size_t k = 0; k < one.size(); ++k) {
    if (one[k].t != other[k].t) throw std::invalid_argument("disagreement: sample times differ");
    for (std::size_t i = 0; i < 9; ++i) difference = std::max(difference, std::abs(one[k].q[i] - other[k].q[i]));
    for (std::size_t i = 0; i < 3; ++i) difference = std::max(difference, std::abs(one[k].w[i] - other[k].w[i]));
  }
  return difference;
}

CheckedRigidBodyReference checked_rigid_body_reference(const RigidBodyParameters& parameters, double end_time,
                                                       int samples, double accuracy) {
  // Where long double is only a double, the tolerance is its rounding unit and the comparison decides.
  const double tolerance = std::max(1e-18, static_cast<double>(std::numeric_limits<long double>::epsilon()));
  return first_agreement<CheckedRigidBodyReference, RigidBodyFormulation>(
      "rigid body", end_time, accuracy,
      {{Arithmetic::extended_precision,
        1.0,
        {RigidBodyFormulation::quaternions, Method::bulirsch_stoer, tolerance},
        {RigidBodyFormulation::matrices, Method::fehlberg78, tolerance}}},
      [&](Arithmetic arithmetic, const Run<RigidBodyFormulation>& of) {
        return integrate_rigid_body(parameters, of.formulation, of.method, arithmetic, end_time, samples, of.tolerance);
      });
}

}  // namespace livi::reference

// SPDX-License-Identifier: MIT
#pragma once

#include <Eigen/Cholesky>
#include <boost/numeric/odeint/algebra/range_algebra.hpp>
#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

#include "reference/chain_reference.hpp"
#include "reference/double_pendulum_taylor.hpp"

/// The equations of motion of the chain in angles, for any scalar, twice: at O(n) and with the full mass matrix; and
/// their integration. Letters: theta_k from the downward vertical, u_k = theta_k', e_k = (sin theta_k, -cos theta_k)
/// the direction of link k, n_k = (cos theta_k, sin theta_k), gamma = gravity_sign * gravity, c_k and s_k cosine and
/// sine of theta_k - theta_{k-1}. Links count from 0.
namespace livi::reference {

namespace detail {

inline void require_chain(bool condition, const std::string& message) {
  if (!condition) throw std::invalid_argument("chain reference: " + message);
}

inline void check_chain(const ChainParameters& p) {
  const std::size_t n = p.links();
  require_chain(n >= 1, "squared_lengths is empty, at least one link is needed");
  require_chain(p.gravity_sign == 1 || p.gravity_sign == -1,
                "gravity_sign = " + std::to_string(p.gravity_sign) + ", allowed are +1 and -1");
  require_chain(std::isfinite(p.gravity) && p.gravity >= 0.0,
                "gravity = " + std::to_string(p.gravity) + ", allowed are finite values >= 0");
  require_chain(p.initial_q.size() == 2 * n && p.initial_v.size() == 2 * n,
                "initial_q and initial_v have " + std::to_string(p.initial_q.size()) + " and " +
                    std::to_string(p.initial_v.size()) + " entries, needed are twice as many as links");
  const double eps = std::numeric_limits<double>::epsilon();
  for (std::size_t k = 0; k < n; ++k) {
    const std::string at = "[" + std::to_string(k) + "]";
    const double squared = p.squared_lengths[k];
    require_chain(std::isfinite(squared) && squared > 0.0,
                  "squared_lengths" + at + " = " + std::to_string(squared) + ", allowed are finite values > 0");
    double g = -squared, rate = 0.0, reach = squared, speed = 0.0;
    for (std::size_t i = 2 * k; i < 2 * k + 2; ++i) {
      const double d = p.initial_q[i] - (k > 0 ? p.initial_q[i - 2] : 0.0);
      const double w = p.initial_v[i] - (k > 0 ? p.initial_v[i - 2] : 0.0);
      g += d * d;
      rate += 2.0 * d * w;
      reach += p.initial_q[i] * p.initial_q[i];
      speed += std::abs(p.initial_v[i]);
    }
    // A few roundings of the coordinates are forgiven (angles project them); anything more is a wrong start.
    require_chain(std::abs(g) <= 8.0 * eps * reach,
                  "initial_q is off the constraint: g" + at + " = " + std::to_string(g) + ", allowed is 0");
    require_chain(std::abs(rate) <= 8.0 * eps * (1.0 + std::sqrt(reach)) * speed,
                  "initial_v is not tangent: (Dg v)" + at + " = " + std::to_string(rate) + ", allowed is 0");
  }
}

template <class S>
void check_chain_finite(const std::vector<S>& x, const S& t) {
  using std::isfinite;
  for (const S& component : x)
    if (!isfinite(component))
      throw std::runtime_error("chain reference: a value stopped being finite at t = " +
                               std::to_string(static_cast<double>(t)));
}

}  // namespace detail

/// What both formulations share: the state (theta_0, ..., theta_{n-1}, u_0, ..., u_{n-1}), and the way to Cartesian
/// coordinates.
template <class S>
struct ChainInAngles {
  using Scalar = S;
  using State = std::vector<S>;

  explicit ChainInAngles(const ChainParameters& of) : parameters(of), n(of.links()) {
    using std::sqrt;
    detail::check_chain(parameters);
    gamma = S(parameters.gravity_sign) * S(parameters.gravity);
    for (const double squared : parameters.squared_lengths) length.push_back(sqrt(S(squared)));
  }

  [[nodiscard]] State initial() const {
    using std::atan2, std::cos, std::sin;
    State x(2 * n);
    const auto difference = [](const std::vector<double>& of, std::size_t i) {
      return i < 2 ? S(of[i]) : S(of[i]) - S(of[i - 2]);
    };
    for (std::size_t k = 0; k < n; ++k) {
      const auto& q = parameters.initial_q;
      const auto& v = parameters.initial_v;
      x[k] = atan2(difference(q, 2 * k), -difference(q, 2 * k + 1));
      x[n + k] = (difference(v, 2 * k) * cos(x[k]) + difference(v, 2 * k + 1) * sin(x[k])) / length[k];
    }
    return x;
  }

  /// In double, given the tensions of the links.
  [[nodiscard]] ChainState state(const S& t, const State& x, const std::vector<S>& tension) const {
    using std::cos, std::sin;
    ChainState out;
    out.t = static_cast<double>(t);
    S rx(0), ry(0), vx(0), vy(0);
    for (std::size_t k = 0; k < n; ++k) {
      const S s = sin(x[k]), c = cos(x[k]);
      rx += length[k] * s, ry -= length[k] * c;
      vx += length[k] * c * x[n + k], vy += length[k] * s * x[n + k];
      for (const S& value : {rx, ry}) out.q.push_back(static_cast<double>(value));
      for (const S& value : {vx, vy}) out.v.push_back(static_cast<double>(value));
      const S lambda = -tension[k] / (S(2) * length[k]);
      out.lambda.push_back(static_cast<double>(lambda));
    }
    return out;
  }

  ChainParameters parameters;
  std::size_t n;
  S gamma{};
  std::vector<S> length;
};

/// (a) O(n). The accelerations are a_k = -gamma e_y - T_k e_k + T_{k+1} e_{k+1} with tensions T_k, T_n = 0; those of
/// the links, a_k - a_{k-1}, are also L_k (theta_k'' n_k - u_k^2 e_k). Along e_k, with e_k . e_{k-1} = c_k:
///   T_0 - c_1 T_1                            = L_0 u_0^2 + gamma cos theta_0
///   -c_k T_{k-1} + 2 T_k - c_{k+1} T_{k+1}   = L_k u_k^2,
/// symmetric and tridiagonal; the pivots of its elimination, p_0 = 1, p_k = 2 - c_k^2 / p_{k-1}, are never below 1.
/// Along n_k, with n_k . e_{k+1} = s_{k+1}, n_k . e_{k-1} = -s_k:
///   L_0 theta_0'' = -gamma sin theta_0 + T_1 s_1,     L_k theta_k'' = T_{k+1} s_{k+1} - T_{k-1} s_k.
template <class S>
struct ChainByTensions : ChainInAngles<S> {
  using typename ChainInAngles<S>::State;
  using ChainInAngles<S>::n, ChainInAngles<S>::gamma, ChainInAngles<S>::length;

  explicit ChainByTensions(const ChainParameters& of) : ChainInAngles<S>(of), s(n), c(n), p(n), tension(n + 1) {}

  void operator()(const State& x, State& dxdt, const S& t) const {
    detail::check_chain_finite(x, t);
    solve(x);
    for (std::size_t k = 0; k < n; ++k) {
      dxdt[k] = x[n + k];
      const S below = k + 1 < n ? tension[k + 1] * s[k + 1] : S(0);
      dxdt[n + k] = (k > 0 ? below - tension[k - 1] * s[k] : below - gamma * s[0]) / length[k];
    }
  }

  using ChainInAngles<S>::state;
  [[nodiscard]] ChainState state(const S& t, const State& x) const {
    solve(x);
    return state(t, x, tension);
  }

 private:
  void solve(const State& x) const {
    using std::cos, std::sin;
    for (std::size_t k = 0; k < n; ++k) {
      const S angle = k > 0 ? S(x[k] - x[k - 1]) : x[0];
      s[k] = sin(angle), c[k] = cos(angle);
      tension[k] = length[k] * x[n + k] * x[n + k];
    }
    tension[0] += gamma * c[0];
    p[0] = S(1);
    for (std::size_t k = 1; k < n; ++k) {
      const S ratio = c[k] / p[k - 1];
      p[k] = S(2) - ratio * c[k];
      tension[k] += ratio * tension[k - 1];
    }
    tension[n] = S(0);
    for (std::size_t k = n; k-- > 0;)
      tension[k] = (k + 1 < n ? S(tension[k] + c[k + 1] * tension[k + 1]) : tension[k]) / p[k];
  }

  mutable std::vector<S> s, c, p, tension;  // workspace: c[0], s[0] of theta_0 itself
};

/// (b) O(n^3). With m_ij = n - max(i, j) the masses below both links, Lagrange's equations of the kinetic energy
/// sum m_ij L_i L_j cos(theta_i - theta_j) u_i u_j / 2 are M theta'' = F,
///   M_ij = m_ij L_i L_j cos(theta_i - theta_j),
///   F_i  = -sum_j m_ij L_i L_j sin(theta_i - theta_j) u_j^2 - m_ii gamma L_i sin theta_i.
/// Tensions only for the output, from the accelerations: T_k e_k = T_{k+1} e_{k+1} - gamma e_y - a_k.
template <class S>
struct ChainByMassMatrix : ChainInAngles<S> {
  using typename ChainInAngles<S>::State;
  using ChainInAngles<S>::n, ChainInAngles<S>::gamma, ChainInAngles<S>::length;
  using Matrix = Eigen::Matrix<S, Eigen::Dynamic, Eigen::Dynamic>;
  using Vector = Eigen::Matrix<S, Eigen::Dynamic, 1>;

  explicit ChainByMassMatrix(const ChainParameters& of) : ChainInAngles<S>(of) {}

  void operator()(const State& x, State& dxdt, const S& t) const {
    using std::cos, std::sin;
    detail::check_chain_finite(x, t);
    const auto size = static_cast<Eigen::Index>(n);
    Matrix mass(size, size);
    Vector force(size);
    for (std::size_t i = 0; i < n; ++i) {
      const auto row = static_cast<Eigen::Index>(i);
      force(row) = -S(static_cast<int>(n - i)) * gamma * length[i] * sin(x[i]);
      for (std::size_t j = 0; j < n; ++j) {
        const S weight = S(static_cast<int>(n - std::max(i, j))) * length[i] * length[j];
        mass(row, static_cast<Eigen::Index>(j)) = weight * cos(x[i] - x[j]);
        force(row) -= weight * sin(x[i] - x[j]) * x[n + j] * x[n + j];
      }
    }
    const Vector acceleration = Eigen::LLT<Matrix>(mass).solve(force);
    for (std::size_t k = 0; k < n; ++k) {
      dxdt[k] = x[n + k];
      dxdt[n + k] = acceleration(static_cast<Eigen::Index>(k));
    }
  }

  using ChainInAngles<S>::state;
  [[nodiscard]] ChainState state(const S& t, const State& x) const {
    using std::cos, std::sin;
    State dxdt(2 * n);
    (*this)(x, dxdt, t);
    std::vector<S> ax(n), ay(n), tension(n);
    S sum_x(0), sum_y(0);
    for (std::size_t k = 0; k < n; ++k) {
      const S u = x[n + k], rate = dxdt[n + k];
      ax[k] = sum_x += length[k] * (cos(x[k]) * rate - sin(x[k]) * u * u);
      ay[k] = sum_y += length[k] * (sin(x[k]) * rate + cos(x[k]) * u * u);
    }
    S fx(0), fy(0);
    for (std::size_t k = n; k-- > 0;) {
      fx -= ax[k], fy -= gamma + ay[k];
      tension[k] = fx * sin(x[k]) - fy * cos(x[k]);
    }
    return state(t, x, tension);
  }
};

namespace detail {

inline void check_times_and_tolerance(std::size_t times, bool increasing, double tolerance, double smallest) {
  require_chain(times > 0, "times: at least one is needed");
  require_chain(increasing, "times: they must increase strictly");
  require_chain(tolerance >= smallest && tolerance < 1.0,
                "tolerance = " + std::to_string(tolerance) + ": allowed are values from the rounding unit to 1");
}

template <class S>
bool increase_strictly(const std::vector<S>& times) {
  for (std::size_t k = 1; k < times.size(); ++k)
    if (!(times[k] > times[k - 1])) return false;
  return true;
}

}  // namespace detail

/// Runs `system` through `times` (increasing, the first one is the start) by an odeint method whose steps end exactly
/// on them. tolerance bounds the local error, absolutely and relatively. Errors: as odeint_trajectory().
template <class System>
[[nodiscard]] std::vector<ChainState> odeint_chain_trajectory(const System& system,
                                                              const std::vector<typename System::Scalar>& times,
                                                              double tolerance, Method method) {
  using S = typename System::Scalar;
  detail::check_times_and_tolerance(times.size(), detail::increase_strictly(times), tolerance,
                                    static_cast<double>(std::numeric_limits<S>::epsilon()));
  std::vector<ChainState> trajectory;
  integrate_by_odeint(system, times, S(tolerance), method, [&](const typename System::State& at, const S& t) {
    detail::check_chain_finite(at, t);
    trajectory.push_back(system.state(t, at));
  });
  return trajectory;
}

/// The coefficients of the Taylor series of a chain's motion, written apart from the right-hand side of its equations.
template <class S>
struct ChainSeries {
  using Rows = std::vector<Series<S>>;
  std::size_t n, order;
  Rows theta, u;
  // s, c: sine and cosine of theta_0 and of the angles between neighbours, relative their rates.
  Rows s, c, relative, tension;
  std::vector<S> pivot, right;
  ChainSeries(std::size_t links, std::size_t highest)
      : n(links),
        order(highest),
        theta(n, Series<S>(order + 1)),
        u(theta),
        s(theta),
        c(theta),
        relative(theta),
        tension(theta),
        pivot(n),
        right(n) {}

  /// Computes the coefficients from those of order zero in theta and u.
  void expand(const ChainByTensions<S>& system) {
    using std::cos, std::sin;
    for (std::size_t k = 0; k < order; ++k) {
      const S weight(static_cast<unsigned>(k + 1));
      for (std::size_t i = 0; i < n; ++i) {
        relative[i][k] = i > 0 ? S(u[i][k] - u[i - 1][k]) : u[0][k];
        if (k == 0) {
          const S angle = i > 0 ? S(theta[i][0] - theta[i - 1][0]) : theta[0][0];
          s[i][0] = sin(angle), c[i][0] = cos(angle);
        } else {
          const S m(static_cast<unsigned>(k));
          s[i][k] = detail::product(relative[i], c[i], k - 1) / m;
          c[i][k] = -detail::product(relative[i], s[i], k - 1) / m;
        }
        right[i] = system.length[i] * detail::square(u[i], k);
      }
      right[0] += system.gamma * c[0][k];
      // The off-diagonal of A_j is -c[.][j]; the diagonal has no coefficients but the first.
      for (std::size_t i = 1; i < n; ++i) {
        S above(0), below(0);
        for (std::size_t j = 1; j <= k; ++j) {
          above += c[i][j] * tension[i][k - j];
          below += c[i][j] * tension[i - 1][k - j];
        }
        right[i - 1] += above;
        right[i] += below;
      }
      if (k == 0) {
        pivot[0] = S(1);
        for (std::size_t i = 1; i < n; ++i) pivot[i] = S(2) - c[i][0] * c[i][0] / pivot[i - 1];
      }
      for (std::size_t i = 1; i < n; ++i) right[i] += c[i][0] / pivot[i - 1] * right[i - 1];
      for (std::size_t i = n; i-- > 0;)
        tension[i][k] = (i + 1 < n ? S(right[i] + c[i + 1][0] * tension[i + 1][k]) : right[i]) / pivot[i];
      for (std::size_t i = 0; i < n; ++i) {
        theta[i][k + 1] = u[i][k] / weight;
        S rate = i > 0 ? S(-detail::product(tension[i - 1], s[i], k)) : S(-system.gamma * s[0][k]);
        if (i + 1 < n) rate += detail::product(tension[i + 1], s[i + 1], k);
        u[i][k + 1] = rate / (weight * system.length[i]);
      }
    }
  }

  /// Returns angles and rates after the time dt.
  [[nodiscard]] std::vector<S> evaluate(const S& dt) const {
    std::vector<S> x(2 * n);
    for (std::size_t i = 0; i < 2 * n; ++i) {
      const Series<S>& series = i < n ? theta[i] : u[i - n];
      S sum = series[order];
      for (std::size_t k = order; k-- > 0;) sum = sum * dt + series[k];
      x[i] = sum;
    }
    return x;
  }
};

/// Runs the tensions' equations by Taylor series: coefficients from recurrences written apart from the right-hand side,
/// O(n order^2) per step. The coefficients of T follow from one factorisation per step: with A = A_0 + A_1 t + ... the
/// tridiagonal matrix, A_0 T_k = b_k - sum_{j >= 1} A_j T_{k-j}. Order and steps as in taylor_trajectory(). Errors: as
/// there.
template <class S>
[[nodiscard]] std::vector<ChainState> taylor_chain_trajectory(const ChainByTensions<S>& system,
                                                              const std::vector<S>& times, double tolerance) {
  detail::check_times_and_tolerance(times.size(), detail::increase_strictly(times), tolerance, 1e-48);
  const std::size_t n = system.n;
  const auto order = static_cast<std::size_t>(std::ceil(1.0 - std::log(tolerance) / 2.0));
  ChainSeries<S> chain(n, order);
  std::vector<S> at = system.initial();
  std::vector<ChainState> trajectory;
  S t = times.front();
  std::size_t next = 0;
  while (next < times.size()) {
    detail::check_chain_finite(at, t);
    for (std::size_t i = 0; i < n; ++i) chain.theta[i][0] = at[i], chain.u[i][0] = at[n + i];
    chain.expand(system);
    double step = static_cast<double>(times.back() - times.front()) + 1.0;  // at an equilibrium any step is exact
    for (const std::size_t k : {order - 1, order}) {
      double largest = 0.0;
      for (std::size_t i = 0; i < 2 * n; ++i) {
        const double magnitude = std::abs(static_cast<double>((i < n ? chain.theta[i] : chain.u[i - n])[k]));
        if (!std::isfinite(magnitude))
          throw std::runtime_error("chain reference: a Taylor coefficient is not finite at t = " +
                                   std::to_string(static_cast<double>(t)));
        largest = std::max(largest, magnitude);
      }
      if (largest > 0.0)
        step = std::min(step, std::exp((std::log(tolerance) - std::log(largest)) / static_cast<double>(k)));
    }
    const S end = t + S(step);
    if (!(end > t))
      throw std::runtime_error("chain reference: the Taylor step underflows at t = " +
                               std::to_string(static_cast<double>(t)));
    for (; next < times.size() && times[next] <= end; ++next)
      trajectory.push_back(system.state(times[next], chain.evaluate(times[next] - t)));
    at = chain.evaluate(S(step));
    t = end;
  }
  return trajectory;
}

}  // namespace livi::reference

// SPDX-License-Identifier: MIT
#include "reference/magnetised_body_reference.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>
#include <stdexcept>

#include "reference/integration.hpp"

namespace livi::reference {

namespace {

void require(bool condition, const std::string& name, double value, const std::string& allowed) {
  if (condition) return;
  std::ostringstream message;
  message << "magnetised body reference: " << name << " = " << value << ", allowed are " << allowed;
  throw std::invalid_argument(message.str());
}

/// r by columns from the vector x of the Cayley map: the unit quaternion is (1, x/2) normalised.
template <class S>
std::array<S, 4> initial_quaternion(const MagnetisedBodyParameters& p) {
  using std::sqrt;
  std::array<S, 4> q{S(1)};
  S square(1);
  for (std::size_t i = 0; i < 3; ++i) {
    q[i + 1] = S(p.initial_rotation[i]) / S(2);
    square += q[i + 1] * q[i + 1];
  }
  for (S& component : q) component /= sqrt(square);
  return q;
}
template <class S>
std::array<S, 9> rotation_of(const std::array<S, 4>& q) {
  const S &a = q[0], &b = q[1], &c = q[2], &d = q[3], two(2);
  return {a * a + b * b - c * c - d * d, two * (b * c + a * d),         two * (b * d - a * c),
          two * (b * c - a * d),         a * a - b * b + c * c - d * d, two * (c * d + a * b),
          two * (b * d + a * c),         two * (c * d - a * b),         a * a - b * b - c * c + d * d};
}
/// m hat(w), by columns.
template <class S>
std::array<S, 9> times_hat(const std::array<S, 9>& m, const std::array<S, 3>& w) {
  std::array<S, 9> out;
  for (std::size_t i = 0; i < 3; ++i) {
    out[i] = m[3 + i] * w[2] - m[6 + i] * w[1];
    out[3 + i] = m[6 + i] * w[0] - m[i] * w[2];
    out[6 + i] = m[i] * w[1] - m[3 + i] * w[0];
  }
  return out;
}

/// q' = q (0, W)/2, W' = strength (R'e3) x e3 with R'e3 from q; the state is (q, W).
template <class S>
struct QuaternionEquations {
  using State = std::array<S, 7>;
  MagnetisedBodyParameters p;
  [[nodiscard]] State initial() const {
    const std::array<S, 4> q = initial_quaternion<S>(p);
    return {q[0], q[1], q[2], q[3], S(p.initial_w[0]), S(p.initial_w[1]), S(p.initial_w[2])};
  }
  void operator()(const State& x, State& rate, const S&) const {
    const S &a = x[0], &b = x[1], &c = x[2], &d = x[3], half = S(1) / S(2);
    rate[0] = -half * (b * x[4] + c * x[5] + d * x[6]);
    rate[1] = half * (a * x[4] + c * x[6] - d * x[5]);
    rate[2] = half * (a * x[5] + d * x[4] - b * x[6]);
    rate[3] = half * (a * x[6] + b * x[5] - c * x[4]);
    rate[4] = S(p.strength) * S(2) * (c * d + a * b);   // strength R_32
    rate[5] = -S(p.strength) * S(2) * (b * d - a * c);  // -strength R_31
    rate[6] = S(0);
  }
  [[nodiscard]] static std::array<S, 12> rotation_and_velocity(const State& x) {
    const std::array<S, 9> r = rotation_of<S>({x[0], x[1], x[2], x[3]});
    std::array<S, 12> out;
    std::copy(r.begin(), r.end(), out.begin());
    std::copy(x.begin() + 4, x.end(), out.begin() + 9);
    return out;
  }
};

/// The nine entries and W.
template <class S>
struct MatrixEquations {
  using State = std::array<S, 12>;
  MagnetisedBodyParameters p;
  [[nodiscard]] State initial() const {
    State x;
    const std::array<S, 9> r = rotation_of(initial_quaternion<S>(p));
    std::copy(r.begin(), r.end(), x.begin());
    for (std::size_t i = 0; i < 3; ++i) x[9 + i] = S(p.initial_w[i]);
    return x;
  }
  void operator()(const State& x, State& rate, const S&) const {
    std::array<S, 9> r;
    std::copy(x.begin(), x.begin() + 9, r.begin());
    const std::array<S, 9> dr = times_hat<S>(r, {x[9], x[10], x[11]});
    std::copy(dr.begin(), dr.end(), rate.begin());
    rate[9] = S(p.strength) * x[5];
    rate[10] = -S(p.strength) * x[2];
    rate[11] = S(0);
  }
  [[nodiscard]] static std::array<S, 12> rotation_and_velocity(const State& x) { return x; }
};

/// R and its velocity, eighteen entries.
template <class S>
struct PenalisedEquations {
  using State = std::array<S, 18>;
  MagnetisedBodyParameters p;
  [[nodiscard]] State initial() const {
    State x;
    const std::array<S, 9> r = rotation_of(initial_quaternion<S>(p));
    const std::array<S, 9> v = times_hat<S>(r, {S(p.initial_w[0]), S(p.initial_w[1]), S(p.initial_w[2])});
    std::copy(r.begin(), r.end(), x.begin());
    std::copy(v.begin(), v.end(), x.begin() + 9);
    return x;
  }
  void operator()(const State& x, State& rate, const S&) const {
    std::copy(x.begin() + 9, x.end(), rate.begin());
    std::array<S, 9> defect;
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j) {
        S sum(i == j ? -1 : 0);
        for (std::size_t k = 0; k < 3; ++k) sum += x[3 * i + k] * x[3 * j + k];
        defect[3 * j + i] = sum;
      }
    const S stiffness = S(4) * S(p.omega) * S(p.omega);
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j) {
        S sum(0);
        for (std::size_t k = 0; k < 3; ++k) sum += x[3 * k + i] * defect[3 * j + k];
        rate[9 + 3 * j + i] = -stiffness * sum;
      }
    rate[17] -= S(2) * S(p.strength);
  }
  [[nodiscard]] static std::array<S, 12> rotation_and_velocity(const State& x) {
    std::array<S, 12> out;
    std::copy(x.begin(), x.begin() + 9, out.begin());
    const auto entry = [&](std::size_t i, std::size_t j) {  // of R'R_dot
      return x[3 * i] * x[9 + 3 * j] + x[3 * i + 1] * x[10 + 3 * j] + x[3 * i + 2] * x[11 + 3 * j];
    };
    out[9] = (entry(2, 1) - entry(1, 2)) / S(2);
    out[10] = (entry(0, 2) - entry(2, 0)) / S(2);
    out[11] = (entry(1, 0) - entry(0, 1)) / S(2);
    return out;
  }
};

/// R and its velocity with the multipliers L of C = R'R = I, C'' = 0:
///   C L + L C = 2 K,   K = R_dot'R_dot + (R'F + F'R)/2,
/// solved to first order in C - I, L = K - ((C - I) K + K (C - I))/2: with L = K, all that is left for C = I, roundings
/// of C would grow exponentially.
template <class S>
struct ConstrainedEquations : PenalisedEquations<S> {
  using State = typename PenalisedEquations<S>::State;
  void operator()(const State& x, State& rate, const S&) const {
    std::copy(x.begin() + 9, x.end(), rate.begin());
    const S force = S(-2) * S(this->p.strength);  // F has the one entry 33, so (R'F)_ij = R_3i F_33 for j = 3 only
    std::array<S, 9> defect, k;
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j) {
        S of_position(i == j ? -1 : 0), of_velocity(0);
        for (std::size_t l = 0; l < 3; ++l) {
          of_position += x[3 * i + l] * x[3 * j + l];
          of_velocity += x[9 + 3 * i + l] * x[9 + 3 * j + l];
        }
        if (j == 2) of_velocity += force * x[3 * i + 2] / S(2);
        if (i == 2) of_velocity += force * x[3 * j + 2] / S(2);
        defect[3 * j + i] = of_position;
        k[3 * j + i] = of_velocity;
      }
    std::array<S, 9> multiplier = k;
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j)
        for (std::size_t l = 0; l < 3; ++l)
          multiplier[3 * j + i] -= (defect[3 * l + i] * k[3 * j + l] + k[3 * l + i] * defect[3 * j + l]) / S(2);
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j) {
        S sum(0);
        for (std::size_t l = 0; l < 3; ++l) sum += x[3 * l + i] * multiplier[3 * j + l];
        rate[9 + 3 * j + i] = -sum;
      }
    rate[17] += force;
  }
};

template <template <class> class Equations, class S>
std::vector<MagnetisedBodyState> run(const MagnetisedBodyParameters& parameters, Method method, double end_time,
                                     int samples, double tolerance) {
  using System = Equations<S>;
  using State = typename System::State;
  const System system{parameters};
  const std::vector<S> times = equally_spaced_times<S>(end_time, samples);
  std::vector<MagnetisedBodyState> trajectory;
  integrate_by_odeint(system, times, S(tolerance), method, [&](const State& at, const S& t) {
    const std::array<S, 12> values = System::rotation_and_velocity(at);
    MagnetisedBodyState& out = trajectory.emplace_back();
    out.t = static_cast<double>(t);
    for (std::size_t i = 0; i < 12; ++i) {
      const double value = static_cast<double>(values[i]);
      if (!std::isfinite(value))
        throw std::runtime_error("magnetised body reference: a value stopped being finite at t = " +
                                 std::to_string(out.t));
      (i < 9 ? out.r[i] : out.w[i - 9]) = value;
    }
  });
  return trajectory;
}

template <class S>
std::vector<MagnetisedBodyState> run(const MagnetisedBodyParameters& parameters, BodyFormulation formulation,
                                     Method method, double end_time, int samples, double tolerance) {
  switch (formulation) {
    case BodyFormulation::quaternion:
      return run<QuaternionEquations, S>(parameters, method, end_time, samples, tolerance);
    case BodyFormulation::matrix:
      return run<MatrixEquations, S>(parameters, method, end_time, samples, tolerance);
    case BodyFormulation::penalised:
      return run<PenalisedEquations, S>(parameters, method, end_time, samples, tolerance);
    case BodyFormulation::constrained:
      return run<ConstrainedEquations, S>(parameters, method, end_time, samples, tolerance);
  }
  throw std::invalid_argument("formulation: unknown value");
}

struct Checked {
  std::vector<MagnetisedBodyState> states;
  double disagreement;
  Arithmetic arithmetic;
};

std::vector<MagnetisedBodyState> agreeing(const MagnetisedBodyParameters& parameters, double end_time, int samples,
                                          double accuracy, const Run<BodyFormulation>& one,
                                          const Run<BodyFormulation>& other) {
  return first_agreement<Checked, BodyFormulation>(
             "magnetised body", end_time, accuracy, {{Arithmetic::extended_precision, 1.0, one, other}},
             [&](Arithmetic arithmetic, const Run<BodyFormulation>& of) {
               return integrate(parameters, of.formulation, of.method, arithmetic, end_time, samples, of.tolerance);
             })
      .states;
}

}  // namespace

std::vector<MagnetisedBodyState> integrate(const MagnetisedBodyParameters& parameters, BodyFormulation formulation,
                                           Method method, Arithmetic arithmetic, double end_time, int samples,
                                           double tolerance) {
  require(std::isfinite(parameters.strength), "strength", parameters.strength, "finite values");
  require(std::isfinite(parameters.omega) && parameters.omega > 0, "omega", parameters.omega, "finite values > 0");
  for (std::size_t i = 0; i < 3; ++i) {
    require(std::isfinite(parameters.initial_w[i]), "initial_w", parameters.initial_w[i], "finite values");
    require(std::isfinite(parameters.initial_rotation[i]), "initial_rotation", parameters.initial_rotation[i],
            "finite values");
  }
  require(tolerance >= 1e-30 && tolerance < 1, "tolerance", tolerance, "values from 1e-30 to 1");
  if (arithmetic == Arithmetic::double_precision)
    throw std::invalid_argument("magnetised body reference: arithmetic = " + name(arithmetic) +
                                ", allowed are long double and 50 digits");
  return arithmetic == Arithmetic::fifty_digits
             ? run<FiftyDigits>(parameters, formulation, method, end_time, samples, tolerance)
             : run<long double>(parameters, formulation, method, end_time, samples, tolerance);
}

double disagreement(const std::vector<MagnetisedBodyState>& one, const std::vector<MagnetisedBodyState>& other) {
  if (one.size() != other.size())
    throw std::invalid_argument("disagreement: trajectories of " + std::to_string(one.size()) + " and " +
                                std::to_string(other.size()) + " samples");
  double difference = 0;
  for (std::size_t k = 0; k < one.size(); ++k) {
    if (one[k].t != other[k].t) throw std::invalid_argument("disagreement: sample times differ");
    for (std::size_t i = 0; i < 9; ++i) difference = std::max(difference, std::abs(one[k].r[i] - other[k].r[i]));
    for (std::size_t i = 0; i < 3; ++i) difference = std::max(difference, std::abs(one[k].w[i] - other[k].w[i]));
  }
  return difference;
}

std::vector<MagnetisedBodyState> magnetised_body_reference(const MagnetisedBodyParameters& parameters, double end_time,
                                                           int samples, double accuracy) {
  return agreeing(parameters, end_time, samples, accuracy, {BodyFormulation::quaternion, Method::fehlberg78, 1e-17},
                  {BodyFormulation::matrix, Method::bulirsch_stoer, 1e-17});
}

std::vector<MagnetisedBodyState> penalised_body_reference(const MagnetisedBodyParameters& parameters, double end_time,
                                                          int samples, double accuracy) {
  return agreeing(parameters, end_time, samples, accuracy, {BodyFormulation::penalised, Method::fehlberg78, 1e-17},
                  {BodyFormulation::penalised, Method::fehlberg78, 1e-15});
}

}  // namespace livi::reference

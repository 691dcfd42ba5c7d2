// SPDX-License-Identifier: MIT
// Experiment: Z&S with penalties on constraints that are not distances: a surface, an angle, an area (TO14 1.2)
//
// All three are quadratic forms, so that no special penalty is needed:
//   surface  a particle on the ellipsoid x^2 + 2 y^2 + 3 z^2 = 1 in a field along y
//   angle    two particles seen from the origin under 60 degrees: sin(60) r.d - cos(60) r x d = 0, lengths free
//   area     three free particles in the plane, (p2 - p1) x (p3 - p1) = 1
// The reference is RATTLE with two small steps, extrapolated.
#include <livi/integrators/integrator.hpp>
#include <livi/integrators/rattle.hpp>
#include <livi/integrators/zhang_skeel.hpp>
#include <livi/systems/distance_constraints.hpp>
#include <livi/systems/planar_chain.hpp>
#include <livi/trajectory/trajectory.hpp>

#include "study/models/stiff_pendulum.hpp"
#include "study/program/experiment.hpp"
#include "study/program/report_parts.hpp"
#include "study/statistics/fitted_line.hpp"

namespace {

using namespace livi;
using stiff_pendulum::infinity;

constexpr double beta = 0.4, end_time = 2, sample = 0.05;

template <int N>
using Constrained =
    ConstrainedSystem<ScalarMass<double, N>, GravityPotential<double, N>, QuadraticConstraint<double, N>>;

template <int N>
struct Problem {
  const char* name;
  Constrained<N> system;
  Vector<double, N> q, v;  ///< consistent
};

template <int N>
Problem<N> problem(const char* name, const Matrix<double, N>& a, double level, double gravity, Vector<double, N> q,
                   Vector<double, N> v) {
  Constrained<N> system(ScalarMass<double, N>(1.0), GravityPotential<double, N>{gravity},
                        QuadraticConstraint<double, N>{.a = a, .level = level});
  Matrix<double, 1, N> jacobian;
  system.constraint().jacobian(q, jacobian);
  v -= jacobian.transpose() * ((jacobian * v) / jacobian.squaredNorm());
  return {name, system, q, v};
}

Problem<3> surface() {
  Matrix<double, 3> a = Matrix<double, 3>::Zero();
  a.diagonal() << 2, 4, 6;
  return problem<3>("surface", a, 1, 1, {std::sqrt(0.5), 0.5, 0}, {0.2, 0.1, 0.7});
}
Problem<4> angle() {
  const double s = std::sqrt(3.0) / 2, c = 0.5;
  Matrix<double, 4> a = Matrix<double, 4>::Zero();
  a(0, 2) = a(2, 0) = a(1, 3) = a(3, 1) = s;
  a(0, 3) = a(3, 0) = -c;
  a(1, 2) = a(2, 1) = c;
  return problem<4>("angle", a, 0, 1, {1, 0, 1.2 * c, 1.2 * s}, {0, 0.8, 0.3, -0.2});
}
Problem<6> area() {
  // p1 x p2 + p2 x p3 + p3 x p1 = 1
  Matrix<double, 6> a = Matrix<double, 6>::Zero();
  for (int k = 0; k < 3; ++k) {
    const int i = 2 * k, j = 2 * ((k + 1) % 3);
    a(i, j + 1) = a(j + 1, i) = 1;
    a(i + 1, j) = a(j, i + 1) = -1;
  }
  Vector<double, 6> q, v;
  q << 0, 0, 1, 0, 0, 1;
  v << -0.3, 0.2, 0.1, 0.9, -0.8, 0.1;
  return problem<6>("area", a, 1, 1, q, v);
}

template <int N>
using Samples = std::vector<Vector<double, N>>;

template <int N>
Samples<N> rattle(const Problem<N>& p, long steps_per_sample) {
  Rattle method(p.system);
  Samples<N> samples;
  Trajectory run(method, method.start(p.q, p.v), sample / static_cast<double>(steps_per_sample),
                 steps_in(end_time, sample) * steps_per_sample);
  for (const auto& point : run)
    if (point.step % steps_per_sample == 0) samples.push_back(point.state.q);
  return samples;
}

struct Result {
  double error = 0, scaled_g = 0;
};

template <int N>
Result penalty_error(const Problem<N>& p, const Samples<N>& reference, double omega, double h, double normal_speed) {
  const auto system = penalised(p.system, omega);
  ZhangSkeel method(system, {beta});
  Matrix<double, 1, N> jacobian;
  p.system.constraint().jacobian(p.q, jacobian);
  const Vector<double, N> v = p.v + (normal_speed / jacobian.norm()) * jacobian.transpose();
  const long every = steps_in(sample, h);
  Result result;
  Vector<double, 1> g;
  Trajectory run(method, method.start(p.q, v), h, steps_in(end_time, h));
  for (const auto& point : run) {
    const Vector<double, N> q = physical_position(method, point.state, h);
    p.system.constraint().value(q, g);
    result.scaled_g = std::max(result.scaled_g, omega * omega * std::abs(g(0)));
    if (point.step % every == 0)
      result.error = std::max(
          result.error, max_magnitude(Vector<double, N>(q - reference[static_cast<std::size_t>(point.step / every)])));
  }
  if (!run.outcome().ok()) result.error = infinity;
  return result;
}

const std::vector<double> omegas{25, 50, 100, 200};

struct Row {
  std::string name;
  double exponent = 0, control = 0, coarse_error = 0, largest_scaled_g = 0, reference_error = 0;
  std::vector<double> errors;
};

template <int N>
Row row_of(const Problem<N>& p) {
  const Samples<N> once = rattle(p, 250), twice = rattle(p, 500);
  Samples<N> reference;
  Row row;
  row.name = p.name;
  for (std::size_t k = 0; k < once.size(); ++k) {
    reference.push_back((4 * twice[k] - once[k]) / 3);
    row.reference_error = std::max(row.reference_error, max_magnitude(Vector<double, N>(once[k] - twice[k])) / 3);
  }
  std::vector<double> controls;
  for (const double omega : omegas) {
    const Result result = penalty_error(p, reference, omega, 0.0005, 0);
    row.errors.push_back(result.error);
    row.largest_scaled_g = std::max(row.largest_scaled_g, result.scaled_g);
    controls.push_back(penalty_error(p, reference, omega, 0.0005, 0.5).error);
  }
  row.exponent = fitted_power(omegas, row.errors).slope;
  row.control = fitted_power(omegas, controls).slope;
  row.coarse_error = penalty_error(p, reference, 200, 0.025, 0).error;
  return row;
}

}  // namespace

int main(int argc, char** argv) {
  return run_experiment(
      argc, argv, "holonomic_constraints", {"TO14", "arbitrary holonomic constraints", "1.2"},
      "Z&S with penalties on a surface, an angle, an area", {}, [&](Report& report, const ExperimentOptions& options) {
        report.parameter("beta", beta);
        report.parameter("T", end_time);
        report.parameter("h", 0.0005);
        report.parameter("h_coarse", 0.025);
        const std::vector<Row> rows{row_of(surface()), row_of(angle()), row_of(area())};
        double worst = -infinity, least_negative_control = -infinity, coarse = 0;
        std::string list;
        for (const Row& row : rows) {
          report.measurement({.name = row.name + ".error_exponent", .value = row.exponent, .unit = "order"});
          add_measurements(report,
                           {{row.name + ".error.omega_200", row.errors.back()},
                            {row.name + ".error.omega_200.h_0.025", row.coarse_error}},
                           "length", {.relative = 1e-3});
          report.measurement(
              {.name = row.name + ".largest_omega2_g", .value = row.largest_scaled_g, .tolerance = {.relative = 1e-3}});
          add_measurements(report, {{row.name + ".reference_error", row.reference_error}}, "length",
                           {.absolute = 1e-7});
          worst = std::max(worst, row.exponent);
          least_negative_control = std::max(least_negative_control, row.control);
          coarse = std::max(coarse, row.coarse_error);
          list += text(
              "%s: exponent %.2f, error %.1e at omega = 200, %.1e with h = 0.025 (h omega = 5), omega^2 |g| <= "
              "%.2f; ",
              row.name.c_str(), row.exponent, row.errors.back(), row.coarse_error, row.largest_scaled_g);
        }
        if (options.quick) {
          say_progress("quick: no claims are decided");
          return;
        }
        report.claim(in_one_interval(
            {.id = "TO14.s1.2.arbitrary-holonomic",
             .measured = worst,
             .unit = "order",
             .interval = Interval::around(-2, 0.2),
             .controls = {{.name = "a normal initial velocity of 0.5",
                           .measured = least_negative_control,
                           .note = "the normal energy does not vanish with omega and acts on the slow motion"}},
             .note = list + "every one is a potential with three derivatives to Z&S. The limit of stability, "
                            "h^2 omega bounded, is that of distances."}));
      });
}

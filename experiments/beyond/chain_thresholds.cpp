// SPDX-License-Identifier: MIT
// Experiment: up to which stiffness omega Z&S keeps the chain of TO14 4.2, as a function of the step h, of the number
// of links n and of where it starts; beside it velocity Verlet, Newmark with solves that cannot fail, and the chain
// with a linear constraint
//
// As on the double pendulum (stability_thresholds.cpp) Z&S is velocity Verlet on U = V - (c/2) grad V' (M + c Hess
// V)^-1 grad V, c = beta h^2. Let xi(g) = M^-1 Dg' A^-1 g, A = Dg M^-1 Dg', be the least displacement that changes the
// constraints by g. For c omega^2 A >> 1 and g = O(1/(c omega^2)), expanding the inverses,
//   U = V0 along the manifold + (1/2c) xi . M xi + (omega^2/2) sum_k g_k xi . Hess g_k xi + ...                     (a)
// A linear V0 does not load the normal directions: its part in grad V . xi is cancelled by that of the correction.
// The quadratic part is flattened to 1/c, in all n normal directions alike; the cubic part is not flattened at all. For
// a straight chain with unit masses xi_k is the displacement of mass k along it, link k is stretched by
// xi_k - xi_{k-1}, and with xi = rho / (6 L c omega^2) the step is
//   rho_k(next) - 2 rho_k + rho_k(last) = (f_k - rho_k - d_k^2 + d_{k+1}^2) / beta,   d_k = rho_k - rho_{k-1},      (b)
//   u = sum of rho_k^2/2 + d_k^3/3 - f_k rho_k,   f_k = 6 L beta^2 (h^2 omega)^2 F_k,
// F_k the centrifugal force on mass k, the M^-1 Dg' A^-1 (v . Hess g . v) of the motion. A start at x(0) = eta(q(0)) is
// displaced by c along gravity, rho_k = -6 L beta^2 (h^2 omega)^2 cos theta0 for all k. Hence omega_c = C/h^2, and n
// enters C in two ways. By the barrier: a single link has it at rho = -1, u = 1/6; inside a chain two masses share the
// compression of a link and it is several times lower, the same for all n beyond a few. And by the largest F_k: were
// the chain to swing as one straight line from the angle theta0, F_k would stay below about 3 (1 - cos theta0) for
// every n; but the pivot holds its end of the straight line back, a bend runs down the chain and cracks it like a whip.
// C falls as the largest F to the power -1/2.
//
// Verlet is bounded by linear theory: the stiffness is omega^2 A, for a straight chain 4 L^2 times the tridiagonal
// matrix (-1, 2, -1) with corner 1, whose largest eigenvalue is 4 cos^2(pi/(2n+1)): h omega <= 1/(2 L cos(pi/(2n+1))).
//
// Not printed in TO14, chosen here: T = 50; lost means a link half as long again, or half as short. It is judged at x.
// Chains of more than 40 links are run with the finer steps only: with the others the omega of interest is so low that
// the weight of the chain stretches its first links by some per cent.
#include <algorithm>
#include <livi/integrators/velocity_verlet.hpp>
#include <livi/linalg/multiplier_matrix.hpp>
#include <map>
#include <numbers>

#include "study/models/descent_steppers.hpp"
#include "study/models/hanging_chain.hpp"
#include "study/program/experiment.hpp"
#include "study/statistics/fitted_line.hpp"

namespace {

using namespace livi;
using namespace livi::hanging_chain;

constexpr double end_time = 50;

/// Whether every link is between half and one and a half times its length.
bool whole(const Constrained& system, const Coordinates<double>& q, Coordinates<double>& g) {
  system.constraint().value(q, g);
  for (Eigen::Index k = 0; k < g.size(); ++k)
    if (!(g(k) > -0.75 * squared_length && g(k) < 1.25 * squared_length)) return false;
  return true;
}

/// Time at which a run is lost; NaN for one that is not.
template <class Make>
double lost_at(int links, double omega, double h, StartAt at, const Make& make) {
  const Constrained constrained = chain(links);
  const Penalised system = penalised(constrained, omega);
  auto method = make(system);
  Coordinates<double> g;
  Trajectory run(method, method.start(start_of(at, system, printed_beta, h), at_rest(links)), h,
                 static_cast<long>(end_time / h));
  for (const auto& point : run)
    if (!whole(constrained, point.state.q, g)) return point.time;
  return run.outcome().ok() ? not_a_number : run.outcome().time;
}

const auto zhang_skeel = [](const Penalised& system) { return ZhangSkeel<Penalised>(system, {printed_beta}); };
const auto verlet = [](const Penalised& system) { return VelocityVerlet<Penalised>(system); };

/// The smallest omega h^2 of a geometric grid whose run of Z&S is lost.
constexpr double grid = 1.06;
double first_lost(int links, double h, StartAt at) {
  for (double h2_omega = 0.06; h2_omega < 2; h2_omega *= grid)
    if (!std::isnan(lost_at(links, h2_omega / (h * h), h, at, zhang_skeel))) return h2_omega;
  return 2;
}

/// Largest h omega that velocity Verlet keeps, by bisection in omega.
double verlet_limit(int links, double h) {
  double low = 0.1 / h, high = 1 / h;
  for (int i = 0; i < 12; ++i) {
    const double middle = (low + high) / 2;
    (std::isnan(lost_at(links, middle, h, StartAt::position, verlet)) ? low : high) = middle;
  }
  return low * h;
}
double verlet_limit_of_linear_theory(int links) {
  return 1 / (2 * std::sqrt(squared_length) * std::cos(std::numbers::pi / (2 * links + 1)));
}

// --- the reduced map (b) ---------------------------------------------------------------------------------------------

/// -grad u without load.
Coordinates<double> reduced_force(const Coordinates<double>& rho) {
  Coordinates<double> force = -rho;
  for (Eigen::Index k = 0; k < rho.size(); ++k) {
    const double d = rho(k) - (k > 0 ? rho(k - 1) : 0);
    force(k) -= d * d;
    if (k > 0) force(k - 1) += d * d;
  }
  return force;
}

/// The smallest h^2 omega whose displaced start, rho_k = -6 L beta^2 (h^2 omega)^2 cos theta0, escapes under (b) within
/// `steps` steps. No load: the prediction has no parameter.
double reduced_threshold(int links, long steps) {
  const double vertical = 2 / std::sqrt(5.0);
  for (double h2_omega = 0.06; h2_omega < 2; h2_omega *= 1.01) {
    const double displaced = 6 * std::sqrt(squared_length) * std::pow(printed_beta * h2_omega, 2) * vertical;
    Coordinates<double> last = Coordinates<double>::Constant(links, -displaced);
    Coordinates<double> now = last + reduced_force(last) / (2 * printed_beta);
    for (long k = 1; k < steps; ++k) {
      const Coordinates<double> next = 2 * now - last + reduced_force(now) / printed_beta;
      last = now;
      now = next;
      if (!(max_magnitude(now) < 20)) return h2_omega;
    }
  }
  return 2;
}

/// Height of the lowest barrier of u without load, by Newton's method from every link compressed in turn.
double reduced_barrier(int links) {
  double lowest = infinity;
  for (int broken = 0; broken < links; ++broken) {
    Coordinates<double> rho = Coordinates<double>::Constant(links, 0);
    rho(broken) = broken == 0 ? -0.9 : -0.3;
    if (broken > 0) rho(broken - 1) = 0.3;
    for (int iteration = 0; iteration < 60; ++iteration) {
      Matrix<double, Dynamic> hessian = Matrix<double, Dynamic>::Identity(links, links);
      for (int k = 0; k < links; ++k) {
        const double d = rho(k) - (k > 0 ? rho(k - 1) : 0);
        hessian(k, k) += 2 * d;
        if (k == 0) continue;
        hessian(k - 1, k - 1) += 2 * d;
        hessian(k, k - 1) -= 2 * d;
        hessian(k - 1, k) -= 2 * d;
      }
      Coordinates<double> change = reduced_force(rho);
      GaussianElimination<double, Dynamic> factor;
      if (factor.factor(hessian).singular) break;
      factor.solve_in_place(change);
      rho += change;
    }
    if (!(max_magnitude(reduced_force(rho)) < 1e-10) || max_magnitude(rho) < 1e-3) continue;
    double height = 0;
    for (int k = 0; k < links; ++k) {
      const double d = rho(k) - (k > 0 ? rho(k - 1) : 0);
      height += rho(k) * rho(k) / 2 + d * d * d / 3;
    }
    lowest = std::min(lowest, height);
  }
  return lowest;
}

/// The largest |F_k| of the constrained motion, by SHAKE.
double largest_load(int links) {
  constexpr double h = 0.025;
  const Constrained system = chain(links);
  Shake method(system);
  MultiplierMatrix<Constrained::jacobian_type, Constrained::mass_type> matrix(system.mass());
  Constrained::jacobian_type jacobian;
  Coordinates<double> v, curvature, force = at_rest(links);
  double largest = 0;
  Trajectory run(method, method.start(straight_start(links), at_rest(links)), h, steps_in(end_time, h));
  for (const auto& point : run) {
    v = point.state.v;
    static_cast<void>(method.tangent_velocity(point.state, v));
    system.constraint().jacobian(point.state.q, jacobian);
    system.constraint().curvature(point.state.q, v, curvature);
    matrix.set_directions(system.mass(), jacobian);
    if (matrix.factor(jacobian).singular) return infinity;
    matrix.solve_in_place(curvature);
    matrix.push(curvature, force);
    for (Eigen::Index i = 0; i < force.size(); i += 2) largest = std::max(largest, std::hypot(force(i), force(i + 1)));
  }
  return run.outcome().ok() ? largest : infinity;
}
/// f = 6 L beta^2 (h^2 omega)^2 F.
double reduced_load(double h2_omega, double force) {
  return 6 * std::sqrt(squared_length) * std::pow(printed_beta * h2_omega, 2) * force;
}

// --- the chain with a linear constraint, and Newmark -----------------------------------------------------------------

/// g(q) = Dg(q0) (q - q0) of the chain: its linearisation at the start.
struct LinearisedConstraint {
  static constexpr int links = printed_links;
  using scalar_type = double;
  using vector_type = Vector<double, 2 * links>;
  using multiplier_type = Vector<double, links>;
  using jacobian_type = Matrix<double, links, 2 * links>;
  static constexpr int dimension = 2 * links;
  [[maybe_unused]] static constexpr int constraints = links;
  jacobian_type linear;
  vector_type origin;

  void value(const vector_type& q, multiplier_type& g) const { g = linear * (q - origin); }
  void jacobian(const vector_type&, jacobian_type& jacobian) const { jacobian = linear; }
  template <class H>
  void add_hessian(const vector_type&, const multiplier_type&, H&) const {}
  void curvature(const vector_type&, const vector_type&, multiplier_type& w) const { w.setZero(); }
  void add_hessian_product(const vector_type&, const multiplier_type&, const vector_type&, vector_type&) const {}
  void add_third(const vector_type&, const multiplier_type&, const vector_type&, vector_type&) const {}
};

using FixedCoordinates = Vector<double, 2 * printed_links>;
auto dense_chain() {
  constexpr int n = 2 * printed_links;
  return ConstrainedSystem(ScalarMass<double, n>(1.0), GravityPotential<double, n>{gravity_down},
                           PlanarChainConstraint<double, n>{Vector<double, printed_links>::Constant(squared_length)});
}

/// Whether Z&S keeps |g| < L^2 on the chain of ten links with the linear constraint.
bool linearised_kept(double omega, double h) {
  const FixedCoordinates q0 = straight_start(printed_links);
  LinearisedConstraint constraint{{}, q0};
  dense_chain().constraint().jacobian(q0, constraint.linear);
  const auto system = penalised(ConstrainedSystem(dense_chain().mass(), dense_chain().potential(), constraint), omega);
  ZhangSkeel method(system, {printed_beta});
  Trajectory run(method, method.start(q0, FixedCoordinates::Zero()), h, steps_in(end_time, h));
  for (const auto& point : run) {
    LinearisedConstraint::multiplier_type g;
    constraint.value(point.state.q, g);
    if (!(max_magnitude(g) < squared_length)) return false;
  }
  return run.outcome().ok();
}

/// The largest |g| of Newmark, every equation solved by descent; infinite for a run that is not completed.
double newmark_defect(double omega, double h) {
  const auto constrained = dense_chain();
  const auto system = penalised(constrained, omega);
  DescentNewmark method(system, printed_beta);
  double largest = 0;
  Trajectory run(method, method.start(straight_start(printed_links), FixedCoordinates::Zero()), h,
                 steps_in(end_time, h));
  for (const auto& point : run) {
    Vector<double, printed_links> g;
    constrained.constraint().value(point.state.q, g);
    largest = std::max(largest, max_magnitude(g));
  }
  return run.outcome().ok() ? largest : infinity;
}

/// First lost h^2 omega from both starts.
struct Threshold {
  double plain, mapped;
};
using Thresholds = std::map<std::pair<int, double>, Threshold>;  ///< by links and step
const std::vector<double> steps{0.1, 0.05, 0.025, 0.0125}, fine_steps{0.025, 0.0125};
const std::vector<double>& steps_for(int links) { return links > 40 ? fine_steps : steps; }

/// Exponent in h of the first lost omega of the printed chain.
double exponent_in_h(const Thresholds& thresholds, double Threshold::*start) {
  std::vector<double> omegas;
  for (const double h : steps) omegas.push_back(thresholds.at({printed_links, h}).*start / (h * h));
  return fitted_power(steps, omegas).slope;
}
/// Geometric mean over the finer steps: a threshold by itself is ragged.
double mean_threshold(const Thresholds& thresholds, int links, double Threshold::*start) {
  double product = 1;
  for (const double h : fine_steps) product *= thresholds.at({links, h}).*start;
  return std::sqrt(product);
}

/// What loads the links of a chain, and what that comes to in the reduced map at the measured threshold.
struct Load {
  int links;
  double largest, reduced;
};

std::vector<Load> loads_at_thresholds(Report& report, const Thresholds& thresholds, const std::vector<int>& sizes) {
  std::vector<Load> loads;
  std::vector<std::vector<double>> rows;
  for (const int n : sizes) {
    const double largest = largest_load(n), displaced = reduced_threshold(n, 2000);
    const double reduced = reduced_load(mean_threshold(thresholds, n, &Threshold::plain), largest);
    report.measurement(
        {.name = text("reduced_map.h2_omega_c.n_%d", n), .value = displaced, .tolerance = {.relative = 0.03}});
    if (n <= 40)
      report.measurement(
          {.name = text("reduced_map.barrier.n_%d", n), .value = reduced_barrier(n), .tolerance = {.relative = 1e-9}});
    report.measurement({.name = text("largest_load.n_%d", n), .value = largest, .tolerance = {.relative = 1e-3}});
    report.measurement(
        {.name = text("reduced_load_at_threshold.n_%d", n), .value = reduced, .tolerance = {.relative = 0.27}});
    rows.push_back({static_cast<double>(n), largest, reduced, displaced});
    loads.push_back({n, largest, reduced});
  }
  report.series("loads", {{"n", ""}, {"load", "force"}, {"reduced_load", ""}, {"reduced_map", "h^2 omega"}}, rows);
  return loads;
}

void powers(Report& report, const Thresholds& thresholds, const std::vector<Load>& loads) {
  const double plain = exponent_in_h(thresholds, &Threshold::plain),
               mapped = exponent_in_h(thresholds, &Threshold::mapped);
  report.measurement({.name = "omega_c_exponent.n_10", .value = plain, .unit = "order"});
  report.measurement({.name = "omega_c_exponent.n_10.mapped", .value = mapped, .unit = "order"});
  const double verlet_coarse = verlet_limit(printed_links, 0.05) / 0.05,
               verlet_fine = verlet_limit(printed_links, 0.0125) / 0.0125;
  // The largest step is a power of omega, too: stability_thresholds.cpp has it for the double pendulum.
  for (const auto& [name, value] : {std::pair{"zhang_skeel", 1 / plain},
                                    {"zhang_skeel_mapped", 1 / mapped},
                                    {"verlet", std::log(0.05 / 0.0125) / std::log(verlet_coarse / verlet_fine)}})
    report.measurement({.name = text("largest_step_exponent.n_10.%s", name), .value = value, .unit = "order"});
  int linear_kept = 0;
  for (const double omega : {200.0, 2000.0, 2e4}) {
    linear_kept += linearised_kept(omega, printed_step) ? 1 : 0;
    report.measurement({.name = text("newmark.largest_g.omega_%.0f", omega),
                        .value = newmark_defect(omega, printed_step),
                        .unit = "length^2",
                        .tolerance = {.absolute = 1e-9, .relative = 1e-3}});
  }
  report.count("linearised.kept", linear_kept);

  std::vector<double> links, of_start, of_mapped, of_load, of_reduced_load;
  for (const Load& at : loads) {
    if (at.links < printed_links) continue;
    links.push_back(at.links);
    of_start.push_back(mean_threshold(thresholds, at.links, &Threshold::plain));
    of_mapped.push_back(mean_threshold(thresholds, at.links, &Threshold::mapped));
    of_load.push_back(at.largest);
    of_reduced_load.push_back(at.reduced);
  }
  for (const auto& [name, value] : {std::pair{"threshold", fitted_power(links, of_start).slope},
                                    {"threshold_from_eta", fitted_power(links, of_mapped).slope},
                                    {"largest_load", fitted_power(links, of_load).slope},
                                    {"reduced_load_at_threshold", fitted_power(links, of_reduced_load).slope}})
    report.measurement({.name = text("power_of_n.%s", name), .value = value, .tolerance = {.absolute = 0.06}});
}

}  // namespace

int main(int argc, char** argv) {
  return run_experiment(
      argc, argv, "chain_thresholds", {"TO14", "stability of the chain at large omega", "4.2"},
      "stability of the chain of pendula against omega, h and n", {},
      [&](Report& report, const ExperimentOptions& options) {
        report.parameter("beta", printed_beta);
        report.parameter("T", end_time);
        const std::vector<int> sizes =
            options.quick ? std::vector<int>{1, printed_links} : std::vector<int>{1, 2, 3, 5, 10, 20, 40, 80, 160};
        report.parameter("h", steps);
        Thresholds thresholds;
        std::vector<std::vector<double>> rows, of_verlet;
        for (const int links : sizes) {
          say_progress(text("n = %d", links));
          of_verlet.push_back(
              {static_cast<double>(links), verlet_limit(links, 0.0125), verlet_limit_of_linear_theory(links)});
          report.measurement({.name = text("verlet.h_omega_c.n_%d", links),
                              .value = of_verlet.back()[1],
                              .tolerance = {.absolute = 2e-3}});
          for (const double h : steps_for(links)) {
            const Threshold threshold{first_lost(links, h, StartAt::position), first_lost(links, h, StartAt::mapped)};
            thresholds[{links, h}] = threshold;
            rows.push_back({static_cast<double>(links), h, threshold.plain, threshold.mapped});
            for (const auto& [name, value] : {std::pair{"position", threshold.plain}, {"mapped", threshold.mapped}})
              report.measurement({.name = text("h2_omega_c.%s.n_%d.h_%g", name, links, h),
                                  .value = value,
                                  .tolerance = {.relative = 0.13}});  // two grid points
          }
        }
        report.series("thresholds", {{"n", ""}, {"h", "time"}, {"position", "h^2 omega"}, {"mapped", "h^2 omega"}},
                      rows);
        report.series("verlet", {{"n", ""}, {"measured", "h omega"}, {"linear_theory", "h omega"}}, of_verlet);
        say_progress("loads");
        const std::vector<Load> loads = loads_at_thresholds(report, thresholds, sizes);
        report.figure({"chain_thresholds.svg",
                       "The chain of n pendula of TO14 4.2, beta = 0.4. First lost omega of Z&S against h for ten "
                       "links, beside Verlet; first lost h^2 omega against n, measured, by the reduced map, and by the "
                       "largest centrifugal force of the motion."});
        if (options.quick) {
          say_progress("quick: no powers are fitted");
          return;
        }
        say_progress("powers");
        powers(report, thresholds, loads);
      });
}

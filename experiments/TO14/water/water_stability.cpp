// SPDX-License-Identifier: MIT
//
// Experiment: for which Newmark beta, h and omega Integrator 5 of TO14 is stable on a water cluster; what rigid
// molecules gain over stiff ones; in which sense the penalty makes the Hessian block-diagonally dominated
//
// Stiff frequencies. At rest sides vibrate with squared frequencies omega^2 times the eigenvalues of the 3 x 3 matrix W
// = G M^-1 G^T of one molecule. With L = r_OH, R = r_HH, the angle alpha, and the exchange of the hydrogens as
// symmetry:
//   antisymmetric   4 L^2 (1/m_H + (1 - cos alpha)/m_O)                                        (1.980 omega)^2
//   symmetric       of ((4 L^2 (1/m_H + (1 + cos alpha)/m_O), 2^(3/2) R^2/m_H), (., 8 R^2/m_H))
//                                                                            (1.162 omega)^2 and (4.544 omega)^2
//
// Linear theory. At the minimum of (26), Hess V = K0 + K1, K1 that of the penalty: simplified Z&S for stiff systems has
// h^2 (K0 + K1) u = mu (M + beta h^2 K1) u with mu <= 4 for stability, that is
//   4 M + (4 beta - 1) h^2 K1 - h^2 K0 >= 0.
// For beta = 1/4 the penalty drops out: 4 M >= h^2 K0, Verlet's bound on K0 for free atoms. Librations have it for any
// beta, but for the loads of the sides, tensions in K1 that turn against rotations. Below 1/4 a side needs (1 - 4 beta)
// (h Omega)^2 < 4. Linear theory has nothing against beta >= 1/4 and h = 0.05, whatever omega.
//
// Nonlinear. x is not where the sides are: g(x) = g(q) + c D^2g(v, v), so a rotation stretches the sides in x, and
// omega^2 g(x) Hess g, the tension, is a stiffness c omega^2 D^2g(v, v) that grows with omega. With m the mass of a
// hydrogen it counts as h^2 c omega^2 |v|^2/m: bounds have the form h^2 omega |v| <= constant, so the largest step
// falls as omega^(-1/2) once that is less than linear theory allows.
//
// Resonance. The penalty has cubic terms. A vibration that turns by theta = 2 pi/3 a step, cos theta = 1 - z/(2 (1 +
// beta z)) = -1/2 with z = (h Omega)^2, adds their kicks up: beta = (1 - 3/z)/3, between 0 and 1/3 for z > 3. Of the
// three vibrations at h = 0.05, omega = 20 only H-H, z = 20.6, has it above 1/4.
//
// Lost means: the kinetic energy exceeds ten times the energy that the start has above the minimum, or a step fails.
// Not printed in TO14, chosen here: the starts (water_motion.hpp), how long. A prototype had shown the map before the
// intervals were written.
//
// One file, though long: the claims read the same model and the same scans.
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <array>
#include <functional>
#include <livi/integrators/rattle.hpp>
#include <livi/integrators/shake.hpp>
#include <livi/integrators/simplified_zhang_skeel.hpp>
#include <livi/integrators/variational_stiff_zhang_skeel.hpp>
#include <livi/integrators/velocity_verlet.hpp>

#include "study/models/water_motion.hpp"
#include "study/program/controls.hpp"
#include "study/program/experiment.hpp"
#include "study/program/parallel.hpp"
#include "study/statistics/slope_of_sums.hpp"

namespace {

using namespace livi;
using namespace livi::water;
using Full = Matrix<double, Dynamic>;

/// Generalised eigenvalues of (a, b), b positive definite, rising.
V eigenvalues(const Full& a, const Full& b) {
  return Eigen::GeneralizedSelfAdjointEigenSolver<Full>(a, b, Eigen::EigenvaluesOnly).eigenvalues();
}

/// The cluster of one omega about its minimum.
struct Model {
  double omega;
  Stiff stiff;
  V minimum;  ///< minimum of (26)
  double least_energy;
  Full mass, whole, penalty;

  Model(double of_omega, const V& rigid_minimum)
      : omega(of_omega), stiff(stiff_cluster(rigid_minimum.size() / 9, of_omega)) {
    const WithHessian dense = dense_cluster(rigid_minimum.size() / 9, omega);
    minimum = relaxed_minimum(dense, rigid_minimum);
    least_energy = stiff.potential().value(minimum);
    Dense h(minimum.size());
    dense.potential().hessian(minimum, h);
    whole = h.matrix.selfadjointView<Eigen::Lower>();
    dense.potential().stiff_hessian(minimum, h);
    penalty = h.matrix.selfadjointView<Eigen::Lower>();
    V masses(minimum.size());
    for (Eigen::Index i = 0; i < masses.size(); ++i) masses(i) = stiff.mass().diagonal(i);
    mass = masses.asDiagonal();
  }
  /// Angular frequencies at the minimum, rising; the six motions of the whole have 0.
  [[nodiscard]] V frequencies() const { return eigenvalues(whole, mass).cwiseMax(0).cwiseSqrt(); }
  /// h^2 times the largest eigenvalue: stable up to 4.
  [[nodiscard]] double linear_number(double beta, double h) const {
    return h * h * eigenvalues(whole, mass + beta * h * h * penalty).maxCoeff();
  }
};

/// Halves the interval so many times, by whether its middle belongs to its lower part.
struct Bisected {
  double low, high;
};
Bisected bisected(double low, double high, int halvings, const std::function<bool(double)>& is_low) {
  for (int k = 0; k < halvings; ++k) {
    const double middle = (low + high) / 2;
    (is_low(middle) ? low : high) = middle;
  }
  return {low, high};
}

enum class Method { simplified, variational, verlet, shake };
enum class From { relaxed, rigid };

/// When a run is lost, infinity if it is not.
template <class Stepper>
double lost_at(Stepper method, const Start& start, double h, double T, double limit) {
  auto z = method.start(start.q, start.v);
  const auto steps = static_cast<long>(T / h);
  for (long k = 1; k <= steps; ++k) {
    const bool ok = method.step(z, h).ok();
    if (ok && k % 5 != 0 && k != steps) continue;
    if (!ok || !(kinetic_energy(method.system().mass(), z.v) < limit)) return static_cast<double>(k) * h;
  }
  return infinity;
}

struct Scan {
  const Rigid rigid = rigid_cluster(heptamer_size);
  V minimum = heptamer();
  std::size_t starts = 3;
  double T = 50;
  unsigned threads = 1;

  [[nodiscard]] double life(const Model& model, Method which, From from, double beta, double h, std::size_t i) const {
    Start start = rigid_start(rigid, minimum, i + 1);
    if (from == From::relaxed && which != Method::shake) start.q = model.minimum;
    const double above = kinetic_energy(rigid.mass(), start.v) +
                         (which == Method::shake ? 0 : model.stiff.potential().value(start.q) - model.least_energy);
    const auto lost = [&](const auto& method) { return lost_at(method, start, h, T, 10 * above); };
    switch (which) {
      case Method::simplified:
        return lost(StiffZhangSkeel(model.stiff, {beta}));
      case Method::variational:
        return lost(VariationalStiffZhangSkeel(model.stiff, {beta}));
      case Method::verlet:
        return lost(VelocityVerlet(model.stiff));
      case Method::shake:
        // RATTLE has the positions of SHAKE and velocities that are tangent, as a kinetic energy needs them.
        return lost(Rattle(rigid));
    }
    throw std::invalid_argument("method");
  }
  /// Half of the starts are lost by then.
  [[nodiscard]] double median_life(const Model& model, Method which, From from, double beta, double h) const {
    std::vector<double> lives;
    for (std::size_t i = 0; i < starts; ++i) lives.push_back(life(model, which, from, beta, h, i));
    std::sort(lives.begin(), lives.end());
    return lives[(lives.size() - 1) / 2];
  }
  /// The largest step of a geometric ladder from `first` on, six to the octave, up to which at every step of it more
  /// than half of the starts survive; 0 if there is none.
  [[nodiscard]] double largest_step(const Model& model, Method which, double beta, double first) const {
    double last = 0;
    for (int k = 0; k < 30; ++k) {
      const double h = first * std::exp2(k / 6.0);
      if (median_life(model, which, From::relaxed, beta, h) < infinity) return last;
      last = h;
    }
    return last;
  }
};

/// Returns the eigenvalues of G M^-1 G^T of one molecule by the formulas above, rising.
V side_eigenvalues() {
  const WaterModel<double> m = tip3p<double>();
  const double l = m.squared_oh, r = m.squared_hh, cosine = 1 - r / (2 * l), o = 1 / m.oxygen_mass,
               h = 1 / m.hydrogen_mass;
  const double a = 4 * l * (h + (1 + cosine) * o), b = std::sqrt(8.0) * r * h, d = 8 * r * h;
  const double middle = (a + d) / 2, half = std::hypot((a - d) / 2, b);
  V values(3);
  values << middle - half, 4 * l * (h + (1 - cosine) * o), middle + half;
  std::sort(values.begin(), values.end());
  return values;
}

/// Largest deviation of the stiff frequencies over omega from the formulas, relative.
double frequency_deviation(const Model& model) {
  const V values = side_eigenvalues(), all = model.frequencies();
  const Eigen::Index n = model.minimum.size() / 9;
  double largest = 0;
  for (Eigen::Index i = 0; i < 3 * n; ++i)
    largest = std::max(largest, std::abs(all(6 * n + i) / model.omega / std::sqrt(values(i / n)) - 1));
  return largest;
}

/// How far blocks of molecules dominate a matrix: over rows of blocks, the sum of the norms of the others over the norm
/// of the diagonal one, and over its smallest singular value (dominance in the sense of Feingold and Varga: < 1).
struct Dominance {
  double by_norm = 0, strict = 0;
  double jacobi = not_a_number;  ///< spectral radius of block Jacobi
};
double norm_of(const Full& block) {
  return std::sqrt(std::max(
      0.0,
      Eigen::SelfAdjointEigenSolver<Full>(block.transpose() * block, Eigen::EigenvaluesOnly).eigenvalues().maxCoeff()));
}
Dominance dominance_of(const Full& matrix, bool with_radius) {
  Dominance d;
  const Eigen::Index n = matrix.rows() / 9;
  Full diagonal = Full::Zero(matrix.rows(), matrix.cols());
  for (Eigen::Index a = 0; a < n; ++a) {
    double others = 0;
    for (Eigen::Index b = 0; b < n; ++b)
      if (b != a) others += norm_of(matrix.block(9 * a, 9 * b, 9, 9));
    const Full own = matrix.block(9 * a, 9 * a, 9, 9);
    diagonal.block(9 * a, 9 * a, 9, 9) = own;
    const V values = Eigen::SelfAdjointEigenSolver<Full>(own, Eigen::EigenvaluesOnly).eigenvalues();
    d.by_norm = std::max(d.by_norm, others / values.cwiseAbs().maxCoeff());
    d.strict = std::max(d.strict, others / values.cwiseAbs().minCoeff());
  }
  if (with_radius && eigenvalues(diagonal, Full::Identity(matrix.rows(), matrix.cols())).minCoeff() > 0)
    d.jacobi = eigenvalues(matrix - diagonal, diagonal).cwiseAbs().maxCoeff();
  return d;
}

constexpr double dynamic_omegas[]{20, 50, 100, 200, 500, 1000, 2000};
constexpr double first_rung = 0.0125;

/// Largest steps by omega.
struct Limits {
  double omega = 0;
  std::array<double, 3> simplified{0, 0, 0};  ///< beta = 1/4, 0.3, 1/2
  double variational = 0;                     ///< beta = 0.3
  double side_bound = 0;                      ///< Verlet's on the stiffest side
};
constexpr std::array<double, 3> betas{0.25, 0.3, 0.5};

double exponent_of(const std::vector<Limits>& rows, double from, const std::function<double(const Limits&)>& what) {
  SlopeOfSums line;
  for (const Limits& row : rows)
    if (row.omega >= from && what(row) > 0) line.add(std::log(row.omega), std::log(what(row)));
  return line.slope();
}

/// Lives over beta at the printed h and omega.
struct AtBeta {
  double beta = 0;
  double first_lost = infinity;  ///< the shortest life of the starts
  double share_lost = 0;
};

AtBeta at_beta(const Scan& scan, const Model& model, From from, double T, double beta) {
  Scan longer = scan;
  longer.T = T;
  AtBeta at{.beta = beta};
  for (std::size_t i = 0; i < scan.starts; ++i) {
    const double life = longer.life(model, Method::simplified, from, beta, printed_step, i);
    at.first_lost = std::min(at.first_lost, life);
    at.share_lost += (life < infinity ? 1.0 : 0.0) / static_cast<double>(scan.starts);
  }
  return at;
}
std::vector<AtBeta> over_beta(const Scan& scan, const Model& model, From from, double T, bool fine) {
  std::vector<double> values;
  for (int k = 0; k < (fine ? 40 : 0); ++k) values.push_back(0.25 + 0.0025 * k);
  for (int k = fine ? 35 : 25; k <= 100; k += fine ? 1 : 5) values.push_back(0.01 * k);
  return for_each_case(values.size(), scan.threads,
                       [&](std::size_t k) { return at_beta(scan, model, from, T, values[k]); });
}

void claim_resonance(Report& report, const Model& model, const std::vector<AtBeta>& relaxed) {
  // The middle of the betas at which starts are lost, weighted with their share.
  double middle = 0, weight = 0, low_end = infinity, high_end = 0;
  for (const AtBeta& at : relaxed)
    if (at.share_lost > 0 && !(at.beta > 0.35)) {
      middle += at.beta * at.share_lost;
      weight += at.share_lost;
      low_end = std::min(low_end, at.beta);
      high_end = std::max(high_end, at.beta);
    }
  if (weight == 0) weight = middle = 1;
  const double turn = printed_step * model.frequencies().maxCoeff(), z = turn * turn;
  const double third = (1 - 3 / z) / 3, fourth = (1 - 2 / z) / 2;
  const Interval near{-0.005, 0.005};
  report.measurement({.name = "third_order_resonance.beta", .value = third, .tolerance = {.absolute = 1e-6}});
  report.claim(
      {.id = "TO14.s4.3.third-order-resonance",
       .measured = middle / weight - third,
       .interval = near,
       .controls = {failing("the fourth-order resonance, beta = (1 - 2/(h Omega)^2)/2", middle / weight - fourth,
                            near)},
       .note =
           text("A turn by 120 degrees a step, z/(1 + beta z) = 3 with z = (h Omega)^2 = %.2f: beta = %.4f; runs are "
                "lost from %.4f to %.4f. The cubic term of the penalty drives it; at 120 degrees a step it adds up "
                "at any amplitude. With beta = 0.3 the same resonance is at h = %.4f.",
                z, third, low_end, high_end, std::sqrt(3 / 0.1) / model.frequencies().maxCoeff())});
}

void put_frequencies(Report& report, const Model& printed, const Model& stiffer) {
  const V values = side_eigenvalues();
  for (int i = 0; i < 3; ++i)
    report.measurement({.name = text("side_frequency_over_omega.%d", i),
                        .value = std::sqrt(values(i)),
                        .tolerance = {.relative = 1e-9}});
  // For the 3 N highest frequencies at the minimum of (26): the other forces move them.
  for (const Model* model : {&printed, &stiffer})
    report.measurement({.name = text("side_frequencies.largest_deviation.omega=%g", model->omega),
                        .value = frequency_deviation(*model),
                        .tolerance = {.relative = 1e-3}});
}

void put_exponents(Report& report, const std::vector<Limits>& rows) {
  std::vector<Limits> moderate;
  for (const Limits& row : rows)
    if (row.omega <= 200) moderate.push_back(row);
  for (std::size_t b = 0; b < betas.size(); ++b) {
    const auto step = [b](const Limits& row) { return row.simplified[b]; };
    // Steps are tried in sixths of an octave: 0.05 over a decade, one or two of them on another machine.
    for (const auto& [range, value] :
         {std::pair{"200_to_2000", exponent_of(rows, 200, step)}, {"20_to_200", exponent_of(moderate, 0, step)}})
      report.measurement({.name = text("step_exponent.omega=%s.beta=%g", range, betas[b]),
                          .value = value,
                          .tolerance = {.absolute = 0.15}});
  }
  report.measurement({.name = "step_exponent.omega=200_to_2000.verlet_bound",
                      .value = exponent_of(rows, 200, [](const Limits& row) { return row.side_bound; }),
                      .tolerance = {.absolute = 1e-3}});
}

void put_rigid(Report& report, const Scan& scan, const Model& model) {
  const double verlet = scan.largest_step(model, Method::verlet, 0, first_rung),
               shake = scan.largest_step(model, Method::shake, 0, first_rung);
  const auto energy_error = [&](double h) {
    Shake method(scan.rigid);
    const Start start = rigid_start(scan.rigid, scan.minimum, 1);
    Trajectory run(method, method.start(start.q, start.v), h, steps_in(scan.T, h));
    V v = start.v;
    const double first = scan.rigid.energy(start.q, start.v);
    double error = 0;
    for (const auto& point : run)
      if (method.tangent_velocity(point.state, v).ok())
        error = std::max(error, std::abs(scan.rigid.energy(point.state.q, v) - first));
    return error;
  };
  report.measurement({.name = "shake.energy_error.h=0.1",
                      .value = energy_error(0.1),
                      .unit = "kcal/mol",
                      .tolerance = {.relative = 0.3}});
  // A rung of the ladder.
  report.measurement({.name = "shake.largest_step", .value = shake, .unit = "time", .tolerance = {.relative = 0.3}});
  report.measurement({.name = "verlet.largest_step", .value = verlet, .unit = "time", .tolerance = {.relative = 0.3}});
  report.measurement(
      {.name = "largest_step.shake_over_verlet", .value = shake / verlet, .tolerance = {.relative = 0.5}});
  // What the stiffness leaves: librations of rigid molecules, the highest frequency below those of the sides.
  report.measurement({.name = "librations.largest_linear_step",
                      .value = 2 / model.frequencies()(6 * heptamer_size - 1),
                      .unit = "time",
                      .tolerance = {.relative = 1e-6}});
}

Full hessian_at(const V& q, double omega) {
  const WithHessian dense = dense_cluster(q.size() / 9, omega);
  Dense h(q.size());
  dense.potential().hessian(q, h);
  return h.matrix.selfadjointView<Eigen::Lower>();
}

void claim_dominance(Report& report, const Scan& scan, const Model& printed, const Model& stiffer) {
  const V hundred = water_start("hundred").q;
  const auto of_hundred = for_each_case(4, scan.threads, [&](std::size_t i) {
    constexpr double omegas[]{1, 5, 20, 100};
    return dominance_of(hessian_at(hundred, omegas[i]), false).by_norm;
  });
  // Along a run.
  Shake method(scan.rigid);
  const Start start = rigid_start(scan.rigid, scan.minimum, 1);
  Trajectory run(method, method.start(start.q, start.v), printed_step, 1000);
  double along = 0;
  for (const auto& point : run)
    if (point.step % 200 == 0)
      along = std::max(along, dominance_of(hessian_at(point.state.q, printed_omega), false).by_norm);
  const double c = chosen_beta * printed_step * printed_step;
  const Dominance of_hessian = dominance_of(printed.whole, true), of_stiffer = dominance_of(stiffer.whole, true),
                  of_matrix = dominance_of(printed.mass + c * printed.whole, true);
  for (const auto& [name, value] : {std::pair{"hundred.omega=1", of_hundred[0]},
                                    {"hundred.omega=5", of_hundred[1]},
                                    {"hundred.omega=20", of_hundred[2]},
                                    {"hundred.omega=100", of_hundred[3]},
                                    {"heptamer.omega=20", of_hessian.by_norm},
                                    {"heptamer.omega=20.strict", of_hessian.strict},
                                    {"heptamer.omega=20.jacobi", of_hessian.jacobi},
                                    {"heptamer.omega=2000.jacobi", of_stiffer.jacobi},
                                    {"heptamer.matrix.strict", of_matrix.strict},
                                    {"heptamer.matrix.jacobi", of_matrix.jacobi}})
    if (std::isfinite(value))
      report.measurement({.name = text("dominance.%s", name), .value = value, .tolerance = {.relative = 1e-5}});
  const Interval dominated{0, 0.5};
  report.claim(
      {.id = "TO14.s4.3.hessian-block-dominated",
       .measured = of_hundred[2],
       .interval = dominated,
       .controls = {failing("omega = 1", of_hundred[0], dominated)},
       .note = text(
           "100 molecules, omega = 1, 5, 20, 100: %.2g, %.2g, %.2g, %.2g: like omega^-2. Seven molecules %.3f, along a "
           "run at most %.3f. The document draws from this that the linear system is solved in O(N), which does not "
           "follow: the rigid motions of a molecule feel other molecules alone, whatever omega, so in the sense of "
           "Feingold and Varga (the others over the smallest singular value of the own) the Hessian has %.0f, not less "
           "than 1, and block Jacobi on it has the spectral radius %.3f (omega = 2000: %.3f). What makes the linear "
           "system M + beta h^2 Hess V dominated is the mass: %.2f in that sense, radius %.3f; the step, not the "
           "penalty.",
           of_hundred[0], of_hundred[1], of_hundred[2], of_hundred[3], of_hessian.by_norm, along, of_hessian.strict,
           of_hessian.jacobi, of_stiffer.jacobi, of_matrix.strict, of_matrix.jacobi)});
}

std::vector<Limits> put_largest_steps(Report& report, const Scan& scan, const std::vector<Model>& models) {
  say_progress("largest steps");
  const auto limits = for_each_case(4 * models.size(), scan.threads, [&](std::size_t i) {
    const Model& model = models[i / 4];
    return i % 4 < 3 ? scan.largest_step(model, Method::simplified, betas[i % 4], first_rung)
                     : scan.largest_step(model, Method::variational, 0.3, first_rung);
  });
  // One or two rungs of the ladder.
  const auto put_step = [&](const std::string& name, double value) {
    report.measurement({.name = name, .value = value, .unit = "time", .tolerance = {.relative = 0.3}});
  };
  std::vector<Limits> rows;
  std::vector<std::vector<double>> table;
  for (std::size_t k = 0; k < models.size(); ++k) {
    Limits row{.omega = models[k].omega, .side_bound = 2 / models[k].frequencies().maxCoeff()};
    for (std::size_t b = 0; b < betas.size(); ++b) row.simplified[b] = limits[4 * k + b];
    row.variational = limits[4 * k + 3];
    rows.push_back(row);
    table.push_back(
        {row.omega, row.simplified[0], row.simplified[1], row.simplified[2], row.variational, row.side_bound});
    for (std::size_t b = 0; b < betas.size(); ++b)
      put_step(text("largest_step.omega=%g.beta=%g", row.omega, betas[b]), row.simplified[b]);
    put_step(text("largest_step.variational.omega=%g", row.omega), row.variational);
  }
  report.series("largest_steps",
                {{"omega", ""},
                 {"beta_0_25", "time"},
                 {"beta_0_3", "time"},
                 {"beta_0_5", "time"},
                 {"variational", "time"},
                 {"verlet", "time"}},
                table);
  return rows;
}

/// Which of a first start's runs are kept over beta and h; the bound of linear theory and the resonance beside it.
void put_map(Report& report, const Scan& scan, const Model& printed) {
  say_progress("map over beta and h");
  constexpr std::size_t rungs = 24, columns = 41;
  const auto beta_of = [](std::size_t column) { return 0.025 * static_cast<double>(column); };
  const auto h_of = [](std::size_t rung) { return 0.0125 * std::exp2(static_cast<double>(rung) / 5); };
  const auto lives = for_each_case(rungs * columns, scan.threads, [&](std::size_t i) {
    return scan.life(printed, Method::simplified, From::relaxed, beta_of(i % columns), h_of(i / columns), 0);
  });
  std::vector<std::vector<double>> map, linear_only, resonance;
  double kept = 0;
  for (std::size_t i = 0; i < lives.size(); ++i) {
    // 0 lost by t = 10, 1 lost later, 2 kept.
    map.push_back({beta_of(i % columns), h_of(i / columns), lives[i] == infinity ? 2.0 : lives[i] > 10 ? 1.0 : 0.0});
    kept += lives[i] == infinity ? 1 : 0;
  }
  for (std::size_t k = 0; k < columns; ++k) {
    const auto stable = [&](double h) { return printed.linear_number(beta_of(k), h) <= 4; };
    linear_only.push_back({beta_of(k), bisected(0, 0.6, 20, stable).low});
  }
  for (int k = 0; k < 33; ++k)
    resonance.push_back({0.01 * k, std::sqrt(3 / (1 - 0.03 * k)) / printed.frequencies().maxCoeff()});
  const std::vector<Column> point{{"beta", ""}, {"h", "time"}};
  report.series("map", {{"beta", ""}, {"h", "time"}, {"kept", ""}}, map);
  report.series("linear_bound", point, linear_only);
  report.series("third_order_resonance", point, resonance);
  report.measurement(
      {.name = "map.share_kept", .value = kept / static_cast<double>(lives.size()), .tolerance = {.absolute = 0.03}});
}

/// Lifetimes over h by Z&Ss and SHAKE, and over beta, which are returned.
std::vector<AtBeta> put_lifetimes(Report& report, const Scan& scan, const Model& printed, double T_beta) {
  say_progress("lifetimes");
  const std::vector<double> steps{0.06, 0.07, 0.08, 0.09, 0.1, 0.11, 0.12, 0.14, 0.16, 0.18, 0.2, 0.25};
  const auto by_step = for_each_case(2 * steps.size(), scan.threads, [&](std::size_t i) {
    return scan.median_life(printed, i % 2 == 0 ? Method::simplified : Method::shake, From::relaxed, 0.3, steps[i / 2]);
  });
  std::vector<std::vector<double>> lifetimes;
  for (std::size_t k = 0; k < steps.size(); ++k)
    lifetimes.push_back({steps[k], std::min(by_step[2 * k], scan.T), std::min(by_step[2 * k + 1], scan.T)});
  report.series("lifetimes", {{"h", "time"}, {"simplified", "time"}, {"shake", "time"}}, lifetimes);
  const auto by_beta = over_beta(scan, printed, From::relaxed, T_beta, true);
  std::vector<std::vector<double>> of_beta;
  for (const AtBeta& at : by_beta) of_beta.push_back({at.beta, std::min(at.first_lost, T_beta)});
  report.series("lifetimes_by_beta", {{"beta", ""}, {"first_lost", "time"}}, of_beta);
  return by_beta;
}

void measure_stability(Report& report, bool quick, unsigned threads) {
  Scan scan;
  scan.threads = threads;
  if (quick) {
    scan.T = 5;
    scan.starts = 1;
  }
  report.parameter("N", heptamer_size);
  report.parameter("omega", printed_omega);
  report.parameter("h", printed_step);
  report.parameter("inverse_temperature", printed_inverse_temperature);
  report.parameter("T", scan.T);
  report.parameter("starts", static_cast<long>(scan.starts));
  report.seed("first", 1);

  std::vector<Model> models;
  for (const double omega : dynamic_omegas) models.emplace_back(omega, scan.minimum);
  const Model &printed = models.front(), &stiffer = models.back();
  const double T_beta = quick ? 5 : 200;
  const auto largest_steps = put_largest_steps(report, scan, models);
  put_map(report, scan, printed);
  const auto by_beta = put_lifetimes(report, scan, printed, T_beta);
  report.figure({"water_stability.svg",
                 "Where Integrator 5 is stable on a water cluster: over beta and h for omega = 20, with the "
                 "bound of linear theory; the largest step against omega; lifetimes against h."});
  if (quick) {
    say_progress("small parameters: no claims are decided");
    return;
  }
  say_progress("claims");
  claim_resonance(report, printed, by_beta);
  put_frequencies(report, printed, stiffer);
  put_exponents(report, largest_steps);
  put_rigid(report, scan, printed);
  claim_dominance(report, scan, printed, stiffer);
}

}  // namespace

int main(int argc, char** argv) {
  unsigned threads = processors();
  return run_experiment(
      argc, argv, "water_stability", {"TO14", "Stability on water", "4.3"},
      "Stability of Integrator 5 of TO14 on a water cluster over beta, h and omega", {.threads = &threads},
      [&](Report& report, const ExperimentOptions& options) { measure_stability(report, options.quick, threads); });
}

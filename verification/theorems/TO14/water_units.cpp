// SPDX-License-Identifier: MIT
// Theorem: TO14 Section 4.3: the units of its numbers, which are not printed
//
// h = 0.05, omega = 20 and the inverse temperature 50 are numbers in the units of the energy of TIP3P. If length is
// counted in L Angstrom and energy in E kcal/mol, with masses in amu, time is counted in L/sqrt(E) times 48.888 fs.
// Then
//   a motion of frequency w in units of Angstrom and kcal/mol has the frequency w L/sqrt(E);
//   a restraint of omega = 20, g in units of L^2, has the frequency 20 s/L, s that of omega = 1 in Angstrom.
// What is known without any of the paper's numbers is the fastest motion of rigid molecules at the minimum of (H2O)_7.
// Besides, Integrator 5 runs or does not: with the printed h and omega, read so, it keeps the molecules in one piece or
// tears them up.
#include <Eigen/Eigenvalues>
#include <livi/integrators/simplified_zhang_skeel.hpp>
#include <livi/report/water_starts.hpp>
#include <livi/systems/rigid_water.hpp>

#include "study/program/theorem.hpp"

namespace livi::theorem {

Program this_program() {
  return {"water_units", {"TO14", "Section 4.3", "4.3"}, "In which units the numbers of Section 4.3 can be meant"};
}

namespace {

constexpr double h = 0.05, omega = 20, inverse_temperature = 50;
/// kcal/(mol K), and fs.
constexpr double gas_constant = 8.31446261815324 / 4184;
const double time_unit = 1e5 / std::sqrt(4.184e6);

/// L in Angstrom, E in kcal/mol.
struct Reading {
  const char* name;
  double length, energy;
};
constexpr Reading readings[]{{"Angstrom, kcal/mol", 1, 1},
                             {"Angstrom, kJ/mol", 1, 1 / 4.184},
                             {"nm, kcal/mol", 10, 1},
                             {"nm, kJ/mol", 10, 1 / 4.184}};

/// Kinetic energy of motions of rigid molecules as a matrix: B' M B, B of rigid_water.hpp.
Eigen::MatrixXd rigid_mass(const Eigen::VectorXd& q) {
  Eigen::MatrixXd out = Eigen::MatrixXd::Zero(q.size() / 9 * 6, q.size() / 9 * 6);
  const auto masses = water_masses(q.size() / 9, tip3p<double>());
  for (Eigen::Index atom = 0; atom < q.size() / 3; ++atom) {
    const Vector3<double> r = q.segment<3>(3 * atom) - q.segment<3>(9 * (atom / 3));
    Eigen::Matrix<double, 3, 6> b;
    for (int k = 0; k < 3; ++k) {
      const Vector3<double> axis = Vector3<double>::Unit(k);
      b.col(k) = axis;
      b.col(3 + k) = cross<double>(axis, r);
    }
    out.block<6, 6>(6 * (atom / 3), 6 * (atom / 3)) += masses.diagonal(3 * atom) * b.transpose() * b;
  }
  return out;
}

/// Returns the fastest frequency of the rigid heptamer at its minimum.
double fastest_rigid_motion() {
  const Eigen::VectorXd q = water_start("heptamer").q;
  const WaterPotential<double> potential(tip3p<double>());
  Eigen::VectorXd gradient;
  potential.gradient(q, gradient);
  DenseHessian<double, Dynamic> hessian(q.size());
  potential.hessian(q, hessian);
  const Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd> modes(rigid_hessian(q, gradient, hessian),
                                                                        rigid_mass(q), Eigen::EigenvaluesOnly);
  EXPECT_LE(std::abs(modes.eigenvalues()(5)), 1e-6);
  EXPECT_GT(modes.eigenvalues()(6), 1e-3);
  return std::sqrt(modes.eigenvalues()(modes.eigenvalues().size() - 1));
}

/// The slowest of the three vibrations of a molecule under the penalty with omega = 1.
double slowest_vibration() {
  const auto model = tip3p<double>();
  const Eigen::VectorXd q = water_molecule(model);
  WaterRigidity<double>::jacobian_type jacobian;
  WaterRigidity<double>{model.squared_oh, model.squared_hh}.jacobian(q, jacobian);
  Eigen::MatrixXd rows = dense(jacobian);
  for (Eigen::Index i = 0; i < 9; ++i) rows.col(i) /= std::sqrt(water_masses(1, model).diagonal(i));
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> modes(rows * rows.transpose(), Eigen::EigenvaluesOnly);
  return std::sqrt(modes.eigenvalues()(0));
}

/// Integrator 5 on (26) from the minimum at rest, 20000 steps of h = 0.05, numbers read in these units.
struct PenalisedRun {
  double stretch = 0;  ///< largest relative change of an O-H bond; infinite if one doubled or vanished
  long steps = 0;      ///< how many were done
};
PenalisedRun penalised_run(const Reading& reading, double beta) {
  // In Angstrom and kcal/mol.
  const auto system =
      penalised(water_cluster<double>(7), omega * std::sqrt(reading.energy) / (reading.length * reading.length));
  const double step = h * reading.length / std::sqrt(reading.energy), bond = std::sqrt(tip3p<double>().squared_oh);
  StiffZhangSkeel method(system, {beta});
  const Eigen::VectorXd start = water_start("heptamer").q;
  auto z = method.start(start, Eigen::VectorXd::Zero(start.size()));
  PenalisedRun run;
  while (run.steps < 20000) {
    const bool done = method.step(z, step).ok();
    ++run.steps;
    for (Eigen::Index atom = 0; atom < start.size() / 3; ++atom) {
      if (atom % 3 == 0) continue;
      const double length = (z.q.segment<3>(3 * atom) - z.q.segment<3>(9 * (atom / 3))).norm();
      run.stretch = std::max(run.stretch, std::abs(length / bond - 1));
    }
    if (!done || !(run.stretch < 1)) return {std::numeric_limits<double>::infinity(), run.steps};
  }
  return run;
}

TEST(TO14_s4_3, units) {
  const double rigid = fastest_rigid_motion(), vibration = slowest_vibration();
  double phase[4], ratio[4];
  std::string table;
  for (std::size_t k = 0; k < 4; ++k) {
    const auto& [name, length, energy] = readings[k];
    const double unit = length / std::sqrt(energy);
    phase[k] = h * rigid * unit;
    ratio[k] = omega * vibration / length / (rigid * unit);
    char line[300];
    std::snprintf(line, sizeof line,
                  "%s%s: h = %.3g fs, %.3g K, bond of %.3g kcal/mol/A^2, h w = %.3g, vibration/rigid motion %.3g",
                  k == 0 ? "" : "; ", name, h * unit * time_unit, energy / (inverse_temperature * gas_constant),
                  4 * omega * omega * tip3p<double>().squared_oh * energy / std::pow(length, 4), phase[k], ratio[k]);
    table += line;
  }
  // beta is not printed either: 1/4, 0.3 and the 0.4 of other sections. The worst of a reading, and the best.
  double worst[4] = {}, best[4];
  long first_lost[4], last_lost[4];
  for (std::size_t k = 0; k < 4; ++k) {
    best[k] = std::numeric_limits<double>::infinity();
    first_lost[k] = 20000, last_lost[k] = 0;
    for (const double beta : {0.25, 0.3, 0.4}) {
      const PenalisedRun run = penalised_run(readings[k], beta);
      worst[k] = std::max(worst[k], run.stretch);
      best[k] = std::min(best[k], run.stretch);
      first_lost[k] = std::min(first_lost[k], run.steps);
      last_lost[k] = std::max(last_lost[k], run.steps);
    }
  }
  for (const auto& [name, value] :
       {std::pair("rigid.h_w", phase[0]), std::pair("restraint.over_rigid_motion", ratio[0]),
        std::pair("restraint.over_rigid_motion.kJ", ratio[1])})
    report().measurement({.name = name, .value = value, .tolerance = {.relative = 1e-6}});
  // SHAKE is Verlet's method on rigid motions, unstable for h w > 2; what is slower than the motions that it shall
  // restrain is not stiff.
  for (const std::size_t k : {0U, 1U}) {
    EXPECT_LT(phase[k], 2);
    EXPECT_GT(ratio[k], 1);
  }
  for (const std::size_t k : {2U, 3U}) {
    EXPECT_GT(phase[k], 2);
    EXPECT_LT(ratio[k], 1);
  }
  for (const std::size_t k : {1U, 2U, 3U}) EXPECT_TRUE(std::isinf(best[k])) << readings[k].name;
  const Interval whole{0, 0.5};
  const auto other = [&](std::size_t k) {
    return Control{.name = readings[k].name,
                   .measured = worst[k],
                   .interval = whole,
                   .note = text("for each of the three beta a bond doubles or vanishes, after %ld to %ld steps",
                                first_lost[k], last_lost[k])};
  };
  expect_verdict(
      {.id = "TO14.s4.3.units",
       .measured = worst[0],
       .interval = whole,
       .controls = {other(1), other(2), other(3)},
       .note = "In nm SHAKE would be unstable, too (h w > 2), and the restraint slower than the rigid motions, so that "
               "neighbours tear a molecule apart. In kJ/mol SHAKE is stable and the restraint faster, but not by "
               "enough. " +
               table});
  // 1/(50 R) and h in conventional units, by hand.
  EXPECT_NEAR(1 / (inverse_temperature * gas_constant), 10.06, 0.01);
  EXPECT_NEAR(h * time_unit, 2.444, 0.001);
}

}  // namespace

}  // namespace livi::theorem

// SPDX-License-Identifier: MIT
//
// Our water clusters in OpenMM (its Reference platform, in double), where it is installed: energies, forces, and a
// trajectory with SETTLE. Its unit of energy is kJ/mol, of length nm, of time ps; its constant of Coulomb's law has
// other digits than ours, so charges are scaled to the same strength.
#include <gtest/gtest.h>
#include <openmm/Context.h>
#include <openmm/NonbondedForce.h>
#include <openmm/Platform.h>
#include <openmm/System.h>
#include <openmm/VerletIntegrator.h>
#include <livi/integrators/shake.hpp>
#include <livi/report/water_starts.hpp>
#include <livi/systems/rigid_water.hpp>

#include <memory>

namespace {

using livi::Dynamic;
using V = livi::Vector<double, Dynamic>;

constexpr double kilocalorie = 4.184, nanometre = 0.1;  // in kJ, per Angstrom
/// Our unit of time in ps: (amu A^2 mol/kcal)^(1/2).
const double time_unit = 0.1 / std::sqrt(kilocalorie);

/// Energy of two charges of 1 e, 1 nm apart.
double coulomb_constant() {
  OpenMM::System system;
  auto* force = new OpenMM::NonbondedForce;  // the system deletes it
  for (int k = 0; k < 2; ++k) {
    system.addParticle(1);
    force->addParticle(1, 1, 0);
  }
  system.addForce(force);
  OpenMM::VerletIntegrator integrator(1);
  OpenMM::Context context(system, integrator, OpenMM::Platform::getPlatformByName("Reference"));
  context.setPositions({{0, 0, 0}, {1, 0, 0}});
  return context.getState(OpenMM::State::Energy).getPotentialEnergy();
}

/// N rigid molecules of the model in OpenMM.
std::unique_ptr<OpenMM::System> openmm_cluster(Eigen::Index molecules, const livi::WaterModel<double>& model) {
  auto system = std::make_unique<OpenMM::System>();
  auto* force = new OpenMM::NonbondedForce;
  const double charge = std::sqrt(model.coulomb * kilocalorie * nanometre / coulomb_constant()),
               sigma = std::pow(model.repulsion / model.attraction, 1.0 / 6) * nanometre,
               epsilon = model.attraction * model.attraction / (4 * model.repulsion) * kilocalorie,
               oh = std::sqrt(model.squared_oh) * nanometre, hh = std::sqrt(model.squared_hh) * nanometre;
  for (Eigen::Index m = 0; m < molecules; ++m) {
    const int o = system->addParticle(model.oxygen_mass);
    force->addParticle(-2 * charge, sigma, epsilon);
    for (int hydrogen = 1; hydrogen < 3; ++hydrogen) {
      system->addParticle(model.hydrogen_mass);
      force->addParticle(charge, 1, 0);
      force->addException(o, o + hydrogen, 0, 1, 0);
      system->addConstraint(o, o + hydrogen, oh);
    }
    force->addException(o + 1, o + 2, 0, 1, 0);
    system->addConstraint(o + 1, o + 2, hh);
  }
  force->setNonbondedMethod(OpenMM::NonbondedForce::NoCutoff);
  system->addForce(force);
  return system;
}

std::vector<OpenMM::Vec3> in_openmm(const V& numbers, double unit) {
  std::vector<OpenMM::Vec3> out;
  for (Eigen::Index i = 0; i < numbers.size(); i += 3)
    out.emplace_back(unit * numbers(i), unit * numbers(i + 1), unit * numbers(i + 2));
  return out;
}
V from_openmm(const std::vector<OpenMM::Vec3>& vectors, double unit) {
  V out(3 * static_cast<Eigen::Index>(vectors.size()));
  for (std::size_t atom = 0; atom < vectors.size(); ++atom)
    for (int k = 0; k < 3; ++k) out(3 * static_cast<Eigen::Index>(atom) + k) = vectors[atom][k] / unit;
  return out;
}

TEST(OpenMM, energies_and_forces) {
  for (const char* name : {"dimer", "heptamer", "heptamer-4", "hundred"}) {
    // Away from the minimum, where forces do not vanish, and without rigid shapes.
    V q = livi::water_start(name).q;
    for (const double bend : {0.0, 0.05}) {
      for (Eigen::Index i = 0; i < q.size(); ++i) q(i) += bend * std::sin(static_cast<double>(7 * i));
      const livi::WaterPotential<double> potential(livi::tip3p<double>());
      const auto system = openmm_cluster(q.size() / 9, potential.model);
      OpenMM::VerletIntegrator integrator(0.001);
      OpenMM::Context context(*system, integrator, OpenMM::Platform::getPlatformByName("Reference"));
      context.setPositions(in_openmm(q, nanometre));
      const OpenMM::State state = context.getState(OpenMM::State::Energy | OpenMM::State::Forces);
      V gradient;
      potential.gradient(q, gradient);
      // Sums of 9 N (N-1)/2 terms of size 100 kcal/mol that cancel to 10 per molecule: 1e-13 of the largest, times the
      // root of their number.
      const double rounding = 1e-11 * std::sqrt(static_cast<double>(q.size()));
      EXPECT_NEAR(state.getPotentialEnergy() / kilocalorie, potential.value(q), rounding) << name;
      EXPECT_LE((from_openmm(state.getForces(), kilocalorie / nanometre) + gradient).cwiseAbs().maxCoeff(), rounding)
          << name;
      // Both can be wrong in no common way, but both could see no difference: another constant is seen.
      EXPECT_GT(std::abs(state.getPotentialEnergy() / 4.18 - potential.value(q)), 1e-3);
    }
  }
}

/// The nearest model whose lengths in nm are numbers of single precision, as OpenMM keeps those of SETTLE.
livi::WaterModel<double> model_in_single_precision() {
  livi::WaterModel<double> model = livi::tip3p<double>();
  for (double* squared : {&model.squared_oh, &model.squared_hh}) {
    const double length = static_cast<double>(static_cast<float>(std::sqrt(*squared) * nanometre)) / nanometre;
    *squared = length * length;
  }
  return model;
}

/// SHAKE in two-step form and OpenMM's leapfrog with SETTLE are one map of (q_{k-1}, q_k): the same trajectory.
TEST(OpenMM, shake_and_settle) {
  const auto rigid = livi::water_cluster<double>(7, model_in_single_precision());
  livi::Shake shake(rigid);
  V v = V::Zero(63);
  auto z = shake.start(livi::with_rigid_shape(livi::water_start("heptamer-3").q, rigid.potential().model), v);
  // Out of the minimum: molecules drift apart with 0.05 Angstrom per unit of time, each in another direction.
  for (Eigen::Index i = 0; i < 63; ++i) z.v(i) = 0.05 * std::sin(static_cast<double>(5 * (i / 9) + i % 3));
  const double h = 0.05;
  const V before = z.q;
  ASSERT_TRUE(shake.step(z, h).ok());
  const auto system = openmm_cluster(7, rigid.potential().model);
  OpenMM::VerletIntegrator integrator(h * time_unit);
  integrator.setConstraintTolerance(1e-14);
  OpenMM::Context context(*system, integrator, OpenMM::Platform::getPlatformByName("Reference"));
  context.setPositions(in_openmm(z.q, nanometre));
  context.setVelocities(in_openmm((z.q - before) / h, nanometre / time_unit));
  const V first = z.q;
  for (int k = 1; k <= 200; ++k) {
    ASSERT_TRUE(shake.step(z, h).ok());
    integrator.step(1);
    if (k != 1 && k != 200) continue;
    const V q = from_openmm(context.getState(OpenMM::State::Positions).getPositions(), nanometre);
    // Rounding of 1e-15 in a step is 1e-15/h of velocity, which displaces all later steps: 200^2/2 of it.
    EXPECT_LE((q - z.q).cwiseAbs().maxCoeff(), k == 1 ? 1e-14 : 1e-10);
  }
  EXPECT_GT((z.q - first).cwiseAbs().maxCoeff(), 0.1);
}

}  // namespace

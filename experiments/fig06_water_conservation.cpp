// SPDX-License-Identifier: MIT
// Experiment: Figure 6 of TO14: energy, linear and angular momentum of a water cluster without noise by simplified Z&S,
// SHAKE and every reading of partially solved Newmark; what the start and the step do to them
//
// Momenta of a method of the family (21). With forces M f(x) per step,
//   P_{k+1} - P_k = h/2 sum M (f_k + f_{k+1}),   L_{k+1} - L_k = h/2 sum (x_k x M f_k + x_{k+1} x M f_{k+1}).
// Simplified Z&S for stiff systems has f = a with (M + c Hess V1) a = -grad V, c = beta h^2. Translations leave V1
// alone, so Hess V1 a sums to zero, and so does M a: P is kept, exactly. Rotations: from grad V1(R x) = R grad V1(x),
// Hess V1 (xi x x) = xi x grad V1, and the torque is
//   sum x x M a = -c sum x x Hess V1 a = -c sum grad_i V1 x a_i = c sum F1_i x a_i,
// not zero: of order h^2 with the force of the sides F1. With the whole Hessian F takes the place of F1, and F = M a +
// c Hess V a, F x a = c (Hess V a) x a: of order h^4. With the third-derivative term, or in the variational form, M f
// is a gradient of a function that rotations leave alone, and L is kept.
//
// M f is no gradient: energy goes round in loops where curl(M f) is not zero, again at order c. What drives both is the
// vibration of the sides; where it is not thermal but of the start (water_motion.hpp), F1 x a has a mean in the frame
// of the cluster, L grows like t, and energy follows. The step is reversible and keeps volume all the same: neither is
// enough.
//
// "Partially solved Newmark". One iteration of Newton's method; not printed: where it starts (four guesses), which
// acceleration the next step uses (recomputed, or carried), and which matrix it has (the whole Hessian, or that of the
// penalty, as Integrator 5). All sixteen are run. "Printed" below is the reading of Figure 1: from q_k, carried, whole.
//
// Energies of penalised runs are those of (26) at the stored position; lost means that the energy has changed by more
// than the binding energy, or that a step failed. A prototype had shown the sizes of the errors before the intervals
// were written.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <functional>
#include <livi/integrators/newmark.hpp>
#include <livi/integrators/shake.hpp>
#include <livi/integrators/simplified_zhang_skeel.hpp>
#include <livi/integrators/variational_stiff_zhang_skeel.hpp>
#include <livi/integrators/velocity_verlet.hpp>

#include "experiment.hpp"
#include "parallel.hpp"
#include "water_motion.hpp"

namespace {

using namespace livi;
using namespace livi::water;

const Place figure{"TO14", "Sec. 4.3, Fig. 6"};
constexpr long downsampling = 20;

/// (26) with the Hessian of the penalty in place of its own: a Newton iteration then solves molecule by molecule.
/// Iterated to the end it gives the same solution, at a linear rate of about h^2 |Hess V0| / (4 m) = 0.06.
struct PenaltyHessianAlone {
  using scalar_type = double;
  using vector_type = V;
  using hessian_type = TriangleHessian<double>;
  static constexpr int dimension = Dynamic;
  Stiff::potential_type whole;

  [[nodiscard]] double value(const V& q) const { return whole.value(q); }
  void gradient(const V& q, V& out) const { whole.gradient(q, out); }
  void hessian(const V& q, hessian_type& h) const { whole.stiff_hessian(q, h); }
};
using WithPenaltyHessian = MechanicalSystem<DiagonalMass<double, Dynamic>, PenaltyHessianAlone>;

/// The models, at one omega.
struct Models {
  Rigid rigid = rigid_cluster(heptamer_size);
  Stiff stiff;
  WithHessian dense;
  WithPenaltyHessian penalty_hessian;
  V minimum, relaxed;
  double binding_energy;

  Models()
      : stiff(stiff_cluster(heptamer_size, printed_omega)),
        dense(dense_cluster(heptamer_size, printed_omega)),
        penalty_hessian(stiff.mass(), {stiff.potential()}),
        minimum(heptamer(rigid)),
        relaxed(relaxed_minimum(dense, minimum)),
        binding_energy(-rigid.potential().value(minimum)) {}
};

/// What a run keeps, read at every 20th step. Errors are the largest over the run.
struct Kept {
  double lost_at = infinity;
  double energy = 0;           ///< |E - E_0|
  double physical_energy = 0;  ///< the same at q = x + c a, where the method has one
  double drift = 0;            ///< slope of E
  double linear = 0, angular = 0;
  double angular_end = 0;  ///< |L - L_0| at the end
  double kinetic = 0;      ///< mean
  double first_angular = 0;
  std::vector<std::vector<double>> rows;  ///< t, E - E_0, |P - P_0|, |L - L_0|
};

/// q = x + c a after a step of a method that steps x; false if the method steps q itself.
template <class Method, class State>
bool physical_position(Method& method, const State& z, double h, V& q) {
  if constexpr (requires(WorkCounters & work) { method.force().physical_position(method.system(), z.q, h, q, work); }) {
    WorkCounters of_reading;
    return method.force().physical_position(method.system(), z.q, h, q, of_reading).ok();
  } else if constexpr (requires { z.step; }) {  // f is a; Verlet has c = 0
    const bool verlet = std::same_as<Method, VelocityVerlet<typename Method::system_type>>;
    q = z.q + (verlet ? 0 : chosen_beta * h * h) * z.f;
    return !verlet;
  }
  return false;
}

template <class Method, class System>
Kept kept(Method method, const System& system, const Start& start, double h, long steps, double limit) {
  Kept result;
  const auto& mass = system.mass();
  V v = start.v, q = start.q;
  double first_energy = 0, count = 0, first_physical = not_a_number;
  Vector3d first_linear = Vector3d::Zero(), first_angular = Vector3d::Zero();
  Line energies;
  Trajectory run(method, method.start(start.q, start.v), h, steps);
  for (const auto& point : run) {
    if (point.step % downsampling != 0) continue;
    const auto& z = point.state;
    v = z.v;
    if constexpr (requires { method.tangent_velocity(z, v); }) static_cast<void>(method.tangent_velocity(z, v));
    const double kinetic = kinetic_energy(mass, v), energy = kinetic + system.potential().value(z.q);
    const Vector3d linear = linear_momentum(mass, z.v), angular = angular_momentum(mass, z.q, z.v);
    if (point.step == 0) {
      first_energy = energy;
      first_linear = linear;
      first_angular = angular;
      result.first_angular = angular.norm();
    }
    if (!(std::abs(energy - first_energy) < limit)) {
      result.lost_at = point.time;
      return result;
    }
    if (point.step > 0 && physical_position(method, z, h, q)) {
      const double physical = kinetic + system.potential().value(q);
      if (std::isnan(first_physical)) first_physical = physical;
      result.physical_energy = std::max(result.physical_energy, std::abs(physical - first_physical));
    }
    result.energy = std::max(result.energy, std::abs(energy - first_energy));
    result.linear = std::max(result.linear, (linear - first_linear).norm());
    result.angular_end = (angular - first_angular).norm();
    result.angular = std::max(result.angular, result.angular_end);
    result.kinetic += kinetic;
    count += 1;
    energies.add(point.time, energy - first_energy);
    result.rows.push_back({point.time, energy - first_energy, (linear - first_linear).norm(), result.angular_end});
  }
  if (!run.outcome().ok()) result.lost_at = run.outcome().time;
  result.drift = energies.slope();
  result.kinetic /= count;
  return result;
}

using Runs = std::vector<Kept>;

enum class From { relaxed, rigid };

struct Case {
  std::string name;
  bool constrained = false;  ///< starts on g = 0 always
  bool expensive = false;    ///< has the whole Hessian
  std::function<Kept(const Start&, double h, long steps)> run = {};
};

constexpr NewmarkGuess guesses[]{NewmarkGuess::last_position, NewmarkGuess::ballistic, NewmarkGuess::zero_acceleration,
                                 NewmarkGuess::constant_acceleration};
constexpr const char* guess_names[]{"from_q", "ballistic", "zero_acceleration", "constant_acceleration"};

std::vector<Case> cases_of(const Models& m) {
  std::vector<Case> cases;
  const auto add = [&](const std::string& name, bool constrained, bool expensive, const auto& system,
                       const auto& make) {
    cases.push_back({name, constrained, expensive,
                     [&system, make, limit = m.binding_energy](const Start& start, double h, long steps) {
                       return kept(make(system), system, start, h, steps, limit);
                     }});
  };
  add("shake", true, false, m.rigid, [](const auto& s) { return Shake(s); });
  add("rattle", true, false, m.rigid, [](const auto& s) { return Rattle(s); });
  add("stiff_simplified", false, false, m.stiff, [](const auto& s) { return StiffZhangSkeel(s, {chosen_beta}); });
  add("stiff_variational", false, false, m.stiff,
      [](const auto& s) { return VariationalStiffZhangSkeel(s, {chosen_beta}); });
  add("verlet", false, false, m.stiff, [](const auto& s) { return VelocityVerlet(s); });
  add("newmark", false, false, m.penalty_hessian, [](const auto& s) { return Newmark(s, {.beta = chosen_beta}); });
  add("simplified", false, true, m.dense, [](const auto& s) { return SimplifiedZhangSkeel(s, {chosen_beta}); });
  add("zhang_skeel", false, true, m.dense, [](const auto& s) { return ZhangSkeel(s, {chosen_beta}); });
  for (const bool whole : {true, false})
    for (std::size_t g = 0; g < 4; ++g)
      for (const auto acceleration : {NewmarkAcceleration::carried, NewmarkAcceleration::recomputed}) {
        NewmarkOptions<double> options{.beta = chosen_beta, .guess = guesses[g], .acceleration = acceleration};
        options.newton.fixed_iterations = 1;
        const std::string name = text("newmark_once.%s.%s.%s", whole ? "whole" : "penalty", guess_names[g],
                                      acceleration == NewmarkAcceleration::carried ? "carried" : "recomputed");
        const auto make = [options](const auto& s) { return Newmark(s, options); };
        if (whole) {
          add(name, false, true, m.dense, make);
        } else {
          add(name, false, false, m.penalty_hessian, make);
        }
      }
  return cases;
}

}  // namespace

int main(int argc, char** argv) {
  unsigned threads = processors();
  return run_experiment(
      argc, argv, "fig06_water_conservation", {"TO14", "Figure 6", "4.3"},
      "Figure 6 of TO14: energy and momenta of a water cluster without noise",
      [&](CLI::App& application) {
        application.add_option("--threads", threads, "threads to compute with; the report does not depend on it")
            ->check(CLI::Range(1, 1024));
      },
      [&](Report& report, const ExperimentOptions& options) {
        report.parameter("N", heptamer_size);
        const Models models;
        const auto cases = cases_of(models);
        const double T = options.quick ? 50 : 1000;
        const long steps = steps_in(T, printed_step);
        for (const From from : {From::relaxed, From::rigid})
          for (const Case& c : cases) {
            const std::size_t starts = c.expensive ? 1 : 3;
            const Runs runs = for_each_case(starts, threads, [&](std::size_t i) {
              Start start = rigid_start(models.rigid, models.minimum, i + 1);
              if (from == From::relaxed && !c.constrained) start.q = models.relaxed;
              return c.run(start, printed_step, steps);
            });
            for (const Kept& k : runs)
              say_progress(
                  text("%s %-50s lost %6.0f E %9.3g Eq %8.3g drift*T %9.3g P %8.2g L %8.3g end %8.3g kin %.3f L0 %.2f",
                       from == From::relaxed ? "relaxed" : "rigid  ", c.name.c_str(), k.lost_at, k.energy,
                       k.physical_energy, k.drift * T, k.linear, k.angular, k.angular_end, k.kinetic, k.first_angular));
          }
      });
}

// SPDX-License-Identifier: MIT
//
// Experiment: the outer solar system over 10^5 years with constant steps, and with steps that follow Jupiter: error of Jupiter's
// longitude and of the energy for the force evaluations that are spent
//
// A longitude is the angle of a planet about the sun in the plane of its first position and velocity, revolutions included.
// Errors are those at the time that a method itself has reached, against a composition of order six with constant steps; that of
// two bodies on a circle is known. An adaptive method differs from Verlet in its error on a circle, too, where there is nothing
// to follow. What following is worth is therefore the saving on the orbit in question over the saving on a circle.
//
// The Hamiltonian method moves bodies by (H - E0) grad sigma: that force over the mass of a body is an error of its acceleration.
// H - E0 is that of the whole system, and so large where the heavy bodies are: a density may follow these, not a light one.
//
// The numbers had been seen before the intervals were fixed; their reasons do not depend on the values.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <livi/adaptive/hamiltonian_adaptive_verlet.hpp>
#include <livi/adaptive/logarithmic_hamiltonian.hpp>
#include <livi/adaptive/reversible_adaptive_verlet.hpp>
#include <livi/adaptive/step_control.hpp>
#include <livi/integrators/composition.hpp>
#include <livi/integrators/velocity_verlet.hpp>
#include <livi/systems/gravity.hpp>
#include <map>
#include <numbers>
#include <stdexcept>
#include <string>

#include "study/models/counted_orbits.hpp"
#include "study/program/controls.hpp"
#include "study/program/experiment.hpp"
#include "study/program/parallel.hpp"
#include "study/program/report_parts.hpp"
#include "study/statistics/fitted_line.hpp"

namespace {

using namespace livi;

using System = CountedSystem<GravitationalSystem<double, 3>>;
using Numbers = Vector<double, Dynamic>;
using Vector3d = Vector<double, 3>;

constexpr int jupiter = 1, pluto = 5;
constexpr double year = 365.25, infinity = std::numeric_limits<double>::infinity();

/// Bodies with the sun as the first of them, whose centre of mass rests.
struct Problem {
  System system;
  Numbers q, v;
};
/// Returns the vector from the sun to a body, or their relative velocity.
Vector3d from_sun(const Numbers& x, int body) { return x.segment<3>(3 * body) - x.segment<3>(0); }

Problem at_rest(const GravitationalProblem<double, 3>& of) {
  Problem problem{counted_system(of.system), of.q, of.v};
  const std::vector<double>& masses = of.system.potential().masses();
  for (Numbers* x : {&problem.q, &problem.v}) {
    Vector3d mean = Vector3d::Zero();
    double total = 0;
    for (std::size_t i = 0; i < masses.size(); ++i) {
      mean += masses[i] * x->segment<3>(3 * static_cast<Eigen::Index>(i));
      total += masses[i];
    }
    for (std::size_t i = 0; i < masses.size(); ++i) x->segment<3>(3 * static_cast<Eigen::Index>(i)) -= mean / total;
  }
  return problem;
}
/// The outer solar system with Jupiter's velocity multiplied by a factor.
Problem planets(double factor = 1) {
  GravitationalProblem<double, 3> of = outer_solar_system();
  of.v.segment<3>(3 * jupiter) *= factor;
  return at_rest(of);
}
/// The sun and Jupiter on circles, 5.2 apart.
constexpr double circle_radius = 5.2;
double circle_frequency(const GravitationalPotential<double, 3>& potential, double gravity) {
  return std::sqrt(gravity * (potential.masses()[0] + potential.masses()[1]) / std::pow(circle_radius, 3));
}
constexpr double gravity = 2.95912208286e-4;  // that of outer_solar_system()
Problem circle() {
  const std::vector<double> all = outer_solar_system().system.potential().masses();
  const GravitationalPotential<double, 3> potential({all[0], all[1]}, gravity);
  Numbers q = Numbers::Zero(6), v = Numbers::Zero(6);
  q(3) = circle_radius;
  v(4) = circle_radius * circle_frequency(potential, gravity);
  return at_rest(gravitational_problem<double, 3>(potential, q, v));
}

/// The density (|r_body - r_sun| / length)^(3/2), the time scale of that body's orbit.
struct FollowedBody {
  using scalar_type = double;
  using vector_type = Numbers;
  int body;
  double length;

  [[nodiscard]] double value(const Numbers& q) const { return std::pow(from_sun(q, body).norm() / length, 1.5); }
  void gradient(const Numbers& q, Numbers& out) const {
    const Vector3d d = from_sun(q, body);
    out = Numbers::Zero(q.size());
    out.segment<3>(3 * body) = (1.5 * value(q) / d.squaredNorm()) * d;
    out.segment<3>(0) = -out.segment<3>(3 * body);
  }
};

/// The longitude of a body, followed from step to step.
class Longitude {
 public:
  Longitude(const Problem& problem, int body) : body_(body) {
    const Vector3d r = from_sun(problem.q, body), w = from_sun(problem.v, body);
    first_ = r.normalized();
    second_ = (w - w.dot(first_) * first_).normalized();
  }
  void follow(const Numbers& q) {
    const Vector3d r = from_sun(q, body_);
    const double angle = std::atan2(r.dot(second_), r.dot(first_));
    sum_ += std::remainder(angle - last_, 2 * std::numbers::pi);
    last_ = angle;
  }
  [[nodiscard]] double value() const { return sum_; }

 private:
  int body_;
  Vector3d first_, second_;
  double last_ = 0, sum_ = 0;
};

/// A run: its end, the gradients it took, and of the energy the largest error and the change of the mean from the first tenth to
/// the last, both over the energy.
struct Run {
  double t = 0, longitude = infinity, energy = infinity, change = infinity;
  Numbers q, v;
  long calls = 0, steps = 0;
  bool complete = false;
};
template <class Method>
Run run(const Problem& problem, int body, Method method, double h, double end) {
  const System& system = method.system();
  const long before = *system.potential().gradients;
  auto z = method.start(problem.q, problem.v);
  Longitude longitude(problem, body);
  const double first = system.energy(problem.q, problem.v);
  std::array<double, 2> sum{}, number{};
  Run result;
  double largest = 0;
  while (z.t < end) {
    const double last = z.t;
    // A run whose steps shrink forever is lost.
    if (!method.step(z, h).ok() || !(last < z.t) || !all_finite(z.q) ||
        static_cast<double>(result.steps) > 20 * end / h)
      return result;
    longitude.follow(z.q);
    // An energy takes about as long as a gradient.
    if (++result.steps % 10 != 0) continue;
    const double error = system.energy(z.q, z.v) / first - 1;
    largest = std::max(largest, std::abs(error));
    for (const std::size_t part : {0U, 1U})
      if (part == 0 ? z.t < end / 10 : z.t > 0.9 * end) {
        sum[part] += error;
        ++number[part];
      }
  }
  result.t = z.t;
  result.longitude = longitude.value();
  result.energy = largest;
  result.change = std::abs(sum[1] / number[1] - sum[0] / number[0]);
  result.q = z.q;
  result.v = z.v;
  result.calls = *system.potential().gradients - before;
  result.complete = true;
  return result;
}

template <class Method>
auto constant(const Method& method) {
  return ExplicitSteps(method, ConstantDensity<System>{1});
}

/// Where a body is at times just after the end, by a composition of order six with constant steps.
class Reference {
 public:
  Reference(const Problem& problem, int body, double h, double end)
      : body_(body),
        sixth_(VelocityVerlet<System>(problem.system), yoshida<double>(6)),
        end_(run(problem, body, constant(sixth_), h, end)) {}
  /// Returns the longitude at the end of a run, and the position then.
  [[nodiscard]] std::pair<double, Vector3d> at(double t) const {
    auto method = sixth_;
    auto z = method.start(end_.q, end_.v);
    Longitude further({method.system(), end_.q, end_.v}, body_);
    constexpr int parts = 20;
    for (int k = 0; k < parts; ++k) {
      if (!method.step(z, (t - end_.t) / parts).ok()) return {infinity, {}};
      further.follow(z.q);
    }
    return {end_.longitude + further.value(), from_sun(z.q, body_)};
  }
  [[nodiscard]] const Run& end() const { return end_; }

 private:
  int body_;
  Composition<VelocityVerlet<System>> sixth_;
  Run end_;
};

/// What a method makes of one problem: its run and the error of the longitude.
struct Outcome {
  Run run;
  double error = infinity;
};
using Outcomes = std::map<std::string, Outcome>;

/// Runs all methods, which take about as many steps; longitude(t) is the true one.
template <class True>
Outcomes all_methods(const Problem& problem, int body, double length, double h, double end, const True& longitude) {
  const System& system = problem.system;
  const VelocityVerlet<System> verlet(system);
  const FollowedBody density{body, length};
  Outcomes outcomes;
  const auto add = [&](const char* name, const auto& method, double step) {
    Outcome of{run(problem, body, method, step, end), infinity};
    if (of.run.complete) of.error = std::abs(of.run.longitude - longitude(of.run.t));
    outcomes.emplace(name, std::move(of));
  };
  add("constant", constant(verlet), h);
  add("constant_half", constant(verlet), h / 2);
  add("hamiltonian", HamiltonianAdaptiveVerlet<System, FollowedBody>(system, density), h);
  add("reversible", ReversibleAdaptiveVerlet<System, FollowedBody>(system, density), h);
  add("integrated", IntegratedSteps(verlet, density), h);
  add("explicit", ExplicitSteps(verlet, density), h);
  // Its steps are h / -W long.
  add("logarithmic", LogarithmicHamiltonian<System>(system), -h * system.potential().value(problem.q));
  add("constant6", constant(Composition(verlet, yoshida<double>(6))), h);
  return outcomes;
}
/// Returns how many times as many gradients constant steps take for the error that a method of order two has.
double saving(const Outcomes& of, const std::string& method) {
  const Outcome &constant_steps = of.at("constant"), &other = of.at(method);
  return static_cast<double>(constant_steps.run.calls) / static_cast<double>(other.run.calls) *
         std::sqrt(constant_steps.error / other.error);
}
/// Returns the largest of the savings of three methods that follow a body, each over that on a circle.
double worth_of_following(const Outcomes& of, const Outcomes& on_circle, std::string& words) {
  double largest = 0;
  for (const char* method : {"hamiltonian", "reversible", "integrated"}) {
    const double ratio = saving(of, method) / saving(on_circle, method);
    // A run that was lost has no saving.
    if (!(ratio <= largest)) largest = ratio;
    words += text("%s%s %.2f (on a circle %.2f)", words.empty() ? "" : ", ", method, saving(of, method),
                  saving(on_circle, method));
  }
  return largest;
}

/// The run of a method whose steps follow Pluto, over two years, and how far Pluto is from its place then, in
/// astronomical units; it has `factor` times its mass.
struct FollowedPluto {
  Run run;
  double error = infinity;
};
template <class Make>
FollowedPluto follow_pluto(double factor, const Make& make) {
  const GravitationalProblem<double, 3> of = outer_solar_system();
  std::vector<double> masses = of.system.potential().masses();
  masses[pluto] *= factor;
  const Problem problem = at_rest(gravitational_problem<double, 3>({masses, gravity}, of.q, of.v));
  const FollowedBody density{pluto, from_sun(problem.q, pluto).norm()};
  FollowedPluto found{run(problem, pluto, make(problem.system, density), 50, 2 * year), infinity};
  if (!found.run.complete) return found;
  const Vector3d place = Reference(problem, pluto, 10, 2 * year).at(found.run.t).second;
  found.error = (from_sun(found.run.q, pluto) - place).norm();
  return found;
}
constexpr auto hamiltonian_of = [](const System& system, const FollowedBody& density) {
  return HamiltonianAdaptiveVerlet<System, FollowedBody>(system, density);
};
constexpr auto reversible_of = [](const System& system, const FollowedBody& density) {
  return ReversibleAdaptiveVerlet<System, FollowedBody>(system, density);
};
const std::vector<double>& mass_factors() {
  static const std::vector<double> factors{100, 300, 1000, 3000, 10000};
  return factors;
}
template <class Make>
std::vector<double> errors_of_pluto(const Make& make) {
  std::vector<double> errors;
  for (const double factor : mass_factors()) errors.push_back(follow_pluto(factor, make).error);
  return errors;
}

/// Returns the eccentricity of Jupiter's ellipse about the sun at the end of a run.
double eccentricity(const Problem& problem, const Run& of) {
  const std::vector<double>& masses = problem.system.potential().masses();
  const double strength = gravity * (masses[0] + masses[jupiter]);
  const Vector3d r = from_sun(of.q, jupiter), v = from_sun(of.v, jupiter);
  // The vector of Laplace, Runge and Lenz.
  return ((v.squaredNorm() / strength - 1 / r.norm()) * r - r.dot(v) / strength * v).norm();
}

void put(Report& report, const std::string& name, const Outcomes& outcomes) {
  for (const auto& [method, of] : outcomes) {
    const std::string prefix = name + "." + method;
    report.count(prefix + ".gradients", of.run.calls);
    // Rounding of another compiler's roots moves the last digits of a long run.
    add_measurements(report, {{prefix + ".error_of_the_longitude", of.error}}, "rad",
                     {.absolute = 1e-5, .relative = 1e-4});
    add_measurements(report, {{prefix + ".largest_energy_error", of.run.energy}}, "of the energy",
                     {.absolute = 1e-11, .relative = 1e-3});
  }
}

void claims(Report& report, const Outcomes& outer, const Outcomes& ellipse, const Outcomes& on_circle, double years) {
  std::string savings, on_ellipse;
  const double worth = worth_of_following(outer, on_circle, savings),
               of_ellipse = worth_of_following(ellipse, on_circle, on_ellipse);
  const auto order = [](const Outcomes& of) {
    return std::log2(of.at("constant").error / of.at("constant_half").error);
  };
  const Interval quarter = Interval::around(1, 0.25);
  const Outcome &verlet = outer.at("constant"), &sixth = outer.at("constant6");
  report.claim(
      {.id = "CS101.outer-planets.worth",
       .measured = worth,
       .unit = "times",
       .interval = quarter,
       .controls = {failing("Jupiter's velocity halved, eccentricity about 0.75", of_ellipse, quarter)},
       .note =
           text("Savings at an equal error of the longitude: ") + savings + text("; with half the velocity: ") +
           on_ellipse +
           text("; logarithmic Hamiltonian %.2f (circle %.2f, half the velocity %.2f). In %.0e years Verlet's steps of "
                "100 "
                "days (%ld gradients) lead Jupiter %.3g rad astray, with power %.2f of h; the composition of order six "
                "with steps of 100 days (%ld) %.1e rad.",
                saving(outer, "logarithmic"), saving(on_circle, "logarithmic"), saving(ellipse, "logarithmic"), years,
                verlet.run.calls, verlet.error, order(outer), sixth.run.calls, sixth.error)});

  const double unit = verlet.run.energy;
  double drift = 0;
  std::string words;
  for (const char* method : {"hamiltonian", "reversible", "integrated", "logarithmic"}) {
    const Run& of = outer.at(method).run;
    if (!(of.change / unit <= drift)) drift = of.change / unit;
    words += text("%s%s %.1e, drift %.0e", words.empty() ? "" : "; ", method, of.energy, of.change / unit);
  }
  const Interval tenth{0, 0.1};
  report.claim(
      {.id = "CS101.outer-planets.energy",
       .measured = drift,
       .interval = tenth,
       .controls = {failing("explicit steps h sigma(q_k)", outer.at("explicit").run.change / unit, tenth),
                    passing("constant steps", verlet.run.change / unit, tenth)},
       .note = text("Largest energy errors over the energy, and drift over that of constant steps, %.1e: ", unit) +
               words +
               text("; explicit %.1e, whose steps make Jupiter's orbit a circle: its eccentricity is %.4f at the end, "
                    "with constant steps %.4f.",
                    outer.at("explicit").run.energy, eccentricity(planets(), outer.at("explicit").run),
                    eccentricity(planets(), verlet.run))});

  const std::vector<double> hamiltonian = errors_of_pluto(hamiltonian_of), reversible = errors_of_pluto(reversible_of);
  const FollowedPluto real = follow_pluto(1, hamiltonian_of);
  const std::string end_of_real =
      real.run.complete ? text("it is %.1e off.", real.error) : text("the run ends after %ld steps.", real.run.steps);
  const Interval inverse = Interval::around(-1, 0.1);
  report.claim(
      {.id = "CS101.outer-planets.light-body",
       .measured = fitted_power(mass_factors(), hamiltonian).slope,
       .unit = "power of the mass",
       .interval = inverse,
       .controls = {failing("the reversible method", fitted_power(mass_factors(), reversible).slope, inverse)},
       .note = text("After two years with steps of 50 days Pluto of a hundred times its mass is %.1e astronomical "
                    "units off its place, of ten thousand times its mass %.1e; with the reversible method %.1e and "
                    "%.1e. With its own mass ",
                    hamiltonian.front(), hamiltonian.back(), reversible.front(), reversible.back()) +
               end_of_real});
}

}  // namespace

int main(int argc, char** argv) {
  unsigned threads = 1;
  return run_experiment(
      argc, argv, "adaptive_outer_planets", {"CS101", "slide 3, beyond", "3"},
      "The outer solar system over 10^5 years: what steps that follow Jupiter are worth", {.threads = &threads},
      [&](Report& report, const ExperimentOptions& options) {
        const double years = options.quick ? 1e3 : 1e5, end = years * year;
        report.parameter("years", years);
        const auto outcomes = for_each_case(3, threads, [&](std::size_t k) -> Outcomes {
          if (k == 0) {
            const Problem problem = planets();
            const Reference reference(problem, jupiter, 50, end);
            Outcomes outer =
                all_methods(problem, jupiter, circle_radius, 100, end, [&](double t) { return reference.at(t).first; });
            return outer;
          }
          if (k == 1) {
            const Problem problem = planets(0.5);
            const double until = 1000 * year;
            const Reference reference(problem, jupiter, 2.5, until);
            return all_methods(problem, jupiter, 3.2, 20, until, [&](double t) { return reference.at(t).first; });
          }
          const Problem problem = circle();
          const double frequency = circle_frequency(problem.system.potential(), gravity);
          return all_methods(problem, jupiter, circle_radius, 100, end / 10, [&](double t) { return frequency * t; });
        });
        put(report, "outer", outcomes[0]);
        put(report, "ellipse", outcomes[1]);
        put(report, "circle", outcomes[2]);
        if (options.quick) return;
        claims(report, outcomes[0], outcomes[1], outcomes[2], years);
      });
}

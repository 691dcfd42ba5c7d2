// SPDX-License-Identifier: MIT
#include "simulate_settings.hpp"

#include <livi/catalogue/families/adaptive.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "simulate_noise.hpp"
#include "simulate_options.hpp"
#include "study/program/number_texts.hpp"

namespace livi {

const std::vector<OptionEntry>& option_entries() {
  using enum OptionKind;
  static const std::vector<OptionEntry> entries{
      {"system", word, "one of --list (default double-pendulum)"},
      {"n", count, "of chain and dna: how many pendulums or base pairs (default 10, 200)"},
      {"ends", word, "of dna: periodic or free (default periodic)"},
      {"seed", count, "of dna: of the random numbers it starts from; under noise: of the paths (default 1)"},
      {"eccentricity", number, "of kepler: of the ellipse it starts on, at least 0 and less than 1 (default 0.6)"},
      {"form", word, "of the pendulums: penalised or constrained (default: what the method needs)"},
      {"gravity", word, "of the pendulums: down, or as-printed (upward) (default down)"},
      {"omega", number, "of the penalty (default 20), or of the oscillator (default 1)"},
      {"mass", list, "1 number (scalar), n (diagonal) or n*n (full, row by row) (default 1); of bodies one for each"},
      {"q", list, "initial position, numbers separated by commas (default: see --list)"},
      {"v", list, "initial velocity"},
      {"method", word, "one of --list (default zhang-skeel, rattle for --form constrained)"},
      {"beta", number, "Newmark's beta (default 0.4 for the pendulums, 0.3 for dna, else 0.25)"},
      {"newton-tolerance", number, "relative size of the last Newton update, at most 0.01 (default 32 roundings)"},
      {"newton-iterations", count, "limit of Newton iterations in a step (default 50)"},
      {"noise", potentials,
       "under noise: the potentials of the noises, separated by commas: polynomials of degree 1 or 2 in q1, q2, ... "
       "(default: see --list)"},
      {"weights", word, "of the noise: increments, integrals or weak (default integrals)"},
      {"covariance", word, "of the noises within a step: exact, conditional-mean or mean (default exact)"},
      {"stages", count, "of constrained-runge-kutta: 2, 3 or 4 (default 3)"},
      {"friction", number,
       "of constrained-obabo and geodesic-baoab: rate at which momenta are forgotten, from 0 (default 1)"},
      {"temperature", number, "of these two: that of the bath, in units of the energy (default 1)"},
      {"geodesic-steps", count,
       "of geodesic-baoab: steps of RATTLE in each half of the free motion, 1 to 1000 (default 1)"},
      {"paths", count, "under noise: how many (default 1000; at most 3000000 coordinates of all paths together)"},
      {"span", number,
       "under noise: a power of two times --h; runs with one span and seed have one path (default: the least >= 1)"},
      {"refine", count,
       "of methods that take the exact covariance: halvings of a step, 0 to 12, that it is found from (default 4)"},
      {"single", list, "under noise: numbers of the paths, from 0, that --single-out shows (default 0)"},
      {"density", word, "of adaptive steps: the step density sigma, one of --list (default: see --list)"},
      {"epsilon", number, "of the density: its epsilon >= 0, which bounds the step (default: see --list)"},
      {"rule", word, "of variational-adaptive-verlet: mean, midpoint or start (default mean)"},
      {"h", number,
       "step (default: see --list); of adaptive steps the fictitious one: steps in time are about sigma h"},
      {"T", number,
       "end time (default 50, under noise 10), a multiple of the step; adaptive steps end with the first at or beyond "
       "it",
       true},
      {"steps-limit", count, "of adaptive steps: stop after so many (default 100000000)", true},
      {"every", count, "write every K-th step, and the last (default 1)"},
      {"every-time", number,
       "of adaptive steps: write rows at the multiples of this time and at --T, interpolated; those of steps with "
       "--every only"}};
  return entries;
}

std::string canonical(const OptionEntry& option, const std::string& text) {
  const std::string name = std::string("--") + option.name;
  switch (option.kind) {
    case OptionKind::word:
      return text;
    case OptionKind::number:
      return shortest(parse_number(name, text));
    case OptionKind::count:
      return std::to_string(parse_count(name, text));
    case OptionKind::list:
      return join_numbers(parse_list(name, text));
    case OptionKind::potentials:
      return describe_noise(parse_noise(name, text));
  }
  return text;
}

Vector<double, Dynamic> initial_data(const std::string& option, const std::string& text, const SystemEntry& system) {
  const std::vector<double> numbers = parse_list(option, text);
  if (!system.allows_size(numbers.size()))
    throw InvalidParameter(option, text, system.name + " needs " + system.allowed_sizes);
  for (const double x : numbers)
    if (!std::isfinite(x)) throw InvalidParameter(option, text, "must be finite");
  return Vector<double, Dynamic>::Map(numbers.data(), static_cast<Eigen::Index>(numbers.size()));
}

std::string join(const Vector<double, Dynamic>& numbers) { return join_numbers(numbers); }

namespace {

/// System and method. Returns the form of the double pendulum, empty for other systems.
std::string resolve_system_and_method(Settings& settings, OptionsOfRun& options) {
  const SystemEntry& system = choose("--system", options.take("system", "double-pendulum"), simulated_systems());
  settings.system = &system;
  if (options.has("method") &&
      std::ranges::find(stochastic_methods(), options.given("method"), &MethodInfo::name) != stochastic_methods().end())
    throw InvalidParameter(
        "--method", options.given("method"),
        "is for systems under noise, which " + system.name + " is not; see --list for those that are");
  if (options.has("method")) settings.method = &choose("--method", options.given("method"), simulated_methods());
  std::string form;
  if (system.has("form")) {
    const bool constrained_method = settings.method != nullptr && settings.method->kind == SystemKind::constrained;
    form = options.one_of("form", constrained_method ? "constrained" : "penalised", "penalised", "constrained");
    settings.system_options.gravity =
        options.one_of("gravity", "down", "down", "as-printed") == "down" ? Gravity::down : Gravity::as_printed;
  }
  const bool constrained = settings.system_options.constrained = form == "constrained";
  const std::string method_name = options.take("method", constrained ? "rattle" : "zhang-skeel");
  settings.method = &choose("--method", method_name, simulated_methods());
  if ((settings.method->kind == SystemKind::constrained) != constrained)
    throw InvalidParameter(
        "--method", method_name,
        constrained ? "knows no constraints; use shake, rattle or reversible-steps-rattle, or --form penalised"
                    : "needs constraints: --system double-pendulum --form constrained (or --system chain)");
  if (system.has("omega") && !constrained)
    settings.system_options.omega = options.finite("omega", system.otherwise("omega"), false);
  if (system.has("ends"))
    settings.system_options.ends =
        options.one_of("ends", "periodic", "periodic", "free") == "periodic" ? ChainEnds::periodic : ChainEnds::free;
  return form;
}

double eccentricity(OptionsOfRun& options, const SystemEntry& system) {
  const double e = options.finite("eccentricity", system.otherwise("eccentricity"), true);
  if (!(e < 1)) throw InvalidParameter("--eccentricity", shortest(e), "must be at least 0 and less than 1");
  return e;
}

void resolve_start(Settings& settings, OptionsOfRun& options) {
  const SystemEntry& system = *settings.system;
  const auto take_mass = [&] {
    settings.system_options.mass = parse_list("--mass", options.take("mass", system.mass));
  };
  if (system.make_start != nullptr && !options.has("q")) {
    StartOptions start;
    if (system.has("n")) start.n = options.positive_count("n", system.otherwise("n"), 1000000000);
    if (system.has("seed"))
      start.seed = static_cast<std::uint64_t>(options.positive_count("seed", "1", std::numeric_limits<long>::max()));
    if (system.has("eccentricity")) start.eccentricity = eccentricity(options, system);
    std::optional<Vector<double, Dynamic>> v;
    if (options.has("v")) v = initial_data("--v", options.take("v", ""), system);
    take_mass();
    start.mass = settings.system_options.mass;
    std::tie(settings.q, settings.v) = system.make_start(start);
    if (v) settings.v = *v;
  } else {
    settings.q = initial_data("--q", options.take("q", system.q), system);
    const auto n = static_cast<std::size_t>(settings.q.size());
    settings.v = initial_data(
        "--v", options.take("v", options.has("q") ? join_numbers(std::vector<double>(n, 0)) : system.v), system);
    take_mass();
  }
  if (settings.v.size() != settings.q.size())
    throw InvalidParameter("--v", join(settings.v),
                           "must have as many numbers as --q, which has " + std::to_string(settings.q.size()));
}

/// What adaptive steps are made of.
void resolve_density(Settings& settings, OptionsOfRun& options) {
  const MethodEntry& method = *settings.method;
  MethodOptions& of_method = settings.method_options;
  if (method.densities != StepDensities::none) {
    const std::string name = options.take("density", settings.system->density);
    const DensityEntry& density = choose("--density", name, density_entries());
    if (density.of_state && method.densities == StepDensities::of_position)
      throw InvalidParameter("--density", name,
                             "depends on the velocity; " + method.name + " needs one of the position");
    of_method.density = density.kind;
    if (density.has_epsilon)
      of_method.epsilon = options.finite("epsilon", settings.system->epsilon_of(settings.method->kind), true);
  }
  if (method.has(step_rule)) {
    const std::string rule = options.take("rule", "mean");
    if (rule != "mean" && rule != "midpoint" && rule != "start")
      throw InvalidParameter("--rule", rule, "must be mean, midpoint or start");
    of_method.rule = rule == "mean" ? StepRule::mean : rule == "midpoint" ? StepRule::midpoint : StepRule::start;
  }
}

void resolve_steps(Settings& settings, OptionsOfRun& options) {
  const SystemEntry& system = *settings.system;
  MethodOptions& of_method = settings.method_options;
  if (settings.method->has(newmark_beta)) of_method.beta = options.finite("beta", system.beta, true);
  if (settings.method->has(newton_tolerance)) of_method.newton = options.newton();
  resolve_density(settings, options);
  settings.h = options.finite("h", system.step_of(settings.method->adaptive, settings.method->kind), false);
  settings.end_time = options.finite("T", "50", true);
  if (settings.method->adaptive) {
    settings.steps = options.positive_count("steps-limit", "100000000", 9007199254740992);
  } else {
    settings.steps = steps_to(settings.end_time, settings.h);
  }
  if (settings.method->adaptive && options.has("every-time")) {
    settings.every_time = options.finite("every-time", "1", false);
    if (settings.end_time / settings.every_time > 9007199254740992)  // the number of a row must be exact
      throw InvalidParameter("--every-time", shortest(settings.every_time), "must be at least 2^-53 of --T");
    settings.every = 0;
    if (!options.has("every")) return;
  }
  settings.every = options.positive_count("every", "1", std::numeric_limits<long>::max());
}

}  // namespace

Settings resolve(const Options& given) {
  Settings settings;
  OptionsOfRun options(given);
  const std::string form = resolve_system_and_method(settings, options);
  resolve_start(settings, options);
  resolve_steps(settings, options);
  const std::string density = settings.method->densities == StepDensities::none
                                  ? ""
                                  : " with the density " + density_entry(settings.method_options.density).name;
  options.require_all_taken(settings.method->name + " on " + settings.system->name +
                            (form.empty() ? "" : " (" + form + ")") + density);
  settings.words = options.words();
  return settings;
}

}  // namespace livi

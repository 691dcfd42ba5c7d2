// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <limits>

#include "simulate_ensemble.hpp"
#include "simulate_noise.hpp"
#include "simulate_options.hpp"

namespace livi {

namespace {

constexpr long most_coordinates = 3000000;
constexpr int most_halvings = 40;

/// Returns a word that is one of those of a parameter, "a, b or c", as its number.
std::size_t one_of(OptionsOfRun& options, const StochasticMethodEntry& method, const Parameter& parameter,
                   const std::vector<std::string>& words) {
  const Parameter& own = *std::ranges::find(method.options, parameter);
  const std::string word = options.take(own.name.c_str(), own.otherwise);
  for (std::size_t k = 0; k < words.size(); ++k)
    if (word == words[k] && own.allowed.find(word) != std::string::npos) return k;
  throw InvalidParameter("--" + own.name, word, "must be " + own.allowed + " for " + method.name);
}

void resolve_method(EnsembleSettings& settings, OptionsOfRun& options) {
  const StochasticMethodEntry& method = *settings.method;
  StochasticOptions& of = settings.method_options;
  if (method.has(tableau_stages)) {
    const std::string stages = options.take("stages", "3");
    if (stages != "2" && stages != "3" && stages != "4")
      throw InvalidParameter("--stages", stages, "must be 2, 3 or 4");
    of.stages = stages[0] - '0';
  }
  if (method.has(noise_weights))
    of.weights = static_cast<NoiseWeights>(one_of(options, method, noise_weights, {"increments", "integrals", "weak"}));
  if (method.has(path_covariance)) {
    of.covariance =
        static_cast<PathCovariance>(one_of(options, method, path_covariance, {"exact", "conditional-mean", "mean"}));
    if (of.covariance == PathCovariance::exact) {
      settings.ensemble.refinement = static_cast<int>(options.count("refine", "4", 0, 12));
    }
  }
  if (method.has(bath_friction)) of.friction = options.finite("friction", bath_friction.otherwise, true);
  if (method.has(bath_temperature)) {
    of.temperature = options.finite("temperature", bath_temperature.otherwise, false);
    if (!std::isfinite(1 / of.temperature))
      throw InvalidParameter("--temperature", shortest(of.temperature), "must have an inverse that is finite");
  }
  if (method.has(bath_geodesic_steps))
    of.geodesic_steps =
        static_cast<int>(options.positive_count("geodesic-steps", bath_geodesic_steps.otherwise, most_geodesic_steps));
  of.newton = options.newton();
}

void resolve_start(EnsembleSettings& settings, OptionsOfRun& options) {
  const StochasticSystemEntry& system = *settings.system;
  if (system.make_start != nullptr) std::tie(settings.q, settings.v) = system.make_start({});
  if (options.has("q") || system.make_start == nullptr)
    settings.q = initial_data("--q", options.take("q", system.q), system);
  if (options.has("v")) {
    settings.v = initial_data("--v", options.take("v", ""), system);
  } else if (options.has("q")) {
    settings.v = Vector<double, Dynamic>::Zero(settings.q.size());
  } else if (system.make_start == nullptr) {
    settings.v = initial_data("--v", options.take("v", system.v), system);
  }
  // A heat bath has noise of its own.
  if (settings.method->has(bath_friction)) return;
  settings.noise = make_noise("--noise", parse_noise("--noise", options.take("noise", system.noise)),
                              static_cast<long>(settings.q.size()));
}

/// The spans in which the paths are divided into steps.
void resolve_span(EnsembleOptions& ensemble, OptionsOfRun& options, double h) {
  const auto span_of = [h](int level) { return std::ldexp(h, level); };
  int level = 0;
  while (level < most_halvings && span_of(level) < 1) ++level;
  ensemble.span = options.finite("span", shortest(span_of(level)), false);
  for (level = 0; level <= most_halvings && span_of(level) != ensemble.span;) ++level;
  if (level > most_halvings)
    throw InvalidParameter("--span", shortest(ensemble.span),
                           "must be h = " + shortest(h) + " times a power of two, from 1 to 2^40: " + shortest(h) +
                               ", " + shortest(2 * h) + ", " + shortest(4 * h) + ", ...");
  ensemble.level = level;
}

void resolve_steps(EnsembleSettings& settings, OptionsOfRun& options) {
  EnsembleOptions& ensemble = settings.ensemble;
  const double h = settings.h = options.finite("h", settings.system->h, false);
  settings.end_time = options.finite("T", "10", true);
  settings.steps = steps_to(settings.end_time, h);
  ensemble.span = h;
  // The normal numbers of a heat bath are those of steps, whatever their length.
  if (!settings.method->has(bath_friction)) resolve_span(ensemble, options, h);
  settings.every = options.positive_count("every", "1", std::numeric_limits<long>::max());
}

void resolve_paths(EnsembleSettings& settings, OptionsOfRun& options, bool shows_paths) {
  EnsembleOptions& ensemble = settings.ensemble;
  ensemble.seed = static_cast<std::uint64_t>(options.positive_count("seed", "1", std::numeric_limits<long>::max()));
  ensemble.paths = options.positive_count("paths", "1000", most_coordinates / static_cast<long>(settings.q.size()));
  if (!shows_paths) {
    if (options.has("single"))
      throw InvalidParameter("--single", options.given("single"), "needs --single-out, a file for the paths");
    return;
  }
  for (const double number : parse_list("--single", options.take("single", "0"))) {
    if (!(number >= 0 && number < static_cast<double>(ensemble.paths) && number == std::floor(number)))
      throw InvalidParameter("--single", shortest(number),
                             "must be whole numbers from 0 to " + std::to_string(ensemble.paths - 1));
    const long path = static_cast<long>(number);
    if (!settings.shown.empty() && path <= settings.shown.back())
      throw InvalidParameter("--single", path, "must be in rising order, each once");
    settings.shown.push_back(path);
  }
}

}  // namespace

bool is_under_noise(const Options& options) {
  const auto is_one_of = [&](const char* option, const auto& entries) {
    const auto given = options.find(option);
    return given != options.end() &&
           std::ranges::any_of(entries, [&](const auto& entry) { return entry.name == given->second; });
  };
  return is_one_of("system", stochastic_systems()) ||
         (options.count("system") == 0 && is_one_of("method", stochastic_methods()));
}

EnsembleSettings resolve_ensemble(const Options& given, bool shows_paths) {
  EnsembleSettings settings;
  OptionsOfRun options(given);
  settings.system = &choose("--system", options.take("system", "sphere-pendulum"), stochastic_systems());
  const std::string method = options.take("method", "stochastic-rattle");
  for (const MethodEntry& other : method_entries())
    if (other.name == method && other.kind != SystemKind::stochastic)
      throw InvalidParameter(
          "--method", method,
          "is not for systems under noise, which " + settings.system->name + " is; see --list for those that are");
  settings.method = &choose("--method", method, stochastic_methods());
  resolve_start(settings, options);
  resolve_method(settings, options);
  resolve_steps(settings, options);
  resolve_paths(settings, options, shows_paths);
  options.require_all_taken(settings.method->name + " on " + settings.system->name);
  settings.words = options.words();
  return settings;
}

}  // namespace livi

// SPDX-License-Identifier: MIT
//
// How the catalogue describes a method. A method of the library is a block in a header of families/:
//
//   method<SystemKind::mechanical>(
//       {.name = "zhang-skeel", .type = "ZhangSkeel", .header = "zhang_skeel.hpp", .sentence = "...",
//        .options = {newmark_beta}, .subjects = {{"ZhangSkeel"}, {.subject = "ZhangSkeel_beta_0.4", .beta = {2, 5}}}},
//       WithBeta<ZhangSkeel>())
//
// The battery, its table, the commands, the tests and docs/methods.md take it from there. What a method declares, and
// where it is published, says the method itself (Properties).
#pragma once

#include <livi/integrators/newmark.hpp>

#include <algorithm>
#include <string>
#include <tuple>
#include <vector>

namespace livi {

/// The kinds of system that methods are made for. A method for mechanical systems takes split ones, too, and does not
/// look at their parts.
enum class SystemKind {
  mechanical,       ///< M q'' = -grad V
  split,            ///< mechanical, with a potential that names its stiff part
  constrained,      ///< mechanical, with g(q) = 0
  lagrangian,       ///< a Lagrangian L(q, v)
  rigid_body,       ///< Q' = Q hat(W) on SO(3)
  rotation_matrix,  ///< nine entries near SO(3), with a penalty
  thermostat,       ///< mechanical or constrained, in a heat bath; the catalogue puts velocity Verlet into it
  given_functions,  ///< mechanical, with functions that the user gives; the catalogue gives those of a known method
  stochastic,       ///< constrained, with noise potentials
};
inline std::string name_of(SystemKind kind) {
  constexpr const char* names[] = {"mechanical",
                                   "stiff and soft",
                                   "constrained",
                                   "Lagrangian",
                                   "rigid body",
                                   "rotation matrices",
                                   "any of these in a heat bath",
                                   "mechanical, with functions of yours",
                                   "constrained, under noise"};
  return names[static_cast<std::size_t>(kind)];
}

/// A number or a choice that a method or a system takes, as texts: the name in commands, what is allowed, the default.
struct Parameter {
  std::string name, allowed, otherwise, meaning;
  bool operator==(const Parameter& other) const { return name == other.name; }
};

inline const Parameter newmark_beta{"beta", ">= 0", "1/4", "Newmark's beta"};
inline const Parameter newton_tolerance{"newton-tolerance", "> 0, at most 0.01", "32 roundings",
                                        "size of the last Newton update"};
inline const Parameter newton_iterations{"newton-iterations", "1 to 1000000", "50", "limit of Newton iterations"};
inline const Parameter noise_weights{"weights", "increments, integrals or weak", "integrals",
                                     "of the noise: dW/2, with I10, or for weak order two"};
inline const Parameter path_covariance{"covariance", "exact, conditional-mean or mean", "exact",
                                       "what the step takes for the covariance of the noises within it"};
inline const Parameter tableau_stages{"stages", "2, 3 or 4", "3", "of Lobatto's tableau"};
/// Parameters that are chosen in C++ only.
inline const Parameter newmark_gamma{"gamma", "a number", "1/2", "Newmark's gamma"};
inline const Parameter fixed_iterations{"fixed_iterations", ">= 0", "0", "Newton iterations done, 0: to convergence"};

/// The step densities that a method takes.
enum class StepDensities { none, of_position, of_state };

struct Fraction {
  int numerator, denominator;
};

/// A configuration of a method that the reports and tests speak of. Its options are exact in every arithmetic.
struct Configuration {
  std::string subject = {};  ///< letters, digits and '_': also a test's name
  Fraction beta = {1, 4}, gamma = {1, 2};
  NewmarkGuess guess = NewmarkGuess::constant_acceleration;
  NewmarkAcceleration acceleration = NewmarkAcceleration::recomputed;
  int fixed_iterations = 0;

  template <class S>
  [[nodiscard]] NewmarkOptions<S> options() const {
    return {.beta = ratio<S>(beta.numerator, beta.denominator),
            .gamma = ratio<S>(gamma.numerator, gamma.denominator),
            .guess = guess,
            .acceleration = acceleration,
            .newton = {.fixed_iterations = fixed_iterations}};
  }
};

/// What the catalogue says of a method beside its declarations.
struct MethodInfo {
  std::string name;           ///< in commands
  std::string type;           ///< in C++
  std::string header;         ///< a file of lib/livi/integrators, or of another folder beside it
  std::string sentence;       ///< what it is, for someone who looks for a method
  std::string equation = {};  ///< one step, where a line says it
  std::vector<Parameter> options = {};
  Configuration defaults = {};
  std::vector<Configuration> subjects = {};  ///< before the judge, in the order of the reports
  bool allocates = false;                    ///< takes memory in its steps
  std::string family = {};                   ///< the heading of its list
  std::string folder = "integrators";        ///< where its header is
  bool adaptive = false;                     ///< its h is the fictitious step, its state has a clock
  StepDensities densities = StepDensities::none;

  [[nodiscard]] bool has(const Parameter& option) const {
    return std::find(options.begin(), options.end(), option) != options.end();
  }
};

/// A method with what makes it: `make(system, options)` for any system of its kind and any scalar.
template <SystemKind Kind, class Make>
struct Method {
  static constexpr SystemKind kind = Kind;
  /// Whether it runs on mechanical systems, split or not.
  static constexpr bool mechanical = Kind == SystemKind::mechanical || Kind == SystemKind::split;
  MethodInfo info;
  Make make;
};
template <SystemKind Kind, class Make>
Method<Kind, Make> method(MethodInfo info, Make make) {
  return {std::move(info), std::move(make)};
}

/// Calls f(method) for each of a tuple of methods.
template <class Methods, class Function>
void for_each_method_of(const Methods& methods, const Function& f) {
  std::apply([&](const auto&... each) { (f(each), ...); }, methods);
}

// The usual ways to make a method of its options.
template <template <class> class M>
struct Plain {
  template <class System, class Options>
  auto operator()(const System& system, const Options&) const {
    return M<System>(system);
  }
};
template <template <class> class M>
struct WithBeta {
  template <class System, class Options>
  auto operator()(const System& system, const Options& options) const {
    return M<System>(system, {.beta = options.beta});
  }
};
template <template <class> class M>
struct WithNewton {
  template <class System, class Options>
  auto operator()(const System& system, const Options& options) const {
    return M<System>(system, options.newton);
  }
};

}  // namespace livi

// SPDX-License-Identifier: MIT
#include <livi/integrators/implicit_midpoint.hpp>
#include <livi/integrators/newmark.hpp>
#include <livi/integrators/pushforward_newmark.hpp>

#include <livi/catalogue/library_subjects.hpp>

namespace livi {

std::vector<NamedSubject> newmark_subjects() {
  std::vector<NamedSubject> list;
  list.push_back(mechanical("Newmark", []<class System>(const System& s) { return Newmark<System>(s); }));
  list.push_back(mechanical("Newmark_beta_0.4", []<class System>(const System& s) {
    return Newmark<System>(s, {.beta = ratio<ScalarOf<System>>(2, 5)});
  }));
  list.push_back(mechanical("Newmark_gamma_0.6", []<class System>(const System& s) {
    return Newmark<System>(s, {.beta = ratio<ScalarOf<System>>(2, 5), .gamma = ratio<ScalarOf<System>>(3, 5)});
  }));
  // Every reading of "one iteration of the nonlinear solve".
  const std::pair<const char*, NewmarkGuess> guesses[] = {
      {"last_position", NewmarkGuess::last_position},
      {"ballistic", NewmarkGuess::ballistic},
      {"zero_acceleration", NewmarkGuess::zero_acceleration},
      {"constant_acceleration", NewmarkGuess::constant_acceleration}};
  for (const auto& [name, guess] : guesses)
    for (const auto acceleration : {NewmarkAcceleration::recomputed, NewmarkAcceleration::carried})
      list.push_back(mechanical(std::string("Newmark_one_iteration_") + name +
                                    (acceleration == NewmarkAcceleration::recomputed ? "_recomputed" : "_carried"),
                                [guess = guess, acceleration]<class System>(const System& s) {
                                  return Newmark<System>(s, {.beta = ratio<ScalarOf<System>>(2, 5),
                                                             .guess = guess,
                                                             .acceleration = acceleration,
                                                             .newton = {.fixed_iterations = 1}});
                                }));
  list.push_back(
      mechanical("PushforwardNewmark", []<class System>(const System& s) { return PushforwardNewmark<System>(s); }));
  list.push_back(
      mechanical("ImplicitMidpoint", []<class System>(const System& s) { return ImplicitMidpoint<System>(s); }));
  list.push_back(mechanical("ImplicitMidpoint_one_iteration", []<class System>(const System& s) {
    return ImplicitMidpoint<System>(s, {.fixed_iterations = 1});
  }));
  return list;
}

}  // namespace livi

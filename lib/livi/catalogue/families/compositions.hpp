// SPDX-License-Identifier: MIT
#pragma once

#include <livi/catalogue/method.hpp>
#include <livi/integrators/composition.hpp>
#include <livi/integrators/velocity_verlet.hpp>
#include <livi/integrators/zhang_skeel.hpp>

namespace livi {

/// Makes compositions of one method by one kind of scheme; the order of each is a number, so that they are one type.
struct YoshidaOfZhangSkeel {
  int order;
  template <class System, class Options>
  auto operator()(const System& system, const Options& options) const {
    return Composition(ZhangSkeel<System>(system, {.beta = options.beta}), yoshida<ScalarOf<System>>(order));
  }
};
struct SuzukiOfZhangSkeel {
  int order;
  template <class System, class Options>
  auto operator()(const System& system, const Options& options) const {
    return Composition(ZhangSkeel<System>(system, {.beta = options.beta}), suzuki<ScalarOf<System>>(order));
  }
};
struct YoshidaOfVerlet {
  int order;
  template <class System, class Options>
  auto operator()(const System& system, const Options&) const {
    return Composition(VelocityVerlet<System>(system), yoshida<ScalarOf<System>>(order));
  }
};

inline auto composition_methods() {
  const auto of_zhang_skeel = [](const char* name, const char* subject, const char* sentence) {
    return MethodInfo{.name = name,
                      .type = "Composition",
                      .header = "composition.hpp",
                      .sentence = sentence,
                      .options = {newmark_beta},
                      .subjects = {{subject}}};
  };
  return std::tuple{
      method<SystemKind::mechanical>(
          of_zhang_skeel("yoshida-4-zhang-skeel", "Yoshida_4_ZhangSkeel", "Order four in 3 steps of Z&S."),
          YoshidaOfZhangSkeel{4}),
      method<SystemKind::mechanical>(
          of_zhang_skeel("yoshida-6-zhang-skeel", "Yoshida_6_ZhangSkeel", "Order six in 9 steps of Z&S."),
          YoshidaOfZhangSkeel{6}),
      method<SystemKind::mechanical>(
          of_zhang_skeel("yoshida-8-zhang-skeel", "Yoshida_8_ZhangSkeel", "Order eight in 27 steps of Z&S."),
          YoshidaOfZhangSkeel{8}),
      method<SystemKind::mechanical>(
          of_zhang_skeel("suzuki-4-zhang-skeel", "Suzuki_4_ZhangSkeel", "Order four in 5 shorter steps of Z&S."),
          SuzukiOfZhangSkeel{4}),
      method<SystemKind::mechanical>(
          of_zhang_skeel("suzuki-6-zhang-skeel", "Suzuki_6_ZhangSkeel", "Order six in 25 shorter steps of Z&S."),
          SuzukiOfZhangSkeel{6}),
      method<SystemKind::mechanical>({.name = "yoshida-4-velocity-verlet",
                                      .type = "Composition",
                                      .header = "composition.hpp",
                                      .sentence = "Order four in 3 steps of Verlet.",
                                      .subjects = {{"Yoshida_4_VelocityVerlet"}}},
                                     YoshidaOfVerlet{4})};
}

}  // namespace livi

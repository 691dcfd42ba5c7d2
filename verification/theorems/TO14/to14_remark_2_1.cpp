// SPDX-License-Identifier: MIT
// Theorem: TO14 Remark 2.1, Theorems 1.1(3) and 2.1(3): compositions raise Z&S and Z&Ss to any even order
#include "study/program/theorem.hpp"

#include <livi/integrators/composition.hpp>
#include <livi/integrators/simplified_zhang_skeel.hpp>

#include "study/evidence/certified_order.hpp"
#include "study/evidence/orders.hpp"

namespace livi::theorem {

Program this_program() {
  return {"to14_remark_2_1",
          {"TO14", "Remark 2.1", "2.3"},
          "Yoshida's and Suzuki's compositions raise Z&S to orders 4, 6, 8 and keep symmetry and symplecticity"};
}

}  // namespace livi::theorem

namespace {

using namespace livi;
using theorem::expect_verdict, theorem::library_subject;

/// Steps up to which the error stays above 1e-45 and the slope has settled.
int last_power(int order) { return order == 4 ? 7 : order == 6 ? 6 : 7; }

double order_of(const Subject& subject, int order) {
  return theorem::observed_orders(subject, 2, last_power(order)).farthest_from(order);
}

/// A composition with Yoshida's outer fraction moved by a thousandth: order two again, in the limit.
template <class System>
auto mistuned(const System& system) {
  using S = ScalarOf<System>;
  CompositionScheme<S> scheme = yoshida<S>(4);
  scheme.fractions.front() += ratio<S>(1, 1000);
  scheme.fractions.back() += ratio<S>(1, 1000);
  scheme.fractions[1] -= ratio<S>(1, 500);
  return Composition(SimplifiedZhangSkeel<System>(system), scheme);
}

const Interval two_decimals{-0.02, 0.02};

double mistuned_deviation() {
  static const double deviation = [] {
    const auto subject = mechanical("mistuned", []<class System>(const System& s) { return mistuned(s); });
    return order_of(*subject.subject, 4) - 4;
  }();
  return deviation;
}

TEST(Remark_2_1, orders_of_zhang_skeel) {
  double worst = 0, residual = 0;
  for (const auto& [name, order] : {std::pair("Yoshida_4_ZhangSkeel", 4), std::pair("Yoshida_6_ZhangSkeel", 6),
                                    std::pair("Yoshida_8_ZhangSkeel", 8), std::pair("Suzuki_4_ZhangSkeel", 4),
                                    std::pair("Suzuki_6_ZhangSkeel", 6)}) {
    const Subject& subject = library_subject(name);
    const double observed = order_of(subject, order);
    theorem::report().measurement({.name = std::string(name) + ".order", .value = observed, .unit = "order"});
    if (std::abs(observed - order) > std::abs(worst)) worst = observed - order;
    residual = std::max(residual, theorem::symplecticity_of(subject));
  }
  theorem::report().measurement({.name = "compositions.symplecticity_residual",
                                 .value = residual,
                                 .tolerance = {.absolute = 1e-45},
                                 .noise_floor = 1e-45});
  EXPECT_LT(residual, 1e-45);
  expect_verdict(
      {.id = "TO14.thm1.1.3.high-order",
       .measured = worst,
       .unit = "order",
       .interval = two_decimals,
       .controls = {{.name = "fractions moved by 0.001", .measured = mistuned_deviation(), .interval = two_decimals}},
       .note = "All stay symplectic in 50 digits. What they do not keep: unconditional linear stability "
               "(of order 4, Suzuki's loses it, Yoshida's has it: see to14_theorem_2_2)."});
}

TEST(Remark_2_1, fourth_order) {
  theorem::report().seed("certificates", judge_seed());
  // Exactly, in the field with a cube root of two, for all cubics of two variables and any mass.
  using Cubic = CubicNumber<Residue>;
  const Certificate zero = certify(theorem::LocalError<Cubic>{.from = 0, .to = 4}),
                    fifth = certify(theorem::LocalError<Cubic>{.from = 5, .to = 5}),
                    wrong = certify(theorem::LocalError<Cubic>{.from = 0, .to = 4, .middle = 1});
  EXPECT_TRUE(zero.proved()) << zero.describe();
  EXPECT_TRUE(fifth.disproved() && wrong.disproved());
  theorem::report().count("certificate.coefficients_up_to_h4_that_do_not_vanish", zero.nonzero);
  theorem::report().count("certificate.coefficients_of_h5_that_do_not_vanish", fifth.nonzero);
  theorem::report().measurement(
      {.name = "certificate.error_probability", .value = zero.probability, .tolerance = {.absolute = 1e-30}});
  const Subject& subject = library_subject("Yoshida_4_ZhangSkeel");
  const double order = order_of(subject, 4), residual = theorem::symplecticity_of(subject),
               asymmetry = theorem::asymmetry_of(subject);
  theorem::report().measurement({.name = "yoshida_4.asymmetry", .value = asymmetry, .tolerance = {.absolute = 1e-45}});
  EXPECT_LT(residual, 1e-45);
  EXPECT_LT(asymmetry, 1e-45);
  EXPECT_GT(theorem::asymmetry_of(library_subject("SymplecticEuler")), 1e-6);
  expect_verdict(
      {.id = "TO14.rem2.1.fourth-order",
       .measured = order - 4,
       .unit = "order",
       .interval = two_decimals,
       .controls = {{.name = "fractions moved by 0.001", .measured = mistuned_deviation(), .interval = two_decimals}},
       .note = "Symmetric and symplectic to 50 digits, too; its local error is of order h^5 exactly, proved for all "
               "cubics of two variables in the field of numbers a + b r + c r^2, r^3 = 2."});
}

TEST(Remark_2_1, orders_of_simplified) {
  double worst = 0;
  for (const int order : {4, 6, 8}) {
    const auto subject = mechanical("", [order]<class System>(const System& s) {
      return Composition(SimplifiedZhangSkeel<System>(s), yoshida<ScalarOf<System>>(order));
    });
    const double observed = order_of(*subject.subject, order);
    theorem::report().measurement({.name = "Yoshida_" + std::to_string(order) + "_SimplifiedZhangSkeel.order",
                                   .value = observed,
                                   .unit = "order"});
    if (std::abs(observed - order) > std::abs(worst)) worst = observed - order;
  }
  expect_verdict(
      {.id = "TO14.thm2.1.3.high-order",
       .measured = worst,
       .unit = "order",
       .interval = two_decimals,
       .controls = {{.name = "fractions moved by 0.001", .measured = mistuned_deviation(), .interval = two_decimals}}});
}

}  // namespace

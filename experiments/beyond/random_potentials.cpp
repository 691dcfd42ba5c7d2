// SPDX-License-Identifier: MIT
// Theorem: how often a test of symplecticity at one random point of one random potential sees that a method is wrong,
// in double and in 50 digits: the defect of Z&Ss, of Z&S with a wrong third-derivative term, of linearised implicit
// methods.
//
// Each draw has a polynomial potential of degree 4 with all coefficients between -0.9 and 0.9, a mass (identity,
// diagonal, full), a point, beta and h between 0.1 and 0.9 (h also divided by 8 and by 64), in 2, 3 or 4 dimensions. A
// method is caught when its residual is more than a thousand times that of Z&S at the same draw, which is rounding (and
// not taken below 16 epsilon).
#include "study/evidence/certified.hpp"

#include <livi/integrators/implicit_midpoint.hpp>
#include <livi/integrators/runge_kutta.hpp>
#include <livi/integrators/velocity_verlet.hpp>

namespace livi::theorem {

Program this_program() {
  return {"random_potentials",
          {"TO14", "Theorem 2.5", "2.2, 2.3"},
          "how often one random point shows that a method is not symplectic"};
}

namespace {

const std::vector<Family>& drawn_families() {
  static const std::vector<Family> all{{2, 4, Mass::identity}, {2, 4, Mass::diagonal}, {2, 4, Mass::full},
                                       {3, 4, Mass::identity}, {3, 4, Mass::diagonal}, {3, 4, Mass::full},
                                       {4, 4, Mass::full}};
  return all;
}

constexpr auto runge_kutta = []<class System, class T>(const System& system, const T&) {
  return RungeKutta4<System>(system);
};
constexpr auto verlet = []<class System, class T>(const System& system, const T&) {
  return VelocityVerlet<System>(system);
};
constexpr auto midpoint_one_iteration = []<class System, class T>(const System& system, const T&) {
  NewtonOptions<T> once;
  once.fixed_iterations = 1;
  return ImplicitMidpoint<System>(system, once);
};

struct Method {
  std::string name;
  bool symplectic;
  std::function<double(const Family&, std::uint64_t seed, int shrink)> residual;
};

template <class K, class Factory>
Method step_of(const std::string& name, bool symplectic, Factory factory) {
  return {name, symplectic, [factory](const Family& family, std::uint64_t seed, int shrink) {
            return to_double(evaluate<K>(StepIsSymplectic<Factory>{family, factory, shrink}, seed).largest);
          }};
}

/// Residuals of all methods; the first is Z&S, the yardstick.
template <class K>
std::vector<Method> methods() {
  return {step_of<K>("Z&S", true, zhang_skeel),
          step_of<K>("velocity Verlet", true, verlet),
          step_of<K>("Z&Ss", false, simplified),
          step_of<K>("Z&S, sign of V''' flipped", false, Mutant{-1}),
          step_of<K>("Z&S, V''' without 1/2", false, Mutant{2}),
          step_of<K>("Runge-Kutta 4", false, runge_kutta),
          step_of<K>("midpoint, one Newton iteration", false, midpoint_one_iteration),
          {"Newmark, one iteration, after its map", false, [](const Family& family, std::uint64_t seed, int shrink) {
             return to_double(evaluate<K>(OneStepNewmark{family, NewmarkGuess::constant_acceleration,
                                                         NewmarkAcceleration::recomputed, shrink},
                                          seed)
                                  .largest);
           }}};
}

/// The fraction of draws on which each method is caught.
template <class K>
void measure_rates(const std::string& arithmetic, int draws, int shrink, double least_wrong) {
  const double epsilon = to_double(ScalarTraits<K>::epsilon());
  const std::vector<Method> all = methods<K>();
  std::vector<int> caught(all.size(), 0);
  double largest_yardstick = 0;
  int used = 0;
  for (int draw = 1; draw <= draws; ++draw) {
    const Family& family = drawn_families()[static_cast<std::size_t>(draw) % drawn_families().size()];
    const auto seed = static_cast<std::uint64_t>(draw);
    const double yardstick = all.front().residual(family, seed, shrink);
    // A draw with M + beta h^2 Hess V nearly singular says nothing in few digits.
    if (!(yardstick < 1e5 * epsilon)) continue;
    ++used;
    largest_yardstick = std::max(largest_yardstick, yardstick);
    const double threshold = 1000 * std::max(yardstick, 16 * epsilon);
    for (std::size_t i = 0; i < all.size(); ++i) {
      const double residual = i == 0 ? yardstick : all[i].residual(family, seed, shrink);
      if (!(residual <= threshold)) ++caught[i];
    }
  }
  report().count(arithmetic + ".draws_used", used);
  EXPECT_GE(used, draws * 9 / 10);
  report().measurement({.name = arithmetic + ".largest_residual_of_zs",
                        .value = largest_yardstick,
                        .tolerance = {.absolute = 1e5 * epsilon}});
  for (std::size_t i = 0; i < all.size(); ++i) {
    const double rate = static_cast<double>(caught[i]) / used;
    report().measurement(
        {.name = arithmetic + ".caught." + all[i].name, .value = rate, .tolerance = {.absolute = 0.02}});
    std::cout << arithmetic << ", " << all[i].name << ": caught on " << caught[i] << " of " << used << " draws\n";
    if (all[i].symplectic && i == 0) {
      EXPECT_EQ(caught[i], 0) << all[i].name;
    } else if (all[i].symplectic) {
      EXPECT_LE(rate, 0.01) << all[i].name;
    } else {
      EXPECT_GE(rate, least_wrong) << all[i].name;
    }
  }
}

TEST(RandomPotentials, in_double) { measure_rates<double>("double, h to 0.9", 1000, 1, 0.9); }
// A defect of h^5 or h^7 sinks into the rounding of double where steps are short ...
TEST(RandomPotentials, in_double_with_short_steps) {
  measure_rates<double>("double, h to 0.9/8", 500, 8, 0);
  measure_rates<double>("double, h to 0.9/64", 500, 64, 0);
}
// ... not into that of 50 digits.
TEST(RandomPotentials, in_50_digits_with_short_steps) {
  measure_rates<Float50>("50 digits, h to 0.9/64", 70, 64, 0.98);
}

}  // namespace
}  // namespace livi::theorem

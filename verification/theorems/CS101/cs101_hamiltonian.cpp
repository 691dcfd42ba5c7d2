// SPDX-License-Identifier: MIT
// Theorem: CS101 slide 13: the adaptive Stoermer-Verlet method of the Hamiltonian sigma (H - H0), its last line, its
// clock
//
// Slide 13 writes p_{n+1} and p_{n+1/2} in its last line, and k everywhere else. The gradient of sigma there is printed
// at q_{k+1}, where it belongs: this program also shows what the one at q_k would do.

#include "study/evidence/adaptive_measures.hpp"
#include "study/misprints/hamiltonian_adaptive_as_printed.hpp"
#include "study/program/report_parts.hpp"
#include "study/program/theorem.hpp"

namespace livi::theorem {

Program this_program() {
  return {"cs101_hamiltonian",
          {"CS101", "slide 13", "slide 13"},
          "Slide 13: the adaptive Stoermer-Verlet method of sigma (H - H0)"};
}

namespace {

using misprints::LastLine;

/// The method with a last line of its own.
auto with(LastLine line) {
  return [line](const auto& system, const auto& density) {
    return adaptive_method<misprints::HamiltonianAdaptiveAsPrinted>(system, density, line);
  };
}

const Interval zero{0, floor_of_50_digits};
const Interval two = Interval::around(2, 0.02);

TEST(Slide13, the_scheme_is_symplectic) {
  const OverCases found = adaptive_symplecticity(hamiltonian_adaptive),
                  written_out = adaptive_symplecticity(with(LastLine::as_meant)),
                  misplaced = adaptive_symplecticity(with(LastLine::gradient_of_the_start)),
                  without = adaptive_symplecticity(reversible_adaptive);
  const double reversal = adaptive_reversal(hamiltonian_adaptive).largest,
               order = order_of(kepler_errors(hamiltonian_adaptive));
  EXPECT_LT(reversal, floor_of_50_digits);
  EXPECT_GT(adaptive_reversal(with(LastLine::left_out)).smallest, 1e-6);
  EXPECT_TRUE(two.contains(order)) << order;
  report().measurement({.name = "order", .value = order, .unit = "order", .tolerance = {.absolute = 1e-4}});
  expect_verdict(in_one_interval(
      {.id = "CS101.slide13.scheme",
       .measured = std::max(found.largest, written_out.largest),
       .interval = zero,
       .controls = {{.name = "without the terms with H - H0 (slide 20)", .measured = without.smallest},
                    {.name = "the gradient of sigma at q_k in the last line", .measured = misplaced.smallest}},
       .note = text("Largest change of the form: %.0e; a step and the step back lead %.0e from the start; order in the "
                    "time %.3f. Both controls are the smallest of eight cases. H - H0 is the root of a quadratic "
                    "equation that tends to the "
                    "explicit value; the slide does not say that there are two.",
                    found.largest, reversal, order)}));
}

TEST(Slide13, the_last_line_has_k_where_n_is_printed) {
  const auto behind = kepler_errors(with(LastLine::index_behind));
  const double order = order_of(behind), meant = order_of(kepler_errors(with(LastLine::as_meant)));
  expect_verdict(in_one_interval(
      {.id = "CS101.slide13.third-line",
       .measured = order,
       .unit = "order",
       .interval = two,
       .controls = {{.name = "n = k", .measured = meant, .expected = Expected::passes},
                    {.name = "without the last line", .measured = order_of(kepler_errors(with(LastLine::left_out)))}},
       .note =
           text("No line before defines p_{n+1/2} unless n = k. With the momentum of the step before, n = k - 1, the "
                "last kick starts too early, and the error at t = 5 is %.2g per time at the finest step. The "
                "gradient of sigma is printed at q_{k+1}, where it belongs "
                "(CS101.hamiltonian.gradient-place).",
                behind.back())}));
}

TEST(Slide13, the_place_of_the_gradient_is_seen_by_the_structure_and_not_by_the_order) {
  const auto at_start = with(LastLine::gradient_of_the_start);
  const OverCases form = adaptive_symplecticity(at_start), reversal = adaptive_reversal(at_start);
  const double order = order_of(kepler_errors(at_start));
  EXPECT_GT(reversal.smallest, 1e-12);
  expect_verdict(in_one_interval(
      {.id = "CS101.hamiltonian.gradient-place",
       .measured = order,
       .unit = "order",
       .interval = two,
       .controls = {{.name = "without the last line", .measured = order_of(kepler_errors(with(LastLine::left_out)))}},
       .note = text("The form changes by %.1e to %.1e, a step and the step back lead %.1e to %.1e from the start; with "
                    "the gradient at q_{k+1} both are rounding.",
                    form.smallest, form.largest, reversal.smallest, reversal.largest)}));
}

/// Steps the library's method and keeps a clock of another kind beside it.
enum class Clock { mean, start, constant };
std::vector<double> errors_by(Clock clock, bool symplectic) {
  const auto run = [&](const auto& make) {
    using System = adaptive_problems::Kepler<double>;
    const System system = adaptive_problems::kepler<double>();
    const KeplerDensity<System> density;
    const auto from = adaptive_problems::pericentre(0.6);
    std::vector<double> errors;
    for (const int parts : {1000, 2000, 4000}) {
      const double h = 2 * std::numbers::pi / parts;
      auto method = make(system, density);
      auto z = method.start(from.q, from.v);
      double t = 0;
      while (t < 5) {
        const double before = density.value(z.q);
        if (!method.step(z, h).ok()) return std::vector<double>{lost, lost, lost};
        t += clock == Clock::mean ? h * (before + density.value(z.q)) / 2 : clock == Clock::start ? h * before : h;
      }
      errors.push_back((z.q - adaptive_problems::on_ellipse(0.6, t)).norm() / t);
    }
    return errors;
  };
  return symplectic ? run(hamiltonian_adaptive) : run(reversible_adaptive);
}

TEST(Slide13, the_time_is_the_mean_of_the_densities) {
  using F = Float50;
  // The clocks of the methods are these means.
  double defect = 0;
  for_each_adaptive_system<F>([&](const auto& system, const F& energy) {
    using System = std::decay_t<decltype(system)>;
    const auto from = adaptive_problems::generic_state<F, System::dimension>();
    adaptive_problems::for_each_position_density(system, F(energy + F(1)), [&](const char*, const auto& density) {
      const auto follow = [&](auto method) {
        const F h = ratio<F>(1, 20);
        auto z = method.start(from.q, from.v);
        for (int k = 0; k < 20; ++k) {
          const F before = density.value(z.q), t = z.t;
          EXPECT_TRUE(method.step(z, h).ok());
          const F mean = h * (before + density.value(z.q)) / F(2);
          defect = std::max(defect, to_double(magnitude(F((z.t - t) / mean - F(1)))));
        }
      };
      follow(hamiltonian_adaptive(system, density));
      follow(reversible_adaptive(system, density));
    });
  });
  EXPECT_LT(defect, floor_of_50_digits);
  expect_verdict(in_one_interval(
      {.id = "CS101.slide13.time",
       .measured = order_of(errors_by(Clock::mean, true)),
       .unit = "order",
       .interval = two,
       .controls =
           {{.name = "slide 20", .measured = order_of(errors_by(Clock::mean, false)), .expected = Expected::passes},
            {.name = "a clock that advances by h s_k", .measured = order_of(errors_by(Clock::start, true))},
            {.name = "a clock that advances by h", .measured = order_of(errors_by(Clock::constant, true))}},
       .note = text("The clocks of the library's methods of slides 13 and 20 are this mean to %.0e of a step, at a "
                    "constant h.",
                    defect)}));
}

}  // namespace
}  // namespace livi::theorem

// SPDX-License-Identifier: MIT
//
// What is measured of a method, on steppers whose answer is known: synthetic errors and maps.
#include <gtest/gtest.h>

#include <livi/diagnostics/certificate.hpp>
#include <livi/diagnostics/check_derivatives.hpp>
#include <livi/diagnostics/measures.hpp>
#include <livi/diagnostics/step_symplecticity.hpp>
#include <livi/diagnostics/taylor_flow.hpp>
#include <livi/systems/potentials.hpp>

#include "verification/support/given_map.hpp"

namespace measures_test {

using namespace livi::test;
using livi::AnyStepper;
using livi::Dual;
using livi::Dynamic;
using livi::Float50;
using livi::PhasePoint;
using livi::ratio;
using livi::StepOutcome;
using livi::Vector;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

// --- orders ---------------------------------------------------------------------------------------------------------

TEST(FittedExponent, is_exact_for_pure_powers_and_extrapolates_corrections) {
  const auto errors = [](double p, double correction, int power) {
    std::vector<double> e;
    for (int k = 3; k < 9; ++k) {
      const double h = std::exp2(-k);
      e.push_back(7 * std::pow(h, p) * (1 + correction * std::pow(h, power)));
    }
    return e;
  };
  EXPECT_NEAR(livi::fitted_exponent(errors(4, 0, 2), 2), 4, 1e-12);
  EXPECT_NEAR(livi::fitted_exponent(errors(0.5, 0, 1), 1), 0.5, 1e-12);
  // The raw slope is off by correction * h^power ~ 2^-7 (2^-14); one extrapolation leaves its square.
  EXPECT_NEAR(livi::fitted_exponent(errors(2, 1, 1), 1), 2, 1e-3);
  EXPECT_NEAR(livi::fitted_exponent(errors(2, 1, 2), 2), 2, 1e-6);
  EXPECT_GT(std::abs(livi::fitted_exponent(errors(2, 1, 1), 60) - 2), 2e-3) << "extrapolation does something";
}

TEST(FittedExponent, extrapolates_steps_of_any_ratio_as_by_hand) {
  // e = h^2 (1 + h) for h = 1, 1/3, 1/9: slopes log(9 * 2/(4/3))/log 3 and log(9 (4/3)/(10/9))/log 3.
  const double before = std::log(13.5) / std::log(3.0), last = std::log(10.8) / std::log(3.0);
  EXPECT_NEAR(livi::fitted_exponent({2, 4.0 / 27, 10.0 / 729}, 1, {1, 3, 9}), last + (last - before) / (3 - 1), 1e-13);
  EXPECT_NEAR(livi::fitted_exponent({2, 4.0 / 27, 10.0 / 729}, 2, {1, 3, 9}), last + (last - before) / (9 - 1), 1e-13);
}

TEST(FittedExponent, is_not_a_number_without_three_good_errors) {
  EXPECT_TRUE(std::isnan(livi::fitted_exponent({}, 2)));
  EXPECT_TRUE(std::isnan(livi::fitted_exponent({1, 0.25}, 2)));
  EXPECT_FALSE(std::isfinite(livi::fitted_exponent({1, 0.25, 0}, 2)));
  EXPECT_TRUE(std::isnan(livi::fitted_exponent({1, nan, 0.1}, 2)));
  EXPECT_NEAR(livi::fitted_exponent({nan, 1, 0.25, 0.0625}, 2), 2, 1e-12);  // only the last three count
}

TEST(ConvergenceTable, has_the_global_errors_of_q_and_p_apart) {
  // q' = 1 with a relative error h^2, p' = 2 with h^3: errors T h^2 and 2 T h^3.
  GivenMap<Float50> stepper([](const PhasePoint<Float50>& z, const Float50& h, int) {
    return one_dimensional<Float50>(z.q(0) + h * (1 + h * h), z.p(0) + 2 * h * (1 + h * h * h));
  });
  const auto from = one_dimensional<Float50>(0, 0), exact = one_dimensional<Float50>(3, 6);
  const auto table = livi::measure_convergence(stepper, from, exact, Float50(3), 2, 5);
  EXPECT_EQ(table.steps, (std::vector<double>{4, 8, 16, 32}));
  for (std::size_t k = 0; k < 4; ++k) {
    const double h = 3 / table.steps[k];
    EXPECT_NEAR(table.error_q[k], 3 * h * h, 1e-14);
    EXPECT_NEAR(table.error_p[k], 6 * h * h * h, 1e-14);
  }
  GivenMap<Float50> failing([](const PhasePoint<Float50>& z, const Float50&, int) { return z; }, {}, 7);
  const auto failed = livi::measure_convergence(failing, from, exact, Float50(3), 2, 3);
  EXPECT_EQ(failed.error_q[0], 3);  // four steps
  EXPECT_TRUE(std::isnan(failed.error_q[1]) && std::isnan(failed.error_p[1]));
}

// --- symplecticity --------------------------------------------------------------------------------------------------

using D = Dual<Float50>;

PhasePoint<D> unchanged(AnyStepper<D>&, const PhasePoint<D>& z, const D&) { return z; }

const PhasePoint<Float50> somewhere = one_dimensional<Float50>(ratio<Float50>(2, 3), ratio<Float50>(-1, 5));

TEST(Symplecticity, residual_of_a_linear_map_is_its_determinant_less_one) {
  // det = 1 + h^3
  auto stepper = linear_map<D>([](const D& h) { return std::array<D, 4>{D(2), D(3), D(1), (4 + h * h * h) / D(2)}; });
  const Float50 h = ratio<Float50>(1, 4);
  const double d = 1.0 / 64;
  EXPECT_NEAR(livi::symplecticity_residual(stepper, somewhere, {}, h, 1, unchanged), d, 1e-15);
  EXPECT_NEAR(livi::symplecticity_residual(stepper, somewhere, {}, h, 2, unchanged), (1 + d) * (1 + d) - 1, 1e-15);
  auto shear = linear_map<D>([](const D& t) { return std::array<D, 4>{D(1), t, D(0), D(1)}; });
  EXPECT_LE(livi::symplecticity_residual(shear, somewhere, {}, h, 3, unchanged), 1e-49);
}

TEST(Symplecticity, residual_of_a_nonlinear_map_is_that_of_its_jacobian_there) {
  // q -> q + q^2, p -> p: determinant 1 + 2 q
  GivenMap<D> stepper(
      [](const PhasePoint<D>& z, const D&, int) { return one_dimensional<D>(z.q(0) + z.q(0) * z.q(0), z.p(0)); });
  EXPECT_NEAR(livi::symplecticity_residual(stepper, somewhere, {}, Float50(1), 1, unchanged), 4.0 / 3, 1e-15);
  // Both ends have one form of another coordinate: z = (q + q^2, p) pulled back by its inverse map is canonical.
  const auto halve = [](AnyStepper<D>&, const PhasePoint<D>& z, const D&) {
    return one_dimensional<D>(z.q(0) / D(3), z.p(0));
  };
  EXPECT_NEAR(livi::symplecticity_residual(stepper, somewhere, {}, Float50(1), 1, halve), 4.0 / 9, 1e-15);
}

TEST(Symplecticity, sees_what_pairs_of_directions_do) {
  // (q1, q2, p1, p2) -> (q1, q2, p1 + c q2, p2): the form changes by c dq1 ^ dq2 only.
  GivenMap<D> stepper([](const PhasePoint<D>& z, const D&, int) {
    PhasePoint<D> next = z;
    next.p(0) += D(5) * z.q(1);
    return next;
  });
  const Vector<Float50, Dynamic> zero = livi::zeros<Vector<Float50, Dynamic>>(2);
  PhasePoint<Float50> at{zero, zero}, dq1 = at, dq2 = at, dp1 = at;
  dq1.q(0) = 1;
  dq2.q(1) = 1;
  dp1.p(0) = 1;
  EXPECT_EQ(livi::symplecticity_residual(stepper, at, {}, Float50(1), 1, unchanged), 5);
  // Restricted to a submanifold, only its tangent directions count.
  EXPECT_EQ(livi::symplecticity_residual(stepper, at, {dq1, dq2}, Float50(1), 1, unchanged), 5);
  EXPECT_EQ(livi::symplecticity_residual(stepper, at, {dq1, dp1}, Float50(1), 1, unchanged), 0);
}

TEST(Symplecticity, of_a_step_that_fails_is_not_a_number) {
  GivenMap<D> failing([](const PhasePoint<D>& z, const D&, int) { return z; }, {}, 2);
  EXPECT_TRUE(std::isnan(livi::symplecticity_residual(failing, somewhere, {}, Float50(1), 2, unchanged)));
  EXPECT_EQ(livi::symplecticity_residual(failing, somewhere, {}, Float50(1), 1, unchanged), 0);
  // Nor of a NaN in one direction, whatever the others say.
  GivenMap<D> lost([](const PhasePoint<D>& z, const D&, int) {
    PhasePoint<D> next = z;
    next.q(0).derivative *= Float50(nan);
    return next;
  });
  const Vector<Float50, Dynamic> zero = livi::zeros<Vector<Float50, Dynamic>>(2);
  EXPECT_TRUE(std::isnan(livi::symplecticity_residual(lost, {zero, zero}, {}, Float50(1), 1, unchanged)));
}

// --- reversal, adjoint, momentum ------------------------------------------------------------------------------------

TEST(Reversal, and_adjoint_tell_methods_apart) {
  const auto drift_kick = [](const double& h) { return std::array<double, 4>{1 - h * h, h, -h, 1}; };
  const auto verlet = [](const double& h) {
    const double c = 1 - h * h / 2;
    return std::array<double, 4>{c, h, -h * (1 - h * h / 4), c};
  };
  const auto at = one_dimensional<double>(1, 0.5);
  auto good = linear_map<double>(verlet), bad = linear_map<double>(drift_kick);
  EXPECT_LE(livi::reversal_defect(good, at, 0.25, 3), 1e-15);
  EXPECT_LE(livi::adjoint_defect(good, at, 0.25), 1e-15);
  EXPECT_GE(livi::reversal_defect(bad, at, 0.25, 3), 1e-3);
  // kick-drift with h, then with -h: (q, p) -> ... by hand, q1 = 1.0625, p1 = 0.25; back q = 0.9335..., p = 0.5156...
  const double q1 = (1 - 0.0625) + 0.125, p1 = -0.25 + 0.5;
  const double q2 = (1 - 0.0625) * q1 - 0.25 * p1, p2 = 0.25 * q1 + p1;
  EXPECT_NEAR(livi::adjoint_defect(bad, at, 0.25), std::hypot(q2 - 1, p2 - 0.5), 1e-15);
  GivenMap<double> failing([](const PhasePoint<double>& z, const double&, int) { return z; }, {}, 2);
  EXPECT_TRUE(std::isnan(livi::reversal_defect(failing, at, 0.25, 3)));
}

TEST(Momentum, defect_is_the_largest_change_of_the_map) {
  const std::vector<double> kicks{1, -3, 2, 0.5};
  livi::LinearSymmetry<Float50> symmetry{"translation", livi::zeros<livi::Matrix<Float50, Dynamic>>(1, 1),
                                         Vector<Float50, Dynamic>::Constant(1, Float50(2)), true};
  GivenMap<Float50> stepper([&](const PhasePoint<Float50>& z, const Float50&, int step) {
    return one_dimensional<Float50>(z.q(0), z.p(0) + kicks[static_cast<std::size_t>(step - 1)]);
  });
  // p - p0 = 1, -2, 0, 0.5; the map is 2 p
  EXPECT_EQ(livi::momentum_defect(stepper, somewhere, symmetry, Float50(1), 4), 4);
  EXPECT_EQ(livi::momentum_defect(stepper, somewhere, symmetry, Float50(1), 1), 2);
  // A NaN in between is not forgotten.
  GivenMap<Float50> lost([&](const PhasePoint<Float50>&, const Float50&, int step) {
    return one_dimensional<Float50>(0, step == 2 ? Float50(nan) : somewhere.p(0));
  });
  EXPECT_TRUE(std::isnan(livi::momentum_defect(lost, somewhere, symmetry, Float50(1), 4)));
}

TEST(Distance, is_euclidean_in_phase_space) {
  const Vector<double, Dynamic> a = Vector<double, 2>(1, 2), b = Vector<double, 2>(4, 6);
  EXPECT_EQ(livi::distance(a, b), 5);
  EXPECT_EQ(livi::distance(PhasePoint<double>{a, a}, PhasePoint<double>{b, Vector<double, 2>(1, 14)}), 13);
}

// --- stability ------------------------------------------------------------------------------------------------------

TEST(SpectralRadius, of_known_matrices) {
  const auto radius = [](double a, double b, double c, double d) {
    auto stepper = linear_map<double>([=](const double&) { return std::array<double, 4>{a, b, c, d}; });
    return livi::oscillator_spectral_radius(stepper, 1.0);
  };
  EXPECT_NEAR(radius(0.5, 0, 0, -3), 3, 1e-15);        // real
  EXPECT_NEAR(radius(0.6, 0.8, -0.8, 0.6), 1, 1e-15);  // rotation
  EXPECT_NEAR(radius(1.2, 1.6, -1.6, 1.2), 2, 1e-15);  // spiral
  EXPECT_NEAR(radius(2, 1, 0, 2), 2, 1e-15);           // Jordan block
  EXPECT_NEAR(radius(1, 2, 3, 2), 4, 1e-14);           // eigenvalues 4, -1: b and c in their places
  EXPECT_NEAR(radius(-1, 2, 3, -2), 4, 1e-14);
}

TEST(StabilityLimit, of_known_methods) {
  // verlet: 2; a rotation: never; growth: always; 2 - z/(1 + z/8): z (1 - 1/2) = 4
  auto verlet = linear_map<double>([](const double& h) {
    const double c = 1 - h * h / 2;
    return std::array<double, 4>{c, h, -h * (1 - h * h / 4), c};
  });
  EXPECT_NEAR(livi::measure_stability_limit(verlet).limit, 2, 1e-5);
  auto rotation = linear_map<double>([](const double& h) {
    return std::array<double, 4>{std::cos(h), std::sin(h), -std::sin(h), std::cos(h)};
  });
  EXPECT_EQ(livi::measure_stability_limit(rotation).limit, livi::unlimited);
  auto growth = linear_map<double>([](const double& h) { return std::array<double, 4>{1 + h, 0, 0, 1}; });
  EXPECT_EQ(livi::measure_stability_limit(growth).limit, 0);
  auto implicit = linear_map<double>([](const double& h) {
    const double half_trace = 1 - h * h / (1 + h * h / 8) / 2;
    return std::array<double, 4>{half_trace, 1, half_trace * half_trace - 1, half_trace};
  });
  EXPECT_NEAR(livi::measure_stability_limit(implicit).limit, std::sqrt(8.0), 1e-5);
  // What is no number is no limit.
  auto stops = linear_map<double>([](const double& h) {
    const double x = h < 1 ? h : std::numeric_limits<double>::quiet_NaN();
    return std::array<double, 4>{std::cos(x), std::sin(x), -std::sin(x), std::cos(x)};
  });
  const livi::ScannedStability of_stops = livi::measure_stability_limit(stops);
  EXPECT_TRUE(std::isnan(of_stops.limit));
  ASSERT_TRUE(of_stops.fails_from.has_value());
  EXPECT_NEAR(*of_stops.fails_from, 1, 0.006);
  EXPECT_FALSE(livi::measure_stability_limit(verlet).fails_from.has_value());
}

// --- the exact flow -------------------------------------------------------------------------------------------------

template <class S>
using Series = Vector<livi::TaylorSeries<S>, Dynamic>;

TEST(TaylorFlow, is_the_rotation_of_the_oscillator) {
  Vector<Float50, Dynamic> q(2), v(2);
  q << 1, 2;
  v << 3, -1;
  const Float50 t = ratio<Float50>(7, 3);
  // Frequencies 1 and 2.
  livi::taylor_flow<Float50>(q, v, t, 10, [](const Series<Float50>& x, const Series<Float50>&) {
    Series<Float50> a(2);
    a << -x(0), livi::TaylorSeries<Float50>(-4) * x(1);
    return a;
  });
  const Float50 c = cos(t), s = sin(t), c2 = cos(2 * t), s2 = sin(2 * t), tolerance("1e-45");
  EXPECT_LE(abs(q(0) - (c + 3 * s)), tolerance);
  EXPECT_LE(abs(v(0) - (3 * c - s)), tolerance);
  EXPECT_LE(abs(q(1) - (2 * c2 - s2 / 2)), tolerance);
  EXPECT_LE(abs(v(1) - (-c2 - 4 * s2)), tolerance);
}

TEST(TaylorFlow, goes_round_the_circle_of_kepler) {
  Vector<Float50, Dynamic> q(2), v(2);
  q << 1, 0;
  v << 0, 1;
  const Float50 t = ratio<Float50>(1, 2);
  livi::taylor_flow<Float50>(q, v, t, 16, [](const Series<Float50>& x, const Series<Float50>&) {
    using T = livi::TaylorSeries<Float50>;
    const T r2 = x(0) * x(0) + x(1) * x(1), factor = T(-1) / (r2 * sqrt(r2));
    Series<Float50> a(2);
    a << factor * x(0), factor * x(1);
    return a;
  });
  const Float50 tolerance("1e-45");
  EXPECT_LE(abs(q(0) - cos(t)), tolerance);
  EXPECT_LE(abs(q(1) - sin(t)), tolerance);
  EXPECT_LE(abs(v(0) + sin(t)), tolerance);
  EXPECT_LE(abs(v(1) - cos(t)), tolerance);
}

TEST(TaylorFlow, takes_forces_that_depend_on_velocity) {
  Vector<Float50, Dynamic> q(1), v(1);
  q << 0;
  v << 1;
  livi::taylor_flow<Float50>(q, v, Float50(1), 4,
                             [](const Series<Float50>&, const Series<Float50>& w) { return Series<Float50>(-w); });
  EXPECT_LE(abs(v(0) - exp(Float50(-1))), Float50("1e-45"));
  EXPECT_LE(abs(q(0) - (1 - exp(Float50(-1)))), Float50("1e-45"));
}

// At an equilibrium the value never changes, its derivative does: q = 0 varied by e moves as e cos t.
TEST(TaylorFlow, differentiates_at_an_equilibrium) {
  using F = Dual<double>;
  Vector<F, Dynamic> q(1), v(1);
  q(0) = F(0, 1);
  v(0) = F(0, 0);
  livi::taylor_flow<F>(q, v, F(1), 2, [](const Series<F>& x, const Series<F>&) { return Series<F>(-x); });
  EXPECT_EQ(q(0).value, 0);
  EXPECT_NEAR(q(0).derivative, std::cos(1.0), 1e-15);
  EXPECT_NEAR(v(0).derivative, -std::sin(1.0), 1e-15);
}

TEST(Differences, are_of_positions_and_momenta) {
  const PhasePoint<double> a{Vector<double, Dynamic>{{1, 2}}, Vector<double, Dynamic>{{3, 5}}},
      b{Vector<double, Dynamic>{{7, 11}}, Vector<double, Dynamic>{{13, 17}}};
  EXPECT_EQ(livi::differences(a, b), (std::vector<double>{-6, -9, -10, -12}));
}

TEST(DerivativeCheck, is_passed_by_small_deviations_only) {
  EXPECT_TRUE((livi::DerivativeCheck{.gradient = 1e-9, .hessian = 1e-9, .third = 1e-9, .parts = 1e-9}.ok()));
  EXPECT_TRUE(livi::DerivativeCheck{.gradient = 1e-9}.ok()) << "what a potential does not have is not compared";
  EXPECT_FALSE(livi::DerivativeCheck{.gradient = 1e-3}.ok());
  EXPECT_FALSE(livi::DerivativeCheck{.gradient = nan}.ok());
  EXPECT_FALSE((livi::DerivativeCheck{.gradient = 0, .hessian = 1e-3}.ok()));
  EXPECT_FALSE((livi::DerivativeCheck{.gradient = 0, .third = 1e-3}.ok()));
  EXPECT_FALSE((livi::DerivativeCheck{.gradient = 0, .parts = 1e-3}.ok()));
}

/// Two freedoms of mass 2, and a step q + h a v, v + h c q with matrices a and c.
struct TwoFreedoms {
  using scalar_type = Dual<double>;
  using vector_type = Vector<Dual<double>, 2>;
  [[nodiscard]] vector_type momentum(const vector_type& v) const { return Dual<double>(2.0) * v; }
  [[nodiscard]] vector_type velocity(const vector_type& p) const { return Dual<double>(0.5) * p; }
};
struct LinearStep {
  struct state_type {
    TwoFreedoms::vector_type q, v;
  };
  double a, c;
  [[nodiscard]] state_type start(const TwoFreedoms::vector_type& q, const TwoFreedoms::vector_type& v) const {
    return {q, v};
  }
  StepOutcome step(state_type& z, const Dual<double>& h) const {
    const state_type from = z;
    z.q(0) = from.q(0) + h * a * from.v(0);
    z.q(1) = from.q(1) + h * from.v(1);
    z.v(0) = from.v(0) + h * c * from.q(1);
    return {};
  }
};

TEST(StepSymplecticity, is_the_largest_entry_of_the_form_s_change) {
  // J of (q1, q2, p1, p2): q1 + (h a/2) p1, q2 + (h/2) p2, p1 + 2 h c q2, p2. The columns of q2 and p1 have the form
  // -h^2 a c, those of q2 and q1 the form 2 h c in size; with c = 0 the step is symplectic.
  const Vector<double, 2> q(0.3, -0.2), v(0.1, 0.7);
  const auto defect = [&](double a, double c) {
    return livi::step_symplecticity(
        TwoFreedoms{},
        [&](const TwoFreedoms&) {
          return LinearStep{a, c};
        },
        q, v, 0.25, livi::CanonicalCoordinates::own);
  };
  EXPECT_NEAR(defect(1, 0), 0, 1e-15);
  EXPECT_NEAR(defect(1, 0.5), 2 * 0.25 * 0.5, 1e-15);
  EXPECT_NEAR(defect(16, 0.5), 0.25 * 0.25 * 16 * 0.5, 1e-15);
}

// --- derivatives ----------------------------------------------------------------------------------------------------

/// A potential whose derivatives are right but for one that is not a number: 1 its Hessian, 2 its third derivative, 3
/// its Hessian's product.
template <int Wrong>
struct NotANumber : livi::HenonHeilesPotential<double> {
  using Right = livi::HenonHeilesPotential<double>;
  void hessian(const vector_type& q, hessian_type& h) const {
    Right::hessian(q, h);
    if (Wrong == 1) h.matrix(1, 0) = std::nan("");
  }
  void third(const vector_type& q, const vector_type& a, vector_type& out) const {
    Right::third(q, a, out);
    if (Wrong == 2) out(1) = std::nan("");
  }
  void hessian_product(const vector_type& q, const vector_type& a, vector_type& out) const {
    hessian_type h(2);
    Right::hessian(q, h);
    h.multiply(a, out);
    if (Wrong == 3) out(0) = std::nan("");
  }
};
TEST(CheckDerivatives, does_not_believe_what_is_not_a_number) {
  const livi::Vector<double, 2> q(0.5, -0.4);
  const livi::DerivativeCheck right = livi::check_derivatives(NotANumber<0>{}, q),
                              hessian = livi::check_derivatives(NotANumber<1>{}, q),
                              third = livi::check_derivatives(NotANumber<2>{}, q),
                              product = livi::check_derivatives(NotANumber<3>{}, q);
  EXPECT_TRUE(right.ok()) << right.describe();
  EXPECT_FALSE(hessian.ok());
  EXPECT_EQ(hessian.hessian, 1);
  EXPECT_FALSE(third.ok());
  EXPECT_EQ(third.third, 1);
  EXPECT_FALSE(product.ok());
  EXPECT_EQ(product.parts, 1);
}

}  // namespace measures_test

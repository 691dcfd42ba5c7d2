// SPDX-License-Identifier: MIT
// Theorem: CS101 slides 10 to 12: motions with scaled time, when they are Hamiltonian, and the Hamiltonian
// sigma (H - H0)
//
// Notation: y = (q, p), J^-1 grad H = (H_p, -H_q). The scaled system is y' = sigma J^-1 grad H, t' = sigma.
//
// It is Hamiltonian, with the same J, if and only if sigma grad H is a gradient, that is, if its Jacobian
// B_ij = sigma H_ij + H_i sigma_j is symmetric: if H_i sigma_j is. Then grad sigma is parallel to grad H. The sum of
// B_ij - B_ji over all pairs i = q_k, j = p_k is sum (H_q sigma_p - H_p sigma_q) = -d(sigma)/dt, so that sigma is
// constant along the motion. With one degree of freedom there is one entry, and the converse holds; with two it does
// not: angular momentum about a centre is constant, and its gradient is not parallel to that of H.
#include <livi/scalar/power_series.hpp>

#include "study/evidence/adaptive_measures.hpp"
#include "study/evidence/certified.hpp"
#include "study/program/report_parts.hpp"
#include "study/statistics/energy_drift.hpp"

namespace livi::theorem {

Program this_program() {
  return {"cs101_time_transformation",
          {"CS101", "slides 10 to 12", "slides 10-12"},
          "Slides 10 to 12: scaled time, when it is Hamiltonian, and sigma (H - H0)"};
}

namespace {

// --- functions of the state, all of whose coefficients are variables -------------------------------------------------

template <class T>
using Function = PolynomialPotential<T>;
template <class T>
using Point = Vector<T, Dynamic>;

/// All polynomials of a degree in the 2n numbers of a state.
template <class T, class K>
Function<T> draw_function(Draw<K>& draw, const char* name, int n, int degree) {
  int index = 0;
  return polynomial<T>(2 * n, 0, degree, [&] { return T(draw.variable(name + std::to_string(index++))); });
}
template <class T>
Point<T> gradient(const Function<T>& f, const Point<T>& y) {
  Point<T> g = y;
  f.gradient(y, g);
  return g;
}
/// Returns J^-1 g.
template <class T>
Point<T> turned(const Point<T>& g) {
  const Eigen::Index n = g.size() / 2;
  Point<T> result = g;
  result.head(n) = g.tail(n);
  result.tail(n) = -g.head(n);
  return result;
}
/// Returns y with the tangent dy.
template <class K>
Point<Dual<K>> along(const Point<K>& y, const Point<K>& dy) {
  Point<Dual<K>> result(y.size());
  for (Eigen::Index i = 0; i < y.size(); ++i) result(i) = Dual<K>(y(i), dy(i));
  return result;
}
/// Returns the Jacobian of field(y), from dual numbers.
template <class K, class Field>
Matrix<K, Dynamic> jacobian(const Point<K>& y, const Field& field) {
  Matrix<K, Dynamic> result(y.size(), y.size());
  for (Eigen::Index j = 0; j < y.size(); ++j) {
    Point<K> direction = Point<K>::Constant(y.size(), K(0));
    direction(j) = K(1);
    const Point<Dual<K>> image = field(along<K>(y, direction));
    for (Eigen::Index i = 0; i < y.size(); ++i) result(i, j) = image(i).derivative;
  }
  return result;
}
template <class K>
std::vector<K> antisymmetric_part(const Matrix<K, Dynamic>& b) {
  std::vector<K> entries;
  for (Eigen::Index i = 0; i < b.rows(); ++i)
    for (Eigen::Index j = i + 1; j < b.rows(); ++j) entries.push_back(b(i, j) - b(j, i));
  return entries;
}

// --- slide 10 ---------------------------------------------------------------------------------------------------------

/// Which equations are solved beside those of slide 10.
enum class Scaling { as_said, clock_of_the_start, positions_only };

/// Coefficients of tau^0 to tau^5 of y(tau) - Y(t(tau)), Y the motion of H, and that of tau^1 of t minus sigma.
struct SameOrbit {
  int n, degree, degree_of_sigma;
  Scaling scaling = Scaling::as_said;
  template <class K>
  std::vector<K> operator()(Draw<K>& draw) const {
    constexpr int order = 5;
    using T = PowerSeries<K, order>;
    const auto energy = draw_function<T>(draw, "H", n, degree), sigma = draw_function<T>(draw, "s", n, degree_of_sigma);
    const Point<K> from = draw.variables("y", 2 * n);
    const Point<T> start = from.unaryExpr([](const K& x) { return T(x); });
    Point<T> y = start, original = start;
    T t(0);
    for (int k = 0; k < order; ++k) {  // Picard iteration: each pass makes one more coefficient right
      const T scale = sigma.value(y);
      Point<T> rate = turned<T>(gradient(energy, y));
      const Point<T> original_rate = turned<T>(gradient(energy, original));
      for (Eigen::Index i = 0; i < 2 * n; ++i) {
        if (scaling != Scaling::positions_only || i < n) rate(i) *= scale;
        y(i) = start(i) + rate(i).integral();
        original(i) = start(i) + original_rate(i).integral();
      }
      t = (scaling == Scaling::clock_of_the_start ? T(scale[0]) : scale).integral();
    }
    std::vector<K> values{t[1] - sigma.value(start)[0]};
    for (Eigen::Index i = 0; i < 2 * n; ++i) {
      const T difference = y(i) - in_series(original(i), t);
      for (int k = 0; k <= order; ++k) values.push_back(difference[k]);
    }
    return values;
  }
  /// Returns f(t) of two series.
  template <class T>
  static T in_series(const T& f, const T& t) {
    T sum(0);
    for (int k = 5; k >= 0; --k) sum = sum * t + T(f[k]);
    return sum;
  }
};

TEST(Slide10, scaled_time_leaves_the_orbit) {
  const auto decide = [](Scaling scaling) {
    return combined({certify(SameOrbit{1, 6, 5, scaling}), certify(SameOrbit{2, 3, 2, scaling})});
  };
  expect_verdict(exactly(
      decide(Scaling::as_said),
      {.id = "CS101.slide10.time-change",
       .controls = {exact_control("a clock t = sigma(y_0) tau", decide(Scaling::clock_of_the_start)),
                    exact_control("sigma in the equation of q only", decide(Scaling::positions_only))},
       .note = "One step of the fictitious time is sigma steps of the time to first order: the step that the slide "
               "gives. Over a whole step t is the integral of sigma."}));
}

// --- slide 11 ---------------------------------------------------------------------------------------------------------

enum class Against { product, transposed, nothing };

/// The antisymmetric part of the Jacobian of sigma grad H minus that of grad H grad sigma'.
struct SymmetryOfTheProduct {
  int n;
  Against against = Against::product;
  bool function_of_energy = false;  ///< sigma = a + b H instead of any polynomial
  template <class K>
  std::vector<K> operator()(Draw<K>& draw) const {
    using D = Dual<K>;
    const auto energy = draw_function<D>(draw, "H", n, 3);
    auto sigma = draw_function<D>(draw, "s", n, 2);
    if (function_of_energy) {
      sigma = energy;
      const D b(draw.variable("b"));
      for (auto& monomial : sigma.monomials) monomial.coefficient *= b;
    }
    const Point<K> y = draw.variables("y", 2 * n);
    const auto scaled = [&](const Point<D>& x) { return Point<D>(sigma.value(x) * gradient(energy, x)); };
    std::vector<K> values = antisymmetric_part<K>(jacobian<K>(y, scaled));
    if (against == Against::nothing) return values;
    const Point<D> at = along<K>(y, Point<K>::Constant(2 * n, K(0)));
    Point<D> g = gradient(energy, at), s = gradient(sigma, at);
    if (against == Against::transposed) std::swap(g, s);
    Matrix<K, Dynamic> product(2 * n, 2 * n);
    for (Eigen::Index i = 0; i < 2 * n; ++i)
      for (Eigen::Index j = 0; j < 2 * n; ++j) product(i, j) = g(i).value * s(j).value;
    const std::vector<K> of_product = antisymmetric_part<K>(product);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] -= of_product[i];
    return values;
  }
};

TEST(Slide11, the_jacobian_is_symmetric_if_and_only_if_the_product_is) {
  const auto decide = [](Against against, bool function_of_energy = false) {
    return combined({certify(SymmetryOfTheProduct{1, against, function_of_energy}),
                     certify(SymmetryOfTheProduct{2, against, function_of_energy}),
                     certify(SymmetryOfTheProduct{3, against, function_of_energy})});
  };
  expect_verdict(
      exactly(decide(Against::product),
              {.id = "CS101.slide11.not-hamiltonian",
               .controls = {exact_control("the transposed product", decide(Against::transposed)),
                            exact_control("symmetric for every sigma", decide(Against::nothing)),
                            passing(exact_control("symmetric for sigma = b H", decide(Against::nothing, true)))},
               .note = "For a general sigma no entry vanishes, and the scaled system is not Hamiltonian. For functions "
                       "of H, whose gradients are parallel to that of H, it is."}));
}

/// d(sigma)/dt along the motion of H, by dual numbers, plus the sum of the antisymmetric part of the Jacobian of
/// sigma grad H over the first `pairs` pairs (q_k, p_k): a multiple of what must vanish.
struct RateOfSigma {
  int n, pairs;
  template <class K>
  std::vector<K> operator()(Draw<K>& draw) const {
    using D = Dual<K>;
    const auto energy = draw_function<D>(draw, "H", n, 3), sigma = draw_function<D>(draw, "s", n, 2);
    const Point<K> y = draw.variables("y", 2 * n);
    const Point<D> at = along<K>(y, Point<K>::Constant(2 * n, K(0)));
    const Point<K> motion = turned<D>(gradient(energy, at)).unaryExpr([](const D& x) { return x.value; });
    K sum = sigma.value(along<K>(y, motion)).derivative;
    const Matrix<K, Dynamic> b =
        jacobian<K>(y, [&](const Point<D>& x) { return Point<D>(sigma.value(x) * gradient(energy, x)); });
    for (int k = 0; k < pairs; ++k) sum += b(k, n + k) - b(n + k, k);
    return {sum};
  }
};

TEST(Slide11, a_constant_sigma_is_necessary) {
  const Certificate one_of_two = certify(RateOfSigma{2, 1});
  expect_verdict(exactly(
      combined({certify(RateOfSigma{1, 1}), certify(RateOfSigma{2, 2}), certify(RateOfSigma{3, 3})}),
      {.id = "CS101.slide11.only-when",
       .controls = {exact_control("one of two pairs (q_k, p_k)", one_of_two)},
       .note = "So the slide is right as printed: its words are 'only when'. With one degree of freedom the only entry "
               "of the antisymmetric part is this rate, and the condition is sufficient, too. With more it is not: "
               "CS101.time-transformation.not-sufficient."}));
}

/// A central field in the plane and sigma = a + b L, L = q_1 p_2 - q_2 p_1, or a + b H.
struct CentralField {
  enum class Asked { rate, antisymmetric_part } asked;
  bool angular_momentum;
  template <class K>
  std::vector<K> operator()(Draw<K>& draw) const {
    using D = Dual<K>;
    const D kinetic(draw.variable("m")), c(draw.variable("c")), d(draw.variable("d")), a(draw.variable("a")),
        b(draw.variable("b"));
    Function<D> energy, sigma;
    energy.monomials = {{kinetic, {0, 0, 2, 0}}, {kinetic, {0, 0, 0, 2}}, {c, {2, 0, 0, 0}},       {c, {0, 2, 0, 0}},
                        {d, {4, 0, 0, 0}},       {d, {0, 4, 0, 0}},       {D(2) * d, {2, 2, 0, 0}}};
    if (angular_momentum) {
      sigma.monomials = {{b, {1, 0, 0, 1}}, {-b, {0, 1, 1, 0}}};
    } else {
      sigma = energy;
    }
    sigma.monomials.push_back({a, {0, 0, 0, 0}});
    const Point<K> y = draw.variables("y", 4);
    if (asked == Asked::antisymmetric_part)
      return antisymmetric_part<K>(
          jacobian<K>(y, [&](const Point<D>& x) { return Point<D>(sigma.value(x) * gradient(energy, x)); }));
    const Point<D> at = along<K>(y, Point<K>::Constant(4, K(0)));
    const Point<K> motion = turned<D>(gradient(energy, at)).unaryExpr([](const D& x) { return x.value; });
    return {sigma.value(along<K>(y, motion)).derivative};
  }
};

TEST(Slide11, a_constant_sigma_is_not_sufficient_with_two_degrees_of_freedom) {
  using Asked = CentralField::Asked;
  const Certificate constant = certify(CentralField{Asked::rate, true}),
                    entries = certify(CentralField{Asked::antisymmetric_part, true}),
                    of_energy = certify(CentralField{Asked::antisymmetric_part, false});
  EXPECT_TRUE(constant.proved()) << constant.describe();
  EXPECT_TRUE(of_energy.proved()) << of_energy.describe();
  expect_verdict(
      in_one_interval({.id = "CS101.time-transformation.not-sufficient",
                       .measured = static_cast<double>(entries.nonzero),
                       .unit = exact_unit,
                       .interval = {1, 6},
                       .controls = {{.name = "sigma = a + b H", .measured = static_cast<double>(of_energy.nonzero)}},
                       .evidence = Evidence::disproved,
                       .note = "The rate of sigma along the motion: " + constant.describe() +
                               ". The antisymmetric part: " + entries.describe()}));
}

// --- slide 12 ---------------------------------------------------------------------------------------------------------

enum class Field { both_terms, first_term, minus };

/// The gradient of sigma (H - H0) by dual numbers minus the two terms (turned back by J), and the antisymmetric part of
/// the Jacobian of these.
struct TwoTerms {
  int n;
  Field field = Field::both_terms;
  template <class K>
  std::vector<K> operator()(Draw<K>& draw) const {
    using D = Dual<K>;
    const auto energy = draw_function<D>(draw, "H", n, 3), sigma = draw_function<D>(draw, "s", n, 2);
    const D start(draw.variable("H0"));
    const Point<K> y = draw.variables("y", 2 * n);
    const auto terms = [&](const Point<D>& x) {
      const D factor = energy.value(x) - start;
      Point<D> sum = sigma.value(x) * gradient(energy, x);
      if (field == Field::both_terms) sum += factor * gradient(sigma, x);
      if (field == Field::minus) sum -= factor * gradient(sigma, x);
      return sum;
    };
    std::vector<K> values = antisymmetric_part<K>(jacobian<K>(y, terms));
    const Point<D> at = terms(along<K>(y, Point<K>::Constant(2 * n, K(0))));
    for (Eigen::Index j = 0; j < 2 * n; ++j) {
      Point<K> direction = Point<K>::Constant(2 * n, K(0));
      direction(j) = K(1);
      const Point<D> x = along<K>(y, direction);
      values.push_back((sigma.value(x) * (energy.value(x) - start)).derivative - at(j).value);
    }
    return values;
  }
};

TEST(Slide12, the_second_term_makes_the_system_hamiltonian) {
  const auto decide = [](Field field) {
    return combined({certify(TwoTerms{1, field}), certify(TwoTerms{2, field}), certify(TwoTerms{3, field})});
  };
  expect_verdict(exactly(decide(Field::both_terms),
                         {.id = "CS101.slide12.hamiltonian",
                          .controls = {exact_control("without the perturbation", decide(Field::first_term)),
                                       exact_control("the perturbation with a minus sign", decide(Field::minus))}}));
}

/// The exponent of h in the largest |H - H0| |grad sigma| over sigma |grad H| on 100 periods of Kepler's ellipse with
/// the method of slide 13, and this size at the smallest of three steps 2 pi/200, 2 pi/400, 2 pi/800.
struct Perturbation {
  double exponent, size;
};
Perturbation perturbation(double error_of_energy, double e = 0.6) {
  using System = adaptive_problems::Kepler<double>;
  const System system = adaptive_problems::kepler<double>();
  const KeplerDensity<System> density;
  const auto from = adaptive_problems::pericentre(e);
  std::vector<double> sizes;
  for (const int parts : {200, 400, 800}) {
    HamiltonianAdaptiveVerlet<System, KeplerDensity<System>> method(system, density);
    auto z = method.start(from.q, from.v);
    z.energy += error_of_energy;
    AdaptiveTrajectory run(method, z, 2 * std::numbers::pi / parts, 200 * std::numbers::pi);
    double& largest = sizes.emplace_back(0);
    Vector<double, 2> g, force;
    for (const auto& point : run) {
      const auto& state = point.state;
      density.gradient(state.q, g);
      system.potential().gradient(state.q, force);
      const double of_energy = std::hypot(force.norm(), state.v.norm());
      largest = std::max(largest, std::abs(system.energy(state.q, state.v) - state.energy) * g.norm() /
                                      (density.value(state.q) * of_energy));
    }
    if (!run.outcome().ok()) return {lost, lost};
  }
  return {fitted_exponent(sizes, 2), sizes.back()};
}

TEST(Slide12, the_second_term_is_small) {
  const Perturbation found = perturbation(0), off = perturbation(0.01);
  report().measurement(
      {.name = "perturbation.800", .value = found.size, .unit = "of the field", .tolerance = {.relative = 0.02}});
  expect_verdict(in_one_interval(
      {.id = "CS101.slide12.small",
       .measured = found.exponent,
       .unit = "power",
       .interval = Interval::around(2, 0.05),
       .controls = {{.name = "H0 greater by 0.01 than the energy of the start", .measured = off.exponent},
                    {.name = "e = 0.8", .measured = perturbation(0, 0.8).exponent, .expected = Expected::passes}},
       .note = text("With 800 steps of the fictitious period the second term is at most %.1e of the first, and on the "
                    "exact path it vanishes. With an H0 that is off by 0.01 it is %.1e at any step.",
                    found.size, off.size)}));
}

// --- symplectic methods as they are -----------------------------------------------------------------------------------

enum class Rule { euler, midpoint };

/// The symplectic Euler method, implicit in p, or the midpoint rule on sigma(q) (H - E0), or on its first term only.
template <class System, class Density>
class OnScaledHamiltonian : public AdaptiveOnSystem<System> {
  using Base = AdaptiveOnSystem<System>;

 public:
  using typename Base::S, typename Base::vector_type;
  using state_type = TimedState<S, System::dimension>;
  OnScaledHamiltonian(const System& system, Density density, Rule rule, bool both_terms = true)
      : Base(system, {}), density_(std::move(density)), rule_(rule), both_terms_(both_terms) {}
  [[nodiscard]] state_type start(const vector_type& q, const vector_type& v) const {
    return this->template started<state_type>(q, v);
  }
  StepOutcome step(state_type& z, const S& h) {
    vector_type x = z.q, w = z.v, a = z.q, g = z.q;
    for (int iteration = 1; iteration <= 400; ++iteration) {
      const vector_type q = rule_ == Rule::euler ? z.q : vector_type((z.q + x) / S(2)),
                        v = rule_ == Rule::euler ? w : vector_type((z.v + w) / S(2));
      const S sigma = density_.value(q), e = both_terms_ ? S(this->system_->energy(q, v) - z.energy) : S(0);
      this->system_->acceleration(q, a);
      density_.gradient(q, g);
      this->system_->mass().solve_in_place(g);
      const vector_type next_w = z.v + h * (sigma * a - e * g), next_x = z.q + (h * sigma) * v;
      const auto change =
          larger(RealOf<S>(max_magnitude(vector_type(next_x - x))), RealOf<S>(max_magnitude(vector_type(next_w - w))));
      x = next_x;
      w = next_w;
      if (!is_finite(change)) return {Failure::not_finite, iteration};
      if (change > this->newton_.tolerance * (RealOf<S>(1) + RealOf<S>(max_magnitude(x)))) continue;
      z.q = x;
      z.v = w;
      return advance_time(z, S(h * sigma));
    }
    return {Failure::no_convergence, 400};
  }

 private:
  Density density_;
  Rule rule_;
  bool both_terms_;
};
auto on_scaled_hamiltonian(Rule rule, bool both_terms = true) {
  return [=](const auto& system, const auto& density) {
    return adaptive_method<OnScaledHamiltonian>(system, density, rule, both_terms);
  };
}

TEST(Slide12, symplectic_methods_can_be_used_as_they_are) {
  const auto energy_run = [](Rule rule, bool both_terms) {
    const auto system = adaptive_problems::kepler<double>();
    return kepler_long_run(on_scaled_hamiltonian(rule, both_terms), 0.6, 2 * std::numbers::pi / 200, 1000,
                           [&](const auto&, const auto& z) { return system.energy(z.q, z.v) + 0.5; });
  };
  double residual = 0;
  std::string runs;
  for (const Rule rule : {Rule::euler, Rule::midpoint}) {
    residual = std::max(residual, adaptive_symplecticity(on_scaled_hamiltonian(rule)).largest);
    const LongRun run = energy_run(rule, true);
    EXPECT_NEAR(run.growth(), 1, 0.1);
    EXPECT_LT(std::abs(run.drift()), no_drift);
    runs += text("%s, largest energy error %.2e, in the last tenth of 1000 periods %.3f times that in the first",
                 rule == Rule::euler ? "Symplectic Euler" : "; midpoint rule", run.largest, run.growth());
  }
  const LongRun naive = energy_run(Rule::euler, false);
  EXPECT_GT(naive.first_tenth, 0.2);
  expect_verdict(in_one_interval(
      {.id = "CS101.slide12.direct",
       .measured = residual,
       .interval = {0, floor_of_50_digits},
       .controls = {{.name = "symplectic Euler on the first term alone",
                     .measured = adaptive_symplecticity(on_scaled_hamiltonian(Rule::euler, false)).smallest},
                    {.name = "midpoint rule on the first term alone",
                     .measured = adaptive_symplecticity(on_scaled_hamiltonian(Rule::midpoint, false)).smallest}},
       .note = runs + text(", both on Kepler with e = 0.6 and 200 steps of the fictitious period. Symplectic Euler on "
                           "the first term alone loses its orbit within 100 periods: %.2g. Both methods are implicit "
                           "here: sigma (H - H0) is no sum of functions of q and p.",
                           naive.first_tenth)}));
}

}  // namespace
}  // namespace livi::theorem

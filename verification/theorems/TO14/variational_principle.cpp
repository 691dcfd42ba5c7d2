// SPDX-License-Identifier: MIT
// Theorem: TO14 Theorem 1.1(2) and Sections 2.1, 2.2: the discrete Lagrangians (2) and (15), and what follows from
// them: (3), (14), (16), (17), by exact certificates wherever nothing is iterated
//
// With c = beta h^2 and W(x, a) = a'Ma/2 + V'(x) a + c a'V''(x) a/2 (times c),
//   (15)  L = h ( |x1 - x0|_M^2/(2 h^2) - (c a0'M a0/2 + V(x0 + c a0))/2 - (c a1'M a1/2 + V(x1 + c a1))/2 )
//   (2)   its Taylor polynomial of degree two in (a0, a1):  V(x + c a) -> V + c V'a + c^2/2 a'V''a.
// Derivatives of both are taken by dual numbers over exact ones: no formula of the paper is used to check another. The
// coefficients of V, the masses, beta, h and the states are variables.
//
// One file: all claims are of these two functions.
#include "study/evidence/certified.hpp"

#include <livi/integrators/newmark.hpp>
#include <livi/integrators/pushforward_newmark.hpp>
#include <livi/integrators/simplified_zhang_skeel.hpp>
#include <livi/integrators/velocity_verlet.hpp>
#include <livi/integrators/zhang_skeel.hpp>
#include <livi/scalar/dual.hpp>
#include <livi/scalar/multiprecision.hpp>
#include <livi/scalar/power_series.hpp>
#include <livi/systems/potentials.hpp>

#include <random>
#include "study/evidence/discrete_lagrangian.hpp"

namespace livi::theorem {

Program this_program() {
  return {"variational_principle",
          {"TO14", "Theorem 1.1(2)", "1, 2.1, 2.2"},
          "The discrete Lagrangians (2) and (15) and the integrators that follow from them"};
}

}  // namespace livi::theorem

namespace {

using namespace livi;
using namespace livi::discrete_action;
using theorem::certify_each;
using theorem::Combined;
using theorem::exact_control;
using theorem::expect_verdict;
using theorem::Family;
using theorem::in_numbers;
using theorem::Mass;
using theorem::PolynomialSystem;

// --- systems of floating-point numbers ------------------------------------------------------------------------------

constexpr int n = 3;
template <class S>
using V3 = Vector<S, n>;

/// Three coupled degrees of freedom with a full mass.
template <class S>
using System = MechanicalSystem<FullMass<S, n>, CoupledAnharmonicPotential<S, n>>;
template <class S>
System<S> make_system() {
  Matrix<S, n> m;
  m << S(3), S(1), S(0), S(1), S(2), ratio<S>(-1, 2), S(0), ratio<S>(-1, 2), S(1);
  return {FullMass<S, n>(m), {ratio<S>(3, 4), ratio<S>(1, 2)}};
}

// --- the Lagrangians, for any system --------------------------------------------------------------------------------

// --- certificates ---------------------------------------------------------------------------------------------------

const std::vector<Family>& quartics() {
  static const std::vector<Family> families{{2, 4, Mass::full}, {3, 4, Mass::full}};
  return families;
}
const std::vector<Family>& quadratics() {
  static const std::vector<Family> families{{2, 2, Mass::full}, {3, 2, Mass::full}};
  return families;
}

template <class K>
void append(std::vector<K>& values, const Vector<K, Dynamic>& v) {
  values.insert(values.end(), v.data(), v.data() + v.size());
}

/// A statement on the quartics and quadratics: `values` says what must vanish from a member of a family.
template <class Values>
struct OnFamily {
  Family family;
  Values values;
  template <class K>
  std::vector<K> operator()(Draw<K>& draw) const {
    return values(draw, family.n, theorem::draw_system<K>(draw, family));
  }
};
template <class Values>
Combined certify_values(const Values& values, const std::vector<Family>& families = quartics()) {
  return certify_each(families, [&](const Family& family) { return OnFamily<Values>{family, values}; });
}

/// A claim that identities hold on all quartics.
Claim exact_claim(const std::string& id, const Combined& found, const std::string& control,
                  const Combined& control_found, const std::string& note) {
  EXPECT_EQ(found.nonzero, 0) << found.disproof;
  return exactly(found, {.id = id, .controls = {exact_control(control, control_found)}, .note = note});
}

/// Discrete Euler-Lagrange equations in x1 and a1 along three positions x0, x1, x2 of a method. Both neighbours of x1
/// are one step away, backward and forward (Theorem 2.4): two steps in a row would square the degrees.
template <class Factory>
auto euler_lagrange(Factory factory) {
  return [factory]<class K>(Draw<K>& draw, int size, const PolynomialSystem<K>& system) {
    const auto of_duals = in_numbers<Dual<K>>(system);
    const K h = draw.positive("h"), beta = draw.positive("beta"), c = beta * h * h;
    const Vector<K, Dynamic> x1 = draw.variables("x", size), v = draw.variables("v", size);
    const auto neighbour = [&](const K& step) {
      auto method = factory(system, beta);
      auto z = method.start(x1, v);
      if (!method.step(z, step).ok()) throw StepFailed("the step fails");
      return z.q;
    };
    const Vector<K, Dynamic> x0 = neighbour(-h), x2 = neighbour(h);
    const Vector<K, Dynamic> a0 = acceleration_16(system, x0, c), a1 = acceleration_16(system, x1, c),
                             a2 = acceleration_16(system, x2, c);
    const std::array<Vector<K, Dynamic>, 4> before{x0, x1, a0, a1}, after{x1, x2, a1, a2};
    std::vector<K> values;
    for (const auto& [of_before, of_after] : {std::pair(1, 0), std::pair(3, 2)})
      append<K>(values, derivative(Lagrangian::quadratic, of_before, of_duals, h, beta, before) +
                            derivative(Lagrangian::quadratic, of_after, of_duals, h, beta, after));
    return values;
  };
}

TEST(VariationalPrinciple, euler_lagrange_equations_of_2_are_3) {
  expect_verdict(
      exact_claim("TO14.eq2.euler-lagrange-gives-eq3", certify_values(euler_lagrange(theorem::zhang_skeel)),
                  "two steps of Z&Ss", certify_values(euler_lagrange(theorem::simplified)),
                  "Derivatives of (2) by dual numbers over exact ones. a enters as the paper says, with M, h and beta "
                  "general."));
}

using F = Float50;
/// Where the orbits in 50 digits start, and with which h and beta.
struct Orbit {
  F h = ratio<F>(1, 4), beta = ratio<F>(2, 5), c = beta * h * h;
  System<F> system = make_system<F>();
  V3<F> x{ratio<F>(1, 2), ratio<F>(-2, 5), ratio<F>(3, 10)}, v{ratio<F>(1, 3), ratio<F>(1, 4), ratio<F>(-1, 5)};
};

constexpr std::size_t intervals = 3;
using Path = std::array<V3<F>, intervals + 1>;

template <class Method>
Path path_of(const Orbit& orbit, Method method) {
  auto z = method.start(orbit.x, orbit.v);
  Path x;
  x[0] = z.q;
  for (std::size_t k = 1; k <= intervals; ++k) {
    EXPECT_TRUE(method.step(z, orbit.h).ok());
    x[k] = z.q;
  }
  return x;
}

/// Largest distance of the inner positions of a path from the stationary path with the same ends. The action is a
/// function to be made stationary, by a solver that knows nothing of (3): Newton's method on all inner x and all a,
/// derivatives by nested duals, from a perturbed path.
double distance_from_stationary(const Orbit& orbit, const Path& x) {
  constexpr int last = intervals, inner = n * (last - 1), unknowns = inner + n * (last + 1);
  using DD = Dual<Dual<F>>;
  const System<DD> of_duals = make_system<DD>();
  const DD h(Dual<F>(orbit.h)), beta(Dual<F>(orbit.beta));
  const auto entry = [&](int i) { return x[static_cast<std::size_t>(i / n + 1)](i % n); };
  Vector<F, Dynamic> u(unknowns);
  for (int i = 0; i < unknowns; ++i) u(i) = i < inner ? F(entry(i) + ratio<F>(1 + i % 3, 50)) : F(0);
  const auto action = [&](const Vector<DD, Dynamic>& w) {
    const auto position = [&](int k) {
      V3<DD> p;
      for (int i = 0; i < n; ++i)
        p(i) = k == 0 || k == last ? DD(Dual<F>(x[static_cast<std::size_t>(k)](i))) : w(n * (k - 1) + i);
      return p;
    };
    const auto acceleration = [&](int k) { return V3<DD>(w.segment<n>(inner + n * k)); };
    DD sum(0);
    for (int k = 0; k < last; ++k)
      sum += discrete_lagrangian(Lagrangian::quadratic, of_duals, h, beta, position(k), position(k + 1),
                                 acceleration(k), acceleration(k + 1));
    return sum;
  };
  for (int iteration = 0; iteration < 9; ++iteration) {
    Vector<F, Dynamic> slope(unknowns);
    Matrix<F, Dynamic> second(unknowns, unknowns);
    for (int i = 0; i < unknowns; ++i)
      for (int j = 0; j <= i; ++j) {
        Vector<DD, Dynamic> w(unknowns);
        for (int k = 0; k < unknowns; ++k) w(k) = DD(Dual<F>(u(k)));
        w(i).derivative.value = F(1);
        w(j).value.derivative = F(1);
        const DD value = action(w);
        second(i, j) = second(j, i) = value.derivative.derivative;
        if (i == j) slope(i) = value.derivative.value;
      }
    GaussianElimination<F, Dynamic> solver;
    EXPECT_FALSE(solver.factor(second).singular);
    solver.solve_in_place(slope);
    u -= slope;
  }
  F worst = 0;
  for (int i = 0; i < inner; ++i) worst = larger(worst, F(abs(u(i) - entry(i))));
  return to_double(worst);
}

TEST(VariationalPrinciple, a_stationary_path_is_an_orbit) {
  const Orbit orbit;
  const auto distance_of = [&](const auto& method) { return distance_from_stationary(orbit, path_of(orbit, method)); };
  expect_verdict({.id = "TO14.thm1.1.2",
                  .measured = distance_of(ZhangSkeel<System<F>>(orbit.system, {orbit.beta})),
                  .unit = "length",
                  .interval = {0, 1e-45},
                  .controls = {{.name = "an orbit of Z&Ss",
                                .measured = distance_of(SimplifiedZhangSkeel<System<F>>(orbit.system, {orbit.beta})),
                                .interval = {0, 1e-45}}},
                  .note = "One orbit; for all quartic V by the certificate of TO14.eq2.euler-lagrange-gives-eq3."});
}

/// Coefficients of s^0..s^4 of the ends of (15), of (2) and of their difference, with a replaced by s a, at the same
/// random x, a and c.
template <class K>
struct EndsInScale {
  using Series = PowerSeries<K, 4>;
  Vector<K, Dynamic> x, a;
  K c;
  Series whole, quadratic, difference;
  EndsInScale(Draw<K>& draw, int size, const PolynomialSystem<K>& system)
      : x(draw.variables("x", size)), a(draw.variables("a", size)), c(draw.positive("c")) {
    const auto of_series = in_numbers<Series>(system);
    const Vector<Series, Dynamic> at = x.template cast<Series>();
    Vector<Series, Dynamic> scaled = a.template cast<Series>();
    for (Eigen::Index i = 0; i < size; ++i) scaled(i) *= Series::variable();
    whole = whole_end(of_series, at, scaled, Series(c));
    quadratic = quadratic_end(of_series, at, scaled, Series(c));
    difference = whole - quadratic;
  }
};

/// (15) - (2) in the powers s^0 to s^2; `halved` false: with c^2 a'V''a in place of its half in (2).
constexpr auto below_third = [](bool halved) {
  return [halved]<class K>(Draw<K>& draw, int size, const PolynomialSystem<K>& system) {
    const EndsInScale<K> ends(draw, size, system);
    K second = ends.difference[2];
    if (!halved) second -= ends.c * ends.c * dot(ends.a, hessian_times(system, ends.x, ends.a)) / K(2);
    return std::vector<K>{ends.difference[0], ends.difference[1], second};
  };
};
/// (15) - (2) in the powers s^0 to s^3, the last less c^3 V'''(a, a, a)/divisor.
constexpr auto up_to_third = [](int divisor) {
  return [divisor]<class K>(Draw<K>& draw, int size, const PolynomialSystem<K>& system) {
    const EndsInScale<K> ends(draw, size, system);
    const K cubic = ends.c * ends.c * ends.c * dot(ends.a, third_times(system, ends.x, ends.a)) / K(divisor);
    return std::vector<K>{ends.difference[0], ends.difference[1], ends.difference[2], ends.difference[3] - cubic};
  };
};
constexpr auto whole_difference = []<class K>(Draw<K>& draw, int size, const PolynomialSystem<K>& system) {
  const EndsInScale<K> ends(draw, size, system);
  return std::vector<K>(ends.difference.coefficient.begin(), ends.difference.coefficient.end());
};
/// The powers s^3 and s^4 of an end, or s^3 alone.
constexpr auto beyond_second = [](Lagrangian kind, bool third_alone = false) {
  return [kind, third_alone]<class K>(Draw<K>& draw, int size, const PolynomialSystem<K>& system) {
    const EndsInScale<K> ends(draw, size, system);
    const auto& end = kind == Lagrangian::whole ? ends.whole : ends.quadratic;
    return third_alone ? std::vector<K>{end[3]} : std::vector<K>{end[3], end[4]};
  };
};

TEST(VariationalPrinciple, taylor_polynomial_in_a) {
  expect_verdict(
      exact_claim("TO14.abstract.zs-linearises-newmark", certify_values(below_third(true)),
                  "(2) with the Hessian term not halved", certify_values(below_third(false)),
                  "That (2) then gives (3) is TO14.eq2.euler-lagrange-gives-eq3; that (15) gives push-forward "
                  "Newmark is TO14.eq15.euler-lagrange-gives-eq14."));
  expect_verdict(
      exact_claim("TO14.eq2.taylor-of-eq15",
                  theorem::all_of({certify_values(up_to_third(6)), certify_values(whole_difference, quadratics())}),
                  "with 1/12 in place of 1/6", certify_values(up_to_third(12)),
                  "So the difference of the Lagrangians is h (beta h^2 a)^3 V'''/12 for each end, of size h^7."));
  expect_verdict(exact_claim("TO14.s2.1.quadratic-in-a", certify_values(beyond_second(Lagrangian::quadratic)), "(15)",
                             certify_values(beyond_second(Lagrangian::whole)), ""));
  const Combined cubic = certify_values(beyond_second(Lagrangian::whole, true)),
                 of_quadratic_potential = certify_values(beyond_second(Lagrangian::whole, true), quadratics());
  const Interval some{1, 2};
  expect_verdict(
      {.id = "TO14.eq15.still-implicit",
       .measured = static_cast<double>(cubic.nonzero),
       .unit = theorem::exact_unit,
       .interval = some,
       .controls = {{.name = "quadratic V",
                     .measured = static_cast<double>(of_quadratic_potential.nonzero),
                     .interval = some}},
       .evidence = Evidence::proved,
       .note = "It is (beta h^2)^3 V'''(a, a, a)/6, by TO14.eq2.taylor-of-eq15: not zero for some a wherever V''' is "
               "not. " +
               cubic.disproof});
}

/// dL/da0 of (2) at any a, plus beta h^3/2 times the left side of (16); `half` of its Hessian term is wrong.
constexpr auto stationarity_in_a = [](bool half) {
  return [half]<class K>(Draw<K>& draw, int size, const PolynomialSystem<K>& system) {
    const K h = draw.positive("h"), beta = draw.positive("beta"), c = beta * h * h;
    const Vector<K, Dynamic> x0 = draw.variables("x", size), x1 = draw.variables("y", size),
                             a = draw.variables("a", size);
    const Vector<K, Dynamic> left =
        system.momentum(a) + gradient(system, x0) + (half ? K(c / K(2)) : c) * hessian_times(system, x0, a);
    const Vector<K, Dynamic> of_a = derivative<PolynomialSystem<Dual<K>>, Vector<K, Dynamic>>(
        Lagrangian::quadratic, 2, in_numbers<Dual<K>>(system), h, beta, {x0, x1, a, a});
    std::vector<K> values;
    append<K>(values, of_a + (beta * h * h * h / K(2)) * left);
    return values;
  };
};

/// -D1 and D2 of (2), at the a of (16), less the printed right sides of (17), and the Z&S step from (x0, M^-1 p0) less
/// (x1, M^-1 p1). `divisor` 2 as printed.
constexpr auto legendre_transforms = [](int divisor) {
  return [divisor]<class K>(Draw<K>& draw, int size, const PolynomialSystem<K>& system) {
    using V = Vector<K, Dynamic>;
    const auto of_duals = in_numbers<Dual<K>>(system);
    const K h = draw.positive("h"), beta = draw.positive("beta"), c = beta * h * h;
    const V x0 = draw.variables("x", size), x1 = draw.variables("y", size);
    const V a0 = acceleration_16(system, x0, c), a1 = acceleration_16(system, x1, c);
    const std::array<V, 4> at{x0, x1, a0, a1};
    const V p0 = -derivative(Lagrangian::quadratic, 0, of_duals, h, beta, at),
            p1 = derivative(Lagrangian::quadratic, 1, of_duals, h, beta, at);
    const V mean = system.momentum(V((x1 - x0) / h));
    const auto printed = [&](const V& x, const V& a, int sign) {
      return V(mean + (K(sign) * h / K(2)) * (-system.momentum(a) + (c * c / K(divisor)) * third_times(system, x, a)));
    };
    std::vector<K> values;
    append<K>(values, p0 - printed(x0, a0, 1));
    append<K>(values, p1 - printed(x1, a1, -1));
    ZhangSkeel method(system, {beta});
    auto z = method.start(x0, system.velocity(p0));
    if (!method.step(z, h).ok()) throw StepFailed("the step fails");
    append<K>(values, z.q - x1);
    append<K>(values, z.v - system.velocity(p1));
    return values;
  };
};

/// The momenta printed for (14): -D1 of (15) where M a = -V'(x + c a), at any x + c a = y: x = y - c a(y).
constexpr auto momenta_of_14 = []<class K>(Draw<K>& draw, int size, const PolynomialSystem<K>& system) {
  using V = Vector<K, Dynamic>;
  const K h = draw.positive("h"), beta = draw.positive("beta"), c = beta * h * h;
  const V y = draw.variables("y", size), x1 = draw.variables("x", size);
  V a = y;
  system.acceleration(y, a);
  const V x0 = y - c * a;
  const V p = -derivative<PolynomialSystem<Dual<K>>, V>(Lagrangian::whole, 0, in_numbers<Dual<K>>(system), h, beta,
                                                        {x0, x1, a, a});
  std::vector<K> values;
  append<K>(values, p - (system.momentum(V((x1 - x0) / h)) - (h / K(2)) * system.momentum(a)));
  return values;
};

/// Line 3 of (14) in the powers s^0 and s^1, a scaled by s, less (16); without its Hessian term it is wrong.
constexpr auto line_3 = [](bool with_hessian) {
  return [with_hessian]<class K>(Draw<K>& draw, int size, const PolynomialSystem<K>& system) {
    using Series = PowerSeries<K, 1>;
    const K c = draw.positive("c");
    const Vector<K, Dynamic> x = draw.variables("x", size), a = draw.variables("a", size);
    const auto of_series = in_numbers<Series>(system);
    Vector<Series, Dynamic> scaled = a.template cast<Series>(), y = x.template cast<Series>();
    for (Eigen::Index i = 0; i < size; ++i) {
      scaled(i) *= Series::variable();
      y(i) += Series(c) * scaled(i);
    }
    const Vector<Series, Dynamic> whole = of_series.momentum(scaled) + gradient(of_series, y);
    const Vector<K, Dynamic> constant = gradient(system, x), m_a = system.momentum(a),
                             h_a = hessian_times(system, x, a);
    std::vector<K> values;
    for (Eigen::Index i = 0; i < size; ++i) {
      values.push_back(whole(i)[0] - constant(i));
      values.push_back(whole(i)[1] - m_a(i) - (with_hessian ? K(c * h_a(i)) : K(0)));
    }
    return values;
  };
};

TEST(VariationalPrinciple, stationarity_and_legendre_transforms) {
  const Combined momenta = certify_values(momenta_of_14);
  EXPECT_EQ(momenta.nonzero, 0) << momenta.disproof;
  expect_verdict(exact_claim("TO14.eq16.stationarity-in-a", certify_values(stationarity_in_a(false)),
                             "with half the Hessian term", certify_values(stationarity_in_a(true)), ""));
  expect_verdict(exact_claim("TO14.eq17.legendre-transform", certify_values(legendre_transforms(2)),
                             "with the third-derivative term not halved", certify_values(legendre_transforms(1)),
                             "The printed right sides hold where a solves (16), which has been used to write them."));
  expect_verdict(exact_claim("TO14.s2.2.line3-taylor", certify_values(line_3(true)), "without the Hessian term",
                             certify_values(line_3(false)), ""));
}

/// p of (17) minus p of (14)'s form with the same ends, h/2 M (a - f), in the powers h^0 to h^5, the last less beta^2/
/// divisor a.V'''.a at a = -M^-1 V'.
constexpr auto momenta_of_simplified = [](int divisor) {
  return [divisor]<class K>(Draw<K>& draw, int size, const PolynomialSystem<K>& system) {
    using T = PowerSeries<K, 5>;
    using OfSeries = PolynomialSystem<T>;
    const K beta = draw.positive("beta");
    const Vector<K, Dynamic> x = draw.variables("x", size);
    const OfSeries of_series = in_numbers<T>(system);
    const Vector<T, Dynamic> x_series = x.template cast<T>();
    WorkCounters work;
    Vector<T, Dynamic> f = x_series, a = x_series;
    ZhangSkeelForce<OfSeries> whole(of_series, {T(beta)});
    SimplifiedZhangSkeelForce<OfSeries, HessianPart::all> simplified(of_series, {T(beta)});
    if (!whole(of_series, x_series, T::variable(), f, work).ok() ||
        !simplified(of_series, x_series, T::variable(), a, work).ok())
      throw StepFailed("singular");
    const Vector<T, Dynamic> difference = (T::variable() / T(2)) * of_series.momentum(Vector<T, Dynamic>(a - f));
    Vector<K, Dynamic> a0 = x;
    system.acceleration(x, a0);
    const Vector<K, Dynamic> third = third_times(system, x, a0);
    std::vector<K> values;
    for (Eigen::Index i = 0; i < size; ++i) {
      for (int j = 0; j <= 4; ++j) values.push_back(difference(i)[j]);
      values.push_back(difference(i)[5] - beta * beta / K(divisor) * third(i));
    }
    return values;
  };
};

TEST(VariationalPrinciple, momenta_of_simplified_method_differ_by_h5) {
  expect_verdict(exact_claim("TO14.s2.2.difference-oh5", certify_values(momenta_of_simplified(4)), "with beta^2/2",
                             certify_values(momenta_of_simplified(2)),
                             "The a in the coefficient is -M^-1 grad V at leading order."));
}

// (14) and (15), Newmark and its Lagrangian: the equations are nonlinear, so in 50 digits instead of exactly.

/// Largest entry of D2 L(x0, x1) + D1 L(x1, x2) and of dL/da1 of (15), a from line 3 of (14), on an orbit of a method.
template <class Method>
double defect_15(const Orbit& orbit, Method method) {
  const auto& [h, beta, c, system, start, v] = orbit;
  auto z = method.start(start, v);
  std::array<V3<F>, 3> x, a;
  for (std::size_t k = 0; k < 3; ++k) {
    x[k] = z.q;
    V3<F> y = x[k];
    WorkCounters work;
    EXPECT_TRUE(ImplicitPosition<System<F>>(system, {}).solve(system, x[k], c, y, work).ok());
    a[k] = (y - x[k]) / c;
    EXPECT_TRUE(method.step(z, h).ok());
  }
  const std::array<V3<F>, 4> before{x[0], x[1], a[0], a[1]}, after{x[1], x[2], a[1], a[2]};
  const System<Dual<F>> of_duals = make_system<Dual<F>>();
  return to_double(larger(max_magnitude(V3<F>(derivative(Lagrangian::whole, 1, of_duals, h, beta, before) +
                                              derivative(Lagrangian::whole, 0, of_duals, h, beta, after))),
                          max_magnitude(derivative(Lagrangian::whole, 3, of_duals, h, beta, before))));
}

/// S(q0, q1): the Lagrangian of Kane, Marsden, Ortiz and West 2000 for Newmark, x = q + c M^-1 V'(q) implicit in q:
/// |x1 - x0|^2/(2h) - h/2 sum (V(q) + c/2 V'M^-1V').
template <class S>
S newmark_lagrangian(const System<S>& s, const S& h, const S& c, const V3<S>& q0, const V3<S>& q1) {
  V3<S> x[2];
  S potential(0);
  for (const int k : {0, 1}) {
    const V3<S>& q = k == 0 ? q0 : q1;
    V3<S> a;
    s.acceleration(q, a);
    x[k] = q - c * a;
    potential += s.potential().value(q) + c / S(2) * dot(a, s.momentum(a));
  }
  const V3<S> d = x[1] - x[0];
  return dot(d, s.momentum(d)) / (S(2) * h) - h / S(2) * potential;
}

/// Largest entry of D2 S(q0, q1) + D1 S(q1, q2) on an orbit of Newmark with this gamma.
double defect_newmark(const Orbit& orbit, const F& gamma) {
  using D = Dual<F>;
  Newmark method(orbit.system, {.beta = orbit.beta, .gamma = gamma});
  auto z = method.start(orbit.x, orbit.v);
  std::array<V3<F>, 3> q;
  for (V3<F>& position : q) {
    position = z.q;
    EXPECT_TRUE(method.step(z, orbit.h).ok());
  }
  const System<D> of_duals = make_system<D>();
  const D h(orbit.h), c(orbit.c);
  F worst = 0;
  for (int i = 0; i < n; ++i) {
    std::array<V3<D>, 3> w;
    for (std::size_t k = 0; k < 3; ++k)
      for (int j = 0; j < n; ++j) w[k](j) = D(q[k](j));
    w[1](i).derivative = F(1);
    const D action = newmark_lagrangian(of_duals, h, c, w[0], w[1]) + newmark_lagrangian(of_duals, h, c, w[1], w[2]);
    worst = larger(worst, F(abs(action.derivative)));
  }
  return to_double(worst);
}

/// (15) at `scale` times the stationary accelerations less the Lagrangian of Newmark, with the same ends x0 and x1.
double difference_of_lagrangians(const Orbit& orbit, const F& scale) {
  const auto& [h, beta, c, system, q0, v] = orbit;
  const V3<F> q1 = q0 + V3<F>(ratio<F>(1, 10), ratio<F>(1, 12), ratio<F>(-1, 15));
  V3<F> a0, a1;
  system.acceleration(q0, a0);
  system.acceleration(q1, a1);
  return to_double(F(abs(discrete_lagrangian<System<F>>(Lagrangian::whole, system, h, beta, q0 - c * a0, q1 - c * a1,
                                                        scale * a0, scale * a1) -
                         newmark_lagrangian(system, h, c, q0, q1))));
}

TEST(VariationalPrinciple, pushforward_newmark_and_newmark) {
  const Orbit orbit;
  const Interval floor{0, 1e-45};
  expect_verdict({.id = "TO14.eq15.euler-lagrange-gives-eq14",
                  .measured = defect_15(orbit, PushforwardNewmark<System<F>>(orbit.system, {.beta = orbit.beta})),
                  .interval = floor,
                  .controls = {{.name = "two steps of Z&S",
                                .measured = defect_15(orbit, ZhangSkeel<System<F>>(orbit.system, {orbit.beta})),
                                .interval = floor}}});
  expect_verdict(
      {.id = "TO14.int2.variational",
       .measured = defect_newmark(orbit, ratio<F>(1, 2)),
       .interval = floor,
       .controls = {{.name = "gamma = 0.6", .measured = defect_newmark(orbit, ratio<F>(3, 5)), .interval = floor}}});
  expect_verdict(
      {.id = "TO14.eq15.explicit-distinct",
       .measured = difference_of_lagrangians(orbit, ratio<F>(9, 10)),
       .interval = {1e-12, 1},
       .controls = {{.name = "at the stationary accelerations",
                     .measured = difference_of_lagrangians(orbit, F(1)),
                     .interval = {1e-12, 1}}},
       .note =
           "Explicit: (15) is evaluated without solving anything, at the price of the extra variables a. Distinct only "
           "as a function of them: with a eliminated by its own stationarity it is the known Lagrangian, to "
           "rounding."});
}

/// One Newton iteration for line 3 of (14), from a = 0 or from a = -M^-1 V'(x), less the a of (16).
constexpr auto first_iterate = [](bool from_zero) {
  return [from_zero]<class K>(Draw<K>& draw, int size, const PolynomialSystem<K>& system) {
    const K c = draw.positive("c");
    const Vector<K, Dynamic> x = draw.variables("x", size), a = acceleration_16(system, x, c);
    Vector<K, Dynamic> y = x;
    if (!from_zero) {
      system.acceleration(x, y);
      y = (x + c * y).eval();
    }
    WorkCounters work;
    if (!ImplicitPosition<PolynomialSystem<K>>(system, {.fixed_iterations = 1}).solve(system, x, c, y, work).ok())
      throw StepFailed("singular");
    std::vector<K> values;
    append<K>(values, (y - x) / c - a);
    return values;
  };
};

/// The derivative of the right side of (12) for the new position y, q + h v + h^2 ((1/2 - beta) a(q) + beta a(y)), in y
/// by dual numbers, plus `factor` beta h^2 M^-1 Hess V(y): zero if that is all that is implicit in it.
constexpr auto dependence_on_the_new_position = [](int factor) {
  return [factor]<class K>(Draw<K>& draw, int size, const PolynomialSystem<K>& system) {
    using D = Dual<K>;
    const auto of_duals = in_numbers<D>(system);
    const K h = draw.positive("h"), beta = draw.positive("beta");
    const Vector<K, Dynamic> y = draw.variables("y", size), q = draw.variables("q", size),
                             v = draw.variables("v", size);
    Vector<K, Dynamic> at_start = q;
    system.acceleration(q, at_start);
    std::vector<K> values;
    for (Eigen::Index j = 0; j < size; ++j) {
      Vector<D, Dynamic> z = y.template cast<D>(), a = z;
      z(j).derivative = K(1);
      of_duals.acceleration(z, a);
      Vector<K, Dynamic> unit = Vector<K, Dynamic>::Constant(size, K(0));
      unit(j) = K(1);
      const Vector<K, Dynamic> expected = system.velocity(hessian_times(system, y, unit));
      for (Eigen::Index i = 0; i < size; ++i) {
        const D right =
            D(q(i)) + D(h) * D(v(i)) + D(h * h) * ((D(1) / D(2) - D(beta)) * D(at_start(i)) + D(beta) * a(i));
        values.push_back(right.derivative + K(factor) * beta * h * h * expected(i));
      }
    }
    return values;
  };
};
/// A step of Newmark's method with one iteration less one of velocity Verlet.
constexpr auto newmark_less_verlet = [](bool beta_is_zero) {
  return [beta_is_zero]<class K>(Draw<K>& draw, int size, const PolynomialSystem<K>& system) {
    const K h = draw.positive("h"), beta = beta_is_zero ? K(0) : draw.positive("beta");
    const Vector<K, Dynamic> x = draw.variables("x", size), v = draw.variables("v", size);
    Newmark newmark(system, {.beta = beta, .newton = {.fixed_iterations = 1}});
    VelocityVerlet verlet(system);
    auto z = newmark.start(x, v);
    auto w = verlet.start(x, v);
    if (!newmark.step(z, h).ok() || !verlet.step(w, h).ok()) throw StepFailed("a step fails");
    std::vector<K> values;
    append<K>(values, z.q - w.q);
    append<K>(values, z.v - w.v);
    return values;
  };
};

TEST(VariationalPrinciple, newmark_as_printed) {
  // Z&Ss line 3 is the first Newton iterate for line 3 of (14) from a = 0.
  expect_verdict(exact_claim("TO14.int4.first-newton-step", certify_values(first_iterate(true)),
                             "one iteration from a = -M^-1 grad V(x)", certify_values(first_iterate(false)),
                             "From a = 0 only: from another guess the first iterate is another."));
  Claim implicit = exact_claim(
      "TO14.int2.implicit",
      theorem::all_of({certify_values(dependence_on_the_new_position(1)), certify_values(newmark_less_verlet(true))}),
      "explicit for every beta: the derivative of the right side alone",
      certify_values(dependence_on_the_new_position(0)),
      "The new position enters its own equation through the force. Where Hess V = 0 it does not, whatever beta.");
  implicit.controls.push_back(
      exact_control("a step with any beta less that of velocity Verlet", certify_values(newmark_less_verlet(false))));
  expect_verdict(implicit);
}

TEST(VariationalPrinciple, the_linear_system_is_symmetric) {
  std::mt19937_64 random(8);
  std::uniform_int_distribution<int> twelfths(-12, 12);
  const auto number = [&] { return twelfths(random) / 12.0; };
  double worst = 0, worst_wrong = 0;
  int asymmetric = 0, indefinite = 0;
  for (int k = 0; k < 200; ++k) {
    const System<double> system = make_system<double>();
    const double x0 = number(), x1 = number(), x2 = number();
    const V3<double> x(x0, x1, x2);
    const double c = (twelfths(random) + 13) / 30.0 * 0.04;
    DenseHessian<double, n> hessian;
    system.potential().hessian(x, hessian);
    const Matrix<double, n> b = system.mass().matrix() + c * hessian.matrix;
    asymmetric += b == b.transpose() ? 0 : 1;
    ShiftedSolver<DenseHessian<double, n>> solver;
    indefinite += solver.factor(system.mass(), c, hessian).indefinite ? 1 : 0;
    V3<double> a = -gradient(system, x);
    solver.solve_in_place(a);
    const auto backward_error = [&](const V3<double>& solution) {
      const V3<double> residual = b * solution + gradient(system, x);
      return max_magnitude(residual) / (max_magnitude(b) * max_magnitude(solution) * n + 1e-300);
    };
    worst = std::max(worst, backward_error(a) / std::numeric_limits<double>::epsilon());
    V3<double> explicit_a;
    system.acceleration(x, explicit_a);
    worst_wrong = std::max(worst_wrong, backward_error(explicit_a) / std::numeric_limits<double>::epsilon());
  }
  EXPECT_EQ(asymmetric, 0);
  theorem::report().count("linear_system.indefinite_of_200", indefinite);
  expect_verdict({.id = "TO14.int1.symmetric-linear-solve",
                  .measured = worst,
                  .unit = "epsilon",
                  .interval = {0, 30},
                  .controls = {{.name = "a = -M^-1 grad V, no solve", .measured = worst_wrong, .interval = {0, 30}}},
                  .note =
                      "The rest of the step is explicit; a matrix that is not positive definite is solved, too, and "
                      "counted."});
}

}  // namespace

// SPDX-License-Identifier: MIT
// Theorem: Z&S is symplectic for every potential and mass (TO14 Theorem 2.5), and what is not when an implicit method
// is linearised in other ways: exact certificates on whole families of potentials, residuals in 50 and 100 digits.
#include "study/evidence/certified.hpp"

#include <livi/integrators/implicit_midpoint.hpp>
#include <livi/integrators/pushforward_newmark.hpp>
#include <livi/integrators/runge_kutta.hpp>
#include <livi/integrators/symplectic_euler.hpp>
#include <livi/integrators/velocity_verlet.hpp>

namespace livi::theorem {

Program this_program() {
  return {"to14_theorem_2_5",
          {"TO14", "Theorem 2.5", "1, 2.1, 2.3"},
          "Z&S is symplectic; other linearisations of implicit methods are not; Newmark is after its map"};
}

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

constexpr auto runge_kutta = []<class System, class T>(const System& system, const T&) {
  return RungeKutta4<System>(system);
};
constexpr auto verlet = []<class System, class T>(const System& system, const T&) {
  return VelocityVerlet<System>(system);
};
constexpr auto symplectic_euler = []<class System, class T>(const System& system, const T&) {
  return SymplecticEuler<System>(system);
};
constexpr auto midpoint_one_iteration = []<class System, class T>(const System& system, const T&) {
  return ImplicitMidpoint<System>(system, {.fixed_iterations = 1});
};
constexpr auto pushforward_one_iteration = []<class System, class T>(const System& system, const T& beta) {
  return PushforwardNewmark<System>(system, {.beta = beta, .newton = {.fixed_iterations = 1}});
};

// --- Z&S ------------------------------------------------------------------------------------------------------------

TEST(Theorem25, zhang_skeel_is_symplectic) {
  const Combined found = certify_on<StepIsSymplectic>(families(), zhang_skeel);
  report().count("thm2.5.families", static_cast<long>(families().size()));
  Claim claim{
      .id = "TO14.thm2.5",
      .measured = static_cast<double>(found.nonzero),
      .unit = exact_unit,
      .interval = {0, 0},
      .controls = {exact_control("V''' term dropped (Z&Ss)", certify_on<StepIsSymplectic>(families(), Mutant{0})),
                   exact_control("V''' term with its sign flipped",
                                 certify_on<StepIsSymplectic>(families(), Mutant{-1})),
                   exact_control("V''' term without its factor 1/2",
                                 certify_on<StepIsSymplectic>(families(), Mutant{2})),
                   exact_control("Runge-Kutta 4", certify_on<StepIsSymplectic>(few_families(), runge_kutta))},
      .evidence = Evidence::proved,
      .probability_bound = found.probability(),
      .note =
          "Proved on seven families: all potentials of degree 4 in 2 and 3 variables and of degree 3 in 4 variables, "
          "with M = I, all diagonal and all full masses, for all beta and h. Since the step is symplectic exactly "
          "when M Df is symmetric at its two ends, and that depends on derivatives of V up to the fourth at the "
          "point, degree 4 covers every C^4 potential in 2 and 3 dimensions. In any dimension: M f = -grad U with "
          "U = V - (beta h^2/2) grad V . (M + beta h^2 Hess V)^-1 grad V. (1) asks V in C^2 only; (3) needs V'''."};
  // The mutants fail on every family, not on some.
  for (const int factor : {0, -1, 2})
    EXPECT_EQ(certify_on<StepIsSymplectic>(families(), Mutant{factor}).disproved, static_cast<int>(families().size()));
  EXPECT_EQ(certify_on<StepIsSymplectic>(families(), Mutant{1}).nonzero, 0);
  expect_verdict(claim);
}

// A second engine, with nothing in common but the step: exact rationals at one point.
TEST(Theorem25, exact_rationals_agree) {
  for (const Family& family : few_families()) {
    EXPECT_EQ(evaluate<Rational>(StepIsSymplectic<decltype(zhang_skeel)>{family, zhang_skeel}).nonzero, 0);
    const auto wrong = evaluate<Rational>(StepIsSymplectic<Mutant>{{2, 2, Mass::identity}, Mutant{0}});
    EXPECT_EQ(wrong.nonzero, 0);  // quadratic V: V''' = 0
  }
}

TEST(Theorem25, residuals_in_50_and_100_digits) {
  const std::vector<Family> on(families().begin(), families().begin() + 5);
  const double in_50 = largest_residual<Float50, StepIsSymplectic>(on, zhang_skeel),
               in_100 = largest_residual<Float100, StepIsSymplectic>(on, zhang_skeel);
  report().measurement({.name = "residual_in_100_digits", .value = in_100, .tolerance = {.absolute = 1e-90}});
  EXPECT_LE(in_100, 1e-90);
  expect_verdict(
      {.id = "TO14.thm1.1.2.symplectic",
       .measured = in_50,
       .interval = {0, 1e-45},
       .controls = {{.name = "Runge-Kutta 4",
                     .measured = largest_residual<Float50, StepIsSymplectic>(on, runge_kutta),
                     .interval = {0, 1e-45}},
                    {.name = "Z&Ss",
                     .measured = largest_residual<Float50, StepIsSymplectic>(on, simplified),
                     .interval = {0, 1e-45}}},
       .note = "In 100 digits the residual is below 1e-90; exactly zero by the certificates of TO14.thm2.5."});
}

// --- implicit methods, explicit in other parameters -----------------------------------------------------------------

/// Newmark and its push-forward, parametrised by the positions q_0 and q_1 at both ends: with a_i = -M^-1 grad V(q_i),
///   v_0 = (q_1 - q_0)/h - h/2 ((1 - 2 beta) a_0 + 2 beta a_1),   v_1 = v_0 + h/2 (a_0 + a_1),   x_i = q_i - s beta h^2
///   a_i
/// with s = 1; s = -1 is (13) with its sign wrong, s = 0 Newmark in its own coordinates.
template <class T>
struct NewmarkEnds {
  Vector<T, Dynamic> q[2], v[2], a[2], x[2];
};
template <class T>
NewmarkEnds<T> newmark_ends(const PolynomialSystem<T>& system, const Vector<T, Dynamic>& z, const T& h, const T& beta,
                            int s) {
  const Eigen::Index n = z.size() / 2;
  NewmarkEnds<T> ends;
  for (int i = 0; i < 2; ++i) {
    ends.q[i] = z.segment(i * n, n);
    ends.a[i] = ends.q[i];
    system.acceleration(ends.q[i], ends.a[i]);
    ends.x[i] = ends.q[i] - (T(s) * beta * h * h) * ends.a[i];
  }
  const Vector<T, Dynamic> weighted = (T(1) - T(2) * beta) * ends.a[0] + (T(2) * beta) * ends.a[1];
  const Vector<T, Dynamic> drift = ends.q[1] - ends.q[0], sum = ends.a[0] + ends.a[1];
  ends.v[0] = (T(1) / h) * drift - (h / T(2)) * weighted;
  ends.v[1] = ends.v[0] + (h / T(2)) * sum;
  return ends;
}

/// The forms at both ends, pulled back to the parameters, are equal. beta = 0 if so asked.
struct NewmarkPreservesForm {
  Family family;
  int s;
  bool with_beta = true;
  template <class K>
  std::vector<K> operator()(Draw<K>& draw) const {
    using T = Dual<K>;
    const auto system = draw_system<T>(draw, family);
    const T h(draw.positive("h")), beta = with_beta ? T(draw.positive("beta")) : T(0);
    const auto end = [&](int i) {
      return [&, i](const Vector<T, Dynamic>& z) {
        const auto ends = newmark_ends(system, z, h, beta, s);
        return PhasePoint<T>{ends.x[i], system.momentum(ends.v[i])};
      };
    };
    return symplecticity<K>(draw.variables("q", 2 * family.n), end(0), end(1));
  }
};

/// The three lines of (14) hold for eta of (13) applied to both ends of a step of Newmark.
struct MapConjugates {
  Family family;
  int s;
  template <class K>
  std::vector<K> operator()(Draw<K>& draw) const {
    const auto system = draw_system<K>(draw, family);
    const K h = draw.positive("h"), beta = draw.positive("beta");
    const auto ends = newmark_ends<K>(system, draw.variables("q", 2 * family.n), h, beta, s);
    std::vector<K> values;
    const auto all = [&](const Vector<K, Dynamic>& residual) {
      for (Eigen::Index i = 0; i < residual.size(); ++i) values.push_back(residual(i));
    };
    all(ends.x[1] - ends.x[0] - h * ends.v[0] - (h * h / K(2)) * ends.a[0]);
    all(ends.v[1] - ends.v[0] - (h / K(2)) * (ends.a[0] + ends.a[1]));
    for (int i = 0; i < 2; ++i) {
      Vector<K, Dynamic> a = ends.a[i];
      system.acceleration(ends.x[i] + (beta * h * h) * ends.a[i], a);
      all(a - ends.a[i]);
    }
    return values;
  }
};

/// The implicit midpoint rule, parametrised by its midpoint m and mean velocity u: q = m -+ h/2 u, p = M u +- h/2 grad
/// V(m).
struct MidpointPreservesForm {
  Family family;
  template <class K>
  std::vector<K> operator()(Draw<K>& draw) const {
    using T = Dual<K>;
    const auto system = draw_system<T>(draw, family);
    const T h(draw.positive("h"));
    const auto end = [&](int sign) {
      return [&, sign](const Vector<T, Dynamic>& z) {
        const Eigen::Index n = z.size() / 2;
        const Vector<T, Dynamic> m = z.head(n), u = z.tail(n);
        Vector<T, Dynamic> force = m;
        system.potential().gradient(m, force);
        const T half = T(sign) * h / T(2);
        return PhasePoint<T>{m + half * u, system.momentum(u) - half * force};
      };
    };
    return symplecticity<K>(draw.variables("z", 2 * family.n), end(-1), end(1));
  }
};

Combined newmark_preserves(int s, bool with_beta = true) {
  return certify_each(families(), [&](const Family& family) { return NewmarkPreservesForm{family, s, with_beta}; });
}

TEST(Newmark, does_not_preserve_the_canonical_form) {
  const Combined found = newmark_preserves(0), explicit_one = newmark_preserves(0, false);
  // On a quadratic V the modified form is dq ^ dp with constant coefficients mode by mode, and both are preserved.
  const Certificate quadratic = certify(NewmarkPreservesForm{{3, 2, Mass::full}, 0});
  EXPECT_TRUE(quadratic.proved()) << quadratic.describe();
  EXPECT_EQ(found.disproved, static_cast<int>(families().size()));
  expect_verdict(
      {.id = "TO14.int2.not-canonical",
       .measured = static_cast<double>(found.nonzero),
       .unit = exact_unit,
       .interval = {1, infinity},
       .controls = {{.name = "beta = 0 (velocity Verlet)",
                     .measured = static_cast<double>(explicit_one.nonzero),
                     .interval = {1, infinity}},
                    {.name = "the same step in the coordinates of (13)",
                     .measured = static_cast<double>(newmark_preserves(1).nonzero),
                     .interval = {1, infinity}}},
       .evidence = Evidence::proved,
       .note =
           "Disproved to be canonical on each of the seven families. The form it does preserve is dq ^ dp + beta h^2 "
           "(Hess V dq) ^ dv, so dq ^ dp changes by beta h^2 times the change of Hess V over a step: O(beta h^3). "
           "Limits: beta = 0, and quadratic V, on which Newmark is canonical (certificate for all quadratic V of 3 "
           "variables, full mass). First: " +
           found.disproof});
}

TEST(Newmark, is_conjugate_to_its_push_forward) {
  const auto conjugates = [](int s) {
    return certify_each(families(), [&](const Family& family) { return MapConjugates{family, s}; });
  };
  const Combined found = conjugates(1);
  expect_verdict({.id = "TO14.eq13.conjugates",
                  .measured = static_cast<double>(found.nonzero),
                  .unit = exact_unit,
                  .interval = {0, 0},
                  .controls = {exact_control("eta with its sign flipped", conjugates(-1)),
                               exact_control("eta = identity", conjugates(0))},
                  .evidence = Evidence::proved,
                  .probability_bound = found.probability(),
                  .note =
                      "Both are implicit; which solution of (14) is meant is decided by eta: the a_k with x_k + beta "
                      "h^2 a_k = q_k."});
}

TEST(Newmark, push_forward_is_symplectic) {
  const Combined found = newmark_preserves(1);
  expect_verdict({.id = "TO14.eq13.pushforward-symplectic",
                  .measured = static_cast<double>(found.nonzero),
                  .unit = exact_unit,
                  .interval = {0, 0},
                  .controls = {exact_control("one Newton iteration from a = 0",
                                             certify_on<StepIsSymplectic>(few_families(), pushforward_one_iteration)),
                               exact_control("(13) with its sign flipped", newmark_preserves(-1))},
                  .evidence = Evidence::proved,
                  .probability_bound = found.probability()});
}

// --- linearisations -------------------------------------------------------------------------------------------------

/// One step of push-forward Newmark with one Newton iteration from a = 0 and of Z&S, compared.
struct OneIterationIsZhangSkeel {
  Family family;
  template <class K>
  std::vector<K> operator()(Draw<K>& draw) const {
    const auto system = draw_system<K>(draw, family);
    const K h = draw.positive("h"), beta = draw.positive("beta");
    const PhasePoint<K> at{draw.variables("q", family.n), draw.variables("p", family.n)};
    PhasePoint<K> a = at, b = at;
    auto one_iteration = pushforward_one_iteration(system, beta);
    auto reference = zhang_skeel(system, beta);
    advance(one_iteration, system, a.q, a.p, h);
    advance(reference, system, b.q, b.p, h);
    return differences(a, b);
  }
};

// One Newton iteration from y = x gives y = x + beta h^2 a with the a of Z&S, and the force at y is
//   -grad V(x + c a) = M a - c^2/2 a.V'''.a - c^3/6 a.V''''.a.a - ...,  c = beta h^2:
// that of Z&S but for fourth derivatives, without any third derivative being computed. The midpoint rule's iterate is
// the same with c = h^2/4 between two half drifts.
TEST(Linearisations, one_newton_iteration_is_zhang_skeel_on_cubic_potentials) {
  const std::vector<Family> cubic{
      {2, 3, Mass::identity}, {2, 3, Mass::full}, {3, 3, Mass::full}, {4, 3, Mass::diagonal}};
  const Combined same = certify_each(cubic, [](const Family& f) { return OneIterationIsZhangSkeel{f}; });
  EXPECT_EQ(same.nonzero, 0) << same.disproof;
  EXPECT_EQ(certify_on<StepIsSymplectic>(cubic, pushforward_one_iteration).nonzero, 0);
  EXPECT_EQ(certify_on<StepIsSymplectic>(cubic, midpoint_one_iteration).nonzero, 0);
  // In one degree of freedom they are symplectic on every V.
  const std::vector<Family> one{{1, 4, Mass::identity}};
  EXPECT_EQ(certify_on<StepIsSymplectic>(one, pushforward_one_iteration).nonzero, 0);
  EXPECT_EQ(certify_on<StepIsSymplectic>(one, midpoint_one_iteration).nonzero, 0);
  EXPECT_EQ(certify_on<StepIsSymplectic>(one, simplified).nonzero, 0);
  const Combined different = certify_each(few_families(), [](const Family& f) { return OneIterationIsZhangSkeel{f}; });
  EXPECT_EQ(different.disproved, static_cast<int>(few_families().size()));
  report().count("one_iteration_differs_from_zhang_skeel_on_cubics", same.nonzero);
}

TEST(Linearisations, are_not_symplectic_but_zhang_skeel) {
  int linearised = 0, symplectic = 0;
  std::string text;
  const auto examine = [&](const std::string& name, const Combined& found) {
    ++linearised;
    symplectic += found.nonzero == 0;
    text += (text.empty() ? "" : "; ") + name + ": " + std::to_string(found.disproved) + " of " +
            std::to_string(few_families().size());
    EXPECT_EQ(found.disproved, static_cast<int>(few_families().size())) << name;
  };
  examine("midpoint", certify_on<StepIsSymplectic>(few_families(), midpoint_one_iteration));
  examine("push-forward Newmark", certify_on<StepIsSymplectic>(few_families(), pushforward_one_iteration));
  examine("Z&Ss", certify_on<StepIsSymplectic>(few_families(), simplified));
  const std::pair<NewmarkGuess, std::string> guesses[] = {{NewmarkGuess::last_position, "from q_k"},
                                                          {NewmarkGuess::ballistic, "from q_k + h v_k"},
                                                          {NewmarkGuess::zero_acceleration, "from a = 0"},
                                                          {NewmarkGuess::constant_acceleration, "from a = a_k"}};
  for (const auto& [guess, name] : guesses)
    for (const auto acceleration : {NewmarkAcceleration::recomputed, NewmarkAcceleration::carried}) {
      const NewmarkGuess from = guess;
      examine("Newmark " + name + (acceleration == NewmarkAcceleration::carried ? ", carried" : ", recomputed"),
              certify_each(few_families(), [&](const Family& family) {
                return OneStepNewmark{family, from, acceleration};
              }));
    }
  const Combined exception = certify_on<StepIsSymplectic>(few_families(), zhang_skeel);
  report().count("linearised_methods_examined", linearised);
  expect_verdict(
      {.id = "TO14.s1.linearised-implicit-not-symplectic",
       .measured = static_cast<double>(symplectic),
       .unit = "methods",
       .interval = {0, 0},
       .controls = {{.name = "Z&S itself", .measured = exception.nonzero == 0 ? 1.0 : 0.0, .interval = {0, 0}}},
       .evidence = Evidence::proved,
       .note =
           "The midpoint rule and push-forward Newmark with one Newton iteration start from q + h/2 v and from a = 0: "
           "their force -grad V(x + beta h^2 a) is that of Z&S up to fourth derivatives, exactly Z&S on cubics, "
           "without computing V'''. Each of the eleven is disproved on every family examined (" +
           text +
           "). Z&S is not the Newton iterate alone: that is Z&Ss; it is the variation of the linearised "
           "Lagrangian, which adds the V''' term."});
}

TEST(Variational, integrators_are_symplectic) {
  struct Entry {
    std::string name;
    Combined found;
  };
  const std::vector<Entry> variational{
      {"velocity Verlet", certify_on<StepIsSymplectic>(families(), verlet)},
      {"symplectic Euler", certify_on<StepIsSymplectic>(families(), symplectic_euler)},
      {"Z&S", certify_on<StepIsSymplectic>(families(), zhang_skeel)},
      {"push-forward Newmark", newmark_preserves(1)},
      {"implicit midpoint", certify_each(families(), [](const Family& f) { return MidpointPreservesForm{f}; })}};
  Combined found;
  for (const Entry& entry : variational) found.add(entry.found);
  expect_verdict(
      {.id = "TO14.fn1.variational-implies-symplectic",
       .measured = static_cast<double>(found.nonzero),
       .unit = exact_unit,
       .interval = {0, 0},
       .controls = {exact_control("Z&Ss, which comes from no Lagrangian",
                                  certify_on<StepIsSymplectic>(families(), simplified)),
                    exact_control("Newmark in (q, M q'), not its own Legendre transform", newmark_preserves(0)),
                    exact_control("Runge-Kutta 4", certify_on<StepIsSymplectic>(few_families(), runge_kutta))},
       .evidence = Evidence::proved,
       .probability_bound = found.probability(),
       .note = "Instances of the general argument: the graph of the step is the graph of dL_d, and ddL_d = 0. The form "
               "is the one of the method's own momenta p = -D_1 L_d: Newmark is variational (Kane, Marsden, Ortiz and "
               "West 2000), symplectic for that form, and not for dq ^ M dq'."});
}

}  // namespace
}  // namespace livi::theorem

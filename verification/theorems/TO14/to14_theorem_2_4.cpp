// SPDX-License-Identifier: MIT
// Theorem: TO14 Theorem 2.4: every scheme (21) whose force depends on the position alone is time reversible, gradient
// or not; the force may depend on the step size if it is even in it, as that of Z&S is.
//
// step(-h) undoes step(h): the last kick is undone by the first one of the way back, at the same position and with the
// same f(x, h) = f(x, -h); then the drift, then the other kick.
#include "study/evidence/certified.hpp"

#include <livi/integrators/symplectic_euler.hpp>

namespace livi::theorem {

Program this_program() {
  return {"to14_theorem_2_4",
          {"TO14", "Theorem 2.4", "1, 2.3"},
          "scheme (21) is time reversible for every force that depends on position and is even in h"};
}

namespace {

enum class Dependence { position, even_in_h, odd_in_h, velocity };

/// (21) with f(x, h, v) = F_0(x) + F_1(x) w, w = 0, h^2, h or a component of v; F_i any cubic vector fields.
template <class System>
class AnyForce {
 public:
  using S = ScalarOf<System>;
  using vector_type = VectorOf<System>;
  using state_type = PhaseState<S, System::dimension>;
  AnyForce(const System& system, const std::vector<PolynomialPotential<S>>& fields, Dependence dependence)
      : system_(&system), fields_(&fields), dependence_(dependence) {}
  [[nodiscard]] state_type start(const vector_type& q, const vector_type& v) const { return {q, v}; }
  StepOutcome step(state_type& z, const S& h) const {
    z.v += (h / S(2)) * force(z, h);
    z.q += h * z.v;
    z.v += (h / S(2)) * force(z, h);
    return {};
  }
  [[nodiscard]] const System& system() const { return *system_; }

 private:
  [[nodiscard]] vector_type force(const state_type& z, const S& h) const {
    const S w = dependence_ == Dependence::position    ? S(0)
                : dependence_ == Dependence::even_in_h ? S(h * h)
                : dependence_ == Dependence::odd_in_h  ? h
                                                       : z.v(0);
    vector_type f = z.q;
    const Eigen::Index n = f.size();
    for (Eigen::Index i = 0; i < n; ++i)
      f(i) = (*fields_)[static_cast<std::size_t>(i)].value(z.q) +
             w * (*fields_)[static_cast<std::size_t>(n + i)].value(z.q);
    return f;
  }
  const System* system_;
  const std::vector<PolynomialPotential<S>>* fields_;
  Dependence dependence_;
};

struct AnyForceIsReversible {
  int n;
  Dependence dependence;
  template <class K>
  std::vector<K> operator()(Draw<K>& draw) const {
    std::vector<PolynomialPotential<K>> fields;
    for (int i = 0; i < 2 * n; ++i) fields.push_back(polynomial<K>(n, 0, 3, [&] { return draw.variable("f"); }));
    const auto factory = [&](const auto& system, const K&) {
      return AnyForce<std::decay_t<decltype(system)>>(system, fields, dependence);
    };
    return StepIsReversible<decltype(factory)>{{n, 1, Mass::full}, factory}(draw);
  }
};

Combined certify_dependence(Dependence dependence) {
  Combined result;
  for (const int n : {2, 3}) result.add("n = " + std::to_string(n), certify(AnyForceIsReversible{n, dependence}));
  return result;
}

TEST(Theorem24, every_force_of_position_is_reversible) {
  const Combined found = certify_dependence(Dependence::position), even = certify_dependence(Dependence::even_in_h);
  EXPECT_EQ(even.nonzero, 0) << even.disproof;
  expect_verdict(
      {.id = "TO14.thm2.4",
       .measured = static_cast<double>(found.nonzero),
       .unit = exact_unit,
       .interval = {0, 0},
       .controls = {exact_control("f odd in h", certify_dependence(Dependence::odd_in_h)),
                    exact_control("f of position and velocity", certify_dependence(Dependence::velocity))},
       .evidence = Evidence::proved,
       .probability_bound = found.probability(),
       .note = "For every f by the proof: no smoothness is needed, only that equal positions give equal forces. The "
               "forces of Z&S, Z&Ss and push-forward Newmark depend on h as well, through h^2: the theorem needs "
               "evenness then (proved for f_0(x) + h^2 f_1(x), disproved for f_0(x) + h f_1(x), which is reversed by "
               "turning the velocity but is not its own adjoint)."});
}

constexpr auto symplectic_euler = []<class System, class T>(const System& system, const T&) {
  return SymplecticEuler<System>(system);
};
constexpr auto newmark_one_iteration = []<class System, class T>(const System& system, const T& beta) {
  return Newmark<System>(system, {.beta = beta, .newton = {.fixed_iterations = 1}});
};

TEST(Theorem24, zhang_skeel_is_reversible) {
  const std::vector<Family> on{{2, 4, Mass::identity}, {2, 4, Mass::full}, {3, 4, Mass::diagonal}, {3, 3, Mass::full}};
  const Combined found = certify_on<StepIsReversible>(on, zhang_skeel);
  const std::vector<Control> controls{
      exact_control("symplectic Euler", certify_on<StepIsReversible>({{2, 3, Mass::full}}, symplectic_euler)),
      exact_control("Newmark with one Newton iteration",
                    certify_on<StepIsReversible>({{2, 3, Mass::full}}, newmark_one_iteration))};
  Claim claim{.id = "TO14.cor2.2",
              .measured = static_cast<double>(found.nonzero),
              .unit = exact_unit,
              .interval = {0, 0},
              .controls = controls,
              .evidence = Evidence::proved,
              .probability_bound = found.probability(),
              .note = "For every V by Theorem 2.4: the force is a function of position, even in h."};
  expect_verdict(claim);

  // Reversibility in the arithmetic of simulations, too: the largest difference in 50 digits.
  double in_50 = 0;
  for (const Family& family : on)
    in_50 = std::max(
        in_50, to_double(evaluate<Float50>(StepIsReversible<decltype(zhang_skeel)>{family, zhang_skeel}).largest));
  const auto euler =
      evaluate<Float50>(StepIsReversible<decltype(symplectic_euler)>{{2, 3, Mass::full}, symplectic_euler});
  expect_verdict(
      {.id = "TO14.thm1.1.4",
       .measured = in_50,
       .interval = {0, 1e-45},
       .controls = {{.name = "symplectic Euler", .measured = to_double(euler.largest), .interval = {0, 1e-45}}},
       .note = "Exactly so by the certificate of TO14.cor2.2."});
}

// The converse of what the theorem says does not hold: reversible does not mean symplectic.
TEST(Theorem24, says_nothing_about_symplecticity) {
  EXPECT_EQ(certify_on<StepIsReversible>({{2, 4, Mass::full}}, simplified).nonzero, 0);
  EXPECT_GT(certify_on<StepIsSymplectic>({{2, 4, Mass::full}}, simplified).nonzero, 0);
}

}  // namespace
}  // namespace livi::theorem

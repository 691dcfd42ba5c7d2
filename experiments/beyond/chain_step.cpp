// SPDX-License-Identifier: MIT
// Theorem: a step of Z&S on a chain of pendula (TO14 4.2), as the library computes it link by link from both ends
// without storing the Hessian, is symplectic, reversible and of order two: identities in all masses, lengths, omega,
// gravity, beta, h, positions and momenta.
#include "study/evidence/certified.hpp"
#include "study/program/theorem.hpp"

#include <livi/systems/planar_chain.hpp>

namespace livi::theorem {

Program this_program() {
  return {"chain_step",
          {"TO14", "A chain of pendula", "4.2"},
          "Z&S on a chain, link by link, is symplectic and of order two"};
}

namespace {

template <class T>
using ChainPotential =
    PenalisedPotential<GravityPotential<T, Dynamic>, PlanarChainPenalty<T, Dynamic, BlockTridiagonalHessian<T, 2>>>;
template <class T>
using ChainSystem = MechanicalSystem<DiagonalMass<T, Dynamic>, ChainPotential<T>>;
static_assert(NeighbourSystem<ChainSystem<Dual<Residue>>>, "else it is not the sweep that is certified");

/// A chain of n pendula, every parameter a variable; the two coordinates of a pendulum may have different masses.
template <class T, class K, class Make>
ChainSystem<T> draw_chain(Draw<K>& draw, int n, const Make& number) {
  Vector<T, Dynamic> mass(2 * n), squared_lengths(n);
  for (int i = 0; i < 2 * n; ++i) mass(i) = number(draw.positive("m" + std::to_string(i)));
  for (int k = 0; k < n; ++k) squared_lengths(k) = number(draw.positive("l" + std::to_string(k)));
  const T gravity = number(draw.variable("g")), stiffness = number(draw.positive("omega^2"));
  return {DiagonalMass<T, Dynamic>(mass), {{gravity}, {squared_lengths, stiffness}}};
}

template <class Factory>
struct ChainStepIsSymplectic {
  int n;
  Factory factory;
  template <class K>
  std::vector<K> operator()(Draw<K>& draw) const {
    using T = Dual<K>;
    const auto system = draw_chain<T>(draw, n, [](const K& x) { return T(x); });
    const T h(draw.positive("h")), beta(draw.positive("beta"));
    const PhasePoint<K> at{draw.variables("q", 2 * n), draw.variables("p", 2 * n)};
    auto method = factory(system, beta);
    return symplecticity<K>(at, [&](auto& q, auto& p) { advance(method, system, q, p, h); });
  }
};

struct ChainStepIsReversible {
  int n;
  bool turned = true;  ///< the second step goes back; if not, on
  template <class K>
  std::vector<K> operator()(Draw<K>& draw) const {
    const auto system = draw_chain<K>(draw, n, [](const K& x) { return x; });
    const K h = draw.positive("h"), beta = draw.positive("beta");
    const PhasePoint<K> at{draw.variables("q", 2 * n), draw.variables("p", 2 * n)};
    auto method = zhang_skeel(system, beta);
    PhasePoint<K> there = at;
    advance(method, system, there.q, there.p, h);
    advance(method, system, there.q, there.p, turned ? K(-h) : h);
    return differences(there, at);
  }
};

/// The coefficients of h^from, ..., h^to of the local error.
struct ChainLocalError {
  int n, from, to;
  template <class K>
  std::vector<K> operator()(Draw<K>& draw) const {
    constexpr int N = 3;
    using T = PowerSeries<K, N>;
    const auto number = [](const K& x) { return T(x); };
    const auto system = draw_chain<T>(draw, n, number);
    auto method = zhang_skeel(system, number(draw.positive("beta")));
    const auto coefficients = order_coefficients<K, N>(
        draw.variables("q", 2 * n), draw.variables("v", 2 * n),
        [&](const auto& x, auto& a) { system.acceleration(x, a); },
        [&](auto& x, auto& v, const T& h) {
          auto state = method.start(x, v);
          if (!method.step(state, h).ok()) throw StepFailed("the step fails");
          x = state.q;
          v = state.v;
        });
    std::vector<K> values;
    for (int k = from; k <= to; ++k)
      for (const K& value : coefficients[static_cast<std::size_t>(k)]) values.push_back(value);
    return values;
  }
};

template <class Statement>
Combined on_chains(std::initializer_list<Statement> statements) {
  Combined result;
  for (const Statement& statement : statements)
    result.add("a chain of " + std::to_string(statement.n), certify(statement));
  return result;
}

// For the method these are Theorem 2.5, Corollary 2.2 and Corollary 2.1; here they are about the code of the chain.

/// Proved for every chain of the list, and counted in the report.
void expect_proved(const std::string& name, const Combined& found) {
  report().count(name + ".functions_that_do_not_vanish", found.nonzero);
  EXPECT_EQ(found.nonzero, 0) << found.disproof;
  EXPECT_EQ(found.undecided, 0) << found.undecidable;
  EXPECT_LT(found.probability(), 1e-30);
}

// Odd and even numbers of pendula: the elimination from both ends ends differently. It is one template over the number,
// so the order of its sums and what it keeps between its sweeps are those of the step in double.
TEST(ChainStep, is_symplectic) {
  using Exact = ChainStepIsSymplectic<std::decay_t<decltype(zhang_skeel)>>;
  using Simplified = ChainStepIsSymplectic<std::decay_t<decltype(simplified)>>;
  using Wrong = ChainStepIsSymplectic<Mutant>;
  expect_proved("symplectic", on_chains<Exact>({{1, {}}, {2, {}}, {3, {}}, {4, {}}, {5, {}}}));
  EXPECT_GT(on_chains<Simplified>({{2, {}}}).nonzero, 0) << "without the third derivative (Z&Ss)";
  EXPECT_GT(on_chains<Wrong>({{2, {-1}}}).nonzero, 0) << "the third derivative with the wrong sign";
  EXPECT_GT(on_chains<Wrong>({{2, {2}}}).nonzero, 0) << "the third derivative without its half";
}

TEST(ChainStep, is_reversible) {
  expect_proved("reversible", on_chains<ChainStepIsReversible>({{1}, {2}, {3}, {4}, {5}}));
  EXPECT_GT(on_chains<ChainStepIsReversible>({{2, false}}).nonzero, 0) << "h and h again";
}

TEST(ChainStep, is_of_order_two) {
  expect_proved("order_two", on_chains<ChainLocalError>({{1, 0, 2}, {2, 0, 2}, {3, 0, 2}, {4, 0, 2}, {5, 0, 2}}));
  for (const int n : {2, 5}) EXPECT_GT(on_chains<ChainLocalError>({{n, 3, 3}}).nonzero, 0) << "and not of three";
}

}  // namespace
}  // namespace livi::theorem

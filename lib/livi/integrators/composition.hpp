// SPDX-License-Identifier: MIT
//
// Symmetric compositions: a step of size h is a palindrome of steps gamma_i h of a symmetric method of order 2 (TO14
// Remark 2.1). The order can be raised to any even number; symmetry, symplecticity and momentum maps are inherited.
#pragma once

#include <algorithm>
#include <vector>

#include <livi/integrators/integrator.hpp>

namespace livi {

/// The fractions gamma_i of a composition, which sum to one, and its order.
template <class S>
struct CompositionScheme {
  std::string name;
  std::string source;
  int order;
  std::vector<S> fractions;
};

/// Raises a symmetric scheme of even order p to p + 2. Two copies give Yoshida's triple jump,
/// gamma = 1/(2 - 2^(1/(p+1))) with middle 1 - 2 gamma; four give Suzuki's fractal, gamma = 1/(4 - 4^(1/(p+1))) with
/// middle 1 - 4 gamma. Yoshida's middle step is backward and long; Suzuki's steps are shorter than h, with more work
/// and a smaller error constant.
template <class S>
CompositionScheme<S> raise_order(const CompositionScheme<S>& base, int copies, const std::string& name,
                                 const std::string& source) {
  using std::exp, std::log;
  const S side(copies), root = exp(log(side) / S(base.order + 1));
  const S gamma = S(1) / (side - root), middle = S(1) - side * gamma;
  CompositionScheme<S> raised{name, source, base.order + 2, {}};
  for (int i = 0; i <= copies; ++i) {
    const S factor = i == copies / 2 ? middle : gamma;
    for (const S& fraction : base.fractions) raised.fractions.push_back(factor * fraction);
  }
  return raised;
}

/// Returns the triple jump of Yoshida 1990 of order 4, 6 or 8, with 3, 9 or 27 stages; throws InvalidParameter for
/// another order. (Yoshida's solutions of order 6 and 8 with 7 and 15 stages are cheaper, but their coefficients are
/// roots found numerically, whereas the triple jump is exact to any number of digits.)
template <class S>
CompositionScheme<S> yoshida(int order) {
  if (order != 4 && order != 6 && order != 8)
    throw InvalidParameter("Yoshida composition order", order, "must be 4, 6 or 8");
  CompositionScheme<S> scheme{"", "", 2, {S(1)}};
  while (scheme.order < order)
    scheme = raise_order(scheme, 2, "Yoshida " + std::to_string(scheme.order + 2), "Yoshida 1990");
  return scheme;
}

/// Returns the fractal of Suzuki 1990 of order 4 or 6, with 5 or 25 stages; throws InvalidParameter for another order.
template <class S>
CompositionScheme<S> suzuki(int order) {
  if (order != 4 && order != 6) throw InvalidParameter("Suzuki composition order", order, "must be 4 or 6");
  CompositionScheme<S> scheme{"", "", 2, {S(1)}};
  while (scheme.order < order)
    scheme = raise_order(scheme, 4, "Suzuki " + std::to_string(scheme.order + 2), "Suzuki 1990");
  return scheme;
}

/// A composition of steps: one step calls inner.step(state, gamma_i h) for all i in turn.
template <class Inner>
class Composition {
 public:
  using system_type = typename Inner::system_type;
  using S = ScalarOf<system_type>;
  using vector_type = VectorOf<system_type>;
  using state_type = typename Inner::state_type;

  Composition(Inner inner, CompositionScheme<S> scheme) : inner_(std::move(inner)), scheme_(std::move(scheme)) {
    const Properties of_inner = inner_.declares();
    if (of_inner.order != 2 || !of_inner.symmetric)
      throw InvalidParameter("composition of " + of_inner.name, "order " + std::to_string(of_inner.order),
                             "the schemes raise the order of symmetric methods of order 2 only");
  }

  [[nodiscard]] state_type start(const vector_type& q, const vector_type& v) const { return inner_.start(q, v); }

  StepOutcome step(state_type& z, const S& h) {
    for (const S& fraction : scheme_.fractions)
      if (const StepOutcome outcome = inner_.step(z, S(fraction * h)); !outcome.ok()) return outcome;
    return {};
  }

  /// Declares the inherited properties, but no stability limit: stages may be longer than h, and products of rotations
  /// by different angles have resonances of their own. diagnostics/linear_stability.hpp measures it.
  [[nodiscard]] Properties declares() const {
    Properties p = inner_.declares();
    p.name = scheme_.name + " of " + p.name;
    p.source = scheme_.source + "; TO14 Remark 2.1";
    p.order = scheme_.order;
    p.conjugate_symplectic = false;  // each stage is conjugate through another map: eta depends on gamma_i h
    p.rational = false;              // the coefficients are roots
    p.stability_limit = undeclared;
    p.cost.iterative = true;
    return p;
  }
  [[nodiscard]] const WorkCounters& work() const { return inner_.work(); }
  [[nodiscard]] const system_type& system() const { return inner_.system(); }

 private:
  Inner inner_;
  CompositionScheme<S> scheme_;
};

}  // namespace livi

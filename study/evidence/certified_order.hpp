// SPDX-License-Identifier: MIT
//
// The local error of Z&S and of its composition by Yoshida, as a statement for a certificate: exact orders.
#pragma once

#include <livi/diagnostics/certificate.hpp>
#include <livi/integrators/composition.hpp>
#include <livi/integrators/zhang_skeel.hpp>
#include <livi/scalar/cubic_number.hpp>
#include <livi/systems/polynomial.hpp>

namespace livi::theorem {

/// The coefficients of h^from, ..., h^to of the local error of a composition of Z&S on the general polynomial of so
/// many `variables` and such a `degree` with any mass and beta: of Z&S alone (Field = Residue), or of Yoshida's three
/// steps (Field = CubicNumber<Residue>, numbers with a cube root of two).
template <class Field>
struct LocalError {
  static constexpr int N = 5;
  int from, to;
  int variables = 2, degree = 3;
  std::vector<Residue> operator()(Draw<Residue>& draw) const {
    using T = PowerSeries<Field, N>;
    const auto number = [](const auto& x) { return T(Field(x)); };
    const Matrix<Residue, Dynamic> mass = draw.symmetric("m", variables);
    Matrix<T, Dynamic> in_series(variables, variables);
    for (int i = 0; i < variables; ++i)
      for (int j = 0; j < variables; ++j) in_series(i, j) = number(mass(i, j));
    const MechanicalSystem<FullMass<T, Dynamic>, PolynomialPotential<T>> system(
        FullMass<T, Dynamic>(in_series),
        polynomial<T>(variables, 1, degree, [&] { return number(draw.variable("c")); }));
    using Inner = ZhangSkeel<std::remove_const_t<decltype(system)>>;
    CompositionScheme<T> scheme{"composition", "-", 4, {}};
    for (const Field& fraction : make_fractions()) scheme.fractions.push_back(T(fraction));
    Composition<Inner> method(Inner(system, {number(draw.positive("beta"))}), scheme);
    const auto q = draw.variables("q", variables), v = draw.variables("v", variables);
    const auto coefficients = order_coefficients<Field, N>(
        q.template cast<Field>(), v.template cast<Field>(), [&](const auto& x, auto& a) { system.acceleration(x, a); },
        [&](auto& x, auto& velocity, const T& h) {
          auto state = method.start(x, velocity);
          if (!method.step(state, h).ok()) throw StepFailed("step");
          x = state.q;
          velocity = state.v;
        });
    std::vector<Residue> values;
    for (int k = from; k <= to; ++k)
      for (const Field& f : coefficients[static_cast<std::size_t>(k)]) {
        if constexpr (std::same_as<Field, Residue>) {
          values.push_back(f);
        } else {
          values.insert(values.end(), {f.a, f.b, f.c});
        }
      }
    return values;
  }
  int middle = -1;  ///< the factor of r in the middle fraction of Yoshida's scheme; another is wrong
  /// Made anew for each prime.
  std::vector<Field> make_fractions() const {
    if constexpr (std::same_as<Field, Residue>) {
      return {Residue(1)};
    } else {
      const Field r = Field::root(), side = Field(1) / (Field(2) - r);
      return {side, Field(middle) * r * side, side};
    }
  }
};

}  // namespace livi::theorem

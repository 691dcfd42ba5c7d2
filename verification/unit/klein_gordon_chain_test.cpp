// SPDX-License-Identifier: MIT
//
// Klein-Gordon chains and the DNA model: every derivative is that of the value.
#include <gtest/gtest.h>

#include <livi/systems/dna_chain.hpp>

#include "derivative_check.hpp"

namespace {

using livi::ChainEnds;
using livi::Dynamic;
using livi::Float50;
using livi::KleinGordonChainPotential;
using livi::MorsePairing;
using livi::QuarticDoubleWell;
using livi::ratio;
using livi::Rational;
using livi::Vector;
using livi::test::generic_vector;
using livi::test::Jet;

constexpr ChainEnds both_ends[] = {ChainEnds::periodic, ChainEnds::free};

TEST(Derivatives, of_the_quartic_chain_exactly) {
  for (const ChainEnds ends : both_ends)
    for (const Eigen::Index n : {1, 2, 3, 7})
      livi::test::expect_derivatives_of_value(
          KleinGordonChainPotential<QuarticDoubleWell<Rational>>({ratio<Rational>(2, 7)}, ends),
          KleinGordonChainPotential<QuarticDoubleWell<Jet<Rational>>>({ratio<Jet<Rational>>(2, 7)}, ends),
          generic_vector<Vector<Rational, Dynamic>>(n, 1), generic_vector<Vector<Rational, Dynamic>>(n, 5),
          Rational(0));
}

TEST(Derivatives, of_the_dna_chain_in_50_digits) {
  // Numbers up to exp(7 * 0.3) * 7^3, some tens of operations: 1e-40 leaves six digits and more.
  const auto parameters = []<class S>(S) { return livi::DnaParameters<S>{S(7), ratio<S>(3, 10), ratio<S>(1, 14)}; };
  for (const ChainEnds ends : both_ends)
    for (const Eigen::Index n : {1, 2, 3, 7})
      livi::test::expect_derivatives_of_value(
          KleinGordonChainPotential<MorsePairing<Float50>>(MorsePairing<Float50>(parameters(Float50())), ends),
          KleinGordonChainPotential<MorsePairing<Jet<Float50>>>(MorsePairing<Jet<Float50>>(parameters(Jet<Float50>())),
                                                                ends),
          generic_vector<Vector<Float50, Dynamic>>(n, 1), generic_vector<Vector<Float50, Dynamic>>(n, 5),
          Float50("1e-40"));
}

}  // namespace

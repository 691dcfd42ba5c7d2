// SPDX-License-Identifier: MIT
#pragma once

#include <livi/systems/any_constraint.hpp>
#include <livi/systems/dna_chain.hpp>
#include <livi/systems/double_pendulum.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace livi {

/// A system that livi-simulate knows, with the data it starts from when none are given.
struct SystemEntry {
  std::string name;
  std::string description;
  std::string allowed_sizes;           ///< allowed sizes of q and v, in words
  bool (*allows_size)(std::size_t n);  ///< whether q and v may have n entries
  std::string q, v;                    ///< as for --q and --v
  std::string h, beta;
  std::string omega;                        ///< empty for a system that has none
  bool has_form = false, has_ends = false;  ///< constrained or penalised; periodic or free
  /// For a system of any size, instead of q and v: a start with n parts.
  std::string n = {};  ///< as for --n
  bool has_seed = false;
  std::pair<Vector<double, Dynamic>, Vector<double, Dynamic>> (*make_start)(Eigen::Index n,
                                                                            std::uint64_t seed) = nullptr;
};

const std::vector<SystemEntry>& system_entries();

/// What can be chosen about a system.
struct SystemOptions {
  double omega = 0;
  Gravity gravity = Gravity::down;
  bool constrained = false;  ///< for the pendulums
  ChainEnds ends = ChainEnds::periodic;
  std::vector<double> mass = {};  ///< 1, n or n*n numbers
};

/// Pendulums in a chain, TO14 4.2, whose penalty has a Hessian that is stored and solved in O(n).
using ChainOfPendula = ConstrainedSystem<DiagonalMass<double, Dynamic>, GravityPotential<double, Dynamic>,
                                         PlanarChainConstraint<double, Dynamic, BlockTridiagonalHessian<double, 2>>>;
using PenalisedChain = decltype(penalised(std::declval<const ChainOfPendula&>(), 1.0));
/// A DNA chain of any masses.
using MassiveDnaChain = MechanicalSystem<DiagonalMass<double, Dynamic>, DnaChain<double>::potential_type>;

/// One of the kinds of system, and the constraint that it keeps or only approximates.
struct Problem {
  std::optional<AnySystem<double>> mechanical;
  std::optional<MassiveDnaChain> dna;
  std::optional<PenalisedChain> chain;
  std::optional<AnyConstrainedSystem<double>> constrained;
  std::optional<AnyConstraint<double>> constraint;

  /// Calls f with the system, one without constraints.
  template <class F>
  auto on_unconstrained(const F& f) const {
    return dna ? f(*dna) : chain ? f(*chain) : f(*mechanical);
  }
  [[nodiscard]] double energy(const Vector<double, Dynamic>& q, const Vector<double, Dynamic>& v) const {
    if (constrained) return constrained->energy(q, v);
    return on_unconstrained([&](const auto& system) { return system.energy(q, v); });
  }
};

/// n degrees of freedom. InvalidParameter for a mass or an omega that cannot be meant.
Problem make_problem(const SystemEntry& entry, std::size_t n, const SystemOptions& options);

}  // namespace livi

// SPDX-License-Identifier: MIT
//
// Every system of the library, with its parameters; and those with a start as problems that methods run on in double.
#pragma once

#include <livi/catalogue/method.hpp>
#include <livi/systems/any_constraint.hpp>
#include <livi/systems/dna_chain.hpp>
#include <livi/systems/double_pendulum.hpp>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace livi {

/// The choices that a user has about a system.
struct SystemOptions {
  double omega = 0;
  Gravity gravity = Gravity::down;
  bool constrained = false;  ///< for the pendulums
  ChainEnds ends = ChainEnds::periodic;
  std::vector<double> mass = {};  ///< 1, n or n*n numbers; of bodies one for each
};

/// The choices about a start that is made.
struct StartOptions {
  Eigen::Index n = 0;  ///< parts
  std::uint64_t seed = 1;
  double eccentricity = 0;         ///< from 0 to 1, without 1
  std::vector<double> mass = {1};  ///< as SystemOptions::mass
};

/// A system of the catalogue. Those with `allows_size` are known to livi-simulate, and have the data that a run starts
/// from when none are given.
struct SystemEntry {
  static constexpr const char* usual_epsilon = "0.1";

  std::string name;
  std::string description;
  std::vector<SystemKind> kinds;
  std::string header;  ///< a file of lib/livi/systems
  std::vector<Parameter> parameters = {};
  std::string allowed_sizes = {};                ///< allowed sizes of q and v, in words
  bool (*allows_size)(std::size_t n) = nullptr;  ///< whether q and v may have n entries
  std::string q = {}, v = {};                    ///< as for --q and --v
  std::string h = {}, beta = {};
  /// Where q and v are not given as texts: makes the start, and says in words which one is made without options.
  std::pair<Vector<double, Dynamic>, Vector<double, Dynamic>> (*make_start)(const StartOptions& options) = nullptr;
  std::string start = {};
  std::string mass = "1";  ///< as for --mass
  int body = 0;            ///< coordinates of a body, each of which has one mass; 0 for systems that are no bodies
  std::string density = "equal-distances";  ///< for methods with adaptive steps
  /// The epsilon of the density and the step, where it is not h, with which these methods reach the default end. On a stiff
  /// system without constraints steps must stay short of the penalty's period, so that they hardly follow anything else.
  std::string epsilon = usual_epsilon, adaptive_h = {};
  /// Makes its potential for n entries of q; empty for a system that make_problem makes by its name.
  std::function<AnyPotential<double>(Eigen::Index n, const SystemOptions& options)> make_potential = {};

  /// Returns the default step of methods for a kind of system. With constraints there is no penalty to follow.
  [[nodiscard]] std::string step_of(bool adaptive, SystemKind of) const {
    return adaptive && of != SystemKind::constrained && !adaptive_h.empty() ? adaptive_h : h;
  }
  [[nodiscard]] std::string epsilon_of(SystemKind of) const {
    return of == SystemKind::constrained ? usual_epsilon : epsilon;
  }
  [[nodiscard]] bool has(const std::string& parameter) const { return find(parameter) != nullptr; }
  /// Returns the default of a parameter; empty for a system that does not have it.
  [[nodiscard]] std::string otherwise(const std::string& parameter) const {
    const Parameter* found = find(parameter);
    return found == nullptr ? "" : found->otherwise;
  }

 private:
  [[nodiscard]] const Parameter* find(const std::string& parameter) const {
    const auto found = std::ranges::find(parameters, parameter, &Parameter::name);
    return found == parameters.end() ? nullptr : &*found;
  }
};

/// Returns all systems.
const std::vector<SystemEntry>& system_entries();
/// Returns those that a Problem is made of: what livi-simulate knows.
const std::vector<SystemEntry>& simulated_systems();
/// Returns the headers of lib/livi/systems that define no system: what systems have in common.
const std::vector<std::string>& parts_of_systems();

/// Pendulums in a chain, TO14 4.2, whose penalty has a Hessian that is stored and solved in O(n).
using ChainOfPendula = ConstrainedSystem<DiagonalMass<double, Dynamic>, GravityPotential<double, Dynamic>,
                                         PlanarChainConstraint<double, Dynamic, BlockTridiagonalHessian<double, 2>>>;
using PenalisedChain = decltype(penalised(std::declval<const ChainOfPendula&>(), 1.0));
/// A DNA chain whose bases may have any masses.
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

/// Makes a problem with n degrees of freedom of an entry with `allows_size`. Throws InvalidParameter, with the names of
/// options of livi-simulate, for a mass or an omega that cannot be meant.
Problem make_problem(const SystemEntry& entry, std::size_t n, const SystemOptions& options);

}  // namespace livi

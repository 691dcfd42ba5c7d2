// SPDX-License-Identifier: MIT
#pragma once

#include <livi/systems/any_constraint.hpp>
#include <livi/systems/double_pendulum.hpp>

#include <optional>
#include <string>
#include <vector>

namespace livi {

/// A system that livi-simulate knows, with the data it starts from when none are given.
struct SystemEntry {
  std::string name;
  std::string description;
  std::string allowed_sizes;           ///< of q and v, in words
  bool (*allows_size)(std::size_t n);  ///< the same as a rule
  std::string q, v;                    ///< as for --q and --v
  std::string h, beta;
  std::string omega;  ///< empty for a system that has none
};

const std::vector<SystemEntry>& system_entries();

/// What can be chosen about a system.
struct SystemOptions {
  double omega = 0;
  Gravity gravity = Gravity::down;
  bool constrained = false;       ///< for the double pendulum
  std::vector<double> mass = {};  ///< 1, n or n*n numbers
};

/// One of the two kinds of system, and the constraint that it keeps or only approximates.
struct Problem {
  std::optional<AnySystem<double>> mechanical;
  std::optional<AnyConstrainedSystem<double>> constrained;
  std::optional<AnyConstraint<double>> constraint;

  [[nodiscard]] double energy(const Vector<double, Dynamic>& q, const Vector<double, Dynamic>& v) const {
    return mechanical ? mechanical->energy(q, v) : constrained->energy(q, v);
  }
};

/// n degrees of freedom. InvalidParameter for a mass or an omega that cannot be meant.
Problem make_problem(const SystemEntry& entry, std::size_t n, const SystemOptions& options);

}  // namespace livi

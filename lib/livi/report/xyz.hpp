// SPDX-License-Identifier: MIT
//
// Water clusters as extended XYZ, which molecular viewers open. A frame is
//   number of atoms
//   key=value key="value with blanks" ... Properties=species:S:1:pos:R:3:velo:R:3
//   one line per atom, with the columns that Properties names
// Without Properties the columns are the element and three coordinates. Positions are in Angstrom, velocities in
// Angstrom per unit of time, 48.888 fs.
#pragma once

#include <livi/linalg/vector.hpp>
#include <livi/report/report.hpp>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace livi {

/// A cluster, with numbers as in systems/water_cluster.hpp: molecule by molecule, in each O, H, H, in each x, y, z.
struct WaterFrame {
  Vector<double, Dynamic> q;
  Vector<double, Dynamic> v = {};                                 ///< empty without velocities
  std::vector<std::pair<std::string, std::string>> remarks = {};  ///< the comment line without Properties

  [[nodiscard]] Eigen::Index molecules() const { return q.size() / 9; }
  /// Returns the value of a remark. Throws ReportError if there is none of that name.
  [[nodiscard]] const std::string& remark(const std::string& name) const;
};

/// Returns all frames of a text. Each three atoms are one molecule, an O and two H in any order; they become O, H, H
/// with the hydrogens in their order. Throws ReportError "name:line: reason" for anything else: a wrong count, element
/// or number, values that are not finite, a text that ends early or goes on, a periodic box (Lattice).
std::vector<WaterFrame> parse_xyz(std::string_view text, const std::string& name);
/// Returns all frames of a file. Throws ReportError, with the reason of the system if it cannot be read.
std::vector<WaterFrame> read_xyz(const std::filesystem::path& path);

/// Returns one frame as text, with numbers as short as can be read back unchanged. Throws InvalidParameter for a size
/// that is no cluster, numbers that are not finite and remarks that the format cannot hold. Frames one after the other
/// are a trajectory.
std::string write_xyz(const WaterFrame& frame);

}  // namespace livi

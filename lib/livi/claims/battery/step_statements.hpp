// SPDX-License-Identifier: MIT
//
// Statements about one step, which are decided and can be written into a file (certificate.cpp). Only for the battery's
// own sources.
#pragma once

#include <vector>

#include <livi/diagnostics/certificate.hpp>
#include <livi/diagnostics/subject.hpp>

namespace livi::battery_detail {

enum class Statement { symplectic, symmetric, translations, rotations };
/// Returns the functions that have to vanish for a statement, on one problem, for all positions, momenta and step
/// sizes.
std::vector<Residue> step_statement(const Subject& subject, std::size_t problem, Statement statement,
                                    Draw<Residue>& draw);
/// Returns q and p after a step: the step of step_statement() at an equal point if `draw` is in an equal state.
std::vector<Residue> step_end(const Subject& subject, std::size_t problem, Draw<Residue>& draw);
/// Returns whether exact statements are made on a problem: on the fixed ones and on drawn ones with few degrees of
/// freedom, because the cost of a step grows with the size of its rational functions.
bool is_decided(const ProblemSummary& problem);
/// Returns the options of certificates, with a number of points that is fixed before anything is seen: eight are enough
/// for the comparisons of every linearly implicit method of the library.
CertificateOptions options_of_certificates();

/// What a row says where the steps of a method that declares to be rational are none.
inline constexpr const char* declare_it =
    "; where a step has roots, branches or iterations, declare .rational = false, and only the measured rows speak";

}  // namespace livi::battery_detail

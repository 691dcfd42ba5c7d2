// SPDX-License-Identifier: MIT
//
// The process in which a shared library is judged (livi_judge.h). It is a method behind a pipe: it speaks the protocol
// of docs/protocol.md, so that whatever the library does to its process is seen and said as for any other method, and
// every row of evidence is the same. One thing is added for speed: the judge tells it the potential, and it computes the
// forces itself and says how often it was asked, so that many steps take one question and one answer.
#pragma once

#include <string>

#include <livi/judge/problems/judged_problem.hpp>

namespace livi {

/// Serves the library behind the given path until the judge says goodbye, over standard input and output; what the
/// library writes to its standard output goes to the standard error stream. Returns the exit status of the process:
/// 0, or 1 where the library cannot be used, which the judge is told.
int serve_library(const std::string& path);

/// The line with which the judge tells the potential, the kinetic energy and the constraints of a problem, and its
/// reading: throws
/// std::runtime_error for any other line.
std::string potential_line(const JudgedProblem& problem);
void read_potential_line(const std::string& line, JudgedProblem& problem);

}  // namespace livi

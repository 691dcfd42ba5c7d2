// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <livi/judge/method/foreign_subject.hpp>

namespace livi::foreign_detail {

/// Makes a session with a method on a problem, in a process of its own. Returns its lines, those to the method after "> ",
/// its own after "< "; nothing of a method that is not behind a pipe. `normals`: what the method gets where it asks for noise, one
/// after the other, then zeros.
std::string written_session(const ForeignSubject& subject, const JudgedProblem& problem,
                            const std::function<void(ForeignRun<double>&)>& session,
                            const std::vector<double>& normals = {});

}  // namespace livi::foreign_detail

// SPDX-License-Identifier: MIT
#include <livi/judge/doors/written_session.hpp>

#include <livi/judge/doors/pipe_subject.hpp>

namespace livi::foreign_detail {

std::string written_session(const ForeignSubject& subject, const JudgedProblem& problem,
                            const std::function<void(ForeignRun<double>&)>& session,
                            const std::vector<double>& normals) {
  const auto anew = subject.another();
  auto* pipe = dynamic_cast<PipeSubject*>(anew.get());
  Forces<double> forces(problem);
  forces.normals = normals;
  if (!pipe) {
    session(*anew->in_double(forces));
    return "";
  }
  std::string lines = "> livi " + std::to_string(protocol_version) + "\n";
  pipe->record(&lines);
  session(*anew->in_double(forces));
  pipe->record(nullptr);
  return lines + "> bye\n";
}

}  // namespace livi::foreign_detail

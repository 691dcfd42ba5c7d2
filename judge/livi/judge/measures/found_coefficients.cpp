// SPDX-License-Identifier: MIT
#include <livi/judge/measures/found_coefficients.hpp>

#include <cmath>

#include <livi/judge/measures/run_points.hpp>

namespace livi {
using namespace foreign_detail;
namespace {

/// Forces that are zero but for one answer, which is a force of one; writes down where they are asked for.
class OneAnswer final : public Forces<double> {
 public:
  OneAnswer(const JudgedProblem& problem, long number) : Forces<double>(problem), number_(number) {}
  std::vector<double> gradient(const double& t, const std::vector<double>& q) override {
    static_cast<void>(t);
    ++gradients;
    asked.push_back(q.at(0));
    return {static_cast<long>(asked.size()) - 1 == number_ ? -1.0 : 0.0};
  }
  std::vector<double> asked;

 private:
  long number_;
};

JudgedProblem one_particle(ProblemKind kind) {
  JudgedProblem problem{.name = "one particle", .kind = kind, .masses = {1}, .potential = {}};
  if (kind == ProblemKind::separable) problem.kinetic.add(0.5, {0, 0});
  return problem;
}

}  // namespace

FoundCoefficients find_coefficients(ForeignSubject& subject, ProblemKind kind, double h, double p) {
  const JudgedProblem problem = one_particle(kind);
  const TimedPoint<double> start{0, {0}, {p}};
  FoundCoefficients found;
  {
    OneAnswer forces(problem, -1);
    const auto run = subject.in_double(forces);
    found.advance = after(*run, start, h, 1).q[0] / (h * p);
    for (const double q : forces.asked) found.c.push_back(q / (h * p));
  }
  if (found.c.size() > 64) throw ForeignRefusal("it asks for more than 64 forces");
  found.is_splitting = !found.c.empty();
  for (std::size_t k = 0; k < found.c.size(); ++k) {
    OneAnswer forces(problem, static_cast<long>(k));
    const auto run = subject.in_double(forces);
    const TimedPoint<double> end = after(*run, start, h, 1);
    if (forces.asked.size() != found.c.size())
      throw ForeignRefusal("the number of its questions depends on the answers");
    found.kick.push_back((end.p[0] - p) / h);
    found.path.push_back((end.q[0] / h - p * found.advance) / h);
    const double drifted = found.kick.back() * (found.advance - found.c[k]);
    found.is_splitting = found.is_splitting && std::abs(found.path.back() - drifted) < 1e-13;
    for (std::size_t j = k + 1; j < found.c.size(); ++j) {
      const double moved = (forces.asked[j] / h - p * found.c[j]) / h,
                   by_drift = found.kick.back() * (found.c[j] - found.c[k]);
      found.is_splitting = found.is_splitting && std::abs(moved - by_drift) < 1e-13;
    }
  }
  return found;
}

}  // namespace livi

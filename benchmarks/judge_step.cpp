// SPDX-License-Identifier: MIT
//
// Time of a step of a method that livi-judge judges, through the C interface and through the pipe, by the number of steps
// that one question asks for. It is what the judge costs: the method, Verlet of one particle in C, takes 0.1 us a step.
//
//   judge_step [WINDOWS]
//
// A window is 20 questions. The program prints the fastest of WINDOWS windows (2000) and the median. Through the pipe the method asks the
// judge for each force. The promise is 5 us for a step through the C interface, where a judgement makes 77844 steps with 13857 requests,
// five and a half for each, and 50 us through the pipe, also where a request is one step. The program prints the ratio of the fastest window
// to the promise; other work on the machine only makes a window longer. Exit status: 0 measured, 2 bad usage.
//
// On two processors one step for a question takes 4 to 7 us through the C interface and 21 to 50 us through the pipe, by how
// deeply idle processors sleep. Both processes of the C interface, and the judge at its end of the pipe, ask for a moment
// whether something has come before they sleep. Were they to sleep at once it would be 8 to 45 us and 21 to 130 us. On one
// processor, or beside other work, both ways are alike: 7 and 20 us.
#include <livi/judge/doors/child_process.hpp>
#include <livi/judge/doors/pipe_subject.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

using namespace livi;

/// Returns the microseconds of a step in each of the windows, in order of size.
std::vector<double> step_times(PipeSubject& subject, long steps, int windows) {
  using Clock = std::chrono::steady_clock;
  constexpr int questions = 20;
  constexpr double h = 0x1p-7;
  const JudgedProblem problem = judged_problems({ProblemKind::mechanical}, 1, 0).generic.front();
  Forces<double> forces(problem);
  const auto run = subject.in_double(forces);
  std::vector<double> times;
  for (int window = 0; window < windows; ++window) {
    run->start(problem.start);
    const auto begin = Clock::now();
    for (int question = 0; question < questions; ++question) run->step(h, steps);  // throws where it cannot
    const std::chrono::duration<double, std::micro> taken = Clock::now() - begin;
    times.push_back(taken.count() / static_cast<double>(questions * steps));
  }
  std::ranges::sort(times);
  return times;
}

/// Prints the times of a door, and for `of_promise` steps a request their ratio to its promise in microseconds.
void print_times(const char* door, const std::vector<std::string>& command, bool own_host, double promise,
                 long of_promise, int windows) {
  PipeSubject subject(std::make_unique<ChildProcess>(command, ChildLimits{}), {.own_host = own_host});
  for (const long steps : {1, 5, 100}) {
    const std::vector<double> times = step_times(subject, steps, std::max(1, windows / static_cast<int>(steps)));
    std::printf("%s, %3ld steps a request: fastest %.2f us, median %.2f us", door, steps, times.front(),
                times[times.size() / 2]);
    if (steps == of_promise) std::printf("; promised %g us: ratio %.2f", promise, times.front() / promise);
    std::puts("");
  }
}

}  // namespace

int main(int argc, char** argv) {
  const int windows = argc > 1 ? std::atoi(argv[1]) : 2000;
  if (argc > 2 || windows < 1) {
    std::fprintf(stderr, "usage: judge_step [WINDOWS]\n");
    return 2;
  }
  print_times("C interface", {LIVI_JUDGE, "--serve-library", LIVI_VERLET_LIBRARY}, true, 5, 5, windows);
  print_times("pipe", {LIVI_VERLET_PROGRAM}, false, 50, 1, windows);
  return 0;
}

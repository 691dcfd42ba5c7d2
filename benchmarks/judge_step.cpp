// SPDX-License-Identifier: MIT
//
// Time of a step of a method that livi-judge judges, through the C interface and through the pipe, by the number of steps
// that one question asks for. It is what the judge costs: the method, Verlet of one particle in C, takes 0.1 us a step.
//
//   judge_step --benchmark_format=json
//
// library/STEPS, pipe/STEPS: per_step, in seconds. Through the pipe the method asks the judge for each force.
// On two processors one step for a question takes 4 to 7 us through the C interface and 21 to 50 us through the pipe, by how
// deeply idle processors sleep. Both processes of the C interface, and the judge at its end of the pipe, ask for a moment
// whether something has come before they sleep. Were they to sleep at once it would be 8 to 45 us and 21 to 130 us. On one
// processor, or beside other work, both ways are alike: 7 and 20 us.
#include <benchmark/benchmark.h>

#include <livi/foreign/child_process.hpp>
#include <livi/foreign/pipe_subject.hpp>

namespace {

void steps(benchmark::State& state, const std::vector<std::string>& command, bool own_host) {
  using namespace livi;
  PipeSubject subject(std::make_unique<ChildProcess>(command, ChildLimits{}), {.own_host = own_host});
  const JudgedProblem problem = judged_problems({ProblemKind::mechanical}, 1, 0).generic.front();
  Forces<double> forces(problem);
  const auto run = subject.in_double(forces);
  const long together = state.range(0);
  constexpr double h = 0x1p-7;
  constexpr int questions = 1000;
  for (auto _ : state) {
    state.PauseTiming();
    run->start(problem.start);
    state.ResumeTiming();
    for (int question = 0; question < questions; ++question) run->step(h, together);  // throws where it cannot
  }
  state.counters["per_step"] = benchmark::Counter(static_cast<double>(state.iterations() * questions * together),
                                                  benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

void library(benchmark::State& state) { steps(state, {LIVI_JUDGE, "--serve-library", LIVI_VERLET_LIBRARY}, true); }
void pipe(benchmark::State& state) { steps(state, {LIVI_VERLET_PROGRAM}, false); }

BENCHMARK(library)->Arg(1)->Arg(10)->Arg(100)->UseRealTime()->Unit(benchmark::kMicrosecond);
BENCHMARK(pipe)->Arg(1)->Arg(10)->Arg(100)->UseRealTime()->Unit(benchmark::kMicrosecond);

}  // namespace

BENCHMARK_MAIN();

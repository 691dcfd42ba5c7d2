// SPDX-License-Identifier: MIT
//
// A library for the tests of the judge (livi_judge.h): a velocity Verlet with one force a step that saves, and does
// what the environment variable LIVI_JUDGED_HABIT says beside it, or in its place.
#include <livi/foreign/livi_judge.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

const livi_judge_problem* problem = nullptr;
double t = 0;
std::vector<double> q, p, g;

bool has_habit(const char* name) {
  const char* const habit = std::getenv("LIVI_JUDGED_HABIT");
  return habit && std::strcmp(habit, name) == 0;
}
void ask_for_force() {
  problem->gradient(problem->judge, t, q.data(), g.data());
  if (has_habit("takes_the_gradient_for_the_force"))
    for (double& x : g) x = -x;
}

/// Never returns.
void hang() {
  while (true) ::pause();
}
void misbehave() {
  if (has_habit("crashes")) {
    volatile int* const nowhere = nullptr;
    *nowhere = 1;
  }
  if (has_habit("aborts")) std::abort();
  if (has_habit("throws")) throw std::runtime_error("no convergence");
  if (has_habit("exits")) std::exit(3);
  if (has_habit("exits_well")) std::exit(0);
  if (has_habit("hangs")) hang();
  if (has_habit("asks_without_end"))
    while (true) ask_for_force();
  if (has_habit("closes_everything"))
    for (int descriptor = 0; descriptor < 1024; ++descriptor) ::close(descriptor);
  if (has_habit("leaves_a_process") && ::fork() == 0) hang();
  if (has_habit("prints")) {
    std::puts("state 1 2 3");
    std::fflush(stdout);
  }
  if (has_habit("reads")) std::getchar();
  std::vector<double> answer(64);
  if (has_habit("asks_for_a_constraint")) problem->constraint(problem->judge, q.data(), answer.data());
  if (has_habit("asks_for_a_torque")) problem->torque(problem->judge, q.data(), answer.data());
}

/// What is left to do when the process ends.
struct AtEnd {
  ~AtEnd() {
    if (has_habit("aborts_at_the_end")) std::abort();
  }
} at_end;

std::string reason;

}  // namespace

extern "C" {

int livi_judge_version() { return has_habit("is_of_another_version") ? 2 : LIVI_JUDGE_VERSION; }
const char* livi_judge_declares() {
  if (has_habit("aborts_at_once")) std::abort();
  if (has_habit("hangs_at_once")) hang();
  if (has_habit("declares_nothing")) return nullptr;
  if (has_habit("declares_nonsense")) return "order=fourth";
  if (has_habit("declares_two_lines")) return "order=2\nstate 1 2";
  if (has_habit("declares_fractions")) return "order=2 numbers=double,rational";
  return "name=Verlet order=2 symplectic=yes symmetric=yes momentum=linear,angular gradients=1 stability=2 "
         "kinds=mechanical,timed,separable";
}
void livi_judge_start(const livi_judge_problem* given, double t0, const double* q0, const double* p0) {
  problem = given;
  t = t0;
  q.assign(q0, q0 + given->n);
  p.assign(p0, p0 + given->n);
  g.resize(q.size());
  ask_for_force();
}
int livi_judge_step(double h, long count, double* q_after, double* p_after) {
  misbehave();
  if (has_habit("fails")) return 7;
  if (has_habit("fails_with_a_reason")) {
    reason = "no convergence\nof Newton's iteration";
    return 7;
  }
  std::vector<double> v(q.size());
  for (; count > 0; --count) {
    if (has_habit("is_slow")) ::usleep(500);
    for (std::size_t i = 0; i < q.size(); ++i) p[i] -= h / 2 * g[i];
    problem->velocity(problem->judge, p.data(), v.data());
    for (std::size_t i = 0; i < q.size(); ++i) q[i] += h * v[i];
    t += h;
    if (!has_habit("uses_the_old_force")) ask_for_force();
    for (std::size_t i = 0; i < q.size(); ++i) p[i] -= h / 2 * g[i];
    if (has_habit("uses_the_old_force")) ask_for_force();
  }
  std::memcpy(q_after, q.data(), q.size() * sizeof(double));
  std::memcpy(p_after, p.data(), p.size() * sizeof(double));
  return 0;
}
int livi_judge_takes(const livi_judge_problem* given) {
  reason = "only three degrees of freedom";
  return has_habit("declines") && given->n != 3;
}
const char* livi_judge_reason() { return has_habit("fails") ? nullptr : reason.c_str(); }
int livi_judge_save(char* text, long size) {
  if (has_habit("saves_nothing")) {
    reason = "no space";
    return 1;
  }
  std::string all;
  const auto write = [&](double x) {
    char number[40];
    std::snprintf(number, sizeof number, "%a ", x);
    all += number;
  };
  write(t);
  for (const std::vector<double>& x : {q, p})
    for (const double entry : x) write(entry);
  if (has_habit("saves_too_little")) all.erase(all.size() - 4);
  if (static_cast<long>(all.size()) >= size) return 1;
  std::memcpy(text, all.c_str(), all.size() + 1);
  return 0;
}
int livi_judge_restore(const livi_judge_problem* given, const char* text) {
  char* at = const_cast<char*>(text);
  t = std::strtod(at, &at);
  std::vector<double> x;
  for (int k = 0; k < 2 * given->n; ++k) x.push_back(std::strtod(at, &at));
  livi_judge_start(given, t, x.data(), x.data() + given->n);
  return 0;
}
}

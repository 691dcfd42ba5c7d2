// SPDX-License-Identifier: MIT
// Velocity Verlet as a library, with one force a step:
//   cc -O2 -shared -fPIC -I LIVI/lib verlet_library.c -o libverlet.so; livi-judge --library ./libverlet.so
#include <livi/foreign/livi_judge.h>
#include <string.h>

static const struct livi_judge_problem* the;
static double t, q[64], p[64], g[64];

int livi_judge_version(void) { return LIVI_JUDGE_VERSION; }
const char* livi_judge_declares(void) {
  return "name=Verlet order=2 symplectic=yes symmetric=yes momentum=linear,angular gradients=1 stability=2 "
         "kinds=mechanical,timed";
}
void livi_judge_start(const struct livi_judge_problem* problem, double t0, const double* q0, const double* p0) {
  const size_t size = sizeof(double) * (size_t)problem->n;
  the = problem;
  t = t0;
  memcpy(q, q0, size);
  memcpy(p, p0, size);
  the->gradient(the->judge, t, q, g);
}
int livi_judge_step(double h, long count, double* q_after, double* p_after) {
  for (; count > 0; --count) {
    for (int i = 0; i < the->n; ++i) {
      p[i] -= h / 2 * g[i];
      q[i] += h * p[i] / the->masses[i];
    }
    t += h;
    the->gradient(the->judge, t, q, g);
    for (int i = 0; i < the->n; ++i) p[i] -= h / 2 * g[i];
  }
  memcpy(q_after, q, sizeof(double) * (size_t)the->n);
  memcpy(p_after, p, sizeof(double) * (size_t)the->n);
  return 0;
}

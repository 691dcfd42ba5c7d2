// SPDX-License-Identifier: MIT
// Langevin's equation by Leimkuhler and Matthews's splitting BAOAB (2013), as a library:
//   cc -O2 -shared -fPIC -I LIVI/lib langevin_library.c -o libbaoab.so -lm; livi-judge --library ./libbaoab.so
#include <livi/foreign/livi_judge.h>
#include <math.h>
#include <string.h>

static const struct livi_judge_problem* the;
static double q[64], p[64], g[64], x[64];

int livi_judge_version(void) { return LIVI_JUDGE_VERSION; }
const char* livi_judge_declares(void) {
  return "name=BAOAB kinds=mechanical,langevin order=2 symplectic=yes symmetric=yes gradients=2 sampling=2";
}
void livi_judge_start(const struct livi_judge_problem* problem, double t, const double* q0, const double* p0) {
  the = problem;
  for (int i = 0; i < the->n; ++i) q[i] = q0[i], p[i] = p0[i] + 0 * t;
}
static void kick(double h) {
  the->gradient(the->judge, 0, q, g);
  for (int i = 0; i < the->n; ++i) p[i] -= h * g[i];
}
static void drift(double h) {
  for (int i = 0; i < the->n; ++i) q[i] += h * p[i] / the->masses[i];
}
int livi_judge_step(double h, long count, double* q_after, double* p_after) {
  const int n = the->n, bath = strcmp(the->kind, "langevin") == 0;
  const double keep = exp(-the->friction * h), variance = -the->temperature * expm1(-2 * the->friction * h);
  for (; count > 0; --count) {
    kick(h / 2), drift(h / 2);
    if (bath) the->noise(the->judge, n, x);
    for (int i = 0; bath && i < n; ++i) p[i] = keep * p[i] + sqrt(the->masses[i] * variance) * x[i];
    drift(h / 2), kick(h / 2);
  }
  for (int i = 0; i < n; ++i) q_after[i] = q[i], p_after[i] = p[i];
  return 0;
}

// SPDX-License-Identifier: MIT
// The logarithmic Hamiltonian log(K - E) - log(-V) (Preto and Tremaine 1999), as a library:
//   cc -O2 -shared -fPIC -I LIVI/lib logarithmic_library.c -o liblog.so; livi-judge --library ./liblog.so
#include <livi/foreign/livi_judge.h>
#include <string.h>

static const struct livi_judge_problem* the;
static int extended;
static double t, q[64], p[64], g[64], energy;
int livi_judge_version(void) { return LIVI_JUDGE_VERSION; }
const char* livi_judge_declares(void) {
  return "name=logarithmic kinds=adaptive,extended order=2 symplectic=yes symmetric=yes memory=yes";
}
static double kinetic(double sum) {
  for (int i = 0; i < the->n; ++i) sum += p[i] * p[i] / (2 * the->masses[i]);
  return sum;
}
void livi_judge_start(const struct livi_judge_problem* problem, double t0, const double* q0, const double* p0) {
  the = problem, t = t0, extended = strcmp(the->kind, "extended") == 0;
  for (int i = 0; i < the->n; ++i) q[i] = q0[i], p[i] = p0[i];
  energy = extended ? p0[the->n] : kinetic(the->value(the->judge, t, q));
}
static void drift(double h) {
  const double dt = h / (kinetic(-energy));
  for (int i = 0; i < the->n; ++i) q[i] += dt * p[i] / the->masses[i];
  t += dt;
}
int livi_judge_step(double h, long count, double* q_after, double* p_after) {
  for (; count > 0; --count) {
    drift(h / 2);
    const double depth = -the->value(the->judge, t, q);
    the->gradient(the->judge, t, q, g);
    for (int i = 0; i < the->n; ++i) p[i] -= h / depth * g[i];
    drift(h / 2);
  }
  for (int i = 0; i < the->n; ++i) q_after[i] = q[i], p_after[i] = p[i];
  q_after[the->n] = t;
  if (extended) p_after[the->n] = energy;
  return t == t ? 0 : 1;
}

// SPDX-License-Identifier: MIT
// RATTLE (Andersen 1983), then a heat bath over h, under constraints; made as verlet_library.c is, with -lm.
#include <livi/foreign/livi_judge.h>
#include <math.h>
#include <string.h>
#define EACH(i, count) for (int i = 0; i < (count); ++i)
static const struct livi_judge_problem* the;
static double q[64], p[64], g[64], x[64], from[64], old[4096], here[4096], b[64], a[64][65], size;
int livi_judge_version(void) { return LIVI_JUDGE_VERSION; }
const char* livi_judge_declares(void) {
  return "name=RATTLE kinds=constrained,constrained_langevin order=2 symplectic=yes symmetric=yes hidden=yes sampling=2";
}
void livi_judge_start(const struct livi_judge_problem* problem, double t, const double* q0, const double* p0) {
  EACH(i, (the = problem)->n) q[i] = q0[i], p[i] = p0[i] + 0 * t;
}
static void push(const double* along, double h) {  // p -= along^T y / h, (here M^-1 along^T) y = b; size: of along^T y
  const int n = the->n, c = the->constraints;
  EACH(i, c) EACH(j, c + 1) size = 0, a[i][j] = j < c ? 0 : b[i];
  EACH(i, c) EACH(j, c) EACH(k, n) a[i][j] += here[i * n + k] * along[j * n + k] / the->masses[k];
  // The matrix is nearly symmetric and positive: no pivots.
  EACH(k, c) EACH(i, c) for (int j = c; i != k && j >= k; --j) a[i][j] -= a[i][k] / a[k][k] * a[k][j];
  EACH(i, c) EACH(k, n) x[k] = along[i * n + k] * a[i][c] / a[i][i], p[k] -= x[k] / h, size += fabs(x[k]);
}
int livi_judge_step(double h, long count, double* q_after, double* p_after) {
  const double keep = strcmp(the->kind, "constrained_langevin") ? 1 : exp(-the->friction * h);
  for (; count > 0; --count) {
    the->constraint_jacobian(the->judge, q, old), the->gradient(the->judge, 0, q, g);
    EACH(i, the->n) from[i] = q[i], p[i] -= h / 2 * g[i];
    for (double k = size = 1, last = 1; !(size < 1e-12 && size >= last / 2); last = size, push(old, h)) {
      if (++k > 50) return 1;  // Newton's iteration ends where its steps are rounding
      EACH(i, the->n) q[i] = from[i] + h * p[i] / the->masses[i];
      the->constraint(the->judge, q, b), the->constraint_jacobian(the->judge, q, here);
    }
    if (the->gradient(the->judge, 0, q, g), keep != 1) the->noise(the->judge, the->n, x);
    EACH(i, the->n) p[i] = keep * (p[i] - h / 2 * g[i]) + sqrt(the->temperature * the->masses[i] * (1 - keep * keep)) * x[i];
    EACH(i, the->constraints) EACH(k, the->n) b[i] = (k ? b[i] : 0) + here[i * the->n + k] * p[k] / the->masses[k];
    push(here, 1);  // also what of friction and noise is along the constraints
  }
  return memcpy(q_after, q, the->n * sizeof *q), memcpy(p_after, p, the->n * sizeof *p), 0;
}

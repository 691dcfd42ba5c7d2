// SPDX-License-Identifier: MIT
//
// RATTLE (Andersen 1983) as a library, for the kind constrained. With push(old, 1) it is wrong: the hidden constraint is met
// along the derivatives of where the step began.
#include <livi/foreign/livi_judge.h>
#include <math.h>
#define EACH(i, count) for (int i = 0; i < (count); ++i)
static const struct livi_judge_problem* the;
static double q[64], p[64], g[64], from[64], old[4096], here[4096], b[64], a[64][64];
int livi_judge_version(void) { return LIVI_JUDGE_VERSION; }
const char* livi_judge_declares(void) {
  return "name=RATTLE kinds=constrained order=2 symplectic=yes symmetric=yes gradients=2 hidden=yes";
}
void livi_judge_start(const struct livi_judge_problem* problem, double t, const double* q0, const double* p0) {
  the = problem;
  EACH(i, the->n) q[i] = q0[i], p[i] = p0[i] + 0 * t;
}
static double push(const double* along, double h) {  // p -= along^T x / h, where (here M^-1 along^T) x = b
  const int n = the->n, c = the->constraints;
  double size = 0, x[64] = {0};
  EACH(i, c) EACH(j, c) a[i][j] = 0;
  EACH(i, c) EACH(j, c) EACH(k, n) a[i][j] += here[i * n + k] * along[j * n + k] / the->masses[k];
  EACH(k, c) EACH(i, c) if (i != k) {  // the matrix is nearly symmetric and positive: no pivots
    const double share = a[i][k] / a[k][k];
    EACH(j, c) a[i][j] -= share * a[k][j];
    b[i] -= share * b[k];
  }
  EACH(i, c) EACH(k, n) x[k] += along[i * n + k] * b[i] / a[i][i];
  EACH(k, n) p[k] -= x[k] / h, size += fabs(x[k]);
  return size;
}
int livi_judge_step(double h, long count, double* q_after, double* p_after) {
  for (; count > 0; --count) {
    double size = 1, last = 1;
    the->constraint_jacobian(the->judge, q, old);
    the->gradient(the->judge, 0, q, g);
    EACH(i, the->n) from[i] = q[i], p[i] -= h / 2 * g[i];
    for (int k = 0; !(size < 1e-12 && size >= last / 2); last = size, size = push(old, h)) {  // until it is rounding
      if (++k > 50) return 1;
      EACH(i, the->n) q[i] = from[i] + h * p[i] / the->masses[i];
      the->constraint(the->judge, q, b);
      the->constraint_jacobian(the->judge, q, here);
    }
    the->gradient(the->judge, 0, q, g);
    EACH(i, the->n) p[i] -= h / 2 * g[i];
    EACH(i, the->constraints) b[i] = 0;
    EACH(i, the->constraints) EACH(k, the->n) b[i] += here[i * the->n + k] * p[k] / the->masses[k];
    push(here, 1);
  }
  EACH(i, the->n) q_after[i] = q[i], p_after[i] = p[i];
  return 0;
}

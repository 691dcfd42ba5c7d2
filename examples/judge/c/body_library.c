// SPDX-License-Identifier: MIT
// A rigid body by torques and turns about three axes (Touma and Wisdom 1994); made as verlet_library.c is, with -lm.
#include <livi/foreign/livi_judge.h>
#include <math.h>
#include <string.h>
#define EACH(i) for (int i = 0; i < 3; ++i)
static const struct livi_judge_problem* the;
static double z[4][3], axes[3][3], tau[3];  // z: rows of the attitude, and mu; W = sum of c (c . mu) over the axes c
int livi_judge_version(void) { return LIVI_JUDGE_VERSION; }
const char* livi_judge_declares(void) {
  return "name=Turns kinds=body order=2 symplectic=yes symmetric=yes momentum=angular casimir=yes gradients=2";
}
void livi_judge_start(const struct livi_judge_problem* problem, double t, const double* q, const double* p) {
  double row[3][6] = {{t * 0, 0, 0, 1}, {0, 0, 0, 0, 1}, {0, 0, 0, 0, 0, 1}};  // [I | 1], which is eliminated
  the = problem, memcpy(z[0], q, 9 * sizeof *q), memcpy(z[3], p, 3 * sizeof *p);
  EACH(i) EACH(j) row[i][j] = the->masses[3 * i + j];
  EACH(k) for (int i = k + 1; i < 3; ++i) for (int j = 5; j >= k; --j) row[i][j] -= row[i][k] / row[k][k] * row[k][j];
  EACH(k) EACH(j) axes[k][j] = row[k][3 + j] / sqrt(row[k][k]);
}
static void kick(double h) {
  the->torque(the->judge, z[0], tau);
  EACH(i) z[3][i] += h * tau[i];
}
static void turn(const double* c, double h) {  // c . mu is constant; what is fixed in space turns back in the body
  double rate = 0, size = 1, x[3], u[3], v[3];
  EACH(i) rate += h * c[i] * z[3][i];
  EACH(i) x[i] = rate * c[i], size += x[i] * x[i] / 4;
  for (int k = 0; k < 4; ++k) {  // the Cayley map
    EACH(i) u[i] = x[(i + 1) % 3] * z[k][(i + 2) % 3] - x[(i + 2) % 3] * z[k][(i + 1) % 3];
    EACH(i) v[i] = x[(i + 1) % 3] * u[(i + 2) % 3] - x[(i + 2) % 3] * u[(i + 1) % 3];
    EACH(i) z[k][i] -= (u[i] - v[i] / 2) / size;
  }
}
int livi_judge_step(double h, long count, double* q, double* p) {
  for (; count > 0; --count, kick(h / 2)) {
    kick(h / 2);
    for (int k = 0; k < 5; ++k) turn(axes[k < 3 ? k : 4 - k], k == 2 ? h : h / 2);
  }
  return memcpy(q, z[0], 9 * sizeof *q), memcpy(p, z[3], 3 * sizeof *p), 0;
}

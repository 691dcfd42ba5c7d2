// SPDX-License-Identifier: MIT
// Velocity Verlet; wrong: the second half of the kick has the force of the old position. See docs/protocol.md.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char line[4096];
static double q[128], g[64], m[64];  // the momenta follow the positions

static void read_numbers(char* from, double* to, int count) {
  for (int i = 0; i < count; ++i) to[i] = strtod(from, &from);
}
static void say(const char* what, const double* from, int count) {
  printf("%s", what);
  for (int i = 0; i < count; ++i) printf(" %a", from[i]);
  puts("");
  fflush(stdout);
}
static void ask_for_force(int n) {
  say("gradient", q, n);
  if (!fgets(line, sizeof line, stdin)) exit(0);
  read_numbers(line + strlen("gradient"), g, n);
}
int main(void) {
  double h, t;
  for (int n = 0, k, at; fgets(line, sizeof line, stdin) && strncmp(line, "bye", 3);) {
    if (!strncmp(line, "livi", 4)) say("livi 1 name=Verlet order=2 symplectic=yes symmetric=yes gradients=1 form=hex", q, 0);
    else if (sscanf(line, "problem %*s %*s %d%n", &n, &at) == 1) read_numbers(line + at, m, n), say("ok", q, 0);
    else if (sscanf(line, "start %la%n", &t, &at) == 1) read_numbers(line + at, q, 2 * n), say("ok", q, 0);
    else if (sscanf(line, "step %la %d", &h, &k) == 2) {
      for (; k > 0; --k) {
        ask_for_force(n);
        for (int i = 0; i < n; ++i) q[n + i] -= h / 2 * g[i], q[i] += h * q[n + i] / m[i];
        for (int i = 0; i < n; ++i) q[n + i] -= h / 2 * g[i];
      }
      say("state", q, 2 * n);
    } else say("unsupported", q, 0);
  }
}

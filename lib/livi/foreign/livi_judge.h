// SPDX-License-Identifier: MIT
//
// The second door of livi-judge: an integrator in a shared library, in any language that makes C functions. It loads
// the library in a process of its own, whose end is not the judge's. For C:
//
//   cc -O2 -shared -fPIC mine.c -o libmine.so && livi-judge --library ./libmine.so
//
// The library defines the functions below; the last four are optional. Momenta, not velocities: p = m q' but for
// "separable". Kinds and the words of a declaration are those of docs/protocol.md; all numbers are double. A "body" has
// n = 3, an attitude q and inertia `masses` of 9 numbers by rows, and p of 3. Where the method chooses its steps, the q
// that it writes has one more entry, the time reached; where "extended", p has one more everywhere, the energy.
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

#define LIVI_JUDGE_VERSION 1

/// n degrees of freedom and their forces. Arrays have n entries, `h` n * n, row by row. The judge counts the calls, and
/// changes V: to compute forces without asking is no way out. `judge` goes into every call. The struct and what it
/// points to stay until the next livi_judge_start or livi_judge_restore.
struct livi_judge_problem {
  int n;
  const char* kind;
  const double* masses;  ///< ones if separable
  void* judge;
  void (*gradient)(void* judge, double t, const double* q, double* g);  ///< g = dV/dq: the force is -g
  void (*velocity)(void* judge, const double* p, double* v);            ///< v = dT/dp: p / m but if separable
  void (*hessian)(void* judge, double t, const double* q, double* h);   ///< second derivatives of V
  /// w_i = sum over j, k of V_ijk a_j b_k
  void (*third)(void* judge, double t, const double* q, const double* a, const double* b, double* w);
  double (*value)(void* judge, double t, const double* q);
  int constraints;  ///< g_1(q) = 0, ..., fewer than n; only under constraints
  void (*constraint)(void* judge, const double* q, double* g);
  void (*constraint_jacobian)(void* judge, const double* q, double* dg);  ///< constraints * n entries, row by row
  double friction, temperature;                                           ///< only in a heat bath
  void (*noise)(void* judge, int count, double* x);           ///< normal numbers, in a step; only in a heat bath
  void (*torque)(void* judge, const double* q, double* tau);  ///< in the axes of the body, only if body
};

/// Returns LIVI_JUDGE_VERSION.
int livi_judge_version(void);
/// Returns the declaration, one line: "name=Verlet order=2 symplectic=yes symmetric=yes gradients=2".
const char* livi_judge_declares(void);
/// Begins a run at a point. Everything is to be as if the library had just been loaded.
void livi_judge_start(const struct livi_judge_problem* problem, double t, const double* q, const double* p);
/// Makes count >= 1 steps of size h, which is negative at times unless steps=forward is declared, and writes where they
/// led. Returns 0, or another number if a step cannot be made. Called between two starts as often as the judge likes,
/// always from where the last one led.
int livi_judge_step(double h, long count, double* q, double* p);
/// Writes all that the next steps depend on as a text of one line, with its end 0, into `size` bytes. Returns 0, or
/// another number if it cannot.
int livi_judge_save(char* text, long size);
/// Goes on from such a text, also in another process. It comes instead of livi_judge_start. Returns 0, or another
/// number if it cannot.
int livi_judge_restore(const struct livi_judge_problem* problem, const char* text);
/// Returns 0 if the library takes a problem, or another number if it declines it: rows that need the problem then do not
/// apply. Called before livi_judge_start and livi_judge_restore, where no force may be asked for yet.
int livi_judge_takes(const struct livi_judge_problem* problem);
/// Returns why the function that was called last returned another number than 0: a text of one line, or a null pointer.
const char* livi_judge_reason(void);

#ifdef __cplusplus
}
#endif

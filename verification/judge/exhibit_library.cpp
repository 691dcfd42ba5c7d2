// SPDX-License-Identifier: MIT
//
// The library (livi_judge.h) of an exhibit: the program that loads it has the exhibit, and lends its functions.
#include <livi/foreign/livi_judge.h>

extern "C" {
const char* exhibit_declares();
void exhibit_start(const livi_judge_problem* problem, double t, const double* q, const double* p);
int exhibit_step(double h, long count, double* q, double* p);
int exhibit_save(char* text, long size);
int exhibit_restore(const livi_judge_problem* problem, const char* text);

int livi_judge_version() { return LIVI_JUDGE_VERSION; }
const char* livi_judge_declares() { return exhibit_declares(); }
void livi_judge_start(const livi_judge_problem* problem, double t, const double* q, const double* p) {
  exhibit_start(problem, t, q, p);
}
int livi_judge_step(double h, long count, double* q, double* p) { return exhibit_step(h, count, q, p); }
int livi_judge_save(char* text, long size) { return exhibit_save(text, size); }
int livi_judge_restore(const livi_judge_problem* problem, const char* text) { return exhibit_restore(problem, text); }
}

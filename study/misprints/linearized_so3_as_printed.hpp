// SPDX-License-Identifier: MIT
//
// LinearizedSO3 with the formulas of TO14 4.5 as they are printed, one misprint at a time: to show what each does. Not
// for use.
#pragma once

#include <livi/integrators/linearized_so3.hpp>

namespace livi::misprints {

/// Which of the formulas of f is taken: sign and factors of the correction 2 omega^2 beta^2 h^4 (...).
enum class PrintedForce {
  sign_and_transposes,  ///< a + (a'a R' + a' R a' + R' a a'), as printed
  sign,                 ///< a + (R a'a + a R'a + a a'R)
  transposes,           ///< a - (a'a R' + a' R a' + R' a a')
};

template <class System, PrintedForce printed>
class PrintedForceOf {
 public:
  using S = ScalarOf<System>;
  explicit PrintedForceOf(LinearizedSO3Beta<S> options) : beta_(options.beta), solver_(options) {}

  StepOutcome operator()(const System& system, const Vector<S, 9>& x, const S& h, Vector<S, 9>& f, WorkCounters& work) {
    const Matrix3<S> r = PenalisedBodyPotential<S>::matrix(x), rt = r.transpose();
    const S b = beta_ * h * h, w = system.potential().omega_squared;
    Matrix3<S> a;
    if (const StepOutcome outcome = solver_.solve(system.potential(), r, S(S(2) * w * b), a, work); !outcome.ok())
      return outcome;
    const Matrix3<S> at = a.transpose();
    Matrix3<S> correction = at * a * rt + at * r * at + rt * a * at;
    if (printed == PrintedForce::sign) correction = r * at * a + a * rt * a + a * at * r;
    const S factor = printed == PrintedForce::transposes ? S(-2) * w * b * b : S(2) * w * b * b;
    PenalisedBodyPotential<S>::store(S(2) * (a + factor * correction), f);
    return {};
  }
  [[nodiscard]] Properties declares() const {
    Properties p = solver_.declares();
    p.name = "LinearizedSO3 with a misprint in f";
    return p;
  }

 private:
  S beta_;
  LinearizedSO3Force<S> solver_;
};

template <class System, PrintedForce printed>
class WithForce : public KickDriftKick<System, PrintedForceOf<System, printed>> {
 public:
  using S = ScalarOf<System>;
  WithForce(const System& system, LinearizedSO3Beta<S> options)
      : KickDriftKick<System, PrintedForceOf<System, printed>>(system, PrintedForceOf<System, printed>(options)) {}
};
template <class System>
using WithPrintedForce = WithForce<System, PrintedForce::sign_and_transposes>;
template <class System>
using WithPrintedSign = WithForce<System, PrintedForce::sign>;
template <class System>
using WithPrintedTransposes = WithForce<System, PrintedForce::transposes>;

/// What of the trapezoidal form is as printed.
enum class Printed {
  drift,                 ///< R_{k+1} = R_k + 2h p_{k+1}, p_{k+1} = p_k + h/2 (f_k + f_{k+1})
  drift_and_second_kick  ///< both that drift and p_{k+1} = p_k + h/2 f_{k+1}
};

/// The trapezoidal form as printed: implicit, solved by iteration for steps that are small enough.
template <class System, Printed printed>
class TrapezoidalAsPrinted {
 public:
  using system_type = System;
  using S = ScalarOf<System>;
  using state_type = PhaseState<S, 9>;
  TrapezoidalAsPrinted(const System& system, LinearizedSO3Beta<S> options) : system_(&system), force_(options) {}
  [[nodiscard]] state_type start(const Vector<S, 9>& x, const Vector<S, 9>& v) const { return {x, v}; }

  StepOutcome step(state_type& z, const S& h) {
    Vector<S, 9> f, g;
    if (const StepOutcome outcome = force_(*system_, z.q, h, f, work_); !outcome.ok()) return outcome;
    Vector<S, 9> x = z.q + h * z.v;
    for (int iteration = 1; iteration <= 200; ++iteration) {
      if (const StepOutcome outcome = force_(*system_, x, h, g, work_); !outcome.ok()) return outcome;
      const Vector<S, 9> kicks = printed == Printed::drift ? Vector<S, 9>(f + g) : g, v = z.v + (h / S(2)) * kicks,
                         next = z.q + h * v;
      const auto change = max_magnitude(Vector<S, 9>(next - x));
      x = next;
      if (change <= RealOf<S>(32) * ScalarTraits<S>::epsilon() * (RealOf<S>(1) + max_magnitude(x))) {
        z = {x, v};
        return {};
      }
    }
    return {Failure::no_convergence, 200};
  }

 private:
  const System* system_;
  LinearizedSO3Force<S> force_;
  WorkCounters work_;
};

template <class System>
using WithPrintedDrift = TrapezoidalAsPrinted<System, Printed::drift>;
template <class System>
using WithPrintedDriftAndKick = TrapezoidalAsPrinted<System, Printed::drift_and_second_kick>;

}  // namespace livi::misprints

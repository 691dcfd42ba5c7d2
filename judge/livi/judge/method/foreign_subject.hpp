// SPDX-License-Identifier: MIT
//
// A method from outside this library, in whatever language: behind a pipe (pipe_subject.hpp), in a shared library, or,
// for controls, in this process (built_in_methods.hpp). The judge sees what goes in and what comes out, and owns the
// forces. Rows of evidence are written for this interface alone.
#pragma once

#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include <livi/judge/problems/judged_problem.hpp>

namespace livi {

/// The number types that a method may compute in.
enum class NumberType { real, complex, digits, rational };

/// What a method says of itself. What it leaves out is measured and not judged; "no" must be seen to fail.
struct ForeignDeclaration {
  std::string name, source;
  std::optional<int> order;
  std::optional<bool> symplectic, symmetric, linear_momentum, angular_momentum;
  std::optional<double> gradients;        ///< evaluations of the gradient in a step after the first
  std::optional<double> stability_limit;  ///< supremum of h omega on q'' = -omega^2 q
  std::optional<int> sampling;            ///< power of h in the error of the stationary covariance, kind langevin
  std::optional<bool> hidden;             ///< Dg M^-1 p = 0 at the end of a step, kind constrained
  std::optional<bool> casimir;            ///< |mu| of a free body is constant, kind body
  bool memory = false;                    ///< the state is more than (t, q, p)
  bool forward = false;                   ///< it makes no steps of h < 0
  double tolerance = 0;           ///< error of the equations that it solves, relative to numbers above one; 0: rounding
  bool single_precision = false;  ///< numbers of `double` pass through ones of 24 bits
  std::vector<NumberType> numbers = {NumberType::real};
  int digits = 0;  ///< significant decimal digits of NumberType::digits
  std::vector<ProblemKind> kinds = {ProblemKind::mechanical};
  std::vector<ProblemKind> only_in_bath = {};  ///< those kinds that it takes with friction and temperature 0

  /// Returns whether there is anything to confirm or refute: a property, not a name, a kind or a number type.
  [[nodiscard]] bool declares_something() const;
  [[nodiscard]] bool computes_in(NumberType type) const;
  [[nodiscard]] bool takes(ProblemKind kind) const;
  /// Returns the kind as which the method is told a problem: that in a heat bath, if it takes no other.
  [[nodiscard]] ProblemKind told(ProblemKind kind) const;
  /// Returns h, or |h| if the method makes no steps of h < 0.
  [[nodiscard]] double possible_step(double h) const { return forward && h < 0 ? -h : h; }
};

/// Why a row on steps of h < 0 does not apply to a method.
inline constexpr const char* makes_no_steps_back = "it declares steps=forward";

/// Returns a kind of problem as the protocol names it, and the kind of a name, or nothing if it is none.
std::string kind_name(ProblemKind kind);
std::optional<ProblemKind> kind_named(const std::string& name);

/// The method is gone or does not keep to its contract: it died, hung, flooded or answered nonsense. What it said
/// before is worth nothing, so there is no verdict. The text is one sentence.
class ForeignFailure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};
/// The method says, as it may, that it cannot make this step, or has not got what was asked for.
class ForeignRefusal : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The method does not take a problem: another size, another kind. What needs the problem does not apply.
class ProblemRefused : public ForeignRefusal {
 public:
  using ForeignRefusal::ForeignRefusal;
};

/// A method at work on one problem in one number type. All functions throw ForeignFailure and ForeignRefusal.
template <class S>
class ForeignRun {
 public:
  virtual ~ForeignRun() = default;
  /// Sets time, position and momentum; everything else is as if the method had just begun.
  virtual void start(const TimedPoint<S>& z) = 0;
  /// Makes `count` >= 1 steps of size h (either sign).
  virtual void step(const S& h, long count) = 0;
  /// Returns the present point. Its time is that of the start and the steps made since.
  [[nodiscard]] virtual TimedPoint<S> point() = 0;
  /// Returns a text from which restore() continues, in another process too; nothing if the method has none.
  [[nodiscard]] virtual std::optional<std::string> save() = 0;
  virtual void restore(const std::string& text) = 0;
};

/// A method from outside. A subject has one run at a time: to begin one ends the one before, which must not be used any
/// more. Forces and problem must outlive the run.
class ForeignSubject {
 public:
  virtual ~ForeignSubject() = default;
  [[nodiscard]] virtual const ForeignDeclaration& declares() const = 0;
  /// Return a run in a number type that the declaration names. Throw ProblemRefused where the method does not take the
  /// problem.
  [[nodiscard]] virtual std::unique_ptr<ForeignRun<double>> in_double(Forces<double>& forces) = 0;
  [[nodiscard]] virtual std::unique_ptr<ForeignRun<std::complex<double>>> in_complex(
      Forces<std::complex<double>>& forces);
  [[nodiscard]] virtual std::unique_ptr<ForeignRun<Float50>> in_digits(Forces<Float50>& forces);
  [[nodiscard]] virtual std::unique_ptr<ForeignRun<Rational>> in_rational(Forces<Rational>& forces);
  /// Returns the same method anew, in a process of its own if it has one: it shares nothing with this one.
  [[nodiscard]] virtual std::unique_ptr<ForeignSubject> another() const = 0;

  template <class S>
  [[nodiscard]] std::unique_ptr<ForeignRun<S>> in(Forces<S>& forces) {
    if constexpr (std::is_same_v<S, double>) {
      return in_double(forces);
    } else if constexpr (std::is_same_v<S, Float50>) {
      return in_digits(forces);
    } else if constexpr (std::is_same_v<S, Rational>) {
      return in_rational(forces);
    } else {
      return in_complex(forces);
    }
  }
};

}  // namespace livi

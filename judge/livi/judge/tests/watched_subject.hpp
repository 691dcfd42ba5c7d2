// SPDX-License-Identifier: MIT
#pragma once

#include <complex>
#include <map>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>

#include <livi/judge/measures/run_points.hpp>

namespace livi::foreign_detail {

/// A method whose states are looked at, in all its processes: it says why a value is not finite.
class WatchedSubject final : public ForeignSubject {
 public:
  explicit WatchedSubject(ForeignSubject& subject) : subject_(&subject) {}

  [[nodiscard]] const ForeignDeclaration& declares() const override { return subject_->declares(); }
  std::unique_ptr<ForeignRun<double>> in_double(Forces<double>& forces) override { return watched(forces); }
  std::unique_ptr<ForeignRun<std::complex<double>>> in_complex(Forces<std::complex<double>>& forces) override {
    return watched(forces);
  }
  std::unique_ptr<ForeignRun<Float50>> in_digits(Forces<Float50>& forces) override { return watched(forces); }
  std::unique_ptr<ForeignRun<Rational>> in_rational(Forces<Rational>& forces) override {
    return subject_->in_rational(forces);  // fractions are finite
  }
  [[nodiscard]] std::unique_ptr<ForeignSubject> another() const override {
    auto other = std::make_unique<WatchedSubject>(*this);
    other->own_ = subject_->another();
    other->subject_ = other->own_.get();
    return other;
  }

  /// Says in the note of a claim why nothing finite was measured, if so, and sets the cause; forgets the states.
  void say_if_not_measured(Claim& claim, Measured& measured) {
    const std::string why = (*seen_)[measured.problem];
    seen_->clear();
    if (std::isfinite(measured.value)) return;
    measured.cause = Cause::not_measured;
    claim.note = !why.empty()         ? "inconclusive: " + why
                 : claim.note.empty() ? "not measured: the value is not finite"
                                      : "not measured: " + claim.note;
  }

 private:
  template <class S>
  class Run final : public ForeignRun<S> {
   public:
    Run(std::unique_ptr<ForeignRun<S>> run, const JudgedProblem& problem, std::map<std::string, std::string>& seen)
        : run_(std::move(run)), problem_(problem), seen_(seen) {}
    void start(const TimedPoint<S>& z) override {
      begin();
      run_->start(z);
    }
    void step(const S& h, long count) override {
      run_->step(h, count);
      made_ += count;
      see(not_finite_after(run_->point(), made_, h, problem_));
    }
    TimedPoint<S> point() override { return run_->point(); }
    std::optional<std::string> save() override { return run_->save(); }
    void restore(const std::string& text) override {
      begin();
      run_->restore(text);
    }

   private:
    void begin() {
      made_ = 0;
      see("");
    }
    void see(const std::string& why) {
      if (!problem_.name.empty()) seen_[problem_.name] = seen_[""] = why;
    }

    std::unique_ptr<ForeignRun<S>> run_;
    const JudgedProblem& problem_;
    std::map<std::string, std::string>& seen_;
    long made_ = 0;
  };
  template <class S>
  std::unique_ptr<ForeignRun<S>> watched(Forces<S>& forces) {
    return std::make_unique<Run<S>>(subject_->in<S>(forces), forces.problem(), *seen_);
  }

  std::shared_ptr<ForeignSubject> own_;
  ForeignSubject* subject_;
  /// Why the last state was not finite, by the name of the problem; empty if it was; that of all problems by an empty name.
  std::shared_ptr<std::map<std::string, std::string>> seen_ = std::make_shared<std::map<std::string, std::string>>();
};

}  // namespace livi::foreign_detail

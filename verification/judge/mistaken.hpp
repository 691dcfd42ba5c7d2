// SPDX-License-Identifier: MIT
//
// Methods that are wrong in what they take for the equations: forces of other times, or other rates of a separable problem.
#pragma once

#include <cmath>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "verification/judge/declaring.hpp"

/// Where a method asks for a force: the times of its start and of the beginning of the step, how far into the step it is, and
/// how many steps it has made before.
struct Asked {
  double start, begin, h, share, made;
};
using OtherTime = std::function<double(const Asked&)>;

/// A built-in method whose forces are those of other times.
class OtherTimes final : public livi::ForeignSubject {
 public:
  OtherTimes(livi::BuiltInMethod method, livi::ForeignDeclaration declaration, OtherTime other)
      : method_(method), subject_(std::move(method), std::move(declaration)), other_(std::move(other)) {}
  [[nodiscard]] const livi::ForeignDeclaration& declares() const override { return subject_.declares(); }
  [[nodiscard]] std::unique_ptr<livi::ForeignSubject> another() const override {
    return std::make_unique<OtherTimes>(method_, declares(), other_);
  }
  std::unique_ptr<livi::ForeignRun<double>> in_double(livi::Forces<double>& forces) override {
    return std::make_unique<Run>(subject_, forces, other_);
  }

 private:
  class AtOtherTimes final : public livi::Forces<double> {
   public:
    AtOtherTimes(livi::Forces<double>& forces, const OtherTime& other)
        : livi::Forces<double>(forces.problem()), forces_(forces), other_(other) {}
    std::vector<double> gradient(const double& t, const std::vector<double>& q) override {
      return forces_.gradient(other_({start, begin, h, (t - begin) / h, made}), q);
    }
    std::vector<double> velocity(const std::vector<double>& p) override { return forces_.velocity(p); }
    double start = 0, begin = 0, h = 0, made = 0;

   private:
    livi::Forces<double>& forces_;
    const OtherTime& other_;
  };
  class Run final : public livi::ForeignRun<double> {
   public:
    Run(livi::ForeignSubject& subject, livi::Forces<double>& forces, const OtherTime& other)
        : forces_(forces, other), run_(subject.in_double(forces_)) {}
    void start(const livi::TimedPoint<double>& z) override {
      forces_.start = z.t;
      forces_.made = 0;
      run_->start(z);
    }
    void step(const double& h, long count) override {
      forces_.h = h;
      for (; count > 0; --count) {
        forces_.begin = run_->point().t;
        run_->step(h, 1);
        ++forces_.made;
      }
    }
    livi::TimedPoint<double> point() override { return run_->point(); }
    std::optional<std::string> save() override { return std::nullopt; }
    void restore(const std::string& text) override { throw livi::ForeignRefusal(text); }

   private:
    AtOtherTimes forces_;
    std::unique_ptr<livi::ForeignRun<double>> run_;
  };
  livi::BuiltInMethod method_;
  Declaring subject_;
  OtherTime other_;
};

/// Kicks, then drifts, with rates that a test gives.
class EulerForSeparable final : public livi::ForeignSubject {
 public:
  using Vector = std::vector<double>;
  using Rates = std::function<std::pair<Vector, Vector>(livi::Forces<double>&, const Vector& q, const Vector& p)>;
  explicit EulerForSeparable(Rates rates) : rates_(std::move(rates)) {
    declaration_.name = "x";
    declaration_.kinds = {livi::ProblemKind::separable};
    declaration_.order = 1;
  }
  [[nodiscard]] const livi::ForeignDeclaration& declares() const override { return declaration_; }
  [[nodiscard]] std::unique_ptr<livi::ForeignSubject> another() const override {
    return std::make_unique<EulerForSeparable>(rates_);
  }
  std::unique_ptr<livi::ForeignRun<double>> in_double(livi::Forces<double>& forces) override {
    return std::make_unique<Run>(rates_, forces);
  }

 private:
  class Run final : public livi::ForeignRun<double> {
   public:
    Run(const Rates& rates, livi::Forces<double>& forces) : rates_(rates), forces_(forces) {}
    void start(const livi::TimedPoint<double>& z) override { z_ = z; }
    void step(const double& h, long count) override {
      const auto move = [&](Vector& x, const Vector& by) {
        for (std::size_t i = 0; i < x.size(); ++i) x[i] += h * by[i];
      };
      for (long k = 0; k < count; ++k) {
        move(z_.p, rates_(forces_, z_.q, z_.p).second);
        move(z_.q, rates_(forces_, z_.q, z_.p).first);
        z_.t += h;
      }
    }
    livi::TimedPoint<double> point() override { return z_; }
    std::optional<std::string> save() override { return std::nullopt; }
    void restore(const std::string& text) override { throw livi::ForeignRefusal(text); }

   private:
    const Rates& rates_;
    livi::Forces<double>& forces_;
    livi::TimedPoint<double> z_;
  };
  Rates rates_;
  livi::ForeignDeclaration declaration_;
};

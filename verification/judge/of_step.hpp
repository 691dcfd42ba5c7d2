// SPDX-License-Identifier: MIT
//
// A method given as the function that makes its step, before the judge.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include <livi/judge/method/foreign_subject.hpp>

/// Moves q and p of a point by a step of h; its time is that of the start, and is advanced by the run.
using Step = std::function<void(livi::Forces<double>&, livi::TimedPoint<double>&, double h)>;

class OfStep final : public livi::ForeignRun<double> {
 public:
  OfStep(livi::Forces<double>& forces, Step step) : forces_(&forces), step_(std::move(step)) {}
  void start(const livi::TimedPoint<double>& z) override { z_ = z; }
  void step(const double& h, long count) override {
    for (; count > 0; --count) {
      step_(*forces_, z_, h);
      z_.t += h;
    }
  }
  [[nodiscard]] livi::TimedPoint<double> point() override { return z_; }
  [[nodiscard]] std::optional<std::string> save() override { return std::nullopt; }
  void restore(const std::string&) override {}

 private:
  livi::Forces<double>* forces_;
  Step step_;
  livi::TimedPoint<double> z_;
};

class OfStepSubject final : public livi::ForeignSubject {
 public:
  OfStepSubject(Step step, livi::ForeignDeclaration declaration)
      : step_(std::move(step)), declaration_(std::move(declaration)) {}
  [[nodiscard]] const livi::ForeignDeclaration& declares() const override { return declaration_; }
  std::unique_ptr<livi::ForeignRun<double>> in_double(livi::Forces<double>& forces) override {
    return std::make_unique<OfStep>(forces, step_);
  }
  [[nodiscard]] std::unique_ptr<livi::ForeignSubject> another() const override {
    return std::make_unique<OfStepSubject>(step_, declaration_);
  }

 private:
  Step step_;
  livi::ForeignDeclaration declaration_;
};

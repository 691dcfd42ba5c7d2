// SPDX-License-Identifier: MIT
#pragma once

#include <livi/judge/controls/built_in_methods.hpp>

#include <functional>
#include <memory>
#include <utility>

/// Returns whether a step is the wrong one: by the problem, the size of the step and the number type.
using IsWrong = std::function<bool(const livi::JudgedProblem&, double, livi::NumberType)>;

/// Two built-in methods in one: some steps are those of the second.
template <class S>
class ForkedRun final : public livi::ForeignRun<S> {
 public:
  ForkedRun(std::unique_ptr<livi::ForeignRun<S>> right, std::unique_ptr<livi::ForeignRun<S>> wrong,
            const livi::Forces<S>& forces, IsWrong is_wrong, livi::NumberType type)
      : right_(std::move(right)),
        wrong_(std::move(wrong)),
        forces_(&forces),
        is_wrong_(std::move(is_wrong)),
        type_(type) {}
  void start(const livi::TimedPoint<S>& z) override { z_ = z; }
  void step(const S& h, long count) override {
    double size = 0;
    if constexpr (std::is_same_v<S, double>) {
      size = h;
    } else if constexpr (std::is_same_v<S, std::complex<double>>) {
      size = h.real();
    } else {
      size = h.template convert_to<double>();
    }
    livi::ForeignRun<S>& run = is_wrong_(forces_->problem(), size, type_) ? *wrong_ : *right_;
    run.start(z_);
    run.step(h, count);
    z_ = run.point();
  }
  [[nodiscard]] livi::TimedPoint<S> point() override { return z_; }
  [[nodiscard]] std::optional<std::string> save() override { return std::nullopt; }
  void restore(const std::string&) override {}

 private:
  std::unique_ptr<livi::ForeignRun<S>> right_, wrong_;
  const livi::Forces<S>* forces_;
  IsWrong is_wrong_;
  livi::NumberType type_;
  livi::TimedPoint<S> z_;
};

/// The subject of such runs, which declares what a test wants.
class Forked final : public livi::ForeignSubject {
 public:
  Forked(livi::BuiltInMethod right, livi::BuiltInMethod wrong, IsWrong is_wrong, livi::ForeignDeclaration declaration)
      : right_(std::move(right)),
        wrong_(std::move(wrong)),
        is_wrong_(std::move(is_wrong)),
        declaration_(std::move(declaration)),
        right_subject_(built_in_subject(right_)),
        wrong_subject_(built_in_subject(wrong_)) {}
  [[nodiscard]] const livi::ForeignDeclaration& declares() const override { return declaration_; }
  std::unique_ptr<livi::ForeignRun<double>> in_double(livi::Forces<double>& forces) override {
    return run(forces, livi::NumberType::real);
  }
  std::unique_ptr<livi::ForeignRun<std::complex<double>>> in_complex(
      livi::Forces<std::complex<double>>& forces) override {
    return run(forces, livi::NumberType::complex);
  }
  std::unique_ptr<livi::ForeignRun<livi::Float50>> in_digits(livi::Forces<livi::Float50>& forces) override {
    return run(forces, livi::NumberType::digits);
  }
  std::unique_ptr<livi::ForeignRun<livi::Rational>> in_rational(livi::Forces<livi::Rational>& forces) override {
    return run(forces, livi::NumberType::rational);
  }
  [[nodiscard]] std::unique_ptr<livi::ForeignSubject> another() const override {
    return std::make_unique<Forked>(right_, wrong_, is_wrong_, declaration_);
  }

 private:
  template <class S>
  std::unique_ptr<livi::ForeignRun<S>> run(livi::Forces<S>& forces, livi::NumberType type) {
    return std::make_unique<ForkedRun<S>>(right_subject_->in<S>(forces), wrong_subject_->in<S>(forces), forces,
                                          is_wrong_, type);
  }

  livi::BuiltInMethod right_, wrong_;
  IsWrong is_wrong_;
  livi::ForeignDeclaration declaration_;
  std::unique_ptr<livi::ForeignSubject> right_subject_, wrong_subject_;
};

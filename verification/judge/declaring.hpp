// SPDX-License-Identifier: MIT
#pragma once

#include <livi/judge/controls/built_in_adaptive.hpp>
#include <livi/judge/controls/built_in_methods.hpp>

#include <memory>
#include <utility>

/// A built-in method that declares what a test wants.
template <class Method>
class DeclaringMethod final : public livi::ForeignSubject {
 public:
  DeclaringMethod(Method method, livi::ForeignDeclaration declaration)
      : method_(std::move(method)), declaration_(std::move(declaration)) {
    if constexpr (std::is_same_v<Method, livi::BuiltInMethod>)
      subject_ = built_in_subject(method_);
    else
      subject_ = adaptive_subject(method_);
  }
  [[nodiscard]] const livi::ForeignDeclaration& declares() const override { return declaration_; }
  std::unique_ptr<livi::ForeignRun<double>> in_double(livi::Forces<double>& forces) override {
    return subject_->in_double(forces);
  }
  std::unique_ptr<livi::ForeignRun<std::complex<double>>> in_complex(
      livi::Forces<std::complex<double>>& forces) override {
    return subject_->in_complex(forces);
  }
  std::unique_ptr<livi::ForeignRun<livi::Float50>> in_digits(livi::Forces<livi::Float50>& forces) override {
    return subject_->in_digits(forces);
  }
  std::unique_ptr<livi::ForeignRun<livi::Rational>> in_rational(livi::Forces<livi::Rational>& forces) override {
    return subject_->in_rational(forces);
  }
  [[nodiscard]] std::unique_ptr<livi::ForeignSubject> another() const override {
    return std::make_unique<DeclaringMethod>(method_, declaration_);
  }

 private:
  Method method_;
  std::unique_ptr<livi::ForeignSubject> subject_;
  livi::ForeignDeclaration declaration_;
};
using Declaring = DeclaringMethod<livi::BuiltInMethod>;

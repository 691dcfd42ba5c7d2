// SPDX-License-Identifier: MIT
//
// Methods in a heat bath that the tests of rows and of hints share: splittings, changed rules of the bath, and momenta that become NaN.
#pragma once

#include <livi/judge/controls/built_in_methods.hpp>

#include <cmath>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "verification/judge/bath_method.hpp"

namespace livi::test {

using Of = BathRules::Of;
using Change = std::function<void(BathRules&)>;
inline BathRules rules(const Change& change) {
  BathRules changed;
  change(changed);
  return changed;
}

inline BuiltInMethod splitting(const std::string& name, std::vector<StepPart> parts) {
  return {.name = name, .parts = std::move(parts)};
}
inline BuiltInMethod obabo() {
  using What = StepPart::What;
  return splitting(
      "OBABO",
      {{What::heat_bath, 1, 2}, {What::kick, 1, 2}, {What::drift, 1}, {What::kick, 1, 2}, {What::heat_bath, 1, 2}});
}
inline BuiltInMethod aboba() {
  using What = StepPart::What;
  return splitting(
      "ABOBA",
      {{What::drift, 1, 2}, {What::kick, 1, 2}, {What::heat_bath, 1}, {What::kick, 1, 2}, {What::drift, 1, 2}});
}

inline ForeignDeclaration sampling_with(int power) {
  ForeignDeclaration declaration;
  declaration.name = "x";
  declaration.kinds = {ProblemKind::mechanical, ProblemKind::langevin};
  declaration.order = 2;
  declaration.sampling = power;
  return declaration;
}

/// BAOAB whose first momentum is NaN where there is noise.
class Numberless final : public ForeignRun<double> {
 public:
  Numberless(std::unique_ptr<ForeignRun<double>> run, Forces<double>& forces)
      : run_(std::move(run)), forces_(&forces) {}
  void start(const TimedPoint<double>& z) override { run_->start(z); }
  void step(const double& h, long count) override { run_->step(h, count); }
  [[nodiscard]] TimedPoint<double> point() override {
    TimedPoint<double> z = run_->point();
    for (const double x : forces_->normals)
      if (x != 0) z.p[0] = std::nan("");
    return z;
  }
  [[nodiscard]] std::optional<std::string> save() override { return std::nullopt; }
  void restore(const std::string&) override {}

 private:
  std::unique_ptr<ForeignRun<double>> run_;
  Forces<double>* forces_;
};
class NumberlessSubject final : public ForeignSubject {
 public:
  [[nodiscard]] const ForeignDeclaration& declares() const override { return baoab_->declares(); }
  std::unique_ptr<ForeignRun<double>> in_double(Forces<double>& forces) override {
    return std::make_unique<Numberless>(baoab_->in_double(forces), forces);
  }
  [[nodiscard]] std::unique_ptr<ForeignSubject> another() const override {
    return std::make_unique<NumberlessSubject>();
  }

 private:
  std::unique_ptr<ForeignSubject> baoab_ = built_in_subject(built_in_baoab());
};

}  // namespace livi::test

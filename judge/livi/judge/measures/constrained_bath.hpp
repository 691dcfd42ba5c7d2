// SPDX-License-Identifier: MIT
//
// A method for constrained systems in a heat bath, the kind constrained_langevin, as a subject of the measures that the battery of heat
// baths has (claims/heat_bath_measures.hpp):
//   q' = M^-1 p,  dp = -(grad V(q) + gamma p) dt + (2 gamma T)^(1/2) M^(1/2) dW - Dg(q)^T d lambda,  g(q) = 0.
// The judge gives the normal numbers: a step is a function of them. Nothing is sampled.
#pragma once

#include <livi/diagnostics/heat_bath_subject.hpp>
#include <livi/judge/measures/heat_bath.hpp>

namespace livi {

/// A method as a subject of the battery's measures, on the sphere and on the chain. One run is at work at a time: to begin one ends the
/// one before. Its limit without friction is the method itself where the kind is constrained. `method` must outlive it.
class ForeignHeatBath final : public AnyHeatBathSubject {
 public:
  explicit ForeignHeatBath(ForeignSubject& method) : method_(method) {}

  [[nodiscard]] StochasticProperties declares_for_noise() const override;
  [[nodiscard]] std::vector<std::size_t> problems() const override { return {bath_place::sphere, bath_place::chain}; }
  [[nodiscard]] std::unique_ptr<BathStepper> in_bath(std::size_t problem, const Bath<double>& bath,
                                                     const BathNumbers& numbers) const override;
  [[nodiscard]] std::unique_ptr<BathStepper> limit(std::size_t problem) const override;

 private:
  ForeignSubject& method_;
};

/// A subject on the problems that a method from outside gets: what its controls are measured on.
class OnForeignProblems final : public AnyHeatBathSubject {
 public:
  explicit OnForeignProblems(const AnyHeatBathSubject& subject) : subject_(subject) {}
  [[nodiscard]] StochasticProperties declares_for_noise() const override { return subject_.declares_for_noise(); }
  [[nodiscard]] std::vector<std::size_t> problems() const override { return {bath_place::sphere, bath_place::chain}; }
  [[nodiscard]] std::unique_ptr<BathStepper> in_bath(std::size_t problem, const Bath<double>& bath,
                                                     const BathNumbers& numbers) const override {
    return subject_.in_bath(problem, bath, numbers);
  }
  [[nodiscard]] std::unique_ptr<BathStepper> limit(std::size_t problem) const override {
    return subject_.limit(problem);
  }

 private:
  const AnyHeatBathSubject& subject_;
};

}  // namespace livi

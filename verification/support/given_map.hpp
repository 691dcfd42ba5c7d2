// SPDX-License-Identifier: MIT
//
// A stepper that is a given map, for tests of what is measured of steppers.
#pragma once

#include <functional>
#include <livi/diagnostics/measures.hpp>

namespace livi::test {

/// A map of phase space with an energy, both given.
template <class S>
class GivenMap final : public AnyStepper<S> {
 public:
  using Map = std::function<PhasePoint<S>(const PhasePoint<S>&, const S& h, int step)>;
  using Energy = std::function<S(const PhasePoint<S>&)>;
  explicit GivenMap(Map map, Energy energy = {}, int failing_step = -1)
      : map_(std::move(map)), energy_(std::move(energy)), failing_step_(failing_step) {}
  void start(const PhasePoint<S>& point) override {
    point_ = point;
    steps_ = 0;
  }
  StepOutcome step(const S& h) override {
    if (++steps_ == failing_step_) return {livi::Failure::no_convergence, 1};
    point_ = map_(point_, h, steps_);
    return {};
  }
  PhasePoint<S> point() override { return point_; }
  PhasePoint<S> canonical(const PhasePoint<S>& z, const S&) override { return z; }
  void reverse() override { point_.p = -point_.p; }
  S energy(const PhasePoint<S>& z) override { return energy_(z); }
  livi::RealOf<S> constraint_defect() override { return livi::RealOf<S>(0); }
  std::string save() override { return {}; }
  void load(const std::string&) override {}

 private:
  Map map_;
  Energy energy_;
  int failing_step_, steps_ = 0;
  PhasePoint<S> point_;
};

template <class S>
PhasePoint<S> one_dimensional(const S& q, const S& p) {
  PhasePoint<S> z{Vector<S, Dynamic>(1), Vector<S, Dynamic>(1)};
  z.q(0) = q;
  z.p(0) = p;
  return z;
}

/// (q, p) -> m (q, p), entries functions of h.
template <class S>
GivenMap<S> linear_map(const std::function<std::array<S, 4>(const S&)>& m) {
  return GivenMap<S>([m](const PhasePoint<S>& z, const S& h, int) {
    const std::array<S, 4> a = m(h);
    return one_dimensional<S>(a[0] * z.q(0) + a[1] * z.p(0), a[2] * z.q(0) + a[3] * z.p(0));
  });
}

}  // namespace livi::test

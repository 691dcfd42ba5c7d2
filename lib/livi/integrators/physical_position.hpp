// SPDX-License-Identifier: MIT
//
// The physical position that a state stands for. Z&S and push-forward Newmark step another variable, the paper's x; the physical
// position is q = x + beta h^2 a (TO14 (13)), whose acceleration a takes one solve. All other methods step q itself.
#pragma once

#include <livi/integrators/integrator.hpp>
#include <stdexcept>

namespace livi {

/// A method whose state holds another variable than the physical position.
template <class Method>
concept StepsAnotherPosition = requires(Method& method, const VectorOf<typename Method::system_type>& x,
                                        const ScalarOf<typename Method::system_type>& h,
                                        VectorOf<typename Method::system_type>& q, WorkCounters& work) {
  method.force().physical_position(method.system(), x, h, q, work);
};

/// Writes the physical position of a state of the method with step h into q, which may be z.q itself only if the method steps q. The work
/// is not counted as the method's. Fails as a step does, where the linear system of a is singular.
template <class Method>
StepOutcome physical_position(Method& method, const typename Method::state_type& z,
                              const ScalarOf<typename Method::system_type>& h,
                              VectorOf<typename Method::system_type>& q) {
  if constexpr (StepsAnotherPosition<Method>) {
    WorkCounters of_reading;
    return method.force().physical_position(method.system(), z.q, h, q, of_reading);
  } else {
    q = z.q;
    return {};
  }
}

/// Returns the physical position of a state of the method with step h. Throws std::runtime_error where its linear system is singular.
template <class Method>
VectorOf<typename Method::system_type> physical_position(Method& method, const typename Method::state_type& z,
                                                         const ScalarOf<typename Method::system_type>& h) {
  VectorOf<typename Method::system_type> q = z.q;
  if (const StepOutcome outcome = physical_position(method, z, h, q); !outcome.ok())
    throw std::runtime_error("the physical position of a state: " + outcome.describe());
  return q;
}

}  // namespace livi

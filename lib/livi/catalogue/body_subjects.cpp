// SPDX-License-Identifier: MIT
#include <livi/integrators/body_runge_kutta.hpp>
#include <livi/integrators/cayley_variational_euler.hpp>
#include <livi/integrators/lie_midpoint.hpp>
#include <livi/integrators/lie_newmark.hpp>
#include <livi/integrators/lie_verlet.hpp>

#include <livi/catalogue/library_subjects.hpp>

namespace livi {

std::vector<NamedSubject> body_subjects() {
  using so3::CayleyMap, so3::ExponentialMap;
  std::vector<NamedSubject> list;
  list.push_back(
      rigid_body("LieNewmark_Cayley", []<class System>(const System& s) { return LieNewmark<System, CayleyMap>(s); }));
  list.push_back(rigid_body("LieNewmark_exponential",
                            []<class System>(const System& s) { return LieNewmark<System, ExponentialMap>(s); }));
  list.push_back(
      rigid_body("LieVerlet_Cayley", []<class System>(const System& s) { return LieVerlet<System, CayleyMap>(s); }));
  list.push_back(rigid_body("LieVerlet_exponential",
                            []<class System>(const System& s) { return LieVerlet<System, ExponentialMap>(s); }));
  list.push_back(rigid_body("LieMidpoint_exponential",
                            []<class System>(const System& s) { return LieMidpoint<System, ExponentialMap>(s); }));
  list.push_back(rigid_body("LieMidpoint_Cayley",
                            []<class System>(const System& s) { return LieMidpoint<System, CayleyMap>(s); }));
  list.push_back(rigid_body("CayleyVariationalEuler",
                            []<class System>(const System& s) { return CayleyVariationalEuler<System>(s); }));
  list.push_back(rigid_body("RungeKuttaMuntheKaas4",
                            []<class System>(const System& s) { return RungeKuttaMuntheKaas4<System>(s); }));
  list.push_back(
      rigid_body("MatrixRungeKutta4", []<class System>(const System& s) { return MatrixRungeKutta4<System>(s); }));
  return list;
}

}  // namespace livi

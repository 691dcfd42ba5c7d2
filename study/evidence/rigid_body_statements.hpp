// SPDX-License-Identifier: MIT
//
// Symplecticity of Lie-Verlet and Lie-Newmark with the Cayley map as statements for certify().
//
// The Cayley map is rational, but the steps are implicit. Lie-Verlet becomes explicit with the parameters (x, W), Q_k =
// cay(x), W = W_{k+1/2}: (8) gives I W_k = mu_k, (9) Q_{k+1}, (10) mu_{k+1}, and the forms of both ends are compared on
// variations of (x, W). For Lie-Newmark, (6) stays implicit: a point is made on which W_k, W_{k+1/2} and W_{k+1} are
// chosen, and the linear potential found that joins them (the two torques are six linear equations); the derivative of
// W_{k+1} there is one Newton step in dual numbers.
#pragma once

#include <livi/diagnostics/certificate.hpp>
#include <livi/systems/lie_system.hpp>
#include <livi/systems/rotation_potentials.hpp>

namespace livi::theorem {

template <class S>
using Body = LieSystem<FullMass<S, 3>, TracePolynomialPotential<S>>;

template <class K>
Vector3<K> draw_vector(Draw<K>& draw, const std::string& name) {
  const Vector<K, Dynamic> v = draw.variables(name, 3);
  return vector3<K>(v(0), v(1), v(2));
}
template <class K>
Matrix3<K> draw_matrix(Draw<K>& draw, const std::string& name) {
  const Vector<K, Dynamic> v = draw.variables(name, 9);
  return Matrix3<K>(v.data());
}
template <class T, class K>
FullMass<T, 3> draw_inertia(Draw<K>& draw) {
  return FullMass<T, 3>(draw.symmetric("I", 3).template cast<T>().eval());
}
template <class T, class K>
Body<T> draw_body(Draw<K>& draw) {
  FullMass<T, 3> inertia = draw_inertia<T>(draw);
  const Matrix3<K> linear = draw_matrix(draw, "c"), direction = draw_matrix(draw, "d");
  return {std::move(inertia), {linear.template cast<T>(), direction.template cast<T>()}};
}

/// The torque of `factor` times the potential B mu Q_33 of TO14 4.5 minus the torque m x F of a field F = B e3 on a dipole
/// m = mu Q e3, both in the axes of the body.
template <class K>
std::vector<K> torque_less_that_on_the_dipole(Draw<K>& draw, int factor) {
  const K strength = draw.variable("strength");
  const Matrix3<K> q = so3::cay(draw_vector(draw, "x"));
  const Vector3<K> axis = vector3<K>(K(0), K(0), K(1));
  Vector3<K> torque;
  MagneticDipolePotential<K>{strength}.torque(q, torque);
  const Vector3<K> left = K(factor) * torque - strength * cross(axis, Vector3<K>(q.transpose() * axis));
  return {left(0), left(1), left(2)};
}

/// A step by its two ends, attitudes and body momenta.
template <class T>
struct Ends {
  Matrix3<T> q_start;
  Vector3<T> mu_start;
  Matrix3<T> q_end;
  Vector3<T> mu_end;
};

/// Differences of the form of T*SO(3) at both ends on all pairs of variations of six parameters. bracket = -1: the form
/// of the right trivialisation.
/// With `with_ends`, then also the values of both ends, matrices by columns: 24 numbers.
template <class K, class Map>
std::vector<K> form_differences_of_body(const Vector3<K>& x, const Vector3<K>& w, const Map& ends, int bracket = 1,
                                        bool with_ends = false) {
  using D = Dual<K>;
  struct Variation {
    Vector3<K> eta, nu, mu;
  };
  std::vector<Variation> start, end;
  std::vector<K> values_of_ends;
  for (int j = 0; j < 6; ++j) {
    Vector3<D> dx, dw;
    for (int i = 0; i < 3; ++i) {
      dx(i) = D(x(i), K(i == j ? 1 : 0));
      dw(i) = D(w(i), K(i + 3 == j ? 1 : 0));
    }
    const Ends<D> e = ends(dx, dw);
    const auto variation = [](const Matrix3<D>& q, const Vector3<D>& mu) {
      const Matrix3<K> at = q.unaryExpr([](const D&d) { return d.value; }),
                       rate = q.unaryExpr([](const D&d) { return d.derivative; });
      return Variation{so3::vee<K>(at.transpose() * rate), mu.unaryExpr([](const D& d) { return d.derivative; }),
                       mu.unaryExpr([](const D& d) { return d.value; })};
    };
    if (with_ends && j == 0)
      for (const auto& [q, mu] : {std::pair(e.q_start, e.mu_start), std::pair(e.q_end, e.mu_end)}) {
        for (int i = 0; i < 9; ++i) values_of_ends.push_back(q.data()[i].value);
        for (int i = 0; i < 3; ++i) values_of_ends.push_back(mu(i).value);
      }
    start.push_back(variation(e.q_start, e.mu_start));
    end.push_back(variation(e.q_end, e.mu_end));
  }
  std::vector<K> differences;
  const auto form = [&](const Variation& a, const Variation& b) {
    return left_trivialised_form<K>(K(bracket) * a.mu, a.eta, a.nu, b.eta, b.nu);
  };
  for (std::size_t a = 0; a < 6; ++a)
    for (std::size_t b = a + 1; b < 6; ++b) differences.push_back(form(end[a], end[b]) - form(start[a], start[b]));
  differences.insert(differences.end(), values_of_ends.begin(), values_of_ends.end());
  return differences;
}

/// Which momentum (8) and (10) have for W: (dcay_x^-1)' I W, or the same without x (x . I W)/4, their terms with h/2 (W
/// . I W) W.
enum class Verlet { as_defined, without_its_square };
template <class T>
Vector3<T> momentum_of(Verlet verlet, const Vector3<T>& x, const Vector3<T>& mu) {
  if (verlet == Verlet::as_defined) return so3::CayleyMap::pull_back(x, mu);
  return mu - cross(x, mu) / T(2);
}
/// The ends of a step of h with Q_k = cay(x) and W_{k+1/2} = w.
template <class System, class T>
Ends<T> verlet_ends(const System& system, const Vector3<T>& x, const Vector3<T>& w, const T& h, Verlet verlet) {
  const Vector3<T> y = h * w, mu = system.momentum(w);
  const Matrix3<T> q = so3::cay(x), turned = q * so3::cay(y);
  return {q, momentum_of<T>(verlet, -y, mu) - (h / T(2)) * system.torque(q), turned,
          momentum_of<T>(verlet, y, mu) + (h / T(2)) * system.torque(turned)};
}

struct VerletIsSymplectic {
  Verlet verlet = Verlet::as_defined;
  int bracket = 1;
  bool with_ends = false;
  template <class K>
  std::vector<K> operator()(Draw<K>& draw) const {
    using D = Dual<K>;
    const Body<D> body = draw_body<D>(draw);
    const D h(draw.positive("h"));
    const Vector3<K> x = draw_vector(draw, "x"), w = draw_vector(draw, "w");
    return form_differences_of_body<K>(
        x, w, [&](const Vector3<D>& dx, const Vector3<D>& dw) { return verlet_ends(body, dx, dw, h, verlet); }, bracket,
        with_ends);
  }
};

/// With `with_ends`, then the ends, and last the potential, which does not vary with (x, W): nine numbers by columns.
struct NewmarkIsSymplectic {
  bool with_ends = false;
  bool equal_moments = false;  ///< the control: three moments of one size, where the form is kept
  template <class K>
  std::vector<K> operator()(Draw<K>& draw) const {
    using D = Dual<K>;
    const FullMass<K, 3> inertia =
        equal_moments ? FullMass<K, 3>(draw.positive("moment") * identity3<K>()) : draw_inertia<K>(draw);
    const LieSystem<FullMass<K, 3>, FreeBodyPotential<K>> free(inertia, {});
    const K h = draw.positive("h"), half = h / K(2);
    const Vector3<K> x = draw_vector(draw, "x"), w = draw_vector(draw, "w"), middle = draw_vector(draw, "m"),
                     last = draw_vector(draw, "l");
    const Matrix3<K> q = so3::cay(x), turned = q * so3::cay(Vector3<K>(h * middle));
    // The torques that join w, middle and last by (4) and (6).
    const auto gyroscopic = [&](const Vector3<K>& v) { return cross(free.momentum(v), v); };
    const Vector3<K> first_torque = (free.momentum(middle) - free.momentum(w)) / half - gyroscopic(w),
                     last_torque = (free.momentum(last) - free.momentum(middle)) / half - gyroscopic(last);
    // U = tr(C'Q), C a combination of six matrices.
    std::vector<Matrix3<K>> basis;
    Matrix<K, 6> torques;
    Vector<K, 6> combination;
    for (int a = 0; a < 6; ++a) {
      basis.push_back(draw_matrix(draw, "c" + std::to_string(a) + "_"));
      const Vector3<K> at_first = -so3::vee_of_difference<K>(q.transpose() * basis.back()),
                       at_last = -so3::vee_of_difference<K>(turned.transpose() * basis.back());
      for (int i = 0; i < 3; ++i) {
        torques(i, a) = at_first(i);
        torques(i + 3, a) = at_last(i);
        if (a == 0) combination(i) = first_torque(i), combination(i + 3) = last_torque(i);
      }
    }
    GaussianElimination<K, 6> solver;
    if (solver.factor(torques).singular) throw StepFailed("no potential joins the velocities");
    solver.solve_in_place(combination);
    Matrix3<K> linear = Matrix3<K>::Constant(K(0));
    for (int a = 0; a < 6; ++a) linear += combination(a) * basis[static_cast<std::size_t>(a)];

    const Body<D> body(FullMass<D, 3>(inertia.matrix().template cast<D>().eval()),
                       {linear.template cast<D>(), Matrix3<D>::Constant(D(0))});
    std::vector<K> values = form_differences_of_body<K>(
        x, w,
        [&](const Vector3<D>& dx, const Vector3<D>& dw) {
          const D dhalf(half);
          const Matrix3<D> start = so3::cay(dx);
          const Vector3<D> dmiddle = dw + dhalf * body.acceleration(dw, body.torque(start));
          const Matrix3<D> end = start * so3::cay(Vector3<D>(D(h) * dmiddle));
          // (6) at W_{k+1} = last: zero in value; its derivative gives that of W_{k+1}.
          const Vector3<D> dlast = last.template cast<D>();
          const Vector3<D> mu = body.momentum(dlast);
          Vector3<D> residual = mu - body.momentum(dmiddle) - dhalf * (cross(mu, dlast) + body.torque(end));
          for (int i = 0; i < 3; ++i)
            if (!(residual(i).value == K(0))) throw std::logic_error("(6) does not hold at the point that was made");
          Matrix3<D> kinetic = dhalf * so3::hat(dlast);
          for (int i = 0; i < 3; ++i) kinetic(i, i) = D(1);
          const Matrix3<D> jacobian = body.times_inertia(kinetic) - dhalf * so3::hat(mu);
          if (solve_three_equations(jacobian, residual).singular) throw StepFailed("(6) is singular");
          return Ends<D>{start, body.momentum(dw), end, body.momentum(Vector3<D>(dlast - residual))};
        },
        1, with_ends);
    if (with_ends) values.insert(values.end(), linear.data(), linear.data() + 9);
    return values;
  }
};

}  // namespace livi::theorem

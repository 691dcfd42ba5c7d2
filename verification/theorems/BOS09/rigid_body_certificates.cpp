// SPDX-License-Identifier: MIT
// Theorem: BOS09 Sect. 1, 2 and TO14 4.5, exactly: Lie-Verlet with the Cayley map is symplectic on T*SO(3), symmetric
// and keeps momentum; Lie-Newmark is not symplectic; LinearizedSO3 is symplectic with the corrected f, not with the
// printed one.
//
// The statements about Lie-Verlet and Lie-Newmark are in rigid_body_statements.hpp.
#include "study/evidence/certified.hpp"

#include <livi/integrators/linearized_so3.hpp>
#include <livi/scalar/multiprecision.hpp>

#include "study/evidence/rigid_body_statements.hpp"
#include "study/misprints/linearized_so3_as_printed.hpp"
#include "study/program/report_parts.hpp"

namespace livi::theorem {

Program this_program() {
  return {"rigid_body_certificates",
          {"BOS09, TO14", "Sect. 1, 2; 4.5", "BOS09 (4)-(10), TO14 (36)-(37)"},
          "exact symplecticity, symmetry and momentum maps of the integrators on SO(3)"};
}

namespace {

/// A step of -h from the end has the same W_{k+1/2} and comes back; so does a step of h from the end turned round.
struct VerletIsSymmetric {
  Verlet verlet = Verlet::as_defined;
  bool stale_torque = false;  ///< the control: the second kick takes the torque of the beginning
  template <class K>
  std::vector<K> operator()(Draw<K>& draw) const {
    const Body<K> body = draw_body<K>(draw);
    const K h = draw.positive("h");
    const Vector3<K> x = draw_vector(draw, "x"), w = draw_vector(draw, "w");
    Ends<K> e = verlet_ends(body, x, w, h, verlet);
    const auto step_back = [&](const K& by, const Vector3<K>& velocity, const Vector3<K>& mu, int sign) {
      // From (Q_{k+1}, mu) with W_{k+1/2} = velocity: (8) must hold, and (9), (10) must end at the start.
      const Vector3<K> y = by * velocity;
      const Vector3<K> half = momentum_of<K>(verlet, -y, body.momentum(velocity));
      const Matrix3<K> q = e.q_end * so3::cay(y);
      const Vector3<K> end = momentum_of<K>(verlet, y, body.momentum(velocity)) + (by / K(2)) * body.torque(q);
      const Vector3<K> equation = half - mu - (by / K(2)) * body.torque(e.q_end), arrival = end - K(sign) * e.mu_start;
      const Matrix3<K> attitude = q - e.q_start;
      std::vector<K> values;
      for (int i = 0; i < 3; ++i) values.push_back(equation(i));
      for (int i = 0; i < 3; ++i) values.push_back(arrival(i));
      for (int i = 0; i < 9; ++i) values.push_back(attitude.data()[i]);
      return values;
    };
    if (stale_torque) e.mu_end += (h / K(2)) * (body.torque(e.q_start) - body.torque(e.q_end));
    std::vector<K> values = step_back(K(-h), w, e.mu_end, 1);
    for (const K& value : step_back(h, Vector3<K>(-w), Vector3<K>(-e.mu_end), -1)) values.push_back(value);
    return values;
  }
};

/// Changes of e_3 . Q mu of the heavy top, and of Q mu and |mu|^2 of the free body.
struct VerletKeepsMomentum {
  bool broken = false;  ///< the control: a field across
  template <class K>
  std::vector<K> operator()(Draw<K>& draw) const {
    const FullMass<K, 3> inertia = draw_inertia<K>(draw);
    const K h = draw.positive("h");
    const Vector3<K> x = draw_vector(draw, "x"), w = draw_vector(draw, "w"), centre = draw_vector(draw, "r");
    const LieSystem<FullMass<K, 3>, FreeBodyPotential<K>> free(inertia, {});
    const Ends<K> e = verlet_ends(free, x, w, h, Verlet::as_defined);
    const Vector3<K> spatial = e.q_end * e.mu_end - e.q_start * e.mu_start;
    std::vector<K> values{spatial(0), spatial(1), spatial(2), dot(e.mu_end, e.mu_end) - dot(e.mu_start, e.mu_start)};
    TracePolynomialPotential<K> top{Matrix3<K>::Constant(K(0)), Matrix3<K>::Constant(K(0))};
    for (int j = 0; j < 3; ++j) top.linear(2, j) = centre(j);
    if (broken) top.linear(0, 0) = draw.variable("field");
    const Ends<K> t = verlet_ends(Body<K>(inertia, top), x, w, h, Verlet::as_defined);
    values.push_back(Vector3<K>(t.q_end * t.mu_end - t.q_start * t.mu_start)(2));
    return values;
  }
};

int nonzero(const Certificate& certificate) {
  EXPECT_NE(certificate.finding, Certificate::Finding::undecided) << certificate.note;
  return certificate.nonzero;
}
template <class Statement>
Control control_of(const std::string& name, Statement statement) {
  return exact_control(name, certify(statement));
}

TEST(RigidBodies, lie_verlet_is_symplectic) {
  const Certificate found = certify(VerletIsSymplectic{});
  expect_verdict(exactly(
      found, {.id = "BOS09.certificate.vlv-symplectic",
              .controls = {
                  control_of("without h/2 (W . I W) W in (8) and (10)", VerletIsSymplectic{Verlet::without_its_square}),
                  control_of("in the form with the other bracket", VerletIsSymplectic{Verlet::as_defined, -1})}}));
}

TEST(RigidBodies, lie_verlet_is_symmetric) {
  const Certificate found = certify(VerletIsSymmetric{});
  // Symmetry does not need the square terms: a method that lacks them is symmetric too, and not symplectic.
  EXPECT_EQ(nonzero(certify(VerletIsSymmetric{Verlet::without_its_square})), 0);
  expect_verdict(exactly(
      found,
      {.id = "BOS09.certificate.vlv-symmetric",
       .controls = {control_of("the torque of the beginning in (10)", VerletIsSymmetric{Verlet::as_defined, true})},
       .note = "So is the method without the terms h/2 (W . I W) W, which is not symplectic: symmetry says "
               "nothing of it."}));
}

TEST(RigidBodies, lie_verlet_keeps_momentum) {
  const Certificate found = certify(VerletKeepsMomentum{});
  expect_verdict(exactly(found, {.id = "BOS09.certificate.vlv-momentum",
                                 .controls = {control_of("a field across the vertical", VerletKeepsMomentum{true})}}));
}

TEST(RigidBodies, lie_newmark_is_not_symplectic) {
  EXPECT_EQ(nonzero(certify(NewmarkIsSymplectic{})), 15);
  EXPECT_EQ(nonzero(certify(NewmarkIsSymplectic{.equal_moments = true})), 0);
}

/// The library's LinearizedSO3 (over exact numbers it eliminates the nine equations), or one with a misprint.
template <template <class> class Method>
struct LinearizedIsSymplectic {
  bool field = true;  ///< B mu is not zero
  template <class K>
  std::vector<K> operator()(Draw<K>& draw) const {
    using D = Dual<K>;
    const PenalisedBody<D> system =
        penalised_body<D>(field ? D(draw.positive("strength")) : D(0), D(draw.positive("omega")));
    const D h(draw.positive("h"));
    const PhasePoint<K> at{draw.variables("r", 9), draw.variables("p", 9)};
    Method<PenalisedBody<D>> method(system, {D(draw.positive("beta"))});
    return symplecticity<K>(at, [&](Vector<D, Dynamic>& q, Vector<D, Dynamic>& p) {
      auto z = method.start(Vector<D, 9>(q), system.velocity(Vector<D, 9>(p)));
      if (!method.step(z, h).ok()) throw StepFailed("(37) is singular");
      q = z.q;
      p = system.momentum(z.v);
    });
  }
};

/// The trapezoidal form with f corrected, drift and second kick as printed: R_{k+1} = R_k + h v_{k+1}, v_{k+1} = v_k +
/// h/2 f_{k+1}. (R_k, R_{k+1}) for its parameters make it explicit.
struct PrintedDriftIsSymplectic {
  template <class K>
  std::vector<K> operator()(Draw<K>& draw) const {
    using D = Dual<K>;
    const PenalisedBody<D> system = penalised_body<D>(D(draw.positive("strength")), D(draw.positive("omega")));
    const D h(draw.positive("h")), beta(draw.positive("beta"));
    const auto end = [&](const Vector<D, Dynamic>& z) {
      const Vector<D, 9> from = z.head(9), to = z.tail(9);
      return PhasePoint<D>{to, system.momentum(Vector<D, 9>((to - from) / h))};
    };
    const auto start = [&](const Vector<D, Dynamic>& z) {
      const Vector<D, 9> from = z.head(9), to = z.tail(9);
      LinearizedSO3Force<D> force({beta});
      WorkCounters work;
      Vector<D, 9> f;
      if (!force(system, to, h, f, work).ok()) throw StepFailed("(37) is singular");
      return PhasePoint<D>{from, system.momentum(Vector<D, 9>((to - from) / h - (h / D(2)) * f))};
    };
    return symplecticity<K>(draw.variables("z", 18), start, end);
  }
};

// --- what floating-point numbers run and exact ones do not ----------------------------------------------------------

/// (37) from the polar factors R = cay(x) P, P symmetric, less (37) from nine equations; `wrong`: the factors of
/// another matrix.
struct StructuredSolutionIsTheDenseOne {
  bool wrong = false;
  template <class K>
  std::vector<K> operator()(Draw<K>& draw) const {
    using Force = LinearizedSO3Force<K>;
    const K c = draw.positive("c");
    const Matrix3<K> u = so3::cay(draw_vector(draw, "x")), p(draw.symmetric("P", 3)), r = u * p, s = r.transpose() * r,
                     right = draw_matrix(draw, "b");
    Matrix3<K> dense, structured;
    WorkCounters work;
    if (!Force::solve_dense(r, c, right, dense, work).ok() ||
        !Force::solve_structured(u, wrong ? s : p, s, c, right, structured, work).ok())
      throw StepFailed("(37) is singular");
    std::vector<K> values;
    for (int i = 0; i < 9; ++i) values.push_back(structured.data()[i] - dense.data()[i]);
    return values;
  }
};

/// All rows from which the quaternion of cay(x) is taken are parallel; of any matrix they are not.
struct QuaternionRowsAreParallel {
  bool any_matrix = false;
  template <class K>
  std::vector<K> operator()(Draw<K>& draw) const {
    const Matrix3<K> q = any_matrix ? draw_matrix(draw, "q") : so3::cay(draw_vector(draw, "x"));
    const auto [w, v] = so3::detail::quaternion(q);
    std::vector<K> values;
    for (int i = 0; i < 3; ++i) {
      const auto [other_w, other_v] = so3::detail::quaternion_row(q, i);
      const Vector3<K> area = cross(v, other_v);
      for (int j = 0; j < 3; ++j) {
        values.push_back(w * other_v(j) - other_w * v(j));
        values.push_back(area(j));
      }
    }
    return values;
  }
};

/// A step of LinearizedSO3 from a matrix that is near a rotation, all of it rational.
template <class S>
PhaseState<S, 9> step_near_a_rotation() {
  const Matrix3<S> u = so3::cay(vector3<S>(ratio<S>(2, 3), ratio<S>(-1, 2), ratio<S>(3, 4)));
  Vector<S, 9> q, v;
  for (int i = 0; i < 9; ++i) {
    q(i) = u.data()[i] + ratio<S>(i - 4, 100);
    v(i) = ratio<S>(2 * i - 7, 20);
  }
  const PenalisedBody<S> system = penalised_body<S>(ratio<S>(1, 2), S(8));
  LinearizedSO3<PenalisedBody<S>> method(system, {ratio<S>(2, 5)});
  auto z = method.start(q, v);
  EXPECT_TRUE(method.step(z, ratio<S>(1, 10)).ok());
  return {z.q, z.v};
}

TEST(RigidBodies, floating_point_takes_other_code_and_gets_the_same) {
  const Certificate solutions = certify(StructuredSolutionIsTheDenseOne{}), rows = certify(QuaternionRowsAreParallel{});
  EXPECT_TRUE(solutions.proved()) << solutions.describe();
  EXPECT_TRUE(rows.proved()) << rows.describe();
  EXPECT_TRUE(certify(StructuredSolutionIsTheDenseOne{true}).disproved());
  EXPECT_TRUE(certify(QuaternionRowsAreParallel{true}).disproved());
  // A whole step as certified, in rational numbers, and as it is run, with the polar factors by iteration.
  using F = Float50;
  const auto certified = step_near_a_rotation<Rational>();
  const auto run = step_near_a_rotation<F>();
  F worst = 0;
  for (int i = 0; i < 9; ++i) {
    worst = larger(worst, F(abs(F(certified.q(i)) - run.q(i))));
    worst = larger(worst, F(abs(F(certified.v(i)) - run.v(i))));
  }
  EXPECT_LT(worst, F("1e-46")) << "50 digits, less those of some hundred operations on numbers of size 1 to 100";
  report().measurement({.name = "linearized_so3.step.as_run_less_as_certified",
                        .value = to_double(worst),
                        .tolerance = {.absolute = 1e-46},
                        .noise_floor = 1e-46});
}

// --- LinearizedSO3 --------------------------------------------------------------------------------------------------

TEST(RigidBodies, linearized_so3_is_symplectic_with_the_corrected_force) {
  const Certificate printed = certify(LinearizedIsSymplectic<misprints::WithPrintedForce>{}),
                    first_order = certify(LinearizedIsSymplectic<LinearizedSO3Euler>{}),
                    corrected = certify(LinearizedIsSymplectic<LinearizedSO3>{});
  EXPECT_TRUE(first_order.proved()) << first_order.describe();
  EXPECT_TRUE(corrected.proved()) << corrected.describe();
  report().count("linearized_so3.corrected.functions_that_do_not_vanish", nonzero(first_order) + nonzero(corrected));
  expect_verdict(exactly(
      combined({first_order, corrected}),
      {.id = "TO14.certificate.linearized-so3",
       .controls = {exact_control("f_k as printed, trapezoidal", printed),
                    control_of("the printed sign alone", LinearizedIsSymplectic<misprints::WithPrintedSign>{}),
                    control_of("the printed transposes alone",
                               LinearizedIsSymplectic<misprints::WithPrintedTransposes>{}),
                    control_of("f_k corrected, drift and second kick of the trapezoidal form as printed",
                               PrintedDriftIsSymplectic{})},
       .note = "This f_k is the derivative of the action. First order: " + first_order.describe() +
               ". Trapezoidal: " + corrected.describe() +
               ". Certified is the solution of the nine equations of (37), which a step in floating point takes where "
               "R is far from SO(3) only; elsewhere it splits (37) by the polar factors of R, and this is certified to "
               "be the same solution."}));
}

}  // namespace
}  // namespace livi::theorem

// SPDX-License-Identifier: MIT
//
// Tests symplecticity: the form before and after a step, with exact Jacobians in 50 digits; of conjugate symplectic
// methods in the coordinates of their canonical map, which is to be a change of coordinates near the identity, and
// continuous.
#include <algorithm>
#include <cmath>
#include <livi/claims/battery/canonical_maps.hpp>
#include <livi/claims/battery/controls.hpp>
#include <livi/claims/battery/problems.hpp>
#include <livi/claims/battery/tests.hpp>
#include <livi/diagnostics/measures.hpp>
#include <livi/diagnostics/seed.hpp>

namespace livi::battery_detail {

namespace {

/// Returns the worst symplecticity defect of `steps` steps. More than two start from the first point of each problem,
/// and are judged relative to the size of the images, which grow. With `bracket` = -1 mu has the opposite sign in the
/// form, which is then that of the right trivialisation.
Worst symplectic_worst(const Subject& subject, const Float50& h, const CanonicalMap& map, int bracket = 1,
                       int steps = 2) {
  Worst worst;
  const SymplecticForm form = [&](const PhasePoint<Float50>& at, const PhasePoint<Float50>& a,
                                  const PhasePoint<Float50>& b) {
    return subject.form(bracket == 1 ? at : PhasePoint<Float50>{at.q, -at.p}, a, b);
  };
  const auto& problems = subject.problems();
  for (std::size_t i = 0; i < problems.size(); ++i) {
    if (problems[i].role != ProblemRole::generic) continue;
    auto stepper = subject.in_duals(i);
    for (std::size_t k = 0; k < (steps > 2 ? 1 : problems[i].points.size()); ++k) {
      const auto& tangents =
          problems[i].tangents.empty() ? std::vector<PhasePoint<Float50>>{} : problems[i].tangents[k];
      worst.update(symplecticity_residual(*stepper, problems[i].points[k], tangents, h, steps, map, form, steps > 2),
                   problems[i].name);
    }
  }
  return worst;
}

/// Returns the determinant of a, by elimination with row pivoting.
Float50 determinant(Matrix<Float50, Dynamic> a) {
  Float50 product = 1;
  for (Eigen::Index k = 0; k < a.rows(); ++k) {
    Eigen::Index pivot = k;
    for (Eigen::Index i = k + 1; i < a.rows(); ++i)
      if (abs(a(i, k)) > abs(a(pivot, k))) pivot = i;
    if (a(pivot, k) == 0) return 0;
    if (pivot != k) {
      a.row(k).swap(a.row(pivot));
      product = -product;
    }
    product *= a(k, k);
    for (Eigen::Index i = k + 1; i < a.rows(); ++i) {
      const Float50 factor = a(i, k) / a(k, k);
      for (Eigen::Index j = k; j < a.cols(); ++j) a(i, j) -= factor * a(k, j);
    }
  }
  return product;
}

/// Returns how far a map is from the identity at step h: the largest of |map(z) - z| and |Pf - 1|, where Pf is the
/// Pfaffian of the form in mapped tangent vectors over that in the vectors themselves (its square is a quotient of
/// determinants).
Worst distance_from_identity(const Subject& subject, const Float50& h, const CanonicalMap& map) {
  using D = Dual<Float50>;
  Worst worst;
  const auto& problems = subject.problems();
  for (std::size_t i = 0; i < problems.size(); ++i) {
    if (problems[i].role != ProblemRole::generic) continue;
    const auto stepper = subject.in_duals(i);
    for (std::size_t k = 0; k < problems[i].points.size(); ++k) {
      const PhasePoint<Float50>& at = problems[i].points[k];
      std::vector<PhasePoint<Float50>> tangents, mapped;
      if (!problems[i].tangents.empty()) tangents = problems[i].tangents[k];
      const Eigen::Index n = at.q.size(), m = at.p.size();
      if (tangents.empty())
        for (Eigen::Index j = 0; j < n + m; ++j) {
          tangents.push_back(
              {Vector<Float50, Dynamic>::Constant(n, Float50(0)), Vector<Float50, Dynamic>::Constant(m, Float50(0))});
          (j < n ? tangents.back().q(j) : tangents.back().p(j - n)) = 1;
        }
      PhasePoint<Float50> image = at;
      for (const PhasePoint<Float50>& tangent : tangents) {
        PhasePoint<D> z{Vector<D, Dynamic>(n), Vector<D, Dynamic>(m)};
        for (Eigen::Index a = 0; a < n; ++a) z.q(a) = D(at.q(a), tangent.q(a));
        for (Eigen::Index a = 0; a < m; ++a) z.p(a) = D(at.p(a), tangent.p(a));
        stepper->start(z);
        const PhasePoint<D> end = map(*stepper, z, D(h));
        mapped.push_back({end.q.unaryExpr([](const D& x) { return x.derivative; }),
                          end.p.unaryExpr([](const D& x) { return x.derivative; })});
        image = {end.q.unaryExpr([](const D& x) { return x.value; }),
                 end.p.unaryExpr([](const D& x) { return x.value; })};
      }
      const auto gram = [&](const PhasePoint<Float50>& point, const std::vector<PhasePoint<Float50>>& vectors) {
        const auto size = static_cast<Eigen::Index>(vectors.size());
        Matrix<Float50, Dynamic> form(size, size);
        for (Eigen::Index a = 0; a < size; ++a)
          for (Eigen::Index b = 0; b < size; ++b)
            form(a, b) =
                subject.form(point, vectors[static_cast<std::size_t>(a)], vectors[static_cast<std::size_t>(b)]);
        return determinant(form);
      };
      const Float50 quotient = gram(image, mapped) / gram(at, tangents);
      const double pfaffian = to_double(Float50(sqrt(Float50(abs(quotient)))));
      worst.update(std::max(std::abs(pfaffian - 1), distance(image, at)), problems[i].name);
    }
  }
  return worst;
}

/// Returns the worst jump of a map: map(b) - map(a) minus the integral of the map's derivative from a to b, which is
/// zero without a jump in between. For vector spaces, between the first two points of each problem that has two; by
/// Gauss's rule on 64 pieces.
Worst jump_of_map(const Subject& subject, const Float50& h, const CanonicalMap& map) {
  using D = Dual<Float50>;
  Worst worst;
  const auto& problems = subject.problems();
  for (std::size_t i = 0; i < problems.size(); ++i) {
    if (problems[i].role != ProblemRole::generic || problems[i].points.size() < 2) continue;
    const auto stepper = subject.in_duals(i);
    const PhasePoint<Float50>&a = problems[i].points[0], &b = problems[i].points[1];
    const auto image_at = [&](const Float50& s) {
      PhasePoint<D> z{Vector<D, Dynamic>(a.q.size()), Vector<D, Dynamic>(a.p.size())};
      for (Eigen::Index k = 0; k < a.q.size(); ++k)
        z.q(k) = D(Float50(a.q(k) + s * (b.q(k) - a.q(k))), Float50(b.q(k) - a.q(k)));
      for (Eigen::Index k = 0; k < a.p.size(); ++k)
        z.p(k) = D(Float50(a.p(k) + s * (b.p(k) - a.p(k))), Float50(b.p(k) - a.p(k)));
      stepper->start(z);
      return map(*stepper, z, D(h));
    };
    const PhasePoint<D> from = image_at(0), to = image_at(1);
    PhasePoint<Float50> rest{Vector<Float50, Dynamic>(a.q.size()), Vector<Float50, Dynamic>(a.p.size())};
    for (Eigen::Index k = 0; k < a.q.size(); ++k) rest.q(k) = to.q(k).value - from.q(k).value;
    for (Eigen::Index k = 0; k < a.p.size(); ++k) rest.p(k) = to.p(k).value - from.p(k).value;
    constexpr int pieces = 64;
    const Float50 node = sqrt(Float50(Float50(3) / 5)) / 2;
    for (int piece = 0; piece < pieces; ++piece)
      for (const int side : {-1, 0, 1}) {
        const Float50 s = (Float50(piece) + Float50(1) / 2 + side * node) / pieces;
        const Float50 weight = Float50(side == 0 ? 8 : 5) / 18 / pieces;
        const PhasePoint<D> there = image_at(s);
        for (Eigen::Index k = 0; k < a.q.size(); ++k) rest.q(k) -= weight * there.q(k).derivative;
        for (Eigen::Index k = 0; k < a.p.size(); ++k) rest.p(k) -= weight * there.p(k).derivative;
      }
    const PhasePoint<Float50> zero{Vector<Float50, Dynamic>::Constant(a.q.size(), Float50(0)),
                                   Vector<Float50, Dynamic>::Constant(a.p.size(), Float50(0))};
    worst.update(distance(rest, zero), problems[i].name);
  }
  return worst;
}

// A conjugating map that is not a change of coordinates near the identity could make any method symplectic: a constant
// map carries the form to zero.
void test_canonical_map(const Tested& tested) {
  const CanonicalMap collapse = [](AnyStepper<Dual<Float50>>&, const PhasePoint<Dual<Float50>>& z,
                                   const Dual<Float50>&) {
    PhasePoint<Dual<Float50>> image = z;
    for (Eigen::Index k = 0; k < image.p.size(); ++k) image.p(k) = Dual<Float50>(0);
    return image;
  };
  const Float50 small = Float50(1) / 256;
  static OncePerKind<double> kept;
  const double of_collapse = kept(tested.controls, [&] {
    return distance_from_identity(*tested.controls.symplectic->subject, small, collapse).value;
  });
  const Worst worst = distance_from_identity(tested.subject, small, own_map);
  Claim claim;
  claim.statement = "the canonical map is a change of coordinates near the identity";
  claim.how = "largest of |map(z) - z| and |Pf - 1| at h = 1/256, Pf the Pfaffian of the form that the map pulls back";
  claim.measured = worst.value;
  claim.interval = {0, 0.5};
  claim.reason = "identity plus O(h), with constants below 100; a map that loses a direction has Pf = 0";
  claim.note = "largest on: " + worst.where;
  claim.controls = {{.name = "a map that forgets the momentum", .measured = of_collapse, .interval = claim.interval}};
  tested.rows.add("canonical map", "-", claim);

  if (!tested.controls.rigid_body) {
    const CanonicalMap jumping = [](AnyStepper<Dual<Float50>>&, const PhasePoint<Dual<Float50>>& z,
                                    const Dual<Float50>& h) {
      PhasePoint<Dual<Float50>> image = z;
      if (image.q(0) > Dual<Float50>(0)) image.q(0) += ratio<Dual<Float50>>(1, 1000) * h;
      return image;
    };
    const Float50 quarter = Float50(1) / 4;
    static const double of_jumping = jump_of_map(*tested.controls.symplectic->subject, quarter, jumping).value;
    const Worst jump = jump_of_map(tested.subject, quarter, own_map);
    Claim continuity;
    continuity.statement = "the canonical map is continuous between points of a problem";
    continuity.how = "its increment minus the integral of its derivative, h = 1/4, Gauss's rule on 64 pieces";
    continuity.measured = jump.value;
    continuity.interval = {0, 1e-6};
    continuity.reason = "what the rule leaves on the smooth maps of forces of degree three";
    continuity.note = "largest on: " + jump.where;
    continuity.controls = {
        {.name = "the identity with a jump of h/1000", .measured = of_jumping, .interval = continuity.interval}};
    tested.rows.add("continuous map", "-", continuity);
  }
}

}  // namespace

void test_symplecticity(const Tested& tested) {
  const bool rigid_body = tested.controls.rigid_body;
  // The controls run once for all subjects: no Runge-Kutta method of order four is symplectic, nor is Z&Ss where
  // Hessians do not commute, nor Lie-Newmark.
  const Float50 quarter = Float50(1) / 4;
  static OncePerKind<double> kept_of_runge_kutta, kept_of_not_symplectic, kept_of_mapped;
  const double of_runge_kutta = kept_of_runge_kutta(tested.controls, [&] {
    return symplectic_worst(*tested.controls.runge_kutta->subject, quarter, identity).value;
  });
  const double of_not_symplectic = kept_of_not_symplectic(tested.controls, [&] {
    return symplectic_worst(*tested.controls.not_symplectic->subject, quarter, identity).value;
  });
  // This control applies the map of a conjugate symplectic method to one that is symplectic without it.
  const double of_mapped = kept_of_mapped(tested.controls, [&] {
    const Subject& subject = *tested.controls.symplectic->subject;
    if (rigid_body) return symplectic_worst(subject, quarter, tested.controls.map).value;
    auto stepper = subject.in_duals(0);
    return symplecticity_residual(*stepper, subject.problems()[0].points[0], {}, quarter, 2, tested.controls.map);
  });

  if (tested.declared.conjugate_symplectic) test_canonical_map(tested);
  for (const bool conjugate : {false, true}) {
    if (conjugate && !tested.declared.conjugate_symplectic) continue;
    const bool holds = conjugate || tested.declared.symplectic;
    const CanonicalMap map = conjugate ? CanonicalMap(own_map) : CanonicalMap(identity);
    Worst worst;
    std::vector<double> residuals;
    // One positive and one negative step that no method can expect are added where a property must hold for all of
    // them.
    if (holds) {
      test_problems_detail::Drawing drawing(judge_seed());
      for (const int sign : {1, -1}) {
        const Worst drawn = symplectic_worst(tested.subject, sign * drawing.positive<Float50>(-3), map);
        worst.update(drawn.value, drawn.where + (sign < 0 ? ", h < 0" : ""));
      }
      if (tested.declared.memory) {
        const Worst late = symplectic_worst(tested.subject, Float50(1) / 16, map, 1, steps_with_memory);
        worst.update(late.value, late.where + format(", %d steps", steps_with_memory));
      }
    }
    for (const int denominator : {4, 64, 128, 256}) {
      const Worst at_h = symplectic_worst(tested.subject, Float50(1) / denominator, map);
      if (denominator == 4 && !holds) worst = at_h;
      if (holds) worst.update(at_h.value, at_h.where);
      // A property that must fail has to be visible and measured at every h.
      if (!holds && !std::isnan(worst.value) && !(at_h.value >= worst.value)) worst.value = at_h.value;
      if (denominator > 4) residuals.push_back(at_h.value);
    }
    const double exponent = fitted_exponent(residuals, 1);
    const std::string detail =
        holds ? format("h = 1/4, 1/64, 1/128, 1/256: at most %.2e", worst.value)
              : format("exponent in h: %.3f (residual at h = 1/256: %.2e)", exponent, residuals.back());
    std::vector<Control> runs{{.name = tested.controls.runge_kutta->name, .measured = of_runge_kutta},
                              {.name = tested.controls.not_symplectic->name, .measured = of_not_symplectic}};
    if (rigid_body) {
      static const double of_wrong_bracket =
          symplectic_worst(*tested.controls.symplectic->subject, quarter, identity, -1).value;
      runs.push_back({.name = "LieVerlet in the form of the other bracket", .measured = of_wrong_bracket});
    }
    if (conjugate)
      runs = {
          {.name = tested.controls.symplectic->name + " under " + tested.controls.name_of_map, .measured = of_mapped}};
    BatteryRow& row = tested.rows.add_defect(
        conjugate ? "conjugate symplectic" : "symplectic", holds,
        std::string(rigid_body ? "preserves the form of T*SO(3)" : "preserves dq ^ dp") +
            (conjugate ? " after its canonical map" : ""),
        worst, std::move(runs),
        std::string("max |J'Omega J - Omega| of two steps, J by exact duals in 50 digits, generic states of all "
                    "problems") +
            (tested.declared.memory && holds ? format("; and of %d steps, relative to J", steps_with_memory) : ""),
        detail);
    if (!holds) row.h_exponent = exponent;
  }
}

}  // namespace livi::battery_detail

// SPDX-License-Identifier: MIT
//
// Tests the reach of what is declared: symplecticity, symmetry and conserved quantities of single steps, short and long,
// on problems that are drawn at random and that no method can know.
#include <livi/claims/battery/canonical_maps.hpp>
#include <livi/claims/battery/controls.hpp>
#include <livi/claims/battery/problems.hpp>
#include <livi/claims/battery/tests.hpp>
#include <livi/diagnostics/measures.hpp>
#include <livi/diagnostics/seed.hpp>

namespace livi::battery_detail {

namespace {

/// A step that is tried from a point. For a long one the motion is not smooth, so that an iteration need not converge.
struct TriedStep {
  Float50 h;
  bool is_long;
};

/// Returns a short step of each sign. From the first point there is also a long step and, where a step is no rational
/// function, one in between. That one is left out with many degrees of freedom, because an iteration that does not
/// converge costs fifty solves. Where kicks and drifts are both cubic, nine stages of a long step would leave the range
/// of every number type, so that the step in between replaces it.
std::vector<TriedStep> steps_to_try(const Subject& subject, std::size_t index, std::size_t point, bool rational,
                                    test_problems_detail::Drawing& drawing) {
  const ProblemSummary& problem = subject.problems()[index];
  const bool is_separable = subject.kind() == SubjectKind::separable;
  const Float50 unit = short_step(problem, point);
  const Float50 h = unit * drawing.of_size<Float50>(-1);
  std::vector<TriedStep> steps{{h, false}, {Float50((h < 0 ? 1 : -1) * unit * drawing.positive<Float50>(-4)), false}};
  if (point > 0 || (!rational && problem.points[point].q.size() > 10)) return steps;
  if (!rational) steps.push_back({Float50(unit * drawing.of_size<Float50>(2)), true});
  if (!is_separable) steps.push_back({drawing.of_size<Float50>(2), true});
  return steps;
}

/// Draws two tangent vectors that no method can know, for one entry of J'Omega J - Omega in a random basis.
std::vector<PhasePoint<Float50>> two_tangents(const ProblemSummary& problem, std::size_t point,
                                              test_problems_detail::Drawing& drawing) {
  const Eigen::Index n = problem.points[point].q.size(), m = problem.points[point].p.size();
  std::vector<PhasePoint<Float50>> tangents;
  for (int t = 0; t < 2; ++t) {
    if (problem.tangents.empty()) {
      const Vector<Float50, Dynamic> dq = drawing.vector<Float50>(n, -1), dp = drawing.vector<Float50>(m, -1);
      tangents.push_back({dq, dp});
      continue;
    }
    PhasePoint<Float50> sum{Vector<Float50, Dynamic>::Constant(n, Float50(0)),
                            Vector<Float50, Dynamic>::Constant(m, Float50(0))};
    for (const PhasePoint<Float50>& tangent : problem.tangents[point]) {
      const Float50 share = drawing.of_size<Float50>(-1);
      sum.q += share * tangent.q;
      sum.p += share * tangent.p;
    }
    tangents.push_back(std::move(sum));
  }
  return tangents;
}

/// Returns whether a method can make the step in 50 digits and with each of the tangents: an iteration that ends for
/// the point need not end for its derivative.
bool can_step(AnyStepper<Float50>& in_50_digits, AnyStepper<Dual<Float50>>& in_duals, const PhasePoint<Float50>& from,
              const std::vector<PhasePoint<Float50>>& tangents, const Float50& h) {
  return can_step(in_50_digits, from, h) && std::all_of(tangents.begin(), tangents.end(), [&](const auto& tangent) {
           return can_step(in_duals, with_tangent(from, tangent), Dual<Float50>(h));
         });
}

/// Measures what is conserved over one step, by name, relative to the sizes of position and momentum: momentum maps are
/// products of the two, and so are constraints (quadratic) and their rates.
void update_conserved(Worst& worst, const Subject& subject, const Properties& declared, std::size_t problem,
                      const PhasePoint<Float50>& from, const Float50& h, const std::string& where) {
  const ProblemSummary& summary = subject.problems()[problem];
  const bool is_body = subject.kind() == SubjectKind::rigid_body;
  const bool is_constrained = subject.kind() == SubjectKind::vector_space && !summary.tangents.empty();
  const bool is_measured =
      is_constrained || (is_body && declared.group) || declared.linear_momentum || declared.angular_momentum;
  if (!is_measured) return;
  const auto stepper = subject.in_50_digits(problem);
  stepper->start(from);
  if (!stepper->step(h).ok()) return worst.update(not_a_number, where);
  const PhasePoint<Float50> end = stepper->point();
  const auto size = [](const Vector<Float50, Dynamic>& a, const Vector<Float50, Dynamic>& b) {
    return Float50(1 + larger(max_magnitude(a), max_magnitude(b)));  // after long steps beyond the range of double
  };
  const Float50 size_of_q = size(from.q, end.q), size_of_p = size(from.p, end.p);
  const auto update = [&](const Float50& change, const Float50& scale, const std::string& name) {
    worst.update(to_double(Float50(abs(change) / scale)), where + ": " + name);
  };
  for (const auto& symmetry : summary.symmetries) {
    if (!(symmetry.is_translation ? declared.linear_momentum : declared.angular_momentum)) continue;
    const Float50 change = symmetry.momentum(end.q, end.p) - symmetry.momentum(from.q, from.p);
    update(change, size_of_q * size_of_p, symmetry.name);
  }
  if (summary.constant_size_of_momentum && declared.angular_momentum) {
    const auto length = [](const Vector<Float50, Dynamic>& p) {
      Float50 sum = 0;
      for (Eigen::Index i = 0; i < p.size(); ++i) sum += p(i) * p(i);
      return Float50(sqrt(sum));
    };
    update(length(end.p) - length(from.p), size_of_p, "Casimir function");
  }
  if (is_constrained) update(stepper->constraint_defect(), size_of_q * (size_of_q + size_of_p), "constraint");
  if (is_body && declared.group) update(stepper->constraint_defect(), 1, "group");
}

/// The largest defect of what is declared, on all points of the drawn problems, with steps of both signs. Short steps
/// that fail are not measured. A long step may fail or give NaN unless it is a rational function; only for
/// M q'' = -grad V do methods have to declare that.
struct DefectsOnDrawnProblems {
  Worst worst;
  int steps = 0, left_out = 0;
};
DefectsOnDrawnProblems defects_on_drawn_problems(const Subject& subject, const Properties& declared) {
  DefectsOnDrawnProblems result;
  Worst& worst = result.worst;
  const auto& problems = subject.problems();
  const bool is_mechanical =
      subject.kind() == SubjectKind::vector_space && problems[*first(subject, ProblemRole::drawn)].tangents.empty();
  const bool may_fail = !is_mechanical || !declared.rational;
  for (std::size_t i = 0; i < problems.size(); ++i) {
    if (!is_drawn(problems[i])) continue;
    test_problems_detail::Drawing drawing(judge_seed() ^ (0x100 + i));
    const auto in_duals = subject.in_duals(i);
    const auto in_50_digits = subject.in_50_digits(i);
    for (std::size_t k = 0; k < problems[i].points.size(); ++k) {
      const PhasePoint<Float50>& point = problems[i].points[k];
      // The form of bodies has a term with mu, so it is judged relative to the size of mu.
      const Float50 size_of_form =
          subject.kind() == SubjectKind::rigid_body ? Float50(1 + max_magnitude(point.p)) : Float50(1);
      const SymplecticForm form = [&](const PhasePoint<Float50>& at, const PhasePoint<Float50>& a,
                                      const PhasePoint<Float50>& b) {
        return Float50(subject.form(at, a, b) / size_of_form);
      };
      for (const auto& [h, is_long] : steps_to_try(subject, i, k, !may_fail, drawing)) {
        const std::string where = problems[i].name + (h < 0 ? ", h < 0" : ", h > 0");
        const std::vector<PhasePoint<Float50>> tangents = two_tangents(problems[i], k, drawing);
        if (is_long && may_fail && !can_step(*in_50_digits, *in_duals, point, tangents, h)) {
          ++result.left_out;
          continue;
        }
        ++result.steps;
        for (const bool conjugate : {false, true})
          if (conjugate ? declared.conjugate_symplectic : declared.symplectic)
            worst.update(symplecticity_residual(*in_duals, point, tangents, h, 1,
                                                conjugate ? CanonicalMap(own_map) : CanonicalMap(identity), form, true),
                         where + (conjugate ? ": conjugate symplectic" : ": symplectic"));
        update_conserved(worst, subject, declared, i, point, h, where);
        // The equations of a long step have more than one solution, so the step back need not find the start.
        if (declared.symmetric && !is_long) {
          // The size is that of both ends: the kick of a force far out is larger than the point.
          in_50_digits->start(point);
          static_cast<void>(in_50_digits->step(h));  // a failure shows below
          const PhasePoint<Float50> end = in_50_digits->point();
          const double size = 1 + std::max({largest_entry(point.q), largest_entry(point.p), largest_entry(end.q),
                                            largest_entry(end.p)});
          worst.update(adjoint_defect(*in_50_digits, point, h) / size, where + ": adjoint");
          worst.update(reversal_defect(*in_50_digits, point, h, 1) / size, where + ": reversal");
        }
      }
    }
  }
  return result;
}

/// Returns, in words, what is drawn for a kind of subjects.
std::string drawn_of(const Subject& subject) {
  if (subject.kind() == SubjectKind::rigid_body)
    return "moments of inertia from 1/4 to 32, full and diagonal, angular velocities of sizes 1/64 to a million, at "
           "rest, about an axis";
  if (subject.kind() == SubjectKind::separable)
    return "1, 4, 6, 9 degrees of freedom, times of both signs up to 64, points of sizes 1/64 to 64, at rest";
  if (!subject.problems()[*first(subject, ProblemRole::drawn)].tangents.empty())
    return "ellipsoids, a chain and a rod, of 3 to 10 degrees of freedom, masses from 1/8 to 32, sizes 1/32 to 32, at "
           "rest";
  return "polynomials of 1, 2, 5, 7, 8, 16 and 41 to 48 degrees of freedom, sines, Gaussian functions and hyperbolas "
         "of 6 to 13, particles under softened gravity, a slow motion, full and diagonal masses, points of sizes "
         "from 1/64 to 1/4, of 1/2, from 1 to 16 and from 16 to a million, at rest, with zeros and equal entries";
}

}  // namespace

void test_reach(const Tested& tested) {
  const auto drawn = first(tested.subject, ProblemRole::drawn);
  if (!drawn) {
    tested.rows.does_not_apply("reach",
                               "problems of this kind are all fixed: each is a Lagrangian of its own, written by hand");
    return;
  }
  const bool has_rows =
      tested.declared.symplectic || tested.declared.conjugate_symplectic || tested.declared.symmetric ||
      tested.declared.linear_momentum || tested.declared.angular_momentum ||
      (tested.subject.kind() == SubjectKind::rigid_body && tested.declared.group) ||
      (tested.subject.kind() == SubjectKind::vector_space && !tested.subject.problems()[*drawn].tangents.empty());
  if (!has_rows) {
    tested.rows.does_not_apply("reach", "neither symplecticity nor symmetry nor a conserved momentum is declared");
    return;
  }
  static const double of_flawed =
      defects_on_drawn_problems(flawed(Flaw::beyond_six), flawed(Flaw::beyond_six).declares()).worst.value;
  const DefectsOnDrawnProblems found = defects_on_drawn_problems(tested.subject, tested.declared);
  tested.rows.add_defect(
      "reach", true,
      "what is declared of symplecticity, symmetry and conserved quantities holds on problems drawn at "
      "random",
      found.worst, {{.name = "Verlet that is lopsided beyond six degrees of freedom", .measured = of_flawed}},
      format("%s, steps of both signs; seed %llu", drawn_of(tested.subject).c_str(),
             static_cast<unsigned long long>(judge_seed())),
      found.left_out == 0 ? format("%d steps", found.steps)
                          : format("%d steps; long steps that failed, left out: %d", found.steps, found.left_out));
}

}  // namespace livi::battery_detail

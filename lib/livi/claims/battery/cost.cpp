// SPDX-License-Identifier: MIT
//
// Tests the cost: evaluations and linear solves per step, counted.
#include <cmath>
#include <livi/claims/battery/controls.hpp>
#include <livi/claims/battery/tests.hpp>

namespace livi::battery_detail {

void test_cost(const Tested& tested) {
  const bool rigid_body = tested.controls.rigid_body;
  if (!tested.subject.can_be_counted()) {
    tested.rows.does_not_apply("cost", "evaluations are not counted on problems of this kind");
    return;
  }
  const auto counted_of = [](const Subject& subject, int run) {
    CountedCost cost;
    if (!subject.count(cost, run)) cost.gradients = not_a_number;
    return cost;
  };
  const CountedCost counted = counted_of(tested.subject, 0);
  const DeclaredCost& d = tested.declared.cost;
  std::string text =
      rigid_body ? format("%.2f torques per step", counted.gradients)
                 : format("%.2f gradients, %.2f Hessians, %.2f third derivatives, %.2f linear solves per step",
                          counted.gradients, counted.hessians, counted.third_derivatives, counted.linear_solves);
  if (counted.values > 0) text += format(", %.2f values of the potential", counted.values);
  Claim claim;
  claim.how = rigid_body ? "torques counted over 64 steps on the heavy asymmetric top, after the first, forwards and "
                           "backwards"
              : tested.subject.kind() == SubjectKind::separable
                  ? "forces counted over 64 steps after the first, forwards and backwards"
                  : "evaluations counted over 64 steps after the first, on Henon-Heiles, h = 1/8, on a drawn "
                    "polynomial with full masses, backwards, and on drawn particles under softened gravity";
  if (d.iterative) {
    claim.statement = "evaluations per step depend on an iteration";
    claim.measured = counted.gradients;
    claim.interval = {0, infinity};
    claim.reason = "nothing is declared; the number is for information";
    tested.rows.add("cost", "iterative", claim, text);
    return;
  }
  const bool solves_are_counted = !std::isnan(counted.linear_solves);
  if (!solves_are_counted && d.linear_solves > 0) {
    tested.rows.undecided("cost", "", {.statement = "evaluations per step as declared"},
                          "linear solves are declared, but the method has no work().linear_solves that counts them");
    return;
  }
  const auto difference = [&](const CountedCost& c, const DeclaredCost& of) {
    return std::abs(c.gradients - of.gradients) + std::abs(c.hessians - of.hessians) +
           std::abs(c.third_derivatives - of.third_derivatives) + std::abs(c.values - of.values) +
           (solves_are_counted ? std::abs(c.linear_solves - of.linear_solves) : 0);
  };
  const ControlMethod& verlet = *tested.controls.verlet;
  static OncePerKind<CountedCost> kept;
  const CountedCost of_known = kept(tested.controls, [&] { return counted_of(*verlet.subject, 0); });
  DeclaredCost one_too_many = verlet.subject->declares().cost;
  ++one_too_many.gradients;
  claim.statement = solves_are_counted ? "evaluations and linear solves per step as declared, solves as the method "
                                         "itself counts them"
                                       : "evaluations per step as declared; nobody counts linear solves";
  claim.measured = difference(counted, d);
  for (int run = 1; run < tested.subject.counted_runs(); ++run)
    claim.measured = larger(claim.measured, difference(counted_of(tested.subject, run), d));
  claim.interval = {0, 0};
  claim.controls = {{.name = verlet.name + " declared with one gradient more",
                     .measured = difference(of_known, one_too_many),
                     .interval = {0, 0}}};
  claim.reason = "counts are exact";
  tested.rows.add("cost", format("%d, %d, %d, %d", d.gradients, d.hessians, d.third_derivatives, d.linear_solves),
                  claim, text);
}

}  // namespace livi::battery_detail

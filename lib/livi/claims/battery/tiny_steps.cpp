// SPDX-License-Identifier: MIT
//
// Tests tiny steps: is no order condition violated even a little? A slope of errors does not see a coefficient that is
// wrong by 1e-12; the coefficients of the error's expansion in h do.
#include <array>
#include <cmath>
#include <livi/claims/battery/controls.hpp>
#include <livi/claims/battery/problems.hpp>
#include <livi/claims/battery/tests.hpp>
#include <livi/diagnostics/measures.hpp>
#include <numbers>
#include <optional>

namespace livi::battery_detail {

namespace {

/// Returns the coefficients of 1, h, h^2, ... of the polynomial through (nodes[i], values[i]), from Newton's divided
/// differences.
std::vector<Float50> interpolate(const std::vector<Float50>& nodes, std::vector<Float50> values) {
  const std::size_t n = nodes.size();
  for (std::size_t level = 1; level < n; ++level)
    for (std::size_t i = n - 1; i >= level; --i)
      values[i] = (values[i] - values[i - 1]) / (nodes[i] - nodes[i - level]);
  std::vector<Float50> coefficients(n, Float50(0));
  for (std::size_t i = n; i-- > 0;) {  // Horner's scheme in (h - nodes[i])
    for (std::size_t k = n - 1; k > 0; --k) coefficients[k] = coefficients[k - 1] - nodes[i] * coefficients[k];
    coefficients[0] = values[i] - nodes[i] * coefficients[0];
  }
  return coefficients;
}

/// The steps at whose beginning and end the error is taken: the first one; with a memory, which starts empty, the fifth
/// to the eighth of a run.
struct StepsOfOrder {
  int begun, ended;
};
StepsOfOrder steps_of_order(bool memory) { return memory ? StepsOfOrder{4, 8} : StepsOfOrder{0, 1}; }

/// The size of a violation of order conditions, and whether it is no more than the rounding of points to double.
struct ViolationOfOrder {
  double value = 0;
  bool is_rounding = false;
};

/// What a method and the motion do at nodes: the differences of the points and the moves of the motion, by component and over
/// the node, and the farthest that the method and the motion come.
struct AtNodes {
  std::vector<Float50> nodes;
  std::vector<std::vector<Float50>> errors, moves;
  Float50 farthest = 0, farthest_of_flow = 0;
};
/// Steps with the sizes node_at(0), ..., node_at(count - 1) from a point, of which those after the first `begun` up to `ended` count;
/// nothing where a step fails.
template <class NodeAt>
std::optional<AtNodes> at_nodes(const Subject& subject, std::size_t problem, std::size_t point, int begun, int ended,
                                std::size_t count, const NodeAt& node_at) {
  const PhasePoint<Float50>& from = subject.problems()[problem].points[point];
  const auto stepper = subject.in_50_digits(problem);
  AtNodes found;
  auto& [nodes, errors, moves, farthest, farthest_of_flow] = found;
  for (std::size_t i = 0; i < count; ++i) {
    const Float50 node = node_at(i);
    stepper->start(from);
    if (!run_steps(*stepper, node, begun).ok()) return std::nullopt;
    const PhasePoint<Float50> before = stepper->point();
    if (!run_steps(*stepper, node, ended - begun).ok()) return std::nullopt;
    const PhasePoint<Float50> end = stepper->point(), exact = subject.short_flow(problem, point, node * ended),
                              exact_before = begun == 0 ? from : subject.short_flow(problem, point, node * begun);
    const auto n = static_cast<std::size_t>(end.q.size()), size = n + static_cast<std::size_t>(end.p.size());
    errors.resize(size);
    moves.resize(size);
    for (std::size_t c = 0; c < size; ++c) {
      const auto component = [&](const PhasePoint<Float50>& z) {
        return c < n ? z.q(static_cast<Eigen::Index>(c)) : z.p(static_cast<Eigen::Index>(c - n));
      };
      const Float50 move = component(exact) - component(exact_before);
      farthest = larger(farthest, Float50(abs(component(end) - component(before))));
      farthest_of_flow = larger(farthest_of_flow, Float50(abs(move)));
      errors[c].push_back((component(end) - component(before) - move) / node);
      moves[c].push_back(move / node);
    }
    nodes.push_back(node);
  }
  return found;
}

/// Returns how much the order conditions up to h^p are violated at a point, in 50 digits: the largest |c_k| / (|a_1|
/// r^(k-1)), k = 1, ..., p, where c_k and a_k are the coefficients of h^k in what the steps add to the error and in the
/// exact flow, and r is the rate at which the a_k grow.
///
/// Both kinds of coefficients are those of polynomials through many steps of one sign, at Chebyshev's nodes, where
/// coefficients suffer least from rounding, and again with one node left out; for an analytic step that changes next to
/// nothing. A coefficient that is a hundred times larger than all these changes is a violation. Any other cannot be
/// told from zero. Then there is
///   - no violation if the other nodes predict the middle error, as they do for an analytic step, and the changes are
///     small beside the largest violation that is allowed where r is its bound;
///   - a violation of the size of double's epsilon if they do so except for the rounding of points to double;
///   - no result (NaN) otherwise.
ViolationOfOrder violation_of_order(const Subject& subject, std::size_t problem, std::size_t point, int order, int sign,
                                    bool memory) {
  const PhasePoint<Float50>& from = subject.problems()[problem].points[point];
  const auto p = static_cast<std::size_t>(order);
  // The truncation error of the polynomial goes with a power of the farthest node over the radius of convergence, which
  // is about one over the rate; rounding goes with a power of one over the farthest node.
  const std::size_t count = order <= 6 ? 2 * p + 8 : 3 * p + 8;
  const double reach_of_nodes = order <= 3 ? 0x1p-7 : order <= 6 ? 0x1p-4 : 0x1p-2;
  const auto [begun, ended] = steps_of_order(memory);
  const Float50 farthest_node =
      Float50(sign * reach_of_nodes) / Float50(ended * subject.problems()[problem].rates[point]);
  const auto angle = [&](std::size_t i) {
    return std::numbers::pi * (static_cast<double>(i) + 0.5) / static_cast<double>(count);
  };
  const auto measured = at_nodes(subject, problem, point, begun, ended, count, [&](std::size_t i) {
    return Float50(farthest_node * Float50((1 - std::cos(angle(i))) / 2));
  });
  if (!measured) return {not_a_number, false};
  const auto& [nodes, errors, moves, farthest, farthest_of_flow] = *measured;
  // At rest without forces nothing moves, so no step may move anything beyond rounding.
  const Float50 rounding = Float50(1e-40) * (1 + larger(max_magnitude(from.q), max_magnitude(from.p)));
  if (farthest_of_flow < rounding) return {farthest < rounding ? 0 : std::numeric_limits<double>::max(), false};
  std::vector<double> of_error(p, 0), of_rest(p, 0), of_flow(p + 1, 0);
  const auto without = [](std::vector<Float50> of_nodes, std::size_t node) {
    of_nodes.erase(of_nodes.begin() + static_cast<std::ptrdiff_t>(node));
    return of_nodes;
  };
  const std::size_t middle = count / 2;
  Float50 of_middle = 0;
  for (std::size_t c = 0; c < errors.size(); ++c) {
    const auto all = interpolate(nodes, errors[c]), flow = interpolate(nodes, moves[c]);
    for (std::size_t k = 0; k <= p; ++k) of_flow[k] = larger(of_flow[k], std::abs(to_double(flow[k])));
    for (std::size_t k = 0; k < p; ++k) of_error[k] = larger(of_error[k], std::abs(to_double(all[k])));
    // Several nodes are left out in turn: a function that is no polynomial may by chance change little when one is.
    for (const std::size_t left_out : {std::size_t{0}, count / 3, middle, count - 1}) {
      const auto fewer = interpolate(without(nodes, left_out), without(errors[c], left_out));
      for (std::size_t k = 0; k < p; ++k)
        of_rest[k] = larger(of_rest[k], std::abs(to_double(Float50(all[k] - fewer[k]))));
      if (left_out != middle) continue;
      Float50 foretold = 0;
      for (std::size_t k = fewer.size(); k-- > 0;) foretold = foretold * nodes[middle] + fewer[k];
      of_middle = larger(of_middle, Float50(abs(foretold - errors[c][middle])));
    }
  }
  const double size = 1 + std::max(largest_entry(from.q), largest_entry(from.p));
  // Each error is that of the points after each of `ended` steps, over its node. The weights of the other nodes in the
  // prediction of the middle error are quotients of the sines of the nodes' angles.
  double rounding_of_middle = 0;
  for (std::size_t i = 0; i < count; ++i)
    rounding_of_middle += std::sin(angle(i)) / std::sin(angle(middle)) / std::abs(to_double(nodes[i]));
  rounding_of_middle *= ended * std::numeric_limits<double>::epsilon() * size;
  double rate = 0;
  for (std::size_t k = 1; k <= p; ++k)
    rate = larger(rate, std::pow(of_flow[k] / of_flow[0], 1 / static_cast<double>(k)));
  // Rounding in 50 digits of the step and of the exact flow, over h, and the truncation error are below 1e-28.
  const bool is_analytic = to_double(of_middle) <= 1e-25 * of_flow[0],
             is_rounding = !is_analytic && to_double(of_middle) <= rounding_of_middle;
  // The nodes are as short as the bound on the rate asks. Their resolution is relative to that bound even where the
  // motion is slower by far, as that of particles at a great distance from each other.
  const double largest_rate = subject.problems()[problem].rates[point];
  ViolationOfOrder violation;
  for (std::size_t k = 0; k < p; ++k) {
    const double unit = of_flow[0] * std::pow(rate, static_cast<double>(k)), relative = of_error[k] / unit,
                 unit_of_changes = of_flow[0] * std::pow(larger(rate, largest_rate), static_cast<double>(k));
    if (std::isnan(relative)) return {not_a_number, false};
    const bool is_resolved = of_error[k] > 100 * of_rest[k],
               is_none = is_analytic && 100 * of_rest[k] <= largest_double_defect(order) * unit_of_changes;
    if (relative <= 1e-30 || (!is_resolved && is_none)) continue;
    if (!is_resolved && !is_rounding) return {not_a_number, false};
    const double found = is_resolved ? relative : std::numeric_limits<double>::epsilon();
    if (found > violation.value) violation = {found, !is_resolved};
  }
  return violation;
}

/// The violations on the fixed and the drawn problems, for large ones at one point; backwards from the first point of
/// each and from its last. Where no problems are drawn the expansion of the flow is not made once for all, and costs
/// much: there one point of one problem must do.
struct ViolationsOfOrder {
  Worst worst;
  bool is_rounding = false;  ///< whether the worst is a rounding of points
};
ViolationsOfOrder violations_of_order(const Subject& subject, int order, bool memory) {
  ViolationsOfOrder result;
  const auto& problems = subject.problems();
  const bool is_cheap = first(subject, ProblemRole::drawn).has_value();
  for (std::size_t i = 0; i < problems.size(); ++i) {
    if (!is_generic(problems[i]) && !is_drawn(problems[i])) continue;
    const std::size_t points = !is_cheap || problems[i].points.front().q.size() > 10 ? 1 : problems[i].points.size();
    for (std::size_t k = 0; k < points; ++k)
      for (const int sign : {1, -1})
        if ((is_cheap && (sign == 1 || k == 0 || k + 1 == points)) ||
            (sign == 1 && i == *first(subject, ProblemRole::generic))) {
          const ViolationOfOrder violation = violation_of_order(subject, i, k, order, sign, memory);
          if (violation.value > result.worst.value) result.is_rounding = violation.is_rounding;
          result.worst.update(violation.value, problems[i].name + (sign < 0 ? ", h < 0" : ""));
        }
  }
  return result;
}

}  // namespace

double violation_of_order(const Subject& subject, int order) {
  return violations_of_order(subject, order, false).worst.value;
}

void test_tiny_steps(const Tested& tested) {
  static std::array<std::optional<double>, 2> kept;  // as a method without a memory, and as one with it
  std::optional<double>& of_flawed = kept[tested.declared.memory ? 1 : 0];
  if (!of_flawed) of_flawed = violations_of_order(flawed(Flaw::other_equation), 2, tested.declared.memory).worst.value;
  const auto [worst, is_rounding] = violations_of_order(tested.subject, tested.declared.order, tested.declared.memory);
  Claim claim;
  claim.statement =
      format("no order condition up to h^%d is violated even a little, forwards and backwards", tested.declared.order);
  claim.how =
      std::string("coefficients of h, ..., h^p of the error of ") +
      (tested.declared.memory ? "the fifth to the eighth step" : "a step") +
      ", from polynomials through many small steps in 50 digits, on fixed and drawn problems, relative to those of the "
      "exact flow";
  claim.measured = worst.value;
  claim.interval = {0, least_double_defect};
  claim.reason = "what is smaller is no coefficient of a method in any precision that is used";
  claim.note = worst.value > 0 ? "largest on: " + worst.where : "";
  Rows::limit_to_double(claim, tested.declared.order);
  // The control is of order two, whatever the method is.
  claim.controls = {{.name = "Verlet with a force 1 + 1e-12 times too large",
                     .measured = *of_flawed,
                     .interval = {0, std::min(claim.interval.high, largest_double_defect(2))}}};
  tested.rows.add("tiny steps", std::to_string(tested.declared.order), std::move(claim),
                  is_rounding ? rounded_points : "");
}

}  // namespace livi::battery_detail

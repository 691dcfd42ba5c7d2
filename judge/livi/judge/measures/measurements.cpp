// SPDX-License-Identifier: MIT
#include <livi/judge/measures/measurements.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>

#include <livi/judge/measures/run_points.hpp>

namespace livi {
using namespace foreign_detail;

const TimedPoint<Float50>& Measurements::motion(const JudgedProblem& problem, double time) {
  const auto key = std::pair(problem.name, time);
  const auto found = motions_.find(key);
  if (found != motions_.end()) return found->second;
  // Rounding of double is 1e-16; short times are for local errors, which 50 digits measure.
  const double tolerance = std::abs(time) > 0x1p-6 ? 1e-21 : 1e-44;
  return motions_[key] = exact_motion(problem, point_in<Float50>(problem.start), Float50(time), tolerance);
}

bool slopes_refute(const std::array<double, 3>& slopes, int order) {
  const auto [low, high] = std::minmax({slopes[0] - order, slopes[1] - order, slopes[2] - order});
  const double last = slopes[2] - order, off = std::abs(last), spread = high - low;
  const bool is_above = low > 0.3, is_below = high < -0.3;
  if (std::isnan(slopes[0] + slopes[1] + slopes[2]) || !(is_above || is_below)) return false;
  // What is left of their way to the limit is as long as the last step of it, and orders are whole numbers.
  const bool settled = spread < 0.4 && off - spread > 0.3 && (off > 0.7 || spread < 0.1);
  if (is_above) return settled && off > 0.7 && std::abs(last - std::round(last)) < 0.15;
  return settled || (off > 0.7 && slopes[2] <= slopes[1] && slopes[1] <= slopes[0]);
}

Measured lowest_order(const std::vector<std::pair<std::string, MeasuredOrder>>& on_problems, OrderOf of,
                      std::optional<int> declared) {
  const auto value_of = [&](const MeasuredOrder& measured) {
    return of == OrderOf::positions ? measured.q
           : of == OrderOf::momenta ? measured.p
                                    : std::min(measured.q, measured.p);
  };
  const auto is_off = [&](const MeasuredOrder& measured) {
    return declared && ((of != OrderOf::momenta && slopes_refute(measured.of_q, *declared)) ||
                        (of != OrderOf::positions && slopes_refute(measured.of_p, *declared)));
  };
  // Where the order is high a term of the error may nearly vanish over all steps that double allows, and three slopes are those of a
  // neighbour: that is one problem's. It is another thing where an order is wrong by more than one.
  const int order = declared.value_or(0);
  const auto needs_another = [&](double value) { return value > order + 0.3 || (order >= 6 && value > order - 1.5); };
  const auto shows = [&](bool higher) {
    return std::ranges::count_if(
        on_problems, [&](const auto& one) { return is_off(one.second) && (value_of(one.second) > order) == higher; });
  };
  const std::array<std::ptrdiff_t, 2> number{shows(false), shows(true)};
  Measured lowest{infinity};
  std::string left_out;
  for (const auto& [name, measured] : on_problems) {
    const double value = value_of(measured);
    if (is_off(measured) && needs_another(value) && number[value > order ? 1 : 0] < 2) {
      left_out = name + format(": the slope is %.2f, on this problem alone", value);
      continue;
    }
    if (!is_off(measured)) {
      if (measured.shows_nothing) {
        left_out = name + ": " + measured.why_undecided;
        continue;
      }
      if (std::isnan(value) || !measured.why_undecided.empty())
        return {not_a_number, name + ": " + measured.why_undecided};
      if (declared && std::abs(value - order) > 0.3) {
        left_out = name + format(": the slope %.2f of the last two steps has not settled", value);
        continue;
      }
    }
    if (value < lowest.value) {
      lowest = {value, name + (measured.table.empty() ? "" : ", errors at " + measured.table)};
      if (measured.stalled > 0)
        lowest.note = format("errors stop falling at %.2g, far above rounding; ", measured.stalled) + lowest.note;
      lowest.problem = name;
    }
  }
  if (std::isinf(lowest.value)) return {not_a_number, left_out};
  return lowest;
}

std::string table_of_errors(const std::vector<MeasuredError>& errors, const std::vector<double>& steps) {
  std::string table;
  for (std::size_t k = errors.size() - std::min<std::size_t>(errors.size(), 4); k < errors.size(); ++k) {
    const double h = std::abs(steps[k]), inverse = std::round(1 / h);
    const bool is_unit_fraction = inverse > 1 && std::abs(h * inverse - 1) < 1e-12;
    table += (table.empty() ? "h = " : ", h = ") + (is_unit_fraction ? format("1/%.0f", inverse) : format("%.3g", h)) +
             format(": %.2g", std::max(errors[k].q, errors[k].p));
  }
  return table;
}

void settle_order(MeasuredOrder& result, const std::vector<MeasuredError>& errors, const std::string& met,
                  std::size_t stride) {
  std::size_t finest = errors.empty() ? 0 : errors.size() - 1;  // of both
  const auto slope_of = [&](double MeasuredError::*of, std::array<double, 3>& last_three) {
    double slope = not_a_number, before = not_a_number;
    std::size_t k = stride;
    for (; k < errors.size() && !(errors[k].*of < errors[k].floor); ++k) {
      before = slope;
      slope = std::log2(errors[k - stride].*of / errors[k].*of);
      last_three = {last_three[1], last_three[2], slope};
    }
    finest = std::min(finest, k - 1);
    // Rounding of all parts of a step, where some of it is seen, makes the last slope lower; the one before it is of longer steps.
    if (!std::isnan(before) && errors[k - 1].*of < errors[k - 1].parts * errors[k - 1].floor) {
      slope = before = std::max(slope, before);
      last_three = MeasuredOrder::no_slopes;
    }
    if (!std::isnan(before) && std::abs(slope) < 0.25 && before < 0.9 && errors.size() > 4)
      result.stalled = std::max(result.stalled, errors.back().*of);
    // Errors that grow again with shorter steps are those of no order. One error of long steps may be small by chance.
    const auto is_smaller = [&](const MeasuredError& error) {
      return 64 * std::max(error.*of, errors.back().floor) < errors.back().*of;
    };
    if (stride == 1 && errors.size() > 4 && std::ranges::count_if(errors, is_smaller) > 1) {
      result.stalled = std::max(result.stalled, errors.back().*of);
      slope = before = std::min(slope, 0.0);
      last_three = {slope, slope, slope};
    }
    if (std::isnan(slope) || std::isnan(before)) {
      result.why_undecided = "errors meet " + met + " before two slopes are seen";
      result.shows_nothing = !errors.empty() && !std::isnan(errors.back().*of);
    } else if (const auto [low, high] = std::minmax({last_three[0], last_three[1], slope});
               result.stalled == 0 && (std::abs(slope - before) > 0.4 || (stride > 1 && !(high - low < 0.4)))) {
      result.why_undecided = format("slopes have not settled: %.2f, then %.2f", before, slope);
      result.shows_nothing = true;
    }
    return slope;
  };
  result.q = slope_of(&MeasuredError::q, result.of_q);
  result.p = slope_of(&MeasuredError::p, result.of_p);
  if (errors.empty() || !(std::abs(result.q - result.p) > 0.3)) return;
  // The leading term of an error that is small beside the other one may nearly vanish on this motion; what is left has no slope. In
  // ever shorter steps the error of a lower order is the larger one.
  // Methods of high order have a few long steps before rounding, in which it need not be much smaller.
  const double small = finest <= 4 * stride ? 0.7 : 1.0 / 8;
  const auto is_small = [&](double of, double other) { return of < small * other; };
  const char* const what = is_small(errors[finest].q, errors[finest].p)   ? "positions"
                           : is_small(errors[finest].p, errors[finest].q) ? "momenta"
                                                                          : nullptr;
  if (what == nullptr) return;
  (*what == 'p' ? result.q : result.p) = not_a_number;
  (*what == 'p' ? result.of_q : result.of_p) = MeasuredOrder::no_slopes;
  result.shows_nothing = true;
  if (result.why_undecided.empty())
    result.why_undecided = format("the error of %s is so small beside the other that its slope shows nothing", what);
}

MeasuredOrder Measurements::order(ForeignSubject& subject, const JudgedProblem& problem, double time) {
  const bool is_coarse = !declared_accuracy(subject.declares()).empty();
  if (!is_coarse && subject.declares().order.value_or(0) >= 6)
    return order_of_long_steps(subject, problem, std::copysign(3, time));
  const TimedPoint<Float50> exact = motion(problem, time);
  Forces<double> forces(problem);
  const auto run = subject.in_double(forces);
  std::vector<MeasuredError> errors;
  const double of_one = rounding_of(subject) * (1 + size_of(exact));
  const double floor_of_one = (is_coarse ? 8 : 64) * of_one;
  MeasuredOrder result{not_a_number, not_a_number};
  // Methods of high order meet a tolerance after one or two halvings: they begin with a single step.
  const int coarsest = is_coarse && subject.declares().order.value_or(0) >= 3 ? 0 : 2;
  std::vector<double> sizes;
  for (int level = coarsest; level <= finest_; ++level) {
    const long steps = 1L << level;
    const long asked = forces.gradients;
    const double h = time / static_cast<double>(steps);
    TimedPoint<double> end{0, {not_a_number}, {not_a_number}};
    try {
      end = after(*run, problem.start, h, steps);
    } catch (const ForeignRefusal&) {
      // A long step may have no solution, as it may lead beyond all numbers.
      if (level >= 2) throw;
      continue;
    }
    // An iteration has more parts than leave something.
    const double parts =
        std::clamp(static_cast<double>(forces.gradients - asked) / static_cast<double>(steps), 1.0, 16.0);
    // An error of 300 times the rounding of one step disturbs the slope by less than a hundredth; of 30 times what is
    // declared, which leaves fewer steps to see, by a tenth. Rounding adds up like a random walk.
    const double walk = std::sqrt(static_cast<double>(steps));
    const MeasuredError error{distance(end.q, exact.q), distance(end.p, exact.p),
                              (is_coarse ? 30 : 300) * of_one * walk, is_coarse ? 1 : parts};
    if (level < 2 && !(std::isfinite(error.q) && std::isfinite(error.p))) {
      errors.clear();
      sizes.clear();
      continue;
    }
    if (!std::isfinite(error.q) || !std::isfinite(error.p)) {
      result.why_undecided = "after " + counted(steps, "step") + " the point is not finite";
      return result;
    }
    errors.push_back(error);
    sizes.push_back(h);
    // Where errors are near rounding, finer steps show nothing more.
    if (std::max(error.q, error.p) < floor_of_one * walk) break;
  }
  // The last four say what the slope says.
  result.table = table_of_errors(errors, sizes);
  settle_order(result, errors,
               is_coarse ? "what it declares, " + declared_accuracy(subject.declares()) + "," : "rounding");
  const auto lacks = [](const std::array<double, 3>& slopes) { return std::isnan(slopes[0]); };
  if (!is_coarse && lacks(result.of_q) && lacks(result.of_p)) {
    MeasuredOrder of_long_steps = order_of_long_steps(subject, problem, std::copysign(3, time));
    if (of_long_steps.why_undecided.empty()) return of_long_steps;
  }
  return result;
}

MeasuredOrder Measurements::order_of_long_steps(ForeignSubject& subject, const JudgedProblem& problem, double time) {
  MeasuredOrder result{not_a_number, not_a_number};
  result.shows_nothing = true;
  TimedPoint<Float50> exact;
  try {
    exact = motion(problem, time);
  } catch (const std::runtime_error& failure) {
    result.why_undecided = failure.what();
    return result;
  }
  Forces<double> forces(problem);
  const auto run = subject.in_double(forces);
  const double of_one = rounding_of(subject) * size_of(exact);
  std::vector<MeasuredError> errors;
  std::vector<double> sizes;
  double noise = of_one / 2;  // of one step
  int without_gain = 0;
  constexpr int last_long = 6;
  for (int k = 0; k <= 2 * (finest_ - 2); ++k) {
    // 2, 3, 4, 6, 8, ... steps of 3/2, 1, 3/4, ..., all numbers of few bits, so that they end at the time itself.
    const long steps = (k % 2 == 0 ? 2L : 3L) << (k / 2 + (std::abs(time) > 3 ? 1 : 0));
    const double h = time / static_cast<double>(steps);
    TimedPoint<double> end{0, {not_a_number}, {not_a_number}};
    try {
      end = after(*run, problem.start, h, steps);
    } catch (const ForeignRefusal&) {
      if (k >= last_long) throw;
      errors.clear();
      sizes.clear();
      continue;
    }
    const MeasuredError error{distance(end.q, exact.q), distance(end.p, exact.p), 0};
    const double size = std::max(error.q, error.p);
    if (!std::isfinite(error.q) || !std::isfinite(error.p)) {
      if (k >= last_long) {
        result.why_undecided = "after " + counted(steps, "step") + " the point is not finite";
        result.shows_nothing = false;
        return result;
      }
      errors.clear();
      sizes.clear();
      continue;
    }
    errors.push_back(error);
    sizes.push_back(h);
    // Rounding is what is left where errors no longer fall. It adds up like a random walk.
    if (errors.size() > 2 && k > last_long) {
      const MeasuredError& twice = errors[errors.size() - 3];
      if (size > 0.7 * std::max(twice.q, twice.p)) {
        noise = std::max(noise, size / std::sqrt(static_cast<double>(steps)));
        if (++without_gain == 2) break;
      }
    }
    if (size < 2 * of_one) break;
  }
  // Extrapolation multiplies the rounding of a step by its weights, which may exceed a thousand. Larger errors that do not fall are not
  // rounding.
  if (noise > 0x1p15 * of_one) noise = of_one / 2;
  for (std::size_t k = 0; k < errors.size(); ++k) errors[k].floor = 16 * noise * std::sqrt(std::abs(time / sizes[k]));
  result.shows_nothing = false;
  settle_order(result, errors, "rounding", 2);
  if (result.stalled == 0)
    while (errors.size() > 4 && std::max(errors.back().q, errors.back().p) < errors.back().floor) errors.pop_back();
  result.table = table_of_errors(errors, sizes);
  return result;
}

namespace {

/// Returns the longer one of two steps from which a local order is measured.
double local_step(const JudgedProblem& problem) { return std::copysign(0x1p-10, problem.h); }

template <class S>
MeasuredOrder local_order_in(ForeignSubject& subject, const JudgedProblem& problem, const TimedPoint<Float50>& coarse,
                             const TimedPoint<Float50>& fine) {
  Forces<S> forces(problem);
  const auto run = subject.in<S>(forces);
  const auto start = point_in<S>(problem.start);
  const double h = local_step(problem);
  const auto one = after(*run, start, S(h), 1), other = after(*run, start, S(h / 2), 1);
  MeasuredOrder order{std::log2(distance(one.q, coarse.q) / distance(other.q, fine.q)) - 1,
                      std::log2(distance(one.p, coarse.p) / distance(other.p, fine.p)) - 1};
  // In steps so short, without rounding, one slope is that of all shorter ones.
  order.of_q.fill(order.q);
  order.of_p.fill(order.p);
  return order;
}

}  // namespace

MeasuredOrder Measurements::local_order(ForeignSubject& subject, const JudgedProblem& problem, NumberType type) {
  const double h = local_step(problem);
  const TimedPoint<Float50> coarse = motion(problem, h), fine = motion(problem, h / 2);
  return type == NumberType::digits ? local_order_in<Float50>(subject, problem, coarse, fine)
                                    : local_order_in<Rational>(subject, problem, coarse, fine);
}

namespace {

/// Returns the problem whose motion is that of another one run backwards, with momenta turned: V(q, -t), T(-p).
JudgedProblem turned_round(JudgedProblem problem) {
  for (Monomial& term : problem.potential.terms)
    for (const auto& [variable, exponent] : term.factors)
      if (variable == problem.size() && exponent % 2 == 1) term.coefficient = -term.coefficient;
  for (Monomial& term : problem.kinetic.terms)
    for (const auto& [variable, exponent] : term.factors)
      if (exponent % 2 == 1) term.coefficient = -term.coefficient;
  problem.start.t = -problem.start.t;
  for (double& p : problem.start.p) p = -p;
  return problem;
}

template <class S>
Measured reversal_in(ForeignSubject& subject, const JudgedProblem& problem) {
  // A method without steps back takes a step of the motion with time and momenta turned.
  const bool forward = subject.declares().forward;
  const JudgedProblem problem_back = forward ? turned_round(problem) : problem;
  Forces<S> forces(problem), forces_back(problem_back);
  auto run = subject.in<S>(forces);
  const auto start = point_in<S>(problem.start);
  const double h = 2 * step_of<S>(problem);
  const auto there = after(*run, start, S(h), 1);
  if (forward) run = subject.in<S>(forces_back);
  const auto back_from = [&](const TimedPoint<S>& z) {
    return forward ? turned(after(*run, turned(z), S(h), 1)) : after(*run, z, S(-h), 1);
  };
  const auto back = back_from(there);
  // Positions and momenta have sizes of their own.
  double relative = 0;
  for (const auto part : {&TimedPoint<S>::q, &TimedPoint<S>::p}) {
    double size = 0, largest = 0;
    for (std::size_t i = 0; i < (start.*part).size(); ++i) {
      size = std::max({size, size_of((start.*part)[i]), size_of((there.*part)[i])});
      const double difference = size_of(S((back.*part)[i] - (start.*part)[i]));
      largest = worse(largest, difference);
    }
    if (std::isnan(largest) || largest > 0) relative = worse(relative, largest / size);
  }
  const bool exact = std::is_same_v<S, Rational>;
  std::string note = problem.name;
  if constexpr (std::is_same_v<S, double>) {
    note += format(", %.3g ulps", relative / std::numeric_limits<double>::epsilon());
    // What is so small may be the rounding of where the step led, which the step back has made larger.
    constexpr double small = 0x1p-30, by = 0x1p-30, usual = 16;
    if (relative > double_bounds(subject.declares()).holds && relative < small) {
      TimedPoint<double> beside = there;
      double size = 0;
      for (std::vector<double>* x : {&beside.q, &beside.p})
        for (std::size_t i = 0; i < x->size(); ++i) {
          size = std::max(size, std::abs((*x)[i]));
          (*x)[i] *= 1 + ((i % 2 == 0) == (x == &beside.q) ? by : -by);
        }
      const std::vector<double> moved = joined(back_from(beside)), unmoved = joined(back);
      double larger = 0;
      for (std::size_t i = 0; i < moved.size(); ++i)
        larger = worse(larger, std::abs(moved[i] - unmoved[i]) / (by * size));
      if (std::isfinite(larger) && larger > usual) {
        relative *= usual / larger;
        note += format(", of a step back that makes differences %.3g times larger: %.3g times that is judged", larger,
                       usual / larger);
      }
    }
  }
  return {relative, note, exact};
}

/// Returns the largest relative difference of a point and the end of a run there and back, from a start where the run turns or not,
/// whichever is smaller.
template <class S>
double missed_after_runs(ForeignSubject& subject, const JudgedProblem& problem, long steps) {
  const bool forward = subject.declares().forward;
  const JudgedProblem problem_back = forward ? turned_round(problem) : problem;
  Forces<S> forces(problem), forces_back(problem_back);
  const auto start = point_in<S>(problem.start);
  const S h(problem.h / static_cast<double>(steps_of_start));
  double smaller = infinity;
  for (const bool anew : {true, false}) {
    if (!anew && forward) continue;
    auto run = subject.in<S>(forces);
    const TimedPoint<S> there = after(*run, start, h, steps);
    TimedPoint<S> back;
    if (forward) {
      run = subject.in<S>(forces_back);
      back = turned(after(*run, turned(there), h, steps));
    } else {
      if (anew) run->start(there);
      run->step(S(-h), steps);
      back = run->point();
    }
    double missed = 0;
    const auto from = joined(start), to = joined(back);
    for (std::size_t i = 0; i < from.size(); ++i) missed = worse(missed, size_of(S(to[i] - from[i])));
    missed /= std::max(size_of(start), size_of(there));
    smaller = std::isnan(missed) ? missed : std::min(smaller, missed);
    if (std::isnan(missed)) break;
  }
  return smaller;
}

/// Returns the same of a method with a memory. What a starting procedure leaves does not grow with the number of steps: it is
/// not held against a method that is declared symmetric.
template <class S>
Measured reversal_of_runs(ForeignSubject& subject, const JudgedProblem& problem, double none) {
  const double few = missed_after_runs<S>(subject, problem, 2 * steps_of_start);
  const std::string note = problem.name + format(", %ld steps there and back", 2 * steps_of_start);
  if (!(few > none) || subject.declares().symmetric != true) return {few, note};
  const double many = missed_after_runs<S>(subject, problem, 8 * steps_of_start);
  if (many > 2 * few) return {few, note};
  return {not_a_number,
          note + format(" miss the start by %.2g, four times as many by %.2g: a starting procedure that is "
                        "not symmetric leaves as much",
                        few, many)};
}

template <class S>
Measured momentum_in(ForeignSubject& subject, const JudgedProblem& problem, const std::vector<MomentumMap>& maps) {
  Forces<S> forces(problem);
  const auto run = subject.in<S>(forces);
  const auto start = point_in<S>(problem.start);
  const bool exact = std::is_same_v<S, Rational>;
  const S h(exact ? step_of<S>(problem) : step_of<S>(problem) / 4);
  const auto begun = begin(subject, *run, start, h);
  // A method that is wrong backwards may gain energy there: few steps, before it is beyond all numbers.
  run->step(h, exact ? 1 : h < S(0) ? 8 : 64);
  const auto end = run->point();
  const auto value = [](const MomentumMap& map, const TimedPoint<S>& z) {
    S sum(0);
    for (std::size_t i = 0; i < map.b.size(); ++i) sum = sum + S(map.b[i]) * z.p[i];
    for (std::size_t i = 0; i < map.a.size(); ++i)
      for (std::size_t j = 0; j < map.a.size(); ++j) sum = sum + S(map.a[i][j]) * z.q[i] * z.p[j];
    return sum;
  };
  Measured worst{0, "", exact};
  for (const MomentumMap& map : maps) {
    const double change = size_of(S(value(map, end) - value(map, begun)));
    if (is_worse(change, worst.value)) worst = {change, map.name + " of " + problem.name, exact};
  }
  return worst;
}

}  // namespace

Measured Measurements::reversal(ForeignSubject& subject, const JudgedProblem& problem, NumberType type) {
  if (subject.declares().memory)
    return type == NumberType::digits
               ? reversal_of_runs<Float50>(subject, problem, digits_bounds(subject.declares()).holds)
               : reversal_of_runs<double>(subject, problem, double_bounds(subject.declares()).holds);
  if (type == NumberType::rational) return reversal_in<Rational>(subject, problem);
  return type == NumberType::digits ? reversal_in<Float50>(subject, problem) : reversal_in<double>(subject, problem);
}

Measured Measurements::turned_step(ForeignSubject& subject, const JudgedProblem& problem) {
  const auto step_of = [&](const JudgedProblem& of, double h) {
    Forces<double> forces(of);
    return after(*subject.in_double(forces), of.start, h, 1);
  };
  const std::vector<double> found = joined(step_of(problem, -problem.h)), start = joined(problem.start);
  TimedPoint<double> other = step_of(turned_round(problem), problem.h);
  for (double& p : other.p) p = -p;
  const std::vector<double> expected = joined(other);
  double size = 0, apart = 0;
  for (std::size_t i = 0; i < found.size(); ++i) {
    size = worse(size, worse(std::abs(start[i]), std::abs(expected[i])));
    apart = worse(apart, std::abs(found[i] - expected[i]));
  }
  return {apart / size,
          problem.name +
              format(": a step of %g is not that of %g with momenta turned, by which the equations do not change",
                     -problem.h, problem.h)};
}

Measured Measurements::momentum(ForeignSubject& subject, const JudgedProblem& problem,
                                const std::vector<MomentumMap>& maps, NumberType type) {
  if (type == NumberType::rational) return momentum_in<Rational>(subject, problem, maps);
  return type == NumberType::digits ? momentum_in<Float50>(subject, problem, maps)
                                    : momentum_in<double>(subject, problem, maps);
}

}  // namespace livi

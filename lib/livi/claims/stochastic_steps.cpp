// SPDX-License-Identifier: MIT
//
// What the battery measures of a method under noise over few steps with noises that are fixed or drawn.
#include <livi/claims/stochastic_measures.hpp>
#include <map>

namespace livi::battery_detail {

using F = Float50;

namespace {

/// Returns the noises of step number `index` of length h: those of a Brownian path that is known at the middle of the step, so that
/// integrals of products are not the means under the other integrals.
template <class S>
DrawnNoise<S> drawn_noise(std::size_t count, std::uint64_t stream, std::uint64_t index, double h) {
  const BrownianPathWithProducts path(judge_seed(), stream << 32 | index, static_cast<int>(count), h, 1);
  DrawnNoise<S> drawn;
  for (std::size_t i = 0; i < count; ++i)
    drawn.noises.push_back(path.over(static_cast<int>(i), 0, 0).template cast<S>());
  for (const double product : path.products_over(0, 0)) drawn.products.push_back(S(product));
  return drawn;
}

/// Makes `steps` steps of length h under drawn noises. Returns whether all could be made.
template <class S, class Observe>
bool run_under_noise(NoisyStepper<S>& stepper, std::uint64_t stream, double h, int steps, const Observe& observe) {
  for (int k = 0; k < steps; ++k) {
    const DrawnNoise<S> noise = drawn_noise<S>(stepper.noises(), stream, static_cast<std::uint64_t>(k), h);
    if (!stepper.step_under(S(h), noise).ok()) return false;
    observe();
  }
  return true;
}
template <class S>
bool run_under_noise(NoisyStepper<S>& stepper, std::uint64_t stream, double h, int steps) {
  return run_under_noise(stepper, stream, h, steps, [] {});
}

PhasePoint<F> widened(const PhasePoint<double>& z) { return {z.q.cast<F>(), z.p.cast<F>()}; }

template <class S>
auto noisy(const AnyStochasticSubject& subject, std::size_t problem) {
  if constexpr (std::same_as<S, double>) {
    return subject.noisy_in_double(problem);
  } else {
    return subject.noisy_in_50_digits(problem);
  }
}

}  // namespace

// ---- constraints ------------------------------------------------------------------------------------------------------

std::pair<Worst, Worst> constraints_worst(const AnyStochasticSubject& subject) {
  std::pair<Worst, Worst> worst;
  for_each_generic([&](std::size_t i, const ProblemSummary& problem) {
    const auto stepper = subject.noisy_in_double(i);
    for (std::uint64_t path = 0; path < 8; ++path) {
      stepper->start(convert_point<double>(problem.points.front()));
      const bool ok = run_under_noise(*stepper, 100 + path, 1.0 / 32, 64, [&] {
        const auto [of_position, of_velocity] = stepper->defects();
        worst.first.update(of_position / std::numeric_limits<double>::epsilon(), problem.name);
        worst.second.update(of_velocity / std::numeric_limits<double>::epsilon(), problem.name);
      });
      if (ok) continue;
      worst.first.update(not_a_number, problem.name);
      worst.second.update(not_a_number, problem.name);
    }
  });
  return worst;
}

// ---- what a step with fixed noises keeps --------------------------------------------------------------------------------

Worst symplectic_worst(const AnyStochasticSubject& subject, const F& h) {
  Worst worst;
  for (const std::size_t i : {place::varying_products, place::constant_products, place::rods}) {
    const ProblemSummary& problem = subject.problems()[i];
    const auto stepper = subject.noisy_in_duals(i);
    stepper->set_noises(drawn_noise<Dual<F>>(stepper->noises(), 200 + i, 0, to_double(h)));
    for (std::size_t k = 0; k < problem.points.size(); ++k)
      worst.update(symplecticity_residual(*stepper, problem.points[k], problem.tangents[k], h, 2, identity),
                   problem.name);
  }
  return worst;
}

namespace {

/// Returns the noises of the way back over a step of length h.
DrawnNoise<F> backwards(DrawnNoise<F> noise, const F& h) {
  const auto product = [&](const F& of, const NoiseIntegrals<F>& a, const NoiseIntegrals<F>& b) {
    return F(-(of - a.increment * b.integral - b.increment * a.integral + h * a.increment * b.increment));
  };
  std::size_t pair = 0;
  for (std::size_t i = 0; i < noise.noises.size(); ++i)
    for (std::size_t j = i + 1; j < noise.noises.size(); ++j, ++pair)
      noise.products[pair] = product(noise.products[pair], noise.noises[i], noise.noises[j]);
  for (auto& a : noise.noises) a = {F(-a.increment), F(h * a.increment - a.integral), product(a.squared, a, a)};
  return noise;
}

}  // namespace

Worst symmetry_worst(const AnyStochasticSubject& subject) {
  Worst worst;
  const F h = F(1) / 8;
  for (const std::size_t i : {place::varying_products, place::constant_products, place::rods}) {
    const ProblemSummary& problem = subject.problems()[i];
    const auto stepper = subject.noisy_in_50_digits(i);
    for (const PhasePoint<F>& point : problem.points) {
      worst.update(reversal_defect<F>(*stepper, point, h, 3), problem.name + ", reversal");
      worst.update(adjoint_defect<F>(*stepper, point, h), problem.name + ", adjoint");
      const DrawnNoise<F> noise = drawn_noise<F>(stepper->noises(), 300 + i, 0, 0.125);
      stepper->start(point);
      bool ok = stepper->step_under(h, noise).ok();
      if (ok) stepper->start(stepper->point());
      ok = ok && stepper->step_under(F(-h), backwards(noise, h)).ok();
      worst.update(ok ? distance(stepper->point(), point) : not_a_number, problem.name + ", adjoint under noise");
    }
  }
  return worst;
}

Worst momentum_worst(const AnyStochasticSubject& subject, ProblemRole role, bool translations) {
  Worst worst;
  const auto& problems = subject.problems();
  for (std::size_t i = 0; i < problems.size(); ++i) {
    if (problems[i].role != role) continue;
    for (const auto& symmetry : problems[i].symmetries) {
      if (symmetry.is_translation != translations) continue;
      for (const PhasePoint<F>& point : problems[i].points) {
        const auto stepper = subject.noisy_in_50_digits(i);
        stepper->start(point);
        const F before = symmetry.momentum(point.q, point.p);
        double largest = 0;
        const bool ok = run_under_noise(*stepper, 400 + i, 0.0625, 48, [&] {
          const PhasePoint<F> z = stepper->point();
          largest = larger(largest, std::abs(to_double(F(symmetry.momentum(z.q, z.p) - before))));
        });
        worst.update(ok ? largest : not_a_number, problems[i].name);
      }
    }
  }
  return worst;
}

// ---- without noise ----------------------------------------------------------------------------------------------------

OrderWithoutNoise order_without_noise(const AnyStochasticSubject& subject, double expected) {
  OrderWithoutNoise result{expected, ""};
  const int slope_power = subject.declares().symmetric ? 2 : 1;
  for (const std::size_t i : {place::varying_products, place::constant_products}) {
    const ProblemSummary& problem = subject.problems()[i];
    static std::map<std::size_t, PhasePoint<F>> exact;
    if (!exact.contains(i)) exact[i] = subject.exact(i, problem.points.front(), F(1));
    const auto stepper = subject.noisy_in_50_digits(i);
    const ConvergenceTable table =
        measure_convergence(*stepper, problem.points.front(), exact[i], F(1), 4, slope_power == 2 ? 6 : 8);
    for (const auto& errors : {table.vectors_q, table.vectors_p}) {
      const double order = fitted_exponent(errors, slope_power, table.steps);
      result.detail += format("%s%.3f", &errors == &table.vectors_q ? "" : " ", order);
      if (std::isnan(result.order) || std::abs(order - expected) <= std::abs(result.order - expected)) continue;
      result.order = order;
    }
    result.detail +=
        format(" on %s (errors %.1e, %.1e); ", problem.name.c_str(), table.error_q.back(), table.error_p.back());
  }
  return result;
}

double changed_by_no_noise(const AnyStochasticSubject& subject) {
  double changed = 0;
  for_each_generic([&](std::size_t i, const ProblemSummary& problem) {
    const auto with = subject.noisy_in_double(i), without = subject.noisy_in_double(i);
    const auto none = DrawnNoise<double>::none(with->noises());
    for (const auto& stepper : {&with, &without}) (*stepper)->start(convert_point<double>(problem.points.front()));
    for (int k = 0; k < 64; ++k) {
      const bool ok = with->step_under(0.03125, none).ok() && without->step(0.03125).ok();
      changed += !ok ? not_a_number : with->save() == without->save() ? 0 : 1;
    }
  });
  return changed;
}

Worst left_of_mean_kick(const AnyStochasticSubject& subject) {
  Worst worst;
  const F h = ldexp(F(1), -52);
  for_each_generic([&](std::size_t i, const ProblemSummary& problem) {
    const auto stepper = subject.noisy_in_50_digits(i);
    const PhasePoint<F>& point = problem.points.front();
    stepper->start(point);
    const Vector<F, Dynamic> gradient = stepper->gradient_of_products();
    bool ok = stepper->step_under(h, DrawnNoise<F>::none(stepper->noises())).ok();
    const Vector<F, Dynamic> q = stepper->point().q, v = stepper->velocity();
    stepper->start(point);
    ok = stepper->step(h).ok() && ok;
    const F square = h * h;
    Vector<F, Dynamic> kick = (v - stepper->velocity()) / square;
    const Vector<F, Dynamic> moved = (q - stepper->point().q) / square;
    F along(0), length(0);
    for (Eigen::Index j = 0; j < kick.size(); ++j) {
      along -= kick(j) * gradient(j);
      length += gradient(j) * gradient(j);
    }
    F c = F(0) < length ? F(along / length) : F(0);
    if (c < F(0)) c = F(0);
    if (F(1) / F(4) < c) c = F(1) / F(4);
    kick += c * gradient;
    const F size = F(1) + max_magnitude(gradient);
    worst.update(ok ? to_double(F(larger(max_magnitude(kick), max_magnitude(moved)) / size)) : not_a_number,
                 problem.name);
  });
  return worst;
}

// ---- one short step ---------------------------------------------------------------------------------------------------

Worst short_step_worst(const AnyStochasticSubject& subject, bool each) {
  Worst worst;
  const F h = ldexp(F(1), -52);
  for_each_generic([&](std::size_t i, const ProblemSummary& problem) {
    const auto stepper = subject.noisy_in_50_digits(i);
    const PhasePoint<F>& point = problem.points.front();
    const std::size_t count = stepper->noises();
    for (std::size_t only = 0; only < (each ? count : 1); ++only) {
      DrawnNoise<F> noise = drawn_noise<F>(count, 500 + i, 0, to_double(h));
      if (each) {
        const NoiseIntegrals<F> alone = noise.noises[only];
        noise = DrawnNoise<F>::none(count);
        noise.noises[only] = alone;
      }
      stepper->start(point);
      const Vector<F, Dynamic> v = stepper->velocity(), rate = stepper->constrained_acceleration();
      Vector<F, Dynamic> expected = F(0) * v;
      for (std::size_t j = 0; j < count; ++j) expected += noise.noises[j].increment * stepper->tangent_impulse(j);
      Vector<F, Dynamic> end[2], place_of[2];
      bool ok = true;
      for (const int sign : {0, 1}) {
        stepper->start(point);
        ok = ok && stepper->step_under(h, noise).ok();
        end[sign] = stepper->velocity() - v;
        place_of[sign] = stepper->point().q - point.q;
        for (auto& of : noise.noises) of = {F(-of.increment), F(-of.integral), of.squared};
      }
      const auto relative = [&](const Vector<F, Dynamic>& found, const Vector<F, Dynamic>& wanted) {
        const F largest = max_magnitude(wanted);
        return ok ? distance(Vector<F, Dynamic>(found / largest), Vector<F, Dynamic>(wanted / largest)) : not_a_number;
      };
      worst.update(relative((end[0] - end[1]) / F(2), expected),
                   problem.name + (each ? ", noise " + std::to_string(only + 1) : ", noise"));
      if (each) continue;
      worst.update(relative((end[0] + end[1]) / F(2), h * rate), problem.name + ", force");
      worst.update(relative((place_of[0] + place_of[1]) / F(2), h * v), problem.name + ", position");
    }
  });
  return worst;
}

// ---- what a run depends on --------------------------------------------------------------------------------------------

double lost_by_restart(const AnyStochasticSubject& subject) {
  double lost = 0;
  for_each_generic([&](std::size_t i, const ProblemSummary& problem) {
    const auto stepper = subject.noisy_in_double(i);
    const PhasePoint<double> from = convert_point<double>(problem.points.front());
    stepper->start(from);
    for (std::uint64_t k = 0; k < 32; ++k) {
      const auto fresh = subject.noisy_in_double(i);
      const DrawnNoise<double> noise = drawn_noise<double>(stepper->noises(), 600 + i, k, 0.03125);
      fresh->start(from);
      fresh->load(stepper->save());
      const bool ok = stepper->step_under(0.03125, noise).ok() && fresh->step_under(0.03125, noise).ok();
      lost += !ok ? not_a_number : fresh->save() == stepper->save() ? 0 : 1;
    }
  });
  return lost;
}

double changed_by_repetition(const AnyStochasticSubject& subject) {
  double changed = 0;
  for_each_generic([&](std::size_t i, const ProblemSummary& problem) {
    const auto run_of = [&](NoisyStepper<double>& stepper, std::uint64_t stream, int steps) {
      stepper.start(convert_point<double>(problem.points.front()));
      return run_under_noise(stepper, stream, 0.03125, steps) ? stepper.save() : std::string("a failure");
    };
    const auto stepper = subject.noisy_in_double(i), other = subject.noisy_in_double(i);
    const std::string first = run_of(*stepper, 700 + i, 32);
    static_cast<void>(run_of(*other, 800 + i, 5));
    changed += run_of(*stepper, 700 + i, 32) == first ? 0 : 1;
    changed += run_of(*other, 700 + i, 32) == first ? 0 : 1;
    if (first == "a failure") changed = not_a_number;
  });
  return changed;
}

Worst number_types_worst(const AnyStochasticSubject& subject) {
  Worst worst;
  for_each_generic([&](std::size_t i, const ProblemSummary& problem) {
    const auto coarse = subject.noisy_in_double(i);
    const auto fine = subject.noisy_in_50_digits(i);
    coarse->start(convert_point<double>(problem.points.front()));
    fine->start(problem.points.front());
    const bool ok = run_under_noise(*coarse, 900 + i, 0.03125, 32) && run_under_noise(*fine, 900 + i, 0.03125, 32);
    const PhasePoint<F> end = fine->point();
    const double size = ok ? std::max(to_double(max_magnitude(end.q)), to_double(max_magnitude(end.p))) : not_a_number;
    worst.update(ok ? distance(widened(coarse->point()), end) / size : not_a_number, problem.name);
  });
  return worst;
}

// ---- where no step exists -----------------------------------------------------------------------------------------------

namespace {

/// Long steps of a free particle on the unit sphere from (1, 0, 0) along y, without noise: it goes by the angle h |p|. With r = q + h v
/// the multiplier exists for h |p| <= 1 exactly. A step that is made must be on the sphere. Where the motion stays on the half of the
/// sphere on which it begins, so must the step; beyond, it must be nearer than the radius to the motion.
template <class S>
void add_long_steps(const AnyStochasticSubject& subject, Existence& found) {
  const auto stepper = noisy<S>(subject, place::free_particle);
  const auto& start = subject.problems()[place::free_particle].points.front();
  const S h = S(1) / S(16);
  for (const double length : {0.5, 0.99, 0.999999, 1.000001, 1.01, 1.5, 3.0, 30.0, 1e8})
    for (const int sign : {1, -1}) {
      PhasePoint<S> from = convert_point<S>(start);
      from.p(1) = S(sign * 16 * length);
      stepper->start(from);
      if (!stepper->step_under(h, DrawnNoise<S>::none(1)).ok()) {
        found.shortest_none = std::min(found.shortest_none, length);
        if (length <= 0.5) found.wrong = not_a_number;
        continue;
      }
      const PhasePoint<S> end = stepper->point();
      const bool finite = all_finite(end.q) && all_finite(end.p);
      const double away = finite ? std::hypot(to_double(end.q(0)) - std::cos(length),
                                              to_double(end.q(1)) - sign * std::sin(length), to_double(end.q(2)))
                                 : infinity;
      const bool near = length < 1.5 ? finite && to_double(end.q(0)) > 0 : away < 1;
      const bool right = finite && to_double(stepper->defects().first) < 1e-9 && near;
      if (right) found.longest = std::max(found.longest, length);
      found.wrong += right ? 0 : 1;
    }
}
/// Long kicks of two rods: a step that is made must be finite and on the constraints.
void add_long_kicks(const AnyStochasticSubject& subject, Existence& found) {
  const auto stepper = subject.noisy_in_double(place::rods);
  for (std::uint64_t k = 0; k < 64; ++k) {
    stepper->start(convert_point<double>(subject.problems()[place::rods].points.front()));
    DrawnNoise<double> noise = drawn_noise<double>(stepper->noises(), 950, k, 0.25);
    for (auto& of : noise.noises) of = {16 * of.increment, 16 * of.integral, 256 * of.squared};
    for (double& product : noise.products) product *= 256;
    if (!stepper->step_under(0.25, noise).ok()) continue;
    const PhasePoint<double> end = stepper->point();
    const bool right = all_finite(end.q) && all_finite(end.p) && stepper->defects().first < 1e-9;
    found.wrong += right ? 0 : 1;
  }
}
}  // namespace

Existence existence(const AnyStochasticSubject& subject) {
  Existence found;
  add_long_steps<double>(subject, found);
  add_long_steps<F>(subject, found);
  add_long_kicks(subject, found);
  return found;
}

}  // namespace livi::battery_detail

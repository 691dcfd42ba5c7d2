// SPDX-License-Identifier: MIT
//
// What a refuted method in a heat bath, free or under constraints, probably does wrong. The judge gives the normal numbers, so that
// what friction and each number do in a step is known to rounding. The friction's rate and the noise's variance, for h to 0, are
// measured in baths that differ in one parameter each, and products of powers of the parameters are fitted to what they are times
// too large:
//   C gamma^a T^b m^c N^d c^e h^f,  N bodies, c constraints.
// A mistake is named where such a law holds, to the precision of the rows, also on bodies of unlike masses in another bath, to which
// nothing was fitted. Where the limits are right, what a step of some length does is compared with what typical mistakes do.
//
// One file, for all searches read what was measured once in these baths.
#include <livi/foreign/diagnosis.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include <livi/foreign/heat_bath.hpp>
#include <livi/foreign/manifold.hpp>

namespace livi {
using namespace foreign_detail;
namespace {

using MatrixXd = Eigen::MatrixXd;
using VectorXd = Eigen::VectorXd;
using Point = TimedPoint<double>;

VectorXd vector_of(const std::vector<double>& x) {
  return Eigen::Map<const VectorXd>(x.data(), static_cast<Eigen::Index>(x.size()));
}
/// Returns |a - b| / |b|; no number if b is zero.
double apart(const MatrixXd& a, const MatrixXd& b) { return (a - b).norm() / b.norm(); }
/// What a limit for h to 0 is known to: the bound of the rows, which refute what is farther away.
constexpr double limit_accuracy = 1e-3;

/// The parameters of a law, in this order.
enum Parameter : std::size_t { gamma, temperature, mass, bodies, constraints, step, parameters };
constexpr std::array<const char*, parameters> names{"gamma", "T", "m", "N", "c", "h"};
using Numbers = std::array<double, parameters>;

/// A factor, and powers of the parameters.
struct Law {
  double factor = 1;
  Numbers powers{};
  [[nodiscard]] bool is_one() const {
    return std::abs(factor - 1) <= limit_accuracy &&
           std::ranges::all_of(powers, [](double power) { return power == 0; });
  }
  [[nodiscard]] bool is(double of, const std::vector<std::pair<Parameter, double>>& with) const {
    Numbers expected{};
    for (const auto& [parameter, power] : with) expected.at(parameter) = power;
    return std::abs(factor - of) <= limit_accuracy * of && powers == expected;
  }
};
/// Returns the product of two laws as a text: "2 gamma T m^-1".
std::string law_text(const Law& law, const Law& right) {
  if (law.factor == 0) return "0";
  const double factor = law.factor * right.factor;
  std::string text = std::abs(factor - 1) <= limit_accuracy ? "" : format("%.4g", factor);
  for (std::size_t i = 0; i < parameters; ++i) {
    const double power = law.powers.at(i) + right.powers.at(i);
    if (power == 0) continue;
    text += (text.empty() ? "" : " ") + std::string(names.at(i));
    if (power != 1) text += power == std::round(power) ? format("^%g", power) : format("^(%g/2)", 2 * power);
  }
  return text.empty() ? "1" : text;
}
const Law right_rate{1, {1}}, right_variance{2, {1, 1, 1, 0, 0, 1}};

/// Which coordinates have one number in common.
struct Sharing {
  std::string sentence;
  std::function<Eigen::Index(Eigen::Index)> number;  ///< the place of a coordinate's number
};
std::vector<Sharing> sharings() {
  return {{"", [](auto i) { return i; }},
          {"one normal number is taken for all momenta", [](auto) { return 0; }},
          {"the normal numbers of the first three momenta are taken for all others, too", [](auto i) { return i % 3; }},
          {"the normal numbers of the first two momenta are taken for all others, too", [](auto i) { return i % 2; }},
          {"three momenta, one after the other, have one normal number in common", [](auto i) { return i / 3; }},
          {"two momenta, one after the other, have one normal number in common", [](auto i) { return i / 2; }}};
}

/// A problem without a force, and a point on it; the parameters that all of its bodies have, the mass of the first one among them.
struct Place {
  JudgedProblem problem;
  Point start;
  Numbers values{};

  [[nodiscard]] Eigen::Index size() const { return static_cast<Eigen::Index>(problem.masses.size()); }
  /// Returns a momentum without what it has along the constraints' gradients.
  [[nodiscard]] VectorXd along(const Point& z) const {
    return vector_of(problem.constraints.empty() ? z.p : Manifold<double>(problem).tangent(z.q, z.p));
  }
  /// Returns the matrix of that, at a position.
  [[nodiscard]] MatrixXd projection(const std::vector<double>& q) const {
    MatrixXd result(size(), size());
    for (Eigen::Index i = 0; i < size(); ++i) {
      Point unit{0, q, std::vector<double>(q.size(), 0.0)};
      unit.p[static_cast<std::size_t>(i)] = 1;
      result.col(i) = along(unit);
    }
    return result;
  }
};

Place in_a_bath(JudgedProblem problem, const std::vector<double>& q, double friction, double heat) {
  problem.potential = {};
  problem.friction = friction;
  problem.temperature = heat;
  constexpr std::array velocities{0.75, -0.5, 0.25, 0.375, -0.25, 0.625, -0.375, 0.5, 0.125};
  Place place{std::move(problem), {0, q, {}}};
  for (std::size_t i = 0; i < q.size(); ++i)
    place.start.p.push_back(velocities.at(i % velocities.size()) * place.problem.masses[i]);
  const VectorXd p = place.along(place.start);
  place.start.p.assign(p.begin(), p.end());
  const bool is_free = place.problem.constraints.empty();
  const auto n = static_cast<double>(q.size());
  place.values = {friction,
                  heat,
                  place.problem.masses[0],
                  is_free ? n : n / 3,
                  is_free ? 1 : static_cast<double>(place.problem.constraints.size()),
                  1};
  return place;
}
/// Return free bodies; a pendulum without a force on the unit sphere; three bodies on two rods, or two on one, with masses that are
/// `factor` times those of the battery's chain, or `factor`.
Place free_bodies(std::vector<double> masses, double friction, double heat) {
  const std::vector<double> q(masses.size(), 0.0);
  return in_a_bath({.name = "free bodies", .kind = ProblemKind::langevin, .masses = std::move(masses), .potential = {}},
                   q, friction, heat);
}
Place on_the_sphere(double factor, double friction, double heat) {
  JudgedProblem problem = sphere_in_a_heat_bath();
  std::ranges::fill(problem.masses, factor);
  return in_a_bath(std::move(problem), {0.6, 0, 0.8}, friction, heat);
}
Place on_rods(std::size_t rods, bool alike, double friction, double heat) {
  JudgedProblem problem = chain_in_a_heat_bath();
  std::vector<double> q{1, 0, 0, 0, 0, 0, 0.6, 0.8, 0};
  q.resize(3 * (rods + 1));
  problem.masses.resize(q.size());
  problem.constraints.resize(rods);
  if (alike) std::ranges::fill(problem.masses, 1.0);
  return in_a_bath(std::move(problem), q, friction, heat);
}
/// Returns places of which each has one parameter that no one before has, and a last one of unlike masses in another bath.
std::vector<Place> places(bool constrained) {
  if (constrained)
    return {on_the_sphere(1, 0.75, 1.5),    on_the_sphere(1, 0.1875, 1.5), on_the_sphere(1, 0.75, 6),
            on_the_sphere(4, 0.75, 1.5),    on_rods(1, true, 0.75, 1.5),   on_rods(2, true, 0.75, 1.5),
            on_rods(2, false, 1.25, 0.8125)};
  const JudgedProblem many = many_bodies_in_a_heat_bath();
  return {free_bodies({1, 1}, 0.75, 1.5),       free_bodies({1, 1}, 0.1875, 1.5),
          free_bodies({1, 1}, 0.75, 6),         free_bodies({4, 4}, 0.75, 1.5),
          free_bodies({1, 1, 1, 1}, 0.75, 1.5), free_bodies(many.masses, many.friction, many.temperature)};
}

/// What the bath does in steps from a place.
struct Response {
  VectorXd damping;      ///< the change of momenta by it, all numbers zero
  MatrixXd noise;        ///< half the differences of momenta under 1 and -1 of each number, along the constraints
  MatrixXd in_full;      ///< half the differences of whole momenta
  MatrixXd of_position;  ///< half the differences of positions
};
/// The size of the steps from which limits are taken, with its half and its quarter.
constexpr double short_step = 0x1p-8;
/// One in which all but noise is nothing: on a surface what is not linear in a number x is h x^2 of what is.
constexpr double tiny_step = 0x1p-20;
struct Probe {
  Place place;
  std::array<Response, 3> at{};
};
/// Returns the limit of values at h, h/2 and h/4, up to O(h^3).
template <class T>
T limit_of(const std::array<T, 3>& at) {
  return (at[0] - 6 * at[1] + 8 * at[2]) / 3;
}
/// Returns the half of a whole number that is nearest; nothing if it is not near.
std::optional<double> power_near(double x) {
  const double power = std::round(2 * x) / 2;
  return std::abs(x - power) < 0.01 && std::abs(power) <= 4 ? std::optional(power) : std::nullopt;
}

/// Fits a law to numbers that each probe has at its three steps; nothing if there is none.
std::optional<Law> fitted(const std::vector<Probe>& probes,
                          const std::function<double(const Probe&, std::size_t)>& ratio) {
  const auto at = [&](const Probe& probe) { return std::array{ratio(probe, 0), ratio(probe, 1), ratio(probe, 2)}; };
  const std::array of_base = at(probes.front());
  // Rounding, where there is nothing.
  if (std::ranges::all_of(of_base, [](double x) { return std::abs(x) < 1e-10; })) return Law{0, {}};
  Law law;
  const double first = std::log2(of_base[0] / of_base[1]), second = std::log2(of_base[1] / of_base[2]);
  const std::optional<double> of_step = power_near(2 * second - first);
  if (!of_step) return {};
  law.powers[step] = *of_step;
  const auto value = [&](const Probe& probe) {
    std::array values = at(probe);
    for (std::size_t k = 0; k < 3; ++k)
      values.at(k) *= std::pow(std::ldexp(short_step, -static_cast<int>(k)), -*of_step);
    return limit_of(values);
  };
  const auto product = [&](const Probe& probe) {
    double all = 1;
    for (std::size_t i = 0; i < step; ++i) all *= std::pow(probe.place.values.at(i), law.powers.at(i));
    return all;
  };
  const Probe& base = probes.front();
  const double of_all = value(base);
  // All but the last probe, whose masses differ.
  for (std::size_t k = 1, i = 0; k + 1 < probes.size(); ++k, ++i) {
    const Probe& probe = probes[k];
    const double change = value(probe) / of_all / (product(probe) / product(base)),
                 by = probe.place.values.at(i) / base.place.values.at(i);
    const std::optional<double> power = power_near(std::log(change) / std::log(by));
    if (!power) return {};
    law.powers.at(i) = *power;
  }
  law.factor = of_all / product(base);
  return law;
}

class BathDoctor {
 public:
  BathDoctor(ForeignSubject& subject, const Judgement& judgement, bool constrained)
      : subject_(subject), judgement_(judgement), constrained_(constrained) {}

  std::vector<std::string> sentences() {
    const bool damped_otherwise = is_refuted({"friction"}, {"friction in the bath"}),
               otherwise_noisy = is_refuted({"noise of a body"}, {"noise in the bath"});
    if (!damped_otherwise && !otherwise_noisy && !has_wrong_numbers() && !has_old_numbers() && !has_wrong_averages() &&
        !is_refuted({"noise without heat"}, {"hidden constraint in the bath", "repetition in the bath"}))
      return {};
    const std::vector<Place> all = places(constrained_);
    if (const std::string said = numbers(all.front()); !said.empty()) return {said};
    for (const Place& place : all) {
      Probe& probe = probes_.emplace_back(Probe{place});
      for (std::size_t k = 0; k < 3; ++k)
        probe.at.at(k) = response(place, std::ldexp(short_step, -static_cast<int>(k)));
    }
    // What is not linear in the numbers has no variance that could be told from what the number one does; of steps that are not
    // alike, or share numbers, one has no law.
    const bool is_one_step = !has_old_numbers();
    const std::vector<std::string> of_laws =
        laws(damped_otherwise && is_one_step, otherwise_noisy && is_one_step && !has_wrong_numbers());
    if (!of_laws.empty() || has_wrong_numbers()) return of_laws;
    using Examine = std::string (BathDoctor::*)() const;
    for (const Examine examine :
         {&BathDoctor::old_numbers, &BathDoctor::not_projected, &BathDoctor::warmer, &BathDoctor::longer_steps})
      if (const std::string said = (this->*examine)(); !said.empty()) return {said};
    return {};
  }

 private:
  /// Returns whether one of these rows is refuted; those of the other kind do not count.
  [[nodiscard]] bool is_refuted(std::initializer_list<const char*> of_free,
                                std::initializer_list<const char*> of_constrained) const {
    const auto& tests = constrained_ ? of_constrained : of_free;
    return std::ranges::any_of(judgement_.rows, [&](const JudgementRow& row) {
      return row.claim.verdict == Verdict::refuted && std::ranges::find(tests, row.test) != tests.end();
    });
  }
  [[nodiscard]] bool has_wrong_averages() const {
    return is_refuted({"sampling of q", "sampling of p"}, {"sampling of q and p"});
  }
  [[nodiscard]] bool has_wrong_numbers() const { return is_refuted({"noise"}, {"linear noise in the bath"}); }
  [[nodiscard]] bool has_old_numbers() const { return is_refuted({"fresh noise"}, {"fresh noise in the bath"}); }

  [[nodiscard]] Response response(const Place& place, double h, long count = 1) const {
    const JudgedProblem& problem = place.problem;
    JudgedProblem without = problem;
    without.kind = constrained_ ? ProblemKind::constrained : ProblemKind::mechanical;
    Response result;
    {
      Forces<double> forces(without);
      const auto run = subject_.in_double(forces);
      result.damping = -place.along(step_in_bath(*run, forces, place.start, {}, h, count));
    }
    Forces<double> forces(problem);
    const auto run = subject_.in_double(forces);
    std::size_t asked = 0;
    result.damping += place.along(step_in_bath(*run, forces, place.start, {}, h, count, &asked));
    for (MatrixXd* noise : {&result.noise, &result.in_full, &result.of_position})
      noise->resize(place.size(), static_cast<Eigen::Index>(asked));
    for (std::size_t j = 0; j < asked; ++j) {
      std::vector<double> normals(asked, 0.0);
      normals[j] = 1;
      const Point above = step_in_bath(*run, forces, place.start, normals, h, count);
      normals[j] = -1;
      const Point below = step_in_bath(*run, forces, place.start, normals, h, count);
      const auto column = static_cast<Eigen::Index>(j);
      result.noise.col(column) = (place.along(above) - place.along(below)) / 2;
      result.in_full.col(column) = (vector_of(above.p) - vector_of(below.p)) / 2;
      result.of_position.col(column) = (vector_of(above.q) - vector_of(below.q)) / 2;
    }
    return result;
  }

  /// What a step does with a number, before anything else: none that is asked for, numbers of its own, or what is not the number.
  [[nodiscard]] std::string numbers(const Place& place) const {
    Point at_rest = place.start;
    std::ranges::fill(at_rest.p, 0.0);
    std::size_t count = 0;
    const auto end = [&](ForeignSubject& subject, const std::vector<double>& normals, double size = tiny_step,
                         long steps = 1) {
      Forces<double> forces(place.problem);
      const auto run = subject.in_double(forces);
      return vector_of(step_in_bath(*run, forces, at_rest, normals, size, steps, &count).p);
    };
    const auto in_a_session = [&](const std::vector<double>& normals, double size = tiny_step, long steps = 1) {
      return end(*subject_.another(), normals, size, steps);
    };
    const VectorXd silent = in_a_session({});
    const std::size_t asked = count;
    if (silent.norm() > 1e-8 && (in_a_session({}) != silent || is_of_fixed_numbers(silent, in_a_session)))
      return "it has random numbers of its own: bodies at rest move without a force, and under normal numbers that are "
             "all zero";
    if (asked == 0 && silent.norm() <= 1e-8)
      return "there is no noise: no normal number is asked for, and bodies at rest stay there";
    if (!has_wrong_numbers()) return "";
    // The number that does most shows it.
    VectorXd largest = VectorXd::Zero(silent.size());
    std::size_t which = 0;
    const auto under = [&](std::size_t j, double x) {
      std::vector<double> normals(j + 1, 0.0);
      normals[j] = x;
      return VectorXd(end(subject_, normals) - silent);
    };
    for (std::size_t j = 0; j < asked; ++j)
      if (const VectorXd of = under(j, 1); of.norm() > largest.norm()) largest = of, which = j;
    const auto is_taken_for = [&](const std::vector<double>& places, const std::function<double(double)>& value) {
      return std::ranges::all_of(places,
                                 [&](double x) { return apart(under(which, x), value(x) * largest) < limit_accuracy; });
    };
    if (is_taken_for({-3, -1, -0.25, 0.25, 0.5, 2, 3}, [](double x) { return x * x; }))
      return "the square of a normal number stands in its place";
    if (is_taken_for({-3, -1, -0.25, 0.25, 0.5, 2, 3}, [](double x) { return std::abs(x); }))
      return "the size of a normal number stands in its place";
    // Inside of what it is clipped to a number is itself, just outside and far away it is that, with its sign.
    const double of_one = 64 * under(which, 0x1p-6).norm(), least = under(which, 8).norm() / of_one,
                 of_largest = largest.norm() / of_one;
    if (!(least > 0 && least < 8)) return "";
    std::vector<double> places;
    for (const double x : {0.125, 0.5, 0.75, 0.9, 0.99, 1.01, 1.25, 2.0, 16.0})
      for (const double sign : {-1.0, 1.0}) places.push_back(sign * x * least);
    return is_taken_for(places, [&](double x) { return std::clamp(x, -least, least) / of_largest; })
               ? format("normal numbers are clipped: those beyond %.4g have the effect of that", least)
               : "";
  }
  /// Returns whether what moves bodies at rest depends on no number of the judge, goes with the root of the step, and is another in
  /// the next step: numbers that each session makes in the same order.
  template <class InASession>
  [[nodiscard]] static bool is_of_fixed_numbers(const VectorXd& silent, const InASession& in_a_session) {
    for (const double x : {-8.0, -1.0, 1.0, 8.0})
      if (in_a_session(std::vector<double>(static_cast<std::size_t>(2 * silent.size()), x)) != silent) return false;
    return apart(2 * in_a_session({}, tiny_step / 4), silent) < limit_accuracy &&
           apart(in_a_session({}, tiny_step, 2), 2 * silent) > limit_accuracy;
  }

  /// Returns the change of momenta by a friction of the right rate but for a power of the mass.
  static VectorXd damping_of(const Place& place, double power) {
    Point z = place.start;
    for (std::size_t i = 0; i < z.p.size(); ++i) z.p[i] *= std::pow(place.problem.masses[i], power);
    return -place.problem.friction * place.along(z);
  }
  /// Returns the covariance per time of the noise that is right but for a power of the mass, and for numbers in common.
  static MatrixXd covariance_of(const Place& place, const MatrixXd& projection, double power, const Sharing& sharing) {
    MatrixXd noise = MatrixXd::Zero(place.size(), place.size());
    for (Eigen::Index i = 0; i < place.size(); ++i)
      noise(i, sharing.number(i)) = std::sqrt(2 * place.problem.friction * place.problem.temperature *
                                              std::pow(place.problem.masses[static_cast<std::size_t>(i)], 1 + power));
    const MatrixXd along = projection * noise;
    return along * along.transpose();
  }
  /// Returns whether what is right but for a power of the mass, times a law, is what all probes have in the limit.
  template <class Right, class Measured>
  [[nodiscard]] bool holds(const Law& law, const Right& right, const Measured& measured) const {
    return std::ranges::all_of(probes_, [&](const Probe& probe) {
      std::array<MatrixXd, 3> values;
      for (std::size_t k = 0; k < 3; ++k)
        values.at(k) =
            measured(probe.at.at(k)) * std::pow(std::ldexp(short_step, -static_cast<int>(k)), -1 - law.powers[step]);
      double factor = law.factor;
      for (const Parameter i : {gamma, temperature, bodies, constraints})
        factor *= std::pow(probe.place.values.at(i), law.powers.at(i));
      const MatrixXd expected = right(probe.place, law.powers[mass]),
                     limit = (values[0] - 6 * values[1] + 8 * values[2]) / 3;
      return law.factor == 0 ? limit.norm() < 1e-8 : apart(limit, factor * expected) < limit_accuracy;
    });
  }
  /// Returns the law of something that is to be `right`, if there is one: what it is times too large.
  template <class Right, class Measured>
  [[nodiscard]] std::optional<Law> law_of(const Right& right, const Measured& measured) const {
    const std::optional<Law> law = fitted(probes_, [&](const Probe& probe, std::size_t k) {
      const MatrixXd expected = right(probe.place, 0), found = measured(probe.at.at(k));
      return found.cwiseProduct(expected).sum() / expected.squaredNorm() / std::ldexp(short_step, -static_cast<int>(k));
    });
    return law && holds(*law, right, measured) ? law : std::nullopt;
  }

  [[nodiscard]] std::vector<std::string> laws(bool damped_otherwise, bool otherwise_noisy) const {
    if (!damped_otherwise && !otherwise_noisy) return {};
    std::vector<std::string> said;
    const std::optional<Law> rate =
        law_of(damping_of, [](const Response& response) { return MatrixXd(response.damping); });
    for (const Sharing& sharing : sharings()) {
      const std::optional<Law> variance =
          law_of([&](const Place& place,
                     double power) { return covariance_of(place, place.projection(place.start.q), power, sharing); },
                 [](const Response& response) { return MatrixXd(response.noise * response.noise.transpose()); });
      if (!variance) continue;
      if (otherwise_noisy && !sharing.sentence.empty()) said.push_back(sharing.sentence);
      const bool is_one_cause = rate && !rate->is_one() && rate->factor != 0 && rate->powers == variance->powers &&
                                std::abs(rate->factor - variance->factor) <= limit_accuracy * std::abs(rate->factor);
      if (is_one_cause && damped_otherwise && otherwise_noisy) {
        said.push_back("friction and noise are both those of the rate " + law_text(*rate, right_rate) + ", not gamma" +
                       cause_of(*rate));
        return said;
      }
      // Numbers that a later step takes are not ignored.
      if (variance->factor == 0 && response(probes_.front().place, short_step, 4).noise.norm() > 1e-8) break;
      if (otherwise_noisy && !variance->is_one())
        said.push_back(variance->factor == 0
                           ? "the noise is ignored: the normal numbers that are asked for have no effect"
                           : "the noise of a step of h has the variance " + law_text(*variance, right_variance) +
                                 ", not 2 gamma T m h" + cause_of_noise(*variance));
      break;
    }
    if (damped_otherwise && rate && !rate->is_one())
      said.push_back(rate->factor == 0 ? "the friction is ignored"
                                       : "momenta are damped at the rate " + law_text(*rate, right_rate) +
                                             ", not gamma" + cause_of(*rate));
    return said;
  }
  [[nodiscard]] std::string cause_of(const Law& rate) const {
    if (rate.is(1, {{bodies, 1}})) return ": once for every body";
    if (rate.is(3, {{bodies, 1}})) return ": once for every coordinate";
    if (rate.is(1, {{constraints, 1}})) return ": once for every constraint";
    if (rate.is(1, {{gamma, -1}, {temperature, 1}}))
      return is_variance_of_a_half([](double friction, double heat) { return -friction * std::expm1(-heat); })
                 ? ": friction and temperature are exchanged"
                 : ": the temperature is taken for the friction";
    if (rate.is(1, {{mass, -1}})) return ": it is divided by the mass once too often";
    if (rate.is(1, {{mass, 1}})) return ": it is multiplied by the mass once too often";
    if (rate.is(2, {})) return ": as if it acted over h in each half of a step";
    if (rate.is(0.5, {})) return ": as if it acted over h/2 alone";
    if (std::abs(rate.factor + 1) <= limit_accuracy) return ": its sign is turned round";
    if (rate.is(1, {{step, -1}})) return ": h is missing";
    return "";
  }
  [[nodiscard]] std::string cause_of_noise(const Law& variance) const {
    const auto power = [&](Parameter of) { return variance.powers.at(of) + right_variance.powers.at(of); };
    if (variance.is(1, {{bodies, 1}})) return ": once for every body";
    if (variance.is(3, {{bodies, 1}})) return ": once for every coordinate";
    if (variance.is(1, {{constraints, 1}})) return ": once for every constraint";
    if (variance.is(2, {}))
      return is_variance_of_a_half([](double friction, double heat) {
        const double x = std::exp(-friction / 4);
        return heat * (1 - x * x) * (1 + x) * (1 + x);
      })
                 ? ": both halves of a step have the same numbers"
                 : ": as at twice the temperature";
    if (variance.is(0.5, {}))
      return is_variance_of_a_half([](double friction, double heat) { return -heat * std::expm1(-friction / 2); })
                 ? ": it has 1 - e^(-gamma h) in place of 1 - e^(-2 gamma h)"
                 : ": as at half of the temperature";
    if (power(gamma) == 2 && power(step) == 2) return ": its size is in proportion to gamma h, not to its root";
    if (power(step) == 2) return ": its size is in proportion to h, not to its root";
    if (power(step) == 0) return ": its size does not depend on h";
    if (power(gamma) == 2) return ": its size is in proportion to gamma, not to its root";
    if (power(temperature) == 2) return ": its size is in proportion to T, not to its root";
    if (power(temperature) == 0.5) return ": the root of T stands in place of T";
    if (power(temperature) == 0) return ": it does not depend on the temperature";
    if (power(mass) == 0) return ": it does not depend on the mass";
    if (power(mass) == -1) return ": it is divided by the root of the mass in place of multiplied";
    if (power(mass) == 2) return ": its size is in proportion to m, not to its root";
    return "";
  }
  /// Returns whether the first momentum of free bodies of mass one gets a noise of this variance in a step of 1/2.
  [[nodiscard]] bool is_variance_of_a_half(
      const std::function<double(double friction, double temperature)>& variance) const {
    if (constrained_) return false;
    const Place& place = probes_.front().place;
    const double found = response(place, 0.5).noise.row(0).squaredNorm(),
                 expected = variance(place.problem.friction, place.problem.temperature);
    return std::abs(found / expected - 1) < 1e-9;
  }

  /// Numbers of one step that enter the next one.
  [[nodiscard]] std::string old_numbers() const {
    if (!has_old_numbers()) return "";
    const Probe& base = probes_.front();
    const Response two = response(base.place, short_step / 4, 2);
    const MatrixXd& one = base.at[2].noise;
    if (one.norm() == 0 || two.noise.cols() < one.cols()) return "";
    const MatrixXd first = two.noise.leftCols(one.cols()), rest = two.noise.rightCols(two.noise.cols() - one.cols());
    // Friction changes it by gamma h.
    constexpr double near = 0.01;
    return apart(first, 2 * one) < near && rest.norm() < near * one.norm()
               ? "the normal numbers of the first step are taken in the next one, too"
               : "";
  }
  /// Noise that is left across the constraints.
  [[nodiscard]] std::string not_projected() const {
    if (!is_refuted({}, {"hidden constraint in the bath"})) return "";
    const auto in_full = [](const Response& response) {
      return MatrixXd(response.in_full * response.in_full.transpose());
    };
    const auto is_projected_by = [&](const std::function<MatrixXd(const Place&)>& projection) {
      return holds(
          Law{},
          [&](const Place& place, double) { return covariance_of(place, projection(place), 0, sharings().front()); },
          in_full);
    };
    if (is_projected_by([](const Place& place) { return MatrixXd(MatrixXd::Identity(place.size(), place.size())); }))
      return "the noise is not projected: it has the covariance of free bodies";
    const auto without_masses = [](const Place& place) {
      Place light = place;
      std::ranges::fill(light.problem.masses, 1.0);
      return light.projection(place.start.q);
    };
    return is_projected_by(without_masses)
               ? "the noise of momenta is projected without the masses: Dg p = 0 in place of Dg M^-1 p = 0"
               : "";
  }
  /// A temperature that is not zero where it is to be.
  [[nodiscard]] std::string warmer() const {
    if (!is_refuted({"noise without heat"}, {})) return "";
    std::vector<double> higher;
    // Another friction, another mass, and more bodies: a temperature is the same for all.
    for (const std::size_t k : std::array<std::size_t, 4>{0, 1, 3, 4})
      for (const double h : {0.25, 0.5}) {
        Place place = probes_.at(k).place;
        const auto variance = [&](double heat) {
          place.problem.temperature = heat;
          return response(place, h).noise.squaredNorm();
        };
        const double none = variance(0), one = variance(1) - none, two = variance(2) - none;
        // To what rounding leaves of the differences.
        if (!(none > 0 && std::abs(two - 2 * one) < 1e-9 * one)) return "";
        higher.push_back(none / one);
      }
    const auto [least, most] = std::ranges::minmax(higher);
    return most - least < 1e-6 * most ? format("the temperature is higher by %.4g than it is to be", higher.front())
                                      : "";
  }

  /// What is right for h to 0, and no more.
  [[nodiscard]] std::string longer_steps() const {
    if (!has_wrong_averages()) return "";
    constexpr double h = 0.25;
    const Probe& base = probes_.front();
    const Place& place = base.place;
    const double rate = place.problem.friction, heat = place.problem.temperature;
    const Response at = response(place, h);
    const bool order_one_is_wrong = judgement_.declares.sampling.value_or(0) > 1;
    JudgedProblem without = place.problem;
    without.kind = constrained_ ? ProblemKind::constrained : ProblemKind::mechanical;
    Forces<double> forces(without);
    const Point free = step_in_bath(*subject_.in_double(forces), forces, place.start, {}, h);
    const MatrixXd there = h * covariance_of(place, place.projection(free.q), 0, sharings().front());
    constexpr double rounding = 1e-9;
    if (order_one_is_wrong && apart(at.damping, -rate * h * place.along(free)) < rounding &&
        apart(at.noise * at.noise.transpose(), there) < rounding)
      return "the bath is Euler and Maruyama's, p - gamma h p + (2 gamma T m h)^(1/2) xi, whose averages are of order "
             "one";
    if (constrained_) return "";
    // The covariance of position and momentum after the time h of the exact motion, of mass one.
    const double x = std::exp(-rate * h), of_p = heat * (1 - x * x),
                 of_q = heat * (2 * rate * h - 3 + 4 * x - x * x) / (rate * rate),
                 of_both = heat * (1 - x) * (1 - x) / rate;
    const double p = at.noise.row(0).squaredNorm(), q = at.of_position.row(0).squaredNorm(),
                 both = at.noise.row(0).dot(at.of_position.row(0));
    if (!(std::abs(p / of_p - 1) < rounding && std::abs(q / of_q - 1) < rounding)) return "";
    if (std::abs(both / std::sqrt(p * q) - 1) < rounding)
      return "position and momentum get the same normal number: each alone has the variance of the motion, their "
             "covariance is "
             "too large";
    if (std::abs(both / of_both) < rounding)
      return "position and momentum get independent normal numbers: each alone has the variance of the motion, their "
             "covariance is "
             "missing";
    return "";
  }

  ForeignSubject& subject_;
  const Judgement& judgement_;
  bool constrained_;
  std::vector<Probe> probes_;
};

}  // namespace

std::vector<std::string> diagnose_baths(ForeignSubject& subject, const Judgement& judgement) {
  std::vector<std::string> said;
  for (const bool constrained : {false, true})
    if (judgement.declares.takes(constrained ? ProblemKind::constrained_langevin : ProblemKind::langevin)) try {
        for (const std::string& sentence : BathDoctor(subject, judgement, constrained).sentences())
          said.push_back(sentence);
      } catch (const ForeignRefusal&) {
        continue;  // a step that fails, or bodies that are not taken, say nothing
      }
  return said;
}

}  // namespace livi

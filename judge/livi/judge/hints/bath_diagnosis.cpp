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
#include <livi/judge/hints/diagnosis.hpp>

#include <algorithm>
#include <cmath>
#include <optional>

#include <livi/judge/hints/bath_places.hpp>
#include <livi/judge/measures/heat_bath.hpp>

namespace livi {
using namespace foreign_detail;
namespace {

using MatrixXd = Eigen::MatrixXd;
using VectorXd = Eigen::VectorXd;
using Point = TimedPoint<double>;

/// The parameters, in the order of a place's values.
enum Parameter : std::size_t { gamma, temperature, mass, bodies, constraints, step, parameters };
constexpr std::array<const char*, parameters> names{"gamma", "T", "m", "N", "c", "h"};

/// A factor, and powers of the parameters.
struct Law {
  double factor = 1;
  Parameters powers{};
  [[nodiscard]] bool is_one() const {
    return std::abs(factor - 1) <= limit_accuracy &&
           std::ranges::all_of(powers, [](double power) { return power == 0; });
  }
  [[nodiscard]] bool is(double of, const std::vector<std::pair<Parameter, double>>& with) const {
    Parameters expected{};
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

/// What the bath does in steps from a place.
struct Response {
  VectorXd damping;      ///< the change of momenta by it, all numbers zero
  MatrixXd noise;        ///< half the differences of momenta under 1 and -1 of each number, along the constraints
  MatrixXd in_full;      ///< half the differences of whole momenta
  MatrixXd of_position;  ///< half the differences of positions
};
/// The size of the steps from which limits are taken, with its half and its quarter.
constexpr double short_step = 0x1p-8;
struct Probe {
  BathPlace place;
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
  // Where steps do something else below some size, two sizes show a power that is none.
  if (!of_step || !(std::abs(second - first) < 0.1)) return {};
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
    const bool damped_otherwise = is_refuted({TestId::friction}),
               otherwise_noisy = is_refuted({TestId::noise_covariance});
    if (!damped_otherwise && !otherwise_noisy && !has_wrong_numbers() && !has_old_numbers() && !has_wrong_averages() &&
        !is_refuted({TestId::noise_without_heat, TestId::noise_later, TestId::hidden_constraint, TestId::repetition}))
      return {};
    const std::vector<BathPlace> all = places_in_baths(constrained_);
    if (const std::string said = mistake_of_numbers(subject_, all, has_wrong_numbers()); !said.empty()) return {said};
    if (is_refuted({constrained_ ? TestId::fresh_noise : TestId::noise_later}))
      if (const std::string said = mistake_of_sizes(subject_, all); !said.empty()) return {said};
    for (const BathPlace& place : all) {
      Probe& probe = probes_.emplace_back(Probe{place});
      for (std::size_t k = 0; k < 3; ++k)
        probe.at.at(k) = response(place, std::ldexp(short_step, -static_cast<int>(k)));
    }
    // What is not linear in the numbers has no variance that could be told from what the number one does; of steps that are not
    // alike, or share numbers, one has no law.
    const bool is_one_step = are_alike();
    std::vector<std::string> of_laws =
        laws(damped_otherwise && is_one_step, otherwise_noisy && is_one_step && !has_wrong_numbers());
    if (damped_otherwise && is_one_step && !constrained_ && !livi::is_refuted(judgement_, TestId::memory))
      if (std::string said = mistake_of_motion(subject_); !said.empty()) of_laws.push_back(std::move(said));
    if (!of_laws.empty() || has_wrong_numbers()) return of_laws;
    using Examine = std::string (BathDoctor::*)() const;
    for (const Examine examine :
         {&BathDoctor::old_numbers, &BathDoctor::not_projected, &BathDoctor::warmer, &BathDoctor::longer_steps})
      if (const std::string said = (this->*examine)(); !said.empty()) return {said};
    return {};
  }

 private:
  /// Returns whether one of these rows of its kind is refuted.
  [[nodiscard]] bool is_refuted(std::initializer_list<TestId> tests) const {
    const ProblemKind kind = constrained_ ? ProblemKind::constrained_langevin : ProblemKind::langevin;
    return std::ranges::any_of(judgement_.rows, [&](const JudgementRow& row) {
      return row.claim.verdict == Verdict::refuted && row.id.kind == kind &&
             std::ranges::find(tests, row.id.test) != tests.end();
    });
  }
  [[nodiscard]] bool has_wrong_averages() const {
    return is_refuted({TestId::sampling_q, TestId::sampling_p, TestId::sampling});
  }
  [[nodiscard]] bool has_wrong_numbers() const { return is_refuted({TestId::noise}); }
  [[nodiscard]] bool has_old_numbers() const { return is_refuted({TestId::fresh_noise}); }

  [[nodiscard]] Response response(const BathPlace& place, double h, long count = 1) const {
    const JudgedProblem& problem = place.problem;
    Response result;
    {
      const JudgedProblem without = place.without_bath();
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

  /// Whose mass stands in a law.
  enum class Whose { own, first };
  static double mass_of(const BathPlace& place, std::size_t i, Whose whose) {
    return place.problem.masses[whose == Whose::own ? i : 0];
  }
  /// Returns whether two short steps have the friction of one twice, and numbers of their own that do what those of one do.
  [[nodiscard]] bool are_alike() const {
    // The second step begins some h away from where the first one does.
    constexpr double near = 0.02;
    const auto is_near = [](const MatrixXd& a, const MatrixXd& b) {
      return a.cols() == b.cols() && (a - b).norm() <= near * b.norm() + 1e-12;
    };
    for (const Probe* probe : {&probes_.front(), &probes_.back()}) {
      const Response two = response(probe->place, short_step / 4, 2);
      const MatrixXd& one = probe->at[2].noise;
      if (two.noise.cols() != 2 * one.cols() || !is_near(two.noise.leftCols(one.cols()), one) ||
          !is_near(two.noise.rightCols(one.cols()), one) || !is_near(two.damping, 2 * probe->at[2].damping))
        return false;
    }
    return true;
  }

  /// Returns the change of momenta by a friction of the right rate but for a power of the mass.
  static VectorXd damping_of(const BathPlace& place, double power, Whose whose) {
    Point z = place.start;
    for (std::size_t i = 0; i < z.p.size(); ++i) z.p[i] *= std::pow(mass_of(place, i, whose), power);
    return -place.problem.friction * place.along(z);
  }
  /// Returns the covariance per time of the noise that is right but for a power of the mass, and for numbers in common.
  static MatrixXd covariance_of(const BathPlace& place, const MatrixXd& projection, double power,
                                const Sharing& sharing, Whose whose = Whose::own) {
    MatrixXd noise = MatrixXd::Zero(place.size(), place.size());
    for (Eigen::Index i = 0; i < place.size(); ++i)
      noise(i, sharing.number(i)) = std::sqrt(2 * place.problem.friction * place.problem.temperature *
                                              std::pow(mass_of(place, static_cast<std::size_t>(i), whose), 1 + power));
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
    constexpr const char* of_first = ", m the mass of the first body for all";
    std::vector<std::string> said;
    const auto [rate, of_friction] = law_of_friction();
    for (const Sharing& sharing : sharings()) {
      const auto [variance, of_noise] = law_of_noise(sharing);
      if (!variance) continue;
      if (otherwise_noisy && !sharing.sentence.empty()) said.push_back(sharing.sentence);
      const bool is_one_cause = rate && !rate->is_one() && rate->factor != 0 && of_friction == of_noise &&
                                rate->powers == variance->powers &&
                                std::abs(rate->factor - variance->factor) <= limit_accuracy * std::abs(rate->factor);
      if (is_one_cause && damped_otherwise && otherwise_noisy) {
        said.push_back(
            "friction and noise are both those of the rate " + law_text(*rate, right_rate) +
            (of_friction == Whose::first ? of_first + std::string(", not gamma") : ", not gamma" + cause_of(*rate)));
        return said;
      }
      // Numbers that a later step takes are not ignored.
      if (variance->factor == 0 && response(probes_.front().place, short_step, 64).noise.norm() > 1e-8) break;
      if (otherwise_noisy && (!variance->is_one() || of_noise == Whose::first))
        said.push_back(variance->factor == 0
                           ? "the noise is ignored: the normal numbers that are asked for have no effect"
                           : "the noise of a step of h has the variance " + law_text(*variance, right_variance) +
                                 (of_noise == Whose::first ? of_first + std::string(", not 2 gamma T m h with its own")
                                                           : ", not 2 gamma T m h" + cause_of_noise(*variance)));
      break;
    }
    if (damped_otherwise && rate && !rate->is_one())
      said.push_back(rate->factor == 0 ? "the friction is ignored"
                                       : "momenta are damped at the rate " + law_text(*rate, right_rate) +
                                             (of_friction == Whose::first ? of_first + std::string(", not gamma")
                                                                          : ", not gamma" + cause_of(*rate)));
    return said;
  }
  /// Return the laws of the friction's rate and of the noise's variance, if there are any, and whose mass is in them.
  [[nodiscard]] std::pair<std::optional<Law>, Whose> law_of_friction() const {
    for (const Whose whose : {Whose::own, Whose::first})
      if (const std::optional<Law> law =
              law_of([whose](const BathPlace& place, double power) { return damping_of(place, power, whose); },
                     [](const Response& response) { return MatrixXd(response.damping); }))
        return {law, whose};
    return {};
  }
  [[nodiscard]] std::pair<std::optional<Law>, Whose> law_of_noise(const Sharing& sharing) const {
    for (const Whose whose : {Whose::own, Whose::first})
      if (const std::optional<Law> law = law_of(
              [&](const BathPlace& place, double power) {
                return covariance_of(place, place.projection(place.start.q), power, sharing, whose);
              },
              [](const Response& response) { return MatrixXd(response.noise * response.noise.transpose()); }))
        return {law, whose};
    return {};
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
    const BathPlace& place = probes_.front().place;
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
    if (!is_refuted({TestId::hidden_constraint})) return "";
    const auto in_full = [](const Response& response) {
      return MatrixXd(response.in_full * response.in_full.transpose());
    };
    const auto is_projected_by = [&](const std::function<MatrixXd(const BathPlace&)>& projection) {
      return holds(
          Law{},
          [&](const BathPlace& place, double) {
            return covariance_of(place, projection(place), 0, sharings().front());
          },
          in_full);
    };
    if (is_projected_by(
            [](const BathPlace& place) { return MatrixXd(MatrixXd::Identity(place.size(), place.size())); }))
      return "the noise is not projected: it has the covariance of free bodies";
    const auto without_masses = [](const BathPlace& place) {
      BathPlace light = place;
      std::ranges::fill(light.problem.masses, 1.0);
      return light.projection(place.start.q);
    };
    return is_projected_by(without_masses)
               ? "the noise of momenta is projected without the masses: Dg p = 0 in place of Dg M^-1 p = 0"
               : "";
  }
  /// A temperature that is not zero where it is to be.
  [[nodiscard]] std::string warmer() const {
    if (!is_refuted({TestId::noise_without_heat})) return "";
    std::vector<double> higher;
    // Another friction, another mass, and more bodies: a temperature is the same for all.
    for (const std::size_t k : std::array<std::size_t, 4>{0, 1, 3, 4})
      for (const double h : {0.25, 0.5}) {
        BathPlace place = probes_.at(k).place;
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
    const BathPlace& place = base.place;
    const double rate = place.problem.friction, heat = place.problem.temperature;
    const Response at = response(place, h);
    const bool order_one_is_wrong = judgement_.declares.sampling.value_or(0) > 1;
    const JudgedProblem without = place.without_bath();
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

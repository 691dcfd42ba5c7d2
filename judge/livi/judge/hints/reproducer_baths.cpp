// SPDX-License-Identifier: MIT
//
// The smallest case in which a refuted declaration fails, in heat baths: of free bodies, bodies on springs, or under constraints. The
// judge gives the normal numbers, and few are enough: what the noise does is shown by steps under one number that is not zero.
//
// One file, for all searches make and write down sessions of the same parts.
#include <livi/judge/hints/reproduction.hpp>

#include <unsupported/Eigen/MatrixFunctions>

#include <algorithm>
#include <cmath>
#include <utility>

#include <livi/judge/measures/constraints.hpp>
#include <livi/judge/measures/heat_bath.hpp>
#include <livi/judge/measures/manifold.hpp>

namespace livi::foreign_detail {
namespace {

using Point = TimedPoint<double>;
JudgedProblem bath(std::vector<double> masses, double friction, double temperature, const Terms& potential = {}) {
  JudgedProblem problem{
      .name = "small", .kind = ProblemKind::langevin, .masses = std::move(masses), .potential = polynomial(potential)};
  problem.friction = friction;
  problem.temperature = temperature;
  return problem;
}
JudgedProblem on_surfaces(JudgedProblem problem, const std::vector<Terms>& constraints) {
  problem.kind = ProblemKind::constrained_langevin;
  for (const Terms& terms : constraints) problem.constraints.push_back(polynomial(terms));
  return problem;
}
/// From the simplest one upwards: free bodies; the unit circle, rods, and the judge's chain in space. The first body is at (1, 0).
std::vector<JudgedProblem> small_baths(bool constrained) {
  if (!constrained)
    return {bath({1}, 1, 1),
            bath({1}, 2, 1),
            bath({1}, 1, 2),
            bath({2}, 1, 1),
            bath({1, 1}, 1, 1),
            bath({1, 2}, 1, 1),
            bath({1, 1, 1}, 1, 1),
            bath({1, 1, 1, 1}, 1, 1),
            free_bodies_in_a_heat_bath(),
            free_bodies_in_a_heat_bath(many_bodies_in_a_heat_bath())};
  std::vector<JudgedProblem> all;
  for (const JudgedProblem& problem :
       {bath({1, 1}, 1, 1), bath({1, 1}, 2, 1), bath({1, 1}, 1, 2), bath({2, 2}, 1, 1), bath({1, 2}, 1, 1)})
    all.push_back(on_surfaces(problem, {unit_circle()}));
  for (const JudgedProblem& problem : {bath({1, 1, 1, 1}, 1, 1), bath({1, 1, 2, 2}, 1, 1)})
    for (const bool has_circle : {false, true})
      all.push_back(on_surfaces(
          problem, has_circle ? std::vector<Terms>{unit_circle(), unit_rod()} : std::vector<Terms>(1, unit_rod())));
  all.push_back(chain_in_a_heat_bath());
  all.back().friction = all.back().temperature = 1;
  return all;
}
/// Bodies on springs, which have a stationary covariance.
std::vector<JudgedProblem> small_springs() {
  return {bath({1}, 1, 1, {{0.5, {0, 0}}}), bath({2}, 1, 1, {{0.5, {0, 0}}}), bath({1}, 1, 2, {{0.5, {0, 0}}}),
          bath({1, 1}, 1, 1, {{1, {0, 0}}, {-1, {0, 1}}, {1, {1, 1}}}), bodies_in_a_heat_bath()};
}

class BathReproduction final : public Reproduction {
 public:
  BathReproduction(ForeignSubject& subject, const Judgement& judgement, ProblemKind kind)
      : Reproduction(subject, judgement, kind),
        constrained_(kind == ProblemKind::constrained_langevin),
        problems_(small_baths(constrained_)) {
    steps_ = {0.5, 0.25, 0.125};
  }

 private:
  std::vector<Way> ways() override {
    if (!constrained_)
      return {{TestId::noise, [this] { return numbers_in_proportion() || moves_at_rest(); }},
              {TestId::friction, [this] { return short_steps() || short_steps_on_springs(); }},
              {TestId::noise_covariance, [this] { return covariance(); }},
              {TestId::fresh_noise, [this] { return numbers_of_another_step(); }},
              {TestId::noise_later, [this] { return steps_of_two_sizes() || noise_after_steps(); }},
              {TestId::noise_without_heat, [this] { return noise_where_there_is_none(); }},
              {TestId::sampling_q, [this] { return stationary(false); }},
              {TestId::sampling_p, [this] { return stationary(true); }}};
    // Any numbers: what holds for all of them does for these.
    const auto under_ones = [this](bool (Reproduction::*way)()) {
      normals_.assign(4096, 1.0);
      return (this->*way)();
    };
    return {{TestId::constraint, [=] { return under_ones(&BathReproduction::constraint); }},
            {TestId::hidden_constraint, [=] { return under_ones(&BathReproduction::hidden_constraint); }},
            {TestId::repetition, [this] { return repetition(); }},
            {TestId::without_friction, [this] { return without_friction(); }},
            {TestId::noise_without_friction, [this] { return noise_where_there_is_none(); }},
            {TestId::friction, [this] { return short_steps() || moves_at_rest(); }},
            {TestId::noise, [this] { return numbers_in_proportion() || moves_at_rest(); }},
            {TestId::noise_covariance, [this] { return covariance(); }},
            {TestId::fresh_noise, [this] { return numbers_of_another_step() || steps_of_two_sizes(); }}};
  }
  [[nodiscard]] bool is_of_this_kind(const RowId& row) const override { return row.kind == kind_; }
  [[nodiscard]] const std::vector<JudgedProblem>& problems() const override { return problems_; }
  [[nodiscard]] std::vector<Point> starts(const JudgedProblem& problem) const override {
    const std::size_t n = problem.masses.size();
    const std::vector<double> none(n, 0.0);
    std::vector<Point> all{{0, none, none}};
    if (!constrained_) {
      all.resize(3, all.front());
      for (std::size_t i = 0; i < n; ++i) all[1].p[i] = all[2].q[i] = 1 / static_cast<double>(1 + i);
      return all;
    }
    // At rest, and the first body with a velocity across its rod or circle.
    all[0].q[0] = 1;
    if (n == 9) all[0].q[7] = 1;
    all.resize(2, all.front());
    all[1].p[1] = problem.masses[1];
    return all;
  }
  [[nodiscard]] std::vector<double> signs_of_steps() const override { return {1}; }
  [[nodiscard]] Point reduced(const JudgedProblem& problem, const Point& z) const override {
    return constrained_ ? Point{z.t, z.q, Manifold<double>(problem).tangent(z.q, z.p)} : z;
  }
  /// Without noise: on springs e^(A t) z; without a force the free motion over the time (1 - e^(-gamma t)) / gamma, with e^(-gamma t)
  /// of its momentum.
  [[nodiscard]] Point motion(const JudgedProblem& problem, const Point& z, double time) const override {
    if (is_on_springs(problem)) {
      const auto n = static_cast<std::ptrdiff_t>(z.q.size());
      Eigen::VectorXd x(2 * n);
      std::ranges::copy(z.q, x.begin());
      std::ranges::copy(z.p, x.begin() + n);
      const Eigen::MatrixXd flow = (right_rates_on_springs(problem) * time).exp();
      x = flow * x;
      return {time, {x.begin(), x.begin() + n}, {x.begin() + n, x.end()}};
    }
    const double rate = problem.friction, free = rate == 0 ? time : -std::expm1(-rate * time) / rate;
    Point end = z;
    end.t = time;
    if (constrained_) {
      const auto exact = constrained_motion(problem, point_in<Float50>(z), Float50(free), 1e-19 * std::abs(free));
      end.q = in_double(exact.q);
      end.p = in_double(exact.p);
    } else {
      for (std::size_t i = 0; i < z.q.size(); ++i) end.q[i] += free * z.p[i] / problem.masses[i];
    }
    for (double& p : end.p) p *= std::exp(-rate * time);
    return end;
  }
  [[nodiscard]] std::string closed_form(const JudgedProblem& problem, const Point&) const override {
    return is_on_springs(problem) ? "without noise q' = p/m, p' = -grad V - gamma p\n"
                                  : "without noise momenta decay as e^(-gamma t)\n";
  }
  [[nodiscard]] bool is_on_springs(const JudgedProblem& problem) const {
    return !constrained_ && !problem.potential.terms.empty();
  }
  [[nodiscard]] std::string text_of_problem(const JudgedProblem& problem) const override {
    std::string text = Reproduction::text_of_problem(problem) + ", gamma = " + text_of(problem.friction) +
                       ", T = " + text_of(problem.temperature);
    const auto& all = problem.constraints;
    for (std::size_t a = 0; a < all.size(); ++a)
      text += ", g" + (all.size() == 1 ? "" : std::to_string(a + 1)) + " = " + all[a].text("q", problem.size());
    return text + (normals_.empty() ? "" : ", all normal numbers 1");
  }

  /// Steps from a point under normal numbers, and where they lead; `normals` become those that were asked for.
  struct Part {
    Point from;
    std::vector<double> normals;
    double h;
    long count = 1;
    Point end = {};
  };
  void make(const JudgedProblem& problem, std::vector<Part>& parts) const {
    Forces<double> forces(problem);
    const auto run = subject_.in_double(forces);
    for (Part& part : parts) {
      std::size_t asked = 0;
      part.end = step_in_bath(*run, forces, part.from, part.normals, part.h, part.count, &asked);
      part.normals.resize(asked);
    }
  }
  /// Writes the session of parts that were made.
  void replay_parts(const JudgedProblem& problem, const std::vector<Part>& parts) {
    normals_.clear();
    for (const Part& part : parts) normals_.insert(normals_.end(), part.normals.begin(), part.normals.end());
    replay(problem, [&](ForeignRun<double>& run) {
      for (const Part& part : parts) {
        run.start(part.from);
        run.step(part.h, part.count);
      }
    });
  }
  [[nodiscard]] std::string step_text(const Part& part) const {
    return (part.count == 1 ? "a step" : std::to_string(part.count) + " steps") + " under the normal numbers " +
           text_of(part.normals) + (part.count == 1 ? " leads to " : " lead to ") + text_of_point(part.end);
  }

  /// Sizes of steps at which what should vanish in the limit does not fall as it would.
  static bool stays(const std::vector<double>& errors, double least) {
    return errors[2] > least && errors[2] > std::max(errors[0], errors[1]) / 2;
  }

  /// Momenta in proportion to numbers: without constraints exactly, else for h to 0.
  bool numbers_in_proportion() {
    std::vector<JudgedProblem> all = problems_;
    if (!constrained_)
      for (JudgedProblem& problem : small_springs()) all.push_back(std::move(problem));
    const std::vector<double> sizes = constrained_ ? std::vector{0x1p-8, 0x1p-10, 0x1p-12} : std::vector{steps_[0]};
    return search(all, [&](const JudgedProblem& problem, const Point& z, double h) {
      if (h != steps_[0]) return false;
      const Point rest = starts(problem).front();
      for (const double x : {2.0, -1.0, 8.0, 0.375}) {
        std::vector<double> errors;
        std::vector<Part> first;
        for (const double size : sizes) {
          const auto all_are = [](double number) { return std::vector<double>(4096, number); };
          std::vector<Part> parts{{rest, {}, size}, {rest, all_are(1), size}, {z, {}, size}, {z, all_are(x), size}};
          make(problem, parts);
          if (parts[1].normals.empty()) return false;
          double error = 0, largest = 0;
          const auto p = [&](std::size_t part, std::size_t i) { return reduced(problem, parts[part].end).p[i]; };
          for (std::size_t i = 0; i < rest.p.size(); ++i) {
            const double unit = p(1, i) - p(0, i);
            error = worse(error, std::abs(p(3, i) - p(2, i) - x * unit));
            largest = std::max(largest, std::abs(unit));
          }
          errors.push_back(error / largest);
          if (first.empty()) first = std::move(parts);
        }
        if (constrained_ ? !stays(errors, visible_ / sizes[2]) : !(errors[0] > visible_)) continue;
        describe(problem, z, sizes[0]);
        if (difference(z, rest) == 0)
          first.erase(first.begin() + 2);
        else
          words_ += "from rest " + step_text(first[0]) + "\nfrom rest " + step_text(first[1]) + "\n";
        if (first.size() == 4)
          words_ += "from the start " + step_text(first[2]) + "\nfrom the start " + step_text(first[3]) + "\n";
        else
          for (const Part& part : first) words_ += step_text(part) + "\n";
        words_ += "the last numbers are to change p by " + text_of(x) + " times what ones do\n";
        if (constrained_)
          words_ += "for h to 0: the difference over the change is " + text_of(errors[0]) + " here, " +
                    text_of(errors[2]) + " for h = " + text_of(sizes[2]) + "\n";
        replay_parts(problem, first);
        return true;
      }
      return false;
    });
  }

  /// The covariance of momenta over h, for h to 0, of two of them.
  bool covariance() {
    const std::vector<double> sizes{0x1p-4, 0x1p-6, 0x1p-8};
    return search(problems_, [&](const JudgedProblem& problem, const Point& rest, double h) {
      if (h != steps_[0] || difference(rest, starts(problem).front()) != 0) return false;
      const std::size_t n = problem.masses.size();
      // What is to be: 2 gamma T P M P', P what takes away the part along Dg'.
      std::vector<std::vector<double>> along(n);
      for (std::size_t i = 0; i < n; ++i) {
        Point unit = rest;
        unit.p[i] = std::sqrt(2 * problem.friction * problem.temperature * problem.masses[i]);
        along[i] = reduced(problem, unit).p;
      }
      std::vector<std::vector<Part>> parts;
      for (const double size : sizes) {
        auto& of_size = parts.emplace_back(std::vector<Part>{{rest, {}, size}});
        make(problem, of_size);
        const std::size_t asked = of_size[0].normals.size();
        if (asked == 0 || asked > 64) return false;
        for (std::size_t k = 0; k < asked; ++k) {
          std::vector<double> normals(asked, 0.0);
          normals[k] = 1;
          of_size.push_back({rest, normals, size});
        }
        make(problem, of_size);
      }
      for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = i; j < n; ++j) {
          double expected = 0, extent = 0;
          for (std::size_t k = 0; k < n; ++k) {
            expected += along[k][i] * along[k][j];
            extent += along[k][i] * along[k][i] + along[k][j] * along[k][j];
          }
          std::vector<double> found, errors;
          for (std::size_t s = 0; s < sizes.size(); ++s) {
            const std::vector<double> middle = reduced(problem, parts[s][0].end).p;
            double sum = 0;
            for (std::size_t k = 1; k < parts[s].size(); ++k) {
              const std::vector<double> p = reduced(problem, parts[s][k].end).p;
              sum += (p[i] - middle[i]) * (p[j] - middle[j]) / sizes[s];
            }
            found.push_back(sum);
            errors.push_back(std::abs(sum - expected) / (extent > 0 ? extent : 1));
          }
          if (!stays(errors, visible_ / sizes[2])) continue;
          describe(problem, rest, sizes[0]);
          for (const Part& part : parts[0]) words_ += step_text(part) + "\n";
          const std::string pi = "p" + std::to_string(i + 1), pj = "p" + std::to_string(j + 1);
          words_ += "the sum over the numbers of " +
                    (i == j ? "squares of changes of " + pi : "products of changes of " + pi + " and " + pj) +
                    ", over h, goes to " + format("%.6g", expected) + " for h to 0 in the bath\nit is";
          for (std::size_t s = 0; s < sizes.size(); ++s)
            words_ +=
                (s == 0 ? " " : ", ") + format("%.6g", found[s]) + (s == 0 ? " here" : " for h = " + text_of(sizes[s]));
          words_ += "\n";
          replay_parts(problem, parts[0]);
          return true;
        }
      return false;
    });
  }

  /// A second step under numbers of its own, beside the same step that is started anew.
  bool numbers_of_another_step() {
    if (judgement_.declares.memory) return false;
    return search([&](const JudgedProblem& problem, const Point& z, double h) {
      std::vector<Part> single{{z, {}, h}};
      make(problem, single);
      const std::size_t asked = single[0].normals.size();
      for (const bool first : {true, false}) {
        std::vector<double> normals(2 * asked, first ? 0.0 : 1.0), of_first(asked, first ? 1.0 : 0.0),
            of_second(asked, first ? 0.0 : 1.0);
        std::ranges::copy(of_first, normals.begin());
        std::vector<Part> parts{{z, of_first, h}, {z, normals, h, 2}};
        make(problem, parts);
        parts.push_back({parts[0].end, of_second, h});
        std::vector<Part> anew{parts[2]};
        make(problem, anew);
        parts[2] = anew[0];
        if (!(difference(reduced(problem, parts[1].end), reduced(problem, parts[2].end)) > visible_)) continue;
        describe(problem, z, h);
        words_ +=
            step_text(parts[0]) + "\nfrom there " + step_text(parts[2]) + "\nfrom the start " + step_text(parts[1]) +
            (parts[1].normals.size() == 2 * asked ? "\n" : ": the second step asks for other numbers than the first\n");
        std::swap(parts[1], parts[2]);
        replay_parts(problem, parts);
        return true;
      }
      return false;
    });
  }

  /// Bodies at rest, without a force, and under numbers that are all zero.
  bool moves_at_rest() {
    return search([&](const JudgedProblem& problem, const Point& z, double h) {
      std::vector<Part> parts{{z, {}, h}};
      make(problem, parts);
      if (difference(z, starts(problem).front()) != 0 || !(difference(parts[0].end, z) > visible_)) return false;
      describe(problem, z, h);
      words_ += step_text(parts[0]) + "\nwithout a force and noise bodies at rest stay there\n";
      replay_parts(problem, parts);
      return true;
    });
  }

  /// On springs, where forces and velocities show.
  bool short_steps_on_springs() {
    std::vector<JudgedProblem> springs = small_springs();
    std::swap(problems_, springs);
    const bool found = short_steps();
    if (!found) std::swap(problems_, springs);
    return found;
  }

  /// A step of half the size after one, beside the same step that is started anew.
  bool steps_of_two_sizes() {
    if (judgement_.declares.memory) return false;
    for (const bool noisy : {false, true}) {
      const bool found = search([&](const JudgedProblem& problem, const Point& z, double h) {
        normals_.assign(noisy ? 4096 : 0, 1.0);
        const Point middle = after(problem, z, h);
        const auto session = [&](ForeignRun<double>& run) {
          run.start(z);
          run.step(h, 1);
          run.step(h / 2, 1);
        };
        Forces<double> forces(problem);
        forces.normals = normals_;
        const auto run = subject_.in_double(forces);
        session(*run);
        const Point end = run->point(), anew = after(problem, middle, h / 2);
        if (!(difference(reduced(problem, end), reduced(problem, anew)) > visible_)) return false;
        describe(problem, z, h);
        words_ += "one step leads to " + text_of_point(middle) + "\none of h/2 after it leads to " +
                  text_of_point(end) + "\none of h/2 that starts there leads to " + text_of_point(anew) + "\n";
        replay(problem, [&](ForeignRun<double>& again) {
          session(again);
          again.start(middle);
          again.step(h / 2, 1);
        });
        return true;
      });
      if (found) return true;
    }
    normals_.clear();
    return false;
  }

  /// A step under numbers after steps under zeros, in which nothing moves, beside the same step at once.
  bool noise_after_steps() {
    if (judgement_.declares.memory) return false;
    return search([&](const JudgedProblem& problem, const Point& z, double h) {
      if (difference(z, starts(problem).front()) != 0 || h != steps_[0]) return false;
      std::vector<Part> parts{{z, std::vector<double>(64, 1.0), h}};
      make(problem, parts);
      const std::size_t asked = parts[0].normals.size();
      for (long before = 1; asked > 0 && before <= 1024; before *= 2) {
        const std::size_t silent = asked * static_cast<std::size_t>(before);
        std::vector<double> normals(silent, 0.0);
        normals.resize(silent + asked, 1.0);
        std::vector<Part> later{{z, {}, h, before}, {z, normals, h, before + 1}};
        make(problem, later);
        if (difference(later[0].end, z) > 0 || !(difference(later[1].end, parts[0].end) > visible_)) continue;
        describe(problem, z, h);
        words_ += step_text(parts[0]) + "\nafter " + (before == 1 ? "a step" : std::to_string(before) + " steps") +
                  " under zeros, in which nothing moves, it leads to " + text_of_point(later[1].end) + "\n";
        replay_parts(problem, {parts[0], later[1]});
        return true;
      }
      return false;
    });
  }

  /// Noise without a temperature, or without friction.
  bool noise_where_there_is_none() {
    std::vector<JudgedProblem> silent;
    for (const bool cold : {true, false}) {
      if (cold && constrained_) continue;
      for (JudgedProblem problem : {problems_[0], problems_[4]}) {
        (cold ? problem.temperature : problem.friction) = 0;
        silent.push_back(std::move(problem));
      }
    }
    return search(silent, [&](const JudgedProblem& problem, const Point& z, double h) {
      std::vector<Part> parts{{z, {}, h}, {z, std::vector<double>(64, 1.0), h}};
      make(problem, parts);
      if (difference(parts[0].end, parts[1].end) == 0) return false;
      describe(problem, z, h);
      words_ += step_text(parts[0]) + "\n" + step_text(parts[1]) + "\n";
      replay_parts(problem, parts);
      return true;
    });
  }

  /// A step in a bath without friction beside one of the kind constrained.
  bool without_friction() {
    std::vector<JudgedProblem> all = problems_;
    for (JudgedProblem& problem : all) problem.friction = 0;
    return search(all, [&](const JudgedProblem& problem, const Point& z, double h) {
      JudgedProblem other = problem;
      other.kind = ProblemKind::constrained;
      const Point right = reduced(problem, after(other, z, h));
      if (!(difference(reduced(problem, after(problem, z, h)), right) > visible_)) return false;
      return show_change(problem, z, h, 1, "one of the kind constrained leads to " + text_of_point(right));
    });
  }

  /// The stationary covariance of steps, whose error falls too slowly: nothing is sampled.
  bool stationary(bool momentum) {
    const int declared = judgement_.declares.sampling.value_or(0);
    const double least = std::pow(2.0, declared - 0.5);
    for (const JudgedProblem& problem : small_springs()) try {
        const Eigen::Index n = problem.size(), at = momentum ? n : 0;
        std::vector<double> sizes{0.25, 0.125, 0.0625, 0.03125}, variances, errors;
        double right = problem.temperature * problem.masses[0];
        if (!momentum) right = problem.temperature * inverse_stiffness(problem);
        for (const double h : sizes) {
          const auto found = stationary_covariance(affine_step(subject_, problem, h));
          if (!found) break;
          variances.push_back((*found)(at, at));
          errors.push_back(std::abs(variances.back() - right));
        }
        // Rounding of the map, over the share h gamma by which a step forgets.
        if (errors.size() < sizes.size() ||
            !(errors[3] > visible_ && errors[1] < errors[2] * least && errors[2] < errors[3] * least))
          continue;
        const Point rest = starts(problem).front();
        describe(problem, rest, sizes[0]);
        words_ +=
            "a step is the map z -> A z + B xi of z = (q, p) and its normal numbers xi; S = A S A' + B B' is the "
            "covariance that stays\n";
        const std::string name = (momentum ? "p" : "q") + std::string("1");
        words_ += "the variance of " + name + " is to be " + text_of(right) + ", but for O(h^" +
                  std::to_string(declared) + ")\n";
        for (std::size_t k = 0; k < sizes.size(); ++k) {
          words_ += "h = " + text_of(sizes[k]) + ": " + format("%.9g", variances[k]);
          if (k > 0)
            words_ += ", its error " + times_smaller(errors[k - 1] / errors[k]) +
                      format("; order %d needs %.3g", declared, std::pow(2.0, declared));
          words_ += "\n";
        }
        replay_parts(problem, parts_of_map(problem, sizes[0]));
        return true;
      } catch (const ForeignRefusal&) {
        continue;
      }
    return false;
  }
  /// Returns the steps from which the map of a step is read: from each unit vector, and from zero under each number.
  [[nodiscard]] std::vector<Part> parts_of_map(const JudgedProblem& problem, double h) const {
    const Point rest = starts(problem).front();
    std::vector<Part> parts{{rest, {}, h}};
    make(problem, parts);
    const std::size_t asked = parts[0].normals.size();
    for (std::size_t i = 0; i < rest.q.size(); ++i)
      for (const bool position : {true, false}) {
        Point unit = rest;
        (position ? unit.q : unit.p)[i] = 1;
        parts.push_back({unit, {}, h});
      }
    for (std::size_t k = 0; k < asked; ++k) {
      std::vector<double> normals(asked, 0.0);
      normals[k] = 1;
      parts.push_back({rest, normals, h});
    }
    make(problem, parts);
    return parts;
  }
  /// Returns the first entry of the inverse of the matrix of springs.
  static double inverse_stiffness(const JudgedProblem& problem) {
    const auto n = static_cast<std::size_t>(problem.size());
    std::vector<double> matrix, unit(n, 0.0);
    for (std::size_t i = 0; i < n; ++i) {
      std::vector<double> q(n + 1, 0.0);
      q[i] = 1;
      for (const double x : problem.potential.gradient(q, problem.size())) matrix.push_back(x);
    }
    unit[0] = 1;
    solve_in_place(matrix, unit);
    return unit[0];
  }

  bool constrained_;
  std::vector<JudgedProblem> problems_;
};

}  // namespace

Reproducer reproduce_baths(ForeignSubject& subject, const Judgement& judgement, const std::optional<RowId>& only) {
  Reproducer found = BathReproduction(subject, judgement, ProblemKind::langevin).find(only);
  if (found.test.empty()) found = BathReproduction(subject, judgement, ProblemKind::constrained_langevin).find(only);
  return found;
}

}  // namespace livi::foreign_detail

// SPDX-License-Identifier: MIT
//
// One file, for what one examination finds decides which of the next ones are made.
#include <livi/judge/hints/diagnosis.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include <livi/judge/measures/adaptive_steps.hpp>
#include <livi/judge/measures/constraints.hpp>
#include <livi/judge/measures/run_points.hpp>
#include <livi/judge/method/declared_accuracy.hpp>

namespace livi {
using namespace foreign_detail;
namespace {

using What = StepPart::What;

/// Returns the largest difference of two points.
double difference(const TimedPoint<double>& a, const TimedPoint<double>& b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.q.size(); ++i)
    for (const double x : {a.q[i] - b.q[i], a.p[i] - b.p[i]})
      if (!(std::abs(x) <= largest)) largest = std::abs(x);
  return largest;
}

/// Mistakes that are made again and again, with the sentence for each, and what the method is that comes out: it explains no row
/// that it would pass.
struct TypicalMistake {
  std::string sentence;
  BuiltInMethod method;
  int order = 0;
  bool symplectic = false;
};

std::vector<TypicalMistake> typical_mistakes() {
  const auto method = [](std::vector<StepPart> parts) {
    return BuiltInMethod{.name = "mistake", .parts = std::move(parts)};
  };
  return {
      {"explicit Euler: position and momentum both move with the old values", built_in_explicit_euler(), 1},
      {"symplectic Euler, kick first: there is no half step", built_in_symplectic_euler(), 1, true},
      {"symplectic Euler, drift first: there is no half step", method({{What::drift, 1}, {What::kick, 1}}), 1, true},
      {"Verlet whose second half kick uses the force of the old position",
       method({{What::kick, 1, 2}, {What::drift, 1}, {What::kick_with_first_force, 1, 2}})},
      {"Verlet whose position moves with the old momentum: the term h^2/2 of the force is missing",
       method({{What::kick, 0}, {What::drift, 1}, {What::kick_with_first_force, 1, 2}, {What::kick, 1, 2}})},
      {"Verlet whose second half kick is missing", method({{What::kick, 1, 2}, {What::drift, 1}})},
      {"Verlet whose first half kick is missing", method({{What::drift, 1}, {What::kick, 1, 2}})},
      {"Verlet with two whole kicks for half ones", method({{What::kick, 1}, {What::drift, 1}, {What::kick, 1}})},
      {"Verlet with a half drift for a whole one",
       method({{What::kick, 1, 2}, {What::drift, 1, 2}, {What::kick, 1, 2}})},
      {"position Verlet with two whole drifts for half ones",
       method({{What::drift, 1}, {What::kick, 1}, {What::drift, 1}})},
      {"position Verlet whose second half drift uses the velocity of the old momentum",
       method({{What::drift, 1, 2}, {What::kick, 1}, {What::drift_with_first_velocity, 1, 2}})},
      {"position Verlet whose second half drift is missing", method({{What::drift, 1, 2}, {What::kick, 1}})},
      {"position Verlet whose first half drift is missing", method({{What::kick, 1}, {What::drift, 1, 2}})},
      {"Verlet with the sign of the force turned round",
       method({{What::kick, -1, 2}, {What::drift, 1}, {What::kick, -1, 2}})},
      {"the explicit midpoint rule", {.name = "mistake", .tableau = {{}, {1}, {0, 2}}, .tableau_denominator = 2}, 2},
      {"Heun's method", {.name = "mistake", .tableau = {{}, {2}, {1, 1}}, .tableau_denominator = 2}, 2},
      {"the classical Runge-Kutta method of order four", built_in_runge_kutta_4(), 4},
  };
}

/// Examines a method on problems of one kind: mechanical, timed or separable.
class Doctor {
 public:
  Doctor(ForeignSubject& subject, const Judgement& judgement, ProblemKind kind)
      : subject_(subject),
        judgement_(judgement),
        kind_(kind),
        problem_(judged_problems({kind}, judgement.seed, 0).generic.front()),
        measurements_(judgement.seed) {}

  std::vector<std::string> sentences() {
    attempt(&Doctor::digits);
    attempt(&Doctor::stale_start);
    attempt(&Doctor::first_step);
    attempt(&Doctor::absolute_step);
    attempt(&Doctor::masses);
    attempt(&Doctor::free_motion);
    attempt(&Doctor::identify);
    attempt(&Doctor::equations);
    attempt(&Doctor::coefficients);
    return std::move(said_);
  }
  /// Returns whether one of the sentences says that the order is higher than the declared one.
  [[nodiscard]] bool has_higher_order() const { return has_higher_order_; }

 private:
  void attempt(void (Doctor::*examine)()) {
    try {
      (this->*examine)();
    } catch (const ForeignRefusal&) {
      // A step that fails here says nothing.
    }
  }

  [[nodiscard]] bool refuted(TestId property) const { return is_refuted(judgement_, property); }

  /// Returns whether a row is refuted that the order of a method decides.
  [[nodiscard]] bool has_wrong_order() const {
    return refuted(TestId::order_q) || refuted(TestId::free_particle) || refuted(TestId::constant_force);
  }

  /// Numbers that pass through a method unchanged must come back with all their bits, or with those that it declares.
  void digits() {
    JudgedProblem problem = problem_;
    problem.potential = {};
    for (double& p : problem.start.p) p = 0;
    for (std::size_t i = 0; i < problem.start.q.size(); ++i)
      problem.start.q[i] = 1.0 / (3 + 2 * static_cast<double>(i));
    Forces<double> forces(problem);
    const auto run = subject_.in_double(forces);
    const TimedPoint<double> end = after(*run, problem.start, problem.h, 1);
    const double lost = difference(end, problem.start) / problem.start.q[0];
    if (!(lost > allowed(judgement_.declares, 0x1p-50))) return;
    // What is off has all its digits.
    const auto every_number = [&](const auto& is_short) {
      return std::ranges::all_of(end.q, is_short) && std::ranges::all_of(end.p, is_short);
    };
    if (lost <= 0x1p-23 && every_number([](double x) { return static_cast<double>(static_cast<float>(x)) == x; })) {
      said_.push_back(format("numbers at rest come back changed by %.1g: they pass through single precision", lost));
      return;
    }
    for (int count = 2; count <= 14; ++count)
      if (lost <= std::pow(10.0, 1 - count) &&
          every_number([=](double x) { return std::stod(format("%.*g", count, x)) == x; })) {
        said_.push_back(
            format("numbers at rest come back changed by %.1g: they are written with %d digits", lost, count));
        return;
      }
    // The velocity of a momentum of zero need not be zero.
    if (kind_ == ProblemKind::separable) return;
    said_.push_back(format("a step without a force changes numbers at rest by %.1g", lost));
    // The coefficients of kicks and drifts are found from the changes in a step.
    identified_ = true;
  }

  void stale_start() {
    if (!refuted(TestId::history)) return;
    AskedPositions forces(problem_);
    const auto run = subject_.in_double(forces);
    TimedPoint<double> other = problem_.start;
    for (double& q : other.q) q += 0.125;
    after(*run, other, problem_.h, 1);
    const bool first = std::ranges::find(forces.asked, other.q) != forces.asked.end();
    forces.asked.clear();
    after(*run, problem_.start, problem_.h, 1);
    const bool second = std::ranges::find(forces.asked, problem_.start.q) != forces.asked.end();
    said_.push_back(
        first && !second
            ? "after a new start the force of its position is not asked for: the one of the old position is used"
            : "something of an earlier run survives a new start");
  }

  /// If the first step differs from later steps from the same point, its coefficients do not describe the later steps.
  void first_step() {
    if (!refuted(TestId::memory) || refuted(TestId::history)) return;
    Forces<double> forces(problem_);
    const auto run = subject_.in_double(forces);
    run->start(problem_.start);
    run->step(problem_.h, 1);
    const TimedPoint<double> middle = run->point();
    run->step(problem_.h, 1);
    const TimedPoint<double> next = run->point();
    if (!(difference(next, after(*run, middle, problem_.h, 1)) > 0x1p-30)) return;
    said_.push_back(
        "the first step after a start differs from a later step from the same point: a value that steps keep for the "
        "next one, such as a force, is not set at the start");
    identified_ = true;
  }

  void absolute_step() {
    if (subject_.declares().forward) return;
    Forces<double> forces(problem_);
    const auto run = subject_.in_double(forces);
    const auto end = after(*run, problem_.start, problem_.h, 1);
    // A step that does nothing, or leads to no number, says nothing of its sign.
    if (!(difference(end, after(*run, problem_.start, 2 * problem_.h, 1)) > 0)) return;
    if (difference(end, after(*run, problem_.start, -problem_.h, 1)) == 0)
      said_.push_back("a step of -h is one of h: the sign of the step is lost, as by abs(h)");
  }

  /// Compares with the same method on the problem with all masses one, whose momenta are velocities, and with all masses five times as
  /// large.
  void masses() {
    if (kind_ == ProblemKind::separable) return;
    JudgedProblem light = problem_;
    std::ranges::fill(light.masses, 1.0);
    Forces<double> heavy_forces(problem_), light_forces(light);
    const auto heavy = after(*subject_.in_double(heavy_forces), problem_.start, problem_.h, 1);
    // A mass that is taken for all may be one by itself.
    JudgedProblem heavier = problem_;
    for (double& mass : heavier.masses) mass *= 5;
    Forces<double> heavier_forces(heavier);
    const bool is_of_no_mass =
        difference(heavy, after(*subject_.in_double(light_forces), problem_.start, problem_.h, 1)) == 0 &&
        difference(heavy, after(*subject_.in_double(heavier_forces), problem_.start, problem_.h, 1)) == 0;
    if (is_of_no_mass) said_.push_back("a step does not depend on the masses");
  }

  /// Looks at a step without a force: what it does to all momenta, and how it takes masses.
  void free_motion() {
    if (!refuted(TestId::free_particle)) return;
    JudgedProblem problem = problem_;
    problem.potential = {};
    for (std::size_t i = 0; i < problem.masses.size(); ++i) {
      problem.masses[i] = std::exp2(i + 1);
      problem.start.q[i] = 0;
      problem.start.p[i] = 1 / static_cast<double>(i + 1);
    }
    Forces<double> forces(problem);
    const auto end = after(*subject_.in_double(forces), problem.start, problem.h, 1);
    const auto is_for_all = [&](const auto& ratio, const auto& wanted) {
      for (std::size_t i = 0; i < problem.masses.size(); ++i)
        if (!(std::abs(ratio(i) / wanted(i) - 1) < 0x1p-40)) return false;
      return true;
    };
    const auto of_momentum = [&](std::size_t i) { return end.p[i] / problem.start.p[i]; };
    const auto of_path = [&](std::size_t i) { return end.q[i] / (problem.h * problem.start.p[i]); };
    const auto first = [&](std::size_t) { return of_momentum(0); };
    if (std::abs(of_momentum(0) - 1) > 0x1p-44 && is_for_all(of_momentum, first)) {
      said_.push_back(format("a step of %g without a force multiplies momenta by %.10g, as friction does", problem.h,
                             of_momentum(0)));
      // The coefficients of kicks are found from the momenta after a step.
      identified_ = true;
    }
    if (is_for_all(of_path, [&](std::size_t i) { return problem.masses[i]; }))
      said_.push_back("a step without a force advances by momentum times mass, not by momentum over mass");
  }

  [[nodiscard]] bool is(const BuiltInMethod& method) {
    const auto built_in = built_in_subject(method);
    Forces<double> forces(problem_), other_forces(problem_);
    const auto run = subject_.in_double(forces), other = built_in->in_double(other_forces);
    for (const double h : {problem_.h, subject_.declares().possible_step(-problem_.h / 2)}) {
      const auto end = after(*run, problem_.start, h, 2);
      // Other orders of the same operations differ by rounding.
      if (!(difference(end, after(*other, problem_.start, h, 2)) < 1e-13)) return false;
    }
    return true;
  }

  [[nodiscard]] bool explains(const TypicalMistake& mistake) const {
    const ForeignDeclaration& declares = judgement_.declares;
    // A wrong count of forces, or a limit of stability, is no matter of the steps' order.
    return (has_wrong_order() && declares.order.value_or(mistake.order + 1) > mistake.order) ||
           (declares.symmetric == true && refuted(TestId::symmetric)) ||
           (declares.symplectic == true && refuted(TestId::symplectic) && !mistake.symplectic);
  }
  void identify() {
    if (identified_) return;
    for (const TypicalMistake& mistake : typical_mistakes())
      if (explains(mistake) && is(mistake.method)) {
        said_.push_back("its steps are those of " + mistake.sentence);
        identified_ = true;
        return;
      }
  }

  /// What a method for separable problems may take for its equations: derivatives at positions and at momenta.
  struct Rates {
    std::vector<double> v, g, v_of_q, g_of_p, p;
    std::vector<double> measured;  ///< those of the method, of positions and then of momenta
  };
  struct MistakenEquations {
    const char* sentence;
    std::vector<double> Rates::*q;
    std::vector<double> Rates::*p;
    double of_q = 1, of_p = -1;  ///< their factors
  };
  /// Returns how far the rates of the method are from those of other equations.
  static double apart(const std::vector<Rates>& points, const MistakenEquations& equations) {
    double largest = 0;
    for (const Rates& at : points)
      for (std::size_t i = 0; i < at.v.size(); ++i) {
        largest = worse(largest, std::abs(at.measured[i] - equations.of_q * (at.*equations.q)[i]));
        largest = worse(largest, std::abs(at.measured[at.v.size() + i] - equations.of_p * (at.*equations.p)[i]));
      }
    return largest;
  }
  /// Returns the factor of x that is nearest to the rates of the method from entry `first` on, by least squares.
  static double factor(const std::vector<Rates>& points, std::vector<double> Rates::*x, std::size_t first) {
    double product = 0, square = 0;
    for (const Rates& at : points)
      for (std::size_t i = 0; i < (at.*x).size(); ++i) {
        product += at.measured[first + i] * (at.*x)[i];
        square += (at.*x)[i] * (at.*x)[i];
      }
    return product / square;
  }
  /// Finds the equations that a method for separable problems follows in short steps, where they are not
  /// q' = dT/dp, p' = -dV/dq.
  void equations() {
    if (identified_ || kind_ != ProblemKind::separable) return;
    std::vector<Rates> points;
    for (const double by : {0.0, 0.125}) {
      TimedPoint<double> z = problem_.start;
      for (double& q : z.q) q += by;
      Forces<double> forces(problem_);
      points.push_back({forces.velocity(z.p), forces.gradient(z.t, z.q), forces.velocity(z.q),
                        forces.gradient(z.t, z.p), z.p, measured_rates(subject_, problem_, z)});
    }
    // The polynomial leaves 1e-9; mistakes are of order one.
    constexpr double same = 1e-7, another = 1e-3;
    const double of_q = factor(points, &Rates::v, 0), of_p = factor(points, &Rates::g, points[0].v.size());
    const auto say = [&](const std::string& sentence) {
      said_.push_back(sentence);
      identified_ = true;
    };
    if (apart(points, {"", &Rates::v, &Rates::g, of_q, of_p}) < same) {
      if (std::abs(of_q - 1) > another)
        say(std::abs(of_q + 1) < same ? "positions go against dT/dp: its sign is turned round"
                                      : format("positions move with %.9g times dT/dp", of_q));
      if (std::abs(of_p + 1) > another)
        say(std::abs(of_p - 1) < same ? "the sign of the force is turned round"
                                      : format("momenta get %.9g times the force", -of_p));
      return;
    }
    const char* const exchanged = "kinetic and potential energy are exchanged: dV/dq moves positions, dT/dp momenta";
    for (const MistakenEquations& mistake : std::initializer_list<MistakenEquations>{
             {"the momentum is taken for dT/dp", &Rates::p, &Rates::g},
             {exchanged, &Rates::g, &Rates::v, 1, -1},
             {exchanged, &Rates::g, &Rates::v, -1, 1},
             {exchanged, &Rates::g, &Rates::v, 1, 1},
             {"kinetic and potential energy are exchanged: dV/dq is taken at momenta, dT/dp at positions",
              &Rates::g_of_p, &Rates::v_of_q},
             {"dT/dp is taken at positions", &Rates::v_of_q, &Rates::g},
             {"dV/dq is taken at momenta", &Rates::v, &Rates::g_of_p}})
      if (apart(points, mistake) < same) return say(mistake.sentence);
  }

  [[nodiscard]] std::optional<int> order_of(const BuiltInMethod& method, const JudgedProblem& problem) {
    const auto built_in = built_in_subject(method);
    const MeasuredOrder order = measurements_.order(*built_in, problem, 1);
    const double lower = std::min(order.q, order.p);
    if (!order.why_undecided.empty() || !std::isfinite(lower)) return std::nullopt;
    return static_cast<int>(std::lround(lower));
  }
  [[nodiscard]] std::optional<int> order_of(const BuiltInMethod& method) { return order_of(method, problem_); }

  static BuiltInMethod splitting(const std::vector<double>& a, const std::vector<double>& b, bool kick_first) {
    return built_in_splitting("repaired", a, b, kick_first);
  }

  /// A splitting near the one that was found, and what would have gone wrong if it was meant.
  struct Repair {
    std::string sentence;
    std::vector<double> a, b;
    bool begins_with_kick;
  };
  static bool are_same(const std::vector<double>& x, const std::vector<double>& y) {
    return std::ranges::equal(x, y, [](double s, double t) { return std::abs(s - t) < 1e-13; });
  }
  static double sum_of(const std::vector<double>& x) { return std::accumulate(x.begin(), x.end(), 0.0); }
  /// Returns whether what was found in a step of 1 from the momentum 1 is otherwise in one of 1/2 from 1/2, and says so where sums
  /// show it: then it is no coefficients.
  bool are_none(const FoundCoefficients& found) {
    const FoundCoefficients other = find_coefficients(subject_, kind_, 0.5, 0.5);
    if (are_same({found.advance}, {other.advance}) && are_same(found.c, other.c) && are_same(found.kick, other.kick) &&
        are_same(found.path, other.path))
      return false;
    const double kicks = sum_of(found.kick), others = sum_of(other.kick);
    const auto both = [](double x, double y) {
      return unlike(x, x == y ? 1 : y) + " and " + unlike(y, x == y ? 1 : x);
    };
    if (are_same({found.advance, kicks}, {other.advance, others})) return true;
    said_.push_back(
        "its steps have no constant coefficients: in one of 1 from the momentum 1 and one of 1/2 from 1/2 "
        "a free particle advances by " +
        both(found.advance, other.advance) + " times h p, and kicks sum to " + both(kicks, others));
    return true;
  }
  /// Returns whether coefficients have the sums of orders one and two. Measured orders do not see an error of 1e-9.
  [[nodiscard]] bool passes_sums(const std::vector<double>& a, const std::vector<double>& b,
                                 bool begins_with_kick) const {
    double place = 0, kicks = 0, moment = 0;
    for (std::size_t k = 0; k < std::max(a.size(), b.size()); ++k) {
      if (!begins_with_kick && k < a.size()) place += a[k];
      if (k < b.size()) {
        kicks += b[k];
        moment += b[k] * place;
      }
      if (begins_with_kick && k < a.size()) place += a[k];
    }
    constexpr double none = 1e-13;
    if (!(std::abs(place - 1) < none && std::abs(kicks - 1) < none)) return false;
    return judgement_.declares.order.value_or(0) < 2 || std::abs(moment - 0.5) < none;
  }
  /// Returns whether coefficients are a palindrome where the method is declared symmetric.
  [[nodiscard]] bool is_as_symmetric_as_declared(const std::vector<double>& a, const std::vector<double>& b) const {
    return judgement_.declares.symmetric != true ||
           (are_same(a, {a.rbegin(), a.rend()}) && are_same(b, {b.rbegin(), b.rend()}) && a.size() != b.size());
  }
  /// Every repair of the splitting with the drifts `a` and these kicks, whose sums are `advance` and `kicks`.
  static std::vector<Repair> repairs_of(const std::vector<double>& a, const std::vector<double>& kick,
                                        bool begins_with_kick, double advance, double kicks) {
    std::vector<Repair> repairs;
    const auto reversed = [](std::vector<double> x) {
      std::ranges::reverse(x);
      return x;
    };
    const bool other = !begins_with_kick;
    const std::string first = other ? "kick" : "drift";
    repairs.push_back(
        {"the roles of its two coefficient vectors look exchanged: with them exchanged", kick, a, begins_with_kick});
    repairs.push_back({"drifts and kicks look exchanged: with the " + first + " first", a, kick, other});
    repairs.push_back(
        {"drifts and kicks look exchanged, with their coefficients: with the " + first + " first", kick, a, other});
    repairs.push_back(
        {"its kicks look to be in reverse order: with them reversed", a, reversed(kick), begins_with_kick});
    repairs.push_back({"the roles of its two coefficient vectors look exchanged, and one reversed: so", reversed(kick),
                       a, begins_with_kick});
    // One coefficient of the drifts, or of the kicks, or all of them.
    const auto change = [&](const std::string& name, const std::vector<double>& x, double sum, const auto& with) {
      for (std::size_t i = 0; i < x.size(); ++i) {
        auto changed = x;
        changed[i] = -changed[i];
        with(format("the sign of %s %zu looks wrong: with it turned round", name.c_str(), i + 1), changed);
        changed[i] = x[i] + 1 - sum;
        if (std::abs(sum - 1) > 1e-13)
          with(format("%s %zu looks wrong, %s for %s: so", name.c_str(), i + 1, unlike(x[i], changed[i]).c_str(),
                      unlike(changed[i], x[i]).c_str()),
               changed);
      }
      auto divided = x;
      for (double& by : divided) by /= sum;
      if (std::abs(sum - 1) > 1e-13)
        with(format("its %ss are all %s times what they should be: divided by this", name.c_str(),
                    unlike(sum, 1).c_str()),
             divided);
    };
    change("drift", a, advance, [&](const std::string& sentence, const auto& x) {
      repairs.push_back({sentence, x, kick, begins_with_kick});
    });
    change("kick", kick, kicks, [&](const std::string& sentence, const auto& x) {
      repairs.push_back({sentence, a, x, begins_with_kick});
    });
    return repairs;
  }

  void coefficients() {
    if (identified_ || !(has_wrong_order() || refuted(TestId::precision))) return;
    const FoundCoefficients found = find_coefficients(subject_, kind_);
    if (are_none(found)) return;
    const std::string advance = unlike(found.advance, 1);
    if (std::abs(found.advance - 1) > 1e-13)
      said_.push_back("the coefficients of its drifts sum to " + advance + ": a step of h advances by " + advance +
                      " h");
    const double kicks = sum_of(found.kick);
    if (std::abs(kicks - 1) > 1e-13)
      said_.push_back("the coefficients of its kicks sum to " + unlike(kicks, 1) + ", not to one");
    if (!has_wrong_order()) return;
    const int declared = judgement_.declares.order.value_or(0);
    if (!found.is_splitting || declared < 1) {
      violated_conditions(found);
      return;
    }
    std::vector<double> drift, kick;
    for (std::size_t k = 0; k < found.c.size(); ++k) {
      const double by = found.c[k] - (k == 0 ? 0 : found.c[k - 1]);
      // Kicks at one place are one kick.
      if (k > 0 && by == 0) {
        kick.back() += found.kick[k];
        continue;
      }
      drift.push_back(by);
      kick.push_back(found.kick[k]);
    }
    drift.push_back(found.advance - found.c.back());
    if (!is(splitting(drift, kick, false))) return;
    const bool begins_with_kick = drift.front() == 0, ends_with_kick = drift.back() == 0;
    std::vector<double> a = drift;
    if (begins_with_kick) a.erase(a.begin());
    if (ends_with_kick && !a.empty()) a.pop_back();
    // Coefficients that have the order need no repair: what is wrong lies elsewhere.
    if (const std::optional<int> order = order_of(splitting(a, kick, begins_with_kick));
        order.value_or(0) >= declared) {
      if (*order > declared && passes_sums(a, kick, begins_with_kick))
        has_higher_order_ = true, said_.push_back(format("its order is %d: order=%d declares it", *order, *order));
      return;
    }
    if (kind_ == ProblemKind::separable && passes_sums(a, kick, begins_with_kick))
      if (order_of(splitting(a, kick, begins_with_kick),
                   judged_problems({ProblemKind::mechanical}, judgement_.seed, 0).generic.front()) == declared) {
        said_.push_back(format("its coefficients are of order %d only where T is quadratic", declared));
        return;
      }
    // Where two repairs give the order it is not known which of them is right. Drifts and kicks that change places, with or
    // without their coefficients, are one.
    std::vector<Repair> right;
    for (const Repair& repair : repairs_of(a, kick, begins_with_kick, found.advance, kicks)) {
      const bool is_new = std::ranges::none_of(right, [&](const Repair& other) {
        return other.begins_with_kick == repair.begins_with_kick
                   ? are_same(other.a, repair.a) && are_same(other.b, repair.b)
                   : are_same(other.a, repair.b) && are_same(other.b, repair.a);
      });
      if (is_new && passes_sums(repair.a, repair.b, repair.begins_with_kick) &&
          is_as_symmetric_as_declared(repair.a, repair.b) &&
          order_of(splitting(repair.a, repair.b, repair.begins_with_kick)) == declared)
        right.push_back(repair);
    }
    if (right.size() == 1) {
      said_.push_back(right[0].sentence + format(" the order is %d", declared));
      return;
    }
    std::string list = "its steps are drifts and kicks one after the other: drifts";
    for (const double x : drift) list += format(" %.12g", x);
    list += ", kicks";
    for (const double x : kick) list += format(" %.12g", x);
    said_.push_back(list);
  }

  /// The conditions of order two that involve one sum: sum of b c, and of the weights of the position.
  void violated_conditions(const FoundCoefficients& found) {
    double moment = 0, path = 0;
    for (std::size_t k = 0; k < found.c.size(); ++k) {
      moment += found.kick[k] * found.c[k];
      path += found.path[k];
    }
    if (judgement_.declares.order.value_or(0) < 2) return;
    if (std::abs(moment - 0.5) > 1e-13)
      said_.push_back(format("the sum of its weights times where forces are taken is %.12g, not 1/2", moment));
    if (std::abs(path - 0.5) > 1e-13)
      said_.push_back(format("a constant force moves the position by %.12g h^2, not by 1/2 h^2", path));
  }

  ForeignSubject& subject_;
  const Judgement& judgement_;
  ProblemKind kind_;
  JudgedProblem problem_;
  Measurements measurements_;
  std::vector<std::string> said_;
  bool identified_ = false;
  bool has_higher_order_ = false;  ///< said of coefficients
};

/// Returns the sentence on an order that was measured and is another than the declared one: it is higher, or it is lower and
/// nothing else says why. An empty one where rows differ or show no whole number.
std::string measured_order(const Judgement& judgement, const std::vector<std::string>& said) {
  const int declared = judgement.declares.order.value_or(0);
  double lowest = infinity, highest = 0;
  bool is_refuted = false;
  for (const JudgementRow& row : judgement.rows)
    if ((row.id.test == TestId::order_q || row.id.test == TestId::order_p) && std::isfinite(row.claim.measured)) {
      lowest = std::min(lowest, row.claim.measured);
      highest = std::max(highest, row.claim.measured);
      is_refuted = is_refuted || row.claim.verdict == Verdict::refuted;
    }
  const double order = std::round(lowest);
  if (!is_refuted || !(order >= 1) || std::abs(lowest - order) > 0.15 || highest - order > 0.15) return "";
  if (order > declared) return format("its order is %.0f: order=%.0f declares it", order, order);
  return said.empty() ? format("its order is %.0f, not %d", order, declared) : "";
}

}  // namespace

std::vector<std::string> diagnose(ForeignSubject& subject, const Judgement& judgement) {
  if (judgement.declares.takes(ProblemKind::adaptive)) return diagnose_adaptive_steps(subject, judgement);
  std::vector<std::string> sentences;
  bool has_higher_order = false;
  const bool any_refuted = std::ranges::any_of(
      judgement.rows, [](const JudgementRow& row) { return row.claim.verdict == Verdict::refuted; });
  // Where nothing is refuted only mechanical problems have something to say.
  for (const ProblemKind kind : {ProblemKind::mechanical, ProblemKind::timed, ProblemKind::separable})
    if (judgement.declares.computes_in(NumberType::real) && judgement.declares.takes(kind) && sentences.empty() &&
        (any_refuted || kind == ProblemKind::mechanical)) {
      Doctor doctor(subject, judgement, kind);
      sentences = doctor.sentences();
      has_higher_order = doctor.has_higher_order();
    }
  if (!any_refuted) return sentences;
  if (judgement.declares.takes(ProblemKind::timed) && judgement.declares.computes_in(NumberType::real)) try {
      if (const std::string sentence = mistake_of_clock(subject, judgement.seed); !sentence.empty())
        sentences.push_back(sentence);
    } catch (const ForeignRefusal&) {
      // A step that fails here says nothing.
    }
  if (judgement.declares.takes(ProblemKind::constrained))
    if (const std::string sentence = typical_constrained_mistake(subject); !sentence.empty())
      sentences.push_back(sentence);
  if (judgement.declares.takes(ProblemKind::body))
    for (const std::string& sentence : diagnose_bodies(subject, judgement)) sentences.push_back(sentence);
  for (const std::string& sentence : diagnose_baths(subject, judgement)) sentences.push_back(sentence);
  if (!has_higher_order)
    if (const std::string sentence = measured_order(judgement, sentences); !sentence.empty())
      sentences.push_back(sentence);
  return sentences;
}

}  // namespace livi

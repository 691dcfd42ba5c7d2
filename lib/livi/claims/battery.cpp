// SPDX-License-Identifier: MIT
#include <livi/claims/battery.hpp>

#include <cstdarg>
#include <cstdio>
#include <livi/diagnostics/certificate.hpp>
#include <livi/diagnostics/measures.hpp>
#include <livi/integrators/body_runge_kutta.hpp>
#include <livi/integrators/cayley_variational_euler.hpp>
#include <livi/integrators/lie_newmark.hpp>
#include <livi/integrators/lie_verlet.hpp>
#include <livi/integrators/newmark.hpp>
#include <livi/integrators/runge_kutta.hpp>
#include <livi/integrators/simplified_zhang_skeel.hpp>
#include <livi/integrators/symplectic_euler.hpp>
#include <livi/integrators/velocity_verlet.hpp>

namespace livi {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

/// Residuals of 50-digit arithmetic: 1e-50 per operation, some thousand operations, Jacobians of size below 10.
constexpr double floor_50 = 1e-45;
const char* const floor_50_reason = "rounding in 50 digits: 1e-50 per operation, thousands of operations";
/// What is not there must be well above that floor: the smallest real defect of a method here, h^5 times small
/// coefficients at h = 1/32, is above 1e-14.
constexpr double visible_50 = 1e-25;
const char* const visible_50_reason =
    "a defect of the method, not of rounding: 20 orders of magnitude above the 50-digit floor";

std::string format(const char* pattern, ...) {
  char text[1024];
  va_list arguments;
  va_start(arguments, pattern);
  std::vsnprintf(text, sizeof text, pattern, arguments);
  va_end(arguments);
  return text;
}

/// Verlet whose two half kicks are 0.501 h and 0.499 h: consistent, of order one.
template <class System>
class LopsidedVerlet {
 public:
  using system_type = System;
  using S = ScalarOf<System>;
  using state_type = PhaseState<S, System::dimension>;
  explicit LopsidedVerlet(const System& system) : system_(&system), a_(system.size()) {}
  [[nodiscard]] state_type start(const VectorOf<System>& q, const VectorOf<System>& v) const { return {q, v}; }
  StepOutcome step(state_type& z, const S& h) {
    system_->acceleration(z.q, a_);
    z.v += (ratio<S>(501, 1000) * h) * a_;
    z.q += h * z.v;
    system_->acceleration(z.q, a_);
    z.v += (ratio<S>(499, 1000) * h) * a_;
    return {};
  }
  [[nodiscard]] Properties declares() const {
    return {.name = "Verlet with one coefficient moved by 1e-3", .source = "-", .order = 1};
  }

 private:
  const System* system_;
  VectorOf<System> a_;
};

/// LieVerlet whose two half kicks are 0.501 h and 0.499 h.
template <class System>
class LopsidedLieVerlet {
 public:
  using system_type = System;
  using S = ScalarOf<System>;
  using state_type = BodyState<S>;
  explicit LopsidedLieVerlet(const System& system) : system_(&system), free_(NewtonOptions<S>()) {}
  [[nodiscard]] state_type start(const Matrix3<S>& q, const Vector3<S>& w) const { return {q, w, system_->torque(q)}; }
  StepOutcome step(state_type& z, const S& h) {
    Vector3<S> mu = system_->momentum(z.w) + (ratio<S>(501, 1000) * h) * z.torque;
    if (const StepOutcome outcome = free_.drift(*system_, h, z.q, mu, z.w, work_); !outcome.ok()) return outcome;
    z.torque = system_->torque(z.q);
    z.w = system_->velocity(mu + (ratio<S>(499, 1000) * h) * z.torque);
    return {};
  }
  [[nodiscard]] Properties declares() const {
    return {.name = "LieVerlet with one coefficient moved by 1e-3", .source = "-", .order = 1};
  }

 private:
  const System* system_;
  DiscreteEulerPoincare<System, so3::CayleyMap> free_;
  WorkCounters work_;
};

/// A method that a test must reject, with its name in reports.
struct ControlMethod {
  std::string name;
  std::unique_ptr<Subject> subject;
};

/// The methods that tests must reject, on the problems of vector spaces. (Constrained and generalised-coordinate
/// subjects have no twins of them; theirs run on these, too.)
struct VectorSpaceControls {
  template <template <class> class Method>
  static ControlMethod make(const std::string& name) {
    const auto factory = []<class System>(const System& system) { return Method<System>(system); };
    return {name, std::make_unique<MechanicalSubject<decltype(factory)>>(factory)};
  }
  ControlMethod lopsided = make<LopsidedVerlet>("Verlet with one coefficient moved by 1e-3");
  ControlMethod runge_kutta = make<RungeKutta4>("RungeKutta4");
  ControlMethod asymmetric = make<SymplecticEuler>("SymplecticEuler");
  /// Symmetric, of order two, not symplectic.
  ControlMethod not_symplectic = make<SimplifiedZhangSkeel>("SimplifiedZhangSkeel");
  /// Symplectic as it stands, and not under the map below.
  ControlMethod symplectic = make<ZhangSkeel>("ZhangSkeel");
  ControlMethod verlet = make<VelocityVerlet>("VelocityVerlet");

  static constexpr const char* name_of_map = "Newmark's map";
  /// Newmark's map (13).
  static PhasePoint<Dual<Float50>> map(AnyStepper<Dual<Float50>>&, const PhasePoint<Dual<Float50>>& z,
                                       const Dual<Float50>& h) {
    const auto& system = mechanical_problems<Dual<Float50>>().front().system;
    Newmark method(system);
    PhasePoint<Dual<Float50>> mapped = z;
    method.canonical_position(z.q, h, mapped.q);
    return mapped;
  }
  static const VectorSpaceControls& instance() {
    static const VectorSpaceControls controls;
    return controls;
  }
};

/// The same for rigid bodies.
struct BodyControls {
  template <template <class...> class Method>
  static ControlMethod make(const std::string& name) {
    const auto factory = []<class System>(const System& system) { return Method<System>(system); };
    return {name, std::make_unique<BodySubject<decltype(factory)>>(factory)};
  }
  ControlMethod lopsided = make<LopsidedLieVerlet>("LieVerlet with one coefficient moved by 1e-3");
  ControlMethod runge_kutta = make<RungeKuttaMuntheKaas4>("RungeKuttaMuntheKaas4");
  ControlMethod asymmetric = make<CayleyVariationalEuler>("CayleyVariationalEuler");
  ControlMethod not_symplectic = make<LieNewmark>("LieNewmark");
  ControlMethod symplectic = make<LieVerlet>("LieVerlet");
  ControlMethod off_the_group = make<MatrixRungeKutta4>("MatrixRungeKutta4");

  static constexpr const char* name_of_map = "the map of (34)";
  static PhasePoint<Dual<Float50>> map(AnyStepper<Dual<Float50>>&, const PhasePoint<Dual<Float50>>& z,
                                       const Dual<Float50>& h) {
    const auto& body = body_problems<Dual<Float50>>().front();
    const CayleyVariationalEuler method(body);
    return {z.q, method.canonical_momentum(body.velocity(Vector3<Dual<Float50>>(z.p)), h)};
  }
  static const BodyControls& instance() {
    static const BodyControls controls;
    return controls;
  }
};

PhasePoint<Dual<Float50>> identity(AnyStepper<Dual<Float50>>&, const PhasePoint<Dual<Float50>>& z,
                                   const Dual<Float50>&) {
  return z;
}

PhasePoint<Dual<Float50>> own_map(AnyStepper<Dual<Float50>>& stepper, const PhasePoint<Dual<Float50>>& z,
                                  const Dual<Float50>& h) {
  return stepper.canonical(z, h);
}

struct Worst {
  double value = -1;
  std::string where;
  void update(double candidate, const std::string& name) {
    if (std::isnan(value)) return;  // what failed on one problem is not mended by another
    if (!(candidate <= value)) {
      value = candidate;
      where = name;
    }
  }
};

/// The tests, beside the controls of the subject's kind.
template <class Controls>
class Battery {
  static constexpr bool rigid_body = std::same_as<Controls, BodyControls>;
  static const Controls& controls() { return Controls::instance(); }

 public:
  Battery(const Subject& subject, const BatteryOptions& options) : subject_(subject), options_(options) {
    result_.declares = subject.declares();
  }

  BatteryResult run() {
    order();
    symplecticity();
    reversibility();
    momentum(true);
    momentum(false);
    if constexpr (rigid_body) {
      casimir();
      stress_test();
      group();
    } else {
      certificate();
      energy();
      constraint();
      linear_stability();
    }
    cost();
    restart();
    return std::move(result_);
  }

 private:
  const Properties& declared() const { return result_.declares; }
  static std::string yes_no(bool value) { return value ? "yes" : "no"; }

  void begin(const std::string& test) const {
    if (options_.progress) options_.progress(test);
  }

  void add(const std::string& test, const std::string& declared_text, Claim claim, const std::string& detail) {
    claim.id = "battery." + test;
    claim.source = {declared().name, declared().source.empty() ? "declares()" : declared().source};
    if (std::isnan(claim.measured)) {
      // A run that broke down is no evidence that a property is absent: refuted if declared present, incomplete
      // otherwise; both are loud.
      claim.measured = infinity;
      claim.note += "; the method failed on this problem";
    }
    claim.verdict = decide(claim);
    result_.rows.push_back({test, declared_text, claim, detail});
  }

  /// A property that is there (defect at the floor) or not (defect visible), as declared.
  void add_defect(const std::string& test, bool holds, const std::string& what, const Worst& worst,
                  std::vector<Control> control_runs, const std::string& how, const std::string& detail) {
    Claim claim;
    claim.statement = holds ? what : "not " + what;
    claim.how = how;
    claim.measured = worst.value;
    claim.interval = holds ? Interval{0, floor_50} : Interval{visible_50, infinity};
    claim.reason = holds ? floor_50_reason : visible_50_reason;
    claim.note = "largest on: " + worst.where;
    for (Control& control : control_runs) control.interval = {0, floor_50};
    claim.controls = std::move(control_runs);
    add(test, yes_no(holds), claim, detail);
  }

  template <class F>
  void for_each_problem(const Subject& subject, ProblemRole role, F&& f) const {
    const auto& problems = subject.problems();
    for (std::size_t i = 0; i < problems.size(); ++i)
      if (problems[i].role == role) f(i, problems[i]);
  }
  std::optional<std::size_t> first(const Subject& subject, ProblemRole role) const {
    std::optional<std::size_t> found;
    for_each_problem(subject, role, [&](std::size_t i, const ProblemSummary&) {
      if (!found) found = i;
    });
    return found;
  }
  // -------------------------------------------------------------------------------------------------------------------------------
  // order

  struct Orders {
    double q, p;
    ConvergenceTable table;
  };
  Orders orders_of(const Subject& subject, std::size_t problem, int slope_power) const {
    const ProblemSummary& summary = subject.problems()[problem];
    const PhasePoint<Float50>& from = summary.points.front();
    const Float50 time(1);
    auto stepper = subject.in_50_digits(problem);
    const int last = options_.quick ? 6 : 8;
    ConvergenceTable table =
        measure_convergence(*stepper, from, subject.exact(problem, from, time), time, last - 2, last);
    return {fitted_exponent(table.error_q, slope_power), fitted_exponent(table.error_p, slope_power), std::move(table)};
  }

  void order() {
    begin("order");
    const int slope_power = declared().symmetric ? 2 : 1;
    // The worst of the problems: farthest from what is declared.
    double worst_q = declared().order, worst_p = declared().order;
    constexpr std::array<const char*, 2> letters =
        rigid_body ? std::array<const char*, 2>{"Q", "W"} : std::array<const char*, 2>{"q", "p"};
    std::string detail;
    for_each_problem(subject_, ProblemRole::generic, [&](std::size_t i, const ProblemSummary& problem) {
      // Without torques a method of kicks and free steps is better than it is: (34) is of order two in W there.
      if (problem.constant_size_of_momentum) return;
      const Orders orders = orders_of(subject_, i, slope_power);
      detail += format("%s: %s %.3f, %s %.3f (errors at h = 1/%.0f: %.2e, %.2e); ", problem.name.c_str(), letters[0],
                       orders.q, letters[1], orders.p, orders.table.steps.back(), orders.table.error_q.back(),
                       orders.table.error_p.back());
      const auto farther = [&](double candidate, double so_far) {
        return !(std::abs(candidate - declared().order) <= std::abs(so_far - declared().order));
      };
      if (farther(orders.q, worst_q)) worst_q = orders.q;
      if (farther(orders.p, worst_p)) worst_p = orders.p;
    });
    static const Orders lopsided = [&] {
      const Subject& subject = *controls().lopsided.subject;
      return orders_of(subject, *first(subject, ProblemRole::generic), 2);
    }();
    for (const bool position : {true, false}) {
      Claim claim;
      const char* const letter = letters[position ? 0 : 1];
      claim.statement = format("global error of %s of order %d", letter, declared().order);
      claim.how = "errors at T = 1 against the exact flow, three halvings of h in 50 digits, slope extrapolated";
      claim.measured = position ? worst_q : worst_p;
      claim.unit = "order";
      claim.interval = Interval::around(declared().order, 0.05);
      claim.reason =
          "what the extrapolation of slopes leaves at h = 1/256: the square of the next term of the error expansion";
      claim.controls = {{.name = controls().lopsided.name,
                         .measured = position ? lopsided.q : lopsided.p,
                         .interval = Interval::around(2, 0.05)}};
      add(std::string("order of ") + letter, std::to_string(declared().order), claim, position ? detail : "");
    }
  }

  // ------------------------------------------------------------------------------------------------------------------------
  // symplecticity

  /// `bracket` = -1 turns the sign of mu in the form, which is that of the right trivialisation.
  static Worst symplectic_worst(const Subject& subject, const Float50& h, const CanonicalMap& map, int bracket = 1) {
    Worst worst;
    const SymplecticForm form = [&](const PhasePoint<Float50>& at, const PhasePoint<Float50>& a,
                                    const PhasePoint<Float50>& b) {
      return subject.form(bracket == 1 ? at : PhasePoint<Float50>{at.q, -at.p}, a, b);
    };
    const auto& problems = subject.problems();
    for (std::size_t i = 0; i < problems.size(); ++i) {
      if (problems[i].role != ProblemRole::generic) continue;
      auto stepper = subject.in_duals(i);
      for (std::size_t k = 0; k < problems[i].points.size(); ++k) {
        const auto& tangents =
            problems[i].tangents.empty() ? std::vector<PhasePoint<Float50>>{} : problems[i].tangents[k];
        worst.update(symplecticity_residual(*stepper, problems[i].points[k], tangents, h, 2, map, form),
                     problems[i].name);
      }
    }
    return worst;
  }

  void symplecticity() {
    begin("symplecticity");
    // Controls, once for all subjects: no Runge-Kutta method of order four is symplectic, nor is Z&Ss where Hessians do
    // not commute, nor Lie-Newmark.
    const Float50 quarter = Float50(1) / 4;
    static const double of_runge_kutta = symplectic_worst(*controls().runge_kutta.subject, quarter, identity).value;
    static const double of_not_symplectic =
        symplectic_worst(*controls().not_symplectic.subject, quarter, identity).value;
    // The map of a conjugate symplectic method on one that is symplectic without it.
    static const double of_mapped = [&] {
      const Subject& subject = *controls().symplectic.subject;
      if constexpr (rigid_body) return symplectic_worst(subject, quarter, Controls::map).value;
      auto stepper = subject.in_duals(0);
      return symplecticity_residual(*stepper, subject.problems()[0].points[0], {}, quarter, 2, Controls::map);
    }();

    for (const bool conjugate : {false, true}) {
      if (conjugate && !declared().conjugate_symplectic) continue;
      const bool holds = conjugate || declared().symplectic;
      const CanonicalMap map = conjugate ? CanonicalMap(own_map) : CanonicalMap(identity);
      Worst worst;
      std::vector<double> residuals;
      for (const int denominator : {4, 64, 128, 256}) {
        const Worst at_h = symplectic_worst(subject_, Float50(1) / denominator, map);
        if (denominator == 4) worst = at_h;
        if (holds) worst.update(at_h.value, at_h.where);
        if (!holds) worst.value = std::min(worst.value, at_h.value);  // must be visible at every h
        if (denominator > 4) residuals.push_back(at_h.value);
      }
      const double exponent = fitted_exponent(residuals, 1);
      const std::string detail =
          holds ? format("h = 1/4, 1/64, 1/128, 1/256: at most %.2e", worst.value)
                : format("exponent in h: %.3f (residual at h = 1/256: %.2e)", exponent, residuals.back());
      std::vector<Control> runs{{.name = controls().runge_kutta.name, .measured = of_runge_kutta},
                                {.name = controls().not_symplectic.name, .measured = of_not_symplectic}};
      if constexpr (rigid_body) {
        static const double of_wrong_bracket =
            symplectic_worst(*controls().symplectic.subject, quarter, identity, -1).value;
        runs.push_back({.name = "LieVerlet in the form of the other bracket", .measured = of_wrong_bracket});
      }
      if (conjugate)
        runs = {{.name = controls().symplectic.name + " under " + Controls::name_of_map, .measured = of_mapped}};
      add_defect(conjugate ? "conjugate symplectic" : "symplectic", holds,
                 std::string(rigid_body ? "preserves the form of T*SO(3)" : "preserves dq ^ dp") +
                     (conjugate ? " after its canonical map" : ""),
                 worst, std::move(runs),
                 "max |J'Omega J - Omega| of two steps, J by exact duals in 50 digits, generic states of all problems",
                 detail);
      if (!holds) result_.rows.back().h_exponent = exponent;
    }
  }

  // ------------------------------------------------------------------------------------------------------------------------
  // reversibility

  void reversibility() {
    begin("reversibility");
    const auto worst_of = [&](const Subject& subject) {
      Worst worst;
      for_each_problem(subject, ProblemRole::generic, [&](std::size_t i, const ProblemSummary& problem) {
        auto stepper = subject.in_50_digits(i);
        for (const auto& point : problem.points) {
          worst.update(reversal_defect(*stepper, point, Float50(Float50(1) / 4), 3), problem.name + ", reversal");
          worst.update(adjoint_defect(*stepper, point, Float50(Float50(1) / 4)), problem.name + ", adjoint");
        }
      });
      return worst;
    };
    static const double of_euler = worst_of(*controls().asymmetric.subject).value;
    const Worst worst = worst_of(subject_);
    // The same in double, in units of its epsilon, for those who run in double.
    double ulps = 0;
    for_each_problem(subject_, ProblemRole::generic, [&](std::size_t i, const ProblemSummary& problem) {
      auto stepper = subject_.in_double(i);
      ulps = larger(ulps, reversal_defect(*stepper, convert_point<double>(problem.points.front()), 0.25, 3) /
                              std::numeric_limits<double>::epsilon());
    });
    add_defect("symmetric", declared().symmetric, "its own adjoint, and reversed by turning the velocity", worst,
               {{.name = controls().asymmetric.name, .measured = of_euler}},
               "distance from the start after three steps, reversal, three steps; and after a step of h and one of -h; "
               "h = 1/4",
               format("in double: %.3g epsilon", ulps));
  }

  // -----------------------------------------------------------------------------------------------------------------------------
  // momentum

  static std::optional<Worst> momentum_worst(const Subject& subject, ProblemRole role, bool translations) {
    std::optional<Worst> worst;
    const auto& problems = subject.problems();
    for (std::size_t i = 0; i < problems.size(); ++i) {
      if (problems[i].role != role) continue;
      auto stepper = subject.in_50_digits(i);
      for (const auto& symmetry : problems[i].symmetries) {
        if (symmetry.is_translation != translations) continue;
        if (!worst) worst.emplace();
        for (const auto& point : problems[i].points)
          worst->update(momentum_defect(*stepper, point, symmetry, Float50(Float50(1) / 8), 16),
                        problems[i].name + ", " + symmetry.name);
      }
    }
    return worst;
  }

  void momentum(bool translations) {
    const std::string test = translations ? "linear momentum" : "angular momentum";
    begin(test);
    const std::optional<Worst> worst = momentum_worst(subject_, ProblemRole::generic, translations);
    if (!worst) return;
    std::optional<Worst> broken = momentum_worst(subject_, ProblemRole::broken, translations);
    std::string name = "the same method, the symmetry broken by 1e-6";
    if constexpr (!rigid_body)
      if (!broken) {
        broken = momentum_worst(*controls().verlet.subject, ProblemRole::broken, translations);
        name = "VelocityVerlet, the symmetry broken by 1e-6";
      }
    add_defect(test, translations ? declared().linear_momentum : declared().angular_momentum, "conserves " + test,
               *worst, {{.name = name, .measured = broken->value, .note = "a failed run counts as failing"}},
               "largest change of the momentum map over 16 steps of h = 1/8, in 50 digits", "");
  }

  // -----------------------------------------------------------------------------------------------------------------------------
  // certificate

  enum class Statement { symplectic, symmetric, translations, rotations };

  /// The statement about one step, on one problem, for all positions, momenta and step sizes.
  static Certificate certify_step(const Subject& subject, std::size_t problem, Statement statement) {
    using D = Dual<Residue>;
    return certify([&](Draw<Residue>& draw) {
      const auto stepper = subject.in_residues(problem);
      const TestProblem<D> in_residues = mechanical_problem_in_residues(problem);
      const Eigen::Index n = in_residues.system.size();
      const PhasePoint<Residue> at{draw.variables("q", n), draw.variables("p", n)};
      const D h(draw.positive("h"));
      const auto advance = [&](const PhasePoint<D>& from, const D& by) {
        stepper->start(from);
        if (!stepper->step(by).ok()) throw StepFailed("the step fails in exact arithmetic");
        return stepper->point();
      };
      if (statement == Statement::symplectic)
        return livi::symplecticity<Residue>(at, [&](Vector<D, Dynamic>& q, Vector<D, Dynamic>& p) {
          const PhasePoint<D> end = advance({q, p}, h);
          q = end.q;
          p = end.p;
        });
      PhasePoint<D> start{at.q.cast<D>(), at.p.cast<D>()};
      PhasePoint<D> end = advance(start, h);
      std::vector<Residue> values;
      if (statement == Statement::symmetric) {
        const PhasePoint<D> back = advance(end, -h);
        stepper->start(start);
        static_cast<void>(stepper->step(h));
        stepper->reverse();
        if (!stepper->step(h).ok()) throw StepFailed("the step fails in exact arithmetic");
        stepper->reverse();
        for (const D& d : differences(back, start)) values.push_back(d.value);
        for (const D& d : differences(stepper->point(), start)) values.push_back(d.value);
      } else {
        for (const auto& symmetry : in_residues.symmetries)
          if (symmetry.is_translation == (statement == Statement::translations))
            values.push_back((symmetry.momentum(end.q, end.p) - symmetry.momentum(start.q, start.p)).value);
      }
      return values;
    });
  }

  struct Certified {
    int contradicted = 0;  ///< properties that are not as declared
    int decided = 0;
    double probability = 0;
    std::string detail;
  };
  static Certified certify_declared(const Subject& subject, const Properties& declared) {
    Certified result;
    const auto& problems = subject.problems();
    for (const auto& [statement, name, holds] :
         {std::tuple(Statement::symplectic, "symplectic", declared.symplectic),
          std::tuple(Statement::symmetric, "symmetric", declared.symmetric),
          std::tuple(Statement::translations, "linear momentum", declared.linear_momentum),
          std::tuple(Statement::rotations, "angular momentum", declared.angular_momentum)}) {
      int proved = 0;
      double degree = 0;
      std::string disproof, undecided;
      for (std::size_t i = 0; i < problems.size(); ++i) {
        if (problems[i].role != ProblemRole::generic) continue;
        const Certificate certificate = certify_step(subject, i, statement);
        if (certificate.functions == 0 && certificate.points > 0) continue;  // no such symmetry
        if (certificate.proved()) {
          ++proved;
          degree = std::max(degree, certificate.degree);
          result.probability = std::max(result.probability, certificate.probability);
        } else if (certificate.disproved()) {
          disproof = problems[i].name + ": " + certificate.note;
          break;
        } else {
          undecided = certificate.note;
        }
      }
      if (!disproof.empty()) {
        ++result.decided;
        if (holds) ++result.contradicted;
        result.detail += format("%s: disproved (%s); ", name, disproof.c_str());
      } else if (proved > 0) {
        ++result.decided;
        if (!holds) ++result.contradicted;
        result.detail += format("%s: proved on %d problems (degree <= %.0f)%s; ", name, proved, degree,
                                undecided.empty() ? "" : ", undecided on others");
      } else {
        result.detail += format("%s: undecided (%s); ", name, undecided.c_str());
      }
    }
    return result;
  }

  void certificate() {
    begin("certificate");
    try {
      if (!subject_.in_residues(*first(subject_, ProblemRole::generic))) return;
    } catch (const NotRational&) {
      return;
    }
    const Certified certified = certify_declared(subject_, declared());
    if (certified.decided == 0) return;  // not rational
    static const int of_simplified = [] {
      return certify_declared(*controls().not_symplectic.subject, controls().symplectic.subject->declares())
          .contradicted;
    }();
    Claim claim;
    claim.statement = "for all positions, momenta and steps, the properties of a step are those declared";
    claim.how =
        "the step in residues modulo random 61-bit primes at random points, on every problem (diagnostics/"
        "certificate.hpp)";
    claim.measured = certified.contradicted;
    claim.unit = "properties";
    claim.interval = {0, 0};
    claim.reason = "exact: what vanishes at all points drawn is zero up to the probability given, what does not is not";
    claim.evidence = Evidence::proved;
    if (certified.probability > 0) claim.probability_bound = certified.probability;
    claim.controls = {{.name = "SimplifiedZhangSkeel declared to be what ZhangSkeel is",
                       .measured = static_cast<double>(of_simplified),
                       .interval = {0, 0}}};
    add("certificate", format("%d decided", certified.decided), claim, certified.detail);
  }

  // -------------------------------------------------------------------------------------------------------------------------------
  // energy

  void energy() {
    const auto problem = first(subject_, ProblemRole::long_run);
    if (options_.quick || !problem) return;
    if (!declared().symmetric && !declared().symplectic && !declared().conjugate_symplectic)
      return;  // nothing is promised
    begin("energy drift");
    constexpr double h = 0.125;
    constexpr int blocks = 64, per_block = 1024;
    auto stepper = subject_.in_double(*problem);
    const PhasePoint<double> at = convert_point<double>(subject_.problems()[*problem].points.front());
    const EnergyDrift drift = measure_energy_drift(*stepper, at, h, blocks, per_block);
    static const EnergyDrift of_euler = [&] {
      const Subject& subject = *controls().runge_kutta.subject;
      const auto i = *first(subject, ProblemRole::long_run);
      auto control_stepper = subject.in_double(i);
      return measure_energy_drift(*control_stepper, convert_point<double>(subject.problems()[i].points.front()), h,
                                  blocks, per_block);
    }();
    Claim claim;
    claim.statement = "no secular drift of the energy on a regular orbit";
    claim.how = "least-squares slope through 64 block means over 65536 steps of h = 1/8, in double";
    claim.measured = drift.slope;
    claim.unit = "1/time";
    const auto bound = [&](const EnergyDrift& d) {
      const double rounding = 8 * std::numeric_limits<double>::epsilon() * std::abs(d.initial_energy) / h;
      return 4 * d.standard_error + rounding;
    };
    claim.interval = Interval::around(0, std::isnan(drift.slope) ? 0 : bound(drift));
    claim.reason = "four standard errors of the slope, plus a bias of 8 epsilon |E| in every step";
    claim.controls = {{.name = "RungeKutta4",
                       .measured = of_euler.slope,
                       .interval = Interval::around(0, bound(of_euler)),
                       .note = "dissipates"}};
    add("energy drift", "none", claim,
        format("slope %.2e +- %.1e, max |E - E0| %.2e over T = %.0f", drift.slope, drift.standard_error,
               drift.largest_error, drift.time));
  }

  // ------------------------------------------------------------------------------------------------------------------------
  // rigid bodies: the Casimir function, the stress test, the group

  static Worst casimir_worst(const Subject& subject) {
    Worst worst;
    const auto& problems = subject.problems();
    for (std::size_t i = 0; i < problems.size(); ++i) {
      if (!problems[i].constant_size_of_momentum) continue;
      auto stepper = subject.in_50_digits(i);
      for (const auto& point : problems[i].points)
        worst.update(casimir_defect(*stepper, point, Float50(Float50(1) / 8), 16), problems[i].name);
    }
    return worst;
  }
  void casimir() {
    begin("Casimir function");
    static const double of_newmark = casimir_worst(*controls().not_symplectic.subject).value;
    add_defect("Casimir function", declared().angular_momentum, "conserves |I W| of the free body",
               casimir_worst(subject_), {{.name = controls().not_symplectic.name, .measured = of_newmark}},
               "largest change of |I W| over 16 steps of h = 1/8, in 50 digits", "");
  }

  /// Drift of the energy over T = 15000 with h = 1/4 from each start of the stress test.
  static std::vector<EnergyDrift> stress_drifts(const Subject& subject) {
    std::vector<EnergyDrift> drifts;
    const auto& problems = subject.problems();
    for (std::size_t i = 0; i < problems.size(); ++i) {
      if (problems[i].role != ProblemRole::long_run) continue;
      auto stepper = subject.in_double(i);
      for (const auto& point : problems[i].points)
        drifts.push_back(measure_energy_drift(*stepper, convert_point<double>(point), 0.25, 60, 1000));
    }
    return drifts;
  }
  /// The slope in units of its noise: the standard error, and rounding of 8 epsilon |E| in every step.
  static double significance(const EnergyDrift& drift) {
    const double rounding = 8 * std::numeric_limits<double>::epsilon() * std::abs(drift.initial_energy) / 0.25;
    return std::abs(drift.slope) / (drift.standard_error + rounding);
  }
  static double significance(const std::vector<EnergyDrift>& drifts) {
    double largest = 0;
    for (const EnergyDrift& drift : drifts) largest = larger(largest, significance(drift));
    return largest;
  }
  /// From the start of BOS09 and from the mirrored one, W_0 -> -W_0: a method that is symmetric but not symplectic
  /// drifts the other way from there, so that one start could hide behind an average of two, and vice versa. What is
  /// not symplectic need not drift on this orbit: of such methods the row only tells what it saw.
  void stress_test() {
    if (options_.quick) return;
    begin("stress test");
    const auto drifts = stress_drifts(subject_);
    static const double of_newmark = significance(stress_drifts(*controls().not_symplectic.subject));
    const bool promised = declared().symplectic || declared().conjugate_symplectic;
    Claim claim;
    claim.statement = promised
                          ? "no secular drift of the energy in the stress test of BOS09, nor from its mirrored start"
                          : "nothing is declared about the energy in the stress test of BOS09";
    claim.how =
        "least-squares slope through 60 block means over T = 15000, h = 1/4, in double, over its standard error plus "
        "rounding; the larger of the starts W_0 and -W_0";
    claim.measured = significance(drifts);
    claim.unit = "standard errors";
    claim.interval = {0, promised ? 4 : infinity};
    claim.reason = promised ? "four standard errors of the slope, from the scatter of block means about the line"
                            : "nothing is declared; the number is for information";
    claim.controls = {{.name = controls().not_symplectic.name, .measured = of_newmark, .interval = {0, 4}}};
    std::string detail;
    for (const EnergyDrift& drift : drifts)
      detail += format("%s: slope %.2e +- %.1e, max |E - E0| %.2e; ", detail.empty() ? "W0" : "-W0", drift.slope,
                       drift.standard_error, drift.largest_error);
    add("stress test", promised ? "no drift" : "-", claim, detail);
  }

  static Worst group_worst(const Subject& subject) {
    Worst worst;
    const auto& problems = subject.problems();
    for (std::size_t i = 0; i < problems.size(); ++i) {
      if (problems[i].role != ProblemRole::generic) continue;
      auto stepper = subject.in_50_digits(i);
      for (const auto& point : problems[i].points) {
        stepper->start(point);
        double largest = 0;
        for (int k = 0; k < 100; ++k) {
          if (!stepper->step(Float50(Float50(1) / 16)).ok()) largest = not_a_number;
          largest = larger(largest, to_double(stepper->constraint_defect()));
        }
        worst.update(largest, problems[i].name);
      }
    }
    return worst;
  }
  void group() {
    begin("group");
    static const double of_matrix = group_worst(*controls().off_the_group.subject).value;
    add_defect("group", declared().group, "stays on SO(3)", group_worst(subject_),
               {{.name = controls().off_the_group.name, .measured = of_matrix}},
               "max |Q'Q - I| over 100 steps of h = 1/16, in 50 digits", "");
  }

  // ---------------------------------------------------------------------------------------------------------------------------
  // constraint

  void constraint() {
    Worst worst;
    bool constrained = false;
    for_each_problem(subject_, ProblemRole::generic, [&](std::size_t i, const ProblemSummary& problem) {
      if (problem.tangents.empty()) return;
      constrained = true;
      auto stepper = subject_.in_50_digits(i);
      for (const auto& point : problem.points) {
        stepper->start(point);
        double largest = 0;
        for (int k = 0; k < 100; ++k) {
          if (!stepper->step(Float50(Float50(1) / 16)).ok()) largest = not_a_number;
          largest = larger(largest, to_double(stepper->constraint_defect()));
        }
        worst.update(largest, problem.name);
      }
    });
    if (!constrained) return;
    begin("constraint");
    add_defect("constraint", true, "stays on g = 0 and Dg v = 0", worst,
               {{.name = "the penalised system, omega = 20, by Z&S", .measured = penalised_constraint_defect()}},
               "max |g|, |Dg v| over 100 steps of h = 1/16, in 50 digits", "");
  }

  // ---------------------------------------------------------------------------------------------------------------------
  // linear stability

  void linear_stability() {
    const auto problem = first(subject_, ProblemRole::oscillator);
    if (!problem) return;
    begin("linear stability");
    auto stepper = subject_.in_double(*problem);
    const double limit = measure_stability_limit(*stepper);
    if (std::isnan(declared().stability_limit)) {
      Claim claim;
      claim.statement = "no stability limit is declared";
      claim.measured = limit;
      claim.interval = {0, infinity};
      claim.reason = "nothing is declared; the number is for information";
      add("linear stability", "-", claim, format("measured limit of h omega: %.6g", limit));
      return;
    }
    Claim claim;
    claim.statement = format("stable on q'' = -omega^2 q up to h omega = %.6g", declared().stability_limit);
    claim.how = "spectral radius of a step over h omega in [1e-2, 1e4], the threshold bisected";
    claim.measured = limit;
    claim.unit = "h omega";
    claim.interval =
        std::isinf(declared().stability_limit)
            ? Interval{1e4, infinity}
            : Interval::around(declared().stability_limit, 1e-5 * std::max(declared().stability_limit, 1.0));
    claim.reason =
        "the threshold is where the radius exceeds 1 + 1e-6; it leaves 1 as the square root of the distance or slower";
    static const double verlet_beyond = [&] {
      const Subject& subject = *controls().verlet.subject;
      auto control_stepper = subject.in_double(*first(subject, ProblemRole::oscillator));
      return oscillator_spectral_radius(*control_stepper, 2.001);
    }();
    claim.controls = {{.name = "spectral radius of VelocityVerlet at h omega = 2.001",
                       .measured = verlet_beyond,
                       .interval = {0, 1 + 1e-6}}};
    add("linear stability", format("%.6g", declared().stability_limit), claim,
        format("measured limit of h omega: %.8g", limit));
  }

  // ---------------------------------------------------------------------------------------------------------------------------------
  // cost

  void cost() {
    CountedCost counted;
    if (!subject_.count(counted)) return;
    begin("cost");
    const DeclaredCost& d = declared().cost;
    const std::string text =
        rigid_body ? format("%.2f torques per step", counted.gradients)
                   : format("%.2f gradients, %.2f Hessians, %.2f third derivatives, %.2f linear solves per step",
                            counted.gradients, counted.hessians, counted.third_derivatives, counted.linear_solves);
    Claim claim;
    claim.how = rigid_body ? "torques counted over ten steps on the heavy asymmetric top, h = 1/8, after the first"
                           : "evaluations counted over ten steps on Henon-Heiles, h = 1/8, after the first";
    if (d.iterative) {
      claim.statement = "evaluations per step depend on an iteration";
      claim.measured = counted.gradients;
      claim.interval = {0, infinity};
      claim.reason = "nothing is declared; the number is for information";
      add("cost", "iterative", claim, text);
      return;
    }
    const auto difference = [&](int one_more_gradient) {
      return std::abs(counted.gradients - d.gradients - one_more_gradient) + std::abs(counted.hessians - d.hessians) +
             std::abs(counted.third_derivatives - d.third_derivatives) +
             std::abs(counted.linear_solves - d.linear_solves);
    };
    claim.statement = "evaluations per step as declared";
    claim.measured = difference(0);
    claim.interval = {0, 0};
    claim.reason = "counts are exact";
    claim.controls = {{.name = "one gradient more than declared", .measured = difference(1), .interval = {0, 0}}};
    add("cost", format("%d, %d, %d, %d", d.gradients, d.hessians, d.third_derivatives, d.linear_solves), claim, text);
  }

  // ------------------------------------------------------------------------------------------------------------------------------
  // restart

  void restart() {
    begin("restart");
    const std::size_t problem = *first(subject_, ProblemRole::generic);
    const PhasePoint<double> at = convert_point<double>(subject_.problems()[problem].points.front());
    constexpr double h = 0.125;
    const auto straight = subject_.in_double(problem);
    straight->start(at);
    bool ok = run_steps(*straight, h, 20).ok();
    const std::string end = straight->save();

    const auto interrupted = subject_.in_double(problem);
    interrupted->start(at);
    ok = ok && run_steps(*interrupted, h, 10).ok();
    const std::string saved = interrupted->save();
    const auto resumed_end = [&](const std::string& text) -> std::string {
      const auto resumed = subject_.in_double(problem);
      resumed->start(at);
      resumed->load(text);
      return run_steps(*resumed, h, 10).ok() ? resumed->save() : "failed";
    };
    Claim claim;
    claim.statement = "20 steps are 10 steps, save, load and 10 steps, bitwise";
    claim.how = "the saved text of the two ends compared; a new method object resumes";
    claim.measured = ok && resumed_end(saved) == end ? 0 : 1;
    claim.unit = "runs that differ";
    claim.interval = {0, 0};
    claim.reason = "the same operations on the same numbers";
    // A state with one field lost: each line of the saved text in turn is taken from the start of the run instead.
    const auto fresh = subject_.in_double(problem);
    fresh->start(at);
    int detected = 0, fields = 0;
    std::istringstream lines(saved), fresh_lines(fresh->save());
    std::vector<std::string> of_saved, of_fresh;
    for (std::string line; std::getline(lines, line);) of_saved.push_back(line);
    for (std::string line; std::getline(fresh_lines, line);) of_fresh.push_back(line);
    for (std::size_t i = 0; i < of_saved.size(); ++i) {
      if (of_saved[i] == of_fresh[i]) continue;  // nothing to lose
      ++fields;
      std::string damaged;
      for (std::size_t k = 0; k < of_saved.size(); ++k) damaged += (k == i ? of_fresh[k] : of_saved[k]) + "\n";
      if (resumed_end(damaged) != end) ++detected;
    }
    claim.controls = {
        {.name = "a state with one field lost", .measured = static_cast<double>(detected), .interval = {0, 0}}};
    add("restart", "yes", claim,
        format("%d of the state's %d changing fields are noticed when lost", detected, fields));
  }

  const Subject& subject_;
  const BatteryOptions& options_;
  BatteryResult result_;
};

}  // namespace

int BatteryResult::exit_status() const {
  int status = 0;
  for (const BatteryRow& row : rows) {
    if (row.claim.verdict == Verdict::broken_control) return 2;
    if (row.claim.verdict != Verdict::confirmed) status = 1;
  }
  return rows.empty() ? 2 : status;
}

BatteryResult run_battery(const Subject& subject, const BatteryOptions& options) {
  if (subject.kind() == SubjectKind::rigid_body) return Battery<BodyControls>(subject, options).run();
  return Battery<VectorSpaceControls>(subject, options).run();
}

}  // namespace livi

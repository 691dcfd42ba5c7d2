// SPDX-License-Identifier: MIT
#include <array>
#include <livi/claims/adaptive_controls.hpp>
#include <livi/claims/battery/mechanical_control.hpp>
#include <livi/claims/battery/tests.hpp>
#include <livi/claims/stochastic_controls.hpp>
#include <livi/diagnostics/measures.hpp>
#include <livi/integrators/body_runge_kutta.hpp>
#include <livi/integrators/cayley_variational_euler.hpp>
#include <livi/integrators/lie_newmark.hpp>
#include <livi/integrators/lie_verlet.hpp>
#include <livi/integrators/newmark.hpp>
#include <livi/integrators/rattle.hpp>
#include <livi/integrators/runge_kutta.hpp>
#include <livi/integrators/simplified_zhang_skeel.hpp>
#include <livi/integrators/symplectic_euler.hpp>
#include <livi/integrators/velocity_verlet.hpp>
#include <livi/scalar/errors.hpp>
#include <map>
#include <optional>
#include <tuple>

namespace livi {

namespace battery_detail {

/// LieVerlet with half kicks of 0.501 h and 0.499 h: consistent, of order one.
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

}  // namespace battery_detail

namespace {

using namespace battery_detail;

/// The methods that tests must reject, on the problems of vector spaces. Subjects with constraints or in generalised
/// coordinates have no controls of their own kind; their controls run on these problems, too.
struct VectorSpaceControls {
  const ControlMethod& lopsided = lopsided_control();
  ControlMethod runge_kutta = mechanical_control<RungeKutta4>("RungeKutta4");
  ControlMethod asymmetric = mechanical_control<SymplecticEuler>("SymplecticEuler");
  /// Symmetric, of order two, not symplectic.
  ControlMethod not_symplectic = mechanical_control<SimplifiedZhangSkeel>("SimplifiedZhangSkeel");
  /// Symplectic in its own coordinates, and not under the map below.
  ControlMethod symplectic = mechanical_control<ZhangSkeel>("ZhangSkeel");
  ControlMethod verlet = mechanical_control<VelocityVerlet>("VelocityVerlet");

  static constexpr const char* name_of_map = "Newmark's map";
  /// Applies Newmark's map TO14 (13).
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

/// The methods that tests must reject, on the problems of rigid bodies.
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

/// The tests of the battery, with the controls of the subject's kind.
template <class Controls>
class Battery {
  static constexpr bool rigid_body = std::same_as<Controls, BodyControls>;
  static const Controls& controls() { return Controls::instance(); }
  static const ControlMethod& cost_control() {
    if constexpr (rigid_body) {
      return controls().symplectic;
    } else {
      return controls().verlet;
    }
  }

 public:
  Battery(const Subject& subject, const BatteryOptions& options)
      : subject_(subject), options_(options), rows_(result_.declares, result_.rows, options) {
    result_.declares = subject.declares();
    result_.quick = options.quick;
    result_.only = options.only;
    result_.seed = judge_seed();
  }

  BatteryResult run() {
    // The names of rows must be those that the tests below write: a row that is missing here cannot be asked for.
    rows_.test("order", {name_of_order[0], name_of_order[1]}, [&] { order(); });
    rows_.test("symplectic", {"symplectic", "conjugate symplectic", "canonical map", "continuous map"},
               [&] { symplecticity(); });
    rows_.test("symmetric", [&] { reversibility(); });
    rows_.test("linear momentum", [&] { momentum(true); });
    rows_.test("angular momentum", [&] { momentum(false); });
    const Tested tested{subject_, declared(), options_, rows_};
    if (declared().order > 0) {
      // Where coefficients are rounded the exact order refers to the measurement of the tiny steps.
      rows_.test("tiny steps", {"tiny steps", "exact order"}, [&] { test_tiny_steps(tested); });
      rows_.test("negative steps", {"negative steps", "last step shorter"}, [&] { test_order_of_runs(tested); });
    }
    rows_.test("end moved", [&] { test_end_moved(tested); });
    rows_.test("number types", {"number types", "duals", "single steps"}, [&] { test_number_types(tested); });
    rows_.test("reach", [&] { test_reach(tested); });
    rows_.test("repetition", {"repetition", "history", "memory"}, [&] { test_dependence(tested); });
    rows_.test("restart", [&] { test_restart(tested); });
    test_exactly(tested);
    if constexpr (rigid_body) {
      rows_.test("Casimir function", [&] { casimir(); });
      rows_.test("stress test", [&] { stress_test(); });
      rows_.test("group", [&] { group(); });
    } else {
      rows_.test("energy drift", [&] { energy(); });
      rows_.test("constraint", [&] { constraint(); });
    }
    rows_.test("cost", [&] { cost(); });
    for (const std::string& row : options_.only)
      if (!rows_.find(row)) throw InvalidParameter("only", row, "must be a row of the battery that this method has");
    return std::move(result_);
  }

 private:
  static constexpr std::array<const char*, 2> name_of_order =
      rigid_body ? std::array<const char*, 2>{"order of Q", "order of W"}
                 : std::array<const char*, 2>{"order of q", "order of p"};
  const Properties& declared() const { return result_.declares; }

  template <class F>
  void for_each_problem(const Subject& subject, ProblemRole role, F&& f) const {
    const auto& problems = subject.problems();
    for (std::size_t i = 0; i < problems.size(); ++i)
      if (problems[i].role == role) f(i, problems[i]);
  }
  // ---- order --------------------------------------------------------------------------------------------------------

  struct Orders {
    double q, p;
    ConvergenceTable table;
  };
  Orders orders_of(const Subject& subject, std::size_t problem, int slope_power, bool memory) const {
    const ProblemSummary& summary = subject.problems()[problem];
    const PhasePoint<Float50>& from = summary.points.front();
    const Float50 time(memory ? 4 : 1);
    auto stepper = subject.in_50_digits(problem);
    // At h = 1/64 the control of rigid bodies still looks like a method of order two.
    const int last = (options_.quick && !rigid_body ? 6 : 8) + (memory ? 2 : 0);
    ConvergenceTable table =
        measure_convergence(*stepper, from, subject.exact(problem, from, time), time, last - 6, last);
    return {fitted_exponent(table.vectors_q, slope_power, table.steps),
            fitted_exponent(table.vectors_p, slope_power, table.steps), std::move(table)};
  }

  void order() {
    if (declared().order < 0) {
      rows_.undecided("order", std::to_string(declared().order), {.statement = "the declared order is an order"},
                      "an order is at least 1; 0 declares none");
      return;
    }
    const int slope_power = declared().symmetric ? 2 : 1;
    // The worst of the problems is the one farthest from what is declared.
    double worst_q = declared().order, worst_p = declared().order;
    constexpr std::array<const char*, 2> letters =
        rigid_body ? std::array<const char*, 2>{"Q", "W"} : std::array<const char*, 2>{"q", "p"};
    std::string detail;
    for_each_problem(subject_, ProblemRole::generic, [&](std::size_t i, const ProblemSummary& problem) {
      // Without torques a method of kicks and free steps is better than in general: (34) is of order two in W there.
      if (problem.constant_size_of_momentum) return;
      const Orders orders = orders_of(subject_, i, slope_power, declared().memory);
      detail += format("%s: %s %.3f, %s %.3f (errors at h = 1/%.0f: %.2e, %.2e); ", problem.name.c_str(), letters[0],
                       orders.q, letters[1], orders.p, orders.table.steps.back() / (declared().memory ? 4 : 1),
                       orders.table.error_q.back(), orders.table.error_p.back());
      const auto farther = [&](double candidate, double so_far) {
        if (std::isnan(so_far)) return false;  // a failure on one problem cannot be mended by another
        return !(std::abs(candidate - declared().order) <= std::abs(so_far - declared().order));
      };
      if (farther(orders.q, worst_q)) worst_q = orders.q;
      if (farther(orders.p, worst_p)) worst_p = orders.p;
    });
    // One result is kept for quick runs, one for others.
    static std::array<std::optional<Orders>, 2> kept;
    std::optional<Orders>& lopsided = kept[options_.quick ? 1 : 0];
    if (!lopsided) {
      const Subject& subject = *controls().lopsided.subject;
      lopsided = orders_of(subject, *first(subject, ProblemRole::generic), 2, false);
    }
    for (const bool position : {true, false}) {
      Claim claim;
      const char* const letter = letters[position ? 0 : 1];
      const bool is_declared = declared().order > 0;
      claim.statement = is_declared ? format("global error of %s of order %d", letter, declared().order)
                                    : format("no order of %s is declared", letter);
      claim.how = format(
          "errors at T = %d against the exact flow, halvings of h in 50 digits, slope extrapolated; where they are "
          "below "
          "1e-12, of differences of errors, in which the rounding of coefficients cancels",
          declared().memory ? 4 : 1);
      claim.measured = position ? worst_q : worst_p;
      claim.unit = "order";
      claim.interval = is_declared ? Interval::around(declared().order, 0.05) : Interval{};
      claim.reason = is_declared
                         ? "what the extrapolation of slopes leaves at h = 1/256: the square of the next term of "
                           "the error expansion"
                         : "nothing is declared; the number is for information";
      claim.controls = {{.name = controls().lopsided.name,
                         .measured = position ? lopsided->q : lopsided->p,
                         .interval = Interval::around(2, 0.05)}};
      rows_.add(name_of_order[position ? 0 : 1], is_declared ? std::to_string(declared().order) : "-", claim,
                position ? detail : "");
    }
  }

  // ---- symplecticity ------------------------------------------------------------------------------------------------

  /// Returns the worst symplecticity defect of two steps. With `bracket` = -1 mu has the opposite sign in the form,
  /// which is then that of the right trivialisation.
  static Worst symplectic_worst(const Subject& subject, const Float50& h, const CanonicalMap& map, int bracket = 1) {
    return symplectic_worst(subject, h, map, bracket, 2);
  }
  /// Returns the worst symplecticity defect of `steps` steps. More than two start from the first point of each problem,
  /// and are judged relative to the size of the images, which grow.
  static Worst symplectic_worst(const Subject& subject, const Float50& h, const CanonicalMap& map, int bracket,
                                int steps) {
    Worst worst;
    const SymplecticForm form = [&](const PhasePoint<Float50>& at, const PhasePoint<Float50>& a,
                                    const PhasePoint<Float50>& b) {
      return subject.form(bracket == 1 ? at : PhasePoint<Float50>{at.q, -at.p}, a, b);
    };
    const auto& problems = subject.problems();
    for (std::size_t i = 0; i < problems.size(); ++i) {
      if (problems[i].role != ProblemRole::generic) continue;
      auto stepper = subject.in_duals(i);
      for (std::size_t k = 0; k < (steps > 2 ? 1 : problems[i].points.size()); ++k) {
        const auto& tangents =
            problems[i].tangents.empty() ? std::vector<PhasePoint<Float50>>{} : problems[i].tangents[k];
        worst.update(symplecticity_residual(*stepper, problems[i].points[k], tangents, h, steps, map, form, steps > 2),
                     problems[i].name);
      }
    }
    return worst;
  }

  // A conjugating map that is not a change of coordinates near the identity could make any method symplectic: a
  // constant map carries the form to zero.

  /// Returns how far a map is from the identity at step h: the largest of |map(z) - z| and |Pf - 1|, where Pf is the
  /// Pfaffian of the form in mapped tangent vectors over that in the vectors themselves (its square is a quotient of
  /// determinants).
  static Worst distance_from_identity(const Subject& subject, const Float50& h, const CanonicalMap& map) {
    using D = Dual<Float50>;
    Worst worst;
    const auto& problems = subject.problems();
    for (std::size_t i = 0; i < problems.size(); ++i) {
      if (problems[i].role != ProblemRole::generic) continue;
      const auto stepper = subject.in_duals(i);
      for (std::size_t k = 0; k < problems[i].points.size(); ++k) {
        const PhasePoint<Float50>& at = problems[i].points[k];
        std::vector<PhasePoint<Float50>> tangents, mapped;
        if (!problems[i].tangents.empty()) tangents = problems[i].tangents[k];
        const Eigen::Index n = at.q.size(), m = at.p.size();
        if (tangents.empty())
          for (Eigen::Index j = 0; j < n + m; ++j) {
            tangents.push_back(
                {Vector<Float50, Dynamic>::Constant(n, Float50(0)), Vector<Float50, Dynamic>::Constant(m, Float50(0))});
            (j < n ? tangents.back().q(j) : tangents.back().p(j - n)) = 1;
          }
        PhasePoint<Float50> image = at;
        for (const PhasePoint<Float50>& tangent : tangents) {
          PhasePoint<D> z{Vector<D, Dynamic>(n), Vector<D, Dynamic>(m)};
          for (Eigen::Index a = 0; a < n; ++a) z.q(a) = D(at.q(a), tangent.q(a));
          for (Eigen::Index a = 0; a < m; ++a) z.p(a) = D(at.p(a), tangent.p(a));
          stepper->start(z);
          const PhasePoint<D> end = map(*stepper, z, D(h));
          mapped.push_back({end.q.unaryExpr([](const D& x) { return x.derivative; }),
                            end.p.unaryExpr([](const D& x) { return x.derivative; })});
          image = {end.q.unaryExpr([](const D& x) { return x.value; }),
                   end.p.unaryExpr([](const D& x) { return x.value; })};
        }
        const auto gram = [&](const PhasePoint<Float50>& point, const std::vector<PhasePoint<Float50>>& vectors) {
          const auto size = static_cast<Eigen::Index>(vectors.size());
          Matrix<Float50, Dynamic> form(size, size);
          for (Eigen::Index a = 0; a < size; ++a)
            for (Eigen::Index b = 0; b < size; ++b)
              form(a, b) =
                  subject.form(point, vectors[static_cast<std::size_t>(a)], vectors[static_cast<std::size_t>(b)]);
          return determinant(form);
        };
        const Float50 quotient = gram(image, mapped) / gram(at, tangents);
        const double pfaffian = to_double(Float50(sqrt(Float50(abs(quotient)))));
        worst.update(std::max(std::abs(pfaffian - 1), distance(image, at)), problems[i].name);
      }
    }
    return worst;
  }

  /// Returns the determinant of a, by elimination with row pivoting.
  static Float50 determinant(Matrix<Float50, Dynamic> a) {
    Float50 product = 1;
    for (Eigen::Index k = 0; k < a.rows(); ++k) {
      Eigen::Index pivot = k;
      for (Eigen::Index i = k + 1; i < a.rows(); ++i)
        if (abs(a(i, k)) > abs(a(pivot, k))) pivot = i;
      if (a(pivot, k) == 0) return 0;
      if (pivot != k) {
        a.row(k).swap(a.row(pivot));
        product = -product;
      }
      product *= a(k, k);
      for (Eigen::Index i = k + 1; i < a.rows(); ++i) {
        const Float50 factor = a(i, k) / a(k, k);
        for (Eigen::Index j = k; j < a.cols(); ++j) a(i, j) -= factor * a(k, j);
      }
    }
    return product;
  }

  /// Returns the worst jump of a map: map(b) - map(a) minus the integral of the map's derivative from a to b, which is
  /// zero without a jump in between. For vector spaces, between the first two points of each problem that has two; by
  /// Gauss's rule on 64 pieces.
  static Worst jump_of_map(const Subject& subject, const Float50& h, const CanonicalMap& map) {
    using D = Dual<Float50>;
    Worst worst;
    const auto& problems = subject.problems();
    for (std::size_t i = 0; i < problems.size(); ++i) {
      if (problems[i].role != ProblemRole::generic || problems[i].points.size() < 2) continue;
      const auto stepper = subject.in_duals(i);
      const PhasePoint<Float50>&a = problems[i].points[0], &b = problems[i].points[1];
      const auto image_at = [&](const Float50& s) {
        PhasePoint<D> z{Vector<D, Dynamic>(a.q.size()), Vector<D, Dynamic>(a.p.size())};
        for (Eigen::Index k = 0; k < a.q.size(); ++k)
          z.q(k) = D(Float50(a.q(k) + s * (b.q(k) - a.q(k))), Float50(b.q(k) - a.q(k)));
        for (Eigen::Index k = 0; k < a.p.size(); ++k)
          z.p(k) = D(Float50(a.p(k) + s * (b.p(k) - a.p(k))), Float50(b.p(k) - a.p(k)));
        stepper->start(z);
        return map(*stepper, z, D(h));
      };
      const PhasePoint<D> from = image_at(0), to = image_at(1);
      PhasePoint<Float50> rest{Vector<Float50, Dynamic>(a.q.size()), Vector<Float50, Dynamic>(a.p.size())};
      for (Eigen::Index k = 0; k < a.q.size(); ++k) rest.q(k) = to.q(k).value - from.q(k).value;
      for (Eigen::Index k = 0; k < a.p.size(); ++k) rest.p(k) = to.p(k).value - from.p(k).value;
      constexpr int pieces = 64;
      const Float50 node = sqrt(Float50(Float50(3) / 5)) / 2;
      for (int piece = 0; piece < pieces; ++piece)
        for (const int side : {-1, 0, 1}) {
          const Float50 s = (Float50(piece) + Float50(1) / 2 + side * node) / pieces;
          const Float50 weight = Float50(side == 0 ? 8 : 5) / 18 / pieces;
          const PhasePoint<D> there = image_at(s);
          for (Eigen::Index k = 0; k < a.q.size(); ++k) rest.q(k) -= weight * there.q(k).derivative;
          for (Eigen::Index k = 0; k < a.p.size(); ++k) rest.p(k) -= weight * there.p(k).derivative;
        }
      const PhasePoint<Float50> zero{Vector<Float50, Dynamic>::Constant(a.q.size(), Float50(0)),
                                     Vector<Float50, Dynamic>::Constant(a.p.size(), Float50(0))};
      worst.update(distance(rest, zero), problems[i].name);
    }
    return worst;
  }

  void canonical_map() {
    const CanonicalMap collapse = [](AnyStepper<Dual<Float50>>&, const PhasePoint<Dual<Float50>>& z,
                                     const Dual<Float50>&) {
      PhasePoint<Dual<Float50>> image = z;
      for (Eigen::Index k = 0; k < image.p.size(); ++k) image.p(k) = Dual<Float50>(0);
      return image;
    };
    const Float50 small = Float50(1) / 256;
    static const double of_collapse = distance_from_identity(*controls().symplectic.subject, small, collapse).value;
    const Worst worst = distance_from_identity(subject_, small, own_map);
    Claim claim;
    claim.statement = "the canonical map is a change of coordinates near the identity";
    claim.how =
        "largest of |map(z) - z| and |Pf - 1| at h = 1/256, Pf the Pfaffian of the form that the map pulls back";
    claim.measured = worst.value;
    claim.interval = {0, 0.5};
    claim.reason = "identity plus O(h), with constants below 100; a map that loses a direction has Pf = 0";
    claim.note = "largest on: " + worst.where;
    claim.controls = {{.name = "a map that forgets the momentum", .measured = of_collapse, .interval = claim.interval}};
    rows_.add("canonical map", "-", claim);

    if constexpr (!rigid_body) {
      const CanonicalMap jumping = [](AnyStepper<Dual<Float50>>&, const PhasePoint<Dual<Float50>>& z,
                                      const Dual<Float50>& h) {
        PhasePoint<Dual<Float50>> image = z;
        if (image.q(0) > Dual<Float50>(0)) image.q(0) += ratio<Dual<Float50>>(1, 1000) * h;
        return image;
      };
      const Float50 quarter = Float50(1) / 4;
      static const double of_jumping = jump_of_map(*controls().symplectic.subject, quarter, jumping).value;
      const Worst jump = jump_of_map(subject_, quarter, own_map);
      Claim continuity;
      continuity.statement = "the canonical map is continuous between points of a problem";
      continuity.how = "its increment minus the integral of its derivative, h = 1/4, Gauss's rule on 64 pieces";
      continuity.measured = jump.value;
      continuity.interval = {0, 1e-6};
      continuity.reason = "what the rule leaves on the smooth maps of forces of degree three";
      continuity.note = "largest on: " + jump.where;
      continuity.controls = {
          {.name = "the identity with a jump of h/1000", .measured = of_jumping, .interval = continuity.interval}};
      rows_.add("continuous map", "-", continuity);
    }
  }

  void symplecticity() {
    // The controls run once for all subjects: no Runge-Kutta method of order four is symplectic, nor is Z&Ss where
    // Hessians do not commute, nor Lie-Newmark.
    const Float50 quarter = Float50(1) / 4;
    static const double of_runge_kutta = symplectic_worst(*controls().runge_kutta.subject, quarter, identity).value;
    static const double of_not_symplectic =
        symplectic_worst(*controls().not_symplectic.subject, quarter, identity).value;
    // This control applies the map of a conjugate symplectic method to one that is symplectic without it.
    static const double of_mapped = [&] {
      const Subject& subject = *controls().symplectic.subject;
      if constexpr (rigid_body) return symplectic_worst(subject, quarter, Controls::map).value;
      auto stepper = subject.in_duals(0);
      return symplecticity_residual(*stepper, subject.problems()[0].points[0], {}, quarter, 2, Controls::map);
    }();

    if (declared().conjugate_symplectic) canonical_map();
    for (const bool conjugate : {false, true}) {
      if (conjugate && !declared().conjugate_symplectic) continue;
      const bool holds = conjugate || declared().symplectic;
      const CanonicalMap map = conjugate ? CanonicalMap(own_map) : CanonicalMap(identity);
      Worst worst;
      std::vector<double> residuals;
      // One positive and one negative step that no method can expect are added where a property must hold for all of
      // them.
      if (holds) {
        test_problems_detail::Drawing drawing(judge_seed());
        for (const int sign : {1, -1}) {
          const Worst drawn = symplectic_worst(subject_, sign * drawing.positive<Float50>(-3), map);
          worst.update(drawn.value, drawn.where + (sign < 0 ? ", h < 0" : ""));
        }
        if (declared().memory) {
          const Worst late = symplectic_worst(subject_, Float50(1) / 16, map, 1, steps_with_memory);
          worst.update(late.value, late.where + format(", %d steps", steps_with_memory));
        }
      }
      for (const int denominator : {4, 64, 128, 256}) {
        const Worst at_h = symplectic_worst(subject_, Float50(1) / denominator, map);
        if (denominator == 4 && !holds) worst = at_h;
        if (holds) worst.update(at_h.value, at_h.where);
        // A property that must fail has to be visible and measured at every h.
        if (!holds && !std::isnan(worst.value) && !(at_h.value >= worst.value)) worst.value = at_h.value;
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
      rows_.add_defect(
          conjugate ? "conjugate symplectic" : "symplectic", holds,
          std::string(rigid_body ? "preserves the form of T*SO(3)" : "preserves dq ^ dp") +
              (conjugate ? " after its canonical map" : ""),
          worst, std::move(runs),
          std::string("max |J'Omega J - Omega| of two steps, J by exact duals in 50 digits, generic states of all "
                      "problems") +
              (declared().memory && holds ? format("; and of %d steps, relative to J", steps_with_memory) : ""),
          detail);
      if (!holds) result_.rows.back().h_exponent = exponent;
    }
  }

  // ---- reversibility ------------------------------------------------------------------------------------------------

  void reversibility() {
    int left_out = 0;
    const auto worst_of = [&](const Subject& subject) {
      Worst worst;
      left_out = 0;
      const bool rational_step = subject.declares().rational && subject.kind() == SubjectKind::vector_space;
      for_each_problem(subject, ProblemRole::generic, [&](std::size_t i, const ProblemSummary& problem) {
        auto stepper = subject.in_50_digits(i);
        const auto fails = [&](const PhasePoint<Float50>& point) {
          stepper->start(point);
          return !stepper->step(Float50(Float50(3) / 4)).ok();
        };
        for (const auto& point : problem.points) {
          worst.update(reversal_defect(*stepper, point, Float50(Float50(1) / 4), 3), problem.name + ", reversal");
          worst.update(adjoint_defect(*stepper, point, Float50(Float50(1) / 4)), problem.name + ", adjoint");
          // This step is long, and yet too short for the equations of an implicit step to have other solutions nearby:
          // V'' is below 5.
          const std::optional<double> of_long = adjoint_defect_of_long_step(*stepper, point, Float50(Float50(3) / 4));
          if (of_long)
            worst.update(*of_long, problem.name + ", adjoint, h = 3/4");
          else if (rational_step && problem.tangents.empty() && fails(point))
            // A rational step solves nothing by iteration, so there is no excuse if it fails.
            worst.update(not_a_number, problem.name + ", a step of 3/4 fails");
          else
            ++left_out;
        }
      });
      return worst;
    };
    static const double of_euler = worst_of(*controls().asymmetric.subject).value;
    const Worst worst = worst_of(subject_);
    // The reversal is also measured in double, in units of its epsilon, for those who run in double.
    double ulps = 0;
    for_each_problem(subject_, ProblemRole::generic, [&](std::size_t i, const ProblemSummary& problem) {
      auto stepper = subject_.in_double(i);
      ulps = larger(ulps, reversal_defect(*stepper, convert_point<double>(problem.points.front()), 0.25, 3) /
                              std::numeric_limits<double>::epsilon());
    });
    rows_.add_defect(
        "symmetric", declared().symmetric, "its own adjoint, and reversed by turning the velocity", worst,
        {{.name = controls().asymmetric.name, .measured = of_euler}},
        "distance from the start after three steps, reversal, three steps, h = 1/4; and after a step of h and one of "
        "-h, h = 1/4 and, in units of what the way back makes of a change of its beginning, 3/4",
        format("in double: %.3g epsilon", ulps) +
            (left_out == 0 ? "" : format("; steps of 3/4 that cannot be made, left out: %d", left_out)));
  }

  // ---- momentum -----------------------------------------------------------------------------------------------------

  static std::optional<Worst> momentum_worst(const Subject& subject, ProblemRole role, bool translations, int steps) {
    std::optional<Worst> worst;
    const auto& problems = subject.problems();
    for (std::size_t i = 0; i < problems.size(); ++i) {
      if (problems[i].role != role) continue;
      auto stepper = subject.in_50_digits(i);
      for (const auto& symmetry : problems[i].symmetries) {
        if (symmetry.is_translation != translations) continue;
        if (!worst) worst.emplace();
        for (const auto& point : problems[i].points)
          worst->update(momentum_defect(*stepper, point, symmetry, Float50(Float50(1) / 8), steps),
                        problems[i].name + ", " + symmetry.name);
      }
    }
    return worst;
  }

  void momentum(bool translations) {
    const std::string test = translations ? "linear momentum" : "angular momentum";
    constexpr int few = 16;
    const int steps = declared().memory ? steps_with_memory : few;
    const std::optional<Worst> worst = momentum_worst(subject_, ProblemRole::generic, translations, steps);
    if (!worst) {
      rows_.does_not_apply(test, "no problem of this kind has such a symmetry");
      return;
    }
    std::optional<Worst> broken = momentum_worst(subject_, ProblemRole::broken, translations, few);
    std::string name = "the same method, the symmetry broken by 1e-6";
    if constexpr (!rigid_body)
      if (!broken) {
        broken = momentum_worst(*controls().verlet.subject, ProblemRole::broken, translations, few);
        name = "VelocityVerlet, the symmetry broken by 1e-6";
      }
    rows_.add_defect(test, translations ? declared().linear_momentum : declared().angular_momentum, "conserves " + test,
                     *worst, {{.name = name, .measured = broken->value, .note = "a failed run counts as failing"}},
                     format("largest change of the momentum map over %d steps of h = 1/8, in 50 digits", steps), "",
                     translations ? Coefficients::cannot_matter : Coefficients::can_matter);
  }

  // ---- energy -------------------------------------------------------------------------------------------------------

  void energy() {
    const auto problem = first(subject_, ProblemRole::long_run);
    if (options_.quick || !problem) {
      rows_.does_not_apply("energy drift", "a quick run leaves it out");
      return;
    }
    if (!declared().symmetric && !declared().symplectic && !declared().conjugate_symplectic) {
      rows_.does_not_apply("energy drift", "neither symmetry nor symplecticity is declared: nothing is promised");
      return;
    }
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
    rows_.add("energy drift", "none", claim,
              format("slope %.2e +- %.1e, max |E - E0| %.2e over T = %.0f", drift.slope, drift.standard_error,
                     drift.largest_error, drift.time));
  }

  // ---- rigid bodies: the Casimir function, the stress test, the group -----------------------------------------------

  static Worst casimir_worst(const Subject& subject) {
    Worst worst;
    const auto& problems = subject.problems();
    for (std::size_t i = 0; i < problems.size(); ++i) {
      if (problems[i].role != ProblemRole::generic || !problems[i].constant_size_of_momentum) continue;
      auto stepper = subject.in_50_digits(i);
      for (const auto& point : problems[i].points)
        worst.update(casimir_defect(*stepper, point, Float50(Float50(1) / 8), 16), problems[i].name);
    }
    return worst;
  }
  void casimir() {
    static const double of_newmark = casimir_worst(*controls().not_symplectic.subject).value;
    rows_.add_defect("Casimir function", declared().angular_momentum, "conserves |I W| of the free body",
                     casimir_worst(subject_), {{.name = controls().not_symplectic.name, .measured = of_newmark}},
                     "largest change of |I W| over 16 steps of h = 1/8, in 50 digits", "");
  }

  /// Returns the drift of the energy over T = 15000 with h = 1/4 from each start of the stress test.
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
  /// Returns the slope in units of its noise: the standard error, and a rounding of 8 epsilon |E| in every step.
  static double significance(const EnergyDrift& drift) {
    const double rounding = 8 * std::numeric_limits<double>::epsilon() * std::abs(drift.initial_energy) / 0.25;
    return std::abs(drift.slope) / (drift.standard_error + rounding);
  }
  static double significance(const std::vector<EnergyDrift>& drifts) {
    double largest = 0;
    for (const EnergyDrift& drift : drifts) largest = larger(largest, significance(drift));
    return largest;
  }
  /// Tests from the start of BOS09 and from the mirrored one, W_0 -> -W_0. A method that is symmetric but not
  /// symplectic drifts in opposite directions from the two, so that a good start could hide a bad one, and an average
  /// both. A method that is not symplectic need not drift on this orbit: for such methods the row only reports what was
  /// measured.
  void stress_test() {
    if (options_.quick) {
      rows_.does_not_apply("stress test", "a quick run leaves it out");
      return;
    }
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
    rows_.add("stress test", promised ? "no drift" : "-", claim, detail);
  }

  /// Returns the largest distance from the manifold over 100 steps of h = 1/16, from all points of the problems with
  /// more coordinates than degrees of freedom; nothing if there is no such problem.
  static std::optional<Worst> distance_from_manifold(const Subject& subject) {
    std::optional<Worst> worst;
    const auto& problems = subject.problems();
    for (std::size_t i = 0; i < problems.size(); ++i) {
      if (problems[i].role != ProblemRole::generic || problems[i].tangents.empty() ||
          subject.kind() == SubjectKind::separable)
        continue;
      if (!worst) worst.emplace();
      auto stepper = subject.in_50_digits(i);
      for (const auto& point : problems[i].points) {
        stepper->start(point);
        double largest = 0;
        for (int k = 0; k < 100; ++k) {
          if (!stepper->step(Float50(Float50(1) / 16)).ok()) largest = not_a_number;
          largest = larger(largest, to_double(stepper->constraint_defect()));
        }
        worst->update(largest, problems[i].name);
      }
    }
    return worst;
  }
  void group() {
    static const double of_matrix = distance_from_manifold(*controls().off_the_group.subject)->value;
    rows_.add_defect("group", declared().group, "stays on SO(3)", *distance_from_manifold(subject_),
                     {{.name = controls().off_the_group.name, .measured = of_matrix}},
                     "max |Q'Q - I| over 100 steps of h = 1/16, in 50 digits", "", Coefficients::cannot_matter);
  }

  // ---- constraint ---------------------------------------------------------------------------------------------------

  void constraint() {
    const std::optional<Worst> worst = distance_from_manifold(subject_);
    if (!worst) {
      rows_.does_not_apply("constraint", "problems of this kind have no constraints");
      return;
    }
    rows_.add_defect("constraint", true, "stays on g = 0 and Dg v = 0", *worst,
                     {{.name = "the penalised system, omega = 20, by Z&S", .measured = penalised_constraint_defect()}},
                     "max |g|, |Dg v| over 100 steps of h = 1/16, in 50 digits", "", Coefficients::cannot_matter);
  }

  // ---- cost ---------------------------------------------------------------------------------------------------------

  void cost() {
    if (!subject_.can_be_counted()) {
      rows_.does_not_apply("cost", "evaluations are not counted on problems of this kind");
      return;
    }
    const auto counted_of = [](const Subject& subject, int run) {
      CountedCost cost;
      if (!subject.count(cost, run)) cost.gradients = not_a_number;
      return cost;
    };
    const CountedCost counted = counted_of(subject_, 0);
    const DeclaredCost& d = declared().cost;
    std::string text =
        rigid_body ? format("%.2f torques per step", counted.gradients)
                   : format("%.2f gradients, %.2f Hessians, %.2f third derivatives, %.2f linear solves per step",
                            counted.gradients, counted.hessians, counted.third_derivatives, counted.linear_solves);
    if (counted.values > 0) text += format(", %.2f values of the potential", counted.values);
    Claim claim;
    claim.how = rigid_body ? "torques counted over 64 steps on the heavy asymmetric top, after the first, forwards and "
                             "backwards"
                : subject_.kind() == SubjectKind::separable
                    ? "forces counted over 64 steps after the first, forwards and backwards"
                    : "evaluations counted over 64 steps after the first, on Henon-Heiles, h = 1/8, on a drawn "
                      "polynomial with full masses, backwards, and on drawn particles under softened gravity";
    if (d.iterative) {
      claim.statement = "evaluations per step depend on an iteration";
      claim.measured = counted.gradients;
      claim.interval = {0, infinity};
      claim.reason = "nothing is declared; the number is for information";
      rows_.add("cost", "iterative", claim, text);
      return;
    }
    const bool solves_are_counted = !std::isnan(counted.linear_solves);
    if (!solves_are_counted && d.linear_solves > 0) {
      rows_.undecided("cost", "", {.statement = "evaluations per step as declared"},
                      "linear solves are declared, but the method has no work().linear_solves that counts them");
      return;
    }
    const auto difference = [&](const CountedCost& c, const DeclaredCost& of) {
      return std::abs(c.gradients - of.gradients) + std::abs(c.hessians - of.hessians) +
             std::abs(c.third_derivatives - of.third_derivatives) + std::abs(c.values - of.values) +
             (solves_are_counted ? std::abs(c.linear_solves - of.linear_solves) : 0);
    };
    static const CountedCost of_known = counted_of(*cost_control().subject, 0);
    DeclaredCost one_too_many = cost_control().subject->declares().cost;
    ++one_too_many.gradients;
    claim.statement = solves_are_counted ? "evaluations and linear solves per step as declared, solves as the method "
                                           "itself counts them"
                                         : "evaluations per step as declared; nobody counts linear solves";
    claim.measured = difference(counted, d);
    for (int run = 1; run < subject_.counted_runs(); ++run)
      claim.measured = larger(claim.measured, difference(counted_of(subject_, run), d));
    claim.interval = {0, 0};
    claim.controls = {{.name = cost_control().name + " declared with one gradient more",
                       .measured = difference(of_known, one_too_many),
                       .interval = {0, 0}}};
    claim.reason = "counts are exact";
    rows_.add("cost", format("%d, %d, %d, %d", d.gradients, d.hessians, d.third_derivatives, d.linear_solves), claim,
              text);
  }

  const Subject& subject_;
  const BatteryOptions& options_;
  BatteryResult result_;
  Rows rows_;
};

}  // namespace

namespace battery_detail {

const ControlMethod& simplified_control() { return VectorSpaceControls::instance().not_symplectic; }

}  // namespace battery_detail

int BatteryResult::exit_status() const {
  bool refuted = rows.empty(), undecided = rows.empty();
  for (const BatteryRow& row : rows) {
    switch (row.claim.verdict) {
      case Verdict::broken_control:
        return 2;
      case Verdict::undecided:
        undecided = true;
        break;
      case Verdict::confirmed:
      case Verdict::confirmed_with_limits:
      case Verdict::not_testable:
      case Verdict::result:
        break;
      case Verdict::refuted:
      case Verdict::misprint:
        refuted = true;
    }
  }
  if (rows.empty()) return 2;
  return refuted ? 1 : undecided ? 2 : quick || !only.empty() ? 3 : 0;
}

namespace {

BatteryResult run_tests(const Subject& subject, const BatteryOptions& options) {
  if (subject.kind() == SubjectKind::adaptive)
    return run_adaptive_tests(dynamic_cast<const AnyAdaptiveSubject&>(subject), options);
  if (subject.kind() == SubjectKind::stochastic)
    return run_stochastic_tests(dynamic_cast<const AnyStochasticSubject&>(subject), options);
  if (subject.kind() == SubjectKind::rigid_body) return Battery<BodyControls>(subject, options).run();
  return Battery<VectorSpaceControls>(subject, options).run();
}

/// Returns methods that are what they declare: a test that accepts one of them is able to say yes.
const std::vector<ControlMethod>& honest_methods(SubjectKind kind) {
  static const std::vector<ControlMethod> of_vector_spaces = [] {
    std::vector<ControlMethod> methods;
    methods.push_back(mechanical_control<VelocityVerlet>("VelocityVerlet"));
    methods.push_back(mechanical_control<Newmark>("Newmark"));
    methods.push_back(mechanical_control<SimplifiedZhangSkeel>("SimplifiedZhangSkeel"));
    methods.push_back(mechanical_control<SymplecticEuler>("SymplecticEuler"));
    methods.push_back(mechanical_control<RungeKutta4>("RungeKutta4"));
    const auto rattle = []<class System>(const System& system) { return Rattle<System>(system); };
    methods.push_back({"Rattle", std::make_unique<ConstrainedSubject<decltype(rattle)>>(rattle)});
    return methods;
  }();
  static const std::vector<ControlMethod> of_bodies = [] {
    std::vector<ControlMethod> methods;
    methods.push_back(BodyControls::make<LieVerlet>("LieVerlet"));
    methods.push_back(BodyControls::make<CayleyVariationalEuler>("CayleyVariationalEuler"));
    methods.push_back(BodyControls::make<LieNewmark>("LieNewmark"));
    methods.push_back(BodyControls::make<MatrixRungeKutta4>("MatrixRungeKutta4"));
    return methods;
  }();
  if (kind == SubjectKind::adaptive) {
    static const std::vector<ControlMethod> with_adaptive_steps = honest_adaptive_methods();
    return with_adaptive_steps;
  }
  if (kind == SubjectKind::stochastic) {
    static const std::vector<ControlMethod> under_noise = honest_stochastic_methods();
    return under_noise;
  }
  return kind == SubjectKind::rigid_body ? of_bodies : of_vector_spaces;
}

/// Returns a control that must pass: the test of `row` on the first of the honest methods that declares the same
/// answer, where that is yes or no, and is confirmed; nothing if there is no such method. Each is run once.
std::optional<Control> passing_control(SubjectKind kind, const BatteryRow& row, bool quick) {
  const bool is_answer = row.declared == "yes" || row.declared == "no";
  static std::map<std::tuple<SubjectKind, std::string, std::string>, std::optional<Control>> kept;
  // Methods for separable Hamiltonians have the honest methods of vector spaces.
  const auto key = std::tuple(kind == SubjectKind::separable ? SubjectKind::vector_space : kind, row.test,
                              is_answer ? row.declared : "");
  if (const auto found = kept.find(key); found != kept.end()) return found->second;
  std::optional<Control>& control = kept[key];
  for (const ControlMethod& method : honest_methods(kind)) {
    try {
      const BatteryResult result = run_tests(*method.subject, {.quick = quick, .only = {row.test}});
      const auto same = std::find_if(result.rows.begin(), result.rows.end(),
                                     [&](const BatteryRow& other) { return other.test == row.test; });
      const Verdict verdict = same->claim.verdict;
      if (verdict != Verdict::confirmed && verdict != Verdict::confirmed_with_limits) continue;
      if (is_answer && same->declared != row.declared) continue;
      control = {.name = method.name + ", which declares " + same->declared,
                 .measured = same->claim.measured,
                 .interval = same->claim.interval,
                 .note = "in the interval of what it declares",
                 .expected = Expected::passes};
      break;
    } catch (const InvalidParameter&) {
      // This method has no such row.
    }
  }
  return control;
}

}  // namespace

BatteryResult run_battery(const Subject& subject, const BatteryOptions& options) {
  BatteryResult result = run_tests(subject, options);
  for (BatteryRow& row : result.rows) {
    Claim& claim = row.claim;
    if (claim.verdict != Verdict::undecided || !std::isfinite(claim.measured)) continue;
    // The number is outside the interval: this is a refusal, provided the test has also been seen to accept.
    if (auto control = passing_control(subject.kind(), row, options.quick)) claim.controls.push_back(*control);
    if (claim.note.empty()) claim.note = "outside the interval";
    claim.verdict = Verdict::refuted;  // replaces a proposal, which would stand
    claim.verdict = decide(claim);
  }
  return result;
}

}  // namespace livi

// SPDX-License-Identifier: MIT
//
// Experiment: what Langevin dynamics by GLA samples (TO14 4.3): rigid and restrained molecules against closed forms,
// and symplectic and other steps between the baths where motion is not harmonic
//
// A trimer in the plane: three particles, two bonds of length 1, a bending potential kappa d_1 . d_2 (d_i the bonds,
// from the middle particle). With bonds that are springs, V = omega^2 (|d_i|^2 - 1)^2/2, the canonical density of the
// angle alpha between them is, s_i = |d_i|^2,
//   p_omega(alpha) ~ integral of exp(-beta (omega^2 ((s_1 - 1)^2 + (s_2 - 1)^2)/2 + kappa sqrt(s_1 s_2) cos alpha))
//                    ds_1 ds_2 -> exp(-beta kappa cos alpha) as omega -> infinity:
// no mass in it. With rigid bonds the momenta are tangent, and integrating them out of (29) leaves
//   p(alpha) ~ sqrt(det H) exp(-beta kappa cos alpha),   H = G M^-1 G^T,
//   det H ~ (1/m_1 + 1/m_2)(1/m_2 + 1/m_3) - cos^2 alpha/m_2^2   (m_2 the middle one).
// Fixman's potential ln(det H)/(2 beta), added to the rigid trimer, takes the factor away.
//
// The velocities of the rigid trimer have 4 freedoms: beta v.M v is 4 on average. Where noise is not projected and the
// kinetic energy is read between the bath and the step, two more are partly warm: by 1 - c^2 = 1 - exp(-2 h gamma/m) of
// a bath for two more coordinates. Afterwards SHAKE and RATTLE take away what is normal
// (TO14.s4.3.multipliers-project); with different rates of friction that is the projection in the metric of M, which
// makes it too cold (TO14.s4.3.constrained-bath).
//
// Stiff springs heat what is soft. A vibration of frequency w under Verlet, theta = (h w)^2, turns by the frequency
// w' = (2/h) arcsin(h w/2), and the energy that is kept when it meets other motion is action times w': by its kinetic
// energy (twice its mean, which the bath holds at kT) that is
//   phi kT,   phi = (w'/w)/sqrt(1 - theta/4) = 1 + theta/6 + ...
// Soft motion that exchanges energy with it faster than with the bath has the temperature of this, up to phi T: an
// error of order (h w)^2 with the stiff w, not of h^2.
//
// One file, though long: the trimer, its runs and its closed forms serve these claims alone.
#include <algorithm>
#include <array>
#include <cmath>
#include <livi/integrators/rattle.hpp>
#include <livi/integrators/runge_kutta.hpp>
#include <livi/integrators/shake.hpp>
#include <livi/integrators/simplified_zhang_skeel.hpp>
#include <livi/integrators/velocity_verlet.hpp>
#include <livi/integrators/zhang_skeel.hpp>
#include <livi/linalg/vectorised_normal_numbers.hpp>
#include <livi/stochastic/geometric_langevin.hpp>
#include <numbers>

#include "study/program/controls.hpp"
#include "study/program/estimates.hpp"
#include "study/program/experiment.hpp"
#include "study/program/parallel.hpp"
#include "study/statistics/over_runs.hpp"

namespace {

using namespace livi;
using std::numbers::pi;

// --- statistics over seeds ------------------------------------------------------------------------------------------

/// How far a mean is from what is expected, in its standard error.
double deviations(const Estimate& found, double expected) { return (found.mean - expected) / found.error; }
/// A sampled number may move by its sampling error from one processor to another: six standard errors.
void measure(Report& report, const std::string& name, const Estimate& estimate) {
  report.measurement({.name = name, .value = estimate.mean, .tolerance = {.absolute = 6 * estimate.error}});
}
/// A number in closed form: but for rounding the same everywhere.
void put_exact(Report& report, const std::string& name, double value, double rounding = 1e-12) {
  report.measurement({.name = name, .value = value, .tolerance = {.absolute = rounding}});
}

// --- the trimer -----------------------------------------------------------------------------------------------------

constexpr double outer_mass = 4, middle_mass = 1, bending = 0.5, inverse_temperature = 1, friction = 1;
constexpr double own = 1 / outer_mass + 1 / middle_mass;  ///< diagonal of H, but for a factor
constexpr std::size_t bins = 36;

using Q = Vector<double, 6>;  ///< outer particle, middle, outer
struct Bonds {
  Eigen::Vector2d first, second;
  explicit Bonds(const Q& q) : first(q.segment<2>(0) - q.segment<2>(2)), second(q.segment<2>(4) - q.segment<2>(2)) {}
  [[nodiscard]] double cosine() const {
    return first.dot(second) / std::sqrt(first.squaredNorm() * second.squaredNorm());
  }
};
/// out += the gradient with the slopes `first` and `second` along the bonds.
void add_slopes(const Eigen::Vector2d& first, const Eigen::Vector2d& second, Q& out) {
  out.segment<2>(0) += first;
  out.segment<2>(2) -= first + second;
  out.segment<2>(4) += second;
}

/// kappa d_1 . d_2, and if asked for Fixman's potential and the springs.
struct TrimerPotential {
  using scalar_type = double;
  using vector_type = Q;
  static constexpr int dimension = 6;
  bool fixman = false;
  double stiffness = 0;  ///< omega^2

  [[nodiscard]] double value(const Q& q) const {
    const Bonds d(q);
    const double s = d.first.squaredNorm(), t = d.second.squaredNorm(), c = d.first.dot(d.second);
    return bending * c + (fixman ? std::log(determinant(s, t, c)) / (2 * inverse_temperature) : 0) +
           stiffness / 2 * ((s - 1) * (s - 1) + (t - 1) * (t - 1));
  }
  void gradient(const Q& q, Q& out) const {
    const Bonds d(q);
    const double s = d.first.squaredNorm(), t = d.second.squaredNorm(), c = d.first.dot(d.second);
    double along_s = stiffness * (s - 1), along_t = stiffness * (t - 1), along_c = bending;
    if (fixman) {
      const double factor = 1 / (2 * inverse_temperature * determinant(s, t, c));
      along_s += factor * own * own * t;
      along_t += factor * own * own * s;
      along_c -= factor * 2 * c / (middle_mass * middle_mass);
    }
    out.setZero();
    add_slopes(2 * along_s * d.first + along_c * d.second, 2 * along_t * d.second + along_c * d.first, out);
  }

 private:
  static double determinant(double s, double t, double c) {
    return own * own * s * t - c * c / (middle_mass * middle_mass);
  }
};

struct RigidBonds {
  using scalar_type = double;
  using vector_type = Q;
  using multiplier_type = Vector<double, 2>;
  using jacobian_type = Matrix<double, 2, 6>;
  void value(const Q& q, multiplier_type& g) const {
    const Bonds d(q);
    g << d.first.squaredNorm() - 1, d.second.squaredNorm() - 1;
  }
  void jacobian(const Q& q, jacobian_type& jacobian) const {
    const Bonds d(q);
    jacobian.setZero();
    jacobian.block<1, 2>(0, 0) = 2 * d.first.transpose();
    jacobian.block<1, 2>(0, 2) = -2 * d.first.transpose();
    jacobian.block<1, 2>(1, 4) = 2 * d.second.transpose();
    jacobian.block<1, 2>(1, 2) = -2 * d.second.transpose();
  }
};

using TrimerMass = DiagonalMass<double, 6>;
TrimerMass trimer_mass() {
  Q m;
  m << outer_mass, outer_mass, middle_mass, middle_mass, outer_mass, outer_mass;
  return TrimerMass(m);
}
using RigidTrimer = ConstrainedSystem<TrimerMass, TrimerPotential, RigidBonds>;
using SpringTrimer = MechanicalSystem<TrimerMass, TrimerPotential>;

struct AngleRun {
  double temperature = 0;  ///< beta v.M v
  double part = 0;         ///< part of it, as the run reads it: before the projection, or along the bonds
  double cosine = 0, cosine_of_twice = 0;
  std::array<double, bins> histogram{};  ///< density of alpha in [0, pi]
};

/// Twice the kinetic energy.
template <class System>
double twice_kinetic_energy(const System& system, const Q& v) {
  double kinetic = 0;
  for (int i = 0; i < 6; ++i) kinetic += system.mass().diagonal(i) * v(i) * v(i);
  return kinetic;
}
/// Sums along a run of `steps` steps after a tenth of them; `step()` makes one and returns its `part`.
template <class System, class Step>
AngleRun angles(const System& system, const Step& step, const auto& state, long steps) {
  AngleRun run;
  const double weight = 1 / static_cast<double>(steps), width = pi / static_cast<double>(bins);
  for (long k = -steps / 10; k < steps; ++k) {
    const double part = step();
    if (k < 0) continue;
    const double c = std::clamp(Bonds(state.q).cosine(), -1.0, 1.0);
    run.temperature += weight * inverse_temperature * twice_kinetic_energy(system, state.v);
    run.part += weight * inverse_temperature * part;
    run.cosine += weight * c;
    run.cosine_of_twice += weight * (2 * c * c - 1);
    const auto bin = std::min(bins - 1, static_cast<std::size_t>(std::acos(c) / width));
    run.histogram[bin] += weight / width;
  }
  return run;
}

Q trimer_start() {
  Q q;
  q << 1, 0, 0, 0, 0, 1;
  return q;
}
void require(const StepOutcome& outcome) {
  if (!outcome.ok()) throw std::runtime_error("a step fails: " + outcome.describe());
}

/// GLA with a method; part_of(state) is the `part` of a run.
template <class Method, class PartOf>
AngleRun langevin_run(const Method& method, double gamma, double h, long steps, const VectorisedNormalNumbers& noise,
                      const PartOf& part_of) {
  GeometricLangevin<Method, VectorisedNormalNumbers> langevin(method, {gamma, inverse_temperature}, noise);
  auto z = langevin.start(trimer_start(), Q::Zero());
  return angles(
      langevin.system(), [&] { return require(langevin.step(z, h)), part_of(z); }, z, steps);
}
template <class Method>
AngleRun langevin_run(const Method& method, double gamma, double h, long steps, const VectorisedNormalNumbers& noise) {
  return langevin_run(method, gamma, h, steps, noise, [](const auto&) { return 0.0; });
}

/// v.M v of the velocities along the two bonds: r.A^-1 r, r = G v, A = G M^-1 G^T.
double along_bonds(const SpringTrimer& system, const Q& q, const Q& v) {
  Matrix<double, 2, 6> g;
  RigidBonds{}.jacobian(q, g);
  double a[2][2] = {};
  const Eigen::Vector2d r = g * v;
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2; ++j)
      for (int k = 0; k < 6; ++k) a[i][j] += g(i, k) * g(j, k) / system.mass().diagonal(k);
  return (a[1][1] * r(0) * r(0) - 2 * a[0][1] * r(0) * r(1) + a[0][0] * r(1) * r(1)) /
         (a[0][0] * a[1][1] - a[0][1] * a[1][0]);
}
/// Springs by Verlet with GLA; `part` is the kinetic energy along the bonds.
AngleRun springs_run(double omega, double gamma, double h, long steps, const VectorisedNormalNumbers& noise) {
  const SpringTrimer system(trimer_mass(), {.stiffness = omega * omega});
  return langevin_run(VelocityVerlet<SpringTrimer>(system), gamma, h, steps, noise,
                      [&](const auto& z) { return along_bonds(system, z.q, z.v); });
}

/// The control: the bath without constraints around RATTLE, nothing projected. The temperature is read after the step
/// (when RATTLE has projected), its `part` after the bath.
AngleRun unprojected_run(const RigidTrimer& system, double gamma, double h, long steps,
                         const VectorisedNormalNumbers& noise) {
  const SpringTrimer free(system.mass(), system.potential());
  OrnsteinUhlenbeck<SpringTrimer> flow(free, {gamma, inverse_temperature});
  Rattle<RigidTrimer> method(system);
  auto z = method.start(trimer_start(), Q::Zero());
  Q xi;
  WorkCounters work;
  std::uint64_t index = 0;
  return angles(
      system,
      [&] {
        noise(index++, 0, xi.data(), 6);
        require(flow(z.q, z.v, xi, h, work));
        const double kinetic = twice_kinetic_energy(system, z.v);
        require(method.step(z, h));
        return kinetic;
      },
      z, steps);
}
// --- densities in closed form ---------------------------------------------------------------------------------------

enum class Molecule { rigid, flexible };

/// Midpoint rules: spectrally accurate for smooth periodic functions of alpha, and for bells that vanish at both ends.
struct AngleMoments {
  double cosine, cosine_of_twice;
};
template <class Density>
AngleMoments moments(const Density& density) {
  constexpr int points = 400;
  double norm = 0, first = 0, second = 0;
  for (int k = 0; k < points; ++k) {
    const double alpha = pi * (k + 0.5) / points, p = density(alpha);
    norm += p;
    first += p * std::cos(alpha);
    second += p * std::cos(2 * alpha);
  }
  return {first / norm, second / norm};
}
double limit_density(Molecule molecule, double alpha) {
  const double c = std::cos(alpha), boltzmann = std::exp(-inverse_temperature * bending * c);
  return molecule == Molecule::flexible ? boltzmann
                                        : boltzmann * std::sqrt(own * own - c * c / (middle_mass * middle_mass));
}
AngleMoments limit_moments(Molecule molecule) {
  return moments([molecule](double alpha) { return limit_density(molecule, alpha); });
}
double spring_density(double omega, double alpha) {
  // The bell in s ends at 0, or ten standard deviations 1/(omega sqrt(beta)) away from 1.
  constexpr int points = 120;
  const double reach = 10 / (omega * std::sqrt(inverse_temperature)), low = std::max(0.0, 1 - reach), high = 1 + reach;
  double sum = 0;
  for (int i = 0; i < points; ++i)
    for (int j = 0; j < points; ++j) {
      const double s = low + (high - low) * (i + 0.5) / points, t = low + (high - low) * (j + 0.5) / points;
      sum += std::exp(-inverse_temperature * (omega * omega / 2 * ((s - 1) * (s - 1) + (t - 1) * (t - 1)) +
                                              bending * std::sqrt(s * t) * std::cos(alpha)));
    }
  return sum * (high - low) * (high - low);
}
AngleMoments spring_moments(double omega) {
  return moments([omega](double alpha) { return spring_density(omega, alpha); });
}

// --- where motion is not harmonic -----------------------------------------------------------------------------------

/// V = (q_1^2 + 2 q_2^2)/2 + (cos(q_1 + q_2) + cos(q_1 - 2 q_2))/2: bounded second derivatives, and Hessians at
/// different points that do not commute, so Z&Ss is not symplectic.
struct Ripples {
  using scalar_type = double;
  using vector_type = Vector<double, 2>;
  using hessian_type = DenseHessian<double, 2>;
  static constexpr int dimension = 2;
  [[nodiscard]] double value(const vector_type& q) const {
    return (q(0) * q(0) + 2 * q(1) * q(1) + std::cos(q(0) + q(1)) + std::cos(q(0) - 2 * q(1))) / 2;
  }
  void gradient(const vector_type& q, vector_type& out) const {
    const double s = std::sin(q(0) + q(1)) / 2, t = std::sin(q(0) - 2 * q(1)) / 2;
    out(0) = q(0) - s - t;
    out(1) = 2 * q(1) - s + 2 * t;
  }
  void hessian(const vector_type& q, hessian_type& h) const {
    const double s = std::cos(q(0) + q(1)) / 2, t = std::cos(q(0) - 2 * q(1)) / 2;
    h.matrix(0, 0) = 1 - s - t;
    h.matrix(0, 1) = h.matrix(1, 0) = -s + 2 * t;
    h.matrix(1, 1) = 2 - s - 4 * t;
  }
  void third(const vector_type& q, const vector_type& a, vector_type& out) const {
    const double u = a(0) + a(1), w = a(0) - 2 * a(1);
    const double s = std::sin(q(0) + q(1)) / 2 * u * u, t = std::sin(q(0) - 2 * q(1)) / 2 * w * w;
    out(0) = s + t;
    out(1) = s - 2 * t;
  }
};
/// Cold enough that Z&S, whose force grows with the square of the distance here, follows the ripples at all h below.
constexpr double ripple_beta = 4;
using Rippled = MechanicalSystem<DiagonalMass<double, 2>, Ripples>;

struct MomentRun {
  double temperature = 0, square = 0;  ///< beta v.M v/2, |q|^2
};
template <class Method>
MomentRun moments_of(const Rippled& system, const Method& method, double gamma, double h, double time,
                     const VectorisedNormalNumbers& noise) {
  GeometricLangevin<Method, VectorisedNormalNumbers> langevin(method, Bath<double>{gamma, ripple_beta}, noise);
  auto z = langevin.start({0.1, 0.2}, {1, -1});
  const long steps = std::lround(time / h), before = std::lround(10 / gamma / h);
  MomentRun run;
  for (long k = -before; k < steps; ++k) {
    require(langevin.step(z, h));
    if (k < 0) continue;
    run.temperature +=
        ripple_beta * (system.mass().diagonal(0) * z.v(0) * z.v(0) + system.mass().diagonal(1) * z.v(1) * z.v(1)) / 2;
    run.square += z.q.squaredNorm();
  }
  run.temperature /= static_cast<double>(steps);
  run.square /= static_cast<double>(steps);
  return run;
}
/// <|q|^2> of exp(-beta V) by the trapezoidal rule.
double exact_square() {
  const Ripples v;
  double norm = 0, sum = 0;
  for (double x = -9; x <= 9; x += 0.05)
    for (double y = -9; y <= 9; y += 0.05) {
      const double weight = std::exp(-ripple_beta * v.value({x, y}));
      norm += weight;
      sum += weight * (x * x + y * y);
    }
  return sum / norm;
}

// --- ensembles ------------------------------------------------------------------------------------------------------

using Angles = std::vector<AngleRun>;  ///< over seeds
/// A strong friction, where what is not projected shows: c of the middle particle is exp(-0.4).
constexpr double strong = 10, rigid_step = 0.04;
const std::vector<double> stiff{4, 8, 16};
struct Hot {
  double omega, gamma;
};
constexpr std::array<Hot, 3> hot{{{8, friction}, {16, friction}, {8, strong}}};

/// Ensembles over the seeds. Each has a stream of its own: where two are compared, their errors are added as
/// independent.
class Streams {
 public:
  Streams(std::size_t seeds, unsigned threads) : seeds_(seeds), threads_(threads) {}
  template <class Run>
  auto operator()(const Run& run) {
    const std::uint64_t stream = next_++;
    return for_each_case(seeds_, threads_, [&](std::size_t i) { return run(VectorisedNormalNumbers(i + 1, stream)); });
  }

 private:
  std::size_t seeds_;
  unsigned threads_;
  std::uint64_t next_ = 0;
};

/// The runs of the trimer, and the moments in closed form that belong to them.
struct Trimers {
  Angles rigid, fixman, projected, unprojected;  ///< the last two with strong friction
  std::vector<Angles> springs, hot;              ///< by the frequencies `stiff`; by `hot`
  AngleMoments exact_rigid = limit_moments(Molecule::rigid), exact_flexible = limit_moments(Molecule::flexible);
  std::vector<AngleMoments> exact_springs;
};
Trimers trimers(Streams& ensemble, long steps) {
  Trimers all;
  say_progress("rigid trimer");
  const RigidTrimer rigid(trimer_mass(), {}, {}), corrected(trimer_mass(), {.fixman = true}, {});
  const auto of_rigid = [&](const auto& method, double gamma) {
    return ensemble(
        [&](const VectorisedNormalNumbers& noise) { return langevin_run(method, gamma, rigid_step, steps, noise); });
  };
  all.rigid = of_rigid(Shake<RigidTrimer>(rigid), friction);
  all.fixman = of_rigid(Shake<RigidTrimer>(corrected), friction);
  all.projected = of_rigid(Rattle<RigidTrimer>(rigid), strong);
  all.unprojected = ensemble(
      [&](const VectorisedNormalNumbers& noise) { return unprojected_run(rigid, strong, rigid_step, steps, noise); });

  say_progress("restrained trimer");
  const auto of_springs = [&](double omega, double gamma, double h_omega) {
    return ensemble([&](const VectorisedNormalNumbers& noise) {
      return springs_run(omega, gamma, h_omega / omega, 3 * steps, noise);
    });
  };
  // h omega = 0.08: fine enough that what springs heat is not seen; 0.4 shows it.
  for (const double omega : stiff) all.springs.push_back(of_springs(omega, friction, 0.08));
  for (const Hot& one : hot) all.hot.push_back(of_springs(one.omega, one.gamma, 0.4));
  for (const double omega : stiff) all.exact_springs.push_back(spring_moments(omega));
  return all;
}

/// Ensembles of the ripples by one method.
struct RippleCase {
  std::string name;
  double gamma, h;
  Estimate temperature, square;
};
using RippleCases = std::vector<RippleCase>;
constexpr double strong_bath = 0.5, weak_bath = 0.02;
constexpr std::size_t ripple_methods = 4;
/// By step, friction and method, which changes from one to the next.
RippleCases ripple_cases(Streams& ensemble, double time) {
  const Rippled ripples(DiagonalMass<double, 2>(Vector<double, 2>(1, 1)), {});
  RippleCases cases;
  for (const double step : {0.2, 0.4, 0.6})
    for (const double gamma : {weak_bath, strong_bath}) {
      const auto add = [&](const char* name, const auto& method) {
        const auto runs = ensemble([&](const VectorisedNormalNumbers& noise) {
          return moments_of(ripples, method, gamma, step, gamma == strong_bath ? time / 4 : time, noise);
        });
        cases.push_back(
            {name, gamma, step, mean_over(runs, &MomentRun::temperature), mean_over(runs, &MomentRun::square)});
      };
      add("verlet", VelocityVerlet<Rippled>(ripples));
      add("zs", ZhangSkeel<Rippled>(ripples, {0.3}));
      add("zss", SimplifiedZhangSkeel<Rippled>(ripples, {0.3}));
      add("rk4", RungeKutta4<Rippled>(ripples));
    }
  return cases;
}

// --- measurements and series ----------------------------------------------------------------------------------------

/// Histograms beside densities.
void put_angles(Report& report, const Trimers& all) {
  std::vector<std::vector<double>> rows;
  double rigid_norm = 0, flexible_norm = 0;
  for (int k = 0; k < 400; ++k) {
    rigid_norm += limit_density(Molecule::rigid, pi * (k + 0.5) / 400) * pi / 400;
    flexible_norm += limit_density(Molecule::flexible, pi * (k + 0.5) / 400) * pi / 400;
  }
  for (std::size_t b = 0; b < bins; ++b) {
    const double alpha = pi * (static_cast<double>(b) + 0.5) / static_cast<double>(bins);
    std::vector<double> row{alpha * 180 / pi, limit_density(Molecule::rigid, alpha) / rigid_norm,
                            limit_density(Molecule::flexible, alpha) / flexible_norm};
    for (const Angles* runs : {&all.rigid, &all.fixman, &all.springs.back()})
      append(row, mean_over(*runs, [&](const AngleRun& r) { return r.histogram[b]; }));
    rows.push_back(std::move(row));
  }
  report.series("angles",
                with_errors({{"alpha", "degree"}, {"exact_rigid", "1"}, {"exact_flexible", "1"}},
                            {"rigid", "fixman", "springs"}, "1"),
                rows);
}

void put_trimers(Report& report, const Trimers& all) {
  const auto put = [&](const std::string& name, const Angles& runs) {
    measure(report, name + ".beta_v_M_v", mean_over(runs, &AngleRun::temperature));
    measure(report, name + ".mean_cos", mean_over(runs, &AngleRun::cosine));
    measure(report, name + ".mean_cos_2", mean_over(runs, &AngleRun::cosine_of_twice));
  };
  put("rigid", all.rigid);
  put("fixman", all.fixman);
  measure(report, "gamma_10.beta_v_M_v.projected", mean_over(all.projected, &AngleRun::temperature));
  measure(report, "gamma_10.beta_v_M_v.unprojected.after_the_step", mean_over(all.unprojected, &AngleRun::temperature));
  measure(report, "gamma_10.beta_v_M_v.unprojected.after_the_bath", mean_over(all.unprojected, &AngleRun::part));
  for (std::size_t i = 0; i < stiff.size(); ++i) {
    put(text("springs.omega_%g", stiff[i]), all.springs[i]);
    put_exact(report, text("exact.springs.omega_%g.mean_cos", stiff[i]), all.exact_springs[i].cosine, 1e-10);
  }
  put_exact(report, "exact.rigid.mean_cos", all.exact_rigid.cosine);
  put_exact(report, "exact.rigid.mean_cos_2", all.exact_rigid.cosine_of_twice);
  put_exact(report, "exact.flexible.mean_cos", all.exact_flexible.cosine);
  put_exact(report, "exact.flexible.mean_cos_2", all.exact_flexible.cosine_of_twice);
}

void put_ripples(Report& report, const RippleCases& cases) {
  report.measurement({.name = "exact.ripples.square", .value = exact_square(), .tolerance = {.relative = 1e-10}});
  std::vector<std::vector<double>> rows;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const RippleCase& one = cases[i];
    const std::string prefix = "ripples." + one.name + text(".gamma_%g", one.gamma) + text(".h_%g", one.h);
    measure(report, prefix + ".temperature", one.temperature);
    measure(report, prefix + ".square", one.square);
    if (i % ripple_methods == 0) rows.push_back({one.h, one.gamma});
    append(rows.back(), one.temperature);
  }
  report.series("ripples", with_errors({{"h", ""}, {"gamma", ""}}, {"verlet", "zs", "zss", "rk4"}, ""), rows);
}

// --- claims ---------------------------------------------------------------------------------------------------------

void claim_constrained(Report& report, const Trimers& all) {
  // How large the deviations are: of temperatures relative to the exact one, of cosines as they are.
  const Interval hundredth{0, 0.01};
  const auto off_temperature = [](const Estimate& found) { return std::abs(found.mean / 4 - 1); };
  double size = 0, worst = 0;
  for (const Angles* runs : {&all.rigid, &all.fixman, &all.projected}) {
    const Estimate temperature = mean_over(*runs, &AngleRun::temperature);
    size = std::max(size, off_temperature(temperature));
    worst = std::max(worst, std::abs(deviations(temperature, 4)));
  }
  const Estimate twice = mean_over(all.rigid, &AngleRun::cosine_of_twice);
  for (const auto& [found, exact] :
       {std::pair{mean_over(all.rigid, &AngleRun::cosine), all.exact_rigid.cosine},
        {twice, all.exact_rigid.cosine_of_twice},
        {mean_over(all.fixman, &AngleRun::cosine), all.exact_flexible.cosine},
        {mean_over(all.fixman, &AngleRun::cosine_of_twice), all.exact_flexible.cosine_of_twice}}) {
    size = std::max(size, std::abs(found.mean - exact));
    worst = std::max(worst, std::abs(deviations(found, exact)));
  }
  const double resolved = largest_deviation(7, 32);
  report.claim(
      {.id = "TO14.s4.3.shake-gla-constrained-bg",
       .measured = size,
       .interval = hundredth,
       .controls = {failing("noise not projected, gamma = 10: temperature after the bath",
                            off_temperature(mean_over(all.unprojected, &AngleRun::part)), hundredth),
                    {.name = "noise not projected, gamma = 10: temperature after the step",
                     .measured = off_temperature(mean_over(all.unprojected, &AngleRun::temperature)),
                     .interval = hundredth,
                     .note = "too cold: the multipliers project in the metric of M"},
                    failing("against the density of springs", std::abs(twice.mean - all.exact_flexible.cosine_of_twice),
                            hundredth)},
       .note = text("The largest of seven deviations in its standard errors is %.1f; beyond %.1f one would be "
                    "resolved: %s. ",
                    worst, resolved, worst > resolved ? "resolved" : "not resolved") +
               "The friction of (27) has different rates for different masses, for which the projection must be "
               "that of TO14.s4.3.constrained-bath. The measure is that of (29): its angles have the factor "
               "sqrt(det G M^-1 G^T), which springs do not have."});
}

/// The difference of <cos 2 alpha> between springs and rods, in units of its exact value.
void claim_restraint_differs(Report& report, const Trimers& all) {
  const double difference = all.exact_flexible.cosine_of_twice - all.exact_rigid.cosine_of_twice;
  const Estimate rods = mean_over(all.rigid, &AngleRun::cosine_of_twice),
                 springs = mean_over(all.springs.back(), &AngleRun::cosine_of_twice);
  const auto from_springs = [&](const Estimate& other) { return (springs.mean - other.mean) / difference; };
  const double error = std::hypot(springs.error, rods.error) / std::abs(difference),
               shift = (all.exact_springs.back().cosine_of_twice - all.exact_flexible.cosine_of_twice) / difference;
  put_exact(report, "restraint.difference_of_mean_cos_2.exact", difference);
  report.claim({.id = "TO14.s4.3.restraint-differs",
                .measured = from_springs(rods),
                .interval = Interval::around(1 + shift, 4 * error),
                .controls = {{.name = "springs against rods with Fixman's potential",
                              .measured = from_springs(mean_over(all.fixman, &AngleRun::cosine_of_twice)),
                              .interval = Interval::around(1 + shift, 4 * error),
                              .note = "springs and rods with Fixman's potential differ by nothing within the error"}}});
}

void claim_restraint_limit(Report& report, const Trimers& all) {
  double worst = 0;
  for (std::size_t i = 0; i < stiff.size(); ++i) {
    const AngleMoments& exact = all.exact_springs[i];
    worst =
        std::max({worst, std::abs(deviations(mean_over(all.springs[i], &AngleRun::cosine), exact.cosine)),
                  std::abs(deviations(mean_over(all.springs[i], &AngleRun::cosine_of_twice), exact.cosine_of_twice))});
  }
  report.measurement(
      {.name = "springs.worst_deviation_in_standard_errors", .value = worst, .tolerance = {.absolute = 4}});
}

void claim_stiff_heats(Report& report, const Trimers& all) {
  std::array<double, 3> off{};  // of <cos alpha> from the closed form, in standard errors
  for (std::size_t i = 0; i < hot.size(); ++i) {
    const Angles& runs = all.hot[i];
    const Estimate found = mean_over(runs, &AngleRun::cosine);
    const std::string prefix = text("springs.h_omega_0.4.omega_%g", hot[i].omega) + text(".gamma_%g", hot[i].gamma);
    measure(report, prefix + ".mean_cos", found);
    measure(report, prefix + ".temperature_of_4_soft_freedoms",
            mean_over(runs, [](const AngleRun& r) { return (r.temperature - r.part) / 4; }));
    measure(report, prefix + ".temperature_along_bonds", mean_over(runs, [](const AngleRun& r) { return r.part / 2; }));
    off[i] = std::abs(deviations(found, spring_moments(hot[i].omega).cosine));
  }
  const Interval within{0, 4};
  report.claim(
      {.id = "TO14.s4.3.gla-stiff-heats",
       .measured = off[2],
       .interval = within,
       .controls = {failing("gamma = 1, omega = 8, h = 0.05", off[0], within),
                    failing("gamma = 1, omega = 16, h = 0.025", off[1], within)},
       .note = "Found when springs at h omega = 0.16 missed their density by 3 percent in a run of eight times the "
               "length. The bath holds the kinetic energy of the springs at kT; what they share is their modified "
               "energy phi kT, phi = 1 + theta/6, theta from 0.2 to 1.4 here: <cos alpha> is 12 to 16 percent too "
               "small for both steps. The total kinetic energy is off by one percent only."});
}

void claim_anharmonic(Report& report, const RippleCases& cases) {
  // The largest difference of the temperatures at the two frictions, over h.
  const auto dependence = [&](const std::string& name) {
    double worst = 0;
    for (const RippleCase& weak : cases)
      for (const RippleCase& other : cases)
        if (weak.name == name && other.name == name && weak.h == other.h && weak.gamma < other.gamma)
          worst = std::max(worst, std::abs(weak.temperature.mean - other.temperature.mean));
    return worst;
  };
  // phi - 1 of the head, for the stiffer mean frequency w^2 = 2 and the largest step.
  const double root = 0.6 * std::sqrt(2.0), phi = 2 / root * std::asin(root / 2) / std::sqrt(1 - root * root / 4);
  const Interval shared{0, phi - 1};
  report.claim({.id = "TO14.s4.3.gla-anharmonic",
                .measured = std::max({dependence("verlet"), dependence("zs"), dependence("zss")}),
                .interval = shared,
                .controls = {failing("RK4", dependence("rk4"), shared)},
                .note = "RK4 loses a part of h^5/gamma, without bound."});
}

void sample_all(Report& report, bool quick, unsigned threads) {
  const std::size_t seeds = quick ? 4 : 32;
  const long steps = quick ? 2000 : 60000;
  report.parameter("seeds", seeds);
  report.parameter("steps", steps);
  report.parameter("inverse_temperature", inverse_temperature);
  report.parameter("gamma", friction);
  report.parameter("outer_mass", outer_mass);
  report.parameter("middle_mass", middle_mass);
  report.parameter("bending", bending);
  report.parameter("h.rigid", rigid_step);

  Streams ensemble(seeds, threads);
  const Trimers of_trimer = trimers(ensemble, steps);
  put_angles(report, of_trimer);
  put_trimers(report, of_trimer);
  say_progress("ripples");
  const RippleCases ripples = ripple_cases(ensemble, quick ? 500 : 6000);
  put_ripples(report, ripples);
  if (quick) {
    say_progress("quick: no claims are decided");
    return;
  }
  claim_constrained(report, of_trimer);
  claim_restraint_differs(report, of_trimer);
  claim_restraint_limit(report, of_trimer);
  claim_stiff_heats(report, of_trimer);
  claim_anharmonic(report, ripples);
}

}  // namespace

int main(int argc, char** argv) {
  unsigned threads = processors();
  return run_experiment(
      argc, argv, "langevin_sampling", {"TO14", "Langevin dynamics", "4.3"},
      "What GLA samples: rigid and restrained trimers against closed forms, symplectic and other steps",
      {.threads = &threads},
      [&](Report& report, const ExperimentOptions& options) { sample_all(report, options.quick, threads); });
}

// SPDX-License-Identifier: MIT
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
#include <algorithm>
#include <array>
#include <cmath>
#include <livi/integrators/geometric_langevin.hpp>
#include <livi/integrators/rattle.hpp>
#include <livi/integrators/runge_kutta.hpp>
#include <livi/integrators/shake.hpp>
#include <livi/integrators/simplified_zhang_skeel.hpp>
#include <livi/integrators/velocity_verlet.hpp>
#include <livi/integrators/zhang_skeel.hpp>
#include <livi/linalg/vectorised_normal_numbers.hpp>
#include <numbers>

#include "study/program/experiment.hpp"
#include "study/program/parallel.hpp"
#include "study/statistics/estimate.hpp"

namespace {

using namespace livi;
using std::numbers::pi;

// -------------------------------------------------------------------------------------------------------------------
// statistics over seeds

struct Mean {
  double value = 0, error = 0;  ///< with its standard error
  [[nodiscard]] double deviations(double expected) const { return (value - expected) / error; }
};
/// The mean of one number per seed, and from their spread its standard error.
template <class Runs, class Read>
Mean mean_over(const Runs& runs, const Read& read) {
  const auto n = static_cast<double>(runs.size());
  double sum = 0, squares = 0;
  for (const auto& run : runs) sum += read(run);
  for (const auto& run : runs) squares += (read(run) - sum / n) * (read(run) - sum / n);
  return {sum / n, std::sqrt(squares / (n - 1) / n)};
}
/// A sampled number may move by its sampling error from one processor to another: six standard errors.
void measure(Report& report, const std::string& name, const Mean& mean) {
  report.measurement({.name = name, .value = mean.value, .tolerance = {.absolute = 6 * mean.error}});
}

// -------------------------------------------------------------------------------------------------------------------
// the trimer

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
constexpr double (*read_temperature)(const AngleRun&) = [](const AngleRun& r) { return r.temperature; };
constexpr double (*read_cosine)(const AngleRun&) = [](const AngleRun& r) { return r.cosine; };
constexpr double (*read_twice)(const AngleRun&) = [](const AngleRun& r) { return r.cosine_of_twice; };

/// Sums along a run of `steps` steps after a tenth of them.
template <class System, class Step>
AngleRun angles(const System& system, const Step& step, const auto& state, long steps) {
  AngleRun run;
  const double weight = 1 / static_cast<double>(steps), width = pi / static_cast<double>(bins);
  for (long k = -steps / 10; k < steps; ++k) {
    const double part = step();
    if (k < 0) continue;
    double kinetic = 0;
    for (int i = 0; i < 6; ++i) kinetic += system.mass().diagonal(i) * state.v(i) * state.v(i);
    const double c = std::clamp(Bonds(state.q).cosine(), -1.0, 1.0);
    run.temperature += weight * inverse_temperature * kinetic;
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

template <class Method, class System>
AngleRun langevin_run(const System& system, double h, long steps, const VectorisedNormalNumbers& noise) {
  const Bath<double> bath{friction, inverse_temperature};
  GeometricLangevin<Method, VectorisedNormalNumbers> method(Method(system), bath, noise);
  auto z = method.start(trimer_start(), Q::Zero());
  return angles(
      system, [&] { return require(method.step(z, h)), 0.0; }, z, steps);
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
  GeometricLangevin<VelocityVerlet<SpringTrimer>, VectorisedNormalNumbers> method(VelocityVerlet<SpringTrimer>(system),
                                                                                  {gamma, inverse_temperature}, noise);
  auto z = method.start(trimer_start(), Q::Zero());
  return angles(
      system, [&] { return require(method.step(z, h)), along_bonds(system, z.q, z.v); }, z, steps);
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
        double kinetic = 0;
        for (int i = 0; i < 6; ++i) kinetic += system.mass().diagonal(i) * z.v(i) * z.v(i);
        require(method.step(z, h));
        return kinetic;
      },
      z, steps);
}
/// The bath and step of unprojected_run() with the projection of the library.
AngleRun projected_run(const RigidTrimer& system, double gamma, double h, long steps,
                       const VectorisedNormalNumbers& noise) {
  GeometricLangevin<Rattle<RigidTrimer>, VectorisedNormalNumbers> method(Rattle<RigidTrimer>(system),
                                                                         {gamma, inverse_temperature}, noise);
  auto z = method.start(trimer_start(), Q::Zero());
  return angles(
      system, [&] { return require(method.step(z, h)), 0.0; }, z, steps);
}

// -------------------------------------------------------------------------------------------------------------------
// densities in closed form

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

// -------------------------------------------------------------------------------------------------------------------
// where motion is not harmonic

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

}  // namespace

int main(int argc, char** argv) {
  unsigned threads = processors();
  return run_experiment(
      argc, argv, "langevin_sampling", {"TO14", "Langevin dynamics", "4.3"},
      "What GLA samples: rigid and restrained trimers against closed forms, symplectic and other steps",
      {.threads = &threads}, [&](Report& report, const ExperimentOptions& options) {
        const std::size_t seeds = options.quick ? 4 : 32;
        const long steps = options.quick ? 2000 : 60000;
        report.parameter("seeds", seeds);
        report.parameter("steps", steps);
        report.parameter("inverse_temperature", inverse_temperature);
        report.parameter("gamma", friction);
        report.parameter("outer_mass", outer_mass);
        report.parameter("middle_mass", middle_mass);
        report.parameter("bending", bending);
        // Every ensemble has a stream of its own: where two are compared, their errors are added as independent.
        std::uint64_t streams = 0;
        const auto ensemble = [&](const auto& run) {
          const std::uint64_t stream = streams++;
          return for_each_case(seeds, threads,
                               [&](std::size_t i) { return run(VectorisedNormalNumbers(i + 1, stream)); });
        };

        say_progress("rigid trimer");
        const double h = 0.04;
        report.parameter("h.rigid", h);
        const RigidTrimer rigid(trimer_mass(), {}, {}), corrected(trimer_mass(), {.fixman = true}, {});
        const auto of_shake = ensemble([&](const VectorisedNormalNumbers& noise) {
          return langevin_run<Shake<RigidTrimer>>(rigid, h, steps, noise);
        });
        const auto of_fixman = ensemble([&](const VectorisedNormalNumbers& noise) {
          return langevin_run<Shake<RigidTrimer>>(corrected, h, steps, noise);
        });
        // A strong friction, where what is not projected shows: c of the middle particle is exp(-0.4).
        const double strong = 10;
        const auto projected = ensemble(
            [&](const VectorisedNormalNumbers& noise) { return projected_run(rigid, strong, h, steps, noise); });
        const auto unprojected = ensemble(
            [&](const VectorisedNormalNumbers& noise) { return unprojected_run(rigid, strong, h, steps, noise); });

        say_progress("restrained trimer");
        const std::vector<double> stiff{4, 8, 16};
        std::vector<std::vector<AngleRun>> of_springs;
        // h omega = 0.08: fine enough that what springs heat is not seen; 0.4 shows it.
        for (const double omega : stiff)
          of_springs.push_back(ensemble([&](const VectorisedNormalNumbers& noise) {
            return springs_run(omega, friction, 0.08 / omega, 3 * steps, noise);
          }));
        struct Hot {
          double omega, gamma;
        };
        const std::array<Hot, 3> hot{{{8, friction}, {16, friction}, {8, strong}}};
        std::vector<std::vector<AngleRun>> of_hot;
        for (std::size_t i = 0; i < hot.size(); ++i)
          of_hot.push_back(ensemble([&](const VectorisedNormalNumbers& noise) {
            return springs_run(hot[i].omega, hot[i].gamma, 0.4 / hot[i].omega, 3 * steps, noise);
          }));

        const AngleMoments of_rigid = moments([](double a) { return limit_density(Molecule::rigid, a); });
        const AngleMoments of_flexible = moments([](double a) { return limit_density(Molecule::flexible, a); });
        std::vector<AngleMoments> exact_springs;
        for (const double omega : stiff)
          exact_springs.push_back(moments([&](double a) { return spring_density(omega, a); }));

        // Histograms beside densities.
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
          for (const std::vector<AngleRun>* runs :
               std::array<const std::vector<AngleRun>*, 3>{&of_shake, &of_fixman, &of_springs.back()}) {
            const Mean height = mean_over(*runs, [&](const AngleRun& r) { return r.histogram[b]; });
            row.insert(row.end(), {height.value, height.error});
          }
          rows.push_back(std::move(row));
        }
        report.series("angles",
                      {{"alpha", "degree"},
                       {"exact_rigid", "1"},
                       {"exact_flexible", "1"},
                       {"rigid", "1"},
                       {"rigid_error", "1"},
                       {"fixman", "1"},
                       {"fixman_error", "1"},
                       {"springs", "1"},
                       {"springs_error", "1"}},
                      rows);

        const Mean temperature = mean_over(of_shake, read_temperature), cosine = mean_over(of_shake, read_cosine),
                   twice = mean_over(of_shake, read_twice), fixman_temperature = mean_over(of_fixman, read_temperature),
                   fixman_cosine = mean_over(of_fixman, read_cosine), fixman_twice = mean_over(of_fixman, read_twice);
        measure(report, "rigid.beta_v_M_v", temperature);
        measure(report, "rigid.mean_cos", cosine);
        measure(report, "rigid.mean_cos_2", twice);
        measure(report, "fixman.beta_v_M_v", fixman_temperature);
        measure(report, "fixman.mean_cos", fixman_cosine);
        measure(report, "fixman.mean_cos_2", fixman_twice);
        const Mean cold = mean_over(unprojected, read_temperature), right = mean_over(projected, read_temperature),
                   warm = mean_over(unprojected, [](const AngleRun&r) { return r.part; });
        measure(report, "gamma_10.beta_v_M_v.projected", right);
        measure(report, "gamma_10.beta_v_M_v.unprojected.after_the_step", cold);
        measure(report, "gamma_10.beta_v_M_v.unprojected.after_the_bath", warm);
        for (std::size_t i = 0; i < stiff.size(); ++i) {
          measure(report, text("springs.omega_%g.beta_v_M_v", stiff[i]), mean_over(of_springs[i], read_temperature));
          measure(report, text("springs.omega_%g.mean_cos", stiff[i]), mean_over(of_springs[i], read_cosine));
          measure(report, text("springs.omega_%g.mean_cos_2", stiff[i]), mean_over(of_springs[i], read_twice));
          report.measurement({.name = text("exact.springs.omega_%g.mean_cos", stiff[i]),
                              .value = exact_springs[i].cosine,
                              .tolerance = {.absolute = 1e-10}});
        }
        report.measurement(
            {.name = "exact.rigid.mean_cos", .value = of_rigid.cosine, .tolerance = {.absolute = 1e-12}});
        report.measurement(
            {.name = "exact.rigid.mean_cos_2", .value = of_rigid.cosine_of_twice, .tolerance = {.absolute = 1e-12}});
        report.measurement(
            {.name = "exact.flexible.mean_cos", .value = of_flexible.cosine, .tolerance = {.absolute = 1e-12}});
        report.measurement({.name = "exact.flexible.mean_cos_2",
                            .value = of_flexible.cosine_of_twice,
                            .tolerance = {.absolute = 1e-12}});

        say_progress("ripples");
        const double time = options.quick ? 500 : 6000, strong_bath = 0.5, weak_bath = 0.02;
        const Rippled ripples(DiagonalMass<double, 2>(Vector<double, 2>(1, 1)), {});
        const double square = exact_square();
        report.measurement({.name = "exact.ripples.square", .value = square, .tolerance = {.relative = 1e-10}});
        struct Case {
          const char* name;
          double gamma, h;
          Mean temperature, square;
        };
        std::vector<Case> cases;
        std::vector<std::vector<double>> ripple_rows;
        for (const double step : {0.2, 0.4, 0.6})
          for (const double gamma : {weak_bath, strong_bath}) {
            const auto add = [&](const char* name, const auto& method) {
              const auto runs = ensemble([&](const VectorisedNormalNumbers& noise) {
                return moments_of(ripples, method, gamma, step, gamma == strong_bath ? time / 4 : time, noise);
              });
              const Case found{name, gamma, step, mean_over(runs, [](const MomentRun& r) { return r.temperature; }),
                               mean_over(runs, [](const MomentRun& r) { return r.square; })};
              cases.push_back(found);
              const std::string prefix =
                  std::string("ripples.") + name + text(".gamma_%g", gamma) + text(".h_%g", step);
              measure(report, prefix + ".temperature", found.temperature);
              measure(report, prefix + ".square", found.square);
            };
            add("verlet", VelocityVerlet<Rippled>(ripples));
            add("zs", ZhangSkeel<Rippled>(ripples, {0.3}));
            add("zss", SimplifiedZhangSkeel<Rippled>(ripples, {0.3}));
            add("rk4", RungeKutta4<Rippled>(ripples));
          }
        for (const double step : {0.2, 0.4, 0.6})
          for (const double gamma : {weak_bath, strong_bath}) {
            std::vector<double> row{step, gamma};
            for (const char* name : {"verlet", "zs", "zss", "rk4"})
              for (const Case& c : cases)
                if (std::string(c.name) == name && c.gamma == gamma && c.h == step)
                  row.insert(row.end(), {c.temperature.value, c.temperature.error});
            ripple_rows.push_back(std::move(row));
          }
        report.series("ripples",
                      {{"h", ""},
                       {"gamma", ""},
                       {"verlet", ""},
                       {"verlet_error", ""},
                       {"zs", ""},
                       {"zs_error", ""},
                       {"zss", ""},
                       {"zss_error", ""},
                       {"rk4", ""},
                       {"rk4_error", ""}},
                      ripple_rows);
        /// The largest difference of the temperatures at the two frictions, over h.
        const auto dependence = [&](const std::string& name) {
          double worst = 0;
          for (const Case& weak : cases)
            for (const Case& other : cases)
              if (weak.name == name && other.name == name && weak.h == other.h && weak.gamma < other.gamma)
                worst = std::max(worst, std::abs(weak.temperature.value - other.temperature.value));
          return worst;
        };
        if (options.quick) {
          say_progress("quick: no claims are decided");
          return;
        }

        const Interval within{0, 4};
        // How large the deviations are: of temperatures relative to the exact one, of cosines as they are.
        const Interval hundredth{0, 0.01};
        const auto off_temperature = [](double found) { return std::abs(found / 4 - 1); };
        double size = 0, worst = 0;
        for (const Mean* of : {&temperature, &fixman_temperature, &right}) {
          size = std::max(size, off_temperature(of->value));
          worst = std::max(worst, std::abs(of->deviations(4)));
        }
        for (const auto& [of, exact] : {std::pair{&cosine, of_rigid.cosine},
                                        {&twice, of_rigid.cosine_of_twice},
                                        {&fixman_cosine, of_flexible.cosine},
                                        {&fixman_twice, of_flexible.cosine_of_twice}}) {
          size = std::max(size, std::abs(of->value - exact));
          worst = std::max(worst, std::abs(of->deviations(exact)));
        }
        const double resolved = largest_deviation(7, 32);
        report.claim(
            {.id = "TO14.s4.3.shake-gla-constrained-bg",
             .measured = size,
             .interval = hundredth,
             .controls = {{.name = "noise not projected, gamma = 10: temperature after the bath",
                           .measured = off_temperature(warm.value),
                           .interval = hundredth},
                          {.name = "noise not projected, gamma = 10: temperature after the step",
                           .measured = off_temperature(cold.value),
                           .interval = hundredth,
                           .note = "too cold: the multipliers project in the metric of M"},
                          {.name = "against the density of springs",
                           .measured = std::abs(twice.value - of_flexible.cosine_of_twice),
                           .interval = hundredth}},
             .note = text("The largest of seven deviations in its standard errors is %.1f; beyond %.1f one would be "
                          "resolved: %s. ",
                          worst, resolved, worst > resolved ? "resolved" : "not resolved") +
                     "The friction of (27) has different rates for different masses, for which the projection must be "
                     "that of TO14.s4.3.constrained-bath. The measure is that of (29): its angles have the factor "
                     "sqrt(det G M^-1 G^T), which springs do not have."});

        // The difference of <cos 2 alpha> between springs and rods, in units of its exact value.
        const double difference = of_flexible.cosine_of_twice - of_rigid.cosine_of_twice;
        const Mean springs_twice = mean_over(of_springs.back(), read_twice);
        const auto relative = [&](const Mean& a, const Mean& b) { return (a.value - b.value) / difference; };
        const double error = std::hypot(springs_twice.error, twice.error) / std::abs(difference),
                     shift = (exact_springs.back().cosine_of_twice - of_flexible.cosine_of_twice) / difference;
        report.measurement({.name = "restraint.difference_of_mean_cos_2.exact",
                            .value = difference,
                            .tolerance = {.absolute = 1e-12}});
        report.claim(
            {.id = "TO14.s4.3.restraint-differs",
             .measured = relative(springs_twice, twice),
             .interval = Interval::around(1 + shift, 4 * error),
             .controls = {{.name = "springs against rods with Fixman's potential",
                           .measured = relative(springs_twice, fixman_twice),
                           .interval = Interval::around(1 + shift, 4 * error),
                           .note = "springs and rods with Fixman's potential differ by nothing within the error"}}});

        double worst_springs = 0;
        std::vector<double> limits;
        for (std::size_t i = 0; i < stiff.size(); ++i) {
          worst_springs = std::max(
              {worst_springs, std::abs(mean_over(of_springs[i], read_cosine).deviations(exact_springs[i].cosine)),
               std::abs(mean_over(of_springs[i], read_twice).deviations(exact_springs[i].cosine_of_twice))});
        }
        for (const double omega : {8.0, 16.0, 32.0})
          limits.push_back(
              std::abs(moments([&](double a) { return spring_density(omega, a); }).cosine - of_flexible.cosine));
        const double power = std::log2(limits[2] / limits[1]);
        report.measurement({.name = "springs.shift_of_mean_cos.power_of_omega", .value = power, .unit = "order"});
        report.claim(
            {.id = "TO14.s4.3.restraint-limit",
             .measured = power,
             .interval = Interval::around(-2, 0.05),
             .controls = {
                 {.name = "the limit of rods in the place of springs",
                  .measured = std::log2(
                      std::abs(moments([&](double a) { return spring_density(32, a); }).cosine - of_rigid.cosine) /
                      std::abs(moments([&](double a) { return spring_density(16, a); }).cosine - of_rigid.cosine)),
                  .interval = Interval::around(-2, 0.05)}}});
        report.measurement({.name = "springs.worst_deviation_in_standard_errors",
                            .value = worst_springs,
                            .tolerance = {.absolute = 4}});

        std::array<double, 3> off{};  // of <cos alpha> from the closed form, in standard errors
        for (std::size_t i = 0; i < hot.size(); ++i) {
          const Mean found = mean_over(of_hot[i], read_cosine);
          const std::string prefix =
              text("springs.h_omega_0.4.omega_%g", hot[i].omega) + text(".gamma_%g", hot[i].gamma);
          measure(report, prefix + ".mean_cos", found);
          measure(report, prefix + ".temperature_of_4_soft_freedoms",
                  mean_over(of_hot[i], [](const AngleRun& r) { return (r.temperature - r.part) / 4; }));
          measure(report, prefix + ".temperature_along_bonds",
                  mean_over(of_hot[i], [](const AngleRun& r) { return r.part / 2; }));
          off[i] =
              std::abs(found.deviations(moments([&](double a) { return spring_density(hot[i].omega, a); }).cosine));
        }
        report.claim(
            {.id = "TO14.s4.3.gla-stiff-heats",
             .measured = off[2],
             .interval = within,
             .controls = {{.name = "gamma = 1, omega = 8, h = 0.05", .measured = off[0], .interval = within},
                          {.name = "gamma = 1, omega = 16, h = 0.025", .measured = off[1], .interval = within}},
             .note =
                 "Found when springs at h omega = 0.16 missed their density by 3 percent in a run of eight times the "
                 "length. The bath holds the kinetic energy of the springs at kT; what they share is their modified "
                 "energy phi kT, phi = 1 + theta/6, theta from 0.2 to 1.4 here: <cos alpha> is 12 to 16 percent too "
                 "small "
                 "for both steps. The total kinetic energy is off by one percent only."});

        // phi - 1 of the head, for the stiffer mean frequency w^2 = 2 and the largest step.
        const double root = 0.6 * std::sqrt(2.0), phi = 2 / root * std::asin(root / 2) / std::sqrt(1 - root * root / 4);
        const Interval shared{0, phi - 1};
        report.claim({.id = "TO14.s4.3.gla-anharmonic",
                      .measured = std::max({dependence("verlet"), dependence("zs"), dependence("zss")}),
                      .interval = shared,
                      .controls = {{.name = "RK4", .measured = dependence("rk4"), .interval = shared}},
                      .note = "RK4 loses a part of h^5/gamma, without bound."});
      });
}

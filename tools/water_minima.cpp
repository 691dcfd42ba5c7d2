// SPDX-License-Identifier: MIT
// livi-water-minima: low minima of clusters of rigid TIP3P water, by basin hopping; how the clusters of
// lib/livi/report/water_starts were found.
//
//   livi-water-minima --molecules 7 --runs 16 --hops 2000 --keep 6 --out heptamer
//   livi-water-minima --molecules 100 --runs 2 --hops 800 --keep 1 --out hundred
#include <livi/linalg/normal_numbers.hpp>
#include <livi/report/atomic_files.hpp>
#include <livi/report/report.hpp>
#include <livi/report/xyz.hpp>
#include <livi/scalar/multiprecision.hpp>
#include <livi/systems/rigid_water.hpp>

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <deque>
#include <iomanip>
#include <iostream>
#include <limits>
#include <sstream>
#include <string>
#include <vector>

#include "study/program/command_line.hpp"
#include "study/program/number_texts.hpp"
#include "study/program/parallel.hpp"

namespace livi {

namespace {

using V = Vector<double, Dynamic>;

constexpr const char* documentation =
    R"(Searches low minima of a cluster of rigid TIP3P water molecules by basin hopping and writes them, the lowest first,
as OUT-1.xyz, OUT-2.xyz, ... Energies are polished in 50 digits; every minimum has six directions without curvature and
positive curvature in all others.

Each hop displaces and turns the molecules around one, or takes the one that is bound most weakly elsewhere, or turns one; goes
downhill; and is accepted as Metropolis does, at a temperature. Runs differ in their random numbers; each is a function
of the seed alone, whatever the number of threads.)";

/// Energy and its derivative over motions of rigid molecules.
double energy_and_gradient(const WaterPotential<double>& potential, const V& q, V& rigid) {
  double energy = 0;
  V gradient = V::Zero(q.size());
  potential.for_each_pair(
      q, [&](Eigen::Index i, Eigen::Index j, const Vector<double, 3>& d, const RadialDerivatives<double>& u) {
        energy += u.value;
        for (int k = 0; k < 3; ++k) {
          gradient(3 * i + k) += 2 * u.first * d(k);
          gradient(3 * j + k) -= 2 * u.first * d(k);
        }
      });
  rigid = rigid_gradient(q, gradient);
  return energy;
}

struct Minimum {
  double energy = std::numeric_limits<double>::infinity();
  V q = {};
};

/// Downhill by the limited-memory method of Broyden, Fletcher, Goldfarb and Shanno, motions of rigid molecules as the
/// coordinates at each point. Energy infinity where it does not arrive within so many evaluations.
Minimum nearest_minimum(const WaterPotential<double>& potential, V q, long most_evaluations) {
  constexpr std::size_t memory = 12;
  constexpr double longest_step = 0.3;  // Angstrom or radian, of one molecule
  constexpr double at_rest = 1e-7;      // kcal/mol per Angstrom or radian
  struct Pair {
    V step, change;
    double inverse;
  };
  std::deque<Pair> pairs;
  V gradient, trial_gradient;
  double energy = energy_and_gradient(potential, q, gradient);
  for (long evaluations = 1; evaluations < most_evaluations;) {
    if (gradient.cwiseAbs().maxCoeff() < at_rest) return {energy, q};
    V direction = -gradient;
    std::vector<double> along(pairs.size());
    for (std::size_t k = pairs.size(); k-- > 0;) {
      along[k] = pairs[k].inverse * pairs[k].step.dot(direction);
      direction -= along[k] * pairs[k].change;
    }
    direction *= pairs.empty() ? 1e-2 : 1 / (pairs.back().inverse * pairs.back().change.squaredNorm());
    for (std::size_t k = 0; k < pairs.size(); ++k)
      direction += (along[k] - pairs[k].inverse * pairs[k].change.dot(direction)) * pairs[k].step;
    double slope = gradient.dot(direction);
    if (!(slope < 0)) {
      pairs.clear();
      direction = -1e-2 * gradient;
      slope = gradient.dot(direction);
    }
    double scale = std::min(1.0, longest_step / direction.cwiseAbs().maxCoeff());
    while (true) {
      const V step = scale * direction, moved = moved_rigidly(q, step);
      const double trial = energy_and_gradient(potential, moved, trial_gradient);
      ++evaluations;
      // The rounding of the energy is allowed for, or a point that is at rest to rounding would never be reached.
      if (trial <= energy + 1e-4 * scale * slope + 1e-13 * std::abs(energy)) {
        const V change = trial_gradient - gradient;
        const double product = step.dot(change);
        if (product > 1e-10 * step.squaredNorm()) {
          pairs.push_back({step, change, 1 / product});
          if (pairs.size() > memory) pairs.pop_front();
        }
        q = moved;
        energy = trial;
        gradient.swap(trial_gradient);
        break;
      }
      scale /= 4;
      if (scale < 1e-12 || evaluations > most_evaluations) return {};
    }
  }
  return {};
}

// --- Hops -----------------------------------------------------------------------------------------------------------

/// Normal numbers of one hop, one after the other.
class Draws {
 public:
  Draws(std::uint64_t seed, std::uint64_t hop, Eigen::Index molecules)
      : molecules_(molecules), numbers_(normal_numbers(seed, 8 * molecules + 400, hop)) {}
  double normal() {
    const double x = numbers_(next_ % numbers_.size());
    ++next_;
    return x;
  }
  double uniform() { return std::erfc(-normal() / std::sqrt(2.0)) / 2; }
  Eigen::Index molecule() {
    return std::min(static_cast<Eigen::Index>(uniform() * static_cast<double>(molecules_)), molecules_ - 1);
  }
  Vector3<double> vector() {
    const double x = normal(), y = normal();
    return vector3(x, y, normal());
  }

 private:
  Eigen::Index molecules_;
  V numbers_;
  Eigen::Index next_ = 0;
};

void turn(V& q, Eigen::Index molecule, const Vector3<double>& rotation) {
  V motion = V::Zero(q.size() / 9 * 6);
  motion.segment<3>(6 * molecule + 3) = rotation;
  q = moved_rigidly(q, motion);
}

/// Smallest distance between an atom of the molecule and one of the others before `among`.
double clearance(const V& q, Eigen::Index molecule, Eigen::Index among) {
  double least = std::numeric_limits<double>::infinity();
  for (Eigen::Index a = 3 * molecule; a < 3 * molecule + 3; ++a)
    for (Eigen::Index b = 0; b < 3 * among; ++b)
      if (b / 3 != molecule) least = std::min(least, (q.segment<3>(3 * a) - q.segment<3>(3 * b)).norm());
  return least;
}

constexpr double contact = 1.6;        // Angstrom: a little nearer than a hydrogen bond
constexpr double neighbourhood = 4.5;  // Angstrom: two shells of oxygens

Vector3<double> middle(const V& q, Eigen::Index among) {
  Vector3<double> sum = Vector3<double>::Zero();
  for (Eigen::Index m = 0; m < among; ++m) sum += q.segment<3>(9 * m);
  return sum / static_cast<double>(std::max<Eigen::Index>(among, 1));
}

/// Turns the molecule anyhow and brings it towards the first `among` from a random direction until it touches them.
void put_on_the_surface(V& q, Eigen::Index molecule, Eigen::Index among, Draws& draws) {
  turn(q, molecule, 2 * draws.vector());
  const Vector3<double> centre = middle(q, among), direction = draws.vector().normalized();
  double radius = 0;
  for (Eigen::Index m = 0; m < among; ++m) radius = std::max(radius, (q.segment<3>(9 * m) - centre).norm());
  const auto place = [&](double r) {
    const Vector3<double> shift = centre + r * direction - q.segment<3>(9 * molecule);
    for (int atom = 0; atom < 3; ++atom) q.segment<3>(9 * molecule + 3 * atom) += shift;
  };
  double r = radius + 4;
  for (place(r); r > 0; r -= 0.1, place(r))
    if (clearance(q, molecule, among) < contact) break;
  place(r + 0.1);
}

/// Molecules that come one after the other from random directions.
V random_cluster(Eigen::Index molecules, Draws& draws) {
  const Vector<double, 9> shape = water_molecule(tip3p<double>());
  V q(9 * molecules);
  for (Eigen::Index m = 0; m < molecules; ++m) {
    q.segment<9>(9 * m) = shape;
    V part = q.head(9 * (m + 1));
    if (m > 0) put_on_the_surface(part, m, m, draws);
    q.head(9 * (m + 1)) = part;
  }
  return q;
}

/// The molecule with the highest energy of interaction with all others, perturbed to vary the choice.
Eigen::Index weakly_bound(const WaterPotential<double>& potential, const V& q, Draws& draws) {
  V energies = V::Zero(q.size() / 9);
  potential.for_each_pair(
      q, [&](Eigen::Index i, Eigen::Index j, const Vector<double, 3>&, const RadialDerivatives<double>& u) {
        energies(i / 3) += u.value;
        energies(j / 3) += u.value;
      });
  for (Eigen::Index m = 0; m < energies.size(); ++m) energies(m) += 4 * draws.normal();
  Eigen::Index which = 0;
  energies.maxCoeff(&which);
  return which;
}

V hopped(const WaterPotential<double>& potential, const V& from, Draws& draws) {
  const Eigen::Index molecules = from.size() / 9;
  V q = from;
  const double kind = draws.uniform();
  if (kind < 0.4 || molecules < 3) {
    V motion = V::Zero(6 * molecules);
    const double size = 0.1 + 0.4 * draws.uniform();
    const Eigen::Index around = draws.molecule();
    for (Eigen::Index m = 0; m < molecules; ++m)
      if ((q.segment<3>(9 * m) - q.segment<3>(9 * around)).norm() < neighbourhood)
        for (Eigen::Index i = 6 * m; i < 6 * m + 6; ++i) motion(i) = size * draws.normal();
    q = moved_rigidly(q, motion);
  } else if (kind < 0.7) {
    put_on_the_surface(q, weakly_bound(potential, q, draws), molecules, draws);
  } else {
    turn(q, draws.molecule(), 2 * draws.vector());
  }
  return q;
}

struct SearchOptions {
  Eigen::Index molecules = 7;
  std::uint64_t seed = 1;
  std::size_t runs = 16, keep = 6;
  long hops = 2000;
  double temperature = 0.8;  ///< kcal/mol
  long evaluations = 20000;  ///< evaluations of the energy, at most, on the way downhill from a hop
};

/// Two minima are one, or mirror images, when their energies agree to this, kcal/mol.
constexpr double same_energy = 1e-6;

void insert(std::vector<Minimum>& minima, const Minimum& minimum, std::size_t keep) {
  for (const Minimum& other : minima)
    if (std::abs(other.energy - minimum.energy) < same_energy) return;
  const auto place = std::upper_bound(minima.begin(), minima.end(), minimum,
                                      [](const Minimum& a, const Minimum& b) { return a.energy < b.energy; });
  minima.insert(place, minimum);
  if (minima.size() > keep) minima.pop_back();
}

/// The lowest minima of one run, lowest first.
std::vector<Minimum> run(const SearchOptions& options, std::size_t which) {
  const WaterPotential<double> potential(tip3p<double>());
  const std::uint64_t seed = options.seed + which;
  std::vector<Minimum> lowest;
  Minimum now;
  for (long hop = 0; hop < options.hops; ++hop) {
    Draws draws(seed, static_cast<std::uint64_t>(hop), options.molecules);
    const bool fresh = now.q.size() == 0;
    Minimum found =
        nearest_minimum(potential, fresh ? random_cluster(options.molecules, draws) : hopped(potential, now.q, draws),
                        options.evaluations);
    // Charges without a core of their own attract without limit where molecules interpenetrate.
    if (!(found.energy > -20.0 * static_cast<double>(options.molecules)) || !std::isfinite(found.energy)) continue;
    found.q = with_rigid_shape(found.q, potential.model);
    insert(lowest, found, options.keep);
    if (fresh || draws.uniform() < std::exp((now.energy - found.energy) / options.temperature)) now = found;
  }
  return lowest;
}

// --- 50 digits ------------------------------------------------------------------------------------------------------

struct Polished {
  Vector<Float50, Dynamic> q;
  Float50 energy = 0, gradient = 0;  ///< the largest component of force or torque
  double least_curvature = 0, most_of_whole_motions = 0;
};

/// Newton's method with the derivative of 50 digits and the second derivative in double: each iteration gains about as
/// many digits as double has.
Polished polish(const V& start) {
  const WaterPotential<double> in_double(tip3p<double>());
  const WaterPotential<Float50> potential(tip3p<Float50>());
  Polished out{.q = with_rigid_shape(start, potential.model)};
  V gradient;
  in_double.gradient(start, gradient);
  DenseHessian<double, Dynamic> hessian(start.size());
  in_double.hessian(start, hessian);
  const Matrix<double, Dynamic> second = rigid_hessian(start, gradient, hessian), whole = whole_motions(start);
  const Eigen::SelfAdjointEigenSolver<Matrix<double, Dynamic>> curvatures(second, Eigen::EigenvaluesOnly);
  V sorted = curvatures.eigenvalues();
  std::sort(sorted.begin(), sorted.end(), [](double a, double b) { return std::abs(a) < std::abs(b); });
  out.most_of_whole_motions = std::abs(sorted(5));
  out.least_curvature = curvatures.eigenvalues()(0) < -1e-6 ? curvatures.eigenvalues()(0)
                        : sorted.size() > 6                 ? sorted(6)
                                                            : 0;
  const Eigen::LDLT<Matrix<double, Dynamic>> factor(second + 100 * whole * whole.transpose());
  for (int iteration = 0; iteration < 40; ++iteration) {
    Vector<Float50, Dynamic> derivative;
    potential.gradient(out.q, derivative);
    const Vector<Float50, Dynamic> rigid = rigid_gradient(out.q, derivative);
    out.gradient = max_magnitude(rigid);
    if (out.gradient < Float50("1e-44")) break;
    V right(rigid.size());
    for (Eigen::Index i = 0; i < right.size(); ++i) right(i) = to_double(rigid(i));
    const V step = -factor.solve(right);
    Vector<Float50, Dynamic> motion(step.size());
    for (Eigen::Index i = 0; i < motion.size(); ++i) motion(i) = Float50(step(i));
    out.q = moved_rigidly(out.q, motion);
  }
  // Centre of mass at the origin.
  const auto masses = water_masses(start.size() / 9, potential.model);
  Vector<Float50, 3> sum = Vector<Float50, 3>::Constant(Float50(0));
  Float50 mass(0);
  for (Eigen::Index i = 0; i < out.q.size(); ++i) {
    sum(i % 3) += masses.diagonal(i) * out.q(i);
    if (i % 3 == 0) mass += masses.diagonal(i);
  }
  for (Eigen::Index i = 0; i < out.q.size(); ++i) out.q(i) -= sum(i % 3) / mass;
  out.energy = potential.value(out.q);
  return out;
}

// --- Options --------------------------------------------------------------------------------------------------------

/// As text: CLI11 wraps what does not fit around, takes 010 for eight and lets nan pass as within bounds.
struct Texts {
  std::string molecules = "7", seed = "1", runs = "16", hops = "2000", temperature = "0.8", keep = "6", threads,
              evaluations = "20000";
};

template <class T>
T count(const std::string& option, const std::string& text, long least, long most) {
  return static_cast<T>(parse_count(option, text, least, most));
}

SearchOptions resolve(const Texts& texts) {
  SearchOptions options{.molecules = count<Eigen::Index>("--molecules", texts.molecules, 2, 1000),
                        .seed = count<std::uint64_t>("--seed", texts.seed, 0, 1L << 53),
                        .runs = count<std::size_t>("--runs", texts.runs, 1, 10000),
                        .keep = count<std::size_t>("--keep", texts.keep, 1, 1000),
                        .hops = count<long>("--hops", texts.hops, 1, 1000000000),
                        .temperature = parse_number("--temperature", texts.temperature),
                        .evaluations = count<long>("--evaluations", texts.evaluations, 1, 1000000000)};
  if (!(options.temperature >= 1e-6 && options.temperature <= 1e6))
    throw InvalidParameter("--temperature", texts.temperature, "must be from 1e-6 to 1e6");
  return options;
}

}  // namespace

}  // namespace livi

int main(int argc, char** argv) {
  using namespace livi;
  CommandLine application(documentation, "livi-water-minima");
  Texts texts;
  std::string out;
  application.add_option("--molecules", texts.molecules, "how many (default 7)");
  application.add_option("--seed", texts.seed, "of the first run; the others count on (default 1)");
  application.add_option("--runs", texts.runs, "independent ones (default 16)");
  application.add_option("--hops", texts.hops, "of each run (default 2000)");
  application.add_option("--temperature", texts.temperature, "at which hops are accepted, kcal/mol (default 0.8)");
  application.add_option("--keep", texts.keep, "how many minima to write (default 6)");
  application.add_option("--threads", texts.threads, "(default: one per processor)");
  application.add_option("--out", out, "first part of the names of the files", {.required = true});
  application.add_option("--evaluations", texts.evaluations, "", {.hidden = true});  // how long a way downhill may be
  return application.run(argc, argv, [&] {
    const SearchOptions options = resolve(texts);
    const bool given_threads = application.given("--threads");
    const unsigned threads = given_threads ? count<unsigned>("--threads", texts.threads, 1, 1000) : processors();
    const auto of_runs = for_each_case(options.runs, threads, [&](std::size_t which) { return run(options, which); });
    std::vector<Minimum> lowest;
    for (const auto& minima : of_runs)
      for (const Minimum& minimum : minima) insert(lowest, minimum, options.keep);
    if (lowest.empty())
      throw ReportError("no minimum was found; none of the " + std::to_string(options.hops) + " hops of " +
                        std::to_string(options.runs) + " runs arrived at one: try more --hops or another --seed");
    AtomicFiles files;
    for (std::size_t rank = 0; rank < lowest.size(); ++rank) {
      const auto arrived = std::count_if(of_runs.begin(), of_runs.end(), [&](const std::vector<Minimum>& minima) {
        return std::any_of(minima.begin(), minima.end(),
                           [&](const Minimum& m) { return std::abs(m.energy - lowest[rank].energy) < same_energy; });
      });
      const Polished polished = polish(lowest[rank].q);
      if (!(polished.gradient < Float50("1e-40")) || !(polished.least_curvature > 1e-3))
        throw ReportError("rank " + std::to_string(rank + 1) + " is no minimum: derivative " +
                          polished.gradient.str(3) + ", least curvature " + std::to_string(polished.least_curvature));
      WaterFrame frame{.q = V(polished.q.size())};
      for (Eigen::Index i = 0; i < frame.q.size(); ++i) frame.q(i) = to_double(polished.q(i));
      std::ostringstream found, curvature;
      found << "livi-water-minima --molecules " << options.molecules << " --seed " << options.seed << " --runs "
            << options.runs << " --hops " << options.hops << " --temperature " << options.temperature << " --keep "
            << options.keep << "; rank " << rank + 1 << ", found by " << arrived << " of the runs";
      curvature << std::setprecision(6) << polished.least_curvature;
      frame.remarks = {{"model", "TIP3P, rigid"},
                       {"energy", polished.energy.str(30)},
                       {"least_curvature", curvature.str()},
                       {"units", "Angstrom, kcal/mol, radian"},
                       {"found", found.str()}};
      files.add(out + "-" + std::to_string(rank + 1) + ".xyz", write_xyz(frame));
      std::cout << rank + 1 << "  " << polished.energy.str(20) << "  found by " << arrived << " of " << options.runs
                << " runs, least curvature " << curvature.str() << ", of whole motions "
                << polished.most_of_whole_motions << "\n";
    }
    files.commit();
    return 0;
  });
}

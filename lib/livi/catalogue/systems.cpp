// SPDX-License-Identifier: MIT
#include <livi/catalogue/ensemble.hpp>
#include <livi/catalogue/systems.hpp>

#include <livi/systems/gravity.hpp>
#include <livi/systems/potentials.hpp>
#include <livi/systems/simple_pendulum.hpp>

#include <boost/random/mersenne_twister.hpp>
#include <boost/random/normal_distribution.hpp>

namespace livi {

namespace {

/// Gravity with the derivatives that AnyPotential asks for.
template <int N>
struct LinearPotential : GravityPotential<double, N> {
  using vector_type = Vector<double, N>;
  using hessian_type = DenseHessian<double, N>;
  static void hessian(const vector_type&, hessian_type& h) { h.set_zero(); }
  static void third(const vector_type&, const vector_type&, vector_type& out) { out.setZero(); }
};

/// Any number of oscillators, with a full Hessian.
struct Oscillators : HarmonicPotential<double, Dynamic> {
  using hessian_type = DenseHessian<double, Dynamic>;
  void hessian(const vector_type&, hessian_type& h) const { h.matrix = stiffness.asDiagonal(); }
};

using Start = std::pair<Vector<double, Dynamic>, Vector<double, Dynamic>>;

/// (x_i, y_i) = (i, -2 i), TO14 Figure 3: links of length sqrt 5, at rest.
Start chain_start(const StartOptions& options) {
  const Eigen::Index n = options.n;
  Vector<double, Dynamic> q(2 * n);
  for (Eigen::Index i = 0; i < n; ++i) {
    q(2 * i) = static_cast<double>(i + 1);
    q(2 * i + 1) = -2.0 * static_cast<double>(i + 1);
  }
  return {q, Vector<double, Dynamic>::Zero(2 * n)};
}

/// TO14 4.4, with the normal numbers of a seed.
Start dna_start(const StartOptions& options) {
  const Eigen::Index n = options.n;
  boost::random::mt19937_64 generator(options.seed);
  boost::random::normal_distribution<double> normal;
  Vector<double, Dynamic> xi(n);
  for (Eigen::Index k = 0; k < n; ++k) xi(k) = normal(generator);
  return {dna_start_position<double>(xi), dna_start_velocity<double>(n)};
}

/// The pericentre of an ellipse with major half-axis 1 in the potential -1/|q|: the square of the velocity goes with 1/m. What
/// is no mass is refused where the system is made.
Start kepler_start(const StartOptions& options) {
  const Vector<double, 4> start = kepler_pericentre(options.eccentricity);
  const std::vector<double>& m = options.mass;
  const bool diagonal = m.size() == 2 && m[0] > 0 && m[1] > 0;
  const bool full = m.size() == 4 && m[0] > 0 && m[1] == m[2] && m[0] * m[3] > m[1] * m[2];
  if ((diagonal && m[0] != m[1]) || (full && (m[1] != 0 || m[0] != m[3])))
    throw InvalidParameter("--mass", m[diagonal || m[1] != 0 ? 1 : 3],
                           "an ellipse has equal masses; for others give --q and --v");
  return {start.head<2>(), start.tail<2>() / std::sqrt(m.front())};
}
Start pythagorean_start(const StartOptions&) {
  const auto problem = pythagorean_problem<double>();
  return {problem.q, problem.v};
}
Start solar_system_start(const StartOptions&) {
  const auto problem = outer_solar_system();
  return {problem.q, problem.v};
}

/// Makes bodies in D dimensions with this constant of gravity, n numbers of position; their masses are checked already.
template <int D>
auto bodies(double gravity) {
  return [gravity](Eigen::Index n, const SystemOptions& options) {
    return AnyPotential<double>(GravitationalPotential<double, D>(options.mass, gravity), n);
  };
}
/// Returns the masses of n / d bodies, of which one number or one for each is given.
std::vector<double> masses_of_bodies(const std::vector<double>& numbers, std::size_t count) {
  if (numbers.size() != 1 && numbers.size() != count)
    throw InvalidParameter("--mass", std::to_string(numbers.size()) + " numbers",
                           "for " + std::to_string(count) + " bodies give 1 number or " + std::to_string(count));
  for (std::size_t i = 0; i < numbers.size(); ++i)
    if (!std::isfinite(numbers[i]) || !(numbers[i] > 0))
      throw InvalidParameter("--mass, number " + std::to_string(i + 1), numbers[i], "a mass must be finite and > 0");
  return numbers.size() == count ? numbers : std::vector<double>(count, numbers[0]);
}

/// Where only n numbers are stored.
DiagonalMass<double, Dynamic> make_diagonal_mass(const std::vector<double>& numbers, std::size_t n) {
  if (numbers.size() != 1 && numbers.size() != n)
    throw InvalidParameter("--mass", std::to_string(numbers.size()) + " numbers",
                           "for " + std::to_string(n) + " degrees of freedom in a chain give 1 number (scalar) or " +
                               std::to_string(n) + " (diagonal)");
  Vector<double, Dynamic> mass(static_cast<Eigen::Index>(n));
  for (std::size_t i = 0; i < n; ++i) mass(static_cast<Eigen::Index>(i)) = numbers[numbers.size() == 1 ? 0 : i];
  try {
    return DiagonalMass<double, Dynamic>(mass);
  } catch (const InvalidParameter& error) {
    throw std::invalid_argument(std::string("--mass: ") + error.what());
  }
}

FullMass<double, Dynamic> make_mass(const std::vector<double>& numbers, std::size_t n) {
  if (numbers.size() != 1 && numbers.size() != n && numbers.size() != n * n)
    throw InvalidParameter("--mass", std::to_string(numbers.size()) + " numbers",
                           "for " + std::to_string(n) + " degrees of freedom give 1 number (scalar), " +
                               std::to_string(n) + " (diagonal) or " + std::to_string(n * n) +
                               " (the full matrix, row by row)");
  const bool full = numbers.size() == n * n && n > 1;
  for (std::size_t i = 0; i < numbers.size(); ++i)
    if (!std::isfinite(numbers[i]) || (!full && !(numbers[i] > 0)))
      throw InvalidParameter("--mass, number " + std::to_string(i + 1), numbers[i],
                             full ? "must be finite" : "a mass must be finite and > 0");
  const auto size = static_cast<Eigen::Index>(n);
  Matrix<double, Dynamic> mass = Matrix<double, Dynamic>::Zero(size, size);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) {
      const auto row = static_cast<Eigen::Index>(i), column = static_cast<Eigen::Index>(j);
      if (full) mass(row, column) = numbers[i * n + j];
      if (!full && i == j) mass(row, column) = numbers[numbers.size() == 1 ? 0 : i];
    }
  try {
    return FullMass<double, Dynamic>(mass);
  } catch (const InvalidParameter& error) {
    throw std::invalid_argument(std::string("--mass: ") + error.what());
  }
}

/// What makes a potential that is the same for every size and option.
template <class P>
auto fixed(P potential) {
  return [potential](Eigen::Index n, const SystemOptions&) { return AnyPotential<double>(potential, n); };
}
AnyPotential<double> oscillators(Eigen::Index n, const SystemOptions& options) {
  return {Oscillators{{Vector<double, Dynamic>::Constant(n, options.omega * options.omega)}}, n};
}

}  // namespace

const std::vector<SystemEntry>& simulated_systems() {
  using enum SystemKind;
  const Parameter form{"form", "penalised or constrained", "penalised", "how the links are kept"},
      gravity{"gravity", "down or as-printed", "down", "as-printed is upward"},
      omega{"omega", "> 0", "20", "frequency of the penalty"};
  const QuarticProfile<double> spring{1, 0.5};
  const auto of_potential = [](const char* name, const char* description, const char* header, const char* sizes,
                               bool (*allows)(std::size_t), const char* q, const char* v, const char* h,
                               const auto& make_potential, const std::vector<Parameter>& parameters = {},
                               const char* adaptive_h = "") {
    return SystemEntry{.name = name,
                       .description = description,
                       .kinds = {mechanical},
                       .header = header,
                       .parameters = parameters,
                       .allowed_sizes = sizes,
                       .allows_size = allows,
                       .q = q,
                       .v = v,
                       .h = h,
                       .beta = "0.25",
                       .adaptive_h = adaptive_h,
                       .make_potential = make_potential};
  };
  const auto positive = [](std::size_t n) { return n >= 1; };
  const auto two = [](std::size_t n) { return n == 2; };
  static const std::vector<SystemEntry> entries{
      {.name = "double-pendulum",
       .description = "TO14 4.1, unit lengths squared 1 and 2; --form, --gravity, --omega of the penalty",
       .kinds = {split, constrained, lagrangian},
       .header = "double_pendulum.hpp",
       .parameters = {form, gravity, omega},
       .allowed_sizes = "4 numbers (x1, y1, x2, y2)",
       .allows_size = [](std::size_t n) { return n == 4; },
       .q = "0,-1,1,-2",
       .v = "0,0,0,0",
       .h = "0.1",
       .beta = "0.4",
       .epsilon = "1",
       .adaptive_h = "0.01"},
      of_potential("oscillator", "V = omega^2 |q|^2 / 2", "potentials.hpp", "1 or more numbers", positive, "1", "0",
                   "0.1", oscillators, {{"omega", "> 0", "1", "frequency"}}, "0.05"),
      of_potential("henon-heiles", "V = (x^2 + y^2)/2 + x^2 y - y^3/3", "potentials.hpp", "2 numbers", two, "0,0.1",
                   "0.39,0", "0.1", fixed(HenonHeilesPotential<double>{})),
      of_potential(
          "coupled-anharmonic", "V = sum of q_i^2/2 + 3 q_i^2 q_{i+1}/8 + q_i^4/8, cyclic", "potentials.hpp",
          "2 or more numbers", [](std::size_t n) { return n >= 2; }, "0.5,-0.4", "0.3,0.25", "0.1",
          fixed(CoupledAnharmonicPotential<double, Dynamic>{0.75, 0.5}), {}, "0.05"),
      of_potential("central-field", "V = r^2/2 + r^4/8 in the plane", "potentials.hpp", "2 numbers", two, "0.6,0.2",
                   "-0.25,0.5", "0.1", fixed(CentralPotential<double, 2, QuarticProfile<double>>{spring})),
      of_potential(
          "simple-pendulum", "V = -cos q, q the angle from hanging down", "simple_pendulum.hpp", "1 number",
          [](std::size_t n) { return n == 1; }, "2.5", "0", "0.05", fixed(SimplePendulumPotential<double>{})),
      {.name = "kepler",
       .description = "V = -1/r in the plane; from the pericentre of an ellipse of --eccentricity with half axis 1",
       .kinds = {mechanical},
       .header = "potentials.hpp",
       .parameters = {{"eccentricity", "0 to 1, without 1", "0.6", "eccentricity of the ellipse"}},
       .allowed_sizes = "2 numbers",
       .allows_size = two,
       .h = "0.01",
       .beta = "0.25",
       .make_start = kepler_start,
       .start = "--eccentricity=0.6",
       .density = "kepler",
       .make_potential = fixed(CentralPotential<double, 2, KeplerProfile<double>>{{1}})},
      {.name = "pythagorean",
       .description = "bodies in the plane, G = 1, --mass one for each; three at rest (Burrau 1913), if not others",
       .kinds = {mechanical},
       .header = "gravity.hpp",
       .allowed_sizes = "4, 6, 8, ... numbers (x and y of each)",
       .allows_size = [](std::size_t n) { return n >= 4 && n % 2 == 0; },
       .h = "0.001",
       .beta = "0.25",
       .make_start = pythagorean_start,
       .start = "--q=1,3,-2,-1,1,-1 --v=0,0,0,0,0,0 --mass=3,4,5",
       .mass = "3,4,5",
       .body = 2,
       .density = "inverse-kinetic-energy",
       .epsilon = "1",
       .make_potential = bodies<2>(1)},
      {.name = "outer-solar-system",
       .description = "sun, Jupiter, Saturn, Uranus, Neptune, Pluto; astronomical units, days, masses of the sun",
       .kinds = {mechanical},
       .header = "gravity.hpp",
       .allowed_sizes = "6, 9, 12, ... numbers (x, y and z of each)",
       .allows_size = [](std::size_t n) { return n >= 6 && n % 3 == 0; },
       .h = "10",
       .beta = "0.25",
       .make_start = solar_system_start,
       .start = "September 5, 1994",
       .mass = "1.00000597682,0.000954786104043,0.000285583733151,0.0000437273164546,0.0000517759138449,"
               "7.692307692307693e-9",
       .body = 3,
       .density = "constant",
       .make_potential = bodies<3>(2.95912208286e-4)},
      of_potential(
          "particles", "V = sum over pairs of r^2/2 + r^4/8, in the plane", "potentials.hpp",
          "4, 6, 8, ... numbers (x and y of each)", [](std::size_t n) { return n >= 4 && n % 2 == 0; },
          "0.5,0,-0.4,0.3,0.1,-0.6", "0.2,0.25,-0.1,0.3,0.15,-0.2", "0.1",
          fixed(PairPotential<double, 2, QuarticProfile<double>>{spring}), {}, "0.02"),
      {.name = "chain",
       .description = "TO14 4.2, --n pendulums, lengths squared 5; --form, --gravity, --omega of the penalty; in O(n)",
       .kinds = {split, constrained},
       .header = "planar_chain.hpp",
       .parameters = {form, gravity, omega, {"n", ">= 1", "10", "pendulums"}},
       .allowed_sizes = "2, 4, 6, ... numbers (x and y of each)",
       .allows_size = [](std::size_t n) { return n >= 2 && n % 2 == 0; },
       .h = "0.05",
       .beta = "0.4",
       .make_start = chain_start,
       .start = "--n=10",
       .epsilon = "10",
       .adaptive_h = "0.01"},
      {.name = "dna",
       .description = "TO14 4.4, --n base pairs with --ends periodic or free, a start with random numbers of --seed; "
                      "in O(n)",
       .kinds = {split},
       .header = "dna_chain.hpp",
       .parameters = {{"ends", "periodic or free", "periodic", "whether the last base is coupled to the first"},
                      {"n", ">= 1", "200", "base pairs"},
                      {"seed", ">= 1", "1", "of the random numbers of the start"}},
       .allowed_sizes = "1 or more numbers",
       .allows_size = positive,
       .h = "2",
       .beta = "0.3",
       .make_start = dna_start,
       .start = "--n=200",
       .epsilon = "10",
       .adaptive_h = "0.5"}};
  return entries;
}

const std::vector<SystemEntry>& system_entries() {
  using enum SystemKind;
  static const std::vector<SystemEntry> entries = [] {
    std::vector<SystemEntry> all = simulated_systems();
    const SystemEntry others[] = {
        {.name = "water",
         .description = "TO14 4.3, clusters of TIP3P water, rigid or restrained by a penalty: livi-water",
         .kinds = {split, constrained},
         .header = "water_cluster.hpp",
         .parameters = {{"omega", "> 0", "20", "frequency of the penalty"}}},
        {.name = "klein-gordon-chain",
         .description = "equal particles with coupled neighbours and a potential on every site; in O(n)",
         .kinds = {split},
         .header = "klein_gordon_chain.hpp"},
        {.name = "polynomial",
         .description = "any polynomial, for tests and proofs",
         .kinds = {mechanical},
         .header = "polynomial.hpp"},
        {.name = "ridge-functions",
         .description = "sums of functions of one variable along given directions, for tests",
         .kinds = {mechanical},
         .header = "ridge.hpp"},
        {.name = "rotation-potentials",
         .description = "rigid bodies: free, heavy top, magnetic dipole, the stress test of BOS09",
         .kinds = {rigid_body},
         .header = "rotation_potentials.hpp"},
        {.name = "penalised-body",
         .description = "TO14 4.5, the magnetised body as a matrix near SO(3)",
         .kinds = {rotation_matrix, mechanical},
         .header = "penalised_body.hpp",
         .parameters = {{"omega", "> 0", "none", "frequency of the penalty"}}}};
    all.insert(all.end(), std::begin(others), std::end(others));
    all.insert(all.end(), stochastic_systems().begin(), stochastic_systems().end());
    return all;
  }();
  return entries;
}

const std::vector<std::string>& parts_of_systems() {
  static const std::vector<std::string> headers{"any_constraint.hpp",
                                                "any_separable.hpp",
                                                "any_system.hpp",
                                                "constraints.hpp",
                                                "distance_constraints.hpp",
                                                "lie_system.hpp",
                                                "mechanical_system.hpp",
                                                "pair_sum.hpp",
                                                "potential.hpp",
                                                "radial.hpp",
                                                "rigid_water.hpp",
                                                "stochastic_system.hpp",
                                                "vectorised_morse_pairing.hpp",
                                                "vectorised_water.hpp"};
  return headers;
}

Problem make_problem(const SystemEntry& entry, std::size_t n, const SystemOptions& options) {
  if (entry.has("omega") && !options.constrained && (!std::isfinite(options.omega) || !(options.omega > 0)))
    throw InvalidParameter("--omega", options.omega, "must be finite and > 0");
  Problem problem;
  if (entry.name == "dna") {
    problem.dna.emplace(make_diagonal_mass(options.mass, n), dna_chain<double>(1, options.ends).potential());
    return problem;
  }
  if (entry.name == "chain") {
    const Vector<double, Dynamic> squared_lengths =
        Vector<double, Dynamic>::Constant(static_cast<Eigen::Index>(n / 2), 5.0);
    const ChainOfPendula chain(make_diagonal_mass(options.mass, n), {gravity_coefficient<double>(options.gravity)},
                               {squared_lengths});
    problem.constraint.emplace(chain.constraint(), squared_lengths.size());
    if (options.constrained) {
      problem.constrained.emplace(
          make_mass(options.mass, n),
          AnyPotential<double>(LinearPotential<Dynamic>{chain.potential()}, static_cast<Eigen::Index>(n)),
          *problem.constraint);
    } else {
      problem.chain.emplace(penalised(chain, options.omega));
    }
    return problem;
  }
  if (entry.body > 0) {
    SystemOptions of_bodies = options;
    const auto size = static_cast<std::size_t>(entry.body);
    of_bodies.mass = masses_of_bodies(options.mass, n / size);
    std::vector<double> of_coordinates;
    for (const double m : of_bodies.mass) of_coordinates.insert(of_coordinates.end(), size, m);
    problem.mechanical.emplace(make_mass(of_coordinates, n),
                               entry.make_potential(static_cast<Eigen::Index>(n), of_bodies));
    return problem;
  }
  const auto mass = make_mass(options.mass, n);
  if (entry.make_potential) {
    problem.mechanical.emplace(mass, entry.make_potential(static_cast<Eigen::Index>(n), options));
    return problem;
  }
  const auto pendulum = double_pendulum<double>(options.gravity);
  problem.constraint.emplace(pendulum.constraint(), 2);
  if (options.constrained) {
    problem.constrained.emplace(mass, AnyPotential<double>(LinearPotential<4>{pendulum.potential()}, 4),
                                *problem.constraint);
  } else {
    problem.mechanical.emplace(mass, AnyPotential<double>(penalised(pendulum, options.omega).potential(), 4));
  }
  return problem;
}

}  // namespace livi

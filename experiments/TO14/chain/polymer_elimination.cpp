// SPDX-License-Identifier: MIT
//
// Experiment: TO14 4.3 on polymers: the one linear solve of a step on bead chains, rings, trees and networks, as
// counted fill, counted arithmetic and time, against the number of beads
//
// N beads in space, N x N blocks of 3 x 3; block (i, j) of M + beta h^2 Hess V is not zero where i = j or a bond joins
// i and j. Eliminating a bead joins its remaining neighbours to each other; a pair that was not joined before is fill.
// On a tree, with every bead eliminated before its parent, a bead has one neighbour left when its turn comes, the
// parent: there is no pair to join, no fill, and one block operation per bond.
#include <Eigen/Dense>
#include <algorithm>
#include <livi/linalg/shifted_solver.hpp>
#include <livi/linalg/symmetric_factor.hpp>
#include <livi/systems/radial.hpp>
#include <random>
#include <set>

#include "study/cost/counted_arithmetic.hpp"
#include "study/cost/seconds.hpp"
#include "study/program/experiment.hpp"
#include "study/statistics/fitted_line.hpp"

namespace {

using namespace livi;

// Any bond would do: only which blocks are zero matters, and that the matrix is positive definite.
constexpr double bond_length = 1, omega = 50, step = 0.05, beta = 0.3;

// --- trees, parents before children; bead 0 is the root and its parent is -1 -----------------------------------------

using Tree = std::vector<int>;

template <class ParentOf>
Tree grown(int beads, const ParentOf& parent_of) {
  Tree tree{-1};
  for (int i = 1; i < beads; ++i) tree.push_back(parent_of(i));
  return tree;
}
Tree linear(int beads) {
  return grown(beads, [](int i) { return i - 1; });
}
/// A backbone, every bead of which carries a side chain of three.
Tree comb(int beads) {
  return grown(beads, [](int i) { return i % 4 == 0 ? i - 4 : i - 1; });
}
/// A dendrimer: two branches at every bead.
Tree dendrimer(int beads) {
  return grown(beads, [](int i) { return (i - 1) / 2; });
}
Tree star(int beads) {
  return grown(beads, [](int) { return 0; });
}
constexpr unsigned seed = 20140825;
/// Each bead is bound to one of those before it.
Tree random_tree(int beads) {
  std::mt19937_64 generator(seed);
  return grown(beads, [&](int i) { return static_cast<int>(generator() % static_cast<unsigned>(i)); });
}
struct NamedTree {
  const char* name;
  Tree (*make)(int);
};
constexpr NamedTree trees[]{
    {"linear", linear}, {"comb", comb}, {"dendrimer", dendrimer}, {"star", star}, {"random", random_tree}};

/// M + c Hess V of a tree of unit masses and penalised bonds, and its factorisation from the leaves to the root:
///   D_i L_i = E_i,  D_parent -= E_i^T L_i,  E_i the block (i, parent of i).
template <class S>
class TreeSolver {
 public:
  explicit TreeSolver(const Tree& tree)
      : tree_(&tree), diagonal_(tree.size()), bond_(tree.size()), pivot_(tree.size()) {}

  /// Blocks of 3 of q are positions.
  void assemble(const Vector<S, Dynamic>& q) {
    const S c = S(beta) * S(step) * S(step);
    for (auto& block : diagonal_) block = Matrix<S, 3>::Identity();
    for (std::size_t i = 1; i < diagonal_.size(); ++i) {
      const auto parent = static_cast<std::size_t>((*tree_)[i]);
      const Vector<S, 3> d = q.template segment<3>(static_cast<Eigen::Index>(3 * i)) -
                             q.template segment<3>(static_cast<Eigen::Index>(3 * parent));
      const DistancePenaltyProfile<S> profile{S(omega) * S(omega), S(bond_length * bond_length)};
      const Matrix<S, 3> block = c * radial_hessian<S, 3>(profile(d.squaredNorm()), d);
      diagonal_[i] += block;
      diagonal_[parent] += block;
      bond_[i] = -block;
    }
  }
  void factor() {
    for (std::size_t i = diagonal_.size(); i-- > 0;) {
      const FactorOutcome outcome = pivot_[i].factor(diagonal_[i]);
      if (outcome.singular || outcome.indefinite)
        throw std::runtime_error(text("bead %d: the matrix is not positive definite", static_cast<int>(i)));
      if (i == 0) return;
      const Matrix<S, 3> block = bond_[i];
      for (int j = 0; j < 3; ++j) pivot_[i].solve_in_place(bond_[i].col(j));
      diagonal_[static_cast<std::size_t>((*tree_)[i])] -= block.transpose() * bond_[i];
    }
  }
  void solve_in_place(Vector<S, Dynamic>& b) const {
    const auto at = [&](std::size_t i) { return b.template segment<3>(static_cast<Eigen::Index>(3 * i)); };
    for (std::size_t i = diagonal_.size(); i-- > 1;) {
      auto parent = at(static_cast<std::size_t>((*tree_)[i]));
      parent -= bond_[i].transpose() * at(i);
    }
    for (std::size_t i = 0; i < diagonal_.size(); ++i) {
      auto own = at(i);
      pivot_[i].solve_in_place(own);
      if (i > 0) own -= bond_[i] * at(static_cast<std::size_t>((*tree_)[i]));
    }
  }
  [[nodiscard]] Matrix<S, Dynamic> dense() const {
    const auto n = static_cast<Eigen::Index>(diagonal_.size());
    Matrix<S, Dynamic> matrix = Matrix<S, Dynamic>::Zero(3 * n, 3 * n);
    for (Eigen::Index i = 0; i < n; ++i) {
      const auto bead = static_cast<std::size_t>(i);
      matrix.template block<3, 3>(3 * i, 3 * i) = diagonal_[bead];
      if (i == 0) continue;
      matrix.template block<3, 3>(3 * i, 3 * (*tree_)[bead]) = bond_[bead];
      matrix.template block<3, 3>(3 * (*tree_)[bead], 3 * i) = bond_[bead].transpose();
    }
    return matrix;
  }

 private:
  const Tree* tree_;
  std::vector<Matrix<S, 3>> diagonal_, bond_;
  std::vector<SymmetricFactor<S, 3>> pivot_;
};

/// Every bead a bond length away from its parent, in a random direction.
template <class S>
Vector<S, Dynamic> conformation(const Tree& tree) {
  std::mt19937_64 generator(seed + 1);
  const auto uniform = [&] { return static_cast<double>(generator() >> 11) * 0x1p-52 - 1; };
  Vector<S, Dynamic> q(3 * static_cast<Eigen::Index>(tree.size()));
  q.template head<3>() = Vector<S, 3>::Constant(S(0));
  for (std::size_t i = 1; i < tree.size(); ++i) {
    Eigen::Vector3d direction;
    do {
      for (int k = 0; k < 3; ++k) direction(k) = uniform();
    } while (direction.norm() > 1 || direction.norm() < 0.1);
    direction *= bond_length / direction.norm();
    for (int k = 0; k < 3; ++k)
      q(static_cast<Eigen::Index>(3 * i) + k) = q(3 * static_cast<Eigen::Index>(tree[i]) + k) + S(direction(k));
  }
  return q;
}

/// Operations of one factorisation and one solve.
long counted(const Tree& tree) {
  TreeSolver<Counted> solver(tree);
  solver.assemble(conformation<Counted>(tree));
  Vector<Counted, Dynamic> b = Vector<Counted, Dynamic>::Constant(3 * static_cast<Eigen::Index>(tree.size()), 1);
  return count_operations([&] {
           solver.factor();
           solver.solve_in_place(b);
         })
      .total();
}

double seconds(const Tree& tree) {
  const Vector<double, Dynamic> q = conformation<double>(tree);
  std::vector<double> times;
  for (int repetition = 0; repetition < 5; ++repetition) {
    TreeSolver<double> solver(tree);
    solver.assemble(q);
    Vector<double, Dynamic> b = q;
    times.push_back(seconds_of([&] {
      solver.factor();
      solver.solve_in_place(b);
    }));
  }
  return median(times);
}

/// Largest difference to a dense solve, relative to the largest entry of the solution.
double against_dense(const Tree& tree) {
  TreeSolver<double> solver(tree);
  solver.assemble(conformation<double>(tree));
  const Eigen::MatrixXd matrix = solver.dense();
  Eigen::VectorXd b(matrix.rows());
  for (Eigen::Index i = 0; i < b.size(); ++i) b(i) = std::sin(1.0 + static_cast<double>(i));
  const Eigen::VectorXd exact = matrix.ldlt().solve(b);
  solver.factor();
  solver.solve_in_place(b);
  return (b - exact).cwiseAbs().maxCoeff() / exact.cwiseAbs().maxCoeff();
}

// --- any graph, symbolically -----------------------------------------------------------------------------------------

/// The neighbours of each bead.
class Graph {
 public:
  explicit Graph(int beads) : neighbours_(static_cast<std::size_t>(beads)) {}
  [[nodiscard]] int size() const { return static_cast<int>(neighbours_.size()); }
  const std::set<int>& operator[](int bead) const { return neighbours_[static_cast<std::size_t>(bead)]; }
  /// Whether there was no such bond before.
  bool bond(int i, int j) {
    at(i).insert(j);
    return at(j).insert(i).second;
  }
  void remove(int bead) {
    for (const int neighbour : at(bead)) at(neighbour).erase(bead);
  }
  [[nodiscard]] long bonds() const {
    std::size_t twice = 0;
    for (const auto& neighbours : neighbours_) twice += neighbours.size();
    return static_cast<long>(twice / 2);
  }

 private:
  std::set<int>& at(int bead) { return neighbours_[static_cast<std::size_t>(bead)]; }
  std::vector<std::set<int>> neighbours_;
};

Graph graph_of(const Tree& tree) {
  Graph graph(static_cast<int>(tree.size()));
  for (int i = 1; i < graph.size(); ++i) graph.bond(i, tree[static_cast<std::size_t>(i)]);
  return graph;
}
Graph ring(int beads) {
  Graph graph = graph_of(linear(beads));
  graph.bond(0, beads - 1);
  return graph;
}
/// A sheet: nearly two bonds per bead.
Graph sheet(int side) {
  Graph graph(side * side);
  for (int i = 0; i < side; ++i)
    for (int j = 0; j < side; ++j) {
      if (i > 0) graph.bond(i * side + j, (i - 1) * side + j);
      if (j > 0) graph.bond(i * side + j, i * side + j - 1);
    }
  return graph;
}
/// A random tree with `extra` more bonds between random beads: a gel.
Graph cross_linked(int beads, int extra) {
  Graph graph = graph_of(random_tree(beads));
  std::mt19937_64 generator(seed + 2);
  while (extra > 0) {
    const auto i = static_cast<int>(generator() % static_cast<unsigned>(beads)),
               j = static_cast<int>(generator() % static_cast<unsigned>(beads));
    if (i != j && graph.bond(i, j)) --extra;
  }
  return graph;
}

struct Elimination {
  long fill = 0;          ///< blocks of the factor where the matrix has none
  double operations = 0;  ///< block operations: d (d + 1)/2 for a bead with d neighbours left
};

/// In the order given by `next`, which picks a remaining bead.
template <class Next>
Elimination eliminate(Graph graph, const Next& next) {
  Elimination result;
  std::vector<bool> done(static_cast<std::size_t>(graph.size()), false);
  for (int count = 0; count < graph.size(); ++count) {
    const int bead = next(graph, done);
    done[static_cast<std::size_t>(bead)] = true;
    const std::vector<int> left(graph[bead].begin(), graph[bead].end());
    const auto d = static_cast<double>(left.size());
    result.operations += 1 + d * (d + 1) / 2;
    graph.remove(bead);
    for (std::size_t a = 0; a < left.size(); ++a)
      for (std::size_t b = 0; b < a; ++b)
        if (graph.bond(left[a], left[b])) ++result.fill;
  }
  return result;
}
/// A bead with the fewest neighbours left: a leaf of a tree as long as there is one, and a good order for any graph.
int fewest_neighbours(const Graph& graph, const std::vector<bool>& done) {
  int best = -1;
  for (int i = 0; i < graph.size(); ++i) {
    if (done[static_cast<std::size_t>(i)]) continue;
    if (best < 0 || graph[i].size() < graph[best].size()) best = i;
    if (graph[best].size() <= 1) break;
  }
  return best;
}
int lowest_number(const Graph&, const std::vector<bool>& done) {
  return static_cast<int>(std::find(done.begin(), done.end(), false) - done.begin());
}

/// Operations per atom of the same solve for rigid water: independent molecules, three atoms, 9 x 9.
double counted_per_atom_of_water() {
  constexpr int molecules = 10;
  BlockDiagonalHessian<Counted, 9> hessian(9 * molecules);
  for (int m = 0; m < molecules; ++m) {
    Eigen::Matrix3d positions;
    positions << 0, 0, 0, 1, 0.1 * m, 0, -0.2, 0.9, 0.3;
    auto& block = hessian.blocks[static_cast<std::size_t>(m)];
    for (int a = 0; a < 3; ++a)
      for (int b = 0; b < a; ++b) {
        const Vector<Counted, 3> d = (positions.row(a) - positions.row(b)).transpose().cast<Counted>();
        const DistancePenaltyProfile<Counted> profile{Counted(omega * omega), d.squaredNorm()};
        const Matrix<Counted, 3> stiffness = radial_hessian<Counted, 3>(profile(d.squaredNorm()), d);
        block.block<3, 3>(3 * a, 3 * a) += stiffness;
        block.block<3, 3>(3 * b, 3 * b) += stiffness;
        block.block<3, 3>(3 * a, 3 * b) -= stiffness;
      }
  }
  ShiftedSolver<BlockDiagonalHessian<Counted, 9>> solver;
  Vector<Counted, Dynamic> b = Vector<Counted, Dynamic>::Constant(9 * molecules, 1);
  const Operations operations = count_operations([&] {
    const FactorOutcome outcome =
        solver.factor(ScalarMass<Counted, Dynamic>(Counted(1), 9 * molecules), Counted(beta * step * step), hessian);
    if (outcome.singular || outcome.indefinite) throw std::runtime_error("water: the matrix is not positive definite");
    solver.solve_in_place(b);
  });
  return static_cast<double>(operations.total()) / (3 * molecules);
}

double power_of_n(const std::vector<double>& sizes, const std::vector<double>& costs) {
  return fitted_power(sizes, costs).slope;
}

/// The solve on the five kinds of trees.
struct OnTrees {
  double power = 1;       ///< the power of the number of beads with which operations grow; the farthest from one
  long fill = 0;          ///< in the trees of 500 beads together
  double difference = 0;  ///< the largest to a dense solve
  double dearest = 0;     ///< operations per bead of the largest trees
  double of_water = 0;    ///< operations per atom of rigid water
};
OnTrees measure_trees(Report& report, const std::vector<double>& sizes) {
  say_progress("trees");
  OnTrees found;
  std::vector<std::vector<double>> rows;
  for (const double size : sizes) rows.push_back({size});
  std::vector<Column> columns{{"beads", ""}};
  for (const auto& [name, make] : trees) {
    std::vector<double> operations;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      operations.push_back(static_cast<double>(counted(make(static_cast<int>(sizes[i])))));
      rows[i].push_back(operations.back() / sizes[i]);
    }
    columns.push_back({name, "operations per bead"});
    const double power = power_of_n(sizes, operations);
    if (std::abs(power - 1) >= std::abs(found.power - 1)) found.power = power;
    found.dearest = std::max(found.dearest, operations.back() / sizes.back());
    found.fill += eliminate(graph_of(make(500)), fewest_neighbours).fill;
    found.difference = std::max(found.difference, against_dense(make(60)));
    report.measurement(
        {.name = text("operations.power_of_n.%s", name), .value = power, .tolerance = {.absolute = 1e-4}});
  }
  report.series("operations", columns, rows);
  report.count("fill_of_trees", found.fill);
  report.measurement(
      {.name = "difference_to_dense_solve", .value = found.difference, .tolerance = {.absolute = 1e-12}});
  found.of_water = counted_per_atom_of_water();
  for (const auto& [name, value] : {std::pair{"bead.trees", found.dearest}, {"atom.water", found.of_water}})
    report.measurement({.name = text("operations_per_%s", name), .value = value, .tolerance = {.relative = 0.02}});
  return found;
}

void time_trees(Report& report) {
  say_progress("timing");
  const std::vector<double> sizes{1000, 3000, 10000, 30000, 100000};
  for (const auto& [name, make] : trees) {
    std::vector<double> times;
    for (const double size : sizes) times.push_back(seconds(make(static_cast<int>(size))));
    report.timing(text("power_of_n.%s", name), power_of_n(sizes, times));
    report.timing(text("per_bead.%s", name), times.back() / sizes.back());
  }
}

/// The powers of the number of beads with which block operations grow where there are loops or the order is bad.
struct WithLoops {
  double ring = 0, sheet = 0, gel = 0, half_gel = 0, centre = 0;
  long ring_fill = 0;
};
WithLoops measure_loops(Report& report) {
  say_progress("rings and networks");
  std::vector<double> of_ring, of_sheet, of_gel, of_half_gel, of_centre, beads, few_beads;
  for (const int side : {8, 12, 16, 24, 32}) {
    const int n = side * side;
    beads.push_back(n);
    of_ring.push_back(eliminate(ring(n), fewest_neighbours).operations);
    of_sheet.push_back(eliminate(sheet(side), fewest_neighbours).operations);
    of_gel.push_back(eliminate(cross_linked(n, n / 50), fewest_neighbours).operations);
    of_half_gel.push_back(eliminate(cross_linked(n, n / 4), fewest_neighbours).operations);
    if (side > 16) continue;
    few_beads.push_back(n);
    of_centre.push_back(eliminate(graph_of(star(n)), lowest_number).operations);
  }
  const WithLoops found{power_of_n(beads, of_ring),       power_of_n(beads, of_sheet),
                        power_of_n(beads, of_gel),        power_of_n(beads, of_half_gel),
                        power_of_n(few_beads, of_centre), eliminate(ring(500), fewest_neighbours).fill};
  report.count("fill_of_ring_of_500", found.ring_fill);
  for (const auto& [name, value] : {std::pair{"ring", found.ring},
                                    {"sheet", found.sheet},
                                    {"gel_2_percent", found.gel},
                                    {"gel_25_percent", found.half_gel},
                                    {"star_from_its_centre", found.centre}})
    report.measurement(
        {.name = text("block_operations.power_of_n.%s", name), .value = value, .tolerance = {.absolute = 1e-3}});
  report.count("bonds_of_sheet_of_1024", sheet(32).bonds());
  return found;
}

void claim_efficiency(Report& report, const OnTrees& on_trees, const WithLoops& loops) {
  const Interval one = Interval::around(1, 0.02);
  report.claim(
      {.id = "TO14.s4.3.polymer-efficiency",
       .measured = on_trees.power,
       .unit = "power of N",
       .interval = one,
       .controls = {{.name = "a sheet, two bonds per bead, fewest neighbours first",
                     .measured = loops.sheet,
                     .interval = one},
                    {.name = "a star eliminated from its centre", .measured = loops.centre, .interval = one}},
       .note =
           text("Trees have N - 1 bonds and no fill (%ld in five trees of 500 beads): %.0f operations per bead, rigid "
                "water %.0f per atom. A ring, N bonds, fills N - 3 blocks (%ld of 500) and stays at power %.3f. It is "
                "not the number of bonds alone that decides but where the loops are: with 2 %% of extra bonds between "
                "random beads the power is %.2f, with 25 %% %.2f, for a sheet %.2f. The order matters: leaves first. "
                "Against a dense solve %.0e. Timed powers: timing, power_of_n.*.",
                on_trees.fill, on_trees.dearest, on_trees.of_water, loops.ring_fill, loops.ring, loops.gel,
                loops.half_gel, loops.sheet, on_trees.difference)});
}

}  // namespace

int main(int argc, char** argv) {
  return run_experiment(argc, argv, "polymer_elimination", {"TO14", "polymers", "4.3"},
                        "The linear solve of a step on polymers: fill, arithmetic and time against the number of beads",
                        {}, [](Report& report, const ExperimentOptions& options) {
                          report.seed("trees", seed);
                          report.seed("conformations", seed + 1);
                          report.seed("cross_links", seed + 2);
                          const std::vector<double> sizes =
                              options.quick ? std::vector<double>{100, 300}
                                            : std::vector<double>{100, 300, 1000, 3000, 10000, 30000};
                          report.parameter("beads", sizes);
                          const OnTrees on_trees = measure_trees(report, sizes);
                          if (options.quick) {
                            say_progress("quick: no claims are decided");
                            return;
                          }
                          time_trees(report);
                          claim_efficiency(report, on_trees, measure_loops(report));
                        });
}

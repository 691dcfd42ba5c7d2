// SPDX-License-Identifier: MIT
//
// Experiment: TO14 4.3 on polymers: the one linear solve of a step on bead chains, rings, trees and networks, as
// counted fill, counted arithmetic and time, against the number of beads
//
// N beads in space, N x N blocks of 3 x 3; block (i, j) of M + beta h^2 Hess V is not zero where i = j or a bond joins
// i and j. Eliminating a bead joins its remaining neighbours to each other; a pair that was not joined before is fill.
// On a tree, with every bead eliminated before its parent, a bead has one neighbour left when its turn comes, the
// parent: there is no pair to join, no fill, and one block operation per bond
// (verification/theorems/TO14/tree_elimination).
#include <Eigen/Dense>
#include <algorithm>
#include <chrono>
#include <livi/linalg/shifted_solver.hpp>
#include <livi/linalg/symmetric_factor.hpp>
#include <livi/systems/radial.hpp>
#include <random>
#include <set>

#include "study/cost/counted_arithmetic.hpp"
#include "study/models/hanging_chain.hpp"
#include "study/program/experiment.hpp"

namespace {

using namespace livi;
using hanging_chain::infinity;
using hanging_chain::log_log_slope;

// Any bond would do: only which blocks are zero matters, and that the matrix is positive
// definite.
constexpr double bond_length = 1, omega = 50, step = 0.05, beta = 0.3;

// -------------------------------------------------------------------------------------------------------------------
// trees, parents before children; bead 0 is the root and its parent is -1

using Tree = std::vector<int>;

Tree linear(int beads) {
  Tree tree{-1};
  for (int i = 1; i < beads; ++i) tree.push_back(i - 1);
  return tree;
}
/// A backbone, every bead of which carries a side chain of three.
Tree comb(int beads) {
  Tree tree{-1};
  for (int i = 1; i < beads; ++i) tree.push_back(i % 4 == 0 ? i - 4 : i - 1);
  return tree;
}
/// A dendrimer: two branches at every bead.
Tree dendrimer(int beads) {
  Tree tree{-1};
  for (int i = 1; i < beads; ++i) tree.push_back((i - 1) / 2);
  return tree;
}
Tree star(int beads) {
  Tree tree{-1};
  for (int i = 1; i < beads; ++i) tree.push_back(0);
  return tree;
}
constexpr unsigned seed = 20140825;
/// Each bead is bound to one of those before it.
Tree random_tree(int beads) {
  std::mt19937_64 generator(seed);
  Tree tree{-1};
  for (int i = 1; i < beads; ++i) tree.push_back(static_cast<int>(generator() % static_cast<unsigned>(i)));
  return tree;
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
    const auto begin = std::chrono::steady_clock::now();
    solver.factor();
    solver.solve_in_place(b);
    times.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  }
  std::nth_element(times.begin(), times.begin() + 2, times.end());
  return times[2];
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

// -------------------------------------------------------------------------------------------------------------------
// any graph, symbolically

using Graph = std::vector<std::set<int>>;

Graph graph_of(const Tree& tree) {
  Graph graph(tree.size());
  for (int i = 1; i < static_cast<int>(tree.size()); ++i) {
    const int parent = tree[static_cast<std::size_t>(i)];
    graph[static_cast<std::size_t>(i)].insert(parent);
    graph[static_cast<std::size_t>(parent)].insert(i);
  }
  return graph;
}
void bond(Graph& graph, int i, int j) {
  graph[static_cast<std::size_t>(i)].insert(j);
  graph[static_cast<std::size_t>(j)].insert(i);
}
Graph ring(int beads) {
  Graph graph = graph_of(linear(beads));
  bond(graph, 0, beads - 1);
  return graph;
}
/// A sheet: nearly two bonds per bead.
Graph sheet(int side) {
  Graph graph(static_cast<std::size_t>(side * side));
  for (int i = 0; i < side; ++i)
    for (int j = 0; j < side; ++j) {
      if (i > 0) bond(graph, i * side + j, (i - 1) * side + j);
      if (j > 0) bond(graph, i * side + j, i * side + j - 1);
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
    if (i == j || graph[static_cast<std::size_t>(i)].contains(j)) continue;
    bond(graph, i, j);
    --extra;
  }
  return graph;
}
long bonds(const Graph& graph) {
  std::size_t twice = 0;
  for (const auto& neighbours : graph) twice += neighbours.size();
  return static_cast<long>(twice / 2);
}

struct Elimination {
  long fill = 0;          ///< blocks of the factor where the matrix has none
  double operations = 0;  ///< block operations: d (d + 1)/2 for a bead with d neighbours left
};

/// In the order given by `next`, which picks a remaining bead.
template <class Next>
Elimination eliminate(Graph graph, const Next& next) {
  Elimination result;
  std::vector<bool> done(graph.size(), false);
  for (std::size_t count = 0; count < graph.size(); ++count) {
    const int bead = next(graph, done);
    done[static_cast<std::size_t>(bead)] = true;
    const std::vector<int> left(graph[static_cast<std::size_t>(bead)].begin(),
                                graph[static_cast<std::size_t>(bead)].end());
    const auto d = static_cast<double>(left.size());
    result.operations += 1 + d * (d + 1) / 2;
    for (const int i : left) graph[static_cast<std::size_t>(i)].erase(bead);
    for (std::size_t a = 0; a < left.size(); ++a)
      for (std::size_t b = 0; b < a; ++b)
        if (graph[static_cast<std::size_t>(left[a])].insert(left[b]).second) {
          graph[static_cast<std::size_t>(left[b])].insert(left[a]);
          ++result.fill;
        }
  }
  return result;
}
/// A bead with the fewest neighbours left: a leaf of a tree as long as there is one, and a good order for any graph.
int fewest_neighbours(const Graph& graph, const std::vector<bool>& done) {
  int best = -1;
  for (int i = 0; i < static_cast<int>(graph.size()); ++i) {
    const auto bead = static_cast<std::size_t>(i);
    if (done[bead]) continue;
    if (best < 0 || graph[bead].size() < graph[static_cast<std::size_t>(best)].size()) best = i;
    if (graph[static_cast<std::size_t>(best)].size() <= 1) break;
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

}  // namespace

int main(int argc, char** argv) {
  return run_experiment(
      argc, argv, "polymer_elimination", {"TO14", "polymers", "4.3"},
      "The linear solve of a step on polymers: fill, arithmetic and time against the number of beads", {},
      [&](Report& report, const ExperimentOptions& options) {
        report.seed("trees", seed);
        report.seed("conformations", seed + 1);
        report.seed("cross_links", seed + 2);
        const std::vector<double> sizes =
            options.quick ? std::vector<double>{100, 300} : std::vector<double>{100, 300, 1000, 3000, 10000, 30000};
        report.parameter("beads", sizes);

        say_progress("trees");
        long fill = 0;
        double slowest = 1, worst_difference = 0, dearest = 0;
        std::vector<std::vector<double>> rows(sizes.size());
        for (std::size_t i = 0; i < sizes.size(); ++i) rows[i].push_back(sizes[i]);
        std::vector<Column> columns{{"beads", ""}};
        for (const auto& [name, make] : trees) {
          std::vector<double> operations;
          for (std::size_t i = 0; i < sizes.size(); ++i) {
            operations.push_back(static_cast<double>(counted(make(static_cast<int>(sizes[i])))));
            rows[i].push_back(operations.back() / sizes[i]);
          }
          columns.push_back({name, "operations per bead"});
          const double slope = log_log_slope(sizes, operations);
          if (std::abs(slope - 1) >= std::abs(slowest - 1)) slowest = slope;
          dearest = std::max(dearest, operations.back() / sizes.back());
          fill += eliminate(graph_of(make(500)), fewest_neighbours).fill;
          worst_difference = std::max(worst_difference, against_dense(make(60)));
          report.measurement(
              {.name = text("operations.power_of_n.%s", name), .value = slope, .tolerance = {.absolute = 1e-4}});
        }
        report.series("operations", columns, rows);
        report.count("fill_of_trees", fill);
        report.measurement(
            {.name = "difference_to_dense_solve", .value = worst_difference, .tolerance = {.absolute = 1e-12}});
        const double of_water = counted_per_atom_of_water();
        report.measurement({.name = "operations_per_bead.trees", .value = dearest, .tolerance = {.relative = 0.02}});
        report.measurement({.name = "operations_per_atom.water", .value = of_water, .tolerance = {.relative = 0.02}});
        if (options.quick) {
          say_progress("quick: no claims are decided");
          return;
        }

        say_progress("timing");
        const std::vector<double> timed_sizes{1000, 3000, 10000, 30000, 100000};
        for (const auto& [name, make] : trees) {
          std::vector<double> times;
          for (const double size : timed_sizes) times.push_back(seconds(make(static_cast<int>(size))));
          report.timing(text("power_of_n.%s", name), log_log_slope(timed_sizes, times));
          report.timing(text("per_bead.%s", name), times.back() / timed_sizes.back());
        }

        say_progress("rings and networks");
        const std::vector<int> sides{8, 12, 16, 24, 32};
        std::vector<double> of_ring, of_sheet, of_gel, of_half_gel, of_centre, beads, few_beads;
        for (const int side : sides) {
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
        const double ring_power = log_log_slope(beads, of_ring), sheet_power = log_log_slope(beads, of_sheet),
                     gel_power = log_log_slope(beads, of_gel), half_gel_power = log_log_slope(beads, of_half_gel),
                     centre_power = log_log_slope(few_beads, of_centre);
        const long ring_fill = eliminate(ring(500), fewest_neighbours).fill;
        report.count("fill_of_ring_of_500", ring_fill);
        for (const auto& [name, value] : {std::pair{"ring", ring_power},
                                          {"sheet", sheet_power},
                                          {"gel_2_percent", gel_power},
                                          {"gel_25_percent", half_gel_power},
                                          {"star_from_its_centre", centre_power}})
          report.measurement(
              {.name = text("block_operations.power_of_n.%s", name), .value = value, .tolerance = {.absolute = 1e-3}});
        report.count("bonds_of_sheet_of_1024", bonds(sheet(32)));
        const Interval one = Interval::around(1, 0.02);
        report.claim(
            {.id = "TO14.s4.3.polymer-efficiency",
             .measured = slowest,
             .unit = "power of N",
             .interval = one,
             .controls = {{.name = "a sheet, two bonds per bead, fewest neighbours first",
                           .measured = sheet_power,
                           .interval = one},
                          {.name = "a star eliminated from its centre", .measured = centre_power, .interval = one}},
             .note = text(
                 "Trees have N - 1 bonds and no fill (%ld in five trees of 500 beads): %.0f operations per bead, rigid "
                 "water %.0f per atom. A ring, N bonds, fills N - 3 blocks (%ld of 500) and stays at power %.3f. It is "
                 "not the number of bonds alone that decides but where the loops are: with 2 %% of extra bonds between "
                 "random beads the power is %.2f, with 25 %% %.2f, for a sheet %.2f. The order matters: leaves first. "
                 "Against a dense solve %.0e. Timed powers: timing, power_of_n.*.",
                 fill, dearest, of_water, ring_fill, ring_power, gel_power, half_gel_power, sheet_power,
                 worst_difference)});
      });
}

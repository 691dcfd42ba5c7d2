// SPDX-License-Identifier: MIT
//
// Ensembles of paths: a stochastic method on a constrained system under noise, from one start, along many Brownian paths.
// Methods and systems are those of families/stochastic.cpp, compiled once.
//
// The paths of an ensemble come in parts of a fixed size. Parts may be advanced at the same time. Sums over the paths of
// a part, and then over parts, are formed in the order of their numbers: results do not depend on how many threads there
// are, nor on how many steps are made at once.
#pragma once

#include <livi/catalogue/method.hpp>
#include <livi/catalogue/systems.hpp>
#include <livi/stochastic/noise_integrals.hpp>
#include <livi/stochastic/path_covariance.hpp>
#include <livi/stochastic/run_along.hpp>
#include <livi/stochastic/stochastic_rattle.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace livi {

/// The noise potentials of a run, of a size that is known at run time.
using AnyNoise = QuadraticNoise<double, Dynamic>;

// Parameters of methods in a heat bath. What has a friction takes no noise potentials.
inline const Parameter bath_friction{"friction", ">= 0", "1", "the rate at which momenta are forgotten, per time"};
inline const Parameter bath_temperature{"temperature", "> 0", "1", "of the bath, in units of the energy"};
constexpr int most_geodesic_steps = 1000;
inline const Parameter bath_geodesic_steps{"geodesic-steps", "1 to 1000", "1",
                                           "steps of RATTLE in each half of the free motion"};

/// The choices that a user has about a stochastic method.
struct StochasticOptions {
  NoiseWeights weights = NoiseWeights::integrals;
  PathCovariance covariance = PathCovariance::exact;
  int stages = 3;
  NewtonOptions<double> newton = {};
  double friction = 1, temperature = 1;
  int geodesic_steps = 1;
};

/// The paths of an ensemble (brownian_steps.hpp). A method in a heat bath has the normal numbers of seed and path
/// (normal_numbers.hpp), one set for each step.
struct EnsembleOptions {
  std::uint64_t seed = 1;
  long paths = 1;
  double span = 1;     ///< h is span/2^level
  int level = 0;       ///< that of the steps
  int refinement = 0;  ///< that of the integrals of squares and products
};

/// Mean and squared deviations of numbers that come one by one (Welford 1962; Chan, Golub and LeVeque 1983).
class RunningMoments {
 public:
  void add(double x) {
    const double difference = x - mean_;
    mean_ += difference / static_cast<double>(++count_);
    squares_ += difference * (x - mean_);
  }
  void add(const RunningMoments& other) {
    if (other.count_ == 0) return;
    if (count_ == 0) {
      *this = other;
      return;
    }
    const auto mine = static_cast<double>(count_), theirs = static_cast<double>(other.count_);
    const double difference = other.mean_ - mean_;
    mean_ += difference * (theirs / (mine + theirs));
    squares_ += other.squares_ + difference * difference * (mine * theirs / (mine + theirs));
    count_ += other.count_;
  }
  [[nodiscard]] long count() const { return count_; }
  /// Returns the mean; not a number where nothing was added.
  [[nodiscard]] double mean() const { return count_ > 0 ? mean_ : undeclared; }
  /// Returns the standard error of the mean; not a number for fewer than two numbers.
  [[nodiscard]] double standard_error() const {
    if (count_ < 2) return undeclared;
    return std::sqrt(squares_ / static_cast<double>(count_ - 1) / static_cast<double>(count_));
  }

 private:
  long count_ = 0;
  double mean_ = 0, squares_ = 0;
};

/// What is known about the paths that have reached a step.
struct EnsembleRow {
  std::vector<RunningMoments> of_state;  ///< q_1, ..., q_n, v_1, ..., v_n
  RunningMoments energy_growth;          ///< energy minus that of the start
  RunningMoments kinetic_temperature;    ///< v . M v over the number of degrees of freedom
  double constraint_defect = 0;          ///< the largest |g_i(q)|
  double velocity_defect = 0;            ///< the largest |(Dg(q) v)_i|

  [[nodiscard]] long paths() const { return energy_growth.count(); }
  /// Adds what is known about other paths.
  void add(const EnsembleRow& other) {
    for (std::size_t i = 0; i < of_state.size(); ++i) of_state[i].add(other.of_state[i]);
    energy_growth.add(other.energy_growth);
    kinetic_temperature.add(other.kinetic_temperature);
    constraint_defect = std::max(constraint_defect, other.constraint_defect);
    velocity_defect = std::max(velocity_defect, other.velocity_defect);
  }
};

/// One path at one step.
struct PathPoint {
  long path, row;  ///< `row` counts the rows of a stretch
  Vector<double, Dynamic> q, v;
  double energy;
};

/// What came out of a stretch of steps for a part of the paths: rows, and the points of the paths that are asked for.
struct Stretch {
  std::vector<EnsembleRow> rows;
  std::vector<PathPoint> points;
  std::vector<FailedStep> ended;  ///< paths that ended in this stretch

  /// Adds those of the next part.
  void add(const Stretch& other) {
    for (std::size_t k = 0; k < rows.size(); ++k) rows[k].add(other.rows[k]);
    points.insert(points.end(), other.points.begin(), other.points.end());
    ended.insert(ended.end(), other.ended.begin(), other.ended.end());
  }
};

/// A method on a system under noise, along many paths.
class Ensemble {
 public:
  static constexpr long paths_of_part = 64;

  virtual ~Ensemble() = default;
  [[nodiscard]] virtual StochasticProperties declares() const = 0;
  [[nodiscard]] virtual double energy_of_start() const = 0;
  [[nodiscard]] virtual long paths() const = 0;
  [[nodiscard]] long parts() const { return (paths() + paths_of_part - 1) / paths_of_part; }
  /// Advances the paths of a part from step `first` to step `last`. A row is there for each later step that is a
  /// multiple of `every`; that of `first`, which comes before them, is there if it is asked for. A path whose step does
  /// not exist keeps the state before it, and is in no row from then on. `points` are the paths, in their order, of
  /// which a point is wanted for each row.
  virtual Stretch advance(long part, long first, long last, long every, bool with_first,
                          const std::vector<long>& points) = 0;
  /// Returns the states of all paths as text, and which have ended.
  [[nodiscard]] virtual std::string save() const = 0;
  /// Overwrites them by what save() returned. Throws InvalidParameter on anything else.
  virtual void load(const std::string& text) = 0;
  /// Returns the paths that have ended, in the order of their numbers.
  [[nodiscard]] virtual std::vector<FailedStep> ended() const = 0;
};

/// A constrained system under noise. Its SystemEntry says where it starts and what --noise has by default.
struct StochasticSystemEntry : SystemEntry {
  std::string noise;  ///< as for --noise
};

/// A stochastic method of the catalogue.
struct StochasticMethodEntry : MethodInfo {
  /// Returns what it declares with these options.
  std::function<StochasticProperties(const StochasticOptions& options)> declares;
  /// Starts it. Throws InvalidParameter for a start that is not on the constraint, and for options that it does not take.
  std::function<std::unique_ptr<Ensemble>(const StochasticSystemEntry& system, const AnyNoise& noise,
                                          const Vector<double, Dynamic>& q, const Vector<double, Dynamic>& v,
                                          const StochasticOptions& options, const EnsembleOptions& ensemble)>
      start;
};

/// Returns the orders that are declared, in words.
std::string orders_in_words(const StochasticProperties& declared);
/// Returns all systems under noise.
const std::vector<StochasticSystemEntry>& stochastic_systems();
/// Returns all stochastic methods.
const std::vector<StochasticMethodEntry>& stochastic_methods();

}  // namespace livi

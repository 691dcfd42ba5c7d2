// SPDX-License-Identifier: MIT
//
// livi-water: the run of one seed, from its start or its checkpoint to its rows.
#pragma once

#include <livi/catalogue/families/constrained.hpp>
#include <livi/catalogue/families/mechanical.hpp>
#include <livi/catalogue/simulation.hpp>
#include <livi/report/atomic_files.hpp>
#include <livi/report/water_starts.hpp>
#include <livi/stochastic/geometric_langevin.hpp>
#include <livi/systems/rigid_water.hpp>
#include <livi/systems/vectorised_water.hpp>
#include <livi/trajectory/checkpoint.hpp>
#include <livi/trajectory/interrupt.hpp>
#include <livi/trajectory/progress.hpp>

#include <atomic>
#include <cmath>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "simulate_rows.hpp"
#include "study/models/water_runs.hpp"
#include "study/program/number_texts.hpp"

namespace livi::water_run {

using V = Vector<double, Dynamic>;

/// The gas constant, 8.31446261815324 J/(mol K), in kcal/(mol K): temperatures in Kelvin.
constexpr double gas_constant = 8.31446261815324 / 4184;

/// A method of the catalogue, and whether its molecules are rigid.
struct WaterMethod : MethodInfo {
  bool rigid = false;
};

/// What the runs of all seeds have in common, but for their files.
struct Settings {
  WaterMethod method;
  V q, v;  ///< the start; an empty v is to be drawn
  double h = 0, beta = 0, omega = 0, gamma = 0, inverse_temperature = 0;
  long equilibration = 0, steps = 0, every = 1;
  std::vector<std::pair<std::string, std::string>> words;  ///< what a run is but for its length and seed
};

/// The files of the runs, and when they are written and left.
struct Files {
  std::string out;
  bool resume = false;
  double interval = 60;
  /// As if interrupted after this step; -1 never.
  long stop_after = -1, stop_equilibration_after = -1;
  [[nodiscard]] std::string of(std::uint64_t seed, const char* kind) const {
    return out + "." + std::to_string(seed) + "." + kind;
  }
};

/// What a row holds.
struct Observables {
  static constexpr const char* names =
      "time,energy,kinetic_energy,potential_energy,penalty_energy,temperature,temperature_oxygen,temperature_hydrogen,"
      "momentum_x,momentum_y,momentum_z,angular_momentum_x,angular_momentum_y,angular_momentum_z,max_constraint\n";
  static constexpr std::size_t first_mean = 1, last_mean = 7;
  double energy = 0;
  std::vector<double> numbers;
};

/// A method on a cluster in its heat bath, running.
class Motion : public Simulation {
 public:
  /// Returns the steps since the start of the run or of the equilibration.
  virtual std::uint64_t& steps() = 0;
  /// Makes v, the velocity as the method keeps it, tangent where it is not.
  virtual StepOutcome make_tangent(V& v) = 0;
  /// Returns the potential energy without the penalty, and that of the penalty.
  [[nodiscard]] virtual std::pair<double, double> potential_energies() const = 0;
  /// Goes on with strong friction until steps() is `steps`, or goes_on() false.
  virtual StepOutcome equilibrate(long steps, std::uint64_t seed, const std::function<bool()>& goes_on) = 0;
};

template <class Langevin>
class MotionOf final : public SimulationOf<Langevin, Motion> {
 public:
  using SimulationOf<Langevin, Motion>::SimulationOf;

  std::uint64_t& steps() override { return this->state_.steps; }
  StepOutcome make_tangent(V& v) override {
    // SHAKE keeps a velocity that is not tangent.
    if constexpr (requires { this->method_.method().tangent_velocity(this->state_, v); })
      if (!this->state_.first) return this->method_.method().tangent_velocity(this->state_, v);
    return {};
  }
  [[nodiscard]] std::pair<double, double> potential_energies() const override {
    const auto& potential = this->method_.system().potential();
    if constexpr (requires { potential.penalty; }) {
      return {potential.base.value(this->state_.q), potential.penalty.value(this->state_.q)};
    } else {
      return {potential.value(this->state_.q), 0};
    }
  }
  StepOutcome equilibrate(long steps, std::uint64_t seed, const std::function<bool()>& goes_on) override {
    return water::equilibrate(this->method_.method(), this->state_, this->method_.bath(), this->h_, steps, seed,
                              goes_on);
  }
};

/// Run of one seed.
class Run {
 public:
  Run(const Settings& settings, const Files& files, std::uint64_t seed, Motion& motion, const Interrupt& interrupt,
      std::atomic<bool>& stop)
      : settings_(settings), files_(files), seed_(seed), motion_(motion), interrupt_(interrupt), stop_(stop) {
    if (settings.method.rigid) freedoms_ = water::tangent_freedoms();
  }

  struct Outcome {
    std::uint64_t seed = 0;
    long reached = 0;
    bool interrupted = false, equilibrating = false;  ///< the steps reached are then of the equilibration
    std::string failure = {};
  };

  /// `progress(steps made)` now and then.
  template <class Told>
  Outcome complete(const Told& progress) {
    begin();
    Outcome outcome{.seed = seed_};
    if (phase_.starts_with(failed)) {
      outcome.failure = phase_.substr(std::string_view(failed).size());
    } else if (phase_ == equilibration) {
      equilibrate(outcome);
      if (outcome.interrupted) return outcome;
    }
    if (phase_ == steps) integrate(outcome, progress);
    outcome.reached = reached_;
    if (!outcome.interrupted) {
      // The state is beyond what failed: continued, the run is to end there again.
      if (!outcome.failure.empty()) phase_ = failed + outcome.failure;
      frames_->deliver();
      rows_->deliver();
    }
    write_checkpoint();  // what is marked as kept stays
    return outcome;
  }

 private:
  /// What a checkpoint is in: one of the first two, or the third and the reason.
  static constexpr const char *equilibration = "equilibration", *steps = "steps", *failed = "failed: ";

  /// Afresh, or where the checkpoint is.
  void begin() {
    std::optional<Checkpoint> resumed;
    if (files_.resume && std::filesystem::exists(checkpoint_path())) resumed = read_checkpoint(checkpoint_path());
    if (resumed) {
      for (const auto& [name, value] : settings_.words)
        if (resumed->setting(name) != value)
          throw InvalidParameter(
              "--" + name, value,
              "must be as in the checkpoint " + checkpoint_path() + ", whose run has " + resumed->setting(name));
      if (resumed->step > settings_.steps)
        throw InvalidParameter(
            "--steps", settings_.steps,
            "must be at least " + std::to_string(resumed->step) + ", where " + checkpoint_path() + " is");
      motion_.load(resumed->state);
      reached_ = resumed->step;
      phase_ = resumed->setting("phase");
    }
    if (phase_ == equilibration) {
      frames_.emplace(files_.of(seed_, "xyz"));
      rows_.emplace(files_.of(seed_, "csv"));
      rows_->append(Observables::names);
      // One of an earlier run must not be taken for one of this. Not before its files are locked.
      if (!resumed) std::filesystem::remove(checkpoint_path());
    } else {
      open(frames_, "xyz", resumed->setting("frames"));
      open(rows_, "csv", resumed->setting("rows"));
    }
  }

  /// Until it ends and the start is recorded.
  void equilibrate(Outcome& outcome) {
    const auto all = static_cast<std::uint64_t>(settings_.equilibration);
    const auto goes_on = [&] {
      return !interrupt_.requested() && !stop_ &&
             (files_.stop_equilibration_after < 0 ||
              motion_.steps() < static_cast<std::uint64_t>(files_.stop_equilibration_after));
    };
    const std::uint64_t first = motion_.steps();
    Periodically checkpoint_due(files_.interval);
    StepOutcome equilibrated;
    outcome.interrupted = !goes_on();
    if (!outcome.interrupted)
      equilibrated = motion_.equilibrate(settings_.equilibration, seed_, [&] {
        if (motion_.steps() > first && checkpoint_due.due()) write_checkpoint();
        return goes_on();
      });
    if (!equilibrated.ok()) {
      outcome.failure = "equilibration: " + equilibrated.describe();
      return;
    }
    outcome.interrupted = outcome.interrupted || motion_.steps() < all;
    if (outcome.interrupted) {
      outcome.equilibrating = all > 0;
      outcome.reached = static_cast<long>(motion_.steps());
      if (motion_.steps() > first) write_checkpoint();
      return;
    }
    motion_.steps() = 0;
    phase_ = steps;
    if (!record(outcome.failure)) {
      outcome.failure = "before the first step: " + outcome.failure;
      phase_ = failed;
    }
  }

  template <class Told>
  void integrate(Outcome& outcome, const Told& progress) {
    Periodically checkpoint_due(files_.interval);
    const long first = reached_;
    const RunOutcome run = motion_.run(settings_.steps - first, [&](long made) {
      const bool is_new = made > 0;
      if (is_new) {
        reached_ = first + made;
        if (reached_ % settings_.every == 0 && !record(outcome.failure)) {
          outcome.failure = "at the row of step " + std::to_string(reached_) + ": " + outcome.failure;
          return false;
        }
      }
      progress(is_new ? 1 : first);
      if (reached_ == settings_.steps) return true;
      if (interrupt_.requested() || stop_ || (files_.stop_after >= 0 && reached_ >= files_.stop_after)) {
        outcome.interrupted = true;
        return false;
      }
      if (is_new && checkpoint_due.due()) write_checkpoint();
      return true;
    });
    if (!run.ok()) outcome.failure = "stopped in step " + std::to_string(reached_ + 1) + ": " + run.step.describe();
  }

  /// A frame and a row; false, with the reason, when something is not finite.
  bool record(std::string& failure) {
    V v = motion_.velocity();
    if (const StepOutcome outcome = motion_.make_tangent(v); !outcome.ok()) {
      failure = outcome.describe();
      return false;
    }
    const Observables now = observe(v);
    for (const double x : now.numbers)
      if (!std::isfinite(x)) {
        failure = "its energy, momentum or constraint is not finite";
        return false;
      }
    WaterFrame frame{.q = motion_.position(), .v = v};
    frame.remarks = {{"step", std::to_string(reached_)},
                     {"time", shortest(static_cast<double>(reached_) * settings_.h)},
                     {"energy", shortest(now.energy)},
                     {"model", "TIP3P"},
                     {"method", settings_.method.name}};
    frames_->append(write_xyz(frame));
    std::string row;
    for (const double x : now.numbers) row += (row.empty() ? "" : ",") + shortest(x);
    rows_->append(row + "\n");
    return true;
  }

  Observables observe(const V& v) const {
    const V& q = motion_.position();
    double kinetic[2] = {0, 0};  // oxygens, hydrogens
    Vector3<double> momentum = Vector3<double>::Zero(), angular = momentum;
    for (Eigen::Index i = 0; i < q.size(); i += 3) {
      const double m = mass_.diagonal(i);
      const Vector3<double> r = q.segment<3>(i), p = m * v.segment<3>(i);
      kinetic[i % 9 == 0 ? 0 : 1] += p.squaredNorm() / m / 2;
      momentum += p;
      angular += cross<double>(r, p);
    }
    const auto [potential, penalty] = motion_.potential_energies();
    const WaterModel<double> model = tip3p<double>();
    V g;
    WaterRigidity<double>{model.squared_oh, model.squared_hh}.value(q, g);
    const double all = kinetic[0] + kinetic[1], energy = all + potential + penalty,
                 per_freedom = 2 / gas_constant / static_cast<double>(q.size() / 9);
    return {energy,
            {static_cast<double>(reached_) * settings_.h, energy, all, potential, penalty,
             all * per_freedom / (freedoms_.oxygen + freedoms_.hydrogen), kinetic[0] * per_freedom / freedoms_.oxygen,
             kinetic[1] * per_freedom / freedoms_.hydrogen, momentum(0), momentum(1), momentum(2), angular(0),
             angular(1), angular(2), max_magnitude(g)}};
  }

  [[nodiscard]] std::string checkpoint_path() const { return files_.of(seed_, "checkpoint"); }

  void open(std::optional<Rows>& rows, const char* kind, const std::string& recorded) {
    const std::size_t space = std::min(recorded.find(' '), recorded.size());
    rows.emplace(files_.of(seed_, kind),
                 parse<std::uintmax_t>("rows of the checkpoint", recorded.substr(0, space), "must be a size"),
                 recorded.substr(std::min(space + 1, recorded.size())));
  }

  void write_checkpoint() {
    Checkpoint checkpoint{settings_.words, reached_, motion_.save()};
    checkpoint.settings.emplace_back("phase", phase_);
    if (phase_ == equilibration) {  // no rows yet
      write_file_atomically(checkpoint_path(), checkpoint.text());
      return;
    }
    for (auto* rows : {&*frames_, &*rows_})
      if (!rows->delivered()) rows->sync();
    checkpoint.settings.emplace_back("frames", std::to_string(frames_->bytes()) + " " + frames_->checksum());
    checkpoint.settings.emplace_back("rows", std::to_string(rows_->bytes()) + " " + rows_->checksum());
    write_file_atomically(checkpoint_path(), checkpoint.text());
    frames_->keep();
    rows_->keep();
  }

  const Settings& settings_;
  const Files& files_;
  std::uint64_t seed_;
  Motion& motion_;
  const Interrupt& interrupt_;
  std::atomic<bool>& stop_;
  const DiagonalMass<double, Dynamic> mass_ = water_cluster<double>(settings_.q.size() / 9).mass();
  water::Freedoms freedoms_;
  std::optional<Rows> frames_, rows_;
  std::string phase_ = equilibration;
  long reached_ = 0;
};

/// Calls use(motion) with the method of the settings on their system, at the start of a seed.
template <class Use>
Run::Outcome with_motion(const Settings& settings, std::uint64_t seed, const Use& use) {
  const auto rigid = vectorised_water_cluster(settings.q.size() / 9);
  const auto soft = penalised(rigid, settings.omega);
  using Dense = DenseHessian<double, Dynamic>;
  const WaterRigidity<double, Dense> rigidity{rigid.constraint().squared_oh, rigid.constraint().squared_hh};
  const auto dense = penalised(
      ConstrainedSystem(rigid.mass(), VectorisedWaterPotential(rigid.potential().model), rigidity), settings.omega);
  std::unique_ptr<Motion> motion;
  const auto make_on = [&](const auto& system, const auto& method) {
    GeometricLangevin langevin(method.make(system, NewmarkOptions<double>{.beta = settings.beta}),
                               Bath<double>{settings.gamma, settings.inverse_temperature}, NormalNumbers(seed));
    const V v = settings.v.size() > 0
                    ? water::rigid_part(system, settings.q, settings.v)
                    : water::maxwell_velocities(system, settings.q, settings.inverse_temperature, seed);
    motion = std::make_unique<MotionOf<decltype(langevin)>>(std::move(langevin), settings.q, v, settings.h);
  };
  const auto try_method = [&](const auto& method) {
    if (method.info.name != settings.method.name) return;
    constexpr SystemKind kind = std::decay_t<decltype(method)>::kind;
    if constexpr (kind == SystemKind::constrained) {
      make_on(rigid, method);
    } else if constexpr (kind == SystemKind::split) {
      make_on(soft, method);
    } else {
      make_on(dense, method);
    }
  };
  for_each_method_of(std::tuple_cat(mechanical_methods(), constrained_methods()), try_method);
  return use(*motion);
}

}  // namespace livi::water_run

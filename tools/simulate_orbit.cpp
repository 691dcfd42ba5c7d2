// SPDX-License-Identifier: MIT
#include "simulate_orbit.hpp"

#include <livi/report/atomic_files.hpp>
#include <livi/report/report.hpp>
#include <livi/trajectory/interrupt.hpp>
#include <livi/trajectory/progress.hpp>
#include "study/program/number_texts.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iostream>
#include <memory>
#include <string>
#include <utility>

#include "simulate_rows.hpp"

namespace livi {

namespace {

namespace fs = std::filesystem;

/// Makes the problem of a run. Throws InvalidParameter unless the start has a finite energy, before a method asks for more.
Problem started_problem(const Settings& settings) {
  Problem problem =
      make_problem(*settings.system, static_cast<std::size_t>(settings.q.size()), settings.system_options);
  const double energy = problem.energy(settings.q, settings.v);
  if (!std::isfinite(energy))
    throw InvalidParameter("energy of --q and --v", energy, "must be finite; bodies at one place have none");
  return problem;
}

class Runner {
 public:
  Runner(Settings settings, Files files, std::optional<Checkpoint> resumed)
      : settings_(std::move(settings)),
        files_(std::move(files)),
        resumed_(std::move(resumed)),
        problem_(started_problem(settings_)),
        simulation_(
            settings_.method->start(problem_, settings_.q, settings_.v, settings_.h, settings_.method_options)) {
    failure_ = simulation_->read(reading_);
    if (!failure_.ok()) return;
    first_energy_ = problem_.energy(reading_.q, reading_.v);
    if (resumed_) resume();
  }

  int run() {
    if (!failure_.ok()) return report_failure("before the first step: " + failure_.describe());
    const Interrupt interrupt;
    try {
      open_rows();
      return finish(integrate(interrupt), interrupt);
    } catch (const ReportError& error) {
      // What is kept is decided here, and said.
      std::string message = error.what();
      if (rows_) {
        const bool delivered = rows_->delivered(), kept = rows_->kept() > 0;
        const fs::path partial = rows_->partial();
        rows_.reset();
        message += delivered ? "\nthe rows are in " + files_.out.string()
                   : kept ? "\nthe rows up to step " + std::to_string(kept_step_) + " are kept in " + partial.string() +
                                "; to continue: livi-simulate --resume " + files_.checkpoint.string()
                          : "\nno rows of this run were kept";
      }
      throw ReportError(message);
    }
  }

 private:
  [[nodiscard]] bool adaptive() const { return settings_.method->adaptive; }
  /// Returns the time of the state.
  [[nodiscard]] double time() const {
    if (time_of_row_) return *time_of_row_;
    const std::optional<Clock> clock = simulation_->clock();
    return clock ? clock->time : static_cast<double>(reached_) * settings_.h;
  }
  [[nodiscard]] bool complete() const {
    return adaptive() ? time() >= settings_.end_time : reached_ == settings_.steps;
  }

  void resume() {
    simulation_->load(resumed_->state);
    reached_ = resumed_->step;
    if (settings_.every_time > 0)
      for (next_row_ = std::floor(time() / settings_.every_time); next_row_ * settings_.every_time <= time();)
        ++next_row_;
    // The last of adaptive steps goes beyond the end of its run, which may be asked for again.
    const bool another_end = resumed_->setting("T") != shortest(settings_.end_time);
    if (adaptive() ? another_end && time() > settings_.end_time : reached_ > settings_.steps)
      throw InvalidParameter("--T", shortest(settings_.end_time),
                             "must be at least " + shortest(time()) + ", the time that the checkpoint has reached");
    if (adaptive() && reached_ > settings_.steps)
      throw InvalidParameter("--steps-limit", settings_.steps,
                             "must be at least " + std::to_string(reached_) + ", the steps of the checkpoint");
  }

  void open_rows() {
    if (files_.out.empty()) return;
    if (resumed_ && resumed_->setting("rows") != "none") {
      const std::string& rows = resumed_->setting("rows");
      const std::size_t space = std::min(rows.find(' '), rows.size());
      rows_.emplace(files_.out,
                    parse<std::uintmax_t>("rows of the checkpoint", rows.substr(0, space), "must be a size"),
                    rows.substr(std::min(space + 1, rows.size())));
      if (rows_->kept() > 0) kept_step_ = reached_;
    } else {
      rows_.emplace(files_.out);
      std::string names = adaptive() ? "time,dt" : "time";
      const auto several = [&](const std::string& name) {
        for (Eigen::Index i = 1; i <= settings_.q.size(); ++i) names += "," + name + std::to_string(i);
      };
      several("q");
      several("v");
      names += ",energy,energy_error";
      if (problem_.constraint) names += ",constraint_defect";
      if (reading_.physical_q.size() > 0) several("physical_q");
      rows_->append(names + "\n");
    }
  }

  RunOutcome integrate(const Interrupt& interrupt) {
    Progress progress =
        adaptive() ? Progress::of_time(settings_.end_time, time()) : Progress(settings_.steps, reached_);
    Periodically checkpoint_due(files_.interval);
    const long first = reached_;
    return simulation_->run(settings_.steps - first, [&](long k) {
      reached_ = first + k;
      // The row of the step that a checkpoint has reached is in its rows already.
      const bool is_new = k > 0 || !resumed_, by_time = settings_.every_time > 0;
      const bool in_table = files_.out.empty() && shown_ <= 10 && is_due_in_table();
      if (by_time && rows_ && (is_new || complete()) && !add_rows_within_step(k > 0)) return false;
      const bool of_step = is_new && rows_ && settings_.every > 0 && reached_ % settings_.every == 0;
      // The last state has its row, too. A run that is continued does without it, as the straight one does.
      const bool of_end = rows_ && !by_time && complete() && reached_ % settings_.every != 0;
      if (of_end) before_the_end_ = resumable(reached_, simulation_->save());
      // The step beyond the end has no row beside that of the end, nor has one that is at a time asked for.
      if ((of_step && !(by_time && (complete() || last_row_time_ == time()))) || of_end || in_table) {
        if (!add_row(in_table)) return false;
      }
      adaptive() ? progress.at_time(time()) : progress.at(reached_);
      if (k == 0 && has_checkpoint()) write_checkpoint();
      if (complete()) return false;
      if (reached_ == settings_.steps) return true;
      if (interrupt.requested() || (files_.stop_after >= 0 && reached_ >= files_.stop_after)) {
        interrupted_ = true;
        return false;
      }
      if (k > 0 && has_checkpoint() && checkpoint_due.due()) write_checkpoint();
      return true;
    });
  }

  int finish(const RunOutcome& outcome, const Interrupt& interrupt) {
    const std::string reached = "step " + std::to_string(reached_) +
                                (adaptive() ? ", t = " + shortest(time()) + " of " + shortest(settings_.end_time)
                                            : " of " + std::to_string(settings_.steps) + ", t = " + shortest(time()));
    const bool too_many_steps = adaptive() && !interrupted_ && !complete();
    if (!failure_.ok() || !outcome.ok() || too_many_steps) {
      const int status = report_failure(why_stopped(outcome));
      if (rows_) {
        rows_->deliver();
        say("the rows so far are in " + files_.out.string());
      }
      // A run continued from here would take the row of this step as written: where it could not be, the checkpoint
      // before stays.
      if (has_checkpoint() && failure_.ok()) write_checkpoint();
      print_table();
      return status;
    }
    if (interrupted_) {
      print_table();
      const int signal = interrupt.signal();
      const std::string by = signal == SIGTERM ? " by SIGTERM" : signal == SIGHUP ? " by SIGHUP" : "";
      if (!rows_ && !has_checkpoint()) {
        say("interrupted" + by + " at " + reached + "; nothing was kept, for want of --out and --checkpoint");
        return interrupted_status;
      }
      write_checkpoint();
      say("interrupted" + by + " at " + reached);
      if (rows_) say("the rows so far are in " + rows_->partial().string());
      say("to continue: livi-simulate --resume " + files_.checkpoint.string());
      return interrupted_status;
    }
    if (rows_) rows_->deliver();
    if (has_checkpoint()) write_checkpoint();
    print_table();
    return 0;
  }

  /// Says why the run ended early.
  [[nodiscard]] std::string why_stopped(const RunOutcome& outcome) const {
    const std::string at = "t = " + shortest(time());
    if (!failure_.ok())
      return "stopped at the row of step " + std::to_string(reached_) + ", " + at + ": " +
             (failure_.failure == Failure::not_finite ? "its energy is not finite" : failure_.describe());
    if (!outcome.ok())
      return "stopped in step " + std::to_string(reached_ + 1) + " after " + at + ": " + outcome.step.describe() +
             what_may_help(outcome.step.failure);
    return "stopped after step " + std::to_string(reached_) + ", " + at +
           ": no more steps are allowed (--steps-limit), T = " + shortest(settings_.end_time) + " is not reached";
  }

  /// Says what about the run may let a method with adaptive steps go on, or that nothing does.
  [[nodiscard]] std::string what_may_help(Failure failure) const {
    const bool no_root = failure == Failure::no_real_root, no_density = failure == Failure::no_step_density;
    if (!settings_.method->adaptive) return "";
    if (settings_.method->densities != StepDensities::none)
      return no_root || no_density || failure == Failure::no_convergence
                 ? "; a smaller --h or a larger --epsilon may go on"
                 : "";
    // Those without a density: energy-momentum steps, and the logarithmic Hamiltonian.
    if (no_root) return "; where the dt^2 term of its discrete energy changes sign there is none, whatever --h";
    return no_density ? "; W must stay < 0: where it does, a smaller --h may go on" : "";
  }

  [[nodiscard]] bool has_checkpoint() const {
    return !files_.checkpoint.empty() && !files_.checkpoint_on_interruption_only;
  }

  /// What a checkpoint continues.
  struct Resumable {
    long step;
    std::string state, rows;
  };
  [[nodiscard]] Resumable resumable(long step, std::string state) const {
    return {step, std::move(state), rows_ ? std::to_string(rows_->bytes()) + " " + rows_->checksum() : "none"};
  }

  void write_checkpoint() {
    if (rows_ && !rows_->delivered()) rows_->sync();
    const Resumable now = before_the_end_ ? *before_the_end_ : resumable(reached_, simulation_->save());
    Checkpoint checkpoint{settings_.words, now.step, now.state};
    checkpoint.settings.emplace_back("out", files_.out.string());
    checkpoint.settings.emplace_back("rows", now.rows);
    write_file_atomically(files_.checkpoint, checkpoint.text());
    if (!rows_) return;
    rows_->keep();
    kept_step_ = reached_;
  }

  [[nodiscard]] double defect() const {
    Vector<double, Dynamic> g;
    problem_.constraint->value(reading_.q, g);
    return max_magnitude(g);
  }

  /// Writes the rows at the times asked for within the last step. Those of the step that ends the run depend on the end:
  /// a run that is continued makes it again.
  bool add_rows_within_step(bool is_step) {
    const double now = time(), every = settings_.every_time, end = settings_.end_time;
    if (complete() && is_step) before_the_end_ = resumable(reached_ - 1, simulation_->save_before());
    const auto add_row_at = [&](double row_time) {
      time_of_row_ = last_row_time_ = row_time;
      const bool ok = add_row(false);
      time_of_row_.reset();
      return ok;
    };
    for (; next_row_ * every <= std::min(now, end); ++next_row_) {
      // The end itself, where rounding hides that it is a multiple.
      if (end - next_row_ * every < 1e-9 * every) break;
      if (!add_row_at(next_row_ * every)) return false;
    }
    const bool has_end = (next_row_ - 1) * every > end - 1e-9 * every;
    return now < end || has_end || add_row_at(end);
  }

  /// To the file or the table; false, with the failure noted, when something about the state is not finite.
  bool add_row(bool in_table) {
    failure_ = simulation_->read(reading_);
    if (!failure_.ok()) return false;
    if (time_of_row_) simulation_->read_at(*time_of_row_, reading_);
    const double energy = problem_.energy(reading_.q, reading_.v), error = energy - first_energy_;
    if (!std::isfinite(error) || !all_finite(reading_.v) || !all_finite(reading_.physical_q)) {
      failure_ = {Failure::not_finite, -1};
      return false;
    }
    const std::optional<Clock> clock = simulation_->clock();
    if (in_table) {
      char text[32];
      const auto add = [&](double x) {
        std::snprintf(text, sizeof text, "%14.6g", x);
        table_ += text;
      };
      add(time());
      if (clock) add(clock->last_step);
      for (const double x : reading_.q.head(shown_positions())) add(x);
      add(error);
      if (problem_.constraint) add(defect());
      table_ += "\n";
      while (shown_ <= 10 && is_due_in_table()) ++shown_;
    }
    if (rows_) {
      std::string& row = row_;
      row = shortest(time());
      const auto add = [&](double x) { (row += ',') += shortest(x); };
      if (clock) add(clock->last_step);
      for (const double x : reading_.q) add(x);
      for (const double x : reading_.v) add(x);
      add(energy);
      add(error);
      if (problem_.constraint) add(defect());
      for (const double x : reading_.physical_q) add(x);
      row += '\n';
      rows_->append(row);
    }
    return true;
  }

  /// The table shows the first positions of a long chain, files have them all.
  [[nodiscard]] Eigen::Index shown_positions() const { return std::min<Eigen::Index>(settings_.q.size(), 8); }
  /// Eleven rows, equally spaced as far as whole steps allow.
  [[nodiscard]] bool is_due_in_table() const {
    const auto part = [&](double whole) { return whole * static_cast<double>(shown_) / 10; };
    return adaptive() ? time() >= part(settings_.end_time)
                      : reached_ >= static_cast<long>(std::floor(part(static_cast<double>(settings_.steps))));
  }

  void print_table() const {
    if (!files_.out.empty()) return;
    const Properties properties = simulation_->declares();
    std::string names = "          time";
    const auto add = [&](const std::string& name) {
      names += std::string(name.size() < 14 ? 14 - name.size() : 1, ' ') + name;
    };
    if (adaptive()) add("dt");
    for (Eigen::Index i = 1; i <= shown_positions(); ++i) add("q" + std::to_string(i));
    add("energy error");
    if (problem_.constraint) add("defect");
    std::cout << settings_.describe() << "\n"
              << properties.name << ": order " << properties.order << (properties.symmetric ? ", symmetric" : "")
              << (properties.symplectic ? ", symplectic" : "") << " (" << properties.source << ")\n"
              << names << "\n"
              << table_;
  }

  int report_failure(const std::string& what) {
    say(what);
    const std::string state = "last good state: step " + std::to_string(reached_) + ", t = " + shortest(time()) +
                              ", q = " + join(simulation_->position()) + ", v = " + join(simulation_->velocity());
    say(state);
    return failed_status;
  }

  static void say(const std::string& line) { std::cerr << "livi-simulate: " << line << "\n"; }

  Settings settings_;
  Files files_;
  std::optional<Checkpoint> resumed_;
  Problem problem_;
  std::unique_ptr<Simulation> simulation_;
  std::optional<Rows> rows_;
  Reading reading_;
  StepOutcome failure_;
  double first_energy_ = 0;
  long reached_ = 0, kept_step_ = 0, shown_ = 0;
  bool interrupted_ = false;
  double next_row_ = 0;                      ///< number of the next row at a multiple of every_time
  double last_row_time_ = -1;                ///< time of the last row at a time asked for
  std::optional<double> time_of_row_;        ///< time of the row that is being written within the last step
  std::optional<Resumable> before_the_end_;  ///< where its rows are at times asked for
  std::string row_, table_;
};

}  // namespace

int run_orbit(Settings settings, Files files, std::optional<Checkpoint> resumed) {
  return Runner(std::move(settings), std::move(files), std::move(resumed)).run();
}

}  // namespace livi

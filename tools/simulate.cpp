// SPDX-License-Identifier: MIT
// livi-simulate: the integrators and systems of the library from the shell.
//
//   livi-simulate
//   livi-simulate --system kepler --method velocity-verlet --h 0.005 --T 1000 --every 20 --out kepler.csv
//   livi-simulate --form constrained --method rattle --T 1e6 --every 1000 --out long.csv --checkpoint long.checkpoint
#include <livi/catalogue/methods.hpp>
#include <livi/report/atomic_files.hpp>
#include <livi/report/report.hpp>
#include <livi/trajectory/interrupt.hpp>
#include <livi/trajectory/progress.hpp>
#include "study/program/command_line.hpp"
#include "study/program/number_texts.hpp"
#include "study/program/parallel.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "simulate_ensemble.hpp"
#include "simulate_rows.hpp"
#include "simulate_run.hpp"
#include "simulate_settings.hpp"

namespace livi {

namespace {

namespace fs = std::filesystem;

constexpr const char* documentation =
    R"(Simulates a mechanical system and shows or writes its orbit.

Examples:
  livi-simulate                    the double pendulum of TO14 4.1 (penalised, omega 20) by Zhang and Skeel's method
  livi-simulate --system kepler --method velocity-verlet --h 0.005 --T 1000 --every 20 --out kepler.csv
  livi-simulate --form constrained --method rattle --T 1e6 --every 1000 --out long.csv --checkpoint long.checkpoint
  livi-simulate --system kepler --eccentricity 0.9 --method hamiltonian-adaptive-verlet --h 0.03 --T 100 --out orbit.csv
  livi-simulate --system sphere-pendulum --noise 0.5*q1,0.5*q3 --paths 10000 --h 0.05 --T 10 --out means.csv
  livi-simulate --system water-in-field --method geodesic-baoab --temperature 0.6 --h 0.05 --T 20 --out means.csv
)";

constexpr const char* footer =
    R"(Rows (--out), those of every --every-th step and of the last: one line of names, then time, q1.., v1.., energy, energy_error (energy minus that of the start) and, where
they have a meaning, constraint_defect (the largest |g_i|) and physical_q1.. . Methods that step another position than
the physical one (zhang-skeel, pushforward-newmark) take --q as, and write in q1.., the x of the paper; physical_q is
x + beta h^2 a. v of shake is its tangent velocity. Numbers are the shortest that read back unchanged.

Methods with adaptive steps (--list) are given a fictitious step --h and a step density sigma (--density, --epsilon):
steps in time are about sigma h. Their rows begin with time and dt, the length of the step that led there (0 at the
start). The run ends with the first step at or beyond --T, which nothing shortens, or fails after --steps-limit steps.
symplectic-energy-momentum takes --h for its first step and chooses the others itself. With --every-time D the rows are
those at the times 0, D, 2 D, ... and T itself, with the dt of the step that each lies in: the cubic polynomial through
positions and velocities at both ends of the step, whose errors are of order four in q and three in v and the energy.
With --every K, too, the rows of every K-th step before T are among them: --every 10 --every-time T ends at T itself.

Under noise (--list has the systems and methods) a run follows --paths paths from one start, along Brownian motions of
--seed, on --threads threads. Its rows are means over paths: time, paths (how many the means are over), ended,
q1, error_of_q1, ..., v1, error_of_v1, ..., energy_growth (energy minus that of the start), error_of_energy_growth,
constraint_defect and velocity_defect, the largest |g_i| and |(Dg v)_i| of a path. Errors are standard errors over paths,
left empty for one path. The paths --single go to --single-out: time, path, q1.., v1.., energy, energy_error. The rows do
not depend on the number of threads. Runs with one --seed and one --span follow the same paths whatever --h is: by
default those whose --h differ by powers of two, below 1. A step for which no multiplier exists ends its path: path, step,
time and h |p| are said for the first ten, and written for all to --ended-out. The other paths go on; the means are over
these from then on, which is no fair sample, and the exit status is 1.

constrained-obabo and geodesic-baoab put these systems into a heat bath: --friction is the rate at which momenta are
forgotten, --temperature that of the bath in units of the energy. They take no --noise and no --span: each step has
normal numbers of its own, of --seed, path and step, so that runs with different --h follow different paths. Their rows
have kinetic_temperature, v.M v over the degrees of freedom, and error_of_kinetic_temperature after the energy.

Without --out, a table of eleven rows goes to the standard output. --q without --v starts at rest.

While a run lasts its rows are in OUT.partial, which replaces OUT when it is complete; what an earlier run has left in
OUT.partial is overwritten. A checkpoint is written at the start, every minute, at the end and on interruption (Ctrl-C,
SIGTERM; to OUT.checkpoint when --checkpoint is not given); where the numbers of a row fail, the last one before stays.
--resume FILE continues, to the last bit, the run that wrote FILE: other options need not be repeated; --T may be larger
than it was, and --steps-limit another.

Exit status: 0 done; 1 the numbers failed (no convergence, a singular matrix, a value that is not finite, no adaptive
step or too many): step, time and last good state are printed, and the rows so far delivered; under noise, some paths have
ended: the rows are delivered; 2 bad input or a file that cannot be read or written; 130 interrupted.)";

// --- One run ---------------------------------------------------------------------------------------------------------

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
      return "stopped in step " + std::to_string(reached_ + 1) + " after " + at + ": " + outcome.step.describe();
    return "stopped after step " + std::to_string(reached_) + ", " + at +
           ": no more steps are allowed (--steps-limit), T = " + shortest(settings_.end_time) + " is not reached";
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

/// Those with adaptive steps, or all others; names in so many columns.
void print_methods(bool adaptive, int columns) {
  const auto line = [columns](const std::string& name, const std::string& order, const std::string& symmetric,
                              const std::string& symplectic, const std::string& limit, const std::string& source) {
    char text[512];
    std::snprintf(text, sizeof text, "  %-*s %-7s%-11s%-12s%-16s%s\n", columns, name.c_str(), order.c_str(),
                  symmetric.c_str(), symplectic.c_str(), limit.c_str(), source.c_str());
    std::cout << text;
  };
  line("", "order", "symmetric", "symplectic", adaptive ? "densities of" : "h omega below", "source");
  for (const MethodEntry& method : simulated_methods()) {
    if (method.adaptive != adaptive) continue;
    const Settings settings = resolve({{"method", method.name}});
    const Problem problem = make_problem(*settings.system, 4, settings.system_options);
    const auto simulation = method.start(problem, settings.q, settings.v, settings.h, settings.method_options);
    const Properties properties = simulation->declares();
    char limit[32] = "-";
    if (std::isfinite(properties.stability_limit))
      std::snprintf(limit, sizeof limit, "%.4g", properties.stability_limit);
    line(method.name, std::to_string(properties.order), properties.symmetric ? "yes" : "no",
         properties.symplectic             ? "yes"
         : properties.conjugate_symplectic ? "conjugate"
                                           : "no",
         method.densities == StepDensities::of_position ? "q"
         : method.densities == StepDensities::of_state  ? "q, or q and v"
         : properties.stability_limit == unlimited      ? "no limit"
                                                        : limit,
         properties.source);
  }
}

void print_list() {
  std::cout << "systems (--system), and where they start:\n";
  for (const SystemEntry& entry : simulated_systems()) {
    const DensityEntry& density = *std::ranges::find(density_entries(), entry.density, &DensityEntry::name);
    std::cout << "  " << entry.name << "\n      " << entry.description << "\n      q and v: " << entry.allowed_sizes
              << "; default " << (entry.make_start != nullptr ? entry.start : "--q=" + entry.q + " --v=" + entry.v)
              << "\n      --h=" << entry.h << "; adaptive steps: --density=" << entry.density
              << (density.has_epsilon ? " --epsilon=" + entry.epsilon : "") << "\n";
  }
  std::cout << "\nmethods (--method), as they declare themselves (with beta 0.4):\n";
  print_methods(false, 23);
  std::cout << "\nmethods with adaptive steps:\n";
  print_methods(true, 38);
  std::cout << "\nstep densities (--density); W is the potential, E0 the energy of the start:\n";
  for (const DensityEntry& density : density_entries()) {
    char text[128];
    std::snprintf(text, sizeof text, "  %-23s sigma = %s\n", density.name.c_str(), density.formula.c_str());
    std::cout << text;
  }
  print_stochastic_list();
}

/// Refuses what is for runs under noise alone.
void require_without_noise(const Files& files, bool threads_given) {
  const std::string reason = "has no meaning for a run without noise";
  if (threads_given) throw InvalidParameter("--threads", files.threads, reason);
  if (!files.single_out.empty()) throw InvalidParameter("--single-out", files.single_out.string(), reason);
  if (!files.ended_out.empty()) throw InvalidParameter("--ended-out", files.ended_out.string(), reason);
}

/// The files must be different ones, those in progress as well.
void require_different_files(const Files& files, const std::string& resume) {
  const std::pair<const char*, const fs::path*> all[] = {{"--checkpoint", &files.checkpoint},
                                                         {"--out", &files.out},
                                                         {"--single-out", &files.single_out},
                                                         {"--ended-out", &files.ended_out}};
  // A folder that is not there is a slip of the pen more often than not: it is not made, and known before any work. The checkpoint
  // that nobody has named is beside the rows.
  for (const auto& [option, file] : all) {
    std::error_code ignored;
    if (file == &files.checkpoint && files.checkpoint_on_interruption_only) continue;
    if (file->has_parent_path() && !fs::is_directory(file->parent_path(), ignored))
      throw InvalidParameter(option, file->string(), "must be in a folder that is there");
  }
  for (const auto& [option, file] : all) {
    if (file->empty()) continue;
    require_file_or_nothing(option, *file);
    const std::string name = option;
    if (!resume.empty() && name != "--checkpoint") require_different(name, *file, "--resume", resume);
    for (const auto& [other_option, other] : all) {
      if (other == file) break;
      if (!other->empty()) require_different(name, *file, other_option, *other);
    }
    for (const auto& [other_option, other] : {all[1], all[2]})
      if (other != file && !other->empty())
        require_different(name, *file, std::string(other_option) + " in progress", Rows::partial_of(*other));
  }
}

/// Reads the checkpoint that --resume names.
Checkpoint resumed_from(const std::string& resume) {
  std::error_code ignored;
  if (fs::is_directory(resume, ignored)) throw InvalidParameter("--resume", resume, "must be a file, and is a folder");
  if (access(resume.c_str(), R_OK) != 0)
    throw InvalidParameter("--resume", resume,
                           "must be a checkpoint that can be read: " + std::generic_category().message(errno));
  return read_checkpoint(resume);
}

int simulate(Options given, Files files, const std::string& resume, bool threads_given) {
  std::optional<Checkpoint> resumed;
  if (!resume.empty()) {
    resumed = resumed_from(resume);
    Options recorded;
    for (const OptionEntry& option : option_entries()) {
      const auto found = std::find_if(resumed->settings.begin(), resumed->settings.end(),
                                      [&](const auto& setting) { return setting.first == option.name; });
      if (found != resumed->settings.end()) recorded[option.name] = found->second;
    }
    for (const OptionEntry& option : option_entries()) {
      const auto wanted = given.find(option.name);
      if (wanted == given.end() || option.may_change) continue;
      const auto has = recorded.find(option.name);
      if (has == recorded.end() || has->second != canonical(option, wanted->second))
        throw InvalidParameter(std::string("--") + option.name, wanted->second,
                               "must be as in the checkpoint " + resume + ", whose run has " +
                                   (has == recorded.end() ? "no " + std::string(option.name) : has->second));
    }
    for (const OptionEntry& option : option_entries())
      if (option.may_change && given.count(option.name) > 0) recorded[option.name] = given.at(option.name);
    given = recorded;
    const fs::path recorded_out = resumed->setting("out");
    if (recorded_out.empty() && !files.out.empty())
      throw InvalidParameter("--out", files.out.string(),
                             "cannot be added now: the checkpoint " + resume + " is of a run without");
    if (files.out.empty()) files.out = recorded_out;
    if (is_under_noise(given)) {
      const fs::path recorded_single = resumed->setting("single-out");
      if (recorded_single.empty() && !files.single_out.empty())
        throw InvalidParameter("--single-out", files.single_out.string(),
                               "cannot be added now: the checkpoint " + resume + " is of a run without");
      if (files.single_out.empty()) files.single_out = recorded_single;
      if (files.ended_out.empty()) files.ended_out = resumed->setting("ended-out");
    }
    if (files.checkpoint.empty()) files.checkpoint = resume;
  }
  const fs::path& rows = files.out.empty() ? files.single_out : files.out;
  if (files.checkpoint.empty() && !rows.empty()) {
    files.checkpoint = rows.string() + ".checkpoint";
    files.checkpoint_on_interruption_only = true;
  }
  if (is_under_noise(given)) {
    EnsembleSettings settings = resolve_ensemble(given, !files.single_out.empty());
    require_different_files(files, resume);
    return run_ensemble(std::move(settings), std::move(files), std::move(resumed));
  }
  require_without_noise(files, threads_given);
  Settings settings = resolve(given);
  require_different_files(files, resume);
  return Runner(std::move(settings), std::move(files), std::move(resumed)).run();
}

}  // namespace

}  // namespace livi

int main(int argc, char** argv) {
  // A file that grows beyond the limit of its size is an error of write(), as a full disk is.
  std::signal(SIGXFSZ, SIG_IGN);
  livi::CommandLine application(livi::documentation, "livi-simulate");
  application.footer(livi::footer);
  std::map<std::string, std::string> texts;
  for (const auto& option : livi::option_entries())
    application.add_option(std::string("--") + option.name, texts[option.name], option.help);
  std::string out, checkpoint, resume, interval = "60", stop_after = "-1", single_out, ended_out, threads;
  application.add_option("--out", out, "write the rows to this file (CSV)");
  application.add_option("--single-out", single_out,
                         "under noise: write rows of the paths --single to this file (CSV)");
  application.add_option("--ended-out", ended_out, "under noise: write the paths that have ended to this file (CSV)");
  application.add_option("--threads", threads, "under noise: threads that share the paths (default: one a processor)");
  application.add_option("--checkpoint", checkpoint, "write checkpoints to this file (default: that of --resume)");
  application.add_option("--checkpoint-interval", interval, "seconds between two checkpoints (default 60)");
  application.add_option("--resume", resume, "continue from this checkpoint");
  application.add_option("--stop-after", stop_after, "", {.hidden = true});  // as if interrupted after this step
  bool list = false;
  application.add_flag("--list", list, "the systems and methods, with what each method declares");
  return application.run(argc, argv, [&] {
    if (list) {
      for (const std::string& option : application.all_given())
        if (option != "--list") throw livi::InvalidParameter("--list", "with " + option, "must be the only option");
      livi::print_list();
      return 0;
    }
    for (const auto& [option, file] : {std::pair{"--out", &out},
                                       {"--checkpoint", &checkpoint},
                                       {"--resume", &resume},
                                       {"--single-out", &single_out},
                                       {"--ended-out", &ended_out}})
      if (application.given(option) && file->empty()) throw livi::InvalidParameter(option, "''", "must name a file");
    livi::Options given;
    for (const auto& option : livi::option_entries())
      if (application.given(std::string("--") + option.name)) given[option.name] = texts[option.name];
    livi::Files files{.out = out,
                      .checkpoint = checkpoint,
                      .single_out = single_out,
                      .ended_out = ended_out,
                      .interval = livi::parse_number("--checkpoint-interval", interval),
                      .stop_after = livi::parse_count("--stop-after", stop_after),
                      .threads = livi::processors()};
    const bool threads_given = application.given("--threads");
    if (threads_given) files.threads = static_cast<unsigned>(livi::parse_count("--threads", threads, 1, 1024));
    if (!(files.interval >= 0))
      throw livi::InvalidParameter("--checkpoint-interval", interval, "must be a number of seconds >= 0");
    return livi::simulate(given, files, resume, threads_given);
  });
}

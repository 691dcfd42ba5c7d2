// SPDX-License-Identifier: MIT
#include "simulate_ensemble.hpp"

#include <livi/report/atomic_files.hpp>
#include <livi/report/report.hpp>
#include <livi/trajectory/interrupt.hpp>
#include <livi/trajectory/progress.hpp>
#include "study/program/number_texts.hpp"
#include "study/program/parallel.hpp"

#include <algorithm>
#include <cstdio>
#include <iostream>
#include <memory>

#include "simulate_rows.hpp"

namespace livi {

namespace {

namespace fs = std::filesystem;

/// Paths that have ended are told one by one as far as this.
constexpr std::size_t told_one_by_one = 10;

void say(const std::string& line) { std::cerr << "livi-simulate: " << line << "\n"; }

/// Returns a number, or nothing for what is not known.
std::string known(double x) { return std::isnan(x) ? "" : shortest(x); }

class EnsembleRunner {
 public:
  EnsembleRunner(EnsembleSettings settings, Files files, std::optional<Checkpoint> resumed)
      : settings_(std::move(settings)),
        files_(std::move(files)),
        resumed_(std::move(resumed)),
        ensemble_(settings_.method->start(*settings_.system, settings_.noise, settings_.q, settings_.v,
                                          settings_.method_options, settings_.ensemble)) {
    if (!std::isfinite(ensemble_->energy_of_start()))
      throw InvalidParameter("energy of --q and --v", ensemble_->energy_of_start(), "must be finite");
    if (resumed_) {
      ensemble_->load(resumed_->state);
      reached_ = resumed_->step;
      ended_ = ensemble_->ended().size();
      if (reached_ > settings_.steps)
        throw InvalidParameter(
            "--T", shortest(settings_.end_time),
            "must be at least " + shortest(time_of(reached_)) + ", the time that the checkpoint has reached");
    }
  }

  int run() {
    const Interrupt interrupt;
    for (std::size_t i = 0; i < settings_.noise.terms.size(); ++i)
      if (const auto& term = settings_.noise.terms[i]; term.force.isZero(0) && term.matrix.isZero(0))
        say("noise " + std::to_string(i + 1) + " of --noise is zero: it drives nothing");
    try {
      if (!files_.out.empty()) open(rows_, files_.out, "rows", names_of_means());
      if (!files_.single_out.empty()) open(points_, files_.single_out, "single-rows", names_of_points());
      integrate(interrupt);
      return finish(interrupt);
    } catch (const ReportError& error) {
      // What is kept is decided here, and said.
      std::string message = error.what();
      bool kept = false;
      for (const auto& [rows, file] : {std::pair{&rows_, &files_.out}, {&points_, &files_.single_out}}) {
        if (!*rows) continue;
        if ((*rows)->delivered()) message += "\nthe rows are in " + file->string();
        kept = kept || (!(*rows)->delivered() && (*rows)->kept() > 0);
      }
      message += kept ? "\nto continue: livi-simulate --resume " + files_.checkpoint.string() : "";
      rows_.reset();
      points_.reset();
      throw ReportError(message);
    }
  }

 private:
  [[nodiscard]] double time_of(long step) const { return static_cast<double>(step) * settings_.h; }
  [[nodiscard]] bool has_checkpoint() const {
    return !files_.checkpoint.empty() && !files_.checkpoint_on_interruption_only;
  }
  [[nodiscard]] bool in_a_bath() const { return settings_.method->has(bath_friction); }
  [[nodiscard]] bool all_ended() const { return static_cast<long>(ended_) == ensemble_->paths(); }

  void open(std::optional<Rows>& rows, const fs::path& file, const std::string& setting, const std::string& names) {
    if (resumed_ && resumed_->setting(setting) != "none") {
      const std::string& text = resumed_->setting(setting);
      const std::size_t space = std::min(text.find(' '), text.size());
      rows.emplace(file, parse<std::uintmax_t>(setting + " of the checkpoint", text.substr(0, space), "must be a size"),
                   text.substr(std::min(space + 1, text.size())));
    } else {
      rows.emplace(file);
      rows->append(names);
    }
  }
  /// Returns ",text1,text2,..." for each coordinate.
  [[nodiscard]] std::string several(const std::string& before, const std::string& after = "") const {
    std::string names;
    for (Eigen::Index i = 1; i <= settings_.q.size(); ++i) {
      names += "," + before + std::to_string(i);
      if (!after.empty()) names += "," + after + before + std::to_string(i);
    }
    return names;
  }
  [[nodiscard]] std::string names_of_means() const {
    return "time,paths,ended" + several("q", "error_of_") + several("v", "error_of_") +
           ",energy_growth,error_of_energy_growth" +
           (in_a_bath() ? ",kinetic_temperature,error_of_kinetic_temperature" : "") +
           ",constraint_defect,velocity_defect\n";
  }
  [[nodiscard]] std::string names_of_points() const {
    return "time,path" + several("q") + several("v") + ",energy,energy_error\n";
  }

  /// Returns how many steps are made at once: rows of all parts are to take little memory, and an interruption little time.
  [[nodiscard]] long steps_at_once() const {
    constexpr long most_path_steps = 1 << 15, most_numbers = 1 << 21;
    const long of_work = std::max(1L, most_path_steps / ensemble_->paths());
    const long numbers_of_row = ensemble_->parts() * (2 * static_cast<long>(settings_.q.size()) + 1) +
                                static_cast<long>(settings_.shown.size()) * 2 * static_cast<long>(settings_.q.size());
    const long rows = std::max(1L, most_numbers / numbers_of_row);
    // Rows times `every` may be more than a long holds.
    return settings_.every > of_work / rows ? of_work : std::min(of_work, rows * settings_.every);
  }

  void integrate(const Interrupt& interrupt) {
    Progress progress(settings_.steps, reached_);
    Periodically checkpoint_due(files_.interval);
    const long at_once = steps_at_once();
    if (!resumed_) advance(0, rows_ || points_ ? settings_.every : 1, true);
    if (has_checkpoint()) write_checkpoint();
    while (reached_ < settings_.steps && !all_ended()) {
      if (interrupt.requested() || (files_.stop_after >= 0 && reached_ >= files_.stop_after)) {
        interrupted_ = true;
        return;
      }
      if (checkpoint_due.due() && has_checkpoint()) write_checkpoint();
      long last = std::min(settings_.steps - reached_ > at_once ? reached_ + at_once : settings_.steps,
                           files_.stop_after >= 0 ? std::max(files_.stop_after, reached_ + 1) : settings_.steps);
      long every = settings_.every;
      if (files_.out.empty() && files_.single_out.empty()) {
        // One row at each of ten times.
        long next = settings_.steps;
        for (long k = 10; k >= 1; --k)
          if (table_step(k) > reached_) next = table_step(k);
        last = std::min(last, next);
        every = next;
      }
      advance(last, every, false);
      progress.at(reached_);
    }
    add_row_of_the_end();
  }
  /// The last state has its row, too, if it is no multiple of `every`. A run that is continued does without it, as the straight one
  /// does: its checkpoint is that before.
  void add_row_of_the_end() {
    if ((!rows_ && !points_) || reached_ < settings_.steps || reached_ % settings_.every == 0) return;
    if (has_checkpoint()) before_the_end_ = checkpoint();
    advance(reached_, settings_.every, true);
  }
  [[nodiscard]] long table_step(long k) const {
    return static_cast<long>(std::floor(static_cast<double>(settings_.steps) * static_cast<double>(k) / 10));
  }

  void advance(long last, long every, bool with_first) {
    const auto parts =
        for_each_case(static_cast<std::size_t>(ensemble_->parts()), files_.threads, [&](std::size_t part) {
          return ensemble_->advance(static_cast<long>(part), reached_, last, every, with_first, settings_.shown);
        });
    Stretch all = parts.front();
    for (std::size_t part = 1; part < parts.size(); ++part) all.add(parts[part]);
    std::ranges::stable_sort(all.points, {}, &PathPoint::row);
    std::ranges::stable_sort(all.ended, {}, &FailedStep::step);
    const long before = reached_ / every;
    // The row of `reached_` comes first, and those of multiples after it.
    const auto step_of = [&](long row) {
      return with_first && row == 0 ? reached_ : (before + row + (with_first ? 0 : 1)) * every;
    };
    for (std::size_t k = 0; k < all.rows.size(); ++k) {
      if (all.rows[k].paths() == 0) break;
      add_row(step_of(static_cast<long>(k)), all.rows[k]);
    }
    for (const PathPoint& point : all.points) add_point(step_of(point.row), point);
    for (const FailedStep& ended : all.ended)
      if (++ended_ <= told_one_by_one) tell(ended);
    if (ended_ > told_one_by_one && !all.ended.empty() && ended_ - all.ended.size() <= told_one_by_one)
      say("more paths have ended, which are counted only (all: --ended-out)");
    reached_ = last;
  }

  void add_row(long step, const EnsembleRow& row) {
    const long n = static_cast<long>(settings_.q.size());
    if (rows_) {
      std::string text = shortest(time_of(step)) + "," + std::to_string(row.paths()) + "," +
                         std::to_string(ensemble_->paths() - row.paths());
      const auto add = [&](const RunningMoments& of) {
        text += "," + known(of.mean()) + "," + known(of.standard_error());
      };
      for (const RunningMoments& of : row.of_state) add(of);
      add(row.energy_growth);
      if (in_a_bath()) add(row.kinetic_temperature);
      rows_->append(text + "," + shortest(row.constraint_defect) + "," + shortest(row.velocity_defect) + "\n");
    } else if (files_.single_out.empty()) {
      const auto add = [&](double x) {
        char text[40] = "             -";  // what is not known
        if (!std::isnan(x)) std::snprintf(text, sizeof text, "%14.6g", x);
        table_ += text;
      };
      add(time_of(step));
      add(static_cast<double>(row.paths()));
      add(row.energy_growth.mean());
      add(row.energy_growth.standard_error());
      if (in_a_bath()) {
        add(row.kinetic_temperature.mean());
        add(row.kinetic_temperature.standard_error());
      }
      for (long i = 0; i < std::min(n, 6L); ++i) add(row.of_state[static_cast<std::size_t>(i)].mean());
      add(row.constraint_defect);
      table_ += "\n";
    }
  }
  void add_point(long step, const PathPoint& point) {
    if (!points_) return;
    std::string text = shortest(time_of(step)) + "," + std::to_string(point.path);
    for (const double x : point.q) text += "," + shortest(x);
    for (const double x : point.v) text += "," + shortest(x);
    points_->append(text + "," + shortest(point.energy) + "," + shortest(point.energy - ensemble_->energy_of_start()) +
                    "\n");
  }
  void tell(const FailedStep& ended) const {
    const auto step = static_cast<long>(ended.step);
    say("path " + std::to_string(ended.path) + " ended in step " + std::to_string(step + 1) + " after t = " +
        shortest(time_of(step)) + ": " + ended.outcome.describe() + "; h |p| = " + shortest(ended.h_times_momentum) +
        (std::isnan(ended.largest_increment)
             ? ""
             : ", largest increment of its noises " + shortest(ended.largest_increment)));
  }

  [[nodiscard]] Checkpoint checkpoint() const {
    Checkpoint checkpoint{settings_.words, reached_, ensemble_->save()};
    const auto add = [&](const std::string& name, const fs::path& file, const std::string& setting,
                         const std::optional<Rows>& rows) {
      checkpoint.settings.emplace_back(name, file.string());
      checkpoint.settings.emplace_back(
          setting, rows ? std::to_string(rows->bytes()) + " " + rows->checksum() : std::string("none"));
    };
    add("out", files_.out, "rows", rows_);
    add("single-out", files_.single_out, "single-rows", points_);
    checkpoint.settings.emplace_back("ended-out", files_.ended_out.string());
    return checkpoint;
  }
  void write_checkpoint() {
    for (auto* rows : {&rows_, &points_})
      if (*rows && !(*rows)->delivered()) (*rows)->sync();
    write_file_atomically(files_.checkpoint, (before_the_end_ ? *before_the_end_ : checkpoint()).text());
    for (auto* rows : {&rows_, &points_})
      if (*rows) (*rows)->keep();
  }

  int finish(const Interrupt& interrupt) {
    const std::string reached = "step " + std::to_string(reached_) + " of " + std::to_string(settings_.steps) +
                                ", t = " + shortest(time_of(reached_));
    if (interrupted_) {
      print_table();
      const int signal = interrupt.signal();
      const std::string by = signal == SIGTERM ? " by SIGTERM" : signal == SIGHUP ? " by SIGHUP" : "";
      if (files_.checkpoint.empty()) {
        say("interrupted" + by + " at " + reached + "; nothing was kept, for want of --out and --checkpoint");
        return interrupted_status;
      }
      write_checkpoint();
      say("interrupted" + by + " at " + reached);
      for (const auto* rows : {&rows_, &points_})
        if (*rows) say("the rows so far are in " + (*rows)->partial().string());
      say("to continue: livi-simulate --resume " + files_.checkpoint.string());
      return interrupted_status;
    }
    for (auto* rows : {&rows_, &points_})
      if (*rows) (*rows)->deliver();
    if (!files_.ended_out.empty()) write_file_atomically(files_.ended_out, ended_as_text());
    if (has_checkpoint()) write_checkpoint();
    print_table();
    if (ended_ == 0) return 0;
    say(all_ended() ? "all paths have ended, the last before " + reached
                    : std::to_string(ended_) + " of " + std::to_string(ensemble_->paths()) +
                          " paths have ended; from then on means are over the others, which are no fair sample");
    return failed_status;
  }
  [[nodiscard]] std::string ended_as_text() const {
    std::string text = "path,step,time,h_times_momentum,largest_increment,reason\n";
    for (const FailedStep& of : ensemble_->ended())
      text += std::to_string(of.path) + "," + std::to_string(of.step + 1) + "," +
              shortest(time_of(static_cast<long>(of.step))) + "," + shortest(of.h_times_momentum) + "," +
              known(of.largest_increment) + "," + of.outcome.describe() + "\n";
    return text;
  }

  void print_table() const {
    if (!files_.out.empty() || !files_.single_out.empty()) return;
    const StochasticProperties declared = ensemble_->declares();
    std::string words, names;
    for (const auto& [name, value] : settings_.words) words += (words.empty() ? "" : ", ") + name + " " + value;
    const auto add = [&](const std::string& name) { names += std::string(14 - name.size(), ' ') + name; };
    for (const char* name : {"time", "paths", "energy growth", "its error"}) add(name);
    if (in_a_bath())
      for (const char* name : {"temperature", "its error"}) add(name);
    for (long i = 1; i <= std::min(static_cast<long>(settings_.q.size()), 6L); ++i)
      add("mean of q" + std::to_string(i));
    add("defect");
    std::cout << words << "\n"
              << declared.deterministic.name << ": " << orders_in_words(declared)
              << (declared.deterministic.symplectic ? ", symplectic" : "") << " (" << declared.deterministic.source
              << ")\n"
              << names << "\n"
              << table_;
  }

  EnsembleSettings settings_;
  Files files_;
  std::optional<Checkpoint> resumed_;
  std::unique_ptr<Ensemble> ensemble_;
  std::optional<Rows> rows_, points_;
  long reached_ = 0;
  std::size_t ended_ = 0;
  bool interrupted_ = false;
  std::optional<Checkpoint> before_the_end_;
  std::string table_;
};

}  // namespace

int run_ensemble(EnsembleSettings settings, Files files, std::optional<Checkpoint> resumed) {
  return EnsembleRunner(std::move(settings), std::move(files), std::move(resumed)).run();
}

void print_stochastic_list() {
  std::cout << "\nsystems under noise (--system), and where they start:\n";
  for (const StochasticSystemEntry& entry : stochastic_systems())
    std::cout << "  " << entry.name << "\n      " << entry.description << "\n      q and v: " << entry.allowed_sizes
              << "; default " << (entry.make_start != nullptr ? entry.start : "--q=" + entry.q + " --v=" + entry.v)
              << "\n      --noise=" << entry.noise << " --h=" << entry.h << "\n";
  const auto order = [](double x) { return std::isnan(x) ? std::string("-") : shortest(x); };
  char text[512];
  std::cout << "\nmethods for systems under noise (--method); strong order, that for constant K_ij, weak order:\n";
  for (const StochasticMethodEntry& entry : stochastic_methods()) {
    if (entry.has(bath_friction)) continue;
    const StochasticProperties declared = entry.declares({});
    std::snprintf(text, sizeof text, "  %-33s%-5s%-5s%-5s%-15s%s\n", entry.name.c_str(),
                  order(declared.strong_order).c_str(), order(declared.strong_order_for_constant_products).c_str(),
                  order(declared.weak_order).c_str(), declared.deterministic.symplectic ? "symplectic" : "",
                  declared.deterministic.source.c_str());
    std::cout << text;
  }
  std::cout << "\nmethods for these systems in a heat bath (--friction, --temperature, no --noise); weak order:\n";
  for (const StochasticMethodEntry& entry : stochastic_methods()) {
    if (!entry.has(bath_friction)) continue;
    const StochasticProperties declared = entry.declares({});
    std::snprintf(text, sizeof text, "  %-33s%-5s%s\n", entry.name.c_str(), order(declared.weak_order).c_str(),
                  declared.deterministic.source.c_str());
    std::cout << text;
  }
}

}  // namespace livi

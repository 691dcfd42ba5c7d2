// SPDX-License-Identifier: MIT
// livi-simulate: the integrators and systems of the library from the shell.
//
//   livi-simulate
//   livi-simulate --system kepler --method velocity-verlet --h 0.005 --T 1000 --every 20 --out kepler.csv
//   livi-simulate --form constrained --method rattle --T 1e6 --every 1000 --out long.csv --checkpoint long.checkpoint
#include <livi/catalogue/methods.hpp>
#include <livi/report/atomic_files.hpp>
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
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "simulate_ensemble.hpp"
#include "simulate_orbit.hpp"
#include "simulate_rows.hpp"
#include "simulate_run.hpp"
#include "simulate_settings.hpp"

namespace livi {

namespace {

namespace fs = std::filesystem;

constexpr const char* documentation =
    R"(Simulates a mechanical system and shows or writes its orbit.

Examples:
  $ livi-simulate  # the double pendulum of TO14 4.1 (penalised, omega 20) by Zhang and Skeel's method
  $ livi-simulate --system kepler --method velocity-verlet --h 0.005 --T 1000 --every 20 --out kepler.csv
  $ livi-simulate --form constrained --method rattle --T 1e6 --every 1000 --out long.csv --checkpoint long.checkpoint
  $ livi-simulate --system kepler --eccentricity 0.9 --method hamiltonian-adaptive-verlet --h 0.03 --T 100 --out orbit.csv
  $ livi-simulate --system sphere-pendulum --noise 0.5*q1,0.5*q3 --paths 10000 --h 0.05 --T 10 --out means.csv
  $ livi-simulate --system water-in-field --method geodesic-baoab --temperature 0.6 --h 0.05 --T 20 --out means.csv
)";

constexpr const char* footer =
    R"(Rows (--out), those of every --every-th step and of the last: one line of names, then time, q1.., v1.., energy, energy_error (energy minus that of the start) and, where
they have a meaning, constraint_defect (the largest |g_i|) and physical_q1.. . Methods that step another position than
the physical one (zhang-skeel, pushforward-newmark) take --q as, and write in q1.., the x of the paper; physical_q is
x + beta h^2 a. v of shake is its tangent velocity. Numbers are the shortest that read back unchanged.

Methods with adaptive steps (--list) are given a fictitious step --h and a step density sigma (--density, --epsilon):
steps in time are about sigma h. Their rows begin with time and dt, the length of the step that led there (0 at the
start). The run ends with the first step at or beyond --T, which nothing shortens, or fails after --steps-limit steps.
symplectic-energy-momentum takes --h for its first step and chooses the others itself. It ends, with status 1, where
v . Hess W v/4 - |grad W|^2/8 (M = 1) changes its sign along the motion: in every oscillation of one degree of freedom
about a minimum, and on Kepler's ellipses beyond --eccentricity=0.395, so by default. midpoint-energy-momentum ends where
v . Hess W v + |grad W|^2 does: nowhere as long as W is convex, and beyond --eccentricity=0.79. With --every-time D the
rows are those at the times 0, D, 2 D, ... and T itself, with the dt of the step that each lies in: the cubic polynomial
through positions and velocities at both ends of the step, whose errors are of order four in q and three in v and the
energy. With --every K, too, the rows of every K-th step before T are among them: --every 10 --every-time T ends at T
itself.

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
              << "\n      --h=" << entry.h
              << "; adaptive steps: " << (entry.adaptive_h.empty() ? "" : "--h=" + entry.adaptive_h + " ")
              << "--density=" << entry.density << (density.has_epsilon ? " --epsilon=" + entry.epsilon : "")
              << (entry.adaptive_h.empty() || !std::ranges::count(entry.kinds, SystemKind::constrained)
                      ? ""
                      : "; with constraints --h=" + entry.h + " --epsilon=" + SystemEntry::usual_epsilon)
              << "\n";
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
  return run_orbit(std::move(settings), std::move(files), std::move(resumed));
}

}  // namespace

}  // namespace livi

int main(int argc, char** argv) {
  // A file that grows beyond the limit of its size is an error of write(), as a full disk is.
  std::signal(SIGXFSZ, SIG_IGN);
  livi::CommandLine application(livi::documentation, "livi-simulate");
  application.keep_to_free_memory();
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

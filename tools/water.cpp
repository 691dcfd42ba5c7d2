// SPDX-License-Identifier: MIT
// livi-water: clusters of TIP3P water, rigid or restrained, with or without a thermal bath.
//
//   livi-water --out heptamer
//   livi-water --start hundred.xyz --method shake --friction 0 --steps 1000 --out free
//   livi-water --seeds 8 --steps 200000 --every 100 --temperature 50 --out warm      and, interrupted, once more with
//   livi-water --seeds 8 --steps 200000 --every 100 --temperature 50 --out warm --resume
#include <livi/report/atomic_files.hpp>
#include <livi/trajectory/interrupt.hpp>
#include <livi/trajectory/progress.hpp>

#include <atomic>
#include <cmath>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <limits>
#include <mutex>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "study/program/command_line.hpp"
#include "study/program/number_texts.hpp"
#include "study/program/parallel.hpp"
#include "water_run.hpp"

namespace livi {

namespace {

using namespace water_run;

constexpr int interrupted_status = 130, failed_status = 1;
/// The unit of time, Angstrom (amu mol/kcal)^(1/2), in fs.
const double time_unit = 1e5 / std::sqrt(4.184e6);
/// No atom of a start may be farther than this, in Angstrom, from where the rigid molecule nearby has it.
constexpr double farthest_from_rigid = 0.2;

constexpr const char* documentation =
    R"(Moves a cluster of TIP3P water and writes its trajectory. Units: Angstrom, amu, kcal/mol; time 48.888 fs.

Examples:
  $ livi-water --out heptamer  # (H2O)_7 of TO14 4.3 by Integrator 5 with the bath of (27)
  $ livi-water --start hundred --method shake --friction 0 --steps 1000 --out free
  $ livi-water --start mine.xyz --temperature 20 --equilibration 6000 --seeds 8 --out warm
)";

constexpr const char* footer =
    R"(A start is a named cluster or the last frame of an XYZ file, where each three atoms are one molecule (O H H in any
order). Without velocities in the file they are drawn from the Maxwell distribution of the temperature. The rigid methods
(shake, rattle) move molecules to their shape and velocities to rigid motions; no atom may be 0.2 Angstrom away.
Of the same seed the noise is the same: a run that starts from a frame of another one should have another seed.

For each seed K the run writes OUT.K.xyz (extended XYZ with velocities, frames one after the other) and OUT.K.csv
(observables), in the end OUT.json (settings, means over time after the start, and over seeds with their standard errors).
Positions are those the method steps; numbers are the shortest that read back unchanged. Temperatures are in Kelvin, by
the kinetic energy of what can move: 9 directions of a restrained molecule, 6 of a rigid one.

While a run lasts its rows are in files *.partial. A checkpoint OUT.K.checkpoint is written every minute, in the
equilibration, too, at the end and on interruption (Ctrl-C, SIGTERM). The same command with --resume continues, to the
last bit; --steps may be larger and --threads another number than it was. A run whose numbers failed ends there again.

Exit status: 0 done; 1 the numbers failed (seed, step and reason are printed; the rows so far are delivered); 2 bad input
or a file that cannot be read or written; 130 interrupted.)";

/// Returns the methods for systems with and without constraints, that of TO14 4.3 first.
const std::vector<WaterMethod>& water_methods() {
  static const std::vector<WaterMethod> list = [] {
    std::vector<WaterMethod> all;
    const auto add = [&](const auto& method) { all.push_back({method.info, !method.mechanical}); };
    for_each_method_of(std::tuple_cat(mechanical_methods(), constrained_methods()), add);
    const auto first = std::ranges::find(all, "stiff-zhang-skeel", &WaterMethod::name);
    std::rotate(all.begin(), first, first + 1);
    return all;
  }();
  return list;
}
std::string names_of_methods(bool rigid) {
  std::string names;
  for (const WaterMethod& method : water_methods())
    if (method.rigid == rigid) names += (names.empty() ? "" : ", ") + method.name;
  return names;
}

/// Means over the rows after the first.
std::vector<double> means_of(const std::filesystem::path& csv) {
  std::ifstream stream(csv, std::ios::binary);
  std::string line;
  std::getline(stream, line);
  std::getline(stream, line);
  std::vector<double> sums(Observables::last_mean + 1, 0);
  double count = 0;
  for (; std::getline(stream, line); ++count) {
    std::istringstream entries(line);
    std::string entry;
    for (double& sum : sums)
      if (std::getline(entries, entry, ',')) sum += parse_number(csv.string(), entry);
  }
  if (count == 0) return {};
  for (double& sum : sums) sum /= count;
  return sums;
}

std::string report_of(const Settings& settings, const Files& files, const std::vector<Run::Outcome>& outcomes) {
  nlohmann::ordered_json report;
  report["program"] = "livi-water";
  report["units"] = "Angstrom, amu, kcal/mol, Kelvin";
  report["time_unit_in_fs"] = time_unit;
  for (const auto& [name, value] : settings.words) report["settings"][name] = value;
  report["settings"]["steps"] = std::to_string(settings.steps);
  std::vector<std::string> names;
  std::istringstream header(Observables::names);
  for (std::string name; std::getline(header, name, ',');) names.push_back(name);
  std::vector<std::vector<double>> of_runs;
  for (const Run::Outcome& outcome : outcomes) {
    nlohmann::ordered_json run{{"seed", outcome.seed}, {"steps", outcome.reached}};
    run["outcome"] = outcome.failure.empty() ? "complete" : outcome.failure;
    if (const auto means = means_of(files.of(outcome.seed, "csv")); !means.empty()) {
      for (std::size_t k = Observables::first_mean; k <= Observables::last_mean; ++k) run["mean"][names[k]] = means[k];
      if (outcome.failure.empty()) of_runs.push_back(means);
    }
    report["runs"].push_back(run);
  }
  const auto count = static_cast<double>(of_runs.size());
  for (std::size_t k = Observables::first_mean; of_runs.size() > 1 && k <= Observables::last_mean; ++k) {
    double sum = 0, squares = 0;
    for (const auto& run : of_runs) sum += run[k];
    for (const auto& run : of_runs) squares += (run[k] - sum / count) * (run[k] - sum / count);
    report["over_seeds"][names[k]] = {{"mean", sum / count},
                                      {"standard_error", std::sqrt(squares / (count - 1) / count)}};
  }
  // A byte of --start that is not UTF-8 becomes the replacement character.
  return report.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

// --- Options --------------------------------------------------------------------------------------------------------

struct Texts {
  std::string start = "heptamer", method = "stiff-zhang-skeel", steps = "20000", h = "0.05", beta = "0.25",
              omega = "20", temperature, inverse_temperature, friction = "0.01", every = "20", equilibration = "0",
              seed = "1", seeds = "1", threads, interval = "60", stop_after = "-1", stop_equilibration_after = "-1";
};

double finite(const std::string& option, const std::string& text, bool zero_allowed) {
  const double x = parse_number(option, text);
  if (!std::isfinite(x) || x < 0 || (x == 0 && !zero_allowed))
    throw InvalidParameter(option, text, zero_allowed ? "must be finite and >= 0" : "must be finite and > 0");
  return x;
}

WaterFrame start_of(const std::string& text) {
  for (const std::string& name : water_start_names())
    if (text == name) return water_start(name);
  if (!text.ends_with(".xyz")) {
    std::string names;
    for (const std::string& name : water_start_names()) names += name + ", ";
    throw InvalidParameter("--start", text, "must be one of " + names + "or a file *.xyz");
  }
  return read_xyz(text).back();
}

Settings resolve(const Texts& texts, const CommandLine& application) {
  // It becomes a line of checkpoints.
  if (texts.start.find('\n') != std::string::npos)
    throw InvalidParameter("--start", texts.start, "must not contain a line break");
  Settings settings;
  const auto given = [&](const char* option) { return application.given(option); };
  const auto& methods = water_methods();
  const auto method = std::ranges::find(methods, texts.method, &WaterMethod::name);
  if (method == methods.end())
    throw InvalidParameter("--method", texts.method,
                           "must be one of " + names_of_methods(false) + ", " + names_of_methods(true));
  settings.method = *method;
  if (given("--beta") && !settings.method.has(newmark_beta))
    throw InvalidParameter("--beta", texts.beta, "has no meaning for " + texts.method);
  if (given("--omega") && settings.method.rigid)
    throw InvalidParameter("--omega", texts.omega,
                           "has no meaning for " + texts.method + ", whose molecules are rigid");
  if (given("--temperature") && given("--inverse-temperature"))
    throw InvalidParameter("--temperature", texts.temperature, "must not be given beside --inverse-temperature");
  settings.h = finite("--step-size", texts.h, false);
  settings.beta = finite("--beta", texts.beta, true);
  settings.omega = finite("--omega", texts.omega, false);
  settings.gamma = finite("--friction", texts.friction, true);
  settings.inverse_temperature = given("--temperature")
                                     ? 1 / (gas_constant * finite("--temperature", texts.temperature, false))
                                     : finite("--inverse-temperature", texts.inverse_temperature, false);
  if (!std::isfinite(settings.inverse_temperature) || !(settings.inverse_temperature > 0))
    throw InvalidParameter("--temperature", texts.temperature, "must have an inverse that is a number > 0");
  settings.steps = parse_count("--steps", texts.steps, 0, 1L << 53);
  settings.equilibration = parse_count("--equilibration", texts.equilibration, 0, 1L << 53);
  settings.every = parse_count("--every", texts.every, 1, 1L << 53);
  if (settings.gamma == 0 && settings.equilibration > 0)
    throw InvalidParameter("--equilibration", settings.equilibration, "has no meaning without friction");

  WaterFrame start = start_of(texts.start);
  const V rigid = with_rigid_shape(start.q, tip3p<double>());
  for (Eigen::Index atom = 0; atom < rigid.size() / 3; ++atom) {
    const double away = (rigid.segment<3>(3 * atom) - start.q.segment<3>(3 * atom)).norm();
    if (!(away <= farthest_from_rigid))
      throw InvalidParameter("--start", texts.start,
                             "atom " + std::to_string(atom + 1) + " is " + shortest(away) +
                                 " Angstrom from its place in a water molecule, allowed are " +
                                 shortest(farthest_from_rigid));
  }
  settings.q = settings.method.rigid ? rigid : start.q;
  settings.v = start.v;
  if (settings.gamma == 0 && settings.v.size() > 0)
    for (const auto& [option, text] :
         {std::pair{"--temperature", texts.temperature}, {"--inverse-temperature", texts.inverse_temperature}})
      if (given(option))
        throw InvalidParameter(option, text, "has no meaning without friction, with the velocities of " + texts.start);
  if (const double energy = WaterPotential<double>(tip3p<double>()).value(settings.q); !std::isfinite(energy))
    throw InvalidParameter("energy of --start", energy, "must be finite");
  Checksum checksum;
  checksum.add(write_xyz({.q = settings.q, .v = settings.v}));
  settings.words = {{"start", texts.start},
                    {"molecules", std::to_string(start.molecules())},
                    {"method", texts.method},
                    {"step-size", shortest(settings.h)},
                    {"friction", shortest(settings.gamma)},
                    {"inverse-temperature", shortest(settings.inverse_temperature)},
                    {"every", std::to_string(settings.every)},
                    {"equilibration", std::to_string(settings.equilibration)}};
  if (settings.method.has(newmark_beta)) settings.words.emplace_back("beta", shortest(settings.beta));
  if (!settings.method.rigid) settings.words.emplace_back("omega", shortest(settings.omega));
  settings.words.emplace_back("checksum-of-start", checksum.text());
  return settings;
}

/// The runs of the seeds must be different ones, and their steps a number.
void require_different_runs(const Settings& settings, const Texts& texts, long seeds) {
  if (seeds > 1 && settings.gamma == 0 && settings.v.size() > 0)
    throw InvalidParameter(
        "--seeds", seeds,
        "must be 1, for without friction and with the velocities of " + texts.start + " all runs are the same");
  if (const long most = std::numeric_limits<long>::max() / seeds; settings.steps > most)
    throw InvalidParameter("--steps", settings.steps,
                           "must be at most " + std::to_string(most) + " for " + std::to_string(seeds) + " --seeds");
}

int simulate(const Settings& settings, const Files& files, std::uint64_t first_seed, std::size_t seeds,
             unsigned threads) {
  for (std::uint64_t seed = first_seed; seed < first_seed + seeds; ++seed)
    for (const char* kind : {"xyz", "csv", "checkpoint"}) require_file_or_nothing("--out", files.of(seed, kind));
  require_file_or_nothing("--out", files.out + ".json");
  const Interrupt interrupt;
  std::atomic<bool> stop = false;
  std::atomic<long> made = 0;
  std::mutex showing;
  Progress progress(static_cast<long>(seeds) * settings.steps);
  const auto tell = [&](long steps) {
    const long done = made += steps;
    if (const std::unique_lock lock(showing, std::try_to_lock); lock) progress.at(done);
  };
  const auto outcomes = for_each_case(seeds, threads, [&](std::size_t which) {
    const std::uint64_t seed = first_seed + which;
    try {
      return with_motion(settings, seed, [&](Motion& motion) {
        return Run(settings, files, seed, motion, interrupt, stop).complete(tell);
      });
    } catch (...) {
      stop = true;
      throw;
    }
  });
  const auto say = [](const std::string& line) { std::cerr << "livi-water: " << line << "\n"; };
  bool interrupted = false, failed = false;
  for (const Run::Outcome& outcome : outcomes) {
    interrupted = interrupted || outcome.interrupted;
    failed = failed || !outcome.failure.empty();
    if (!outcome.failure.empty()) say("seed " + std::to_string(outcome.seed) + ": " + outcome.failure);
    if (outcome.interrupted)
      say("seed " + std::to_string(outcome.seed) + ": interrupted " +
          (outcome.equilibrating ? "in the equilibration, " : "") + "at step " + std::to_string(outcome.reached) +
          " of " + std::to_string(outcome.equilibrating ? settings.equilibration : settings.steps));
  }
  if (interrupted) {
    say("to continue: the same command with --resume");
    return interrupted_status;
  }
  write_file_atomically(files.out + ".json", report_of(settings, files, outcomes));
  return failed ? failed_status : 0;
}

}  // namespace

}  // namespace livi

int main(int argc, char** argv) {
  // A file that grows beyond the limit of its size is an error of write(), as a full disk is.
  std::signal(SIGXFSZ, SIG_IGN);
  using namespace livi;
  CommandLine application(documentation, "livi-water");
  application.footer(footer);
  Texts texts;
  Files files;
  texts.inverse_temperature = "50";
  texts.threads = std::to_string(processors());
  application.add_option("--start", texts.start, "dimer, heptamer, ..., hundred, or a file *.xyz (default heptamer)");
  application.add_option("--method", texts.method,
                         names_of_methods(false) + " on restrained molecules; " + names_of_methods(true) +
                             " on rigid ones (default stiff-zhang-skeel)");
  application.add_option("--steps", texts.steps, "(default 20000)");
  application.add_option("--step-size", texts.h, "(default 0.05, 2.44 fs)");
  application.add_option("--beta", texts.beta, "Newmark's beta (default 0.25)");
  application.add_option("--omega", texts.omega, "of the penalty omega^2 |g|^2/2 (default 20)");
  application.add_option("--temperature", texts.temperature, "in Kelvin, instead of --inverse-temperature");
  application.add_option("--inverse-temperature", texts.inverse_temperature, "in mol/kcal (default 50, 10 K)");
  application.add_option("--friction", texts.friction, "gamma of TO14 (27), amu per unit of time (default 0.01)");
  application.add_option("--equilibration", texts.equilibration,
                         "steps with ten times the friction before the first (default 0)");
  application.add_option("--every", texts.every, "write every K-th step (default 20)");
  application.add_option("--seed", texts.seed, "of the first run (default 1)");
  application.add_option("--seeds", texts.seeds, "how many runs (default 1)");
  application.add_option("--threads", texts.threads, "(default: one per processor)");
  application.add_option("--out", files.out, "first part of the names of the files", {.required = true});
  application.add_flag("--resume", files.resume, "continue from the checkpoints of the same command");
  application.add_option("--checkpoint-interval", texts.interval, "seconds between two checkpoints (default 60)");
  application.add_option("--stop-after", texts.stop_after, "", {.hidden = true});  // as if interrupted after this step
  application.add_option("--stop-equilibration-after", texts.stop_equilibration_after, "", {.hidden = true});
  return application.run(argc, argv, [&] {
    if (files.out.empty()) throw InvalidParameter("--out", "''", "must name files");
    files.interval = finite("--checkpoint-interval", texts.interval, true);
    files.stop_after = parse_count("--stop-after", texts.stop_after, -1, 1L << 53);
    files.stop_equilibration_after =
        parse_count("--stop-equilibration-after", texts.stop_equilibration_after, -1, 1L << 53);
    const long seed = parse_count("--seed", texts.seed, 0, 1L << 53),
               seeds = parse_count("--seeds", texts.seeds, 1, 100000),
               threads = parse_count("--threads", texts.threads, 1, 1000);
    const Settings settings = resolve(texts, application);
    require_different_runs(settings, texts, seeds);
    return simulate(settings, files, static_cast<std::uint64_t>(seed), static_cast<std::size_t>(seeds),
                    static_cast<unsigned>(threads));
  });
}

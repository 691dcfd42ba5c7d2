// SPDX-License-Identifier: MIT
//
// The catalogue is complete: each header of a method or a system is in it, each method has its mutants, and runs on all
// problems of its kind.
#include <gtest/gtest.h>

#include <livi/catalogue/ensemble.hpp>
#include <livi/catalogue/methods.hpp>
#include <livi/diagnostics/check_derivatives.hpp>
#include <livi/systems/potentials.hpp>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

namespace catalogue_test {

using namespace livi;
namespace fs = std::filesystem;
using Words = std::vector<std::string>;

/// The tree that is looked at. Another one is that of LIVI_TREE.
const fs::path source = std::getenv("LIVI_TREE") != nullptr ? std::getenv("LIVI_TREE") : LIVI_SOURCE_FOLDER;

std::string text_of(const fs::path& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

Words headers_in(const fs::path& folder) {
  Words names;
  for (const auto& file : fs::directory_iterator(folder))
    if (file.path().extension() == ".hpp") names.push_back(file.path().filename());
  return names;
}

std::set<std::string> headers_of(const std::vector<SystemEntry>& entries) {
  std::set<std::string> headers;
  for (const SystemEntry& entry : entries) headers.insert(entry.header);
  return headers;
}
/// Returns the headers of methods in a folder of lib/livi.
std::set<std::string> headers_of(const std::vector<MethodEntry>& entries, const std::string& folder) {
  std::set<std::string> headers;
  for (const MethodEntry& entry : entries)
    if (entry.folder == folder) headers.insert(entry.header);
  return headers;
}

/// Says which headers are in no entry and no part, or in both, and which of these do not exist.
Words complaints_about(const Words& headers, const std::set<std::string>& entries, const Words& parts) {
  Words complaints;
  const auto has = [](const auto& names, const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  for (const std::string& header : headers)
    if (has(entries, header) == has(parts, header)) complaints.push_back(header);
  for (const auto& listed : {Words(entries.begin(), entries.end()), parts})
    for (const std::string& header : listed)
      if (!has(headers, header)) complaints.push_back("no " + header);
  return complaints;
}

TEST(Catalogue, has_every_method_of_the_library) {
  const auto entries = headers_of(method_entries(), "integrators");
  const auto headers = headers_in(source / "lib/livi/integrators");
  EXPECT_EQ(complaints_about(headers, entries, machinery_headers()), Words());
  // Controls: a header that nobody listed, one that is no longer there, and one that is listed as both.
  Words more = headers, fewer = headers;
  more.push_back("new_method.hpp");
  EXPECT_EQ(complaints_about(more, entries, machinery_headers()), Words{"new_method.hpp"});
  std::erase(fewer, "rattle.hpp");
  EXPECT_EQ(complaints_about(fewer, entries, machinery_headers()), Words{"no rattle.hpp"});
  Words both = machinery_headers();
  both.push_back("rattle.hpp");
  EXPECT_EQ(complaints_about(headers, entries, both), Words{"rattle.hpp"});
}

TEST(Catalogue, has_every_method_with_adaptive_steps) {
  const auto entries = headers_of(method_entries(), "adaptive");
  Words headers = headers_in(source / "lib/livi/adaptive");
  EXPECT_GE(entries.size(), 6U);
  EXPECT_EQ(complaints_about(headers, entries, adaptive_machinery_headers()), Words());
  headers.push_back("new_adaptive_method.hpp");
  EXPECT_EQ(complaints_about(headers, entries, adaptive_machinery_headers()), Words{"new_adaptive_method.hpp"});
  // A header in a folder of neither kind would be seen by no test.
  for (const MethodEntry& entry : method_entries())
    EXPECT_TRUE(entry.folder == "integrators" || entry.folder == "adaptive" || entry.folder == "stochastic")
        << entry.name;
}

TEST(Catalogue, has_every_stochastic_method_and_its_declarations) {
  const auto entries = headers_of(method_entries(), "stochastic");
  Words headers = headers_in(source / "lib/livi/stochastic");
  EXPECT_EQ(complaints_about(headers, entries, stochastic_machinery_headers()), Words());
  headers.push_back("new_stochastic_method.hpp");
  EXPECT_EQ(complaints_about(headers, entries, stochastic_machinery_headers()), Words{"new_stochastic_method.hpp"});
  std::size_t stochastic = 0;
  for (const MethodEntry& entry : method_entries()) {
    EXPECT_EQ(entry.kind == SystemKind::stochastic || entry.kind == SystemKind::thermostat,
              entry.folder == "stochastic")
        << entry.name;
    EXPECT_EQ(entry.kind == SystemKind::stochastic, !entry.under_noise.empty()) << entry.name;
    if (entry.kind == SystemKind::stochastic) ++stochastic;
  }
  EXPECT_EQ(stochastic, stochastic_methods().size());
  // What is said in words: with defaults, I10 and the exact covariance.
  const auto words = [](const char* name) {
    return std::ranges::find(method_entries(), name, &MethodEntry::name)->under_noise;
  };
  EXPECT_EQ(words("stochastic-rattle"), "strong order 1, 2 for constant K_ij");
  EXPECT_EQ(words("commutator-rattle"), "strong order 2, weak order 2");
  EXPECT_EQ(words("unprojected-noise"), "strong order 0.5");
  EXPECT_EQ(words("constrained-obabo"), "weak order 2");
}

TEST(Catalogue, methods_with_adaptive_steps_are_known_as_such_and_not_before_the_battery) {
  const Parameter density{"density", "", "", ""};
  int adaptive = 0;
  for (const MethodEntry& entry : method_entries()) {
    EXPECT_EQ(entry.adaptive, entry.family == "Adaptive steps") << entry.name;
    if (entry.folder == "adaptive") {
      EXPECT_TRUE(entry.adaptive) << entry.name;
    }
    EXPECT_EQ(entry.densities != StepDensities::none, entry.has(density)) << entry.name;
    if (!entry.adaptive) continue;
    ++adaptive;
    EXPECT_TRUE(entry.subjects.empty()) << entry.name << ": the battery is for constant steps";
  }
  EXPECT_GE(adaptive, 26);
}

TEST(Catalogue, has_every_system_of_the_library) {
  const auto entries = headers_of(system_entries());
  Words headers = headers_in(source / "lib/livi/systems");
  EXPECT_EQ(complaints_about(headers, entries, parts_of_systems()), Words());
  headers.push_back("new_system.hpp");
  EXPECT_EQ(complaints_about(headers, entries, parts_of_systems()), Words{"new_system.hpp"});
}

/// Returns the class of an entry, without what it is made for.
std::string class_of(const MethodEntry& entry) { return entry.type.substr(0, entry.type.find(',')); }

/// Says which classes have no mutant: a header needs as many rows of the table as it has classes.
Words without_mutant(const std::string& table) {
  std::map<std::string, std::size_t> rows;
  std::istringstream lines(table);
  for (std::string line; std::getline(lines, line);)
    if (const auto at = line.find("| livi/"); line[0] != '#' && at != std::string::npos) {
      const std::string file = line.substr(at + std::string("| livi/").size());
      ++rows[file.substr(0, file.find(' '))];
    }
  std::map<std::string, std::set<std::string>> classes;
  for (const MethodEntry& entry : method_entries()) classes[entry.folder + "/" + entry.header].insert(class_of(entry));
  Words complaints;
  for (const auto& [header, names] : classes)
    if (rows[header] < names.size()) complaints.push_back(header);
  return complaints;
}

TEST(Catalogue, every_method_has_a_mutant) {
  const std::string table = text_of(source / "verification/mutants/mutants.txt");
  EXPECT_EQ(without_mutant(table), Words());
  // Controls: the table without the rows of a method, and with one row for two methods.
  const auto without = [&](const std::string& header, int left) {
    std::string rest, line;
    for (std::istringstream lines(table); std::getline(lines, line);)
      if (line.find("/" + header) == std::string::npos || --left >= 0) rest += line + "\n";
    return without_mutant(rest);
  };
  EXPECT_EQ(without("rattle.hpp", 0), Words{"integrators/rattle.hpp"});
  EXPECT_EQ(without("runge_kutta.hpp", 1), Words{"integrators/runge_kutta.hpp"});
  EXPECT_EQ(without("step_control.hpp", 2), Words{"adaptive/step_control.hpp"});
}

/// Returns the letters and digits of a name in lower case, without the words "of".
std::string letters_of(std::string name) {
  for (std::size_t at; (at = name.find(" of ")) != std::string::npos;) name.erase(at, 4);
  std::string letters;
  for (const char c : name)
    if (std::isalnum(static_cast<unsigned char>(c)) != 0) letters += static_cast<char>(std::tolower(c));
  return letters;
}

TEST(Catalogue, entries_say_what_is_true) {
  std::set<std::string> names, subjects;
  for (const MethodEntry& entry : method_entries()) {
    EXPECT_TRUE(names.insert(entry.name).second) << entry.name;
    for (const Configuration& configuration : entry.subjects)
      EXPECT_TRUE(subjects.insert(configuration.subject).second) << configuration.subject;
    const std::string header = text_of(source / "lib/livi" / entry.folder / entry.header);
    EXPECT_TRUE(header.find("class " + class_of(entry) + " ") != std::string::npos ||
                header.find("class " + class_of(entry) + "\n") != std::string::npos)
        << entry.name << ": no class " << class_of(entry) << " in " << entry.header;
    EXPECT_TRUE(entry.sentence.ends_with(".")) << entry.name;
    const Properties properties = entry.declares(entry.defaults);
    EXPECT_FALSE(properties.source.empty()) << entry.name;
    EXPECT_GE(properties.order, 1) << entry.name;
    // What is made is what the entry says. Methods of others and families declare names of their own.
    const std::string made = properties.name, type = class_of(entry);
    if (type == "Composition") {
      EXPECT_NE(made.find(" of "), std::string::npos) << made;
      // Scheme and method are those of the name: "Suzuki 4 of ZhangSkeel" is suzuki-4-zhang-skeel.
      EXPECT_EQ(letters_of(made.substr(0, made.find(','))), letters_of(entry.name)) << made;
      EXPECT_NE(entry.name.find("-" + std::to_string(properties.order) + "-"), std::string::npos) << entry.name;
    } else if (!type.starts_with("Odeint") && !type.starts_with("Generic")) {
      EXPECT_EQ(made.substr(0, made.find_first_of(", ")), type) << entry.name;
    }
    if (entry.has(newmark_beta)) {
      const auto [numerator, denominator] = entry.defaults.beta;
      const std::string text = std::to_string(numerator) + "/" + std::to_string(denominator);
      EXPECT_EQ(std::ranges::find(entry.options, newmark_beta)->otherwise, text) << entry.name;
    }
  }
  EXPECT_TRUE(names.contains("variational-stiff-zhang-skeel"));
}

/// Makes the problem of a system as livi-simulate does without options, with its start.
struct Start {
  Problem problem;
  Vector<double, Dynamic> q, v;
};
std::vector<double> numbers_in(std::string text) {
  std::replace(text.begin(), text.end(), ',', ' ');
  std::istringstream stream(text);
  std::vector<double> list;
  for (double x = 0; stream >> x;) list.push_back(x);
  return list;
}
Start start_of(const SystemEntry& system, bool constrained) {
  const auto numbers = [](const std::string& text) {
    const std::vector<double> list = numbers_in(text);
    return Vector<double, Dynamic>(Vector<double, Dynamic>::Map(list.data(), static_cast<Eigen::Index>(list.size())));
  };
  Start start;
  if (system.make_start != nullptr) {
    std::tie(start.q, start.v) = system.make_start({.n = 5, .eccentricity = 0.6});
  } else {
    start.q = numbers(system.q);
    start.v = numbers(system.v);
  }
  start.problem = make_problem(system, static_cast<std::size_t>(start.q.size()),
                               {.omega = 1, .constrained = constrained, .mass = numbers_in(system.mass)});
  return start;
}

TEST(Catalogue, methods_run_on_all_problems_of_their_kind) {
  int runs = 0;
  for (const SystemEntry& system : simulated_systems())
    for (const bool constrained : {false, true}) {
      if (constrained && !system.has("form")) continue;
      const Start start = start_of(system, constrained);
      for (const MethodEntry& method : simulated_methods()) {
        if (method.adaptive || (method.kind == SystemKind::constrained) != constrained) continue;
        const auto simulation = method.start(start.problem, start.q, start.v, 0.01, {});
        const RunOutcome outcome = simulation->run(3, [](long) { return true; });
        EXPECT_TRUE(outcome.ok()) << method.name << " on " << system.name << ": " << outcome.step.describe();
        EXPECT_TRUE(all_finite(simulation->position())) << method.name << " on " << system.name;
        ++runs;
      }
    }
  EXPECT_GE(runs, 12 * 19 + 2 * 2);
}

/// Says what is wrong with three steps of a method with adaptive steps; nothing is where it must refuse the system.
std::string complaint_about(const MethodEntry& method, const SystemEntry& system, const Start& start,
                            const DensityEntry& density) {
  MethodOptions options;
  options.density = density.kind;
  options.epsilon = 0.1;
  const std::string run = method.name + " on " + system.name + " with " + density.name + ": ";
  // The logarithm of -W needs W < 0; Kane's steps have a length only where the discrete energy determines it.
  if (method.name.ends_with("logarithmic-hamiltonian") &&
      start.problem.on_unconstrained([&](const auto& made) { return made.potential().value(start.q); }) >= 0) {
    try {
      static_cast<void>(method.start(start.problem, start.q, start.v, 0.001, options));
    } catch (const InvalidParameter& error) {
      return std::string(error.what()).find("must be < 0 for " + method.name) != std::string::npos ? "" : error.what();
    }
    return run + "W >= 0 is not refused";
  }
  const auto simulation = method.start(start.problem, start.q, start.v, 0.001, options);
  const RunOutcome outcome = simulation->run(3, [](long) { return true; });
  if ((method.name == "symplectic-energy-momentum" || method.name == "midpoint-energy-momentum") &&
      outcome.step.failure == Failure::no_real_root)
    return "";
  if (!outcome.ok()) return run + outcome.step.describe();
  const auto clock = simulation->clock();
  if (!clock || clock->time != outcome.time || !(clock->last_step > 0)) return run + "its clock is wrong";
  return all_finite(simulation->position()) ? "" : run + "its position is not finite";
}

TEST(Catalogue, adaptive_steps_run_on_all_problems_that_they_fit) {
  int runs = 0;
  for (const SystemEntry& system : simulated_systems())
    for (const bool constrained : {false, true}) {
      if (constrained && !system.has("form")) continue;
      const Start start = start_of(system, constrained);
      for (const MethodEntry& method : simulated_methods()) {
        if (!method.adaptive || (method.kind == SystemKind::constrained) != constrained) continue;
        for (const DensityEntry& density : density_entries()) {
          if (density.of_state && method.densities == StepDensities::of_position) {
            MethodOptions options;
            options.density = density.kind;
            EXPECT_THROW(static_cast<void>(method.start(start.problem, start.q, start.v, 0.001, options)),
                         InvalidParameter)
                << method.name;
            continue;
          }
          EXPECT_EQ(complaint_about(method, system, start, density), "");
          ++runs;
        }
      }
    }
  EXPECT_GE(runs, 12 * (6 * 5 + 6 * 6));
}

/// Methods that begin a run on a system with these steps, and those of them that do not reach the time: Kane's, which may
/// have no step whatever its length is, are left out.
struct Reached {
  int begun = 0;
  std::vector<std::string> ended_early = {};
};
Reached reached(const SystemEntry& system, const std::string& h, double end_time) {
  Reached result;
  Start start = start_of(system, false);
  const double omega = system.otherwise("omega").empty() ? 1 : std::stod(system.otherwise("omega"));
  start.problem =
      make_problem(system, static_cast<std::size_t>(start.q.size()), {.omega = omega, .mass = numbers_in(system.mass)});
  for (const MethodEntry& method : simulated_methods()) {
    if (!method.adaptive || method.kind == SystemKind::constrained || method.name.ends_with("energy-momentum"))
      continue;
    MethodOptions options;
    options.density = std::ranges::find(density_entries(), system.density, &DensityEntry::name)->kind;
    options.epsilon = std::stod(system.epsilon);
    std::unique_ptr<Simulation> simulation;
    try {
      simulation = method.start(start.problem, start.q, start.v, std::stod(h), options);
    } catch (const InvalidParameter&) {
      continue;  // W >= 0
    }
    ++result.begun;
    const RunOutcome outcome =
        simulation->run(1000000, [&](long) { return simulation->clock().value().time < end_time; });
    if (!outcome.ok()) result.ended_early.push_back(method.name + ": " + outcome.step.describe());
  }
  return result;
}

TEST(Catalogue, default_adaptive_steps_go_on) {
  for (const SystemEntry& system : simulated_systems()) {
    const double end_time = system.name == "outer-solar-system" ? 1000 : 2;
    const Reached by_default = reached(system, system.step_of(true, SystemKind::mechanical), end_time);
    EXPECT_EQ(by_default.ended_early, std::vector<std::string>()) << system.name;
    EXPECT_GE(by_default.begun, 20) << system.name;
    // That of constant steps is too long where there is one of their own.
    if (!system.adaptive_h.empty() && system.name != "coupled-anharmonic") {
      EXPECT_GE(reached(system, system.h, end_time).ended_early.size(), 2U) << system.name;
    }
  }
}

TEST(Catalogue, systems_name_densities_that_are_there) {
  for (const SystemEntry& system : simulated_systems()) {
    EXPECT_NE(std::ranges::find(density_entries(), system.density, &DensityEntry::name), density_entries().end())
        << system.name;
    EXPECT_EQ(system.make_start != nullptr, !system.start.empty()) << system.name;
  }
}

TEST(Catalogue, derivatives_of_systems_are_those_of_their_value) {
  for (const SystemEntry& system : simulated_systems()) {
    const Start start = start_of(system, false);
    start.problem.on_unconstrained([&](const auto& made) {
      const DerivativeCheck check = check_derivatives(made.potential(), start.q);
      EXPECT_TRUE(check.ok()) << system.name << ": " << check.describe();
    });
  }
  // The control: a force of the wrong sign.
  struct WrongSign : HenonHeilesPotential<double> {
    void gradient(const vector_type& q, vector_type& out) const {
      HenonHeilesPotential<double>::gradient(q, out);
      out = -out;
    }
  };
  EXPECT_FALSE(check_derivatives(WrongSign{}, {0.1, 0.2}).ok());
}

}  // namespace catalogue_test

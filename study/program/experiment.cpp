// SPDX-License-Identifier: MIT
#include "study/program/experiment.hpp"

#include <filesystem>
#include <fstream>
#include <livi/report/registry.hpp>

#include "study/program/command_line.hpp"

namespace livi {

int run_experiment(int argc, char** argv, const std::string& name, const Source& source, const std::string& description,
                   const OwnOptions& own, const std::function<void(Report&, const ExperimentOptions&)>& measure) {
  CommandLine application(description, name);
  ExperimentOptions options;
  application.add_option("--out", options.out, "folder of the report (made if missing)", {.shows_default = true});
  application.add_flag("--quick", options.quick,
                       "small parameters, to see that everything works; no claims are decided");
  std::string registry = LIVI_REGISTRY;
  application.add_registry(registry,
                           "folder of the registries of claims (default: reference/claims of the source tree)");
  for (const ExperimentOption& option : own.numbers) {
    if (option.name == "h") application.help_without_h();
    application.add_number("--" + option.name, *option.value, option.description);
  }
  if (own.threads)
    application.add_count("--threads", *own.threads, 1, 1024,
                          "threads to compute with; the report does not depend on it");
  return application.run(argc, argv, [&] {
    use_registry(registry);
    const std::filesystem::path folder(options.out);
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    const std::filesystem::path probe = folder / ("." + name + ".writable");
    if (error || !std::ofstream(probe))
      throw ReportError("cannot write in the folder '" + options.out + "'; choose another with --out");
    std::filesystem::remove(probe);
    std::cerr << name << ": " << description << "\n";
    Report report(name, source);
    measure(report, options);
    const auto file = report.write(folder);
    for (const Claim& claim : report.claims())
      std::cerr << "  " << claim.id << ": " << to_string(claim.verdict) << " (" << claim.measured << " " << claim.unit
                << ")\n";
    std::cerr << name << ": wrote " << file.string() << "\n";
    return 0;
  });
}

}  // namespace livi

// SPDX-License-Identifier: MIT
#include <CLI/CLI.hpp>
#include <cctype>
#include <filesystem>
#include <iostream>
#include <livi/battery.hpp>
#include <livi/certificate_file.hpp>
#include <livi/report/atomic_files.hpp>
#include <livi/report/report.hpp>
#include <livi/seed_text.hpp>
#include <livi/text/plain_text.hpp>

namespace livi {

std::string battery_table(const BatteryResult& result) {
  std::ostringstream text;
  text << result.declares.name;
  if (!result.declares.source.empty()) text << " (" << result.declares.source << ")";
  text << ", seed " << result.seed
       << (result.quick           ? "; QUICK RUN: NO VERDICT"
           : !result.only.empty() ? "; A PART OF THE ROWS: NO VERDICT"
                                  : "")
       << "\n";
  const auto column = [](const std::string& s, std::size_t width) {
    return s + std::string(s.size() < width ? width - s.size() : 1, ' ');
  };
  text << column("test", 22) << column("declared", 12) << column("measured", 14) << "verdict\n";
  for (const BatteryRow& row : result.rows) {
    if (row.claim.verdict == Verdict::not_testable) {
      text << column(row.test, 22) << column("-", 12) << column("-", 14) << "does not apply: " << row.detail << "\n";
      continue;
    }
    char measured[32];
    std::snprintf(measured, sizeof measured, "%.4g", row.claim.measured);
    text << column(row.test, 22) << column(row.declared, 12) << column(measured, 14) << to_string(row.claim.verdict);
    if (row.claim.verdict == Verdict::confirmed_with_limits || row.claim.verdict == Verdict::refuted)
      text << "   " << row.claim.note;
    if (!row.detail.empty()) text << "   " << row.detail;
    text << "\n";
    if (row.claim.verdict == Verdict::broken_control)
      for (const Control& control : row.claim.controls)
        if (!control.as_expected())
          text << "  control '" << control.name << "' was not "
               << (control.expected == Expected::fails ? "rejected: " : "accepted: ") << control.measured << "\n";
  }
  return text.str();
}

namespace {

/// Returns the name of a report on a method: lower-case letters, digits and '_'.
std::string report_name(const std::string& method) {
  std::string name = "battery_";
  for (const char c : method)
    name += std::isalnum(static_cast<unsigned char>(c)) ? static_cast<char>(std::tolower(c)) : '_';
  return name;
}

void write_report(const BatteryResult& result, const std::string& folder) {
  Report report(report_name(result.declares.name), {"battery", result.declares.name, result.declares.source});
  report.parameter("quick", result.quick);
  if (!result.only.empty()) {
    std::string rows;
    for (const std::string& row : result.only) rows += (rows.empty() ? "" : ", ") + row;
    report.parameter("only", rows);
  }
  report.seed("judge", result.seed);
  for (const BatteryRow& row : result.rows) report.claim(row.claim);
  std::cout << "report: " << report.write(folder).string() << "\n";
}

}  // namespace

int battery_program(const Subject& subject, int argc, char** argv) {
  CLI::App application(
      "Is this integrator what it declares to be? Exit code: 0 everything declared is confirmed, 1 something is "
      "refuted, "
      "2 inconclusive or a control failed, 3 a partial run (--quick, --only), which gives no verdict.");
  const PlainStreams streams;
  std::string folder, certificates;
  bool quick = false, strict = false;
  std::vector<std::string> only;
  std::uint64_t seed = judge_seed();  // that in force: who set it before keeps it
  application.add_option("--out", folder, "folder for the report, battery_<method>.json");
  application.add_option(
      "--certificate", certificates,
      "file for what was decided exactly: steps, operation by operation, whose properties others can check without "
      "livi, as JSON");
  application.add_flag("--quick", quick, "no long energy run, coarser convergence tables; no verdict");
  application.add_option("--only", only, "rows that are asked for, by name, as \"symplectic\"; no verdict");
  application.add_flag("--strict", strict, "asks that properties that are not declared be seen to fail");
  application.add_option("--seed", seed, "of the problems, points and primes that are drawn")
      ->check(CLI::Validator(refusal_of_seed, "", ""))
      ->capture_default_str();
  try {
    application.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return application.exit(error);
    std::cerr << application.get_name() << ": " << error.what() << "\n";
    return 2;
  }
  for (const char* option : {"--out", "--certificate"})
    if (application.count(option) > 0 && application.get_option(option)->as<std::string>().empty()) {
      std::cerr << "battery: " << option << " is empty; allowed: a path\n";
      return 2;
    }
  set_judge_seed(seed);
  try {
    const BatteryResult result =
        run_battery(subject, {.quick = quick, .only = only, .strict = strict, .progress = [](const std::string& test) {
                                std::cerr << "  " << test << "\n";
                              }});
    std::cout << battery_table(result);
    if (!folder.empty()) write_report(result, folder);
    if (!certificates.empty()) {
      CertificateFile file;
      file.add(subject);
      write_file_atomically(certificates, file.text());
      std::cout << "certificates: " << file.size() << " in " << certificates << "\n";
    }
    std::cout.flush();
    if (!std::cout) throw ReportError("the standard output cannot be written");
    return result.exit_status();
  } catch (const std::exception& error) {
    std::cerr << "battery: " << error.what() << "\n";
    return 2;
  }
}

}  // namespace livi

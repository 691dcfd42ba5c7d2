// SPDX-License-Identifier: MIT
#pragma once

#include <livi/report/report.hpp>
#include <livi/seed_text.hpp>

#include <CLI/CLI.hpp>
#include <cstdint>
#include <exception>
#include <iostream>
#include <string>

namespace livi {

/// The option --seed, of a whole number.
inline void add_seed(CLI::App& application, std::uint64_t& seed, const std::string& what) {
  application.add_option("--seed", seed, what)->check(CLI::Validator(refusal_of_seed, "", ""))->capture_default_str();
}

/// Runs a command: 2 for arguments that cannot be understood and for any error, else what `run` returns. Errors go to
/// the standard error stream, each line under the name of the command; output that cannot be written (a full disk) is
/// an error, too.
template <typename Run>
int run_command(CLI::App& application, int argc, char** argv, const Run& run) {
  const std::string name = application.get_name();
  const auto refuse = [&](const std::string& message) {
    std::cerr << name << ": ";
    for (const char c : message) std::cerr << c << (c == '\n' ? name + ": " : "");
    std::cerr << "\n";
    return 2;
  };
  const auto when_written = [&](int status) {
    std::cout.flush();
    return std::cout ? status : refuse("the standard output cannot be written");
  };
  try {
    application.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return when_written(application.exit(error));  // --help
    return refuse(std::string(error.what()) + "\nsee " + name + " --help");
  }
  try {
    return when_written(run());
  } catch (const std::exception& error) {
    return refuse(error.what());
  }
}

}  // namespace livi

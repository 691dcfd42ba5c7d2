// SPDX-License-Identifier: MIT
// livi-judge: is this integrator, in any language, what it declares to be?
//
//   livi-judge -- python3 examples/judge/python/verlet.py
#include <cmath>
#include <iostream>
#include <livi/foreign/child_process.hpp>
#include <livi/foreign/judgement.hpp>
#include <livi/foreign/pipe_subject.hpp>
#include <livi/trajectory/interrupt.hpp>
#include <string>
#include <vector>

#include "study/program/command_line.hpp"

namespace {

const livi::Interrupt* interrupt = nullptr;

/// The options end and the command begins with "--": what comes after it belongs to the command.
std::vector<std::string> take_command(int& argc, char** argv) {
  for (int k = 1; k < argc; ++k)
    if (std::string(argv[k]) == "--") {
      std::vector<std::string> command(argv + k + 1, argv + argc);
      argc = k;
      return command;
    }
  return {};
}

}  // namespace

int main(int argc, char** argv) {
  livi::CommandLine application(
      "Judges an integrator in any language: livi-judge [options] -- command arguments...\n"
      "The command is started and asked for steps over its standard input and output; what it must answer is in\n"
      "docs/protocol.md. What it declares of itself must hold, and what it declares not to be must be seen to fail.\n"
      "Exit status: 0 all declarations are confirmed, 1 one is refuted, 2 undecided, or the command does not keep to\n"
      "the protocol.",
      "livi-judge");
  livi::JudgementOptions options;
  livi::ChildLimits limits;
  bool quiet = false;
  application.add_seed(options.seed, "of the problems and loops that are drawn");
  application.add_number("--time-limit", limits.seconds, "seconds for every answer of the command");
  application.add_flag("--quiet", quiet, "does not name the tests as they begin");
  const std::vector<std::string> command = take_command(argc, argv);
  return application.run(argc, argv, [&] {
    if (command.empty()) throw std::runtime_error("no command: livi-judge [options] -- command arguments...");
    if (!(limits.seconds > 0 && limits.seconds <= 86400))
      throw std::runtime_error("--time-limit is " + std::to_string(limits.seconds) +
                               "; allowed: a number above 0, at most 86400");
    const livi::Interrupt guard;
    interrupt = &guard;
    livi::ChildProcess::set_interrupt([] { return interrupt->signal(); });
    try {
      livi::PipeSubject subject(std::make_unique<livi::ChildProcess>(command, limits));
      if (!quiet) options.progress = [](const std::string& test) { std::cerr << "  " << test << "\n"; };
      const livi::Judgement judgement = livi::judge(subject, options);
      subject.finish();
      std::cout << livi::judgement_table(judgement);
      return judgement.exit_status();
    } catch (const livi::ChildProcess::Interrupted& interrupted) {
      return 128 + interrupted.signal;
    }
  });
}

// SPDX-License-Identifier: MIT
#include "study/program/command_line.hpp"

#include <sys/resource.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <exception>
#include <fstream>
#include <iostream>
#include <livi/seed_text.hpp>
#include <livi/text/plain_text.hpp>
#include <memory>
#include <new>
#include <string>
#include <utility>

namespace livi {

class CommandLine::Parser : public CLI::App {
 public:
  using CLI::App::App;

  template <class T>
  void add(const std::string& name, T& value, const std::string& what, const OptionTraits& traits) {
    CLI::Option& option = *add_option(name, value, what);
    option.required(traits.required);
    if (traits.shows_default) option.capture_default_str();
    if (traits.hidden) option.group("");
  }
};

namespace {

/// Writes arguments that the parser does not know at the end of the usage line.
class UsageFormatter : public CLI::Formatter {
 public:
  explicit UsageFormatter(std::string arguments) : arguments_(std::move(arguments)) {}

  std::string make_usage(const CLI::App* app, std::string name) const override {
    std::string line = CLI::Formatter::make_usage(app, std::move(name));
    line.insert(line.find_last_not_of('\n') + 1, " " + arguments_);
    return line;
  }

 private:
  std::string arguments_;
};

/// Forbids this process to have more memory than is free.
void limit_memory() {
#ifndef __SANITIZE_ADDRESS__
  std::ifstream memory("/proc/meminfo");
  for (std::string name, rest; memory >> name; std::getline(memory, rest)) {
    if (name != "MemAvailable:") continue;
    rlimit limit{};
    if (rlim_t kilobytes = 0; memory >> kilobytes && ::getrlimit(RLIMIT_DATA, &limit) == 0) {
      limit.rlim_cur = std::min(limit.rlim_cur, 1024 * kilobytes);
      ::setrlimit(RLIMIT_DATA, &limit);
    }
    return;
  }
#endif
}

}  // namespace

CommandLine::CommandLine(const std::string& description, const std::string& name)
    : parser_(std::make_unique<Parser>(description, name)) {
  parser_->set_version_flag("--version", name + " " + LIVI_VERSION, "Print the version and exit");
}
CommandLine::~CommandLine() = default;

void CommandLine::footer(const std::string& text) { parser_->footer(text); }
void CommandLine::usage(const std::string& arguments) {
  parser_->formatter(std::make_shared<UsageFormatter>(arguments));
}
void CommandLine::help_without_h() { parser_->set_help_flag("--help", "this text"); }

void CommandLine::add_option(const std::string& name, std::string& text, const std::string& what,
                             const OptionTraits& traits) {
  parser_->add(name, text, what, traits);
}
void CommandLine::add_option(const std::string& name, std::vector<std::string>& texts, const std::string& what,
                             const OptionTraits& traits) {
  parser_->add(name, texts, what, traits);
}
void CommandLine::add_number(const std::string& name, double& number, const std::string& what) {
  parser_->add(name, number, what, {.shows_default = true});
}
void CommandLine::add_count(const std::string& name, unsigned& count, int least, int most, const std::string& what) {
  parser_->add_option(name, count, what)->check(CLI::Range(least, most));
}
void CommandLine::add_seed(std::uint64_t& seed, const std::string& what) {
  parser_->add_option("--seed", seed, what)->check(CLI::Validator(refusal_of_seed, "", ""))->capture_default_str();
}
void CommandLine::add_flag(const std::string& name, bool& flag, const std::string& what) {
  parser_->add_flag(name, flag, what);
}
void CommandLine::add_registry(std::string& folder, const std::string& what) {
  parser_->add_option("--registry", folder, what)->envname("LIVI_REGISTRY");
}
void CommandLine::exclude(const std::string& name, const std::vector<std::string>& others) {
  for (const std::string& other : others) parser_->get_option(name)->excludes(parser_->get_option(other));
}

bool CommandLine::given(const std::string& name) const { return parser_->get_option(name)->count() > 0; }
std::vector<std::string> CommandLine::all_given() const {
  std::vector<std::string> names;
  for (const CLI::Option* option : parser_->get_options())
    if (option->count() > 0) names.push_back(option->get_name());
  return names;
}

int CommandLine::run(int argc, char** argv, const std::function<int()>& work) {
  const PlainStreams streams;
  const std::string name = parser_->get_name();
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
    parser_->parse(argc, argv);
  } catch (const CLI::ArgumentMismatch& error) {
    // Its text begins with the name of the option.
    const std::string text = error.what(), option = text.substr(0, text.find(':'));
    for (const CLI::Option* known : parser_->get_options())
      if (known->get_name() == option)
        return refuse(option +
                      (known->count() == 0 || known->results().front().empty()
                           ? ": needs a value: " + known->get_description()
                           : ": must be given once") +
                      "\nsee " + name + " --help");
    return refuse(text + "\nsee " + name + " --help");
  } catch (const CLI::ExtrasError& error) {
    // An option without its value has taken the next option for it.
    for (const CLI::Option* known : parser_->get_options())
      for (const std::string& result : known->results())
        if (result.starts_with("--"))
          return refuse(known->get_name() + " = " + result + ": needs a value, and this is an option: " +
                        known->get_description() + "\nsee " + name + " --help");
    return refuse(std::string(error.what()) + "\nsee " + name + " --help");
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return when_written(parser_->exit(error));  // --help or --version
    return refuse(std::string(error.what()) + "\nsee " + name + " --help");
  }
  try {
    if (keeps_to_free_memory_) limit_memory();
    return when_written(work());
  } catch (const std::bad_alloc&) {
    return refuse("this needs more memory than is free");
  } catch (const std::exception& error) {
    return refuse(error.what());
  }
}

}  // namespace livi

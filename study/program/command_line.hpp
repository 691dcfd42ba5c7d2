// SPDX-License-Identifier: MIT
//
// What a command takes from its arguments, and how it ends. CLI11 parses them, and command_line.cpp alone includes it: a
// source that does takes 5 s longer to compile.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace livi {

/// How an option differs from one that may be left out and that the help lists without its default.
struct OptionTraits {
  bool required = false;       ///< the command refuses to run without it
  bool shows_default = false;  ///< the help shows the value that the variable has when the option is added
  bool hidden = false;         ///< the help leaves it out: it is for tests
};

/// The arguments that a command understands. Each is added with its name ("--out", or "FILE" for one that is known by its
/// place), the variable for its value and what the help says about it; the help lists them in this order. A variable keeps
/// its value if the user gives none, and lives until run() has ended.
class CommandLine {
 public:
  /// Makes a command line that knows --help, -h and --version; the help begins with the description.
  CommandLine(const std::string& description, const std::string& name);
  ~CommandLine();
  CommandLine(const CommandLine&) = delete;
  CommandLine& operator=(const CommandLine&) = delete;

  /// Sets arguments that the usage line shows at its end. The program takes them from argv itself, before run().
  void usage(const std::string& arguments);
  /// Sets what the help says after the options.
  void footer(const std::string& text);
  /// Leaves --help as the only name of the help: beside an option --h, -h could mean either and is refused.
  void help_without_h();

  /// Adds an option whose value is any text; twice is refused.
  void add_option(const std::string& name, std::string& text, const std::string& what, const OptionTraits& traits = {});
  /// Adds an option that takes one text or more.
  void add_option(const std::string& name, std::vector<std::string>& texts, const std::string& what,
                  const OptionTraits& traits = {});
  /// Adds an option whose value is a number; the help shows the default.
  void add_number(const std::string& name, double& number, const std::string& what);
  /// Adds an option whose value is a whole number from `least` to `most`.
  void add_count(const std::string& name, unsigned& count, int least, int most, const std::string& what);
  /// Adds the option --seed, of any whole number that 64 bits hold; the help shows the default.
  void add_seed(std::uint64_t& seed, const std::string& what);
  /// Adds an option without a value, which makes `flag` true.
  void add_flag(const std::string& name, bool& flag, const std::string& what);
  /// Adds the option --registry, a folder with the registries of claims; without it the environment variable
  /// LIVI_REGISTRY says which, and without both `folder` keeps its value. The help begins with `what`.
  void add_registry(std::string& folder, const std::string& what);
  /// Refuses `name` together with one of `others`, and says so in the help. All of them have been added before.
  void exclude(const std::string& name, const std::vector<std::string>& others);

  /// Lets the work have the memory that is free when it begins, and no more: a size that needs more ends with a sentence before
  /// other programs are slowed or ended. Not under the address sanitizer, which takes memory of its own.
  void keep_to_free_memory() { keeps_to_free_memory_ = true; }

  /// Returns whether the user gave this option; throws std::exception if none of that name was added.
  [[nodiscard]] bool given(const std::string& name) const;
  /// Returns the names of all options that the user gave, in the order in which they were added.
  [[nodiscard]] std::vector<std::string> all_given() const;

  /// Parses the arguments, runs `work` and returns the exit status: 2 for arguments that cannot be understood and for any
  /// error, 0 for --help and --version, else what `work` returns. Errors go to the standard error stream, each line under
  /// the name of the command; output that cannot be written (a full disk) is also an error.
  int run(int argc, char** argv, const std::function<int()>& work);

 private:
  class Parser;
  std::unique_ptr<Parser> parser_;
  bool keeps_to_free_memory_ = false;
};

}  // namespace livi

#pragma once
#include <deque>
#include <span>
#include <string>
#include <vector>

#include "app/cli/options.h"
#include "core/base/libraries.h"
#include "core/base/translate.h"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace headscope {

/// A row of the table in command_line.cpp.
struct Subcommand {
  const char* name;
  const char* help;  ///< English, to be translated
  const char* example;
  void (*run)(const CommandRequest& request, const Translator& tr);  ///< throws Error on failure
  std::vector<Option::Group> groups;                                 ///< of its options
  std::string (*written)() = [] { return std::string(); };           ///< the {} of `help`
};

/// The options of one (sub)command and their given values; the parser keeps references into it.
struct CommandLine {
  struct Given {
    const Option* option;
    std::vector<std::string> values;
    CLI::Option* parsed = nullptr;
  };

  CLI::App* app = nullptr;
  const Subcommand* subcommand = nullptr;  ///< nullptr: the window
  std::deque<Given> given;
  std::string file;
  std::string sessions;  ///< CommandRequest::sessions

  bool is_info() const;
  bool is_mark() const;
};

/// Declares all options and subcommands; `lines` gets one entry for each, the window's first. `of_window`:
/// libraries that --version names besides the core's.
void declare(CLI::App& app, std::deque<CommandLine>& lines, const Translator& tr,
             ListLibraries of_window = nullptr);

/// The arguments without the program's name, with values that begin with a dash joined to their option
/// ("--mask-fill=-inf"), because the parser would take them for options.
std::vector<std::string> join_values(int argc, const char* const* argv);

/// Throws Error (input) if the window's FILE does not exist: it may be a misspelt subcommand.
void check_file(const CommandLine& window);

/// The session, read first wherever it is on the line, with the options applied to it: those before the
/// subcommand, then the subcommand's own. The view is adjusted to what it shows.
CommandRequest apply_options(const CommandLine& window, const CommandLine& command);

}  // namespace headscope

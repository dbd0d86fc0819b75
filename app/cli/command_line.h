#pragma once
#include <deque>
#include <span>
#include <string>
#include <vector>

#include "app/cli/options.h"
#include "core/base/translate.h"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace headscope {

enum class Command {
  window,
  export_figure,
  tensors,
  heads,
  info,
  arithmetic,
  predict,
  generate,
  pytorch,
  bench
};

/// The options of one (sub)command with what was given for them; the parser keeps references into it.
struct CommandLine {
  struct Given {
    const Option* option;
    std::vector<std::string> values;
    CLI::Option* parsed = nullptr;
  };

  CLI::App* app = nullptr;
  Command command = Command::window;
  std::deque<Given> given;
  std::string file;
};

/// Declares all options and subcommands; `lines` gets one entry each, the window's first.
void declare(CLI::App& app, std::deque<CommandLine>& lines, const Translator& tr);

/// The arguments without the program's name, in which values that begin with a dash are tied to their option
/// ("--mask-fill=-inf"): the parser would take them for options.
std::vector<std::string> join_values(int argc, const char* const* argv);

/// Throws Error (input) where the window's FILE is not there: it may be a misspelt subcommand.
void check_file(const CommandLine& window);

/// The session, which comes first wherever it stands on the line, with the options applied to it: those in
/// front of the subcommand, then its own. The view is made to fit what it shows.
CommandRequest apply_options(const CommandLine& window, const CommandLine& command);

}  // namespace headscope

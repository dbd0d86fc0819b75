#include "app/cli/cli.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <new>
#include <optional>
#include <sstream>

#include "app/cli/command_line.h"
#include "app/cli/commands.h"
#include "app/cli/messages.h"
#include "app/cli/notes.h"
#include "app/cli/output.h"
#include "app/cli/values.h"
#include "core/attention/kernels/kernels.h"
#include "core/attention/mask.h"
#include "core/base/error.h"
#include "core/inputs/cost.h"
#include "core/inputs/fields.h"
#include "core/io/partial_file.h"
#include "core/model/weights/model_folder.h"
#include "core/source/capture/capture.h"
#include "core/source/source.h"
#include "core/system/files.h"
#include "core/system/process.h"
#include "core/system/termination_signals.h"

namespace headscope {
namespace {

int complain(const std::string& message, int status) {
  print_message(message);
  return status;
}

// Mistakes on the command line are reported before a window opens; mistakes in a session are shown in the
// window.
void check_inputs(const CommandRequest& request) {
  const Inputs& inputs = request.session.inputs;
  validate(inputs);
  if (request.inputs_given) check_parameter_count(inputs);
  const bool own_masks = request.mask_given || request.file.empty();
  if (inputs.trained() && request.inputs_given) expect_model(inputs.model);
  if (inputs.captured() && request.inputs_given) Capture::open(inputs.capture);
  if (!request.inputs_given || !own_masks || !inputs.about().known_ahead) return;
  count_masks(inputs, tokens_of(inputs));
}

void check_output(const CommandRequest& request) {
  std::vector<std::string> read = request.read_files;
  read.insert(read.end(), {request.file, request.handout.value_or("")});
  const auto add = [&](const Inputs& inputs) {
    read.insert(read.end(), {inputs.model, inputs.capture, inputs.picture, inputs.features});
  };
  add(request.session.inputs);
  if (request.session.compare) add(*request.session.compare);
  expect_not_read(request.output, read);
}

// Misspelt values in the environment are also reported before anything else is done.
void check_environment(const Translator& tr) {
  requested_engine();
  const Kernels& kernels = best_kernels();
  const std::string requested = environment("HEADSCOPE_ISA");
  if (!requested.empty() && requested != kernels.name)
    print_notes(
        tr("HEADSCOPE_ISA is {}, which this processor does not have; using {}", requested, kernels.name));
}

/// While a command runs, a signal that ends the program also removes unfinished files.
class TidyEnd {
 private:
  TerminationSignals signals_{[this] {
    remove_unfinished();
    clear_progress();
    std::raise(signals_.received());
  }};
};

/// A field that a message begins with, by its option where that was given.
std::string with_option(const std::string& message, const CommandRequest& request) {
  for (const InputField& field : input_fields()) {
    const std::string name = field.name;
    if (!message.starts_with(name)) continue;
    const std::string rest = message.substr(name.size());
    const bool whole = rest.starts_with(' ') || rest.starts_with(':') || rest.starts_with("：");
    std::string option = "--" + name;
    std::ranges::replace(option, '_', '-');
    if (whole && request.is_given(option)) return option + rest;
  }
  return message;
}

int run_command(const CommandRequest& request, const Subcommand* command, const Translator& tr,
                const WindowLauncher& launch) {
  if (command != nullptr) {
    const TidyEnd tidy;
    command->run(request, tr);
    return 0;
  }
  if (!launch && request.failed) throw Error(*request.failed);
  if (!launch)
    throw unable_error(
        "this headscope was built without a window; headscope export -o figure.png draws without one");
  check_inputs(request);
  return launch(request);
}

/// Whether FILE is the only thing given for the window to show, as after a double click.
bool has_file_alone(const CommandLine& window) {
  const auto shows = [](const CommandLine::Given& given) {
    const Option::Group group = given.option->group;
    return given.parsed->count() > 0 && group != Option::Group::language && group != Option::Group::window;
  };
  std::error_code error;
  return std::filesystem::exists(window.file, error) && std::ranges::none_of(window.given, shows);
}

/// A file that cannot be opened is reported in the window: after a double click there is no terminal.
CommandRequest read_request(const CommandLine& window, const CommandLine& line, const Translator& tr) {
  const bool opens_window = line.subcommand == nullptr;
  try {
    CommandRequest request = apply_options(window, line);
    check_output(request);
    if (opens_window && request.lesson) check_readable(request, tr);
    return request;
  } catch (const Error& error) {
    if (!opens_window || !has_file_alone(window)) throw;
    CommandLine without = window;
    without.file.clear();
    CommandRequest request = apply_options(without, without);
    request.failed = error;
    return request;
  }
}

int run(const CommandLine& window, const CommandLine& line, const Translator& tr,
        const WindowLauncher& launch) {
  check_environment(tr);
  const CommandRequest request = read_request(window, line, tr);
  const std::string notes =
      joined(request.view_note ? tr(*request.view_note) : "", unused_options(request, tr), tr);
  const bool opens_window = line.subcommand == nullptr;
  if (opens_window) print_notes(notes);  // not hours later, when it closes
  try {
    const int status = run_command(request, line.subcommand, tr, launch);
    if (!opens_window) print_notes(notes);
    return status;
  } catch (const Error& error) {
    return complain(with_option(tr(error), request), error.exit_status());
  }
}

// From "…: 3 --bogus", what the parser could not place: the option if there is one, since the rest may be its
// value.
std::string first_unknown(const std::string& text) {
  std::istringstream found(text.substr(text.find(": ") + 2));
  std::string first;
  for (std::string word; found >> word;)
    if (first.empty() || (word.starts_with('-') && !first.starts_with('-'))) first = word;
  return first;
}

// The parser's message about the command line, as a single line in our format.
int parse_failed(const CLI::App& app, const CLI::ParseError& error, const CommandLine& window,
                 const Translator& tr) try {
  if (error.get_exit_code() == 0) return app.exit(error);
  const std::string text = error.what();
  if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr) {
    // A misspelt subcommand is taken for a file, and its options are then unknown.
    check_file(window);
    return complain(tr("unknown option or argument {}; see headscope --help", first_unknown(text)), 2);
  }
  if (const std::size_t end = text.find(" was given a disallowed flag override"); end != std::string::npos)
    return complain(tr("{}: takes no value; see headscope --help", "--" + text.substr(0, end)), 2);
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr)
    return complain(tr("{}: the value is missing; see headscope --help", text.substr(0, text.find(':'))), 2);
  std::string line = text;
  std::ranges::replace(line, '\n', ' ');
  return complain(line, 2);
} catch (const Error& missing_file) {
  return complain(tr(missing_file), missing_file.exit_status());
}

// The language for messages about the command line, needed before its options are applied.
Language early_language(const std::vector<std::string>& arguments) {
  constexpr std::string_view option = "--language";
  Language language = system_language();
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string_view argument = arguments[i];
    std::string_view value;
    if (argument.starts_with(option) && argument.substr(option.size()).starts_with('='))
      value = argument.substr(option.size() + 1);
    if (argument == option && i + 1 < arguments.size()) value = arguments[i + 1];
    if (const std::optional<Language> found = find_language(value)) language = *found;
  }
  return language;
}

int run_checked(int argc, const char* const* argv, const WindowLauncher& launch_window,
                ListLibraries of_window) {
  std::vector<std::string> arguments = join_values(argc, argv);
  const Translator tr(early_language(arguments));
  CLI::App app(tr("A microscope for multi-head attention. Without a subcommand, opens the window."),
               "headscope");
  std::deque<CommandLine> lines;
  declare(app, lines, tr, of_window);
  try {
    std::reverse(arguments.begin(), arguments.end());
    app.parse(arguments);
    const CommandLine* chosen = &lines.front();
    for (const CommandLine& line : lines)
      if (line.app != &app && line.app->parsed()) chosen = &line;
    return run(lines.front(), *chosen, tr, launch_window);
  } catch (const CLI::ParseError& error) {
    return parse_failed(app, error, lines.front(), tr);
  } catch (const Error& error) {
    return complain(tr(error), error.exit_status());
  } catch (const std::bad_alloc&) {
    return complain(tr("not enough memory for so many tokens, heads and layers"), 1);
  } catch (const std::exception& error) {
    return complain(error.what(), 1);
  }
}

}  // namespace

int run_cli(int argc, const char* const* argv, const WindowLauncher& launch_window, ListLibraries of_window) {
  fail_beyond_size_limit();
  const int status = run_checked(argc, argv, launch_window, of_window);
  std::cout.flush();
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0 && std::cout) return status;
  const Translator tr(early_language(join_values(argc, argv)));
  return complain(tr("standard output cannot be written"), 1);
}

}  // namespace headscope

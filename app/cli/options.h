#pragma once
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "app/cli/request.h"
#include "core/inputs/fields.h"

namespace headscope {

/// One option of the command line.
struct Option {
  enum class Group {
    inputs,    ///< for every subcommand, and for the window
    page,      ///< for export
    figure,    ///< for export, and for the window
    session,   ///< for files that keep a session
    cells,     ///< for export and tensors, and for the window
    groups,    ///< for export and heads, and for the window
    language,  ///< for everything
    output,    ///< for subcommands that write a file
    address,   ///< for link
    json,      ///< for subcommands that print a table
    families,  ///< for info
    cell,      ///< for arithmetic
    search,    ///< for heads
    place,     ///< for arithmetic and export
    stage,     ///< for export
    arrays,    ///< for tensors
    lens,      ///< for predict
    causes,    ///< for causes
    circuits,  ///< for circuits
    sampling,  ///< for generate
    bench,
    window,
  };
  Group group;
  std::string name;        ///< "--heads"; "-o,--output" has a short name
  const char* value_name;  ///< nullptr: a switch
  const char* help;        ///< English, to be translated
  /// Applies the value, "" for a switch. Throws Error naming the option.
  std::function<void(CommandRequest& request, const std::string& value)> apply;
  bool repeatable = false;
  bool hidden = false;
  std::vector<std::string> words = {};  ///< replace the two {} in `help`: all but the last, and the last
  bool value_optional = false;          ///< without a value, `apply` gets ""
  const InputField* field = nullptr;    ///< the input field that it sets
};

std::span<const Option> input_options();
std::span<const Option> figure_options();
std::span<const Option> other_options();

}  // namespace headscope

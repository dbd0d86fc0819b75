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
    inputs,    ///< of every subcommand, and of the window
    page,      ///< of export
    figure,    ///< of export, and of the window
    session,   ///< of files that keep a session
    groups,    ///< of export and heads, and of the window
    language,  ///< of everything
    output,    ///< of subcommands that write a file
    json,      ///< of what prints a table
    cell,      ///< of arithmetic
    search,    ///< of heads
    place,     ///< of arithmetic and export
    stage,     ///< of export
    arrays,    ///< of tensors
    lens,      ///< of predict
    sampling,  ///< of generate
    bench,
    window,
  };
  Group group;
  std::string name;        ///< "--heads"; "-o,--output" has a short one
  const char* value_name;  ///< nullptr: a switch
  const char* help;        ///< English, to be translated
  /// Takes over the value, "" for a switch. Throws Error naming the option.
  std::function<void(CommandRequest& request, const std::string& value)> apply;
  bool repeatable = false;
  bool hidden = false;
  std::vector<std::string> words = {};  ///< in place of two {} in `help`: all but the last, and the last
  bool value_optional = false;          ///< without a value, `apply` gets ""
  const InputField* field = nullptr;    ///< of the inputs, that it sets
};

std::span<const Option> input_options();
std::span<const Option> figure_options();
std::span<const Option> other_options();

}  // namespace headscope

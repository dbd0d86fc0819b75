#include "app/cli/completion.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>
#include <map>

#include "core/base/error.h"
#include "core/base/shell_text.h"

namespace headscope {
namespace {

/// An option as a shell sees it.
struct Completed {
  std::string name;  ///< "--mask"
  std::string help;
  bool takes_value = false;
  std::vector<std::string> words;  ///< the values there are; empty: any, such as a file
};

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts(1);
  for (const char c : text)
    if (c == separator)
      parts.emplace_back();
    else
      parts.back() += c;
  return parts;
}

/// "none|sinusoidal" lists values; "FOLDER|NAME" says what they are.
std::vector<std::string> words_of(const std::string& value_name) {
  const bool placeholder =
      std::ranges::all_of(value_name, [](unsigned char c) { return std::islower(c) == 0; });
  return value_name.find('|') == std::string::npos || (placeholder && value_name[0] != '-')
             ? std::vector<std::string>{}
             : split(value_name, '|');
}

std::vector<Completed> options_of(const CLI::App& app) {
  std::vector<Completed> found;
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_lnames().empty() || option->get_group().empty()) continue;  // FILE; hidden
    const bool takes_value = option->get_items_expected_max() > 0;
    found.push_back({"--" + option->get_lnames().front(), option->get_description(), takes_value,
                     takes_value ? words_of(option->get_type_name()) : std::vector<std::string>{}});
  }
  return found;
}

std::string names(const std::vector<Completed>& options) {
  std::string all;
  for (const Completed& option : options) all += (all.empty() ? "" : " ") + option.name;
  return all;
}

std::vector<std::string> subcommands_of(const std::deque<CommandLine>& lines) {
  std::vector<std::string> all;
  for (const CommandLine& line : lines)
    if (line.subcommand != nullptr) all.emplace_back(line.subcommand->name);
  return all;
}

std::string for_bash(const std::deque<CommandLine>& lines) {
  const std::vector<std::string> commands = subcommands_of(lines);
  std::string of_commands;
  std::map<std::string, std::vector<std::string>> values;
  for (const CommandLine& line : lines) {
    const std::vector<Completed> options = options_of(*line.app);
    of_commands += fmt::format("    {}) options=\"{}\" ;;\n",
                               line.subcommand != nullptr ? line.subcommand->name : "*", names(options));
    for (const Completed& option : options)
      if (option.takes_value) values[option.name] = option.words;
  }
  // The window's, "*", is the first line, and the last case.
  const std::size_t first = of_commands.find('\n') + 1;
  of_commands = of_commands.substr(first) + of_commands.substr(0, first);
  std::string of_values;
  for (const auto& [name, words] : values)
    of_values += fmt::format("    {}) words=\"{}\" value=yes ;;\n", name, fmt::join(words, " "));
  return fmt::format(R"(# Completion of headscope for bash, as headscope --completion bash prints it.
_headscope() {{
  local word=${{COMP_WORDS[COMP_CWORD]}} command= value= words= options= at
  for ((at = 1; at < COMP_CWORD; ++at)); do
    case ${{COMP_WORDS[at]}} in
    {}) command=${{COMP_WORDS[at]}} ;;
    esac
  done
  case ${{COMP_WORDS[COMP_CWORD - 1]}} in
{}  esac
  case $command in
{}  esac
  if [ -n "$value" ]; then
    :
  elif [[ $word == -* ]]; then
    words=$options
  elif [ -z "$command" ]; then
    words="{}"
  fi
  COMPREPLY=($(compgen -W "$words" -- "$word"))
}}
complete -o default -F _headscope headscope
)",
                     fmt::join(commands, " | "), of_values, of_commands, fmt::join(commands, " "));
}

/// Of an option's description, where a bracket or a colon would end it.
std::string for_zsh(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '[' || c == ']' || c == ':' || c == '\\') result += '\\';
    result += c;
  }
  return result;
}

std::string for_zsh(const std::deque<CommandLine>& lines) {
  std::string script =
      "#compdef headscope\n# Completion of headscope for zsh, as headscope --completion zsh prints it.\n";
  std::string of_commands, described, of_window;
  for (const CommandLine& line : lines) {
    std::string arguments;
    for (const Completed& option : options_of(*line.app)) {
      const std::string value = !option.takes_value ? ""
                                : option.words.empty()
                                    ? ":value:_files"
                                    : fmt::format(":value:({})", fmt::join(option.words, " "));
      arguments += fmt::format("      {} \\\n", in_shell_quotes(fmt::format("*{}{}[{}]{}", option.name,
                                                                            option.takes_value ? "=" : "",
                                                                            for_zsh(option.help), value)));
    }
    if (line.subcommand == nullptr) {
      of_window = arguments;
      continue;
    }
    described += fmt::format("    {} \\\n", in_shell_quotes(std::string(line.subcommand->name) + ":" +
                                                            for_zsh(line.app->get_description())));
    of_commands += fmt::format("    {})\n      _arguments \\\n{}      '*:file:_files'\n      ;;\n",
                               line.subcommand->name, arguments);
  }
  return script + fmt::format(R"(_headscope_first() {{
  local -a commands=( \
{}  )
  _describe subcommand commands
  _files
}}
_headscope() {{
  local word command=
  for word in ${{words[2,CURRENT-1]}}; do
    case $word in
    {}) command=$word ;;
    esac
  done
  case $command in
{}    *)
      _arguments \
{}      '*:file:_headscope_first'
      ;;
  esac
}}
_headscope "$@"
)",
                              described, fmt::join(subcommands_of(lines), "|"), of_commands, of_window);
}

/// In single quotes, where fish reads \' and \\.
std::string for_fish(const std::string& text) {
  std::string result = "'";
  for (const char c : text) {
    if (c == '\'' || c == '\\') result += '\\';
    result += c;
  }
  return result + "'";
}

std::string for_fish(const std::deque<CommandLine>& lines) {
  std::string script = "# Completion of headscope for fish, as headscope --completion fish prints it.\n";
  const std::string all = fmt::format("{}", fmt::join(subcommands_of(lines), " "));
  for (const CommandLine& line : lines) {
    const bool window = line.subcommand == nullptr;
    const std::string condition =
        window ? fmt::format("'not __fish_seen_subcommand_from {}'", all)
               : fmt::format("'__fish_seen_subcommand_from {}'", line.subcommand->name);
    if (!window)
      script += fmt::format("complete -c headscope -n 'not __fish_seen_subcommand_from {}' -a {} -d {}\n",
                            all, line.subcommand->name, for_fish(line.app->get_description()));
    for (const Completed& option : options_of(*line.app)) {
      std::string value;
      if (option.takes_value)
        value = option.words.empty() ? " -r" : fmt::format(" -x -a '{}'", fmt::join(option.words, " "));
      script += fmt::format("complete -c headscope -n {} -l {}{} -d {}\n", condition, option.name.substr(2),
                            value, for_fish(option.help));
    }
  }
  return script;
}

}  // namespace

const char* const completion_shells = "bash|zsh|fish";

std::string completion_script(std::string_view shell, const std::deque<CommandLine>& lines) {
  if (shell == "bash") return for_bash(lines);
  if (shell == "zsh") return for_zsh(lines);
  if (shell == "fish") return for_fish(lines);
  throw input_error("--completion is {}; expected bash, zsh or fish", shell);
}

}  // namespace headscope

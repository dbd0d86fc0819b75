#include "app/cli/command_line.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <set>
#include <string_view>

namespace headscope {
namespace {

struct CommandText {
  Command command;
  const char* name;
  const char* help;
  const char* example;
};
constexpr CommandText command_texts[] = {
    {Command::export_figure, "export", TR("Write a figure: .png .svg .pdf"),
     "headscope export -o figure.pdf --sentence \"猫坐在垫子上\" --heads 4 --d-model 64 --mask causal"},
    {Command::tensors, "tensors", TR("Write the arrays: .npz .safetensors .csv .json"),
     "headscope tensors -o arrays.npz --mask causal --temperature 0.5"},
    {Command::heads, "heads", TR("Write a table of all heads: .csv .json"),
     "headscope heads -o heads.csv --layers 4"},
    {Command::info, "info", TR("Say what a session, a figure or an array file holds"),
     "headscope info figure.png"},
    {Command::bench, "bench", TR("Time the engine and the figure on this machine"), "headscope bench --json"},
};

void declare_option(CommandLine& line, const Option& option, const Translator& tr) {
  CommandLine::Given& given = line.given.emplace_back(CommandLine::Given{&option, {}});
  if (option.value_name == nullptr) {
    const std::string help = tr(option.help);
    given.parsed = line.app->add_flag(option.name, help);
  } else {
    given.parsed = line.app->add_option(option.name, given.values, tr(option.help))
                       ->type_name(tr(option.value_name))
                       ->expected(1)
                       ->allow_extra_args(false);
    given.parsed->multi_option_policy(option.repeatable ? CLI::MultiOptionPolicy::TakeAll
                                                        : CLI::MultiOptionPolicy::TakeLast);
  }
  const bool figure = option.group == Option::Group::figure;
  given.parsed->group(option.hidden ? "" : figure ? tr("Figure") : tr("Options"));
}

void declare_groups(CommandLine& line, std::initializer_list<Option::Group> groups, const Translator& tr) {
  for (const auto& options : {input_options(), figure_options(), other_options()})
    for (const Option& option : options)
      if (std::find(groups.begin(), groups.end(), option.group) != groups.end())
        declare_option(line, option, tr);
}

void declare_subcommand(CLI::App& app, CommandLine& line, const CommandText& text, const Translator& tr) {
  using Group = Option::Group;
  line.command = text.command;
  line.app = app.add_subcommand(text.name, tr(text.help));
  line.app->footer(tr.format("Example:\n  {}", text.example));
  line.app->set_help_flag("-h,--help", tr("Print this help"));
  switch (text.command) {
    case Command::export_figure:
      return declare_groups(line, {Group::inputs, Group::figure, Group::output}, tr);
    case Command::bench:
      return declare_groups(line, {Group::bench}, tr);
    case Command::info:
      line.app->add_option("PATH", line.file, tr("A session, a figure, .npz, .safetensors or .npy"))
          ->type_name("");
      return;
    default:
      declare_groups(line, {Group::inputs, Group::output}, tr);
  }
}

}  // namespace

void declare(CLI::App& app, std::deque<CommandLine>& lines, const Translator& tr) {
  app.set_help_flag("-h,--help", tr("Print this help"));
  app.set_version_flag("--version", "headscope " HEADSCOPE_VERSION, tr("Print the version"));
  app.footer(
      tr.format("Example:\n  {}", "headscope --sentence \"The cat sat on the mat\" --heads 4 --mask causal"));
  app.require_subcommand(0, 1);
  CommandLine& window = lines.emplace_back();
  window.app = &app;
  declare_groups(window, {Option::Group::inputs, Option::Group::figure, Option::Group::window}, tr);
  app.add_option("FILE", window.file, tr("A session (.json) or a figure made by Headscope (.png .svg .pdf)"))
      ->type_name("");
  for (const CommandText& text : command_texts) declare_subcommand(app, lines.emplace_back(), text, tr);
}

std::vector<std::string> join_values(int argc, const char* const* argv) {
  std::set<std::string> with_value;
  for (const auto& options : {input_options(), figure_options(), other_options()})
    for (const Option& option : options)
      if (const std::string name = option.name; option.value_name != nullptr)
        with_value.insert(name.substr(name.find("--")));
  std::vector<std::string> arguments;
  for (int i = 1; i < argc; ++i) {
    std::string argument = argv[i];
    if (with_value.count(argument) != 0 && i + 1 < argc && argv[i + 1][0] == '-')
      argument += std::string("=") + argv[++i];
    arguments.push_back(std::move(argument));
  }
  return arguments;
}

CommandRequest apply_options(const CommandLine& line) {
  CommandRequest request;
  request.file = line.file;
  const auto named = [](const CommandLine::Given& given, std::string_view name) {
    return given.option->name == name;
  };
  for (const CommandLine::Given& given : line.given)
    if (named(given, "--session") && given.parsed->count() > 0) request.file = given.values.back();
  if (!request.file.empty() && line.command != Command::info) request.session = open_session(request.file);
  for (const CommandLine::Given& given : line.given) {
    if (given.parsed->count() == 0 || named(given, "--session")) continue;
    // Parts given on the line replace the session's: a union with what one does not see would surprise.
    if (named(given, "--mask")) request.session.inputs.mask.clear();
    if (given.option->value_name == nullptr) given.option->apply(request, "");
    for (const std::string& value : given.values) given.option->apply(request, value);
    const Option::Group group = given.option->group;
    if ((group == Option::Group::inputs || group == Option::Group::figure) && !named(given, "--language"))
      request.inputs_given = true;
  }
  return request;
}

}  // namespace headscope

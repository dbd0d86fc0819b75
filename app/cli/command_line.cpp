#include "app/cli/command_line.h"

#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <filesystem>
#include <set>
#include <string_view>

#include "app/cli/commands.h"
#include "app/cli/completion.h"
#include "app/cli/run_inputs.h"
#include "app/cli/version.h"
#include "core/base/error.h"
#include "core/figure/canvas/qr_code.h"
#include "core/inputs/fields.h"
#include "core/inputs/token_edit.h"
#include "core/io/formats.h"
#include "core/model/config/config.h"
#include "core/model/weights/built_in_models.h"
#include "core/model/weights/model_folder.h"
#include "core/scene/head_table.h"
#include "core/session/session_figure.h"
#include "core/session/session_link.h"
#include "core/source/write/write_arrays.h"
#include "core/teach/library.h"

namespace headscope {
namespace {

constexpr InputField::Member of_seeded_layer[] = {
    &Inputs::d_model,  &Inputs::heads,      &Inputs::kv_heads,     &Inputs::layers,       &Inputs::seed,
    &Inputs::weights,  &Inputs::sigma,      &Inputs::typed,        &Inputs::vectors,      &Inputs::positions,
    &Inputs::residual, &Inputs::layer_norm, &Inputs::share_layers, &Inputs::feed_forward, &Inputs::splits,
    &Inputs::joins,    &Inputs::key_splits, &Inputs::key_joins,
};

/// Whether a field belongs to SeededLayer, or says how a sentence is split for it: other sources ignore it.
bool is_of_seeded_layer(const InputField& field) {
  return std::ranges::find(of_seeded_layer, field.member) != std::end(of_seeded_layer);
}

/// ".png .svg .pdf"
template <typename Row>
std::string known_endings(std::span<const Row> formats) {
  return fmt::format("{}", fmt::join(endings(formats), " "));
}

using Group = Option::Group;

const Subcommand subcommands[] = {
    {"export",
     TR("Write a figure: {}; or an animation, or a lesson as a handout"),
     "headscope export -o figure.pdf --sentence \"猫坐在垫子上\" --heads 4 --d-model 64 --mask causal",
     run_export,
     {Group::inputs, Group::page, Group::figure, Group::cells, Group::groups, Group::place, Group::stage,
      Group::session, Group::output, Group::causes, Group::circuits},
     [] { return known_endings(figure_formats()); }},
    {"tensors",
     TR("Write the arrays: {}"),
     "headscope tensors -o arrays.npz --mask causal --temperature 0.5",
     run_tensors,
     {Group::inputs, Group::arrays, Group::cells, Group::session, Group::output},
     [] { return known_endings(array_writers()); }},
    {"heads",
     TR("Print a table of all heads, or write it: {}"),
     "headscope heads -o heads.csv --layers 4",
     run_heads,
     {Group::inputs, Group::groups, Group::search, Group::output},
     [] { return known_endings(head_table_formats()); }},
    {"info",
     TR("Describe a session, a figure, a model, an array file or the given options, or check a lesson"),
     "headscope info figure.png --mask window:2",
     run_info,
     {Group::inputs, Group::json, Group::families}},
    {"link",
     TR("Print a link to the session, which opens it in a page, and write its QR code: {}"),
     "headscope link --address https://example.org/headscope.html --mask causal -o link.svg",
     run_link,
     {Group::inputs, Group::address, Group::figure, Group::cells, Group::groups, Group::output},
     [] { return fmt::format("{}", fmt::join(qr_endings(), " ")); }},
    {"mark",
     TR("Mark students' sessions by the questions of a lesson or course"),
     "headscope mark masks handed-in -o marks.csv",
     run_mark,
     {Group::output}},
    {"arithmetic",
     TR("Print how one cell's weight and its query's output are computed"),
     "headscope arithmetic --head 2 --query 5 --key 1",
     run_arithmetic,
     {Group::inputs, Group::cell, Group::place, Group::json}},
    {"predict",
     TR("Print what a model expects: the ten likeliest tokens at each position"),
     "headscope predict --model gpt2 --sentence \"The cat sat on the\"",
     run_predict,
     {Group::inputs, Group::lens, Group::json}},
    {"causes",
     TR("Write which parts of a model cause an answer, by changing one after another: {}"),
     "headscope causes --model gpt2 --sentence \"When Mary and John went out, John gave a book to\" "
     "--answer \" Mary\" --against \" John\" --knock-out mean -o causes.csv",
     run_causes,
     {Group::inputs, Group::page, Group::figure, Group::causes, Group::session, Group::output},
     [] { return known_endings(array_writers()) + " " + known_endings(figure_formats()); }},
    {"circuits",
     TR("Write what a model's heads copy, match and read from each other, from the weights alone: {}"),
     "headscope circuits --model induction --composition k -o composition.npz",
     run_circuits,
     {Group::inputs, Group::page, Group::figure, Group::circuits, Group::session, Group::output},
     [] { return known_endings(array_writers()) + " " + known_endings(figure_formats()); }},
    {"generate",
     TR("Print the text by which a model goes on, or a translation"),
     "headscope generate --model gpt2 --sentence \"The cat sat on the\" --max-tokens 20",
     run_generate,
     {Group::inputs, Group::sampling, Group::json}},
    {"pytorch",
     TR("Print the lines of PyTorch that make the same numbers"),
     "headscope pytorch --heads 4 --mask causal > attention.py",
     run_pytorch,
     {Group::inputs}},
    {"bench",
     TR("Time attention and figure drawing on this machine"),
     "headscope bench --json",
     run_bench,
     {Group::json, Group::bench}},
};

/// The option's help, with its two {} replaced by its words: all but the last, and the last.
std::string help_of(const Option& option, const Translator& tr) {
  if (option.words.empty()) return tr(option.help);
  std::string first;
  for (const std::string& word : std::span(option.words).first(option.words.size() - 1))
    first += (first.empty() ? "" : tr(", ")) + word;
  return tr(option.help, first, option.words.back());
}

std::string session_file(const Translator& tr) {
  return tr(
      "A session (.json, .headscope), a figure made by Headscope ({}), a trained model (its folder or "
      ".gguf file, or the name of a built-in one: {}) or a capture (.npz, .safetensors)",
      fmt::format("{}", fmt::join(figure_endings(), " ")), built_in_names());
}

void declare_option(CommandLine& line, const Option& option, const Translator& tr) {
  CommandLine::Given& given = line.given.emplace_back(CommandLine::Given{&option, {}});
  const std::string help = help_of(option, tr);
  if (option.value_name == nullptr) {
    given.parsed = line.app->add_flag(option.name, help)->disable_flag_override();
  } else {
    given.parsed = line.app->add_option(option.name, given.values, help)
                       ->type_name(tr(option.value_name))
                       ->expected(option.value_optional ? 0 : 1, 1)
                       ->allow_extra_args(false);
    given.parsed->multi_option_policy(option.repeatable ? CLI::MultiOptionPolicy::TakeAll
                                                        : CLI::MultiOptionPolicy::TakeLast);
  }
  const bool figure = option.group == Group::figure || option.group == Group::page ||
                      option.group == Group::stage || option.group == Group::cells;
  given.parsed->group(option.hidden ? "" : figure ? tr("Figure") : tr("Options"));
}

void declare_groups(CommandLine& line, const std::vector<Group>& groups, const Translator& tr) {
  for (const auto& options : {input_options(), figure_options(), other_options()})
    for (const Option& option : options)
      if (option.group == Group::language || std::ranges::find(groups, option.group) != groups.end())
        declare_option(line, option, tr);
}

void add_file(CommandLine& line, const char* name, const std::string& help) {
  line.app->add_option(name, line.file, help)->type_name("");
}

void add_marked_files(CommandLine& line, const Translator& tr) {
  add_file(line, "LESSON", tr("A lesson or course: its file (.md), or the name of a built-in one"));
  line.app->add_option("FOLDER", line.sessions, tr("Folder of sessions (.json .headscope), a student each"))
      ->type_name("");
}

void add_help(CLI::App& app, const Translator& tr) {
  app.set_help_flag("-h,--help", tr("Print this help"))->group(tr("Options"));
}

void declare_subcommand(CLI::App& app, CommandLine& line, const Subcommand& row, const Translator& tr) {
  line.subcommand = &row;
  line.app = app.add_subcommand(row.name, tr(row.help, row.written()));
  line.app->footer(tr("Example:\n  {}", row.example));
  line.app->group(tr("Subcommands"));
  add_help(*line.app, tr);
  if (line.is_info())
    add_file(
        line, "PATH",
        tr("A session, a figure, a lesson (.md), the folder of a model or an array file (.npz .safetensors "
           ".npy); not needed with options"));
  else if (line.is_mark())
    add_marked_files(line, tr);
  else if (row.run != run_bench)
    add_file(line, "FILE", session_file(tr));
  declare_groups(line, row.groups, tr);
}

bool is_named(const CommandLine::Given& given, std::string_view name) {
  return given.option->name == name;
}

/// "--scale" for "--no-scale", and vice versa.
std::string opposite(const std::string& name) {
  constexpr std::string_view no = "--no-";
  return name.starts_with(no) ? "--" + name.substr(no.size()) : std::string(no) + name.substr(2);
}

/// The options given, in the order of the list; of an option and its opposite, the later one.
std::vector<const CommandLine::Given*> given_options(const CommandLine& line) {
  const std::vector<CLI::Option*> order = line.app->parse_order();
  const auto last_place = [&](const std::string& name) {
    for (std::size_t i = order.size(); i > 0; --i)
      if (order[i - 1]->check_name(name)) return i;
    return std::size_t{0};
  };
  std::vector<const CommandLine::Given*> given;
  for (const CommandLine::Given& option : line.given) {
    if (option.parsed->count() == 0) continue;
    const std::string name = option.option->name;
    // One reads a session, the other keeps it out of the written file: neither cancels the other.
    const bool alone = name == "--session" || name == "--no-session";
    if (alone || last_place(opposite(name)) <= last_place(name)) given.push_back(&option);
  }
  return given;
}

/// The file that the session comes from, or "".
std::string file_of(const CommandLine& window, const CommandLine& command,
                    const std::vector<const CommandLine::Given*>& given) {
  std::set<std::string> files;
  for (const std::string& file : {window.file, command.file})
    if (!file.empty()) files.insert(file);
  check_file(window);
  for (const CommandLine::Given* option : given)
    if (is_named(*option, "--session")) files.insert(option->values.back());
  if (files.size() > 1)
    throw input_error("{} and {} are both given; expected one session", *files.begin(), *files.rbegin());
  return files.empty() ? "" : *files.begin();
}

/// An option of the seeded layer has no effect on another source, whose numbers would seem to reflect it.
void refuse_options_of_the_layer(const CommandRequest& request,
                                 const std::vector<const CommandLine::Given*>& given) {
  const SourceTraits& source = request.session.inputs.about();
  if (source.from_seed) return;
  const auto check = [&](const InputField* field, const std::string& name) {
    if (field == nullptr) return;
    if (source.computes && is_of_seeded_layer(*field))
      throw input_error(
          "{} is given; a trained model keeps its own sizes, weights, vectors and tokens: expected none",
          name);
    const bool of_text = field->member == InputField::Member(&Inputs::sentence) ||
                         field->member == InputField::Member(&Inputs::key_sentence) ||
                         field->member == InputField::Member(&Inputs::picture) ||
                         field->member == InputField::Member(&Inputs::features) ||
                         field->member == InputField::Member(&Inputs::target);
    if (!source.computes && (of_text || is_of_seeded_layer(*field)))
      throw input_error("{} is given; a capture keeps its own text and numbers: expected none", name);
  };
  for (const CommandLine::Given* option : given) check(option->option->field, option->option->name);
  if (request.sweep) check(request.sweep->field, fmt::format("--sweep {}", request.sweep->field->name));
}

/// Ablated heads are compared with the unmodified model, as in the window: B is A with the heads ablated.
void compare_ablated_heads(CommandRequest& request) {
  Session& session = request.session;
  const bool compares = session.view.row().compares && !session.compare;
  if (!compares || !session.inputs.about().ablates || session.inputs.ablated_heads.empty()) return;
  const HeadPlace first = *session.inputs.ablated_heads.begin();
  session.compare = session.inputs;
  session.inputs.ablated_heads.clear();
  if (!request.block_given) session.view.block = first.block;
  // The layer's own scores and weights are unchanged; the effect begins in the layers after it.
  if (request.layer_given) return;
  session.view.layer = first.layer + 1;
  if (session.inputs.about().from_seed)
    session.view.layer = std::min(session.view.layer, session.inputs.layers - 1);
}

/// B of the comparison is A with another sentence.
void use_other_sentence(CommandRequest& request) {
  if (!request.other_sentence) return;
  Inputs& b = request.session.compare.emplace(request.session.inputs);
  const headscope::Text before = b;
  b.sentence = *request.other_sentence;
  carry_boundaries(before, b);
}

/// A view of several heads shows only the requested one.
void show_one_head(const CommandRequest& request, View& view) {
  if (!request.head_given || !view.row().layer_maps() || view.row().one_head) return;
  view.hidden_heads.clear();
  for (int head = 0; head < Limits::max_view_heads; ++head)
    if (head != view.head) view.hidden_heads.insert(head);
}

/// Whether an option is about another view than that of a whole model.
bool asks_for_view(const CommandRequest& request) {
  constexpr std::array<std::string_view, 5> of_other_views{"--view", "--block", "--layer", "--head",
                                                           "--stage"};
  return std::ranges::any_of(request.given, [&](const std::string& name) {
    return std::ranges::find(of_other_views, name) != of_other_views.end();
  });
}

/// As from the window's menu: a built-in encoder–decoder opens in the view of the whole model, a picture in
/// that of every head over it, unless another view is requested or the file is a session with its own view.
void choose_first_view(CommandRequest& request) {
  const bool of_session = !request.file.empty() && !is_built_in(request.file);
  ViewKind& kind = request.session.view.kind;
  if (request.lesson || of_session || kind != View().kind || asks_for_view(request)) return;
  const Inputs& inputs = request.session.inputs;
  const BuiltInModel* const model = find_built_in(inputs.model);
  kind =
      first_view(model != nullptr && model->reads_target, inputs.about().predicts && !inputs.picture.empty());
}

/// A subcommand named after a view writes its numbers.
void choose_view_of(const Subcommand* subcommand, View& view) {
  const auto kind = subcommand == nullptr ? std::nullopt : from_name<ViewKind>(subcommand->name);
  if (kind && view_kind(*kind).own_numbers) view.kind = *kind;
}

/// As from the window's menu: a built-in model opens with its example, unless a sentence is given.
void use_example(CommandRequest& request) {
  Inputs& inputs = request.session.inputs;
  const bool of_session = !request.file.empty() && !is_built_in(request.file);
  const auto is_sentence = [](const std::string& name) {
    return name.starts_with("--sentence") || name == "--text";
  };
  if (of_session || !is_built_in(inputs.model) || std::ranges::any_of(request.given, is_sentence)) return;
  const std::string folder = folder_of_model(inputs.model);
  try {
    const ModelConfig config = read_config(folder);
    if (config.notes && !config.notes->picture.empty() && inputs.picture.empty())
      inputs.picture = inputs.model + "/" + config.notes->picture;
    if (config.notes && !config.notes->sentence.empty()) inputs.sentence = config.notes->sentence;
  } catch (const Error&) {  // reported when the model is opened
  }
}

}  // namespace

bool CommandLine::is_info() const {
  return subcommand != nullptr && subcommand->run == run_info;
}
bool CommandLine::is_mark() const {
  return subcommand != nullptr && subcommand->run == run_mark;
}

namespace {

/// Help as CLI11 before 2.5 prints it, which man pages are made from: a terminal wraps lines by itself.
void keep_paragraphs(auto& formatter) {
  if constexpr (requires { formatter.right_column_width(std::size_t{}); }) {
    formatter.right_column_width(std::size_t{1} << 20);
    formatter.enable_description_formatting(false);
    formatter.enable_footer_formatting(false);
    formatter.long_option_alignment_ratio(0.08F);  // two of thirty columns
  }
}

}  // namespace

void declare(CLI::App& app, std::deque<CommandLine>& lines, const Translator& tr, ListLibraries of_window) {
  // The parser's name for a label, and the text for it; subcommands share the formatter.
  constexpr std::pair<const char*, const char*> labels[] = {{"Usage", TR("Usage")},
                                                            {"OPTIONS", TR("OPTIONS")},
                                                            {"SUBCOMMAND", TR("SUBCOMMAND")},
                                                            {"Positionals", TR("Arguments")},
                                                            {"POSITIONALS", TR("Arguments")}};
  for (const auto& [label, text] : labels) app.get_formatter()->label(label, tr(text));
  keep_paragraphs(*app.get_formatter());
  add_help(app, tr);
  app.set_version_flag(
         "--version",
         [of_window] { return version_text(of_window != nullptr ? of_window() : std::vector<Library>{}); },
         tr("Print the version, the commit and the libraries"))
      ->group(tr("Options"));
  app.add_option_function<std::string>(
         "--completion",
         [&lines](const std::string& shell) {
           throw CLI::CallForVersion(completion_script(shell, lines),
                                     0);  // is printed, and nothing else is done
         },
         tr("Print a shell completion script"))
      ->type_name(completion_shells)
      ->group(tr("Options"));
  app.footer(tr("Example:\n  {}", "headscope --sentence \"The cat sat on the mat\" --heads 4 --mask causal"));
  app.require_subcommand(0, 1);
  CommandLine& window = lines.emplace_back();
  window.app = &app;
  declare_groups(window,
                 {Group::inputs, Group::figure, Group::cells, Group::groups, Group::causes, Group::circuits,
                  Group::window},
                 tr);
  add_file(
      window, "FILE",
      tr("A session (.json, .headscope), a figure made by Headscope ({}), a trained model (its folder or "
         ".gguf file, or the name of a built-in one: {}), a capture (.npz, .safetensors) or a lesson (.md)",
         known_endings(figure_formats()), built_in_names()));
  for (const Subcommand& row : subcommands) declare_subcommand(app, lines.emplace_back(), row, tr);
}

std::vector<std::string> join_values(int argc, const char* const* argv) {
  std::set<std::string> with_value, alone;
  for (const auto& options : {input_options(), figure_options(), other_options()})
    for (const Option& option : options)
      if (const std::string name = option.name; option.value_name != nullptr)
        (option.value_optional ? alone : with_value).insert(name.substr(name.find("--")));
  // If a name may go without a value in one subcommand, what follows it is treated as the next option in all.
  for (const std::string& name : alone) with_value.erase(name);
  std::vector<std::string> arguments;
  for (int i = 1; i < argc; ++i) {
    std::string argument = argv[i];
    if (with_value.count(argument) != 0 && i + 1 < argc && argv[i + 1][0] == '-')
      argument += std::string("=") + argv[++i];
    // The parser accepts an empty value only as a separate argument.
    const bool empty =
        argument.ends_with('=') && with_value.count(argument.substr(0, argument.size() - 1)) != 0;
    if (empty) argument.pop_back();
    arguments.push_back(std::move(argument));
    if (empty) arguments.emplace_back();
  }
  return arguments;
}

void check_file(const CommandLine& window) {
  std::error_code code;
  const bool there = window.file.empty() || std::filesystem::exists(window.file, code);
  if (code == std::errc::too_many_symbolic_link_levels)
    throw input_error("{}: a link that leads to itself", window.file);
  if (there || is_lesson(window.file) || is_built_in(window.file) || is_link(window.file)) return;
  std::string names;
  for (const Subcommand& row : subcommands) names += (names.empty() ? "" : ", ") + std::string(row.name);
  throw input_error("{} does not exist; expected a file, or a subcommand ({})", window.file, names);
}

namespace {

bool changes_session(Group group) {
  return group == Group::inputs || group == Group::figure || group == Group::cells || group == Group::groups;
}

}  // namespace

CommandRequest apply_options(const CommandLine& window, const CommandLine& command) {
  std::vector<const CommandLine::Given*> given = given_options(window);
  if (&command != &window)
    for (const CommandLine::Given* option : given_options(command)) given.push_back(option);
  CommandRequest request;
  request.file = file_of(window, command, given);
  const bool opens_window = command.subcommand == nullptr, is_info = command.is_info();
  request.lesson = (opens_window || is_info || command.is_mark()) && is_lesson(request.file);
  request.sessions = command.sessions;
  request.folder = is_info && (is_built_in(request.file) || is_model_path(request.file));
  const bool described =
      request.lesson || request.folder || command.is_mark() || (is_info && is_array_file(request.file));
  // In the window a link may also lead to a step of a lesson.
  const bool linked = opens_window && is_link(request.file);
  if (linked) json_in_link(request.file);
  const bool changed = std::ranges::any_of(
      given, [](const CommandLine::Given* option) { return changes_session(option->option->group); });
  if (!request.file.empty() && !described && (!linked || changed))
    request.session = open_session(request.file);
  // Mask parts given on the line replace the session's: a union with parts the user does not see would
  // surprise.
  for (const CommandLine::Given* option : given)
    if (is_named(*option, "--mask")) {
      request.session.inputs.mask.clear();
      request.mask_given = true;
    }
  for (const CommandLine::Given* option : given) {
    if (is_named(*option, "--session")) continue;
    request.given.emplace_back(option->option->name);
    const bool valueless = option->option->value_optional && option->values.empty();
    if (option->option->value_name == nullptr || valueless) option->option->apply(request, "");
    for (const std::string& value : option->values) option->option->apply(request, value);
    if (changes_session(option->option->group)) request.inputs_given = true;
  }
  refuse_options_of_the_layer(request, given);
  choose_view_of(command.subcommand, request.session.view);
  use_example(request);
  use_other_sentence(request);
  compare_ablated_heads(request);
  if (opens_window) choose_first_view(request);
  show_one_head(request, request.session.view);
  for (const BlockShape& shape : shape_of(request.session.inputs, nullptr))
    if (auto note = fit_view(request, shape, request.session.view)) request.view_note = std::move(note);
  return request;
}

}  // namespace headscope

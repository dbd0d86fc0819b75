#include "app/cli/options.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <functional>

#include "app/cli/values.h"
#include "core/analysis/arithmetic_stages.h"
#include "core/figure/animation/animation.h"
#include "core/figure/boards/steps_page.h"
#include "core/figure/figure_size.h"
#include "core/figure/text/figure_font.h"
#include "core/inputs/fields.h"
#include "core/inputs/head_places.h"
#include "core/inputs/mask_kinds.h"
#include "core/inputs/token_edit.h"
#include "core/model/weights/built_in_models.h"
#include "core/scene/colormap_data.h"
#include "core/scene/head_table.h"
#include "core/scene/view_kinds.h"
#include "core/session/session_link.h"
#include "core/source/cell_value.h"
#include "core/teach/library.h"

namespace headscope {
namespace {

using Group = Option::Group;
using Request = CommandRequest;
using Argument = const std::string&;

Inputs& inputs(Request& request) {
  return request.session.inputs;
}

/// An empty text is a slip, such as a variable of the shell that is not set.
void expect_list(const char* option, Argument text) {
  if (text.empty()) throw input_error("{} is empty; expected a list with commas, or none", option);
}

/// Parses an option's text into the value of its field.
template <typename Value>
void take(const InputField& field, const char* option, Argument text, Value& value, Budget& masks) {
  if constexpr (has_limits<Value>) {
    const auto minimum = static_cast<Value>(field.minimum), maximum = static_cast<Value>(field.maximum);
    if constexpr (std::is_same_v<Value, int>)
      value = parse_int(option, text, minimum, maximum);
    else
      value = parse_number(option, text, minimum, maximum);
  } else if constexpr (std::is_enum_v<Value>) {
    value = parse_name<Value>(option, text);
  } else if constexpr (std::is_same_v<Value, std::uint64_t>) {
    value = parse_seed(option, text);
  } else if constexpr (std::is_same_v<Value, TypedMatrices>) {
    value = typed_from_json(parse_text(option, text), option);
  } else if constexpr (std::is_same_v<Value, std::vector<MaskPart>>) {
    if (text == "none")
      value.clear();
    else
      value.push_back(parse_mask_part(parse_text(option, text), masks));
  } else if constexpr (std::is_same_v<Value, std::set<int>>) {
    expect_list(option, text);
    value = parse_places(option, text, static_cast<int>(field.maximum));
  } else if constexpr (std::is_same_v<Value, std::set<HeadPlace>>) {
    expect_list(option, text);
    try {
      value = parse_head_places(parse_text(option, text));
    } catch (const Error& error) {
      throw error.at(option);
    }
  } else if constexpr (!std::is_same_v<Value, bool>) {  // a bool has two switches instead
    value = parse_text(option, text);
  }
}

/// Using a typed X implies --inputs typed, unless --inputs is given.
void use_typed_x(Request& request) {
  if (!inputs(request).typed.x.empty() && !request.vectors_given) inputs(request).vectors = VectorKind::typed;
}

/// Options for a single matrix, applied after --typed.
void add_typed_parts(std::vector<Option>& options) {
  const auto add_matrix = [&](const char* name, const char* help,
                              std::vector<double> TypedMatrices::*matrix) {
    options.push_back({Group::inputs, name, "JSON", help, [=](Request& r, Argument v) {
                         inputs(r).typed.*matrix = matrix_from_json(parse_text(name, v), name);
                         use_typed_x(r);
                       }});
  };
  options.push_back(
      {Group::inputs, "--typed-order", "out_in|in_out",
       TR("Order of the typed matrices: [out, in] as in PyTorch (default) or [in, out] as in textbooks"),
       [](Request& r, Argument v) { inputs(r).typed.order = parse_name<MatrixOrder>("--typed-order", v); }});
  add_matrix("--typed-x", TR("X for --inputs typed, [tokens, d_model], row by row: [...]"),
             &TypedMatrices::x);
  add_matrix("--typed-key-x", TR("The same for the second sentence"), &TypedMatrices::key_x);
}

/// The new source replaces the session's.
void take_source(Inputs& inputs, std::string Inputs::*taken) {
  if ((inputs.*taken).empty()) return;
  if (!is_built_in(inputs.*taken)) inputs.*taken = whole_path(inputs.*taken);
  for (std::string Inputs::*source : {&Inputs::model, &Inputs::capture})
    if (source != taken) (inputs.*source).clear();
}

/// The options of a field: its own and, if it can be reset, the opposite.
void add_field(std::vector<Option>& options, const InputField& field) {
  std::string name = field.name;
  std::ranges::replace(name, '_', '-');
  const std::string no = "--no-" + name;
  name = "--" + name;
  const auto add_switch = [&](const std::string& option, const char* help, auto change) {
    options.push_back(
        {Group::inputs, option, nullptr, help, [change](Request& r, Argument) { change(inputs(r)); }});
  };
  if (const auto* flag = std::get_if<bool Inputs::*>(&field.member)) {
    const bool on = Inputs{}.**flag;
    const auto set = [member = *flag](bool value) { return [=](Inputs& i) { i.*member = value; }; };
    add_switch(on ? no : name, field.option_help, set(!on));
    add_switch(on ? name : no, field.default_help, set(on));
    return;
  }
  const bool is_mask = std::holds_alternative<std::vector<MaskPart> Inputs::*>(field.member);
  std::vector<std::string> words;
  if (is_mask)
    for (const MaskKindRow& row : mask_kinds()) words.emplace_back(row.form);
  options.push_back({Group::inputs, name, field.value, field.option_help,
                     [&field, name](Request& r, Argument v) {
                       const auto set = [&](auto member) {
                         take(field, name.c_str(), v, inputs(r).*member, r.masks);
                       };
                       const headscope::Text before = inputs(r);
                       std::visit(set, field.member);
                       carry_boundaries(before, inputs(r));
                       for (std::string Inputs::*source : {&Inputs::model, &Inputs::capture})
                         if (&field == &input_field(source)) take_source(inputs(r), source);
                       for (std::string Inputs::*file : {&Inputs::picture, &Inputs::features})
                         if (std::string& path = inputs(r).*file;
                             &field == &input_field(file) && !path.empty() && !is_file_of_built_in(path))
                           path = whole_path(path);
                       if (std::holds_alternative<VectorKind Inputs::*>(field.member)) r.vectors_given = true;
                       if (std::holds_alternative<TypedMatrices Inputs::*>(field.member)) use_typed_x(r);
                     },
                     is_mask, false, words});
  if (const auto* text = std::get_if<std::optional<std::string> Inputs::*>(&field.member))
    add_switch(no, field.default_help, [member = *text](Inputs& i) {
      const headscope::Text before = i;
      (i.*member).reset();
      carry_boundaries(before, i);
    });
}

std::vector<Option> make_options() {
  std::vector<Option> options{{Group::inputs, "--session", TR("FILE"),
                               TR("Start from a session or a figure made by Headscope"),
                               [](Request& r, Argument v) { r.file = v; }}};
  for (const InputField& field : input_fields()) {
    const std::size_t first = options.size();
    add_field(options, field);
    if (std::holds_alternative<TypedMatrices Inputs::*>(field.member)) add_typed_parts(options);
    for (std::size_t i = first; i < options.size(); ++i) options[i].field = &field;
  }
  options.insert(
      options.end(),
      {{Group::inputs, "--sentence-file", TR("FILE"),
        TR("The sentence from a text file, or from standard input (-)"),
        [](Request& r, Argument v) {
          if (r.is_given("--sentence"))
            throw input_error("{} and {} are both given; expected one of them", "--sentence",
                              "--sentence-file");
          const headscope::Text before = inputs(r);
          inputs(r).sentence = sentence_from_file("--sentence-file", v);
          carry_boundaries(before, inputs(r));
          if (v != "-") r.read_files.push_back(v);
        }},
       {Group::inputs, "--text", TR("TEXT"),
        TR("A sentence that a picture is held against (CLIP, SigLIP); repeatable, or the lines of "
           "--sentence"),
        [](Request& r, Argument v) {
          const headscope::Text before = inputs(r);
          std::string& sentence = inputs(r).sentence;
          sentence = (r.texts_given ? sentence + "\n" : std::string()) + parse_text("--text", v);
          r.texts_given = true;
          carry_boundaries(before, inputs(r));
        },
        true},
       {Group::inputs, "--layer", "L",
        TR("Only this layer, numbered from 0 (the first on screen is layer 1)"),
        [](Request& r, Argument v) {
          r.session.view.layer = parse_place("--layer", v, Limits::max_view_layers - 1);
          r.layer_given = true;
        }},
       {Group::inputs, "--block",
        "self|encoder|decoder|cross|text|state|pooling2|block2|pooling3|block3|pooling4|block4|upsampled",
        TR("Only the attention of this kind, where a model has several"), [](Request& r, Argument v) {
          r.session.view.block = parse_name<BlockKind>("--block", v);
          r.block_given = true;
        }}});
  return options;
}

View& view(Request& request) {
  return request.session.view;
}

/// What `name` gives for each row of a table.
template <typename Rows, typename Name>
std::vector<std::string> words_of(const Rows& rows, const Name& name) {
  std::vector<std::string> words;
  for (const auto& row : rows) words.emplace_back(std::invoke(name, row));
  return words;
}

std::string head_column_names() {
  return fmt::format("{}", fmt::join(words_of(head_columns(false, true), &HeadColumn::name), ", "));
}

/// The words of --knock-out or of --patch.
std::vector<std::string> change_words(bool patches) {
  std::vector<std::string> words;
  for (const EnumName<CauseChange>& entry : enum_names(CauseChange{}))
    if (is_patch(entry.value) == patches) words.emplace_back(entry.name);
  return words;
}

CauseChange parse_change(const char* option, Argument text, bool patches) {
  const std::vector<std::string> words = change_words(patches);
  if (std::ranges::find(words, text) == words.end())
    throw input_error("{} is \"{}\"; expected one of: {}", option, text,
                      fmt::format("{}", fmt::join(words, ", ")));
  return *from_name<CauseChange>(text);
}

void set_change(Request& request, CauseChange change) {
  view(request).causes.change = change;
  view(request).kind = ViewKind::causes;
}

void set_places(Request& request, CausePlaces places) {
  CausePlaces& chosen = view(request).causes.places;
  if (chosen != CausePlaces::all && chosen != places)
    throw input_error(
        "--by-position, --by-edge, --by-key and --by-path exclude each other; expected one of them");
  chosen = places;
}

/// "2", or with its layer and, where there are several, its block: "0.1", "decoder:3.7".
void choose_head(Request& request, Argument text) {
  View& chosen = view(request);
  if (text.find('.') == std::string::npos) {
    chosen.head = parse_place("--head", text, Limits::max_view_heads - 1);
  } else {
    std::set<HeadPlace> heads;
    try {
      heads = parse_head_places(parse_text("--head", text));
    } catch (const Error& error) {
      throw error.at("--head");
    }
    if (heads.size() != 1) throw input_error("{} is \"{}\"; expected one head, such as 0.1", "--head", text);
    chosen.layer = heads.begin()->layer;
    chosen.head = heads.begin()->head;
    request.layer_given = true;
    if (text.find(':') != std::string::npos) {
      chosen.block = heads.begin()->block;
      request.block_given = true;
    }
  }
  request.head_given = true;
}

const std::vector<std::string> size_words = words_of(figure_sizes(), &FigureSize::name);

const Option figure_rows[] = {
    {Group::figure, "--head", "[L.]H",
     TR("Only this head, numbered from 0 (the first on screen is head 1); with its layer as 0.1"),
     [](Request& r, Argument v) {
       choose_head(r, v);
       view(r).kind = ViewKind::head;
     }},
    {Group::figure, "--view", TR("VIEW"), TR("{} or {}"),
     [](Request& r, Argument v) { view(r).kind = parse_view(v); }, false, false,
     words_of(view_kinds, word_of)},
    {Group::figure, "--page", "cell|cost|streaming",
     TR("Page of the steps of the arithmetic: one cell, what a layer costs, or the softmax block by block"),
     [](Request& r, Argument v) {
       view(r).steps.page = parse_name<StepsPage>("--page", v);
       if (!r.is_given("--view")) view(r).kind = ViewKind::steps;
     }},
    {Group::figure, "--table", "both|numbers|similarity|scatter",
     TR("What of the table of heads: numbers, similarity, both, or the heads as points by two columns"),
     [](Request& r, Argument v) {
       view(r).table.half = parse_name<TableHalf>("--table", v);
       if (!r.is_given("--view")) view(r).kind = ViewKind::head_table;
     }},
    {Group::figure, "--scatter", "X,Y", TR("Columns of the table of heads along the two axes of the scatter"),
     [](Request& r, Argument v) {
       const std::size_t comma = std::min(v.find(','), v.size());
       const std::string x = v.substr(0, comma), y = v.substr(std::min(comma + 1, v.size()));
       if (find_head_column(x) == nullptr || find_head_column(y) == nullptr)
         throw input_error("--scatter is \"{}\"; expected two of: {}", v, head_column_names());
       view(r).table.scatter_x = x;
       view(r).table.scatter_y = y;
       view(r).table.half = TableHalf::scatter;
       if (!r.is_given("--view")) view(r).kind = ViewKind::head_table;
     }},
    {Group::figure, "--scatter-color", "layer|group", TR("Colours of the scatter's points"),
     [](Request& r, Argument v) {
       view(r).table.scatter_color = parse_name<ScatterColor>("--scatter-color", v);
     }},
    {Group::cells, "--cells", TR("VALUE"), TR("What the cells of maps show: {} or {}; weight by default"),
     [](Request& r, Argument v) { view(r).cells = parse_name<CellValue>("--cells", v); }, false, false,
     words_of(cell_values(), &CellValueRow::name)},
    {Group::cells,
     "--rollout",
     TR("OF"),
     TR("One map for each layer in place of its heads': what of each token has come through all layers so "
        "far "
        "(attention rollout), by {} or {}"),
     [](Request& r, Argument v) { view(r).rollout.of = parse_name<Rollout>("--rollout", v); },
     false,
     false,
     {"weights", "norms"}},
    {Group::cells, "--no-residual-in-rollout", nullptr,
     TR("Leave the residual connections out of the rollout; otherwise they are half of each layer"),
     [](Request& r, Argument) { view(r).rollout.residual = false; }},
    {Group::figure, "--token", TR("TOKEN"),
     TR("Token (or id:ID) that the views contributions, causes and circuits and --cells logit are about; by "
        "default the likeliest"),
     [](Request& r, Argument v) { view(r).predictions.token = parse_text("--token", v); }},
    {Group::figure, "--position", "P",
     TR("Position that the views contributions, causes and lens are about, numbered from 0; by default the "
        "last, a mask, or where the label is read"),
     [](Request& r, Argument v) {
       view(r).predictions.position = parse_int("--position", v, 0, Limits::max_tokens - 1);
     }},
    {Group::figure, "--rows", "N", TR("Rows of the grid; 0: chosen to fit"),
     [](Request& r, Argument v) { view(r).rows = parse_int("--rows", v, 0, Limits::max_view_heads); }},
    {Group::figure, "--columns", "N", TR("Columns of the grid; 0: chosen to fit"),
     [](Request& r, Argument v) { view(r).columns = parse_int("--columns", v, 0, Limits::max_view_heads); }},
    {Group::figure, "--colormap", TR("MAP"), TR("{} or {}"),
     [](Request& r, Argument v) { view(r).colormap = parse_name<Colormap>("--colormap", v); }, false, false,
     words_of(colormaps(), &ColormapRow::name)},
    {Group::figure, "--range", TR("RANGE"),
     TR("unit (0 to 1), shared, head (per head, as in the notebook), percentile (per head, 2nd to 98th), row "
        "(each row "
        "to its own largest), log or LOW:HIGH"),
     [](Request& r, Argument v) { parse_range("--range", v, view(r).range); }},
    {Group::figure, "--ignore-first-token", nullptr,
     TR("The first query and the first key do not count for the ends of the colour bars"),
     [](Request& r, Argument) { view(r).range.ignore_first_token = true; }},
    {Group::figure, "--sort", TR("ORDER"),
     TR("Order of the heads: number, name, similarity or a column of the table of heads"),
     [](Request& r, Argument v) {
       view(r).sort.by = v == "number" ? "" : v;
       if (find_head_sort(view(r).sort.by) == nullptr)
         throw input_error("--sort is \"{}\"; expected number, name, similarity or one of: {}", v,
                           head_column_names());
     }},
    {Group::groups, "--groups", "N", TR("Number of groups of similar heads; 1: none"),
     [](Request& r, Argument v) { view(r).table.groups = parse_int("--groups", v, 1, Limits::max_groups); }},
    {Group::figure, "--title", TR("TEXT"), TR("Title above the figure; \"\": none"),
     [](Request& r, Argument v) {
       view(r).title = parse_text("--title", v);
       view(r).show_title = !v.empty();
     }},
    {Group::page, "--auto-title", nullptr, TR("A title that says what the figure shows, in a column, too"),
     [](Request& r, Argument) { view(r).show_title = true; }},
    {Group::page, "--size", TR("SIZE"),
     TR("What the figure is for, which sets its size, its text and its resolution: {} or {}; columns have no "
        "title and one colour bar for all heads. --width, --height, --dpi, --text-size, --title and --range "
        "replace theirs"),
     [](Request& r, Argument v) {
       const FigureSize* const size = find_figure_size(v);
       if (size == nullptr)
         throw input_error("{} is \"{}\"; expected one of: {}", "--size", v,
                           fmt::format("{}", fmt::join(size_words, ", ")));
       r.size = size;
       use_size(*size, r.figure);
       View sized = view(r);
       use_size(*size, sized);
       if (!r.is_given("--title") && !r.is_given("--auto-title")) view(r).show_title = sized.show_title;
       if (!r.is_given("--range")) view(r).range = sized.range;
       view(r).theme = sized.theme;
     },
     false, false, size_words},
    {Group::figure, "--width", TR("LENGTH"),
     TR("Width, as 85mm, 8.5cm or 3.4 inches; without a height it is as high as it needs. 16 × 8 inches by "
        "default"),
     [](Request& r, Argument v) {
       r.figure.width = parse_length("--width", v);
       if (!r.is_given("--size")) r.figure.height.reset();
     }},
    {Group::figure, "--height", TR("LENGTH"), TR("Height, likewise"),
     [](Request& r, Argument v) { r.figure.height = parse_length("--height", v); }},
    {Group::page, "--text-size", TR("POINTS"),
     TR("Size of labels, as 8pt, 9 by default; the rest of the text scales with it"),
     [](Request& r, Argument v) { r.figure.font_size = parse_points("--text-size", v); }},
    {Group::figure, "--dpi", "N", TR("Pixels per inch, 100 by default"),
     [](Request& r, Argument v) {
       r.figure.dpi = parse_number("--dpi", v, FigureLimits::min_dpi, FigureLimits::max_dpi);
     }},
    {Group::page, "--arranged", TR("HOW"),
     TR("As a window has arranged the view: 2x4 (rows and columns of maps), numbers, similarity or scatter, "
        "beside "
        "or below, with commas; the session in the file keeps its own"),
     [](Request& r, Argument v) {
       const std::optional<Arrangement> read = arrangement_from(v);
       if (!read) throw input_error("--arranged is \"{}\"; expected as in 2x4 or numbers,beside", v);
       r.figure.arrangement = *read;
     }},
    {Group::page, "--tight", nullptr, TR("Cut the page to what is drawn, with a small margin"),
     [](Request& r, Argument) { r.figure.tight = true; }},
    {Group::page, "--font", TR("FAMILY"), TR("Font of all texts, such as \"Latin Modern Roman\""),
     [](Request& r, Argument v) {
       if (!has_font(v))
         throw input_error("--font is \"{}\"; expected the family of an installed font, as fc-list names it",
                           v);
       r.figure.font = v;
     }},
    {Group::page, "--letters", nullptr, TR("(a), (b) … before the titles of maps; for Nature a, b in bold"),
     [](Request& r, Argument) {
       r.figure.extras.letters = r.size == nullptr ? Letters::parentheses : r.size->letters;
     }},
    {Group::page, "--letter-style", "none|parentheses|bold", TR("The same in another style"),
     [](Request& r, Argument v) { r.figure.extras.letters = parse_name<Letters>("--letter-style", v); }},
    {Group::page, "--caption", nullptr, TR("Also print a draft of the figure's caption"),
     [](Request& r, Argument) { r.caption = true; }},
    {Group::page, "--no-marks", nullptr, TR("Leave out the session's boxes and arrows"),
     [](Request& r, Argument) { r.figure.extras.marks = false; }},
    {Group::page, "--effect", nullptr,
     TR("Below a comparison, the probabilities that A and B give the next token, as bars"),
     [](Request& r, Argument) { r.figure.extras.effect = true; }},
    {Group::page, "--sweep", TR("FIELD=FROM:TO:FRAMES"),
     TR("Animation (.gif .webp .apng) in which a number among the options goes from one value to another, "
        "such as temperature=0.1:4:24; whole numbers are rounded, and those that do not go with the other "
        "options left out. FIELD is one of {}, {}; of a list of tokens in the mask, the one that is in it. "
        "All "
        "frames share one colour range unless --range says head; 10 × 5 inches by default"),
     [](Request& r, Argument v) { r.sweep = parse_sweep("--sweep", v); }, false, false, sweep_names()},
    {Group::page, "--delay", TR("MS"),
     TR("Milliseconds that each frame of an animation is shown; by default 4 seconds in all"),
     [](Request& r, Argument v) {
       r.delay =
           parse_int("--delay", v, AnimationLimits::min_milliseconds, AnimationLimits::max_milliseconds);
     }},
    {Group::page, "--lesson", TR("NAME|FILE"),
     TR("Handout (.pdf .html) or animation (.webp) of a lesson, instead of a figure: a file (.md), or {} or "
        "{}"),
     [](Request& r, Argument v) { r.handout = v; }, false, false, built_in_lesson_names()},
    {Group::page, "--paper", "a4|letter", TR("Paper of a handout; a4 (default)"),
     [](Request& r, Argument v) { r.paper = parse_name<Paper>("--paper", v); }},
    {Group::page, "--no-answers", nullptr, TR("No page with the answers in a handout"),
     [](Request& r, Argument) { r.answers = false; }},
    {Group::session, "--no-session", nullptr,
     TR("Keep no session in the file, and nothing of the sentence but its tokens as labels"),
     [](Request& r, Argument) { r.keep_session = false; }},
    {Group::figure, "--theme", "light|dark", TR("Light or dark theme"),
     [](Request& r, Argument v) { view(r).theme = parse_name<Theme>("--theme", v); }},
    {Group::figure, "--numbers", "auto|off", TR("Numbers in the cells where they fit, or none"),
     [](Request& r, Argument v) { view(r).numbers = parse_name<Numbers>("--numbers", v); }},
};

const std::string language_words = language_codes("|");

const Option other_rows[] = {
    {Group::language, "--language", language_words.c_str(),
     TR("Language of texts and messages; the system's by default"),
     [](Request& r, Argument v) { r.language = parse_language("--language", v); }},
    {Group::output, "-o,--output", TR("PATH"), TR("Output file; its extension sets the format"),
     [](Request& r, Argument v) { r.output = v; }},
    {Group::address, "--address", TR("ADDRESS"),
     TR("Where the page is, such as https://example.org/headscope.html; otherwise the part behind it is "
        "printed"),
     [](Request& r, Argument v) { r.address = address_of_page(v); }},
    {Group::json, "--json", nullptr, TR("Print JSON instead of a table"),
     [](Request& r, Argument) { r.json = true; }},
    {Group::families, "--families", nullptr,
     TR("List the families of models that are read, by the model_type of their config.json"),
     [](Request& r, Argument) { r.families = true; }},
    {Group::cell, "--head", "H", TR("Head of the cell, numbered from 0; 0 by default"), choose_head},
    {Group::place, "--query", "I", TR("Query of the cell, numbered from 0"),
     [](Request& r, Argument v) { r.query = parse_place("--query", v, Limits::max_tokens - 1); }},
    {Group::place, "--key", "J", TR("Key of the cell, numbered from 0"),
     [](Request& r, Argument v) { r.key = parse_place("--key", v, Limits::max_tokens - 1); }},
    {Group::stage, "--stage", TR("STAGE"), TR("Last step of the arithmetic that is shown: {} or {}"),
     [](Request& r, Argument v) {
       if (!is_stage(v))
         throw input_error("{} is \"{}\"; expected one of: {}", "--stage", v,
                           fmt::format("{}", fmt::join(stage_names(), ", ")));
       view(r).steps.stage = v;
     },
     false, false, stage_names()},
    {Group::arrays, "--arrays", TR("LIST"), TR("Only these arrays, as in attention,logits"),
     [](Request& r, Argument v) {
       r.arrays.clear();
       for (const std::string& name : between_commas(v)) r.arrays.insert(parse_text("--arrays", name));
     }},
    {Group::arrays, "--token", TR("TOKEN"),
     TR("Token (or id:ID) that --cells logit is about; by default the likeliest at --position"),
     [](Request& r, Argument v) { view(r).predictions.token = parse_text("--token", v); }},
    {Group::arrays, "--against", TR("TOKEN"),
     TR("A second token: --cells logit is then about the difference of the two logits"),
     [](Request& r, Argument v) { view(r).predictions.against = parse_text("--against", v); }},
    {Group::arrays, "--position", "P",
     TR("Position whose likeliest token --cells logit is about, numbered from 0; by default the last, a "
        "mask, or where the label is read"),
     [](Request& r, Argument v) {
       view(r).predictions.position = parse_int("--position", v, 0, Limits::max_tokens - 1);
     }},
    {Group::arrays, "--queries", "A:B", TR("Only these rows of maps: A, numbered from 0, up to before B"),
     [](Request& r, Argument v) {
       const std::size_t colon = std::min(v.find(':'), v.size());
       try {
         ArraySelection::Rows rows;
         rows.begin = parse_int("--queries", v.substr(0, colon), 0, Limits::max_tokens - 1);
         rows.end = parse_int("--queries", v.substr(std::min(colon + 1, v.size())),
                              static_cast<int>(rows.begin) + 1, Limits::max_tokens);
         r.queries = rows;
       } catch (const Error&) {
         throw input_error("{} is \"{}\"; expected A:B, numbered from 0, A less than B, B at most {}",
                           "--queries", v, Limits::max_tokens);
       }
     }},
    {Group::search, "--query", "I",
     TR("With --key: adds the weight of each head from this token, numbered from 0, and puts the largest "
        "first"),
     [](Request& r, Argument v) { r.query = parse_place("--query", v, Limits::max_tokens - 1); }},
    {Group::search, "--key", "J", TR("The token that --query looks at, numbered from 0"),
     [](Request& r, Argument v) { r.key = parse_place("--key", v, Limits::max_tokens - 1); }},
    {Group::lens, "--lens", nullptr,
     TR("Also what the model predicts from the stream after each layer (logit lens)"),
     [](Request& r, Argument) { r.lens = true; }},
    {Group::lens, "--contributions", TR("TOKEN"),
     TR("What each head and every other part adds to the logit of this token, named by its text or as id:ID; "
        "a number that is no token's text is an id, too"),
     [](Request& r, Argument v) { r.contributions = parse_text("--contributions", v); }},
    {Group::lens, "--against", TR("TOKEN"),
     TR("With --contributions: a second token; each part then adds to the difference of the two logits"),
     [](Request& r, Argument v) { view(r).predictions.against = parse_text("--against", v); }},
    {Group::lens, "--position", "P",
     TR("With --contributions; numbered from 0; by default the last, a mask, or where the label is read"),
     [](Request& r, Argument v) { r.position = parse_int("--position", v, 0, Limits::max_tokens - 1); }},
    {Group::causes, "--answer", TR("TOKEN"),
     TR("The token whose logit is measured, by its text (\" Mary\") or as id:ID"),
     [](Request& r, Argument v) {
       view(r).predictions.token = parse_text("--answer", v);
       view(r).kind = ViewKind::causes;
     }},
    {Group::causes, "--against", TR("TOKEN"),
     TR("Measure the difference of the logits of --answer and of this token"),
     [](Request& r, Argument v) { view(r).predictions.against = parse_text("--against", v); }},
    {Group::causes, "--other-sentence", TR("TEXT"),
     TR("Another sentence (B) with the same number of tokens: the corrupted run of a patch, or the source of "
        "--knock-out other"),
     [](Request& r, Argument v) { r.other_sentence = parse_text("--other-sentence", v); }},
    {Group::causes, "--knock-out", TR("BY"),
     TR("Knock out one head after another: {} or {} (its output on --other-sentence)"),
     [](Request& r, Argument v) { set_change(r, parse_change("--knock-out", v, false)); }, false, false,
     change_words(false)},
    {Group::causes, "--patch", TR("PART"),
     TR("Patch one part after another of the run of the sentence into the run of --other-sentence: {} or {}"),
     [](Request& r, Argument v) { set_change(r, parse_change("--patch", v, true)); }, false, false,
     change_words(true)},
    {Group::causes, "--noise", nullptr,
     TR("With --patch: from the run of --other-sentence into the run of the sentence (noising)"),
     [](Request& r, Argument) { view(r).causes.noise = true; }},
    {Group::causes, "--by-position", nullptr,
     TR("Each change at one position after another; of values, of the key"),
     [](Request& r, Argument) { set_places(r, CausePlaces::position); }},
    {Group::causes, "--by-edge", nullptr,
     TR("With --knock-out and --head: one edge of the head, from a query to a key, after another"),
     [](Request& r, Argument) { set_places(r, CausePlaces::edge); }},
    {Group::causes, "--by-key", nullptr, TR("The same for one key after another, for all queries"),
     [](Request& r, Argument) { set_places(r, CausePlaces::key); }},
    {Group::causes, "--by-path", nullptr,
     TR("With --knock-out zero: the paths between the heads that matter most, and into the answer"),
     [](Request& r, Argument) { set_places(r, CausePlaces::path); }},
    {Group::circuits, "--composition", "q|k|v",
     TR("How much each head's query, key or value reads what each head of an earlier layer writes"),
     [](Request& r, Argument v) {
       view(r).circuits.composition = parse_name<Composition>("--composition", v);
     }},
    {Group::circuits, "--center-logits", nullptr,
     TR("Logits minus their mean over the vocabulary, also in the copying score"),
     [](Request& r, Argument) { view(r).circuits.center_logits = true; }},
    {Group::circuits, "--distance", "N",
     TR("With --token, for rotary positions: the keys that it matches are N tokens before it; 0 by default"),
     [](Request& r, Argument v) {
       view(r).circuits.distance = parse_int("--distance", v, 0, Limits::max_tokens - 1);
     }},
    {Group::sampling, "--max-tokens", "N", TR("Most tokens that are generated, 64 by default"),
     [](Request& r, Argument v) { r.max_tokens = parse_int("--max-tokens", v, 1, Limits::max_tokens); }},
    {Group::sampling, "--sample-temperature", "T",
     TR("Draw each token at random, from logits divided by T; by default the likeliest is taken"),
     [](Request& r, Argument v) {
       r.sampling.temperature =
           parse_number("--sample-temperature", v, Limits::min_temperature, Limits::max_temperature);
     }},
    {Group::sampling, "--sample-seed", "N", TR("Seed of what is drawn"),
     [](Request& r, Argument v) { r.sample_seed = parse_seed("--sample-seed", v); }},
    {Group::sampling, "--top-k", "K", TR("Draw among the K likeliest tokens alone; 0: all"),
     [](Request& r, Argument v) { r.sampling.top_k = parse_int("--top-k", v, 0, 1 << 24); }},
    {Group::sampling, "--top-p", "P",
     TR("Draw among the likeliest tokens that reach this probability together"),
     [](Request& r, Argument v) { r.sampling.top_p = parse_number("--top-p", v, 0, 1); }},
    {Group::bench, "--tokens", "N", TR("Time one pass over the map of a text of N tokens instead"),
     [](Request& r, Argument v) { r.tokens = parse_int("--tokens", v, 1, Limits::max_tokens); }},
    {Group::bench, "--threads", "N", TR("Number of threads; 0: one per core"),
     [](Request& r, Argument v) { r.threads = parse_int("--threads", v, 0, 1024); }},
    {Group::bench,
     "--model",
     TR("FOLDER"),
     TR("Time a trained model, too; without a folder, random weights of GPT-2 small's size"),
     [](Request& r, Argument v) { r.model = v; },
     false,
     false,
     {},
     true},
    {Group::bench, "--profile", nullptr,
     TR("Show what a trained model spends its time on, too; needs --model"),
     [](Request& r, Argument) { r.profile = true; }},
    {Group::bench, "--causes", nullptr,
     TR("Time switching off each head of a trained model in turn instead; needs --model"),
     [](Request& r, Argument) { r.times_causes = true; }},
    {Group::window, "--time-first-frame", nullptr, TR("Print the milliseconds to the first frame and exit"),
     [](Request& r, Argument) { r.time_first_frame = true; }, false, true},
};

}  // namespace

std::span<const Option> input_options() {
  static const std::vector<Option> options = make_options();
  return options;
}
std::span<const Option> figure_options() {
  return figure_rows;
}
std::span<const Option> other_options() {
  return other_rows;
}

}  // namespace headscope

#include <fmt/ranges.h>

#include <algorithm>

#include "app/cli/options.h"
#include "app/cli/values.h"
#include "core/analysis/arithmetic_stages.h"
#include "core/figure/animation/animation.h"
#include "core/figure/boards/streaming_board.h"
#include "core/figure/export/figure_size.h"
#include "core/scene/colormap_data.h"
#include "core/scene/head_table.h"
#include "core/scene/view_kinds.h"
#include "core/teach/library.h"

namespace headscope {
namespace {

using Group = Option::Group;
using Request = CommandRequest;
using Argument = const std::string&;

View& view(Request& request) {
  return request.session.view;
}

std::string head_column_names() {
  std::string names;
  for (const HeadColumn& column : head_columns())
    names += (names.empty() ? "" : ", ") + std::string(column.name);
  return names;
}

std::vector<std::string> view_words() {
  std::vector<std::string> words;
  for (const ViewKindRow& row : view_kinds) words.emplace_back(row.alias != nullptr ? row.alias : row.name);
  return words;
}

std::vector<std::string> colormap_words() {
  std::vector<std::string> words;
  for (const ColormapRow& row : colormaps()) words.emplace_back(row.name);
  return words;
}

std::vector<std::string> size_words() {
  std::vector<std::string> words;
  for (const FigureSize& size : figure_sizes()) words.emplace_back(size.name);
  return words;
}

const Option figure[] = {
    {Group::figure, "--head", "H", TR("Only this head, numbered from 0 (the first on screen is head 1)"),
     [](Request& r, Argument v) {
       view(r).head = parse_place("--head", v, Limits::max_view_heads - 1);
       view(r).kind = ViewKind::head;
       r.head_given = true;
     }},
    {Group::figure, "--view", TR("VIEW"), TR("{} or {}"),
     [](Request& r, Argument v) { view(r).kind = parse_name<ViewKind>("--view", v); }, false, false,
     view_words()},
    {Group::figure, "--page", "cell|cost|streaming",
     TR("Page of the steps of the arithmetic: one cell, what a layer costs, or the softmax block by block"),
     [](Request& r, Argument v) {
       view(r).page = parse_name<StepsPage>("--page", v);
       if (std::ranges::find(r.given, "--view") == r.given.end()) view(r).kind = ViewKind::steps;
     }},
    {Group::figure, "--table", "both|numbers|similarity|scatter",
     TR("What of the table of heads: numbers, similarity, both, or the heads as points by two columns"),
     [](Request& r, Argument v) {
       view(r).table = parse_name<TableHalf>("--table", v);
       if (std::ranges::find(r.given, "--view") == r.given.end()) view(r).kind = ViewKind::head_table;
     }},
    {Group::figure, "--scatter", "X,Y", TR("Columns of the table of heads along the two axes of the scatter"),
     [](Request& r, Argument v) {
       const std::size_t comma = std::min(v.find(','), v.size());
       const std::string x = v.substr(0, comma), y = v.substr(std::min(comma + 1, v.size()));
       if (find_head_column(x) == nullptr || find_head_column(y) == nullptr)
         throw input_error("--scatter is \"{}\"; expected two of: {}", v, head_column_names());
       view(r).scatter_x = x;
       view(r).scatter_y = y;
       view(r).table = TableHalf::scatter;
       if (std::ranges::find(r.given, "--view") == r.given.end()) view(r).kind = ViewKind::head_table;
     }},
    {Group::figure, "--scatter-color", "layer|group", TR("Colours of the scatter's points"),
     [](Request& r, Argument v) { view(r).scatter_color = parse_name<ScatterColor>("--scatter-color", v); }},
    {Group::figure, "--token", TR("TOKEN"),
     TR("Token (or id:ID) that the view contributions is about; by default the likeliest"),
     [](Request& r, Argument v) { view(r).token = parse_text("--token", v); }},
    {Group::figure, "--position", "P",
     TR("Position that the views contributions and lens are about, numbered from 0; by default the last"),
     [](Request& r, Argument v) {
       view(r).position = parse_int("--position", v, 0, Limits::max_tokens - 1);
     }},
    {Group::figure, "--rows", "N", TR("Rows of the grid; 0: chosen to fit"),
     [](Request& r, Argument v) { view(r).rows = parse_int("--rows", v, 0, Limits::max_view_heads); }},
    {Group::figure, "--columns", "N", TR("Columns of the grid; 0: chosen to fit"),
     [](Request& r, Argument v) { view(r).columns = parse_int("--columns", v, 0, Limits::max_view_heads); }},
    {Group::figure, "--colormap", TR("MAP"), TR("{} or {}"),
     [](Request& r, Argument v) { view(r).colormap = parse_name<Colormap>("--colormap", v); }, false, false,
     colormap_words()},
    {Group::figure, "--range", TR("RANGE"),
     TR("unit (0 to 1), shared, head (per head, as in the notebook), log or LOW:HIGH"),
     [](Request& r, Argument v) { parse_range("--range", v, view(r)); }},
    {Group::figure, "--sort", TR("ORDER"),
     TR("Order of the heads: number, name, similarity or a column of the table of heads"),
     [](Request& r, Argument v) {
       view(r).sort = v == "number" ? "" : v;
       if (!is_head_order(view(r).sort))
         throw input_error("--sort is \"{}\"; expected number, name, similarity or one of: {}", v,
                           head_column_names());
     }},
    {Group::groups, "--groups", "N", TR("Number of groups of similar heads; 1: none"),
     [](Request& r, Argument v) { view(r).groups = parse_int("--groups", v, 1, Limits::max_groups); }},
    {Group::figure, "--title", TR("TEXT"), TR("Title above the figure; \"\": none"),
     [](Request& r, Argument v) {
       view(r).title = parse_text("--title", v);
       view(r).show_title = !v.empty();
     }},
    {Group::page, "--size", TR("SIZE"),
     TR("Size and resolution: {} or {}; --width, --height and --dpi replace theirs"),
     [](Request& r, Argument v) {
       const auto found = std::ranges::find(figure_sizes(), v,
                                            [](const FigureSize& size) { return std::string(size.name); });
       if (found == figure_sizes().end())
         throw input_error("{} is \"{}\"; expected one of: {}", "--size", v,
                           fmt::format("{}", fmt::join(size_words(), ", ")));
       r.figure.width = found->width;
       r.figure.height = found->height;
       r.figure.dpi = found->dpi;
     },
     false, false, size_words()},
    {Group::figure, "--width", TR("INCHES"), TR("Width in inches, 16 by default"),
     [](Request& r, Argument v) {
       r.figure.width = parse_number("--width", v, FigureLimits::min_inches, FigureLimits::max_inches);
     }},
    {Group::figure, "--height", TR("INCHES"), TR("Height in inches, 8 by default"),
     [](Request& r, Argument v) {
       r.figure.height = parse_number("--height", v, FigureLimits::min_inches, FigureLimits::max_inches);
     }},
    {Group::figure, "--dpi", "N", TR("Pixels per inch, 100 by default"),
     [](Request& r, Argument v) {
       r.figure.dpi = parse_number("--dpi", v, FigureLimits::min_dpi, FigureLimits::max_dpi);
     }},
    {Group::page, "--tight", nullptr, TR("Cut the page to what is drawn, with a small margin"),
     [](Request& r, Argument) { r.figure.tight = true; }},
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
     TR("Handout (.pdf .html) of a lesson, instead of a figure: a file (.md), or {} or {}"),
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

const Option others[] = {
    {Group::language, "--language", language_words.c_str(),
     TR("Language of texts and messages; the system's by default"),
     [](Request& r, Argument v) { r.language = parse_language("--language", v); }},
    {Group::output, "-o,--output", TR("PATH"), TR("Output file; its extension sets the format"),
     [](Request& r, Argument v) { r.output = v; }},
    {Group::json, "--json", nullptr, TR("Print JSON instead of a table"),
     [](Request& r, Argument) { r.json = true; }},
    {Group::cell, "--head", "H", TR("Head of the cell, numbered from 0; 0 by default"),
     [](Request& r, Argument v) {
       view(r).head = parse_place("--head", v, Limits::max_view_heads - 1);
       r.head_given = true;
     }},
    {Group::place, "--query", "I", TR("Query of the cell, numbered from 0"),
     [](Request& r, Argument v) { r.query = parse_place("--query", v, Limits::max_tokens - 1); }},
    {Group::place, "--key", "J", TR("Key of the cell, numbered from 0"),
     [](Request& r, Argument v) { r.key = parse_place("--key", v, Limits::max_tokens - 1); }},
    {Group::stage, "--stage", TR("STAGE"), TR("Last step of the arithmetic that is shown: {} or {}"),
     [](Request& r, Argument v) {
       if (!is_stage(v))
         throw input_error("{} is \"{}\"; expected one of: {}", "--stage", v,
                           fmt::format("{}", fmt::join(stage_names(), ", ")));
       view(r).stage = v;
     },
     false, false, stage_names()},
    {Group::arrays, "--arrays", TR("LIST"), TR("Only these arrays, as in attention,logits"),
     [](Request& r, Argument v) {
       r.arrays.clear();
       for (std::size_t begin = 0; begin <= v.size();) {
         const std::size_t end = std::min(v.find(',', begin), v.size());
         r.arrays.insert(parse_text("--arrays", v.substr(begin, end - begin)));
         begin = end + 1;
       }
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
    {Group::lens, "--position", "P", TR("With --contributions; numbered from 0; the last by default"),
     [](Request& r, Argument v) { r.position = parse_int("--position", v, 0, Limits::max_tokens - 1); }},
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
    {Group::bench, "--with-neighbour", nullptr,
     TR("Time attention while another program keeps one core busy instead"),
     [](Request& r, Argument) { r.with_neighbour = true; }},
    {Group::window, "--time-first-frame", nullptr, TR("Print the milliseconds to the first frame and exit"),
     [](Request& r, Argument) { r.time_first_frame = true; }, false, true},
};

}  // namespace

std::span<const Option> figure_options() {
  return figure;
}
std::span<const Option> other_options() {
  return others;
}

}  // namespace headscope

#include "core/figure/boards/cost_board.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "core/analysis/attention_cost.h"
#include "core/figure/boards/board_column.h"
#include "core/inputs/cost.h"
#include "core/inputs/mask_kinds.h"
#include "core/model/run/model_run.h"
#include "core/scene/readable_numbers.h"
#include "core/source/source.h"

namespace headscope {
namespace {

/// A small chart of numbers above 0 against one of the sizes, both axes logarithmic, with the current size
/// marked.
struct LineChart {
  struct Series {
    std::string name;
    Rgb color;
    std::function<double(double)> value;
  };
  std::string title;
  std::string variable;  ///< on the horizontal axis: "n"
  double low = 1, high = 2;
  double present = 1;  ///< not drawn if it is outside the range
  std::vector<Series> series;
};

/// Maps numbers to positions.
struct ChartAxes {
  Rect area;
  double low_x, high_x, low_y, high_y;
  static double share(double value, double low, double high) {
    return std::log(value / low) / std::log(high / low);
  }
  double x(double value) const { return area.x + area.width * share(value, low_x, high_x); }
  double y(double value) const { return area.bottom() - area.height * share(value, low_y, high_y); }
};

/// Whole powers of ten around all values.
void set_range(const LineChart& chart, ChartAxes& axes) {
  double low = INFINITY, high = 0;
  for (const auto& series : chart.series)
    for (const double x : {chart.low, chart.high})
      low = std::min(low, series.value(x)), high = std::max(high, series.value(x));
  axes.low_y = std::pow(10, std::floor(std::log10(low)));
  axes.high_y = std::pow(10, std::ceil(std::log10(high)));
  if (axes.high_y <= axes.low_y) axes.high_y = 10 * axes.low_y;
}

struct ChartPen {
  Board& board;
  const BoardStyle& style;
  double small;  ///< size of the axes' text
  double thin() const { return 0.07 * style.font_size; }
  void text(std::string text, double x, double y, Rgb color, Anchor anchor) const {
    board.texts.push_back({std::move(text), x, y, {small, color, anchor}});
  }
  void line(double x0, double y0, double x1, double y1, Rgb color, double width, double opacity = 1) const {
    board.lines.push_back({x0, y0, x1, y1, width, color, opacity});
  }
};

void draw_axes(const ChartPen& pen, const LineChart& chart, const ChartAxes& axes) {
  const Rect& area = axes.area;
  const double decades = std::log10(axes.high_y / axes.low_y);
  const double rows = std::max(1.0, area.height / (1.4 * pen.small));
  const double step = std::pow(10, std::max(1.0, std::ceil(decades / rows)));
  for (double y = axes.low_y; y <= axes.high_y * 1.01; y *= step) {
    pen.line(area.x, axes.y(y), area.right(), axes.y(y), pen.style.border, pen.thin(), 0.35);
    pen.text(short_count(y), area.x - 0.4 * pen.small, axes.y(y), pen.style.muted, Anchor::end);
  }
  // Powers of two, spaced by the width of their numbers.
  const double twos = std::log2(chart.high / chart.low),
               places = std::max(1.0, area.width / (3.2 * pen.small));
  const double apart = std::pow(2, std::max(1.0, std::ceil(twos / places)));
  for (double x = chart.low; x <= chart.high * 1.01; x *= apart) {
    pen.line(axes.x(x), area.bottom(), axes.x(x), area.bottom() + 0.25 * pen.small, pen.style.border,
             pen.thin());
    pen.text(printed_count(x), axes.x(x), area.bottom() + 0.9 * pen.small, pen.style.muted, Anchor::middle);
  }
  pen.line(area.x, area.bottom(), area.right(), area.bottom(), pen.style.border, pen.thin());
  pen.line(area.x, area.y, area.x, area.bottom(), pen.style.border, pen.thin());
}

void draw_series(const ChartPen& pen, const LineChart& chart, const ChartAxes& axes) {
  constexpr int steps = 24;
  const double width = 0.12 * pen.style.font_size;
  const bool marked = chart.present >= chart.low && chart.present <= chart.high;
  for (const auto& series : chart.series) {
    const auto x_at = [&](int i) {
      return chart.low * std::pow(chart.high / chart.low, static_cast<double>(i) / steps);
    };
    for (int i = 0; i < steps; ++i)
      pen.line(axes.x(x_at(i)), axes.y(series.value(x_at(i))), axes.x(x_at(i + 1)),
               axes.y(series.value(x_at(i + 1))), series.color, width);
    if (!marked) continue;
    const double side = 0.45 * pen.style.font_size, x = axes.x(chart.present),
                 y = axes.y(series.value(chart.present));
    pen.board.fills.push_back({{x - side / 2, y - side / 2, side, side}, series.color});
  }
  if (!marked) return;
  const double x = axes.x(chart.present), y = axes.area.y - 0.65 * pen.small;
  pen.line(x, axes.area.y, x, axes.area.bottom(), pen.style.text, pen.thin(), 0.5);
  const std::string label = chart.variable + " = " + printed_count(chart.present);
  const double half = pen.style.measure(label, pen.small) / 2;
  pen.text(label, std::clamp(x, axes.area.x + half, axes.area.right() - half), y, pen.style.text,
           Anchor::middle);
}

Board chart_board(const LineChart& chart, const BoardStyle& style, double width) {
  Board board;
  board.width = width;
  const double size = style.font_size, small = style.sized(0.85);
  double y = 0;
  for (const std::string& line : wrapped(chart.title, width, size, style.measure)) {
    board.texts.push_back({line, 0, y + 0.75 * size, {size, style.text}});
    y += 1.5 * size;
  }
  const ChartPen pen{board, style, small};
  for (const auto& series : chart.series) {
    pen.line(0, y + 0.65 * small, 1.2 * size, y + 0.65 * small, series.color, 0.15 * size);
    double line = y;
    for (const std::string& text : wrapped(series.name, width - 1.6 * size, small, style.measure)) {
      pen.text(text, 1.6 * size, line + 0.65 * small, style.muted, Anchor::start);
      line += 1.3 * small;
    }
    y = line;
  }
  y += 1.5 * small;  // the current size is written there
  ChartAxes axes{{}, chart.low, chart.high, 1, 10};
  set_range(chart, axes);
  const double left = style.measure("100M", small) + 0.6 * small;  // as wide as any
  const double end = style.measure(printed_count(chart.high), small) / 2;
  // On a projector it fits on one page with its legend.
  const double height = (style.minimum > 0 ? 7.5 : 9) * size;
  axes.area = {left, y, std::max(1.0, width - left - end), height};
  draw_axes(pen, chart, axes);
  draw_series(pen, chart, axes);
  y += axes.area.height + 1.6 * small;
  pen.text(chart.variable, axes.area.x + axes.area.width / 2, y + 0.6 * small, style.muted, Anchor::middle);
  board.height = y + 1.3 * small;
  board.wholes.push_back({0, 0, width, board.height});
  return board;
}

/// What every section reads.
struct Costs {
  const Trace& trace;
  const BlockTrace& block;
  int layer;
  const BoardStyle& style;
  const Translator& tr;
  OtherWeights others = others_of(layer);
  AttentionSize size = attention_size(block, layer, others);
  Index window = 2;  ///< w of the window used for comparison

  /// Of a trained model.
  OtherWeights others_of(int number) const {
    return trace.run ? other_weights(trace.run->model(), block.shape.kind, number) : OtherWeights();
  }
  /// The four matrices alone.
  AttentionSize bare(double heads) const {
    AttentionSize other = with_heads(heads, heads);
    other.gated = false;
    other.others = other.query_products = other.position_products = other.position_terms = 0;
    return other;
  }
  /// Whether the layer has all four matrices.
  bool whole() const { return size.own_keys && size.own_values; }
  AttentionSize with_heads(double heads, double kv_heads) const {
    AttentionSize other = size;
    other.heads = heads;
    other.kv_heads = kv_heads;
    other.cells = heads * size.n_q * size.n_k;
    return other;
  }
  /// Whether d_k is d_model / heads and every projection has a bias, as in textbooks.
  bool plain() const {
    return size.width() == size.d_model && size.q_bias && size.k_bias && size.v_bias && size.output_bias;
  }
};

/// The session's own window, otherwise one that leaves something out.
Index window_of(const Interventions& interventions) {
  for (const MaskPart& part : interventions.mask) {
    const auto has = [&](MaskParameter::Member member) {
      return std::ranges::count(mask_kind(part.kind).parameters, member, &MaskParameter::member) > 0;
    };
    if (part.on && has(&MaskPart::window) && !has(&MaskPart::dilation)) return part.window;
  }
  return 2;
}

std::string count(double value) {
  return printed_count(value);
}

std::string times(std::initializer_list<double> factors) {
  std::string text;
  for (const double factor : factors) text += (text.empty() ? "" : " × ") + count(factor);
  return text;
}

/// One row per attention variant.
struct Variant {
  std::string name;
  AttentionSize size;
  bool present = false;
};

std::vector<Variant> variants(const Costs& c) {
  const Translator& tr = c.tr;
  const double heads = c.size.heads, kv = c.size.kv_heads;
  std::vector<Variant> all;
  const Mask& mask = c.block.mask_of(c.layer);
  const double set_now = c.size.cells - static_cast<double>(mask.blocked_cells(c.block.heads_of(c.layer)));
  const auto add = [&](std::string name, const AttentionSize& size) {
    const bool present = size.heads == heads && size.kv_heads == kv && size.cells == set_now;
    all.push_back({std::move(name), size, present});
  };
  add(tr("One head, d_k = {}", count(c.size.width())), c.with_heads(1, 1));
  if (heads > 1) {
    add(tr("{} heads, d_k = {}", count(heads), count(c.size.d_k())), c.with_heads(heads, heads));
    if (kv > 1 && kv < heads)
      add(tr("Grouped-query, {} key-value heads", count(kv)), c.with_heads(heads, kv));
    add(tr("Multi-query, 1 key-value head"), c.with_heads(heads, 1));
  }
  AttentionSize window = c.with_heads(heads, kv);
  window.cells = heads * window_cells(std::lround(c.size.n_q), std::lround(c.size.n_k), c.window);
  add(tr("Window w = {}, as set otherwise", count(static_cast<double>(c.window))), window);
  if (mask.any()) {
    AttentionSize masked = c.with_heads(heads, kv);
    masked.cells = set_now;
    if (masked.cells != window.cells) add(tr("The present mask"), masked);
  }
  return all;
}

/// What a layer has besides the four matrices, which every line counts, or has not of them.
void note_besides(const Costs& c, BoardColumn& column) {
  const Translator& tr = c.tr;
  const OtherWeights& others = c.others;
  if (!c.size.own_keys)
    column.note(
        tr("This layer reads the keys and values of layer {}, where W_K, W_V and what is kept are counted.",
           others.keys_of + 1));
  else if (!c.size.own_values)
    column.note(tr("This layer has no W_V: its values are what W_K gives."));
  if (others.gated) column.note(tr("Every line counts the matrix of the heads' gate, as large as W_Q."));
  std::string list;
  const auto add = [&](const char* name, std::int64_t numbers) {
    if (numbers == 0) return;
    list += (list.empty() ? std::string() : std::string(tr(", "))) +
            tr("{} ({})", tr(name), count(static_cast<double>(numbers)));
  };
  add(TR("norms of queries and keys"), others.norms);
  add(TR("sinks"), others.sinks);
  add(TR("relative positions and segments"), others.positions);
  add(TR("projections of global tokens"), others.of_global);
  if (!list.empty()) column.note(tr("Parameters besides, which every line counts: {}.", list));
  if (others.of_global > 0)
    column.note(tr("Products of the global tokens' own projections are not counted."));
}

void draw_variants(const Costs& c, BoardColumn& column) {
  const Translator& tr = c.tr;
  column.heading(tr("What one layer costs"));
  if (!c.block.shape.sizes.empty())
    column.note(tr("Counted with the sizes of this layer: layers of this model differ in them."));
  BoardTable table;
  table.titles = {"", tr("parameters"), tr("multiply–adds"), tr("QKᵀ and Σ wV alone"), tr("K and V kept")};
  for (const Variant& variant : variants(c)) {
    const AttentionCost cost = attention_cost(variant.size);
    if (variant.present) table.marked = static_cast<int>(table.rows.size());
    table.rows.push_back({variant.name, count(cost.parameters()), count(cost.multiplications()),
                          count(cost.attention()), printed_bytes(cost.keys_values)});
  }
  column.table(table);
  column.note(
      tr("n_q = {}, n_k = {}, d_model = {}; the marked line is what is set now. A mask saves products "
         "only where the program leaves blocked scores out.",
         count(c.size.n_q), count(c.size.n_k), count(c.size.d_model)));
  note_besides(c, column);
}

void draw_identity(const Costs& c, BoardColumn& column) {
  const Translator& tr = c.tr;
  const double d = c.size.d_model, D = c.size.width(), h = c.size.heads > 1 ? c.size.heads : 8, d_k = D / h;
  const double n = c.size.n_q, m = c.size.n_k;
  if (d_k != std::floor(d_k) || !c.whole()) return;
  const AttentionCost one = attention_cost(c.bare(1)), many = attention_cost(c.bare(h));
  column.heading(tr("Many heads cost the same as one"));
  const std::string one_name = tr("One head"), many_name = tr("{} heads", count(h));
  const auto sum = [](double value, double other) {
    return "= " + count(value) + (value == other ? " ✓" : " ≠ " + count(other));
  };
  const std::string biases = c.plain() ? times({4, d}) : count(one.biases);
  BoardTable parameters{{tr("Parameters"), "W_Q", "W_K", "W_V", "W_O", tr("biases"), ""}, {}};
  parameters.rows.push_back({one_name, times({d, D}), times({d, D}), times({d, D}), times({D, d}), biases,
                             "= " + count(one.parameters())});
  parameters.rows.push_back({many_name, times({h, d, d_k}), times({h, d, d_k}), times({h, d, d_k}),
                             times({h, d_k, d}), biases, sum(many.parameters(), one.parameters())});
  column.table(parameters);
  column.gap(0.4);
  BoardTable products{{tr("Multiply–adds"), "Q", "K", "V", "QKᵀ", "Σ wV", "W_O", ""}, {}};
  products.rows.push_back({one_name, times({n, d, D}), times({m, d, D}), times({m, d, D}), times({n, m, D}),
                           times({n, m, D}), times({n, D, d}), "= " + count(one.multiplications())});
  products.rows.push_back({many_name, times({h, n, d, d_k}), times({h, m, d, d_k}), times({h, m, d, d_k}),
                           times({h, n, m, d_k}), times({h, n, m, d_k}), times({n, D, d}),
                           sum(many.multiplications(), one.multiplications())});
  column.table(products);
  column.note(tr(
      D == d
          ? TR("Each head works on d_k = d_model / h = {} columns, so h cancels. What grows "
               "with the heads is "
               "the number of maps: {} of them, {} in all, against {} for one.")
          : TR("Each head works on columns of its own, d_k = {}, so h cancels. What grows with the heads is "
               "the number of maps: {} of them, {} in all, against {} for one."),
      count(d_k), count(h), printed_bytes(many.maps), printed_bytes(one.maps)));
}

void draw_charts(const Costs& c, BoardColumn& column) {
  const Translator& tr = c.tr;
  const AttentionSize size = c.size;
  if (size.width() != size.d_model || !c.whole()) return;  // the formulas would differ
  const Rgb accent = c.style.accent, warning = c.style.warning, muted = c.style.muted;
  const auto of = [](double d, double h, double kv, double n) {
    return attention_cost(attention_size(d, h, kv, n, n));
  };
  LineChart tokens{
      tr("Multiply–adds against the number of tokens"), "n", 2, std::max(4096.0, size.n_q), size.n_q, {}};
  const auto w = static_cast<double>(c.window);
  tokens.series = {
      {tr("projections: 4 n d²"), accent, [=](double n) { return of(size.d_model, 1, 1, n).projections(); }},
      {tr("QKᵀ and Σ wV: 2 n² d"), warning, [=](double n) { return of(size.d_model, 1, 1, n).attention(); }},
      {tr("the same in a window, w = {}", count(w)), muted, [=](double n) {
         return 2 * size.d_model * window_cells(std::lround(n), std::lround(n), std::lround(w));
       }}};
  LineChart widths{tr("Parameters against d_model"), "d_model",    16,
                   std::max(4096.0, size.d_model),   size.d_model, {}};
  widths.series = {
      {tr("any number of heads: 4 d² + 4 d"), accent, [=](double d) { return of(d, 1, 1, 1).parameters(); }},
      {tr("as many texts count: 3 d²"), muted, [](double d) { return 3 * d * d; }},
      {tr.plural("multi-query, {} head", "multi-query, {} heads", static_cast<int>(size.heads)), warning,
       [=](double d) { return of(d, size.heads, 1, 1).parameters(); }}};
  LineChart heads{
      tr("Parameters against the number of heads"), "h", 1, std::max(64.0, size.heads), size.heads, {}};
  heads.series = {{tr("many heads: the same for all"), accent,
                   [=](double h) { return of(size.d_model, h, h, 1).parameters(); }},
                  {tr("multi-query: 2 d² + 2 d d_k and biases"), warning,
                   [=](double h) { return of(size.d_model, h, 1, 1).parameters(); }}};
  const LineChart charts[] = {std::move(tokens), std::move(widths), std::move(heads)};
  column.gap(0.8);
  column.parts_in_rows(3, 17 * c.style.font_size,
                       [&](int i, double each) { return chart_board(charts[i], c.style, each); });
}

void draw_left_out(const Costs& c, BoardColumn& column) {
  const Translator& tr = c.tr;
  const double d = c.size.d_model;
  if (c.size.width() != d || !c.whole()) return;
  column.heading(tr("What texts leave out"));
  if (!c.plain())
    column.paragraph(
        tr("W_Q, W_K and W_V have 3 d² = {} parameters, and many texts stop there. W_O has d² = {} "
           "more: 4 d² = {}. Biases in this layer: {}.",
           count(3 * d * d), count(d * d), count(4 * d * d), count(attention_cost(c.bare(1)).biases)));
  else
    column.paragraph(
        tr("W_Q, W_K and W_V have 3 d² = {} parameters, and many texts stop there. W_O has d² = {} "
           "more: 4 d² = {}. Four biases add 4 d = {}: {} in all.",
           count(3 * d * d), count(d * d), count(4 * d * d), count(4 * d), count(4 * d * d + 4 * d)));
  column.paragraph(
      tr("QKᵀ and Σ wV, 2 n² d, outgrow the four projections, 4 n d², from n = 2 d = {} tokens on. Below "
         "that most of the work is in the projections.",
         count(2 * d)));
}

/// For a trained model: its own layers.
void draw_trained_sharing(const Costs& c, BoardColumn& column) {
  const Translator& tr = c.tr;
  const double layers = c.block.shape.softmax_layers();
  const BlockShape& shape = c.block.shape;
  if (layers < 2 || !shape.sizes.empty()) return;
  for (int layer = 0; layer < shape.layers; ++layer)
    if (shape.is_softmax(layer) && c.others_of(layer) != c.others) return;
  const AttentionCost cost = attention_cost(c.size);
  column.heading(tr("Sharing across layers"));
  column.paragraph(
      tr("{0} layers × {1} = {2} parameters. Shared by all layers, as in ALBERT: {1}, whatever the "
         "number of layers. The multiply–adds stay {0} × {3}.",
         count(layers), count(cost.parameters()), count(layers * cost.parameters()),
         count(cost.multiplications())));
  column.note(tr("Counted for the attention of this block alone."));
}

void draw_sharing(const Costs& c, BoardColumn& column) {
  const Translator& tr = c.tr;
  Inputs inputs = c.trace.inputs;
  if (!inputs.about().computes) return;  // the parameters of a capture are not known
  if (!inputs.about().from_seed) return draw_trained_sharing(c, column);
  if (inputs.layers < 2) inputs.layers = 12;
  inputs.share_layers = false;
  const auto apart = static_cast<double>(parameter_count(inputs));
  inputs.share_layers = true;
  const auto shared = static_cast<double>(parameter_count(inputs));
  column.heading(tr("Sharing across layers"));
  column.paragraph(
      tr("{0} layers × {1} = {2} parameters. Shared by all layers, as in ALBERT: {1}, whatever the "
         "number of layers. The multiply–adds stay {0} × {3}.",
         inputs.layers, count(shared), count(apart), count(attention_cost(c.size).multiplications())));
  if (inputs.feed_forward || inputs.layer_norm)
    column.note(inputs.feed_forward
                    ? tr("Counted with each layer's feed-forward network and LayerNorm, where they are on; "
                         "multiply–adds are those of attention.")
                    : tr("Counted with each layer's LayerNorm."));
}

void draw_memory(const Costs& c, BoardColumn& column) {
  const Translator& tr = c.tr;
  const double layers = std::max(1, c.block.shape.softmax_layers()), h = c.size.heads;
  constexpr double tile = 128, many = 4096;
  const double rows = std::min(tile, c.size.n_q), keys = std::min(tile, c.size.n_k);
  column.heading(tr("Memory of the maps"));
  BoardTable table;
  table.titles = {"", tr("now: {} × {}", count(c.size.n_q), count(c.size.n_k)),
                  tr("at {} × {}", count(many), count(many))};
  const double now = attention_cost(c.size).maps, large = h * many * many * sizeof(float);
  table.rows.push_back(
      {tr("Full maps of one layer: heads · n_q · n_k · 4 bytes"), printed_bytes(now), printed_bytes(large)});
  if (layers > 1)
    table.rows.push_back({tr("of {} layers, kept for a backward pass or a look", count(layers)),
                          printed_bytes(layers * now), printed_bytes(layers * large)});
  table.rows.push_back({tr("Streamed softmax: one tile of at most 128 × 128 scores"),
                        printed_bytes(streamed_bytes(rows, keys, c.size.d_k())),
                        printed_bytes(streamed_bytes(tile, tile, c.size.d_k()))});
  column.table(table);
  column.note(
      tr("A tile holds its scores and, for each query, the maximum, the sum and the context so far. It stays "
         "that small however many tokens, heads or layers there are."));
}

/// In order; then those of the second column if there are two.
struct Section {
  const char* name;
  bool second;
  void (*draw)(const Costs& c, BoardColumn& column);
};
constexpr Section sections[] = {{"variants", false, draw_variants}, {"identity", false, draw_identity},
                                {"left out", false, draw_left_out}, {"charts", true, draw_charts},
                                {"sharing", true, draw_sharing},    {"memory", true, draw_memory}};

}  // namespace

bool is_cost_section(const std::string& name) {
  return std::ranges::find(sections, name, &Section::name) != std::end(sections);
}

std::string cost_section(const std::string& name) {
  return "section " + name;
}

Board cost_board(const Trace& trace, const BlockTrace& block, int layer, const BoardStyle& style,
                 double width, const Translator& tr) {
  if (const char* const none = why_no_cost(block.shape, layer)) {
    BoardColumn column(style, width, tr);
    column.paragraph(tr(none));
    return column.take();
  }
  Costs costs{trace, block, layer, style, tr};
  costs.window = window_of(block.interventions);
  // On a wide page, two columns of about the same height.
  constexpr double wide = 84;  // sizes of the text
  const bool two = width >= wide * style.font_size;
  const double gap = 3 * style.font_size, each = two ? (width - gap) / 2 : width;
  BoardColumn left(style, each, tr), right(style, each, tr);
  for (const Section& section : sections) {
    BoardColumn& column = two && section.second ? right : left;
    const double top = column.bottom();
    section.draw(costs, column);
    column.region(cost_section(section.name), top);
  }
  Board board = left.take();
  if (!two) return board;
  Board other = right.take();
  board.height = std::max(board.height, other.height);
  add(board, std::move(other), each + gap, 0);
  board.width = width;
  return board;
}

}  // namespace headscope

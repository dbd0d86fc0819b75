#include "core/figure/boards/shape_strip.h"

#include <algorithm>

#include "core/figure/boards/board_column.h"
#include "core/figure/boards/role_colors.h"
#include "core/figure/boards/split_picture.h"
#include "core/scene/readable_numbers.h"

namespace headscope {
namespace {

/// "[1, 8, 10, 64]": batch first.
std::string shape_of_sizes(std::initializer_list<Index> sizes) {
  std::string text = "[1";
  for (const Index size : sizes) text += ", " + std::to_string(size);
  return text + "]";
}

/// One tensor, and the operation that creates it.
struct Tensor3 {
  std::string created_by;  ///< over its arrow; empty: it starts a new line
  std::string name;
  std::string shape;
  const char* role = nullptr;  ///< its colour, as in formulas
  std::string help;
  const char* mark = "";  ///< of shape_marks
};

/// The sizes of the run's tensors.
struct Sizes {
  Index n_q;
  Index n_k;  ///< without what heads have of no token
  Index d_model, heads, kv_heads, d_k, d_v;
};
Sizes sizes_of(const BlockTrace& block, int index) {
  const BlockShape& shape = block.shape;
  if (block.computed_layers)  // the tensors that were not requested
    return {block.n_q(),
            block.n_k() - (block.tokens_alone ? 1 : 0),
            shape.d_model,
            shape.heads_of(index),
            shape.kv_heads_of(index),
            shape.d_k_of(index),
            shape.d_v_of(index)};
  const LayerTrace& layer = block.layers[index];
  return {layer.q.dim(1), layer.k.dim(1), layer.x.dim(1), layer.q.dim(0),
          layer.k.dim(0), layer.q.dim(2), layer.q.dim(2)};
}

using Chain = std::vector<Tensor3>;

/// From vectors of tokens to a matrix of d_k columns for each head.
Chain split_chain(const Sizes& s, const char* source, const char* projections, const char* names, Index n,
                  Index heads, const char* role, const Translator& tr) {
  const Index width = heads * s.d_k;
  Chain chain;
  chain.push_back(
      {"", source, shape_of_sizes({n, s.d_model}), "x", tr("The tokens' vectors, one per row"), "shape x"});
  chain.push_back({projections, names, shape_of_sizes({n, width}), role,
                   tr("Each token's {} numbers times a matrix, and the bias", s.d_model), "shape q"});
  chain.push_back({"view", "", shape_of_sizes({n, heads, s.d_k}), role,
                   tr.plural("view: each token's {} numbers read as {} row of {}; nothing moves in memory",
                             "view: each token's {} numbers read as {} rows of {}; nothing moves in memory",
                             heads, width, heads, s.d_k),
                   "shape view"});
  chain.push_back(
      {"transpose(1, 2)", "", shape_of_sizes({heads, n, s.d_k}), role,
       tr("transpose(1, 2): heads before tokens, so that each head has a matrix [n, d_k] of its own; the "
          "numbers stay the same"),
       "shape transpose"});
  return chain;
}

/// What is behind each head's context.
void add_output(Chain& chain, Index n_q, Index heads, Index d_v, Index d_model, const Translator& tr) {
  chain.push_back(
      {"transpose(1, 2)", "", shape_of_sizes({n_q, heads, d_v}), "c", tr("Tokens before heads again")});
  chain.push_back({"view", tr("concat"), shape_of_sizes({n_q, heads * d_v}), "c",
                   tr.plural("view: the {} head's {} numbers again, {} a token",
                             "view: the {} heads' {} numbers side by side again, {} a token", heads, heads,
                             d_v, heads * d_v),
                   "shape concat"});
  chain.push_back({"W_O", tr("output"), shape_of_sizes({n_q, d_model}), "o",
                   tr("All heads mixed by one last matrix, and its bias"), "shape output"});
}

/// Of a layer with a state: what it computes token by token is, of all tokens, the product of a map with its
/// values.
std::vector<Chain> state_chains(const BlockTrace& block, const LayerMixer& mixer, const Translator& tr) {
  const bool mamba = mixer.kind == Mixer::mamba2;
  const Index n = block.n_q(), heads = mixer.heads, groups = mixer.groups;
  Sizes s{n, n, block.shape.d_model, heads, groups, mixer.d_k, mixer.d_v};
  const std::string projected = tr("projection, convolution");
  const auto split = [&](const char* names, Index count, const char* role) {
    Chain chain = split_chain(s, "X", projected.c_str(), names, n, count, role, tr);
    chain[1].help = tr(
        "Each token's {} numbers times a matrix; a short convolution then mixes each column with the tokens "
        "before it",
        s.d_model);
    return chain;
  };
  Chain keys = split(mamba ? "C, B" : "Q, K", groups, "q");
  if (groups != heads)
    keys.push_back(
        {tr("each for {} heads", heads / groups), "", shape_of_sizes({heads, n, mixer.d_k}), "q",
         tr.plural("repeat_interleave: {} key-value head serves {} heads",
                   "repeat_interleave: {} key-value heads serve {} heads", groups, groups, heads)});
  s.d_k = mixer.d_v;
  Chain values = split(mamba ? "x" : "V", heads, "v");
  Chain rest;
  rest.push_back({tr("state"), "M", shape_of_sizes({heads, n, n}), "w",
                  tr("What each head's state does, from the first token to the last, as a map: rows need not "
                     "sum to 1"),
                  "shape weights"});
  rest.push_back({mamba ? "· x" : "· V", tr("context"), shape_of_sizes({heads, n, mixer.d_v}), "c",
                  tr("Each head's sums of its values, times the cells of its map"), "shape context"});
  add_output(rest, n, heads, mixer.d_v, block.shape.d_model, tr);
  return {std::move(keys), std::move(values), std::move(rest)};
}

/// Not divided if the intervention removes that, and not in a model that was trained without it or with a
/// factor of its own.
const char* scores_text(const BlockTrace& block, int layer) {
  if (!block.computed_layers) return block.interventions.scale ? "QKᵀ / √d_k" : "QKᵀ";
  const RowRule rule = block.computed_layers->rule(layer, 0, 0);
  return rule.by_sqrt_d_k ? "QKᵀ / √d_k" : rule.own_factor ? "c QKᵀ" : "QKᵀ";
}

std::vector<Chain> chains(const BlockTrace& block, int layer, const Sizes& s, const Translator& tr) {
  if (!block.shape.is_softmax(layer)) return state_chains(block, block.shape.mixers[layer], tr);
  const bool latent = block.shape.latent > 0, grouped = s.kv_heads != s.heads,
             apart = grouped || latent || block.cross();
  std::vector<Chain> all;
  if (apart) {
    all.push_back(split_chain(s, "X", "W_Q", "Q", s.n_q, s.heads, "q", tr));
    Sizes of_values = s;
    of_values.d_k = s.d_v;
    const char* const keys = block.cross() ? tr("X of the keys") : "X";
    all.push_back(split_chain(s, keys, latent ? "W_DKV, W_UK" : "W_K, W_V", latent ? "K" : "K, V", s.n_k,
                              s.kv_heads, "k", tr));
    if (latent) all.push_back(split_chain(of_values, keys, "W_DKV, W_UV", "V", s.n_k, s.kv_heads, "v", tr));
    if (grouped)
      all.back().push_back({tr("each for {} heads", s.heads / s.kv_heads), "",
                            shape_of_sizes({s.heads, s.n_k, s.d_k}), "k",
                            tr.plural("repeat_interleave: {} key-value head serves {} heads",
                                      "repeat_interleave: {} key-value heads serve {} heads", s.kv_heads,
                                      s.kv_heads, s.heads)});
  } else {
    all.push_back(split_chain(s, "X", "W_Q, W_K, W_V", "Q, K, V", s.n_q, s.heads, "q", tr));
  }
  Chain rest;
  rest.push_back({scores_text(block, layer), tr("scores"), shape_of_sizes({s.heads, s.n_q, block.n_k()}), "s",
                  tr("One number for each query and each key, in every head"), "shape scores"});
  rest.push_back({"softmax", tr("weights"), shape_of_sizes({s.heads, s.n_q, block.n_k()}), "w",
                  tr("Each row over the keys: the same shape"), "shape weights"});
  rest.push_back({"· V", tr("context"), shape_of_sizes({s.heads, s.n_q, s.d_v}), "c",
                  tr("Each head's weighted sums of its values"), "shape context"});
  add_output(rest, s.n_q, s.heads, s.d_v, s.d_model, tr);
  if (all.size() == 1)
    all.front().insert(all.front().end(), rest.begin(), rest.end());
  else
    all.push_back(std::move(rest));
  return all;
}

/// Sets chains of tensors from left to right, in as many lines as needed.
class StripPen {
 public:
  StripPen(Board& board, const BoardStyle& style, const std::string& marked)
      : board_(board), style_(style), marked_(marked), size_(style.font_size) {}

  void draw(const Chain& chain) {
    if (x_ > 0) next_line();
    for (const Tensor3& tensor : chain) draw(tensor);
  }
  double bottom() const { return y_ + line(); }

 private:
  double line() const { return 3.1 * size_; }
  void next_line() { x_ = 0, y_ += line(); }
  double text_width(std::string_view text, double size) const { return style_.measure(text, size); }

  void draw(const Tensor3& tensor) {
    const double small = style_.sized(0.8), pad = 0.45 * size_;
    const double box = std::max(text_width(tensor.shape, small), text_width(tensor.name, size_)) + 2 * pad;
    const double arrow = tensor.created_by.empty() ? 0 : text_width(tensor.created_by, small) + 1.2 * size_;
    if (x_ > 0 && x_ + arrow + box > board_.width) next_line();
    const double middle = y_ + 1.35 * size_;
    if (arrow > 0) {
      board_.texts.push_back(
          {tensor.created_by, x_ + arrow / 2, middle - 0.6 * size_, {small, style_.muted, Anchor::middle}});
      headscope::arrow(board_, x_ + 0.15 * size_, middle, x_ + arrow - 0.15 * size_, middle, 0.28 * size_,
                       0.07 * size_, style_.border);
    }
    x_ += arrow;
    const Rgb* role = tensor.role == nullptr ? nullptr : find_role_color(tensor.role, style_.background);
    const Rgb color = role == nullptr ? style_.text : *role;
    const Rect rect{x_, y_ + 0.1 * size_, box, 2.5 * size_};
    const bool marked = !marked_.empty() && tensor.mark == marked_;
    board_.fills.push_back({rect, marked ? blend(style_.background, style_.accent, 0.1) : style_.panel});
    board_.fills.push_back({{rect.x, rect.y, 0.18 * size_, rect.height}, color});
    if (marked) frame(board_, rect, 0.2 * size_, style_.accent);
    const double center = x_ + box / 2;
    if (!tensor.name.empty())
      board_.texts.push_back({tensor.name, center, y_ + 0.8 * size_, {size_, color, Anchor::middle}});
    board_.texts.push_back({tensor.shape,
                            center,
                            tensor.name.empty() ? middle : y_ + 1.9 * size_,
                            {small, style_.text, Anchor::middle}});
    board_.regions.push_back({{x_ - arrow, y_, arrow + box, line()},
                              "shape " + std::to_string(board_.regions.size()),
                              tensor.help});
    x_ += box;
  }

  Board& board_;
  const BoardStyle& style_;
  const std::string& marked_;
  double size_, x_ = 0, y_ = 0;
};

struct Check {
  std::string text;
  bool holds = true;
};

Check shape_check(const std::vector<Index>& of_output, const std::vector<Index>& of_input,
                  const Translator& tr) {
  const bool same = of_output == of_input;
  const std::string output = shape_of_sizes({of_output[0], of_output[1]}),
                    input = shape_of_sizes({of_input[0], of_input[1]});
  return {same ? tr("✓ output shape = input shape: {}", output)
               : tr("✗ output shape {} is not input shape {}", output, input),
          same};
}

Check sum_check(const BlockTrace& block, const RowSums& sums, const Translator& tr) {
  constexpr double bound = 1e-5;
  std::string text;
  bool holds = true;
  if (block.interventions.dropout > 0) {
    holds = false;
    text = tr("✗ rows sum to 1 before dropout only: now to {} to {}", printed(sums.minimum),
              printed(sums.maximum));
  } else if (sums.rows == sums.empty) {
    holds = false;
    text = tr("✗ rows sum to 1: no row has a key");
  } else {
    holds = sums.deviation() <= bound;
    const Index rows = sums.rows - sums.empty;
    const std::string deviation = printed_difference(sums.deviation());
    text = holds ? tr.plural("✓ {1} row sums to 1: deviation {0}",
                             "✓ rows sum to 1: largest deviation {} in {} rows", rows, deviation, rows)
                 : tr.plural("✗ {1} row sums to 1: deviation {0}",
                             "✗ rows sum to 1: largest deviation {} in {} rows", rows, deviation, rows);
  }
  if (sums.empty > 0)
    text += " · " +
            tr.plural("{} row has no key: its sum is 0", "{} rows have no key: their sums are 0", sums.empty);
  return {text, holds};
}

}  // namespace

const char* shape_mark_of_stage(std::string_view stage) {
  constexpr std::array<std::pair<std::string_view, const char*>, 26> marks{
      {{"x", "shape x"},
       {"input_norm", "shape x"},
       {"latent", "shape q"},
       {"projections", "shape q"},
       {"clamp", "shape q"},
       {"head_norm", "shape q"},
       {"rotation", "shape q"},
       {"products", "shape scores"},
       {"scale", "shape scores"},
       {"cap", "shape scores"},
       {"linear_bias", "shape scores"},
       {"relative_bias", "shape scores"},
       {"position_terms", "shape scores"},
       {"repeats", "shape scores"},
       {"sink", "shape scores"},
       {"mask", "shape scores"},
       {"temperature", "shape scores"},
       {"softmax", "shape weights"},
       {"state", "shape weights"},
       {"dropout", "shape weights"},
       {"values", "shape context"},
       {"concat", "shape concat"},
       {"output", "shape output"},
       {"output_norm", "shape output"},
       {"output_scale", "shape output"},
       {"", "shape x"}}};
  const auto found = std::ranges::find(marks, stage, &std::pair<std::string_view, const char*>::first);
  return found == marks.end() ? "" : found->second;
}

Board shape_strip(const BlockTrace& block, int layer, const RowSums* sums, const BoardStyle& style,
                  double width, const Translator& tr, StripParts parts) {
  const Sizes sizes = sizes_of(block, layer);
  const bool picture = parts.marked == "shape view" || parts.marked == "shape transpose";
  const std::vector<Chain> all = chains(block, layer, sizes, tr);
  Board strip;
  strip.width = width;
  BoardColumn column(style, width, tr);
  if (parts.chain || !picture) {
    StripPen pen(strip, style, parts.marked);
    for (const Chain& chain : all) pen.draw(chain);
    strip.height = pen.bottom();
    column.part(std::move(strip));
  }
  if (picture) {
    column.gap(0.3);
    const auto draw = parts.marked == "shape view" ? view_picture : transpose_picture;
    column.part(draw(block, layer, parts.token, parts.items, style, width, tr));
  } else if (parts.note && !parts.marked.empty()) {
    for (const Chain& chain : all)
      if (const auto marked = std::ranges::find(chain, parts.marked, &Tensor3::mark); marked != chain.end()) {
        column.paragraph(marked->help);
        break;
      }
  } else if (parts.note && block.shape.is_softmax(layer)) {
    column.note(tr.plural(
        "[batch, heads, tokens, d_k]. view reads each token's {} numbers as {} head of {}; transpose(1, 2) "
        "puts heads before tokens. Neither changes a number.",
        "[batch, heads, tokens, d_k]. view reads each token's {} numbers as {} heads of {}; transpose(1, 2) "
        "puts heads before tokens. Neither changes a number.",
        sizes.heads, sizes.heads * sizes.d_k, sizes.heads, sizes.d_k));
    if (sizes.kv_heads != sizes.heads)
      column.note(tr.plural(
          "K and V have {} key-value head of {} numbers, which repeat_interleave hands to all heads.",
          "K and V have {} key-value heads of {} numbers, each of which repeat_interleave hands to {} heads.",
          sizes.kv_heads, sizes.kv_heads, sizes.d_k, sizes.heads / sizes.kv_heads));
  }
  strip = column.take();
  if (!parts.checks) return strip;
  Board checks = shape_checks(block, layer, sums, style, width, tr);
  const double top = strip.height, height = checks.height;
  add(strip, std::move(checks), 0, top);
  strip.height = top + height;
  return strip;
}

Board shape_checks(const BlockTrace& block, int layer, const RowSums* sums, const BoardStyle& style,
                   double width, const Translator& tr) {
  BoardColumn column(style, width, tr);
  const auto report = [&](const Check& check) {
    column.paragraph(check.text, check.holds ? style.text : style.warning);
  };
  if (block.computed_layers) {
    const std::vector<Index> shape{block.n_q(), block.shape.d_model};  // both of W_O's rows, and of x
    report(shape_check(shape, shape, tr));
  } else if (const LayerTrace& trace = block.layers[layer]; !trace.output.empty()) {
    report(shape_check(trace.output.shape(), trace.x.shape(), tr));
  }
  if (!block.shape.is_softmax(layer))
    column.note(tr(block.cells_of(layer).label));
  else if (sums != nullptr)
    report(sum_check(block, *sums, tr));
  else
    column.note(tr("… rows sum to 1: computing"));
  return column.take();
}

}  // namespace headscope

#include "core/analysis/arithmetic_stages.h"

#include <algorithm>
#include <iterator>
#include <limits>

#include "core/analysis/softmax_row.h"
#include "core/analysis/stage_maker.h"

namespace headscope {
namespace {

/// A kind of stage. The stages that a source lists are looked up here by name.
struct StageKind {
  const char* name;
  const char* title;  ///< English, to be translated
  bool (*present)(const Trace& trace, const BlockTrace& block);
  void (*fill)(const StageMaker& maker, ArithmeticStage& stage);
  void (*thumb)(const StageMaker& maker, StageThumbnail& thumbnail);
};

bool is_given(const BlockTrace& block) {
  return block.maps && block.maps->given();
}

template <typename Row>
void one_line(StageThumbnail& t, const char* role, std::string symbol, const Row& row, Index column = -1,
              Index span = 1) {
  t.symbol = std::move(symbol);
  t.shape = shape_text({row.size()});
  t.values = row.template cast<double>();
  t.roles = {role};
  t.column = column;
  t.span = span;
}

void several_lines(StageThumbnail& t, std::vector<std::string> roles, std::string symbol,
                   std::initializer_list<Eigen::RowVectorXd> rows, Index column = -1) {
  t.symbol = std::move(symbol);
  t.shape = shape_text({std::ssize(rows), rows.begin()->size()});
  t.values.resize(std::ssize(rows), rows.begin()->size());
  Index line = 0;
  for (const Eigen::RowVectorXd& row : rows) t.values.row(line++) = row;
  t.roles = std::move(roles);
  t.column = column;
}

std::string in_words(const std::string& text) {
  return "\\text{" + text + "}";
}

void thumb_input_norm(const StageMaker& m, StageThumbnail& t) {
  if (m.cell.way.key_norm)
    several_lines(t, {"x", "x"}, colored("x", "n_i, n_j"), {m.cell.query_input(), m.cell.key_input()});
  else
    several_lines(t, {"x"}, colored("x", "n_i"), {m.cell.query_input()});
}

void thumb_scale(const StageMaker& m, StageThumbnail& t) {
  one_line(t, "s", m.cell.rule.by_sqrt_d_k ? "\\div \\sqrt{d_k}" : colored("s", "s_i"), scaled_scores(m),
           m.cell.place.key);
}

void thumb_mask(const StageMaker& m, StageThumbnail& t) {
  // A blocked score has no colour, whatever replaces it.
  const Eigen::RowVectorXd masked = m.cell.masked.unaryExpr(
      [](double score) { return score == -1e9 ? -std::numeric_limits<double>::infinity() : score; });
  const char* sign = m.block.fills_with_infinity() ? "+ " : "";
  one_line(t, "s", sign + in_words(m.tr("mask")), masked, m.cell.place.key);
}

void thumb_norm(const StageMaker& m, StageThumbnail& t) {
  const AddAndNorm& step = *m.cell.add_and_norm;
  one_line(t, "o", step.norm ? norm_name(*step.norm) : "+ " + colored("x", "x_i"), step.result(), m.output);
}

void thumb_output_norm(const StageMaker& m, StageThumbnail& t) {
  one_line(t, "o", norm_name(*m.cell.way.added_norm), m.cell.way.added_norm->y, m.output);
}

constexpr auto always = [](const Trace&, const BlockTrace&) { return true; };

using Maker = const StageMaker&;
using Thumbnail = StageThumbnail&;
constexpr StageKind kinds[] = {
    {"made", TR("Rows pooled or repeated"), always, fill_made,
     [](Maker m, Thumbnail t) { one_line(t, "x", colored("x", "x_i"), m.cell.x.cast<double>(), m.output); }},
    {"x", TR("Token vectors"), always, fill_x,
     [](Maker m, Thumbnail t) {
       several_lines(
           t, {"x", "x"},
           m.block.cross() ? colored("x", "x_i") + ", " + colored("x", "y_j") : colored("x", "x_i, x_j"),
           {m.cell.x.cast<double>(), m.cell.key_x.cast<double>()});
     }},
    {"input_norm", TR("Norm before the projections"), always, fill_input_norm, thumb_input_norm},
    {"latent", TR("Short rows of all heads"), always, fill_latent,
     [](Maker m, Thumbnail t) { one_line(t, "k", colored("k", "c_j"), m.cell.way.key_latent->y); }},
    {"projections", TR("Query, key and value"), always, fill_projections,
     [](Maker m, Thumbnail t) {
       // A value may be shorter.
       Eigen::RowVectorXd v = Eigen::RowVectorXd::Zero(m.cell.way.q_projected.size());
       v.head(std::min(v.size(), m.values.cols())) =
           m.values.row(m.cell.place.key).head(std::min(v.size(), m.values.cols()));
       several_lines(t, {"q", "k", "v"},
                     colored("q", "q") + ", " + colored("k", "k") + ", " + colored("v", "v"),
                     {m.cell.way.q_projected, m.cell.way.k_projected, v}, m.component);
     }},
    {"clamp", TR("Clamp q, k and v"), always, fill_clamp,
     [](Maker m, Thumbnail t) {
       const double limit = m.cell.way.limit;
       several_lines(t, {"q", "k"}, "\\pm \\text{" + short_number(limit) + "}",
                     {m.cell.way.q_projected.cwiseMax(-limit).cwiseMin(limit),
                      m.cell.way.k_projected.cwiseMax(-limit).cwiseMin(limit)},
                     m.component);
     }},
    {"head_norm", TR("Norms of q and k"), always, fill_head_norm,
     [](Maker m, Thumbnail t) {
       several_lines(t, {"q", "k"}, norm_name(*m.cell.way.q_norm),
                     {m.cell.way.q_before_turn, m.cell.way.k_before_turn}, m.component);
     }},
    {"rotation", TR("Rotary positions"), always, fill_rotation,
     [](Maker m, Thumbnail t) {
       several_lines(t, {"q", "k"}, colored("q", "q_i") + ", " + colored("k", "k_j"),
                     {m.cell.q.cast<double>(), m.cell.k.cast<double>()}, m.component);
     }},
    {"products", TR("q · k, term by term"), always, fill_products,
     [](Maker m, Thumbnail t) {
       one_line(t, "s", colored("q", "q_i") + " \\cdot " + colored("k", "k_j"), m.cell.products, m.component);
     }},
    {"scale", TR("Divide by √d_k"),
     [](const Trace&, const BlockTrace& block) {
       return !is_given(block) || row_rule(block, 0, 0, 0).by_sqrt_d_k;
     },
     fill_scale, thumb_scale},
    {"cap", TR("Cap the scores"), always, fill_cap,
     [](Maker m, Thumbnail t) { one_line(t, "s", "\\tanh", m.cell.scores, m.cell.place.key); }},
    {"linear_bias", TR("Add the linear bias"), always, fill_linear_bias,
     [](Maker m, Thumbnail t) { one_line(t, "s", "+ m (j - i)", m.cell.scores, m.cell.place.key); }},
    {"position_terms", TR("Add content–position terms"), always, fill_position_terms,
     [](Maker m, Thumbnail t) {
       const bool computed = m.cell.rule.from_position.size() == 0;
       one_line(t, "s", computed ? "+ q^r r + q^g g" : "+ c2p + p2c", m.cell.scores, m.cell.place.key);
     }},
    {"repeats", TR("Keys that count several times"), always, fill_repeats,
     [](Maker m, Thumbnail t) { one_line(t, "s", "+ \\ln r_j", m.cell.scores, m.cell.place.key); }},
    {"relative_bias", TR("Add the relative bias"), always, fill_relative_bias,
     [](Maker m, Thumbnail t) { one_line(t, "s", "+ b_{j-i}", m.cell.scores, m.cell.place.key); }},
    {"sink", TR("Add a score of no token"),
     [](const Trace&, const BlockTrace& block) { return block.tokens_alone != nullptr; }, fill_sink,
     [](Maker m, Thumbnail t) { one_line(t, "s", "z_h", m.cell.scores, m.cell.place.key); }},
    {"mask", TR("Apply the mask"), [](const Trace&, const BlockTrace& block) { return block.masked(); },
     fill_mask, thumb_mask},
    {"temperature", TR("Divide by the temperature"),
     [](const Trace&, const BlockTrace& block) { return block.interventions.temperature != 1; },
     fill_temperature,
     [](Maker m, Thumbnail t) { one_line(t, "s", "\\div T", m.cell.tempered, m.cell.place.key); }},
    {"softmax", TR("Softmax of the row"),
     [](const Trace&, const BlockTrace& block) { return !is_given(block) || knows_scores(block); },
     fill_softmax,
     [](Maker m, Thumbnail t) {
       one_line(t, "w", "\\operatorname{softmax}", m.cell.weights, m.cell.place.key);
     }},
    {"dropout", TR("Dropout on the weights"),
     [](const Trace&, const BlockTrace& block) { return block.interventions.dropout > 0; }, fill_dropout,
     [](Maker m, Thumbnail t) {
       one_line(t, "w", in_words(m.tr("Dropout")),
                m.cell.weights.cwiseProduct(m.cell.dropout.cast<double>()).eval(), m.cell.place.key);
     }},
    {"state", TR("A cell of the state's map, which is no softmax"), always, fill_state,
     [](Maker m, Thumbnail t) {
       one_line(t, "w", colored("w", "M_{ij}"), m.cell.weights, m.cell.place.key);
     }},
    {"values", TR("Weighted sum of the values"), always, fill_values,
     [](Maker m, Thumbnail t) {
       one_line(t, "c", "\\sum " + colored("w", m.cell.way.state ? "M" : "w") + colored("v", "v"),
                m.cell.context, m.value_component);
     }},
    {"gate", TR("Multiply by the gate"), always, fill_gate,
     [](Maker m, Thumbnail t) { one_line(t, "c", "\\odot \\sigma", m.cell.gated(), m.value_component); }},
    {"concat", TR("Concatenate the heads"), always, fill_concat,
     [](Maker m, Thumbnail t) {
       one_line(t, "c", in_words(m.tr("concat")), m.cell.concat, m.cell.place.head * m.d_v(), m.d_v());
     }},
    {"output", TR("Multiply by W_O"), always, fill_output,
     [](Maker m, Thumbnail t) { one_line(t, "o", colored("o", "W_O"), m.cell.output, m.output); }},
    {"output_norm", TR("Norm of the output"), always, fill_output_norm, thumb_output_norm},
    {"output_scale", TR("Scale of the output (LayerScale)"), always, fill_output_norm, thumb_output_norm},
    {"residual", TR("Residual connection"), always, fill_norm, thumb_norm},
    {"norm", TR("Residual connection and LayerNorm"),
     [](const Trace& trace, const BlockTrace& block) {
       return block.computed_layers != nullptr ||
              (block.shape.layers > 1 && (trace.inputs.residual || trace.inputs.layer_norm));
     },
     fill_norm, thumb_norm},
};

const StageKind* find_kind(const std::string& name) {
  const auto found = std::ranges::find(kinds, name, &StageKind::name);
  return found == std::end(kinds) ? nullptr : &*found;
}

}  // namespace

std::string left_out(const BlockTrace& block, const Translator& tr) {
  if (!is_given(block)) return "";
  const bool values = !block.values(0, 0).empty();
  std::string text = values ? tr("The capture has no projections, so the steps run from q and k to Σ w v; "
                                 "the rest is left out.")
                            : tr("The capture has neither projections nor v, so the steps run from q and k "
                                 "to the weights; the rest is left out.");
  if (row_rule(block, 0, 0, 0).by_sqrt_d_k) return text;
  return text + between_sentences(tr.language()) +
         (knows_scores(block)
              ? tr("Its scores are not q · k / √d_k; the step between is left out too.")
              : tr("Its weights do not follow from q · k / √d_k, and it has no scores; the steps "
                   "between are left out too."));
}

std::vector<std::string> present_stages(const Trace& trace, const BlockTrace& block, int layer) {
  std::vector<std::string> names;
  for (const std::string& name : trace.source ? trace.source->stages(block.shape.kind, layer) : stage_names())
    if (const StageKind* kind = find_kind(name); kind != nullptr && kind->present(trace, block))
      names.push_back(name);
  return names;
}

std::vector<ArithmeticStage> arithmetic_stages(const Trace& trace, const BlockTrace& block,
                                               const CellPlace& place, const StepsLook& look,
                                               const Translator& tr) {
  const StageMaker maker(trace, block, place, look, tr);
  std::vector<ArithmeticStage> stages;
  for (const std::string& name : present_stages(trace, block, place.layer)) {
    const StageKind& kind = *find_kind(name);
    ArithmeticStage& stage = stages.emplace_back();
    stage.name = name;
    stage.title = tr(stage_title(name, trace, block));
    if (maker.no_token() && std::ranges::find(kinds, name, &StageKind::name) <
                                std::ranges::find(kinds, std::string("sink"), &StageKind::name))
      fill_no_token(maker, stage);
    else
      kind.fill(maker, stage);
    if (stages.size() == 1) maker.say(stage, left_out(block, tr));
    kind.thumb(maker, stage.thumbnail);
  }
  return stages;
}

std::vector<std::string> stage_names() {
  std::vector<std::string> names;
  for (const StageKind& kind : kinds) names.emplace_back(kind.name);
  return names;
}

const char* stage_title(const std::string& name, const Trace& trace, const BlockTrace& block) {
  const StageKind* kind = find_kind(name);
  if (kind == nullptr) return nullptr;
  // The seeded layer can do either without the other.
  if (name == "norm" && block.computed_layers == nullptr) {
    if (!trace.inputs.layer_norm) return TR("Residual connection");
    if (!trace.inputs.residual) return TR("LayerNorm");
  }
  return kind->title;
}

std::size_t stage_place(const std::vector<std::string>& stages, const std::string& name) {
  const std::vector<std::string> all = stage_names();
  const auto end = std::ranges::find(all, name);
  if (end == all.end()) return 0;
  for (auto at = end + 1; at != all.begin(); --at)
    if (const auto found = std::ranges::find(stages, *(at - 1)); found != stages.end())
      return found - stages.begin();
  return 0;
}

}  // namespace headscope
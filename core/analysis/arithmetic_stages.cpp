#include "core/analysis/arithmetic_stages.h"

#include <algorithm>
#include <iterator>

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

constexpr auto always = [](const Trace&, const BlockTrace&) { return true; };

constexpr StageKind kinds[] = {
    {"x", TR("Token vectors"), always, fill_x, thumb_x},
    {"input_norm", TR("Norm before the projections"), always, fill_input_norm, thumb_input_norm},
    {"projections", TR("Query, key and value"), always, fill_projections, thumb_projections},
    {"head_norm", TR("Norms of q and k"), always, fill_head_norm, thumb_head_norm},
    {"rotation", TR("Rotary positions"), always, fill_rotation, thumb_rotation},
    {"products", TR("q · k, term by term"), always, fill_products, thumb_products},
    {"scale", TR("Divide by √d_k"),
     [](const Trace&, const BlockTrace& block) {
       return !is_given(block) || row_rule(block, 0, 0, 0).by_sqrt_d_k;
     },
     fill_scale, thumb_scale},
    {"relative_bias", TR("Add the relative bias"), always, fill_relative_bias, thumb_relative_bias},
    {"mask", TR("Apply the mask"), [](const Trace&, const BlockTrace& block) { return block.masked(); },
     fill_mask, thumb_mask},
    {"temperature", TR("Divide by the temperature"),
     [](const Trace&, const BlockTrace& block) { return block.interventions.temperature != 1; },
     fill_temperature, thumb_temperature},
    {"softmax", TR("Softmax of the row"),
     [](const Trace&, const BlockTrace& block) { return !is_given(block) || knows_scores(block); },
     fill_softmax, thumb_softmax},
    {"dropout", TR("Dropout on the weights"),
     [](const Trace&, const BlockTrace& block) { return block.interventions.dropout > 0; }, fill_dropout,
     thumb_dropout},
    {"values", TR("Weighted sum of the values"), always, fill_values, thumb_values},
    {"concat", TR("Concatenate the heads"), always, fill_concat, thumb_concat},
    {"output", TR("Multiply by W_O"), always, fill_output, thumb_output},
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
  const bool values = !values_of(block, 0, 0).empty();
  std::string text = values ? tr("The capture has no projections, so the steps run from q and k to Σ w v; "
                                 "the rest is left out.")
                            : tr("The capture has neither projections nor v, so the steps run from q and k "
                                 "to the weights; the rest is left out.");
  if (row_rule(block, 0, 0, 0).by_sqrt_d_k) return text;
  if (tr.language() != Language::zh) text += " ";
  return text + (knows_scores(block)
                     ? tr("Its scores are not q · k / √d_k; the step between is left out too.")
                     : tr("Its weights do not follow from q · k / √d_k, and it has no scores; the steps "
                          "between are left out too."));
}

std::vector<std::string> present_stages(const Trace& trace, const BlockTrace& block) {
  std::vector<std::string> names;
  for (const std::string& name : trace.source ? trace.source->stages(block.shape.kind) : stage_names())
    if (const StageKind* kind = find_kind(name); kind != nullptr && kind->present(trace, block))
      names.push_back(name);
  return names;
}

std::vector<ArithmeticStage> arithmetic_stages(const Trace& trace, const BlockTrace& block,
                                               const CellPlace& place, const StepsLook& look,
                                               const Translator& tr) {
  const StageMaker maker(trace, block, place, look, tr);
  std::vector<ArithmeticStage> stages;
  for (const std::string& name : present_stages(trace, block)) {
    const StageKind& kind = *find_kind(name);
    ArithmeticStage& stage = stages.emplace_back();
    stage.name = name;
    stage.title = tr(stage_title(name, trace, block));
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
      return static_cast<std::size_t>(found - stages.begin());
  return 0;
}

}  // namespace headscope
#include <cmath>

#include "app/panels/inputs/controls.h"
#include "app/panels/inputs/source_bar.h"
#include "app/panels/map/map_memory.h"
#include "app/panels/widgets/widgets.h"
#include "app/state/actions/adjust.h"
#include "core/inputs/cost.h"
#include "core/model/seeded_layer.h"
#include "core/scene/readable_numbers.h"
#include "core/source/source.h"

namespace headscope {
namespace {

/// A slider with a logarithmic scale over the usual values, and a field that accepts every valid value.
void factor_field(Ui& ui, const char* id, double Inputs::*member, double low, double high) {
  double& value = ui.inputs.*member;
  const InputField& field = input_field(member);
  const float typed_width = ui.style.font_size * 3.6F;
  ImGui::PushID(id);
  ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x - typed_width -
                          ImGui::GetStyle().ItemInnerSpacing.x);
  ImGui::SliderScalar("###slider", ImGuiDataType_Double, &value, &low, &high, "",
                      ImGuiSliderFlags_Logarithmic | ImGuiSliderFlags_NoInput | ImGuiSliderFlags_AlwaysClamp);
  note_sliding();
  anchor(id);
  ImGui::SameLine(0, ImGui::GetStyle().ItemInnerSpacing.x);
  ImGui::SetNextItemWidth(-FLT_MIN);
  typed_double("###typed", value, field.minimum, field.maximum, "%.3g");
  anchor(std::string(id) + " typed");
  ImGui::PopID();
}

double multiplications_of(const Ui& ui, const Source* model) {
  if (model == nullptr)
    return static_cast<double>(multiply_count(ui.inputs, ui.block->n_q(), ui.block->n_k()));
  const auto& blocks = ui.trace->blocks;
  const Index target = blocks.size() > 1 ? blocks.back().n_q() : blocks.front().n_q();
  return static_cast<double>(model->multiplications(blocks.front().n_q(), target));
}

/// Where the model never divides, the control would have no effect.
void draw_scale(Ui& ui) {
  const bool divides = !ui.model || ui.model->scale_scores || ui.model->scale_scores_by_layer;
  if (divides) return void(check(ui, "Divide scores by √d_k", &Inputs::scale));
  const InputField& field = input_field(&Inputs::scale);
  bool off = false;
  ImGui::BeginDisabled();
  check("Divide scores by √d_k", ui.tr(field.label), off,
        ui.tr("This model does not divide by √d_k; its weights were trained without."));
  ImGui::EndDisabled();
}

}  // namespace

void draw_softmax_controls(Ui& ui) {
  label_field(ui, &Inputs::temperature);
  factor_field(ui, "temperature", &Inputs::temperature, 0.01, 100);
  draw_scale(ui);
  label_field(ui, &Inputs::dropout);
  double low = 0, high = 0.9;
  const bool trained = ui.inputs.trained();
  ImGui::BeginDisabled(trained && ui.inputs.dropout <= 0);
  value_slider("###dropout", {ImGuiDataType_Double, &low, &high, "%.2f"}, &ui.inputs.dropout);
  ImGui::EndDisabled();
  if (trained) tooltip(ui.tr("A trained model is run without dropout."));
  if (ui.inputs.dropout <= 0) return;
  label_field(ui, &Inputs::dropout_seed);
  typed_seed("###dropout seed", ui.inputs.dropout_seed);
}

void draw_weight_controls(Workspace& work, Ui& ui) {
  const Translator& tr = ui.tr;
  const char* kinds[] = {tr("PyTorch Linear"),    tr("Xavier uniform"), tr("Normal"),
                         tr("Identity per head"), tr("W_K = W_Q"),      tr("Typed in")};
  const char* help[] = {tr("Uniform in ±1/√d_model, with biases, as in the notebook."),
                        tr("Uniform in ±√(6 / (2 d_model)); biases are 0."),
                        tr("N(0, σ²); biases are 0."),
                        tr("W_Q = W_K = W_V = W_O = I: each head reads its own d_k components of X."),
                        tr("Like PyTorch Linear, but with W_K = W_Q: scores measure similarity."),
                        tr("Matrices typed in by hand, for d_model up to 16; biases are 0.")};
  const bool trained = ui.inputs.trained();
  if (trained) hint(ui.style, not_of_models(tr));
  ImGui::BeginDisabled(trained);
  label_field(ui, &Inputs::weights);
  int kind = static_cast<int>(ui.inputs.weights);
  if (ImGui::BeginCombo("###kind of weights", trained ? tr("the model's own") : kinds[kind])) {
    for (int i = 0; i < 6; ++i) {
      const bool small_enough = i != 5 || ui.inputs.d_model <= Limits::max_typed_d_model;
      ImGui::BeginDisabled(!small_enough);
      if (ImGui::Selectable(kinds[i], i == kind)) set_weights(ui.inputs, static_cast<WeightKind>(i));
      ImGui::EndDisabled();
      tooltip(small_enough ? help[i] : tr("Needs d_model of at most 16; reduce it first."));
    }
    ImGui::EndCombo();
  }
  anchor("kind of weights");
  tooltip(trained ? not_of_models(tr) : help[kind]);
  if (!trained && ui.inputs.weights == WeightKind::manual) draw_typed_weights(work, ui);
  if (!trained && ui.inputs.weights == WeightKind::normal) {
    label_field(ui, &Inputs::sigma);
    factor_field(ui, "sigma", &Inputs::sigma, 0.001, 10);
  }
  ImGui::EndDisabled();
  label_field(ui, &Inputs::gain_q);
  factor_field(ui, "gain_q", &Inputs::gain_q, 0.01, 100);
  label_field(ui, &Inputs::gain_k);
  factor_field(ui, "gain_k", &Inputs::gain_k, 0.01, 100);
  label_field(ui, &Inputs::kv_heads);
  const std::optional<BlockShape> shape = known_shape(ui);
  const int now = !trained ? ui.inputs.key_value_heads() : shape ? shape->kv_heads : 0;
  ImGui::BeginDisabled(trained);
  const bool open = ImGui::BeginCombo("###kv heads", now > 0 ? std::to_string(now).c_str() : "–");
  if (!open) {
    ImGui::EndDisabled();
    return anchor("kv heads");
  }
  for (int i = 1; i <= ui.inputs.heads; ++i) {
    if (ui.inputs.heads % i != 0) continue;
    const char* name = i == ui.inputs.heads ? tr("multi-head")
                       : i == 1             ? tr("multi-query")
                                            : tr("grouped-query");
    if (ImGui::Selectable((std::to_string(i) + "  " + name).c_str(), i == now))
      ui.inputs.kv_heads = i == ui.inputs.heads ? 0 : i;
  }
  ImGui::EndCombo();
  ImGui::EndDisabled();
  anchor("kv heads");
}

void draw_stack_controls(Ui& ui) {
  const Translator& tr = ui.tr;
  Inputs& inputs = ui.inputs;
  label_field(ui, &Inputs::layers);
  const int minimum = 1, maximum = Limits::max_layers;
  value_slider("###layers", {ImGuiDataType_S32, &minimum, &maximum, "%d"}, &inputs.layers);
  ImGui::BeginDisabled(inputs.layers == 1);
  check(ui, "Share parameters across layers", &Inputs::share_layers);
  ImGui::EndDisabled();
  check(ui, "Residual", &Inputs::residual);
  check(ui, "LayerNorm", &Inputs::layer_norm);
  check(ui, "Feed-forward", &Inputs::feed_forward);
  if (inputs.trained() && (!ui.trace || ui.trace->inputs.model != inputs.model)) return;  // not open yet
  const Source* model = inputs.trained() ? ui.trace->source.get() : nullptr;
  const std::int64_t parameters = model ? model->parameters() : parameter_count(inputs);
  hint(ui.style, tr("Parameters: {}", printed_count(static_cast<double>(parameters))));
  tooltip(model ? tr("All of the model, with its embeddings; those that two parts share count once.")
                : tr("Learnable parameters of PyTorch's module: 4 d² + 4 d for each attention layer; shared "
                     "layers count "
                     "once."));
  hint(ui.style, tr("Multiply–adds: {}", printed_count(multiplications_of(ui, model))));
  tooltip(
      tr("For one run, not counting what a mask could save: projections, scores, context, feed-forward."));
}

}  // namespace headscope

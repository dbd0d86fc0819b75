#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "app/panels/inputs/controls.h"
#include "app/panels/views/predictions.h"
#include "app/panels/widgets/imgui_calls.h"
#include "app/panels/widgets/theme.h"
#include "app/panels/widgets/widgets.h"
#include "app/state/actions/ablated_heads.h"
#include "app/state/app.h"
#include "app/state/document/adjust.h"
#include "app/state/view/navigation.h"
#include "core/inputs/cost.h"
#include "core/inputs/names.h"
#include "core/model/seeded/seeded_layer.h"
#include "core/scene/readable_numbers.h"
#include "core/scene/source_title.h"

namespace headscope {
namespace {

/// A slider with a logarithmic scale over the usual values, and a field that accepts every valid value.
void factor_field(Ui& ui, const char* id, double Inputs::*member, double low, double high) {
  double& value = ui.inputs.*member;
  const InputField& field = input_field(member);
  ImGui::PushID(id);
  constexpr ImGuiSliderFlags flags = ImGuiSliderFlags_Logarithmic | ImGuiSliderFlags_NoInput;
  slider_with_field("###slider", {ImGuiDataType_Double, &low, &high, "", flags, id}, &value, [&] {
    typed_double("###typed", value, field.minimum, field.maximum, "%.3g");
    anchor(std::string(id) + " typed");
  });
  ImGui::PopID();
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

void draw_gains(Ui& ui) {
  label_field(ui, &Inputs::gain_q);
  factor_field(ui, "gain_q", &Inputs::gain_q, 0.01, 100);
  label_field(ui, &Inputs::gain_k);
  factor_field(ui, "gain_k", &Inputs::gain_k, 0.01, 100);
}

/// A button that is grey and struck through while these heads are ablated.
bool head_switch(const Workspace& work, const Ui& ui, const std::set<HeadPlace>& heads,
                 const std::string& text, const std::string& mark, const std::string& help, float width) {
  const bool off = are_ablated(work, heads);
  const Palette& theme = palette(ui.style.theme);
  if (off) {
    for (const ImGuiCol part : {ImGuiCol_Button, ImGuiCol_ButtonHovered, ImGuiCol_ButtonActive})
      ImGui::PushStyleColor(part, theme.background);
    ImGui::PushStyleColor(ImGuiCol_Text, theme.muted);
  }
  const bool pressed = button(text, mark, help, width);
  if (!off) return pressed;
  ImGui::PopStyleColor(4);
  const ImVec2 min = ImGui::GetItemRectMin(), max = ImGui::GetItemRectMax();
  const float middle = (min.y + max.y) / 2, inset = 0.15F * (max.x - min.x);
  ImGui::GetWindowDrawList()->AddLine({min.x + inset, middle}, {max.x - inset, middle}, theme.text,
                                      std::max(1.0F, ui.style.font_size / 12));
  return pressed;
}

/// The heads of a block: a line for each layer, which its number switches as a whole.
void draw_heads(Workspace& work, const Ui& ui, const BlockShape& shape, std::set<HeadPlace>& pressed) {
  const float em = ui.style.font_size, width = std::round(em * 2.1F);
  for (int layer = 0; layer < shape.layers; ++layer) {
    std::set<HeadPlace> all;
    for (int head = 0; head < shape.heads_of(layer); ++head) all.insert({shape.kind, layer, head});
    if (all.empty()) continue;
    const std::string place = std::string(to_name(shape.kind)) + " " + std::to_string(layer);
    if (head_switch(work, ui, all, ui.tr("Layer {}", layer + 1), "ablate " + place,
                    ui.tr("All heads of this layer"), em * 4.5F))
      pressed = all;
    for (const HeadPlace& one : all) {
      ImGui::SameLine(0, 2);
      const std::string name = std::to_string(one.head + 1);
      if (head_switch(work, ui, {one}, name, "ablate " + place + "." + std::to_string(one.head), {}, width))
        pressed = {one};
    }
  }
}

void head_popup(Workspace& work, Ui& ui) {
  if (!ImGui::BeginPopup("ablated heads")) return;
  // By itself Esc would first leave the list inside.
  if (key_pressed(Key::escape)) ImGui::CloseCurrentPopup();
  const ImVec2 window = ImGui::GetMainViewport()->WorkSize;
  const std::vector<BlockTrace>& blocks = work.trace()->blocks;
  float rows = 0, heads = 0;
  for (const BlockTrace& block : blocks) {
    rows += static_cast<float>(block.shape.layers) + (blocks.size() > 1 ? 1 : 0);
    heads = std::max(heads, static_cast<float>(block.shape.heads));
  }
  const float em = ui.style.font_size;
  const ImVec2 size{std::min(em * (6.5F + heads * 2.3F), window.x * 0.6F),
                    std::min((rows + 0.8F) * ImGui::GetFrameHeightWithSpacing(), window.y * 0.6F)};
  std::set<HeadPlace> pressed;
  ImGui::BeginChild("heads", size, false,
                    ImGuiWindowFlags_HorizontalScrollbar | ImGuiWindowFlags_NavFlattened);
  for (const BlockTrace& block : blocks) {
    if (blocks.size() > 1) framed_text(block_title(ui.tr, *work.trace(), block.shape.kind));
    draw_heads(work, ui, block.shape, pressed);
  }
  ImGui::EndChild();
  ImGui::EndPopup();
  if (!pressed.empty()) switch_heads(work, pressed, !are_ablated(work, pressed), ablated_side(work));
}

}  // namespace

void draw_ablation_controls(Workspace& work, Ui& ui) {
  const Translator& tr = ui.tr;
  const bool of_a = ablated_side(work) == Side::a;
  const Inputs& run = with_ablated_heads(work);
  const bool any = !run.ablated_heads.empty();
  const bool named = work.compare && (any || work.compares());
  label_field(ui, &Inputs::ablated_heads,
              !named ? nullptr
              : of_a ? tr("Ablated heads of A")
                     : tr("Ablated heads of B"));
  const std::string names = any && ui.trace ? listed_heads(ui, run.ablated_heads) : std::string(tr("none"));
  const float width = ImGui::GetContentRegionAvail().x;
  ImGui::BeginDisabled(waits_for_model(ui));
  if (button(fit_text(names, width - 2 * ImGui::GetStyle().FramePadding.x), "ablated heads",
             (any ? names + "\n" : "") +
                 (of_a ? tr("Heads that are ablated (switched off) in A, which is in view")
                       : tr("Heads to ablate (switch off) in B, which is compared with A")),
             width))
    ImGui::OpenPopup("ablated heads");
  ImGui::EndDisabled();
  const ImVec2 min = ImGui::GetItemRectMin(), max = ImGui::GetItemRectMax();
  ImGui::SetNextWindowPos({min.x, max.y + 2}, ImGuiCond_Appearing);
  head_popup(work, ui);
  // Always there, so that the first head that is ablated moves nothing.
  ImGui::BeginDisabled(!any);
  int by = static_cast<int>(run.ablation);
  if (choose("ablated by",
             {{tr("zero"), tr("An ablated head gives zero")},
              {tr("mean"), tr("An ablated head gives the mean of its context over this text's positions")}},
             by))
    (of_a || !work.compare ? work.inputs : *work.compare).ablation = static_cast<Ablation>(by);
  next_in_line(ImGui::CalcTextSize(tr("Restore all")).x + 2 * ImGui::GetStyle().FramePadding.x);
  if (button(tr("Restore all"), "restore heads", tr("None of these heads is ablated then")))
    restore_heads(work);
  ImGui::EndDisabled();
}

void draw_experiment_controls(App& app, Ui& ui) {
  if (ui.inputs.about().ablates && !app.compares()) draw_ablation_controls(app, ui);
  label_field(ui, &Inputs::temperature);
  factor_field(ui, "temperature", &Inputs::temperature, 0.01, 100);
  draw_mask_controls(app, ui);
}

void draw_advanced_controls(Ui& ui) {
  draw_mask_value(ui);
  draw_scale(ui);
  if (!ui.inputs.about().from_seed) draw_gains(ui);
  if (!ui.inputs.about().from_seed && ui.inputs.dropout <= 0) return;  // it is run without
  label_field(ui, &Inputs::dropout);
  double low = 0, high = 0.9;
  value_slider("###dropout", {ImGuiDataType_Double, &low, &high, "%.2f"}, &ui.inputs.dropout);
  // Always there, so that the first pull of the slider above moves nothing.
  ImGui::BeginDisabled(ui.inputs.dropout <= 0);
  label_field(ui, &Inputs::dropout_seed);
  typed_seed("###dropout seed", ui.inputs.dropout_seed);
  ImGui::EndDisabled();
}

/// What a kind of weights is, for its tooltip.
const char* explained(WeightKind kind) {
  switch (kind) {
    case WeightKind::linear:
      return TR("Uniform in ±1/√d_model, with biases, as in the notebook.");
    case WeightKind::xavier:
      return TR("Uniform in ±√(6 / (2 d_model)); biases are 0.");
    case WeightKind::mha:
      return TR("As nn.MultiheadAttention: W_Q, W_K and W_V uniform in ±√(6 / (4 d_model)); biases are 0.");
    case WeightKind::normal:
      return TR("N(0, σ²); biases are 0.");
    case WeightKind::identity:
      return TR("W_Q = W_K = W_V = W_O = I: each head reads its own d_k components of X.");
    case WeightKind::similarity:
      return TR("Like PyTorch Linear, but with W_K = W_Q: scores measure similarity.");
    case WeightKind::manual:
      break;
  }
  return TR("Matrices typed in by hand, for d_model up to 16; biases are 0.");
}

/// Why these inputs cannot have weights of a kind; nullptr: they can.
const char* unavailable(WeightKind kind, const Inputs& inputs) {
  if (kind == WeightKind::manual && inputs.d_model > Limits::max_typed_d_model)
    return TR("Needs d_model of at most 16; reduce it first.");
  if (kind == WeightKind::mha && inputs.key_value_heads() != inputs.heads)
    return TR("Needs as many key-value heads as heads.");
  return nullptr;
}

void draw_weight_controls(Workspace& work, Ui& ui) {
  const Translator& tr = ui.tr;
  label_field(ui, &Inputs::weights);
  const WeightKind chosen = ui.inputs.weights;
  const auto names = enum_names(WeightKind{});
  const auto row = std::ranges::find(names, chosen, &EnumName<WeightKind>::value);
  const EnumName<WeightKind>* const taken = choose_row(
      "kind of weights", tr(row->label), names,
      [&](const EnumName<WeightKind>& kind) { return kind.value == chosen; },
      [&](const EnumName<WeightKind>& kind) {
        const char* const reason = unavailable(kind.value, ui.inputs);
        return Choice{tr(kind.label), tr(reason != nullptr ? reason : explained(kind.value)),
                      reason == nullptr};
      });
  if (taken != nullptr) set_weights(ui.inputs, taken->value);
  tooltip(tr(explained(chosen)));
  if (ui.inputs.weights == WeightKind::manual) draw_typed_weights(work, ui);
  if (ui.inputs.weights == WeightKind::normal) {
    label_field(ui, &Inputs::sigma);
    factor_field(ui, "sigma", &Inputs::sigma, 0.001, 10);
  }
  draw_gains(ui);
  label_field(ui, &Inputs::kv_heads);
  const int now = ui.inputs.key_value_heads();
  const int heads = ui.inputs.heads;
  std::vector<std::pair<int, std::string>> rows;
  for (int i = 1; i <= heads; ++i)
    if (heads % i == 0)
      rows.emplace_back(i, std::to_string(i) + "  " +
                               (i == heads ? tr("multi-head")
                                : i == 1   ? tr("multi-query")
                                           : tr("grouped-query")));
  const auto* const kv_heads = choose_row(
      "kv heads", std::to_string(now).c_str(), rows, [&](const auto& row) { return row.first == now; },
      [&](const auto& row) {
        const bool possible = row.first == heads || ui.inputs.weights != WeightKind::mha;
        return Choice{row.second.c_str(),
                      possible ? "" : tr("nn.MultiheadAttention has as many key-value heads as heads."),
                      possible};
      });
  if (kv_heads != nullptr) ui.inputs.kv_heads = kv_heads->first == heads ? 0 : kv_heads->first;
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
  const auto printed = [&](std::int64_t count) {
    return ui.hides_numbers ? std::string("?") : printed_count(static_cast<double>(count));
  };
  hint(ui.style, tr("Parameters: {}", printed(parameter_count(inputs))));
  tooltip(
      tr("Learnable parameters of PyTorch's module: 4 d² + 4 d for each attention layer; shared "
         "layers count "
         "once."));
  hint(ui.style, tr("Multiply–adds: {}", printed(multiply_count(inputs, ui.block->n_q(), ui.block->n_k()))));
  tooltip(
      tr("For one run, not counting what a mask could save: projections, scores, context, feed-forward."));
}

}  // namespace headscope

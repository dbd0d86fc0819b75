#include "app/panels/inputs/source_bar.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "app/panels/dialogs/file_chooser.h"
#include "app/panels/widgets/glyphs.h"
#include "app/panels/widgets/theme.h"
#include "app/panels/widgets/widgets.h"
#include "app/state/actions/navigation.h"
#include "app/state/workspace.h"
#include "core/scene/source_title.h"
#include "core/scene/view_kinds.h"

namespace headscope {

void draw_source_name(Workspace& work, float right) {
  const float em = ImGui::GetFontSize();
  float room = ImGui::GetWindowWidth() - right - ImGui::GetCursorPosX() - 2 * em;
  if (text_has_no_effect(work)) room *= 0.4F;  // shown on the same line
  if (room < 4 * em) return;
  const Trace& trace = *work.trace();
  // Also named while it is being opened, cannot be opened or was not run yet; nothing else is known about it
  // then.
  const bool known = work.inputs.model == trace.inputs.model && work.inputs.capture == trace.inputs.capture;
  const bool run = trace.source && (known || work.inputs.seeded());
  const Inputs& inputs = run ? trace.inputs : work.inputs;
  const std::string title = drawn_text(run ? source_title(work.tr, trace) : source_title(work.tr, inputs));
  const char* untrained = work.tr("untrained");
  const float badge = ImGui::CalcTextSize(untrained).x + 2 * em;
  const bool has_badge = inputs.untrained() && room > badge + 4 * em;
  ImGui::SetCursorPosX(ImGui::GetCursorPosX() + em);
  colored_line(palette(work.settings.theme).muted, fit_text(title, has_badge ? room - badge : room));
  anchor("source");
  const std::string more =
      !inputs.seeded()
          ? drawn_text(inputs.trained() ? inputs.model : inputs.capture) + "\n" +
                work.tr("“Notebook” leads back to the layer from a seed.")
          : std::string(
                work.tr("Random weights. “Open model…” in the File menu shows those of a trained model."));
  tooltip(title + "\n" + more);
  if (!has_badge) return;
  ImGui::SameLine();
  draw_badge(untrained, palette(work.settings.theme).warning);
  tooltip(more);
}

void draw_opening(Workspace& work) {
  if (!work.opening.busy()) return;
  const LoadProgress& progress = work.opening.progress();
  const float em = ImGui::GetFontSize();
  ImGui::AlignTextToFramePadding();
  ImGui::Dummy({em * 0.3F, 0});
  ImGui::SameLine();
  const std::string name = model_name(work.opening.folder());
  const std::string text = work.tr("Opening {}…", drawn_text(name));
  const float cancel = ImGui::CalcTextSize(work.tr("Cancel")).x + 2 * ImGui::GetStyle().FramePadding.x + em;
  ImGui::TextUnformatted(
      fit_text(text, std::max(em * 4, ImGui::GetContentRegionAvail().x - cancel - em * 14)).c_str());
  ImGui::SameLine();
  const std::string sizes = progress.total > 0
                                ? fmt::format("{} / {}", size_text(progress.done), size_text(progress.total))
                                : std::string();
  ImGui::ProgressBar(static_cast<float>(progress.share()),
                     {std::max(em * 4, ImGui::GetContentRegionAvail().x - cancel), 0}, sizes.c_str());
  anchor("opening");
  tooltip(work.tr("The weights stay in their files and are mapped; each number is looked at once."));
  ImGui::SameLine();
  if (button(work.tr("Cancel"), "cancel opening")) work.opening.cancel();
}

void draw_block_choice(Ui& ui) {
  if (!ui.scene->trace || ui.scene->trace->blocks.size() < 2) return;
  // The view's own choices take its place.
  if (is_low_window() && view_kind(ui.state.view.kind).whole) return;
  const std::vector<BlockTrace>& blocks = ui.scene->trace->blocks;
  std::vector<std::string> titles;
  std::vector<Choice> choices;
  float width = 0;
  int chosen = 0;
  for (const BlockTrace& block : blocks) {
    if (block.shape.kind == ui.block->shape.kind) chosen = static_cast<int>(titles.size());
    titles.push_back(block_title(ui.tr, block.shape.kind));
    width += ImGui::CalcTextSize(titles.back().c_str()).x + 2 * ImGui::GetStyle().FramePadding.x;
  }
  const char* helps[] = {ui.tr("The source text to itself"), ui.tr("The target text to itself"),
                         ui.tr("The target's queries to the source's keys")};
  // These views show predictions, whichever block the other views show.
  const auto& predictions = ui.scene->trace->predictions;
  const bool predicts = view_kind(ui.state.view.kind).predicts && predictions;
  if (predicts)
    chosen = static_cast<int>(
        std::ranges::find(blocks, predictions->block(), [](const BlockTrace& b) { return b.shape.kind; }) -
        blocks.begin());
  const bool whole = view_kind(ui.state.view.kind).whole;
  const char* const of_view = predicts ? ui.tr("This view is about what the decoder expects, at its tokens.")
                                       : ui.tr("This view shows all of them.");
  for (std::size_t i = 0; i < titles.size(); ++i) {
    const bool can = !predicts && !whole;
    choices.push_back({titles[i].c_str(), can ? helps[std::min<std::size_t>(i, 2)] : of_view, can});
  }
  if (!is_low_window()) next_in_line(width);
  if (is_low_window() ? choose_in_list("blocks", choices, chosen) : choose("blocks", choices, chosen))
    show_block(ui.state, blocks[static_cast<std::size_t>(chosen)].shape.kind);
}

const char* not_of_models(const Translator& tr) {
  return tr("A trained model brings this with its weights; it belongs to the layer from a seed.");
}

bool waits_for_model(const Ui& ui) {
  return ui.inputs.trained() && ui.trace && ui.trace->inputs.model != ui.inputs.model;
}

std::string waiting_text(const Ui& ui) {
  const std::string name = drawn_text(model_name(ui.inputs.model));
  if (!ui.error.empty()) return ui.tr("{} is not open.", name);
  return ui.model ? ui.tr("Running {} on the text…", name) : ui.tr("Opening {}…", name);
}

std::optional<BlockShape> known_shape(const Ui& ui) {
  if (!waits_for_model(ui)) return ui.block->shape;
  if (!ui.model) return {};
  return shape_in_config(*ui.model, ui.state.view.block);
}

void draw_waiting(Workspace& work, const Ui& ui) {
  const bool opens = work.opening.busy();
  const std::string text =
      opens ? ui.tr("Opening {}…", drawn_text(model_name(work.opening.folder()))) : waiting_text(ui);
  const ImVec2 from = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
  const float em = ui.style.font_size, width = std::min(room.x * 0.8F, em * 24);
  ImGui::SetCursorScreenPos({from.x + (room.x - width) / 2, from.y + room.y * 0.35F});
  ImGui::BeginGroup();
  ImGui::PushFont(ui.style.large);
  colored_text(palette(ui.style.theme).muted, text, width + 1);
  ImGui::PopFont();
  if (ui.error.empty()) {
    const LoadProgress& progress = work.opening.progress();
    // The progress of a run is unknown: a part of the bar moves to and fro.
    const float moving = std::abs(std::fmod(static_cast<float>(ImGui::GetTime()) * 0.7F, 2.0F) - 1);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float height = em * 0.7F;
    const float begin = opens ? 0 : moving * 0.8F;
    const float end = opens ? static_cast<float>(progress.share()) : begin + 0.2F;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.AddRectFilled(at, {at.x + width, at.y + height}, palette(ui.style.theme).accent_soft, height / 2);
    list.AddRectFilled({at.x + width * begin, at.y}, {at.x + width * end, at.y + height},
                       palette(ui.style.theme).accent, height / 2);
    ImGui::Dummy({width, height});
  }
  ImGui::EndGroup();
  anchor("waiting");
}

Inputs values_of_model(const Inputs& inputs, const BlockShape& shape) {
  Inputs values = inputs;
  values.d_model = std::max(1, shape.d_model);
  values.heads = std::max(1, shape.heads);
  values.kv_heads = shape.kv_heads == shape.heads ? 0 : shape.kv_heads;
  values.layers = shape.layers;
  values.residual = values.layer_norm = values.feed_forward = true;
  values.share_layers = false;
  return values;
}

}  // namespace headscope

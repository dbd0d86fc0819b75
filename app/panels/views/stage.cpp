#include <algorithm>
#include <cmath>

#include "app/panels/inputs/source_bar.h"
#include "app/panels/lesson/presented_parts.h"
#include "app/panels/map/map_pointer.h"
#include "app/panels/sentence/sentence.h"
#include "app/panels/shell/frame_parts.h"
#include "app/panels/shell/panel_focus.h"
#include "app/panels/views/filter_bar.h"
#include "app/panels/views/model_view.h"
#include "app/panels/views/predictions.h"
#include "app/panels/views/steps_view.h"
#include "app/panels/views/views.h"
#include "app/panels/widgets/theme.h"
#include "app/panels/widgets/widgets.h"
#include "app/state/app.h"
#include "app/state/jobs/long_work.h"
#include "core/scene/view_kinds.h"

namespace headscope {
namespace {

void draw_tabs(Ui& ui) {
  std::vector<Choice> choices;
  std::vector<ViewKind> kinds;
  const ViewKindRow& present_row = view_kind(ui.state.view.kind);
  const char* const no_whole = whole_model_refused(ui);
  // A seeded layer predicts nothing: those tabs are only for models.
  for (const ViewKindRow& row : view_kinds) {
    if (row.predicts && !ui.inputs.trained() && !present_row.predicts) continue;
    if (row.whole && ui.inputs.seeded() && !present_row.whole) continue;
    const bool can = !row.whole || no_whole == nullptr || present_row.whole;
    choices.push_back({ui.tr(row.tab), can ? ui.tr(row.help) : ui.tr(no_whole), can});
    kinds.push_back(row.value);
  }
  auto chosen = static_cast<int>(std::ranges::find(kinds, ui.state.view.kind) - kinds.begin());
  // In a low window two lines of tabs would leave the maps too small to read.
  const bool in_list = ui.inputs.trained() && is_low_window() && !ui.style.presented &&
                       width_of(choices) > ImGui::GetContentRegionAvail().x;
  const char* const present = choices[static_cast<std::size_t>(chosen)].text;
  if (in_list ? choose_in_own_list("views", choices, chosen, present) : choose("views", choices, chosen))
    ui.state.view.kind = kinds[static_cast<std::size_t>(chosen)];
}

/// The layer of the views that show one.
void draw_layer_choice(Ui& ui) {
  // The controls stay in place while the sentence is empty.
  const bool empty = ui.block->layer_count() == 0;
  const int layers = empty ? ui.block->shape.layers : ui.block->layer_count();
  if (layers < 2 || !view_kind(ui.state.view.kind).one_layer) return;
  const std::string text = ui.tr("Layer {} of {}", ui.state.view.layer + 1, layers);
  next_in_line(ImGui::CalcTextSize(text.c_str()).x + 3 * ImGui::GetFrameHeight());
  ImGui::BeginDisabled(empty);
  framed_text(text);
  ImGui::SameLine();
  if (icon_button("layer down", Icon::left, ui.tr("Previous layer"))) change_layer(ui.state, -1, *ui.block);
  ImGui::SameLine();
  if (icon_button("layer up", Icon::right, ui.tr("Next layer"))) change_layer(ui.state, 1, *ui.block);
  ImGui::EndDisabled();
}

/// A new view gets the keyboard focus of the one it replaced, unless a sentence is being edited.
void keys_to_new_view(Ui& ui) {
  ImGuiStorage& memory = *ImGui::GetStateStorage();
  const ImGuiID id = ImGui::GetID("kind of view");
  const auto kind = static_cast<int>(ui.state.view.kind);
  if (memory.GetInt(id, -1) == kind) return;
  memory.SetInt(id, kind);
  if (ui.memory.editing() || ImGui::GetIO().WantTextInput) return;
  ui.state.panel_wanted = Panel::maps;
  ui.state.panel_muted = !navigates_by_keys();
}

/// The view, whose window is a separate panel for keyboard navigation.
void draw_maps(Ui& ui) {
  keys_to_new_view(ui);
  // In a small window with large text the stage scrolls, so that the view stays readable.
  const float minimum = ui.style.font_size * 8;
  const bool scrolls = ImGui::GetContentRegionAvail().y < minimum;
  if (scrolls) ImGui::BeginChild("room", {0, minimum});
  // If the maps are in a child window of the view, that takes the focus as when it appears.
  if (ui.state.panel_wanted == Panel::maps) ui.memory.maps.last_frame = -1;
  begin_panel_focus(ui.state, Panel::maps);
  std::ranges::find(view_panels, ui.state.view.kind, &ViewPanel::kind)->draw(ui);
  if (scrolls) ImGui::EndChild();
  const bool inside = ImGui::IsWindowFocused(ImGuiFocusedFlags_ChildWindows) && !ImGui::IsWindowFocused();
  if (inside) ui.state.panel = Panel::maps;
}

bool is_empty(const Ui& ui) {
  return ui.block->n_q() == 0 || ui.block->n_k() == 0;
}

/// Draws the view as the bar above has just set it.
void follow_view(Workspace& work, Ui& ui) {
  if (ui.state.view == ui.scene->view) return;
  follow_pooling(work);
  if (work.compare)
    ui.other.block = work.other_block();  // in pooled cells or in tokens, as the view needs it
  const auto shown = work.shown();
  // For a long text the view of one head has another block than the others.
  const bool same_text = shown->block->single == ui.block || ui.block->single == shown->block;
  if (shown->block != ui.block && !same_text) return;
  ui.block = shown->block;
  ui.shown = shown;
  const auto of_long = work.shown_of_long(ui.block);
  ui.overview = of_long ? of_long->overview : nullptr;
  ui.scene = std::make_shared<const Scene>(work.scene(ui.block));
}

/// What to do, centred where the maps will be.
void draw_placeholder(const App& app, const Ui& ui) {
  const bool coming = (is_busy(app) || ui.idle != Idle::none) && !app.inputs.sentence.empty();
  const char* text =
      coming ? computing_text(ui) : ui.tr("Type a sentence above to see every head's attention map here.");
  const ImVec2 from = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
  ImGui::PushFont(ui.style.large);
  const float width = std::min(room.x, ImGui::CalcTextSize(text).x);
  const float lines = std::ceil(ImGui::CalcTextSize(text).x / std::max(1.0F, room.x));
  const float height = lines * ImGui::GetTextLineHeight();
  ImGui::SetCursorScreenPos({from.x + (room.x - width) / 2, from.y + std::max(0.0F, room.y - height) * 0.4F});
  ImGui::PushStyleColor(ImGuiCol_Text, palette(ui.style.theme).muted);
  wrapped_text(text, width + 1);
  ImGui::PopStyleColor();
  ImGui::PopFont();
  anchor("placeholder");
}

/// The cost of computing the whole map of the head, or the maps of the shown heads.
std::string measured_text(const Ui& ui) {
  if (!ui.reading_cost || ui.reading_cost->cells == 0) return "";
  const BlockTrace& block = ui.block->single ? *ui.block->single : *ui.block;
  const double all = static_cast<double>(block.n_q()) * static_cast<double>(block.n_k()) * ui.reading_heads;
  const double share = static_cast<double>(ui.reading_cost->cells) / all;
  const double milliseconds = 1000 * ui.reading_cost->seconds;
  const bool compared = ui.state.view.kind == ViewKind::compare;
  return (compared ? "A: " : "") + ui.tr("{}% of the n² products, {} ms", fmt::format("{:.3g}", 100 * share),
                                         fmt::format("{:.0f}", milliseconds));
}

/// The first that fits, otherwise the last one cut to fit, if that is still readable.
std::string fitting_text(const std::vector<std::string>& texts, float room) {
  for (const std::string& text : texts)
    if (ImGui::CalcTextSize(text.c_str()).x <= room) return text;
  constexpr float readable = 0.4F;
  return room < readable * ImGui::CalcTextSize(texts.back().c_str()).x ? "" : fit_text(texts.back(), room);
}

/// How many tokens a cell of the small maps of all layers represents.
void small_map_pools(const Ui& ui, Index& queries, Index& keys) {
  const auto small = ui.view_cache.thumbnails(ui.block, ui.state.view.filter, ui.state.view.range);
  if (!small || small->layers.empty()) return;
  const Thumbnails::Layer& layer = small->layers.front();
  const BlockTrace& whole = ui.block->single ? *ui.block->single : *ui.block;
  const auto group = [](Index tokens, Index cells) { return cells > 0 ? (tokens + cells - 1) / cells : 1; };
  queries = group(whole.n_q(), layer.n_q);
  keys = group(whole.n_k(), layer.n_k);
}

/// For a long text: what a cell is, and how much of the maps is computed. Filters are for single cells.
void draw_pooling_line(const Ui& ui) {
  const BlockTrace& block = *ui.block;
  const auto& part = ui.shown->part;
  const bool means = ui.shown->means();  // of what is shown, which may still be the last map
  Index queries = part ? part->query_pool : block.query_pool, keys = part ? part->key_pool : block.key_pool;
  if (ui.state.view.kind == ViewKind::layers) small_map_pools(ui, queries, keys);
  const std::string text =
      queries == 1 && keys == 1
          ? std::string(ui.tr("Each cell is of one query and one key"))
          : ui.tr(means ? TR("Each cell is the mean of {} × {}") : TR("Each cell is the largest of {} × {}"),
                  queries, keys);
  const bool sampled = part ? part->sampled : block.sampled;
  const std::string so_far = sampled ? ui.tr("so far, from one row in {}", queries) : std::string();
  const std::string measured = ui.progress ? std::string() : measured_text(ui);
  const std::string behind = so_far + (so_far.empty() || measured.empty() ? "" : " · ") + measured;
  const std::string cell = fmt::format("{} × {}", queries, keys), dot = " · ";
  const std::string zoom = part ? zoom_note(ui.tr, *ui.scene) : "";
  std::vector<std::string> texts;
  // The position takes precedence over the cost.
  if (!zoom.empty() && !behind.empty())
    texts = {text + dot + behind + dot + zoom, cell + dot + behind + dot + zoom};
  if (!zoom.empty()) texts.insert(texts.end(), {text + dot + zoom, cell + dot + zoom, zoom});
  if (behind.empty())
    texts.push_back(text);
  else
    texts.insert(texts.end(), {text + dot + behind, cell + dot + behind, behind});
  int chosen = ui.state.view.means ? 1 : 0;
  if (choose("means",
             {{ui.tr("Largest"),
               ui.tr("A cell that represents many shows the largest weight among them: none is lost.")},
              {ui.tr("Mean"), ui.tr("A cell that represents many shows their mean weight.")}},
             chosen))
    ui.state.view.means = chosen == 1;
  // After a click the keyboard focus moves to the maps.
  if (ImGui::IsItemHovered() && ImGui::IsMouseReleased(ImGuiMouseButton_Left))
    ui.state.panel_wanted = Panel::maps;
  ImGui::SameLine();
  ImGui::AlignTextToFramePadding();
  const float bar = ui.progress ? 13 * ui.style.font_size : 0;
  muted_text(ui.style, fitting_text(texts, ImGui::GetContentRegionAvail().x - bar));
  tooltip(texts.front());
  anchor("groups rule");
  if (!ui.progress) return;
  ImGui::SameLine();
  const std::string left = time_left(ui);
  const float words = ImGui::CalcTextSize(left.c_str()).x + ImGui::GetStyle().ItemSpacing.x;
  ImGui::ProgressBar(
      std::max(0.0F, static_cast<float>(ui.progress->share)),
      {std::max(ui.style.font_size, std::min(bar, ImGui::GetContentRegionAvail().x) - words), 0}, "");
  anchor("groups progress");
  ImGui::SameLine();
  muted_text(ui.style, left);
}

}  // namespace

const char* computing_text(const Ui& ui) {
  const char* const idle = idle_text(ui.idle);
  return ui.tr(idle == nullptr ? "Computing…" : idle);
}

std::string time_left(const Ui& ui) {
  const double seconds = ui.progress->seconds_left;
  if (!(seconds > 0)) return computing_text(ui);
  return ui.tr("about {} s left", std::max(1, static_cast<int>(std::lround(seconds))));
}

void draw_stage(App& app, Ui& ui) {
  draw_view_bar(ui);
  draw_search_bar(app, ui);
  draw_view(app, ui);
}

void draw_view_bar(Ui& ui) {
  draw_tabs(ui);
  draw_block_choice(ui);
  draw_layer_choice(ui);
  if (ui.block->words && !view_kind(ui.state.view.kind).of_model()) {
    // The meaning of the numbers of such maps is stated next to them.
    const char* const text = ui.tr("Words: weights to a word summed, from a word averaged");
    next_in_line(ImGui::CalcTextSize(text).x);
    ImGui::AlignTextToFramePadding();
    muted_text(ui.style, fit_text(text, ImGui::GetContentRegionAvail().x));
    anchor("words rule");
  }
  if (view_kind(ui.state.view.kind).of_model()) return;
  if (ui.state.view.kind == ViewKind::steps) return;  // which shows every number, regardless of the filter
  if (shows_long_text(ui)) return draw_pooling_line(ui);
  ImGui::BeginDisabled(is_empty(ui));
  draw_filter_bar(ui);
  ImGui::EndDisabled();
}

void draw_view(App& app, Ui& ui) {
  follow_view(app, ui);
  const ImVec2 size = ImGui::GetContentRegionAvail();
  ui.state.shown_width = size.x;
  ui.state.shown_height = size.y;
  if (is_empty(ui) && waits_for_model(ui))
    draw_waiting(app, ui);
  else if (is_empty(ui))
    draw_placeholder(app, ui);
  else
    draw_maps(ui);
  draw_map_menu(app, ui);
}

}  // namespace headscope

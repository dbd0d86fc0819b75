#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/panels/views/filter_bar.h"
#include "app/panels/views/views.h"
#include "app/panels/widgets/imgui_calls.h"
#include "app/panels/widgets/theme.h"
#include "app/panels/widgets/widgets.h"
#include "app/state/derived/view_cache.h"
#include "core/base/round_up.h"
#include "core/scene/view_kinds.h"

namespace headscope {
namespace {

/// The cost of computing the whole map of the head, or the maps of the shown heads.
std::string measured_text(const Ui& ui) {
  if (!ui.reading_cost || ui.reading_cost->cells == 0) return "";
  const BlockTrace& block = ui.block->single ? *ui.block->single : *ui.block;
  const double all = static_cast<double>(block.n_q()) * static_cast<double>(block.n_k()) * ui.reading_heads;
  const double share = static_cast<double>(ui.reading_cost->cells) / all;
  const double milliseconds = 1000 * ui.reading_cost->seconds;
  const bool compared = ui.view().row().compares;
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
  const auto small = ui.view_cache.thumbnails(ui.block, ui.view().filter, ui.view().range);
  if (!small || small->layers.empty()) return;
  const Thumbnails::Layer& layer = small->layers.front();
  const BlockTrace& whole = ui.block->single ? *ui.block->single : *ui.block;
  const auto group = [](Index tokens, Index cells) { return cells > 0 ? divide_up(tokens, cells) : 1; };
  queries = group(whole.n_q(), layer.n_q);
  keys = group(whole.n_k(), layer.n_k);
}

/// For a long text: what a cell is, and how much of the maps is computed. Filters are for single cells.
void draw_pooling_line(const Ui& ui) {
  const BlockTrace& block = *ui.block;
  const auto& part = ui.shown->part;
  const bool means = ui.shown->means();  // of what is shown, which may still be the last map
  Index queries = part ? part->query_pool : block.query_pool, keys = part ? part->key_pool : block.key_pool;
  if (ui.view().row().thumbnails()) small_map_pools(ui, queries, keys);
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
  next_in_line(52 * ui.style.font_size);
  int chosen = ui.view().means ? 1 : 0;
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

void draw_view_tools(Ui& ui) {
  const ViewKindRow& row = ui.view().row();
  if (row.of_model()) return;
  if (ui.block->words) {
    // What the numbers of such maps mean.
    ImGui::SameLine();
    info("words rule", ui.tr("Words: weights to a word summed, from a word averaged"));
  }
  if (row.has_steps) return;  // which shows every number, regardless of the filter
  if (shows_long_text(ui)) return draw_pooling_line(ui);
  const View& view = ui.view();
  next_in_line(filter_bar_width(!view.filter.on() && view.sort.by.empty()));
  ImGui::BeginDisabled(ui.block->n_q() == 0 || ui.block->n_k() == 0);
  draw_filter_bar(ui);
  ImGui::EndDisabled();
}

}  // namespace headscope

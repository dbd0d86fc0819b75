#include "app/panels/views/patches.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/panels/map/map_pointer.h"
#include "app/panels/ui/ui.h"
#include "app/panels/widgets/glyphs.h"
#include "app/panels/widgets/imgui_calls.h"
#include "app/panels/widgets/theme.h"
#include "app/panels/widgets/widgets.h"
#include "app/state/view/navigation.h"
#include "core/base/error.h"
#include "core/picture/picture.h"
#include "core/scene/range.h"
#include "core/scene/readable_numbers.h"
#include "core/source/capture/capture.h"
#include "core/source/source.h"

namespace headscope {
namespace {

/// The cell whose row is shown: pointed at or locked, otherwise the first patch's, or in the view of all
/// heads the one that it shows, the first token's.
Cell shown_cell(const Ui& ui) {
  const auto focus = ui.focus();
  if (focus && focus->head < ui.block->heads() && focus->query < ui.block->n_q()) return *focus;
  const int head = ui.view().head.value_or(0);
  const bool first_patch = ui.block->patches && ui.view().row().cells != CellsAs::overlay;
  const int query = first_patch ? ui.block->patches->first : 0;
  return {std::min(head, ui.block->heads() - 1), query, -1};
}

void load_picture(PatchMemory& memory, const Patches& patches, const Translator& tr) {
  if (patches.shown) {
    if (memory.below != patches.shown) memory.row.forget();
    memory.below = patches.shown;
    memory.path.clear();
    memory.error.clear();
    return;
  }
  const std::string& path = patches.picture;
  if (memory.path == path && (path.empty() || memory.below || !memory.error.empty())) return;
  memory.path = path;
  memory.below.reset();
  memory.error.clear();
  memory.row.forget();
  try {
    memory.below = picture_below(patches);
  } catch (const Error& error) {
    memory.error = tr(error);
  }
}

/// Made anew when another row is shown.
const PatchMemory::Row& row_of(const Ui& ui, PatchMemory& memory, const Cell& cell, int side) {
  const Colormap colormap = ui.view().colormap;
  return memory.row.get({ui.block, ui.shown->layer, cell.head, cell.query, side, colormap}, [&] {
    PatchMemory::Row made{patch_row(*ui.block, ui.shown->layer, cell), nullptr};
    if (made.row)
      made.shown = std::make_shared<const Picture>(
          patch_picture(*made.row, colors(colormap), own_range(*made.row), memory.below.get(), side));
    return made;
  });
}

/// Why the image that the capture names is missing.
const Error* no_picture(const Ui& ui) {
  const Capture* capture = ui.trace ? ui.trace->about().capture : nullptr;
  if (capture == nullptr) return nullptr;
  const auto& sequences = capture->sequences();
  const std::size_t sequence = ui.trace->inputs.sequence;
  return sequence < sequences.size() && sequences[sequence].no_picture ? &*sequences[sequence].no_picture
                                                                       : nullptr;
}

struct PatchGrid {
  const Patches& patches;
  ImVec2 from, to;

  ImVec2 corner(int row, int column) const {
    return {from.x + (to.x - from.x) * static_cast<float>(column) / static_cast<float>(patches.columns),
            from.y + (to.y - from.y) * static_cast<float>(row) / static_cast<float>(patches.rows)};
  }
  int token_at(ImVec2 point) const {
    const auto place = [](float at, float begin, float end, int count) {
      return std::clamp(static_cast<int>((at - begin) / (end - begin) * static_cast<float>(count)), 0,
                        count - 1);
    };
    return patches.first + place(point.y, from.y, to.y, patches.rows) * patches.columns +
           place(point.x, from.x, to.x, patches.columns);
  }
  /// A frame around a token's patch, if it has one.
  void mark(int token, ImU32 color) const {
    const int patch = patches.of_token(token);
    if (patch < 0) return;
    const int row = patch / patches.columns, column = patch % patches.columns;
    const ImVec2 low = corner(row, column), high = corner(row + 1, column + 1);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.AddRect({low.x - 1, low.y - 1}, {high.x + 1, high.y + 1}, IM_COL32(0, 0, 0, 160), 0, 0, 4);
    list.AddRect({low.x - 1, low.y - 1}, {high.x + 1, high.y + 1}, color, 0, 0, 2);
  }
};

/// Its token is the key that is pointed at: of the locked query, otherwise of itself.
void point_at_patch(Ui& ui, const Cell& shown, int token) {
  Cell cell{shown.head, token, token};
  const std::optional<Cell> lock = ui.lock();
  if (lock || !ui.block->patches) cell.query = lock ? lock->query : shown.query;
  if (lock) cell.head = lock->head;
  ui.state.hover = cell;
  if (!ImGui::IsItemHovered() || !is_tapped(ui)) return;
  toggle_lock(ui.state, *ui.shown, cell);
}

/// The patch of a token, enlarged, as the picture has it.
void draw_crop(Ui& ui, const PatchMemory& memory, const Patches& patches, int token) {
  const int patch = patches.of_token(token);
  if (patch < 0 || !memory.below) return;
  const ImTextureID texture = ui.painter.picture(PainterSlots::crop, memory.below);
  if (texture == ImTextureID{}) return;
  const float columns = static_cast<float>(patches.columns), rows = static_cast<float>(patches.rows);
  const int column = patch % patches.columns, row = patch / patches.columns;
  const ImVec2 low{static_cast<float>(column) / columns, static_cast<float>(row) / rows};
  const float side = 4 * ui.style.font_size;
  ImGui::Image(texture, {side, side}, low, {low.x + 1 / columns, low.y + 1 / rows});
  anchor("patch crop");
  ImGui::SameLine();
  ImGui::TextUnformatted(ui.block->key_tokens[token].text.c_str());
}

}  // namespace

std::shared_ptr<const Picture> kept_picture(Ui& ui, const Patches& patches) {
  if (!ui.memory.patches) ui.memory.patches = std::make_shared<PatchMemory>();
  load_picture(*ui.memory.patches, patches, ui.tr);
  return ui.memory.patches->below;
}

void draw_patches(Ui& ui) {
  const BlockTrace& block = *ui.block;
  if (!block.key_patches || ui.shown->layer < 0 || ui.shown->layer >= block.layer_count()) return;
  if (!section(ui.tr("Picture"), "patches")) return;
  const Patches& patches = *block.key_patches;
  kept_picture(ui, patches);
  PatchMemory& memory = *ui.memory.patches;
  const Cell cell = shown_cell(ui);
  // Leaves part of the panel below visible.
  const float max_height = std::max(16 * ui.style.font_size, 0.6F * ImGui::GetWindowHeight());
  const float room = ImGui::GetContentRegionAvail().x;
  const float patch =
      std::min(room / static_cast<float>(patches.columns), max_height / static_cast<float>(patches.rows));
  const ImVec2 size{patch * static_cast<float>(patches.columns), patch * static_cast<float>(patches.rows)};
  const auto& [row, picture] =
      row_of(ui, memory, cell, static_cast<int>(std::ceil(std::max(size.x, size.y))));
  if (!row) return;
  muted_text(ui.style, fit_text(drawn_text(patch_title(ui.tr, block, *row, ui.labels)), room));
  const ImVec2 from = ImGui::GetCursorScreenPos();
  const PatchGrid grid{patches, from, {from.x + size.x, from.y + size.y}};
  invisible_button("###grid", size);
  hear_as(HeardRole::image, ui.tr("Picture"));
  if (ImGui::IsItemHovered()) point_at_patch(ui, cell, grid.token_at(ImGui::GetMousePos()));
  anchor("patches");
  if (const ImTextureID texture = ui.painter.picture(PainterSlots::patches, picture))
    ImGui::GetWindowDrawList()->AddImage(texture, grid.from, grid.to);
  const Palette& theme = palette(ui.style.theme);
  grid.mark(cell.key, theme.accent);
  if (block.patches) grid.mark(cell.query, IM_COL32(255, 255, 255, 255));
  const ColorRange range = own_range(*row);
  hint(ui.style, ui.tr("colours from {} to {}", bound_text(range.low), bound_text(range.high)));
  if (row->weights.size() < static_cast<std::size_t>(block.n_k()))
    hint(ui.style, ui.tr("to non-patch tokens: {}", cell_text(row->other)));
  draw_crop(ui, memory, patches, cell.key >= 0 ? cell.key : cell.query);
  const Error* const none = no_picture(ui);
  if (const std::string error = none != nullptr ? ui.tr(*none) : memory.error; !error.empty()) {
    warning_text(ui.style, drawn_text(error));
    anchor("no picture");
  }
}

}  // namespace headscope

#include "app/panels/cell_steps.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "app/panels/board.h"
#include "app/panels/compat.h"
#include "app/panels/glyphs.h"
#include "app/panels/map_menu.h"
#include "app/panels/map_pointer.h"
#include "app/panels/paint.h"
#include "app/panels/steps_memory.h"
#include "app/panels/steps_pages.h"
#include "app/panels/theme.h"
#include "app/panels/widgets.h"
#include "app/state/steps.h"
#include "core/figure/steps_board.h"

namespace headscope {
namespace {

constexpr int layout_place = 5;  // of MapMemory::layout()

/// The head's map with the cell marked; a click chooses another.
void draw_small_map(Ui& ui, int head, const CellPlace& place, ImVec2 room) {
  MapMemory& maps = ui.memory.maps;
  maps.update(ui.shown);
  const ImVec2 from = ImGui::GetCursorScreenPos();
  const float small = size_of(ui.style, ui.style.small);
  LayoutRequest request;
  request.area = {from.x, from.y, room.x, room.y};
  request.heads = {head};
  request.font_size = small;
  request.presented = ui.style.presented;
  request.line_height = line_height(ui.style.small);
  request.measure = measure_with(ui.style, small);
  const GridLayout& layout = maps.layout(layout_place, request, ui.style.small, ui.style.small->Glyphs.Size);
  const PanelLayout panel = layout.panels.front();
  ImGui::InvisibleButton("small map", room);
  const bool hovered = ImGui::IsItemHovered(), clicked = ImGui::IsItemClicked();
  if (panel.map.width <= 0) return;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ColorRange range = maps.ranges(ui.state.view)[static_cast<std::size_t>(head)];
  const ScreenMap map = place_map(ui, PainterSlots::others + 1, panel.map, head_request(ui, head, range));
  if (ui.ui_anchors) ui.ui_anchors->add("map " + std::to_string(head + 1), map.min, map.max);
  draw_picture(list, ui, map);
  const Cell shown{head, place.query, place.key};
  int row = -1, column = -1;
  if (!find_cell(*ui.shown, ui.state.last_hover.value_or(shown), row, column)) row = column = -1;
  draw_axes(list, ui, layout, panel, map, {maps.look().rows(), maps.look().columns(), row, column});
  draw_marked_cells(list, ui, map, head);
  if (find_cell(*ui.shown, shown, row, column)) draw_lock(list, ui, map, row, column, true);
  const auto pointed = hovered ? pointed_cell(map, ImGui::GetIO().MousePos) : std::nullopt;
  note_map(ui,
           {ui.shown->layer,
            head,
            false,
            pointed ? std::optional(to_cell(*ui.shown, head, pointed->row, pointed->column)) : ui.state.lock,
            {}},
           map.min, map.max, hovered, true);
  if (!pointed) return;
  const Cell cell = to_cell(*ui.shown, head, pointed->row, pointed->column);
  ui.state.hover = cell;
  cell_tooltip(ui, map, cell, *pointed);
  if (clicked) ui.state.lock = cell;
}

/// "Head 3 · it → animal"
std::string cell_title(const Ui& ui, const CellPlace& place) {
  const auto text = [](const std::vector<Token>& tokens, int i) {
    return shown_token(tokens[static_cast<std::size_t>(i)].text);
  };
  return head_title(ui, place.head) + " · " +
         fmt::format("{} → {}", text(ui.block->tokens, place.query), text(ui.block->key_tokens, place.key));
}

/// Computes and lays out what is not there yet.
const StepsMemory& prepare(Ui& ui, const CellPlace& place, double width) {
  cell_stages(ui, place);
  StepsMemory& memory = *ui.memory.steps;
  const StepsLook& look = ui.state.steps;
  std::vector<std::string> names;
  for (const ArithmeticStage& stage : memory.stages) names.push_back(stage.name);
  const StepsMemory::BoardKey wanted{
      stage_place(names, ui.state.view.stage), look,           width,
      static_cast<double>(ui.style.font_size), ui.style.theme, ui.style.regular->Glyphs.Size};
  if (memory.board_key != wanted) {
    const StepsRequest request{memory.stages, wanted.present, 0, look, width};
    BoardStyle style = board_style(ui);
    memory.board = steps_board(request, style, ui.tr);
    // Rather smaller than cut, as long as it can be read.
    constexpr double smallest = 0.7;
    if (memory.board.width > width) {
      style.font_size *= std::max(smallest, 0.98 * width / memory.board.width);
      memory.board = steps_board(request, style, ui.tr);
    }
    memory.board_key = wanted;
  }
  return memory;
}

/// The number behind a region's kind: "component 3".
bool number_of(const std::string& region, std::string_view kind, int& number) {
  if (!region.starts_with(kind)) return false;
  const char* const begin = region.data() + kind.size();
  return std::from_chars(begin, region.data() + region.size(), number).ec == std::errc();
}

void click(StepsLook& look, const std::string& region) {
  int number = 0;
  constexpr std::string_view unfold = "unfold ", fold = "fold ";
  if (number_of(region, "component ", number)) look.component = number;
  if (number_of(region, "output ", number)) look.output = number;
  if (region.starts_with(unfold)) look.unfolded.insert(region.substr(unfold.size()));
  if (region.starts_with(fold)) look.unfolded.erase(region.substr(fold.size()));
}

/// What the pointer does on the cards.
void point(Ui& ui, const Board& board, ImVec2 at) {
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const BoardRegion* region =
      region_at(board, static_cast<double>(mouse.x - at.x), static_cast<double>(mouse.y - at.y));
  if (region == nullptr || region->name.starts_with("stage ")) return;
  ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  if (ImGui::IsMouseClicked(ImGuiMouseButton_Left)) return click(ui.state.steps, std::string(region->name));
  if (region->help.empty()) return;
  const auto place = [&](double x, double y) {
    return ImVec2(at.x + static_cast<float>(x), at.y + static_cast<float>(y));
  };
  if (!begin_tooltip(place(region->rect.x, region->rect.y),
                     place(region->rect.right(), region->rect.bottom())))
    return;
  ImGui::TextUnformatted(region->help.c_str());
  ImGui::EndTooltip();
}

/// Brings the present stage into view when it has changed, or the room or the cell with it.
void scroll_to_present(Ui& ui, const StepsMemory& shown) {
  const std::string name = "stage " + shown.stages[shown.board_key->present].name;
  const StepsMemory::Scrolled now{name, shown.stages_key->place, shown.board_key->width,
                                  ImGui::GetWindowHeight()};
  if (shown.scrolled == now) return;
  const auto found = std::ranges::find(shown.board.regions, name, &BoardRegion::name);
  if (found == shown.board.regions.end()) return;
  ui.memory.steps->scrolled = now;
  const double room = static_cast<double>(ImGui::GetWindowHeight());
  const double top = static_cast<double>(ImGui::GetScrollY());
  if (found->rect.y < top || found->rect.bottom() > top + room)
    ImGui::SetScrollY(static_cast<float>(
        found->rect.height > room ? found->rect.y : found->rect.bottom() - room + 0.5 * room * 0.1));
}

/// As far as they can be seen.
void note_regions(const Ui& ui, const Board& board, ImVec2 at) {
  if (ui.ui_anchors == nullptr) return;
  const ImVec2 low = ImGui::GetWindowDrawList()->GetClipRectMin(),
               high = ImGui::GetWindowDrawList()->GetClipRectMax();
  for (const BoardRegion& region : board.regions) {
    const Rect& r = region.rect;
    const ImVec2 min{std::max(low.x, at.x + static_cast<float>(r.x)),
                     std::max(low.y, at.y + static_cast<float>(r.y))},
        max{std::min(high.x, at.x + static_cast<float>(r.right())),
            std::min(high.y, at.y + static_cast<float>(r.bottom()))};
    if (min.x < max.x && min.y < max.y) ui.ui_anchors->add(region.name, min, max);
  }
}

void draw_cards(Ui& ui, const CellPlace& place) {
  ImGui::BeginChild("cards", {0, 0}, false,
                    ImGuiWindowFlags_HorizontalScrollbar | ImGuiWindowFlags_NoNavInputs);
  const auto width = static_cast<double>(ImGui::GetContentRegionAvail().x);
  const StepsMemory& shown = prepare(ui, place, width);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  draw_board(ui, shown.board, at);
  const bool hovered = ImGui::IsItemHovered();
  note_regions(ui, shown.board, at);
  scroll_to_present(ui, shown);
  ImGui::Dummy({1, ui.style.font_size});
  draw_shape_strip(ui);
  if (hovered) point(ui, shown.board, at);
  ImGui::EndChild();
}

void go_by_keys(Ui& ui, int head, const CellPlace& place) {
  const bool ctrl = ImGui::GetIO().KeyCtrl;
  const int right = key_pressed(Key::right, true) - key_pressed(Key::left, true);
  const int down = key_pressed(Key::down, true) - key_pressed(Key::up, true);
  if (ctrl && right != 0) show_head(ui.state, neighbour_head(ui.scene->heads, head, right));
  if (ctrl && down != 0) change_layer(ui.state, down, *ui.block);
  if (ctrl || (right == 0 && down == 0)) return;
  if (!ui.state.lock) ui.state.lock = Cell{head, place.query, place.key};
  move_lock(ui.state, *ui.shown, head, down, right);
}

void keys(Ui& ui, int head, const CellPlace& place) {
  const std::optional<Cell> before = ui.state.lock;
  go_by_keys(ui, head, place);
  paint_by_keys(ui, before);
}

}  // namespace

void draw_cell_steps(Ui& ui) {
  ImGui::BeginChild(
      "cell steps", {0, 0}, false,
      ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse | ImGuiWindowFlags_NoNavInputs);
  const bool has_keys = maps_have_keys(ui) || (ImGui::IsWindowFocused(ImGuiFocusedFlags_ChildWindows) &&
                                               !ImGui::GetIO().WantTextInput);
  if (!draw_instead_of_maps(ui)) {
    const Scene& scene = *ui.scene;
    if (scene.trace == nullptr || !has_arithmetic(*scene.block, scene.view.layer)) {
      hint(ui.style, ui.stale ? ui.tr("Computing…") : ui.tr("The arithmetic is not known here"));
    } else {
      const int head = *scene.head;
      const CellPlace place = steps_cell(scene);
      const float em = ui.style.font_size;
      const ImVec2 room = ImGui::GetContentRegionAvail();
      if (const float wide = std::min(room.x * 0.3F, 17 * em); wide > 9 * em) {
        ImGui::BeginGroup();
        ImGui::TextUnformatted(fit_text(drawn_text(cell_title(ui, place)), wide).c_str());
        draw_small_map(ui, head, place, {wide, std::min(ImGui::GetContentRegionAvail().y, wide * 1.1F)});
        draw_shape_checks(ui, wide);
        ImGui::EndGroup();
        ImGui::SameLine();
      }
      draw_cards(ui, place);
      if (has_keys) keys(ui, head, place);
    }
  }
  ImGui::EndChild();
}

}  // namespace headscope

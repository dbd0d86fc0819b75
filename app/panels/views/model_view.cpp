#include "app/panels/views/model_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "app/panels/map/board.h"
#include "app/panels/map/map_pointer.h"
#include "app/panels/views/head_label.h"
#include "app/panels/views/predictions.h"
#include "app/panels/widgets/glyphs.h"
#include "app/panels/widgets/imgui_calls.h"
#include "app/panels/widgets/theme.h"
#include "app/panels/widgets/widgets.h"
#include "app/state/derived/view_cache.h"
#include "app/state/document/adjust.h"
#include "app/state/view/navigation.h"
#include "core/figure/boards/model_board.h"
#include "core/inputs/names.h"
#include "core/scene/readable_numbers.h"
#include "core/source/maps/word_maps.h"

namespace headscope {
namespace {

/// Which weights highlight the words.
std::string look_text(const Translator& tr, const CrossLook& look) {
  return look.head ? tr("Weights of layer {}, head {} of cross-attention", look.layer + 1, *look.head + 1)
                   : tr("Weights of layer {} of cross-attention, mean over heads", look.layer + 1);
}

/// One line of a tooltip.
struct TooltipLine {
  std::string text;
  bool muted = true;
};

/// The strongest weights of the word that is pointed at.
std::vector<TooltipLine> described_word(const Ui& ui, const ModelPicture& picture, const PointedWord& word) {
  constexpr std::size_t maximum = 3;
  const auto& own = word.of_source ? picture.source : picture.written;
  const auto& others = word.of_source ? picture.written : picture.source;
  if (word.at >= std::ssize(own)) return {};
  std::vector<TooltipLine> lines{{shown_token(own[word.at]), false}};
  std::vector<std::pair<float, std::size_t>> weights;
  for (std::size_t i = 0; i < others.size(); ++i) {
    const Index other = i;
    weights.emplace_back(word.of_source ? picture.looks.at(other)[word.at] : picture.looks.at(word.at)[other],
                         i);
  }
  std::ranges::sort(weights, std::greater());
  if (!weights.empty() && weights.front().first == 0) {
    lines.push_back({ui.tr("Sees nothing: all heads of cross-attention are ablated.")});
    return lines;
  }
  for (std::size_t i = 0; i < std::min(maximum, weights.size()); ++i)
    lines.push_back({shown_token(others[weights[i].second]) + "  " + in_column(weights[i].first, 2)});
  if (!word.of_source && word.at < std::ssize(picture.target))
    lines.push_back(
        {ui.tr("Written from the row of “{}”, the token before it", shown_token(picture.target[word.at]))});
  lines.push_back({look_text(ui.tr, picture.look)});
  return lines;
}

/// Of the small map; blocked cells have none.
std::optional<float> weight_in(const ModelPicture& picture, const ModelPicture::Map& map,
                               const ModelCell& cell) {
  const auto n_q = std::ssize(query_words(picture, map.block)),
             n_k = std::ssize(key_words(picture, map.block));
  const Index row = cell.query * map.n_q / n_q, column = cell.key * map.n_k / n_k;
  if (!map.states.empty() && map.states[row * map.n_k + column] != cell_shown) return {};
  return map.weights.at(row)[column];
}

std::string title_of_map(const Ui& ui, const ModelPicture& picture, const ModelPicture::Map& map) {
  std::string title = model_side(*ui.scene) + model_map_title(ui.tr, map.block, map.layer) + " · " +
                      model_heads_title(ui.tr, picture);
  if (const std::string off = map.off_text(ui.tr); !off.empty()) title += " · " + off;
  return title;
}

const std::string& token_at(const std::vector<std::string>& tokens, Index i) {
  return tokens[i];
}

std::vector<TooltipLine> described_cell(const Ui& ui, const ModelPicture& picture,
                                        const ModelPicture::Map& map, const ModelCell& cell) {
  const auto weight = weight_in(picture, map, cell);
  std::vector<TooltipLine> lines{
      {ui.tr("{} → {}: {}", shown_token(token_at(query_words(picture, map.block), cell.query)),
             shown_token(token_at(key_words(picture, map.block), cell.key)),
             weight ? with_minus(fmt::format("{:.3f}", *weight)) : ui.tr("blocked")),
       false}};
  lines.push_back({title_of_map(ui, picture, map)});
  if (map.n_q < std::ssize(query_words(picture, map.block)) ||
      map.n_k < std::ssize(key_words(picture, map.block)))
    lines.push_back({ui.tr("largest of the cells under this pixel")});
  lines.push_back({ui.tr("Click to lock; double-click for the grid of its heads")});
  return lines;
}

/// Next to the pointer if that covers neither a highlighted word nor what is pointed at; otherwise where the
/// covered area is smallest.
ImVec2 free_place(const Board& board, ImVec2 at, ImVec2 size, float gap) {
  const ImVec2 mouse = ImGui::GetMousePos(), window = ImGui::GetIO().DisplaySize;
  const std::array<ImVec2, 6> places{ImVec2{mouse.x + gap, mouse.y + gap},
                                     {mouse.x + gap, mouse.y - gap - size.y},
                                     {mouse.x - gap - size.x, mouse.y - gap - size.y},
                                     {mouse.x - gap - size.x, mouse.y + gap},
                                     {mouse.x - size.x / 2, mouse.y - 2 * gap - size.y},
                                     {mouse.x - size.x / 2, mouse.y + 2 * gap}};
  const auto covered = [&](ImVec2 place) {
    float area = 0;
    for (const BoardRegion& region : board.regions) {
      if (region.of<LitWord>() == nullptr) continue;
      const auto [min, max] = OnScreen(region.rect, at);
      area += std::max(0.0F, std::min(max.x, place.x + size.x) - std::max(min.x, place.x)) *
              std::max(0.0F, std::min(max.y, place.y + size.y) - std::max(min.y, place.y));
    }
    return area;
  };
  ImVec2 best = mouse;
  float minimum = FLT_MAX;
  for (const ImVec2& wish : places) {
    const ImVec2 place{std::clamp(wish.x, 0.0F, std::max(0.0F, window.x - size.x)),
                       std::clamp(wish.y, 0.0F, std::max(0.0F, window.y - size.y))};
    const bool under_pointer =
        mouse.x >= place.x && mouse.x < place.x + size.x && mouse.y >= place.y && mouse.y < place.y + size.y;
    const float area = covered(place) + (under_pointer ? size.x * size.y : 0);
    if (area < minimum) minimum = area, best = place;
  }
  return best;
}

void draw_tooltip_lines(const Ui& ui, const Board& board, ImVec2 at, const std::vector<TooltipLine>& lines) {
  if (lines.empty() || ui.style.presented) return;
  const ImGuiStyle& style = ImGui::GetStyle();
  ImVec2 size{0, 2 * style.WindowPadding.y - style.ItemSpacing.y};
  for (const TooltipLine& line : lines) {
    size.x = std::max(size.x, ImGui::CalcTextSize(drawn_text(line.text).c_str()).x);
    size.y += ImGui::GetTextLineHeightWithSpacing();
  }
  size.x += 2 * style.WindowPadding.x;
  const ImVec2 place = free_place(board, at, size, ui.style.font_size);
  if (!begin_tooltip_at(place)) return;
  for (const TooltipLine& line : lines) {
    if (line.muted)
      muted_text(ui.style, drawn_text(line.text));
    else
      ImGui::TextUnformatted(drawn_text(line.text).c_str());
  }
  note_place("model tooltip", place, {place.x + size.x, place.y + size.y});
  int lit = 0;
  for (const BoardRegion& region : board.regions) {
    if (region.of<LitWord>() == nullptr) continue;
    const auto [min, max] = OnScreen(region.rect, at);
    note_place(fmt::format("lit word {}", lit++), min, max);
  }
  ImGui::EndTooltip();
}

/// The key with the largest weight in a row of cross-attention, among the weights that highlight the words.
Cell strongest_of_row(const ModelPicture& picture, Index query) {
  const float* row = picture.looks.at(query);
  const auto key = std::max_element(row, row + picture.source.size()) - row;
  return {picture.look.head.value_or(0), static_cast<int>(query), static_cast<int>(key)};
}

void lock_in_cross(Ui& ui, const ModelPicture& picture, const Cell& cell) {
  show_block(ui.state, BlockKind::cross);
  ui.state.view.layer = picture.look.layer;
  ui.state.lock = cell;
}

/// Shows the row of cross-attention that produced a generated word.
void lock_word(Ui& ui, const ModelPicture& picture, const PointedWord& word) {
  if (word.of_source || word.at >= std::ssize(picture.target)) return;
  const Cell cell = strongest_of_row(picture, word.at);
  if (ui.block->cross() && ui.state.lock == cell)
    ui.state.lock.reset();
  else
    lock_in_cross(ui, picture, cell);
}

/// The cell of the shown head; for the mean that of the head with the largest weight there.
Cell cell_of_head(const Ui& ui, const ModelPicture::Map& map, const ModelCell& cell) {
  Cell chosen{map.head.value_or(0), static_cast<int>(cell.query), static_cast<int>(cell.key)};
  const auto block = block_in_view(ui.trace, map.block, ui.view().words);
  if (map.head || cell.query >= block->n_q() || cell.key >= block->n_k()) return chosen;
  chosen.head = head_with_largest_weight(*block, map.layer, chosen);
  return chosen;
}

void go_to_map(Ui& ui, BlockKind block, int layer) {
  show_block(ui.state, block);
  ui.state.view.layer = layer;
}

void lock_cell(Ui& ui, const ModelPicture::Map& map, const ModelCell& cell) {
  const std::optional<Cell>& lock = ui.state.lock;
  const bool again = lock && ui.block->shape.kind == map.block && ui.scene->view.layer == map.layer &&
                     lock->query == cell.query && lock->key == cell.key;
  go_to_map(ui, map.block, map.layer);
  ui.state.lock = again ? std::nullopt : std::optional(cell_of_head(ui, map, cell));
}

/// Chooses the heads that the maps show.
void choose_shown_head(Ui& ui) {
  int heads = 0;
  for (const BlockTrace& block : ui.trace->blocks) heads = std::max(heads, block.heads());
  std::vector<std::string> names{ui.tr("Mean over heads")};
  for (int head = 0; head < heads; ++head) names.push_back(ui.tr("Head {}", head + 1));
  std::vector<Choice> choices;
  for (const std::string& name : names) choices.push_back({name.c_str()});
  const std::optional<int> head = ui.view().head;
  int chosen = head && *head < heads ? *head + 1 : 0;
  const char* const present = names[chosen].c_str();
  if (is_low_window() ? !choose_in_list("shown head", choices, chosen, present)
                      : !choose_in_own_list("shown head", choices, chosen, present))
    return;
  ui.state.view.head = chosen == 0 ? std::nullopt : std::optional(chosen - 1);
}

/// Chooses the side of a comparison, and lists what is ablated in B.
void choose_shown_side(Ui& ui) {
  int side = ui.view().of_b ? 1 : 0;
  ImGui::SameLine();
  if (choose("shown side", {{"A", ui.tr("Show A")}, {"B", ui.tr("Show B")}}, side))
    show_side(ui.state, side == 1 ? Side::b : Side::a);
  ImGui::SameLine();
  const bool ends = icon_button("end comparison", Icon::close, ui.tr("End comparison"));
  anchor("end comparison");
  draw_ablated_heads(ui, ui.style.font_size * 12);
  if (ends) end_comparison(ui.state, ui.compare);
}

void open_map(Ui& ui, const LayerMap& map) {
  go_to_map(ui, map.block, map.layer);
  enter_grid(ui.state);
}

/// The number of the pointed or the locked cell, for the caption.
std::optional<CellCaption> caption_of_model(const Ui& ui, const ModelPicture& picture,
                                            PointedInModel pointed) {
  if (!pointed.any() && ui.scene->locked) {
    const Cell& cell = ui.scene->locked->cell;
    pointed.cell = ModelCell{ui.block->shape.kind, ui.scene->view.layer, cell.query, cell.key};
  }
  if (!pointed.cell) return {};
  const ModelCell& cell = *pointed.cell;
  const ModelPicture::Map* const map = picture.find(cell.block, cell.layer);
  const std::vector<std::string>&queries = query_words(picture, cell.block),
        &keys = key_words(picture, cell.block);
  if (map == nullptr || cell.query >= std::ssize(queries) || cell.key >= std::ssize(keys)) return {};
  const auto weight = weight_in(picture, *map, cell);
  return CellCaption{map->head.value_or(0),
                     title_of_map(ui, picture, *map),
                     token_at(queries, cell.query),
                     token_at(keys, cell.key),
                     {{"", weight ? presented_number(*weight) : ui.tr("blocked")}}};
}

/// Pointer interaction with the board in one frame.
class ModelPointer {
 public:
  ModelPointer(Ui& ui, const ModelPicture& picture, const Board& board, ImVec2 at)
      : ui_(ui), picture_(picture), board_(board), at_(at), mouse_(ImGui::GetMousePos()) {}

  void use() {
    hovered_ = ImGui::IsWindowHovered();
    note_maps();
    ui_.memory.model_pointed = {};
    const BoardRegion* const region = hovered_region(board_, at_);
    if (region == nullptr) return;
    if (const auto* map = region->of<LayerMap>())
      map->title ? use_title(*region, *map) : use_map(*region, *map);
    else if (const auto* word = region->of<PointedWord>(); word != nullptr && word->at >= 0)
      use_word(*word);
    else if (word != nullptr)
      draw_tooltip_lines(ui_, board_, at_,
                         {{ui_.tr("The start token, which the model wrote nothing before"), false}});
  }

 private:
  struct Local {
    double x, y;
  };
  Local local() const { return {mouse_.x - at_.x, mouse_.y - at_.y}; }

  /// Each map and each title has the map's menu.
  void note_maps() {
    for (const BoardRegion& region : board_.regions) {
      const auto* map = region.of<LayerMap>();
      const ModelPicture::Map* const shown = map ? picture_.find(map->block, map->layer) : nullptr;
      if (shown == nullptr) continue;
      MapPlace place{map->layer, shown->head.value_or(0), ui_.side, {}, {}};
      if (!map->title && hovered_ && region.rect.contains(local().x, local().y)) {
        const ModelCell cell = model_cell_at(picture_, *shown, region.rect, local().x, local().y);
        place.lock = cell_of_head(ui_, *shown, cell);
        if (shown->head) place.cell = place.lock;
      }
      place.of_layer = !shown->head;
      place.to_grid = true;
      const bool focused =
          !map->title && map->block == ui_.block->shape.kind && map->layer == ui_.scene->view.layer;
      const auto before = ui_.memory.map_menu.wanted.has_value();
      const auto [min, max] = OnScreen(region.rect, at_);
      note_map(ui_, place, min, max, hovered_, focused);
      if (!map->title) hear(*shown, *map, focused, min, max);
      if (!before && ui_.memory.map_menu.wanted) go_to_map(ui_, map->block, map->layer);
    }
  }

  void hear(const ModelPicture::Map& shown, const LayerMap& map, bool present, ImVec2 min, ImVec2 max) {
    if (listener() == nullptr) return;
    HeardMap heard{fmt::format("map {} {}", to_name(map.block), map.layer), ImGui::GetID("maps"),
                   title_of_map(ui_, picture_, shown)};
    if (present) heard.cell = heard_cell(ui_, caption_of_model(ui_, picture_, {}));
    heard.keys = {key_that_moves_cell(ui_.tr), ui_.tr("{}: {}", "Enter", ui_.tr("Show grid of its heads"))};
    heard.present = present;
    const Heard::Asked asked = hear_map(std::move(heard), min, max);
    if (asked == Heard::Asked::press) open_map(ui_, map);
    if (asked == Heard::Asked::focus) go_to_map(ui_, map.block, map.layer);
  }

  void use_title(const BoardRegion& region, const LayerMap& map) {
    const auto [min, max] = OnScreen(region.rect, at_);
    ImGui::GetWindowDrawList()->AddLine({min.x, max.y - 1}, {max.x, max.y - 1},
                                        palette(ui_.style.theme).accent);
    ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    if (is_tapped(ui_)) return open_map(ui_, map);
    std::vector<TooltipLine> lines;
    if (const ModelPicture::Map* const shown = picture_.find(map.block, map.layer))
      lines.push_back({title_of_map(ui_, picture_, *shown), false});
    lines.push_back({ui_.tr("Click to show the grid of its heads")});
    draw_tooltip_lines(ui_, board_, at_, lines);
  }

  void use_map(const BoardRegion& region, const LayerMap& map) {
    const ModelPicture::Map* const shown = picture_.find(map.block, map.layer);
    if (shown == nullptr) return;
    const ModelCell cell = model_cell_at(picture_, *shown, region.rect, local().x, local().y);
    if (ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) return open_map(ui_, map);
    if (is_tapped(ui_)) lock_cell(ui_, *shown, cell);
    ui_.memory.model_pointed.cell = cell;
    draw_tooltip_lines(ui_, board_, at_, described_cell(ui_, picture_, *shown, cell));
  }

  void use_word(const PointedWord& word) {
    if (is_tapped(ui_)) lock_word(ui_, picture_, word);
    ui_.memory.model_pointed.word = word;
    draw_tooltip_lines(ui_, board_, at_, described_word(ui_, picture_, word));
  }

  Ui& ui_;
  const ModelPicture& picture_;
  const Board& board_;
  ImVec2 at_, mouse_;
  bool hovered_ = false;
};

/// Arrow keys move from the locked cell to its neighbours.
void use_keys(Ui& ui) {
  if (!maps_have_keys(ui) || ImGui::GetIO().KeyCtrl || !ui.state.lock) return;
  const MapArrows by = map_arrows(ui.style);
  if (!by.any()) return;
  move_lock(ui.state, *ui.shown, ui.state.lock->head, by.down, by.right);
  if (!ui.view().head && ui.shown->layer < ui.block->layer_count())
    ui.state.lock->head = head_with_largest_weight(*ui.block, ui.shown->layer, *ui.lock());
}

/// The matches of the search among the tokens of the picture.
FoundInModel found_in_model(const TokenSearch& search, const ModelPicture& picture) {
  FoundInModel found;
  if (!search.open || search.places().empty()) return found;
  for (Index i = 0; i < std::ssize(picture.source); ++i) found.source.push_back(search.marks(true, i));
  for (Index i = 0; i < std::ssize(picture.target); ++i) found.target.push_back(search.marks(false, i));
  return found;
}

/// Draws the board and handles the pointer on it.
void use_model_board(Ui& ui, const std::shared_ptr<const ModelPicture>& picture) {
  const ImVec2 room = ImGui::GetContentRegionAvail(), at = ImGui::GetCursorScreenPos();
  const PointedInModel& under = ui.memory.model_pointed;
  const Board board =
      model_board(*ui.scene, picture, under.any() ? under : locked_in_model(*ui.scene), board_style(ui),
                  room.x, room.y, ui.tr, found_in_model(ui.state.search, *picture));
  draw_board(ui, board, at);
  anchor("whole model");
  note_regions(board, at);
  ModelPointer(ui, *picture, board, at).use();
  ui.memory.model_caption = caption_of_model(ui, *picture, ui.memory.model_pointed);
}

bool is_compared(const Ui& ui) {
  return ui.compare && *ui.compare != ui.inputs;
}

void draw_choices(Ui& ui) {
  choose_shown_head(ui);
  if (is_compared(ui)) choose_shown_side(ui);
}

}  // namespace

bool shows_model_of_b(const Ui& ui) {
  return ui.view().row().whole && is_compared(ui) && ui.view().of_b;
}

Ui of_seen_model(const Ui& ui) {
  if (!shows_model_of_b(ui) || !ui.other.block || !ui.other.trace) return ui;
  Ui seen = ui.of_b();
  seen.shown = ui.view_cache.shown_of_b(ui.other.block, ui.view());
  return seen;
}

void lock_step(Ui& ui, Index step) {
  const Ui seen = of_seen_model(ui);
  if (no_model_picture(seen.trace.get()) != nullptr) return;
  const auto picture = ui.view_cache.model_picture(seen.trace, ui.view());
  if (picture && step < std::ssize(picture->target))
    lock_in_cross(ui, *picture, strongest_of_row(*picture, step));
}

bool chooses_in_path(const Ui& ui) {
  return is_low_window() && !ui.style.presented && no_model_picture(ui.trace.get()) == nullptr;
}

void draw_model_choices(Ui& ui) {
  if (no_model_picture(ui.trace.get()) == nullptr) draw_choices(ui);
}

void draw_model_view(Ui& ui) {
  const bool of_b = shows_model_of_b(ui);
  const auto& trace = of_b ? ui.other.trace : ui.trace;
  if (!ui.style.presented && !chooses_in_path(ui)) {
    draw_choices(ui);
    const char* const what =
        ui.tr("Point at a cell or a word to see what attends to what; click a title for its heads.");
    // It takes no separate line: the tooltips say it, too.
    ImGui::SameLine();
    if (ImGui::CalcTextSize(what).x < ImGui::GetContentRegionAvail().x) {
      ImGui::AlignTextToFramePadding();
      muted_text(ui.style, what);
    } else {
      ImGui::NewLine();
    }
  }
  if (of_b && ui.other.stale && no_model_picture(trace.get()) != nullptr)
    return hint(ui.style, computing_text(ui));
  if (const char* none = no_model_picture(trace.get())) return hint(ui.style, ui.tr(none));
  const auto picture = ui.view_cache.model_picture(trace, ui.view());
  if (!picture) return hint(ui.style, computing_text(ui));
  ImGui::BeginChild(
      "whole model", {0, 0}, false,
      ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse | ImGuiWindowFlags_NoNavInputs);
  Ui side = of_seen_model(ui);
  use_keys(side);
  use_model_board(side, picture);
  draw_stale_mark(side);
  ImGui::EndChild();
}

}  // namespace headscope

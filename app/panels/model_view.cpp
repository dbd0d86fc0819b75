#include "app/panels/model_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <optional>

#include "app/panels/board.h"
#include "app/panels/map_pointer.h"
#include "app/panels/source_bar.h"
#include "app/panels/theme.h"
#include "app/panels/widgets.h"
#include "app/state/navigation.h"
#include "app/state/view_cache.h"
#include "core/figure/model_board.h"
#include "core/inputs/names.h"
#include "core/scene/readable_numbers.h"

namespace headscope {
namespace {

/// "target 3": the word's place behind its kind.
std::optional<Index> place_in(const std::string& region, std::string_view kind) {
  if (!region.starts_with(kind) || region.size() <= kind.size() + 1 || region[kind.size()] != ' ') return {};
  return std::stol(region.substr(kind.size() + 1));
}

/// The word that a region is; a target's token is what was written before it.
std::optional<PointedWord> word_of_region(const std::string& region) {
  if (const auto at = place_in(region, "source")) return PointedWord{true, *at};
  if (const auto at = place_in(region, "written")) return PointedWord{false, *at};
  if (const auto at = place_in(region, "target"); at && *at > 0) return PointedWord{false, *at - 1};
  return {};
}

struct MapRegion {
  BlockKind block;
  int layer;
};
std::optional<MapRegion> map_of_region(const std::string& region) {
  for (const BlockKind kind : {BlockKind::encoder, BlockKind::decoder, BlockKind::cross})
    if (const auto layer = place_in(region, std::string("map ") + to_name(kind)))
      return MapRegion{kind, static_cast<int>(*layer)};
  return {};
}

/// Which weights light the words.
std::string look_text(const Translator& tr, const CrossLook& look) {
  return look.head
             ? tr.format("Weights of layer {}, head {} of cross-attention", look.layer + 1, *look.head + 1)
             : tr.format("Weights of layer {} of cross-attention, mean over heads", look.layer + 1);
}

/// The strongest weights of the word that is pointed at.
void tell_word(const Ui& ui, const ModelPicture& picture, const PointedWord& word) {
  constexpr std::size_t most = 3;
  const auto& own = word.of_source ? picture.source : picture.written;
  const auto& others = word.of_source ? picture.written : picture.source;
  if (word.at >= std::ssize(own)) return;
  ImGui::TextUnformatted(shown_token(own[static_cast<std::size_t>(word.at)]).c_str());
  std::vector<std::pair<float, std::size_t>> weights;
  for (std::size_t i = 0; i < others.size(); ++i) {
    const auto other = static_cast<Index>(i);
    weights.emplace_back(word.of_source ? picture.looks.at(other)[word.at] : picture.looks.at(word.at)[other],
                         i);
  }
  std::ranges::sort(weights, std::greater());
  for (std::size_t i = 0; i < std::min(most, weights.size()); ++i)
    muted_text(ui.style, fmt::format("{}  {:.2f}", shown_token(others[weights[i].second]), weights[i].first));
  muted_text(ui.style, look_text(ui.tr, picture.look));
}

/// Shows the row of cross-attention that a written word was made from.
void lock_word(Ui& ui, const ModelPicture& picture, const PointedWord& word) {
  if (word.of_source || word.at >= std::ssize(picture.target)) return;
  const float* row = picture.looks.at(word.at);
  const auto key = std::max_element(row, row + picture.source.size()) - row;
  const Cell cell{picture.look.head.value_or(0), static_cast<int>(word.at), static_cast<int>(key)};
  const bool again = ui.block->cross() && ui.state.lock == cell;
  show_block(ui.state, BlockKind::cross);
  ui.state.view.layer = picture.look.layer;
  ui.state.lock = again ? std::nullopt : std::optional(cell);
}

/// Which heads the maps are of.
void choose_shown_head(Ui& ui) {
  int heads = 0;
  for (const BlockTrace& block : ui.trace->blocks) heads = std::max(heads, block.heads());
  std::vector<std::string> names{ui.tr("Mean over heads")};
  for (int head = 0; head < heads; ++head) names.push_back(ui.tr.format("Head {}", head + 1));
  std::vector<Choice> choices;
  for (const std::string& name : names) choices.push_back({name.c_str()});
  const std::optional<int> head = ui.state.view.head;
  int chosen = head && *head < heads ? *head + 1 : 0;
  const char* const present = names[static_cast<std::size_t>(chosen)].c_str();
  if (is_low_window() ? !choose_in_list("shown head", choices, chosen, present)
                      : !choose_in_own_list("shown head", choices, chosen, present))
    return;
  ui.state.view.head = chosen == 0 ? std::nullopt : std::optional(chosen - 1);
}

void open_map(Ui& ui, const MapRegion& map) {
  show_block(ui.state, map.block);
  ui.state.view.layer = map.layer;
  ui.state.view.kind = ViewKind::grid;
}

/// The board, and what is done with the pointer on it.
void use_model_board(Ui& ui, const std::shared_ptr<const ModelPicture>& picture) {
  const ImVec2 room = ImGui::GetContentRegionAvail(), at = ImGui::GetCursorScreenPos();
  std::string& hovered = ui.memory.model_region;
  const std::optional<PointedWord> under = word_of_region(hovered);
  const Board board = model_board(*ui.scene, picture, under ? under : locked_word(*ui.scene), board_style(ui),
                                  static_cast<double>(room.x), static_cast<double>(room.y), ui.tr);
  draw_board(ui, board, at);
  anchor("whole model");
  note_regions(ui, board, at);
  const ImVec2 mouse = ImGui::GetMousePos();
  const BoardRegion* const region =
      ImGui::IsWindowHovered()
          ? region_at(board, static_cast<double>(mouse.x - at.x), static_cast<double>(mouse.y - at.y))
          : nullptr;
  hovered = region == nullptr ? std::string() : region->name;
  if (region == nullptr) return;
  const ImVec2 low{at.x + static_cast<float>(region->rect.x), at.y + static_cast<float>(region->rect.y)},
      high{at.x + static_cast<float>(region->rect.right()), at.y + static_cast<float>(region->rect.bottom())};
  const std::optional<MapRegion> map = map_of_region(region->name);
  const std::optional<PointedWord> word = word_of_region(region->name);
  if (map) ImGui::GetWindowDrawList()->AddRect(low, high, palette(ui.style.theme).accent, 0, 0, 2);
  if (ImGui::IsMouseClicked(ImGuiMouseButton_Left)) {
    if (map) return open_map(ui, *map);
    if (word) lock_word(ui, *picture, *word);
  }
  if (ui.style.presented || !begin_tooltip(low, high)) return;
  if (map) {
    ImGui::TextUnformatted(region->help.c_str());
    muted_text(ui.style, ui.tr("Click to show the grid of its heads"));
  } else if (word) {
    tell_word(ui, *picture, *word);
  } else {
    ImGui::TextUnformatted(ui.tr("The start token, which the model wrote nothing before"));
  }
  ImGui::EndTooltip();
}

}  // namespace

const char* whole_model_refused(const Ui& ui) {
  if (waits_for_model(ui))
    return ui.model && !ui.model->encoder_decoder() ? no_model_picture(nullptr) : nullptr;
  return no_model_picture(ui.trace.get());
}

void draw_model_view(Ui& ui) {
  if (waits_for_model(ui)) return hint(ui.style, waiting_text(ui));
  if (const auto trouble = ui.trace ? trouble_of(*ui.trace) : std::nullopt)
    return hint(ui.style, ui.tr(*trouble));
  if (const char* none = no_model_picture(ui.trace.get())) return hint(ui.style, ui.tr(none));
  const auto picture = ui.view_cache.model_picture(ui.trace, ui.state.view);
  if (!ui.style.presented) {
    choose_shown_head(ui);
    const char* const what =
        ui.tr("Click a map for its heads. Point at a word to see which words it is made from.");
    // Which takes no line of its own: the tooltips say it, too.
    ImGui::SameLine();
    if (ImGui::CalcTextSize(what).x < ImGui::GetContentRegionAvail().x) {
      ImGui::AlignTextToFramePadding();
      muted_text(ui.style, what);
    } else {
      ImGui::NewLine();
    }
  }
  if (!picture) return hint(ui.style, ui.tr("Computing…"));
  ImGui::BeginChild("whole model", {0, 0}, false,
                    ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
  use_model_board(ui, picture);
  const ImVec2 min = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
  draw_stale_mark(*ImGui::GetWindowDrawList(), ui, min, {min.x + size.x, min.y + size.y});
  ImGui::EndChild();
}

}  // namespace headscope

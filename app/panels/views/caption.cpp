#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/panels/map/map_pointer.h"
#include "app/panels/ui/sides.h"
#include "app/panels/views/inspector.h"
#include "app/panels/views/steps_memory.h"
#include "app/panels/widgets/glyphs.h"
#include "app/panels/widgets/theme.h"
#include "app/panels/widgets/widgets.h"
#include "app/state/derived/view_cache.h"
#include "core/scene/readable_numbers.h"
#include "core/scene/source_title.h"
#include "core/scene/view_kinds.h"

namespace headscope {
namespace {

MapTextStyle own_size(const Ui& ui, float size, ImU32 color, float align_x = 0) {
  return {size > 0 ? size : ui.style.large, color, align_x, 0.5F};
}

/// One text of the line.
struct Piece {
  MapTextStyle style;
  std::string text;
  float before = 0;  ///< space
};

float width_of(const std::vector<Piece>& pieces) {
  float width = 0;
  for (const Piece& piece : pieces) width += piece.before + text_size(piece.style, piece.text).x;
  return width;
}

/// Shrinks the numbers to fit, as far as they stay readable; returns the width of all pieces.
float smaller_numbers(std::vector<Piece>& pieces, float room) {
  float numbers = 0, others = 0;
  for (const Piece& piece : pieces) {
    (piece.style.number ? numbers : others) += text_size(piece.style, piece.text).x;
    others += piece.before;
  }
  const float share = std::clamp((room - others) / std::max(1.0F, numbers), 0.45F, 1.0F);
  for (Piece& piece : pieces)
    if (piece.style.number) piece.style.size = std::floor(piece.style.size * share);
  return width_of(pieces);
}

std::vector<Piece> pieces_of(const Ui& ui, const CellCaption& caption, float room) {
  const Palette& theme = palette(ui.style.theme);
  const MapTextStyle name = own_size(ui, ui.style.font_size, theme.muted);
  // Without a number nothing of it is what the step is about.
  const MapTextStyle token =
      own_size(ui, caption.numbers.empty() ? ui.style.font_size : ui.style.caption, theme.text);
  MapTextStyle number = own_size(ui, ui.style.number, theme.text);
  number.number = true;
  std::vector<Piece> pieces;
  for (const auto& [title, text] : caption.numbers) {
    if (!title.empty()) pieces.push_back({name, title, name.size});
    pieces.push_back(
        {is_number_text(text) ? number : token, text, title.empty() ? token.size : name.size / 2});
  }
  float taken = width_of(pieces);
  const std::string arrow = " → ";
  // Next to three numbers, first the tokens shrink before they are cut, then the numbers.
  MapTextStyle pair = token;
  const float natural = text_size(pair, shown_token(caption.query) + arrow + shown_token(caption.key)).x;
  const float min_pair = ui.style.presented ? 0.5F : 0.8F;  // text of the window is small already
  if (const float needed = min_pair * natural; taken + needed > room)
    taken = smaller_numbers(pieces, room - needed);
  pair.size = std::floor(pair.size * std::clamp((room - taken) / std::max(1.0F, natural), min_pair, 1.0F));
  const float tokens = std::max(2 * pair.size, (room - taken - text_size(pair, arrow).x) / 2);
  const float query = text_size(pair, shown_token(caption.query)).x,
              key = text_size(pair, shown_token(caption.key)).x;
  // Space that one of them leaves goes to the other.
  const auto fit = [&](const std::string& text, float other) {
    const float own = std::max(tokens, 2 * tokens - other);
    return shortened(shown_token(text), own, measure_with(pair.size));
  };
  const std::string fitting = fit(caption.query, key) + arrow + fit(caption.key, query);
  if (ui.memory.ui_anchors != nullptr &&
      fitting != shown_token(caption.query) + arrow + shown_token(caption.key))
    ui.memory.ui_anchors->add_cut("caption");
  pieces.insert(pieces.begin(), {pair, fitting, 0});
  return pieces;
}

/// The head that the view shows, if it shows a single one.
std::optional<int> head_of_view(const Ui& ui, const std::optional<CellCaption>& caption) {
  if (ui.view().row().of_model()) return {};
  if (caption) return caption->head;
  if (ui.scene->head && *ui.scene->head < ui.block->heads()) return ui.scene->head;
  return {};
}

/// Draws what the cell's map is, if it is not that of one head; returns where it ends.
float draw_title_of_map(ImDrawList& list, const Ui& ui, const std::string& title, ImVec2 at, float room) {
  const MapTextStyle text = own_size(ui, ui.style.font_size, palette(ui.style.theme).text);
  const std::string shown = shortened(title, room, measure_with(text.size));
  draw_text(list, text, at, shown);
  return at.x + text_size(text, shown).x;
}

/// Draws the head's colour and title; returns where they end.
float draw_head_name(ImDrawList& list, const Ui& ui, int head, ImVec2 at, float room) {
  const float size = own_size(ui, ui.style.font_size, 0).size, dot = size * 0.6F, gap = size * 0.4F;
  list.AddRectFilled({at.x, at.y - dot / 2}, {at.x + dot, at.y + dot / 2}, head_accent(ui, head), dot / 4);
  const MapTextStyle text = own_size(ui, ui.style.font_size, 0);
  const float left = room - dot - gap;
  const auto fits = [&](const std::string& title) { return text_size(text, title).x <= left; };
  // The head's number stays: what is in front of it goes first.
  std::string title = head_title(ui, head);
  if (ui.block->layer_count() > 1) {
    const std::string with_layer = ui.tr("Layer {}", ui.shown->layer + 1) + " · " + title;
    title = fits(with_layer) ? with_layer : short_head_title(*ui.scene, ui.shown->layer, head);
  }
  if (ui.trace && ui.trace->blocks.size() > 1) {
    const std::string with_block = block_title(ui.tr, *ui.trace, ui.block->shape.kind) + " · " + title;
    if (fits(with_block)) title = with_block;
  }
  return draw_title_of_map(list, ui, title, {at.x + dot + gap, at.y}, left);
}

/// What the present stage of the arithmetic computes of the cell, before there is a weight; empty: it is
/// about vectors.
std::string number_of_stage(const Ui& ui) {
  const StepsMemory* const steps = ui.memory.steps.get();
  if (!ui.view().row().has_steps || ui.view().steps.page != StepsPage::cell || steps == nullptr ||
      !steps->board_key || steps->board_key->present >= steps->stages.size())
    return "";
  const ArithmeticStage& stage = steps->stages[steps->board_key->present];
  const StageThumbnail& result = stage.thumbnail;
  if (result.roles != std::vector<std::string>{"s"} || result.values.rows() != 1) return "";
  const Eigen::RowVectorXd row = result.values.row(0);
  const double number = stage.name == "products" ? row.sum() : result.column < 0 ? NAN : row[result.column];
  return std::isnan(number)   ? ""
         : std::isinf(number) ? (number < 0 ? "−∞" : "∞")
                              : with_minus(fmt::format("{:.3f}", number));
}

std::optional<CellCaption> caption_in_view(const Ui& ui) {
  if (ui.view().row().whole) return ui.memory.model_caption;
  if (ui.shown->layer < 0 || ui.view().row().of_model()) return {};
  if (!ui.view().row().compares) {
    auto caption = caption_of(ui.tr, ui.state, *ui.shown, ui.labels, nullptr);
    if (caption && caption->numbers.empty())
      if (std::string number = number_of_stage(ui); !number.empty())
        caption->numbers.emplace_back("", std::move(number));
    return caption;
  }
  const auto comparison = present_comparison(ui);
  if (!comparison) return {};
  return caption_of(ui.tr, ui.state, *ui.shown, ui.labels, comparison.get());
}

}  // namespace

std::optional<CellCaption> focused_caption(const Ui& ui) {
  std::optional<CellCaption> caption = caption_in_view(ui);
  if (ui.hides_numbers && caption)
    for (auto& [name, number] : caption->numbers) number = "?";
  return caption;
}

void draw_caption(Ui& ui, const std::string& notice, bool frozen, ImVec2 min, ImVec2 max) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const Palette& theme = palette(ui.style.theme);
  const float middle = (min.y + max.y) / 2, gap = ui.style.font_size;
  const std::optional<CellCaption> caption = focused_caption(ui);
  const std::optional<int> head = head_of_view(ui, caption);
  float left = min.x;
  if (head) left = draw_head_name(list, ui, *head, {min.x, middle}, (max.x - min.x) * 0.24F) + gap;
  if (caption && !head)
    left = draw_title_of_map(list, ui, caption->title, {min.x, middle}, (max.x - min.x) * 0.5F) + gap;
  float right = max.x;
  const char* still = frozen ? ui.tr("Frozen") : nullptr;
  if (still != nullptr) {
    const MapTextStyle text = own_size(ui, ui.style.font_size, theme.on_accent, 1);
    const float width = text_size(text, still).x + text.size * 0.4F;
    draw_boxed_text(list, text, {max.x - text.size * 0.2F, middle}, still, theme.accent);
    note_place("frozen", {max.x - width, middle - text.size / 2}, {max.x, middle + text.size / 2});
    right -= width + gap;
  }
  if (ui.progress) {
    const MapTextStyle text = own_size(ui, ui.style.font_size, theme.muted, 1);
    const std::string left_over = time_left(ui);
    draw_text(list, text, {right, middle}, left_over);
    const float width = text_size(text, left_over).x, line = 2 * mark_line(ui.style);
    list.AddRectFilled(
        {min.x, max.y - line},
        {min.x + (max.x - min.x) * std::max(0.0F, static_cast<float>(ui.progress->share)), max.y},
        theme.accent);
    note_place("presented progress", {right - width, middle - text.size / 2},
               {right, middle + text.size / 2});
    right -= width + gap;
  }
  if (!caption) {
    const MapTextStyle text = own_size(ui, ui.style.font_size, theme.text, 1);
    const std::string shown = shortened(notice, right - left, measure_with(text.size));
    draw_text(list, text, {right, middle}, shown);
    return;
  }
  std::vector<Piece> pieces = pieces_of(ui, *caption, right - left);
  float width = width_of(pieces), numbers = 0;
  for (const Piece& piece : pieces)
    if (piece.style.number) numbers += text_size(piece.style, piece.text).x;
  // If not everything fits, what is next to the numbers shrinks.
  if (const float room = right - left; width > room) {
    const float smaller = std::max(0.35F, (room - numbers) / (width - numbers));
    for (Piece& piece : pieces) {
      piece.before *= smaller;
      if (!piece.style.number) piece.style.size = std::floor(piece.style.size * smaller);
    }
    width = width_of(pieces);
  }
  // Centred in the window if what is next to it leaves enough space.
  float x = std::clamp((min.x + max.x - width) / 2, left, std::max(left, right - width));
  note_place("caption", {x, min.y}, {x + width, max.y});
  // Like the map that the numbers belong to.
  if (is_long_stale(ui))
    for (Piece& piece : pieces) piece.style.color = with_alpha(piece.style.color, 0.45F);
  for (const Piece& piece : pieces) {
    x += piece.before;
    const ImVec2 size = text_size(piece.style, piece.text);
    draw_text(list, piece.style, {x, middle}, piece.text);
    if (piece.style.number) note_place("caption number", {x, max.y - size.y}, {x + size.x, max.y});
    x += size.x;
  }
}

}  // namespace headscope

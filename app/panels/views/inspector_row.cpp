#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "app/panels/views/inspector.h"
#include "app/panels/views/inspector_slots.h"
#include "app/panels/widgets/glyphs.h"
#include "app/panels/widgets/imgui_calls.h"
#include "app/panels/widgets/placed_text.h"
#include "app/panels/widgets/theme.h"
#include "app/panels/widgets/widgets.h"
#include "app/state/view/compared_cell.h"
#include "core/scene/range.h"
#include "core/scene/readable_numbers.h"
#include "core/source/maps/cell_maps.h"

namespace headscope {
namespace {

constexpr std::size_t listed_at_rest = 5;

/// The numbers of the row as the map shows them; for a row that is not on the map, those of the softmax.
std::vector<ShownWeight> row_numbers(const Ui& ui, const Cell& cell) {
  const BlockTrace& block = *ui.block;
  const bool on_map = !ui.shown->part && ui.shown->row(cell.query) >= 0 && shown_on_map(ui, cell, cell.key);
  const MapRows rows(block.shown_maps(), ui.shown->layer, cell.head, cell.query, cell.query + 1);
  const float* row = rows.row(cell.query);
  std::vector<ShownWeight> numbers(block.n_k());
  for (int key = 0; key < block.n_k(); ++key) {
    ShownWeight& number = numbers[key];
    if (on_map)
      number = shown_weight(*ui.shown, cell.head, cell.query, key);
    else
      number = {row[key],
                block.weightless(ui.shown->layer, cell.head, cell.query, key) ? cell_masked : cell_shown};
  }
  return numbers;
}

/// The keys of a row sorted by the size of their numbers, hidden ones last; the first `count` of them.
std::vector<int> sorted_keys(const std::vector<ShownWeight>& row, std::size_t count) {
  std::vector<int> keys(row.size());
  std::iota(keys.begin(), keys.end(), 0);
  const auto rank = [&row](int key) {
    const ShownWeight& number = row[key];
    return number.state == cell_filtered ? -1.0F : std::abs(number.weight);
  };
  const auto before = [&](int a, int b) { return rank(a) != rank(b) ? rank(a) > rank(b) : a < b; };
  const auto end = keys.begin() + std::min(count, keys.size());
  if (end != keys.end()) std::nth_element(keys.begin(), end, keys.end(), before);
  std::sort(keys.begin(), end, before);
  return keys;
}

/// What is shown in place of a number.
std::string row_number(const Ui& ui, CellState state, float weight) {
  if (state == cell_masked) return ui.tr("blocked");
  return state == cell_filtered ? ui.tr("hidden") : weight_text(weight);
}

/// A key of the row: its name, and a bar behind its number, which is at the right edge.
void row_entry(Ui& ui, const Cell& cell, int key, ShownWeight shown, float largest) {
  const Palette& colors = palette(ui.style.theme);
  const float width = ImGui::GetContentRegionAvail().x, height = ImGui::GetTextLineHeight();
  const bool number_there = shown.state == cell_shown;
  const std::string token = token_at(ui.block->key_tokens, key),
                    number_of_token = number_of_repeated(ui.block->key_tokens, key);
  // With thousands of tokens a word is identified by its number, and both shrink rather than being cut.
  const bool many = ui.block->n_k() >= 1000;
  const float size =
      many ? size_for(ui.style, token + number_of_token + " 0.000000", width) : ui.style.font_size;
  ImGui::PushID(key);
  const ImVec2 cursor = ImGui::GetCursorScreenPos(), at{cursor.x, cursor.y + list_line_lead()};
  if (list_line("###key", key == cell.key, 0, {width, height}))
    lock_cell(ui.state, *ui.shown, nullptr, ui.side, {cell.head, cell.query, key});
  if (ImGui::IsItemHovered()) hover_cell(ui.state, *ui.shown, nullptr, ui.side, {cell.head, cell.query, key});
  anchor(fmt::format("row key {}", key));
  ImDrawList* list = ImGui::GetWindowDrawList();
  ImGui::PushFont(nullptr, size);
  const std::string number = row_number(ui, shown.state, shown.weight);
  const float number_width = ImGui::CalcTextSize(number.c_str()).x, gap = 0.4F * size;
  const float names = 0.45F * width, room = number_there ? names : width - number_width - gap;
  const std::string name = fit_with(token, number_of_token, room);
  hear_name(token + number_of_token + " " + number);
  if (key == cell.key) {
    note_place("row entry", at, {at.x + width, at.y + height});
    note_place("row word", at, {at.x + room, at.y + height});
  }
  list->AddText(at, number_there ? colors.text : colors.muted, name.c_str());
  const bool is_signed = ui.block->is_signed(ui.shown->layer);
  const ImU32 tint =
      is_signed ? to_color(diverging_colors(Theme::light)[shown.weight < 0 ? 40 : 215]) : colors.accent;
  tint_line({at.x + names + gap, at.y}, width - names - gap,
            number_there && largest > 0 ? std::abs(shown.weight) / largest : 0, tint);
  list->AddText({at.x + width - number_width, at.y}, number_there ? colors.text : colors.muted,
                number.c_str());
  ImGui::PopFont();
  ImGui::PopID();
}

/// Says why the row of a query without a key is as it is; true if it has no numbers.
bool draw_empty_row(const Ui& ui, const Cell& cell) {
  const BlockTrace& block = *ui.block;
  if (!std::ranges::binary_search(block.mask_of(ui.shown->layer).empty_queries(cell.head), Index{cell.query}))
    return false;
  warning_text(
      ui.style,
      block.fills_with_infinity()
          ? ui.tr("This query has no key to attend to: its row is zero, where PyTorch's softmax gives NaN.")
          : ui.tr("This query has no key to attend to: with −1e9 its row is uniform, as in PyTorch."));
  return block.fills_with_infinity();
}

/// How many lines of the window end at the lower edge.
std::size_t lines_in_window() {
  return static_cast<std::size_t>((ImGui::GetScrollY() + ImGui::GetWindowHeight()) / list_line_height());
}

void draw_row(Ui& ui, const Cell& cell, bool whole) {
  const std::vector<ShownWeight> row = row_numbers(ui, cell);
  // With tens of thousands, only those that can be visible are sorted.
  std::vector<int> keys = sorted_keys(row, whole ? lines_in_window() + 8 : listed_at_rest);
  if (!whole && keys.size() > listed_at_rest) keys.resize(listed_at_rest);
  const HeardGroup group(HeardRole::options);
  draw_seen_rows(
      static_cast<int>(keys.size()),
      [&](int i) { row_entry(ui, cell, keys[i], row[keys[i]], std::abs(row[keys[0]].weight)); },
      list_line_height());
}

/// A key of the row on both sides.
struct KeyOfBoth {
  ComparedPlace place;
  Both<std::optional<ShownWeight>> shown;  ///< none: the side has no such cell
  float largest() const {
    const auto size = [](const std::optional<ShownWeight>& one) { return one ? std::abs(one->weight) : 0; };
    return std::max(size(shown.a), size(shown.b));
  }
};

/// The keys of the row of both sides, the largest weight of either first.
std::vector<KeyOfBoth> keys_of_both(const Inspected& of, int head, int row) {
  const Comparison& comparison = *of.comparison;
  Both<std::vector<ShownWeight>> numbers;
  for (const Side side : both_sides) {
    const InspectedSide& one = of.of(side);
    if (one.cell) numbers[side] = row_numbers(one.ui, *one.cell);
  }
  std::vector<KeyOfBoth> keys;
  for (int column = 0; column < comparison.columns(); ++column) {
    KeyOfBoth key{{row, column}, {}};
    for (const Side side : both_sides)
      if (!numbers[side].empty() && has_cell(comparison, key.place, side))
        key.shown[side] = numbers[side][cell_at(comparison, head, key.place, side).key];
    if (key.shown.a || key.shown.b) keys.push_back(key);
  }
  std::ranges::stable_sort(keys, std::greater<>(), &KeyOfBoth::largest);
  return keys;
}

void entry_of_both(Ui& ui, const Inspected& of, int head, const KeyOfBoth& key, bool chosen) {
  const float width = ImGui::GetContentRegionAvail().x;
  const ImVec2 from = ImGui::GetCursorScreenPos();
  const Side side = key.shown.a ? Side::a : Side::b;
  const Ui& named = of.of(side).ui;
  ImGui::PushID(key.place.column);
  if (list_line("###key", chosen, 0, {width, ImGui::GetTextLineHeight()}))
    lock_place(ui.state, *of.comparison, head, key.place);
  if (ImGui::IsItemHovered()) hover_place(ui.state, *of.comparison, head, key.place);
  anchor(fmt::format("row key {}", key.place.column));
  const int token = cell_at(*of.comparison, head, key.place, side).key;
  const std::vector<Token>& tokens = named.block->key_tokens;
  const auto text_of = [&](const std::optional<ShownWeight>& one) {
    if (!one) return std::string("–");
    return one->state == cell_shown ? with_minus(fmt::format("{:.3f}", one->weight))
                                    : row_number(ui, one->state, one->weight);
  };
  const bool both = key.shown.a && key.shown.b;
  const std::string numbers[] = {
      text_of(key.shown.a), text_of(key.shown.b),
      both ? signed_in_column(double{key.shown.b->weight} - double{key.shown.a->weight}, 3) : "–"};
  MapTextStyle style = text_style(ui.style.small, palette(ui.style.theme).text, 1);
  const float gap = 0.4F * ui.style.font_size, widest = text_size(style, "−0.000").x;
  constexpr float share_of_numbers = 0.68F;
  style.size *= std::min(1.0F, (share_of_numbers * width - 3 * gap) / (3 * widest));
  const float column = text_size(style, "−0.000").x + gap;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  constexpr float columns_behind[] = {2, 1, 0};
  const float middle = from.y + list_line_lead() + ImGui::GetTextLineHeight() / 2;
  for (int i = 0; i < 3; ++i) {
    MapTextStyle fitted = style;
    fitted.size *= std::min(1.0F, (column - gap) / std::max(1.0F, text_size(style, numbers[i]).x));
    draw_text(list, fitted, {from.x + width - columns_behind[i] * column, middle}, numbers[i]);
  }
  ImGui::PushFont(nullptr, ui.style.small);
  const std::string name =
      fit_with(token_at(tokens, token), number_of_repeated(tokens, token), width - 3 * column);
  ImGui::PopFont();
  draw_text(list, text_style(ui.style.small, palette(ui.style.theme).text), {from.x, middle}, name);
  ImGui::PopID();
}

void draw_row_of_both(Ui& ui, const Inspected& of, bool whole) {
  const InspectedSide& first = *of.first();
  const ComparedPlace place = place_of(*of.comparison, *first.cell, first.ui.side);
  const std::vector<KeyOfBoth> keys = keys_of_both(of, first.cell->head, place.row);
  const HeardGroup group(HeardRole::options);
  draw_seen_rows(
      static_cast<int>(whole ? keys.size() : std::min(keys.size(), listed_at_rest)),
      [&](int i) { entry_of_both(ui, of, first.cell->head, keys[i], keys[i].place == place); },
      list_line_height());
}

/// "Row of “was”", and at the right edge what shows all of it.
void draw_heading(Ui& ui, const InspectedSide* first) {
  const Translator& tr = ui.tr;
  const auto count = first != nullptr ? std::ssize(first->ui.block->key_tokens) : 0;
  const bool long_row = count > static_cast<Index>(listed_at_rest);
  const std::string more =
      ui.memory.whole_row ? std::string(tr("largest {}", listed_at_rest)) : tr("all {}", count);
  const float room = ImGui::GetContentRegionAvail().x -
                     (long_row ? ImGui::CalcTextSize(more.c_str()).x + 1.5F * ui.style.font_size : 0);
  const bool renormalized = first != nullptr && first->ui.shown->renormalized &&
                            shown_on_map(first->ui, *first->cell, first->cell->key).has_value();
  const std::string text = first == nullptr
                               ? std::string(tr("Row"))
                               : tr("Row of “{}”", token_at(first->ui.block->tokens, first->cell->query)) +
                                     (renormalized ? std::string(" · ") + tr("renormalized") : std::string());
  if (finger_height() > 0) ImGui::AlignTextToFramePadding();  // with the button
  ImGui::PushFont(nullptr, size_for(ui.style, text, room));
  muted_text(ui.style, fit_text(text, room));
  ImGui::PopFont();
  hear_as(HeardRole::heading, text);
  hear_heading(3);
  anchor("inspected row");
  tooltip(renormalized ? tr("rows renormalized over the keys shown") : text);
  if (!long_row) return;
  ImGui::SameLine(ImGui::GetContentRegionMax().x - ImGui::CalcTextSize(more.c_str()).x -
                  2 * ImGui::GetStyle().FramePadding.x);
  if (small_button(more, "whole row", tr("How many keys of the row are listed")))
    ui.memory.whole_row = !ui.memory.whole_row;
}

}  // namespace

void draw_row_slot(Ui& ui, const Inspected& of) {
  const InspectedSide* const first = of.first();
  draw_heading(ui, first);
  const float top = ImGui::GetCursorPosY();
  if (first != nullptr) {
    InspectedSide one = *first;
    if (!draw_empty_row(one.ui, *one.cell))
      of.comparison != nullptr ? draw_row_of_both(ui, of, ui.memory.whole_row)
                               : draw_row(one.ui, *one.cell, ui.memory.whole_row);
  }
  const float kept = top + listed_at_rest * list_line_height();
  if (ImGui::GetCursorPosY() < kept) {
    ImGui::SetCursorPosY(kept - ImGui::GetStyle().ItemSpacing.y);
    ImGui::Dummy({0, 0});
  }
}

}  // namespace headscope

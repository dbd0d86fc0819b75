#include "app/panels/views/inspector.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "app/panels/ui/sides.h"
#include "app/panels/views/expected_next.h"
#include "app/panels/views/head_label.h"
#include "app/panels/views/model_view.h"
#include "app/panels/views/notable_heads.h"
#include "app/panels/views/patches.h"
#include "app/panels/views/predictions.h"
#include "app/panels/widgets/glyphs.h"
#include "app/panels/widgets/imgui_calls.h"
#include "app/panels/widgets/placed_text.h"
#include "app/panels/widgets/theme.h"
#include "app/panels/widgets/widgets.h"
#include "app/state/derived/view_cache.h"
#include "app/state/view/compared_cell.h"
#include "app/state/view/navigation.h"
#include "core/figure/boards/model_board.h"
#include "core/scene/head_table.h"
#include "core/scene/range.h"
#include "core/scene/readable_numbers.h"
#include "core/scene/score_summary.h"
#include "core/source/maps/pooled_maps.h"
#include "core/source/source.h"

namespace headscope {
namespace {

bool is_in(const BlockTrace& block, const Cell& cell) {
  return cell.head >= 0 && cell.head < block.heads() && cell.query >= 0 && cell.query < block.n_q() &&
         cell.key >= 0 && cell.key < block.n_k();
}

std::string token_at(const std::vector<Token>& tokens, int i) {
  return drawn_text(shown_token(tokens[i].text));
}

/// With its position, counted from 1, which the label of pooled tokens already contains.
std::string numbered_token(const BlockTrace& block, const std::vector<Token>& tokens, int i) {
  return block.pooled() ? token_at(tokens, i) : fmt::format("{} ({})", token_at(tokens, i), i + 1);
}

/// One line: a muted name, then a value, in full in the tooltip: the line must not wrap, so that a click
/// below hits what it should.
void line(Ui& ui, const char* name, const std::string& value, const std::string& help = {}) {
  const float column = std::clamp(ImGui::GetContentRegionMax().x * 0.36F, ui.style.font_size * 3.2F,
                                  ui.style.font_size * 5.2F);
  muted_text(ui.style, name);
  tooltip(help);
  if (ImGui::CalcTextSize(name).x < column) ImGui::SameLine(column);
  const float room = ImGui::GetContentRegionAvail().x;
  ImGui::PushFont(nullptr, size_for(ui.style, value, room));
  const std::string shown = fit_text(value, room);
  ImGui::TextUnformatted(shown.c_str());
  ImGui::PopFont();
  tooltip(shown == value ? help : help.empty() ? value : value + "\n" + help);
}

/// One line: a muted name, and a number at the right edge.
void statistic(Ui& ui, const char* name, const std::string& value, const std::string& help) {
  const float right = ImGui::GetContentRegionMax().x;
  // In a narrow panel both are smaller, so that the name is not cut.
  const float gap = ui.style.font_size * 0.4F;
  const float all = ImGui::CalcTextSize((std::string(name) + value).c_str()).x + gap;
  ImGui::PushFont(nullptr, all > ImGui::GetContentRegionAvail().x ? ui.style.small : ui.style.font_size);
  const float number = ImGui::CalcTextSize(value.c_str()).x;
  const std::string shown = fit_text(name, ImGui::GetContentRegionAvail().x - number - gap);
  muted_text(ui.style, shown);
  tooltip(shown == name ? help : name + std::string("\n") + help);
  ImGui::SameLine(right - number);
  ImGui::TextUnformatted(value.c_str());
  ImGui::PopFont();
  tooltip(help);
}

/// In a panel too narrow for the full name, its significant word.
const char* name_for(float room, const char* whole, const char* brief) {
  return ImGui::CalcTextSize(whole).x <= room ? whole : brief;
}
bool named_section(const char* whole, const char* brief, const char* id) {
  const float arrow = 2.2F * ImGui::GetFontSize();
  return section(name_for(ImGui::GetContentRegionAvail().x - arrow, whole, brief), id);
}

/// The cell as the map shows it; empty if its map is not in view.
std::optional<ShownWeight> shown_on_map(const Ui& ui, const Cell& cell, int key) {
  if (cell.head >= ui.shown->heads() || ui.shown->weights(cell.head) == nullptr) return {};
  return shown_weight(*ui.shown, cell.head, cell.query, key);
}

/// The effect of the filter on what the cell shows, in the words of the tooltips.
void shown_line(Ui& ui, const Cell& cell, float value) {
  const auto shown = shown_on_map(ui, cell, cell.key);
  if (!shown || shown->state == cell_masked) return;
  if (shown->state == cell_filtered)
    line(ui, ui.tr("Shown as"), ui.tr("hidden by the filter"));
  else if (shown->weight != value)
    line(ui, ui.tr("Shown as"), weight_text(shown->weight));
}

/// The steps from q · k to the weight: the same number of lines, in the same columns, for every cell.
void score_summary_lines(Ui& ui, const CellPlace& place) {
  PanelMemory::Arithmetic& last = ui.memory.arithmetic;
  const PanelMemory::Arithmetic::Of of{ui.block, place, ui.tr.language()};
  if (last.of != of) last = {of, score_summary(ui.tr, *ui.block, place)};
  const std::vector<ShortStep>& steps = last.steps;
  const float left = ImGui::GetCursorPosX(), right = ImGui::GetContentRegionMax().x;
  const bool narrow = right - left < ImGui::CalcTextSize("− (−00.0000) −0.0000").x;
  ImGui::PushFont(nullptr, narrow ? ui.style.small : ui.style.font_size);
  const float operations = ImGui::CalcTextSize("− (−0.0000) ").x, values = ImGui::CalcTextSize(" −00.0000").x;
  const bool named = right - left > operations + values + ui.style.font_size * 2.6F;
  for (const ShortStep& step : steps) {
    const std::string& first = step.operation.empty() ? step.name : step.operation;
    const float value = ImGui::CalcTextSize(step.value.c_str()).x;
    const std::string fitting = fit_text(first, right - left - value - ui.style.font_size * 0.3F);
    ImGui::TextUnformatted(fitting.c_str());
    const std::string help = named ? step.help : step.name + "\n" + step.help;
    tooltip(fitting == first ? help : first + "\n" + help);
    if (named && !step.operation.empty() && !step.name.empty()) {
      const float gap = ui.style.font_size * 0.4F, end = right - std::max(values, value + gap);
      const float minimum = left + ImGui::CalcTextSize(first.c_str()).x + gap;
      // In its column; next to a number with many digits as far left as needed, and hidden if it does not
      // fit.
      const float at =
          std::max(minimum, std::min(left + operations, end - ImGui::CalcTextSize(step.name.c_str()).x));
      ImGui::SameLine(at);
      std::string name = fit_text(step.name, end - at);
      if (name == "…" || ImGui::CalcTextSize(name.c_str()).x > end - at) name.clear();
      muted_text(ui.style, name);
      anchor(fmt::format("short arithmetic {} name", &step - steps.data()));
      tooltip(name == step.name ? step.help : step.name + "\n" + step.help);
    }
    ImGui::SameLine(right - value);
    ImGui::TextUnformatted(step.value.c_str());
    anchor(fmt::format("short arithmetic {}", &step - steps.data()));
    tooltip(step.help);
  }
  ImGui::PopFont();
}

/// "12.34", two significant digits for small ones.
std::string percent_number(float weight) {
  std::string text = weight >= 0.0001F ? fmt::format("{:.2f}%", 100 * weight) : printed_percent(weight);
  text.pop_back();
  return text;
}

/// How the weight of a pooled cell is computed from its weights.
const char* group_weight_name(const Ui& ui, float room) {
  const Translator& tr = ui.tr;
  if (ui.block->means)
    return ui.block->sampled ? name_for(room, tr("these cells' mean so far"), tr("mean so far"))
                             : name_for(room, tr("the mean of these cells"), tr("mean"));
  return ui.block->sampled ? name_for(room, tr("these cells' largest so far"), tr("largest so far"))
                           : name_for(room, tr("the largest of these cells"), tr("largest"));
}

void weight_lines(Ui& ui, const Cell& cell) {
  const Translator& tr = ui.tr;
  const BlockTrace& block = *ui.block;
  const int layer = ui.shown->layer;
  const bool blocked = block.weightless(layer, cell.head, cell.query, cell.key);
  const bool of_weights = block.cells.maps == nullptr && block.rolled == nullptr;
  const float weight = block.maps->weight(layer, cell.head, cell.query, cell.key);
  const float value = of_weights ? weight : block.shown_maps().weight(layer, cell.head, cell.query, cell.key);
  score_summary_lines(ui, {layer, cell.head, cell.query, cell.key});
  if (block.cells.maps && !block.pooled())
    statistic(ui, tr("Weight"), weight_text(weight),
              tr("{}% of this query's attention goes to this key", percent_number(weight)));
  ImGui::PushFont(nullptr, ui.style.large);
  ImGui::TextUnformatted(weight_text(value).c_str());
  ImGui::PopFont();
  ImGui::SameLine();
  const float room = ImGui::GetContentRegionAvail().x;
  const CellValueRow& row = cell_value(block.cells.value);
  const std::string whole = of_weights ? tr("attention weight") : cells_name(tr, block.cells);
  muted_text(ui.style, fit_text(blocked          ? tr("blocked")
                                : block.pooled() ? group_weight_name(ui, room)
                                                 : name_for(room, whole.c_str(),
                                                            of_weights     ? tr("weight")
                                                            : block.rolled ? tr("rollout")
                                                                           : tr(row.brief)),
                                room));
  if (!blocked && !block.pooled())
    tooltip(of_weights ? tr("{}% of this query's attention goes to this key", percent_number(weight))
                       : whole + (block.rolled ? "" : std::string("\n") + tr(row.help)));
  shown_line(ui, cell, value);
}

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

void row_entry(Ui& ui, const Cell& cell, int key, ShownWeight shown, float largest,
               const Comparison* comparison) {
  const Palette& colors = palette(ui.style.theme);
  const float width = ImGui::GetContentRegionAvail().x, height = ImGui::GetTextLineHeightWithSpacing();
  // In a narrow panel, and next to the long numbers of many tokens, the bar is below the name.
  const bool narrow =
      ui.block->pooled() || width < (ui.block->n_k() < 10000 ? 12.0F : 18.0F) * ui.style.font_size;
  const bool number_there = shown.state == cell_shown;
  const std::string token = token_at(ui.block->key_tokens, key),
                    number_of_token = number_of_repeated(ui.block->key_tokens, key);
  const bool many = ui.block->n_k() >= 1000;
  const float number_room = many ? ImGui::CalcTextSize("0.0000000").x : ui.style.font_size * 3.9F;
  // With thousands of tokens a word is identified by its number, and both shrink rather than being cut.
  const float size =
      many ? size_for(ui.style, token + number_of_token + " 0.000000", width) : ui.style.font_size;
  const float scale = size / ui.style.font_size;
  const float numbers = narrow ? scale * number_room : ui.style.font_size * 4.7F;
  const float gap = ui.style.font_size * 0.4F * scale;
  const float names = narrow ? width - numbers : 0.45F * width + gap;  // width before the bar
  ImGui::PushID(key);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  if (ImGui::Selectable("###key", key == cell.key, 0, {width, ImGui::GetTextLineHeight()}))
    lock_cell(ui.state, comparison, ui.side, {cell.head, cell.query, key});
  if (ImGui::IsItemHovered()) hover_cell(ui.state, comparison, ui.side, {cell.head, cell.query, key});
  ImDrawList* list = ImGui::GetWindowDrawList();
  ImGui::PushFont(nullptr, size);
  const std::string number = row_number(ui, shown.state, shown.weight);
  const float number_width = ImGui::CalcTextSize(number.c_str()).x;
  // Without a bar next to it, the name takes its space.
  const float room = narrow || !number_there ? width - number_width : names;
  const std::string name = fit_with(token, number_of_token, room - gap);
  if (key == cell.key) {
    note_place("row entry", at, {at.x + width, at.y + height});
    note_place("row word", at, {at.x + room - gap, at.y + height});
  }
  list->AddText(at, number_there ? colors.text : colors.muted, name.c_str());
  const ImVec2 bar_at =
      narrow ? ImVec2(at.x, at.y + height * 0.84F) : ImVec2(at.x + names, at.y + height * 0.15F);
  bar(bar_at, narrow ? names - ui.style.font_size * 0.4F : width - names - numbers,
      height * (narrow ? 0.12F : 0.5F), number_there && largest > 0 ? std::abs(shown.weight) / largest : 0,
      cell_value(ui.block->cells.value).is_signed ? to_color(diverging_colors()[shown.weight < 0 ? 40 : 215])
                                                  : colors.accent);
  list->AddText({at.x + width - number_width, at.y}, number_there ? colors.text : colors.muted,
                number.c_str());
  ImGui::PopFont();
  ImGui::PopID();
}

/// `comparison`: of a cell that only B has.
void draw_row(Ui& ui, const Cell& cell, const Comparison* comparison) {
  const BlockTrace& block = *ui.block;
  if (std::ranges::binary_search(block.mask_of(ui.shown->layer).empty_queries(cell.head),
                                 Index{cell.query})) {
    warning_text(
        ui.style,
        block.fills_with_infinity()
            ? ui.tr("This query has no key to attend to: its row is zero, where PyTorch gives NaN.")
            : ui.tr("This query has no key to attend to: with −1e9 its row is uniform, as in PyTorch."));
    if (block.fills_with_infinity()) return;
  }
  const std::vector<ShownWeight> row = row_numbers(ui, cell);
  // With tens of thousands, only those that can be visible are sorted.
  const float line_height = ImGui::GetTextLineHeightWithSpacing();
  const auto last = static_cast<std::size_t>((ImGui::GetScrollY() + ImGui::GetWindowHeight()) / line_height);
  const std::vector<int> keys = sorted_keys(row, last + 8);
  ImGuiListClipper clipper;
  clipper.Begin(static_cast<int>(keys.size()), line_height);
  while (clipper.Step())
    for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) {
      const int key = keys[i];
      row_entry(ui, cell, key, row[key], std::abs(row[keys[0]].weight), comparison);
    }
}

void draw_statistics(Ui& ui, int head) {
  const auto statistics = ui.view_cache.head_statistics(ui.block, ui.shown->layer, head);
  // For long texts they are computed so late that the previous ones would be mistaken for them.
  const bool coming = (ui.block->pooled() || needs_pooling(*ui.block)) && ui.view_cache.measures_head();
  if (!statistics && !coming) return;
  if (const char* note = statistics_note(*ui.block)) hint(ui.style, ui.tr(note));
  if (!ui.shown->unfiltered) hint(ui.style, ui.tr("of all tokens and weights, without the filter"));
  for (const HeadColumn& column : head_columns()) {
    if (coming) {
      statistic(ui, ui.tr(column.title), "…", computing_text(ui));
      continue;
    }
    const std::optional<double> value = column.value(*statistics);
    statistic(ui, ui.tr(column.title), value ? in_column(*value, 3) : "–", ui.tr(column.formula));
  }
}

/// "B · ", or empty.
std::string side_of_cell(const Ui& ui) {
  return ui.side == Side::b ? "B · " : "";
}

bool statistics_section(const Ui& ui, int head) {
  const std::string side = ui.side == Side::a && ui.state.view.row().compares ? "A · " : side_of_cell(ui);
  return named_section((side + ui.tr("Statistics of head {}", head + 1)).c_str(), ui.tr("Statistics"),
                       "statistics");
}

/// For an encoder–decoder, the block and layer; and how the head relates to a cell of the mean.
void draw_place(Ui& ui, const Cell& cell) {
  if (!ui.trace || !ui.trace->inputs.about().has_decoder || ui.trace->blocks.size() < 2) return;
  const int layer = ui.shown->layer;
  std::string text = model_map_title(ui.tr, ui.block->shape.kind, layer);
  const bool of_mean = ui.state.view.row().whole && !ui.state.view.head;
  if (of_mean && head_with_largest_weight(*ui.block, layer, cell) == cell.head)
    text = ui.tr("{}; of all its heads this one looks here most", text);
  hint(ui.style, text);
  anchor("inspected map");
}

void draw_cell(Ui& ui, const Cell& cell, const Comparison* comparison) {
  const Translator& tr = ui.tr;
  const BlockTrace& block = *ui.block;
  ImGui::PushFont(nullptr, ui.style.large);
  ImGui::TextUnformatted((side_of_cell(ui) + tr("Head {}", cell.head + 1)).c_str());
  anchor("inspected head");
  ImGui::PopFont();
  tooltip(tr("Heads are numbered from 1 on screen; in arrays this is head {}.", cell.head));
  const bool locked = comparison != nullptr
                          ? ui.state.other_lock.has_value() && !ui.state.last_other_hover
                          : ui.state.lock && (!ui.state.last_hover || ui.state.lock == cell);
  if (locked) {
    ImGui::SameLine();
    const float room = ImGui::GetContentRegionAvail().x;
    muted_text(ui.style, fit_text(name_for(room, tr("locked; Esc to unlock"), tr("locked")), room));
  }
  draw_place(ui, cell);
  for (const std::string& relation : head_relations(ui, ui.shown->layer, cell.head)) {
    hint(ui.style, drawn_text(relation));
    anchor("head relation");
  }
  line(ui, tr("Query"), numbered_token(block, block.tokens, cell.query));
  line(ui, tr("Key"), numbered_token(block, block.key_tokens, cell.key));
  weight_lines(ui, cell);
}

const char* heads_at_cell_title(const Ui& ui) {
  const float room = ImGui::GetContentRegionAvail().x - 2.2F * ui.style.font_size;
  return name_for(room, ui.tr("Heads that look here most"),
                  name_for(room, ui.tr("Heads looking here"), ui.tr("Heads here")));
}

void draw_focused(Ui& ui, const Cell& cell, const Comparison* comparison) {
  draw_cell(ui, cell, comparison);
  if (named_section(ui.tr("Row, largest first"), ui.tr("Row"), "row")) {
    if (ui.shown->renormalized && shown_on_map(ui, cell, cell.key))
      hint(ui.style, ui.tr("rows renormalized over the keys shown"));
    // Half a row says that there are more.
    const float rows = std::min<float>(static_cast<float>(ui.block->n_k()), is_low_window() ? 6.5F : 12.5F);
    ImGui::BeginChild("row", {0, rows * ImGui::GetTextLineHeightWithSpacing()}, false);
    draw_row(ui, cell, comparison);
    ImGui::EndChild();
  }
  if (!ui.block->pooled() && ui.block->layer_count() * ui.block->heads() > 1 &&
      section(heads_at_cell_title(ui), "heads at cell", false))
    draw_heads_at_cell(ui, cell.query, cell.key, 8);
  if (statistics_section(ui, cell.head)) draw_statistics(ui, cell.head);
}

/// In the comparison, a place where A has no cell: B's, if it has one. True if there is such a place.
bool draw_other_focus(Ui& ui) {
  const bool compares = ui.state.view.row().compares && ui.other.block != nullptr;
  const bool hovered = ui.state.last_other_hover.has_value();
  if (!compares || (!hovered && (ui.state.focus() || !ui.state.other_lock))) return false;
  const auto comparison = present_comparison(ui);
  if (!comparison) return false;
  const ComparedPlace place = focused_place(*comparison, ui.state);
  if (!place.any()) return false;
  const int head = hovered ? ui.state.last_other_hover->head : ui.state.other_lock->head;
  if (!has_cell(*comparison, place, Side::b)) {
    hint(ui.style,
         ui.tr("Neither A nor B has this cell: its query is in one sentence, its key in the other."));
    return true;
  }
  Ui b = ui.of_b();
  b.shown = comparison->shown_b;
  draw_focused(b, cell_at(*comparison, std::min(head, b.block->heads() - 1), place, Side::b),
               comparison.get());
  return true;
}

/// Without a cell in focus: how to choose one, what the model expects, and heads worth a look.
void draw_at_rest(Ui& of_window, Ui& ui) {
  const Translator& tr = ui.tr;
  const char* const what = tr("Point at a cell; click to lock it.");
  const float room = ImGui::GetContentRegionAvail().x;
  muted_text(ui.style, fit_text(name_for(room, what, tr("Point at a cell")), room));
  anchor("inspector hint");
  tooltip(
      tr("Point at a cell to read its tokens, score and weight. Click to lock it; press Esc or click again "
         "to unlock. Click a head's title to enlarge it."));
  if (decoder_step_in_view(of_window))
    draw_decoder_step(of_window);
  else
    draw_expected_next(ui);
  draw_notable_heads(ui);
  if (ui.state.view.head && *ui.state.view.head < ui.block->heads() &&
      statistics_section(ui, *ui.state.view.head))
    draw_statistics(ui, *ui.state.view.head);
}

}  // namespace

std::string weight_text(float weight) {
  if (weight == 0) return "0";
  const float size = std::abs(weight);
  if (size < 0.0001F || size >= 1e5F) return with_minus(fmt::format("{:.2e}", weight));
  if (size < 0.01F) return with_minus(fmt::format("{:#.3g}", weight));
  return with_minus(size < 10 ? fmt::format("{:.4f}", weight) : fmt::format("{:#.5g}", weight));
}

void draw_inspector(Ui& of_window) {
  Ui ui = of_seen_model(of_window);
  const Translator& tr = ui.tr;
  if (ui.shown->layer < 0 || ui.shown->layer >= ui.block->layer_count())
    return hint(ui.style, waits_for_model(ui) ? waiting_text(ui)
                          : ui.stale          ? computing_text(ui)
                          : ui.trace && ui.trace->about().reads_picture
                              ? tr("Nothing to inspect yet: open a picture.")
                              : tr("Nothing to inspect yet: type a sentence."));
  draw_patches(ui);
  if (draw_other_focus(ui)) return draw_expected_at_bottom(ui);
  const std::optional<Cell> focus = ui.state.focus();
  if (!focus || !is_in(*ui.block, *focus)) return draw_at_rest(of_window, ui);
  draw_focused(ui, *focus, nullptr);
  draw_decoder_step(of_window);
  draw_expected_at_bottom(ui);
}

}  // namespace headscope

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "app/panels/ui/sides.h"
#include "app/panels/views/head_label.h"
#include "app/panels/views/inspector.h"
#include "app/panels/views/inspector_slots.h"
#include "app/panels/views/model_view.h"
#include "app/panels/widgets/glyphs.h"
#include "app/panels/widgets/imgui_calls.h"
#include "app/panels/widgets/placed_text.h"
#include "app/panels/widgets/theme.h"
#include "app/panels/widgets/widgets.h"
#include "app/state/view/compared_cell.h"
#include "app/state/view/navigation.h"
#include "core/figure/boards/model_board.h"
#include "core/scene/range.h"
#include "core/scene/readable_numbers.h"
#include "core/scene/score_summary.h"
#include "core/source/maps/pooled_maps.h"

namespace headscope {
namespace {

bool is_in(const BlockTrace& block, const Cell& cell) {
  return cell.head >= 0 && cell.head < block.heads() && cell.query >= 0 && cell.query < block.n_q() &&
         cell.key >= 0 && cell.key < block.n_k();
}

/// With its position, counted from 1, which the label of pooled tokens already contains.
std::string numbered_token(const BlockTrace& block, const std::vector<Token>& tokens, int i) {
  return block.pooled() ? token_at(tokens, i) : fmt::format("{} ({})", token_at(tokens, i), i + 1);
}

/// A place of the comparison as each side has it.
Inspected inspected_of_both(const Ui& ui, const std::shared_ptr<const Comparison>& comparison) {
  Inspected of;
  of.comparison = comparison;
  const Selection& selection = ui.state;
  const auto& other = selection.last_other_hover ? selection.last_other_hover : selection.other_lock;
  const std::optional<Cell> focus = ui.focus();
  const int head = focus ? focus->head : other ? other->head : 0;
  const ComparedPlace place = focused_place(*comparison, selection);
  of.locked = !selection.last_hover && !selection.last_other_hover;
  for (const Side side : both_sides) {
    InspectedSide one{side == Side::a ? ui : ui.of_b(), {}};
    if (side == Side::b) one.ui.shown = comparison->shown_b;
    if (place.any() && has_cell(*comparison, place, side))
      one.cell = cell_at(*comparison, std::min(head, one.ui.block->heads() - 1), place, side);
    of.sides.push_back(std::move(one));
  }
  of.nowhere = place.any() && of.first() == nullptr;
  return of;
}

/// For an encoder–decoder, the block and layer; and how the head relates to a cell of the mean.
std::string place_text(const Ui& ui, const Cell& cell) {
  if (!ui.trace || !ui.trace->inputs.about().has_decoder || ui.trace->blocks.size() < 2) return "";
  const int layer = ui.shown->layer;
  std::string text = model_map_title(ui.tr, ui.block->shape.kind, layer);
  const bool of_mean = ui.view().row().whole && !ui.view().head;
  if (of_mean && head_with_largest_weight(*ui.block, layer, cell) == cell.head)
    text = ui.tr("{}; of all its heads this one looks here most", text);
  return text;
}

/// What is known of the head in one line, whose place is kept where nothing is known.
std::string known_of(const Ui& ui, const Cell& cell) {
  std::string known = place_text(ui, cell);
  for (const std::string& relation : head_relations(ui, ui.shown->layer, cell.head))
    known += (known.empty() ? "" : " · ") + drawn_text(relation);
  return known;
}

/// On one line, in smaller letters or cut where it is too long: nothing below moves.
void fitted_line(const Ui& ui, const std::string& text, const char* mark) {
  const float room = ImGui::GetContentRegionAvail().x;
  ImGui::PushFont(nullptr, size_for(ui.style, text, room));
  const std::string shown = fit_text(text, room);
  muted_text(ui.style, shown);
  ImGui::PopFont();
  if (text.empty()) return;
  anchor(mark);
  if (shown != text) tooltip(text);
}

void draw_title(const Ui& ui, const Inspected& of) {
  const Translator& tr = ui.tr;
  const InspectedSide* const first = of.first();
  ImGui::PushFont(nullptr, ui.style.large);
  const std::string side =
      first != nullptr && of.comparison == nullptr && first->ui.side == Side::b ? "B · " : "";
  ImGui::TextUnformatted(first != nullptr ? (side + tr("Head {}", first->cell->head + 1)).c_str()
                                          : tr("Cell"));
  hear_heading(3);
  anchor("inspected head");
  ImGui::PopFont();
  if (first == nullptr) return;
  tooltip(tr("Heads are numbered from 1 on screen; in arrays this is head {}.", first->cell->head));
  if (!of.locked) return;
  ImGui::SameLine();
  const float room = ImGui::GetContentRegionAvail().x;
  const char* const longer = ui.style.finger > 0 ? tr("locked") : tr("locked; Esc to unlock");
  muted_text(ui.style, fit_text(name_for(room, longer, tr("locked")), room));
  anchor("inspected lock");
}

/// "was (9) → because (7)", or how to choose a cell.
void draw_tokens(const Ui& ui, const Inspected& of) {
  const Translator& tr = ui.tr;
  const InspectedSide* const first = of.first();
  if (of.nowhere)
    return fitted_line(
        ui, tr("Neither A nor B has this cell: its query is in one sentence, its key in the other."),
        "inspected tokens");
  if (first == nullptr) {
    fitted_line(
        ui,
        ui.style.finger > 0 ? tr("Tap a cell to see its numbers.") : tr("Point at a cell; click to lock it."),
        "inspector hint");
    tooltip(
        tr("Point at a cell to read its tokens, score and weight. Click to lock it; press Esc or click again "
           "to unlock. Click a head's title to enlarge it."));
    return;
  }
  const BlockTrace& block = *first->ui.block;
  fitted_line(ui,
              numbered_token(block, block.tokens, first->cell->query) + " → " +
                  numbered_token(block, block.key_tokens, first->cell->key),
              "inspected tokens");
}

/// The steps of one side; those of the block's first cell, whose numbers do not count, without a cell in
/// focus.
const std::vector<ShortStep>& steps_of(const Ui& ui, const std::optional<Cell>& cell) {
  static const std::vector<ShortStep> none;
  if (ui.block->layer_count() == 0 || ui.block->n_q() == 0 || ui.block->n_k() == 0) return none;
  const Cell at = cell.value_or(Cell{0, 0, 0});
  const CellPlace place{std::clamp(ui.shown->layer, 0, ui.block->layer_count() - 1), at.head, at.query,
                        at.key};
  return ui.memory.arithmetic[ui.side].get({ui.block, place, ui.tr.language()},
                                           [&] { return score_summary(ui.tr, *ui.block, place); });
}

/// What a line is called: what is done, and the name of what it is done with where that fits.
void draw_step_name(const Ui& ui, const ShortStep& step, bool numbers, float room) {
  const std::size_t space = step.operation.find(' ');
  const std::string operation =
      numbers || space == std::string::npos ? step.operation : step.operation.substr(0, space + 1);
  const std::string& first = operation.empty() ? step.name : operation;
  const std::string shown = fit_text(first, room);
  ImGui::TextUnformatted(shown.c_str());
  tooltip(step.name + "\n" + step.help);
  if (operation.empty() || step.name.empty() || shown != first) return;
  const float gap = operation.ends_with(' ') ? 0 : 0.4F * ui.style.font_size;
  const float left = room - ImGui::CalcTextSize(first.c_str()).x - gap;
  if (ImGui::CalcTextSize(step.name.c_str()).x > left) return;
  ImGui::SameLine(0, gap);
  muted_text(ui.style, step.name);
}

/// A number that ends at `right`.
void draw_number_at(float right, const std::string& number, const char* mark) {
  ImGui::SameLine(right - ImGui::CalcTextSize(number.c_str()).x);
  ImGui::TextUnformatted(number.c_str());
  anchor(mark);
}

/// A line each, from q · k to the weight; without a cell in focus the names alone.
void draw_steps(Ui& ui, const Inspected& of) {
  const InspectedSide& one = of.sides.front();
  const float left = ImGui::GetCursorPosX(), right = ImGui::GetContentRegionMax().x;
  const bool narrow = right - left < ImGui::CalcTextSize("− (−00.0000) −0.0000").x;
  ImGui::PushFont(nullptr, narrow ? ui.style.small : ui.style.font_size);
  int i = 0;
  for (const ShortStep& step : steps_of(one.ui, one.cell)) {
    const std::string value = one.cell ? step.value : "–";
    draw_step_name(ui, step, one.cell.has_value(),
                   right - left - ImGui::CalcTextSize(value.c_str()).x - 0.3F * ui.style.font_size);
    draw_number_at(right, value, fmt::format("short arithmetic {}", i++).c_str());
    tooltip(step.help);
  }
  ImGui::PopFont();
}

/// A line of the arithmetic of both sides.
struct LineOfBoth {
  std::string name, help;
  std::string brief;                   ///< the name where it has little room
  std::array<std::string, 3> numbers;  ///< of A, of B, B − A
};

int layer_of(const InspectedSide& one) {
  return std::max(0, one.ui.shown->layer);
}

bool is_softmax(const InspectedSide& one) {
  return one.ui.block->shape.is_softmax(layer_of(one));
}

/// What the cells hold, where it is no softmax whose steps there are.
LineOfBoth line_of_cells(const InspectedSide& a, const InspectedSide& b) {
  const auto row = [](const InspectedSide& one) { return one.ui.block->cells_of(layer_of(one)); };
  const auto value = [](const InspectedSide& one) {
    return one.ui.block->maps->weight(layer_of(one), one.cell->head, one.cell->query, one.cell->key);
  };
  const auto text = [&](const InspectedSide& one) {
    return one.cell ? in_column(value(one), 4) : std::string("–");
  };
  const InspectedSide& of_state = is_softmax(a) ? b : a;
  const Translator& tr = a.ui.tr;
  return {tr(row(of_state).brief),
          tr(row(of_state).help),
          tr(row(of_state).brief),
          {text(a), text(b),
           a.cell && b.cell ? signed_in_column(double{value(b)} - double{value(a)}, 4) : std::string("–")}};
}

std::vector<LineOfBoth> lines_of_both(const Inspected& of) {
  const InspectedSide &a = of.of(Side::a), &b = of.of(Side::b);
  const std::vector<ShortStep>&steps_a = steps_of(a.ui, a.cell), &steps_b = steps_of(b.ui, b.cell);
  const bool alike = a.cell && b.cell && steps_a.size() == steps_b.size();
  const auto number = [](const InspectedSide& one, const std::vector<ShortStep>& steps, std::size_t i) {
    return one.cell && i < steps.size() ? steps[i].value : std::string("–");
  };
  std::vector<LineOfBoth> lines;
  if (!is_softmax(a) || !is_softmax(b)) return {line_of_cells(a, b)};
  for (const ShortStep& step : steps_a.empty() ? steps_b : steps_a) {
    const std::size_t i = lines.size();
    const std::string sign = step.operation.substr(0, step.operation.find(' '));
    lines.push_back({sign + step.name,
                     step.help,
                     sign.empty() ? step.name : sign,
                     {number(a, steps_a, i), number(b, steps_b, i),
                      alike ? signed_in_column(steps_b[i].number - steps_a[i].number, 4) : "–"}});
  }
  return lines;
}

/// The same of A, of B and of what they differ by, in columns: in smaller letters where the panel is narrow.
void draw_steps_of_both(Ui& ui, const Inspected& of) {
  const std::vector<LineOfBoth> lines = lines_of_both(of);
  const float room = ImGui::GetContentRegionAvail().x, height = ImGui::GetTextLineHeight();
  MapTextStyle style = text_style(ui.style.small, palette(ui.style.theme).text, 1);
  const auto width = [&style](const std::string& text) { return text_size(style, text).x; };
  float widest = width("−0.0000");
  for (const LineOfBoth& line : lines)
    for (const std::string& number : line.numbers) widest = std::max(widest, width(number));
  const float gap = 0.4F * ui.style.font_size;
  // Letters that are too small to be read are worse than a third column in the tooltip alone, and that is
  // better than names cut to their signs.
  struct Form {
    std::size_t columns;
    std::string LineOfBoth::*name;
    float readable;
  };
  Form form{};
  float scale = 0;
  for (const Form& tried :
       {Form{3, &LineOfBoth::name, 0.75F}, {2, &LineOfBoth::name, 0.65F}, {2, &LineOfBoth::brief, 0}}) {
    form = tried;
    float names = 0;
    for (const LineOfBoth& line : lines) names = std::max(names, width(line.*form.name));
    const float numbers = form.columns == 3 ? 3 : 2;
    scale = std::min(1.0F, (room - numbers * gap) / (numbers * widest + names));
    if (scale >= form.readable) break;
  }
  const std::size_t columns = form.columns;
  style.size *= scale;
  const float column = scale * widest + gap;
  const char* const titles[] = {"A", "B", "B − A"};
  const auto draw_line = [&](const std::string& name, const std::array<std::string, 3>& numbers,
                             std::size_t at) {
    const ImVec2 from = ImGui::GetCursorScreenPos();
    ImGui::Dummy({room, height});
    ImDrawList& list = *ImGui::GetWindowDrawList();
    MapTextStyle left = style;
    left.align_x = 0;
    draw_text(list, left, {from.x, from.y + height / 2}, name);
    ImVec2 end{from.x + room - (columns == 3 ? 2 : 1) * column, from.y + height / 2};
    for (std::size_t i = 0; i < columns; ++i, end.x += column) {
      draw_text(list, style, end, numbers[i]);
      note_place(fmt::format("short arithmetic {} {}", titles[i], at), {end.x - width(numbers[i]), from.y},
                 {end.x, from.y + height});
    }
  };
  draw_line("", {titles[0], titles[1], titles[2]}, 0);
  for (const LineOfBoth& line : lines) {
    draw_line(line.*form.name, line.numbers, 1 + (&line - lines.data()));
    tooltip(line.name + "\n" + line.help +
            (columns < 3 ? "\n" + ui.tr("{}: {}", "B − A", line.numbers[2]) : ""));
  }
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

/// What the filter does with the cell, in the words of the tooltips; "": nothing.
std::string as_shown(const Ui& ui, const Cell& cell, float value) {
  const auto shown = shown_on_map(ui, cell, cell.key);
  if (!shown || shown->state == cell_masked) return "";
  if (shown->state == cell_filtered) return ui.tr("hidden by the filter");
  return shown->weight != value ? ui.tr("shown as {}", weight_text(shown->weight)) : "";
}

/// What the cell shows, large, and what that is.
void draw_value(Ui& ui, const Cell& cell) {
  const Translator& tr = ui.tr;
  const BlockTrace& block = *ui.block;
  const int layer = ui.shown->layer;
  const bool blocked = block.weightless(layer, cell.head, cell.query, cell.key);
  const CellValueRow& row = block.cells_of(layer);
  const bool of_weights = block.cells.maps == nullptr && block.rolled == nullptr && row.is_share;
  const float weight = block.maps->weight(layer, cell.head, cell.query, cell.key);
  const float value = block.cells.maps == nullptr && block.rolled == nullptr
                          ? weight
                          : block.shown_maps().weight(layer, cell.head, cell.query, cell.key);
  if (block.cells.maps && !block.pooled())
    draw_named_number(ui, tr("Weight"), weight_text(weight),
                      tr("{}% of this query's attention goes to this key", percent_number(weight)));
  ImGui::PushFont(nullptr, ui.style.large);
  ImGui::TextUnformatted(weight_text(value).c_str());
  anchor("inspected value");
  ImGui::PopFont();
  ImGui::SameLine();
  const float room = ImGui::GetContentRegionAvail().x;
  const std::string whole = of_weights ? tr("attention weight") : cells_name(tr, block, layer);
  const std::string filtered = as_shown(ui, cell, value);
  const std::string name = !filtered.empty() ? filtered
                           : blocked         ? tr("blocked")
                           : block.pooled()  ? group_weight_name(ui, room)
                                             : name_for(room, whole.c_str(),
                                                       of_weights     ? tr("weight")
                                                        : block.rolled ? tr("rollout")
                                                                       : tr(row.brief));
  // Beside a long number it is smaller before it is cut.
  ImGui::PushFont(nullptr, size_for(ui.style, name, room));
  muted_text(ui.style, fit_text(name, room));
  ImGui::PopFont();
  if (!blocked && !block.pooled())
    tooltip(of_weights ? tr("{}% of this query's attention goes to this key", percent_number(weight))
                       : whole + (block.rolled ? "" : std::string("\n") + tr(row.help)));
}

/// As high as a value.
void keep_place_of_value(const Ui& ui) {
  const BlockTrace& block = *ui.block;
  if (block.cells.maps && !block.pooled()) ImGui::Dummy({0, ImGui::GetTextLineHeight()});
  ImGui::PushFont(nullptr, ui.style.large);
  ImGui::Dummy({0, ImGui::GetTextLineHeight()});
  ImGui::PopFont();
}

}  // namespace

std::string token_at(const std::vector<Token>& tokens, int i) {
  return drawn_text(shown_token(tokens[i].text));
}

std::optional<ShownWeight> shown_on_map(const Ui& ui, const Cell& cell, int key) {
  if (cell.head >= ui.shown->heads() || ui.shown->weights(cell.head) == nullptr) return {};
  return shown_weight(*ui.shown, cell.head, cell.query, key);
}

const InspectedSide* Inspected::first() const {
  const auto found =
      std::ranges::find_if(sides, [](const InspectedSide& one) { return one.cell.has_value(); });
  return found == sides.end() ? nullptr : &*found;
}

Inspected inspected(const Ui& ui) {
  if (ui.view().row().compares && ui.other.block != nullptr)
    if (const auto comparison = present_comparison(ui)) return inspected_of_both(ui, comparison);
  Inspected of;
  const std::optional<Cell> focus = ui.focus();
  const bool there = focus && is_in(*ui.block, *focus);
  of.sides.push_back({ui, there ? focus : std::nullopt});
  of.locked = there && ui.state.lock && (!ui.state.last_hover || ui.lock() == focus);
  return of;
}

void draw_cell_slot(Ui& ui, const Inspected& of) {
  draw_title(ui, of);
  draw_tokens(ui, of);
  const InspectedSide* const first = of.first();
  if (!ui.inputs.about().from_seed)
    fitted_line(ui, first != nullptr ? known_of(first->ui, *first->cell) : "", "head relation");
  if (of.comparison != nullptr) return draw_steps_of_both(ui, of);
  InspectedSide one = of.sides.front();
  draw_steps(ui, of);
  one.cell ? draw_value(one.ui, *one.cell) : keep_place_of_value(one.ui);
}

void draw_named_number(const Ui& ui, const std::string& name, const std::string& value,
                       const std::string& help) {
  const float right = ImGui::GetContentRegionMax().x;
  // In a narrow panel both are smaller, so that the name is not cut.
  const float gap = value.empty() ? 0 : ui.style.font_size * 0.4F;
  const float all = ImGui::CalcTextSize((name + value).c_str()).x + gap;
  ImGui::PushFont(nullptr, all > ImGui::GetContentRegionAvail().x ? ui.style.small : ui.style.font_size);
  const float number = ImGui::CalcTextSize(value.c_str()).x;
  const std::string shown = fit_text(name, ImGui::GetContentRegionAvail().x - number - gap);
  muted_text(ui.style, shown);
  tooltip(shown == name ? help : help.empty() ? name : name + "\n" + help);
  if (!value.empty()) {
    ImGui::SameLine(right - number);
    ImGui::TextUnformatted(value.c_str());
    tooltip(help);
  }
  ImGui::PopFont();
}

const char* name_for(float room, const char* whole, const char* brief) {
  return ImGui::CalcTextSize(whole).x <= room ? whole : brief;
}

bool named_section(const char* whole, const char* brief, const char* id) {
  const float arrow = 2.2F * ImGui::GetFontSize();
  return section(name_for(ImGui::GetContentRegionAvail().x - arrow, whole, brief), id);
}

}  // namespace headscope

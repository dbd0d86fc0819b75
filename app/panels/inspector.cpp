#include "app/panels/inspector.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "app/panels/glyphs.h"
#include "app/panels/theme.h"
#include "app/panels/widgets.h"
#include "core/scene/head_table.h"
#include "core/scene/range.h"

namespace headscope {
namespace {

const LayerTrace* shown_layer(const Ui& ui) {
  const auto layer = static_cast<std::size_t>(std::max(0, ui.state.view.layer));
  return layer < ui.trace->layers.size() ? &ui.trace->layers[layer] : nullptr;
}

bool lies_in(const Trace& trace, const Cell& cell) {
  return cell.head >= 0 && cell.head < trace.inputs.heads && cell.query >= 0 && cell.query < trace.n_q() &&
         cell.key >= 0 && cell.key < trace.n_k();
}

std::string token_at(const std::vector<Token>& tokens, int i) {
  return drawn_text(shown_token(tokens[static_cast<std::size_t>(i)].text));
}

/// One line: a muted name, then a value that may wrap.
void line(Ui& ui, const char* name, const std::string& value, const std::string& help = {}) {
  const float column = ui.style.font_size * 5.2F;
  ImGui::PushStyleColor(ImGuiCol_Text, palette(ui.style.theme).muted);
  ImGui::TextUnformatted(name);
  ImGui::PopStyleColor();
  tooltip(help);
  if (ImGui::CalcTextSize(name).x < column) ImGui::SameLine(column);
  ImGui::PushTextWrapPos(0);
  ImGui::TextUnformatted(value.c_str());
  ImGui::PopTextWrapPos();
  tooltip(help);
}

/// One line: a muted name, and a number at the right edge.
void statistic(Ui& ui, const char* name, const std::string& value, const std::string& help) {
  const float right = ImGui::GetContentRegionMax().x;
  ImGui::PushStyleColor(ImGuiCol_Text, palette(ui.style.theme).muted);
  ImGui::TextUnformatted(
      fit_text(name, ImGui::GetContentRegionAvail().x - ui.style.font_size * 3.5F).c_str());
  ImGui::PopStyleColor();
  tooltip(help);
  ImGui::SameLine(right - ImGui::CalcTextSize(value.c_str()).x);
  ImGui::TextUnformatted(value.c_str());
  tooltip(help);
}

void weight_lines(Ui& ui, const LayerTrace& layer, const Cell& cell) {
  const Translator& tr = ui.tr;
  const Trace& trace = *ui.trace;
  const Index at = cell.query * trace.n_k() + cell.key;
  const bool blocked = trace.mask.blocked(cell.head, cell.query, cell.key);
  const float score = layer.scores.at(cell.head)[at], weight = layer.weights.at(cell.head)[at];
  line(ui, tr("Score"), fmt::format("{:.4g}", score),
       trace.inputs.scale ? tr("q · k / √d_k, before the mask")
                          : tr("q · k without the 1/√d_k scale, before the mask"));
  if (blocked) {
    const bool infinite = trace.inputs.mask_fill == MaskFill::minus_infinity;
    line(ui, tr("Masked"), tr.format("blocked: the score becomes {}", infinite ? "−∞" : "−1e9"));
  } else if (trace.inputs.temperature != 1) {
    line(ui, tr("÷ T"),
         fmt::format("{:.4g}", trace.masked_score(ui.state.view.layer, cell.head, cell.query, cell.key)),
         tr("The score divided by the temperature: what softmax sees"));
  }
  ImGui::PushFont(ui.style.large);
  ImGui::TextUnformatted(weight_text(weight).c_str());
  ImGui::PopFont();
  ImGui::SameLine();
  hint(ui.style, blocked ? tr("masked") : tr("attention weight"));
  if (!blocked)
    tooltip(
        tr.format("{} % of what this query takes comes from this key", fmt::format("{:.2f}", 100 * weight)));
}

/// The keys of a row in the order of their weights.
std::vector<int> sorted_keys(const float* row, Index n) {
  std::vector<int> keys(static_cast<std::size_t>(n));
  std::iota(keys.begin(), keys.end(), 0);
  std::ranges::stable_sort(keys, [row](int a, int b) { return row[a] > row[b]; });
  return keys;
}

void row_entry(Ui& ui, const Cell& cell, int key, float weight, float largest) {
  const Palette& colors = palette(ui.style.theme);
  const float width = ImGui::GetContentRegionAvail().x, height = ImGui::GetTextLineHeightWithSpacing();
  const float numbers = ui.style.font_size * 4.7F, names = (width - numbers) * 0.45F;
  const bool blocked = ui.trace->mask.blocked(cell.head, cell.query, key);
  ImGui::PushID(key);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  if (ImGui::Selectable("###key", key == cell.key, 0, {width, ImGui::GetTextLineHeight()}))
    ui.state.lock = Cell{cell.head, cell.query, key};
  if (ImGui::IsItemHovered()) ui.state.hover = Cell{cell.head, cell.query, key};
  ImDrawList* list = ImGui::GetWindowDrawList();
  const std::string name = fit_text(token_at(ui.trace->key_tokens, key), names - ui.style.font_size * 0.4F);
  list->AddText(at, blocked ? colors.muted : colors.text, name.c_str());
  bar({at.x + names, at.y + height * 0.15F}, width - names - numbers, height * 0.5F,
      largest > 0 ? weight / largest : 0, colors.accent);
  const std::string number = blocked ? std::string(ui.tr("masked")) : weight_text(weight);
  list->AddText({at.x + width - ImGui::CalcTextSize(number.c_str()).x, at.y},
                blocked ? colors.muted : colors.text, number.c_str());
  ImGui::PopID();
}

void draw_row(Ui& ui, const LayerTrace& layer, const Cell& cell) {
  const Trace& trace = *ui.trace;
  const float* row = layer.weights.at(cell.head) + cell.query * trace.n_k();
  bool all_blocked = trace.mask.any();
  for (Index k = 0; k < trace.n_k() && all_blocked; ++k)
    all_blocked = trace.mask.blocked(cell.head, cell.query, k);
  if (all_blocked) {
    warning_text(
        ui.style,
        trace.inputs.mask_fill == MaskFill::minus_infinity
            ? ui.tr("This query has no key to attend to: its row is zero. PyTorch gives NaN here.")
            : ui.tr("This query has no key to attend to: under −1e9 its row is uniform, as PyTorch's."));
    if (trace.inputs.mask_fill == MaskFill::minus_infinity) return;
  }
  const std::vector<int> keys = sorted_keys(row, trace.n_k());
  ImGuiListClipper clipper;
  clipper.Begin(static_cast<int>(keys.size()), ImGui::GetTextLineHeightWithSpacing());
  while (clipper.Step())
    for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) {
      const int key = keys[static_cast<std::size_t>(i)];
      row_entry(ui, cell, key, row[key], row[keys[0]]);
    }
}

void draw_statistics(Ui& ui, int head) {
  const auto layer = static_cast<std::size_t>(ui.state.view.layer), h = static_cast<std::size_t>(head);
  if (layer >= ui.trace->statistics.size() || h >= ui.trace->statistics[layer].size()) return;
  const HeadStatistics& statistics = ui.trace->statistics[layer][h];
  for (const HeadColumn& column : head_columns()) {
    const std::optional<double> value = column.value(statistics);
    statistic(ui, ui.tr(column.title), value ? statistic_text(*value) : "–", ui.tr(column.formula));
  }
}

void draw_cell(Ui& ui, const LayerTrace& layer, const Cell& cell) {
  const Translator& tr = ui.tr;
  const Trace& trace = *ui.trace;
  ImGui::PushFont(ui.style.large);
  ImGui::TextUnformatted(tr.format("Head {}", cell.head + 1).c_str());
  ImGui::PopFont();
  tooltip(tr.format("Heads count from 1 on screen; in arrays this is number {}.", cell.head));
  if (ui.state.lock && !ui.state.last_hover) {
    ImGui::SameLine();
    hint(ui.style, tr("locked; Esc frees it"));
  }
  line(ui, tr("Query"), fmt::format("{} ({})", token_at(trace.tokens, cell.query), cell.query + 1));
  line(ui, tr("Key"), fmt::format("{} ({})", token_at(trace.key_tokens, cell.key), cell.key + 1));
  if (layer.has_maps()) weight_lines(ui, layer, cell);
}

}  // namespace

std::string weight_text(float weight) {
  if (weight == 0) return "0";
  if (weight < 0.0001F) return fmt::format("{:.2e}", weight);
  return weight < 0.01F ? fmt::format("{:#.3g}", weight) : fmt::format("{:.4f}", weight);
}

void draw_inspector(Ui& ui) {
  const Translator& tr = ui.tr;
  const LayerTrace* layer = shown_layer(ui);
  if (layer == nullptr) return hint(ui.style, tr("Nothing to inspect yet: type a sentence."));
  const std::optional<Cell> focus = ui.state.focus();
  if (!focus || !lies_in(*ui.trace, *focus)) {
    hint(ui.style, tr("Point at a cell to read its tokens, score and weight. Click to lock it; Esc or a "
                      "second click frees "
                      "it. Click a head's title to see it large."));
    if (ui.state.view.head && *ui.state.view.head < ui.trace->inputs.heads &&
        section(tr("Head's statistics"), "statistics"))
      draw_statistics(ui, *ui.state.view.head);
    return;
  }
  draw_cell(ui, *layer, *focus);
  if (layer->has_maps() && section(tr("Row, largest first"), "row")) {
    const float rows = std::min<float>(static_cast<float>(ui.trace->n_k()), 12.5F);
    ImGui::BeginChild("row", {0, rows * ImGui::GetTextLineHeightWithSpacing()}, false);
    draw_row(ui, *layer, *focus);
    ImGui::EndChild();
  }
  if (section(tr("Head's statistics"), "statistics")) draw_statistics(ui, focus->head);
}

}  // namespace headscope

#include "app/panels/inputs/color_controls.h"

#include <algorithm>
#include <cmath>

#include "app/panels/views/predictions.h"
#include "app/panels/widgets/placed_text.h"
#include "app/panels/widgets/theme.h"
#include "app/panels/widgets/widgets.h"
#include "app/state/view/color_range.h"
#include "core/base/enum_table.h"
#include "core/scene/colormap_data.h"
#include "core/scene/range.h"
#include "core/scene/shown_block.h"
#include "core/scene/view_kinds.h"
#include "core/source/maps/cell_maps.h"
#include "core/source/maps/rollout.h"

namespace headscope {
namespace {

/// A strip of the whole colormap, dark to bright, with a border.
void draw_strip(const Style& style, ImVec2 min, ImVec2 max, const Colors& colors) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const auto edge = [&](std::size_t i) {
    return min.x + (max.x - min.x) * static_cast<float>(i) / static_cast<float>(colors.size());
  };
  for (std::size_t i = 0; i < colors.size(); ++i)
    list.AddRectFilled({edge(i), min.y}, {edge(i + 1), max.y}, to_color(colors[i]));
  list.AddRect(min, max, palette(style.theme).border);
}

/// On the line of the name, over the remaining width.
void draw_strip_beside(const Style& style, const Colors& colors, float names, ImVec2 min, ImVec2 max) {
  const float gap = style.font_size * 0.25F, from = min.x + names;
  if (max.x - gap - from > style.font_size)
    draw_strip(style, {from, min.y + gap}, {max.x - gap, max.y - gap}, colors);
  else  // under the name
    draw_strip(style, {min.x, max.y - gap}, {max.x - gap, max.y}, colors);
}

const ColormapRow& row_of(Colormap map) {
  return of_kind(colormaps(), map);
}

/// Whether every map in view has colours to either side of 0.
bool is_signed_in_view(const Ui& ui) {
  if (ui.view().row().one_layer && ui.shown->layer >= 0) return ui.block->is_signed(ui.shown->layer);
  const ShownCells& cells = ui.block->cells;
  const bool of_states = cells.value == CellValue::weight && cells.rollout == Rollout::off &&
                         ui.block->shape.softmax_layers() == 0;
  return of_states || cell_value(cells.value).is_signed;
}

const char* range_help(const Translator& tr, Range range) {
  if (range == Range::fixed)
    return tr("The same limits whatever the weights are: maps can be compared by eye while inputs change.");
  if (range == Range::percentile)
    return tr(
        "From each head's 2nd to its 98th percentile: a few extreme weights do not hide the others. Weights "
        "beyond have the colour of the end.");
  if (range == Range::row)
    return tr(
        "Each row from 0 to its own largest weight: where a query looks most, whatever the others do. "
        "Colours "
        "of different rows cannot be compared.");
  return tr(
      "“Per head”, as in the notebook, can make noise look like a pattern: check the ends of the bars.");
}

const char* hold_help(const Translator& tr, const RangeChoice& range) {
  if (range.holds()) return tr("Lets the range follow the weights again");
  if (!range.can_hold()) return tr("These limits are the same whatever the weights are.");
  return tr(
      "Keeps the limits of each map. Changes of temperature, scale, gains, seed, mask, dropout and ablated "
      "heads do so by themselves; another text or source ends it.");
}

void draw_limits(Ui& ui) {
  ColorLimits& limits = ui.state.view.range.limits;
  label_field(ui.tr("Limits"), ui.tr("The weights at the two ends of the colour bar: the first is smaller. "
                                     "Weights beyond them have the colour of that end."));
  const float inner = ImGui::GetStyle().ItemInnerSpacing.x;
  const float half = (ImGui::GetContentRegionAvail().x - inner) / 2;
  ColorLimits typed = limits;
  ImGui::SetNextItemWidth(half);
  bool changed = typed_double("###lowest", typed.low, -ColorLimits::maximum, ColorLimits::maximum, "%.4g");
  ImGui::SameLine(0, inner);
  ImGui::SetNextItemWidth(half);
  changed |= typed_double("###highest", typed.high, -ColorLimits::maximum, ColorLimits::maximum, "%.4g");
  if (changed) set_limits(ui.state, typed);
  if (!ui.state.refused_limits) return;
  error_text(ui.style,
             ui.tr("{} is not below {}", ui.state.refused_limits->low, ui.state.refused_limits->high));
  anchor("limits refused");
}

/// Of a logit: which token's, and which one's is subtracted.
void draw_logit_tokens(Ui& ui) {
  PredictionOptions& options = ui.state.view.predictions;
  const auto field = [&](const char* label, const char* id, const char* empty, std::string& token) {
    label_field(label, token_help(ui));
    std::string typed = token;
    if (typed_text(id, typed, empty)) token = typed;
    anchor(id + 3);
    if (const char* none = no_such_token(ui, token)) warning_text(ui.style, none);
  };
  field(ui.tr("Token"), "###cells token", ui.tr("The likeliest"), options.token);
  field(ui.tr("Against"), "###cells against", ui.tr("none"), options.against);
}

}  // namespace

void draw_cells_choice(Ui& ui) {
  View& view = ui.state.view;
  label_field(ui.tr("Cells"), ui.tr("What the cells of maps show. Statistics, the order of heads and the "
                                    "filter are about attention weights, whatever cells show."));
  const bool rollout = ui.block->cells.rollout != Rollout::off;
  ImGui::BeginDisabled(rollout);
  const float width = ImGui::CalcItemWidth();
  const auto missing = [&](CellValue value) {
    return ui.trace ? missing_for_cells(*ui.trace, *block_of(ui.trace, ui.block->shape.kind), value)
                    : nullptr;
  };
  const float room = width - ImGui::GetFrameHeight() - ImGui::GetStyle().FramePadding.x;
  const auto row_shown = [&](CellValue value) -> const CellValueRow& {
    const bool of_state = value == CellValue::weight && view.row().one_layer && ui.shown->layer >= 0 &&
                          !ui.block->shape.is_softmax(ui.shown->layer);
    return of_state ? equivalent_map() : cell_value(value);
  };
  const CellValueRow& chosen = row_shown(view.cells);
  const char *const whole = ui.tr(chosen.label), *const brief = ui.tr(chosen.brief);
  const std::string preview = fit_text(ImGui::CalcTextSize(whole).x <= room ? whole : brief, room);
  const CellValueRow* const taken = choose_row(
      "cells", preview.c_str(), cell_values(),
      [&](const CellValueRow& row) { return row.value == view.cells; },
      [&](const CellValueRow& row) {
        const char* const why = missing(row.value);
        return Choice{ui.tr(row_shown(row.value).label),
                      ui.tr(why != nullptr ? why : row_shown(row.value).help), why == nullptr,
                      std::string("cells ") + row.name};
      });
  if (taken != nullptr) view.cells = taken->value;
  ImGui::EndDisabled();
  tooltip(rollout ? ui.tr("Rollout shows its own numbers.") : ui.tr(chosen.help));
  const bool shown = view.row().cells != CellsAs::nothing || view.row().whole;
  if (view.cells == CellValue::weight || rollout || !shown) return;
  if (const char* why = missing(view.cells))
    hint(ui.style, ui.tr("Attention weights are shown: {}", ui.tr(why)));
  else if (with_shown_cells(view).cells != view.cells)
    hint(ui.style, ui.tr("This view shows attention weights."));
  else if (view.cells == CellValue::logit)
    draw_logit_tokens(ui);
}

void draw_rollout_choice(Ui& ui) {
  RolloutOptions& rollout = ui.state.view.rollout;
  label_field(
      ui.tr("Maps"),
      ui.tr("A map for each head, or attention rollout: for each layer how much of each token has come "
            "to a query through all layers so far (Abnar & Zuidema 2020)."));
  const auto missing = [&](Rollout of) {
    return ui.trace ? missing_for_rollout(*ui.trace, *block_of(ui.trace, ui.block->shape.kind), of) : nullptr;
  };
  const float width = ImGui::CalcItemWidth();
  const std::string preview = fit_text(ui.tr(to_label(rollout.of)),
                                       width - ImGui::GetFrameHeight() - ImGui::GetStyle().FramePadding.x);
  const EnumName<Rollout>* const taken = choose_row(
      "rollout", preview.c_str(), enum_names(Rollout{}),
      [&](const EnumName<Rollout>& name) { return name.value == rollout.of; },
      [&](const EnumName<Rollout>& name) {
        const char* const why = missing(name.value);
        return Choice{ui.tr(name.label), why != nullptr ? ui.tr(why) : "", why == nullptr,
                      std::string("rollout ") + name.name};
      });
  if (taken != nullptr) rollout.of = taken->value;
  if (rollout.of == Rollout::off) return;
  if (const char* why = missing(rollout.of)) return hint(ui.style, ui.tr("Heads are shown: {}", ui.tr(why)));
  check("rollout residual", ui.tr("Residual connections in the rollout"), rollout.residual,
        ui.tr("Half of each layer is what goes past its attention; otherwise only the heads' mean counts."));
}

void draw_colormap_choice(Ui& ui) {
  View& view = ui.state.view;
  label_field(ui.tr("Colours"), ui.tr("Perceptually uniform: equal steps in weight look equal."));
  float names = 0;
  for (const ColormapRow& row : colormaps()) names = std::max(names, ImGui::CalcTextSize(row.name).x);
  names += ui.style.font_size * 0.8F;
  const float width = ImGui::CalcItemWidth();
  const bool diverges = is_signed_in_view(ui);
  ImGui::BeginDisabled(diverges);
  if (begin_list("###colormap", diverges ? "" : row_of(view.colormap).name)) {
    for (const ColormapRow& row : colormaps()) {
      if (list_line(row.name, view.colormap == row.value, 0,
                    {std::max(width - 2 * ui.style.font_size, names + 4 * ui.style.font_size), 0}))
        view.colormap = row.value;
      anchor(std::string("colormap ") + row.name);
      draw_strip_beside(ui.style, row.colors, names, ImGui::GetItemRectMin(), ImGui::GetItemRectMax());
      if (view.colormap == row.value) ImGui::SetItemDefaultFocus();
    }
    ImGui::EndCombo();
  }
  ImGui::EndDisabled();
  anchor("colormap");
  if (diverges) tooltip(ui.tr("Numbers below 0 are blue, those above are red."));
  const ImVec2 min = ImGui::GetItemRectMin(), max = ImGui::GetItemRectMax();
  draw_strip_beside(ui.style, diverges ? diverging_colors(ui.style.theme) : row_of(view.colormap).colors,
                    diverges ? 0 : names, {min.x + ImGui::GetStyle().FramePadding.x, min.y},
                    {max.x - ImGui::GetFrameHeight(), max.y});
}

void draw_range_choice(Ui& ui) {
  View& view = ui.state.view;
  label_field(ui.tr("Range"), ui.tr("The weights at the two ends of the colour bar."));
  const char* hold = ui.tr("Hold");
  const float inner = ImGui::GetStyle().ItemInnerSpacing.x;
  const float button = ImGui::CalcTextSize(hold).x + 2 * ImGui::GetStyle().FramePadding.x;
  const float room = ImGui::GetContentRegionAvail().x;
  const bool beside = room - button - inner > 5 * ui.style.font_size;
  const float width = beside ? room - button - inner : room;
  const float around = ImGui::GetFrameHeight() + 2 * ImGui::GetStyle().FramePadding.x;
  ImGui::SetNextItemWidth(width);
  const EnumName<Range>* const taken = choose_row(
      "range", fit_text(range_name(ui.tr, view.range.kind, is_signed_in_view(ui)), width - around).c_str(),
      enum_names(Range{}), [&](const EnumName<Range>& name) { return name.value == view.range.kind; },
      [&](const EnumName<Range>& name) {
        return Choice{name.label == nullptr ? nullptr : ui.tr(name.label)};
      });
  if (taken != nullptr) set_range(ui.state, taken->value, drawn_ranges(ui.view_cache, *ui.scene, *ui.shown));
  tooltip(range_help(ui.tr, view.range.kind));
  if (beside) ImGui::SameLine(0, inner);
  const bool held = view.range.holds();
  ImGui::BeginDisabled(!view.range.can_hold());
  if (const ChosenColors colors(held); ImGui::Button((std::string(hold) + "###hold").c_str()))
    if (ui.state.hold_wanted = !held; held) rescale(ui.state);
  ImGui::EndDisabled();
  anchor("hold");
  tooltip(hold_help(ui.tr, view.range));
  if (view.range.kind == Range::fixed) draw_limits(ui);
  if (check(
          "ignore first token", ui.tr("Ignore first token"), view.range.ignore_first_token,
          ui.tr("The first query and the first key do not count for the ends of the colour bars. Many heads "
                "put the weight that they do not need on the first token.")))
    rescale(ui.state);
}

}  // namespace headscope

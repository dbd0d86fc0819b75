#include "app/panels/views/filter_bar.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/panels/widgets/glyphs.h"
#include "app/panels/widgets/theme.h"
#include "app/panels/widgets/widgets.h"
#include "app/state/actions/navigation.h"
#include "core/scene/head_table.h"

namespace headscope {
namespace {

void slider(Ui& ui, const char* mark, const char* label, double& value, float low, float high,
            const char* format, const char* help) {
  framed_text(ui.tr(label));
  tooltip(ui.tr(help));
  ImGui::SameLine();
  auto shown = static_cast<float>(value);
  const ImGuiSliderFlags curve = low > 0 ? 0 : ImGuiSliderFlags_Logarithmic;
  ImGui::PushID(mark);
  if (value_slider("###value", {ImGuiDataType_Float, &low, &high, format, curve, mark}, &shown,
                   ui.style.font_size * 7))
    value = static_cast<double>(shown);
  tooltip(ui.tr(help));
  ImGui::PopID();
}

/// Check boxes, only for the visible tokens.
void token_list(const char* id, const std::vector<Token>& tokens, std::set<int>& hidden, float width,
                float height) {
  ImGui::BeginChild(id, {width, height}, true);
  ImGuiListClipper clipper;
  clipper.Begin(static_cast<int>(tokens.size()));
  while (clipper.Step()) {
    for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) {
      ImGui::PushID(i);
      bool shown = !hidden.contains(i);
      const std::string text = shown_token(tokens[static_cast<std::size_t>(i)].text);
      if (ImGui::Checkbox(fit_text(drawn_text(text), width - 4 * ImGui::GetFontSize()).c_str(), &shown))
        show_token(hidden, i, std::ssize(tokens), shown);
      ImGui::PopID();
    }
  }
  ImGui::EndChild();
}

/// The first and last token that are kept, counted from 1; all tokens means no range.
void range_fields(Ui& ui, const char* id, std::optional<TokenRange>& kept, Index count) {
  const int n = static_cast<int>(std::max<Index>(1, count));
  int first = kept ? kept->begin + 1 : 1, last = kept ? std::min(kept->end, n) : n;
  const float width = ui.style.font_size * 3.2F;
  ImGui::PushID(id);
  framed_text(ui.tr("Show"));
  tooltip(ui.tr("From this token to that one, numbered from 1; the others are hidden"));
  ImGui::SameLine();
  ImGui::SetNextItemWidth(width);
  bool changed = typed_int("###first", first, 1, n);
  ImGui::SameLine(0, ImGui::GetStyle().ItemInnerSpacing.x);
  ImGui::TextUnformatted("–");
  ImGui::SameLine(0, ImGui::GetStyle().ItemInnerSpacing.x);
  ImGui::SetNextItemWidth(width);
  changed |= typed_int("###last", last, 1, n);
  ImGui::PopID();
  if (!changed) return;
  const auto [begin, end] = std::minmax(first, last);
  kept = begin == 1 && end == n ? std::nullopt : std::optional<TokenRange>({begin - 1, end});
}

void token_popup(Ui& ui) {
  Filter& filter = ui.state.view.filter;
  const float em = ui.style.font_size, width = em * 13;
  const auto rows = static_cast<float>(std::clamp<Index>(std::max(ui.block->n_q(), ui.block->n_k()), 3, 14));
  const float height = rows * ImGui::GetFrameHeightWithSpacing() + em;
  // After a group the next begins on the baseline of its last item, which has a frame.
  ImGui::BeginGroup();
  framed_text(ui.tr("Queries"));
  anchor("query list heading");
  token_list("queries", ui.block->tokens, filter.hidden_queries, width, height);
  range_fields(ui, "query range", filter.queries, ui.block->n_q());
  ImGui::EndGroup();
  ImGui::SameLine();
  ImGui::BeginGroup();
  framed_text(ui.tr("Keys"));
  anchor("key list heading");
  token_list("keys", ui.block->key_tokens, filter.hidden_keys, width, height);
  range_fields(ui, "key range", filter.keys, ui.block->n_k());
  ImGui::EndGroup();
  check("Renormalize the rest", ui.tr("Renormalize rows"), filter.renormalize,
        ui.tr("If keys are hidden, the remaining weights in each row are divided by their sum, so that they "
              "add up to 1 again. A badge says so."));
  hint(ui.style, ui.tr("Drag across tokens in a view to keep only those rows and columns."));
}

/// What is filtered out, with a button that restores it. True if it was pressed.
bool chip(Ui& ui, const std::string& text, const char* id) {
  next_in_line(ImGui::CalcTextSize(text.c_str()).x + ui.style.font_size * 2);
  const std::string label = text + "  ×###" + id;
  const bool pressed = ImGui::Button(label.c_str());
  tooltip(ui.tr("Show them again"));
  anchor(id);
  return pressed;
}

std::string range_text(const TokenRange& range) {
  return range.end - range.begin > 1 ? fmt::format("{}–{}", range.begin + 1, range.end)
                                     : fmt::format("{}", range.begin + 1);
}

void draw_chips(Ui& ui) {
  Filter& filter = ui.state.view.filter;
  const Translator& tr = ui.tr;
  if (filter.queries && chip(ui, tr("Queries {}", range_text(*filter.queries)), "kept queries"))
    filter.queries.reset();
  if (filter.keys && chip(ui, tr("Keys {}", range_text(*filter.keys)), "kept keys")) filter.keys.reset();
  const std::size_t hidden = filter.hidden_queries.size() + filter.hidden_keys.size();
  if (hidden > 0 && chip(ui, tr("{} hidden", hidden), "hidden tokens")) {
    filter.hidden_queries.clear();
    filter.hidden_keys.clear();
  }
  if (!ui.shown->renormalized) return;
  const char* badge = tr("renormalized");
  next_in_line(ImGui::CalcTextSize(badge).x + ui.style.font_size);
  ImGui::AlignTextToFramePadding();
  draw_badge(badge, palette(ui.style.theme).warning);
  tooltip(tr("Some keys are hidden: the remaining weights in each row were divided by their sum."));
}

void draw_order(Ui& ui) {
  View& view = ui.state.view;
  const Translator& tr = ui.tr;
  const HeadColumn* column = find_head_column(view.sort.by);
  const char* now = column                         ? tr(column->title)
                    : view.sort.by == "similarity" ? tr("Similarity")
                    : view.sort.by == "name"       ? tr("Name")
                                                   : tr("Number");
  framed_text(tr("Sort heads by"));
  ImGui::SameLine();
  ImGui::SetNextItemWidth(ui.style.font_size * 8);
  if (ImGui::BeginCombo("##order", now)) {
    if (ImGui::Selectable(tr("Number"), view.sort.by.empty())) view.sort.by.clear();
    if (ImGui::Selectable(tr("Name"), view.sort.by == "name")) view.sort.by = "name";
    tooltip(tr("By the names you gave them; unnamed heads come last"));
    if (ImGui::Selectable(tr("Similarity"), view.sort.by == "similarity")) view.sort.by = "similarity";
    tooltip(tr("Similar heads (Jensen–Shannon distance) are placed side by side"));
    for (const HeadColumn& entry : head_columns()) {
      if (ImGui::Selectable(tr(entry.title), view.sort.by == entry.name)) view.sort.by = entry.name;
      tooltip(tr(entry.formula));
    }
    ImGui::EndCombo();
  }
  tooltip(tr("Order of the heads within a layer"));
  anchor("order of heads");
  if (!column && view.sort.by != "name") return;
  ImGui::SameLine();
  if (icon_button("direction", view.sort.descending ? Icon::down : Icon::up,
                  view.sort.descending ? tr("Largest first; click for smallest first")
                                       : tr("Smallest first; click for largest first")))
    view.sort.descending = !view.sort.descending;
}

/// Nothing is filtered out and the heads are in their original order.
bool is_neutral(const View& view) {
  return !view.filter.on() && view.sort.by.empty();
}

/// The controls in a row that wraps at the width, or each on a separate line.
void draw_filter_controls(Ui& ui, bool in_row) {
  Filter& filter = ui.state.view.filter;
  const float em = ui.style.font_size;
  const auto next = [in_row](float width) {
    if (in_row) next_in_line(width);
  };
  slider(ui, "Top", TR("Keep top"), filter.top_percent, 1, 100, "%.0f%%",
         TR("In each row, keep only the largest weights that together reach this share of the row's total"));
  next(em * 11.5F);
  slider(ui, "At least", TR("Weight ≥"), filter.threshold, 0, 1, "%.3f", TR("Hide weights below this"));
  next(em * 6);
  if (ImGui::Button(ui.tr("Tokens…"))) ImGui::OpenPopup("tokens");
  tooltip(ui.tr("Choose which tokens to show"));
  anchor("tokens");
  draw_chips(ui);
  if (filter.on()) {
    next_in_line(em * 5);
    if (ImGui::Button(ui.tr("Show all"))) filter = Filter{};
    tooltip(ui.tr("Clear the filter and show every cell again"));
    anchor("show all");
  }
  next(ImGui::CalcTextSize(ui.tr("Sort heads by")).x + em * 10.5F);
  draw_order(ui);
  if (ImGui::BeginPopup("tokens")) {
    token_popup(ui);
    ImGui::EndPopup();
  }
}

}  // namespace

void draw_filter_bar(Ui& ui) {
  const float em = ui.style.font_size;
  ImGui::PushID("filter bar");
  const bool small = ImGui::GetWindowHeight() < 32 * em || ImGui::GetWindowWidth() < 38 * em;
  if (small && (is_neutral(ui.state.view) || ImGui::IsPopupOpen("filter"))) {
    next_in_line(ImGui::GetFrameHeight());
    if (icon_button("filter", Icon::funnel, ui.tr("Filter and sort heads"))) ImGui::OpenPopup("filter");
    const ImVec2 min = ImGui::GetItemRectMin(), max = ImGui::GetItemRectMax();
    ImGui::SetNextWindowPos({min.x, max.y + em * 0.2F}, ImGuiCond_Appearing);
    if (ImGui::BeginPopup("filter")) {
      draw_filter_controls(ui, false);
      ImGui::EndPopup();
    }
  } else {
    draw_filter_controls(ui, true);
  }
  ImGui::PopID();
}

bool shows_long_text(const Ui& ui) {
  return ui.block->pooled() || ui.shown->part;
}

bool drag_tokens(Ui& ui, TokenPlace on, TokenPlace beside) {
  TokenDrag& drag = ui.state.token_drag;
  if (shows_long_text(ui)) {
    drag = TokenDrag{};
    return false;
  }
  if (ImGui::IsMouseClicked(ImGuiMouseButton_Left) && (on.row >= 0 || on.column >= 0)) {
    drag.keys = on.row < 0;
    drag.begin = drag.last = drag.keys ? on.column : on.row;
    return false;
  }
  if (drag.begin < 0) return false;
  const int now = drag.keys ? beside.column : beside.row;
  if (now >= 0) drag.last = now;
  const bool moved = drag.last != drag.begin;
  if (ImGui::IsMouseDown(ImGuiMouseButton_Left)) return moved;
  if (moved) keep_dragged(ui.state.view, *ui.shown, drag, ImGui::GetIO().KeyShift);
  drag = TokenDrag{};
  return moved;
}

bool is_dragged(const Ui& ui, bool keys, int place) {
  const TokenDrag& drag = ui.state.token_drag;
  if (drag.begin < 0 || drag.begin == drag.last || drag.keys != keys) return false;
  const auto [first, last] = std::minmax(drag.begin, drag.last);
  return place >= first && place <= last;
}

}  // namespace headscope

#include "app/panels/views/filter_bar.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "app/panels/widgets/glyphs.h"
#include "app/panels/widgets/theme.h"
#include "app/panels/widgets/widgets.h"
#include "app/state/view/navigation.h"
#include "core/scene/head_table.h"

namespace headscope {
namespace {

void slider(Ui& ui, const char* mark, const char* label, double& value, float low, float high,
            const char* format, const char* help) {
  framed_text(ui.tr(label));
  tooltip(ui.tr(help));
  ImGui::SameLine(ui.style.font_size * 7);
  auto shown = static_cast<float>(value);
  const ImGuiSliderFlags curve = low > 0 ? 0 : ImGuiSliderFlags_Logarithmic;
  ImGui::PushID(mark);
  if (value_slider("###value", {ImGuiDataType_Float, &low, &high, format, curve, mark}, &shown,
                   ui.style.font_size * 12))
    value = shown;
  tooltip(ui.tr(help));
  ImGui::PopID();
}

/// Check boxes, only for the visible tokens.
void token_list(const char* id, const std::vector<Token>& tokens, std::set<int>& hidden, float width,
                float height) {
  ImGui::BeginChild(id, {width, height}, true);
  draw_seen_rows(static_cast<int>(tokens.size()), [&](int i) {
    ImGui::PushID(i);
    bool shown = !hidden.contains(i);
    const std::string text = shown_token(tokens[i].text);
    if (ImGui::Checkbox(fit_text(drawn_text(text), width - 4 * ImGui::GetFontSize()).c_str(), &shown))
      show_token(hidden, i, std::ssize(tokens), shown);
    ImGui::PopID();
  });
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

constexpr float list_width = 13;  // of the tokens, in font sizes

void choose_tokens(Ui& ui, float height) {
  Filter& filter = ui.state.view.filter;
  const float width = ui.style.font_size * list_width;
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
  if (!is_low_window())
    hint(ui.style, ui.tr("Drag across tokens in a view to keep only those rows and columns."));
}

/// A part of the filter that leaves something out.
struct Chip {
  std::string text;
  const char* mark;
  std::function<void(Filter&)> remove;
  bool warns = false;
};

void show_queries(Filter& filter) {
  filter.queries.reset();
  filter.hidden_queries.clear();
}
void show_keys(Filter& filter) {
  filter.keys.reset();
  filter.hidden_keys.clear();
}

std::vector<Chip> chips_of(const Ui& ui) {
  const Filter& filter = ui.view().filter;
  const Translator& tr = ui.tr;
  std::vector<Chip> chips;
  if (filter.top_percent < 100)
    chips.push_back({tr("top {}%", fmt::format("{:.3g}", filter.top_percent)), "kept top",
                     [](Filter& f) { f.top_percent = Filter().top_percent; }});
  if (filter.threshold > 0)
    chips.push_back({fmt::format("≥ {:.2g}", filter.threshold), "kept weights",
                     [](Filter& f) { f.threshold = Filter().threshold; }});
  const bool queries = filter.queries || !filter.hidden_queries.empty();
  const bool keys = filter.keys || !filter.hidden_keys.empty();
  const auto rows = std::ssize(ui.shown->queries), columns = std::ssize(ui.shown->keys);
  const bool alike = queries && keys && !ui.block->cross() && filter.queries == filter.keys &&
                     filter.hidden_queries == filter.hidden_keys;
  if (alike) {
    chips.push_back({tr("{} of {} tokens", rows, ui.block->n_q()), "kept tokens", [](Filter& f) {
                       show_queries(f);
                       show_keys(f);
                     }});
  } else {
    if (queries)
      chips.push_back({tr("{} of {} queries", rows, ui.block->n_q()), "kept queries", show_queries});
    if (keys) chips.push_back({tr("{} of {} keys", columns, ui.block->n_k()), "kept keys", show_keys});
  }
  if (ui.shown->renormalized)
    chips.push_back({tr("renormalized"), "renormalized", [](Filter& f) { f.renormalize = false; }, true});
  return chips;
}

std::string chip_text(const Chip& chip) {
  return chip.text + " ×";
}

float chip_width(const Chip& chip) {
  const ImGuiStyle& style = ImGui::GetStyle();
  return ImGui::CalcTextSize(chip_text(chip).c_str()).x + 2 * style.FramePadding.x + style.ItemSpacing.x;
}

/// How many of them fit, from the first on.
std::size_t fitting_chips(const std::vector<Chip>& chips, float room) {
  std::size_t count = 0;
  while (count < chips.size() && chip_width(chips[count]) <= room) room -= chip_width(chips[count++]);
  return count;
}

void draw_chip(Ui& ui, const Chip& chip) {
  const Palette& colors = palette(ui.style.theme);
  ImGui::PushStyleVar(ImGuiStyleVar_FrameRounding, ImGui::GetFrameHeight() / 2);
  ImGui::PushStyleColor(ImGuiCol_Button, chip.warns ? colors.warning : colors.accent_soft);
  ImGui::PushStyleColor(ImGuiCol_Text, chip.warns ? colors.panel : colors.text);
  const std::string help =
      chip.warns ? ui.tr("Some keys are hidden: the remaining weights in each row were divided by their sum.")
                 : ui.tr("Remove this part of the filter");
  if (button(chip_text(chip), chip.mark, help)) chip.remove(ui.state.view.filter);
  ImGui::PopStyleColor(2);
  ImGui::PopStyleVar();
}

/// Keep top, Weight ≥ and the tokens; with the chips if the bar has no room for them.
void filter_popup(Ui& ui, const std::vector<Chip>& chips, bool in_bar, ImVec2 room) {
  Filter& filter = ui.state.view.filter;
  const float line = ImGui::GetFrameHeightWithSpacing(), top = ImGui::GetCursorPosY();
  slider(ui, "Top", TR("Keep top"), filter.top_percent, 1, 100, "%.0f%%",
         TR("In each row, keep only the largest weights that together reach this share of the row's total"));
  slider(ui, "At least", TR("Weight ≥"), filter.threshold, 0, 1, "%.3f", TR("Hide weights below this"));
  constexpr float other_lines = 5.5F;
  const auto rows = static_cast<float>(std::clamp<Index>(std::max(ui.block->n_q(), ui.block->n_k()), 3, 14));
  const float left = room.y - (ImGui::GetCursorPosY() - top) - other_lines * line;
  choose_tokens(ui, std::clamp(left, 2.5F * line, rows * line + ui.style.font_size));
  ImGui::BeginDisabled(!filter.on());
  if (button(ui.tr("Show all"), "show all", ui.tr("Clear the filter and show every cell again")))
    filter = Filter{};
  ImGui::EndDisabled();
  if (in_bar) return;
  for (const Chip& chip : chips) {
    ImGui::SameLine();
    if (ImGui::GetCursorPosX() + chip_width(chip) > room.x) ImGui::NewLine();
    draw_chip(ui, chip);
  }
}

void draw_filter(Ui& ui) {
  const std::vector<Chip> chips = chips_of(ui);
  const float em = ui.style.font_size;
  const std::size_t fit = fitting_chips(chips, ImGui::GetContentRegionAvail().x - filter_bar_width());
  const bool in_bar = fit == chips.size();
  const bool on = !chips.empty();
  if (on) ImGui::PushStyleColor(ImGuiCol_Text, palette(ui.style.theme).accent);
  const bool opens = icon_button("filter", Icon::funnel, in_bar ? "" : std::to_string(chips.size()),
                                 ui.tr("Filter: keep the largest weights, hide tokens"));
  if (on) ImGui::PopStyleColor();
  if (opens) ImGui::OpenPopup("filter");
  const ImGuiStyle& style = ImGui::GetStyle();
  const float width = 2 * list_width * em + style.ItemSpacing.x + 2 * style.WindowPadding.x;
  if (ImGui::IsPopupOpen("filter")) {
    const float room = place_popup_below(width);
    if (ImGui::BeginPopup("filter")) {
      filter_popup(ui, chips, in_bar, {width, room});
      ImGui::EndPopup();
    }
  }
  for (std::size_t i = 0; i < fit; ++i) {
    ImGui::SameLine();
    draw_chip(ui, chips[i]);
  }
}

void order_line(Ui& ui, const char* text, const std::string& value, const std::string& help) {
  std::string& sort = ui.state.view.sort.by;
  if (list_line(ui.tr(text), sort == value)) sort = value;
  tooltip(help);
}

void order_popup(Ui& ui) {
  const Translator& tr = ui.tr;
  muted_text(ui.style, tr("Sort heads by"));
  for (const HeadSortName& name : head_sort_names())
    if (name.column == nullptr || has_column(*ui.block, *name.column))
      order_line(ui, name.title, name.by, *name.help == '\0' ? "" : tr(name.help));
}

/// The order of the heads: its name behind the button unless it is that of their numbers.
void draw_order(Ui& ui) {
  View& view = ui.state.view;
  const Translator& tr = ui.tr;
  const HeadColumn* column = find_head_column(view.sort.by);
  const bool name = view.sort.by == "name", directed = column != nullptr || name;
  const char* const by = tr(find_head_sort(view.sort.by)->title);
  const float direction = directed ? ImGui::GetFrameHeight() + ImGui::GetStyle().ItemSpacing.x : 0;
  ImGui::SameLine();
  const float room = ImGui::GetContentRegionAvail().x - direction - width_of_icon(" ");
  const bool sorted = !view.sort.by.empty();
  const std::string text = sorted && room > 2 * ui.style.font_size ? fit_text(by, room) : "";
  if (sorted) ImGui::PushStyleColor(ImGuiCol_Text, palette(ui.style.theme).accent);
  const bool opens = icon_button("order of heads", Icon::sort, text,
                                 tr("{}: {}", tr("Order of the heads within a layer"), by));
  if (sorted) ImGui::PopStyleColor();
  if (opens) ImGui::OpenPopup("order");
  if (ImGui::IsPopupOpen("order")) {
    place_popup_below(ui.style.font_size * 12);
    if (ImGui::BeginPopup("order")) {
      order_popup(ui);
      ImGui::EndPopup();
    }
  }
  if (!directed) return;
  ImGui::SameLine();
  if (icon_button("direction", view.sort.descending ? Icon::down : Icon::up,
                  view.sort.descending ? tr("Largest first; click for smallest first")
                                       : tr("Smallest first; click for largest first")))
    view.sort.descending = !view.sort.descending;
}

}  // namespace

float filter_bar_width(bool at_rest) {
  const float two = 2 * width_of_icon() + ImGui::GetStyle().ItemSpacing.x;
  return at_rest ? two : two + width_of_icon("0") + 2 * ImGui::GetStyle().ItemSpacing.x;
}

void draw_filter_bar(Ui& ui) {
  ImGui::PushID("filter bar");
  draw_filter(ui);
  draw_order(ui);
  ImGui::PopID();
}

}  // namespace headscope

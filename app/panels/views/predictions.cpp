#include "app/panels/views/predictions.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/panels/map/board.h"
#include "app/panels/map/map_pointer.h"
#include "app/panels/views/head_detail.h"
#include "app/panels/views/head_label.h"
#include "app/panels/views/inspector.h"
#include "app/panels/widgets/glyphs.h"
#include "app/panels/widgets/pixels.h"
#include "app/panels/widgets/theme.h"
#include "app/panels/widgets/widgets.h"
#include "app/state/actions/ablated_heads.h"
#include "app/state/view/navigation.h"
#include "app/state/workspace.h"
#include "core/base/round_up.h"
#include "core/figure/boards/prediction_boards.h"
#include "core/figure/boards/scatter_board.h"
#include "core/inputs/head_places.h"
#include "core/inputs/names.h"
#include "core/scene/colormap.h"
#include "core/scene/prediction_text.h"
#include "core/scene/readable_numbers.h"
#include "core/scene/source_title.h"
#include "core/scene/view_needs.h"

namespace headscope {
namespace {

void token_line(const Ui& ui, const Trace& trace, const TokenProbability& entry, float width) {
  draw_share(ui, drawn_prediction(ui, trace, entry.id), entry.probability,
             prediction_in_column(*trace.predictions, entry.probability), width);
}

/// A list of tokens; returns the one that is clicked.
std::optional<Index> choose_token(const Ui& ui, const Trace& trace,
                                  const std::vector<TokenProbability>& list) {
  const float width = ui.style.font_size * 13;
  std::optional<Index> chosen;
  for (const TokenProbability& entry : list) {
    const ImVec2 at = ImGui::GetCursorPos();
    ImGui::PushID(static_cast<int>(entry.id));
    if (list_line("###token", false, 0, {width, 0})) chosen = entry.id;
    anchor(fmt::format("expected {}", &entry - list.data()));
    ImGui::PopID();
    const ImVec2 after = ImGui::GetCursorPos();
    const float above = std::max(0.0F, (ui.style.finger - ImGui::GetTextLineHeight()) / 2);
    ImGui::SetCursorPos({at.x, at.y + above});
    token_line(ui, trace, entry, width);
    ImGui::SetCursorPos(after);
  }
  return chosen;
}

/// As many tokens, in two columns, as fit into a tooltip that does not cover most of a low window.
void described_tokens(const Ui& ui, const Trace& trace, const std::vector<TokenProbability>& list) {
  constexpr std::size_t columns = 2;
  const float share = 0.22F * ImGui::GetIO().DisplaySize.y / ImGui::GetTextLineHeightWithSpacing();
  const std::size_t rows = std::clamp<std::size_t>(static_cast<std::size_t>(std::max(0.0F, share)), 2,
                                                   divide_up(list.size(), columns));
  for (std::size_t row = 0; row < rows; ++row)
    for (std::size_t column = 0; column < columns; ++column) {
      const std::size_t place = column * rows + row;
      if (place >= list.size()) continue;
      if (column > 0) ImGui::SameLine(0, ui.style.font_size);
      token_line(ui, trace, list[place], ui.style.font_size * 9);
    }
  const ImVec2 at = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
  note_place("expected tokens", at, {at.x + size.x, at.y + size.y});
}

/// The trace of A or B, if it predicts tokens.
const Trace* predicting(const Ui& ui) {
  return ui.trace && ui.trace->predictions ? ui.trace.get() : nullptr;
}

const std::vector<Token>& predicting_tokens(const Ui& ui) {
  return block_of(ui.trace, ui.trace->predictions->block())->tokens;
}

/// What a region says, and, if it is of a head, that a click opens it.
void head_tooltip(const Ui& ui, const BoardRegion& region, ImVec2 at) {
  const OnScreen place(region.rect, at);
  if (!begin_tooltip(place.min, place.max)) return;
  ImGui::TextUnformatted(region.help.c_str());
  if (region.of<HeadPlace>() != nullptr) muted_text(ui.style, ui.tr("Click to open the head"));
  ImGui::EndTooltip();
}

Index columns_of(const ExpectationRange& range) {
  return range.end - range.begin;
}

/// The visible queries: as many as fit, scrolled by the wheel and the scroll bar.
ExpectationRange lens_range(const Ui& ui, float scroll, float cell, float room) {
  constexpr Index step = 8;  // more than one scroll step
  ExpectationRange range = whole_range(*ui.trace, true);
  const Index first = range.begin, n = range.end;
  range.begin = std::clamp<Index>(first + static_cast<Index>(scroll / cell) / step * step, first, n - 1);
  const auto last = first + static_cast<Index>(std::ceil((scroll + room) / cell));
  range.end = std::clamp<Index>(round_up(last, step), range.begin + 1, n);
  return range;
}

/// "After layer 2, at token 5: animal"
std::string lens_place(const Ui& ui, int layer, Index query) {
  if (ui.trace->predictions->text_queries() > 1) return ui.tr("After layer {}", layer + 1);
  const std::string& text = predicting_tokens(ui)[query].text;
  return ui.tr("After layer {}, at token {}: {}", layer + 1, query + 1, drawn_text(shown_token(text)));
}

/// Scrolls to the locked token when the lock moves to one that is not visible; without a lock to the last
/// one, which shows what comes next, unless the user is reading elsewhere.
void show_lens_token(const Ui& ui, float cell, float room) {
  const Index n = columns_of(whole_range(*ui.trace, true));
  const int wanted = static_cast<int>(ui.state.lock ? std::clamp<Index>(ui.lock()->query, 0, n - 1) : n - 1);
  int& shown = *ImGui::GetStateStorage()->GetIntRef(ImGui::GetID("token in view"), -1);
  // A change of the column width changes the scroll position.
  float& width = *ImGui::GetStateStorage()->GetFloatRef(ImGui::GetID("width in view"), 0);
  const int before = std::exchange(width, cell) == cell ? std::exchange(shown, wanted) : -1;
  shown = wanted;
  int& count = *ImGui::GetStateStorage()->GetIntRef(ImGui::GetID("tokens in view"), 0);
  const bool was_last = before == std::exchange(count, static_cast<int>(n)) - 1;
  const auto in_view = [&](int token) {
    const float left = cell * static_cast<float>(token) - ImGui::GetScrollX();
    return left > -0.5F && left + cell < room + 0.5F;
  };
  if (before == wanted || (before >= 0 && in_view(wanted))) return;
  if (!ui.state.lock && before >= 0 && !(was_last && in_view(before))) return;
  const int after = wanted + 1 - std::max(1, static_cast<int>(room * 0.75F / cell));
  ImGui::SetScrollX(cell * static_cast<float>(std::max(0, ui.state.lock ? after : wanted)));
}

void lens_popup(Ui& ui, const Expectations& shown) {
  ImGuiStorage& memory = *ImGui::GetStateStorage();  // of the view, not of the list
  const int layer = memory.GetInt(ImGui::GetID("layer"), 0), query = memory.GetInt(ImGui::GetID("query"), 0);
  if (!ImGui::BeginPopup("lens list")) return;
  const ExpectationRange& range = shown.range;
  if (layer >= range.first_layer && layer < range.end_layer && query >= range.begin && query < range.end) {
    muted_text(ui.style, lens_place(ui, layer, query));
    const auto chosen = choose_token(ui, *ui.trace, shown.at(layer, query));
    muted_text(ui.style, ui.tr("Click a token to see which heads speak for it"));
    if (chosen) open_contributions(ui.state, query, *chosen);
  }
  ImGui::EndPopup();
}

/// The layer numbers stay in place while the columns are scrolled.
void pin_layers(const Ui& ui, const Board& board, ImVec2 at, ImVec2 from, ImVec2 size) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const Palette& theme = palette(ui.style.theme);
  list.AddRectFilled(from, {from.x + size.x - 2, from.y + size.y}, theme.panel);
  int last = -1;
  for (const BoardRegion& region : board.regions) {
    const auto* place = region.of<TokenOfLayer>();
    if (place == nullptr || place->layer <= last) continue;
    last = place->layer;
    const std::string number = std::to_string(last + 1);
    const ImVec2 text = ImGui::CalcTextSize(number.c_str());
    list.AddText({from.x + (size.x - text.x) / 2 - 2,
                  at.y + pixels(region.rect.y + region.rect.height / 2) - text.y / 2},
                 theme.muted, number.c_str());
  }
}

void draw_lens_cells(Ui& ui, float cell, ImVec2 room) {
  const ExpectationRange whole = whole_range(*ui.trace, true);
  const float scroll = ImGui::GetScrollX();
  const ImVec2 origin = ImGui::GetCursorScreenPos();
  const float margin = pixels(lens_margin(board_style(ui)));
  const auto n = static_cast<float>(columns_of(whole));
  // Also scrolled to the end, whole columns are visible.
  const float in_view = std::min(n, std::floor((room.x - margin) / cell));
  ImGui::Dummy({ui.style.presented ? room.x + cell * (n - in_view) : margin + cell * n, 1});
  const auto shown = ui.view_cache.lens(ui.trace, lens_range(ui, scroll, cell, room.x));
  if (!shown) return hint(ui.style, computing_text(ui));
  const ExpectationRange& range = shown->range;
  // Rows that are not too many take all of the height.
  const float lowest = 4 * ui.style.font_size;
  const bool fills =
      ui.style.presented || room.y > lowest * static_cast<float>(range.end_layer - range.first_layer + 1);
  const Board board =
      lens_board(*ui.scene, *shown, board_style(ui),
                 {margin + cell * static_cast<float>(range.end - range.begin), room.y, fills}, ui.tr);
  const ImVec2 at{origin.x + cell * static_cast<float>(range.begin - whole.begin), origin.y};
  draw_board(ui, board, at);
  if (scroll > 0) pin_layers(ui, board, at, {origin.x + scroll, origin.y}, {margin, room.y});
  note_regions(board, at);
  note_place("lens cells", {origin.x + scroll, origin.y},
             {origin.x + scroll + room.x, at.y + pixels(board.height)});
  const BoardRegion* region = hovered_region(board, at);
  if (const auto* place = region ? region->of<TokenOfLayer>() : nullptr) {
    mark_region(ui, *region, at);
    ui.state.hover = Cell{std::clamp(ui.focus() ? ui.focus()->head : 0, 0, ui.block->heads() - 1),
                          static_cast<int>(place->query), 0};
    if (is_tapped(ui)) {
      ImGui::GetStateStorage()->SetInt(ImGui::GetID("layer"), place->layer);
      ImGui::GetStateStorage()->SetInt(ImGui::GetID("query"), static_cast<int>(place->query));
      ImGui::OpenPopup("lens list");
    } else if (const OnScreen cells(region->rect, at); begin_side_tooltip(cells.min, cells.max)) {
      muted_text(ui.style, lens_place(ui, place->layer, place->query));
      described_tokens(ui, *ui.trace, shown->at(place->layer, place->query));
      ImGui::EndTooltip();
    }
  }
  lens_popup(ui, *shown);
}

/// A token of those expected at a position, or typed; empty: `none`.
void choose_token_text(Ui& ui, const char* id, const char* none, const std::string& preview, Index position,
                       std::string& token) {
  ImGui::SetNextItemWidth(ui.style.font_size * 9);
  if (begin_list((std::string("###said ") + id).c_str(), preview.c_str(), ImGuiComboFlags_HeightLarge)) {
    if (list_line(none, token.empty())) token.clear();
    if (const auto expected = ui.view_cache.expectations(ui.trace, ui.side)) {
      const auto chosen = choose_token(ui, *ui.trace, expected->at(expected->range.first_layer, position));
      if (chosen) token = name_of_id(*chosen), ImGui::CloseCurrentPopup();
    }
    ImGui::EndCombo();
  }
  anchor(std::string("said ") + id);
  next_in_line(ui.style.font_size * 7);
  ImGui::SetNextItemWidth(ui.style.font_size * 7);
  std::string typed = token;
  if (typed_text((std::string("###typed ") + id).c_str(), typed, ui.tr("or type one"))) token = typed;
  anchor(std::string("typed ") + id);
  tooltip(token_help(ui));
  const char* const missing = no_such_token(ui, token);
  if (missing == nullptr) return;
  next_in_line(ImGui::CalcTextSize(missing).x);
  warning_text(ui.style, missing);
}

bool of_labels(const Ui& ui) {
  return ui.trace && ui.trace->predictions && !ui.trace->predictions->of_tokens();
}

}  // namespace

const char* token_help(const Ui& ui) {
  return of_labels(ui)
             ? ui.tr("A label of the model, or its number, as id:1")
             : ui.tr("A token as the vocabulary writes it, a text that is one token, or an id, as id:5");
}

const char* no_such_token(const Ui& ui, const std::string& token) {
  if (token.empty() || !ui.trace || !ui.trace->predictions || named_token(*ui.trace->predictions, token))
    return nullptr;
  if (of_labels(ui)) return ui.tr("The model has no such label");
  return ui.trace->predictions->ids(token).size() > 1 ? ui.tr("This text is several tokens; type one of them")
                                                      : ui.tr("The vocabulary has no such token");
}

namespace {

void choose_position(Ui& ui, int position) {
  std::optional<int>& chosen = ui.state.view.predictions.position;
  const auto& tokens = predicting_tokens(ui);
  framed_text(ui.tr("Position"));
  ImGui::SameLine();
  if (icon_button("position down", Icon::left, ui.tr("Previous token"))) chosen = std::max(0, position - 1);
  anchor("position down");
  ImGui::SameLine();
  ImGui::TextUnformatted(
      fmt::format("{} {}", position + 1,
                  fit_text(drawn_text(shown_token(tokens[position].text)), ui.style.font_size * 6))
          .c_str());
  ImGui::SameLine();
  if (icon_button("position up", Icon::right, ui.tr("Next token")))
    chosen = std::min(static_cast<int>(tokens.size()) - 1, position + 1);
  anchor("position up");
  next_in_line(ui.style.font_size * 16);
}

}  // namespace

void choose_answer(Ui& ui, std::optional<Index> shown) {
  View& view = ui.state.view;
  const Predictions& predictions = *ui.trace->predictions;
  const int position = static_cast<int>(chosen_query(*ui.trace, view.predictions.position));
  if (!predictions.text_query()) choose_position(ui, position);
  framed_text(predictions.of_tokens()                             ? ui.tr("Token")
              : predictions.output().kind == OutputKind::sentence ? ui.tr("Sentence")
                                                                  : ui.tr("Label"));
  ImGui::SameLine();
  choose_token_text(ui, "token", ui.tr("The likeliest"),
                    shown ? drawn_prediction(ui, *ui.trace, *shown) : "…", position, view.predictions.token);
}

void choose_against(Ui& ui, std::optional<Index> shown) {
  View& view = ui.state.view;
  const Index position = chosen_query(*ui.trace, view.predictions.position);
  next_in_line(ui.style.font_size * 20);
  framed_text(ui.tr("against"));
  tooltip(ui.tr("The difference of two logits shows what speaks for one token rather than the other."));
  ImGui::SameLine();
  choose_token_text(ui, "against", ui.tr("None"),
                    shown ? drawn_prediction(ui, *ui.trace, *shown) : ui.tr("None"), position,
                    view.predictions.against);
}

namespace {

/// What the cells are and what their colours mean: on a projector, where few words can be read, only the
/// title.
void draw_lens_heading(const Ui& ui) {
  const char* const what =
      ui.style.presented ? ui.tr(ui.view().row().action)
      : ui.trace->predictions->output().kind == OutputKind::sentence
          ? ui.tr(
                "The sentence that fits best after each layer: the picture's vector from that layer's stream "
                "(the logit lens). Click a cell for all.")
      : !ui.trace->predictions->of_tokens() ? ui.tr(
                                                  "The likeliest label after each layer: the model's head on "
                                                  "that layer's stream (the logit lens). "
                                                  "Click a cell for all.")
      : ui.trace->predictions->of_next_token()
          ? ui.tr(
                "The likeliest next token after each layer: the last norm and the unembedding on that "
                "layer's stream (the logit lens). Click a cell for ten.")
          : ui.tr(
                "The likeliest token in each place after each layer: the model's head on that layer's "
                "stream (the logit lens). Click a cell for ten.");
  const float em = ui.style.font_size;
  const ImVec2 from = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
  const Board colors = lens_colors(*ui.scene, board_style(ui), std::min(room.x, 12 * em), ui.tr);
  const auto width = pixels(colors.width), height = pixels(colors.height);
  const float beside = room.x - width - em;
  ImGui::PushStyleColor(ImGuiCol_Text, palette(ui.style.theme).muted);
  wrapped_text(what, beside > 20 * em ? beside : room.x);
  ImGui::PopStyleColor();
  ImVec2 after = ImGui::GetCursorScreenPos();
  const ImVec2 bar_at = beside > 20 * em ? ImVec2{from.x + room.x - width, from.y} : after;
  draw_board(ui, colors, bar_at);
  note_place("lens colors", bar_at, {bar_at.x + width, bar_at.y + height});
  ImGui::SetCursorScreenPos({from.x, std::max(after.y, bar_at.y + height + 0.2F * em)});
}

}  // namespace

std::string drawn_prediction(const Ui& ui, const Trace& trace, Index id) {
  const std::string text = predicted_text(ui.tr, trace, id);
  return drawn_text(trace.predictions->of_tokens() ? shown_token(text) : text);
}

void draw_share(const Ui& ui, const std::string& name, double share, const std::string& number, float width) {
  const float em = ui.style.font_size;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  tint_line(at, width, share, palette(ui.style.theme).accent);
  const float number_width = ImGui::CalcTextSize(number.c_str()).x;
  const std::string shown = fit_text(name, width - number_width - em);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImU32 color = palette(ui.style.theme).text;
  list.AddText(at, color, shown.c_str());
  list.AddText({at.x + width - number_width, at.y}, color, number.c_str());
  ImGui::Dummy({width, ImGui::GetTextLineHeight()});
  hear_text(name + " " + number);
}

void choose_circuit_token(Ui& ui, std::optional<Index> shown) {
  const Index last = std::ssize(predicting_tokens(ui)) - 1;
  const View& view = ui.view();
  framed_text(ui.tr("Token"));
  ImGui::SameLine();
  choose_token_text(
      ui, "token",
      view.predictions.token.empty() ? ui.tr("The last of the text") : ui.tr("The answer asked for"),
      shown ? drawn_prediction(ui, *ui.trace, *shown) : "…", last, ui.state.view.circuits.token);
}

void choose_any_head(Ui& ui, const char* id) {
  View& view = ui.state.view;
  const int heads = ui.block->heads(), head = std::clamp(view.head.value_or(0), 0, heads - 1);
  ImGui::SetNextItemWidth(ui.style.font_size * 5);
  if (begin_list((std::string("###") + id).c_str(), head_number(view.layer, head).c_str(),
                 ImGuiComboFlags_HeightLarge)) {
    for (int layer = 0; layer < ui.block->layer_count(); ++layer)
      for (int h = 0; h < ui.block->heads_of(layer); ++h) {
        const bool is_on = layer == view.layer && h == head;
        if (list_line(head_number(layer, h).c_str(), is_on)) {
          view.layer = layer;
          view.head = h;
        }
        if (is_on && ImGui::IsWindowAppearing()) ImGui::SetScrollHereY();
      }
    ImGui::EndCombo();
  }
  anchor(id);
  tooltip(ui.tr("Layer and head, numbered from 1"));
}

Board draw_cell_board(Ui& ui, const char* name,
                      const std::function<Board(const BoardStyle& style, BoardRoom room)>& make) {
  const ImVec2 room = ImGui::GetContentRegionAvail(), at = ImGui::GetCursorScreenPos();
  const auto made = [&](const BoardStyle& style, bool fill) { return make(style, {room.x, room.y, fill}); };
  // Where rows would be too low for their numbers the window scrolls.
  const Board board =
      ui.style.presented ? made(board_style(ui), true) : filled_board(board_style(ui), room.y, true, made);
  draw_board(ui, board, at);
  for (const BoardText& text : board.texts) {
    ui.memory.next_signs.note_number(text.text);
    ui.memory.next_signs.off |= text.text == ui.tr("off");
  }
  anchor(name);
  note_regions(board, at);
  return board;
}

void mark_region(const Ui& ui, const BoardRegion& region, ImVec2 at) {
  const OnScreen place(region.rect, at);
  ImGui::GetWindowDrawList()->AddRect(place.min, place.max, palette(ui.style.theme).accent, 0, 0, 2);
}

void draw_lens_view(Ui& ui) {
  draw_lens_heading(ui);
  const float em = ui.style.font_size;
  const bool presented = ui.style.presented;
  const auto n = static_cast<float>(columns_of(whole_range(*ui.trace, true)));
  ImVec2 room = ImGui::GetContentRegionAvail();
  const float width = room.x - pixels(lens_margin(board_style(ui)));
  // Whole columns fill the room: a number whose beginning is cut is another one.
  const float minimum = em * 4.2F, whole = std::max(1.0F, std::min(n, std::floor(width / minimum)));
  const float cell = presented ? std::floor(width / whole) : width / whole;
  if (!presented) room.y -= ImGui::GetStyle().ScrollbarSize + em * 0.5F;
  ImGui::BeginChild("lens", {0, 0}, false,
                    ImGuiWindowFlags_HorizontalScrollbar | (presented ? ImGuiWindowFlags_NoScrollbar : 0));
  draw_lens_cells(ui, cell, room);
  show_lens_token(ui, cell, width);
  draw_stale_mark(ui);
  ImGui::EndChild();
}

void draw_contributions_choice(Ui& ui) {
  if (!nothing_of_model(ui).empty()) return;
  const auto shown = ui.view_cache.contributions(ui.trace, ui.view().predictions);
  choose_answer(ui, shown ? std::optional(shown->token) : std::nullopt);
}

void draw_contributions_view(Ui& ui) {
  const auto shown = ui.view_cache.contributions(ui.trace, ui.view().predictions);
  if (!ui.style.presented) choose_answer(ui, shown ? std::optional(shown->token) : std::nullopt);
  if (!shown) return hint(ui.style, computing_text(ui));
  ImGui::BeginChild("contributions");
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const Board board = draw_cell_board(ui, "contributions", [&](const BoardStyle& style, BoardRoom room) {
    return contributions_board(*ui.scene, *shown, style, room, ui.tr);
  });
  const BoardRegion* region = hovered_region(board, at);
  if (const auto* place = region ? region->of<HeadPlace>() : nullptr) {
    mark_region(ui, *region, at);
    if (is_tapped(ui)) click_head(ui.state, *place);
  }
  if (region != nullptr) head_tooltip(ui, *region, at);
  draw_stale_mark(ui);
  ImGui::EndChild();
}

namespace {

void choose_column(Ui& ui, const char* id, const char* label, std::string& column) {
  const HeadColumn* chosen = find_head_column(column);
  framed_text(label);
  ImGui::SameLine();
  ImGui::SetNextItemWidth(ui.style.font_size * 8);
  const HeadColumn* const taken = choose_row(
      id, ui.tr(chosen->title), head_columns(*ui.block),
      [&](const HeadColumn& each) { return &each == chosen; },
      [&](const HeadColumn& each) {
        return Choice{ui.tr(each.title), ui.tr(each.formula)};
      });
  if (taken != nullptr) column = taken->name;
}

}  // namespace

void draw_scatter(Ui& ui) {
  View& view = ui.state.view;
  choose_column(ui, "scatter x", "x", view.table.scatter_x);
  next_in_line(ui.style.font_size * 11);
  choose_column(ui, "scatter y", "y", view.table.scatter_y);
  next_in_line(ui.style.font_size * 12);
  int color = static_cast<int>(view.table.scatter_color);
  std::vector<Choice> choices{{ui.tr("By layer")}, {ui.tr("By group")}};
  choices[1].enabled = view.table.groups > 1;
  if (view.table.groups < 2) choices[1].help = ui.tr("Set the number of groups above first");
  if (choose("scatter color", choices, color)) view.table.scatter_color = static_cast<ScatterColor>(color);
  const HeadTableRows rows = ui.view_cache.rows(ui.block, ui.view(), ui.labels);
  const auto tree = view.table.groups > 1
                        ? ui.view_cache.head_tree(ui.view_cache.similarity(ui.block), view.table.groups)
                        : nullptr;
  ImVec2 room = ImGui::GetContentRegionAvail();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  constexpr float share = 0.55F;
  const Rect detail = room_for_detail(ui, {at.x, at.y, room.x, room.y}, share * room.x, room.y, 0.5);
  if (detail.width > 0) room.x *= share;
  ImGui::BeginChild("scatter", room);
  const Board board = scatter_board(*ui.scene, rows.rows, tree.get(), board_style(ui), room.x, room.y, ui.tr);
  draw_board(ui, board, at);
  note_regions(board, at);
  const auto focus = ui.focus();
  for (const BoardRegion& region : board.regions)
    if (const auto* place = region.of<HeadPlace>();
        place && focus && place->layer == view.layer && place->head == focus->head)
      mark_region(ui, region, at);
  const BoardRegion* region = hovered_region(board, at);
  if (const auto* place = region ? region->of<HeadPlace>() : nullptr) {
    mark_region(ui, *region, at);
    point_at_detail(ui, *place);
    if (place->layer == view.layer) ui.state.hover = strongest_cell(*ui.block, place->layer, place->head);
    if (is_tapped(ui)) {
      open_head(ui.state, place->layer, place->head);
    } else {
      head_tooltip(ui, *region, at);
    }
  }
  ImGui::EndChild();
  draw_head_detail(ui, detail);
}

std::string nothing_of_model(const Ui& ui) {
  const ViewKindRow& view = ui.view().row();
  if (!view.of_model()) return "";
  if (waits_for_model(ui)) return waiting_text(ui);
  if (const auto error = ui.trace ? error_of(*ui.trace) : std::nullopt) return ui.tr(*error);
  const char* const none = view.predicts ? why_no_view(ui.inputs, ui.trace.get(), view) : nullptr;
  return none == nullptr ? "" : ui.tr(none);
}

void draw_expected_tokens(Ui& ui, Index query) {
  const Trace* trace = predicting(ui);
  if (trace == nullptr) return;
  const auto expected = ui.view_cache.expectations(ui.trace, ui.side);
  if (!expected || query < expected->range.begin || query >= expected->range.end) return;
  std::string heading = prediction_title(ui.tr, *trace->predictions);
  if (const auto& bits = expected->surprise[query - expected->range.begin])
    heading = ui.tr("Surprise: {} bits", fmt::format("{:.2f}", *bits)) + " · " + heading;
  muted_text(ui.style, heading);
  described_tokens(ui, *trace, expected->at(expected->range.first_layer, query));
}

std::optional<double> surprise_of(const Ui& ui, Index query) {
  const Trace* trace = predicting(ui);
  if (trace == nullptr) return {};
  const auto expected = ui.view_cache.expectations(ui.trace, ui.side);
  if (!expected || query < expected->range.begin || query >= expected->range.end) return {};
  return expected->surprise[query - expected->range.begin];
}

ImU32 surprise_color(const Ui& ui, double bits) {
  constexpr double maximum = 12;  // about that of one of 4,000 equally likely words
  const double share = std::clamp(bits / maximum, 0.0, 1.0);
  const Palette& theme = palette(ui.style.theme);
  return with_alpha(theme.warning, static_cast<float>(0.12 + 0.88 * share));
}

void draw_heads_at_cell(Ui& ui, int query, int key, std::size_t maximum) {
  const auto heads = ui.view_cache.heads_at_cell(ui.block, query, key);
  if (!heads) return hint(ui.style, computing_text(ui));
  for (std::size_t i = 0; i < std::min(maximum, heads->size()); ++i) {
    const HeadAtCell& head = (*heads)[i];
    ImGui::PushID(static_cast<int>(i));
    const ImVec2 cursor = ImGui::GetCursorScreenPos(), at{cursor.x, cursor.y + list_line_lead()};
    const float width = std::max(ImGui::GetContentRegionAvail().x, ui.style.font_size * 12);
    const std::string number = weight_text(head.weight);
    if (list_line("###head", false, 0, {width, 0})) {
      lock_in(ui.state, *ui.block, head.layer, {head.head, query, key});
      open_head(ui.state, head.layer, head.head);
    }
    anchor(fmt::format("head at cell {}", i));
    hear_name(full_head_name(ui, head.layer, head.head) + " " + number);
    const float room = width - ImGui::CalcTextSize(number.c_str()).x - ui.style.font_size * 0.5F;
    tint_line(at, width, head.weight, head_rgb(ui, head.layer, head.head));
    ImGui::GetWindowDrawList()->AddText(
        at, palette(ui.style.theme).text,
        fit_text(drawn_text(full_head_name(ui, head.layer, head.head)), room).c_str());
    ImGui::GetWindowDrawList()->AddText({at.x + width - ImGui::CalcTextSize(number.c_str()).x, at.y},
                                        palette(ui.style.theme).text, number.c_str());
    ImGui::PopID();
  }
}

std::string listed_heads(const Ui& ui, const std::set<HeadPlace>& off) {
  const auto heads_of = [&](const HeadPlace& head) {
    const auto& blocks = ui.trace->blocks;
    const auto found =
        std::ranges::find(blocks, head.block, [](const BlockTrace& one) { return one.shape.kind; });
    return found == blocks.end() || head.layer >= found->shape.layers ? 0 : found->heads_of(head.layer);
  };
  std::string names;
  std::optional<BlockKind> before;
  for (auto head = off.begin(); head != off.end();) {
    const auto same_layer = [&](const HeadPlace& one) {
      return one.block == head->block && one.layer == head->layer;
    };
    const auto end = std::find_if_not(head, off.end(), same_layer);
    names += names.empty() ? "" : ui.tr(", ");
    if (head->block != BlockKind::self && before != head->block)
      names += block_title(ui.tr, head->block) + " ";
    before = head->block;
    const int layer = head->layer + 1;
    if (std::distance(head, end) == heads_of(*head))
      names += ui.tr("layer {}", layer);
    else
      for (auto one = head; one != end; ++one)
        names += (one == head ? "" : ui.tr(", ")) + head_number(one->layer, one->head);
    head = end;
  }
  return names;
}

bool compares_ablated_heads(const Ui& ui) {
  return ui.compare && (!ui.compare->ablated_heads.empty() || !ui.inputs.ablated_heads.empty());
}

void draw_ablated_heads(Ui& ui, float width) {
  if (!ui.inputs.about().ablates || !compares_ablated_heads(ui)) return;
  const bool of_a = ui.compare->ablated_heads.empty();
  Inputs& run = of_a ? ui.inputs : *ui.compare;
  const std::string names = listed_heads(ui, run.ablated_heads);
  const std::string text = of_a ? ui.tr("Off in A: {}", names) : ui.tr("Off in B: {}", names);
  const float em = ui.style.font_size;
  next_in_line(width);
  ImGui::SetNextItemWidth(std::min(width, width_of_list(text.c_str())));
  const bool opened = begin_list("###heads off", fit_text(text, width - 2 * em).c_str());
  if (!opened) tooltip(text + "\n" + ui.tr("Layer and head, numbered from 1"));
  if (!opened) anchor("heads off");
  if (!opened) return;
  int by = static_cast<int>(run.ablation);
  muted_text(ui.style, text);
  if (choose("heads off by",
             {{ui.tr("zero"), ui.tr("An ablated head gives zero")},
              {ui.tr("mean"),
               ui.tr("An ablated head gives the mean of its context over this text's positions")}},
             by))
    run.ablation = static_cast<Ablation>(by);
  const bool all_on = button(ui.tr("All on"), "all heads on");
  if (all_on) ImGui::CloseCurrentPopup();
  ImGui::EndCombo();
  if (!all_on) return;
  if (of_a)
    run.ablated_heads.clear();
  else
    switch_all_on(ui.inputs, ui.compare, ui.state);
}

}  // namespace headscope

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "app/panels/map/map_pointer.h"
#include "app/panels/views/head_detail.h"
#include "app/panels/views/head_label.h"
#include "app/panels/views/predictions.h"
#include "app/panels/views/views.h"
#include "app/panels/widgets/glyphs.h"
#include "app/panels/widgets/imgui_calls.h"
#include "app/panels/widgets/pixels.h"
#include "app/panels/widgets/placed_text.h"
#include "app/panels/widgets/theme.h"
#include "app/panels/widgets/widgets.h"
#include "app/state/derived/view_cache.h"
#include "app/state/view/navigation.h"
#include "core/base/enum_table.h"
#include "core/scene/readable_numbers.h"
#include "core/scene/table_tint.h"

namespace headscope {
namespace {

/// A column as it is drawn.
struct Column {
  enum Kind { head, name, relation, group, number } kind = number;
  const char* sort = "";  ///< the HeadSort::by of this column; nullptr: none
  const char* mark = "";  ///< for tests
  std::string title;      ///< on at most two lines
  const char* help = "";
  const HeadColumn* numbers = nullptr;
  float width = 0;
};

/// On two lines if it is wider than `room`.
std::string column_title(const Ui& ui, const std::string& title, float room) {
  if (ImGui::CalcTextSize(title.c_str()).x <= room) return title;
  const auto [first, second] = in_two_lines(title, measure_with(ui.style.font_size));
  return second.empty() ? first : first + "\n" + second;
}

bool two_lines(const std::vector<Column>& columns) {
  return std::ranges::any_of(
      columns, [](const Column& column) { return column.title.find('\n') != std::string::npos; });
}

/// The width of "off" after the number of a head, if a head is ablated.
float room_of_ablated(const Ui& ui) {
  for (int layer = 0; layer < ui.block->layer_count(); ++layer)
    if (ablated_heads(*ui.block, layer) > 0)
      return ImGui::CalcTextSize((std::string(" · ") + ui.tr("off")).c_str()).x;
  return 0;
}

/// On a projector names cannot be edited: without any the column is hidden.
bool shows_names(const Ui& ui) {
  return !ui.style.presented ||
         std::ranges::any_of(ui.labels, [](const HeadLabel& label) { return !label.name.empty(); });
}

bool shows_relations(const Ui& ui) {
  return ui.trace && !relations_of(*ui.trace, ui.block->shape.kind).empty();
}

bool is_narrow(const Ui& ui) {
  return ImGui::GetContentRegionAvail().x < 40 * ui.style.font_size;
}

std::vector<Column> columns_of(const Ui& ui) {
  const float em = ui.style.font_size, number = em * 3.4F;
  const bool narrow = is_narrow(ui);
  std::vector<Column> columns{
      {Column::head, "", "head", ui.tr("Head"),
       ui.tr("Layer and head, numbered from 1; in arrays and files from 0. Click a row to open the head."),
       nullptr, em * (ui.style.presented ? 3.2F : 3.9F) + room_of_ablated(ui)}};
  if (shows_names(ui))
    columns.push_back({Column::name, "name", "name", ui.tr("Name"),
                       ui.tr("Your own name and colour, saved in the session"), nullptr,
                       em * (narrow ? 5.0F : 7.5F)});
  if (shows_relations(ui))
    columns.push_back({Column::relation, nullptr, "relation", ui.tr("Relation"),
                       ui.tr("From the model's card: the share of the relation's words at "
                             "which its strongest weight is right"),
                       nullptr, em * (narrow ? 12.5F : 16.0F)});
  if (ui.view().table.groups > 1)
    columns.push_back({Column::group, "similarity", "group", ui.tr("Group"),
                       ui.tr("Group of similar heads, numbered in tree order"), nullptr, em * 3});
  for (const HeadColumn& entry : head_columns(*ui.block)) {
    const std::string title = column_title(ui, ui.tr(entry.title), number);
    columns.push_back({Column::number, entry.name, entry.name, title, ui.tr(entry.formula), &entry});
  }
  // The arrow at the sort column is below a one-line title, otherwise next to it. A projector shows all
  // columns, without sorting.
  const float arrow = ui.style.presented ? 0 : em * (two_lines(columns) ? 0.4F : 0.8F);
  const float minimum = ui.style.presented ? em * 3.1F : number + em * 0.5F;
  for (Column& column : columns)
    if (column.kind == Column::number)
      column.width = std::max(minimum, ImGui::CalcTextSize(column.title.c_str()).x + arrow);
  // Where not all fit, numbers are in sight first.
  if (narrow)
    std::stable_partition(columns.begin(), columns.end(), [](const Column& column) {
      return column.kind != Column::name && column.kind != Column::relation;
    });
  return columns;
}

float header_height(const std::vector<Column>& columns) {
  return std::max(finger_height(), ImGui::GetTextLineHeight() * (two_lines(columns) ? 2 : 1) +
                                       2 * ImGui::GetStyle().CellPadding.y);
}

/// One frame of the table.
class HeadTable {
 public:
  explicit HeadTable(Ui& ui)
      : ui_(ui),
        view_(ui.view()),
        theme_(palette(ui.style.theme)),
        columns_(columns_of(ui)),
        owner_(ui.view_cache.rows(ui.block, view_, ui.labels)) {
    if (view_.table.groups > 1)
      tree_ = ui.view_cache.head_tree(ui.view_cache.similarity(ui.block), view_.table.groups);
  }

  void draw(ImVec2 size) {
    constexpr ImGuiTableFlags flags = ImGuiTableFlags_ScrollX | ImGuiTableFlags_ScrollY |
                                      ImGuiTableFlags_RowBg | ImGuiTableFlags_BordersInnerV |
                                      ImGuiTableFlags_Resizable | ImGuiTableFlags_Reorderable |
                                      ImGuiTableFlags_Hideable | ImGuiTableFlags_NoSavedSettings;
    // Widths depend on the texts and the order on the room, so each has a separate table.
    const std::string id = fmt::format("heads {} {} {}", static_cast<int>(ui_.tr.language()),
                                       ui_.style.font_size, is_narrow(ui_));
    if (!ImGui::BeginTable(id.c_str(), static_cast<int>(columns_.size()), flags, size)) return;
    ImGui::TableSetupScrollFreeze(1, 1);
    for (const Column& column : columns_) {
      const ImGuiTableColumnFlags fixed = ImGuiTableColumnFlags_WidthFixed;
      std::string name = column.title;
      std::ranges::replace(name, '\n', ' ');
      ImGui::TableSetupColumn(name.c_str(),
                              column.kind == Column::head ? fixed | ImGuiTableColumnFlags_NoHide : fixed,
                              column.width);
      if (column.numbers) full_.push_back(full_bar(*column.numbers, rows_));
    }
    draw_header();
    draw_seen_rows(static_cast<int>(rows_.size()), [&](int i) {
      const HeadRow& row = rows_[i];
      ImGui::PushID(row.layer);
      ImGui::PushID(row.head);
      draw_row(row);
      ImGui::PopID();
      ImGui::PopID();
    });
    ImGui::EndTable();
  }

 private:
  void draw_header() {
    const float height = header_height(columns_);
    ImGui::TableNextRow(ImGuiTableRowFlags_Headers, height);
    for (int i = 0; i < std::ssize(columns_); ++i) {
      if (!ImGui::TableSetColumnIndex(i)) continue;
      const Column& column = columns_[i];
      ImGui::PushID(i);
      const ImVec2 at = ImGui::GetCursorScreenPos();
      const float right = at.x + ImGui::GetContentRegionAvail().x;
      ImGui::TableHeader("");
      hear_name(column.title);
      // A drag moves the column; a press by keyboard has no button.
      const bool by_key = ImGui::IsItemActivated() && !ImGui::IsMouseDown(ImGuiMouseButton_Left);
      if (by_key || (ImGui::IsItemDeactivated() && clicked())) sort_by(column);
      tooltip(column.sort == nullptr ? std::string(column.help)
                                     : column.help + std::string("\n") +
                                           ui_.tr("Click to sort by this column, here and in the grid."));
      anchor(std::string("column ") + column.mark);
      ImDrawList& list = *ImGui::GetWindowDrawList();
      list.AddText(at, theme_.text, column.title.c_str());
      if (column.sort != nullptr && view_.sort.by == column.sort) draw_arrow(list, right, at.y + height);
      ImGui::PopID();
    }
    leave_out_table_menu();
  }

  static bool clicked() {
    const ImGuiIO& io = ImGui::GetIO();
    return ImGui::IsItemHovered() && ImGui::IsMouseReleased(ImGuiMouseButton_Left) &&
           io.MouseDragMaxDistanceSqr[0] < io.MouseDragThreshold * io.MouseDragThreshold;
  }

  /// The same column again: reverses the order, if it has one.
  void sort_by(const Column& column) {
    if (column.sort == nullptr) return;
    const bool again = view_.sort.by == column.sort;
    HeadSort& sort = ui_.state.view.sort;
    sort.by = column.sort;
    if (column.kind == Column::number || column.kind == Column::name)
      sort.descending = again ? !sort.descending : column.kind == Column::number;
  }

  void draw_arrow(ImDrawList& list, float right, float bottom) const {
    const bool down = view_.sort.descending && find_head_column(view_.sort.by) != nullptr;
    const bool name_down = view_.sort.descending && view_.sort.by == "name";
    const float r = ui_.style.font_size * 0.22F, x = right - r;
    const float y = bottom - ui_.style.font_size * 0.55F, turn = down || name_down ? r : -r;
    list.AddTriangleFilled({x - r, y - turn * 0.7F}, {x + r, y - turn * 0.7F}, {x, y + turn}, theme_.accent);
  }

  void draw_row(const HeadRow& row) {
    ImGui::TableNextRow();
    std::size_t number = 0;
    for (int i = 0; i < std::ssize(columns_); ++i) {
      const Column& column = columns_[i];
      const std::size_t at = column.kind == Column::number ? number++ : 0;
      if (!ImGui::TableSetColumnIndex(i)) continue;
      switch (column.kind) {
        case Column::head:
          draw_head(row);
          break;
        case Column::name:
          draw_name(row);
          break;
        case Column::relation:
          draw_relation(row);
          break;
        case Column::group:
          draw_group(row);
          break;
        case Column::number:
          draw_number(*column.numbers, row, full_[at]);
          break;
      }
    }
  }

  void draw_head(const HeadRow& row) {
    const std::string number = short_head_name(ui_, row.layer, row.head);
    const bool chosen = view_.layer == row.layer && ui_.focus() && ui_.focus()->head == row.head;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float side = ImGui::GetTextLineHeight() * 0.7F,
                top = at.y + list_line_lead() + ImGui::GetTextLineHeight() * 0.15F;
    // The row opens its head when pressed outside of the fields.
    const std::string label = "      " + with_off(ui_.tr, number, *ui_.block, row.layer, row.head) + "##row";
    if (list_line(label.c_str(), chosen,
                  ImGuiSelectableFlags_SpanAllColumns | ImGuiSelectableFlags_AllowItemOverlap))
      open_head(ui_.state, row.layer, row.head);
    if (ImGui::IsItemHovered()) {
      MapPlace place;
      place.layer = row.layer;
      place.head = row.head;
      note_map(ui_, place, ImGui::GetItemRectMin(), ImGui::GetItemRectMax(), true, false);
      const std::string relations = relation_lines(ui_, row.layer, row.head);
      if (!relations.empty()) tooltip(full_head_name(ui_, row.layer, row.head) + relations);
    }
    if (ImGui::IsItemHovered() || ImGui::IsItemFocused())
      point_at_detail(ui_, {ui_.block->shape.kind, row.layer, row.head});
    if (listener() != nullptr) hear_name(full_head_name(ui_, row.layer, row.head));
    anchor("row " + number);
    ImGui::GetWindowDrawList()->AddRectFilled({at.x, top}, {at.x + side, top + side},
                                              head_rgb(ui_, row.layer, row.head), side / 5);
  }

  void draw_name(const HeadRow& row) {
    if (ui_.style.presented) {
      const HeadLabel* label = find_label(ui_.labels, row.layer, row.head);
      if (label != nullptr)
        ImGui::TextUnformatted(fit_text(drawn_text(label->name), ImGui::GetContentRegionAvail().x).c_str());
      return;
    }
    const ImVec2 padding = ImGui::GetStyle().FramePadding;
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {padding.x, ui_.style.finger > 0 ? padding.y : 0});
    edit_head_label(ui_, row.layer, row.head);
    if (listener() != nullptr)
      hear_name(ui_.tr("{}: {}", full_head_name(ui_, row.layer, row.head), ui_.tr("Name")));
    ImGui::PopStyleVar();
  }

  /// In the longest form that fits; the row's tooltip has all of it.
  void draw_relation(const HeadRow& row) {
    const float room = ImGui::GetContentRegionAvail().x;
    const auto fits = [room](const std::string& text) { return ImGui::CalcTextSize(text.c_str()).x <= room; };
    std::string badge = fitting_badge(ui_, row.layer, row.head, fits);
    const std::vector<std::string> whole = head_relations(ui_, row.layer, row.head);
    if (badge.empty() && !whole.empty()) badge = fit_text(drawn_text(whole.front()), room);
    ImGui::TextUnformatted(badge.c_str());
  }

  void draw_group(const HeadRow& row) {
    const int group = tree_ ? tree_->group_of(row.layer, row.head) : -1;
    ImGui::TextUnformatted(group < 0 ? "…" : std::to_string(group + 1).c_str());
    anchor(fmt::format("group {} of {}", group + 1, short_head_name(ui_, row.layer, row.head)));
  }

  void draw_number(const HeadColumn& column, const HeadRow& row, double full) {
    if (!row.knows(column)) return hint(ui_.style, "…");
    const auto value = row.value(column);
    if (!value) {
      ui_.memory.next_signs.note_number("–");
      hint(ui_.style, "–");
      tooltip(ui_.tr("A mean over no rows, so this number is undefined here"));
      return;
    }
    const auto tint = static_cast<float>(table_tint(*value, full));
    ImGui::TableSetBgColor(ImGuiTableBgTarget_CellBg, with_alpha(theme_.accent, tint));
    const std::string number = in_column(*value, 3);
    ui_.memory.next_signs.note_number(number);
    ImGui::TextUnformatted(number.c_str());
  }

  Ui& ui_;
  const View& view_;
  const Palette& theme_;
  std::vector<Column> columns_;
  HeadTableRows owner_;  ///< owns what rows_ point to
  const std::vector<HeadRow>& rows_ = owner_.rows;
  std::vector<double> full_;  ///< value of a full bar, per column of numbers
  std::shared_ptr<const HeadTree> tree_;
};

/// At which every column of the table is visible.
ImVec2 head_table_size(const Ui& ui) {
  const std::vector<Column> columns = columns_of(ui);
  const ImGuiStyle& style = ImGui::GetStyle();
  float width = style.ScrollbarSize + style.CellPadding.x;
  for (const Column& column : columns) width += column.width + 2 * style.CellPadding.x + 1;
  const int rows = ui.block->layer_count() * ui.block->heads();
  const float line = std::max(ImGui::GetTextLineHeight(), finger_height()) + 2 * style.CellPadding.y;
  return {width, header_height(columns) + line * static_cast<float>(rows) + style.ScrollbarSize};
}

/// How the two halves are placed.
enum class Places { beside, below, one };

Places places_for(const Ui& ui, ImVec2 room, ImVec2 table) {
  const float em = ui.style.font_size;
  if (room.x > table.x + em * 20 && room.y > em * 12) return Places::beside;
  // With less, the matrix is too small to point at its heads.
  return room.y > em * 33 ? Places::below : Places::one;
}

/// The table, which leaves half of its height to one head, large, where both are readable then.
void draw_numbers(Ui& ui, ImVec2 whole) {
  const ImVec2 at = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
  const Rect area{at.x, at.y, room.x, room.y};
  constexpr double share = 0.3;
  Rect detail = room_for_detail(ui, area, whole.x, std::min(whole.y, room.y), share);
  if (detail.width <= 0) detail = room_for_detail(ui, area, room.x, room.y / 2, share);
  const float bottom = detail.y > at.y ? pixels(detail.y) - 1.5F * ui.style.font_size : at.y + room.y;
  HeadTable(ui).draw({std::min(whole.x, room.x), bottom - at.y});
  draw_head_detail(ui, detail);
}

/// The number of clusters that the tree is cut into.
void draw_group_count(Ui& ui) {
  int& groups = ui.state.view.table.groups;
  const int heads = head_count(*ui.block);
  const float inner = ImGui::GetStyle().ItemInnerSpacing.x;
  const std::string help = ui.tr("Cuts the tree into this many groups of similar heads; 1 means no groups.") +
                           std::string("\n") + similarity_method(ui);
  next_in_line(ui.style.font_size * 11);
  framed_text(ui.tr("Groups"));
  tooltip(help);
  ImGui::SameLine();
  ImGui::PushID("groups");
  if (icon_button("fewer", Icon::minus, ui.tr("Fewer groups"))) change_groups(ui.state.view.table, -1, heads);
  anchor("groups fewer");
  ImGui::SameLine(0, inner);
  ImGui::SetNextItemWidth(ui.style.font_size * 2.6F);
  typed_int("###groups", groups, 1, std::max(1, heads));
  tooltip(help);
  ImGui::SameLine(0, inner);
  if (icon_button("more", Icon::plus, ui.tr("More groups"))) change_groups(ui.state.view.table, 1, heads);
  anchor("groups more");
  change_groups(ui.state.view.table, 0, heads);
  ImGui::PopID();
}

/// What is shown of the table, given whether both fit.
TableHalf with_room(TableHalf half, bool room_for_both) {
  return half == TableHalf::both && !room_for_both ? TableHalf::numbers : half;
}

void draw_toolbar(Ui& ui, bool room_for_both) {
  TableHalf& half = ui.state.view.table.half;
  std::vector<Choice> choices{{ui.tr("Both")}, {ui.tr("Numbers")}, {ui.tr("Similarity")}, {ui.tr("Scatter")}};
  Choice& both = of_kind(choices, TableHalf::both);
  both.enabled = room_for_both;
  if (!room_for_both) both.help = ui.tr("There is only room for one of them");
  auto shown = static_cast<int>(with_room(half, room_for_both));
  if (choose("half", choices, shown)) half = static_cast<TableHalf>(shown);
  draw_group_count(ui);
}

}  // namespace

void draw_head_table_view(Ui& ui) {
  ImGui::BeginChild("population");
  if (const char* note = statistics_note(*ui.block)) hint(ui.style, ui.tr(note));
  ImVec2 room = ImGui::GetContentRegionAvail();
  room.y -= ImGui::GetFrameHeightWithSpacing();
  const ImVec2 spacing = ImGui::GetStyle().ItemSpacing, table = head_table_size(ui);
  const Places places = places_for(ui, room, table);
  if (!ui.style.presented) draw_toolbar(ui, places != Places::one);
  const TableHalf half = with_room(ui.view().table.half, places != Places::one);
  ui.state.shown_table = half;
  ui.state.shown_beside = places == Places::beside;
  if (half == TableHalf::scatter) {
    draw_scatter(ui);
  } else if (half == TableHalf::numbers) {
    draw_numbers(ui, table);
  } else if (half == TableHalf::similarity) {
    draw_similarity(ui, {0, 0});
  } else if (places == Places::beside) {
    HeadTable(ui).draw({table.x, ImGui::GetContentRegionAvail().y});
    ImGui::SameLine();
    draw_similarity(ui, {0, 0});
  } else {
    const float height = std::min(table.y, ImGui::GetContentRegionAvail().y * 0.45F - spacing.y);
    HeadTable(ui).draw({room.x, height});
    draw_similarity(ui, {0, 0});
  }
  ImGui::EndChild();
}

}  // namespace headscope

#include "app/panels/views/similarity.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/panels/map/map_panel.h"
#include "app/panels/map/map_pointer.h"
#include "app/panels/views/head_label.h"
#include "app/panels/widgets/theme.h"
#include "app/panels/widgets/widgets.h"
#include "app/state/view/view_cache.h"
#include "core/scene/range.h"

namespace headscope {
namespace {

/// One frame of the matrix of distances, with the tree that ordered the heads above it.
class SimilarityMatrix {
 public:
  SimilarityMatrix(Ui& ui, std::shared_ptr<const HeadTree> tree)
      : ui_(ui),
        tree_(std::move(tree)),
        theme_(palette(ui.style.theme)),
        list_(*ImGui::GetWindowDrawList()),
        heads_(static_cast<int>(tree_->heads.size())),
        grouped_(tree_->blocks.size() > 1) {}

  void draw() {
    place();
    const ScreenMap map = place_map(ui_, PainterSlots::others, area_, picture());
    draw_tree(map);
    draw_picture(list_, ui_, map);
    if (grouped_) draw_groups(map);
    draw_names(map);
    draw_column_names(map);
    draw_bar();
    draw_method();
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    if (const auto cell = hovered_ ? pointed_cell(map, mouse) : std::nullopt) report(map, *cell);
  }

 private:
  void place() {
    const float em = ui_.style.font_size;
    const ImVec2 from = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
    strip_ = grouped_ ? em * 1.3F : 0;
    tree_height_ = std::clamp(room.y * 0.16F, em * 2, em * 6);
    const float left = em * 3 + strip_, top = tree_height_ + em * 0.6F;
    // The columns' names are vertical where the cells are narrower than they.
    name_width_ = 0;
    for (int i = 0; i < heads_; ++i)
      name_width_ = std::max(name_width_, text_size(name_style(), name_of(i)).x);
    const auto side_with = [&](float columns) {
      below_ = columns + em * 2.6F;
      return std::max(em * 4, std::min(room.x - left - em, room.y - top - below_));
    };
    columns_ = em * 1.2F;
    rotated_ = name_width_ + em * 0.3F > side_with(columns_) / static_cast<float>(std::max(1, heads_));
    if (rotated_) columns_ = name_width_ + em * 0.4F;
    const float side = side_with(columns_);
    area_ = {from.x + left, from.y + top, side, side};
    free_ = room.x - left - side - 2 * em;
    ImGui::InvisibleButton("matrix", {std::max(1.0F, left + side), std::max(1.0F, top + side + below_)});
    hovered_ = ImGui::IsItemHovered();
    if (ui_.ui_anchors)
      ui_.ui_anchors->add("matrix", {from.x + left, from.y + top},
                          {from.x + left + side, from.y + top + side});
  }

  MapPicture picture() const {
    MapPicture drawn = map_picture(tree_->distance.data(), nullptr, heads_, heads_,
                                   colors(ui_.state.view.colormap), {0, tree_->largest, false});
    drawn.owner = tree_;
    return drawn;
  }

  const HeadSimilarity::Head& head_at(int place) const {
    return tree_->heads[static_cast<std::size_t>(place)];
  }

  /// The merges as brackets: height is the distance at which two clusters were joined.
  void draw_tree(const ScreenMap& map) {
    const float base = map.min.y - 3, thick = stroke(map);
    const auto y = [&](double height) {
      return base - (tree_height_ - 3) * static_cast<float>(tree_->share(height));
    };
    for (const HeadTree::Bracket& bracket : tree_->brackets) {
      const bool strong = grouped_ && bracket.within;
      const ImU32 color = strong ? theme_.text : theme_.muted;
      const float left = map.column_edge(bracket.left), right = map.column_edge(bracket.right);
      const ImVec2 points[] = {{left, y(bracket.left_height)},
                               {left, y(bracket.height)},
                               {right, y(bracket.height)},
                               {right, y(bracket.right_height)}};
      list_.AddPolyline(points, 4, color, 0, strong ? thick : 1);
    }
    if (!grouped_) return;
    const float cut = y(tree_->cut), dash = ui_.style.font_size * 0.4F;
    for (float x = map.min.x; x < map.max.x; x += 2 * dash)
      list_.AddLine({x, cut}, {std::min(x + dash, map.max.x), cut}, theme_.accent);
  }

  /// Line width of the cluster marks: thinner where cells are small.
  float stroke(const ScreenMap& map) const {
    return std::max(1.0F, std::min(ui_.style.font_size / 9, map.cell_width() / 5));
  }

  /// A frame around each cluster's block of the matrix, and its number next to it.
  void draw_groups(const ScreenMap& map) {
    const float size = size_of(ui_.style, ui_.style.small), width = stroke(map);
    const MapTextStyle text = text_style(ui_.style, size, theme_.text, 0.5F, 0.5F);
    float written = -size;
    for (std::size_t g = 0; g < tree_->blocks.size(); ++g) {
      const auto [begin, end] = tree_->blocks[g];
      const float top = map.row_edge(begin), bottom = map.row_edge(end);
      const ImVec2 low{map.column_edge(begin), top}, high{map.column_edge(end), bottom};
      // Light inside dark is visible on every colour.
      list_.AddRect(low, high, IM_COL32(0, 0, 0, 220), 0, 0, width * 2);
      list_.AddRect(low, high, IM_COL32_WHITE, 0, 0, width);
      const float left = map.min.x - strip_, right = map.min.x - strip_ * 0.2F;
      list_.AddRectFilled({left, top + 1}, {right, bottom - 1},
                          with_alpha(theme_.muted, g % 2 == 0 ? 0.35F : 0.18F), 2);
      if (ui_.ui_anchors) ui_.ui_anchors->add(fmt::format("group {}", g + 1), {left, top}, {right, bottom});
      const float middle = (top + bottom) / 2;
      if (middle - written < size) continue;
      draw_text(list_, text, {(left + right) / 2, middle}, std::to_string(g + 1));
      written = middle;
    }
  }

  MapTextStyle name_style(float align_x = 1, float align_y = 0.5F) const {
    return text_style(ui_.style, size_of(ui_.style, ui_.style.small) * 0.9F, theme_.text, align_x, align_y);
  }
  std::string name_of(int place) const {
    return short_head_name(ui_, head_at(place).layer, head_at(place).head);
  }

  void draw_column_names(const ScreenMap& map) {
    const MapTextStyle text = rotated_ ? name_style() : name_style(0.5F, 0);
    const int step = std::max(1, static_cast<int>(std::ceil(text.size * 1.05F / map.cell_width())));
    const float y = map.max.y + ui_.style.font_size * 0.15F;
    for (int i = 0; i < heads_; i += step) {
      const float x = (map.column_edge(i) + map.column_edge(i + 1)) / 2;
      if (rotated_)
        draw_rotated_text(list_, text, {x, y}, name_of(i));
      else
        draw_text(list_, text, {x, y}, name_of(i));
    }
    note_place("matrix columns", {map.min.x, y}, {map.max.x, y + columns_});
  }

  void draw_names(const ScreenMap& map) {
    const MapTextStyle text = name_style();
    const float size = text.size;
    const int step = std::max(1, static_cast<int>(std::ceil(size * 1.05F / map.cell_height())));
    const float dot = std::min(map.cell_height(), size) * 0.6F;
    for (int i = 0; i < heads_; ++i) {
      const HeadSimilarity::Head& head = head_at(i);
      const float y = (map.row_edge(i) + map.row_edge(i + 1)) / 2;
      const ImU32 color = head_rgb(ui_, head.layer, head.head);
      const float x = map.min.x - strip_ - 3;
      list_.AddRectFilled({x - dot, y - dot / 2}, {x, y + dot / 2}, color);
      if (i % step == 0) draw_text(list_, text, {x - 3 - dot, y}, name_of(i));
    }
  }

  void draw_bar() {
    const float em = ui_.style.font_size, y = static_cast<float>(area_.bottom()) + columns_ + em * 0.7F;
    const auto x = static_cast<float>(area_.x);
    const float width = std::min(static_cast<float>(area_.width) * 0.8F, em * 10);
    constexpr int pieces = 32;
    for (int i = 0; i < pieces; ++i) {
      const Rgb color = colors(ui_.state.view.colormap)[static_cast<std::size_t>(i * 255 / (pieces - 1))];
      list_.AddRectFilled({x + width * static_cast<float>(i) / pieces, y},
                          {x + width * static_cast<float>(i + 1) / pieces, y + em * 0.5F}, to_color(color));
    }
    const float size = size_of(ui_.style, ui_.style.small);
    MapTextStyle text = text_style(ui_.style, size, theme_.muted, 0, 0);
    draw_text(list_, text, {x, y + em * 0.7F}, "0");
    text.align_x = 1;
    draw_text(list_, text, {x + width, y + em * 0.7F}, bound_text(tree_->largest));
    text.align_x = 0;
    text.align_y = 0.5F;
    draw_text(list_, text, {x + width + em * 0.6F, y + em * 0.25F}, ui_.tr("Jensen–Shannon distance"));
    note_place("matrix bar", {x, y}, {x + width, y + em * 1.6F});
  }

  /// How it was computed, in the space next to the square in a wide window.
  void draw_method() {
    const float em = ui_.style.font_size;
    if (free_ < em * 14) return;
    const auto x = static_cast<float>(area_.right()) + em * 1.5F;
    const std::string text = similarity_method(ui_);
    const float width = std::min(free_, em * 32), height = wrapped_height(text, width);
    // Next to the matrix; a longer text starts higher so that it ends above the bar's name.
    const auto end = static_cast<float>(area_.bottom()) + columns_;
    const float y = std::max(std::min(static_cast<float>(area_.y), end - height),
                             static_cast<float>(area_.y) - tree_height_);
    if (y + height > end) return;  // the heading's tooltip has it
    ImGui::SetCursorScreenPos({x, y});
    ImGui::BeginGroup();
    ImGui::PushStyleColor(ImGuiCol_Text, theme_.muted);
    wrapped_text(text, width);
    ImGui::PopStyleColor();
    ImGui::EndGroup();
    note_place("matrix method", {x, y}, {x + width, y + height});
  }

  std::string name_at(int place) const {
    const HeadSimilarity::Head& head = head_at(place);
    std::string name = full_head_name(ui_, head.layer, head.head);
    if (grouped_) name += " · " + ui_.tr("group {}", tree_->group_at(place) + 1);
    return name;
  }

  void report(const ScreenMap& map, const PointedCell& cell) {
    draw_cross(list_, ui_, map, cell.row, cell.column, true);
    const HeadSimilarity::Head& a = head_at(cell.row);
    if (ImGui::IsMouseClicked(ImGuiMouseButton_Left)) {
      ui_.state.view.layer = a.layer;
      open_head(ui_.state, a.head);
    }
    if (!begin_tooltip({map.column_edge(cell.column), map.row_edge(cell.row)},
                       {map.column_edge(cell.column + 1), map.row_edge(cell.row + 1)}))
      return;
    ImGui::TextUnformatted(name_at(cell.row).c_str());
    ImGui::TextUnformatted(name_at(cell.column).c_str());
    ImGui::TextUnformatted(ui_.tr("Jensen–Shannon distance {}", fmt::format("{:.3f}", cell.value)).c_str());
    muted_text(ui_.style, ui_.tr("Click to open the first head"));
    ImGui::EndTooltip();
  }

  Ui& ui_;
  std::shared_ptr<const HeadTree> tree_;
  const Palette& theme_;
  ImDrawList& list_;
  int heads_ = 0;
  bool grouped_ = false;
  float strip_ = 0, tree_height_ = 0;  ///< size of the clusters' numbers and of the tree
  float free_ = 0;                     ///< space right of the matrix
  float name_width_ = 0, columns_ = 0,
        below_ = 0;       ///< of the widest name; of the columns' names; of all below
  bool rotated_ = false;  ///< whether the columns' names are rotated
  Rect area_;
  bool hovered_ = false;
};

}  // namespace

std::string similarity_method(const Ui& ui) {
  return ui.tr(
      "Jensen–Shannon distance of two heads: √(mean over rows of JS(p, q)), where p and q are the row's "
      "weights in each head, JS(p, q) = (KL(p ‖ m) + KL(q ‖ m)) / 2 in bits and m = (p + q) / 2. 0: "
      "identical, 1: nothing in common.\nThe tree repeatedly joins the two nearest heads or groups; the "
      "distance between two groups is the mean distance over all their pairs (average linkage). Undoing the "
      "last joins leaves the groups.");
}

void draw_similarity(Ui& ui, ImVec2 size) {
  ImGui::BeginChild("similarity", size, false, ImGuiWindowFlags_NoScrollbar);
  ImGui::AlignTextToFramePadding();
  ImGui::TextUnformatted(ui.tr("Similarity of heads"));
  tooltip(similarity_method(ui));
  const bool grouped = ui.state.view.sort == "similarity";
  const char* text = grouped ? ui.tr("Sort by number") : ui.tr("Sort by similarity");
  next_in_line(ImGui::CalcTextSize(text).x + ui.style.font_size);
  if (ImGui::Button(text)) ui.state.view.sort = grouped ? "" : "similarity";
  tooltip(ui.tr("In the grid and in the table"));
  anchor_item(ui.ui_anchors, "group heads");
  const auto similarity = ui.view_cache.similarity(ui.block);
  const auto tree = ui.view_cache.head_tree(similarity, ui.state.view.groups);
  if (!tree)
    hint(ui.style, ui.tr("Comparing heads…"));
  else
    SimilarityMatrix(ui, tree).draw();
  ImGui::EndChild();
}

}  // namespace headscope

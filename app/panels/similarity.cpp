#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/panels/derived.h"
#include "app/panels/head_label.h"
#include "app/panels/map_panel.h"
#include "app/panels/map_pointer.h"
#include "app/panels/population.h"
#include "app/panels/theme.h"
#include "app/panels/widgets.h"
#include "core/figure/range.h"

namespace headscope {
namespace {

/// One frame of the matrix of distances, with the tree that put the heads in order above it.
class Matrix {
 public:
  Matrix(Ui& ui, std::shared_ptr<const HeadSimilarity> similarity, std::shared_ptr<const Tensor> ordered)
      : ui_(ui),
        similarity_(std::move(similarity)),
        ordered_(std::move(ordered)),
        theme_(palette(ui.style.theme)),
        list_(*ImGui::GetWindowDrawList()),
        heads_(static_cast<int>(similarity_->heads.size())) {
    const float* end = ordered_->data() + ordered_->size();
    const float most = *std::max_element(ordered_->data(), end);
    if (most > 0) largest_ = most;
  }

  void draw() {
    place();
    const ScreenMap map = place_map(ui_, PainterSlots::others, area_, request());
    draw_tree(map);
    draw_picture(list_, ui_, map);
    draw_names(map);
    draw_bar();
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    if (const auto cell = hovered_ ? pointed_cell(map, mouse) : std::nullopt) tell(map, *cell);
  }

 private:
  void place() {
    const float em = ui_.style.font_size;
    const ImVec2 from = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
    const float left = em * 2.6F, top = em * 4, below = em * 3;
    const float side = std::max(em * 4, std::min(room.x - left - em, room.y - top - below));
    area_ = {from.x + left, from.y + top, side, side};
    ImGui::InvisibleButton("matrix", {std::max(1.0F, left + side), std::max(1.0F, top + side + below)});
    hovered_ = ImGui::IsItemHovered();
  }

  HeatmapRequest request() const {
    HeatmapRequest request;
    request.owner = ordered_;
    request.values = ordered_->data();
    request.n_q = request.n_k = heads_;
    request.query_end = request.key_end = heads_;
    request.colors = &colors(ui_.state.view.colormap);
    request.range = {0, largest_, false};
    request.masked = masked_style(ui_.style.theme);
    return request;
  }

  const HeadSimilarity::Head& head_at(int place) const {
    return similarity_->heads[static_cast<std::size_t>(similarity_->order[static_cast<std::size_t>(place)])];
  }

  /// The merges as brackets: height is the distance at which two groups were joined.
  void draw_tree(const ScreenMap& map) {
    const auto heads = static_cast<std::size_t>(heads_);
    const float base = map.min.y - 3, height = ui_.style.font_size * 3.4F;
    std::vector<ImVec2> tops(heads + similarity_->merges.size());
    for (std::size_t place = 0; place < heads; ++place)
      tops[static_cast<std::size_t>(similarity_->order[place])] = {
          (map.column_edge(static_cast<double>(place)) + map.column_edge(static_cast<double>(place + 1))) / 2,
          base};
    for (std::size_t i = 0; i < similarity_->merges.size(); ++i) {
      const HeadSimilarity::Merge& merge = similarity_->merges[i];
      const ImVec2 a = tops[static_cast<std::size_t>(merge.left)],
                   b = tops[static_cast<std::size_t>(merge.right)];
      const float y = base - height * static_cast<float>(merge.distance) / largest_;
      list_.AddLine(a, {a.x, y}, theme_.muted);
      list_.AddLine(b, {b.x, y}, theme_.muted);
      list_.AddLine({a.x, y}, {b.x, y}, theme_.muted);
      tops[heads + i] = {(a.x + b.x) / 2, y};
    }
  }

  void draw_names(const ScreenMap& map) {
    const float size = size_of(ui_.style, ui_.style.small) * 0.9F;
    TextStyle text = text_style(ui_.style, size, theme_.text, 1, 0.5F);
    const int step = std::max(1, static_cast<int>(std::ceil(size * 1.05F / map.cell_height())));
    const float dot = std::min(map.cell_height(), size) * 0.6F;
    for (int i = 0; i < heads_; ++i) {
      const HeadSimilarity::Head& head = head_at(i);
      const float y = (map.row_edge(i) + map.row_edge(i + 1)) / 2;
      const ImU32 color = head_rgb(ui_, head.layer, head.head);
      list_.AddRectFilled({map.min.x - 3 - dot, y - dot / 2}, {map.min.x - 3, y + dot / 2}, color);
      if (i % step == 0)
        draw_text(list_, text, {map.min.x - 6 - dot, y}, short_head_name(ui_, head.layer, head.head));
    }
  }

  void draw_bar() {
    const float em = ui_.style.font_size, y = static_cast<float>(area_.bottom()) + em * 0.7F;
    const auto x = static_cast<float>(area_.x);
    const float width = std::min(static_cast<float>(area_.width) * 0.8F, em * 10);
    constexpr int pieces = 32;
    for (int i = 0; i < pieces; ++i) {
      const Rgb color = colors(ui_.state.view.colormap)[static_cast<std::size_t>(i * 255 / (pieces - 1))];
      list_.AddRectFilled({x + width * static_cast<float>(i) / pieces, y},
                          {x + width * static_cast<float>(i + 1) / pieces, y + em * 0.5F}, to_color(color));
    }
    const float size = size_of(ui_.style, ui_.style.small);
    TextStyle text = text_style(ui_.style, size, theme_.muted, 0, 0);
    draw_text(list_, text, {x, y + em * 0.7F}, ui_.tr("0: the same"));
    text.align_y = 0.5F;
    draw_text(list_, text, {x + width + em * 0.4F, y + em * 0.25F}, bound_text(largest_));
  }

  void tell(const ScreenMap& map, const PointedCell& cell) {
    draw_cross(list_, map, cell.row, cell.column, true);
    const HeadSimilarity::Head &a = head_at(cell.row), &b = head_at(cell.column);
    ImGui::BeginTooltip();
    ImGui::TextUnformatted(full_head_name(ui_, a.layer, a.head).c_str());
    ImGui::TextUnformatted(full_head_name(ui_, b.layer, b.head).c_str());
    ImGui::TextUnformatted(
        ui_.tr.format("Jensen–Shannon distance {}", fmt::format("{:.3f}", cell.value)).c_str());
    muted_text(ui_.style, ui_.tr("Click to open the first of them"));
    ImGui::EndTooltip();
    if (!ImGui::IsMouseClicked(ImGuiMouseButton_Left)) return;
    ui_.state.view.layer = a.layer;
    open_head(ui_, a.head);
  }

  Ui& ui_;
  std::shared_ptr<const HeadSimilarity> similarity_;
  std::shared_ptr<const Tensor> ordered_;
  const Palette& theme_;
  ImDrawList& list_;
  int heads_ = 0;
  float largest_ = 1;  ///< distance: the end of the colours and the height of the tree
  Rect area_;
  bool hovered_ = false;
};

}  // namespace

void draw_similarity(Ui& ui, ImVec2 size) {
  ImGui::BeginChild("similarity", size, false, ImGuiWindowFlags_NoScrollbar);
  ImGui::TextUnformatted(ui.tr("How alike the heads look"));
  tooltip(
      ui.tr("Jensen–Shannon distance: the square root of the mean over rows of the divergence in bits,\n"
            "(KL(p ‖ m) + KL(q ‖ m)) / 2 with m = (p + q) / 2. Heads stand in the order of a tree by average "
            "linkage, so that groups of similar heads show as blocks."));
  ImGui::SameLine();
  const bool grouped = ui.state.view.sort == "similarity";
  if (ImGui::SmallButton(grouped ? ui.tr("Grid by number") : ui.tr("Group the grid like this")))
    ui.state.view.sort = grouped ? "" : "similarity";
  mark_item(ui.marks, "group heads");
  const auto similarity = ui.derived.similarity(ui.trace);
  const auto ordered = ui.derived.ordered_distances(similarity);
  if (!similarity || similarity->heads.empty() || !ordered)
    hint(ui.style, ui.tr("The heads are being compared …"));
  else
    Matrix(ui, similarity, ordered).draw();
  ImGui::EndChild();
}

}  // namespace headscope

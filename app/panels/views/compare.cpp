#include <fmt/format.h>

#include <algorithm>

#include "app/panels/map/map_panel.h"
#include "app/panels/map/map_pointer.h"
#include "app/panels/views/head_label.h"
#include "app/panels/views/predictions.h"
#include "app/panels/views/views.h"
#include "app/panels/widgets/glyphs.h"
#include "app/panels/widgets/imgui_calls.h"
#include "app/panels/widgets/pixels.h"
#include "app/panels/widgets/theme.h"
#include "app/panels/widgets/widgets.h"
#include "app/state/actions/present.h"
#include "app/state/derived/view_cache.h"
#include "app/state/document/adjust.h"
#include "app/state/view/compared_cell.h"
#include "core/figure/boards/map_pictures.h"
#include "core/scene/range.h"
#include "core/scene/readable_numbers.h"
#include "core/session/history.h"

namespace headscope {
namespace {

/// One frame of the three maps.
class Compare {
 public:
  Compare(Ui& ui, std::shared_ptr<const Comparison> comparison, int head)
      : ui_(ui),
        comparison_(std::move(comparison)),
        c_(*comparison_),
        head_(head),
        maps_(ui.view_cache.compared_head(comparison_, head)),
        look_(ui.view_cache.comparison_look(comparison_, ui.view().range)),
        list_(*ImGui::GetWindowDrawList()) {}

  void draw(ImVec2 room) {
    from_ = ImGui::GetCursorScreenPos();
    room_ = {std::max(1.0F, room.x), std::max(1.0F, room.y)};
    invisible_button("three maps", room_);
    hear_nothing();  // each map is heard
    hovered_ = ImGui::IsItemHovered();
    find_focus();
    const GridLayout layout = place();
    if (layout.panels.front().numbers_fit) {
      for (const ComparedMap side : {ComparedMap::a, ComparedMap::b})
        weights_.add(NumberExtent::of(picture_of(side)));
      differences_ = NumberExtent::of(picture_of(ComparedMap::difference));
    }
    // What differs is at the end of a title, which would be cut.
    brief_ = std::ranges::any_of(layout.panels, [&](const PanelLayout& panel) {
      const std::string title = compared_title(ui_.tr, *ui_.scene, c_, head_, map_of(panel));
      return measure_with(pixels(layout.title_size))(title) > panel.title.width;
    });
    for (const PanelLayout& panel : layout.panels) draw_map(layout, panel);
    draw_bar_name(ui_, layout.bar_name, layout.tick_size,
                  compared_name(ui_.tr, ui_.view().range, *ui_.shown));
    if (ui_.stale || ui_.other.stale || !present()) {
      Ui stale = ui_;
      stale.stale = true;
      draw_stale_mark(list_, stale, from_, {from_.x + room_.x, from_.y + room_.y});
    }
    keys();
  }

 private:
  GridLayout place() const {
    // Selection frames are drawn around the maps.
    const double margin = (ui_.style.presented ? 0.3 : 0.5) * ui_.style.font_size;
    LayoutRequest request = layout_request(ui_, {from_.x + margin, from_.y, room_.x - 2 * margin, room_.y},
                                           {0, 1, 2}, ui_.style.small);
    request.x_tokens = look_->columns;
    request.y_tokens = look_->rows;
    request.bar_values = {"−0.00123"};
    request.maps_first = true;
    if (request.presented)
      request.stretch = Presented::stretch;
    else
      request.min_map = 5.6 * ui_.style.font_size;
    GridLayout layout = grid_layout(request);
    // Distinct cells are worth more than the line that says what the bars show.
    const auto is_small = [&] {
      const Rect& map = layout.panels.front().map;
      const double least = Presented::cell * static_cast<double>(ImGui::GetMainViewport()->Size.y);
      return std::min(map.width / static_cast<double>(look_->columns.size()),
                      map.height / static_cast<double>(look_->rows.size())) < least;
    };
    if (request.presented && is_small()) {
      request.named_bars = false;
      layout = grid_layout(request);
    }
    if (request.presented && is_small()) {
      request.one_frame = true;  // bars without a line of numbers
      layout = grid_layout(request);
    }
    ui_.state.shown_rows = layout.shape.rows;
    ui_.state.shown_columns = layout.shape.columns;
    return layout;
  }

  /// Whether the comparison is of the blocks that the rest of the window shows.
  bool present() const { return c_.shown_a->block == ui_.block && c_.shown_b->block == ui_.other.block; }

  void find_focus() {
    if (present()) focus_ = focused_place(c_, ui_.state);
  }

  MapPicture picture_of(ComparedMap map) const {
    const bool difference = map == ComparedMap::difference;
    const std::vector<ColorRange>& ranges = difference ? look_->difference : look_->weights;
    MapPicture picture = compared_picture(c_, *maps_, ui_.view(), head_, map, ranges[head_]);
    picture.owner = maps_;
    return picture;
  }

  static ComparedMap map_of(const PanelLayout& panel) { return static_cast<ComparedMap>(panel.head); }

  void draw_map(const GridLayout& layout, const PanelLayout& panel) {
    if (panel.map.width <= 0 || panel.map.height <= 0) return;
    const int side = panel.head;
    const ComparedMap shown = map_of(panel);
    const ScreenMap map = place_map(ui_.style, PainterSlots::compare + side, panel.map, picture_of(shown));
    const bool edited = side == (ui_.state.edits == Side::b);
    const Palette& theme = palette(ui_.style.theme);
    const MapTextStyle title = text_style(layout.title_size, edited ? theme.accent : theme.text, 0.5F, 0.5F);
    const std::string whole = compared_title(ui_.tr, *ui_.scene, c_, head_, shown, brief_);
    const std::string name = shortened(whole, panel.title.width, measure_with(title.size));
    if (ui_.memory.ui_anchors != nullptr && name != whole) ui_.memory.ui_anchors->add_cut("compare title");
    draw_text(list_, title,
              {pixels(panel.title.x + panel.title.width / 2), pixels(panel.title.y + panel.title.height / 2)},
              name);
    draw_ends(layout, panel, map.request.range, text_size(title, name).x);
    draw_picture(list_, ui_, map);
    draw_axes(list_, ui_, layout, panel, map,
              {look_->rows, look_->columns, focus_.row, focus_.column, false});
    draw_color_bar(list_, ui_, layout, panel.color_bar, map.request.range, *map.request.colors);
    if (focus_.any()) draw_cross(list_, ui_.style, map, focus_.row, focus_.column, true);
    draw_locked(map);
    if (panel.numbers_fit)
      draw_numbers(
          list_, ui_, map, [&] { return shown == ComparedMap::difference ? differences_ : weights_; },
          layout.tick_size);  // drawn in full above the frames
    draw_marks(ui_, map, placed_marks(ui_.scene->marks, c_, head_), layout.label_size);
    note_place(fmt::format("compare map {}", side), map.min, map.max);
    hear(map, side, compared_title(ui_.tr, *ui_.scene, c_, head_, shown));
    if (hovered_) point(map);
    note_menu(map, side);
  }

  /// Each is by itself in the way of Tab; the cell is one cell of all.
  void hear(const ScreenMap& map, int side, const std::string& title) const {
    if (listener() == nullptr) return;
    const std::string id = fmt::format("map {}", side);
    const bool first = side == 0;
    HeardMap heard{id, ImGui::GetID(first ? "three maps" : id.c_str()),
                   full_head_name(ui_, c_.shown_a->layer, head_) + " · " + title};
    if (present()) heard.cell = heard_cell(ui_, caption_of(ui_.tr, ui_.state, *ui_.shown, ui_.labels, &c_));
    heard.keys = {key_that_moves_cell(ui_.tr)};
    heard.opens = false;
    hear_map(std::move(heard), map.min, map.max);
    if (!first && has_keyboard(ImGui::GetID(id.c_str()))) outline(map.min, map.max);
  }

  /// Of the range of a bar without numbers, at the end of the title's line where they fit.
  void draw_ends(const GridLayout& layout, const PanelLayout& panel, const ColorRange& range,
                 float title_width) {
    if (!layout.strips || panel.title.height <= 0) return;
    const MapTextStyle text = text_style(layout.tick_size, palette(ui_.style.theme).muted, 1, 0.5F);
    const std::string ends = range_text(range);
    const float right = pixels(panel.map.right()), middle = pixels(panel.title.x + panel.title.width / 2);
    if (right - text_size(text, ends).x < middle + title_width / 2 + text.size / 2) return;
    draw_text(list_, text, {right, pixels(panel.title.y + panel.title.height / 2)}, ends);
  }

  void draw_locked(const ScreenMap& map) {
    const ComparedPlace locked = present() ? locked_place(c_, ui_.state) : ComparedPlace{};
    if (locked.any()) draw_lock(list_, ui_, map, locked.row, locked.column, true);
  }

  void point(const ScreenMap& map) {
    const auto cell = pointed_cell(map, ImGui::GetIO().MousePos);
    if (!cell) return;
    report(cell->row, cell->column, cell->pooled);
    draw_lens(ui_, map, {look_->rows, look_->columns, -1, -1, false}, *cell);
    if (!present()) return;
    const ComparedPlace place{cell->row, cell->column};
    hover_place(ui_.state, c_, head_, place);
    if (is_tapped(ui_)) toggle_lock(ui_.state, c_, head_, place);
  }

  /// The difference's menu is that of the side being edited.
  void note_menu(const ScreenMap& map, int side) {
    if (!present()) return;
    const Side of = side == 2 ? ui_.state.edits : side == 1 ? Side::b : Side::a;
    const auto pointed = hovered_ ? pointed_cell(map, ImGui::GetIO().MousePos) : std::nullopt;
    const ComparedPlace place =
        pointed ? ComparedPlace{pointed->row, pointed->column} : locked_place(c_, ui_.state);
    MapPlace noted{(of == Side::b ? c_.shown_b : c_.shown_a)->layer, head_, of, {}, {}};
    if (place.any() && has_cell(c_, place, of)) noted.cell = cell_at(c_, head_, place, of);
    ViewState there;
    hover_place(there, c_, head_, place);
    noted.place = there.other_hover;
    noted.lock = there.hover;
    note_map(ui_, noted, map.min, map.max, hovered_, side == (ui_.state.edits == Side::b));
  }

  std::string weight_of(const Tensor& values, const std::vector<std::uint8_t>& states, int row, int column,
                        bool partner) const {
    if (!partner) return ui_.tr("no counterpart");
    if (ui_.hides_numbers) return "?";
    const Index at = row * c_.columns() + column;
    const std::uint8_t state = states[at];
    if (state == cell_masked) return ui_.tr("blocked");
    if (state == cell_filtered) return ui_.tr("hidden by the filter");
    return with_minus(fmt::format("{:.4g}", values.data()[at]));
  }

  void report(int row, int column, bool pooled) const {
    if (ui_.style.presented) return;  // the caption shows it
    const AlignedToken query = c_.queries.tokens[row];
    const AlignedToken key = c_.keys.tokens[column];
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    const float near = ui_.style.font_size;
    if (!begin_tooltip({mouse.x - near, mouse.y - near}, {mouse.x + near, mouse.y + near})) return;
    ImGui::TextUnformatted(head_title(ui_, head_).c_str());
    tooltip_line(ui_.style, ui_.tr("Query"), drawn_text(look_->rows[row]));
    tooltip_line(ui_.style, ui_.tr("Key"), drawn_text(look_->columns[column]));
    const bool in_a = query.a >= 0 && key.a >= 0, in_b = query.b >= 0 && key.b >= 0;
    tooltip_line(ui_.style, "A", weight_of(maps_->a, maps_->state_a, row, column, in_a));
    tooltip_line(ui_.style, "B", weight_of(maps_->b, maps_->state_b, row, column, in_b));
    if (in_a && in_b && !ui_.hides_numbers)
      tooltip_line(ui_.style, "B − A",
                   with_minus(fmt::format("{:+.4g}", maps_->difference.data()[row * c_.columns() + column])));
    if (c_.shown_a->renormalized || c_.shown_b->renormalized)
      muted_text(ui_.style, ui_.tr("rows renormalized over the keys shown"));
    if (pooled)
      muted_text(ui_.style, c_.shown_a->means() ? ui_.tr("one of the cells under this pixel")
                                                : ui_.tr("largest of the cells under this pixel"));
    ImGui::EndTooltip();
  }

  void keys() {
    if (!ImGui::IsWindowFocused() || ImGui::GetIO().WantTextInput) return;
    const auto [right, down] = map_arrows(ui_.style);
    if (ImGui::GetIO().KeyCtrl) {
      if (right != 0) compare_head_of(ui_.state, (head_ + right + c_.heads) % c_.heads);
      if (down != 0) change_layer(ui_.state, down, *ui_.block);
    } else if (right != 0 || down != 0) {
      if (present()) move_lock(ui_.state, c_, head_, down, right);
    }
  }

  Ui& ui_;
  std::shared_ptr<const Comparison> comparison_;
  const Comparison& c_;
  int head_ = 0;
  std::shared_ptr<const ComparedHead> maps_;
  std::shared_ptr<const ComparisonLook> look_;
  ImDrawList& list_;
  ImVec2 from_, room_;
  bool hovered_ = false, brief_ = false;  ///< its titles
  ComparedPlace focus_;                   ///< to mark
  /// Differences have signs, and are written apart so as not to shrink the weights.
  NumberExtent weights_, differences_;
};

/// What is shown where only one of them fits.
enum class ComparePart { maps, differences, predictions };

/// The controls above the maps, in one line: short where the whole texts do not fit.
class CompareBar {
 public:
  /// `part`: to be chosen; nullptr: all are shown.
  CompareBar(Ui& ui, ComparePart* part) : ui_(ui), part_(part) {
    if (has_shifted_predictions(ui)) parts_.push_back({ui.tr("Predictions")});
    const ImGuiStyle& style = ImGui::GetStyle();
    float width = (part != nullptr ? width_of(parts_) : 0) + off_width();
    for (const char* text : {copy_text(), swap_text(), end_text()})
      width += ImGui::CalcTextSize(text).x + 2 * style.FramePadding.x + style.ItemSpacing.x;
    short_ = width + 8 * ui.style.font_size > ImGui::GetContentRegionAvail().x;
  }

  void draw() {
    const Translator& tr = ui_.tr;
    const char* const copies = tr("Reset B to a copy of A");
    if (short_ ? button("A → B", "copy A to B", copies) : button(copy_text(), "copy A to B", copies))
      ui_.compare = ui_.inputs;
    ImGui::SameLine();
    if (short_ ? icon_button("swap sides", Icon::swap, tr("Swap A and B"))
               : button(swap_text(), "swap sides", tr("Swap A and B")))
      std::swap(ui_.inputs, *ui_.compare);
    draw_ablated_heads(ui_, off_width());
    if (part_ != nullptr) choose_part();
    ImGui::SameLine();
    const bool ends = short_ ? icon_button("end comparison", Icon::close, end_text())
                             : button(end_text(), "end comparison");
    draw_changes();
    if (ends) end_comparison(ui_.state, ui_.compare);
  }

 private:
  const char* copy_text() const { return ui_.tr("Copy A to B"); }
  const char* swap_text() const { return ui_.tr("Swap"); }
  const char* end_text() const { return ui_.tr("End comparison"); }
  float off_width() const {
    const bool off = ui_.inputs.about().ablates && compares_ablated_heads(ui_);
    return off ? ui_.style.font_size * (short_ ? 4.2F : 11) : 0;
  }
  void choose_part() {
    ImGuiStorage& memory = *ImGui::GetStateStorage();
    int chosen = std::clamp(memory.GetInt(ImGui::GetID("part")), 0, static_cast<int>(parts_.size()) - 1);
    if (!short_) next_in_line(width_of(parts_));
    if (short_ ? choose_in_list("compare part", parts_, chosen) : choose("compare part", parts_, chosen))
      memory.SetInt(ImGui::GetID("part"), chosen);
    *part_ = static_cast<ComparePart>(chosen);
  }

  /// How B differs from A, on the rest of the line: the maps below do not move.
  void draw_changes() {
    const Translator& tr = ui_.tr;
    std::string names;
    for (const char* field : differing_inputs(ui_.inputs, *ui_.compare))
      names += std::string(names.empty() ? "" : tr(", ")) + tr(field);
    const bool failed = !ui_.other.error.empty();
    const std::string text = failed          ? tr("{}: {}", "B", ui_.other.error)
                             : names.empty() ? std::string(tr("B is a copy of A"))
                                             : tr("Different in B: {}", names);
    const std::string help = ui_.state.edits == Side::b
                                 ? tr("B is a copy of A; change its sentence or any input on the left.")
                                 : tr("B is a copy of A; click its sentence, then change it or any input.");
    const bool explains = names.empty() && !failed;
    const float icon = ImGui::GetFrameHeight() + ImGui::GetStyle().ItemSpacing.x;
    next_in_line(ImGui::GetFrameHeight());
    const float room = ImGui::GetContentRegionAvail().x - (explains ? icon : 0);
    const std::string shown = fit_text(text, room);
    const bool little =
        failed ? room < 4 * ui_.style.font_size : shown != text && room < 12 * ui_.style.font_size;
    if (little) return explain(explains ? help : text);
    ImGui::AlignTextToFramePadding();
    const Palette& colors = palette(ui_.style.theme);
    colored_line(failed ? colors.error : colors.muted, shown);
    anchor("state of B");
    tooltip(shown == text ? "" : text);
    if (!explains) return;
    ImGui::SameLine();
    explain(help);
  }

  void explain(const std::string& help) { info("about B", help); }

  Ui& ui_;
  ComparePart* part_;
  std::vector<Choice> parts_{{ui_.tr("Maps")}, {ui_.tr("Differences")}};
  bool short_ = false;
};

std::shared_ptr<const Comparison> comparison_of(Ui& ui) {
  if (!ui.other.block || ui.other.block->n_q() == 0 || ui.other.block->n_k() == 0) return nullptr;
  return ui.view_cache.comparison(ui.block, ui.other.block, ui.view());
}

/// The cells that differ most, and next to them how the model's predictions change.
void draw_lists(Ui& ui, const std::shared_ptr<const Comparison>& comparison, int head) {
  const ImVec2 room = ImGui::GetContentRegionAvail();
  const bool predicts = has_shifted_predictions(ui);
  if (predicts && room.x < 44 * ui.style.font_size) {
    // Only one of them fits.
    bool& predictions = *ImGui::GetStateStorage()->GetBoolRef(ImGui::GetID("predictions"), true);
    int chosen = predictions ? 1 : 0;
    if (choose("lists", {{ui.tr("Largest differences")}, {ui.tr("Predictions")}}, chosen))
      predictions = chosen == 1;
    return predictions ? draw_shifted_predictions(ui) : draw_differences(ui, comparison, head);
  }
  if (!predicts) return draw_differences(ui, comparison, head);
  ImGui::BeginGroup();
  draw_differences(ui, comparison, head, room.x * 0.56F);
  ImGui::EndGroup();
  ImGui::SameLine(room.x * 0.56F + ui.style.font_size);
  ImGui::BeginChild("shifted predictions", {0, 0}, false, ImGuiWindowFlags_NoNavInputs);
  draw_shifted_predictions(ui);
  ImGui::EndChild();
}

/// Below the maps, out of the available height; 0: they do not fit.
float height_of_lists(float room) {
  const float line = ImGui::GetFrameHeightWithSpacing();
  // Their space is reserved before the first difference is computed, which would otherwise shrink the maps.
  const float maximum = std::min(room * 0.34F, line * 9);
  // Less than the heading and one row is useless.
  return maximum > 2.5F * line ? maximum : 0;
}

/// `maximum`: height of the lists; 0: none.
void draw_maps_and_lists(Ui& ui, const std::shared_ptr<const Comparison>& comparison, int head,
                         float maximum) {
  const ImVec2 room = ImGui::GetContentRegionAvail();
  const float lists = maximum > 0 ? maximum + ImGui::GetStyle().ItemSpacing.y : 0;
  Compare(ui, comparison, head).draw({room.x, room.y - lists});
  if (maximum > 0) draw_lists(ui, comparison, head);
}

}  // namespace

void draw_compare(Ui& ui) {
  if (!ui.compare) ui.compare = ui.inputs;
  ImGui::BeginChild("compare", {0, 0}, false, ImGuiWindowFlags_NoNavInputs);
  const auto comparison = comparison_of(ui);
  const int heads = comparison ? comparison->heads : 0;
  const int head = std::clamp(ui.scene->head.value_or(0), 0, std::max(0, heads - 1));
  // The bar has a choice if the lists do not fit below it and the maps.
  const float lists = height_of_lists(ImGui::GetContentRegionAvail().y - ImGui::GetFrameHeightWithSpacing());
  ComparePart part = ComparePart::maps;
  if (!ui.style.presented) CompareBar(ui, lists > 0 || heads == 0 ? nullptr : &part).draw();
  if (!ui.compare) return ImGui::EndChild();  // it was ended in the bar
  if (heads == 0) {
    const bool waiting = ui.stale || ui.other.stale || ui.view_cache.busy();
    hint(ui.style, waiting ? computing_text(ui) : ui.tr("Nothing to compare"));
  } else if (part == ComparePart::differences) {
    draw_differences(ui, comparison, head);
  } else if (part == ComparePart::predictions) {
    draw_shifted_predictions(ui);
  } else {
    draw_maps_and_lists(ui, comparison, head, ui.style.presented ? 0 : lists);
  }
  ImGui::EndChild();
}

}  // namespace headscope

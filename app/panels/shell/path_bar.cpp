#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "app/panels/inputs/color_controls.h"
#include "app/panels/map/held_chip.h"
#include "app/panels/map/map_pointer.h"
#include "app/panels/shell/frame_parts.h"
#include "app/panels/views/filter_bar.h"
#include "app/panels/views/model_view.h"
#include "app/panels/views/views.h"
#include "app/panels/widgets/glyphs.h"
#include "app/panels/widgets/imgui_calls.h"
#include "app/panels/widgets/theme.h"
#include "app/panels/widgets/widgets.h"
#include "app/state/app.h"
#include "app/state/derived/view_cache.h"
#include "app/state/document/document.h"
#include "app/state/view/compared_cell.h"
#include "app/state/view/navigation.h"
#include "core/scene/range.h"
#include "core/scene/source_title.h"
#include "core/source/maps/cell_maps.h"

namespace headscope {
namespace {

/// What the path names: the inputs of the last run or, before the first run of a source, what is known of it.
struct NamedSource {
  explicit NamedSource(const Workspace& work) {
    const Trace& trace = *work.trace();
    const bool known = work.inputs.model == trace.inputs.model && work.inputs.capture == trace.inputs.capture;
    const bool run = trace.source && (known || work.inputs.about().known_ahead);
    inputs = run ? &trace.inputs : &work.inputs;
    title = drawn_text(run ? source_title(work.tr, trace) : source_title(work.tr, work.inputs));
    name =
        inputs->about().from_seed ? std::string(work.tr("Seeded layer")) : drawn_text(source_name(*inputs));
    const std::string file = drawn_text(inputs->about().computes ? inputs->model : inputs->capture);
    more = title + "\n" +
           (inputs->about().from_seed ? work.tr("Random weights; click for trained models.") : file);
  }
  const Inputs* inputs;
  std::string name, title, more;
};

/// Where what is shown comes from, in parts that are menus: source › block › layer › head.
class Path {
 public:
  Path(App& app, Ui& ui) : app_(app), ui_(ui), row_(ui.view().row()) {
    if (ui.scene->trace && ui.scene->trace->blocks.size() > 1)
      for (const BlockTrace& block : ui.scene->trace->blocks)
        blocks_.push_back(block_title(ui.tr, *ui.scene->trace, block.shape.kind));
    choose_form();
  }

  void draw() {
    draw_source();
    draw_block();
    draw_layer();
    draw_head();
  }

  /// At the right end: what cells show and in which range, as a menu of both, after the chip of ranges that
  /// are held. A click on a bar of colours opens the menu at the bar.
  void draw_colors() {
    ImGui::SameLine();
    const float room = ImGui::GetContentRegionAvail().x, spacing = ImGui::GetStyle().ItemSpacing.x;
    const bool has_menu = row_.layer_maps() && !row_.has_steps && row_.cells != CellsAs::lines;
    if (!has_menu && !row_.thumbnails() && !row_.whole) {
      SignLegend(ui_).draw(room);
      return ImGui::NewLine();
    }
    const std::vector<std::string> forms = has_menu ? color_forms() : std::vector<std::string>();
    const SignLegend legend(ui_);
    const float others = legend.width() + (forms.empty() ? 0 : part_width(forms[1]) + spacing);
    HeldChip chip(ui_, room - others);
    draw_at_right(chip, legend, forms);
    if (has_menu) colors_at_bar();
  }

 private:
  float room() const {
    const float tools = row_.of_model() ? 0 : filter_bar_width(true) + ImGui::GetStyle().ItemSpacing.x;
    return ImGui::GetContentRegionAvail().x - tools;
  }

  /// What the colours are of, the longest first: a chip says what is held.
  std::vector<std::string> color_forms() const {
    RangeChoice range = ui_.view().range;
    range.held.clear();
    const BlockTrace& block = *ui_.shown->block;
    const std::optional<int> layer = row_.one_layer ? std::optional(ui_.shown->layer) : std::nullopt;
    return {colors_name(ui_.tr, range, block, layer), cells_name(ui_.tr, block, layer),
            brief_cells_name(ui_.tr, block, ui_.shown->layer)};
  }
  /// The first form that fits, or the last one cut; empty: not even that can be read.
  std::string fitting_form(const std::vector<std::string>& forms, float room) const {
    const auto fits = [&](const std::string& form) { return part_width(form) <= room; };
    const auto found = std::ranges::find_if(forms, fits);
    if (found != forms.end()) return *found;
    const bool readable = !forms.empty() && room >= readable_form * ui_.style.font_size;
    return readable ? fit_text(forms.back(), room - part_width("")) : std::string();
  }
  /// A line of its own where the menu has no room behind the path. In a lesson the maps need the line.
  void begin_line_of_colors(const HeldChip& chip, const std::vector<std::string>& forms) const {
    const float spacing = ImGui::GetStyle().ItemSpacing.x;
    const float least =
        forms.empty() ? 0 : std::min(part_width(forms[1]), readable_form * ui_.style.font_size) + spacing;
    // A chip that comes, or the button back to the notebook's layer, moves no map.
    const float coming = is_notebook_source(app_.inputs) ? ImGui::GetFrameHeight() + spacing / 2 : 0;
    const bool narrow = std::max(chip.width(), least) > ImGui::GetContentRegionAvail().x - coming;
    if (narrow && !app_.lesson.playing()) ImGui::NewLine();
  }
  void draw_at_right(HeldChip& chip, const SignLegend& legend, const std::vector<std::string>& forms) {
    const float spacing = ImGui::GetStyle().ItemSpacing.x;
    // In a lesson the author has chosen what is held.
    const bool says_held =
        chip.any() && !(app_.lesson.playing() && chip.width() > ImGui::GetContentRegionAvail().x);
    begin_line_of_colors(chip, forms);
    const float room = ImGui::GetContentRegionAvail().x - (says_held ? chip.width() + spacing : 0);
    const float left = ImGui::GetCursorPosX() + room;
    const std::string shown = fitting_form(forms, room);
    const float own = shown.empty() ? 0 : part_width(shown);
    legend.draw(room - own - spacing);
    if (shown.empty() && !says_held) return ImGui::NewLine();
    ImGui::SetCursorPosX(left - own);
    if (says_held) chip.draw();
    if (shown.empty()) return;
    if (says_held) ImGui::SameLine();
    if (part("colors", shown,
             (shown == forms.front() ? "" : forms.front() + "\n") +
                 ui_.tr("What cells show, and the weights at the two ends of the colours")))
      colors_menu();
  }
  void colors_at_bar() {
    const bool opens = std::exchange(ui_.memory.maps.wants_colors, false);
    if (opens) ImGui::OpenPopup("colors at bar");
    if (!ImGui::IsPopupOpen("colors at bar")) return;
    if (opens) ImGui::SetNextWindowPos(ImGui::GetIO().MousePos);
    if (ImGui::BeginPopup("colors at bar")) colors_menu();
  }

  // What there is.
  int layers() const {
    // The path stays while the sentence is empty.
    return ui_.block->layer_count() == 0 ? ui_.block->shape.layers : ui_.block->layer_count();
  }
  bool has_layer() const { return (layers() > 1 || row_.thumbnails()) && !row_.of_model(); }
  bool has_head() const { return (row_.layer_maps() || row_.one_head) && ui_.block->heads() > 0; }

  int shown_head() const {
    return row_.one_head && ui_.scene->head ? *ui_.scene->head : present_head(ui_.state, heads_of_layer());
  }
  int heads_of_layer() const {
    return row_.one_layer ? ui_.block->heads_of(std::min(ui_.view().layer, ui_.block->shape.layers - 1))
                          : ui_.block->heads();
  }
  /// Those to choose from: of a comparison, those that both sides have.
  std::vector<int> heads() const {
    std::vector<int> list = ui_.scene->heads;
    if (row_.compares && ui_.other.block && ui_.other.block->heads() > 0)
      std::erase_if(list, [&](int head) { return head >= ui_.other.block->heads(); });
    return list;
  }
  void choose_head(int head) {
    row_.compares ? compare_head_of(ui_.state, head) : show_head(ui_.state, head);
  }

  // Texts.
  std::string block_text(std::size_t block) const {
    const bool cross = ui_.scene->trace->blocks[block].shape.kind == BlockKind::cross;
    return brief_ && cross ? ui_.tr("Cross") : blocks_[block];
  }
  std::string layer_text() const {
    const int layer = ui_.view().layer + 1;
    if (!row_.one_layer) return brief_ ? fmt::format("1–{}", layers()) : std::string(ui_.tr("All layers"));
    if (brief_) return fmt::format("{} / {}", layer, layers());
    const std::string name = ui_.tr("Layer {} of {}", layer, layers());
    const BlockShape& shape = ui_.block->shape;
    return shape.is_softmax(std::min(layer, shape.layers) - 1)
               ? name
               : name + " · " + ui_.tr(to_label(shape.mixer_of(std::min(layer, shape.layers) - 1)));
  }
  std::string head_text() const {
    const int head = shown_head() + 1;
    if (!row_.one_head)
      return brief_ ? fmt::format("1–{}", heads_of_layer()) : std::string(ui_.tr("All heads"));
    return brief_ ? fmt::format("{} / {}", head, ui_.block->heads()) : ui_.tr("Head {}", head);
  }

  // Widths.
  float part_width(const std::string& text) const {
    return ImGui::CalcTextSize(text.c_str()).x + 0.9F * ui_.style.font_size +
           2 * ImGui::GetStyle().FramePadding.x;
  }
  float arrows_width() const { return arrows_ ? 2 * (ImGui::GetFrameHeight() + gap()) : 0; }
  float separator_width() const { return 0.5F * ui_.style.font_size + 2 * gap(); }
  float gap() const { return std::floor(0.2F * ui_.style.font_size); }
  /// Of all but the source, whose name takes what is left.
  float width_behind() const {
    float width = 0;
    if (!blocks_.empty()) {
      float widest = 0;
      for (std::size_t i = 0; i < blocks_.size(); ++i) widest = std::max(widest, part_width(block_text(i)));
      width += separator_width() + widest;
    }
    if (has_layer())
      width += separator_width() + part_width(layer_text()) + (row_.one_layer ? arrows_width() : 0);
    if (has_head())
      width += separator_width() + part_width(head_text()) + (row_.one_head ? arrows_width() : 0);
    return width;
  }
  void choose_form() {
    constexpr float readable = 5;
    for (const auto& [brief, arrows] : {std::pair{false, true}, {true, true}, {true, false}}) {
      brief_ = brief;
      arrows_ = arrows;
      if (width_behind() <= room() - readable * ui_.style.font_size) return;
    }
  }

  // Parts.
  void separator() {
    ImGui::SameLine(0, gap());
    const float height = ImGui::GetFrameHeight(), half = 0.18F * ui_.style.font_size;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float x = at.x + separator_width() / 2 - gap(), y = at.y + height / 2;
    const ImVec2 points[] = {{x - half / 2, y - half}, {x + half / 2, y}, {x - half / 2, y + half}};
    ImGui::GetWindowDrawList()->AddPolyline(points, 3, palette(ui_.style.theme).muted, 0,
                                            std::max(1.0F, 0.1F * ui_.style.font_size));
    ImGui::Dummy({separator_width() - 2 * gap(), height});
    ImGui::SameLine(0, gap());
  }

  /// A word that opens a menu; true while that is open, which is then to be ended.
  bool part(const char* id, const std::string& text, const std::string& help, bool enabled = true) {
    const float width = part_width(text), em = ui_.style.font_size;
    ImGui::BeginDisabled(!enabled);
    ImGui::PushStyleColor(ImGuiCol_Button, 0);
    ImGui::PushStyleVar(ImGuiStyleVar_FrameBorderSize, 0);
    const bool pressed = ImGui::Button((std::string("###") + id).c_str(), {width, 0});
    ImGui::PopStyleVar();
    ImGui::PopStyleColor();
    ImGui::EndDisabled();
    hear_name(text);
    anchor(id);
    tooltip(help);
    const ImVec2 min = ImGui::GetItemRectMin(), max = ImGui::GetItemRectMax();
    const Palette& colors = palette(ui_.style.theme);
    const ImGuiStyle& style = ImGui::GetStyle();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.AddText({min.x + style.FramePadding.x, min.y + style.FramePadding.y},
                 enabled ? colors.text : colors.muted, text.c_str());
    draw_icon(&list, Icon::down, {max.x - style.FramePadding.x - 0.25F * em, (min.y + max.y) / 2}, 0.25F * em,
              colors.muted);
    const std::string menu = std::string("menu of ") + id;
    if (pressed) ImGui::OpenPopup(menu.c_str());
    const bool open = ImGui::IsPopupOpen(menu.c_str());
    if (Heard* const heard = listener())
      if (HeardItem* const item = heard->last(min, max)) item->open = open;
    if (!open) return false;
    place_popup_below(12 * em);
    return ImGui::BeginPopup(menu.c_str());
  }

  void colors_menu() {
    ImGui::BeginChild("colors", {17 * ui_.style.font_size, 7.5F * ImGui::GetFrameHeightWithSpacing()});
    draw_cells_choice(ui_);
    draw_rollout_choice(ui_);
    draw_colormap_choice(ui_);
    draw_range_choice(ui_);
    ImGui::EndChild();
    ImGui::EndPopup();
  }

  void draw_source() {
    const NamedSource source(app_);
    const char* const untrained = ui_.tr("untrained");
    const float em = ui_.style.font_size, spacing = ImGui::GetStyle().ItemSpacing.x;
    float left = room() - width_behind() - part_width("");
    const bool resets = !is_notebook_source(app_.inputs);
    if (resets) left -= ImGui::GetFrameHeight() + spacing;
    const float badge = ImGui::CalcTextSize(untrained).x + em + spacing;
    const bool has_badge =
        source.inputs->untrained() && left > badge + ImGui::CalcTextSize(source.name.c_str()).x;
    if (has_badge) left -= badge;
    if (part("source", fit_text(source.name, std::max(left, 3 * em)), source.more)) {
      draw_source_menu(app_, ui_);
      ImGui::EndPopup();
    }
    if (has_badge) {
      ImGui::SameLine(0, spacing / 2);
      ImGui::AlignTextToFramePadding();
      draw_badge(untrained, palette(ui_.style.theme).warning);
      tooltip(source.more);
      ImGui::SameLine(0, 0.35F * em);
      ImGui::Dummy({0, 0});
    }
    if (!resets) return;
    ImGui::SameLine(0, spacing / 2);
    if (icon_button("notebook", Icon::reset,
                    ui_.tr("Restores the notebook's layer and sentence: seed 42, d_model 512, 8 heads. "
                           "Undo brings yours back.")))
      return_to_notebook(app_);
  }

  const char* help_of_block(BlockKind kind) const {
    switch (kind) {
      case BlockKind::encoder:
        return ui_.tr("The source text to itself");
      case BlockKind::decoder:
        return ui_.tr("The target text to itself");
      case BlockKind::cross:
        return ui_.tr("The target's queries to the source's keys");
      case BlockKind::text:
        return ui_.tr("The first sentence to itself");
      case BlockKind::state:
        return ui_.tr("What each layer has beside its attention");
      case BlockKind::pooling_2:
      case BlockKind::pooling_3:
      case BlockKind::pooling_4:
        return ui_.tr("The layer whose queries are pooled, two rows into one, from those that are its keys");
      case BlockKind::block_2:
      case BlockKind::block_3:
      case BlockKind::block_4:
        return ui_.tr("The layers over pooled rows");
      case BlockKind::upsampled:
        return ui_.tr("The last layers, over all tokens again: the pooled rows repeated, plus block 1's");
      case BlockKind::self:
        break;
    }
    return ui_.block->patches ? ui_.tr("The picture to itself") : ui_.tr("The text to itself");
  }

  /// Which of a model's blocks is shown.
  void draw_block() {
    if (blocks_.empty()) return;
    const std::vector<BlockTrace>& blocks = ui_.scene->trace->blocks;
    // Views of predictions are of their block, whichever the other views show.
    const auto& predictions = ui_.scene->trace->predictions;
    const bool predicts = row_.predicts && predictions;
    const BlockKind shown = predicts ? predictions->block() : ui_.block->shape.kind;
    const auto kind_of = [](const BlockTrace& block) { return block.shape.kind; };
    const auto chosen = static_cast<std::size_t>(std::ranges::find(blocks, shown, kind_of) - blocks.begin());
    const bool can = !predicts && !row_.whole;
    const char* const help = can ? help_of_block(shown)
                             : predicts
                                 ? ui_.tr("This view is about what the decoder expects, at its tokens.")
                                 : ui_.tr("This view shows all of them.");
    separator();
    if (!part("blocks", block_text(std::min(chosen, blocks_.size() - 1)), help, can)) return;
    for (std::size_t i = 0; i < blocks_.size(); ++i) {
      if (menu_item(blocks_[i], "blocks " + std::to_string(i), nullptr, i == chosen))
        show_block(ui_.state, blocks[i].shape.kind);
      tooltip(help_of_block(blocks[i].shape.kind));
    }
    ImGui::EndPopup();
  }

  void draw_layer() {
    if (!has_layer()) return;
    separator();
    const bool one = row_.one_layer, empty = ui_.block->layer_count() == 0;
    if (part("layer", layer_text(), ui_.tr("Layer (Ctrl+↑, Ctrl+↓)"), !empty)) {
      layer_menu();
      ImGui::EndPopup();
    }
    if (!one) return;
    ImGui::BeginDisabled(empty);
    arrow("layer down", Icon::left, ui_.tr("Previous layer (Ctrl+↑)"),
          [&] { change_layer(ui_.state, -1, *ui_.block); });
    arrow("layer up", Icon::right, ui_.tr("Next layer (Ctrl+↓)"),
          [&] { change_layer(ui_.state, 1, *ui_.block); });
    ImGui::EndDisabled();
  }

  void layer_menu() {
    for (int layer = 0; layer < layers(); ++layer) {
      ImGui::BeginDisabled(ui_.block->heads_of(layer) == 0);
      const bool chosen =
          menu_item(layer_name(ui_.tr, ui_.block->shape, layer), "layer " + std::to_string(layer), nullptr,
                    row_.one_layer && layer == ui_.view().layer);
      ImGui::EndDisabled();
      if (chosen) {
        if (row_.one_layer)
          change_layer(ui_.state, layer - ui_.view().layer, *ui_.block);
        else
          open_layer(ui_.state, layer);
      }
    }
  }

  void draw_head() {
    if (!has_head()) return;
    separator();
    if (part("path head", head_text(), ui_.tr("Head (Ctrl+←, Ctrl+→)"))) {
      head_menu();
      ImGui::EndPopup();
    }
    if (!row_.one_head) return;
    const auto step = [&](int by) { choose_head(neighbour_head(heads(), shown_head(), by)); };
    arrow("previous head", Icon::left, ui_.tr("Previous head (Ctrl+←)"), [&] { step(-1); });
    arrow("next head", Icon::right, ui_.tr("Next head (Ctrl+→)"), [&] { step(1); });
  }

  void head_menu() {
    const bool one = row_.one_head;
    const int present = shown_head();
    const auto changed = row_.compares && ui_.other.block
                             ? ui_.view_cache.changed_heads(ui_.block, ui_.other.block, ui_.view())
                             : nullptr;
    if (menu_item(ui_.tr("All heads"), "all heads", one ? shown_keys("Esc") : nullptr, !one))
      close_head(ui_.state);
    if (changed && !changed->empty())
      menu_heading(ui_.style, ui_.tr("How much the head changed from A to B"));
    for (const int head : heads()) {
      const std::string moved = changed ? change_text(ui_, *changed, ui_.view().layer, head) : "";
      if (!menu_item(drawn_text(head_title(ui_, head)), "path head " + std::to_string(head + 1),
                     moved.empty() ? nullptr : moved.c_str(), one && head == present))
        continue;
      one ? choose_head(head) : open_head(ui_.state, head);
    }
  }

  template <typename Go>
  void arrow(const char* id, Icon icon, const char* help, const Go& go) {
    if (!arrows_) return;
    ImGui::SameLine(0, gap());
    if (icon_button(id, icon, help)) go();
  }

  static constexpr float readable_form = 6;  ///< font sizes of the menu of colours

  App& app_;
  Ui& ui_;
  const ViewKindRow& row_;
  std::vector<std::string> blocks_;     ///< their titles, if there are several
  bool brief_ = false, arrows_ = true;  ///< the form that fits
};

}  // namespace

void draw_path_bar(App& app, Ui& ui) {
  Path path(app, ui);
  ui.memory.signs = std::exchange(ui.memory.next_signs, {});
  path.draw();
  draw_view_tools(ui);
  // Before the legend at the end of the line, which it would lie over.
  if (ui.view().row().whole && chooses_in_path(ui)) draw_model_choices(ui);
  path.draw_colors();
}

}  // namespace headscope

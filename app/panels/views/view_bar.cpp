#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "app/panels/views/filter_bar.h"
#include "app/panels/views/views.h"
#include "app/panels/widgets/imgui_calls.h"
#include "app/panels/widgets/theme.h"
#include "app/panels/widgets/widgets.h"
#include "app/state/derived/view_cache.h"
#include "app/state/view/available_views.h"
#include "app/state/view/navigation.h"
#include "core/base/round_up.h"
#include "core/scene/source_title.h"
#include "core/scene/view_kinds.h"

namespace headscope {
namespace {

/// The tabs in their groups, then what all views share: block, layer, filter. All of it keeps one form
/// whichever view is shown, so that no tab moves from under the pointer.
class ViewBar {
 public:
  explicit ViewBar(Ui& ui) : ui_(ui), row_(ui.state.view.row()) {
    for (const ViewGroup group : view_groups)
      for (const ViewKindRow& row : view_kinds)
        if (row.group == group) add_tab(row);
    add_blocks();
    choose_form();
  }

  void draw() {
    form_.list ? draw_list() : draw_tabs();
    if (form_.two_lines && (row_.one_layer || row_.maps() || !blocks_.empty())) begin_line();
    draw_blocks();
    draw_layer();
  }

 private:
  struct Tab {
    const ViewKindRow* row;
    Choice choice;
  };
  /// From the widest to the narrowest.
  struct Form {
    bool captions, block_list;
    float padding;  ///< of the tabs, as a share of the usual one
    bool list = false, short_layer = false;
    bool short_block = false;  ///< and no room kept for what a filter adds
    bool two_lines = false;    ///< the tabs above, what views share below
  };

  void add_tab(const ViewKindRow& row) {
    if (!has_view(ui_.inputs, row) && row.value != row_.value) return;
    const char* const none = why_no_view({ui_.inputs, ui_.trace.get(), *ui_.block, ui_.model.get()}, row);
    tabs_.push_back({&row, {ui_.tr(row.tab), ui_.tr(none == nullptr ? row.help : none), none == nullptr}});
  }

  void add_blocks() {
    if (!ui_.scene->trace || ui_.scene->trace->blocks.size() < 2) return;
    for (const BlockTrace& block : ui_.scene->trace->blocks)
      blocks_.push_back(block_title(ui_.tr, block.shape.kind));
  }

  const char* caption(ViewGroup group) const { return ui_.tr(view_group_name(group)); }

  float caption_width(ViewGroup group) const {
    ImGui::PushFont(nullptr, ui_.style.small);
    const float width = ImGui::CalcTextSize(caption(group)).x;
    ImGui::PopFont();
    return width;
  }

  float tab_padding(const Form& form) const {
    return std::floor(ImGui::GetStyle().FramePadding.x * form.padding);
  }
  float tab_gap() const { return std::floor(ImGui::GetStyle().ItemInnerSpacing.x * 0.5F); }
  float group_gap() const { return std::floor(ImGui::GetFontSize() * 0.55F); }

  float tabs_width(const Form& form) const {
    float width = 0;
    const Tab* before = nullptr;
    for (const Tab& tab : tabs_) {
      const bool first = before == nullptr || before->row->group != tab.row->group;
      if (before != nullptr) width += first ? 2 * group_gap() + 1 : tab_gap();
      if (first && form.captions) width += caption_width(tab.row->group) + 2 * tab_gap();
      width += ImGui::CalcTextSize(tab.choice.text).x + 2 * tab_padding(form);
      before = &tab;
    }
    return width;
  }

  /// "Cross" for "Cross-attention" where there is no room for more.
  std::string short_title(std::size_t block) const {
    const BlockKind kind = ui_.scene->trace->blocks[block].shape.kind;
    return kind == BlockKind::cross ? ui_.tr("Cross") : blocks_[block];
  }

  float blocks_width(bool list, bool brief) const {
    if (blocks_.empty()) return 0;
    const ImGuiStyle& style = ImGui::GetStyle();
    float all = 0, widest = 0;
    for (std::size_t i = 0; i < blocks_.size(); ++i) {
      const std::string& title = blocks_[i];
      all +=
          ImGui::CalcTextSize(title.c_str()).x + 2 * style.FramePadding.x + style.ItemInnerSpacing.x * 0.5F;
      widest = std::max(widest, width_of_list((brief ? short_title(i) : title).c_str()));
    }
    return style.ItemSpacing.x + (list ? widest : all);
  }

  int layers() const {
    // The controls stay in place while the sentence is empty.
    return ui_.block->layer_count() == 0 ? ui_.block->shape.layers : ui_.block->layer_count();
  }
  std::string layer_text(int layer, bool brief) const {
    return brief ? fmt::format("{} / {}", layer, layers()) : ui_.tr("Layer {} of {}", layer, layers());
  }
  float layer_text_width(bool brief) const {
    return ImGui::CalcTextSize(layer_text(layers(), brief).c_str()).x;
  }
  float layer_width(bool brief) const {
    const float gap = ImGui::GetStyle().ItemSpacing.x;
    return layers() < 2 ? 0 : 3 * gap + layer_text_width(brief) + 2 * ImGui::GetFrameHeight();
  }

  float list_width() const {
    float width = 0;
    for (const Tab& tab : tabs_) width = std::max(width, width_of_list(tab.choice.text));
    return width;
  }

  float width(const Form& form) const {
    const float tabs = form.list ? list_width() : tabs_width(form);
    const float shared = blocks_width(form.block_list, form.short_block) + layer_width(form.short_layer) +
                         ImGui::GetStyle().ItemSpacing.x + filter_bar_width(form.short_block);
    return form.two_lines ? std::max(tabs, shared) : tabs + shared;
  }

  void choose_form() {
    constexpr float tight = 0.6F, tightest = 0.4F;
    constexpr Form forms[] = {{true, false, 1},
                              {true, true, 1},
                              {true, true, tight},
                              {false, true, tight},
                              {false, true, tightest, false, true},
                              {true, false, 1, false, false, false, true},
                              {true, true, tight, false, true, true, true},
                              {false, true, tightest, false, true, true, true},
                              {true, true, 1, true},
                              {true, true, 1, true, true},
                              {true, true, 1, true, true, true}};
    const float room = ImGui::GetContentRegionAvail().x;
    const auto fits = [&](const Form& form) {
      return width(form) <= room && !(form.two_lines && is_low_window());
    };
    const Form* const found = std::ranges::find_if(forms, fits);
    form_ = found == std::end(forms) ? *std::rbegin(forms) : *found;
  }

  void show(const Tab& tab) { ui_.state.view.kind = tab.row->value; }
  std::string mark(const Tab& tab) const {
    return "views " + std::to_string(static_cast<int>(tab.row->value));
  }

  void draw_caption(ViewGroup group) {
    constexpr float to_baseline = 0.8F;  // of the heights in which the two fonts differ
    const float line = ImGui::GetTextLineHeight(), height = ImGui::GetFrameHeight();
    const ImVec2 at = ImGui::GetCursorScreenPos();
    ImGui::PushFont(nullptr, ui_.style.small);
    const float lower = to_baseline * (line - ImGui::GetTextLineHeight());
    ImGui::GetWindowDrawList()->AddText({at.x, at.y + ImGui::GetStyle().FramePadding.y + std::round(lower)},
                                        palette(ui_.style.theme).muted, caption(group));
    ImGui::PopFont();
    ImGui::Dummy({caption_width(group), height});
  }

  void draw_separator() {
    ImGui::SameLine(0, group_gap());
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float height = ImGui::GetFrameHeight();
    ImGui::GetWindowDrawList()->AddRectFilled(
        {at.x, at.y + 0.15F * height}, {at.x + 1, at.y + 0.85F * height}, palette(ui_.style.theme).border);
    ImGui::Dummy({1, height});
    ImGui::SameLine(0, group_gap());
  }

  /// What follows is placed behind an item on its line.
  static void begin_line() {
    ImGui::SetCursorPosX(ImGui::GetCursorPosX() - ImGui::GetStyle().ItemSpacing.x);
    ImGui::Dummy({0, ImGui::GetFrameHeight()});
  }

  void draw_tabs() {
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {tab_padding(form_), ImGui::GetStyle().FramePadding.y});
    ImGui::PushID("views");
    const Tab* before = nullptr;
    for (const Tab& tab : tabs_) {
      const bool first = before == nullptr || before->row->group != tab.row->group;
      if (before != nullptr) first ? draw_separator() : ImGui::SameLine(0, tab_gap());
      if (first && form_.captions) {
        draw_caption(tab.row->group);
        ImGui::SameLine(0, 2 * tab_gap());
      }
      ImGui::PushID(tab.row->name);
      if (choice_button(tab.choice, tab.row == &row_, mark(tab))) show(tab);
      ImGui::PopID();
      before = &tab;
    }
    ImGui::PopID();
    ImGui::PopStyleVar();
  }

  void draw_list() {
    const char* const present = ui_.tr(row_.tab);
    ImGui::SetNextItemWidth(width_of_list(present));
    if (ImGui::BeginCombo("###views", present, ImGuiComboFlags_HeightLargest)) {
      const Tab* before = nullptr;
      for (const Tab& tab : tabs_) {
        if (before == nullptr || before->row->group != tab.row->group) {
          ImGui::PushFont(nullptr, ui_.style.small);
          muted_text(ui_.style, caption(tab.row->group));
          ImGui::PopFont();
        }
        ImGui::PushID(tab.row->name);
        if (choice_line(tab.choice, tab.row == &row_, mark(tab))) show(tab);
        ImGui::PopID();
        before = &tab;
      }
      ImGui::EndCombo();
    }
    anchor("views");
  }

  /// Which of a model's blocks is shown.
  void draw_blocks() {
    if (blocks_.empty()) return;
    const std::vector<BlockTrace>& blocks = ui_.scene->trace->blocks;
    // These views show predictions, whichever block the other views show.
    const auto& predictions = ui_.scene->trace->predictions;
    const bool predicts = row_.predicts && predictions;
    const BlockKind shown = predicts ? predictions->block() : ui_.block->shape.kind;
    const auto kind_of = [](const BlockTrace& block) { return block.shape.kind; };
    int chosen = static_cast<int>(std::ranges::find(blocks, shown, kind_of) - blocks.begin());
    const char* helps[] = {ui_.tr("The source text to itself"), ui_.tr("The target text to itself"),
                           ui_.tr("The target's queries to the source's keys")};
    const char* const of_view = predicts
                                    ? ui_.tr("This view is about what the decoder expects, at its tokens.")
                                    : ui_.tr("This view shows all of them.");
    std::vector<Choice> choices;
    for (std::size_t i = 0; i < blocks_.size(); ++i) {
      const bool can = !predicts && !row_.whole;
      choices.push_back({blocks_[i].c_str(), can ? helps[std::min<std::size_t>(i, 2)] : of_view, can});
    }
    if (!form_.block_list) ImGui::SameLine();
    const std::string preview = form_.short_block ? short_title(chosen) : blocks_[chosen];
    if (form_.block_list ? choose_in_list("blocks", choices, chosen, preview.c_str())
                         : choose("blocks", choices, chosen))
      show_block(ui_.state, blocks[chosen].shape.kind);
  }

  /// The layer of the views that show one.
  void draw_layer() {
    if (layers() < 2 || !row_.one_layer) return;
    const bool brief = form_.short_layer;
    const float gap = ImGui::GetStyle().ItemSpacing.x;
    next_in_line(layer_width(brief) - gap);
    ImGui::BeginDisabled(ui_.block->layer_count() == 0);
    const float begin = ImGui::GetCursorPosX();
    framed_text(layer_text(ui_.state.view.layer + 1, brief));
    if (brief) tooltip(layer_text(ui_.state.view.layer + 1, false));
    ImGui::SameLine(begin + layer_text_width(brief) + gap);
    if (icon_button("layer down", Icon::left, ui_.tr("Previous layer")))
      change_layer(ui_.state, -1, *ui_.block);
    ImGui::SameLine();
    if (icon_button("layer up", Icon::right, ui_.tr("Next layer"))) change_layer(ui_.state, 1, *ui_.block);
    ImGui::EndDisabled();
  }

  Ui& ui_;
  const ViewKindRow& row_;
  std::vector<Tab> tabs_;
  std::vector<std::string> blocks_;  ///< their titles, if there are several
  Form form_{};
};

/// The cost of computing the whole map of the head, or the maps of the shown heads.
std::string measured_text(const Ui& ui) {
  if (!ui.reading_cost || ui.reading_cost->cells == 0) return "";
  const BlockTrace& block = ui.block->single ? *ui.block->single : *ui.block;
  const double all = static_cast<double>(block.n_q()) * static_cast<double>(block.n_k()) * ui.reading_heads;
  const double share = static_cast<double>(ui.reading_cost->cells) / all;
  const double milliseconds = 1000 * ui.reading_cost->seconds;
  const bool compared = ui.state.view.row().compares;
  return (compared ? "A: " : "") + ui.tr("{}% of the n² products, {} ms", fmt::format("{:.3g}", 100 * share),
                                         fmt::format("{:.0f}", milliseconds));
}

/// The first that fits, otherwise the last one cut to fit, if that is still readable.
std::string fitting_text(const std::vector<std::string>& texts, float room) {
  for (const std::string& text : texts)
    if (ImGui::CalcTextSize(text.c_str()).x <= room) return text;
  constexpr float readable = 0.4F;
  return room < readable * ImGui::CalcTextSize(texts.back().c_str()).x ? "" : fit_text(texts.back(), room);
}

/// How many tokens a cell of the small maps of all layers represents.
void small_map_pools(const Ui& ui, Index& queries, Index& keys) {
  const auto small = ui.view_cache.thumbnails(ui.block, ui.state.view.filter, ui.state.view.range);
  if (!small || small->layers.empty()) return;
  const Thumbnails::Layer& layer = small->layers.front();
  const BlockTrace& whole = ui.block->single ? *ui.block->single : *ui.block;
  const auto group = [](Index tokens, Index cells) { return cells > 0 ? divide_up(tokens, cells) : 1; };
  queries = group(whole.n_q(), layer.n_q);
  keys = group(whole.n_k(), layer.n_k);
}

/// For a long text: what a cell is, and how much of the maps is computed. Filters are for single cells.
void draw_pooling_line(const Ui& ui) {
  const BlockTrace& block = *ui.block;
  const auto& part = ui.shown->part;
  const bool means = ui.shown->means();  // of what is shown, which may still be the last map
  Index queries = part ? part->query_pool : block.query_pool, keys = part ? part->key_pool : block.key_pool;
  if (ui.state.view.row().thumbnails()) small_map_pools(ui, queries, keys);
  const std::string text =
      queries == 1 && keys == 1
          ? std::string(ui.tr("Each cell is of one query and one key"))
          : ui.tr(means ? TR("Each cell is the mean of {} × {}") : TR("Each cell is the largest of {} × {}"),
                  queries, keys);
  const bool sampled = part ? part->sampled : block.sampled;
  const std::string so_far = sampled ? ui.tr("so far, from one row in {}", queries) : std::string();
  const std::string measured = ui.progress ? std::string() : measured_text(ui);
  const std::string behind = so_far + (so_far.empty() || measured.empty() ? "" : " · ") + measured;
  const std::string cell = fmt::format("{} × {}", queries, keys), dot = " · ";
  const std::string zoom = part ? zoom_note(ui.tr, *ui.scene) : "";
  std::vector<std::string> texts;
  // The position takes precedence over the cost.
  if (!zoom.empty() && !behind.empty())
    texts = {text + dot + behind + dot + zoom, cell + dot + behind + dot + zoom};
  if (!zoom.empty()) texts.insert(texts.end(), {text + dot + zoom, cell + dot + zoom, zoom});
  if (behind.empty())
    texts.push_back(text);
  else
    texts.insert(texts.end(), {text + dot + behind, cell + dot + behind, behind});
  next_in_line(52 * ui.style.font_size);
  int chosen = ui.state.view.means ? 1 : 0;
  if (choose("means",
             {{ui.tr("Largest"),
               ui.tr("A cell that represents many shows the largest weight among them: none is lost.")},
              {ui.tr("Mean"), ui.tr("A cell that represents many shows their mean weight.")}},
             chosen))
    ui.state.view.means = chosen == 1;
  // After a click the keyboard focus moves to the maps.
  if (ImGui::IsItemHovered() && ImGui::IsMouseReleased(ImGuiMouseButton_Left))
    ui.state.panel_wanted = Panel::maps;
  ImGui::SameLine();
  ImGui::AlignTextToFramePadding();
  const float bar = ui.progress ? 13 * ui.style.font_size : 0;
  muted_text(ui.style, fitting_text(texts, ImGui::GetContentRegionAvail().x - bar));
  tooltip(texts.front());
  anchor("groups rule");
  if (!ui.progress) return;
  ImGui::SameLine();
  const std::string left = time_left(ui);
  const float words = ImGui::CalcTextSize(left.c_str()).x + ImGui::GetStyle().ItemSpacing.x;
  ImGui::ProgressBar(
      std::max(0.0F, static_cast<float>(ui.progress->share)),
      {std::max(ui.style.font_size, std::min(bar, ImGui::GetContentRegionAvail().x) - words), 0}, "");
  anchor("groups progress");
  ImGui::SameLine();
  muted_text(ui.style, left);
}

}  // namespace

void draw_view_bar(Ui& ui) {
  ViewBar(ui).draw();
  const ViewKindRow& row = ui.state.view.row();
  if (row.of_model()) return;
  if (ui.block->words) {
    // What the numbers of such maps mean.
    ImGui::SameLine();
    info("words rule", ui.tr("Words: weights to a word summed, from a word averaged"));
  }
  if (row.has_steps) return;  // which shows every number, regardless of the filter
  if (shows_long_text(ui)) return draw_pooling_line(ui);
  const View& view = ui.state.view;
  next_in_line(filter_bar_width(!view.filter.on() && view.sort.by.empty()));
  ImGui::BeginDisabled(ui.block->n_q() == 0 || ui.block->n_k() == 0);
  draw_filter_bar(ui);
  ImGui::EndDisabled();
}

}  // namespace headscope

#pragma once
#include <imgui.h>

#include <cfloat>

#include "app/panels/ui/ui.h"
#include "app/panels/views/model_view.h"
#include "app/panels/views/predictions.h"
#include "app/panels/views/steps_view.h"

namespace headscope {

// The views, each in the file of its name, in the remaining space of the current window.

/// Of the windows of maps, where the wheel zooms and the arrow keys move the cell.
inline constexpr ImGuiWindowFlags map_window_flags =
    ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse | ImGuiWindowFlags_NoNavInputs;

/// All heads of the layer; hover, lock, titles that open a head.
void draw_grid(Ui& ui);
/// One head large (View::head; the locked cell's or the first if that is none): pan by drag, zoom by wheel,
/// an overview if only a part is visible, the row and the column of the marked cell as bars along the edges.
void draw_head(Ui& ui);
/// Two columns of tokens, queries left and keys right, joined by lines in the heads' colours.
void draw_lines(Ui& ui);
/// Every head of every layer at once: thumbnails, layers down and heads across. A click opens the head.
void draw_layers(Ui& ui);
/// Where every head of every layer looks in the picture from the token that is pointed at. A click keeps it,
/// another opens the head.
void draw_picture_view(Ui& ui);
/// A next to B and their signed difference, on common axes; the largest differences are listed. B begins as a
/// copy of A's inputs.
void draw_compare(Ui& ui);
/// What is listed below its maps. `width`: 0: to the right edge.
void draw_differences(Ui& ui, const std::shared_ptr<const struct Comparison>& comparison, int head,
                      float width = 0);
/// How much a head of these changed: of weights, the share that moved, "48%"; empty: it did not.
std::string change_text(const Ui& ui, const std::vector<struct ChangedHead>& changed, int layer, int head);
/// Whether B's predictions differ from A's after the locked cell's query, or after the last token; `other` is
/// B's trace.
bool has_shifted_predictions(const Ui& ui);
void draw_shifted_predictions(Ui& ui);
/// The numbers of all heads, and their similarity.
void draw_head_table_view(Ui& ui);
/// What a prediction changes by, with each head or other part of the model changed in turn.
void draw_causes_view(Ui& ui);
/// What the matrices of a head can do, from the weights alone.
void draw_circuits_view(Ui& ui);
/// The similarity of all heads of all layers as a matrix with its tree.
void draw_similarity(Ui& ui, ImVec2 size);
/// "Jensen–Shannon distance: …", how distances, tree and clusters are computed.
std::string similarity_method(const Ui& ui);

/// The strongest cell of a token of the shown layer, a query if `row` is not -1, otherwise a key; limited to
/// the shown head if the view shows one. The first cell of a token that has no lines.
Cell strongest_cell(const Ui& ui, int row, int column);

/// Every view by icon and name in its group, in the same place whatever is shown: dimmed, with the reason,
/// what the source lacks. Icons alone where names leave no room.
void draw_view_rail(Ui& ui);
/// Its width in that room; 0: it is too narrow, as on a phone or beside a lesson in large text, and a list
/// has the views.
float view_rail_width(const Style& style, ImVec2 room, bool beside_lesson);
/// The views as a list.
void draw_view_list(Ui& ui, float widest = FLT_MAX);
/// What views share: the filter and the order of heads, or how a long text is pooled.
void draw_view_tools(Ui& ui);
/// The requested menu of a map, drawn after the maps.
void draw_map_menu(App& app, Ui& ui);

struct ViewPanel {
  void (*draw)(Ui& ui);
  /// Its choices that a presented view leaves to the panel at the upper edge; nullptr: none.
  void (*presented)(Ui& ui) = nullptr;
};
/// In the order of ViewKind.
inline constexpr ViewPanel view_panels[] = {
    {draw_grid},
    {draw_head},
    {draw_lines},
    {draw_layers},
    {draw_compare},
    {draw_head_table_view},
    {draw_steps_view},
    {draw_lens_view},
    {draw_contributions_view, draw_contributions_choice},
    {draw_model_view, draw_model_choices},
    {draw_picture_view},
    {draw_causes_view},
    {draw_circuits_view},
};
static_assert(std::size(view_panels) == view_count);
inline const ViewPanel& view_panel(const View& view) {
  return view_panels[place_of(view.kind)];
}

}  // namespace headscope

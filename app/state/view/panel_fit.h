#pragma once
#include "app/state/view/view_state.h"

namespace headscope {

struct App;

/// Widths of the panels beside the view, in font sizes; 0: not there.
struct PanelWidths {
  double controls = 0, inspector = 0, lesson = 0;
};

/// What there is to fit into a window `width` font sizes wide. `controls` and `inspector` are the widths that
/// were chosen, 0 where the panel is switched off; `kept` is the one asked for last.
struct PanelWishes {
  double width = 0, controls = 0, inspector = 0;
  Panel kept = Panel::none;
  double view = 26.6;  ///< what the view needs beside them; that is all tabs side by side
  double lesson = 0;   ///< as the other widths; a lesson that is played never gives way
};
constexpr double table_width = 34;  ///< what the table of heads needs to show several columns

/// The view comes first: where it would be narrow the panels get narrower, then one gives way, then both but
/// the one that was asked for.
PanelWidths fit_panels(const PanelWishes& wishes);

/// Whether the panel can be seen: controls, inspector or sentence.
bool is_visible(const App& app, Panel panel);
/// Shows what is hidden, or gave way, and hides what can be seen.
void toggle_panel(App& app, Panel panel);
void reveal_panel(App& app, Panel panel);
/// Whether it was asked for and there is no room for it beside the view.
bool lies_over_view(const App& app, Panel panel);
/// What lies over the view goes, and the maps have the keyboard.
void leave_panel_over(App& app);

}  // namespace headscope

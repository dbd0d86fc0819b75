#pragma once
#include "app/state/presentation.h"
#include "app/state/view_state.h"

namespace headscope {

struct App;
struct OpenSession;

/// Widths of the panels next to the view, in font sizes; 0: hidden.
struct PanelWidths {
  double controls = 0, inspector = 0, lesson = 0;
};

/// What has to fit into a window `width` font sizes wide. `controls` and `inspector` are the chosen widths, 0
/// if the panel is switched off; `kept` is the panel opened last.
struct PanelWishes {
  double width = 0, controls = 0, inspector = 0;
  Panel kept = Panel::none;
  double view = 24;   ///< what the view needs next to them; the default fits the path on one line
  double lesson = 0;  ///< like the other widths; a lesson that is played is never hidden
};
constexpr double table_width = 34;  ///< what the table of heads needs to show several columns

/// The view has priority: if it would be narrow, the panels get narrower, then one is hidden, then both
/// except the one opened last.
PanelWidths fit_panels(const PanelWishes& wishes);

/// Whether the step of the lesson that is played points to something in it: controls or inspector.
bool is_named_by_step(const App& app, Panel panel);
/// Whether the panel is to be shown where it fits: controls, inspector or sentence. In a lesson the first two
/// are if the step names something in them, unless the user has chosen otherwise since the lesson began.
bool is_switched_on(const App& app, Panel panel);
/// Whether the panel is visible: one of these.
bool is_visible(const App& app, Panel panel);
/// Shows a hidden panel, and hides a visible one.
void toggle_panel(App& app, Panel panel);
void reveal_panel(App& app, Panel panel);
/// Whether it was opened and there is no room for it next to the view.
bool overlays_view(const App& app, Panel panel);
/// Closes the panel that covers the view, and moves the keyboard focus to the maps.
void leave_panel_over(OpenSession& open);

/// The sentence panels of A, or of B in the comparison.
struct SentencePanels {
  Panel sentence, tokens, key_sentence, key_tokens;
};
SentencePanels panels_of_side(Side side);
/// Whether it is a sentence panel, of either side.
bool is_of_sentences(Panel panel);

/// The edge of the panel with the keyboard focus; none: the focus is on the stage itself.
Edge edge_of(Panel panel);

/// Moves the keyboard focus to the panel in the next frame; a sentence is then edited.
void go_to_panel(App& app, Panel panel);
/// To the next (1) or the previous (-1) of the visible panels, wrapping around.
void step_panel(App& app, int by);

}  // namespace headscope

#include "app/state/panel_order.h"

#include <algorithm>
#include <vector>

#include "app/state/app.h"
#include "app/state/panel_fit.h"

namespace headscope {
namespace {

std::vector<Panel> shown_panels(const App& app) {
  std::vector<Panel> panels;
  const bool cross = app.edited().cross(), tokens = app.block()->n_q() > 0;
  const bool sentence = is_visible(app, Panel::sentence);
  if (is_visible(app, Panel::controls)) panels.push_back(Panel::controls);
  if (sentence) panels.push_back(Panel::sentence);
  if (sentence && tokens) panels.push_back(Panel::tokens);
  if (sentence && cross) panels.push_back(Panel::key_sentence);
  if (sentence && cross && app.block()->n_k() > 0) panels.push_back(Panel::key_tokens);
  panels.push_back(Panel::bar);
  if (tokens) panels.push_back(Panel::maps);
  // With nothing to inspect there is nothing in it to go to.
  if (is_visible(app, Panel::inspector) && (app.state.focus() || app.state.view.head))
    panels.push_back(Panel::inspector);
  return panels;
}

}  // namespace

void go_to_panel(App& app, Panel panel) {
  const bool of_sentence =
      panel == Panel::tokens || panel == Panel::key_sentence || panel == Panel::key_tokens;
  reveal_panel(app, of_sentence ? Panel::sentence : panel);
  app.state.panel = app.state.panel_wanted = panel;
}

void step_panel(App& app, int by) {
  const std::vector<Panel> panels = shown_panels(app);
  const auto count = static_cast<int>(panels.size());
  const auto found = std::ranges::find(panels, app.state.panel);
  const int now = found == panels.end() ? 0 : static_cast<int>(found - panels.begin());
  go_to_panel(app, panels[static_cast<std::size_t>((now + by + count) % count)]);
}

}  // namespace headscope

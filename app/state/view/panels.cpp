#include "app/state/view/panels.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "app/state/app.h"
#include "core/inputs/fields.h"

namespace headscope {
namespace {

constexpr double narrowest_view_of_two = 18;  // next to one panel
constexpr double narrowest_controls = 11.7, narrowest_inspector = 9;
constexpr double narrowest_lesson = 13, max_lesson = 0.42;   // the latter as a share of the window
constexpr double max_controls = 0.31, max_inspector = 0.25;  // as shares of the window

constexpr std::array switched{Panel::controls, Panel::inspector, Panel::sentence};

auto& setting_of(auto& settings, Panel panel) {
  if (panel == Panel::controls) return settings.show_controls;
  return panel == Panel::inspector ? settings.show_inspector : settings.show_sentence;
}

void switch_panel(App& app, Panel panel, bool on) {
  if (app.lesson.playing() && panel != Panel::sentence)
    app.lesson.panels[panel] = on;
  else
    setting_of(app.settings, panel) = on;
}

}  // namespace

bool is_named_by_step(const App& app, Panel panel) {
  return app.lesson.playing() && std::ranges::any_of(app.lesson.at().highlight, [&](const std::string& name) {
           if (panel == Panel::inspector) return name == "inspector";
           return name != "sentence" && name != "key_sentence" &&
                  std::ranges::count(input_fields(), name, &InputField::name) > 0;
         });
}

bool is_switched_on(const App& app, Panel panel) {
  if (app.settings.maps_alone) return false;
  if (!app.lesson.playing() || panel == Panel::sentence) return setting_of(app.settings, panel);
  const auto chosen = app.lesson.panels.find(panel);
  return chosen != app.lesson.panels.end() ? chosen->second : is_named_by_step(app, panel);
}

PanelWidths fit_panels(const PanelWishes& whole) {
  PanelWishes wishes = whole;
  if (whole.lesson > 0) {
    const double maximum = std::max(narrowest_lesson, whole.width - whole.view);
    const double lesson = std::min({whole.lesson, max_lesson * whole.width, maximum});
    wishes.width -= lesson;
    wishes.lesson = 0;
    PanelWidths fit = fit_panels(wishes);
    // Next to a lesson, a panel too narrow to be used is hidden.
    if (fit.controls < narrowest_controls) fit.controls = 0;
    if (fit.inspector < narrowest_inspector) fit.inspector = 0;
    fit.lesson = lesson;
    return fit;
  }
  PanelWidths fit{std::min(wishes.controls, max_controls * wishes.width),
                  std::min(wishes.inspector, max_inspector * wishes.width)};
  const auto lacking = [&](double view) { return view + fit.controls + fit.inspector - wishes.width; };
  const auto narrow = [&](double& width, double narrowest, double view) {
    if (width > narrowest && lacking(view) > 0) width = std::clamp(width - lacking(view), narrowest, width);
  };
  narrow(fit.inspector, narrowest_inspector, wishes.view);
  // The controls have the same width in every view: the tabs next to them stay under the pointer.
  narrow(fit.controls, narrowest_controls, std::min(wishes.view, PanelWishes{}.view));
  if (lacking(wishes.view) < 1e-6) return fit;  // up to rounding
  if (fit.controls > 0 && fit.inspector > 0) {
    double& goes = wishes.kept == Panel::inspector ? fit.controls : fit.inspector;
    double& stays = wishes.kept == Panel::inspector ? fit.inspector : fit.controls;
    goes = 0;
    const double wish = wishes.kept == Panel::inspector ? wishes.inspector : wishes.controls;
    // With a wide view the other panel stays as wide as it is: it must not move the tabs from under the
    // pointer.
    if (wishes.view <= PanelWishes{}.view)
      stays = std::clamp(wishes.width - wishes.view, stays, std::max(stays, wish));
  }
  const bool requested = (fit.controls > 0 && wishes.kept == Panel::controls) ||
                         (fit.inspector > 0 && wishes.kept == Panel::inspector);
  const bool fits = wishes.width - fit.controls - fit.inspector >= narrowest_view_of_two;
  return fits || requested ? fit : PanelWidths{};
}

bool is_visible(const App& app, Panel panel) {
  if (app.presentation.on) return app.presentation.edge == edge_of(panel);
  if (panel == Panel::lesson) return app.lesson.playing();
  const ViewState& state = app.state;
  const bool gives_way = (panel == Panel::controls && state.controls_give_way) ||
                         (panel == Panel::inspector && state.inspector_gives_way);
  return is_switched_on(app, panel) && (state.panel_over == panel || !gives_way);
}

bool overlays_view(const App& app, Panel panel) {
  const ViewState& state = app.state;
  if (app.presentation.on || panel == Panel::none || state.panel_over != panel) return false;
  return panel == Panel::controls ? state.controls_give_way : state.inspector_gives_way;
}

void reveal_panel(App& app, Panel panel) {
  if (app.presentation.on) return;  // it appears with the keyboard focus
  if (std::ranges::count(switched, panel) == 0 || is_visible(app, panel)) return;
  if (std::exchange(app.settings.maps_alone, false))
    for (const Panel other : switched) switch_panel(app, other, false);
  switch_panel(app, panel, true);
  app.state.panel_kept = app.state.panel_over = panel;
  app.state.controls_give_way = app.state.inspector_gives_way = false;
}

void toggle_panel(App& app, Panel panel) {
  if (app.presentation.on) return go_to_panel(app, is_visible(app, panel) ? Panel::maps : panel);
  if (!is_visible(app, panel)) return reveal_panel(app, panel);
  if (overlays_view(app, panel)) return leave_panel_over(app);
  if (std::ranges::count(switched, panel) != 0) switch_panel(app, panel, false);
}

void leave_panel_over(OpenSession& open) {
  open.state.panel_over = Panel::none;
  open.state.panel_muted = true;
  open.state.panel = open.state.panel_wanted = Panel::maps;
}

namespace {

void add_sentences(std::vector<Panel>& list, const SentencePanels& panels, const Inputs& inputs,
                   const BlockTrace& block) {
  list.push_back(panels.sentence);
  if (inputs.about().reads_pairs) {
    if (inputs.cross() || inputs.target) list.push_back(panels.key_sentence);
    if (block.n_q() > 0) list.push_back(panels.tokens);
    if (block.cross() && block.n_k() > 0) list.push_back(panels.key_tokens);
    return;
  }
  if (block.n_q() > 0) list.push_back(panels.tokens);
  if (!inputs.cross()) return;
  list.push_back(panels.key_sentence);
  if (block.n_k() > 0) list.push_back(panels.key_tokens);
}

std::vector<Panel> shown_panels(const App& app) {
  std::vector<Panel> panels;
  const bool presents = app.presentation.on;  // all of them then appear on request
  const bool tokens = app.block()->n_q() > 0, sentences = presents || is_visible(app, Panel::sentence);
  if (!presents) panels.push_back(Panel::rail);
  if (presents || is_visible(app, Panel::controls)) panels.push_back(Panel::controls);
  for (const Side side : both_sides)
    if (sentences && (side == Side::a || app.compares()))
      add_sentences(panels, panels_of_side(side), app.of(side), *app.block(side));
  panels.push_back(Panel::bar);
  if (tokens) panels.push_back(Panel::maps);
  // Skip the inspector when it has nothing to inspect.
  if ((presents || is_visible(app, Panel::inspector)) &&
      (app.state.focus(*app.block()) || app.state.view.head))
    panels.push_back(Panel::inspector);
  if (app.lesson.playing()) panels.push_back(Panel::lesson);
  return panels;
}

}  // namespace

SentencePanels panels_of_side(Side side) {
  if (side == Side::b)
    return {Panel::sentence_b, Panel::tokens_b, Panel::key_sentence_b, Panel::key_tokens_b};
  return {Panel::sentence, Panel::tokens, Panel::key_sentence, Panel::key_tokens};
}

bool is_of_sentences(Panel panel) {
  return panel >= Panel::sentence && panel <= Panel::key_tokens_b;
}

Edge edge_of(Panel panel) {
  if (panel == Panel::controls) return Edge::left;
  if (panel == Panel::inspector || panel == Panel::lesson) return Edge::right;
  return panel == Panel::bar || is_of_sentences(panel) ? Edge::top : Edge::none;
}

void go_to_panel(App& app, Panel panel) {
  reveal_panel(app, is_of_sentences(panel) ? Panel::sentence : panel);
  app.state.panel = app.state.panel_wanted = panel;
  app.state.panel_muted = false;
}

void step_panel(App& app, int by) {
  const std::vector<Panel> panels = shown_panels(app);
  const auto count = static_cast<int>(panels.size());
  const auto found = std::ranges::find(panels, app.state.panel);
  const int now = found == panels.end() ? 0 : static_cast<int>(found - panels.begin());
  go_to_panel(app, panels[(now + by + count) % count]);
}

}  // namespace headscope

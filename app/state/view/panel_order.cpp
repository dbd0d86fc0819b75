#include "app/state/view/panel_order.h"

#include <algorithm>
#include <vector>

#include "app/state/app.h"
#include "app/state/view/panel_fit.h"

namespace headscope {
namespace {

void add_sentences(std::vector<Panel>& list, const SentencePanels& panels, const Inputs& inputs,
                   const BlockTrace& block) {
  list.push_back(panels.sentence);
  if (inputs.trained()) {
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
  if (presents || is_visible(app, Panel::controls)) panels.push_back(Panel::controls);
  if (sentences) add_sentences(panels, panels_of_side(false), app.inputs, *app.block());
  if (sentences && app.compares())
    add_sentences(panels, panels_of_side(true), *app.compare, *app.other_block());
  panels.push_back(Panel::bar);
  if (tokens) panels.push_back(Panel::maps);
  // Skip the inspector when it has nothing to inspect.
  if ((presents || is_visible(app, Panel::inspector)) && (app.state.focus() || app.state.view.head))
    panels.push_back(Panel::inspector);
  if (app.lesson.playing()) panels.push_back(Panel::lesson);
  return panels;
}

}  // namespace

SentencePanels panels_of_side(bool b) {
  if (b) return {Panel::sentence_b, Panel::tokens_b, Panel::key_sentence_b, Panel::key_tokens_b};
  return {Panel::sentence, Panel::tokens, Panel::key_sentence, Panel::key_tokens};
}

bool is_of_sentences(Panel panel) {
  return panel >= Panel::sentence && panel <= Panel::key_tokens_b;
}

void go_to_panel(App& app, Panel panel) {
  reveal_panel(app, is_of_sentences(panel) ? Panel::sentence : panel);
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

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/panels/ui/sides.h"
#include "app/panels/views/inspector.h"
#include "app/panels/views/model_view.h"
#include "app/panels/views/predictions.h"
#include "app/panels/widgets/glyphs.h"
#include "app/panels/widgets/widgets.h"
#include "app/state/derived/view_cache.h"
#include "app/state/lesson/play_lesson.h"
#include "app/state/view/compared_cell.h"
#include "app/state/view/steps.h"
#include "core/figure/boards/model_board.h"
#include "core/scene/readable_numbers.h"
#include "core/source/maps/word_maps.h"
#include "core/source/model/decoder_step.h"

namespace headscope {
namespace {

bool has_decoder_rows(const BlockTrace& block) {
  return block.shape.kind == BlockKind::decoder || block.shape.kind == BlockKind::cross;
}

/// The decoder step of a query of the block in view: that of a word's last piece.
int step_of_query(const BlockTrace& block, int query) {
  if (!block.words) return query;
  return static_cast<int>(block.first_pieces[query + 1]) - 1;
}
int query_of_step(const BlockTrace& block, int step) {
  if (!block.words) return step;
  const auto after = std::ranges::upper_bound(block.first_pieces, Index{step});
  return static_cast<int>(after - block.first_pieces.begin()) - 1;
}

/// The step pointed at in the whole-model view.
std::optional<Index> pointed_step(const Ui& ui) {
  if (!ui.view().row().whole) return {};
  const PointedInModel& pointed = ui.memory.model_pointed;
  if (pointed.word && !pointed.word->of_source) return pointed.word->at;
  if (pointed.cell && pointed.cell->block != BlockKind::encoder) return pointed.cell->query;
  return {};
}

/// The side whose steps are shown: `ui` has that side's block and trace.
struct StepsSide {
  Ui ui;
  std::string name;  ///< "A · ", "B · ", or empty if there is only one
  std::shared_ptr<const Comparison>
      comparison;  ///< where a cell of B has its place next to A's, otherwise nullptr
};

/// The side of the whole model that is shown; in a comparison the one being edited.
StepsSide steps_side(const Ui& ui) {
  const ViewKindRow& view = ui.view().row();
  if (!view.compares || !ui.other.block || !ui.other.trace)
    return {of_seen_model(ui), view.whole ? model_side(*ui.scene) : "", nullptr};
  if (ui.state.edits == Side::a) return {ui, "A · ", nullptr};
  StepsSide b{ui.of_b(), "B · ", present_comparison(ui)};
  if (b.comparison) b.ui.shown = b.comparison->shown_b;
  return b;
}

/// The pointed or locked cell in terms of that side.
std::optional<Cell> focus_of(const StepsSide& side) {
  const Ui& ui = side.ui;
  return ui.view().row().compares ? focus_of(ui.state, *ui.block, side.comparison.get(), ui.side)
                                  : ui.focus();
}

int present_step(const StepsSide& side, int steps) {
  const Ui& ui = side.ui;
  if (const auto pointed = pointed_step(ui)) return std::clamp(static_cast<int>(*pointed), 0, steps - 1);
  int step = ui.state.decoder_step.value_or(0);
  const auto focus = focus_of(side);
  if (has_decoder_rows(*ui.block) && focus && focus->query >= 0 && focus->query < ui.block->n_q())
    step = step_of_query(*ui.block, focus->query);
  return std::clamp(step, 0, steps - 1);
}

/// Locks the step's row at its largest weight, if the maps in view have one; the whole model has one for
/// every step.
void go_to_step(StepsSide& side, int step) {
  Ui& ui = side.ui;
  ui.state.decoder_step = step;
  if (ui.view().row().whole)
    return lock_step(ui, query_of_step(*block_in_view(ui.trace, BlockKind::cross, ui.view().words), step));
  const BlockTrace& block = *ui.block;
  if (!has_decoder_rows(block) || ui.shown->block != ui.block) return;
  const auto lock = ui.lock(), focus = lock ? lock : focus_of(side);
  const int head = std::clamp(focus ? focus->head : ui.view().head.value_or(0), 0, block.heads() - 1);
  const int query = query_of_step(block, step);
  const MapRows rows(*block.maps, ui.shown->layer, head, query, query + 1);
  const float* row = rows.row(query);
  const Cell cell{head, query, static_cast<int>(std::max_element(row, row + block.n_k()) - row)};
  if (side.comparison || ui.side == Side::a)
    lock_cell(ui.state, *ui.shown, side.comparison.get(), ui.side, cell);
}

std::string drawn_token(const Token& token) {
  return drawn_text(shown_token(token.text));
}

/// Its tooltip is at its side: what is read together with the buttons is below them.
bool step_button(const char* id, Icon icon, const std::string& help) {
  const bool pressed = icon_button(id, icon, "");
  if (!ImGui::IsItemHovered() || !begin_side_tooltip(ImGui::GetItemRectMin(), ImGui::GetItemRectMax()))
    return pressed;
  ImGui::TextUnformatted(help.c_str());
  ImGui::EndTooltip();
  return pressed;
}

void draw_buttons(StepsSide& side, const DecoderStep& step) {
  Ui& ui = side.ui;
  const int at = static_cast<int>(step.step), last = static_cast<int>(step.steps) - 1;
  if (step_button("step back", Icon::left, ui.tr("Previous word of the target")))
    go_to_step(side, std::max(0, at - 1));
  anchor("decoder step back");
  ImGui::SameLine();
  if (step_button("step on", Icon::right, ui.tr("Next word of the target")))
    go_to_step(side, std::min(last, at + 1));
  anchor("decoder step on");
  // In a narrow panel with large text the number gets a separate line.
  const std::string number = side.name + ui.tr("Step {} of {}", at + 1, last + 1);
  ImGui::SameLine();
  if (ImGui::CalcTextSize(number.c_str()).x > ImGui::GetContentRegionAvail().x) ImGui::NewLine();
  framed_text(fit_text(number, ImGui::GetContentRegionAvail().x));
  anchor("decoder step number");
}

/// The end of the text generated so far, cut at its beginning if it does not fit.
void draw_written(const Ui& ui, const std::vector<Token>& target, Index step) {
  std::string all, shown;
  const float room = ImGui::GetContentRegionAvail().x;
  for (Index i = 0; i <= step; ++i) all += (i == 0 ? "" : " ") + drawn_token(target[i]);
  for (Index i = step; i >= 0; --i) {
    const std::string longer = drawn_token(target[i]) + (shown.empty() ? "" : " ") + shown;
    if (!shown.empty() && ImGui::CalcTextSize(("… " + longer).c_str()).x > room) {
      shown = "… " + shown;
      break;
    }
    shown = longer;
  }
  muted_text(ui.style, ui.tr("Prefix"));
  ImGui::TextUnformatted(fit_text(shown, room).c_str());
  anchor("decoder step after");
  tooltip(all);
}

void draw_seen(const Ui& ui, const DecoderStep& step, const std::vector<Token>& source) {
  if (step.seen.empty()) {
    hint(ui.style, ui.tr("Sees nothing: all heads of cross-attention are ablated."));
    anchor("decoder step sees what");
    return;
  }
  const std::string where = step.look.head
                                ? ui.tr("Cross-attention, layer {}, head {}, which aligns best",
                                        step.look.layer + 1, *step.look.head + 1)
                                : ui.tr("Cross-attention, layer {}, mean over heads", step.look.layer + 1);
  hint(ui.style, step.look.head
                     ? ui.tr("Attends to (cross-attention, layer {}, head {})", step.look.layer + 1,
                             *step.look.head + 1)
                     : ui.tr("Attends to (cross-attention, layer {}, mean over heads)", step.look.layer + 1));
  anchor("decoder step sees what");
  tooltip(where);
  for (const DecoderStep::Seen& one : step.seen) {
    const std::string name = drawn_text(numbered_token(source, static_cast<int>(one.token)));
    draw_share(ui, name, one.weight, in_column(static_cast<double>(one.weight), 2),
               ImGui::GetContentRegionAvail().x);
    anchor(fmt::format("decoder step sees {}", &one - step.seen.data()));
    tooltip(name + "\n" + where);
  }
}

/// Names the vocabulary token that represents a word of the text.
std::string placeholder_of(const Ui& ui, const std::string& token) {
  return ui.tr("A word of the text, represented by the placeholder token {}", drawn_text(shown_token(token)));
}

void draw_expected(Ui& ui, const Trace& trace, const DecoderStep& step) {
  constexpr std::size_t maximum = 5;
  const auto expected = ui.view_cache.expectations(ui.trace, ui.side);
  muted_text(ui.style, ui.tr("Predicts"));
  if (!expected) return hint(ui.style, computing_text(ui));
  if (step.step >= expected->range.end) return hint(ui.style, "–");
  const auto& list = expected->at(expected->range.first_layer, step.step);
  for (std::size_t i = 0; i < std::min(maximum, list.size()); ++i) {
    const std::string name = drawn_text(shown_token(expected_text(trace, list[i].id)));
    const std::string carrying = placeholder_of_text(trace, list[i].id);
    draw_share(ui, name, list[i].probability, percent_in_column(list[i].probability),
               ImGui::GetContentRegionAvail().x);
    anchor(fmt::format("decoder step expects {}", i));
    tooltip(carrying.empty() ? name : name + "\n" + placeholder_of(ui, carrying));
  }
  // In the latest step the most likely token is the one taken: it ends the text, or the length limit was
  // reached.
  muted_text(ui.style, step.given ? ui.tr("The target goes on with") : ui.tr("Chosen"));
  std::string taken = step.next ? drawn_token(*step.next) : "";
  std::optional<double> probability;
  if (step.next) {
    const auto next = static_cast<std::size_t>(step.step) + 1;
    if (next < expected->surprise.size() && expected->surprise[next])
      probability = std::exp2(-*expected->surprise[next]);
  } else if (!step.given && !list.empty()) {
    taken = drawn_text(shown_token(expected_text(trace, list.front().id)));
    probability = list.front().probability;
  }
  if (taken.empty()) return hint(ui.style, ui.tr("nothing: it ends here"));
  draw_share(ui, taken, probability.value_or(0), probability ? percent_in_column(*probability) : "",
             ImGui::GetContentRegionAvail().x);
  anchor("decoder step took");
  if (step.next && step.next->placeholder)
    tooltip(taken + "\n" + placeholder_of(ui, trace.predictions->token(step.next->id)));
}

}  // namespace

std::optional<Index> decoder_step_in_view(const Ui& ui) {
  const StepsSide side = steps_side(ui);
  const Index steps = side.ui.trace ? decoder_steps(*side.ui.trace) : 0;
  return steps == 0 ? std::nullopt : std::optional<Index>(present_step(side, static_cast<int>(steps)));
}

void draw_decoder_step(Ui& of_window) {
  StepsSide side = steps_side(of_window);
  Ui& ui = side.ui;
  if (!ui.trace || !ui.trace->predictions || ui.stale) return;
  const Index steps = decoder_steps(*ui.trace);
  if (steps == 0 || !section(ui.tr("Step of the decoder"), "decoder step")) return;
  const DecoderStep step = decoder_step(*ui.trace, present_step(side, static_cast<int>(steps)), 3);
  const auto stack = [&](BlockKind kind) -> const BlockTrace& {
    return *std::ranges::find(ui.trace->blocks, kind, [](const BlockTrace& one) { return one.shape.kind; });
  };
  draw_buttons(side, step);
  draw_written(ui, stack(BlockKind::decoder).tokens, step.step);
  draw_seen(ui, step, stack(BlockKind::cross).key_tokens);
  draw_expected(ui, *ui.trace, step);
}

}  // namespace headscope

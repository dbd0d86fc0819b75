#include "app/panels/decoder_steps.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/panels/glyphs.h"
#include "app/panels/predictions.h"
#include "app/panels/theme.h"
#include "app/panels/widgets.h"
#include "app/state/view_cache.h"
#include "core/scene/readable_numbers.h"
#include "core/source/decoder_step.h"

namespace headscope {
namespace {

bool has_decoder_rows(const BlockTrace& block) {
  return block.shape.kind == BlockKind::decoder || block.shape.kind == BlockKind::cross;
}

/// The step that a query of the block in view stands for: that of a word's last piece.
int step_of_query(const BlockTrace& block, int query) {
  if (!block.words) return query;
  return static_cast<int>(block.first_pieces[static_cast<std::size_t>(query) + 1]) - 1;
}
int query_of_step(const BlockTrace& block, int step) {
  if (!block.words) return step;
  const auto after = std::ranges::upper_bound(block.first_pieces, Index{step});
  return static_cast<int>(after - block.first_pieces.begin()) - 1;
}

/// Of what is pointed at in the view of the whole model.
std::optional<Index> pointed_step(const Ui& ui) {
  if (ui.state.view.kind != ViewKind::model) return {};
  const PointedInModel& pointed = ui.memory.model_pointed;
  if (pointed.word && !pointed.word->of_source) return pointed.word->at;
  if (pointed.cell && pointed.cell->block != BlockKind::encoder) return pointed.cell->query;
  return {};
}

int present_step(const Ui& ui, int steps) {
  if (const auto pointed = pointed_step(ui)) return std::clamp(static_cast<int>(*pointed), 0, steps - 1);
  int step = ui.state.decoder_step.value_or(0);
  const auto focus = ui.state.focus();
  if (has_decoder_rows(*ui.block) && focus && focus->query >= 0 && focus->query < ui.block->n_q())
    step = step_of_query(*ui.block, focus->query);
  return std::clamp(step, 0, steps - 1);
}

/// Where the maps in view have a row of the step, that is locked at its largest weight.
void go_to_step(Ui& ui, int step) {
  ui.state.decoder_step = step;
  const BlockTrace& block = *ui.block;
  if (!has_decoder_rows(block)) return;
  const auto focus = ui.state.lock ? ui.state.lock : ui.state.focus();
  const int head = std::clamp(focus ? focus->head : ui.state.view.head.value_or(0), 0, block.heads() - 1);
  const int query = query_of_step(block, step);
  const MapRows rows(*block.maps, ui.shown->layer, head, query, query + 1);
  const float* row = rows.row(query);
  ui.state.lock = Cell{head, query, static_cast<int>(std::max_element(row, row + block.n_k()) - row)};
}

std::string drawn_token(const Token& token) {
  return drawn_text(shown_token(token.text));
}

void draw_buttons(Ui& ui, const DecoderStep& step) {
  const int at = static_cast<int>(step.step), last = static_cast<int>(step.steps) - 1;
  if (icon_button("step back", Icon::left, ui.tr("Previous word of the target")))
    go_to_step(ui, std::max(0, at - 1));
  anchor("decoder step back");
  ImGui::SameLine();
  if (icon_button("step on", Icon::right, ui.tr("Next word of the target")))
    go_to_step(ui, std::min(last, at + 1));
  anchor("decoder step on");
  ImGui::SameLine();
  ImGui::AlignTextToFramePadding();
  ImGui::TextUnformatted(
      fit_text(ui.tr.format("Step {} of {}", at + 1, last + 1), ImGui::GetContentRegionAvail().x).c_str());
  anchor("decoder step number");
}

/// The end of what is written so far, cut at its beginning where there is no room for the whole.
void draw_written(const Ui& ui, const std::vector<Token>& target, Index step) {
  std::string all, shown;
  const float room = ImGui::GetContentRegionAvail().x;
  for (Index i = 0; i <= step; ++i)
    all += (i == 0 ? "" : " ") + drawn_token(target[static_cast<std::size_t>(i)]);
  for (Index i = step; i >= 0; --i) {
    const std::string longer =
        drawn_token(target[static_cast<std::size_t>(i)]) + (shown.empty() ? "" : " ") + shown;
    if (!shown.empty() && ImGui::CalcTextSize(("… " + longer).c_str()).x > room) {
      shown = "… " + shown;
      break;
    }
    shown = longer;
  }
  muted_text(ui.style, ui.tr("After"));
  ImGui::TextUnformatted(fit_text(shown, room).c_str());
  anchor("decoder step after");
  tooltip(all);
}

void draw_seen(const Ui& ui, const DecoderStep& step, const std::vector<Token>& source) {
  const std::string where =
      step.look.head ? ui.tr.format("Cross-attention, layer {}, head {}, which aligns best",
                                    step.look.layer + 1, *step.look.head + 1)
                     : ui.tr.format("Cross-attention, layer {}, mean over heads", step.look.layer + 1);
  muted_text(ui.style, ui.tr("Sees"));
  tooltip(where);
  for (const DecoderStep::Seen& one : step.seen) {
    const std::string name = drawn_text(numbered_token(source, static_cast<int>(one.token)));
    draw_share(ui, name, one.weight, fmt::format("{:.2f}", one.weight), ImGui::GetContentRegionAvail().x);
    anchor(fmt::format("decoder step sees {}", &one - step.seen.data()));
    tooltip(name + "\n" + where);
  }
}

void draw_expected(Ui& ui, const Trace& trace, const DecoderStep& step) {
  constexpr std::size_t most = 5;
  const auto expected = ui.view_cache.expectations(ui.trace, false);
  muted_text(ui.style, ui.tr("Expects"));
  if (!expected) return hint(ui.style, ui.tr("Computing…"));
  if (step.step >= expected->range.end) return hint(ui.style, "–");
  const auto& list = expected->at(expected->range.first_layer, step.step);
  for (std::size_t i = 0; i < std::min(most, list.size()); ++i) {
    const std::string name = drawn_text(shown_token(trace.predictions->token(list[i].id)));
    draw_share(ui, name, list[i].probability, printed_percent(list[i].probability),
               ImGui::GetContentRegionAvail().x);
    anchor(fmt::format("decoder step expects {}", i));
    tooltip(name);
  }
  // Of the step that came last the likeliest token is what it took: it ends the text, or the text was cut
  // there.
  muted_text(ui.style, step.given ? ui.tr("The target goes on with") : ui.tr("Took"));
  std::string taken = step.next ? drawn_token(*step.next) : "";
  std::optional<double> probability;
  if (step.next) {
    const auto next = static_cast<std::size_t>(step.step) + 1;
    if (next < expected->surprise.size() && expected->surprise[next])
      probability = std::exp2(-*expected->surprise[next]);
  } else if (!step.given && !list.empty()) {
    taken = drawn_text(shown_token(trace.predictions->token(list.front().id)));
    probability = list.front().probability;
  }
  if (taken.empty()) return hint(ui.style, ui.tr("nothing: it ends here"));
  draw_share(ui, taken, probability.value_or(0), probability ? printed_percent(*probability) : "",
             ImGui::GetContentRegionAvail().x);
  anchor("decoder step took");
}

}  // namespace

void draw_decoder_step(Ui& ui) {
  if (!ui.trace || !ui.trace->predictions || ui.stale) return;
  const Index steps = decoder_steps(*ui.trace);
  if (steps == 0 || !section(ui.tr("Step of the decoder"), "decoder step")) return;
  const DecoderStep step = decoder_step(*ui.trace, present_step(ui, static_cast<int>(steps)), 3);
  const auto stack = [&](BlockKind kind) -> const BlockTrace& {
    return *std::ranges::find(ui.trace->blocks, kind, [](const BlockTrace& one) { return one.shape.kind; });
  };
  draw_buttons(ui, step);
  draw_written(ui, stack(BlockKind::decoder).tokens, step.step);
  draw_seen(ui, step, stack(BlockKind::cross).key_tokens);
  draw_expected(ui, *ui.trace, step);
}

}  // namespace headscope

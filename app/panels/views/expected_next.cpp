#include "app/panels/views/expected_next.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/panels/views/inspector.h"
#include "app/panels/views/inspector_slots.h"
#include "app/panels/views/predictions.h"
#include "app/panels/widgets/glyphs.h"
#include "app/panels/widgets/theme.h"
#include "app/panels/widgets/widgets.h"
#include "app/state/derived/view_cache.h"
#include "core/analysis/expectations.h"
#include "core/scene/prediction_text.h"
#include "core/source/model/decoder_step.h"
#include "core/source/source.h"

namespace headscope {
namespace {

std::string bits_text(const Translator& tr, double bits) {
  return tr("{} bits", fmt::format("{:.2f}", bits));
}

/// What surprise is, in the words of a beginner.
std::string surprise_help(const Translator& tr) {
  return tr(
      "Surprise: −log₂ p, where p is the probability that the model gave the token which the text has. 0 "
      "bits: "
      "it was certain of it; 1 bit: p = 50%; 10 bits: p ≈ 0.1%. The strip above each token shows its "
      "surprise.");
}

/// The query of the block of predictions whose prediction is shown: that of the cell in focus, of a word its
/// last piece, of pooled tokens the last one.
Index shown_query(const Ui& ui) {
  const Trace& trace = *ui.trace;
  if (const auto of_text = trace.predictions->text_query()) return *of_text;
  const Index last = predicting_block(trace).n_q() - 1;
  if (const auto step = decoder_step_in_view(ui)) return std::clamp<Index>(*step, 0, last);
  const std::optional<Cell> focus = ui.focus();
  const BlockTrace* block = ui.block.get();
  // A pooled row is no token.
  if (has_pooled_rows(block->shape.kind)) return default_query(trace);
  if (!focus || focus->query < 0 || focus->query >= block->n_q()) return default_query(trace);
  Index query = focus->query;
  if (block->pooled()) {
    query = (query + 1) * block->query_pool - 1;
    block = block->single.get();
    query = std::min(query, block->n_q() - 1);
  }
  if (block->words) query = block->first_pieces[query + 1] - 1;
  return std::clamp<Index>(query, 0, last);
}

std::string token_named(const Ui& ui, Index query) {
  const std::vector<Token>& tokens = predicting_block(*ui.trace).tokens;
  return fmt::format("{} ({})", drawn_text(shown_token(tokens[query].text)), query + 1);
}

/// "Expected after tired (13)", or "After tired (13)" where that is wider than `room`; in the comparison of
/// A.
std::string place_text(const Ui& ui, Index query, float room) {
  const std::string side = ui.view().row().compares ? "A · " : "";
  const std::string token = token_named(ui, query);
  const Predictions& predictions = *ui.trace->predictions;
  const std::string whole = side + prediction_place(ui.tr, predictions, token);
  if (ImGui::CalcTextSize(whole.c_str()).x <= room) return whole;
  return side + prediction_place(ui.tr, predictions, token, true);
}

void draw_expected_rows(const Ui& ui, const Expectations& expected, Index query, std::size_t count) {
  const auto& list = expected.at(expected.range.first_layer, query);
  for (std::size_t i = 0; i < std::min(count, list.size()); ++i) {
    const std::string name = drawn_prediction(ui, *ui.trace, list[i].id);
    draw_share(ui, name, list[i].probability,
               prediction_in_column(*ui.trace->predictions, list[i].probability),
               ImGui::GetContentRegionAvail().x);
    anchor(fmt::format("expected next {}", i));
    tooltip(name);
  }
}

/// After which token, and how much of a surprise the text was there.
void draw_place(const Ui& ui, const Expectations& expected, Index query) {
  const Index place = predicted_place(*ui.trace, query);
  const auto bits = place < 0 ? std::nullopt : expected.surprise[place];
  const std::string help = bits ? ui.tr("The text has {}, with a surprise of {} bits.",
                                        token_named(ui, place), fmt::format("{:.2f}", *bits)) +
                                      "\n" + surprise_help(ui.tr)
                                : std::string();
  const float room =
      ImGui::GetContentRegionAvail().x - ImGui::CalcTextSize("00.00 bits").x - ui.style.font_size;
  draw_named_number(ui, place_text(ui, query, room), bits ? bits_text(ui.tr, *bits) : "", help);
  anchor("expected place");
}

bool has_predictions(const Ui& ui) {
  return ui.trace && ui.trace->predictions && predicting_block(*ui.trace).n_q() > 0;
}

}  // namespace

void draw_expected_next(Ui& ui) {
  // The section on the decoder's step has what an encoder–decoder expects.
  if (!has_predictions(ui) || decoder_steps(*ui.trace) > 0) return;
  if (!section(prediction_title(ui.tr, *ui.trace->predictions), "expected next")) return;
  const auto expected = ui.view_cache.expectations(ui.trace, ui.side);
  const Index query = shown_query(ui);
  if (!expected || query >= expected->range.end) return hint(ui.style, computing_text(ui));
  // The heading already says what the whole text or picture has.
  if (!ui.trace->predictions->text_query()) draw_place(ui, *expected, query);
  constexpr std::size_t rows = 5;
  draw_expected_rows(ui, *expected, query, rows);
  if (const auto mean = mean_surprise(*expected)) {
    draw_named_number(ui, ui.tr("Mean surprise"), bits_text(ui.tr, *mean), surprise_help(ui.tr));
    anchor("mean surprise");
  }
}

}  // namespace headscope

#include "core/scene/shown_block.h"

#include <algorithm>

#include "core/analysis/expectations.h"
#include "core/source/maps/no_token.h"
#include "core/source/maps/pooled_maps.h"
#include "core/source/maps/rollout.h"
#include "core/source/maps/word_maps.h"

namespace headscope {

CellQuestion cell_question(const View& view, const Trace& trace) {
  CellQuestion question{view.cells, 0, {}};
  if (view.cells != CellValue::logit || !trace.predictions || predicting_block(trace).n_q() == 0)
    return question;
  const Predictions& predictions = *trace.predictions;
  const PredictionOptions& options = view.predictions;
  question.token = token_or_likeliest(predictions, options.token, chosen_query(trace, options.position));
  question.against = named_token(predictions, options.against);
  return question;
}

View with_shown_cells(View view) {
  const CellsAs as = view.row().cells;
  if (as == CellsAs::nothing) view.rollout.of = Rollout::off;
  if (as == CellsAs::nothing || (as != CellsAs::maps && cell_value(view.cells).is_signed))
    view.cells = CellValue::weight;
  if (view.cells != CellValue::logit) view.predictions = {};
  return view;
}

std::shared_ptr<const BlockTrace> shown_block(const std::shared_ptr<const Trace>& trace, BlockKind kind,
                                              const View& view, const Translator& tr) {
  const View shown = with_shown_cells(view);
  auto block = shown.rollout.of == Rollout::off ? with_cells(trace, kind, cell_question(shown, *trace))
                                                : with_rollout(trace, block_of(trace, kind), shown.rollout);
  // In pooled cells it would be one of many.
  if (!needs_pooling(*block) || view.row().has_steps)
    block = with_no_token(std::move(block), tr(TR("no token")));
  return shown.words ? with_words(std::move(block)) : block;
}

}  // namespace headscope

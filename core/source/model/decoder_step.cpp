#include "core/source/model/decoder_step.h"

#include <algorithm>

#include "core/model/config/model_notes.h"
#include "core/source/source.h"

namespace headscope {
namespace {

const BlockTrace* find_stack(const Trace& trace, BlockKind kind) {
  const auto found =
      std::ranges::find(trace.blocks, kind, [](const BlockTrace& one) { return one.shape.kind; });
  return found == trace.blocks.end() ? nullptr : &*found;
}

}  // namespace

Index decoder_steps(const Trace& trace) {
  const BlockTrace *decoder = find_stack(trace, BlockKind::decoder),
                   *cross = find_stack(trace, BlockKind::cross);
  // One that labels a text writes none.
  const bool labels = trace.predictions && !trace.predictions->of_tokens();
  return decoder == nullptr || cross == nullptr || cross->n_k() == 0 || labels ? 0 : decoder->n_q();
}

DecoderStep decoder_step(const Trace& trace, Index step, std::size_t maximum) {
  const std::vector<Token>& target = find_stack(trace, BlockKind::decoder)->tokens;
  const BlockTrace& cross = *find_stack(trace, BlockKind::cross);
  DecoderStep result;
  result.step = step;
  result.steps = decoder_steps(trace);
  result.given = trace.inputs.target.has_value();
  if (step + 1 < result.steps) result.next = target[step + 1];
  result.look = alignment_look(cross, trace.about().model_notes);
  const Tensor row = cross_weights(cross, result.look, step, step + 1);
  for (Index key = 0; key < cross.n_k(); ++key) result.seen.push_back({key, row.data()[key]});
  std::ranges::stable_sort(result.seen, std::ranges::greater{}, &DecoderStep::Seen::weight);
  result.seen.resize(std::min(maximum, result.seen.size()));
  if (!result.seen.empty() && result.seen.front().weight == 0) result.seen.clear();
  return result;
}

}  // namespace headscope

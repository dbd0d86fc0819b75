#include "app/state/actions/continue_text.h"

#include "app/state/workspace.h"
#include "core/source/model/model_source.h"
#include "core/source/source.h"

namespace headscope {
namespace {

/// Token by token: no encoder does, nor a model that sees both sides, whatever it predicts.
bool writes(const Workspace& work) {
  const auto model = work.opening.config(work.inputs);
  return !model || model->encoder_decoder() || (model->has_decoder() && model->causal);
}

}  // namespace

bool can_generate(const Workspace& work) {
  const Trace& trace = *work.trace();
  return work.inputs.about().predicts && trace.predictions && trace.predictions->of_next_token() &&
         writes(work) && !trace.blocks.front().tokens.empty();
}

std::string cannot_continue(const Workspace& work) {
  const Trace& trace = *work.trace();
  if (!work.inputs.about().predicts) return work.tr("Only a trained model writes text.");
  if (trace.inputs.model != work.inputs.model) return work.tr("The model has not read the text yet.");
  if (!trace.predictions || !trace.predictions->of_next_token() || !writes(work))
    return work.tr("This model reads text and writes none.");
  const auto model = work.opening.config(work.inputs);
  if (model && model->encoder_decoder() && !work.inputs.target)
    return work.tr(
        "The target is what the model writes already; with “Target text of your own” it goes on from there.");
  const auto block = block_of(work.trace(), trace.predictions->block());
  if (block->tokens.empty()) return work.tr("The sentence is empty.");
  if (const auto longest = model ? model->longest() : std::nullopt; longest && block->n_q() >= *longest)
    return work.tr("The text fills all {} positions that the model has; shorten it to go on.", *longest);
  return {};
}

void toggle_generation(Workspace& work) {
  if (work.generation.running())
    work.generation.stop();
  else if (cannot_continue(work).empty()) {
    ++work.undo.gesture;
    work.generation.start(work.inputs);
  }
}

void poll_generation(Workspace& work) {
  const Inputs before = work.inputs;
  const auto error = work.generation.poll(work.inputs);
  work.generation.grew = work.inputs != before;
  if (error) return work.notices.error(Notices::About::nothing, *error);
  const auto ended = work.generation.take_end();
  if (!ended) return;
  const auto& [why, count] = *ended;
  if (why == GenerationEnd::end_token)
    work.notices.info(TR("The model ended its text; tokens added: {}"), count);
  else if (why == GenerationEnd::max_tokens)
    work.notices.info(TR("Stopped at the limit set next to “Continue text”; tokens added: {}"), count);
  else if (why == GenerationEnd::positions)
    work.notices.info(TR("Stopped where the model has no more positions; tokens added: {}"), count);
}

}  // namespace headscope

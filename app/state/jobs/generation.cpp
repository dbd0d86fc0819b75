#include "app/state/jobs/generation.h"

#include "app/state/workspace.h"
#include "core/base/failure.h"
#include "core/source/engine/engine.h"
#include "core/source/model/model_source.h"
#include "core/source/model/model_text.h"

namespace headscope {
namespace {

// An incomplete character at the end appears as U+FFFD; the next token completes it.
std::string whole_characters(std::string text) {
  constexpr std::string_view replacement = "\xEF\xBF\xBD";
  while (text.ends_with(replacement)) text.resize(text.size() - replacement.size());
  return text;
}

}  // namespace

void Generation::start(const Inputs& inputs) {
  stop();
  requested_ = inputs;
  text_.clear();
  end_.reset();
  job_.start([this, inputs, how = settings](const std::stop_token& stop) { return work(inputs, how, stop); },
             wake_);
}

void Generation::stop() {
  job_.drop();
}

Generation::End Generation::work(const Inputs& inputs, const GenerationSettings& how,
                                 const std::stop_token& stop) {
  Engine engine(0, BufferPool(), sources_);
  const auto source = engine.open_model(inputs.model);
  {
    const std::lock_guard lock(mutex_);
    target_ = source->model().config().encoder_decoder();
    before_ = target_ ? inputs.target.value_or("") : inputs.sentence;
  }
  GenerateRequest request;
  request.max_tokens = how.max_tokens;
  request.sampling = how.draws ? how.sampling : Sampling{};
  request.seed = how.seed;
  // For targets with separate words, keep the word boundaries of what was generated.
  const bool apart = target_ && has_word_tokens(source->tokenizer());
  request.took = [&](const Token& token, const std::string& text) {
    {
      const std::lock_guard lock(mutex_);
      text_ = apart ? joined_words(before_ + text_, {&token, 1}).substr(before_.size()) : text;
    }
    if (wake_) wake_();
    return !stop.stop_requested();
  };
  const auto result = source->generate(inputs, request, engine.context(), stop);
  return result ? End({result->end, std::ssize(result->tokens)}) : std::nullopt;
}

std::optional<Error> Generation::poll(Inputs& inputs) {
  if (!running()) return {};
  if (inputs != requested_) {
    stop();
    return {};
  }
  const bool done = job_.done();
  {
    const std::lock_guard lock(mutex_);
    const std::string text = before_ + (done ? text_ : whole_characters(text_));
    if (!text_.empty()) {
      if (target_)
        requested_.target = text;
      else
        requested_.sentence = text;
      inputs = requested_;
    }
  }
  if (!done) return {};
  try {
    end_ = job_.take();
  } catch (...) {
    return handled_error(TR("the text could not be continued: "));
  }
  return {};
}

bool can_generate(const Workspace& work) {
  const Trace& trace = *work.trace();
  return work.inputs.about().predicts && trace.predictions && trace.predictions->of_next_token() &&
         !trace.blocks.front().tokens.empty();
}

std::string cannot_continue(const Workspace& work) {
  const Trace& trace = *work.trace();
  if (!work.inputs.about().predicts) return work.tr("Only a trained model writes text.");
  if (trace.inputs.model != work.inputs.model) return work.tr("The model has not read the text yet.");
  if (!trace.predictions || !trace.predictions->of_next_token())
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

#include "app/state/jobs/generation.h"

#include "core/base/failure.h"
#include "core/base/translate.h"
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

}  // namespace headscope

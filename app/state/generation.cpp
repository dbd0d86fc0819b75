#include "app/state/generation.h"

#include <new>

#include "app/state/app.h"
#include "core/source/engine.h"
#include "core/source/model_source.h"

namespace headscope {
namespace {

// Bytes that are no whole character yet stand at the end as U+FFFD; the next token completes them.
std::string whole_characters(std::string text) {
  constexpr std::string_view replacement = "\xEF\xBF\xBD";
  while (text.ends_with(replacement)) text.resize(text.size() - replacement.size());
  return text;
}

}  // namespace

void Generation::start(const Inputs& inputs) {
  stop();
  asked_ = inputs;
  text_.clear();
  error_.reset();
  made_end_.reset();
  end_.reset();
  done_ = false;
  worker_ =
      std::jthread([this, inputs, how = settings](const std::stop_token& stop) { work(inputs, how, stop); });
}

void Generation::stop() {
  if (!worker_.joinable()) return;
  worker_.request_stop();
  worker_.join();
  worker_ = std::jthread();
}

void Generation::work(const Inputs& inputs, const GenerationSettings& how, const std::stop_token& stop) {
  std::optional<Error> error;
  std::optional<GenerationEnd> end;
  try {
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
    request.took = [&](const Token&, const std::string& text) {
      {
        const std::lock_guard lock(mutex_);
        text_ = text;
      }
      if (wake_) wake_();
      return !stop.stop_requested();
    };
    if (const auto generated = source->generate(inputs, request, engine.context(), stop))
      end = generated->end;
  } catch (const Error& thrown) {
    error = thrown;
  } catch (const std::bad_alloc&) {
    error = unable_error("not enough memory for this run");
  }
  const std::lock_guard lock(mutex_);
  error_ = error;
  made_end_ = end;
  done_ = true;
  if (wake_) wake_();
}

std::optional<Error> Generation::poll(Inputs& inputs) {
  if (!running()) return {};
  if (inputs != asked_) {
    stop();
    return {};
  }
  std::unique_lock lock(mutex_);
  const std::string text = before_ + (done_ ? text_ : whole_characters(text_));
  if (!text_.empty()) {
    if (target_)
      asked_.target = text;
    else
      asked_.sentence = text;
    inputs = asked_;
  }
  if (!done_) return {};
  const std::optional<Error> error = error_;
  end_ = made_end_;
  lock.unlock();
  stop();
  return error;
}

bool can_generate(const App& app) {
  const Trace& trace = *app.trace();
  return app.inputs.trained() && trace.predictions && trace.predictions->of_next_token() &&
         !trace.blocks.front().tokens.empty();
}

void toggle_generation(App& app) {
  if (app.generation.running())
    app.generation.stop();
  else if (can_generate(app))
    app.generation.start(app.inputs);
}

void poll_generation(App& app) {
  if (const auto error = app.generation.poll(app.inputs)) app.notices.error(Notices::About::nothing, *error);
  const auto end = app.generation.take_end();
  if (!end) return;
  if (*end == GenerationEnd::end_token) app.notices.info(TR("The model ended the text here."));
  if (*end == GenerationEnd::positions)
    app.notices.info(TR("The text ends here: the model has no position for another token."));
  if (*end == GenerationEnd::max_tokens)
    app.notices.info(TR("Stopped: there are as many tokens as were asked for ({})."),
                     app.generation.settings.max_tokens);
}

}  // namespace headscope

#include "core/analysis/shown_causes.h"

#include <algorithm>

#include "core/analysis/expectations.h"
#include "core/source/source.h"

namespace headscope {

void read_same_target(const Trace& a, Inputs& b) {
  if (a.about().reads_target && !b.target) b.target = a.source->decoder_text(a);
}

std::shared_ptr<const ShownCauses> shown_causes(
    const Trace& a, const Trace* b, const CauseChoice& choice, const std::stop_token& stop,
    const std::function<void(double share)>& progress,
    const std::function<void(const CauseRequest& request, const Causes& so_far)>& found) {
  const Predictions& predictions = *a.predictions;
  auto shown = std::make_shared<ShownCauses>();
  CauseRequest& request = shown->request;
  request.change = choice.change;
  request.places = has_places(choice.change, choice.places)      ? choice.places
                   : has_places(choice.change, CausePlaces::all) ? CausePlaces::all
                                                                 : CausePlaces::position;
  if (request.places == CausePlaces::edge || request.places == CausePlaces::key) request.head = choice.head;
  request.noise = choice.noise && is_patch(choice.change);
  CauseQuestion& question = request.question;
  question.position = chosen_query(a, choice.position);
  question.answer = token_or_likeliest(predictions, choice.answer, question.position);
  question.against = named_token(predictions, choice.against);
  if (needs_other(choice.change) && (b == nullptr || !b->run || !b->predictions)) {
    shown->refusal = input_error("this change needs another text: expected a sentence B");
    return shown;
  }
  CauseRequest asked = request;
  asked.stop = stop;
  asked.progress = progress;
  if (found && request.places != CausePlaces::path)
    asked.found = [&](const Causes& so_far) { found(request, so_far); };
  try {
    shown->causes = predictions.causes(needs_other(choice.change) ? b->run.get() : nullptr, asked);
    if (shown->causes && request.places == CausePlaces::path) {
      shown->paths = predictions.paths(question, heads_that_matter(shown->causes->maps), stop);
      if (!shown->paths) return nullptr;
    }
  } catch (const Error& error) {
    shown->refusal = error;
    return shown;
  }
  return shown->causes ? shown : nullptr;
}

}  // namespace headscope

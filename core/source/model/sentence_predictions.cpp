#include "core/source/model/sentence_predictions.h"

#include <algorithm>
#include <utility>

#include "core/base/matrix.h"
#include "core/model/effects/causes.h"
#include "core/model/weights/picture_parts.h"
#include "core/source/model/model_maps.h"

namespace headscope {

SentencePredictions::SentencePredictions(std::shared_ptr<const ModelRun> run,
                                         std::vector<ReadSentence> sentences,
                                         std::shared_ptr<OnDemandContext> on_demand)
    : run_(std::move(run)), on_demand_(std::move(on_demand)) {
  output_.kind = OutputKind::sentence;
  output_.scale = run_->model().tower_head().sigmoid ? LabelScale::any : LabelScale::one;
  for (ReadSentence& sentence : sentences) {
    output_.labels.push_back(std::move(sentence.text));
    vectors_.push_back(std::move(sentence.vector));
  }
}

Index SentencePredictions::text_queries() const {
  return run_->model().tower_head().probe ? std::ssize(run_->input().ids) : 1;
}

Tensor SentencePredictions::logits(Index begin, Index end) const {
  const int layers = static_cast<int>(run_->model().stack(block()).size.layers);
  return logits_after(layers - 1, begin, end);
}

Tensor SentencePredictions::logits_after(int layer, Index begin, Index end) const {
  return on_demand_->compute([&](const auto& context) {
    const LanguageModel& model = run_->model();
    const Tensor stream = layer + 1 == model.stack(block()).size.layers
                              ? run_->stream(block(), context.memory)
                              : run_->x(block(), layer + 1, context.memory);
    const std::vector<double> picture = projected_vector(model, stream, {}, context);
    Tensor logits({end - begin, vocabulary()});
    for (std::size_t i = 0; i < vectors_.size(); ++i)
      as_matrix(logits).col(i).setConstant(
          static_cast<float>(similarity_logit(model.tower_head(), picture, vectors_[i])));
    return logits;
  });
}

std::string SentencePredictions::token(Index id) const {
  return output_.labels[id];
}

std::vector<Index> SentencePredictions::ids(std::string_view text) const {
  const auto found = std::ranges::find(output_.labels, text);
  if (found == output_.labels.end()) return {};
  return {found - output_.labels.begin()};
}

std::optional<LogitContributions> SentencePredictions::contributions(Index /*position*/, Index id,
                                                                     const std::stop_token& stop) const {
  return on_demand_->compute([&](const auto& context) {
    return logit_contributions(*run_, linear_similarity(*run_, vectors_[id], context), context, stop);
  });
}

std::optional<LogitDirection> SentencePredictions::direction(BlockKind block, int layer, Index id) const {
  return on_demand_->compute([&](const auto& context) {
    return logit_direction(*run_, linear_similarity(*run_, vectors_[id], context), block, layer, context);
  });
}

std::shared_ptr<const Causes> SentencePredictions::causes(const ModelRun* /*other*/,
                                                          const CauseRequest& /*request*/) const {
  throw no_output_for_tokens();
}

std::shared_ptr<const HeadPaths> SentencePredictions::paths(const CauseQuestion& /*question*/,
                                                            std::span<const HeadPlace> /*heads*/,
                                                            const std::stop_token& /*stop*/) const {
  throw no_output_for_tokens();
}

}  // namespace headscope

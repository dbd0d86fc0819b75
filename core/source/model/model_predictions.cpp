#include "core/source/model/model_predictions.h"

#include <algorithm>

#include "core/base/error.h"
#include "core/base/matrix.h"
#include "core/base/tensor.h"
#include "core/model/effects/head_paths.h"
#include "core/model/layer/seen_keys.h"
#include "core/source/model/model_maps.h"

namespace headscope {

Error logits_overflow() {
  return input_error(
      "the logits exceed float32's range; expected smaller numbers in the last norm and the unembedding");
}

BlockKind ModelPredictions::block() const {
  const ModelConfig& config = run_->model().config();
  // The decoder's row of a token that it reads again is at the token's place, not where it reads it.
  if (config.rereads() && !output().of_whole()) return BlockKind::encoder;
  if (config.funnel) return run_->model().blocks().back().kind;
  return config.encoder_decoder() ? BlockKind::decoder : BlockKind::self;
}

bool ModelPredictions::of_next_token() const {
  const ModelConfig& config = run_->model().config();
  // What its class is trained on, even where that sees both sides, as RemBERT's does.
  const bool by_class =
      config.architecture.ends_with("ForCausalLM") || config.architecture == "BertLMHeadModel";
  return of_tokens() && (config.has_decoder() || config.causal || by_class);
}

bool ModelPredictions::has_lens() const {
  return block() != BlockKind::encoder && !continues_stack(block());
}

Tensor ModelPredictions::logits(Index begin, Index end) const {
  return checked(on_demand_->compute([&](const auto& context) { return run_->logits(begin, end, context); }),
                 begin);
}

Tensor ModelPredictions::checked(Tensor logits, Index begin) const {
  // No answer is in its question, but for none at all, which is its first token.
  constexpr float none = 1e6F;
  const Index question = question_length(run_->model().config(), run_->input());
  const Index rows = logits.empty() ? 0 : logits.dim(0);
  for (Index i = 0; i < rows; ++i)
    if (begin + i > 0 && begin + i < question) as_matrix(logits).row(i).array() -= none;
  if (!logits.empty() && !finite(logits)) overflowed_ = true;
  return logits;
}

std::optional<Error> ModelPredictions::error() const {
  if (!overflowed_) return {};
  return logits_overflow();
}

Tensor ModelPredictions::logits_after(int layer, Index begin, Index end) const {
  if (!has_lens() || layer + 1 == run_->model().stack(block()).size.layers) return logits(begin, end);
  return checked(on_demand_->compute(
                     [&](const auto& context) { return run_->logits_after(layer, begin, end, context); }),
                 begin);
}

std::optional<Index> ModelPredictions::text_query() const {
  const auto rows = run_->model().text_rows(run_->input().ids);
  return rows ? std::optional(rows->first) : std::nullopt;
}

Index ModelPredictions::text_queries() const {
  const auto rows = run_->model().text_rows(run_->input().ids);
  // The two first ones each have a head of their own.
  return rows && output().reads != OutputConfig::Reads::first_two ? rows->second - rows->first : 1;
}

std::string ModelPredictions::token(Index id) const {
  return of_tokens() ? tokenizer_->shown(static_cast<TokenId>(id)) : output().labels[id];
}

std::vector<Index> ModelPredictions::ids(std::string_view text) const {
  if (!of_tokens()) {
    const auto label = std::ranges::find(output().labels, text);
    return label == output().labels.end() ? std::vector<Index>()
                                          : std::vector{label - output().labels.begin()};
  }
  if (const std::optional<TokenId> id = tokenizer_->find(text)) return {*id};
  std::vector<Index> ids;
  for (const TokenId id : tokenizer_->encode(text, {}, false).ids()) ids.push_back(id);
  // A word that the model does not know is not the token that it reads instead.
  if (ids.size() == 1 && tokenizer_->unknown() == ids.front()) ids.clear();
  return ids;
}

std::optional<LogitContributions> ModelPredictions::contributions(Index position, Index id,
                                                                  const std::stop_token& stop) const {
  return on_demand_->compute(
      [&](const auto& context) { return logit_contributions(*run_, position, id, context, stop); });
}

std::shared_ptr<const Causes> ModelPredictions::causes(const ModelRun* other,
                                                       const CauseRequest& request) const {
  // Takes so long that what else is computed on demand, such as a map under the pointer, must not wait for
  // it.
  OnDemandContext own;
  return find_causes(*run_, other, request, own.context());
}

std::shared_ptr<const HeadPaths> ModelPredictions::paths(const CauseQuestion& question,
                                                         std::span<const HeadPlace> heads,
                                                         const std::stop_token& stop) const {
  OnDemandContext own;
  return find_paths(*run_, question, heads, own.context(), stop);
}

std::optional<LogitDirection> ModelPredictions::direction(BlockKind block, int layer, Index id) const {
  return on_demand_->compute(
      [&](const auto& context) { return logit_direction(*run_, block, layer, id, context); });
}

}  // namespace headscope

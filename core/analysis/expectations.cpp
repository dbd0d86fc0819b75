#include "core/analysis/expectations.h"

#include <algorithm>
#include <cmath>
#include <span>

namespace headscope {
namespace {

const BlockTrace& predicting_block(const Trace& trace) {
  return *std::ranges::find(trace.blocks, trace.predictions->block(),
                            [](const BlockTrace& block) { return block.shape.kind; });
}

}  // namespace

ExpectationRange whole_range(const Trace& trace, bool layers) {
  const BlockTrace& block = predicting_block(trace);
  return {layers ? 0 : block.shape.layers - 1, block.shape.layers, 0, block.n_q()};
}

std::shared_ptr<const Expectations> expectations(const Trace& trace, const ExpectationRange& range,
                                                 const std::stop_token& stop) {
  constexpr Index at_once = 64;  // of a vocabulary's logits each
  const BlockTrace& block = predicting_block(trace);
  const Predictions& predictions = *trace.predictions;
  auto result = std::make_shared<Expectations>();
  result->range = range;
  result->surprise.resize(static_cast<std::size_t>(range.end - range.begin));
  for (int layer = range.first_layer; layer < range.end_layer; ++layer) {
    auto& lists = result->likeliest.emplace_back();
    for (Index begin = range.begin; begin < range.end; begin += at_once) {
      if (stop.stop_requested()) return nullptr;
      const Index end = std::min(begin + at_once, range.end);
      const Tensor logits = predictions.logits_after(layer, begin, end);
      for (Index query = begin; query < end; ++query) {
        const std::span row(logits.at(query - begin), static_cast<std::size_t>(logits.dim(1)));
        lists.push_back(likeliest(row, Expectations::tokens));
        const Index told = predictions.of_next_token() ? query + 1 : query;
        if (layer + 1 == block.shape.layers && told < range.end)
          result->surprise[static_cast<std::size_t>(told - range.begin)] =
              surprise(row, block.tokens[static_cast<std::size_t>(told)].id);
      }
    }
  }
  return result;
}

std::optional<Index> named_token(const Predictions& predictions, const std::string& text) {
  const auto digit = [](char c) { return c >= '0' && c <= '9'; };
  if (!text.empty() && text.size() < 10 && std::ranges::all_of(text, digit)) {
    const Index id = std::stoi(text);
    return id < predictions.vocabulary() ? std::optional(id) : std::nullopt;
  }
  const std::vector<Index> ids = text.empty() ? std::vector<Index>() : predictions.ids(text);
  return ids.size() == 1 ? std::optional(ids.front()) : std::nullopt;
}

std::shared_ptr<const TokenContributions> token_contributions(const Trace& trace, const std::string& token,
                                                              std::optional<int> position,
                                                              const std::stop_token& stop) {
  if (!trace.predictions || !trace.predictions->has_contributions()) return nullptr;
  const Predictions& predictions = *trace.predictions;
  const Index n = predicting_block(trace).n_q();
  auto result = std::make_shared<TokenContributions>();
  result->position = std::min<Index>(position.value_or(static_cast<int>(n) - 1), n - 1);
  const Tensor logits = predictions.logits(result->position, result->position + 1);
  const std::span row(logits.data(), static_cast<std::size_t>(logits.size()));
  result->token = named_token(predictions, token).value_or(likeliest(row, 1).front().id);
  result->probability = std::exp2(-surprise(row, result->token));
  auto parts = predictions.contributions(result->position, result->token, stop);
  if (!parts) return nullptr;
  result->parts = std::move(*parts);
  return result;
}

}  // namespace headscope

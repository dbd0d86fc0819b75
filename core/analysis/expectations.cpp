#include "core/analysis/expectations.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>
#include <span>
#include <string_view>

#include "core/base/matrix.h"
#include "core/base/stopped.h"

namespace headscope {
namespace {

constexpr std::string_view id_mark = "id:";

bool is_number(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

std::optional<Index> id_in(const Predictions& predictions, const std::string& number) {
  if (!is_number(number) || number.size() >= 10) return std::nullopt;
  const Index id = std::stoi(number);
  return id < predictions.vocabulary() ? std::optional(id) : std::nullopt;
}

/// The word of the text that a token represents; nullptr: it represents itself.
const Token* placeholder_token(const Trace& trace, Index id) {
  for (const BlockTrace& block : trace.blocks)
    for (const std::vector<Token>* tokens : {&block.key_tokens, &block.tokens})
      for (const Token& token : *tokens)
        if (token.placeholder && token.id == id) return &token;
  return nullptr;
}

}  // namespace

const BlockTrace& predicting_block(const Trace& trace) {
  return *std::ranges::find(trace.blocks, trace.predictions->block(),
                            [](const BlockTrace& block) { return block.shape.kind; });
}

ExpectationRange whole_range(const Trace& trace, bool layers) {
  const BlockTrace& block = predicting_block(trace);
  const std::optional<Index> of_text = trace.predictions->text_query();
  return {layers ? 0 : block.shape.layers - 1, block.shape.layers, of_text.value_or(0),
          of_text ? *of_text + 1 : block.n_q()};
}

namespace {

/// Adds the probabilities that an answer starts and ends at each query of the range: softmax over all
/// queries.
void add_spans(const Predictions& predictions, int layer, const ExpectationRange& range, Index n,
               std::vector<std::vector<TokenProbability>>& lists) {
  const Tensor logits = predictions.logits_after(layer, 0, n);
  Eigen::ArrayXXd shares = as_matrix(logits).cast<double>();
  shares = (shares.rowwise() - shares.colwise().maxCoeff()).exp();
  shares = shares.rowwise() / shares.colwise().sum();
  for (Index query = range.begin; query < range.end; ++query)
    lists.push_back({{0, shares(query, 0)}, {1, shares(query, 1)}});
}

}  // namespace

std::shared_ptr<const Expectations> expectations(const Trace& trace, const ExpectationRange& range,
                                                 const std::stop_token& stop) {
  constexpr Index at_once = 64;  // of a vocabulary's logits at a time
  const BlockTrace& block = predicting_block(trace);
  const Predictions& predictions = *trace.predictions;
  auto result = std::make_shared<Expectations>();
  result->range = range;
  result->surprise.resize(range.end - range.begin);
  const bool all = predictions.output().kind == OutputKind::sentence;  // each was asked for
  const Index listed = all ? predictions.vocabulary() : Expectations::tokens;
  for (int layer = range.first_layer; layer < range.end_layer; ++layer) {
    auto& lists = result->likeliest.emplace_back();
    if (predictions.output().kind == OutputKind::span) {
      add_spans(predictions, layer, range, block.n_q(), lists);
      continue;
    }
    for (Index begin = range.begin; begin < range.end; begin += at_once) {
      if (stop_requested(stop)) return nullptr;
      const Index end = std::min(begin + at_once, range.end);
      const Tensor logits = predictions.logits_after(layer, begin, end);
      for (Index query = begin; query < end; ++query) {
        const std::span row(logits.at(query - begin), logits.dim(1));
        lists.push_back(likeliest(row, predictions.output().scale, listed));
        const Index reported = predictions.of_next_token() ? query + 1 : query;
        if (predictions.of_tokens() && layer + 1 == block.shape.layers && reported < range.end)
          result->surprise[reported - range.begin] = surprise(row, block.tokens[reported].id);
      }
    }
  }
  return result;
}

namespace {

bool of_template(const Token& token) {
  return token.special && token.begin == token.end;
}

/// The first token of the second text of a pair. Behind the first text come tokens of the template, or the
/// places begin anew in another sentence.
std::size_t second_text(const std::vector<Token>& tokens) {
  const Token* before = nullptr;
  bool parted = false;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const Token& token = tokens[i];
    if (of_template(token)) {
      parted = before != nullptr;
      continue;
    }
    const bool anew = before != nullptr && token.sentence > before->sentence && token.begin < before->end;
    if (parted || anew) return i;
    before = &token;
  }
  return 0;  // the first text has no tokens
}

}  // namespace

// Among the tokens of the second text of a pair, or of the only one, as in transformers' pipeline for
// questions.
std::optional<AnswerSpan> answer_span(const Trace& trace, const Expectations& expected) {
  constexpr Index longest = 15;
  const std::vector<Token>& tokens = predicting_block(trace).tokens;
  const Index n = std::ssize(tokens);
  const ExpectationRange& range = expected.range;
  if (trace.predictions->output().kind != OutputKind::span || range.begin != 0 || range.end != n) return {};
  const Index first = trace.inputs.key_sentence ? second_text(tokens) : 0;
  const auto share = [&](Index query, std::size_t side) {
    return expected.at(range.end_layer - 1, query)[side].probability;
  };
  const auto answers = [&](Index query) { return !of_template(tokens[query]); };
  std::optional<AnswerSpan> best;
  for (Index start = first; start < n; ++start)
    for (Index end = start; answers(start) && end < std::min(n, start + longest); ++end)
      if (const double both = share(start, 0) * share(end, 1);
          answers(end) && (!best || both > best->probability))
        best = {start, end, both};
  return best;
}

Index default_query(const Trace& trace) {
  if (const auto of_text = trace.predictions->text_query()) return *of_text;
  const std::vector<Token>& tokens = predicting_block(trace).tokens;
  const Index last = std::ssize(tokens) - 1;
  if (trace.predictions->of_next_token()) return last;
  // Tokens that the template adds have no place in the text.
  const auto is_mask = [](const Token& token) {
    std::string text = token.text;
    std::ranges::transform(text, text.begin(),
                           [](char c) { return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c; });
    return token.special && token.begin < token.end && text.find("mask") != std::string::npos;
  };
  if (const auto mask = std::ranges::find_if(tokens, is_mask); mask != tokens.end())
    return mask - tokens.begin();
  const auto word = std::ranges::find(tokens.rbegin(), tokens.rend(), false, &Token::special);
  return word == tokens.rend() ? last : last - (word - tokens.rbegin());
}

Index chosen_query(const Trace& trace, std::optional<int> choice) {
  if (!choice || trace.predictions->text_query()) return default_query(trace);
  return std::min<Index>(*choice, predicting_block(trace).n_q() - 1);
}

Index predicted_place(const Trace& trace, Index query) {
  if (!trace.predictions->of_tokens()) return -1;
  if (!trace.predictions->of_next_token()) return query;
  return query + 1 < predicting_block(trace).n_q() ? query + 1 : -1;
}

std::optional<double> mean_surprise(const Expectations& expected) {
  double sum = 0;
  int count = 0;
  for (const auto& bits : expected.surprise)
    if (bits) sum += *bits, ++count;
  return count == 0 ? std::nullopt : std::optional(sum / count);
}

std::string name_of_id(Index id) {
  return std::string(id_mark) + std::to_string(id);
}

std::string expected_text(const Trace& trace, Index id) {
  const Token* const placeholder = trace.predictions->of_tokens() ? placeholder_token(trace, id) : nullptr;
  return placeholder != nullptr ? placeholder->text : trace.predictions->token(id);
}

std::string placeholder_of_text(const Trace& trace, Index id) {
  const bool carries = trace.predictions->of_tokens() && placeholder_token(trace, id) != nullptr;
  return carries ? trace.predictions->token(id) : std::string();
}

std::optional<Index> named_token(const Predictions& predictions, const std::string& text) {
  if (text.starts_with(id_mark)) return id_in(predictions, text.substr(id_mark.size()));
  const std::vector<Index> ids = text.empty() ? std::vector<Index>() : predictions.ids(text);
  const bool one = ids.size() == 1;
  // A number that is no token of the vocabulary may be read as the token for unknown text.
  if (is_number(text) && !(one && predictions.token(ids.front()).ends_with(text)))
    return id_in(predictions, text);
  return one ? std::optional(ids.front()) : std::nullopt;
}

Index token_or_likeliest(const Predictions& predictions, const std::string& text, Index query) {
  if (const std::optional<Index> id = named_token(predictions, text)) return *id;
  const Tensor logits = predictions.logits(query, query + 1);
  return std::max_element(logits.data(), logits.data() + logits.size()) - logits.data();
}

namespace {

/// Of a token or label, by the logits of its query.
double probability_of(std::span<const float> logits, LabelScale scale, Index id) {
  if (scale == LabelScale::one) return std::exp2(-surprise(logits, id));
  const auto all = likeliest(logits, scale, std::ssize(logits));
  return std::ranges::find(all, id, &TokenProbability::id)->probability;
}

}  // namespace

double prediction_at(const Trace& trace, Index query, Index id) {
  const Predictions& predictions = *trace.predictions;
  if (predictions.output().kind == OutputKind::span) {
    std::vector<std::vector<TokenProbability>> lists;
    const BlockTrace& block = predicting_block(trace);
    add_spans(predictions, block.shape.layers - 1, {0, 0, query, query + 1}, block.n_q(), lists);
    return lists.front()[id].probability;
  }
  const Tensor logits = predictions.logits(query, query + 1);
  return probability_of({logits.data(), static_cast<std::size_t>(logits.size())}, predictions.output().scale,
                        id);
}

std::shared_ptr<const TokenContributions> token_contributions(const Trace& trace, const std::string& token,
                                                              std::optional<int> position,
                                                              const std::stop_token& stop) {
  if (!trace.predictions) return nullptr;
  const Predictions& predictions = *trace.predictions;
  auto result = std::make_shared<TokenContributions>();
  result->position = chosen_query(trace, position);
  result->token = token_or_likeliest(predictions, token, result->position);
  result->probability = prediction_at(trace, result->position, result->token);
  auto parts = predictions.contributions(result->position, result->token, stop);
  if (!parts) return nullptr;
  result->parts = std::move(*parts);
  return result;
}

std::shared_ptr<const ShiftedPredictions> shifted_predictions(const Trace& a, const Trace& b, Index query_a,
                                                              Index query_b, const std::stop_token& stop) {
  const Tensor of_a = a.predictions->logits(query_a, query_a + 1);
  if (stop_requested(stop)) return nullptr;
  const Tensor of_b = b.predictions->logits(query_b, query_b + 1);
  if (stop_requested(stop)) return nullptr;
  const std::size_t vocabulary = a.predictions->vocabulary();
  const std::span<const float> logits_a(of_a.data(), vocabulary), logits_b(of_b.data(), vocabulary);
  std::set<Index> ids;
  for (const auto& logits : {logits_a, logits_b})
    for (const TokenProbability& token : likeliest(logits, ShiftedPredictions::maximum)) ids.insert(token.id);
  auto result = std::make_shared<ShiftedPredictions>();
  result->query_a = query_a;
  result->query_b = query_b;
  const auto share = [](const Trace& trace, Index query, std::span<const float> logits, Index id) {
    const OutputConfig& output = trace.predictions->output();
    return output.kind == OutputKind::span ? prediction_at(trace, query, id)
                                           : probability_of(logits, output.scale, id);
  };
  for (const Index id : ids)
    result->tokens.push_back({id, share(a, query_a, logits_a, id), share(b, query_b, logits_b, id)});
  const auto shift = [](const ShiftedToken& token) { return std::abs(token.b - token.a); };
  const auto likeliest_side = [](const ShiftedToken& token) { return std::max(token.a, token.b); };
  result->same = std::ranges::all_of(result->tokens, [&](const ShiftedToken& token) {
    return shift(token) < ShiftedPredictions::smallest_shift;
  });
  if (result->same)
    std::ranges::stable_sort(result->tokens, std::greater(), likeliest_side);
  else
    std::ranges::stable_sort(result->tokens, std::greater(), shift);
  if (result->tokens.size() > ShiftedPredictions::maximum) result->tokens.resize(ShiftedPredictions::maximum);
  return result;
}

}  // namespace headscope

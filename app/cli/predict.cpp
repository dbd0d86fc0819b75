#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <span>

#include "app/cli/commands.h"
#include "app/cli/notes.h"
#include "app/cli/run_inputs.h"
#include "core/base/error.h"
#include "core/base/utf8.h"
#include "core/model/sampling.h"
#include "core/source/engine.h"
#include "core/source/model_source.h"

namespace headscope {
namespace {

using Json = nlohmann::ordered_json;

constexpr Index shown_tokens = 10;

void expect_model(const CommandRequest& request) {
  if (!request.session.inputs.trained())
    throw input_error("--model is missing; expected the folder of a trained model");
}

std::string dumped(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace);
}

std::span<const float> row_of_logits(const Tensor& logits, Index row) {
  return {logits.at(row), static_cast<std::size_t>(logits.dim(1))};
}

/// What a trace's model expects, position by position.
class Expectations {
 public:
  Expectations(std::shared_ptr<const Trace> trace, bool lens) : trace_(std::move(trace)) {
    const Trace& all = *trace_;
    if (all.blocks.front().n_q() == 0) throw input_error("the sentence has no tokens; expected at least one");
    if (!all.predictions)
      throw input_error("this model has no output for tokens (no language modelling head)");
    predictions_ = all.predictions;
    block_ = block_of(trace_, predictions_->block());
    const int layers = block_->shape.layers;
    for (int layer = lens ? 0 : layers - 1; layer < layers; ++layer) take_layer(layer);
  }

  const BlockTrace& block() const { return *block_; }
  bool of_next_token() const { return predictions_->of_next_token(); }
  std::string token(Index id) const { return predictions_->token(id); }
  /// Of which something is told; the model's own expectations are the last one's.
  int layers() const { return static_cast<int>(likeliest_.size()); }
  const std::vector<TokenProbability>& at(int layer, Index position) const {
    return likeliest_[static_cast<std::size_t>(layer)][static_cast<std::size_t>(position)];
  }
  /// How little the token that stands there was expected: by the one before, or in its own place.
  std::optional<double> surprise_at(Index position) const {
    return surprise_[static_cast<std::size_t>(position)];
  }

 private:
  void take_layer(int layer) {
    constexpr Index at_once = 64;  // of a vocabulary's logits each
    const Index n = block_->n_q();
    auto& lists = likeliest_.emplace_back();
    surprise_.assign(static_cast<std::size_t>(n), std::nullopt);
    for (Index begin = 0; begin < n; begin += at_once) {
      const Index end = std::min(begin + at_once, n);
      const Tensor logits = predictions_->logits_after(layer, begin, end);
      for (Index row = begin; row < end; ++row) {
        const auto values = row_of_logits(logits, row - begin);
        lists.push_back(likeliest(values, shown_tokens));
        const auto told = static_cast<std::size_t>(of_next_token() ? row + 1 : row);
        if (told < surprise_.size()) surprise_[told] = surprise(values, block_->tokens[told].id);
      }
    }
  }

  std::shared_ptr<const Trace> trace_;
  std::shared_ptr<const Predictions> predictions_;
  std::shared_ptr<const BlockTrace> block_;
  std::vector<std::vector<std::vector<TokenProbability>>> likeliest_;  // by layer and position
  std::vector<std::optional<double>> surprise_;                        // by position, of the last layer
};

Json expected_json(const Expectations& expectations, int layer, Index position) {
  Json list = Json::array();
  for (const auto& [id, probability] : expectations.at(layer, position))
    list.push_back({{"token", expectations.token(id)}, {"token_id", id}, {"probability", probability}});
  return list;
}

void print_json(const Expectations& expectations, const CommandRequest& request) {
  Json positions = Json::array();
  const std::vector<Token>& tokens = expectations.block().tokens;
  for (Index i = 0; i < std::ssize(tokens); ++i) {
    const Token& token = tokens[static_cast<std::size_t>(i)];
    const auto surprise = expectations.surprise_at(i);
    Json entry{{"position", i}, {"token", token.text}, {"token_id", token.id}};
    entry["surprise"] = surprise ? Json(*surprise) : Json(nullptr);
    entry["expected"] = expected_json(expectations, expectations.layers() - 1, i);
    if (request.lens)
      for (int layer = 0; layer < expectations.layers(); ++layer)
        entry["layers"].push_back(expected_json(expectations, layer, i));
    positions.push_back(std::move(entry));
  }
  const Json json{{"model", request.session.inputs.model},
                  {"of", expectations.of_next_token() ? "next token" : "this token"},
                  {"positions", std::move(positions)}};
  fmt::print("{}\n", dumped(json));
}

void print_text(const Expectations& expectations, const Translator& tr) {
  const std::vector<Token>& tokens = expectations.block().tokens;
  fmt::print("{}\n", expectations.of_next_token() ? tr("The likeliest tokens after each token")
                                                  : tr("The likeliest tokens in the place of each token"));
  const auto likeliest = [&](int layer, Index i) {
    std::string line;
    for (const auto& [id, probability] : expectations.at(layer, i))
      line += fmt::format("  \"{}\" {:.1f}%", printable(expectations.token(id)), 100 * probability);
    return line;
  };
  for (Index i = 0; i < std::ssize(tokens); ++i) {
    fmt::print("{:>4} \"{}\":{}\n", i, printable(tokens[static_cast<std::size_t>(i)].text),
               likeliest(expectations.layers() - 1, i));
    for (int layer = 0; expectations.layers() > 1 && layer < expectations.layers(); ++layer)
      fmt::print("       {}:{}\n", tr.format("after layer {}", layer), likeliest(layer, i));
  }
}

}  // namespace

void run_predict(const CommandRequest& request, const Translator& tr) {
  expect_model(request);
  RunOptions options;
  options.map_budget = 0;
  const Ran ran = run(request, request.session.inputs, 0, tr, options);
  const Expectations expectations(ran.trace, request.lens);
  if (request.json)
    print_json(expectations, request);
  else
    print_text(expectations, tr);
  print_notes(ran.notes);
}

void run_generate(const CommandRequest& request, const Translator& tr) {
  expect_model(request);
  const Inputs& inputs = request.session.inputs;
  validate(inputs);
  Engine engine;
  GenerateRequest asked;
  asked.max_tokens = request.max_tokens;
  asked.sampling = request.sampling;
  asked.seed = request.sample_seed;
  const auto generated =
      engine.open_model(inputs.model)->generate(inputs, asked, engine.context(), std::stop_token());
  if (!request.json) {
    fmt::print("{}\n", generated->text);
    if (!generated->ended)
      print_notes(tr.plural("stopped after {} token", "stopped after {} tokens", generated->tokens.size(),
                            generated->tokens.size()));
    return;
  }
  Json tokens = Json::array(), ids = Json::array();
  for (const Token& token : generated->tokens) {
    tokens.push_back(token.text);
    ids.push_back(token.id);
  }
  const Json json{{"text", generated->text},
                  {"tokens", std::move(tokens)},
                  {"token_ids", std::move(ids)},
                  {"ended", generated->ended}};
  fmt::print("{}\n", dumped(json));
}

}  // namespace headscope

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "app/cli/commands.h"
#include "app/cli/messages.h"
#include "app/cli/notes.h"
#include "app/cli/run_inputs.h"
#include "app/cli/token_option.h"
#include "core/analysis/expectations.h"
#include "core/base/enum_table.h"
#include "core/base/error.h"
#include "core/base/utf8.h"
#include "core/inputs/names.h"
#include "core/scene/prediction_text.h"
#include "core/scene/readable_numbers.h"
#include "core/scene/translation_text.h"
#include "core/source/engine/engine.h"
#include "core/source/model/model_source.h"

namespace headscope {
namespace {

using Json = nlohmann::ordered_json;

void expect_model(const CommandRequest& request) {
  if (!request.session.inputs.about().computes)
    throw input_error(
        "a capture has maps and no predictions; expected --model, the folder of a trained model");
  if (!request.session.inputs.about().predicts)
    throw input_error("--model is missing; expected the folder of a trained model");
}

// Throws for a trace without predictions.
void expect_predictions(const Trace& trace) {
  expect_tokens(trace);
  if (trace.about().reads_sentences_of_picture && !trace.predictions)
    throw input_error(
        "the sentence is empty; expected sentences, a line each, that the picture is held against");
  if (trace.blocks.front().n_q() == 0) throw input_error("the sentence has no tokens; expected at least one");
  if (!trace.predictions) throw input_error("this model has no output for tokens or labels (no head)");
}

/// A model's predictions for a trace, and the texts of its tokens.
struct Prediction {
  std::shared_ptr<const BlockTrace> block;
  std::shared_ptr<const Predictions> predictions;
  std::shared_ptr<const Expectations> expectations;
  int last_layer() const { return expectations->range.end_layer - 1; }
  std::string id_word() const {
    if (predictions->of_tokens()) return "token";
    return predictions->output().kind == OutputKind::sentence ? "sentence" : "label";
  }
  bool of_picture() const {
    const OutputKind kind = predictions->output().kind;
    return kind == OutputKind::picture_label || kind == OutputKind::sentence;
  }
  std::optional<AnswerSpan> answer;
  std::vector<std::string> answer_tokens() const {
    std::vector<std::string> texts;
    for (Index i = answer->start; i <= answer->end; ++i) texts.push_back(block->tokens[i].text);
    return texts;
  }
};

Json expected_json(const Prediction& prediction, int layer, Index position) {
  Json list = Json::array();
  Tensor logits;
  if (prediction.of_picture()) logits = prediction.predictions->logits_after(layer, position, position + 1);
  for (const auto& [id, probability] : prediction.expectations->at(layer, position)) {
    list.push_back({{prediction.id_word(), prediction.predictions->token(id)},
                    {prediction.id_word() + "_id", id},
                    {prediction.predictions->output().scale == LabelScale::number ? "value" : "probability",
                     probability}});
    if (prediction.of_picture()) list.back()["logit"] = logits.data()[id];
  }
  return list;
}

void print_json(const Prediction& prediction, const CommandRequest& request) {
  Json positions = Json::array();
  const std::vector<Token>& tokens = prediction.block->tokens;
  const ExpectationRange& range = prediction.expectations->range;
  for (Index i = range.begin; i < range.end; ++i) {
    const Token& token = tokens[i];
    const auto& surprise = prediction.expectations->surprise[i - range.begin];
    Json entry{{"position", i}, {"token", token.text}, {"token_id", token.id}};
    if (prediction.predictions->of_tokens()) entry["surprise"] = surprise ? Json(*surprise) : Json(nullptr);
    entry["expected"] = expected_json(prediction, prediction.last_layer(), i);
    if (request.lens)
      for (int layer = 0; layer <= prediction.last_layer(); ++layer)
        entry["layers"].push_back(expected_json(prediction, layer, i));
    positions.push_back(std::move(entry));
  }
  Json json{{"model", request.session.inputs.model},
            {"of", prediction_word(*prediction.predictions)},
            {"positions", std::move(positions)}};
  if (prediction.of_picture()) json["picture"] = request.session.inputs.picture;
  if (prediction.answer)
    json["answer"] = {{"start", prediction.answer->start},
                      {"end", prediction.answer->end},
                      {"tokens", prediction.answer_tokens()},
                      {"probability", prediction.answer->probability}};
  dump_json(json);
}

/// The likeliest labels of a picture, or its sentences: a line each.
void print_labels(const Prediction& prediction, Index query) {
  const Tensor logits = prediction.predictions->logits(query, query + 1);
  for (const auto& [id, probability] : prediction.expectations->at(prediction.last_layer(), query))
    fmt::print("{:>8}  {:9.4f}  {}\n", prediction_number(*prediction.predictions, probability),
               logits.data()[id], printable(prediction.predictions->token(id)));
}

void print_text(const Prediction& prediction, bool lens, const Translator& tr) {
  const std::vector<Token>& tokens = prediction.block->tokens;
  fmt::print("{}\n", predictions_heading(tr, *prediction.predictions));
  const auto likeliest = [&](int layer, Index i) {
    std::string line;
    for (const auto& [id, probability] : prediction.expectations->at(layer, i))
      line += fmt::format("  \"{}\" {}", printable(prediction.predictions->token(id)),
                          prediction_number(*prediction.predictions, probability));
    return line;
  };
  const ExpectationRange& range = prediction.expectations->range;
  if (prediction.of_picture()) print_labels(prediction, range.begin);
  for (Index i = range.begin; i < range.end; ++i) {
    if (!prediction.of_picture())
      fmt::print("{:>4} \"{}\":{}\n", i, printable(tokens[i].text), likeliest(prediction.last_layer(), i));
    for (int layer = 0; lens && layer <= prediction.last_layer(); ++layer)
      fmt::print("       {}:{}\n", tr("after layer {}", layer), likeliest(layer, i));
  }
  if (!prediction.answer) return;
  std::string words;
  for (const std::string& token : prediction.answer_tokens()) words += " \"" + printable(token) + "\"";
  fmt::print("{}\n", tr("The likeliest answer is at positions {} to {}, with {}:{}", prediction.answer->start,
                        prediction.answer->end, printed_percent(prediction.answer->probability), words));
}

const char* end_word(GenerationEnd end) {
  constexpr const char* words[] = {"end_token", "max_tokens", "positions", "stopped"};
  return of_kind(words, end);
}

/// A translation that reached its end needs no explanation.
std::string why_it_ended(const Generated& generated, bool translates, const Translator& tr) {
  const auto count = generated.tokens.size();
  if (generated.end == GenerationEnd::max_tokens)
    return tr.plural("stopped after {} token, as many as --max-tokens says",
                     "stopped after {} tokens, as many as --max-tokens says", count, count);
  if (generated.end == GenerationEnd::positions)
    return tr.plural("stopped after {} token: this model has no position for another",
                     "stopped after {} tokens: this model has no position for another", count, count);
  return translates ? "" : tr("the model ended the text here");
}

/// For each generated token, the source token that it is aligned to.
Json alignment_json(const Generated& generated) {
  Json source = Json::array(), aligned = Json::array();
  for (const Token& token : generated.source_tokens) source.push_back(token.text);
  for (const AlignedTo& to : generated.aligned)
    aligned.push_back(
        {{"source", to.source}, {"token", generated.source_tokens[to.source].text}, {"weight", to.weight}});
  return {{"source_tokens", std::move(source)}, {"alignment", std::move(aligned)}};
}

/// The note that the text is unlike what the model was trained to read, which limits its predictions.
std::string outside_note(const Trace& trace, const Translator& tr) {
  return trace.translation ? outside_text(tr, *trace.translation) : std::string();
}

Json contributions_json(const LogitContributions& parts) {
  Json layers = Json::array();
  for (std::size_t layer = 0; layer < parts.feed_forward.size(); ++layer) {
    Json entry{{"layer", layer}};
    for (const LogitContributions::Attention& block : parts.attention)
      entry[to_name(block.kind)] = {{"heads", block.heads[layer]}, {"bias", block.bias[layer]}};
    entry["feed_forward"] = parts.feed_forward[layer];
    entry["feed_forward_bias"] = parts.feed_forward_bias[layer];
    layers.push_back(std::move(entry));
  }
  Json json{{"embedding", parts.embedding},
            {"position", parts.position},
            {"token_type", parts.token_type},
            {"embedding_bias", parts.embedding_bias},
            {"layers", std::move(layers)},
            {"convolution", parts.convolution},
            {"last_norm_bias", parts.norm_bias},
            {"output_bias", parts.output_bias},
            {"sum", parts.sum()},
            {"held", held_text(parts.held)}};
  if (parts.mixers != 0) json["other_mixers"] = parts.mixers;
  if (parts.layer_embeddings != 0) json["layer_embeddings"] = parts.layer_embeddings;
  return json;
}

void print_contribution_table(const LogitContributions& parts, bool of_difference, const Translator& tr) {
  const auto line = [](const std::string& name, double value) { fmt::print("{:+10.4f}  {}\n", value, name); };
  line(tr("embedding"), parts.embedding);
  if (parts.position != 0) line(tr("position"), parts.position);
  if (parts.token_type != 0) line(tr("token type"), parts.token_type);
  if (parts.embedding_bias != 0) line(tr("biases of the embedding"), parts.embedding_bias);
  for (std::size_t layer = 0; layer < parts.feed_forward.size(); ++layer) {
    for (const LogitContributions::Attention& block : parts.attention) {
      const bool cross = block.kind == BlockKind::cross;
      for (std::size_t head = 0; head < block.heads[layer].size(); ++head)
        line(cross ? tr("layer {}, cross-attention, head {}", layer, head)
                   : tr("layer {}, head {}", layer, head),
             block.heads[layer][head]);
      if (block.bias[layer] != 0)
        line(cross ? tr("layer {}, biases of cross-attention", layer)
                   : tr("layer {}, biases of attention", layer),
             block.bias[layer]);
    }
    line(tr("layer {}, feed-forward network", layer), parts.feed_forward[layer]);
    if (parts.feed_forward_bias[layer] != 0)
      line(tr("layer {}, biases of the feed-forward network", layer), parts.feed_forward_bias[layer]);
    if (layer == 0 && parts.convolution != 0) line(tr("convolution of the tokens"), parts.convolution);
  }
  if (parts.mixers != 0) line(tr("other mixers"), parts.mixers);
  if (parts.layer_embeddings != 0) line(tr("per-layer embeddings"), parts.layer_embeddings);
  if (parts.norm_bias != 0) line(tr("bias of the last norm"), parts.norm_bias);
  if (parts.output_bias != 0) line(tr("biases of the output"), parts.output_bias);
  line(of_difference ? tr("sum, which is the difference of the logits") : tr("sum, which is the logit"),
       parts.sum());
  fmt::print("{}\n", tr(held_text(parts.held)));
}

/// Prints the logit contribution of each part of the model to the token that the request names. Throws Error
/// (input) for a token outside its vocabulary, and for a position that does not exist.
void print_contributions(const Trace& trace, const CommandRequest& request, const Translator& tr) {
  const Predictions& predictions = *trace.predictions;
  const BlockTrace& block = predicting_block(trace);
  const Index n = block.n_q();
  if (request.position && !predictions.text_query() && *request.position >= n)
    throw out_of_range("--position", *request.position, n);
  const Index position = chosen_query(trace, request.position);
  const Index id = one_token("--contributions", *request.contributions, predictions);
  LogitContributions parts = *predictions.contributions(position, id);
  std::optional<Index> against;
  if (request.is_given("--against")) {
    against = one_token("--against", request.session.view.predictions.against, predictions);
    if (*against == id)
      throw input_error("--contributions and --against are the same, id:{}; expected two tokens", id);
    parts = difference(std::move(parts), *predictions.contributions(position, *against));
  }
  check_read(trace);
  const Token& token = block.tokens[position];
  if (!request.json) {
    const std::string name = printable(predictions.token(id)), at = printable(token.text);
    fmt::print(
        "{}\n",
        against ? tr("What adds to the logit of \"{}\" ({}) minus that of \"{}\" ({}) at position {}, "
                     "\"{}\"",
                     name, id, printable(predictions.token(*against)), *against, position, at)
                : tr("What adds to the logit of \"{}\" ({}) at position {}, \"{}\"", name, id, position, at));
    return print_contribution_table(parts, against.has_value(), tr);
  }
  Json json{{"model", request.session.inputs.model},
            {"position", position},
            {"at", token.text},
            {"token", predictions.token(id)},
            {"token_id", id}};
  if (against) {
    json["against"] = predictions.token(*against);
    json["against_id"] = *against;
  }
  json[against ? "logit_difference" : "logit"] = parts.logit;
  json["contributions"] = contributions_json(parts);
  dump_json(json);
}

}  // namespace

void run_predict(const CommandRequest& request, const Translator& tr) {
  expect_model(request);
  RunOptions options;
  options.map_budget = 0;
  const Ran ran = run(request, request.session.inputs, 0, tr, options);
  expect_predictions(*ran.trace);
  if (request.contributions) {
    print_contributions(*ran.trace, request, tr);
    return print_notes(joined(outside_note(*ran.trace, tr), ran.notes, tr));
  }
  if (request.lens && ran.trace->about().pools_rows)
    throw input_error(
        "--lens is not defined for this model: its layers have fewer rows than the text has tokens");
  if (request.lens && !ran.trace->predictions->has_lens())
    throw input_error(
        "--lens is not defined for this model: its decoder reads the sentence shifted by one position from "
        "the "
        "tokens it labels");
  const auto expected = [&] {
    const Progress progress(tr, TR("Computing what is expected"));
    return expectations(*ran.trace, whole_range(*ran.trace, request.lens));
  }();
  const Prediction prediction{block_of(ran.trace, ran.trace->predictions->block()), ran.trace->predictions,
                              expected, answer_span(*ran.trace, *expected)};
  check_read(*ran.trace);
  if (request.json)
    print_json(prediction, request);
  else
    print_text(prediction, request.lens, tr);
  print_notes(joined(outside_note(*ran.trace, tr), ran.notes, tr));
}

void run_generate(const CommandRequest& request, const Translator& tr) {
  expect_model(request);
  const Inputs& inputs = request.session.inputs;
  validate(inputs);
  Engine engine;
  GenerateRequest requested;
  // Where no number is given, the model's files may limit it.
  if (request.is_given("--max-tokens")) requested.max_tokens = request.max_tokens;
  requested.sampling = request.sampling;
  requested.seed = request.sample_seed;
  std::shared_ptr<const ModelSource> model;
  const auto generated = [&] {
    Progress progress(tr, TR("Generating the text"));
    model = engine.open_model(inputs.model);
    requested.took = [&, done = Index{0}](const Token&, const std::string&) mutable {
      progress.show(static_cast<double>(++done) /
                    static_cast<double>(requested.max_tokens.value_or(usual_new_tokens)));
      return true;
    };
    requested.forecast = [&](const Forecast& forecast) { progress.report(forecast); };
    return model->generate(inputs, requested, engine.context(), std::stop_token());
  }();
  const Translation* const translation = generated->translation.get();
  const std::optional<Error> unlike = model->generation_note();
  const std::string outside =
      joined(translation != nullptr ? outside_text(tr, *translation) : "", unlike ? tr(*unlike) : "", tr);
  if (!request.json) {
    print_text(generated->text);
    return print_notes(joined(outside, why_it_ended(*generated, !generated->source_tokens.empty(), tr), tr));
  }
  Json tokens = Json::array(), ids = Json::array();
  for (const Token& token : generated->tokens) {
    tokens.push_back(token.text);
    ids.push_back(token.id);
  }
  Json json{{"text", generated->text},
            {"tokens", std::move(tokens)},
            {"token_ids", std::move(ids)},
            {"probabilities", generated->probabilities}};
  if (!generated->source_tokens.empty()) json.update(alignment_json(*generated));
  if (translation != nullptr && translation->as_learnt) {
    json["as_learnt"] = *translation->as_learnt;
    json["changed"] = translation->changed;
  }
  if (translation != nullptr && model->about().model_notes != nullptr) {
    json["outside"] = translation->outside;
    json["unknown"] = translation->unknown;
  }
  json["ended"] = generated->ended();
  json["end"] = end_word(generated->end);
  dump_json(json);
  print_notes(outside);
}

}  // namespace headscope

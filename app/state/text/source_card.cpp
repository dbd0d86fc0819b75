#include "app/state/text/source_card.h"

#include <filesystem>

#include "app/state/jobs/notices.h"
#include "core/model/weights/built_in_models.h"
#include "core/scene/readable_numbers.h"
#include "core/scene/source_title.h"
#include "core/source/capture/capture.h"
#include "core/source/source.h"

namespace headscope {
namespace {

std::string count_text(std::int64_t number) {
  return printed_count(static_cast<double>(number));
}

/// `attending`: layers with softmax attention; where not all have it, the mixers' lines say which.
void add_stack(SourceCard& card, const Translator& tr, const char* mark, const char* label,
               const LayerStack& stack, Index attending) {
  if (stack.layers == 0) return;
  card.lines.push_back({mark,
                        label,
                        attending < stack.layers ? tr.plural("{} layer", "{} layers", stack.layers)
                                                 : layers_and_heads(tr, stack.layers, stack.heads),
                        {}});
  if (stack.kv_heads < stack.heads && attending > 0)
    card.lines.push_back({"kv heads", tr("Key-value heads"),
                          sizes_of_layers(tr, stack.kv_heads, stack.kv_heads_of_layers),
                          tr("Several heads share one key-value head.")});
}

void add_config(SourceCard& card, const Translator& tr, const ModelConfig& config) {
  std::vector<SourceCard::Line>& lines = card.lines;
  lines.push_back({"family", tr("Family"), tr(to_name(config)), config.architecture});
  if (config.text_part_of != nullptr)
    lines.push_back(
        {"part", tr("Part"), tr("text part of {}", config.text_part_of), tr("Pictures are not read.")});
  add_stack(card, tr, "encoder", tr("Encoder"), config.encoder, config.encoder.layers);
  add_stack(card, tr, "decoder", tr("Decoder"), config.decoder, config.attention_layers());
  for (const auto& [mixer, layers] : mixer_texts(tr, config))
    lines.push_back({to_name(mixer), tr(to_label(mixer)), layers, layers});
  for (const LayerFact& fact : layer_facts(tr, config))
    lines.push_back({fact.name, tr(fact.label), fact.text, fact.text});
  const std::string d_k = sizes_of_layers(tr, config.head_dim, config.body().head_dims);
  lines.push_back({"d_model", tr("d_model"),
                   config.attention_layers() > 0 ? tr("{} (d_k = {})", config.d_model, d_k)
                                                 : std::to_string(config.d_model),
                   tr("Length of each token's vector, and of a head's queries and keys")});
  if (config.experts) {
    const std::string experts = experts_text(tr, config);
    lines.push_back({"experts", tr("Experts"), experts, experts});
  }
  if (const auto& picture = config.picture) {
    lines.push_back({"picture", tr("Picture"), picture_text(tr, *picture), {}});
    if (!config.output.labels.empty())
      lines.push_back({"labels", tr("Labels"), count_text(std::ssize(config.output.labels)), {}});
    return;
  }
  const bool two = config.decoder_vocabulary != config.vocabulary && config.decoder_vocabulary > 0;
  lines.push_back({"vocabulary", tr("Vocabulary"),
                   count_text(config.vocabulary) + (two ? " + " + count_text(config.decoder_vocabulary) : ""),
                   tr("Tokens that the model knows")});
  const std::string positions = positions_text(tr, config);
  lines.push_back({"positions", tr("Positions"), positions, positions});
}

void add_run(SourceCard& card, const Translator& tr, const Trace& trace) {
  const Source& source = *trace.source;
  card.lines.push_back({"parameters", tr("Parameters"), count_text(source.about().parameters),
                        tr("All of the model, with its embeddings; those that two parts share count once.")});
  const Index target = trace.blocks.size() > 1 ? trace.blocks.back().n_q() : trace.blocks.front().n_q();
  card.lines.push_back(
      {"multiply-adds", tr("Multiply–adds"),
       count_text(source.multiplications(trace.blocks.front().n_q(), target)),
       tr("For one run, not counting what a mask could save: projections, scores, context, feed-forward.")});
}

void add_notes(SourceCard& card, const Translator& tr, const Trace& trace) {
  for (const Error& note : trace.source->notes(trace.inputs.sequence))
    card.notes += (card.notes.empty() ? "" : "\n") + tr(note);
}

std::string absolute_path(const std::string& path) {
  std::error_code error;
  const std::filesystem::path whole = std::filesystem::absolute(path, error);
  return without_own_folders(error ? path : whole.lexically_normal().string());
}

}  // namespace

SourceCard model_card(const Translator& tr, const Inputs& inputs, const ModelConfig* config,
                      const Trace* trace) {
  SourceCard card;
  card.name = source_name(inputs);
  card.path = absolute_path(folder_of_model(inputs.model));
  if (config != nullptr) add_config(card, tr, *config);
  if (trace != nullptr && trace->source) {
    add_run(card, tr, *trace);
    add_notes(card, tr, *trace);
  }
  return card;
}

SourceCard capture_card(const Translator& tr, const Inputs& inputs, const Trace* trace) {
  SourceCard card;
  card.name = source_name(inputs);
  card.path = absolute_path(inputs.capture);
  const Capture* const capture = trace != nullptr ? trace->about().capture : nullptr;
  if (capture == nullptr) return card;
  if (!capture->model().empty()) card.name = capture->model();
  for (const Capture::Block& block : capture->blocks()) {
    card.lines.push_back({"block",
                          block_title(tr, block.shape.kind),
                          layers_and_heads(tr, block.shape.layers, block.shape.heads),
                          {}});
    if (block.shape.kv_heads < block.shape.heads)
      card.lines.push_back({"kv heads", tr("Key-value heads"), std::to_string(block.shape.kv_heads), {}});
  }
  const BlockTrace& last = trace->blocks.back();
  card.lines.push_back({"tokens", tr("Tokens"),
                        last.n_q() == last.n_k() ? count_text(last.n_q())
                                                 : count_text(last.n_q()) + " × " + count_text(last.n_k()),
                        tr("Queries and keys of the sequence shown")});
  if (const std::size_t count = capture->sequences().size(); count > 1)
    card.lines.push_back({"sequences", tr("Sequences"), std::to_string(count), {}});
  card.lines.push_back({"size", tr("Size"), printed_bytes(static_cast<double>(capture->file_bytes())), {}});
  add_notes(card, tr, *trace);
  return card;
}

}  // namespace headscope

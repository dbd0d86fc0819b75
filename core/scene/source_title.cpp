#include "core/scene/source_title.h"

#include <algorithm>
#include <filesystem>

#include "core/base/enum_table.h"
#include "core/io/csv.h"
#include "core/io/file.h"
#include "core/source/source.h"

namespace headscope {
namespace {

std::string seeded_title(const Translator& tr, const Inputs& inputs, const BlockShape& shape) {
  const std::string heads = shape.layers > 1 ? layers_and_heads(tr, shape.layers, shape.heads)
                                             : tr.plural("{} head", "{} heads", shape.heads);
  // With typed weights and vectors the seed is not used.
  const bool typed = inputs.weights == WeightKind::manual && inputs.vectors == VectorKind::typed;
  return (typed ? tr("Layer with typed matrices") : tr("Layer from seed {}", inputs.seed)) + " · " + heads;
}

}  // namespace

std::string model_name(const std::string& folder) {
  // models--ORGANIZATION--NAME/snapshots/REVISION
  constexpr std::string_view cached = "models--";
  const std::filesystem::path path = std::filesystem::path(folder).lexically_normal();
  const std::filesystem::path whole = path.has_filename() ? path : path.parent_path();
  const std::filesystem::path above = whole.parent_path();
  std::string repository = above.parent_path().filename().string();
  if (above.filename() != "snapshots" || !repository.starts_with(cached)) return whole.filename().string();
  repository.erase(0, cached.size());
  if (const std::size_t at = repository.find("--"); at != std::string::npos) repository.replace(at, 2, "/");
  return repository;
}

const char* to_name(RopeScaling scaling) {
  constexpr const char* names[] = {"none", "linear", "dynamic", "llama3", "yarn", "longrope", "proportional"};
  return of_kind(names, scaling);
}

std::string layers_and_heads(const Translator& tr, Index layers, Index heads) {
  return tr.plural("{} layer", "{} layers", layers) + " × " + tr.plural("{} head", "{} heads", heads);
}

namespace {

std::string heads_with_maps(const Translator& tr, Index count) {
  return count == 0 ? std::string(tr("no map of heads")) : tr.plural("{} head", "{} heads", count);
}

}  // namespace

std::string layers_and_heads(const Translator& tr, const BlockShape& shape) {
  if (shape.softmax_layers() == shape.layers) return layers_and_heads(tr, shape.layers, shape.heads);
  std::vector<LayerMixer> kinds;  // in the order of their first layers
  for (const LayerMixer& one : shape.mixers)
    if (std::ranges::find(kinds, one) == kinds.end()) kinds.push_back(one);
  std::string list;
  for (const LayerMixer& kind : kinds)
    list += (list.empty() ? std::string() : std::string(tr(", "))) +
            tr("{} of {} ({})", std::ranges::count(shape.mixers, kind), tr(to_label(kind.kind)),
               heads_with_maps(tr, kind.heads));
  return tr.plural("{} layer: {}", "{} layers: {}", shape.layers, shape.layers, list);
}

std::string layer_name(const Translator& tr, const BlockShape& shape, int layer) {
  const std::string name = tr("Layer {}", layer + 1);
  return shape.mixers.empty() ? name : name + " · " + tr(to_label(shape.mixer_of(layer)));
}

namespace {

/// "1–3, 5": ascending, from 0.
std::string layer_numbers(const std::vector<Index>& layers) {
  std::string text;
  for (std::size_t i = 0; i < layers.size();) {
    std::size_t end = i;
    while (end + 1 < layers.size() && layers[end + 1] == layers[end] + 1) ++end;
    text += (text.empty() ? "" : ", ") + std::to_string(layers[i] + 1);
    if (end > i) text += (end > i + 1 ? "–" : ", ") + std::to_string(layers[end] + 1);
    i = end + 1;
  }
  return text;
}

}  // namespace

std::string sizes_of_layers(const Translator& tr, Index usual, const std::vector<Index>& sizes) {
  if (sizes.empty()) return std::to_string(usual);
  std::vector<Index> different;
  for (const Index size : sizes)
    if (std::ranges::find(different, size) == different.end()) different.push_back(size);
  std::string text;
  for (const Index size : different) {
    std::vector<Index> layers;
    for (Index layer = 0; layer < std::ssize(sizes); ++layer)
      if (sizes[layer] == size) layers.push_back(layer);
    text += (text.empty() ? "" : " · ") +
            tr.plural("layer {}: {}", "layers {}: {}", std::ssize(layers), layer_numbers(layers), size);
  }
  return text;
}

std::vector<LayerFact> layer_facts(const Translator& tr, const ModelConfig& config) {
  std::vector<LayerFact> facts;
  const LayerStack& stack = config.body();
  if (!stack.keys_of.empty()) {
    std::vector<Index> readers, from;
    for (Index layer = 0; layer < stack.layers; ++layer)
      if (!stack.has_own_keys(layer)) {
        readers.push_back(layer);
        from.push_back(stack.keys_of[layer]);
      }
    std::ranges::sort(from);
    from.erase(std::unique(from.begin(), from.end()), from.end());
    facts.push_back(
        {"shared keys", TR("shared keys"),
         tr("layers {} read the keys and values of layers {}", layer_numbers(readers), layer_numbers(from))});
  }
  if (const auto& own = config.layer_embeddings)
    facts.push_back({"per-layer embeddings", TR("per-layer embeddings"),
                     tr.plural("{} number of each token for each layer",
                               "{} numbers of each token for each layer", own->width)});
  if (const auto& alt_up = config.alt_up)
    facts.push_back(
        {"streams", TR("streams"),
         tr("AltUp: {}, of which layers read and change number {}", alt_up->streams, alt_up->active + 1)});
  if (const auto& funnel = config.funnel) {
    const std::string layers = fmt::format("{}", fmt::join(funnel->layers, ", "));
    std::string text =
        funnel->largest
            ? tr("layers in blocks of {}, each over half the rows of the one before: the larger number of "
                 "two "
                 "rows",
                 layers)
            : tr("layers in blocks of {}, each over half the rows of the one before: means of two rows",
                 layers);
    if (funnel->upsampled > 0)
      text = tr.plural("{1}; then {0} layer over all tokens", "{1}; then {0} layers over all tokens",
                       funnel->upsampled, funnel->upsampled, text);
    facts.push_back({"pooling", TR("pooling"), text});
  }
  if (config.laurel_rank > 0)
    facts.push_back(
        {"laurel", TR("LAuReL"), tr("a linear layer of rank {} beside attention", config.laurel_rank)});
  if (!config.sparsity.empty()) {
    std::vector<Index> layers;
    for (Index layer = 0; layer < stack.layers; ++layer)
      if (config.sparsity[layer] > 0) layers.push_back(layer);
    if (!layers.empty())
      facts.push_back({"sparsity", TR("sparsity"),
                       tr("of the networks' gates in layers {} those far above their mean are left",
                          layer_numbers(layers))});
  }
  return facts;
}

std::vector<std::pair<Mixer, std::string>> mixer_texts(const Translator& tr, const ModelConfig& config) {
  if (!config.state_mixer) return {};
  const StateMixer& other = *config.state_mixer;
  std::vector<std::pair<Mixer, std::string>> texts;
  for (const Mixer mixer : {Mixer::softmax, other.kind}) {
    std::vector<Index> layers;
    for (Index layer = 0; layer < config.decoder.layers; ++layer)
      if (config.mixer_of(layer) == mixer) layers.push_back(layer);
    const std::string all = heads_with_maps(tr, mixer == Mixer::softmax ? config.decoder.heads : other.heads);
    if (mixer != Mixer::softmax && config.mixer_beside)
      texts.emplace_back(mixer, tr("beside attention in every layer: {}", all));
    else if (!layers.empty())
      texts.emplace_back(
          mixer, tr.plural("layer {}: {}", "layers {}: {}", std::ssize(layers), layer_numbers(layers), all));
  }
  return texts;
}

std::string picture_text(const Translator& tr, const PictureInput& picture) {
  if (picture.own_proportions)
    return tr("in its own proportions, patches of {} × {} pixels", picture.patch_width, picture.patch_height);
  return tr("{} × {} pixels, {} × {} patches", picture.width, picture.height, picture.columns(),
            picture.rows());
}

std::string experts_text(const Translator& tr, const ModelConfig& config) {
  const Experts& experts = *config.experts;
  std::string text = tr("{} of {} for each token, {} wide", experts.of_token, experts.count, experts.d_ff);
  if (experts.shared_d_ff > 0)
    text = config.body().d_ff_of_layers.empty()
               ? tr("{}, and one, {} wide, for every token", text, experts.shared_d_ff)
               : tr("{}, and one for every token", text);
  std::vector<Index> layers;
  for (Index layer = 0; layer < std::ssize(experts.layers); ++layer)
    if (experts.in_layer(layer)) layers.push_back(layer);
  if (layers.size() == experts.layers.size()) return text;
  return tr.plural("{1}; in layer {0}", "{1}; in layers {0}", std::ssize(layers), layer_numbers(layers),
                   text);
}

std::string positions_text(const Translator& tr, const ModelConfig& config) {
  if (config.attention_layers() == 0) return tr("none: the order is known from the layers that have a state");
  if (config.sound)
    return tr("{} of the sound, sinusoidal; {} of the text, learned", config.positions,
              config.decoder_positions);
  switch (config.position_kind) {
    case PositionKind::learned:
      return config.relative_buckets > 0 ? tr("{}, learned, and relative biases in {} buckets",
                                              *config.longest(), config.relative_buckets)
                                         : tr("{}, learned", *config.longest());
    case PositionKind::sinusoidal:
      return tr("{} in training, computed (sinusoidal)", config.positions);
    case PositionKind::relative:
      return tr("any, relative: {} buckets up to a distance of {}", config.relative_buckets,
                config.relative_max_distance);
    case PositionKind::linear:
      return config.rounded_bias
                 ? tr("any, linear biases (ALiBi), rounded to bfloat16 as the published model does")
                 : tr("any, linear biases (ALiBi)");
    case PositionKind::none:
      if (config.state_mixer) return tr("none: the order is known from the layers that have a state");
      if (config.disentangled && config.disentangled->computed)
        return tr("any, by sines and cosines of relative positions");
      return tr("any, by vectors of relative positions");
    case PositionKind::rotary:
      break;
  }
  if (config.rope->scaling == RopeScaling::none) return tr("{} in training, rotary", config.positions);
  return tr("{} in training, rotary with {} scaling", config.positions, to_name(config.rope->scaling));
}

std::string source_name(const Inputs& inputs) {
  if (inputs.captured()) return std::filesystem::path(inputs.capture).filename().string();
  return inputs.trained() ? model_name(inputs.model) : "";
}

std::string source_title(const Translator& tr, const Trace& trace) {
  const BlockShape& first = trace.blocks.front().shape;
  if (trace.inputs.captured()) return source_name(trace.inputs) + " · " + layers_and_heads(tr, first);
  if (!trace.inputs.trained()) return seeded_title(tr, trace.inputs, first);
  std::string title = model_name(trace.inputs.model);
  if (trace.source) title += std::string(" · ") + tr(trace.source->about().family.c_str());
  if (trace.blocks.size() == 1) return title + " · " + layers_and_heads(tr, first);
  for (const BlockTrace& block : trace.blocks)
    if (block.shape.kind != BlockKind::cross)
      title += " · " + block_title(tr, trace, block.shape.kind) + " " + layers_and_heads(tr, block.shape);
  return title;
}

std::string source_title(const Translator& tr, const Inputs& inputs) {
  if (!inputs.about().from_seed) return source_name(inputs);
  BlockShape shape;
  shape.heads = inputs.heads;
  shape.layers = inputs.layers;
  return seeded_title(tr, inputs, shape);
}

std::string sentence_of(const Trace& trace) {
  if (trace.about().reads_picture) return std::filesystem::path(trace.inputs.picture).filename().string();
  if (trace.about().hears()) return std::filesystem::path(trace.inputs.features).filename().string();
  if (trace.inputs.about().computes) return trace.inputs.sentence;
  std::string text;
  for (const Token& token : trace.blocks.front().tokens) text += (text.empty() ? "" : " ") + token.text;
  return text;
}

std::string with_origin(const std::string& path, std::string table, const Trace& trace) {
  if (ending(path) != ".csv") return table;
  return with_column(with_column(table, "sentence", sentence_of(trace)), "source",
                     source_title(Translator(), trace));
}

std::string block_title(const Translator& tr, BlockKind kind) {
  switch (kind) {
    case BlockKind::encoder:
      return tr("Encoder");
    case BlockKind::decoder:
      return tr("Decoder");
    case BlockKind::cross:
      return tr("Cross-attention");
    case BlockKind::text:
      return tr("Text");
    case BlockKind::state:
      return tr("State space");
    case BlockKind::pooling_2:
    case BlockKind::pooling_3:
    case BlockKind::pooling_4:
      return tr("Pooling to block {}", block_number(kind));
    case BlockKind::block_2:
    case BlockKind::block_3:
    case BlockKind::block_4:
      return tr("Block {}", block_number(kind));
    case BlockKind::upsampled:
      return tr("Upsampled");
    case BlockKind::self:
      break;
  }
  return tr("Self-attention");
}

std::string block_title(const Translator& tr, const Trace& trace, BlockKind kind) {
  const bool beside_text = std::ranges::any_of(
      trace.blocks, [](const BlockTrace& block) { return block.shape.kind == BlockKind::text; });
  if (kind == BlockKind::self && trace.about().pools_rows) return tr("Block {}", 1);
  return beside_text && kind == BlockKind::self ? tr("Picture") : block_title(tr, kind);
}

namespace {

/// Of what is no range of keys before or around a query; nothing for other models.
std::optional<std::string> sparse_mask_text(const Translator& tr, const Source& source,
                                            const BlockTrace& block, int layer) {
  const BlockKind kind = block.shape.kind;
  const auto own = block.own_keys(layer);
  if (const Index window = source.window(kind, layer); own && window > 0)
    return tr(
        "The model's own mask: a query sees keys up to {} positions away and the global tokens, which see "
        "every key.",
        window - 1);
  const SourceAbout& about = source.about();
  const bool reads = kind == BlockKind::self || kind == BlockKind::encoder;
  if (about.block_size > 0 && reads && block.n_q() > about.dense_tokens)
    return tr(
        "The model's own mask: a query sees its own block, of length {}, those beside it, the first and "
        "the last, whose own queries see every key.",
        about.block_size);
  return {};
}

}  // namespace

std::string own_mask_text(const Translator& tr, const Trace& trace, const BlockTrace& block, int layer) {
  if (trace.source)
    if (auto text = sparse_mask_text(tr, *trace.source, block, layer)) return *text;
  const bool sparse = trace.source && (trace.source->about().block_size > 0 ||
                                       trace.source->window(BlockKind::encoder, layer) > 0);
  const bool encodes = block.shape.kind == BlockKind::encoder || block.shape.kind == BlockKind::decoder ||
                       block.shape.kind == BlockKind::cross;
  if (trace.inputs.about().own_mask && encodes && !sparse)
    return tr(
        "The model's own masks: in the encoder and in cross-attention every query sees every key; in the "
        "decoder no query sees a later one.");
  const Index window = trace.source ? trace.source->window(block.shape.kind, layer) : 0;
  if (!block.shape.causal && window > 0)
    return tr.plural("The model's own mask: a query sees keys up to {} position away (local attention).",
                     "The model's own mask: a query sees keys up to {} positions away (local attention).",
                     window - 1, window - 1);
  if (!block.shape.causal) return tr("No mask: every query sees every key.");
  if (window == 0) return tr("The model's own mask: no query sees a later key.");
  return tr.plural(
      "The model's own mask: no query sees a later key, nor more than {} key up to its own (sliding "
      "window).",
      "The model's own mask: no query sees a later key, nor more than {} keys up to its own (sliding "
      "window).",
      window, window);
}

}  // namespace headscope

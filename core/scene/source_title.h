#pragma once
#include <string>
#include <utility>
#include <vector>

#include "core/base/translate.h"
#include "core/model/config/config.h"
#include "core/source/trace.h"

namespace headscope {

/// The name of a model's folder; of a snapshot in the hub's cache the name of its repository.
std::string model_name(const std::string& folder);

/// A model's or a capture's folder or file name; empty for a seeded layer.
std::string source_name(const Inputs& inputs);

/// "llama3", as in config.json.
const char* to_name(RopeScaling scaling);
/// "2 layers × 4 heads".
std::string layers_and_heads(const Translator& tr, Index layers, Index heads);
/// The same, or "4 layers: 3 of gated delta rule (4 heads), 1 of softmax attention (6 heads)".
std::string layers_and_heads(const Translator& tr, const BlockShape& shape);
/// How a trained model encodes positions, and how many it has: "512, learned".
/// "Layer 3", of a model whose layers have other mixers than attention "Layer 3 · gated delta rule".
std::string layer_name(const Translator& tr, const BlockShape& shape, int layer);
/// "layers 1–5: 8 · layers 6: 16", or the usual size where there is no list of layers.
std::string sizes_of_layers(const Translator& tr, Index usual, const std::vector<Index>& sizes);

/// What few models' layers have; the label is English, to be translated.
struct LayerFact {
  const char* name;
  const char* label;
  std::string text;
};
std::vector<LayerFact> layer_facts(const Translator& tr, const ModelConfig& config);

/// Which layers have which mixer: a name and "layers 1–3, 5–7, 32 heads" for each; empty of most models.
std::vector<std::pair<Mixer, std::string>> mixer_texts(const Translator& tr, const ModelConfig& config);
std::string positions_text(const Translator& tr, const ModelConfig& config);
/// "224 × 224 pixels, 14 × 14 patches".
std::string picture_text(const Translator& tr, const PictureInput& picture);
/// "2 of 4 for each token, 64 wide; layers 2–3", of a model with experts.
std::string experts_text(const Translator& tr, const ModelConfig& config);

/// What a trace is of: "gpt2 · GPT-2 · 12 layers × 12 heads", "Layer from seed 42 · 8 heads".
std::string source_title(const Translator& tr, const Trace& trace);
/// The same for inputs that have not been run yet, as far as it is known.
std::string source_title(const Translator& tr, const Inputs& inputs);

/// The text that the attention is over; for a capture, its tokens.
std::string sentence_of(const Trace& trace);

/// `table`, to be written to `path`, with columns `sentence` and `source` if that is a .csv.
std::string with_origin(const std::string& path, std::string table, const Trace& trace);

/// "encoder", "decoder", "cross": the name of a block's attention.
std::string block_title(const Translator& tr, BlockKind kind);
/// The same beside the other blocks of a trace: "Picture" beside "Text".
std::string block_title(const Translator& tr, const Trace& trace, BlockKind kind);

/// What is blocked in a layer of a trace's block without a mask of the user's.
std::string own_mask_text(const Translator& tr, const Trace& trace, const BlockTrace& block, int layer);

}  // namespace headscope

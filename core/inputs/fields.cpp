#include "core/inputs/fields.h"

#include <algorithm>

#include "core/base/translate.h"

namespace headscope {
namespace {

using L = Limits;

// Minimum and maximum are 0, 0 if there are no limits. Defaults are the initializers of Inputs.
constexpr InputField fields[] = {
    {&Inputs::model, "model", TR("Model"), "", TR("FOLDER|NAME"),
     TR("A trained model in place of the seeded layer: its folder or GGUF file, or the name of a built-in "
        "one "
        "(translator, "
        "translator-guided, induction, drawn-shapes, asked-colour; a folder of that name is ./translator); "
        "\"\": none")},
    {&Inputs::capture, "capture", TR("Capture"), "", TR("FILE"),
     TR("Attention computed elsewhere (.npz, .safetensors), in place of the seeded layer; \"\": none")},
    {&Inputs::sequence, "sequence", TR("Sequence"), TR("Which of the capture's texts is shown."), "I",
     TR("Sequence of a capture, numbered from 0"), 0, L::max_sequences - 1},
    {&Inputs::sentence, "sentence", TR("Sentence"), "", TR("TEXT"), TR("Sentence, in any language")},
    {&Inputs::picture, "picture", TR("Picture"), "", TR("FILE"),
     TR("Picture (.png, .jpg, .webp) that a vision transformer reads; \"\": none")},
    {&Inputs::features, "features", TR("Spectrogram"), "", TR("FILE"),
     TR("Log-mel spectrogram [frames, bands] (.npy) that the encoder of a model of speech reads; \"\": "
        "none")},
    {&Inputs::key_sentence, "key_sentence", TR("Second sentence (cross-attention)"),
     TR("Queries come from the first sentence, keys and values from the second; maps become n_q × n_k."),
     TR("TEXT"), TR("Second sentence, for keys and values (cross-attention)"), 0, 0,
     TR("No second sentence: self-attention (default)"), TR("Second sentence")},
    {&Inputs::splits, "splits", TR("Tokens split by hand"), "", TR("LIST"),
     TR("Split tokens before these characters, numbered from 0: 1,5; or none"), 0, L::max_sentence_bytes, "",
     TR("Sentence")},
    {&Inputs::joins, "joins", TR("Tokens joined by hand"), "", TR("LIST"),
     TR("Join the tokens that begin at these characters, numbered from 0, with the previous ones; or none"),
     0, L::max_sentence_bytes, "", TR("Sentence")},
    {&Inputs::key_splits, "key_splits", TR("Tokens of the second sentence split by hand"), "", TR("LIST"),
     TR("As --splits, for the second sentence"), 0, L::max_sentence_bytes, "", TR("Second sentence")},
    {&Inputs::key_joins, "key_joins", TR("Tokens of the second sentence joined by hand"), "", TR("LIST"),
     TR("As --joins, for the second sentence"), 0, L::max_sentence_bytes, "", TR("Second sentence")},
    {&Inputs::target, "target", TR("Target sentence"),
     TR("What the decoder of an encoder–decoder reads after its start token."), TR("TEXT"),
     TR("Text that the decoder of an encoder–decoder reads after its start token; what it generates by "
        "default"),
     0, 0, TR("The decoder reads what it generates (default)")},
    {&Inputs::source_language, "source_language", TR("Source language"),
     TR("The language of the sentence, for a translator of many languages."), TR("NAME"),
     TR("Language of the sentence, as a translator of many languages names it (en_XX, eng_Latn, en); \"\": "
        "as "
        "its tokenizer says")},
    {&Inputs::target_language, "target_language", TR("Target language"),
     TR("The language that the decoder writes, for a translator of many languages."), TR("NAME"),
     TR("Language to translate to, named likewise; \"\": as the model says")},
    {&Inputs::d_model, "d_model", TR("d_model"),
     TR("Length of each token's vector, 1 to 4096. Each head works on d_k = d_model / heads of its "
        "components, so heads must divide d_model."),
     "N", TR("Model width, 1 to 4096, divisible by the number of heads"), 1, L::max_d_model},
    {&Inputs::heads, "heads", TR("Heads"), TR("1 to 64; must divide d_model."), "N",
     TR("Number of heads, 1 to 64"), 1, L::max_heads},
    {&Inputs::seed, "seed", TR("Seed"),
     TR("Weights, biases and inputs are drawn from this seed as by PyTorch's CPU generator: "
        "torch.manual_seed(seed)."),
     "N", TR("Seed of weights and inputs, as for torch.manual_seed")},
    {&Inputs::vectors, "inputs", TR("Inputs"), TR("Where the token vectors X come from."),
     "randn|embedding|typed", TR("Vectors by position, one per distinct token, or typed")},
    {&Inputs::positions, "positions", TR("Positions"), TR("Added to each embedding so that order matters."),
     "none|sinusoidal", TR("Positional encoding added to embeddings")},
    {&Inputs::mask, "mask", TR("Mask"), "", TR("SPEC"),
     TR("Mask part, [BLOCK[:LAYER]/]SPEC with layers from 0; repeatable; replaces the session's: none, {}, "
        "{}")},
    {&Inputs::mask_fill, "mask_fill", TR("Mask value"),
     TR("The value that replaces a blocked score before softmax."), "-inf|-1e9",
     TR("Value that replaces blocked scores")},
    {&Inputs::temperature, "temperature", TR("Temperature"),
     TR("Scores are divided by the temperature before softmax: below 1 is sharper, above 1 is flatter."), "T",
     TR("Temperature: scores are divided by it before softmax"), L::min_temperature, L::max_temperature},
    {&Inputs::scale, "scale", TR("Divide scores by √d_k"),
     TR("The dot product of two random vectors of length d_k has a spread of about √d_k; without scaling, "
        "softmax gets sharper as d_k grows. Try a large d_model with few heads."),
     nullptr, TR("Do not divide scores by sqrt(d_k)"), 0, 0, TR("Divide scores by sqrt(d_k) (default)"),
     TR("Scale")},
    {&Inputs::dropout, "dropout", TR("Dropout"),
     TR("Each weight is set to 0 with this probability; the others are divided by 1 − p, as in PyTorch. 0 is "
        "off."),
     "P", TR("Dropout of the attention weights, 0 to 1"), 0, 1},
    {&Inputs::dropout_seed, "dropout_seed", TR("Dropout seed"), "", "N",
     TR("Seed of dropout, as for torch.manual_seed"), 0, 0, "", TR("Dropout")},
    {&Inputs::gain_q, "gain_q", TR("Gain of W_Q"),
     TR("Multiplies these weights: larger values give larger scores and sharper attention."), "G",
     TR("Gain of W_Q"), -L::max_gain, L::max_gain},
    {&Inputs::gain_k, "gain_k", TR("Gain of W_K"),
     TR("Multiplies these weights: larger values give larger scores and sharper attention."), "G",
     TR("Gain of W_K"), -L::max_gain, L::max_gain},
    {&Inputs::ablated_heads, "heads_off", TR("Ablated heads"), "", TR("LIST"),
     TR("Ablated heads, BLOCK:LAYER.HEAD,… numbered from 0, BLOCK only "
        "where there are several: 0.1,3.7; or none")},
    {&Inputs::ablation, "heads_off_by", TR("Ablated heads give"), "", "zero|mean",
     TR("What an ablated head gives: zero, or the mean of its context over the positions"), 0, 0, "",
     TR("Ablated heads")},
    {&Inputs::weights, "weights", TR("Projections"), TR("Where W_Q, W_K, W_V and W_O come from."), TR("KIND"),
     TR("linear (PyTorch Linear), xavier, mha (PyTorch MultiheadAttention), normal, identity, similarity "
        "(W_K = W_Q), typed")},
    {&Inputs::sigma, "sigma", "σ", TR("Standard deviation of the projection weights"), "S",
     TR("Standard deviation for --weights normal"), 0, L::max_sigma, "", TR("Projections")},
    {&Inputs::typed, "typed", TR("Projections"), "", "JSON",
     TR("Matrices for --weights typed, [out, in], row by row, and X for --inputs typed, [tokens, d_model]: "
        "{\"w_q\": "
        "[...], \"w_k\": [...], \"w_v\": [...], \"w_o\": [...], \"order\": \"out_in\", \"x\": [...]}")},
    {&Inputs::kv_heads, "kv_heads", TR("Key-value heads"),
     TR("Number of key-value heads: as many as heads (multi-head), fewer (grouped-query) or one "
        "(multi-query). Must divide the number of heads."),
     "N", TR("Key-value heads, 1 (multi-query) to the number of heads; 0: as many as heads"), 0,
     L::max_heads},
    {&Inputs::layers, "layers", TR("Layers"), TR("1 to 12; each layer reads the output of the one before."),
     "N", TR("Number of layers, 1 to 12"), 1, L::max_layers, "", TR("Layer stack")},
    {&Inputs::share_layers, "share_layers", TR("Share parameters across layers"),
     TR("One set of parameters for all layers, as in ALBERT."), nullptr,
     TR("One set of parameters for all layers"), 0, 0, TR("Separate parameters for each layer (default)"),
     TR("Layer stack")},
    {&Inputs::residual, "residual", TR("Residual connections"),
     TR("Each layer adds its output to its input: x + attention(x)."), nullptr,
     TR("No residual connections between layers"), 0, 0, TR("Residual connections between layers (default)"),
     TR("Layer stack")},
    {&Inputs::layer_norm, "layer_norm", TR("LayerNorm"),
     TR("Applied after the residual connection, as in the paper."), nullptr,
     TR("No LayerNorm between layers"), 0, 0, TR("LayerNorm between layers (default)"), TR("Layer stack")},
    {&Inputs::feed_forward, "feed_forward", TR("Feed-forward network"),
     TR("ReLU, hidden width 4 d_model; residual connection and LayerNorm as set above."), nullptr,
     TR("Add a feed-forward network after each layer's attention"), 0, 0,
     TR("No feed-forward network (default)"), TR("Layer stack")},
};

constexpr FieldCondition conditions[] = {
    {&Inputs::sequence, "--capture", [](const Inputs& inputs) { return inputs.captured(); }},
    {&Inputs::picture, "--model", [](const Inputs& inputs) { return inputs.trained(); }},
    {&Inputs::features, "--model", [](const Inputs& inputs) { return inputs.trained(); }},
    {&Inputs::target, "--model", [](const Inputs& inputs) { return inputs.trained(); }},
    {&Inputs::source_language, "--model", [](const Inputs& inputs) { return inputs.trained(); }},
    {&Inputs::target_language, "--model", [](const Inputs& inputs) { return inputs.trained(); }},
    {&Inputs::ablation, "--heads-off", [](const Inputs& inputs) { return !inputs.ablated_heads.empty(); }},
    {&Inputs::key_splits, "--key-sentence", [](const Inputs& inputs) { return inputs.cross(); }},
    {&Inputs::key_joins, "--key-sentence", [](const Inputs& inputs) { return inputs.cross(); }},
    {&Inputs::positions, "--inputs embedding",
     [](const Inputs& inputs) { return inputs.vectors == VectorKind::embedding; }},
    {&Inputs::mask_fill, "--mask", [](const Inputs& inputs) { return !inputs.mask.empty(); }},
    {&Inputs::dropout_seed, "--dropout", [](const Inputs& inputs) { return inputs.dropout > 0; }},
    {&Inputs::sigma, "--weights normal",
     [](const Inputs& inputs) { return inputs.weights == WeightKind::normal; }},
    {&Inputs::typed, "--weights typed",
     [](const Inputs& inputs) {
       return inputs.weights == WeightKind::manual || inputs.vectors == VectorKind::typed;
     },
     "--typed-order"},
    {&Inputs::residual, "--layers", [](const Inputs& inputs) { return inputs.layers > 1; }},
    // The feed-forward network is followed by a LayerNorm with parameters, too.
    {&Inputs::layer_norm, "--layers",
     [](const Inputs& inputs) { return inputs.layers > 1 || inputs.feed_forward; }},
    {&Inputs::share_layers, "--layers", [](const Inputs& inputs) { return inputs.layers > 1; }},
};

}  // namespace

std::span<const FieldCondition> field_conditions() {
  return conditions;
}

std::span<const InputField> input_fields() {
  return fields;
}

const InputField& input_field(InputField::Member member) {
  return *std::ranges::find(fields, member, &InputField::member);
}

}  // namespace headscope

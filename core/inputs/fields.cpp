#include "core/inputs/fields.h"

#include <algorithm>

#include "core/base/translate.h"

namespace headscope {
namespace {

using L = Limits;

// Least and most are 0, 0 where there are no limits. The default initializers of Inputs are the defaults.
constexpr InputField fields[] = {
    {&Inputs::sentence, "sentence", TR("Sentence"), "", TR("TEXT"), TR("The sentence, in any language")},
    {&Inputs::key_sentence, "key_sentence", TR("Second sentence (cross-attention)"),
     TR("Queries come from the first sentence, keys and values from the second; maps become n_q × n_k."),
     TR("TEXT"), TR("A second sentence that gives keys and values: cross-attention"), 0, 0,
     TR("Self-attention, as by default"), TR("Second sentence")},
    {&Inputs::d_model, "d_model", "d_model",
     TR("Numbers in each token's vector, 1 to 4096. Every head works on d_k = d_model / heads of them, so "
        "heads must divide it."),
     "N", TR("Width of the model, 1 to 4096, divisible by the heads"), 1, L::max_d_model},
    {&Inputs::heads, "heads", TR("Heads"), TR("1 to 64; only numbers that divide d_model can be chosen."),
     "N", TR("Number of heads, 1 to 64"), 1, L::max_heads},
    {&Inputs::seed, "seed", TR("Seed"),
     TR("Weights, biases and inputs are drawn from it as PyTorch's CPU generator draws them: "
        "torch.manual_seed(seed)."),
     "N", TR("Seed of weights and inputs, as torch.manual_seed")},
    {&Inputs::vectors, "inputs", TR("Inputs"), TR("What stands for a token's vector X."), "randn|embedding",
     TR("Vectors by position, or one for each distinct token")},
    {&Inputs::positions, "positions", TR("Positions"),
     TR("What is added to an embedding so that order matters."), "none|sinusoidal",
     TR("Positions added to embeddings")},
    {&Inputs::mask, "mask", TR("Mask"), "", TR("SPEC"),
     TR("Mask part, repeatable, in place of the session's: none, {}, {}")},
    {&Inputs::mask_fill, "mask_fill", TR("Fill"), TR("What a blocked score becomes before softmax."),
     "-inf|-1e9", TR("What blocked scores count as")},
    {&Inputs::temperature, "temperature", TR("Temperature"),
     TR("Scores are divided by it before softmax: below 1 sharper, above 1 more even."), "T",
     TR("Scores are divided by it before the softmax"), L::min_temperature, L::max_temperature},
    {&Inputs::scale, "scale", TR("Divide scores by √d_k"),
     TR("A product of two vectors of d_k random numbers spreads like √d_k: without the scale softmax gets "
        "sharp as d_k grows. Try it at large d_model with few heads."),
     nullptr, TR("Leave out the factor 1/sqrt(d_k)"), 0, 0, TR("Divide scores by sqrt(d_k), as by default"),
     TR("Scale")},
    {&Inputs::dropout, "dropout", TR("Dropout"),
     TR("Each weight is set to 0 with this probability, and the others are divided by 1 − p (PyTorch's "
        "inverted scaling). 0: off."),
     "P", TR("Dropout on the weights, 0 to 1"), 0, 1},
    {&Inputs::dropout_seed, "dropout_seed", TR("Dropout's seed"), "", "N",
     TR("Seed of the dropout, as torch.manual_seed"), 0, 0, "", TR("Dropout")},
    {&Inputs::gain_q, "gain_q", TR("Gain of W_Q"),
     TR("A factor on these weights: larger scores, sharper weights."), "G", TR("Factor on W_Q"), -L::max_gain,
     L::max_gain},
    {&Inputs::gain_k, "gain_k", TR("Gain of W_K"),
     TR("A factor on these weights: larger scores, sharper weights."), "G", TR("Factor on W_K"), -L::max_gain,
     L::max_gain},
    {&Inputs::weights, "weights", TR("Weights"), TR("Where W_Q, W_K, W_V and W_O come from."), TR("KIND"),
     TR("linear (PyTorch's), xavier, normal, identity, similarity (W_K = W_Q), typed")},
    {&Inputs::sigma, "sigma", "σ", TR("Standard deviation of the weights"), "S",
     TR("Standard deviation for --weights normal"), 0, L::max_sigma, "", TR("Weights")},
    {&Inputs::manual_weights, "typed", TR("Weights"), "", "JSON",
     TR("Matrices for --weights typed, [out, in] row by row: {\"w_q\": [...], \"w_k\": [...], \"w_v\": "
        "[...], \"w_o\": [...]}")},
    {&Inputs::kv_heads, "kv_heads", TR("Key-value heads"),
     TR("Heads that share keys and values: as many as heads (multi-head), groups (grouped-query), or one "
        "(multi-query). Must divide heads."),
     "N", TR("Key-value heads: 1 (multi-query) to the number of heads; 0: as many as heads"), 0,
     L::max_heads},
    {&Inputs::layers, "layers", TR("Layers"), TR("1 to 12: each layer reads what the one before wrote."), "N",
     TR("Number of layers, 1 to 12"), 1, L::max_layers, "", TR("Stack of layers")},
    {&Inputs::share_layers, "share_layers", TR("Share parameters across layers"),
     TR("One set of parameters for all layers, as ALBERT."), nullptr,
     TR("One set of parameters for all layers"), 0, 0,
     TR("Parameters of its own for each layer, as by default"), TR("Stack of layers")},
    {&Inputs::residual, "residual", TR("Residual"), TR("Each layer adds to what it read: x + attention(x)."),
     nullptr, TR("No residual connections between layers"), 0, 0,
     TR("Residual connections between layers, as by default"), TR("Stack of layers")},
    {&Inputs::layer_norm, "layer_norm", TR("LayerNorm"), TR("After the residual, as in the paper."), nullptr,
     TR("No LayerNorm between layers"), 0, 0, TR("LayerNorm between layers, as by default"),
     TR("Stack of layers")},
    {&Inputs::feed_forward, "feed_forward", TR("Feed-forward"),
     TR("ReLU, 4 d_model wide, with the same residual and LayerNorm."), nullptr,
     TR("A feed-forward network after each layer's attention"), 0, 0,
     TR("No feed-forward network, as by default"), TR("Stack of layers")},
};

}  // namespace

std::span<const InputField> input_fields() {
  return fields;
}

const InputField& input_field(InputField::Member member) {
  return *std::ranges::find(fields, member, &InputField::member);
}

}  // namespace headscope

#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/attention/mask_part.h"

namespace headscope {

inline constexpr const char* notebook_sentence = "The animal didn't cross the street because it was tired";

enum class InputKind {
  randn,      ///< a normal draw for each position, as the notebook's torch.randn
  embedding,  ///< a vector for each distinct token, from the seed and the token's text alone
};
enum class Positions { none, sinusoidal };
enum class MaskFill { minus_infinity, minus_1e9 };
enum class WeightKind {
  linear,      ///< PyTorch's nn.Linear default
  xavier,      ///< Xavier uniform, biases 0
  normal,      ///< N(0, sigma²), biases 0
  identity,    ///< W_Q = W_K = W_V = W_O = I: head h reads its own d_k columns of X
  similarity,  ///< as linear, with W_K = W_Q
  typed,       ///< the matrices in `typed`
};

/// Matrices typed in by hand, [out, in] row by row as PyTorch keeps them; biases are 0. For d_model up to 16.
struct TypedWeights {
  std::vector<double> w_q, w_k, w_v, w_o;
  bool operator==(const TypedWeights&) const = default;
};

/// The document: everything that changes a number. A plain value, compared, saved as JSON and undone by copies.
/// Field names are those of the session file and of the command line (d_model: --d-model). The default is the
/// notebook.
struct Inputs {
  std::string sentence = notebook_sentence;
  std::optional<std::string> key_sentence;  ///< engaged: cross-attention, keys and values come from it
  int d_model = 512;
  int heads = 8;
  std::uint64_t seed = 42;
  InputKind inputs = InputKind::randn;
  Positions positions = Positions::none;
  std::vector<MaskPart> mask;
  MaskFill mask_fill = MaskFill::minus_infinity;
  double temperature = 1;  ///< scores are divided by it
  bool scale = true;       ///< divide scores by sqrt(d_k)
  double dropout = 0;      ///< probability, on the weights, PyTorch's inverted scaling
  std::uint64_t dropout_seed = 0;
  double gain_q = 1;  ///< factor on W_Q
  double gain_k = 1;  ///< factor on W_K
  WeightKind weights = WeightKind::linear;
  double sigma = 0.02;
  TypedWeights typed;
  int kv_heads = 0;  ///< key-value heads; 0: as many as heads; 1: multi-query; else groups
  int layers = 1;
  bool share_layers = false;  ///< one set of parameters for all layers (ALBERT)
  bool residual = true;       ///< between layers; a layer's own output stays W_O's
  bool layer_norm = true;     ///< between layers, after the residual (the paper's order)
  bool feed_forward = false;  ///< ReLU, 4 d_model wide, with the same residual and layer_norm

  bool operator==(const Inputs&) const = default;

  int key_value_heads() const { return kv_heads == 0 ? heads : kv_heads; }
  bool cross() const { return key_sentence.has_value(); }
};

struct Limits {
  static constexpr int max_heads = 64;
  static constexpr int max_d_model = 4096;
  static constexpr int max_tokens = 4096;
  static constexpr int max_layers = 12;
  static constexpr int max_typed_d_model = 16;
};

/// Throws Error (input) that names the first field out of its range, what it is and what is allowed.
void validate(const Inputs& inputs);

}  // namespace headscope

#pragma once
#include <algorithm>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/inputs/block_kind.h"
#include "core/inputs/mask_part.h"
#include "core/text/words.h"

namespace headscope {

inline constexpr const char* notebook_sentence = "The animal didn't cross the street because it was tired";

enum class VectorKind {
  randn,      ///< a normal draw for each position, as the notebook's torch.randn
  embedding,  ///< a vector for each distinct token, from the seed and the token's text alone
  typed,      ///< the numbers in `typed.x`
};
enum class Positions { none, sinusoidal };
enum class MaskFill { minus_infinity, minus_1e9 };
/// How a layer's parameters are initialized. Drawn in the order W_Q, W_K, W_V, W_O, each followed by its bias
/// if that is drawn too; then, with `feed_forward`, its two Linears; then the next layer; then X.
enum class WeightKind {
  linear,  ///< PyTorch's nn.Linear default
  xavier,  ///< Xavier uniform, biases 0, drawn directly (without drawing nn.Linear's defaults first)
  mha,  ///< nn.MultiheadAttention's own: W_O first, as nn.Linear draws it, then W_Q, W_K, W_V as one packed
        ///< matrix [3 d_model, d_model], Xavier uniform; biases 0; no key-value groups
  normal,      ///< N(0, sigma²), biases 0, drawn directly
  identity,    ///< W_Q = W_K = W_V = W_O = I, biases 0: head h reads its own d_k columns of X (with kv_heads,
               ///< keys and values those of its group's first head)
  similarity,  ///< as linear, then W_K = W_Q and b_K = b_Q, so that scores are symmetric (with kv_heads,
               ///< those of each group's first head)
  manual,      ///< the matrices in `typed`; so in files and options
};

/// Layout of a typed matrix.
enum class MatrixOrder {
  out_in,  ///< y = x Wᵀ, as PyTorch stores them
  in_out,  ///< y = x W, as textbooks write them
};

/// Matrices typed in by hand.
struct TypedMatrices {
  std::vector<double> w_q, w_k, w_v, w_o;  ///< for WeightKind::manual, d_model up to 16; biases are 0
  MatrixOrder order = MatrixOrder::out_in;
  std::vector<double> x;      ///< [n_q, d_model], for VectorKind::typed
  std::vector<double> key_x;  ///< [n_k, d_model], the same in cross-attention
  bool operator==(const TypedMatrices&) const = default;
};

/// The settings that determine the parameters of a seeded layer.
struct LayerParameters {
  int d_model = 512;
  int heads = 8;
  std::uint64_t seed = 42;
  WeightKind weights = WeightKind::linear;
  double sigma = 0.02;
  TypedMatrices typed;
  int kv_heads = 0;  ///< key-value heads; 0: as many as heads; 1: multi-query; otherwise groups
  int layers = 1;
  bool share_layers = false;  ///< one set of parameters for all layers (ALBERT)
  bool feed_forward = false;  ///< ReLU, 4 d_model wide, with the same residual and layer_norm

  bool operator==(const LayerParameters&) const = default;
  int key_value_heads() const { return kv_heads == 0 ? heads : kv_heads; }
};

/// A source: layers whose parameters and token vectors come from a seed.
struct SeededLayer : LayerParameters {
  VectorKind vectors = VectorKind::randn;  ///< `inputs` in files and options
  Positions positions = Positions::none;   ///< added to `embedding`; `randn` has none to add to
  bool residual = true;                    ///< between layers; a layer's own output stays W_O's
  bool layer_norm = true;                  ///< between layers, after the residual (the paper's order)

  bool operator==(const SeededLayer&) const = default;
};

struct Text {
  std::string sentence = notebook_sentence;
  std::string picture;   ///< the file of the picture that a vision transformer reads
  std::string features;  ///< the file of the spectrogram that an encoder of sound reads
  /// Engaged: cross-attention, keys and values come from it; of a trained model the second of a pair.
  std::optional<std::string> key_sentence;
  /// What the decoder of an encoder–decoder reads after its start token; if not engaged, it is generated.
  std::optional<std::string> target;
  /// Languages by the names of a translator's tokens (en_XX, deu_Latn); empty: as its tokenizer and config
  /// say.
  std::string source_language, target_language;
  /// Manually set token boundaries, as in `Boundaries`; and those of key_sentence.
  std::set<int> splits, joins;
  std::set<int> key_splits, key_joins;

  bool operator==(const Text&) const = default;
  bool cross() const { return key_sentence.has_value(); }
};

/// A head, counted from 0.
struct HeadPlace {
  BlockKind block = BlockKind::self;
  int layer = 0;
  int head = 0;
  auto operator<=>(const HeadPlace&) const = default;
};
/// The output of an ablated head.
enum class Ablation {
  zero,  ///< nothing
  mean,  ///< its context averaged over the positions of the text
};

/// Changes to the attention of any source.
struct Interventions {
  std::vector<MaskPart> mask;
  MaskFill mask_fill = MaskFill::minus_infinity;
  double temperature = 1;  ///< scores are divided by it
  bool scale = true;       ///< divide scores by sqrt(d_k)
  double dropout = 0;      ///< probability, on the weights, PyTorch's inverted scaling
  std::uint64_t dropout_seed = 0;
  double gain_q = 1;                  ///< factor on W_Q
  double gain_k = 1;                  ///< factor on W_K
  std::set<HeadPlace> ablated_heads;  ///< of a trained model
  Ablation ablation = Ablation::zero;

  bool operator==(const Interventions&) const = default;
};

/// The capabilities of a kind of source. What a certain model or capture has is known once it is open.
struct SourceTraits {
  bool from_seed = false;       ///< its sizes, weights and token vectors are fields of the inputs
  bool known_ahead = false;     ///< the inputs tell its tokens, blocks and heads; of others a trace does
  bool computes = false;        ///< reads texts and follows interventions; otherwise its attention is given
  bool predicts = false;        ///< has logits, of tokens or of labels
  bool ablates = false;         ///< single heads can be switched off
  bool own_mask = false;        ///< masks cells by itself
  bool word_tokens = false;     ///< its tokens are words, whose boundaries can be set by hand
  bool has_vocabulary = false;  ///< its tokens are those of a vocabulary, such as pieces of words
  bool reads_pairs = false;     ///< a second sentence joins the first; otherwise keys and values come from it
  bool has_decoder = false;     ///< which has a text of its own, read or written
  bool several_blocks = false;
};

/// The document: everything that changes a number. A plain value, compared, saved as JSON and undone by
/// copies; flat, as in the session file and on the command line (d_model: --d-model), and composed of three
/// parts that can be used separately. The default is the notebook's.
struct Inputs : SeededLayer, Text, Interventions {
  /// The folder of a trained model; empty: the seeded layer. With a model the layer's fields are ignored: the
  /// trace has its shape.
  std::string model;

  /// The file of a capture: attention that was computed elsewhere. Neither layer, text nor interventions
  /// change it.
  std::string capture;
  int sequence = 0;  ///< which of its texts

  const SourceTraits& about() const;
  bool trained() const { return !model.empty(); }
  bool captured() const { return !capture.empty(); }
  bool seeded() const { return !trained() && !captured(); }
  /// Its weights are drawn from a seed: what its maps show is chance.
  bool untrained() const { return seeded() && weights != WeightKind::manual; }
  bool operator==(const Inputs&) const = default;
};

struct Limits {
  static constexpr int max_heads = 64;
  static constexpr int max_d_model = 4096;
  static constexpr int max_tokens = 65536;
  static constexpr int max_window_tokens = 4096;  ///< beyond, figures show pooled cells
  static constexpr int max_layers = 12;
  static constexpr std::size_t max_mask_parts = 256;
  static constexpr std::size_t max_sentence_bytes = std::size_t{1} << 20;
  // Limits of views and labels, for any source: only the source knows its numbers of layers and heads.
  static constexpr int max_view_layers = 1000;
  static constexpr int max_view_heads = 1000;
  static constexpr int max_groups = 1000;
  static constexpr int max_sequences = 1'000'000;
  static constexpr int max_typed_d_model = 16;
  static constexpr std::int64_t max_parameters = std::int64_t{1} << 30;  ///< 4 GiB
  // These keep every number within float32's range for one layer.
  static constexpr double min_temperature = 1e-6;
  static constexpr double max_temperature = 1e6;
  static constexpr double max_gain = 1e4;
  static constexpr double max_sigma = 100;
  static constexpr double max_typed_value = 1e6;
};

/// The tokens of the sentences; in self-attention both are the same.
struct InputTokens {
  std::vector<Token> queries, keys;
  bool empty() const { return queries.empty() || keys.empty(); }
};
/// The words of one sentence. Throws Error (input) naming `field` for more than Limits::max_tokens or
/// max_sentence_bytes, and as words().
std::vector<Token> sentence_tokens(const char* field, const std::string& sentence);
/// The tokens of both, with manually set boundaries. Throws Error as sentence_tokens(), and for a boundary
/// that is not in its sentence.
InputTokens tokens_of(const Text& text);

/// Throws Error (input) naming the first field that is out of range, its value and the range. Masks and
/// sentences are checked where they are built.
void validate(const Inputs& inputs);

}  // namespace headscope

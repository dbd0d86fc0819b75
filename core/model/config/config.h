#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/tensor.h"
#include "core/model/config/mixer.h"
#include "core/model/config/model_notes.h"
#include "core/model/config/output_config.h"

namespace headscope {

enum class ModelFamily {
  gpt2,
  bert,
  distilbert,
  roberta,
  llama,
  mistral,
  qwen2,
  qwen3,
  t5,
  marian,
  gpt_neo,
  opt,
  bart,
  mbart,
  pegasus,
  gpt_neox,
  phi,
  stablelm,
  gptj,
  gemma,
  gemma2,
  gemma3,
  gemma3n,
  gemma4,
  olmo,
  olmo2,
  granite,
  smollm3,
  phi3,
  cohere,
  cohere2,
  bloom,
  falcon,
  mixtral,
  qwen2_moe,
  qwen3_moe,
  arcee,
  seed_oss,
  ernie,
  helium,
  cwm,
  glm,
  glm4,
  starcoder2,
  olmo3,
  olmoe,
  exaone4,
  nemotron,
  granite_moe,
  biogpt,
  xglm,
  phimoe,
  mpt,
  codegen,
  openai_gpt,
  gpt_oss,
  deepseek_v2,
  deepseek_v3,
  qwen3_next,
  qwen3_5,
  lfm2,
  falcon_h1,
  granite_hybrid,
  albert,
  electra,
  mpnet,
  modernbert,
  esm,
  nomic_bert,
  eurobert,
  rembert,
  dpr,
  deberta_v1,
  deberta,
  xlnet,
  funnel,
  longformer,
  bigbird,
  led,
  bigbird_pegasus,
  m2m_100,
  whisper,
  vit,
  deit,
  dinov2,
  dinov3,
  beit,
  clip,
  clip_text,
  siglip,
  siglip2,
  siglip_text
};

/// Activation of the feed-forward network. gelu is the one with erf; gelu_tanh is also written gelu_new,
/// gelu_fast, gelu_accurate and gelu_pytorch_tanh.
enum class Activation {
  gelu,
  gelu_tanh,
  quick_gelu,    ///< x sigmoid(1.702 x)
  gelu_clipped,  ///< gelu_10: gelu clamped to [-10, 10]
  relu,
  relu_squared,
  relu6,
  leaky_relu,  ///< slope 0.01 below zero
  silu,        ///< also written swish
  mish,
  tanh,
  sigmoid,
  linear,
  laplace,  ///< 0.5 (1 + erf((x - 0.707107) / (0.282095 sqrt 2)))
};

/// How the model encodes positions.
enum class PositionKind {
  learned,     ///< a table of limited length: see ModelConfig::longest()
  sinusoidal,  ///< computed; sines in the first half of the columns (Marian, PEGASUS, M2M-100)
  rotary,
  none,      ///< only by vectors of relative positions, if any (DeBERTa)
  relative,  ///< a bias on the scores by buckets of distances (T5)
  linear,    ///< a bias on the scores, a slope times the distance: ALiBi (Press et al. 2022)
};

enum class RopeScaling { none, linear, dynamic, llama3, yarn, longrope, proportional };

/// Rotary positions with every number resolved: defaults filled in.
struct Rope {
  RopeScaling scaling = RopeScaling::none;
  double theta = 10000;
  double factor = 1;
  double low_frequency_factor = 1, high_frequency_factor = 4;  ///< llama3
  /// llama3, yarn, longrope: of the model before it was extended; dynamic: the length beyond which the base
  /// grows.
  Index original_positions = 0;
  /// cos and sin are multiplied by it (yarn, longrope; 1 for others), so that scores contain its square.
  double attention_factor = 1;
  /// Queries are multiplied by 1 + this ln(1 + ⌊position / original_positions⌋) (Ministral 3); 0: not.
  double query_growth = 0;
  double beta_fast = 32, beta_slow = 1;             ///< yarn
  bool truncate = true;                             ///< yarn: the ramp begins and ends at whole dimensions
  std::vector<double> short_factors, long_factors;  ///< longrope, one for each pair of dimensions
  Index first_position = 0;                         ///< of a text's first token
  /// proportional: so many pairs turn, by the frequencies of a whole head; those of the others are 0.
  Index turned_pairs = 0;
  Index dimensions = 0;       ///< rotated dimensions of a head, the first ones; head_dim unless partial
  Index first_dimension = 0;  ///< … or those from it on (DeepSeek)
  /// Each dimension is rotated with its neighbour (GPT-J, Cohere) rather than with that half of them further.
  bool in_pairs = false;
  /// Positions are the centres of patches, from -1 to 1 times 2 pi: the first half of the rotated pairs have
  /// that down, the others that across; tokens of no patch are not rotated (DINOv3).
  bool of_patches = false;
};

/// What the norms of queries and keys, before their rotation, are of.
enum class QkNorm {
  none,
  head,      ///< each head's row, all with the same weight (Qwen3)
  own,       ///< each head's row with its own weight, without biases (StableLM, Cohere)
  all_heads  ///< the whole projected row (OLMo 2)
};

/// Keys and values that all heads have from one short row for each token, which is what a cache keeps
/// (DeepSeek-AI 2024, "DeepSeek-V2": multi-head latent attention).
struct Latent {
  Index query_rank = 0;  ///< queries come from such a row, too, of this length; 0: as usual
  Index rank = 0;        ///< of keys and values
  Index rotated =
      0;          ///< last components of a query and a key, which have positions; a key's are of all heads
  Index d_v = 0;  ///< of a head's values
  bool biased = false;  ///< what gives the short rows
};

/// Feed-forward networks of which each token takes a few (Shazeer et al. 2017): those with the largest
/// softmax over the router's products with it.
struct Experts {
  Index count = 0, of_token = 0;
  Index d_ff = 0;          ///< of each
  Index shared_d_ff = 0;   ///< of one more that every token takes, times its own sigmoid (Qwen2-MoE); 0: none
  bool normalized = true;  ///< the weights of a token's experts are divided by their sum
  /// SparseMixer (Liu et al. 2023): each of a token's two experts is weighed against those alone that were
  /// not taken before and whose product is less than this share below its own; 0: not.
  double near_share = 0;
  bool biased = false;  ///< the router and each expert have biases
  /// The experts' gates and the rest are neighbours in one matrix, and clamped (gpt-oss); 0: apart.
  double limit = 0;
  bool sigmoid = false;  ///< of the products, in place of the softmax; chosen by it and a bias (DeepSeek-V3)
  double factor = 1;     ///< of the weights (DeepSeek)
  /// Experts are chosen in the best `groups_of_token` of so many groups, by the largest in each, or with
  /// `sigmoid` by the two largest (DeepSeek); 1: among all.
  Index groups = 1, groups_of_token = 1;
  bool shared_plain = false;  ///< the shared one is not weighted (DeepSeek)
  /// The shared one and the others have norms of their own, before and behind; the weights of a token's
  /// experts are multiplied by a factor of each expert (Gemma 4).
  bool normed_apart = false;
  std::vector<bool> layers;  // [layers] of the decoder: whether it has them
  bool in_layer(Index layer) const { return layers[layer]; }
};

/// Scores that also have products of contents with vectors of relative positions (He et al. 2021, DeBERTa;
/// Dai et al. 2019, Transformer-XL, whose attention is XLNet's).
struct Disentangled {
  Index buckets = 0;   ///< logarithmic ones to either side; 0: each distance has its own vector
  Index farthest = 0;  ///< distances beyond it share their vectors; 0: none do
  bool to_position = true, from_position = true;  ///< c2p: content to position; p2c: position to content
  bool shared = true;   ///< positions are projected as contents are, otherwise by matrices of their own
  bool normed = false;  ///< the vectors are normed
  /// The vectors are sines and cosines of the distance, and there are some of segments, too; queries have a
  /// bias of their own for either (XLNet).
  bool computed = false;
  /// The vector of a distance query - key: its row in the table, or the distance that is computed.
  Index row_of(Index distance) const;
  /// Of the table; 0 without one.
  Index rows() const { return computed ? 0 : 2 * (buckets > 0 ? buckets : farthest); }
  int terms() const { return 1 + (to_position ? 1 : 0) + (from_position ? 1 : 0); }  ///< summed in a score
};

/// Layers in blocks (Dai et al. 2020): the first layer of each after the first pools the rows before it, two
/// into one. Behind the last block its rows are repeated to as many as there were, the first block's are
/// added, and more layers follow.
struct Funnel {
  std::vector<Index> layers;  ///< of each block, as often as they are repeated
  Index upsampled = 0;        ///< layers behind them; 0: the pooled rows are the output
  bool queries_alone = true;  ///< the layer that pools has keys and values of the rows before
  bool first_apart = true;    ///< the first row is pooled with itself, and has no terms of positions
  bool last_left_out = true;  ///< then the last row is in none
  bool largest = false;       ///< of each component the larger number, rather than the mean
  bool by_shifts = true;      ///< positions are shifted, which needs three rows to pool (relative_shift)

  Index blocks() const { return std::ssize(layers); }
  /// The first layer of a block; `blocks()`: the first upsampled one.
  Index first_of(Index block) const {
    Index first = 0;
    for (Index i = 0; i < block; ++i) first += layers[i];
    return first;
  }
  /// The block of a layer, counted from 0; `blocks()`: upsampled.
  Index block_of(Index layer) const {
    Index block = 0;
    while (block < blocks() && layer >= first_of(block + 1)) ++block;
    return block;
  }
  /// Whether a layer's queries are pooled.
  bool pools(Index layer) const {
    const Index block = block_of(layer);
    return block > 0 && block < blocks() && layer == first_of(block);
  }
};

/// Attention by blocks of adjacent tokens (Zaheer et al. 2020, BigBird), in texts with more than `dense`
/// tokens: the first and the last block see all and are seen by all, others see three around their own.
/// Random blocks are only drawn in training; where they would be, transformers' class reads the first block
/// again, so that its keys count 1 + `random` times.
struct BlockSparse {
  Index block = 64, random = 3;
  Index dense() const { return (5 + 2 * random) * block; }
};

/// A convolution over the tokens of the first layer's input, whose activation is added to what that layer
/// gives; the sum is normed (DeBERTa-v2's larger ones).
struct TokenConvolution {
  Index taps = 3;  ///< tokens, as many to either side
  Index groups = 1;
  Activation activation = Activation::tanh;
};

/// What a vision transformer reads: patches of a picture behind tokens of its own (Dosovitskiy et al. 2021).
struct PictureInput {
  Index height = 0, width = 0;  ///< pixels; the table of positions is for so many
  Index patch_height = 1, patch_width = 1;
  bool class_token = true, distillation_token = false;  ///< the first and the second token
  Index registers = 0;                 ///< tokens behind those, without positions (Darcet et al. 2024)
  bool patch_bias = true;              ///< of the patches' projection
  bool channels_last = false;          ///< in the rows of its weight
  bool positions = true;               ///< there is a table of them
  bool antialiased_positions = false;  ///< how the table is resized for other pictures
  bool linear_positions = false;       ///< … by straight lines rather than cubic
  bool own_proportions = false;        ///< pictures keep theirs, with about as many patches (NaFlex)
  std::string processor;               ///< the class of its image processor, if its folder does not say

  Index rows() const { return height / patch_height; }  ///< of patches
  Index columns() const { return width / patch_width; }
  Index own_tokens() const { return (class_token ? 1 : 0) + (distillation_token ? 1 : 0); }
  Index first_patch() const { return own_tokens() + registers; }  ///< its token
};

/// What the encoder of Whisper reads (Radford et al. 2023): a log-mel spectrogram, of which each of its
/// tokens has two frames.
struct SoundInput {
  Index frames = 0, bands = 0;
};

/// Sizes of what layers have in place of softmax attention, or beside it (Falcon-H1): see Mixer. Heads of a
/// state read keys and queries of `groups`, and all of these come through a short causal convolution.
struct StateMixer {
  Mixer kind = Mixer::delta_rule;
  Index heads = 0, groups = 0;  ///< of values; of keys and queries. 0 of a short convolution
  Index d_k = 0, d_v = 0;       ///< of a query and a key; of a value
  Index taps = 0;               ///< tokens that a convolution reads, its own the last
  bool taps_bias = false, bias = false, output_bias = false;  ///< of the convolution, of the projections
  bool normed = true;                                         ///< what the heads give
  Index norm_groups = 1;         ///< all heads' rows are normed in so many parts (Mamba-2)
  bool norm_before_gate = true;  ///< and multiplied by the activation of a gate behind that, or before
  double smallest_step = 0, largest_step = 0;  ///< what Mamba-2's steps are clamped to; 0: no largest
  /// What is multiplied by them: gate, x, B, C and step of Mamba-2 (Falcon-H1).
  std::array<double, 5> factors{1, 1, 1, 1, 1};
  double input_factor = 1, output_factor = 1;

  Index key_width() const { return groups * d_k; }
  Index value_width() const { return heads * d_v; }
  Index channels() const { return 2 * key_width() + value_width(); }  ///< that are convolved
};

/// Each token has a vector for each layer: from a table, and from its embedding. The layer adds it behind its
/// network, multiplied by a gate of the stream (Gemma 3n).
struct LayerEmbeddings {
  Index width = 0;
  Index vocabulary = 0;  ///< rows of the table
};

/// Several streams, of which the layers read and change one; all are predicted from each other before a
/// layer, and corrected behind it (Baykal et al. 2023).
struct AltUp {
  Index streams = 4, active = 0;
  bool scaled = true;  ///< the corrected stream that the gate of LayerEmbeddings reads
};

/// One stack of layers; without layers if the model has none of its kind.
struct LayerStack {
  Index layers = 0;
  Index heads = 0, kv_heads = 0;
  Index d_ff = 0;
  /// [layers] the number in the files of the layer whose weights each has; empty: its own.
  std::vector<Index> stored = {};
  /// [layers] where they differ (Gemma 3n, Gemma 4); empty: those above, and ModelConfig::head_dim.
  std::vector<Index> kv_heads_of_layers = {}, d_ff_of_layers = {}, head_dims = {};
  /// [layers] the layer whose keys and values each reads; empty: its own (Gemma 3n, Gemma 4).
  std::vector<Index> keys_of = {};

  Index kv_heads_of(Index layer) const {
    return kv_heads_of_layers.empty() ? kv_heads : kv_heads_of_layers[layer];
  }
  Index d_ff_of(Index layer) const { return d_ff_of_layers.empty() ? d_ff : d_ff_of_layers[layer]; }
  Index keys_from(Index layer) const { return keys_of.empty() ? layer : keys_of[layer]; }
  bool has_own_keys(Index layer) const { return keys_from(layer) == layer; }
};

/// The contents of a model's config.json, checked, with defaults of its family filled in. A plain value;
/// fields that a family does not have keep their defaults.
struct ModelConfig {
  ModelFamily family = ModelFamily::gpt2;
  const char* own_name = nullptr;  ///< where it is called otherwise than its family: "I-JEPA"
  std::string architecture;        ///< "GPT2LMHeadModel", or "" if the file does not say
  std::string dtype;               ///< of the weights as the file says, "float16"; "" if unknown

  /// BERT-like models have an encoder, GPT-2 and LLaMA-like ones a decoder, T5 and Marian both.
  LayerStack encoder, decoder;
  /// "LLaVA": the model whose part for text this is, see PictureTextModel; nullptr: a whole one.
  const char* text_part_of = nullptr;
  Index d_model = 0;
  /// Of queries, keys and values (T5: d_kv); the decoder's if Marian's stacks have different numbers of
  /// heads.
  Index head_dim = 0;
  Index vocabulary = 0;           ///< rows of the embedding; can exceed the tokenizer's
  Index decoder_vocabulary = 0;   ///< the same, except for Marian with separate vocabularies
  bool shared_embeddings = true;  ///< Marian: encoder and decoder share one table
  Index token_types = 0;          ///< BERT, RoBERTa
  bool first_type_alone = false;  ///< all tokens have the first one (DPR's reader)

  PositionKind position_kind = PositionKind::learned;
  Index positions = 0;           ///< rows of the table, or the trained length; 0 if there is none (T5)
  Index decoder_positions = 0;   ///< rows of a decoder's own table, if they are not as many (LED)
  Index position_offset = 0;     ///< row of the first token's position (RoBERTa: pad + 1; BART, OPT: 2)
  bool sinusoid_to_end = false;  ///< the last frequency is 1 / 10000, not the one after it (M2M-100)
  bool padding_has_own_position = false;  ///< RoBERTa: padding tokens use the row before `position_offset`
  std::optional<Rope> rope;               ///< rotary positions
  /// Of each layer of the only stack, or the decoder; 0 for none. Without causality it goes to either side:
  /// keys less than so far away.
  std::vector<Index> sliding_windows;
  std::vector<Index> encoder_windows;     ///< the same of each layer of an encoder before a decoder (LED)
  std::optional<Rope> local_rope;         ///< of layers with a window, instead of `rope` (Gemma 3)
  std::vector<bool> layers_without_rope;  // [layers] of the decoder; empty: all have it
  /// A bias on the scores by buckets of distances, also beside other positions (MPNet); of pictures by how
  /// far patches are apart, down and across, and three of the class token (BEiT); 0: none.
  Index relative_buckets = 0, relative_max_distance = 128;
  bool relative_bias_of_layers = false;  ///< each layer has its own, rather than the first one's (UMT5)
  bool relative_bias_of_all = false;     ///< … and all have one more (BEiT)
  std::optional<Disentangled> disentangled;
  std::optional<Funnel> funnel;
  std::optional<BlockSparse> block_sparse;
  /// Some tokens see all and are seen by all, beside the windows of the others, and are queries with matrices
  /// of their own (Beltagy et al. 2020, Longformer): see global_tokens().
  bool has_global_tokens = false;
  std::optional<Index> separator;               ///< of a question and what it is about
  std::optional<TokenConvolution> convolution;  ///< of the encoder

  double norm_epsilon = 1e-5;
  bool norm_first = true;  ///< pre-norm: a sublayer reads norm(x); otherwise post-norm, norm(x + sublayer)
  bool last_norm = true;   ///< of the last layer's output; OPT's 350m has none
  bool first_layer_normed = true;  ///< not ModernBERT's, after the norm of the embedding
  bool norm_weights = true;        ///< not OLMo's
  bool norm_bias = true;           ///< LayerNorm's; not Cohere's
  double norm_offset = 0;          ///< added to a norm's weights (Gemma: 1)
  /// The feed-forward network reads the layer's input, and its output is added together with attention's.
  bool parallel = false;
  bool shared_norm = false;  ///< attention and the feed-forward network read the same normed row (GPT-J)
  Activation activation = Activation::gelu;
  Index layers_of_group = 1;  ///< in the names of tensors (ALBERT): layer 5 of 2 is the last of group 2
  std::optional<Experts> experts;
  bool gated = false;  ///< the feed-forward network is act(x gate) * (x up) (LLaMA's and T5 1.1's)
  Activation head_activation = Activation::gelu;  ///< of a masked language model's head
  bool tie_embeddings = true;                     ///< the output's matrix is the embedding's
  bool causal = false;  ///< of a single stack; the decoder of an encoder–decoder always is

  bool qkv_bias = true;                                        ///< q, k, v
  bool query_bias = true, key_bias = true, value_bias = true;  ///< each, where they have (BEiT, DINOv3)
  bool output_bias = true;                                     ///< W_O
  bool mlp_bias = true;
  QkNorm qk_norm = QkNorm::none;
  bool value_norm = false;       ///< each head's values are normed, without weights (Gemma 3n, Gemma 4)
  bool keys_are_values = false;  ///< in layers without a window: what W_K gives, before a norm (Gemma 4)
  double qkv_limit = 0;    ///< what the projections give is clamped to ± this (OLMo's clip_qkv); 0: not
  Index fused_groups = 1;  ///< parts of a fused matrix, each of q, k and v of as many key-value heads
  bool fused_values_first = false;  ///< each has v before k (CodeGen)
  std::optional<Latent> latent;
  /// [layers] of the decoder; empty: attention in all. Others than attention are of one kind, `state_mixer`.
  std::vector<Mixer> mixers;
  std::optional<StateMixer> state_mixer;
  bool mixer_beside = false;  ///< each layer has it beside its attention, of the same input (Falcon-H1)
  bool gated_heads = false;   ///< what heads give is multiplied by the sigmoid of a gate (Qwen3-Next)
  double key_factor = 1;      ///< of keys, before they are rotated (Falcon-H1)
  double attention_input_factor = 1, attention_output_factor = 1;  ///< of what attention reads, and adds
  double gate_factor = 1, network_factor = 1;  ///< of the network's gate, and of what it adds
  std::optional<LayerEmbeddings> layer_embeddings;
  std::optional<AltUp> alt_up;
  /// Rank of a linear layer beside attention, of the same rows, which are added to what it gives; the sum
  /// with the stream is divided by sqrt(2) (Menghani et al. 2024); 0: none.
  Index laurel_rank = 0;
  /// [layers] the share of a network's gates that a threshold of mean and deviation cuts off; empty: none.
  std::vector<double> sparsity;
  bool layer_factors = false;          ///< each layer's output is multiplied by a number of its own
  bool sinks = false;                  ///< each head has a score of no token in its softmax (gpt-oss)
  bool scale_scores = true;            ///< by 1 / sqrt(head_dim) (GPT-2: scale_attn_weights; not T5)
  bool scale_scores_by_layer = false;  ///< GPT-2: and by 1 / (layer + 1), counted from 0
  std::optional<double> score_factor;  ///< instead of 1 / sqrt(head_dim) (Gemma 2, Granite)
  double score_cap = 0;                ///< scores become cap tanh(score / cap) (Gemma 2); 0: not
  /// ALiBi's bias is that of a key's place, rounded to bfloat16, and scaled as q · k is (Falcon).
  bool rounded_bias = false;
  Index embedding_width = 0;  ///< of the embedding, if it is projected to d_model (OPT's 350m); 0: d_model
  /// Positions, types and their norm have that width, too, and the projection comes after them.
  bool project_last = false;
  double embedding_factor = 1;  ///< Marian, Gemma: sqrt(d_model)
  Index head_width = 0;         ///< of a head for tokens, if not the embedding's (RemBERT)
  bool embedding_norm = true;   ///< the encoder has one if its family has; not ESM-2's
  /// ESM's token for what is masked, -1: none; it has no embedding, and the others are scaled instead.
  std::optional<Index> dropped_token;
  double residual_factor = 1;  ///< of what a sublayer adds (Granite)
  double output_factor = 1;    ///< of what the output's matrix multiplies (T5: 1 / sqrt(d_model))
  double logit_cap = 0;        ///< logits become cap tanh(logit / cap) (Gemma 2); 0: not

  OutputConfig output;
  bool newer_head = false;      ///< DeBERTa's head for tokens, by its newer names
  bool rotates_reread = false;  ///< a text that is read again begins with its own last token (mBART)

  std::optional<Index> bos_token, pad_token, decoder_start_token;
  std::vector<Index> eos_tokens;
  std::optional<Index> forced_bos_token, forced_eos_token;  ///< of generation
  std::vector<Index>
      unread_tokens;  ///< that stand for pictures and sound, which a part for text does not read
  std::vector<Index> never_generated;  ///< bad_words_ids of one token: Marian's pad

  std::optional<PictureInput> picture;  ///< read in place of a text
  /// Width of the space that a picture's and a text's tower share (CLIP, SigLIP); 0: none.
  Index picture_projection = 0;
  bool padded_text = false;  ///< texts are filled up to the last position, and padding is read (SigLIP)
  std::shared_ptr<const ModelConfig> text_tower;  ///< beside a picture's; may be nullptr

  std::optional<SoundInput> sound;  ///< read by the encoder in place of a text

  bool output_rows = false;  ///< weights are stored [out, in], whatever the family's own files have (GGUF)

  std::optional<ModelNotes> notes;  ///< notes by its author for this program

  bool has_encoder() const { return encoder.layers > 0; }
  bool has_decoder() const { return decoder.layers > 0; }
  bool encoder_decoder() const { return has_encoder() && has_decoder(); }
  /// Whether the decoder reads the encoder's text again, a token later, and writes none (labels of BART, T5).
  bool rereads() const { return encoder_decoder() && output.kind != OutputKind::tokens; }
  /// The rotary positions of self-attention in a layer: `rope`, `local_rope` or nullptr.
  const Rope* rope_of(Index layer) const;
  Mixer mixer_of(Index layer) const { return mixers.empty() ? Mixer::softmax : mixers[layer]; }
  bool has_attention(Index layer) const { return mixer_of(layer) == Mixer::softmax; }
  /// Layers of the only stack, or the decoder, that have it.
  Index attention_layers() const {
    return mixers.empty() ? body().layers : std::ranges::count(mixers, Mixer::softmax);
  }
  /// The heads of a layer that have a map: of attention, or of a state; a short convolution has none.
  Index heads_of(Index layer) const { return has_attention(layer) ? body().heads : state_mixer->heads; }
  bool values_are_keys(Index layer) const { return keys_are_values && sliding_windows[layer] == 0; }
  /// The only stack, or the decoder.
  const LayerStack& body() const { return has_decoder() ? decoder : encoder; }
  /// Maximum number of tokens by the table of positions, of a text or the decoder's; none if positions are
  /// unlimited.
  std::optional<Index> longest(bool of_decoder = false) const;
};

/// "GPT-2": the display name, English; that of a part of a model is to be translated.
const char* to_name(ModelFamily family);
const char* to_name(const ModelConfig& config);

/// What the folder of a model, or a GGUF file, says: see parse_config.h and ModelFiles.
ModelConfig read_config(const std::string& path);

}  // namespace headscope

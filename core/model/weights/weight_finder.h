#pragma once
#include <array>
#include <set>
#include <span>
#include <string>
#include <string_view>

#include "core/attention/dense.h"
#include "core/io/safetensors_reader.h"
#include "core/model/config/family.h"
#include "core/model/weights/language_model.h"

namespace headscope {

/// Finds a family's tensors by name: with or without the prefix, also under names of old files (gamma and
/// beta for a norm's weight and bias). Throws Error (input) that names the tensor if one is missing, of an
/// unsupported type, or of another shape than config.json implies.
class WeightFinder {
 public:
  WeightFinder(const WeightFiles& files, const ModelConfig& config);

  /// The full name in the file; empty if there is none.
  std::string name_of(std::string_view name, Index layer = 0) const;
  /// The first of several names that is present, or empty.
  std::string any_of(std::span<const std::string_view> names) const;
  /// Whether both tensors are there, by their full names, and have the same numbers.
  bool same(const std::string& name, const std::string& other) const;
  StoredMatrix matrix(std::string_view name, Index rows, Index columns, Index layer = 0) const;
  /// A tensor with `size` numbers, all in its last axis: [n] or [1, n].
  Tensor vector(std::string_view name, Index size, Index layer = 0) const;
  /// All numbers of [rows, columns] or [1, rows, columns]; the full name.
  Tensor table(std::string_view name, Index rows, Index columns) const;
  /// The weight [out, channels, height, width] of a convolution whose stride is its size, as it multiplies
  /// the numbers of one patch.
  Dense convolution(std::string_view name, std::span<const Index> shape, bool bias) const;
  ConvolutionWeights token_convolution(const StackNames& names, const TokenConvolution& size) const;
  Dense dense(std::string_view name, Index in, Index out, bool bias, Index layer = 0) const;
  Norm norm(std::string_view name, Index size, Index layer = 0) const;
  Norm qk_norm(std::string_view name, Index heads, Index d_k, Index layer) const;

  AttentionWeights attention(const AttentionNames& names, const LayerStack& size, Index layer) const;
  MixerWeights mixer(const MixerNames& names, const StateMixer& size, Index layer) const;
  LayerEmbeddingWeights layer_embedding(const StackNames& names, const LayerStack& size, Index layer) const;
  AltUpWeights alt_up(const AltUpNames& names, Index layer) const;
  /// One number, as a norm that multiplies by it.
  Norm factor(std::string_view name, Index layer) const;
  FeedForwardWeights feed_forward(const FeedForwardNames& names, Index d_ff, Index layer) const;
  /// `d_ff`: of the shared one.
  RoutedExperts experts(const FeedForwardNames& names, const Experts& experts, Index d_ff, Index layer) const;
  /// Matrices of all heads in one tensor, [heads, rows, columns], as one of all their outputs.
  Dense of_heads(std::string_view name, const std::array<Index, 3>& shape, bool input_rows,
                 Index layer) const;
  /// Those of one expert in tensors of all.
  Dense expert_of(std::string_view name, Index count, Index expert, Index in, Index out, Index layer) const;

  /// The names of all tensors found so far, with those of their copies under other names.
  const std::set<std::string>& found() const { return found_; }

  /// Throws Error (input) for a tensor found so far that contains NaN or infinity, naming it and the first
  /// position; and when `progress`, which may be nullptr, is stopped.
  void check_finite(const ComputeContext& context, LoadProgress* progress = nullptr) const;

 private:
  void find_latent(const AttentionNames& names, const Latent& latent, const LayerStack& size, Index layer,
                   AttentionWeights& weights) const;
  /// A instead of A_log; heads of values by their place in a group first, where projections are apart (Qwen
  /// 3.5).
  void as_llama_cpp_has_them(const MixerNames& names, const StateMixer& size, Index layer,
                             MixerWeights& weights) const;
  /// Whether there is a tensor NAME.weight.
  bool has(std::string_view name, Index layer) const;
  /// Matrices [d_model, heads, d_k].
  Dense from_model(std::string_view name, Index heads, Index layer) const;
  /// XLNet's, which are such.
  void find_by_heads(const AttentionNames& names, Index heads, Index layer, AttentionWeights& weights) const;
  /// What scores have of positions and segments, with the queries' own bias (XLNet, Funnel).
  void find_position_terms(const AttentionNames& names, Index heads, Index layer,
                           AttentionWeights& weights) const;
  /// In place of the family's prefix.
  std::vector<std::string_view> other_prefixes() const;
  std::vector<std::string> names_of(std::string_view name, Index layer) const;
  /// The name that a missing tensor would have in this file.
  std::string usual_name(std::string_view name, Index layer) const;
  /// `type`: of a tensor that holds no numbers to compute with.
  const TensorView& expect(std::string_view name, Index layer, std::span<const Index> shape,
                           const char* type = nullptr) const;

  const WeightFiles& files_;
  const ModelConfig& config_;
  const Family& family_;
  mutable std::set<std::string> found_;
};

}  // namespace headscope

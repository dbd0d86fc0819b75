#pragma once
#include <set>
#include <span>
#include <string>
#include <string_view>

#include "core/io/safetensors_reader.h"
#include "core/model/dense.h"
#include "core/model/family.h"
#include "core/model/language_model.h"

namespace headscope {

/// Finds a family's tensors by name: with the prefix or without, under names of old files too (gamma and beta
/// for a norm's weight and bias). Throws Error (input) that names the tensor where one is missing, of a type
/// we do not compute with, or of another shape than config.json makes it.
class WeightFinder {
 public:
  WeightFinder(const WeightFiles& files, const ModelConfig& config);

  /// The whole name in the file; empty where there is none.
  std::string name_of(std::string_view name, Index layer = 0) const;
  /// The first of several names that is there, or empty.
  std::string any_of(std::span<const std::string_view> names) const;
  StoredMatrix matrix(std::string_view name, Index rows, Index columns, Index layer = 0) const;
  /// A tensor of any axes with so many numbers, the last axis all of them: [n] or [1, n].
  Tensor vector(std::string_view name, Index size, Index layer = 0) const;
  Dense dense(std::string_view name, Index in, Index out, bool bias, Index layer = 0) const;
  Norm norm(std::string_view name, Index size, Index layer = 0) const;

  AttentionWeights attention(const AttentionNames& names, const LayerStack& size, Index layer) const;
  FeedForwardWeights feed_forward(const FeedForwardNames& names, Index d_ff, Index layer) const;

  /// Throws Error (input) for a tensor that was found and holds NaN or infinity, naming it and the first
  /// place; and when `progress`, which may be nullptr, is stopped.
  void check_finite(const ComputeContext& context, LoadProgress* progress = nullptr) const;

 private:
  /// The name that a missing tensor would have in a file like this one.
  std::string usual_name(std::string_view name, Index layer) const;
  const TensorView& expect(std::string_view name, Index layer, std::span<const Index> shape) const;

  const WeightFiles& files_;
  const ModelConfig& config_;
  const Family& family_;
  mutable std::set<std::string> found_;
};

}  // namespace headscope

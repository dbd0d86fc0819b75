#include "core/source/maps/rollout.h"

#include <algorithm>
#include <mutex>
#include <utility>
#include <vector>

#include "core/base/matrix.h"
#include "core/base/parallel.h"
#include "core/base/translate.h"
#include "core/source/maps/cell_maps.h"
#include "core/source/source.h"

namespace headscope {
namespace {

constexpr EnumName<Rollout> rollout_names[] = {{Rollout::off, "off", TR("Each head")},
                                               {Rollout::weights, "weights", TR("Rollout of the weights")},
                                               {Rollout::norms, "norms", TR("Rollout of the norms")}};

/// Divides each row by its sum; rows of zeros stay.
void normalize_rows(Matrix& a) {
  for (Index i = 0; i < a.rows(); ++i) {
    const double sum = a.row(i).cast<double>().sum();
    if (sum > 0) a.row(i) = (a.row(i).cast<double>() / sum).cast<float>();
  }
}

class RolloutMaps : public MapSource {
 public:
  /// `heads`: the maps that are mixed.
  RolloutMaps(std::shared_ptr<const BlockTrace> block, std::shared_ptr<const MapSource> heads, bool residual)
      : MapSource({heads->size().layers, 1, heads->size().n_q, heads->size().n_k}),
        block_(std::move(block)),
        heads_(std::move(heads)),
        residual_(residual),
        kept_(size().layers) {}

  void rows(int layer, int /*head*/, Index begin, Index end, float* out) const override {
    const Tensor map = of_layer(layer);
    std::copy_n(map.at(begin), (end - begin) * size().n_k, out);
  }
  Tensor resident(int layer, int /*head*/) const override {
    const std::lock_guard lock(mutex_);
    return kept_[layer];
  }
  std::optional<Error> warning() const override { return heads_->warning(); }
  std::optional<Error> error() const override { return heads_->error(); }

 private:
  /// A_l
  Matrix mixed(int layer) const {
    const Index n = size().n_q;
    Matrix sum = Matrix::Zero(n, n);
    const std::vector<int> heads = all_heads(heads_->size().heads);
    for (const Tensor& map : heads_->maps(layer, heads)) sum += as_matrix(map);
    normalize_rows(sum);
    if (!residual_) return sum;
    sum *= 0.5F;
    sum.diagonal().array() += 0.5F;
    normalize_rows(sum);
    return sum;
  }

  Tensor of_layer(int layer) const {
    const std::lock_guard one_at_a_time(computing_);
    // The layers below that are not there yet, from the last one that is.
    int first = layer;
    while (first >= 0 && resident(first, 0).empty()) --first;
    for (int l = first + 1; l <= layer; ++l) {
      const Matrix own = mixed(l);
      Tensor map({size().n_q, size().n_k});
      if (l == 0) {
        as_matrix(map) = own;
      } else {
        const Tensor before = resident(l - 1, 0);
        parallel_for(own.rows(), own.size() * own.cols(),
                     [&](Index i) { as_matrix(map).row(i).noalias() = own.row(i) * as_matrix(before); });
      }
      const std::lock_guard lock(mutex_);
      kept_[l] = std::move(map);
    }
    return resident(layer, 0);
  }

  std::shared_ptr<const BlockTrace> block_;
  std::shared_ptr<const MapSource> heads_;
  bool residual_;
  mutable std::mutex computing_, mutex_;
  mutable std::vector<Tensor> kept_;  // [layers]
};

/// Whether no query of any layer sees a later key: then no product of the layers does.
bool is_causal(const BlockTrace& block) {
  KeySpans scratch;
  for (int layer = 0; layer < block.layer_count(); ++layer)
    for (int head = 0; head < block.heads(); ++head)
      for (Index query = 0; query < block.n_q(); ++query)
        if (const auto seen = block.mask_of(layer).row(head, query, scratch);
            !seen.empty() && seen.back().end > query + 1)
          return false;
  return true;
}

Mask causal_mask(Index n) {
  std::vector<std::uint8_t> blocked(n * n);
  for (Index query = 0; query < n; ++query)
    std::fill_n(blocked.begin() + query * n + query + 1, n - query - 1, std::uint8_t{1});
  Mask mask(n, n);
  mask.set_common(blocked);
  return mask;
}

}  // namespace

std::span<const EnumName<Rollout>> enum_names(Rollout) {
  return rollout_names;
}

const char* missing_for_rollout(const Trace& trace, const BlockTrace& block, Rollout rollout) {
  if (rollout == Rollout::off || block.layer_count() == 0) return nullptr;
  if (trace.about().pools_rows)
    return TR("It follows tokens through all layers; in this model they have different rows.");
  if (block.cross() || block.n_q() != block.n_k())
    return TR("It follows tokens through layers of self-attention; here queries and keys differ.");
  if (!block.shape.mixers.empty())
    return TR("It mixes weights that sum to 1, and some layers of this model have no softmax attention.");
  if (block.n_q() > Limits::max_window_tokens)
    return TR("It multiplies whole maps, too large for this text.");
  return rollout == Rollout::norms ? missing_for_cells(trace, block, CellValue::norm) : nullptr;
}

std::shared_ptr<const BlockTrace> with_rollout(const std::shared_ptr<const Trace>& trace,
                                               std::shared_ptr<const BlockTrace> block,
                                               const RolloutOptions& options) {
  if (options.of == Rollout::off || block->layer_count() == 0 ||
      missing_for_rollout(*trace, *block, options.of) != nullptr)
    return block;
  auto rollout = std::make_shared<BlockTrace>();
  rollout->shape = block->shape;
  rollout->shape.heads = rollout->shape.kv_heads = 1;
  rollout->tokens = block->tokens;
  rollout->key_tokens = block->key_tokens;
  rollout->patches = block->patches;
  rollout->key_patches = block->key_patches;
  rollout->text = block->text;
  rollout->interventions = block->interventions;
  rollout->interventions.ablated_heads.clear();  // heads are not shown one by one
  rollout->mask = is_causal(*block) ? causal_mask(block->n_q()) : Mask(block->n_q(), block->n_k());
  rollout->cells.rollout = options.of;
  auto maps = block->maps;
  if (options.of == Rollout::norms)
    maps = with_cells(trace, block->shape.kind, {CellValue::norm, 0, {}})->cells.maps;
  rollout->rolled = block;
  rollout->maps = std::make_shared<const RolloutMaps>(std::move(block), std::move(maps), options.residual);
  return rollout;
}

}  // namespace headscope

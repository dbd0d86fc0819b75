#include "core/source/maps/cell_maps.h"

#include <algorithm>
#include <mutex>
#include <utility>
#include <vector>

#include "core/base/matrix.h"
#include "core/base/parallel.h"
#include "core/base/recent.h"
#include "core/base/translate.h"
#include "core/source/source.h"

namespace headscope {
namespace {

bool is_off(const BlockTrace& block, int layer, int head) {
  return block.interventions.ablated_heads.contains({block.shape.kind, layer, head});
}

/// Maps of a block's cells; the block keeps its trace.
class CellMaps : public MapSource {
 public:
  explicit CellMaps(std::shared_ptr<const BlockTrace> block)
      : MapSource(block->maps->size()), block_(std::move(block)) {}
  bool given() const override { return block_->maps->given(); }
  std::optional<Error> warning() const override { return block_->maps->warning(); }
  std::optional<Error> error() const override { return block_->maps->error(); }

 protected:
  const BlockTrace& block() const { return *block_; }

 private:
  std::shared_ptr<const BlockTrace> block_;
};

class ScoreMaps : public CellMaps {
 public:
  using CellMaps::CellMaps;
  void rows(int layer, int head, Index begin, Index end, float* out) const override {
    if (!block().score_rows(layer, head, begin, end, out)) std::fill_n(out, (end - begin) * size().n_k, 0.0F);
  }
};

/// Cells that are weights times factors.
class WeightedMaps : public CellMaps {
 public:
  /// The factor of α_ij: keys[head, j]; or queries[i, head] · values[head][j].
  struct Factors {
    Matrix keys;                 // [heads, n_k]; or empty
    Matrix queries;              // [n_q, heads d_k]
    std::vector<Tensor> values;  // [heads] of [n_k, d_k]
    /// Of queries with values of their own, in place of `keys` or `values`.
    std::vector<Index> own_queries = {};
    Matrix own_keys = {};
    std::vector<Tensor> own_values = {};
    bool has_own(Index query) const { return std::ranges::binary_search(own_queries, query); }
  };

  explicit WeightedMaps(std::shared_ptr<const BlockTrace> block) : CellMaps(std::move(block)) {}

  void rows(int layer, int head, Index begin, Index end, float* out) const override {
    const Index n_k = size().n_k, count = end - begin;
    if (is_off(block(), layer, head) || !block().shape.is_softmax(layer) ||
        !block().shape.has_map(layer, head))
      return void(std::fill_n(out, count * n_k, 0.0F));
    const auto factors = of_layer(layer);
    block().maps->rows(layer, head, begin, end, out);
    MatrixSpan cells(out, count, n_k);
    if (factors->keys.size() > 0) {
      for (Index i = 0; i < count; ++i)
        cells.row(i).array() *=
            (factors->has_own(begin + i) ? factors->own_keys : factors->keys).row(head).array();
    } else if (!factors->values.empty()) {
      // A row at a time: the same bits for whichever rows are asked for.
      for (Index i = 0; i < count; ++i) {
        const Tensor& values = (factors->has_own(begin + i) ? factors->own_values : factors->values)[head];
        const Index d_k = values.dim(1);
        const Eigen::VectorXf query = factors->queries.row(begin + i).segment(head * d_k, d_k);
        const Eigen::VectorXf of_cells = as_matrix(values) * query;
        cells.row(i) = cells.row(i).cwiseProduct(of_cells.transpose());
      }
    } else {
      cells.setZero();
    }
    finish(cells);
  }

 protected:
  virtual Factors compute(int layer) const = 0;
  virtual void finish(MatrixSpan& /*cells*/) const {}

 private:
  std::shared_ptr<const Factors> of_layer(int layer) const {
    if (auto known = kept_.find(layer)) return known;
    const std::lock_guard lock(computing_);
    if (auto known = kept_.find(layer)) return known;
    auto factors = std::make_shared<const Factors>(compute(layer));
    kept_.keep(layer, factors, std::max(1, block().shape.layers));
    return factors;
  }

  mutable std::mutex computing_;
  mutable Recent<int, std::shared_ptr<const Factors>> kept_;
};

/// ‖α_ij v_j W_O‖ = α_ij √(v_j W_O W_Oᵀ v_jᵀ)
class NormMaps : public WeightedMaps {
 public:
  NormMaps(std::shared_ptr<const BlockTrace> block, std::shared_ptr<const Source> source, bool share)
      : WeightedMaps(std::move(block)), source_(std::move(source)), share_(share) {}

 private:
  Factors compute(int layer) const override {
    const BlockShape& shape = block().shape;
    const Index heads = shape.attention_heads(), d_v = shape.d_v_of(layer), n_k = size().n_k;
    const auto output = source_->output_projection(shape.kind, layer);
    Factors factors;
    factors.keys = Matrix::Zero(heads, n_k);
    if (!output) return factors;
    const auto own = block().own_keys(layer);
    if (own) {
      factors.own_queries = own->queries;
      factors.own_keys = factors.keys;
    }
    const auto whole = as_matrix(output->weight);  // [d_model, heads d_v]
    parallel_for(heads, heads * d_v * d_v * whole.rows(), [&](Index head) {
      const Eigen::MatrixXd columns = whole.middleCols(head * d_v, d_v).cast<double>();
      const Eigen::MatrixXd squares = columns.transpose() * columns;
      const auto norms = [&](const Tensor& values) -> Eigen::RowVectorXf {
        const Eigen::MatrixXd v = as_matrix(values).cast<double>();
        const Eigen::VectorXd all = (v * squares).cwiseProduct(v).rowwise().sum().cwiseMax(0).cwiseSqrt();
        return all.transpose().cast<float>();
      };
      const int number = static_cast<int>(head);
      factors.keys.row(head) = norms(block().values(layer, number));
      if (own) factors.own_keys.row(head) = norms(own->v.part(block().kv_head_of(layer, number)));
    });
    return factors;
  }
  void finish(MatrixSpan& cells) const override {
    if (!share_) return;
    for (Index i = 0; i < cells.rows(); ++i) {
      const double sum = cells.row(i).cast<double>().sum();
      if (sum > 0) cells.row(i) = (cells.row(i).cast<double>() / sum).cast<float>();
    }
  }

  std::shared_ptr<const Source> source_;
  bool share_;
};

class LogitMaps : public WeightedMaps {
 public:
  LogitMaps(std::shared_ptr<const BlockTrace> block, std::shared_ptr<const Predictions> predictions,
            const CellQuestion& question)
      : WeightedMaps(std::move(block)), predictions_(std::move(predictions)), question_(question) {}

 private:
  Factors compute(int layer) const override {
    const BlockKind kind = block().shape.kind;
    const auto direction = predictions_->direction(kind, layer, question_.token);
    if (!direction) return {};
    Factors factors{{}, *direction, {}};
    if (question_.against)
      if (const auto against = predictions_->direction(kind, layer, *question_.against))
        factors.queries -= *against;
    const auto own = block().own_keys(layer);
    if (own) factors.own_queries = own->queries;
    for (int head = 0; head < block().shape.attention_heads(); ++head) {
      factors.values.push_back(block().values(layer, head));
      if (own) factors.own_values.push_back(own->v.part(block().kv_head_of(layer, head)));
    }
    return factors;
  }

  std::shared_ptr<const Predictions> predictions_;
  CellQuestion question_;
};

const char* missing_for_norms(const Trace& trace, const BlockTrace& block) {
  if (trace.about().gated_heads)
    return TR(
        "What the heads give is multiplied by a gate at each query, so a value has no length of its own.");
  if (trace.source && !trace.inputs.captured()) return nullptr;
  const bool projects = trace.source && trace.source->output_projection(block.shape.kind, 0);
  if (projects && block.shape.d_k > 0 && !block.values(0, 0).empty()) return nullptr;
  return TR("It needs v and w_o, which this capture does not have.");
}

const char* missing_for_logits(const Trace& trace, const BlockTrace& block) {
  if (!trace.predictions) return TR("It needs a trained model that predicts tokens.");
  if (trace.about().streams > 1)
    return TR(
        "AltUp mixes several streams in every layer, so what a head adds has no direct share of a logit.");
  if (trace.about().pools_rows)
    return TR(
        "Layers of this model have fewer rows than the text has tokens, so what a head adds has no "
        "direct share of a logit.");
  if (block.shape.kind == BlockKind::encoder)
    return TR("The encoder does not reach the output directly: choose the decoder or cross-attention.");
  if (block.shape.kind == BlockKind::text)
    return TR("What the text's heads add to a logit is not computed: choose the picture's.");
  return nullptr;
}

std::shared_ptr<const MapSource> cell_maps(const std::shared_ptr<const Trace>& trace,
                                           const std::shared_ptr<const BlockTrace>& block,
                                           const CellQuestion& question) {
  switch (question.value) {
    case CellValue::weight:
      return nullptr;
    case CellValue::score:
      return std::make_shared<const ScoreMaps>(block);
    case CellValue::norm:
    case CellValue::norm_share:
      return std::make_shared<const NormMaps>(block, trace->source, question.value == CellValue::norm_share);
    case CellValue::logit:
      return std::make_shared<const LogitMaps>(block, trace->predictions, question);
  }
  return nullptr;
}

}  // namespace

const char* missing_for_cells(const Trace& trace, const BlockTrace& block, CellValue value) {
  if (value == CellValue::weight || block.layer_count() == 0) return nullptr;
  if (block.shape.softmax_layers() == 0) return TR("Only heads of softmax attention have it: choose those.");
  if (value == CellValue::score) {
    if (!trace.inputs.captured()) return nullptr;
    std::vector<float> row(block.n_k());
    return block.score_rows(0, 0, 0, 1, row.data()) ? nullptr : TR("This capture has no scores.");
  }
  return value == CellValue::logit ? missing_for_logits(trace, block) : missing_for_norms(trace, block);
}

std::shared_ptr<const BlockTrace> with_cells(const std::shared_ptr<const Trace>& trace, BlockKind kind,
                                             const CellQuestion& question) {
  auto block = block_of(trace, kind);
  if (question.value == CellValue::weight || block->layer_count() == 0 ||
      missing_for_cells(*trace, *block, question.value) != nullptr)
    return block;
  auto shown = std::make_shared<BlockTrace>(*block);
  shown->cells.value = question.value;
  shown->cells.maps = cell_maps(trace, block, question);
  // Only softmax attention has them.
  for (LayerMixer& mixer : shown->shape.mixers)
    if (mixer.kind != Mixer::softmax) mixer.heads = 0;
  if (question.value == CellValue::logit) {
    shown->cells.token = trace->predictions->token(question.token);
    if (question.against) shown->cells.against = trace->predictions->token(*question.against);
  }
  return shown;
}

std::shared_ptr<const Trace> trace_with_cells(const std::shared_ptr<const Trace>& trace,
                                              const CellQuestion& question) {
  auto shown = std::make_shared<Trace>(*trace);
  for (BlockTrace& block : shown->blocks) block = *with_cells(trace, block.shape.kind, question);
  return shown;
}

}  // namespace headscope

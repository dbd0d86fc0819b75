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
  /// α_ij Σ_t queries_t[i] keys_t[head, j]
  struct Term {
    Matrix keys;                 // [heads, n_k]
    Eigen::RowVectorXf queries;  // [n_q]; empty: 1
  };
  using Factors = std::vector<Term>;

  explicit WeightedMaps(std::shared_ptr<const BlockTrace> block) : CellMaps(std::move(block)) {}

  void rows(int layer, int head, Index begin, Index end, float* out) const override {
    const Index n_k = size().n_k;
    if (is_off(block(), layer, head)) return void(std::fill_n(out, (end - begin) * n_k, 0.0F));
    const auto factors = of_layer(layer);
    block().maps->rows(layer, head, begin, end, out);
    for (Index query = begin; query < end; ++query, out += n_k) {
      Eigen::Map<Eigen::RowVectorXf> row(out, n_k);
      Eigen::RowVectorXf factor = Eigen::RowVectorXf::Zero(n_k);
      for (const Term& term : *factors)
        factor += (term.queries.size() == 0 ? 1.0F : term.queries[query]) * term.keys.row(head);
      row = row.cwiseProduct(factor);
      finish(row);
    }
  }

 protected:
  virtual Factors compute(int layer) const = 0;
  virtual void finish(Eigen::Map<Eigen::RowVectorXf>& /*row*/) const {}

 private:
  std::shared_ptr<const Factors> of_layer(int layer) const {
    constexpr std::size_t max_layers = 64;
    if (auto known = kept_.find(layer)) return known;
    const std::lock_guard lock(computing_);
    if (auto known = kept_.find(layer)) return known;
    auto factors = std::make_shared<const Factors>(compute(layer));
    kept_.keep(layer, factors, max_layers);
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
    const Index heads = shape.heads, d_k = shape.d_k, n_k = size().n_k;
    const auto output = source_->output_projection(shape.kind, layer);
    Term term{Matrix::Zero(heads, n_k), {}};
    if (!output) return {term};
    const auto whole = as_matrix(output->weight);  // [d_model, heads d_k]
    parallel_for(heads, heads * d_k * d_k * whole.rows(), [&](Index head) {
      const Eigen::MatrixXd columns = whole.middleCols(head * d_k, d_k).cast<double>();
      const Eigen::MatrixXd squares = columns.transpose() * columns;
      const Tensor of_head = block().values(layer, static_cast<int>(head));
      const Eigen::MatrixXd v = as_matrix(of_head).cast<double>();
      const Eigen::VectorXd norms = (v * squares).cwiseProduct(v).rowwise().sum().cwiseMax(0).cwiseSqrt();
      term.keys.row(head) = norms.transpose().cast<float>();
    });
    return {term};
  }
  void finish(Eigen::Map<Eigen::RowVectorXf>& row) const override {
    if (!share_) return;
    const double sum = row.cast<double>().sum();
    if (sum > 0) row = (row.cast<double>() / sum).cast<float>();
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
    Factors factors{term(layer, question_.token, 1)};
    if (question_.against) factors.push_back(term(layer, *question_.against, -1));
    return factors;
  }
  Term term(int layer, Index token, float sign) const {
    const BlockShape& shape = block().shape;
    const Index heads = shape.heads, d_k = shape.d_k;
    Term result{Matrix::Zero(heads, size().n_k), Eigen::RowVectorXf::Zero(size().n_q)};
    const auto direction = predictions_->direction(shape.kind, layer, token);
    if (!direction) return result;
    for (Index head = 0; head < heads; ++head) {
      const Tensor v = block().values(layer, static_cast<int>(head));
      const Eigen::VectorXd of_head = direction->heads.segment(head * d_k, d_k);
      result.keys.row(head) = (as_matrix(v).cast<double>() * of_head).transpose().cast<float>();
    }
    result.queries = sign * direction->positions.transpose().cast<float>();
    return result;
  }

  std::shared_ptr<const Predictions> predictions_;
  CellQuestion question_;
};

const char* missing_for_norms(const Trace& trace, const BlockTrace& block) {
  if (trace.source && !trace.inputs.captured()) return nullptr;
  const bool projects = trace.source && trace.source->output_projection(block.shape.kind, 0);
  if (projects && block.shape.d_k > 0 && !block.values(0, 0).empty()) return nullptr;
  return TR("It needs v and w_o, which this capture does not have.");
}

const char* missing_for_logits(const Trace& trace, const BlockTrace& block) {
  if (!trace.predictions) return TR("It needs a trained model that predicts tokens.");
  if (!trace.predictions->has_contributions())
    return TR(
        "It needs a model whose layers only add to the stream; this one normalizes every sum, or has "
        "another layer before its output.");
  if (block.shape.kind == BlockKind::encoder)
    return TR("The encoder does not reach the output directly: choose the decoder or cross-attention.");
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
  if (value == CellValue::score) {
    if (!trace.inputs.captured()) return nullptr;
    std::vector<float> row(static_cast<std::size_t>(block.n_k()));
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

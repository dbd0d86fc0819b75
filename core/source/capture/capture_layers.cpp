#include "core/source/capture/capture_layers.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

namespace headscope {
namespace {

constexpr Index largest_array = Index{1} << 28;
// How many numbers are read to determine the scaling of scores: a few tenths of a second from any disk.
constexpr Index looked_numbers = Index{1} << 23;

bool has_16_bits(const FiledArray& array) {
  return array.header.dtype == "float16" || array.header.dtype == "bfloat16";
}

}  // namespace

CaptureLayers::CaptureLayers(std::shared_ptr<const Capture> capture, const Capture::Block& block,
                             int sequence, std::shared_ptr<const CaptureMaps> maps)
    : capture_(std::move(capture)),
      block_(block),
      sequence_(sequence),
      n_q_(std::ssize(capture_->queries(sequence, block.shape.kind))),
      n_k_(std::ssize(capture_->keys(sequence, block.shape.kind))),
      maps_(std::move(maps)) {}

LayerTrace CaptureLayers::layer(int index) const {
  LayerTrace trace;
  trace.x = read(block_.layer_x, index, n_q_);
  if (trace.x.empty() && index == 0) trace.x = first_x();
  trace.q = read(block_.q, index, n_q_);
  trace.k = read(block_.k, index, n_k_);
  trace.v = read(block_.v, index, n_k_);
  trace.context = read(block_.context, index, n_q_);
  trace.output = read(block_.output, index, n_q_);
  return trace;
}

void CaptureLayers::clear_nan_vectors(float* vectors, Index begin, Index end, Index width) const {
  if (block_.shape.kind == BlockKind::cross) return;  // whose keys are at other positions
  for (Index position = begin; position < end; ++position, vectors += width)
    if (maps_->lacks_key(position) && is_nan_throughout({vectors, static_cast<std::size_t>(width)}))
      std::fill_n(vectors, width, 0.0F);
}

Tensor CaptureLayers::read(const std::optional<FiledArray>& array, int layer, Index n) const try {
  if (!array) return {};
  std::vector<Index> shape = array->header.shape;
  Index begin = 0;
  const auto take_axis = [&](Index index) {
    begin = begin * shape.front() + index;
    shape.erase(shape.begin());
  };
  if (capture_->numbers_sequences()) take_axis(sequence_);
  if (layer >= 0) take_axis(layer);
  const Index width = shape.back(), filled = shape[shape.size() - 2];
  const Index parts = shape.size() == 3 ? shape.front() : 1;
  if (parts * n > largest_array / width)
    throw unable_error("{}: a layer of shape {} does not fit into memory", array->where, shape_text(shape));
  shape[shape.size() - 2] = n;
  Tensor result(shape);
  for (Index part = 0; part < parts; ++part)
    array->read((begin * parts + part) * filled * width,
                {result.data() + part * n * width, static_cast<std::size_t>(n * width)});
  for (Index part = 0; part < parts; ++part) clear_nan_vectors(result.data() + part * n * width, 0, n, width);
  return result;
} catch (const Error& error) {
  maps_->findings()->add_error(error);
  return {};
}

Matrix CaptureLayers::rows(const FiledArray& array, int layer, Index head, Index begin, Index end) const {
  const std::vector<Index>& shape = array.header.shape;  // [(sequences,) layers, heads, n, d_k]
  const std::size_t axes = shape.size();
  const Index heads = shape[axes - 3], filled = shape[axes - 2], width = shape[axes - 1];
  Matrix result(end - begin, width);
  try {
    const Index part = (Index{sequence_} * block_.shape.layers + layer) * heads + head;
    array.read((part * filled + begin) * width,
               {result.data(), static_cast<std::size_t>((end - begin) * width)});
    clear_nan_vectors(result.data(), begin, end, width);
    if (result.allFinite()) return result;
    throw input_error("{}: numbers of layer {}, head {} are not finite; expected finite ones", array.where,
                      layer, head);
  } catch (const Error& error) {
    maps_->findings()->add_error(error);
    return Matrix::Zero(end - begin, width);
  }
}

namespace {

Tensor as_tensor(const Matrix& matrix) {
  Tensor tensor({matrix.rows(), matrix.cols()});
  as_matrix(tensor) = matrix;
  return tensor;
}

}  // namespace

Tensor CaptureLayers::values(int layer, Index kv_head) const {
  return block_.v ? as_tensor(rows(*block_.v, layer, kv_head, 0, n_k_)) : Tensor();
}

CellIntermediates CaptureLayers::way(int layer, int head, Index query, Index key) const {
  CellIntermediates way;
  way.q = rows(*block_.q, layer, head, query, query + 1).row(0);
  way.k = rows(*block_.k, layer, kv_head(head), key, key + 1).row(0);
  way.v = values(layer, kv_head(head));
  way.x = read(block_.layer_x, layer, n_q_);
  if (way.x.empty() && layer == 0) way.x = first_x();
  // As rows() has them where the file cannot be read, which the findings say.
  const auto& array = block_.layer_x ? block_.layer_x : block_.x;
  if (way.x.empty() && array && (layer == 0 || block_.layer_x)) {
    way.x = Tensor({n_q_, array->header.shape.back()});
    as_matrix(way.x).setZero();
  }
  if (block_.shape.kind != BlockKind::cross) way.key_x = way.x;
  return way;
}

Eigen::RowVectorXd CaptureLayers::scaled_products(const Matrix& k, int layer, int head, Index query) const {
  const Matrix q = rows(*block_.q, layer, head, query, query + 1);
  return q.cast<double>() * k.cast<double>().transpose() / std::sqrt(k.cols());
}

RowRule CaptureLayers::rule(int, int, Index) const {
  RowRule rule;
  rule.by_sqrt_d_k = has_arithmetic() && scaled_by_sqrt_d_k();
  if (rule.by_sqrt_d_k) rule.scale = 1 / std::sqrt(block_.shape.d_k);
  rule.end = n_k_;
  return rule;
}

bool CaptureLayers::score_row(int layer, int head, Index query, float* out) const {
  if (!has_arithmetic() || !scaled_by_sqrt_d_k()) return false;
  const Matrix k = rows(*block_.k, layer, kv_head(head), 0, n_k_);
  Eigen::Map<Eigen::RowVectorXf>(out, n_k_) = scaled_products(k, layer, head, query).cast<float>();
  return true;
}

bool CaptureLayers::scaled_by_sqrt_d_k() const {
  std::call_once(looked_, [&] {
    const Index numbers = n_k_ * block_.shape.d_k;
    const int layers = block_.shape.layers, heads = block_.shape.heads;
    std::set<std::pair<int, int>> places{{layers - 1, heads - 1}};
    if (3 * numbers <= looked_numbers) places.insert({{0, 0}, {layers / 2, heads / 2}});
    by_sqrt_d_k_ = std::ranges::all_of(places, [&](const std::pair<int, int>& place) {
      return scaled_by_sqrt_d_k(place.first, place.second);
    });
  });
  return by_sqrt_d_k_;
}

bool CaptureLayers::scaled_by_sqrt_d_k(int layer, int head) const {
  const bool coarse = has_16_bits(*block_.q) || has_16_bits(*block_.k) ||
                      has_16_bits(block_.scores ? *block_.scores : block_.attention);
  const double max_off = coarse ? 0.03 : 1e-3;
  const Matrix k = rows(*block_.k, layer, kv_head(head), 0, n_k_);
  for (const Index query : {n_q_ / 2, n_q_ - 1}) {
    Eigen::RowVectorXd expected = scaled_products(k, layer, head, query);
    Eigen::RowVectorXf found(n_k_);
    if (maps_->score_rows(layer, head, query, query + 1, found.data())) {
      // -infinity means already masked.
      const auto known = found.array().isFinite();
      const double off = known.select(found.cast<double>() - expected, 0).cwiseAbs().maxCoeff();
      if (off > max_off * std::max(1.0, expected.cwiseAbs().maxCoeff())) return false;
      continue;
    }
    maps_->rows(layer, head, query, query + 1, found.data());
    if ((found.array() == 0.0F).all()) continue;
    expected = (found.array() == 0.0F).select(-std::numeric_limits<double>::infinity(), expected);
    expected = (expected.array() - expected.maxCoeff()).unaryExpr([](double s) { return std::exp(s); });
    expected /= expected.sum();
    if ((found.cast<double>() - expected).cwiseAbs().maxCoeff() > max_off) return false;
  }
  return true;
}

}  // namespace headscope

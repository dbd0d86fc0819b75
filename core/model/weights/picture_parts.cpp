#include "core/model/weights/picture_parts.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/base/error.h"
#include "core/base/matrix.h"
#include "core/model/steps/activation.h"
#include "core/model/weights/language_model.h"
#include "core/model/weights/weight_finder.h"
#include "core/picture/resize.h"

namespace headscope {
namespace {

using Vector = Eigen::RowVectorXd;
using MatrixD = MatrixOf<double>;

/// Cubic convolution as PyTorch's interpolate has it: a = -0.75, samples beyond the ends are those at them.
std::vector<Taps> plain_cubic_taps(int in, int out) {
  constexpr double a = -0.75;
  const auto weight = [](double x) {
    x = std::abs(x);
    return x <= 1 ? ((a + 2) * x - (a + 3)) * x * x + 1 : ((a * x - 5 * a) * x + 8 * a) * x - 4 * a;
  };
  std::vector<Taps> taps;
  for (int i = 0; i < out; ++i) {
    const double place = (i + 0.5) * in / out - 0.5;
    const int before = static_cast<int>(std::floor(place));
    const auto inside = [&](int j) { return std::clamp(j, 0, in - 1); };
    Taps one{inside(before - 1), {}};
    one.weights.resize(inside(before + 2) - one.first + 1);
    for (int j = before - 1; j <= before + 2; ++j) one.weights[inside(j) - one.first] += weight(place - j);
    taps.push_back(std::move(one));
  }
  return taps;
}

/// The same by straight lines.
std::vector<Taps> plain_linear_taps(int in, int out) {
  std::vector<Taps> taps;
  for (int i = 0; i < out; ++i) {
    const double place = std::clamp((i + 0.5) * in / out - 0.5, 0.0, in - 1.0);
    const int before = std::min(static_cast<int>(place), std::max(in - 2, 0));
    taps.push_back({before, {1 - (place - before)}});
    if (in > 1) taps.back().weights.push_back(place - before);
  }
  return taps;
}

using Resizing = std::vector<Taps> (*)(int in, int out);

Resizing position_taps(const PictureInput& input) {
  if (!input.antialiased_positions) return input.linear_positions ? plain_linear_taps : plain_cubic_taps;
  return input.linear_positions
             ? [](int in, int out) { return antialiased_taps(in, out, Resample::bilinear); }
             : [](int in, int out) { return antialiased_taps(in, out, Resample::bicubic); };
}

/// Rows of a grid [rows columns, d] for another number of patches.
MatrixD resized_grid(const MatrixD& table, Index rows, Index columns, const PatchCounts& to,
                     Resizing resizing) {
  if (rows == to.rows && columns == to.columns) return table;
  const auto taps_of = [&](Index in, Index out) {
    return resizing(static_cast<int>(in), static_cast<int>(out));
  };
  const std::vector<Taps> across = taps_of(columns, to.columns), down = taps_of(rows, to.rows);
  MatrixD wide = MatrixD::Zero(rows * to.columns, table.cols());
  for (Index y = 0; y < rows; ++y)
    for (Index x = 0; x < to.columns; ++x) {
      const Taps& tap = across[x];
      for (std::size_t i = 0; i < tap.weights.size(); ++i)
        wide.row(y * to.columns + x) +=
            tap.weights[i] * table.row(y * columns + tap.first + static_cast<Index>(i));
    }
  MatrixD result = MatrixD::Zero(to.rows * to.columns, table.cols());
  for (Index y = 0; y < to.rows; ++y) {
    const Taps& tap = down[y];
    for (std::size_t i = 0; i < tap.weights.size(); ++i)
      for (Index x = 0; x < to.columns; ++x)
        result.row(y * to.columns + x) +=
            tap.weights[i] * wide.row((tap.first + static_cast<Index>(i)) * to.columns + x);
  }
  return result;
}

/// Each patch as a row [3 patch_height patch_width]: channels, then rows, then columns, as a convolution's
/// weight has them; or the channels last.
Tensor patch_rows(const PictureInput& input, const PatchCounts& counts, const Tensor& pixels,
                  BufferPool& memory) {
  const Index high = input.patch_height, wide = input.patch_width, height = pixels.dim(1),
              width = pixels.dim(2);
  Tensor rows = memory.take({counts.rows * counts.columns, 3 * high * wide});
  for (Index y = 0; y < counts.rows; ++y)
    for (Index x = 0; x < counts.columns; ++x) {
      float* to = rows.at(y * counts.columns + x);
      const auto line = [&](Index channel, Index row) {
        return pixels.data() + (channel * height + y * high + row) * width + x * wide;
      };
      for (Index channel = 0; channel < 3 && !input.channels_last; ++channel)
        for (Index row = 0; row < high; ++row, to += wide) std::copy_n(line(channel, row), wide, to);
      for (Index row = 0; row < high && input.channels_last; ++row)
        for (Index column = 0; column < wide; ++column)
          for (Index channel = 0; channel < 3; ++channel) *to++ = line(channel, row)[column];
    }
  return rows;
}

Tensor row_of_vector(const Vector& vector) {
  Tensor row({1, vector.size()});
  as_matrix(row) = vector.cast<float>();
  return row;
}

Vector multiplied(const Dense& dense, const Vector& vector, const ComputeContext& context) {
  return as_matrix(multiply(dense, row_of_vector(vector), context)).cast<double>();
}

std::vector<double> numbers_of(const Vector& vector) {
  return {vector.data(), vector.data() + vector.size()};
}

/// Where a text's vector is read: SigLIP's at its last token, CLIP's at the first end token, in old files at
/// the token with the largest number.
Index text_vector_row(const ModelConfig& config, std::span<const Index> ids) {
  constexpr Index end_token_of_old_files = 2;
  if (!config.causal) return std::ssize(ids) - 1;
  const bool old = config.eos_tokens.empty() || config.eos_tokens.front() == end_token_of_old_files;
  const auto at = old ? std::ranges::max_element(ids) : std::ranges::find(ids, config.eos_tokens.front());
  return at == ids.end() ? 0 : at - ids.begin();
}

}  // namespace

PictureEmbedding find_picture_embedding(const WeightFinder& find, const ModelConfig& config) {
  const PictureInput& input = *config.picture;
  const PictureNames& names = family_of(config).picture;
  const Index d = config.d_model;
  PictureEmbedding embedding;
  const Index high = input.patch_height, wide = input.patch_width;
  embedding.patches =
      input.channels_last
          ? find.dense(names.patches, 3 * high * wide, d, input.patch_bias)
          : find.convolution(names.patches, std::array{d, Index{3}, high, wide}, input.patch_bias);
  if (input.own_tokens() > 0) embedding.own_tokens = Tensor({input.own_tokens(), d});
  if (input.class_token) std::copy_n(find.vector(names.class_token, d).data(), d, embedding.own_tokens.at(0));
  if (input.distillation_token)
    std::copy_n(find.vector(names.distillation_token, d).data(), d, embedding.own_tokens.at(1));
  if (input.registers > 0) embedding.registers = find.table(names.registers, input.registers, d);
  if (input.positions)
    embedding.positions = find.table(names.positions, input.own_tokens() + input.rows() * input.columns(), d);
  return embedding;
}

TowerHead find_tower_head(const WeightFinder& find, const ModelConfig& config) {
  const PictureNames& names = family_of(config).picture;
  const Index d = config.d_model;
  TowerHead head;
  if (config.output.kind != OutputKind::tokens) return head;
  if (!names.probe.empty() && !find.name_of(std::string(names.probe)).empty()) {
    ProbePooling& pooling = head.probe.emplace();
    pooling.probe = find.table(names.probe, 1, d);
    pooling.qkv.in = d;
    pooling.qkv.out = 3 * d;
    pooling.qkv.weight = find.matrix(names.probe_weight, 3 * d, d);
    pooling.qkv.bias = find.vector(names.probe_bias, 3 * d);
    pooling.o = find.dense(names.probe_output, d, d, true);
    pooling.norm = find.norm(names.probe_norm, d);
    pooling.up = find.dense(names.probe_up, d, config.encoder.d_ff, true);
    pooling.down = find.dense(names.probe_down, config.encoder.d_ff, d, true);
  }
  const bool projects =
      !names.projection.empty() && !find.name_of(std::string(names.projection) + ".weight").empty();
  if (projects)
    head.projection = find.dense(names.projection, d, config.picture_projection, names.projection_bias);
  if (config.text_tower) {
    head.similarity_factor = std::exp(static_cast<double>(find.vector(names.similarity_factor, 1).data()[0]));
    head.sigmoid = !names.similarity_shift.empty();
    if (head.sigmoid) head.similarity_shift = find.vector(names.similarity_shift, 1).data()[0];
  }
  return head;
}

PatchCounts count_patches(const PictureInput& input, const Tensor& pixels) {
  return {pixels.dim(1) / input.patch_height, pixels.dim(2) / input.patch_width};
}

Tensor embed_picture(const PictureInput& input, const PictureEmbedding& embedding, const Tensor& pixels,
                     const ComputeContext& context, const std::stop_token& stop) {
  const PatchCounts counts = count_patches(input, pixels);
  if (counts.rows == 0 || counts.columns == 0)
    throw input_error("the picture has {} × {} pixels; this model's patches have {} × {}", pixels.dim(2),
                      pixels.dim(1), input.patch_width, input.patch_height);
  const Index d = embedding.patches.out, own = input.own_tokens(), first = own + input.registers;
  MatrixD table = MatrixD::Zero(own + input.rows() * input.columns(), d);
  if (input.positions) table = as_matrix(embedding.positions).cast<double>();
  const MatrixD places = resized_grid(table.bottomRows(table.rows() - own), input.rows(), input.columns(),
                                      counts, position_taps(input));
  const Tensor patches =
      multiply(embedding.patches, patch_rows(input, counts, pixels, context.memory), context, stop);
  Tensor x = context.memory.take({first + counts.rows * counts.columns, d});
  auto rows = as_matrix(x);
  if (own > 0)
    rows.topRows(own) = (as_matrix(embedding.own_tokens).cast<double>() + table.topRows(own)).cast<float>();
  if (input.registers > 0) rows.middleRows(own, input.registers) = as_matrix(embedding.registers);
  rows.bottomRows(patches.dim(0)) = (as_matrix(patches).cast<double>() + places).cast<float>();
  return x;
}

Index patch_distance(Index query, Index key, const PatchCounts& counts) {
  const Index of_patches = (2 * counts.rows - 1) * (2 * counts.columns - 1);
  if (query == 0) return of_patches + (key == 0 ? 2 : 0);
  if (key == 0) return of_patches + 1;
  const Index down = (query - 1) / counts.columns - (key - 1) / counts.columns,
              across = (query - 1) % counts.columns - (key - 1) % counts.columns;
  return (down + counts.rows - 1) * (2 * counts.columns - 1) + across + counts.columns - 1;
}

Tensor patch_bias(const PictureInput& input, const Tensor& table, const PatchCounts& counts) {
  const Index heads = table.dim(1), own = 3, n = 1 + counts.rows * counts.columns,
              high = 2 * input.rows() - 1, wide = 2 * input.columns() - 1;
  const MatrixD all = as_matrix(table).cast<double>();
  // transformers' class takes the table's rows for its columns where a picture is not square.
  const MatrixD resized = resized_grid(all.topRows(high * wide), wide, high,
                                       {2 * counts.rows - 1, 2 * counts.columns - 1}, plain_linear_taps);
  MatrixD rows(resized.rows() + own, heads);
  rows << resized, all.bottomRows(own);
  Tensor bias({heads, n * n});
  for (Index query = 0; query < n; ++query)
    for (Index key = 0; key < n; ++key)
      as_matrix(bias).col(query * n + key) =
          rows.row(patch_distance(query, key, counts)).transpose().cast<float>();
  return bias;
}

PooledByProbe pooled_by_probe(const LanguageModel& model, const ProbePooling& pooling, const Tensor& rows,
                              const ComputeContext& context) {
  const ModelConfig& config = model.config();
  const Index d = config.d_model, heads = config.encoder.heads, d_k = d / heads;
  const MatrixD of_probe = as_matrix(multiply(pooling.qkv, pooling.probe, context)).cast<double>(),
                of_rows = as_matrix(multiply(pooling.qkv, rows, context)).cast<double>();
  PooledByProbe result;
  result.weights.resize(heads, rows.dim(0));
  Vector attended(d);
  for (Index head = 0; head < heads; ++head) {
    const Vector q = of_probe.row(0).segment(head * d_k, d_k);
    const auto k = of_rows.middleCols(d + head * d_k, d_k), v = of_rows.middleCols(2 * d + head * d_k, d_k);
    Vector weights = q * k.transpose() / std::sqrt(d_k);
    weights = (weights.array() - weights.maxCoeff()).exp();
    weights /= weights.sum();
    result.weights.row(head) = weights;
    attended.segment(head * d_k, d_k) = weights * v;
  }
  const Vector pooled = multiplied(pooling.o, attended, context);
  result.attended = pooled;
  result.inner =
      multiply(pooling.up, normed(pooling.norm, row_of_vector(pooled).data(), 1, context), context);
  Tensor active({1, result.inner.dim(1)});
  std::copy_n(result.inner.data(), active.size(), active.data());
  apply_activation(config.activation, active, {}, context);
  result.vector = numbers_of(pooled + as_matrix(multiply(pooling.down, active, context)).cast<double>());
  return result;
}

std::vector<double> projected_vector(const LanguageModel& model, const Tensor& stream,
                                     std::span<const Index> ids, const ComputeContext& context) {
  const ModelConfig& config = model.config();
  const TowerHead& head = model.tower_head();
  const Norm& last = model.stack(BlockKind::self).last_norm;
  if (head.probe) {
    const Tensor rows = normed(last, stream.data(), stream.dim(0), context);
    return pooled_by_probe(model, *head.probe, rows, context).vector;
  }
  if (!head.projection) return {};
  const Index row = config.picture ? 0 : text_vector_row(config, ids);
  const Tensor own = normed(last, stream.at(row), 1, context);
  return numbers_of(as_matrix(multiply(*head.projection, own, context)).cast<double>());
}

double similarity_logit(const TowerHead& head, const std::vector<double>& picture,
                        const std::vector<double>& text) {
  const Eigen::Map<const Vector> a(picture.data(), std::ssize(picture)), b(text.data(), std::ssize(text));
  return head.similarity_factor * a.dot(b) / (a.norm() * b.norm()) + head.similarity_shift;
}

}  // namespace headscope

#include "core/model/seeded/token_vectors.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "core/base/error.h"
#include "core/base/fnv.h"

namespace headscope {
namespace {

// SplitMix64 (Steele et al. 2014).
class SplitMix {
 public:
  explicit SplitMix(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next() {
    std::uint64_t z = state_ += 0x9E3779B97F4A7C15ULL;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    return z ^ (z >> 31);
  }

 private:
  std::uint64_t state_;
};

Tensor draw_randn(Index n, Index d_model, TorchRandom& random) {
  Tensor x({n, d_model});
  random.normal(x.data(), x.size(), 0.0, 1.0);
  return x;
}

Tensor embed(const Inputs& inputs, std::span<const Token> tokens) {
  const Index d = inputs.d_model;
  Tensor x({std::ssize(tokens), d});
  std::unordered_map<std::string_view, const float*> known;
  float* row = x.data();
  for (const Token& token : tokens) {
    const auto [entry, is_new] = known.try_emplace(token.text, row);
    if (is_new)
      embed_token(token.text, inputs.seed, row, d);
    else
      std::copy_n(entry->second, d, row);
    row += d;
  }
  if (inputs.positions == Positions::sinusoidal) add_sinusoidal_positions(as_matrix(x));
  return x;
}

Tensor typed(const char* field, const std::vector<double>& values, Index n, Index d_model) {
  if (std::ssize(values) != n * d_model)
    throw input_error(
        counted("{} has {} number; expected {} × {}", "{} has {} numbers; expected {} × {}", values.size()),
        field, values.size(), n, d_model);
  Tensor x({n, d_model});
  std::ranges::transform(values, x.data(), [](double value) { return static_cast<float>(value); });
  return x;
}

void fit_rows(std::vector<double>& matrix, Index rows, Index columns) {
  const Index had = std::ssize(matrix) / columns;
  matrix.resize(rows * columns);
  for (Index row = had; row < rows; ++row) matrix[row * columns + row % columns] = 1;
}

}  // namespace

void fit_typed_x(Inputs& inputs, Index n_q, Index n_k) {
  if (inputs.vectors != VectorKind::typed) return;
  fit_rows(inputs.typed.x, n_q, inputs.d_model);
  if (inputs.cross()) fit_rows(inputs.typed.key_x, n_k, inputs.d_model);
}

void embed_token(std::string_view text, std::uint64_t seed, float* out, Index d_model) {
  SplitMix random(SplitMix(seed).next() ^ fnv_1a(text));
  for (Index begin = 0; begin < d_model; begin += 16) {
    float block[16];
    for (float& value : block) value = unit_float(static_cast<std::uint32_t>(random.next() >> 40));
    box_muller_16(block, 0.0F, 1.0F);
    std::copy_n(block, std::min<Index>(16, d_model - begin), out + begin);
  }
}

void add_sinusoidal_positions(MatrixSpan x) {
  const Index n = x.rows(), d_model = x.cols();
  const Eigen::ArrayXd position = Eigen::ArrayXd::LinSpaced(n, 0, static_cast<double>(n - 1));
  for (Index column = 0; column < d_model; ++column) {
    const auto even = static_cast<double>(column - column % 2);
    const Eigen::ArrayXd angle = position * std::pow(10000.0, -even / static_cast<double>(d_model));
    if (column % 2 == 0)
      x.col(column).array() += angle.sin().cast<float>();
    else
      x.col(column).array() += angle.cos().cast<float>();
  }
}

TokenVectors draw_token_vectors(const Inputs& inputs, std::span<const Token> queries,
                                std::span<const Token> keys, TorchRandom& random) {
  if (inputs.vectors == VectorKind::embedding) {
    Tensor x = embed(inputs, queries);
    return {x, inputs.cross() ? embed(inputs, keys) : x};
  }
  const Index d = inputs.d_model;
  if (inputs.vectors == VectorKind::typed) {
    Tensor x = typed("typed.x", inputs.typed.x, std::ssize(queries), d);
    return {x, inputs.cross() ? typed("typed.key_x", inputs.typed.key_x, std::ssize(keys), d) : x};
  }
  Tensor x = draw_randn(std::ssize(queries), d, random);
  return {x, inputs.cross() ? draw_randn(std::ssize(keys), d, random) : x};
}

}  // namespace headscope

#include "core/model/dense.h"

#include <algorithm>
#include <array>

#include "core/base/matrix.h"

namespace headscope {
namespace {

// A part of a weight is packed and multiplied with so many rows of x at a time: both stay in the second-level
// cache.
constexpr Index dense_chunk_rows = 96, dense_depth = 768, dense_group = Index{1} << 16;
constexpr Index rows_of_dot = 48, rows_of_combine = 64;  // of a weight that is read once: what a piece reads

// Where an element of y lies.
float* place(const DenseProduct& p, Index row, Index column) {
  const Index width = p.dense->out / p.groups, group = column / width;
  return p.y + group * p.group_stride + row * p.y_stride + column - group * width;
}

/// Products of several rows of x: a piece is a group of panels of one weight, and all rows.
class ManyRows {
 public:
  ManyRows(std::span<const DenseProduct> products, const ComputeContext& context)
      : context_(context), panel_(context.kernels.panel), products_(products.begin(), products.end()) {
    Index largest = 0;
    for (DenseProduct& product : products_) {
      spread_rows(product);
      const Index deep = depth(*product.dense), panels = (product.dense->out + panel_ - 1) / panel_;
      const Index fit = std::clamp<Index>(dense_group / (deep * panel_), 1, 4);
      const Index together = std::min(fit, std::max<Index>(1, panels / (4 * context.threads.size())));
      for (Index first = 0; first < panels; first += together)
        pieces_.push_back({&product, first, std::min(together, panels - first)});
      // Behind the panels, those of y that do not lie within one head, and rows of 16 bits that are widened.
      largest = std::max(largest, together * panel_ * (deep + product.n) + panel_ * deep);
    }
    scratch_ = context.memory.take({context.threads.size(), largest});
  }

  void run(const std::stop_token& stop) {
    context_.threads.run(std::ssize(pieces_), ThreadPool::Schedule::dynamic,
                         [&](Index i, int thread) noexcept {
                           do_piece(pieces_[static_cast<std::size_t>(i)], scratch_.at(thread), stop);
                         });
  }

 private:
  struct Piece {
    const DenseProduct* product;
    Index first, panels;
  };

  // Rows that are a multiple of 2 KiB apart fall into the same few lines of the first-level cache: they are
  // copied to where they do not.
  void spread_rows(DenseProduct& product) {
    constexpr Index collide = 512, apart = 16;
    if (product.x_stride % collide != 0 || product.n <= 4) return;
    const Index in = product.dense->in, stride = in + apart;
    if (spread_x_ != product.x) {
      spread_ = context_.memory.take({product.n, stride});
      spread_x_ = product.x;
      context_.threads.run(product.n, ThreadPool::Schedule::dynamic, [&](Index row, int) noexcept {
        std::copy_n(product.x + row * product.x_stride, in, spread_.at(row));
      });
    }
    product.x = spread_.data();
    product.x_stride = stride;
    copies_.push_back(spread_);
  }

  // Equal parts of what is summed over.
  static Index depth(const Dense& dense) {
    const Index parts = (dense.in + dense_depth - 1) / dense_depth;
    return (dense.in + parts - 1) / parts;
  }
  // Whether a panel of y can be written in place.
  bool within_head(const DenseProduct& p, Index first) const {
    const Index width = p.dense->out / p.groups;
    return first + panel_ <= p.dense->out && first % width + panel_ <= width;
  }

  void do_piece(const Piece& piece, float* packed, const std::stop_token& stop) const {
    const DenseProduct& p = *piece.product;
    const Index deep = depth(*p.dense);
    float* const tiles = packed + piece.panels * panel_ * deep;
    for (Index begin = 0; begin < p.dense->in && !stop.stop_requested(); begin += deep) {
      const Index count = std::min(deep, p.dense->in - begin);
      for (Index i = 0; i < piece.panels; ++i)
        pack(*p.dense, (piece.first + i) * panel_, begin, count, packed + i * panel_ * count,
             tiles + piece.panels * panel_ * p.n);
      for (Index row = 0; row < p.n; row += dense_chunk_rows)
        for (Index i = 0; i < piece.panels; ++i)
          multiply_panel(p, row, (piece.first + i) * panel_, begin, count, packed + i * panel_ * count,
                         tiles + i * panel_ * p.n);
    }
    for (Index i = 0; i < piece.panels; ++i)
      if (!within_head(p, (piece.first + i) * panel_))
        scatter(p, (piece.first + i) * panel_, tiles + i * panel_ * p.n);
  }

  // Rows [begin, begin + count) of W of the panel that begins at column `first` of y.
  void pack(const Dense& dense, Index first, Index begin, Index count, float* packed, float* widened) const {
    const Kernels& kernels = context_.kernels;
    const StoredMatrix& w = dense.weight;
    const Index columns = std::min(panel_, dense.out - first);
    const auto widen = w.dtype == Dtype::f16 ? kernels.widen_f16 : kernels.widen_bf16;
    if (dense.input_rows) {
      if (w.dtype == Dtype::f32)
        return kernels.pack_columns(w.floats(begin) + first, w.stride, count, columns, packed);
      for (Index i = 0; i < count; ++i) widen(w.halves(begin + i) + first, columns, widened + i * columns);
      return kernels.pack_columns(widened, columns, count, columns, packed);
    }
    if (w.dtype == Dtype::f32)
      return kernels.pack_rows(w.floats(first) + begin, w.stride, columns, count, packed);
    for (Index j = 0; j < columns; ++j) widen(w.halves(first + j) + begin, count, widened + j * count);
    kernels.pack_rows(widened, count, columns, count, packed);
  }

  void multiply_panel(const DenseProduct& p, Index row, Index first, Index begin, Index count,
                      const float* packed, float* tile) const {
    const Kernels& kernels = context_.kernels;
    const bool whole = within_head(p, first);
    const float* x = p.x + row * p.x_stride + begin;
    float* const y = whole ? place(p, row, first) : tile + row * panel_;
    const Index stride = whole ? p.y_stride : panel_, rows = std::min(dense_chunk_rows, p.n - row);
    if (begin > 0) return kernels.multiply_add(x, p.x_stride, packed, p.gain, y, stride, rows, count, 1);
    alignas(64) std::array<float, 64> bias = {};
    if (!p.dense->bias.empty())
      std::copy_n(p.dense->bias.data() + first, std::min(panel_, p.dense->out - first), bias.data());
    kernels.multiply(x, p.x_stride, packed, bias.data(), p.gain, y, stride, rows, count, 1);
  }

  void scatter(const DenseProduct& p, Index first, const float* tile) const {
    const Index columns = std::min(panel_, p.dense->out - first);
    for (Index row = 0; row < p.n; ++row)
      for (Index j = 0; j < columns; ++j) *place(p, row, first + j) = tile[row * panel_ + j];
  }

  const ComputeContext& context_;
  const Index panel_;
  std::vector<DenseProduct> products_;
  const float* spread_x_ = nullptr;  // of which `spread_` is a copy
  Tensor spread_;
  std::vector<Tensor> copies_;  // that products read
  std::vector<Piece> pieces_;
  Tensor scratch_;  // [threads, packed panels, tiles]
};

/// Products of one row of x: the weight is read as it lies, and that is what takes the time.
class OneRow {
 public:
  OneRow(std::span<const DenseProduct> products, const ComputeContext& context) : context_(context) {
    Index partial = 0;
    for (const DenseProduct& product : products) {
      const Dense& dense = *product.dense;
      const Index rows = dense.input_rows ? rows_of_combine : rows_of_dot;
      for (Index first = 0; first < dense.weight.rows; first += rows) {
        pieces_.push_back({&product, first, std::min(rows, dense.weight.rows - first), partial});
        if (dense.input_rows) partial += dense.out;
      }
    }
    if (partial > 0) partial_ = context.memory.take({partial});
  }

  void run(const std::stop_token& stop) {
    context_.threads.run(std::ssize(pieces_), ThreadPool::Schedule::affinity, [&](Index i, int) noexcept {
      if (!stop.stop_requested()) do_piece(pieces_[static_cast<std::size_t>(i)]);
    });
    // Sums of parts of the same rows whatever the number of threads.
    for (std::size_t i = 0; i < pieces_.size();) {
      const Piece& piece = pieces_[i];
      std::size_t end = i;
      while (end < pieces_.size() && pieces_[end].product == piece.product) ++end;
      if (piece.product->dense->input_rows) add_up(piece, static_cast<Index>(end - i));
      i = end;
    }
  }

 private:
  struct Piece {
    const DenseProduct* product;
    Index first, rows;  // of the weight as it is stored
    Index partial;      // where its sums lie
  };

  void do_piece(const Piece& piece) noexcept {
    const DenseProduct& p = *piece.product;
    const Dense& dense = *p.dense;
    const StoredMatrix& w = dense.weight;
    const Kernels& kernels = context_.kernels;
    if (dense.input_rows) {
      float* to = partial_.data() + piece.partial;
      const float* x = p.x + piece.first;
      if (w.dtype == Dtype::f32)
        return kernels.combine(w.floats(piece.first), w.stride, piece.rows, dense.out, x, to);
      (w.dtype == Dtype::f16 ? kernels.combine_f16 : kernels.combine_bf16)(w.halves(piece.first), w.stride,
                                                                           piece.rows, dense.out, x, to);
      return;
    }
    std::array<float, rows_of_dot> sums;
    if (w.dtype == Dtype::f32)
      kernels.dot(w.floats(piece.first), w.stride, piece.rows, dense.in, p.x, sums.data());
    else
      (w.dtype == Dtype::f16 ? kernels.dot_f16 : kernels.dot_bf16)(w.halves(piece.first), w.stride,
                                                                   piece.rows, dense.in, p.x, sums.data());
    for (Index j = 0; j < piece.rows; ++j) put(p, piece.first + j, sums[static_cast<std::size_t>(j)]);
  }

  void add_up(const Piece& first, Index parts) {
    const DenseProduct& p = *first.product;
    const Index out = p.dense->out;
    float* sums = partial_.data() + first.partial;
    for (Index part = 1; part < parts; ++part) RowSpan(sums, out) += RowView(sums + part * out, out);
    for (Index j = 0; j < out; ++j) put(p, j, sums[j]);
  }

  static void put(const DenseProduct& p, Index column, float sum) {
    *place(p, 0, column) = p.gain * sum + (p.dense->bias.empty() ? 0.0F : p.dense->bias.data()[column]);
  }

  const ComputeContext& context_;
  std::vector<Piece> pieces_;
  Tensor partial_;
};

}  // namespace

void StoredMatrix::copy_row(Index row, const Kernels& kernels, float* to) const {
  if (dtype == Dtype::f32) return void(std::copy_n(floats(row), columns, to));
  (dtype == Dtype::f16 ? kernels.widen_f16 : kernels.widen_bf16)(halves(row), columns, to);
}

Tensor rows_of(const Dense& dense, Index first, Index count, const Kernels& kernels) {
  Tensor rows({count, dense.in});
  if (!dense.input_rows) {
    for (Index i = 0; i < count; ++i) dense.weight.copy_row(first + i, kernels, rows.at(i));
    return rows;
  }
  Tensor column({dense.out});
  for (Index i = 0; i < dense.in; ++i) {
    dense.weight.copy_row(i, kernels, column.data());
    as_matrix(rows).col(i) = Eigen::Map<const Eigen::VectorXf>(column.data() + first, count);
  }
  return rows;
}

void multiply(std::span<const DenseProduct> products, const ComputeContext& context,
              const std::stop_token& stop) {
  std::vector<DenseProduct> many, one;
  for (const DenseProduct& product : products) (product.n == 1 ? one : many).push_back(product);
  if (!many.empty()) ManyRows(many, context).run(stop);
  if (!one.empty()) OneRow(one, context).run(stop);
}

Tensor multiply(const Dense& dense, const Tensor& x, const ComputeContext& context,
                const std::stop_token& stop) {
  Tensor y = context.memory.take({x.dim(0), dense.out});
  const DenseProduct product{&dense, x.data(), x.dim(0), dense.in, y.data(), dense.out};
  multiply({&product, 1}, context, stop);
  return y;
}

}  // namespace headscope

#include "core/attention/dense.h"

#include <algorithm>
#include <array>

#include "core/base/matrix.h"
#include "core/base/round_up.h"
#include "core/base/stopped.h"

namespace headscope {
namespace {

// A part of a weight is packed and multiplied with this many rows of x at a time: both stay in the L2 cache.
constexpr Index dense_chunk_rows = 144, dense_depth = 384, dense_panels = 4;
constexpr Index floats_apart = 16;  // padding of rows that would map to the same lines of the L1 cache
constexpr Index rows_of_dot = 48, rows_of_combine = 64;  // rows per piece of a weight that is read once

bool is_packed(const Dense& dense) {
  return !dense.panels.empty();
}

// The address of an element of y.
float* place(const DenseProduct& p, Index row, Index column) {
  const Index width = p.dense->out / p.groups, group = column / width;
  return p.y + group * p.group_stride + row * p.y_stride + column - group * width;
}

/// Products of several rows of x: a piece is a group of panels of one weight, and all rows.
class ManyRows {
 public:
  ManyRows(std::span<const DenseProduct> products, const ComputeContext& context)
      : context_(context), panel_(context.kernels.panel), products_(products.begin(), products.end()) {
    for (DenseProduct& product : products_) spread_rows(product);
    cut();
    Index largest = 0;
    for (const auto& [product, first, panels] : pieces_) {
      // After the panels: panels of y that span several heads, and 16-bit rows widened to float32.
      const Dense& dense = *product->dense;
      const Index deep = is_packed(dense) ? 0 : depth(dense);
      const Index widened = dense.weight.dtype == Dtype::f32 ? 0 : deep;
      const bool in_place = is_packed(dense) && dense.out / product->groups % panel_ == 0;
      largest = std::max(largest, panels * panel_ * (deep + (in_place ? 0 : product->n) + widened));
    }
    scratch_ = context.memory.take({context.threads.size(), largest});
  }

  void run(const std::stop_token& stop) {
    // The following piece is usually the same thread's next.
    context_.threads.run(std::ssize(pieces_), ThreadPool::Schedule::affinity,
                         [&](Index i, int thread) { do_piece(i, scratch_.at(thread), stop); });
  }

 private:
  struct Piece {
    const DenseProduct* product;
    Index first, panels;
  };

  Index panels_of(const DenseProduct& product) const { return divide_up(product.dense->out, panel_); }

  // Each thread begins with the same share of all panels, in pieces of decreasing size: a thread that
  // finishes early helps the others, and does not wait long for their last piece.
  void cut() {
    Index all = 0, share = 0, at = 0;
    for (const DenseProduct& product : products_) all += panels_of(product);
    const Index threads = context_.threads.size();
    for (DenseProduct& product : products_)
      for (Index first = 0, panels = panels_of(product); first < panels;) {
        while (at >= all * (share + 1) / threads) ++share;
        const Index left = all * (share + 1) / threads - at;
        const Index together = std::min(std::clamp<Index>(left / 4, 1, dense_panels), panels - first);
        pieces_.push_back({&product, first, together});
        first += together;
        at += together;
      }
  }

  // Rows with a stride that is a multiple of 2 KiB map to the same few lines of the L1 cache: copies them
  // with another stride.
  void spread_rows(DenseProduct& product) {
    constexpr Index collide = 512;
    if (product.x_stride % collide != 0 || product.n <= 4 || is_packed(*product.dense)) return;
    const Index in = product.dense->in, stride = in + floats_apart;
    if (spread_x_ != product.x) {
      spread_ = context_.memory.take({product.n, stride});
      spread_x_ = product.x;
      context_.threads.run(product.n, ThreadPool::Schedule::dynamic, [&](Index row, int) {
        std::copy_n(product.x + row * product.x_stride, in, spread_.at(row));
      });
    }
    product.x = spread_.data();
    product.x_stride = stride;
    copies_.push_back(spread_);
  }

  // Depth of equal parts of the summed dimension.
  static Index depth(const Dense& dense) {
    if (is_packed(dense)) return dense.in;
    const Index parts = divide_up(dense.in, dense_depth);
    return divide_up(dense.in, parts);
  }
  // Whether a panel of y can be written in place.
  bool within_head(const DenseProduct& p, Index first) const {
    const Index width = p.dense->out / p.groups;
    return first + panel_ <= p.dense->out && first % width + panel_ <= width;
  }

  void do_piece(std::size_t index, float* scratch, const std::stop_token& stop) const {
    const Piece& piece = pieces_[index];
    const DenseProduct& p = *piece.product;
    const Index deep = depth(*p.dense);
    const bool ready = is_packed(*p.dense);
    // The kernels write only to panels that are not packed yet.
    float* const packed = ready ? panels_at(*p.dense, piece.first * panel_) : scratch;
    float* const tiles = ready ? scratch : packed + piece.panels * panel_ * deep;
    // There is no scratch memory where every panel of y is written in place.
    const auto tile = [&](Index i) { return tiles == nullptr ? nullptr : tiles + i * panel_ * p.n; };
    for (Index begin = 0; begin < p.dense->in && !stop_requested(stop); begin += deep) {
      const Part part = part_of(piece, begin);
      const bool packing = packed_with_products(part);
      if (!packing && !ready) pack(part, packed, tiles + piece.panels * panel_ * p.n);
      ReadAhead ahead;
      if (begin + deep < p.dense->in)
        ahead = memory_of(part_of(piece, begin + deep));
      else if (index + 1 < pieces_.size())
        ahead = memory_of(part_of(pieces_[index + 1], 0));
      const ProfiledStep profiled(context_, ComputeStep::products, false);
      for (Index row = 0; row < p.n; row += dense_chunk_rows)
        for (Index i = 0; i < piece.panels; ++i)
          multiply_panel(p, row, (piece.first + i) * panel_, part,
                         packing && row == 0 ? unpacked_panel(part, i) : UnpackedPanel(),
                         packed + i * panel_ * part.count, tile(i), ahead);
    }
    for (Index i = 0; i < piece.panels; ++i)
      if (!within_head(p, (piece.first + i) * panel_)) scatter(p, (piece.first + i) * panel_, tile(i));
  }

  /// Rows [begin, begin + count) of W in the panels of some columns of y.
  struct Part {
    const Dense& dense;
    Index first, columns, begin, count;
  };
  Part part_of(const Piece& piece, Index begin) const {
    const Dense& dense = *piece.product->dense;
    const Index first = piece.first * panel_;
    return {dense, first, std::min(piece.panels * panel_, dense.out - first), begin,
            std::min(depth(dense), dense.in - begin)};
  }

  // Of columns of y from `first` on, the first of a panel.
  static float* panels_at(const Dense& dense, Index first) {
    return const_cast<float*>(dense.panels.data()) + first * dense.in;
  }

  static ReadAhead memory_of(const Part& part) {
    if (is_packed(part.dense)) return {};  // would leave no room in the L2 cache for what is multiplied
    const StoredMatrix& w = part.dense.weight;
    const bool by_input = part.dense.input_rows;
    const Index row = by_input ? part.begin : part.first, column = by_input ? part.first : part.begin;
    const Index width = by_input ? part.columns : part.count;
    return {
        reinterpret_cast<const char*>(w.data) + bytes_of(w.dtype, row * w.stride) + bytes_of(w.dtype, column),
        bytes_of(w.dtype, w.stride), bytes_of(w.dtype, width), by_input ? part.count : part.columns, 0};
  }

  // Whether the part consists of whole panels that can be read in place.
  bool packed_with_products(const Part& part) const {
    return part.dense.weight.dtype == Dtype::f32 && part.dense.input_rows && part.columns % panel_ == 0;
  }
  UnpackedPanel unpacked_panel(const Part& part, Index panel) const {
    const StoredMatrix& w = part.dense.weight;
    return {w.floats(part.begin) + part.first + panel * panel_, w.stride};
  }

  void pack(const Part& part, float* packed, float* widened) const {
    const ProfiledStep profiled(context_, ComputeStep::packing, false);
    const Kernels& kernels = context_.kernels;
    const StoredMatrix& w = part.dense.weight;
    const bool by_input = part.dense.input_rows;
    const Index row = by_input ? part.begin : part.first, column = by_input ? part.first : part.begin;
    const Index rows = by_input ? part.count : part.columns, columns = by_input ? part.columns : part.count;
    const float* source = widened;
    Index stride = columns;
    if (w.dtype == Dtype::f32) {
      source = w.floats(row) + column;
      stride = w.stride;
    } else {
      for (Index i = 0; i < rows; ++i) w.copy_part(row + i, column, columns, kernels, widened + i * columns);
    }
    (by_input ? kernels.pack_columns : kernels.pack_rows)(source, stride, rows, columns, packed);
  }

  void multiply_panel(const DenseProduct& p, Index row, Index first, const Part& part,
                      const UnpackedPanel& unpacked, float* packed, float* tile, ReadAhead& ahead) const {
    const bool whole = within_head(p, first);
    const float* x = p.x + row * p.x_stride + part.begin;
    float* const y = whole ? place(p, row, first) : tile + row * panel_;
    const Index stride = whole ? p.y_stride : panel_, rows = std::min(dense_chunk_rows, p.n - row);
    alignas(64) std::array<float, 64> bias = {};
    if (part.begin == 0 && !p.dense->bias.empty())
      std::copy_n(p.dense->bias.data() + first, std::min(panel_, p.dense->out - first), bias.data());
    context_.kernels.multiply_panel(x, p.x_stride, unpacked, packed, bias.data(), p.gain, part.begin > 0, y,
                                    stride, rows, part.count, &ahead);
  }

  void scatter(const DenseProduct& p, Index first, const float* tile) const {
    const Index columns = std::min(panel_, p.dense->out - first), width = p.dense->out / p.groups;
    for (Index begin = 0, count = 0; begin < columns; begin += count) {
      count = std::min(columns - begin, width - (first + begin) % width);
      for (Index row = 0; row < p.n; ++row)
        std::copy_n(tile + row * panel_ + begin, count, place(p, row, first + begin));
    }
  }

  const ComputeContext& context_;
  const Index panel_;
  std::vector<DenseProduct> products_;
  const float* spread_x_ = nullptr;  // the source of the copy in `spread_`
  Tensor spread_;
  std::vector<Tensor> copies_;  // operands read by the products
  std::vector<Piece> pieces_;
  Tensor scratch_;  // [threads, packed panels, tiles]
};

/// Products of one row of x: the weight is read in place, which dominates the time.
class OneRow {
 public:
  OneRow(std::span<const DenseProduct> products, const ComputeContext& context) : context_(context) {
    for (const DenseProduct& product : products)
      if (matrices_.empty() || !matrices_.back().joined(product)) matrices_.emplace_back(product);
    Index partial = 0, widest = 0;
    for (const Matrix& matrix : matrices_) {
      const StoredMatrix& w = matrix.weight;
      const Index rows = matrix.input_rows ? rows_of_combine : rows_of_dot;
      if (is_widened_first(w.dtype)) widest = std::max(widest, w.columns);
      for (Index first = 0; first < w.rows; first += rows) {
        pieces_.push_back({&matrix, first, std::min(rows, w.rows - first), partial});
        if (matrix.input_rows) partial += w.columns;
      }
    }
    if (partial > 0) partial_ = context.memory.take({partial});
    if (widest > 0) widened_ = context.memory.take({context.threads.size(), widest});
  }

  void run(const std::stop_token& stop) {
    context_.threads.run(std::ssize(pieces_), ThreadPool::Schedule::affinity, [&](Index i, int thread) {
      const ProfiledStep profiled(context_, ComputeStep::reading, false);
      const Piece& piece = pieces_[i];
      if (stop_requested(stop)) return;
      do_piece(piece, widened_.empty() ? nullptr : widened_.at(thread));
      const StoredMatrix& w = piece.matrix->weight;
      if (context_.profile != nullptr)
        context_.profile->bytes_read += bytes_of(w.dtype, piece.rows * w.columns);
    });
    // Parts cover the same rows for any number of threads, so the sums do, too.
    for (std::size_t i = 0; i < pieces_.size();) {
      std::size_t end = i;
      while (end < pieces_.size() && pieces_[end].matrix == pieces_[i].matrix) ++end;
      if (pieces_[i].matrix->input_rows) add_up(pieces_[i], end - i);
      i = end;
    }
  }

 private:
  /// The weight of a product. Weights adjacent in the same rows, as those of queries, keys and values often
  /// are, are read as one matrix.
  struct Matrix {
    explicit Matrix(const DenseProduct& product)
        : weight(product.dense->weight), input_rows(product.dense->input_rows), products{&product} {}
    bool joined(const DenseProduct& product) {
      const StoredMatrix& w = product.dense->weight;
      if (!input_rows || !product.dense->input_rows || product.x != products.front()->x ||
          w.dtype != weight.dtype || w.rows != weight.rows || w.stride != weight.stride ||
          w.data != weight.data + bytes_of(w.dtype, weight.columns))
        return false;
      weight.columns += w.columns;
      products.push_back(&product);
      return true;
    }

    StoredMatrix weight;
    bool input_rows;
    std::vector<const DenseProduct*> products;
  };
  struct Piece {
    const Matrix* matrix;
    Index first, rows;  // of the weight as stored
    Index partial;      // where its sums are
  };

  /// `widened`: for a row that is widened first.
  void do_piece(const Piece& piece, float* widened) noexcept {
    const StoredMatrix& w = piece.matrix->weight;
    const DenseProduct& p = *piece.matrix->products.front();
    const Kernels& kernels = context_.kernels;
    if (piece.matrix->input_rows) {
      float* to = partial_.data() + piece.partial;
      const float* x = p.x + piece.first;
      if (w.dtype == Dtype::f32)
        return kernels.combine(w.floats(piece.first), w.stride, piece.rows, w.columns, x, to);
      if (is_widened_first(w.dtype)) return combine_widened(piece, x, widened, to);
      (w.dtype == Dtype::f16 ? kernels.combine_f16 : kernels.combine_bf16)(w.halves(piece.first), w.stride,
                                                                           piece.rows, w.columns, x, to);
      return;
    }
    std::array<float, rows_of_dot> sums;
    if (w.dtype == Dtype::f32)
      kernels.dot(w.floats(piece.first), w.stride, piece.rows, w.columns, p.x, sums.data());
    else if (is_widened_first(w.dtype))
      for (Index i = 0; i < piece.rows; ++i) {
        w.copy_row(piece.first + i, kernels, widened);
        kernels.dot(widened, w.columns, 1, w.columns, p.x, &sums[i]);
      }
    else
      (w.dtype == Dtype::f16 ? kernels.dot_f16 : kernels.dot_bf16)(w.halves(piece.first), w.stride,
                                                                   piece.rows, w.columns, p.x, sums.data());
    put(p, piece.first, piece.rows, sums.data());
  }

  void combine_widened(const Piece& piece, const float* x, float* widened, float* to) const noexcept {
    const StoredMatrix& w = piece.matrix->weight;
    RowSpan(to, w.columns).setZero();
    for (Index i = 0; i < piece.rows; ++i) {
      w.copy_row(piece.first + i, context_.kernels, widened);
      RowSpan(to, w.columns) += x[i] * RowView(widened, w.columns);
    }
  }

  void add_up(const Piece& first, Index parts) {
    const Index all = first.matrix->weight.columns;
    float* sums = partial_.data() + first.partial;
    for (Index part = 1; part < parts; ++part) RowSpan(sums, all) += RowView(sums + part * all, all);
    for (const DenseProduct* p : first.matrix->products) {
      put(*p, 0, p->dense->out, sums);
      sums += p->dense->out;
    }
  }

  // Columns [first, first + count) of y from their sums.
  static void put(const DenseProduct& p, Index first, Index count, const float* sums) {
    const Index width = p.dense->out / p.groups;
    for (Index column = first; column < first + count;) {
      const Index some = std::min(first + count, (column / width + 1) * width) - column;
      RowSpan y(place(p, 0, column), some);
      y = p.gain * RowView(sums + column - first, some);
      if (!p.dense->bias.empty()) y += RowView(p.dense->bias.data() + column, some);
      column += some;
    }
  }

  const ComputeContext& context_;
  std::vector<Matrix> matrices_;
  std::vector<Piece> pieces_;
  Tensor partial_;
  Tensor widened_;  // [threads, columns]
};

}  // namespace

void StoredMatrix::copy_part(Index row, Index column, Index count, const Kernels& kernels, float* to) const {
  if (dtype == Dtype::f32) return void(std::copy_n(floats(row) + column, count, to));
  if (dtype == Dtype::mxfp4_apart) return dequantize_mxfp4(data, scales, row * stride + column, count, to);
  if (is_widened_first(dtype))
    return dequantize(dtype, data + bytes_of(dtype, row * stride), column, count, to);
  (dtype == Dtype::f16 ? kernels.widen_f16 : kernels.widen_bf16)(halves(row) + column, count, to);
}

Dense packed(const Linear& linear, const ComputeContext& context) {
  const Kernels& kernels = context.kernels;
  Dense dense;
  dense.out = linear.weight.dim(0);
  dense.in = linear.weight.dim(1);
  dense.bias = linear.bias;
  dense.panels = context.memory.take({packed_size(kernels, dense.out, dense.in)});
  context.threads.run(divide_up(dense.out, kernels.panel), ThreadPool::Schedule::dynamic, [&](Index p, int) {
    const Index first = p * kernels.panel;
    kernels.pack_rows(linear.weight.at(first), dense.in, std::min(kernels.panel, dense.out - first), dense.in,
                      dense.panels.data() + first * dense.in);
  });
  return dense;
}

Dense joined(std::vector<Dense> pieces) {
  if (pieces.size() == 1) return pieces.front();
  Dense whole;
  whole.in = pieces.front().in;
  for (const Dense& piece : pieces) whole.out += piece.out;
  if (!pieces.front().bias.empty()) {
    whole.bias = Tensor({whole.out});
    float* to = whole.bias.data();
    for (const Dense& piece : pieces) to = std::copy_n(piece.bias.data(), piece.out, to);
  }
  whole.pieces = std::move(pieces);
  return whole;
}

Tensor rows_of(const Dense& dense, Index first, Index count, const Kernels& kernels) {
  Tensor rows({count, dense.in});
  for (Index begin = 0; const Dense& piece : dense.pieces) {
    const Index from = std::max(first, begin), to = std::min(first + count, begin + piece.out);
    if (from < to) {
      const Tensor some = rows_of(piece, from - begin, to - from, kernels);
      std::copy_n(some.data(), some.size(), rows.at(from - first));
    }
    begin += piece.out;
  }
  if (!dense.pieces.empty()) return rows;
  if (is_packed(dense)) {
    for (Index i = 0; i < count; ++i) {
      const Index column = (first + i) % kernels.panel;
      const float* const panel = dense.panels.data() + (first + i - column) * dense.in + column;
      for (Index k = 0; k < dense.in; ++k) rows.at(i)[k] = panel[k * kernels.panel];
    }
    return rows;
  }
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

namespace {

// The products with the pieces of its weight, each of whole groups if there are several.
std::vector<DenseProduct> in_pieces(const DenseProduct& product) {
  std::vector<DenseProduct> products;
  const Index width = product.dense->out / product.groups;
  for (Index column = 0; const Dense& piece : product.dense->pieces) {
    DenseProduct& part = products.emplace_back(product);
    part.dense = &piece;
    part.groups = std::max<Index>(1, piece.out / width);
    part.y += column / width * product.group_stride + column % width;
    column += piece.out;
  }
  return products;
}

}  // namespace

void multiply(std::span<const DenseProduct> products, const ComputeContext& context,
              const std::stop_token& stop) {
  std::vector<DenseProduct> many, one;
  const auto add = [&](const DenseProduct& product) {
    (product.n == 1 && !is_packed(*product.dense) ? one : many).push_back(product);
  };
  for (const DenseProduct& product : products) {
    if (product.dense->pieces.empty())
      add(product);
    else
      std::ranges::for_each(in_pieces(product), add);
  }
  if (!many.empty()) ManyRows(many, context).run(stop);
  if (!one.empty()) OneRow(one, context).run(stop);
}

Tensor multiply(const Dense& dense, const Tensor& x, const ComputeContext& context,
                const std::stop_token& stop) {
  Tensor y = context.memory.take({x.dim(0), dense.out});
  const DenseProduct product{&dense, x.data(), x.dim(0), x.dim(1), y.data(), dense.out};
  multiply({&product, 1}, context, stop);
  return y;
}

Tensor multiply_apart(const Dense& dense, const Tensor& x, const ComputeContext& context,
                      const std::stop_token& stop) {
  const Index stride = dense.out + floats_apart;
  Tensor y = context.memory.take({x.dim(0), stride});
  for (Index row = 0; row < x.dim(0); ++row) std::fill_n(y.at(row) + dense.out, floats_apart, 0.0F);
  const DenseProduct product{&dense, x.data(), x.dim(0), x.dim(1), y.data(), stride};
  multiply({&product, 1}, context, stop);
  return y;
}

}  // namespace headscope

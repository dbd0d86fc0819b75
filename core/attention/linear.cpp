#include "core/attention/linear.h"

#include <algorithm>
#include <array>
#include <vector>

#include "core/base/matrix.h"

namespace headscope {
namespace {

// This many rows of x stay in the L2 cache while all panels are applied to them.
constexpr Index rows_of_chunk = 192;
constexpr Index widest_panel = 32;

struct ProjectionPiece {
  const Projection* projection = nullptr;
  Index row = 0, rows = 0, panel = 0, panels = 0;
};

Index panel_count(const PackedLinear& linear) {
  return (linear.out + linear.panel - 1) / linear.panel;
}

// With few rows, panels are distributed one by one; with many, a chunk of rows takes several.
std::vector<ProjectionPiece> cut(std::span<const Projection> projections) {
  std::vector<ProjectionPiece> pieces;
  for (const Projection& projection : projections) {
    const Index panels = panel_count(*projection.linear);
    const Index together = projection.n <= rows_of_chunk ? 1 : std::min<Index>(4, panels);
    for (Index row = 0; row < projection.n; row += rows_of_chunk)
      for (Index panel = 0; panel < panels; panel += together)
        pieces.push_back({&projection, row, std::min(rows_of_chunk, projection.n - row), panel,
                          std::min(together, panels - panel)});
  }
  return pieces;
}

void multiply_panel(const Projection& p, Index row, Index rows, Index panel, const Kernels& kernels) {
  const Index width = p.linear->out / p.groups, first = panel * kernels.panel, in = p.linear->in;
  const float* x = p.x + row * in;
  const float* packed = p.linear->panels.data() + first * in;
  const float* bias = p.linear->bias.data() + first;
  const Index columns = std::min(kernels.panel, p.linear->out - first);
  const auto place = [&](Index column, Index r) {
    return p.y + (column / width * p.n + r) * width + column % width;
  };
  if (columns == kernels.panel && first % width + columns <= width)
    return kernels.multiply(x, in, packed, bias, p.gain, place(first, row), width, rows, in, 1);
  // The panel spans several heads: go through a tile on the stack.
  constexpr Index tile_rows = 24;
  alignas(64) std::array<float, tile_rows * widest_panel> tile;
  for (Index r = 0; r < rows; r += tile_rows) {
    const Index some = std::min(tile_rows, rows - r);
    kernels.multiply(x + r * in, in, packed, bias, p.gain, tile.data(), kernels.panel, some, in, 1);
    for (Index begin = 0, count = 0; begin < columns; begin += count) {
      count = std::min(columns - begin, width - (first + begin) % width);
      for (Index i = 0; i < some; ++i)
        std::copy_n(tile.data() + i * kernels.panel + begin, count, place(first + begin, row + r + i));
    }
  }
}

}  // namespace

PackedLinear pack_linear(const Linear& linear, const ComputeContext& context) {
  const Kernels& kernels = context.kernels;
  PackedLinear packed;
  packed.out = linear.weight.dim(0);
  packed.in = linear.weight.dim(1);
  packed.panel = kernels.panel;
  const Index panels = panel_count(packed);
  packed.panels = context.memory.take({packed_size(kernels, packed.out, packed.in)});
  packed.bias = Tensor({panels * kernels.panel});
  std::fill_n(packed.bias.data(), packed.bias.size(), 0.0F);
  std::copy_n(linear.bias.data(), packed.out, packed.bias.data());
  packed.growth = static_cast<double>(as_matrix(linear.weight).cwiseAbs().rowwise().sum().maxCoeff());
  packed.offset = static_cast<double>(RowView(linear.bias.data(), packed.out).abs().maxCoeff());
  context.threads.run(panels, ThreadPool::Schedule::dynamic, [&](Index p, int) {
    const Index first = p * kernels.panel, columns = std::min(kernels.panel, packed.out - first);
    kernels.pack_rows(linear.weight.data() + first * packed.in, packed.in, columns, packed.in,
                      packed.panels.data() + first * packed.in);
  });
  return packed;
}

Linear unpack_linear(const PackedLinear& packed) {
  Linear linear{Tensor({packed.out, packed.in}), Tensor({packed.out})};
  std::copy_n(packed.bias.data(), packed.out, linear.bias.data());
  for (Index row = 0; row < packed.out; ++row) {
    const float* panel = packed.panels.data() + row / packed.panel * packed.panel * packed.in;
    for (Index i = 0; i < packed.in; ++i)
      linear.weight.at(row)[i] = panel[i * packed.panel + row % packed.panel];
  }
  return linear;
}

void project(std::span<const Projection> projections, const ComputeContext& context,
             const std::stop_token& stop) {
  const std::vector<ProjectionPiece> pieces = cut(projections);
  const bool few_rows = projections.front().n <= rows_of_chunk;
  context.threads.run(
      std::ssize(pieces), few_rows ? ThreadPool::Schedule::affinity : ThreadPool::Schedule::dynamic,
      [&](Index index, int) {
        const ProjectionPiece& piece = pieces[static_cast<std::size_t>(index)];
        for (Index p = 0; p < piece.panels && !stop.stop_requested(); ++p)
          multiply_panel(*piece.projection, piece.row, piece.rows, piece.panel + p, context.kernels);
      });
}

Tensor apply_linear(const PackedLinear& linear, const Tensor& x, const ComputeContext& context,
                    const std::stop_token& stop) {
  Tensor y = context.memory.take({x.dim(0), linear.out});
  const Projection projection{&linear, x.data(), y.data(), x.dim(0), 1, 1.0F};
  project({&projection, 1}, context, stop);
  return y;
}

}  // namespace headscope

#include "core/attention/projection.h"

#include <algorithm>
#include <array>
#include <vector>

namespace headscope {
namespace {

// This many rows of x stay in the L2 cache while all panels are applied to them.
constexpr Index rows_of_chunk = 192;
constexpr Index widest_panel = 32;

struct Piece {
  const Projection* projection = nullptr;
  Index row = 0, rows = 0, panel = 0, panels = 0;
};

// With few rows, panels are distributed one by one; with many, a chunk of rows takes several.
std::vector<Piece> cut(std::span<const Projection> projections, const ComputeContext& context) {
  std::vector<Piece> pieces;
  for (const Projection& projection : projections) {
    const Index panels = (projection.linear->out + context.kernels.panel - 1) / context.kernels.panel;
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
  if (columns == kernels.panel && first % width + columns <= width) {
    float* y = p.y + (first / width * p.n + row) * width + first % width;
    kernels.multiply(x, in, packed, bias, p.gain, y, width, rows, in, 1);
    return;
  }
  // The panel spans several heads: go through a tile on the stack.
  constexpr Index tile_rows = 24;
  alignas(64) std::array<float, tile_rows * widest_panel> tile;
  for (Index r = 0; r < rows; r += tile_rows) {
    const Index some = std::min(tile_rows, rows - r);
    kernels.multiply(x + r * in, in, packed, bias, p.gain, tile.data(), kernels.panel, some, in, 1);
    scatter(tile.data(), kernels.panel, some, columns, first, row + r, p.n, width, p.y);
  }
}

}  // namespace

void scatter(const float* tile, Index ld, Index rows, Index columns, Index first, Index row, Index n,
             Index width, float* y) {
  for (Index begin = 0; begin < columns;) {
    const Index column = first + begin, group = column / width;
    const Index count = std::min(columns - begin, (group + 1) * width - column);
    for (Index r = 0; r < rows; ++r)
      std::copy_n(tile + r * ld + begin, count, y + (group * n + row + r) * width + column - group * width);
    begin += count;
  }
}

void project(std::span<const Projection> projections, const ComputeContext& context,
             const std::stop_token& stop) {
  const std::vector<Piece> pieces = cut(projections, context);
  const bool few_rows = projections.front().n <= rows_of_chunk;
  context.threads.run(
      static_cast<Index>(pieces.size()),
      few_rows ? ThreadPool::Schedule::affinity : ThreadPool::Schedule::dynamic, [&](Index index, int) {
        const Piece& piece = pieces[static_cast<std::size_t>(index)];
        for (Index p = 0; p < piece.panels && !stop.stop_requested(); ++p)
          multiply_panel(*piece.projection, piece.row, piece.rows, piece.panel + p, context.kernels);
      });
}

}  // namespace headscope

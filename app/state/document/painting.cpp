#include "app/state/document/painting.h"

#include <algorithm>

#include "app/state/document/adjust.h"
#include "app/state/view/navigation.h"
#include "core/base/round_up.h"
#include "core/source/source.h"

namespace headscope {
namespace {

MaskGrid grid_of(const BlockTrace& trace) {
  return {static_cast<int>(trace.n_q()), static_cast<int>(trace.n_k()), trace.heads()};
}

/// Each block of an encoder–decoder has its own painting: the same cells are other tokens in another block.
std::optional<BlockKind> own_block(const Inputs& inputs, const BlockTrace& trace) {
  const bool one_of_several = inputs.about().has_decoder && trace.shape.kind != BlockKind::self;
  return one_of_several ? std::optional(trace.shape.kind) : std::nullopt;
}

template <typename SomeInputs>
auto find_painting(SomeInputs& inputs, const BlockTrace& trace) {
  const std::optional<BlockKind> block = own_block(inputs, trace);
  return std::ranges::find_if(inputs.mask, [&](const MaskPart& part) {
    return part.kind == MaskKind::painted && (!block || part.block == block);
  });
}

/// Changes the painting; an empty one is removed from the mask.
template <typename Change>
void change_painting(Inputs& inputs, const BlockTrace& trace, const Change& change) {
  const auto found = find_painting(inputs, trace);
  MaskPart part;
  part.kind = MaskKind::painted;
  part.block = own_block(inputs, trace);
  if (found != inputs.mask.end()) part = *found;
  change(part.painted);
  if (found != inputs.mask.end()) inputs.mask.erase(found);
  if (!part.painted.empty()) inputs.mask.push_back(std::move(part));
}

/// Expands pooled cells to the cells of their tokens.
Runs in_tokens(const Runs& pools, const CellUnit& pool, const MaskGrid& canvas) {
  Runs tokens;
  const auto rows = static_cast<int>(pool.queries), columns = static_cast<int>(pool.keys);
  for (const PaintedRun& run : pools) {
    const int end = std::min((run.query + 1) * rows, canvas.n_q);
    for (int query = run.query * rows; query < end; ++query) {
      PaintedRun one = run;
      one.query = query;
      one.key_begin = run.key_begin * columns;
      one.key_end = std::min(run.key_end * columns, canvas.n_k);
      tokens.push_back(one);
    }
  }
  merge_painted(tokens);
  return tokens;
}

Runs region_of(const Brush& brush, const MaskGrid& canvas, int head, PaintCell from, PaintCell to) {
  using Shape = Brush::Shape;
  if (brush.shape == Shape::cell) return line_region(canvas, head, from, to, brush.radius);
  if (brush.shape == Shape::row)
    return rectangle_region(canvas, head, {from.query, 0}, {to.query, canvas.n_k - 1});
  if (brush.shape == Shape::column)
    return rectangle_region(canvas, head, {0, from.key}, {canvas.n_q - 1, to.key});
  const int one = from.key - from.query, other = to.key - to.query;
  Runs region;
  for (int offset = std::min(one, other); offset <= std::max(one, other); ++offset) {
    const Runs diagonal = diagonal_region(canvas, head, {std::max(0, -offset), std::max(0, offset)});
    region.insert(region.end(), diagonal.begin(), diagonal.end());
  }
  merge_painted(region);
  return region;
}

}  // namespace

Runs stroke_region(const Brush& brush, const BlockTrace& trace, int head, PaintCell from, PaintCell to,
                   const CellUnit& pool) {
  const MaskGrid canvas = grid_of(trace);
  if (pool == CellUnit{}) return region_of(brush, canvas, head, from, to);
  const auto rows = static_cast<int>(pool.queries), columns = static_cast<int>(pool.keys);
  const MaskGrid pools{divide_up(canvas.n_q, rows), divide_up(canvas.n_k, columns), canvas.heads};
  const auto pooled = [&](PaintCell cell) { return PaintCell{cell.query / rows, cell.key / columns}; };
  return in_tokens(region_of(brush, pools, head, pooled(from), pooled(to)), pool, canvas);
}

void paint_stroke(Inputs& inputs, const Brush& brush, const BlockTrace& trace, int head, PaintCell from,
                  PaintCell to, bool block, const CellUnit& pool) {
  auto part = find_painting(inputs, trace);
  if (part == inputs.mask.end()) {
    if (!block) return;
    MaskPart fresh;
    fresh.kind = MaskKind::painted;
    fresh.block = own_block(inputs, trace);
    part = inputs.mask.insert(inputs.mask.end(), std::move(fresh));
  }
  part->on = true;
  paint(part->painted, stroke_region(brush, trace, head, from, to, pool), block, grid_of(trace));
  if (part->painted.empty()) inputs.mask.erase(part);
}

const Runs* painting_of(const Inputs& inputs, const BlockTrace& trace) {
  const auto found = find_painting(inputs, trace);
  return found == inputs.mask.end() || !found->on ? nullptr : &found->painted;
}

void clear_painting(Inputs& inputs, const BlockTrace& trace, int head) {
  change_painting(inputs, trace, [&](Runs& painting) { clear(painting, head, grid_of(trace)); });
}

void invert_painting(Inputs& inputs, const BlockTrace& trace, int head) {
  change_painting(inputs, trace, [&](Runs& painting) { invert(painting, head, grid_of(trace)); });
}

void paint_present_masks(Inputs& inputs, const BlockTrace& trace) {
  const Runs present = painting_from(trace.mask, trace.heads());
  for (MaskPart& part : inputs.mask) part.on = false;
  change_painting(inputs, trace, [&](Runs& painting) { painting = present; });
  if (const auto part = find_painting(inputs, trace); part != inputs.mask.end()) part->on = true;
}

int brush_head(const ViewState& state, int heads) {
  return state.brush.one_head ? present_head(state, heads) : -1;
}

bool same_cells(const BlockTrace& trace, const Inputs& inputs) {
  return trace.of_tokens() && trace.text == inputs &&
         (!inputs.about().known_ahead || trace.heads() == inputs.heads);
}

}  // namespace headscope

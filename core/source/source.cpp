#include "core/source/source.h"

#include <algorithm>

#include "core/base/error.h"
#include "core/base/utf8.h"
#include "core/inputs/names.h"

namespace headscope {

void check_shown_length(const Trace& trace, Index maximum) {
  for (const BlockTrace& block : trace.blocks)
    check_shown_length(std::max(block.n_q(), block.n_k()), maximum);
}

void check_shown_length(Index tokens, Index maximum) {
  if (tokens <= maximum) return;
  throw input_error(
      counted(
          "the text has {} token; whole arrays are written of at most {}: headscope tensors --queries A:B "
          "writes the requested rows",
          "the text has {} tokens; whole arrays are written of at most {}: headscope tensors --queries A:B "
          "writes the requested rows",
          tokens),
      tokens, maximum);
}

const SourceAbout& Trace::about() const {
  static const SourceAbout nothing;
  return source ? source->about() : nothing;
}

std::optional<Linear> Source::projection(BlockKind, int, ProjectionKind) const {
  return {};
}

std::vector<std::string> Source::stages(BlockKind, int) const {
  return {"x",       "projections", "products", "scale",  "mask",   "temperature",
          "softmax", "dropout",     "values",   "concat", "output", "norm"};
}

BlockShape shape_of(const SeededLayer& layer, const Text& text) {
  BlockShape shape;
  shape.kind = text.cross() ? BlockKind::cross : BlockKind::self;
  shape.layers = layer.layers;
  shape.heads = layer.heads;
  shape.kv_heads = layer.key_value_heads();
  shape.d_model = layer.d_model;
  shape.d_k = layer.d_model / layer.heads;
  return shape;
}

std::vector<BlockShape> shape_of(const Inputs& inputs, const Trace* known) {
  if (inputs.seeded()) return {shape_of(inputs, inputs)};
  std::vector<BlockShape> shapes;
  if (known != nullptr && known->inputs.model == inputs.model && known->inputs.capture == inputs.capture &&
      known->source != nullptr)
    for (const BlockTrace& block : known->blocks) shapes.push_back(block.shape);
  return shapes;
}

void check_mask_places(std::span<const MaskPart> parts, std::span<const BlockShape> shapes) {
  for (const MaskPart& part : parts) {
    if (!part.on || !part.block) continue;
    const std::string text = cut_off(printable(to_string(part)), 60);
    const auto found = std::ranges::find(shapes, *part.block, &BlockShape::kind);
    if (found == shapes.end()) {
      std::string known;
      for (const BlockShape& shape : shapes)
        known += (known.empty() ? "" : ", ") + std::string(to_name(shape.kind));
      throw input_error("mask \"{}\": there is no {} attention; expected {}", text, to_name(*part.block),
                        known);
    }
    const int layer = part.layer.value_or(0);
    if (layer < found->layers) continue;
    if (found->layers == 1)
      throw input_error("mask \"{}\": layer is {}; expected 0, the only one", text, layer);
    throw input_error("mask \"{}\": layer is {}; expected {} to {}", text, layer, 0, found->layers - 1);
  }
}

}  // namespace headscope

#include "core/source/model/model_masks.h"

#include <algorithm>
#include <optional>

#include "core/base/error.h"

namespace headscope {
namespace {

struct Sides {
  std::span<const Token> queries, keys;
};
Sides sides_of(BlockKind kind, std::span<const Token> tokens, std::span<const Token> target) {
  switch (kind) {
    case BlockKind::decoder:
      return {target, target};
    case BlockKind::cross:
      return {target, tokens};
    case BlockKind::self:
    case BlockKind::encoder:
    case BlockKind::text:
      break;
  }
  return {tokens, tokens};
}

// The keys that a query sees: less than `window` away, or all if it is 0; up to its own if causal.
RowSpans seen_keys(Index n_q, Index n_k, Index window, bool causal) {
  RowSpans seen(n_k);
  for (Index query = 0; query < n_q; ++query) {
    const Index begin = window > 0 ? std::max<Index>(0, query + 1 - window) : 0,
                end = std::min(causal       ? query + 1
                               : window > 0 ? query + window
                                            : n_k,
                               n_k);
    KeySpans row;
    if (begin < end) row.push_back({static_cast<int>(begin), static_cast<int>(end)});
    seen.add_row(row);
  }
  return seen;
}

}  // namespace

void BlockMasks::build(const std::vector<BlockShape>& shapes, std::span<const Token> tokens,
                       std::span<const Token> target) {
  for (OfBlock& block : blocks_) block = {};
  for (const MaskPart& part : interventions_.mask) {
    std::optional<Error> refused;
    bool fits = false;
    for (const BlockShape& shape : shapes) {
      if (!reaches(part, shape.kind)) continue;
      const auto [queries, keys] = sides_of(shape.kind, tokens, target);
      std::vector<MaskPart> parts{part};
      if (fit_) fit_mask_parts(parts, std::ssize(queries), std::ssize(keys), shape.heads);
      try {
        if (shapes.size() > 1) count_mask(parts, queries, keys, shape.heads);
        blocks_[static_cast<std::size_t>(shape.kind)].parts.push_back(parts.front());
        fits = true;
      } catch (const Error& error) {
        if (!refused) refused = error;
      }
    }
    if (!fits && refused) throw *refused;
  }
  for (const BlockShape& shape : shapes) {
    OfBlock& block = blocks_[static_cast<std::size_t>(shape.kind)];
    if (block.parts.empty()) continue;
    const auto [queries, keys] = sides_of(shape.kind, tokens, target);
    const int layers = differ_by_layer(block.parts, shape.kind) ? shape.layers : 1;
    std::vector<MaskPart> before;
    for (int layer = 0; layer < layers; ++layer) {
      std::vector<MaskPart> parts = parts_of(block.parts, shape.kind, layer);
      if (layer > 0 && parts == before) {
        block.masks.push_back(block.masks.back());
        continue;
      }
      Mask mask = build_mask(parts, queries, keys, shape.heads);
      block.masks.push_back(mask.any() ? std::make_shared<const Mask>(std::move(mask)) : nullptr);
      before = std::move(parts);
    }
  }
}

void BlockMasks::combine(const BlockShape& shape, const std::vector<Index>& windows,
                         BlockTrace& block) const {
  struct Made {
    std::shared_ptr<const Mask> user;
    Index window;
    Mask mask;
  };
  const Index n_q = block.n_q(), n_k = block.n_k();
  std::vector<Made> result;  // few layers have separate masks
  const auto of_layer = [&](int layer) -> const Mask& {
    const std::size_t at = layer;
    const bool has_window = shape.kind == BlockKind::self || shape.kind == BlockKind::decoder;
    const Index window = has_window && at < windows.size() ? windows[at] : 0;
    const std::shared_ptr<const Mask> users = user(shape.kind, layer);
    for (const Made& one : result)
      if (one.user == users && one.window == window) return one.mask;
    Mask mask = users ? *users : Mask(n_q, n_k);
    if (shape.causal || window > 0) mask.allow_only(seen_keys(n_q, n_k, window, shape.causal));
    return result.emplace_back(Made{users, window, std::move(mask)}).mask;
  };
  std::vector<Mask> layers;
  for (int layer = 0; layer < shape.layers; ++layer) layers.push_back(of_layer(layer));
  block.mask = layers.front();
  if (result.size() > 1) block.layer_masks = std::move(layers);
}

}  // namespace headscope

#include "core/source/model/model_masks.h"

#include <algorithm>
#include <optional>

#include "core/base/enum_table.h"
#include "core/base/error.h"
#include "core/base/translate.h"
#include "core/model/layer/seen_keys.h"

namespace headscope {
namespace {

// The keys that a query sees: less than `window` away, or all if it is 0; up to its own if causal.
RowSpans seen_in_window(Index n_q, Index n_k, Index window, bool causal) {
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

/// Where rows are pooled, tokens and rows have other numbers: what a mask says of one block is another mask
/// in the next.
void check_places(const MaskPart& part, const std::vector<BlockShape>& shapes) {
  const bool pools =
      std::ranges::any_of(shapes, [](const BlockShape& shape) { return is_pooling(shape.kind); });
  if (!pools || !part.on) return;
  if (!part.block)
    throw input_error(
        "the mask \"{}\" is of no block, and this model's blocks have rows of their own; "
        "expected one for each block, such as self/{}",
        to_string(part), to_string(part));
  if (is_pooling(*part.block) && part.kind != MaskKind::padding && part.kind != MaskKind::painted)
    throw input_error(
        "the mask \"{}\" counts rows and keys alike, and a pooled row stands for several keys; "
        "expected padding or painted cells",
        to_string(part));
}

}  // namespace

void BlockMasks::build(const std::vector<BlockShape>& shapes, const SidesOf& sides_of) {
  for (OfBlock& block : blocks_) block = {};
  for (const MaskPart& part : interventions_.mask) {
    if (chooses(part)) continue;
    check_places(part, shapes);
    std::optional<Error> refused;
    bool fits = false;
    for (const BlockShape& shape : shapes) {
      if (!reaches(part, shape.kind)) continue;
      const auto [queries, keys] = sides_of(shape.kind);
      std::vector<MaskPart> parts{part};
      if (fit_) fit_mask_parts(parts, std::ssize(queries), std::ssize(keys), shape.heads);
      try {
        if (shapes.size() > 1) count_mask(parts, queries, keys, shape.heads);
        of_kind(blocks_, shape.kind).parts.push_back(parts.front());
        fits = true;
      } catch (const Error& error) {
        if (!refused) refused = error;
      }
    }
    if (!fits && refused) throw *refused;
  }
  for (const BlockShape& shape : shapes) {
    OfBlock& block = of_kind(blocks_, shape.kind);
    if (block.parts.empty()) continue;
    const auto [queries, keys] = sides_of(shape.kind);
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

std::optional<std::vector<Index>> BlockMasks::chosen_tokens(Index n) const {
  std::optional<std::vector<Index>> chosen;
  for (const MaskPart& part : interventions_.mask) {
    if (!chooses(part)) continue;
    if (!chosen) chosen.emplace();
    std::vector<MaskPart> parts{part};
    if (fit_) fit_mask_parts(parts, n, n, 1);
    for (const int token : parts.front().tokens) {
      if (token >= n)
        throw input_error(
            counted("the mask \"{}\" names token {}; there is only {} token, numbered from 0",
                    "the mask \"{}\" names token {}; there are only {} tokens, numbered from 0", n),
            to_string(part), token, n);
      chosen->push_back(token);
    }
  }
  if (!chosen) return chosen;
  std::ranges::sort(*chosen);
  chosen->erase(std::unique(chosen->begin(), chosen->end()), chosen->end());
  return chosen;
}

void BlockMasks::combine(const BlockShape& shape, const ModelConfig& config, const ModelInput& input,
                         BlockTrace& block) const {
  const std::vector<Index> global = global_tokens(config, shape.kind, input);
  struct Made {
    std::shared_ptr<const Mask> user;
    Index window;
    Mask mask;
  };
  const Index n_q = block.n_q(), n_k = block.n_k();
  std::vector<Made> result;  // few layers have separate masks
  const auto of_layer = [&](int layer) -> const Mask& {
    const Index window = window_of(config, shape.kind, layer);
    // A mask is one of scores.
    const std::shared_ptr<const Mask> users = shape.is_softmax(layer) ? user(shape.kind, layer) : nullptr;
    for (const Made& one : result)
      if (one.user == users && one.window == window) return one.mask;
    Mask mask = users ? *users : Mask(n_q, n_k);
    if (const auto seen = seen_keys(config, shape.kind, layer, global, n_q))
      mask.allow_only(*seen);
    else if (shape.causal || window > 0)
      mask.allow_only(seen_in_window(n_q, n_k, window, shape.causal));
    return result.emplace_back(Made{users, window, std::move(mask)}).mask;
  };
  std::vector<Mask> layers;
  for (int layer = 0; layer < shape.layers; ++layer) layers.push_back(of_layer(layer));
  block.mask = layers.front();
  if (result.size() > 1) block.layer_masks = std::move(layers);
}

}  // namespace headscope

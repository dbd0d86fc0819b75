#include "core/scene/locked_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/scene/range.h"
#include "core/scene/readable_numbers.h"
#include "core/scene/view_kinds.h"
#include "core/text/token_label.h"

namespace headscope {

std::string locked_text(const Translator& tr, const Scene& scene) {
  const ViewKindRow& row = scene.view.row();
  if (!scene.locked || scene.empty() || !row.layer_maps()) return "";
  const Cell& cell = scene.locked->cell;
  const auto weight = [&](const BlockTrace& block) {
    const int layer = std::clamp(scene.view.layer, 0, block.layer_count() - 1);
    if (block.weightless(layer, cell.head, cell.query, cell.key)) return std::string(tr("blocked"));
    const float shown = block.shown_maps().weight(layer, cell.head, cell.query, cell.key);
    return with_minus(fmt::format("{:.3f}", shown));
  };
  const BlockTrace* other = scene.other.get();
  const bool both = row.compares && other != nullptr && cell.head < other->heads() &&
                    cell.query < other->n_q() && cell.key < other->n_k();
  // As below the maps: both tokens if A and B have different ones in one place.
  const auto named = [&](std::vector<Token> BlockTrace::*tokens, int at) {
    const auto token = [&](const BlockTrace& block) {
      return (block.*tokens).at(at).text + number_of_repeated(block.*tokens, at);
    };
    const std::string a = token(*scene.block), b = both ? token(*other) : a;
    return a == b ? a : a + "|" + b;
  };
  const std::string place = tr("Head {}, {} → {}", cell.head + 1, named(&BlockTrace::tokens, cell.query),
                               named(&BlockTrace::key_tokens, cell.key));
  const std::string in_a = weight(*scene.block), in_b = both ? weight(*other) : "";
  const int layer = std::clamp(scene.view.layer, 0, std::max(0, scene.block->layer_count() - 1));
  if (scene.block->cells_of(layer).is_share && scene.block->cells.value == CellValue::weight &&
      scene.block->cells.rollout == Rollout::off)
    return both ? tr("{}: weight {} in A, {} in B", place, in_a, in_b) : tr("{}: weight {}", place, in_a);
  const std::string name = cells_name(tr, *scene.block, layer);
  return both ? tr("{}: {}: {} in A, {} in B", place, name, in_a, in_b) : tr("{}: {}: {}", place, name, in_a);
}

}  // namespace headscope

#include "core/scene/scene.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/analysis/long_part.h"
#include "core/analysis/shown_circuits.h"
#include "core/base/stopped.h"
#include "core/scene/head_table.h"
#include "core/scene/translation_text.h"
#include "core/scene/view_kinds.h"
#include "core/source/maps/pooled_maps.h"
#include "core/source/source.h"

namespace headscope {
namespace {

std::string with_name(std::string title, const std::vector<HeadLabel>& labels, int layer, int head) {
  const HeadLabel* label = find_label(labels, layer, head);
  return label != nullptr && !label->name.empty() ? title + " · " + label->name : title;
}

const ModelNotes* notes_of(const Scene& scene) {
  return scene.trace ? scene.trace->about().model_notes : nullptr;
}

// The head that a view of one head shows.
std::optional<int> single_head(const Scene& scene) {
  const ViewKindRow& row = scene.view.row();
  int heads = scene.block->heads_of(scene.view.layer);
  if (!row.one_head || (row.compares && !scene.other)) return {};
  if (!row.compares) {
    const int otherwise = scene.locked ? scene.locked->cell.head : scene.heads.front();
    return std::clamp(scene.view.head.value_or(otherwise), 0, heads - 1);
  }
  heads = std::min(heads, scene.other->heads());
  return std::clamp(scene.view.head.value_or(0), 0, std::max(0, heads - 1));
}

}  // namespace

HeadOrder head_order(const BlockTrace& block, const View& view, const std::vector<HeadLabel>& labels) {
  const bool one = view.row().zooms && view.head;
  if (one || !view.row().one_layer) return {};
  const auto alike = view.sort.by == "similarity" ? head_similarity(block) : nullptr;
  const auto statistics = sorts_by_statistics(view.sort) ? block_statistics(block, view.layer) : nullptr;
  const auto circuits =
      sorts_by_circuits(view.sort) ? circuit_numbers(block, view.circuits.center_logits) : nullptr;
  HeadOrder order{
      sorted_heads(block, view.layer, statistics.get(), view.sort, labels, alike.get(), circuits.get()),
      nullptr};
  if (names_groups(view)) order.tree = std::make_shared<const HeadTree>(head_tree(*alike, view.table.groups));
  return order;
}

Scene make_scene(std::shared_ptr<const BlockTrace> block, std::shared_ptr<const BlockTrace> other,
                 const View& view, const std::vector<HeadLabel>& labels, const HeadOrder& order,
                 const std::optional<Locked>& locked) {
  Scene scene{std::move(block), std::move(other), view, labels, order.heads, {}, {},
              locked,           order.tree,       {},   {},     {}};
  if (scene.block->cells.rollout != Rollout::off) {  // names, order and cells are those of heads
    scene.labels.clear();
    scene.order.clear();
    if (scene.locked) scene.locked->cell.head = 0;
  }
  fit_view(scene.view, scene.block->shape);
  if (scene.order.empty()) scene.order = all_heads(scene.block->heads());
  if (scene.view.row().one_layer)
    std::erase_if(scene.order,
                  [&](int head) { return head > 0 && !scene.block->shape.has_map(scene.view.layer, head); });
  scene.heads = scene.order;
  std::erase_if(scene.heads, [&](int head) { return scene.view.hidden_heads.contains(head); });
  if (scene.heads.empty()) scene.heads = scene.order;
  scene.head = single_head(scene);
  return scene;
}

std::vector<int> heads_in_view(const Scene& scene) {
  const View& view = scene.view;
  if (!view.row().one_layer) return {};
  if (is_over_heads(view.range.kind) || view.row().compares)
    return all_heads(scene.block->heads_of(view.layer));
  std::vector<int> heads = scene.drawn_heads();
  std::ranges::sort(heads);
  return heads;
}

Scene pooled_scene(Scene scene) {
  const bool long_text =
      needs_pooling(*scene.block) || (scene.other != nullptr && needs_pooling(*scene.other));
  if (!long_text || scene.pooled) return scene;
  auto pooled = with_pooling(scene.block, PooledQueries::all, scene.view.means);
  if (scene.view.row().zooms) {
    // It can be zoomed in down to single tokens.
    scene.pooled = std::move(pooled);
    return scene;
  }
  if (scene.other) scene.other = with_pooling(scene.other, PooledQueries::all, scene.view.means);
  if (scene.locked) {
    scene.locked->cell.query /= static_cast<int>(pooled->query_pool);
    scene.locked->cell.key /= static_cast<int>(pooled->key_pool);
  }
  scene.block = std::move(pooled);
  return scene;
}

std::shared_ptr<const FilteredLayer> shown_of_long(const Scene& scene,
                                                   const std::function<void(double share)>& progress) {
  const BlockTrace& block = *scene.block;
  const int layer = scene.view.layer;
  const std::vector<int> heads = heads_in_view(scene), drawn = scene.drawn_heads();
  const auto part = part_that_shows(shown_part(scene, block.n_q(), block.n_k()), *scene.pooled);
  if (!part) {
    read_ahead(*scene.pooled, layer, heads, progress, scene.stop);
    check_stop(scene.stop);
    return overview_layer(*scene.pooled, layer, heads);
  }
  std::vector<int> others = heads;
  std::erase_if(others, [&](int head) { return std::ranges::find(drawn, head) != drawn.end(); });
  const auto share_of = [&](std::size_t before, std::size_t count) {
    return share_of_pieces(progress, before, count, drawn.size() + others.size());
  };
  const auto shown = part_layer(scene.block, layer, drawn, *part, scene.stop, share_of(0, drawn.size()));
  check_stop(scene.stop);
  if (others.empty()) return shown;
  const auto extents =
      part_extents(scene.block, layer, others, *part, scene.stop, share_of(drawn.size(), others.size()));
  check_stop(scene.stop);
  return with_extents(*shown, extents);
}

Cell strongest_cell(const BlockTrace& block, int layer, int head, std::optional<int> query) {
  if (block.tokens_alone) return strongest_cell(*block.tokens_alone, layer, head, query);
  Cell cell{head, query.value_or(static_cast<int>(block.n_q()) - 1), 0};
  const MapRows rows(*block.maps, layer, head, cell.query, cell.query + 1);
  const float* row = rows.row(cell.query);
  cell.key = static_cast<int>(std::max_element(row, row + block.n_k()) - row);
  return cell;
}

CellPart shown_part(const Scene& scene, Index n_q, Index n_k) {
  return part_of(scene.view.row().zooms ? scene.view.zoom : Zoom(), n_q, n_k);
}

std::string zoom_note(const Translator& tr, const Scene& scene) {
  const Index n_q = scene.block->n_q(), n_k = scene.block->n_k();
  const CellPart seen = shown_part(scene, n_q, n_k);
  const auto first = [](double begin) { return static_cast<Index>(std::floor(begin)) + 1; };
  const auto last = [](double end) { return static_cast<Index>(std::ceil(end)); };
  if (first(seen.query_begin) == 1 && last(seen.query_end) >= n_q && first(seen.key_begin) == 1 &&
      last(seen.key_end) >= n_k)
    return {};
  return tr("Queries {}–{} of {}, keys {}–{} of {}", first(seen.query_begin), last(seen.query_end), n_q,
            first(seen.key_begin), last(seen.key_end), n_k);
}

TokenPlace token_alone(const Scene& scene, const FilteredLayer& shown) {
  if (!scene.locked) return {};
  const int row = shown.row(scene.locked->cell.query), column = shown.column(scene.locked->cell.key);
  if (row < 0 || column < 0) return {};
  return scene.locked->of_key ? TokenPlace{-1, column} : TokenPlace{row, -1};
}

std::string head_title(const Translator& tr, const std::vector<HeadLabel>& labels, int layer, int head) {
  return with_name(tr("Head {}", head + 1), labels, layer, head);
}

std::string head_title(const Translator& tr, const Scene& scene, int layer, int head) {
  if (scene.block->cells.rollout != Rollout::off) return tr("Rollout");
  return with_off(tr, head_title(tr, scene.labels, layer, head), *scene.block, layer, head);
}

std::string grid_title(const Translator& tr, const Scene& scene, int layer, int head) {
  const std::string title = head_title(tr, scene, layer, head);
  const int group = scene.tree ? scene.tree->group_of(layer, head) : -1;
  return group < 0 ? title : title + " · " + tr("group {}", group + 1);
}

std::string relation_badge(const Translator& tr, const Scene& scene, int layer, int head) {
  const std::vector<std::string> badges = relation_badges(tr, scene, layer, head);
  return badges.empty() ? std::string() : badges.front();
}

std::vector<std::string> relation_badges(const Translator& tr, const Scene& scene, int layer, int head) {
  return relation_badges(tr, notes_of(scene), scene.block->shape.kind, layer, head);
}

bool is_guided(const Scene& scene, int layer, int head) {
  const ModelNotes* const notes = notes_of(scene);
  return notes != nullptr && std::ranges::any_of(notes->relations, [&](const RelationOfHead& one) {
           return one.guided && one.block == scene.block->shape.kind && one.layer == layer &&
                  one.head == head;
         });
}

std::string short_head_title(const Scene& scene, int layer, int head) {
  if (scene.block->cells.rollout != Rollout::off) return std::to_string(layer + 1);
  return with_name(scene.block->shape.layers > 1 ? head_number(layer, head) : std::to_string(head + 1),
                   scene.labels, layer, head);
}

std::string empty_row_text(const Translator& tr, bool fills_with_infinity) {
  return fills_with_infinity ? tr("no key to attend to") : tr("every key blocked: uniform");
}

std::string filter_note(const Translator& tr, const Filter& filter, bool renormalized) {
  std::string note;
  const auto add = [&](const std::string& text) { note += (note.empty() ? "" : " · ") + text; };
  if (renormalized) add(tr("rows renormalized over the keys shown"));
  if (filter.top_percent < 100)
    add(tr("top {}% of each row's weight", fmt::format("{:.4g}", filter.top_percent)));
  if (filter.threshold > 0) add(tr("weights ≥ {}", fmt::format("{:.4g}", filter.threshold)));
  return note;
}

}  // namespace headscope

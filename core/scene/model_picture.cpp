#include "core/scene/model_picture.h"

#include <algorithm>

#include "core/analysis/expectations.h"
#include "core/analysis/filtered_layer.h"
#include "core/base/stopped.h"
#include "core/base/translate.h"
#include "core/scene/labels.h"
#include "core/scene/range.h"
#include "core/source/maps/word_maps.h"
#include "core/source/source.h"

namespace headscope {
namespace {

constexpr BlockKind pictured_blocks[] = {BlockKind::encoder, BlockKind::decoder, BlockKind::cross};

bool has_block(const Trace& trace, BlockKind kind) {
  return std::ranges::any_of(trace.blocks,
                             [&](const BlockTrace& block) { return block.shape.kind == kind && block.maps; });
}

std::vector<std::string> token_texts(const std::vector<Token>& tokens) {
  std::vector<std::string> texts;
  for (const Token& token : tokens) texts.push_back(token.text);
  return texts;
}

/// The mean of the maps of heads [first, end), and the cells that none of them shows. Ablated heads are left
/// out of it, unless all are.
FilteredLayer mean_layer(const std::shared_ptr<const BlockTrace>& block, int layer, int first, int end) {
  FilteredLayer shown;
  shown.block = block;
  shown.layer = layer;
  const Index n_q = block->n_q(), n_k = block->n_k();
  for (int i = 0; i < n_q; ++i) shown.queries.push_back(i);
  for (int i = 0; i < n_k; ++i) shown.keys.push_back(i);
  Tensor mean({n_q, n_k});
  std::fill(mean.data(), mean.data() + mean.size(), 0.0F);
  std::vector<int> heads;
  for (int head = first; head < end; ++head)
    if (!is_ablated(*block, layer, head)) heads.push_back(head);
  if (heads.empty())
    for (int head = first; head < end; ++head) heads.push_back(head);
  const auto count = static_cast<float>(heads.size());
  std::vector<std::uint8_t> states(n_q * n_k, cell_masked);
  for (const int head : heads) {
    for_each_row(*block->maps, layer, head, [&](Index query, const float* row) {
      float* to = mean.at(query);
      for (Index key = 0; key < n_k; ++key) to[key] += row[key] / count;
    });
    const std::uint8_t* weightless = block->weightless(layer, head);
    for (std::size_t i = 0; i < states.size(); ++i)
      if (weightless == nullptr || weightless[i] == 0) states[i] = cell_shown;
  }
  shown.maps = {std::move(mean)};
  shown.unfiltered = false;
  shown.states = {std::move(states)};
  return shown;
}

/// Pooled to the size that is shown.
ModelPicture::Map small_map(const FilteredLayer& shown) {
  ModelPicture::Map map;
  const Index n_q = shown.n_q(), n_k = shown.n_k();
  map.n_q = std::min(n_q, ModelPicture::max_cells);
  map.n_k = std::min(n_k, ModelPicture::max_cells);
  map.weights = Tensor({map.n_q, map.n_k});
  map.states.assign(map.n_q * map.n_k, cell_masked);
  std::fill(map.weights.data(), map.weights.data() + map.weights.size(), 0.0F);
  for (Index q = 0; q < n_q; ++q)
    for (Index k = 0; k < n_k; ++k) {
      if (shown.states.front()[q * n_k + k] != cell_shown) continue;
      const Index at = q * map.n_q / n_q * map.n_k + k * map.n_k / n_k;
      map.states[at] = cell_shown;
      map.weights.data()[at] = std::max(map.weights.data()[at], shown.maps.front().at(q)[k]);
    }
  if (std::ranges::count(map.states, cell_shown) == std::ssize(map.states)) map.states.clear();
  return map;
}

void share_ranges(std::vector<ModelPicture::Map>& maps) {
  ColorRange all = maps.front().range;
  for (const ModelPicture::Map& map : maps) {
    all.low = std::min(all.low, map.range.low);
    all.high = std::max(all.high, map.range.high);
    all.below |= map.range.below;
    all.above |= map.range.above;
  }
  for (ModelPicture::Map& map : maps) map.range = all;
}

/// Of one map: a head's, or the mean of its heads.
ColorRange range_of(const FilteredLayer& shown, const View& view, const ModelPicture::Map& map) {
  const HeldMap of = map.head    ? view.of_b ? HeldMap::b : HeldMap::a
                     : view.of_b ? HeldMap::mean_b
                                 : HeldMap::mean;
  const HeldRange* const held = view.range.find_held(of, map.block, map.layer, map.head.value_or(0));
  if (view.range.kind == Range::row)
    return row_range(map.weights.data(), map.states.empty() ? nullptr : map.states.data(), map.n_q, map.n_k,
                     false, kept_rows(held, shown.queries, map.n_q));
  RangeChoice own = view.range;
  own.held.clear();
  const ColorRange now = color_ranges(shown, own).front();
  if (held == nullptr) return now;
  const auto low = static_cast<float>(held->limits.low), high = static_cast<float>(held->limits.high);
  return held_range({low, high, now.logarithm && low > 0}, now);
}

/// The likeliest token after the last one; nothing of a decoder that writes none.
std::string expected_last(const Trace& trace, Index query) {
  if (!trace.predictions || !trace.predictions->of_tokens()) return {};
  const Tensor logits = trace.predictions->logits(query, query + 1);
  const float* row = logits.data();
  const Index best = std::max_element(row, row + logits.size()) - row;
  return logits.empty() ? std::string() : expected_text(trace, best);
}

}  // namespace

std::string ModelPicture::Map::off_text(const Translator& tr) const {
  if (head) return off > 0 ? tr("off") : "";
  return ablated_heads_text(tr, off, heads);
}

int ModelPicture::layers(BlockKind block) const {
  return static_cast<int>(std::ranges::count(maps, block, &Map::block));
}

const ModelPicture::Map* ModelPicture::find(BlockKind block, int layer) const {
  const auto found =
      std::ranges::find_if(maps, [&](const Map& map) { return map.block == block && map.layer == layer; });
  return found == maps.end() ? nullptr : &*found;
}

const char* no_model_picture(const Trace* trace) {
  if (trace == nullptr || (trace->blocks.size() == 1 && trace->inputs.about().from_seed))
    return TR("This view is of models with an encoder and a decoder: open one.");
  if (trace->blocks.size() < std::size(pictured_blocks))
    return TR("This view is of models with an encoder and a decoder; this one has one kind of attention.");
  for (const BlockKind kind : pictured_blocks)
    if (!has_block(*trace, kind))
      return TR("This view is of models with an encoder and a decoder; this one has one kind of attention.");
  return nullptr;
}

const std::shared_ptr<const Trace>& pictured_trace(const std::shared_ptr<const Trace>& a,
                                                   const std::shared_ptr<const Trace>& b, const View& view) {
  return view.of_b && b != nullptr ? b : a;
}

std::shared_ptr<const ModelPicture> model_picture(const std::shared_ptr<const Trace>& trace, const View& view,
                                                  const std::stop_token& stop) {
  auto picture = std::make_shared<ModelPicture>();
  if (no_model_picture(trace.get()) != nullptr) return picture;
  for (const BlockKind kind : pictured_blocks) {
    const auto block = block_in_view(trace, kind, view.words);
    const bool one = view.head && *view.head < block->heads();
    for (int layer = 0; layer < block->layer_count(); ++layer) {
      if (stop_requested(stop)) return nullptr;
      const FilteredLayer shown =
          mean_layer(block, layer, one ? *view.head : 0, one ? *view.head + 1 : block->heads());
      ModelPicture::Map& map = picture->maps.emplace_back(small_map(shown));
      map.block = kind;
      map.layer = layer;
      if (one) map.head = view.head;
      map.heads = block->heads();
      map.off = one ? is_ablated(*block, layer, *view.head) : ablated_heads(*block, layer);
      map.range = range_of(shown, view, map);
    }
  }
  if (!is_per_head(view.range.kind)) share_ranges(picture->maps);
  const auto cross = block_in_view(trace, BlockKind::cross, view.words);
  picture->source = token_texts(cross->key_tokens);
  picture->target = token_texts(cross->tokens);
  picture->written.assign(picture->target.begin() + 1, picture->target.end());
  picture->written.push_back(cross->words ? "" : expected_last(*trace, cross->n_q() - 1));
  picture->outside = trace->translation && trace->translation->outside;
  picture->look = alignment_look(*cross, trace->about().model_notes);
  picture->looks = cross_weights(*cross, picture->look);
  return picture;
}

}  // namespace headscope

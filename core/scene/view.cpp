#include "core/scene/view.h"

#include <algorithm>

#include "core/base/translate.h"
#include "core/scene/colormap_data.h"

namespace headscope {

void fit_view(View& view, const BlockShape& shape) {
  const int heads = shape.heads;
  view.layer = shape.layer_with_maps(std::clamp(view.layer, 0, std::max(0, shape.layers - 1)));
  if (view.head && *view.head >= heads) view.head.reset();
  std::erase_if(view.hidden_heads, [&](int head) { return head >= heads; });
  if (std::ssize(view.hidden_heads) >= heads) view.hidden_heads.clear();
}

void fit_filter(Filter& filter, int n_q, int n_k) {
  std::erase_if(filter.hidden_queries, [n_q](int token) { return token >= n_q; });
  std::erase_if(filter.hidden_keys, [n_k](int token) { return token >= n_k; });
  if (filter.queries && filter.queries->begin >= n_q) filter.queries.reset();
  if (filter.keys && filter.keys->begin >= n_k) filter.keys.reset();
}

std::span<const EnumName<Colormap>> enum_names(Colormap) {
  static const auto names = row_names(colormaps());
  return names;
}

std::span<const EnumName<Range>> enum_names(Range) {
  static constexpr EnumName<Range> names[] = {{Range::unit, "unit", TR("0 to 1")},
                                              {Range::shared, "shared", TR("Shared by all heads")},
                                              {Range::head, "head", TR("Per head")},
                                              {Range::logarithm, "log", TR("Logarithmic")},
                                              {Range::percentile, "percentile", TR("Per head, 2–98%")},
                                              {Range::row, "row", TR("Per row")},
                                              {Range::fixed, "fixed", TR("Fixed")},
                                              {Range::unit, "0-1"},
                                              {Range::unit, "0..1"},
                                              {Range::head, "own"},
                                              {Range::percentile, "robust"},
                                              {Range::row, "per-row"},
                                              {Range::logarithm, "logarithm"},
                                              {Range::unit, "01"},
                                              {Range::head, "per-head"},
                                              {Range::unit, "0 to 1"},
                                              {Range::logarithm, "logarithmic"},
                                              {Range::fixed, "manual"}};
  return names;
}

std::span<const EnumName<HeldMap>> enum_names(HeldMap) {
  static constexpr EnumName<HeldMap> names[] = {
      {HeldMap::a, "a"},       {HeldMap::b, "b"},           {HeldMap::difference, "difference"},
      {HeldMap::mean, "mean"}, {HeldMap::mean_b, "mean_b"}, {HeldMap::rollout, "rollout"}};
  return names;
}

const HeldRange* RangeChoice::find_held(HeldMap map, BlockKind block, int layer, int head) const {
  if (!holds()) return nullptr;
  const auto found = std::ranges::find_if(held, [&](const HeldRange& one) {
    return one.map == map && one.block == block && one.layer == layer && one.head == head;
  });
  return found == held.end() ? nullptr : &*found;
}

const ColorLimits* RangeChoice::held_limits(HeldMap map, BlockKind block, int layer, int head) const {
  const HeldRange* const found = find_held(map, block, layer, head);
  return found == nullptr ? nullptr : &found->limits;
}

std::span<const EnumName<Theme>> enum_names(Theme) {
  static constexpr EnumName<Theme> names[] = {{Theme::light, "light"}, {Theme::dark, "dark"}};
  return names;
}

std::span<const EnumName<Numbers>> enum_names(Numbers) {
  static constexpr EnumName<Numbers> names[] = {{Numbers::automatic, "auto"},
                                                {Numbers::off, "off"},
                                                {Numbers::automatic, "automatic"},
                                                {Numbers::automatic, "on"},
                                                {Numbers::off, "none"}};
  return names;
}

std::span<const EnumName<TableHalf>> enum_names(TableHalf) {
  static constexpr EnumName<TableHalf> names[] = {{TableHalf::both, "both"},
                                                  {TableHalf::numbers, "numbers"},
                                                  {TableHalf::similarity, "similarity"},
                                                  {TableHalf::scatter, "scatter"}};
  return names;
}

std::span<const EnumName<ScatterColor>> enum_names(ScatterColor) {
  static constexpr EnumName<ScatterColor> names[] = {{ScatterColor::layer, "layer", TR("By layer")},
                                                     {ScatterColor::group, "group", TR("By group")}};
  return names;
}

std::span<const EnumName<StepsPage>> enum_names(StepsPage) {
  static constexpr EnumName<StepsPage> names[] = {
      {StepsPage::cell, "cell"}, {StepsPage::cost, "cost"}, {StepsPage::streaming, "streaming"}};
  return names;
}

}  // namespace headscope

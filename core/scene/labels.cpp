#include "core/scene/labels.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>
#include <utility>

#include "core/base/enum_table.h"

namespace headscope {
namespace {

auto place(const HeadLabel& label) {
  return std::tie(label.layer, label.head);
}

}  // namespace

std::string head_number(Index layer, Index head) {
  return fmt::format("{}.{}", layer + 1, head + 1);
}

const HeadLabel* find_label(const std::vector<HeadLabel>& labels, int layer, int head) {
  for (const HeadLabel& label : labels)
    if (label.layer == layer && label.head == head) return &label;
  return nullptr;
}

void set_label(std::vector<HeadLabel>& labels, const HeadLabel& label) {
  std::erase_if(labels, [&](const HeadLabel& other) { return place(other) == place(label); });
  if (label.name.empty() && !label.color && !label.moved) return;
  const auto before = [](const HeadLabel& a, const HeadLabel& b) { return place(a) < place(b); };
  labels.insert(std::upper_bound(labels.begin(), labels.end(), label, before), label);
}

bool is_ablated(const BlockTrace& block, int layer, int head) {
  return block.interventions.ablated_heads.contains({block.shape.kind, layer, head});
}

int ablated_heads(const BlockTrace& block, int layer) {
  int off = 0;
  for (int head = 0; head < block.heads_of(layer); ++head) off += is_ablated(block, layer, head);
  return off;
}

std::string off_suffix(const Translator& tr) {
  return std::string(" · ") + tr("off");
}

std::string with_off(const Translator& tr, std::string title, const BlockTrace& block, int layer, int head) {
  return is_ablated(block, layer, head) ? std::move(title) + off_suffix(tr) : title;
}

std::string ablated_heads_text(const Translator& tr, int off, int heads) {
  return off == 0 ? std::string()
                  : tr.plural("{} of {} head ablated", "{} of {} heads ablated", heads, off, heads);
}

Rgb labelled_color(const std::vector<HeadLabel>& labels, int layer, int head, int heads) {
  const HeadLabel* label = find_label(labels, layer, head);
  if (!label || !label->color) return head_color(head, heads, layer);
  const unsigned rgb = *label->color;
  return {static_cast<std::uint8_t>(rgb >> 16), static_cast<std::uint8_t>(rgb >> 8),
          static_cast<std::uint8_t>(rgb)};
}

Rgb labelled_color(const std::vector<HeadLabel>& labels, const BlockTrace& block, int layer, int head) {
  constexpr Rgb grey{0xa0, 0xa4, 0xa9};
  return is_ablated(block, layer, head) ? grey : labelled_color(labels, layer, head, block.shape.heads);
}

namespace {

/// The colormap's lightness in a quarter of the span, close to the theme's panel.
Colors paled(const Colors& colors, Theme theme) {
  const double ground = theme == Theme::dark ? 0x26 : 0xf4, share = 0.25;
  Colors pale{};
  for (std::size_t i = 0; i < colors.size(); ++i) {
    const double light = 0.299 * colors[i].r + 0.587 * colors[i].g + 0.114 * colors[i].b;
    const auto grey = static_cast<std::uint8_t>(std::lround(ground + share * (light - ground)));
    pale[i] = {grey, grey, grey};
  }
  return pale;
}

}  // namespace

const Colors& colors_of_ablated(Colormap colormap, Theme theme) {
  static const std::array<std::vector<Colors>, 2> pale = [] {
    std::array<std::vector<Colors>, 2> all;
    for (const auto& entry : colormaps()) {
      all[0].push_back(paled(entry.colors, Theme::light));
      all[1].push_back(paled(entry.colors, Theme::dark));
    }
    return all;
  }();
  return of_kind(pale[theme == Theme::dark ? 1 : 0], colormap);
}

const Colors& cell_colors(const View& view, const BlockTrace& block, int layer) {
  return block.is_signed(layer) ? diverging_colors(view.theme) : colors(view.colormap);
}

const Colors& map_colors(const View& view, const BlockTrace& block, int layer, int head) {
  return is_ablated(block, layer, head) ? colors_of_ablated(view.colormap, view.theme)
                                        : cell_colors(view, block, layer);
}

}  // namespace headscope

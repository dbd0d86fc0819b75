#include "core/scene/labels.h"

#include <algorithm>
#include <tuple>

namespace headscope {
namespace {

auto place(const HeadLabel& label) {
  return std::tie(label.layer, label.head);
}

}  // namespace

const HeadLabel* find_label(const std::vector<HeadLabel>& labels, int layer, int head) {
  for (const HeadLabel& label : labels)
    if (label.layer == layer && label.head == head) return &label;
  return nullptr;
}

void set_label(std::vector<HeadLabel>& labels, const HeadLabel& label) {
  std::erase_if(labels, [&](const HeadLabel& other) { return place(other) == place(label); });
  if (label.name.empty() && !label.color) return;
  const auto before = [](const HeadLabel& a, const HeadLabel& b) { return place(a) < place(b); };
  labels.insert(std::upper_bound(labels.begin(), labels.end(), label, before), label);
}

Rgb labelled_color(const std::vector<HeadLabel>& labels, int layer, int head, int heads) {
  const HeadLabel* label = find_label(labels, layer, head);
  if (!label || !label->color) return head_color(head, heads);
  const unsigned rgb = *label->color;
  return {static_cast<std::uint8_t>(rgb >> 16), static_cast<std::uint8_t>(rgb >> 8),
          static_cast<std::uint8_t>(rgb)};
}

}  // namespace headscope

#include "core/scene/labels.h"

#include <algorithm>
#include <tuple>
#include <utility>

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

bool is_off(const BlockTrace& block, int layer, int head) {
  return block.what_if.heads_off.contains({block.shape.kind, layer, head});
}

int heads_off(const BlockTrace& block, int layer) {
  int off = 0;
  for (int head = 0; head < block.shape.heads; ++head) off += is_off(block, layer, head);
  return off;
}

std::string with_off(const Translator& tr, std::string title, const BlockTrace& block, int layer, int head) {
  return is_off(block, layer, head) ? std::move(title) + " · " + tr("off") : title;
}

std::string heads_off_text(const Translator& tr, int off, int heads) {
  return off == 0 ? std::string() : tr.plural("{} of {} head off", "{} of {} heads off", heads, off, heads);
}

Rgb labelled_color(const std::vector<HeadLabel>& labels, int layer, int head, int heads) {
  const HeadLabel* label = find_label(labels, layer, head);
  if (!label || !label->color) return head_color(head, heads);
  const unsigned rgb = *label->color;
  return {static_cast<std::uint8_t>(rgb >> 16), static_cast<std::uint8_t>(rgb >> 8),
          static_cast<std::uint8_t>(rgb)};
}

}  // namespace headscope

#include "app/state/repaint.h"

#include <algorithm>

#include "core/attention/painting.h"
#include "core/source/source.h"

namespace headscope {
namespace {

Canvas canvas_of(const BlockTrace& block) {
  return {static_cast<int>(block.n_q()), static_cast<int>(block.n_k()), block.heads()};
}

/// An empty painting is no part.
template <typename Change>
void change_painting(Inputs& inputs, const Change& change) {
  const auto found = std::ranges::find(inputs.mask, MaskKind::painted, &MaskPart::kind);
  MaskPart part;
  part.kind = MaskKind::painted;
  if (found != inputs.mask.end()) part = *found;
  change(part.painted);
  std::erase_if(inputs.mask, [](const MaskPart& p) { return p.kind == MaskKind::painted; });
  if (!part.painted.empty()) inputs.mask.push_back(std::move(part));
}

}  // namespace

bool is_split_from(const BlockTrace& block, const Inputs& inputs) {
  const Text& text = inputs;
  return block.text == text && block.heads() == shape_of(inputs).front().heads;
}

void clear_painting(Inputs& inputs, const BlockTrace& block, int head) {
  change_painting(inputs, [&](Runs& painting) { clear(painting, head, canvas_of(block)); });
}

void invert_painting(Inputs& inputs, const BlockTrace& block, int head) {
  change_painting(inputs, [&](Runs& painting) { invert(painting, head, canvas_of(block)); });
}

void paint_present_masks(Inputs& inputs, const BlockTrace& block) {
  const Runs present = painting_from(block.mask, block.heads());
  for (MaskPart& part : inputs.mask) part.on = false;
  change_painting(inputs, [&](Runs& painting) { painting = present; });
  for (MaskPart& part : inputs.mask) part.on = part.on || part.kind == MaskKind::painted;
}

}  // namespace headscope

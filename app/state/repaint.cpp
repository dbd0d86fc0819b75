#include "app/state/repaint.h"

#include <algorithm>

#include "core/attention/painting.h"

namespace headscope {
namespace {

Canvas canvas_of(const Trace& trace) {
  return {static_cast<int>(trace.n_q()), static_cast<int>(trace.n_k()), trace.inputs.heads};
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

void clear_painting(Inputs& inputs, const Trace& trace, int head) {
  change_painting(inputs, [&](Runs& painting) { clear(painting, head, canvas_of(trace)); });
}

void invert_painting(Inputs& inputs, const Trace& trace, int head) {
  change_painting(inputs, [&](Runs& painting) { invert(painting, head, canvas_of(trace)); });
}

void paint_present_masks(Inputs& inputs, const Trace& trace) {
  const Runs present = painting_from(trace.mask, trace.inputs.heads);
  for (MaskPart& part : inputs.mask) part.on = false;
  change_painting(inputs, [&](Runs& painting) { painting = present; });
  for (MaskPart& part : inputs.mask) part.on = part.on || part.kind == MaskKind::painted;
}

}  // namespace headscope

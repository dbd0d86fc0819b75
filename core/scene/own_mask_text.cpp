#include "core/scene/own_mask_text.h"

#include "core/source/source.h"

namespace headscope {

std::string own_mask_text(const Translator& tr, const Trace& trace, const BlockTrace& block, int layer) {
  if (trace.inputs.trained() && trace.blocks.size() > 1)
    return tr(
        "The model's own masks: in the encoder and in cross-attention every query sees every key; in the "
        "decoder no query sees a later one.");
  if (!block.shape.causal) return tr("No mask: every query sees every key.");
  const Index window = trace.source ? trace.source->window(block.shape.kind, layer) : 0;
  if (window == 0) return tr("The model's own mask: no query sees a later key.");
  return tr.plural(
      "The model's own mask: no query sees a later key, nor more than {} key up to its own (sliding "
      "window).",
      "The model's own mask: no query sees a later key, nor more than {} keys up to its own (sliding "
      "window).",
      window, window);
}

}  // namespace headscope

#include "core/scene/view_needs.h"

#include "core/analysis/cell_arithmetic.h"
#include "core/source/source.h"

namespace headscope {

bool ViewedSource::known() const {
  return trace != nullptr && trace->source && trace->inputs.model == inputs.model &&
         trace->inputs.capture == inputs.capture;
}

const char* why_no_view(const Inputs& inputs, const Trace* trace, const ViewKindRow& view) {
  if (view.predicts && !inputs.about().computes)
    return TR("A capture holds attention, and nothing that is predicted.");
  return view.none == nullptr ? nullptr : view.none(trace);
}

const char* why_no_view(const ViewedSource& source, const ViewKindRow& view) {
  if (view.missing != nullptr) return view.missing(source);
  const auto of = [&](const Trace* trace) { return why_no_view(source.inputs, trace, view); };
  const SourceTraits& can = source.inputs.about();
  if (can.known_ahead) return of(nullptr);
  if (source.known()) return of(source.trace);
  const bool one_stack = source.model != nullptr && !source.model->encoder_decoder();
  return (view.predicts && !can.computes) || (view.whole && one_stack) ? of(nullptr) : nullptr;
}

namespace {

const char* no_predictions(const Trace* trace) {
  if (trace == nullptr || !trace->inputs.about().predicts)
    return TR("A seeded layer predicts no tokens: open a trained model.");
  return trace->predictions ? nullptr : TR("This model has no output for tokens or labels (no head).");
}

}  // namespace

const char* no_contributions(const Trace* trace) {
  if (const char* none = no_predictions(trace)) return none;
  if (trace->about().pools_rows)
    return TR(
        "Layers of this model have fewer rows than the text has tokens, so what a head adds has no "
        "direct share of a logit.");
  return trace->about().streams > 1
             ? TR("AltUp mixes several streams in every layer, so what a head adds has no "
                  "direct share of a logit.")
             : nullptr;
}

const char* no_lens(const Trace* trace) {
  if (const char* none = no_predictions(trace)) return none;
  if (trace->about().pools_rows)
    return TR(
        "Layers of this model have fewer rows than the text has tokens, which are not followed to its "
        "output.");
  return trace->predictions->has_lens() ? nullptr
                                        : TR("The decoder reads the sentence shifted by one position from "
                                             "the tokens it labels, so its layers "
                                             "cannot be shown at the tokens.");
}

const char* no_causes(const Trace* trace) {
  if (const char* none = no_lens(trace)) return none;
  return trace->predictions->of_tokens()
             ? nullptr
             : TR("This view is about the logits of tokens; the model gives labels.");
}

const char* no_circuits(const Trace* trace) {
  if (const char* none = no_causes(trace)) return none;
  const BlockTrace& first = trace->blocks.front();
  if (trace->about().normed_values)
    return TR("Circuits are not computed of values that are normed: W_V alone is not what a head moves.");
  const bool one_stack = trace->blocks.size() == 1 || trace->blocks.back().shape.kind == BlockKind::state;
  if (!first.circuits && first.layer_count() > 0 && one_stack && first.shape.latent == 0)
    return TR("Circuits are computed of models whose layers have softmax attention alone.");
  if (trace->blocks.front().shape.latent > 0)
    return TR("Circuits are not computed of latent attention, whose keys and values come from short rows.");
  return !one_stack ? TR("Circuits are of a model with a single stack of layers; this one has "
                         "an encoder and a decoder.")
                    : nullptr;
}

const char* missing_picture(const ViewedSource& source) {
  if (source.inputs.about().word_tokens) return TR("A layer from a seed reads a text and no picture.");
  if (!source.known() || source.block.key_patches) return nullptr;
  if (!source.inputs.about().computes) return TR("The tokens of this capture are no patches of a picture.");
  return source.trace->about().reads_picture
             ? TR("There is no picture yet: drop one on the window, or open one from the File menu.")
         : source.trace->about().hears() ? TR("This model hears; it reads no picture.")
                                         : TR("This model reads a text and no picture.");
}

const char* missing_steps(const ViewedSource& source) {
  if (source.block.words)
    return TR("The arithmetic is that of the model's own tokens; switch “Pieces as words” off to see it.");
  // Of other sources a run keeps what the steps need as soon as they are in view.
  if (!source.known() || source.inputs.about().computes || has_arithmetic(source.block, 0)) return nullptr;
  return TR("This capture has no arrays q and k, so the arithmetic of its cells cannot be shown.");
}

bool has_page(const Inputs& inputs, StepsPage page) {
  const SourceTraits& source = inputs.about();
  return page == StepsPage::cell || source.from_seed || (source.computes && page == StepsPage::cost);
}

}  // namespace headscope

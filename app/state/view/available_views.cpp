#include "app/state/view/available_views.h"

#include "app/state/workspace.h"
#include "core/analysis/cell_arithmetic.h"
#include "core/figure/boards/causes_board.h"
#include "core/figure/boards/circuits_board.h"
#include "core/figure/boards/prediction_boards.h"
#include "core/scene/model_picture.h"

namespace headscope {
namespace {

const char* why_no_whole_model(const ViewedSource& source, bool known) {
  if (source.inputs.seeded()) return no_model_picture(nullptr);
  if (known) return no_model_picture(source.trace);
  return source.model != nullptr && !source.model->encoder_decoder() ? no_model_picture(nullptr) : nullptr;
}

const char* why_no_predictions(const ViewedSource& source, ViewKind view, bool known) {
  if (source.inputs.captured()) return TR("A capture holds attention, and nothing that is predicted.");
  if (source.inputs.seeded()) return no_lens(nullptr);
  if (!known) return nullptr;
  switch (view) {
    case ViewKind::contributions:
      return no_contributions(source.trace);
    case ViewKind::causes:
      return no_causes(source.trace);
    case ViewKind::circuits:
      return no_circuits(source.trace);
    default:
      return no_lens(source.trace);
  }
}

const char* why_no_picture(const ViewedSource& source, bool known) {
  if (!known || source.block.key_patches) return nullptr;
  if (source.inputs.captured()) return TR("The tokens of this capture are no patches of a picture.");
  return source.trace->source->reads_picture()
             ? TR("There is no picture yet: drop one on the window, or open one from the File menu.")
             : TR("This model reads a text and no picture.");
}

const char* why_no_steps(const ViewedSource& source, bool known) {
  if (source.block.words)
    return TR("The arithmetic is that of the model's own tokens; switch “Pieces as words” off to see it.");
  // Of other sources a run keeps what the steps need as soon as they are in view.
  if (!known || !source.inputs.captured() || has_arithmetic(source.block, 0)) return nullptr;
  return TR("This capture has no arrays q and k, so the arithmetic of its cells cannot be shown.");
}

}  // namespace

bool has_view(const Inputs& inputs, const ViewKindRow& view) {
  if (view.value == ViewKind::picture && inputs.picture.empty() && !inputs.captured()) return false;
  return (!view.predicts || inputs.trained()) && (!view.whole || !inputs.seeded());
}

bool has_page(const Inputs& inputs, StepsPage page) {
  return page == StepsPage::cell || inputs.seeded() || (inputs.trained() && page == StepsPage::cost);
}

const char* why_no_view(const ViewedSource& source, const ViewKindRow& view) {
  const bool known = source.trace != nullptr && source.trace->source &&
                     source.trace->inputs.model == source.inputs.model &&
                     source.trace->inputs.capture == source.inputs.capture;
  if (view.whole) return why_no_whole_model(source, known);
  if (view.value == ViewKind::picture && source.inputs.seeded())
    return TR("A layer from a seed reads a text and no picture.");
  if (view.value == ViewKind::picture) return why_no_picture(source, known);
  if (view.predicts) return why_no_predictions(source, view.value, known);
  return view.value == ViewKind::steps ? why_no_steps(source, known) : nullptr;
}

const char* why_no_view(const Workspace& work, ViewKind view) {
  const auto block = work.block();
  const auto config = work.opening.config(work.inputs);
  return why_no_view({work.inputs, work.trace().get(), *block, config.get()}, view_kind(view));
}

void leave_missing_view(Workspace& work) {
  if (work.frozen) return;
  View& view = work.state.view;
  if (why_no_view(work, view.kind) != nullptr) view.kind = ViewKind::grid;
  if (!has_page(work.inputs, view.steps.page)) view.steps.page = StepsPage::cell;
}

}  // namespace headscope

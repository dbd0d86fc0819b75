#pragma once
#include "core/inputs/inputs.h"
#include "core/model/config/config.h"
#include "core/scene/model_picture.h"
#include "core/scene/view_kinds.h"
#include "core/source/trace.h"

namespace headscope {

// What views need of a source, and the sentences that say so where it is missing: English, to be translated.

/// What decides which views there are. `model`: nullptr if it is not read yet, or there is none.
struct ViewedSource {
  const Inputs& inputs;
  const Trace* trace;
  const BlockTrace& block;
  const ModelConfig* model;
  /// Whether the trace is of the source of the inputs.
  bool known() const;
};

/// Why the view has nothing to show; nullptr: it has, or that is not known yet.
const char* why_no_view(const ViewedSource& source, const ViewKindRow& view);
/// The same of a trace as it is, which may be nullptr.
const char* why_no_view(const Inputs& inputs, const Trace* trace, const ViewKindRow& view);

/// Whether sources of this kind have this page of the steps.
bool has_page(const Inputs& inputs, StepsPage page);

// For the rows of views.
const char* no_contributions(const Trace* trace);
const char* no_lens(const Trace* trace);
const char* no_causes(const Trace* trace);
const char* no_circuits(const Trace* trace);
const char* missing_picture(const ViewedSource& source);
const char* missing_steps(const ViewedSource& source);

}  // namespace headscope

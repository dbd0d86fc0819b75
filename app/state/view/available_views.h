#pragma once
#include "core/inputs/inputs.h"
#include "core/model/config.h"
#include "core/scene/view.h"
#include "core/scene/view_kinds.h"
#include "core/source/trace.h"

namespace headscope {

struct Workspace;

/// What decides which views there are. `model`: nullptr if it is not read yet, or there is none.
struct ViewedSource {
  const Inputs& inputs;
  const Trace* trace;
  const BlockTrace& block;
  const ModelConfig* model;
};

/// Whether sources of this kind have the view, which otherwise has no tab.
bool has_view(const Inputs& inputs, const ViewKindRow& view);
/// Whether they have this page of the steps.
bool has_page(const Inputs& inputs, StepsPage page);
/// Why the view has nothing to show, English, to be translated; nullptr: it has, or that is not known yet.
const char* why_no_view(const ViewedSource& source, const ViewKindRow& view);
/// The same for what the window shows.
const char* why_no_view(const Workspace& work, ViewKind view);

/// Once a frame: a view that the source no longer has gives way to the grid, and a page to that of a cell.
void leave_missing_view(Workspace& work);

}  // namespace headscope

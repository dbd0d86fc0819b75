#include "app/state/view/available_views.h"

#include "app/state/workspace.h"

namespace headscope {

const char* why_no_view(const Workspace& work, ViewKind view) {
  const auto block = work.block();
  const auto config = work.opening.config(work.inputs);
  return why_no_view({work.inputs, work.trace().get(), *block, config.get()}, view_kind(view));
}

void leave_missing_view(Workspace& work) {
  if (work.frozen.a) return;
  View& view = work.state.view;
  if (why_no_view(work, view.kind) != nullptr) view.kind = View().kind;
  if (!has_page(work.inputs, view.steps.page)) view.steps.page = StepsPage::cell;
}

}  // namespace headscope

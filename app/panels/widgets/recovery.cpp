#include "app/panels/widgets/recovery.h"

#include <imgui_internal.h>

namespace headscope {
namespace {

void report(ImGuiIO& io, bool on) {
  io.ConfigErrorRecoveryEnableAssert = on;
  io.ConfigErrorRecoveryEnableDebugLog = on;
  io.ConfigErrorRecoveryEnableTooltip = on;
}

}  // namespace

Recovery::Recovery(ImGuiContext& context) : context_(context) {
  report(context.IO, false);
}

Recovery::~Recovery() {
  report(context_.IO, true);
}

void Recovery::take_back_window() {
  ImGuiWindowStackData& window = context_.CurrentWindowStack.back();
  // ImGui's own recovery takes BeginDisabled(false) for a tooltip's.
  const int begun = window.StackSizesInBegin.SizeOfDisabledStack + (window.DisabledOverrideReenable ? 1 : 0);
  while (context_.DisabledStackSize > begun) ImGui::EndDisabled();
  ImGui::ErrorRecoveryTryToRecoverWindowState(&window.StackSizesInBegin);
  window.DisabledOverrideReenable = false;  // taken back with the rest, which End() does not know
}

void Recovery::take_back_rest() {
  ImGui::ErrorRecoveryTryToRecoverState(&context_.StackSizesInNewFrame);
}

}  // namespace headscope

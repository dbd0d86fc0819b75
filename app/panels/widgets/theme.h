#pragma once
#include <imgui.h>

#include "app/panels/widgets/style.h"
#include "app/state/jobs/notices.h"

namespace headscope {

struct Presentation;
struct Settings;

/// The colours of the window in addition to those of ImGui's style.
struct Palette {
  ImU32 background;  ///< behind everything
  ImU32 panel;       ///< sections, cards
  ImU32 border;
  ImU32 text;
  ImU32 muted;   ///< labels, hints
  ImU32 accent;  ///< selection
  ImU32 accent_soft;
  ImU32 on_accent;
  ImU32 warning;
  ImU32 error;
  ImU32 field;  ///< inside of edit boxes
};
const Palette& palette(WindowTheme theme);

/// Sets the chosen colours, and whether the view is presented.
void set_style(Style& style, const Settings& settings, const Presentation& presentation);

/// Sets colours and sizes of ImGui's style from scratch: repeated calls do not accumulate.
void apply_theme(const Style& style);

ImU32 notice_color(const Palette& colors, Notice::Kind kind);
ImVec4 to_vec4(ImU32 color);
ImU32 with_alpha(ImU32 color, float alpha);

}  // namespace headscope

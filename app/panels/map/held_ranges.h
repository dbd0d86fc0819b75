#pragma once
#include <imgui.h>

#include <vector>

#include "core/scene/colormap.h"
#include "core/scene/view.h"

namespace headscope {

/// Colour ranges that follow the weights, except while a slider is held: a colour must mean the same weight
/// before and after, or the change could not be seen.
class HeldRanges {
 public:
  /// `now`, or with `holding` the previous limits, as long as the view's range settings are the same.
  const std::vector<ColorRange>& of(const std::vector<ColorRange>& now, const View& view, bool holding);

 private:
  std::vector<ColorRange> before_, shown_;
  ViewKind kind_ = ViewKind::grid;
  Range range_ = Range::unit;
  ColorLimits limits_;
  int layer_ = -1;
};

/// Call after a slider: records whether it is held.
void note_sliding();
/// Whether a slider is held in this frame; panels are drawn after the controls.
bool is_sliding();

}  // namespace headscope

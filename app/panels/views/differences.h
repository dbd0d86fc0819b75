#pragma once
#include "app/panels/shell/ui.h"

namespace headscope {

// What is listed below the maps of a comparison.

struct Comparison;
/// `width`: 0: to the right edge.
void draw_differences(Ui& ui, const std::shared_ptr<const Comparison>& comparison, int head, float width = 0);

/// Whether B's predictions differ from A's after the locked cell's query, or after the last token; `other` is
/// B's trace.
bool has_shifted_predictions(const Ui& ui);
void draw_shifted_predictions(Ui& ui);

}  // namespace headscope

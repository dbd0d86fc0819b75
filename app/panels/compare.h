#pragma once
#include "app/panels/ui.h"

namespace headscope {

/// A beside B and their signed difference, on common axes; what differs most is listed. B begins as a copy of
/// A's inputs.
void draw_compare(Ui& ui);

// Its parts.
struct Comparison;
void draw_compare_bar(Ui& ui, int& head, int heads);
void draw_differences(Ui& ui, const std::shared_ptr<const Comparison>& comparison, int head);

}  // namespace headscope

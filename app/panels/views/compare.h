#pragma once
#include "app/panels/shell/ui.h"

namespace headscope {

/// A beside B and their signed difference, on common axes; what differs most is listed. B begins as a copy of
/// A's inputs.
void draw_compare(Ui& ui);

// Its parts.
struct Comparison;
/// What is shown where there is room for one of them.
enum class ComparePart { maps, differences, predictions };
/// `part`: is asked for; nullptr: all are shown.
void draw_compare_bar(Ui& ui, int& head, int heads, ComparePart* part);
/// `width`: 0: to the right edge.
void draw_differences(Ui& ui, const std::shared_ptr<const Comparison>& comparison, int head, float width = 0);

/// What B expects otherwise than A after the locked cell's query, or after the last token; `other` is B's
/// trace.
bool has_shifted_predictions(const Ui& ui);
void draw_shifted_predictions(Ui& ui);

}  // namespace headscope

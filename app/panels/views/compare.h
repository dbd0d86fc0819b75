#pragma once
#include "app/panels/shell/ui.h"

namespace headscope {

/// A next to B and their signed difference, on common axes; the largest differences are listed. B begins as a
/// copy of A's inputs.
void draw_compare(Ui& ui);

// Its parts.
struct Comparison;
/// What is shown where only one of them fits.
enum class ComparePart { maps, differences, predictions };
/// `part`: to be chosen; nullptr: all are shown.
void draw_compare_bar(Ui& ui, int& head, int heads, ComparePart* part);
/// `width`: 0: to the right edge.
void draw_differences(Ui& ui, const std::shared_ptr<const Comparison>& comparison, int head, float width = 0);

/// A bar in the rest of the table's cell: the share of `largest`, coloured by the sign.
void draw_difference_bar(double difference, double largest);

/// Whether B's predictions differ from A's after the locked cell's query, or after the last token; `other` is
/// B's trace.
bool has_shifted_predictions(const Ui& ui);
void draw_shifted_predictions(Ui& ui);

}  // namespace headscope

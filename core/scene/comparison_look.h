#pragma once
#include <array>
#include <string>
#include <vector>

#include "core/analysis/comparison.h"
#include "core/base/translate.h"
#include "core/inputs/inputs.h"
#include "core/scene/range.h"

namespace headscope {

/// What screen and figure show of a comparison in addition to its numbers.
struct ComparisonLook {
  /// The token of both sides, or how it changed: "cat → dog", "− cat" if only A has it, "+ dog" if only B has
  /// it.
  std::vector<std::string> rows, columns;
  std::vector<ColorRange>
      weights;  ///< one per head: one range for A and B, so that a colour is the same weight in both
  std::vector<ColorRange> difference;  ///< one per head: symmetric around zero; one for all heads under
                                       ///< Range::shared, under Range::fixed up to the distance of the limits
};

/// If A and B do not differ, in one head or in all of them (head = -1): that they are equal, or that float32
/// cannot distinguish them; otherwise empty.
std::string equality_note(const Translator& tr, const Comparison& comparison, int head);
/// What distinguishes the sides besides their texts, if a few words say it: "all heads" and "without 1.2";
/// "Temperature 0.5" and "Temperature 2"; otherwise empty. `layers`: heads are named by their layer, too.
/// `brief`: "0.5" and "2".
std::array<std::string, 2> side_names(const Translator& tr, const Inputs& a, const Inputs& b, bool layers,
                                      bool brief = false);
/// The title of the difference: "B − A", with its float32 rounding.
std::string difference_title(const Translator& tr, const Comparison& comparison, int head);

/// O(heads rows columns): compute once per picture.
ComparisonLook comparison_look(const Comparison& comparison, RangeChoice choice);

/// What the colours of the three maps mean.
std::string compared_name(const Translator& tr, const RangeChoice& choice, const FilteredLayer& shown);

}  // namespace headscope

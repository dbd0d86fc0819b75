#pragma once
#include <string>
#include <vector>

#include "core/analysis/comparison.h"
#include "core/base/translate.h"
#include "core/scene/colormap.h"

namespace headscope {

/// What screen and figure show of a comparison beside its numbers.
struct ComparisonLook {
  /// The token of both sides, or what became of it: "cat → dog", "− cat" where only A has it, "+ dog" where
  /// only B has.
  std::vector<std::string> rows, columns;
  std::vector<ColorRange>
      weights;  ///< a head each: one range for A and B, so that a colour is the same weight in both
  std::vector<ColorRange> difference;  ///< a head each: as far below zero as above; one for all heads under
                                       ///< Range::shared, under Range::fixed as far as the limits lie apart
};

/// Where A and B do not differ, in one head or in all of them (head = -1): that they are equal, or that
/// float32 cannot tell them apart; else empty.
std::string equality_note(const Translator& tr, const Comparison& comparison, int head);
/// The title of the difference: "B − A", with what float32 makes of it.
std::string difference_title(const Translator& tr, const Comparison& comparison, int head);

/// O(heads rows columns): ask once for a picture.
ComparisonLook comparison_look(const Comparison& comparison, Range range, const ColorLimits& limits = {});

}  // namespace headscope

#pragma once
#include "core/analysis/comparison.h"
#include "core/analysis/filtered_layer.h"
#include "core/base/translate.h"
#include "core/figure/canvas/pool.h"
#include "core/scene/comparison_look.h"
#include "core/scene/scene.h"
#include "core/scene/thumbnails.h"
#include "core/scene/view.h"

namespace headscope {

// The maps of the views, for screen and figure. The caller says what keeps their numbers alive.

/// A head of the shown layer.
MapPicture head_picture(const FilteredLayer& shown, const View& view, int head, const ColorRange& range);
/// A head of the small maps of all layers; `column`: which of the small maps, the head of its block or that
/// of a rollout beside it.
MapPicture thumbnail_picture(const Thumbnails& thumbnails, const BlockTrace& block, const View& view,
                             int layer, int head, int column, const ColorRange& range);

/// The three maps of a comparison.
enum class ComparedMap { a, b, difference };
MapPicture compared_picture(const Comparison& comparison, const ComparedHead& maps, const View& view,
                            int head, ComparedMap map, const ColorRange& range);
/// "A", "B · without 1.2", "B − A"; with the scene's traces, if it has them. `brief`: "B · 0.5" in place of
/// "B · Temperature 0.5".
std::string compared_title(const Translator& tr, const Scene& scene, const Comparison& comparison, int head,
                           ComparedMap map, bool brief = false);

}  // namespace headscope

#include "app/panels/views/head_badge.h"

#include <algorithm>

#include "app/panels/widgets/glyphs.h"
#include "core/scene/translation_text.h"
#include "core/source/source.h"

namespace headscope {

std::string fitting_badge(const Ui& ui, int layer, int head,
                          const std::function<bool(const std::string& badge)>& fits) {
  const Scene& scene = *ui.scene;
  if (scene.trace == nullptr || scene.trace->source == nullptr) return {};
  const ModelNotes* notes = scene.trace->source->model_notes();
  for (const std::string& badge : relation_badges(ui.tr, notes, scene.block->shape.kind, layer, head))
    if (const std::string drawn = drawn_text(badge); fits(drawn)) return drawn;
  return {};
}

std::string fitting_badge(const Ui& ui, int head, const std::function<bool(const std::string& badge)>& fits) {
  return fitting_badge(ui, ui.shown->layer, head, fits);
}

}  // namespace headscope

#include "app/panels/map/held_ranges.h"

#include "app/panels/shell/panel_memory.h"
#include "core/scene/range.h"

namespace headscope {

const std::vector<ColorRange>& HeldRanges::of(const std::vector<ColorRange>& now, const View& view,
                                              bool holding) {
  const bool same = kind_ == view.kind && range_ == view.range && limits_ == view.limits &&
                    layer_ == view.layer && before_.size() == now.size();
  if (!holding || !same) {
    before_ = shown_ = now;
    kind_ = view.kind;
    range_ = view.range;
    limits_ = view.limits;
    layer_ = view.layer;
    return shown_;
  }
  for (std::size_t i = 0; i < now.size(); ++i) shown_[i] = held_range(before_[i], now[i]);
  return shown_;
}

void note_sliding() {
  auto* memory = static_cast<PanelMemory*>(ImGui::GetIO().UserData);
  if (memory != nullptr && ImGui::IsItemActive()) memory->maps.sliding_frame = ImGui::GetFrameCount();
}

bool is_sliding() {
  const auto* memory = static_cast<const PanelMemory*>(ImGui::GetIO().UserData);
  return memory != nullptr && (memory->hold_colors || memory->maps.sliding_frame == ImGui::GetFrameCount());
}

}  // namespace headscope

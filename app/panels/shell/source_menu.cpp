#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "app/panels/map/map_panel.h"
#include "app/panels/shell/frame_parts.h"
#include "app/panels/widgets/imgui_calls.h"
#include "app/panels/widgets/pixels.h"
#include "app/panels/widgets/placed_text.h"
#include "app/panels/widgets/theme.h"
#include "app/panels/widgets/widgets.h"
#include "app/state/app.h"
#include "app/state/derived/model_thumbnails.h"
#include "core/figure/boards/map_pictures.h"
#include "core/model/weights/built_in_models.h"

namespace headscope {
namespace {

constexpr std::size_t most_recent = 5;

void entry(App& app, const char* id, const std::string& mark) {
  action_item(app, *find_action(app, id), mark);
}

void recent_part(App& app, const Style& style, const char* title, const std::vector<std::string>& paths) {
  if (paths.empty()) return;
  menu_heading(style, title);
  recent_items(app, paths, most_recent);
}

/// A map of the model at work; until that is computed, or where it is not installed, an empty box.
void draw_thumbnail(App& app, Ui& ui, const BuiltInModel& model, const Rect& box, int slot) {
  auto& thumbnails = ui.memory.thumbnails;
  if (!thumbnails) thumbnails = std::make_shared<ModelThumbnails>(app.wake, app.memory);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  if (const ModelThumbnails::One* const one = thumbnails->find(model.name)) {
    MapPicture picture = thumbnail_picture(*one->maps, *one->block, ui.view(), one->layer, one->head,
                                           one->head, one->maps->layers[one->layer].ranges[one->head]);
    picture.owner = one->maps;
    draw_picture(list, ui, place_map(ui.style, PainterSlots::source + slot, box, std::move(picture)));
  }
  list.AddRect({pixels(box.x), pixels(box.y)}, {pixels(box.right()), pixels(box.bottom())},
               palette(ui.style.theme).border);
}

/// The name that the path shows, too, and below it what the model is.
void built_in_entry(App& app, Ui& ui, const BuiltInModel& model, float width, int slot) {
  const Action& action = *find_action(app, std::string("model ") + model.name);
  const float em = ui.style.font_size, side = std::round(2.4F * em);
  const bool enabled = is_enabled(app, action);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const std::string mark = std::string("source ") + model.name;
  const bool chosen = ImGui::Selectable(("###" + mark).c_str(), action.checked(app),
                                        enabled ? 0 : ImGuiSelectableFlags_Disabled,
                                        {width + side + em, side + std::round(0.3F * em)});
  anchor(mark);
  tooltip(enabled ? app.tr(model.help) : action.refused(app));
  const float top = at.y + std::round(0.15F * em);
  draw_thumbnail(app, ui, model, {at.x, top, side, side}, slot);
  const Palette& colors = palette(ui.style.theme);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float left = at.x + side + 0.6F * em;
  draw_text(list, text_style(em, enabled ? colors.text : colors.muted, 0, 0.5F), {left, top + 0.3F * side},
            model.name);
  draw_text(list, text_style(ui.style.small, colors.muted, 0, 0.5F), {left, top + 0.75F * side},
            text_of(action, app.tr));
  if (chosen) action.run(app);
}

void built_in_part(App& app, Ui& ui) {
  menu_heading(ui.style, app.tr("Built-in models"));
  float width = 0;
  for (const BuiltInModel& model : built_in_models())
    width = std::max(width, ImGui::CalcTextSize(app.tr(model.title)).x);
  int slot = 0;
  for (const BuiltInModel& model : built_in_models()) built_in_entry(app, ui, model, width, slot++);
}

}  // namespace

bool is_notebook_source(const Inputs& inputs) {
  return inputs.about().from_seed && static_cast<const SeededLayer&>(inputs) == SeededLayer{};
}

void draw_source_menu(App& app, Ui& ui) {
  entry(app, "notebook", "source notebook");
  built_in_part(app, ui);
  recent_part(app, ui.style, app.tr("Recent models"), app.settings.recent_models);
  recent_part(app, ui.style, app.tr("Recent files"), app.settings.recent_files);
  ImGui::Separator();
  entry(app, "open model", "source folder");
  entry(app, "open capture", "source capture");
  entry(app, "open", "source file");
}

}  // namespace headscope

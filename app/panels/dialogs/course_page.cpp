#include <algorithm>
#include <cfloat>
#include <cmath>

#include "app/panels/dialogs/dialog_list.h"
#include "app/panels/dialogs/dialogs.h"
#include "app/panels/map/board.h"
#include "app/panels/widgets/imgui_calls.h"
#include "app/panels/widgets/pixels.h"
#include "app/panels/widgets/theme.h"
#include "app/panels/widgets/widgets.h"
#include "app/state/actions/actions.h"
#include "app/state/app.h"
#include "app/state/lesson/play_course.h"
#include "app/state/lesson/play_lesson.h"
#include "core/teach/course.h"
#include "core/teach/text_board.h"

namespace headscope {
namespace {

/// One frame of the page.
class CourseDialog {
 public:
  CourseDialog(App& app, Ui& ui)
      : app_(app), ui_(ui), tr_(app.tr), course_(*app.lesson.lesson), em_(ui.style.font_size) {
    card_ = {std::floor(13 * em_), 0};
    const float scale = ImGui::GetIO().DisplayFramebufferScale.x;
    picture_ = {card_.x, std::floor(card_.x * 2 / 3)};
    card_.y = picture_.y + 2 * ImGui::GetTextLineHeightWithSpacing();
    look_.language = tr_.language();
    look_.theme = app.settings.theme;
    look_.width = whole(picture_.x * scale);
    look_.height = whole(picture_.y * scale);
    pictures_ = pictures_of_course(app, look_);
  }

  /// The step that was chosen, from 0.
  std::optional<int> draw() {
    // What is chosen when it opens may scroll it: once more in the next frame.
    int& frames = *ImGui::GetStateStorage()->GetIntRef(ImGui::GetID("frames"));
    frames = ImGui::IsWindowAppearing() ? 0 : frames + 1;
    appears_ = frames < 2;
    draw_head();
    ImGui::BeginChild("parts", {0, height_in_dialog(FLT_MAX, 1)});
    draw_text(course_.text);
    for (std::size_t part = 0; part < course_.parts.size(); ++part) draw_part(part);
    ImGui::EndChild();
    draw_foot();
    return chosen_;
  }

 private:
  bool was_shown(int step) const { return headscope::was_shown(app_, step); }
  static int whole(float pixels) { return static_cast<int>(pixels); }
  int shown_in(const StepsOfPart& steps) const {
    int count = 0;
    for (int i = steps.first; i < steps.end; ++i) count += was_shown(i) ? 1 : 0;
    return count;
  }
  std::string minutes(const StepsOfPart& steps) const {
    return tr_("{} min", minutes_text(minutes_of(course_, steps)));
  }

  void draw_head() {
    const StepsOfPart all = all_steps(course_);
    const int shown = shown_in(all);
    const double share = shown;
    ImGui::ProgressBar(pixels(share / all.end), {-1, 0.5F * em_}, "");
    muted_text(ui_.style, minutes(all) + " · " + tr_("{} of {} shown", shown, all.end));
    anchor("course progress");
  }

  void draw_text(const InLanguages<LessonText>& texts) {
    const LessonText& text = texts.in(tr_.language());
    if (text.empty()) return;
    const Board board = text_board(text, board_style(ui_), ImGui::GetContentRegionAvail().x - em_,
                                   [](const TextSpan& span) { return span.text; });
    draw_board(ui_, board, ImGui::GetCursorScreenPos());
  }

  void draw_part(std::size_t part) {
    const StepsOfPart steps = steps_of(course_, part);
    ImGui::Dummy({0, 0.4F * em_});
    ImGui::PushFont(nullptr, std::round(1.2F * em_));
    wrapped_text(drawn_text(course_.parts[part].title.in(tr_.language())));
    ImGui::PopFont();
    anchor("course part " + std::to_string(part + 1));
    muted_text(ui_.style,
               minutes(steps) + " · " + tr_("{} of {} shown", shown_in(steps), steps.end - steps.first));
    draw_text(course_.parts[part].text);
    const float room = ImGui::GetContentRegionAvail().x, gap = ImGui::GetStyle().ItemSpacing.x;
    const int across = std::max(1, whole((room + gap) / (card_.x + gap)));
    for (int i = steps.first; i < steps.end; ++i) {
      if ((i - steps.first) % across != 0) ImGui::SameLine();
      draw_card(i);
    }
  }

  void draw_card(int number) {
    const LessonStep& step = course_.steps[number];
    const Palette& colors = palette(ui_.style.theme);
    ImGui::PushID(number);
    const ImVec2 from = ImGui::GetCursorScreenPos();
    if (invisible_button("card", card_)) chosen_ = number;
    anchor("course step " + std::to_string(number + 1));
    const int present = app_.dialogs.course.begins ? next_of_course(app_) : app_.lesson.step;
    const bool here = number == present, over = ImGui::IsItemHovered() || ImGui::IsItemFocused();
    const std::string title = drawn_text(step.title.in(tr_.language()));
    hear_name(std::to_string(number + 1) + ". " + title);
    tooltip(title + "\n" + drawn_text(step.lesson.in(tr_.language())) + " · " +
            tr_("step {}", step.lesson_step));
    // In its window, "parts".
    if (here && appears_) ImGui::SetScrollHereY(0.5F);
    if (here) anchor("course step here " + std::to_string(number + 1));
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const ImVec2 low{from.x + picture_.x, from.y + picture_.y};
    list.AddRectFilled(from, low, colors.background);
    const std::shared_ptr<const Picture> picture = pictures_ ? (*pictures_)[number] : nullptr;
    if (picture)
      if (const ImTextureID texture = ui_.painter.picture(PainterSlots::course + number, picture))
        list.AddImage(texture, from, low);
    list.AddRect(from, low, here || over ? colors.accent : colors.border, 0, 0,
                 here ? 2 * mark_line(ui_.style) : 1);
    const float line = ImGui::GetTextLineHeightWithSpacing();
    const std::string mark = was_shown(number) ? "✓ " : "";
    const std::string name = fit_text(mark + std::to_string(number + 1) + "  " + title, card_.x);
    list.AddText({from.x, low.y + 2}, colors.text, name.c_str());
    const std::string place = fit_text(
        tr_("{} min", minutes_text(step.minutes)) + " · " + drawn_text(step.lesson.in(tr_.language())),
        card_.x);
    list.AddText({from.x, low.y + 2 + line}, colors.muted, place.c_str());
    ImGui::PopID();
  }

  void draw_foot() {
    const int next = next_of_course(app_);
    const std::string text = next == 0 ? std::string(tr_("Begin")) : tr_("Go on with step {}", next + 1);
    if (dialog_button(text.c_str(), "course begin")) chosen_ = next;
    if (ImGui::IsWindowAppearing()) focus_last_item();
  }

  App& app_;
  Ui& ui_;
  const Translator& tr_;
  const Lesson& course_;
  const float em_;
  ImVec2 card_, picture_;
  bool appears_ = false;
  StepPicturesLook look_;
  std::shared_ptr<const StepPictures> pictures_;
  std::optional<int> chosen_;
};

}  // namespace

void draw_course(App& app, Ui& ui) {
  bool& open = app.dialogs.course.open;
  if (!open || !plays_course(app.lesson)) return;
  const std::shared_ptr<const Lesson> course = app.lesson.lesson;  // kept alive while another is opened
  if (!begin_dialog("course", drawn_text(course->title.in(app.tr.language())).c_str(), open, 84)) return;
  const std::optional<int> chosen = CourseDialog(app, ui).draw();
  // A room reads it, and the lecture begins here: a dialog has all other keys.
  for (const char* action : {"larger", "smaller", "reset size", "present"})
    if (is_pressed(app, action)) run_action(app, action);
  if (chosen) open = false;
  if (!open) ImGui::CloseCurrentPopup();
  end_dialog();
  if (chosen) go_to_step(app, *chosen);
}

}  // namespace headscope

#include "app/panels/lesson/lesson_panel.h"

#include <imgui_internal.h>

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <functional>
#include <span>

#include "app/panels/inputs/source_bar.h"
#include "app/panels/map/board.h"
#include "app/panels/map/map_pointer.h"
#include "app/panels/views/inspector.h"
#include "app/panels/widgets/glyphs.h"
#include "app/panels/widgets/imgui_calls.h"
#include "app/panels/widgets/pixels.h"
#include "app/panels/widgets/placed_text.h"
#include "app/panels/widgets/theme.h"
#include "app/panels/widgets/widgets.h"
#include "app/state/actions/actions.h"
#include "app/state/actions/present.h"
#include "app/state/app.h"
#include "app/state/document/links.h"
#include "app/state/document/open_model.h"
#include "app/state/lesson/play_course.h"
#include "app/state/lesson/play_lesson.h"
#include "app/state/view/caption.h"
#include "app/state/view/panels.h"
#include "core/base/utf8.h"
#include "core/scene/view_kinds.h"
#include "core/teach/changed_text.h"
#include "core/teach/course.h"
#include "core/teach/library.h"
#include "core/teach/step_header.h"
#include "core/teach/text_board.h"

namespace headscope {
namespace {

/// A lesson next to the views: the text of the step on top, the navigation below, always in the same place.
class LessonPanel {
 public:
  LessonPanel(App& app, Ui& ui)
      : app_(app), ui_(ui), tr_(ui.tr), lesson_(app.lesson.lesson), em_(ui.style.font_size) {}

  void draw() {
    const bool in_sheet = ui_.style.finger > 0;  // of a phone, which is low, and whose handle has the title
    if (!in_sheet) draw_title();
    if (!in_sheet) draw_place_in_course();
    const float foot = foot_height();
    ImGui::BeginChild("lesson text", {0, std::max(em_ * 3, ImGui::GetContentRegionAvail().y - foot)});
    const bool begins = is_new_step();
    if (in_sheet) draw_place_in_course();
    draw_step();
    end_part();
    if (in_sheet) ask_for_height(foot);
    scroll_text(begins);
    ImGui::EndChild();
    draw_foot();
    if (draw_close()) return close_lesson(app_);
    follow();
  }

  /// Texts and questions alone, in type as large as they fit in the rest of the window: on several pages
  /// where one has no room for all.
  void draw_presented() {
    const ImVec2 room = ImGui::GetContentRegionAvail();
    ImGui::BeginChild("presented text", room);
    const bool begins = is_new_step();
    draw_mistakes();
    draw_refused();
    const float height = room.y - ImGui::GetCursorPosY();
    const std::vector<std::size_t> pages = pages_of({room.x, height});
    if (pages.empty()) {  // a part is higher than the window
      draw_texts();
      scroll_text(begins);
    } else {
      draw_page(pages, begins, room, height);
    }
    ImGui::EndChild();
    follow();
  }

  /// The line of the step; returns its height.
  float draw_header(ImVec2 from, float width) {
    BoardStyle style = board_style(ui_);
    style.font_size = em_;
    const LessonPlace place{app_.lesson.step, app_.lesson.part, app_.lesson.ended};
    static const LessonText none{};
    const Board board = step_header(*lesson_, place, style, width, numbers(), tr_,
                                    withholds_text(app_) ? &none : &text_now(app_, step().claim));
    const auto height = pixels(board.height);
    ImGui::PushClipRect(from, {from.x + pixels(board.width), from.y + height}, true);
    ImGui::SetCursorScreenPos(from);
    draw_board(ui_, board, from);
    ImGui::PopClipRect();
    for (const BoardRegion& region : board.regions) {
      const auto [min, max] = OnScreen(region.rect, from);
      note_place("presented lesson " + region.name, min, max);
    }
    point_at_links(board, from);
    follow();
    return height;
  }

  /// What the reader is to do, if the step asks for a state; returns its height.
  float draw_task(ImVec2 from, float width) {
    const auto& questions = step().questions;
    const auto found = std::ranges::find_if(
        questions, [](const LessonQuestion& question) { return question.check.has_value(); });
    if (found == questions.end()) return 0;
    BoardStyle style = board_style(ui_);
    style.font_size = em_;
    const auto number = static_cast<int>(found - questions.begin());
    const bool done =
        question_answered(app_, number).value_or(false) || answer_given(app_, number) != nullptr;
    const Palette& colors = palette(ui_.style.theme);
    const float inset = 1.2F * em_;
    const Board board = text_board(found->text.in(tr_.language()), style, width - inset, numbers());
    const float bottom = from.y + pixels(board.height);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    if (done)
      list.AddText({from.x, from.y + 0.2F * em_}, colors.accent, "✓");
    else
      list.AddRectFilled({from.x + 0.4F * em_, from.y + 0.2F * em_}, {from.x + 0.6F * em_, bottom},
                         colors.accent);
    ImGui::SetCursorScreenPos({from.x + inset, from.y});
    draw_board(ui_, board, {from.x + inset, from.y});
    hear_blocks(found->text.in(tr_.language()).blocks, numbers());
    note_place(done ? "presented task done" : "presented task", from, {from.x + width, bottom});
    return pixels(board.height);
  }

 private:
  const LessonStep& step() const { return lesson_->steps[app_.lesson.step]; }
  ShowNumber numbers() const {
    return [this](const TextSpan& span) { return lesson_number(app_, span); };
  }
  /// Since the last frame of this window.
  bool is_new_step() const {
    int& shown = *ImGui::GetStateStorage()->GetIntRef(ImGui::GetID("step"), -1);
    return std::exchange(shown, app_.lesson.step) != app_.lesson.step;
  }
  BoardStyle style_of_texts() const {
    BoardStyle style = board_style(ui_);
    style.font_size *= scale_;
    return style;
  }
  /// What a page is made of: it has a whole number of them.
  struct Unit {
    std::function<void()> draw;
    double height = 0;
  };
  double height_of(std::span<const TextBlock> blocks, double width) const {
    return blocks.empty() ? 0.0 : text_board(blocks, style_of_texts(), width, numbers()).height;
  }
  std::vector<Unit> units(float width, double high) {
    const double spacing = static_cast<double>(ImGui::GetStyle().ItemSpacing.y);
    std::vector<Unit> all;
    const auto text = [&](std::span<const TextBlock> blocks, const char* mark) {
      if (blocks.empty()) return;
      const double height = height_of(blocks, width) + 0.2 * em_ + 2 * spacing;
      if (height > high && blocks.size() > 1) {
        for (std::size_t i = 0; i < blocks.size(); ++i) {
          const auto block = blocks.subspan(i, 1);
          all.push_back({[this, block, mark] { draw_text(block, mark); },
                         height_of(block, width) + 0.6 * em_ + 2 * spacing});
        }
        return;
      }
      all.push_back({[this, blocks, mark] { draw_text(blocks, mark); }, height});
    };
    if (app_.lesson.step == 0) text(text_now(app_, lesson_->text).blocks, "lesson introduction");
    add_questions(all, true, width);
    const LessonText& words = text_now(app_, step().text);
    const std::span<const TextBlock> blocks(words.blocks);
    const std::size_t end = blocks_before_references(words);
    if (withholds_text(app_))
      all.push_back({[this] { draw_way_to_text(); }, 3.5 * em_});
    else
      text(blocks.first(end), "lesson words");
    add_questions(all, false, width);
    if (!withholds_text(app_)) text(blocks.subspan(end), "lesson references");
    return all;
  }
  void add_questions(std::vector<Unit>& all, bool first, float width) {
    const double spacing = static_cast<double>(ImGui::GetStyle().ItemSpacing.y);
    const double line = em_ + spacing, frame = static_cast<double>(ImGui::GetFrameHeight()) + spacing;
    for (int i = 0; i < std::ssize(step().questions); ++i) {
      const LessonQuestion& question = step().questions[i];
      if (question.comes_first() != first) continue;
      const auto asked = [&](const InLanguages<LessonText>& one, double room) {
        return height_of(one.in(tr_.language()).blocks, room);
      };
      const double inner = width - 1.2 * em_;
      double height = 1.7 * em_ + 5 * spacing + line + asked(question.text, inner) + 0.2 * em_ + 2 * spacing;
      for (const LessonChoice& choice : question.choices)
        height += std::max(frame, asked(choice.text, inner - frame - 0.5 * em_) + 2 * spacing);
      if (question.number) height += frame;
      if (!question.answer.in(tr_.language()).empty()) height += frame;
      if (app_.lesson.answers_shown.contains(i)) height += asked(question.answer, inner) + line;
      all.push_back({[this, i] { draw_question(i); }, height});
    }
  }

  /// All but the line that says which page it is, where there are several.
  double height_for_units(float height, bool one_page) const {
    return static_cast<double>(height - (one_page ? 0 : 1.3F * em_));
  }

  /// The first unit of each page, and their number behind the last, in the largest type in which all fit on
  /// one page, or otherwise each of them on one; none: there is none.
  std::vector<std::size_t> pages_of(ImVec2 room) {
    // Of type that is larger than the smallest already.
    constexpr double scales[] = {1.35, 1.2, 1.0, 0.834};
    for (const bool one : {true, false})
      for (const double scale : scales) {
        scale_ = scale;
        const double high = height_for_units(room.y, one);
        std::vector<std::size_t> pages{0};
        double taken = 0;
        bool fits = true;
        const std::vector<Unit> all = units(room.x, high);
        for (std::size_t i = 0; i < all.size(); ++i) {
          fits &= all[i].height <= high;
          if (taken > 0 && taken + all[i].height > high) {
            pages.push_back(i);
            taken = 0;
          }
          taken += all[i].height;
        }
        if (fits && (!one || pages.size() == 1)) {
          pages.push_back(all.size());
          return pages;
        }
      }
    return {};
  }

  /// `height`: as pages_of() had.
  void draw_page(const std::vector<std::size_t>& pages, bool begins, ImVec2 room, float height) {
    LessonPlayer& player = app_.lesson;
    const auto last = static_cast<int>(pages.size()) - 2;
    int& page = *ImGui::GetStateStorage()->GetIntRef(ImGui::GetID("page"));
    page = std::clamp((begins ? 0 : page) + std::exchange(player.scroll, 0), 0, std::max(0, last));
    player.text_above = page > 0;
    player.text_below = page < last;
    const std::vector<Unit> all = units(room.x, height_for_units(height, last <= 0));
    for (std::size_t i = pages[page]; i < pages[page + 1]; ++i) all[i].draw();
    if (last <= 0) return;
    const ImVec2 corner = ImGui::GetWindowPos();
    const std::string sign = tr_("{} / {}", page + 1, last + 1) + (page < last ? "  ↓" : "  ↑");
    const ImVec2 size = ImGui::CalcTextSize(sign.c_str());
    const ImVec2 at{corner.x + room.x - size.x, corner.y + room.y - size.y};
    ImGui::GetWindowDrawList()->AddText(at, palette(ui_.style.theme).accent, sign.c_str());
    note_place("lesson page", at, {at.x + size.x, at.y + size.y});
  }

  /// Scrolls by a page less one line, which shows where to read on; to the top where a step begins.
  void scroll_text(bool begins) {
    LessonPlayer& player = app_.lesson;
    float& was = *ImGui::GetStateStorage()->GetFloatRef(ImGui::GetID("scroll"));
    const auto by = static_cast<float>(std::exchange(player.scroll, 0));
    // ImGui's navigation scrolls by these keys too.
    const bool paged = key_pressed(Key::page_down) || key_pressed(Key::page_up);
    const float screen = std::max(em_, ImGui::GetWindowHeight() - 1.5F * em_);
    const float from = begins ? 0 : paged ? was : ImGui::GetScrollY();
    was = std::clamp(from + by * screen, 0.0F, ImGui::GetScrollMaxY());
    if (was != ImGui::GetScrollY()) ImGui::SetScrollY(was);
    const float rest = em_ * 0.4F;  // smaller than any line
    player.text_above = was > rest;
    player.text_below = was < ImGui::GetScrollMaxY() - rest;
  }

  void end_part() { parts_.push_back(ImGui::GetCursorPosY()); }
  /// Of a phone's sheet: that of all, or the end of a part, which cuts no choice, in half of the window.
  void ask_for_height(float foot) const {
    // One more, so that rounding brings no scrollbar.
    const float around = foot + 2 * ImGui::GetStyle().WindowPadding.y + 1;
    const float most = 0.5F * ImGui::GetMainViewport()->WorkSize.y - ui_.style.finger;
    constexpr float worth_it = 0.7F;
    float wanted = std::ceil(parts_.back() + around);
    if (wanted > most)
      for (const float part : parts_)
        if (part + around <= most && part + around >= worth_it * most) wanted = std::ceil(part + around);
    // ImGui takes a scrollbar away a frame after all fits.
    const bool rewraps = ImGui::GetCurrentWindow()->ScrollbarY && ImGui::GetScrollMaxY() <= 0;
    ui_.state.layout_moved |= std::exchange(ui_.memory.sheet.wanted, wanted) != wanted || rewraps;
  }

  void draw_title() {
    const float button = ImGui::GetFrameHeight() + ImGui::GetStyle().ItemSpacing.x;
    const std::string& title = lesson_->title.in(tr_.language());
    ImGui::AlignTextToFramePadding();
    muted_text(ui_.style, fit_text(drawn_text(title), ImGui::GetContentRegionAvail().x - button));
    hear_as(HeardRole::heading, drawn_text(title));
    hear_heading(2);
    anchor("lesson title");
    tooltip(drawn_text(title));
    leave_room_to_close(ImGui::GetContentRegionMax().x - ImGui::GetFrameHeight());
  }
  void leave_room_to_close(float x) {
    ImGui::SameLine(x);
    close_at_ = ImGui::GetCursorScreenPos();
    ImGui::Dummy({ImGui::GetFrameHeight(), ImGui::GetFrameHeight()});
  }
  /// At the end of the title's line, or of a phone's foot, and the last item that Tab comes to.
  bool draw_close() const {
    ImGui::SetCursorScreenPos(close_at_);
    const bool pressed =
        icon_button("close lesson", Icon::close, tr_("Close the lesson; your session comes back"));
    anchor("lesson close");
    return pressed;
  }

  /// Of a course: the part, and what the step is taken from.
  void draw_place_in_course() {
    if (!plays_course(app_.lesson)) return;
    const CoursePart& part = lesson_->parts[part_of(*lesson_, app_.lesson.step)];
    const float icon = ImGui::GetFrameHeight() + ImGui::GetStyle().ItemSpacing.x;
    const std::string text =
        drawn_text(part.title.in(tr_.language())) + " · " + tr_("{} min", minutes_text(step().minutes));
    ImGui::AlignTextToFramePadding();
    muted_text(ui_.style, fit_text(text, ImGui::GetContentRegionAvail().x - icon));
    tooltip(text + "\n" + drawn_text(step().lesson.in(tr_.language())) + " · " +
            tr_("step {}", step().lesson_step));
    ImGui::SameLine(ImGui::GetContentRegionMax().x - ImGui::GetFrameHeight());
    if (icon_button("course page", Icon::sort, tr_("Contents of the course")))
      run_action(app_, "course page");
    anchor("course page");
  }

  void draw_step() {
    ImGui::PushFont(nullptr, std::min(ui_.style.large, std::round(1.35F * em_)));
    wrapped_text(drawn_text(step().title.in(tr_.language())));
    hear_heading(3);
    ImGui::PopFont();
    anchor("lesson step");
    draw_mistakes();
    draw_refused();
    draw_changes();
    report_controls();
    draw_texts();
  }

  /// The references are not what a class is to read before the questions.
  void draw_texts() {
    if (app_.lesson.step == 0) draw_text(text_now(app_, lesson_->text).blocks, "lesson introduction");
    draw_questions(true);
    const LessonText& words = text_now(app_, step().text);
    const std::span<const TextBlock> blocks(words.blocks);
    const std::size_t end = blocks_before_references(words);
    if (withholds_text(app_))
      draw_way_to_text();
    else
      draw_text(blocks.first(end), "lesson words");
    draw_questions(false);
    if (!withholds_text(app_)) draw_text(blocks.subspan(end), "lesson references");
  }
  /// Those that the text answers come before it.
  void draw_questions(bool first) {
    for (int i = 0; i < std::ssize(step().questions); ++i)
      if (step().questions[i].comes_first() == first) draw_question(i);
  }
  void draw_way_to_text() {
    ImGui::Dummy({0, em_ * 0.2F});
    hint(ui_.style, tr_("The step's text comes after your answer."));
    if (button(tr_("Show the text now"), "lesson show text")) app_.lesson.text_wanted = true;
  }

  void draw_mistakes() {
    const auto& mistakes = app_.lesson.mistakes;
    constexpr std::size_t maximum = 100;  // thousands would be too slow for a frame
    for (std::size_t i = 0; i < std::min(maximum, mistakes.size()); ++i)
      error_text(ui_.style, reported(mistakes[i]));
    if (mistakes.size() > maximum)
      hint(ui_.style, tr_.plural("{} more mistake", "{} more mistakes", mistakes.size() - maximum));
    if (!mistakes.empty()) {
      anchor("lesson mistake");
      hint(ui_.style, tr_("This is the last version without mistakes."));
      return;
    }
    const std::vector<LessonMistake> of_step = step_mistakes(app_);
    for (std::size_t i = 0; i < std::min(maximum, of_step.size()); ++i) {
      warning_text(ui_.style, reported(of_step[i]));
      anchor("lesson claim");
    }
  }
  /// Something it needs may have moved, such as a model's folder; everything else can be played.
  void draw_refused() {
    const auto refused = step_refused(app_);
    if (!refused) return;
    error_text(ui_.style, reported(*refused));
    anchor("lesson refused");
    hint(ui_.style, app_.lesson.last() == 0 ? tr_("This step cannot be shown.")
                                            : tr_("This step cannot be shown; the others can be played."));
    if (const Inputs* lost = inputs_to_locate(app_)) locate_button(app_, *lost, "lesson locate");
  }
  std::string reported(const LessonMistake& mistake) const {
    const std::string text = drawn_text(run_error_text(tr_, mistake.error));
    return mistake.line == 0 ? text : tr_("Line {}: {}", mistake.line, text);
  }

  void draw_changes() {
    constexpr std::size_t maximum = 3;
    const std::vector<std::string> changes = step_changes(app_);
    if (changes.empty()) return;
    std::string all;
    for (std::size_t i = 0; i < std::min(maximum, changes.size()); ++i)
      all += (i == 0 ? "" : tr_("; ")) + changes[i];
    if (changes.size() > maximum) all += "…";
    colored_text(palette(ui_.style.theme).accent, drawn_text(tr_("Changed: {}", all)));
    anchor("lesson changes");
  }

  /// If the step points to a control, or to the inspector, and that does not fit next to the view.
  void report_controls() {
    if (ui_.style.finger > 0) return;  // a phone has tabs for them
    const auto report = [this](Panel panel, const char* text, const char* mark) {
      if (!is_named_by_step(app_, panel)) return;
      // A panel over the view closes at the next click, and everything else must stay where it was.
      if (overlays_view(app_, panel)) return ImGui::Dummy({0, ImGui::GetTextLineHeight()});
      if (is_visible(app_, panel)) return;
      muted_text(ui_.style, fit_text(text, ImGui::GetContentRegionAvail().x));
      anchor(mark);
      if (ImGui::IsItemClicked()) toggle_panel(app_, panel);
    };
    report(Panel::controls, tr_("F7 shows the controls."), "lesson controls");
    report(Panel::inspector, tr_("Ctrl+I shows the inspector."), "lesson inspector");
  }

  /// `inset`: left free at the right edge.
  void draw_text(std::span<const TextBlock> text, const std::string& mark, float inset = 0, bool below = true,
                 HeardRole heard_as = HeardRole::text) {
    if (text.empty()) return;
    if (below) ImGui::Dummy({0, em_ * 0.2F});
    const float width = ImGui::GetContentRegionAvail().x - inset;
    const Board board = text_board(text, style_of_texts(), width, numbers());
    const ImVec2 at = ImGui::GetCursorScreenPos();
    draw_board(ui_, board, at);
    hear_blocks(text, numbers(), heard_as);
    anchor(mark);
    point_at_links(board, at);
  }
  /// What is behind numbers and links; a click follows a link.
  void point_at_links(const Board& board, ImVec2 at) {
    for (const BoardRegion& region : board.regions) {
      const bool link = region.name == "link";
      const OnScreen place(region.rect, at);
      const auto [from, to] = place;
      const ImVec2 low = ImGui::GetWindowDrawList()->GetClipRectMin(),
                   high = ImGui::GetWindowDrawList()->GetClipRectMax();
      const bool whole = from.x >= low.x && from.y >= low.y && to.x <= high.x && to.y <= high.y;
      if (link && whole && region.help == way_back) note_place("lesson way back", from, to);
      if (link && take_heard_link(region.help, place)) followed_ = region.help;
      if (!(link || region.name == "number")) continue;
      if (!ImGui::IsWindowHovered() || !ImGui::IsMouseHoveringRect(from, to)) continue;
      if (begin_tooltip(from, to)) {
        muted_text(ui_.style, drawn_text(link ? help_of_link(app_, region.help) : region.help));
        ImGui::EndTooltip();
      }
      if (link && is_tapped(ui_)) followed_ = region.help;
    }
  }

  /// After the frame's texts are drawn, because another lesson has other texts.
  void follow() {
    if (!followed_.empty() && app_.lesson.playing()) follow_link(app_, followed_);
  }

  void draw_question(int number) {
    const LessonQuestion& question = step().questions[number];
    // The first keeps the names by which tests find it.
    const std::string behind = number == 0 ? "" : " " + std::to_string(number + 1);
    ImGui::PushID(number);
    ImGui::Dummy({0, em_ * 0.3F});
    const ImVec2 from = ImGui::GetCursorScreenPos();
    const float right = from.x + ImGui::GetContentRegionAvail().x, inset = em_ * 0.6F;
    ImGui::Dummy({0, inset / 2});
    ImGui::Indent(inset);
    ImGui::BeginGroup();
    question_at_ = ImGui::GetCursorPosY();
    muted_text(ui_.style, step().questions.size() == 1 ? tr_("Question") : tr_("Question {}", number + 1));
    hear_heading(4);
    if (question.asks()) draw_verdict(question, number, behind);
    draw_text(question.text.in(tr_.language()).blocks, "lesson question" + behind, inset);
    draw_choices(question, number, behind, inset);
    if (question.number) draw_number(number, behind, inset);
    ImGui::Dummy({0, em_ * 0.2F});
    if (!question.answer.in(tr_.language()).empty()) {
      const bool shown = app_.lesson.answers_shown.contains(number);
      const bool clicked = ImGui::Button(shown ? tr_("Hide answer") : tr_("Show answer"));
      hear_open(shown);
      anchor("lesson answer" + behind);
      if (clicked && shown) app_.lesson.answers_shown.erase(number);
      if (clicked && !shown) app_.lesson.answers_shown.insert(number);
      if (shown != clicked)
        draw_text(question.answer.in(tr_.language()).blocks, "lesson answer text" + behind, inset, true,
                  HeardRole::status);
      if (clicked && !shown) ImGui::SetScrollHereY(1);
    }
    ImGui::EndGroup();
    ImGui::Unindent(inset);
    const float bottom = ImGui::GetItemRectMax().y + inset / 2;
    ImGui::GetWindowDrawList()->AddRect(from, {right, bottom}, palette(ui_.style.theme).border, em_ * 0.3F);
    ImGui::Dummy({0, inset});
    end_part();
    ImGui::PopID();
  }

  void draw_verdict(const LessonQuestion& question, int number, const std::string& behind) {
    const std::optional<bool> answered = question_answered(app_, number);
    const LessonAnswer* const given = answer_given(app_, number);
    // A state that was found is kept, whatever is changed after it.
    const bool kept = question.check && given != nullptr, is_right = answered.value_or(false) || kept;
    const bool wrong = !is_right && given != nullptr && (given->number || !given->choices.empty());
    std::string text = is_right ? tr_("✓ answered") : wrong ? tr_("not right yet") : tr_("not yet");
    if (wrong || (is_right && given != nullptr && given->tries > 1))
      text += " · " + tr_.plural("{} try", "{} tries", given->tries);
    ImGui::SameLine();
    colored_line(is_right ? palette(ui_.style.theme).accent
                 : wrong  ? palette(ui_.style.theme).warning
                          : palette(ui_.style.theme).muted,
                 text);
    hear_as(HeardRole::status);
    anchor((is_right ? "lesson answered" : "lesson not yet") + behind);
  }

  /// Once an answer is given, what it is worth is read above the question.
  void show_verdict() const {
    if (question_at_ < ImGui::GetScrollY()) ImGui::SetScrollY(question_at_);
  }
  void answer(int number, const std::set<int>& choices) {
    choose_answer(app_, number, choices);
    show_verdict();
  }

  void draw_choices(const LessonQuestion& question, int number, const std::string& behind, float inset) {
    if (question.choices.empty()) return;
    const LessonAnswer* given = answer_given(app_, number);
    const std::set<int> answered = given != nullptr ? given->choices : std::set<int>();
    const auto pending = app_.lesson.chosen.find(number);
    const std::set<int> chosen = pending != app_.lesson.chosen.end() ? pending->second : answered;
    const std::optional<bool> takes_one = takes_one_choice(app_, number);
    ImGui::BeginDisabled(!takes_one);
    for (int i = 0; i < std::ssize(question.choices); ++i) {
      ImGui::PushID(i);
      bool on = chosen.contains(i);
      const ImVec2 from = ImGui::GetCursorPos();
      bool changed = false;
      const bool single = takes_one.value_or(true);
      if (choice_mark("##choice", on, !single)) changed = !std::exchange(on, single || !on) || !single;
      anchor(fmt::format("lesson choice{} {}", behind, i + 1));
      const float height = ImGui::GetItemRectSize().y;
      ImGui::SetCursorPos({from.x + ImGui::GetFrameHeight() + 0.5F * em_, from.y});
      ImGui::BeginGroup();
      // One line is level with a mark in a row for a finger.
      const float above = std::max(0.0F, (ui_.style.finger - 1.5F * em_) / 2);
      if (above > 0) ImGui::SetCursorPosY(ImGui::GetCursorPosY() + above);
      const ImVec2 at = ImGui::GetCursorScreenPos();
      draw_text(question.choices[i].text.in(tr_.language()).blocks, "lesson choice text", inset, false);
      ImGui::EndGroup();
      const ImVec2 to{at.x + ImGui::GetContentRegionAvail().x,
                      std::max(at.y + height, ImGui::GetItemRectMax().y)};
      if (!changed && followed_.empty() && ImGui::IsWindowHovered() && ImGui::IsMouseHoveringRect(at, to) &&
          is_tapped(ui_))
        changed = true, on = !on;
      if (changed && takes_one) take_choice(number, i, on, *takes_one, chosen);
      ImGui::SetCursorPos({from.x, std::max(from.y + height, ImGui::GetCursorPosY())});
      end_part();
      ImGui::PopID();
    }
    ImGui::EndDisabled();
    if (takes_one.value_or(true)) return;
    // Which of several are right is answered by all of them together.
    ImGui::BeginDisabled(chosen.empty() || chosen == answered);
    if (button(tr_("Check my choices"), ("lesson check" + behind).c_str())) answer(number, chosen);
    ImGui::EndDisabled();
  }
  void take_choice(int number, int choice, bool on, bool single, std::set<int> chosen) {
    if (single) return on ? answer(number, {choice}) : void();
    if (on)
      chosen.insert(choice);
    else
      chosen.erase(choice);
    app_.lesson.chosen[number] = std::move(chosen);
  }

  /// A field that takes a number on Enter, or when it is left.
  void draw_number(int number, const std::string& behind, float inset) {
    const LessonAnswer* given = answer_given(app_, number);
    std::string& typed = app_.lesson.predicted[number];
    // Undo may have taken the answer back, or another one.
    const bool edited = ImGui::GetActiveID() == ImGui::GetID("###prediction");
    if (!edited && !app_.lesson.refused.contains(number))
      typed = given != nullptr && given->number ? fmt::format("{}", *given->number) : "";
    ImGui::SetNextItemWidth(std::min(8 * em_, ImGui::GetContentRegionAvail().x - inset));
    typed_text("###prediction", typed, tr_("Your prediction"));
    anchor("lesson prediction" + behind);
    const bool given_now = ImGui::IsItemDeactivatedAfterEdit();
    if (given_now) predict_answer(app_, number);
    const auto refused = app_.lesson.refused.find(number);
    if (refused == app_.lesson.refused.end()) return given_now ? show_verdict() : void();
    error_text(ui_.style, drawn_text(refused->second));
    anchor("lesson refused number" + behind);
  }

  /// A phone has no line for a button that does nothing.
  bool shows_return() const { return ui_.style.finger <= 0 || has_left_step(app_); }
  float foot_height() const {
    const float lines = shows_return() ? 2 : 1, dots = ui_.style.finger > 0 ? 0 : em_ * 1.2F;
    return ImGui::GetStyle().ItemSpacing.y * (lines + 2) + dots + lines * ImGui::GetFrameHeight();
  }

  void draw_foot() {
    ImGui::Separator();
    ui_.style.finger > 0 ? draw_turns_of_phone() : draw_turns();
    if (!shows_return()) return;
    if (foot_button(tr_("Back to the lesson"), "lesson return", has_left_step(app_),
                    ImGui::GetContentRegionAvail().x))
      return_to_lesson(app_);
    tooltip(tr_("Change anything you like; this shows the step again as it was."));
  }
  void draw_turns() {
    draw_dots();
    const float gap = ImGui::GetStyle().ItemSpacing.x, width = (ImGui::GetContentRegionAvail().x - gap) / 2;
    if (foot_button(tr_("Previous step"), "lesson back", app_.lesson.can_step(-1), width))
      step_lesson(app_, -1);
    ImGui::SameLine(0, gap);
    if (foot_button(tr_("Next step"), "lesson next", app_.lesson.can_step(1), width)) step_lesson(app_, 1);
  }
  /// In one line, the steps in a list: dots are too small for a finger. The thumb has the next one.
  void draw_turns_of_phone() {
    const float gap = ImGui::GetStyle().ItemSpacing.x, room = ImGui::GetContentRegionAvail().x;
    const float icons = 2 * (width_of_icon() + gap), next = std::floor((room - icons - gap) * 0.55F);
    ImGui::BeginDisabled(!app_.lesson.can_step(-1));
    if (icon_button("lesson back", Icon::left, tr_("Previous step"))) step_lesson(app_, -1);
    ImGui::EndDisabled();
    ImGui::SameLine(0, gap);
    const int count = app_.lesson.last() + 1;
    const std::string now = fmt::format("{} / {}", app_.lesson.step + 1, count);
    std::vector<std::string> titles;
    for (int i = 0; i < count; ++i)
      titles.push_back(tr_("{}. {}", i + 1, drawn_text(lesson_->steps[i].title.in(tr_.language()))));
    std::vector<Choice> steps;
    for (const std::string& title : titles) steps.push_back({title.c_str()});
    int chosen = app_.lesson.step;
    ImGui::SetNextItemWidth(room - icons - gap - next);
    if (choose_in_field("lesson steps", steps, chosen, now.c_str())) go_to_step(app_, chosen);
    ImGui::SameLine(0, gap);
    const AccentColors colors(app_.lesson.can_step(1));
    if (foot_button(tr_("Next step"), "lesson next", app_.lesson.can_step(1), next)) step_lesson(app_, 1);
    leave_room_to_close(ImGui::GetContentRegionMax().x - width_of_icon());
  }
  static bool foot_button(const char* text, const char* mark, bool enabled, float width) {
    ImGui::BeginDisabled(!enabled);
    const bool pressed = button(fit_text(text, width - 4), mark, {}, width);
    ImGui::EndDisabled();
    return pressed;
  }

  void draw_dots() {
    const int count = app_.lesson.last() + 1;
    const float width = ImGui::GetContentRegionAvail().x,
                size = std::min(em_ * 1.2F, width / static_cast<float>(count));
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float left = at.x + (width - size * static_cast<float>(count)) / 2;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const Palette& colors = palette(ui_.style.theme);
    for (int i = 0; i < count; ++i) {
      ImGui::PushID(i);
      const ImVec2 from{left + size * static_cast<float>(i), at.y};
      ImGui::SetCursorScreenPos(from);
      if (invisible_button("dot", {size, em_ * 1.2F})) go_to_step(app_, i);
      anchor("lesson dot " + std::to_string(i + 1));
      const bool here = i == app_.lesson.step, hovered = ImGui::IsItemHovered();
      const std::string title = tr_("{}. {}", i + 1, drawn_text(lesson_->steps[i].title.in(tr_.language())));
      hear_name(title);
      hear_step(here);
      if (app_.lesson.playing()) tooltip(title);
      const ImVec2 middle{from.x + size / 2, from.y + em_ * 0.6F};
      const float radius = std::min(size * 0.4F, em_ * (here || hovered ? 0.34F : 0.24F));
      list.AddCircleFilled(middle, radius, here ? colors.accent : hovered ? colors.muted : colors.border);
      ImGui::PopID();
    }
    ImGui::SetCursorScreenPos({at.x, at.y + em_ * 1.2F});
    ImGui::Dummy({0, 0});
  }

  App& app_;
  Ui& ui_;
  const Translator& tr_;
  const std::shared_ptr<const Lesson> lesson_;  // kept alive while this closes it
  const float em_;
  double scale_ = 1;          // of the texts
  ImVec2 close_at_{};         // the button
  std::vector<float> parts_;  // where they end
  float question_at_ = 0;     // where the one that is drawn begins
  std::string followed_;      // the link that was clicked
};

}  // namespace

float lesson_caption_height(const OpenSession& open, const Ui& ui) {
  if (ui.style.finger > 0 && is_low_window()) return 0;  // the map needs the line
  return open.lesson.playing() && open.state.view.row().layer_maps() ? 2.6F * ui.style.font_size : 0;
}

void draw_lesson_caption(Ui& ui, float height) {
  ImGui::BeginChild("lesson caption", {0, height}, false,
                    ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
  const ImVec2 at = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
  const float inset = ui.style.font_size * 0.6F;
  // A phone has no room to leave empty.
  const bool taps = ui.style.finger > 0 && !ui.state.brush.on;
  if (ui.motion == nullptr || !ui.motion->moving())
    draw_caption(ui, taps ? ui.tr("Tap a cell to see its numbers.") : "", false, {at.x + inset, at.y},
                 {at.x + size.x - inset, at.y + size.y});
  ImGui::EndChild();
}

float draw_lesson_header(App& app, Ui& ui, ImVec2 from, float width) {
  const float em = ui.style.font_size, key_width = 1.5F * em;
  const float height = LessonPanel(app, ui).draw_header(from, width - key_width - em);
  const ImVec2 key{from.x + width - key_width, from.y + 0.1F * em};
  ImGui::SetCursorScreenPos(key);
  if (invisible_button("lesson text", {key_width, 1.25F * em})) run_action(app, "lesson text");
  anchor("presented lesson key");
  tooltip(ui.tr("Text and question of the lesson's step"));
  const Palette& colors = palette(ui.style.theme);
  const bool on = shows_lesson_text(app);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImVec2 end = ImGui::GetItemRectMax();
  if (on) list.AddRectFilled(key, end, colors.accent, 0.25F * em);
  list.AddRect(key, end, on ? colors.accent : colors.muted, 0.25F * em, 0, mark_line(ui.style));
  draw_text(list, text_style(em, on ? colors.on_accent : colors.muted, 0.5F, 0.5F),
            {(key.x + end.x) / 2, (key.y + end.y) / 2}, "T");
  if (on) return height;
  return height + LessonPanel(app, ui).draw_task({from.x, from.y + height}, width);
}

void draw_lesson_text(App& app, Ui& ui) {
  LessonPanel(app, ui).draw_presented();
}

void draw_lesson(App& app, Ui& ui) {
  if (app.lesson.playing()) LessonPanel(app, ui).draw();
}

}  // namespace headscope

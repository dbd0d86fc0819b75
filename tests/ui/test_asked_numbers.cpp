#include <cmath>

#include "app/state/actions/present.h"
#include "app/state/lesson/play_lesson.h"
#include "core/teach/check.h"
#include "core/teach/library.h"
#include "tests/ui/app_fixture.h"

namespace headscope::tests {

// What a lesson asks to predict cannot be read before it is answered, wherever numbers are drawn: cells,
// captions, inspector, boards and texts.

struct DrawnText {
  std::string text;
  ImVec2 at;
};

/// Everything that is drawn as text, by its glyphs: those of a text follow each other.
std::vector<DrawnText> drawn_texts() {
  std::map<std::pair<float, float>, ImFontGlyph> glyphs;
  for_each_glyph([&](float, const ImFontGlyph& glyph) {
    if (glyph.Visible != 0) glyphs[{glyph.U0, glyph.V0}] = glyph;
  });
  std::vector<DrawnText> texts;
  const ImDrawData& data = *ImGui::GetDrawData();
  for (int list = 0; list < data.CmdListsCount; ++list) {
    const auto& vertices = data.CmdLists[list]->VtxBuffer;
    float next = -1;  // where the pen is
    for (int i = 0; i + 3 < vertices.Size; ++i) {
      const auto found = glyphs.find({vertices[i].uv.x, vertices[i].uv.y});
      const bool is_glyph = found != glyphs.end() && vertices[i + 2].uv.x == found->second.U1 &&
                            vertices[i + 2].uv.y == found->second.V1;
      if (!is_glyph) {
        next = -1;
        continue;
      }
      const ImFontGlyph& glyph = found->second;
      const float scale = (vertices[i + 2].pos.x - vertices[i].pos.x) / std::max(1e-3F, glyph.X1 - glyph.X0);
      const float pen = vertices[i].pos.x - glyph.X0 * scale;
      if (next < 0 || std::abs(pen - next) > 1) texts.push_back({"", vertices[i].pos});
      texts.back().text += glyph.Codepoint < 0x80 ? static_cast<char>(glyph.Codepoint) : '?';
      next = pen + glyph.AdvanceX * scale;
      i += 3;
    }
  }
  return texts;
}

/// The numbers in a text, as they are written.
std::vector<std::string> numbers_in(const std::string& text) {
  std::vector<std::string> numbers;
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  for (std::size_t at = 0; at < text.size(); ++at) {
    const bool begins =
        is_digit(text[at]) || (text[at] == '.' && at + 1 < text.size() && is_digit(text[at + 1]));
    if (!begins) continue;
    std::size_t end = at;
    while (end < text.size() && (is_digit(text[end]) || text[end] == '.' || text[end] == ',')) ++end;
    std::string number = text.substr(at, end - at);
    while (number.ends_with('.') || number.ends_with(',')) number.pop_back();
    if (end < text.size() && text[end] == '%') number += '%';
    numbers.push_back(number);
    at = end;
  }
  return numbers;
}

/// Whether a number that is written so says what the answer is, to the digits that it has.
bool tells(std::string written, double answer) {
  answer = std::abs(answer);
  const bool percent = written.ends_with('%');
  if (percent) written.pop_back();
  std::erase(written, ',');
  const std::size_t point = written.find('.');
  const int places =
      (point == std::string::npos ? 0 : static_cast<int>(written.size() - point - 1)) + (percent ? 2 : 0);
  const double value = std::stod(written) / (percent ? 100 : 1);
  const bool whole = answer == std::round(answer) && answer > 1;
  if (!whole && places < 2) return false;
  return std::abs(value - answer) <= 0.5 * std::pow(10.0, -places) * (whole ? 0 : 1) + 1e-9;
}

class AskedNumbers : public AppFixture {
 protected:
  AskedNumbers() : AppFixture({1280, 720}, 16) {}

  std::vector<std::string> told(double answer) {
    std::vector<std::string> found;
    const std::vector<DrawnText> texts = drawn_texts();
    for (std::size_t i = 0; i < texts.size(); ++i) {
      const DrawnText& drawn = texts[i];
      if (i + 1 < texts.size() && texts[i + 1].text == "ms") continue;  // how long the run took
      for (const std::string& number : numbers_in(drawn.text))
        if (tells(number, answer))
          found.push_back(fmt::format("{} at {:.0f}, {:.0f}", drawn.text, drawn.at.x, drawn.at.y));
    }
    return found;
  }
};

TEST_F(AskedNumbers, are_not_on_the_screen_before_they_are_answered) {
  int questions = 0, told_later = 0;
  for (const Language language : {Language::en, Language::zh})
    for (const BuiltInLesson& lesson : built_in_lessons()) {
      if (lesson.course) continue;
      app.set_language(language);
      ASSERT_TRUE(play_lesson(app, SOURCE_DIR "/assets/lessons/" + lesson.name + ".md"));
      wait_until_idle();
      for (int step = 0; step <= app.lesson.last(); ++step) {
        const auto& asked = app.lesson.lesson->steps[static_cast<std::size_t>(step)].questions;
        const auto found = std::ranges::find_if(
            asked, [](const LessonQuestion& question) { return question.number.has_value(); });
        if (found == asked.end()) continue;
        const auto number = static_cast<int>(found - asked.begin());
        ++questions;
        go_to_step(app, step);
        wait_until_idle();
        return_to_lesson(app);
        wait_until_idle();
        ASSERT_TRUE(app.lesson.shown && app.lesson.shown->given) << lesson.name << " step " << step + 1;
        const double answer = live_number(found->number->value, *app.lesson.shown->given);
        const auto expect_hidden = [&](const char* where) {
          EXPECT_THAT(told(answer), testing::IsEmpty())
              << lesson.name << " step " << step + 1 << ", " << where << ": " << answer << " ("
              << (language == Language::zh ? "zh" : "en") << ")";
        };
        expect_hidden("window");
        run_action(app, "present");
        wait_until_idle();
        expect_hidden("presented");
        run_action(app, "lesson text");
        wait_until_idle();
        expect_hidden("presented text");
        run_action(app, "lesson text");
        run_action(app, "present");
        predict_answer(app, number, answer);
        wait_until_idle();
        told_later += told(answer).empty() ? 0 : 1;
        run_action(app, "undo");
      }
      close_lesson(app);
    }
  EXPECT_GE(questions, 2 * 20);
  EXPECT_GE(2 * told_later, questions) << "once they are answered";
}

}  // namespace headscope::tests
